"""The command line: find the verb, parse its arguments, map every outcome to an exit code.

A verb is one module in `cli/verbs`; only the one that is called is imported, so `nettool lint`
never waits for Ansible or netmiko.
"""

from __future__ import annotations

import errno
import gc
import sys
from collections.abc import Sequence
from importlib import import_module, metadata

from nettool.cli import screen
from nettool.cli.parser import Parser, first_line, parser_for, verb_names
from nettool.core.errors import FindingsError, NettoolError, UsageError

EXIT_BUG = 70
EXIT_INTERRUPTED = 130
COLLECT = (100_000, 20, 100)
"""Thresholds of the cycle collector: plans have next to no cycles and millions of objects, which
it would walk again and again (a third of the planning of 131,072 GPUs, and of its rules)."""

_SURROUNDINGS = frozenset({
    errno.EACCES, errno.EDQUOT, errno.EEXIST, errno.EIO, errno.EISDIR, errno.ELOOP, errno.EMFILE,
    errno.ENAMETOOLONG, errno.ENOENT, errno.ENOSPC, errno.ENOTDIR, errno.EPERM, errno.EROFS,
    errno.ETXTBSY,
})  # fmt: skip
"""What a disk, its rights or its paths refuse: the user's to mend, not a bug of ours."""


def entry() -> None:
    """The console script: run and exit with the contract's code."""
    gc.set_threshold(*COLLECT)
    screen.open_streams()
    sys.exit(_flushed(main(sys.argv[1:])))


def _flushed(code: int) -> int:
    """The exit code once everything is written: output that cannot be written is a failure."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as exc:
            screen.silence(stream)
            if not code and not isinstance(exc, BrokenPipeError):
                sys.stderr.write(f"nettool: the output could not be written: {exc.strerror}\n")
                code = UsageError.exit_code
    return code


def main(argv: Sequence[str]) -> int:
    """Run one command line; returns the exit code and prints nothing but results and messages."""
    output = screen.Screen()
    try:
        return _dispatch(argv, output)
    except FindingsError as exc:
        output.report(exc.report, formatted=_format(argv))
        return exc.exit_code
    except NettoolError as exc:
        output.problem(str(exc))
        return exc.exit_code
    except KeyboardInterrupt:
        output.problem("interrupted")
        return EXIT_INTERRUPTED
    except Exception as exc:  # noqa: BLE001 - the last line of defence
        return _unforeseen(exc, output, verbose="-v" in argv)


def _unforeseen(exc: Exception, output: screen.Screen, *, verbose: bool) -> int:
    """A place that cannot be read or written is the user's; all else is a bug of ours, said so."""
    if isinstance(exc, OSError) and exc.errno in _SURROUNDINGS:
        output.problem(f"{exc.filename}: {exc.strerror}" if exc.filename else str(exc.strerror))
        return UsageError.exit_code
    output.bug(exc, verbose=verbose)
    return EXIT_BUG


def _dispatch(argv: Sequence[str], output: screen.Screen) -> int:
    if not argv or argv[0] in {"-h", "--help", "help"}:
        output.text(_overview())
        return 0 if argv else UsageError.exit_code
    if argv[0] == "--version":
        output.text(f"nettool {metadata.version('nettool')}")
        return 0
    name = argv[0]
    if name not in verb_names():
        raise UsageError(_unknown(name))
    verb = import_module(f"nettool.cli.verbs.{name}")
    parser: Parser = parser_for(name, verb)
    arguments = parser.parse_args(argv[1:])
    output.configure(arguments)
    code: int = verb.run(arguments, output)
    return code


def _overview() -> str:
    rows = [f"  {name:<10} {first_line(name)}" for name in verb_names()]
    return "\n".join(
        [
            "usage: nettool VERB [options]        nettool VERB --help tells a verb's options",
            "",
            *rows,
            "",
            "FABRIC is a folder with a fabric.yaml, a name under inventories/, or the file.",
            "Exit: 0 fine, 1 findings or failed, 2 differences (--exit-code), 3 warnings",
            "(--strict), 4 unreachable or partial, 5 rolled back, 6 rollback failed, 7 refused,",
            "64 usage, 70 a bug of nettool.",
        ]
    )


def _unknown(name: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistyped verb needs it

    close = get_close_matches(name, verb_names(), n=1)
    return f"no verb {name!r}" + (
        f"; did you mean {close[0]!r}?" if close else f"; verbs: {', '.join(verb_names())}"
    )


def _format(argv: Sequence[str]) -> str:
    for number, word in enumerate(argv):
        if word == "--format" and number + 1 < len(argv):
            return argv[number + 1]
        if word.startswith("--format="):
            return word.partition("=")[2]
    return "text"

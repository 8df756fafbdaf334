"""Tables as SONiC's commands print them (python-tabulate's `simple` format)."""

from __future__ import annotations

from collections.abc import Sequence


def simple_table(header: Sequence[str], rows: Sequence[Sequence[object]], *, right: bool) -> str:
    """Header, a line of dashes, rows; columns two spaces apart, at least as wide as the header.

    `right` puts every column to the right, as `stralign="right"` does.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max([len(title), *(len(row[i]) for row in cells)]) for i, title in enumerate(header)]
    lines = [header, ["-" * width for width in widths], *cells]
    return "\n".join(_line(line, widths, right=right) for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int], *, right: bool) -> str:
    placed = [c.rjust(w) if right else c.ljust(w) for c, w in zip(cells, widths, strict=True)]
    return "  ".join(placed).rstrip()


def grouped(number: int) -> str:
    """`1,210`."""
    return f"{number:,}"

"""One way to call the command line from a test."""

from __future__ import annotations

import pytest

from nettool.cli.main import main


@pytest.fixture
def nettool(capsys):
    """Runs words as the command line does: exit code, stdout, stderr; never a traceback."""

    def call(*words):
        code = main([*map(str, words)])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return call

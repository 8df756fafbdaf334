"""A push that went back with an older one is undone: no rollback brings the older one back."""

import shutil
from pathlib import Path

import pytest

from nettool.cli.main import main
from tests.e2e.test_typo import FABRIC, lengths, site

__all__ = ["site"]

pytestmark = pytest.mark.skipif(
    shutil.which("ssh") is None or shutil.which("ssh-keygen") is None,
    reason="needs an OpenSSH client",
)


@pytest.mark.slow
def test_what_went_along_stays_undone_also_where_it_was_on_one_switch_only(site, capsys):
    fleet, fabric, where_they_are = site
    before = lengths(fleet)
    assert main(["push", "fabric", *where_they_are]) == 0
    first = next(Path("runs").glob("*/build")).parent.name
    fabric.write_text(FABRIC.replace("nic: 3m", "nic: 100m"))
    name = next(iter(fleet)).name
    assert main(["push", "fabric", "-l", name, *where_they_are]) == 0
    assert len(lengths(fleet) - before) == 2
    assert main(["rollback", "fabric", "--run", first, *where_they_are]) == 0
    assert lengths(fleet) == before
    for switch in fleet:
        switch.forget()
    capsys.readouterr()
    assert main(["rollback", "fabric", *where_they_are]) == 0
    assert f"was rolled back already, with run {first}" in " ".join(capsys.readouterr().out.split())
    assert (lengths(fleet), [w for each in fleet for w in each.writes()]) == (before, [])

"""The demo tells its story to the end, and every step of it went as it should."""

from nettool.cli.main import main


def test_demo_of_one_fabric(capsys, tmp_path):
    assert main(["demo", "-o", str(tmp_path / "demo"), "--fabric", "rail-only-128"]) == 0
    told = capsys.readouterr().out
    for step, result in (
        ("diff (factory against plan)", "4 of 4 differ"),
        ("push (first install)", "4 changed"),
        ("verify", "0 errors"),
        ("push again", "4 unchanged"),
        ("diff ", "1 of 4 differ"),
        ("push it back", "3 unchanged, 1 changed"),
    ):
        assert any(step in line and result in line for line in told.splitlines()), step
    assert (tmp_path / "demo" / "rail-only-128" / "build" / "devices" / "leaf01").is_dir()

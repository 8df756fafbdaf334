"""The demo's bars: one step a switch that is done, and never more than there are."""

from nettool.cli.verbs.demo import bars
from nettool.fleet.deploy.eventlog import ALL, LOOKED


def test_a_look_is_one_line_and_a_bar_is_full_at_the_last_switch():
    said: list[str] = []
    tell = bars(2, said.append)
    for host in ("leaf01", "leaf02"):
        tell(host, LOOKED, "would change")
    tell(ALL, LOOKED, "2 would change")
    for host in ("leaf01", "leaf02"):
        tell(host, "start", "One wave at a time")
        tell(host, "changed", "")
    half, full = "█" * 12 + "░" * 12, "█" * 24
    assert said == [
        "    looked at: 2 would change",
        f"    {half} 1/2 leaf01 changed",
        f"    {full} 2/2 leaf02 changed",
    ]

"""The guarded transaction on AsterNOS: by klish, with its guard in bash, against a mock switch."""

from nettool.fleet.deploy.outcome import Outcome


def test_changed_saved_unlocked_and_then_nothing(switch, new):
    told = switch.push()
    assert (told.outcome, told.message) == (Outcome.CHANGED, "")
    assert [step.name for step in told.steps] == [
        "read", "guard", "checkpoint", "arm", "apply", "verify", "save", "confirm",
    ]  # fmt: skip
    assert switch.is_(new)
    assert switch.handle.timers() == []
    switch.handle.forget()
    assert switch.push("r2").outcome is Outcome.UNCHANGED
    assert switch.handle.writes() == []

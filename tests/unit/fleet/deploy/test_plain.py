"""Under plain Ansible what is refused names the playbooks' variables, not options of a verb."""

import pytest

from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.plain import plain_words
from nettool.fleet.deploy.task import run_task

SAID = [
    # to who types `nettool push`, and to who runs a playbook
    (
        "this needs a config reload, which drops all traffic (x): --consent reload",
        "this needs a config reload, which drops all traffic (x): "
        """-e '{"nettool_consent": ["reload"]}'""",
    ),
    (
        "Look at it, then --allow-unverified (by a playbook: nettool_allow_unverified)",
        "Look at it, then -e nettool_allow_unverified=true",
    ),
    (
        "run r2 was here since: undo that one, or name this one (--run r1)",
        "run r2 was here since: undo that one, or name this one (-e nettool_of=r1)",
    ),
    ("somebody changed it since it was read: push again",) * 2,
]


@pytest.mark.parametrize(("by_verb", "by_playbook"), SAID)
def test_an_option_becomes_its_variable(by_verb, by_playbook):
    assert plain_words(by_verb) == by_playbook


class Refusing:
    """A dialect whose switches all ask for a consent."""

    def intended(self, _path):
        return {"PORT": {}}

    def push(self, order, *, health=True):
        return Result(order.device, Outcome.REFUSED, SAID[0][0])


@pytest.mark.parametrize(("verb", "word"), [(True, "--consent"), ("", "-e '"), (None, "-e '")])
@pytest.mark.parametrize("check", [True, False])
def test_who_asks_is_told_in_their_words(verb, word, check):
    args = {"do": "push", "config": "x", **({} if verb is None else {"verb": verb})}
    answer = run_task(args, "leaf01", Refusing(), check=check)
    said = [answer["msg"], answer["nettool"]["message"], *answer.get("warnings", ())]
    assert all(word in each for each in said)

"""What is said to those who run the playbooks themselves: variables in place of options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_CONSENT = """-e '{"nettool_consent": ["reload"]}'"""
_ALLOWED = "-e nettool_allow_unverified=true"
_VARIABLES = (
    (re.compile(r"--consent reload\b"), _CONSENT),
    (re.compile(r"--allow-unverified \(by a playbook: nettool_allow_unverified\)"), _ALLOWED),
    (re.compile(r"--run (?=[\w-]+\))"), "-e nettool_of="),
)


def plain_words(text: str) -> str:
    """A sentence that names the variables of the playbooks where it named options of a verb."""
    for option, variable in _VARIABLES:
        text = option.sub(variable, text)
    return text


def plain_answer(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The same of all sentences in what Ansible is told."""
    made = dict(answer)
    if "msg" in made:
        made["msg"] = plain_words(str(made["msg"]))
    if "warnings" in made:
        made["warnings"] = [plain_words(str(each)) for each in made["warnings"]]
    about = made.get("nettool")
    if isinstance(about, Mapping) and about.get("message"):
        made["nettool"] = {**about, "message": plain_words(str(about["message"]))}
    return made

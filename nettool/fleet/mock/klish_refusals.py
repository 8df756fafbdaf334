"""What a mock AsterNOS refuses: to take away what is still used, and a second BGP instance.

No page says what klish refuses. Assumed is what the parts below it refuse: SONiC a VLAN that has
members or an address (sonic-utilities config/vlan.py), and what other rows of CONFIG_DB refer to;
FRR a second instance (bgpd/bgp_vty.c, "BGP is already running").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

View = tuple[str, ...]
Views = Mapping[View, Sequence[str]]
_NAMED = {
    "policy-map": "service-policy",
    "class-map": "class",
    "wred": "wred",
    "buffer-profile": "priority-group-buffer",
    "diffserv-map type ip-dscp": "set cos dscp diffserv",
}
"""Views of the first view by the words of the line that names one of them."""
_VLAN = re.compile(r"no vlan (\d+)")
_BGP = re.compile(r"router bgp (\d+)")


def refusal(views: Views, view: View, line: str) -> str:
    """Why a line is refused while `views` run; empty where it is taken."""
    if found := _VLAN.fullmatch(line):
        return _vlan_in_use(views, found[1])
    if found := _BGP.fullmatch(line):
        others = [each for each in views.get((), ()) if _BGP.fullmatch(each) and each != line]
        return f"BGP is already running; AS is {others[0].split()[-1]}" if others else ""
    kind, _, name = line.removeprefix("no ").rpartition(" ")
    if view or not line.startswith("no ") or kind not in _NAMED:
        return ""
    users = _places(views, f"{_NAMED[kind]} {name}")
    return next((f"{kind} {name} is used by {' / '.join(each)}" for each in users), "")


def _vlan_in_use(views: Views, number: str) -> str:
    members = next(_places(views, f"switchport access vlan {number}"), None)
    if members:
        return f"VLAN {number} has member {members[0]}"
    inner = views.get((f"interface vlan {number}",), ())
    return f"VLAN {number} has an address" if any(e.startswith("ip address") for e in inner) else ""


def _places(views: Views, line: str) -> Iterator[View]:
    """The views in which a line stands."""
    return (view for view, lines in views.items() if view and line in lines)

"""GPU hosts against the plan, and against what the switch ports that they are cabled to run.

What is compared is what `host.json` of a build says. No I/O: the file was read before, and the
switches were looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nettool.core.finding import Finding, Report, Severity
from nettool.fleet.verify.agreed import ADDRESSES, FIELDS, at_odds, differs, shown
from nettool.fleet.verify.gathered import Gathered
from nettool.fleet.verify.meant import Meant
from nettool.fleet.verify.observed import Observed
from nettool.fleet.verify.planned_nics import PlannedNic
from nettool.fleet.verify.reported import ReportedHost, ReportedNic

TABLE = "nics"
_HINT = "set it as hosts/NAME/host.json of the build says, or correct the plan"
_ABSENT, _UNKNOWN, _NO_NIC = "HST000", "HST001", "HST002"
_PTP, _UNREPORTED, _PORT = "HST007", "HST008", "HST009"


def check_hosts(
    planned: Iterable[PlannedNic],
    gathered: Gathered,
    observed: Mapping[str, Observed],
    switches: Collection[str],
) -> Report:
    """The NICs that are cabled to `switches` against the file, and against what was seen there.

    `planned` are all NICs, whatever they are cabled to. The summary tells how many `hosts` were
    asked for, and how many of them are in the file.
    """
    plan: dict[str, dict[str, PlannedNic]] = defaultdict(dict)
    for nic in planned:
        plan[nic.host][nic.name] = nic
    meant = {host: nics for host, all_ in plan.items() if (nics := _of(all_, switches))}
    findings = [*gathered.findings, *_strangers(plan, gathered)]
    strangers = Meant(set(gathered.hosts) - set(plan))
    for host, nics in meant.items():
        if host in gathered.hosts:
            findings.extend(_host(host, nics, gathered, observed))
        elif host not in gathered.broken:
            findings.append(_absent(host, len(nics), strangers.by(host), gathered))
    reported = len(set(meant) & set(gathered.hosts))
    return Report.of(findings, hosts=len(meant), hosts_reported=reported)


def _of(nics: Mapping[str, PlannedNic], switches: Collection[str]) -> dict[str, PlannedNic]:
    return {name: nic for name, nic in nics.items() if nic.switch in switches}


def _host(
    name: str, nics: Mapping[str, PlannedNic], gathered: Gathered, observed: Mapping[str, Observed]
) -> Iterator[Finding]:
    host = gathered.hosts[name]
    reported = {each.name: each for each in host.nics}
    for nic in nics.values():
        told = reported.get(nic.name)
        if told is not None:
            yield from _Nic(nic, host, told, gathered).findings(observed.get(nic.switch))
        elif f"{name}|{nic.name}" not in gathered.broken:
            yield _finding(
                gathered, _NO_NIC, nic, "planned, and not in the file: nothing of it is verified",
                "gather it too, by its name in the plan",
            )  # fmt: skip


def _absent(name: str, nics: int, close: str | None, gathered: Gathered) -> Finding:
    near = f"; the file has {close}" if close else ""
    return Finding(
        rule=_ABSENT,
        severity=Severity.ERROR,
        message=f"not in the file, so none of its NICs ({nics}) is verified{near}",
        hint="gather it too: what was not seen is not verified",
        device=name,
        file=gathered.file,
    )


def _strangers(
    planned: Mapping[str, Mapping[str, PlannedNic]], gathered: Gathered
) -> Iterator[Finding]:
    """Hosts and NICs of the file that the plan does not have."""
    missing = Meant(set(planned) - set(gathered.hosts) - gathered.broken)
    for host in gathered.hosts.values():
        own = {each.name for each in host.nics}
        if host.name not in planned:
            yield _stranger(gathered, host.name, "", missing.by(host.name))
            continue
        absent = Meant(set(planned[host.name]) - own)
        for nic in sorted(own - set(planned[host.name])):
            yield _stranger(gathered, host.name, nic, absent.by(nic))


def _stranger(gathered: Gathered, host: str, nic: str, close: str | None) -> Finding:
    return Finding(
        rule=_UNKNOWN,
        severity=Severity.WARNING,
        message=f"{'NIC' if nic else 'host'} {nic or host} is not planned, and was not compared",
        hint=f"is {close} meant?" if close else "leave it out, or plan it",
        device=host,
        table=TABLE if nic else None,
        key=nic or None,
        **gathered.place(host, nic, "name"),
    )


@dataclass(frozen=True, slots=True)
class _Nic:
    """One NIC beside its plan."""

    nic: PlannedNic
    host: ReportedHost
    told: ReportedNic
    gathered: Gathered

    def findings(self, observed: Observed | None) -> Iterator[Finding]:
        """What differs from the plan, what is not reported, what the switch port has otherwise."""
        silent = []
        for name, field in FIELDS.items():
            if name not in self.nic.wanted:
                continue
            if not self._has(name):
                silent += [name] if field.is_asked else []
            elif said := differs(name, self._value(name), self.nic.wanted[name]):
                yield self._wrong(field.rule, Severity.ERROR, said, name)
        yield from self._clock(silent)
        if silent:
            yield self._wrong(
                _UNREPORTED, Severity.WARNING,
                f"not reported, so not verified: {', '.join(silent)}", "", "gather it too",
            )  # fmt: skip
        if observed is not None:
            yield from self._against(observed)

    def _has(self, name: str) -> bool:
        """Whether it is reported: null says nothing, but that there is no address."""
        is_none = name in ADDRESSES and name in self.told.model_fields_set
        return is_none or self._value(name) is not None

    def _value(self, name: str) -> Any:
        """What the NIC says itself, else what its host says of all."""
        if name == "pfc_priorities":
            own = self.told.paused
            return self.host.agreement.paused if own is None else own
        own = getattr(self.told, name)
        return getattr(self.host.agreement, name, None) if own is None else own

    def _clock(self, silent: list[str]) -> Iterator[Finding]:
        """PTP, where it is planned."""
        if not self.nic.ptp:
            return
        told = self._value("ptp")
        if told is None:
            silent.append("ptp")
            return
        for name, wanted in self.nic.ptp.items():
            if name not in told.model_fields_set:
                silent.append(f"ptp.{name}")
            elif getattr(told, name) != wanted:
                said = f"{name} of PTP is {shown(getattr(told, name))}, planned is {shown(wanted)}"
                yield self._wrong(_PTP, Severity.WARNING, said, f"ptp.{name}")

    def _against(self, observed: Observed) -> Iterator[Finding]:
        """Where the NIC is as planned and the port it is cabled to runs something else."""
        for name, mine, theirs in at_odds(self.nic, self._value, observed):
            if not differs(name, mine, self.nic.wanted.get(name, mine)):
                end = f"{self.nic.switch}:{self.nic.port}"
                yield self._wrong(
                    _PORT, Severity.ERROR,
                    f"{name} is {shown(mine, name)} as planned, its switch port {end} runs "
                    f"{shown(theirs, name)}", name,
                    "the switch has drifted: see its own findings, push",
                )  # fmt: skip

    def _wrong(
        self, rule: str, severity: Severity, message: str, name: str, hint: str = _HINT
    ) -> Finding:
        return _finding(self.gathered, rule, self.nic, message, hint, name, severity)


def _finding(
    gathered: Gathered,
    rule: str,
    nic: PlannedNic,
    message: str,
    hint: str,
    name: str = "",
    severity: Severity = Severity.ERROR,
) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        message=message,
        hint=hint,
        device=nic.host,
        table=TABLE,
        key=nic.name,
        field=name or None,
        **gathered.place(nic.host, nic.name, name.partition(".")[0]),
    )

"""What every clock of the fabric is set to alike: profile, domain, transport, intervals."""

from __future__ import annotations

from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust
from nettool.intent.intent import TimingIntent
from nettool.plan.timing.note import FILE, GIVEN
from nettool.plan.timing.profiles import PROFILES, Interval, PtpProfile
from nettool.plan.timing.timing_plan import TimingPlan


def settings(asked: TimingIntent) -> TimingPlan:
    """A plan without clocks: as given, else the profile's defaults."""
    profile = PROFILES[asked.profile]
    usual = Provenance(f"default of {profile.title}", (), profile.source, profile.trust)
    return TimingPlan(
        enabled=asked.enabled,
        profile=asked.profile,
        domain=_domain(asked, profile),
        transport=asked.transport or profile.transports[0],
        delay=profile.delay,
        two_step=asked.two_step,
        log_announce=_interval(asked, "log_announce", profile.announce, usual),
        log_sync=_interval(asked, "log_sync", profile.sync, usual),
        log_delay=_interval(asked, "log_delay", profile.delay_request, usual),
        synce=asked.enabled and asked.synce,
        linuxptp=asked.linuxptp,
        grandmasters=tuple(each.name for each in asked.grandmasters),
        clocks={},
        budgets=(),
        notes=(),
        synce_option=asked.synce_option,
        synce4l=asked.synce4l,
    )


def _domain(asked: TimingIntent, profile: PtpProfile) -> Figure:
    domain = profile.domain if asked.domain is None else asked.domain
    low, high = profile.domains
    why = Provenance(
        "as given, else the profile's default",
        (Input("domain", domain, origin=Origin(FILE, ("timing", "domain"))),),
        profile.source,
        Trust.PUBLISHED if asked.domain is None else Trust.GIVEN,
        f"{low} <= domain <= {high}",
    )
    return Figure(domain, "", why)


def _interval(asked: TimingIntent, key: str, allowed: Interval, usual: Provenance) -> Figure:
    given = getattr(asked, key)
    if given is None:
        return Figure(allowed.default, "log2 s", usual)
    row = Input(key, given, "log2 s", Origin(FILE, ("timing", key)))
    bound = f"{allowed.fastest} <= {key} <= {allowed.slowest}"
    return Figure(given, "log2 s", Provenance("as given", (row,), GIVEN, Trust.GIVEN, bound))

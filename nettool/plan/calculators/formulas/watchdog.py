"""`calc watchdog`: PFC watchdog times by the number of PORT rows."""

from __future__ import annotations

from nettool.plan.calculators.calculator import COUNT, Calculation, Flag, calculator, exact
from nettool.plan.qos.watchdog import default_times


@calculator(
    "watchdog",
    "PFC watchdog times by the number of PORT rows",
    Flag("ports", COUNT, 64, "PORT rows of the switch, SFP+ and service ports too"),
)
def watchdog(*, ports: int) -> Calculation:
    """Detection, restoration and poll interval in milliseconds."""
    times = default_times(ports)
    why = times.detection.why
    return Calculation(
        result={
            "detection_ms": exact(times.detection.value),
            "restoration_ms": exact(times.restoration.value),
            "poll_ms": exact(times.poll.value),
        },
        units={"detection_ms": "ms", "restoration_ms": "ms", "poll_ms": "ms"},
        formula=f"{why.formula}; poll at most 1000",
        source=why.source,
        trust=why.trust,
    )

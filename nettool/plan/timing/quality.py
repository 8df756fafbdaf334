"""SyncE quality levels by network option, with the codes that ESMC carries."""

from __future__ import annotations

from dataclasses import dataclass

_PLAIN = 0xFF


@dataclass(frozen=True, slots=True)
class QualityLevel:
    """A quality level: SSM code, and enhanced SSM code (0xFF where it has none of its own)."""

    name: str
    ssm: int
    enhanced: int = _PLAIN


QUALITY_LEVELS = {
    1: (
        QualityLevel("ePRTC", 0x2, 0x21),
        QualityLevel("PRTC", 0x2, 0x20),
        QualityLevel("PRC", 0x2),
        QualityLevel("SSU-A", 0x4),
        QualityLevel("SSU-B", 0x8),
        QualityLevel("EEC1", 0xB),
        QualityLevel("DNU", 0xF),
    ),
    2: (
        QualityLevel("ePRTC", 0x1, 0x21),
        QualityLevel("PRTC", 0x1, 0x20),
        QualityLevel("PRS", 0x1),
        QualityLevel("STU", 0x0),
        QualityLevel("ST2", 0x7),
        QualityLevel("TNC", 0x4),
        QualityLevel("ST3E", 0xD),
        QualityLevel("ST3", 0xA),
        QualityLevel("SMC", 0xC),
        QualityLevel("PROV", 0xE),
        QualityLevel("DUS", 0xF),
    ),
}
"""Best first (ITU-T G.8264 tables 11-7 and 11-8 as synce4l's README has them; from TNC on, but
PROV and ST3E, recalled)."""

UNUSABLE = 0xF
"""DNU and DUS: do not use."""
_OF_CLASS = {"ePRTC": "ePRTC"}


def level(name: str, option: int) -> QualityLevel | None:
    """The quality level of that name in a network option, or None."""
    return next((each for each in QUALITY_LEVELS[option] if each.name == name), None)


def level_of_class(clock_class: str) -> str:
    """The quality level of a primary reference: PRTC, or ePRTC."""
    return _OF_CLASS.get(clock_class, "PRTC")

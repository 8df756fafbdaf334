"""The page of the note on waivers that cover nothing."""

from nettool.config.validate.rule import reading_rules
from nettool.core.finding import Severity

reading_rules(
    {
        "WAV001": (
            "a waiver matches no finding",
            Severity.INFO,
            "A waiver that outlives its finding would hide the next one of its kind.",
            "Remove the waiver.",
        ),
    },
    "as ESLint's reportUnusedDisableDirectives for suppressions that suppress nothing",
)

"""Reports for other programs: SARIF 2.1.0 for code scanning, JUnit XML for CI."""

from __future__ import annotations

from nettool.config.validate.reports.junit import junit
from nettool.config.validate.reports.sarif import sarif
from nettool.core.finding import Report

_FORMS = {"sarif": sarif, "junit": junit}


def render_report(report: Report, form: str) -> str:
    """The report in one of the forms `sarif` or `junit`. Raises KeyError for another."""
    return _FORMS[form](report)

"""Where the class of a switch's clock comes from: given, the catalog, or assumed."""

from __future__ import annotations

from typing import Any

import pytest

from nettool.catalog.catalog import Catalog, load_catalog
from nettool.catalog.fact import Fact
from nettool.catalog.switch import SwitchModel
from nettool.core.provenance import Trust
from nettool.intent.intent import TimingIntent
from nettool.plan.timing.facts import clock_facts

KNOWN = Fact(value="B", source="a vendor's data sheet", trust=Trust.REFERENCE_BOARD)


class WithClass(Catalog):
    """The shipped catalog, in which every switch has a published clock class."""

    def __init__(self) -> None:
        self._shipped = load_catalog()

    def switch(self, name: str) -> SwitchModel:
        return self._shipped.switch(name).model_copy(update={"ptp_class": KNOWN})

    def nic(self, name: str) -> Any:
        return self._shipped.nic(name)


@pytest.mark.parametrize(
    ("catalog", "timing", "clock_class", "trust"),
    [
        (load_catalog(), {}, "C", Trust.ASSUMED),
        (WithClass(), {}, "B", Trust.REFERENCE_BOARD),
        (WithClass(), {"clock_class": "A"}, "A", Trust.GIVEN),
        (WithClass(), {"clock_class": "A", "clock_classes": {"CX864E-N": "D"}}, "D", Trust.GIVEN),
        (WithClass(), {"clock_classes": {"CX532P-N": "D"}}, "B", Trust.REFERENCE_BOARD),
    ],
)
def test_a_class_is_given_or_the_catalogs_or_assumed(
    shipped_fabric: Any, catalog: Catalog, timing: dict[str, Any], clock_class: str, trust: Trust
) -> None:
    fabric = shipped_fabric("rail-optimized-256").fabric
    asked = TimingIntent.model_validate({"grandmasters": [{"name": "gm1"}], **timing})
    facts = clock_facts(asked, fabric, catalog, ())
    (model,) = facts.models.values()
    assert (model.clock_class, model.why.trust, facts.trust) == (clock_class, trust, trust)

"""What hosts mark against what the switches' map makes of it: RoCE must meet a lossless class."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.catalog.catalog import Catalog
from nettool.catalog.fact import Fact
from nettool.core.finding import Finding
from nettool.intent.intent import FabricIntent
from nettool.plan.qos.classes import ClassPlan
from nettool.plan.qos.note import warning
from nettool.plan.qos.ports import LOSSY_NETWORKS


def check_marking(intent: FabricIntent, classes: ClassPlan, catalog: Catalog) -> Iterator[Finding]:
    """A warning for each NIC model whose own default marking would ride the wrong class.

    A warning and not an error, because a host can be told to mark otherwise.
    """
    lossless = [each for each in classes.classes if each.lossless]
    wanted = ", ".join(str(dscp) for each in lossless for dscp in each.dscp)
    for name, network in intent.networks.items():
        if name in LOSSY_NETWORKS or not lossless:
            continue
        nic, path = catalog.nic(network.nic.model), ("networks", name, "nic", "model")
        if _class(nic.roce_dscp, classes) not in classes.lossless:
            yield _wrong("RoCE", nic.name, nic.roce_dscp, classes, wanted, path)
        if _class(nic.cnp_dscp, classes) != intent.qos.cnp_tc:
            cnp = str(intent.qos.cnp_dscp)
            yield _wrong("CNP", nic.name, nic.cnp_dscp, classes, cnp, path)


def _class(marked: Fact, classes: ClassPlan) -> int:
    return classes.dscp_to_tc[int(marked.figure)]


def _wrong(
    what: str, nic: str, marked: Fact, classes: ClassPlan, wanted: str, path: tuple[str, ...]
) -> Finding:
    dscp = int(marked.figure)
    tc = classes.dscp_to_tc[dscp]
    kind = "lossless" if tc in classes.lossless else "lossy"
    return warning(
        "QOS002",
        f"{nic} marks {what} with DSCP {dscp} unless told otherwise, which the switches map to "
        f"TC {tc} ({kind}); expected {wanted}",
        f"set the NICs to DSCP {wanted} (hosts/NAME of a build holds the commands), or name "
        f"DSCP {dscp} in the class under qos",
        *path,
    )

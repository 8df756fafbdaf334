"""Every vector of headroom, thresholds, buffers, ECN and watchdog."""

from __future__ import annotations

from nettool.catalog.catalog import load_catalog
from nettool.plan.calculators.chips import asked, budget_of, chip_named, headroom_of, query_of
from nettool.plan.qos.preset import PRESETS, EcnQuery
from nettool.plan.qos.threshold import certain_limit, free, threshold
from nettool.plan.qos.watchdog import default_times

FAMILIES = ("pfc.", "dt.", "buffer.", "ecn.", "pfcwd.")
VARIANT = {"simple": "simple", "ieee_quanta": "quanta", "bcm_fit": "bcm"}
CHIP = {"bcm": ("th5", "th5_dell"), "spc4": ("spectrum4", "spectrum4")}


def xoff(variant, asic, speed_gbps, cable, **numbers):
    query = query_of(
        load_catalog().asic(asic), None, speed=int(speed_gbps * 1000), cable=cable, **numbers
    )
    return float(headroom_of(chip_named(asic), variant, query).xoff)


def sonic(inputs):
    return xoff(
        "sonic", "spectrum4", inputs["speed_gbps"], inputs["cable_m"], mtu=inputs["port_mtu"],
        lossless_mtu=inputs["lossless_mtu"], small_packets=inputs["small_pkt_pct"],
    )  # fmt: skip


def written(family, inputs):
    """The headroom table of the fact sheet, one variant a column."""
    length = inputs.get("m", inputs.get("cable_m"))
    if family == "lua_spc4_100pct":
        return xoff("sonic", "spectrum4", inputs["speed_gbps"], length)
    return xoff(VARIANT[family], "th5", inputs["speed_gbps"], length)


def dell(inputs):
    rows = load_catalog().headroom_table("th5_dell")
    return rows.row(inputs["speed_gbps"] * 1000, inputs["cable_m"]).xoff


def gist(inputs):
    """Without frames, and with the slower twinax of the write-up."""
    both_ways = 2 * inputs["ns_per_m_each_way"] * inputs["speed"] / 8 * inputs["m"]
    return xoff("simple", "th5", inputs["speed"], 0, mtu=0) + both_ways


def dcqcn(name, inputs):
    queues = 32 * 8
    left = 12e6 - queues * 22_400
    return {
        "tpfc": left / queues,
        "tecn_static": left / queues / 32,
        "tecn_dynamic": certain_limit(inputs.get("beta", 8), left, queues),
        "tflight_check": xoff("simple", "th5", 40, 300, mtu=1500),
    }[name]


def slope(inputs):
    longer, shorter = (xoff("bcm", "th5", 800, each) for each in (300, 40))
    return (longer - shorter) / 260


def total(name, inputs):
    asic, table = CHIP[name]
    text = f"{inputs['ports']}x800G"
    _, load = budget_of(chip_named(asic, table), text, inputs["m"], inputs["pg"])
    return load.bytes


def test_vector(vector, agrees):
    agrees(vector, computed(vector["name"].split("."), vector["inputs"]))


def watchdog(parts, inputs):
    return getattr(default_times(inputs["ports"]), parts[2]).value


def hpcc(parts, inputs):
    query = EcnQuery(inputs["speed"] * 1000, asked("rtt", 8), asked("k", 1))
    return getattr(PRESETS["hpcc"](query), parts[2]).value


def shares(parts, inputs):
    formula = {"T": threshold, "free": free}[parts[1]]
    return formula(inputs["alpha"], inputs["B"], inputs["n"])


FORMULAS = {
    "pfc.sonic": lambda _, inputs: sonic(inputs),
    "pfc.dell_z9864f_th5": lambda _, inputs: dell(inputs),
    "pfc.table": lambda parts, inputs: written(parts[2], inputs),
    "pfc.bcm": lambda _, inputs: slope(inputs),
    "pfc.simple": lambda _, inputs: gist(inputs),
    "pfc.dcqcn": lambda parts, inputs: dcqcn(parts[2], inputs),
    "dt.T": shares,
    "dt.free": shares,
    "buffer.headroom_total": lambda parts, inputs: total(parts[2], inputs),
    "ecn.hpcc_scaling": hpcc,
    "pfcwd.sonic": watchdog,
}


def computed(parts, inputs):
    return FORMULAS[".".join(parts[:2])](parts, inputs)

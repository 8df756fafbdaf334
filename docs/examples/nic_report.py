#!/usr/bin/env python3
"""What a GPU host's NICs are set to, as `nettool verify --hosts` reads it. Reads only.

    nic_report.py node01 nic1=ens1f0np0 nic2=ens2f0np0 --roce-dscp=26

Each NIC of the plan is followed by the name of its network interface on this host. What a host
does not tell is left out, and nettool says that it was not verified. The DSCP that applications
send is no setting of a NIC: it is passed on as given. Standard library alone.

Where each value is documented:
  mtu, speed          Linux, Documentation/ABI/testing/sysfs-class-net
  address, gateway    ip-address(8) and ip-route(8) with -json
  fec                 ethtool(8), --show-fec
  trust, dscp_priority, pfc_priorities
                      mlnx_qos -i, as NVIDIA's documentation of MLNX_OFED shows it
  ecn_priorities, cnp_dscp
                      NVIDIA MLNX_OFED, Explicit Congestion Notification: sysfs below ecn/
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

SYS = Path(os.environ.get("NIC_REPORT_SYS", "/sys/class/net"))
FEC = {"RS": "rs", "BaseR": "fc", "None": "none", "Off": "none"}


def nic(name, interface):
    """Everything that is known of one NIC."""
    folder = SYS / interface
    found = {
        "name": name,
        "mtu": number(folder / "mtu"),
        "speed": number(folder / "speed"),
        "cnp_dscp": one(number(folder / "ecn/roce_np/cnp_dscp")),
        "ecn_priorities": marked(folder / "ecn"),
        "fec": fec(said("ethtool", "--show-fec", interface)),
        "gateway": gateway(listed("route", "show", "table", "all", "dev", interface)),
        **addresses(listed("address", "show", "dev", interface)),
        **qos(said("mlnx_qos", "-i", interface)),
    }
    return {key: value for key, value in found.items() if value is not None}


def marked(folder):
    """The priorities that answer ECN: both the notification and the reaction point are on."""
    if not (folder / "roce_np/enable").is_dir():
        return None
    ends = ("roce_np", "roce_rp")
    return [n for n in range(8) if all(number(folder / e / "enable" / str(n)) == 1 for e in ends)]


def fec(text):
    """The active FEC; other kinds than these are not told."""
    seen = re.search(r"^Active FEC encodings?: (\S+)$", text, re.MULTILINE)
    return FEC.get(seen[1]) if seen else None


def gateway(routes):
    """The gateway of the interface's routes, in whatever table; none where they differ."""
    found = {each["gateway"] for each in routes if "gateway" in each and "." in each["gateway"]}
    return found.pop() if len(found) == 1 else None


def addresses(links):
    """The first global IPv4 and IPv6 address, with prefix length."""
    found = {}
    for each in (own for link in links for own in link.get("addr_info", ())):
        key = {"inet": "address", "inet6": "address6"}.get(each.get("family"))
        if key and each.get("scope") == "global":
            found.setdefault(key, f"{each['local']}/{each['prefixlen']}")
    return found


def qos(text):
    """Trust mode, DSCP map and PFC of `mlnx_qos -i`; without the tool, nothing."""
    found = {}
    if trust := re.search(r"^Priority trust state: (\w+)", text, re.MULTILINE):
        found["trust"] = trust[1]
    if rows := re.findall(r"^\s*prio:(\d) dscp:([\d,]+)", text, re.MULTILINE):
        pairs = [(each, int(prio)) for prio, every in rows for each in every.split(",") if each]
        found["dscp_priority"] = dict(sorted((int(dscp), prio) for dscp, prio in pairs))
    if pfc := re.search(r"PFC configuration:\s+priority([\s\d]+?)enabled([ \t\d]+)", text):
        pairs = zip(pfc[1].split(), pfc[2].split())  # noqa: B905 - hosts may have Python 3.8
        found["pfc_priorities"] = [int(n) for n, is_on in pairs if is_on == "1"]
    return found


def said(*words):
    """What a tool prints; nothing where it is not installed or fails."""
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            words, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def listed(*words):
    """What `ip -json` lists; nothing where it fails."""
    try:
        return json.loads(said("ip", "-json", *words))
    except ValueError:
        return []


def number(path):
    """A number in a file of sysfs; none where there is none, or the link is down (speed -1)."""
    try:
        found = int(path.read_text())
    except (OSError, ValueError):
        return None
    return found if found >= 0 else None


def one(value):
    """A value as a list."""
    return None if value is None else [value]


def report(host, *words):
    """The whole host."""
    given = [word.partition("=")[2] for word in words if word.startswith("--roce-dscp=")]
    nics = [nic(*word.split("=", 1)) for word in words if not word.startswith("--")]
    roce = [int(each) for each in ",".join(given).split(",") if each]
    return {"name": host, "agreement": {"roce_dscp": roce} if roce else {}, "nics": nics}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(report(*sys.argv[1:]), indent=1) + "\n")

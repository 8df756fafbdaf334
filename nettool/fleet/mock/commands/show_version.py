"""`show version`, `show platform summary`, `show clock`, `show uptime`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nettool.fleet.mock.command import COMMANDS, Call, ok

if TYPE_CHECKING:
    from nettool.fleet.transport.transport import Reply


@COMMANDS.add("show version")
async def version(call: Call) -> Reply:
    """What sonic-utilities show/main.py prints, up to the container images."""
    spec = call.switch.spec
    return ok(
        f"""
SONiC Software Version: SONiC.{spec.version}
SONiC OS Version: 12
Distribution: Debian 12.10
Kernel: 6.1.0-29-2-amd64
Build commit: 0000000000
Build date: Thu Jan  1 00:00:00 UTC 1970
Built by: mock@mock

Platform: {spec.platform}
HwSKU: {spec.hwsku}
ASIC: {spec.asic_type}
ASIC Count: 1
Serial Number: MOCK{spec.name.upper()}
Model Number: N/A
Hardware Revision: N/A
Uptime: 00:00:00 up 1 day,  1 user,  load average: 0.10, 0.10, 0.10

Docker images:
REPOSITORY    TAG       IMAGE ID       SIZE
"""
    )


@COMMANDS.add("show platform summary")
async def platform_summary(call: Call) -> Reply:
    """Platform, HwSKU and ASIC."""
    spec = call.switch.spec
    return ok(
        f"Platform: {spec.platform}\nHwSKU: {spec.hwsku}\nASIC: {spec.asic_type}\n"
        f"ASIC Count: 1\nSerial Number: MOCK{spec.name.upper()}\nModel Number: N/A\n"
        "Hardware Revision: N/A"
    )

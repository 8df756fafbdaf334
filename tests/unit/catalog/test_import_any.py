"""Whatever stands in the files, an import ends in findings and never in a traceback."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nettool.catalog.imports import import_platform
from nettool.core.errors import FindingsError

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=6)
NUMBERS = st.lists(st.integers(0, 12), max_size=9).map(lambda each: ",".join(map(str, each)))
NAMES = st.sampled_from(["Ethernet0", "Ethernet2", "Ethernet8", "Ethernet9", "Port1", ""])
MODES = st.sampled_from(
    ["1x800G", "2x400G[200G, 100G]", "1x100G(4)", "4x25G(4)[10G]", "8x50G", "0x1G", "x", "1x400G[]"]
)
ALIASES = st.lists(st.sampled_from(["a", "etp1", "etp1a", "x/1"]), max_size=8) | SCALARS
PORTS = st.fixed_dictionaries(
    {},
    optional={
        "lanes": NUMBERS | SCALARS,
        "index": NUMBERS | SCALARS,
        "breakout_modes": st.dictionaries(MODES, ALIASES, max_size=4) | SCALARS,
        "default_brkout_mode": MODES | SCALARS,
        "fec": st.sampled_from(["rs", "none"]) | SCALARS,
    },
)
FILES = st.fixed_dictionaries(
    {}, optional={"interfaces": st.dictionaries(NAMES, PORTS | SCALARS, max_size=5) | SCALARS}
)
WORDS = st.sampled_from(
    ["#", "name", "lanes", "speed", "index", "alias", "Ethernet0", "Ethernet4", "1,2", "3,4", "1",
     "2", "400000", "9999999", "-1", "5m", "x", "\n", "\n", "\n"]
)  # fmt: skip
TABLES = st.lists(WORDS, max_size=40).map(" ".join).map(lambda text: text.replace("\n ", "\n"))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(platform=FILES | SCALARS, sku=FILES, ports=TABLES, headroom=TABLES)
def test_any_files(tmp_path, platform, sku, ports, headroom):
    folder = tmp_path / "sku"
    folder.mkdir(exist_ok=True)
    (tmp_path / "platform.json").write_text(json.dumps(platform))
    (folder / "hwsku.json").write_text(json.dumps(sku))
    (folder / "port_config.ini").write_text(ports)
    (folder / "pg_profile_lookup.ini").write_text(headroom)
    imported = import_platform(tmp_path)
    assert imported.model or imported.report.has_errors
    if not imported.report.has_errors:
        for each in imported.model.skus:
            assert imported.model.layout(each.name).by_name


@pytest.mark.parametrize("text", ["9" * 5000, '{"interfaces": ' + "9" * 5000 + "}"])
def test_numbers_beyond_reason(tmp_path, text):
    (tmp_path / "platform.json").write_text(text)
    assert import_platform(tmp_path).report.has_errors


def test_text_that_is_not_utf_8(tmp_path):
    (tmp_path / "port_config.ini").write_bytes(b"# name lanes\n\xff\xfe\n")
    with pytest.raises(FindingsError) as caught:
        import_platform(tmp_path)
    [finding] = caught.value.report.findings
    assert (finding.rule, finding.line, finding.column) == ("SRC003", 2, 1)

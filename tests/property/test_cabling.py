"""Export then import is identity, on every shipped fabric and for any order of rows and columns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nettool.plan.cabling.compare import differences
from nettool.plan.cabling.grid import grid, read_grids
from nettool.plan.cabling.reading import read_rows
from nettool.plan.cabling.sheet import HEAD, cable_rows, cells, csv_text
from nettool.plan.cabling.workbook import workbook

FABRICS = ("rail-only-128", "rail-optimized-256", "dual-plane-512", "three-networks", "clos3-1024")


@pytest.mark.parametrize("name", FABRICS)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_export_then_import_is_identity(shipped_fabric, tmp_path, name, kind):
    fabric = shipped_fabric(name).fabric
    rows = list(cable_rows(fabric))
    sheet = [cells(row) for row in rows]
    path = tmp_path / f"cables.{kind}"
    path.write_bytes(
        csv_text(HEAD, sheet).encode() if kind == "csv" else workbook("cabling", HEAD, sheet)
    )
    read, findings = read_rows(read_grids(path), fabric, "cables")
    assert findings == ()
    assert [each.row for each in read] == rows
    assert list(differences(read, fabric, "cables")) == []


@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_order_of_rows_and_columns_is_free(shipped_fabric, data):
    fabric = shipped_fabric("rail-only-128").fabric
    rows = data.draw(st.permutations(list(cable_rows(fabric))))
    order = data.draw(st.permutations(range(len(HEAD))))
    lines = [[line[column] for column in order] for line in (HEAD, *map(cells, rows))]
    read, findings = read_rows([grid("S", lines)], fabric, "cables")
    assert findings == ()
    assert [each.row for each in read] == rows

"""Pictures: what is alike is folded, boxes stand apart, lines end at boxes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from nettool.intent.load import find_fabric
from nettool.pipeline import design_only
from nettool.report.picture import MOST, pictures

FABRICS = ("rail-only-128", "three-networks", "dual-plane-512", "clos3-1024")


@pytest.fixture(params=FABRICS)
def drawn(request):
    """Each picture of each fabric."""
    return pictures(design_only(find_fabric(request.param))[0])


def rows(picture):
    found = {}
    for box in picture.boxes:
        found.setdefault(box.y, []).append(box)
    return list(found.values())


def test_boxes_stand_apart_and_inside(drawn):
    for picture in drawn:
        for box in picture.boxes:
            assert 0 <= box.x <= picture.width - box.width
            assert 0 <= box.y <= picture.height - box.height
        for row in rows(picture):
            assert len(row) <= MOST
            assert all(a.x + a.width < b.x for a, b in pairwise(row))
        names = [each.name for each in picture.boxes]
        assert len(set(names)) == len(names)


def test_lines_end_at_boxes(drawn):
    for picture in drawn:
        feet = {(each.x + each.width // 2, each.y) for each in picture.boxes}
        heads = {(each.x + each.width // 2, each.y + each.height) for each in picture.boxes}
        assert picture.lines
        assert {(each.x1, each.y1) for each in picture.lines} <= feet
        assert {(each.x2, each.y2) for each in picture.lines} <= heads


def test_what_does_not_fit_in_a_row_is_folded_by_pod():
    (picture,) = pictures(design_only(find_fabric("clos3-1024"))[0])
    told = [[(each.name, each.note) for each in row] for row in rows(picture)]
    assert told[0][0] == ("core01", "CX864E-N")
    assert told[1][0] == ("spine01-04", "4 x CX864E-N, pod 1")
    assert told[2][3] == ("leaf25-32", "8 x CX864E-N, pod 4")
    assert told[3][0] == ("node001-032", "32 x 8 GPUs")


@pytest.mark.parametrize(
    ("fabric", "name", "note"),
    [
        ("rail-only-128", "leaf03", "CX732Q-N, rail 3"),
        ("dual-plane-512", "leaf09-16", "8 x CX864E-N, plane 2"),
        ("three-networks", "oob-leaf01", "CX308P-48Y-N"),
        ("three-networks", "oob-spine01", "CX532P-N"),
    ],
)
def test_a_box_says_what_its_switches_share(fabric, name, note):
    boxes = [x for picture in pictures(design_only(find_fabric(fabric))[0]) for x in picture.boxes]
    assert note in {each.note for each in boxes if each.name == name}


def test_labels_count_every_link():
    fabric = design_only(find_fabric("rail-only-128"))[0]
    (picture,) = pictures(fabric)
    counted = [int(each.label.partition(" ")[0]) for each in picture.lines]
    assert sum(counted) == len(fabric.links)


def test_lines_are_as_thick_as_they_carry(drawn):
    for picture in drawn:
        widths = [float(each.width) for each in picture.lines]
        assert max(widths) == 6
        assert min(widths) >= 1

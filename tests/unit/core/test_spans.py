"""Names as spans: what follows by one step is a span, what does not stands alone."""

import pytest

from nettool.core.spans import named, spans

LEAF = [f"Ethernet{n}" for n in (*range(0, 256, 4), *range(256, 512, 8))]
CASES = {
    "ports of two widths": (LEAF, ["Ethernet0-252", "Ethernet256-504"]),
    "a gap": ([f"E{n}" for n in (0, 4, 8, 128, 132, 136)], ["E0-8", "E128-136"]),
    "two are no span": (["E0", "E8", "leaf01"], ["E0", "E8", "leaf01"]),
    "padded names": (["leaf10", "leaf08", "leaf09", "spine01"], ["leaf08-10", "spine01"]),
    "bare numbers": ([str(n) for n in (0, 1, 2, 26, 30)], ["0-2", "26", "30"]),
    "rows of each port": (
        [f"{port}|{queue}" for port in LEAF for queue in ("0", "3", "4", "5")],
        ["Ethernet0-252|0,3-5", "Ethernet256-504|0,3-5"],
    ),
    "a range of queues is one word": ([f"E{n}|3-4" for n in range(4)], ["E0-3|3-4"]),
    "a port without queue beside one with": (
        ["E0", "E0|3", "E1", "E1|3"],
        ["E0", "E1", "E0|3", "E1|3"],
    ),
    "two numbers": (["10.0.0.1", "10.0.0.2", "10.0.0.3"], ["10.0.0.1", "10.0.0.2", "10.0.0.3"]),
    "a word and its numbers": (["AZURE", "AZURE1", "AZURE2"], ["AZURE", "AZURE1", "AZURE2"]),
    "an empty name": (["", "1", "2", "3"], ["", "1-3"]),
    "none": ([], []),
}


@pytest.mark.parametrize("case", CASES)
def test_spans(case):
    names, told = CASES[case]
    assert spans(reversed(names)) == told


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["leaf01"], "leaf01"),
        (["leaf03", "leaf01", "leaf02"], "leaf01, leaf02, leaf03"),
        (LEAF, "Ethernet0-252, Ethernet256-504 (96 ports)"),
        ([f"10.0.0.{n}" for n in range(9)], "10.0.0.0, 10.0.0.1 … 10.0.0.8 (9 ports)"),
    ],
)
def test_names_in_a_line(names, text):
    assert named(names, "ports") == text

"""The report of a fabric: whole, self-contained, escaped, the same bytes, and true."""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from nettool.cli.main import main
from nettool.intent.load import find_fabric

FABRIC = "rail-only-128"
CHAPTERS = (
    "Summary", "What the jobs ask", "Design", "Cabling and addresses", "Lossless traffic", "Time",
    "Findings", "Assumed and unverified", "Files", "Pushed",
)  # fmt: skip
VOID = {"meta"}


class Page(HTMLParser):
    """Reads a page: its text, what it refers to, and tags that are left open."""

    def __init__(self, text):
        super().__init__()
        self.open, self.refers, self.tags, self.text = [], [], set(), []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.refers += [value for name, value in attrs if name in {"src", "href", "style"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture
def ticket(made):
    return made(FABRIC)[1]


def test_the_folder_is_whole(made):
    code, out, said = made(FABRIC)
    assert code == 0
    names = {"report.html", "report.md", "files.csv", "files.json", "topology-compute.svg"}
    assert {each.name for each in out.iterdir()} == names
    assert f"wrote {out / 'report.html'} and 3 files beside it" in said.out


def test_the_page_needs_nothing_else(ticket):
    page = Page((ticket / "report.html").read_text())
    assert not page.open
    assert page.refers
    assert all(each.startswith("#") for each in page.refers)
    assert not page.tags & {"script", "link", "img", "iframe", "object"}
    assert "svg" in page.tags


def test_both_forms_have_every_chapter_and_the_same_numbers(ticket):
    html = " ".join(Page((ticket / "report.html").read_text()).text)
    markdown = (ticket / "report.md").read_text()
    for title in CHAPTERS:
        assert title in html
        assert f"## {title}" in markdown
    for told in ("117,536", "76,976", "26,204,416", "3,375.573", "0 B dropped in 2 cases"):
        assert told in html
        assert told in markdown


def test_the_same_input_gives_the_same_bytes(made):
    ours, theirs = (made(FABRIC, out=out)[1] for out in ("one", "two"))
    for path in ours.iterdir():
        assert path.read_bytes() == (theirs / path.name).read_bytes()


def test_markdown_tables_are_rectangular(ticket):
    widths = []
    for line in (ticket / "report.md").read_text().splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        if cells and widths:
            assert cells == widths[-1]
        widths = [*widths, cells] if cells else []


def test_the_pictures_are_well_formed(ticket):
    root = ElementTree.parse(ticket / "topology-compute.svg").getroot()
    told = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"leaf01", "leaf04", "node01-32", "32 x 4 GPUs", "32 x 400G"} <= told


def test_the_list_of_files_is_that_of_a_build(ticket, tmp_path):
    assert main(["render", FABRIC, "-o", str(tmp_path / "build")]) == 0
    known = json.loads((tmp_path / "build/files.json").read_text())["files"]
    rows = list(csv.DictReader((ticket / "files.csv").read_text().splitlines()))
    assert len(rows) == 40
    assert all(known[row["file"]] == row["digest"] for row in rows)


def test_strings_of_the_user_are_text_in_every_form(made, tmp_path):
    folder = tmp_path / "<b>a|b*[x](y)&amp;"
    folder.mkdir()
    text = find_fabric(FABRIC).read_text()
    own = (
        "{name: \"<img src=x onerror='1'>|*\", layers: 80, hidden: 8192, ffn: 28672, heads: 64, "
        "kv_heads: 8, vocabulary: 128256}"
    )
    (folder / "fabric.yaml").write_text(text.replace("llama-3-70b, tp", f"{own}, tp"))
    code, out, said = made(folder)
    assert code == 0, said.out
    html = (out / "report.html").read_text()
    page = Page(html)
    assert not page.tags & {"img", "b"}
    assert "<b>a|b*[x](y)&amp;" in "".join(page.text)
    markdown = (out / "report.md").read_text()
    assert "<" not in markdown.replace("&lt;", "")
    assert r"&lt;b&gt;a\|b\*\[x\](y)&amp;amp;" in markdown


def test_a_finding_of_many_switches_is_one_row(made, tmp_path):
    folder = tmp_path / "own"
    (folder / "extra").mkdir(parents=True)
    (folder / "fabric.yaml").write_text(find_fabric(FABRIC).read_text())
    (folder / "extra/own.json.j2").write_text('{"ACME": {"a": {"b": "1"}}}')
    _, out, _ = made(folder)
    markdown = (out / "report.md").read_text()
    (row,) = (each for each in markdown.splitlines() if "| TYP004 |" in each)
    assert "table ACME (and 3 more alike: leaf02, leaf03, leaf04) |" in row
    assert "What several places have alike is one row" in markdown


def test_what_is_no_text_is_written_out(made, tmp_path):
    folder = tmp_path / "bell\x07 and \udcff"
    folder.mkdir()
    (folder / "fabric.yaml").write_text(find_fabric(FABRIC).read_text())
    out = made(folder)[1]
    for name in ("report.html", "report.md"):
        assert r"bell\x07 and ?" in (out / name).read_text().replace(r"\\x", r"\x")


def test_a_build_is_held_against_the_plan(made, tmp_path):
    build = tmp_path / "build"
    assert main(["render", FABRIC, "-o", str(build)]) == 0
    (build / "devices/leaf02/config_db.json").write_text("{}")
    (build / "hosts/node01/host.json").unlink()
    markdown = (made(FABRIC, "--build", build)[1] / "report.md").read_text()
    assert "38 of 40 files are those of this report" in markdown
    assert "other than planned: devices/leaf02/config_db.json\n" in markdown
    assert "not in the build: hosts/node01/host.json\n" in markdown


def test_what_is_no_build_is_refused(made, tmp_path):
    code, _, said = made(FABRIC, "--build", tmp_path)
    assert code == 64
    assert "is not a build of nettool (no fabric.json)" in said.err


def test_pushes_of_this_fabric_are_told(made, run_kept):
    run_kept("r1", FABRIC, at="2026-01-02T03:04:05Z")
    run_kept("r2", "another")
    run_kept("r3", FABRIC, {"devices/leaf01/config_db.json": b"{}"})
    markdown = (made(FABRIC)[1] / "report.md").read_text()
    assert "| r1 | 2026-01-02T03:04:05Z | push | 0 | 4 changed |" in markdown
    assert "r2" not in markdown
    assert "| last push | r3, exit 0 |" in markdown
    assert "last push of each switch: 0 of 1 files are those of this report" in markdown
    assert "leaf02, leaf03, leaf04: no push of it is recorded here" in markdown


def test_a_rollback_is_no_push(made, run_kept, tmp_path):
    leaf = "devices/leaf01/config_db.json"
    assert main(["render", FABRIC, "-o", str(tmp_path / "build")]) == 0
    run_kept("r1", FABRIC, {leaf: (tmp_path / "build" / leaf).read_bytes()})
    run_kept("r2", FABRIC, {"devices/leaf01/config_db.json": b"{}"})
    run_kept("r3", FABRIC, {leaf: b""}, playbook="rollback")
    order = {"playbook": "rollback", "name": FABRIC, "of": "r2"}
    (tmp_path / "runs/r3/order.json").write_text(json.dumps(order))
    markdown = (made(FABRIC)[1] / "report.md").read_text()
    assert "| last rollback | r3, exit 0 |" in markdown
    assert "last push of each switch: 1 of 1 files are those of this report" in markdown


def test_a_folder_of_runs_that_is_not_there_is_refused(made, tmp_path):
    code, _, said = made(FABRIC, "--runs", tmp_path / "none")
    assert (code, said.err) == (
        64,
        f"nettool: {tmp_path / 'none'} is no folder, so it has no runs\n",
    )


def test_a_record_that_lacks_its_parts_is_told_as_far_as_it_goes(made, run_kept, tmp_path):
    run_kept("r1", FABRIC)
    (tmp_path / "runs/r1/report.json").write_text('{"run": "r1"}')
    (tmp_path / "runs/r2").mkdir()
    (tmp_path / "runs/r2/report.json").write_text("{}")
    code, out, _ = made(FABRIC)
    assert code == 0
    assert "| last push | r1, exit unknown |" in (out / "report.md").read_text()


def test_json_names_the_files(made):
    code, out, said = made(FABRIC, "--format", "json")
    told = json.loads(said.out)
    assert (code, told["out"]) == (0, str(out))
    assert told["files"] == ["files.csv", "report.html", "report.md", "topology-compute.svg"]
    assert {each["rule"] for each in told["findings"]} >= {"QOS003"}


def test_a_folder_that_is_no_report_is_left_alone(made, tmp_path):
    (tmp_path / "ticket").mkdir()
    (tmp_path / "ticket/mine").write_text("x")
    code, out, said = made(FABRIC)
    assert code == 64
    assert "is not a report of nettool (no report.html); it is left alone" in said.err
    assert [each.name for each in out.iterdir()] == ["mine"]


def test_a_page_of_others_is_no_report_for_its_name(made, tmp_path):
    (tmp_path / "ticket").mkdir()
    (tmp_path / "ticket/report.html").write_text("mine")
    code, out, said = made(FABRIC)
    assert code == 64
    assert "(no files.json that lists report.html); it is left alone" in said.err
    assert (out / "report.html").read_text() == "mine"


def test_a_template_of_the_user_replaces_ours(made, tmp_path):
    fabric = tmp_path / "own"
    (fabric / "templates/report").mkdir(parents=True)
    (fabric / "fabric.yaml").write_text(find_fabric(FABRIC).read_text())
    template = fabric / "templates/report/report.md.j2"
    template.write_text("{% for each in chapters %}{{ each.title }};{% endfor %}")
    assert (made(fabric)[1] / "report.md").read_text().startswith("Summary;What the jobs ask;")
    template.write_text("{{ nothing }}")
    code, _, said = made(fabric)
    assert code == 1
    assert "TPL003" in said.out
    assert "'nothing' is undefined" in said.out

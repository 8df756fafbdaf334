"""A build that renders only what changed has the bytes of a full one, whatever changed."""

import shutil
from pathlib import Path

import pytest

from nettool.core.errors import FindingsError
from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric, render_build
from nettool.report.folder import LISTING, MANIFEST, digest

FABRIC = find_fabric("rail-optimized-256").read_text()
CABLES = "cables: {nic: 5m, leaf_spine: 40m}"
OWN = "cables: {nic: 5m, leaf_spine: 40m, own: [{port: 'leaf02:Ethernet264', length: 60m}]}"
EVERY = {f"leaf0{n}" for n in range(1, 5)} | {"spine01", "spine02"}
HOSTS = {f"node{n:02}" for n in range(1, 65)}


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST and path.suffix != ".edited"
    }


class Site:
    """A fabric of its own in a folder, and the build beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder / "site", folder / "build"

    def write(self, text, name="fabric.yaml"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def build(self, nos=None):
        """What is built anew, after comparing every byte with a full build."""
        plan = plan_fabric(self.folder / "fabric.yaml", nos=nos)
        built = render_build(plan, self.out, only_changed=True)
        full = self.out.with_name("full")
        render_build(plan_fabric(self.folder / "fabric.yaml", nos=nos), full)
        assert tree(self.out) == tree(full)
        return len(plan.configs) + len(plan.hosts) - built.taken_over


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of a site that was built once."""
    made = Site(tmp_path_factory.mktemp("built"))
    made.write(FABRIC)
    assert made.build() == len(EVERY | HOSTS)
    return made.folder.parent


@pytest.fixture
def site(built, tmp_path):
    for name in ("site", "build"):
        shutil.copytree(built / name, tmp_path / name)
    return Site(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("", "", set()),
        ("# or `from-demand`: what the job below needs", "", set()),
        (CABLES, OWN, {"leaf02", "spine01"}),
        ("leaf_spine: 40m", "leaf_spine: 60m", EVERY),
        ("nic: 5m", "nic: 4m", EVERY - {"spine01", "spine02"}),
        ("ntp: [192.168.100.2]", "ntp: [192.168.100.9]", EVERY),
        ("cnp_dscp: 48", "cnp_dscp: 46", EVERY | HOSTS),
        ("target_ns: 100", "target_ns: 90", set()),
        ("attach: [spine02]", "attach: [leaf01]", EVERY),
        ("asn_first: 4200000000", "asn_first: 4200000100", EVERY),
        ("vlan: 101", "vlan: 201", EVERY - {"spine01", "spine02"}),
        ('release: "202505"', 'release: "202411"', EVERY),
        ("tp: 4, pp: 8, dp: 8", "tp: 2, pp: 8, dp: 16", set()),
    ],
)
def test_only_what_changed_is_rendered(site, old, new, again):
    site.write(FABRIC.replace(old, new))
    assert site.build() == len(again)


def test_a_node_less(site):
    idle = FABRIC.replace(FABRIC[FABRIC.index("jobs:") :], "")
    site.write(idle)
    site.build()
    site.write(idle.replace("nodes: 64", "nodes: 63"))
    assert site.build() == len(EVERY - {"spine01", "spine02"})
    assert not (site.out / "hosts/node64").exists()


def test_another_dialect_renders_every_switch_and_no_host(site):
    assert site.build(nos="asternos") == len(EVERY)
    assert site.build(nos="asternos") == 0


def test_a_file_that_someone_edited_is_made_again(site):
    (site.out / "devices/leaf03/config_db.json").write_text("{}")
    (site.out / "hosts/node07/host.json").unlink()
    assert site.build() == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("templates/sonic/lldp.json.j2", '{"LLDP": {"GLOBAL": {"enabled": "true"}}}'),
        ("extra/own.json.j2", '{"CRM": {"Config": {"snmp_trap": "off"}}}'),
    ],
)
def test_new_templates_render_everything(site, name, text):
    site.write(text, name)
    assert site.build() == len(EVERY | HOSTS)
    assert site.build() == 0


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "\0", '{"schema_version": 9}', '{"schema_version": 1}',
        '{"schema_version": 1, "tool": "x", "devices": {"leaf01": {"state": "", "files": []}}}',
    ],
)  # fmt: skip
def test_a_manifest_that_cannot_be_read_renders_everything(site, text):
    (site.out / MANIFEST).write_text(text)
    assert site.build() == len(EVERY | HOSTS)


def test_no_file_outside_the_build_is_taken_over(site):
    (site.folder / "secret").write_text("x")
    linked = site.out / "devices/leaf02/device.json"
    linked.unlink()
    linked.symlink_to(site.folder / "secret")
    own, foreign = "devices/leaf01/device.json", "devices/../../site/secret"
    known = digest((site.out / own).read_bytes())
    for name in (MANIFEST, LISTING):
        text = (site.out / name).read_text().replace(own, foreign)
        (site.out / name).write_text(text.replace(known, digest(b"x")))
    assert site.build() == 2


def test_a_full_build_keeps_no_manifest(site):
    render_build(plan_fabric(site.folder / "fabric.yaml"), site.out)
    assert not (site.out / MANIFEST).exists()
    assert site.build() == len(EVERY | HOSTS)


def test_an_error_leaves_the_old_build(site):
    before = tree(site.out)
    site.write('{"PORT": {"Ethernet0": {"mtu": "70000"}}}', "extra/bad.json.j2")
    with pytest.raises(FindingsError):
        render_build(plan_fabric(site.folder / "fabric.yaml"), site.out, only_changed=True)
    assert tree(site.out) == before

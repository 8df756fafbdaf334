"""The stages in order: the one file that tells the whole story.

    fabric.yaml -> intent -> demand -> design -> matrix -> qos and timing
                -> device configurations -> rendered artifacts -> findings -> build folder

Each arrow is one function. Findings of all stages are collected; a stage does not run on a
stage that has errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from nettool.catalog.catalog import Catalog, catalog_beside
from nettool.config.device.device import DeviceConfig, HostConfig, build, build_hosts
from nettool.config.device.fingerprint import fingerprints
from nettool.config.nos.artifact import Artifact, Explained, Tables
from nettool.config.nos.dialect import DIALECTS
from nettool.config.nos.paths import near
from nettool.config.nos.releases import check_release, sonic_branch
from nettool.config.render.render import device_states, render
from nettool.config.validate.declared import Links
from nettool.config.validate.engine import validate_tables
from nettool.config.validate.planned import (
    planned_links,
    planned_platforms,
    planned_traffic,
    without_lossless,
)
from nettool.core.collector import uncollected
from nettool.core.errors import FindingsError, UsageError
from nettool.core.finding import Report
from nettool.core.source import SourceMap, load_yaml
from nettool.fleet.deploy.inventory import inventory
from nettool.fleet.telemetry.recorded import Recorded
from nettool.fleet.telemetry.tune import Tuning, tune
from nettool.fleet.telemetry.tuning_search import Ground
from nettool.intent.intent import FabricIntent
from nettool.intent.load import load_intent, located
from nettool.plan.cabling.files import cabling_files
from nettool.plan.demand.demand import Demand
from nettool.plan.demand.estimate import estimate
from nettool.plan.design.design import design
from nettool.plan.design.fabric import Fabric
from nettool.plan.design.hashing import check_seeds
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.placement.place import place
from nettool.plan.qos.overrides import Overrides, parse_overrides
from nettool.plan.qos.plan import plan_qos
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.qos.whatif import WhatIf, what_if
from nettool.plan.simulate.scenario import Asked
from nettool.plan.simulate.simulate import Simulation, simulate
from nettool.plan.timing.plan import plan_timing
from nettool.plan.timing.timing_plan import TimingPlan
from nettool.report.building import Building
from nettool.report.documents import fabric_document, inventory_document, plan_document
from nettool.report.folder import write_folder
from nettool.report.kept import Rebuild, manifest_of
from nettool.report.lock_file import read_lock, unkept

FROM_DEMAND = "from-demand"
_PAYS = 4096
"""Links from which a second process saves more time than it takes."""


@dataclass(frozen=True)
class Plan:
    """Everything planned for one fabric, with the findings of every stage."""

    path: Path
    intent: FabricIntent
    places: SourceMap
    catalog: Catalog
    demand: Demand
    fabric: Fabric
    matrix: TrafficMatrix
    qos: QosPlan
    timing: TimingPlan
    report: Report

    @cached_property
    def configs(self) -> tuple[DeviceConfig, ...]:
        """The NOS-neutral intended state of every switch."""
        return build(self.intent, self.fabric, self.qos, self.timing)

    @cached_property
    def hosts(self) -> tuple[HostConfig, ...]:
        """What every GPU node must agree on."""
        return build_hosts(self.intent, self.fabric, self.qos, self.timing)

    @cached_property
    def failures(self) -> tuple[WhatIf, Report]:
        """Every single failure planned again: incast, load, buffer and ECN; the worst of them."""
        own = _overrides(self.path, self.intent)
        return what_if(self.intent, self.fabric, self.matrix, self.catalog, own)

    @cached_property
    def pair_failures(self) -> tuple[WhatIf, Report]:
        """Every pair of failures planned again, equal pairs once."""
        own = _overrides(self.path, self.intent)
        return what_if(self.intent, self.fabric, self.matrix, self.catalog, own, pairs=True)


@uncollected()
def plan_fabric(path: Path, *, nos: str | None = None) -> Plan:
    """Run every stage up to the plans. Raises FindingsError with all findings of a failed stage.

    `nos` takes the place of the intent's dialect (and leaves its release to the default).
    """
    intent, places = load_intent(path)
    if nos and nos != intent.nos.name:
        intent = intent.model_copy(
            update={"nos": intent.nos.model_copy(update={"name": nos, "release": None})}
        )
    try:
        return _plan(path, intent, places)
    except FindingsError as exc:
        raise FindingsError(located(exc.report, places)) from exc


def _plan(path: Path, intent: FabricIntent, places: SourceMap) -> Plan:
    _stop_on_errors(Report.of(check_release(intent.nos)))
    catalog = catalog_beside(path)
    demand, said = estimate(intent, catalog)
    _stop_on_errors(said)
    fabric, matrix, more = _design(path, intent, demand, catalog)
    said += more + Report.of(check_seeds(fabric))
    qos, more = plan_qos(intent, fabric, matrix, catalog, _overrides(path, intent))
    said += more
    timing, more = plan_timing(intent, fabric, catalog)
    said += more
    _stop_on_errors(said)
    report = located(said, places)
    return Plan(path, intent, places, catalog, demand, fabric, matrix, qos, timing, report)


@uncollected()
def design_only(path: Path) -> tuple[Fabric, FabricIntent]:
    """The design alone, for who needs names and addresses: an inventory. Raises FindingsError."""
    intent, places = load_intent(path)
    catalog = catalog_beside(path)
    try:
        demand, said = estimate(intent, catalog)
        _stop_on_errors(said)
        if any(each.oversubscription == FROM_DEMAND for each in intent.networks.values()):
            return _design(path, intent, demand, catalog)[0], intent
        return design(intent, demand, catalog, lock=read_lock(path))[0], intent
    except FindingsError as exc:
        raise FindingsError(located(exc.report, places)) from exc


def _design(
    path: Path, intent: FabricIntent, demand: Demand, catalog: Catalog
) -> tuple[Fabric, TrafficMatrix, Report]:
    """Design and placement; twice where a network takes its uplinks from the demand."""
    lock = read_lock(path)
    fabric, said = design(intent, demand, catalog, lock=lock)
    matrix, more = place(demand, fabric)
    if any(each.oversubscription == FROM_DEMAND for each in intent.networks.values()):
        needed = {name: float(each) for name, each in matrix.needed_oversubscription.items()}
        fabric, said = design(intent, demand, catalog, lock=lock, needed=needed)
        matrix, more = place(demand, fabric)
    _stop_on_errors(more)
    return fabric, matrix, said + more


def _overrides(path: Path, intent: FabricIntent) -> Overrides | None:
    name = intent.qos.overrides
    return parse_overrides(load_yaml(path.parent / name)) if name else None


def _stop_on_errors(report: Report) -> None:
    if report.has_errors:
        raise FindingsError(report)


def artifacts(
    plan: Plan, only: Iterable[str] | None = None, *, states: bool = True
) -> Iterator[Artifact]:
    """Every rendered file of every switch and host; `only` names the devices to render.

    `states` says whether each switch's device.json is among them.
    """
    wanted = None if only is None else set(only)
    everything: tuple[DeviceConfig | HostConfig, ...] = (*plan.configs, *plan.hosts)
    chosen = (each for each in everything if wanted is None or each.name in wanted)
    own, extra = _own_folders(plan)
    return render(
        chosen,
        templates=(own,) if own.is_dir() else (),
        extra=extra if extra.is_dir() else None,
        states=states,
    )


def _own_folders(plan: Plan) -> tuple[Path, Path]:
    """The user's templates in place of ours, and those that add rows; they may not exist."""
    return plan.path.parent / "templates", plan.path.parent / "extra"


@dataclass(frozen=True, slots=True)
class Built:
    """What a build wrote: how many files, what nobody has proved on hardware, all findings."""

    out: Path
    files: int
    devices: int
    unverified: int
    report: Report
    taken_over: int = 0
    """Switches and hosts whose files are those of the build before."""


@uncollected()
def validate(plan: Plan, made: Iterable[Artifact] | None = None) -> Report:
    """Every rule on every stage: the plan's findings and those on `made`, else what it renders."""
    found = artifacts(plan, states=False) if made is None else made
    tables = {each.device: each.tables for each in found if each.tables is not None}
    return _ruled(plan, tables)


@uncollected()
def render_build(
    plan: Plan, out: Path, *, only_changed: bool = False, apart: bool | None = None
) -> Built:
    """Render, validate and write the build folder; nothing is written where a rule finds an error.

    `only_changed` keeps a manifest in the folder, and takes over the files of devices whose
    intended state is that of the folder's manifest: the same bytes, without rendering them. Rules
    then run on the others and on the switches that these are cabled to. What stands in the folder
    and is not ours is kept, and said. `apart` has a second process make what needs no rendering,
    where there are two processors; as it is, that is done where it pays.
    Raises FindingsError with all findings then, and UsageError where `out` cannot be written.
    """
    again = _rebuild(plan, out.resolve()) if only_changed else None
    made = Building(plan.fabric, partial(artifacts, plan), partial(_proved, plan), again)
    documents = _documents(plan, states=again is None)
    pays = len(plan.fabric.links) >= _PAYS if apart is None else apart
    written = write_folder(out, made.files(), documents, apart=pays)
    report = made.report + Report.of(written.findings(out)) + unkept(plan.path, plan.fabric)
    return Built(out, written.count, len(plan.configs), made.unverified, report, made.kept)


def _rebuild(plan: Plan, out: Path) -> Rebuild:
    states = fingerprints((*plan.configs, *plan.hosts))
    return Rebuild(out, manifest_of(states, *_own_folders(plan)))


def _documents(plan: Plan, *, states: bool) -> Iterator[tuple[str, bytes]]:
    """Path and content of every file that needs the plan alone; `states`: each switch's too."""
    yield "fabric.json", fabric_document(plan.fabric)
    yield (
        "plan.json",
        plan_document(demand=plan.demand, matrix=plan.matrix, qos=plan.qos, timing=plan.timing),
    )
    hosts = inventory(plan.fabric, plan.intent, plan.catalog, nos=plan.intent.nos.name)
    yield "inventory.yaml", inventory_document(hosts)
    yield from cabling_files(plan.fabric)
    for each in device_states(plan.configs) if states else ():
        yield f"devices/{each.device}/{each.path}", each.text.encode()


def simulated(plan: Plan, asked: Asked) -> tuple[Simulation, Report]:
    """Incast on the planned buffers and thresholds, with findings at their lines."""
    result, report = simulate(plan.intent, plan.fabric, plan.matrix, plan.qos, asked)
    return result, located(report, plan.places)


def tuned(plan: Plan, trace: Recorded) -> tuple[Tuning, Report]:
    """Thresholds suggested from a recorded trace, within what the lossless proof takes."""
    own = _overrides(plan.path, plan.intent) or Overrides()
    parts = (plan.intent, plan.fabric, plan.matrix, plan.catalog, plan.qos, own)
    return tune(Ground(*parts), trace)


def _ruled(plan: Plan, tables: dict[str, Tables], links: Links | None = None) -> Report:
    found = validate_tables(
        tables,
        links or planned_links(plan.fabric),
        platforms=planned_platforms(plan.fabric, plan.catalog),
        traffic=planned_traffic(plan.intent),
        without_lossless=without_lossless(plan.configs),
        branch=sonic_branch(plan.intent.nos),
    )
    return plan.report + found


def _proved(plan: Plan, tables: dict[str, Tables], links: Links) -> Report:
    report = _ruled(plan, tables, links)
    _stop_on_errors(report)
    return report


def explain(plan: Plan, device: str, where: str) -> Explained:
    """Where one value of one device comes from. Raises UsageError where there is none."""
    everything: tuple[DeviceConfig | HostConfig, ...] = (*plan.configs, *plan.hosts)
    config = next((each for each in everything if each.name == device), None)
    if config is None:
        names = ", ".join(each.name for each in everything[:8])
        raise UsageError(f"no device {device!r} in {plan.intent.name}; there are {names}, …")
    for name in DIALECTS:
        dialect = DIALECTS[name]
        found = dialect.explain(config, where) if dialect.serves(config) else None
        if found is not None:
            return found
    made = [each for each in artifacts(plan, only=[device]) if each.tables]
    hints = "; ".join(near(each.tables, where) for each in made if each.tables)
    hint = f"give 'TABLE|key|field'; {hints}" if hints else "give a line number of its file"
    raise UsageError(f"{device} has no value at {where!r}: {hint}")

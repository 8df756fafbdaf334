"""fabric.yaml: what is refused, where, with which words, and all of it at once."""

from pathlib import Path

import jsonschema
import pytest
import yaml

from nettool.core.errors import FindingsError, UsageError
from nettool.intent.load import fabric_schema, find_fabric, load_intent

CASES = sorted((Path(__file__).parents[2] / "errors" / "intent").glob("*.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_messages(case):
    """Each case lies beside the exact lines it must give: line:column rule message."""
    with pytest.raises(FindingsError) as caught:
        load_intent(case)
    said = [
        f"{f.line}:{f.column} {f.rule} {f.message}".replace(str(case), case.name)
        for f in caught.value.report.findings
    ]
    assert said == case.with_suffix(".txt").read_text().splitlines()


def test_two_hundred_errors_at_once(tmp_path):
    lines = ["name: x", "cluster: {nodes: 1}", "jobs:"]
    lines += [f"  - {{name: j{n}, model: m, tpp: {n}}}" for n in range(200)]
    path = tmp_path / "fabric.yaml"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(FindingsError) as caught:
        load_intent(path)
    wrong = [f for f in caught.value.report.findings if f.rule == "INT001"]
    assert len(wrong) == 200
    assert {f.hint.split("?")[0] for f in wrong} == {"did you mean 'tp'"}
    assert [f.line for f in wrong] == list(range(4, 204))


def test_own_keys_are_left_alone(tmp_path):
    text = find_fabric("rail-only-128").read_text() + "\nx-rack: {row: 4}\n"
    path = tmp_path / "fabric.yaml"
    path.write_text(text)
    assert load_intent(path)[0].name == "rail-only-128"


def test_an_unknown_fabric_names_the_shipped_ones():
    with pytest.raises(UsageError, match="rail-only-128"):
        find_fabric("no-such-fabric")


def _numbers(schema, where="fabric"):
    if isinstance(schema, list):
        for each in schema:
            yield from _numbers(each, where)
    if isinstance(schema, dict):
        if schema.get("type") in ("integer", "number") and "enum" not in schema:
            yield where, schema
        for key, value in schema.items():
            yield from _numbers(value, f"{where}.{key}")


def test_every_number_has_bounds():
    for where, schema in _numbers(fabric_schema()):
        assert {"minimum", "exclusiveMinimum"} & set(schema), f"{where} has no lower bound"
        assert "maximum" in schema, f"{where} has no upper bound"


_JOB = {"name": "llama", "model": "llama-3-70b"}


@pytest.mark.parametrize("given", [True, "16", 1.5, 10**20, -1, float("inf"), float("nan")])
@pytest.mark.parametrize(
    "change",
    [
        lambda data, given: data["cluster"].update(nodes=given),
        lambda data, given: data["cluster"].update(gpus_per_node=given),
        lambda data, given: data["networks"]["compute"]["nic"].update(per_node=given),
        lambda data, given: data["networks"]["compute"].update(leaves=given),
        lambda data, given: data.update(management={"first": given}),
        lambda data, given: data.update(jobs=[{**_JOB, "dp": given}]),
        lambda data, given: data.update(jobs=[{**_JOB, "vpp": given}]),
        lambda data, given: data.update(jobs=[{**_JOB, "sequence": given}]),
        lambda data, given: data.update(qos={"cnp_tc": given}),
    ],
)
def test_a_number_that_is_none_or_absurd_is_refused_at_once(change, given, tmp_path):
    data = yaml.safe_load(find_fabric("rail-only-128").read_text())
    change(data, given)
    path = tmp_path / "fabric.yaml"
    path.write_text(yaml.safe_dump(data))
    with pytest.raises(FindingsError) as caught:
        load_intent(path)
    [finding] = caught.value.report.findings
    assert finding.rule == "INT003"
    assert finding.line > 1


@pytest.mark.parametrize("given", [1, "yes", 0.0, "true"])
def test_a_switch_is_true_or_false(given, tmp_path):
    data = yaml.safe_load(find_fabric("rail-only-128").read_text())
    data["timing"] = {"enabled": given}
    path = tmp_path / "fabric.yaml"
    path.write_text(yaml.safe_dump(data))
    with pytest.raises(FindingsError):
        load_intent(path)


def test_a_folder_in_place_of_the_file_is_told_at_its_name(tmp_path):
    (tmp_path / "fabric.yaml").mkdir()
    with pytest.raises(FindingsError) as caught:
        load_intent(find_fabric(str(tmp_path)))
    [finding] = caught.value.report.findings
    assert (finding.rule, finding.file) == ("SRC003", str(tmp_path / "fabric.yaml"))


def test_every_key_has_a_description():
    schema = fabric_schema()
    for name, model in {"fabric": schema, **schema["$defs"]}.items():
        for key, value in model.get("properties", {}).items():
            assert value.get("description"), f"{name}.{key}"


@pytest.mark.parametrize("path", sorted(Path("inventories").glob("*/fabric.yaml")), ids=str)
def test_shipped_fabrics_fit_the_schema_and_are_short(path):
    jsonschema.validate(yaml.safe_load(path.read_text()), fabric_schema())
    load_intent(path)
    assert len(path.read_text().splitlines()) <= 60


@pytest.mark.parametrize(
    "change",
    [
        {"nodes": 0}, {"nodes": "many"}, {"nodez": 4}, {"nodes": True}, {"nodes": "16"},
        {"nodes": 1.5}, {"nodes": 10**20}, {"gpus_per_node": 1025}, {"gpus_per_node": False},
    ],
)  # fmt: skip
def test_schema_and_loader_refuse_the_same(change, tmp_path):
    data = yaml.safe_load(find_fabric("rail-only-128").read_text())
    data["cluster"] = {**data["cluster"], **change}
    path = tmp_path / "fabric.yaml"
    path.write_text(yaml.safe_dump(data))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, fabric_schema())
    with pytest.raises(FindingsError):
        load_intent(path)


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ("nos", "asternos", "nos: should be keys and values: `nos: {name: asternos}`"),
        ("nos", ["asternos"], "nos: should be keys and values (name, release, roce)"),
        ("qos", "dcqcn", "qos: should be keys and values (lossless, "),
    ],
)
def test_a_word_where_keys_belong_names_the_key(key, given, said, tmp_path):
    data = yaml.safe_load(find_fabric("rail-only-128").read_text())
    path = tmp_path / "fabric.yaml"
    path.write_text(yaml.safe_dump({**data, key: given}))
    with pytest.raises(FindingsError) as caught:
        load_intent(path)
    [finding] = caught.value.report.findings
    assert finding.message.startswith(said)
    assert finding.message.endswith(f"; given {given!r}")

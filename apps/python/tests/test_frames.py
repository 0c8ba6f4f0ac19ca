"""Frames of plots, and what comes back beside them."""

import hashlib
import json
import logging
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_world import HALF, IS_FULL, NOW, OUTSIDE, RULESET, SOURCE, ndjson, random_plots, square

import groundrule
from groundrule import GroundruleError, _data

geopandas = pytest.importorskip("geopandas")
testing = pytest.importorskip("geopandas.testing")
pandas = pytest.importorskip("pandas")
shapely = pytest.importorskip("shapely")

COUNT = 100_000 if IS_FULL else 400
RESULTS = ["verdict", "at_least", "check:in-park", "digest", "error_code", "error_message"]


def frame_of(plots: list[dict[str, Any]], **columns: Any) -> Any:
    geometries = [None if plot is None else shapely.geometry.shape(plot) for plot in plots]
    return geopandas.GeoDataFrame(columns, geometry=geometries, crs="EPSG:4326")


@pytest.fixture(scope="module")
def plots() -> list[dict[str, Any]]:
    return random_plots(COUNT)


@pytest.fixture(scope="module")
def screened(
    run: Callable[..., str], folder: Path, plots: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    """Compact lines of the command."""
    base = tmp_path_factory.mktemp("screened")
    (base / "plots.ndjson").write_text(ndjson(plots))
    (base / "rules.json").write_text(json.dumps(RULESET))
    files = ["--ruleset", str(base / "rules.json"), str(base / "plots.ndjson")]
    printed = run("screen", "--data", str(folder), "--format", "compact", "--now", NOW, *files)
    return [json.loads(line) for line in printed.splitlines()]


def digest_of(digests: list[str]) -> str:
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def test_screens_as_the_command_does_in_every_kind_of_frame(
    shared: groundrule.Data,
    plots: list[dict[str, Any]],
    screened: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_data, "_BATCH_ROWS", 4096 if IS_FULL else 150)
    expected = digest_of([line["digest"] for line in screened])
    frame = frame_of(plots)
    found = shared.screen(frame, RULESET, now=NOW)
    assert isinstance(found, geopandas.GeoDataFrame)
    assert list(found.columns) == ["geometry", *RESULTS]
    assert digest_of(list(found["digest"])) == expected
    assert list(found["verdict"]) == [line["verdict"] for line in screened]
    assert list(found["check:in-park"]) == [line["check:in-park"] for line in screened]
    assert found.crs == frame.crs
    assert set(found["verdict"]) == {"COMPLIANT", "NON_COMPLIANT"}
    table = pa.table({"geometry": shapely.to_wkb(frame.geometry.values), "other": range(len(frame))})
    answered = shared.screen(table, RULESET, now=NOW)
    assert isinstance(answered, pa.Table)
    assert answered.column_names == ["geometry", "other", *RESULTS]
    assert digest_of(answered.column("digest").to_pylist()) == expected
    plain = pandas.DataFrame({"wkt": frame.geometry.to_wkt()})
    answered = shared.screen(plain, RULESET, now=NOW, columns={"geometry": "wkt"})
    assert (type(answered), digest_of(list(answered["digest"]))) == (pandas.DataFrame, expected)
    polars = pytest.importorskip("polars")
    answered = shared.screen(polars.from_arrow(table), RULESET, now=NOW)
    assert isinstance(answered, polars.DataFrame)
    assert digest_of(answered["digest"].to_list()) == expected
    answered = shared.screen(frame.geometry, RULESET, now=NOW)
    assert digest_of(list(answered["digest"])) == expected


@pytest.mark.full
@pytest.mark.parametrize("of", ["GROUNDRULE_TEST_NODE_24", "GROUNDRULE_TEST_NODE_26"])
def test_digests_are_equal_on_every_node(
    folder: Path, plots: list[dict[str, Any]], screened: list[dict[str, Any]], of: str
) -> None:
    import os

    if of not in os.environ:
        pytest.skip(f"{of} names no Node")
    with groundrule.open(folder, node=os.environ[of]) as data:
        found = data.screen(frame_of(plots), RULESET, now=NOW)
    assert digest_of(list(found["digest"])) == digest_of([line["digest"] for line in screened])


def test_overlay_has_the_pairs_of_intersections(
    shared: groundrule.Data, plots: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_data, "_BATCH_ROWS", 40)
    some = plots[:150]
    frame = frame_of(some, id=[f"p{i}" for i in range(150)])
    frame.index = pandas.Index(range(1000, 1150), name="row_id")
    members = ["source_id", "name", "overlap_area_m2", "overlap_ratio", "area_overlap_ratio"]
    expected = [
        (1000 + i, f"p{i}", *[match[member] for member in members])
        for i, plot in enumerate(some)
        for match in shared.intersections(plot, SOURCE)
    ]
    pairs = shared.overlay(frame, SOURCE)
    assert list(pairs[["id", *members]].itertuples(name=None)) == expected
    assert len(expected) > 60
    assert pairs.index.name == "row_id"
    joined = frame.join(pairs.drop(columns="id"))
    assert joined.loc[pairs.index[0]].shape[-1] == frame.shape[1] + pairs.shape[1] - 1
    table = shared.overlay(pa.table({"geometry": [json.dumps(plot) for plot in some]}))
    assert table.column("row").to_pylist() == [index - 1000 for index in pairs.index]
    assert table.column("overlap_area_m2").to_pylist() == list(pairs["overlap_area_m2"])
    batches = list(shared.overlay_batches(frame, SOURCE, batch_rows=10))
    assert len(batches) == 15
    assert pa.Table.from_batches(batches).column("id").to_pylist() == list(pairs["id"])


def test_a_frame_without_plots_has_the_columns_of_results(shared: groundrule.Data) -> None:
    empty = frame_of([], id=[])
    assert list(shared.screen(empty, RULESET).columns) == ["id", "geometry", *RESULTS]
    assert len(shared.overlay(empty)) == 0
    assert "overlap_area_m2" in shared.overlay(empty).columns


def test_index_ids_and_columns_are_kept(shared: groundrule.Data) -> None:
    frame = frame_of([HALF, OUTSIDE, HALF], id=[7, 8, 9], farm=["a", "b", None])
    frame.index = ["x", "x", "y"]
    before = frame.copy()
    found = shared.screen(frame, RULESET)
    assert found.index.equals(frame.index)
    assert list(found["verdict"]) == ["NON_COMPLIANT", "COMPLIANT", "NON_COMPLIANT"]
    assert found[["id", "farm"]].equals(before[["id", "farm"]])
    testing.assert_geodataframe_equal(frame, before)
    pairs = shared.overlay(frame)
    assert (list(pairs.index), list(pairs["id"])) == (["x", "y"], [7, 9])


def test_a_column_named_like_ours_is_kept_under_another_name(shared: groundrule.Data) -> None:
    frame = frame_of([HALF], verdict=["mine"], **{"check:in-park": [1]})
    found = shared.screen(frame, RULESET)
    assert (found["plot:verdict"][0], found["verdict"][0]) == ("mine", "NON_COMPLIANT")
    assert found["plot:check:in-park"][0] == 1
    table = shared.screen(pa.table({"geometry": [json.dumps(HALF)], "digest": ["d"]}), RULESET)
    assert table.column("plot:digest").to_pylist() == ["d"]


#: Columns of three rows that a frame may have beside its geometries; a call that reads them may refuse some.
MESSY = {
    "id": [["a", "b", "talhão 🌱"], [3, 3, 3], [2**64 - 1, 0, 1], [10**30, 1, 2], ["a", 1, None], [1.5, None, 2.0]],
    "country": [[None] * 3, [float("nan")] * 3, ["BR", None, "BR"], [76, 76, 76]],
    "area_ha": [[1.0, float("nan"), float("inf")], [10**30, None, 5], ["2,5", None, ""]],
    "facts": [[{}, None, {"a": 1}], [{"a": 1}, {"a": "x"}, None], ["text", None, ""]],
    "property": [["Fazenda", None, "x"], [1, 2, 3]],
    "crs": [[None] * 3, ["EPSG:4326", None, "EPSG:4326"]],
    **{
        name: [["own"] * 3]
        for name in ["verdict", "plot:verdict", "digest", "row", "source_id", "evidence", "error_code"]
    },
    "when": [pandas.date_range("2020", periods=3, tz="America/Sao_Paulo"), [None, pandas.Timestamp("2020"), None]],
    "kind": [pandas.Categorical(["x", None, "x"])],
    "nested": [[{"a": 1}, [1], None]],
    "7": [[1, 2, 3]],
}
INDEXES = [
    [5, 5, 6],
    pandas.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["farm", None]),
    pandas.date_range("2020", periods=3, tz="UTC"),
    pandas.CategoricalIndex(["x", "y", "x"]),
]


def plain(name: Any) -> str:
    return re.sub("^(plot:)+", "", str(name))


@pytest.mark.parametrize("seed", range(400 if IS_FULL else 40))
def test_a_messy_frame_keeps_its_rows_and_columns_or_is_refused(shared: groundrule.Data, seed: int) -> None:
    draw = random.Random(seed)
    columns = {name: draw.choice(MESSY[name]) for name in draw.sample(sorted(MESSY), draw.randint(0, 6))}
    frame = frame_of([HALF, OUTSIDE, None], **columns).rename(columns={"7": 7})
    if draw.random() < 0.3:
        frame = pandas.DataFrame(frame.assign(geometry=frame.geometry.to_wkb()))
    elif draw.random() < 0.5:
        frame = frame.rename_geometry(draw.choice(["geom", "verdict_", "id_"]))
        frame.geometry = shapely.force_3d(frame.geometry.values, 10)
    frame.index = draw.choice(INDEXES)
    before = frame.copy(deep=True)
    id_ = draw.choice([None, *(name for name in ("source_id", "row", "verdict") if name in columns)])
    try:
        found = shared.screen(frame, RULESET, id=id_)
        verdicts = [None if pandas.isna(verdict) else verdict for verdict in found["verdict"]]
        refused = found["error_code"].notna().tolist()
        assert [v is None for v in verdicts] == refused
        for verdict, expected in zip(verdicts, ["NON_COMPLIANT", "COMPLIANT", None], strict=True):
            assert verdict in (expected, None)
        if "facts" not in columns and ("id" not in columns or id_ is not None):
            assert refused == [False, False, True]
        assert found.index.equals(before.index)
        assert found.columns.is_unique
        own = found.iloc[:, : len(before.columns)]
        assert repr(own.to_dict("tight")["data"]) == repr(before.to_dict("tight")["data"])
        assert [plain(name) for name in own.columns] == [plain(name) for name in before.columns]
    except GroundruleError as error:
        assert error.code == "FORMAT_UNSUPPORTED"
    try:
        pairs = shared.overlay(frame, id=id_)
        assert set(pairs.index) <= set(before.index)
        named = "id" if id_ is None and "id" in columns else id_
        if named != "id":
            assert pairs["error_code"].isna().tolist() == [True, False]
        if named is not None:
            first = next(name for name in pairs.columns if plain(name) == plain(named))
            assert pairs[first].iloc[0] == before[named].iloc[0]
    except GroundruleError as error:
        assert error.code == "FORMAT_UNSUPPORTED"
        assert "id" in columns or id_ is not None
    assert before.equals(frame)


def test_a_frame_of_polars_keeps_what_arrow_does_not_have(shared: groundrule.Data) -> None:
    polars = pytest.importorskip("polars")
    thing = object()
    names = polars.Series("id", ["a", "b"], dtype=polars.Categorical)
    objects = polars.Series("thing", [thing, None], dtype=polars.Object)
    frame = polars.DataFrame([names, objects]).with_columns(geometry=polars.Series([json.dumps(HALF), None]), digest=1)
    frame = frame.with_columns(huge=polars.lit(2**100, dtype=polars.Int128))
    found = shared.screen(frame, RULESET)
    assert (found["thing"][0], found["huge"][0], found["plot:digest"][0]) == (thing, 2**100, 1)
    assert found["verdict"].to_list() == ["NON_COMPLIANT", None]
    pairs = shared.overlay(frame)
    assert (pairs["id"].to_list(), pairs["row"].to_list()) == (["a", "b"], [0, 1])
    with pytest.raises(GroundruleError, match="objects of Python"):
        shared.screen(frame.rename({"geometry": "text", "thing": "geometry"}), RULESET)


def test_a_frame_is_screened_again_and_again(shared: groundrule.Data) -> None:
    once = shared.screen(frame_of([HALF, OUTSIDE]), RULESET)
    thrice = shared.screen(shared.screen(once, RULESET), RULESET)
    assert thrice.columns.is_unique
    assert len(thrice.columns) == 1 + 3 * len(RESULTS)


def test_another_geometry_of_a_frame_is_read_only_when_active(shared: groundrule.Data) -> None:
    frame = frame_of([HALF]).assign(other=frame_of([OUTSIDE]).geometry)
    with pytest.raises(GroundruleError, match="set_geometry"):
        shared.screen(frame, RULESET, columns={"geometry": "other"})
    assert list(shared.screen(frame.set_geometry("other"), RULESET)["verdict"]) == ["COMPLIANT"]


def test_plots_that_cannot_be_judged_have_the_commands_code(shared: groundrule.Data) -> None:
    bowtie = shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)])
    line = shapely.LineString([(0, 0), (1, 1)])
    geometries = [shapely.geometry.shape(HALF), None, shapely.Polygon(), bowtie, line, shapely.Point(0.5, 0.5)]
    frame = geopandas.GeoDataFrame({"id": list("abcdef")}, geometry=geometries, crs=4326)
    found = shared.screen(frame, RULESET)
    codes = [None if pandas.isna(code) else code for code in found["error_code"]]
    expected = [
        None,
        "INPUT_INCOMPLETE",
        "VALIDATION_FAILED",
        "GEOMETRY_INVALID",
        "VALIDATION_FAILED",
        "INPUT_INCOMPLETE",
    ]
    assert codes == expected
    assert [not missing for missing in found["verdict"].isna()] == [code is None for code in expected]
    text = [*ndjson([HALF]).splitlines(), "not a geometry"]
    pairs = shared.overlay(pa.table({"geometry": text}))
    assert pairs.column("error_code").to_pylist() == [None, "GEOMETRY_INVALID"]
    with pytest.raises(GroundruleError) as refused:
        shared.check(bowtie, RULESET)
    assert refused.value.code == "GEOMETRY_INVALID"


def test_an_altitude_changes_nothing(shared: groundrule.Data) -> None:
    flat = frame_of([HALF])
    high = flat.set_geometry(shapely.force_3d(flat.geometry.values, 812.5))
    assert high.geometry.has_z.all()
    assert list(shared.screen(high, RULESET)["check:in-park"]) == ["NON_COMPLIANT"]
    assert list(shared.overlay(high)["overlap_area_m2"]) == list(shared.overlay(flat)["overlap_area_m2"])


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: pandas.DataFrame({"geometry": [1, 2]}), "FORMAT_UNSUPPORTED"),
        (lambda: pandas.DataFrame({"geom": ["POINT(0 0)"]}), "FORMAT_UNSUPPORTED"),
        (lambda: frame_of([HALF], id=[1.5]), "FORMAT_UNSUPPORTED"),
        (lambda: frame_of([HALF, HALF], id=["a", 1]), "FORMAT_UNSUPPORTED"),
        (lambda: frame_of([HALF], area_ha=["two"]), "FORMAT_UNSUPPORTED"),
        (lambda: pandas.DataFrame(), "FORMAT_UNSUPPORTED"),
        (lambda: geopandas.GeoDataFrame({"a": [1]}), "FORMAT_UNSUPPORTED"),
        (lambda: [HALF], "FORMAT_UNSUPPORTED"),
        (lambda: pandas.Series(["POINT(0 0)"], name="geometry"), "FORMAT_UNSUPPORTED"),
        (lambda: frame_of([HALF]).geometry.values, "FORMAT_UNSUPPORTED"),
        (lambda: pandas.DataFrame(frame_of([HALF])), "FORMAT_UNSUPPORTED"),
        (lambda: pandas.DataFrame({"lat": [0.5], "lon": [10.5]}), "FORMAT_UNSUPPORTED"),
        (lambda: frame_of([HALF], id=[10**30]), "FORMAT_UNSUPPORTED"),
        (lambda: frame_of([HALF]).to_crs("+proj=laea +lat_0=1 +lon_0=11"), "CRS_UNKNOWN"),
        (lambda: frame_of([HALF]).to_crs(32632), "CRS_MISMATCH"),
    ],
)
def test_a_frame_that_cannot_be_read_is_refused(shared: groundrule.Data, make: Callable[[], Any], code: str) -> None:
    with pytest.raises(GroundruleError) as refused:
        shared.screen(make(), RULESET, crs="EPSG:32633" if code == "CRS_MISMATCH" else None)
    assert refused.value.code == code


def test_the_crs_is_that_of_the_frame(
    shared: groundrule.Data, run: Callable[..., str], folder: Path, tmp_path: Path
) -> None:
    frame = frame_of([HALF, OUTSIDE], id=["a", "b"]).to_crs(32632)
    frame.to_file(tmp_path / "plots.gpkg")
    (tmp_path / "rules.json").write_text(json.dumps(RULESET))
    words = ["--data", str(folder), "--format", "compact", "--now", NOW, "--ruleset", str(tmp_path / "rules.json")]
    lines = [json.loads(line) for line in run("screen", *words, str(tmp_path / "plots.gpkg")).splitlines()]
    expected = [line["digest"] for line in lines]
    assert list(shared.screen(frame, RULESET, now=NOW)["digest"]) == expected
    bare = frame.set_crs(None, allow_override=True)
    assert list(shared.screen(bare, RULESET, now=NOW, crs="EPSG:32632")["digest"]) == expected
    table = pa.table(frame.to_arrow(index=False))  # geoarrow names the CRS in the metadata of its column
    assert shared.screen(table, RULESET, now=NOW).column("digest").to_pylist() == expected
    for crs in (32632, "epsg:32632", frame.crs, "urn:ogc:def:crs:EPSG::32632"):
        assert list(shared.screen(bare, RULESET, now=NOW, crs=crs)["verdict"]) == ["NON_COMPLIANT", "COMPLIANT"]
        assert list(shared.screen(frame, RULESET, now=NOW, crs=crs)["digest"]) == expected
    for srid, sent in ((32632, expected), (4326, list(shared.screen(frame.to_crs(4326), RULESET, now=NOW)["digest"]))):
        shapes = shapely.set_srid(frame.to_crs(srid).geometry.values, srid)
        extended = pandas.DataFrame({"id": ["a", "b"], "geometry": shapely.to_wkb(shapes, include_srid=True)})
        assert list(shared.screen(extended, RULESET, now=NOW)["digest"]) == sent
    columns = {"geometry": {"encoding": "WKB", "geometry_types": [], "crs": frame.crs.to_json_dict()}}
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": columns}
    table = pa.table({"id": ["a", "b"], "geometry": frame.geometry.to_wkb()}).replace_schema_metadata(
        {"geo": json.dumps(geo)}
    )
    assert shared.screen(table, RULESET, now=NOW).column("digest").to_pylist() == expected  # as of GeoParquet
    mixed = pandas.DataFrame(
        {
            "geometry": [frame.geometry.iloc[0].wkt, frame.to_crs(32633).geometry.iloc[1].wkt],
            "crs": ["EPSG:32632", "EPSG:32633"],
        }
    )
    found = shared.screen(mixed, RULESET, now=NOW)
    assert (found["digest"][0], list(found["verdict"])) == (expected[0], ["NON_COMPLIANT", "COMPLIANT"])
    with pytest.raises(GroundruleError, match="a column with the CRS of each"):
        shared.screen(mixed, RULESET, crs="EPSG:32632")
    several = frame.assign(other=frame.geometry.to_crs(4326))
    with pytest.raises(GroundruleError) as refused:
        shared.screen(several.assign(crs=["EPSG:32632", "EPSG:32633"]), RULESET)
    assert refused.value.code == "CRS_MISMATCH"


def test_evidence_records_and_declarations(
    shared: groundrule.Data, run: Callable[..., str], folder: Path, tmp_path: Path
) -> None:
    records = tmp_path / "records.ndjson"
    points = [{"type": "Point", "coordinates": [10.5, 0.5]}]
    frame = frame_of([HALF, *points], ha=[None, 3.0], cnpj=["11.222.333/0001-81", None])
    found = shared.screen(
        *(frame, RULESET),
        columns={"area_ha": "ha"},
        identifiers={"br:cnpj": "cnpj"},
        evidence="triggered",
        records=records,
    )
    assert list(found["verdict"]) == ["NON_COMPLIANT"] * 2
    assert found["evidence"][0][0]["items"][0]["source_id"] == "park 10"
    printed = [json.loads(line) for line in run("replay", "--data", str(folder), str(records)).splitlines()]
    assert [(line["id"], line["result"]) for line in printed] == [("0", "identical"), ("1", "identical")]


def test_screens_a_file_in_every_format_of_the_command(
    shared: groundrule.Data,
    run: Callable[..., str],
    folder: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    frame = frame_of([HALF, OUTSIDE], id=["a", "b"])
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps(RULESET))
    words = ["--data", str(folder), "--format", "compact", "--now", NOW, "--ruleset", str(rules)]
    for name in ("the plots.gpkg", "plots.geojson", "plots.fgb"):
        frame.to_file(tmp_path / name)
        found = shared.screen(tmp_path / name, RULESET, now=NOW)
        lines = [json.loads(line) for line in run("screen", *words, str(tmp_path / name)).splitlines()]
        assert list(found["digest"]) == [line["digest"] for line in lines]
        assert sorted(found["verdict"]) == ["COMPLIANT", "NON_COMPLIANT"]  # FlatGeobuf has an order of its own
        assert set(RESULTS) <= set(found.columns)
    with pytest.raises(GroundruleError, match="no such file"):
        shared.screen(tmp_path / "nothing.gpkg", RULESET)
    assert capfd.readouterr() == ("", "")


def test_other_programs_read_what_is_written(shared: groundrule.Data, tmp_path: Path) -> None:
    frame = frame_of([HALF, OUTSIDE, None], id=["a", "b", "c"])
    found, pairs = shared.screen(frame, RULESET), shared.overlay(frame)
    found.to_parquet(tmp_path / "found.parquet")
    pairs.to_parquet(tmp_path / "pairs.parquet")
    found.to_file(tmp_path / "found.gpkg")
    assert list(geopandas.read_parquet(tmp_path / "found.parquet")["digest"].dropna()) == list(found["digest"].dropna())
    assert list(geopandas.read_file(tmp_path / "found.gpkg")["verdict"])[:2] == ["NON_COMPLIANT", "COMPLIANT"]
    assert pq.read_table(tmp_path / "pairs.parquet").num_rows == len(pairs)
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(tmp_path / "pairs.parquet")["overlap_area_m2"][0] == pairs["overlap_area_m2"].iloc[0]
    duckdb = pytest.importorskip("duckdb")
    query = f"select id, verdict from '{tmp_path / 'found.parquet'}' order by id limit 2"
    assert duckdb.sql(query).fetchall() == [("a", "NON_COMPLIANT"), ("b", "COMPLIANT")]


def test_progress_counts_plots(
    shared: groundrule.Data, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_data, "_BATCH_ROWS", 2)
    frame = frame_of([HALF] * 5)
    steps: list[tuple[int, int]] = []
    shared.screen(frame, RULESET, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(2, 5), (4, 5), (5, 5)]
    shared.overlay(frame, progress=None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    shared.overlay(frame, progress=True)
    assert capfd.readouterr() == ("", "")

    def fail(done: int, total: int) -> None:
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        shared.screen(frame, RULESET, progress=fail)
    assert shared.overlay(frame) is not None


def test_several_workers_answer_in_order(
    folder: Path, plots: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_data, "_BATCH_ROWS", 25)
    frame = frame_of(plots[:300])
    with groundrule.open(folder) as one, groundrule.open(folder, workers=3) as three:
        expected = one.screen(frame, RULESET, now=NOW)
        testing.assert_geodataframe_equal(three.screen(frame, RULESET, now=NOW), expected)
        assert len({slot.pid for slot in three._slots}) == 3


def test_a_package_that_is_missing_is_named(shared: groundrule.Data, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = frame_of([HALF])
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(GroundruleError, match="pip install shapely") as refused:
        shared.screen(frame, RULESET)
    assert refused.value.code == "PACKAGE_MISSING"
    monkeypatch.setitem(sys.modules, "geopandas", None)
    with pytest.raises(GroundruleError, match="pip install geopandas"):
        shared.screen("plots.gpkg", RULESET)


def test_rows_without_an_answer_are_counted_in_the_log(
    shared: groundrule.Data, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "groundrule"):
        shared.overlay(frame_of([HALF, None, square(1, 1)]))
    assert "1 rows have an error_code" in caplog.text

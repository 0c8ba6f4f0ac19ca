import json
import os
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from groundrule_spark import ArchiveError, ScreeningError, result_schema, screen

NOW = "2026-11-22T12:00:00Z"


def square(x: float = -60.0, y: float = -10.0, side: float = 0.01) -> dict:
    ring = [[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]
    return {"type": "Polygon", "coordinates": [ring]}


def wkt_of(geometry: dict) -> str:
    return f"POLYGON(({', '.join(f'{x!r} {y!r}' for x, y in geometry['coordinates'][0])}))"


def wkb_of(geometry: dict) -> bytes:
    import struct

    ring = geometry["coordinates"][0]
    return struct.pack("<BIII", 1, 3, 1, len(ring)) + b"".join(struct.pack("<dd", *each) for each in ring)


@pytest.fixture
def ask(archive: Path, cache: Path):
    def ask(table, ruleset=None, **options):
        return screen(table, ruleset, archive, cache_dir=cache, **{"now": NOW, **options})

    return ask


def test_geojson_wkt_and_wkb_give_the_same_digest(ask) -> None:
    scheme = ['{"type": "br:cnpj", "value": "11222333000181"}']
    digests = set()
    for column in (
        [json.dumps(square())],
        [wkt_of(square())],
        pa.array([wkb_of(square())]),
        pa.array([json.dumps({"type": "Feature", "properties": {}, "geometry": square()})], pa.large_string()),
        pa.array([wkb_of(square())], pa.large_binary()),
        pa.array([json.dumps(square())]).dictionary_encode(),
    ):
        answer = ask(pa.table({"id": ["a"], "geometry": column, "scheme": scheme}))
        assert answer["error_code"].to_pylist() == [None], answer.to_pylist()
        digests.add(answer["digest"][0].as_py())
    assert len(digests) == 1


def test_identifiers_of_columns_are_those_of_scheme(ask) -> None:
    cnpj, other, cpf = "11222333000181", "11.444.777/0001-61", "111.444.777-35"
    plain = {"id": ["a", "b", "c"], "geometry": [json.dumps(square())] * 3}
    schemes = [
        [
            {"type": "us:ein", "value": "123456789"},
            {"type": "br:cnpj", "value": cnpj, "role": "owner"},
            {"type": "br:cnpj", "value": other, "role": "owner"},
            {"type": "br:car", "value": "a"},
        ],
        [{"type": "br:cpf", "value": cpf, "role": "owner"}, {"type": "br:car", "value": "b"}],
        [{"type": "br:car", "value": "c"}],
    ]
    declared = plain | {"scheme": [json.dumps(each) for each in schemes]}
    expected = ask(pa.table(declared), FACTS_RULESET)["digest"].to_pylist()
    assert None not in expected
    assert len(set(expected)) == 3
    columns = plain | {
        "scheme": [json.dumps(schemes[0][0]), None, None],
        "document": [f"{cnpj}; {other}", cpf, ""],
        "as number": [float(cnpj), None, None],
    }
    identifiers = {
        "br:cnpj:owner": ["document", "as number"],
        "br:cpf:owner": "document",
        "br:car": "id",
    }
    for table in (pa.table(columns), pd.DataFrame(columns)):
        digests = list(ask(table, FACTS_RULESET, identifiers=identifiers)["digest"])
        assert [str(each) for each in digests] == expected
    with pytest.raises(ValueError, match=r"found no column 'CNPJ' among .*, expected it as br:cnpj"):
        ask(pa.table(columns), identifiers={"br:cnpj": "CNPJ"})
    with pytest.raises(ScreeningError, match='did you mean "br:cnpj"'):
        ask(pa.table(columns), identifiers={"cnpj": "document"})


FACTS_RULESET = {
    "facts": {
        "modules": {"type": "number", "question": {"en": "?"}},
        "planted": {"type": "date", "question": {"en": "?"}},
        "permit": {"type": "document", "question": {"en": "?"}},
    },
    "sets": {},
    "checks": [
        {"id": "large", "fact": "modules", "op": ">", "value": 4, "outcome": "WARNING"},
        {"id": "late", "fact": "planted", "op": ">", "value": "2020-12-31", "outcome": "WARNING"},
        {"id": "unlawful", "fact": "permit", "op": "not_valid", "outcome": "WARNING"},
    ],
}


@pytest.mark.parametrize(
    "facts",
    [
        pa.array(['{"modules": 5, "planted": "2021-01-01"}', '{"modules": 4, "planted": null}', None]),
        pa.array(
            [[("modules", "5"), ("planted", "2021-01-01")], [("modules", "4")], None],
            pa.map_(pa.string(), pa.string()),
        ),
        pa.array(
            [{"modules": Decimal(5), "planted": date(2021, 1, 1)}, {"modules": Decimal(4), "planted": None}, None],
            pa.struct([("modules", pa.decimal128(9, 2)), ("planted", pa.date32())]),
        ),
    ],
    ids=["text", "map", "struct"],
)
def test_facts_are_read_from_text_maps_and_structs(ask, facts: pa.Array) -> None:
    plots = pa.table({"id": ["a", "b", "c"], "geometry": [json.dumps(square())] * 3, "declared": facts})
    answer = ask(plots, FACTS_RULESET, facts="declared").to_pylist()
    assert [row["error_message"] for row in answer] == [None] * 3
    assert [[row[f"check:{each}"] for each in ("large", "late", "unlawful")] for row in answer] == [
        ["WARNING", "WARNING", "WARNING"],
        ["not_triggered", "not_declared", "WARNING"],
        ["not_declared", "not_declared", "WARNING"],
    ]


def test_documents_and_the_property_are_read_and_held_to_the_plot(ask) -> None:
    permit = {"id": "P-1", "issuer": "State", "issued_on": date(2024, 1, 1), "valid_until": None, "area_m2": 10.0}
    around = wkt_of(square(-60.01, -10.01, 0.03))
    plots = pa.table(
        {
            "id": ["a", "b", "c"],
            "geometry": [wkt_of(square())] * 3,
            "facts": [{"permit": permit}] * 2 + [{"permit": None}],
            "property": [around, wkt_of(square(5, 5)), "Fazenda"],
        }
    )
    answer = ask(plots, FACTS_RULESET).to_pylist()
    assert [row["check:unlawful"] for row in answer] == ["not_triggered", None, "WARNING"]
    assert "outside the property" in answer[1]["error_message"]
    numbers = plots.set_column(3, "property", pa.array([1, 2, 3]))
    assert [row["error_code"] for row in ask(numbers, FACTS_RULESET).to_pylist()] == [None] * 3


def test_every_plot_has_one_row_in_its_place_whatever_is_wrong_with_it(ask) -> None:
    table = pa.table(
        {
            "plot": ["é", "", None, "twice", "twice", "🌱\n", "none", "blank", "wkt", "json"],
            "shape": [*[json.dumps(square())] * 6, None, "", "POLYGON((1", '{"type":'],
            "scheme": ['{"type": "br:cnpj", "value": "11222333000181"}'] * 10,
        }
    )
    answer = ask(table, id="plot", geometry="shape")
    assert answer["id"].to_pylist() == table["plot"].to_pylist()
    checks = [name.removeprefix("check:") for name in answer.column_names if name.startswith("check:")]
    assert checks
    assert answer.schema.remove_metadata() == result_schema(checks)
    told = [each for each in answer["evidence"].to_pylist() if each is not None]
    assert all(one["check"] in checks and one["total"] >= len(one["items"]) for each in told for one in each)
    codes = answer["error_code"].to_pylist()
    assert codes[:6] == [None, None, "VALIDATION_FAILED", None, None, None]
    assert codes[6:] == ["INPUT_INCOMPLETE", "INPUT_INCOMPLETE", "GEOMETRY_INVALID", "MALFORMED_JSON"]
    messages = answer["error_message"].to_pylist()
    assert "null in the column id" in messages[2]
    assert (answer["digest"][3], answer["digest"][0]) == (answer["digest"][4], answer["digest"][0])


def test_pandas_gives_pandas_with_whole_numbers_as_ids(ask) -> None:
    frame = pd.DataFrame({"id": [7, 8], "geometry": [json.dumps(square())] * 2, "owner": ["x", "y"]})
    answer = ask(frame)
    assert isinstance(answer, pd.DataFrame)
    assert list(answer["id"]) == ["7", "8"]


def test_batches_and_children_change_nothing(ask) -> None:
    geometries = [json.dumps(square(-60 + i / 100)) for i in range(57)]
    table = pa.table({"id": [str(i) for i in range(57)], "geometry": geometries})
    whole = ask(table)
    assert whole == ask(table, batch_rows=1)
    assert whole == ask(table, batch_rows=10, workers=3)
    assert whole == ask(table, batch_bytes=1)
    assert whole == ask(pa.concat_tables([table.slice(0, 5), table.slice(5, 0), table.slice(5)]))


def test_no_plots_give_no_rows(ask) -> None:
    empty = pa.table({"id": pa.array([], pa.string()), "geometry": pa.array([], pa.string())})
    assert ask(empty).num_rows == 0
    assert ask(empty).column_names[:3] == ["id", "verdict", "at_least"]


def test_a_huge_plot_is_answered_among_the_others(ask) -> None:
    huge = json.dumps({"type": "Polygon", "coordinates": [[[i / 1e7, 1.0] for i in range(3_000_000)]]})
    assert len(huge) > 40_000_000
    padded = json.dumps(square()) + " " * (70 * 1024 * 1024)
    plain = json.dumps(square())
    answer = ask(pa.table({"id": ["a", "huge", "padded", "b"], "geometry": [plain, huge, padded, plain]}))
    codes = answer["error_code"].to_pylist()
    assert codes[1] is not None
    assert answer["digest"][0] == answer["digest"][3]


def test_tells_on_what_the_answers_rest(ask) -> None:
    answer = ask(pa.table({"id": ["a"], "geometry": [json.dumps(square())]}))
    metadata = answer.schema.metadata
    assert metadata[b"now"] == NOW.encode()
    assert json.loads(metadata[b"editions"])


@pytest.mark.parametrize(
    ("columns", "error", "told"),
    [
        ({"id": ["a"]}, ValueError, "found no column 'geometry' among id"),
        ({"id": [1.5], "geometry": ["x"]}, TypeError, "found double as the type of id"),
        ({"id": ["a"], "geometry": [1]}, TypeError, "found int64 as the type of geometry"),
        ({"id": ["a"], "geometry": ["x"], "area_ha": ["1"]}, TypeError, "found string as the type of area_ha"),
    ],
)
def test_refuses_columns_of_other_types(ask, columns: dict, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        ask(pa.table(columns))


def test_refuses_a_ruleset_that_the_archive_has_no_sources_for(ask, tmp_path: Path) -> None:
    ruleset = {
        "sets": {"s": {"sources": ["other:source"]}},
        "checks": [{"id": "c", "set": "s", "measure": "overlap_area_m2", "outcome": "WARNING"}],
    }
    with pytest.raises(ScreeningError, match="SOURCE_UNKNOWN"):
        ask(pa.table({"id": ["a"], "geometry": ["x"]}), ruleset)
    without = ask(pa.table({"id": ["a"], "geometry": [json.dumps(square())]}), ruleset, without=["other:source"])
    assert without["check:c"].to_pylist() == ["not_covered"]
    with pytest.raises(TypeError, match="expected a sequence of names"):
        ask(pa.table({"id": ["a"], "geometry": ["x"]}), ruleset, without="other:source")
    path = tmp_path / "a ruleset.json"
    path.write_text("[]")
    with pytest.raises(ValueError, match="expected an object with sets and checks"):
        ask(pa.table({"id": ["a"], "geometry": ["x"]}), path)


def test_an_instant_has_a_time_zone(ask) -> None:
    table = pa.table({"id": ["a"], "geometry": ["x"]})
    with pytest.raises(ValueError, match="time zone"):
        ask(table, now=datetime(2026, 1, 1))
    with pytest.raises(ScreeningError, match="now"):
        ask(table, now="yesterday")


def test_refuses_what_is_no_archive(tmp_path: Path) -> None:
    table = pa.table({"id": ["a"], "geometry": ["x"]})
    with pytest.raises(ArchiveError, match="found no archive at"):
        screen(table, None, tmp_path / "none.tar.gz")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ArchiveError, match="is damaged, or no archive of groundrule bundle"):
        screen(table, None, tmp_path / "text")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ArchiveError, match=r"cannot read .*bundle\.json"):
        screen(table, None, tmp_path / "folder")


def test_a_fork_starts_children_of_its_own(ask) -> None:
    table = pa.table({"id": ["a"], "geometry": [json.dumps(square())]})
    before = ask(table)
    pid = os.fork()
    if pid == 0:
        os._exit(0 if ask(table) == before else 1)
    assert os.waitpid(pid, 0)[1] == 0
    assert ask(table) == before

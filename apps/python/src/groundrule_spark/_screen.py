"""The one call of the package."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import pyarrow as pa

from groundrule._columns import columns_of, identifiers_of, pieces_of, plots_of
from groundrule_spark._plan import Plan

if TYPE_CHECKING:
    import pandas
    import pyspark.sql

Frame = TypeVar("Frame", "pyspark.sql.DataFrame", "pandas.DataFrame", pa.Table)


def screen(
    df: Frame,
    ruleset: str | os.PathLike[str] | Mapping[str, Any] | None,
    archive: str | os.PathLike[str],
    *,
    now: str | datetime | None = None,
    id: str | None = None,
    geometry: str | None = None,
    area_ha: str | None = None,
    country: str | None = None,
    crs: str | None = None,
    scheme: str | None = None,
    identifiers: Mapping[str, str | Sequence[str]] | None = None,
    facts: str | None = None,
    property: str | None = None,
    evidence: Literal["none", "triggered", "all"] = "triggered",
    strict_coverage: bool = False,
    without: Sequence[str] = (),
    point_area_ha: float | None = None,
    workers: int = 1,
    batch_rows: int = 1000,
    batch_bytes: int = 16 * 1024 * 1024,
    deadline: float = 600.0,
    cache_dir: str | os.PathLike[str] | None = None,
) -> Frame:
    """Tells of each plot whether it complies with a ruleset.

    :param df: plots, one a row: a DataFrame of Spark or pandas, or a pyarrow Table. The answer is of the same kind.
    :param ruleset: a ruleset as a mapping or the path of its JSON file, or the name of a preset; None: the archive's
    :param archive: what `groundrule bundle` wrote: a path of every machine, or the name of what `addArchive` ships
    :param now: instant as of which plots are judged, ISO 8601 UTC; default: that of this call, for every row
    :param id: column that names the plots, text or whole numbers
    :param geometry: column of GeoJSON or WKT as text, or of WKB
    :param area_ha: column with the hectares around points
    :param country: column with ISO 3166-1 codes
    :param crs: column with the CRS of geometries, e.g. EPSG:31982
    :param scheme: column with identifiers as JSON: {"type": …, "value": …} or an array of such objects
    :param identifiers: columns of identifiers beside scheme, by scheme and role: {"br:cnpj:owner": "CNPJ"}; a cell may
        list several
    :param facts: column with what is declared, by the names that the ruleset gives: a map, a struct, or text (JSON)
    :param property: column with the land that the plot is part of, GeoJSON or WKT as text, in the CRS of the plot
    :param evidence: of which checks it is told
    :param strict_coverage: take sources that do not declare where they speak as covering no plot
    :param without: names of sources and groups to do without: they cover nothing, and leave checks open
    :param point_area_ha: hectares around each point that has none of its own
    :param workers: children that answer at the same time; in Spark each Python worker has one of its own
    :param batch_rows: most plots a child is asked about at once
    :param batch_bytes: most bytes a child is asked about at once
    :param deadline: most seconds a child may take for so many
    :param cache_dir: folder for what is unpacked; default: the user's cache

    A column that is not named is the one of its parameter's name, where there is one.
    Returns one row a plot, with the columns of `result_schema`: id, verdict, at_least, check:ID for each check of the
    ruleset, digest, evidence (structs), and error_code with error_message for a plot that cannot be judged.
    Raises `ArchiveError`, `ScreeningError`, `TypeError`, `ValueError`; in Spark the task fails, and is tried again.
    """
    options = [f"--evidence={evidence}"]
    if strict_coverage:
        options.append("--strict-coverage")
    if isinstance(without, str):
        raise TypeError(f"found the text {without!r} as without, expected a sequence of names")
    options.extend(f"--without={name}" for name in without)
    if point_area_ha is not None:
        options.append(f"--point-area-ha={point_area_ha}")
    for name, value in {"workers": workers, "batch_rows": batch_rows, "batch_bytes": batch_bytes}.items():
        if value < 1:
            raise ValueError(f"found {value} as {name}, expected 1 or more")
    if not deadline > 0:
        raise ValueError(f"found {deadline} as deadline, expected seconds")
    named = {
        "id": id,
        "geometry": geometry,
        "area_ha": area_ha,
        "country": country,
        "crs": crs,
        "scheme": scheme,
        "facts": facts,
        "property": property,
    }
    columns = columns_of(_column_names(df), named)
    of_identifiers, reading = identifiers_of(_column_names(df), identifiers or {})
    columns |= of_identifiers
    options += reading
    is_spark = _is_of(df, "pyspark.")
    plan = Plan(
        archive=os.fspath(archive),
        digest="",
        ruleset=_ruleset_text(ruleset),
        now=_instant(now),
        options=tuple(options),
        deadline=deadline,
        batch_rows=batch_rows,
        batch_bytes=batch_bytes,
        cache=None if cache_dir is None else os.fspath(cache_dir),
    ).probed(keep=not is_spark)
    if is_spark:
        return _screen_spark(df, columns, plan)
    table = df if isinstance(df, pa.Table) else _table_of_pandas(df, columns)
    answers = _screen_table(table, columns, plan, workers)
    return answers if isinstance(df, pa.Table) else answers.to_pandas()


def _screen_spark(df: Any, columns: Mapping[str, str], plan: Plan) -> Any:
    from pyspark.sql.functions import col
    from pyspark.sql.pandas.types import from_arrow_schema

    plots = df.select(*[col(f"`{column.replace('`', '``')}`").alias(name) for name, column in columns.items()])

    def answer(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return plan.answer(batches)

    return plots.mapInArrow(answer, from_arrow_schema(plan.columns))


def _table_of_pandas(df: Any, columns: Mapping[str, str]) -> pa.Table:
    # A column may be read as two things, such as the id and an identifier.
    return pa.Table.from_pandas(df[list(dict.fromkeys(columns.values()))], preserve_index=False)


def _screen_table(table: pa.Table, columns: Mapping[str, str], plan: Plan, workers: int) -> pa.Table:
    plots = table.select(list(columns.values())).rename_columns(list(columns))
    pieces = [piece for batch in plots.to_batches() for piece in pieces_of(batch, plan.batch_rows, plan.batch_bytes)]
    slots: SimpleQueue[int] = SimpleQueue()
    for slot in range(workers):
        slots.put(slot)

    def answer(piece: pa.RecordBatch) -> pa.RecordBatch:
        slot = slots.get()
        try:
            return plan.answer_piece(plots_of(piece), slot)
        finally:
            slots.put(slot)

    with ThreadPoolExecutor(workers) as pool:
        answers = list(pool.map(answer, pieces))
    return pa.Table.from_batches(
        [batch.replace_schema_metadata(None) for batch in answers], schema=plan.columns
    ).replace_schema_metadata(plan.expected)


def _column_names(df: Any) -> list[str]:
    if isinstance(df, pa.Table):
        return list(df.column_names)
    if _is_of(df, "pandas.") or _is_of(df, "pyspark."):
        return [str(name) for name in df.columns]
    raise TypeError(f"found {type(df)}, expected a DataFrame of Spark or pandas, or a pyarrow Table")


def _is_of(df: object, package: str) -> bool:
    return any(each.__module__.startswith(package) for each in type(df).__mro__)


def _ruleset_text(ruleset: str | os.PathLike[str] | Mapping[str, Any] | None) -> str | None:
    if ruleset is None:
        return None
    if isinstance(ruleset, Mapping):
        return json.dumps(ruleset)
    path = Path(ruleset)
    if isinstance(ruleset, str) and ruleset.startswith("preset.") and not ruleset.endswith(".json"):
        return ruleset
    text = path.read_text(encoding="utf-8-sig").strip()
    if not text.startswith("{"):
        raise ValueError(f"{path} does not contain a ruleset; expected an object with sets and checks")
    return text


def _instant(now: str | datetime | None) -> str:
    if isinstance(now, str):
        return now
    moment = now or datetime.now(timezone.utc)
    if moment.tzinfo is None:
        raise ValueError(f"found {moment!r} as now, expected an instant with its time zone")
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")

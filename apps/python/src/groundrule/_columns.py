"""Columns of tables as a child reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from importlib.resources import files
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

#: Columns of plots that a child reads.
PLOT_COLUMNS: tuple[str, ...] = tuple(json.loads(files("groundrule").joinpath("plot-columns.json").read_text("utf-8")))
_REQUIRED = ("id", "geometry")
#: Begins the name under which a child reads a column of identifiers.
_IDENTIFIERS = "identifiers "


def columns_of(found: Sequence[str], named: Mapping[str, str | None]) -> dict[str, str]:
    """Which columns of a table are read as which.

    :param found: the columns that the table has
    :param named: column names by what they are read as; None: the column of that name, where there is one
    Raises `ValueError` for a column that is missing.
    """
    chosen = {}
    for name in PLOT_COLUMNS:
        column = named.get(name)
        if column is None and name not in found and name not in _REQUIRED:
            continue
        column = column or name
        if list(found).count(column) != 1:
            times = "no" if column not in found else "more than one"
            raise ValueError(f"found {times} column {column!r} among {', '.join(found)}, expected it as {name}")
        chosen[name] = column
    return chosen


def identifiers_of(
    found: Sequence[str], identifiers: Mapping[str, str | Sequence[str]]
) -> tuple[dict[str, str], list[str]]:
    """Which columns of a table hold identifiers, by the names that a child reads them under, and its options.

    :param found: the columns that the table has
    :param identifiers: a column, or several, by what they hold: "br:cnpj:owner"
    Raises `ValueError` for a column that is missing.
    """
    names: dict[str, str] = {}
    options = []
    for kind, named in identifiers.items():
        for column in [named] if isinstance(named, str) else named:
            if list(found).count(column) != 1:
                times = "no" if column not in found else "more than one"
                raise ValueError(f"found {times} column {column!r} among {', '.join(found)}, expected it as {kind}")
            # One name a column, so that the child sees which kinds share it.
            name = names.setdefault(column, f"{_IDENTIFIERS}{len(names) + 1}")
            options.append(f"--identifier={kind}={name}")
    return {name: column for column, name in names.items()}, options


def plots_of(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch with columns of the types that a child reads. Raises `TypeError` for a type that cannot be one."""
    names = batch.schema.names
    columns = [cast_column(name, column) for name, column in zip(names, batch.columns, strict=True)]
    return pa.RecordBatch.from_arrays(columns, names=names)


def pieces_of(batch: pa.RecordBatch, rows: int, size: int) -> Iterator[pa.RecordBatch]:
    """A batch in slices of at most so many rows, and so many bytes unless one row alone has more."""
    for start in range(0, batch.num_rows, rows):
        yield from _halved(batch.slice(start, rows), size)


def _halved(batch: pa.RecordBatch, size: int) -> Iterator[pa.RecordBatch]:
    if batch.num_rows <= 1 or batch.nbytes <= size:
        yield batch
        return
    middle = batch.num_rows // 2
    yield from _halved(batch.slice(0, middle), size)
    yield from _halved(batch.slice(middle), size)


def cast_column(name: str, column: pa.Array) -> pa.Array:
    """A column of the type that a child reads. Raises `TypeError` for a type that cannot be one."""
    if isinstance(column, pa.ExtensionArray):  # e.g. geoarrow.wkb
        column = column.storage
    if pa.types.is_dictionary(column.type):
        column = pa.DictionaryArray.from_arrays(column.indices, without_views(column.dictionary)).dictionary_decode()
    type_ = column.type
    # pandas has a column without a value as numbers.
    if pa.types.is_null(type_) or (pa.types.is_floating(type_) and column.null_count == len(column)):
        return column.cast(pa.float64() if name == "area_ha" else pa.string())
    if name == "area_ha":
        if pa.types.is_integer(type_) or pa.types.is_floating(type_) or pa.types.is_decimal(type_):
            return pc.cast(column, pa.float64(), safe=False)
        raise TypeError(f"found {type_} as the type of {name}, expected a number of hectares")
    if name.startswith(_IDENTIFIERS) and pa.types.is_floating(type_):
        return column.cast(pa.float64())
    if name.startswith(_IDENTIFIERS) and (pa.types.is_integer(type_) or pa.types.is_decimal(type_)):
        return column.cast(pa.string())
    if name == "facts" and (pa.types.is_map(type_) or pa.types.is_struct(type_)):
        return pa.array([_facts_text(row) for row in column.to_pylist()], pa.string())
    if name == "property" and pa.types.is_primitive(type_):  # a number of the farm, which is no geometry
        return column.cast(pa.string())
    if _is_text(type_) or (name == "id" and pa.types.is_integer(type_)):
        return column.cast(pa.string())
    if name == "geometry" and _is_bytes(type_):
        return column.cast(pa.binary())
    expected = {
        "id": "text or whole numbers",
        "geometry": "text (GeoJSON or WKT) or binary (WKB)",
        "facts": "a map, a struct or text (JSON)",
        "property": "text (GeoJSON or WKT)",
    }
    raise TypeError(f"found {type_} as the type of {name}, expected {expected.get(name, 'text')}")


def without_views(column: Any) -> Any:
    """A column in a type whose rows Arrow can choose: polars has texts and bytes as views."""
    for is_view, type_ in (("is_string_view", pa.large_string()), ("is_binary_view", pa.large_binary())):
        if getattr(pa.types, is_view, lambda _: False)(column.type):
            return column.cast(type_)
    return column


def json_text(value: Any) -> str:
    """A value as JSON. Raises `TypeError` or `ValueError` for one that JSON does not have."""
    return json.dumps(value, default=_plain, allow_nan=False)


def _facts_text(row: Any) -> str | None:
    """Facts by name as JSON, of a row of a map, which is a list of pairs, or of a struct."""
    return None if row is None else json.dumps(dict(row), default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "item"):  # a number of numpy
        return value.item()
    if isinstance(value, datetime) and value.timetz() == time():  # a day, as pandas has it
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"found {value!r}, expected text, a number, a boolean, a day or a document")


def _is_text(type_: pa.DataType) -> bool:
    view = getattr(pa.types, "is_string_view", lambda _: False)
    return pa.types.is_string(type_) or pa.types.is_large_string(type_) or view(type_)


def _is_bytes(type_: pa.DataType) -> bool:
    view = getattr(pa.types, "is_binary_view", lambda _: False)
    return (
        pa.types.is_binary(type_)
        or pa.types.is_large_binary(type_)
        or pa.types.is_fixed_size_binary(type_)
        or view(type_)
    )

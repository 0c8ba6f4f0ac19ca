"""Frames of plots: as batches of Arrow that a child reads, and results joined back to them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from groundrule._columns import (
    PLOT_COLUMNS,
    cast_column,
    columns_of,
    identifiers_of,
    json_text,
    pieces_of,
    without_views,
)
from groundrule._errors import GroundruleError, require

#: Most bytes of a batch.
_BATCH_BYTES = 16 * 1024 * 1024
#: Codes of EPSG, and others, that mean longitude and latitude on WGS 84, as the command reads plots without a CRS.
_LONGITUDE_LATITUDE = (("EPSG", "4326"), ("OGC", "CRS84"))

#: Exceptions of Arrow for values that it cannot read.
_UNREADABLE = (pa.ArrowException, OverflowError, TypeError, ValueError)


class Plots:
    """Plots of a frame, in their order."""

    def __init__(
        self,
        frame: Any,
        *,
        id: str | None = None,
        columns: Mapping[str, str] | None = None,
        identifiers: Mapping[str, str | Sequence[str]] | None = None,
        crs: Any = None,
        read: Collection[str] = PLOT_COLUMNS,
    ) -> None:
        """Chooses the columns.

        Parameters
        ----------
        frame
            A GeoDataFrame, GeoSeries, DataFrame of pandas or polars, Table of pyarrow, or any other table with the
            method ``__arrow_c_stream__``.
        id, columns, identifiers, crs
            As of `Data.screen`.
        read
            The columns of plots that are read.
        """
        named = named_columns(id, columns, identifiers)
        if _is_of(frame, "geopandas.geoseries"):
            frame = frame.to_frame("geometry" if frame.name is None else frame.name)
        self._frame = frame
        self._geo: Any = None
        self._table: Any = None
        self.id: str | None = id
        if _is_of(frame, "pandas.") and hasattr(frame, "columns"):
            self.kind = "pandas"
            self.count = len(frame)
            names = [str(name) for name in frame.columns]
            self._at = {name: at for at, name in enumerate(names)}
            if _is_of(frame, "geopandas."):
                self._geo = _active_geometry(frame)
                active = str(self._geo.name)
                if named.setdefault("geometry", active) != active:
                    raise _unsupported(
                        f"found {named['geometry']!r} as geometry, expected the active {active!r}; choose another by"
                        " set_geometry"
                    )
                # No other column is read as the geometry, and this one as nothing else.
                names = ["geometry", *[name for name in names if name not in (active, "geometry")]]
                named["geometry"] = "geometry"
        elif _is_of(frame, "polars.") and hasattr(frame, "__arrow_c_stream__") and hasattr(frame, "columns"):
            self.kind = "polars"
            self.count = frame.height
            names = list(frame.columns)
        else:
            self.kind = "arrow"
            self._frame = _table_of(frame)
            self.count = self._frame.num_rows
            names = list(self._frame.column_names)
        if id is None and names.count("id") == 1:
            self.id = "id"
        if (geometry := named.get("geometry", "geometry")) not in names:
            raise _unsupported(
                f"found no column {geometry!r} among {', '.join(names)}, expected it as geometry; for coordinates in"
                " columns, make a GeoDataFrame by geopandas.points_from_xy"
            )
        try:
            # Rows have their positions as ids where they have no other.
            listed = names if self.id is not None else [*names, "id"]
            self._columns = columns_of(listed, {**named, "id": self.id})
            of_identifiers, self.words = identifiers_of(names, identifiers or {})
        except ValueError as error:
            raise _unsupported(str(error)) from error
        self._columns = {name: column for name, column in self._columns.items() if name in read} | of_identifiers
        if self.kind == "polars":
            chosen = sorted({*self._columns.values()} & {*names})
            if objects := [name for name in chosen if str(frame.schema[name]) == "Object"]:
                raise _unreadable(objects[0], "a column of Arrow: found objects of Python")
            self._table = _table_of(frame.select(chosen))
        elif self.kind == "arrow":
            self._table = self._frame
        if self.kind == "pandas":
            found_crs = None if self._geo is None else self._geo.crs
        else:
            found_crs = _crs_of_column(self._table.schema, self._columns["geometry"])
        self.words = [*self.words, *crs_words(crs, found_crs, "crs" in self._columns)]

    def batches(self, rows: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Batches of at most so many rows, each with the position of its first; an empty one where there are none."""
        if self.count == 0:
            types = {"geometry": pa.binary(), "area_ha": pa.float64()}
            yield 0, pa.record_batch({name: pa.array([], types.get(name, pa.string())) for name in self._columns})
        for start in range(0, self.count, rows):
            end = min(start + rows, self.count)
            arrays = []
            for name, column in self._columns.items():
                try:
                    arrays.append(cast_column(name, self._array(name, column, start, end)))
                except _UNREADABLE as error:
                    hint = "; make a GeoDataFrame of geometries" if name == "geometry" else ""
                    raise _unreadable(column, f"{name.split(' ')[0]}: {error}{hint}") from error
            at = start
            for piece in pieces_of(pa.RecordBatch.from_arrays(arrays, names=list(self._columns)), rows, _BATCH_BYTES):
                yield at, piece
                at += piece.num_rows

    def ids(self) -> pa.Array | pa.ChunkedArray | None:
        """The column of ids, with its own type."""
        if self.id is None:
            return None
        if self.kind != "pandas":
            return without_views(self._table.column(self.id))
        try:
            return pa.array(self._frame.iloc[:, self._at[self.id]], from_pandas=True)
        except _UNREADABLE as error:
            raise _unreadable(self.id, f"id: {error}") from error

    def with_columns(self, results: pa.Table) -> Any:
        """The frame with columns of results beside its own, of its kind."""
        names = results.column_names
        frame = self._frame
        labels = list(frame.column_names if self.kind == "arrow" else frame.columns)
        kept = _names_beside(labels, names)
        if self.kind == "polars":
            frame = frame.rename(dict(zip(labels, kept, strict=True)))
            return frame.hstack(require("polars", "a result for polars").from_arrow(results).get_columns())
        if self.kind == "arrow":
            table = frame.rename_columns(kept)
            for name in names:
                table = table.append_column(name, results.column(name))
            return table
        frame = frame.copy(deep=False)
        if kept != labels:
            frame.columns = kept
            if self._geo is not None:
                frame = frame.set_geometry(kept[labels.index(self._geo.name)])
        for name in names:
            frame[name] = _pandas_column(name, results.column(name))
        return frame

    def pairs(self, table: pa.Table) -> Any:
        """A table of pairs, of the kind of the frame: with its index, and its ids where it has a column of them."""
        if self.kind != "pandas":
            table = self.with_ids(table, self.ids())
            return require("polars", "a result for polars").from_arrow(table) if self.kind == "polars" else table
        rows = table.column("row").to_numpy()
        table = table.remove_column(0)
        pandas = require("pandas", "a result for pandas")
        data = {name: _pandas_column(name, table.column(name)) for name in table.column_names}
        if self.id is not None:
            ids = self._frame.iloc[rows, self._at[self.id]].array
            data = {_names_beside([self.id], list(data))[0]: ids, **data}
        return pandas.DataFrame(data, index=self._frame.index.take(rows), copy=False)

    def with_ids(self, table: pa.Table, ids: pa.Array | pa.ChunkedArray | None) -> pa.Table:
        """A table of pairs with the ids of their plots."""
        if ids is None:
            return table
        name = _names_beside([str(self.id)], table.column_names)[0]
        return table.add_column(1, name, ids.take(table.column("row").combine_chunks()))

    def _array(self, name: str, column: str, start: int, end: int) -> pa.Array:
        if name == "id" and self.id is None:
            return pa.array(range(start, end)).cast(pa.string())
        if self.kind != "pandas":
            return self._table.column(column).slice(start, end - start).combine_chunks()
        if name == "geometry" and self._geo is not None:
            return pa.array(require("shapely", "geometries").to_wkb(self._geo.values[start:end]), pa.binary())
        series = self._frame.iloc[start:end, self._at[column]]
        if _is_of(series.dtype, "geopandas."):
            raise TypeError("found geometries of geopandas")
        return pa.array(series, from_pandas=True)


def single_plot(plot: Any) -> tuple[str | bytes, str]:
    """A geometry as a child reads it, and the id of its feature.

    Parameters
    ----------
    plot
        A geometry or Feature of GeoJSON, as a mapping or text; WKT; WKB; or a geometry of shapely, or any other object
        with the attribute ``__geo_interface__``.
    """
    if isinstance(plot, (bytes, bytearray, memoryview)):
        return bytes(plot), "plot"
    if isinstance(plot, str):
        return plot, "plot"
    if _is_of(plot, "shapely."):
        return bytes(plot.wkb), "plot"
    mapping = plot if isinstance(plot, Mapping) else getattr(plot, "__geo_interface__", None)
    if not isinstance(mapping, Mapping):
        raise _unsupported(f"found {type(plot).__name__}, expected GeoJSON, WKT, WKB or a geometry of shapely")
    id_ = mapping.get("id") if mapping.get("type") == "Feature" else None
    try:
        text = json_text(mapping)
    except (RecursionError, TypeError, ValueError) as error:
        raise _unsupported(f"found a value that JSON does not have: {error}") from error
    return text, "plot" if id_ is None else str(id_)


def crs_words(named: Any, found: Any, has_column: bool = False) -> list[str]:
    """The option for the CRS of plots.

    Parameters
    ----------
    named
        What the caller names: ``EPSG:31982``, ``31982``, or a CRS of pyproj.
    found
        The CRS of the frame, as pyproj has it, or None.
    has_column
        True if a column names the CRS of each plot.
    """
    own = None if found is None else crs_name(found)
    # The command knows further names of a CRS, which are compared with none.
    chosen = own if named is None else named if own is None and isinstance(named, str) else crs_name(named)
    if own is not None and chosen != own:
        message = f"found plots in {own}, and {named} as crs; leave out crs, or convert the plots by to_crs"
        raise GroundruleError("CRS_MISMATCH", message)
    if has_column:
        if named is not None or own not in (None, "EPSG:4326"):
            message = f"found plots in {chosen}, and a column with the CRS of each; rename the column, or leave out crs"
            raise GroundruleError("CRS_MISMATCH", message)
        return []
    return [] if chosen is None or _plain_name(chosen) == "EPSG:4326" else [f"--crs={chosen}"]


def progress_of(progress: Any, total: int, unit: str = "plots") -> Any:
    """A function that takes the number of plots done so far, for each kind of `progress`; and one that ends it."""
    if progress is None or progress is False:
        return (lambda done: None), (lambda: None)
    if callable(progress):
        return (lambda done: progress(done, total)), (lambda: None)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return (lambda done: None), (lambda: None)
    bar = tqdm(total=total, unit=unit)
    return (lambda done: bar.update(done - bar.n)), bar.close


def _active_geometry(frame: Any) -> Any:
    try:
        return frame.geometry
    except AttributeError as error:
        raise _unsupported("found a GeoDataFrame without an active geometry; name one by set_geometry") from error


def _table_of(frame: Any) -> pa.Table:
    if isinstance(frame, pa.Table):
        return frame
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame])
    if hasattr(frame, "__arrow_c_stream__"):
        try:
            return pa.table(frame)
        except _UNREADABLE as error:
            raise _unsupported(f"cannot read {type(frame).__name__} as a table of Arrow: {error}") from error
    raise _unsupported(f"found {type(frame).__name__}, expected a GeoDataFrame, or a table of pandas, polars or Arrow")


def _crs_of_column(schema: pa.Schema, name: str) -> Any:
    """The CRS of a column of geoarrow or GeoParquet by the metadata of its field or schema, or None."""
    field = schema.field(name)
    text = (field.metadata or {}).get(b"ARROW:extension:metadata")
    if text is None and isinstance(field.type, pa.ExtensionType):
        text = field.type.__arrow_ext_serialize__()
    try:
        own = json.loads(text or b"{}").get("crs")
        of_file = json.loads((schema.metadata or {}).get(b"geo", b"{}"))
        crs = own if own is not None else of_file.get("columns", {}).get(name, {}).get("crs")
    except (ValueError, AttributeError):
        return None
    if isinstance(crs, Mapping) and isinstance(crs.get("id"), Mapping):
        return f"{crs['id'].get('authority')}:{crs['id'].get('code')}"
    return crs


def crs_name(crs: Any) -> str:
    if isinstance(crs, int):
        return _plain_name(f"EPSG:{crs}")
    if isinstance(crs, str) and crs.count(":") == 1:
        return _plain_name(crs)
    known: Any = crs
    if not hasattr(crs, "to_authority"):
        pyproj = require("pyproj", "a CRS that is no code of EPSG")
        try:
            known = pyproj.CRS.from_user_input(crs)
        except (pyproj.exceptions.CRSError, *_UNREADABLE) as error:
            raise GroundruleError(
                "CRS_UNKNOWN", f"found {crs!r} as CRS, expected such as EPSG:31982: {error}"
            ) from error
    authority = known.to_authority()
    if authority is None:
        message = f"found the CRS {known.name}, which has no EPSG code; convert the plots by to_crs(4326)"
        raise GroundruleError("CRS_UNKNOWN", message)
    return _plain_name(":".join(authority))


def _plain_name(name: str) -> str:
    return "EPSG:4326" if tuple(name.upper().split(":")) in _LONGITUDE_LATITUDE else name.upper()


def _pandas_column(name: str, column: pa.ChunkedArray) -> Any:
    """A column of results for pandas: few different texts as categories, other texts in Arrow's memory."""
    pandas = require("pandas", "a result for pandas")
    if not pa.types.is_string(column.type):
        return column.to_numpy() if pa.types.is_floating(column.type) else column.to_pandas().array
    if name in ("digest", "source_id", "name", "id", "error_message"):
        return pandas.StringDtype("pyarrow").__from_arrow__(column)
    return column.dictionary_encode().unify_dictionaries().to_pandas().array


def _names_beside(labels: Sequence[Any], results: Collection[str]) -> list[Any]:
    """Names of columns beside those of results: a column that has one of their names is kept under another."""
    taken = {*labels, *results}
    kept = []
    for label in labels:
        name = label
        while name in results or (name != label and name in taken):
            name = f"plot:{name}"
        taken.add(name)
        kept.append(name)
    return kept


def named_columns(id: Any, columns: Any, identifiers: Any) -> dict[str, str]:
    """Columns by what they are read as. Raises for what names none."""
    if not (id is None or isinstance(id, str)):
        raise GroundruleError("CALL_INVALID", f"found {id!r} as id, expected the name of a column")
    for parameter, named in (("columns", columns), ("identifiers", identifiers)):
        if not (named is None or isinstance(named, Mapping)):
            raise GroundruleError("CALL_INVALID", f"found {named!r} as {parameter}, expected names of columns by name")
        for name, column in (named or {}).items():
            several = parameter == "identifiers" and isinstance(column, (list, tuple))
            if not all(isinstance(each, str) for each in [name, *(column if several else [column])]):
                message = f"found {column!r} as {parameter}[{name!r}], expected the name of a column"
                raise GroundruleError("CALL_INVALID", message)
    unknown = sorted({*(columns or {})} - ({*PLOT_COLUMNS} - {"id"}))
    if unknown:
        raise _unsupported(f"found {unknown[0]!r} among columns, expected names of what a plot has, such as area_ha")
    return dict(columns or {})


def _is_of(value: object, package: str) -> bool:
    return any(f"{each.__module__}.".startswith(package) for each in type(value).__mro__)


def _unreadable(column: str, problem: str) -> GroundruleError:
    return _unsupported(f"cannot read the column {column!r} as {problem}")


def _unsupported(message: str) -> GroundruleError:
    return GroundruleError("FORMAT_UNSUPPORTED", message)

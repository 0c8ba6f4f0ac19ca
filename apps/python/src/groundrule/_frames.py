"""Frames of plots: as batches of Arrow that a child reads, and results joined back to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from groundrule._columns import columns_of, identifiers_of, pieces_of, plots_of
from groundrule._errors import GroundruleError, require

#: Most bytes of a batch.
_BATCH_BYTES = 16 * 1024 * 1024
#: Codes of EPSG, and others, that mean longitude and latitude on WGS 84, as the command reads plots without a CRS.
_LONGITUDE_LATITUDE = (("EPSG", "4326"), ("OGC", "CRS84"))


class Plots:
    """Plots of a frame, in their order."""

    def __init__(
        self,
        frame: Any,
        *,
        id: str | None = None,
        columns: Mapping[str, str] | None = None,
        identifiers: Mapping[str, str | Sequence[str]] | None = None,
        crs: str | None = None,
    ) -> None:
        """Chooses the columns.

        Parameters
        ----------
        frame
            A GeoDataFrame, GeoSeries, DataFrame of pandas or polars, Table of pyarrow, or any other table with the
            method ``__arrow_c_stream__``.
        id, columns, identifiers, crs
            As of `Data.screen`.
        """
        self._frame = frame
        self._geo: Any = None
        found_crs: Any = None
        self.id: str | None = id
        if _is_of(frame, "geopandas.") or _is_of(frame, "pandas."):
            self.kind = "pandas"
            if _is_of(frame, "geopandas.geoseries"):
                self._frame = frame.to_frame("geometry" if frame.name is None else frame.name)
            self.count = len(frame)
            names = [str(name) for name in self._frame.columns]
            if _is_of(frame, "geopandas."):
                self._geo = _active_geometry(self._frame)
                found_crs = self._geo.crs
                names = ["geometry", *[name for name in names if name != self._geo.name and name != "geometry"]]
        else:
            self.kind = "polars" if _is_of(frame, "polars.") else "arrow"
            self._frame = _table_of(frame)
            self.count = self._frame.num_rows
            names = list(self._frame.column_names)
            found_crs = _crs_of_field(self._frame.schema, (columns or {}).get("geometry", "geometry"))
        if id is None and names.count("id") == 1:
            self.id = "id"
        if self.id is not None and self._geo is not None and self.id not in names:
            raise _unsupported(f"found no column {self.id!r}, expected the ids of plots in it")
        named: dict[str, str | None] = {**(columns or {})}
        unknown = sorted(set(named) - {"geometry", "area_ha", "country", "crs", "scheme", "facts", "property"})
        if unknown:
            raise _unsupported(
                f"found {unknown[0]!r} among columns, expected names of what a plot has, such as area_ha"
            )
        # Rows have their positions as ids where they have no other.
        listed = names if self.id is not None else [*names, "id"]
        if self.id is not None:
            named["id"] = self.id
        try:
            self._columns = columns_of(listed, named)
            of_identifiers, self.words = identifiers_of(names, identifiers or {})
        except ValueError as error:
            raise _unsupported(str(error)) from error
        self._columns |= of_identifiers
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
                    arrays.append(self._array(name, column, start, end))
                except (pa.ArrowException, TypeError, ValueError) as error:
                    raise _unsupported(f"cannot read the column {column!r} as {name}: {error}") from error
            batch = pa.RecordBatch.from_arrays(arrays, names=list(self._columns))
            at = start
            for piece in pieces_of(batch, rows, _BATCH_BYTES):
                try:
                    plots = plots_of(piece)
                except (TypeError, pa.ArrowException) as error:
                    raise _unsupported(str(error)) from error
                yield at, plots
                at += piece.num_rows

    def ids(self) -> pa.Array | pa.ChunkedArray | None:
        """The column of ids, with its own type."""
        if self.id is None:
            return None
        if self.kind != "pandas":
            return self._frame.column(self.id)
        try:
            return pa.array(self._frame[self.id], from_pandas=True)
        except pa.ArrowException as error:
            raise _unsupported(f"cannot read the column {self.id!r} as id: {error}") from error

    def with_columns(self, results: pa.Table) -> Any:
        """The frame with columns of results beside its own, of its kind."""
        names = results.column_names
        if self.kind != "pandas":
            table = self._frame
            table = table.rename_columns([f"plot:{name}" if name in names else name for name in table.column_names])
            for name in names:
                table = table.append_column(name, results.column(name))
            return require("polars", "a result for polars").from_arrow(table) if self.kind == "polars" else table
        frame = self._frame
        clashes = {name: f"plot:{name}" for name in frame.columns if name in names}
        if self._geo is not None and self._geo.name in clashes:
            frame = frame.rename_geometry(clashes.pop(self._geo.name))
        frame = frame.rename(columns=clashes) if clashes else frame.copy(deep=False)
        for name in names:
            frame[name] = _pandas_column(name, results.column(name))
        return frame

    def pairs(self, table: pa.Table) -> Any:
        """A table of pairs, of the kind of the frame: with its index, and its ids where it has a column of them."""
        rows = table.column("row")
        ids = self.ids()
        if ids is not None:
            table = table.add_column(1, str(self.id), ids.take(rows.combine_chunks()))
        if self.kind == "arrow":
            return table
        if self.kind == "polars":
            return require("polars", "a result for polars").from_arrow(table)
        table = table.remove_column(0)
        pandas = require("pandas", "a result for pandas")
        data = {name: _pandas_column(name, table.column(name)) for name in table.column_names}
        return pandas.DataFrame(data, index=self._frame.index.take(rows.to_numpy()), copy=False)

    def _array(self, name: str, column: str, start: int, end: int) -> pa.Array:
        if name == "id" and self.id is None:
            return pa.array(range(start, end)).cast(pa.string())
        if self.kind != "pandas":
            return self._frame.column(column).slice(start, end - start).combine_chunks()
        if name == "geometry" and self._geo is not None:
            return pa.array(require("shapely", "geometries").to_wkb(self._geo.values[start:end]), pa.binary())
        return pa.array(self._frame[column].iloc[start:end], from_pandas=True)


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
        text = json.dumps(mapping, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise _unsupported(f"found a value that JSON does not have: {error}") from error
    return text, "plot" if id_ is None else str(id_)


def crs_words(named: str | None, found: Any, has_column: bool = False) -> list[str]:
    """The option for the CRS of plots.

    Parameters
    ----------
    named
        What the caller names, such as ``EPSG:31982``.
    found
        The CRS of the frame, as pyproj has it, or None.
    has_column
        True if a column names the CRS of each plot.
    """
    own = None if found is None else _crs_name(found)
    if named is not None and own is not None and own != _plain_name(named):
        message = f"found plots in {own}, and {named} as crs; leave out crs, or convert the plots by to_crs"
        raise GroundruleError("CRS_MISMATCH", message)
    if has_column:
        if own is not None and own != "EPSG:4326":
            message = f"found plots in {own}, and a column with the CRS of each; name other columns"
            raise GroundruleError("CRS_MISMATCH", message)
        return []
    chosen = named or own
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
        return pa.table(frame)
    raise _unsupported(f"found {type(frame).__name__}, expected a GeoDataFrame, or a table of pandas, polars or Arrow")


def _crs_of_field(schema: pa.Schema, name: str) -> Any:
    """The CRS in the metadata of a column of geoarrow, as pyproj has it, or None."""
    at = schema.get_field_index(name)
    if at < 0:
        return None
    field = schema.field(at)
    text = (field.metadata or {}).get(b"ARROW:extension:metadata")
    if text is None and isinstance(field.type, pa.ExtensionType):
        text = field.type.__arrow_ext_serialize__()
    try:
        crs = json.loads(text or b"{}").get("crs")
    except (ValueError, AttributeError):
        return None
    if isinstance(crs, Mapping) and isinstance(crs.get("id"), Mapping):
        return f"{crs['id'].get('authority')}:{crs['id'].get('code')}"
    return crs if crs is None or isinstance(crs, str) else require("pyproj", "a CRS in PROJJSON").CRS(crs)


def _crs_name(crs: Any) -> str:
    if isinstance(crs, str) and crs.count(":") == 1:
        return _plain_name(crs)
    if isinstance(crs, str):
        crs = require("pyproj", "a CRS in words").CRS(crs)
    authority = crs.to_authority()
    if authority is None:
        message = f"found the CRS {crs.name}, which has no EPSG code; convert the plots by to_crs(4326)"
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


def _is_of(value: object, package: str) -> bool:
    return any(f"{each.__module__}.".startswith(package) for each in type(value).__mro__)


def _unsupported(message: str) -> GroundruleError:
    return GroundruleError("FORMAT_UNSUPPORTED", message)

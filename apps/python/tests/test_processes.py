"""The child's life: threads, forks, pickles, signals and ends."""

import asyncio
import json
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest
from small_world import HALF, IS_FULL, NOW, OUTSIDE, RULESET, ndjson, random_plots

import groundrule
from groundrule import GroundruleError, _data
from groundrule._child import Slot

POSIX = pytest.mark.skipif(os.name != "posix", reason="a system without fork and signals")


def table_of(count: int) -> pa.Table:
    lines = ndjson(random_plots(count)).splitlines()
    return pa.table({"id": [f"plot {i}" for i in range(count)], "geometry": lines})


def is_running(pid: int) -> bool:
    """False of a process that ended, whether or not somebody has waited for it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for_end(pid: int) -> None:
    """Waits; a test that hangs here is ended by the runner of tests."""
    while is_running(pid):
        time.sleep(0.02)


def child_of(data: groundrule.Data) -> int:
    pid = data._slots[0].pid
    assert pid is not None
    return pid


def python(program: str, *words: str, **options: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), *words], stdout=subprocess.PIPE, text=True, **options
    )


@pytest.mark.parametrize("workers", [1, pytest.param(3, marks=pytest.mark.full)])
def test_rows_are_complete_and_none_is_there_twice_when_children_are_killed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, workers: int
) -> None:
    monkeypatch.setattr(_data, "_BATCH_ROWS", 50)
    plots = table_of(1000 if IS_FULL else 450)
    with groundrule.open(folder, workers=workers) as data:
        expected = data.screen(plots, RULESET, now=NOW)
        pairs = data.overlay(plots)
        kills = 0

        def kill(done: int, total: int) -> None:
            nonlocal kills
            if done % 150 == 0:
                pid = data._slots[kills % workers].pid
                if pid is not None:
                    os.kill(pid, signal.SIGKILL)
                    kills += 1

        assert data.screen(plots, RULESET, now=NOW, progress=kill) == expected
        assert data.overlay(plots, progress=kill) == pairs
    assert kills > (10 if IS_FULL else 3)
    assert "it is started again" in caplog.text


def test_a_child_killed_while_it_answers_is_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(_data, "_BATCH_ROWS", 500)
    plots = table_of(4000)
    with groundrule.open(folder) as data:
        expected = [data.overlay(plots), data.screen(plots, RULESET, now=NOW)]
        over = threading.Event()
        steps: list[int] = []

        def kill() -> None:
            while not over.wait(0.07):
                pid = data._slots[0].pid
                if pid is not None:
                    os.kill(pid, signal.SIGKILL)
                    over.wait(3)

        thread = threading.Thread(target=kill)
        thread.start()
        try:
            progress = {"progress": lambda done, total: steps.append(done)}
            answers = [data.overlay(plots, **progress), data.screen(plots, RULESET, now=NOW, **progress)]
        finally:
            over.set()
            thread.join()
    assert answers == expected
    assert steps == [*range(500, 4001, 500)] * 2
    assert "it is started again" in caplog.text


def slot(program: str, seconds: float = 60) -> Slot:
    return Slot([sys.executable, "-c", textwrap.dedent(program)], dict(os.environ), seconds)


def test_a_child_that_always_dies_is_told_with_its_last_words() -> None:
    dying = slot("import sys; sys.stdin.buffer.read(8); sys.stderr.write('out of memory'); sys.exit(9)")
    with pytest.raises(
        GroundruleError, match="exit code 9 in the middle of a call; it printed: out of memory"
    ) as ended:
        dying.call(["sources", "list"], None)
    assert ended.value.code == "CHILD_ENDED"


def test_a_child_that_refuses_is_not_started_twice(tmp_path: Path) -> None:
    count = tmp_path / "count"
    refusing = slot(f"open({str(count)!r}, 'a').write('x'); raise SystemExit('no such data (DATA_FOLDER_MISSING)')")
    with pytest.raises(GroundruleError) as ended:
        refusing.call(["sources", "list"], None)
    assert (ended.value.code, ended.value.message, count.read_text()) == ("DATA_FOLDER_MISSING", "no such data", "x")


def test_a_silent_child_is_ended() -> None:
    silent = slot("import time; time.sleep(600)", seconds=0.5)
    with pytest.raises(GroundruleError, match="did not answer within") as ended:
        silent.call(["sources", "list"], None)
    assert (ended.value.code, silent.pid) == ("CHILD_SILENT", None)


def test_an_answer_that_is_cut_short_is_no_answer() -> None:
    schema = pa.schema([("line", pa.string())]).with_metadata({"editions": "{}"}).serialize().to_pybytes()
    batch = pa.record_batch({"line": ["{}"]}).serialize().to_pybytes()
    plots = pa.record_batch({"id": ["a"], "geometry": ["POINT(0 0)"]})
    for answer in (schema, schema + batch, schema + batch[:-8], schema + b"\xff\xff\xff\xff\0\0\0\0"):
        cut = slot(f"import sys; sys.stdin.buffer.read(8); sys.stdout.buffer.write({answer!r})")
        with pytest.raises(GroundruleError) as ended:
            cut.call(["screen"], plots)
        assert ended.value.code == "CHILD_ENDED"


def test_a_child_that_answers_something_else_is_ended() -> None:
    for answer in ("b'hello'", "b'\\xff' * 4 + b'\\x10\\0\\0\\0' + b'x' * 400", "b'\\xff\\xff\\xff\\xff\\0\\0\\0\\0'"):
        other = slot(f"import sys; sys.stdin.buffer.read(8); sys.stdout.buffer.write({answer})")
        with pytest.raises(GroundruleError) as ended:
            other.call(["sources", "list"], None)
        assert ended.value.code == "CHILD_ENDED"


def test_sixteen_threads_share_a_child_and_get_their_own_answers(shared: groundrule.Data) -> None:
    plots = random_plots(64)
    expected = [shared.intersections(plot) for plot in plots]
    pid = child_of(shared)
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(shared.intersections, plots * 4)) == expected * 4
    assert child_of(shared) == pid


def test_calls_take_turns_in_the_order_in_which_they_came(shared: groundrule.Data) -> None:
    turns = shared._slots[0]._turns
    order: list[int] = []

    def call(number: int) -> None:
        shared.intersections(HALF)
        order.append(number)

    threads = []

    def start() -> None:
        for number in range(12):
            threads.append(threading.Thread(target=call, args=(number,)))
            threads[-1].start()
            while len(turns._line) <= number + 1:
                time.sleep(0.001)

    shared._slots[0]._in_turn(start)
    for thread in threads:
        thread.join()
    # A thread may be stopped between its answer and its note: neighbours may change places.
    assert max(abs(at - number) for at, number in enumerate(order)) <= 3


def test_an_overlay_in_batches_lets_other_calls_in_between(shared: groundrule.Data) -> None:
    plots = table_of(300)
    batches = []
    for batch in shared.overlay_batches(plots, batch_rows=100):
        batches.append(batch)
        assert shared.intersections(HALF)
    assert pa.Table.from_batches(batches) == shared.overlay(plots)


@POSIX
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_after_a_fork_both_processes_have_a_child_of_their_own(data: groundrule.Data) -> None:
    expected = data.intersections(HALF)
    pid = child_of(data)
    reading, writing = os.pipe()
    forked = os.fork()
    if forked == 0:
        try:
            is_same = data.intersections(HALF) == expected
            os.write(writing, f"{is_same} {child_of(data)}".encode())
        finally:
            os._exit(0)
    assert data.intersections(HALF) == expected
    os.waitpid(forked, 0)
    is_same, other = os.read(reading, 100).decode().split()
    assert (is_same, child_of(data)) == ("True", pid)
    assert int(other) != pid
    wait_for_end(int(other))
    assert data.intersections(HALF) == expected


@POSIX
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_amid_calls_of_other_threads_does_not_hang(data: groundrule.Data) -> None:
    over = threading.Event()

    def call() -> None:
        while not over.is_set():
            data.intersections(HALF)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            forked = os.fork()
            if forked == 0:
                os._exit(0 if data.intersections(HALF) else 1)
            assert os.waitpid(forked, 0)[1] == 0
    finally:
        over.set()
        for thread in threads:
            thread.join()


def count_matches(task: tuple[groundrule.Data, dict]) -> int:
    data, plot = task
    return len(data.intersections(plot))


@POSIX
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.full)])
def test_a_pool_of_processes_uses_the_handle(data: groundrule.Data, method: str) -> None:
    plots = random_plots(8)
    expected = [len(data.intersections(plot)) for plot in plots]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        assert list(pool.map(count_matches, [(data, plot) for plot in plots])) == expected
    assert [len(data.intersections(plot)) for plot in plots] == expected


@pytest.mark.full
def test_joblib_uses_the_handle(data: groundrule.Data) -> None:
    joblib = pytest.importorskip("joblib")
    plots = random_plots(8)
    expected = [len(data.intersections(plot)) for plot in plots]
    tasks = [joblib.delayed(count_matches)((data, plot)) for plot in plots]
    assert joblib.Parallel(n_jobs=2)(tasks) == expected


@pytest.mark.full
@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask_uses_the_handle(data: groundrule.Data, scheduler: str) -> None:
    dask = pytest.importorskip("dask")
    plots = random_plots(8)
    expected = [len(data.intersections(plot)) for plot in plots]
    tasks = [dask.delayed(count_matches)((data, plot)) for plot in plots]
    assert list(dask.compute(*tasks, scheduler=scheduler, num_workers=2)) == expected


def test_asyncio_waits_in_a_thread(shared: groundrule.Data) -> None:
    async def ask() -> list[dict]:
        calls = [asyncio.to_thread(shared.check, plot, RULESET) for plot in (HALF, OUTSIDE)]
        return await asyncio.gather(*calls)

    assert [verdict["verdict"] for verdict in asyncio.run(ask())] == ["NON_COMPLIANT", "COMPLIANT"]


@POSIX
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_the_call_and_leaves_the_handle_usable(folder: Path, workers: int) -> None:
    program = """
        import json, os, signal, sys, threading, time
        import groundrule, pyarrow
        data = groundrule.open(sys.argv[1], workers=int(sys.argv[3]))
        plots = pyarrow.table({"geometry": [sys.argv[2]] * 9000})
        expected = len(data.overlay(plots))
        first = [slot.pid for slot in data._slots]
        for pid in first:
            os.kill(pid, signal.SIGSTOP)  # the children do not answer
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            data.overlay(plots)
        except KeyboardInterrupt:
            print("interrupted", len(data.overlay(plots)) == expected, {slot.pid for slot in data._slots} & {*first})
    """
    with python(program, str(folder), json.dumps(HALF), str(workers)) as process:
        assert process.communicate()[0] == "interrupted True set()\n"


class InterruptedLock:
    """A lock that is released with a KeyboardInterrupt, once."""

    def __init__(self, release: int) -> None:
        self._lock = threading.Lock()
        self._left = release

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        self._left -= 1
        if self._left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("release", [1, 2])
def test_ctrl_c_while_a_turn_is_taken_or_left_keeps_no_turn(shared: groundrule.Data, release: int) -> None:
    shared._slots[0]._turns._guard = InterruptedLock(release)
    with pytest.raises(KeyboardInterrupt):
        shared.sources()
    assert shared.sources()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(shared.sources).result()


@POSIX
def test_ctrl_c_at_any_moment_leaves_the_handle_usable(folder: Path) -> None:
    program = """
        import json, os, random, signal, sys, threading, time
        import groundrule, pyarrow
        data = groundrule.open(sys.argv[1], timeout=60)
        plot, count = json.loads(sys.argv[2]), int(sys.argv[3])
        plots = pyarrow.table({"geometry": [sys.argv[2]] * 50})
        expected, rows = data.intersections(plot), data.overlay(plots)
        draw = random.Random(48)
        inside, over = threading.Event(), threading.Event()
        others = []

        def interrupt():
            while True:
                inside.wait()
                time.sleep(draw.uniform(0, 0.004))
                inside.clear()
                os.kill(os.getpid(), signal.SIGINT)

        def call():  # as a cell that runs in a thread, which Ctrl-C does not end
            while not over.wait(0.01):
                others.append(data.overlay(plots) == rows)

        threading.Thread(target=interrupt, daemon=True).start()
        thread = threading.Thread(target=call)
        thread.start()
        for _ in range(count):
            try:
                inside.set()
                while True:
                    assert data.intersections(plot) == expected
            except KeyboardInterrupt:
                pass
            assert data.intersections(plot) == expected
        over.set()
        thread.join()
        print("usable", all(others), len(others) > 0)
    """
    with python(program, str(folder), json.dumps(HALF), "300" if IS_FULL else "12") as process:
        assert process.communicate()[0] == "usable True True\n"


@POSIX
@pytest.mark.parametrize("has_forked", [False, True])
def test_no_child_is_left_of_a_python_that_is_killed(folder: Path, has_forked: bool) -> None:
    program = """
        import os, sys, time
        import groundrule
        data = groundrule.open(sys.argv[1])
        data.sources()
        if sys.argv[2] == "True" and os.fork() == 0:
            time.sleep(600)
        print(data._slots[0].pid, flush=True)
        while True:
            data.sources()
    """
    with python(program, str(folder), str(has_forked), start_new_session=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert is_running(child)
        os.kill(process.pid, signal.SIGKILL)
        wait_for_end(child)
        if has_forked:  # the forked process outlives it, and is ended here
            os.killpg(process.pid, signal.SIGKILL)


@POSIX
def test_no_child_is_left_of_an_interpreter_that_ends(folder: Path) -> None:
    program = """
        import sys, threading
        import groundrule
        data = groundrule.open(sys.argv[1])
        data.sources()
        print(data._slots[0].pid, flush=True)
        threading.Thread(target=lambda: [data.sources() for _ in range(10**9)], daemon=True).start()
    """
    with python(program, str(folder), stderr=subprocess.PIPE) as process:
        child = int(process.communicate()[0])
        assert process.returncode == 0
    wait_for_end(child)


@POSIX
def test_many_starts_and_ends_leave_no_file_and_no_process(folder: Path) -> None:
    files = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    pids = []
    for _ in range(1000 if IS_FULL else 5):
        with groundrule.open(folder) as data:
            data.intersections(HALF)
            pids.append(child_of(data))
    assert not [pid for pid in pids if is_running(pid)]
    if files:
        assert len(list(Path("/proc/self/fd").iterdir())) <= files + 2
    assert threading.active_count() < 20


def test_a_handle_that_is_dropped_ends_its_child(folder: Path) -> None:
    data = groundrule.open(folder)
    data.sources()
    pid = child_of(data)
    del data
    wait_for_end(pid)


@POSIX
@pytest.mark.full
def test_a_restarted_kernel_of_jupyter_has_no_child_of_the_last(folder: Path) -> None:
    manager = pytest.importorskip("jupyter_client.manager")
    pytest.importorskip("ipykernel")
    kernel = manager.KernelManager()
    kernel.start_kernel(env={**os.environ})

    def ask() -> int:
        client = kernel.client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=120)
            found: list[str] = []
            program = f"import groundrule; d = groundrule.open({str(folder)!r}); d.sources(); print(d._slots[0].pid)"
            client.execute_interactive(
                program, timeout=120, output_hook=lambda message: found.append(message["content"].get("text", ""))
            )
            return int("".join(found))
        finally:
            client.stop_channels()

    try:
        first = ask()
        kernel.restart_kernel()
        wait_for_end(first)
        assert ask() != first
    finally:
        kernel.shutdown_kernel(now=True)


def test_a_call_from_within_a_call_is_refused(shared: groundrule.Data) -> None:
    with pytest.raises(GroundruleError) as refused:
        shared._slots[0]._in_turn(shared.sources)
    assert refused.value.code == "HANDLE_BUSY"
    assert shared.sources()


def test_notes_of_the_command_are_logged(
    folder: Path, caplog: pytest.LogCaptureFixture, run: Callable[..., str]
) -> None:
    talking = slot("import sys; sys.stdin.buffer.read(8); sys.stderr.write('a note\\n'); sys.exit(9)")
    with caplog.at_level(logging.INFO, "groundrule"), pytest.raises(GroundruleError):
        talking.call(["sources", "list"], None)
    assert "a note" in caplog.text

"""The child process that answers: `groundrule screen --stdio`, one batch out for each in."""

from __future__ import annotations

import collections
import contextlib
import subprocess
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

import pyarrow as pa

from groundrule_spark._errors import ScreeningError

_START_SECONDS = 120.0
_END_SECONDS = 5.0
_ERROR_BYTES = 16 * 1024


class Child:
    """A child that is kept alive from batch to batch. One that failed in any way is ended, and answers no more."""

    def __init__(self, command: list[str], folder: Path, expected: Mapping[str, str]) -> None:
        """Starts it and waits for what its answers rest on.

        :param expected: what the metadata of its answers must say, by name
        Raises `ScreeningError` where it does not start, or would answer by something else than was asked for.
        """
        self.broken = False
        self._schema: pa.Schema | None = None
        self._writer: pa.RecordBatchStreamWriter | None = None
        self._lock = threading.Lock()
        try:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise ScreeningError(f"cannot start {command[0]}: {error.strerror}") from error
        self._error_output = _ErrorOutput(self._pipe(self._process.stderr))
        with self._exchange(_START_SECONDS, "did not start"):
            self._reader = pa.ipc.open_stream(self._pipe(self._process.stdout))
            #: Columns of its answers.
            self.columns = self._reader.schema.remove_metadata()
            metadata = self._reader.schema.metadata or {}
            self.metadata = {name.decode(): value.decode() for name, value in metadata.items()}
            for name, value in expected.items():
                found = self.metadata.get(name)
                if found != value:
                    raise ScreeningError(f"the child answers by {name} {found!r}, expected {value!r}")

    def takes(self, schema: pa.Schema) -> bool:
        """True if it accepts plots of these columns: those of its first plots, or any before these."""
        return not self.broken and self._schema in (None, schema)

    @property
    def is_busy(self) -> bool:
        return self._lock.locked()

    def answer(self, plots: pa.RecordBatch, deadline: float) -> pa.RecordBatch:
        """The answers to a batch of plots, row by row.

        :param deadline: seconds
        Raises `ScreeningError` where the child dies, is silent, or answers something else than it was asked.
        """
        with self._lock, self._exchange(deadline, "did not answer a batch"):
            stdin = self._pipe(self._process.stdin)
            if self._writer is None:
                self._schema = plots.schema
                self._writer = pa.ipc.new_stream(stdin, plots.schema, options=pa.ipc.IpcWriteOptions(compression=None))
            self._writer.write_batch(plots)
            stdin.flush()
            answers = next(self._reader, None)
            if answers is None:
                raise EOFError
            answers.validate(full=True)
            if answers.num_rows != plots.num_rows:
                raise ScreeningError(f"found {answers.num_rows} answers to {plots.num_rows} plots")
            if not answers.column("id").equals(plots.column("id")):
                raise ScreeningError("found answers to other ids than were asked")
            return answers

    def close(self) -> None:
        """Ends it, at once where it is in the middle of something."""
        if not self.broken:
            with contextlib.suppress(OSError):
                self._pipe(self._process.stdin).close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_SECONDS)
        self.kill()

    def kill(self) -> None:
        self.broken = True
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                self._pipe(pipe).close()

    @contextlib.contextmanager
    def _exchange(self, seconds: float, failure: str) -> Iterator[None]:
        """Whatever goes wrong inside ends the child, and is told with what it said last."""
        late = threading.Event()

        def end() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        done = False
        try:
            yield
            done = not late.is_set()
            if not done:
                raise TimeoutError
        except (OSError, EOFError, pa.ArrowException, ScreeningError, TimeoutError) as error:
            code = self._ended()
            reason = f"within {seconds:g} s" if late.is_set() else f"{_words(error)}; {code}"
            raise ScreeningError(f"the groundrule child {failure}: {reason}{self._error_output.text()}") from error
        finally:
            timer.cancel()
            if not done:
                self.kill()

    def _ended(self) -> str:
        """How it ended, where it did."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        code = self._process.poll()
        if code is None:
            return "it still ran"
        return f"a signal {-code} ended it" if code < 0 else f"it ended with exit code {code}"

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None  # all three are pipes
        return pipe


def _words(error: BaseException) -> str:
    if isinstance(error, EOFError):
        return "its answers ended"
    return str(error) or type(error).__name__


class _ErrorOutput:
    """The last of what a child says on standard error, read as it comes so that the child never waits for it."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._lines: collections.deque[bytes] = collections.deque()
        self._thread = threading.Thread(target=self._read, args=(pipe,), daemon=True)
        self._thread.start()

    def text(self) -> str:
        self._thread.join(0.5)
        text = b"".join(self._lines).decode(errors="replace").strip()
        return f"; it said: {text}" if text else ""

    def _read(self, pipe: IO[bytes]) -> None:
        kept = 0
        with pipe:
            while piece := pipe.readline(_ERROR_BYTES):
                self._lines.append(piece)
                kept += len(piece)
                while kept > _ERROR_BYTES:
                    kept -= len(self._lines.popleft())

"""The child process that answers: `groundrule stdio`, one Arrow stream out for each in."""

from __future__ import annotations

import atexit
import collections
import contextlib
import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import pyarrow as pa

from groundrule._errors import GroundruleError

LOG = logging.getLogger("groundrule")
_Result = TypeVar("_Result")

_END_SECONDS = 5.0
_ERROR_BYTES = 16 * 1024
_END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"
#: Codes with which the command ends where a second start would end alike.
_REFUSALS = (1, 2, 3, 4)


class Answer:
    """The answer to a call: metadata by name, and rows."""

    def __init__(self, schema: pa.Schema, batches: list[pa.RecordBatch]) -> None:
        metadata = schema.metadata or {}
        self.metadata: dict[str, str] = {name.decode(): value.decode() for name, value in metadata.items()}
        self.schema = schema.remove_metadata()
        self.batches = batches

    def table(self) -> pa.Table:
        return pa.Table.from_batches([batch.replace_schema_metadata(None) for batch in self.batches], self.schema)


class ChildEnded(Exception):
    """A child that ended or fell silent in the middle of a call."""

    def __init__(self, code: str, message: str, is_refusal: bool) -> None:
        super().__init__(message)
        self.code = code
        #: True if the command refused to start, as any other child would.
        self.is_refusal = is_refusal


class Child:
    """A running child. One that failed in any way is ended, and answers no more."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        # Ctrl-C of a terminal goes to a whole group of processes: this one ends the call, not the child.
        own_group: dict[str, Any] = (
            {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
            if sys.platform == "win32"
            else {"start_new_session": True}
        )
        try:
            self._process = subprocess.Popen(
                list(command),
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,  # without buffers of this process, which a fork would copy
                **own_group,
            )
        except OSError as error:
            raise GroundruleError("NODE_MISSING", f"cannot start {command[0]}: {error.strerror}") from error
        except (TypeError, ValueError) as error:
            raise GroundruleError("CALL_INVALID", f"cannot start the command: {error}") from error
        self.pid = self._process.pid
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin = self._process.stdin
        self._stdout = self._process.stdout
        self._stderr = self._process.stderr
        self._output = _Output(self._stdout)
        self._notes = _Notes(self._stderr)
        self._has_answered = False

    def exchange(self, words: Sequence[str], batch: pa.RecordBatch | None, seconds: float) -> Answer:
        """Asks one call, and reads its answer. Raises `ChildEnded`."""
        columns = pa.schema([]) if batch is None else batch.schema.remove_metadata()
        schema = columns.with_metadata({"call": json.dumps(list(words))})
        with self._deadline(seconds) as is_late:
            try:
                self._write(schema.serialize())
                reader = pa.ipc.open_stream(self._output)
                if batch is not None:
                    self._write(batch.serialize())
                self._write(_END_OF_STREAM)
                answer = Answer(reader.schema, list(reader))
                # Arrow takes bytes that end for a stream that ends.
                if self._output.is_ended:
                    raise EOFError("its answer was cut short")
                if batch is not None and len(answer.batches) != 1 and "error" not in answer.metadata:
                    raise EOFError(f"found {len(answer.batches)} batches of answers to one of plots")
            except (OSError, EOFError, ValueError, pa.ArrowException) as error:
                raise self._ended(error, seconds, is_late()) from error
        if is_late():
            raise self._ended(TimeoutError(), seconds, True)
        self._has_answered = True
        return answer

    def close(self) -> None:
        """Lets it end by itself, which it does at the end of its input; else kills it."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        self.kill()

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for pipe in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                pipe.close()

    def forget(self) -> None:
        """Lets go of it in a forked process: it is the child of the other."""
        for pipe in (self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        self._process.returncode = 0  # nobody waits for it here

    def _write(self, content: bytes | pa.Buffer) -> None:
        rest = memoryview(content).cast("B")
        while len(rest) > 0:
            written = self._stdin.write(rest)
            rest = rest[written or 0 :]

    @contextlib.contextmanager
    def _deadline(self, seconds: float) -> Iterator[Callable[[], bool]]:
        late = threading.Event()

        def end() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield late.is_set
        finally:
            timer.cancel()

    def _ended(self, error: Exception, seconds: float, is_late: bool) -> ChildEnded:
        if is_late:
            return ChildEnded("CHILD_SILENT", f"the command did not answer within {seconds:g} s", False)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.poll()
        printed = self._notes.text()
        notes = f"; it printed: {printed}" if printed else ""
        if code is None:
            return ChildEnded("CHILD_ENDED", f"found no answer of the command: {error}{notes}", False)
        if code in _REFUSALS and not self._has_answered:
            return ChildEnded(*describe_refusal(printed, code), True)
        end = f"the signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return ChildEnded("CHILD_ENDED", f"the command ended with {end} in the middle of a call{notes}", False)


def describe_refusal(printed: str, exit_code: int) -> tuple[str, str]:
    """Code and message of a command that refused to begin, out of what it printed on standard error."""
    text = printed.strip().removeprefix("groundrule: ")
    named = re.search(r" \(([A-Z]+(?:_[A-Z]+)+)\)$", text, re.MULTILINE)
    if named is None:
        return "CHILD_ENDED", text or f"the command ended with exit code {exit_code}"
    return named[1], text.replace(named[0], "", 1)


class _Output:
    """Standard output of a child, in reads of exactly so many bytes."""

    closed = False

    def __init__(self, pipe: io.IOBase | Any) -> None:
        self._pipe = pipe
        #: True once the bytes have ended.
        self.is_ended = False

    def read(self, count: int = -1) -> bytes:
        parts = []
        missing = count
        while missing > 0:
            piece = self._pipe.read(missing)
            if not piece:
                self.is_ended = True
                break
            if len(piece) == count:
                return bytes(piece)
            parts.append(piece)
            missing -= len(piece)
        return b"".join(parts)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        """Leaves the pipe open: the next answer comes through it."""


class _Notes:
    """Lines on standard error of a child, which are logged as they come; the last are kept."""

    def __init__(self, pipe: Any) -> None:
        self._lines: collections.deque[str] = collections.deque()
        self._thread = threading.Thread(target=self._read, args=(pipe,), daemon=True, name="groundrule-notes")
        self._thread.start()

    def text(self) -> str:
        self._thread.join(0.5)
        return "\n".join(self._lines).strip()

    def _read(self, pipe: Any) -> None:
        kept = 0
        with contextlib.suppress(OSError, ValueError), io.BufferedReader(pipe) as lines:
            for line in lines:
                text = line.decode(errors="replace").rstrip()
                LOG.info("%s", text)
                self._lines.append(text)
                kept += len(text)
                while kept > _ERROR_BYTES:
                    kept -= len(self._lines.popleft())


class Ticket:
    """A caller's place in the line for a turn."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.is_waiting = threading.Lock()
        self.is_waiting.acquire()


class _Turns:
    """A line of callers, in the order in which they came: the first has the turn."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._line: collections.deque[Ticket] = collections.deque()

    def take(self, ticket: Ticket, seconds: float = -1) -> bool:
        """Waits for the turn. Returns False if it has not come within so many seconds; negative: without a limit."""
        with self._guard:
            if any(other.thread == ticket.thread for other in self._line):
                raise GroundruleError("HANDLE_BUSY", "a call was made from within a call, say by a signal handler")
            self._line.append(ticket)
            self._admit()
        return ticket.is_waiting.acquire(timeout=seconds)

    def leave(self, ticket: Ticket) -> None:
        """Leaves the line, with or without having had the turn. A second time it changes nothing."""
        with self._guard:
            if ticket in self._line:
                self._line.remove(ticket)
            self._admit()

    def _admit(self) -> None:
        if self._line and self._line[0].is_waiting.locked():
            self._line[0].is_waiting.release()


class Slot:
    """The place of a child, which is started by the first call, and again after it ended."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], seconds: float) -> None:
        self._command = command
        self._environment = environment
        self._seconds = seconds
        self._turns = _Turns()
        self._child: Child | None = None
        self._is_closed = False
        _SLOTS.add(self)

    @property
    def pid(self) -> int | None:
        """Process id of the child, if it runs."""
        return None if self._child is None else self._child.pid

    def call(
        self, words: Sequence[str], batch: pa.RecordBatch | None, is_over: Callable[[], bool] = lambda: False
    ) -> Answer:
        """Answers a call. A child that ends in the middle is replaced, once: no call changes anything.

        Raises `GroundruleError`. Any exception, say by Ctrl-C, ends the call and its child; the next call starts
        another.

        :param is_over: True once nobody waits for the answer: a child that ends is not replaced
        """
        return self._in_turn(lambda: self._answer(words, batch, is_over))

    def close(self) -> None:
        def close() -> None:
            self._is_closed = True
            child, self._child = self._child, None
            if child is not None:
                child.close()

        self._in_turn(close)

    def forget(self) -> None:
        """Begins anew in a forked process, without the child and the locks of the other."""
        child, self._child = self._child, None
        self._turns = _Turns()
        if child is not None:
            child.forget()

    def end(self) -> None:
        """Ends the child at the end of the interpreter, and keeps its turn: a thread that still runs must not be within
        Arrow when the interpreter takes its threads down."""
        with contextlib.suppress(GroundruleError):
            ticket = Ticket()
            if not self._turns.take(ticket, _END_SECONDS):
                self.kill()
                ticket.is_waiting.acquire(timeout=_END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Ends the child without waiting for a call."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def _in_turn(self, act: Callable[[], _Result]) -> _Result:
        ticket = Ticket()
        try:
            self._turns.take(ticket)
            return act()
        finally:
            try:
                self._turns.leave(ticket)
            finally:
                self._turns.leave(ticket)  # in case that Ctrl-C ended the first

    def _answer(self, words: Sequence[str], batch: pa.RecordBatch | None, is_over: Callable[[], bool]) -> Answer:
        is_second = False
        while not is_over():
            try:
                return self._call(words, batch)
            except ChildEnded as error:
                self._drop()
                if is_second or error.is_refusal:
                    raise GroundruleError(error.code, str(error)) from error
                LOG.warning("%s; it is started again", error)
                is_second = True
        raise GroundruleError("CHILD_ENDED", "the call was given up")

    def _call(self, words: Sequence[str], batch: pa.RecordBatch | None) -> Answer:
        if self._is_closed:
            raise GroundruleError("HANDLE_CLOSED", "the data folder was closed; open it again")
        try:
            if self._child is None:
                self._child = Child(self._command, self._environment)
            return self._child.exchange(words, batch, self._seconds)
        except ChildEnded:
            raise
        except BaseException:
            self._drop()
            raise

    def _drop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.kill()


#: Every slot of this process.
_SLOTS: weakref.WeakSet[Slot] = weakref.WeakSet()


def _begin_in_fork() -> None:
    for slot in list(_SLOTS):
        slot.forget()


def _end_all() -> None:
    for slot in list(_SLOTS):
        slot.end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_fork)
atexit.register(_end_all)

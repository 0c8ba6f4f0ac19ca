import os
import signal
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest
from fake_bundle import write_archive

from groundrule_spark import ScreeningError, screen
from groundrule_spark._plan import _CHILDREN

PROGRAM = f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).parent / "child.py"}" "$@"\n'
TABLE = pa.table({"id": ["a", "b", "c"], "geometry": ["{}", None, "{}"]})


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    path = tmp_path / "fake.tar.gz"
    write_archive(path, {"bin/groundrule": PROGRAM.encode(), "ruleset.json": b"{}"})
    return path


def ask(fake: Path, tmp_path: Path, **options: object) -> pa.Table:
    return screen(TABLE, None, fake, cache_dir=tmp_path, **options)


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("no start", "did not start: .*exit code 1; it said: no such ruleset"),
        ("other ruleset", "answers by ruleset_digest '0{64}', expected 'b{64}'"),
        ("other edition", "answers by the edition 0{64} of demo:parks, expected a{64} as the archive says"),
        ("other now", "answers by now '2020-01-01T00:00:00Z', expected"),
        ("dies", "did not answer a batch: .*a signal 9 ended it; it said: out of memory"),
        ("fewer rows", "found 2 answers to 3 plots"),
        ("other ids", "found answers to other ids than were asked"),
    ],
)
def test_a_child_that_errs_gives_no_answer(
    monkeypatch: pytest.MonkeyPatch, fake: Path, tmp_path: Path, how: str, told: str
) -> None:
    monkeypatch.setenv("GROUNDRULE_TEST_CHILD", how)
    with pytest.raises(ScreeningError, match=told):
        ask(fake, tmp_path)


@pytest.mark.parametrize("how", ["dies later", "garbage"])
def test_a_child_that_errs_later_gives_no_answer(
    monkeypatch: pytest.MonkeyPatch, fake: Path, tmp_path: Path, how: str
) -> None:
    monkeypatch.setenv("GROUNDRULE_TEST_CHILD", how)
    with pytest.raises(ScreeningError, match="did not answer a batch"):
        ask(fake, tmp_path, batch_rows=1, deadline=3.0)


def test_a_child_that_is_silent_is_ended(monkeypatch: pytest.MonkeyPatch, fake: Path, tmp_path: Path) -> None:
    monkeypatch.setenv("GROUNDRULE_TEST_CHILD", "hangs")
    started = time.monotonic()
    with pytest.raises(ScreeningError, match=r"did not answer a batch: within 0\.5 s"):
        ask(fake, tmp_path, deadline=0.5)
    assert time.monotonic() - started < 30


def test_a_child_lives_on_and_one_that_was_killed_fails_once(
    monkeypatch: pytest.MonkeyPatch, fake: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROUNDRULE_TEST_CHILD", "answers")
    now = "2026-01-01T00:00:00Z"
    pids = set()
    for _ in range(3):
        assert ask(fake, tmp_path, now=now)["verdict"].to_pylist() == ["COMPLIANT"] * 3
        pids.add(newest()._process.pid)
    assert len(pids) == 1
    os.kill(pids.pop(), signal.SIGKILL)
    newest()._process.wait()
    with pytest.raises(ScreeningError, match="a signal 9 ended it"):
        ask(fake, tmp_path, now=now)
    assert ask(fake, tmp_path, now=now).num_rows == 3


def test_few_children_are_kept(monkeypatch: pytest.MonkeyPatch, fake: Path, tmp_path: Path) -> None:
    monkeypatch.setenv("GROUNDRULE_TEST_CHILD", "answers")
    for hour in range(6):
        ask(fake, tmp_path, now=f"2026-01-01T0{hour}:00:00Z")
    assert len(_CHILDREN._children) <= _CHILDREN.MOST


def newest() -> object:
    return next(reversed(_CHILDREN._children.values()))

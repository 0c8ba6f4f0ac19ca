"""A data folder of the command, built once, and plots on it."""

import logging
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_world import IS_FULL, SOURCE, write_parks

import groundrule
from groundrule._program import find_command


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("full") and not IS_FULL:
            item.add_marker(pytest.mark.skip(reason="runs with GROUNDRULE_FULL=1"))


@pytest.fixture(scope="session")
def run() -> Callable[..., str]:
    """Runs the command, and returns what it prints."""

    def run_command(*words: str, codes: tuple[int, ...] = (0,), input: str | None = None) -> str:
        ended = subprocess.run([*find_command(), *words], capture_output=True, text=True, input=input)
        assert ended.returncode in codes, ended.stderr
        return ended.stdout

    return run_command


@pytest.fixture(scope="session")
def build(run: Callable[..., str]) -> Callable[[Path, Path], None]:
    def build_parks(file: Path, folder: Path) -> None:
        run(
            *("snapshot", "build", "--source", SOURCE, "--id", "code", "--name", "name"),
            *("--coverage", "global", "--data", str(folder), str(file)),
        )

    return build_parks


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, build: Callable[[Path, Path], None]) -> Path:
    # A name that a shell would take apart.
    base = tmp_path_factory.mktemp("the folder $(touch broken)")
    write_parks(base / "parks.geojson")
    build(base / "parks.geojson", base / "data")
    return base / "data"


@pytest.fixture
def data(folder: Path) -> Iterator[groundrule.Data]:
    with groundrule.open(folder) as opened:
        yield opened


@pytest.fixture(scope="session")
def shared(folder: Path) -> Iterator[groundrule.Data]:
    """One handle for tests that change nothing of it."""
    with groundrule.open(folder) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "groundrule")

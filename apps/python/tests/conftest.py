"""A data folder of the command, built once, and plots on it."""

import json
import logging
import os
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import groundrule
from groundrule._program import find_command

NOW = "2026-11-22T12:00:00Z"
SOURCE = "test:parks"
RULESET = {
    "name": "parks",
    "sets": {"parks": {"sources": [SOURCE]}},
    "checks": [{"id": "in-park", "set": "parks", "measure": "overlap_ratio", "value": 0.25, "outcome": "NON_COMPLIANT"}],
}
IS_FULL = os.environ.get("GROUNDRULE_FULL") == "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("full") and not IS_FULL:
            item.add_marker(pytest.mark.skip(reason="runs with GROUNDRULE_FULL=1"))


def square(west: float, south: float, size: float = 0.1) -> dict[str, Any]:
    east, north = west + size, south + size
    return {
        "type": "Polygon",
        "coordinates": [[[west, south], [east, south], [east, north], [west, north], [west, south]]],
    }


#: Half of it is in a park, and all of it outside.
HALF, OUTSIDE = square(10.95, 0.45), square(21.5, 0.5)


@pytest.fixture(scope="session")
def run() -> Callable[..., str]:
    """Runs the command, and returns what it prints."""

    def run_command(*words: str, codes: tuple[int, ...] = (0,), input: str | None = None) -> str:
        ended = subprocess.run([*find_command(), *words], capture_output=True, text=True, input=input)
        assert ended.returncode in codes, ended.stderr
        return ended.stdout

    return run_command


def write_parks(path: Path, north: float = 1.0) -> None:
    """Squares of one degree, two degrees apart."""
    features = [
        {
            "type": "Feature",
            "properties": {"code": f"park {west}", "name": f"Parque {west} ção"},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[west, 0], [west + 1, 0], [west + 1, north], [west, north], [west, 0]]],
            },
        }
        for west in range(-40, 60, 2)
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))


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


def random_plots(count: int, seed: int = 48) -> list[dict[str, Any]]:
    """Triangles near the parks; one in eight is far from all."""
    draw = random.Random(seed)
    plots = []
    for _ in range(count):
        x = draw.uniform(-40, 58) if draw.random() < 0.875 else 170.0
        y = draw.uniform(-0.05, 1.05)
        corners = [[round(x + draw.uniform(0, 0.1), 6), round(y + draw.uniform(0, 0.1), 6)] for _ in range(3)]
        plots.append({"type": "Polygon", "coordinates": [[*corners, corners[0]]]})
    return plots


def ndjson(geometries: list[dict[str, Any]]) -> str:
    features = [
        {"type": "Feature", "id": str(i), "properties": {}, "geometry": geometry}
        for i, geometry in enumerate(geometries)
    ]
    return "".join(f"{json.dumps(feature)}\n" for feature in features)


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "groundrule")

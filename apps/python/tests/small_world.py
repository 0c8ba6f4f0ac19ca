"""Fifty parks, plots on them, and a ruleset."""

import json
import os
import random
from pathlib import Path
from typing import Any

NOW = "2026-11-22T12:00:00Z"
SOURCE = "test:parks"
RULESET = {
    "name": "parks",
    "sets": {"parks": {"sources": [SOURCE]}},
    "checks": [
        {"id": "in-park", "set": "parks", "measure": "overlap_ratio", "value": 0.25, "outcome": "NON_COMPLIANT"}
    ],
}
IS_FULL = os.environ.get("GROUNDRULE_FULL") == "1"


def square(west: float, south: float, size: float = 0.1) -> dict[str, Any]:
    east, north = west + size, south + size
    return {
        "type": "Polygon",
        "coordinates": [[[west, south], [east, south], [east, north], [west, north], [west, south]]],
    }


#: Half of it is in a park, and all of it outside.
HALF, OUTSIDE = square(10.95, 0.45), square(21.5, 0.5)


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

"""`overlay` or `screen` of a frame: CPU seconds, and memory of this process and its child. Linux.

    python bench/python/calls.py CONFIG

CONFIG is a JSON file of bench/python.ts. The figures are printed as JSON.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import sys
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import shapely

import groundrule

#: The share of the rows after which the child is warm.
WARM = 0.1


def main() -> None:
    config = json.loads(Path(sys.argv[1]).read_text())
    lines = Path(config["plots"]).read_text().splitlines()
    geometries = [shapely.geometry.shape(json.loads(line)["geometry"]) for line in lines]
    before = memory("self", "VmRSS")
    frame = make_frame(shapely.to_wkb(geometries), config["count"])
    size = memory("self", "VmRSS") - before
    used = os.times()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    start = memory("self", "VmRSS")
    warm: list[int] = []
    with groundrule.open(config["data"]) as data:

        def note(done: int, total: int) -> None:
            if not warm and done >= WARM * total:
                warm.append(memory(data._slots[0].pid, "VmHWM"))

        if config["call"] == "overlay":
            found = data.overlay(frame, progress=note)
        else:
            found = data.screen(frame, config["ruleset"], now=config["now"], progress=note)
        peak = memory("self", "VmHWM")
        child = memory(data._slots[0].pid, "VmHWM")
    ended = os.times()  # a child counts once it has ended
    figures = {
        "cpuMs": 1000 * sum(b - a for a, b in zip(used[:4], ended[:4], strict=True)),
        "found": len(found),
        "frameBytes": size,
        "grownBytes": peak - start,
        "warmBytes": warm[0],
        "childBytes": child,
    }
    print(json.dumps(figures))


def make_frame(geometries: Any, count: int) -> geopandas.GeoDataFrame:
    """The geometries over and over, each time under a new id and as an object of its own."""
    repeated = np.resize(np.asarray(geometries, dtype=object), count)
    ids = [f"plot-{i}" for i in range(count)]
    return geopandas.GeoDataFrame({"id": ids}, geometry=shapely.from_wkb(repeated), crs=4326)


def memory(pid: int | str | None, name: str) -> int:
    """Bytes of a process, now (VmRSS) or at the most (VmHWM)."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(status.partition(f"{name}:")[2].split()[0])


if __name__ == "__main__":
    main()

"""`overlay` against GeoPandas, DuckDB spatial, SedonaDB and PyCanopy: the same plots, the same areas, CPU seconds.

    python bench/python/overlay-peers.py DATA LAYERS [ANSWER.csv] [--plots 100000] [--only NAME]

DATA is a data folder of groundrule; LAYERS the folder of the same layers as `*.geojson.gz`. Each peer runs in a process
of its own, on one thread where it has such a setting, and prints a row: what preparation cost (reading areas, indexing),
what the pairs cost, and how many it found. All peers measure in the plane of degrees; groundrule on the ellipsoid.
PyCanopy joins no two sets of polygons, only one with itself: it is in query 9 of SpatialBench alone.
Versions: bench/python/requirements.txt.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely

SEED = 20261129


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("layers")
    parser.add_argument("--plots", type=int, default=100_000)
    parser.add_argument("spatialbench", nargs="?")
    parser.add_argument("--only")
    parser.add_argument("--child", nargs=2)
    options = parser.parse_args()
    if options.child:
        run_peer(*options.child, options.data)
        return
    with tempfile.TemporaryDirectory() as folder:
        areas = read_areas(Path(options.layers))
        areas.to_parquet(Path(folder) / "areas.parquet")
        make_plots(areas, options.plots).to_parquet(Path(folder) / "plots.parquet")
        print(f"{options.plots:,} plots, {len(areas):,} areas", flush=True)
        print("| program | preparation, CPU s | pairs, CPU s | both | found |\n| --- | --- | --- | --- | --- |")
        for name in PEERS:
            if options.only in (None, name):
                run_child(name, folder, options)
        if options.spatialbench:
            compare_spatialbench(Path(options.spatialbench), Path(folder))


def run_child(name: str, folder: str, options: argparse.Namespace) -> None:
    command = [sys.executable, __file__, options.data, options.layers, "--child", name, folder]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, **ONE_THREAD})
    if ended.returncode != 0:
        print(f"| {name} | not run: {ended.stderr.strip().splitlines()[-1][:120]} | | | |", flush=True)
        return
    row = json.loads(ended.stdout.splitlines()[-1])
    prepared, asked = row["prepared"], row["asked"]
    cells = [f"{name} {row['version']}", f"{prepared:.1f}", f"{asked:.1f}", f"{prepared + asked:.1f}"]
    print(f"| {' | '.join(cells)} | {row['pairs']:,} |", flush=True)


#: The peers' libraries work on one thread, so that CPU seconds are comparable.
ONE_THREAD = {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}


def read_areas(folder: Path) -> gpd.GeoDataFrame:
    """Areas of every layer, made valid, as each peer needs them."""
    files = sorted([*folder.glob("br_*.geojson.gz"), *folder.glob("amazon_*.geojson.gz")])
    if not files:
        raise SystemExit(f"found no layers in {folder}")
    geometries = np.concatenate([gpd.read_file(f"/vsigzip/{file}").geometry.values for file in files])
    valid = shapely.make_valid(np.asarray(geometries))
    return gpd.GeoDataFrame({"area": np.arange(len(valid))}, geometry=valid, crs=4326)


def make_plots(areas: gpd.GeoDataFrame, count: int) -> gpd.GeoDataFrame:
    """Star-shaped plots of 5 to 200 vertices and 10 to 10,000 ha, 70 % of them at a vertex of an area."""
    draw = np.random.default_rng(SEED)
    corners = shapely.get_coordinates(areas.geometry.values)
    near = corners[draw.integers(len(corners), size=count)]
    anywhere = np.c_[draw.uniform(-73, -35, count), draw.uniform(-33, 4, count)]
    centres = np.where((draw.random(count) < 0.7)[:, None], near, anywhere)
    hectares = np.exp(draw.uniform(math.log(10), math.log(10_000), count))
    vertices = np.exp(draw.uniform(math.log(5), math.log(200), count)).astype(int)
    plots = []
    for (x, y), area, number in zip(centres, hectares, vertices, strict=True):
        angles = np.sort(draw.uniform(0, 2 * np.pi, number))
        radii = math.sqrt(area * 1e4 / math.pi) / 111_320 * draw.uniform(0.6, 1.3, number)
        east = x + radii * np.cos(angles) / math.cos(math.radians(y))
        ring = np.round(np.c_[east, y + radii * np.sin(angles)], 6)
        plots.append(shapely.Polygon(ring) if len(np.unique(ring, axis=0)) > 2 else shapely.Point(x, y).buffer(0.01))
    geometries = shapely.make_valid(np.array(plots))
    return gpd.GeoDataFrame({"plot": np.arange(count)}, geometry=geometries, crs=4326)


def cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def run_peer(name: str, folder: str, data: str) -> None:
    """Runs one peer in this process, and prints what it took."""
    plots = gpd.read_parquet(Path(folder) / "plots.parquet")
    prepare, version = PEERS[name]
    begin = cpu_seconds()
    ask, end = prepare(Path(folder), data, plots)
    middle = cpu_seconds()
    pairs = ask()
    end()  # children are counted once they have ended
    row = {"prepared": middle - begin, "asked": cpu_seconds() - middle, "pairs": int(pairs), "version": version()}
    print(json.dumps(row))


Asking = tuple[Callable[[], int], Callable[[], object]]


def with_groundrule(folder: Path, data: str, plots: gpd.GeoDataFrame) -> Asking:
    import groundrule

    opened = groundrule.open(data)
    return lambda: len(opened.overlay(plots)), opened.close


def with_geopandas(folder: Path, data: str, plots: gpd.GeoDataFrame) -> Asking:
    areas = gpd.read_parquet(folder / "areas.parquet")
    index = areas.sindex

    def ask() -> int:
        """The pairs by a prepared index, and their overlaps: what `geopandas.overlay` does, without its copies."""
        left = plots.geometry.values
        at, of = index.query(left, predicate="intersects")
        overlaps = shapely.intersection(np.asarray(left)[at], np.asarray(areas.geometry.values)[of])
        frame = pd.DataFrame({"plot": at, "area": of, "overlap": shapely.area(overlaps)})
        return len(frame)

    return ask, lambda: None


def with_duckdb(folder: Path, data: str, plots: gpd.GeoDataFrame) -> Asking:
    import duckdb
    from duckdb_extensions import import_extension

    connection = duckdb.connect()
    import_extension("spatial", con=connection)
    connection.execute("load spatial; set threads to 1")
    for name in ("areas", "plots"):
        connection.execute(f"create table {name} as select * from '{folder / name}.parquet'")

    def ask() -> int:
        query = (
            "create table pairs as select plot, area, ST_Area(ST_Intersection(p.geometry, a.geometry)) as overlap"
            " from plots p join areas a on ST_Intersects(p.geometry, a.geometry)"
        )
        connection.execute(query)
        return int(connection.execute("select count(*) from pairs").fetchall()[0][0])

    return ask, connection.close


def with_sedonadb(folder: Path, data: str, plots: gpd.GeoDataFrame) -> Asking:
    import sedonadb

    context = sedonadb.connect()
    for name in ("areas", "plots"):
        context.read_parquet(str(folder / f"{name}.parquet")).to_view(name)

    def ask() -> int:
        query = (
            "select plot, area, ST_Area(ST_Intersection(p.geometry, a.geometry)) as overlap"
            " from plots p join areas a on ST_Intersects(p.geometry, a.geometry)"
        )
        return len(context.sql(query).to_arrow_table())

    return ask, lambda: None


def version_of(package: str) -> Callable[[], str]:
    def find() -> str:
        from importlib.metadata import version

        return version(package)

    return find


PEERS: dict[str, tuple[Callable[[Path, str, Any], Asking], Callable[[], str]]] = {
    "groundrule": (with_groundrule, lambda: "by `overlay`"),
    "geopandas": (with_geopandas, version_of("geopandas")),
    "duckdb": (with_duckdb, version_of("duckdb")),
    "sedonadb": (with_sedonadb, version_of("sedonadb")),
}


def compare_spatialbench(answer: Path, folder: Path) -> None:
    """Query 9 of SpatialBench: pairs of overlapping buildings, by `overlay` of the buildings with themselves."""
    import groundrule
    import polars as pl
    from pycanopy import SpatialFrame

    program = Path(sys.executable).parent / "spatialbench-cli"
    words = ["-s", "1", "--tables", "building", "--format", "parquet", "--output-dir", str(folder)]
    subprocess.run([str(program), *words], check=True, capture_output=True)
    file = next(folder.rglob("building*.parquet"))
    table = pd.read_parquet(file)
    shapes = shapely.from_wkb(table["b_boundary"])
    buildings = gpd.GeoDataFrame({"id": table["b_buildingkey"].astype(str)}, geometry=shapes, crs=4326)
    buildings.to_file(folder / "buildings.geojson", driver="GeoJSON")
    words = ["snapshot", "build", "--data", str(folder / "data"), "--source", "bench:buildings", "--id", "id"]
    command = [sys.executable, "-m", "groundrule", *words, "--coverage", "global", str(folder / "buildings.geojson")]
    begin = cpu_seconds()
    subprocess.run(command, check=True, capture_output=True)
    built = cpu_seconds() - begin
    begin = cpu_seconds()
    with groundrule.open(folder / "data") as data:
        pairs = data.overlay(buildings)
    asked = cpu_seconds() - begin
    begin = cpu_seconds()
    frame = SpatialFrame.from_wkb_polygons(pl.read_parquet(file), "b_boundary")
    prepared = cpu_seconds() - begin
    theirs = len(frame.intersects_pairs("b_buildingkey"))
    canopy = cpu_seconds() - begin - prepared
    own = pairs[(pairs["id"].astype(int) < pairs["source_id"].astype(int)) & (pairs["overlap_area_m2"] > 0)]
    first = own["overlap_area_m2"] / own["overlap_ratio"]
    second = own["overlap_area_m2"] / own["area_overlap_ratio"]
    iou = own["overlap_area_m2"] / (first + second - own["overlap_area_m2"])
    found = {(int(a), int(b)): c for a, b, c in zip(own["id"], own["source_id"], iou, strict=True)}
    expected = {(row.building_1, row.building_2): row.iou for row in pd.read_csv(answer).itertuples()}
    both = set(found) & set(expected)
    worst = max(abs(found[pair] - expected[pair]) for pair in both)
    print(
        f"SpatialBench Q9, scale 1, {len(buildings):,} buildings: {len(both)} of {len(expected)} pairs of the answer,"
    )
    print(f"  {len(found) - len(both)} others; IoU differs by {worst:.1e} at most")
    print(f"  groundrule: {built:.1f} s CPU for the snapshot, {asked:.1f} s for the pairs")
    print(f"  pycanopy {version_of('pycanopy')()}: {prepared:.1f} s, {canopy:.1f} s, {theirs} pairs")


if __name__ == "__main__":
    main()

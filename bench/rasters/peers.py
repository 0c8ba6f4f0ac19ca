"""Shares of plots on a raster by exactextract and rasterstats: tasks as JSON lines on stdin, an answer a line."""
import json
import sys
import time

import numpy
import rasterio


def write(source, target, side, lines, west, north):
    cells = numpy.memmap(source, numpy.uint8, "r", shape=(side, side))
    place = rasterio.Affine(1 / lines, 0, west, 0, -1 / lines, north)
    with rasterio.open(
        target, "w", driver="GTiff", width=side, height=side, count=1, dtype="uint8", crs="EPSG:4326",
        transform=place, tiled=True, blockxsize=256, blockysize=256, compress="lzw",
    ) as raster:
        for row in range(0, side, 256):
            rows = min(256, side - row)
            raster.write(cells[row : row + rows], 1, window=rasterio.windows.Window(0, row, side, rows))


def features(path):
    return [{"type": "Feature", "properties": {}, "geometry": plot} for plot in json.load(open(path))]


def covered(tif, plots, lines, north):
    """For each plot, [value, row, covered cells]: what the comparison weighs by the area of the row's cells."""
    from exactextract import exact_extract

    found = []
    for feature in exact_extract(tif, plots, ["values", "coverage", "center_y"]):
        told = feature["properties"]
        rows = numpy.floor((north - told["center_y"]) * lines).astype(int)
        sums = {}
        for value, row, share in zip(told["values"].tolist(), rows.tolist(), told["coverage"].tolist()):
            sums[value, row] = sums.get((value, row), 0.0) + share
        found.append([[value, row, share] for (value, row), share in sums.items()])
    return found


def timed(peer, tif, plots):
    if peer == "exactextract":
        from exactextract import exact_extract

        ask = lambda: exact_extract(tif, plots, ["unique", "frac"])
    else:
        from rasterstats import zonal_stats

        ask = lambda: zonal_stats(plots, tif, categorical=True, nodata=255)
    before = time.process_time()
    ask()
    return time.process_time() - before


for line in sys.stdin:
    task = json.loads(line)
    if task["do"] == "tif":
        answer = write(task["from"], task["to"], task["side"], task["lines"], task["west"], task["north"])
    elif task["do"] == "covered":
        answer = covered(task["tif"], features(task["plots"]), task["lines"], task["north"])
    else:
        answer = timed(task["peer"], task["tif"], features(task["plots"]))
    print(json.dumps(answer), flush=True)

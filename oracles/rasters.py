"""Area of plots on each value of a raster, in cells, by exactextract and by GEOS: one JSON task on stdin."""
import ctypes
import glob
import json
import math
import os
import sys

import numpy
import rasterio
import shapely
from exactextract import exact_extract
from exactextract.raster import NumPyRasterSource

library = glob.glob(os.path.join(os.path.dirname(shapely.__file__), "../shapely.libs/libgeos_c*"))[0]
geos = ctypes.CDLL(library)
geos.GEOSGeomFromWKB_buf.restype = ctypes.c_void_p
geos.GEOSGeomFromWKB_buf.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
geos.GEOSGeom_destroy.argtypes = [ctypes.c_void_p]
geos.GEOSGridIntersectionFractions.argtypes = [
    ctypes.c_void_p, *[ctypes.c_double] * 4, *[ctypes.c_uint] * 2, ctypes.POINTER(ctypes.c_float)
]
geos.initGEOS(None, None)


def by_geos(plot, cells, grid):
    a, b, n = grid
    shape = shapely.from_geojson(json.dumps(plot))
    west, south, east, north = shape.bounds
    c0, c1 = max(0, math.floor(west * n - a)), min(cells.shape[1], math.ceil(east * n - a))
    r0, r1 = max(0, math.floor(b - north * n)), min(cells.shape[0], math.ceil(b - south * n))
    if c0 >= c1 or r0 >= r1:
        return {}
    wkb = shapely.to_wkb(shape)
    geometry = geos.GEOSGeomFromWKB_buf(wkb, len(wkb))
    shares = numpy.zeros((r1 - r0, c1 - c0), numpy.float32)
    buffer = shares.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    box = ((a + c0) / n, (b - r1) / n, (a + c1) / n, (b - r0) / n)
    if geos.GEOSGridIntersectionFractions(geometry, *box, c1 - c0, r1 - r0, buffer) != 1:
        raise RuntimeError("GEOS failed")
    geos.GEOSGeom_destroy(geometry)
    return sums(cells[r0:r1, c0:c1].ravel(), shares.ravel())


def sums(values, shares):
    found = numpy.bincount(values.astype(int), shares.astype(float), 256)
    return {int(value): float(found[value]) for value in numpy.nonzero(found)[0]}


task = json.load(sys.stdin)
with rasterio.open(task["tif"]) as raster:
    cells = raster.read(1)
features = [{"type": "Feature", "properties": {}, "geometry": plot} for plot in task["plots"]]
a, b, n = task["grid"]
# By the lines of the lattice, of which the file's tags are rounded. All plots lie on it with cells of nodata around:
# exactextract 0.3.0 ends with a segmentation fault where one part of a plot touches the edge and another is off it.
pad = math.ceil(0.05 * n)
padded = numpy.pad(cells, pad, constant_values=255)
(rows, columns), west, north = padded.shape, a - pad, b + pad
source = NumPyRasterSource(padded, west / n, (north - rows) / n, (west + columns) / n, north / n, nodata=255)
told = exact_extract(source, features, ["values", "coverage"])
print(json.dumps([
    {
        "exactextract": sums(numpy.asarray(each["properties"]["values"]), numpy.asarray(each["properties"]["coverage"])),
        "geos": by_geos(plot, cells, task["grid"]),
    }
    for each, plot in zip(told, task["plots"])
]))

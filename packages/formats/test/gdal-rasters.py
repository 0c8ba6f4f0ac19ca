"""Writes, converts and reads rasters by GDAL, as rasterio brings it along: one request a line of JSON in, one answer out.

Requests: {"write": spec} writes a GeoTIFF of values from a pool; {"read": path} reads all bands and their masks;
{"run": [gdal_translate or gdalwarp, arguments]} does what the line does, in the folder named by the argument.
"""

import base64
import ctypes
import glob
import json
import os
import sys

import numpy
import rasterio
from rasterio.enums import ColorInterp, Resampling
from rasterio.transform import from_origin
from rasterio.windows import Window

os.chdir(sys.argv[1])
libraries = glob.glob(os.path.join(os.path.dirname(rasterio.__file__), "..", "rasterio.libs", "libgdal*"))
gdal = ctypes.CDLL(libraries[0])
POINTER = ctypes.c_void_p
for name, result, arguments in [
    ("GDALOpenEx", POINTER, [ctypes.c_char_p, ctypes.c_uint, POINTER, POINTER, POINTER]),
    ("GDALClose", None, [POINTER]),
    ("GDALGetRasterBand", POINTER, [POINTER, ctypes.c_int]),
    ("GDALSetRasterNoDataValue", ctypes.c_int, [POINTER, ctypes.c_double]),
    ("GDALTranslateOptionsNew", POINTER, [POINTER, POINTER]),
    ("GDALTranslate", POINTER, [ctypes.c_char_p, POINTER, POINTER, POINTER]),
    ("GDALWarpAppOptionsNew", POINTER, [POINTER, POINTER]),
    ("GDALWarp", POINTER, [ctypes.c_char_p, POINTER, ctypes.c_int, POINTER, POINTER, POINTER]),
    ("CPLSetConfigOption", None, [ctypes.c_char_p, ctypes.c_char_p]),
    ("CPLGetLastErrorMsg", ctypes.c_char_p, []),
]:
    function = getattr(gdal, name)
    function.restype, function.argtypes = result, arguments
UPDATE = 1


def array(spec):
    kind = numpy.dtype(spec["dtype"])
    number = (lambda text: int(text)) if kind.kind in "iu" else float
    pool = numpy.array([number(each) for each in spec["pool"]], dtype=kind)
    dice = numpy.random.RandomState(spec["seed"])
    shape = (spec["bands"], spec["height"], spec["width"])
    noise = dice.randint(0, len(pool), shape)
    rows, columns = numpy.indices(shape[1:])
    patches = ((columns // 7) * 5 + (rows // 5) * 3) % len(pool)
    chosen = numpy.where(dice.randint(0, 3, shape) == 0, noise, patches)
    return pool[chosen]


def write(spec):
    path = spec["path"]
    values = array(spec)
    bands, height, width = values.shape
    profile = dict(driver="GTiff", width=width, height=height, count=bands, dtype=values.dtype, crs="EPSG:4326")
    profile["transform"] = from_origin(10, 50, 0.25, 0.25)
    if "nodata" in spec:
        profile["nodata"] = float(spec["nodata"]) if values.dtype.kind == "f" else int(spec["nodata"])
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=spec.get("mask") == "internal", GDAL_PAM_ENABLED="NO"):
        with rasterio.open(path, "w", **profile, **spec["options"]) as out:
            if "alpha" in spec:
                kinds = [ColorInterp.gray] + [ColorInterp.undefined] * (bands - 1)
                kinds[spec["alpha"] - 1] = ColorInterp.alpha
                out.colorinterp = kinds
            if "palette" in spec:
                out.write_colormap(1, {i: tuple(color) for i, color in enumerate(spec["palette"])})
            if "scale" in spec:
                out.scales = [spec["scale"]] * bands
                out.offsets = [spec["offset"]] * bands
            if "tags" in spec:
                out.update_tags(**spec["tags"])
            if "window" in spec:
                column, row, columns, rows = spec["window"]
                part = values[:, row : row + rows, column : column + columns]
                out.write(part, window=Window(column, row, part.shape[2], part.shape[1]))
            else:
                out.write(values)
            if "mask" in spec:
                dice = numpy.random.RandomState(spec["seed"] + 1)
                shown = dice.randint(0, 3, (height, width)) > 0
                out.write_mask(shown.astype("uint8") * 255)
        if "overviews" in spec:
            with rasterio.open(path, "r+") as out:
                out.build_overviews(spec["overviews"], Resampling.nearest)
        if "rawNodata" in spec:
            data = gdal.GDALOpenEx(path.encode(), UPDATE, None, None, None)
            for band in range(1, bands + 1):
                gdal.GDALSetRasterNoDataValue(gdal.GDALGetRasterBand(data, band), float(spec["rawNodata"]))
            gdal.GDALClose(data)
        if "auxiliary" in spec:
            with open(path + ".aux.xml", "w") as out:
                out.write(spec["auxiliary"])
    return {}


def read(path):
    packed = lambda values, kind: base64.b64encode(numpy.ascontiguousarray(values, dtype=kind).tobytes()).decode()
    with rasterio.open(path) as data:
        bands = range(1, data.count + 1)
        return {
            "width": data.width,
            "height": data.height,
            "types": list(data.dtypes),
            "nodata": None if data.nodata is None else repr(data.nodata),
            "colors": [each.name for each in data.colorinterp],
            "flags": [[flag.name for flag in flags] for flags in data.mask_flag_enums],
            "values": [packed(data.read(band).real, "<f8") for band in bands],
            "masks": [packed(data.read_masks(band), "u1") for band in bands],
        }


def run(words):
    program, *rest = words
    options = []
    config = []
    while rest:
        word = rest.pop(0)
        if word == "--config":
            config.append((rest.pop(0), rest.pop(0)))
        elif word != "-q":
            options.append(word)
    target, source = options.pop(), options.pop()
    for key, value in config:
        gdal.CPLSetConfigOption(key.encode(), value.encode())
    strings = (ctypes.c_char_p * (len(options) + 1))(*[each.encode() for each in options], None)
    data = gdal.GDALOpenEx(source.encode(), 0, None, None, None)
    failed = ctypes.c_int(0)
    if program == "gdal_translate":
        settings = gdal.GDALTranslateOptionsNew(strings, None)
        made = settings and gdal.GDALTranslate(target.encode(), data, settings, ctypes.byref(failed))
    else:
        settings = gdal.GDALWarpAppOptionsNew(strings, None)
        sources = (POINTER * 1)(data)
        made = settings and gdal.GDALWarp(target.encode(), None, 1, sources, settings, ctypes.byref(failed))
    for key, _ in config:
        gdal.CPLSetConfigOption(key.encode(), None)
    message = None if made else gdal.CPLGetLastErrorMsg().decode() or "no settings"
    if made:
        gdal.GDALClose(made)
    if data:
        gdal.GDALClose(data)
    return {} if made else {"error": message}


with rasterio.Env(CPL_LOG_ERRORS="OFF"):
    print(json.dumps({"gdal": rasterio.__gdal_version__}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "write" in request:
                answer = write(request["write"])
            elif "read" in request:
                answer = read(request["read"])
            else:
                answer = run(request["run"])
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)

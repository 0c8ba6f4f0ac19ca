"""Writes what independent programs make of one table: Parquet by pyarrow in every form, WKB by GEOS.

Usage: python3 write-oracle-files.py FOLDER. Prints one line of JSON for each file: its name, and what its rows are.
"""

import datetime
import decimal
import itertools
import json
import random
import sys
import uuid

import pyarrow
import pyarrow.parquet
import shapely

folder = sys.argv[1]
dice = random.Random(71)
ROWS = 700


def ring():
    return [(dice.uniform(-180, 180), dice.uniform(-90, 90)) for _ in range(dice.randrange(3, 9))]


def polygon(z=False):
    rings = [ring() for _ in range(dice.randrange(1, 4))]
    if z:
        rings = [[(x, y, 7.0) for x, y in r] for r in rings]
    return shapely.Polygon(rings[0], rings[1:])


def geometry():
    kind = dice.randrange(6)
    if kind == 0:
        return None
    if kind == 1:
        return shapely.MultiPolygon([polygon() for _ in range(dice.randrange(0, 4))])
    if kind == 2:
        return shapely.Point(dice.uniform(-180, 180), dice.uniform(-90, 90))
    if kind == 3:
        return shapely.GeometryCollection([polygon(), shapely.LineString(ring())])
    return polygon(z=kind == 4)


def flat(value):
    """GeoJSON as lists, without heights."""
    if isinstance(value, dict):
        return {k: flat(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        if value and isinstance(value[0], float):
            return list(value[:2])
        return [flat(v) for v in value]
    return value


def maybe(value):
    return None if dice.randrange(5) == 0 else value


geometries = [geometry() for _ in range(ROWS)]
days = [datetime.date(1500, 1, 1) + datetime.timedelta(days=dice.randrange(300_000)) for _ in range(ROWS)]
microseconds = [dice.randrange(-(2**50), 2**50) for _ in range(ROWS)]
columns = {
    "text": ([maybe("été %d" % dice.randrange(30)) for _ in range(ROWS)], pyarrow.string()),
    "long_text": ([maybe("x" * dice.randrange(300) + str(i)) for i in range(ROWS)], pyarrow.large_string()),
    "whole": ([maybe(dice.randrange(-(2**31), 2**31)) for _ in range(ROWS)], pyarrow.int32()),
    "big": ([maybe(dice.randrange(-(2**63), 2**63)) for _ in range(ROWS)], pyarrow.int64()),
    "unsigned": ([maybe(dice.randrange(2**64)) for _ in range(ROWS)], pyarrow.uint64()),
    "tiny": ([maybe(dice.randrange(256)) for _ in range(ROWS)], pyarrow.uint8()),
    "real": ([maybe(dice.uniform(-1e9, 1e9)) for _ in range(ROWS)], pyarrow.float64()),
    "single": ([maybe(dice.randrange(1000) / 8) for _ in range(ROWS)], pyarrow.float32()),
    "flag": ([maybe(dice.randrange(2) == 1) for _ in range(ROWS)], pyarrow.bool_()),
    "nothing": ([None] * ROWS, pyarrow.string()),
    "same": (["one"] * ROWS, pyarrow.string()),
    "day": (days, pyarrow.date32()),
    "moment": (microseconds, pyarrow.timestamp("us", tz="UTC")),
    "local": (microseconds, pyarrow.timestamp("us")),
    "price": ([maybe(decimal.Decimal(dice.randrange(-(10**9), 10**9)).scaleb(-3)) for _ in range(ROWS)], pyarrow.decimal128(20, 3)),
    "list": ([maybe([maybe(dice.randrange(9)) for _ in range(dice.randrange(4))]) for _ in range(ROWS)], pyarrow.list_(pyarrow.int32())),
    "deep": ([maybe([[str(dice.randrange(9))] * dice.randrange(3) for _ in range(dice.randrange(3))]) for _ in range(ROWS)], pyarrow.list_(pyarrow.list_(pyarrow.string()))),
    "struct": ([maybe({"a": maybe(dice.randrange(9)), "b": {"c": maybe("x")}}) for _ in range(ROWS)], pyarrow.struct([("a", pyarrow.int32()), ("b", pyarrow.struct([("c", pyarrow.string())]))])),
    "structs": ([maybe([{"k": dice.randrange(9), "v": maybe(str(i))} for i in range(dice.randrange(3))]) for _ in range(ROWS)], pyarrow.list_(pyarrow.struct([("k", pyarrow.int32()), ("v", pyarrow.string())]))),
}


def moment(us, ending):
    whole = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=us)
    fraction = ("%06d" % whole.microsecond).rstrip("0")
    return whole.strftime("%Y-%m-%dT%H:%M:%S").zfill(19) + ("." + fraction if fraction else "") + ending


def expected(name, value):
    if value is None:
        return None
    if name == "day":
        return value.isoformat()
    if name in ("moment", "local"):
        return moment(value, "Z" if name == "moment" else "")
    if name == "price":
        return float(value)
    if name in ("big", "unsigned") and abs(value) > 2**53 - 1:
        return str(value)
    return value


def wkb(g):
    if g is None:
        return None
    flavor = dice.choice(["iso", "extended"])
    return shapely.to_wkb(g, byte_order=dice.randrange(2), flavor=flavor, include_srid=flavor == "extended")


def flavored(g):
    return g if g is None or dice.randrange(2) else shapely.set_srid(g, 4326)


arrays = {name: pyarrow.array(values, type=kind) for name, (values, kind) in columns.items()}
blobs = [wkb(flavored(g)) for g in geometries]
geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB", "geometry_types": []}}}
table = pyarrow.table({**arrays, "geometry": pyarrow.array(blobs, type=pyarrow.binary())}).replace_schema_metadata(
    {"geo": json.dumps(geo)}
)
rows = [
    {
        "properties": {name: expected(name, values[i]) for name, (values, _) in columns.items()},
        "geometry": None if g is None else flat(shapely.geometry.mapping(g)),
    }
    for i, g in enumerate(geometries)
]
with open(folder + "/rows.json", "w") as out:
    json.dump(rows, out)

number = 0
forms = itertools.product(["none", "snappy", "gzip", "brotli", "zstd", "lz4"], ["1.0", "2.0"], [True, False])
for compression, pages, dictionary in forms:
    name = "%s-%s-%s.parquet" % (compression, pages, dictionary)
    pyarrow.parquet.write_table(
        table,
        folder + "/" + name,
        compression=compression,
        data_page_version=pages,
        use_dictionary=dictionary,
        row_group_size=[150, 10_000, 333][number % 3],
        data_page_size=[1_000, 1 << 20][number % 2],
    )
    print(name)
    number += 1

delta = {name: "DELTA_BINARY_PACKED" for name in ("whole", "big", "unsigned", "tiny", "day", "moment", "local")}
delta.update({"text": "DELTA_BYTE_ARRAY", "long_text": "DELTA_LENGTH_BYTE_ARRAY", "geometry": "DELTA_LENGTH_BYTE_ARRAY"})
delta.update({"same": "DELTA_BYTE_ARRAY", "real": "BYTE_STREAM_SPLIT", "single": "BYTE_STREAM_SPLIT", "flag": "RLE"})
for pages in ["1.0", "2.0"]:
    name = "encodings-%s.parquet" % pages
    pyarrow.parquet.write_table(table, folder + "/" + name, use_dictionary=False, column_encoding=delta, data_page_version=pages)
    print(name)

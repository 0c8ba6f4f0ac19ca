"""Transforms positions by PROJ (pyproj). Standard input: JSON, one object a line of `from`, `to` and `points`."""
import json
import sys

from pyproj import Transformer
from pyproj.crs import CRS

for line in sys.stdin:
    query = json.loads(line)
    # A definition as PROJ's words computes what they say: towgs84 and no grid file.
    source, target = (CRS.from_user_input(query[key]) for key in ("from", "to"))
    transformer = Transformer.from_crs(source, target, always_xy=True, only_best=False)
    points = query["points"]
    xs, ys = transformer.transform([p[0] for p in points], [p[1] for p in points])
    name = source.name if source.to_authority() else ""
    print(json.dumps({"name": name, "points": [list(p) for p in zip(xs, ys)]}))

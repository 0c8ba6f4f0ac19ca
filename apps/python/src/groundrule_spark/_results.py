"""The columns of answers."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

_ITEM = pa.struct(
    [
        *[(name, pa.string()) for name in ("source_name", "source_id", "name", "country_iso3")],
        *[(name, pa.float64()) for name in ("overlap_area_m2", "overlap_ratio", "area_overlap_ratio")],
        *[(name, pa.float64()) for name in ("cells", "distance_m")],
        ("undetermined", pa.bool_()),
        *[(name, pa.string()) for name in ("on", "value", "scheme", "role")],
        ("properties", pa.map_(pa.string(), pa.string())),
    ]
)

#: Evidence: a list of structs, one for each check that tells some.
EVIDENCE = pa.list_(pa.struct([("check", pa.string()), ("items", pa.list_(_ITEM)), ("total", pa.int32())]))


def result_schema(checks: Sequence[str]) -> pa.Schema:
    """The columns of answers by a ruleset: those of `groundrule screen --format parquet`, in its order.

    :param checks: ids of the ruleset's checks; each has a column `check:ID`, which holds its outcome where it
        triggered, else `not_triggered`, `not_covered`, `not_declared` or `failed`
    """
    names = ["id", "verdict", "at_least", *[f"check:{check}" for check in checks], "digest", "evidence"]
    names += ["error_code", "error_message"]
    return pa.schema([(name, EVIDENCE if name == "evidence" else pa.string()) for name in names])

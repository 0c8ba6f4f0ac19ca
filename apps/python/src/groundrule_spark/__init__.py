"""Screens plots of land against a ruleset: in Spark, and on pandas and pyarrow tables without it."""

from groundrule_spark._errors import ArchiveError, ScreeningError
from groundrule_spark._results import result_schema
from groundrule_spark._screen import screen

__all__ = ["ArchiveError", "ScreeningError", "result_schema", "screen"]
__version__ = "0.2.0"

"""Screens plots of land against a ruleset: in Spark, and on pandas and pyarrow tables without it."""

from groundrule_spark._errors import ArchiveError, ScreeningError
from groundrule_spark._screen import RESULT_COLUMNS, screen

__all__ = ["RESULT_COLUMNS", "ArchiveError", "ScreeningError", "screen"]
__version__ = "0.2.0"

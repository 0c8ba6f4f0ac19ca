"""The groundrule command, called from Python: verdicts on plots of land, and the areas around them."""

from groundrule._data import Data, open
from groundrule._errors import GroundruleError

__all__ = ["Data", "GroundruleError", "open"]
__version__ = "0.2.0"

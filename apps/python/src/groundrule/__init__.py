"""Whether plots of land comply with a ruleset, and on what evidence: the groundrule command, called from Python."""

from groundrule._data import Data, open
from groundrule._errors import GroundruleError

__all__ = ["Data", "GroundruleError", "open"]
__version__ = "0.2.0"

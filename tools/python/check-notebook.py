"""Runs the notebooks of a package's folder `examples`: their outputs must be those that are stored in them.

Called by tools/test-python.ts with the folder of the package; `--write` stores the outputs instead.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient


def main() -> None:
    folder = Path(sys.argv[1]) / "examples"
    for path in sorted(folder.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        stored = [outputs_of(cell) for cell in notebook.cells]
        with tempfile.TemporaryDirectory() as workshop:
            os.environ["IPYTHONDIR"] = workshop
            NotebookClient(notebook, timeout=300, resources={"metadata": {"path": workshop}}).execute()
        found = [outputs_of(cell) for cell in notebook.cells]
        if "--write" in sys.argv:
            for cell in notebook.cells:
                cell.get("metadata", {}).pop("execution", None)
            nbformat.write(notebook, path)
        for at, (old, new) in enumerate(zip(stored, found, strict=True)):
            if old != new and "--write" not in sys.argv:
                raise SystemExit(f"{path.name}, cell {at}: found {new}, expected {old}")
        print(f"{path.name}: {len(notebook.cells)} cells, with the outputs that are stored")


def outputs_of(cell: Any) -> list[str]:
    """Outputs of a cell as text."""
    texts = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "error":
            raise SystemExit("\n".join(output["traceback"]))
        texts.append(output.get("text") or output["data"]["text/plain"])
    return texts


if __name__ == "__main__":
    main()

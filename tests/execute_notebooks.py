"""`make notebooks`: executes the tours in notebooks/ and writes the .ipynb beside each script."""

from __future__ import annotations

from pathlib import Path

import jupytext
import nbclient

from tests.processes import PATIENCE

FOLDER = Path(__file__).parent.parent / "notebooks"


def main() -> None:
    """Execute every tour."""
    for script in sorted(FOLDER.glob("*.py")):
        tour = jupytext.read(script)
        nbclient.NotebookClient(tour, timeout=PATIENCE, kernel_name="python3").execute()
        for number, cell in enumerate(tour.cells):
            cell["id"] = f"cell-{number}"  # the same file every time
            cell.metadata.pop("execution", None)
        jupytext.write(tour, script.with_suffix(".ipynb"))
        print(f"executed {script.name}")


if __name__ == "__main__":
    main()

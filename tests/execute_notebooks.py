"""`make notebooks`: executes the tours in notebooks/ and writes the .ipynb beside each script.

Without the extra [notebook] the tours are played all the same, as the scripts that they are, and nothing is written.
"""

from __future__ import annotations

import runpy
from importlib.util import find_spec
from pathlib import Path

from tests.processes import PATIENCE

FOLDER = Path(__file__).parent.parent / "notebooks"
NEEDED = ("jupytext", "nbclient", "ipykernel")


def write_notebook(script: Path) -> None:
    """Execute a tour and keep what it shows."""
    import jupytext
    import nbclient

    tour = jupytext.read(script)
    nbclient.NotebookClient(tour, timeout=PATIENCE, kernel_name="python3").execute()
    for number, cell in enumerate(tour.cells):
        cell["id"] = f"cell-{number}"  # the same file every time
        cell.metadata.pop("execution", None)
    jupytext.write(tour, script.with_suffix(".ipynb"))


def play_script(script: Path) -> None:
    """Execute a tour as a script; its figures are drawn and not shown."""
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    runpy.run_path(str(script))
    plt.close("all")


def main() -> None:
    """Execute every tour with what is installed."""
    missing = [package for package in NEEDED if find_spec(package) is None]
    for script in sorted(FOLDER.glob("*.py")):
        (play_script if missing else write_notebook)(script)
        print(f"executed {script.name}")
    if missing:
        print(f"No notebook was written: {', '.join(missing)} not installed (pip install '.[notebook]').")


if __name__ == "__main__":
    main()

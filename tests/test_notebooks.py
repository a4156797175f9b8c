"""The tours in notebooks/ are paired scripts and notebooks, and every cell runs."""

from pathlib import Path

import pytest

from tests.processes import PATIENCE

FOLDER = Path(__file__).parent.parent / "notebooks"
TOURS = sorted(FOLDER.glob("*.py"))

jupytext = pytest.importorskip("jupytext", reason="the extra [notebook] is not installed")
nbclient = pytest.importorskip("nbclient", reason="the extra [notebook] is not installed")


def code(notebook) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_three_tours():
    assert len(TOURS) == 3


@pytest.mark.parametrize("script", TOURS, ids=lambda path: path.stem)
def test_script_and_notebook_say_the_same(script: Path):
    written = jupytext.read(script)

    executed = jupytext.read(script.with_suffix(".ipynb"))

    assert code(executed) == code(written)


@pytest.mark.parametrize("script", TOURS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # the notebook machinery warns about itself
def test_every_cell_of_a_tour_runs(script: Path):
    tour = jupytext.read(script)

    nbclient.NotebookClient(tour, timeout=PATIENCE, kernel_name="python3").execute()

    outputs = [output for cell in tour.cells if cell.cell_type == "code" for output in cell.outputs]
    assert outputs
    assert not [output for output in outputs if output.output_type == "error"]

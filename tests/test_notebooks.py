"""The tours in notebooks/ are paired scripts and notebooks, and every cell runs."""

from pathlib import Path

import pytest

from tests.execute_notebooks import play_script
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


def test_a_tour_is_played_as_a_script_where_no_notebook_can_be_written(tmp_path: Path):
    script = tmp_path / "tour.py"
    script.write_text('import sim\nsim.run("overhill/duel-skeleton", runs=50, jobs=1, progress=False).plot();\n')

    play_script(script)

    assert [file.name for file in tmp_path.iterdir()] == ["tour.py"]


@pytest.mark.parametrize("script", TOURS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # the notebook machinery warns about itself
def test_every_cell_of_a_tour_runs(script: Path):
    tour = jupytext.read(script)

    nbclient.NotebookClient(tour, timeout=PATIENCE, kernel_name="python3").execute()

    last = [cell for cell in tour.cells if cell.cell_type == "code"][-1]
    assert any("image/png" in output.get("data", {}) for output in last.outputs), "a tour ends in a figure"
    outputs = [output for cell in tour.cells if cell.cell_type == "code" for output in cell.outputs]
    assert outputs
    assert not [output for output in outputs if output.output_type == "error"]

"""Boards as matplotlib pictures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon, Rectangle

from sim.core.board import Board, disk, draw, hex_board, square_board, zone_board

BOARDS = [
    square_board("..#\n.OH", {"O": "obstructed", "H": "hidden"}),
    hex_board({"A": disk((0, 0), 1), "B": disk((3, -1), 1)}, impassable=[(0, 0)], features={"entrance": [(-1, 0)]}),
    zone_board(["front", "rear"]),
]


def patches(ax: Axes, kind: type) -> list[object]:
    return [patch for patch in ax.patches if isinstance(patch, kind)]


@pytest.mark.parametrize("coordinates", [False, True])
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.kind)
def test_every_kind_of_board_becomes_a_picture(board: Board, coordinates: bool, tmp_path: Path) -> None:
    ax = draw(board, [(0, "A", "party"), (1, "B", "enemy")], title="A fight", coordinates=coordinates)

    ax.figure.savefig(tmp_path / "board.png")

    assert (tmp_path / "board.png").stat().st_size > 1_000
    assert ax.get_title(loc="left") == "A fight"


def test_sides_differ_in_colour_and_shape() -> None:
    ax = draw(BOARDS[0], [(0, "A", "party"), (1, "B", "enemy"), (1, "C", "enemy")])

    circles, squares = patches(ax, Circle), patches(ax, Rectangle)

    assert [to_hex(circle.get_facecolor()) for circle in circles] == ["#0072b2"]
    assert [to_hex(square.get_facecolor()) for square in squares] == ["#d55e00", "#d55e00"]


def test_units_on_one_cell_do_not_cover_each_other() -> None:
    company = [(0, str(number), "party") for number in range(7)]

    circles = patches(draw(BOARDS[0], company), Circle)

    for one in circles:
        for other in circles:
            apart = ((one.center[0] - other.center[0]) ** 2 + (one.center[1] - other.center[1]) ** 2) ** 0.5
            assert one is other or apart >= one.radius + other.radius
        assert max(abs(one.center[0]), abs(one.center[1])) + one.radius <= 0.5


def test_the_legend_names_sides_features_and_walls() -> None:
    ax = draw(BOARDS[0], [(0, "A", "party")])

    legend = ax.get_legend()

    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["party", "hidden", "obstructed", "wall"]
    assert draw(BOARDS[0], legend=False).get_legend() is None


def test_features_differ_in_their_hatching() -> None:
    hatched = {patch.get_hatch() for patch in patches(draw(BOARDS[0]), Polygon) if patch.get_hatch()}

    assert len(hatched) == 2


def test_tiles_are_parted_by_a_heavy_line() -> None:
    (borders,) = draw(BOARDS[1]).collections

    assert len(borders.get_segments()) == 3


def test_a_board_can_be_drawn_into_axes_that_exist() -> None:
    axes = Figure().subplots(1, 2)

    assert draw(BOARDS[1], ax=axes[1]) is axes[1]
    assert not axes[0].patches


def test_coordinates_stand_along_the_edges_of_squares_and_inside_hexes() -> None:
    square = draw(square_board("..\n..", rows_from="bottom", count_from=1), coordinates=True)
    hexes = draw(BOARDS[1], coordinates=True)

    assert [label.get_text() for label in square.get_xticklabels()] == ["1", "2"]
    assert dict(zip((label.get_text() for label in square.get_yticklabels()), square.get_yticks(), strict=True)) == {
        "1": 1.0,
        "2": 2.0,
    }
    assert "-1,1" in {text.get_text() for text in hexes.texts}


def test_boards_do_not_load_matplotlib_until_they_are_drawn() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, sim.core.board; print('matplotlib' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert loaded.stdout.strip() == "False"

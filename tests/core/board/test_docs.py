"""The examples of docs/boards.md run, and the comments beside them hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

import sim.core.board as package
from sim.core.board import FAR, open_sight, square_board
from sim.core.luck import Luck

PAGE = Path(__file__).parents[3] / "docs" / "boards.md"


def played_page(folder: Path) -> dict[str, Any]:
    """Every Python example of the page, one after the other, with the names that a ruleset would have."""
    lanes, units = 6, 4
    text = PAGE.read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    board = square_board(". . O . .\n. # # # .\nS . T . .", {"O": "obstructed", "T": "trap", "S": "entrance"})
    rng = np.random.default_rng(3)
    names = {name: getattr(package, name) for name in package.__all__} | {
        "np": np,
        "lanes": lanes,
        "cell": rng.integers(-1, len(board), (units, lanes)),
        "standing": rng.random((units, lanes)) < 0.7,
        "new_cell": rng.integers(0, len(board), lanes),
        "old_cell": rng.integers(0, len(board), lanes),
        "goal": np.full(lanes, 11),
        "start": np.zeros(lanes, dtype=np.int64),
        "mover": np.zeros(lanes, dtype=np.int64),
        "steps": np.arange(lanes),
        "enter": np.where(board.has("obstructed"), 2, 1),
        "free": board.bits.none(lanes) | board.bits.every,
        "guarded": board.bits.none(lanes),
        "mask": np.zeros((len(board), lanes), dtype=np.bool_),
        "sight": open_sight(board),
        "n": 2,
        "heroes": [0, 1],
        "moves": 3,
        "luck": Luck.of(1, np.arange(lanes)),
        "round": 1,
        "actor": 0,
    }
    assert len(examples) >= 10
    for example in examples:
        exec(example.replace('savefig("', f'savefig("{folder}/'), names)  # noqa: S102 (our own page)
    return names


def test_the_examples_of_the_page_run(tmp_path: Path) -> None:
    names = played_page(tmp_path)

    board, room, clash, tile, guards = (names[name] for name in ("board", "room", "clash", "tile", "guards"))
    assert board.coords[5] == (0, 1)
    assert board.cells_with("entrance") == [7]
    assert board.connected
    assert room.directions == ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
    assert clash.tiles[clash.tile[0]] == "E"
    assert tile.cells_with("entrance") == [tile.find((-2, 0))]
    assert guards.find("rear") == 1
    assert (tmp_path / "bridge.png").exists()


def test_a_walk_as_on_the_page_comes_nearer_with_every_step(tmp_path: Path) -> None:
    names = played_page(tmp_path)

    before, after = names["board"].steps[0, 11], names["board"].steps[names["mover"], 11]

    walked = names["fill"].cost(np.zeros(6, dtype=np.int64)) < FAR
    assert (after[walked] == before - 3).all()
    assert walked.any()


def test_everything_offered_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    types_only = {"Bitboards", "Bits", "Board", "Reach"}

    assert [name for name in package.__all__ if name not in text and name not in types_only] == []


def test_the_picture_on_the_page_is_the_one_that_is_printed(tmp_path: Path) -> None:
    tile = played_page(tmp_path)["tile"]

    shown = package.picture(tile, {tile.find((-2, 0)): "A4", tile.find((1, 0)): "E"}, coordinates=True)

    assert "\n".join(f"    {line}" for line in shown.splitlines()) in PAGE.read_text(encoding="utf-8")

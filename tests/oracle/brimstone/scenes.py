"""Positions for tests of the referee: a few units on their squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.oracle import brimstone as bf
from tests.oracle.luck import PythonLuck

OFF = {"grit_use": "off", "revive_tokens": 0}
BIG = {"type": "tentacles", "health": 60}


def scene(
    luck: Any,
    heroes: list[dict[str, Any]],
    enemies: Sequence[tuple[str | dict[str, Any], tuple[int, int] | None]] = (),
    board: Any = (7, 7),
    turn: int = 1,
    **more: Any,
) -> bf.Fight:
    """A fight in the middle of a turn, enemies on given squares; `board` is (width, height), a drawing or "none"."""
    scenario: dict[str, Any] = {"heroes": heroes} | more
    lines = [{"type": kind} if isinstance(kind, str) else kind for kind, _ in enemies]
    unique: list[dict[str, Any]] = []
    for line in lines:
        if line not in unique:
            unique.append(line)
    scenario["events"] = [{"turn": 99, "enemies": unique}] if unique else []
    if isinstance(board, tuple):
        scenario["width"], scenario["height"] = board
    else:
        scenario["board"] = board
    prepared = bf.prepare(scenario)
    fight = bf.Fight(prepared, luck)
    numbers = [line.kind for line in prepared.events[0].lines] if unique else []
    prepared.events.clear()
    for line, (_, square) in zip(lines, enemies, strict=True):
        group = fight.group_of(numbers[unique.index(line)], 1)
        fight.join(group, 1 if square is None else at(fight, *square))
    fight.turn = turn
    return fight


def at(fight: bf.Fight, x: int, y: int) -> int:
    return fight.board.at(x - 1, y - 1)


def xy(fight: bf.Fight, square: int) -> tuple[int, int]:
    return fight.board.xs[square] + 1, fight.board.ys[square] + 1


def hero_at(x: int, y: int, cls: str = "lawman", **more: Any) -> dict[str, Any]:
    return {"class": cls, "square": [x, y]} | more


def act(fight: bf.Fight, kind: bf.Model) -> None:
    """Phase A of the group of a model."""
    fight.phase_b = lambda group: None  # type: ignore[method-assign]
    fight.activate_group(kind.group)


def targets(fight: bf.Fight) -> tuple[int | None, ...]:
    return tuple(None if model.target is None else model.target.number for model in fight.slots)


def squares_of(prepared: bf.Prepared, name: str, luck: Any = None) -> list[tuple[int, int]]:
    fight = bf.Fight(prepared, luck or PythonLuck(1))
    fight.set_up()
    return [xy(fight, model.sq) for model in fight.slots if model.kind.name == name]

"""The board of an encounter with everything that the round only looks up (section 2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import FAR, Bits, Board, manhattan, square_board, square_sight
from sim.errors import Problem, ScenarioError
from sim.rulesets.p52 import data

LEGEND = {"O": "obstructed", "H": "hidden", "T": "trap", "S": "entrance", "X": "exit"}
UNSEEN = 999  # a range that nothing reaches
HERO_MOST = 11  # one more than the longest range of a hero: out of range, or not seen


@dataclass(frozen=True, slots=True)
class Ground:
    """A board and its tables (P52-U8, P52-U9, P52-U10, P52-U11). All of it is revealed and lit (P52-U15).

    Spots are cells; (spots, spots) tables are [from, to], flattened for `take`.
    """

    board: Board
    size: int
    entrance: int
    exit: int  # -1 if there is none
    range: NDArray[np.int16]  # (spots * spots,) P52-U9
    steps: NDArray[np.int16]  # (spots * spots,) P52-U8
    sight: NDArray[np.bool_]  # (spots * spots,) P52-U10, U11: at R = 0 always
    seen_range: NDArray[np.int16]  # (spots * spots,) R, UNSEEN where it is not in sight
    hero_range: NDArray[np.int8]  # (spots * spots,) R for heroes: HERO_MOST where nothing can be done
    hidden: NDArray[np.bool_]  # (spots,)
    trap: NDArray[np.bool_]  # (spots,)
    obstructed: NDArray[np.bool_]  # (spots,)
    any_trap: bool
    any_obstructed: bool
    enter: NDArray[np.int64]  # (spots,) P52-U12: movement points to enter
    cost: NDArray[np.int16]  # (spots, spots) movement cost to go for enemies
    hero_cost: NDArray[np.int16]  # (spots, spots) the same for heroes: traps count 1 extra (P52-Y5)
    cost_sets: Bits  # (words, spots * values) [goal, c]: the spots from which the goal costs c
    float_sets: Bits  # the same where every spot costs 1 (P52-E16)
    hero_cost_sets: Bits
    step_sets: tuple[Bits, ...]  # [d][:, spot]: the spots d steps away
    farther: Bits  # (words, spots * spots) [s, p]: the spots with more steps to p than s has (P52-E9)
    not_nearer: Bits  # (words, spots * spots) [s, p]: the spots with at least as many
    beside: tuple[tuple[int, ...], ...]
    free: dict[tuple[int, bool], tuple[Bits, Bits]]  # (movement, floats) -> reach from every spot; see `free_reach`
    sets: dict[int | bytes, Bits]  # what `seen_within` and `in_reach_of` were asked before
    pushable: NDArray[np.bool_]  # (spots * spots,) [where, pusher]: some neighbour has more steps from the pusher

    def near(self, spots: NDArray[Any], others: NDArray[Any]) -> NDArray[np.int64]:
        """Where a pair of spots stands in the flat tables."""
        return spots.astype(np.int64) * self.size + others


def read_board(text: str, entrance: Any, leave: Any, key: str) -> tuple[Board, int, int]:
    """P52-U6: a named board or a text map, with entrance and exit; raises ScenarioError."""
    named = data.boards()
    board = square_board(even_rows(named.get(text.strip(), text)), LEGEND, key=key)
    if not board.connected:
        place = board.coords[board.cut_off[0]]
        raise ScenarioError(Problem(key, f"the spots must hang together, but {place} is cut off from the first"))

    def spot(given: Any, feature: str, otherwise: int) -> int:
        if given is not None:
            return board.find(given, key.replace("board", feature))
        drawn = board.cells_with(feature)
        return drawn[0] if drawn else otherwise

    return board, spot(entrance, "entrance", 0), spot(leave, "exit", -1)


def even_rows(text: str) -> str:
    """Short lines are filled with holes."""
    rows = ["".join(line.split()) for line in text.strip("\n").splitlines()]
    width = max((len(row) for row in rows), default=0)
    return "\n".join(row.ljust(width, "#") for row in rows if row or width)


def make_ground(board: Board, entrance: int, leave: int) -> Ground:
    """All tables of a board, made once by plain loops."""
    size = len(board)
    distance = manhattan(board.coords)
    sight = square_sight(board, "both")
    obstructed = board.has("obstructed")
    enter = 1 + obstructed.astype(np.int64)
    cost = board.costs(enter)
    hero_cost = board.costs(enter + board.has("trap"))
    steps = board.steps
    in_reach = sight & (distance < HERO_MOST)
    return Ground(
        board=board,
        size=size,
        entrance=entrance,
        exit=leave,
        range=distance.reshape(-1),
        steps=steps.reshape(-1),
        sight=sight.reshape(-1),
        hero_range=np.where(in_reach, distance, HERO_MOST).astype(np.int8).reshape(-1),
        seen_range=np.where(sight, distance, UNSEEN).astype(np.int16).reshape(-1),
        hidden=board.has("hidden"),
        trap=board.has("trap"),
        obstructed=obstructed,
        any_trap=bool(board.has("trap").any()),
        any_obstructed=bool(obstructed.any()),
        enter=enter,
        cost=cost,
        hero_cost=hero_cost,
        cost_sets=flat_sets(board, cost),
        float_sets=flat_sets(board, steps),
        hero_cost_sets=flat_sets(board, hero_cost),
        step_sets=sets_by_value(board, steps),
        farther=pair_sets(board, lambda s, p: steps[:, p] > steps[s, p]),
        not_nearer=pair_sets(board, lambda s, p: steps[:, p] >= steps[s, p]),
        beside=board.neighbours,
        free={},
        sets={},
        pushable=can_be_pushed(board),
    )


def sets_by_value(board: Board, table: NDArray[np.int16]) -> tuple[Bits, ...]:
    """By value: one set per goal of the spots [from] with that value to it."""
    most = int(table[table < FAR].max(initial=0))
    return tuple(board.bits.rows((table == value).T) for value in range(most + 1))


def flat_sets(board: Board, table: NDArray[np.int16]) -> Bits:
    """(words, spots * values). The same, one column per goal and value."""
    by_value = sets_by_value(board, table)
    columns = np.stack([sets[:, : len(board)] for sets in by_value], axis=2)  # (words, spots, values)
    return columns.reshape(columns.shape[0], -1)


def pair_sets(board: Board, holds: Any) -> Bits:
    """(words, spots * spots). For every pair (s, p) the set of spots for which something holds."""
    size = len(board)
    pairs = [board.bits.fixed(holds(s, p)) for s in range(size) for p in range(size)]
    return np.concatenate(pairs, axis=1)


def free_reach(ground: Ground, movement: int, floats: bool) -> tuple[Bits, Bits]:
    """(words, spots) each. From every spot: what is in reach if nobody stops the walk, and where a stop matters."""
    key = (movement, floats)
    if key not in ground.free:
        starts = np.arange(ground.size)
        enter = None if floats or not ground.any_obstructed else ground.enter
        fill = ground.board.reach(starts, movement, enter=enter)
        own = ground.board.bits.at(starts)
        ground.free[key] = fill.all & ~own, fill.within(movement - 1) & ~own
    return ground.free[key]


def seen_within(ground: Ground, most: int) -> Bits:
    """(words, spots). For every spot: the spots in sight at no more than this range."""
    if most not in ground.sets:
        near = (ground.seen_range <= most).reshape(ground.size, ground.size)
        ground.sets[most] = ground.board.bits.rows(near)
    return ground.sets[most]


def in_reach_of(ground: Ground, reaches: NDArray[np.bool_]) -> Bits:
    """(words, spots). For every spot: from where it lies at a range at which the hero can do something."""
    key = reaches.tobytes()
    if key not in ground.sets:
        table = reaches.take(ground.hero_range.reshape(ground.size, ground.size))  # [from, spot]
        ground.sets[key] = ground.board.bits.rows(table.T)
    return ground.sets[key]


def can_be_pushed(board: Board) -> NDArray[np.bool_]:
    """(spots * spots,). P52-C26: [where, pusher], whether a push is possible."""
    table = np.zeros((len(board), len(board)), dtype=bool)
    for spot, others in enumerate(board.neighbours):
        for other in others:
            table[spot] |= board.steps[other] > board.steps[spot]
    return table.reshape(-1)


def problem_at(board: Board, spot: Sequence[int], key: str) -> list[Problem]:
    """What is wrong with a spot of a scenario."""
    wrong = board.problem_with(tuple(spot))
    return [Problem(key, wrong.replace("a wall", "a hole"))] if wrong else []

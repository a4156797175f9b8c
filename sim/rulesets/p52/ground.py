"""The board of an encounter with everything that the round only looks up (P52-U6 to P52-U15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from sim.core.board import FAR, Bits, Board, manhattan, square_board, square_sight
from sim.core.lanes import Mask, Row, Small, Tiny, Whole, lookup
from sim.errors import Problem, ScenarioError
from sim.rulesets.p52 import data

LEGEND = {"O": "obstructed", "H": "hidden", "T": "trap", "S": "entrance", "X": "exit"}
UNSEEN = 999  # a range that nothing reaches
HERO_MOST = 11  # one more than the longest range of a hero: out of range, or not seen


@dataclass(frozen=True, slots=True)
class Costs:
    """What it costs to go from one spot to another."""

    to_go: Small  # (spots, spots)
    sets: Bits  # (words, spots, costs) [goal, c]: the spots from which the goal costs c


@dataclass(frozen=True, slots=True)
class Ground:
    """A board and its tables (P52-U8, P52-U9, P52-U10, P52-U11). All of it is revealed and lit (P52-U15).

    Spots are cells. Tables of two spots are [from, to], for `lookup`; tables of sets are (words, spots), for `columns`,
    or (words, spots, more), for `set_of`.
    """

    board: Board
    size: int
    entrance: int
    exit: int  # -1 if there is none
    range: Small  # (spots, spots) P52-U9
    steps: Small  # (spots, spots) P52-U8; the same in both directions
    sight: Mask  # (spots, spots) P52-U10, U11: at R = 0 always
    seen_range: Small  # (spots, spots) R, UNSEEN where it is not in sight
    hero_range: Tiny  # (spots, spots) R for heroes: HERO_MOST where nothing can be done
    hidden: Mask  # (spots,)
    trap: Mask  # (spots,)
    obstructed: Mask  # (spots,)
    any_hidden: bool
    any_trap: bool
    any_obstructed: bool
    enter: Whole  # (spots,) P52-U12: movement points to enter
    enemy_costs: Costs
    float_costs: Costs  # every spot costs 1 (P52-E16)
    hero_costs: Costs  # traps count 1 extra (P52-Y5)
    no_nearer: Bits  # (words, spots, steps) [p, d]: the spots with at least d steps to p (P52-E9)
    beside: tuple[tuple[int, ...], ...]
    neighbours: Bits  # (words, spots) the same as sets
    pushable: Mask  # (spots, spots) [where, pusher]: some neighbour has more steps from the pusher


def set_of(sets: Bits, one: Row, other: Row) -> Bits:
    """(words, lanes). One set per lane of a table of sets by two numbers: `no_nearer`, or the sets of `Costs`."""
    if len(sets) == 1:
        return lookup(sets[0], one, other)[None]
    return np.stack([lookup(word, one, other) for word in sets])


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


@lru_cache(maxsize=64)
def ground_for(text: str, entrance: tuple[int, ...] | None, leave: tuple[int, ...] | None, key: str) -> Ground:
    """The ground of a board with entrance and exit; variants of a fight on the same board stand on the same one."""
    return make_ground(*read_board(text, entrance, leave, key))


def make_ground(board: Board, entrance: int, leave: int) -> Ground:
    """All tables of a board."""
    size = len(board)
    distance = manhattan(board.coords)
    sight = square_sight(board, "both")
    obstructed = board.has("obstructed")
    enter = 1 + obstructed.astype(np.int64)
    steps = board.steps
    in_reach = sight & (distance < HERO_MOST)
    float_costs = make_costs(board, steps)
    enemy_costs = make_costs(board, board.costs(enter)) if obstructed.any() else float_costs
    trap = board.has("trap")
    hero_costs = make_costs(board, board.costs(enter + trap)) if trap.any() else enemy_costs
    return Ground(
        board=board,
        size=size,
        entrance=entrance,
        exit=leave,
        range=distance,
        steps=steps,
        sight=sight,
        hero_range=np.where(in_reach, distance, HERO_MOST).astype(np.int8),
        seen_range=np.where(sight, distance, UNSEEN).astype(np.int16),
        hidden=board.has("hidden"),
        trap=trap,
        obstructed=obstructed,
        any_hidden=bool(board.has("hidden").any()),
        any_trap=bool(trap.any()),
        any_obstructed=bool(obstructed.any()),
        enter=enter,
        enemy_costs=enemy_costs,
        float_costs=float_costs,
        hero_costs=hero_costs,
        no_nearer=at_least(float_costs.sets),
        beside=board.neighbours,
        neighbours=board.bits.rows(board.adjacent),
        pushable=can_be_pushed(board),
    )


def make_costs(board: Board, table: Small) -> Costs:
    """A (spots, spots) table of costs, and the same as sets by goal and cost."""
    most = int(table[table < FAR].max(initial=0))
    sets = np.empty((board.bits.words, len(board), most + 1), dtype=np.uint64)
    for value in range(most + 1):
        sets[:, :, value] = board.bits.rows((table == value).T)[:, : len(board)]
    return Costs(table, sets)


def at_least(sets: Bits) -> Bits:
    """(words, spots, costs + 1). From sets of spots by goal and cost: those that cost so much or more."""
    joined = np.zeros((*sets.shape[:2], sets.shape[2] + 1), dtype=np.uint64)
    for cost in reversed(range(sets.shape[2])):
        joined[:, :, cost] = joined[:, :, cost + 1] | sets[:, :, cost]
    return joined


def free_reach(ground: Ground, movement: int, plain: bool) -> tuple[Bits, Bits]:
    """(words, spots) each. From every spot: what is in reach if nobody stops the walk, and where a stop matters.

    On plain ground, or for who floats, every spot costs 1.
    """
    starts = np.arange(ground.size)
    fill = ground.board.reach(starts, movement, enter=None if plain else ground.enter)
    own = ground.board.bits.at(starts)
    return fill.all & ~own, fill.within(movement - 1) & ~own


def seen_within(ground: Ground, most: int) -> Bits:
    """(words, spots). For every spot: the spots in sight at no more than this range."""
    return ground.board.bits.rows(ground.seen_range <= most)


def in_reach_of(ground: Ground, reaches: Mask) -> Bits:
    """(words, spots). For every spot: from where it lies at a range at which a hero can do something."""
    return ground.board.bits.rows(lookup(reaches, ground.hero_range).T)


def can_be_pushed(board: Board) -> Mask:
    """(spots, spots). P52-C26: [where, pusher], whether a push is possible."""
    table = np.zeros((len(board), len(board)), dtype=bool)
    for spot, others in enumerate(board.neighbours):
        for other in others:
            table[spot] |= board.steps[other] > board.steps[spot]
    return table


def problem_at(board: Board, spot: Sequence[int], key: str) -> list[Problem]:
    """What is wrong with a spot of a scenario."""
    wrong = board.problem_with(tuple(spot))
    return [Problem(key, wrong.replace("a wall", "a hole"))] if wrong else []

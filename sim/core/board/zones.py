"""Zones: named places without geometry, such as a front and a rear line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sim.core.board.board import Board
from sim.errors import Problem, ScenarioError, did_you_mean


def zone_board(names: Sequence[str], links: Iterable[tuple[str, str]] = (), *, key: str = "board.zones") -> Board:
    """A board of named places, numbered as listed. Linked places are neighbours, both ways.

    >>> guards = zone_board(["front", "rear"], links=[("front", "rear")])
    >>> guards.find("rear"), int(guards.steps[0, 1])
    (1, 1)
    """
    problems = [Problem(key, "expected at least one zone, found none")] if not names else []
    for name in sorted({name for name in names if list(names).count(name) > 1}):
        problems.append(Problem(key, f"zone '{name}' is listed twice; give every zone its own name"))
    neighbours: list[list[int]] = [[] for _ in names]
    for link in links:
        strangers = [name for name in link if name not in names]
        for name in strangers:
            problems.append(Problem(key, f"link to an unknown zone '{name}'{did_you_mean(name, names)}"))
        if not strangers:
            one, other = (list(names).index(name) for name in link)
            if other not in neighbours[one] and one != other:
                neighbours[one].append(other)
                neighbours[other].append(one)
    if problems:
        raise ScenarioError(problems)

    most = max(len(others) for others in neighbours)
    beside = np.full((most, len(names)), -1, dtype=np.int16)  # (links, zones)
    for zone, others in enumerate(neighbours):
        beside[: len(others), zone] = others
    directions = [f"link {number}" for number in range(most)]
    coords = [(zone, 0) for zone in range(len(names))]
    return Board("zones", coords, directions, beside, names=names)

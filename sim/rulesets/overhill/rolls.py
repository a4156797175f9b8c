"""Rolls as they are told: the dice as they lie, what was needed, and the chance that it had.

Worked out for the first run of the batch, and only if somebody listens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Mask
from sim.core.telling import Roll

HIGHER, LOWER = "higher", "lower"  # which of two dice counts


@dataclass(frozen=True, slots=True)
class Throw:
    """A die of a hero as it fell: two of them with advantage or disadvantage."""

    sides: int
    faces: tuple[int, ...]
    counts: str = ""  # HIGHER or LOWER where there are two

    @property
    def counted(self) -> int:
        """The face that counts."""
        return min(self.faces) if self.counts == LOWER else max(self.faces)

    @property
    def chances(self) -> dict[int, float]:
        """How likely every face was to count."""
        faces, square = range(1, self.sides + 1), self.sides**2
        if len(self.faces) == 1:
            return dict.fromkeys(faces, 1 / self.sides)
        if self.counts == HIGHER:
            return {face: (2 * face - 1) / square for face in faces}
        return {face: (2 * (self.sides - face) + 1) / square for face in faces}


def throw(
    sides: int | NDArray[np.integer],
    first: NDArray[np.integer],
    second: NDArray[np.integer] | None = None,
    higher: Mask | bool = False,
) -> Throw:
    """A die as it fell in the first lane; the second one where there are two."""
    size = int(np.asarray(sides).flat[0])
    if second is None:
        return Throw(size, (int(first[0]),))
    return Throw(size, (int(first[0]), int(second[0])), HIGHER if np.asarray(higher).flat[0] else LOWER)


def roll_for(
    thrown: Throw | None, purpose: str, works: Callable[[int], float], came: float, measure: str = "hits"
) -> list[Roll]:
    """A throw with what came of it; none if no die was thrown.

    Args:
        works: what a face is worth in `measure`; above 0 it has worked.
    """
    if thrown is None:
        return []
    worth = {face: works(face) for face in thrown.chances}
    good = [face for face, value in worth.items() if value > 0]
    return [
        Roll(
            faces=tuple(map(str, thrown.faces)),
            sides=thrown.sides,
            purpose=f"{purpose}, the {thrown.counts} counts" if thrown.counts else purpose,
            needed=_needed(good, thrown.sides),
            counted=tuple(face in good for face in thrown.faces),
            chance=sum(thrown.chances[face] for face in good),
            came=float(came),
            expected=sum(chance * worth[face] for face, chance in thrown.chances.items()),
            measure=measure,
        )
    ]


def check(thrown: Throw | None, purpose: str, passes: Callable[[int], bool], passed: Mask | bool) -> list[Roll]:
    """A throw that works or does not."""
    return roll_for(thrown, purpose, lambda face: float(passes(face)), float(np.asarray(passed).flat[0]), "successes")


def defence_roll(thrown: Throw, worth: Mapping[int, float], damage: float) -> list[Roll]:
    """A throw to dodge: `worth` is the damage that every face lets through. Less is better for who has thrown it."""
    good = [face for face, hurts in worth.items() if not hurts]
    (told,) = roll_for(thrown, "to dodge", lambda face: float(face in good), 0.0, "damage")
    expected = sum(chance * worth[face] for face, chance in thrown.chances.items())
    return [replace(told, came=damage, expected=expected)]


def _needed(good: list[int], sides: int) -> str:
    """Which faces work, in words; they are the highest ones."""
    if not good:
        return f"more than {sides}"
    return "anything" if good[0] == 1 else f"a {sides}" if good[0] == sides else f"{good[0]} or more"

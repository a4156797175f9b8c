"""Exact odds of single actions: what an expert policy weighs. Everything is enumerated, nothing is sampled.

Expected kills depend on the die, the modifier, the group's defence and its number. They are worked out when first asked
for and kept in tables, so that a policy's turn is a look-up for all runs at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Row, lookup
from sim.rulesets.overhill.rules.dice import hit_count
from sim.rulesets.overhill.rules.enemy_attacks import hit_damage
from sim.rulesets.overhill.rules.magic import casting_dice, casts

Chances = NDArray[np.float64]  # chances[k]: the chance of k kills, however many monsters there are

LEAST_MODIFIER = -2  # defensive stance, and the rear guard with `rear_modifier`
KEYS = 7  # die sizes 0, 2, .. 12 by half; or up to 5 pushes


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large the numbers of an encounter can get: the size of the tables."""

    most_modifier: int
    most_defence: int
    most_attack: int
    most_monsters: int

    @property
    def modifiers(self) -> int:
        """How many different modifiers there can be."""
        return self.most_modifier - LEAST_MODIFIER + 1


def attack_chances(die: int, modifier: int, defence: int, threshold: str, disadvantage: bool = False) -> Chances:
    """OU-A1: chances of the hits of one attack."""
    faces = np.arange(1, die + 1)
    weight = np.full(die, 1 / die)
    if disadvantage:
        weight = (2 * (die - faces) + 1) / die**2  # the lower of two dice
    return np.bincount(hit_count(faces + modifier, defence, threshold), weights=weight).astype(np.float64)


def frenzy_chances(die: int, modifier: int, defence: int, threshold: str) -> Chances:
    """OU-F3: both attacks on the same group."""
    second = attack_chances(die, modifier, defence, threshold, disadvantage=True)
    return np.convolve(attack_chances(die, modifier, defence, threshold), second)


def opened_chances(
    opening_die: int, opening_defence: int, die: int, modifier: int, defence: int, threshold: str
) -> Chances:
    """OU-C3, OU-F4: the hits of a bare opening roll are the number of attacks."""
    one = attack_chances(die, modifier, defence, threshold)
    attacks = attack_chances(opening_die, 0, opening_defence, threshold)
    total: Chances = np.zeros(1 + (len(attacks) - 1) * (len(one) - 1))
    so_far = np.ones(1)
    for chance in attacks:
        total[: len(so_far)] += chance * so_far
        so_far = np.convolve(so_far, one)
    return total


def dart_chances(smart: int, push: int, modifier: int, defence: int, switches: Mapping[str, Any]) -> Chances:
    """OU-G1 to OU-G5: one dart for every success; mishap effects are ignored."""
    threshold = switches["melee_threshold"]
    total = np.ones(1)
    for die in casting_dice(smart, push, switches["push_ladder"]):
        shown = np.arange(1, die + 1)
        success = casts(shown, switches["dart_level"], switches)
        if switches["dart_roll"] == "same_roll":
            kills = hit_count(shown + modifier, defence, threshold) * success
            one = np.bincount(kills, minlength=1) / die
        else:
            one = success.mean() * attack_chances(die, modifier, defence, threshold)
            one[0] += 1 - success.mean()
        total = np.convolve(total, one)
    return total


class KillTable:
    """Expected kills of one kind of action, by what they depend on.

    That is a key (the die by half, or the pushes), the modifier, the defence that the opening roll meets, the defence
    that the blows meet, and the number of monsters.
    """

    def __init__(self, chances: Callable[[int, int, int, int], Chances], bounds: Bounds) -> None:
        self.chances = chances
        self.bounds = bounds
        defences = bounds.most_defence + 1
        self.row = np.full((KEYS, bounds.modifiers, defences, defences), -1, dtype=np.int32)
        self.means = np.zeros((0, bounds.most_monsters + 1))  # (rows, number)

    def expected(self, key: Row, modifier: Row, opening: Row, defence: Row, number: Row) -> NDArray[np.float64]:
        """Expected kills for whole arrays; their shapes must fit together."""
        asked = (key, modifier - LEAST_MODIFIER, opening, defence)
        row = lookup(self.row, *asked)
        if (row < 0).any():
            self._fill(*(index[row < 0] for index in np.broadcast_arrays(*asked)))
            row = lookup(self.row, *asked)
        return lookup(self.means, row, number)

    def _fill(self, *places: NDArray[np.integer]) -> None:
        for key, modifier, opening, defence in np.unique(np.stack(places), axis=1).T.tolist():
            chances = self.chances(key, modifier + LEAST_MODIFIER, opening, defence)
            kills = np.arange(len(chances))
            means = [float(chances @ np.minimum(kills, number)) for number in range(self.bounds.most_monsters + 1)]
            self.row[key, modifier, opening, defence] = len(self.means)
            self.means = np.vstack([self.means, means])


def loss_table(switches: Mapping[str, Any], bounds: Bounds) -> NDArray[np.float64]:
    """[die / 2, modifier - LEAST_MODIFIER, attack value]: expected health lost to one attack, not capped by health."""
    modifier = np.arange(LEAST_MODIFIER, bounds.most_modifier + 1)[:, None]
    attack = np.arange(bounds.most_attack + 1)[None, :]
    table = np.zeros((KEYS, modifier.size, attack.size))
    for die in range(2, 13, 2):
        for face in range(1, die + 1):
            total = face + modifier + 0 * attack
            dodged = total > attack if switches["dodge_threshold"] == "exceed" else total >= attack
            table[die // 2] += np.where(dodged, 0, hit_damage(attack + 0 * modifier, total, False, switches)) / die
    return table


def safe_pushes(smart: int, level: int, ladder: str) -> int:
    """The most pushes with which the chance that any casting die shows 1 is at most a third."""
    best = 0
    for push in range(1, level // 2 + 1):
        none = 1.0
        for die in casting_dice(smart, push, ladder):
            none *= 1 - 1 / die
        if 1 - none <= 1 / 3 + 1e-12:
            best = push
    return best

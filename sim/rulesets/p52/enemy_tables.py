"""Look-up tables of what enemies attack with: the damage of every flip, and the attack from spot to spot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.core.lanes import Small
from sim.rulesets.p52.bestiary import EnemyAttack, EnemyFacts
from sim.rulesets.p52.ground import Ground
from sim.rulesets.p52.sums import MISS, least_target, read_formula

FLIPS = 14  # a flip is an index: 0 is never flipped, 1 is the Ace


def king_damage(raw: int, level: int, switches: Mapping[str, Any]) -> int:
    """P52-C12: what a natural King makes of the damage."""
    if switches["enemy_king"] == "double":
        return 2 * raw
    return raw + int(read_formula(str(switches["enemy_king_extra"]), ("L",))({"L": level}))


def raw_damage(attacks: Sequence[EnemyAttack], level: int, most_range: int, switches: Mapping[str, Any]) -> Small:
    """P52-C9 to C12: (attacks, passing, ranges, flips). MISS where it misses; without the King's part."""
    table = np.full((len(attacks), 2, most_range + 1, FLIPS), MISS, dtype=np.int16)
    step = switches["enemy_level_bonus"]
    bonus = level // step if step else 0
    least = least_target(switches)
    distances, flips = np.arange(most_range + 1), np.arange(2, FLIPS)
    for number, attack in enumerate(attacks):
        wanted = np.broadcast_to(np.asarray(attack.target({"L": level, "R": distances, "O": 0})), distances.shape)
        for passing in range(2):
            over = flips + bonus - np.maximum(wanted + passing, least)[:, None]  # (ranges, flips)
            hits = over >= 0 if switches["enemy_hit"] == "meet" else over > 0
            about = {"L": level, "R": np.broadcast_to(distances[:, None], over.shape), "O": np.maximum(over, 0)}
            damage = np.broadcast_to(np.asarray(attack.damage(about)), over.shape)
            table[number, passing, :, 2:][hits] = np.maximum(damage, 0)[hits]
    return table


def attack_at(enemy: EnemyFacts, first_row: int, ground: Ground, loaded: bool) -> Small:
    """P52-E4, P52-E12a, P52-U14: (spots, spots). The row of the attack from one spot at a hero on another, or -1."""
    distance = ground.range
    hidden = ground.hidden & (distance > 0)
    chosen = np.full(distance.shape, -1, dtype=np.int16)
    by_way = {attack.way: number for number, attack in enumerate(enemy.attacks)}
    for way in ("melee", "creature", "ranged"):  # the better one is written over the others
        if way not in by_way:
            continue
        attack = enemy.attacks[by_way[way]]
        if attack.loads and not loaded:
            continue
        reaches = (distance >= attack.least) & (distance <= attack.most) & ~hidden
        chosen[reaches & (ground.sight | ("needs_no_sight" in attack.effects))] = first_row + by_way[way]
    return chosen

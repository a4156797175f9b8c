"""How a fight can begin: its facts, the numbers of monsters, and the party after a trap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

from sim.rulesets.overhill import data
from sim.rulesets.overhill.build import (
    build_gatherings,
    build_heroes,
    build_mishaps,
    build_room,
    party_level,
    scaled_number,
)
from sim.rulesets.overhill.exact.odds import Chance, Share, TooLarge
from sim.rulesets.overhill.exact.party import Fight, Party, fresh_party, hurt
from sim.rulesets.overhill.schema import OverhillScenario

MOST_NUMBERS = 1_000
TRAP_DIFFICULTY = 3


def make_fight(scenario: OverhillScenario, switches: Mapping[str, Any]) -> Fight:
    """OU-S1, OU-S2, OU-S5: the facts of the fight."""
    heroes = build_heroes(scenario, switches)
    _, _, gatherings = build_gatherings(scenario, heroes, switches)
    options = scenario.policy_options
    return Fight(
        heroes=tuple(heroes),
        groups=gatherings[0].groups,
        trap=gatherings[0].trap and switches["traps"] == "on",
        room=build_room(scenario),
        switches=switches,
        mishaps=build_mishaps(scenario),
        stance=data.STANCES[options.stance],
        rogue_sneak=options.rogue_sneak,
        warrior_frenzy=options.warrior_frenzy,
    )


def numbers(fight: Fight, share: Share) -> Iterator[tuple[Chance, tuple[int, ...]]]:
    """OU-S2, OU-S3: how many monsters there can be in each group, with the chance of it."""
    if prod(group.count.most - group.count.least + 1 for group in fight.groups) > MOST_NUMBERS:
        raise TooLarge(f"more than {MOST_NUMBERS:,} ways in which the monsters' numbers can be rolled")
    for rolled in product(*(group.count.chances().items() for group in fight.groups)):
        p = share(1, 1)
        for _, chance in rolled:
            p = p * share(chance.numerator, chance.denominator)
        yield p, tuple(scaled(fight, total) for total, _ in rolled)


def scaled(fight: Fight, number: int) -> int:
    """OU-S3: how many monsters there are when so many were rolled."""
    return int(scaled_number(max(number, 0), party_level(list(fight.heroes)), fight.switches))


def after_trap(fight: Fight, share: Share) -> Iterator[tuple[Chance, Party]]:
    """OU-S11: the party as the fight begins: whole, or one front hero caught by a trap."""
    party = fresh_party(fight)
    if not fight.trap:
        yield share(1, 1), party
        return
    front = [h for h, hero in enumerate(party) if hero.front]
    needed = TRAP_DIFFICULTY + (fight.switches["difficulty_check"] == "exceed")
    for h in front:
        sides = fight.heroes[h].quick
        caught = min(needed - 1, sides)
        yield share(sides - caught, sides * len(front)), party
        for damage in (1, 2, 3, 4):
            yield share(caught, 4 * sides * len(front)), hurt(party, h, damage)

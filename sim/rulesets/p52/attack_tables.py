"""Look-up tables of what heroes attack with: what every total leads to, and what every attack is worth.

Made once per encounter; the round only looks things up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from sim.core.lanes import Mask, Small, Tiny, Whole, Wide, which
from sim.core.varying import Varies, may_vary
from sim.rulesets.p52 import data
from sim.rulesets.p52.bestiary import KINDS, EnemyFacts
from sim.rulesets.p52.build import HeroFacts
from sim.rulesets.p52.ground import HERO_MOST
from sim.rulesets.p52.sums import MISS, TOTALS, Sums, weapon_of

FLIPS = np.arange(2, 14)  # an Ace never hits
UNTRAINED = ("knife", "bow", "sword", "two_handed", "knife_throw")  # P52-H12
COLD = ("ice_storm", "tidal_wave")  # what Calico is weak against (P52-E18)
BASIC, SHARP = 1, 2  # what is in the quiver; 0 is nothing
STOCKS = 6  # nothing, basic or sharp arrows at hand x the knife thrown or in hand; see `stocks_of`
AIMS = 4  # aim bonuses 0 to 3
FROZEN = AIMS  # a condition of an enemy is its aim bonus, and so many more if it is frozen
SHARES = (1, 2, 4)  # what the damage of a victim is divided by
PLACES = 32  # more than a hero has attacks; a power of two

# An attack and what it is worth in one number, by `as_best`: the larger, the better, the first in the table if equal.
# Its worth is `best // PLACES`, its place `place_in(best)`; 0 is no attack.
Best: TypeAlias = Wide


@dataclass(frozen=True, slots=True)
class Fight:
    """What the tables of all heroes are made for."""

    level: int  # L
    types: Sequence[EnemyFacts]
    most_enemies: int  # in one encounter
    switches: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Skill:
    """An attack that a hero knows."""

    name: str
    rank: int  # aLv
    trained: bool
    place: int  # in the hero's list of attacks, which follows the table of abilities


@dataclass(frozen=True, slots=True)
class HeroAttack:
    """One attack of one hero. A variant is sharp arrows for the bow, the knife in hand for Power Thrust."""

    name: str
    place: int  # in the hero's list of attacks, which follows the table of abilities
    row: int  # in the ledger's abilities
    kind: int
    shape: str  # single, splash, storm, wave, thrust, charge, meteor, frost, tap
    weapon: str
    cold: bool
    freeze: int
    stiletto: int  # added to the base of counter attacks
    legal: Mask  # (stocks, ranges)
    variant: Tiny  # (stocks,)
    base: Small  # (variants, params, totals): damage, MISS; params are ranges, or enemies counted
    hits: Tiny  # (aims, params): flips of 13 that hit without a card
    worth: Wide  # (variants, types, conditions, shares, params): P52-Y1 in 169ths
    lands: Wide  # (types, conditions, params): pairs of flips that hit and are not fully defended
    toll: Wide  # (variants, aims, params): what a hero in the area suffers, in 169ths
    in_range: Mask  # (params,): whether any total hits

    VARIES: ClassVar[Varies] = may_vary(
        "legal", "variant", "base", "hits", "worth", "lands", "toll", "in_range", "stiletto"
    )

    @property
    def alone(self) -> bool:
        """Whether it concerns one enemy and nobody else."""
        return self.shape in ("single", "tap")

    @property
    def counts_enemies(self) -> bool:
        """Whether its target depends on how many enemies stand on the spot, and not on the range."""
        return self.shape in ("thrust", "charge")


def known_attacks(hero: HeroFacts, switches: Mapping[str, Any]) -> list[Skill]:
    """P52-H12: trained and untrained attacks in table order; banned ones left out."""
    data_set = switches["data_set"]
    found: list[Skill] = []
    for name, entry in data.of_set(data_set, "abilities").items():
        if entry["kind"] not in KINDS or name in switches["ban"]:
            continue
        armed = data_set == "mountain" or "weapon" not in entry or weapon_of(hero, entry["weapon"], data_set)
        if name in hero.abilities and armed:
            found.append(Skill(name, hero.abilities[name], True, len(found)))
        elif name in UNTRAINED and armed and data_set == "calico" and switches["untrained_attack"] == "on":
            found.append(Skill(name, 1, False, len(found)))
    return found


def make_attack(hero: HeroFacts, skill: Skill, row: int, fight: Fight) -> HeroAttack:
    """P52-C1, P52-C3, P52-C5: the tables of one attack."""
    data_set = fight.switches["data_set"]
    entry = data.of_set(data_set, "abilities")[skill.name]
    shape = entry.get("shape", "single")
    weapon = entry.get("weapon", "") if data_set == "calico" else ""
    base = base_damage(hero, skill, fight)
    legal, variant_of = stocks_of(hero, weapon, shape, base, data_set)
    knives = weapon_of(hero, "knife", data_set) if weapon == "knife" else []
    kind, cold = KINDS[entry["kind"]], skill.name in COLD
    worth, lands = worth_of(base, kind, cold, fight)
    reached = base[0] != MISS  # (params, totals)
    return HeroAttack(
        name=skill.name,
        place=skill.place,
        row=row,
        kind=kind,
        shape=shape,
        weapon=weapon,
        cold=cold,
        freeze=entry.get("freeze", 0),
        stiletto=sum(knife.get("counter", 0) for knife in knives),
        legal=legal,
        variant=variant_of,
        base=base,
        hits=np.stack([reached[:, FLIPS + aim].sum(axis=1) for aim in range(AIMS)]).astype(np.int8),
        worth=worth,
        lands=lands,
        toll=toll_of(base, shape),
        in_range=reached.any(axis=1),
    )


def base_damage(hero: HeroFacts, skill: Skill, fight: Fight) -> Small:
    """P52-C1, P52-C3, P52-H12: (variants, params, totals). The damage of every total, MISS where it does not hit."""
    data_set = fight.switches["data_set"]
    entry = data.of_set(data_set, "abilities")[skill.name]
    shape = entry.get("shape", "single")
    weapon = entry.get("weapon", "") if data_set == "calico" else ""
    bonuses, modifier, reach = weapon_figures(hero, entry, skill.rank, weapon, data_set)
    sums = Sums(hero, fight.level, fight.switches)
    formula = entry["damage"] if skill.trained else "O//2 + I"
    counted = shape in ("thrust", "charge")
    params = max(fight.most_enemies + 1, 2) if counted else HERO_MOST + 1
    base = np.full((len(bonuses), params, TOTALS), MISS, dtype=np.int16)
    for param in range(params):
        if not counted and (param == HERO_MOST or not reach[0] <= param <= reach[1]) and shape != "tap":
            continue
        about = {"aLv": skill.rank, "n" if counted else "R": param}
        target = sums.target(entry["target"], 0 if skill.trained else 2, Tm=modifier, **about)
        hits = sums.successes(target)
        for variant, bonus in enumerate(bonuses):
            base[variant, param, hits] = sums.by_overage(formula, hits - target, I=bonus, **about)
    return base


def weapon_figures(
    hero: HeroFacts, entry: Mapping[str, Any], rank: int, weapon: str, data_set: str
) -> tuple[list[int], int, tuple[int, int]]:
    """Damage bonus by variant, target modifier and reach of an attack with the hero's items."""
    least, most = entry.get("reach", (0, HERO_MOST))
    if "boosted_by" in entry:
        return [2 * rank if entry["boosted_by"] in hero.gear else 0], 0, (least, most)
    if entry.get("focus"):
        tools = weapon_of(hero, "focus", data_set)
        return [tools[0]["I"] if tools else 0], tools[0].get("Tm", 0) if tools else 0, (least, most)
    if not weapon:
        return [0], 0, (least, most)
    tools = weapon_of(hero, weapon, data_set)
    if weapon == "melee":
        without = [tool["I"] for tool in tools if "knife" not in tool["serves"]]
        return [max(without, default=0), max(tool["I"] for tool in tools)], 0, (least, most)
    if weapon == "bow":
        return [tools[0]["I"], tools[0]["I"] + 2], tools[0].get("Tm", 0), (least, most)
    return [tools[0]["I"]], tools[0].get("Tm", 0), (least, most + tools[0].get("reach", 0))


def stocks_of(hero: HeroFacts, weapon: str, shape: str, base: Small, data_set: str) -> tuple[Mask, Tiny]:
    """By what is at hand: the ranges at which the attack is legal, and its variant."""
    legal = np.zeros((STOCKS, HERO_MOST + 1), dtype=bool)
    variant = np.zeros(STOCKS, dtype=np.int8)
    if shape == "thrust":
        in_range = np.arange(HERO_MOST + 1) == 0
    elif shape in ("charge", "tap"):
        in_range = np.zeros(HERO_MOST + 1, dtype=bool)
    else:
        in_range = (base[0] != MISS).any(axis=1)
    for arrows in range(3):
        for knife in range(2):
            code = arrows * 2 + knife
            ready = True
            if weapon == "bow":
                ready, variant[code] = arrows > 0, int(arrows == SHARP)
            elif weapon == "knife":
                ready = knife == 1
            elif weapon == "melee":
                others = [tool for tool in weapon_of(hero, "melee", data_set) if "knife" not in tool["serves"]]
                ready, variant[code] = bool(knife or others), knife
            legal[code] = in_range & ready
    return legal, variant


# What attacks are worth (P52-Y1).


def damage_with(base: Small, aim: int) -> tuple[Whole, Mask]:
    """(variants, params, flips) each. The damage of the flips of 2 to 13 with an aim bonus, and whether they hit."""
    damage = base[:, :, FLIPS + aim].astype(np.int64)
    hit = damage != MISS
    return damage * hit, hit


def worth_of(base: Small, kind: int, cold: bool, fight: Fight) -> tuple[Wide, Wide]:
    """P52-Y1: expected damage in 169ths by variant, type, condition, share and param; and pairs of flips that land."""
    variants, params, _ = base.shape
    types = fight.types
    worth = np.zeros((variants, len(types), FROZEN + AIMS, len(SHARES), params), dtype=np.int32)
    lands = np.zeros((len(types), FROZEN + AIMS, params), dtype=np.int32)
    answer = np.arange(1, 14)[:, None]  # (13, 1) the enemy's flip
    alike: dict[tuple[bool, int], list[int]] = {}  # (weak, defence) -> types that take the attack in the same way
    for number, enemy in enumerate(types):
        weak = "fears_water" in enemy.traits and cold
        alike.setdefault((weak, -1 if weak else enemy.defence[kind]), []).append(number)
    for aim in range(AIMS):
        damage, hit = damage_with(base, aim)
        for (weak, defence), those in alike.items():
            against = FLIPS + aim + defence
            full, tie = (answer < against).sum(axis=0), (answer == against).sum(axis=0)  # (flips,) each
            whole, half = in_shares(damage * 3 // 2 if weak else damage, fight.switches)
            defended, frozen = (whole * full + half * tie).sum(axis=3), 13 * whole.sum(axis=3)
            worth[:, those, aim] = defended.transpose(1, 0, 2)[:, None]  # the same for all of them
            worth[:, those, FROZEN + aim] = frozen.transpose(1, 0, 2)[:, None]
            lands[those, aim] = (hit[0] * (full + tie)).sum(axis=1)
            lands[those, FROZEN + aim] = 13 * hit[0].sum(axis=1)
    return worth, lands


def in_shares(raw: Whole, switches: Mapping[str, Any]) -> tuple[Whole, Whole]:
    """P52-C5: (shares, variants, params, flips) each. What is left of the damage without a defence, and after a tie."""
    doubled = raw * (1 + (FLIPS == 13))
    on_tie = doubled if switches["king_on_tie"] == "doubled" else raw
    divisor = np.array(SHARES)[:, None, None, None]
    return doubled // divisor, on_tie // divisor // 2


def toll_of(base: Small, shape: str) -> Wide:
    """P52-Y1: (variants, aims, params). What an attack does to a hero in its area, in 169ths."""
    toll = np.zeros((base.shape[0], AIMS, base.shape[1]), dtype=np.int32)
    for aim in range(AIMS):
        damage, _ = damage_with(base, aim)
        toll[:, aim] = 13 * (damage // 2 if shape == "splash" else damage).sum(axis=2)
    return toll


# The best attack (P52-Y2).


def as_best(worth: Wide, place: int) -> Best:
    """An attack and what it is worth in one number, so that the better attack is the larger one: see `Best`."""
    return (worth * np.int32(PLACES) + np.int32(PLACES - 1 - place)) * (worth > 0)


def place_in(best: Best) -> Tiny:
    """The place of the best attack; -1 if there is none."""
    return ((PLACES - 1 - (best & (PLACES - 1))) - PLACES * (best == 0)).astype(np.int8)


def best_single(attacks: Sequence[HeroAttack], types: int) -> Best:
    """P52-Y2: over attacks on one enemy alone: the best, by stock, type, condition and range."""
    best = np.zeros((STOCKS, types, FROZEN + AIMS, HERO_MOST + 1), dtype=np.int32)
    for attack in attacks:
        if attack.shape == "single":
            for stock in range(STOCKS):
                gain = attack.worth[attack.variant[stock], :, :, 0, :] * attack.legal[stock]  # (types, 8, ranges)
                best[stock] = np.maximum(best[stock], as_best(gain, attack.place))
    return best


def ranges_worth_it(attacks: Sequence[HeroAttack], best: Best) -> Mask:
    """(ranges,). Where some attack can hit; elsewhere no attack can be worth anything (P52-Y2)."""
    able: Mask = np.any(best > 0, axis=(0, 1, 2))
    for way in attacks:
        if way.shape == "thrust":
            able[0] = True
        elif way.shape not in ("single", "charge", "frost"):
            able |= way.legal.any(axis=0) & (way.hits.max(axis=0) > 0)
    return able


def longest_range(attacks: Sequence[HeroAttack]) -> int:
    """The longest range at which one of these is legal, whatever is at hand; -1 if there are none."""
    legal = np.array([np.any(way.legal, axis=0) for way in attacks], dtype=bool).reshape(len(attacks), HERO_MOST + 1)
    return int(which(np.any(legal, axis=0)).max(initial=-1))

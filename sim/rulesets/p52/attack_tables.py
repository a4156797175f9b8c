"""Look-up tables of a fight: what every total of every attack and defence leads to, and what attacks are worth.

Made once per encounter; the round only indexes them. Totals run from 0 to 31: a flip, a stamina card and a bonus of 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.expr import Expression, parse
from sim.rulesets.p52 import data
from sim.rulesets.p52.bestiary import KINDS, EnemyAttack, EnemyFacts
from sim.rulesets.p52.build import HeroFacts, can_use
from sim.rulesets.p52.ground import HERO_MOST, Ground

TOTALS = 32
MISS = -1
FAILED, HALVED, AVOIDED = -1, -2, -3  # what a defence comes to, where it is not a reduction
FLIPS = np.arange(2, 14)  # an Ace never hits
UNTRAINED = ("knife", "bow", "sword", "two_handed", "knife_throw")  # P52-H12
DEFENCES = ("body_block", "block", "shield_block", "parry", "counter_spell", "dodge")  # the order of P52-Y3
COLD = ("ice_storm", "tidal_wave")  # what Calico is weak against (P52-E18)
BASIC, SHARP = 1, 2  # what is in the quiver; 0 is nothing
PLACES = 32  # more than a hero has attacks; a power of two

# An attack and what it is worth in one number, by `as_best`: the larger, the better, the first in the table if equal.
# Its worth is `best // PLACES`, its place `place_in(best)`; 0 is no attack.
Best: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class HeroAttack:
    """One attack of one hero. A variant is sharp arrows for the bow, the knife in hand for Power Thrust."""

    name: str
    place: int  # in the hero's list of attacks, which follows the table of 11.2
    row: int  # in the ledger's abilities
    kind: int
    shape: str  # single, splash, storm, wave, thrust, charge, meteor, frost, tap
    weapon: str
    cold: bool
    freeze: int
    stiletto: int  # added to the base of counter attacks
    legal: NDArray[np.bool_]  # (stocks, ranges)
    variant: NDArray[np.int8]  # (stocks,)
    base: NDArray[np.int16]  # (variants, params, totals): damage, MISS; params are ranges, or enemies counted
    hits: NDArray[np.int8]  # (aims, params): flips of 13 that hit without a card
    worth: NDArray[np.int32]  # (variants, types, conditions, shares, params): P52-Y1 in 169ths
    lands: NDArray[np.int32]  # (types, conditions, params): pairs of flips that hit and are not fully defended
    toll: NDArray[np.int32]  # (variants, aims, params): what a hero in the area suffers, in 169ths


@dataclass(frozen=True, slots=True)
class Defence:
    """The defences of one hero, in the order of P52-Y3."""

    names: tuple[str, ...]
    rows: NDArray[np.int64]  # (defences,) in the ledger's abilities
    magic: NDArray[np.bool_]  # (defences,) fits magic attacks
    plain: NDArray[np.bool_]  # (defences,) fits other attacks
    knife: NDArray[np.bool_]  # (defences,) needs the knife in hand
    outcome: NDArray[np.int16]  # (defences, totals): reduction, FAILED, HALVED or AVOIDED
    counters_from: NDArray[np.int16]  # (defences,) least total that grants a counter attack
    king_counters: NDArray[np.bool_]  # (defences,) a natural King grants one
    flips: NDArray[np.bool_]  # (defences,) the iron shield is flipped for
    best: NDArray[np.int8]  # (magic, knife in hand, stances, raw): P52-Y3; -1 without a legal defence


@lru_cache(maxsize=1 << 12)
def read_formula(text: str, names: tuple[str, ...]) -> Expression:
    """A formula of the tables, read once."""
    return parse(text, names)


class Sums:
    """P52-R7: the whole-number arithmetic of one hero: targets and hits under the switches."""

    def __init__(self, hero: HeroFacts, level: int, switches: Mapping[str, Any]) -> None:
        self.names = {**hero.cores, "Lv": hero.level, "L": level, "max_hp": hero.max_hp}
        least = switches["min_target"]
        self.least = -(10**6) if least == "none" else int(least)
        self.strict = 1 if switches["hero_hit"] == "greater" else 0

    def value(self, text: str, **more: Any) -> Any:
        """A formula of the tables."""
        names = self.names | more
        return read_formula(text, tuple(names))(names)

    def target(self, text: str, extra: int = 0, **more: Any) -> int:
        """A target number, not below `min_target`."""
        return max(self.least, int(self.value(text, **more)) + extra)

    def succeeds(self, total: Any, target: int) -> Any:
        """P52-C3, P52-H8."""
        return total >= target + self.strict


# ---------------------------------------------------------------------------------------------------------------------
# Attacks of heroes
# ---------------------------------------------------------------------------------------------------------------------


def weapon_of(hero: HeroFacts, serves: str, data_set: str) -> list[Mapping[str, Any]]:
    """The equipped items that serve for something."""
    items = data.of_set(data_set, "gear")
    return [items[item] | {"name": item} for item in hero.gear if serves in items[item].get("serves", ())]


def known_attacks(hero: HeroFacts, switches: Mapping[str, Any]) -> list[tuple[str, int, bool]]:
    """P52-H12: name, ability level and whether it is trained, in table order; banned ones left out."""
    data_set = switches["data_set"]
    found = []
    for name, entry in data.of_set(data_set, "abilities").items():
        if entry["kind"] not in KINDS or name in switches["ban"]:
            continue
        armed = data_set == "mountain" or "weapon" not in entry or weapon_of(hero, entry["weapon"], data_set)
        if name in hero.abilities and armed:
            found.append((name, hero.abilities[name], True))
        elif name in UNTRAINED and armed and data_set == "calico" and switches["untrained_attack"] == "on":
            found.append((name, 1, False))
    return found


def make_attack(
    hero: HeroFacts,
    name: str,
    rank: int,
    trained: bool,
    place: int,
    row: int,
    sums: Sums,
    types: Sequence[EnemyFacts],
    most_enemies: int,
    switches: Mapping[str, Any],
) -> HeroAttack:
    """P52-C1, P52-C3, P52-C5, 11.2: the tables of one attack."""
    data_set = switches["data_set"]
    entry = data.of_set(data_set, "abilities")[name]
    shape = entry.get("shape", "single")
    weapon = entry.get("weapon", "") if data_set == "calico" else ""
    bonuses, modifier, reach = weapon_figures(hero, entry, rank, weapon, data_set)
    counted = shape in ("thrust", "charge")
    params = max(most_enemies + 1, 2) if counted else HERO_MOST + 1
    base = np.full((len(bonuses), params, TOTALS), MISS, dtype=np.int16)
    totals = np.arange(TOTALS)
    for param in range(params):
        if not counted and (param == HERO_MOST or not reach[0] <= param <= reach[1]) and shape != "tap":
            continue
        about = {"n": param} if counted else {"R": param}
        target = sums.target(entry["target"], 0 if trained else 2, aLv=rank, Tm=modifier, **about)
        hit = np.flatnonzero(sums.succeeds(totals, target))
        for variant, bonus in enumerate(bonuses):
            for total in hit:
                over = int(total) - target
                formula = entry["damage"] if trained else "O//2 + I"
                damage = sums.value(formula, aLv=rank, O=over, I=bonus, **about)
                base[variant, param, total] = max(0, damage)
    legal, variant_of = stocks_of(hero, weapon, shape, base, data_set)
    knives = weapon_of(hero, "knife", data_set) if weapon == "knife" else []
    kind = KINDS[entry["kind"]]
    worth, lands, toll = worth_of(base, kind, shape, name in COLD, types, switches)
    reached = base[:, :, :][0] != MISS  # (params, totals)
    return HeroAttack(
        name=name,
        place=place,
        row=row,
        kind=kind,
        shape=shape,
        weapon=weapon,
        cold=name in COLD,
        freeze=entry.get("freeze", 0),
        stiletto=sum(knife.get("counter", 0) for knife in knives),
        legal=legal,
        variant=variant_of,
        base=base,
        hits=np.stack([reached[:, FLIPS + aim].sum(axis=1) for aim in range(4)]).astype(np.int8),
        worth=worth,
        lands=lands,
        toll=toll,
    )


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


def stocks_of(
    hero: HeroFacts, weapon: str, shape: str, base: NDArray[np.int16], data_set: str
) -> tuple[NDArray[np.bool_], NDArray[np.int8]]:
    """By what is at hand: the ranges at which the attack is legal, and its variant."""
    legal = np.zeros((6, HERO_MOST + 1), dtype=bool)
    variant = np.zeros(6, dtype=np.int8)
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


def worth_of(
    base: NDArray[np.int16],
    kind: int,
    shape: str,
    cold: bool,
    types: Sequence[EnemyFacts],
    switches: Mapping[str, Any],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """P52-Y1: expected damage in 169ths by variant, type, condition (frozen x 4 + aim), share and param."""
    variants, params, _ = base.shape
    worth = np.zeros((variants, len(types), 8, 3, params), dtype=np.int32)
    lands = np.zeros((len(types), 8, params), dtype=np.int32)
    toll = np.zeros((variants, 4, params), dtype=np.int32)
    defence = np.arange(1, 14)[:, None]  # (13, 1) the enemy's flip
    king = FLIPS == 13
    for aim in range(4):
        total = FLIPS + aim
        damage = base[:, :, total].astype(np.int64)  # (variants, params, flips)
        hit = damage != MISS
        damage *= hit
        halves = damage // 2 if shape in ("splash",) else damage
        toll[:, aim] = 13 * halves.sum(axis=2)
        for number, enemy in enumerate(types):
            weak = enemy.card == "calico" and cold
            raw = damage * 3 // 2 if weak else damage
            modifier = -1 if weak else enemy.defence[kind]
            full, tie = defence < total + modifier, defence == total + modifier  # (13, flips)
            for share, divisor in enumerate((1, 2, 4)):
                whole = raw * (1 + king) // divisor
                half = (raw * (1 + king) if switches["king_on_tie"] == "doubled" else raw) // divisor // 2
                open_damage = (whole * full.sum(axis=0) + half * tie.sum(axis=0)).sum(axis=2)
                worth[:, number, aim, share] = open_damage
                worth[:, number, 4 + aim, share] = 13 * whole.sum(axis=2)
            lands[number, aim] = (hit[0] * (full | tie).sum(axis=0)).sum(axis=1)
            lands[number, 4 + aim] = 13 * hit[0].sum(axis=1)
    return worth, lands, toll


def as_best(worth: NDArray[np.int32], place: int) -> Best:
    """An attack and what it is worth in one number, so that the better attack is the larger one: see `Best`."""
    return (worth * np.int32(PLACES) + np.int32(PLACES - 1 - place)) * (worth > 0)


def place_in(best: Best) -> NDArray[np.int8]:
    """The place of the best attack; -1 if there is none."""
    return ((PLACES - 1 - (best & (PLACES - 1))) - PLACES * (best == 0)).astype(np.int8)


def best_single(attacks: Sequence[HeroAttack], types: int) -> Best:
    """P52-Y2: over attacks on one enemy alone: the best, by stock, type, condition and range."""
    best = np.zeros((6, types, 8, HERO_MOST + 1), dtype=np.int32)
    for attack in attacks:
        if attack.shape == "single":
            for stock in range(6):
                gain = attack.worth[attack.variant[stock], :, :, 0, :] * attack.legal[stock]  # (types, 8, ranges)
                best[stock] = np.maximum(best[stock], as_best(gain, attack.place))
    return best


# ---------------------------------------------------------------------------------------------------------------------
# Defences of heroes
# ---------------------------------------------------------------------------------------------------------------------


def known_defences(hero: HeroFacts, switches: Mapping[str, Any]) -> list[str]:
    """P52-C15, P52-C17: defences whose gear is there, trained or not."""
    data_set = switches["data_set"]
    entries = data.of_set(data_set, "abilities")
    return [
        name
        for name in DEFENCES
        if name in entries
        and name not in switches["ban"]
        and ("weapon" not in entries[name] or weapon_of(hero, entries[name]["weapon"], data_set))
    ]


def make_defence(
    hero: HeroFacts, rows: Mapping[str, int], sums: Sums, most_raw: int, switches: Mapping[str, Any], harder: int = 0
) -> Defence:
    """P52-C15 to C18, 11.2: the tables of a hero's defences, every target `harder` than usual."""
    data_set = switches["data_set"]
    entries = data.of_set(data_set, "abilities")
    names = known_defences(hero, switches)
    count = len(names)
    outcome = np.full((count, TOTALS), FAILED, dtype=np.int16)
    counters_from = np.full(count, 10_000, dtype=np.int16)
    king, flips, knife = (np.zeros(count, dtype=bool) for _ in range(3))
    for number, name in enumerate(names):
        trained = name in hero.abilities
        rank = hero.abilities.get(name, 1)
        penalty = 0 if trained else 3 if switches["untrained_defence"] == "flat3" else max(1, 3 - hero.level // 5)
        parry, shield = parrying_weapon(hero, data_set), None
        about: dict[str, Any] = {"aLv": rank, "Pm": parry.get("Pm", 0), "Pb": parry.get("Pb", 0)}
        target = sums.target(entries[name]["target"], penalty + harder, **about)
        extra = 0
        if name == "shield_block":
            shield = weapon_of(hero, "shield", data_set)[0]
            extra = shield.get("block", 0) if trained else shield["untrained_block"]
            king[number], flips[number] = True, trained and shield.get("flips", False)
        if name == "parry":
            king[number], counters_from[number] = True, target + 3
            knife[number] = "knife" in parry["serves"]
        for total in range(max(target, 0), TOTALS):
            over = total - target
            if name == "dodge":
                outcome[number, total] = HALVED if over <= 2 else AVOIDED
            else:
                outcome[number, total] = max(0, sums.value(entries[name]["reduction"], O=over, **about)) + extra
    against = [entries[name]["against"] for name in names]
    magic = np.array([what in ("magic", "any") for what in against], dtype=bool)
    plain = np.array([what in ("plain", "any") for what in against], dtype=bool)
    best = best_defence(hero, outcome, flips, magic, plain, knife, most_raw)
    ledger = np.array([rows[name] for name in names], dtype=np.int64)
    return Defence(tuple(names), ledger, magic, plain, knife, outcome, counters_from, king, flips, best)


def parrying_weapon(hero: HeroFacts, data_set: str) -> Mapping[str, Any]:
    """P52-I37: the main weapon, else the side weapon."""
    tools = weapon_of(hero, "parry", data_set)
    return min(tools, key=lambda tool: tool["slot"] != "main") if tools else {}


def best_defence(
    hero: HeroFacts,
    outcome: NDArray[np.int16],
    flips: NDArray[np.bool_],
    magic: NDArray[np.bool_],
    plain: NDArray[np.bool_],
    knife: NDArray[np.bool_],
    most_raw: int,
) -> NDArray[np.int8]:
    """P52-Y3: by kind of attack, knife in hand, stance and raw damage."""
    best = np.full((2, 2, 4, most_raw + 1), -1, dtype=np.int8)
    raw = np.arange(most_raw + 1)[:, None]  # (raws, 1)
    for of_magic, fits in enumerate((plain, magic)):
        armour = hero.magic_armour if of_magic else hero.armour
        for in_hand in range(2):
            for stance in range(4):
                least = np.full(most_raw + 1, 10**9)
                surest = np.full(most_raw + 1, -1)
                for number in np.flatnonzero(fits & (~knife | bool(in_hand))):
                    result = outcome[number, np.arange(1, 14) + stance].astype(np.int64)  # (13,)
                    reduction = np.maximum(result, 0) + 7 * (flips[number] & (result >= 0))
                    taken = np.where(result == HALVED, raw // 2, np.where(result == AVOIDED, 0, raw - reduction))
                    mean = np.maximum(taken - armour, 0).sum(axis=1)  # (raws,)
                    successes = int((result != FAILED).sum())
                    better = (mean < least) | ((mean == least) & (successes > surest))
                    best[of_magic, in_hand, stance][better] = number
                    surest[better] = successes
                    least = np.minimum(mean, least)
    return best


# ---------------------------------------------------------------------------------------------------------------------
# Attacks of enemies
# ---------------------------------------------------------------------------------------------------------------------


def king_damage(raw: int, level: int, switches: Mapping[str, Any]) -> int:
    """P52-C12: what a natural King makes of the damage."""
    if switches["enemy_king"] == "double":
        return 2 * raw
    return raw + int(read_formula(str(switches["enemy_king_extra"]), ("L",))({"L": level}))


def raw_damage(
    attacks: Sequence[EnemyAttack], level: int, most_range: int, switches: Mapping[str, Any]
) -> NDArray[np.int16]:
    """P52-C9 to C12: (attacks, passing, ranges, flips 0..13). MISS where it misses; without the King's part."""
    table = np.full((len(attacks), 2, most_range + 1, 14), MISS, dtype=np.int16)
    step = switches["enemy_level_bonus"]
    bonus = level // step if step else 0
    least = -(10**6) if switches["min_target"] == "none" else int(switches["min_target"])
    for number, attack in enumerate(attacks):
        for passing in range(2):
            for distance in range(most_range + 1):
                about = {"L": level, "R": distance, "O": 0}
                target = max(least, int(attack.target(about)) + passing)
                for flip in range(2, 14):
                    over = flip + bonus - target
                    if over > 0 or (over == 0 and switches["enemy_hit"] == "meet"):
                        table[number, passing, distance, flip] = max(0, int(attack.damage({**about, "O": over})))
    return table


def attack_at(enemy: EnemyFacts, first_row: int, ground: Ground, loaded: bool) -> NDArray[np.int16]:
    """P52-E4, P52-E12a, P52-U14: (spots * spots,). The row of the attack from one spot at a hero on another, or -1."""
    size = ground.size
    distance = ground.range
    hidden = np.tile(ground.hidden, size) & (distance > 0)
    chosen = np.full(size * size, -1, dtype=np.int16)
    ranged_last = sorted(range(len(enemy.attacks)), key=lambda number: enemy.attacks[number].kind != 0)
    for number in ranged_last:  # the ranged one is written over the melee one
        attack = enemy.attacks[number]
        if attack.beast or (attack.loads and not loaded):
            continue
        reaches = (distance >= attack.least) & (distance <= attack.most) & ~hidden
        chosen[reaches & (ground.sight | attack.sightless)] = first_row + number
    return chosen


def usable_consumables(hero: HeroFacts, data_set: str) -> dict[str, Any]:
    """11.4: consumables whose requirements the hero meets."""
    return {name: item for name, item in data.of_set(data_set, "consumables").items() if can_use(item, hero.cores)}

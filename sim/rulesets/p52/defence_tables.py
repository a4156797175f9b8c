"""Look-up tables of how heroes defend themselves: what every total of every defence leads to, and which is best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from sim.core.lanes import Mask, Small, Tiny, Whole, which
from sim.core.varying import Varies, may_vary
from sim.rulesets.p52 import data
from sim.rulesets.p52.attack_tables import Fight
from sim.rulesets.p52.build import HeroFacts
from sim.rulesets.p52.sums import TOTALS, Sums, weapon_of

FAILED, HALVED, AVOIDED = -1, -2, -3  # what a defence comes to, where it is not a reduction
DEFENCES = ("body_block", "block", "shield_block", "parry", "counter_spell", "dodge")  # the order of P52-Y3
STANCES = 4  # stance bonuses 0 to 3
NEVER = 10_000  # a total that no attempt has
MEAN_FLIP = 7


@dataclass(frozen=True, slots=True)
class Defence:
    """The defences of one hero, in the order of P52-Y3."""

    names: tuple[str, ...]
    rows: Whole  # (defences,) in the ledger's abilities
    magic: Mask  # (defences,) fits magic attacks
    plain: Mask  # (defences,) fits other attacks
    knife: Mask  # (defences,) needs the knife in hand
    outcome: Small  # (defences, totals): reduction, FAILED, HALVED or AVOIDED
    counters_from: Small  # (defences,) least total that grants a counter attack
    king_counters: Mask  # (defences,) a natural King grants one
    flips: Mask  # (defences,) the iron shield is flipped for
    best: Tiny  # (magic, knife in hand, stances, raw): P52-Y3; -1 without a legal defence

    VARIES: ClassVar[Varies] = may_vary("outcome", "counters_from", "best")


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


def make_defence(hero: HeroFacts, rows: Mapping[str, int], fight: Fight, most_raw: int, harder: int = 0) -> Defence:
    """P52-C15, P52-C16, P52-C17, P52-C18: the tables of a hero's defences, every target `harder` than usual."""
    data_set = fight.switches["data_set"]
    sums = Sums(hero, fight.level, fight.switches)
    entries = data.of_set(data_set, "abilities")
    names = known_defences(hero, fight.switches)
    count = len(names)
    outcome = np.full((count, TOTALS), FAILED, dtype=np.int16)
    counters_from = np.full(count, NEVER, dtype=np.int16)
    king, flips, knife = (np.zeros(count, dtype=bool) for _ in range(3))
    parry = parrying_weapon(hero, data_set)
    for number, name in enumerate(names):
        trained = name in hero.abilities
        rank = hero.abilities.get(name, 1)
        about: dict[str, int] = {"aLv": rank, "Pm": parry.get("Pm", 0), "Pb": parry.get("Pb", 0)}
        target = sums.target(entries[name]["target"], penalty_of(hero, name, fight.switches) + harder, **about)
        extra = 0
        if name == "shield_block":
            shield = weapon_of(hero, "shield", data_set)[0]
            extra = shield.get("block", 0) if trained else shield["untrained_block"]
            king[number], flips[number] = True, trained and shield.get("flips", False)
        if name == "parry":
            king[number], counters_from[number] = True, target + 3
            knife[number] = "knife" in parry["serves"]
        met = np.arange(max(target, 0), TOTALS)
        over = met - target
        if name == "dodge":
            outcome[number, met] = np.where(over <= 2, HALVED, AVOIDED)
        else:
            outcome[number, met] = sums.by_overage(entries[name]["reduction"], over, **about) + extra
    against = [entries[name]["against"] for name in names]
    made = Defence(
        names=tuple(names),
        rows=np.array([rows[name] for name in names], dtype=np.int64),
        magic=np.array([what in ("magic", "any") for what in against], dtype=bool),
        plain=np.array([what in ("plain", "any") for what in against], dtype=bool),
        knife=knife,
        outcome=outcome,
        counters_from=counters_from,
        king_counters=king,
        flips=flips,
        best=np.full((2, 2, STANCES, most_raw + 1), -1, dtype=np.int8),
    )
    return replace(made, best=best_defence(hero, made))


def penalty_of(hero: HeroFacts, name: str, switches: Mapping[str, Any]) -> int:
    """P52-C17: how much higher the target of a defence is without training."""
    if name in hero.abilities:
        return 0
    return 3 if switches["untrained_defence"] == "flat3" else max(1, 3 - hero.level // 5)


def parrying_weapon(hero: HeroFacts, data_set: str) -> Mapping[str, Any]:
    """P52-I37: the main weapon, else the side weapon."""
    tools = weapon_of(hero, "parry", data_set)
    return min(tools, key=lambda tool: tool["slot"] != "main") if tools else {}


def best_defence(hero: HeroFacts, made: Defence) -> Tiny:
    """P52-Y3: by kind of attack, knife in hand, stance and raw damage."""
    best = made.best.copy()
    for of_magic, fits in enumerate((made.plain, made.magic)):
        armour = hero.magic_armour if of_magic else hero.armour
        toll = {number: prospects(made, number, armour, best.shape[3]) for number in which(fits).tolist()}
        for in_hand in range(2):
            legal = [number for number in toll if in_hand or not made.knife[number]]
            if legal:
                best[of_magic, in_hand] = np.array(legal)[np.argmin([toll[number] for number in legal], axis=0)]
    return best


def prospects(made: Defence, number: int, armour: int, raws: int) -> Whole:
    """P52-Y3: (stances, raws). The less, the better: the damage that gets through, summed over the 13 flips.

    Where that is the same, the defence is better that succeeds with more flips.
    """
    flips = np.arange(1, 14) + np.arange(STANCES)[:, None]  # (stances, 13)
    result = made.outcome[number, flips].astype(np.int64)[:, None]  # (stances, 1, 13)
    raw = np.arange(raws)[:, None]  # (raws, 1)
    reduction = np.maximum(result, 0) + MEAN_FLIP * (made.flips[number] & (result >= 0))
    taken = np.where(result == HALVED, raw // 2, np.where(result == AVOIDED, 0, raw - reduction))
    through = np.maximum(taken - armour, 0).sum(axis=2)
    return through * (flips.shape[1] + 1) + (result == FAILED).sum(axis=2)

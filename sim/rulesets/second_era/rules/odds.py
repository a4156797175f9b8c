"""The chance that an engage defeats its target, worked out before the roll counts: for whoever listens.

All of it looks at the one run that is told. Where an ability or a skill may still step in there is no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import COMBAT, MAGIC, MAIM, SHIELD, SHOCK, SLASH, SNIPE
from sim.rulesets.second_era.rules.roll import Die, Roll
from sim.rulesets.second_era.state import State

Way: TypeAlias = "tuple[int, int, int, int]"  # how dice can fall: Combat damage, other, Snipes that hit, misses
SAVING = {"Divert", "Stalwart", "Elusive"}  # skills that keep hit points whatever the dice show


def sums(dice: Iterable[Sequence[int]]) -> dict[int, float]:
    """The chances of every sum of dice; each die is the list of its faces, all equally likely.

    >>> sums([(0, 1), (0, 1)])
    {0: 0.25, 1: 0.5, 2: 0.25}
    """
    chances = {0: 1.0}
    for faces in dice:
        further: dict[int, float] = {}
        for total, chance in chances.items():
            for face in faces:
                further[total + face] = further.get(total + face, 0.0) + chance / len(faces)
        chances = further
    return chances


def to_defeat(s: State, who: int, target: int) -> int | None:
    """What the Combat dice of an enemy or companion must add up to; None where something else may decide."""
    adjacent = s.facts.ground.adjacent[s.cell[who, 0], s.cell[target, 0]]
    arcane, needed = _has(s, who, "Arcane"), int(s.hp[target, 0])
    if target < s.heroes:
        if s.facts.racial or s.facts.classes:
            return None
        needed += 0 if arcane else _guarded(s, target)
    elif s.facts.creatures[int(s.kind[target, 0]) - s.heroes].skills:
        return None
    else:
        needed += 0 if arcane else int(s.facts.defense[s.kind[target, 0]])
    needed -= 2 * (_has(s, who, "Bladed") and bool(adjacent))
    maimed = bool(s.status[who, 0] >> MAIM & 1) and not arcane
    return max(0, needed * 2 if maimed else needed)


def _guarded(s: State, hero: int) -> int:
    """SE-A17: what active dice and bonus HP take off damage that is large enough to use them all."""
    guards = s.facts.is_on("guard", "always")
    slots = zip(s.slot_die[hero, :, 0], s.slot_x[hero, :, 0], strict=True)
    return int(s.bonus[hero, 0]) + sum(int(x) for code, x in slots if guards and code in (COMBAT, SHIELD))


def _has(s: State, who: int, skill: str) -> bool:
    return bool(s.has(skill, who, s.everyone)[0])


def chance_to_defeat(s: State, rolled: Sequence[Die], roll: Roll) -> float | None:
    """That the dice of an adventurer take the last hit points of the target; None where something else may decide.

    Dodge, Snipe and Maim depend on which dice show what, so every way in which the dice can fall is gone through.
    """
    if not roll.aimed[0] or not rolled or not _plain(s, rolled, roll):
        return None
    ways: dict[Way, float] = {(0, 0, 0, 0): 1.0}
    for die in rolled:
        further: dict[Way, float] = {}
        for way, chance in ways.items():
            for x in data.VALUES[die.code] if die.code in data.STRIKING else (0,) * 6:
                wider = _with(way, die.code, x)
                further[wider] = further.get(wider, 0.0) + chance / 6
        ways = further
    return sum(chance for way, chance in ways.items() if _defeats(s, roll, *way))


def needed_to_defeat(s: State, rolled: Sequence[Die], roll: Roll) -> str:
    """What the dice must come to, in words: a number, or 'enough' where it depends on which dice show what."""
    target = int(roll.target[0])
    defense = max(0, _defense(s, roll) - int(roll.ignore[0]))
    snipes = defense > 0 and any(die.code == SNIPE for die in rolled)
    if snipes or roll.maim[0] or _has(s, target, "Dodge"):
        return "enough to defeat"
    return f"{int(s.hp[target, 0]) + defense + _ethereal(s, roll)} to defeat"


def _with(way: Way, code: int, x: int) -> Way:
    """The same with one die more, which shows so much damage."""
    combat, other, snipes, misses = way
    if code == COMBAT:
        return combat + x, other, snipes, misses + (x == 0)
    return combat, other + x, snipes + (code == SNIPE and x > 0), misses + (x == 0)


def _plain(s: State, rolled: Sequence[Die], roll: Roll) -> bool:
    """Whether the dice alone decide, each by itself."""
    target = int(roll.target[0])
    skills = set(s.facts.creatures[int(s.kind[target, 0]) - s.heroes].skills)
    codes = {die.code for die in rolled}
    recoil = SHOCK not in codes or bool((s.hp[: s.heroes, 0] >= 2).any())
    nord = s.facts.racial and s.facts.has_racial_ability(roll.hero, "Nord")
    pooled = s.facts.is_on("damage_pooling", "engage")
    return pooled and recoil and not nord and SLASH not in codes and not skills & SAVING


def _defeats(s: State, roll: Roll, combat: int, other: int, snipes: int, misses: int) -> bool:
    """SE-A8, SE-D2: whether so much damage, with so many Snipes that hit and dice that miss, is enough."""
    target = int(roll.target[0])
    dealt = (combat // 2 if roll.maim[0] else combat) + other
    prevented = max(0, _defense(s, roll) - int(roll.ignore[0]) - snipes) + _ethereal(s, roll)
    prevented += misses if _has(s, target, "Dodge") else 0
    return dealt > 0 and dealt - prevented >= int(s.hp[target, 0])


def _defense(s: State, roll: Roll) -> int:
    """SE-K14: the defense of the target, with Iron Bark 1 more from afar."""
    target = int(roll.target[0])
    far = not s.facts.ground.adjacent[s.cell[roll.hero, 0], s.cell[target, 0]]
    return int(s.facts.defense[s.kind[target, 0]]) + (far and _has(s, target, "Iron Bark"))


def _ethereal(s: State, roll: Roll) -> int:
    """SE-K13: what Ethereal prevents outside of magic form."""
    return s.heroes if roll.form != MAGIC and _has(s, int(roll.target[0]), "Ethereal") else 0

"""Exact odds of single actions, in fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from tests.oracle.overhill.dice import hit_count
from tests.oracle.overhill.enemy_attacks import damage_of_hit, is_dodged
from tests.oracle.overhill.magic import casting_dice

Chances = tuple[Fraction, ...]  # the chance of 0, 1, 2, ... hits


@cache
def face_chances(die: int, roll: str = "plain") -> dict[int, Fraction]:
    """OU-U8: the chance of each face of a die, plain or with advantage or disadvantage."""
    faces = range(1, die + 1)
    if roll == "plain":
        return {face: Fraction(1, die) for face in faces}
    keep = max if roll == "advantage" else min
    chances = dict.fromkeys(faces, Fraction(0))
    for first in faces:
        for second in faces:
            chances[keep(first, second)] += Fraction(1, die * die)
    return chances


def gather(chances: Iterable[tuple[int, Fraction]]) -> Chances:
    """Chances by number of hits, equal numbers added up."""
    by_hits: dict[int, Fraction] = {}
    for hits, chance in chances:
        by_hits[hits] = by_hits.get(hits, Fraction(0)) + chance
    return tuple(by_hits.get(hits, Fraction(0)) for hits in range(max(by_hits) + 1))


@cache
def attack_chances(die: int, bonus: int, defence: int, hit_on_equal: bool, roll: str = "plain") -> Chances:
    """OU-A1: hits of one attack."""
    return gather(
        (hit_count(face + bonus, defence, hit_on_equal), chance) for face, chance in face_chances(die, roll).items()
    )


def both(first: Chances, second: Chances, cap: int) -> Chances:
    """Hits of two attacks together, at most `cap`."""
    return gather((min(cap, a + b), chance * other) for a, chance in enumerate(first) for b, other in enumerate(second))


NO_HIT: Chances = (Fraction(1),)
UNCAPPED = 10_000


def frenzy_chances(die: int, bonus: int, defence: int, hit_on_equal: bool, cap: int) -> Chances:
    """OU-F3, both attacks on one group."""
    first = attack_chances(die, bonus, defence, hit_on_equal)
    second = attack_chances(die, bonus, defence, hit_on_equal, "disadvantage")
    return both(first, second, cap)


def series_chances(opening: Chances, attack: Chances, cap: int) -> Chances:
    """OU-C3, OU-F4: as many attacks as the opening roll has hits."""
    total: list[tuple[int, Fraction]] = []
    hits = NO_HIT
    for chance in opening:
        total += [(min(cap, number), chance * other) for number, other in enumerate(hits)]
        hits = both(hits, attack, cap)
    return gather(total)


def dart_chances(
    dice: tuple[int, ...],
    successes: tuple[tuple[int, ...], ...],
    same_roll: bool,
    bonus: int,
    defence: int,
    hit_on_equal: bool,
    cap: int,
) -> Chances:
    """OU-G5 without mishaps: `successes` are the faces of each casting die that fire a dart."""
    total = NO_HIT
    for die, faces in zip(dice, successes, strict=True):
        if same_roll:
            dart = gather(
                (hit_count(face + bonus, defence, hit_on_equal) if face in faces else 0, Fraction(1, die))
                for face in range(1, die + 1)
            )
        else:
            fired = Fraction(len(faces), die)
            thrown = attack_chances(die, bonus, defence, hit_on_equal)
            dart = gather([(0, 1 - fired), *((hits, fired * chance) for hits, chance in enumerate(thrown))])
        total = both(total, dart, cap)
    return total


def mean_hits(chances: Chances, cap: int = UNCAPPED) -> Fraction:
    """Expected hits, at most `cap` counted."""
    return sum((min(cap, hits) * chance for hits, chance in enumerate(chances)), Fraction(0))


@cache
def melee_kills(die: int, bonus: int, defence: int, hit_on_equal: bool, n: int) -> float:
    """EK of one attack."""
    return float(mean_hits(attack_chances(die, bonus, defence, hit_on_equal), n))


@cache
def frenzy_kills(die: int, bonus: int, defence: int, hit_on_equal: bool, n: int) -> float:
    """EK of Frenzy."""
    return float(mean_hits(frenzy_chances(die, bonus, defence, hit_on_equal, n)))


@cache
def series_kills(
    opening_die: int, opening_defence: int, die: int, bonus: int, defence: int, hit_on_equal: bool, n: int
) -> float:
    """EK of Sneak Attack and Dual Wield."""
    opening = attack_chances(opening_die, 0, opening_defence, hit_on_equal)
    return float(mean_hits(series_chances(opening, attack_chances(die, bonus, defence, hit_on_equal), n)))


@cache
def dart_kills(
    dice: tuple[int, ...],
    successes: tuple[tuple[int, ...], ...],
    same_roll: bool,
    bonus: int,
    defence: int,
    hit_on_equal: bool,
    n: int,
) -> float:
    """EK of Magic Dart."""
    return float(mean_hits(dart_chances(dice, successes, same_roll, bonus, defence, hit_on_equal, n)))


@cache
def mean_loss(die: int, bonus: int, attack: int, monster_damage: str, dodge_on_equal: bool) -> Fraction:
    """Expected damage of one attack against a defence die."""
    total = sum(
        damage_of_hit(attack, face + bonus, monster_damage, dodge_on_equal)
        for face in range(1, die + 1)
        if not is_dodged(face + bonus, attack, dodge_on_equal)
    )
    return Fraction(total, die)


@cache
def mean_loss_value(die: int, bonus: int, attack: int, monster_damage: str, dodge_on_equal: bool) -> float:
    return float(mean_loss(die, bonus, attack, monster_damage, dodge_on_equal))


@cache
def chance_of_a_one(dice: tuple[int, ...]) -> Fraction:
    """P(any casting die shows 1)."""
    none = Fraction(1)
    for die in dice:
        none *= Fraction(die - 1, die)
    return 1 - none


@cache
def safe_push(smart: int, level: int, push_ladder: str) -> int:
    """`focus_expert`: the most pushes with a chance of a mishap of at most one in three (0 if there is none)."""
    allowed = [
        push
        for push in range(level // 2 + 1)
        if chance_of_a_one(casting_dice(smart, push, push_ladder)) <= Fraction(1, 3)
    ]
    return max(allowed, default=0)

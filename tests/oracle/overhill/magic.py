"""Magic Dart, pushing, mishaps."""

from __future__ import annotations

from functools import cache

from tests.oracle.overhill.build import Rules, parse_dice, row_of, step
from tests.oracle.overhill.damage import lose_health, remove_monsters
from tests.oracle.overhill.dice import hit_count, roll_attribute
from tests.oracle.overhill.hero_attacks import attack_bonus
from tests.oracle.overhill.state import Fight, Group, Hero, living_groups, tell


def may_cast(fight: Fight, hero: Hero) -> bool:
    """OU-A7, OU-G7."""
    return (
        hero.job == "magic_user"
        and not hero.silenced
        and hero.blocked_round != fight.round
        and (not hero.front or fight.rules.dart_position == "any")
    )


@cache
def casting_dice(smart: int, push: int, push_ladder: str) -> tuple[int, ...]:
    """OU-G2: the base die, then the pushed dice down the ladder."""
    first_step = 0 if push_ladder == "same_first" else 1
    return (smart, *(step(smart, -first_step - i) for i in range(push)))


@cache
def successful_faces(die: int, spell_level: int, cast_threshold: str, one_is: str) -> tuple[int, ...]:
    """OU-G1, OU-G3: the faces of a casting die that fire a dart."""
    lowest = spell_level if cast_threshold == "meet" else spell_level + 1
    if one_is == "failure":
        lowest = max(2, lowest)
    return tuple(range(lowest, die + 1))


def casting_successes(dice: tuple[int, ...], rules: Rules) -> tuple[tuple[int, ...], ...]:
    """The successful faces of each casting die."""
    return tuple(successful_faces(die, rules.dart_level, rules.cast_threshold, rules.one_is) for die in dice)


def magic_dart(fight: Fight, hero: Hero, group: Group, push: int) -> None:
    """OU-G1 to OU-G8."""
    rules, luck = fight.rules, fight.luck
    dice = casting_dice(hero.smart, push, rules.push_ladder)
    faces = [roll_attribute(fight, hero, "smart", "OU-G1", hero.index)]
    faces += [luck.die(dice[i], "OU-G1", fight.round, hero.index, i) for i in range(1, len(dice))]
    if 1 in faces and rules.mishaps == "on" and not darts_survive_mishap(fight, hero):
        return
    successes = casting_successes(dice, rules)
    for i, (die, face) in enumerate(zip(dice, faces, strict=True)):
        if face not in successes[i]:
            continue
        if group.n == 0:
            living = living_groups(fight)
            if not living:
                return
            group = living[0]
        thrown = face if rules.dart_roll == "same_roll" else luck.die(die, "OU-G5", fight.round, hero.index, i)
        total = thrown + attack_bonus(fight, hero, hero.stance, 0)
        remove_monsters(fight, hero, group, hit_count(total, group.defence_against("magic"), rules.hit_on_equal))


def darts_survive_mishap(fight: Fight, hero: Hero) -> bool:
    """OU-G4: roll on the mishap table; False if all successes of this casting are lost."""
    hero.mishaps += 1
    what = row_of(
        fight.prepared.mishaps, fight.luck.die(6, "OU-G4", fight.round, hero.index, 0) + fight.rules.dart_level
    )
    if fight.trace is not None:
        tell(fight, f"{hero.name}: {what}")
    row = fight.prepared.mishaps[what]
    if row.blocks:
        hero.blocked_round = fight.round + 1
    if row.silences:
        hero.silenced = True
    damage = parse_dice(row.damage)
    lost = damage.number
    if damage.sides:
        lost = sum(fight.luck.die(damage.sides, "OU-G4", fight.round, hero.index, 1 + i) for i in range(damage.number))
    if lost:
        lose_health(fight, hero, lost)
    return not row.darts_lost and hero.health > 0

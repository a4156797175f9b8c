"""One run from set-up to the end, and what it is counted by."""

from __future__ import annotations

from tests.oracle.overhill.addresses import Luck
from tests.oracle.overhill.build import Prepared
from tests.oracle.overhill.enemy_turns import monster_phase
from tests.oracle.overhill.rounds import play_round
from tests.oracle.overhill.setup import engage, set_up, spring_trap
from tests.oracle.overhill.state import Fight, Result, hero_number, monster_number

Arrival = tuple[int, dict[str, int]]  # health and items


def play(
    prepared: Prepared, luck: Luck, trace: list[str] | None = None, arriving: list[Arrival] | None = None
) -> Result:
    """One run from set-up to the end (OU-S12). `trace` collects what happens, line by line.

    `arriving` is how the heroes come from the scene before (OU-V1), in roster order; their guards are those of a party
    that stands.
    """
    fight = set_up(prepared, luck, trace)
    for hero, (health, items) in zip(fight.heroes, arriving or [], strict=arriving is not None):
        hero.health, hero.items = health, dict(items)
    if monster_number(fight) == 0:
        return result_of(fight, "empty")
    beginning, friendly = engage(fight)
    if beginning == "avoided":
        return result_of(fight, "avoided", friendly)
    if fight.trap and fight.rules.traps == "on":
        spring_trap(fight)
    if (beginning == "surprise" or fight.surprise) and not fight.outcome:
        monster_phase(fight)  # OU-S10
    while not fight.outcome:
        play_round(fight)
    return result_of(fight, fight.outcome)


def result_of(fight: Fight, outcome: str, friendly: bool = False) -> Result:
    """OU-Z4, OU-Z5."""
    standing = hero_number(fight)
    xp = sum((group.start - group.n) * group.sheet.xp for group in fight.groups) if standing else 0
    heroes = fight.heroes
    return Result(
        outcome=outcome,
        rounds=fight.round,
        friendly=friendly,
        standing=standing,
        health=[hero.health for hero in heroes],
        front=[hero.front for hero in heroes],
        vigor=[hero.vigor for hero in heroes],
        kills=[hero.kills for hero in heroes],
        damage_taken=[hero.damage_taken for hero in heroes],
        dodged=[hero.dodged for hero in heroes],
        mishaps=[hero.mishaps for hero in heroes],
        lapses=[hero.lapses for hero in heroes],
        restored=[hero.restored for hero in heroes],
        items_left=[{item: count for item, count in hero.items.items() if count} for hero in heroes],
        monsters_start=[group.start for group in fight.groups],
        monsters_left=[group.n for group in fight.groups],
        xp=xp,
    )

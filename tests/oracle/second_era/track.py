"""The cooldown track and the statuses (sections 5.3 and 7.4)."""

from __future__ import annotations

from tests.oracle.second_era import data
from tests.oracle.second_era.places import reach, safest
from tests.oracle.second_era.state import Battle, Creature, Hero, Unit


def enter(battle: Battle, hero: Hero, die: str) -> bool:
    """SE-A11, SE-A13: a die enters at the right end; a full track refuses it and turns another die into O."""
    if not hero.standing:
        return False
    if len(hero.track) < data.TRACK_SIZE:
        hero.track.append(die)
        return True
    drain(hero, die)
    for place in range(data.TRACK_SIZE - 1, -1, -1):
        replaced = hero.track[place]
        if replaced != data.OVER:
            hero.track[place] = data.OVER
            hero.over += 1
            drain(hero, replaced)
            if replaced == "Stealth":
                stealth_left(battle, hero)
            break
    return False


def drain(hero: Hero, die: str) -> None:
    """SE-A14: a skill die is out for the battle; fatigue and status dice are simply gone."""
    if die in data.DICE:
        hero.drained += 1


def gain_fatigue(battle: Battle, hero: Hero, die: str, count: int = 1) -> None:
    """L or O for an adventurer that stands (SE-A14)."""
    if not hero.standing:
        return
    for _ in range(count):
        if die == data.LIGHT:
            hero.light += 1
        else:
            hero.over += 1
        enter(battle, hero, die)


def recover(battle: Battle, hero: Hero, count: int) -> None:
    """SE-A10: so many dice leave at the left end, at most as many as lie there now; O goes round."""
    for _ in range(min(count, len(hero.track))):
        die = hero.track.pop(0)
        if die in data.DICE:
            hero.available[die] = hero.available.get(die, 0) + 1
        elif die == data.OVER:
            hero.track.append(die)
        elif die == "Stealth":
            stealth_left(battle, hero)


def gain_status(battle: Battle, unit: Unit, status: str, source: Unit) -> None:
    """SE-A12, SE-F1 to SE-F6: a status for a unit in play; quest units refuse those of the party."""
    if not unit.in_play:
        return
    if isinstance(unit, Hero):
        if status in unit.track:
            unit.track.remove(status)
            unit.track.append(status)
        elif enter(battle, unit, status):
            unit.statuses_gained += 1
    elif isinstance(unit, Creature):
        refused = unit.level == "quest" and not source.is_enemy
        if not refused and status not in unit.statuses:
            unit.statuses.add(status)
            unit.statuses_gained += 1


def lose_status(battle: Battle, unit: Unit, status: str) -> None:
    """A status leaves, wherever its die lies."""
    if isinstance(unit, Hero):
        if status in unit.track:
            unit.track.remove(status)
            if status == "Stealth":
                stealth_left(battle, unit)
    elif isinstance(unit, Creature):
        unit.statuses.discard(status)


def stealth_left(battle: Battle, hero: Hero) -> None:
    """11.7, Nightblade: when its Stealth die leaves the track it moves up to 4 hexes, to the safest."""
    if battle.switches["class_abilities"] == "off" or hero.plan.abilities != "Nightblade":
        return
    if not hero.in_play or hero.has("Daze") or "out_of_hiding" in hero.banned:
        return
    choices = reach(battle, hero, 4)
    goal = safest(battle, hero, choices)
    hero.hexes += choices[goal]
    battle.place(hero, goal)


def gain_tenacity(hero: Hero, count: int) -> None:
    """SE-A7, up to the cap of 10."""
    gained = max(0, min(count, data.TENACITY_CAP - hero.tenacity))
    hero.tenacity += gained
    hero.tenacity_gained += gained


def place_active(battle: Battle, hero: Hero, die: str, x: int, exhausted: list[str]) -> None:
    """SE-A15: into a slot; of four full slots the lowest X leaves first."""
    if len(hero.active) >= data.ACTIVE_SLOTS:
        exhausted.append(take_lowest(hero))
    hero.active.append((die, x))


def take_lowest(hero: Hero) -> str:
    """The active die with the lowest X leaves its slot, the earliest placed on a tie; Purge counts 0."""
    lowest = min(range(len(hero.active)), key=lambda place: (hero.active[place][1], place))
    return hero.active.pop(lowest)[0]

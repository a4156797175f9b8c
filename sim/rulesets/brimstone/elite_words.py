"""Elite results and markers in the words of players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sim.rulesets.brimstone.changes import Change

FIGURE_WORDS = {
    "init": "Initiative",
    "move": "Move",
    "escape": "Escape",
    "th_melee": "To Hit in melee",
    "th_ranged": "To Hit at range",
    "combat": "Combat",
    "damage": "damage",
    "weapon_damage": "weapon damage",
    "shots": "Shots",
    "flail": "Flail dice",
    "defense": "Defense",
    "health": "Health",
    "xp": "XP",
    "xp_each": "XP per wound",
    "range": "Range",
}
NUMBERS_TO_ROLL = ("escape", "th_melee", "th_ranged")
ABILITY_WORDS = {
    "uterror": "Unspeakable Terror",
    "regen": "Regeneration",
    "six": "hits of a natural 6:",
    "hail": "hits of a natural 6 at range:",
    "crit_floor": "Defense against critical hits:",
    "gun_ward": "Defense against guns and Hatchets +",
    "explode": "Explode D",
    "spawn_rolls": "Spawn rolls:",
    "six_shot_bonus": "damage of a natural 6 at range +",
    "horror_bonus": "sanity damage +",
    "always_ambush": "always in ambush",
    "taint": "Corruption Hits beside them",
    "drag": "heroes beside them are seized and dragged",
    "daunt": "heroes on their tile hit worse",
    "six_pierces": "natural 6s ignore Armor",
    "free_shot": "a free shot after moving",
    "again_on_one": "1s are rolled again",
    "double_first": "the first hit does double damage",
    "tail_each": "one Tail test per model",
    "tail_d3": "D3 markers of each Tail",
    "cut": "Cut: whoever fails to escape is struck",
    "opening": "a volley in their first turn",
}
MARKED = {"on_wound": "whoever is wounded", "on_melee_wound": "whoever is wounded in melee"}
MARKER_WORDS = {
    "bleeding": "bleeding",
    "burning": "burning",
    "death_mark": "marked for death",
    "ensnared": "ensnared",
    "poison": "poisoned",
    "stunned": "stunned",
    "webbed": "webbed",
    "venom": "envenomed",
    "entangled": "entangled",
}


def elite_words(result: Change) -> str:
    """What an Elite result gives.

    >>> from sim.rulesets.brimstone.changes import read_change
    >>> elite_words(read_change("th_melee 2")), elite_words(read_change("health +4, regen 1"))
    ('To Hit in melee 2+', 'Health +4, Regeneration 1')
    """
    return ", ".join(_parts(result)) or "nothing"


def _parts(result: Change) -> Iterator[str]:
    if not result.modelled:
        yield "not modelled"
    for key, value in result.add.items():
        yield f"{FIGURE_WORDS[key]} +{value}"
    for key, put in result.set.items():
        yield f"{FIGURE_WORDS[key]} {put}{'+' if key in NUMBERS_TO_ROLL else ''}"
    for key, value in (*result.abilities.items(), *result.more.items()):
        if key in MARKED:
            yield f"{MARKED[key]} is {' and '.join(MARKER_WORDS[marker] for marker in value)}"
        elif key == "spawn_on":
            yield f"Spawn on {value}+"
        else:
            yield ability_words(key, value)


def ability_words(name: str, value: Any) -> str:
    """One ability with its number.

    >>> ability_words("fear", 2), ability_words("terror", 0), ability_words("cut", True)
    ('Fear 2', 'no Terror', 'Cut: whoever fails to escape is struck')
    """
    words = ABILITY_WORDS.get(name, name.capitalize())
    if value is True:
        return words
    if value == 0:
        return f"no {words}"
    return f"{words}{value}" if words[-1] in "+D" else f"{words} {value}"

"""Elite results and markers in the words of players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sim.rulesets.brimstone.bestiary import chart

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


def elite_words(base: str, brutal: bool, number: int) -> str:
    """What a result of a type's Elite chart gives, 1 to 6.

    >>> elite_words("scourge_rats", False, 1), elite_words("undead_outlaws", False, 4)
    ('To Hit in melee 2+', 'Health +4, Regeneration 1')
    """
    return ", ".join(_parts(chart(base, brutal)[number - 1]))


def _parts(result: Mapping[str, Any]) -> Iterator[str]:
    if "none" in result:
        yield "not modelled"
    for key, value in result.get("add", {}).items():
        yield f"{FIGURE_WORDS[key]} +{value}"
    for key, value in result.get("set", {}).items():
        yield f"{FIGURE_WORDS[key]} {value}{'+' if key in NUMBERS_TO_ROLL else ''}"
    for key, value in (*result.get("abilities", {}).items(), *result.get("raise", {}).items()):
        yield ability_words(key, value)
    for key, how in (("on_wound", "whoever is wounded"), ("on_melee_wound", "whoever is wounded in melee")):
        if key in result:
            yield f"{how} is {' and '.join(MARKER_WORDS[marker] for marker in result[key])}"
    if "spawn_on" in result:
        yield f"Spawn on {result['spawn_on']}+"


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

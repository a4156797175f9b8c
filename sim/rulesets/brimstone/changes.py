"""Elite results and Brutal sides as a file writes them: what changes of an enemy, part by part.

"health +2"                  a figure grows; "horror_bonus +1" the same of an ability with a number
"th_melee 3, damage D6"      figures are set
"fear 0, terror 2, flight"   abilities are set
"on_wound venom poison"      markers that heroes get who are wounded (on_melee_wound: in melee)
"spawn_on 3"                 the number that a Spawn roll needs
"flail +1"                   more dice of a Flail
"none"                       a result that is not modelled
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sim.errors import did_you_mean
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.dice_texts import read_damage

FIGURES = (
    *("init", "move", "escape", "th_melee", "th_ranged", "combat", "damage", "defense", "health", "xp", "xp_each"),
    *("range", "shots", "weapon_damage"),
)
DICE = {"damage": "damage_dice", "weapon_damage": "shot_dice"}  # figures that may hold a die, and where it is kept
INNER = {"weapon_damage": "shot_damage"}  # how a figure is called in a kind
MARKER_LISTS = ("on_wound", "on_melee_wound")
WORDS = (*FIGURES, *data.NUMBER_ABILITIES, *data.PLAIN_ABILITIES, *MARKER_LISTS, "flail", "spawn_on", "none")
MOST = 40
SET_ONLY = ("six", "hail", "crit_floor", "endurance", "spawn_rolls", "spawn_on")  # nothing is not 0 of these


@dataclass(frozen=True, slots=True)
class Change:
    """One result of a chart, or a Brutal side, taken apart."""

    add: Mapping[str, int] = field(default_factory=dict)
    set: Mapping[str, int | str] = field(default_factory=dict)
    abilities: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, int] = field(default_factory=dict)  # of abilities with a number
    modelled: bool = True

    def apply(self, figures: dict[str, Any], abilities: dict[str, Any], kept: frozenset[str] = frozenset()) -> None:
        """Change figures and abilities, but for those that are kept."""
        for key, value in self.add.items():
            if key == "flail":
                if "flail" in abilities:
                    abilities["flail"] = [abilities["flail"][0] + value, abilities["flail"][1]]
            elif (key != "weapon_damage" or figures["range"]) and INNER.get(key, key) not in kept:
                figures[INNER.get(key, key)] += value
        for key, said in self.set.items():
            dice, plus = read_damage(said)
            if INNER.get(key, key) not in kept:
                figures[INNER.get(key, key)] = plus
            if key in DICE and DICE[key] not in kept:
                figures[DICE[key]] = dice  # a number where there was a die, or a die where there was a number
        for key, value in self.abilities.items():
            if key == "spawn_on":
                if "spawn" in abilities:
                    abilities["spawn"] = [value, abilities["spawn"][1]]
            elif key not in kept:
                abilities[key] = value
        for key, more in self.more.items():
            if key not in kept:
                abilities[key] = abilities.get(key, 0) + more

    def without(self, names: frozenset[str]) -> Change:
        """The same, but for these figures (as a kind has them) and abilities."""
        return Change(
            {key: value for key, value in self.add.items() if INNER.get(key, key) not in names},
            {key: value for key, value in self.set.items() if INNER.get(key, key) not in names},
            {key: value for key, value in self.abilities.items() if key not in names},
            {key: value for key, value in self.more.items() if key not in names},
            self.modelled,
        )

    def __str__(self) -> str:
        """As a file writes it."""
        if not self.modelled:
            return "none"
        parts = [f"{key} +{value}" for key, value in (*self.add.items(), *self.more.items())]
        parts += [f"{key} {value}" for key, value in self.set.items()]
        for key, value in self.abilities.items():
            parts.append(key if value is True else f"{key} {' '.join(value) if isinstance(value, list) else value}")
        return ", ".join(parts)


NOTHING = Change()


@lru_cache(maxsize=4_096)  # the charts of all types are read anew for every variant of a fight
def read_change(text: str) -> Change:
    """A change as a file writes it; raises ValueError with the remedy.

    >>> read_change("move +2, init +1").add
    {'move': 2, 'init': 1}
    >>> read_change("fear 0, terror 2, on_wound venom").abilities
    {'fear': 0, 'terror': 2, 'on_wound': ['venom']}
    """
    add: dict[str, int] = {}
    put: dict[str, int | str] = {}
    abilities: dict[str, Any] = {}
    more: dict[str, int] = {}
    if text.strip() in ("", "none"):
        return Change(modelled=not text.strip())
    for part in text.split(","):
        name, *values = part.split() or [""]
        if name not in WORDS or name == "none":
            raise ValueError(f"'{name}' is no figure or ability{did_you_mean(name, WORDS)}")
        if name in MARKER_LISTS:
            abilities[name] = _markers(values)
        elif name in data.PLAIN_ABILITIES:
            if values:
                raise ValueError(f"'{name}' stands alone, found '{part.strip()}'")
            abilities[name] = True
        elif name == "flail" or (values and values[0].startswith("+")):
            if name in SET_ONLY:
                raise ValueError(f"'{name}' has no number to add to; say what it is, such as '{name} 3'")
            (add if name in (*FIGURES, "flail") else more)[name] = _number(name, values, r"\+(\d+)", "+1")
        elif name in FIGURES and name in DICE:
            put[name] = _damage(name, values)
        else:
            (put if name in FIGURES else abilities)[name] = _number(name, values, r"(\d+)", "2")
    return Change(add, put, abilities, more)


def _markers(values: list[str]) -> list[str]:
    wrong = [marker for marker in values if marker not in data.MARKERS]
    if wrong:
        raise ValueError(f"unknown marker '{wrong[0]}'{did_you_mean(wrong[0], data.MARKERS)}")
    if not values:
        raise ValueError("expected markers, such as 'on_wound venom'")
    return values


def _number(name: str, values: list[str], form: str, example: str) -> int:
    found = re.fullmatch(form, " ".join(values), re.ASCII)
    if found is None or int(found[1]) > (999 if name == "xp" else MOST):
        raise ValueError(f"expected a number such as '{name} {example}', found '{' '.join([name, *values])}'")
    return int(found[1])


def _damage(name: str, values: list[str]) -> int | str:
    text = " ".join(values)
    try:
        dice, plus = read_damage(text)
    except ValueError:
        plus, dice = MOST + 1, 0
    if plus > MOST:
        raise ValueError(f"expected damage such as '{name} 3' or '{name} D6+1', found '{name} {text}'")
    return text if dice else plus

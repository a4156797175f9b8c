"""What designers combine in types and classes of their own, and what each part does."""

from __future__ import annotations

from sim.core.ruleset import Thing
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.abilities import abouts

BEHAVIOURS = {
    "melee": "Stays with its target while that is beside it; else it goes for a random hero within reach.",
    "ranged": "Shoots, at a hero beside it first; comes closer only until it has a shot. Needs a weapon.",
    "melee_or_ranged": "Fights whoever is beside it, shoots at others, and keeps its distance. Needs a weapon.",
    "shootout": "Spreads its shots over the posse and draws back from whoever comes close. Needs a weapon.",
    "immobile": "Never moves and cannot be pushed; shoots if it has a weapon.",
}


def all_things() -> dict[str, dict[str, Thing]]:
    """By kind and name."""
    return {
        "traits": {name: Thing({"value": value}, about) for name, value, about in abouts()},
        "behaviours": {name: Thing(about=BEHAVIOURS[name]) for name in data.BEHAVIOURS},
        "talents": {name: Thing(about=about) for name, about in data.talents().items()},
        "upgrades": {name: Thing(about=about) for name, about in data.upgrades().items()},
    }

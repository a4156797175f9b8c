"""What designers choose from: enemies, classes, and what can be combined in an enemy of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sim.core.ruleset import Thing
from sim.rulesets.p52 import data, monsters


@cache
def all_things() -> dict[str, dict[str, Thing]]:
    """By kind and name."""
    known = {"traits": monsters.TRAITS, "when_weak": monsters.WHEN_WEAK, "when_fallen": monsters.WHEN_FALLEN}
    traits = {name: Thing({"written as": key}, about) for key, told in known.items() for name, about in told.items()}
    traits |= {name: Thing({"written as": "effects of an attack"}, about) for name, about in monsters.EFFECTS.items()}
    traits |= {name: Thing({"written as": "an attack"}, about) for name, about in monsters.ATTACKS.items()}
    return {
        "enemies": {name: _enemy(row) for name, row in monsters.cards_of("calico").items()},
        "classes": {name: _class(row) for name, row in data.of_set("calico", "classes").items()},
        "traits": traits,
    }


def _enemy(row: Mapping[str, Any]) -> Thing:
    """The figures of an enemy, with what its traits and attacks do."""
    figures = {key: row[key] for key in monsters.NEEDS}
    defences = [figures.pop(key) for key in ("melee_defence", "magic_defence", "ranged_defence")]
    figures["defence (melee, magic, ranged)"] = ", ".join(f"{value:+d}" for value in defences)
    parts = {name: monsters.TRAITS[name] for name in row.get("traits", ())}
    for key, told in (("when_weak", monsters.WHEN_WEAK), ("when_fallen", monsters.WHEN_FALLEN)):
        if key in row:
            parts[row[key]] = told[row[key]]
    for way in monsters.ATTACKS:
        if way in row:
            parts[f"{way}: {row[way]['name']}"] = _attack(row[way])
    return Thing(figures, parts=parts)


def _attack(attack: Mapping[str, Any]) -> str:
    least, most = attack.get("reach", (0, 0))
    reach = f"range {least}" if least == most else f"range {least} to {most}"
    told = f"{attack['kind']}, {reach}, target {attack['target']}, damage {attack['damage']}."
    return " ".join([told, *(monsters.EFFECTS[effect] for effect in attack.get("effects", ()))])


def _class(row: Mapping[str, Any]) -> Thing:
    return Thing(
        {
            "race": row["race"],
            "cores": ", ".join(f"{value:+d}" for value in row["cores"]),
            "starts with": ", ".join(row["starts"]),
            "raises": ", ".join(row["focus"]),
        }
    )

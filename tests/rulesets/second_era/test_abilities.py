"""Racial and class abilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.engine import play
from sim.core.telling import Recorder
from tests.rulesets.second_era.table import battle, foe


def test_every_ability_of_races_and_classes_is_used_somewhere() -> None:
    used: set[str] = set()
    classes = ("knight", "archer", "mage", "healer", "nightblade")
    parties = (
        ("Argonian", "Dark Elf", "High Elf", "Imperial", "Nord"),
        ("Orc", "Redguard", "Wood Elf", "Nord", "Orc"),
    )
    for races in parties:
        heroes: list[dict[str, Any]] = [
            {"class": name, "race": race, "tenacity": 4} for name, race in zip(classes, races, strict=True)
        ]
        heroes[1]["track"] = ["L"] * 6
        heroes[2] |= {"dice": {"force_shock": 1}, "cooldown": 1, "track": ["L", "force_shock"]}
        enemies: list[Any] = [foe(kind=kind) for kind in ("giant", "ogre", "draugr", "spider", "skeever", "scamp")]
        switches = {"racial_abilities": "on", "class_abilities": "on"}
        encounter = battle(heroes, enemies, "clash", switches=switches, level=8)
        for run in range(30):
            told = Recorder()
            play(encounter, 1, np.array([run]), told)
            used |= {event.what for event in told.events if event.rule in ("SE-11.6", "SE-11.7")}

    expected = (
        "prevents all damage", "recovers up to four", "calls an adventurer", "prevents the damage and gains", "adds an",
        "shakes off", "hides up to two", "calls for an Honor Duel", "fulfils", "shoots", "looses", "uses Power Surge",
        "Hope Infusion", "summons",
    )  # fmt: skip
    missing = [words for words in expected if not any(words in what for what in used)]
    assert not missing

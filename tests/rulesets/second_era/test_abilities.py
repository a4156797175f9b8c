"""Racial and class abilities."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.telling import Recorder
from sim.rulesets.second_era.rules.rounds import fatigue
from tests.rulesets.second_era.table import battle, begin, foe, hero


def test_every_ability_of_races_and_classes_is_used_somewhere() -> None:
    wanted = {
        "argonian", "dark_elf", "high_elf", "imperial", "nord", "redguard", "wood_elf", "second_turn",
        "honor_duel", "a Sworn Oath", "first_shot", "lethal_arrow", "power_surge", "a healer's care", "hope_infusion",
        "summons_shade",
    }  # fmt: skip
    classes = ("knight", "archer", "mage", "healer", "nightblade")
    parties = (
        ("Argonian", "Dark Elf", "High Elf", "Imperial", "Nord"),
        ("Orc", "Redguard", "Wood Elf", "Nord", "Orc"),
    )
    encounters = []
    for races in parties:
        heroes: list[dict[str, Any]] = [
            {"class": name, "race": race, "tenacity": 4} for name, race in zip(classes, races, strict=True)
        ]
        heroes[1]["track"] = ["L"] * 6
        heroes[2] |= {"dice": {"force_shock": 1}, "cooldown": 1, "track": ["L", "force_shock"]}
        enemies: list[Any] = [foe(kind=kind) for kind in ("giant", "ogre", "draugr", "spider", "skeever", "scamp")]
        switches = {"racial_abilities": "on", "class_abilities": "on"}
        encounters.append(battle(heroes, enemies, "clash", switches=switches, level=8))

    used: set[str] = set()
    for run, encounter in product(range(30), encounters):
        told = Recorder()
        play(encounter, 1, np.array([run]), told)
        used |= {event.kind for event in told.events}
        used |= {str(event.facts["by"]) for event in told.events if event.kind == "heals"}
        if used >= wanted:
            break

    assert used >= wanted


@pytest.mark.rule("SE-R2", "SE-R8")
@pytest.mark.parametrize(("switch", "falls"), [("enemies", True), ("everything", False)])
def test_summon_shade_answers_fatigue_only_by_its_switch(switch: str, falls: bool) -> None:
    heroes = [hero(hp=1), hero(hp=5, kind="nightblade", track=["Stealth"], tenacity=2)]
    switches = {"class_abilities": "on", "shade_answers": switch}
    s = begin(battle(heroes, [foe()], "clash", switches=switches), 8, round=6)

    fatigue(s)

    assert ((s.hp[0] == 0) == falls).all()
    assert (s.tenacity[1] == (2 if falls else 1)).all()


@pytest.mark.parametrize("name", ["honor_duel", "first_shot", "hope_infusion", "wood_elf", "argonian", "light", "pray"])
def test_what_is_banned_is_never_done(name: str) -> None:
    heroes = [hero(kind=kind, tenacity=4) for kind in ("knight", "archer", "healer")]
    on = {"racial_abilities": "on", "class_abilities": "on"}
    enemies: list[Any] = [foe(kind=kind, combat=4, health=14) for kind in ("ogre", "draugr", "spider")]
    as_it_is = play(battle(heroes, enemies, "clash", switches=on, level=8), 1, np.arange(60))

    banned = battle(heroes, enemies, "clash", switches={**on, "ban": [name]}, level=8)
    without = play(banned, 1, np.arange(60))

    assert (as_it_is.hp != without.hp).any() or (as_it_is.damage != without.damage).any()  # it was done before
    uses = {ability.name: without.uses[row].sum() for row, ability in enumerate(banned.cast.abilities)}
    assert uses.get(name, 0) == 0

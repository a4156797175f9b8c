"""What heroes carry can be left at home, so that the value of each thing can be asked."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.core.engine import play
from sim.rulesets.brimstone import RULESET
from sim.scenario import from_dict

KIT = {
    "class": "bandido",
    "guns": ["pistol", "light_pistol", "shotgun"],
    "two_guns": True,
    "free_items": ["hold_out_pistol"],
    "bag": {"dynamite": 1, "hatchet": 1, "bandages": 2},
    "upgrade": "twin_guns",
}
FIGHT = {
    "ruleset": "brimstone",
    "title": "Everything in the saddlebag",
    "policy": "bomber",
    "width": 9,
    "height": 9,
    "heroes": [KIT, {"class": "lawman"}],
    "enemies": [{"type": "stranglers", "count": 9}],
}


def test_everything_but_the_bare_blow_can_be_forbidden_and_is_then_not_used() -> None:
    fight = from_dict(FIGHT)
    cast = fight.encounter().cast
    names = dict.fromkeys(ability.name for ability in cast.abilities if ability.unit in cast.party)

    for name in names:
        values = RULESET.forbid(fight.model, name)
        if name == "melee":
            assert values is None
            continue
        assert values
        without = fight.changed(values=values)
        encounter = without.encounter()
        outcomes = play(encounter, 1, np.arange(60))
        used = {ability.name: int(outcomes.uses[row].sum()) for row, ability in enumerate(encounter.cast.abilities)}
        assert not used.get(name), name


def test_forbidding_one_token_leaves_the_others() -> None:
    assert RULESET.forbid(from_dict(FIGHT).model, "bandages") == {
        "heroes[0].bag.bandages": 0,
        "heroes[1].bag.bandages": 0,
    }
    assert RULESET.forbid(from_dict(FIGHT).model, "pistol") == {
        "heroes[0].guns": ["light_pistol", "shotgun"],
        "heroes[1].guns": [],
    }
    assert RULESET.forbid(from_dict(FIGHT).model, "katana") is None


def test_the_ladder_says_what_a_gun_is_worth() -> None:
    answer = sim.ladder("brimstone/tentacle_hall", policies=["aggressive"], abilities=["pistol"], runs=300, jobs=1)

    assert any(verdict.startswith("Without pistol: -") for verdict in answer.verdicts)
    with pytest.raises(sim.SimError, match="Brimstone has no way to forbid 'melee'"):
        sim.ladder("brimstone/tentacle_hall", policies=["aggressive"], abilities=["melee"], runs=300, jobs=1)

"""Threat cards, and the Elite abilities of the start."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.branch import at_start_of, branched
from sim.rulesets.brimstone.threats import card_list, most_cards, posse_list
from sim.scenario import from_dict
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    FOUR,
    RUNS,
    kind_of,
    near,
)


@pytest.mark.rule("BF-S2")
def test_the_threat_list_follows_the_size_of_the_posse() -> None:
    assert [posse_list(heroes, 0) for heroes in range(1, 7)] == ["low", "low", "med", "med", "high", "high"]
    assert posse_list(2, 3) == "med"  # three allies count as one hero
    assert card_list("epic", "low", True) == "high"
    assert card_list("epic", "med", False) == "epic"


@pytest.mark.rule("BF-S3", "BF-S4")
def test_cards_bring_further_cards_and_join_groups() -> None:
    listed = {"heroes": FOUR[:1], "board": "none", "enemies": [{"type": "tentacles", "count": "P"}]}

    _, alone = ready(listed, RUNS)
    _, more = ready(listed | {"threat": ["med:5", "med:3"]}, 200)  # six Tentacles; two Low cards

    tentacles = kind_of(alone, "tentacles")
    assert near(float((alone.made[tentacles] == 3).mean()), 1 / 3)
    assert near(float((alone.made[tentacles] == 6).mean()), 1 / 6)
    assert (alone.cards == 1).all()
    assert (more.made[tentacles] >= 9).all()
    assert (more.cards == 4).all()  # the list, the six Tentacles and both Low cards


def test_there_is_room_for_every_card_that_cards_call_for() -> None:
    assert most_cards("low", "high", False) == 1
    assert most_cards("med:3", "high", False) == 3  # two Low cards
    assert most_cards("epic", "high", False) == 1 + 2 * (1 + 2 * 3)
    assert most_cards("auto", "med", False) == most_cards("med", "med", False) == 3

    _, s = ready({"heroes": FOUR, "board": "none", "threat": ["high:8"] * 20}, 50)  # up to 140 cards

    assert (s.cards >= 40).all()
    assert (s.cards <= 120).all()


@pytest.mark.rule("BF-S5", "BF-S1")
def test_elite_abilities_are_rolled_without_repeats() -> None:
    fight = {"heroes": [{"class": "lawman", "level": 4}], "board": "none", "enemies": [{"type": "tentacles"}]}

    _, s = ready(fight, RUNS)

    profiles, number = np.unique(s.profile[0], return_counts=True)
    assert (s.facts.figure["elites"][profiles] == 2).all()
    assert len(profiles) == 15  # two of six
    assert all(near(n / RUNS, 1 / 15) for n in number)


@pytest.mark.rule("BF-S5")
def test_with_other_luck_from_a_turn_on_only_kinds_that_have_not_come_are_drawn_anew() -> None:
    later = {"turn": 3, "enemies": [{"type": "hungry_dead", "count": 1}]}
    fight = {
        "ruleset": "brimstone",
        "title": "Somebody comes later",
        "heroes": [{"class": "lawman", "level": 4}, {"class": "preacher", "level": 4}],
        "board": "none",
        "policy": "aggressive",
        "enemies": [{"type": "tentacles", "count": 6}],
        "events": [later],
    }
    encounter = from_dict(fight).encounter()
    trunk = at_start_of(encounter, 1, np.arange(1), 2)
    here, coming = (encounter.facts.plot.bestiary.number[kind] for kind in ("tentacles", "hungry_dead"))

    copies = branched(trunk, np.zeros(RUNS, dtype=np.int64), np.arange(RUNS))

    assert (copies.held[here] == trunk.state.held[here, 0]).all()
    profiles, number = np.unique(copies.held[coming], return_counts=True)
    assert len(profiles) == 15  # two of six
    assert all(near(n / RUNS, 1 / 15) for n in number)

"""Whose doing it was: wounds, hits and sanity damage belong to somebody."""

import numpy as np
import pytest

from sim.rulesets.brimstone.rules.credit import parts, sum_before
from sim.rulesets.brimstone.rules.enemy_attacks import Volley
from sim.rulesets.brimstone.rules.saves import plain_hits
from sim.rulesets.brimstone.state import State
from tests.oracle import brimstone as referee
from tests.oracle.random_brimstone import random_scenario
from tests.rulesets.brimstone.fights import played


def rows_of_kind(s: State, kind: int) -> list[int]:
    """The rows of abilities of a kind."""
    unit = s.facts.unit_row[kind]
    return [row for row, ability in enumerate(s.facts.cast.abilities) if ability.unit == unit]


def check_accounts(s: State) -> None:
    for kind in s.facts.unit_row:
        rows = rows_of_kind(s, kind)

        assert (s.ledger.damage[rows].sum(axis=0) == s.group_dealt[kind]).all()
        assert (s.ledger.uses[rows] >= 0).all()
    assert (s.group_frightened.sum(axis=0) == s.sanity_taken.sum(axis=0)).all()
    for hero in range(s.heroes):
        mine = [row for row, ability in enumerate(s.facts.cast.abilities) if ability.unit == hero]
        if s.facts.is_on("dangerous_dynamite", "off"):
            assert (s.ledger.damage[mine].sum(axis=0) == s.dealt[hero]).all()
        assert ((s.ledger.hits[mine] > 0) | (s.ledger.damage[mine] == 0)).all()


@pytest.mark.parametrize("name", referee.SCENARIOS)
def test_the_abilities_of_a_kind_add_up_to_its_damage_and_all_sanity_damage_is_somebodys(name: str) -> None:
    s = played(referee.SCENARIOS[name] | {"level": 4}, runs=30, seed=5)

    check_accounts(s)


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_the_accounts_of_random_fights_add_up(seed: int) -> None:
    check_accounts(played(random_scenario(seed), runs=4, seed=seed))


def test_an_attack_of_every_kind_has_a_row_of_its_own() -> None:
    cultists = played(
        {
            "width": 9,
            "height": 9,
            "heroes": [{"class": "preacher", "health": 40, "square": [5, 5]}],
            "enemies": [{"type": "crimson_hand", "count": 2}],
        },
        runs=200,
        seed=3,
    )
    kind = next(iter(cultists.facts.unit_row))
    names = {cultists.facts.cast.abilities[row].name: row for row in rows_of_kind(cultists, kind)}

    assert set(names) == {"melee", "shooting"}
    for row in names.values():
        assert cultists.ledger.uses[row].sum() > 0
        assert cultists.ledger.hits[row].sum() > 0
        assert cultists.ledger.damage[row].sum() > 0
    rifle = cultists.ledger
    assert rifle.hits[names["shooting"]].sum() <= rifle.uses[names["shooting"]].sum()  # one shot each


def test_dynamite_hits_as_many_models_as_it_catches() -> None:
    s = played(
        {
            "width": 7,
            "height": 7,
            "policy": "bomber",
            "heroes": [{"class": "bandido", "square": [4, 1], "bag": {"dynamite": 1}, "th_ranged": 2, "init": 12}],
            "enemies": [{"type": "hungry_dead", "count": 12}],
        },
        runs=100,
        seed=1,
    )
    row = s.facts.ability_row[0, "dynamite"]
    thrown = s.ledger.uses[row] > 0

    assert thrown.any()
    assert s.ledger.hits[row][thrown].mean() > 1
    assert (s.ledger.damage[row] <= s.ledger.hits[row]).all()  # the Hungry Dead have 1 Health


def test_a_volley_is_sorted_out_by_hero_and_lane_and_keeps_the_order_in_which_hits_fell() -> None:
    volley = Volley()
    for damage, heroes, lanes in ((1, [1, 0, 1], [0, 2, 5]), (2, [1, 2], [0, 2]), (3, [0, 1], [2, 0])):
        volley.add(np.array(heroes), plain_hits(np.array(lanes), damage))

    hits = [(batch.lane.tolist(), batch.damage.tolist()) for batch in volley.by_hero(4)]

    assert hits == [([2, 2], [1, 3]), ([0, 0, 0, 5], [1, 2, 3, 1]), ([2], [2]), ([], [])]


def test_what_was_placed_of_a_batch_goes_to_its_first_hits() -> None:
    lane = np.array([0, 0, 0, 1, 1])
    damage = np.array([3, 4, 5, 2, 2])

    assert sum_before(lane, damage).tolist() == [0, 3, 7, 0, 2]
    assert parts(lane, damage, np.array([8, 3])).tolist() == [3, 4, 1, 2, 1]
    assert parts(lane[:0], damage[:0], np.array([8, 3])).tolist() == []

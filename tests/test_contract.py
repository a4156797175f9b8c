"""The promise that hit points never rise without a heal, kept and broken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Cast, Outcomes
from sim.scenario import load
from sim.testing import above_maximum, risen_without_heal

RUNS = 20


@pytest.fixture
def played() -> tuple[Cast, Outcomes]:
    """A fight in which some are hurt and some are healed."""
    encounter = load("overhill/crypt-swarm").encounter()
    return encounter.cast, play(encounter, 3, np.arange(RUNS))


def test_heals_and_damage_explain_what_is_left(played: tuple[Cast, Outcomes]) -> None:
    cast, outcomes = played

    assert outcomes.damage_taken[cast.party].any()
    assert not risen_without_heal(cast, outcomes).any()
    assert not above_maximum(cast, outcomes).any()


def test_one_hit_point_too_many_is_seen_in_its_run(played: tuple[Cast, Outcomes]) -> None:
    cast, outcomes = played
    run = int(np.flatnonzero(outcomes.healing.sum(axis=0) == 0)[0])
    hero = cast.party[0]
    outcomes.hp[hero, run] += 1 + outcomes.damage_taken[hero, run]

    assert list(np.flatnonzero(risen_without_heal(cast, outcomes))) == [run]


def test_a_heal_of_the_same_side_explains_it_and_one_of_the_other_side_does_not(played: tuple[Cast, Outcomes]) -> None:
    cast, outcomes = played
    run = int(np.flatnonzero(outcomes.healing.sum(axis=0) == 0)[0])
    hero, enemy = cast.party[0], next(row for row, unit in enumerate(cast.units) if unit.side == "enemy")
    outcomes.hp[cast.party, run] = [cast.units[row].max_hp for row in cast.party]
    outcomes.damage_taken[cast.party, run] = 0
    outcomes.damage_taken[hero, run] = 2

    outcomes.healing[enemy, run] = 2
    assert risen_without_heal(cast, outcomes)[run]
    outcomes.healing[cast.party[-1], run] = 2
    assert not risen_without_heal(cast, outcomes)[run]


def test_nobody_has_more_than_the_maximum_whatever_was_healed(played: tuple[Cast, Outcomes]) -> None:
    cast, outcomes = played
    hero = cast.party[0]
    outcomes.healing[hero, 4] = 99
    outcomes.damage_taken[hero, 4] = 0
    outcomes.hp[hero, 4] = (cast.units[hero].max_hp or 0) + 1

    assert list(np.flatnonzero(above_maximum(cast, outcomes))) == [4]


def test_a_unit_without_a_maximum_says_nothing(played: tuple[Cast, Outcomes]) -> None:
    cast, outcomes = played
    nobody = replace(cast, units=tuple(replace(unit, max_hp=None) for unit in cast.units))
    outcomes.hp[:] = 999

    assert not risen_without_heal(nobody, outcomes).any()
    assert not above_maximum(nobody, outcomes).any()

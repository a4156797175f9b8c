"""Variants of a shipped fight that share a batch give what each gives alone, bit for bit."""

from __future__ import annotations

import random
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np
import pytest

import sim
from sim.core.engine import Encounter, play
from sim.core.outcomes import Outcomes
from sim.core.variants import can_share, groups, play_group, play_variants, shared
from sim.studies.moves import Move, all_moves, all_switches

FIGHTS = ["p52/duel", "second_era/se_duel", "brimstone/duel", "overhill/crypt-swarm"]
SHARES = {"p52/duel": 0.9, "second_era/se_duel": 0.6, "brimstone/duel": 0.9, "overhill/crypt-swarm": 0.6}
EVERYWHERE = [
    "p52/hall-scaling",
    "p52/calico-lair",
    "p52/mountain-pass",
    "p52/random-space",
    "p52/great-room",
    "p52/four-on-four",
    "p52/corridor-ambush",
    "second_era/se_dungeon",
    "second_era/se_jailbreak",
    "second_era/se_clash_scaled",
    "second_era/se_wolves",
    "brimstone/high_noon",
    "brimstone/goliath_gate",
    "brimstone/rat_ambush_mid",
    "overhill/playtest-1",
    "overhill/wight-court",
    "overhill/gobbo-trio",
]
RUNS = np.arange(30)


@cache
def moves_of(fight: str) -> list[Move]:
    """The moves of a sensitivity study."""
    return all_moves(sim.load(fight))[0]


def encounters_of(fight: str, few: int | None = None) -> list[Encounter[Any]]:
    """The fight and its moves, or some of them by lot."""
    moves = moves_of(fight)
    some = moves if few is None else random.Random(fight).sample(moves, min(few, len(moves)))
    return [sim.load(fight).encounter(), *(move.fight.encounter() for move in some)]


def unlike(one: Outcomes, other: Outcomes) -> list[str]:
    """The columns in which two tables differ, in a value or in the kind of number."""
    found = []
    for field in fields(Outcomes):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, dict):
            assert list(mine) == list(theirs)
            found += [name for name in mine if not same(mine[name], theirs[name])]
        elif not same(mine, theirs):
            found.append(field.name)
    return found


def same(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return one.dtype == other.dtype and np.array_equal(one, other)


@pytest.mark.parametrize("fight", FIGHTS)
def test_variants_that_share_a_batch_give_what_each_gives_alone(fight: str) -> None:
    encounters = encounters_of(fight, few=12)

    together = play_variants(encounters, 5, RUNS)

    for encounter, found in zip(encounters, together, strict=True):
        assert unlike(found, play(encounter, 5, RUNS)) == []


@pytest.mark.parametrize("fight", FIGHTS)
def test_it_does_not_matter_with_whom_a_variant_shares_its_batch(fight: str) -> None:
    encounters = encounters_of(fight, few=6)
    at_once = play_variants(encounters, 5, RUNS)

    for most in (2, 3):
        for group in groups(encounters, most):
            assert len(group.places) <= most
            for place, found in zip(group.places, play_group(group, 5, RUNS), strict=True):
                assert unlike(found, at_once[place]) == []


@pytest.mark.parametrize("fight", FIGHTS)
def test_policies_and_slips_give_beside_each_other_what_each_gives_alone(fight: str) -> None:
    scenario = sim.load(fight)
    own, *others = dict.fromkeys([scenario.data["policy"], *scenario.ruleset.policies])
    encounters = [sim.load(fight, policy=name).encounter() for name in (own, f"{own}@0.5", *others)]

    together = play_variants(encounters, 5, RUNS)

    for encounter, found in zip(encounters, together, strict=True):
        assert unlike(found, play(encounter, 5, RUNS)) == []


@pytest.mark.parametrize("fight", [FIGHTS[1], *(pytest.param(fight, marks=pytest.mark.soak) for fight in FIGHTS)])
def test_switches_give_beside_each_other_what_each_gives_alone(fight: str) -> None:
    scenario = sim.load(fight)
    encounters = [scenario.encounter(), *(move.fight.encounter() for move in all_switches(scenario)[0])]

    together = play_variants(encounters, 5, RUNS)

    for encounter, found in zip(encounters, together, strict=True):
        assert unlike(found, play(encounter, 5, RUNS)) == []


@pytest.mark.parametrize("fight", FIGHTS)
def test_most_numbers_of_a_fight_can_share_a_batch(fight: str) -> None:
    first = sim.load(fight).ruleset.compile(sim.load(fight).model)  # made by itself: nothing is the same object
    others = encounters_of(fight)

    assert sum(can_share(first, other) for other in others) >= SHARES[fight] * len(others)


@pytest.mark.parametrize("fight", ["brimstone/high_noon", "brimstone/rat_ambush_mid"])
def test_enemies_with_other_numbers_and_heroes_who_hit_harder_give_together_what_they_give_alone(fight: str) -> None:
    about = ("weapon", "range", "move", "health", "defense", "init", "dmg_bonus", "xp", "combat", "fear")
    first = sim.load(fight).encounter()
    own = {key: move.fight.encounter() for move in moves_of(fight) for key in about if move.path[-1] == key}
    others = [encounter for encounter in own.values() if can_share(first, encounter)]
    runs = np.arange(12)

    together = play_variants([first, *others], 5, runs)

    assert len(others) >= 4
    assert len(groups([first, *others], 100)) == 1
    for encounter, found in zip([first, *others], together, strict=True):
        assert unlike(found, play(encounter, 5, runs)) == []


def test_a_fight_alone_is_the_fight_itself() -> None:
    encounter = sim.load(FIGHTS[0]).encounter()

    assert shared([encounter]) is encounter


@pytest.mark.soak
@pytest.mark.parametrize("fight", [*FIGHTS, *EVERYWHERE])
def test_all_numbers_of_a_fight_moved_give_together_what_they_give_alone(fight: str) -> None:
    encounters = encounters_of(fight)

    together = play_variants(encounters, 7, np.arange(200))

    for encounter, found in zip(encounters, together, strict=True):
        assert unlike(found, play(encounter, 7, np.arange(200))) == []

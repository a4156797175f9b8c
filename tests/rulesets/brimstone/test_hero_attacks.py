"""Attacks of heroes."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.brimstone.bestiary import kind_of_type
from sim.rulesets.brimstone.build import Mode, critical_defense
from sim.rulesets.brimstone.data import VENOM
from sim.rulesets.brimstone.rules.hero_attacks import strike
from sim.rulesets.brimstone.rules.modes import legal_targets, number_needed
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    LANE,
    RUNS,
    TENTACLE,
    damage_rolls,
    face_to_face,
    land,
    move_model,
    near,
    on_open_ground,
)


@pytest.mark.rule("BF-H13", "BF-P2")
def test_a_gun_must_be_used_on_adjacent_enemies_first() -> None:
    hero = {"class": "lawman", "square": [1, 1]}
    encounter, s = on_open_ground((12, 3), [hero], [{"type": "tentacles", "count": 3}], 1)
    melee, gun = encounter.player.scales.modes[0][:2]
    found = []
    for near_one in (3, 2):  # not adjacent, then adjacent
        for slot, x in enumerate((near_one, 6, 11)):
            move_model(s, slot, x, 1)
        found.append([legal_targets(s, 0, mode, LANE, s.cell[0])[:, 0].tolist() for mode in (melee, gun)])

    assert found == [
        [[False, False, False], [True, True, False]],  # the Pistol reaches 6 squares
        [[True, False, False], [True, False, False]],
    ]


@pytest.mark.rule("BF-H19", "BF-H17")
@pytest.mark.parametrize("defense", [0, 7])
def test_two_guns_have_no_criticals_and_a_worse_off_hand(defense: int) -> None:
    hero = {"class": "lawman", "guns": ["pistol", "pistol"], "two_guns": True}
    encounter, s = face_to_face(hero, TENTACLE | {"defense": defense})
    both = len(s.facts.plot.heroes[0].modes) - 1

    strike(s, encounter.player.scales, 0, both, np.arange(RUNS))

    hits = s.ledger.hits.sum(axis=0)
    assert abs(hits.mean() - (2 / 2 + 2 / 3)) <= 4 * hits.std() / np.sqrt(RUNS)
    if defense:
        assert not s.hurt.any()
    else:
        assert s.hurt.any()


@pytest.mark.rule("BF-P10")
def test_fortune_re_rolls_one_missing_die_once_per_turn() -> None:
    encounter, s = face_to_face({"class": "gambler"}, TENTACLE)  # two melee dice at 5+
    everyone = np.arange(RUNS)

    strike(s, encounter.player.scales, 0, 0, everyone)
    after_one = s.fortune[0].copy()
    strike(s, encounter.player.scales, 0, 0, everyone)

    missed = np.stack([s.luck.die(6, "BF-H16", 1, 0, j, everyone) < 5 for j in (0, 1)]).any(axis=0)
    assert (after_one == 3 - missed).all()
    assert (s.fortune[0] == after_one).all()
    hits = s.ledger.hits.sum(axis=0) / 2  # both attacks have the same address, so the same dice but for Fortune
    assert hits.max() == 2


@pytest.mark.rule("BF-A11", "BF-A12", "BF-H17")
def test_we17_what_is_left_of_a_defense() -> None:
    slasher, goliath = kind_of_type("slashers", {}), kind_of_type("goliath", {})

    assert critical_defense(4, 0, slasher.abilities["crit_floor"]) == 2
    assert critical_defense(3, int(goliath.abilities["tough"]), 0) == 3
    assert critical_defense(2, 0, 0) == 0


@pytest.mark.rule("BF-H4", "BF-H14", "BF-H15")
def test_we22_dice_are_capped() -> None:
    hero = {"class": "wandering_samurai", "combat": 8}
    fight = {"board": "none", "heroes": [hero], "enemies": [{"type": "tentacles"}]}

    assert ready(fight)[1].dice[0, 0, 0] == 6
    assert ready(fight | {"preset": "published"})[1].dice[0, 0, 0] == 8


def test_a_mode_with_high_roller_does_more_on_a_six() -> None:
    assert Mode("melee", "melee", 1, 6, 6, 0, 1).six == 1


@pytest.mark.rule("BF-H16", "BF-H17", "BF-H18", "BF-A11", "BF-A12", "BF-P5")
def test_we16_two_melee_dice_against_a_tentacle() -> None:
    encounter, s = face_to_face({"class": "lawman"}, {"type": "tentacles"})

    strike(s, encounter.player.scales, 0, 0, np.arange(RUNS))

    assert near(float((~s.alive[0]).mean()), 389 / 1296)
    assert near(float((s.hurt[0] == 0).mean()), 121 / 324)


@pytest.mark.rule("BF-A11", "BF-H17")
@pytest.mark.parametrize(
    ("kind", "distance", "normal", "critical"),
    [
        ("slashers", 1, 1, 3),
        ("goliath", 1, 2, 2),
        ("tentacles", 1, 3, 5),
        ("crimson_hand", 1, 3, 3),
        ("xenocyte_impalers", 3, 0, 5),
    ],
)
@pytest.mark.parametrize("natural", [5, 6])
def test_we17_a_damage_roll_of_5_against_every_kind_of_defense(
    kind: str, distance: int, normal: int, critical: int, natural: int
) -> None:
    hero = {"class": "lawman", "square": [4, 1]}
    encounter, s = on_open_ground((7, 7), [hero], [{"type": kind, "health": 20}], 600)
    move_model(s, 0, 4, 1 + distance)
    at = np.flatnonzero(damage_rolls(s, 0) == 5)

    land(s, encounter.player.scales.modes[0][0], at, natural)

    assert len(at) > 50
    assert (s.hurt[0, at] == (critical if natural == 6 else normal)).all()


@pytest.mark.rule("BF-H15")
@pytest.mark.parametrize(("number", "venom", "needed"), [(6, 1, 6), (6, 0, 6), (2, 0, 2), (4, 1, 5), (4, 2, 5)])
def test_we22_numbers_are_capped(number: int, venom: int, needed: int) -> None:
    encounter, s = face_to_face({"class": "lawman", "th_melee": number}, {"type": "tentacles"}, 1)
    s.status[VENOM, 0] = venom

    found = number_needed(s, 0, encounter.player.scales.modes[0][0], np.zeros(1, np.int64), s.cell[0])

    assert list(found) == [needed]


@pytest.mark.rule("BF-H15", "BF-H16")
def test_we22_a_1_always_misses() -> None:
    hero = {"class": "lawman", "th_melee": 2, "combat": 1}
    encounter, s = face_to_face(hero, {"type": "tentacles", "health": 60})
    everyone = np.arange(RUNS)

    strike(s, encounter.player.scales, 0, 0, everyone)

    hit = s.ledger.hits[s.facts.ability_row[0, "melee"]] > 0
    assert (hit == (s.luck.die(6, "BF-H16", 1, 0, 0, everyone) > 1)).all()


@pytest.mark.rule("BF-H4", "BF-H6")
def test_we22_one_grit_when_every_die_has_missed() -> None:
    hero, enemy = {"class": "lawman", "grit": 1}, {"type": "tentacles", "health": 60}
    encounter, s = ready({"board": "none", "heroes": [hero], "enemies": [enemy], "policy": "aggressive"}, RUNS)
    s.round = 1

    strike(s, encounter.player.scales, 0, 0, np.arange(RUNS))

    hit = s.ledger.hits[s.facts.ability_row[0, "melee"]] > 0
    assert near(float(hit.mean()), 15 / 16)
    assert near(float((s.grit[0] == 0).mean()), 1 / 4)

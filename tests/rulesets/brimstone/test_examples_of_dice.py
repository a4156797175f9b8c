"""The worked examples about dice: hits, wounds, saves, blasts, XP, on the engine's own states and functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.build import Mode
from sim.rulesets.brimstone.data import VENOM
from sim.rulesets.brimstone.rules.dynamite import blast, throw
from sim.rulesets.brimstone.rules.ending import share_loot
from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from sim.rulesets.brimstone.rules.hero_attacks import resolve_hit, strike
from sim.rulesets.brimstone.rules.hero_turns import feel_fear
from sim.rulesets.brimstone.rules.models import hurt_model
from sim.rulesets.brimstone.rules.modes import number_needed
from sim.rulesets.brimstone.rules.saves import Hits
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import RUNS, cell, ends, face_to_face, move_model, near, on_open_ground

LAWMAN = {"class": "lawman", "health": 40, "sanity": 40}


def mean_is(values: Any, expected: float) -> bool:
    """Within four standard errors."""
    return abs(values.mean() - expected) <= 4 * values.std() / np.sqrt(len(values))


def damage_rolls(s: State, index: int) -> Any:
    """(runs,). The damage die that a hit of hero 0 will show."""
    return s.luck.die(6, "BF-A11", s.round, 0, index, np.arange(s.size))


def land(s: State, mode: Mode, at: Any, natural: int, index: int = 0) -> None:
    """A hit of hero 0 on the first model."""
    n = len(at)
    resolve_hit(s, 0, mode, np.zeros(n, np.int64), at, np.full(n, natural), np.full(n, index))


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


@pytest.mark.rule("BF-A11", "BF-A12", "BF-F9")
@pytest.mark.parametrize("health", [2, 20])
def test_we18_armor_is_rolled_for_every_wound(health: int) -> None:
    encounter, s = face_to_face({"class": "lawman"}, {"type": "drowned_dead", "health": health}, 36 * 4000)
    at = np.flatnonzero((damage_rolls(s, 0) == 5) & (damage_rolls(s, 1) == 6))
    mode = encounter.player.scales.modes[0][0]

    land(s, mode, at, 5, index=0)
    land(s, mode, at, 4, index=1)

    placed = s.hurt[0, at]
    assert near(float((placed == 0).mean()), 1 / 27, len(at))
    if health == 2:
        assert near(float((~s.alive[0, at]).mean()), 20 / 27, len(at))
        assert (s.dealt[0, at] <= 2).all()
    else:
        assert mean_is(placed, 2)


@pytest.mark.rule("BF-A1", "BF-A2", "BF-A3", "BF-A4")
def test_we19_one_tentacle_attacks() -> None:
    _, s = face_to_face(LAWMAN | {"defense": 4}, {"type": "tentacles"})

    activate_group(s, int(s.kind[0, 0]), np.arange(RUNS))

    share = {wounds: float((s.wounds[0] == wounds).mean()) for wounds in (0, 3, 6, 9)}
    chance = {0: 8 / 27, 3: 4 / 9, 6: 2 / 9, 9: 1 / 27}
    assert all(near(share[wounds], chance[wounds]) for wounds in chance)
    assert sum(share.values()) == pytest.approx(1)


@pytest.mark.rule("BF-A1", "BF-A3")
def test_we19_a_strangler_counts_its_sixes_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    from sim.rulesets.brimstone.rules import enemy_attacks

    _, s = face_to_face(LAWMAN | {"defense": 3}, {"type": "stranglers"})
    hits = np.zeros(RUNS)
    save = enemy_attacks.take_batch

    def count_and_save(s: State, hero: int, batch: Hits, *rest: Any) -> None:
        hits[:] += np.bincount(batch.lane, minlength=RUNS)
        save(s, hero, batch, *rest)

    monkeypatch.setattr(enemy_attacks, "take_batch", count_and_save)
    activate_group(s, int(s.kind[0, 0]), np.arange(RUNS))

    assert mean_is(hits, 4)
    assert mean_is(s.wounds[0], 4 / 3)


@pytest.mark.rule("BF-A6", "BF-H3")
@pytest.mark.parametrize(("willpower", "mean", "none"), [(4, 2.0, 1 / 16), (3, 4 / 3, 16 / 81)])
def test_we21_two_night_terrors(willpower: int, mean: float, none: float) -> None:
    _, s = face_to_face(LAWMAN | {"willpower": willpower}, {"type": "night_terrors", "count": 2})

    feel_fear(s, 0, np.arange(RUNS))

    assert mean_is(s.sdmg[0], mean)
    assert near(float((s.sdmg[0] == 0).mean()), none)


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


@pytest.mark.rule("BF-H20", "BF-H21", "BF-H22")
def test_we25_where_dynamite_lands(monkeypatch: pytest.MonkeyPatch) -> None:
    hero = {"class": "bandido", "square": [1, 1]}
    _, s = on_open_ground((5, 5), [hero], [{"type": "tentacles"}], 60_000, switches={"grit_use": "off"})
    everyone = np.arange(s.size)
    middle = cell(s, 3, 3)
    landed = {}

    def listen(s: State, hero: int, at: Any, where: Any) -> None:
        landed["at"] = where.copy()

    monkeypatch.setattr("sim.rulesets.brimstone.rules.dynamite.blast", listen)
    throw(s, 0, everyone, np.full(s.size, middle))

    missed = s.luck.die(6, "BF-H16", 1, 0, 0, everyone) < 5
    assert near(float((~missed).mean()), 1 / 3, s.size)
    assert (landed["at"][~missed] == middle).all()
    assert near(float((landed["at"][missed] == middle).mean()), 11 / 192, int(missed.sum()))
    assert (s.bag[:, 0].sum(axis=0) == 0).all()


@pytest.mark.rule("BF-H23", "BF-A13")
def test_we25_a_blast_ignores_defense_and_reaches_the_next_squares() -> None:
    heroes = [{"class": "lawman", "square": [3, 4], "health": 40}, {"class": "lawman", "square": [5, 5]}]
    enemies = [{"type": "slashers", "health": 4}, {"type": "tentacles", "health": 60}]
    _, s = on_open_ground((7, 7), heroes, enemies)
    names = [s.facts.plot.kinds[int(kind)].name for kind in s.kind[:, 0]]
    slasher, tentacle = names.index("slashers"), names.index("tentacles")
    move_model(s, slasher, 3, 3)
    move_model(s, tentacle, 7, 1)

    blast(s, 0, np.arange(RUNS), np.full(RUNS, cell(s, 3, 3)))

    assert near(float((~s.alive[slasher]).mean()), 1 / 2)
    assert mean_is(s.wounds[0], 3.5)
    assert not s.wounds[1].any()
    assert not s.hurt[tentacle].any()
    assert set(ends(s, tentacle)) == {(7, 1)}


@pytest.mark.rule("BF-F8", "BF-F9")
@pytest.mark.parametrize(
    ("base", "elites", "xp"), [("per_attack", [], 40), ("per_hit", [], 50), ("per_attack", [3], 45)]
)
def test_we26_xp_of_two_wounding_hits(base: str, elites: list[int], xp: int) -> None:
    _, s = face_to_face({"class": "lawman"}, {"type": "night_terrors", "elites": elites}, 1, xp_base=base)
    lane, slot = np.zeros(1, np.int64), np.zeros(1, np.int64)

    for wounds in (2, 4):
        hurt_model(s, slot, lane, np.array([wounds]), 0, "test")

    assert list(s.xp[0]) == [xp]


@pytest.mark.rule("BF-F8", "BF-F9")
def test_we26_xp_of_a_kill() -> None:
    _, s = face_to_face({"class": "lawman"}, {"type": "tentacles", "elites": [3, 4]}, 1)
    lane, slot = np.zeros(1, np.int64), np.zeros(1, np.int64)

    hurt_model(s, slot, lane, np.array([3]), 0, "test")
    before = int(s.xp[0, 0])
    hurt_model(s, slot, lane, np.array([5]), 0, "test")

    assert (before, int(s.xp[0, 0]), int(s.dealt[0, 0])) == (0, 40, 4)


@pytest.mark.rule("BF-F7", "BF-U3")
@pytest.mark.parametrize(("cap", "cards"), [(3, [2, 3]), (5, [2, 5]), (0, [0, 0])])
def test_we26_loot_is_capped(cap: int, cards: list[int]) -> None:
    heroes = [{"class": "lawman"}, {"class": "lawman", "ally": True, "move": 3}]
    fight = {"board": "none", "heroes": heroes, "enemies": [{"type": "hellbats"}], "switches": {"loot_cap": cap}}
    _, s = ready(fight, 2)
    s.cards[:] = [2, 5]

    share_loot(s, np.arange(2))

    assert s.loot.tolist() == [cards, [0, 0]]

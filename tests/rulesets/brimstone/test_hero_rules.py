"""Heroes: every rule that no worked example shows, on a scene of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.data import BANDAGES, BLEEDING, BURNING, ENSNARED, HATCHET, SHIV, STUNNED
from sim.rulesets.brimstone.rules.damage import knock_out
from sim.rulesets.brimstone.rules.ending import catch_breath, recover
from sim.rulesets.brimstone.rules.free_attacks import use_free_items
from sim.rulesets.brimstone.rules.help import help_hero, whom_to_help
from sim.rulesets.brimstone.rules.hero_attacks import strike
from sim.rulesets.brimstone.rules.hero_moves import hero_reach, ranked, shooting_squares, square_toward_enemies, weighed
from sim.rulesets.brimstone.rules.hero_turns import activate_hero, end_of_move, move_roll
from sim.rulesets.brimstone.rules.markers import mend
from sim.rulesets.brimstone.rules.modes import dice_of, legal_targets
from sim.rulesets.brimstone.rules.saves import Source, corrupt, defense_needed, plain_hits, take_batch
from sim.rulesets.brimstone.rules.tokens import use_tokens
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import RUNS, cell, face_to_face, kind_of, move_model, near, on_open_ground

LANE = np.zeros(1, dtype=np.int64)
TENTACLE = {"type": "tentacles", "health": 60}


@pytest.mark.rule("BF-H1", "BF-H3")
def test_a_hero_knocked_out_in_its_activation_stops_at_once() -> None:
    heroes = [{"class": "lawman", "wounds": 10, "status": {"burning": 1}, "bag": {}}, {"class": "lawman"}]
    fight = {"board": "none", "heroes": heroes, "enemies": [TENTACLE], "switches": {"revive_tokens": 0}}
    encounter, s = ready(fight, 50)
    s.round = 1

    activate_hero(s, encounter.player, 0, np.arange(50))

    assert not s.standing[0].any()
    assert not s.status[BURNING, 0].any()
    assert not s.hurt.any()


@pytest.mark.rule("BF-H2", "BF-H8")
@pytest.mark.parametrize(("name", "lucky"), [("lawman", 1), ("bandido", 2)])
def test_the_move_roll_brings_grit_on_a_low_die(name: str, lucky: int) -> None:
    _, s = on_open_ground((6, 6), [{"class": name, "move_bonus": 2}], [TENTACLE], 600)
    everyone = np.arange(600)

    move_roll(s, 0, everyone)

    die = s.luck.die(6, "BF-H2", 1, 0, 0, everyone)
    assert (s.moves[0] == die + 2).all()
    assert (s.grit[0] == 1 + (die <= lucky)).all()


@pytest.mark.rule("BF-H2", "BF-U3")
def test_fixed_movement_and_the_move_of_an_ally() -> None:
    heroes = [{"class": "lawman"}, {"class": "lawman", "ally": True, "move": 5}]
    _, s = on_open_ground((6, 6), heroes, [TENTACLE], 60, switches={"hero_move": "fixed4"})

    for hero in (0, 1):
        move_roll(s, hero, np.arange(60))

    assert (s.moves[0] == 4).all()
    assert (s.moves[1] == 5).all()
    assert set(s.grit[0]) == {1, 2}
    assert not s.grit[1].any()


@pytest.mark.rule("BF-H7")
def test_grit_beyond_the_maximum_is_lost() -> None:
    _, s = on_open_ground((6, 6), [{"class": "lawman", "grit": 2}], [TENTACLE], 600)

    move_roll(s, 0, np.arange(600))

    assert (s.grit[0] == 2).all()
    assert not s.grit_gained.any()


@pytest.mark.rule("BF-H5", "BF-P11")
@pytest.mark.parametrize(
    ("policy", "grit", "left"), [("cautious", 2, (0, 1)), ("cautious", 1, (1, 1)), ("aggressive", 2, (1, 2))]
)
def test_the_cautious_mend_bleeding_with_spare_grit(policy: str, grit: int, left: tuple[int, int]) -> None:
    hero = {"class": "lawman", "policy": policy, "grit": grit, "status": {"bleeding": 1}}
    _, s = on_open_ground((6, 6), [hero], [TENTACLE], 1)

    mend(s, 0, LANE)

    assert (s.status[BLEEDING, 0, 0], s.grit[0, 0]) == left


@pytest.mark.rule("BF-H11", "BF-X2")
def test_a_tail_meets_a_hero_who_did_not_move() -> None:
    hero = {"class": "lawman", "square": [3, 3]}  # Agility 2
    _, s = on_open_ground((6, 6), [hero], [{"type": "xenocyte_impalers"}])
    move_model(s, 0, 4, 4)

    end_of_move(s, 0, np.arange(RUNS))

    assert near(float((s.status[BLEEDING, 0] == 1).mean()), (2 / 3) ** 2)
    assert s.status[BLEEDING, 0].max() == 1


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


@pytest.mark.rule("BF-H24", "BF-H25", "BF-P9")
@pytest.mark.parametrize(("limit", "left"), [(0, (1, 1, 1)), (1, (0, 1, 1)), (2, (0, 0, 1)), (3, (0, 0, 0))])
def test_free_items_are_used_in_order_up_to_the_limit(limit: int, left: tuple[int, int, int]) -> None:
    hero = {"class": "saloon_girl", "bag": {"hatchet": 1, "shiv": 1}, "level": 8}
    encounter, s = face_to_face(hero, TENTACLE, 5, free_attack_limit=limit)

    use_free_items(s, encounter.player.scales, 0, np.arange(5))

    assert (s.free_used == limit).all()
    assert (s.holdouts[0, 0], s.bag[HATCHET, 0, 0], s.bag[SHIV, 0, 0]) == left
    holdout = len(s.facts.plot.heroes[0].modes)
    assert dice_of(s, 0, holdout, LANE).tolist() == [1]  # no Shots of level 8


@pytest.mark.rule("BF-H26", "BF-P7")
@pytest.mark.parametrize(
    ("policy", "wounds", "used"),
    [("aggressive", 8, 1), ("aggressive", 7, 0), ("cautious", 6, 1), ("cautious", 5, 0), ("random_legal", 11, 0)],
)
def test_bandages_are_used_when_little_health_is_left(policy: str, wounds: int, used: int) -> None:
    hero = {"class": "lawman", "policy": policy, "wounds": wounds}  # Health 12
    _, s = face_to_face(hero, TENTACLE, 50)

    use_tokens(s, 0, np.arange(50))

    assert (s.tokens_used[0] == used).all()
    healed = np.minimum(s.luck.die(6, "bandages", 1, 0, 0, np.arange(50)), wounds) * used
    assert (s.wounds[0] == wounds - healed).all()


@pytest.mark.rule("BF-P8", "BF-A3")
@pytest.mark.parametrize(("policy", "damage", "used"), [("cautious", 2, 1), ("cautious", 1, 0), ("aggressive", 2, 0)])
def test_bandages_at_the_last_moment(policy: str, damage: int, used: int) -> None:
    hero = {"class": "lawman", "policy": policy, "wounds": 10}  # two left
    _, s = face_to_face(hero, TENTACLE, 300)

    take_batch(s, 0, plain_hits(np.arange(300), damage), Source("test", 0))

    failed = s.luck.die(6, "test/defense", 1, 0, 0, np.arange(300)) < 4
    assert (s.tokens_used[0] == failed * used).all()
    assert (s.bag[BANDAGES, 0] == 1 - failed * used).all()


@pytest.mark.rule("BF-P6", "BF-H4")
@pytest.mark.parametrize(("damage", "pays"), [(3, True), (2, False)])
def test_grit_goes_into_saves_that_would_mean_a_knock_out(damage: int, pays: bool) -> None:
    hero = {"class": "lawman", "wounds": 9, "bag": {}}  # three left
    fight = {"board": "none", "heroes": [hero], "enemies": [TENTACLE], "switches": {"revive_tokens": 0}}
    _, s = ready(fight, RUNS)
    s.round = 1

    take_batch(s, 0, plain_hits(np.arange(RUNS), damage), Source("test", 0))

    failed = s.luck.die(6, "test/defense", 1, 0, 0, np.arange(RUNS)) < 4
    assert (s.grit_spent[0] == failed * pays).all()
    assert near(float((s.taken[0] > 0).mean()), 1 / 4 if pays else 1 / 2)


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


@pytest.mark.rule("BF-P12")
def test_threat_is_the_expected_damage_of_the_best_attack() -> None:
    kinds = {"tentacles": 4.5, "goliath": 6.0, "bandits": 3.0, "stranglers": 8 / 3}
    fight = {"board": "none", "heroes": [{"class": "lawman"}], "enemies": [{"type": kind} for kind in kinds]}
    _, s = ready(fight)

    found = {kind: int(s.facts.figure["threat"][s.held[kind_of(s, kind), 0]]) for kind in kinds}

    assert all(found[kind] / found["tentacles"] == pytest.approx(kinds[kind] / 4.5) for kind in kinds)


@pytest.mark.rule("BF-P13")
def test_with_nothing_to_attack_a_hero_approaches() -> None:
    _, s = on_open_ground((12, 1), [{"class": "preacher", "square": [1, 1]}], [TENTACLE], 1)
    move_model(s, 0, 12, 1)
    s.moves[0] = 3

    assert square_toward_enemies(s, 0, LANE).tolist() == [cell(s, 4, 1)]


def beside_a_marker(enemy_tile: int) -> Any:
    """A hero next to the marker of another one; the enemy is on this tile."""
    heroes = [{"class": "lawman", "square": [1, 1]}, {"class": "lawman", "square": [2, 1]}]
    fight = {"board": "1 1 1 2 2 2", "heroes": heroes, "enemies": [TENTACLE], "enemy_tile": enemy_tile}
    _, s = ready(fight | {"switches": {"revive_tokens": 0}}, 100)
    s.round = 1
    knock_out(s, 1, np.arange(100))
    return s


@pytest.mark.rule("BF-H27", "BF-P14")
def test_help_brings_a_hero_back_if_no_enemy_is_on_its_tile() -> None:
    s = beside_a_marker(2)
    everyone = np.arange(100)
    s.wounds[1] = 12
    whom = whom_to_help(s, 0, everyone)

    help_hero(s, 0, everyone, whom)

    assert (whom == 1).all()
    assert s.standing[1].all()
    assert (s.xp[0] == 25).all()
    dice = s.luck.die(6, "BF-H27", 1, 0, 0, everyone) + s.luck.die(6, "BF-H27", 1, 0, 1, everyone)
    assert (s.health_left(1, everyone) == np.minimum(dice, 12)).all()
    assert s.barred[1].all()  # it does not act this turn
    knock_out(s, 1, everyone)
    help_hero(s, 0, everyone, whom)
    assert (s.xp[0] == 25).all()  # once per fight
    assert (whom_to_help(beside_a_marker(1), 0, everyone) == -1).all()


@pytest.mark.rule("BF-A5", "BF-X1")
@pytest.mark.parametrize(
    ("defense", "ensnared", "stunned", "needed"), [(4, 0, 0, 4), (4, 0, 2, 5), (4, 1, 1, 6), (6, 1, 1, 6), (2, 0, 0, 2)]
)
def test_markers_raise_the_number_for_defense(defense: int, ensnared: int, stunned: int, needed: int) -> None:
    _, s = face_to_face({"class": "lawman", "defense": defense}, TENTACLE, 1)
    s.status[ENSNARED, 0], s.status[STUNNED, 0] = ensnared, stunned

    assert defense_needed(s, 0).tolist() == [needed]


@pytest.mark.rule("BF-A7")
@pytest.mark.parametrize(("willpower", "chance"), [(4, 1 / 2), (3, 1 / 3)])
def test_corruption_is_saved_by_willpower_and_only_counted(willpower: int, chance: float) -> None:
    _, s = face_to_face({"class": "lawman", "willpower": willpower}, TENTACLE)

    corrupt(s, 0, np.arange(RUNS), Source("test", 0))

    assert near(float(s.corruption[0].mean()), chance)
    assert not s.sdmg.any()


@pytest.mark.rule("BF-F2", "BF-F3", "BF-F4")
@pytest.mark.parametrize(
    ("acted", "wounds", "most", "grit"), [(True, 0, 0, 1), (False, 0, 0, 2), (True, 9, 3, 1), (False, 9, 6, 1)]
)
def test_we27_who_had_no_turn_heals_more_or_takes_a_grit(acted: bool, wounds: int, most: int, grit: int) -> None:
    fight = {"board": "none", "heroes": [{"class": "lawman", "wounds": wounds}], "enemies": [TENTACLE]}
    _, s = ready(fight, 300)
    s.round = 1
    s.acted[0] = acted

    catch_breath(s, 0, np.arange(300))

    assert (wounds - s.wounds[0]).max() == most
    assert (s.grit[0] == grit).all()


@pytest.mark.rule("BF-F6")
@pytest.mark.parametrize(("wounds", "sanity", "rolls"), [(12, 3, (1, 0)), (3, 12, (0, 1)), (12, 12, (1, 1))])
def test_recovery_counts_injury_and_madness(wounds: int, sanity: int, rolls: tuple[int, int]) -> None:
    hero = {"class": "lawman"}
    _, s = ready({"board": "none", "heroes": [hero, hero], "enemies": [TENTACLE]}, 1)
    s.round = 1
    s.wounds[0], s.sdmg[0] = wounds, sanity

    recover(s, 0, LANE)

    assert (s.injuries[0, 0], s.madness[0, 0]) == rolls
    assert s.health_left(0, LANE)[0] >= 1
    assert s.sanity_left(0, LANE)[0] >= 1


@pytest.mark.rule("BF-P3", "BF-P4")
def test_the_quick_way_to_the_best_squares_finds_what_weighing_every_square_finds() -> None:
    heroes = [{"class": name, "policy": "focus_fire"} for name in ("lawman", "us_marshal", "indian_scout")]
    kinds = [{"type": name, "count": "D6"} for name in ("tentacles", "hungry_dead", "bandits")]
    board = "\n".join([". . . . . . . .", ". # . . . # . .", ". . . . . . . .", ". . . # . . . .", ". . . . . . . ."])
    encounter, s = ready({"board": board, "heroes": heroes, "enemies": kinds}, 300)
    s.round = 1
    everyone = np.arange(300)
    s.hurt[:] = everyone % 2
    for hero in range(3):
        s.moves[hero] = 4
        allowed = hero_reach(s, hero, everyone).all
        modes = range(len(s.facts.plot.heroes[hero].modes))
        open_to = [shooting_squares(s, hero, mode, everyone) & allowed for mode in modes]

        quick, settled = ranked(s, encounter.player.scales, hero, everyone, open_to)

        slow = weighed(s, encounter.player.scales, hero, everyone, np.bitwise_or.reduce(open_to))
        assert settled.mean() > 1 / 2
        assert (quick[:, settled] == slow[:, settled]).all()

"""The worked examples of the rules, on the engine's own states and functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.luck import TABLE
from sim.errors import ScenarioError
from sim.rulesets.brimstone.bestiary import figures_of, printed
from sim.rulesets.brimstone.build import Mode, critical_defense
from sim.rulesets.brimstone.data import BLEEDING
from sim.rulesets.brimstone.ground import make_ground
from sim.rulesets.brimstone.rules.behaviours import melee, ranged
from sim.rulesets.brimstone.rules.damage import wound
from sim.rulesets.brimstone.rules.ending import mix, restore
from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from sim.rulesets.brimstone.rules.hero_moves import best_mode
from sim.rulesets.brimstone.rules.rounds import Activations, hold_back_darkness
from sim.rulesets.brimstone.rules.targets import Group, pick_target
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import encounter_of, played, ready
from tests.rulesets.brimstone.scenes import FOUR, RUNS, ends, move_model, near, one_enemy, phase_a, squares

PILLARS = ". . . . . . . . .\n" * 2 + ". . # . . . # . .\n. . . . . . . . .\n. . . . # . . . .\n. . . . . . . . .\n"
PILLARS += ". . # . . . # . .\n. . . . . . . . .\n"


@pytest.mark.rule("BF-S8", "BF-S9", "BF-S10", "BF-S11", "BF-S12")
def test_we1_two_types_are_placed_as_a_checkerboard() -> None:
    heroes = [{"class": "lawman"}, {"class": "preacher"}]
    enemies = [{"type": "hellbats", "count": 4}, {"type": "hungry_dead", "count": 3}]

    _, s = ready({"width": 6, "height": 6, "heroes": heroes, "enemies": enemies})

    assert squares(s, "hungry_dead") == [(1, 6), (3, 6), (5, 6)]
    assert squares(s, "hellbats") == [(2, 5), (4, 5), (6, 5), (1, 4)]
    assert [s.ground.board.coords[int(c)] for c in s.cell[:, 0]] == [(3, 1), (4, 1)]  # type: ignore[union-attr]


@pytest.mark.rule("BF-S12", "BF-S13")
def test_we3_placement_goes_on_with_the_other_squares_until_the_tile_is_full() -> None:
    fight: dict[str, Any] = {"width": 3, "height": 3, "heroes": [{"class": "lawman", "square": [2, 1]}]}

    _, s = ready(fight | {"enemies": [{"type": "tentacles", "count": 8}]})

    first, then = [(1, 3), (3, 3), (2, 2), (1, 1), (3, 1)], [(2, 3), (1, 2), (3, 2)]
    assert squares(s, "tentacles") == first + then
    with pytest.raises(ScenarioError, match="8 free squares"):
        encounter_of(fight | {"enemies": [{"type": "tentacles", "count": 9}]})


@pytest.mark.rule("BF-T1", "BF-T4", "BF-S18")
@pytest.mark.parametrize(
    ("changes", "order"),
    [
        ({}, ["gunslinger", "stranglers", "us_marshal", "bandido", "tentacles", "preacher"]),
        ({"ambush": True}, ["stranglers", "gunslinger", "tentacles", "us_marshal", "bandido", "preacher"]),
        (
            {"ambush": True, "switches": {"initiative_ties": "heroes_first"}},
            ["gunslinger", "stranglers", "us_marshal", "tentacles", "bandido", "preacher"],
        ),
    ],
)
def test_we4_initiative(changes: dict[str, Any], order: list[str]) -> None:
    enemies = [{"type": "stranglers", "count": 2}, {"type": "tentacles", "count": 2}]
    encounter, s = ready({"width": 8, "height": 8, "heroes": FOUR, "enemies": enemies} | changes)
    s.round = 1

    turn = Activations(s, encounter.player)

    names = [hero.name for hero in s.facts.plot.heroes] + [s.facts.plot.kinds[kind].name for kind in turn.kinds]
    assert [names[int(unit)] for unit in np.argsort(turn.rank[:, 0])] == order


@pytest.mark.rule("BF-E3")
@pytest.mark.parametrize(
    ("heroes", "models", "spread", "alone"),
    [(3, 2, "seed", 1 / 3), (3, 3, "seed", (2 / 3) ** 3), (4, 3, "always_random", 27 / 64), (4, 3, "seed", 1 / 4)],
)
def test_we5_targets_are_spread_evenly_with_more_heroes_than_models(
    heroes: int, models: int, spread: str, alone: float
) -> None:
    fight = {"board": "none", "heroes": FOUR[:heroes], "enemies": [{"type": "tentacles", "count": models}]}
    _, s = ready(fight | {"switches": {"targeting_spread": spread}}, RUNS)
    s.round = 1
    everyone = np.arange(RUNS)
    group = Group(s, 4, everyone)

    for slot in range(models):
        target = pick_target(s, group, np.full(RUNS, slot), everyone, s.standing)
        s.target[slot] = target

    assert near(float((s.target[:models] != 0).all(axis=0).mean()), alone)


@pytest.mark.rule("BF-E4", "BF-E5.1")
def test_we6_an_adjacent_target_is_kept() -> None:
    heroes = [{"class": "lawman", "square": [x, 2]} for x in (2, 4, 6)]
    _, s = ready({"width": 7, "height": 7, "heroes": heroes, "enemies": [{"type": "slashers", "count": 2}]}, RUNS)
    s.round = 2
    move_model(s, 0, 4, 5)  # its target has gone
    move_model(s, 1, 6, 3)
    s.target[0], s.target[1] = 1, 2
    chosen = {}

    def listen(s: State, kind: int, at: Any, aim: Any) -> None:
        chosen["targets"] = s.target.copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.rulesets.brimstone.rules.enemy_turns.attack_phase", listen)
        activate_group(s, int(s.kind[0, 0]), np.arange(RUNS))

    assert (chosen["targets"][1] == 2).all()
    assert near(float((chosen["targets"][0] == 0).mean()), 1 / 2)
    assert near(float((chosen["targets"][0] == 1).mean()), 1 / 2)


@pytest.mark.rule("BF-E5.2", "BF-E5.3")
@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (2, [(3, 3), (4, 3), (5, 3)]),
        (3, [(3, 2), (5, 2)]),
        (4, [(3, 1), (4, 1), (5, 1)]),
        (6, [(3, 1), (4, 1), (5, 1)]),
    ],
)
def test_we7_melee_enemies_go_to_the_far_side(move: int, expected: list[tuple[int, int]]) -> None:
    s = one_enemy("tentacles", (4, 2), (4, 5), (7, 7), move=move)

    phase_a(s, melee)

    assert sorted(ends(s)) == sorted(expected)
    assert all(near(share, 1 / len(expected)) for share in ends(s).values())


@pytest.mark.rule("BF-E5.4", "BF-E11", "BF-G4")
def test_we8_out_of_reach_it_approaches_without_a_target() -> None:
    s = one_enemy("tentacles", (2, 2), (9, 2), (9, 3), move=3)

    phase_a(s, melee)

    assert sorted(ends(s)) == [(6, 1), (6, 2), (6, 3)]
    assert (s.target[0] == -1).all()


@pytest.mark.rule("BF-G3", "BF-E5.2")
def test_we9_walls_close_corners() -> None:
    board = ". . .\n. . .\n# . #\n# . #\n# . #\n. . .\n"
    heroes, enemies = [{"class": "lawman", "square": [2, 1]}], [{"type": "tentacles", "count": 2, "move": 6}]
    reached = {}
    for rule in ("any", "both"):
        _, s = ready({"board": board, "heroes": heroes, "enemies": enemies, "switches": {"corner_rule": rule}}, RUNS)
        s.round = 1
        move_model(s, 0, 2, 4)
        move_model(s, 1, 2, 5)
        activate_group(s, int(s.kind[0, 0]), np.arange(RUNS))
        reached[rule] = set(ends(s, 0)), set(ends(s, 1))

    assert reached == {"any": ({(2, 2)}, {(2, 3)}), "both": ({(1, 1), (3, 1)}, {(1, 1), (3, 1)})}


@pytest.mark.rule("BF-E6.1", "BF-E6.2", "BF-E6.3", "BF-G5")
@pytest.mark.parametrize(("move", "column", "shoots"), [(4, 9, True), (2, 10, False)])
def test_we10_ranged_enemies_stop_as_soon_as_they_have_a_shot(move: int, column: int, shoots: bool) -> None:
    s = one_enemy("gulch_snipers", (1, 2), (12, 2), (12, 3), move=move)

    phase_a(s, ranged)

    assert sorted(ends(s)) == [(column, 1), (column, 2), (column, 3)]
    assert (s.target[0] == (0 if shoots else -1)).all()


@pytest.mark.rule("BF-E8.3", "BF-E4")
def test_we12_bandits_share_out_their_targets() -> None:
    heroes = [{"class": "lawman", "square": [x, 1]} for x in (1, 4, 7)]
    _, s = ready({"width": 7, "height": 6, "heroes": heroes, "enemies": [{"type": "bandits", "count": 2}]}, RUNS)
    s.round = 1
    seen = {}

    def listen(s: State, kind: int, at: Any, aim: Any) -> None:
        seen["targets"] = s.target.copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.rulesets.brimstone.rules.enemy_turns.attack_phase", listen)
        activate_group(s, 13, np.arange(RUNS))

    assert (seen["targets"][0] != seen["targets"][1]).all()
    assert near(float((seen["targets"] == 0).any(axis=0).mean()), 2 / 3)


@pytest.mark.rule("BF-S15")
@pytest.mark.parametrize(("spread", "together"), [("random", 1 / 4), ("even", 0.0)])
def test_we13_ambush_spread(spread: str, together: float) -> None:
    heroes = [{"class": "lawman", "square": [2, 4]}, {"class": "lawman", "square": [6, 4]}]
    fight = {"width": 7, "height": 7, "heroes": heroes, "ambush": True, "switches": {"ambush_spread": spread}}

    _, s = ready(fight | {"enemies": [{"type": "scourge_rats", "count": 3}]}, RUNS)

    same = (s.target[:3] == s.target[0]).all(axis=0)
    assert near(float(same.mean()), together)
    assert (s.bonus_turn[1] == 1).all()


@pytest.mark.rule("BF-G1", "BF-G2", "BF-G3", "BF-G6", "BF-G7")
def test_we14_sight_and_corners_among_pillars() -> None:
    strict, lax = make_ground(PILLARS, "any"), make_ground(PILLARS, "both")

    def at(x: int, y: int) -> int:
        return strict.board.find((x, y))

    assert strict.sight[at(1, 8), at(5, 1)]
    assert not strict.sight[at(1, 8), at(4, 1)]
    assert not strict.adjacent[at(3, 7), at(4, 6)]
    assert lax.adjacent[at(3, 7), at(4, 6)]
    assert (strict.tile == 1).all()


@pytest.mark.rule("BF-P3", "BF-P4", "BF-H12", "BF-H13", "BF-H15", "BF-H16", "BF-H17", "BF-G10")
def test_we15_the_shotgun_is_worth_more_than_two_melee_dice() -> None:
    encounter, s = ready({"board": "none", "heroes": [{"class": "us_marshal"}], "enemies": [{"type": "tentacles"}]})
    lane, scales = np.zeros(1, dtype=np.int64), encounter.player.scales

    mode, value = best_mode(s, scales, 0, lane, s.cell[0])

    assert s.facts.plot.heroes[0].modes[int(mode[0])].name == "shotgun"
    assert value[0] / 576 == 75 / 32
    assert scales.worth(s, 0, 0, lane, s.cell[0])[0, 0] / 576 == pytest.approx(41 / 18)


@pytest.mark.rule("BF-A11", "BF-A12", "BF-H17")
def test_we17_what_is_left_of_a_defense() -> None:
    slasher, goliath = printed("slashers"), printed("goliath")

    assert critical_defense(4, 0, slasher.abilities["crit_floor"]) == 2
    assert critical_defense(3, int(goliath.abilities["tough"]), 0) == 3
    assert critical_defense(2, 0, 0) == 0


@pytest.mark.rule("BF-A8", "BF-U1")
def test_we20_ko_at_exactly_zero() -> None:
    heroes = [{"class": "lawman", "health": 10}, {"class": "lawman"}]
    fight = {"board": "none", "heroes": heroes, "enemies": [{"type": "tentacles"}], "switches": {"revive_tokens": 0}}
    _, s = ready(fight, 3)
    everyone = np.arange(3)
    s.wounds[0] = [6, 7, 9]

    placed, _ = wound(s, 0, everyone, np.array([3, 3, 6]), "test")

    assert list(placed) == [3, 3, 1]
    assert list(s.standing[0]) == [True, False, False]

    s.status[BLEEDING, 1] = 1
    assert (s.health_left(1, everyone) == 12 - 3).all()


@pytest.mark.rule("BF-H4", "BF-H14", "BF-H15")
def test_we22_dice_are_capped() -> None:
    hero = {"class": "wandering_samurai", "combat": 8}
    fight = {"board": "none", "heroes": [hero], "enemies": [{"type": "tentacles"}]}

    assert ready(fight)[1].dice[0, 0, 0] == 6
    assert ready(fight | {"preset": "published"})[1].dice[0, 0, 0] == 8


@pytest.mark.rule("BF-F1", "BF-A1", "BF-H16")
@pytest.mark.parametrize(("initiative", "chance"), [(4, 0.857590), (1, 0.738479)])
def test_we24_the_duel_is_won_as_often_as_it_should_be(initiative: int, chance: float) -> None:
    fight = {
        "board": "none",
        "heroes": [{"class": "lawman", "bag": {}, "init": initiative}],
        "enemies": [{"type": "tentacles", "count": 1}],
        "switches": {"grit_use": "off", "revive_tokens": 0},
    }

    s = played(fight, RUNS, 5)

    assert near(float((s.outcome == 0).mean()), chance)


@pytest.mark.rule("BF-H21", "BF-H22", "BF-H23")
def test_we25_bounces_stay_on_the_board() -> None:
    ground = make_ground("\n".join([". . . . ."] * 5), "any")

    stays = {place: (ground.bounce[:, ground.board.find(place)] < 0).mean() for place in ((1, 1), (3, 1), (3, 3))}

    assert stays == {(1, 1): 5 / 8, (3, 1): 3 / 8, (3, 3): 0}


@pytest.mark.rule("BF-F8", "BF-F7")
def test_we26_loot_follows_the_threat_cards() -> None:
    strong = {"class": "lawman", "combat": 8, "health": 40}
    ally = {"class": "lawman", "ally": True, "move": 3}
    fight = {"board": "none", "heroes": [strong, ally], "enemies": [{"type": "hellbats"}], "threat": ["low:4"]}

    s = played(fight, 200, 3)

    won = s.outcome == 0
    assert won.any()
    assert (s.loot[0, won] == 2).all()
    assert (s.loot[1] == 0).all()


@pytest.mark.rule("BF-F3", "BF-F5", "BF-F6")
def test_we27_healing_in_any_mix() -> None:
    hero = {"class": "lawman", "health": 10, "sanity": 10}
    _, s = ready({"board": "none", "heroes": [hero], "enemies": [{"type": "tentacles"}]}, 1)
    lane = np.zeros(1, dtype=np.int64)
    s.wounds[0], s.sdmg[0] = 7, 6

    mix(s, 0, lane, np.array([3]))

    assert (s.health_left(0, lane)[0], s.sanity_left(0, lane)[0]) == (5, 5)

    s.wounds[0], s.sdmg[0] = 10, 4
    restore(s, 0, lane, [np.array([n]) for n in (2, 3, 6, 6)])
    assert (s.health_left(0, lane)[0], s.sanity_left(0, lane)[0]) == (5, 6)


@pytest.mark.rule("BF-S1")
def test_we28_levels() -> None:
    marshal = encounter_of(
        {"board": "none", "level": 5, "heroes": [{"class": "us_marshal"}], "enemies": [{"type": "tentacles"}]}
    ).facts.plot.heroes[0]
    slasher, _ = figures_of(printed("slashers"), True, ())

    figures = [marshal.figures[key] for key in ("health", "sanity", "max_grit", "combat", "th_ranged")]
    assert figures == [18, 18, 3, 3, 3]
    assert marshal.shot_bonus == 1
    assert [slasher[key] for key in ("health", "combat", "damage_dice", "damage", "move", "xp")] == [11, 3, 1, 1, 6, 20]


@pytest.mark.rule("BF-T9")
@pytest.mark.parametrize(("stage", "chance"), [(7, 1 / 3), (8, 1 / 2), (9, 11 / 18)])
def test_we29_darkness(stage: int, chance: float) -> None:
    fight = {"board": "none", "heroes": [{"class": "lawman"}], "enemies": [{"type": "tentacles"}], "stage": stage}
    _, s = ready(fight | {"switches": {"darkness_track": "on"}}, RUNS)
    s.round = 1

    hold_back_darkness(s)

    assert near(float((s.marker == 1).mean()), chance)
    assert TABLE == 9_999


def test_a_mode_with_high_roller_does_more_on_a_six() -> None:
    assert Mode("melee", "melee", 1, 6, 6, 0, 1).six == 1

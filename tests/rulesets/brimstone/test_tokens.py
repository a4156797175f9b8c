"""Tokens of the side bag on oneself and on others, and movement bought with Grit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.telling import Event, Recorder
from sim.rulesets.brimstone.data import (
    BANDAGES,
    FINE_CIGAR,
    FLASH,
    HERBS,
    SPICE,
    TONIC,
    WHISKEY,
)
from sim.rulesets.brimstone.encounter import BrimstoneEncounter
from sim.rulesets.brimstone.rules.armor import take_wounds
from sim.rulesets.brimstone.rules.hero_attacks import resolve_hit
from sim.rulesets.brimstone.rules.hero_turns import activate_hero
from sim.rulesets.brimstone.rules.rounds import end_turn, group_initiative
from sim.rulesets.brimstone.rules.tokens import use_tokens
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import encounter_of, ready
from tests.rulesets.brimstone.scenes import (
    RUNS,
    TENTACLE,
    face_to_face,
    move_model,
    near,
    on_open_ground,
)

ALL = np.arange(200)
TOKENS = {"bandages": BANDAGES, "herbs": HERBS, "whiskey": WHISKEY, "tonic": TONIC}


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


def told_to(
    lines: list[dict[str, Any]], heroes: list[dict[str, Any]], runs: int = len(ALL), **more: Any
) -> tuple[BrimstoneEncounter, State]:
    """Turn 1 without a board; the heroes have a policy with these start lines."""
    policies = {"told": {"like": "aggressive", "share": [1, 2], "start": lines}}
    fight = {"board": "none", "policy": "told", "policies": policies, "heroes": heroes, "enemies": [TENTACLE]}
    encounter, s = ready(fight | {"switches": {"revive_tokens": 0}} | more, runs)
    s.round = 1
    return encounter, s


@pytest.mark.rule("BF-H26", "BF-A13")
@pytest.mark.parametrize(("armor", "number"), [(0, 3), (5, 3), (2, 2)])
def test_a_fine_cigar_is_armor_until_the_end_of_the_turn(armor: int, number: int) -> None:
    hero = {"class": "lawman", "health": 40, "armor": armor, "bag": {"fine_cigar": 2}}
    encounter, s = told_to([{"do": "fine_cigar"}] * 2, [hero], RUNS)
    everyone = np.arange(RUNS)

    encounter.player.begin(s, 0, everyone)
    take_wounds(s, 0, everyone, 1, "test", 0)
    saved = float((s.wounds[0] == 0).mean())
    end_turn(s)
    take_wounds(s, 0, everyone, 1, "later", 0)

    assert (s.bag[FINE_CIGAR, 0] == 1).all()  # the second line finds the first cigar burning
    assert near(saved, (7 - number) / 6)
    assert near(float((s.taken[0] == 2).mean()), (number - 1) / 6 * ((armor - 1) / 6 if armor else 1))


@pytest.mark.rule("BF-H26", "BF-T2")
def test_a_flash_slows_enemies_down_in_the_next_turn_alone() -> None:
    encounter, s = told_to([{"do": "flash"}], [{"class": "lawman", "bag": {"flash": 3}}] * 2)
    kind = int(s.kind[0, 0])
    quick = []
    for turn in (1, 2, 3):
        s.round = turn
        quick.append(set(group_initiative(s, kind).tolist()))
        if turn == 1:
            for hero in (0, 1):  # the second finds that one was thrown this turn
                encounter.player.begin(s, hero, ALL)

    assert quick == [{2}, {0}, {2}]
    assert (s.bag[FLASH, 0] == 2).all()
    assert (s.bag[FLASH, 1] == 3).all()
    s.round = 2
    s.flash_until[:] = 2  # of the turn before: it does not last into the next turn
    encounter.player.begin(s, 1, ALL)
    assert (s.bag[FLASH, 1] == 2).all()
    assert (s.flash_until == 3).all()


def story(fight: dict[str, Any], seed: int = 1) -> list[Event]:
    """What is told of run 0."""
    recorder = Recorder()
    play(encounter_of(fight), seed, np.arange(1), tell=recorder)
    return recorder.events


@pytest.mark.rule("BF-H26", "BF-T4")
def test_a_flash_leaves_the_order_of_its_own_turn_as_it_is() -> None:
    heroes = [{"class": "lawman", "bag": {"flash": 1}, "health": 40}, {"class": "preacher", "health": 40}]
    fight = {"board": "none", "policy": "provider", "heroes": heroes, "enemies": [TENTACLE | {"init": 3}]}

    told = [event for event in story(fight) if event.who]
    first = {event.turn: event for event in reversed(told)}  # the first event of each turn
    acts = [[event.who for _, event in sorted(first.items()) if event.round == turn] for turn in (1, 2, 3)]

    assert acts[0] == ["lawman", "tentacles 1", "preacher"]
    assert acts[1] == ["lawman", "preacher", "tentacles 1"]
    assert acts[2] == ["lawman", "tentacles 1", "preacher"]


@pytest.mark.rule("BF-H26", "BF-A11")
def test_spice_costs_a_wound_and_adds_a_d3_to_the_next_hit_alone() -> None:
    encounter, s = told_to([{"do": "spice"}] * 2, [{"class": "lawman", "bag": {"spice": 2}}])
    mode = encounter.player.scales.modes[0][0]
    die = s.luck.die(3, "spice", 1, 0, 0, ALL)

    encounter.player.begin(s, 0, ALL)
    s.round = 2  # it waits for a hit in a later turn
    encounter.player.begin(s, 0, ALL)
    hurt = []
    for index in (0, 1):
        before = s.hurt[0].copy()
        resolve_hit(s, 0, mode, np.zeros_like(ALL), ALL, np.full(len(ALL), 6), np.full(len(ALL), index))
        hurt.append(s.hurt[0] - before - s.luck.die(6, "BF-A11", 2, 0, index, ALL) - mode.bonus)

    assert (s.bag[SPICE, 0] == 1).all()  # a second is not taken while the first waits
    assert (s.taken[0] == 1).all()
    assert (hurt[0] == die).all()
    assert not hurt[1].any()


@pytest.mark.rule("BF-H26", "BF-A11")
def test_a_hit_that_cover_cancels_leaves_spice_waiting() -> None:
    enemy = TENTACLE | {"abilities": {"cover": 4}}
    encounter, s = told_to([{"do": "spice"}], [{"class": "lawman", "bag": {"spice": 1}}], enemies=[enemy])
    encounter.player.begin(s, 0, ALL)
    waiting = s.spice[0].copy()

    resolve_hit(s, 0, encounter.player.scales.modes[0][0], np.zeros_like(ALL), ALL, np.full(len(ALL), 6), ALL * 0)

    stopped = s.luck.die(6, "BF-A11/cover", 1, 0, 0, ALL) >= 4
    assert stopped.any()
    assert not stopped.all()
    assert (s.spice[0] == waiting * stopped).all()
    assert (s.hurt[0] > 0).tolist() == (~stopped).tolist()


@pytest.mark.rule("BF-H26", "BF-A13", "BF-H1")
def test_the_wound_of_spice_is_saved_by_armor_and_may_knock_out() -> None:
    heroes = [{"class": "lawman", "wounds": 11, "armor": 4, "bag": {"spice": 1, "flash": 1}}, {"class": "lawman"}]
    encounter, s = told_to([{"do": "spice"}, {"do": "flash"}], heroes)

    standing = encounter.player.begin(s, 0, ALL)

    saved = s.luck.die(6, "spice/armor", 1, 0, 0, ALL) >= 4
    assert (s.standing[0] == saved).all()
    assert standing.tolist() == ALL[saved].tolist()
    assert (s.bag[FLASH, 0] == ~saved).all()  # who is knocked out by a line stops at once


@pytest.mark.rule("BF-H26")
@pytest.mark.parametrize(("token", "dice", "mind"), [("bandages", 1, False), ("herbs", 2, False), ("whiskey", 1, True)])
def test_healing_a_neighbour_brings_xp_for_every_point(token: str, dice: int, mind: bool) -> None:
    hurt = {"class": "lawman", "sdmg" if mind else "wounds": 7}  # of 12
    heroes = [{"class": "lawman", "bag": {token: 1}}, {"class": "lawman"}, hurt, hurt]
    encounter, s = told_to([{"do": "treat", "token": token}], heroes)

    encounter.player.begin(s, 0, ALL)

    points = sum(s.luck.die(6, f"treat/{token}", 1, 0, index, ALL) for index in range(dice))
    healed = np.minimum(points, 7)
    assert ((s.sdmg if mind else s.wounds)[2] == 7 - healed).all()  # the first in posse order who needs it
    assert (s.healed == np.outer([0, 0, 1, 0], healed)).all()
    assert (s.xp == np.outer([5, 0, 0, 0], healed)).all()
    assert s.tokens_used[:, 0].tolist() == [1, 0, 0, 0]
    assert not s.bag[TOKENS[token], 0].any()


@pytest.mark.rule("BF-H26")
@pytest.mark.parametrize(
    ("patient", "share", "treated"),
    [
        ({"wounds": 6}, None, True),  # half of 12 is left: the policy's own share
        ({"wounds": 5}, None, False),
        ({"wounds": 6}, [1, 3], False),
        ({"wounds": 8}, [1, 3], True),
        ({"status": {"bleeding": 3}}, None, False),  # little is left, but there is no wound to heal
        ({"wounds": 1, "status": {"bleeding": 2}}, None, True),
    ],
)
def test_who_is_treated(patient: dict[str, Any], share: list[int] | None, treated: bool) -> None:
    line = {"do": "treat", "token": "bandages"} | ({"share": share} if share else {})
    encounter, s = told_to([line], [{"class": "lawman", "wounds": 9}, {"class": "lawman", "bag": {}} | patient], 1)

    encounter.player.begin(s, 0, np.arange(1))

    assert bool(s.tokens_used[0, 0]) == treated
    assert s.wounds[0, 0] == 9  # never the user itself


@pytest.mark.rule("BF-H26", "BF-G3")
@pytest.mark.parametrize(("square", "treated"), [([2, 2], True), ([3, 1], False)])
def test_only_a_neighbour_who_stands_is_treated(square: list[int], treated: bool) -> None:
    heroes = [
        {"class": "lawman", "square": [1, 1], "policy": "provider"},
        {"class": "lawman", "square": square, "wounds": 9},
    ]
    encounter, s = on_open_ground((6, 6), heroes, [TENTACLE], 2)
    s.standing[1, 1] = False

    encounter.player.begin(s, 0, np.arange(2))

    assert s.tokens_used[0].tolist() == [treated, False]


@pytest.mark.rule("BF-H26", "BF-H7")
@pytest.mark.parametrize(("patient", "grit_use", "given"), [(0, "on", 1), (1, "on", 0), (0, "off", 0)])
def test_a_tonic_gives_a_neighbour_without_grit_one(patient: int, grit_use: str, given: int) -> None:
    heroes = [{"class": "us_marshal"}, {"class": "lawman", "grit": patient}]
    encounter, s = told_to([{"do": "treat", "token": "tonic"}], heroes, 1, switches={"grit_use": grit_use})

    encounter.player.begin(s, 0, np.arange(1))

    assert s.tokens_used[0, 0] == given
    assert s.grit_gained[:, 0].tolist() == [0, given]
    assert not s.xp.any()


@pytest.mark.rule("BF-H26", "BF-U3")
def test_an_ally_treats_but_earns_no_xp() -> None:
    ally = {"class": "lawman", "ally": True, "move": 4, "bag": {"bandages": 1}}
    encounter, s = told_to([{"do": "treat", "token": "bandages"}], [{"class": "lawman", "wounds": 9}, ally])

    encounter.player.begin(s, 1, ALL)

    assert (s.healed[0] > 0).all()
    assert not s.xp.any()


@pytest.mark.rule("BF-H5", "BF-H8")
def test_a_grit_buys_movement_and_its_1_brings_none_back() -> None:
    policies = {"told": {"like": "aggressive", "start": [{"do": "buy_move"}] * 2}}
    hero = {"class": "lawman", "grit": 1, "square": [1, 1], "policy": "told"}
    encounter, s = on_open_ground((6, 6), [hero], [TENTACLE], len(ALL), policies=policies)
    s.moves[0] = 2

    encounter.player.begin(s, 0, ALL)

    die = s.luck.die(6, "BF-H5", 1, 0, 0, ALL)
    assert (s.moves[0] == 2 + die).all()  # no Grit is left for the second line
    assert not s.grit.any()
    assert (s.grit_spent[0] == 1).all()
    assert not s.grit_gained.any()


@pytest.mark.rule("BF-H5", "BF-G10")
@pytest.mark.parametrize("without", [{"board": "none"}, {"width": 4, "height": 4, "switches": {"grit_use": "off"}}])
def test_nobody_buys_movement_without_a_board_or_without_grit_use(without: dict[str, Any]) -> None:
    policies = {"told": {"like": "aggressive", "start": [{"do": "buy_move"}]}}
    fight = {"policy": "told", "policies": policies, "heroes": [{"class": "lawman"}], "enemies": [TENTACLE]}
    encounter, s = ready(fight | without, 20)
    s.round = 1

    encounter.player.begin(s, 0, np.arange(20))

    assert not s.grit_spent.any()
    assert not s.moves.any()


@pytest.mark.rule("BF-H5", "BF-H1")
def test_bought_movement_comes_after_the_move_roll_and_takes_the_hero_farther() -> None:
    hero = {"class": "preacher", "square": [1, 1], "grit": 2, "policy": "provider"}
    encounter, s = on_open_ground((24, 1), [hero], [TENTACLE], len(ALL))
    move_model(s, 0, 24, 1)

    activate_hero(s, encounter.player, 0, ALL)

    roll = s.luck.die(6, "BF-H2", 1, 0, 0, ALL)
    bought = s.luck.die(6, "BF-H5", 1, 0, 0, ALL)
    assert (s.ground.square[s.cell[0]] == roll + bought).all()


def test_the_provider_says_what_it_does_and_is_told_about() -> None:
    bag = {"flash": 1, "fine_cigar": 1, "spice": 1, "herbs": 1, "tonic": 1}
    heroes = [{"class": "lawman", "bag": bag}, {"class": "lawman", "name": "Doc", "wounds": 9, "grit": 0}]
    fight = {"board": "none", "policy": "provider", "heroes": heroes, "enemies": [TENTACLE]}

    told = [event.kind for event in story(fight) if event.round == 1 and event.rule == "BF-H26"]

    assert told == [
        "throws_flash",
        "lights_cigar",
        "treats",
        "treats",
        "takes_spice",
    ]

"""Magic Dart: casting, pushing, mishaps (W15 to W18)."""

import numpy as np
import pytest

from sim.rulesets.overhill.data import SMART
from sim.rulesets.overhill.rules import magic, prayers
from tests.rulesets.overhill.fights import F, Stage, chances, d, mean, stage

CASTER = 2
PARTY = ("warrior", "warrior", "magic_user")


def cast(
    dice: dict, enemies: list | None = None, push: int = 0, level: int = 1, party: tuple = PARTY, **switches: object
) -> Stage:
    """A magic user in the rear casts at the first group."""
    fight = stage(party, enemies or [("zombie", 20)], dice, level=level, switches=switches)
    magic.magic_dart(fight.s, CASTER, fight.group(0), fight.at, np.full(fight.s.size, push))
    return fight


def kills(fight: Stage) -> np.ndarray:
    """(runs,). Monsters removed."""
    return (fight.s.started - fight.s.n).sum(axis=0)


# Casting.


@pytest.mark.rule("OU-G1", "OU-G3", "OU-G5")
def test_a_dart_is_an_attack_with_a_fresh_die_unless_the_casting_shows_1() -> None:
    fight = cast({"OU-G1": d(8), "OU-G5": d(8)})

    assert chances(kills(fight)) == {0: F(29, 64), 1: F(7, 32), 2: F(21, 64)}  # W15
    assert mean(kills(fight)) == F(7, 8)
    assert mean(fight.s.mishaps) == F(1, 8)


@pytest.mark.rule("OU-G3")
def test_read_literally_a_casting_die_of_1_succeeds() -> None:
    fight = cast({"OU-G1": d(8), "OU-G5": d(8)}, one_is="literal", mishaps="off")

    assert mean(kills(fight)) == 1  # W15
    assert not fight.s.mishaps.any()


@pytest.mark.rule("OU-G1")
@pytest.mark.parametrize(
    ("threshold", "level", "successes"), [("meet", 1, 7), ("exceed", 1, 7), ("meet", 2, 7), ("exceed", 2, 6)]
)
def test_the_casting_die_must_reach_the_spell_level(threshold: str, level: int, successes: int) -> None:
    fight = cast({"OU-G1": d(8), "OU-G5": [8]}, cast_threshold=threshold, dart_level=level, mishaps="off")

    assert int((kills(fight) > 0).sum()) == successes


@pytest.mark.rule("OU-G5")
def test_with_same_roll_a_dart_uses_the_number_that_was_cast() -> None:
    fight = cast({"OU-G1": d(8), "OU-G5": [1]}, dart_roll="same_roll")

    assert kills(fight).tolist() == [0, 0, 0, 1, 1, 2, 2, 2]


@pytest.mark.rule("OU-G5", "OU-A2")
def test_darts_ignore_blunt_defence_and_add_no_level_by_themselves() -> None:
    skeletons = [("skeleton", 9)]

    plain = cast({"OU-G1": [5], "OU-G5": [3]}, skeletons, level=5)
    levelled = cast({"OU-G1": [5], "OU-G5": [3]}, skeletons, level=5, level_bonus="all")

    assert kills(plain).tolist() == [0]  # 3 against 3, although a staff is blunt
    assert kills(levelled).tolist() == [2]  # 3 + 5


# Pushing.


@pytest.mark.rule("OU-G2")
def test_pushed_dice_go_down_the_ladder() -> None:
    assert magic.casting_dice(12, 4, "same_first") == [12, 12, 10, 8, 6]  # W18
    assert magic.casting_dice(12, 4, "step_first") == [12, 10, 8, 6, 4]
    assert magic.casting_dice(4, 4, "step_first") == [4, 2, 2, 2, 2]


@pytest.mark.rule("OU-G2", "OU-U9")
def test_half_the_level_in_dice_may_be_pushed() -> None:
    assert [magic.most_pushes(level) for level in (1, 2, 3, 8, 10)] == [0, 1, 1, 4, 5]


@pytest.mark.rule("OU-G2", "OU-G4")
@pytest.mark.parametrize(("ladder", "second", "expected"), [("same_first", 8, F(15, 64)), ("step_first", 6, F(13, 48))])
def test_a_push_makes_a_mishap_more_likely(ladder: str, second: int, expected: F) -> None:
    dice = {("OU-G1", CASTER, 0): d(8), ("OU-G1", CASTER, 1): d(second)}

    fight = cast(dice, push=1, level=2, push_ladder=ladder)

    assert mean(fight.s.mishaps) == expected  # W17


@pytest.mark.rule("OU-G2", "OU-G5")
@pytest.mark.parametrize(("mishaps", "expected"), [("off", F(7, 4)), ("on", F(105, 64))])
def test_two_casting_dice_send_two_darts(mishaps: str, expected: F) -> None:
    dice = {("OU-G1", CASTER, 0): d(8), ("OU-G1", CASTER, 1): d(8), "OU-G5": d(8)}
    if mishaps == "on":
        dice["OU-G4", CASTER, 0] = d(6)

    fight = cast(dice, push=1, level=2, mishaps=mishaps)

    assert mean(kills(fight)) == expected  # W17: the mean does not mind that both darts show the same face


@pytest.mark.rule("OU-G6")
def test_when_the_group_is_empty_darts_go_to_the_first_living_one() -> None:
    dice = {"OU-G1": [8], ("OU-G5", CASTER, 0): [8], ("OU-G5", CASTER, 1): [4]}

    fight = cast(dice, [("gobbo", 2), ("zombie", 9)], push=1, level=2)

    assert fight.s.n[:, 0].tolist() == [0, 8]


@pytest.mark.rule("OU-G6")
def test_the_largest_die_flies_first() -> None:
    dice = {"OU-G1": [2], ("OU-G5", CASTER, 0): [4], ("OU-G5", CASTER, 1): [6]}  # d8 then, with step_first, d6

    fight = cast(dice, [("gobbo", 1), ("zombie", 9)], push=1, level=2, push_ladder="step_first")

    assert fight.s.n[:, 0].tolist() == [0, 7]  # the d8 took the gobbo, the d6 two zombies


@pytest.mark.rule("OU-G8", "OU-U8")
def test_a_blessing_helps_the_base_casting_die_alone() -> None:
    party = ("warrior", "warrior", "magic_user", "priest")
    dice = {
        "OU-Y1": [8],
        ("OU-G1", CASTER, 0): [1],
        ("OU-G1", CASTER, 1000): [5],
        ("OU-G1", CASTER, 1): [1],
        ("OU-G1", CASTER, 1001): [5],
        "OU-G5": [4],
    }
    fight = stage(party, [("zombie", 9)], dice, level=2, switches={"mishaps": "off"})
    prayers.bless(fight.s, 3, fight.hero(CASTER), fight.at, SMART)

    magic.magic_dart(fight.s, CASTER, fight.group(0), fight.at, np.array([1]))

    assert kills(fight).tolist() == [1]  # the pushed die still shows 1
    assert not fight.s.blessed.any()


# Where from.


@pytest.mark.rule("OU-G7", "OU-A7")
@pytest.mark.parametrize(("position", "from_front"), [("rear_only", False), ("any", True)])
def test_darts_are_cast_from_the_rear_unless_switched(position: str, from_front: bool) -> None:
    fight = stage(PARTY, [("gobbo_archer", 1), ("gobbo", 1)], switches={"dart_position": position})

    assert magic.dart_reach(fight.s, CASTER, fight.at).all()  # from the rear, any living group
    fight.s.front[CASTER] = True
    assert magic.dart_reach(fight.s, CASTER, fight.at).any() == from_front
    assert not magic.dart_reach(fight.s, 0, fight.at).any()  # a warrior casts nothing


@pytest.mark.rule("OU-A7", "OU-G4", "OU-R2")
def test_the_silenced_and_the_blocked_cast_nothing() -> None:
    fight = stage(PARTY, [("gobbo", 1)])

    fight.s.silenced[CASTER] = True
    silenced = magic.dart_reach(fight.s, CASTER, fight.at).any()
    fight.s.silenced[CASTER] = False
    fight.s.cast_blocked[CASTER] = True
    blocked = magic.dart_reach(fight.s, CASTER, fight.at).any()

    assert not silenced
    assert not blocked


# Mishaps.


def slip(face: int | range, level: int = 1, health: int | None = None, **more: list[int] | range) -> Stage:
    """A casting with a 1 and another success, and this face on the mishap table."""
    hero = {"class": "magic_user", "level": 2, "quick": 4, **({"health": health} if health else {})}
    faces = [face] if isinstance(face, int) else face
    dice = {("OU-G1", CASTER, 0): [1], ("OU-G1", CASTER, 1): [8], ("OU-G4", CASTER, 0): faces, "OU-G5": [8]}
    dice |= {("OU-G4", CASTER, 1): more.get("harm", [2])}
    return cast(dice, push=1, party=("warrior", "warrior", hero), dart_level=level)


@pytest.mark.rule("OU-G4")
def test_the_mishap_rows_of_a_level_1_spell() -> None:
    fight = slip(d(6))

    assert (kills(fight) > 0).tolist() == [False, False, True, True, True, False]  # W16: fizzle 2, misfire 1
    assert fight.s.health[CASTER].tolist() == [8, 8, 7, 7, 8, 6]  # backlash costs 1, misfire the 2 that was rolled
    assert fight.s.strained[CASTER].tolist() == [False, False, False, False, True, False]
    assert not fight.s.silenced.any()
    assert fight.s.mishaps.tolist() == [1] * 6


@pytest.mark.rule("OU-G4")
def test_a_scenario_can_change_the_mishap_table() -> None:
    rows = {"fizzle": {"up_to": 2, "blocks": True}, "backlash": {"damage": "2d2", "silences": True}}
    dice = {("OU-G1", CASTER, 0): [1], ("OU-G1", CASTER, 1): [8], ("OU-G4", CASTER, 0): d(6), "OU-G5": [8]}
    dice |= {("OU-G4", CASTER, 1): [2], ("OU-G4", CASTER, 2): [1]}
    party = ["warrior", "warrior", {"class": "magic_user", "level": 2}]

    fight = stage(party, [("gobbo", 9)], dice, mishap_table=rows)
    magic.magic_dart(fight.s, CASTER, fight.group(0), fight.at, np.ones(6, dtype=np.int64))

    assert fight.s.strained[CASTER].tolist() == [True, False, False, False, True, False]
    assert fight.s.health[CASTER].tolist() == [8, 5, 5, 5, 8, 6]
    assert fight.s.silenced[CASTER].tolist() == [False, True, True, True, False, False]
    assert (kills(fight) > 0).tolist() == [False, True, True, True, True, False]


@pytest.mark.rule("OU-G4")
def test_only_a_level_2_spell_burns_out() -> None:
    fight = slip(d(6), level=2)

    assert fight.s.silenced[CASTER].tolist() == [False] * 5 + [True]
    assert (kills(fight) > 0).tolist() == [False, True, True, True, False, False]


@pytest.mark.rule("OU-G4")
def test_one_casting_slips_once() -> None:
    dice = {("OU-G1", CASTER, 0): [1], ("OU-G1", CASTER, 1): [1]}

    fight = cast(dice, push=1, level=2)

    assert fight.s.mishaps.tolist() == [1]


@pytest.mark.rule("OU-G4", "OU-Z2", "OU-D4")
def test_a_caster_brought_down_by_backlash_sends_no_dart() -> None:
    fight = slip(3, health=1)

    assert fight.s.health[CASTER].tolist() == [0]
    assert not kills(fight).any()
    assert fight.s.live.all()  # two warriors still stand


@pytest.mark.rule("OU-Z2", "OU-G4")
def test_a_mishap_can_lose_the_fight() -> None:
    hero = {"class": "magic_user", "health": 1}
    dice = {"OU-G1": [1], ("OU-G4", 0, 0): [3]}
    fight = stage([hero], [("zombie", 1)], dice, switches={"dart_position": "any"})

    magic.magic_dart(fight.s, 0, fight.group(0), fight.at, np.array([0]))

    assert not fight.s.live.any()


@pytest.mark.rule("OU-R2", "OU-G4")
def test_strain_blocks_spells_in_the_next_round_and_no_longer() -> None:
    fight = slip(5)
    blocked = []

    for _ in range(3):
        blocked.append(bool(fight.s.cast_blocked[CASTER, 0]))
        fight.round_start()

    assert blocked == [False, True, False]

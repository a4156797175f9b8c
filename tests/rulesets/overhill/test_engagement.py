"""How a fight begins: attack, talk or sneak (W45 to W48)."""

import numpy as np
import pytest

from sim.core.outcomes import Outcome
from tests.rulesets.overhill.fights import STANDARD_PARTY, TABLE, F, chances, d, stage


@pytest.mark.rule("OU-S7")
def test_attack_starts_the_fight_at_once() -> None:
    party = stage(["warrior"], [("gobbo", 2)])

    assert party.s.live.all()
    assert party.s.health[0, 0] == 11


def reactions(*types: str, **switches: str) -> dict[str, F]:
    """How groups react to talk, in order: enraged, hostile, indifferent, friendly."""
    dice = {("OU-S8", TABLE, 0): d(6), ("OU-S8", TABLE, 1): d(6), "OU-D2": [1]}
    scenario = {"policy_options": {"engage": "talk"}, "switches": {"monster_damage": "one", **switches}}
    party = stage(["warrior"] * 4, [(name, 1) for name in types], dice, **scenario)
    avoided = party.s.outcome == Outcome.AVOIDED
    surprised = (party.s.health < 11).any(axis=0)
    friendly = party.s.friendly > 0
    row = np.select([surprised, friendly, avoided], ["enraged", "friendly", "indifferent"], "hostile")
    return {name: F(int((row == name).sum()), 36) for name in ("enraged", "hostile", "indifferent", "friendly")}


@pytest.mark.rule("OU-S8", "OU-S10", "OU-Z3")
@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["gobbo"], [10, 16, 9, 1]),  # W45
        (["wight"], [6, 15, 12, 3]),  # W46
        (["gobbo", "gobbo_dog"], [15, 15, 6, 0]),  # W47: the least friendly counts
        (["gobbo", "skeleton"], [0, 36, 0, 0]),  # W48: no common tongue
    ],
)
def test_reactions_follow_the_table(types: list[str], expected: list[int]) -> None:
    assert [36 * chance for chance in reactions(*types).values()] == expected


@pytest.mark.rule("OU-S8")
def test_an_enraged_reaction_need_not_cost_a_surprise_phase() -> None:
    assert reactions("gobbo", talk_fail="normal")["enraged"] == 0


@pytest.mark.rule("OU-S8", "OU-S10")
def test_a_scenario_can_change_the_reaction_table() -> None:
    dice = {("OU-S8", TABLE, 0): [3], ("OU-S8", TABLE, 1): d(6), "OU-D2": [1]}
    rows = {
        "enraged": {"up_to": 3},
        "hostile": {"up_to": 4, "avoided": True, "friendly": True},
        "indifferent": {"up_to": 7, "avoided": False, "surprise": True},
    }

    party = stage(["warrior"], [("wight", 1)], dice, policy_options={"engage": "talk"}, reaction_table=rows)

    assert (party.s.outcome == Outcome.AVOIDED).tolist() == [True, False, False, False, True, True]
    assert party.s.friendly.tolist() == [1, 0, 0, 0, 1, 1]
    assert (party.s.health[0] < 11).tolist() == [False, True, True, True, False, False]


@pytest.mark.rule("OU-S8")
def test_a_group_without_monsters_has_no_say() -> None:
    dice = {"OU-S8": d(6)}
    party = stage(["warrior"], [("skeleton", 0), ("gobbo", 1)], dice, policy_options={"engage": "talk"})

    assert (party.s.outcome == Outcome.AVOIDED).any()


def sneaks_past(alert: int, check: str, fail: str = "surprise") -> tuple[F, F]:
    """The chance that the standard party gets past, and the chance that it is surprised."""
    enemy = {"type": "skeleton", "count": 1, "alert": alert}
    dice = {("OU-S9", h): d(sides) for h, sides in enumerate((6, 8, 4, 4))} | {"OU-D2": [1]}
    switches = {"stealth_check": check, "sneak_fail": fail}
    party = stage(STANDARD_PARTY, [enemy], dice, switches=switches, policy_options={"engage": "sneak"})
    hurt = (party.s.health < party.s.facts.max_health).any(axis=0)
    return chances(party.s.outcome).get(int(Outcome.AVOIDED), F(0)), chances(hurt).get(1, F(0))


@pytest.mark.rule("OU-S9", "OU-Z3")
@pytest.mark.parametrize(
    ("alert", "check", "expected"),
    [
        (2, "majority", F(5, 6)),  # W49
        (2, "all", F(1, 8)),
        (2, "leader", F(3, 4)),
        (2, "weakest", F(1, 2)),
        (1, "majority", F(749, 768)),  # W50
        (3, "majority", F(139, 256)),
        (4, "majority", F(1, 6)),
    ],
)
def test_who_must_pass_the_stealth_check(alert: int, check: str, expected: F) -> None:
    past, surprised = sneaks_past(alert, check)

    assert past == expected
    assert surprised == 1 - expected


@pytest.mark.rule("OU-S9", "OU-S10")
def test_a_failed_sneak_need_not_cost_a_surprise_phase() -> None:
    assert sneaks_past(4, "all", fail="normal")[1] == 0


@pytest.mark.rule("OU-S9")
def test_the_most_watchful_group_counts() -> None:
    dice = {"OU-S9": d(6)}

    party = stage(["warrior"], [("zombie", 1), ("gobbo_dog", 1)], dice, policy_options={"engage": "sneak"})

    assert chances(party.s.outcome)[int(Outcome.AVOIDED)] == F(2, 6)  # above 4

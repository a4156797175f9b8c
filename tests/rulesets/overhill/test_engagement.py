"""How a fight begins: talk, sneak, surprise, traps, and what a table leads to (W45 to W50)."""

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.scenario import load
from tests.rulesets.overhill.fights import STANDARD_PARTY, TABLE, F, ToldLuck, chances, compiled, d, lot, stage, table

# Engagement.


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


@pytest.mark.rule("OU-S10")
def test_the_surprise_phase_is_no_round_and_knows_no_stances() -> None:
    dice = {"OU-S8": [1], "OU-D2": d(8)}

    party = stage(["warrior"], [("gobbo", 1)], dice, policy_options={"engage": "talk", "stance": "defensive"})

    assert (party.s.health[0] < 11).tolist() == [True] + [False] * 7  # a 1 does not exceed 1
    assert not party.s.rounds.any()
    assert not party.s.kills_prev.any()


# Traps.


@pytest.mark.rule("OU-S11", "OU-D9")
@pytest.mark.parametrize(("check", "caught"), [("meet", F(1, 3)), ("exceed", F(1, 2))])
def test_a_trap_costs_1d4_unless_a_quick_check_is_passed(check: str, caught: F) -> None:
    dice = {("OU-S11", TABLE): lot(0), ("OU-S11", 0, 0): d(6), ("OU-S11", 0, 1): d(4)}

    party = stage(["warrior", "rogue"], [("gobbo", 1)], dice, trap=True, switches={"difficulty_check": check})

    lost = chances(11 - party.s.health[0])
    assert lost == {0: 1 - caught, **dict.fromkeys((1, 2, 3, 4), caught / 4)}


@pytest.mark.rule("OU-S11")
def test_the_trap_meets_a_front_hero_by_lot() -> None:
    dice = {("OU-S11", TABLE): lot(0, 1, 2), **{("OU-S11", h, 0): [1] for h in range(4)}}

    party = stage(STANDARD_PARTY, [("gobbo", 1)], dice, trap=True)

    assert ((party.s.health < party.s.facts.max_health).T.tolist()) == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
    ]  # the magic user stands in the rear


@pytest.mark.rule("OU-S11")
def test_traps_can_be_switched_off() -> None:
    party = stage(["warrior"], [("gobbo", 1)], {("OU-S11", 0, 0): [1]}, trap=True, switches={"traps": "off"})

    assert party.s.health[0, 0] == 11


@pytest.mark.rule("OU-Z2", "OU-S12", "OU-Z4")
def test_a_trap_can_end_the_fight_before_round_1() -> None:
    hero = {"class": "rogue", "health": 1, "quick": 2}

    outcomes = play(compiled(table([hero], [("gobbo", 1)], trap=True)), 1, np.arange(50))

    assert set(outcomes.outcome.tolist()) == {int(Outcome.LOSS)}
    assert not outcomes.rounds.any()


# What is met.


@pytest.mark.rule("OU-S12", "OU-Z3")
def test_a_room_without_monsters_is_empty() -> None:
    outcomes = play(compiled(table(["warrior"], [("gobbo", 0)])), 1, np.arange(3))

    assert outcomes.outcome.tolist() == [Outcome.EMPTY] * 3
    assert not outcomes.rounds.any()


@pytest.mark.rule("OU-S2", "OU-S12")
def test_the_dungeon_table_leads_to_its_rows() -> None:
    encounter = load("overhill/gobbo-dungeon").encounter()
    met = {}
    for total in range(2, 13):
        first = min(6, total - 1)
        dice = {("OU-11.7", TABLE, 0): [first], ("OU-11.7", TABLE, 1): [total - first]}
        s = encounter.start(ToldLuck(dice), None)
        names = [encounter.cast.units[int(s.unit[g, 0])].name for g in range(s.groups) if s.n[g, 0]]
        met[total] = names

    assert met[2] == []
    assert met[5] == ["gobbo", "gobbo_shaman", "gobbo_dog"]
    assert met[10] == ["gobbo_warmonger", "gobbo"]
    assert met[12] == ["gobbo_grandgobbo", "gobbo"]


@pytest.mark.rule("OU-S11", "OU-S2")
def test_only_the_trapped_row_of_a_table_has_a_trap() -> None:
    rows = [
        {"on": 1, "trap": True, "enemies": [{"type": "gobbo", "count": 1}]},
        {"on": "2-3", "enemies": [{"type": "gobbo", "count": 1}]},
    ]
    scenario = table(["warrior"], [], encounter={"roll": "1d4", "rows": rows})
    del scenario["enemies"]
    luck = ToldLuck({("OU-11.7", TABLE, 0): d(4), ("OU-S11", 0, 0): [1]})

    s = compiled(scenario).start(luck, None)

    assert (s.health[0] < 11).tolist() == [True, False, False, False]
    assert s.outcome.tolist()[3] == Outcome.EMPTY  # a total without a row

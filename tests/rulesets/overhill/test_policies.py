"""The scripted players line by line: plain, aggressive, cautious, and policies of one's own."""

from typing import Any

import numpy as np
import pytest

from sim.errors import ScenarioError
from sim.rulesets.overhill.data import STANCES
from sim.scenario import from_dict
from tests.rulesets.overhill.fights import STANDARD_PARTY, M, P, R, W, party_of, stage, table

POTION = {"healing_potion": 1}


# plain


@pytest.mark.rule("OU-A0", "OU-A3", "OU-A5", "OU-A7")
def test_plain_attacks_the_first_group_in_reach_from_where_everybody_stands() -> None:
    heroes = (*STANDARD_PARTY, "warrior", "warrior")
    dice = {"OU-G1": [8], "OU-G5": [8], "OU-A5": [4]}
    fight = party_of("plain", [("gobbo_archer", 20), ("zombie", 90)], dice, heroes)

    for hero in range(6):
        fight.turn(hero)

    assert [fight.done(hero) for hero in range(6)] == [["melee"], ["ranged"], ["melee"], ["dart"], ["melee"], ["melee"]]
    assert fight.s.kills_now[M, 0, 0] > 0  # darts and arrows go for the archers, who are listed first
    assert fight.s.kills_now[R, 0, 0] > 0
    assert not fight.s.kills_now[[W, P], 0].any()  # blades do not reach them


@pytest.mark.rule("OU-A10")
def test_plain_passes_when_there_is_nothing_to_do() -> None:
    fight = party_of("plain", [("zombie", 9)])
    fight.s.cast_blocked[M] = True

    fight.turn(M)

    assert fight.done(M) == []
    assert not fight.s.front[M].any()


@pytest.mark.rule("OU-R3")
@pytest.mark.parametrize("stance", ["neutral", "aggressive", "defensive"])
def test_plain_takes_the_stance_of_its_option(stance: str) -> None:
    fight = party_of("plain", [("zombie", 9)], policy_options={"stance": stance})

    assert fight.s.stance[W].tolist() == [STANCES[stance]]


@pytest.mark.rule("OU-C3", "OU-F3", "OU-A8")
def test_plain_sneaks_and_rages_by_option() -> None:
    warrior = {"class": "warrior", "feats": ["frenzy"]}
    heroes = (warrior, "warrior", "rogue")
    options = {"rogue_sneak": True, "warrior_frenzy": True}
    fight = party_of("plain", [("zombie", 90)], heroes=heroes, room="open", policy_options=options)

    for hero in range(3):
        fight.turn(hero)

    assert [fight.done(hero) for hero in range(3)] == [["frenzy"], ["melee"], ["sneak"]]


@pytest.mark.rule("OU-C4")
def test_a_rogue_who_may_no_longer_sneak_makes_the_basic_attack() -> None:
    options = {"rogue_sneak": True}
    switches = {"sneak_attack_use": "first_round"}
    fight = party_of("plain", [("zombie", 90)], heroes=("rogue",), policy_options=options, switches=switches)
    fight.s.round = 2

    fight.turn(0)

    assert fight.done(0) == ["melee"]


@pytest.mark.rule("OU-A6", "OU-Y1")
def test_plain_never_prays_and_never_uses_items() -> None:
    heroes = ({"class": "warrior", "health": 1, "items": POTION}, "priest")
    fight = party_of("plain", [("zombie", 90)], heroes=heroes)

    for hero in range(2):
        fight.turn(hero)

    assert [fight.done(hero) for hero in range(2)] == [["melee"], ["melee"]]


# aggressive


@pytest.mark.rule("OU-S6", "OU-R3")
def test_aggressive_sends_only_magic_users_back_and_everybody_else_forward() -> None:
    fight = party_of("aggressive", [("zombie", 9)], heroes=(*STANDARD_PARTY, "warrior", "warrior"))

    assert fight.s.front[:, 0].tolist() == [True, True, True, False, True, True]
    assert fight.s.stance[:, 0].tolist() == [1, 1, 1, 0, 1, 1]


@pytest.mark.rule("OU-G2")
def test_aggressive_pushes_as_far_as_the_level_allows() -> None:
    dice = {("OU-G1", M, i): [8 - 2 * max(i - 1, 0)] for i in range(3)}
    fight = party_of("aggressive", [("zombie", 90)], dice | {"OU-G5": [4]}, level=4, switches={"one_is": "literal"})

    fight.turn(M)

    assert fight.s.kills_now[M, 0].tolist() == [3]  # base die and two pushes


@pytest.mark.rule("OU-A8")
def test_aggressive_takes_the_option_with_the_most_expected_kills() -> None:
    heroes = ({"class": "warrior", "level": 5, "feats": ["frenzy"]}, "rogue")
    fight = party_of("aggressive", [("zombie", 90), ("gobbo_dog", 90)], heroes=heroes)

    fight.turn(0)

    assert fight.done(0) == ["frenzy"]
    assert fight.s.kills_now[0, :, 0].tolist()[0] == 0  # dogs have the lower defence
    assert fight.s.kills_now[0, 1, 0] > 0


@pytest.mark.rule("OU-A9", "OU-G4")
@pytest.mark.parametrize(("why", "moves_up"), [("silenced", True), ("cast_blocked", False)])
@pytest.mark.parametrize("policy", ["aggressive", "cautious", "focus_expert"])
def test_a_magic_user_without_spells_comes_forward_unless_it_is_for_a_round_only(
    policy: str, why: str, moves_up: bool
) -> None:
    fight = party_of(policy, [("zombie", 90)])
    getattr(fight.s, why)[M] = True

    fight.turn(M)

    assert fight.s.front[M].all() == moves_up
    assert fight.done(M) == (["move"] if moves_up else [])


# cautious


@pytest.mark.rule("OU-R3")
@pytest.mark.parametrize(("health", "stance"), [(11, 0), (6, 0), (5, -1), (1, -1)])
def test_cautious_defends_from_half_health_down(health: int, stance: int) -> None:
    fight = stage(STANDARD_PARTY, [("zombie", 9)], policy="cautious")
    fight.s.health[W] = health

    fight.round_start()

    assert fight.s.stance[W].tolist() == [stance]


@pytest.mark.rule("OU-A6")
@pytest.mark.parametrize(("health", "drinks"), [(4, False), (3, True)])
def test_cautious_drinks_from_a_third_down(health: int, drinks: bool) -> None:
    fight = party_of("cautious", [("zombie", 9)], heroes=({"class": "warrior", "items": POTION},))
    fight.s.health[0] = health

    fight.turn(0)

    assert ("healing_potion" in fight.done(0)) == drinks


@pytest.mark.rule("OU-Y4")
def test_cautious_heals_whoever_is_worst_off_by_share_of_health() -> None:
    fight = party_of("cautious", [("zombie", 9)], {"OU-Y1": [8], "OU-Y4": [1]})
    fight.s.health[:, 0] = [5, 4, 8, 3]  # 5/11, 4/7, 8/8, 3/7

    fight.turn(P)

    assert fight.done(P) == ["heal"]
    assert fight.s.health[:, 0].tolist() == [5, 4, 8, 4]


@pytest.mark.rule("OU-Y4")
def test_cautious_attacks_when_nobody_is_below_half() -> None:
    fight = party_of("cautious", [("zombie", 9)])
    fight.s.health[W] = 6

    fight.turn(P)

    assert fight.done(P) == ["melee"]


@pytest.mark.rule("OU-A9")
@pytest.mark.parametrize(("hero", "falls_back"), [("rogue", True), ("warrior", False)])
def test_cautious_falls_back_at_a_third_of_its_health(hero: str, falls_back: bool) -> None:
    heroes = ("warrior", "warrior", hero)
    fight = party_of("cautious", [("zombie", 9)], heroes=heroes)
    fight.s.front[2] = True
    fight.s.health[2] = 2

    fight.turn(2)

    assert (fight.done(2) == ["move"]) == falls_back


@pytest.mark.rule("OU-G2", "OU-F3")
def test_cautious_neither_pushes_nor_rages() -> None:
    fight = party_of("cautious", [("zombie", 90)], {"OU-G1": [8], "OU-G5": [4]}, level=6)

    fight.turn(W)
    fight.turn(M)

    assert fight.done(W) == ["melee"]
    assert fight.s.kills_now[M, 0].tolist() == [1]


# Policies of one's own.


def test_a_policy_of_the_scenario_is_played() -> None:
    basher = {"about": "bashes", "formation": "standard", "stance": "neutral", "action": [{"do": "bash"}]}
    hero = {"class": "warrior", "feats": ["shield_bash"]}

    fight = party_of("mine", [("gobbo", 3)], heroes=(hero,), policies={"mine": basher})
    fight.turn(0)

    assert fight.done(0) == ["bash"]


def test_a_mistake_in_a_policy_is_named_with_its_place() -> None:
    wrong = {"about": "wrong", "action": [{"do": "mele"}], "stance": "angry"}

    with pytest.raises(ScenarioError) as caught:
        from_dict(table(["warrior"], [("gobbo", 1)], policy="mine", policies={"mine": wrong}))

    assert "policies.mine.action[0].do" in str(caught.value)
    assert "melee" in str(caught.value)
    assert "stance" in str(caught.value)


def test_a_bless_line_chooses_its_attribute() -> None:
    line = {"do": "bless", "attribute": "quick"}
    policy = {"about": "blesses", "action": [line]}
    fight = party_of("mine", [("gobbo", 3)], {"OU-Y1": [8]}, ("warrior", "priest"), policies={"mine": policy})

    fight.turn(1)

    assert np.argwhere(fight.s.blessed[:, :, 0]).tolist() == [[2, 0]]


# Heroes by name.

TWO_WARRIORS = [{"class": "warrior"}, {"class": "warrior"}, {"class": "priest", "name": "Sister Aud", "guard": "front"}]


def with_lines(*lines: dict[str, Any], heroes: list[dict[str, Any]] = TWO_WARRIORS, **more: Any) -> dict[str, Any]:
    """A fight against zombies under lines of its own."""
    return table(heroes, [("zombie", 3)], policy="mine", policies={"mine": {"action": list(lines), **more}})


def test_a_line_can_be_meant_for_one_hero_by_name() -> None:
    fight = with_lines({"when": "warrior_2 and round == 1", "do": "pass"}, {"do": "melee"})

    party = stage(fight["heroes"], [("zombie", 3)], policy="mine", policies=fight["policies"])
    for hero in range(3):
        party.turn(hero)

    assert [party.done(hero) for hero in range(3)] == [["melee"], [], ["melee"]]


def test_a_line_can_be_aimed_at_one_hero_by_name() -> None:
    fight = with_lines({"do": "bless", "target": {"where": "their_warrior_2"}}, {"do": "pass"})

    party = stage(fight["heroes"], [("zombie", 3)], {"OU-Y1": [8]}, policy="mine", policies=fight["policies"])
    party.turn(2)

    assert party.s.blessed[0, :, 0].tolist() == [False, True, False]


def test_stances_and_the_beginning_can_ask_for_a_hero_by_name() -> None:
    stance = [{"when": "sister_aud", "take": "defensive"}, {"take": "aggressive"}]
    engage = [{"when": "warrior_1", "take": "attack"}, {"take": "sneak"}]  # the first of the roster decides
    fight = with_lines({"do": "melee"}, stance=stance, engage=engage)

    party = stage(fight["heroes"], [("zombie", 3)], policy="mine", policies=fight["policies"])
    party.round_start()

    assert party.s.live.all()
    assert party.s.stance[:, 0].tolist() == [1, 1, -1]


def test_a_name_that_nobody_has_is_a_mistake_with_the_nearest_one() -> None:
    with pytest.raises(ScenarioError) as refused:
        from_dict(
            with_lines({"when": "sister_odd", "do": "pass"}, {"do": "heal", "target": {"where": "their_warrior_3"}})
        )

    assert "sister_odd" in str(refused.value)
    assert "did you mean 'sister_aud'?" in str(refused.value)
    assert "their_warrior_3" in str(refused.value)


def test_mistakes_in_lines_that_name_heroes_are_told_along_with_others() -> None:
    fight = with_lines({"when": "warrior_2 and healht > 3", "do": "pass"}) | {"room": "narow"}

    with pytest.raises(ScenarioError) as refused:
        from_dict(fight)

    assert [problem.key for problem in refused.value.problems] == ["room", "policies.mine.action[0].when"]


def test_a_lone_warrior_is_asked_for_by_class_whatever_a_name_says() -> None:
    heroes = [{"class": "rogue", "name": "warrior"}, {"class": "warrior", "name": "Bo"}]
    fight = with_lines({"when": "warrior", "do": "melee"}, {"do": "pass"}, heroes=heroes)

    party = stage(fight["heroes"], [("zombie", 3)], policy="mine", policies=fight["policies"])
    for hero in range(2):
        party.turn(hero)

    assert [party.done(hero) for hero in range(2)] == [[], ["melee"]]

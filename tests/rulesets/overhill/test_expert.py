"""The expert and the prudent, line by line."""

import pytest

from sim.core.outcomes import Outcome
from sim.rulesets.overhill.data import VIGOR
from tests.rulesets.overhill.fights import STANDARD_PARTY, M, P, W, party_of, stage

POTION = {"healing_potion": 1}


# focus_expert


@pytest.mark.rule("OU-A6", "OU-D3")
@pytest.mark.parametrize(("health", "drinks"), [(5, False), (4, True)])
def test_the_expert_drinks_when_one_hit_could_bring_him_down(health: int, drinks: bool) -> None:
    fight = party_of("focus_expert", [("zombie", 9)], heroes=({"class": "warrior", "items": POTION},))
    fight.s.health[0] = health

    fight.turn(0)

    assert ("healing_potion" in fight.done(0)) == drinks


@pytest.mark.rule("OU-Y4")
@pytest.mark.parametrize(("bump_max", "dice_rolled"), [(1, 2), (0, 1)])
def test_the_expert_heals_the_weakest_and_bumps_for_large_wounds(bump_max: int, dice_rolled: int) -> None:
    dice = {"OU-Y1": [8], "OU-Y4": [1]}
    fight = party_of("focus_expert", [("zombie", 9)], dice, switches={"bump_max": bump_max})
    fight.s.health[:, 0] = [3, 4, 8, 7]

    fight.turn(P)

    assert fight.s.health[:, 0].tolist() == [3 + dice_rolled, 4, 8, 7]


@pytest.mark.rule("OU-Y5")
def test_the_expert_blesses_a_warrior_when_no_attack_is_worth_anything() -> None:
    hopeless = {"type": "zombie", "count": 9, "defence": 50}
    fight = party_of("focus_expert", [hopeless], {"OU-Y1": [8]})

    fight.turn(P)
    blessed_once = fight.s.blessed[VIGOR, :, 0].tolist()
    fight.turn(P)  # nobody left to bless: an attack without hope

    assert blessed_once == [True, False, False, False]
    assert fight.done(P) == ["melee", "bless"]


@pytest.mark.rule("OU-E9", "OU-D3")
def test_the_expert_weighs_kills_by_the_threat_of_the_group() -> None:
    harmless = {"type": "gobbo", "count": 9, "melee": 0, "defence": 1}
    fight = party_of("focus_expert", [harmless, ("zombie", 9)], {"OU-A3": [8]})

    fight.turn(W)

    assert fight.s.kills_now[W, :, 0].tolist() == [0, 3]


@pytest.mark.rule("OU-R3")
def test_the_expert_is_aggressive_when_the_last_monsters_can_hardly_hurt() -> None:
    dangerous = {"type": "zombie", "count": 3, "melee": 7, "defence": 50}
    weak = {"type": "gobbo", "count": 9, "melee": 1}

    careful = party_of("focus_expert", [dangerous])
    bold = party_of("focus_expert", [weak, {"type": "zombie", "count": 0}])

    assert careful.s.stance[W].tolist() == [-1]
    assert bold.s.stance[W].tolist() == [1]


@pytest.mark.rule("OU-G2")
@pytest.mark.parametrize(("health", "level", "pushes"), [(7, 2, 1), (2, 2, 0), (7, 4, 2), (7, 6, 2)])
def test_the_expert_pushes_only_while_a_mishap_is_unlikely(health: int, level: int, pushes: int) -> None:
    fight = party_of("focus_expert", [("zombie", 90)], level=level)
    fight.s.health[M] = health

    chosen = fight.encounter.player.scales.safe_push(fight.s, M, fight.at)

    assert chosen.tolist() == [pushes]


@pytest.mark.rule("OU-A9")
def test_the_expert_falls_back_when_one_hit_could_bring_him_down() -> None:
    fight = party_of("focus_expert", [("zombie", 9)], heroes=("warrior", "warrior", "rogue"))
    fight.s.front[2] = True
    fight.s.health[2] = 4

    fight.turn(2)

    assert fight.done(2) == ["move"]


# prudent


@pytest.mark.rule("OU-S7", "OU-S8", "OU-S9")
@pytest.mark.parametrize(
    ("enemies", "outcome"),
    [
        ([("gobbo", 9)], Outcome.AVOIDED),  # more than two for each hero: talks
        ([("skeleton", 9)], Outcome.AVOIDED),  # nobody to talk to: sneaks
        ([("gobbo", 8)], Outcome.DRAW),  # fights, so nothing is decided yet
    ],
)
def test_prudent_avoids_being_outnumbered_two_to_one(enemies: list, outcome: Outcome) -> None:
    dice = {"OU-S8": [6], "OU-S9": [4]}

    fight = stage(STANDARD_PARTY, enemies, dice, policy="prudent")

    assert fight.s.outcome.tolist() == [outcome]


@pytest.mark.rule("OU-S7")
def test_a_scenario_that_says_attack_is_obeyed_by_prudent_too() -> None:
    fight = stage(STANDARD_PARTY, [("gobbo", 9)], {"OU-S8": [6]}, policy="prudent", policy_options={"engage": "attack"})

    assert fight.s.live.all()

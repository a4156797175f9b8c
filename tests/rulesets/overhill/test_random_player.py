"""The player by lot: what it counts and what it draws."""

import pytest

from sim.rulesets.overhill.random_player import number_of_choices
from tests.rulesets.overhill.fights import d, lot, stage


@pytest.mark.rule("OU-A0", "OU-A10")
def test_random_legal_counts_its_choices() -> None:
    items = {"war_tonic": 1, "acid_flask": 1, "healing_potion": 1}
    heroes = ("warrior", "warrior", "priest", {"class": "magic_user", "level": 4, "items": items})
    fight = stage(heroes, [("gobbo", 3), ("zombie", 3)], {"formation": lot(0)}, policy="random_legal")
    fight.s.front[3] = False
    fight.s.health[0] = 5

    def choices(hero: int, kind: str) -> int:
        return int(number_of_choices(fight.s, hero, kind, fight.at)[0])

    assert choices(0, "melee") == 2
    assert choices(3, "melee") == 0
    assert choices(3, "dart") == 3 * 2  # 0 to 2 pushes, two groups
    assert choices(2, "heal") == 1 * 2  # one wounded hero, with or without a bump
    assert choices(2, "bless") == 16
    assert choices(3, "item") == 1 + 2  # the tonic, and acid for two groups; a potion is of no use
    assert choices(3, "move") == 1
    assert choices(0, "frenzy") == 0


@pytest.mark.rule("OU-R3", "OU-A0")
def test_random_legal_draws_stance_kind_and_choice() -> None:
    dice = {"formation": lot(0), "stance": d(3), ("kind", 0): lot(0), ("choice", 0): lot(1), "OU-A3": [7]}
    fight = stage(["warrior"], [("gobbo", 3), ("zombie", 3)], dice, policy="random_legal")

    fight.round_start()
    fight.turn(0)

    assert fight.s.stance[0].tolist() == [0, 1, -1]
    assert (fight.s.kills_now[0, 0] == 0).all()
    assert (fight.s.kills_now[0, 1] > 0).all()

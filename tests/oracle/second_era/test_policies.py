"""The policies."""

from __future__ import annotations

from tests.oracle.second_era.examples import ARCHER, KNIGHT, ONE, Faces, battle_of, enemy, turn_of, unit
from tests.oracle.second_era.play import hero_turn
from tests.oracle.second_era.policies import killable, recycle


def test_aggressive_charges_with_two_moves() -> None:
    battle = turn_of({**KNIGHT, "policy": "aggressive"}, foes=[enemy("ogre", 3, 0)], board="clash")

    # from (-4,1) six steps toward (3,0); the first three end on (-1,0) or (-1,1), whichever is first in (q,r)
    assert battle.heroes[0].hexes == 6
    assert battle.heroes[0].engages == 0


def test_cautious_archer_shoots_and_falls_back() -> None:
    hero = {**ARCHER, "hex": [0, 0], "policy": "cautious"}

    battle = turn_of(hero, foes=[enemy("ogre", 2, 0)])

    assert battle.heroes[0].engages == 1
    assert battle.board.range[battle.heroes[0].hex][battle.enemies[0].hex] == 4


def test_focus_fire_prefers_the_enemy_it_can_kill() -> None:
    hero = {**ARCHER, "hex": [0, 0], "policy": "focus_fire"}
    foes = [enemy("ogre", 2, 0, hp=5), enemy("skeever", 2, -2), enemy("skeever", -2, 2, defense=1)]

    battle = turn_of(hero, foes=foes)

    assert [foe.taken for foe in battle.enemies] == [0, 2, 0]
    assert killable(["snipe", "snipe", "combat"], battle.enemies[2])
    assert not killable(["combat"], battle.enemies[2])


def test_hold_entrance_guards_where_it_stands() -> None:
    battle = turn_of({**KNIGHT, "policy": "hold_entrance"}, foes=[enemy("ogre", 3, 0)], board="clash")

    assert battle.heroes[0].active == [("combat", 1)]
    assert battle.heroes[0].hexes == 0


def test_heal_first_needs_two_missing_hit_points() -> None:
    healer = {"class": "healer", "hex": [-2, 0], "policy": "cautious"}

    kept = turn_of(healer, [unit(5, 0, 0, hp=4)])
    healed = battle_of([healer, unit(5, 0, 0, hp=3)], [enemy("ogre", 2, 0)], luck=Faces(SE_A6=[3, 2]))
    hero_turn(healed, healed.heroes[0])

    assert (kept.heroes[0].form, kept.heroes[1].hp) == ("light", 4)
    assert (healed.heroes[0].form, healed.heroes[1].hp) == ("magic", 5)


def test_nightblade_cloaks_at_the_end() -> None:
    blade = {"class": "nightblade", "hex": [-2, 0], "policy": "cautious"}
    luck = Faces(SE_A6=[ONE, ONE, 3, 3])  # two Combat dice first, then c1 and c1
    battle = battle_of([blade], [enemy("ogre", 2, 0)], luck=luck)

    hero_turn(battle, battle.heroes[0])

    assert battle.heroes[0].has("Stealth")


def test_recycle_fills_the_track_up_to_the_cooldown() -> None:
    battle = battle_of([unit(5, 0, 0, track=["L"])], [enemy("ogre", 2, 0)])
    hero = battle.heroes[0]
    hero.active = [("purge", 0), ("shield_discipline", 2), ("combat", 1)]

    recycle(battle, hero)

    assert hero.track == ["L", "shield_discipline"]
    assert hero.active == [("purge", 0), ("combat", 1)]


def test_a_dazed_adventurer_engages_from_where_it_stands_and_stays() -> None:
    archer = {**ARCHER, "hex": [0, 0], "track": ["L", "L", "Daze"], "policy": "cautious"}

    battle = turn_of(archer, foes=[enemy("troll", 2, 0)])

    assert (battle.heroes[0].engages, battle.heroes[0].hexes) == (1, 0)
    assert not battle.heroes[0].has("Daze")

"""The scalar referee against the worked examples (W), the exact encounters (X) and the sampled win rates of its rules.

Chances are exact: `every_course` plays a piece of the game once for every course its dice can take.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from tests.oracle import overhill as ou
from tests.oracle.luck import AddressedLuck, PythonLuck
from tests.oracle.random_overhill import random_scenario

F = Fraction
W, R, P, M = "warrior", "rogue", "priest", "magic_user"
MANY = 50  # a group too large to run out


class Course:
    """Luck that follows a given course of choices and then always takes the first."""

    def __init__(self, path: list[list[int]]) -> None:
        self.path = path
        self.asked = 0
        self.chance = F(1)

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        if self.asked == len(self.path):
            self.path.append([0, n])
        choice = self.path[self.asked][0]
        self.asked += 1
        self.chance /= n
        return choice

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return 1 + self.below(sides, purpose, round, actor, index)

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        orders = list(itertools.permutations(items))
        return list(orders[self.below(len(orders), purpose, round, actor)])


def every_course(piece: Callable[[Any], Any]) -> dict[Any, F]:
    """The exact chance of every outcome of a piece of the game."""
    chances: dict[Any, F] = defaultdict(F)
    path: list[list[int]] = []
    while True:
        luck = Course(path)
        outcome = piece(luck)
        chances[outcome] += luck.chance
        while path and path[-1][0] == path[-1][1] - 1:
            path.pop()
        if not path:
            return dict(chances)
        path[-1][0] += 1


class Scripted:
    """Luck with chosen faces: {(purpose, round, index): face}; every other die shows its highest (or lowest) face."""

    def __init__(self, faces: dict[tuple[str, int, int], int] | None = None, high: bool = True) -> None:
        self.faces = faces or {}
        self.high = high
        self.log: list[tuple[str, int, int, int]] = []  # purpose, round, actor, index

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        self.log.append((purpose, round, actor, index))
        return self.faces.get((purpose, round, index), sides if self.high else 1)

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return self.die(n, purpose, round, actor, index) - 1

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        return list(items)


def fight_of(
    heroes: Sequence[str | dict[str, Any]], enemies: Sequence[tuple[str, Any]], luck: Any = None, **more: Any
) -> ou.Fight:
    """A fight in round 1, formed up, nothing done yet."""
    entries = [hero if isinstance(hero, dict) else {"class": hero} for hero in heroes]
    scenario = {"heroes": entries, "enemies": [{"type": kind, "count": n} for kind, n in enemies], **more}
    fight = ou.set_up(ou.prepare(scenario), luck or Scripted())
    fight.round = 1
    return fight


def chances_of(
    do: Callable[[ou.Fight], Any], heroes: Sequence[Any], enemies: Sequence[tuple[str, Any]], **more: Any
) -> dict[Any, F]:
    """The exact chances of what `do` returns, done to a fresh fight."""
    return every_course(lambda luck: do(fight_of(heroes, enemies, luck, **more)))


def kills_of(action: Callable[..., None], hero: int = 0, **before: Any) -> Callable[[ou.Fight], int]:
    """The kills of one action of a hero on the first group; `before` sets fields of the hero."""

    def do(fight: ou.Fight) -> int:
        for name, value in before.items():
            setattr(fight.heroes[hero], name, value)
        action(fight, fight.heroes[hero], fight.groups[0])
        return fight.heroes[hero].kills

    return do


def in_order(chances: dict[int, F]) -> list[F]:
    return [chances.get(k, F(0)) for k in range(max(chances) + 1)]


def mean(chances: dict[int, F]) -> F:
    return sum((k * chance for k, chance in chances.items()), F(0))


def dart(fight: ou.Fight, hero: ou.Hero, group: ou.Group) -> None:
    ou.magic_dart(fight, hero, group, 0)


def pushed_dart(fight: ou.Fight, hero: ou.Hero, group: ou.Group) -> None:
    ou.magic_dart(fight, hero, group, 1)


# 13.1 Hit counts and attack rolls


@pytest.mark.rule("OU-A1")
def test_w01_w02_hit_counts_for_defence_3() -> None:
    assert [ou.hit_count(total, 3, False) for total in range(13)] == [0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4]
    assert [ou.hit_count(total, 3, True) for total in range(13)] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]


@pytest.mark.rule("OU-A1")
def test_w03_a_d6_against_defence_3() -> None:
    assert ou.attack_chances(6, 0, 3, False) == (F(1, 2), F(1, 3), F(1, 6))
    assert ou.attack_chances(6, 0, 3, True) == (F(1, 3), F(1, 2), F(1, 6))
    assert ou.mean_hits(ou.attack_chances(6, 0, 3, False)) == F(2, 3)
    assert ou.mean_hits(ou.attack_chances(6, 0, 3, True)) == F(5, 6)


@pytest.mark.rule("OU-A1")
def test_w04_the_example_by_face() -> None:
    assert [ou.hit_count(face, 3, meet) for meet in (False, True) for face in (2, 4, 6)] == [0, 1, 2, 0, 1, 2]
    assert [ou.hit_count(3, 3, meet) for meet in (False, True)] == [0, 1]


@pytest.mark.rule("OU-A1")
def test_w05_a_d4_against_ghouls() -> None:
    exceed = chances_of(kills_of(ou.melee), [R], [("ghoul", MANY)])
    meet = chances_of(kills_of(ou.melee), [R], [("ghoul", MANY)], switches={"melee_threshold": "meet"})

    assert exceed == {0: F(1, 4), 2: F(1, 4), 3: F(1, 4), 4: F(1, 4)}
    assert mean(exceed) == F(9, 4)
    assert mean(meet) == F(5, 2)


@pytest.mark.rule("OU-A2", "OU-A3", "OU-C1")
def test_w06_a_warrior_against_skeletons() -> None:
    many = chances_of(kills_of(ou.melee), [W], [("skeleton", MANY)])
    two = chances_of(kills_of(ou.melee), [W], [("skeleton", 2)])

    assert in_order(many) == [F(1, 4), F(1, 4), F(3, 8), F(1, 8)]
    assert mean(many) == F(11, 8)
    assert in_order(two) == [F(1, 4), F(1, 4), F(1, 2)]
    assert mean(two) == F(5, 4)


@pytest.mark.rule("OU-A3")
def test_w07_a_blunt_weapon_against_skeletons() -> None:
    warrior = {"class": W, "melee_tag": "blunt"}

    exceed = chances_of(kills_of(ou.melee), [warrior], [("skeleton", MANY)])
    meet = chances_of(kills_of(ou.melee), [warrior], [("skeleton", MANY)], switches={"melee_threshold": "meet"})

    assert in_order(exceed) == [F(1, 8), F(1, 8), F(1, 4), F(1, 4), F(1, 4)]
    assert mean(exceed) == F(19, 8)
    assert 0 not in meet
    assert mean(meet) == F(5, 2)


@pytest.mark.rule("OU-A2")
def test_w08_stances_of_a_warrior() -> None:
    aggressive = chances_of(kills_of(ou.melee, stance="aggressive"), [W], [("skeleton", MANY)])
    defensive = chances_of(kills_of(ou.melee, stance="defensive"), [W], [("skeleton", MANY)])

    assert (mean(aggressive), aggressive[0]) == (F(7, 4), F(1, 8))
    assert (mean(defensive), defensive[0]) == (F(1), F(3, 8))


@pytest.mark.rule("OU-C2")
def test_w09_a_rogue_outnumbering_or_not() -> None:
    three = chances_of(kills_of(ou.melee), [R, W], [("gobbo", 3)])
    one = chances_of(kills_of(ou.melee), [R, W], [("gobbo", 1)])

    assert mean(three) == F(1, 4)
    assert one[1] == F(5, 8)


@pytest.mark.rule("OU-C3")
def test_w10_sneak_attack() -> None:
    opening = chances_of(
        lambda fight: ou.opening_hits(fight, fight.heroes[0], fight.groups[0], "quick", "OU-C3"), [R], [("gobbo", MANY)]
    )
    kills = chances_of(kills_of(ou.sneak_attack), [R], [("gobbo", MANY)])

    assert in_order(opening) == [F(3, 8), F(1, 4), F(3, 8)]
    assert in_order(kills) == [F(99, 128), F(13, 64), F(3, 128)]
    assert mean(kills) == F(1, 4)


@pytest.mark.rule("OU-C2", "OU-C3")
def test_w11_sneak_attack_while_outnumbering() -> None:
    kills = chances_of(kills_of(ou.sneak_attack), [R, *[W] * 5], [("gobbo", 5)])

    assert in_order(kills) == [F(267, 512), F(17, 128), F(57, 256), F(9, 128), F(27, 512)]
    assert mean(kills) == 1


@pytest.mark.rule("OU-C3")
def test_w12_sneak_attack_at_level_4_on_four_dogs() -> None:
    kills = chances_of(kills_of(ou.sneak_attack), [R], [("gobbo_dog", 4)], level=4)

    assert in_order(kills) == [F(1, 5), F(1, 60), F(7, 180), F(61, 1080), F(743, 1080)]
    assert mean(kills) == F(3257, 1080)


@pytest.mark.rule("OU-F3")
def test_w13_frenzy() -> None:
    first = chances_of(kills_of(ou.melee), [W], [("skeleton", MANY)], level=5)
    together = chances_of(kills_of(ou.frenzy), [W], [("skeleton", MANY)], level=5)

    assert mean(first) == F(16, 5)
    assert mean(together) - mean(first) == F(133, 50)
    assert mean(together) == F(293, 50)


@pytest.mark.rule("OU-U8", "OU-Y5")
def test_w14_a_blessed_warrior() -> None:
    def do(fight: ou.Fight) -> int:
        fight.heroes[0].blessed.add("vigor")
        return kills_of(ou.melee)(fight)

    kills = chances_of(do, [W], [("skeleton", MANY)])

    assert in_order(kills) == [F(1, 16), F(3, 16), F(33, 64), F(15, 64)]
    assert mean(kills) == F(123, 64)


@pytest.mark.parametrize(
    ("kind", "action", "heroes", "enemies", "more"),
    [
        ("melee", ou.melee, [W], [("skeleton", 2)], {}),
        ("melee", ou.melee, [R, W, W], [("gobbo", 2)], {"switches": {"melee_threshold": "meet"}}),
        ("sneak", ou.sneak_attack, [R], [("gobbo_dog", 4)], {"level": 4}),
        ("sneak", ou.sneak_attack, [R, W, W], [("gobbo", 2)], {"switches": {"level_bonus": "all"}}),
        ("frenzy", ou.frenzy, [W], [("skeleton", 4)], {"level": 5}),
        ("dual", ou.dual_wield, [W], [("zombie", 3)], {"level": 2}),
        ("dart", pushed_dart, [M], [("zombie", 2)], {"level": 2, "switches": {"mishaps": "off"}}),
        ("dart", pushed_dart, [M], [("wight", 2)], {"level": 3, "preset": "may-draft", "switches": {"mishaps": "off"}}),
        ("dart", pushed_dart, [M], [("gobbo", 3)], {"switches": {"mishaps": "off", "dart_roll": "same_roll"}}),
    ],
)
def test_expected_kills_of_the_policies_are_the_mean_of_the_game(
    kind: str, action: Any, heroes: Any, enemies: Any, more: Any
) -> None:
    fight = fight_of(heroes, enemies, **more)

    expected = ou.expected_kills(fight, fight.heroes[0], kind, fight.groups[0], "neutral", 1)

    assert expected == pytest.approx(float(mean(chances_of(kills_of(action), heroes, enemies, **more))), abs=1e-12)


# 13.2 Magic and prayers


@pytest.mark.rule("OU-G1", "OU-G3", "OU-G5")
def test_w15_magic_dart() -> None:
    def do(fight: ou.Fight) -> tuple[int, int]:
        return kills_of(dart, hero=2)(fight), fight.heroes[2].mishaps

    both = chances_of(do, [W, W, M], [("gobbo", MANY)])
    literal = chances_of(
        kills_of(dart, hero=2), [W, W, M], [("gobbo", MANY)], switches={"one_is": "literal", "mishaps": "off"}
    )
    kills = [sum(chance for (k, _), chance in both.items() if k == number) for number in range(3)]

    assert sum(chance for (_, mishaps), chance in both.items() if mishaps) == F(1, 8)
    assert kills == [F(29, 64), F(7, 32), F(21, 64)]
    assert kills[1] + 2 * kills[2] == F(7, 8)
    assert mean(literal) == 1


@pytest.mark.rule("OU-G4")
def test_w16_mishaps_of_a_level_1_spell() -> None:
    rows = [ou.mishap_row(face + 1) for face in range(1, 7)]

    assert rows == ["fizzle", "fizzle", "backlash", "backlash", "strain", "misfire"]
    assert ou.mishap_row(8) == "burnout"


@pytest.mark.rule("OU-G2", "OU-G4")
def test_w17_one_push_at_level_2() -> None:
    same = ou.casting_dice(8, 1, "same_first")
    stepped = ou.casting_dice(8, 1, "step_first")
    many = [("gobbo", MANY)]

    off = chances_of(kills_of(pushed_dart), [M], many, level=2, switches={"mishaps": "off"})
    on = chances_of(kills_of(pushed_dart), [M], many, level=2)

    assert (same, stepped) == ((8, 8), (8, 6))
    assert (ou.chance_of_a_one(same), ou.chance_of_a_one(stepped)) == (F(15, 64), F(13, 48))
    assert (mean(off), mean(on)) == (F(7, 4), F(105, 64))


@pytest.mark.rule("OU-G2")
def test_w18_four_pushes_at_level_8() -> None:
    magic_user = fight_of([M], [("gobbo", 1)], level=8).heroes[0]

    assert ou.casting_dice(magic_user.smart, 4, "same_first") == (12, 12, 10, 8, 6)


def prayer(pray: Callable[[ou.Fight, ou.Hero, ou.Hero], None]) -> Callable[[ou.Fight], tuple[str, int]]:
    """What came of a prayer by the first hero for the second, and the health it restored."""

    def do(fight: ou.Fight) -> tuple[str, int]:
        priest, friend = fight.heroes
        pray(fight, priest, friend)
        if priest.lapsed:
            return "lapses", 0
        return ("works" if friend.restored or friend.blessed else "fails"), friend.restored

    return do


HURT = {"class": W, "max_health": 100, "health": 1}


@pytest.mark.rule("OU-Y1", "OU-Y2", "OU-Y3", "OU-Y4", "OU-Y5")
@pytest.mark.parametrize(
    ("pray", "level", "works", "fails", "lapses", "healing"),
    [
        pytest.param(lambda f, p, h: ou.heal(f, p, h, 0), 1, F(3, 4), F(1, 4), 0, F(21, 8), id="w19"),
        pytest.param(lambda f, p, h: ou.heal(f, p, h, 1), 1, F(5, 8), F(1, 4), F(1, 8), F(35, 8), id="w20"),
        pytest.param(lambda f, p, h: ou.bless(f, p, h, "vigor"), 1, F(3, 4), F(1, 8), F(1, 8), 0, id="w21"),
        pytest.param(lambda f, p, h: ou.bless(f, p, h, "vigor"), 3, F(7, 8), 0, F(1, 8), 0, id="w22"),
    ],
)
def test_w19_to_w22_prayers(pray: Any, level: int, works: F, fails: F, lapses: F, healing: F) -> None:
    chances = chances_of(prayer(pray), [P, HURT], [("gobbo", 1)], level=level)

    def share(what: str) -> F:
        return sum((chance for (came, _), chance in chances.items() if came == what), F(0))

    assert (share("works"), share("fails"), share("lapses")) == (works, fails, lapses)
    assert sum(restored * chance for (_, restored), chance in chances.items()) == healing


# 13.3 Defence, damage, status


def attacked(hero: int = 0, group: int = 0, **before: Any) -> Callable[[ou.Fight], ou.Hero]:
    """One attack of a group on a hero; `before` sets fields of the hero."""

    def do(fight: ou.Fight) -> ou.Hero:
        for name, value in before.items():
            setattr(fight.heroes[hero], name, value)
        ou.monster_attack(fight, fight.groups[group], fight.heroes[hero], 0)
        return fight.heroes[hero]

    return do


def hit_chance(heroes: Sequence[str], enemies: Sequence[tuple[str, Any]], more: Any = None, **how: Any) -> F:
    """The chance that one attack hits."""
    attack = attacked(**how)
    return chances_of(lambda fight: attack(fight).damage_taken > 0, heroes, enemies, **(more or {})).get(True, F(0))


@pytest.mark.rule("OU-D1", "OU-D2")
def test_w23_a_skeleton_hits_a_warrior() -> None:
    duel = [W], [("skeleton", 1)]

    assert [hit_chance(*duel, stance=stance) for stance in ou.STANCES] == [F(3, 8), F(1, 2), F(1, 4)]
    assert hit_chance(*duel, more={"switches": {"dodge_threshold": "meet"}}) == F(1, 4)


@pytest.mark.rule("OU-D2")
def test_w24_a_zombie_hits_a_rogue() -> None:
    duel = [R], [("zombie", 1)]

    assert hit_chance(*duel) == 1
    assert hit_chance(*duel, stance="defensive") == F(3, 4)


@pytest.mark.rule("OU-D3")
def test_w25_damage_of_a_hit() -> None:
    kinds = ("one", "attack", "margin")

    assert [ou.damage_of_hit(4, 2, kind, False) for kind in kinds] == [1, 4, 3]
    assert [ou.damage_of_hit(4, 4, kind, False) for kind in kinds] == [1, 4, 1]
    assert ou.damage_of_hit(4, 2, "margin", True) == 2


@pytest.mark.rule("OU-D4")
def test_w26_w27_health_after_hits() -> None:
    def healths(hero: str, enemy: str, hits: int) -> tuple[list[int], int]:
        fight = fight_of([hero], [(enemy, 1)], Scripted(high=False))
        shown = [fight.heroes[0].health]
        for m in range(hits):
            ou.monster_attack(fight, fight.groups[0], fight.heroes[0], m)
            shown.append(fight.heroes[0].health)
        return shown, fight.heroes[0].damage_taken

    assert healths(P, "zombie", 2) == ([8, 4, 0], 8)
    assert healths(W, "skeleton", 4) == ([11, 8, 5, 2, 0], 11)


def blessed_dodge(fight: ou.Fight) -> int:
    fight.heroes[0].blessed.add("vigor")
    ou.monster_attack(fight, fight.groups[0], fight.heroes[0], 0)
    return fight.heroes[0].dodged


@pytest.mark.rule("OU-U8")
def test_w28_a_blessed_defence() -> None:
    duel = [R], [("skeleton", 1)]

    assert 1 - hit_chance(*duel) == F(1, 4)
    assert chances_of(blessed_dodge, *duel)[1] == F(7, 16)


@pytest.mark.rule("OU-D7")
def test_w29_a_ghoul_paralyses() -> None:
    attack = attacked()
    by_hero = [chances_of(lambda fight: attack(fight).paralysed > 0, [hero], [("ghoul", 1)]) for hero in (W, R)]

    assert [chances[True] for chances in by_hero] == [F(1, 32), F(1, 8)]


@pytest.mark.rule("OU-D8")
def test_w30_a_wight_drains() -> None:
    attack = attacked()
    warrior = chances_of(lambda fight: attack(fight).vigor, [W], [("wight", 1)])
    weakest = chances_of(
        lambda fight: (attack(fight).vigor, fight.heroes[0].damage_taken > 0),
        [{"class": W, "vigor": 2}],
        [("wight", 1)],
    )

    assert warrior == {8: F(15, 16), 6: F(1, 16)}
    assert weakest == {(2, True): 1}
    assert fight_of([W], [("wight", 1)]).rules.check_target > 2


@pytest.mark.rule("OU-R5", "OU-D10")
def test_w31_the_length_of_paralysis() -> None:
    # Two ghouls too tough to kill. In round 3 the first one hits (1), the check fails (1), the d4 shows 2.
    luck = Scripted({("OU-D2", 3, 0): 1, ("OU-D7", 3, 0): 1, ("OU-D7", 3, 2000): 2})
    scenario = {
        "heroes": [{"class": W, "max_health": 50}],
        "enemies": [{"type": "ghoul", "count": 2, "defence": 20}],
        "switches": {"round_cap": 7},
    }

    ou.play(ou.prepare(scenario), luck)
    acted = [round for purpose, round, _, _ in luck.log if purpose == "OU-A3"]
    defended = [(round, m) for purpose, round, _, m in luck.log if purpose == "OU-D2"]

    assert acted == [1, 2, 3, 6, 7]
    assert defended == [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (5, 0), (5, 1), (6, 0), (6, 1), (7, 0), (7, 1)]


@pytest.mark.rule("OU-D1", "OU-E9")
def test_w32_archers_and_their_leader() -> None:
    alone = [("gobbo_archer", 1)]
    led = [("gobbo_archer", 1), ("gobbo_warchief", 1)]

    assert [hit_chance([hero], alone) for hero in (M, W)] == [F(1, 2), F(1, 3)]
    assert [hit_chance([hero], led) for hero in (M, W)] == [F(3, 4), F(1, 2)]


# 13.4 Formation and targeting


@pytest.mark.rule("OU-P2")
def test_w33_rear_capacity() -> None:
    capacities = {room: [ou.rear_capacity(front, ou.ROOMS[room]) for front in range(7)] for room in ou.ROOMS}

    assert capacities["standard"] == [0, 0, 1, 1, 2, 2, 3]
    assert capacities["narrow"] == [0, 1, 2, 3, 4, 5, 6]
    assert capacities["wide"] == [0, 0, 0, 1, 1, 1, 2]
    assert capacities["open"] == [0] * 7


@pytest.mark.rule("OU-P2", "OU-S6")
def test_w34_the_largest_legal_rear() -> None:
    rears = [ou.rear_count(fight_of([M] * heroes, [("gobbo", 1)])) for heroes in range(1, 8)]

    assert rears == [0, 0, 1, 1, 1, 2, 2]


@pytest.mark.rule("OU-F2")
def test_w35_a_shield_wall_screens_one_hero() -> None:
    fight = fight_of([W, M], [("gobbo", 1)], level=3)

    assert [hero.front for hero in fight.heroes] == [True, False]


def undead(skeletons: int, zombies: int, **hero: Any) -> ou.Fight:
    """W36 to W39: front W, R, P, rear M; W and M have killed a skeleton each in the previous round."""
    fight = fight_of([{"class": W, **hero}, R, P, M], [("skeleton", skeletons), ("zombie", zombies)])
    fight.kills_prev = [[1, 0], [0, 0], [0, 0], [1, 0]]
    return fight


def top_targets(fight: ou.Fight, group: int) -> str:
    """Whom a monster of the group would draw its target from."""
    monsters = fight.groups[group]
    tied = ou.most_threatening(fight, monsters, ou.legal_targets(fight, monsters))
    return "".join("WRPM"[hero.index] for hero in tied)


@pytest.mark.rule("OU-E3", "OU-E6", "OU-E7")
def test_w36_an_outnumbered_front_opens_the_rear() -> None:
    fight = undead(3, 2)

    assert [hero.front for hero in fight.heroes] == [True, True, True, False]
    assert (top_targets(fight, 0), top_targets(fight, 1)) == ("WM", "WRPM")


@pytest.mark.rule("OU-E3", "OU-E7")
def test_w36_each_tied_hero_is_as_likely() -> None:
    def target(luck: Any) -> int:
        fight = undead(3, 2)
        fight.luck = luck
        zombies = fight.groups[1]
        return ou.choose_target(fight, zombies, ou.legal_targets(fight, zombies), 0, []).index

    assert every_course(target) == dict.fromkeys(range(4), F(1, 4))


@pytest.mark.rule("OU-E3")
def test_w37_an_equal_front_screens_the_rear() -> None:
    fight = undead(2, 1)

    assert (top_targets(fight, 0), top_targets(fight, 1)) == ("W", "WRP")


@pytest.mark.rule("OU-E5")
def test_w38_targets_are_judged_anew_before_every_attack() -> None:
    fight = undead(2, 1)

    ou.lose_health(fight, fight.heroes[0], 99)

    assert (top_targets(fight, 0), top_targets(fight, 1)) == ("M", "RPM")


@pytest.mark.rule("OU-F2", "OU-E3")
def test_w39_a_shield_wall_counts_twice_against_numbers() -> None:
    fight = undead(3, 1, feats=["shield_wall"])

    assert (ou.monster_front(fight), ou.hero_front(fight)) == (4, 4)
    assert "M" not in top_targets(fight, 0)


@pytest.mark.rule("OU-E4", "OU-E6")
@pytest.mark.parametrize("rogue_in_front", [True, False])
def test_w40_archers_find_the_rogue_anywhere(rogue_in_front: bool) -> None:
    fight = fight_of([W, R, P, M], [("gobbo_archer", 2)])
    fight.kills_prev = [[0], [1], [0], [0]]
    fight.heroes[1].front = rogue_in_front

    assert top_targets(fight, 0) == "R"


@pytest.mark.rule("OU-E8")
def test_w41_spread_goes_down_the_ranking() -> None:
    def targets(luck: Any) -> str:
        fight = fight_of([W, R, P], [("skeleton", 4)], room="open", switches={"monster_targeting": "spread"})
        fight.kills_prev = [[2], [1], [0]]
        skeletons = fight.groups[0]
        order = luck.order(range(3), "OU-E8", 1, 1000)
        legal = ou.legal_targets(fight, skeletons)
        return "".join("WRP"[ou.choose_target(fight, skeletons, legal, m, order).index] for m in range(4))

    assert every_course(targets) == {"WRPW": 1}


@pytest.mark.rule("OU-E2", "OU-P3")
def test_w42_a_narrow_room() -> None:
    luck = Scripted()
    fight = fight_of([W, P, R, M], [("zombie", 6)], luck, room="narrow")
    numbers = ou.monster_front(fight), ou.hero_front(fight)

    ou.monster_phase(fight)

    assert [hero.front for hero in fight.heroes] == [True, True, False, False]
    assert numbers == (2, 2)
    assert [m for purpose, _, _, m in luck.log if purpose == "OU-D2"] == [0, 1]
    assert sum(hero.dodged + (hero.damage_taken > 0) for hero in fight.heroes[2:]) == 0


@pytest.mark.rule("OU-P5", "OU-G7")
def test_w43_a_lone_screen_is_not_enough() -> None:
    fight = fight_of([W, R, M], [("zombie", 3)])
    ou.lose_health(fight, fight.heroes[1], 99)

    ou.step_up(fight)

    assert fight.heroes[2].front
    assert ou.plain_action(fight, fight.heroes[2])[0] == "melee"


@pytest.mark.rule("OU-A4")
def test_w44_an_empty_front_lays_the_rear_open() -> None:
    fight = fight_of([W], [("gobbo", 1), ("gobbo_archer", 2)])
    screened = ou.melee_targets(fight)
    fight.groups[0].n = 0

    assert screened == [fight.groups[0]]
    assert ou.melee_targets(fight) == [fight.groups[1]]


# 13.5 Engagement and scaling

ROWS = ("enraged", "hostile", "indifferent", "friendly")


@pytest.mark.rule("OU-S8")
@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        pytest.param(["gobbo"], [10, 16, 9, 1], id="w45"),
        pytest.param(["wight"], [6, 15, 12, 3], id="w46"),
        pytest.param(["gobbo", "gobbo_dog"], [15, 15, 6, 0], id="w47"),
        pytest.param(["gobbo", "skeleton"], [0, 36, 0, 0], id="w48"),
    ],
)
def test_w45_to_w48_talk(kinds: list[str], expected: list[int]) -> None:
    chances = chances_of(ou.talk, [W], [(kind, 1) for kind in kinds])

    assert [36 * chances.get(row, F(0)) for row in ROWS] == expected


def test_w48_is_settled_without_a_roll() -> None:
    luck = Scripted()

    assert ou.talk(fight_of([W], [("skeleton", 1), ("gobbo", 1)], luck)) == "hostile"
    assert luck.log == []


def sneak_chance(alert: int, check: str) -> F:
    scenario = {
        "heroes": [{"class": name} for name in ou.STANDARD_PARTY],
        "enemies": [{"type": "gobbo", "count": 1, "alert": alert}],
        "switches": {"stealth_check": check},
    }
    prepared = ou.prepare(scenario)
    return every_course(lambda luck: ou.sneak_past(ou.set_up(prepared, luck)))[True]


@pytest.mark.rule("OU-S9")
def test_w49_who_must_pass_the_stealth_check() -> None:
    checks = ("majority", "all", "leader", "weakest")

    assert [sneak_chance(2, check) for check in checks] == [F(5, 6), F(1, 8), F(3, 4), F(1, 2)]


@pytest.mark.rule("OU-S9")
def test_w50_alertness() -> None:
    assert [sneak_chance(alert, "majority") for alert in (1, 3, 4)] == [F(749, 768), F(139, 256), F(1, 6)]


@pytest.mark.rule("OU-S3")
def test_w51_scaling_by_number() -> None:
    fights = [
        fight_of([W], [("skeleton", 3)], level=level, switches={"monster_scaling": "number"})
        for level in (1, 3, 5, 7, 9)
    ]

    assert [fight.groups[0].n for fight in fights] == [3, 4, 6, 7, 9]


@pytest.mark.rule("OU-S3")
def test_w52_scaling_by_all_at_level_10() -> None:
    fight = fight_of([W], [("skeleton", 3)], level=10, switches={"monster_scaling": "all"})
    group = fight.groups[0]

    assert (group.n, ou.attack_value(fight, group)) == (9, 7)
    assert (group.defence_against("edged"), group.defence_against("blunt")) == (7, 6)


# 11.1: the table of grown dice


def test_dice_and_feats_by_level() -> None:
    def dice(name: str, level: int) -> tuple[int, ...]:
        hero = fight_of([name], [("gobbo", 1)], level=level).heroes[0]
        return hero.vigor, hero.wise, hero.quick, hero.smart

    def feats(level: int, **switches: str) -> int:
        return len(fight_of([W], [("gobbo", 1)], level=level, switches=switches).heroes[0].feats)

    assert [dice(W, level) for level in (1, 3, 5, 7, 9, 10)] == [
        (8, 4, 6, 4), (8, 4, 8, 4), (10, 4, 8, 4), (10, 4, 10, 4), (12, 4, 10, 4), (12, 6, 10, 4),
    ]  # fmt: skip
    assert [dice(name, 10) for name in (R, M, P)] == [(8, 4, 12, 8), (8, 8, 4, 12), (8, 12, 6, 6)]
    assert [feats(level) for level in range(1, 11)] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert [feats(level, feat_start="level1") for level in range(1, 11)] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


# Rules without a worked example


@pytest.mark.rule("OU-F5")
def test_a_warrior_accepts_the_blade_once_per_round() -> None:
    guard = {"class": W, "feats": ["accept_the_blade"]}
    fight = fight_of([guard, {"class": R, "health": 1}], [("zombie", 2)], Scripted({("OU-D2", 1, 0): 1}))
    rogue, zombies = fight.heroes[1], fight.groups[0]

    ou.monster_attack(fight, zombies, rogue, 0)
    after_first = [hero.health for hero in fight.heroes]
    ou.monster_attack(fight, zombies, rogue, 1)

    assert after_first == [7, 1]
    assert [hero.health for hero in fight.heroes] == [7, 0]


@pytest.mark.rule("OU-F6")
def test_a_shield_bash_holds_one_monster_back_or_invites_a_blow() -> None:
    basher = {"class": W, "feats": ["shield_bash"]}
    good, bad = Scripted(), Scripted(high=False)

    held = fight_of([basher], [("skeleton", 2)], good)
    ou.shield_bash(held, held.heroes[0], held.groups[0])
    ou.monster_phase(held)
    hurt = fight_of([basher], [("skeleton", 2)], bad)
    ou.shield_bash(hurt, hurt.heroes[0], hurt.groups[0])

    assert [m for purpose, _, _, m in good.log if purpose == "OU-D2"] == [0]
    assert hurt.heroes[0].health == 8
    assert ("OU-D2", 1, 1000, 5000) in bad.log


@pytest.mark.rule("OU-S11")
def test_a_trap_catches_a_front_hero() -> None:
    prepared = ou.prepare({**ou.SCENARIOS["playtest-1"], "trap": True})

    def damage(luck: Any) -> int:
        fight = ou.set_up(prepared, luck)
        ou.spring_trap(fight)
        return sum(hero.damage_taken for hero in fight.heroes)

    # the check fails with 1/3, 1/4 and 1/2 for warrior, rogue and priest
    assert every_course(damage)[0] == 1 - F(1, 3) * (F(1, 3) + F(1, 4) + F(1, 2))


@pytest.mark.rule("OU-Y4")
def test_a_fallen_hero_stands_up_and_acts_from_the_next_round_on() -> None:
    luck = Scripted({("OU-Y4", 1, 0): 3})
    fight = fight_of([P, W], [("skeleton", 9)], luck, policy="cautious", switches={"heal_downed": "yes"}, level=1)
    ou.lose_health(fight, fight.heroes[1], 99)

    ou.hero_phase(fight)

    assert fight.heroes[1].health == 3
    assert fight.heroes[1].kills == 0


def test_items_change_the_totals_they_name() -> None:
    fight = fight_of([{"class": W, "items": dict.fromkeys(ou.ITEMS, 1)}], [("skeleton", 3)])
    hero, group = fight.heroes[0], fight.groups[0]

    for item, target in (("war_tonic", None), ("stone_oil", None), ("smoke_flask", group), ("acid_flask", group)):
        ou.use_item(fight, hero, item, target)

    assert ou.attack_bonus(fight, hero, "neutral", 1) == 2
    assert ou.defence_bonus(fight, hero, "neutral") == 1
    assert ou.attack_value(fight, group) == 2
    assert (group.defence_against("edged"), group.defence_against("blunt")) == (2, 1)


def test_every_switch_value_and_preset_is_played() -> None:
    for name, values in ou.SWITCHES.items():
        for value in values:
            scenario = {**ou.SCENARIOS["gobbo-dungeon"], "policy": "random_legal", "switches": {name: value}}
            assert ou.play(ou.prepare(scenario), AddressedLuck(1, 2)).outcome
    for preset in ou.PRESETS:
        assert ou.play(ou.prepare({**ou.SCENARIOS["playtest-1"], "preset": preset}), AddressedLuck(1, 2)).outcome


def test_the_same_address_gives_the_same_run() -> None:
    prepared = ou.prepare({**ou.SCENARIOS["warband"], "policy": "random_legal"})

    first = [ou.play(prepared, AddressedLuck(7, run)) for run in range(5)]
    second = [ou.play(prepared, AddressedLuck(7, run), trace=[]) for run in reversed(range(5))]

    assert first == second[::-1]


@pytest.mark.parametrize("start", range(0, 300, 100))
def test_random_scenarios_keep_their_books(start: int) -> None:
    for seed in range(start, start + 100):
        scenario = random_scenario(seed)
        prepared = ou.prepare(scenario)
        result = ou.play(prepared, AddressedLuck(seed, 0))
        begun = [sheet.health for sheet in prepared.heroes]
        most = [sheet.max_health for sheet in prepared.heroes]
        removed = sum(result.monsters_start) - sum(result.monsters_left)

        assert scenario == random_scenario(seed)
        assert result.outcome in ("win", "loss", "draw", "avoided", "empty")
        assert all(0 <= health <= maximum for health, maximum in zip(result.health, most, strict=True))
        books = zip(begun, result.damage_taken, result.restored, strict=True)
        assert result.health == [health - lost + gained for health, lost, gained in books]
        assert sum(result.kills) == removed
        assert (result.outcome == "win") == (removed > 0 and sum(result.monsters_left) == 0 and result.standing > 0)
        assert (result.outcome == "loss") == (result.standing == 0)


# 13.6 and section 12, sampled


def win_rate(scenario: dict[str, Any], runs: int) -> float:
    """Wins among the runs that are not empty, with a fixed seed."""
    prepared = ou.prepare(scenario)
    luck = PythonLuck(2024)
    outcomes = [ou.play(prepared, luck).outcome for _ in range(runs)]
    return outcomes.count("win") / (runs - outcomes.count("empty"))


@pytest.mark.parametrize(
    ("heroes", "enemies", "more", "chance"),
    [
        pytest.param([W], [("skeleton", 4)], {}, 0.847387172783, id="X03"),
        pytest.param([W], [("skeleton", 4)], {"switches": {"defense_die": "quick"}}, 0.748013710012, id="X03h"),
        pytest.param([R], [("gobbo", 3)], {"policy_options": {"rogue_sneak": True}}, 0.671307595485, id="X05a"),
        pytest.param([R], [("ghoul", 4)], {}, 0.811881264582, id="X08a"),
        pytest.param(
            [W, R], [("skeleton", 2), ("zombie", 1)], {"switches": {"monster_targeting": "spread"}}, 0.958816984137,
            id="X07c",
        ),
    ],
)  # fmt: skip
def test_exact_encounters(heroes: Any, enemies: Any, more: Any, chance: float) -> None:
    runs = 4000

    rate = win_rate(ou.scenario(heroes, enemies, **more), runs)

    assert abs(rate - chance) < 4 * math.sqrt(chance * (1 - chance) / runs)


@pytest.mark.parametrize(
    ("name", "policy", "percent", "runs"),
    [
        ("solo-four-skeletons", "random_legal", 86.2, 2000),
        ("solo-four-skeletons", "cautious", 84.2, 2000),
        ("solo-four-skeletons", "focus_expert", 88.7, 1000),
        ("playtest-1", "random_legal", 91.3, 1500),
        ("playtest-1", "plain", 98.7, 3000),
        ("crypt-swarm", "random_legal", 44.3, 1000),
        ("crypt-swarm", "plain", 69.1, 2000),
        ("crypt-swarm", "aggressive", 92.0, 1500),
        ("crypt-swarm", "cautious", 72.6, 1500),
        ("crypt-swarm", "focus_expert", 95.8, 800),
        ("ghoul-pack", "random_legal", 96.2, 1000),
        ("wight-court", "random_legal", 64.6, 1000),
        ("wight-court", "plain", 78.9, 1000),
        ("warband", "random_legal", 40.6, 800),
        ("warband", "plain", 84.6, 1000),
        ("warband", "aggressive", 88.2, 800),
        ("warband", "cautious", 81.7, 800),
        ("warband", "focus_expert", 97.5, 500),
        ("narrow-stair", "random_legal", 93.2, 1000),
        ("gobbo-dungeon", "random_legal", 94.1, 1500),
    ],
)
def test_sampled_win_rates(name: str, policy: str, percent: float, runs: int) -> None:
    expected = percent / 100

    rate = win_rate({**ou.SCENARIOS[name], "policy": policy}, runs)

    # the table itself was sampled with 20 000 runs
    assert abs(rate - expected) < 4 * math.sqrt(expected * (1 - expected) * (1 / runs + 1 / 20_000))


@pytest.mark.parametrize(
    ("level", "policy", "percent"),
    [(3, "plain", 80.9), (5, "plain", 10.5), (5, "focus_expert", 93.9), (7, "focus_expert", 50.6)],
)
def test_sampled_win_rates_of_the_ladder(level: int, policy: str, percent: float) -> None:
    runs, expected = 500, percent / 100

    rate = win_rate({**ou.SCENARIOS["playtest-1-ladder"], "level": level, "policy": policy}, runs)

    assert abs(rate - expected) < 4 * math.sqrt(expected * (1 - expected) * (1 / runs + 1 / 5_000))

"""The referee of Brimstone against the worked examples of its specification, the exact duel, and itself.

Most examples are small enough to be played with every possible roll: `chances` walks the whole tree of chance and
returns exact probabilities.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.start_lines import START_LINES, StartLine
from tests.oracle.luck import AddressedLuck, PythonLuck
from tests.oracle.random_brimstone import random_scenario

F = Fraction
OFF = {"grit_use": "off", "revive_tokens": 0}

# ---------------------------------------------------------------------------------------------------------------------
# Luck for tests
# ---------------------------------------------------------------------------------------------------------------------


class TreeLuck:
    """Luck that follows a path of choices and takes the first choice beyond its end."""

    def __init__(self, path: Sequence[int] = ()) -> None:
        self.path = path
        self.taken: list[tuple[int, int]] = []  # choice, out of how many

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        step = len(self.taken)
        choice = self.path[step] if step < len(self.path) else 0
        self.taken.append((choice, n))
        return choice

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return 1 + self.below(sides, purpose, round, actor, index)

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        left, ordered = list(items), []
        while left:
            ordered.append(left.pop(self.below(len(left), purpose, round, actor) if len(left) > 1 else 0))
        return ordered


class FixedLuck(TreeLuck):
    """Luck that answers by purpose: the same roll for every draw of it, or a list used up in turn; else 1."""

    def __init__(self, rolls: dict[str, Any]) -> None:
        super().__init__()
        self.rolls = rolls

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        roll = self.rolls.get(purpose, 1)
        return int(roll.pop(0) if isinstance(roll, list) else roll) - 1


class OnceLuck(AddressedLuck):
    """Luck that notes when it is asked twice at one address, and refuses what is outside the bounds of an address."""

    def __init__(self, seed: int, run: int) -> None:
        super().__init__(seed, run)
        self.asked: set[tuple[str, int, int, int]] = set()
        self.twice: set[tuple[str, int, int, int]] = set()

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        address = (purpose, round, actor, index)
        if address in self.asked:
            self.twice.add(address)
        assert 0 <= round < 2**24, address
        assert 0 <= actor < 2**20, address
        assert 0 <= index < 2**20, address
        self.asked.add(address)
        return super().below(n, purpose, round, actor, index)


def chances(experiment: Callable[[TreeLuck], Hashable]) -> dict[Any, Fraction]:
    """The exact probability of every result of an experiment."""
    results: dict[Any, Fraction] = {}
    paths: list[tuple[int, ...]] = [()]
    while paths:
        path = paths.pop()
        luck = TreeLuck(path)
        result = experiment(luck)
        weight = Fraction(1)
        for _, n in luck.taken:
            weight /= n
        results[result] = results.get(result, Fraction(0)) + weight
        choices = tuple(choice for choice, _ in luck.taken)
        for step in range(len(path), len(choices)):
            paths += [(*choices[:step], other) for other in range(1, luck.taken[step][1])]
    return results


def chance(experiment: Callable[[TreeLuck], bool]) -> Fraction:
    return chances(experiment).get(True, Fraction(0))


def mean(experiment: Callable[[TreeLuck], int]) -> Fraction:
    return sum((value * weight for value, weight in chances(experiment).items()), Fraction(0))


# ---------------------------------------------------------------------------------------------------------------------
# Positions
# ---------------------------------------------------------------------------------------------------------------------


def scene(
    luck: Any,
    heroes: list[dict[str, Any]],
    enemies: Sequence[tuple[str | dict[str, Any], tuple[int, int] | None]] = (),
    board: Any = (7, 7),
    turn: int = 1,
    **more: Any,
) -> bf.Fight:
    """A fight in the middle of a turn, enemies on given squares; `board` is (width, height), a drawing or "none"."""
    scenario: dict[str, Any] = {"heroes": heroes} | more
    lines = [{"type": kind} if isinstance(kind, str) else kind for kind, _ in enemies]
    unique: list[dict[str, Any]] = []
    for line in lines:
        if line not in unique:
            unique.append(line)
    scenario["events"] = [{"turn": 99, "enemies": unique}] if unique else []
    if isinstance(board, tuple):
        scenario["width"], scenario["height"] = board
    else:
        scenario["board"] = board
    prepared = bf.prepare(scenario)
    fight = bf.Fight(prepared, luck)
    numbers = [line.kind for line in prepared.events[0].lines] if unique else []
    prepared.events.clear()
    for line, (_, square) in zip(lines, enemies, strict=True):
        group = fight.group_of(numbers[unique.index(line)], 1)
        fight.join(group, 1 if square is None else at(fight, *square))
    fight.turn = turn
    return fight


def at(fight: bf.Fight, x: int, y: int) -> int:
    return fight.board.at(x - 1, y - 1)


def xy(fight: bf.Fight, square: int) -> tuple[int, int]:
    return fight.board.xs[square] + 1, fight.board.ys[square] + 1


def hero_at(x: int, y: int, cls: str = "lawman", **more: Any) -> dict[str, Any]:
    return {"class": cls, "square": [x, y]} | more


def act(fight: bf.Fight, kind: bf.Model) -> None:
    """Phase A of the group of a model."""
    fight.phase_b = lambda group: None  # type: ignore[method-assign]
    fight.activate_group(kind.group)


def targets(fight: bf.Fight) -> tuple[int | None, ...]:
    return tuple(None if model.target is None else model.target.number for model in fight.slots)


def squares_of(prepared: bf.Prepared, name: str, luck: Any = None) -> list[tuple[int, int]]:
    fight = bf.Fight(prepared, luck or PythonLuck(1))
    fight.set_up()
    return [xy(fight, model.sq) for model in fight.slots if model.kind.name == name]


# ---------------------------------------------------------------------------------------------------------------------
# WE1 to WE4: placement and Initiative
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BF-S9", "BF-S10", "BF-S11", "BF-S12")
def test_we1_two_types_are_placed_lowest_initiative_first() -> None:
    prepared = bf.prepare(
        {
            "width": 6,
            "height": 6,
            "heroes": [hero_at(2, 1), hero_at(3, 1)],
            "enemies": [{"type": "hellbats", "count": 4}, {"type": "hungry_dead", "count": 3}],
        }
    )

    assert squares_of(prepared, "hungry_dead") == [(1, 6), (3, 6), (5, 6)]
    assert squares_of(prepared, "hellbats") == [(2, 5), (4, 5), (6, 5), (1, 4)]


@pytest.mark.rule("BF-S11", "BF-S12")
def test_we2_placement_on_a_ragged_tile() -> None:
    prepared = bf.prepare(
        {
            "board": """
                # # . . # # #
                # # . . . . #
                . . . . . . #
                . . . . . . .
                # . . . . . .
                # # # . . # #
                # # # . . # #
            """,
            "heroes": [hero_at(4, 1), hero_at(5, 1)],
            "enemies": [{"type": "hellbats", "count": 6}, {"type": "gulch_snipers", "count": 2}],
        }
    )

    assert squares_of(prepared, "gulch_snipers") == [(3, 7), (4, 6)]
    assert squares_of(prepared, "hellbats") == [(6, 6), (1, 5), (3, 5), (5, 5), (2, 4), (4, 4)]


@pytest.mark.rule("BF-S12", "BF-S13")
def test_we3_overflow_fills_the_gaps_and_a_ninth_model_is_refused() -> None:
    scenario = {
        "width": 3,
        "height": 3,
        "heroes": [hero_at(2, 1)],
        "enemies": [{"type": "tentacles", "count": 8}],
    }

    expected = [(1, 3), (3, 3), (2, 2), (1, 1), (3, 1), (2, 3), (1, 2), (3, 2)]
    assert squares_of(bf.prepare(scenario), "tentacles") == expected
    with pytest.raises(ValueError, match="BF-S13"):
        bf.prepare(scenario | {"enemies": [{"type": "tentacles", "count": 9}]})


@pytest.mark.rule("BF-T3", "BF-T4", "BF-S18")
@pytest.mark.parametrize(
    ("ambush", "ties", "expected"),
    [
        (False, "enemies_first", "gunslinger stranglers us_marshal bandido tentacles preacher"),
        (True, "enemies_first", "stranglers gunslinger tentacles us_marshal bandido preacher"),
        (True, "heroes_first", "gunslinger stranglers us_marshal tentacles bandido preacher"),
    ],
)
def test_we4_initiative_order(ambush: bool, ties: str, expected: str) -> None:
    prepared = bf.prepare(
        {
            "width": 8,
            "height": 8,
            "ambush": ambush,
            "heroes": bf.FOUR,
            "enemies": [{"type": "stranglers", "count": 2}, {"type": "tentacles", "count": 2}],
            "switches": {"initiative_ties": ties},
        }
    )
    fight = bf.Fight(prepared, PythonLuck(3))
    fight.set_up()
    fight.turn = 1

    slots = fight.slots_of(fight.standing, fight.groups_that_act())

    names = [slot[3].name if isinstance(slot[3], bf.Hero) else slot[3].kind.name for slot in slots]
    assert " ".join(names) == expected


@pytest.mark.rule("BF-T4")
def test_tied_heroes_are_in_random_order_or_in_posse_order() -> None:
    def first(luck: TreeLuck, choice: str) -> int:
        fight = scene(luck, [{"class": "lawman"}] * 3, switches={"party_choice": choice})
        slot = fight.slots_of(fight.standing, [])[0][3]
        assert isinstance(slot, bf.Hero)
        return slot.number

    assert set(chances(lambda luck: first(luck, "random")).values()) == {F(1, 3)}
    assert chances(lambda luck: first(luck, "best_for_party")) == {0: 1}


# ---------------------------------------------------------------------------------------------------------------------
# WE5 to WE13: enemies choose and move
# ---------------------------------------------------------------------------------------------------------------------


def spread_of(luck: TreeLuck, heroes: int, models: int, **switches: Any) -> tuple[int | None, ...]:
    enemies = [("tentacles", None)] * models
    fight = scene(luck, [{"class": "lawman"}] * heroes, enemies, board="none", switches=switches)
    for model in list(fight.living):
        fight.melee(model, heroes, models)
    return targets(fight)


@pytest.mark.rule("BF-E3")
def test_we5_targets_are_spread_evenly_only_if_there_are_more_heroes() -> None:
    two_on_three = chances(lambda luck: spread_of(luck, 3, 2))
    three_on_three = chances(lambda luck: spread_of(luck, 3, 3))
    three_on_four = chances(lambda luck: spread_of(luck, 4, 3))
    free_for_all = chances(lambda luck: spread_of(luck, 4, 3, targeting_spread="always_random"))
    even = chances(lambda luck: spread_of(luck, 2, 3, targeting_spread="always_even"))

    assert all(len(set(found)) == 2 for found in two_on_three)
    assert sum(p for found, p in two_on_three.items() if 0 in found) == F(2, 3)
    assert sum(p for found, p in three_on_three.items() if len(set(found)) == 1) == F(1, 9)
    assert sum(p for found, p in three_on_three.items() if len(set(found)) == 3) == F(2, 9)
    assert sum(p for found, p in free_for_all.items() if 0 not in found) == F(27, 64)
    assert sum(p for found, p in three_on_four.items() if 0 not in found) == F(1, 4)
    assert all(len(set(found)) == 2 for found in even)


@pytest.mark.rule("BF-E4", "BF-E5.1", "BF-E5.2")
@pytest.mark.parametrize(
    ("first_down", "expected"), [(False, {0: F(1, 2), 1: F(1, 2)}), (True, {1: F(1, 2), 2: F(1, 2)})]
)
def test_we6_a_melee_enemy_keeps_an_adjacent_target(first_down: bool, expected: dict[int, Fraction]) -> None:
    def chosen(luck: TreeLuck) -> int | None:
        posse = [hero_at(2, 2), hero_at(4, 2), hero_at(6, 2)]
        fight = scene(luck, posse, [("slashers", (4, 3)), ("slashers", (6, 3))])
        one, two = fight.slots
        one.target, two.target = fight.heroes[1], fight.heroes[2]
        fight.relocate(fight.heroes[1], at(fight, 4, 5))
        if first_down:
            fight.revive = 0
            fight.fall(fight.heroes[0])
        act(fight, one)
        assert two.target is fight.heroes[2]
        assert xy(fight, two.sq) == (6, 3)
        return targets(fight)[0]

    assert chances(chosen) == expected


@pytest.mark.rule("BF-E5.1")
def test_retarget_each_turn_drops_kept_targets() -> None:
    def chosen(luck: TreeLuck) -> int | None:
        posse = [hero_at(3, 3), hero_at(5, 3)]
        switches = {"melee_stickiness": "retarget_each_turn", "targeting_spread": "always_random"}
        fight = scene(luck, posse, [("tentacles", (4, 3))], switches=switches)
        fight.slots[0].target = fight.heroes[0]
        act(fight, fight.slots[0])
        return targets(fight)[0]

    assert chances(chosen) == {0: F(1, 2), 1: F(1, 2)}


def goes_to(
    luck: TreeLuck, kind: Any, start: tuple[int, int], posse: list[dict[str, Any]], board: Any, **more: Any
) -> tuple[tuple[int, int], int | None]:
    fight = scene(luck, posse, [(kind, start)], board, **more)
    act(fight, fight.slots[0])
    return xy(fight, fight.slots[0].sq), targets(fight)[0]


@pytest.mark.rule("BF-E5.2", "BF-E5.3", "BF-E5.4")
@pytest.mark.parametrize(
    ("move", "squares"),
    [
        (2, [(3, 3), (4, 3), (5, 3)]),
        (3, [(3, 2), (5, 2)]),
        (4, [(3, 1), (4, 1), (5, 1)]),
        (9, [(3, 1), (4, 1), (5, 1)]),
    ],
)
def test_we7_a_melee_enemy_goes_to_the_far_side(move: int, squares: list[tuple[int, int]]) -> None:
    kind = {"type": "tentacles", "move": move}

    found = chances(lambda luck: goes_to(luck, kind, (4, 5), [hero_at(4, 2)], (7, 7)))

    assert found == {(square, 0): F(1, len(squares)) for square in squares}


def test_we7_one_step_is_not_within_movement_range() -> None:
    kind = {"type": "tentacles", "move": 1}

    found = chances(lambda luck: goes_to(luck, kind, (4, 5), [hero_at(4, 2)], (7, 7)))

    assert {target for _, target in found} == {None}


def test_we7_occupied_squares_are_left_out() -> None:
    def where(luck: TreeLuck) -> tuple[int, int]:
        others = [("corpse_pile", square) for square in ((3, 1), (4, 1), (5, 1))]
        fight = scene(luck, [hero_at(4, 2)], [("tentacles", (4, 5)), *others])
        act(fight, fight.slots[0])
        return xy(fight, fight.slots[0].sq)

    assert chances(where) == {(3, 2): F(1, 2), (5, 2): F(1, 2)}


@pytest.mark.rule("BF-E5.3")
def test_reposition_when_adjacent_can_be_switched_off() -> None:
    def where(luck: TreeLuck, switch: str) -> tuple[tuple[int, int], int | None]:
        return goes_to(
            luck, "tentacles", (4, 3), [hero_at(4, 2)], (7, 7), switches={"reposition_when_adjacent": switch}
        )

    assert chances(lambda luck: where(luck, "off")) == {((4, 3), 0): 1}
    assert chances(lambda luck: where(luck, "on")) == {((x, 1), 0): F(1, 3) for x in (3, 4, 5)}


@pytest.mark.rule("BF-E14")
def test_best_for_party_takes_the_square_next_to_the_fewest_heroes() -> None:
    posse = [hero_at(4, 1), hero_at(3, 1), hero_at(5, 1)]

    found = chances(
        lambda luck: goes_to(
            luck, {"type": "tentacles", "move": 3}, (4, 5), posse, (7, 7), switches={"party_choice": "best_for_party"}
        )
    )

    assert ((3, 2), 0) in found
    assert ((4, 2), 0) not in found


@pytest.mark.rule("BF-E5.4", "BF-E11")
def test_we8_out_of_reach_it_comes_closer_without_a_target() -> None:
    kind = {"type": "tentacles", "move": 3}

    found = chances(lambda luck: goes_to(luck, kind, (9, 2), [hero_at(2, 2)], (9, 3)))

    assert found == {((6, y), None): F(1, 3) for y in (1, 2, 3)}


CORRIDOR = """
    . . .
    . . .
    # . #
    # . #
    # . #
    . . .
"""


@pytest.mark.rule("BF-E1", "BF-E2", "BF-G3")
@pytest.mark.parametrize("rule", ["any", "both"])
def test_we9_blocked_corridor(rule: str) -> None:
    def where(luck: TreeLuck) -> tuple[Any, ...]:
        enemies = [("tentacles", (2, 5)), ("tentacles", (2, 4))]
        fight = scene(luck, [hero_at(2, 1)], enemies, CORRIDOR, switches={"corner_rule": rule})
        act(fight, fight.slots[0])
        back, front = fight.slots
        return xy(fight, front.sq), xy(fight, back.sq), front.target is not None, back.target is not None

    if rule == "any":
        assert chances(where) == {((2, 2), (2, 3), True, False): 1}
    else:
        assert chances(where) == {
            ((1, 1), (3, 1), True, True): F(1, 2),
            ((3, 1), (1, 1), True, True): F(1, 2),
        }


@pytest.mark.rule("BF-E6.1", "BF-E6.2", "BF-E6.3")
@pytest.mark.parametrize(("move", "column", "target"), [(4, 9, 0), (2, 10, None)])
def test_we10_a_sniper_comes_until_it_has_a_shot(move: int, column: int, target: int | None) -> None:
    kind = {"type": "gulch_snipers", "move": move}

    found = chances(lambda luck: goes_to(luck, kind, (12, 2), [hero_at(1, 2)], (12, 3)))

    assert found == {((column, y), target): F(1, 3) for y in (1, 2, 3)}


@pytest.mark.rule("BF-E6.3")
def test_we10_a_sniper_prefers_adjacent_heroes() -> None:
    def target(luck: TreeLuck) -> int | None:
        posse = [hero_at(3, 4), hero_at(5, 4), hero_at(1, 1)]
        enemies = [("gulch_snipers", square) for square in ((4, 4), (7, 7), (7, 6))]
        fight = scene(luck, posse, enemies)
        fight.ranged(fight.slots[0], 3, 3)
        assert fight.slots[0].shoots
        assert xy(fight, fight.slots[0].sq) == (4, 4)
        return targets(fight)[0]

    assert chances(target) == {0: F(1, 2), 1: F(1, 2)}


@pytest.mark.rule("BF-E7.1", "BF-E7.4")
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((3, 3), (5, 5), {(0, False): 1}),
        ((1, 1), (5, 5), {(1, False): 1}),
        ((1, 1), (7, 7), {(0, True): F(1, 2), (1, True): F(1, 2)}),
    ],
)
def test_we11_melee_or_ranged(first: tuple[int, int], second: tuple[int, int], expected: dict[Any, Any]) -> None:
    def choice(luck: TreeLuck) -> tuple[int | None, bool]:
        fight = scene(luck, [hero_at(*first), hero_at(*second)], [("crimson_hand", (4, 4))])
        model = fight.slots[0]
        model.target = fight.heroes[0]
        fight.prepared.switches["targeting_spread"] = "always_random"
        act(fight, model)
        assert xy(fight, model.sq) == (4, 4)
        return targets(fight)[0], model.shoots

    assert chances(choice) == expected


@pytest.mark.rule("BF-E7.2", "BF-E7.3")
def test_a_cultist_avoids_squares_next_to_heroes_if_it_can() -> None:
    kind = {"type": "crimson_hand", "move": 9, "weapon": {"range": 2, "shots": 1, "damage": 5}}
    corridor = "....................."

    free = chances(lambda luck: goes_to(luck, kind, (10, 1), [hero_at(1, 1)], corridor))
    forced = kind | {"weapon": {"range": 1, "shots": 1, "damage": 5}}
    beside = chances(lambda luck: goes_to(luck, forced, (10, 1), [hero_at(1, 1)], corridor))

    assert free == {((3, 1), 0): 1}
    assert beside == {((2, 1), 0): 1}


@pytest.mark.rule("BF-E8.3", "BF-E8.4")
def test_we12_shootout_markers_spread_the_shots() -> None:
    def shot_at(luck: TreeLuck) -> tuple[int | None, ...]:
        posse = [hero_at(x, 1) for x in (2, 4, 6)]
        fight = scene(luck, posse, [("bandits", (3, 5)), ("bandits", (5, 5))])
        for model in fight.slots:
            fight.shootout(model, 3, 2)
            assert model.shoots
        return targets(fight)

    found = chances(shot_at)

    assert all(first != second for first, second in found)
    assert sum(p for pair, p in found.items() if 0 in pair) == F(2, 3)


@pytest.mark.rule("BF-E8.1", "BF-E8.2")
def test_we12_an_adjacent_bandit_retreats_half_of_the_time() -> None:
    def shoots(luck: TreeLuck) -> bool:
        fight = scene(luck, [hero_at(4, 1)], [("bandits", (4, 2))])
        fight.shootout(fight.slots[0], 1, 1)
        assert fight.slots[0].shoots == (not fight.adjacent_heroes(fight.slots[0].sq))
        return fight.slots[0].shoots

    assert chance(shoots) == F(1, 2)


@pytest.mark.rule("BF-E8.5")
def test_a_bandit_without_a_shot_at_its_choice_comes_closer_and_takes_another() -> None:
    def choice(luck: TreeLuck) -> tuple[int | None, int]:
        posse = [hero_at(1, 1), hero_at(20, 1)]
        fight = scene(luck, posse, [({"type": "bandits", "move": 2}, (16, 1))], "." * 20)
        fight.shootout(fight.slots[0], 2, 1)
        return targets(fight)[0], xy(fight, fight.slots[0].sq)[0]

    assert chances(choice) == {(1, 16): F(1, 2), (1, 14): F(1, 2)}


def ambushed(luck: TreeLuck, heroes: list[dict[str, Any]], kind: str, count: int, **switches: Any) -> bf.Fight:
    prepared = bf.prepare(
        {
            "width": 9,
            "height": 9,
            "ambush": True,
            "heroes": heroes,
            "enemies": [{"type": kind, "count": count}],
            "switches": switches,
        }
    )
    fight = bf.Fight(prepared, luck)
    fight.set_up()
    return fight


@pytest.mark.rule("BF-S14", "BF-S15", "BF-S18")
def test_we13_ambush_spread() -> None:
    posse = [hero_at(3, 3), hero_at(7, 7)]

    def split(luck: TreeLuck, **switches: Any) -> tuple[int, ...]:
        # The squares do not matter here: always the first free one.
        fight = bf.Fight(bf.prepare({"width": 9, "height": 9, "heroes": posse, "switches": switches}), luck)
        fight.best_for_party = lambda squares: squares[:1]  # type: ignore[method-assign]
        fight.arrive({bf.TYPE_NUMBER["scourge_rats"]: 3}, True, 1, 0, 0, 1, 1)
        fight.turn = 1
        assert fight.initiative(fight.slots[0].group) == 10
        assert all(model.sq in fight.board.near[model.target.sq] for model in fight.slots if model.target)
        return tuple(sorted(Counter(targets(fight)).values()))

    assert chances(split)[(3,)] == F(1, 4)
    assert chances(lambda luck: split(luck, ambush_spread="even")) == {(1, 2): 1}
    assert chances(lambda luck: split(luck, ambush_spread="follow_targeting"))[(3,)] == F(1, 4)


@pytest.mark.rule("BF-S15")
def test_follow_targeting_counts_the_models_still_to_come() -> None:
    for seed in range(30):
        fight = ambushed(PythonLuck(seed), [hero_at(2, 2), hero_at(5, 5), hero_at(8, 8)], "scourge_rats", 2,
                         ambush_spread="follow_targeting")  # fmt: skip
        assert len(set(targets(fight))) == 2


@pytest.mark.rule("BF-S16", "BF-S17")
def test_ambush_without_room_and_of_shooters() -> None:
    crowded = ambushed(PythonLuck(1), [hero_at(1, 1)], "scourge_rats", 5)
    far = ambushed(PythonLuck(1), [hero_at(1, 1)], "bandits", 3)

    assert [model.target is None for model in crowded.slots] == [False, False, False, True, True]
    assert {crowded.steps_to_hero(model.sq) for model in crowded.slots[3:]} == {2}
    assert {far.steps_to_hero(model.sq) for model in far.slots} == {8}
    assert targets(far) == (None, None, None)


# ---------------------------------------------------------------------------------------------------------------------
# WE14: the board
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BF-G3", "BF-G5", "BF-G6")
def test_we14_line_of_sight_and_corners_on_the_pillars_board() -> None:
    strict = bf.read_board({"board": bf.PILLARS}, "any")
    loose = bf.read_board({"board": bf.PILLARS}, "both")

    def sees(board: bf.Board, a: tuple[int, int], b: tuple[int, int]) -> bool:
        return board.sight(board.at(a[0] - 1, a[1] - 1))[board.at(b[0] - 1, b[1] - 1)]

    assert sees(strict, (1, 8), (5, 1))
    assert not sees(strict, (1, 8), (4, 1))
    assert strict.at(3, 5) not in strict.near[strict.at(2, 6)]
    assert loose.at(3, 5) in loose.near[loose.at(2, 6)]
    assert not sees(strict, (2, 7), (4, 5))
    assert not sees(loose, (2, 7), (4, 5))
    assert not sees(strict, (3, 7), (4, 6))
    assert sees(loose, (3, 7), (4, 6))


@pytest.mark.rule("BF-G6")
@pytest.mark.parametrize("rule", ["any", "both"])
def test_sight_is_symmetric_and_adjacent_squares_see_each_other(rule: str) -> None:
    board = bf.read_board({"board": ". . # .\n. # . .\n. . . #\n# . . ."}, rule)

    for a in board.floor:
        for b in board.floor:
            assert board.sight(a)[b] == board.sight(b)[a]
        assert all(board.sight(a)[b] for b in board.near[a])


@pytest.mark.rule("BF-G6")
def test_a_corner_between_two_walls_blocks_both_sight_rules() -> None:
    board = bf.read_board({"board": "# .\n. #"}, "both")

    assert not board.sight(board.at(0, 0))[board.at(1, 1)]
    assert board.at(1, 1) not in board.near[board.at(0, 0)]


@pytest.mark.rule("BF-G4")
def test_steps_on_an_open_board_are_the_larger_difference() -> None:
    board = bf.read_board({"width": 5, "height": 4}, "any")

    assert all(board.steps(a)[b] == board.ranges[a][b] for a in board.floor for b in board.floor)


# ---------------------------------------------------------------------------------------------------------------------
# WE15 to WE18: heroes hit enemies
# ---------------------------------------------------------------------------------------------------------------------

BIG = {"type": "tentacles", "health": 60}


def wounds_of(luck: Any, cls: str, mode: str, enemy: Any = BIG, **more: Any) -> int:
    fight = scene(luck, [{"class": cls, "policy": "aggressive"}], [(enemy, None), ("tentacles", None)], board="none",
                  switches=OFF, **more)  # fmt: skip
    hero, model = fight.heroes[0], fight.slots[0]
    fight.first_enemy = lambda *_: model  # type: ignore[method-assign]
    fight.attack(hero, next(each for each in hero.sheet.modes if each.name == mode), 0)
    return model.taken


@pytest.mark.rule("BF-H16", "BF-H17", "BF-A11", "BF-P3", "BF-P4")
def test_we15_shotgun() -> None:
    found = chances(lambda luck: wounds_of(luck, "us_marshal", "shotgun"))

    assert sum(wounds * p for wounds, p in found.items()) == F(75, 32)
    assert sum(p for wounds, p in found.items() if wounds >= 4) == F(21, 64)
    assert found[0] == F(7, 16)


@pytest.mark.rule("BF-P3", "BF-P4")
def test_we15_the_marshal_prefers_the_shotgun() -> None:
    fight = scene(PythonLuck(1), [{"class": "us_marshal"}], [("tentacles", None)], board="none")
    hero = fight.heroes[0]
    values = {m.name: F(bf.attack_value(m, 4, fight.slots[0].kind, 1), bf.AV_PARTS) for m in hero.sheet.modes}

    assert values == {"melee": F(41, 18), "shotgun": F(75, 32)}
    best = fight.best_mode(hero, hero.sq)
    assert best is not None
    assert best[1].name == "shotgun"


@pytest.mark.rule("BF-A11", "BF-A12")
def test_we16_melee_against_a_fresh_tentacle() -> None:
    found = chances(lambda luck: wounds_of(luck, "lawman", "melee", "tentacles"))

    assert found[4] == F(389, 1296)
    assert found[0] == F(121, 324)


@pytest.mark.rule("BF-A11")
@pytest.mark.parametrize(
    ("kind", "distance", "normal", "critical"),
    [
        ("slashers", 1, 1, 3),
        ("goliath", 1, 2, 2),
        ("tentacles", 1, 3, 5),
        ("crimson_hand", 1, 3, 3),
        ("xenocyte_impalers", 3, 0, 5),
    ],
)
def test_we17_kinds_of_defence(kind: str, distance: int, normal: int, critical: int) -> None:
    for natural, expected in ((5, normal), (6, critical)):
        tough = {"type": kind, "health": 30}
        fight = scene(FixedLuck({"BF-A11": 5}), [hero_at(1, 1)], [(tough, (1 + distance, 1))])
        hero = fight.heroes[0]
        gun = hero.sheet.modes[1]
        fight.resolve_hit(bf.Attack(hero), gun, natural, 0)
        assert fight.slots[0].taken == expected


@pytest.mark.rule("BF-A11")
def test_we18_armor() -> None:
    def placed(luck: TreeLuck) -> int:
        kind = {"type": "drowned_dead", "health": 9}
        fight = scene(luck, [hero_at(1, 1)], [(kind, (2, 1)), (kind, (7, 7))])
        for hit, wounds in enumerate((1, 2)):
            fight.wound_enemy(fight.slots[0], wounds, None, "BF-A11/armor", 0, 100 * hit)
        return fight.slots[0].taken

    found = chances(placed)

    assert sum(wounds * p for wounds, p in found.items()) == 2
    assert found[0] == F(1, 27)
    assert found[2] + found[3] == F(20, 27)


# ---------------------------------------------------------------------------------------------------------------------
# WE19 to WE21: enemies hit heroes
# ---------------------------------------------------------------------------------------------------------------------


def wounds_from(luck: Any, enemy: Any, **hero: Any) -> int:
    fight = scene(luck, [{"class": "lawman", "health": 40} | hero], [(enemy, None)], board="none", switches=OFF)
    fight.slots[0].target = fight.heroes[0]
    fight.phase_b(fight.slots[0].group)
    return fight.heroes[0].taken


@pytest.mark.rule("BF-A1", "BF-A3", "BF-A4")
def test_we19_a_tentacle_attacks() -> None:
    assert chances(lambda luck: wounds_from(luck, "tentacles")) == {
        0: F(8, 27),
        3: F(4, 9),
        6: F(2, 9),
        9: F(1, 27),
    }


@pytest.mark.rule("BF-A1")
def test_we19_a_strangler_attacks() -> None:
    one_die = {"type": "stranglers", "combat": 1}

    assert 4 * mean(lambda luck: wounds_from(luck, one_die, defense=3)) == F(4, 3)
    # To Hit 6 or more stops the save from mattering: with no Defense worth having every hit on 5 in 6 goes through.
    assert 4 * mean(lambda luck: wounds_from(luck, one_die, defense=6)) == 4 * F(5, 6)


@pytest.mark.rule("BF-A8", "BF-U1")
@pytest.mark.parametrize(("before", "more", "stands", "taken"), [(6, 3, True, 3), (7, 3, False, 3), (9, 6, False, 1)])
def test_we20_ko_at_exactly_zero(before: int, more: int, stands: bool, taken: int) -> None:
    posse = [{"class": "lawman", "health": 10, "wounds": before}, {"class": "lawman"}]
    fight = scene(PythonLuck(1), posse, [("tentacles", None)], board="none", switches=OFF)
    hero = fight.heroes[0]

    fight.wound_hero(hero, more)

    assert hero.standing == stands
    assert hero.taken == taken
    assert hero.hp == (1 if stands else 0)


@pytest.mark.rule("BF-A8", "BF-A9", "BF-H11")
@pytest.mark.parametrize("tokens", [0, 1])
def test_we20_a_bleeding_marker_can_knock_out(tokens: int) -> None:
    posse = [{"class": "lawman", "health": 10, "wounds": 8, "sdmg": 3}, {"class": "lawman"}]
    switches = {"revive_tokens": tokens}
    luck = FixedLuck({"Tail": 1})
    fight = scene(luck, posse, [("xenocyte_impalers", None)], board="none", switches=switches)
    hero = fight.heroes[0]

    fight.end_of_move(hero)

    if tokens:
        assert (hero.standing, hero.wounds, hero.sdmg, hero.grit) == (True, 0, 0, 2)
    else:
        assert (hero.standing, hero.hp) == (False, 0)
    assert hero.status["bleeding"] == 0


@pytest.mark.rule("BF-A6", "BF-H3")
@pytest.mark.parametrize(("willpower", "average", "none"), [(4, 2, F(1, 16)), (3, F(4, 3), F(16, 81))])
def test_we21_terror(willpower: int, average: Fraction, none: Fraction) -> None:
    def lost(luck: TreeLuck) -> int:
        posse = [{"class": "lawman", "willpower": willpower}]
        fight = scene(luck, posse, [("night_terrors", None)] * 2, board="none", switches=OFF)
        fight.fear(fight.heroes[0])
        return fight.heroes[0].sanity_taken

    found = chances(lost)

    assert sum(points * p for points, p in found.items()) == average
    assert found[0] == none


# ---------------------------------------------------------------------------------------------------------------------
# WE22 to WE25: caps, Escape, the duel, Dynamite
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BF-H14")
@pytest.mark.parametrize(("preset", "dice"), [("seed", 6), ("later_draft", 8), ("published", 8)])
def test_we22_dice_cap(preset: str, dice: int) -> None:
    hero = {"class": "bandido", "combat": 7, "upgrade": "swindler"}
    fight = scene(PythonLuck(1), [hero], board="none", preset=preset)

    assert fight.heroes[0].sheet.modes[0].dice == dice


@pytest.mark.rule("BF-H15")
def test_we22_number_caps() -> None:
    hero = {"class": "us_marshal", "th_melee": 6, "th_ranged": 6, "status": {"venom": 1}}
    fight = scene(PythonLuck(1), [hero, {"class": "lawman", "th_melee": 1}], board="none")
    melee, shotgun = fight.heroes[0].sheet.modes

    assert fight.needed(fight.heroes[0], melee, 0) == 6
    assert fight.needed(fight.heroes[0], shotgun, 0) == 7
    assert fight.needed(fight.heroes[1], melee, 0) == 2


@pytest.mark.rule("BF-H4")
def test_we22_grit_on_two_missing_dice() -> None:
    def hits(luck: TreeLuck) -> bool:
        fight = scene(luck, [{"class": "lawman", "policy": "aggressive", "grit": 1}], board="none")
        return max(fight.to_hit(fight.heroes[0], [4, 4], 6, 0)) >= 4

    assert chance(hits) == F(15, 16)


@pytest.mark.rule("BF-H9", "BF-H10", "BF-P1")
@pytest.mark.parametrize("rule", ["once_per_turn", "retest_higher"])
@pytest.mark.parametrize(("roll", "farthest"), [(2, 1), (4, 3), (6, 7)])
def test_we23_escape(rule: str, roll: int, farthest: int) -> None:
    # The hero on (1,1) stands next to a Slasher; the Strangler is next to square (3,1) of the corridor and to no other.
    board = """
        . # . # # # #
        . . . . . . .
    """
    enemies = [("slashers", (1, 2)), ("stranglers", (3, 2))]
    fight = scene(FixedLuck({"BF-H9": roll}), [hero_at(1, 1)], enemies, board, switches={"escape_roll": rule})
    hero = fight.heroes[0]

    limit = fight.try_escape(hero, fight.adjacent_enemies(hero.sq))
    reach = fight.reach(hero, 6, limit) if limit else {hero.sq: 0}

    if roll == 6 and rule == "retest_higher":
        farthest = 3  # the first roll only passed the Slasher
    assert max(xy(fight, square)[0] for square in reach) == farthest


@pytest.mark.rule("BF-H9")
def test_we23_breaking_away_from_a_strangler() -> None:
    def escapes(luck: TreeLuck) -> bool:
        fight = scene(luck, [hero_at(4, 4)], [("stranglers", (4, 5))])
        return fight.try_escape(fight.heroes[0], fight.living) > 0

    assert chance(escapes) == F(1, 6)


def exact_duel(hero_first: bool) -> float:
    """WE24: Lawman (Health 12, 2 dice at 4+, Defense 4+) against a Tentacle (Health 4, Defense 2, 3 dice, damage 3)."""
    one = Counter({0: F(1, 2)})
    for roll in range(1, 7):
        one[max(0, roll - 2)] += F(1, 3) * F(1, 6)
        one[roll] += F(1, 6) * F(1, 6)
    blow: Counter[int] = Counter()
    for first, p in one.items():
        for second, q in one.items():
            blow[first + second] += p * q
    bite = {3 * k: math.comb(3, k) * F(1, 3) ** k * F(2, 3) ** (3 - k) for k in range(4)}

    @cache
    def hero_to_act(health: int, enemy: int) -> Fraction:
        """The chance to win. The turn in which nothing happens leads back here."""
        win, stay = F(0), F(0)
        for dealt, p in blow.items():
            if dealt >= enemy:
                win += p
                continue
            for taken, q in bite.items():
                if dealt == 0 and taken == 0:
                    stay += p * q
                elif taken < health:
                    win += p * q * hero_to_act(health - taken, enemy - dealt)
        return win / (1 - stay)

    if hero_first:
        return float(hero_to_act(12, 4))
    return float(sum(q * hero_to_act(12 - taken, 4) for taken, q in bite.items() if taken < 12))


@pytest.mark.rule("BF-G10", "BF-T10")
def test_we24_the_duel_exactly() -> None:
    assert exact_duel(hero_first=True) == pytest.approx(0.857590, abs=5e-7)
    assert exact_duel(hero_first=False) == pytest.approx(0.738479, abs=5e-7)


@pytest.mark.parametrize(
    ("policy", "init", "runs"),
    [("focus_fire", 4, 6000), ("random_legal", 4, 6000), ("aggressive", 1, 6000), ("cautious", 1, 3000)],
)
def test_we24_the_referee_agrees_with_the_exact_duel(policy: str, init: int, runs: int) -> None:
    scenario = bf.SCENARIOS["duel"] | {"heroes": [{"class": "lawman", "bag": {}, "init": init, "policy": policy}]}
    prepared = bf.prepare(scenario)

    wins = sum(bf.play(prepared, AddressedLuck(24, run)).outcome == "win" for run in range(runs))

    expected = exact_duel(hero_first=init == 4)
    assert abs(wins / runs - expected) < 4 * math.sqrt(expected * (1 - expected) / runs)


def lands_on(luck: TreeLuck, target: tuple[int, int]) -> tuple[int, int]:
    hero = hero_at(5, 5, "bandido", policy="random_legal")
    fight = scene(luck, [hero], [("corpse_pile", (5, 1))], board=(5, 5))
    landed: list[int] = []
    fight.blast = lambda owner, square: landed.append(square)  # type: ignore[method-assign]
    fight.throw_dynamite(fight.heroes[0], at(fight, *target))
    return xy(fight, landed[0])


@pytest.mark.rule("BF-H21", "BF-H22")
def test_we25_dynamite_bounces() -> None:
    found = chances(lambda luck: lands_on(luck, (3, 3)))

    assert found[(3, 3)] == F(1, 3) + F(2, 3) * F(11, 192)

    board = bf.read_board({"width": 5, "height": 5}, "any")
    stays = [
        sum(board.bounce(board.at(*place), way) == board.at(*place) for way in range(1, 9))
        for place in ((0, 0), (2, 0))
    ]
    assert stays == [5, 3]


@pytest.mark.rule("BF-H23")
def test_we25_a_blast_kills_health_four_half_of_the_time() -> None:
    def dies(luck: TreeLuck) -> bool:
        fight = scene(luck, [hero_at(7, 7, "bandido")], [("tentacles", (2, 2)), ("tentacles", (6, 1))])
        fight.blast(fight.heroes[0], at(fight, 2, 2))
        return not fight.slots[0].alive

    assert chance(dies) == F(1, 2)


@pytest.mark.rule("BF-H23", "BF-A13")
def test_a_blast_hurts_heroes_and_ignores_their_defense() -> None:
    posse = [hero_at(3, 3, "bandido"), hero_at(2, 2, armor=2)]
    fight = scene(FixedLuck({"BF-H23": 5, "BF-H23/armor": 6}), posse, [("tentacles", (2, 3)), ("tentacles", (7, 7))])

    fight.blast(fight.heroes[0], at(fight, 2, 3))

    assert [hero.taken for hero in fight.heroes] == [5, 0]
    assert not fight.slots[0].alive
    assert (fight.heroes[0].kills, fight.heroes[0].xp) == (1, 30)


# ---------------------------------------------------------------------------------------------------------------------
# WE26 to WE30
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BF-F8", "BF-F9")
@pytest.mark.parametrize(
    ("switch", "elites", "expected"), [("per_attack", [], 40), ("per_hit", [], 50), ("per_attack", [2], 45)]
)
def test_we26_xp_of_wounds(switch: str, elites: list[int], expected: int) -> None:
    kind = {"type": "night_terrors", "elites": elites}
    fight = scene(PythonLuck(1), [{"class": "lawman"}], [(kind, None)], board="none", switches={"xp_base": switch})
    attack = bf.Attack(fight.heroes[0])

    for wounds in (2, 4):
        fight.wound_enemy(fight.slots[0], wounds, attack, "BF-A11/armor", 0, 0)

    assert fight.heroes[0].xp == expected


@pytest.mark.rule("BF-F8")
def test_we26_xp_of_a_kill_with_two_elite_abilities() -> None:
    kind = {"type": "tentacles", "elites": [5, 6]}
    fight = scene(PythonLuck(1), [{"class": "lawman"}], [(kind, None)] * 2, board="none")

    fight.wound_enemy(fight.slots[0], 9, bf.Attack(fight.heroes[0]), "BF-A11/armor", 0, 0)

    assert (fight.heroes[0].xp, fight.heroes[0].dealt) == (40, 4)


@pytest.mark.rule("BF-F7", "BF-U3")
@pytest.mark.parametrize(("cards", "loot"), [(2, 2), (5, 3)])
def test_we26_loot(cards: int, loot: int) -> None:
    posse = [{"class": "lawman"}, {"class": "lawman", "ally": True, "move": 4}]
    fight = scene(PythonLuck(1), posse, board="none")
    fight.threat_cards = cards

    result = fight.result("win", "enemies")

    assert [hero.loot for hero in result.heroes] == [loot, 0]


@pytest.mark.rule("BF-F3", "BF-F4", "BF-F5")
def test_we27_catch_your_breath() -> None:
    posse = [{"class": "lawman", "health": 10, "sanity": 10, "wounds": 7, "sdmg": 6}, {"class": "lawman"}]
    fight = scene(FixedLuck({"BF-F3": 3}), posse, board="none")
    fight.heroes[0].turn_acted = fight.turn

    result = fight.result("win", "enemies")

    assert (result.heroes[0].hp, result.heroes[0].mind) == (5, 5)
    assert (result.heroes[1].grit, result.heroes[1].grit_gained) == (2, 1)


@pytest.mark.rule("BF-F6")
def test_we27_recovery() -> None:
    posse = [{"class": "lawman", "health": 10, "sanity": 10, "sdmg": 4}, {"class": "lawman"}]
    fight = scene(FixedLuck({"BF-F6": [2, 3]}), posse, board="none", switches={"revive_tokens": 0})
    fight.wound_hero(fight.heroes[0], 10)

    result = fight.result("win", "enemies")

    hurt = result.heroes[0]
    assert (hurt.hp, hurt.mind, hurt.hp_end, hurt.injuries, hurt.madness, hurt.ko_count) == (5, 6, 0, 1, 0, 1)


@pytest.mark.rule("BF-S1")
def test_we28_levels() -> None:
    posse = [{"class": "us_marshal", "level": level} for level in (2, 3, 3, 1)]
    prepared = bf.prepare({"board": "none", "heroes": posse})
    assert (prepared.brutal, prepared.owed) == (False, 1)

    marshal = bf.prepare({"board": "none", "level": 5, "heroes": [{"class": "us_marshal"}]}).sheets[0]
    assert (marshal.health, marshal.sanity, marshal.max_grit, marshal.combat) == (18, 18, 3, 3)
    assert (marshal.modes[1].dice, marshal.th_ranged) == (2, 3)

    slasher = bf.in_play(bf.TYPES[bf.TYPE_NUMBER["slashers"]], True, ())
    assert (slasher.health, slasher.combat, slasher.damage_dice, slasher.damage) == (11, 3, 1, 1)
    assert (slasher.move, slasher.xp_a, slasher.xp_b) == (6, 20, 5)


@pytest.mark.rule("BF-T9")
@pytest.mark.parametrize(("stage", "expected"), [(7, F(1, 3)), (8, F(1, 2)), (9, F(11, 18))])
def test_we29_darkness(stage: int, expected: Fraction) -> None:
    def moves(luck: TreeLuck) -> bool:
        fight = scene(luck, [{"class": "lawman"}], board="none", stage=stage)
        fight.hold_back_the_darkness()
        return fight.darkness == 1

    assert chance(moves) == expected


@pytest.mark.rule("BF-T7", "BF-T2")
@pytest.mark.parametrize("moment", ["after_activation", "darkness"])
def test_we30_mid_turn_ambush(moment: str) -> None:
    event: dict[str, Any] = {"turn": 1, "ambush": True, "enemies": [{"type": "scourge_rats", "count": 2}]}
    if moment == "after_activation":
        event[moment] = 2
    scenario = bf.SCENARIOS["rat_ambush_mid"] | {"events": [event]}
    trace: list[str] = []
    fight = bf.Fight(bf.prepare(scenario), PythonLuck(2), trace)
    fight.set_up()
    order: list[tuple[int, str, int]] = []
    original = fight.activate

    def watch(who: bf.Hero | bf.Group) -> bool:
        name = who.name if isinstance(who, bf.Hero) else who.kind.name
        order.append((fight.turn, name, 0 if isinstance(who, bf.Hero) else fight.initiative(who)))
        return original(who)

    fight.activate = watch  # type: ignore[method-assign]
    try:
        while fight.turn < 3:
            fight.play_turn()
    except bf.FightEnds:
        pass

    if moment == "after_activation":
        assert [entry for entry in order if entry[0] == 1] == [(1, "saloon_girl", 0), (1, "lawman", 0)]
        assert (2, "scourge_rats", 10) in order
    else:
        assert (1, "scourge_rats", 10) in order
        assert len([entry for entry in order if entry[0] == 1]) == 5


# ---------------------------------------------------------------------------------------------------------------------
# More rules
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BF-E10")
def test_a_large_model_pushes_smaller_ones_back_along_its_path() -> None:
    def run(switch: str) -> tuple[tuple[int, int], ...]:
        enemies = [("slashers", (6, 1)), ("hungry_dead", (4, 1)), ("corpse_pile", (7, 1))]
        fight = scene(PythonLuck(1), [hero_at(1, 1)], enemies, ".......", switches={"large_displace": switch})
        fight.melee(fight.slots[0], 1, 1)
        return tuple(xy(fight, model.sq) for model in fight.slots)

    assert run("on") == ((2, 1), (5, 1), (7, 1))
    assert run("off") == ((5, 1), (4, 1), (7, 1))


@pytest.mark.rule("BF-E10")
def test_a_large_model_prefers_the_path_that_displaces_nobody() -> None:
    enemies = [("slashers", (4, 6)), ("hungry_dead", (4, 5)), ("hungry_dead", (3, 5))]
    fight = scene(PythonLuck(1), [hero_at(4, 1)], enemies)
    model = fight.slots[0]

    assert [xy(fight, square) for square in fight.path(model, at(fight, 4, 4))] == [(5, 5), (4, 4)]
    assert xy(fight, fight.path(model, at(fight, 4, 2))[0]) == (5, 5)


@pytest.mark.rule("BF-E9")
def test_swarms_pass_and_others_do_not() -> None:
    walls = [("corpse_pile", (3, 1))]
    flying = scene(PythonLuck(1), [hero_at(1, 1)], [("hellbats", (5, 1)), *walls], ".....")
    walking = scene(PythonLuck(1), [hero_at(1, 1)], [("tentacles", (5, 1)), *walls], ".....")

    flying.melee(flying.slots[0], 1, 1)
    walking.melee(walking.slots[0], 1, 1)

    assert xy(flying, flying.slots[0].sq) == (2, 1)
    assert xy(walking, walking.slots[0].sq) == (4, 1)


@pytest.mark.rule("BF-E12", "BF-A1")
def test_a_turret_shoots_bursts_and_explodes() -> None:
    rolls = {"BF-A1": [6, 1, 4], "Burst": 5, "BF-A2/defense": 1, "Explode": 2}
    enemies = [("auto_turrets", (2, 2)), ("auto_turrets", (3, 3)), ("tentacles", (7, 7))]
    fight = scene(FixedLuck(rolls), [hero_at(1, 1, health=30)], enemies)
    hero = fight.heroes[0]
    fight.immobile(fight.slots[0], 1, 2)
    fight.phase_b(fight.slots[0].group)
    assert hero.taken == 12

    fight.slots[1].wounds = 10
    fight.wound_enemy(fight.slots[0], 12, bf.Attack(hero), "BF-A11/armor", 0, 0)
    fight.explosions()

    # The first explosion (2 wounds) kills the second turret, which explodes out of the hero's reach.
    assert [model.alive for model in fight.slots] == [False, False, True]
    assert hero.taken == 14
    assert hero.kills == 1


@pytest.mark.rule("BF-T8")
def test_spawners_and_hordes_add_models() -> None:
    rolls = {"Spawn": 4, "Hordes": [6, 5]}
    enemies = [("corpse_pile", (2, 6)), ("drowned_dead", (6, 6))]
    fight = scene(FixedLuck(rolls), [hero_at(4, 1)], enemies)

    fight.end_of_turn()

    assert Counter(model.kind.name for model in fight.living) == {
        "corpse_pile": 1,
        "hungry_dead": 1,
        "drowned_dead": 3,
    }
    assert sum(model.target is not None for model in fight.living) == 2


@pytest.mark.rule("BF-T8")
def test_a_walled_in_corpse_pile_hits_instead() -> None:
    fight = scene(FixedLuck({"Spawn": 6, "Spawn/defense": 1}), [hero_at(1, 1)], [("corpse_pile", (2, 1))], "..")

    fight.end_of_turn()

    assert fight.heroes[0].taken == 3
    assert len(fight.living) == 1


@pytest.mark.rule("BF-G9")
def test_no_more_than_forty_models() -> None:
    scenario = {"board": "none", "heroes": [{"class": "lawman"}], "enemies": [{"type": "hellbats", "count": 45}]}
    fight = bf.Fight(bf.prepare(scenario), PythonLuck(1))

    fight.set_up()

    assert (len(fight.living), fight.ignored) == (40, 5)


@pytest.mark.rule("BF-H27", "BF-P14")
def test_help_needs_a_tile_without_enemies() -> None:
    board = "2 2 2 2\n1 1 1 1\n1 1 1 1\n"
    posse = [hero_at(1, 1, policy="cautious"), hero_at(2, 1)]
    switches = {"revive_tokens": 0}
    for place, helped in (((4, 3), True), ((4, 2), False)):
        fight = scene(FixedLuck({"BF-H27": [4, 4]}), posse, [("tentacles", place)], board, switches=switches)
        fight.wound_hero(fight.heroes[1], 12)
        fight.help(fight.heroes[0])
        assert fight.heroes[1].standing == helped
        assert fight.heroes[0].xp == (25 if helped else 0)
        assert fight.heroes[1].hp == (8 if helped else 0)
        assert not fight.activate(fight.heroes[1])


@pytest.mark.rule("BF-A9", "BF-A10", "BF-T8")
def test_revive_at_the_end_of_the_turn_and_hard_core() -> None:
    switches = {"revive_timing": "end_of_turn", "hard_core": "on", "revive_tokens": 1}
    posse = [hero_at(1, 1), hero_at(2, 1), hero_at(3, 1)]
    fight = scene(PythonLuck(1), posse, [("corpse_pile", (7, 7))], switches=switches | {"spawners": "off"})
    for hero in fight.heroes[:2]:
        fight.wound_hero(hero, 20)

    fight.end_of_turn()
    fight.turn += 1
    fight.start_of_turn()

    assert [(hero.standing, hero.dead) for hero in fight.heroes] == [(True, False), (False, True), (True, False)]
    assert fight.heroes[0].wounds == 0


@pytest.mark.rule("BF-X1", "BF-X2", "BF-H3")
def test_status_markers() -> None:
    status = {"burning": 2, "ensnared": 1, "poison": 2, "stunned": 2, "webbed": 3, "venom": 1, "death_mark": 1}
    rolls = {"Ensnared": [1, 1, 5], "Poison": [2, 6], "Stunned": 4, "Webbed": [5, 5, 1], "BF-H2": 6}
    fight = scene(FixedLuck(rolls), [{"class": "lawman", "status": status}], [("tentacles", None)], board="none")
    hero = fight.heroes[0]

    fight.markers(hero)

    left = {marker: count for marker, count in hero.status.items() if count}
    assert left == {"burning": 1, "death_mark": 1, "poison": 1, "stunned": 1, "webbed": 1, "venom": 1}
    assert hero.taken == 3
    assert fight.movement_points(hero, 6) == 5


@pytest.mark.rule("BF-X1", "BF-A5")
def test_markers_worsen_defense_and_death_mark_adds_damage() -> None:
    base = chances(lambda luck: wounds_from(luck, {"type": "tentacles", "combat": 1}))
    marked = chances(
        lambda luck: wounds_from(
            luck, {"type": "tentacles", "combat": 1}, status={"stunned": 2, "ensnared": 1, "death_mark": 1}
        )
    )

    assert base == {0: F(2, 3), 3: F(1, 3)}
    assert marked == {0: F(1, 2) + F(1, 3) * F(1, 6), 5: F(1, 6) + F(1, 3) * F(5, 6)}


@pytest.mark.rule("BF-H26", "BF-H5", "BF-P7", "BF-P11")
def test_tokens() -> None:
    bag = {"bandages": 1, "herbs": 1, "whiskey": 1, "tonic": 1}
    hero = {"class": "lawman", "health": 12, "wounds": 10, "sdmg": 9, "bag": bag, "policy": "cautious", "grit": 0}
    rolls = {"bandages": 1, "herbs": [2, 3], "whiskey": 4, "treat/bandages": 1}
    fight = scene(FixedLuck(rolls), [hero, hero | {"bag": {"bandages": 1}}], [("tentacles", None)], board="none")
    first, second = fight.heroes

    fight.use_tokens(first)
    fight.use_token(second, "bandages", on=first)

    assert (first.wounds, first.sdmg, first.grit, first.tokens_used) == (3, 5, 1, 4)
    assert second.xp == 5


@pytest.mark.rule("BF-P11")
def test_a_cautious_hero_pays_for_bleeding_only_with_full_grit() -> None:
    hero = {"class": "lawman", "policy": "cautious", "grit": 2, "status": {"bleeding": 2}}
    fight = scene(PythonLuck(1), [hero], [("tentacles", None)], board="none")

    fight.markers(fight.heroes[0])

    assert (fight.heroes[0].grit, fight.heroes[0].status["bleeding"]) == (1, 1)


@pytest.mark.rule("BF-H26")
def test_a_fine_cigar_is_armor_three_until_the_end_of_the_turn() -> None:
    heroes = [{"class": "lawman", "bag": {"fine_cigar": 1}, "armor": armor} for armor in (0, 5, 2)]
    fight = scene(FixedLuck({"BF-A2/armor": [3, 2, 5, 3, 2, 2, 2]}), heroes, [(BIG, None)], board="none")

    for hero in fight.heroes:
        fight.use_token(hero, "fine_cigar")
    this_turn = [fight.after_armor(hero, 2, "BF-A2/armor", 0) for hero in fight.heroes]
    fight.turn += 1

    assert this_turn == [1, 0, 0]
    assert fight.after_armor(fight.heroes[0], 2, "BF-A2/armor", 0) == 2


@pytest.mark.parametrize(("late", "expected"), [(False, [2, 0, 2]), (True, [0, 0, 2])])
def test_flash_slows_the_enemies_until_the_end_of_the_next_turn(late: bool, expected: list[int]) -> None:
    fight = scene(PythonLuck(1), [{"class": "lawman", "bag": {"flash": 2}}], [(BIG, None)], board="none")
    group = fight.slots[0].group
    if not late:  # the Initiative of the turn is already fixed
        fight.initiative(group)

    fight.use_token(fight.heroes[0], "flash")
    initiatives = []
    for _ in range(3):
        initiatives.append(fight.initiative(group))
        fight.turn += 1

    assert initiatives == expected


def test_flash_leaves_the_order_of_the_turn_under_way_alone() -> None:
    # Hellbats 6 against heroes of Initiative 9 and 5: without Flash they act between the two, with it after both
    heroes = [
        {"class": "lawman", "init": 9, "bag": {"flash": 1}},
        {"class": "lawman", "init": 5},
    ]
    fight = scene(PythonLuck(1), heroes, [({"type": "hellbats", "health": 99}, None)], board="none", turn=0)
    acted: list[Any] = []

    def activate(who: bf.Hero | bf.Group) -> bool:
        acted.append(who.number if isinstance(who, bf.Hero) else "bats")
        if len(acted) == 1:
            fight.use_token(fight.heroes[0], "flash")
        return True

    fight.activate = activate  # type: ignore[method-assign]

    for _ in range(3):
        fight.play_turn()

    assert acted == [0, "bats", 1, 0, 1, "bats", 0, "bats", 1]


def test_flash_slows_newcomers_of_its_turn_but_not_those_whose_initiative_is_fixed() -> None:
    heroes = [{"class": "lawman", "init": 9, "bag": {"flash": 1}}, {"class": "lawman", "init": 5}]
    fight = scene(PythonLuck(1), heroes, [("hellbats", None)], board="none")
    pending = fight.slots_of(fight.standing, fight.groups_that_act())
    known = {group.number for group in fight.groups_that_act()}

    fight.use_token(fight.heroes[0], "flash")
    fight.join(fight.group_of(bf.TYPE_NUMBER["tentacles"], 1), 1)
    pending = fight.with_newcomers(pending[1:], known, pending[0][0])

    assert [-slot[0] for slot in pending] == [6, 5, 0]


def test_spice_is_for_one_hit_and_costs_a_wound() -> None:
    rolls = {"spice": 2, "BF-A11": 3, "spice/armor": 4}
    heroes = [{"class": "lawman", "bag": {"spice": 1}, "armor": armor} for armor in (0, 4)]
    fight = scene(FixedLuck(rolls), heroes, [(BIG, None)], board="none")
    plain, armored = fight.heroes
    model = fight.slots[0]

    for hero in fight.heroes:
        fight.use_token(hero, "spice")
    fight.turn += 1
    dealt = []
    for _ in range(2):
        before = model.taken
        fight.resolve_hit(bf.Attack(plain), plain.sheet.modes[0], 4, 0)
        dealt.append(model.taken - before)

    assert (plain.taken, armored.taken) == (1, 0)
    assert dealt == [3 + 2 - 2, 3 - 2]
    assert (plain.spice, armored.spice) == (0, 2)


def test_spice_can_knock_the_user_out_and_ends_its_activation() -> None:
    bag = {"spice": 1, "tonic": 1}
    hero = {"class": "lawman", "wounds": 11, "bag": bag, "policy": "provider", "grit": 2}
    fight = scene(FixedLuck({}), [hero, {"class": "lawman"}], [(BIG, None)], board="none", switches=OFF)
    user = fight.heroes[0]

    fight.start_line(user, StartLine("spice"))

    assert not user.standing
    assert fight.start_lines(user) == 0
    assert user.bag == {"spice": 0, "tonic": 1}


TREATED = [  # token, rolls, health left before and after, sanity left before and after, XP of the user
    ("bandages", {"treat/bandages": 4}, (6, 10), (6, 6), 20),
    ("bandages", {"treat/bandages": 6}, (11, 12), (6, 6), 5),
    ("herbs", {"treat/herbs": [2, 3]}, (4, 9), (6, 6), 25),
    ("whiskey", {"treat/whiskey": 5}, (4, 4), (6, 11), 25),
    ("tonic", {}, (4, 4), (6, 6), 0),
]


@pytest.mark.rule("BF-H26")
@pytest.mark.parametrize(("token", "rolls", "health", "sanity", "xp"), TREATED)
def test_treating_a_neighbour_earns_xp(
    token: str, rolls: dict[str, Any], health: tuple[int, int], sanity: tuple[int, int], xp: int
) -> None:
    patient = hero_at(2, 1, wounds=12 - health[0], sdmg=12 - sanity[0], grit=0, bag={})
    fight = scene(FixedLuck(rolls), [hero_at(1, 1, bag={token: 1}), patient], [(BIG, (7, 7))])
    user, treated = fight.heroes

    fight.treat(user, token, (1, 1))

    assert (treated.hp, treated.mind, treated.grit) == (health[1], sanity[1], int(token == "tonic"))
    assert (user.xp, user.tokens_used, user.healed, user.bag[token]) == (xp, 1, 0, 0)
    assert (treated.xp, treated.tokens_used, treated.healed) == (0, 0, 5 * xp // 25)
    assert treated.grit_gained == int(token == "tonic")


@pytest.mark.rule("BF-H26")
def test_an_ally_earns_no_xp_for_treating() -> None:
    ally = {"class": "lawman", "ally": True, "move": 4, "bag": {"bandages": 1}}
    hurt = {"class": "lawman", "wounds": 9}
    fight = scene(FixedLuck({"treat/bandages": 3}), [ally, hurt], [(BIG, None)], board="none")

    fight.treat(fight.heroes[0], "bandages", (1, 2))

    assert (fight.heroes[0].xp, fight.heroes[1].healed) == (0, 3)


@pytest.mark.rule("BF-H26")
def test_the_first_adjacent_hero_in_need_is_treated() -> None:
    # hero 0 is hurt but too far, 1 is the user, 2 is hurt too little, 3 lies on the ground, 4 and 5 are in need
    heroes = [
        hero_at(7, 1, wounds=9),
        hero_at(2, 2, wounds=9, bag={"bandages": 2}),
        hero_at(2, 1, wounds=5),
        hero_at(1, 1, wounds=11),
        hero_at(3, 3, wounds=6),
        hero_at(1, 2, wounds=9),
    ]
    fight = scene(FixedLuck({"treat/bandages": 3}), heroes, [(BIG, (7, 7))], switches={"revive_tokens": 0})
    fight.wound_hero(fight.heroes[3], 1)

    fight.treat(fight.heroes[1], "bandages", (1, 2))
    fight.treat(fight.heroes[1], "bandages", (1, 2))

    assert [hero.healed for hero in fight.heroes] == [0, 0, 0, 0, 3, 3]


@pytest.mark.rule("BF-H26")
@pytest.mark.parametrize(
    ("token", "hero"),
    [
        ("bandages", {"status": {"bleeding": 3}}),  # little Health left, but no wounds
        ("whiskey", {"wounds": 9}),
        ("tonic", {"grit": 1}),
        ("tonic", {"grit": 0, "max_grit": 0}),
    ],
)
def test_nobody_is_treated_in_vain(token: str, hero: dict[str, Any]) -> None:
    heroes = [{"class": "lawman", "bag": {token: 1}}, {"class": "lawman"} | hero]
    fight = scene(FixedLuck({}), heroes, [(BIG, None)], board="none")

    fight.treat(fight.heroes[0], token, (1, 2))

    assert fight.heroes[0].tokens_used == 0


@pytest.mark.rule("BF-H26")
def test_a_closed_corner_keeps_helpers_away() -> None:
    board = ". .\n# .\n. .\n"
    heroes = [hero_at(1, 1, bag={"bandages": 1}), hero_at(2, 2, wounds=9)]
    fight = scene(FixedLuck({}), heroes, [(BIG, (1, 3))], board=board)

    fight.treat(fight.heroes[0], "bandages", (1, 2))

    assert fight.heroes[0].tokens_used == 0


@pytest.mark.rule("BF-H5")
@pytest.mark.parametrize(
    ("roll", "webbed", "entangled", "steps"), [(1, 0, 0, 3), (6, 0, 0, 8), (6, 3, 0, 5), (6, 9, 0, 0), (6, 0, 1, 0)]
)
def test_bought_movement_is_added_to_the_roll(roll: int, webbed: int, entangled: int, steps: int) -> None:
    status = {"webbed": webbed, "entangled": entangled}
    hero = hero_at(1, 1, "preacher", policy="provider", grit=2, status=status)
    rolls = {"BF-H2": 2, "BF-H5": roll, "Webbed": 1}
    fight = scene(FixedLuck(rolls), [hero], [({"type": "tentacles", "health": 99}, (1, 14))], board=(1, 14))
    walker = fight.heroes[0]

    fight.activate_hero(walker)

    assert xy(fight, walker.sq) == (1, 1 + steps)
    assert (walker.grit, walker.grit_spent, walker.grit_gained) == (1, 1, 0)


@pytest.mark.rule("BF-H5")
@pytest.mark.parametrize(
    ("grit", "switches", "board"), [(1, {}, (1, 14)), (2, {"grit_use": "off"}, (1, 14)), (2, {}, "none")]
)
def test_movement_is_not_bought_with_the_last_grit_nor_without_a_board(grit: int, switches: Any, board: Any) -> None:
    hero = hero_at(1, 1, "preacher", policy="provider", grit=grit, combat=0)
    square = None if board == "none" else (1, 14)
    fight = scene(FixedLuck({}), [hero], [(BIG, square)], board=board, switches=switches)

    assert fight.start_lines(fight.heroes[0]) == 0
    assert fight.heroes[0].grit_spent == 0


PROVIDER_BAG = {"flash": 1, "fine_cigar": 1, "herbs": 1, "bandages": 1, "whiskey": 1, "tonic": 1, "spice": 1}


@pytest.mark.parametrize("turn", [1, 2])
def test_a_provider_next_to_an_enemy_uses_everything_in_order(turn: int) -> None:
    patient = hero_at(2, 1, "us_marshal", health=12, wounds=8, sdmg=6, grit=0, bag={})
    rolls = {"treat/herbs": [1, 1], "treat/bandages": 1, "treat/whiskey": 1, "spice": 2}
    fight = scene(FixedLuck(rolls), [hero_at(1, 1, policy="provider", bag={}), patient], [(BIG, (1, 2))], turn=turn)
    user, treated = fight.heroes
    user.bag = dict(PROVIDER_BAG)
    fight.trace = []

    assert fight.start_lines(user) == 0

    used = [text.split(" uses ")[1] for text in fight.trace if " uses " in text]
    others = [f"{token} on us_marshal" for token in ("herbs", "bandages", "whiskey", "tonic")]
    assert used == ["flash"] * (turn == 1) + ["fine_cigar", *others, "spice"]
    assert (treated.hp, treated.mind, treated.grit) == (7, 5, 1)
    assert (user.xp, user.spice, user.taken) == (5 * 4, 2, 1)
    assert user.cigar_turn == turn
    assert fight.flashed == ({1, 2} if turn == 1 else set())


def test_a_provider_far_from_the_enemy_keeps_cigar_and_spice_and_walks() -> None:
    fight = scene(FixedLuck({"BF-H5": 4}), [hero_at(1, 1, policy="provider", bag={}, grit=2)], [(BIG, (1, 14))],
                  board=(1, 14), turn=2)  # fmt: skip
    user = fight.heroes[0]
    user.bag = dict(PROVIDER_BAG)

    assert fight.start_lines(user) == 4
    assert user.bag == PROVIDER_BAG


def test_no_start_line_is_wasted_while_its_like_still_works() -> None:
    bag = {"flash": 2, "fine_cigar": 1, "spice": 2}
    fight = scene(FixedLuck({"spice": 1}), [{"class": "lawman", "bag": bag}], [(BIG, None)], board="none")
    user = fight.heroes[0]

    for do in (*bag, *bag):
        fight.start_line(user, StartLine(do))

    assert user.bag == {"flash": 1, "fine_cigar": 0, "spice": 1}


def test_other_policies_have_no_start_lines() -> None:
    for policy in bf.POLICIES[:-1]:
        fight = scene(FixedLuck({}), [{"class": "lawman", "policy": policy, "bag": {"flash": 1}}], [(BIG, None)],
                      board="none")  # fmt: skip

        assert fight.start_lines(fight.heroes[0]) == 0
        assert fight.heroes[0].tokens_used == 0


@pytest.mark.rule("BF-H24", "BF-H25", "BF-P9")
@pytest.mark.parametrize(("limit", "used"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_free_attacks(limit: int, used: int) -> None:
    hero = hero_at(2, 2, "saloon_girl", bag={"hatchet": 1, "shiv": 1})
    fight = scene(PythonLuck(1), [hero], [(BIG, (2, 3))], switches={"free_attack_limit": limit})

    fight.free_attacks(fight.heroes[0])

    girl = fight.heroes[0]
    assert girl.free_used == used
    assert (girl.bag["hatchet"], girl.bag["shiv"], len(girl.used_items)) == (
        int(limit < 2),
        int(limit < 3),
        int(limit >= 1),
    )


@pytest.mark.rule("BF-H19")
def test_two_guns_have_no_criticals_and_a_weaker_off_hand() -> None:
    hero = {"class": "gunslinger", "guns": ["pistol", "gunfighters_pistol"], "two_guns": True, "shot_bonus": 2}
    mode = bf.prepare({"board": "none", "heroes": [hero]}).sheets[0].modes[-1]

    assert (mode.dice, mode.off_hand, mode.range, mode.critical) == (6, 2, 6, bf.NO_CRITICAL)
    tentacle = bf.TYPES[bf.TYPE_NUMBER["tentacles"]]
    assert F(bf.attack_value(mode, 3, tentacle, 1), bf.AV_PARTS) == (4 * F(4, 6) + 2 * F(3, 6)) * F(10, 6)


def test_upgrades_and_class_abilities() -> None:
    def modes(cls: str, upgrade: str, **more: Any) -> dict[str, bf.Mode]:
        sheet = bf.prepare({"board": "none", "heroes": [{"class": cls, "upgrade": upgrade} | more]}).sheets[0]
        return {mode.name: mode for mode in sheet.modes}

    assert modes("bandido", "twin_guns", level=4)["pistol"].dice == 5
    assert modes("bandido", "swindler")["melee"].dice == 3
    assert modes("wandering_samurai", "none")["melee"].dice == 3
    assert modes("gambler", "high_roller")["pistol"].six_bonus == 1
    assert (
        bf.prepare({"board": "none", "heroes": [{"class": "us_marshal", "upgrade": "cleaning_up"}]}).sheets[0].max_grit
        == 3
    )
    with pytest.raises(ValueError, match="belongs to"):
        modes("lawman", "swindler")


def test_double_shot_and_sword_master_roll_more_dice() -> None:
    enemies = [("hellbats", None)] * 6
    rolls = {"BF-H16": 8, "BF-A11": 6}
    marshal = scene(FixedLuck(rolls), [{"class": "us_marshal"}], enemies, board="none")
    marshal.attack(marshal.heroes[0], marshal.heroes[0].sheet.modes[1], 0)
    assert marshal.heroes[0].kills == 2

    rolls = {"BF-H16": 6, "BF-A11": 6}
    samurai = scene(FixedLuck(rolls), [{"class": "wandering_samurai", "upgrade": "sword_master", "combat": 1}],
                    [*enemies, ("hellbats", None)], board="none")  # fmt: skip
    samurai.attack(samurai.heroes[0], samurai.heroes[0].sheet.modes[0], 0)
    assert samurai.heroes[0].kills == 5


def test_pistol_fanning_is_paid_by_those_who_plan() -> None:
    hero = {"class": "gunslinger", "upgrade": "pistol_fanning", "policy": "focus_fire", "grit": 1}
    fight = scene(FixedLuck({"BF-H16": 6, "BF-A11": 6}), [hero], [("hellbats", None)] * 6, board="none")

    fight.attack(fight.heroes[0], fight.heroes[0].sheet.modes[1], 0)

    assert (fight.heroes[0].kills, fight.heroes[0].grit) == (4, 0)


@pytest.mark.rule("BF-P10")
def test_fortune_saves_one_missing_die_a_turn() -> None:
    fight = scene(FixedLuck({"BF-H16": 1, "BF-P10": 6}), [{"class": "gambler", "grit": 0}], board="none")
    hero = fight.heroes[0]

    assert fight.to_hit(hero, [4, 4], 6, 0) == [6, 1]
    assert fight.to_hit(hero, [4, 4], 6, 100) == [1, 1]
    assert hero.fortune == 2


@pytest.mark.rule("BF-P6", "BF-P8")
def test_a_hero_in_mortal_danger_spends_grit_then_bandages() -> None:
    rolls = {"BF-A1": 4, "BF-A2/defense": 1, "BF-A2/defense again": [1, 1, 6], "BF-A2/bandages": 6}
    hero = {"class": "lawman", "health": 12, "wounds": 6, "grit": 1, "policy": "focus_fire"}
    fight = scene(FixedLuck(rolls), [hero], [("tentacles", None)], board="none")
    fight.slots[0].target = fight.heroes[0]

    fight.phase_b(fight.slots[0].group)

    lawman = fight.heroes[0]
    assert (lawman.grit, lawman.tokens_used, lawman.wounds, lawman.taken) == (0, 1, 6, 6)


def test_dangerous_dynamite_goes_off() -> None:
    hero = hero_at(3, 3, "bandido", health=30, bag={"dynamite": 2})
    rolls = {"BF-A1": 4, "BF-A2/defense": 1, "BF-A2/dangerous": [1, 3], "BF-H23": 3}
    kind = {"type": "tentacles", "damage": 4}
    fight = scene(FixedLuck(rolls), [hero], [(kind, (3, 4)), (kind, (7, 7))], switches={"dangerous_dynamite": "on"})
    fight.slots[0].target = fight.heroes[0]

    fight.phase_b(fight.slots[0].group)

    assert (fight.heroes[0].taken, fight.heroes[0].bag["dynamite"], fight.slots[0].taken) == (15, 1, 3)


@pytest.mark.rule("BF-T6")
def test_an_arriving_group_acts_only_below_the_slot_in_progress() -> None:
    for after, acts in ((1, True), (2, False)):
        event = {"turn": 1, "after_activation": after, "enemies": [{"type": "slashers", "count": 1}]}
        scenario = {
            "width": 9,
            "height": 14,
            "heroes": [{"class": "gunslinger"}, {"class": "preacher", "init": 4}, {"class": "preacher"}],
            "enemies": [{"type": "corpse_pile", "count": 1}],
            "events": [event],
        }
        trace: list[str] = []
        fight = bf.Fight(bf.prepare(scenario), PythonLuck(1), trace)
        fight.set_up()
        fight.play_turn()
        assert any("slashers act" in line for line in trace) == acts


@pytest.mark.rule("BF-S2", "BF-S3")
def test_every_threat_card_can_be_dealt() -> None:
    for name, cards in bf.THREATS.items():
        for number in range(1, len(cards) + 1):
            scenario = {"board": "none", "heroes": bf.FOUR, "threat": [f"{name}:{number}"]}
            fight = bf.Fight(bf.prepare(scenario), PythonLuck(number))
            fight.set_up()
            assert fight.living
            assert fight.threat_cards >= 1
    assert [bf.threat_list(heroes, 0) for heroes in range(1, 7)] == ["low", "low", "med", "med", "high", "high"]
    assert bf.threat_list(2, 3) == "med"


@pytest.mark.rule("BF-S5")
def test_elite_charts_and_brutal_sides_change_the_figures() -> None:
    for kind in bf.TYPES:
        for brutal in (False, True):
            chart = (bf.BRUTAL_CHARTS if brutal else bf.CHARTS)[kind.name]
            plain = bf.in_play(kind, brutal, ())
            assert len(chart) == 6
            for number, result in enumerate(chart, start=1):
                if result is not None:
                    elite = bf.in_play(kind, brutal, (number,))
                    # a chart result may repeat what the Brutal side already has, never the figures of a normal type
                    assert asdict(elite) != asdict(plain), (kind.name, brutal, number)


@pytest.mark.rule("BF-S5")
def test_elite_abilities_are_drawn_without_repetition_and_never_the_unmodelled() -> None:
    for seed in range(40):
        scenario = {"board": "none", "level": 4, "heroes": [{"class": "lawman"}], "switches": {"extra_elite": 3},
                    "enemies": [{"type": "stranglers", "count": 1}]}  # fmt: skip
        fight = bf.Fight(bf.prepare(scenario), AddressedLuck(seed, 0))
        fight.set_up()
        assert fight.slots[0].group.elites == (2, 3, 4, 5, 6)


def test_level_chart_changes_the_heroes_of_every_run() -> None:
    scenario = bf.SCENARIOS["high_noon"] | {"level": 8, "switches": {"level_model": "chart"}}
    prepared = bf.prepare(scenario)

    sheets = [bf.Fight(prepared, AddressedLuck(1, run)).heroes[0].sheet for run in range(20)]

    assert len({(sheet.health, sheet.sanity, sheet.max_grit) for sheet in sheets}) > 5
    assert all(sheet.health >= 10 and sheet.th_ranged in (3, 4) for sheet in sheets)
    assert prepared.sheets[0].health == 10


def test_allies_have_no_grit_no_criticals_and_no_xp() -> None:
    ally = {"class": "lawman", "ally": True, "move": 3}
    fight = scene(PythonLuck(1), [ally, {"class": "lawman"}], [("hellbats", None)] * 2, board="none")
    unit = fight.heroes[0]

    fight.wound_enemy(fight.slots[0], 1, bf.Attack(unit), "BF-A11/armor", 0, 0)
    fight.wound_hero(unit, 50)

    assert (unit.max_grit, unit.xp, unit.kills, unit.removed) == (0, 0, 1, True)
    assert unit.sheet.modes[0].critical == bf.NO_CRITICAL
    assert fight.move_roll(unit) == 3


# ---------------------------------------------------------------------------------------------------------------------
# Numbers of kinds
# ---------------------------------------------------------------------------------------------------------------------

MADE = len(bf.TYPES)  # the number of the first kind made by a line, if it takes no other
STRONG_TENTACLES = {"type": "tentacles", "health": 9}
STRONG_DEAD = {"type": "hungry_dead", "health": 3}


def numbers_of(enemies: list[dict[str, Any]], posse: Sequence[dict[str, Any]] = bf.FOUR, **more: Any) -> list[int]:
    """The kind numbers of all enemy lines of a fight."""
    prepared = bf.prepare({"board": "none", "heroes": list(posse), "enemies": enemies} | more)
    return [line.kind for line in [*prepared.lines, *(line for event in prepared.events for line in event.lines)]]


def own_or_type(number: int, line: dict[str, Any]) -> str:
    return "type" if number == bf.TYPE_NUMBER[line["type"]] else "own"


def test_a_changed_line_takes_the_number_of_its_type_and_leaves_a_gap() -> None:
    lines = [STRONG_TENTACLES, {"type": "bandits", "move": 3}, {"type": "bandits"}, {"type": "goliath", "health": 9}]

    tentacles, bandits, goliath = (bf.TYPE_NUMBER[name] for name in ("tentacles", "bandits", "goliath"))
    assert numbers_of(lines) == [tentacles, MADE + 1, bandits, goliath]
    assert numbers_of([], events=[{"turn": 2, "enemies": [STRONG_TENTACLES]}]) == [tentacles]


@pytest.mark.parametrize(
    "other",
    [{"type": "tentacles"}, {"type": "tentacles", "move": 4}, {"type": "tentacles", "count": 0}, {"type": "strong"}],
    ids=["plain", "changed", "of nobody", "by name"],
)
@pytest.mark.parametrize("late", [False, True])
def test_another_line_of_the_type_keeps_the_numbers_apart(other: dict[str, Any], late: bool) -> None:
    line = STRONG_TENTACLES | {"name": "strong"}

    if late:
        numbers = numbers_of([line], events=[{"turn": 2, "enemies": [other]}])
    else:
        numbers = numbers_of([line, other])

    plain = bf.TYPE_NUMBER["tentacles"]
    assert numbers == [MADE, MADE if other["type"] == "strong" else MADE + 1 if "move" in other else plain]


def test_two_changed_lines_of_a_name_keep_their_own_numbers() -> None:
    lines = [STRONG_TENTACLES | {"name": "strong"}, {"type": "strong", "move": 4}]

    assert numbers_of(lines) == [MADE, MADE + 1]


@pytest.mark.parametrize(
    ("kind", "threat", "heroes", "expected"),
    [
        ("tentacles", ["med"], 4, "own"),
        ("tentacles", "med:5", 4, "own"),
        ("tentacles", ["med:1"], 4, "type"),  # only that card
        ("stranglers", ["med:3"], 4, "own"),  # calls for low cards
        ("stranglers", ["med:5"], 4, "type"),
        ("bandits", ["med"], 4, "type"),
        ("tentacles", "auto", 2, "type"),  # low
        ("tentacles", "auto", 3, "own"),  # med
        ("goliath", ["epic"], 4, "own"),
        ("goliath", ["epic"], 2, "type"),  # high for two heroes
        ("goliath", ["epic:1"], 2, "own"),  # a certain card stays
        ("tentacles", ["epic:1"], 2, "type"),  # its further cards are low
        ("tentacles", ["epic:1"], 3, "own"),  # its further cards are med
        ("bandits", ["epic"], 2, "own"),
        ("bandits", ["epic"], 4, "type"),
        ("gulch_snipers", ["low", "med", "high", "epic"], 4, "type"),  # on no card
    ],
)
def test_a_card_that_may_be_drawn_keeps_the_numbers_apart(
    kind: str, threat: str | list[str], heroes: int, expected: str
) -> None:
    line = {"type": kind, "health": 7}

    assert own_or_type(numbers_of([line], bf.FOUR[:heroes], threat=threat)[0], line) == expected


def test_allies_make_the_list_of_the_posse() -> None:
    allies = [{"class": "lawman", "ally": True, "move": 4}] * 3
    line = {"type": "tentacles", "health": 7}

    numbers = numbers_of([line], bf.FOUR[:2] + allies, threat="auto")

    assert own_or_type(numbers[0], line) == "own"


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({"type": "corpse_pile"}, "own"),
        ({"type": "corpse_pile", "health": 2}, "own"),  # a changed pile still spawns
        ({"type": "corpse_pile", "abilities": {"fear": 1}}, "type"),  # abilities are replaced
        ({"type": "goliath", "abilities": {"spawn": [4, "hungry_dead"]}}, "own"),
        ({"type": "goliath", "abilities": {"spawn": [4, "corpse_pile"]}}, "own"),  # what it spawns spawns
        ({"type": "goliath", "abilities": {"spawn": [4, "bandits"]}}, "type"),
    ],
)
def test_a_spawner_keeps_the_numbers_apart(other: dict[str, Any], expected: str) -> None:
    for lines in ([STRONG_DEAD, other], [other, STRONG_DEAD]):
        assert own_or_type(numbers_of(lines)[lines.index(STRONG_DEAD)], STRONG_DEAD) == expected
    late = numbers_of([STRONG_DEAD], events=[{"turn": 3, "enemies": [other]}])
    assert own_or_type(late[0], STRONG_DEAD) == expected


def test_a_kind_that_spawns_its_own_type_keeps_its_own_number() -> None:
    spiders = {"type": "void_spiders", "abilities": {"spawn": [4, "void_spiders"]}}

    assert numbers_of([spiders]) == [MADE]


@pytest.mark.parametrize("spawners", ["on", "off"])
def test_the_switch_of_spawners_renumbers_nobody(spawners: str) -> None:
    lines = [STRONG_DEAD, {"type": "corpse_pile"}]

    assert numbers_of(lines, switches={"spawners": spawners})[0] == MADE


@pytest.mark.parametrize("name", ["tentacle_hall", "rat_ambush", "strangler_den", "rat_ambush_mid", "high_noon"])
def test_a_line_that_repeats_a_figure_of_its_type_meets_the_same_luck(name: str) -> None:
    scenario = bf.SCENARIOS[name] | {"level": 4}  # with Elite rolls
    same = [line | {"health": bf.TYPES[bf.TYPE_NUMBER[line["type"]]].health} for line in scenario["enemies"]]

    before, after = bf.prepare(scenario), bf.prepare(scenario | {"enemies": same})

    assert [bf.play(before, AddressedLuck(5, run)) for run in range(4)] == [
        bf.play(after, AddressedLuck(5, run)) for run in range(4)
    ]


def test_random_scenarios_make_kinds_of_both_sorts() -> None:
    sorts: Counter[str] = Counter()
    for seed in range(200):
        scenario = random_scenario(seed)
        prepared = bf.prepare(scenario)
        lines = [*prepared.lines, *(line for event in prepared.events for line in event.lines)]
        written = [*scenario["enemies"], *(line for event in scenario.get("events", []) for line in event["enemies"])]
        for line, text in zip(lines, written, strict=True):
            if set(text) - {"type", "count"}:
                sorts["own" if line.kind >= MADE else "type"] += 1

    assert min(sorts["own"], sorts["type"]) >= 60, sorts


# ---------------------------------------------------------------------------------------------------------------------
# Whole fights
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(bf.SCENARIOS))
@pytest.mark.parametrize("policy", bf.POLICIES)
def test_reference_scenarios_end(name: str, policy: str) -> None:
    prepared = bf.prepare(bf.SCENARIOS[name] | {"policy": policy})

    for run in range(5):
        result = checked(prepared, 1, run)
        assert result.outcome in ("win", "loss", "draw")
        assert 1 <= result.rounds <= 30


@pytest.mark.parametrize("level", range(1, 9))
def test_high_noon_at_every_level(level: int) -> None:
    for model in ("fixed", "chart"):
        scenario = bf.SCENARIOS["high_noon"] | {
            "policy": "focus_fire",
            "level": level,
            "switches": {"level_model": model},
        }
        prepared = bf.prepare(scenario)
        for run in range(3):
            checked(prepared, level, run)


@pytest.mark.parametrize("name", sorted(bf.SWITCHES))
def test_every_value_of_every_switch_plays(name: str) -> None:
    values = bf.SWITCHES[name][1] if name != "round_cap" else (5, 100)
    for value in values:
        for scenario in ("rat_ambush", "goliath_gate"):
            prepared = bf.prepare(bf.SCENARIOS[scenario] | {"policy": "bomber", "switches": {name: value}})
            for run in range(2):
                checked(prepared, 7, run)


@pytest.mark.parametrize("kind", [kind.name for kind in bf.TYPES])
def test_every_enemy_with_every_elite_result_fights_every_class(kind: str) -> None:
    classes = sorted(bf.CLASSES)
    for brutal in (False, True):
        for number in range(1, 7):
            posse = [{"class": classes[(number + i) % 12], "policy": bf.POLICIES[i]} for i in range(4)]
            line = {"type": kind, "count": 4, "brutal": brutal, "elites": [number]}
            prepared = bf.prepare({"width": 8, "height": 8, "heroes": posse, "enemies": [line]})
            checked(prepared, number, 0)


@pytest.mark.parametrize("block", range(8))
def test_random_scenarios_play_and_no_address_is_asked_twice(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        prepared = bf.prepare(random_scenario(seed))
        for run in range(2):
            result = checked(prepared, seed, run)
            assert result == bf.play(prepared, AddressedLuck(seed, run))


def test_random_scenarios_bring_every_start_line_into_play(monkeypatch: pytest.MonkeyPatch) -> None:
    done: Counter[str] = Counter()
    use_token, buy_move = bf.Fight.use_token, bf.Fight.buy_move

    def counted_token(fight: bf.Fight, user: bf.Hero, token: str, on: bf.Hero | None = None, **more: Any) -> bool:
        used = use_token(fight, user, token, on=on, **more)
        done[token if on is None else f"treat {token}"] += used
        return used

    def counted_move(fight: bf.Fight, hero: bf.Hero) -> int:
        points = buy_move(fight, hero)
        done["buy_move"] += points > 0
        return points

    monkeypatch.setattr(bf.Fight, "use_token", counted_token)
    monkeypatch.setattr(bf.Fight, "buy_move", counted_move)
    for seed in range(150):
        scenario = random_scenario(seed)
        if scenario.get("policy") == "provider":
            bf.play(bf.prepare(scenario), AddressedLuck(seed, 0))

    wanted = {line.do if line.do != "treat" else f"treat {line.token}" for line in START_LINES["provider"]}
    assert {do: done[do] for do in wanted if done[do] < 3} == {}


def checked(prepared: bf.Prepared, seed: int, run: int) -> bf.Result:
    """A run in which everything adds up and no address was asked twice.

    Only where more models were made than there are slots, a newcomer may act in the slot, and so with the dice, of a
    model that acted and died in the same turn.
    """
    luck = OnceLuck(seed, run)
    result = bf.play(prepared, luck)
    check_sums(result)
    made = sum(group.created for group in result.groups.values())
    assert not luck.twice or made > 40, f"asked twice: {sorted(luck.twice)}"
    return result


def check_sums(result: bf.Result) -> None:
    """What must hold after any fight."""
    for hero in result.heroes:
        assert 0 <= hero.hp <= hero.health
        assert 0 <= hero.mind <= hero.sanity
        assert hero.standing or hero.ko_count
        assert hero.ally <= (hero.xp == 0 and hero.loot == 0)
    alive = [enemy for enemy in result.enemies if enemy.alive]
    assert all(enemy.hp > 0 for enemy in alive)
    created = sum(group.created for group in result.groups.values())
    killed = sum(group.killed for group in result.groups.values())
    assert created - killed == len(alive)
    assert (not alive) == (result.outcome == "win")
    assert result.xp == sum(hero.xp for hero in result.heroes)
    if result.cause == "heroes":
        assert not any(hero.standing for hero in result.heroes)
    squares = [hero.square for hero in result.heroes if hero.standing] + [enemy.square for enemy in alive]
    assert len(set(squares)) == len(squares) or set(squares) <= {0, 1}

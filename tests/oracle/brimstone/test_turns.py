"""The order of play, events in a turn and its end."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.chances import TreeLuck, chance, chances
from tests.oracle.brimstone.scenes import hero_at, scene
from tests.oracle.luck import PythonLuck

F = Fraction


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

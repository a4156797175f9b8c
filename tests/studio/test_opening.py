"""Where everybody starts: every token that a file can place leads to its key, and can be put elsewhere."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from sim.scenario import load
from sim.scenario.catalogue import scenario_names
from sim.scenario.overrides import places
from sim.studio.address import Variant
from sim.studio.fights import OpenFight, open_fight, with_place
from sim.studio.folder import Folder
from sim.studio.opening import DrawOpening, Opening, Room, Seat, problems_on_board
from tests.studio.conftest import Visitor

FOLDER = Folder(Path.cwd())


def opened(name: str, *sets: str) -> OpenFight:
    return open_fight(Variant(name, sets), FOLDER)


def drawn(fight: OpenFight, seed: int = 1) -> Opening:
    return DrawOpening(fight.scenario, seed).do()


def seats(fight: OpenFight) -> dict[str, Seat]:
    return {seat.name: seat for seat in drawn(fight).rooms[0].seats}


def moved(fight: OpenFight, who: str, to: str) -> OpenFight:
    seat = seats(fight)[who]
    return open_fight(with_place(fight, seat.path, to, seat.line), FOLDER)


def free_place(room: Room) -> str:
    """A place on which nobody stands, as a file says it."""
    taken = {seat.stands for seat in room.seats}
    names = [re.findall(r'data-(?:to|name)="([^"]*)"', place) for place in room.places]
    return next(to for to, name in names if name not in taken and "nobody" not in name)


@pytest.mark.parametrize("name", list(scenario_names()))
def test_whoever_can_be_moved_has_a_key_that_set_reaches_and_all_others_a_reason(name: str) -> None:
    fight = opened(name)

    for room in drawn(fight).rooms:
        assert room.places
        for seat in room.seats:
            assert bool(seat.path) != bool(seat.why_not), seat.name
            entry = seat.path.rpartition("[")[0] if seat.path.endswith("]") else seat.path
            assert not entry or places(fight.scenario.in_full(), entry, fight.scenario.ruleset), seat.path


MOVES = {
    "brimstone/tentacle_hall": ("US marshal", "[1, 2]", "(1,2)", "heroes[0].square=[1, 2]"),
    "second_era/se_jailbreak": ("argonian bandit", "[0, 0]", "(0,0)", "enemies[1].hex=[0, 0]"),
    "p52/four-on-four": ("king of clubs", "[3, 3]", "(3,3)", "enemies[2].spot=[3, 3]"),
    "overhill/playtest-1": ("rogue", "rear", "heroes, rear guard", "heroes[1].guard=rear"),
}


@pytest.mark.parametrize("name", MOVES)
def test_a_token_that_is_put_elsewhere_stands_there_and_nobody_else_has_moved(name: str) -> None:
    who, to, stands, setting = MOVES[name]
    fight = opened(name, *(["rear_ratio=2"] if name.startswith("overhill") else []))  # else the rear is full

    after = moved(fight, who, to)

    assert after.problems == ()
    assert after.variant.sets[-1] == setting
    assert {seat.name: seat.stands for seat in seats(after).values()} == {
        seat.name: stands if seat.name == who else seat.stands for seat in seats(fight).values()
    }


def test_models_of_a_line_stay_where_they_are_when_one_of_them_is_moved() -> None:
    fight = opened("brimstone/tentacle_hall")
    before = {name: seat.stands for name, seat in seats(fight).items()}

    after = moved(moved(fight, "tentacle 3", "[4, 4]"), "tentacle 5", "[5, 5]")

    now = {name: seat.stands for name, seat in seats(after).items()}
    assert now == before | {"tentacle 3": "(4,4)", "tentacle 5": "(5,5)"}
    assert len(after.variant.sets) == 1
    assert after.scenario.digest == load("brimstone/tentacle_hall", sets=after.variant.sets).digest


def test_the_spots_of_an_enemy_deck_are_moved_one_by_one() -> None:
    fight = opened("p52/random-space")
    before = fight.scenario.data["enemy_deck"]["spots"]
    seat = drawn(fight).rooms[0].seats[5]

    after = open_fight(with_place(fight, seat.path, "[3, 3]", seat.line), FOLDER)

    assert after.problems == ()
    assert after.scenario.data["enemy_deck"]["spots"] == [before[0], [3, 3], *before[2:]]


def test_every_room_of_a_gauntlet_is_drawn_and_its_entrance_can_be_moved() -> None:
    fight = opened("p52/mountain-pass")
    rooms = drawn(fight).rooms
    hero = rooms[1].seats[0]

    after = open_fight(with_place(fight, hero.path, "[2, 2]", hero.line), FOLDER)

    assert [room.title[:11] for room in rooms] == ["Room 1 of 3", "Room 2 of 3", "Room 3 of 3"]
    assert [room.fixed for room in rooms] == [{}, {}, {}]
    assert rooms[1].seats[-1].path.startswith("encounters[1].enemies[")
    assert after.problems == ()
    assert {seat.stands for seat in drawn(after).rooms[1].seats[:4]} == {"(2,2)"}
    assert drawn(after).rooms[0].seats[0].stands == "(2,2)"  # these rooms share one board, and its entrance


@pytest.mark.parametrize("fight", ["p52/calico-castle", "second_era/three-clashes", "brimstone/three-threats"])
def test_a_hero_of_an_adventure_is_put_elsewhere_in_one_of_its_scenes(fight: str) -> None:
    begun = opened(fight)
    rooms = drawn(begun).rooms
    room = next(at for at, one in enumerate(rooms) if at and one.seats[0].line)
    first, second = rooms[room].seats[:2]
    free = free_place(rooms[room])

    after = open_fight(with_place(begun, first.path, free, first.line), FOLDER)

    now = drawn(after).rooms
    assert after.problems == ()
    assert re.fullmatch(r"scenes\[\d+\]\.places\[0\]", first.path)
    assert now[room].seats[0].stands == free.replace("[", "(").replace("]", ")").replace(" ", "")
    assert now[room].seats[1].stands == second.stands
    assert [one.seats[0].stands for one in now[:room]] == [one.seats[0].stands for one in rooms[:room]]


def test_a_guard_of_an_adventure_is_the_party_s_and_its_tables_are_named_after_their_scenes() -> None:
    rooms = drawn(opened("overhill/crypt-under-the-hill")).rooms

    assert rooms[1].seats[0].path == "heroes[0].guard"
    assert not any(room.title.startswith("Room") for room in rooms)


@pytest.mark.parametrize(
    ("fight", "who", "why"),
    [
        (("brimstone/rat_ambush",), "scourge rat 1", "by ambush"),
        (("brimstone/strangler_den",), "strangler 1", "is rolled"),
        (("brimstone/boot_hill", "threat=med:1"), "", "threat card"),
        (("second_era/se_wolves",), "first alpha wolf", "only one unit can stand on a hex"),
        (("second_era/se_clash_scaled_1",), "spriggan", "drawn anew"),
        (("overhill/playtest-1",), "skeleton", "range is greater than melee"),
    ],
)
def test_who_cannot_be_moved_says_why(fight: tuple[str, ...], who: str, why: str) -> None:
    found = seats(opened(*fight))

    assert any(why in seat.why_not for name, seat in found.items() if who in (name, "")), found


def test_a_fight_without_a_board_draws_none() -> None:
    assert drawn(opened("brimstone/duel")).rooms == ()


def test_a_place_that_does_not_fit_is_told_in_the_words_of_check() -> None:
    taken = moved(opened("brimstone/tentacle_hall"), "US marshal", "[4, 1]")
    wall = open_fight(with_place(opened("p52/four-on-four"), "enemies[0].spot", "[9, 9]"), FOLDER)
    guard = moved(opened("overhill/playtest-1"), "rogue", "rear")
    guard = moved(guard, "priest", "rear")

    for fight in (taken, wall, guard):
        problems = problems_on_board(fight, drawn(fight))
        assert problems == [problem.message for problem in fight.problems]
        assert problems
    assert "stands on [4, 1] too" in problems_on_board(taken, drawn(taken))[0]
    other = opened("overhill/playtest-1", "enemies[0].count=lots")
    assert problems_on_board(other, drawn(other)) == []


def test_putting_a_token_back_is_no_change() -> None:
    fight = opened("p52/four-on-four")
    before = fight.scenario.data["enemies"][2]["spot"]

    assert moved(moved(fight, "king of clubs", "[3, 3]"), "king of clubs", str(before)).variant.sets == ()


# ------------------------------------------------------------------------------------------------------- over the wire


def test_the_board_of_a_fight_is_a_part_of_its_page(visitor: Visitor) -> None:
    page = visitor.get("/fight", fight="brimstone/boot_hill").text
    board = html.unescape(visitor.get("/board", fight="brimstone/boot_hill").text)

    assert '<div id="board">' in page
    assert 'data-move="heroes[0].square"' in board
    assert len(re.findall(r'class="place"', board)) == 25
    assert 'aria-label="US marshal, (3,1)"' in board
    assert "svg" not in visitor.get("/board", fight="brimstone/duel").text
    assert visitor.get("/board", fight="brimstone/none").status_code == 404


def test_a_move_is_a_change_of_the_address_like_any_other(visitor: Visitor) -> None:
    page = visitor.get("/fight", fight="brimstone/boot_hill", move="heroes[0].square", to="[2, 2]").text
    crowded = {"fight": "brimstone/boot_hill", "set": "heroes[0].square=[9, 9]"}

    assert "set=heroes%5B0%5D.square%3D%5B2%2C+2%5D" in page
    assert "was not set" in page
    assert "which is not on the map" in visitor.get("/board", **crowded).text
    assert "which is not on the map" in visitor.get("/fight", **crowded).text

"""The page of a fight: everything in one file, readable without a script, and hostile names stay text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.core.telling import Scene, Token
from sim.errors import InputError
from sim.replays.frames import frames_of, health
from sim.replays.ground_plan import CELL, LARGEST, Grid, plan_for
from sim.replays.page import page_of, slider_marks
from sim.replays.replay import replay
from sim.scenario import load
from sim.scenario.catalogue import scenario_names
from tests.games.misbehaving import duel
from tests.replays.staged import BOARDS, SQUARES, staged

TROUBLE = ("</script><script>alert('name')</script>", '<img src="http://example.invalid/x.png" onerror="alert(1)">')


class Reader(HTMLParser):
    """Collects the elements of a page, and the text outside scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.inside = ""
        self.data = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside = tag if tag != "script" or not dict(attrs).get("type") else "data"

    def handle_data(self, data: str) -> None:
        if self.inside == "data":
            self.data += data
        elif self.inside not in ("script", "style"):
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""


def expanded(page: str) -> list[dict[str, list[object]]]:
    """The table after every event, by name, as the script makes it of the changes."""
    data = json.loads(Reader(page).data)
    now: dict[str, list[object]] = {}
    frames = []
    for event in data["events"]:
        for row, state in event[5].items():
            name = data["tokens"][int(row)]["name"]
            if state:
                now[name] = state
            else:
                del now[name]
        frames.append(dict(now))
    return frames


@pytest.mark.parametrize("kind", BOARDS)
def test_frames_hold_the_hit_points_of_every_event(kind: str) -> None:
    telling = staged(kind)

    frames = expanded(page_of(telling))

    for frame, event in zip(frames, telling.events, strict=True):
        told = {(token.name or token.key).replace("_", " "): token for token in event.after.tokens}
        assert {name: state[0] for name, state in frame.items()} == {name: token.hp for name, token in told.items()}
        assert {name: bool(state[5]) for name, state in frame.items()} == {n: t.down for n, t in told.items()}


@pytest.mark.parametrize("kind", BOARDS)
def test_the_story_stands_in_the_page_itself(kind: str) -> None:
    telling = staged(kind)

    text = Reader(page_of(telling)).text

    for words in filter(None, telling.words):
        assert f"{words}." in text
    assert "The party loses after 2 rounds." in text
    assert "4 or more needed, 88 %" in text
    assert "10♥" in text


def test_a_page_calls_the_game_by_its_title() -> None:
    text = Reader(page_of(replay(load("second_era/se_duel"), 3, 1))).text

    assert "Second Era · second_era/se_duel · policy" in " ".join(text.split())


def test_rules_are_told_when_somebody_points_at_a_line_and_not_in_the_text() -> None:
    reader = Reader(page_of(staged()))

    assert "ST-1" not in reader.text
    assert [attributes["title"] for tag, attributes in reader.elements if tag == "li" and attributes.get("title")]


def test_the_legend_says_what_cells_walls_and_marks_mean() -> None:
    text = Reader(page_of(staged("square"))).text

    for meaning in ("water", "obstructed", "no way through", "frozen", "prone", "three of a group are left"):
        assert meaning in text


@pytest.mark.parametrize("kind", BOARDS)
def test_hostile_names_stay_text(kind: str) -> None:
    page = page_of(staged(kind, TROUBLE, scenario="evil/<b>&\"'"))
    reader = Reader(page)

    tags = [tag for tag, _ in reader.elements]
    assert tags.count("script") == 2  # the frames, and the viewer
    assert "img" not in tags
    assert not any(name.startswith("on") for _, attributes in reader.elements for name in attributes)
    assert TROUBLE[0] in reader.text
    assert TROUBLE[1] in reader.text
    assert json.loads(reader.data)["tokens"][0]["name"] == TROUBLE[0]


def test_the_page_refers_to_nothing_outside_itself() -> None:
    page = page_of(staged("hex"))

    for tag, attributes in Reader(page).elements:
        for name in ("src", "href", "xlink:href", "data", "action", "poster", "srcset"):
            target = attributes.get(name) or ""
            assert target.startswith("#") or target in ("", "data:,"), f"<{tag} {name}={target!r}>"
    assert not re.search(r"@import|url\((?!#)", page)
    assert "default-src 'none'" in page


def test_the_same_run_gives_the_same_page() -> None:
    first, second = (page_of(replay(duel(), 3, 1)) for _ in range(2))

    assert first == second


def test_a_fight_of_ten_rounds_is_small() -> None:
    telling = next(told for run in range(100) if (told := replay(duel(coins=[9, 9, 9, 9]), run, 1)).rounds >= 10)

    assert len(page_of(telling).encode()) < 200_000


def test_marks_on_the_slider_name_falls_and_healings() -> None:
    telling = staged()

    marks = [(mark.event, mark.kind) for mark in slider_marks(telling.events, frames_of(telling.events))]

    assert (3, "party-down") in marks
    assert (5, "heal") in marks
    assert (6, "enemy-down") in marks  # the group has lost some


def test_health_is_a_part_of_all_that_ever_came() -> None:
    telling = staged()
    frames = frames_of(telling.events)

    party, enemies = (health(frames.moments, frames.known, side) for side in ("party", "enemy"))

    assert party[:4] == [1.0, 1.0, 16 / 20, 8 / 20]
    assert enemies[:2] == [23 / 24, 17 / 24]  # an imp comes later


# ------------------------------------------------------------------------------------------------- fights of all games


@pytest.mark.parametrize("name", scenario_names())
def test_every_fight_has_a_page_that_is_small_and_true(name: str) -> None:
    """Hit points, falls and places of every event; those on a board lie within their cell."""
    telling = replay(load(name), 3, 1)
    frames = frames_of(telling.events)

    page = page_of(telling)

    data = json.loads(Reader(page).data)
    now: dict[int, list[Any]] = {}
    for event, changes in zip(telling.events, (told[5] for told in data["events"]), strict=True):
        now |= {int(row): state for row, state in changes.items()}
        plan = frames.plans[frames.moments[0].board]
        plan = next((one for one in frames.plans if one.board is event.after.board), plan)
        there = {row: state for row, state in now.items() if state}
        rows = {token.key: token for token in event.after.tokens}
        assert set(there) == {list(frames.known).index(key) for key in rows}
        for key, token in rows.items():
            hp, most, x, y, _, down, *_ = there[list(frames.known).index(key)]
            assert (hp, most, bool(down)) == (max(token.hp, 0), token.max_hp, token.down)
            if isinstance(plan, Grid) and token.place is not None:
                centre = plan.centre(plan.board.coords[token.place])
                assert max(abs(x - centre[0]), abs(y - centre[1])) < CELL / 2
    assert len(page.encode()) < 20_000 * max(telling.rounds, 10)


# ------------------------------------------------------------------------------------------------------ where they lie


@pytest.mark.parametrize("kind", BOARDS)
@pytest.mark.parametrize("crowd", [1, 2, 4, 7])
def test_units_on_one_cell_do_not_cover_each_other(kind: str, crowd: int) -> None:
    tokens = tuple(Token(f"unit {number}", "enemy", 1, 1, 2) for number in range(crowd))
    plan = plan_for(BOARDS[kind], [Scene(tokens, BOARDS[kind])])

    spots = list(plan.spots(tokens).values())

    for at, one in enumerate(spots):
        for other in spots[:at]:
            apart = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
            assert apart >= 2 * max(one.radius, other.radius) * 0.99


@pytest.mark.parametrize("kind", BOARDS)
def test_everybody_lies_within_the_picture(kind: str) -> None:
    tokens = (
        *(Token(f"unit {number}", "enemy", 1, 1, number % 3) for number in range(13)),
        *(Token(f"hero {number}", "party", 1, 1) for number in range(9)),
    )
    plan = plan_for(BOARDS[kind], [Scene(tokens, BOARDS[kind])])
    left, top, width, height = plan.box

    for spot in plan.spots(tokens).values():
        assert left <= spot.x - spot.radius
        assert spot.x + spot.radius <= left + width
        assert top <= spot.y - spot.radius
        assert spot.y + spot.radius <= top + height


def test_the_fallen_make_room_for_who_stands() -> None:
    tokens = (Token("ogre", "enemy", 5, 5, 2), Token("priest", "party", 0, 8, 2, down=True))

    spots = plan_for(SQUARES, [Scene(tokens, SQUARES)]).spots(tokens)

    assert spots["ogre"].radius > spots["priest"].radius
    assert spots["ogre"].radius > 0.9 * LARGEST


# ------------------------------------------------------------------------------------------------------------- files


def test_a_page_is_written_and_written_again(tmp_path: Path) -> None:
    telling = staged()

    written = telling.save(tmp_path / "new" / "fight.html")
    again = telling.save(written)

    assert again.read_text(encoding="utf-8") == telling.page()
    assert [file.name for file in written.parent.iterdir()] == ["fight.html"]


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text("<html>mine</html>", encoding="utf-8")
    link = tmp_path / "link.html"
    link.symlink_to(report)

    for place, message in [
        (report, "is in the way and is no page made by 'fairfight replay'"),
        (link, "is a link"),
        (tmp_path, "is a folder; name a file in it"),
        (tmp_path / "fight.pdf", "expected the name of a page"),
    ]:
        with pytest.raises(InputError, match=message):
            staged().save(place)
    assert report.read_text(encoding="utf-8") == "<html>mine</html>"


def test_a_place_that_cannot_be_written_is_said_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(sim.SimError, match="cannot be written"):
        staged().save(tmp_path / "file" / "fight.html")


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    shown = staged(names=TROUBLE)._repr_html_()

    reader = Reader(shown)

    assert [tag for tag, _ in reader.elements] == ["iframe"]
    assert reader.elements[0][1]["srcdoc"] == staged(names=TROUBLE).page()

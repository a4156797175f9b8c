"""The table as a fight begins, drawn so that tokens can be put elsewhere, wherever a file can say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sim.core.board import Board
from sim.core.evening import Evening
from sim.core.starts import Start
from sim.core.telling import Scene, Token
from sim.replays.drawing import board_svg, hatchings, looks_of, name_of, place_svg, token_svg
from sim.replays.frames import mark_codes_of
from sim.replays.ground_plan import NOWHERE, Plan, plan_for
from sim.replays.openings import openings_of
from sim.replays.short_names import short_names
from sim.scenario import Scenario
from sim.scenario.adventure_starts import rooms_of
from sim.scenario.values import KeyPath, key_path
from sim.scenario.wording import readable, upper_first
from sim.studio.address import path_of
from sim.studio.fights import OpenFight
from sim.studio.tasks import Task

SCALE = 1.5  # pixels to a length of the drawing, at most


@dataclass(frozen=True, slots=True)
class Seat:
    """A token on the drawn table."""

    drawn: Markup
    name: str
    stands: str  # in words
    path: str  # of the key that says where it begins; empty if none can
    why_not: str
    line: str = ""  # where all of its list stand, as it is typed


@dataclass(frozen=True, slots=True)
class Room:
    """The table of one room."""

    title: str  # empty where there is only one
    hatchings: Markup
    view_box: str
    width: int
    ground: Markup
    places: tuple[Markup, ...]  # onto which tokens can be put
    seats: tuple[Seat, ...]

    @property
    def fixed(self) -> dict[str, list[str]]:
        """Who cannot be moved, by the reason."""
        found: dict[str, list[str]] = {}
        for seat in self.seats:
            if seat.why_not:
                found.setdefault(seat.why_not, []).append(seat.name)
        return found


@dataclass(frozen=True, slots=True)
class Opening:
    """The tables of all rooms."""

    rooms: tuple[Room, ...]
    alike: bool  # whether every run begins like this


@dataclass(frozen=True, slots=True)
class DrawOpening(Task[Opening]):
    """Draw the table as a fight begins; a game without a board has no rooms to draw."""

    scenario: Scenario
    seed: int

    def do(self) -> Opening:
        """Run 0, with every place that a token can be put on."""
        scenes, alike = openings_of(self.scenario, self.seed)
        tables = enumerate(zip(scenes, _titles(self.scenario, scenes), strict=True))
        rooms = [_room(self.scenario, scene, number, title) for number, (scene, title) in tables if scene.board]
        return Opening(tuple(rooms), alike)


def problems_on_board(fight: OpenFight, opening: Opening) -> list[str]:
    """What `check` says of the places that were chosen, where they do not fit."""
    starts = [key_path(seat.path) for room in opening.rooms for seat in room.seats if seat.path]
    set_here = any(_meets(path_of(setting), starts) for setting in fight.variant.sets)
    found = []
    for problem in fight.problems:
        setting = (problem.file or "").removeprefix("--set ")
        at = key_path(problem.key) if problem.key else path_of(setting)
        if _meets(at, starts) and (len(at) > 1 or set_here):
            found.append(problem.message)
    return found


def _meets(path: KeyPath, starts: Sequence[KeyPath]) -> bool:
    """Whether a path leads to one of these, or lies on the way to it or behind it."""
    return any(path[: len(start)] == start[: len(path)] for start in starts)


def _titles(scenario: Scenario, scenes: Sequence[Scene]) -> list[str]:
    """What each table is called, where there are several: after its scene, or its room."""
    if len(scenes) == 1:
        return [""]
    evening = scenario.encounter()
    rooms = [fight.name for fight, _ in rooms_of(evening)] if isinstance(evening, Evening) else [""] * len(scenes)
    titles = []
    for number, (scene, name) in enumerate(zip(scenes, rooms, strict=True)):
        about = next((note for note in scene.notes if note.startswith("room ")), "" if name else f"room {number + 1}")
        titles.append(upper_first(", ".join(filter(None, [name, about]))))
    return titles


def _room(scenario: Scenario, scene: Scene, number: int, title: str) -> Room:
    assert scene.board is not None
    prefix = f"room-{number}"
    starts = scenario.ruleset.starts(scenario.model, scene, number)
    plan, looks = plan_for(scene.board, [scene]), looks_of([scene.board])
    box = plan.box
    return Room(
        title=title,
        hatchings=hatchings(looks, prefix),
        view_box=" ".join(f"{length:.1f}" for length in box),
        width=round(SCALE * box[2]),
        ground=board_svg(plan, looks, prefix),
        places=tuple(_places(plan, scene.board, starts)),
        seats=tuple(_seats(plan, scene, starts)),
    )


def _places(plan: Plan, board: Board, starts: Sequence[Start]) -> Iterator[Markup]:
    """Where tokens can be put. Walls too: `check` says then why not."""
    words = {cell: word for start in starts if start.words for cell, word in start.words.items()}
    for cell, coord in enumerate(board.coords):
        if board.kind != "zones":
            yield place_svg(plan, coord, f"[{coord[0]}, {coord[1]}]", board.names[cell])
        elif cell in words:
            yield place_svg(plan, coord, words[cell], readable(board.names[cell]))
    for first, second in sorted(board.walls):
        yield place_svg(plan, (first, second), f"[{first}, {second}]", f"({first},{second}), where nobody can stand")


def _seats(plan: Plan, scene: Scene, starts: Sequence[Start]) -> Iterator[Seat]:
    assert scene.board is not None
    spots = plan.spots(scene.tokens)
    short = short_names([token.key for token in scene.tokens])
    codes = mark_codes_of(list(dict.fromkeys(mark for token in scene.tokens for mark in token.marks)))
    for token, start in zip(scene.tokens, starts, strict=True):
        drawn = token_svg(token, short[token.key], codes, spots[token.key])
        yield Seat(drawn, name_of(token), _stands(token, scene.board), start.path, start.why_not, _line(start))


def _line(start: Start) -> str:
    return ", ".join(f"[{x}, {y}]" for x, y in start.line)


def _stands(token: Token, board: Board) -> str:
    return NOWHERE if token.place is None else readable(board.names[token.place])

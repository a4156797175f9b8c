"""Telling one run move by move: what happened, as data.

The engine plays the wanted run again as a batch of one and hands it a `Recorder`. Rules tell what they did, after they
have done it:

    if s.tell:
        s.tell.event("OU-A3", "strikes", at, who=hero, whom=group, rolls=[dice(die, sides, needed)], removed=removed)

A rule never words: "strikes" names the sentence in the game's `telling.toml` into which the facts are put. With every
event the recorder looks at the state (`Encounter.look`), so that hit points, places and conditions after it are the
truth and need not be told. When nobody listens `s.tell` is None, and the only cost is that test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.core.board import Board
from sim.core.lanes import Lanes

Fact: TypeAlias = "int | str | np.integer | np.bool_ | NDArray[Any]"
Who: TypeAlias = "int | str | np.integer | NDArray[Any]"  # a row of the cast, or the key of a token


# ---------------------------------------------------------------------------------------------------------------------
# What is told
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Token:
    """One unit on the table, at one moment. A group that fights as one (three skeletons) is one token with a count."""

    key: str  # tells it apart all through the fight: the name of a unit of the cast, or of one model of it
    side: str  # "party" or "enemy"
    hp: int
    max_hp: int
    place: int | None = None  # the cell of the board where it stands, or where it fell; None where it is not on it
    down: bool = False  # fallen: drawn grey
    count: int | None = None  # of a group: how many are left
    marks: tuple[str, ...] = ()  # its conditions, each a word or two: "frozen"
    notes: tuple[str, ...] = ()  # what else a player keeps an eye on: "2 arrows left", "grit 1"
    name: str = ""  # as people call it, if not by its key: "queen of clubs"
    proper: bool = False  # a name of its own ("Alrik"), so without "the"


@dataclass(frozen=True, slots=True)
class Scene:
    """The table at one moment."""

    tokens: tuple[Token, ...] = ()
    board: Board | None = None  # another one from room to room, the same object as long as it is the same
    notes: tuple[str, ...] = ()  # what belongs to nobody: "darkness 4 of 15", "31 cards in the draw pile"


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice or cards that were turned up, and what was asked of them."""

    faces: tuple[str, ...]  # as they lie: "5", "T"; a card as rank and suit, "10♣"
    sides: int = 0  # of the dice; 0 for cards and for dice with pictures
    cards: bool = False
    purpose: str = ""  # in words: "to hit", "defence"
    needed: str = ""  # in words: "4 or more"
    counted: tuple[bool, ...] = ()  # which of them did what was hoped for; empty where the question makes no sense
    chance: float | None = None  # that it would work, before it was rolled
    came: float | None = None  # what came of it ...
    expected: float | None = None  # ... and what was to be expected, both in `measure`
    measure: str = ""  # "hits", "damage"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, and the table right after it."""

    round: int
    turn: int  # counts the turns of units through the whole fight; 0 before the first
    rule: str  # the id of the rule that made it happen
    kind: str  # the name of a sentence of the game, or one of START and ROUND_ENDS
    who: str  # the key of who acted; empty where nobody did
    whom: tuple[str, ...]  # the keys of those whom it was done to
    rolls: tuple[Roll, ...]
    facts: dict[str, int | bool | str]  # what else the sentence says
    after: Scene


START = "start"  # everybody has taken a place; no sentence
ROUND_ENDS = "round_ends"  # nothing more happens in this round; no sentence
SCENE_BEGINS = "scene_begins"  # the next scene of an evening; its facts: scene, of, name, what
AFTERWARDS = "afterwards"  # what a rest or a level has changed for the party; its facts: changes, gain_a_level
LEVELS_GAINED = "levels_gained"  # by XP, between two fights; its facts: names
TURNS_BACK = "turns_back"  # the party goes home before a scene; its facts: name, unless


# ---------------------------------------------------------------------------------------------------------------------
# Who listens
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Recorder:
    """Collects the events of a batch of one run."""

    names: list[str] = field(default_factory=list)  # of the units of the cast, set by the engine
    look: Callable[[Any], Scene] | None = None  # how to look at the state, set by the engine
    state: Any = None  # the state being played; every state that is made tells the recorder of itself
    events: list[Event] = field(default_factory=list)
    round: int = 0
    turns: int = 0
    rounds_before: int = 0  # of the scenes before this one
    scene_from: int = 0  # the number of the event with which this scene begins

    def start(self) -> None:
        """Everybody has taken a place. A game says so itself where something happens before the first round."""
        if not any(event.kind == START for event in self.events[self.scene_from :]):
            self.event("", START)

    def scene_ends(self, rounds: int) -> None:
        """A scene of so many rounds is over: the next ones count on."""
        self.rounds_before += rounds
        self.scene_from = len(self.events)

    def turn(self) -> None:
        """Somebody's turn begins: the events that follow belong to it."""
        self.turns += 1

    def event(
        self,
        rule: str,
        kind: str,
        at: Lanes | None = None,
        *,
        who: Who | None = None,
        whom: Who | Sequence[Who] | None = None,
        rolls: Iterable[Roll] = (),
        **facts: Fact,
    ) -> None:
        """Something happened in the lanes `at`; nothing is told if there are none.

        Who, whom and facts are given as they are at hand: a number, a text, or an array with one value per lane.
        """
        if at is not None and len(at) == 0:
            return
        others: Sequence[Who | None] = whom if isinstance(whom, (list, tuple)) else [whom]  # type: ignore[list-item]
        self.events.append(
            Event(
                self.round,
                self.turns,
                rule,
                kind,
                self._key(who),
                tuple(key for other in others if (key := self._key(other))),
                tuple(rolls),
                {name: _as_told(value) for name, value in facts.items()},
                self.look(self.state) if self.look else Scene(),
            )
        )

    def _key(self, who: Who | None) -> str:
        if who is None:
            return ""
        told = _as_told(who)
        return told if isinstance(told, str) else self.names[told]


def dice(
    faces: ArrayLike,
    sides: Fact,
    at_least: Fact | None = None,
    *,
    above: Fact | None = None,
    purpose: str = "",
    measure: str = "hits",
) -> Roll:
    """Dice of so many sides as they fell in the first lane: (lanes,) for one die, (dice, lanes) for several.

    With `at_least` or `above` each die that reaches it counts: chance and expectation are worked out here. A face of 0
    is a die that was not rolled.
    """
    values = [face for face in _first_lane(faces) if face]
    size = int(_as_told(sides))
    if at_least is None and above is None:
        return Roll(tuple(map(str, values)), size, purpose=purpose)
    bar = int(_as_told(at_least)) if at_least is not None else int(_as_told(above)) + 1  # type: ignore[arg-type]
    one = min(max(size + 1 - bar, 0), size) / size if size else 0.0
    counted = tuple(value >= bar for value in values)
    return Roll(
        tuple(map(str, values)),
        size,
        purpose=purpose,
        needed=f"{bar} or more" if bar < size else f"a {bar}",
        counted=counted,
        chance=1 - (1 - one) ** len(values),
        came=float(sum(counted)),
        expected=one * len(values),
        measure=measure,
    )


def _first_lane(faces: ArrayLike) -> list[int]:
    table = np.asarray(faces)
    column = table.reshape(-1)[:1] if table.ndim < 2 else table[:, 0]
    return [int(face) for face in column]


def _as_told(fact: Fact) -> int | bool | str:
    """The fact of the one run that is told, as a number, truth or text of Python's own."""
    value = fact.flat[0] if isinstance(fact, np.ndarray) else fact
    if isinstance(value, str):
        return str(value)
    return bool(value) if isinstance(value, (bool, np.bool_)) else int(value)

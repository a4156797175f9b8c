"""The table after every event, as what the event changed: small, and quick to be expanded by the page.

    {"tokens": [{"name", "short", "side"}],      everybody who was ever there
     "words": [...],                              conditions and notes, named by their number below
     "codes": {"0": "frozen"},                       of the conditions
     "boards": [[x, y, width, height]],
     "events": [[round, turn, board, who, [whom], {token: state or 0}, [notes] or 0]]}

A state is [hp, max_hp, x, y, scale, down, count or -1, [marks], [notes]]; 0 stands for a token that has left the table
and for notes that did not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.core.telling import Event, Token
from sim.replays.drawing import UNIT, name_of
from sim.replays.ground_plan import Plan, Spot, plan_for
from sim.replays.short_names import short_names
from sim.scenario.wording import readable


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after an event."""

    tokens: dict[str, Token]
    spots: dict[str, Spot]
    board: int
    notes: tuple[str, ...]


@dataclass(slots=True)
class Frames:
    """Everything that the page shows of the table."""

    plans: list[Plan]
    moments: list[Moment]
    known: dict[str, Token]  # everybody who was ever there, as first seen
    short: dict[str, str]
    codes: dict[str, str]  # condition -> the word that stands below a token
    words: list[str] = field(default_factory=list)

    def as_data(self, events: Sequence[Event]) -> dict[str, Any]:
        """For the page."""
        rows = {key: row for row, key in enumerate(self.known)}
        told: list[list[Any]] = []
        before: dict[str, list[Any]] = {}
        notes: tuple[str, ...] = ()
        for event, moment in zip(events, self.moments, strict=True):
            now = {key: self._state(token, moment.spots[key]) for key, token in moment.tokens.items()}
            changes: dict[int, Any] = {rows[key]: state for key, state in now.items() if before.get(key) != state}
            changes |= {rows[key]: 0 for key in before if key not in now}
            told.append(
                [
                    event.round,
                    event.turn,
                    moment.board,
                    rows.get(event.who, -1),
                    [rows[key] for key in event.whom if key in rows],
                    changes,
                    0 if event.after.notes == notes else list(event.after.notes),
                ]
            )
            before, notes = now, event.after.notes
        return {
            "tokens": [{"name": name_of(token), "short": self.short[key]} for key, token in self.known.items()],
            "boards": [[round(length, 1) for length in plan.box] for plan in self.plans],
            "codes": {self._word(mark): code for mark, code in self.codes.items()},
            "events": told,
            "words": self.words,
        }

    def _state(self, token: Token, spot: Spot) -> list[Any]:
        return [
            max(token.hp, 0),
            token.max_hp,
            round(spot.x, 1),
            round(spot.y, 1),
            round(spot.radius / UNIT, 2),
            int(token.down),
            -1 if token.count is None else token.count,
            [self._word(mark) for mark in token.marks],
            [self._word(note) for note in token.notes],
        ]

    def _word(self, word: str) -> int:
        if word not in self.words:
            self.words.append(word)
        return self.words.index(word)


def frames_of(events: Sequence[Event]) -> Frames:
    """The table after every event, with everybody's place on the page."""
    scenes = [event.after for event in events]
    boards = list({id(scene.board): scene.board for scene in scenes if scene.tokens}.values()) or [None]
    plans = [plan_for(board, [scene for scene in scenes if scene.board is board]) for board in boards]
    known: dict[str, Token] = {}
    moments = []
    for scene in scenes:
        number = next((n for n, board in enumerate(boards) if board is scene.board), 0)  # the first for an empty table
        tokens = {token.key: token for token in scene.tokens}
        for token in scene.tokens:
            known.setdefault(token.key, token)
        moments.append(Moment(tokens, plans[number].spots(scene.tokens), number, scene.notes))
    marks = dict.fromkeys(mark for scene in scenes for token in scene.tokens for mark in token.marks)
    return Frames(plans, moments, known, short_names(list(known)), mark_codes_of(list(marks)))


def mark_codes_of(marks: Sequence[str]) -> dict[str, str]:
    """A word for every condition, as it stands below a token: its first, or all where two are alike.

    >>> mark_codes_of(["frozen", "knocked out", "knocked over"])
    {'frozen': 'frozen', 'knocked out': 'knocked', 'knocked over': 'knocked over'}
    """
    codes: dict[str, str] = {}
    for mark in marks:
        words = readable(mark)
        codes[mark] = next(code for code in (words.split(" ")[0], words, mark) if code not in codes.values())
    return codes


def health(moments: Sequence[Moment], known: Mapping[str, Token], side: str) -> list[float]:
    """After every event: the part of the side's health that is left, of all that ever came."""
    most = {
        key: max(moment.tokens[key].max_hp for moment in moments if key in moment.tokens)
        for key, token in known.items()
        if token.side == side
    }
    whole = sum(most.values())
    left = [sum(max(moment.tokens[key].hp, 0) for key in most if key in moment.tokens) for moment in moments]
    return [hp / whole if whole else 0.0 for hp in left]

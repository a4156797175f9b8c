"""What dice and cards are worth in a fight, learned from a pilot: runs of their own that are in no result.

Every run of the pilot writes down which faces it has seen, less how many were to be expected: by purpose and side, by
purpose and actor, by purpose, side and stage of the fight. Ridge regression finds the worths with which the sum of it
all follows the outcome best; worths of single actors and stages are held back against those of a whole side, and how
much everything is held back is chosen by what was learned from one half of the pilot and tried on the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.engine import Encounter, play_with
from sim.core.known_luck import NO_WORTHS, ROUNDS, SCALE, STAGES, Faces, Worth, Worths
from sim.core.lanes import Row, Whole
from sim.core.luck import ENEMIES, GOLDEN, TABLE, Luck, Words, mix, run_keys
from sim.core.outcomes import Outcome

if TYPE_CHECKING:
    from sim.core.deck import Deck

PILOT = 2_048  # runs that are learned from: the first thousand cost most of the time, so twice as many hardly cost more
FEWEST = 16  # wins, and other endings, in the pilot: from fewer there is nothing to learn
MOST_SIDES = 30  # larger dice are mostly lots, whose faces have no meaning that could be learned
MOST_COLUMNS = 400
PENALTIES = (50.0, 200.0, 800.0)
FINER = 0.4  # how far worths of single actors and stages are trusted, against those of a whole side
LEAST_GAIN = 1.05  # below this it is not worth its while
LEAST_SHARE = 0.01  # purposes whose dice explain less of the outcome than this are left alone

MOST_WORTH = 1 << 16  # of a card, in parts of a SCALE: a whole fight; sums over a pile are exact in 24 bits

HERO, ENEMY, NOBODY = range(3)
ALL_STAGES, ONE_ACTOR = -1, -2  # instead of a stage: what was seen in the whole fight by a side, or by one actor


class Key(NamedTuple):
    """What is counted together."""

    what: str  # "dice" or "cards"
    purpose: str
    sides: int
    who: int  # a side; an actor where `stage` is ONE_ACTOR
    stage: int


Note: TypeAlias = NDArray[np.int32]
Seen: TypeAlias = dict[Key, NDArray[np.float64]]  # (faces, runs) how often each was seen, less what was to be expected


def learned(encounter: Encounter[Any], seed: int, runs: int = PILOT) -> Worths:
    """The worths of a fight under a seed: the same wherever and whenever they are asked for."""
    notes, lanes = Notes(runs), np.arange(runs, dtype=np.int64)
    own_seed = mix(seed ^ GOLDEN)  # no run is corrected by what was learned from itself
    outcomes = play_with(encounter, lanes, PilotLuck(run_keys(own_seed, lanes), lanes, notes))
    counted = outcomes.outcome != Outcome.EMPTY
    won = outcomes.outcome == Outcome.WIN
    if min(np.count_nonzero(won), np.count_nonzero(counted & ~won)) < FEWEST:
        return NO_WORTHS
    return fit(notes.tables(), won - counted * (won.sum() / counted.sum()))


class PilotLuck(Luck):
    """Plain luck that writes down what each run has seen."""

    __slots__ = ("lane", "notes")

    def __init__(self, keys: Words, lane: Whole, notes: Notes) -> None:
        super().__init__(keys)
        self.lane = lane  # (runs left,) which column of the tables belongs to a run
        self.notes = notes  # of the whole pilot

    @property
    def watches_cards(self) -> bool:
        """Whether it wants to hear of cards that are turned."""
        return True

    def only(self, keep: NDArray[np.bool_] | Whole) -> PilotLuck:
        """The luck of some of the runs; the notes are those of all."""
        return PilotLuck(self.keys[keep], self.lane[keep], self.notes)

    def and_of(self, other: Luck) -> PilotLuck:
        """The luck of these runs and of others of the same pilot."""
        assert isinstance(other, PilotLuck)
        lane = np.concatenate([self.lane, other.lane])
        return PilotLuck(np.concatenate([self.keys, other.keys]), lane, self.notes)

    def scene(self, number: int) -> Luck:
        """The luck of these runs in a scene of an evening, written down in the same notes."""
        return PilotLuck(super().scene(number).keys, self.lane, self.notes) if number else self

    def below(
        self,
        n: int | NDArray[np.integer],
        purpose: str,
        round: int | Whole,
        actor: int | Whole,
        index: Row = 0,
        at: Whole | None = None,
    ) -> Whole:
        """A whole number from 0 to n - 1 for every lane, written down."""
        face = super().below(n, purpose, round, actor, index, at)
        lane = self.lane if at is None else self.lane[at]
        self.notes.dice.setdefault(purpose, []).append(_noted(lane, actor, round, n, face))
        return face

    def turned(self, deck: Deck, card: Whole, purpose: str, round: Row, actor: Row, at: Whole) -> None:
        """A card was turned, written down by its kind."""
        if len(at):
            surprise = deck.surprise(card, at)
            self.notes.cards.setdefault(purpose, []).append((_noted(self.lane[at], actor, round), surprise))


@dataclass(slots=True)
class Notes:
    """What was thrown and turned in a pilot, in the order in which it happened; made into tables at the end.

    Writing down is all that is done while the fights are played, so that a pilot takes little longer than they do.
    """

    runs: int
    dice: dict[str, list[Note]] = field(default_factory=dict)  # purpose -> (lane, actor, stage, sides, face) x lanes
    cards: dict[str, list[tuple[Note, Worth]]] = field(default_factory=dict)  # (lane, actor, stage) and the surprise

    def tables(self) -> Seen:
        """How often each face was seen by each run, less what was to be expected."""
        seen: Seen = {}
        for purpose, thrown in self.dice.items():
            lane, actor, stage, sides, face = np.concatenate(thrown, axis=1)
            for count in np.unique(sides).tolist():
                if 2 <= count <= MOST_SIDES:
                    one = np.flatnonzero(sides == count)
                    places = (stage[one] * count + face[one]) * self.runs + lane[one]
                    found = self._by_actor(actor[one], places, count)
                    for whose in found.values():
                        whose -= whose.mean(axis=1, keepdims=True)
                    seen |= _together("dice", purpose, found)
        for purpose, turned in self.cards.items():
            lane, actor, stage = np.concatenate([place for place, _ in turned], axis=1)
            surprise = np.concatenate([kinds for _, kinds in turned], axis=1)
            kinds = len(surprise)
            places = (stage * kinds + np.arange(kinds)[:, None]) * self.runs + lane  # (kinds, cards turned)
            found = self._by_actor(np.tile(actor, kinds), places.reshape(-1), kinds, surprise.reshape(-1))
            seen |= _together("cards", purpose, found)
        return seen

    def _by_actor(self, actor: Note, places: Note, faces: int, worth: Worth | None = None) -> dict[int, Worth]:
        """Actor -> (stages, faces, runs), added up."""
        shape = (STAGES, faces, self.runs)
        found = {}
        for one in np.unique(actor).tolist():
            own = np.flatnonzero(actor == one)
            weights = None if worth is None else worth[own]
            sums = np.bincount(places[own], weights, minlength=STAGES * faces * self.runs)
            found[one] = sums.reshape(shape).astype(np.float64)
        return found


def _noted(lane: Whole, actor: Row, round: Row, *others: Row) -> Note:
    """(3 and others, lanes). Lane, actor, stage and other numbers, for every lane."""
    rows = np.empty((3 + len(others), len(lane)), dtype=np.int32)
    rows[0], rows[1], rows[2] = lane, actor, ROUNDS.take(round, mode="clip")
    for row, other in zip(rows[3:], others, strict=True):
        row[:] = other
    return rows


def _together(what: str, purpose: str, found: dict[int, Worth]) -> Seen:
    """What every actor has seen: of single actors, of a side, and of a side in a stage."""
    seen: Seen = {}
    for actor, table in found.items():
        faces, side = table.shape[1], side_of(actor)
        seen[Key(what, purpose, faces, actor, ONE_ACTOR)] = table.sum(axis=0)
        for stage, part in enumerate(table):
            if part.any():
                key = Key(what, purpose, faces, side, stage)
                seen[key] = seen.get(key, 0.0) + part
    for side in {side_of(actor) for actor in found}:
        whole = sum(table.sum(axis=0) for actor, table in found.items() if side_of(actor) == side)
        seen[Key(what, purpose, faces, side, ALL_STAGES)] = np.asarray(whole)
    return seen


def side_of(actor: int) -> int:
    """Whose luck it is."""
    return HERO if actor < ENEMIES else NOBODY if actor == TABLE else ENEMY


# ------------------------------------------------------------------------------------------------------------- fitting


def fit(seen: Seen, won: Worth) -> Worths:
    """The worths with which the sum of what was seen follows the outcome best; none if that is hardly at all.

    Args:
        won: (runs,) 1 for a win, less the win rate: its mean is 0.
    """
    seen = _often_seen(seen)
    table = np.concatenate(list(seen.values()))  # (columns, runs)
    spread = np.sqrt((table**2).mean(axis=1))
    trust = np.concatenate([np.full(key.sides, 1.0 if key.stage == ALL_STAGES else FINER) for key in seen])
    scale = np.divide(trust, spread, out=np.zeros_like(spread), where=spread > 0)
    alike = table * scale[:, None]
    half = len(won) // 2
    one, other = _Squares.of(alike[:, :half], won[:half]), _Squares.of(alike[:, half:], won[half:])
    gains = {penalty: _gain(one, other, penalty) for penalty in PENALTIES}
    best = max(PENALTIES, key=lambda penalty: gains[penalty])
    if gains[best] < LEAST_GAIN:
        return NO_WORTHS
    weights = np.round(SCALE * one.both(other).ridge(best) * scale)  # whole numbers
    by_key = dict(zip(seen, np.split(weights, np.cumsum([key.sides for key in seen])[:-1]), strict=True))
    kept = _that_matter(seen, by_key, SCALE**2 * won.var())
    tables = {one: _faces({key: by_key[key] for key in seen if (key.what, key.purpose) == one}) for one in kept}
    return Worths(
        dice={purpose: _of_dice(faces) for (what, purpose), faces in tables.items() if what == "dice"},
        cards={purpose: _of_cards(faces) for (what, purpose), faces in tables.items() if what == "cards"},
        gain=gains[best],
    )


def _often_seen(seen: Seen) -> Seen:
    """What was seen often enough to learn from: as many columns as can be fitted quickly, the busiest first."""
    busy = sorted(seen, key=lambda key: -float((seen[key] ** 2).sum()) * (1.0 if key.stage == ALL_STAGES else FINER**2))
    columns = np.cumsum([key.sides for key in busy])
    chosen = set(busy[: max(1, int(np.searchsorted(columns, MOST_COLUMNS)))])
    return {key: table for key, table in seen.items() if key in chosen}


class _Squares(NamedTuple):
    """The sums of squares and products that regression needs."""

    columns: Worth  # (columns, columns)
    with_won: Worth  # (columns,)
    won: float

    @classmethod
    def of(cls, table: Worth, won: Worth) -> _Squares:
        """Those of some runs."""
        return cls(table @ table.T, table @ won, float(won @ won))

    def both(self, other: _Squares) -> _Squares:
        """Those of these runs and of others."""
        return _Squares(self.columns + other.columns, self.with_won + other.with_won, self.won + other.won)

    def ridge(self, penalty: float) -> Worth:
        """(columns,). The weights of ridge regression."""
        held_back = self.columns + penalty * np.eye(len(self.with_won))
        return np.linalg.solve(held_back, self.with_won).astype(np.float64)

    def left_by(self, weights: Worth) -> float:
        """The sum of squares that is left when these weights are used."""
        return float(self.won - 2 * weights @ self.with_won + weights @ self.columns @ weights)


def _gain(one: _Squares, other: _Squares, penalty: float) -> float:
    """How much smaller the variance becomes in the half that was not learned from, both ways round."""
    left = one.left_by(other.ridge(penalty)) + other.left_by(one.ridge(penalty))
    return (one.won + other.won) / left


def _that_matter(seen: Seen, weights: dict[Key, Worth], variance: float) -> list[tuple[str, str]]:
    """The purposes whose dice or cards explain enough of the outcome to be worth looking at in every run."""
    sums: dict[tuple[str, str], Any] = {}
    for key, table in seen.items():
        one = key.what, key.purpose
        sums[one] = sums.get(one, 0.0) + weights[key] @ table
    return [one for one, known in sums.items() if known.var() >= LEAST_SHARE * variance]


def _faces(weights: dict[Key, Worth]) -> Faces:
    """The worths of one purpose, in parts of a SCALE: of the side, of the stage, of the actor, all added up."""
    actors = sorted({key.who for key in weights if key.stage == ONE_ACTOR})
    most = max(key.sides for key in weights)
    table = np.zeros((most + 2, STAGES, 3 + len(actors), most))
    rows = np.repeat([HERO, ENEMY, NOBODY], [ENEMIES, TABLE - ENEMIES, 1])  # (actor numbers,)
    for place, actor in enumerate(actors):
        rows[actor] = 3 + place
    sides = np.array([HERO, ENEMY, NOBODY, *map(side_of, actors)])
    for key, worth in weights.items():
        for row in [rows[key.who]] if key.stage == ONE_ACTOR else np.flatnonzero(sides == key.who):
            when = key.stage if key.stage >= 0 else slice(None)
            table[key.sides, when, row, : key.sides] += worth
    return Faces(table, rows)


def _of_dice(faces: Faces) -> Faces:
    """The same less the mean of all faces of a die, which is what it is worth before it is thrown."""
    table = faces.table / SCALE
    for size in range(1, faces.most_sides + 1):
        table[size, ..., :size] -= table[size, ..., :size].mean(axis=-1, keepdims=True)
    return Faces(table, faces.actor)


def _of_cards(faces: Faces) -> Faces:
    """The same as small whole numbers: what a card is worth before it is turned depends on the pile."""
    return Faces(np.clip(faces.table, -MOST_WORTH, MOST_WORTH).astype(np.float32), faces.actor)

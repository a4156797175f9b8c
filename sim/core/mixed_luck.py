"""Luck can be mixed: a run's own luck at a set of addresses, other luck everywhere else.

    attacks = Addresses((Part(purposes=("OU-A3", "OU-A5")),))
    MixedLuck.mixed(luck, attacks)                 # the attacks of the run itself, the rest with its other luck
    MixedLuck.mixed(luck, attacks.opposite())      # the other way round

Played against the run itself, the covariance of the outcomes is the share of the fight that the set decides. Plain luck
knows nothing of this and is as quick as ever.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Mask, Row, Whole
from sim.core.luck import SCENE, TABLE, Luck, Numbers, Words

Span: TypeAlias = tuple[int, int]  # the first and the last number of a stretch


@dataclass(frozen=True, slots=True)
class Part:
    """Addresses that fit in every respect; None fits any.

    The round of a shuffle is its number, as in its address, so a part that names rounds means little for a deck: for
    "the rounds up to here" see `sim.core.branch`.
    """

    purposes: tuple[str, ...] | None = None  # names, or patterns with * as in `*/armor`
    actors: tuple[Span, ...] | None = None
    rounds: tuple[Span, ...] | None = None

    def has(self, purpose: str, round: Numbers, actor: Numbers) -> bool | Mask:
        """Whether an address is in it; (lanes,) where round or actor differ from lane to lane."""
        if self.purposes is not None and not any(fnmatchcase(purpose, pattern) for pattern in self.purposes):
            return False
        return _within(actor, self.actors) & _within(round, self.rounds)


@dataclass(frozen=True, slots=True)
class Addresses:
    """A set of addresses: all that are in one of its parts and in none of those left out; or all others."""

    parts: tuple[Part, ...]
    without: tuple[Part, ...] = ()
    inverted: bool = False

    def opposite(self) -> Addresses:
        """All other addresses."""
        return replace(self, inverted=not self.inverted)

    def has(self, purpose: str, round: Numbers, actor: Numbers) -> bool | Mask:
        """Whether an address is in the set; (lanes,) where round or actor differ from lane to lane."""
        held: bool | Mask = False
        for part in self.parts:
            held = held | part.has(purpose, round, actor)
        for part in self.without:
            held = held & np.logical_not(part.has(purpose, round, actor))
        return np.logical_xor(held, self.inverted)


EVERYTHING = Addresses((Part(),))
NOTHING = EVERYTHING.opposite()


class MixedLuck(Luck):
    """The luck of a batch of runs: their own keys at some addresses, others elsewhere."""

    __slots__ = ("known", "others", "own")

    def __init__(self, keys: Words, others: Words, own: Addresses, known: dict[tuple[str, int, int], bool]) -> None:
        super().__init__(keys)
        self.others = others  # (runs,)
        self.own = own
        self.known = known  # (purpose, round, actor) -> whether it is one of the own addresses; for all of a batch

    @classmethod
    def mixed(cls, luck: Luck, own: Addresses) -> MixedLuck:
        """A luck at these addresses, its other luck elsewhere."""
        return cls(luck.keys, luck.other().keys, own, {})

    def only(self, keep: NDArray[np.bool_] | Whole) -> MixedLuck:
        """The luck of some of the runs, for a batch that has been compacted."""
        return MixedLuck(self.keys[keep], self.others[keep], self.own, self.known)

    def and_of(self, other: Luck) -> MixedLuck:
        """The luck of these runs and of others that are mixed alike, for batches that are joined."""
        assert isinstance(other, MixedLuck)
        keys, others = (np.concatenate(pair) for pair in ((self.keys, other.keys), (self.others, other.others)))
        return MixedLuck(keys, others, self.own, self.known)

    def scene(self, number: int) -> MixedLuck:
        """The luck of these runs in a scene of an evening: both lucks are those of that scene, mixed alike."""
        if not number:
            return self
        keys, others = (Luck(keys).bits(SCENE, 0, TABLE, number) for keys in (self.keys, self.others))
        return MixedLuck(keys, others, self.own, self.known)

    def keys_for(self, purpose: str, round: Numbers, actor: Numbers, at: Whole | slice | None = None) -> Words:
        """(lanes,). The run keys that hold at an address."""
        if isinstance(round, int) and isinstance(actor, int):
            address = purpose, round, actor
            if address not in self.known:
                self.known[address] = bool(self.own.has(*address))
            keys = self.keys if self.known[address] else self.others
            return keys if at is None else keys[at]
        mine = self.own.has(purpose, round, actor)
        keys, others = (self.keys, self.others) if at is None else (self.keys[at], self.others[at])
        return np.where(mine, keys, others)

    def bits(
        self,
        purpose: str,
        round: int | Whole,
        actor: int | Whole,
        index: Row = 0,
        at: Whole | None = None,
    ) -> Words:
        """64 random bits for every lane."""
        return Luck(self.keys_for(purpose, round, actor, at)).bits(purpose, round, actor, index)


def _within(number: Numbers, spans: tuple[Span, ...] | None) -> bool | Mask:
    """Whether a number lies in one of the stretches; (lanes,) for one number per lane."""
    if spans is None:
        return True
    held: bool | Mask = False
    for first, last in spans:
        held = held | ((number >= first) & (number <= last))
    return held

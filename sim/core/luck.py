"""Luck has an address: every random number is a pure function of where it is asked for.

An address is (seed, run, round, actor, purpose, index). There is no generator, no state and no order of draws, so run k
meets the same luck alone, in any batch, on any machine, and two variants of a fight meet the same luck at the same
address.

    run_key  = mix(mix(seed + GOLDEN) + GOLDEN * (run + 1))          one per run, made once per batch
    word     = mix(purpose_key(purpose) ^ (round << 40 | actor << 20 | index))
    number   = mix(run_key ^ word)                                   64 random bits

`mix` is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014; constants of Stafford's variant 13) and GOLDEN its
increment. `purpose_key` is the first eight bytes (little endian) of BLAKE2b of the purpose's name, usually a rule id.
All sums and products are modulo 2**64. A whole number below n is `(number >> 32) * n >> 32`; its bias is below
n / 2**32, which no simulation here can see.

A run can be played on with other luck from the start of a round. The number at the address (seed, run, round, TABLE,
"branch", c) is the run key of its c-th continuation: as pure a function of its address as everything else. So is the
other luck of a run, whose run key is the number at (seed, run, 0, TABLE, "other", 0): `sim.core.mixed_luck` plays a run
with its own luck at some addresses and the other one elsewhere.

An evening has one luck and many scenes. The first scene is played with the luck of the run itself; the run key of scene
i (counted from 0, rests and level-ups too) is the number at (seed, run, 0, TABLE, "scene", i). So a changed scene
leaves the luck of all others as it was.
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Row, Whole, which

if TYPE_CHECKING:
    from sim.core.deck import Deck

Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = "int | NDArray[np.integer]"  # one for all lanes, or one per lane

GOLDEN = 0x9E3779B97F4A7C15
MASK = 0xFFFFFFFFFFFFFFFF

# Who may ask for luck. Heroes are 0, 1, ... in roster order; enemies count from ENEMIES in list order, so that one more
# hero does not change the luck of the enemies. What belongs to nobody (the order of play, a trap) is asked by TABLE.
ENEMIES = 1_000
TABLE = 9_999

BRANCH, OTHER, SCENE = "branch", "other", "scene"  # run keys of continuations, of a run's other luck, of later scenes
MOST_CONTINUATIONS = 1 << 20  # of one run from one round: as many as an index counts


def mix(word: int) -> int:
    """The SplitMix64 finaliser on one Python integer.

    >>> hex(mix(GOLDEN))        # the first output of SplitMix64 seeded with 0
    '0xe220a8397b1dcdaf'
    """
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def mix_words(words: Words) -> Words:
    """`mix` on a whole array, in place: what the array held before is gone."""
    shifted = words >> 30
    words ^= shifted
    words *= 0xBF58476D1CE4E5B9
    np.right_shift(words, 27, out=shifted)
    words ^= shifted
    words *= 0x94D049BB133111EB
    np.right_shift(words, 31, out=shifted)
    words ^= shifted
    return words


@cache
def purpose_key(purpose: str) -> int:
    """The 64-bit number that stands for a purpose, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(purpose.encode(), digest_size=8).digest(), "little")


@lru_cache(maxsize=1 << 16)
def word(purpose: str, round: int, actor: int, index: int) -> int:
    """The part of an address that all runs of a batch share."""
    return mix(purpose_key(purpose) ^ (round << 40 | actor << 20 | index))


def run_keys(seed: int, runs: Whole) -> Words:
    """(runs,). The part of an address that belongs to a run."""
    keys = runs.astype(np.uint64)
    keys += 1
    keys *= GOLDEN
    keys += mix((seed + GOLDEN) & MASK)
    return mix_words(keys)


class Luck:
    """The luck of a batch of runs. Every method is a pure function of the address.

    `round`, `actor` and `index` are whole numbers, the same for all runs (the usual case in lock-step play), or arrays
    with one value per run asked for. `at` names the lanes that ask: positions in the batch; None means all of them.
    """

    __slots__ = ("keys",)

    def __init__(self, keys: Words) -> None:
        self.keys = keys  # (runs,)

    @classmethod
    def of(cls, seed: int, runs: Whole) -> Luck:
        """The luck of the runs with these numbers under a seed."""
        return cls(run_keys(seed, np.asarray(runs, dtype=np.int64)))

    def only(self, keep: NDArray[np.bool_] | Whole) -> Luck:
        """The luck of some of the runs, for a batch that has been compacted."""
        return Luck(self.keys[keep])

    def and_of(self, other: Luck) -> Luck:
        """The luck of these runs and of others, for batches that are joined."""
        return Luck(np.concatenate([self.keys, other.keys]))

    def branched(self, round: int, continuation: Whole) -> Luck:
        """Fresh luck for these runs from the start of a round on, one continuation each."""
        return Luck(self.bits(BRANCH, round, TABLE, continuation))

    def other(self) -> Luck:
        """Another luck for each of these runs, from the very beginning."""
        return Luck(self.bits(OTHER, 0, TABLE))

    def scene(self, number: int) -> Luck:
        """The luck of these runs in a scene of an evening, counted from 0: in the first their own."""
        return Luck(self.bits(SCENE, 0, TABLE, number)) if number else self

    @property
    def watches_cards(self) -> bool:
        """Whether it wants to hear of cards that are turned; plain luck does not."""
        return False

    def turned(self, deck: Deck, card: Whole, purpose: str, round: Row, actor: Row, at: Whole) -> None:
        """A card of a deck was turned for a purpose: for luck that keeps account (`sim.core.known_luck`)."""

    def keys_for(self, purpose: str, round: Numbers, actor: Numbers, at: Whole | slice | None = None) -> Words:
        """(lanes,). The run keys that hold at an address: for whoever mixes many words with them, such as a deck."""
        return self.keys if at is None else self.keys[at]

    def bits(
        self,
        purpose: str,
        round: int | Whole,
        actor: int | Whole,
        index: Row = 0,
        at: Whole | None = None,
    ) -> Words:
        """64 random bits for every lane."""
        keys = self.keys if at is None else self.keys.take(at)
        if isinstance(round, int) and isinstance(actor, int) and isinstance(index, int):
            return mix_words(keys ^ np.uint64(word(purpose, round, actor, index)))
        place: Words = np.atleast_1d(np.asarray(round, dtype=np.uint64)) * np.uint64(1 << 40)
        place = place + np.asarray(actor, dtype=np.uint64) * np.uint64(1 << 20) + np.asarray(index, dtype=np.uint64)
        words: Words = place ^ np.uint64(purpose_key(purpose))
        return mix_words(mix_words(words) ^ keys)

    def below(
        self,
        n: int | NDArray[np.integer],
        purpose: str,
        round: int | Whole,
        actor: int | Whole,
        index: Row = 0,
        at: Whole | None = None,
    ) -> Whole:
        """A whole number from 0 to n - 1 for every lane; n may differ from lane to lane. n = 0 gives 0."""
        if isinstance(n, int) or n.shape != (self.keys if at is None else at).shape:
            return self._below(n, purpose, round, actor, index, at)
        several = which(n > 1)
        if 2 * len(several) >= len(n):
            return self._below(n, purpose, round, actor, index, at)
        lot: Whole = np.zeros(len(n), dtype=np.int64)  # most lots are about one thing alone, and it is chosen anyway
        if len(several):
            asked = several if at is None else at[several]

            def own(part: Any) -> Any:
                return part[several] if np.shape(part) == n.shape else part

            lot[several] = self._below(n[several], purpose, own(round), own(actor), own(index), asked)
        return lot

    def _below(
        self,
        n: int | NDArray[np.integer],
        purpose: str,
        round: int | Whole,
        actor: int | Whole,
        index: Row,
        at: Whole | None,
    ) -> Whole:
        """The same, drawn for every lane."""
        number = self.bits(purpose, round, actor, index, at)
        number >>= 32
        number *= n if isinstance(n, int) else n.astype(np.uint64)
        number >>= 32
        return number.view(np.int64)

    def die(
        self,
        sides: int | NDArray[np.integer],
        purpose: str,
        round: int | Whole,
        actor: int | Whole,
        index: Row = 0,
        at: Whole | None = None,
    ) -> Whole:
        """A die: 1 to `sides`; `sides` may differ from lane to lane."""
        face = self.below(sides, purpose, round, actor, index, at)
        face += 1
        return face

    def order(
        self, count: int, purpose: str, round: int | Whole, actor: int | Whole, at: Whole | None = None
    ) -> NDArray[np.int64]:
        """(count, lanes). A random order of 0 .. count - 1 for every lane: first row first.

        Item i has the key `bits(..., index=i)`; the smallest key comes first, an equal key leaves the lower item first.
        """
        keys = np.stack([self.bits(purpose, round, actor, item, at) for item in range(count)])
        return np.argsort(keys, axis=0, kind="stable")

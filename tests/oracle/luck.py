"""Luck for the scalar referees: one run at a time, by address or from Python's own `random`.

Both classes answer the same questions, so an oracle is written once. `AddressedLuck` repeats the published formula of
`sim/core/luck.py` in plain Python (it imports nothing from `sim`), so an oracle driven by it must agree with the engine
run by run. `PythonLuck` is what a designer would have written instead; the benchmarks use it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

GOLDEN = 0x9E3779B97F4A7C15
MASK = 0xFFFFFFFFFFFFFFFF

ENEMIES = 1_000  # the actor number of enemy j is ENEMIES + j; hero i is i
TABLE = 9_999  # the actor number of what belongs to nobody


def mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def purpose_key(purpose: str, known: dict[str, int] = {}) -> int:  # noqa: B006 (the default is the cache)
    if purpose not in known:
        known[purpose] = int.from_bytes(hashlib.blake2b(purpose.encode(), digest_size=8).digest(), "little")
    return known[purpose]


class AddressedLuck:
    """The luck of one run: a pure function of the address."""

    def __init__(self, seed: int, run: int) -> None:
        self.key = mix((mix((seed + GOLDEN) & MASK) + GOLDEN * (run + 1)) & MASK)

    def bits(self, purpose: str, round: int, actor: int, index: int = 0) -> int:
        """64 random bits."""
        return mix(self.key ^ mix(purpose_key(purpose) ^ (round << 40 | actor << 20 | index)))

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        """A whole number from 0 to n - 1; 0 if n is 0."""
        return ((self.bits(purpose, round, actor, index) >> 32) * n) >> 32

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        """A die: 1 to `sides`."""
        return 1 + self.below(sides, purpose, round, actor, index)

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        """The items (small whole numbers) in random order: smallest key first, the key of item i at index i."""
        return sorted(items, key=lambda item: (self.bits(purpose, round, actor, item), item))


class PythonLuck:
    """The same questions answered by Python's `random`; the address is ignored."""

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)
        self.uniform = self.random.random

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return int(self.uniform() * n)

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return 1 + int(self.uniform() * sides)

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        shuffled = list(items)
        self.random.shuffle(shuffled)
        return shuffled

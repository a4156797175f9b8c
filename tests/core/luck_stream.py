"""A stream of raw 32-bit words from the engine's luck, for a battery of randomness tests. See docs/luck.md.

    python -m tests.core.luck_stream runs    | dieharder -a -g 200      consecutive runs at one address
    python -m tests.core.luck_stream indexes | dieharder -a -g 200      consecutive indexes of one run
    python -m tests.core.luck_stream game    | dieharder -a -g 200      the addresses of a fight, run after run

Every 64-bit number gives two words, the lower half first. A seed may follow the mode; without one it is 1. The stream
never ends; the reader closes the pipe.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count, product

import numpy as np

from sim.core.luck import ENEMIES, Luck, Words

BLOCK = 1 << 16  # numbers written at a time

# A fight as a game asks for it: eight rounds, four heroes and four enemies, an attack, its damage and a defence.
FIGHT = tuple(
    product(range(1, 9), (0, 1, 2, 3, ENEMIES, ENEMIES + 1, ENEMIES + 2, ENEMIES + 3), ("A3", "D2", "E7"), (0, 1))
)


def over_runs(seed: int) -> Iterator[Words]:
    """The same die of consecutive runs."""
    for first in count(0, BLOCK):
        yield Luck.of(seed, np.arange(first, first + BLOCK)).bits("A3", 1, 0)


def over_indexes(seed: int) -> Iterator[Words]:
    """Consecutive indexes of one run; after the last index of an actor comes the next actor, then the next round."""
    luck = Luck.of(seed, np.array([0]))
    index = np.arange(BLOCK, dtype=np.int64)
    for first in count(0, BLOCK):
        place = index + first
        yield luck.bits("A3", place >> 40, (place >> 20) & 0xFFFFF, place & 0xFFFFF)


def over_fights(seed: int) -> Iterator[Words]:
    """All numbers of a run's fight in the order of play, then those of the next run."""
    runs = 1_024
    for first in count(0, runs):
        luck = Luck.of(seed, np.arange(first, first + runs))
        numbers = [luck.bits(purpose, round, actor, index) for round, actor, purpose, index in FIGHT]
        yield np.stack(numbers, axis=1)  # (runs, addresses)


MODES = {"runs": over_runs, "indexes": over_indexes, "game": over_fights}


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in MODES:
        raise SystemExit(__doc__)
    stream = MODES[sys.argv[1]]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    try:
        for numbers in stream(seed):
            sys.stdout.buffer.write(numbers.astype("<u8").tobytes())
    except BrokenPipeError:
        sys.stderr.close()  # the battery has had enough; nothing more to say


if __name__ == "__main__":
    main()

"""Luck: the published numbers, agreement with the scalar twin, and what a random number must be.

Statistical bounds are computed from the sample: a share p of n draws may differ from its expectation by 4 sigma,
sigma = sqrt(p (1 - p) / n). Where the largest of many statistics is looked at, the bound grows by sqrt(2 ln k).
Seeds are fixed, so a test that passes keeps passing until the formula changes.
"""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.core.batch import only
from sim.core.luck import ENEMIES, GOLDEN, MASK, TABLE, Luck, mix, mix_words
from tests.core.luck_stream import FIGHT, MODES
from tests.oracle.luck import AddressedLuck

RUNS = 200_000

SEEDS = st.integers(0, 2**64 - 1)
RUN_NUMBERS = st.integers(0, 2**62)
ROUNDS = st.integers(0, 2**24 - 1)
ACTORS = st.integers(0, 2**20 - 1)
INDEXES = st.integers(0, 2**20 - 1)
PURPOSES = st.sampled_from(["OU-A3", "OU-D2", "P52-R3", "stance", ""])


def sigmas(statistics: int) -> float:
    """How many sigma the largest of so many statistics may lie off: 4 for one."""
    return 4 + math.sqrt(2 * math.log(statistics))


def assert_even(counts: NDArray[np.int64]) -> None:
    """Every one of these counts ought to be the same: none is off by more than 4 sigma, nor are they all together."""
    n, kinds = int(counts.sum()), counts.size
    p = 1 / kinds
    assert np.abs(counts / n - p).max() < sigmas(kinds) * math.sqrt(p * (1 - p) / n)
    chi_square = float(((counts - n * p) ** 2).sum() / (n * p))
    assert abs(chi_square - (kinds - 1)) < 4 * math.sqrt(2 * (kinds - 1))


def assert_independent(one: NDArray[np.int64], other: NDArray[np.int64], sides: int) -> None:
    """All pairs of two rolls are equally likely."""
    assert one.shape == other.shape
    assert_even(np.bincount((one * sides + other).ravel(), minlength=sides * sides))


# ---------------------------------------------------------------------------------------------------------------------
# The formula
# ---------------------------------------------------------------------------------------------------------------------

# The first outputs of SplitMix64 seeded with 1234567 (Rosetta Code, "Pseudo-random numbers/Splitmix64").
SPLITMIX64_1234567 = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


def test_mix_is_the_finaliser_of_splitmix64() -> None:
    states = [(1234567 + GOLDEN * step) & MASK for step in range(1, 6)]

    assert tuple(mix(state) for state in states) == SPLITMIX64_1234567
    assert tuple(mix_words(np.array(states, dtype=np.uint64)).tolist()) == SPLITMIX64_1234567
    assert mix(GOLDEN) == 0xE220A8397B1DCDAF  # SplitMix64 seeded with 0


def test_these_numbers_never_change() -> None:
    """The luck of every stored seed hangs on them: a change here is a new version of every game."""
    numbers = Luck.of(1, np.array([0, 1, 4711])).bits("OU-A3", 3, ENEMIES + 2, 1)

    assert numbers.tolist() == [0x90C87139E98F2CC8, 0x65FAECD245EAED83, 0x90E83C5D1F7F3825]


@given(SEEDS, st.lists(RUN_NUMBERS, min_size=1, max_size=4), PURPOSES, ROUNDS, ACTORS, INDEXES, st.integers(0, 10**6))
def test_the_engine_agrees_with_the_scalar_twin(
    seed: int, runs: list[int], purpose: str, round: int, actor: int, index: int, n: int
) -> None:
    luck = Luck.of(seed, np.array(runs))
    twins = [AddressedLuck(seed, run) for run in runs]

    assert luck.bits(purpose, round, actor, index).tolist() == [t.bits(purpose, round, actor, index) for t in twins]
    assert luck.below(n, purpose, round, actor, index).tolist() == [
        t.below(n, purpose, round, actor, index) for t in twins
    ]
    assert luck.die(n, purpose, round, actor, index).tolist() == [t.die(n, purpose, round, actor, index) for t in twins]
    assert luck.order(5, purpose, round, actor).T.tolist() == [t.order(range(5), purpose, round, actor) for t in twins]


@given(
    SEEDS,
    st.lists(st.tuples(RUN_NUMBERS, st.integers(0, 10**6), ROUNDS, ACTORS, INDEXES), min_size=1, max_size=5),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
def test_an_address_may_differ_from_lane_to_lane(
    seed: int, rows: list[tuple[int, int, int, int, int]], one_for_all: tuple[bool, bool, bool]
) -> None:
    runs, n, *columns = np.array(rows, dtype=np.int64).T
    place = [int(column[0]) if shared else column for column, shared in zip(columns, one_for_all, strict=True)]
    luck = Luck.of(seed, runs)

    numbers = luck.bits("OU-A3", *place)
    below = luck.below(n, "OU-A3", *place)

    for lane, run in enumerate(runs.tolist()):
        twin = AddressedLuck(seed, run)
        address = [part if isinstance(part, int) else int(part[lane]) for part in place]
        assert numbers[lane] == twin.bits("OU-A3", *address)
        assert below[lane] == twin.below(int(n[lane]), "OU-A3", *address)


def test_run_k_has_the_same_luck_alone_and_in_any_batch() -> None:
    together = Luck.of(5, np.arange(1_000))
    numbers = together.bits("OU-A3", 2, 1, 3)
    order = together.order(6, "OU-E8", 2, ENEMIES)

    for run in (0, 1, 500, 999):
        alone = Luck.of(5, np.array([run]))
        assert alone.bits("OU-A3", 2, 1, 3)[0] == numbers[run]
        assert np.array_equal(alone.order(6, "OU-E8", 2, ENEMIES)[:, 0], order[:, run])


@pytest.mark.parametrize("keep", [np.arange(300) % 3 == 0, np.array([7, 250, 13])])
def test_what_is_left_of_a_batch_keeps_its_luck(keep: NDArray[np.bool_] | NDArray[np.int64]) -> None:
    runs = np.arange(1_000, 1_300)
    whole = Luck.of(5, runs)

    part = only(whole, keep)

    assert np.array_equal(part.bits("OU-A3", 2, 1), Luck.of(5, runs[keep]).bits("OU-A3", 2, 1))
    assert np.array_equal(part.bits("OU-A3", 2, 1), whole.bits("OU-A3", 2, 1)[keep])


def test_lanes_that_ask_get_what_is_theirs() -> None:
    luck = Luck.of(5, np.arange(100))
    at = np.array([90, 3, 40])
    actor, n = np.arange(100) % 4, np.arange(100) + 1

    assert np.array_equal(luck.bits("x", 1, 2, 3, at), luck.bits("x", 1, 2, 3)[at])
    assert np.array_equal(luck.bits("x", 1, actor[at], 3, at), luck.bits("x", 1, actor, 3)[at])
    assert np.array_equal(luck.below(n[at], "x", 1, actor[at], 3, at), luck.below(n, "x", 1, actor, 3)[at])
    assert np.array_equal(luck.order(5, "x", 1, 2, at), luck.order(5, "x", 1, 2)[:, at])


def test_asking_changes_nothing() -> None:
    luck = Luck.of(5, np.arange(100))
    n = np.arange(100)
    keys = luck.keys.copy()

    first = luck.below(n, "x", 1, 2)
    luck.die(6, "y", 1, n)

    assert np.array_equal(luck.below(n, "x", 1, 2), first)
    assert np.array_equal(luck.keys, keys)
    assert np.array_equal(n, np.arange(100))


# ---------------------------------------------------------------------------------------------------------------------
# Dice
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 13, 20, 100])
def test_every_face_of_a_die_is_equally_likely(sides: int) -> None:
    faces = Luck.of(1, np.arange(RUNS)).die(sides, "OU-A3", 1, 0)

    assert faces.min() == 1
    assert faces.max() == sides
    assert_even(np.bincount(faces - 1, minlength=sides))


def test_the_number_of_sides_may_differ_from_lane_to_lane() -> None:
    sides = np.array([2, 4, 6, 8, 10, 12], dtype=np.int8)[np.arange(RUNS) % 6]

    faces = Luck.of(1, np.arange(RUNS)).die(sides, "OU-A3", 1, 0)

    for size in (2, 4, 6, 8, 10, 12):
        assert_even(np.bincount(faces[sides == size] - 1, minlength=size))


@pytest.mark.parametrize("share", [0, 0.01, 0.4, 1])
@pytest.mark.parametrize("asked", [None, np.arange(0, 900, 3)])
def test_who_has_something_to_draw_draws_the_same_whoever_else_has(
    share: float, asked: NDArray[np.int64] | None
) -> None:
    luck, rng = Luck.of(1, np.arange(900)), np.random.default_rng(5)
    lanes = 900 if asked is None else len(asked)
    n = np.where(rng.random(lanes) < share, rng.integers(2, 9, lanes), rng.integers(0, 2, lanes))
    address = (3, rng.integers(0, 5, lanes), rng.integers(0, 5, lanes))

    drawn = luck.below(n, "OU-A3", *address, asked)

    assert drawn.tolist() == ((luck.bits("OU-A3", *address, asked) >> 32) * n.astype(np.uint64) >> 32).tolist()


def test_below_one_and_below_zero_are_zero() -> None:
    luck = Luck.of(1, np.arange(1_000))

    assert not luck.below(1, "x", 1, 0).any()
    assert not luck.below(0, "x", 1, 0).any()
    assert not luck.below(np.zeros(1_000, dtype=np.int16), "x", 1, 0).any()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_every_order_is_equally_likely(count: int) -> None:
    order = Luck.of(1, np.arange(RUNS)).order(count, "OU-E8", 1, ENEMIES)

    code = np.zeros(RUNS, dtype=np.int64)
    for row in order:
        code = code * count + row
    seen, counts = np.unique(code, return_counts=True)
    assert len(seen) == len(list(permutations(range(count))))
    if count > 1:
        assert_even(counts)


# ---------------------------------------------------------------------------------------------------------------------
# Independence: two numbers whose addresses differ in one part know nothing of each other
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [6, 20])
@pytest.mark.parametrize("apart", [1, 2, 1_000, 2**19])
def test_indexes_are_independent(sides: int, apart: int) -> None:
    luck = Luck.of(2, np.arange(RUNS))

    assert_independent(luck.below(sides, "x", 1, 0, 0), luck.below(sides, "x", 1, 0, apart), sides)


def test_the_dice_of_one_run_in_a_row_are_independent() -> None:
    luck = Luck.of(2, np.array([17]))
    faces = luck.below(6, "x", 1, 0, np.arange(RUNS))

    assert_even(np.bincount(faces, minlength=6))
    for lag in (1, 2, 3, 7, 64):
        assert_independent(faces[:-lag], faces[lag:], 6)


@pytest.mark.parametrize("apart", [1, 2, 64, 8_192])
def test_runs_are_independent(apart: int) -> None:
    faces = Luck.of(2, np.arange(RUNS + apart)).below(6, "x", 1, 0)

    assert_independent(faces[:-apart], faces[apart:], 6)


@pytest.mark.parametrize("apart", [1, 2, 5, 2**20])
def test_rounds_are_independent(apart: int) -> None:
    luck = Luck.of(2, np.arange(RUNS))

    assert_independent(luck.below(6, "x", 1, 0), luck.below(6, "x", 1 + apart, 0), 6)


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 2), (0, ENEMIES), (ENEMIES, ENEMIES + 1), (0, TABLE)])
def test_actors_are_independent(one: int, other: int) -> None:
    luck = Luck.of(2, np.arange(RUNS))

    assert_independent(luck.below(6, "x", 1, one), luck.below(6, "x", 1, other), 6)


@pytest.mark.parametrize(("one", "other"), [("OU-A3", "OU-A5"), ("OU-D7", "OU-D8"), ("a", "b"), ("", "a")])
def test_purposes_are_independent(one: str, other: str) -> None:
    luck = Luck.of(2, np.arange(RUNS))

    assert_independent(luck.below(6, one, 1, 0), luck.below(6, other, 1, 0), 6)


@pytest.mark.parametrize("apart", [1, 2, 2**32, GOLDEN])
def test_seeds_are_independent(apart: int) -> None:
    one, other = (Luck.of(seed, np.arange(RUNS)) for seed in (3, 3 + apart))

    assert_independent(one.below(6, "x", 1, 0), other.below(6, "x", 1, 0), 6)


def test_the_luck_of_a_seed_is_not_that_of_another_shifted_by_some_runs() -> None:
    one, other = (set(Luck.of(seed, np.arange(RUNS)).keys.tolist()) for seed in (3, 3 + GOLDEN & MASK))

    assert not one & other


def test_the_sum_of_all_dice_of_a_fight_has_the_variance_of_independent_dice() -> None:
    """A dependence that no pair shows would show here: 384 dice of each of 20,000 runs."""
    runs = 20_000
    luck = Luck.of(2, np.arange(runs))

    total = sum(luck.die(6, purpose, round, actor, index) for round, actor, purpose, index in FIGHT)

    mean, variance = 3.5 * len(FIGHT), 35 / 12 * len(FIGHT)
    assert abs(np.mean(total) - mean) < 4 * math.sqrt(variance / runs)
    assert abs(np.var(total) / variance - 1) < 4 * math.sqrt(2 / runs)


# ---------------------------------------------------------------------------------------------------------------------
# Avalanche: one flipped bit of an address flips every bit of the number half of the time
# ---------------------------------------------------------------------------------------------------------------------

ADDRESS_BITS = [
    *(("seed", bit) for bit in range(64)),
    *(("run", bit) for bit in range(62)),
    *(("round", bit) for bit in range(24)),
    *(("actor", bit) for bit in range(20)),
    *(("index", bit) for bit in range(20)),
]


def flips(part: str, bit: int, samples: int) -> NDArray[np.int64]:
    """(64,). How often each bit of the number changes when one bit of one part of the address does."""
    rng = np.random.default_rng(99)
    address = {
        "run": rng.integers(0, 2**20, samples),
        "round": rng.integers(0, 30, samples),
        "actor": rng.integers(0, 8, samples),
        "index": rng.integers(0, 4, samples),
    }
    seed = 12345

    def numbers(seed: int) -> NDArray[np.uint64]:
        luck = Luck.of(seed, address["run"])
        return luck.bits("OU-A3", address["round"], address["actor"], address["index"])

    before = numbers(seed)
    if part == "seed":
        after = numbers(seed ^ 1 << bit)
    else:
        address[part] = address[part] ^ 1 << bit
        after = numbers(seed)
    changed = (before ^ after)[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)  # (samples, 64)
    return changed.sum(axis=0, dtype=np.int64)


def test_any_bit_of_an_address_flips_any_bit_of_the_number_half_of_the_time() -> None:
    samples = 4_000

    counts = np.stack([flips(part, bit, samples) for part, bit in ADDRESS_BITS])  # (address bits, 64)

    bound = sigmas(counts.size) * math.sqrt(0.25 / samples)
    assert np.abs(counts / samples - 0.5).max() < bound
    assert abs(counts.mean() / samples - 0.5) < 4 * math.sqrt(0.25 / (samples * 64))  # bits of one number count once


def test_no_two_bits_of_a_number_go_together() -> None:
    numbers = Luck.of(4, np.arange(50_000)).bits("OU-A3", 1, 0)
    bits = (numbers[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(np.float64) - 0.5  # (runs, 64)

    correlation = 4 * bits.T @ bits / len(numbers)  # (64, 64)

    pairs = correlation[np.triu_indices(64, k=1)]
    assert np.abs(pairs).max() < sigmas(pairs.size) / math.sqrt(len(numbers))


# ---------------------------------------------------------------------------------------------------------------------
# The streams that docs/luck.md puts through a battery of tests
# ---------------------------------------------------------------------------------------------------------------------


def test_the_streams_for_the_battery_are_the_luck_of_the_engine() -> None:
    blocks = {mode: next(iter(stream(3))).ravel() for mode, stream in MODES.items()}

    runs = [AddressedLuck(3, run) for run in range(2)]
    assert blocks["runs"][:2].tolist() == [run.bits("A3", 1, 0) for run in runs]
    assert blocks["indexes"][:2].tolist() == [runs[0].bits("A3", 0, 0, index) for index in range(2)]
    fights = [run.bits(purpose, round, actor, index) for run in runs for round, actor, purpose, index in FIGHT]
    assert blocks["game"][: len(fights)].tolist() == fights


@pytest.mark.parametrize("mode", sorted(MODES))
def test_every_pattern_of_eight_bits_is_equally_frequent_in_the_streams(mode: str) -> None:
    """The serial test: among overlapping windows of n bits, psi-squared of n less that of n - 1 is a chi-square."""
    words = next(iter(MODES[mode](3))).ravel()[:50_000].view(np.uint32).astype(np.uint64)
    pairs = words << np.uint64(32) | np.roll(words, -1)  # so that windows reach into the next word
    shifts = np.arange(56, 24, -1, dtype=np.uint64)  # the 32 windows of 8 bits that begin in a word

    windows = (pairs[:, None] >> shifts & np.uint64(0xFF)).astype(np.int64)
    counts = np.bincount(windows.ravel(), minlength=256)

    n = windows.size
    of_eight = (counts.astype(np.float64) ** 2).sum() * 256 / n - n
    of_seven = (counts.reshape(128, 2).sum(axis=1).astype(np.float64) ** 2).sum() * 128 / n - n
    assert abs(of_eight - of_seven - 128) < 4 * math.sqrt(2 * 128)


def test_the_first_scene_of_an_evening_has_the_luck_of_the_run_and_every_later_one_a_luck_of_its_own() -> None:
    luck = Luck.of(7, np.arange(50))

    first, second, third = (luck.scene(number) for number in range(3))

    assert np.array_equal(first.keys, luck.keys)
    assert np.array_equal(second.keys, luck.bits("scene", 0, TABLE, 1))
    assert len(np.unique(np.concatenate([first.keys, second.keys, third.keys]))) == 150

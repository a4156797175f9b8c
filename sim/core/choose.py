"""Choices for a whole batch: candidates, then keys in order, then chance.

    target = pick(in_reach, by=(distance, hp), lot=draw_lot(s.luck, "OU-E7", s.round, group, at=at))
    # the nearest; if tied the weakest; if tied by lot

Candidates are a (n, lanes) mask: row i, lane l says whether the i-th thing can be chosen in that lane. A choice is a
(lanes,) array of rows, and -1 where a lane has nothing to choose. Beware: -1 indexes the last row. Mask the lanes
without a choice before you use it as an index:

    at = at[target >= 0]
    target = target[target >= 0]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Mask, Row, Whole, which
from sim.core.luck import TABLE, Luck

Keys: TypeAlias = NDArray[Any]  # numbers of any kind
Lot: TypeAlias = Callable[[Whole], NDArray[np.integer]]


def count(candidates: Mask) -> Whole:
    """(lanes,). How many candidates there are."""
    return _counted(candidates).astype(np.int64)


def several(candidates: Mask) -> Mask:
    """(lanes,). Whether there is more than one candidate."""
    return _counted(candidates) > 1


def nth(candidates: Mask, k: int | NDArray[np.integer]) -> Whole:
    """(lanes,). The row of the k-th candidate, counted from 0; -1 where there are not so many."""
    n, lanes = candidates.shape
    small = _small(candidates)
    wanted = np.maximum(np.minimum(k, n), -1).astype(small)  # (lanes,)
    seen = np.zeros(lanes, dtype=small)  # candidates up to and including this row
    passed = np.zeros(lanes, dtype=small)  # rows up to which not enough were seen: so many lie before the k-th
    for row in candidates.view(np.int8):
        seen += row
        passed += (seen <= wanted).view(np.int8)
    too_few = (seen <= wanted) | (wanted < 0)
    if too_few.any():
        passed[too_few] = -1
    return passed.astype(np.int64)


def first(candidates: Mask) -> Whole:
    """(lanes,). The first candidate's row; -1 where there is none."""
    if candidates.size > FEW or not len(candidates):
        many = len(candidates) > MANY_ROWS
        none_yet = np.ones(candidates.shape[1], dtype=bool)
        passed = np.zeros(candidates.shape[1], dtype=_small(candidates))  # rows before the first candidate
        for row in candidates:
            none_yet &= ~row
            passed += none_yet.view(np.int8)
            if many and not none_yet.any():
                break
        if none_yet.any():
            passed[none_yet] = -1
        return passed.astype(np.int64)
    chosen: Whole = candidates.argmax(axis=0)
    chosen[~candidates.any(axis=0)] = -1
    return chosen


def narrow(candidates: Mask, key: Keys, largest: bool = False) -> Mask:
    """(n, lanes). The candidates with the smallest key of their lane (the largest, if asked for).

    The key is (n, lanes) or (n, 1), of any kind of number but NaN. A lane without candidates stays without.
    """
    if len(candidates) == 0:
        return candidates
    if key.dtype.kind == "b":
        key = key.view(np.int8)
    if key.dtype.kind in "iu":
        out_of_the_way, one = _extreme(key.dtype, largest)
        # `np.where` costs 3 ns an element on a mixed mask, bits a tenth of it: all ones where there is no candidate.
        others = candidates.view(np.int8).astype(key.dtype)
        others -= one
        contenders = ((key ^ out_of_the_way) & others) ^ key
    else:
        contenders = np.where(candidates, key, -np.inf if largest else np.inf)
    best = np.maximum.reduce(contenders) if largest else np.minimum.reduce(contenders)  # (lanes,)
    fits: Mask = key == best
    return candidates & fits


def narrow_ties(candidates: Mask, key: Keys, largest: bool = False) -> Mask:
    """(n, lanes). `narrow`, but only the lanes with a tie are looked at: later keys seldom matter to many."""
    tied = which(several(candidates))
    lanes = candidates.shape[1]
    if not len(tied):
        return candidates
    if 2 * len(tied) > lanes:
        return narrow(candidates, key, largest)
    few = key.take(tied, axis=1) if key.shape[1] > 1 else key
    candidates = candidates.copy()
    candidates[:, tied] = narrow(candidates.take(tied, axis=1), few, largest)
    return candidates


def pick(candidates: Mask, by: Sequence[Keys] = (), lot: Lot | None = None) -> Whole:
    """(lanes,). The candidate with the smallest first key; if tied the smallest second key; and so on; then by lot.

    Args:
        by: keys as for `narrow`, the smallest first. For the largest first pass `-key` (of a signed kind), or `~mask`.
        lot: given how many are left in each lane, a whole number below that; without it the first row is taken.
    """
    for key in by:
        candidates = narrow_ties(candidates, key)
    if lot is None:
        return first(candidates)
    return nth(candidates, lot(count(candidates)))


def draw_lot(
    luck: Luck,
    purpose: str,
    round: int | Whole,
    actor: int | Whole,
    index: Row = 0,
    at: Whole | None = None,
) -> Lot:
    """A lot for `pick`: one draw below the number of candidates left, at this address."""
    return lambda left: luck.below(left, purpose, round, actor, index, at)


def lots(
    luck: Luck, purpose: str, round: int | Whole, things: Iterable[int], at: Whole | None = None, actor: int = TABLE
) -> Keys:
    """(n, lanes). A lot for each of several things, by the number under which it is drawn: sorted, an order by lot."""
    return np.stack([luck.bits(purpose, round, actor, thing, at) for thing in things])


def order_by(keys: Sequence[Keys]) -> Whole:
    """(n, lanes). The rows of every lane sorted by the first key, then the second, and so on; first row first.

    Keys are (n, lanes) or (n, 1), smallest first. Rows equal in every key keep their order.
    """
    keys = list(np.broadcast_arrays(*keys))
    spans = _spans(keys)
    if spans is None:
        return np.lexsort(tuple(reversed(keys)), axis=0)
    n, lanes = keys[0].shape
    order = np.empty((n, lanes), dtype=np.int64)
    few_rows = n <= FEW_ROWS and lanes >= BLOCK
    size = WIDE_BLOCK if few_rows else BLOCK
    for begin in range(0, lanes, size):
        block = slice(begin, begin + size)
        packed = _packed([key[:, block] for key in keys], spans)
        if few_rows:
            _sort_few(packed)
        else:
            packed.sort(axis=0)
        order[:, block] = packed & packed.dtype.type(ROW_MASK)
    return order


# ---------------------------------------------------------------------------------------------------------------------
# Behind the words
# ---------------------------------------------------------------------------------------------------------------------

FEW = 2_000  # up to so many truth values `argmax` is quicker than counting row by row
MANY_ROWS = 16  # from so many on it pays to ask after each row whether all lanes have found theirs
FEW_ROWS = 8  # up to so many rows are sorted by comparing them two at a time
ROW_BITS = 8
ROW_MASK = (1 << ROW_BITS) - 1
BLOCK = 1_024  # lanes that are sorted at a time, so that they stay in the cache
WIDE_BLOCK = 16_384  # the same where a few rows are compared, each call for all of these lanes


def _counted(candidates: Mask) -> NDArray[np.signedinteger[Any]]:
    """(lanes,). How many candidates there are, in the smallest kind of number that can tell.

    Truth values read as numbers of a byte are added up in a third of the time that it takes to turn them into others.
    """
    total: NDArray[np.signedinteger[Any]] = np.add.reduce(candidates.view(np.int8), axis=0, dtype=_small(candidates))
    return total


def _small(candidates: Mask) -> type[np.signedinteger[Any]]:
    """A kind of number that can count all rows: the smaller, the faster."""
    return np.int8 if len(candidates) < 127 else np.int64


@cache
def _extreme(kind: np.dtype[Any], largest: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """The number of a kind that comes last in a choice of the smallest, or of the largest; and 1 of that kind."""
    limits = np.iinfo(kind)
    return np.array(limits.min if largest else limits.max, dtype=kind), np.array(1, dtype=kind)


def _spans(keys: Sequence[Keys]) -> list[range] | None:
    """The values that each key spans, if all keys and the row fit into 64 bits, else None.

    One sort of such numbers takes a third of the time of `np.lexsort`.
    """
    if keys[0].size == 0 or len(keys[0]) > ROW_MASK or not all(np.issubdtype(key.dtype, np.integer) for key in keys):
        return None
    spans = [range(int(key.min()), int(key.max()) + 1) for key in keys]
    fits = math.prod(span.stop - span.start for span in spans) <= 1 << (64 - ROW_BITS)
    return spans if fits else None


def _packed(keys: Sequence[Keys], spans: Sequence[range]) -> NDArray[Any]:
    """(n, lanes). All keys, and the row in the lowest bits, in one number that sorts like them."""
    fits_small = math.prod(len(span) for span in spans) <= 1 << (16 - ROW_BITS)
    kind: Any = np.uint16 if fits_small else np.uint64
    packed = np.zeros(keys[0].shape, dtype=kind)
    for key, span in zip(keys, spans, strict=True):
        if len(span) > 1:  # a key that is the same everywhere decides nothing
            packed *= kind(len(span))
            packed += key.astype(kind) - kind(span.start % (1 << 8 * packed.itemsize))  # modulo: negative keys too
    packed <<= kind(ROW_BITS)
    packed |= np.arange(len(packed), dtype=kind)[:, None]
    return packed


def _sort_few(packed: NDArray[Any]) -> None:
    """Sort every lane of a few rows in place, all lanes at once: the largest of two neighbours moves on.

    A column is too short for a sort to be worth its call: of three small rows this takes a tenth of the time.
    """
    for last in range(len(packed) - 1, 0, -1):
        for row in range(last):
            lower = np.minimum(packed[row], packed[row + 1])
            np.maximum(packed[row], packed[row + 1], out=packed[row + 1])
            packed[row] = lower

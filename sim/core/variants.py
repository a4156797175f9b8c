"""Variants of a fight that differ only in numbers share a batch.

A batch costs about as many calls of NumPy for 300 runs as for 30,000. Studies play many variants of few runs each, so
variants are laid side by side: one encounter whose facts hold a value per variant where they differ (`Varying`), and
lanes of which the first so many are runs of the first variant, the next of the second, and so on. Luck has an address,
so that run k of every variant sees the luck of run k, and gives what it gives alone, bit for bit.

    play_variants(encounters, seed, runs)       # the outcomes of each, in the order of the encounters

Encounters that differ in anything that a game has not said may vary are played one by one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.engine import Encounter, play, play_with
from sim.core.lanes import Whole
from sim.core.luck import Luck
from sim.core.outcomes import Cast, Outcomes
from sim.core.varying import UNION, UNREAD, Varies, Varying

LANES = 32_768  # of a batch of variants, at most; where one variant alone has more runs, it is played alone


class UnlikeError(Exception):
    """Encounters differ in something that may not vary."""


@dataclass(frozen=True, slots=True)
class Group:
    """Encounters that can share a batch: their places among those asked for, and one encounter made of them."""

    places: tuple[int, ...]
    encounter: Encounter[Any]


def play_variants(encounters: Sequence[Encounter[Any]], seed: int, runs: Whole) -> list[Outcomes]:
    """The same runs of several encounters, those that can in one batch; each as if it were played alone."""
    runs = np.asarray(runs, dtype=np.int64)
    found: list[Outcomes | None] = [None] * len(encounters)
    for group in groups(encounters, max(1, LANES // max(1, len(runs)))):
        for place, outcomes in zip(group.places, play_group(group, seed, runs), strict=True):
            found[place] = outcomes
    return [outcomes for outcomes in found if outcomes is not None]


def play_group(group: Group, seed: int, runs: Whole) -> list[Outcomes]:
    """The same runs of all encounters of a group."""
    many = len(group.places)
    if many == 1:
        return [play(group.encounter, seed, runs)]
    lanes = np.arange(many * len(runs))  # their numbers while they are played: run k is there once in every variant
    whole = play_with(group.encounter, lanes, Luck.of(seed, np.tile(runs, many)))
    return [_part(whole, slice(first, first + len(runs)), runs) for first in lanes[:: len(runs)]]


def groups(encounters: Sequence[Encounter[Any]], most: int) -> list[Group]:
    """The encounters in as few groups as can be, none with more than `most` of them."""
    families: list[list[int]] = []
    for place, encounter in enumerate(encounters):
        for family in families:
            if len(family) < most and can_share(encounters[family[0]], encounter):
                family.append(place)
                break
        else:
            families.append([place])
    return [Group(tuple(family), shared([encounters[place] for place in family])) for family in families]


def can_share(one: Encounter[Any], other: Encounter[Any]) -> bool:
    """Whether two encounters differ in nothing but what may vary."""
    if type(one) is not type(other) or one.varying_facts is None or other.varying_facts is None:
        return False
    try:
        merged([(one.varying_facts, one.plans), (other.varying_facts, other.plans)])
    except UnlikeError:
        return False
    return True


def shared(encounters: Sequence[Encounter[Any]]) -> Encounter[Any]:
    """One encounter of all the variants; a single one is itself."""
    if len(encounters) == 1:
        return encounters[0]
    return encounters[0].with_facts(merged([encounter.varying_facts for encounter in encounters]))


# ---------------------------------------------------------------------------------------------------------------------
# Facts of several variants in one
# ---------------------------------------------------------------------------------------------------------------------


def merged(parts: Sequence[Any], where: str = "") -> Any:
    """One thing from the same thing of several variants, at any depth; raises UnlikeError if it may not vary.

    What is the same in all of them stays as it is.
    """
    first = parts[0]
    if all(part is first for part in parts):
        return first
    kind = type(first)
    if any(type(part) is not kind for part in parts):
        raise UnlikeError(where)
    if isinstance(first, np.ndarray):
        return _same_arrays(parts, where)
    if _is_plain(first) and all(part == first for part in parts):
        return first
    if dataclasses.is_dataclass(kind):
        return _merged_fields(parts, where)
    if isinstance(first, Mapping):
        return _each_key(parts, merged, where)
    if kind in (list, tuple):
        return _each_place(parts, merged, where)
    if any(part != first for part in parts):
        raise UnlikeError(where)
    return first


def _is_plain(part: Any) -> bool:
    """Whether a thing can be compared as a whole: no table is in it, at any depth."""
    try:
        hash(part)
    except TypeError:
        return False
    return True


def _merged_fields(parts: Sequence[Any], where: str) -> Any:
    """One dataclass from several: fields that may vary do where they differ."""
    first, varies = parts[0], getattr(type(parts[0]), "VARIES", {})
    changed = {}
    for field in fields(first):
        values = [getattr(part, field.name) for part in parts]
        place = f"{where}.{field.name}"
        if not field.compare:
            continue
        value = _varied_field(field.name, values, varies, place) if field.name in varies else merged(values, place)
        if value is not values[0]:
            changed[field.name] = value
    if isinstance(first, Cast):
        changed["variants"] = len(parts)
    return replace(first, **changed) if changed else first


def _varied_field(name: str, values: Sequence[Any], varies: Varies, where: str) -> Any:
    """A field that may vary, if what must be alike of it is."""
    alike = [varies[name](value) for value in values]
    if any(one != alike[0] for one in alike):
        raise UnlikeError(where)
    if alike[0] == UNION:
        union: dict[Any, Any] = {}
        for value in values:
            union |= value
        return values[0] if len(union) == len(values[0]) else union
    if alike[0] == UNREAD:
        return values[0] if all(value == values[0] for value in values) else Varying(np.arange(len(values)))
    return _varied(values, where)


def _varied(values: Sequence[Any], where: str) -> Any:
    """Values that may differ, at any depth of lists and mappings: themselves where they do not, else Varying."""
    first = values[0]
    if isinstance(first, Mapping):
        return _each_key(values, _varied, where)
    if isinstance(first, (list, tuple)):
        return _each_place(values, _varied, where)
    if isinstance(first, np.ndarray):
        if any(value.ndim != first.ndim for value in values):
            raise UnlikeError(where)
        return first if _all_same(values) else Varying(_stacked(values))
    if any(not isinstance(value, (bool, int, np.integer)) for value in values):
        return merged(values, where)
    return first if all(value == first for value in values) else Varying(np.array(values))


def _each_key(parts: Sequence[Mapping[Any, Any]], merge: Any, where: str) -> Any:
    first = parts[0]
    if any(list(part) != list(first) for part in parts):  # their order counts too: first come, first served
        raise UnlikeError(where)
    found = {key: merge([part[key] for part in parts], f"{where}[{key!r}]") for key in first}
    return first if all(found[key] is first[key] for key in first) else found


def _each_place(parts: Sequence[Sequence[Any]], merge: Any, where: str) -> Any:
    first = parts[0]
    if any(len(part) != len(first) for part in parts):
        raise UnlikeError(where)
    found = [merge(values, f"{where}[{place}]") for place, values in enumerate(zip(*parts, strict=True))]
    same = all(mine is theirs for mine, theirs in zip(found, first, strict=True))
    return first if same else found if isinstance(first, list) else tuple(found)


def _same_arrays(parts: Sequence[NDArray[Any]], where: str) -> NDArray[Any]:
    if not _all_same(parts):
        raise UnlikeError(where)
    return parts[0]


def _all_same(arrays: Sequence[NDArray[Any]]) -> bool:
    first = arrays[0]
    return all(
        one is first or (one.dtype == first.dtype and one.shape == first.shape and one.tobytes() == first.tobytes())
        for one in arrays
    )


def _stacked(tables: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """(variants, ...). Tables that reach less far go on as they end: nobody asks for more, or is given the last."""
    shape = np.max([table.shape for table in tables], axis=0)
    whole = []
    for table in tables:
        beyond = [(0, int(most) - size) for most, size in zip(shape, table.shape, strict=True)]
        whole.append(np.pad(table, beyond, mode="edge") if any(more for _, more in beyond) else table)
    return np.stack(whole)


# ---------------------------------------------------------------------------------------------------------------------
# Outcomes of several variants apart
# ---------------------------------------------------------------------------------------------------------------------


def _part(whole: Outcomes, lanes: slice, runs: Whole) -> Outcomes:
    """The tables of the runs of one variant, which stand side by side, under their own numbers."""

    def column(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: column(part) for key, part in value.items()}
        return None if value is None else np.ascontiguousarray(value[..., lanes])

    parts = {field.name: column(getattr(whole, field.name)) for field in fields(Outcomes)}
    return Outcomes(**parts | {"run": runs.copy()})

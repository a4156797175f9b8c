"""Sums of whole numbers as JSON, and back: dataclasses, tuples, and arrays of whole numbers of any size.

JSON and not pickle, because a file that somebody else has put into the folder must not be able to do anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

_CLASS, _TUPLE, _ARRAY = "class", "tuple", "array"
_KINDS = {"int64": np.int64, "int32": np.int32, "int16": np.int16, "bool": np.bool_, "object": np.object_}


def parsed(content: bytes) -> Any:
    """What some JSON says.

    Raises:
        ValueError: if it is none, or nested too deep.
    """
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("nested too deep") from None


def encoded(value: Any) -> Any:
    """The value as JSON knows it. No digit is lost: floats are refused."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, np.ndarray):
        if value.dtype.name not in _KINDS:
            raise TypeError(f"an array of {value.dtype.name} cannot be kept; expected whole numbers")
        numbers = [encoded(number) for number in value.reshape(-1).tolist()]
        return {_ARRAY: numbers, "kind": value.dtype.name, "shape": list(value.shape)}
    if is_dataclass(value) and not isinstance(value, type):
        return {_CLASS: type(value).__name__} | {f.name: encoded(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, tuple):
        return {_TUPLE: [encoded(part) for part in value]}
    if isinstance(value, list):
        return [encoded(part) for part in value]
    raise TypeError(f"a {type(value).__name__} cannot be kept; expected whole numbers and what is made of them")


def decoded(kept: Any, classes: Iterable[type]) -> Any:
    """What was encoded. Only the given classes are made.

    Raises:
        ValueError: if it was not made by `encoded`, or of other classes.
    """
    try:
        return _decoded(kept, {one.__name__: one for one in classes})
    except RecursionError:
        raise ValueError("not what was kept: nested too deep") from None


def _decoded(kept: Any, classes: dict[str, type]) -> Any:
    if isinstance(kept, list):
        return [_decoded(part, classes) for part in kept]
    if not isinstance(kept, dict):
        return kept
    try:
        if _ARRAY in kept:
            wanted = bool if kept["kind"] == "bool" else int
            if not all(type(number) is wanted for number in kept[_ARRAY]):
                raise ValueError(f"an array of {kept['kind']} with something else in it")
            return np.array(kept[_ARRAY], dtype=_KINDS[kept["kind"]]).reshape(kept["shape"])
        if _TUPLE in kept:
            return tuple(_decoded(part, classes) for part in kept[_TUPLE])
        made = classes[kept[_CLASS]]
        return made(**{key: _decoded(part, classes) for key, part in kept.items() if key != _CLASS})
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"not what was kept: {type(error).__name__}: {error}") from error

"""Counts and damage as a file writes them: a number, or dice such as "2P" and "D6+1"."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from sim.rulesets.brimstone import data

_COUNT = re.compile(r"(?P<dice>\d*)(?P<die>P|D\d+)(?:\+(?P<plus>\d+))?|(?P<number>\d+)", re.ASCII | re.IGNORECASE)
_DAMAGE = re.compile(r"D6(?:\+(?P<plus>\d+))?|(?P<number>\d+)", re.ASCII | re.IGNORECASE)


def read_count(text: int | str) -> tuple[int, str, int]:
    """(dice, die, added) of a count such as 6, "P", "2P+1" or "2D6"; die is "" for a plain number."""
    found = _COUNT.fullmatch(str(text).replace(" ", ""))
    if found is None or isinstance(text, bool):
        raise ValueError(text)
    if found["number"]:
        return 0, "", int(found["number"])
    return int(found["dice"] or 1), found["die"].upper(), int(found["plus"] or 0)


def most(text: int | str) -> int:
    """The largest number that a count can give."""
    dice, die, plus = read_count(text)
    return plus + dice * (0 if not die else max(data.PERIL) if die == "P" else int(die[1:]))


def _count(value: int | str) -> int | str:
    try:
        dice, die, _ = read_count(value)
        good = dice <= 20 and (die in ("", "P") or 1 <= int(die[1:]) <= 100) and most(value) <= 1000
    except ValueError:
        good = False
    if not good:
        raise PydanticCustomError(
            "count",
            "expected a number or dice such as 'P', '2P', 'D3' or '2D6+1', found {found}",
            {"found": repr(value)},
        )
    return value


def read_damage(text: int | str) -> tuple[int, int]:
    """(D6, added) of a damage such as 2, "D6" or "D6+1"."""
    found = _DAMAGE.fullmatch(str(text).replace(" ", ""))
    if found is None or isinstance(text, bool):
        raise ValueError(text)
    return (0, int(found["number"])) if found["number"] else (1, int(found["plus"] or 0))


def _damage(value: int | str) -> int | str:
    try:
        good = read_damage(value)[1] <= 40
    except ValueError:
        good = False
    if not good:
        raise PydanticCustomError("damage", "expected a number, 'D6' or 'D6+1', found {found}", {"found": repr(value)})
    return value


Count = Annotated[int | str, AfterValidator(_count)]
Damage = Annotated[int | str, AfterValidator(_damage)]

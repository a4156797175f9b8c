"""The actions of a hero by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.oracle.overhill.hero_attacks import dual_wield, frenzy, melee, ranged, shield_bash, sneak_attack
from tests.oracle.overhill.hero_moves import move
from tests.oracle.overhill.items import use_item
from tests.oracle.overhill.magic import magic_dart
from tests.oracle.overhill.prayers import bless, heal
from tests.oracle.overhill.state import Fight, Hero


def stay(fight: Fight, hero: Hero) -> None:
    """OU-A10."""


ACTIONS: dict[str, Callable[..., None]] = {
    "melee": melee,
    "sneak": sneak_attack,
    "frenzy": frenzy,
    "dual": dual_wield,
    "bash": shield_bash,
    "ranged": ranged,
    "dart": magic_dart,
    "heal": heal,
    "bless": bless,
    "item": use_item,
    "move": move,
    "pass": stay,
}
Action = tuple[Any, ...]  # a key of ACTIONS, then its arguments

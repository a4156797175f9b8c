"""What a player in C does not know, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

EVERY_FIGHT = {"ruleset", "title", "description", "policy", "level", "preset", "switches", "heroes", "enemies"}


class Unknown(Exception):  # noqa: N818 (it is no mistake, only a fight for the other referees)
    """A fight that the player in C cannot play; the text says what it does not know."""


def require(known: bool, what: str) -> None:
    """Refuse the fight unless this part of it is known."""
    if not known:
        raise Unknown(f"the player in C does not know {what}")


def require_names(found: Iterable[str], known: Iterable[str], what: str) -> None:
    """Refuse names that are not among the known ones."""
    others = sorted(set(found) - set(known))
    require(not others, f"{what} {', '.join(others)}")


def require_switches(settings: Mapping[str, Any], known: Mapping[str, Any], free: Iterable[str]) -> None:
    """Refuse values of switches other than the known ones; those that such a fight never asks are free."""
    others = [
        f"{name} = {value}"
        for name, value in sorted(settings.items())
        if name not in set(free) and (name not in known or known[name] != value)
    ]
    require(not others, f"the switch {', '.join(others)}")

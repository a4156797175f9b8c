"""What the referees' evenings have in common, whatever the game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

ANEW = 1_000  # what every further time of a repeated scene adds to the number of its luck


def in_turn(adventure: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every scene as it is played, with the number of its luck: its place in the file, and how often it was played."""
    for number, scene in enumerate(adventure["scenes"]):
        for turn in range(scene.get("times", 1)):
            yield number + ANEW * turn, scene


def buys_level(earned: int, spent: list[int], hero: int, cost: int | None) -> bool:
    """Whether a hero has the XP for its next level; if so it is spent."""
    if cost is None or earned - spent[hero] < cost:
        return False
    spent[hero] += cost
    return True


def with_more(adventure: dict[str, Any], seed: int, values: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """A random adventure of an odd seed with house values of its own, levels by XP, and scenes that are repeated.

    Args:
        values: what each of the game's house values may be; low prices, so that levels are gained.
    """
    if seed % 2 == 0:
        return adventure
    rng = random.Random(f"more {seed}")
    adventure["evening"] = {name: rng.choice(options) for name, options in values.items() if rng.random() < 0.8}
    scenes = adventure["scenes"]
    for place in range(len(scenes) - 1, 0, -1):
        if rng.random() < 0.5 and sum(scene.get("level_up") == "xp" for scene in scenes) < 2:
            scenes.insert(place, {"level_up": "xp"})
    by_xp = False
    for scene in scenes:
        by_xp |= scene.get("level_up") == "xp"
        if by_xp and "level_up" in scene:
            scene["level_up"] = "xp"  # a level for everybody might be above the highest for some
        if rng.random() < 0.2 and "level_up" not in scene:
            scene["times"] = 2
    return adventure

"""Random adventures of Overhill: the same seed, the same adventure, with its fights written out."""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.oracle.evenings import with_more
from tests.oracle.overhill.evening import PARTY
from tests.oracle.random_overhill import random_scenario

HIGHEST = 6  # a level from which two may still be gained
HOUSE: dict[str, tuple[int, ...]] = {
    "short_rest_dice": (0, 1, 2, 3),
    "short_rest_die": (4, 6, 8),
    "long_rest_percent": (0, 40, 75),
    "level_xp": (2, 4, 8),
}


def random_adventure(seed: int) -> dict[str, Any]:
    """Two to four fights with rests, levels and conditions between them; conditions as the referee reads them."""
    rng = random.Random(f"evening {seed}")
    first = some_fight(rng)
    adventure: dict[str, Any] = {"ruleset": "overhill", "title": f"Random evening {seed}"}
    adventure |= {key: copy.deepcopy(first[key]) for key in PARTY if key in first}
    adventure["level"] = min(adventure.get("level", 1), HIGHEST)
    for hero in adventure["heroes"]:
        hero.pop("guard", None)  # what one room allows another may not
        if "level" in hero:
            hero["level"] = min(hero["level"], HIGHEST)
    fights = [first] + [some_fight(rng) for _ in range(rng.choice((1, 1, 2, 3)))]
    if rng.random() < 0.3:
        adventure["switches"] = {"round_cap": rng.choice((6, 15, 30))}
    scenes: list[dict[str, Any]] = []
    for place, fight in enumerate(fights):
        if rng.random() < 0.4:
            scenes.append({"rest": rng.choice(("short", "long"))})
        if rng.random() < 0.25 and sum("level_up" in scene for scene in scenes) < 2:
            scenes.append({"level_up": True})
        table = {key: value for key, value in fight.items() if key not in (*PARTY, "ruleset", "title")}
        scene: dict[str, Any] = {"fight": weaker(rng, table)}
        if place and rng.random() < 0.4:
            ask = rng.choice(("party_hp", "party_hp", "standing", "potions", "items"))
            scene["unless"] = {"ask": ask, "below": rng.choice((0.4, 0.7)) if ask == "party_hp" else rng.choice((1, 3))}
        scenes.append(scene)
    adventure["scenes"] = scenes
    return with_more(adventure, seed, HOUSE)


def some_fight(rng: random.Random) -> dict[str, Any]:
    """A random scenario; not one whose table has no rows, which no file may have."""
    while True:
        fight = random_scenario(rng.randrange(10**6))
        if "encounter" not in fight or fight["encounter"]["rows"]:
            return fight


def weaker(rng: random.Random, fight: dict[str, Any]) -> dict[str, Any]:
    """Fewer monsters, so that parties see the later scenes too."""
    fight = copy.deepcopy(fight)
    for enemy in fight.get("enemies", []):
        if isinstance(enemy["count"], int):
            enemy["count"] = rng.randint(1, max(1, enemy["count"] // 3))
    return fight


def as_file(adventure: dict[str, Any]) -> dict[str, Any]:
    """The same with conditions as an adventure file has them."""
    written = copy.deepcopy(adventure)
    for scene in written["scenes"]:
        if "unless" in scene:
            scene["unless"] = f"{scene['unless']['ask']} < {scene['unless']['below']}"
    return written

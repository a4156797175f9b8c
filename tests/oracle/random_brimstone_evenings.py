"""Random adventures of Brimstone: the same seed, the same adventure, with its fights written out."""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.oracle.brimstone.evening import PARTY
from tests.oracle.evenings import with_more
from tests.oracle.random_brimstone import random_scenario
from tests.oracle.random_brimstone_types import random_scenario_of_own_types

HIGHEST = 6  # a level from which two may still be gained
HOUSE: dict[str, tuple[int, ...]] = {
    "short_rest_dice": (0, 1, 4),
    "long_rest_percent": (0, 50, 90),
    "level_xp_percent": (1, 2, 5),
}


def random_adventure(seed: int) -> dict[str, Any]:
    """Two to four fights with rests, levels and conditions between them; conditions as the referee reads them."""
    rng = random.Random(f"evening {seed}")
    first = some_fight(rng)
    adventure: dict[str, Any] = {"ruleset": "brimstone", "title": f"Random evening {seed}"}
    adventure |= {key: copy.deepcopy(first[key]) for key in PARTY if key in first}
    adventure["level"] = min(adventure.get("level", 1), HIGHEST)
    for hero in adventure["heroes"]:
        hero.pop("square", None)
        if "level" in hero:
            hero["level"] = min(hero["level"], HIGHEST)
    level_model = rng.choice(("fixed", "fixed", "chart"))
    adventure["switches"] = {"round_cap": rng.choice((8, 15, 25)), "level_model": level_model}
    if rng.random() < 0.3:
        adventure["switches"]["hard_core"] = "on"
    if rng.random() < 0.3:
        adventure["switches"]["darkness_track"] = "on"
    fights = [first] + [some_fight(rng) for _ in range(rng.choice((1, 1, 2, 3)))]
    scenes: list[dict[str, Any]] = []
    for place, fight in enumerate(fights):
        if rng.random() < 0.4:
            scenes.append({"rest": rng.choice(("short", "long"))})
        if rng.random() < 0.25 and sum("level_up" in scene for scene in scenes) < 2:
            scenes.append({"level_up": True})
        scene: dict[str, Any] = {"fight": weaker(rng, fight, len(adventure["heroes"]))}
        if place and rng.random() < 0.4:
            scene["unless"] = some_condition(rng)
        scenes.append(scene)
    adventure["scenes"] = scenes
    return with_more(adventure, seed, HOUSE)


def some_condition(rng: random.Random) -> dict[str, Any]:
    ask = rng.choice(("party_hp", "party_sanity", "standing", "grit", "tokens", "revive_tokens", "xp", "injuries"))
    if ask.startswith("party"):
        return {"ask": ask, "below": rng.choice((0.4, 0.7))}
    return {"ask": ask, "below": 60 if ask == "xp" else rng.choice((1, 2))}


def some_fight(rng: random.Random) -> dict[str, Any]:
    number = rng.randrange(10**6)
    return random_scenario_of_own_types(number) if rng.random() < 0.3 else random_scenario(number)


def weaker(rng: random.Random, fight: dict[str, Any], heroes: int) -> dict[str, Any]:
    """A fight with few enemies, on a board where every posse finds room, so that later scenes are seen too."""
    kept = {key: value for key, value in fight.items() if key not in (*PARTY, "ruleset", "title", "flee_turn")}
    kept = copy.deepcopy(kept)
    if kept.get("board") != "none":
        for key in ("board", "enemy_tile"):
            kept.pop(key, None)
        kept |= {"width": max(heroes, rng.randint(5, 9)), "height": rng.randint(6, 9)}
    lines = [line for line in kept.get("enemies", []) if line["count"] != 0 and knows(line, set())][:2]
    for line in lines:
        line.pop("squares", None)
        line["count"] = rng.randint(1, 2)
    kept["enemies"] = lines
    if lines:
        kept.pop("threat", None)
    named = {line.get("name") for line in lines}
    events = [event for event in kept.pop("events", []) if all(knows(line, named) for line in event["enemies"])]
    if events:
        kept["events"] = events
    for event in events:
        event.pop("tile", None)
        for line in event["enemies"]:
            line["count"] = 1
    return kept


def knows(line: dict[str, Any], named: set[Any]) -> bool:
    """Whether the type of a line is there: one that is called after a line goes with it."""
    return line["type"] != "another sort" or "another sort" in named


def as_file(adventure: dict[str, Any]) -> dict[str, Any]:
    """The same with conditions as an adventure file has them."""
    written = copy.deepcopy(adventure)
    for scene in written["scenes"]:
        if "unless" in scene:
            scene["unless"] = f"{scene['unless']['ask']} < {scene['unless']['below']}"
    return written

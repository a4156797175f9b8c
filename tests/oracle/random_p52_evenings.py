"""Random adventures of P52: the same seed, the same adventure, with its fights written out."""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.oracle.evenings import with_more
from tests.oracle.p52.evening import PARTY
from tests.oracle.random_p52 import random_scenario

ASKED = ("party_hp", "party_hp", "standing", "dead", "cards", "potions", "arrows")
HOUSE: dict[str, tuple[int, ...]] = {"night_percent": (0, 30, 80), "level_xp": (1, 2, 4)}


def random_adventure(seed: int) -> dict[str, Any]:
    """Two to four fights with rests, levels and conditions between them; conditions as the referee reads them."""
    rng = random.Random(f"evening {seed}")
    first = random_scenario(rng.randrange(10**6))
    adventure: dict[str, Any] = {"ruleset": "p52", "title": f"Random evening {seed}"}
    adventure |= {key: copy.deepcopy(first[key]) for key in PARTY if key in first}
    for hero in adventure["heroes"]:
        hero.pop("spot", None)  # what one board has another has not
    data_set, gear = first["switches"]["data_set"], first["switches"].get("gear", "standard")
    adventure["switches"] = {"data_set": data_set, "gear": gear, "round_cap": rng.choice((12, 20, 30))}
    scenes: list[dict[str, Any]] = []
    for place in range(rng.choice((2, 2, 3, 4))):
        if rng.random() < 0.5:
            scenes.append({"rest": rng.choice(("space", "space", "night"))})
        if rng.random() < 0.3 and sum("level_up" in scene for scene in scenes) < 2:
            scenes.append({"level_up": True})
        fight = first if place == 0 else fight_of(rng, data_set)
        scene: dict[str, Any] = {"fight": weaker(rng, fight)}
        if place and rng.random() < 0.4:
            ask = rng.choice(ASKED)
            scene["unless"] = {"ask": ask, "below": rng.choice((0.2, 0.5)) if ask == "party_hp" else rng.choice((1, 2))}
        scenes.append(scene)
    adventure["scenes"] = scenes
    return with_more(adventure, seed, HOUSE)


def fight_of(rng: random.Random, data_set: str) -> dict[str, Any]:
    """A random fight with enemies of this data set."""
    while True:
        found = random_scenario(rng.randrange(10**6))
        if found["switches"]["data_set"] == data_set:
            return found


def weaker(rng: random.Random, fight: dict[str, Any]) -> dict[str, Any]:
    """Fewer enemies, so that parties see the later scenes too; without what belongs to the party."""
    left_out = (*PARTY, "ruleset", "title")
    fight = copy.deepcopy({key: value for key, value in fight.items() if key not in left_out})
    for part in [fight, *fight.get("encounters", [])]:
        if "enemies" in part:
            part["enemies"] = part["enemies"][: rng.randint(1, 2)]
    return fight


def as_file(adventure: dict[str, Any]) -> dict[str, Any]:
    """The same with conditions as an adventure file has them."""
    written = copy.deepcopy(adventure)
    for scene in written["scenes"]:
        if "unless" in scene:
            scene["unless"] = f"{scene['unless']['ask']} < {scene['unless']['below']}"
    return written

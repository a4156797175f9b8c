"""The reference fights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def row(on: str | int, *enemies: tuple[str, Any], trap: bool = False) -> dict[str, Any]:
    """A row of an encounter table as a scenario file would write it."""
    return {"on": on, "trap": trap, "enemies": [{"type": kind, "count": count} for kind, count in enemies]}


# The rooms of the gobbo dungeon, without the empty one on a 2.
GOBBO_DUNGEON = {
    "roll": "2d6",
    "rows": [
        row(3, ("gobbo", "1d6"), ("gobbo_shaman", 1)),
        row(4, ("gobbo", "1d6"), ("gobbo_shaman", 1), ("gobbo_dog", "1d4")),
        row(5, ("gobbo", "1d6"), ("gobbo_shaman", 1), ("gobbo_dog", "1d4"), trap=True),
        row(6, ("gobbo", "1d4"), ("gobbo_archer", "1d4")),
        row(7, ("gobbo", "1d4"), ("gobbo_archer", "1d4"), ("gobbo_dog", "1d4")),
        row(8, ("gobbo", "1d6"), ("gobbo_warchief", 1)),
        row(9, ("gobbo", "1d8"), ("gobbo_warchief", 1), ("gobbo_archer", "1d4")),
        row(10, ("gobbo_warmonger", 1), ("gobbo", "1d6")),
        row(11, ("gobbo_warmonger", 1), ("gobbo", "1d4"), ("gobbo_archer", "1d4")),
        row(12, ("gobbo_grandgobbo", 1), ("gobbo", "2d4")),
    ],
}
UNDEAD = {
    "roll": "1d5",
    "rows": [
        row(total, (kind, "number"))
        for total, kind in enumerate(("skeleton", "zombie", "armored_zombie", "ghoul", "wight"), start=1)
    ],
}

STANDARD_PARTY = ("warrior", "rogue", "priest", "magic_user")


def scenario(heroes: Sequence[str], enemies: Sequence[tuple[str, Any]], **more: Any) -> dict[str, Any]:
    """A scenario as the parsed file would look."""
    return {
        "ruleset": "overhill",
        "heroes": [{"class": name} for name in heroes],
        "enemies": [{"type": kind, "count": count} for kind, count in enemies],
        **more,
    }


PLAYTEST = (("skeleton", 3), ("zombie", 2))
WARBAND = (("gobbo_warmonger", 1), ("gobbo", 8), ("gobbo_archer", 4), ("gobbo_dog", 4))

# The reference fights.
SCENARIOS: dict[str, dict[str, Any]] = {
    "duel-skeleton": scenario(["warrior"], [("skeleton", 1)]),
    "solo-four-skeletons": scenario(["warrior"], [("skeleton", 4)]),
    "gobbo-trio": scenario(["warrior", "rogue"], [("gobbo", 3)]),
    "playtest-1": scenario(STANDARD_PARTY, PLAYTEST),
    "playtest-1-early": scenario(STANDARD_PARTY, PLAYTEST, switches={"bestiary": "early"}),
    "playtest-1-ladder": scenario(STANDARD_PARTY, PLAYTEST, level=1, switches={"monster_scaling": "all"}),
    "crypt-swarm": scenario(STANDARD_PARTY, [("skeleton", 5), ("zombie", 3)]),
    "ghoul-pack": scenario(STANDARD_PARTY, [("ghoul", 12), ("armored_zombie", 4)]),
    "wight-court": scenario(STANDARD_PARTY, [("wight", 4), ("zombie", 6)], level=3),
    "warband": {
        "ruleset": "overhill",
        "level": 2,
        "heroes": [{"class": name, "items": {"healing_potion": 1}} for name in STANDARD_PARTY],
        "enemies": [{"type": kind, "count": count} for kind, count in WARBAND],
    },
    "narrow-stair": scenario(["warrior", "priest", "rogue", "magic_user"], [("zombie", 6)], room="narrow"),
    "gobbo-dungeon": {
        "ruleset": "overhill",
        "heroes": [{"class": name} for name in STANDARD_PARTY],
        "encounter": GOBBO_DUNGEON,
    },
    "wandering-undead": {
        "ruleset": "overhill",
        "heroes": [{"class": name} for name in STANDARD_PARTY],
        "encounter": UNDEAD,
    },
}

"""The reference scenarios of section 12, as the dicts that `tomllib` makes of their files."""

from __future__ import annotations

from typing import Any

Spot = tuple[int, int]


def scenario(
    title: str, heroes: list[tuple[str, int]], enemies: list[tuple[str, Spot]], board: str, **more: Any
) -> dict[str, Any]:
    return {
        "ruleset": "p52",
        "title": title,
        "policy": "brawler",
        "board": board,
        "heroes": [{"class": role, "level": level} for role, level in heroes],
        "enemies": foes(enemies),
        **more,
    }


def foes(enemies: list[tuple[str, Spot]]) -> list[dict[str, Any]]:
    return [{"card": card, "spot": list(spot)} for card, spot in enemies]


JACKS: list[tuple[str, Spot]] = [
    ("J hearts", (0, 2)), ("J diamonds", (4, 2)), ("J spades", (3, 0)), ("J clubs", (2, 2)),
]  # fmt: skip
QUEENS: list[tuple[str, Spot]] = [
    ("Q hearts", (2, 0)), ("Q diamonds", (0, 1)), ("Q spades", (4, 1)), ("Q clubs", (1, 0)),
]  # fmt: skip
KINGS: list[tuple[str, Spot]] = [
    ("K hearts", (2, 1)), ("K diamonds", (0, 0)), ("K spades", (4, 0)), ("K clubs", (2, 0)),
]  # fmt: skip


def hall_scaling(level: int) -> dict[str, Any]:
    """P52-N4 at one level."""
    return scenario(f"Hall scaling, level {level}", [("fighter", level), ("rogue", level)], KINGS, "hall")


def exact_duel(role: str, level: int, card: str, **more: Any) -> dict[str, Any]:
    """P52-N1 `duel-exact`: independent flips, no stamina, no consumables."""
    fight = scenario(f"{role} {level} against {card}", [(role, level)], [(card, (0, 0))], "one", **more)
    fight["heroes"][0]["consumables"] = {}
    fight["switches"] = {"deck_mode": "iid", "stamina_start": 0, **fight.get("switches", {})}
    return fight


SCENARIOS: dict[str, dict[str, Any]] = {
    "duel": scenario("Duel", [("fighter", 1)], [("J clubs", (0, 0))], "one"),
    "duel-exact": exact_duel("fighter", 1, "J clubs"),
    "archer-lane": scenario("Archer lane", [("rogue", 1)], [("J spades", (6, 0))], "lane", policy="sniper"),
    "corridor-ambush": scenario(
        "Corridor ambush", [("fighter", 2), ("cleric", 2)],
        [("J clubs", (1, 3)), ("Q clubs", (1, 2)), ("K hearts", (1, 1)), ("J diamonds", (1, 0))],
        "corridor", switches={"stamina_start": 2},
    ),
    "hall-scaling": hall_scaling(1),
    "great-room": scenario(
        "Great room", [("fighter", 6), ("rogue", 6), ("wizard", 6)],
        [("Q hearts", (3, 0)), ("Q diamonds", (0, 0)), ("Q spades", (3, 1)), ("K clubs", (1, 1)), ("K hearts", (2, 1)),
         ("J hearts", (3, 2)), ("J spades", (0, 1))],
        "great_room", switches={"stamina_start": 2},
    ),
    "mountain-pass": {
        "ruleset": "p52",
        "title": "Mountain pass",
        "policy": "brawler",
        "board": "hall",
        "heroes": [{"class": role, "level": 3} for role in ("fighter", "rogue", "wizard", "cleric")],
        "encounters": [{"enemies": foes(enemies)} for enemies in (JACKS, QUEENS, KINGS)],
    },
    "apprentice-den": scenario(
        "Apprentice's den", [("fighter", 5), ("captain", 5)],
        [("apprentice", (3, 0)), ("J clubs", (2, 1)), ("Q clubs", (1, 0))],
        "great_room", switches={"stamina_start": 1},
    ),
    "calico-lair": scenario(
        "Calico's lair", [("fighter", 6), ("rogue", 6), ("wizard", 6), ("cleric", 6)], [("calico", (3, 0))],
        "great_room", exit=[3, 0],
    ),
}  # fmt: skip

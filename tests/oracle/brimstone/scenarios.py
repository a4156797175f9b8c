"""Section 12: the reference scenarios."""

from __future__ import annotations

from typing import Any

PILLARS = """
    . . . . . . . . .
    . . . . . . . . .
    . . # . . . # . .
    . . . . . . . . .
    . . . . # . . . .
    . . . . . . . . .
    . . # . . . # . .
    . . . . . . . . .
"""
FOUR = [{"class": "us_marshal"}, {"class": "gunslinger"}, {"class": "bandido"}, {"class": "preacher"}]
SCENARIOS: dict[str, dict[str, Any]] = {
    "duel": {
        "board": "none",
        "heroes": [{"class": "lawman", "bag": {}}],
        "enemies": [{"type": "tentacles", "count": 1}],
        "switches": {"grit_use": "off", "revive_tokens": 0},
    },
    "boot_hill": {
        "width": 5,
        "height": 5,
        "heroes": [{"class": "us_marshal"}],
        "enemies": [{"type": "hungry_dead", "count": 2}],
    },
    "strangler_den": {
        "width": 6,
        "height": 6,
        "heroes": [{"class": "gunslinger"}, {"class": "us_marshal"}],
        "enemies": [{"type": "stranglers", "count": "P"}],
    },
    "tentacle_hall": {
        "width": 8,
        "height": 8,
        "heroes": FOUR,
        "enemies": [{"type": "tentacles", "count": 6}],
    },
    "rat_ambush": {
        "width": 6,
        "height": 6,
        "ambush": True,
        "heroes": [
            {"class": "lawman", "square": [3, 3]},
            {"class": "saloon_girl", "square": [4, 3]},
            {"class": "preacher", "square": [3, 4]},
        ],
        "enemies": [{"type": "scourge_rats", "count": "P"}],
    },
    "rat_ambush_mid": {
        "width": 6,
        "height": 6,
        "heroes": [
            {"class": "lawman", "square": [3, 3]},
            {"class": "saloon_girl", "square": [4, 3]},
            {"class": "preacher", "square": [3, 4]},
        ],
        "enemies": [{"type": "hungry_dead", "count": 4}],
        "events": [
            {"turn": 1, "after_activation": 2, "ambush": True, "enemies": [{"type": "scourge_rats", "count": "P"}]}
        ],
    },
    "cult_rifles": {
        "board": PILLARS,
        "heroes": [{"class": "rancher"}, {"class": "gambler"}, {"class": "indian_scout"}],
        "enemies": [{"type": "crimson_hand", "count": 5}],
    },
    "high_noon": {
        "width": 10,
        "height": 10,
        "heroes": FOUR,
        "enemies": [{"type": "undead_outlaws", "count": 6}],
    },
    "goliath_gate": {
        "width": 8,
        "height": 8,
        "heroes": FOUR,
        "enemies": [{"type": "goliath", "count": 1}],
        "threat": ["med"],
    },
}

"""Section 9 (switches, presets), the names of section 10 (policies) and what BF-S1 and BF-S6 look up."""

from __future__ import annotations

from typing import Any

SWITCHES: dict[str, tuple[Any, tuple[Any, ...]]] = {  # name: default, values
    "initiative_ties": ("enemies_first", ("enemies_first", "heroes_first")),
    "targeting_spread": ("seed", ("seed", "always_even", "always_random")),
    "melee_stickiness": ("sticky", ("sticky", "retarget_each_turn")),
    "reposition_when_adjacent": ("on", ("on", "off")),
    "ambush_spread": ("random", ("random", "follow_targeting", "even")),
    "ambush_bonus": (2, (0, 1, 2, 3, 4)),
    "max_attack_dice": (6, (6, 8, "none")),
    "free_attack_limit": (1, (0, 1, 2, 3)),
    "free_attack_time": ("before_action", ("before_action", "any_time")),
    "escape_roll": ("once_per_turn", ("once_per_turn", "retest_higher")),
    "hero_move": ("d6", ("d6", "fixed4")),
    "corner_rule": ("any", ("any", "both")),
    "large_displace": ("on", ("on", "off")),
    "party_choice": ("random", ("random", "best_for_party")),
    "grit_use": ("on", ("on", "off")),
    "start_grit": (1, (0, 1, 2, 3)),
    "revive_tokens": ("table", ("table", 0, 1, 2, 3, 4)),
    "revive_timing": ("immediate", ("immediate", "end_of_turn")),
    "hard_core": ("off", ("off", "on")),
    "breath_window": ("last_round", ("last_round", "whole_fight")),
    "loot_cap": (3, (0, 1, 2, 3, 4, 5)),
    "xp_base": ("per_attack", ("per_attack", "per_hit")),
    "dangerous_dynamite": ("off", ("off", "on")),
    "extra_elite": (0, (0, 1, 2, 3)),
    "level_model": ("fixed", ("fixed", "chart")),
    "spawners": ("on", ("on", "off")),
    "darkness_track": ("off", ("off", "on")),
    "round_cap": (30, tuple(range(5, 101))),
}
PRESETS: dict[str, dict[str, Any]] = {
    "seed": {},
    "later_draft": {"max_attack_dice": 8, "ambush_spread": "follow_targeting"},
    "published": {
        "max_attack_dice": 8,
        "targeting_spread": "always_even",
        "ambush_spread": "even",
        "escape_roll": "retest_higher",
    },
}
POLICIES = ("random_legal", "aggressive", "cautious", "focus_fire", "bomber", "provider")
TOKEN_SHARE = {  # BF-P7: q
    "aggressive": (1, 3),
    "cautious": (1, 2),
    "focus_fire": (1, 3),
    "bomber": (1, 3),
    "provider": (1, 3),
}
LAST_CHANCE = ("cautious", "focus_fire", "bomber", "provider")  # BF-P8 and BF-P14
CLEVER = ("focus_fire", "bomber", "provider")
THROWS = {"focus_fire": (3, 2), "bomber": (2, 1), "provider": (3, 2)}  # enemies in the blast, distance of heroes
ENEMY_BONUS = {1: (False, 0), 2: (False, 0), 3: (False, 1), 4: (False, 2), 5: (True, 0), 6: (True, 0), 7: (True, 1)}
ENEMY_BONUS[8] = (True, 2)
REVIVE_TABLE = {1: 2, 2: 1, 3: 1, 4: 0, 5: 1, 6: 0}  # BF-S6


def read_switches(scenario: dict[str, Any]) -> dict[str, Any]:
    """Section 9: the defaults, then the preset, then the scenario's own."""
    switches = {name: default for name, (default, _) in SWITCHES.items()}
    switches |= PRESETS[scenario.get("preset", "seed")]
    for name, value in scenario.get("switches", {}).items():
        if value not in SWITCHES[name][1]:
            raise ValueError(f"switches.{name}: {value!r} is not one of {SWITCHES[name][1]}")
        switches[name] = value
    return switches


def revive_tokens(switch: str | int, heroes: int) -> int:
    """BF-S6."""
    return REVIVE_TABLE.get(heroes, 0) if switch == "table" else int(switch)


def threat_list(heroes: int, allies: int) -> str:
    """BF-S2: the list of the posse."""
    count = heroes + allies // 3
    return "low" if count <= 2 else "med" if count <= 4 else "high"

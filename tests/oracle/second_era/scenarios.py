"""The reference scenarios of section 12."""

from __future__ import annotations

from typing import Any

CLASH_PARTY = ("knight", "archer", "mage", "healer")


def battle_on(
    board: str, party: tuple[str, ...], level: int, enemies: tuple[str, ...], **more: Any
) -> dict[str, Any]:
    """A scenario as `tomllib` would read it."""
    return {
        "ruleset": "second_era",
        "policy": "focus_fire",
        "level": level,
        "map": board,
        "heroes": [{"class": name} for name in party],
        "enemies": [{"type": name} for name in enemies],
        **more,
    }


def clash_scaled(players: int = 4, level: int = 8) -> dict[str, Any]:
    """`se_clash_scaled`: the first n adventurers against the pool that their XP buys."""
    return battle_on("clash", CLASH_PARTY[:players], level, (), title="Scaled clash", pool={})


SCENARIOS: dict[str, dict[str, Any]] = {
    "se_duel": battle_on("pair", ("knight",), 2, ("mudcrab",), title="Duel"),
    "se_jailbreak": battle_on(
        "clash", ("knight", "mage"), 1, ("high_elf_bandit", "argonian_bandit"), title="Jailbreak"
    ),
    "se_patrol": battle_on("tile19", ("archer", "nightblade"), 2, ("draugr", "scamp", "skeever"), title="Patrol"),
    "se_wolves": battle_on(
        "clash", ("knight", "archer", "healer"), 4, ("alpha_wolf",) * 3 + ("skeever",) * 2, title="Wolves"
    ),
    "se_clash_scaled": clash_scaled(),
    "se_dungeon": battle_on(
        "dungeon",
        CLASH_PARTY,
        8,
        ("clannfear", "bandit_archer", "draugr", "spriggan", "ogre", "storm_mage"),
        title="Dungeon",
    ),
    "se_champion": battle_on(
        "clash",
        ("knight", "mage", "healer", "berserker"),
        8,
        ("champion", "bandit_archer", "draugr", "high_elf_bandit", "clannfear"),
        title="Champion",
        objective="eliminate",
    ),
    "se_hound": battle_on(
        "clash", ("knight",), 2, ("mudcrab", "skeever", "scamp"), title="Hound", companions=[{"type": "hound"}]
    ),
}

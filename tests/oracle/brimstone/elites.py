"""Section 11.5: Brutal sides and Elite charts, and the figures that a type has in a fight."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from .bestiary import Kind

PRINTED_BRUTAL: dict[str, dict[str, int]] = {
    "drowned_dead": {"move": 3, "escape": 5, "th_melee": 4, "damage": 4, "health": 4, "xp_a": 25},
    "xenocyte_impalers": {"combat": 5, "health": 8, "xp_a": 35, "tail": 6},
}
# 11.5, Elite charts: a text "+n" adds, anything else sets; None is a result that is not modelled. `all_damage` and
# `flail_dice` stand for two fields and for a part of one.
Result6 = dict[str, Any] | None
CHARTS: dict[str, tuple[Result6, ...]] = {
    "void_spiders": (
        {"combat": "+1", "always_ambush": True},
        {"on_wound": ("venom",)},
        {"health": "+2"},
        {"defense": "+2"},
        {"th_melee": 3},
        {"damage": "+2"},
    ),
    "scourge_rats": (
        {"th_melee": 2},
        {"gun_ward": 2},
        {"taint": True},
        {"move": "+2", "init": "+1"},
        {"combat": "+1"},
        {"on_wound": ("poison",)},
    ),
    "hellbats": (
        {"escape": 5},
        {"nightmare": 2},
        {"defense": "+2"},
        {"combat": "+1"},
        {"health": "+2"},
        {"damage": 3, "damage_dice": 0},
    ),
    "stranglers": (None, {"drag": True}, {"init": "+1"}, {"combat": "+2"}, {"regen": 2}, {"health": "+3"}),
    "tentacles": (
        {"on_wound": ("entangled",)},
        {"flight": True},
        {"defense": "+2"},
        {"damage": "+2"},
        {"combat": "+1"},
        {"init": "+2"},
    ),
    "hungry_dead": (
        {"health": "+2"},
        {"combat": "+2"},
        {"move": 3, "init": 3},
        {"defense": "+1"},
        {"daunt": True},
        {"fear": 2},
    ),
    "corpse_pile": (
        {"health": "+4"},
        {"fear": 0, "uterror": 2},
        {"regen": 2},
        {"defense": "+1"},
        {"spawn_on": 3},
        {"spawn_rolls": 2},
    ),
    "drowned_dead": (
        {"nightmare": 1},
        None,
        {"health": "+2"},
        {"combat": "+2", "six_pierces": True},
        {"free_shot": True},
        {"again_on_one": True, "horror_bonus": "+1"},
    ),
    "xenocyte_impalers": (
        {"damage": "+2"},
        {"tail": 6},
        {"health": "+3"},
        {"combat": "+2"},
        {"fear": 1},
        {"tail_each": True},
    ),
    "slashers": (
        {"init": "+2"},
        {"health": "+2"},
        {"cut": True},
        {"fear": 0, "terror": 2},
        {"combat": "+1"},
        {"damage": "+2"},
    ),
    "night_terrors": (
        {"escape": 6},
        {"terror": 0, "uterror": 2},
        {"health": "+6"},
        {"all_damage": "+2", "horror_bonus": "+2"},
        {"regen": 2},
        {"th_melee": 4},
    ),
    "goliath": (
        {"damage": "+1"},
        {"uterror": 5},
        {"defense": "+1"},
        {"on_wound": ("entangled",)},
        {"regen": 2},
        {"flail_dice": "+1"},
    ),
    "crimson_hand": (
        {"endurance": 2},
        {"th_melee": 4},
        {"tough": True},
        {"shots": "+2"},
        {"on_melee_wound": ("poison",)},
        None,
    ),
    "bandits": (
        {"health": "+5"},
        {"defense": "+1", "health": "+2"},
        {"init": "+2"},
        {"shots": "+2"},
        {"all_damage": "+1"},
        {"th_ranged": 4},
    ),
    "undead_outlaws": (
        {"six_shot_bonus": 3},
        {"terror": 1},
        {"opening": True},
        {"health": "+4", "regen": 1},
        {"shots": "+2"},
        {"th_ranged": 3},
    ),
    "auto_turrets": (
        {"health": "+8"},
        {"regen": 2},
        {"th_ranged": 3},
        {"armor": 5},
        None,
        {"shot_damage": 4, "shot_dice": 0, "explode": 6},
    ),
    "gulch_snipers": (
        {"health": "+2"},
        {"shots": "+1"},
        {"th_ranged": 3},
        {"defense": "+1"},
        {"all_damage": "+1"},
        {"init": "+2"},
    ),
}
BRUTAL_CHARTS: dict[str, tuple[Result6, ...]] = {
    **CHARTS,
    "drowned_dead": (
        {"nightmare": 1},
        None,
        {"double_first": True},
        {"combat": "+2", "six_pierces": True},
        {"free_shot": True},
        {"again_on_one": True, "horror_bonus": "+1"},
    ),
    "xenocyte_impalers": (
        {"damage": "+2"},
        {"tail_d3": True},
        {"armor": 5},
        {"combat": "+3"},
        {"fear": 1},
        {"tail_each": True},
    ),
}


@lru_cache(maxsize=4096)
def brutal_side(kind: Kind) -> Kind:
    """11.5: the Brutal side of a type."""
    printed = kind.side if kind.side is not None else PRINTED_BRUTAL.get(kind.base)
    if printed is not None and not (kind.side is None and kind.chart is not None):
        return apply_elite(kind, {key: value for key, value in printed.items() if key not in kind.changed})
    return replace(
        kind,
        health=-(-kind.health * 7 // 4),
        combat=kind.combat + 1 if kind.combat else 0,
        flail=(kind.flail[0] + 1, kind.flail[1]) if kind.flail and not kind.combat else kind.flail,
        damage=kind.damage + 1 if kind.combat or kind.flail else kind.damage,
        shot_damage=kind.shot_damage + 1 if kind.range else 0,
        move=kind.move + 1 if kind.move else 0,
        xp_a=kind.xp_a + (5 if kind.xp_b else 10),
    )


def apply_elite(kind: Kind, result: dict[str, Any]) -> Kind:
    """One Elite chart result."""
    change: dict[str, Any] = {}
    for key, value in result.items():
        if key == "all_damage":
            change["damage"] = kind.damage + int(value)
            change["shot_damage"] = kind.shot_damage + int(value) if kind.range else 0
        elif key == "flail_dice":
            if kind.flail:
                change["flail"] = (kind.flail[0] + int(value), kind.flail[1])
        elif key == "spawn_on":
            if kind.spawn:
                change["spawn"] = (value, kind.spawn[1])
        elif key == "shot_damage" and isinstance(value, str):
            change[key] = kind.shot_damage + int(value) if kind.range else 0
        elif isinstance(value, str):
            change[key] = getattr(kind, key) + int(value)
        else:
            change[key] = value
    return replace(kind, **change)


def chart_of(kind: Kind, brutal: bool) -> tuple[Result6, ...]:
    """The Elite chart of a type, or of a kind made from it: an own type has charts of its own."""
    own = kind.brutal_chart if brutal else kind.chart
    return (BRUTAL_CHARTS if brutal else CHARTS)[kind.base] if own is None else own


@lru_cache(maxsize=4096)
def in_play(kind: Kind, brutal: bool, elites: tuple[int, ...]) -> Kind:
    """BF-S1, S5: the figures of a type in this fight."""
    chart = chart_of(kind, brutal)
    if brutal:
        kind = brutal_side(kind)
    elif elites and kind.any_elite:
        kind = apply_elite(kind, kind.any_elite)
    for number in elites:
        result = chart[number - 1]
        if result:
            kind = apply_elite(kind, result)
    return kind

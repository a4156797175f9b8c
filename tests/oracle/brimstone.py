"""Brimstone fights: the scalar referee. It plays one encounter at a time, with loops and ifs, from the specification.

    prepared = prepare(scenario)          # once: everything that depends on the scenario alone
    result = play(prepared, luck)         # once per run

The rule ids are those of the specification; the addresses of the random numbers and the readings of doubtful places
are in `sim/rulesets/brimstone/README.md`.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from tests.oracle.luck import ENEMIES, TABLE

KINDS = 2_000  # the actor number of what a whole group does
LINES = 3_000  # of the count of an enemy line
CARDS = 4_000  # of the counts of a threat card
EVENTS = 5_000  # of what an event does
NEWCOMERS = 20_000  # of the creation of a model, plus its creation number
MOST_MODELS = 40  # BF-G9
STRIDE = 4_096  # dice of one batch of hits on a hero
FAR = 10**6  # steps between squares that no path joins
NO_CRITICAL = 99
AV_PARTS = 576  # attack values are whole numbers of 576ths: 36 * 16 and 64 * 9

# ---------------------------------------------------------------------------------------------------------------------
# Data: section 9 (switches), 10 (policies), 11 (units, items, cards), 12 (scenarios)
# ---------------------------------------------------------------------------------------------------------------------

SWITCHES: dict[str, tuple[Any, tuple[Any, ...]]] = {  # name: default, values
    "initiative_ties": ("enemies_first", ("enemies_first", "heroes_first")),
    "targeting_spread": ("seed", ("seed", "always_even", "always_random")),
    "melee_stickiness": ("sticky", ("sticky", "retarget_each_turn")),
    "reposition_when_adjacent": ("on", ("on", "off")),
    "ambush_spread": ("random", ("random", "follow_targeting", "even")),
    "ambush_bonus": (2, (0, 1, 2, 3, 4)),
    "max_attack_dice": (6, (6, 8, "none")),
    "free_attack_limit": (1, (0, 1, 2, 3)),
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

POLICIES = ("random_legal", "aggressive", "cautious", "focus_fire", "bomber")
TOKEN_SHARE = {"aggressive": (1, 3), "cautious": (1, 2), "focus_fire": (1, 3), "bomber": (1, 3)}  # BF-P7: q
LAST_CHANCE = ("cautious", "focus_fire", "bomber")  # BF-P8 and BF-P14
CLEVER = ("focus_fire", "bomber")

SKILLS = ("agility", "cunning", "spirit", "strength", "lore", "luck")
FIGURES = ("init", "th_ranged", "th_melee", "combat", "health", "defense", "sanity", "willpower", *SKILLS)

# 11.1: the figures in the order of FIGURES, the kit, the bag.
CLASSES: dict[str, tuple[tuple[int, ...], dict[str, list[str]], dict[str, int]]] = {
    "gunslinger": ((6, 3, 5, 1, 10, 5, 12, 4, 3, 3, 2, 2, 2, 2), {"guns": ["pistol"]}, {"whiskey": 1}),
    "lawman": ((4, 4, 4, 2, 12, 4, 12, 4, 2, 4, 1, 3, 2, 3), {"guns": ["pistol"]}, {"bandages": 1}),
    "indian_scout": ((5, 4, 4, 2, 10, 4, 10, 4, 3, 2, 3, 2, 3, 2), {"guns": ["hunting_rifle"]}, {"bandages": 1}),
    "bandido": ((3, 5, 4, 2, 16, 4, 8, 5, 2, 1, 3, 4, 3, 2), {"guns": ["pistol"]}, {"dynamite": 1}),
    "rancher": ((3, 4, 4, 2, 14, 4, 10, 4, 2, 2, 3, 3, 4, 1), {"guns": ["hunting_rifle"]}, {"bandages": 1}),
    "saloon_girl": (
        (5, 4, 4, 2, 8, 3, 14, 4, 4, 3, 3, 1, 2, 3),
        {"free_items": ["hold_out_pistol"]},
        {"whiskey": 1},
    ),
    "us_marshal": ((4, 4, 4, 2, 10, 3, 10, 4, 3, 4, 2, 2, 1, 3), {"guns": ["shotgun"]}, {"tonic": 1}),
    "preacher": ((2, 5, 4, 2, 12, 5, 10, 3, 1, 2, 4, 3, 3, 2), {}, {"bandages": 1}),
    "mad_scientist": ((4, 4, 4, 2, 8, 3, 12, 4, 2, 3, 2, 2, 3, 4), {"guns": ["pistol"]}, {"dynamite": 1}),
    "gambler": ((5, 4, 5, 2, 10, 4, 10, 4, 3, 4, 1, 2, 2, 3), {"guns": ["pistol"]}, {"whiskey": 1}),
    "wandering_samurai": ((5, 4, 3, 2, 10, 3, 10, 4, 3, 3, 2, 3, 2, 2), {"melee_items": ["katana"]}, {"bandages": 1}),
    "frontier_doc": ((4, 5, 4, 2, 12, 5, 12, 3, 2, 4, 2, 2, 3, 1), {"guns": ["pistol"]}, {"bandages": 3}),
}

UPGRADES = {  # upgrade: its class
    "rolling_thunder": "us_marshal",
    "cleaning_up": "us_marshal",
    "swindler": "bandido",
    "twin_guns": "bandido",
    "high_roller": "gambler",
    "fancy_footwork": "gambler",
    "sword_master": "wandering_samurai",
    "pistol_fanning": "gunslinger",
}


class Gun(NamedTuple):
    """11.2: a ranged weapon."""

    range: int
    shots: int
    one_handed: bool = False
    sides: int = 6
    critical: int = 6
    bonus: int = 0
    shotgun: bool = False


GUNS = {
    "pistol": Gun(6, 2, one_handed=True),
    "light_pistol": Gun(6, 2, one_handed=True, critical=NO_CRITICAL),
    "gunfighters_pistol": Gun(7, 3, one_handed=True),
    "shotgun": Gun(5, 1, sides=8, shotgun=True),
    "double_barrel_shotgun": Gun(4, 2, sides=8, shotgun=True),
    "hunting_rifle": Gun(12, 1, bonus=2),
}
FREE_ITEMS = {"hold_out_pistol": Gun(3, 1, one_handed=True, critical=5)}
MELEE_ITEMS = {"katana": 1}  # Combat + 1
TOKENS = (
    "bandages",
    "herbs",
    "whiskey",
    "tonic",
    "dynamite",
    "hatchet",
    "shiv",
    "fine_cigar",
    "flash",
    "spice",
)
SHIV_CLASSES = ("saloon_girl", "gambler")
MARKERS = (
    "bleeding",
    "burning",
    "death_mark",
    "ensnared",
    "poison",
    "stunned",
    "webbed",
    "venom",
    "entangled",
)  # 7.5, in the order of the table
AT_MOST_ONE = ("death_mark", "ensnared")


@dataclass(frozen=True, eq=False)
class Kind:
    """2.2: an enemy type. Damage is `dice` D6 plus a fixed part; 0 in a To Hit number means none."""

    name: str
    base: str  # whose Elite chart and Brutal side it uses
    init: int
    move: int
    escape: int
    th_melee: int
    th_ranged: int
    combat: int
    damage_dice: int
    damage: int
    defense: int
    health: int
    xp_a: int
    xp_b: int
    size: str
    behaviour: str
    range: int = 0  # of the weapon; 0 means no weapon
    shots: int = 0
    shot_dice: int = 0
    shot_damage: int = 0
    # 11.4: keywords
    fear: int = 0
    terror: int = 0
    uterror: int = 0
    smash: bool = False
    six: int = 1
    hail: int = 1
    burst: bool = False
    nightmare: int = 0
    flight: bool = False
    swarm: bool = False
    pack: bool = False
    flail: tuple[int, int] | None = None
    tough: bool = False
    crit_floor: int | None = None
    endurance: int | None = None
    armor: int = 0
    cover: int = 0
    zealot: bool = False
    dodge: bool = False
    tail: int = 0
    cursed: bool = False
    hordes: bool = False
    spawn: tuple[int, str] | None = None
    explode: int = 0
    regen: int = 0
    # 11.5: what only Elite results give
    always_ambush: bool = False
    on_wound: tuple[str, ...] = ()
    on_melee_wound: tuple[str, ...] = ()
    gun_ward: int = 0  # Defense against guns and Hatchet
    taint: bool = False  # end of move next to it: a Corruption Hit
    drag: bool = False  # start next to it: Agility 5+ or D6 hits
    daunt: bool = False  # heroes on its tile need 1 more To Hit
    spawn_rolls: int = 1
    six_pierces: bool = False  # natural 6 ignores Armor
    free_shot: bool = False
    again_on_one: bool = False  # re-rolls its To Hit 1s
    horror_bonus: int = 0
    double_first: bool = False
    tail_each: bool = False
    tail_d3: bool = False
    cut: bool = False  # failed Escape next to it: 3 hits of damage 2
    six_shot_bonus: int = 0  # ranged natural 6: more damage
    opening: bool = False  # first turn of the group: Initiative 6, Shots + 2
    # what the scenario says
    changed: frozenset[str] = frozenset()
    brutal: bool | None = None
    elites: tuple[int, ...] = ()

    @property
    def passes(self) -> bool:
        """BF-E9."""
        return self.flight or self.swarm

    @property
    def threat(self) -> int:
        """BF-P12, in twelfths."""
        attacks = [(self.combat, 7 * self.damage_dice + 2 * self.damage)]
        if self.range:
            attacks.append((self.shots, 7 * self.shot_dice + 2 * self.shot_damage))
        if self.flail:
            attacks.append((self.flail[0], 7 * self.damage_dice + 2 * self.damage))
        dice, twice_mean = max(attacks)
        numbers = [number for number in (self.th_melee, self.th_ranged) if number]
        return dice * (7 - min(numbers)) * twice_mean if numbers else 0


def _kind(name: str, row: str, weapon: tuple[int, int, int] | None = None, **abilities: Any) -> Kind:
    """A row of 11.5: Init Move Esc Melee Ranged Combat Damage Def Health XP-A XP-B Size Behaviour."""
    cells = row.split()
    numbers = [0 if cell in ("-", "D6") else int(cell) for cell in cells[:11]]
    init, move, escape, th_melee, th_ranged, combat, damage, defense, health, xp_a, xp_b = numbers
    reach, shots, shot_damage = weapon or (0, 0, 0)
    return Kind(
        name,
        name,
        init,
        move,
        escape,
        th_melee,
        th_ranged,
        combat,
        int(cells[6] == "D6"),
        damage,
        defense,
        health,
        xp_a,
        xp_b,
        cells[11],
        cells[12],
        range=reach,
        shots=shots,
        shot_damage=shot_damage,
        **abilities,
    )


TYPES: list[Kind] = [
    #                        I  M E Me Ra C Da Df He XP  each
    _kind("void_spiders", "  6  8 4 4  -  2 2  0  3  10  0 S melee", swarm=True),
    _kind("scourge_rats", "  8 12 3 3  -  1 3  1  3  15  0 S melee", swarm=True, pack=True),
    _kind("hellbats", "      6 12 3 3  -  3 1  2  1  10  0 S melee", flight=True, nightmare=1),
    _kind("stranglers", "    4  6 6 3  -  4 1  2  3  25  0 M melee", six=3),
    _kind("tentacles", "     2  6 4 4  -  3 3  2  4  30  0 M melee", smash=True),
    _kind("hungry_dead", "   1  2 4 4  -  1 3  4  1  20  0 M melee", fear=1),
    _kind("corpse_pile", "   0  0 1 -  -  0 -  2  6  10  5 M immobile", fear=1, spawn=(4, "hungry_dead")),
    _kind("drowned_dead", "  2  2 4 5  5  3 3  4  2  15  0 M melee", fear=1, armor=5, cursed=True, hordes=True),
    _kind("xenocyte_impalers", " 8 9 4 3 - 3 3  2  5  25  0 M melee", swarm=True, dodge=True, tail=5),
    _kind("slashers", "      4  5 3 3  -  2 D6 4  6  15  5 L melee", fear=2, crit_floor=2),
    _kind("night_terrors", " 3  5 3 5  -  4 4  3 12  10  5 L melee", terror=2),
    _kind("goliath", "       2  6 4 3  -  0 3  3 24  10  5 L melee", uterror=3, flail=(3, 3), tough=True),
    _kind("crimson_hand", "  3  5 3 5  4  2 3  2  3  30  0 M melee_or_ranged", (10, 1, 5), endurance=3, zealot=True),
    _kind("bandits", "       5  6 3 4  5  2 2  3  3  15  0 M shootout", (6, 3, 2), hail=3),
    _kind("undead_outlaws", " 2 4 3 4  4  1 3  4  5  45  0 M shootout", (6, 4, 2), fear=2),
    _kind("auto_turrets", "  5  0 1 -  4  0 -  3 12  10  5 M immobile", (12, 3, 2), burst=True, explode=3),
    _kind("gulch_snipers", " 3  4 3 -  4  0 -  2  3  15  0 M ranged", (8, 2, 2)),
]
TYPE_NUMBER = {kind.name: number for number, kind in enumerate(TYPES)}

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

PERIL = (3, 3, 4, 4, 5, 6)

# 11.6: cards as lists of (count, type or list of cards).
THREATS: dict[str, list[list[tuple[str, str]]]] = {
    "low": [
        [("P", "stranglers")],
        [("P", "void_spiders"), ("P", "stranglers")],
        [("1", "night_terrors"), ("P", "void_spiders")],
        [("P", "scourge_rats")],
        [("P+1", "crimson_hand")],
        [("2P", "void_spiders")],
    ],
    "med": [
        [("6", "hellbats")],
        [("1", "slashers"), ("P", "hellbats")],
        [("2", "low cards")],
        [("2P", "hungry_dead"), ("2", "corpse_pile")],
        [("6", "tentacles")],
        [("D3", "slashers")],
        [("6", "undead_outlaws")],
        [("P", "tentacles"), ("2P", "hungry_dead"), ("2", "corpse_pile")],
        [("1", "slashers"), ("1", "low cards")],
    ],
    "high": [
        [("D3", "night_terrors"), ("6", "stranglers")],
        [("6", "stranglers"), ("12", "void_spiders")],
        [("P", "stranglers"), ("P", "tentacles"), ("2P", "void_spiders")],
        [("3", "slashers")],
        [("3", "night_terrors")],
        [("6", "bandits"), ("1", "low cards")],
        [("6", "tentacles"), ("6", "hellbats")],
        [("2", "med cards")],
        [("12", "crimson_hand")],
        [("6", "undead_outlaws"), ("1", "med cards")],
        [("6", "hellbats"), ("2P", "hungry_dead"), ("3", "corpse_pile")],
        [("1", "slashers"), ("2", "low cards")],
        [("1", "night_terrors"), ("1", "med cards")],
    ],
    "epic": [
        [("1", "goliath"), ("1", "auto cards")],
        [("D3", "night_terrors"), ("2", "auto cards")],
        [("D3", "slashers"), ("2", "auto cards")],
    ],
}

# 11.7: cumulative gains of `level_model` = fixed.
LEVELS: dict[int, dict[str, int]] = {
    1: {},
    2: {"health": 2, "sanity": 2},
    3: {"health": 4, "sanity": 4, "max_grit": 1},
    4: {"health": 6, "sanity": 6, "max_grit": 1, "combat": 1, "shot_bonus": 1},
    5: {"health": 8, "sanity": 8, "max_grit": 1, "combat": 1, "shot_bonus": 1},
    6: {"health": 10, "sanity": 10, "max_grit": 2, "combat": 1, "shot_bonus": 1, "dmg_bonus": 1},
    7: {"health": 12, "sanity": 12, "max_grit": 2, "combat": 1, "shot_bonus": 1, "dmg_bonus": 1},
    8: {"health": 14, "sanity": 14, "max_grit": 2, "combat": 2, "shot_bonus": 2, "dmg_bonus": 1, "init": 1},
}
LEVEL_COST = {2: 500, 3: 1000, 4: 2000, 5: 3000, 6: 4500, 7: 6000, 8: 8000}
ENEMY_BONUS = {1: (False, 0), 2: (False, 0), 3: (False, 1), 4: (False, 2), 5: (True, 0), 6: (True, 0), 7: (True, 1)}
ENEMY_BONUS[8] = (True, 2)
REVIVE_TABLE = {1: 2, 2: 1, 3: 1, 4: 0, 5: 1, 6: 0}  # BF-S6

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

# ---------------------------------------------------------------------------------------------------------------------
# Board: section 2.4
# ---------------------------------------------------------------------------------------------------------------------

STEP_ORDER = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))  # N NE E SE S SW W NW
BOUNCES = ((-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))  # BF-H21: D8 of 1 to 8


def meets_square(ax: int, ay: int, bx: int, by: int, cx: int, cy: int, boundary: bool) -> bool:
    """Whether the segment from centre a to centre b meets square c, with or without the square's boundary.

    In half squares, so that all corners are whole numbers. Two convex shapes are apart if and only if some line
    parallel to an edge of one of them lies between.
    """
    ax, ay, bx, by, cx, cy = 2 * ax, 2 * ay, 2 * bx, 2 * by, 2 * cx, 2 * cy
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x in (cx - 1, cx + 1) for y in (cy - 1, cy + 1)]
    gaps = (
        min(ax, bx) - (cx + 1),
        (cx - 1) - max(ax, bx),
        min(ay, by) - (cy + 1),
        (cy - 1) - max(ay, by),
        min(sides),
        -max(sides),
    )
    return max(gaps) <= 0 if boundary else max(gaps) < 0


class Board:
    """BF-G1 to G6. Squares are numbered (y - 1) * width + (x - 1)."""

    none = False

    def __init__(self, rows: tuple[str, ...], corner_rule: str) -> None:
        """`rows` from the back (y = height) to the front (y = 1), one sign per square."""
        self.width, self.height = len(rows[0]), len(rows)
        self.corner_rule = corner_rule
        signs = "".join(reversed(rows))
        self.tile = [0 if sign == "#" else 1 if sign == "." else int(sign) for sign in signs]
        self.floor = [square for square, tile in enumerate(self.tile) if tile]
        self.xs = [square % self.width for square in range(len(signs))]
        self.ys = [square // self.width for square in range(len(signs))]
        self.neighbours = [self._neighbours(square) for square in range(len(signs))]  # in the order N, NE, ... NW
        self.near = [frozenset(around) for around in self.neighbours]
        places = list(zip(self.xs, self.ys, strict=True))
        self.ranges = [[max(abs(x - u), abs(y - v)) for u, v in places] for x, y in places]
        self._steps: list[list[int] | None] = [None] * len(signs)
        self._sight: list[list[bool] | None] = [None] * len(signs)
        self.touching = self._touching_tiles()
        self.placement = {tile: self._placement(tile) for tile in set(self.tile) - {0}}

    def at(self, x: int, y: int) -> int:
        """The number of square (x, y), counted from 0; -1 outside."""
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else -1

    def is_floor(self, x: int, y: int) -> bool:
        square = self.at(x, y)
        return square >= 0 and self.tile[square] > 0

    def _neighbours(self, square: int) -> tuple[int, ...]:
        """BF-G3."""
        x, y = self.xs[square], self.ys[square]
        if not self.tile[square]:
            return ()
        around = []
        for dx, dy in STEP_ORDER:
            if not self.is_floor(x + dx, y + dy):
                continue
            if dx and dy:
                others = self.is_floor(x + dx, y) + self.is_floor(x, y + dy)
                if others < (2 if self.corner_rule == "any" else 1):
                    continue
            around.append(self.at(x + dx, y + dy))
        return tuple(around)

    def steps(self, square: int) -> list[int]:
        """BF-G4: the steps from a square to every other."""
        row = self._steps[square]
        if row is None:
            row = [FAR] * len(self.tile)
            row[square] = 0
            queue = deque([square])
            while queue:
                here = queue.popleft()
                for there in self.neighbours[here]:
                    if row[there] == FAR:
                        row[there] = row[here] + 1
                        queue.append(there)
            self._steps[square] = row
        return row

    def sight(self, square: int) -> list[bool]:
        """BF-G6: which squares a square sees."""
        row = self._sight[square]
        if row is None:
            if len(self.floor) == len(self.tile):
                row = [True] * len(self.tile)
            else:
                row = [self._sees(square, other) for other in range(len(self.tile))]
            self._sight[square] = row
        return row

    def _sees(self, a: int, b: int) -> bool:
        ax, ay, bx, by = self.xs[a], self.ys[a], self.xs[b], self.ys[b]
        wide, high = range(min(ax, bx), max(ax, bx) + 1), range(min(ay, by), max(ay, by) + 1)
        walls = [(x, y) for x in wide for y in high if not self.tile[self.at(x, y)]]
        if self.corner_rule == "any":
            return not any(meets_square(ax, ay, bx, by, x, y, boundary=True) for x, y in walls)
        if any(meets_square(ax, ay, bx, by, x, y, boundary=False) for x, y in walls):
            return False
        return not any(
            self._through_corner(ax, ay, bx, by, x, y) and self._walls_at_corner(x, y) >= 2
            for x in wide[:-1]
            for y in high[:-1]
        )

    @staticmethod
    def _through_corner(ax: int, ay: int, bx: int, by: int, x: int, y: int) -> bool:
        """Whether the segment passes the corner point between (x, y) and (x + 1, y + 1), which lies in its box."""
        return (bx - ax) * (2 * y + 1 - 2 * ay) == (by - ay) * (2 * x + 1 - 2 * ax)

    def _walls_at_corner(self, x: int, y: int) -> int:
        return sum(not self.is_floor(x + dx, y + dy) for dx in (0, 1) for dy in (0, 1))

    def in_range(self, a: int, b: int, reach: int) -> bool:
        """BF-G5."""
        return self.ranges[a][b] <= reach and self.sight(a)[b]

    def _touching_tiles(self) -> dict[int, set[int]]:
        """11.4, UTerror: every tile with itself and the tiles that have squares adjacent to it."""
        touching: dict[int, set[int]] = {tile: {tile} for tile in self.tile if tile}
        for square in self.floor:
            touching[self.tile[square]].update(self.tile[other] for other in self.neighbours[square])
        return touching

    def _placement(self, tile: int) -> list[int]:
        """BF-S10 to S12: the squares of a tile in the order in which models take them."""
        squares = [square for square in self.floor if self.tile[square] == tile]
        squares.sort(key=lambda square: (-self.ys[square], self.xs[square]))
        parity = (self.xs[squares[0]] + self.ys[squares[0]]) % 2
        primary = [square for square in squares if (self.xs[square] + self.ys[square]) % 2 == parity]
        return primary + [square for square in squares if square not in primary]

    def bounce(self, square: int, direction: int) -> int:
        """BF-H21, H22: where a bounce toward a direction (1 to 8) ends."""
        dx, dy = BOUNCES[direction - 1]
        there = self.at(self.xs[square] + dx, self.ys[square] + dy)
        return there if there in self.near[square] else square


class NoBoard(Board):
    """BF-G10: all heroes stand on square 0, all enemies on square 1; the two are adjacent, neither to itself."""

    none = True

    def __init__(self) -> None:
        self.tile = [1, 1]
        self.floor = [0, 1]
        self.neighbours = [(1,), (0,)]
        self.near = [frozenset({1}), frozenset({0})]
        self.ranges = [[0, 1], [1, 0]]
        self._steps = [[0, 1], [1, 0]]
        self._sight = [[True, True], [True, True]]
        self.touching = {1: {1}}
        self.placement = {1: []}


@lru_cache(maxsize=64)
def board_of(rows: tuple[str, ...], corner_rule: str) -> Board:
    return Board(rows, corner_rule)


def read_board(scenario: dict[str, Any], corner_rule: str) -> Board:
    """The board of a scenario: a drawing, "none", or width and height."""
    drawing = scenario.get("board")
    if drawing == "none":
        return NoBoard()
    if drawing is None:
        rows = ("." * scenario["width"],) * scenario["height"]
    else:
        rows = tuple("".join(line.split()) for line in drawing.splitlines() if line.strip())
    if len({len(row) for row in rows}) != 1:
        raise ValueError("board: all rows must have the same length")
    return board_of(rows, corner_rule)


# ---------------------------------------------------------------------------------------------------------------------
# Preparing an encounter
# ---------------------------------------------------------------------------------------------------------------------


class Count(NamedTuple):
    """A number or dice such as "P", "2P", "P+1", "D3", "2D6+1"."""

    dice: tuple[str, ...]
    plus: int

    @property
    def most(self) -> int:
        return self.plus + sum({"P": 6, "D3": 3, "D6": 6}[die] for die in self.dice)


@cache
def read_count(text: str | int) -> Count:
    """A count as written in a scenario or on a card.

    >>> read_count("2P"), read_count("P+1"), read_count(3)
    (Count(dice=('P', 'P'), plus=0), Count(dice=('P',), plus=1), Count(dice=(), plus=3))
    """
    dice: list[str] = []
    plus = 0
    for term in str(text).upper().replace(" ", "").split("+"):
        match = re.fullmatch(r"(\d*)(P|D3|D6)", term)
        if match:
            dice += [match[2]] * int(match[1] or 1)
        else:
            plus += int(term)
    return Count(tuple(dice), plus)


class Line(NamedTuple):
    """An enemy line: how many of which kind. `number` is part of the address of its dice."""

    kind: int
    count: Count
    number: int


class Event(NamedTuple):
    """2.3: a scheduled arrival."""

    number: int
    turn: int
    after: int  # 0 means at the darkness
    ambush: bool
    tile: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, eq=False)
class Mode:
    """BF-P2: a way to attack, with its dice after the dice cap."""

    name: str
    sort: str  # melee, gun, hatchet, shiv
    range: int
    dice: int
    sides: int = 6
    critical: int = 6
    bonus: int = 0
    six_bonus: int = 0
    off_hand: int = 0  # how many of the dice (the last ones) belong to the off-hand gun
    shots: int = 0  # printed
    one_handed: bool = False
    shotgun: bool = False


@dataclass(slots=True)
class Sheet:
    """2.1: what a hero brings into the fight."""

    number: int
    name: str
    cls: str
    level: int
    policy: str
    square: int
    init: int
    th_ranged: int
    th_melee: int
    combat: int
    health: int
    defense: int
    sanity: int
    willpower: int
    agility: int
    cunning: int
    spirit: int
    strength: int
    lore: int
    luck: int
    max_grit: int = 2
    grit: int = 0
    ally: bool = False
    move: int = 0  # of an ally
    move_bonus: int = 0
    dmg_bonus: int = 0
    shot_bonus: int = 0
    armor: int = 0
    spirit_armor: int = 0
    cover: int = 0
    wounds: int = 0
    sdmg: int = 0
    two_guns: bool = False
    upgrade: str = "none"
    guns: tuple[str, ...] = ()
    free_items: tuple[str, ...] = ()
    melee_items: tuple[str, ...] = ()
    bag: dict[str, int] = field(default_factory=dict)
    status: dict[str, int] = field(default_factory=dict)
    modes: tuple[Mode, ...] = ()
    free_modes: dict[str, Mode] = field(default_factory=dict)


@dataclass
class Prepared:
    """Everything about an encounter that is the same in every run."""

    switches: dict[str, Any]
    board: Board
    sheets: list[Sheet]
    kinds: list[Kind]
    kind_number: dict[str, int]
    lines: list[Line]
    threat: list[str]
    events: list[Event]
    ambush: bool
    tile: int
    brutal: bool
    owed: int
    revive: int
    threat_list: str
    stage: int
    darkness: int
    flee_turn: int
    dice_cap: int


def read_switches(scenario: dict[str, Any]) -> dict[str, Any]:
    """Section 9: the defaults, then the preset, then the scenario's own."""
    switches = {name: default for name, (default, _) in SWITCHES.items()}
    switches |= PRESETS[scenario.get("preset", "seed")]
    for name, value in scenario.get("switches", {}).items():
        if value not in SWITCHES[name][1]:
            raise ValueError(f"switches.{name}: {value!r} is not one of {SWITCHES[name][1]}")
        switches[name] = value
    return switches


def main_to_hit(cls: str) -> str:
    """11.7: ranged if the class has a gun in its kit, else melee."""
    return "th_ranged" if CLASSES[cls][1].get("guns") else "th_melee"


def better(sheet: Sheet, figure: str) -> bool:
    """11.7: one better, not below 3+; False if nothing changed."""
    value = getattr(sheet, figure)
    if value <= 3:
        return False
    setattr(sheet, figure, value - 1)
    return True


def raise_fixed(sheet: Sheet) -> None:
    """11.7, `level_model` = fixed."""
    for figure, gain in LEVELS[sheet.level].items():
        setattr(sheet, figure, getattr(sheet, figure) + gain)
    if sheet.level >= 5:
        better(sheet, main_to_hit(sheet.cls))
    if sheet.level >= 7:
        better(sheet, "defense")
    if sheet.level >= 8:
        better(sheet, "willpower")


def raise_by_chart(sheet: Sheet, luck: Any) -> None:
    """11.7, `level_model` = chart: one roll of 2D6 for every level above 1."""
    for level in range(2, sheet.level + 1):
        for attempt in range(20):
            if chart_gain(sheet, luck, 100 * level, attempt):
                break


def chart_gain(sheet: Sheet, luck: Any, index: int, attempt: int) -> bool:
    """One row of the level chart; False if the roll has to be repeated."""
    me = sheet.number
    main = main_to_hit(sheet.cls)
    other = "th_melee" if main == "th_ranged" else "th_ranged"
    roll = luck.die(6, "11.7", 0, me, index + 2 * attempt) + luck.die(6, "11.7", 0, me, index + 2 * attempt + 1)
    if roll == 2:
        return better(sheet, main) or better(sheet, other)
    if roll == 3:
        return better(sheet, "defense") or better(sheet, "willpower")
    if roll in (6, 7, 8):
        skill = SKILLS[luck.below(6, "11.7", 0, me, index + 92)]
        setattr(sheet, skill, max(getattr(sheet, skill), min(6, getattr(sheet, skill) + 1)))
        points = luck.die(6, "11.7", 0, me, index + 93)
        sheet.health += (points + 1) // 2
        sheet.sanity += points // 2
        return True
    if roll >= 11:
        guns = CLASSES[sheet.cls][1].get("guns")
        if guns and GUNS[guns[0]].shots + sheet.shot_bonus < 5:
            sheet.shot_bonus += 1
        elif not guns and sheet.combat < 5:
            sheet.combat += 1
        else:
            sheet.init += 1
        return True
    sheet.health += luck.die(3, "11.7", 0, me, index + 90)
    sheet.sanity += luck.die(3, "11.7", 0, me, index + 91)
    if roll in (4, 5):
        sheet.move_bonus += 1
    elif not sheet.ally:
        sheet.max_grit += 1
    return True


def equip(sheet: Sheet, cap: int) -> None:
    """BF-P2: the modes and the Free Attacks of a hero after its level is known."""
    critical = NO_CRITICAL if sheet.ally else 0
    six = int(sheet.upgrade == "high_roller")
    bonus = sheet.dmg_bonus
    modes = []
    combat = sheet.combat + max((MELEE_ITEMS[item] for item in sheet.melee_items), default=0)
    combat += int(sheet.upgrade == "swindler")
    if combat >= 1:
        modes.append(Mode("melee", "melee", 1, min(cap, combat), 6, max(critical, 6), bonus, six))
    twin = sheet.upgrade == "twin_guns"
    for name in sheet.guns:
        gun = GUNS[name]
        shots = gun.shots
        if twin and name == "pistol":
            shots, twin = 2 * shots, False
        modes.append(gun_mode(name, gun, min(cap, shots + sheet.shot_bonus), sheet, six, shots=shots))
    pair = [GUNS[name] for name in sheet.guns if GUNS[name].one_handed][:2]
    if sheet.two_guns and len(pair) == 2:  # BF-H19
        first, second = pair
        dice = min(cap, first.shots + second.shots + sheet.shot_bonus)
        off_hand = max(0, dice - first.shots - sheet.shot_bonus)
        reach = min(first.range, second.range)
        modes.append(Mode("two guns", "gun", reach, dice, 6, NO_CRITICAL, bonus, six, off_hand))
    sheet.modes = tuple(modes)
    sheet.free_modes = {name: gun_mode(name, gun, 1, sheet, six) for name, gun in FREE_ITEMS.items()}
    sheet.free_modes["hatchet"] = Mode("hatchet", "hatchet", sheet.strength + 3, 1, 6, max(critical, 6), bonus + 2, six)
    sheet.free_modes["shiv"] = Mode("shiv", "shiv", 1, 1)


def gun_mode(name: str, gun: Gun, dice: int, sheet: Sheet, six: int, shots: int = 0) -> Mode:
    return Mode(
        name,
        "gun",
        gun.range,
        dice,
        gun.sides,
        NO_CRITICAL if sheet.ally else gun.critical,
        gun.bonus + sheet.dmg_bonus,
        six,
        shots=shots or gun.shots,
        one_handed=gun.one_handed,
        shotgun=gun.shotgun,
    )


def read_hero(entry: dict[str, Any], number: int, scenario: dict[str, Any], switches: dict[str, Any]) -> Sheet:
    """A hero of the scenario: the class, then everything that the entry changes."""
    cls = entry["class"]
    figures, kit, bag = CLASSES[cls]
    ally = bool(entry.get("ally", False))
    sheet = Sheet(
        number,
        entry.get("name", cls),
        cls,
        entry.get("level", scenario.get("level", 1)),
        entry.get("policy", scenario.get("policy", "aggressive")),
        0,
        *figures,
        ally=ally,
    )
    for key in (*FIGURES, "max_grit", "move", "move_bonus", "dmg_bonus", "shot_bonus", "armor", "spirit_armor"):
        if key in entry:
            setattr(sheet, key, entry[key])
    for key in ("cover", "wounds", "sdmg", "two_guns", "upgrade"):
        if key in entry:
            setattr(sheet, key, entry[key])
    sheet.guns = tuple(entry.get("guns", kit.get("guns", ())))
    sheet.free_items = tuple(entry.get("free_items", kit.get("free_items", ())))
    sheet.melee_items = tuple(entry.get("melee_items", kit.get("melee_items", ())))
    sheet.bag = {token: amount for token, amount in entry.get("bag", bag).items() if amount}
    sheet.status = dict(entry.get("status", {}))
    sheet.grit = entry.get("grit", switches["start_grit"])
    check_hero(sheet)
    if sheet.upgrade == "cleaning_up":
        sheet.max_grit += 1
    return sheet


def check_hero(sheet: Sheet) -> None:
    where = f"heroes[{sheet.number}]"
    if sheet.policy not in POLICIES:
        raise ValueError(f"{where}.policy: unknown policy {sheet.policy!r}")
    if not 1 <= sheet.level <= 8:
        raise ValueError(f"{where}.level: {sheet.level} is not from 1 to 8")
    if sheet.upgrade != "none" and UPGRADES[sheet.upgrade] != sheet.cls:
        raise ValueError(f"{where}.upgrade: {sheet.upgrade} belongs to {UPGRADES[sheet.upgrade]}")
    if sum(sheet.bag.values()) > 5 or not set(sheet.bag) <= set(TOKENS):
        raise ValueError(f"{where}.bag: at most 5 tokens of {TOKENS}")
    if not set(sheet.guns) <= set(GUNS) or not set(sheet.free_items) <= set(FREE_ITEMS):
        raise ValueError(f"{where}: unknown gun or free item")
    if not set(sheet.status) <= set(MARKERS):
        raise ValueError(f"{where}.status: unknown marker")


def finish_sheet(sheet: Sheet, switches: dict[str, Any], cap: int) -> None:
    """What is the same for both level models, after the level's gains."""
    if sheet.ally:
        sheet.max_grit = 0  # BF-U3
    sheet.grit = min(sheet.grit, sheet.max_grit) if switches["grit_use"] == "on" else 0
    equip(sheet, cap)


def read_damage(text: str | int) -> tuple[int, int]:
    """Damage as (dice, fixed part): 2, "D6", "D6+1"."""
    count = read_count(text)
    return len(count.dice), count.plus


KIND_NUMBERS = ("init", "move", "escape", "th_melee", "th_ranged", "combat", "defense", "health", "size", "behaviour")
KEYWORDS = {f.name for f in fields(Kind)} - {
    *("name", "base", "changed", "brutal", "elites", "damage_dice", "damage", "range", "shots", "shot_dice"),
    *("shot_damage", "xp_a", "xp_b"),
    *KIND_NUMBERS,
}


def changed_kind(base: Kind, line: dict[str, Any]) -> Kind:
    """An enemy line that changes something of its type makes a type of its own."""
    change: dict[str, Any] = {key: line[key] for key in KIND_NUMBERS if key in line}
    if "damage" in line:
        change["damage_dice"], change["damage"] = read_damage(line["damage"])
    if "weapon" in line:
        weapon = line["weapon"]
        change["range"], change["shots"] = weapon["range"], weapon["shots"]
        change["shot_dice"], change["shot_damage"] = read_damage(weapon["damage"])
    if "xp" in line:
        change["xp_a"] = line["xp"]
    if "xp_each" in line:
        change["xp_b"] = line["xp_each"]
    if "abilities" in line:
        plain = {f.name: f.default for f in fields(Kind) if f.name in KEYWORDS}
        unknown = set(line["abilities"]) - KEYWORDS
        if unknown:
            raise ValueError(f"enemies: unknown abilities {sorted(unknown)}")
        lists = {key: tuple(value) if isinstance(value, list) else value for key, value in line["abilities"].items()}
        change |= plain | lists
    return replace(
        base,
        name=line.get("name", base.name),
        changed=base.changed | frozenset(change),
        brutal=line.get("brutal", base.brutal),
        elites=tuple(line.get("elites", base.elites)),
        **change,
    )


class KindList:
    """The kinds of a scenario: the types of 11.5, then those that its lines make."""

    def __init__(self) -> None:
        self.kinds = list(TYPES)
        self.number = dict(TYPE_NUMBER)
        self.lines = 0

    def read_line(self, line: dict[str, Any]) -> Line:
        number = self.number[line["type"]]
        if set(line) - {"type", "count"}:
            kind = changed_kind(self.kinds[number], line)
            number = len(self.kinds)
            self.kinds.append(kind)
            self.number.setdefault(kind.name, number)
        self.lines += 1
        return Line(number, read_count(line.get("count", 1)), self.lines - 1)


def default_square(board: Board, number: int, heroes: int) -> tuple[int, int]:
    """BF-S8, counted from 1."""
    return (board.width - heroes) // 2 + 1 + number, 1


def place_heroes(board: Board, entries: list[dict[str, Any]], sheets: list[Sheet]) -> None:
    for sheet, entry in zip(sheets, entries, strict=True):
        if board.none:
            continue
        x, y = entry.get("square") or default_square(board, sheet.number, len(sheets))
        if not board.is_floor(x - 1, y - 1):
            raise ValueError(f"heroes[{sheet.number}].square: ({x}, {y}) is not a floor square")
        sheet.square = board.at(x - 1, y - 1)
    if not board.none and len({sheet.square for sheet in sheets}) < len(sheets):
        raise ValueError("heroes: two heroes on one square")


def prepare(scenario: dict[str, Any]) -> Prepared:
    """Read a scenario (BF-S1, S2, S6, S8, S13) and check it."""
    switches = read_switches(scenario)
    cap = 10**6 if switches["max_attack_dice"] == "none" else switches["max_attack_dice"]
    board = read_board(scenario, switches["corner_rule"])
    sheets = [read_hero(entry, i, scenario, switches) for i, entry in enumerate(scenario["heroes"])]
    place_heroes(board, scenario["heroes"], sheets)
    if switches["level_model"] == "fixed":
        for sheet in sheets:
            raise_fixed(sheet)
            finish_sheet(sheet, switches, cap)
    kinds = KindList()
    lines = [kinds.read_line(line) for line in scenario.get("enemies", [])]
    tile = scenario.get("enemy_tile", 1)
    events = [
        Event(
            i,
            event["turn"],
            event.get("after_activation", 0),
            event.get("ambush", False),
            event.get("tile", tile),
            tuple(kinds.read_line(line) for line in event["enemies"]),
        )
        for i, event in enumerate(scenario.get("events", []))
    ]
    threat = scenario.get("threat", [])
    posse = [sheet for sheet in sheets if not sheet.ally]
    brutal, owed = ENEMY_BONUS[max(sheet.level for sheet in posse)]
    prepared = Prepared(
        switches=switches,
        board=board,
        sheets=sheets,
        kinds=kinds.kinds,
        kind_number=kinds.number,
        lines=lines,
        threat=[threat] if isinstance(threat, str) else list(threat),
        events=events,
        ambush=scenario.get("ambush", False),
        tile=tile,
        brutal=brutal,
        owed=owed + switches["extra_elite"],
        revive=revive_tokens(switches["revive_tokens"], len(posse)),
        threat_list=threat_list(len(posse), len(sheets) - len(posse)),
        stage=scenario.get("stage", 7),
        darkness=scenario.get("darkness", 0),
        flee_turn=scenario.get("flee_turn", 0),
        dice_cap=cap,
    )
    check_fit(prepared)
    return prepared


def revive_tokens(switch: str | int, heroes: int) -> int:
    """BF-S6."""
    return REVIVE_TABLE.get(heroes, 0) if switch == "table" else int(switch)


def threat_list(heroes: int, allies: int) -> str:
    """BF-S2: the list of the posse."""
    count = heroes + allies // 3
    return "low" if count <= 2 else "med" if count <= 4 else "high"


def check_fit(prepared: Prepared) -> None:
    """BF-S13: the listed enemies must fit on the free squares of their tile."""
    board = prepared.board
    if board.none or prepared.ambush:
        return
    if prepared.tile not in board.placement:
        raise ValueError(f"enemy_tile: the board has no tile {prepared.tile}")
    taken = {sheet.square for sheet in prepared.sheets}
    free = sum(square not in taken for square in board.placement[prepared.tile])
    most = min(MOST_MODELS, sum(line.count.most for line in prepared.lines))
    if most > free:
        raise ValueError(f"enemies: up to {most} models do not fit on {free} free squares (BF-S13)")


# ---------------------------------------------------------------------------------------------------------------------
# Sides, Elite results, attack values: pure functions of the figures
# ---------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def brutal_side(kind: Kind) -> Kind:
    """11.5: the Brutal side of a type."""
    printed = PRINTED_BRUTAL.get(kind.base)
    if printed:
        return replace(kind, **{key: value for key, value in printed.items() if key not in kind.changed})
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
        elif isinstance(value, str):
            change[key] = getattr(kind, key) + int(value)
        else:
            change[key] = value
    return replace(kind, **change)


@lru_cache(maxsize=4096)
def in_play(kind: Kind, brutal: bool, elites: tuple[int, ...]) -> Kind:
    """BF-S1, S5: the figures of a type in this fight."""
    chart = (BRUTAL_CHARTS if brutal else CHARTS)[kind.base]
    if brutal:
        kind = brutal_side(kind)
    elif elites and kind.base == "drowned_dead":
        kind = replace(kind, th_melee=4)
    for number in elites:
        result = chart[number - 1]
        if result:
            kind = apply_elite(kind, result)
    return kind


@lru_cache(maxsize=1 << 15)
def defences(kind: Kind, sort: str, distance: int) -> tuple[int, int]:
    """BF-A11(3): the effective Defense against a normal and against a critical hit."""
    full = kind.defense + (distance if kind.dodge else 0)
    if sort in ("gun", "hatchet"):
        full += kind.gun_ward
    if kind.tough:
        return full, full
    if kind.crit_floor is not None and kind.crit_floor < full:
        return full, kind.crit_floor
    return full, 0


@lru_cache(maxsize=1 << 15)
def attack_value(mode: Mode, needed: int, kind: Kind, distance: int) -> int:
    """BF-P3, in 576ths of a wound."""
    endurance = 10**6 if kind.endurance is None else kind.endurance
    if mode.sort == "shiv":
        return sum(min(endurance, roll) for roll in range(1, 7)) * AV_PARTS // 6
    full, critical = defences(kind, mode.sort, distance)

    def of_one_die(number: int) -> int:
        wounds = 0
        for face in range(number, mode.sides + 1):
            defense = critical if face >= mode.critical else full
            bonus = mode.bonus + (mode.six_bonus if face >= 6 else 0)
            wounds += sum(min(endurance, max(0, roll + bonus - defense)) for roll in range(1, mode.sides + 1))
        return wounds

    total = (mode.dice - mode.off_hand) * of_one_die(needed)
    if mode.off_hand:
        total += mode.off_hand * of_one_die(min(mode.sides, needed + 1))
    return total * (AV_PARTS // mode.sides**2)


# ---------------------------------------------------------------------------------------------------------------------
# State of one run
# ---------------------------------------------------------------------------------------------------------------------


class FightEnds(Exception):  # noqa: N818 (an event of the game, not an error)
    """BF-T10."""

    def __init__(self, outcome: str, cause: str) -> None:
        super().__init__(outcome)
        self.outcome, self.cause = outcome, cause


class Hero:
    """A hero-side unit during the fight."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.number = sheet.number
        self.name = sheet.name
        self.policy = sheet.policy
        self.ally = sheet.ally
        self.sq = sheet.square
        self.health, self.sanity, self.max_grit = sheet.health, sheet.sanity, sheet.max_grit
        self.wounds, self.sdmg, self.grit = sheet.wounds, sheet.sdmg, sheet.grit
        self.bag = dict(sheet.bag)
        self.status = dict.fromkeys(MARKERS, 0) | sheet.status
        self.used_items: set[int] = set()
        self.fortune = 3 if sheet.cls == "gambler" else 0
        self.standing = True
        self.dead = self.removed = False
        self.turn_acted = self.turn_recovered = self.fortune_turn = self.cigar_turn = 0
        self.free_used = self.spice = self.blasts = 0
        self.helped = False
        self.xp = self.corruption = self.kills = self.dealt = self.taken = self.sanity_taken = self.ko_count = 0
        self.healed = self.grit_gained = self.grit_spent = self.tokens_used = self.injuries = self.madness = 0
        self.loot = self.revivals = 0

    @property
    def hp(self) -> int:
        """BF-U1: remaining Health."""
        return self.health - 3 * self.status["bleeding"] - self.wounds

    @property
    def mind(self) -> int:
        """BF-U1: remaining Sanity."""
        return self.sanity - self.sdmg


class Group:
    """All models of one kind, and the figures of the kind in this fight."""

    def __init__(self, number: int, kind: Kind, elites: tuple[int, ...], first_turn: int) -> None:
        self.number, self.kind, self.elites, self.first_turn = number, kind, elites, first_turn
        self.first_serial = -1
        self.bonus_turn = 0
        self.created = self.killed = self.dealt = 0
        self.threat = kind.threat


class Model:
    """One enemy. `serial` counts creations (BF-P12: its index), `slot` is its place in the list of models."""

    def __init__(self, group: Group, slot: int, serial: int, sq: int) -> None:
        self.group, self.kind = group, group.kind
        self.slot, self.serial, self.sq = slot, serial, sq
        self.actor = ENEMIES + slot
        self.wounds = self.taken = 0
        self.target: Hero | None = None
        self.shoots = False  # whether the target is one of a ranged attack
        self.alive = True

    @property
    def hp(self) -> int:
        return self.kind.health - self.wounds


class Hit(NamedTuple):
    """A hit on a hero."""

    dice: int
    fixed: int
    no_defense: bool = False
    no_armor: bool = False
    melee: bool = False
    horror: int = 0
    double: bool = False


@dataclass
class Attack:
    """What an attack of a hero has done so far (BF-F8)."""

    hero: Hero
    wounded: set[int] = field(default_factory=set)
    kills: int = 0


@dataclass
class HeroResult:
    name: str
    cls: str
    ally: bool
    health: int
    sanity: int
    hp_end: int  # when the fight ended
    mind_end: int
    hp: int  # after BF-F2
    mind: int
    grit: int
    standing: bool
    dead: bool
    removed: bool
    square: int
    xp: int
    corruption: int
    kills: int
    dealt: int
    taken: int
    sanity_taken: int
    ko_count: int
    healed: int
    grit_gained: int
    grit_spent: int
    tokens_used: int
    injuries: int
    madness: int
    loot: int
    revivals: int
    bag: dict[str, int]
    status: dict[str, int]


@dataclass
class EnemyResult:
    """The last model of a slot."""

    kind: int
    name: str
    serial: int
    hp: int
    alive: bool
    square: int
    taken: int


@dataclass
class GroupResult:
    kind: int
    name: str
    elites: tuple[int, ...]
    created: int
    killed: int
    dealt: int


@dataclass
class Result:
    """BF-F10."""

    outcome: str  # win, loss, draw
    cause: str  # enemies, heroes, darkness, fled, cap
    rounds: int
    heroes: list[HeroResult]
    enemies: list[EnemyResult]
    groups: dict[int, GroupResult]
    xp: int
    loot: int
    threat_cards: int
    revive_left: int
    darkness: int
    depth_events: int
    ignored: int


class Fight:
    """One run. The methods follow the specification from section 3 to section 8."""

    def __init__(self, prepared: Prepared, luck: Any, trace: list[str] | None = None) -> None:
        self.prepared, self.luck, self.trace = prepared, luck, trace
        self.switches, self.board = prepared.switches, prepared.board
        self.turn = 0
        self.heroes = [Hero(sheet) for sheet in self.sheets()]
        self.standing = list(self.heroes)
        self.slots: list[Model] = []
        self.living: list[Model] = []  # in slot order
        self.groups: dict[int, Group] = {}
        self.occupant: list[Hero | Model | None] = [None] * len(self.board.tile)
        for hero in self.heroes:
            self.occupant[hero.sq] = hero
        self.serials = 0
        self.revive = prepared.revive
        self.threat_cards = 0
        self.darkness, self.depth_events, self.ignored = prepared.darkness, 0, 0
        self.flash_turn = 0
        self.exploding: deque[Model] = deque()
        self.in_blast = False
        self.daunting = False

    def sheets(self) -> list[Sheet]:
        """11.7: with `level_model` = chart the heroes of every run are rolled anew."""
        prepared = self.prepared
        if self.switches["level_model"] == "fixed":
            return prepared.sheets
        rolled = []
        for sheet in prepared.sheets:
            mine = replace(sheet)
            raise_by_chart(mine, self.luck)
            finish_sheet(mine, self.switches, prepared.dice_cap)
            rolled.append(mine)
        return rolled

    def say(self, text: str) -> None:
        if self.trace is not None:
            self.trace.append(f"{self.turn}: {text}")

    def place(self, square: int) -> str:
        """A square as a reader sees it."""
        board = self.board
        return "-" if board.none else f"({board.xs[square] + 1},{board.ys[square] + 1})"

    # -- small words --------------------------------------------------------------------------------------------------

    def pick(self, candidates: list[Any], purpose: str, actor: int, index: int = 0) -> Any:
        """One of the candidates at random."""
        if len(candidates) == 1:
            return candidates[0]
        return candidates[self.luck.below(len(candidates), purpose, self.turn, actor, index)]

    def die(self, sides: int, purpose: str, actor: int, index: int = 0) -> int:
        return int(self.luck.die(sides, purpose, self.turn, actor, index))

    def successes(self, dice: int, number: int, purpose: str, actor: int, index: int) -> int:
        """BF-X2: how many dice of a skill test show the number or more."""
        return sum(self.die(6, purpose, actor, index + i) >= number for i in range(dice))

    def adjacent_enemies(self, square: int) -> list[Model]:
        near = self.board.near[square]
        return [model for model in self.living if model.sq in near]

    def adjacent_heroes(self, square: int) -> list[Hero]:
        near = self.board.near[square]
        return [hero for hero in self.standing if hero.sq in near]

    def beside_heroes(self) -> set[int]:
        """All squares adjacent to a standing hero."""
        return set().union(*(self.board.near[hero.sq] for hero in self.standing))

    def heroes_in_range(self, square: int, reach: int) -> list[Hero]:
        return [hero for hero in self.standing if self.board.in_range(square, hero.sq, reach)]

    def steps_to_hero(self, square: int) -> int:
        row = self.board.steps(square)
        return min(row[hero.sq] for hero in self.standing)

    def free_neighbours(self, square: int) -> list[int]:
        return sorted(other for other in self.board.neighbours[square] if self.occupant[other] is None)

    def relocate(self, unit: Hero | Model, square: int) -> None:
        if square != unit.sq:
            self.occupant[unit.sq] = None
            self.occupant[square] = unit
            unit.sq = square

    # -- 3. Setup -----------------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """BF-S2 to S5, S9 to S18."""
        prepared = self.prepared
        counts: dict[int, int] = {}
        listed = sum(self.roll_line(line, counts) for line in prepared.lines)
        self.threat_cards += int(listed > 0)
        self.draw_cards(counts)
        self.arrive(counts, prepared.ambush, prepared.tile, TABLE, 0, first_turn=1, bonus_turn=1)
        if not self.living:
            raise FightEnds("win", "enemies")

    def roll_line(self, line: Line, counts: dict[int, int]) -> int:
        """BF-S3: the number of models of an enemy line."""
        number = self.roll_count(line.count, LINES + line.number, 0)
        counts[line.kind] = counts.get(line.kind, 0) + number
        return number

    def roll_count(self, count: Count, actor: int, index: int) -> int:
        total = count.plus
        for i, die in enumerate(count.dice):
            if die == "P":
                total += PERIL[self.luck.below(6, "BF-S3", self.turn, actor, index + i)]
            else:
                total += self.die(int(die[1:]), "BF-S3", actor, index + i)
        return total

    def draw_cards(self, counts: dict[int, int]) -> None:
        """BF-S2, S3: threat cards, in the order in which they are called for."""
        queue = deque(self.prepared.threat)
        number = 0
        while queue:
            listed, _, chosen = queue.popleft().partition(":")
            if listed == "auto":
                listed = self.prepared.threat_list
            elif listed == "epic" and not chosen and self.prepared.threat_list == "low":
                listed = "high"
            cards = THREATS[listed]
            card = cards[int(chosen) - 1 if chosen else self.luck.below(len(cards), "BF-S2", 0, TABLE, number)]
            added = 0
            for entry, (count, what) in enumerate(card):
                rolled = self.roll_count(read_count(count), CARDS + number, 10 * entry)
                if what.endswith(" cards"):
                    queue.extend([what.removesuffix(" cards")] * rolled)
                else:
                    counts[TYPE_NUMBER[what]] = counts.get(TYPE_NUMBER[what], 0) + rolled
                    added += rolled
            self.threat_cards += int(added > 0)
            number += 1

    def group_of(self, number: int, first_turn: int) -> Group:
        """BF-S5: the group of a kind; a kind that appears for the first time rolls its Elite abilities."""
        if number not in self.groups:
            kind = self.prepared.kinds[number]
            brutal = self.prepared.brutal if kind.brutal is None else kind.brutal
            chart = (BRUTAL_CHARTS if brutal else CHARTS)[kind.base]
            elites = list(kind.elites)
            for i in range(len(elites), self.prepared.owed):
                left = [n for n in range(1, 7) if chart[n - 1] is not None and n not in elites]
                if not left:
                    break
                elites.append(left[self.luck.below(len(left), "BF-S5", 0, KINDS + number, i)])
            kind = in_play(kind, brutal, tuple(sorted(elites)))
            self.groups[number] = Group(number, kind, tuple(sorted(elites)), first_turn)
            self.daunting = self.daunting or kind.daunt
        return self.groups[number]

    def arrive(
        self,
        counts: dict[int, int],
        ambush: bool,
        tile: int,
        actor: int,
        event: int,
        first_turn: int,
        bonus_turn: int,
    ) -> None:
        """Enemies enter the fight by 3.1 or 3.2. `event` is 0 at setup, else 1 + the event's number."""
        groups = [self.group_of(number, first_turn) for number, count in sorted(counts.items()) if count]
        late = [group for group in groups if ambush or group.kind.always_ambush]
        for group in self.ordered(groups, "BF-S9", actor, sign=1):
            if group not in late:
                self.place_normally(group, counts[group.number], tile)
        for group in self.ordered(late, "BF-S14", actor, sign=-1):
            group.bonus_turn = bonus_turn  # BF-S18
            self.place_in_ambush(group, counts[group.number], event)

    def ordered(self, groups: list[Group], purpose: str, actor: int, sign: int) -> list[Group]:
        """BF-S9, S14: types by Initiative, ties in random order; in an ambush immobile types come first (BF-S17)."""
        if len(groups) < 2:
            return groups
        ties = self.luck.order([group.number for group in groups], purpose, self.turn, actor)
        first = {group.number: sign == -1 and group.kind.behaviour == "immobile" for group in groups}
        return sorted(groups, key=lambda g: (not first[g.number], sign * g.kind.init, ties.index(g.number)))

    def join(self, group: Group, square: int) -> Model:
        """A new model. It takes the first slot never used, or, when all are used, the first without a living model."""
        if len(self.slots) < MOST_MODELS:
            slot = len(self.slots)
        else:
            slot = next(i for i, model in enumerate(self.slots) if not model.alive)
        model = Model(group, slot, self.serials, 1 if self.board.none else square)
        if slot == len(self.slots):
            self.slots.append(model)
        else:
            self.slots[slot] = model
        if group.first_serial < 0:
            group.first_serial = self.serials
        group.created += 1
        self.serials += 1
        self.living = [each for each in self.slots if each.alive]
        if not self.board.none:
            self.occupant[square] = model
        if self.trace is not None:
            self.say(f"{group.kind.name} {model.slot} enters on {self.place(model.sq)}")
        return model

    def room_for_one(self) -> bool:
        """BF-G9."""
        if len(self.living) < MOST_MODELS:
            return True
        self.ignored += 1
        return False

    def place_normally(self, group: Group, count: int, tile: int) -> None:
        """BF-S10 to S12."""
        for _ in range(count):
            if not self.room_for_one():
                continue
            if self.board.none:
                self.join(group, 1)
                continue
            square = next((s for s in self.board.placement.get(tile, []) if self.occupant[s] is None), None)
            if square is None:
                self.ignored += 1  # I42
            else:
                self.join(group, square)

    def place_in_ambush(self, group: Group, count: int, event: int) -> None:
        """BF-S14 to S17."""
        hero = None
        if group.kind.behaviour in ("shootout", "immobile") and not self.board.none:
            hero = self.pick(self.standing, "BF-S17", KINDS + group.number, event)
        for placed in range(count):
            if not self.room_for_one():
                continue
            if self.board.none:
                self.join(group, 1)
            elif hero is not None:
                self.place_far(group, hero)
            else:
                self.place_beside_hero(group, count - placed)

    def place_far(self, group: Group, hero: Hero) -> None:
        """BF-S17."""
        board = self.board
        free = [s for s in board.floor if board.tile[s] == board.tile[hero.sq] and self.occupant[s] is None]
        if not free:
            self.ignored += 1
            return
        farthest = max(self.steps_to_hero(square) for square in free)
        free = [square for square in free if self.steps_to_hero(square) == farthest]
        self.join(group, self.pick(free, "BF-S17", NEWCOMERS + self.serials))

    def place_beside_hero(self, group: Group, still_to_come: int) -> None:
        """BF-S15, S16."""
        actor = NEWCOMERS + self.serials
        heroes = [hero for hero in self.standing if self.free_neighbours(hero.sq)]
        if not heroes:
            free = [square for square in self.board.floor if self.occupant[square] is None]
            if not free:
                self.ignored += 1
                return
            nearest = min(self.steps_to_hero(square) for square in free)
            free = [square for square in free if self.steps_to_hero(square) == nearest]
            self.join(group, self.pick(free, "BF-S16", actor))
            return
        spread = self.switches["ambush_spread"]
        if spread == "even":
            heroes = self.fewest_targeted(group, heroes)
        elif spread == "follow_targeting":
            here = sum(model.group is group for model in self.living)
            heroes = self.spread(group, heroes, len(self.standing), here + still_to_come)
        hero = self.pick(heroes, "BF-S15", actor, 0)
        squares = self.best_for_party(self.free_neighbours(hero.sq))
        self.join(group, self.pick(squares, "BF-S15", actor, 1)).target = hero

    def best_for_party(self, squares: list[int]) -> list[int]:
        """BF-E14."""
        if self.switches["party_choice"] == "random":
            return squares
        fewest = min(len(self.adjacent_heroes(square)) for square in squares)
        return [square for square in squares if len(self.adjacent_heroes(square)) == fewest]

    # -- 4. Turn ------------------------------------------------------------------------------------------------------

    def play_turn(self) -> None:
        """BF-T1."""
        self.turn += 1
        self.start_of_turn()
        self.activations()
        self.end_of_turn()

    def start_of_turn(self) -> None:
        """BF-T2, with BF-A10 and BF-H28."""
        if self.switches["hard_core"] == "on":
            for hero in self.heroes:
                hero.dead = hero.dead or not (hero.standing or hero.removed)
        if self.turn == self.prepared.flee_turn:
            raise FightEnds("loss", "fled")
        for event in self.prepared.events:
            if event.turn == self.turn and not event.after:
                self.come(event, first_turn=self.turn, bonus_turn=self.turn)
        if self.switches["darkness_track"] == "on":
            self.hold_back_the_darkness()
        for model in self.living:
            model.wounds = max(0, model.wounds - model.kind.regen)
        for hero in self.heroes:
            hero.free_used = 0

    def hold_back_the_darkness(self) -> None:
        """BF-T9."""
        first, second = self.die(6, "BF-T9", TABLE, 0), self.die(6, "BF-T9", TABLE, 1)
        if first == second:
            self.depth_events += 1
        elif first + second < self.prepared.stage:
            self.darkness += 1
            if self.darkness >= 16:
                raise FightEnds("loss", "darkness")

    def come(self, event: Event, first_turn: int, bonus_turn: int) -> None:
        """BF-T7: a scheduled arrival; it counts as one threat card (I39)."""
        counts: dict[int, int] = {}
        rolled = sum(self.roll_line(line, counts) for line in event.lines)
        self.threat_cards += int(rolled > 0)
        number = event.number
        self.arrive(counts, event.ambush, event.tile, EVENTS + number, 1 + number, first_turn, bonus_turn)

    def initiative(self, group: Group) -> int:
        """BF-T2(d); 0 means that the group never activates."""
        kind = group.kind
        if kind.init == 0:
            return 0
        init = 6 if kind.opening and group.first_turn == self.turn else kind.init
        if group.bonus_turn == self.turn:
            init += self.switches["ambush_bonus"]
        if self.turn <= self.flash_turn:
            init -= 2
        return init

    def slots_of(self, heroes: list[Hero], groups: list[Group]) -> list[tuple[int, int, int, Hero | Group]]:
        """BF-T3, T4: the slots of the turn, first first: (-Initiative, side, tie, who)."""
        enemy_side = 0 if self.switches["initiative_ties"] == "enemies_first" else 2
        posse = [hero.number for hero in heroes]
        if self.switches["party_choice"] == "random" and len(posse) > 1:
            posse = self.luck.order(posse, "BF-T4", self.turn, TABLE)
        ties = [100 + group.number for group in groups]
        if len(ties) > 1:
            ties = self.luck.order(ties, "BF-T4", self.turn, TABLE)
        slots: list[tuple[int, int, int, Hero | Group]] = []
        slots += [(-hero.sheet.init, 1, posse.index(hero.number), hero) for hero in heroes]
        slots += [(-self.initiative(group), enemy_side, ties.index(100 + group.number), group) for group in groups]
        return sorted(slots, key=lambda slot: slot[:3])

    def groups_that_act(self) -> list[Group]:
        numbers = sorted({model.group.number for model in self.living})
        return [self.groups[number] for number in numbers if self.groups[number].kind.init > 0]

    def activations(self) -> None:
        """BF-T3 to T7."""
        due = [event for event in self.prepared.events if event.turn == self.turn and event.after]
        due.sort(key=lambda event: event.after)
        groups = self.groups_that_act()
        pending = self.slots_of(self.standing, groups)
        known = {group.number for group in groups}
        done, ambushed = 0, False
        while pending and not ambushed:
            slot = pending.pop(0)
            if not self.activate(slot[3]):
                continue
            done += 1
            while due and due[0].after <= done:
                ambushed = ambushed or due[0].ambush
                self.come_late(due.pop(0))
            pending = self.with_newcomers(pending, known, slot[0])
        for event in due:  # fewer activations than the event waits for, or an ambush has ended the turn
            self.come_late(event)

    def come_late(self, event: Event) -> None:
        """BF-T7: an arrival during the activations."""
        self.come(event, first_turn=self.turn + event.ambush, bonus_turn=self.turn + 1)

    def with_newcomers(self, pending: list[Any], known: set[int], now: int) -> list[Any]:
        """BF-T6: groups that have appeared act if their Initiative is lower than that of the slot in progress."""
        fresh = [group for group in self.groups_that_act() if group.number not in known]
        if not fresh:
            return pending
        known.update(group.number for group in fresh)
        heroes = [slot for slot in pending if isinstance(slot[3], Hero)]
        groups = [slot[3] for slot in pending if isinstance(slot[3], Group)]
        groups += [group for group in fresh if -self.initiative(group) > now]
        return sorted(heroes + self.slots_of([], groups), key=lambda slot: slot[:3])

    def activate(self, who: Hero | Group) -> bool:
        """One slot; False if it is skipped (BF-T5)."""
        if isinstance(who, Hero):
            if not who.standing or who.turn_recovered == self.turn:
                return False
            who.turn_acted = self.turn
            self.activate_hero(who)
            return True
        if not any(model.group is who for model in self.living):
            return False
        self.activate_group(who)
        return True

    def end_of_turn(self) -> None:
        """BF-T8."""
        if self.switches["spawners"] == "on":
            self.hordes()
            self.spawners()
        if self.switches["revive_timing"] == "end_of_turn":
            for hero in self.heroes:
                if not (hero.standing or hero.dead or hero.ally) and self.revive > 0:
                    self.revive -= 1
                    self.restore(hero)
                    self.stand_up(hero, "BF-T8", hero.number, 0)
        if self.turn == self.switches["round_cap"]:
            raise FightEnds("draw", "cap")

    def hordes(self) -> None:
        """11.4, Hordes; types in order of first appearance (I43)."""
        for group in sorted(self.groups.values(), key=lambda group: group.first_serial):
            here = sum(model.group is group for model in self.living)
            if not group.kind.hordes or not here:
                continue
            actor = KINDS + group.number
            if self.die(6, "Hordes", actor, 0) <= here:
                continue
            more = max(0, self.die(6, "Hordes", actor, 1) - 3)
            for placed in range(more):
                if not self.room_for_one():
                    continue
                if self.board.none:
                    self.join(group, 1)
                else:
                    self.place_beside_hero(group, more - placed)

    def spawners(self) -> None:
        """11.4, Spawn."""
        spawners = {model.slot: model for model in self.living if model.kind.spawn}
        order = list(spawners)
        if len(order) > 1:
            order = self.luck.order(order, "Spawn/order", self.turn, TABLE)
        for slot in order:
            model = spawners[slot]
            for roll in range(model.kind.spawn_rolls):
                number, what = model.kind.spawn or (7, "")
                if self.die(6, "Spawn", model.actor, roll) >= number:
                    self.spawn(model, self.prepared.kind_number[what], roll)

    def spawn(self, model: Model, kind: int, roll: int) -> None:
        squares = [1] if self.board.none else self.free_neighbours(model.sq)
        if not squares:
            for hero in self.adjacent_heroes(model.sq):
                if hero.standing:
                    self.take_hits(hero, [Hit(0, 3)], "Spawn", 2 * model.slot + roll, model.group)
        elif self.room_for_one():
            group = self.group_of(kind, self.turn + 1)
            self.join(group, self.pick(squares, "Spawn/square", NEWCOMERS + self.serials))

    # -- 5. Heroes ----------------------------------------------------------------------------------------------------

    def activate_hero(self, hero: Hero) -> None:
        """BF-H1."""
        if self.trace is not None:
            self.say(f"{hero.name} acts on {self.place(hero.sq)}, Health {hero.hp}, Sanity {hero.mind}")
        points = self.move_roll(hero)
        self.start_effects(hero)
        if hero.standing:
            self.use_tokens(hero)
            self.movement(hero, self.movement_points(hero, points))
        if hero.standing:
            self.end_of_move(hero)
        if hero.standing:
            self.free_attacks(hero)
            if hero.standing:
                self.action(hero)
        hero.status["venom"] = hero.status["entangled"] = 0

    def move_roll(self, hero: Hero) -> int:
        """BF-H2."""
        if hero.ally:
            return hero.sheet.move
        rolls = [self.die(6, "BF-H2", hero.number, 0)]
        if hero.sheet.upgrade == "fancy_footwork":
            rolls.append(self.die(6, "BF-H2", hero.number, 1))
        if min(rolls) <= (2 if hero.sheet.cls == "bandido" else 1):  # Wild Card
            self.gain_grit(hero)
        return 4 if self.switches["hero_move"] == "fixed4" else max(rolls)

    def movement_points(self, hero: Hero, points: int) -> int:
        """BF-H8 and the markers of 7.5."""
        if hero.status["ensnared"] or hero.status["entangled"]:
            return 0
        return max(0, points + hero.sheet.move_bonus - hero.status["webbed"])

    def gain_grit(self, hero: Hero) -> None:
        """BF-H7."""
        if self.switches["grit_use"] == "on" and hero.grit < hero.max_grit:
            hero.grit += 1
            hero.grit_gained += 1

    def spend_grit(self, hero: Hero) -> None:
        hero.grit -= 1
        hero.grit_spent += 1

    def start_effects(self, hero: Hero) -> None:
        """BF-H3: markers in the order of 7.5, then the Horror Hits, then the rest."""
        self.markers(hero)
        if not hero.standing:
            return
        self.fear(hero)
        for group in self.groups_near(hero, "drag"):
            if not hero.standing:
                return
            index = 100 * group.number
            if not self.successes(hero.sheet.agility, 5, "drag", hero.number, index):
                hits = self.die(6, "drag", hero.number, index + 50)
                self.take_hits(hero, [Hit(0, 1)] * hits, "drag", group.number, group)

    def groups_near(self, hero: Hero, keyword: str) -> list[Group]:
        """The groups with a keyword that have a model adjacent to the hero, by kind number."""
        found = {m.group.number for m in self.adjacent_enemies(hero.sq) if getattr(m.kind, keyword)}
        return [self.groups[number] for number in sorted(found)]

    def markers(self, hero: Hero) -> None:
        """7.5, with BF-P11."""
        status, me = hero.status, hero.number
        if hero.policy == "cautious":
            while status["bleeding"] and hero.grit and hero.grit == hero.max_grit:
                self.spend_grit(hero)
                status["bleeding"] -= 1
        if status["burning"]:
            status["burning"] -= 1
            self.direct_wounds(hero, 2, "Burning", 0)
        if hero.standing and status["ensnared"] and self.successes(hero.sheet.strength, 5, "Ensnared", me, 0):
            status["ensnared"] = 0
        if hero.standing and status["poison"]:
            rolls = [self.die(6, "Poison", me, i) for i in range(status["poison"])]
            status["poison"] -= rolls.count(6)
            self.wound_hero(hero, rolls.count(1) + rolls.count(2))
        if hero.standing and status["stunned"] and self.die(6, "Stunned", me) >= 4:
            status["stunned"] -= 1
        if hero.standing and status["webbed"]:
            freed = self.successes(hero.sheet.strength, 5, "Webbed", me, 0)
            status["webbed"] = max(0, status["webbed"] - freed)

    def fear(self, hero: Hero) -> None:
        """11.4: Fear, Terror, Unspeakable Terror as one batch."""
        board = self.board
        near, tile = board.near[hero.sq], board.tile[hero.sq]
        hits: list[int] = []
        for model in self.living:
            kind = model.kind
            if not (kind.fear or kind.terror or kind.uterror):
                continue
            count = kind.fear if model.sq in near else 0
            count += kind.terror if board.tile[model.sq] == tile else 0
            count += kind.uterror if board.tile[model.sq] in board.touching[tile] else 0
            hits += [1 + kind.horror_bonus] * count
        if hits:
            self.horror(hero, hits, "BF-H3", 0)

    def end_of_move(self, hero: Hero) -> None:
        """BF-H11: Tail, and the Corruption Hit of Elite rats, by kind number."""
        near = self.adjacent_enemies(hero.sq)
        if not any(model.kind.tail or model.kind.taint for model in near):
            return
        for number in sorted({model.group.number for model in near}):
            group = self.groups[number]
            if hero.standing and group.kind.tail:
                self.tail(hero, group, sum(model.group is group for model in near))
            if hero.standing and group.kind.taint:
                self.corrupt(hero, 1, "taint", number)

    def tail(self, hero: Hero, group: Group, models: int) -> None:
        """11.4, Tail."""
        kind, index = group.kind, 100 * group.number
        passed = self.successes(hero.sheet.agility, kind.tail, "Tail", hero.number, index)
        if kind.tail_each:
            missing = max(0, models - passed)
        else:
            missing = 0 if passed else 1
        if not missing:
            return
        if kind.tail_d3:
            bleeding = sum(self.die(3, "Tail", hero.number, index + 50 + i) for i in range(missing))
        else:
            bleeding = missing
        self.mark(hero, "bleeding", bleeding)
        if hero.hp <= 0:
            self.fall(hero)

    def mark(self, hero: Hero, marker: str, count: int = 1) -> None:
        """7.5."""
        hero.status[marker] += count
        if marker in AT_MOST_ONE:
            hero.status[marker] = 1
        if self.trace is not None:
            self.say(f"{hero.name}: {count} {marker}")

    # Tokens: BF-H26, BF-P7, 11.3

    def use_tokens(self, hero: Hero) -> None:
        """BF-P7."""
        if hero.policy == "random_legal":
            return
        part, whole = TOKEN_SHARE[hero.policy]
        if hero.hp * whole <= hero.health * part:
            self.use_token(hero, "bandages")
        if hero.hp * whole <= hero.health * part:
            self.use_token(hero, "herbs")
        if hero.mind * whole <= hero.sanity * part:
            self.use_token(hero, "whiskey")
        if hero.grit == 0 and hero.max_grit > 0 and self.switches["grit_use"] == "on":
            self.use_token(hero, "tonic")

    def use_token(
        self, user: Hero, token: str, on: Hero | None = None, purpose: str | None = None, index: int = 0
    ) -> bool:
        """11.3: the tokens that are not attacks. False if the user has none."""
        if not user.bag.get(token):
            return False
        user.bag[token] -= 1
        user.tokens_used += 1
        hero = on or user
        purpose = purpose or token
        me = user.number
        if self.trace is not None:
            self.say(f"{user.name} uses {token}")
        if token == "bandages":
            self.heal_other(user, hero, self.heal_wounds(hero, self.die(6, purpose, me, index)))
        elif token == "herbs":
            points = self.die(6, purpose, me, index) + self.die(6, purpose, me, index + 1)
            self.heal_other(user, hero, self.heal_wounds(hero, points))
        elif token == "whiskey":
            self.heal_other(user, hero, self.heal_sanity(hero, self.die(6, purpose, me, index)))
        elif token == "tonic":
            self.gain_grit(hero)
        elif token == "fine_cigar":
            hero.cigar_turn = self.turn
        elif token == "flash":
            self.flash_turn = self.turn + 1
        elif token == "spice":
            hero.spice += self.die(3, purpose, me, index)
            self.direct_wounds(hero, 1, "spice", 0)
        return True

    def heal_wounds(self, hero: Hero, points: int) -> int:
        healed = min(points, hero.wounds)
        hero.wounds -= healed
        hero.healed += healed
        return healed

    def heal_sanity(self, hero: Hero, points: int) -> int:
        healed = min(points, hero.sdmg)
        hero.sdmg -= healed
        hero.healed += healed
        return healed

    def heal_other(self, user: Hero, hero: Hero, points: int) -> None:
        """BF-H26: XP for healing somebody else."""
        if hero is not user:
            self.gain_xp(user, 5 * points)

    def gain_xp(self, hero: Hero, xp: int) -> None:
        if not hero.ally:  # BF-U3
            hero.xp += xp

    # Movement: BF-H8 to H10, BF-P1, BF-P13, section 10.2

    def movement(self, hero: Hero, points: int) -> None:
        if self.board.none:
            return
        square = self.choose_square(hero, points)
        if hero.standing and square != hero.sq:
            if self.trace is not None:
                self.say(f"{hero.name} moves to {self.place(square)}")
            self.relocate(hero, square)

    def try_escape(self, hero: Hero, near: list[Model]) -> int:
        """BF-H9: 0 if failed, else the highest Escape number of enemies that the hero may leave this turn."""
        highest = max(model.kind.escape for model in near)
        roll = self.die(6, "BF-H9", hero.number)
        if roll >= highest:
            return roll if self.switches["escape_roll"] == "once_per_turn" else highest
        for group in self.groups_near(hero, "cut"):
            if hero.standing:
                self.take_hits(hero, [Hit(0, 2)] * 3, "cut", group.number, group)
        return 0

    def reach(self, hero: Hero, points: int, limit: int) -> dict[int, int]:
        """BF-P1: the squares a hero can end on, with their steps. It leaves no square next to an enemy whose Escape
        number is above `limit`."""
        escape: dict[int, int] = {}
        for model in self.living:
            for square in self.board.neighbours[model.sq]:
                if model.kind.escape > escape.get(square, 0):
                    escape[square] = model.kind.escape
        steps = {hero.sq: 0}
        queue = deque([hero.sq])
        while queue:
            here = queue.popleft()
            if steps[here] == points or escape.get(here, 0) > limit:
                continue
            for there in self.board.neighbours[here]:
                if there not in steps and self.occupant[there] is None:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return steps

    def choose_square(self, hero: Hero, points: int) -> int:
        """Where the policy moves."""
        near = self.adjacent_enemies(hero.sq)
        if hero.policy == "random_legal":
            return self.random_square(hero, points, near)
        if hero.policy == "aggressive" or (hero.policy == "cautious" and not hero.sheet.guns):
            return self.aggressive_square(hero, points, near)
        if hero.policy == "cautious":
            return self.cautious_square(hero, points, near)
        return self.focus_square(hero, points, near)

    def random_square(self, hero: Hero, points: int, near: list[Model]) -> int:
        """10.2, `random_legal`."""
        limit = 0
        if near:
            if points == 0 or self.luck.below(2, "random_legal/escape", self.turn, hero.number) == 0:
                return hero.sq
            limit = self.try_escape(hero, near)
            if not limit:
                return hero.sq
        return int(self.pick(sorted(self.reach(hero, points, limit)), "random_legal/square", hero.number))

    def aggressive_square(self, hero: Hero, points: int, near: list[Model]) -> int:
        """10.2, `aggressive`."""
        if near or self.best_mode(hero, hero.sq):
            return hero.sq
        reach = self.reach(hero, points, 0)
        keys = {}
        for square, steps in reach.items():
            best = self.best_mode(hero, square)
            if best:
                keys[square] = (-best[0], steps)
        return self.least(hero, keys) if keys else self.approach(hero, reach)

    def cautious_square(self, hero: Hero, points: int, near: list[Model]) -> int:
        """10.2, `cautious` with a gun."""
        reach = self.reach_after_escape(hero, points, near, tries=True)
        if not hero.standing:
            return hero.sq
        guns = [mode for mode in hero.sheet.modes if mode.sort == "gun"]
        keys = {}
        for square, steps in reach.items():
            if self.adjacent_enemies(square):
                continue
            if any(self.legal_targets(mode, square) for mode in guns):
                keys[square] = (-self.steps_to_enemy(square), steps)
        if keys:
            return self.least(hero, keys)
        if self.best_mode(hero, hero.sq):
            return hero.sq
        return self.approach(hero, reach)

    def focus_square(self, hero: Hero, points: int, near: list[Model]) -> int:
        """10.2, `focus_fire` and `bomber`."""
        tries = bool(hero.sheet.guns) and 3 * hero.hp <= hero.health
        reach = self.reach_after_escape(hero, points, near, tries)
        if not hero.standing:
            return hero.sq
        keys = {}
        for square, steps in reach.items():
            best = self.best_mode(hero, square)
            if best:
                keys[square] = (-best[0], len(self.adjacent_enemies(square)), steps)
        if near and tries:
            safe = {square: key for square, key in keys.items() if key[1] == 0}
            keys = safe or keys
        return self.least(hero, keys) if keys else self.approach(hero, reach)

    def reach_after_escape(self, hero: Hero, points: int, near: list[Model], tries: bool) -> dict[int, int]:
        if not near:
            return self.reach(hero, points, 0)
        limit = self.try_escape(hero, near) if tries and points > 0 else 0
        return self.reach(hero, points, limit) if limit else {hero.sq: 0}

    def least(self, hero: Hero, keys: dict[int, tuple[int, ...]]) -> int:
        """The square with the smallest key, ties random."""
        least = min(keys.values())
        return int(self.pick(sorted(s for s, key in keys.items() if key == least), "move", hero.number))

    def approach(self, hero: Hero, reach: dict[int, int]) -> int:
        """BF-P13."""
        return self.least(hero, {square: (self.steps_to_enemy(square), steps) for square, steps in reach.items()})

    def steps_to_enemy(self, square: int) -> int:
        row = self.board.steps(square)
        return min(row[model.sq] for model in self.living)

    # Choosing attacks: BF-P2 to P5

    def legal_targets(self, mode: Mode, square: int, near: list[Model] | None = None) -> list[Model]:
        """BF-P2, in slot order. `near` are the adjacent enemies, if already known."""
        if near is None:
            near = self.adjacent_enemies(square)
        if near or mode.sort in ("melee", "shiv"):
            return near
        ranges, sight = self.board.ranges[square], self.board.sight(square)
        return [model for model in self.living if ranges[model.sq] <= mode.range and sight[model.sq]]

    def needed(self, hero: Hero, mode: Mode, square: int) -> int:
        """BF-H15: the number needed To Hit."""
        number = hero.sheet.th_ranged if mode.sort == "gun" else hero.sheet.th_melee
        return self.clamp(number + self.penalty(hero, square), mode.sides)

    def penalty(self, hero: Hero, square: int) -> int:
        """Venom, and Elite Hungry Dead on the tile."""
        penalty = 1 if hero.status["venom"] else 0
        if self.daunting:
            tile = self.board.tile
            penalty += any(model.kind.daunt and tile[model.sq] == tile[square] for model in self.living)
        return penalty

    @staticmethod
    def clamp(number: int, sides: int = 6) -> int:
        return max(2, min(sides, number))

    def order_key(self, hero: Hero, mode: Mode, needed: int, square: int, model: Model) -> tuple[Any, ...]:
        """10.2: the enemy order of a policy."""
        distance = self.board.ranges[square][model.sq]
        if hero.policy not in CLEVER:
            return distance, model.hp, model.serial
        value = attack_value(mode, needed, model.kind, distance)
        # remaining health / max(0.01, AV): 0.01 lies between 5 and 6 parts
        worth = model.hp * AV_PARTS / value if value >= 6 else 100.0 * model.hp
        return worth, -model.group.threat, distance, model.serial

    def first_enemy(self, hero: Hero, mode: Mode, square: int, targets: list[Model]) -> Model:
        if len(targets) == 1:
            return targets[0]
        needed = self.needed(hero, mode, square)
        return min(targets, key=lambda model: self.order_key(hero, mode, needed, square, model))

    def best_mode(self, hero: Hero, square: int) -> tuple[int, Mode] | None:
        """BF-P4: the mode with the largest attack value, and that value; None if no mode is available."""
        best: tuple[int, Mode] | None = None
        near = self.adjacent_enemies(square)
        for mode in hero.sheet.modes:
            targets = self.legal_targets(mode, square, near)
            if not targets:
                continue
            enemy = self.first_enemy(hero, mode, square, targets)
            needed = self.needed(hero, mode, square)
            value = attack_value(mode, needed, enemy.kind, self.board.ranges[square][enemy.sq])
            if best is None or value > best[0]:
                best = (value, mode)
        return best

    # The action

    def action(self, hero: Hero) -> None:
        """BF-H1(4)."""
        if hero.policy == "random_legal":
            self.random_action(hero)
            return
        if hero.policy in CLEVER and self.dynamite_at_hand(hero):
            square = self.best_throw(hero)
            if square is not None:
                self.throw_dynamite(hero, square)
                return
        best = self.best_mode(hero, hero.sq)
        if best:
            self.attack(hero, best[1], 0)
        elif hero.policy in LAST_CHANCE:
            self.help(hero)

    def random_action(self, hero: Hero) -> None:
        """10.2, `random_legal`(3)."""
        modes: list[Mode | None] = [mode for mode in hero.sheet.modes if self.legal_targets(mode, hero.sq)]
        squares = []
        if self.dynamite_at_hand(hero):
            reach = hero.sheet.strength + 3
            squares = [model.sq for model in self.living if self.board.in_range(hero.sq, model.sq, reach)]
        if squares:
            modes.append(None)
        if not modes:
            return
        mode = self.pick(modes, "random_legal/mode", hero.number)
        if mode is None:
            self.throw_dynamite(hero, self.pick(squares, "random_legal/throw", hero.number))
        else:
            self.attack(hero, mode, 0)

    def attack(self, hero: Hero, mode: Mode, number: int) -> None:
        """BF-H12 to H19. `number` is 0 for the action and 1, 2, 3 for Free Attacks."""
        cap, base = self.prepared.dice_cap, 100 * number
        dice = mode.dice
        if number == 0 and self.fans(hero, mode):
            self.spend_grit(hero)
            dice = min(cap, 2 * mode.shots + hero.sheet.shot_bonus)
        needed = self.needed(hero, mode, hero.sq)
        numbers = [needed] * (dice - mode.off_hand) + [min(mode.sides, needed + 1)] * mode.off_hand
        rolls = self.to_hit(hero, numbers, mode.sides, base)
        attack = Attack(hero)
        if self.trace is not None:
            self.say(f"{hero.name} attacks with {mode.name}: {rolls}, needs {needed}")
        hits = [i for i, roll in enumerate(rolls) if roll >= numbers[i]]
        for i in sorted(hits, key=lambda i: (-rolls[i], i)):
            self.resolve_hit(attack, mode, rolls[i], base + i)
            if not hero.standing:
                return
        if mode.sort == "melee" and hero.sheet.upgrade == "sword_master":
            extra = 0
            while hero.standing and extra < min(3, attack.kills) and dice + extra < cap:
                self.extra_die(attack, mode, needed, base + dice + extra)
                extra += 1
        elif mode.shotgun and hero.sheet.cls == "us_marshal" and attack.kills and dice < cap:
            self.extra_die(attack, mode, needed, base + dice)  # Double-Shot

    @staticmethod
    def fans(hero: Hero, mode: Mode) -> bool:
        """11.1, Pistol Fanning; 10.2 says who pays for it."""
        able = mode.one_handed and hero.sheet.upgrade == "pistol_fanning"
        return able and hero.policy in CLEVER and hero.grit >= 1

    def extra_die(self, attack: Attack, mode: Mode, needed: int, address: int) -> None:
        """I36, I37: a die that nobody re-rolls."""
        roll = self.die(mode.sides, "BF-H16", attack.hero.number, address)
        if roll >= needed:
            self.resolve_hit(attack, mode, roll, address)

    def to_hit(self, hero: Hero, numbers: list[int], sides: int, base: int) -> list[int]:
        """BF-H16 with the re-rolls of BF-H4 (10.2) and BF-P10."""
        me = hero.number
        rolls = [self.die(sides, "BF-H16", me, base + i) for i in range(len(numbers))]
        missed = [i for i, roll in enumerate(rolls) if roll < numbers[i]]
        if missed and self.rerolls_misses(hero, len(missed) == len(rolls)):
            self.spend_grit(hero)
            for i in missed:
                rolls[i] = self.die(sides, "BF-H4", me, base + i)
            missed = [i for i in missed if rolls[i] < numbers[i]]
        if missed and hero.fortune and hero.fortune_turn != self.turn and hero.policy != "random_legal":
            hero.fortune -= 1
            hero.fortune_turn = self.turn
            rolls[missed[0]] = self.die(sides, "BF-P10", me, base + missed[0])
        return rolls

    def rerolls_misses(self, hero: Hero, all_missed: bool) -> bool:
        """10.2, Grit on To Hit."""
        if hero.grit < 1 or hero.policy == "random_legal":
            return False
        if hero.policy == "aggressive":
            return all_missed
        if hero.policy == "cautious":
            return hero.grit == hero.max_grit
        return all_missed or hero.grit >= 2

    def resolve_hit(self, attack: Attack, mode: Mode, natural: int, address: int) -> None:
        """BF-H18, BF-P5, BF-A11."""
        hero = attack.hero
        targets = self.legal_targets(mode, hero.sq)
        if not targets:
            return
        if hero.policy == "random_legal":
            model = self.pick(targets, "BF-P5", hero.number, address)
        else:
            model = self.first_enemy(hero, mode, hero.sq, targets)
        kind = model.kind
        if kind.cover and self.die(6, "BF-A11/cover", hero.number, address) >= kind.cover:
            return
        damage = self.die(mode.sides, "BF-A11", hero.number, address) + mode.bonus
        damage += (mode.six_bonus if natural >= 6 else 0) + hero.spice
        hero.spice = 0
        full, critical = defences(kind, mode.sort, self.board.ranges[hero.sq][model.sq])
        wounds = max(0, damage - (critical if natural >= mode.critical else full))
        self.wound_enemy(model, wounds, attack, "BF-A11/armor", hero.number, 100 * address)
        self.explosions()

    def wound_enemy(
        self, model: Model, wounds: int, attack: Attack | None, purpose: str, actor: int, index: int
    ) -> None:
        """BF-A11(5) to (7), BF-A12, BF-F8, F9."""
        kind = model.kind
        if kind.endurance is not None:
            wounds = min(wounds, kind.endurance)
        if kind.armor:
            wounds -= sum(self.die(6, purpose, actor, index + i) >= kind.armor for i in range(wounds))
        placed = min(wounds, model.hp)
        if placed <= 0:
            return
        model.wounds += placed
        model.taken += placed
        if self.trace is not None:
            self.say(f"{kind.name} {model.slot} takes {placed}, {model.hp} left")
        if attack:
            self.reward_wounds(attack, model, placed)
        if model.hp <= 0:
            self.kill(model, attack)

    def reward_wounds(self, attack: Attack, model: Model, placed: int) -> None:
        """BF-F8 for types of "A + B each"."""
        hero, kind = attack.hero, model.kind
        hero.dealt += placed
        if kind.xp_b:
            if model.serial not in attack.wounded or self.switches["xp_base"] == "per_hit":
                self.gain_xp(hero, kind.xp_a + 5 * len(model.group.elites))
            self.gain_xp(hero, kind.xp_b * placed)
        attack.wounded.add(model.serial)

    def kill(self, model: Model, attack: Attack | None) -> None:
        """BF-A12, BF-F8, BF-T10."""
        kind = model.kind
        model.alive = False
        model.group.killed += 1
        self.living.remove(model)
        if not self.board.none:
            self.occupant[model.sq] = None
        if attack:
            hero = attack.hero
            attack.kills += 1
            hero.kills += 1
            if not kind.xp_b:
                self.gain_xp(hero, kind.xp_a + 5 * len(model.group.elites))
            self.after_kill(hero, model)
        if not self.living:
            raise FightEnds("win", "enemies")
        if kind.explode:
            self.exploding.append(model)

    def after_kill(self, hero: Hero, model: Model) -> None:
        """11.1: the upgrades of the US Marshal."""
        if hero.sheet.upgrade == "rolling_thunder":
            if self.die(6, "rolling_thunder", hero.number, model.serial) >= 4:
                self.gain_grit(hero)
        elif hero.sheet.upgrade == "cleaning_up":
            self.heal_wounds(hero, 1)
            self.heal_sanity(hero, 1)
            self.gain_xp(hero, 10)

    def explosions(self) -> None:
        """11.4, Explode: one after the other, in the order of death, when the hit or blast that caused them is over."""
        while self.exploding and not self.in_blast:
            model = self.exploding.popleft()
            sides, actor = model.kind.explode, NEWCOMERS + model.serial
            self.in_blast = True
            near = self.board.near[model.sq]
            for other in sorted(self.living, key=lambda other: other.serial):
                if other.alive and other.sq in near:
                    wounds = self.die(sides, "Explode", actor, other.slot)
                    self.wound_enemy(other, wounds, None, "Explode/armor", actor, 100 * other.slot)
            for hero in self.adjacent_heroes(model.sq):
                if hero.standing:
                    wounds = self.die(sides, "Explode", actor, 100 + hero.number)
                    self.direct_wounds(hero, wounds, "Explode", STRIDE * model.slot, model.group)
            self.in_blast = False

    # Dynamite: BF-H20 to H23

    def dynamite_at_hand(self, hero: Hero) -> bool:
        return not self.board.none and bool(hero.bag.get("dynamite"))

    def best_throw(self, hero: Hero) -> int | None:
        """10.2, `focus_fire`(3) and `bomber`."""
        board = self.board
        enough, clear = (3, 2) if hero.policy == "focus_fire" else (2, 1)
        if len(self.living) < enough:
            return None
        reach = hero.sheet.strength + 3
        keys = {}
        for square in board.floor:
            ranges = board.ranges[square]
            caught = [model for model in self.living if ranges[model.sq] <= 1]
            if len(caught) < enough or any(ranges[other.sq] <= clear for other in self.standing):
                continue
            if board.in_range(hero.sq, square, reach):
                keys[square] = (-len(caught), -sum(model.group.threat for model in caught))
        if not keys:
            return None
        least = min(keys.values())
        return int(self.pick([square for square, key in keys.items() if key == least], "BF-H20", hero.number))

    def throw_dynamite(self, hero: Hero, square: int) -> None:
        """BF-H20 to H22."""
        hero.bag["dynamite"] -= 1
        hero.tokens_used += 1
        needed = self.clamp(hero.sheet.th_ranged + self.penalty(hero, hero.sq))
        roll = self.to_hit(hero, [needed], 6, 0)[0]
        if roll < needed:
            for bounce in range(self.die(3, "BF-H21", hero.number, 0)):
                square = self.board.bounce(square, self.die(8, "BF-H21", hero.number, 1 + bounce))
        if self.trace is not None:
            self.say(f"{hero.name} throws Dynamite; it lies on {self.place(square)}")
        self.blast(hero, square)

    def blast(self, owner: Hero, square: int) -> None:
        """BF-H23, I34: enemies by index, then heroes in posse order."""
        number = 8 * owner.number + owner.blasts
        owner.blasts += 1
        near = self.board.near[square] | {square}
        attack = Attack(owner)
        outer, self.in_blast = self.in_blast, True
        for model in sorted(self.living, key=lambda model: model.serial):
            if model.alive and model.sq in near:
                wounds = self.die(6, "BF-H23", model.actor, number)
                self.wound_enemy(model, wounds, attack, "BF-H23/armor", model.actor, 100 * number)
        for hero in list(self.standing):
            if hero.standing and hero.sq in near:
                wounds = self.die(6, "BF-H23", hero.number, number)
                self.direct_wounds(hero, wounds, "BF-H23", STRIDE * number)
        self.in_blast = outer
        self.explosions()

    # Free Attacks: BF-H24, H25, BF-P9

    def free_attacks(self, hero: Hero) -> None:
        if hero.policy == "random_legal":
            return
        while hero.standing and hero.free_used < self.switches["free_attack_limit"]:
            mode = self.ready_item(hero)
            if mode is None:
                return
            hero.free_used += 1
            if mode.sort == "shiv":
                model = self.first_enemy(hero, mode, hero.sq, self.legal_targets(mode, hero.sq))
                address = 100 * hero.free_used
                wounds = self.die(6, "BF-A11", hero.number, address)
                self.wound_enemy(model, wounds, Attack(hero), "BF-A11/armor", hero.number, 100 * address)
                self.explosions()
            else:
                self.attack(hero, mode, hero.free_used)

    def ready_item(self, hero: Hero) -> Mode | None:
        """BF-P9: the first item with a legal target; it is used up."""
        modes = hero.sheet.free_modes
        for i, item in enumerate(hero.sheet.free_items):
            if i not in hero.used_items and self.legal_targets(modes[item], hero.sq):
                hero.used_items.add(i)
                return modes[item]
        for token in ("hatchet", "shiv"):
            if token == "shiv" and hero.sheet.cls not in SHIV_CLASSES:
                continue
            if hero.bag.get(token) and self.legal_targets(modes[token], hero.sq):
                hero.bag[token] -= 1
                hero.tokens_used += 1
                return modes[token]
        return None

    # Help and return: BF-H27, I42

    def help(self, hero: Hero) -> None:
        """BF-H27, BF-P14, I46."""
        board = self.board
        for other in self.heroes:
            if other.standing or other.dead or other.removed:
                continue
            if other.sq != hero.sq and other.sq not in board.near[hero.sq]:
                continue
            if any(board.tile[model.sq] == board.tile[other.sq] for model in self.living):
                continue
            self.recover(other, "BF-H27", hero.number)
            self.stand_up(other, "BF-H27", hero.number, 4)
            if not hero.helped:
                hero.helped = True
                self.gain_xp(hero, 25)
            return

    def recover(self, hero: Hero, purpose: str, actor: int) -> None:
        """BF-F6: the healing."""
        both = hero.hp <= 0 and hero.mind <= 0
        points = self.die(6, purpose, actor, 0) + self.die(6, purpose, actor, 1)
        if both:
            self.heal_wounds(hero, points)
            self.heal_sanity(hero, self.die(6, purpose, actor, 2) + self.die(6, purpose, actor, 3))
            return
        if hero.hp <= 0:
            points -= self.heal_wounds(hero, 1)
        if hero.mind <= 0:
            points -= self.heal_sanity(hero, 1)
        self.heal_any_mix(hero, points)

    def heal_any_mix(self, hero: Hero, points: int) -> None:
        """BF-F5."""
        for _ in range(points):
            if hero.wounds and (hero.hp <= hero.mind or not hero.sdmg):
                self.heal_wounds(hero, 1)
            elif hero.sdmg:
                self.heal_sanity(hero, 1)

    def stand_up(self, hero: Hero, purpose: str, actor: int, index: int) -> None:
        """A KO'd hero returns on its marker or beside it."""
        hero.standing = True
        hero.turn_recovered = self.turn
        if not self.board.none:
            if self.occupant[hero.sq] is not None:
                squares = self.free_neighbours(hero.sq)
                if not squares:
                    row = self.board.steps(hero.sq)
                    free = [square for square in self.board.floor if self.occupant[square] is None]
                    nearest = min(row[square] for square in free)
                    squares = [square for square in free if row[square] == nearest]
                hero.sq = self.pick(squares, purpose, actor, index)
            self.occupant[hero.sq] = hero
        self.standing = [each for each in self.heroes if each.standing]

    # -- 6. Enemies ---------------------------------------------------------------------------------------------------

    def activate_group(self, group: Group) -> None:
        """BF-E1, E2."""
        models = [model for model in self.living if model.group is group]
        if self.trace is not None:
            self.say(f"{group.kind.name} act, {len(models)} of them")
        heroes, count = len(self.standing), len(models)
        self.drop_targets(group, models)
        ties = [model.slot for model in models]
        if len(ties) > 1:
            ties = self.luck.order(ties, "BF-E2", self.turn, KINDS + group.number)
        place = {slot: i for i, slot in enumerate(ties)}
        for model in sorted(models, key=lambda model: (self.steps_to_hero(model.sq), place[model.slot])):
            model.shoots = False
            BEHAVIOURS[group.kind.behaviour](self, model, heroes, count)
            if group.kind.free_shot:
                self.free_shot(model)
        self.phase_b(group)

    def drop_targets(self, group: Group, models: list[Model]) -> None:
        """BF-E4, and BF-E5.1 with `melee_stickiness`."""
        kind = group.kind
        drop_all = kind.behaviour in ("ranged", "shootout", "immobile") or kind.flight
        if kind.behaviour == "melee" and self.switches["melee_stickiness"] == "retarget_each_turn":
            drop_all = True
        for model in models:
            target = model.target
            if target and (drop_all or not target.standing or target.sq not in self.board.near[model.sq]):
                model.target = None

    def spread(self, group: Group, heroes: list[Hero], standing: int, models: int) -> list[Hero]:
        """BF-E3: the heroes among whom the lot decides."""
        switch = self.switches["targeting_spread"]
        even = standing > models if switch == "seed" else switch == "always_even"
        return self.fewest_targeted(group, heroes) if even else heroes

    def fewest_targeted(self, group: Group, heroes: list[Hero]) -> list[Hero]:
        held = {hero.number: 0 for hero in self.heroes}
        for model in self.living:
            if model.group is group and model.target:
                held[model.target.number] += 1
        fewest = min(held[hero.number] for hero in heroes)
        return [hero for hero in heroes if held[hero.number] == fewest]

    def target_at_random(self, model: Model, heroes: list[Hero], standing: int, models: int) -> Hero:
        """BF-E3."""
        hero: Hero = self.pick(self.spread(model.group, heroes, standing, models), "BF-E3", model.actor)
        model.target = hero
        return hero

    def model_reach(self, model: Model) -> dict[int, int]:
        """BF-G8, E9, E10: the squares on which a model can end its move, with their steps."""
        start, move = model.sq, model.kind.move
        if self.board.none or move == 0:
            return {start: 0}
        occupant, neighbours, passes = self.occupant, self.board.neighbours, model.kind.passes
        steps = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if steps[here] == move:
                break
            for there in neighbours[here]:
                if there not in steps and (occupant[there] is None or passes or self.may_enter(model, there)):
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return {
            square: count
            for square, count in steps.items()
            if occupant[square] is None or square == start or self.displaces(model, square)
        }

    def may_enter(self, model: Model, square: int) -> bool:
        other = self.occupant[square]
        if model.kind.behaviour == "shootout":
            return isinstance(other, Model) and other.group is model.group
        return self.displaces(model, square)

    def displaces(self, model: Model, square: int) -> bool:
        """BF-E10."""
        kind, other = model.kind, self.occupant[square]
        if kind.size != "L" or kind.passes or kind.behaviour == "shootout" or not isinstance(other, Model):
            return False
        if self.switches["large_displace"] == "off":
            return False
        return other.kind.size != "L" and other.kind.behaviour != "immobile"

    def move_model(self, model: Model, square: int) -> None:
        """A Large model pushes smaller ones back along its path; the others simply arrive."""
        if square == model.sq:
            return
        if self.trace is not None:
            self.say(f"{model.kind.name} {model.slot} moves to {self.place(square)}")
        if model.kind.size != "L" or model.kind.passes or model.kind.behaviour == "shootout":
            self.relocate(model, square)
            return
        for there in self.path(model, square):
            other = self.occupant[there]
            here = model.sq
            self.occupant[here] = None
            if isinstance(other, Model):
                other.sq = here
                self.occupant[here] = other
            model.sq = there
            self.occupant[there] = model

    def path(self, model: Model, goal: int) -> list[int]:
        """BF-E10: the shortest path with the fewest displaced models, then by step order."""
        neighbours = self.board.neighbours
        steps = self.model_reach(model)
        pushed = {square: int(self.displaces(model, square)) for square in steps}
        cost = {goal: pushed[goal]}  # models displaced from this square to the goal, this square included
        layer = [goal]
        for count in range(steps[goal] - 1, -1, -1):
            before: dict[int, int] = {}
            for there in layer:
                for here in neighbours[there]:
                    if steps.get(here) == count:
                        price = cost[there] + pushed[here]
                        before[here] = min(price, before.get(here, price))
            cost |= before
            layer = list(before)
        path: list[int] = []
        here = model.sq
        while here != goal:
            ahead = [s for s in neighbours[here] if s in cost and steps[s] == steps[here] + 1]
            here = min(ahead, key=lambda square: cost[square])  # the first of equals: step order
            path.append(here)
        return path

    def melee(self, model: Model, standing: int, models: int) -> None:
        """BF-E5."""
        if model.target:
            return
        reach = self.model_reach(model)
        near = self.board.near
        heroes = [hero for hero in self.standing if not near[hero.sq].isdisjoint(reach)]
        if not heroes:
            self.move_toward(model, reach)
            return
        target = self.target_at_random(model, heroes, standing, models)
        beside = [square for square in reach if square in near[target.sq]]
        if self.switches["reposition_when_adjacent"] == "off" and model.sq in beside:
            return
        farthest = max(reach[square] for square in beside)
        squares = self.best_for_party(sorted(square for square in beside if reach[square] == farthest))
        self.move_model(model, self.pick(squares, "BF-E5.3", model.actor))

    def move_toward(self, model: Model, reach: dict[int, int]) -> None:
        """BF-E11."""
        row = self.board.steps(model.sq)
        nearest = min(row[hero.sq] for hero in self.standing)
        closest = self.pick([hero for hero in self.standing if row[hero.sq] == nearest], "BF-E11", model.actor, 0)
        self.move_to_least(model, {s: (self.board.steps(s)[closest.sq], n) for s, n in reach.items()}, "BF-E11", 1)

    def move_to_least(self, model: Model, keys: dict[int, tuple[int, ...]], purpose: str, index: int = 0) -> None:
        least = min(keys.values())
        squares = sorted(square for square, key in keys.items() if key == least)
        self.move_model(model, self.pick(squares, purpose, model.actor, index))

    def seek_shot(self, model: Model, avoid_heroes: bool) -> None:
        """BF-E6.2, E7.2."""
        reach = self.model_reach(model)
        keys = {
            square: (steps, self.steps_to_hero(square))
            for square, steps in reach.items()
            if self.heroes_in_range(square, model.kind.range)
        }
        if avoid_heroes:
            beside = self.beside_heroes()
            apart = {square: key for square, key in keys.items() if square not in beside}
            keys = apart or keys
        if keys:
            self.move_to_least(model, keys, "BF-E6.2")
        else:
            self.move_toward(model, reach)

    def ranged(self, model: Model, standing: int, models: int) -> None:
        """BF-E6."""
        if not self.heroes_in_range(model.sq, model.kind.range):
            self.seek_shot(model, avoid_heroes=False)
        self.take_aim(model, standing, models)

    def take_aim(self, model: Model, standing: int, models: int) -> None:
        """BF-E6.3."""
        heroes = self.adjacent_heroes(model.sq) or self.heroes_in_range(model.sq, model.kind.range)
        if heroes:
            self.target_at_random(model, heroes, standing, models)
            model.shoots = True

    def melee_or_ranged(self, model: Model, standing: int, models: int) -> None:
        """BF-E7."""
        near = self.adjacent_heroes(model.sq)
        if near:
            if not model.target:
                self.target_at_random(model, near, standing, models)
            return
        model.target = None
        if not self.heroes_in_range(model.sq, model.kind.range):
            self.seek_shot(model, avoid_heroes=True)
        near = self.adjacent_heroes(model.sq)
        if near:
            self.target_at_random(model, near, standing, models)
            return
        heroes = self.heroes_in_range(model.sq, model.kind.range)
        if heroes:
            self.target_at_random(model, heroes, standing, models)
            model.shoots = True

    def shootout(self, model: Model, standing: int, models: int) -> None:
        """BF-E8."""
        near = self.adjacent_heroes(model.sq)
        if near and not self.retreat(model):
            model.target = self.pick(near, "BF-E8.2", model.actor)
            return
        chosen = self.pick(self.fewest_marked(model, self.standing), "BF-E8.3", model.actor)
        beside = self.beside_heroes()
        reach = {s: n for s, n in self.model_reach(model).items() if s not in beside}
        shots = {s: (n,) for s, n in reach.items() if self.board.in_range(s, chosen.sq, model.kind.range)}
        if shots:
            self.move_to_least(model, shots, "BF-E8.4")
        else:
            self.move_to_least(model, {s: (self.board.steps(s)[chosen.sq], n) for s, n in reach.items()}, "BF-E8.5")
            heroes = self.heroes_in_range(model.sq, model.kind.range)
            if not heroes:
                return
            chosen = self.pick(self.fewest_marked(model, heroes), "BF-E8.5", model.actor, 1)
        model.target = chosen
        model.shoots = True

    def retreat(self, model: Model) -> bool:
        """BF-E8.1."""
        if self.die(6, "BF-E8.1", model.actor, 0) < 4:
            return False
        beside = self.beside_heroes()
        keys = {s: (n,) for s, n in self.model_reach(model).items() if s not in beside}
        if not keys:
            return False
        self.move_to_least(model, keys, "BF-E8.1", 1)
        return True

    def fewest_marked(self, model: Model, heroes: list[Hero]) -> list[Hero]:
        """BF-E8.3: Shootout markers."""
        marks = {hero.number: 0 for hero in self.heroes}
        for other in self.living:
            if other.group is model.group and other.target and other.shoots:
                marks[other.target.number] += 1
        fewest = min(marks[hero.number] for hero in heroes)
        return [hero for hero in heroes if marks[hero.number] == fewest]

    def immobile(self, model: Model, standing: int, models: int) -> None:
        """BF-E12."""
        if model.kind.range:
            self.take_aim(model, standing, models)
        elif model.kind.combat:
            near = self.adjacent_heroes(model.sq)
            if near:
                self.target_at_random(model, near, standing, models)

    # -- 7. Attack, defence, damage -----------------------------------------------------------------------------------

    def phase_b(self, group: Group) -> None:
        """BF-A1, A2: all dice first, then the batches in posse order."""
        batches: dict[int, list[Hit]] = {}
        for model in self.living:
            if model.group is not group:
                continue
            if group.kind.flail:
                dice, reach = group.kind.flail
                for hero in self.heroes_in_range(model.sq, reach):
                    self.roll_melee(model, hero, dice, 100 * hero.number, batches)
            elif model.target and model.shoots:
                if self.board.in_range(model.sq, model.target.sq, group.kind.range):
                    self.roll_shots(model, model.target, batches)
            elif model.target and model.target.sq in self.board.near[model.sq]:
                dice = group.kind.combat
                if group.kind.pack and dice:
                    dice += sum(other.group is group for other in self.adjacent_enemies(model.sq))
                self.roll_melee(model, model.target, dice, 0, batches)
        for hero in self.heroes:
            if hero.number in batches and hero.standing:
                self.take_hits(hero, batches[hero.number], "BF-A2", group.number, group)

    def enemy_die(self, model: Model, purpose: str, index: int) -> int:
        """A To Hit die of an enemy, with the re-roll of Elite Drowned Dead."""
        roll = self.die(6, purpose, model.actor, index)
        if roll == 1 and model.kind.again_on_one:
            roll = self.die(6, f"{purpose}/again", model.actor, index)
        return roll

    def roll_melee(self, model: Model, hero: Hero, dice: int, index: int, batches: dict[int, list[Hit]]) -> None:
        kind = model.kind
        if not kind.th_melee:
            return
        fixed = kind.damage + (model.wounds if kind.zealot else 0)
        horror = kind.nightmare + kind.horror_bonus if kind.nightmare else 0
        for i in range(dice):
            roll = self.enemy_die(model, "BF-A1", index + i)
            if roll < kind.th_melee:
                continue
            six = roll == 6
            batch = batches.setdefault(hero.number, [])
            for _ in range(kind.six if six else 1):
                double = kind.double_first and not batch
                batch.append(
                    Hit(kind.damage_dice, fixed, six and kind.smash, six and kind.six_pierces, True, horror, double)
                )

    def roll_shots(self, model: Model, hero: Hero, batches: dict[int, list[Hit]]) -> None:
        kind = model.kind
        if not kind.th_ranged:
            return
        shots = kind.shots + (2 if kind.opening and model.group.first_turn == self.turn else 0)
        for i in range(shots):
            roll = self.enemy_die(model, "BF-A1", i)
            if roll < kind.th_ranged:
                continue
            six = roll == 6
            copies = 1
            if six:
                copies = self.die(6, "Burst", model.actor, i) if kind.burst else kind.hail
            fixed = kind.shot_damage + (kind.six_shot_bonus if six else 0)
            hit = Hit(kind.shot_dice, fixed, six and kind.smash, six and kind.six_pierces)
            batches.setdefault(hero.number, []).extend([hit] * copies)

    def free_shot(self, model: Model) -> None:
        """I45: the shot of Elite Drowned Dead, (5, 2, D6), at the end of the model's move."""
        heroes = self.heroes_in_range(model.sq, 5)
        if not heroes:
            return
        hero = self.pick(heroes, "free_shot/target", model.actor)
        hits = []
        for i in range(2):
            roll = self.enemy_die(model, "free_shot", i)
            if roll >= (model.kind.th_ranged or 5):
                hits.append(Hit(1, 0, roll == 6 and model.kind.smash, roll == 6 and model.kind.six_pierces))
        if hits:
            self.take_hits(hero, hits, "free_shot", model.slot, model.group)

    def take_hits(self, hero: Hero, hits: list[Hit], batch: str, number: int, group: Group) -> None:
        """BF-A3. The batch's name and number are the address of its dice."""
        me, base = hero.number, STRIDE * number
        if hero.sheet.cover:
            hits = [hit for i, hit in enumerate(hits) if self.die(6, f"{batch}/cover", me, base + i) < hero.sheet.cover]
        unsaved = self.defend(hero, hits, batch, base)
        self.last_chance(hero, unsaved, batch, base)
        total, sure = 0, 0  # `sure`: wounds that Armor cannot prevent
        for i, hit in enumerate(unsaved):
            damage = hit.fixed + (self.die(6, f"{batch}/damage", me, base + i) if hit.dice else 0)
            damage = damage * (2 if hit.double else 1) + (2 if hero.status["death_mark"] else 0)
            total += damage
            sure += damage if hit.no_armor else 0
        wounds = sure + self.after_armor(hero, total - sure, f"{batch}/armor", base)
        revivals = hero.revivals
        self.wound_hero(hero, wounds, group)
        if wounds >= 10:
            self.dangerous_dynamite(hero, f"{batch}/dangerous", base)
        if not hero.standing or hero.revivals != revivals:
            return
        if wounds and batch == "BF-A2":
            self.side_effects(hero, group, any(hit.melee for hit in unsaved))
            if hero.revivals != revivals:
                return
        horror = [hit.horror for hit in hits if hit.horror]
        if horror:
            self.horror(hero, horror, batch, number)

    def defend(self, hero: Hero, hits: list[Hit], batch: str, base: int) -> list[Hit]:
        """BF-A3(2), (3), BF-P6: the hits that are not saved, in batch order."""
        me = hero.number
        number = self.clamp(hero.sheet.defense + bool(hero.status["stunned"]) + bool(hero.status["ensnared"]))
        rolled = [i for i, hit in enumerate(hits) if not hit.no_defense]
        failed = {i: rank for rank, i in enumerate(rolled) if self.die(6, f"{batch}/defense", me, base + rank) < number}
        if failed and hero.grit >= 1 and hero.policy != "random_legal":
            sure = sum(self.expected(hero, hit) for hit in hits if hit.no_defense)
            all_of_it = sure + sum(self.expected(hero, hits[i]) for i in failed)
            if all_of_it >= hero.hp and sure < hero.hp:
                self.spend_grit(hero)
                failed = {
                    i: rank
                    for i, rank in failed.items()
                    if self.die(6, f"{batch}/defense again", me, base + rank) < number
                }
        return [hit for i, hit in enumerate(hits) if hit.no_defense or i in failed]

    @staticmethod
    def expected(hero: Hero, hit: Hit) -> float:
        """BF-P6: the damage of a hit, a D6 counting 3.5."""
        damage = hit.fixed + 3.5 * hit.dice
        return damage * (2 if hit.double else 1) + (2 if hero.status["death_mark"] else 0)

    def last_chance(self, hero: Hero, unsaved: list[Hit], batch: str, base: int) -> None:
        """BF-A3(4), BF-P8."""
        if not unsaved or hero.policy not in LAST_CHANCE or not hero.bag.get("bandages"):
            return
        threat = sum(self.expected(hero, hit) for hit in unsaved)
        used = 0
        while (
            threat >= hero.hp
            and hero.wounds
            and self.use_token(hero, "bandages", purpose=f"{batch}/bandages", index=base + used)
        ):
            used += 1

    def after_armor(self, hero: Hero, wounds: int, purpose: str, base: int) -> int:
        """BF-A3(6)."""
        armor = hero.sheet.armor
        if hero.cigar_turn == self.turn:
            armor = min(armor or 3, 3)
        if armor:
            wounds -= sum(self.die(6, purpose, hero.number, base + i) >= armor for i in range(wounds))
        return wounds

    def direct_wounds(self, hero: Hero, wounds: int, source: str, base: int, group: Group | None = None) -> None:
        """Wounds that come without a hit: only Armor saves."""
        self.wound_hero(hero, self.after_armor(hero, wounds, f"{source}/armor", base), group)

    def wound_hero(self, hero: Hero, wounds: int, group: Group | None = None) -> None:
        """BF-A8. The wounds placed are counted for the group before the last KO ends the fight."""
        placed = min(wounds, hero.hp)
        if placed <= 0:
            return
        hero.wounds += placed
        hero.taken += placed
        if group is not None:
            group.dealt += placed
        if self.trace is not None:
            self.say(f"{hero.name} takes {placed}, {hero.hp} left")
        if hero.hp <= 0:
            self.fall(hero)

    def side_effects(self, hero: Hero, group: Group, in_melee: bool) -> None:
        """BF-A3(8): markers on wounded heroes, Cursed."""
        kind = group.kind
        for marker in kind.on_wound:
            self.mark(hero, marker)
        if in_melee:
            for marker in kind.on_melee_wound:
                self.mark(hero, marker)
        if hero.hp <= 0:
            self.fall(hero)
            return
        if in_melee and kind.cursed:
            self.corrupt(hero, 1, "BF-A2", group.number)

    def horror(self, hero: Hero, hits: list[int], batch: str, number: int) -> None:
        """BF-A6, BF-P6: Horror Hits with their sanity damage."""
        if not hero.standing:
            return
        me, base, needed = hero.number, STRIDE * number, self.clamp(hero.sheet.willpower)
        failed = [i for i in range(len(hits)) if self.die(6, f"{batch}/willpower", me, base + i) < needed]
        if failed and hero.grit >= 1 and hero.policy != "random_legal" and sum(hits[i] for i in failed) >= hero.mind:
            self.spend_grit(hero)
            failed = [i for i in failed if self.die(6, f"{batch}/willpower again", me, base + i) < needed]
        points = sum(hits[i] for i in failed)
        if hero.sheet.spirit_armor:
            saved = (self.die(6, f"{batch}/spirit armor", me, base + i) for i in range(points))
            points -= sum(roll >= hero.sheet.spirit_armor for roll in saved)
        placed = min(points, hero.mind)
        hero.sdmg += placed
        hero.sanity_taken += placed
        if placed and self.trace is not None:
            self.say(f"{hero.name} loses {placed} Sanity, {hero.mind} left")
        if hero.mind <= 0:
            self.fall(hero)

    def corrupt(self, hero: Hero, hits: int, batch: str, number: int) -> None:
        """BF-A7."""
        needed = self.clamp(hero.sheet.willpower)
        for i in range(hits):
            roll = self.die(6, f"{batch}/corruption", hero.number, STRIDE * number + i)
            hero.corruption += roll < needed

    def dangerous_dynamite(self, hero: Hero, purpose: str, base: int) -> None:
        """Section 9: a hero's own Dynamite after 10 or more wounds from one batch."""
        if self.switches["dangerous_dynamite"] == "off" or not self.dynamite_at_hand(hero):
            return
        rolls = [self.die(6, purpose, hero.number, base + i) for i in range(hero.bag["dynamite"])]
        square = hero.sq
        for roll in rolls:
            if roll <= 2:
                hero.bag["dynamite"] -= 1
                self.blast(hero, square)

    def fall(self, hero: Hero) -> None:
        """BF-A8, A9: a revive token or KO."""
        if self.switches["revive_timing"] == "immediate" and self.revive > 0 and not hero.ally:
            self.revive -= 1
            self.restore(hero)
            return
        if hero.hp <= 0:
            hero.wounds = hero.health
        if hero.mind <= 0:
            hero.sdmg = hero.sanity
        for marker in ("bleeding", "poison", "stunned"):
            hero.status[marker] = 0
        hero.standing = False
        hero.removed = hero.ally
        hero.ko_count += 1
        if self.trace is not None:
            self.say(f"{hero.name} is KO'd")
        if not self.board.none:
            self.occupant[hero.sq] = None
        for model in self.living:
            if model.target is hero:
                model.target = None
        self.standing = [each for each in self.heroes if each.standing]
        if not self.standing:
            raise FightEnds("loss", "heroes")

    def restore(self, hero: Hero) -> None:
        """BF-A9: what a revive token does."""
        hero.wounds = hero.sdmg = 0
        hero.status.update(dict.fromkeys(MARKERS, 0))  # in place: the start of an activation is looking at it
        hero.revivals += 1
        self.gain_grit(hero)
        if self.trace is not None:
            self.say(f"{hero.name} is revived")

    # -- 8. End -------------------------------------------------------------------------------------------------------

    def after_the_win(self) -> None:
        """BF-F2 to F7."""
        for hero in self.heroes:
            if hero.standing:
                self.catch_breath(hero)
        for hero in self.heroes:
            if not (hero.standing or hero.dead or hero.removed):
                hero.injuries += hero.hp <= 0
                hero.madness += hero.mind <= 0
                self.recover(hero, "BF-F6", hero.number)
        for hero in self.heroes:
            if not hero.ally and not hero.dead:
                hero.loot = min(self.switches["loot_cap"], self.threat_cards)

    def catch_breath(self, hero: Hero) -> None:
        """BF-F3 to F5."""
        if self.switches["breath_window"] == "last_round":
            got_a_turn = hero.turn_acted == self.turn and self.turn > 0
        else:
            got_a_turn = hero.turn_acted > 0
        if not (hero.wounds or hero.sdmg):
            if not got_a_turn:
                self.gain_grit(hero)
            return
        self.heal_any_mix(hero, self.die(3 if got_a_turn else 6, "BF-F3", hero.number))

    def result(self, outcome: str, cause: str) -> Result:
        """BF-F10."""
        ends = [(max(0, hero.hp), max(0, hero.mind)) for hero in self.heroes]
        if outcome == "win":
            self.after_the_win()
        heroes = []
        for hero, (hp_end, mind_end) in zip(self.heroes, ends, strict=True):
            heroes.append(
                HeroResult(
                    name=hero.name,
                    cls=hero.sheet.cls,
                    ally=hero.ally,
                    health=hero.health,
                    sanity=hero.sanity,
                    hp_end=hp_end,
                    mind_end=mind_end,
                    hp=max(0, hero.hp),
                    mind=max(0, hero.mind),
                    grit=hero.grit,
                    standing=hero.standing,
                    dead=hero.dead,
                    removed=hero.removed,
                    square=hero.sq,
                    xp=hero.xp,
                    corruption=hero.corruption,
                    kills=hero.kills,
                    dealt=hero.dealt,
                    taken=hero.taken,
                    sanity_taken=hero.sanity_taken,
                    ko_count=hero.ko_count,
                    healed=hero.healed,
                    grit_gained=hero.grit_gained,
                    grit_spent=hero.grit_spent,
                    tokens_used=hero.tokens_used,
                    injuries=hero.injuries,
                    madness=hero.madness,
                    loot=hero.loot,
                    revivals=hero.revivals,
                    bag={token: count for token, count in hero.bag.items() if count},
                    status={marker: count for marker, count in hero.status.items() if count},
                )
            )
        enemies = [
            EnemyResult(m.group.number, m.kind.name, m.serial, max(0, m.hp), m.alive, m.sq, m.taken) for m in self.slots
        ]
        groups = {
            number: GroupResult(number, group.kind.name, group.elites, group.created, group.killed, group.dealt)
            for number, group in sorted(self.groups.items())
        }
        return Result(
            outcome=outcome,
            cause=cause,
            rounds=self.turn,
            heroes=heroes,
            enemies=enemies,
            groups=groups,
            xp=sum(hero.xp for hero in self.heroes),
            loot=sum(hero.loot for hero in self.heroes),
            threat_cards=self.threat_cards,
            revive_left=self.revive,
            darkness=self.darkness,
            depth_events=self.depth_events,
            ignored=self.ignored,
        )


BEHAVIOURS = {
    "melee": Fight.melee,
    "ranged": Fight.ranged,
    "melee_or_ranged": Fight.melee_or_ranged,
    "shootout": Fight.shootout,
    "immobile": Fight.immobile,
}


def play(prepared: Prepared, luck: Any, trace: list[str] | None = None) -> Result:
    """One run from setup to the end."""
    fight = Fight(prepared, luck, trace)
    try:
        fight.set_up()
        while True:
            fight.play_turn()
    except FightEnds as end:
        return fight.result(end.outcome, end.cause)

"""Section 11.1 to 11.3 and 7.5: classes, upgrades, weapons, tokens, markers."""

from __future__ import annotations

from typing import NamedTuple

NO_CRITICAL = 99
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
# 11.1 and 11.3: Double-Shot, Wild Card, Fortune; who may use the Shiv.
CLASS_TALENTS: dict[str, tuple[str, ...]] = {
    "us_marshal": ("double_shot",),
    "bandido": ("wild_card",),
    "gambler": ("fortune", "shiv"),
    "saloon_girl": ("shiv",),
}
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

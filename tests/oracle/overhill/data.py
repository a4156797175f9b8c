"""The tables of the game: classes, monsters, rooms, switches, presets."""

from __future__ import annotations

from typing import Any, NamedTuple

LADDER = (2, 4, 6, 8, 10, 12)  # OU-U1
ATTRIBUTES = ("vigor", "wise", "quick", "smart")  # OU-U2
FEATS = ("shield_wall", "frenzy", "accept_the_blade", "dual_wield", "shield_bash")  # OU-F1, in the order taken
ITEMS = ("healing_potion", "war_tonic", "stone_oil", "smoke_flask", "acid_flask")  # OU-A6
STANCES = ("neutral", "aggressive", "defensive")
STANCE_ATTACK = {"neutral": 0, "aggressive": 1, "defensive": -1}  # OU-A2; the defence has the opposite sign
POLICY_NAMES = ("random_legal", "plain", "aggressive", "cautious", "focus_expert", "prudent")


class ClassEntry(NamedTuple):
    """A hero class at level 1 (OU-S1, OU-U3), and the dice that grow at even levels."""

    calling: str  # whose abilities it has
    vigor: int
    wise: int
    quick: int
    smart: int
    health: int  # OU-U3: added to the level
    melee_tag: str
    ranged_tag: str
    shield: bool
    growth: tuple[tuple[int, str], ...]  # the level, and the attribute that steps up there
    feats: tuple[str, ...] = FEATS  # OU-F1, in the order taken


def at_even_levels(*attributes: str) -> tuple[tuple[int, str], ...]:
    """The growth of the classes of the game: at level 2, 4, 6, 8, 10."""
    return tuple((2 * place, name) for place, name in enumerate(attributes, 1))


WARRIOR = ("quick", "vigor", "quick", "vigor", "wise")
ROGUE = ("vigor", "quick", "vigor", "quick", "smart")
MAGIC_USER = ("vigor", "smart", "wise", "smart", "vigor")
PRIEST = ("vigor", "wise", "vigor", "wise", "quick")

CLASSES = {
    "warrior": ClassEntry("warrior", 8, 4, 6, 4, 10, "edged", "none", True, at_even_levels(*WARRIOR)),
    "rogue": ClassEntry("rogue", 4, 4, 8, 6, 6, "edged", "edged", False, at_even_levels(*ROGUE)),
    "magic_user": ClassEntry("magic_user", 4, 6, 4, 8, 6, "blunt", "none", False, at_even_levels(*MAGIC_USER)),
    "priest": ClassEntry("priest", 4, 8, 4, 6, 7, "blunt", "blunt", False, at_even_levels(*PRIEST)),
}


class MonsterEntry(NamedTuple):
    """A type of monster."""

    number: str
    melee: int
    range: int
    defence: int
    talk: int | None
    alert: int
    xp: int
    blunt_defence: int | None = None
    family: str = ""
    leader: bool = False
    touches: tuple[str, ...] = ()  # in the order of their rules: paralysis, drain


MONSTERS = {
    "gobbo": MonsterEntry("1d6", 1, 0, 3, -1, 2, 4, family="gobbo"),
    "gobbo_archer": MonsterEntry("1d4", 1, 2, 2, -1, 3, 4, family="gobbo"),
    "gobbo_dog": MonsterEntry("1d4", 2, 0, 2, -2, 4, 4, family="gobbo"),
    "gobbo_shaman": MonsterEntry("1", 1, 3, 3, -1, 3, 6, family="gobbo"),
    "gobbo_warchief": MonsterEntry("1", 3, 0, 4, 0, 2, 7, family="gobbo", leader=True),
    "gobbo_warmonger": MonsterEntry("1", 4, 0, 5, -2, 2, 9, family="gobbo", leader=True),
    "gobbo_grandgobbo": MonsterEntry("1", 5, 0, 6, 1, 2, 11, family="gobbo", leader=True),
    "skeleton": MonsterEntry("1d6", 3, 0, 3, None, 2, 6, blunt_defence=2),
    "zombie": MonsterEntry("1d4", 4, 0, 3, None, 1, 7),
    "armored_zombie": MonsterEntry("1d4", 1, 0, 3, None, 1, 4),
    "ghoul": MonsterEntry("1d4", 1, 0, 1, None, 3, 2, touches=("paralysis",)),
    "wight": MonsterEntry("1d3", 2, 0, 4, 0, 3, 6, touches=("drain",)),
}

# The figures in force before the playtest (`bestiary` = early).
EARLY = {
    "skeleton": {"melee": 1, "defence": 2, "blunt_defence": 1},
    "zombie": {"melee": 1, "defence": 2},
}


class Room(NamedTuple):
    """OU-S5: how many rear heroes `rear_per` front heroes allow, and the room in the front."""

    rear: int
    rear_per: int
    front_max: int | None


ROOMS = {
    "standard": Room(1, 2, None),
    "narrow": Room(1, 1, 2),
    "wide": Room(1, 3, None),
    "open": Room(0, 1, None),
}


class ReactionEntry(NamedTuple):
    """OU-S8: totals up to `up_to` (None: all others), and what they mean."""

    up_to: int | None
    avoided: bool = False
    friendly: bool = False
    surprise: bool = False


REACTIONS = {
    "enraged": ReactionEntry(4, surprise=True),
    "hostile": ReactionEntry(7),
    "indifferent": ReactionEntry(10, avoided=True),
    "friendly": ReactionEntry(None, avoided=True, friendly=True),
}


class MishapEntry(NamedTuple):
    """OU-G4: totals up to `up_to` (None: all others), and what they do to the caster and the darts."""

    up_to: int | None
    damage: int | str = 0
    darts_lost: bool = False
    blocks: bool = False
    silences: bool = False


MISHAPS = {
    "fizzle": MishapEntry(3, darts_lost=True),
    "backlash": MishapEntry(5, damage=1),
    "strain": MishapEntry(6, blocks=True),
    "misfire": MishapEntry(7, damage="1d4", darts_lost=True),
    "burnout": MishapEntry(None, damage="1d4", darts_lost=True, silences=True),
}

# The switches, the default first.
SWITCHES: dict[str, tuple[Any, ...]] = {
    "melee_threshold": ("exceed", "meet"),
    "dodge_threshold": ("exceed", "meet"),
    "monster_damage": ("attack", "one", "margin"),
    "defense_die": ("matching", "quick", "best"),
    "level_bonus": ("class_only", "all"),
    "monster_targeting": ("focus", "spread", "random"),
    "threat_window": ("previous_round", "current_round"),
    "threat_scope": ("group", "all"),
    "party_choice": ("random", "best_for_party"),
    "melee_reach": ("strict", "outnumber"),
    "rear_protection": ("outnumbered", "last_standing"),
    "rear_modifier": ("none", "defensive"),
    "dart_position": ("rear_only", "any"),
    "dart_level": (1, 2),
    "cast_threshold": ("meet", "exceed"),
    "push_ladder": ("same_first", "step_first"),
    "dart_roll": ("reroll", "same_roll"),
    "one_is": ("failure", "literal"),
    "mishaps": ("on", "off"),
    "risk_roll": ("natural", "total"),
    "bump_max": (1, 0, 2, 3),
    "heal_downed": ("no", "yes"),
    "difficulty_check": ("meet", "exceed"),
    "paralysed_defense": ("none", "roll"),
    "sneak_attack_use": ("any_round", "first_round"),
    "opening_defence": ("plain", "weapon"),
    "feat_start": ("level3", "level1"),
    "dice_progression": ("even_levels", "none"),
    "bestiary": ("revised", "early"),
    "gobbo_defense": (3, 2, 1),
    "leader_aura": ("on", "off"),
    "monster_scaling": ("none", "number", "defense", "attack", "all"),
    "talk_fail": ("surprise", "normal"),
    "sneak_fail": ("surprise", "normal"),
    "stealth_check": ("majority", "all", "leader", "weakest"),
    "traps": ("on", "off"),
    "round_cap": (50,),  # any whole number from 1
}

PRESETS: dict[str, dict[str, Any]] = {
    "seed": {},
    "bestiary-page": {"melee_threshold": "meet", "dodge_threshold": "meet", "gobbo_defense": 1},
    "may-draft": {
        "bestiary": "early",
        "gobbo_defense": 1,
        "level_bonus": "all",
        "dart_level": 2,
        "cast_threshold": "exceed",
        "push_ladder": "step_first",
        "rear_protection": "last_standing",
        "rear_modifier": "defensive",
    },
    "gentle": {"monster_damage": "one", "defense_die": "best", "mishaps": "off"},
}

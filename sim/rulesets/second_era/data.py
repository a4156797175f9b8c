"""The ruleset's own tables, read once, and the words of the rules in the order of their codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sim.core.ruleset import read_table

FOLDER = Path(__file__).parent

FORMS = ("light", "heavy", "ranged", "magic", "defensive")
LIGHT, HEAVY, RANGED, MAGIC, DEFENSIVE = range(5)

# Skill dice; the code of a die is its place here. What else can lie in a track has the codes after them.
DICE = (
    "combat", "shield_discipline", "heroic_slash", "snipe", "wrecking_blow", "onslaught", "force_shock",
    "hasty_prayer", "purge", "breath_of_life", "shadow_cloak",
)  # fmt: skip
COMBAT, SHIELD, SLASH, SNIPE, WRECK, ONSLAUGHT, SHOCK, PRAYER, PURGE, BREATH, CLOAK = range(11)
TIRED, OVER = 11, 12  # light fatigue `L`, overfatigue `O`
FIRST_STATUS = 13  # status k lies in a track as the code FIRST_STATUS + k
STATUSES = ("Bane", "Blind", "Daze", "Fear", "Maim", "Stealth")
BANE, BLIND, DAZE, FEAR, MAIM, STEALTH = range(6)
HARMFUL = (BANE, FEAR, MAIM, DAZE, BLIND)  # in the order of SE-A18
TRACK_WORDS = (*DICE, "L", "O", *STATUSES)
_TITLES = tuple(name.replace("_", " ").title().replace(" Of ", " of ") for name in DICE)
CALLED = (*_TITLES, "light fatigue", "overfatigue", *STATUSES)  # by code, as people say it

TRACK = 13  # dice that a track holds
SLOTS = 4  # active slots
EMPTY = -1  # no die in this place of a track, or in this slot
MOST_TENACITY = 10
START_XP = 2  # SE-L1: where the dial starts; only what lies beyond can be spent
ALL_TARGETS = 99
QUEST = 1_000  # rank of a quest unit: above every level

SKILLS = (
    "Aggressive", "Arcane", "Bane", "Maim", "Daze", "Intimidate", "Enfeeble", "Dodge", "Divert", "Stalwart", "Elusive",
    "Riposte", "Ethereal", "Iron Bark", "Ritual", "Recover", "Bide", "Rush", "Swift", "Necrotic", "Disrupt", "Bladed",
    "Vindictive", "Smite", "Detection", "Retreat", "Decay",
)  # fmt: skip
NUMBERED = ("Enfeeble", "Riposte", "Ritual")
AFTER_ENGAGE = ("Bane", "Maim", "Daze", "Intimidate", "Enfeeble")
END_OF_TURN = ("Ritual", "Bide", "Necrotic", "Retreat", "Decay")
GIVES = {"Bane": BANE, "Maim": MAIM, "Daze": DAZE}  # skills that give the status of the same name

# What a unit's damage can come from: the names of the abilities in the tables.
ABILITIES = (*FORMS, "pray", "cloak", "ability", "engage", "riposte", "necrotic")
PRAY, CLOAKING, SPECIAL, ENGAGE, RIPOSTE, NECROTIC = range(5, 11)

GATHERED = {  # by what an adventurer does with its dice: those that are gathered for it, in this order
    LIGHT: (SLASH, SHIELD, COMBAT),
    HEAVY: (ONSLAUGHT, WRECK, COMBAT),
    RANGED: (SNIPE, COMBAT),
    MAGIC: (SHOCK,),
    DEFENSIVE: (COMBAT,),
    PRAY: (PRAYER, BREATH, PURGE),
    CLOAKING: (CLOAK,),
}
VALUES = {  # by die and face: damage, or X
    COMBAT: (0, 1, 1, 1, 1, 2),
    SHIELD: (0, 1, 1, 1, 1, 2),
    SLASH: (0, 0, 2, 2, 3, 3),  # per Shield Discipline die
    SNIPE: (0, 1, 1, 1, 1, 2),
    WRECK: (0, 2, 2, 3, 3, 3),
    ONSLAUGHT: (0, 0, 4, 4, 5, 5),
    SHOCK: (0, 2, 2, 2, 4, 0),
    PRAYER: (0, 0, 0, 0, 0, 0),
    PURGE: (0, 0, 0, 0, 0, 0),
    BREATH: (0, 0, 2, 4, 4, 4),
    CLOAK: (0, 0, 1, 1, 2, 0),
}
STRIKING = (COMBAT, SHIELD, SNIPE, WRECK, ONSLAUGHT, SHOCK)  # whose X is damage to the target
HEALING = (PRAYER, BREATH)  # of the prayers those that heal

CLASS_ABILITIES = {  # whose they are
    "honor_duel": "Knight",
    "sworn_oath": "Knight",
    "first_shot": "Archer",
    "lethal_arrow": "Archer",
    "gather_power": "Sorcerer",
    "power_surge": "Sorcerer",
    "mend": "Healer",
    "hope_infusion": "Healer",
    "out_of_hiding": "Nightblade",
    "summon_shade": "Nightblade",
}
RACIAL_ABILITIES = {  # whose they are
    "argonian": "Argonian",
    "dark_elf": "Dark Elf",
    "high_elf": "High Elf",
    "imperial": "Imperial",
    "nord": "Nord",
    "orc": "Orc",
    "redguard": "Redguard",
    "wood_elf": "Wood Elf",
}
BANNED = (*(ABILITIES[code] for code in GATHERED), *CLASS_ABILITIES, *RACIAL_ABILITIES)  # what the switch `ban` takes

STATS = ("health", "stamina", "magicka", "cooldown")  # of an adventurer
WARES = (*STATS, *DICE)  # what experience buys

MOST_NUMBER = 99  # of a numbered skill
POOL_LEVELS = (20, 10, 5, 1)
RECYCLING = ("always", "never", "without_offense")


def table(file: str) -> dict[str, Any]:
    """One of the ruleset's TOML files."""
    return read_table(FOLDER, file)


def units(part: str) -> dict[str, Any]:
    """A table of units.toml: dice, races, archetypes, companions, enemies, goals, maps."""
    return dict(table("units.toml")[part])


@dataclass(frozen=True, slots=True)
class SkillDie:
    """A kind of skill die."""

    stat: str  # S or M: what limits how many are rolled together
    forms: frozenset[int]  # in which it can be rolled
    faces: tuple[str, ...]  # those with a T come first
    mean6: int  # six times its mean damage

    @property
    def tenacious(self) -> int:
        """How many faces give tenacity: those below this number."""
        return self.faces.count("T")


@cache
def skill_dice() -> tuple[SkillDie, ...]:
    """SE-A5: by code, in which forms a die can be rolled and which statistic limits it."""
    dice = [units("dice")[name] for name in DICE]
    return tuple(
        SkillDie(
            stat=die["stat"],
            forms=frozenset(FORMS.index(form) for form in die["forms"]),
            faces=tuple(die["faces"]),
            mean6=die["mean6"],
        )
        for die in dice
    )


def parse_skill(chip: str) -> tuple[str, int]:
    """A chip such as 'Riposte 2' as name and number; 1 without a number.

    >>> parse_skill("Riposte 2"), parse_skill("Iron Bark")
    (('Riposte', 2), ('Iron Bark', 1))
    """
    name, _, number = chip.rpartition(" ")
    return (name, int(number)) if name and number.isdigit() else (chip, 1)

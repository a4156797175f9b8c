"""The tables of Second Era (sections 9 to 11), typed from the rule text."""

from __future__ import annotations

from typing import Any, NamedTuple

ENEMIES = 1_000  # enemy j is actor ENEMIES + j; party unit i is actor i
TABLE = 9_999  # what belongs to nobody
FAR = 10_000  # a range or a walk that does not exist
ALL = 10_000  # "all" targets
QUEST_RANK = 1_000  # SE-E1: quest units rank above every level
TRACK_SIZE = 13
ACTIVE_SLOTS = 4
TENACITY_CAP = 10
COMPANION_STEPS = 2  # SE-U1

# ---------------------------------------------------------------------------------------------------------------------
# Dice (11.3)
# ---------------------------------------------------------------------------------------------------------------------


class DieType(NamedTuple):
    """A line of 11.3."""

    line: str
    stat: str  # "S" or "M"
    forms: tuple[str, ...]
    faces: tuple[str, ...]
    mean6: int  # six times the mean that the policies use (section 10)


FORMS = ("light", "heavy", "ranged", "magic", "defensive")
ANY_FORM = FORMS
DICE: dict[str, DieType] = {
    "combat": DieType("combat", "S", ("light", "heavy", "ranged", "defensive"), ("T", "1", "1", "1", "1", "2"), 6),
    "shield_discipline": DieType("shield", "S", ("light",), ("T", "1", "1", "1", "1", "2"), 6),
    "heroic_slash": DieType("shield", "S", ("light",), ("T", "T", "a", "a", "b", "b"), 10),
    "snipe": DieType("bow", "S", ("ranged",), ("T", "1", "1", "1", "1", "2"), 6),
    "wrecking_blow": DieType("two_handed", "S", ("heavy",), ("T", "2", "2", "3f", "3f", "3f"), 13),
    "onslaught": DieType("two_handed", "S", ("heavy",), ("T", "T", "o4", "o4", "o5", "o5"), 18),
    "force_shock": DieType("destruction", "M", ("magic",), ("T", "2", "2", "2", "4x", "t2"), 10),
    "hasty_prayer": DieType("restoring", "M", ("magic",), ("T", "T", "h", "h", "h", "h"), 0),
    "purge": DieType("restoring", "M", ("magic",), ("T", "p", "p", "p", "p", "p"), 0),
    "breath_of_life": DieType("restoring", "M", ("magic",), ("T", "T", "b2", "b4", "b4", "b4"), 0),
    "shadow_cloak": DieType("shadow", "S", ANY_FORM, ("T", "T", "c1", "c1", "c2", "ci"), 0),
}
PREVENTING = ("shield_discipline", "combat")  # SE-A17
LIGHT, OVER = "L", "O"  # fatigue dice
FATIGUE = (LIGHT, OVER)
STATUSES = ("Bane", "Blind", "Daze", "Fear", "Maim", "Stealth")
HARMFUL = ("Bane", "Fear", "Maim", "Daze", "Blind")  # in the order of SE-A18

ENEMY_DICE = {"standard": (0, 1, 1, 1, 1, 2), "two_miss": (0, 0, 1, 1, 1, 2), "swingy": (0, 0, 1, 1, 2, 2)}  # 11.2

OFFENSIVE = {  # section 10, by form
    "light": ("heroic_slash", "shield_discipline", "combat"),
    "ranged": ("snipe", "combat"),
    "magic": ("force_shock",),
    "heavy": ("onslaught", "wrecking_blow", "combat"),
}
BANNED = (  # what the switch `ban` knows
    "light", "heavy", "ranged", "magic", "defensive", "pray", "cloak",
    "honor_duel", "sworn_oath", "first_shot", "lethal_arrow", "gather_power", "power_surge", "mend", "hope_infusion",
    "out_of_hiding", "summon_shade",
    "argonian", "dark_elf", "high_elf", "imperial", "nord", "orc", "redguard", "wood_elf",
)  # fmt: skip
HEALING = ("hasty_prayer", "breath_of_life")
PRAYERS = ("hasty_prayer", "breath_of_life", "purge")

# ---------------------------------------------------------------------------------------------------------------------
# Adventurers and companions (11.4)
# ---------------------------------------------------------------------------------------------------------------------


class Race(NamedTuple):
    health: int
    stamina: int
    magicka: int
    combat: int  # Combat dice
    cooldown: int


RACES = {
    "Argonian": Race(5, 3, 2, 1, 2),
    "Breton": Race(5, 2, 3, 1, 2),
    "Dark Elf": Race(4, 2, 3, 2, 2),
    "High Elf": Race(4, 2, 4, 1, 2),
    "Imperial": Race(5, 2, 2, 2, 2),
    "Khajiit": Race(4, 3, 2, 2, 2),
    "Nord": Race(4, 2, 2, 3, 2),
    "Orc": Race(5, 2, 2, 1, 3),
    "Redguard": Race(4, 3, 2, 3, 1),
    "Wood Elf": Race(5, 3, 1, 2, 2),
}


class Archetype(NamedTuple):
    race: str
    form: str
    abilities: str  # class of 11.7
    start: tuple[str, ...]  # without the Combat dice, which come from the race
    type_order: tuple[str, ...]
    purchases: tuple[str, ...]  # die types, or H, S, M, CD


SHIELD, SLASH, WRECK, SHOCK = "shield_discipline", "heroic_slash", "wrecking_blow", "force_shock"
PRAYER, BREATH, CLOAK = "hasty_prayer", "breath_of_life", "shadow_cloak"

ARCHETYPES = {
    "knight": Archetype(
        "Argonian", "light", "Knight", (SHIELD, SHIELD), (SHIELD, "combat", SLASH),
        (SHIELD, "H", "CD", "S", SLASH, "H", SHIELD, "combat", "CD", "H", SHIELD),
    ),
    "archer": Archetype(
        "Wood Elf", "ranged", "Archer", ("snipe", "snipe"), ("snipe", "combat"),
        ("snipe", "CD", "S", "snipe", "H", "combat", "CD", "H", "S", "combat", "H"),
    ),
    "mage": Archetype(
        "Dark Elf", "magic", "Sorcerer", (SHOCK, SHOCK), (SHOCK, "combat"),
        (SHOCK, "CD", "H", SHOCK, "M", "H", "CD", "S", "H", "M"),
    ),
    "healer": Archetype(
        "High Elf", "light", "Healer", (PRAYER, "purge"), (PRAYER, "purge", "combat", BREATH),
        ("combat", BREATH, "H", "combat", "CD", "S", "H", BREATH, "combat", "CD", "H"),
    ),
    "nightblade": Archetype(
        "Khajiit", "light", "Nightblade", (CLOAK, CLOAK), (CLOAK, "combat"),
        ("combat", "CD", "H", "combat", "S", "H", "combat", "CD", "H", "combat"),
    ),
    "berserker": Archetype(
        "Orc", "heavy", "none", (WRECK, WRECK), (WRECK, "combat", "onslaught"),
        ("S", WRECK, "H", "CD", "onslaught", WRECK, "H", "S", WRECK, "CD", "H"),
    ),
}  # fmt: skip


class Creature(NamedTuple):
    """A line of 11.5, or a companion (level 0, no priority)."""

    level: int | str
    kind: str
    health: int
    range: int
    combat: int
    defense: int
    targets: int | str
    priority: str
    skills: tuple[str, ...]


COMPANIONS = {
    "hound": Creature(0, "companion", 4, 1, 1, 0, 1, "", ()),
    "familiar": Creature(0, "companion", 3, 3, 1, 0, 1, "", ()),
}

# ---------------------------------------------------------------------------------------------------------------------
# Enemies (11.5) and the XP goals
# ---------------------------------------------------------------------------------------------------------------------

ENEMY_TYPES = {
    "high_elf_bandit": Creature(1, "humanoid", 2, 1, 1, 0, 1, "weakest", ("Dodge",)),
    "argonian_bandit": Creature(1, "humanoid", 2, 3, 1, 0, 2, "strongest", ()),
    "mudcrab": Creature(1, "beast", 2, 1, 1, 1, 1, "strongest", ()),
    "skeever": Creature(1, "beast", 2, 1, 1, 0, 1, "weakest", ("Aggressive",)),
    "scamp": Creature(1, "daedra", 2, 2, 1, 0, 1, "weakest", ("Enfeeble 1",)),
    "bandit_archer": Creature(5, "humanoid", 4, 4, 2, 0, 1, "weakest", ()),
    "draugr": Creature(5, "humanoid", 5, 1, 2, 1, 1, "strongest", ("Maim",)),
    "spriggan": Creature(5, "beast", 4, 2, 2, 0, 1, "strongest", ("Ritual 1",)),
    "alpha_wolf": Creature(5, "beast", 4, 1, 2, 0, 1, "weakest", ("Aggressive", "Rush")),
    "clannfear": Creature(5, "daedra", 5, 1, 2, 1, 2, "strongest", ("Riposte 1",)),
    "ogre": Creature(10, "humanoid", 7, 1, 3, 1, 1, "strongest", ("Daze",)),
    "storm_mage": Creature(10, "humanoid", 5, 4, 1, 0, 2, "weakest", ("Arcane",)),
    "troll": Creature(10, "beast", 7, 1, 3, 0, 1, "strongest", ("Recover",)),
    "spider": Creature(10, "beast", 6, 3, 2, 1, 1, "weakest", ("Bane", "Enfeeble 1")),
    "daedroth": Creature(20, "daedra", 10, 1, 3, 1, 2, "strongest", ("Riposte 1", "Intimidate")),
    "lich": Creature(20, "humanoid", 8, 5, 2, 1, "all", "weakest", ("Bane", "Ritual 1")),
    "giant": Creature(20, "humanoid", 12, 2, 4, 1, 1, "strongest", ("Divert",)),
    "champion": Creature("quest", "humanoid", 8, 1, 1, 1, 2, "strongest", ("Vindictive", "Bide")),
}
POOL_LEVELS = (20, 10, 5, 1)  # SE-S3
BAGS = {level: tuple(name for name, row in ENEMY_TYPES.items() if row.level == level) for level in POOL_LEVELS}

SKILLS = (  # 7.6, SE-K1 to SE-K27
    "Aggressive", "Arcane", "Bane", "Maim", "Daze", "Intimidate", "Enfeeble", "Dodge", "Divert", "Stalwart", "Elusive",
    "Riposte", "Ethereal", "Iron Bark", "Ritual", "Recover", "Bide", "Rush", "Swift", "Necrotic", "Disrupt", "Bladed",
    "Vindictive", "Smite", "Detection", "Retreat", "Decay",
)  # fmt: skip
NUMBERED_SKILLS = ("Enfeeble", "Riposte", "Ritual")

XP_GOALS = {  # part, then difficulty: for 1, 2, 3, 4 players
    "part1": {"apprentice": (13, 13, 14, 14), "adept": (16, 16, 16, 16), "expert": (18, 18, 18, 18)},
    "part2": {"apprentice": (27, 26, 30, 30), "adept": (29, 29, 32, 32), "expert": (33, 32, 34, 33)},
    "part3": {"apprentice": (32, 31, 32, 32), "adept": (34, 34, 34, 34), "expert": (37, 37, 37, 38)},
}

# ---------------------------------------------------------------------------------------------------------------------
# Switches and presets (9), policies (10)
# ---------------------------------------------------------------------------------------------------------------------

DEFAULTS: dict[str, Any] = {
    "party_choice": "random",
    "sight_rule": "tile",
    "enemy_die": "standard",
    "enemy_move": 2,
    "dest_tiebreak": "priority",
    "fallback_move": "greedy",
    "damage_pooling": "engage",
    "daze_engage": "zero_dice",
    "riposte_trigger": "dealt",
    "blind_rule": "errata",
    "blind_friends": "spared",
    "shade_answers": "enemies",
    "difficulty": "adept",
    "fatigue_from": 6,
    "end_check": "end_of_round",
    "racial_abilities": "off",
    "class_abilities": "off",
    "ep_mult": 1.0,
    "retreat": "never",
    "round_cap": 20,
    "ban": [],
    "guard": "always",
}
CHOICES: dict[str, tuple[Any, ...]] = {  # switches with a closed list of values
    "party_choice": ("random", "best_for_party"),
    "sight_rule": ("tile", "line", "none"),
    "enemy_die": tuple(ENEMY_DICE),
    "enemy_move": (1, 2, 3, 4),
    "dest_tiebreak": ("priority", "priority_near", "nearest_unit", "most_targets"),
    "fallback_move": ("greedy", "planned"),
    "damage_pooling": ("engage", "per_die"),
    "daze_engage": ("zero_dice", "skip"),
    "riposte_trigger": ("dealt", "taken"),
    "blind_rule": ("errata", "rulebook"),
    "blind_friends": ("spared", "passed_over"),
    "shade_answers": ("enemies", "everything"),
    "difficulty": ("apprentice", "adept", "expert"),
    "fatigue_from": (4, 5, 6, 7, 8, 9, 10, "off"),
    "end_check": ("end_of_round", "immediate"),
    "racial_abilities": ("off", "on"),
    "class_abilities": ("off", "on"),
    "guard": ("always", "never"),
}
PRESETS: dict[str, dict[str, Any]] = {
    "official": {},
    "rulebook_v1": {"dest_tiebreak": "nearest_unit", "blind_rule": "rulebook"},
    "tight_sight": {"sight_rule": "line"},
    "cruel": {"difficulty": "expert", "enemy_die": "swingy", "fatigue_from": 5},
}
POLICY_NAMES = ("random", "aggressive", "cautious", "focus_fire", "hold_entrance")

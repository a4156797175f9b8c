"""Section 11 and section 9 as literals: races, classes, abilities, enemies, switches, boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

CORES = ("lift", "think", "balance", "move", "lead")
SHORT = {"Lt": 0, "Th": 1, "Bc": 2, "Mv": 3, "Ld": 4}

POLICIES = ("random_legal", "brawler", "guardian", "sniper", "medic", "focus_fire")  # 10.2

# ---------------------------------------------------------------------------------------------------------------------
# Switches (section 9): name -> (p52-1.4, p52-draft)
# ---------------------------------------------------------------------------------------------------------------------

SWITCHES: dict[str, tuple[Any, Any]] = {
    "target_order": ("last_then_closest", "weakest"),
    "distribute_attacks": ("off", "on"),
    "move_order": ("last_then_closest", "nearest_weakest"),
    "enemy_king": ("double", "extra"),
    "untrained_defence": ("scaled", "flat3"),
    "stunned_self_spell": ("off", "on"),
    "frozen_recovers": ("off", "on"),
    "untrained_attack": ("on", "off"),
    "aim_loss_on_hit": ("one", "all"),
    "stance_on_failed_defence": ("keep", "reset"),
    "space_recovery": ("quarter", "none"),
    "other_ability_xp": (1, 2),
    "enemy_hit": ("greater", "greater"),
    "hero_hit": ("meet", "meet"),
    "cornered_enemy": ("heal", "heal"),
    "idle_enemy": ("heal", "heal"),
    "king_stage": ("before_defence", "before_defence"),
    "king_on_tie": ("plain", "plain"),
    "drop_mode": ("free_pass", "free_pass"),
    "enemy_death": ("at_zero", "at_zero"),
    "attack_choice": ("by_target", "by_target"),
    "ranged_only_close": ("as_listed", "as_listed"),
    "enemy_advance": ("full", "full"),
    "counter_depth": (3, 3),
    "party_choice": ("random", "random"),
    "enemy_king_extra": ("2*L", "2*L"),
    "enemy_level_bonus": (5, 5),
    "min_target": ("none", "none"),
    "deck_mode": ("deck", "deck"),
    "reshuffle_at": (13, 13),
    "stamina_start": (5, 5),
    "stamina_max": (5, 5),
    "round_cap": (100, 100),
    "arrows": ("tracked", "tracked"),
    "boss_rout": ("off", "off"),
    "gear": ("standard", "standard"),
    "ability_price": ("times_level", "times_level"),
    "data_set": ("calico", "calico"),
    "flee_limit": ("none", "none"),
    "ban": ([], []),
}
PRESETS = ("p52-1.4", "p52-draft")

CHOICES: dict[str, tuple[str, ...]] = {  # the values of the switches that are words
    "target_order": ("last_then_closest", "weakest"),
    "distribute_attacks": ("off", "on"),
    "move_order": ("last_then_closest", "nearest_weakest"),
    "enemy_king": ("double", "extra"),
    "untrained_defence": ("scaled", "flat3"),
    "stunned_self_spell": ("off", "on"),
    "frozen_recovers": ("off", "on"),
    "untrained_attack": ("on", "off"),
    "aim_loss_on_hit": ("one", "all"),
    "stance_on_failed_defence": ("keep", "reset"),
    "space_recovery": ("quarter", "none"),
    "enemy_hit": ("greater", "meet"),
    "hero_hit": ("meet", "greater"),
    "cornered_enemy": ("heal", "fight"),
    "idle_enemy": ("heal", "skip", "random"),
    "king_stage": ("before_defence", "after_defence"),
    "king_on_tie": ("plain", "doubled"),
    "drop_mode": ("free_pass", "first_round", "off"),
    "enemy_death": ("at_zero", "below_zero"),
    "attack_choice": ("by_target", "ranged_first"),
    "ranged_only_close": ("as_listed", "retreat_all"),
    "enemy_advance": ("full", "stop_in_range"),
    "party_choice": ("random", "best_for_party"),
    "deck_mode": ("deck", "iid"),
    "arrows": ("tracked", "unlimited"),
    "boss_rout": ("off", "on"),
    "gear": ("standard", "none"),
    "ability_price": ("times_level", "flat"),
    "data_set": ("calico", "mountain"),
}

# ---------------------------------------------------------------------------------------------------------------------
# Races and classes (11.1, 11.3); cores in the order Lt, Th, Bc, Mv, Ld
# ---------------------------------------------------------------------------------------------------------------------

Five = tuple[int, int, int, int, int]

RACES: dict[str, dict[str, Five]] = {
    "calico": {
        "miowethian": (0, 1, 2, 0, -1),
        "wufanthian": (1, 0, -1, 0, 2),
        "avanti": (-1, 2, 0, 3, -2),
        "urson": (3, -1, -1, 1, 0),
        "escurielle": (-1, -1, 3, 2, -1),
        "racuu": (0, 3, 1, -1, -1),
        "otorani": (-1, 1, 0, -1, 3),
    },
    "mountain": {
        "human": (-1, 0, 1, 0, 2),
        "elf": (-1, 2, 1, 1, -1),
        "dwarf": (3, 1, -1, -1, 0),
        "orc": (2, -1, 1, 1, -1),
        "fairy": (-1, 1, 2, 1, -1),
    },
}


class ClassEntry(NamedTuple):
    """A class: core modifiers (11.1) and how its standard hero is built (11.3)."""

    cores: Five
    starting: tuple[str, ...]
    race: str
    allocation: Five
    cycle: tuple[str, ...]
    focus: tuple[str, ...]
    wishes: tuple[str, ...]
    weapons: tuple[tuple[int, str], ...] = ()  # P52-D6, P52-D9: from which level
    arrows: tuple[tuple[int, int, int], ...] = ()  # from which level: basic, sharp
    stock: dict[str, int] = {}  # noqa: RUF012 (P52-D8; never written to)
    name: str | None = None


def names(text: str) -> tuple[str, ...]:
    """'Sword, Body Block' -> ('sword', 'body_block')."""
    return tuple(part.strip().lower().replace(" ", "_").replace("-", "_") for part in text.split(","))


CYCLES = {
    "fighter": ("Lt", "Th", "Bc", "Lt", "Th", "Mv", "Lt", "Th", "Ld", "Lt"),
    "rogue": ("Bc", "Lt", "Th", "Mv", "Bc", "Th", "Lt", "Bc", "Mv", "Ld"),
    "wizard": ("Th", "Lt", "Ld", "Th", "Mv", "Lt", "Th", "Bc", "Lt", "Th"),
    "cleric": ("Th", "Lt", "Bc", "Lt", "Ld", "Th", "Mv", "Lt", "Th", "Mv"),
    "captain": ("Lt", "Th", "Bc", "Lt", "Mv", "Th", "Ld", "Lt", "Bc", "Th"),
}

CLASSES: dict[str, dict[str, ClassEntry]] = {
    "calico": {
        "fighter": ClassEntry(
            (2, 0, -1, 0, 1), names("Sword, Body Block"), "urson", (2, 4, 0, 1, 0), CYCLES["fighter"],
            names("Sword, Body Block, Power Thrust"),
            names("Shield Block, Power Thrust, Charge, Counter Spell, Double Tap, Parry, Dodge, Two-handed, Grapple,"
                  "Knife, Bow"),
        ),
        "rogue": ClassEntry(
            (-1, 1, 2, 2, -2), names("Bow, Lock Picking, Dodge"), "miowethian", (4, 1, 0, 2, 0), CYCLES["rogue"],
            names("Bow, Dodge, Knife"),
            names("Knife, Knife Throw, Counter Spell, Double Tap, Body Block, Parry, Grapple, Power Thrust,"
                  "Shield Block, Charge, Two-handed"),
        ),
        "wizard": ClassEntry(
            (-1, 3, 0, -1, 1), names("Fire Ball, Scholar, Counter Spell"), "racuu", (4, 1, 0, 2, 0), CYCLES["wizard"],
            names("Fire Ball, Counter Spell, Ice Storm"),
            names("Ice Storm, Tidal Wave, Body Block, Heal, Healing Glow, Meteor Strike, Dodge, Revive, Parry,"
                  "Shield Block, Two-handed, Grapple"),
        ),
        "cleric": ClassEntry(
            (-1, 2, 0, 2, -1), names("Heal, Grapple, Dodge"), "otorani", (4, 2, 0, 1, 0), CYCLES["cleric"],
            names("Grapple, Dodge, Heal"),
            names("Healing Glow, Counter Spell, Body Block, Fire Ball, Revive, Tidal Wave, Shield Block, Ice Storm,"
                  "Parry, Charge, Meteor Strike"),
        ),
        "captain": ClassEntry(
            (1, -1, -1, 1, 2), names("Knife, Threaten, Body Block"), "wufanthian", (1, 3, 3, 0, 0), CYCLES["captain"],
            names("Knife, Body Block, Sword"),
            names("Sword, Shield Block, Counter Spell, Parry, Power Thrust, Double Tap, Charge, Healing Glow, Dodge,"
                  "Two-handed, Grapple, Bow"),
        ),
    },
    "mountain": {
        "fighter": ClassEntry(
            (2, -1, 1, 0, 1), names("Sword Play, Block"), "dwarf", (1, 3, 0, 3, 0), CYCLES["fighter"],
            names("Sword Play, Block, Power Thrust"),
            names("Power Thrust, Counter Spell, Dodge, Double Tap, Hand-to-hand, Knife Use, Knife Throw, Bow Skills"),
        ),
        "rogue": ClassEntry(
            (0, 1, 2, 1, -1), names("Bow Skills, Lock Pick, Dodge"), "fairy", (4, 1, 0, 2, 0), CYCLES["rogue"],
            names("Bow Skills, Dodge, Knife Use"),
            names("Knife Use, Knife Throw, Counter Spell, Double Tap, Block, Hand-to-hand, Power Thrust, Sword Play"),
        ),
        "wizard": ClassEntry(
            (-1, 3, 0, 0, 1), names("Fire Ball, Counter Spell"), "elf", (4, 2, 0, 1, 0), CYCLES["wizard"],
            names("Fire Ball, Counter Spell, Meteor Strike"),
            names("Ice Storm, Block, Heal, Healing Glow, Meteor Strike, Dodge, Revive, Hand-to-hand, Power Thrust,"
                  "Double Tap, Knife Use, Sword Play, Bow Skills"),
        ),
        "cleric": ClassEntry(
            (0, 2, 1, -1, 1), names("Heal, Hand-to-hand, Dodge"), "human", (3, 3, 0, 1, 0), CYCLES["cleric"],
            names("Hand-to-hand, Dodge, Heal"),
            names("Healing Glow, Counter Spell, Block, Fire Ball, Revive, Ice Storm, Power Thrust, Meteor Strike,"
                  "Knife Use, Double Tap, Bow Skills"),
        ),
        "captain": ClassEntry(
            (1, -1, -1, 1, 3), names("Hand-to-hand, Threaten, Block"), "human", (3, 3, 0, 1, 0), CYCLES["captain"],
            names("Hand-to-hand, Block, Sword Play"),
            names("Sword Play, Counter Spell, Power Thrust, Double Tap, Healing Glow, Dodge, Knife Use, Knife Throw,"
                  "Bow Skills"),
        ),
    },
}  # fmt: skip

# ---------------------------------------------------------------------------------------------------------------------
# Abilities (11.2). Target: aLv, R, n; damage: the hero, aLv, O, R, I
# ---------------------------------------------------------------------------------------------------------------------

Target = Callable[[int, int, int], int]
Damage = Callable[[Any, int, int, int, int], int]


class Ability(NamedTuple):
    """A line of 11.2; `reach` and the formulas are those of attacks."""

    kind: str  # melee, ranged, magic, support, defence, follow (Double Tap), none
    exp: int
    needs: dict[str, int]
    reach: tuple[int, int] = (0, 0)
    target: Target = lambda a, r, n: 0
    damage: Damage = lambda h, a, o, r, i: 0


ABILITIES: dict[str, dict[str, Ability]] = {
    "calico": {
        "grapple": Ability("melee", 4, {"Lt": 2, "Mv": 3}, (0, 0), lambda a, r, n: 7 - a,
                           lambda h, a, o, r, i: h.lift // 3 + 2 * o),
        "knife": Ability("melee", 6, {"Bc": 3, "Mv": 2}, (0, 0), lambda a, r, n: 8 - a,
                         lambda h, a, o, r, i: a + h.balance + i),
        "bow": Ability("ranged", 6, {"Th": 2, "Bc": 3}, (1, 10), lambda a, r, n: 6 + max(r, 2) - a,
                       lambda h, a, o, r, i: 2 * a + h.balance // 2 + i),
        "sword": Ability("melee", 6, {"Lt": 5, "Bc": 2}, (0, 0), lambda a, r, n: 9 - a,
                         lambda h, a, o, r, i: 2 * a + o + i),
        "two_handed": Ability("melee", 6, {"Lt": 4, "Th": 2}, (0, 1), lambda a, r, n: 10 - a,
                              lambda h, a, o, r, i: 3 * a + o // 2 + i),
        "knife_throw": Ability("ranged", 8, {"Lt": 2, "Bc": 4}, (1, 2), lambda a, r, n: 9 - a + r,
                               lambda h, a, o, r, i: 2 * (o + 1) + i),
        "fire_ball": Ability("magic", 9, {"Th": 6, "Bc": 2}, (0, 10), lambda a, r, n: 9 - a + r,
                             lambda h, a, o, r, i: 2 * a + o + i),
        "ice_storm": Ability("magic", 9, {"Th": 6, "Lt": 3}, (0, 10), lambda a, r, n: 9 - a + r,
                             lambda h, a, o, r, i: 2 * a + o + i),
        "tidal_wave": Ability("magic", 9, {"Th": 6, "Mv": 3}, (0, 10), lambda a, r, n: 9 - a + r,
                              lambda h, a, o, r, i: 2 * a + o + i),
        "heal": Ability("support", 9, {"Th": 6, "Ld": 2}, (0, 10), lambda a, r, n: 5 + r),
        "body_block": Ability("defence", 7, {"Lt": 4, "Mv": 2}, target=lambda a, r, n: 8 - a),
        "shield_block": Ability("defence", 9, {"Lt": 5, "Bc": 2}, target=lambda a, r, n: 8 - a),
        "parry": Ability("defence", 10, {"Lt": 4, "Th": 3}, target=lambda a, r, n: 10 - a),
        "counter_spell": Ability("defence", 8, {"Th": 4, "Bc": 2}, target=lambda a, r, n: 8 - a),
        "dodge": Ability("defence", 10, {"Mv": 3, "Bc": 3}, target=lambda a, r, n: 10 - a),
        "power_thrust": Ability("melee", 10, {"Lt": 6, "Bc": 3}, (0, 0), lambda a, r, n: 8 + n - a,
                                lambda h, a, o, r, i: 3 * a + o + i),
        "double_tap": Ability("follow", 12, {"Lt": 5, "Mv": 5}, (0, 0), lambda a, r, n: 10 - a,
                              lambda h, a, o, r, i: 3 * o),
        "threaten": Ability("support", 12, {"Th": 3, "Ld": 7}, (0, 20), lambda a, r, n: 10 - a + n),
        "healing_glow": Ability("support", 13, {"Th": 7, "Ld": 4}, target=lambda a, r, n: 10 - a),
        "charge": Ability("melee", 13, {"Lt": 7, "Mv": 4}, (0, 0), lambda a, r, n: 9 - a + n,
                          lambda h, a, o, r, i: a + o),
        "meteor_strike": Ability("magic", 13, {"Th": 9, "Lt": 6}, (0, 10), lambda a, r, n: 10 - a + r,
                                 lambda h, a, o, r, i: 3 * a + o + i),
        "revive": Ability("support", 13, {"Th": 9, "Bc": 6}, target=lambda a, r, n: 11 - a),
        "lock_picking": Ability("none", 0, {}),
        "scholar": Ability("none", 0, {}),
    },
    "mountain": {
        "hand_to_hand": Ability("melee", 5, {"Lt": 2, "Mv": 2}, (0, 0), lambda a, r, n: 7 - a,
                                lambda h, a, o, r, i: h.lift // 3 + 2 * o),
        "knife_use": Ability("melee", 6, {"Lt": 2, "Bc": 3}, (0, 0), lambda a, r, n: 9 - a,
                             lambda h, a, o, r, i: h.balance // 2 + 2 * o + i),
        "bow_skills": Ability("ranged", 8, {"Th": 2, "Bc": 3}, (0, 10), lambda a, r, n: r + 4,
                              lambda h, a, o, r, i: 3 * a + o - r + i),
        "sword_play": Ability("melee", 8, {"Lt": 6}, (0, 0), lambda a, r, n: 7,
                              lambda h, a, o, r, i: a + o + 8 + i),
        "knife_throw": Ability("ranged", 10, {"Lt": 3, "Bc": 4}, (0, 1), lambda a, r, n: 10 - a,
                               lambda h, a, o, r, i: 2 * (o + 1)),
        "fire_ball": Ability("magic", 8, {"Th": 6}, (0, 10), lambda a, r, n: 5 + r,
                             lambda h, a, o, r, i: 2 * a + o),
        "heal": Ability("support", 10, {"Th": 6, "Ld": 3}, (0, 10), lambda a, r, n: 5 + r),
        "block": Ability("defence", 7, {"Lt": 4}, target=lambda a, r, n: 6),
        "counter_spell": Ability("defence", 7, {"Th": 4}, target=lambda a, r, n: 6),
        "dodge": Ability("defence", 10, {"Mv": 2, "Bc": 3}, target=lambda a, r, n: 10 - a),
        "power_thrust": Ability("melee", 10, {"Lt": 6, "Bc": 3}, (0, 0), lambda a, r, n: 8 + n,
                                lambda h, a, o, r, i: 3 * a + o),
        "threaten": Ability("support", 11, {"Ld": 7, "Th": 4}, (0, 0), lambda a, r, n: 9 + n),
        "healing_glow": Ability("support", 10, {"Th": 6, "Ld": 4}, target=lambda a, r, n: 11 - a),
        "ice_storm": Ability("magic", 12, {"Th": 6, "Bc": 5}, (0, 10), lambda a, r, n: 10 - a + r),
        "meteor_strike": Ability("magic", 12, {"Th": 8, "Lt": 6}, (0, 10), lambda a, r, n: 10 - a + r,
                                 lambda h, a, o, r, i: 2 * a + o),
        "double_tap": Ability("follow", 12, {"Mv": 5, "Lt": 5}, (0, 0), lambda a, r, n: 10 - a,
                              lambda h, a, o, r, i: 3 * o),
        "revive": Ability("support", 0, {"Th": 8, "Bc": 6}, target=lambda a, r, n: 10),
        "lock_pick": Ability("none", 0, {}),
    },
}  # fmt: skip

DEFENCES = {  # P52-Y3: the order of ties
    "calico": ("body_block", "shield_block", "parry", "counter_spell", "dodge"),
    "mountain": ("block", "counter_spell", "dodge"),
}
UNTRAINED_ATTACKS = ("knife", "bow", "sword", "two_handed", "knife_throw")  # P52-H12
WAND_SPELLS = (
    "fire_ball", "ice_storm", "tidal_wave", "heal", "healing_glow", "meteor_strike", "revive",
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------------------------
# Boards (section 12)
# ---------------------------------------------------------------------------------------------------------------------

BOARDS = {
    "hall": ".....\n.#.#.\n.#.#.\n.#.#.\n.#.#.\n..S..",
    "corridor": "#.#\n...\n...\n#.#\n#.#\n...\n...\n#S#",
    "great_room": "....\n....\nH##.\n.##O\n....\nS...",
    "lane": "S......",
    "one": "S",
}

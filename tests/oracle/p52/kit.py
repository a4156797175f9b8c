"""What a hero can do with its abilities and gear (11.2, 11.4): attacks and defences with all fixed numbers put in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .bestiary import CALICO_GEAR
from .build import HeroSheet
from .data import ABILITIES, DEFENCES, UNTRAINED_ATTACKS, WAND_SPELLS

ATTACK_KINDS = ("melee", "ranged", "magic")
AREAS = {  # whom an attack reaches besides its primary target, by data set
    "calico": {
        "power_thrust": "spot", "charge": "spot", "fire_ball": "fire", "ice_storm": "ice", "tidal_wave": "wave",
        "meteor_strike": "meteor",
    },
    "mountain": {"power_thrust": "spot", "ice_storm": "frost", "meteor_strike": "meteor"},
}  # fmt: skip


class HeroAttack:
    """One attack ability of one hero: target number and damage as functions of R, n, O and I."""

    __slots__ = (
        "area", "bonus", "damage_of", "freeze", "hero", "item", "kind", "known", "least", "level", "lowest", "margin",
        "modifier", "most", "name", "needs", "order", "soft_tie", "target_of", "water",
    )  # fmt: skip

    def __init__(self, sheet: HeroSheet, name: str, switches: dict[str, Any], item: str | None) -> None:
        data_set = switches["data_set"]
        entry = ABILITIES[data_set][name]
        trained = name in sheet.abilities
        gear = CALICO_GEAR[item] if item else None
        self.hero, self.name, self.kind, self.item = sheet, name, entry.kind, item
        self.order = list(ABILITIES[data_set]).index(name)  # its line in 11.2
        self.level = sheet.abilities.get(name, 1)
        self.least, self.most = entry.reach
        self.target_of = entry.target
        self.damage_of = entry.damage if trained else lambda h, a, o, r, i: o // 2 + i  # P52-H12
        self.modifier = (gear.target if gear else 0) + (0 if trained else 2)
        self.bonus = sheet.bonus.get(name, 0) + (gear.bonus if gear and entry.kind != "support" else 0)
        self.area = AREAS[data_set].get(name, "one")
        self.freeze = {"ice": 2, "frost": 3}.get(self.area, 0)
        self.water = name in ("ice_storm", "tidal_wave")  # P52-E18
        self.needs = ""  # an arrow, or the knife still in hand
        if data_set == "calico":
            self.needs = {"bow": "arrow", "knife": "knife", "knife_throw": "knife"}.get(name, "")
        self.margin = 1 if switches["hero_hit"] == "greater" else 0  # P52-C3: T must reach target + margin
        self.lowest = None if switches["min_target"] == "none" else int(switches["min_target"])
        self.soft_tie = switches["king_on_tie"] == "plain"
        self.known: dict[tuple[Any, ...], tuple[int, int]] = {}

    def target(self, r: int, n: int) -> int:
        """P52-C1: the target number at range r against n enemies."""
        number = self.target_of(self.level, r, n) + self.modifier
        return number if self.lowest is None else max(self.lowest, number)

    def damage(self, o: int, r: int, extra: int) -> int:
        """The base damage; `extra` is the arrow or the Stiletto's counter bonus."""
        return max(0, self.damage_of(self.hero, self.level, o, r, self.bonus + extra))

    def hit_values(self, target: int, aim: int) -> range:
        """The cards that hit, Ace excluded."""
        return range(max(2, target + self.margin - aim), 14)


class Defence:
    """One defence of one hero: target, and what a success leaves of the damage."""

    __slots__ = ("counter_from", "iron", "level", "lowest", "name", "needs_knife", "number", "reduction")

    def __init__(self, sheet: HeroSheet, name: str, switches: dict[str, Any]) -> None:
        data_set = switches["data_set"]
        trained = name in sheet.abilities
        level = sheet.abilities.get(name, 1)
        self.name, self.level = name, level
        self.number = ABILITIES[data_set][name].target(level, 0, 0)  # the target number
        self.counter_from = 99  # O from which a success grants a counter attack; a King by counter_from < 99
        self.iron = False
        self.needs_knife = False
        extra, per_o = 0, 0  # reduction = extra + O * ... by name below
        if name == "body_block":
            extra = level + sheet.lift // 2
        elif name == "shield_block":
            extra = level + shield_bonus(sheet.gear["shield"], trained)
            per_o = 2
            self.iron = trained and sheet.gear["shield"] == "iron_shield"
            self.counter_from = 98
        elif name == "parry":
            item, self.needs_knife = parrying_weapon(sheet)
            parry = CALICO_GEAR[item].parry
            assert parry is not None
            self.number += parry[0]
            extra, per_o = level + parry[1], 3
            self.counter_from = 3
        elif name == "counter_spell" and data_set == "calico":
            extra, per_o = level + sheet.think, 1
        elif name != "dodge":  # Block and Counter Spell of the mountain
            extra, per_o = level, 1
        if not trained:  # P52-C17
            self.number += 3 if switches["untrained_defence"] == "flat3" else max(1, 3 - sheet.level // 5)
        self.lowest = None if switches["min_target"] == "none" else int(switches["min_target"])
        self.reduction: Callable[[int], int] | None = None  # None: Dodge
        if name != "dodge":
            self.reduction = (lambda o: extra + o // per_o) if per_o else (lambda o: extra)

    def target(self, harder: int = 0) -> int:
        """P52-C16; the cave beast makes it harder (P52-E15)."""
        number = self.number + harder
        return number if self.lowest is None else max(self.lowest, number)

    def grants_counter(self, o: int, value: int) -> bool:
        """11.2: Parry by O >= 3 or a natural King, Shield Block by a natural King."""
        return self.counter_from < 99 and (o >= self.counter_from or value == 13)

    def taken(self, raw: int, o: int, armour: int, shield: int = 0) -> int:
        """P52-C13: the damage after a success by o; `shield` is the flip of an iron shield."""
        if self.reduction is not None:
            return max(0, raw - self.reduction(o) - shield - armour)
        return max(0, raw // 2 - armour) if o <= 2 else 0


def shield_bonus(item: str, trained: bool) -> int:
    """11.4: what the shield adds to Shield Block without a flip."""
    if item == "leather_shield":
        return 3 if trained else 2
    return 0 if trained else 4


def parrying_weapon(sheet: HeroSheet) -> tuple[str, bool]:
    """P52-I37: the weapon that parries, and whether it is the knife; '' if there is none."""
    for slot in ("main", "side"):
        item = sheet.gear.get(slot)
        if item is not None and CALICO_GEAR[item].parry is not None:
            return item, slot == "side"
    return "", False


class Kit:
    """A hero's sheet with everything that its abilities make of it."""

    def __init__(self, sheet: HeroSheet, switches: dict[str, Any]) -> None:
        self.sheet = sheet
        self.switches = switches
        self.data_set = switches["data_set"]
        self.banned = set(switches["ban"])
        self.attacks = [attack for attack in map(self.attack, ABILITIES[self.data_set]) if attack is not None]
        self.counters = [attack for attack in self.attacks if attack.name != "power_thrust"]  # P52-C8
        self.charge = self.special("charge")
        self.double_tap = self.special("double_tap")
        self.defences = self.all_defences()
        self.known_defences: dict[tuple[int, bool, int, int, bool], Defence | None] = {}

    def knows(self, name: str) -> bool:
        return name in self.sheet.abilities and name not in self.banned

    def weapon(self, name: str) -> str | None:
        """The item an ability is used with, '' if it needs none, None if the hero lacks it."""
        if self.data_set == "mountain":
            return ""
        gear = self.sheet.gear
        main, side = gear.get("main"), gear.get("side")
        if name in ("knife", "knife_throw"):
            return side
        if name in ("bow", "sword", "two_handed"):
            return main if main is not None and CALICO_GEAR[main].use == name else None
        if name == "power_thrust":
            return self.best_melee_weapon()
        if name in WAND_SPELLS:
            return main if main is not None and CALICO_GEAR[main].use == "wand" else ""
        return ""

    def best_melee_weapon(self) -> str | None:
        """Power Thrust: the equipped melee weapon with the largest I; the main weapon if equal."""
        held = [self.sheet.gear.get(slot) for slot in ("main", "side")]
        fit = [item for item in held if item and CALICO_GEAR[item].use in ("sword", "two_handed", "knife")]
        return max(fit, key=lambda item: CALICO_GEAR[item].bonus) if fit else None

    def attack(self, name: str) -> HeroAttack | None:
        """P52-H12: the attack ability if the hero may ever use it (Charge and Double Tap apart)."""
        entry = ABILITIES[self.data_set][name]
        if entry.kind not in ATTACK_KINDS or name == "charge" or name in self.banned:
            return None
        untrained = (
            self.data_set == "calico" and self.switches["untrained_attack"] == "on" and name in UNTRAINED_ATTACKS
        )
        if name not in self.sheet.abilities and not untrained:
            return None
        item = self.weapon(name)
        if item is None:
            return None
        attack = HeroAttack(self.sheet, name, self.switches, item or None)
        if name == "power_thrust" and self.data_set == "calico":
            attack.modifier = 0  # its target names no Tm
            if item == self.sheet.gear.get("side"):
                attack.needs = "knife"
        return attack

    def special(self, name: str) -> HeroAttack | None:
        return HeroAttack(self.sheet, name, self.switches, None) if self.knows(name) else None

    def all_defences(self) -> list[Defence]:
        """P52-C15, P52-C17: trained or not, if the gear is there."""
        found = []
        for name in DEFENCES[self.data_set]:
            lacks_shield = name == "shield_block" and "shield" not in self.sheet.gear
            lacks_weapon = name == "parry" and not parrying_weapon(self.sheet)[0]
            if not (lacks_shield or lacks_weapon or name in self.banned):
                found.append(Defence(self.sheet, name, self.switches))
        return found

    def support_target(self, name: str, r: int = 0, n: int = 0) -> int:
        """P52-H8: the target number of Heal, Healing Glow, Revive, Threaten."""
        sheet = self.sheet
        number = ABILITIES[self.data_set][name].target(sheet.abilities[name], r, n)
        main = sheet.gear.get("main")
        if self.data_set == "calico" and name in WAND_SPELLS and main and CALICO_GEAR[main].use == "wand":
            number += CALICO_GEAR[main].target
        return number if self.switches["min_target"] == "none" else max(number, int(self.switches["min_target"]))

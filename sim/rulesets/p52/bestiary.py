"""Enemies by the average level of the party (P52-U5, P52-S1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.expr import Expression, parse
from sim.rulesets.p52 import data
from sim.rulesets.p52.schema import Enemy

TOP = 1_000_000  # the initiative of those who go before everyone (P52-E13)
MELEE, MAGIC, RANGED = 0, 1, 2  # kinds of attack, in the order of an enemy's defence modifiers
KINDS = {"melee": MELEE, "magic": MAGIC, "ranged": RANGED}


@dataclass(frozen=True, slots=True)
class EnemyAttack:
    """One attack of an enemy."""

    name: str
    kind: int
    least: int  # range
    most: int
    target: Expression
    damage: Expression
    effect: str = ""  # freeze or push (P52-E12e, E12f)
    loads: bool = False  # a bow that must be made ready again (P52-E12g)
    sightless: bool = False  # needs no line of sight (P52-E19)
    spreads: bool = False  # hits the heroes beside the target too (P52-E19)
    beast: bool = False  # the cave beast (P52-E15)


@dataclass(frozen=True, slots=True)
class EnemyFacts:
    """A type of enemy, with the numbers of this party."""

    card: str
    name: str
    rank: str  # J, Q, K or boss: decides the XP
    boss: bool
    max_hp: int
    hp: int
    initiative: int
    movement: int
    defence: tuple[int, int, int]  # against melee, magic, ranged
    attacks: tuple[EnemyAttack, ...]
    target_order: str | None
    again: bool  # attacks once more after an attack without damage (P52-E12c)
    retreats: bool  # moves away from heroes that are too close (P52-E12c)

    @property
    def ranged_only(self) -> bool:
        """Whether it has no melee attack."""
        return all(attack.kind != MELEE for attack in self.attacks)

    @property
    def floats(self) -> bool:
        """P52-E16: whether every spot costs it one point."""
        return self.card == "calico"

    @property
    def xp(self) -> int:
        """P52-X2: for whoever defeats it."""
        return 7 if self.boss else {"J": 3, "Q": 5, "K": 7}[self.rank]


def build_enemy(enemy: Enemy | str, level: int, data_set: str) -> EnemyFacts:
    """P52-S1: every formula with L, taken as given (`checks` refuses bad figures); a bare card is a drawn enemy."""
    changes = enemy if isinstance(enemy, Enemy) else None
    card = changes.card if changes else str(enemy)
    entry = entry_of(card, data_set)

    def number(key: str, written: Any) -> int:
        value = getattr(changes, key) if changes is not None else None
        value = written if value is None else value
        return TOP if value == "top" else of_level(value, level)

    max_hp = number("max_hp", entry["max_hp"])
    defence = list(entry["defence"])
    for place, key in enumerate(("melee_defence", "magic_defence", "ranged_defence")):
        own = getattr(changes, key) if changes is not None else None
        defence[place] = defence[place] if own is None else own
    return EnemyFacts(
        card=card,
        name=(changes.name if changes else None) or card,
        rank=entry["rank"],
        boss=entry["rank"] == "boss" or card in data.MINOR_BOSSES,
        max_hp=max_hp,
        hp=number("hp", max_hp),
        initiative=number("initiative", entry["initiative"]),
        movement=number("movement", entry["movement"]),
        defence=(defence[0], defence[1], defence[2]),
        attacks=tuple(_attack(attack, changes, entry["attacks"]) for attack in entry["attacks"]),
        target_order=changes.target_order if changes else None,
        again=entry.get("again", False),
        retreats=entry.get("retreats", False),
    )


def entry_of(card: str, data_set: str) -> dict[str, Any]:
    """The table row of a card; in `mountain` a rank with the bonus of its suit, a minor boss with all four."""
    bosses = data.of_set("calico", "enemies") | data.of_set("mountain", "enemies")
    if card in data.BOSSES or data_set == "calico":
        return dict(bosses[card])
    rank, suit = card.split()
    entry = dict(data.of_set("mountain", "ranks")[rank])
    attack = dict(entry["attack"])
    every = suit == "minor"
    if every or suit == "diamonds":
        attack["target"] = f"{attack['target']} - 1"
    if every or suit == "hearts":
        entry["max_hp"] = entry["heart"].replace("max_hp", f"({entry['max_hp']})")
    if every or suit == "spades":
        attack["damage"] = f"{attack['damage']} + {entry['spade']}"
    if every or suit == "clubs":
        entry["movement"] = entry["movement"] + 1
    return entry | {"rank": rank, "attacks": [attack]}


def of_level(written: Any, level: int) -> int:
    """A number, or a formula in L."""
    return written if isinstance(written, int) else int(parse(str(written), ("L",))({"L": level}))


def _attack(attack: Mapping[str, Any], changes: Enemy | None, listed: list[Mapping[str, Any]]) -> EnemyAttack:
    """An attack with the scenario's changes to it."""
    entry = dict(attack)
    own = changes_to(attack, changes, listed)
    if own is not None:
        entry |= {key: value for key, value in own.model_dump().items() if value is not None}
    least, most = entry.get("reach", (0, 0))
    names = ("L", "R", "O")
    return EnemyAttack(
        name=entry["name"],
        kind=KINDS[entry["kind"]],
        least=least,
        most=most,
        target=parse(str(entry["target"]), names),
        damage=parse(str(entry["damage"]), names),
        effect=entry.get("effect", ""),
        loads=entry.get("loads", False),
        sightless=entry.get("sightless", False),
        spreads=entry.get("spreads", False),
        beast=entry.get("beast", False),
    )


def changes_to(attack: Mapping[str, Any], changes: Enemy | None, listed: list[Mapping[str, Any]]) -> Any:
    """Which of the scenario's changes concern this attack: `melee`, or `ranged` for the first other one."""
    if changes is None or attack.get("beast"):
        return None
    if attack["kind"] == "melee":
        return changes.melee
    others = [other for other in listed if other["kind"] != "melee"]
    return changes.ranged if others and others[0] is attack else None

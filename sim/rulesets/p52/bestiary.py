"""Enemies by the average level of the party (P52-U5, P52-S1): from a row of the table to the facts of a fight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sim.core.expr import Expression, parse
from sim.core.varying import Varies, above_zero, may_vary, unread
from sim.rulesets.p52.monsters import ATTACKS, Row, row_of
from sim.rulesets.p52.monsters import TOP as FIRST_OF_ALL
from sim.rulesets.p52.schema import Enemy

TOP = 1_000_000  # the initiative of those who go before everyone (P52-E13)
MELEE, MAGIC, RANGED = 0, 1, 2  # kinds of attack, in the order of an enemy's defence modifiers
KINDS = {"melee": MELEE, "magic": MAGIC, "ranged": RANGED}
USUAL_KINDS = {"melee": "melee", "ranged": "ranged", "creature": "ranged", "beast": "melee"}
DEFENCES = ("melee_defence", "magic_defence", "ranged_defence")


@dataclass(frozen=True, slots=True)
class EnemyAttack:
    """One attack of an enemy."""

    name: str
    way: str  # melee, ranged, creature or beast: what the row calls it
    kind: int
    least: int  # range
    most: int
    target: Expression
    damage: Expression
    effects: frozenset[str]

    VARIES: ClassVar[Varies] = may_vary(least=unread, most=unread, target=unread, damage=unread)

    @property
    def beast(self) -> bool:
        """P52-E15: whether it is sent, and not made by the enemy itself."""
        return self.way == "beast"

    @property
    def loads(self) -> bool:
        """P52-E12g: whether it must be made ready again."""
        return "must_be_readied" in self.effects


@dataclass(frozen=True, slots=True)
class EnemyFacts:
    """A type of enemy, with the numbers of this party."""

    card: str
    name: str
    xp: int  # P52-X2: for whoever defeats it
    max_hp: int
    hp: int
    initiative: int
    movement: int
    defence: tuple[int, int, int]  # against melee, magic, ranged
    attacks: tuple[EnemyAttack, ...]
    target_order: str | None
    traits: frozenset[str]
    when_weak: str
    when_fallen: str

    VARIES: ClassVar[Varies] = may_vary("xp", "max_hp", "hp", "initiative", "defence", movement=above_zero)

    @property
    def boss(self) -> bool:
        """P52-E20, P52-C7: whether it ignores Threaten and drops nothing."""
        return "boss" in self.traits

    @property
    def ranged_only(self) -> bool:
        """P52-E12d: whether it has no melee attack of its own."""
        return all(attack.kind != MELEE for attack in self.attacks if not attack.beast)

    @property
    def rooted(self) -> bool:
        """Whether it never moves; where its movement varies, all of its variants do."""
        return isinstance(self.movement, int) and self.movement == 0

    @property
    def floats(self) -> bool:
        """P52-E16: whether every spot costs it one point."""
        return "floats" in self.traits

    @property
    def beast(self) -> int | None:
        """P52-E15: the place of the beast among its attacks, if it sends one."""
        return next((place for place, attack in enumerate(self.attacks) if attack.beast), None)


def build_enemy(enemy: Enemy | str, level: int, data_set: str, own: Mapping[str, Row] | None = None) -> EnemyFacts:
    """P52-S1: every formula with L, taken as given (`checks` refuses bad figures); a bare card is a drawn enemy.

    `own` are the types of the scenario, as written.
    """
    changes = enemy if isinstance(enemy, Enemy) else None
    card = changes.card if changes else str(enemy)
    row = row_of(card, own or {}, data_set)

    def figure(key: str) -> Any:
        value = getattr(changes, key, None) if changes is not None else None
        return row.get(key) if value is None else value

    max_hp = of_level(figure("max_hp"), level)
    hp = figure("hp")
    return EnemyFacts(
        card=card,
        name=(changes.name if changes else None) or row.get("name") or card.replace("_", " "),
        xp=row["xp"],
        max_hp=max_hp,
        hp=max_hp if hp is None else of_level(hp, level),
        initiative=of_level(figure("initiative"), level),
        movement=of_level(figure("movement"), level),
        defence=tuple(figure(key) for key in DEFENCES),
        attacks=tuple(_attack(way, row[way], changes) for way in ATTACKS if way in row),
        target_order=figure("target_order"),
        traits=frozenset(row.get("traits", ())),
        when_weak=row.get("when_weak", "flees"),
        when_fallen=row.get("when_fallen", "stays_down"),
    )


def of_level(written: Any, level: int) -> int:
    """A number, or a formula in L."""
    if written == FIRST_OF_ALL:
        return TOP
    return written if isinstance(written, int) else int(parse(str(written), ("L",))({"L": level}))


def _attack(way: str, entry: Mapping[str, Any], changes: Enemy | None) -> EnemyAttack:
    """An attack with the scenario's changes to it, which concern `melee` and `ranged`."""
    own = getattr(changes, way, None) if changes is not None else None
    if own is not None:
        entry = dict(entry) | {key: value for key, value in own.model_dump().items() if value is not None}
    least, most = entry.get("reach", (0, 0))
    names = ("L", "R", "O")
    return EnemyAttack(
        name=entry["name"],
        way=way,
        kind=KINDS[entry.get("kind", USUAL_KINDS[way])],
        least=least,
        most=most,
        target=parse(str(entry["target"]), names),
        damage=parse(str(entry["damage"]), names),
        effects=frozenset(entry.get("effects", ())),
    )

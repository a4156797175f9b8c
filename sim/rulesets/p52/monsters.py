"""An enemy as a designer writes it: the game's own in that very form, and what can be combined in one (11.5, 11.6).

[monsters.bone_lord]
like = "K hearts"
max_hp = "15*L"
traits = ["boss", "floats"]
when_weak = "heals"
ranged = { name = "bone rain", kind = "magic", reach = [1, 4], target = "9 - L + R", damage = "2*L" }
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from sim.core.expr import parse
from sim.core.own_types import NOT_INHERITED, line_of
from sim.core.schema import OwnType, Strict, one_of
from sim.errors import FormulaError
from sim.rulesets.p52 import data

TRAITS = {
    "boss": "Ignores Threaten and leaves no item behind (P52-E20, P52-C7).",
    "attacks_again": "After an attack without damage it attacks the same hero once more (P52-E12c).",
    "keeps_away": "Moves away from heroes within one step instead of coming nearer (P52-E12c).",
    "floats": "Every spot costs it one point of movement (P52-E16).",
    "fears_water": "Ice Storm, Tidal Wave and water elixirs harm it half as much again (P52-E18).",
    "no_start_flip": "No card is flipped at the start of an encounter with it (P52-S7).",
    "extra_turn": "Takes a turn before round 1, and no card is flipped at the start (P52-E13, P52-S7).",
}
EFFECTS = {
    "freezes": "A hero who is hit and does not defend loses a turn (P52-E12e).",
    "pushes": "A hero who is hit is moved one spot away (P52-E12f).",
    "must_be_readied": "After an attack with it the enemy must move before it can be used again (P52-E12g).",
    "needs_no_sight": "Needs no line of sight (P52-E19).",
    "spreads": "Also strikes every hero within one step of the chosen one (P52-E19).",
}
ORDERS = ("last_then_closest", "weakest")  # whom an enemy attacks first
WHEN_WEAK = {
    "flees": "Flees, or heals 1 hit point where it cannot (P52-E2, P52-E3).",
    "fights_on": "Takes no notice (P52-E14).",
    "flees_and_heals": "Flees if it can, and heals one flip in the same turn (P52-E16).",
    "heals": "Uses its turn to heal one flip (P52-E19).",
}
WHEN_FALLEN = {
    "stays_down": "Is defeated.",
    "reappears": "A flip of 5 or less brings it back elsewhere, with an Ace stronger and at a door (P52-E17).",
    "rises": "A flip of 6 or less brings it back with so many hit points (P52-E19).",
}
ATTACKS = {
    "melee": "Used where no other attack reaches (P52-E12a).",
    "ranged": "Used before all others where it reaches (P52-E12a).",
    "creature": "A further attack from afar, used where the ranged one does not reach (P52-E19).",
    "beast": "Sent against the strongest hero when the one walked to is 6 or more steps away (P52-E15).",
}
TOP = "top"  # an initiative above everyone (P52-E13)
NEEDS = ("max_hp", "initiative", "movement", "melee_defence", "magic_defence", "ranged_defence", "xp")
ATTACK_NEEDS = ("name", "reach", "target", "damage")

Defence = Annotated[int, Field(ge=-99, le=99)]
Reach = Annotated[list[Annotated[int, Field(ge=0, le=999)]], Field(min_length=2, max_length=2)]


def formula_of(*names: str, also: tuple[str, ...] = ()) -> Any:
    """A whole number, a formula that knows these names, or one of the words that go `also`."""

    def check(value: int | str) -> int | str:
        if isinstance(value, str) and value not in also:
            try:
                parse(value, names)
            except FormulaError as error:
                raise PydanticCustomError("formula", "{wrong}", {"wrong": error.problems[0].message}) from error
        return value

    return Annotated[int | str, AfterValidator(check)]


OfLevel = formula_of("L")
OfAttack = formula_of("L", "R", "O")


class Attack(Strict):
    """Changes to one attack of an enemy."""

    target: OfAttack | None = None  # type: ignore[valid-type]
    damage: OfAttack | None = None  # type: ignore[valid-type]
    reach: Reach | None = None


class MonsterAttack(Strict):
    """An attack of a type of one's own."""

    target: OfAttack | None = None  # type: ignore[valid-type]
    damage: OfAttack | None = None  # type: ignore[valid-type]
    reach: Reach | None = Field(None, description="The shortest range and the longest.")
    name: str | None = Field(None, min_length=1, max_length=60, description="As in tables and replays.")
    kind: one_of(("melee", "ranged", "magic"), "kind") | None = Field(  # type: ignore[valid-type]
        None, description="What it is defended against as; melee or ranged if absent."
    )
    effects: list[one_of(EFFECTS, "effect")] | None = Field(None, max_length=len(EFFECTS))  # type: ignore[valid-type]


class Monster(OwnType):
    """A type of enemy: what is left out is as in the type that it is like."""

    like: one_of((*data.CARDS, *data.OF_THE_DRAFT), "enemy", own="monsters") | None = Field(  # type: ignore[valid-type]
        None, description="A card, a boss, or another one of your own: everything not said is as there."
    )
    max_hp: OfLevel | None = Field(None, description="At least 1; formulas know the party's level L.")  # type: ignore[valid-type]
    initiative: formula_of("L", also=(TOP,)) | None = Field(  # type: ignore[valid-type]
        None, description="'top' goes before everyone."
    )
    movement: OfLevel | None = None  # type: ignore[valid-type]
    melee_defence: Defence | None = Field(None, description="Added to the total to beat: less than 0 helps the enemy.")
    magic_defence: Defence | None = None
    ranged_defence: Defence | None = None
    xp: Annotated[int, Field(ge=0, le=999)] | None = Field(None, description="For whoever defeats it.")
    target_order: one_of(ORDERS, "order") | None = None  # type: ignore[valid-type]
    traits: list[one_of(TRAITS, "trait")] | None = Field(None, max_length=len(TRAITS))  # type: ignore[valid-type]
    when_weak: one_of(WHEN_WEAK, "behaviour") | None = None  # type: ignore[valid-type]
    when_fallen: one_of(WHEN_FALLEN, "behaviour") | None = None  # type: ignore[valid-type]
    melee: MonsterAttack | None = None
    ranged: MonsterAttack | None = None
    creature: MonsterAttack | None = None
    beast: MonsterAttack | None = None
    without: list[one_of(ATTACKS, "attack")] | None = Field(  # type: ignore[valid-type]
        None, max_length=len(ATTACKS), description="Attacks that the type it is like has, and this one has not."
    )


Row = dict[str, Any]


@cache
def cards_of(data_set: str) -> Mapping[str, Row]:
    """The game's enemies as tables of `Monster`, by the names that they have with a data set."""
    listed = data.of_set("calico", "enemies") | data.of_set("mountain", "enemies")
    draft = {f"{rank} {suit}": _of_the_draft(rank, suit) for rank in data.RANKS for suit in (*data.SUITS, "minor")}
    by_name = draft | listed if data_set == "calico" else listed | draft
    rows = {card: by_name[card] for card in data.CARDS}
    return rows | {name: draft[name.partition(" ")[2]] for name in data.OF_THE_DRAFT}


def _of_the_draft(rank: str, suit: str) -> Row:
    """11.6: a rank of `mountain` with the bonus of its suit; a minor boss has all four."""
    row = dict(data.of_set("mountain", "ranks")[rank])
    hearts, spades, attack = row.pop("hearts"), row.pop("spades"), dict(row.pop("attack"))
    every = suit == "minor"
    if every or suit == "diamonds":
        attack["target"] = f"{attack['target']} - 1"
    if every or suit == "hearts":
        row["max_hp"] = hearts.replace("max_hp", f"({row['max_hp']})")
    if every or suit == "spades":
        attack["damage"] = f"{attack['damage']} + {spades}"
    if every or suit == "clubs":
        row["movement"] += 1
    if every:
        row |= {"traits": ["boss"], "xp": 7}
    return row | {"melee" if attack["kind"] == "melee" else "ranged": attack}


def row_of(card: str, own: Mapping[str, Row], data_set: str) -> Row:
    """Everything that is said of a card, a boss or a type of one's own; its attacks are joined key by key.

    Raises KeyError and GoesInACircle as `line_of` does.
    """
    line = line_of(card, own, cards_of(data_set))
    found: Row = {}
    for part in reversed(line):
        without = part.get("without") or ()
        found = {key: value for key, value in found.items() if key not in without}
        for key, value in part.items():
            if key in ATTACKS:
                found[key] = found.get(key, {}) | value
            elif key not in (*NOT_INHERITED, "without"):
                found[key] = value
    return found | ({"name": line[0]["name"]} if line[0].get("name") else {})

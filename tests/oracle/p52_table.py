"""A table laid for a test: P52 encounters with the flips and lots that the test writes down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .p52 import prepare
from .p52.kit import Defence, HeroAttack
from .p52.play import set_up
from .p52.state import Deck, Fight, Hero

ALL_DEFENCES = ["body_block", "shield_block", "parry", "counter_spell", "dodge"]
CARDS = range(1, 14)


class Scripted:
    """Luck that answers what a test has written down: flips from a list, every lot by the first candidate."""

    def __init__(self, flips: Iterable[int] = (), lots: Iterable[int] = ()) -> None:
        self.flips, self.lots = list(flips), list(lots)

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return self.flips.pop(0)

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return self.lots.pop(0) if self.lots else 0

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        return list(items)


def table(
    flips: Iterable[int] = (), heroes: list[dict[str, Any]] | None = None, enemies: list[dict[str, Any]] | None = None,
    board: str = "one", level: int = 1, lots: Iterable[int] = (), preset: str = "p52-1.4", **switches: Any,
) -> Fight:  # fmt: skip
    """An encounter set up and ready, with scripted flips and no stamina cards."""
    scenario = {
        "board": board,
        "level": level,
        "preset": preset,
        "heroes": heroes or [{"class": "fighter"}],
        "enemies": enemies or [{"card": "J clubs", "spot": [0, 0]}],
        "switches": {"deck_mode": "iid", "stamina_start": 0, **switches},
    }
    prepared = prepare(scenario)
    luck = Scripted(flips, lots)
    units = [Hero(number, kit) for number, kit in enumerate(prepared.kits)]
    return set_up(prepared, luck, Deck(luck, prepared.switches), 0, units, [], 0, None)


def foe(card: str, x: int = 0, y: int = 0, **more: Any) -> dict[str, Any]:
    return {"card": card, "spot": [x, y], **more}


def ability(hero: Hero, name: str) -> HeroAttack:
    return next(attack for attack in hero.kit.attacks if attack.name == name)


def defence(hero: Hero, name: str) -> Defence:
    return next(found for found in hero.kit.defences if found.name == name)

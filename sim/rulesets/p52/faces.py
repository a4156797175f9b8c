"""The cards that were turned up, for whoever listens to one run: how they lie, what was needed, and the chance of it.

Everything here looks at the first run of the batch, and is asked right after the card was turned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from sim.core.lanes import Mask, Row, Whole
from sim.core.luck import TABLE
from sim.core.telling import Roll
from sim.rulesets.p52.names import face
from sim.rulesets.p52.state import PILE, State

values = np.arange(14)  # of a card; 0 is none
SUIT = 13  # cards of one suit
ACE = 1
TO_HIT = "to hit"


def first(given: Row | Whole | Mask) -> int:
    """The value of the run that is told."""
    return int(np.asarray(given).flat[0])


def turned_up(s: State) -> str:
    """The card that was flipped last."""
    if s.deck is None:
        return face(int(s.luck.die(13, "P52-R8", 0, TABLE, s.flips[:1] - 1, np.array([0]))[0]), None)
    card = int(s.deck.piles[0, s.deck.left[0]])
    return face(card % SUIT + 1, card // SUIT)


def stamina_card(s: State, hero: int, value: int) -> str:
    """The stamina card that the hero has played last; `value` is what it was worth."""
    if s.deck is None:
        return face(value, None)
    card = int(s.pile[hero, (int(s.pile_top[hero, 0]) - 1) % PILE, 0])
    return face(card % SUIT + 1, card // SUIT)


def chance_of(s: State, works: Mask) -> float:
    """The chance that a flip would work, as the draw pile was: `works` says it of every value, (14,)."""
    if s.deck is None:
        return float(works[1:].mean())
    pile = s.deck.piles[0, : s.deck.left[0] + 1] % SUIT + 1  # what is left, and the card that was turned
    return float(works[pile].mean())


def flipped(s: State, works: Mask | None = None, purpose: str = "", needed: str = "") -> Roll:
    """The last flip: `works` says of every value, (14,), whether it does what is hoped for."""
    roll = Roll((turned_up(s),), cards=True, purpose=purpose, needed=needed)
    return roll if works is None else replace(roll, chance=chance_of(s, works))


def attempt(
    s: State, hero: int, extra: Whole, bonus: Row | Whole, works: Callable[[Whole], Mask], purpose: str
) -> Roll:
    """A hero's flip with its stamina card and a bonus; `works` says of totals whether they are enough."""
    card, more = first(extra), first(bonus)
    faces = (turned_up(s), *([stamina_card(s, hero, card)] if card else []))
    why = f" with {more} for {'aim' if purpose == TO_HIT else 'the stance'}" if more else ""
    in_all = " in all" if more or card else ""
    good = works(values + card + more) & ((values > ACE) | (purpose != TO_HIT))  # an Ace never hits
    return Roll(
        faces, cards=True, purpose=purpose + why, needed=f"{least_of(works)}{in_all}", chance=chance_of(s, good)
    )


def to_hit(roll: Roll, hit: Mask) -> Roll:
    """The roll of an attack, with the luck that was in it."""
    return replace(roll, came=float(hit[0]), expected=roll.chance, measure="hits")


def least_of(works: Callable[[Whole], Mask]) -> str:
    """The least total that is enough, in words."""
    totals = np.arange(32)
    enough = totals[works(totals)]
    return f"{int(enough[0])} or more" if len(enough) else "more than any card gives"


def units(s: State, slots: Sequence[int]) -> list[int]:
    """The rows of enemies in the cast, by their slots."""
    return [int(s.heroes + s.kind[slot, 0]) for slot in slots]

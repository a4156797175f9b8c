"""A policy of P52, read and checked: the lines of the turn, and how cards and defences are used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.expr import Expression
from sim.core.lanes import Lanes, Mask, Whole
from sim.core.policy import Line, Vocabulary, read_entry, read_formula, read_lines, read_yes_no
from sim.errors import ScenarioError
from sim.rulesets.p52.state import State

KEYS = ("about", "action", "attack_card", "defence_card", "decline", "double_tap", "by_lot")
ATTACK_NAMES = ("hits", "cards")
DEFENCE_NAMES = ("raw", "armour", "hp", "max_hp", "aim", "stance", "cards", "magic")


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy ready to be followed."""

    action: tuple[Line, ...]
    attack_card: Expression | None  # whether a stamina card goes with an attack; None for never
    defends_with_card: Expression | None
    decline: Expression | None  # when the hero does not defend
    double_tap: bool
    random: bool  # cards and defences by lot (P52-Y10)

    def card_for(self, s: State, hero: int, at: Lanes, hits: NDArray[Any]) -> Mask | None:
        """P52-Y4: (lanes,). Whether a card goes with an attempt that so many flips of 13 would win without it."""
        if self.random:
            return self.by_lot(s, hero, at, np.full(len(at), 2, dtype=np.int64))
        if self.attack_card is None:
            return None
        held = s.cards[hero].take(at)
        about = {"hits": np.asarray(hits, dtype=np.int64), "cards": held.astype(np.int64)}
        wanted = np.broadcast_to(np.asarray(self.attack_card(about), dtype=bool), len(at))
        return wanted & (held > 0)

    def defence_card(
        self, s: State, hero: int, at: Lanes, raw: Whole, magic: NDArray[Any], hit_number: NDArray[Any]
    ) -> Mask | None:
        """P52-Y4: (lanes,). Whether a card goes with a defence."""
        if self.random:
            return self.by_lot(s, hero, at, 101 + 2 * hit_number.astype(np.int64))
        if self.defends_with_card is None:
            return None
        return self.holds(self.defends_with_card, s, hero, at, raw, magic) & (s.cards[hero].take(at) > 0)

    def declines(self, s: State, hero: int, at: Lanes, raw: Whole, magic: NDArray[Any]) -> Mask:
        """(lanes,). Where the hero does not defend."""
        assert self.decline is not None
        return self.holds(self.decline, s, hero, at, raw, magic)

    def holds(self, when: Expression, s: State, hero: int, at: Lanes, raw: Whole, magic: NDArray[Any]) -> Mask:
        """(lanes,). A condition about a hit."""
        facts = s.facts.kits[hero].facts

        def about(name: str) -> Any:
            if name == "raw":
                return raw
            if name == "armour":
                return np.where(magic, facts.magic_armour, facts.armour)
            if name == "max_hp":
                return facts.max_hp
            if name == "magic":
                return magic
            return getattr(s, name)[hero].take(at)

        return np.broadcast_to(np.asarray(when(about), dtype=bool), len(at))

    def by_lot(self, s: State, hero: int, at: Lanes, index: Whole) -> Mask:
        """P52-Y10: one in four plays a card, if there is one."""
        plays = s.luck.below(4, "P52-Y10", s.when(at), hero, index, at) == 0
        return plays & (s.cards[hero].take(at) > 0)


def read_plan(name: str, policies: Mapping[str, Any], vocabulary: Vocabulary, key: str) -> Plan:
    """The plan of a policy; raises ScenarioError with all that is wrong in it."""
    entry, problems = read_entry(name, policies, KEYS, key)
    place = f"policies.{name}"
    action, wrong = read_lines(entry.get("action", []), vocabulary, f"{place}.action")
    problems += wrong

    def formula(what: str, names: tuple[str, ...]) -> Expression | None:
        return read_formula(entry[what], names, f"{place}.{what}", problems) if what in entry else None

    plan = Plan(
        action,
        formula("attack_card", ATTACK_NAMES),
        formula("defence_card", DEFENCE_NAMES),
        formula("decline", DEFENCE_NAMES),
        read_yes_no(entry, "double_tap", place, problems),
        read_yes_no(entry, "by_lot", place, problems),
    )
    if problems:
        raise ScenarioError(problems)
    return plan

"""Weighing options: expected kills, expected health lost, threat (the terms of section 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Lanes, Mask
from sim.rulesets.overhill import odds
from sim.rulesets.overhill.rules import attacks, monsters
from sim.rulesets.overhill.state import QUICK, Facts, State

Whole = NDArray[np.int64]
Worth = NDArray[np.float64]
STRIKES = ("melee", "sneak", "frenzy", "dual", "ranged", "dart")
TIE = 1e-12  # values closer than this count as equal


class Scales:
    """The look-up tables of an encounter, filled as they are needed. They hold odds, not state."""

    def __init__(self, facts: Facts, most_monsters: int) -> None:
        self.facts = facts
        self.most_monsters = most_monsters
        self.kills: dict[tuple[int, str], odds.KillTable] = {}
        self._losses: NDArray[np.float64] | None = None

    # Expected kills.

    def expected_kills(self, s: State, hero: int, kind: str, at: Lanes, push: Whole) -> Worth:
        """(groups, lanes). EK: exact expected kills of an option, capped at the group's number, in the present stance."""
        facts = self.facts.heroes[hero]
        if kind == "dart":
            key: Any = push
            level, blunt = 0, False
        elif kind == "ranged":
            key = facts.quick // 2
            level, blunt = 0, facts.ranged_tag == "blunt"
        else:
            key = attacks.melee_die(s, hero, at)[1] // 2
            blunt = facts.melee_tag == "blunt"
            level = facts.level // 2 if kind in ("sneak", "dual") else attacks.melee_level(s, hero)
        modifier = attacks.attack_modifier(s, hero, at, level)
        table = s.blunt_defence if blunt else s.defence
        defence = np.maximum(table[:, at] + s.defence_mod[:, at], 1)
        return self._kill_table(hero, kind).expected(key, modifier, defence, s.n[:, at])

    def _kill_table(self, hero: int, kind: str) -> odds.KillTable:
        if (hero, kind) not in self.kills:
            facts, switches = self.facts.heroes[hero], self.facts.switches
            threshold = switches["melee_threshold"]
            chances = {
                "melee": lambda die, mod, defence: odds.attack_chances(2 * die, mod, defence, threshold),
                "ranged": lambda die, mod, defence: odds.attack_chances(2 * die, mod, defence, threshold),
                "frenzy": lambda die, mod, defence: odds.frenzy_chances(2 * die, mod, defence, threshold),
                "sneak": lambda die, mod, defence: odds.opened_chances(facts.quick, 2 * die, mod, defence, threshold),
                "dual": lambda die, mod, defence: odds.opened_chances(2 * die, 2 * die, mod, defence, threshold),
                "dart": lambda push, mod, defence: odds.dart_chances(facts.smart, push, mod, defence, switches),
            }[kind]
            self.kills[hero, kind] = odds.KillTable(chances, self.most_monsters)
        return self.kills[hero, kind]

    def best(
        self, s: State, hero: int, at: Lanes, legal: Mapping[str, Mask], weigh: Any, push: Whole
    ) -> tuple[NDArray[np.int8], Whole, Worth]:
        """(lanes,) each: the kind and group with the largest EK x weight; ties go to the earlier kind, then group.

        Kind -1 where nothing is legal.
        """
        best_kind = np.full(len(at), -1, dtype=np.int8)
        best_group = np.full(len(at), -1, dtype=np.int64)
        best_worth = np.full(len(at), -np.inf)
        for code, kind in enumerate(STRIKES):
            if kind not in legal or not legal[kind].any():
                continue
            worth = np.where(legal[kind], self.expected_kills(s, hero, kind, at, push) * weigh, -np.inf)
            for group in range(s.groups):
                better = worth[group] > best_worth + TIE
                best_kind[better] = code
                best_group[better] = group
                best_worth = np.where(better, worth[group], best_worth)
        return best_kind, best_group, best_worth

    # Expected health lost.

    @property
    def losses(self) -> NDArray[np.float64]:
        """[die / 2, modifier, attack value]: expected health lost to one attack."""
        if self._losses is None:
            self._losses = odds.loss_table(self.facts.switches)
        return self._losses

    def attack_values(self, s: State, at: Lanes) -> Whole:
        """(groups, lanes). The attack value of every group."""
        return np.stack([monsters.attack_value(s, group, at) for group in range(s.groups)])

    def legal(self, s: State, at: Lanes) -> Mask:
        """(heroes, groups, lanes). Whom each group may attack now."""
        return np.stack([monsters.legal_targets(s, group, at) for group in range(s.groups)], axis=1)

    def expected_loss(self, s: State, at: Lanes, stance: Any) -> Worth:
        """(heroes, groups, lanes). e(h, g, stance): health that one attack of g is expected to cost h."""
        facts = self.facts
        vigor = s.vigor[:, at][:, None]  # (heroes, 1, lanes)
        quick = facts.dice[QUICK][:, None, None]
        rule = facts.switches["defense_die"]
        if rule == "quick":
            die = quick + 0 * vigor
        elif rule == "best":
            die = np.maximum(quick, vigor)
        else:
            die = np.where(s.rear_group[:, at][None], quick, vigor)
        in_front = s.front[:, at]
        modifier = s.oil[:, at] - stance * in_front
        if facts.is_on("rear_modifier", "defensive"):
            modifier = modifier + ~in_front
        if facts.is_on("level_bonus", "all"):
            modifier = modifier + np.array([[hero.level] for hero in facts.heroes])
        modifier = np.clip(modifier, odds.LEAST_MODIFIER, odds.MOST_MODIFIER) - odds.LEAST_MODIFIER
        return self.losses[die // 2, modifier[:, None], self.attack_values(s, at)[None]]

    def threat(self, s: State, at: Lanes) -> Worth:
        """(groups, lanes). TV: the mean of e(h, g, neutral) over the heroes legal for g now."""
        legal = self.legal(s, at)
        total = (self.expected_loss(s, at, 0) * legal).sum(axis=0)
        return total / np.maximum(legal.sum(axis=0), 1)

    def risk(self, s: State, hero: int, at: Lanes, stance: int) -> Worth:
        """(lanes,). Health that the hero is expected to lose in this stance, if every group chooses evenly."""
        legal = self.legal(s, at)
        share = s.n[:, at] / np.maximum(legal.sum(axis=0), 1)
        return (legal[hero] * share * self.expected_loss(s, at, stance)[hero]).sum(axis=0)

    def worst_hit(self, s: State, at: Lanes) -> Whole:
        """(lanes,). D*: the largest damage of one hit of any living group."""
        if self.facts.is_on("monster_damage", "one"):
            return np.ones(len(at), dtype=np.int64)
        return np.maximum(np.where(s.n[:, at] > 0, self.attack_values(s, at), 0).max(axis=0, initial=0), 1)

    def safe_push(self, s: State, hero: int, at: Lanes) -> Whole:
        """(lanes,). The expert's push count."""
        facts = self.facts.heroes[hero]
        most = odds.safe_pushes(facts.smart, facts.level, self.facts.switches["push_ladder"])
        return np.where(s.health[hero, at] > 2, most, 0)

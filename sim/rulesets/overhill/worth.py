"""What an option is worth to a policy: expected kills, expected health lost, threat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.core.expr import Value
from sim.core.lanes import Lanes, Mask, Row, Small, Whole, cut, either, lookup, rows_of
from sim.core.varying import largest
from sim.rulesets.overhill import odds
from sim.rulesets.overhill.build import scaled_number
from sim.rulesets.overhill.data import OIL, STRIKES, TONIC
from sim.rulesets.overhill.facts import Facts
from sim.rulesets.overhill.rules import enemy_turns, hero_attacks
from sim.rulesets.overhill.rules.enemy_attacks import attack_value
from sim.rulesets.overhill.state import State

Worth = NDArray[np.float64]
TIE = 1e-12  # values closer than this count as equal
NOTHING = -1e300  # the worth of what cannot be done: so low that nothing added to it shows


@dataclass(frozen=True, slots=True)
class Outlook:
    """What every group may do to whom in some lanes."""

    attack: Small  # (groups, lanes) attack values
    legal: list[Mask]  # per group (heroes, lanes): whom it may attack
    choices: Small  # (groups, lanes) how many it may choose from, at least 1
    threat: Worth  # (groups, lanes) TV: health that one attack is expected to cost

    def for_hero(self, hero: int, at: Lanes) -> Danger:
        """What concerns one hero, in some of the lanes."""
        legal = np.stack([group[hero] for group in self.legal])
        return Danger(cut(self.attack, at), cut(legal, at), cut(self.choices, at), cut(self.threat, at))


@dataclass(frozen=True, slots=True)
class Danger:
    """What every group may do to one hero in some lanes: all (groups, lanes)."""

    attack: Small
    legal: Mask  # whether it may attack this hero
    choices: Small
    threat: Worth


class Scales:
    """The look-up tables of an encounter, filled as they are needed. They hold odds, not state."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.bounds = bounds_of(facts)
        self.kills: dict[tuple[int, str], odds.KillTable] = {}
        self._losses: Worth | None = None

    # Expected kills.

    def expected_kills(self, s: State, hero: int, kind: str, at: Lanes, push: Whole) -> Worth:
        """(groups, lanes). EK: exact expected kills of an option in the present stance, at most the group's number."""
        facts = self.facts.heroes[hero]
        if kind == "dart":
            key: Row = push
            level, blunt = 0, False
        elif kind == "ranged":
            key = facts.quick // 2
            level, blunt = 0, facts.ranged_tag == "blunt"
        else:
            key = hero_attacks.melee_die(s, hero, at).sides // 2
            blunt = facts.melee_tag == "blunt"
            level = facts.level // 2 if kind in ("sneak", "dual") else hero_attacks.melee_level(s, hero)
        modifier = hero_attacks.attack_modifier(s, hero, at, level)
        plain = np.maximum(cut(s.defence, at) + cut(s.defence_mod, at), 1)
        defence = np.maximum(cut(s.blunt_defence, at) + cut(s.defence_mod, at), 1) if blunt else plain
        opening: Row = 1
        if kind in ("sneak", "dual"):
            opening = defence if hero_attacks.opens_blunt(self.facts, hero) else plain
        return self._kill_table(hero, kind).expected(key, modifier, opening, defence, cut(s.n, at))

    def _kill_table(self, hero: int, kind: str) -> odds.KillTable:
        if (hero, kind) not in self.kills:
            facts, switches = self.facts.heroes[hero], self.facts.switches
            threshold = switches["melee_threshold"]

            def chances(key: int, modifier: int, opening: int, defence: int) -> odds.Chances:
                if kind == "dart":
                    return odds.dart_chances(facts.smart, key, modifier, defence, switches)
                die = 2 * key
                if kind == "frenzy":
                    return odds.frenzy_chances(die, modifier, defence, threshold)
                if kind in ("sneak", "dual"):
                    return odds.opened_chances(facts.quick, opening, die, modifier, defence, threshold)
                return odds.attack_chances(die, modifier, defence, threshold)

            self.kills[hero, kind] = odds.KillTable(chances, self.bounds)
        return self.kills[hero, kind]

    def best(
        self, s: State, hero: int, at: Lanes, legal: Mapping[str, Mask], weigh: Value, push: Whole
    ) -> tuple[Small, Worth]:
        """(lanes,) each: the option with the largest EK x weight, and that; ties go to the earlier kind, then group.

        An option is the kind's place in STRIKES x groups + the group; -1, and NOTHING, where none is legal.
        """
        best = np.full(len(at), -1, dtype=np.int16)
        best_worth = np.full(len(at), NOTHING)
        for code, kind in enumerate(STRIKES):
            if kind not in legal or not legal[kind].any():
                continue
            worth = legal[kind].astype(np.float64)  # 1 and 0, to 0 and NOTHING: a fifth of the time of `np.where`
            worth -= 1.0
            worth *= -NOTHING
            kills = self.expected_kills(s, hero, kind, at, push)
            worth += kills if isinstance(weigh, int) and weigh == 1 else kills * weigh
            for group in rows_of(legal[kind]).tolist():
                better = worth[group] > best_worth + TIE
                best = either(better, code * s.groups + group, best)
                if np.array_equal(better, worth[group] > best_worth):
                    best_worth = np.maximum(best_worth, worth[group])
                else:  # some lie as close together as TIE
                    best_worth = np.where(better, worth[group], best_worth)
        return best, best_worth

    # Expected health lost.

    @property
    def losses(self) -> Worth:
        """[die / 2, modifier, attack value]: expected health lost to one attack."""
        if self._losses is None:
            self._losses = odds.loss_table(self.facts.switches, self.bounds)
        return self._losses

    def attack_values(self, s: State, at: Lanes) -> Small:
        """(groups, lanes). The attack value of every group."""
        return np.stack([attack_value(s, group, at) for group in range(s.groups)])

    def expected_loss(self, s: State, hero: int, at: Lanes, stance: int, attack: Small) -> Worth:
        """(groups, lanes). e(h, g, stance): health that one attack of g is expected to cost the hero."""
        facts = self.facts
        vigor, quick = cut(s.vigor[hero], at) // 2, facts.heroes[hero].quick // 2  # dice by half, as the table has them
        rule = facts.switches["defense_die"]
        if rule == "quick":
            die: Row = quick
        elif rule == "best":
            die = np.maximum(quick, vigor)
        elif facts.archers:
            swift = cut(s.rear_group, at)
            die = quick * swift + vigor * ~swift
        else:
            die = vigor
        in_front = cut(s.front[hero], at)
        modifier = cut(s.oil[hero], at) - stance * in_front - odds.LEAST_MODIFIER
        if facts.is_on("rear_modifier", "defensive"):
            modifier = modifier + ~in_front
        if facts.is_on("level_bonus", "all"):
            modifier = modifier + facts.heroes[hero].level
        return lookup(self.losses, die, modifier, attack)

    def outlook(self, s: State, at: Lanes) -> Outlook:
        """What every group may do to whom, as things stand."""
        attack = self.attack_values(s, at)
        front = s.front_monsters(at)
        legal = [enemy_turns.legal_targets(s, group, at, front) for group in range(s.groups)]
        choices = np.maximum([group.sum(axis=0, dtype=np.int16) for group in legal], 1)
        threat = np.zeros(attack.shape)
        for hero in range(s.heroes):
            threat += self.expected_loss(s, hero, at, 0, attack) * np.stack([group[hero] for group in legal])
        return Outlook(attack, legal, choices, threat / choices)

    def threat(self, s: State, at: Lanes) -> Worth:
        """(groups, lanes). TV: the mean of e(h, g, neutral) over the heroes legal for g now."""
        return self.outlook(s, at).threat

    def risk(self, s: State, hero: int, at: Lanes, stance: int, danger: Danger) -> Worth:
        """(lanes,). Health that the hero is expected to lose in this stance, if every group chooses evenly."""
        share = cut(s.n, at) / danger.choices
        return (danger.legal * share * self.expected_loss(s, hero, at, stance, danger.attack)).sum(axis=0)

    def worst_hit(self, s: State, at: Lanes) -> Whole:
        """(lanes,). D*: the largest damage of one hit of any living group."""
        if self.facts.is_on("monster_damage", "one"):
            return np.ones(len(at), dtype=np.int64)
        return np.maximum(np.where(cut(s.n, at) > 0, self.attack_values(s, at), 0).max(axis=0, initial=0), 1)

    def safe_push(self, s: State, hero: int, at: Lanes) -> Whole:
        """(lanes,). The expert's push count."""
        facts = self.facts.heroes[hero]
        most = odds.safe_pushes(facts.smart, facts.level, self.facts.switches["push_ladder"])
        return np.where(cut(s.health[hero], at) > 2, most, 0)


def bounds_of(facts: Facts) -> odds.Bounds:
    """How large the numbers of this encounter can get."""
    groups = [group for gathering in facts.gatherings for group in gathering.groups]
    defences = [number for group in groups for number in (group.defence, group.blunt_defence)]
    numbers = [group.dice.most + largest(group.besides) for group in groups]
    tonics_and_oils = [max(hero.items[TONIC], hero.items[OIL]) for hero in facts.heroes]
    return odds.Bounds(
        most_modifier=max(hero.level for hero in facts.heroes) + max(tonics_and_oils) + 1,
        most_defence=max([1, *(largest(number) for number in defences if number is not None)]),
        most_attack=max([1, *(largest(a) for group in groups for a in (group.melee, group.range))]) + 1,  # a leader
        most_monsters=max(
            [1, *(int(scaled_number(number, facts.party_level, facts.switches)) for number in numbers)]
        ),
    )

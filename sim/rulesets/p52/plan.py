"""A policy of P52, read and checked: the lines of the turn, and how cards and defences are used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.expr import Expression
from sim.core.policy import (
    Line,
    problems_of_each,
    read_each,
    read_entry,
    read_formula,
    read_lines,
    read_yes_no,
    split_dial,
    with_slips,
)
from sim.errors import Problem, ScenarioError
from sim.rulesets.p52 import data
from sim.rulesets.p52.schema import P52Scenario
from sim.rulesets.p52.vocabulary import VOCABULARY

BY_LOT = "random_legal"  # the policy by which a careless hero acts
KEYS = ("about", "action", "attack_card", "defence_card", "decline", "double_tap", "by_lot")
ATTACK_NAMES = ("hits", "cards")
DEFENCE_NAMES = ("raw", "armour", "hp", "max_hp", "aim", "stance", "cards", "magic")


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy ready to be followed. What it says about cards is asked in `rules/stamina.py`."""

    action: tuple[Line, ...]
    attack_card: Expression | None  # whether a stamina card goes with an attack; None for never
    defence_card: Expression | None  # the same with a defence
    decline: Expression | None  # when the hero does not defend; None for never
    double_tap: bool
    random: bool  # cards and defences by lot (P52-Y10)


def read_plans(scenario: P52Scenario) -> list[Plan]:
    """The policy of every hero, read and checked; policies of the scenario go before the built-in ones."""
    policies = data.table("policies.toml") | scenario.policies
    return read_each(
        [hero.policy for hero in scenario.heroes],
        scenario.policy,
        lambda name, key: read_plan(name, policies, key),
    )


def plan_problems(policies: Mapping[str, Any]) -> list[Problem]:
    """Everything that is wrong with a scenario's own policies, used or not."""
    known = data.table("policies.toml") | dict(policies)
    return problems_of_each(policies, lambda name: read_plan(name, known, "policy"))


def read_plan(name: str, policies: Mapping[str, Any], key: str) -> Plan:
    """The plan of a policy; raises ScenarioError with all that is wrong in it."""
    name, slip = split_dial(name, key)
    entry, problems = read_entry(name, policies, KEYS, key)
    place = f"policies.{name}"
    action, wrong = read_lines(entry.get("action", []), VOCABULARY, f"{place}.action")
    problems += wrong

    def formula(what: str, names: tuple[str, ...]) -> Expression | None:
        return read_formula(entry[what], names, f"{place}.{what}", problems) if what in entry else None

    plan = Plan(
        with_slips(action, data.table("policies.toml")[BY_LOT]["action"], VOCABULARY, slip),
        formula("attack_card", ATTACK_NAMES),
        formula("defence_card", DEFENCE_NAMES),
        formula("decline", DEFENCE_NAMES),
        read_yes_no(entry, "double_tap", place, problems),
        read_yes_no(entry, "by_lot", place, problems),
    )
    if problems:
        raise ScenarioError(problems)
    return plan

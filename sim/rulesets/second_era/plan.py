"""A policy of Second Era, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.policy import Line, inherit, problems_of_each, read_each, read_entry, read_lines, split_dial, with_slips
from sim.errors import Problem, ScenarioError, did_you_mean
from sim.rulesets.second_era import data
from sim.rulesets.second_era.schema import SecondEraScenario
from sim.rulesets.second_era.vocabulary import VOCABULARY

BY_LOT = "random"  # the policy by which a careless hero acts
KEYS = ("about", "recycle", "action", "then")


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy ready to be followed."""

    recycle: str  # when active dice are taken back into the track
    action: tuple[Line, ...]  # carried out one after the other


def plans_of(scenario: SecondEraScenario) -> list[Plan]:
    """Every adventurer's policy, read and checked; policies of the scenario's own go before the built-in ones."""
    policies = data.table("policies.toml") | scenario.policies
    own = [hero.policy for hero in scenario.heroes]
    return read_each(own, scenario.policy, lambda name, key: read_plan(name, policies, key))


def problems_with_policies(policies: Mapping[str, Any]) -> list[Problem]:
    """Everything that is wrong with a scenario's own policies, used or not."""
    known = data.table("policies.toml") | dict(policies)
    return problems_of_each(policies, lambda name: read_plan(name, known))


def read_plan(name: str, policies: Mapping[str, Any], key: str = "policy") -> Plan:
    """The plan of a policy; raises ScenarioError with all that is wrong in it."""
    name, slip = split_dial(name, key)
    entry, problems = read_entry(name, policies, KEYS, key)
    full, _ = inherit(policies)
    place = f"policies.{name}"
    recycle = entry.get("recycle", "never")
    if recycle not in data.RECYCLING:
        problems.append(Problem(f"{place}.recycle", f"expected one of {', '.join(data.RECYCLING)}, found {recycle!r}"))
    lines: list[Line] = []
    visited: list[str] = []
    following: Any = name
    while following is not None:
        if following in visited or following not in full:
            nearest = did_you_mean(str(following), full)
            what = "goes in a circle" if following in visited else f"unknown policy '{following}'{nearest}"
            problems.append(Problem(f"policies.{visited[-1]}.then", what))
            break
        visited.append(following)
        read, found = read_lines(full[following].get("action", []), VOCABULARY, f"policies.{following}.action")
        lines += read
        problems += found
        following = full[following].get("then")
    if problems:
        raise ScenarioError(problems)
    by_lot = [*data.table("policies.toml")[BY_LOT]["action"], {"do": "stop"}]
    return Plan(recycle, with_slips(lines, by_lot, VOCABULARY, slip))

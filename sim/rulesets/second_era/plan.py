"""A policy of Second Era, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.policy import Line, Vocabulary, inherit, read_entry, read_lines
from sim.errors import Problem, ScenarioError, did_you_mean
from sim.rulesets.second_era.data import RECYCLING

KEYS = ("about", "recycle", "action", "then")


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy ready to be followed."""

    recycle: str  # when active dice are taken back into the track
    action: tuple[Line, ...]  # carried out one after the other


def read_plan(name: str, policies: Mapping[str, Any], vocabulary: Vocabulary, key: str = "policy") -> Plan:
    """The plan of a policy; raises ScenarioError with all that is wrong in it."""
    entry, problems = read_entry(name, policies, KEYS, key)
    full, _ = inherit(policies)
    place = f"policies.{name}"
    recycle = entry.get("recycle", "never")
    if recycle not in RECYCLING:
        problems.append(Problem(f"{place}.recycle", f"expected one of {', '.join(RECYCLING)}, found {recycle!r}"))
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
        read, found = read_lines(full[following].get("action", []), vocabulary, f"policies.{following}.action")
        lines += read
        problems += found
        following = full[following].get("then")
    if problems:
        raise ScenarioError(problems)
    return Plan(recycle, tuple(lines))

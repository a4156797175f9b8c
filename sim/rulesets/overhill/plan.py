"""A policy of Overhill, read and checked: formation, stance, engagement and the lines of the action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.core.expr import Expression
from sim.core.policy import (
    Line,
    Vocabulary,
    read_entry,
    read_formula,
    read_lines,
    split_dial,
    unknown_keys,
    with_slips,
)
from sim.errors import Problem, ScenarioError, did_you_mean
from sim.rulesets.overhill import data
from sim.rulesets.overhill.data import STANCES
from sim.rulesets.overhill.schema import PolicyOptions
from sim.rulesets.overhill.vocabulary import vocabulary_of

FORMATIONS = ("standard", "casters_rear", "random")
ENGAGEMENTS = ("attack", "talk", "sneak")
BY_LOT = "random_legal"  # the policy by which a careless hero acts
KEYS = ("about", "formation", "stance", "engage", "action")
SCORE_NAMES = ("strike", "risk", "health", "max_health", "level")


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a choice without a verb: take this if the condition holds."""

    when: Expression | None
    take: str


@dataclass(frozen=True, slots=True)
class StanceRule:
    """How a stance is chosen: by lot, by the largest score, or by the first line that holds."""

    by_lot: bool = False
    score: Expression | None = None
    best_of: tuple[str, ...] = ()  # the stances that are scored
    lines: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy ready to be followed."""

    formation: str
    stance: StanceRule
    engage: tuple[Choice, ...]
    action: tuple[Line, ...]
    rogue_sneak: bool
    warrior_frenzy: bool
    forbidden: frozenset[str] = frozenset()  # kinds of action that the scenario rules out

    def without(self, forbidden: Iterable[str]) -> Plan:
        """The same plan for heroes who must do without some kinds of action: lines that need one are passed over."""
        ruled_out = frozenset(forbidden)
        verbs = ruled_out | ({"move_front", "move_rear"} if "move" in ruled_out else frozenset())
        lines = []
        for line in self.action:
            among = tuple(word for word in line.options.get("among", ()) if word not in verbs)
            if line.do in verbs or ("among" in line.options and not among):
                continue
            options = {**line.options, "among": among} if "among" in line.options else line.options
            lines.append(replace(line, options=options))
        return replace(self, action=tuple(lines), forbidden=ruled_out)


def read_plan(name: str, policies: Mapping[str, Any], options: PolicyOptions, heroes: Sequence[str] = ()) -> Plan:
    """The plan of a policy with the scenario's options; raises ScenarioError with all that is wrong in it.

    Args:
        heroes: the names of the heroes, whom lines may ask for.
    """
    vocabulary = vocabulary_of(heroes)
    name, slip = split_dial(name)
    entry, problems = read_entry(name, policies, KEYS)
    place = f"policies.{name}"
    formation = entry.get("formation", "standard")
    if formation not in FORMATIONS:
        problems.append(Problem(f"{place}.formation", f"expected one of {', '.join(FORMATIONS)}, found {formation!r}"))
    if "action" not in entry and "like" not in policies[name]:
        problems.append(Problem(place, f"missing; expected lines such as [[{place}.action]], or `like`"))
    action, found = read_lines(entry.get("action", []), vocabulary, f"{place}.action")
    problems += found
    for number, line in enumerate(action):
        if line.do == "best" and (line.aim.by or line.aim.at_random or line.aim.provided):
            where = f"{place}.action[{number}].target"
            problems.append(Problem(where, "'best' ranks by itself: use `weigh`, or `where` alone here"))
    stance = _stance_rule(entry.get("stance", "neutral"), options, vocabulary, f"{place}.stance", problems)
    beginning = options.engage or entry.get("engage", "attack")
    engage = _choices(beginning, ENGAGEMENTS, vocabulary, f"{place}.engage", problems)
    if problems:
        raise ScenarioError(problems)
    action = with_slips(action, data.table("policies.toml")[BY_LOT]["action"], vocabulary, slip)
    return Plan(formation, stance, engage, action, options.rogue_sneak, options.warrior_frenzy)


def _stance_rule(
    entry: Any, options: PolicyOptions, vocabulary: Vocabulary, place: str, problems: list[Problem]
) -> StanceRule:
    """A word, lines with `when` and `take`, or a table with the score by which the best is chosen."""
    if entry == "random":
        return StanceRule(by_lot=True)
    if not isinstance(entry, dict):
        wanted = options.stance if entry == "option" else entry
        return StanceRule(lines=_choices(wanted, tuple(STANCES), vocabulary, place, problems))
    problems += unknown_keys(entry, ("best_of", "score"), place)
    listed = entry.get("best_of", list(STANCES))
    best_of = tuple(listed) if isinstance(listed, list) else (listed,)
    score = read_formula(entry.get("score", ""), SCORE_NAMES, f"{place}.score", problems)
    for word in best_of:
        if word not in tuple(STANCES):
            problems.append(Problem(f"{place}.best_of", f"unknown stance {word!r}{did_you_mean(str(word), STANCES)}"))
    return StanceRule(score=score, best_of=best_of)


def _choices(
    entry: Any, words: tuple[str, ...], vocabulary: Vocabulary, place: str, problems: list[Problem]
) -> tuple[Choice, ...]:
    """A single word, or lines with `when` and `take`."""
    lines = [{"take": entry}] if isinstance(entry, str) else entry
    if not isinstance(lines, list):
        problems.append(Problem(place, f"expected one of {', '.join(words)}, or lines with `when` and `take`"))
        return ()
    choices = []
    for number, line in enumerate(lines):
        take = line.get("take") if isinstance(line, dict) else None
        if take not in words:
            expected = f"expected one of {', '.join(words)}, found {take!r}{did_you_mean(str(take), words)}"
            problems.append(Problem(f"{place}[{number}].take", expected))
            continue
        problems += unknown_keys(line, ("when", "take"), f"{place}[{number}]")
        when = None
        if "when" in line:
            when = read_formula(line["when"], vocabulary.names, f"{place}[{number}].when", problems)
        choices.append(Choice(when, take))
    return tuple(choices)

"""A policy of Overhill, read and checked: formation, stance, engagement and the lines of the action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sim.core.expr import Expression
from sim.core.policy import Line, Vocabulary, read_entry, read_formula, read_lines, unknown_keys
from sim.errors import Problem, ScenarioError, did_you_mean
from sim.rulesets.overhill.state import AGGRESSIVE, DEFENSIVE, NEUTRAL

FORMATIONS = ("standard", "casters_rear", "random")
STANCES = {"neutral": NEUTRAL, "aggressive": AGGRESSIVE, "defensive": DEFENSIVE}  # in the order of the lot
ENGAGEMENTS = ("attack", "talk", "sneak")
KEYS = ("about", "formation", "stance", "engage", "action")
SCORE_NAMES = ("strike", "risk", "health", "max_health", "level")


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a choice without a verb: take this if the condition holds."""

    when: Expression | None
    take: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy ready to be followed."""

    formation: str
    stances: tuple[Choice, ...]  # the first that holds; empty if drawn or scored
    stance_score: Expression | None  # the stance with the largest score, of those in best_of
    best_of: tuple[str, ...]
    random_stance: bool
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


def read_plan(name: str, policies: Mapping[str, Any], vocabulary: Vocabulary, options: Mapping[str, Any]) -> Plan:
    """The plan of a policy with the scenario's options; raises ScenarioError with all that is wrong in it."""
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
    names = set(vocabulary.names)
    stance = entry.get("stance", "neutral")
    score: Expression | None = None
    best_of: tuple[str, ...] = ()
    stances: tuple[Choice, ...] = ()
    if isinstance(stance, dict):
        problems += unknown_keys(stance, ("best_of", "score"), f"{place}.stance")
        listed = stance.get("best_of", list(STANCES))
        best_of = tuple(listed) if isinstance(listed, list) else (listed,)
        score = read_formula(stance.get("score", ""), set(SCORE_NAMES), f"{place}.stance.score", problems)
        for word in best_of:
            if word not in tuple(STANCES):
                problems.append(
                    Problem(f"{place}.stance.best_of", f"unknown stance {word!r}{did_you_mean(str(word), STANCES)}")
                )
    elif stance != "random":
        stance = options["stance"] if stance == "option" else stance
        stances = _choices(stance, tuple(STANCES), names, f"{place}.stance", problems)
    engage = options["engage"] or entry.get("engage", "attack")
    engagement = _choices(engage, ENGAGEMENTS, names, f"{place}.engage", problems)
    if problems:
        raise ScenarioError(problems)
    return Plan(
        formation,
        stances,
        score,
        best_of,
        stance == "random",
        engagement,
        action,
        options["rogue_sneak"],
        options["warrior_frenzy"],
    )


def _choices(
    entry: Any, words: tuple[str, ...], names: set[str], place: str, problems: list[Problem]
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
            problems.append(
                Problem(
                    f"{place}[{number}].take",
                    f"expected one of {', '.join(words)}, found {take!r}{did_you_mean(str(take), words)}",
                )
            )
            continue
        problems += unknown_keys(line, ("when", "take"), f"{place}[{number}]")
        when = read_formula(line["when"], names, f"{place}[{number}].when", problems) if "when" in line else None
        choices.append(Choice(when, take))
    return tuple(choices)

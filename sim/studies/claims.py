"""Claims: what must be true of a fight, as a gate checks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.errors import InputError, Problem, ScenarioError, did_you_mean
from sim.results.statistics import Estimate
from sim.scenario import Scenario, as_scenario
from sim.scenario.changes import title_in_full
from sim.studies.measures import MEASURES
from sim.studies.options import EXPECTED_CONFIDENCE, is_confidence
from sim.studies.points import scale_of

HOLDS, BROKEN, OPEN = "holds", "does not hold", "not decided"
CLAIM_CONFIDENCE = 0.99


@dataclass(frozen=True, slots=True)
class Claim:
    """What must be true of a fight."""

    name: str
    scenario: Scenario
    measure: str = "win_rate"
    least: float = float("-inf")
    most: float = float("inf")
    confidence: float = CLAIM_CONFIDENCE

    @property
    def sentence(self) -> str:
        """'win rate between 65 % and 80 %'."""
        title = MEASURES[self.measure].title
        low, high = (self._shown(end) for end in (self.least, self.most))
        if self.least == float("-inf"):
            return f"{title} at most {high}"
        return f"{title} at least {low}" if self.most == float("inf") else f"{title} between {low} and {high}"

    def _shown(self, end: float) -> str:
        return f"{100 * end:g} %" if scale_of(self.measure) == 100 else f"{end:g}"

    def state(self, estimate: Estimate) -> str:
        """Whether it holds, as far as this is known."""
        if not estimate.known:
            return BROKEN
        if estimate.low >= self.least and estimate.high <= self.most:
            return HOLDS
        return BROKEN if estimate.high < self.least or estimate.low > self.most else OPEN


def as_claims(claims: Sequence[Claim | Mapping[str, Any]]) -> list[Claim]:
    """Claims from tables, checked; every problem at once."""
    found: list[Claim] = []
    problems: list[Problem] = []
    for number, claim in enumerate(claims):
        if isinstance(claim, Claim):
            found.append(claim)
            continue
        try:
            found.append(_claim(claim, f"claims[{number}]"))
        except InputError as error:
            problems += error.problems
    if problems:
        raise ScenarioError(problems)
    return found


def _claim(table: Mapping[str, Any], place: str) -> Claim:
    known = ("name", "scenario", "set", "preset", "policy", "confidence", *MEASURES)
    problems = [
        Problem(f"{place}.{key}", f"unknown key{did_you_mean(key, known) or f' (known: {chr(44).join(known)})'}")
        for key in table
        if key not in known
    ]
    measures = [key for key in MEASURES if key in table]
    misspelled = not measures and any(did_you_mean(key, MEASURES) for key in table if key not in known)
    if len(measures) != 1 and not misspelled:
        problems.append(Problem(place, f"expected one of {', '.join(MEASURES)}, found {', '.join(measures) or 'none'}"))
    elif measures:
        problems += _range_problems(table[measures[0]], measures[0], f"{place}.{measures[0]}")
    confidence = table.get("confidence", CLAIM_CONFIDENCE)
    if not is_confidence(confidence):
        problems.append(Problem(f"{place}.confidence", f"{EXPECTED_CONFIDENCE}, found {confidence!r}"))
    if "scenario" not in table:
        problems.append(Problem(f"{place}.scenario", "missing; expected the name or the path of a fight"))
    if problems:
        raise InputError(problems)
    try:
        fight = as_scenario(
            table["scenario"], values=table.get("set"), preset=table.get("preset"), policy=table.get("policy")
        )
    except InputError as error:
        raise InputError(
            [
                Problem(f"{place}.scenario", ": ".join(filter(None, (one.file, one.key, one.message))))
                for one in error.problems
            ]
        ) from None
    low, high = _ends(table[measures[0]])
    name = table.get("name") or title_in_full(fight)
    return Claim(str(name), fight, measures[0], low, high, float(confidence))


def _ends(span: Any) -> tuple[float, float]:
    """[0.65, 0.8], { least = 0.65 }, { most = 0.8 }."""
    if isinstance(span, Mapping):
        return float(span.get("least", float("-inf"))), float(span.get("most", float("inf")))
    return float(span[0]), float(span[1])


def _range_problems(span: Any, measure: str, place: str) -> list[Problem]:
    message = "expected [least, most], { least = ... } or { most = ... }"
    if isinstance(span, Mapping):
        numbers = list(span.values())
        good = bool(span) and set(span) <= {"least", "most"}
    else:
        numbers = list(span) if isinstance(span, (list, tuple)) else []
        good = len(numbers) == 2
    if not good or not all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in numbers):
        return [Problem(place, f"{message}, found {span!r}")]
    low, high = _ends(span)
    if not low < high:
        return [Problem(place, f"expected the least below the most, found {span!r}")]
    if scale_of(measure) == 100 and not all(0 <= n <= 1 for n in numbers):
        return [Problem(place, f"expected shares from 0 to 1, as in [0.65, 0.8], found {span!r}")]
    return []

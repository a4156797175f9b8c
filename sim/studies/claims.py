"""Claims: what must be true of a fight, as a gate checks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.errors import InputError, Problem, ScenarioError, did_you_mean
from sim.results.statistics import Estimate
from sim.scenario import Scenario, as_scenario
from sim.scenario.changes import title_in_full
from sim.scenario.values import KeyPath, spell
from sim.studies.measures import EVERY_MEASURE
from sim.studies.options import EXPECTED_CONFIDENCE, is_confidence
from sim.studies.points import scale_of

HOLDS, BROKEN, OPEN = "holds", "does not hold", "not decided"
CLAIM_CONFIDENCE = 0.99
FIGHT_KEYS = {"set": Mapping, "preset": str, "policy": str}  # what a claim may change in its fight


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
        title = EVERY_MEASURE[self.measure].title
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
    """Claims from tables, checked; every problem of every claim at once."""
    problems = [Problem(spell(path), message) for path, message in claim_problems(claims)]
    if problems:
        raise ScenarioError(problems)
    return [claim if isinstance(claim, Claim) else _claim(claim) for claim in claims]


def claim_problems(claims: Sequence[Claim | Mapping[str, Any]]) -> Iterator[tuple[KeyPath, str]]:
    """Everything that is wrong with claims, each with its place."""
    for number, claim in enumerate(claims):
        if not isinstance(claim, Claim):
            for path, message in (*_key_problems(claim), *_fight_problems(claim)):
                yield ("claims", number, *path), message


def _key_problems(table: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    known = ("name", "scenario", *FIGHT_KEYS, "confidence", *EVERY_MEASURE)
    all_of_them = f" (known: {', '.join(known)})"
    for key in table:
        if key not in known:
            yield (key,), f"unknown key{did_you_mean(key, known) or all_of_them}"
    measures = [key for key in EVERY_MEASURE if key in table]
    misspelled = not measures and any(did_you_mean(key, EVERY_MEASURE) for key in table if key not in known)
    if len(measures) != 1 and not misspelled:
        yield (), f"expected one of {', '.join(EVERY_MEASURE)}, found {', '.join(measures) or 'none'}"
    for measure in measures:
        for message in _range_problems(table[measure], measure):
            yield (measure,), message
    confidence = table.get("confidence", CLAIM_CONFIDENCE)
    if not is_confidence(confidence):
        yield ("confidence",), f"{EXPECTED_CONFIDENCE}, found {confidence!r}"
    if not isinstance(table.get("scenario"), (str, Path, Mapping, Scenario)):
        found = f", found {table['scenario']!r}" if "scenario" in table else ""
        yield ("scenario",), f"{'' if found else 'missing; '}expected the name or the path of a fight{found}"
    for key, kind in FIGHT_KEYS.items():
        if key in table and not isinstance(table[key], kind):
            yield (key,), f"expected {'a name' if kind is str else 'a table of values'}, found {table[key]!r}"


def _fight_problems(table: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """What is wrong with the fight of a claim, as far as it can be read."""
    if not isinstance(table.get("scenario"), (str, Path, Mapping, Scenario)):
        return
    changes = {key: table[key] for key, kind in FIGHT_KEYS.items() if isinstance(table.get(key), kind)}
    try:
        _fight({"scenario": table["scenario"], **changes})
    except InputError as error:
        for problem in error.problems:
            yield place_in_question(problem)


def place_in_question(problem: Problem) -> tuple[KeyPath, str]:
    """A problem of a fight, at the key of the question that brought it about: `set`, `policy`, `preset`, `scenario`."""
    asked = problem.file or ""
    if asked.startswith("--set "):
        return ("set", asked.removeprefix("--set ").partition("=")[0]), problem.message
    if asked.startswith(("--policy ", "--preset ")):
        return (asked[2:].partition(" ")[0],), problem.message
    return ("scenario",), str(problem) if asked else ": ".join(filter(None, (problem.key, problem.message)))


def _fight(table: Mapping[str, Any]) -> Scenario:
    return as_scenario(
        table["scenario"], values=table.get("set"), preset=table.get("preset"), policy=table.get("policy")
    )


def _claim(table: Mapping[str, Any]) -> Claim:
    """A claim from a table that has been checked."""
    fight = _fight(table)
    measure = next(key for key in EVERY_MEASURE if key in table)
    low, high = _ends(table[measure])
    confidence = float(table.get("confidence", CLAIM_CONFIDENCE))
    return Claim(str(table.get("name") or title_in_full(fight)), fight, measure, low, high, confidence)


def _ends(span: Any) -> tuple[float, float]:
    """[0.65, 0.8], { least = 0.65 }, { most = 0.8 }."""
    if isinstance(span, Mapping):
        return float(span.get("least", float("-inf"))), float(span.get("most", float("inf")))
    return float(span[0]), float(span[1])


def _range_problems(span: Any, measure: str) -> list[str]:
    message = "expected [least, most], { least = ... } or { most = ... }"
    if isinstance(span, Mapping):
        numbers = list(span.values())
        good = bool(span) and set(span) <= {"least", "most"}
    else:
        numbers = list(span) if isinstance(span, (list, tuple)) else []
        good = len(numbers) == 2
    if not good or not all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in numbers):
        return [f"{message}, found {span!r}"]
    low, high = _ends(span)
    if not low < high:
        return [f"expected the least below the most, found {span!r}"]
    if scale_of(measure) == 100 and not all(0 <= n <= 1 for n in numbers):
        return [f"expected shares from 0 to 1, as in [0.65, 0.8], found {span!r}"]
    return []

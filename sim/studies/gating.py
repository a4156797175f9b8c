"""gate: balance as a test. A file of claims, each checked until it is sure; for a game's own CI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from sim.errors import InputError, Problem, ScenarioError, did_you_mean
from sim.stats import MOST_RUNS, Estimate, looks
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.measures import MEASURES, Tally
from sim.studies.points import scale_of
from sim.studies.pool import Card, Fight, Pool
from sim.studies.working import Work, delivered, pool_for

if TYPE_CHECKING:
    from sim.scenario import Scenario

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


def gate(
    claims: str | Path | Sequence[Claim | Mapping[str, Any]],
    *,
    seed: int = 1,
    max_runs: int = MOST_RUNS,
    **work: Unpack[Work],
) -> Answer:
    """Check claims, each played until it is sure to hold or sure to be broken; valid while watching.

    Args:
        claims: a file of [[claims]], or claims as tables: {"scenario": "overhill/crypt-swarm", "policy": "cautious",
            "win_rate": [0.65, 0.8], "confidence": 0.99}.
        max_runs: where a claim is given up as not decided, which counts as not holding.
        work: processes, folder, cluster: see `sim.studies.working.Work`; nothing of it changes the answer.
    """
    if isinstance(claims, (str, Path)):
        from sim.studies.filing import read_claims

        checked = read_claims(claims)
    else:
        checked = as_claims(claims)
    if not checked:
        raise InputError(Problem("claims", "there is no claim to check"))
    with pool_for("gate", [claim.scenario for claim in checked], seed, work) as pool:
        tallies: list[Tally | None] = [None] * len(checked)
        states = [OPEN] * len(checked)
        for look in looks(max_runs):
            waiting = [at for at, state in enumerate(states) if state == OPEN]
            spans = []
            for at in waiting:
                tally = tallies[at]
                spans.append((Card((Fight(checked[at].scenario, seed),)), 0 if tally is None else tally.runs, look))
            for at, score in zip(waiting, pool.play_spans(spans), strict=True):
                before = tallies[at]
                tallies[at] = score.fights[0] if before is None else before + score.fights[0]
                states[at] = checked[at].state(_estimate(checked[at], tallies[at]))
            if OPEN not in states:
                break
        known = [tally for tally in tallies if tally is not None]
        return delivered(_answer(checked, known, states, pool, seed, max_runs), pool, work)


def _estimate(claim: Claim, tally: Tally | None) -> Estimate:
    assert tally is not None
    return tally.estimate(claim.measure, claim.confidence, watched=True)


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
    from sim.scenario import as_scenario

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
    if not isinstance(confidence, (int, float)) or not 0.5 <= confidence < 1:
        problems.append(Problem(f"{place}.confidence", f"expected a share from 0.5 to below 1, found {confidence!r}"))
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
    name = table.get("name") or f"{fight.name} under {fight.policy}"
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


def _answer(
    claims: list[Claim], tallies: list[Tally], states: list[str], pool: Pool, seed: int, max_runs: int
) -> Answer:
    columns = (
        Column("claim", "claim"),
        Column("says", "says"),
        Column("found", "found", "by measure"),
        Column("unit", "in"),
        Column("confidence", "sure", "share"),
        Column("runs", "runs", "count"),
        Column("state", "verdict"),
    )
    about = "Each with an interval of its own confidence that is valid while watching."
    table = StudyTable("claims", "Claim by claim", about, columns)
    verdicts = []
    for claim, tally, state in zip(claims, tallies, states, strict=True):
        estimate = _estimate(claim, tally)
        share = scale_of(claim.measure) == 100
        table.rows.append(
            {
                "claim": claim.name,
                "says": claim.sentence,
                "least": claim.least,
                "most": claim.most,
                "found": estimate,
                "unit": "%" if share else MEASURES[claim.measure].unit,
                "confidence": claim.confidence,
                "runs": tally.runs,
                "state": state,
            }
        )
        times = 100 if share else 1
        ends = f"{times * estimate.value:.1f} [{times * estimate.low:.1f}, {times * estimate.high:.1f}]"
        if state != HOLDS:
            verdicts.append(f"{claim.name}: {claim.sentence} {state}: {ends}{' %' if share else ''}.")
    good = states.count(HOLDS)
    verdicts.insert(0, f"{good} of {len(claims)} claims hold.")
    warnings = [f"Not decided after {max_runs:,} runs: the true value lies at the edge."] if OPEN in states else []
    return Answer(
        question="gate",
        scenario=claims[0].scenario,
        verdicts=verdicts,
        tables=[table],
        settings={"seed": seed, "max_runs": max_runs, "interval": "confidence sequence, valid while watching"},
        effort=pool.effort(),
        warnings=warnings,
        facts={"claims": len(claims), "hold": good, "broken": states.count(BROKEN), "open": states.count(OPEN)},
        holds=good == len(claims),
    )

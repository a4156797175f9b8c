"""gate: balance as a test. A file of claims, each checked until it is sure; for a game's own CI."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from sim.errors import InputError, Problem
from sim.results.statistics import MOST_RUNS, Estimate
from sim.scenario.wording import readable
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Card, Fight
from sim.studies.claims import BROKEN, HOLDS, OPEN, Claim, as_claims
from sim.studies.course import asked
from sim.studies.known_luck import estimator
from sim.studies.measures import EVERY_MEASURE, Tally
from sim.studies.points import aim_for, looks_for, remarks_on, scale_of
from sim.studies.pool import Pool
from sim.studies.study_file import read_claims
from sim.studies.work import Work, delivered, pool_for


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
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    if isinstance(claims, (str, Path)):
        checked = read_claims(claims)
    else:
        checked = as_claims(claims)
    if not checked:
        raise InputError(Problem("claims", "there is no claim to check"))
    with pool_for("gate", [claim.scenario for claim in checked], seed, work) as pool:
        tallies: list[Tally | None] = [None] * len(checked)
        states = [OPEN] * len(checked)
        ahead = [looks_for(claim.measure, max_runs) for claim in checked]
        while waiting := {at: look for at, look in _next_looks(ahead, states).items() if look is not None}:
            spans = []
            for at, look in waiting.items():
                tally, fight = tallies[at], _fight(checked[at], seed)
                spans.append((Card((fight,)), 0 if tally is None else tally.runs, look))
            for at, score in zip(waiting, pool.play_spans(spans), strict=True):
                before = tallies[at]
                tallies[at] = score.fights[0] if before is None else before + score.fights[0]
                states[at] = checked[at].state(_estimate(checked[at], tallies[at]))
        known = [tally for tally in tallies if tally is not None]
        return delivered(_answer(checked, known, states, pool, seed, max_runs), pool, work)


def _next_looks(ahead: list[Iterator[int]], states: list[str]) -> dict[int, int | None]:
    """How far every claim that is open is played before the next look; None for one that is given up."""
    return {at: next(ahead[at], None) for at, state in enumerate(states) if state == OPEN}


def _fight(claim: Claim, seed: int) -> Fight:
    """What is played for a claim; about a win rate with account kept of the luck, from the second look on."""
    pilot = claim.scenario if claim.measure == "win_rate" else None
    return Fight(claim.scenario, seed, asked=asked(claim.measure), pilot=pilot)


def _estimate(claim: Claim, tally: Tally | None) -> Estimate:
    assert tally is not None
    return tally.sharpest(claim.measure, claim.confidence, watched=True)


def _interval_of(claim: Claim, tally: Tally) -> str:
    """What the interval is of, in words."""
    return estimator(tally.adjusted()) if claim.measure == "win_rate" else ""


def _answer(
    claims: list[Claim], tallies: list[Tally], states: list[str], pool: Pool, seed: int, max_runs: int
) -> Answer:
    columns = (
        Column("claim", "claim"),
        Column("says", "says"),
        Column("found", "found", "by measure"),
        Column("unit", "in"),
        Column("confidence", "sure", "share"),
        Column("interval_of", "interval of"),
        Column("raw", "raw", "by measure"),
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
                "unit": "%" if share else EVERY_MEASURE[claim.measure].unit,
                "confidence": claim.confidence,
                "interval_of": _interval_of(claim, tally),
                "raw": tally.estimate(claim.measure, claim.confidence, watched=True),
                "runs": tally.runs,
                "state": state,
            }
        )
        if state != HOLDS:
            verdicts.append(f"{readable(claim.name)}: {claim.sentence} {state}: {_found(estimate, share)}.")
    good = states.count(HOLDS)
    verdicts.insert(0, f"{good} of {len(claims)} claims hold.")
    warnings: list[str] = []
    limits = set()
    for claim, tally, state in zip(claims, tallies, states, strict=True):
        warnings += remarks_on(claim.measure, [tally])
        limits |= {aim_for(claim.measure, 0.0, max_runs).most} if state == OPEN else set()
    warnings += [f"Not decided after {most:,} runs: the true value lies at the edge." for most in sorted(limits)]
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


def _found(estimate: Estimate, share: bool) -> str:
    """What was found, or why there is nothing."""
    if not estimate.known:
        return f"it cannot be told, {estimate.why}"
    times, digits = (100, 1) if share else (1, 1 if estimate.margin >= 0.05 else 2)
    value, low, high = (f"{times * end:.{digits}f}" for end in (estimate.value, estimate.low, estimate.high))
    return f"{value} [{low}, {high}]{' %' if share else ''}"

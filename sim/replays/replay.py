"""One run, told move by move, by playing it again with somebody listening."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.core.telling import Event, Recorder
from sim.errors import InputError, Problem, SimError
from sim.results.verdict import counted
from sim.runs.runner import run as play_runs
from sim.scenario import Scenario
from sim.scenario.changes import title_in_full

SCHEMA = 1
PICKS = ("median", "best", "worst", "closest", "loss", "draw")  # the runs that `Summary.picks` names


@dataclass(frozen=True, slots=True)
class Telling:
    """The story of one run."""

    scenario: str
    title: str
    ruleset: str
    preset: str
    policy: str
    switches: dict[str, Any]
    digest: str  # of the scenario: tells whether two tellings are of the same fight
    seed: int
    run: int
    outcome: str
    rounds: int
    events: tuple[Event, ...]
    units: tuple[dict[str, Any], ...]  # name, side and hit points left

    def lines(self) -> Iterator[str]:
        """The story in plain words, a line an event."""
        yield f"{self.title} ({self.scenario}), policy {self.policy}, run {self.run} of seed {self.seed}"
        told = None
        for event in self.events:
            if event.round != told:
                told = event.round
                yield ""
                yield f"Round {told}" if told else "Before the fight"
            if event.picture:
                yield from (f"    {row}" for row in event.picture.splitlines())
                continue
            facts = ", ".join(f"{name.replace('_', ' ')} {_told(value)}" for name, value in event.facts.items())
            who = f"{event.who} " if event.who else ""
            yield f"  {event.rule:<8} {who}{event.what}" + (f" ({facts})" if facts else "")
        yield ""
        when = f"after {counted(self.rounds, 'round')}" if self.rounds else "before the first round"
        yield f"The end: {self.outcome} {when}."
        left = [f"{unit['name']} {unit['hp']}" for unit in self.units]
        yield "Left: " + ", ".join(left) + "."

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"schema": SCHEMA, **asdict(self), "events": [asdict(event) for event in self.events]}


def _told(value: int | bool | str) -> str:
    """A fact as it stands among others in parentheses, so without a pair of its own: '(1,2)' is told as '1,2'."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).removeprefix("(").removesuffix(")")


def replay(scenario: Scenario, run: int, seed: int) -> Telling:
    """Play run number `run` again, alone, and write down what happens."""
    problems = []
    if not 0 <= run < 2**63:
        problems.append(Problem("run", f"expected the number of a run, from 0 to 2**63 - 1, found {run}"))
    if not 0 <= seed < 2**64:
        problems.append(Problem("seed", f"expected a whole number from 0 to 2**64 - 1, found {seed}"))
    if problems:
        raise InputError(problems)
    encounter = scenario.encounter()
    recorder = Recorder()
    outcomes = play(encounter, seed, np.array([run], dtype=np.int64), recorder)
    units = [
        {"name": unit.name, "side": unit.side, "hp": int(outcomes.hp[row, 0])}
        for row, unit in enumerate(encounter.cast.units)
        if outcomes.present[row, 0]
    ]
    return Telling(
        scenario.name,
        title_in_full(scenario),
        scenario.ruleset_name,
        scenario.preset,
        scenario.policy,
        scenario.settings,
        scenario.digest,
        seed,
        run,
        Outcome(outcomes.outcome[0]).name.lower(),
        int(outcomes.rounds[0]),
        tuple(recorder.events),
        tuple(units),
    )


def pick(scenario: Scenario, which: str, seed: int, runs: int) -> int:
    """The number of a run worth looking at among the first `runs`: one of PICKS."""
    if which not in PICKS:
        raise InputError(Problem("pick", f"expected one of {', '.join(PICKS)}, found {which!r}"))
    found = play_runs(scenario, runs=runs, seed=seed, jobs=1, keep="summary", progress=False).picks
    if which not in found:
        known = ", ".join(found) or "no fights at all"
        raise SimError(f"no run of {runs:,} is a '{which}' under seed {seed} (there are: {known}); try more --runs")
    return found[which]

"""What every run yields for a measure of the course of a fight: see `sim.studies.course`."""

from __future__ import annotations

import numpy as np

from sim.core.branch import AGAIN, chances_of, play_fresh_from
from sim.core.chance import by_side
from sim.core.engine import play_with
from sim.core.lanes import Tiny, Whole
from sim.core.luck import Luck
from sim.core.mixed_luck import MixedLuck
from sim.core.outcomes import Outcome, Outcomes
from sim.results.summary import ENCOUNTERS
from sim.scenario import Scenario
from sim.studies.course import COURSE, CourseMeasure
from sim.studies.feel import along_the_run, winners_share


def numbers_of(measure: str, scenario: Scenario, seed: int, own: Outcomes, runs: Whole) -> Whole:
    """(numbers, runs). What these runs of a fight yield; `own` is how they end with their own luck."""
    about = COURSE[measure]
    if about.kind == "ends":
        left, decided = winners_share(own, scenario.encounter().cast)
        return np.stack([left, decided.astype(np.int64)])
    if about.kind == "curve":
        return _along_curves(measure, scenario, seed, runs)
    return _both_ends(own.outcome, _second_playing(about, scenario, seed, runs).outcome)


def _second_playing(about: CourseMeasure, scenario: Scenario, seed: int, runs: Whole) -> Outcomes:
    """The runs once more, with some of their luck another one."""
    encounter = scenario.encounter()
    if about.kind == "decided":
        return play_fresh_from(encounter, seed, runs, about.end + 1)
    all_but_theirs = by_side(encounter.actors())[about.side].opposite()
    return play_with(encounter, runs, MixedLuck.mixed(Luck.of(seed, runs), all_but_theirs))


def _both_ends(first: Tiny, second: Tiny) -> Whole:
    """(3, runs). Won both times, won how often, and whether there was somebody to fight both times."""
    counts = np.isin(first, ENCOUNTERS) & np.isin(second, ENCOUNTERS)
    one, other = counts & (first == Outcome.WIN), counts & (second == Outcome.WIN)
    return np.stack([(one & other).astype(np.int64), one.astype(np.int64) + other, counts.astype(np.int64)])


def _along_curves(measure: str, scenario: Scenario, seed: int, runs: Whole) -> Whole:
    """(4, runs). The measure, what it is a share of, the measure from either half of the continuations, rounds."""
    found = np.zeros((4, len(runs)), dtype=np.int64)
    for at, curve in enumerate(chances_of(scenario.encounter(), seed, runs, AGAIN)):
        if curve.rounds:
            won, half = curve.ended == Outcome.WIN, curve.again // 2
            whole, per = along_the_run(measure, won, curve.outcome)
            halves = [along_the_run(measure, part, curve.outcome)[0] for part in (won[:, :half], won[:, half:])]
            found[:, at] = whole, per, sum(halves), curve.rounds
    return found

"""What may be asked: the options that questions share, checked all at once."""

from __future__ import annotations

from collections.abc import Sequence

from sim.errors import InputError, Problem, did_you_mean
from sim.studies.course import COURSE
from sim.studies.measures import EVERY_MEASURE, MEASURES

MOST_CONFIDENCE = 0.999_999  # beyond it intervals tell more of rounding than of luck
MOST_POINTS = 1_000_000  # of a margin or a precision
MOST_TRIALS = 100_000  # of a search
MOST_GENERATIONS = 100_000  # of a search for better play
MOST_SECONDS = 30 * 24 * 3_600  # that a search may be given
EXPECTED_CONFIDENCE = f"expected a share from 0.5 to {MOST_CONFIDENCE}"


def is_confidence(value: object) -> bool:
    """Whether a study can be so sure."""
    return isinstance(value, int | float) and 0.5 <= value <= MOST_CONFIDENCE


def check_options(
    *,
    runs: int | None,
    precision: float | None,
    margin: float,
    measure: str,
    confidence: float,
    seed: int,
    iso: Sequence[float] | None = None,
    course: bool = False,
) -> None:
    """Refuse what cannot be studied, all of it at once; `course` if the question can ask for measures of the course."""
    problems = []
    if runs is not None and runs < 2:
        problems.append(Problem("runs", f"expected a whole number from 2 up, found {runs}"))
    if runs is not None and precision is not None:
        problems.append(Problem("precision", "runs fixes the number and precision finds it: give one of them"))
    for name, points in (("precision", precision), ("margin", margin)):
        if points is not None and not 0 < points <= MOST_POINTS:
            problems.append(Problem(name, f"expected a number above 0, at most {MOST_POINTS:,}, found {points}"))
    for value in iso or ():
        if not -MOST_POINTS <= value <= MOST_POINTS:
            problems.append(Problem("iso", f"expected numbers up to {MOST_POINTS:,}, found {value}"))
    problems += [Problem("measure", message) for message in measure_problems(measure, course)]
    if not is_confidence(confidence):
        problems.append(Problem("confidence", f"{EXPECTED_CONFIDENCE}, found {confidence}"))
    if not 0 <= seed < 2**64:
        problems.append(Problem("seed", f"expected a whole number from 0 to 2**64 - 1, found {seed}"))
    if problems:
        raise InputError(problems)


def measure_problems(measure: str, course: bool) -> list[str]:
    """What is wrong with a measure, if anything: unknown, or one that only some questions can ask for."""
    known = EVERY_MEASURE if course else MEASURES
    if measure in known:
        return []
    if measure in COURSE:
        able = "compare, sweep, scale, tune and gate can ask for it, and why tells it of one fight"
        return [f"{measure} takes more than the runs of a fight: {able}; expected one of {', '.join(MEASURES)}"]
    which = did_you_mean(measure, known) or f" (known: {', '.join(known)})"
    return [f"unknown measure '{measure}'{which}"]

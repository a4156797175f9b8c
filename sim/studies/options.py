"""What may be asked: the options that questions share, checked all at once."""

from __future__ import annotations

from sim.errors import InputError, Problem, did_you_mean
from sim.studies.measures import MEASURES


def check_options(
    *,
    runs: int | None,
    precision: float | None,
    margin: float,
    measure: str,
    confidence: float,
    seed: int,
) -> None:
    """Refuse what cannot be studied, all of it at once."""
    problems = []
    if runs is not None and runs < 2:
        problems.append(Problem("runs", f"expected a whole number from 2 up, found {runs}"))
    if runs is not None and precision is not None:
        problems.append(Problem("precision", "runs fixes the number and precision finds it: give one of them"))
    if precision is not None and not precision > 0:
        problems.append(Problem("precision", f"expected a number above 0, found {precision}"))
    if not margin > 0:
        problems.append(Problem("margin", f"expected a number above 0, found {margin}"))
    if measure not in MEASURES:
        known = did_you_mean(measure, MEASURES) or f" (known: {', '.join(MEASURES)})"
        problems.append(Problem("measure", f"unknown measure '{measure}'{known}"))
    if not 0.5 <= confidence < 1:
        problems.append(Problem("confidence", f"expected a share from 0.5 to below 1, found {confidence}"))
    if not 0 <= seed < 2**64:
        problems.append(Problem("seed", f"expected a whole number from 0 to 2**64 - 1, found {seed}"))
    if problems:
        raise InputError(problems)

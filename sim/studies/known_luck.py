"""Known luck in studies: which fight the worths of dice and cards are learned in, and what is said of it.

Worths that were fixed beforehand leave every mean as it is, whichever fight they come from (`sim.core.known_luck`);
they only help less where the fights are unlike. So the values of one knob share one pilot. It is the fight that comes
nearest to what is looked for, and is chosen by the first 2,000 runs of each, which are never corrected themselves. A
fight that is known well enough by then pays for no pilot.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from sim.core.pilot import learned
from sim.results.adjusted import Adjusted
from sim.results.statistics import Estimate, nothing
from sim.studies.answer import Column

if TYPE_CHECKING:
    from sim.core.known_luck import Worths
    from sim.scenario import Scenario
    from sim.studies.measures import Tally

PILOT_SEED = 0x52_4F_4F_4B  # pilots have luck of their own, so that every seed of a study can share one
LIKELY_GAIN = 1.6  # how many times fewer runs will do, before anything is known of it
EVEN = 0.5
TAKEN_OUT, RAW = "known luck taken out", "raw rate"  # what an interval is of

COLUMN = Column("win_rate_adjusted", "win rate, known luck taken out", "share")


@lru_cache(maxsize=32)
def worths_of(pilot: Scenario) -> Worths:
    """What dice and cards are worth in a fight: the same in every process."""
    return learned(pilot.encounter(), PILOT_SEED)


def best_pilot(known: Iterable[tuple[Scenario, Tally]], wanted: float = EVEN) -> Scenario | None:
    """The fight whose win rate comes nearest to what is looked for; None if nothing is known of any."""
    rates = [(fight, tally.estimate("win_rate")) for fight, tally in known]
    told = [(fight, rate.value) for fight, rate in rates if rate.known]
    return min(told, key=lambda one: abs(one[1] - wanted))[0] if told else None


def rate_of(found: Adjusted | None) -> Estimate:
    """The rate for a table; nothing where no luck is known."""
    return nothing("too few runs, or no luck that is known") if found is None else found.rate


def estimator(found: Adjusted | None) -> str:
    """What an interval is of, in words."""
    return RAW if found is None else TAKEN_OUT


def about_tables(tallies: Iterable[Tally]) -> str:
    """What is said below a table whose rates have a sharper one beside them; nothing where none has."""
    gains = [found.gain for tally in tallies if (found := tally.adjusted()) is not None]
    if not gains:
        return ""
    most = f"as sharp as up to {max(gains):.1f} times as many runs"
    return f" Where more than 2,000 runs were played, the rate with the known luck taken out stands beside it, {most}."

"""The part of a result's page that says why: what decides the fight, for less than the run itself has cost."""

from __future__ import annotations

from dataclasses import dataclass

from sim.report.study_tables import study_table
from sim.report.svg import Drawing, drawn
from sim.report.table import Table
from sim.report.why_figures import resolution
from sim.results.result import Result
from sim.runs.signals import StopAsked
from sim.studies.why import why_in_short

PART = 0.8  # of the encounters of the run: what the section may cost
SHOWN = ("resolution", "chance", "sides", "losses")  # tables of the answer


@dataclass(frozen=True, slots=True)
class WhySection:
    """What decides the fight, in words, tables and a figure."""

    runs: int
    encounters: int
    sentences: list[str]
    warnings: list[str]
    tables: list[Table]
    drawing: Drawing | None


def why_section(result: Result) -> WhySection | None:
    """What decides the fight; None where nobody wants to know, or the run was too short to spend as much again."""
    if not result.tells_why:
        return None
    try:
        answer = why_in_short(result.scenario, result.provenance.seed, int(PART * result.runs_played))
    except StopAsked:  # the run is there; whoever wants to go gets its page without this part
        return None
    if answer is None or (0 < result.win_rate.value < 1 and answer.on_top["win_rate"] in (0, 1)):
        return None  # so few runs have not seen what happens now and then
    sketch = resolution(answer)
    return WhySection(
        answer.settings["runs"],
        answer.effort.encounters,
        answer.verdicts,
        answer.warnings,
        [study_table(table) for table in answer.tables if table.name in SHOWN and table.rows],
        None if sketch is None else drawn(sketch),
    )

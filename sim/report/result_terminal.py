"""A result on a terminal: verdict, tables, warnings, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.report.result_tables import main_tables, picks_table
from sim.report.table import print_table
from sim.results.result import Result
from sim.scenario.changes import title_in_full

if TYPE_CHECKING:
    from rich.console import Console


def print_result(result: Result, console: Console | None = None) -> None:
    """The whole of a result, readable on 100 columns."""
    from rich.console import Console
    from rich.text import Text

    # Names come from files, so nothing here is read as rich's markup. A pipe has no width: 100 columns are.
    console = console or Console(markup=False, highlight=False)
    if not console.is_terminal and console.width < 100:
        console.width = 100
    scenario = result.scenario
    heading = Text.assemble((title_in_full(scenario), "bold"), f"  {scenario.name}", style="")
    console.print(heading)
    console.print(Text(result.verdict, style="bold"))
    if result.price:
        console.print(Text(result.price))
    for caution in result.warnings:
        console.print(Text.assemble(("warning: ", "bold yellow"), caution.text))
    for table in main_tables(result):
        if table.rows:
            print_table(table, console)
    if result.picks:
        print_table(picks_table(result), console)
    provenance = result.provenance
    processes = "1 process" if provenance.jobs == 1 else f"{provenance.jobs} processes"
    console.print(
        Text(
            f"{result.runs_played:,} runs, seed {provenance.seed}, policy {scenario.policy}; "
            f"{provenance.elapsed_s:.1f} s, {result.runs_per_s:,.0f} runs/s in {processes}.",
            style="dim",
        )
    )

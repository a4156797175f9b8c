"""A result on a terminal: verdict, tables, warnings, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core.plain_text import clean_console
from sim.report.result_tables import few_tables, main_tables
from sim.report.table import no_room_for, print_table
from sim.results.result import Result
from sim.scenario.changes import title_in_full
from sim.scenario.wording import readable

if TYPE_CHECKING:
    from rich.console import Console


def print_result(result: Result, console: Console | None = None, everything: bool = False, where: str = "") -> None:
    """The verdict, the few tables that matter or all, where the rest is, and the verdict again: it stays in sight."""
    from rich.console import Console
    from rich.text import Text

    # Names come from files, so nothing here is read as rich's markup. A pipe has no width: 100 columns are.
    console = console or clean_console(Console(markup=False, highlight=False))
    if not console.is_terminal and console.width < 100:
        console.width = 100
    scenario = result.scenario
    heading = Text.assemble((title_in_full(scenario), "bold"), f"  {scenario.name}", style="")
    console.print(heading)
    console.print(Text(result.verdict, style="bold"))
    for sentence in (result.price, result.costliest, result.luck_taken_out):
        if sentence:
            console.print(Text(sentence))
    for caution in result.warnings:
        console.print(Text.assemble(("warning: ", "bold yellow"), caution.text))
    shown = [table for table in (main_tables(result) if everything else few_tables(result)) if table.rows]
    no_room = sum(print_table(table, console) for table in shown)
    console.print()
    for line in (_effort(result), no_room_for(no_room) if no_room else "", _fight_to_see(result), where):
        if line:
            console.print(Text(line, style="dim"))
    console.print()
    console.print(Text(result.verdict, style="bold"))


def _effort(result: Result) -> str:
    provenance = result.provenance
    processes = "1 process" if provenance.jobs == 1 else f"{provenance.jobs} processes"
    return (
        f"{result.runs_played:,} runs, seed {provenance.seed}, policy {readable(result.scenario.policy)}; "
        f"{provenance.elapsed_s:.1f} s, {result.runs_per_s:,.0f} runs/s in {processes}."
    )


def _fight_to_see(result: Result) -> str:
    """The one run to begin with: a loss teaches most."""
    for pick, told in (("loss", "A typical loss"), ("median", "A typical fight")):
        if pick in result.picks:
            return f"{told}, move by move: {result.replay_command(result.picks[pick])}"
    return ""

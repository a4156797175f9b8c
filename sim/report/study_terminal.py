"""The answer of a study on a terminal: verdicts, warnings, tables, effort; and what two results do not agree about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core.plain_text import clean_console
from sim.report.study_tables import study_table
from sim.report.table import no_room_for, print_table
from sim.scenario.changes import title_in_full
from sim.studies.answer import Answer
from sim.studies.diff import Difference

if TYPE_CHECKING:
    from rich.console import Console


def print_answer(answer: Answer, console: Console | None = None, where: str = "") -> None:
    """Verdicts, warnings, tables, effort, where the rest is, and the first verdict again: it is what stays in sight."""
    from rich.console import Console
    from rich.text import Text

    console = console or clean_console(Console(markup=False, highlight=False))
    if not console.is_terminal and console.width < 100:
        console.width = 100
    title = answer.title or title_in_full(answer.scenario)
    console.print(Text.assemble((title, "bold"), f"  {answer.question} {answer.scenario.name}"))
    for verdict in answer.verdicts:
        console.print(Text(verdict, style="bold"))
    for warning in answer.warnings:
        console.print(Text.assemble(("warning: ", "bold yellow"), warning))
    shown = [study_table(table) for table in answer.tables if table.rows and table.on_screen]
    no_room = sum(print_table(table, console) for table in shown)
    if answer.to_copy:
        console.print()
        console.print(Text("To take into the scenario file:", style="bold"))
        console.print(Text(answer.to_copy.rstrip("\n")), soft_wrap=True)
    seed = f" Seed {answer.settings['seed']}." if "seed" in answer.settings else ""
    console.print()
    console.print(Text(f"{answer.effort.sentence}{seed}", style="dim"))
    for line in (no_room_for(no_room) if no_room else "", where):
        if line:
            console.print(Text(line, style="dim"))
    console.print()
    console.print(Text(answer.verdicts[0], style="bold"))


def print_difference(difference: Difference, console: Console | None = None) -> None:
    """What two results do not agree about."""
    from rich.console import Console
    from rich.text import Text

    console = console or clean_console(Console(markup=False, highlight=False))
    for verdict in difference.verdicts:
        console.print(Text(verdict, style="bold"))
    for warning in difference.warnings:
        console.print(Text.assemble(("warning: ", "bold yellow"), warning))
    for table in difference.tables:
        if table.rows:
            print_table(study_table(table), console)

"""Results and answers on a terminal: verdict, tables, warnings, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.report.result_tables import main_tables, picks_table
from sim.report.study_tables import study_table
from sim.report.table import Table
from sim.results.result import Result
from sim.studies.answer import Answer
from sim.studies.diff import Difference

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod

WIDE = 125  # columns of a terminal that has room for every measure


def print_result(result: Result, console: Console | None = None) -> None:
    """The whole of a result, readable on 100 columns."""
    from rich.console import Console
    from rich.text import Text

    # Names come from files, so nothing here is read as rich's markup. A pipe has no width: 100 columns are.
    console = console or Console(markup=False, highlight=False)
    if not console.is_terminal and console.width < 100:
        console.width = 100
    scenario = result.scenario
    heading = Text.assemble((scenario.title, "bold"), f"  {scenario.name}", style="")
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


def print_answer(answer: Answer, console: Console | None = None) -> None:
    """Verdicts, warnings, tables, effort."""
    from rich.console import Console
    from rich.text import Text

    console = console or Console(markup=False, highlight=False)
    if not console.is_terminal and console.width < 100:
        console.width = 100
    title = answer.title or answer.scenario.title
    console.print(Text.assemble((title, "bold"), f"  {answer.question} {answer.scenario.name}"))
    for verdict in answer.verdicts:
        console.print(Text(verdict, style="bold"))
    for warning in answer.warnings:
        console.print(Text.assemble(("warning: ", "bold yellow"), warning))
    for table in answer.tables:
        if table.rows and table.on_screen:
            print_table(study_table(table, wide=console.width >= WIDE), console)
    seed = f" Seed {answer.settings['seed']}." if "seed" in answer.settings else ""
    console.print()
    console.print(Text(f"{answer.effort.sentence}{seed}", style="dim"))


def print_difference(difference: Difference, console: Console | None = None) -> None:
    """What two results do not agree about."""
    from rich.console import Console
    from rich.text import Text

    console = console or Console(markup=False, highlight=False)
    for verdict in difference.verdicts:
        console.print(Text(verdict, style="bold"))
    for warning in difference.warnings:
        console.print(Text.assemble(("warning: ", "bold yellow"), warning))
    for table in difference.tables:
        if table.rows:
            print_table(study_table(table), console)


def print_table(table: Table, console: Console) -> None:
    """One table, with the groups of its columns in the headings."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        show_edge=False,
        header_style="",
    )
    shown = [at for at, column in enumerate(table.columns) if not column.where_wide]
    grouped = any(column.group for column in table.columns)
    group = ""
    for column in (table.columns[at] for at in shown):
        above = f"{column.group if column.group != group else ''}\n" if grouped else ""
        group = column.group
        side: JustifyMethod = "right" if column.number else "left"
        drawn.add_column(Text(above + column.title), justify=side, no_wrap=column.number)
    for at, row in enumerate(table.rows):
        last = at + 1 < len(table.rows) and table.sections[at] != table.sections[at + 1]
        cells = [Text(row[place].text, style="dim" if row[place].note else "") for place in shown]
        drawn.add_row(*cells, end_section=last)
    console.print()
    console.print(Text.assemble((table.title, "bold"), "  ", (table.about, "dim")))
    console.print(drawn)

"""The answers of studies: on a terminal, and written to a folder."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from sim.errors import SimError
from sim.report.tables import Cell, Column, Table, mean_cell, rate_cell, whole, words
from sim.results.statistics import Estimate
from sim.storage.ownership import FIGURES, STUDY, refuse_foreign
from sim.studies.answer import Answer, Entry, StudyTable
from sim.studies.words import amount, points

if TYPE_CHECKING:
    from rich.console import Console

    from sim.studies.diff import Difference

WIDE = 125  # columns of a terminal that has room for every measure
FOR_WIDE_SCREENS = ("damage_dealt", "damage_taken", "path", "unlike", "unit")


def print_answer(answer: Answer, console: Console | None = None) -> None:
    """Verdicts, warnings, tables, effort."""
    from rich.console import Console
    from rich.text import Text

    from sim.report.terminal import print_table

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

    from sim.report.terminal import print_table

    console = console or Console(markup=False, highlight=False)
    for verdict in difference.verdicts:
        console.print(Text(verdict, style="bold"))
    for warning in difference.warnings:
        console.print(Text.assemble(("warning: ", "bold yellow"), warning))
    for table in difference.tables:
        if table.rows:
            print_table(study_table(table), console)


def study_table(table: StudyTable, wide: bool = True) -> Table:
    """A table of a study as the reports draw it; a narrow terminal leaves out what others say as well."""
    columns = tuple(
        Column(column.title, number=column.unit != "", where_wide=not wide and column.name in FOR_WIDE_SCREENS)
        for column in table.columns
    )
    drawn = Table(table.name, table.title, table.about, columns)
    for row in table.rows:
        unit_here = row.get("unit")
        cells = []
        for column in table.columns:
            unit = column.unit
            if unit == "by measure":
                unit = "points" if unit_here == "points" else "share" if unit_here == "%" else str(unit_here)
            cells.append(entry_cell(row.get(column.name), unit))
        drawn.add(*cells)
    return drawn


def entry_cell(entry: Entry, unit: str) -> Cell:
    """One entry, read by its unit."""
    if entry is None:
        return Cell("–", float("-inf"), note=True)
    if isinstance(entry, Estimate):
        return _estimate_cell(entry, unit)
    if isinstance(entry, bool):
        return words("yes" if entry else "no")
    if isinstance(entry, str):
        return words(entry)
    if isinstance(entry, float) and math.isnan(entry):
        return Cell("–", float("-inf"), "cannot be told", note=True)
    if unit == "share":
        return Cell(f"{100 * entry:.1f} %", float(entry))
    if unit == "times":
        return Cell(f"{entry:.1f}×", float(entry))
    return whole(entry) if isinstance(entry, int) else Cell(f"{entry:.4g}", float(entry))


def _estimate_cell(estimate: Estimate, unit: str) -> Cell:
    if not estimate.known or math.isnan(estimate.low):
        return mean_cell(estimate)
    hint = f"{estimate.low:.5g} to {estimate.high:.5g}, from {estimate.n:,} runs"
    if unit == "share":
        return rate_cell(estimate)
    if unit == "points":
        margin = estimate.margin
        ends = f"{points(estimate.low, margin)} to {points(estimate.high, margin)}"
        return Cell(f"{points(estimate.value, margin)} ({ends})", estimate.value, hint)
    if unit.startswith("change"):
        margin = estimate.margin
        return Cell(f"{amount(estimate.value, margin)} ±{amount(margin, margin, sign=False)}", estimate.value, hint)
    return mean_cell(estimate)


def alone(svg: str) -> str:
    """An SVG of a page as a file of its own."""
    names = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    opened = svg.replace("<svg", "<svg" + names, 1) if "xmlns=" not in svg[: svg.index(">")] else svg
    return f'<?xml version="1.0" encoding="utf-8"?>\n{opened}\n'


def write_answer(answer: Answer, folder: Path) -> Path:
    """Everything into a folder; returns the folder.

    NAME.parquet, NAME.csv   every table
    figures/NAME.svg, .png   every figure
    study.json               the answer with everything needed to ask again
    index.html               the report, self-contained
    """
    from pandas.api.types import is_object_dtype

    from sim.report.folder import as_parquet, write_together
    from sim.report.study_figures import answer_drawings
    from sim.report.study_html import answer_page

    files: dict[str, bytes] = {}
    try:
        for table in answer.tables:
            frame = answer.frame(table.name)
            for column in [name for name in frame if is_object_dtype(frame[name])]:  # a knob may be number and text
                frame[column] = frame[column].map(lambda entry: entry if entry is None else str(entry))
            files[f"{table.name}.parquet"] = as_parquet(frame)
            files[f"{table.name}.csv"] = frame.to_csv(index=False, lineterminator="\n").encode()
        drawings = answer_drawings(answer)
        for drawing in drawings:
            files[f"{FIGURES}/{drawing.name}.svg"] = alone(drawing.svg).encode()
            files[f"{FIGURES}/{drawing.name}.png"] = drawing.png
        files["index.html"] = answer_page(answer, drawings).encode()
        files[STUDY] = (answer.to_json(files=[*files, STUDY]) + "\n").encode()
        refuse_foreign(folder, files, study=True)
        folder.mkdir(parents=True, exist_ok=True)
        write_together(folder, files)
    except OSError as error:
        raise SimError(f"{folder}: cannot write the study: {error.strerror or error}") from error
    return folder

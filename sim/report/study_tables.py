"""What the tables of a study's answer say."""

from __future__ import annotations

import math

from sim.report.table import Cell, Column, Table, as_typed, mean_cell, rate_cell, whole, words
from sim.results.statistics import Estimate
from sim.studies.answer import KEY, Entry, StudyTable
from sim.studies.measures import EVERY_MEASURE
from sim.studies.price_words import PRICE
from sim.studies.words import amount, points

FOR_WIDE_SCREENS = ("damage_dealt", "damage_taken", "path", "unlike", "unit")
AS_TYPED = ("path", "change", "command", "best", "test")  # columns whose entries somebody may want to type


def study_table(table: StudyTable) -> Table:
    """A table of a study as the reports draw it; a narrow terminal leaves out first what others say as well."""
    shown = [column for column in table.columns if column.unit != KEY]
    columns = tuple(
        Column(column.title, number=column.unit != "", where_wide=column.name in FOR_WIDE_SCREENS) for column in shown
    )
    drawn = Table(table.name, table.title, table.about, columns)
    for row in table.rows:
        unit_here = row.get("unit")
        cells = []
        for column in shown:
            entry, unit = row.get(column.name), column.unit
            if unit == "by measure":
                unit = "points" if unit_here == "points" else "share" if unit_here == "%" else str(unit_here)
            elif unit == "change by measure":
                unit = "points" if unit_here == "%" else "change"
            if column.name in AS_TYPED and isinstance(entry, str):
                cells.append(as_typed(entry))
            elif column.name == "measure" and entry in EVERY_MEASURE:
                cells.append(words(EVERY_MEASURE[str(entry)].title))
            else:
                cells.append(entry_cell(entry, unit))
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
    if unit == PRICE and estimate.margin == 0:
        return Cell(f"{estimate.value:g}", estimate.value, "sets the scale")
    if unit.startswith("change"):
        margin = estimate.margin
        return Cell(f"{amount(estimate.value, margin)} ±{amount(margin, margin, sign=False)}", estimate.value, hint)
    return mean_cell(estimate)

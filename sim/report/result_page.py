"""The page of a result: the verdict and its numbers first, then figures, tables and the fight as played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from sim.report import result_tables
from sim.report.page import coverage_of, played_sections, render, switch_settings
from sim.report.result_fights import MOST_BYTES, fights_to_watch, picked_tellings, start_picture
from sim.report.result_figures import result_drawings
from sim.report.result_why import why_section
from sim.report.table import Table, mean_cell
from sim.results.result import Result, versions
from sim.results.verdict import BANDS, band, decimals, percent
from sim.scenario.changes import as_played_marked, changes_in_words, title_in_full


@dataclass(frozen=True, slots=True)
class Tile:
    """One of the large numbers at the top."""

    value: str
    unit: str
    label: str
    interval: str


def result_page(result: Result) -> str:
    """The report of a result as one HTML page."""
    scenario = result.scenario
    tellings = picked_tellings(result)
    page = partial(
        render,
        "result.html.jinja",
        with_fights=True,
        start=start_picture(tellings),
        page_title=f"{title_in_full(scenario)} – {result.verdict}",
        result=result,
        scenario=scenario,
        ruleset=scenario.ruleset,
        band=band(result.win_rate.value) if result.win_rate.known else None,
        bands=BANDS,
        tiles=_tiles(result),
        drawings=result_drawings(result),
        tables=_tables(result),
        why=why_section(result),
        changes=changes_in_words(scenario),
        played=played_sections(as_played_marked(scenario)),
        switches=switch_settings(scenario),
        coverage=coverage_of(scenario),
        versions=versions(),
        memory=_memory(result),
    )
    room = MOST_BYTES - len(page(fights=[], left_out=len(tellings)).encode())
    fights = fights_to_watch(tellings, room)
    return page(fights=fights, left_out=len(tellings) - len(fights))


def _tiles(result: Result) -> list[Tile]:
    """The numbers that a meeting looks at first."""
    rounds, left, nobody = result.ending("rounds"), result.ending("party_hp", "win"), result.nobody_down()
    tiles = []
    lasts, what = ("an evening lasts", "evenings") if result.in_scenes else ("a fight lasts", "fights")
    if rounds.known:
        tiles.append(Tile(decimals(rounds), "rounds", lasts, _margin(rounds)))
    if left.known:
        tiles.append(Tile(decimals(left), "hit points", "left to the party after a win", _margin(left)))
    if nobody.known:
        interval = f"{percent(nobody.low, nobody.margin)} to {percent(nobody.high, nobody.margin)} %"
        tiles.append(Tile(percent(nobody.value, nobody.margin), "%", f"of {what} see nobody go down", interval))
    tiles.append(Tile(f"{result.runs_played:,}", "runs", "were played", f"seed {result.provenance.seed}"))
    return tiles


def _margin(estimate: Any) -> str:
    return mean_cell(estimate).text.removeprefix(decimals(estimate)).strip() or estimate.why


def _tables(result: Result) -> dict[str, Table]:
    found = [
        *result_tables.main_tables(result),
        result_tables.deeds_table(result),
        result_tables.survival_table(result),
        result_tables.histogram_table(result, "rounds", "Fights by rounds", "How many fights ended in each round."),
        result_tables.histogram_table(
            result, "party_hp", "Fights by hit points left", "How many fights ended with so many party hit points."
        ),
    ]
    return {table.name: table for table in found if table.rows}


def _memory(result: Result) -> str:
    peak = result.provenance.peak_memory_bytes
    parts = [f"{peak['main'] / 1e6:,.0f} MB"] if peak.get("main") else []
    if peak.get("largest_worker"):
        parts.append(f"{peak['largest_worker'] / 1e6:,.0f} MB in the largest worker")
    return ", ".join(parts) or "not known on this system"

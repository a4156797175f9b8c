"""One self-contained page: no request leaves it, and nothing that a scenario file says can run in it.

Every text is escaped by Jinja; the page's own script is allowed by its digest and no other, and its policy forbids
every request, so that even a mistake in a template could not let a scenario's text do anything.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sim.report import tables
from sim.report.figures import result_drawings
from sim.report.svg import COLOURS
from sim.results.result import versions
from sim.results.verdict import band, decimals, percent

if TYPE_CHECKING:
    import jinja2

    from sim.results.result import Result
    from sim.scenario import Scenario

TEMPLATES = Path(__file__).parent / "templates"


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
    return render(
        "result.html.jinja",
        page_title=f"{scenario.title} – {result.verdict}",
        result=result,
        scenario=scenario,
        ruleset=scenario.ruleset,
        band=band(result.win_rate.value) if result.win_rate.known else None,
        tiles=_tiles(result),
        drawings=result_drawings(result),
        tables=_tables(result),
        played=played_sections(scenario.as_played()),
        switches=switch_settings(scenario),
        coverage=coverage_of(scenario),
        versions=versions(),
        memory=_memory(result),
    )


def render(template: str, **values: Any) -> str:
    """A page from a template, with the style, the script and the policy that every page has."""
    style, script = _source("page.css"), _source("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    light = "\n".join(f"  --{role}: {colour};" for role, colour in COLOURS.items())
    page = _environment().get_template(template)
    return page.render(
        style=Markup(style.replace("/* the colours of the figures */", light.strip())),
        script=Markup(script),
        script_digest=digest,
        **values,
    )


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["groupby_runs"] = _groups
    environment.filters["safe_svg"] = Markup  # drawn by figures.py, where matplotlib escapes every text
    return environment


def _source(file: str) -> str:
    return (TEMPLATES / file).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring columns under one heading."""

    title: str
    size: int
    number: bool


def _groups(columns: Sequence[tables.Column]) -> list[Group]:
    """The headings above the headings."""
    from itertools import groupby

    found = []
    for title, members in groupby(columns, key=lambda column: column.group):
        members_ = list(members)
        found.append(Group(title, len(members_), members_[0].number))
    return found


# ----------------------------------------------------------------------------------------------------- what it holds


def _tiles(result: Result) -> list[Tile]:
    """The numbers that a meeting looks at first."""
    rounds, left, nobody = result.ending("rounds"), result.ending("party_hp", "win"), result.nobody_down()
    tiles = []
    if rounds.known:
        tiles.append(Tile(decimals(rounds), "rounds", "a fight lasts", _margin(rounds)))
    if left.known:
        tiles.append(Tile(decimals(left), "hit points", "left to the party after a win", _margin(left)))
    if nobody.known:
        interval = f"{percent(nobody.low, nobody.margin)} to {percent(nobody.high, nobody.margin)} %"
        tiles.append(Tile(percent(nobody.value, nobody.margin), "%", "of fights see nobody go down", interval))
    tiles.append(Tile(f"{result.runs_played:,}", "runs", "were played", f"seed {result.provenance.seed}"))
    return tiles


def _margin(estimate: Any) -> str:
    return tables.mean_cell(estimate).text.removeprefix(decimals(estimate)).strip() or estimate.why


def _tables(result: Result) -> dict[str, tables.Table]:
    found = [
        *tables.main_tables(result),
        tables.deeds_table(result),
        tables.survival_table(result),
        tables.picks_table(result),
        tables.histogram_table(result, "rounds", "Fights by rounds", "How many fights ended in each round."),
        tables.histogram_table(
            result, "party_hp", "Fights by hit points left", "How many fights ended with so many party hit points."
        ),
    ]
    return {table.name: table for table in found if table.rows}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the scenario as played: single values, and lists of units as tables."""

    title: str
    facts: dict[str, str]
    table: tables.Table | None


def played_sections(resolved: Mapping[str, Any]) -> list[Section]:
    """The resolved scenario: its single values first, then one part for every table in it."""
    single = {key: value for key, value in resolved.items() if not isinstance(value, Mapping) and not _is_list(value)}
    single = {key: value for key, value in single.items() if key not in ("title", "description")}
    sections = [Section("", {key: plain(value) for key, value in single.items()}, None)] if single else []
    for key, value in resolved.items():
        if key == "switches":  # shown with their meaning elsewhere
            continue
        if _is_list(value):
            sections.append(Section(key, {}, _entries(key, value)))
        elif isinstance(value, Mapping) and value:
            facts = {name: plain(part) for name, part in value.items() if not _is_list(part)}
            sections.append(Section(key, facts, None))
            sections += [
                Section(f"{key}: {name}", {}, _entries(f"{key}-{name}", part))
                for name, part in value.items()
                if _is_list(part)
            ]
    return sections


def _is_list(value: Any) -> bool:
    """Whether this is a list of tables, such as heroes."""
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _entries(name: str, entries: list[Mapping[str, Any]]) -> tables.Table:
    """A list of units as one table: a column for everything that any of them says."""
    keys = list(dict.fromkeys(key for entry in entries for key in entry))
    kept = [key for key in keys if any(entry.get(key) not in (None, "", [], {}) for entry in entries)]
    numbers = {key: all(_is_number(entry.get(key, 0)) for entry in entries) for key in kept}
    table = tables.Table(
        f"played-{name}", name, "", tuple(tables.Column(key.replace("_", " "), "", numbers[key]) for key in kept)
    )
    for entry in entries:
        table.add(*(_value(entry.get(key)) for key in kept))
    return table


def _value(value: Any) -> tables.Cell:
    return tables.Cell(plain(value), float(value)) if _is_number(value) else tables.words(plain(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain(value: Any) -> str:
    """A value as a designer reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {plain(part)}" for key, part in value.items()) or "–"
    if isinstance(value, (list, tuple)):
        return ("; " if _is_list(value) else ", ").join(plain(part) for part in value) or "–"
    return "–" if value is None or value == "" else str(value)


@dataclass(frozen=True, slots=True)
class Setting:
    """A switch as it was set."""

    name: str
    value: str
    default: str
    about: str
    differs: bool
    origin: str  # who set it: the scenario, the preset, or nobody


def switch_settings(scenario: Scenario) -> list[Setting]:
    """Every switch, those that differ from the default first."""
    board = scenario.ruleset.switchboard
    own = scenario.model.switches
    preset = board.presets[scenario.preset]
    found = []
    for name, value in scenario.settings.items():
        switch = board.switches[name]
        origin = "scenario" if name in own else f"preset {scenario.preset}" if name in preset else ""
        found.append(Setting(name, plain(value), plain(switch.default), switch.about, value != switch.default, origin))
    return sorted(found, key=lambda setting: not setting.differs)


def coverage_of(scenario: Scenario) -> list[tuple[str, str, tuple[str, ...]]]:
    """What is in the simulation and what is not."""
    coverage = scenario.ruleset.coverage
    return [
        ("Modelled", "played as the rules say", coverage.modelled),
        ("Simplified", "played, but not in every detail", coverage.simplified),
        ("Not modelled", "left out; keep it in mind", coverage.not_modelled),
        ("House figures", "no source gives them; ours", coverage.house_figures),
    ]


def _memory(result: Result) -> str:
    peak = result.provenance.peak_memory_bytes
    parts = [f"{peak['main'] / 1e6:,.0f} MB"] if peak.get("main") else []
    if peak.get("largest_worker"):
        parts.append(f"{peak['largest_worker'] / 1e6:,.0f} MB in the largest worker")
    return ", ".join(parts) or "not known on this system"

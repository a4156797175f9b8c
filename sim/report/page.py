"""One self-contained page: no request leaves it, and nothing that a scenario file says can run in it.

Every text is escaped by Jinja; the page's own script is allowed by its digest and no other, and its policy forbids
every request, so that even a mistake in a template could not let a scenario's text do anything.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sim.replays.page import source as viewer_source
from sim.report.svg import COLOURS
from sim.report.table import Cell, Column, Table, words
from sim.scenario import Scenario
from sim.scenario.values import is_list_of_tables
from sim.scenario.values import readable as plain
from sim.scenario.wording import readable, scene_in_words

if TYPE_CHECKING:
    import jinja2

TEMPLATES = Path(__file__).parent / "templates"

MOST_COLUMNS = 8  # of a table of units that fits a sheet of paper
SIDE_BY_SIDE = 5  # units beside each other

WRITTEN = ("policies",)  # parts of a scenario whose texts are formulas and words of the game: shown as they are written

as_written = partial(plain, nothing="–", between_tables="; ")


def on_page(value: Any) -> str:
    """A value as a page shows it."""
    return readable(as_written(value))


def render(template: str, *, with_fights: bool = False, **values: Any) -> str:
    """A page from a template, with the style, the script and the policy that every page has."""
    style, script = _source("page.css"), _source("page.js")
    if with_fights:
        style, script = style + viewer_source("viewer.css"), script + viewer_source("viewer.js")
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
    add_filters(environment)
    return environment


def add_filters(environment: jinja2.Environment) -> None:
    """What the parts of a report need, for whoever shows some of them on a page of its own."""
    environment.filters["groupby_runs"] = _groups
    environment.filters["readable"] = readable
    environment.filters["safe_svg"] = Markup  # drawn by svg.py, where matplotlib escapes every text


def _source(file: str) -> str:
    return (TEMPLATES / file).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring columns under one heading."""

    title: str
    size: int
    number: bool


def _groups(columns: Sequence[Column]) -> list[Group]:
    """The headings above the headings."""
    found = []
    for title, members in groupby(columns, key=lambda column: column.group):
        members_ = list(members)
        found.append(Group(title, len(members_), members_[0].number))
    return found


# ------------------------------------------------------------------------------------------------ the fight as played


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the scenario as played: single values, and lists of units as tables."""

    title: str
    facts: dict[str, str]
    tables: list[Table]


def played_sections(resolved: Mapping[str, Any]) -> list[Section]:
    """The resolved scenario: its single values first, then one part for every table in it."""
    single = {
        key: value
        for key, value in resolved.items()
        if key not in ("title", "description") and not isinstance(value, Mapping) and not is_list_of_tables(value)
    }
    sections = [Section("", {key: on_page(value) for key, value in single.items()}, [])] if single else []
    for key, value in resolved.items():
        if key == "switches":  # shown with their meaning elsewhere
            continue
        if key == "scenes" and is_list_of_tables(value):
            sections += _scene_sections(value)
        elif is_list_of_tables(value):
            sections.append(Section(key, {}, _entries(key, value)))
        elif isinstance(value, Mapping) and value:
            shown = as_written if key in WRITTEN else on_page
            facts = {name: shown(part) for name, part in value.items() if not is_list_of_tables(part)}
            sections.append(Section(key, facts, []))
            sections += [
                Section(f"{key}: {name}", {}, _entries(f"{key}-{name}", part))
                for name, part in value.items()
                if is_list_of_tables(part)
            ]
    return sections


def _scene_sections(scenes: Sequence[Mapping[str, Any]]) -> Iterator[Section]:
    """The scenes of an adventure one below the other, then the fight of each as it would stand on a page of its own."""
    columns = (Column("scene"), Column("name", number=False), Column("what", number=False))
    table = Table("played-scenes", "scenes", "", (*columns, Column("the party turns back if", number=False)))
    for number, scene in enumerate(scenes, start=1):
        rest, level = scene.get("rest"), scene.get("level_up")
        by_xp = "who has earned a level gains it" if level == "xp" else "every hero gains a level"
        what = f"{on_page(rest)} rest" if rest else by_xp if level else "a fight"
        times = f", {scene['times']} times" if isinstance(scene.get("times"), int) and scene["times"] > 1 else ""
        unless = scene.get("unless")
        row = (on_page(scene.get("name") or "–"), f"{what}{times}", on_page(unless) if unless else "–")
        table.add(Cell(str(number), float(number)), *map(words, row))
    yield Section("scenes", {}, [table])
    for place, scene in enumerate(scenes):
        fight = scene.get("fight")
        if not isinstance(fight, Mapping):
            continue
        of_scene = scene_in_words(place, scene.get("name"))
        for part in played_sections(fight):
            tables = [replace(table, name=f"{table.name}-scene-{place + 1}") for table in part.tables]
            yield Section(f"{of_scene}: {readable(part.title)}" if part.title else of_scene, part.facts, tables)


def _entries(name: str, entries: list[Mapping[str, Any]]) -> list[Table]:
    """A list of units as a table: a column for everything that any of them says.

    Units that say more than a phone or a sheet of paper has room for stand side by side instead, a row for everything
    that they say and a few of them to a table.
    """
    keys = list(dict.fromkeys(key for entry in entries for key in entry))
    kept = [key for key in keys if any(entry.get(key) not in (None, "", [], {}) for entry in entries)]
    if len(kept) > MOST_COLUMNS:
        parts = [entries[at : at + SIDE_BY_SIDE] for at in range(0, len(entries), SIDE_BY_SIDE)]
        return [_side_by_side(f"{name}-{at}", name, part, kept) for at, part in enumerate(parts, start=1)]
    numbers = {key: all(_is_number(entry.get(key, 0)) for entry in entries) for key in kept}
    table = Table(f"played-{name}", name, "", tuple(Column(readable(key), "", numbers[key]) for key in kept))
    for entry in entries:
        table.add(*(_value(entry.get(key)) for key in kept))
    return [table]


def _side_by_side(name: str, title: str, entries: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> Table:
    """A column for every unit under its name, or what comes first in it, and a row for everything else."""
    first, *rest = sorted(keys, key=lambda key: key != "name")
    columns = [Column(readable(first), number=False)]
    columns += [Column(on_page(entry.get(first)), number=False) for entry in entries]
    table = Table(f"played-{name}", title, "", tuple(columns))
    for key in rest:
        table.add(words(key), *(_value(entry.get(key)) for entry in entries))
    return table


def _value(value: Any) -> Cell:
    return Cell(on_page(value), float(value)) if _is_number(value) else words(on_page(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


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
        origin = "scenario" if name in own else f"preset {readable(scenario.preset)}" if name in preset else ""
        now, default = on_page(value), on_page(switch.default)
        found.append(Setting(name, now, default, switch.about, value != switch.default, origin))
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

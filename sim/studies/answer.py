"""What a study yields: verdicts in words, tables whose numbers have intervals, and how much was played for it.

answer = sim.compare("overhill/playtest-1", {"one more": {"enemies.skeleton.count": 4}})
answer.verdicts                 # sentences
answer.frame("differences")     # a pandas frame: value, _low, _high, and _why where there is no interval
answer.write("reports/one-more")
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from sim.results import report_hook
from sim.results.result import versions
from sim.results.statistics import Estimate
from sim.storage.json_text import json_text
from sim.storage.ownership import FIGURES, STUDY

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from rich.console import Console

    from sim.scenario import Scenario

SCHEMA = 1  # of study.json; raised when a field changes its meaning or goes away

# Everything that a question may write into its folder.
_TABLES = (
    *("abilities", "budgets", "chance", "changes", "check", "choices", "claims", "classes", "counters", "dead"),
    *("differences", "downs", "feel", "fights", "fixed", "generations", "levels", "lines", "losses", "moves"),
    *("pairs", "parties", "points", "policies", "prices", "resolution", "sides", "solutions", "steps", "tried"),
    *("turned", "units"),
)
_DRAWINGS = (
    *("abilities", "chance", "claims", "classes", "climb", "counters", "curve", "forest", "heat-map", "levels"),
    *("pairs", "parties", "prices", "promised", "resolution", "rungs", "tornado", "tuned", "units"),
)
STUDY_FILES = (
    *(f"{name}.{kind}" for name in _TABLES for kind in ("parquet", "csv")),
    *(f"{FIGURES}/{name}.{kind}" for name in _DRAWINGS for kind in ("svg", "png")),
    "index.html",
    STUDY,
)

KEY = "key"  # the unit of a column that programs find a row by, and that no table for people shows

Entry: TypeAlias = "Estimate | str | int | float | bool | None"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, and how its entries are read."""

    name: str
    title: str
    unit: str = ""  # share (of 1, shown in percent), points (a difference of shares), a word, or KEY; empty for texts


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table of a study. An entry is an Estimate wherever chance had a part in it."""

    name: str
    title: str
    about: str
    columns: tuple[Column, ...]
    rows: list[dict[str, Entry]] = field(default_factory=list)
    on_screen: bool = True  # False: only in files, for those who compute further

    def flat(self) -> list[dict[str, Any]]:
        """The rows with every estimate spread over `name`, `name_low`, `name_high`, `name_runs` and `name_why`."""
        return [_flat({column.name: row.get(column.name) for column in self.columns}) for row in self.rows]


def _flat(row: Mapping[str, Entry]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, entry in row.items():
        if isinstance(entry, Estimate):
            flat |= {name: entry.value, f"{name}_low": entry.low, f"{name}_high": entry.high}
            flat |= {f"{name}_runs": entry.n, f"{name}_why": entry.why}
        else:
            flat[name] = entry
    return flat


@dataclass(frozen=True, slots=True)
class Effort:
    """How much was played, beside what the plain way would have needed for the same precision."""

    encounters: int
    seconds: float
    jobs: int = 1
    otherwise: int | None = None  # encounters of the plain way; None where there is no other
    plain_way: str = "independent luck"
    resumed: int = 0  # encounters that were played before and kept in the folder

    @property
    def saving(self) -> float:
        """How many times fewer encounters were played than the plain way needs; NaN where that has no meaning."""
        return self.otherwise / self.encounters if self.otherwise and self.encounters else math.nan

    @property
    def sentence(self) -> str:
        """For the last line of a report."""
        text = f"{self.encounters:,} encounters in {self.seconds:.1f} s"
        if self.resumed:
            text += f", {self.resumed:,} of them kept from before"
        if self.otherwise:
            text += f"; with {self.plain_way} it would have taken about {self.otherwise:,} ({self.saving:.1f} times)"
        return text + "."


@dataclass(slots=True)
class Answer:
    """The answer to one question about one fight."""

    question: str
    scenario: Scenario
    verdicts: list[str]  # what it comes to, the most important first
    tables: list[StudyTable]
    settings: dict[str, Any]  # seed, runs, precision, confidence, method: what is needed to do it again
    effort: Effort
    warnings: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)  # the answer for programs: {"best": "B"}, {"value": 7}
    on_top: dict[str, Any] = field(default_factory=dict)  # what scripts look for at the top of the JSON, not in `facts`
    to_copy: str = ""  # a text to take into a scenario file, as it is
    holds: bool = True  # False where a claim does not: the exit status of a gate
    name: str = ""  # of the study; the question if it came without a file
    title: str = ""
    command: str = ""

    def __repr__(self) -> str:
        return f"<{self.question} of {self.scenario.name}: {' '.join(self.verdicts)}>"

    def table(self, name: str) -> StudyTable:
        """One of the tables."""
        return next(table for table in self.tables if table.name == name)

    def row(self, table: str, **where: Any) -> dict[str, Entry]:
        """The first row of a table whose entries are these."""
        rows = self.table(table).rows
        return next(row for row in rows if all(row.get(key) == value for key, value in where.items()))

    def frame(self, name: str | None = None) -> pd.DataFrame:
        """A table as a pandas frame; the first one if not told."""
        import pandas as pd

        table = self.tables[0] if name is None else self.table(name)
        return pd.DataFrame(table.flat(), columns=None if table.rows else [column.name for column in table.columns])

    def print(self, console: Console | None = None, *, where: str = "") -> None:
        """Verdicts, tables and warnings, for a terminal; `where` says where the rest is."""
        report_hook.print_answer(self, console, where)

    def plot(self, what: str | None = None) -> Axes | list[Axes]:
        """A figure of the report, for a notebook: its axes, or a list of them where the figure has several.

        Args:
            what: the name of the figure, as in the folder `figures`; the first one if not given.
        """
        return report_hook.plot_answer(self, what)

    def to_markdown(self) -> str:
        """The verdicts and the main table, for a forum or a pull request."""
        return report_hook.answer_markdown(self)

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values: what `--json` prints and study.json holds."""
        scenario = self.scenario
        return {
            "schema": SCHEMA,
            "question": self.question,
            "name": self.name or self.question,
            "title": self.title,
            "scenario": scenario.name,
            "scenario_title": scenario.title,
            "ruleset": scenario.ruleset_name,
            "ruleset_version": scenario.ruleset.version,
            "digest": scenario.digest,
            "changes": list(scenario.changes),
            "policy": scenario.policy,
            "preset": scenario.preset,
            "switches": dict(scenario.settings),
            "resolved": scenario.resolved(),
            "settings": self.settings,
            "verdicts": self.verdicts,
            "warnings": self.warnings,
            "facts": self.facts,
            "holds": self.holds,
            "tables": {
                table.name: {
                    "title": table.title,
                    "about": table.about,
                    "columns": [asdict(column) for column in table.columns],
                    "rows": table.flat(),
                }
                for table in self.tables
            },
            "effort": asdict(self.effort) | {"saving": self.effort.saving},
            "command": self.command,
            "versions": versions(),
            **self.on_top,
        }

    def to_json(self, **more: Any) -> str:
        """The answer as one JSON object, with whatever else is given; what is no number there is null."""
        return json_text(self.to_dict() | more)

    def write(self, folder: str | Path) -> Path:
        """Everything into a folder: tables, study.json, figures and index.html. Returns the folder."""
        return report_hook.write_answer(self, Path(folder))

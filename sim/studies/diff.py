"""diff: what changed between two results: the scenario, the switches, and the numbers beyond noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import InputError, Problem
from sim.results import report_hook
from sim.results.statistics import CONFIDENCE, Estimate, holm, normal_quantile
from sim.scenario.wording import place_in_words, readable, setting_in_words, value_in_words
from sim.storage.codec import parsed
from sim.studies.answer import KEY, SCHEMA, Column, StudyTable
from sim.studies.measures import EVERY_MEASURE

if TYPE_CHECKING:
    from rich.console import Console

FILES = ("study.json", "result.json")
SKIPPED = ("resolved", "versions", "switches", "by_outcome")  # by outcome: the same numbers once more, in parts
TABLES_OF_VALUES = ("resolved", "switches", "settings")
NO_RESULT = "is no result of `fairfight run --json` or of a study"
DEEPEST = 100  # lists and tables within each other; ours have fewer than ten
LARGEST = 1e300  # numbers beyond are none of ours; also keeps out what is no number and what no float can hold
IDENTITY = ("name", "unit", "side", "kind", "ability", "variant", "measure", "fight", "line", "level", "move", "claim")


@dataclass(slots=True)
class Difference:
    """What two results do not agree about."""

    verdicts: list[str]
    tables: list[StudyTable]
    first: str
    second: str
    warnings: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def same(self) -> bool:
        """Whether there is no difference beyond noise, in the fight or in the numbers."""
        return not any(table.rows for table in self.tables)

    def table(self, name: str) -> StudyTable:
        """One of the tables: scenario, switches, numbers."""
        return next(table for table in self.tables if table.name == name)

    def print(self, console: Console | None = None) -> None:
        """Verdicts and tables, for a terminal."""
        report_hook.print_difference(self, console)

    def to_dict(self) -> dict[str, Any]:
        """The difference as plain values."""
        return {
            "schema": 1,
            "first": self.first,
            "second": self.second,
            "same": self.same,
            "verdicts": self.verdicts,
            "warnings": self.warnings,
            "facts": self.facts,
            "tables": {table.name: table.flat() for table in self.tables},
        }


def diff(first: str | Path, second: str | Path, *, confidence: float = CONFIDENCE) -> Difference:
    """What changed from one result to another: folders of `--out`, or JSON files.

    Numbers are told apart beyond noise: all of them together with the given confidence (Holm). Runs with the same seed
    share their luck, which makes this careful rather than bold.
    """
    old, new = read_document(first), read_document(second)
    scenario = _changes(old, new, "resolved", skip=("switches", "title", "description"))
    switches = _changes(old, new, "switches")
    before, after = dict(numbers(old)), dict(numbers(new))
    common = [name for name in before if name in after]
    beyond = _beyond_noise(before, after, common, confidence)
    tables = [
        _table("scenario", "The fight", scenario),
        _table("switches", "House rules", switches),
        _numbers_table(before, after, beyond),
    ]
    same_fight = bool(old.get("digest")) and old.get("digest") == new.get("digest")
    verdicts = _verdicts(same_fight, scenario + switches, beyond, common)
    warnings = []
    seeds = [document.get("seed", document.get("settings", {}).get("seed")) for document in (old, new)]
    runs = [document.get("runs") for document in (old, new)]
    is_run = runs[0] is not None  # a study plays other fights beside this one, and has its number of runs elsewhere
    same_luck = is_run and seeds[0] == seeds[1] and runs[0] == runs[1]
    if same_fight and same_luck and any(before[name] != after[name] for name in common):
        warnings.append("Same fight, same seed and same runs, but other numbers: one of them is not what it says.")
    gone, come = [n for n in before if n not in after], [n for n in after if n not in before]
    for names, which in ((gone, "first"), (come, "second")):
        if names:
            more = [f"and {len(names) - 5} more"] if len(names) > 5 else []
            some = "; ".join([*map(number_in_words, names[:5]), *more])
            warnings.append(f"Only in the {which}: {some}.")
    facts = {"numbers_compared": len(common), "beyond_noise": len(beyond), "same_fight": same_fight}
    return Difference(verdicts, tables, str(first), str(second), warnings, facts)


def read_document(place: str | Path) -> dict[str, Any]:
    """The JSON of a result or a study: a folder or a file."""
    path = Path(place)
    file = path
    if path.is_dir():
        inside = [path / name for name in FILES if (path / name).is_file()]
        if not inside:
            raise InputError(Problem("", f"holds none of {', '.join(FILES)}: not the folder of a result", str(place)))
        file = inside[0]
    document = _read(file)
    if "scenario" not in document:
        raise InputError(Problem("", NO_RESULT, str(file)))
    manifest = file.parent / "manifest.json"
    if "resolved" not in document and file.name == "result.json" and manifest.is_file():
        document["resolved"] = _read(manifest).get("resolved", {})
    wrong = [key for key in TABLES_OF_VALUES if not isinstance(document.get(key, {}), dict)]
    if wrong:
        problems = [Problem(key, "expected a table of values; the file is damaged", str(file)) for key in wrong]
        raise InputError(problems)
    return document


def _read(file: Path) -> dict[str, Any]:
    """A JSON file of ours, of the schema that we know."""
    try:
        document = parsed(file.read_bytes())
        depth = _depth(document)
    except FileNotFoundError:
        raise InputError(Problem("", "no such file or folder", str(file))) from None
    except (OSError, ValueError) as error:
        raise InputError(Problem("", f"cannot be read as a result: {error}", str(file))) from None
    if depth > DEEPEST:
        raise InputError(Problem("", "cannot be read as a result: nested too deep", str(file)))
    if not isinstance(document, dict) or "schema" not in document:
        raise InputError(Problem("", NO_RESULT, str(file)))
    if document["schema"] != SCHEMA or isinstance(document["schema"], bool):
        found = f"expected {SCHEMA}, found {str(document['schema'])[:40]}"
        remedy = "made by another version of fairfight: use that one, or play it again"
        raise InputError(Problem("schema", f"{found}; {remedy}", str(file)))
    return document


def _depth(document: Any) -> int:
    """How deep lists and tables are nested; more than DEEPEST is not looked into."""
    layer, depth = [document], 0
    while layer and depth <= DEEPEST:
        inside: list[Any] = []
        for part in layer:
            if isinstance(part, (dict, list)):
                inside += part.values() if isinstance(part, dict) else part
        layer, depth = inside, depth + 1
    return depth


def numbers(document: Any, place: str = "") -> Iterator[tuple[str, Estimate]]:
    """Every number that has an interval, by its place."""
    if isinstance(document, Mapping):
        for key, value in document.items():
            low, high = document.get(f"{key}_low"), document.get(f"{key}_high")
            if _number(value) and _number(low) and _number(high):
                yield f"{place}{key}", Estimate(float(value), float(low), float(high), 0)  # type: ignore[arg-type]
            elif isinstance(value, (Mapping, list)) and key not in SKIPPED:
                yield from numbers(value, f"{place}{key}: " if key not in ("tables", "rows") else place)
    elif isinstance(document, list):
        for at, entry in enumerate(document):
            if isinstance(entry, Mapping):
                yield from numbers(entry, f"{place}{_called(entry) or at}: ")


def _called(entry: Mapping[str, Any]) -> str:
    """What a row is about: its texts and what is no estimate."""
    parts = [
        str(value)
        for key, value in entry.items()
        if (key in IDENTITY or isinstance(value, str)) and f"{key}_low" not in entry and not key.endswith("_why")
    ]
    values = [str(entry[key]) for key in entry if "." in key and f"{key}_low" not in entry and not key.endswith("_why")]
    return ", ".join(dict.fromkeys(part for part in [*parts, *values] if part))


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < LARGEST


@dataclass(frozen=True, slots=True)
class Change:
    """A value that stands otherwise in the second result."""

    path: str
    old: Any  # None where it is not there
    new: Any
    fight: Mapping[str, Any]  # in which the path can be told in words

    @property
    def place(self) -> str:
        """'number of skeletons'."""
        return place_in_words(self.path, self.fight)

    def said(self, value: Any) -> str:
        """One of the two values."""
        return "not there" if value is None else value_in_words(self.path, value)

    @property
    def sentence(self) -> str:
        """'five skeletons (was three)'."""
        now = f"{self.place} not there" if self.new is None else setting_in_words(self.path, self.new, self.fight)
        return f"{now} (was {self.said(self.old)})"


def _changes(
    first: Mapping[str, Any], second: Mapping[str, Any], part: str, skip: tuple[str, ...] = ()
) -> list[Change]:
    """What stands otherwise in a part of two results: the resolved fight, or the switches."""
    before, after = (dict(_leaves(one.get(part, {}))) for one in (first, second))
    named = "switches." if part == "switches" else ""
    found = []
    for path in dict.fromkeys([*before, *after]):
        if before.get(path) != after.get(path) and path.partition(".")[0] not in skip:
            there = second if path in after else first
            fight = there.get("resolved", {})
            found.append(Change(f"{named}{path}", before.get(path), after.get(path), fight))
    return found


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(part, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        for at, part in enumerate(value):
            yield from _leaves(part, f"{path}[{at}]")
    else:
        yield path, value


def _beyond_noise(
    before: Mapping[str, Estimate], after: Mapping[str, Estimate], names: list[str], confidence: float
) -> list[str]:
    """The numbers whose change is larger than both intervals together explain."""
    z = normal_quantile(0.5 + CONFIDENCE / 2)
    chances = []
    for name in names:
        old, new = before[name], after[name]
        error = math.hypot(old.high - old.low, new.high - new.low) / 2 / z
        change = abs(new.value - old.value)
        chances.append(math.erfc(change / error / math.sqrt(2)) if error > 0 else float(change == 0))
    return [name for name, stands in zip(names, holm(chances, confidence), strict=True) if stands]


def _verdicts(same_fight: bool, changes: list[Change], beyond: list[str], common: list[str]) -> list[str]:
    if same_fight:
        fight = "Both are the same fight under the same rules."
    else:
        said = [change.sentence for change in changes[:4]]
        more = len(changes) - 4
        listed = "; ".join(said) + (f"; and {more} more" if more > 0 else "")
        fight = f"The fights differ: {listed or 'in the rules or the policy'}."
    moved = f"{len(beyond)} of {len(common)} numbers moved beyond noise" if beyond else "No number moved beyond noise"
    return [fight, f"{moved}."]


def _table(name: str, title: str, changes: list[Change]) -> StudyTable:
    columns = (*(Column(name, name) for name in ("what", "first", "second")), Column("path", "path", KEY))
    rows: list[dict[str, Any]] = [
        {"what": change.place, "path": change.path, "first": change.said(change.old), "second": change.said(change.new)}
        for change in changes
    ]
    return StudyTable(name, title, "What stands otherwise.", columns, rows)


def _numbers_table(before: Mapping[str, Estimate], after: Mapping[str, Estimate], beyond: list[str]) -> StudyTable:
    columns = (
        Column("what", "number"),
        Column("first", "first", "by measure"),
        Column("second", "second", "by measure"),
        Column("change", "change", "change by measure"),
        Column("unit", "in"),
        Column("number", "number", KEY),
    )
    table = StudyTable("numbers", "Numbers beyond noise", "All of them together at 95 %.", columns)
    for name in beyond:
        old, new = before[name], after[name]
        reach = math.hypot(old.margin, new.margin)
        change = new.value - old.value
        row: dict[str, Any] = {"what": number_in_words(name), "number": name, "first": old, "second": new}
        row["unit"] = "%" if name.endswith("_rate") else ""
        table.rows.append(row | {"change": Estimate(change, change - reach, change + reach, 0)})
    return table


# ------------------------------------------------------------------------------------------------------------- in words

NUMBERS = {
    "party_hp_mean": "hit points left to the party",
    "hp_mean": "hit points left",
    "nobody_down_rate": "fights in which nobody goes down",
    "down_rate": "goes down",
    "death_rate": "dies",
    "used_rate": "fights in which it is used",
    "xp": "experience",
} | {name: measure.title for name, measure in EVERY_MEASURE.items()}
LISTS = ("units", "abilities", "counts")  # whose entries say enough of themselves
SIDES = ("party", "enemy")


def number_in_words(place: str) -> str:
    """What a number is about.

    >>> number_in_words("units: ghoul, enemy: down_rate")
    'ghoul: goes down'
    >>> number_in_words("abilities: magic_user, party, dart: hits_per_use")
    'magic user, dart: hits per use'
    """
    *where, what = place.split(": ")
    parts = [", ".join(part for part in one.split(", ") if part not in SIDES) for one in where if one not in LISTS]
    said = NUMBERS.get(what) or readable(what.removesuffix("_mean"))
    if said == "mean":  # of what is counted, whose name stands before it
        said = ""
    return readable(": ".join(filter(None, [*parts, said])))

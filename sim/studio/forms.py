"""Every number of a fight as a field, from the game's schema and the resolved numbers.

What `--set` can reach can be turned here: each field carries the path that `--set` takes, and what is typed into it is
what would stand behind the equals sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sim.core.ruleset import Ruleset
from sim.errors import Problem
from sim.scenario import Scenario
from sim.scenario.changes import all_values
from sim.scenario.own_types import choices_at
from sim.scenario.shape import Shape
from sim.scenario.toml_writer import value_text
from sim.scenario.values import KeyPath, is_list_of_tables, key_path, spell
from sim.scenario.values import readable as plain
from sim.scenario.wording import NAMES, place_in_words, plural, readable, upper_first
from sim.studio.address import path_of, value_of
from sim.studio.fields import Choice, Field, Form, Group
from sim.studio.fights import OpenFight, on_one_line

_A_NAME = re.compile(r"[a-z][a-z0-9_]*")
LONG = 60  # signs of a text that gets several lines
HEAD = ("title", "description")  # told above the forms
ELSEWHERE = ("ruleset", "switches", "bestiary")  # in a part of their own, or read with the file and not to be set
FIRST = ("policy", "preset", "level")  # of the single values
SCENES = "scenes"  # of an adventure, with their enemies
WHO = ("heroes", "companions", "enemies")  # lists that come before all others
FOLDED = ("heroes", "companions")  # whose entries are seldom turned: a designer turns the enemies
FEW = 3  # entries of a list that all stand open
MANY = 8  # values of an entry of a list that are shown before "more"


def form_of(fight: OpenFight) -> Form:
    """The form of a fight."""
    maker = _Maker(fight)
    groups = tuple(group for group in maker.groups() if group.fields or group.more or group.groups or group.adds)
    return Form(groups, tuple(maker.unshown()))


@dataclass(slots=True)
class _Maker:
    """Makes the fields of one fight."""

    fight: OpenFight
    now: dict[str, Any] = field(init=False)
    before: dict[str, Any] = field(init=False)
    said: dict[str, Any] = field(init=False)  # by the file, after what was changed
    shape: Shape = field(init=False)
    shapes: dict[KeyPath, Shape] = field(default_factory=dict)  # of places; entries of a list are all alike
    problems: dict[KeyPath, str] = field(init=False)
    typed: dict[KeyPath, str] = field(init=False)  # by hand, fitting or not
    shown: set[KeyPath] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.now, self.before = _all_values(self.fight.scenario), _all_values(self.fight.base)
        self.said = self.fight.scenario.data
        self.shape = Shape.of(self.ruleset)
        self.problems = {}
        for problem in self.fight.problems:
            place = (problem.file or "").removeprefix("--set ")
            path = key_path(problem.key) if problem.key else path_of(place)
            self.problems.setdefault(path, problem.message)
        self.typed = {path_of(setting): value_of(setting) for setting in self.fight.variant.sets}

    @property
    def ruleset(self) -> Ruleset[Any]:
        return self.fight.scenario.ruleset

    def _shape_at(self, path: KeyPath) -> Shape:
        """What may stand at a place."""
        alike = tuple(0 if isinstance(step, int) else step for step in path)
        if alike not in self.shapes:
            self.shapes[alike] = self._shape_at(alike[:-1]).at(alike[-1:]) if alike else self.shape
        return self.shapes[alike]

    # ------------------------------------------------------------------------------------------------------- headings

    def groups(self) -> Iterator[Group]:
        """Who fights, by which rules, where, and the switches."""
        keys = [key for key in dict.fromkeys([*self.shape.keys, *self.now]) if key not in ELSEWHERE]
        single = [key for key in keys if not self._is_group(key) and key not in HEAD]
        single.sort(key=lambda key: FIRST.index(key) if key in FIRST else len(FIRST))
        fields = [self.field((key,), self.now.get(key)) for key in single]
        there = tuple(field for field in fields if field.typed or field.problem)
        rules = Group("group-rules", "The fight", "", there, tuple(field for field in fields if field not in there))
        tables = [key for key in keys if self._is_group(key) and key != "policies"]
        tables.sort(key=lambda key: WHO.index(key) if key in WHO else len(WHO) + (key != SCENES))
        after = next((key for key in tables if key not in (*WHO, SCENES)), None)  # who fights is turned most often
        for key in tables:
            if key == after:
                yield rules
            value = self.now.get(key)
            if is_list_of_tables(value) or self._shape_at((key, 0)).takes("object"):
                yield self.list_group((key,), value or [])
            elif value:  # a table of the rules, seldom turned
                group = self.table_group((key,), value, upper_first(readable(key)))
                yield replace(group, folded=sum(1 for _ in group.all_fields()) > MANY)
        if after is None:
            yield rules
        yield self.switches()
        about = [self.field((key,), self.now.get(key)) for key in HEAD]
        yield Group("group-about", "Title and description", "", tuple(about), folded=True)

    def _is_group(self, key: str) -> bool:
        value, shape = self.now.get(key), self._shape_at((key,))
        if value is None:
            return shape.takes("object") or self._shape_at((key, 0)).takes("object")
        return isinstance(value, Mapping) or is_list_of_tables(value)

    def list_group(self, path: KeyPath, entries: list[Any]) -> Group:
        """Heroes, enemies: a group for each."""
        shape = self._shape_at(path)
        titles = [_title_of(entry) for entry in entries]
        counted = [
            f"{title} {titles[:at].count(title) + 1}" if titles.count(title) > 1 else title
            for at, title in enumerate(titles)
        ]
        groups = tuple(
            replace(
                self.table_group((*path, at), entry, upper_first(counted[at])),
                removable=spell((*path, at)) if len(path) == 1 and len(entries) > 1 else "",
                folded=path[-1] in FOLDED or len(entries) > FEW,
            )
            for at, entry in enumerate(entries)
            if isinstance(entry, Mapping)
        )
        name_key, names = self._names_of_entries(path)
        title = upper_first(readable(str(path[-1])))
        adds = f"{spell(path)}:{name_key}" if len(path) == 1 and names else ""
        about = shape.note("description") or ""
        return Group(_id(path), title, about, groups=groups, adds=adds, names=names, problem=self._problem(path))

    def _names_of_entries(self, path: KeyPath) -> tuple[str, tuple[Choice, ...]]:
        """The key by which an entry is what it is, and what it may be."""
        entry = self._shape_at((*path, 0))
        for key in NAMES:
            field = entry.at((key,))
            listed = [name for name in self._choices(field) if isinstance(name, str)] or names_in(field)
            if listed and (field.required or key != "name"):
                return key, tuple(Choice(name, readable(name)) for name in listed)
        return "", ()

    def _choices(self, shape: Shape) -> list[Any]:
        """What is listed for a place, monsters and classes of the file's own among it."""
        return choices_at(shape, self.said)

    def table_group(self, path: KeyPath, table: Mapping[str, Any], title: str) -> Group:
        """A table: its values, the tables in it, and what else could stand there."""
        shape = self._shape_at(path)
        fields, groups, unset = [], [], []
        for key in dict.fromkeys([*table, *shape.keys]):
            at, value = (*path, key), table.get(key)
            if isinstance(value, list) and is_list_of_tables(value):
                groups.append(self.list_group(at, value))
            elif isinstance(value, Mapping) and (shape.at((key,)).keys or value):
                groups.append(self.table_group(at, value, upper_first(readable(key))))
            elif value is None:
                unset.append(self.field(at, None))
            else:
                fields.append(self.field(at, value))
        wrong = [one for one in unset if one.problem or one.typed]
        rest = [one for one in unset if one not in wrong]
        seldom = [one for one in fields[MANY:] if one.kind in ("names", "text", "choice") and one.was is None]
        usual = [one for one in fields if one not in seldom]
        about, problem = shape.note("description") or "", self._problem(path)
        return Group(_id(path), title, about, (*usual, *wrong), (*seldom, *rest), tuple(groups), problem=problem)

    def switches(self) -> Group:
        """House rules, each with what it decides."""
        fields = tuple(self.field(("switches", name), value) for name, value in self.now["switches"].items())
        about = "Switches of the game, on top of the preset."
        return Group("group-switches", "House rules", about, fields, folded=True)

    # --------------------------------------------------------------------------------------------------------- fields

    def field(self, path: KeyPath, value: Any) -> Field:
        """One value."""
        shape, key = self._shape_at(path), str(path[-1])
        made = Field(
            path=spell(path),
            label=upper_first(readable(key)),
            name=self._name(path),
            kind="text",
            typed="" if value is None else _typed(value),
            about=self._about(path, shape),
            expected=shape.expected if shape else "",
            problem=self._problem(path),
        )
        made = self._with_kind(made, path, shape, value)
        before = _at(self.before, path)
        if _same_entries(self.now, self.before, path) and before != value and value is not None:
            made = replace(made, was=plain(before) if before is not None else "not set")
        if path in self.typed:
            made = replace(made, by_hand=True)
            if made.problem:
                made = replace(made, typed=self.typed[path], kind="text" if made.kind == "names" else made.kind)
        return made

    def _with_kind(self, made: Field, path: KeyPath, shape: Shape, value: Any) -> Field:
        key = str(path[-1])
        named = self._named_choices(path, key)
        listed = named or tuple(Choice(_typed(choice), readable(plain(choice))) for choice in self._choices(shape))
        others = any(shape.takes(kind) for kind in ("integer", "number", "array", "object")) and not named
        if isinstance(value, bool) or (value is None and shape.takes("boolean") and not shape.takes("string")):
            return replace(made, kind="switch")
        if listed and not (others and not isinstance(value, str)):
            known = any(choice.typed == made.typed for choice in listed)
            extra = () if known or not made.typed else (Choice(made.typed, made.typed),)
            return replace(made, kind="choice", choices=(*listed, *extra))
        if isinstance(value, (int, float)):
            return self._number(made, shape, value)
        if isinstance(value, list):
            return self._list(made, shape, value)
        if isinstance(value, str) and (len(value) > LONG or "\n" in value):
            return replace(made, kind="long", typed=value)
        if isinstance(value, str) and value in names_in(shape):
            return replace(made, kind="choice", choices=tuple(Choice(one, readable(one)) for one in names_in(shape)))
        if isinstance(value, str):
            return self._with_examples(replace(made, typed=value), shape)
        if value is None and (shape.takes("integer") or shape.takes("number")) and not shape.takes("string"):
            return replace(made, kind="number", step="1" if _whole_only(shape) else "any")
        return self._with_examples(made, shape)

    @staticmethod
    def _with_examples(made: Field, shape: Shape) -> Field:
        """A text with what the schema gives as examples, to choose from or not."""
        examples = [one for one in shape.note("examples") or () if isinstance(one, str)]
        return replace(made, choices=tuple(Choice(one, readable(one)) for one in examples))

    def _number(self, made: Field, shape: Shape, value: float) -> Field:
        """A number with a slider around it, as far as the schema lets it go."""
        least = max((option["minimum"] for option in shape.options if "minimum" in option), default=None)
        most = min((option["maximum"] for option in shape.options if "maximum" in option), default=None)
        whole = _whole_only(shape) and isinstance(value, int)
        reach = max(10, abs(value))
        low = value - reach if value < 0 else 0
        high = value + reach
        return replace(
            made,
            kind="formula" if shape.takes("string") else "number",
            low=low if least is None else max(low, least),
            high=high if most is None else min(high, most),
            step="1" if whole else "any",
        )

    def _list(self, made: Field, shape: Shape, value: list[Any]) -> Field:
        """A list: names from a menu, or typed with commas."""
        names = [name for name in shape.at((0,)).choices if isinstance(name, str)]
        if names and all(isinstance(entry, str) for entry in value):
            choices = tuple(Choice(name, readable(name)) for name in names)
            return replace(made, kind="names", choices=choices, entries=tuple(value))
        return replace(made, kind="list", typed=on_one_line(value)[1:-1])

    def _named_choices(self, path: KeyPath, key: str) -> tuple[Choice, ...]:
        """Policies and presets: data of the game, each with one line."""
        if key == "preset" and len(path) == 1:  # told in the menu itself: the names of presets say little
            told = self.ruleset.switchboard.about
            return tuple(Choice(name, f"{readable(name)}: {line}", line) for name, line in told.items())
        if key == "policy":
            own = self.said.get("policies") or {}
            about = self.ruleset.policies | dict.fromkeys(own, "of this file")
            return tuple(Choice(name, readable(name), line) for name, line in about.items())
        return ()

    def _about(self, path: KeyPath, shape: Shape) -> str:
        if path[0] == "switches" and path[1] in self.ruleset.switchboard.switches:
            return self.ruleset.switchboard.switches[str(path[1])].about
        return shape.note("description") or ""

    def _name(self, path: KeyPath) -> str:
        """A value's name where it stands alone: 'number of skeletons', and further down 'count, gobbo, on 3, rows'."""
        if len(path) < 3 or (len(path) == 3 and isinstance(path[1], int)):
            return place_in_words(spell(path), self.now)
        above = []
        for length in range(1, len(path)):
            step, value = path[length - 1], _at(self.now, path[:length])
            above.append(_title_of(value) if isinstance(step, int) else readable(step))
        last = path[-1]
        own = f"entry {last + 1}" if isinstance(last, int) else readable(last)
        return ", ".join([own, *reversed(above)])

    # ------------------------------------------------------------------------------------------------------- problems

    def _problem(self, path: KeyPath) -> str:
        if path in self.problems:
            self.shown.add(path)
        return self.problems.get(path, "")

    def unshown(self) -> Iterator[Problem]:
        """Problems that no field or group shows."""
        for path, message in self.problems.items():
            if path not in self.shown:
                yield Problem(spell(path), message)


# -------------------------------------------------------------------------------------------------------------- pieces


def _all_values(scenario: Scenario) -> dict[str, Any]:
    values = all_values(scenario)
    return {**values, **{key: value for key, value in scenario.data.items() if key not in values}}


def names_in(shape: Shape) -> list[str]:
    """The names that a schema gives as examples for a text; empty where they are no names ('3-5')."""
    examples = [one for one in shape.note("examples") or () if isinstance(one, str)]
    return examples if all(_A_NAME.fullmatch(one) for one in examples) else []


def _typed(value: Any) -> str:
    """A value as somebody would type it; a text without its quotes."""
    return value if isinstance(value, str) else " ".join(value_text(value).split("\n"))


def _title_of(entry: Any) -> str:
    """What people call an entry of a list."""
    if not isinstance(entry, Mapping):
        return "entry"
    if isinstance(entry.get("rest"), str):  # a scene of an evening
        return f"{entry['rest']} rest"
    if entry.get("level_up"):
        return "levels by XP" if entry["level_up"] == "xp" else "a level gained"
    names = [str(entry[key]) for key in NAMES if isinstance(entry.get(key), str)]
    if not names and entry.get("rest"):  # scenes of an adventure that are no fights
        return f"{readable(str(entry['rest']))} rest"
    if not names and entry.get("level_up"):
        return "a level gained"
    name = readable(names[0]) if names else f"on {entry['on']}" if "on" in entry else "entry"
    count = entry.get("count")
    return f"{count} {plural(name)}" if isinstance(count, int) and count != 1 else name


def _id(path: KeyPath) -> str:
    return "group-" + "-".join(str(step) for step in path)


def _at(table: Any, path: Iterable[str | int]) -> Any:
    for step in path:
        if isinstance(table, Mapping):
            table = table.get(step)
        elif isinstance(table, list) and isinstance(step, int) and step < len(table):
            table = table[step]
        else:
            return None
    return table


def _same_entries(now: Any, before: Any, path: KeyPath) -> bool:
    """Whether the entries on the way to a path are those of the file: as many, and of the same kind."""
    for length in range(1, len(path)):
        if isinstance(path[length], int):
            here, there = _at(now, path[:length]), _at(before, path[:length])
            if not isinstance(here, list) or not isinstance(there, list) or len(here) != len(there):
                return False
    return True


def _whole_only(shape: Shape) -> bool:
    return not any(option.get("type") == "number" for option in shape.options)

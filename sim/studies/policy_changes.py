"""What can be changed in a policy, in words that the policies of a game know: the steps of a search for better play.

A policy is a table as a scenario file takes it: lists of lines (`action`, and whatever other lists the game has), and
keys of its own (`formation`, `attack_card` ...). A change moves, drops or adds a line, or sets one key of a line or of
the policy to something that another policy says, or to the same with another number in it.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sim.core.policy import inherit
from sim.scenario.toml_writer import value_text
from sim.scenario.values import is_list_of_tables

Policy: TypeAlias = dict[str, Any]
Kind: TypeAlias = Literal["move", "drop", "insert", "set", "number", "key"]

KINDS: tuple[Kind, ...] = ("insert", "set", "move", "key", "number", "drop")
ABOUT = "about"  # what a policy says of itself, which nobody plays by
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")  # in a formula; the 2 of warrior_2 is none


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a policy. Values are held as JSON, so that changes can be told apart and kept in sets."""

    kind: Kind
    key: str  # the list of lines, or the key of the policy
    at: int = 0  # which line
    to: int = 0  # where it goes
    name: str = ""  # the key of the line
    value: str = "null"  # what it becomes; null for nothing

    @property
    def line(self) -> tuple[tuple[str, str], int] | None:
        """The line that it adds, and where; None where it adds none."""
        return ((self.key, self.value), self.at) if self.kind == "insert" else None

    def applied(self, policy: Policy) -> Policy | None:
        """The policy with the change; None where there is no such line."""
        changed = copy.deepcopy(policy)
        value = json.loads(self.value)
        if self.kind == "key" or (self.kind == "number" and not self.name):
            return _with(changed, self.key, value)
        lines: list[Any] = changed.setdefault(self.key, [])
        if self.at >= len(lines) + (self.kind == "insert"):
            return None
        if self.kind == "insert":
            lines.insert(self.at, value)
        elif self.kind == "drop":
            del lines[self.at]
        elif self.kind == "move":
            lines.insert(min(self.to, len(lines) - 1), lines.pop(self.at))
        else:
            lines[self.at] = _with(lines[self.at], self.name, value)
        return changed

    def in_words(self, policy: Policy) -> str:
        """What it changes in this policy, as a designer would tell it."""
        value = json.loads(self.value)
        if self.kind == "key" or (self.kind == "number" and not self.name):
            return _set_to(self.key, policy.get(self.key), value)
        if self.kind == "insert":
            return f"new line {self.at + 1} of {self.key}: {value_text(value)}"
        line = policy[self.key][self.at]
        if self.kind == "drop":
            return f"line {self.at + 1} of {self.key} is dropped: {value_text(line)}"
        if self.kind == "move":
            where = "up" if self.to < self.at else "down"
            return f"line {self.at + 1} of {self.key} goes {where} to place {self.to + 1}: {value_text(line)}"
        return f"line {self.at + 1} of {self.key} ({line['do']}): {_set_to(self.name, line.get(self.name), value)}"


def _with(table: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """The table with another value, or without the key."""
    if value is None:
        return {name: part for name, part in table.items() if name != key}
    return {**table, key: value}


def _set_to(name: str, old: Any, new: Any) -> str:
    if new is None:
        return f"no {name} any more (it was {value_text(old)})"
    return f"{name} = {value_text(new)}" + ("" if old is None else f" instead of {value_text(old)}")


def written(policy: Mapping[str, Any]) -> str:
    """A policy as one text, the same for two that say the same."""
    return json.dumps({key: value for key, value in policy.items() if key != ABOUT}, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Language:
    """Everything that some policies say: what changes are made of. All values as JSON, each once, in order."""

    lines: Mapping[str, Sequence[str]]  # list of lines -> every line that stands in it in some policy
    conditions: Sequence[str]  # every `when`
    options: Mapping[tuple[str, str], Sequence[str]]  # verb, key of a line -> what lines of this verb say there
    keys: Mapping[str, Sequence[str]]  # key of a policy -> what policies say there, null where one does not say it

    @classmethod
    def of(cls, policies: Mapping[str, Policy]) -> Language:
        """What these policies say, `like` worked in."""
        full, _ = inherit(policies)
        lists = {key for policy in full.values() for key, value in policy.items() if _are_lines(value)}
        lines: dict[str, dict[str, None]] = {}
        conditions: dict[str, None] = {}
        options: dict[tuple[str, str], dict[str, None]] = {}
        keys: dict[str, dict[str, None]] = {}
        for policy in full.values():
            for key, value in policy.items():
                if key not in lists and key != ABOUT:
                    keys.setdefault(key, {})[json.dumps(value)] = None
                for line in value if key in lists else ():
                    lines.setdefault(key, {})[json.dumps(line)] = None
                    for name, part in line.items():
                        into = conditions if name == "when" else options.setdefault((line["do"], name), {})
                        into[json.dumps(part)] = None
        for key, values in keys.items():
            if not all(key in policy for policy in full.values()):
                values["null"] = None
        return cls(
            {key: list(each) for key, each in lines.items()},
            list(conditions),
            {place: list(each) for place, each in options.items()},
            {key: list(each) for key, each in keys.items()},
        )

    def changes(self, policy: Policy) -> dict[Kind, list[Change]]:
        """Every change of a policy, by its kind, always in the same order."""
        found: dict[Kind, list[Change]] = {kind: [] for kind in KINDS}
        for key in self.lines:
            own = policy.get(key, [])
            for change in self._of_lines(key, own):
                found[change.kind].append(change)
        for key, values in self.keys.items():
            now = json.dumps(policy.get(key))
            found["key"] += [Change("key", key, value=value) for value in values if value != now]
        for key, value in policy.items():
            if key not in self.lines and key != ABOUT:
                found["number"] += [Change("number", key, value=json.dumps(other)) for other in other_numbers(value)]
        return found

    def _of_lines(self, key: str, own: Sequence[dict[str, Any]]) -> Iterator[Change]:
        """Everything that can be done to a list of lines."""
        there = {json.dumps(line) for line in own}
        for known in self.lines[key]:
            if known not in there:
                yield from (Change("insert", key, at, value=known) for at in range(len(own) + 1))
        for at, line in enumerate(own):
            yield Change("drop", key, at)
            yield from (Change("move", key, at, to) for to in range(len(own)) if to < at or to > at + 1)
            yield from self._of_a_line(key, at, line)

    def _of_a_line(self, key: str, at: int, line: dict[str, Any]) -> Iterator[Change]:
        """One line, asked or aimed otherwise."""
        known = {name: values for (verb, name), values in self.options.items() if verb == line["do"] and name != "do"}
        for name, values in {"when": self.conditions, **known}.items():
            now = json.dumps(line.get(name))
            others = [value for value in (*values, "null") if value != now]
            yield from (Change("set", key, at, name=name, value=value) for value in others)
        for name, part in line.items():
            if name != "do":
                others = [json.dumps(other) for other in other_numbers(part)]
                yield from (Change("number", key, at, name=name, value=value) for value in others)


def _are_lines(value: Any) -> bool:
    return is_list_of_tables(value) and bool(value) and all("do" in line for line in value)


def other_numbers(value: Any) -> Iterator[Any]:
    """The same value with one of its numbers one less, one more, halved or doubled.

    >>> list(other_numbers("3 * health <= max_health"))[:2]
    ['2 * health <= max_health', '4 * health <= max_health']
    >>> list(other_numbers({"where": "round == 1"}))
    [{'where': 'round == 0'}, {'where': 'round == 2'}]
    """
    if isinstance(value, str):
        for found in _NUMBER.finditer(value):
            for other in _near(int(found[0])):
                yield f"{value[: found.start()]}{other}{value[found.end() :]}"
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from _near(value)
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from ([*value[:at], other, *value[at + 1 :]] for other in other_numbers(part))
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from ({**value, name: other} for other in other_numbers(part))


def _near(number: int) -> list[int]:
    tries = (number - 1, number + 1, number // 2, number * 2)
    return [other for other in dict.fromkeys(tries) if other >= 0 and other != number]

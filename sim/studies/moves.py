"""Moves: every number of a fight one step up and down, and every switch set to each of its other values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sim.errors import InputError
from sim.scenario import Scenario, from_dict
from sim.scenario.overrides import NAMES
from sim.scenario.values import KeyPath, is_list_of_tables, spell
from sim.scenario.wording import nth, readable, scene_in_words

WHERE = ("spot", "spots", "square", "hex")  # lists of numbers that say where somebody stands
FARTHEST = 4  # steps looked ahead for a value that the game takes: dice go 4, 6, 8


@dataclass(frozen=True, slots=True)
class Move:
    """A number moved by one step, or a switch set to another value."""

    path: KeyPath
    label: str  # skeleton defence
    was: Any
    value: Any
    fight: Scenario

    @property
    def name(self) -> str:
        """'skeleton defence +1', 'monster damage: one'."""
        return f"{self.label}: {self.value}" if self.path[0] == "switches" else f"{self.label} {self.step}"

    @property
    def up(self) -> bool:
        """Whether a number goes up."""
        return bool(self.value > self.was)

    @property
    def step(self) -> str:
        """Of a number: '+1'."""
        return f"{self.value - self.was:+g}"


def all_moves(scenario: Scenario, only: str | None = None) -> tuple[list[Move], list[tuple[str, str]]]:
    """Every number of every unit, up and down, and those that cannot be moved with the reason."""
    resolved = scenario.resolved()
    moves: list[Move] = []
    fixed: list[tuple[str, str]] = []
    for path, label, value in unit_numbers(scenario.in_full()):
        if only and only not in spell(path) and readable(only) not in label:
            continue
        reasons = []
        for direction in (+1, -1):
            found = _moved(scenario, resolved, path, label, value, direction)
            if isinstance(found, Move):
                moves.append(found)
            else:
                reasons.append(found)
        if len(reasons) == 2:
            fixed.append((label, reasons[0]))
    return moves, fixed


def all_switches(scenario: Scenario, only: str | None = None) -> tuple[list[Move], list[tuple[str, str]]]:
    """Every switch set to each of its other values, and those that have none that this fight takes, with the reason.

    A switch that takes a whole number goes one up and one down.
    """
    moves: list[Move] = []
    fixed: list[tuple[str, str]] = []
    for name, switch in scenario.ruleset.switchboard.switches.items():
        path: KeyPath = ("switches", name)
        label, was = readable(name), scenario.settings[name]
        if only and only not in spell(path) and readable(only) not in label:
            continue
        values: list[Any] = list(switch.values)
        if switch.kind == "whole" and isinstance(was, int):
            values = [value for value in (was - 1, was + 1) if switch.least <= value <= switch.most]
        reason = "has no list of values to try" if not values else "the fight takes no other value"
        found = []
        for value in values:
            if value == was:
                continue
            try:
                found.append(Move(path, label, was, value, scenario.changed(values={spell(path): value})))
            except InputError as error:
                reason = error.problems[0].message
        moves += found
        if not found:
            fixed.append((label, reason))
    return moves, fixed


LEFT_ALONE = ("switches", "policies", "policy_options")  # tables of a scenario whose numbers are no unit's


def unit_numbers(resolved: dict[str, Any]) -> Iterator[tuple[KeyPath, str, float]]:
    """Every number in an entry of a list of tables (heroes, enemies, rows of a table), with a name for people.

    Where somebody stands is no strength: such numbers can be set, swept and tuned, and are not ranked.
    """

    def walk(value: Any, path: KeyPath, label: str, inside: bool) -> Iterator[tuple[KeyPath, str, float]]:
        if isinstance(value, bool):
            return
        if isinstance(value, (int, float)) and inside:
            yield path, label, value
        elif isinstance(value, dict):
            for key, part in value.items():
                yield from walk(part, (*path, key), f"{label} {readable(str(key))}".strip(), inside)
        elif is_list_of_tables(value):
            called = [_called(entry, str(path[-1]), at) for at, entry in enumerate(value)]
            for at, entry in enumerate(value):
                twice = called.count(called[at]) > 1
                name = f"{called[at]} {called[: at + 1].count(called[at])}" if twice else called[at]
                for key, part in entry.items():
                    yield from walk(part, (*path, at, key), f"{readable(name)} {readable(key)}", True)
        elif isinstance(value, list) and inside and path[-1] not in WHERE:
            for at, part in enumerate(value):
                yield from walk(part, (*path, at), f"{label} ({nth(at)})", True)

    for key, value in resolved.items():
        if key == "scenes":
            for at, scene in enumerate(value):
                where = scene_in_words(at, scene.get("name"))
                for part, content in scene.get("fight", {}).items():
                    if part not in LEFT_ALONE:
                        for path, label, number in walk(content, (key, at, "fight", part), "", False):
                            yield path, f"{label} in {where}", number
        elif key not in LEFT_ALONE:
            yield from walk(value, (key,), "", False)


def _called(entry: dict[str, Any], list_name: str, at: int) -> str:
    return next((str(entry[key]) for key in NAMES if isinstance(entry.get(key), str)), f"{list_name}[{at}]")


def _moved(
    scenario: Scenario, resolved: dict[str, Any], path: KeyPath, label: str, value: float, direction: int
) -> Move | str:
    """The nearest value in a direction that the game takes; or why there is none.

    The number is set in the scenario as it was written, so that what follows from it follows (health from the maximum);
    where its place differs from that in the resolved fight, in the resolved one.
    """
    reason = "the game takes no other value"
    unit = 1 if float(value).is_integer() else 10.0 ** -len(str(value).partition(".")[2])
    base = scenario
    if not _same_place(scenario.data, resolved, path):
        base = from_dict(resolved, name=scenario.name, source=scenario.source)
    for stride in range(1, FARTHEST + 1):
        new = round(value + direction * stride * unit, 12)
        try:
            fight = base.changed(values={spell(path): new})
        except InputError as error:
            if stride == 1:
                reason = error.problems[0].message
            continue
        if fight.digest != scenario.digest:
            return Move(path, label, value, new, fight)
        reason = "changes nothing in the resolved fight"
    return reason


def _same_place(data: Any, resolved: Any, path: KeyPath) -> bool:
    """Whether the lists on the way are the same ones in the file as in the resolved fight."""
    for step in path[:-1]:
        if isinstance(step, int):
            if not isinstance(data, list) or len(data) != len(resolved):
                return False
            data = data[step]
        else:
            data = data.get(step, {}) if isinstance(data, dict) else {}
        resolved = resolved[step]
    return isinstance(data, dict)

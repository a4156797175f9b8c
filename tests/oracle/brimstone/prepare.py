"""A scenario made ready: everything that is the same in every run (BF-S1, S2, S6, S8, S13)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .addresses import MOST_MODELS
from .bestiary import TYPE_NUMBER, TYPES, Kind
from .board import Board, read_board
from .cards import Count, read_count
from .kind_numbers import own_numbers, types_on_cards
from .levels import raise_fixed
from .own_types import read_own_type, said_figures
from .rulebook import ENEMY_BONUS, read_switches, revive_tokens, threat_list
from .sheets import Sheet, finish_sheet, read_hero


class Line(NamedTuple):
    """An enemy line: how many of which kind. `number` is part of the address of its dice."""

    kind: int
    count: Count
    number: int
    squares: tuple[tuple[int, int], ...] = ()  # given to its first models, counted from 1


class Event(NamedTuple):
    """2.3: a scheduled arrival."""

    number: int
    turn: int
    after: int  # 0 means at the darkness
    ambush: bool
    tile: int
    lines: tuple[Line, ...]


def changed_kind(base: Kind, line: dict[str, Any]) -> Kind:
    """An enemy line that changes something of its type makes a type of its own."""
    change = said_figures(line, base.range > 0)
    return replace(
        base,
        name=line.get("name", base.name),
        changed=base.changed | frozenset(change),
        brutal=line.get("brutal", base.brutal),
        elites=tuple(line.get("elites", base.elites)),
        own=False,
        **change,
    )


class KindList:
    """The kinds of a scenario: the types of 11.5, then those that its lines bring, and who takes whose place."""

    def __init__(self, monsters: dict[str, Any]) -> None:
        self.monsters = monsters
        self.kinds = [read_own_type(kind.name, monsters) for kind in TYPES]
        self.number = dict(TYPE_NUMBER)
        self.lines: list[int] = []  # the kind of every line

    def number_of(self, name: str) -> int:
        """The number of a type or of a kind made before; an own type gets the next one when it is first named."""
        if name not in self.number:
            self.number[name] = len(self.kinds)
            self.kinds.append(read_own_type(name, self.monsters))
        return self.number[name]

    def read_line(self, line: dict[str, Any]) -> Line:
        number = self.number_of(line["type"])
        if set(line) - {"type", "count", "squares"}:
            kind = changed_kind(self.kinds[number], line)
            number = len(self.kinds)
            self.kinds.append(kind)
            if line.get("name") and line["name"] not in self.monsters:
                self.number.setdefault(kind.name, number)
        self.lines.append(number)
        squares = tuple((x, y) for x, y in line.get("squares", ()))
        return Line(number, read_count(line.get("count", 1)), len(self.lines) - 1, squares)

    def take_places(self, threat: list[str], posse_list: str) -> dict[int, int]:
        """Give made kinds the numbers of types that cannot come themselves; returns the new number of every kind.

        The other numbers stay: the old number of such a kind is a gap, used by nobody. Own types that only a Spawn
        brings are numbered last.
        """
        on_cards = types_on_cards(threat, posse_list)
        coming = sorted({self.number[name] for name in on_cards} | set(self.lines))
        spawned: set[str] = set()
        for number in coming:
            spawn = self.kinds[number].spawn
            if spawn:
                spawned.add(spawn[1])
                if self.number_of(spawn[1]) not in coming:
                    coming.append(self.number_of(spawn[1]))
        numbers = {number: number for number in range(len(self.kinds))}
        for number in own_numbers(self.kinds, self.number, self.lines, on_cards, spawned):
            numbers[number] = self.number[self.kinds[number].base]
            self.kinds[numbers[number]] = self.kinds[number]
        self.number = {name: numbers[number] for name, number in self.number.items()}
        return numbers


def renumbered(lines: Iterable[Line], numbers: dict[int, int]) -> list[Line]:
    return [line._replace(kind=numbers[line.kind]) for line in lines]


@dataclass
class Prepared:
    """Everything about an encounter that is the same in every run."""

    switches: dict[str, Any]
    board: Board
    sheets: list[Sheet]
    kinds: list[Kind]
    kind_number: dict[str, int]
    lines: list[Line]
    threat: list[str]
    events: list[Event]
    ambush: bool
    tile: int
    brutal: bool
    owed: int
    revive: int
    threat_list: str
    stage: int
    darkness: int
    flee_turn: int
    dice_cap: int
    start_grit: list[int]  # of every hero, before any cap


def default_square(board: Board, number: int, heroes: int) -> tuple[int, int]:
    """BF-S8, counted from 1."""
    return (board.width - heroes) // 2 + 1 + number, 1


def place_heroes(board: Board, entries: list[dict[str, Any]], sheets: list[Sheet]) -> None:
    for sheet, entry in zip(sheets, entries, strict=True):
        if board.none:
            continue
        x, y = entry.get("square") or default_square(board, sheet.number, len(sheets))
        if not board.is_floor(x - 1, y - 1):
            raise ValueError(f"heroes[{sheet.number}].square: ({x}, {y}) is not a floor square")
        sheet.square = board.at(x - 1, y - 1)
    if not board.none and len({sheet.square for sheet in sheets}) < len(sheets):
        raise ValueError("heroes: two heroes on one square")


def prepare(scenario: dict[str, Any]) -> Prepared:
    """Read a scenario (BF-S1, S2, S6, S8, S13) and check it."""
    switches = read_switches(scenario)
    cap = 10**6 if switches["max_attack_dice"] == "none" else switches["max_attack_dice"]
    board = read_board(scenario, switches["corner_rule"])
    sheets = [read_hero(entry, i, scenario, switches) for i, entry in enumerate(scenario["heroes"])]
    place_heroes(board, scenario["heroes"], sheets)
    if switches["level_model"] == "fixed":
        for sheet in sheets:
            raise_fixed(sheet)
            finish_sheet(sheet, switches, cap)
    kinds = KindList(scenario.get("monsters", {}))
    lines = [kinds.read_line(line) for line in scenario.get("enemies", [])]
    tile = scenario.get("enemy_tile", 1)
    events = [
        Event(
            i,
            event["turn"],
            event.get("after_activation", 0),
            event.get("ambush", False),
            event.get("tile", tile),
            tuple(kinds.read_line(line) for line in event["enemies"]),
        )
        for i, event in enumerate(scenario.get("events", []))
    ]
    posse = [sheet for sheet in sheets if not sheet.ally]
    posse_list = threat_list(len(posse), len(sheets) - len(posse))
    threat = scenario.get("threat", [])
    threat = [threat] if isinstance(threat, str) else list(threat)
    numbers = kinds.take_places(threat, posse_list)
    lines = renumbered(lines, numbers)
    events = [event._replace(lines=tuple(renumbered(event.lines, numbers))) for event in events]
    brutal, owed = ENEMY_BONUS[max(sheet.level for sheet in posse)]
    prepared = Prepared(
        switches=switches,
        board=board,
        sheets=sheets,
        kinds=kinds.kinds,
        kind_number=kinds.number,
        lines=lines,
        threat=threat,
        events=events,
        ambush=scenario.get("ambush", False),
        tile=tile,
        brutal=brutal,
        owed=owed + switches["extra_elite"],
        revive=revive_tokens(switches["revive_tokens"], len(posse)),
        threat_list=posse_list,
        stage=scenario.get("stage", 7),
        darkness=scenario.get("darkness", 0),
        flee_turn=scenario.get("flee_turn", 0),
        dice_cap=cap,
        start_grit=[entry.get("grit", switches["start_grit"]) for entry in scenario["heroes"]],
    )
    check_fit(prepared)
    return prepared


def check_fit(prepared: Prepared) -> None:
    """BF-S13: the listed enemies must fit on the free squares of their tile."""
    board = prepared.board
    if board.none or prepared.ambush:
        return
    if prepared.tile not in board.placement:
        raise ValueError(f"enemy_tile: the board has no tile {prepared.tile}")
    given = [board.at(x - 1, y - 1) for line in prepared.lines for x, y in line.squares]
    taken = {sheet.square for sheet in prepared.sheets} | set(given)
    free = sum(square not in taken for square in board.placement[prepared.tile])
    most = min(MOST_MODELS, sum(line.count.most for line in prepared.lines)) - len(given)
    if most > free:
        raise ValueError(f"enemies: up to {most} models do not fit on {free} free squares (BF-S13)")

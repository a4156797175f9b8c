"""A scenario made ready: everything that is the same in every run (BF-S1, S2, S6, S8, S13)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from .addresses import MOST_MODELS
from .bestiary import TYPE_NUMBER, TYPES, Kind
from .board import Board, read_board
from .cards import Count, read_count
from .kind_numbers import spawned_kinds, taken_places, types_on_cards
from .levels import raise_fixed
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


def read_damage(text: str | int) -> tuple[int, int]:
    """Damage as (dice, fixed part): 2, "D6", "D6+1"."""
    count = read_count(text)
    return len(count.dice), count.plus


KIND_NUMBERS = ("init", "move", "escape", "th_melee", "th_ranged", "combat", "defense", "health", "size", "behaviour")
KEYWORDS = {f.name for f in fields(Kind)} - {
    *("name", "base", "changed", "brutal", "elites", "damage_dice", "damage", "range", "shots", "shot_dice"),
    *("shot_damage", "xp_a", "xp_b"),
    *KIND_NUMBERS,
}


def changed_kind(base: Kind, line: dict[str, Any]) -> Kind:
    """An enemy line that changes something of its type makes a type of its own."""
    change: dict[str, Any] = {key: line[key] for key in KIND_NUMBERS if key in line}
    if "damage" in line:
        change["damage_dice"], change["damage"] = read_damage(line["damage"])
    if "weapon" in line:
        weapon = line["weapon"]
        change |= {key: weapon[key] for key in ("range", "shots") if key in weapon}
        if "damage" in weapon or not base.range:
            change["shot_dice"], change["shot_damage"] = read_damage(weapon.get("damage", 1))
    if "xp" in line:
        change["xp_a"] = line["xp"]
    if "xp_each" in line:
        change["xp_b"] = line["xp_each"]
    if "abilities" in line:
        plain = {f.name: f.default for f in fields(Kind) if f.name in KEYWORDS}
        unknown = set(line["abilities"]) - KEYWORDS
        if unknown:
            raise ValueError(f"enemies: unknown abilities {sorted(unknown)}")
        lists = {key: tuple(value) if isinstance(value, list) else value for key, value in line["abilities"].items()}
        change |= plain | lists
    return replace(
        base,
        name=line.get("name", base.name),
        changed=base.changed | frozenset(change),
        brutal=line.get("brutal", base.brutal),
        elites=tuple(line.get("elites", base.elites)),
        **change,
    )


class KindList:
    """The kinds of a scenario: the types of 11.5, then those that its lines make, and who takes whose place."""

    def __init__(self) -> None:
        self.kinds = list(TYPES)
        self.number = dict(TYPE_NUMBER)
        self.lines: list[int] = []  # the kind of every line

    def read_line(self, line: dict[str, Any]) -> Line:
        number = self.number[line["type"]]
        if set(line) - {"type", "count", "squares"}:
            kind = changed_kind(self.kinds[number], line)
            number = len(self.kinds)
            self.kinds.append(kind)
            self.number.setdefault(kind.name, number)
        self.lines.append(number)
        squares = tuple((x, y) for x, y in line.get("squares", ()))
        return Line(number, read_count(line.get("count", 1)), len(self.lines) - 1, squares)

    def take_places(self, threat: list[str], posse_list: str) -> dict[int, int]:
        """Give made kinds the numbers of types that cannot come themselves; returns the new number of every kind.

        The other numbers stay: the old number of such a kind is a gap, used by nobody.
        """
        of_lines = [self.kinds[number] for number in self.lines]
        named = {name: self.kinds[number] for name, number in self.number.items()}
        on_cards = types_on_cards(threat, posse_list)
        spawned = spawned_kinds(of_lines, on_cards, named)
        numbers = {number: number for number in range(len(self.kinds))}
        for number, takes in zip(self.lines, taken_places(of_lines, on_cards, spawned), strict=True):
            if takes:
                kind = self.kinds[number]
                numbers[number] = TYPE_NUMBER[kind.base]
                self.kinds[numbers[number]] = kind
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
    kinds = KindList()
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

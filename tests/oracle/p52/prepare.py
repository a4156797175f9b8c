"""From a scenario (the dict of a TOML file) to what stays the same in every run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .bestiary import FACE_CARDS
from .board import Board
from .build import EnemySheet, build_enemy, build_hero, refuse_unknown
from .data import CHOICES, PRESETS, SWITCHES
from .formula import formula
from .kit import Kit

SCENARIO_KEYS = {
    "ruleset", "title", "description", "policy", "level", "preset", "switches", "board", "entrance", "exit", "heroes",
    "enemies", "enemy_deck", "encounters", "monsters", "classes",
}  # fmt: skip
PLACE_KEYS = {"board", "entrance", "exit"}


@dataclass(slots=True)
class Space:
    """One encounter of the scenario."""

    board: Board
    listed: list[EnemySheet]
    drawn: list[dict[str, EnemySheet]]  # for every spot of the enemy deck the sheet of each card there


@dataclass(slots=True)
class Prepared:
    """A scenario ready to be played."""

    switches: dict[str, Any]
    kits: list[Kit]
    average: int  # P52-U5
    spaces: list[Space]
    deck_cards: list[str]  # the enemy deck
    king_extra: int  # P52-C12
    lowest: int | None  # min_target

    def bounded(self, target: int) -> int:
        return target if self.lowest is None else max(self.lowest, target)


def all_switches(scenario: dict[str, Any]) -> dict[str, Any]:
    """The preset with the scenario's switches on top (section 9)."""
    preset = PRESETS.index(scenario.get("preset", PRESETS[0]))
    switches = {name: values[preset] for name, values in SWITCHES.items()}
    for name, value in scenario.get("switches", {}).items():
        if name not in SWITCHES:
            raise ValueError(f"switches.{name}: unknown switch")
        if name in CHOICES and value not in CHOICES[name]:
            raise ValueError(f"switches.{name}: expected one of {CHOICES[name]}, found {value!r}")
        switches[name] = value
    if not 1 <= switches["round_cap"] <= 999:
        raise ValueError(f"switches.round_cap: expected 1 to 999, found {switches['round_cap']}")
    return switches


def average_level(levels: list[int]) -> int:
    """P52-U5.

    >>> average_level([3, 5, 6])
    4
    """
    return sum(levels) // len(levels)


def build_board(place: dict[str, Any]) -> Board:
    entrance, way_out = place.get("entrance"), place.get("exit")
    return Board(place["board"], tuple(entrance) if entrance else None, tuple(way_out) if way_out else None)


def prepare(scenario: dict[str, Any]) -> Prepared:
    """P52-S1: heroes, average level, enemies, boards."""
    refuse_unknown(scenario, SCENARIO_KEYS, "scenario")
    switches = all_switches(scenario)
    sheets = [
        build_hero(spec, scenario, switches, f"heroes[{number}]") for number, spec in enumerate(scenario["heroes"])
    ]
    average = average_level([sheet.level for sheet in sheets])
    encounters = scenario.get("encounters") or [{key: scenario[key] for key in ("enemies", "enemy_deck")
                                                 if key in scenario}]  # fmt: skip
    spaces, decks = [], []
    shared: Board | None = None
    for number, encounter in enumerate(encounters):
        if "board" in encounter:
            board = build_board(encounter)
        else:
            board = shared = shared or build_board(scenario)
        own = scenario.get("monsters", {})
        spaces.append(build_space(encounter, board, average, switches, f"encounters[{number}]", own))
        if "enemy_deck" in encounter:
            decks.append(list(encounter["enemy_deck"].get("cards", FACE_CARDS)))
    if any(deck != decks[0] for deck in decks) or (decks and sum(len(s.drawn) for s in spaces) > len(decks[0])):
        raise ValueError("enemy_deck: one deck for all encounters, with a card for every spot")
    start = spaces[0].board
    for number, sheet in enumerate(sheets):
        if sheet.spot is not None and sheet.spot not in start.number:
            raise ValueError(f"heroes[{number}].spot: {sheet.spot} is no spot of the board")
    lowest = None if switches["min_target"] == "none" else int(switches["min_target"])
    king_extra = formula(switches["enemy_king_extra"])(average, 0, 0)
    kits = [Kit(sheet, switches) for sheet in sheets]
    return Prepared(switches, kits, average, spaces, decks[0] if decks else [], king_extra, lowest)


def build_space(
    encounter: dict[str, Any], board: Board, average: int, switches: dict[str, Any], place: str,
    monsters: dict[str, Any],
) -> Space:  # fmt: skip
    """The enemies of one encounter: the listed ones, and those each card of the deck would be."""
    refuse_unknown(encounter, {"title", "enemies", "enemy_deck", *PLACE_KEYS}, place)
    listed = [
        build_enemy(spec, average, switches, f"{place}.enemies[{number}]", monsters)
        for number, spec in enumerate(encounter.get("enemies", []))
    ]
    deck = encounter.get("enemy_deck", {})
    cards = deck.get("cards", FACE_CARDS)
    drawn = [
        {card: build_enemy({"card": card, "spot": spot}, average, switches, place, monsters) for card in cards}
        for spot in deck.get("spots", [])
    ]
    for sheet in listed + [next(iter(by_card.values())) for by_card in drawn]:
        if sheet.spot not in board.number:
            raise ValueError(f"{place}: {sheet.card} stands on {sheet.spot}, which is no spot of the board")
    return Space(board, listed, drawn)

"""What is wrong with a scenario beyond its schema."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from sim.core.board import MOST_CELLS, Board
from sim.core.expr import parse
from sim.core.own_types import said
from sim.errors import FormulaError, Problem, ScenarioError, did_you_mean
from sim.rulesets.p52 import data
from sim.rulesets.p52.bestiary import TOP, EnemyAttack, EnemyFacts, build_enemy
from sim.rulesets.p52.build import build_hero
from sim.rulesets.p52.ground import problem_at, read_board
from sim.rulesets.p52.monsters import ATTACKS, Row, row_of
from sim.rulesets.p52.own_checks import NOT_DRAWN, class_problems, monster_problems, unsound
from sim.rulesets.p52.plan import read_plans
from sim.rulesets.p52.schema import EncounterPart, Enemy, Hero, P52Scenario, encounters_of
from sim.rulesets.p52.sums import least_target

FARTHEST = 20  # range up to which formulas are tried, on larger boards as far as they go
MOST_POINTS = 9_999  # hit points, and damage before a King doubles it
LEAST_INITIATIVE = -999
MOST_MOVEMENT = 99
MOST_TARGET = 999  # of an enemy's attack, above and below 0


def problems(scenario: P52Scenario, switches: Mapping[str, Any]) -> list[Problem]:
    """Everything that contradicts itself or the data set, and what is wrong with the policies that heroes follow."""
    data_set = switches["data_set"]
    own = said(scenario.monsters)
    found = _switch_problems(switches, data_set, _party_level(scenario))
    found += monster_problems(own, data_set)
    wrong_classes = class_problems(said(scenario.classes), data_set)
    found += wrong_classes
    if scenario.encounters and (scenario.enemies or scenario.enemy_deck):
        found.append(Problem("encounters", "a scenario has encounters or enemies of its own; leave one out"))
    if not scenario.encounters and not scenario.enemies and not scenario.enemy_deck:
        found.append(Problem("enemies", "nobody to fight: add [[enemies]], [enemy_deck] or [[encounters]]"))
    for number, hero in enumerate(scenario.heroes):
        wrong = _hero_problems(hero, f"heroes[{number}]", data_set)
        found += wrong or ([] if wrong_classes else _health_problems(hero, f"heroes[{number}]", scenario, switches))
    board = _board(scenario.board, scenario.entrance, scenario.exit, "board", found)
    parts = encounters_of(scenario)
    boards: list[Board] = []
    for number, part in enumerate(parts):
        place = f"encounters[{number}]." if scenario.encounters else ""
        if scenario.encounters and not part.enemies and not part.enemy_deck:
            found.append(Problem(place.rstrip("."), "nobody to fight: add enemies or an enemy_deck"))
        there = board if part.board is None else _board(part.board, part.entrance, part.exit, f"{place}board", found)
        found += _part_problems(part, place, there, own, switches["data_set"])
        boards += [] if there is None else [there]
        if number == 0 and there is not None:
            for row, hero in enumerate(scenario.heroes):
                if hero.spot is not None:
                    found += problem_at(there, hero.spot, f"heroes[{row}].spot")
    found += _figure_problems(scenario, parts, farthest(boards), switches)
    return found + _board_problems(boards) + _deck_problems(parts) + _plan_problems(scenario)


def farthest(boards: list[Board]) -> int:
    """A range that no two spots exceed, and FARTHEST at the least."""
    spans = [sum(max(axis) - min(axis) for axis in zip(*board.coords, strict=True)) for board in boards]
    return max([FARTHEST, *spans])


def _board_problems(boards: list[Board]) -> list[Problem]:
    """The boards of a gauntlet are all held ready at once."""
    spots = sum(len(board) for board in boards)
    if len(boards) < 2 or spots <= MOST_CELLS:
        return []
    wrong = f"the boards of all encounters may have at most {MOST_CELLS:,} spots together, found {spots:,}"
    return [Problem("encounters", wrong)]


def _figure_problems(
    scenario: P52Scenario, parts: list[EncounterPart], most_range: int, switches: Mapping[str, Any]
) -> list[Problem]:
    """Formulas and figures of enemies that cannot be played at the party's level, on these boards."""
    level, own, data_set = _party_level(scenario), said(scenario.monsters), switches["data_set"]
    overages = range(0 if switches["enemy_hit"] == "meet" else 1, 14)
    found: list[Problem] = []
    bad: set[str] = set()  # monsters of whom enough is said already
    for name in own:
        if not unsound(name, own, data_set):
            place = f"monsters.{name}"
            wrong = _formula_problems(_formulas_of(row_of(name, own, data_set)), place, level, overages, most_range)
            wrong = wrong or _size_problems(build_enemy(name, level, data_set, own), place, level, most_range, switches)
            found += wrong
            bad |= {name} if wrong else set()
    for number, part in enumerate(parts):
        for row, enemy in enumerate(part.enemies):
            place = f"encounters[{number}].enemies[{row}]" if scenario.encounters else f"enemies[{row}]"
            if enemy.card in bad or unsound(enemy.card, own, data_set) or _elsewhere(enemy.card, own, data_set):
                continue
            written = _formulas_of(enemy.model_dump(exclude_none=True))
            wrong = _formula_problems(written, place, level, overages, most_range)
            facts = None if wrong else build_enemy(enemy, level, data_set, own)
            found += wrong if facts is None else _size_problems(facts, place, level, most_range, switches)
    return found


def _formulas_of(written: Row) -> dict[str, Any]:
    """What of an enemy or of a monster may be a formula, by key."""
    figures = {key: written.get(key) for key in ("max_hp", "hp", "initiative", "movement")}
    for way in ATTACKS:
        figures |= {f"{way}.{key}": written.get(way, {}).get(key) for key in ("target", "damage")}
    return figures


def _plan_problems(scenario: P52Scenario) -> list[Problem]:
    """What is wrong with the policies that the heroes follow."""
    try:
        read_plans(scenario)
    except ScenarioError as error:
        return list(error.problems)
    return []


def _deck_problems(parts: list[EncounterPart]) -> list[Problem]:
    """One deck for all encounters, with a card for every enemy that is drawn."""
    decks = {tuple(part.enemy_deck.cards or ()) for part in parts if part.enemy_deck}
    drawn = sum(len(part.enemy_deck.spots) for part in parts if part.enemy_deck)
    if len(decks) > 1:
        return [Problem("encounters", "all encounters with an enemy_deck must name the same cards, or none")]
    if decks and drawn > len(next(iter(decks)) or data.FACE_CARDS):
        return [Problem("enemy_deck", f"{drawn} enemies are drawn, but the deck has fewer cards")]
    return []


def _switch_problems(switches: Mapping[str, Any], data_set: str, level: int) -> list[Problem]:
    found: list[Problem] = []
    known = data.of_set(data_set, "abilities")
    ban = switches["ban"]
    for name in ban if isinstance(ban, list) else []:
        if name not in data.names("abilities"):
            found.append(Problem("switches.ban", f"unknown ability '{name}'{did_you_mean(str(name), known)}"))
    try:
        extra = parse(str(switches["enemy_king_extra"]), ("L",), place="switches.enemy_king_extra")({"L": level})
        if not 0 <= extra <= MOST_POINTS:
            wrong = f"expected 0 to {MOST_POINTS} at level {level}, found {extra}"
            found.append(Problem("switches.enemy_king_extra", wrong))
    except FormulaError as error:
        found += error.problems
    return found


def _party_level(scenario: P52Scenario) -> int:
    """P52-U5, before the heroes are built."""
    return sum(hero.level or scenario.level for hero in scenario.heroes) // len(scenario.heroes)


def _formula_problems(
    figures: Mapping[str, Any], place: str, level: int, overages: range, most_range: int
) -> list[Problem]:
    """Formulas that cannot be worked out in this fight, such as a division by L - 3 at level 3."""
    found: list[Problem] = []
    for key, written in figures.items():
        if isinstance(written, str) and written != "top":
            formula = parse(written, ("L", "R", "O"), place=f"{place}.{key}")
            try:
                for distance, over in product(range(most_range + 1), overages):
                    formula({"L": level, "R": distance, "O": over})
            except FormulaError as error:
                found += error.problems
    return found


def _size_problems(
    facts: EnemyFacts, place: str, level: int, most_range: int, switches: Mapping[str, Any]
) -> list[Problem]:
    """Figures that are out of all proportion at the party's level."""
    found: list[Problem] = []

    def within(key: str, least: int, value: int, most: int, beyond: str = "") -> None:
        if not least <= value <= most:
            wrong = f"expected {least} to {most}{beyond} at level {level}, found {value}"
            found.append(Problem(f"{place}.{key}", wrong))

    within("max_hp", 1, facts.max_hp, MOST_POINTS)
    if facts.max_hp >= 1:
        within("hp", 1 if switches["enemy_death"] == "at_zero" else 0, facts.hp, facts.max_hp, ", which is its max_hp,")
    if facts.initiative != TOP:
        within("initiative", LEAST_INITIATIVE, facts.initiative, MOST_POINTS)
    within("movement", 0, facts.movement, MOST_MOVEMENT)
    for attack in facts.attacks:
        way = attack.way
        targets = [int(attack.target({"L": level, "R": distance, "O": 0})) for distance in range(most_range + 1)]
        for extreme in sorted({min(targets), max(targets)}):
            within(f"{way}.target", -MOST_TARGET, extreme, MOST_TARGET)
        most = _most_damage(attack, targets, level, switches)
        if not 0 <= most <= MOST_POINTS:
            wrong = f"expected 0 to {MOST_POINTS} at level {level}, found up to {most}"
            found.append(Problem(f"{place}.{way}.damage", wrong))
        if attack.least > attack.most:
            wrong = f"expected the shortest range and then the longest, found {attack.least} and {attack.most}"
            found.append(Problem(f"{place}.{way}.reach", wrong))
    return found


def _most_damage(attack: EnemyAttack, targets: list[int], level: int, switches: Mapping[str, Any]) -> int:
    """P52-C9, P52-C11: the largest raw damage of an attack over all flips and ranges; `targets` are those by range."""
    step = switches["enemy_level_bonus"]
    bonus = level // step if step else 0
    least = least_target(switches)
    asked = {  # (range, overage), each once, and 0 for what the damage does not depend on
        (distance * ("R" in attack.damage.names), over * ("O" in attack.damage.names))
        for distance, target in enumerate(targets)
        for over in range(max(0, 2 + bonus - max(target, least)), 14 + bonus - max(target, least))
    }
    return max((int(attack.damage({"L": level, "R": distance, "O": over})) for distance, over in asked), default=0)


def _board(
    text: str, entrance: list[int] | None, leave: list[int] | None, key: str, found: list[Problem]
) -> Board | None:
    """The board, or its problems."""
    if "\n" not in text.strip() and text.strip() not in data.boards() and not set(text) <= set(".#OHTSX "):
        names = data.boards()
        found.append(
            Problem(
                key,
                f"unknown board '{text.strip()}'{did_you_mean(text.strip(), names)} "
                f"(known: {', '.join(names)}, or a text map)",
            )
        )
        return None
    try:
        return read_board(text, entrance, leave, key)[0]
    except ScenarioError as error:
        found += error.problems
        return None


def _hero_problems(hero: Hero, place: str, data_set: str) -> list[Problem]:
    """Names that belong to the other data set, and gear that does not go together."""
    found = []
    wanted: dict[str, list[str]] = {
        "races": [hero.race] if hero.race else [],
        "abilities": list(hero.abilities or ()),
        "gear": list(hero.gear or ()),
        "consumables": list(hero.consumables or ()),
    }
    for what, names in wanted.items():
        known = data.of_set(data_set, what)
        key = "race" if what == "races" else what
        for name in names:
            if name not in known:
                found.append(
                    Problem(f"{place}.{key}", f"'{name}' is not in the set '{data_set}'{did_you_mean(name, known)}")
                )
    items = data.of_set(data_set, "gear")
    slots: dict[str, str] = {}
    pieces = 0
    for item in (name for name in hero.gear or () if name in items):
        slot = items[item]["slot"]
        pieces += slot == "pieces"
        if slot != "pieces" and slot in slots:
            found.append(Problem(f"{place}.gear", f"'{item}' and '{slots[slot]}' both go on {slot}; leave one out"))
        slots[slot] = item
    if pieces > 4:
        found.append(Problem(f"{place}.gear", f"four pieces of armour at most, found {pieces}"))
    hands = items[slots["main"]].get("hands", 1) if "main" in slots else 1
    for slot, least in (("shield", 1.5), ("side", 2)):
        if slot in slots and hands >= least:
            found.append(Problem(f"{place}.gear", f"'{slots['main']}' leaves no hand for '{slots[slot]}'"))
    return found


def _health_problems(hero: Hero, place: str, scenario: P52Scenario, switches: Mapping[str, Any]) -> list[Problem]:
    """P52-C23: nobody begins with more hit points than the maximum."""
    most = build_hero(hero, scenario, switches).max_hp
    if hero.hp is None or hero.hp <= most:
        return []
    return [Problem(f"{place}.hp", f"expected 0 to {most}, which is its max_hp, found {hero.hp}")]


def _part_problems(
    part: EncounterPart, place: str, board: Board | None, own: Mapping[str, Row], data_set: str
) -> list[Problem]:
    """What is wrong with the enemies of one encounter."""
    found: list[Problem] = []
    for number, enemy in enumerate(part.enemies):
        found += _enemy_problems(enemy, f"{place}enemies[{number}]", board, own, data_set)
    for number, card in enumerate((part.enemy_deck.cards if part.enemy_deck else None) or ()):
        found += _card_problems(card, f"{place}enemy_deck.cards[{number}]", own, data_set)
    dealt = part.enemy_deck.spots if part.enemy_deck else []
    for number, spot in enumerate(dealt):
        if board is not None:
            found += problem_at(board, spot, f"{place}enemy_deck.spots[{number}]")
    if len(part.enemies) + len(dealt) > data.MOST_ENEMIES:
        there = f"found {len(part.enemies)} listed and {len(dealt)} drawn ones"
        found.append(Problem(f"{place}enemies", f"expected at most {data.MOST_ENEMIES} in one encounter, {there}"))
    return found


def _card_problems(card: str, key: str, own: Mapping[str, Row], data_set: str) -> list[Problem]:
    """P52-S2: the enemy deck holds cards, and types of one's own whose traits do not concern the start."""
    if card not in own and card not in (*data.FACE_CARDS, *data.OF_THE_DRAFT):
        return [Problem(key, f"'{card}' is a boss; the enemy deck holds cards and monsters of your own")]
    if unsound(card, own, data_set):
        return []
    found = [trait for trait in row_of(card, own, data_set).get("traits", ()) if trait in NOT_DRAWN]
    return [Problem(key, f"'{card}' has the trait '{trait}', with which nobody can be drawn") for trait in found]


def _elsewhere(card: str, own: Mapping[str, Row], data_set: str) -> bool:
    """Whether a card is one that the data set does not have."""
    return data_set == "calico" and card not in own and (card == "warlock" or card in data.MINOR_BOSSES)


def _enemy_problems(
    enemy: Enemy, key: str, board: Board | None, own: Mapping[str, Row], data_set: str
) -> list[Problem]:
    """An enemy that the data set does not have, attacks it does not have, and a spot that is none."""
    if _elsewhere(enemy.card, own, data_set):
        return [Problem(f"{key}.card", f"'{enemy.card}' belongs to the data set 'mountain'")]
    found = [] if board is None else problem_at(board, enemy.spot, f"{key}.spot")
    if unsound(enemy.card, own, data_set):
        return found
    row = row_of(enemy.card, own, data_set)
    for way in ("melee", "ranged"):
        if getattr(enemy, way) is not None and way not in row:
            found.append(Problem(f"{key}.{way}", f"'{enemy.card}' has no {way} attack"))
    return found

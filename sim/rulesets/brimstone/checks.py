"""What is wrong with a scenario beyond its shape: names, places, numbers that do not go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.lanes import which
from sim.errors import Problem, ScenarioError, did_you_mean
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.build import build_heroes, default_square
from sim.rulesets.brimstone.ground import Ground, ground_of
from sim.rulesets.brimstone.plan import plans_of
from sim.rulesets.brimstone.schema import BrimstoneScenario, Enemies, Hero, most

MOST_HEROES = 6
MOST_TOKENS = 5


def problems(scenario: BrimstoneScenario, switches: Mapping[str, Any]) -> list[Problem]:
    """Everything that is wrong, at once."""
    found: list[Problem] = []
    if not scenario.enemies and not scenario.threats:
        found.append(Problem("enemies", "nobody to fight: add [[enemies]] or threat cards"))
    for number, hero in enumerate(scenario.heroes):
        found += hero_problems(hero, f"heroes[{number}]")
    full = sum(not hero.ally for hero in scenario.heroes)
    if full > MOST_HEROES:
        found.append(Problem("heroes", f"expected at most {MOST_HEROES} heroes who are no allies, found {full}"))
    found += enemy_problems(scenario)
    for number, name in enumerate(scenario.threats):
        found += threat_problems(name, "threat" if isinstance(scenario.threat, str) else f"threat[{number}]")
    try:
        plans_of(scenario)
    except ScenarioError as error:
        found += error.problems
    try:
        ground = ground_of(scenario.board, scenario.width, scenario.height, switches["corner_rule"])
    except ScenarioError as error:
        return [*found, *error.problems]
    if ground is not None:
        found += board_problems(scenario, ground)
    for number, line in enumerate(scenario.enemies):
        if line.squares and (ground is None or scenario.ambush):
            why = "there is no board" if ground is None else "enemies in ambush choose theirs by the rules"
            found.append(Problem(f"enemies[{number}].squares", f"leave the squares out: {why}"))
    return found or down_from_the_start(scenario, switches, ground)


def down_from_the_start(
    scenario: BrimstoneScenario, switches: Mapping[str, Any], ground: Ground | None
) -> list[Problem]:
    """BF-A8: heroes whom the given wounds, markers or sanity damage would have knocked out before the fight."""
    found = []
    for number, hero in enumerate(build_heroes(scenario, switches, ground)):
        health, sanity = hero.figures["health"], hero.figures["sanity"]
        if health - hero.wounds - 3 * hero.status.get("bleeding", 0) <= 0:
            key = "wounds" if hero.wounds else "status.bleeding"
            found.append(Problem(f"heroes[{number}].{key}", f"leaves nothing of Health {health}"))
        if sanity <= hero.sdmg:
            found.append(Problem(f"heroes[{number}].sdmg", f"leaves nothing of Sanity {sanity}, found {hero.sdmg}"))
    return found


def hero_problems(hero: Hero, place: str) -> list[Problem]:
    """What is wrong with one hero."""
    found = []
    if hero.upgrade is not None and data.upgrades()[hero.upgrade] != hero.hero_class:
        owner = data.upgrades()[hero.upgrade]
        found.append(Problem(f"{place}.upgrade", f"'{hero.upgrade}' is for the class '{owner}' alone"))
    if hero.bag is not None and sum(hero.bag.values()) > MOST_TOKENS:
        total = sum(hero.bag.values())
        found.append(Problem(f"{place}.bag", f"expected at most {MOST_TOKENS} tokens, found {total}"))
    for marker in data.SINGLE_MARKERS:
        if hero.status.get(marker, 0) > 1:
            found.append(Problem(f"{place}.status.{marker}", f"expected at most 1, found {hero.status[marker]}"))
    for key in ("armor", "spirit_armor", "cover"):
        if getattr(hero, key) == 1:
            found.append(Problem(f"{place}.{key}", "expected 0 for none, or 2 to 6, found 1"))
    if hero.move is not None and not hero.ally:
        found.append(Problem(f"{place}.move", "only allies have a fixed Move; add ally = true"))
    return found


def enemy_problems(scenario: BrimstoneScenario) -> list[Problem]:
    """Unknown types and abilities; too many kinds."""
    found: list[Problem] = []
    known = dict.fromkeys(data.types())
    armed = {name: "weapon" in entry["figures"] for name, entry in data.types().items()}
    made = 0

    def check(line: Enemies, place: str) -> None:
        nonlocal made
        if line.type not in known:
            remedy = did_you_mean(line.type, known) or f" (known: {', '.join(known)})"
            found.append(Problem(f"{place}.type", f"unknown enemy '{line.type}'{remedy}"))
        found.extend(weapon_problems(line, armed.get(line.type, True), f"{place}.weapon"))
        for name, value in (line.abilities or {}).items():
            found.extend(ability_problems(name, value, f"{place}.abilities.{name}"))
        if line.squares and not (isinstance(line.count, int) and line.count >= len(line.squares)):
            expected = f"at most as many squares as models, and a plain number of these; found {len(line.squares)}"
            found.append(Problem(f"{place}.squares", f"{expected} for a count of {line.count}"))
        made += bool(line.changes)
        known.setdefault(line.name or line.type)
        armed.setdefault(line.name or line.type, line.weapon is not None or armed.get(line.type, True))

    for number, line in enumerate(scenario.enemies):
        check(line, f"enemies[{number}]")
    for number, event in enumerate(scenario.events):
        for row, line in enumerate(event.enemies):
            check(line, f"events[{number}].enemies[{row}]")
            if line.squares:
                place = f"events[{number}].enemies[{row}].squares"
                found.append(Problem(place, "only enemies of the start have squares of their own"))
        if event.moment and event.after_activation:
            found.append(Problem(f"events[{number}].moment", "either a moment or after_activation; leave one out"))
    together = [("enemies", scenario.enemies)]
    together += [(f"events[{number}].enemies", event.enemies) for number, event in enumerate(scenario.events)]
    for place, lines in together:
        found.extend(crowd_problems(lines, place))
    if len(data.types()) + made > data.MOST_KINDS:
        found.append(Problem("enemies", f"at most {data.MOST_KINDS - len(data.types())} lines may change their type"))
    return found


def crowd_problems(lines: list[Enemies], place: str) -> list[Problem]:
    """BF-G9: more models than may live at once would be left out, so they cannot be asked for."""
    rule = f"at most {data.MOST_MODELS} models live at once"
    numbers = [most(line.count) for line in lines]
    alone = []
    for row, (line, number) in enumerate(zip(lines, numbers, strict=True)):
        if number > data.MOST_MODELS:
            found = f"found {line.count}" if line.count == number else f"found {line.count}, up to {number}"
            alone.append(Problem(f"{place}[{row}].count", f"{rule}, {found}"))
    if alone or sum(numbers) <= data.MOST_MODELS:
        return alone
    return [Problem(place, f"{rule}, found up to {sum(numbers)} that come together")]


def weapon_problems(line: Enemies, armed: bool, place: str) -> list[Problem]:
    """A weapon for a type that has none needs range and shots; told of what is there, which may have been set."""
    if line.weapon is None or armed:
        return []
    said = list(line.weapon.model_dump(exclude_none=True))
    lacking = " and ".join(key for key in ("range", "shots") if key not in said)
    key = ".".join([place, *said[:1]])
    return [Problem(key, f"needs {lacking} too: '{line.type}' has no weapon of its own")] if lacking else []


def _whole(value: Any, most: int) -> bool:
    """Whether it is a whole number from 0 to the most."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def ability_problems(name: str, value: Any, place: str) -> list[Problem]:
    """What is wrong with one ability."""
    if name in data.NUMBER_ABILITIES:
        good, expected = _whole(value, 40), "a whole number from 0 to 40"
    elif name in data.PLAIN_ABILITIES:
        good, expected = isinstance(value, bool), "true or false"
    elif name == "flail":
        good = isinstance(value, list) and len(value) == 2 and _whole(value[0], 20) and _whole(value[1], 40)
        expected = "[dice, range], at most [20, 40]"
    elif name == "spawn":
        good = isinstance(value, list) and len(value) == 2 and _whole(value[0], 40) and value[1] in data.types()
        expected = "[number up to 40, type]"
    elif name in ("on_wound", "on_melee_wound"):
        good = isinstance(value, list) and all(marker in data.MARKERS for marker in value)
        expected = f"a list of markers ({', '.join(data.MARKERS)})"
    else:
        known = (*data.NUMBER_ABILITIES, *data.PLAIN_ABILITIES, "flail", "spawn", "on_wound", "on_melee_wound")
        return [Problem(place, f"unknown ability{did_you_mean(name, known)}")]
    return [] if good else [Problem(place, f"expected {expected}, found {value!r}")]


def threat_problems(text: str, place: str) -> list[Problem]:
    """What is wrong with the name of a card."""
    lists = data.threats()
    name, _, number = text.partition(":")
    if not number:
        known = ("auto", *lists)
        return [] if name in known else [Problem(place, f"unknown threat list '{name}'{did_you_mean(name, known)}")]
    if name in lists and number.isdecimal() and 1 <= int(number) <= len(lists[name]):
        return []
    return [Problem(place, f"expected a card such as 'med:3' (the third of its list), found '{text}'")]


def board_problems(scenario: BrimstoneScenario, ground: Ground) -> list[Problem]:
    """BF-S8, BF-S13: heroes on floor, one to a square; the listed enemies fit on their tile."""
    found = []
    taken: dict[tuple[int, ...], int] = {}
    for number, hero in enumerate(scenario.heroes):
        square = hero.square or default_square(ground, number, len(scenario.heroes))
        problem = ground.board.problem_with(square)
        if problem:
            found.append(Problem(f"heroes[{number}].square", problem))
        elif tuple(square) in taken:
            other = taken[tuple(square)]
            found.append(Problem(f"heroes[{number}].square", f"heroes[{other}] stands on {square} too"))
        taken[tuple(square)] = number
    given = given_squares(scenario, ground, taken, found)
    tiles = {int(tile) for tile in ground.tile}
    places = [("enemy_tile", scenario.enemy_tile)] if scenario.enemies or scenario.threats else []
    places += [(f"events[{n}].tile", event.tile) for n, event in enumerate(scenario.events) if event.tile]
    for key, tile in places:
        if tile not in tiles:
            known = ", ".join(str(tile) for tile in sorted(tiles))
            found.append(Problem(key, f"the board has no tile {tile} (tiles: {known})"))
    if not scenario.ambush:
        squares = [ground.board.coords[cell] for cell in which(ground.tile == scenario.enemy_tile)]
        free = sum(square not in taken and square not in given for square in squares)
        number = sum(most(line.count) for line in scenario.enemies) - len(given)
        if free < number <= data.MOST_MODELS:
            room = f"tile {scenario.enemy_tile}, which has {free} free squares"
            found.append(Problem("enemies", f"up to {number} models start on {room}"))
    return found


def given_squares(
    scenario: BrimstoneScenario, ground: Ground, heroes: dict[tuple[int, ...], int], found: list[Problem]
) -> set[tuple[int, ...]]:
    """The squares given to enemies of the start, which are floor and nobody else's; what is wrong goes to `found`."""
    given: set[tuple[int, ...]] = set()
    for number, line in enumerate(scenario.enemies):
        for place, square in enumerate(line.squares or ()):
            key = f"enemies[{number}].squares[{place}]"
            problem = ground.board.problem_with(square)
            if tuple(square) in heroes:
                problem = f"heroes[{heroes[tuple(square)]}] stands on {square} too"
            elif tuple(square) in given:
                problem = f"{square} is given twice"
            if problem:
                found.append(Problem(key, problem))
            given.add(tuple(square))
    return given

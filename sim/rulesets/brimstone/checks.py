"""What is wrong with a scenario beyond its shape: names, places, numbers that do not go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.lanes import which
from sim.core.schema import unknown_name
from sim.errors import Problem, ScenarioError, did_you_mean
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.abilities import ability_problems
from sim.rulesets.brimstone.bestiary import Kind, kind_of_type
from sim.rulesets.brimstone.build import build_heroes, default_square
from sim.rulesets.brimstone.dice_texts import most
from sim.rulesets.brimstone.enemy_lines import read_lines
from sim.rulesets.brimstone.ground import Ground, ground_of
from sim.rulesets.brimstone.hero_classes import class_in_full
from sim.rulesets.brimstone.monsters import Monster
from sim.rulesets.brimstone.plan import plans_of
from sim.rulesets.brimstone.schema import BrimstoneScenario, Enemies, Hero

MOST_HEROES = 6
MOST_TOKENS = 5
SHOOTING = ("ranged", "melee_or_ranged", "shootout")  # behaviours that need a weapon


def problems(scenario: BrimstoneScenario, switches: Mapping[str, Any]) -> list[Problem]:
    """Everything that is wrong, at once."""
    found: list[Problem] = []
    if not scenario.enemies and not scenario.threats:
        found.append(Problem("enemies", "nobody to fight: add [[enemies]] or threat cards"))
    classes = (*data.classes(), *scenario.classes)
    for number, hero in enumerate(scenario.heroes):
        if hero.hero_class in classes:  # the others are told by the caller
            found += hero_problems(hero, class_in_full(hero.hero_class, scenario.classes), f"heroes[{number}]")
    for name, own in scenario.classes.items():
        found += bag_problems(own.bag, f"classes.{name}.bag")
    full = sum(not hero.ally for hero in scenario.heroes)
    if full > MOST_HEROES:
        found.append(Problem("heroes", f"expected at most {MOST_HEROES} heroes who are no allies, found {full}"))
    who_comes = enemy_problems(scenario)
    for number, name in enumerate(scenario.threats):
        who_comes += threat_problems(name, "threat" if isinstance(scenario.threat, str) else f"threat[{number}]")
    found += who_comes or kind_problems(scenario)
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
    if found or any(hero.hero_class not in classes for hero in scenario.heroes):
        return found
    return down_from_the_start(scenario, switches, ground)


def down_from_the_start(
    scenario: BrimstoneScenario, switches: Mapping[str, Any], ground: Ground | None
) -> list[Problem]:
    """BF-A8: heroes whom the given wounds, markers or sanity damage would have knocked out, or with too much Grit."""
    found = []
    for number, hero in enumerate(build_heroes(scenario, switches, ground)):
        health, sanity = hero.figures["health"], hero.figures["sanity"]
        if health - hero.wounds - 3 * hero.status.get("bleeding", 0) <= 0:
            key = "wounds" if hero.wounds else "status.bleeding"
            found.append(Problem(f"heroes[{number}].{key}", f"leaves nothing of Health {health}"))
        most = hero.figures["max_grit"]
        if hero.grit is not None and hero.grit > most:
            wrong = f"expected at most max_grit, which is {most}, found {hero.grit}"
            found.append(Problem(f"heroes[{number}].grit", wrong))
        if sanity <= hero.sdmg:
            found.append(Problem(f"heroes[{number}].sdmg", f"leaves nothing of Sanity {sanity}, found {hero.sdmg}"))
    return found


def bag_problems(bag: Mapping[str, int] | None, place: str) -> list[Problem]:
    """A side bag holds so many tokens and no more."""
    total = sum((bag or {}).values())
    return [Problem(place, f"expected at most {MOST_TOKENS} tokens, found {total}")] if total > MOST_TOKENS else []


def hero_problems(hero: Hero, kit: Mapping[str, Any], place: str) -> list[Problem]:
    """What is wrong with one hero of a class."""
    found = []
    if hero.upgrade is not None and hero.upgrade not in kit["upgrades"]:
        owners = [name for name, entry in data.classes().items() if hero.upgrade in entry.get("upgrades", ())]
        wrong = f"'{hero.upgrade}' is for the class '{owners[0]}' alone, and for classes of your own that name it"
        found.append(Problem(f"{place}.upgrade", wrong))
    found += bag_problems(hero.bag, f"{place}.bag")
    if hero.ally and hero.max_grit:
        found.append(Problem(f"{place}.max_grit", f"an ally has no Grit; leave it out, found {hero.max_grit}"))
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
    types = {name: kind_of_type(name, scenario.monsters) for name in (*data.types(), *scenario.monsters)}
    known = dict.fromkeys(types)
    armed = {name: kind.figures["range"] > 0 for name, kind in types.items()}
    charts = {name: kind.charts for name, kind in types.items()}

    def check(line: Enemies, place: str) -> None:
        if line.type not in known:
            found.append(Problem(f"{place}.type", unknown_name(line.type, known, "enemy")))
        found.extend(weapon_problems(line, armed.get(line.type, True), f"{place}.weapon"))
        found.extend(ability_problems(line.abilities, types, f"{place}.abilities"))
        found.extend(elite_problems(line, charts.get(line.type), f"{place}.elites"))
        if line.squares and not (isinstance(line.count, int) and line.count >= len(line.squares)):
            expected = f"at most as many squares as models, and a plain number of these; found {len(line.squares)}"
            found.append(Problem(f"{place}.squares", f"{expected} for a count of {line.count}"))
        known.setdefault(line.name or line.type)
        armed.setdefault(line.name or line.type, line.weapon is not None or armed.get(line.type, True))
        charts.setdefault(line.name or line.type, charts.get(line.type, ((), ())))

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
    for name, monster in scenario.monsters.items():
        found += monster_problems(monster, types, f"monsters.{name}", types[name])
    return found


def kind_problems(scenario: BrimstoneScenario) -> list[Problem]:
    """More kinds than there is room for; asked only where every line and every card is in order."""
    if len(read_lines(scenario).kinds) <= data.MOST_KINDS:
        return []
    room = data.MOST_KINDS - len(data.types())
    return [Problem("enemies", f"at most {room} own types may be met and lines change their type, together")]


def monster_problems(monster: Monster, types: Mapping[str, Kind], place: str, kind: Kind) -> list[Problem]:
    """What is wrong with one of the designer's own types: figures that need others."""
    found = ability_problems(monster.abilities, types, f"{place}.abilities")
    if monster.weapon is not None and not (kind.figures["range"] and kind.figures["shots"]):
        said = list(monster.weapon.model_dump(exclude_none=True))
        lacking = " and ".join(key for key in ("range", "shots") if key not in said)
        if lacking:
            found.append(Problem(".".join([place, "weapon", *said[:1]]), f"a weapon needs {lacking} too"))
    figures, shoots = kind.figures, kind.figures["behaviour"] in SHOOTING
    if not found and shoots and not (figures["range"] and figures["th_ranged"]):
        key = "weapon" if not figures["range"] else "th_ranged"
        needed = "a weapon" if key == "weapon" else "a number to hit at range, th_ranged"
        wrong = f"'{figures['behaviour']}' needs {needed}"
        found.append(Problem(f"{place}.{'behaviour' if monster.behaviour else 'like'}", wrong))
    strikes = figures["combat"] or kind.abilities.get("flail") or kind.abilities.get("pack")
    if strikes and not figures["th_melee"]:
        found.append(Problem(place, "has dice in melee, so it needs a number to hit with them: th_melee"))
    if monster.brutal_chart and monster.elite_chart is None and monster.like is None:
        found.append(Problem(f"{place}.brutal_chart", "needs an elite_chart for the normal side too"))
    return found


def elite_problems(line: Enemies, charts: tuple[Any, Any] | None, place: str) -> list[Problem]:
    """Elite results that no chart of the type has."""
    if charts is None:
        return []
    most = min(len(chart) for chart in charts)
    wrong = [number for number in line.elites or () if number > most]
    has = f"an Elite chart of {most}" if most else "no Elite chart"
    return [Problem(place, f"there is no result {wrong[0]}: '{line.type}' has {has}")] if wrong else []


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

"""Random Brimstone scenarios: what a designer might write, and much that none would.

`random_scenario(seed)` returns a scenario as `tomllib` would read it. The same seed gives the same scenario. It is
always valid: heroes stand on floor, the listed enemies fit on their tile.
"""

from __future__ import annotations

import random
from typing import Any

from tests.oracle.brimstone import (
    CHARTS,
    CLASSES,
    GUNS,
    MARKERS,
    POLICIES,
    PRESETS,
    SWITCHES,
    THREATS,
    TOKENS,
    TYPES,
    UPGRADES,
    read_count,
)

COUNTS = (1, 1, 2, 2, 3, 4, 5, 6, "P", "D3", "P+1", "D6", "2D3+1")
BAG = (*TOKENS, "dynamite", "bandages", "hatchet", "shiv")
PROVISIONS = (*("fine_cigar", "flash", "spice", "herbs", "herbs", "bandages", "whiskey", "whiskey", "tonic"), "shiv")
STATUS = (*MARKERS[1:], "poison")  # Bleeding may knock a hero out before the fight
CARDS = [f"{name}:{i + 1}" for name, cards in THREATS.items() for i in range(len(cards))]
CARD_TYPES = sorted(
    {what for cards in THREATS.values() for card in cards for _, what in card if not what.endswith(" cards")}
)
KEYWORD_VALUES: dict[str, tuple[Any, ...]] = {
    "fear": (1, 2),
    "terror": (1, 2),
    "uterror": (1, 2),
    "smash": (True,),
    "six": (2, 3),
    "hail": (2, 3),
    "burst": (True,),
    "nightmare": (1, 2),
    "flight": (True,),
    "swarm": (True,),
    "pack": (True,),
    "flail": ([2, 2], [3, 3]),
    "tough": (True,),
    "crit_floor": (1, 2),
    "endurance": (1, 2, 3),
    "armor": (4, 5),
    "cover": (5, 6),
    "zealot": (True,),
    "dodge": (True,),
    "tail": (4, 5, 6),
    "cursed": (True,),
    "hordes": (True,),
    "spawn": ([4, "hungry_dead"], [5, "void_spiders"], [3, "auto_turrets"]),
    "explode": (3, 6),
    "regen": (1, 2),
    "always_ambush": (True,),
    "on_wound": (["stunned"], ["burning"], ["ensnared"], ["death_mark"], ["webbed", "poison"], ["bleeding"]),
    "on_melee_wound": (["poison"], ["bleeding"], ["venom"]),
    "gun_ward": (2,),
    "taint": (True,),
    "drag": (True,),
    "daunt": (True,),
    "spawn_rolls": (2,),
    "six_pierces": (True,),
    "free_shot": (True,),
    "again_on_one": (True,),
    "horror_bonus": (1, 2),
    "double_first": (True,),
    "tail_each": (True,),
    "tail_d3": (True,),
    "cut": (True,),
    "six_shot_bonus": (1, 3),
    "opening": (True,),
}


def random_scenario(seed: int) -> dict[str, Any]:
    """A valid scenario made from a seed."""
    lot = random.Random(seed)
    if lot.random() < 0.04:
        return rescue(lot, seed)
    scenario: dict[str, Any] = {
        "ruleset": "brimstone",
        "title": f"random {seed}",
        "policy": lot.choice(POLICIES),
        "level": lot.choice((1, 1, 2, 3, 4, 5, 6, 7, 8)),
        "preset": lot.choice(tuple(PRESETS)),
        "switches": random_switches(lot),
    }
    heroes = lot.choice((1, 2, 3, 3, 4, 4, 5, 6))
    rows = random_board(lot, heroes, scenario)
    scenario["heroes"] = [random_hero(lot) for _ in range(heroes)]
    if heroes > 1 and lot.random() < 0.2:
        for hero in scenario["heroes"][1 : lot.randint(2, heroes)]:
            hero |= {"ally": True, "move": lot.randint(2, 6)}
            hero.pop("grit", None)  # allies have none
    provided = lot.random() < 0.35
    if provided:
        provide(lot, scenario)
    free = by_tile(rows)
    if rows:
        place_heroes(lot, scenario, free)
    random_enemies(lot, scenario, free)
    if provided and lot.random() < 0.2:
        for line in scenario["enemies"]:
            line["abilities"] = line.get("abilities", {}) | {"cover": lot.randint(4, 6)}  # hits that Spice outlasts
    if lot.random() < (0.6 if provided else 0.3):  # late arrivals meet a Flash
        scenario["events"] = [random_event(lot, free) for _ in range(lot.randint(1, 3))]
    if lot.random() < 0.1:
        scenario["flee_turn"] = lot.randint(2, 6)
    if scenario["switches"].get("darkness_track") == "on":
        scenario["stage"] = lot.choice((7, 8, 9))
        scenario["darkness"] = lot.choice((0, 8, 14, 15))
    if lot.random() < 0.35:
        crowd(lot, scenario)
    for hero in scenario["heroes"]:
        if hero.get("ally"):
            hero.pop("max_grit", None)  # allies have none
    return scenario


def rescue(lot: random.Random, seed: int) -> dict[str, Any]:
    """Snipers on a far tile shoot at heroes who can hardly move and have no guns: the place for Help (BF-H27)."""
    width, depth = lot.randint(3, 6), lot.randint(3, 6)
    rows = ["2" * width] * 2 + ["1" * width] * depth
    hero = {"guns": [], "health": 3, "status": {"webbed": lot.randint(2, 9)}}
    return {
        "ruleset": "brimstone",
        "title": f"rescue {seed}",
        "board": "\n".join(rows),
        "enemy_tile": 2,
        "switches": {"revive_tokens": 0, "round_cap": 12, "hard_core": lot.choice(("on", "off"))},
        "heroes": [
            {"class": lot.choice(tuple(CLASSES)), "policy": lot.choice(POLICIES[1:])} | hero for _ in range(width)
        ],
        "enemies": [{"type": "gulch_snipers", "count": lot.randint(1, 3), "move": 0, "health": 14}],
    }


def provide(lot: random.Random, scenario: dict[str, Any]) -> None:
    """Make providers of most heroes: with what start lines use in the bags, Grit in hand, and wounded neighbours."""
    scenario["policy"] = "provider"
    for hero in scenario["heroes"]:
        if lot.random() < 0.7:
            hero.pop("policy", None)
        if lot.random() < 0.8:
            hero["bag"] = random_bag(lot, PROVISIONS)
        if lot.random() < 0.5:
            most = lot.randint(2, 4)
            hero |= {"max_grit": most, "grit": min(lot.choice((0, 0, 1, 2, 3, 4)), 0 if hero.get("ally") else most)}
        init, _, _, _, health, _, sanity, *_ = CLASSES[hero["class"]][0]
        for key, most in (("wounds", hero.get("health", health)), ("sdmg", hero.get("sanity", sanity))):
            if lot.random() < 0.5:
                hero[key] = lot.randint(most // 2, most - 1)
        if lot.random() < 0.3:
            hero["init"] = init + lot.randint(1, 4)  # early enough to help before the first blow falls


def random_switches(lot: random.Random) -> dict[str, Any]:
    """A few switches turned, and a round cap that keeps hopeless fights short."""
    names = lot.sample(sorted(SWITCHES), lot.choice((0, 1, 2, 3, 5, 9)))
    switches = {name: lot.choice(SWITCHES[name][1]) for name in names}
    switches["round_cap"] = lot.choice((5, 8, 12, 20))
    return switches


def random_board(lot: random.Random, heroes: int, scenario: dict[str, Any]) -> list[str]:
    """Put a board into the scenario; returns its rows, back row first, or nothing in no-board mode."""
    style = lot.choice(("none", "open", "open", "walls", "walls", "walls", "tiles"))
    if style == "none":
        scenario["board"] = "none"
        return []
    width, height = lot.randint(max(3, heroes), 14), lot.randint(3, 14)
    if width * height < 4 * heroes:
        height = 14
    if style == "open":
        scenario["width"], scenario["height"] = width, height
        return ["." * width] * height
    share = lot.choice((0.05, 0.12, 0.2, 0.3))
    rows = [["#" if lot.random() < share else "." for _ in range(width)] for _ in range(height)]
    for y in (height - 1, height - 2):  # room for the posse in front
        rows[y] = ["."] * width
    if style == "tiles":
        cuts = sorted(lot.sample(range(1, height), min(2, height - 1)))
        for y, row in enumerate(rows):
            tile = str(1 + sum(y < cut for cut in cuts))
            rows[y] = [tile if sign == "." else sign for sign in row]
    scenario["board"] = "\n".join(" ".join(row) for row in rows) + "\n"
    return ["".join(row) for row in rows]


def by_tile(rows: list[str]) -> dict[int, list[list[int]]]:
    """The floor squares [x, y] of every tile."""
    squares: dict[int, list[list[int]]] = {}
    for y, row in enumerate(reversed(rows), start=1):
        for x, sign in enumerate(row, start=1):
            if sign != "#":
                squares.setdefault(1 if sign == "." else int(sign), []).append([x, y])
    return squares


def place_heroes(lot: random.Random, scenario: dict[str, Any], free: dict[int, list[list[int]]]) -> None:
    """Default squares, or squares anywhere; they are taken out of `free`."""
    heroes = scenario["heroes"]
    everywhere = [square for squares in free.values() for square in squares]
    width = max(x for x, _ in everywhere)
    chosen = [[(width - len(heroes)) // 2 + 1 + i, 1] for i in range(len(heroes))]
    if lot.random() < 0.5 or any(square not in everywhere for square in chosen):
        chosen = lot.sample(everywhere, len(heroes))
        for hero, square in zip(heroes, chosen, strict=True):
            hero["square"] = square
    for tile in free:
        free[tile] = [square for square in free[tile] if square not in chosen]


def random_hero(lot: random.Random) -> dict[str, Any]:
    cls = lot.choice(tuple(CLASSES))
    hero: dict[str, Any] = {"class": cls}
    if lot.random() < 0.4:
        hero["policy"] = lot.choice(POLICIES)
    if lot.random() < 0.3:
        hero["level"] = lot.randint(1, 8)
    upgrades = [upgrade for upgrade, owner in UPGRADES.items() if owner == cls]
    if upgrades and lot.random() < 0.6:
        hero["upgrade"] = lot.choice(upgrades)
    if lot.random() < 0.5:
        hero["bag"] = random_bag(lot)
    if lot.random() < 0.3:
        hero["guns"] = lot.sample(tuple(GUNS), lot.randint(0, 3))
        hero["two_guns"] = lot.random() < 0.5
    if lot.random() < 0.2:
        hero["free_items"] = ["hold_out_pistol"] * lot.randint(0, 2)
    if lot.random() < 0.1:
        hero["melee_items"] = ["katana"]
    if lot.random() < 0.15:
        hero["status"] = {marker: lot.randint(1, 2) for marker in lot.sample(STATUS, 2)}
        for marker in ("ensnared", "death_mark"):
            hero["status"] = hero["status"] | ({marker: 1} if marker in hero["status"] else {})
    for key, values in (
        ("armor", (4, 5, 6)),
        ("spirit_armor", (4, 5)),
        ("cover", (4, 5)),
        ("defense", (2, 3, 6)),
        ("combat", (0, 3, 5, 8)),
        ("init", (1, 4, 6, 9)),
        ("health", (4, 20, 30)),
        ("sanity", (3, 20)),
        ("max_grit", (0, 1, 4)),
        ("grit", (0, 2, 4)),
        ("move_bonus", (1, 3)),
        ("dmg_bonus", (1, 2)),
        ("shot_bonus", (1, 3)),
        ("wounds", (1, 2, 3)),
        ("sdmg", (1, 2)),
        ("strength", (1, 6)),
        ("agility", (1, 5)),
    ):
        if lot.random() < 0.05:
            hero[key] = lot.choice(values)
    if "grit" in hero:
        hero["grit"] = min(hero["grit"], hero.get("max_grit", 2))
    return hero


def random_bag(lot: random.Random, tokens: tuple[str, ...] = BAG) -> dict[str, int]:
    bag: dict[str, int] = {}
    for _ in range(lot.randint(0, 5)):
        token = lot.choice(tokens)
        bag[token] = bag.get(token, 0) + 1
    return bag


def random_line(lot: random.Random) -> dict[str, Any]:
    kind = lot.choice(TYPES)
    line: dict[str, Any] = {"type": kind.name, "count": lot.choice(COUNTS)}
    if lot.random() < 0.2:
        usable = [n for n in range(1, 7) if CHARTS[kind.name][n - 1] is not None]
        line["elites"] = sorted(lot.sample(usable, lot.randint(1, 3)))
    if lot.random() < 0.1:
        line["brutal"] = lot.random() < 0.5
    for key, values in (
        ("health", (1, 5, 14)),
        ("defense", (0, 3, 5)),
        ("init", (1, 3, 6)),
        ("move", (1, 4, 9)),
        ("escape", (2, 6)),
        ("damage", (2, "D6", "D6+1")),
        ("size", ("S", "L")),
        ("xp_each", (5,)),
        ("weapon", ({"range": 5, "shots": 2, "damage": "D6"}, {"range": 3, "shots": 4, "damage": 1})),
    ):
        if lot.random() < 0.06:
            line[key] = lot.choice(values)
    if lot.random() < 0.12:
        keywords = lot.sample(sorted(KEYWORD_VALUES), lot.randint(1, 5))
        line["abilities"] = {keyword: lot.choice(KEYWORD_VALUES[keyword]) for keyword in keywords}
    return line


def random_enemies(lot: random.Random, scenario: dict[str, Any], free: dict[int, list[list[int]]]) -> None:
    """Listed enemies that fit, threat cards, or both."""
    scenario["ambush"] = lot.random() < 0.2
    room = 40
    if free:
        tile = max(free, key=lambda tile: len(free[tile])) if lot.random() < 0.8 else lot.choice(sorted(free))
        if not free[tile]:
            tile = max(free, key=lambda tile: len(free[tile]))
        if tile != 1 or 1 not in free:
            scenario["enemy_tile"] = tile
        room = len(free[tile])
    scenario["enemies"] = []
    for _ in range(lot.choice((1, 1, 2, 3))):
        line = random_line(lot)
        most = read_count(line["count"]).most
        if most > room:
            line["count"] = most = min(room, 1)
        room -= most
        if most:
            scenario["enemies"].append(line)
    if lot.random() < 0.2 or not scenario["enemies"]:
        scenario["threat"] = lot.choice(
            ("auto", ["auto"], ["low"], ["med", "low"], ["high"], ["epic"], lot.sample(CARDS, 2))
        )
        if lot.random() < 0.3 or (len(free) == 0 and lot.random() < 0.3):
            scenario["enemies"] = []
    if free and not scenario["ambush"] and lot.random() < 0.25:
        give_squares(lot, scenario["enemies"], free)


def give_squares(lot: random.Random, lines: list[dict[str, Any]], free: dict[int, list[list[int]]]) -> None:
    """Put some models of the start on squares of their own, on any tile."""
    squares = [list(square) for tile in sorted(free) for square in free[tile]]
    lot.shuffle(squares)
    for line in lines:
        if isinstance(line["count"], int) and lot.random() < 0.7:
            wanted = lot.randint(1, line["count"])
            line["squares"] = [squares.pop() for _ in range(min(wanted, len(squares)))]
            if not line["squares"]:
                del line["squares"]


def crowd(lot: random.Random, scenario: dict[str, Any]) -> None:
    """Let the type of a changed line come, or nearly come, in another way: its number is free only if it cannot."""
    lines = all_lines(scenario)
    changed = [number for number, line in enumerate(lines) if set(line) - {"type", "count", "squares"}]
    if not changed:
        return
    chosen = lot.choice(changed)
    line, others = lines[chosen], lines[chosen + 1 :]  # a name must be made before it is used
    if not others:
        scenario.setdefault("events", []).append({"turn": lot.randint(1, 3), "enemies": [random_line(lot)]})
        others = all_lines(scenario)[-1:]
    other = lot.choice(others)
    way = lot.choice(("line", "name", "card", "list", "spawn", "pile", "empty pile", "goliath"))
    if way == "line":
        retype(other, line["type"])
    elif way == "name":
        line["name"] = "another sort"
        retype(other, line["type"])
        other["type"] = "another sort"
    elif way in ("card", "list"):
        retype(line, lot.choice(CARD_TYPES))
        add_threat(scenario, lot.choice(CARDS if way == "card" else ("auto", *THREATS)))
    elif way == "spawn":
        other["abilities"] = other.get("abilities", {}) | {"spawn": [lot.randint(2, 5), line["type"]]}
    elif way == "goliath":  # only on Epic cards, which one or two heroes do not meet
        retype(line, "goliath")
        add_threat(scenario, "epic")
    else:
        retype(line, "hungry_dead")
        retype(other, "corpse_pile")
        if way == "empty pile":
            other["abilities"] = {"fear": 1}


def all_lines(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of the start and of the events, in the order of their numbers."""
    return scenario["enemies"] + [line for event in scenario.get("events", []) for line in event["enemies"]]


def retype(line: dict[str, Any], kind: str) -> None:
    """Another type for a line, without Elite results that its chart does not have."""
    line["type"] = kind
    if "elites" in line:
        line["elites"] = [n for n in line["elites"] if CHARTS[kind][n - 1] is not None]


def add_threat(scenario: dict[str, Any], call: str) -> None:
    threat = scenario.get("threat", [])
    scenario["threat"] = [threat, call] if isinstance(threat, str) else [*threat, call]


def random_event(lot: random.Random, free: dict[int, list[list[int]]]) -> dict[str, Any]:
    event: dict[str, Any] = {
        "turn": lot.randint(1, 4),
        "ambush": lot.random() < 0.5,
        "enemies": [random_line(lot) for _ in range(lot.randint(1, 2))],
    }
    if lot.random() < 0.6:
        event["after_activation"] = lot.randint(1, 6)
    else:
        event["moment"] = "darkness"
    if len(free) > 1 and lot.random() < 0.5:
        event["tile"] = lot.choice(sorted(free))
    return event

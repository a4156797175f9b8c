"""Random Second Era scenarios: every part of the rules turns up, so that engine and referee can be compared."""

from __future__ import annotations

import random
from typing import Any

from tests.oracle.evenings import with_more
from tests.oracle.second_era import data
from tests.oracle.second_era.board import MAPS, around, disk

Hex = tuple[int, int]
Entry = dict[str, Any]

EXTENDED = ("racial_abilities", "class_abilities")


def random_scenario(seed: int) -> Entry:
    """A valid scenario; the same seed gives the same one."""
    rng = random.Random(seed)
    heroes = rng.choice((1, 2, 2, 3, 3, 4, 4, 5))
    companions = rng.choice((0, 0, 0, 1, 1, 2, 3))
    board, entrance, numbered = random_map(rng, heroes)
    scenario: Entry = {
        "ruleset": "second_era",
        "title": f"Random battle {seed}",
        "policy": rng.choice(data.POLICY_NAMES),
        "level": rng.choice(("part1", "part2", "part3")) if rng.random() < 0.03 else rng.randint(0, 30),
        "map": board,
        "preset": rng.choice(tuple(data.PRESETS)),
        "switches": random_switches(rng),
        "heroes": [random_hero(rng) for _ in range(min(heroes, entrance))],
    }
    if companions:
        scenario["companions"] = [random_companion(rng) for _ in range(companions)]
    add_enemies(rng, scenario, numbered)
    if rng.random() < 0.2:
        move_some(rng, scenario)
    if rng.random() < 0.2:
        scenario["reward"] = rng.randint(0, 5)
    return scenario


def random_bestiary_scenario(seed: int) -> Entry:
    """A random scenario in which made-up types take part: enemies, companions, chips of the pool, classes."""
    rng = random.Random(f"bestiary {seed}")
    scenario = random_scenario(seed)
    scenario["monsters"] = random_monsters(rng)
    scenario["classes"] = random_classes(rng)
    for entry in scenario["enemies"]:
        if rng.random() < 0.7:
            entry["type"] = rng.choice(tuple(scenario["monsters"]))
    for entry in scenario.get("companions", ()):
        if rng.random() < 0.7:
            entry["type"] = rng.choice((*scenario["monsters"], *data.ENEMY_TYPES))
    for entry in scenario["heroes"]:
        if rng.random() < 0.6 and "track" not in entry:  # whose dice nobody knows
            entry["class"] = rng.choice(tuple(scenario["classes"]))
            entry.pop("hp", None)  # its health may be less
    if "pool" in scenario and rng.random() < 0.5:
        scenario["pool"]["chips"] = random_chips(rng, scenario["monsters"])
    if scenario.get("objective") == "eliminate":
        scenario["enemies"][0]["objective"] = True
    return scenario


# ---------------------------------------------------------------------------------------------------------------------
# Evenings
# ---------------------------------------------------------------------------------------------------------------------

CONDITIONS = ("party_hp < 0.4", "standing < 2", "dice_ready < 0.5", "overfatigue > 1", "fatigue > 3", "tenacity > 9")


def random_adventure(seed: int) -> Entry:
    """Two to five battles of one party, with rests, experience and second thoughts in between."""
    rng = random.Random(f"evening {seed}")
    heroes = [random_hero(rng) for _ in range(rng.choice((1, 2, 3, 3, 4)))]
    adventure: Entry = {
        "ruleset": "second_era",
        "title": f"Random evening {seed}",
        "policy": rng.choice(("aggressive", "focus_fire", "focus_fire", "cautious", "hold_entrance", "random")),
        "level": rng.randint(10, 40),
        "heroes": heroes,
        "scenes": [],
    }
    if rng.random() < 0.3:
        adventure["companions"] = [random_companion(rng)]
    if rng.random() < 0.3:
        adventure["classes"] = random_classes(rng)
        for hero in heroes:
            if rng.random() < 0.5 and "track" not in hero:
                hero["class"] = rng.choice(tuple(adventure["classes"]))
                hero.pop("hp", None)
    if rng.random() < 0.4:
        adventure["switches"] = {"racial_abilities": "on", "class_abilities": "on"}
    battles = rng.randint(2, 5)
    while battles:
        scene, is_battle = random_scene(rng, len(heroes), bool(adventure["scenes"]))
        adventure["scenes"].append(scene)
        battles -= is_battle
    return with_more(
        adventure, seed, {"short_rest_hp": (0, 2, 5), "long_rest_percent": (0, 50, 90), "level_xp": (1, 2, 3)}
    )


def random_scene(rng: random.Random, heroes: int, under_way: bool) -> tuple[Entry, bool]:
    """A battle, mostly a small one so that the evening goes on, or something between battles."""
    chance = rng.random()
    if under_way and chance < 0.25:
        return {"rest": rng.choice(("short", "long"))}, False
    if under_way and chance < 0.35:
        return {"level_up": True}, False
    place = random_place(rng, heroes)
    return {"fight": place} | ({"unless": rng.choice(CONDITIONS)} if under_way and rng.random() < 0.25 else {}), True


def random_place(rng: random.Random, heroes: int) -> Entry:
    """Everything of a scenario but the party; with an entrance hex for everybody."""
    while True:
        scenario = random_bestiary_scenario(rng.randint(0, 10**6))
        board = MAPS[scenario["map"]] if isinstance(scenario["map"], str) else scenario["map"]
        if len(board["entrance"]) >= heroes:
            break
    scenario["enemies"] = scenario["enemies"][: rng.choice((1, 1, 1, 2, 3, 6))]
    if scenario.get("objective") == "eliminate":
        scenario["enemies"][0]["objective"] = True
    if not scenario["enemies"]:
        scenario["pool"] = {"points": rng.randint(1, 12)}
    elif rng.random() < 0.7:
        scenario.pop("pool", None)
    left_out = ("ruleset", "title", "policy", "level", "heroes", "companions", "classes")
    return {key: value for key, value in scenario.items() if key not in left_out}


# ---------------------------------------------------------------------------------------------------------------------
# Types of one's own
# ---------------------------------------------------------------------------------------------------------------------


def random_monsters(rng: random.Random) -> Entry:
    """Three from nothing or like others, now and then in the place of one of the rules, one for every bag."""
    monsters: Entry = {f"chip_{level}": random_monster(rng) | {"level": level} for level in data.POOL_LEVELS}
    for number in range(3):
        monsters[f"made_up_{number}"] = random_monster(rng)
    for number in range(3):
        some = rng.sample(sorted(random_monster(rng)), rng.randint(0, 4))
        drawn = random_monster(rng)
        base = rng.choice((*monsters, *data.ENEMY_TYPES))
        monsters[f"like_{number}"] = {"like": base, **{key: drawn[key] for key in some}}
    if rng.random() < 0.5:
        name = rng.choice(tuple(data.ENEMY_TYPES))
        monsters[name] = {"like": name, "health": rng.randint(1, 9), "skills": random_skills(rng, 3)}
    return monsters


def random_monster(rng: random.Random) -> Entry:
    """Everything that can be said of an enemy."""
    return {
        "name": f"Beast {rng.randint(1, 9)}",
        "level": rng.choice((1, 3, 5, 10, 20, "quest")),
        "type": rng.choice(("humanoid", "beast", "daedra")),
        "health": rng.randint(1, 14),
        "range": rng.randint(1, 5),
        "combat": rng.randint(0, 5),
        "defense": rng.randint(0, 3),
        "targets": rng.choice((1, 1, 2, 3, "all")),
        "priority": rng.choice(("strongest", "weakest")),
        "skills": random_skills(rng, 5),
    }


def random_classes(rng: random.Random) -> Entry:
    """Two from nothing, one like another."""
    classes: Entry = {f"calling_{number}": random_class(rng) for number in range(2)}
    drawn = random_class(rng)
    some = rng.sample(sorted(drawn), rng.randint(0, 4))
    classes["calling_like"] = {
        "like": rng.choice((*classes, *data.ARCHETYPES)),
        **{key: drawn[key] for key in some},
    }
    return classes


def random_class(rng: random.Random) -> Entry:
    """Race, dice and purchases of a class; sometimes numbers of its own, abilities, a part to play."""
    dice = rng.sample(tuple(data.DICE), rng.randint(1, 4))
    entry: Entry = {
        "race": rng.choice(tuple(data.RACES)),
        "form": rng.choice(tuple(data.OFFENSIVE)),
        "start": [rng.choice(dice) for _ in range(rng.randint(0, 4))],
        "buys": [rng.choice((*dice, "health", "stamina", "magicka", "cooldown")) for _ in range(rng.randint(0, 10))],
    }
    if rng.random() < 0.5:
        entry["order"] = dice
    for key, low, high in (
        ("health", 1, 9),
        ("stamina", 1, 5),
        ("magicka", 1, 5),
        ("combat", 0, 4),
        ("cooldown", 1, 4),
    ):
        if rng.random() < 0.3:
            entry[key] = rng.randint(low, high)
    if rng.random() < 0.6:
        entry["abilities"] = rng.choice(("Knight", "Archer", "Sorcerer", "Healer", "Nightblade", "none"))
    if rng.random() < 0.6:
        entry["plays_as"] = rng.choice((*data.ARCHETYPES, "none"))
    return entry


def random_chips(rng: random.Random, monsters: Entry) -> list[str]:
    """At least one for every bag."""
    chips = [f"chip_{level}" for level in data.POOL_LEVELS]
    chips += rng.sample(sorted(set(data.ENEMY_TYPES) - {"champion"}), rng.randint(0, 6))
    rng.shuffle(chips)
    return chips


# ---------------------------------------------------------------------------------------------------------------------
# Maps
# ---------------------------------------------------------------------------------------------------------------------


def random_map(rng: random.Random, heroes: int) -> tuple[str | Entry, int, int]:
    """A named or a drawn map, and how many entrance and numbered hexes it has."""
    if rng.random() < 0.5:
        name = rng.choice(("pair", "tile19", "tile19", "clash", "clash", "clash", "dungeon", "dungeon", "dungeon"))
        return name, len(MAPS[name]["entrance"]), len(MAPS[name]["numbered"])
    tiles = random_tiles(rng)
    hexes = sorted({spot for tile in tiles for spot in tile_hexes(tile)})
    rng.shuffle(hexes)
    blocked = hexes[: rng.choice((0, 0, len(hexes) // 12, len(hexes) // 6))]
    walkable = hexes[len(blocked) :]
    if rng.random() < 0.6:  # the party on one side, mostly
        walkable.sort(key=lambda spot: spot[0] + rng.random() * 2)
    entrance = walkable[: min(len(walkable) // 2, heroes + rng.randint(0, 2))]
    numbered = walkable[len(entrance) :][-rng.randint(1, 8) :]
    rng.shuffle(numbered)
    board: Entry = {
        "tiles": tiles,
        "impassable": [list(spot) for spot in blocked],
        "entrance": [list(spot) for spot in entrance],
        "numbered": [list(spot) for spot in numbered],
    }
    if rng.random() < 0.7:
        board["entrance_tile"] = rng.choice(tiles)["name"]
    return board, len(entrance), len(numbered)


def random_tiles(rng: random.Random) -> list[Entry]:
    """One to four disks that fit together without gaps, and sometimes a tile of loose hexes beside them."""
    radius = rng.choice((1, 1, 2, 2, 2))
    across, down = (2 * radius + 1, -radius), (radius, radius + 1)
    cells = [(0, 0)]
    for _ in range(rng.randint(1, 3) if radius == 1 else rng.randint(0, 3)):
        column, row = rng.choice(cells)
        step = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1), (2, 0)))
        cell = (column + step[0], row + step[1])
        if cell not in cells:
            cells.append(cell)
    tiles: list[Entry] = []
    for number, (column, row) in enumerate(cells):
        centre = (column * across[0] + row * down[0], column * across[1] + row * down[1])
        tiles.append({"name": f"T{number}", "disks": [[*centre, radius]]})
    if rng.random() < 0.4:
        tiles.append({"name": "path", "hexes": [list(spot) for spot in random_path(rng, tiles)]})
    return tiles


def random_path(rng: random.Random, tiles: list[Entry]) -> list[Hex]:
    """A crooked row of hexes that starts beside a tile."""
    taken = {spot for tile in tiles for spot in tile_hexes(tile)}
    edge = sorted({spot for place in taken for spot in around(place)} - taken)
    path = [rng.choice(edge)]
    for _ in range(rng.randint(0, 5)):
        further = [spot for spot in around(path[-1]) if spot not in taken and spot not in path]
        if further:
            path.append(rng.choice(further))
    return path


def tile_hexes(tile: Entry) -> list[Hex]:
    return [(q, r) for q, r in tile.get("hexes", ())] + [spot for d in tile.get("disks", ()) for spot in disk(*d)]


# ---------------------------------------------------------------------------------------------------------------------
# Switches
# ---------------------------------------------------------------------------------------------------------------------


def random_switches(rng: random.Random) -> Entry:
    """A few switches away from their defaults; the Extended rules rather often."""
    switches: Entry = {}
    for name, values in data.CHOICES.items():
        if rng.random() < (0.5 if name in EXTENDED else 0.2):
            switches[name] = rng.choice(values)
    if rng.random() < 0.2:
        switches["ban"] = rng.sample(data.BANNED, rng.randint(1, 4))
    if rng.random() < 0.2:
        switches["ep_mult"] = rng.choice((0.5, 0.75, 1.3, 2.0))
    if rng.random() < 0.15:
        switches["retreat"] = f"hp<{rng.randint(1, 12)}"
    if rng.random() < 0.2:
        switches["round_cap"] = rng.randint(1, 12)
    return switches


# ---------------------------------------------------------------------------------------------------------------------
# Units
# ---------------------------------------------------------------------------------------------------------------------


def random_hero(rng: random.Random) -> Entry:
    """An archetype, sometimes with numbers, dice, race or track of its own."""
    name = rng.choice(tuple(data.ARCHETYPES))
    hero: Entry = {"class": name}
    if rng.random() < 0.5:
        hero["policy"] = rng.choice(data.POLICY_NAMES)
    if rng.random() < 0.3:
        hero["xp"] = rng.randint(0, 30)
    if rng.random() < 0.35:
        hero["race"] = rng.choice(tuple(data.RACES))
    for stat, low, high in (("health", 1, 11), ("stamina", 1, 6), ("magicka", 1, 6), ("cooldown", 1, 6)):
        if rng.random() < 0.1:
            hero[stat] = rng.randint(low, high)
    if rng.random() < 0.1:
        hero["form"] = rng.choice(tuple(data.OFFENSIVE))
    if rng.random() < 0.15:
        hero["dice"] = {die: rng.randint(1, 3) for die in rng.sample(tuple(data.DICE), rng.randint(1, 5))}
    if rng.random() < 0.1:
        hero["hp"] = min(rng.randint(1, 5), hero.get("health", 4))  # nobody has less than 4
    if rng.random() < 0.1:
        hero["bonus_hp"] = rng.randint(1, 3)
    if rng.random() < 0.25:
        hero["tenacity"] = rng.randint(1, 6)
    if rng.random() < 0.2:
        hero["track"] = random_track(rng, hero)
    return hero


def random_track(rng: random.Random, hero: Entry) -> list[str]:
    """Fatigue and statuses, sometimes nearly full, and dice that the adventurer surely has."""
    track = [rng.choice(("L", "L", "O")) for _ in range(rng.choice((0, 1, 2, 3, 8, 11)))]
    track += rng.sample(data.STATUSES, rng.choice((0, 1, 1, 2)))
    if "dice" in hero:
        track += rng.sample(tuple(hero["dice"]), 1)
    else:
        track += [data.ARCHETYPES[hero["class"]].start[0]] if rng.random() < 0.5 else []
    rng.shuffle(track)
    return track[: data.TRACK_SIZE]


def random_skills(rng: random.Random, most: int) -> list[str]:
    """Up to so many different skills, numbered where they take a number."""
    chosen = rng.sample(data.SKILLS, rng.randint(0, most))
    return [f"{name} {rng.randint(1, 3)}" if name in data.NUMBERED_SKILLS else name for name in chosen]


def random_creature(rng: random.Random, kind: str, odds: float) -> Entry:
    """A line of the tables with some numbers changed."""
    entry: Entry = {"type": kind}
    for stat, low, high in (("health", 1, 14), ("range", 1, 5), ("combat", 0, 5), ("defense", 0, 3)):
        if rng.random() < odds:
            entry[stat] = rng.randint(low, high)
    if rng.random() < odds:
        entry["targets"] = rng.choice((1, 2, 3, "all"))
    if rng.random() < 0.5:
        entry["skills"] = random_skills(rng, 4)
    if rng.random() < 0.12:
        entry["statuses"] = rng.sample(data.STATUSES, rng.randint(1, 2))
    return entry


def random_companion(rng: random.Random) -> Entry:
    return random_creature(rng, rng.choice(tuple(data.COMPANIONS)), 0.25)


def random_enemy(rng: random.Random) -> Entry:
    entry = random_creature(rng, rng.choice(tuple(data.ENEMY_TYPES)), 0.12)
    if rng.random() < 0.15:
        entry["priority"] = rng.choice(("strongest", "weakest"))
    if rng.random() < 0.1:
        entry["level"] = rng.choice((1, 5, 10, 20, "quest"))
    return entry


def add_enemies(rng: random.Random, scenario: Entry, numbered: int) -> None:
    """A list, a pool or both; sometimes an objective."""
    pool = rng.random() < 0.35
    listed = rng.randint(0 if pool else 1, min(numbered, rng.choice((1, 3, 6, 8))))
    scenario["enemies"] = [random_enemy(rng) for _ in range(listed)]
    if listed > 1 and rng.random() < 0.2:
        scenario["enemies"].pop()
        scenario["enemies"][0]["count"] = 2
    if pool:
        scenario["pool"] = {"points": rng.randint(1, 60)} if rng.random() < 0.5 else {}
    if listed and rng.random() < 0.25:
        scenario["objective"] = "eliminate"
        levels = [entry.get("level", data.ENEMY_TYPES[entry["type"]].level) for entry in scenario["enemies"]]
        if "quest" not in levels or rng.random() < 0.5:
            rng.choice(scenario["enemies"])["objective"] = True


def move_some(rng: random.Random, scenario: Entry) -> None:
    """Some units stand on hexes of their own, away from the entrance and the numbered hexes."""
    board = MAPS[scenario["map"]] if isinstance(scenario["map"], str) else scenario["map"]
    used = {tuple(spot) for part in ("impassable", "entrance", "numbered") for spot in board.get(part, ())}
    spare = sorted({spot for tile in board["tiles"] for spot in tile_hexes(tile)} - used)
    rng.shuffle(spare)
    units = [*scenario["heroes"], *scenario.get("companions", ()), *scenario["enemies"]]
    for entry in units:
        if spare and "count" not in entry and rng.random() < 0.4:
            entry["hex"] = list(spare.pop())

"""Random scenarios of Overhill & Underdale: the same seed, the same scenario, as `tomllib` would give it.

Made for comparing two referees, so everything of the scenario format turns up sooner or later: every class, level,
room, policy and option, every switch and value, every item, feat and monster, dice for counts, encounter tables, traps,
surprises, rooms with a shape of their own and heroes who are put in a guard.
"""

from __future__ import annotations

import random
from typing import Any

from tests.oracle.overhill.build import room_of
from tests.oracle.overhill.data import (
    ATTRIBUTES,
    CLASSES,
    FEATS,
    ITEMS,
    LADDER,
    MONSTERS,
    POLICY_NAMES,
    PRESETS,
    ROOMS,
    STANCES,
    SWITCHES,
    Room,
)
from tests.oracle.overhill.hero_moves import rear_capacity

TAGS = ("edged", "blunt", "none")
COUNT_DICE = ("1d3", "1d4", "1d6", "1d8", "2d4", "2d6")
TABLE_DICE = {"1d4": (1, 4), "1d6": (1, 6), "2d4": (2, 8), "2d6": (2, 12)}
LEADERS = tuple(kind for kind, entry in MONSTERS.items() if entry.leader)
ENGAGEMENTS = ("attack", "talk", "sneak")


def random_scenario(seed: int) -> dict[str, Any]:
    """A scenario that only depends on the seed."""
    rng = random.Random(seed)
    party = rng.choice((1, 2, 3, 3, 4, 4, 4, 5, 6))
    scenario: dict[str, Any] = {
        "ruleset": "overhill",
        "title": f"Random fight {seed}",
        "policy": rng.choice((*POLICY_NAMES, "random_legal")),
        "room": rng.choice((*ROOMS, "standard", "standard")),
        "level": rng.choice((1, 1, 1, 2, 2, 3, rng.randint(1, 10), rng.randint(1, 10))),
    }
    if rng.random() < 0.35:
        scenario["preset"] = rng.choice(tuple(PRESETS))
    scenario["switches"] = random_switches(rng)
    options = random_policy_options(rng, scenario["policy"])
    if options:
        scenario["policy_options"] = options
    scenario["heroes"] = [random_hero(rng) for _ in range(party)]
    if rng.random() < 0.25:
        scenario["encounter"] = random_table(rng, party)
    else:
        scenario["enemies"] = random_enemies(rng, party)
        if rng.random() < 0.25:
            scenario["trap"] = True
    put_in_place(random.Random(f"places of {seed}"), scenario)
    return scenario


def put_in_place(rng: random.Random, scenario: dict[str, Any]) -> None:
    """Now and then a room of its own shape, a surprise, and guards for some heroes within what the room allows."""
    if rng.random() < 0.3:
        scenario["rear_ratio"] = rng.choice((0, 1, 2, "1/1", "1/2", "2/3", "1/4"))
    if rng.random() < 0.3:
        scenario["front_max"] = rng.choice((1, 2, 2, 3, 4, "none"))
    if rng.random() < 0.2:
        scenario["surprise"] = True
    for row in scenario.get("encounter", {}).get("rows", []):
        if rng.random() < 0.2:
            row["surprise"] = True
    if rng.random() < 0.15:
        scenario["reaction_table"] = random_reactions(rng)
    if rng.random() < 0.15:
        scenario["mishap_table"] = random_mishaps(rng)
    if rng.random() < 0.5:
        place_heroes(rng, scenario["heroes"], room_of(scenario))


def random_reactions(rng: random.Random) -> dict[str, dict[str, Any]]:
    """Other bounds for some rows, and other meanings for one."""
    first, second, third = sorted(rng.sample(range(2, 13), 3))
    changes: dict[str, dict[str, Any]] = {"enraged": {"up_to": first}, "hostile": {"up_to": second}}
    changes["indifferent"] = {"up_to": third, "avoided": rng.random() < 0.5, "surprise": rng.random() < 0.5}
    return changes


def random_mishaps(rng: random.Random) -> dict[str, dict[str, Any]]:
    """Another bound, and other effects for two rows."""
    changes: dict[str, dict[str, Any]] = {"fizzle": {"up_to": rng.randint(1, 5)}}
    for name in rng.sample(("backlash", "strain", "misfire", "burnout"), 2):
        effects = {what: rng.random() < 0.5 for what in ("darts_lost", "blocks", "silences")}
        changes[name] = effects | {"damage": rng.choice((0, 1, 2, "1d4", "2d2", "1d6"))}
    return changes


def place_heroes(rng: random.Random, heroes: list[dict[str, Any]], room: Room) -> None:
    """Guards for some heroes. As if nobody had a Shield Wall: what is allowed then is allowed with one, too."""
    front = rear = 0
    for hero in rng.sample(heroes, len(heroes)):
        guard = rng.choice(("front", "rear", "policy", ""))
        if guard == "front" and (room.front_max is None or front < room.front_max):
            front += 1
            hero["guard"] = guard
        elif guard == "rear" and rear + 1 <= rear_capacity(len(heroes) - rear - 1, room):
            rear += 1
            hero["guard"] = guard
        elif guard == "policy":
            hero["guard"] = guard


def random_switches(rng: random.Random) -> dict[str, Any]:
    """Up to four switches away from their default, and a round cap that keeps runs short."""
    names = [name for name in SWITCHES if name != "round_cap"]
    chosen = rng.sample(names, rng.choice((0, 1, 2, 3, 4)))
    switches: dict[str, Any] = {name: rng.choice(SWITCHES[name][1:]) for name in chosen}
    switches["round_cap"] = rng.choice((1, 4, 8, 12, 15, 20, 20, 25))
    return switches


def random_policy_options(rng: random.Random, policy: str) -> dict[str, Any]:
    """How the party begins; for `plain` its variants too."""
    options: dict[str, Any] = {}
    if rng.random() < 0.3:
        options["engage"] = rng.choice(ENGAGEMENTS)
    if policy == "plain":
        if rng.random() < 0.5:
            options["stance"] = rng.choice(STANCES)
        if rng.random() < 0.4:
            options["rogue_sneak"] = rng.random() < 0.8
        if rng.random() < 0.4:
            options["warrior_frenzy"] = rng.random() < 0.8
    return options


def random_hero(rng: random.Random) -> dict[str, Any]:
    """A hero of any class, now and then with a level, dice, health, weapons, feats or items of his own."""
    job = rng.choice(tuple(CLASSES))
    hero: dict[str, Any] = {"class": job}
    if rng.random() < 0.2:
        hero["level"] = rng.randint(1, 10)
    if rng.random() < 0.2:
        for attribute in rng.sample(ATTRIBUTES, rng.randint(1, 4)):
            hero[attribute] = rng.choice(LADDER)
    if rng.random() < 0.15:
        hero["max_health"] = rng.randint(2, 25)
    if rng.random() < 0.15:
        hero["health"] = rng.randint(1, hero.get("max_health", 7))
    if rng.random() < 0.1:
        hero["shield"] = rng.random() < 0.5
    if rng.random() < 0.12:
        hero["melee_tag"] = rng.choice(TAGS)
    if rng.random() < 0.12:
        hero["ranged_tag"] = rng.choice(TAGS)
    if job == "warrior" and rng.random() < 0.5:
        hero["feats"] = rng.sample(FEATS, rng.randint(0, len(FEATS)))
    if rng.random() < 0.4:
        hero["items"] = {item: rng.randint(1, 2) for item in rng.sample(ITEMS, rng.randint(1, 3))}
    return hero


def random_count(rng: random.Random, kind: str, most: int) -> int | str:
    """A number up to `most`, dice, or the number appearing."""
    if kind in LEADERS and rng.random() < 0.8:
        return 1
    chance = rng.random()
    if chance < 0.15:
        return "number"
    if chance < 0.35:
        return rng.choice(COUNT_DICE)
    return rng.randint(1, most)


def random_enemy(rng: random.Random, kind: str, most: int) -> dict[str, Any]:
    """A group of a type, now and then with figures of its own."""
    enemy: dict[str, Any] = {"type": kind, "count": random_count(rng, kind, most)}
    if rng.random() < 0.2:
        changes = {
            "melee": rng.randint(0, 6),
            "range": rng.randint(0, 5),
            "defence": rng.randint(1, 7),
            "blunt_defence": rng.randint(1, 6),
            "talk": rng.randint(-2, 2),
            "alert": rng.randint(1, 5),
            "xp": rng.randint(0, 12),
        }
        for key in rng.sample(tuple(changes), rng.randint(1, 3)):
            enemy[key] = changes[key]
    return enemy


def random_enemies(rng: random.Random, party: int) -> list[dict[str, Any]]:
    """One to four groups of different types; half of the time of one kin, so that leaders and talk matter."""
    kin = rng.choice(("gobbo", "undead", "any", "any"))
    is_gobbo = {kind: entry.family == "gobbo" for kind, entry in MONSTERS.items()}
    kinds = [kind for kind, gobbo in is_gobbo.items() if kin == "any" or gobbo == (kin == "gobbo")]
    chosen = rng.sample(kinds, rng.choice((1, 1, 2, 2, 3, 4)))
    most = 3 + 6 * party // len(chosen)
    return [random_enemy(rng, kind, most) for kind in chosen]


def random_table(rng: random.Random, party: int) -> dict[str, Any]:
    """An encounter table; some totals may have no row, and a row may have no enemies."""
    roll = rng.choice(tuple(TABLE_DICE))
    total, last = TABLE_DICE[roll]
    rows = []
    while total <= last:
        end = min(last, total + rng.choice((0, 0, 1, 2)))
        if rng.random() < 0.9:
            enemies = random_enemies(rng, party) if rng.random() < 0.95 else []
            on = f"{total}-{end}" if end > total else rng.choice((total, str(total)))
            rows.append({"on": on, "trap": rng.random() < 0.3, "enemies": enemies})
        total = end + 1
    return {"roll": roll, "rows": rows}


# Monsters and classes that nobody has seen before.

FAMILIES = ("gobbo", "bones", "wolves", "none")
TRAITS = ("leader", "paralysing_touch", "life_drain")


def made_up_scenario(seed: int) -> dict[str, Any]:
    """A random scenario in which made-up monsters and classes stand in the places of some of the game's."""
    scenario = random_scenario(seed)
    rng = random.Random(f"made up {seed}")
    monsters = random_types(rng, ("ashling", "bone_lord", "cutter", "gobbo"), tuple(MONSTERS), random_monster)
    classes = random_types(rng, ("squire", "monk", "warrior"), tuple(CLASSES), random_class)
    rows = scenario.get("encounter", {}).get("rows", [])
    for groups in (scenario.get("enemies", []), *(row["enemies"] for row in rows)):
        strangers = rng.sample(tuple(monsters), min(len(monsters), len(groups)))
        for group, stranger in zip(groups, strangers, strict=False):
            if rng.random() < 0.8:
                group["type"] = stranger
        tell_apart(groups)
    for hero in scenario["heroes"]:
        if rng.random() < 0.4:
            hero["class"] = rng.choice(tuple(classes))
            hero.pop("health", None)  # it may be more than such a hero has
    return scenario | {"monsters": monsters, "classes": classes}


def tell_apart(groups: list[dict[str, Any]]) -> None:
    """A name for every group whose type stands in the list already (OU-S2)."""
    for place, group in enumerate(groups):
        if any(group["type"] == other["type"] for other in groups[:place]):
            group["name"] = f"band {place}"


def random_types(rng: random.Random, names: tuple[str, ...], of_the_game: tuple[str, ...], make: Any) -> dict[str, Any]:
    """Some types, each of which may be like those before it, or like the type of the game whose name it bears.

    Nobody is like a type that comes later: that would be a circle where the later one is like the earlier.
    """
    found: dict[str, Any] = {}
    chosen = rng.sample(names, rng.randint(1, len(names)))
    for place, name in enumerate(chosen):
        later = chosen[place + 1 :]
        found[name] = make(rng, [kind for kind in (*of_the_game, *found, *found) if kind not in later])
    return found


def random_monster(rng: random.Random, bases: list[str]) -> dict[str, Any]:
    """A monster with numbers, a family and traits by lot: like another, or from nothing."""
    whole = {
        "melee": rng.randint(0, 6),
        "range": rng.randint(0, 6),
        "defence": rng.choice((*range(1, 8), "gobbo_defense")),
        "blunt_defence": rng.choice((1, 2, 3, 5, "none")),
        "talk": rng.choice((-2, -1, 0, 1, "none")),
        "alert": rng.randint(0, 5),
        "xp": rng.randint(0, 12),
        "number": rng.choice((*COUNT_DICE, 2)),
        "family": rng.choice(FAMILIES),
        "traits": rng.sample(TRAITS, rng.choice((0, 0, 1, 1, 2, 3))),
        "early": {"melee": rng.randint(0, 4), "defence": rng.randint(1, 4)},
    }
    if rng.random() < 0.4:
        needed = {"melee", "range", "defence"}
        return {key: value for key, value in whole.items() if key in needed or rng.random() < 0.7}
    return {"like": rng.choice(bases)} | {key: value for key, value in whole.items() if rng.random() < 0.4}


def random_class(rng: random.Random, bases: list[str]) -> dict[str, Any]:
    """A class with dice, health, weapons, growth and feats by lot: like another, or from nothing."""
    whole: dict[str, Any] = {attribute: rng.choice(LADDER) for attribute in ATTRIBUTES}
    whole |= {
        "calling": rng.choice(tuple(CLASSES)),
        "health": rng.randint(1, 14),
        "melee_tag": rng.choice(TAGS),
        "ranged_tag": rng.choice(TAGS),
        "shield": rng.random() < 0.5,
        "growth": {str(level): rng.choice(ATTRIBUTES) for level in rng.sample(range(2, 11), rng.randint(0, 6))},
        "feats": rng.sample(FEATS, rng.randint(0, len(FEATS))),
    }
    if rng.random() < 0.4:
        needed = {*ATTRIBUTES, "calling", "health"}
        return {key: value for key, value in whole.items() if key in needed or rng.random() < 0.6}
    return {"like": rng.choice(bases)} | {key: value for key, value in whole.items() if rng.random() < 0.4}

"""Random scenarios of P52 for agreement tests: the same seed always gives the same scenario."""

from __future__ import annotations

import random
from typing import Any

from .p52.bestiary import BOSSES, CALICO_GEAR, CONSUMABLES, FACE_CARDS, MOUNTAIN_GEAR
from .p52.data import ABILITIES, CHOICES, CORES, POLICIES, PRESETS, RACES

OWN_TYPES = 0.4  # how often a scenario brings monsters and a class of its own
TRAITS = ("boss", "attacks_again", "keeps_away", "floats", "fears_water", "no_start_flip", "extra_turn")
EFFECTS = ("freezes", "pushes", "must_be_readied", "needs_no_sight", "spreads")
ROLES = ("fighter", "rogue", "wizard", "cleric", "captain")
NUMBERS: dict[str, tuple[Any, ...]] = {  # values for the switches that are not words
    "other_ability_xp": (0, 1, 2, 3),
    "counter_depth": (0, 1, 2, 3),
    "enemy_king_extra": ("2*L", "L + 1", "max(3, L)", 4),
    "enemy_level_bonus": (0, 1, 3, 5),
    "min_target": ("none", 2, 5, 8),
    "reshuffle_at": (0, 5, 13, 26, 40),
    "stamina_start": (0, 1, 2, 5),
    "stamina_max": (2, 3, 5),
    "flee_limit": ("none", 0, 1, 2),
}


def random_scenario(seed: int) -> dict[str, Any]:
    """A scenario with any mixture of boards, heroes, enemies, switches, policies, items and encounters."""
    chance = random.Random(seed)
    switches = random_switches(chance)
    data_set = switches["data_set"]
    level = chance.randint(1, 20) if chance.random() < 0.4 else chance.randint(1, 8)
    text, spots = random_board(chance)
    scenario: dict[str, Any] = {
        "ruleset": "p52",
        "title": f"Random scenario {seed}",
        "policy": chance.choice(POLICIES),
        "level": level,
        "preset": chance.choice(PRESETS),
        "switches": switches,
        "board": text,
        "heroes": [random_hero(chance, data_set, level, spots) for _ in range(chance.randint(1, 5))],
    }
    if chance.random() < OWN_TYPES:
        scenario["monsters"] = random_monsters(chance)
        scenario["classes"] = random_classes(chance, data_set)
        scenario["heroes"] += [{"class": chance.choice(sorted(scenario["classes"]))}]
    own = list(scenario.get("monsters", ()))
    drawable = [name for name in own if not starts_oddly(name, scenario["monsters"])]
    cards = [*chance.sample(FACE_CARDS, 9), *drawable] if drawable and chance.random() < 0.5 else []
    stages = chance.choice((2, 2, 3)) if chance.random() < 0.25 else 1
    encounters = [random_encounter(chance, data_set, text, spots, stage, own, cards) for stage in range(stages)]
    if stages == 1:
        scenario.update(encounters[0])
    else:
        scenario["encounters"] = encounters
    return scenario


def random_switches(chance: random.Random) -> dict[str, Any]:
    """The data set, a short round cap, and none, one or several switches flipped."""
    switches: dict[str, Any] = {
        "data_set": "mountain" if chance.random() < 0.35 else "calico",
        "round_cap": chance.choice((3, 12, 20, 30)),
    }
    if chance.random() < 0.15:
        switches["stamina_start"] = chance.choice((1, 2))
    flips = chance.choice((0, 1, 1, 1, 2, 4, 10))
    names = [name for name in (*CHOICES, *NUMBERS, "ban") if name != "data_set"]
    for name in chance.sample(names, flips):
        if name == "ban":
            switches[name] = chance.sample(sorted(ABILITIES[switches["data_set"]]), chance.randint(1, 3))
        else:
            switches[name] = chance.choice(CHOICES[name] if name in CHOICES else NUMBERS[name])
    return switches


def random_board(chance: random.Random) -> tuple[str, list[tuple[int, int]]]:
    """A connected map of 1 to 30 spots with an entrance, and its spots."""
    wanted = chance.choice((1, 2, 5, 9, 12, 16, 20, 24, 30))
    width, height = chance.randint(1, 7), chance.randint(1, 6)
    if chance.random() < 0.1:  # a long lane
        wanted, width, height = 14, 12, 2
    spots = {(chance.randrange(width), chance.randrange(height))}
    for _ in range(40 * wanted):
        if len(spots) == wanted:
            break
        x, y = chance.choice(sorted(spots))
        dx, dy = chance.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        if 0 <= x + dx < width and 0 <= y + dy < height:
            spots.add((x + dx, y + dy))
    plain = chance.choice((0.5, 0.75, 0.95))
    letters = {spot: "." if chance.random() < plain else chance.choice("OHT") for spot in sorted(spots)}
    letters[chance.choice(sorted(spots))] = "S"
    if chance.random() < 0.4:
        spot = chance.choice(sorted(spots))
        letters[spot] = letters[spot] if letters[spot] == "S" else "X"
    rows = ["".join(letters.get((x, y), "#") for x in range(width)) for y in range(height)]
    first = next(number for number, row in enumerate(rows) if row.strip("#"))  # no empty rows at the top
    return "\n".join(rows[first:]), sorted((x, y - first) for x, y in spots)


def random_hero(chance: random.Random, data_set: str, level: int, spots: list[tuple[int, int]]) -> dict[str, Any]:
    """A standard hero, sometimes changed."""
    hero: dict[str, Any] = {"class": chance.choice(ROLES)}
    if chance.random() < 0.3:
        hero["level"] = max(1, level + chance.randint(-2, 3))
    if chance.random() < 0.7:
        hero["policy"] = chance.choice(POLICIES)
    if chance.random() < 0.35:
        hero["spot"] = list(chance.choice(spots))
    if chance.random() < 0.2:
        hero["race"] = chance.choice(sorted(RACES[data_set]))
    if chance.random() < 0.2:
        hero[chance.choice(CORES)] = chance.randint(1, 20)
    if chance.random() < 0.15:
        hero["hp"] = chance.randint(0, 12)
        hero["max_hp"] = chance.randint(12, 60)
    if chance.random() < 0.1:
        hero["movement"] = chance.randint(0, 4)
    if chance.random() < 0.35:
        known = chance.sample(sorted(ABILITIES[data_set]), chance.randint(1, 7))
        hero["abilities"] = {name: chance.randint(1, 6) for name in known}
    if chance.random() < 0.3:
        hero["gear"] = random_gear(chance, data_set)
    if chance.random() < 0.15:
        hero["arrows"] = chance.randint(0, 3)
        hero["sharp_arrows"] = chance.randint(0, 2)
    if chance.random() < 0.4:
        stock = chance.sample(sorted(CONSUMABLES[data_set]), chance.randint(0, 4))
        hero["consumables"] = {item: chance.randint(1, 2) for item in stock}
    return hero


def random_gear(chance: random.Random, data_set: str) -> list[str]:
    """Items that fit together."""
    if data_set == "mountain":
        weapons = chance.sample(MOUNTAIN_GEAR[:3], chance.randint(0, 2))
        return weapons + [chance.choice(MOUNTAIN_GEAR[3:]) for _ in range(chance.randint(0, 4))]
    slots: dict[str, str] = {}
    for item in chance.sample(sorted(CALICO_GEAR), chance.randint(1, 9)):
        slots[CALICO_GEAR[item].slot] = item
    if "main" in slots and CALICO_GEAR[slots["main"]].hands > 1:
        slots.pop("shield", None)
        if CALICO_GEAR[slots["main"]].hands == 2:
            slots.pop("side", None)
    return list(slots.values())


def random_encounter(
    chance: random.Random, data_set: str, text: str, spots: list[tuple[int, int]], stage: int, own: list[str],
    cards: list[str],
) -> dict[str, Any]:  # fmt: skip
    """Enemies on the scenario's board, or, in a later stage, perhaps on a board of its own."""
    encounter: dict[str, Any] = {}
    if stage and chance.random() < 0.4:
        text, spots = random_board(chance)
        encounter["board"] = text
    drawn = chance.randint(1, 3) if chance.random() < 0.2 else 0
    if drawn:
        encounter["enemy_deck"] = {"spots": [list(chance.choice(spots)) for _ in range(drawn)]}
        if cards:
            encounter["enemy_deck"]["cards"] = cards
    listed = chance.randint(0 if drawn else 1, 5)
    if listed:
        encounter["enemies"] = [random_enemy(chance, data_set, spots) for _ in range(listed)]
        for enemy in encounter["enemies"]:
            if own and chance.random() < 0.6:
                enemy.clear()
                enemy |= {"card": chance.choice(own), "spot": list(chance.choice(spots))}
    return encounter


def random_enemy(chance: random.Random, data_set: str, spots: list[tuple[int, int]]) -> dict[str, Any]:
    """A card or a boss, sometimes changed."""
    cards = list(FACE_CARDS)
    if chance.random() < 0.12:
        cards = list(BOSSES)
        if data_set == "mountain":
            cards += ["warlock", "warlock", "J minor", "Q minor", "K minor"]
    enemy: dict[str, Any] = {"card": chance.choice(cards), "spot": list(chance.choice(spots))}
    if chance.random() < 0.1:
        enemy["max_hp"] = chance.choice((9, 24, "4*L + 3", "15*L"))
    if chance.random() < 0.1:
        enemy["hp"] = chance.choice((1, 3, "min(L, 9)"))  # never above the least max_hp
    if chance.random() < 0.1:
        enemy["movement"] = chance.randint(0, 4)
    if chance.random() < 0.05:
        enemy["initiative"] = chance.choice((7, "L + 2"))
    if chance.random() < 0.05:
        enemy["magic_defence"] = chance.randint(-3, 3)
    if chance.random() < 0.08:
        enemy["target_order"] = chance.choice(("last_then_closest", "weakest"))
    melee = not enemy["card"].startswith(("J diamonds", "Q hearts")) and data_set == "calico"
    if chance.random() < 0.08 and melee:
        enemy["melee"] = {"damage": "3*L + 2*O", "reach": [0, chance.randint(0, 1)]}
    return enemy


# ---------------------------------------------------------------------------------------------------------------------
# Monsters and classes of one's own
# ---------------------------------------------------------------------------------------------------------------------


def random_monsters(chance: random.Random) -> dict[str, Any]:
    """Some made-up types: like a card, like one another, or from nothing, with any mixture of what the game knows."""
    found: dict[str, Any] = {}
    for number in range(chance.randint(1, 4)):
        bases = [*FACE_CARDS, "calico", "warlock", "apprentice", "K minor", "mountain Q spades", *found]
        found[f"own_{number}"] = random_monster(chance, chance.choice(bases) if chance.random() < 0.6 else None)
    return found


def random_monster(chance: random.Random, like: str | None) -> dict[str, Any]:
    said: dict[str, Any] = {} if like is None else {"like": like}
    figures: dict[str, Any] = {
        "max_hp": chance.choice(("6*L", "9*L + 2", "14*L", 30)),
        "initiative": chance.choice(("L + 9", 4, "top", "2*L")),
        "movement": chance.choice((0, 1, 1, 2, 2, 3, "min(L, 4)")),
        "melee_defence": chance.randint(-3, 3),
        "magic_defence": chance.randint(-3, 3),
        "ranged_defence": chance.randint(-3, 3),
        "xp": chance.randint(0, 12),
    }
    said |= {key: value for key, value in figures.items() if like is None or chance.random() < 0.25}
    if chance.random() < 0.6:
        said["traits"] = [trait for trait in TRAITS if chance.random() < 0.3]
    if chance.random() < 0.5:
        said["when_weak"] = chance.choice(("flees", "fights_on", "flees_and_heals", "heals"))
    if chance.random() < 0.35:
        said["when_fallen"] = chance.choice(("stays_down", "reappears", "rises"))
    if chance.random() < 0.2:
        said["target_order"] = chance.choice(("last_then_closest", "weakest"))
    ways = [way for way in ("melee", "ranged", "creature", "beast") if chance.random() < 0.4]
    if like is None and not ways:
        ways = [chance.choice(("melee", "ranged", "creature", "beast"))]
    said |= {way: random_attack(chance, way) for way in ways}
    if like is not None and ways and chance.random() < 0.3:  # who has an attack of its own may give up another
        said["without"] = [way for way in ("melee", "ranged", "creature", "beast") if way not in ways]
    return said


def starts_oddly(name: str, monsters: dict[str, Any]) -> bool:
    """Whether it changes the start of an encounter, so that it cannot be drawn from the enemy deck."""
    if name not in monsters:
        return name in ("calico", "apprentice")
    if "traits" in monsters[name]:
        return bool({"extra_turn", "no_start_flip"} & set(monsters[name]["traits"]))
    return starts_oddly(monsters[name].get("like", ""), monsters)


def random_attack(chance: random.Random, way: str) -> dict[str, Any]:
    """An attack with all that it needs."""
    kinds = {"melee": ("melee",), "beast": ("melee", "ranged", "magic")}.get(way, ("ranged", "magic"))
    effects = [effect for effect in EFFECTS if chance.random() < 0.3]
    attack: dict[str, Any] = {
        "name": f"own {way}",
        "kind": chance.choice(kinds),
        "target": chance.choice(("9 - L", "8 - L + R", 6, "10 - L + R")),
        "damage": chance.choice(("2*L + O", "L + O - R", "3*L", "2*O")),
        "effects": effects,
    }
    if way == "beast":
        return attack | {"effects": [effect for effect in effects if effect in EFFECTS[:2]]}
    least = chance.choice((0, 0, 1, 2))
    return attack | {"reach": [least, least + chance.choice((0, 1, 3, 6))]}


def random_classes(chance: random.Random, data_set: str) -> dict[str, Any]:
    """A class like one of the game's, or from nothing."""
    known = sorted(name for name, ability in ABILITIES[data_set].items() if ability.exp)
    gear = [*MOUNTAIN_GEAR[:3]] if data_set == "mountain" else sorted(CALICO_GEAR)
    said: dict[str, Any] = {
        "cores": [chance.randint(-2, 4) for _ in range(5)],
        "race": chance.choice(sorted(RACES[data_set])),
        "starts": chance.sample(known, chance.randint(1, 3)),
        "allocation": [chance.randint(0, 4) for _ in range(5)],
        "cycle": " ".join(chance.choice(("Lt", "Th", "Bc", "Mv", "Ld")) for _ in range(chance.randint(1, 6))),
        "focus": chance.sample(known, chance.randint(1, 3)),
        "wishes": chance.sample(known, chance.randint(0, 6)),
        "gear": [f"{chance.randint(1, 9)} {item}" for item in chance.sample(gear, chance.randint(0, 3))],
        "consumables": dict.fromkeys(chance.sample(sorted(CONSUMABLES[data_set]), chance.randint(0, 3)), 1),
    }
    if chance.random() < 0.5:
        said["arrows"] = [f"{chance.randint(1, 4)} {chance.randint(0, 6)} {chance.randint(0, 6)}"]
    if chance.random() < 0.5:
        return {"own_class": said}
    kept = {key: value for key, value in said.items() if chance.random() < 0.4}
    return {"own_class": {"like": chance.choice(ROLES), **kept}}

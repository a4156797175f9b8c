"""Values of a scenario in words for people: 'seven skeletons' and not `enemies.skeleton.count = 7`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.scenario.values import readable as plain
from sim.scenario.values import steps

NAMES = ("name", "type", "class", "card", "kind")  # keys by which people know an entry of a list
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
ABBREVIATIONS = {"us": "US", "xp": "XP", "hp": "HP"}  # words of names that are none
SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def readable(name: str) -> str:
    """A name as people write it.

    >>> readable("magic_user"), readable("us_marshal"), readable("max_hp"), readable("all of us")
    ('magic user', 'US marshal', 'max HP', 'all of us')
    """
    words = name.split("_")
    if len(words) == 1 and name == "us":
        return name
    return " ".join(ABBREVIATIONS.get(word, word) for word in words)


def upper_first(text: str) -> str:
    """A text as a heading or a sentence begins: with a large letter, and all else as it is.

    >>> upper_first("US marshal"), upper_first("max HP")
    ('US marshal', 'Max HP')
    """
    return text[:1].upper() + text[1:]


def in_words(parts: Sequence[str]) -> str:
    """Several things in a sentence.

    >>> in_words(["wins"]), in_words(["wins", "loses"]), in_words(["wins", "loses", "draws"])
    ('wins', 'wins and loses', 'wins, loses and draws')
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def plural(name: str) -> str:
    """Several of a kind.

    >>> [plural(name) for name in ("skeleton", "wolf", "harpy", "witch", "outlaws", "gunman")]
    ['skeletons', 'wolves', 'harpies', 'witches', 'outlaws', 'gunmen']
    """
    if name.endswith("man"):
        return f"{name[:-2]}en"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    if name.endswith("lf"):
        return f"{name[:-1]}ves"
    if name.endswith(("ch", "sh", "x", "ss")):
        return f"{name}es"
    return name if name.endswith("s") else f"{name}s"


def number_in_words(number: float) -> str:
    """Small whole numbers as words.

    >>> number_in_words(7), number_in_words(7.0), number_in_words(13), number_in_words(2.5)
    ('seven', 'seven', '13', '2.5')
    """
    if 0 <= number < len(SMALL_NUMBERS) and float(number).is_integer():
        return SMALL_NUMBERS[int(number)]
    return _digits(number)


def _digits(number: float) -> str:
    """A number in digits; whole ones with all of theirs."""
    return str(number) if isinstance(number, int) else f"{number:g}"


def place_in_words(path: str, data: Mapping[str, Any]) -> str:
    """What a path is about, in a scenario with these values.

    >>> fight = {"enemies": [{"type": "skeleton"}], "heroes": [{"class": "magic_user"}]}
    >>> place_in_words("enemies.skeleton.count", fight), place_in_words("enemies[0].defence", fight)
    ('number of skeletons', 'defence of the skeleton')
    >>> place_in_words("heroes.*.level", fight), place_in_words("switches.monster_damage", fight)
    ('level of all heroes', 'switch monster damage')
    >>> place_in_words("enemies.skeleton.reach[1]", fight)
    'reach (second) of the skeleton'
    """
    parts = steps(path) or [path]
    if scene := _in_a_scene(parts, data):
        return f"{place_in_words(scene.path, scene.fight)} in {scene.name}"
    if parts[0] == "switches":
        return " ".join(["switch", *map(_step, parts[1:])])
    if len(parts) < 3:
        return " ".join(map(_step, parts))
    if parts[0] == "scenes" and (whole := _scene_at(parts[1], data)):
        return f"{' '.join(map(_step, parts[2:]))} of {scene_in_words(*whole)}"
    what, who = " ".join(map(_step, parts[2:])), parts[1]
    if who == "*":
        return f"{what} of all {readable(parts[0])}"
    name = _name_of(data.get(parts[0]), who)
    return f"number of {plural(name)}" if what == "count" else f"{what} of the {name}"


def _step(step: str) -> str:
    """A step of a path: a key, or the place of a number in a list."""
    return f"({nth(int(step))})" if step.isdecimal() else readable(step)


def nth(place: int) -> str:
    """The entry of a list at a place, counted from 0.

    >>> nth(0), nth(1), nth(12)
    ('first', 'second', 'number 13')
    """
    return PLACES[place] if place < len(PLACES) else f"number {place + 1}"


def setting_in_words(path: str, value: Any, data: Mapping[str, Any]) -> str:
    """A value at its place.

    >>> fight = {"enemies": [{"type": "skeleton"}]}
    >>> setting_in_words("enemies.skeleton.count", 7, fight), setting_in_words("enemies.skeleton.count", 1, fight)
    ('seven skeletons', 'one skeleton')
    >>> setting_in_words("enemies.skeleton.defence", 4, fight)
    'defence of the skeleton 4'
    """
    parts = steps(path) or [path]
    if scene := _in_a_scene(parts, data):
        return f"{setting_in_words(scene.path, value, scene.fight)} in {scene.name}"
    if len(parts) == 3 and parts[0] == "scenes" and (whole := _scene_at(parts[1], data)):
        return _of_a_scene(parts[2], value, scene_in_words(*whole))
    if parts == ["order"] and isinstance(value, list) and isinstance(data.get("scenes"), list):
        return _order_in_words(value, len(data["scenes"]))
    if len(parts) == 3 and parts[2] == "count" and parts[1] != "*" and isinstance(value, (int, float)):
        name = _name_of(data.get(parts[0]), parts[1])
        return f"{number_in_words(value)} {name if value == 1 else plural(name)}"
    return f"{place_in_words(path, data)} {value_in_words(path, value)}"


@dataclass(frozen=True, slots=True)
class _InAScene:
    """A place in the fight of one scene of an adventure."""

    path: str
    fight: Mapping[str, Any]
    name: str


def _in_a_scene(parts: Sequence[str], data: Mapping[str, Any]) -> _InAScene | None:
    """What a path such as `scenes.the gate.fight.enemies.wolf.count` means inside its fight; None for other paths."""
    if len(parts) < 4 or parts[0] != "scenes" or parts[2] != "fight":
        return None
    found = _scene_at(parts[1], data)
    fight = data["scenes"][found[0]].get("fight") if found else None
    if found is None or not isinstance(fight, Mapping):
        return None
    return _InAScene(".".join(parts[3:]), fight, scene_in_words(*found))


def _scene_at(called: str, data: Mapping[str, Any]) -> tuple[int, Any] | None:
    """The place and the name of the scene that a step of a path means; None where it means none, or several."""
    scenes = data.get("scenes")
    found = [
        (number, scene.get("name"))
        for number, scene in enumerate(scenes if isinstance(scenes, list) else [])
        if isinstance(scene, Mapping) and (str(number) == called or scene.get("name") == called)
    ]
    return found[0] if len(found) == 1 else None


def _of_a_scene(key: str, value: Any, scene: str) -> str:
    """What a scene is set to, beside its fight.

    >>> _of_a_scene("rest", "long", "scene 3"), _of_a_scene("unless", "party_hp < 0.3", "scene 5 (the court)")
    ('long rest in scene 3', 'scene 5 (the court) unless party hp < 0.3')
    >>> _of_a_scene("times", 3, "scene 1")
    'scene 1 three times'
    """
    if key == "rest":
        return f"{readable(plain(value))} rest in {scene}"
    if key == "unless":
        return f"{scene} unless {readable(plain(value))}"
    if key == "times" and isinstance(value, int):
        return f"{scene} {'once' if value == 1 else f'{number_in_words(value)} times'}"
    return f"{readable(key)} of {scene} {value_in_words(key, value)}"


def scene_in_words(place: int, name: Any) -> str:
    """A scene of an adventure by its place, counted from 0, and its name.

    >>> scene_in_words(1, "the swarm"), scene_in_words(1, None)
    ('scene 2 (the swarm)', 'scene 2')
    """
    return f"scene {place + 1}" + (f" ({readable(str(name))})" if name else "")


def _order_in_words(order: Sequence[Any], scenes: int) -> str:
    """Which scenes of an adventure are played.

    >>> _order_in_words([1, 3], 3), _order_in_words([2, 1], 2), _order_in_words([1, "short", 2], 2)
    ('without scene 2', 'scenes in the order 2, 1', 'one short rest more after scene 1')
    >>> _order_in_words([1, 1, "long", 2], 2)
    'scenes in the order 1, 1, long rest, 2'
    """
    numbers = [number for number in order if isinstance(number, int)]
    rests = [(place, kind) for place, kind in enumerate(order) if isinstance(kind, str)]
    if numbers != sorted(set(numbers)):
        return f"scenes in the order {', '.join(f'{one} rest' if isinstance(one, str) else str(one) for one in order)}"
    parts = []
    if left_out := [str(number) for number in range(1, scenes + 1) if number not in numbers]:
        parts.append(f"without scene{'s' if len(left_out) > 1 else ''} {in_words(left_out)}")
    for place, kind in rests:
        before = [number for number in order[:place] if isinstance(number, int)]
        parts.append(f"one {kind} rest more {f'after scene {before[-1]}' if before else 'at the start'}")
    return in_words(parts) if parts else "all scenes in order"


def value_in_words(path: str, value: Any) -> str:
    """A value alone.

    >>> value_in_words("enemies.skeleton.count", 3), value_in_words("level", 3), value_in_words("policy", "fire_first")
    ('three', '3', 'fire first')
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number_in_words(value) if path.endswith(".count") else _digits(value)
    return readable(plain(value))


def _name_of(entries: Any, called: str) -> str:
    """What people call the entry that a step of a path means: by its place, or by the name that stands there."""
    if called.isdecimal() and isinstance(entries, list) and int(called) < len(entries):
        entry = entries[int(called)]
        found = [str(entry[key]) for key in NAMES if isinstance(entry, Mapping) and isinstance(entry.get(key), str)]
        return readable(found[0]) if found else f"entry {int(called) + 1}"
    return readable(called)

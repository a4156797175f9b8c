"""The abilities of enemies: how a file writes them, and what each does (11.4 and the Elite results of 11.5).

A table of abilities is read as a whole: one that is written takes the place of another. So a scenario's model holds it
as it is, and what may stand in it is said here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from sim.core.schema import Strict, one_of, unknown_name
from sim.errors import Problem, did_you_mean
from sim.rulesets.brimstone import data

Amount = Annotated[int, Field(ge=0, le=40)]


def _pair(expected: str, good: Callable[[list[Any]], bool]) -> AfterValidator:
    """Two values in a list that belong together."""

    def check(value: list[Any]) -> list[Any]:
        if len(value) != 2 or not good(value):
            told = {"expected": expected, "found": repr(value)}
            raise PydanticCustomError("pair", "expected {expected}, found {found}", told)
        return value

    return AfterValidator(check)


def _is_whole(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


Flail = Annotated[
    list[int],
    _pair("[dice, range], at most [20, 40]", lambda pair: _is_whole(pair[0], 20) and _is_whole(pair[1], 40)),
]
Spawn = Annotated[
    list[int | str],
    _pair("[number up to 40, type]", lambda pair: _is_whole(pair[0], 40) and isinstance(pair[1], str)),
]
Marker = one_of(data.MARKERS, "marker")


def _does(about: str) -> Any:
    return Field(None, description=about)


class Abilities(Strict):
    """What an enemy can do besides hitting; every ability goes with every other."""

    fear: Amount | None = _does("Horror Hits for a hero who starts beside the model, so many for each model.")
    terror: Amount | None = _does("The same for heroes on the model's tile.")
    uterror: Amount | None = _does("The same for heroes on the model's tile and on tiles that touch it.")
    smash: bool | None = _does("Hits of a natural 6 ignore Defense.")
    six: Amount | None = _does("A natural 6 in melee counts as so many hits.")
    hail: Amount | None = _does("A natural 6 at range counts as so many hits.")
    burst: bool | None = _does("A natural 6 at range counts as D6 hits.")
    nightmare: Amount | None = _does("Every melee hit also is a Horror Hit of so much sanity damage.")
    flight: bool | None = _does("Passes over others, and looks for a new target in every activation.")
    swarm: bool | None = _does("Passes over others, and keeps its target.")
    pack: bool | None = _does("One more die in melee for every model of its kind beside it.")
    flail: Flail | None = _does("[dice, range]: melee dice against every hero within range and sight.")
    tough: bool | None = _does("Critical hits do not lower its Defense.")
    crit_floor: Amount | None = _does("Critical hits lower its Defense to this number, not to 0.")
    endurance: Amount | None = _does("A hit does at most so many wounds.")
    armor: Amount | None = _does("What a die must show to be spared a wound.")
    cover: Amount | None = _does("What a die must show to be spared a hit.")
    zealot: bool | None = _does("Damage in melee grows by 1 for every wound on the model.")
    dodge: bool | None = _does("Defense grows by 1 for every square between it and the attacker.")
    tail: Amount | None = _does("Heroes who end their move beside it need this number in Agility or bleed.")
    cursed: bool | None = _does("Heroes wounded in melee take a Corruption Hit.")
    hordes: bool | None = _does("More of its kind may come at the end of every turn.")
    spawn: Spawn | None = _does("[number, type]: a die that shows the number brings a model of the type, every turn.")
    explode: Amount | None = _does("Whoever stands beside it when it dies takes a die of wounds with so many sides.")
    regen: Amount | None = _does("Heals so many wounds at the start of a turn.")
    always_ambush: bool | None = _does("Enters by ambush.")
    on_wound: list[Marker] | None = _does("Markers that wounded heroes get.")  # type: ignore[valid-type]
    on_melee_wound: list[Marker] | None = _does(  # type: ignore[valid-type]
        "Markers that heroes get who are wounded in melee."
    )
    gun_ward: Amount | None = _does("More Defense against guns and Hatchets.")
    taint: bool | None = _does("Heroes who end their move beside it take a Corruption Hit.")
    drag: bool | None = _does("Heroes who start beside it need a 5 in Agility or take D6 hits of damage 1.")
    daunt: bool | None = _does("Heroes on its tile need 1 more to hit.")
    spawn_rolls: Amount | None = _does("So many Spawn rolls per turn.")
    six_pierces: bool | None = _does("Wounds of a natural 6 ignore Armor.")
    free_shot: bool | None = _does("A shot at a random hero after its move: range 5, 2 dice, damage D6.")
    again_on_one: bool | None = _does("Rolls its 1s again, once.")
    horror_bonus: Amount | None = _does("More sanity damage of its Horror Hits.")
    double_first: bool | None = _does("The first melee hit on every hero in a turn does double damage.")
    tail_each: bool | None = _does("One success against the Tail for every model beside the hero.")
    tail_d3: bool | None = _does("D3 markers for every missing success against the Tail.")
    cut: bool | None = _does("Heroes who fail to escape from beside it take 3 hits of damage 2.")
    six_shot_bonus: Amount | None = _does("More damage of a natural 6 at range.")
    opening: bool | None = _does("Initiative 6 and 2 more shots in its first turn.")


def ability_problems(abilities: Mapping[str, Any] | None, types: Iterable[str], place: str) -> list[Problem]:
    """What is wrong with a table of abilities; a Spawn must name one of the types."""
    try:
        read = Abilities.model_validate(abilities or {})
    except ValidationError as error:
        return [_problem(part, place) for part in error.errors(include_url=False)]
    if read.spawn is not None and read.spawn[1] not in (known := list(types)):
        return [Problem(f"{place}.spawn", unknown_name(str(read.spawn[1]), known, "type"))]
    return []


def _problem(error: Any, place: str) -> Problem:
    name = str(error["loc"][0])
    key = f"{place}.{name}"
    if error["type"] == "extra_forbidden":
        return Problem(key, f"unknown ability{did_you_mean(name, Abilities.model_fields)}")
    if error["type"] in ("pair", "unknown_name"):
        return Problem(key, error["msg"])
    values = {one: value for one, value, _ in abouts()}
    expected = {"a number": "a whole number from 0 to 40", "true": "true or false"}.get(values[name], values[name])
    return Problem(key, f"expected {expected}, found {error['input']!r}")


def abouts() -> Iterator[tuple[str, str, str]]:
    """(name, its value in words, what it does) of every ability."""
    for name, field in Abilities.model_fields.items():
        plain, number = name in data.PLAIN_ABILITIES, name in data.NUMBER_ABILITIES
        pairs = {"flail": "[dice, range]", "spawn": "[number, type]"}
        value = "true" if plain else "a number" if number else pairs.get(name, "a list of markers")
        yield name, value, str(field.description)

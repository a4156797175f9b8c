"""Types of a scenario's own: tables `monsters` and `classes`, over the tables of the rules (11.4, 11.5)."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.oracle.second_era import data

Entry = dict[str, Any]

WARES = {"health": "H", "stamina": "S", "magicka": "M", "cooldown": "CD"}  # as the purchase lists call them


class Class(NamedTuple):
    """An archetype, what it has instead of the numbers of its race, and whose part it plays in the policies."""

    archetype: data.Archetype
    numbers: dict[str, int]
    plays_as: str
    name: str


def all_creatures(own: dict[str, Entry]) -> dict[str, data.Creature]:
    """SE-U1, SE-U2: the lines of the rules, and those of the scenario, which go before."""
    known = {**data.ENEMY_TYPES, **data.COMPANIONS}
    return known | {name: creature(everything(name, own, {}), own, name, known) for name in own}


def creature(said: Entry, own: dict[str, Entry], name: str, known: dict[str, data.Creature]) -> data.Creature:
    """A line of the tables from what is said, and from the line of the rules that it goes back to."""
    base = last_ancestor(name, own)
    row = known[base]._asdict() if base else {"level": 0, "kind": "", "priority": "", "skills": ()}
    figures = {("kind" if key == "type" else key): value for key, value in said.items() if key not in ("name", "like")}
    return data.Creature(**{**row, **figures})


def all_classes(own: dict[str, Entry]) -> dict[str, Class]:
    """The archetypes of the rules, and those of the scenario, which go before."""
    known = {name: Class(row, {}, name, name) for name, row in data.ARCHETYPES.items()}
    found = dict(known)
    for name, entry in own.items():
        said = everything(name, own, {})
        base = last_ancestor(name, own)
        row = data.ARCHETYPES[base] if base else data.Archetype("", "", "none", (), (), ())
        archetype = data.Archetype(
            said.get("race", row.race),
            said.get("form", row.form),
            said.get("abilities", row.abilities),
            tuple(said.get("start", row.start)),
            tuple(said.get("order", row.type_order)),
            tuple(WARES.get(ware, ware) for ware in said["buys"]) if "buys" in said else row.purchases,
        )
        numbers = {key: said[key] for key in data.Race._fields if key in said}
        found[name] = Class(archetype, numbers, said.get("plays_as", base or "none"), entry.get("name", name))
    return found


def everything(name: str, own: dict[str, Entry], said: Entry) -> Entry:
    """What a type says, then what the one says that it is like, as far as these are the scenario's own."""
    said = {**own[name], **said}
    like = own[name].get("like")
    return said if like is None or like == name or like not in own else everything(like, own, said)


def last_ancestor(name: str, own: dict[str, Entry]) -> str:
    """The type of the rules that a type goes back to; none for one that is made from nothing."""
    like: str = own[name].get("like", "")
    return like if like == name or like not in own else last_ancestor(like, own)

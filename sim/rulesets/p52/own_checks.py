"""What is wrong with monsters and classes of one's own beyond their schema: what cannot be combined, and what lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.own_types import GoesInACircle, in_full
from sim.errors import Problem, did_you_mean
from sim.rulesets.p52 import data
from sim.rulesets.p52.classes import Row, gear_of
from sim.rulesets.p52.monsters import ATTACK_NEEDS, ATTACKS, NEEDS, row_of

NOT_DRAWN = ("extra_turn", "no_start_flip")  # they concern the start, when nobody knows yet who is drawn
MADE_BY_ITSELF = ("must_be_readied", "needs_no_sight", "spreads")  # effects that a beast cannot have


def monster_problems(own: Mapping[str, Row], data_set: str) -> list[Problem]:
    """Everything that keeps a monster from being played, whatever the level of the party."""
    found: list[Problem] = []
    for name in own:
        row = _whole(name, own, data_set)
        if row is None:
            continue  # like somebody whom nobody knows, or in a circle: the caller says so
        place = f"monsters.{name}"
        for way in own[name].get("without") or ():
            if way in own[name]:
                found.append(Problem(f"{place}.without", f"'{way}' is said and left out; do one of the two"))
        ways = [way for way in ATTACKS if way in row]
        if not ways:
            found.append(Problem(place, f"nothing to attack with: say {', '.join(ATTACKS)}, or one of them"))
        for way in ways:
            found += _attack_problems(row[way], f"{place}.{way}", way)
    return found


def _whole(name: str, own: Mapping[str, Row], data_set: str) -> Row | None:
    try:
        return row_of(name, own, data_set)
    except (KeyError, GoesInACircle):
        return None


def _attack_problems(attack: Row, place: str, way: str) -> list[Problem]:
    """An attack that says too little, or is of a kind that cannot be used that way."""
    needs = [key for key in ATTACK_NEEDS if key != "reach" or way != "beast"]
    missing = [key for key in needs if key not in attack]
    found = [Problem(place, f"an attack needs {', '.join(missing)}")] if missing else []
    kind = attack.get("kind")
    if way == "melee" and kind not in (None, "melee"):
        found.append(Problem(f"{place}.kind", f"expected 'melee', found '{kind}'; other kinds belong to `ranged`"))
    if way in ("ranged", "creature") and kind == "melee":
        found.append(Problem(f"{place}.kind", "expected 'ranged' or 'magic', found 'melee'; it belongs to `melee`"))
    if way == "beast":
        if "reach" in attack:
            found.append(Problem(f"{place}.reach", "a beast comes from anywhere and has no reach; leave it out"))
        for effect in attack.get("effects", ()):
            if effect in MADE_BY_ITSELF:
                found.append(Problem(f"{place}.effects", f"a beast cannot have '{effect}'"))
    return found


def unsound(name: str, own: Mapping[str, Row], data_set: str) -> bool:
    """Whether facts cannot be built of a name: it is unknown, or its row lacks something."""
    row = _whole(name, own, data_set)
    if row is None or any(key not in row for key in NEEDS):
        return True
    return any(_attack_problems(row[way], "", way) for way in ATTACKS if way in row)


def class_problems(own: Mapping[str, Row], data_set: str) -> list[Problem]:
    """Names that belong to the other data set, and abilities that cannot be raised."""
    built_in = data.of_set(data_set, "classes")
    found: list[Problem] = []
    for name, written in own.items():
        try:
            row = {"gear": []} | in_full(name, own, built_in)
        except (KeyError, GoesInACircle):
            continue
        for key, what, used in _names_of(written):
            known = data.of_set(data_set, what)
            for one in used:
                if one not in known:
                    wrong = f"'{one}' is not in the set '{data_set}'{did_you_mean(one, known)}"
                    found.append(Problem(f"classes.{name}.{key}", wrong))
        abilities = data.of_set(data_set, "abilities")
        for one in row.get("focus", ()):
            if one in abilities and not abilities[one]["exp"]:
                found.append(Problem(f"classes.{name}.focus", f"'{one}' has no price, so it cannot be raised"))
    return found


def _names_of(written: Mapping[str, Any]) -> list[tuple[str, str, list[str]]]:
    """(key, kind of table, names) of all that a class names."""
    gear = [item for _, item in gear_of({"gear": written.get("gear") or []})]
    names = [("race", "races", [written["race"]])] if "race" in written else []
    names += [(key, "abilities", list(written.get(key) or ())) for key in ("starts", "focus", "wishes")]
    return [*names, ("gear", "gear", gear), ("consumables", "consumables", list(written.get("consumables") or ()))]

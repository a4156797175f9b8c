"""Enemy kinds and their profiles: the figures of a kind with its Brutal side and Elite results (BF-S1, BF-S5).

A kind is a type of the tables or a line of a scenario that changes one. A profile is a kind together with a set of
Elite results: everything that a model's figures depend on. Profiles are numbered when the fight is compiled, and every
figure becomes an array over profiles, so that in the round a figure is one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.schema import Enemies, read_damage

WEAPON = ("range", "shots", "shot_dice", "shot_damage")
PLAIN = ("init", "move", "escape", "th_melee", "th_ranged", "combat", "defense", "health", "xp", "xp_each")
NUMBERS = (*PLAIN, "damage_dice", "damage", *WEAPON, *data.NUMBER_ABILITIES)
DERIVED = ("flail", "flail_range", "spawn_on", "spawn_kind", "size", "behaviour", "passes", "elites", "threat")

# How a figure of the tables is called here.
INNER = {"weapon_damage": "shot_damage"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of enemy before the Brutal side and Elite results."""

    name: str
    base: str  # the type of the tables
    figures: dict[str, Any]
    abilities: dict[str, Any]
    changed: frozenset[str]
    brutal: bool | None
    elites: tuple[int, ...]  # given ones


def printed(name: str) -> Kind:
    """A type as printed."""
    entry = data.types()[name]
    return Kind(name, name, _flat(entry["figures"]), dict(entry["abilities"]), frozenset(), None, ())


def _flat(figures: dict[str, Any]) -> dict[str, Any]:
    """Figures as whole numbers and words: damage and weapon taken apart."""
    flat = dict.fromkeys((*PLAIN, *WEAPON), 0) | {"damage_dice": 0, "damage": 0}
    return flat | _apart(figures)


def _apart(figures: dict[str, Any]) -> dict[str, Any]:
    apart = {key: value for key, value in figures.items() if key not in ("damage", "weapon")}
    if "damage" in figures:
        apart["damage_dice"], apart["damage"] = read_damage(figures["damage"])
    if "weapon" in figures:
        weapon = figures["weapon"]
        apart |= {key: weapon[key] for key in ("range", "shots") if key in weapon}
        if "damage" in weapon:
            apart["shot_dice"], apart["shot_damage"] = read_damage(weapon["damage"])
    return apart


def changed_kind(base: Kind, line: Enemies) -> Kind:
    """A line that changes something of its type makes a kind of its own."""
    changes = line.changes
    figures = _apart({key: value for key, value in changes.items() if key in (*PLAIN, *FIGURE_WORDS)})
    if "weapon" in changes and not base.figures["range"]:
        figures = {"shot_dice": 0, "shot_damage": 1} | figures  # a weapon where there was none
    abilities = changes.get("abilities", base.abilities)
    changed = base.changed | frozenset(figures)
    if "abilities" in changes:
        changed |= frozenset((*data.NUMBER_ABILITIES, *data.PLAIN_ABILITIES))
    return Kind(
        changes.get("name", base.name),
        base.base,
        base.figures | figures,
        dict(abilities),
        changed,
        changes.get("brutal", base.brutal),
        tuple(sorted(changes.get("elites", base.elites))),
    )


FIGURE_WORDS = ("damage", "weapon", "size", "behaviour")


def brutal_side(kind: Kind) -> tuple[dict[str, Any], dict[str, Any]]:
    """BF-S1: figures and abilities of the Brutal side."""
    figures, abilities = dict(kind.figures), dict(kind.abilities)
    side = data.types()[kind.base].get("brutal")
    if side is not None:
        figures |= {key: value for key, value in _apart(side["figures"]).items() if key not in kind.changed}
        abilities |= {key: value for key, value in side.get("abilities", {}).items() if key not in kind.changed}
        return figures, abilities
    figures["health"] = -(-figures["health"] * 7 // 4)
    if figures["combat"] or "flail" in abilities:
        figures["damage"] += 1
    if figures["combat"]:
        figures["combat"] += 1
    elif "flail" in abilities:
        dice, reach = abilities["flail"]
        abilities["flail"] = [dice + 1, reach]
    if figures["range"]:
        figures["shot_damage"] += 1
    if figures["move"]:
        figures["move"] += 1
    figures["xp"] += 5 if figures["xp_each"] else 10
    return figures, abilities


def chart(base: str, brutal: bool) -> list[dict[str, Any]]:
    """The Elite chart of a type."""
    entry = data.types()[base]
    return list(entry.get("brutal_elites", entry["elites"]) if brutal else entry["elites"])


def modelled(base: str, brutal: bool) -> tuple[int, ...]:
    """The results of a chart that are modelled, 1 to 6."""
    return tuple(number for number, result in enumerate(chart(base, brutal), start=1) if "none" not in result)


def figures_of(kind: Kind, brutal: bool, elites: tuple[int, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """BF-S1, BF-S5: figures and abilities in play; Elite results in ascending order, after the Brutal side."""
    figures, abilities = brutal_side(kind) if brutal else (dict(kind.figures), dict(kind.abilities))
    results = chart(kind.base, brutal)
    any_elite = data.types()[kind.base].get("any_elite")
    if elites and any_elite and not brutal:
        figures |= any_elite["set"]
    for number in sorted(elites):
        _apply(figures, abilities, results[number - 1])
    return figures, abilities


def _apply(figures: dict[str, Any], abilities: dict[str, Any], result: dict[str, Any]) -> None:
    """One Elite result."""
    for key, value in result.get("add", {}).items():
        if key == "flail":
            if "flail" in abilities:
                abilities["flail"] = [abilities["flail"][0] + value, abilities["flail"][1]]
        elif key != "weapon_damage" or figures["range"]:
            figures[INNER.get(key, key)] += value
    for key, value in result.get("set", {}).items():
        figures[INNER.get(key, key)] = value
        if key in ("damage", "weapon_damage"):
            figures["damage_dice" if key == "damage" else "shot_dice"] = 0  # a number instead of a die
    abilities |= result.get("abilities", {})
    for key, value in result.get("raise", {}).items():
        abilities[key] = abilities.get(key, 0) + value
    for key in ("on_wound", "on_melee_wound"):
        if key in result:
            abilities[key] = list(result[key])
    if "spawn_on" in result and "spawn" in abilities:
        abilities["spawn"] = [result["spawn_on"], abilities["spawn"][1]]


def threat(figures: dict[str, Any], abilities: dict[str, Any]) -> int:
    """BF-P12, in twelfths: dice x (7 - best To Hit) x mean damage of the attack with the most dice."""
    melee = 7 * figures["damage_dice"] + 2 * figures["damage"]
    attacks = [(figures["combat"], melee)]
    if figures["range"]:
        attacks.append((figures["shots"], 7 * figures["shot_dice"] + 2 * figures["shot_damage"]))
    if "flail" in abilities:
        attacks.append((abilities["flail"][0], melee))
    dice, mean = max(attacks)
    numbers = [figures[key] for key in ("th_melee", "th_ranged") if figures[key]]
    return dice * (7 - min(numbers)) * mean if numbers else 0


def with_spawn(kinds: Sequence[Kind], number: Mapping[str, int], wanted: Iterable[int]) -> list[int]:
    """These kinds and what they spawn in turn; `number` knows the kinds by name."""
    found = set(wanted)
    queue = sorted(found)
    for kind in queue:
        spawn = kinds[kind].abilities.get("spawn")
        if spawn and number[spawn[1]] not in found:
            found.add(number[spawn[1]])
            queue.append(number[spawn[1]])
    return sorted(found)


class Bestiary:
    """All kinds and profiles of a fight."""

    def __init__(self, kinds: list[Kind], wanted: list[int], posse_level: int, extra_elite: int) -> None:
        """`wanted` are the kinds that may appear; the kinds that they spawn are added."""
        brutal_by_level, owed = level_bonus(posse_level)
        self.kinds = kinds
        self.owed = owed + extra_elite
        self.number = {name: number for number, name in enumerate(data.types())}
        for number, made in enumerate(kinds):
            self.number.setdefault(made.name, number)
        self.brutal = [brutal_by_level if kind.brutal is None else kind.brutal for kind in kinds]
        self.wanted = with_spawn(kinds, self.number, wanted)
        self.first: dict[int, int] = {}  # kind -> its first profile
        self.by_mask: dict[tuple[int, int], int] = {}  # (kind, Elite results as bits) -> profile
        self.profiles: list[tuple[int, dict[str, Any], dict[str, Any], int]] = []
        for kind in self.wanted:
            self.first[kind] = len(self.profiles)
            for held in self.elite_sets(kind):
                mask = sum(1 << number for number in held)
                if (kind, mask) not in self.by_mask:
                    self.by_mask[kind, mask] = len(self.profiles)
                    figures, abilities = figures_of(kinds[kind], self.brutal[kind], held)
                    self.profiles.append((kind, figures, abilities, len(held)))
        self.table = self._table()

    def open_results(self, kind: int) -> tuple[int, ...]:
        """BF-S5: the results of the kind's chart that it may still roll."""
        given = self.kinds[kind].elites
        return tuple(n for n in modelled(self.kinds[kind].base, self.brutal[kind]) if n not in given)

    def draws(self, kind: int) -> int:
        """BF-S5: how many Elite abilities are rolled; given ones count toward the number owed."""
        return min(max(0, self.owed - len(self.kinds[kind].elites)), len(self.open_results(kind)))

    def elite_sets(self, kind: int) -> list[tuple[int, ...]]:
        """Every set of Elite results that the kind can hold in a run."""
        given = self.kinds[kind].elites
        chosen = combinations(self.open_results(kind), self.draws(kind))
        return [tuple(sorted((*given, *more))) for more in chosen]

    def elites_of(self, profile: int) -> list[int]:
        """The Elite results of a profile, 1 to 6."""
        mask = next(mask for (_, mask), row in self.by_mask.items() if row == profile)
        return [number for number in range(1, 7) if mask & 1 << number]

    def _table(self) -> dict[str, NDArray[np.int16]]:
        """Every figure over profiles."""
        rows: list[dict[str, int]] = []
        for kind, figures, abilities, elites in self.profiles:
            row = {key: int(figures.get(key, 0)) for key in (*PLAIN, "damage_dice", "damage", *WEAPON)}
            row |= {key: int(abilities.get(key, 0)) for key in (*data.NUMBER_ABILITIES, *data.PLAIN_ABILITIES)}
            row["flail"], row["flail_range"] = abilities.get("flail", (0, 0))
            row["spawn_on"], spawned = abilities.get("spawn", (0, None))
            row["spawn_kind"] = -1 if spawned is None else self.number[spawned]
            row["size"] = data.SIZES.index(figures["size"])
            row["behaviour"] = data.BEHAVIOURS.index(figures["behaviour"])
            row["passes"] = row["flight"] | row["swarm"]
            row["elites"] = elites
            row["threat"] = threat(figures, abilities)
            row["kind"] = kind
            row["spawn_rolls"] = max(1, row["spawn_rolls"])
            for marker in data.MARKERS:
                row[f"wound:{marker}"] = marker in abilities.get("on_wound", ())
                row[f"melee_wound:{marker}"] = marker in abilities.get("on_melee_wound", ())
            rows.append(row)
        keys = rows[0] if rows else {}
        return {key: np.array([row[key] for row in rows], dtype=np.int16) for key in keys}


def level_bonus(posse_level: int) -> tuple[bool, int]:
    """BF-S1: (Brutal side, number of Elite abilities) by posse level."""
    return posse_level >= 5, {3: 1, 4: 2, 7: 1, 8: 2}.get(posse_level, 0)

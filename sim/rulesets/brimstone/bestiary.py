"""Enemy kinds and their profiles: the figures of a kind with its Brutal side and Elite results (BF-S1, BF-S5).

A kind is a type of the tables or a line of a scenario that changes one. A profile is a kind together with a set of
Elite results: everything that a model's figures depend on. Profiles are numbered when the fight is compiled, and every
figure becomes an array over profiles, so that in the round a figure is one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sim.core.own_types import line_of, said
from sim.core.varying import Varies, may_vary, unread
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.abilities import Abilities
from sim.rulesets.brimstone.changes import NOTHING, Change, read_change
from sim.rulesets.brimstone.dice_texts import read_damage
from sim.rulesets.brimstone.monsters import Monster
from sim.rulesets.brimstone.schema import Enemies

WEAPON = ("range", "shots", "shot_dice", "shot_damage")
PLAIN = ("init", "move", "escape", "th_melee", "th_ranged", "combat", "defense", "health", "xp", "xp_each")
EVERY_ABILITY = tuple(Abilities.model_fields)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of enemy before the Brutal side and Elite results."""

    name: str  # as people read it
    base: str  # the type of the game that it comes from; an own type that is like none of them stands for itself
    figures: dict[str, Any]
    abilities: dict[str, Any]
    changed: frozenset[str] = frozenset()  # by a line: what a printed Brutal side leaves alone
    side: Change | None = None  # its printed Brutal side; None for the general rule
    charts: tuple[tuple[Change, ...], tuple[Change, ...]] = ((), ())  # Elite results, normal and Brutal
    any_elite: Change = NOTHING  # what any Elite result brings besides, on the normal side
    brutal: bool | None = None
    elites: tuple[int, ...] = ()  # given ones

    # While a fight is played nobody reads these, but the figures of profiles that were made of them.
    VARIES: ClassVar[Varies] = may_vary(
        figures=unread, abilities=unread, changed=unread, side=unread, any_elite=unread
    )

    def chart(self, brutal: bool) -> tuple[Change, ...]:
        """The Elite chart of a side."""
        return self.charts[brutal]

    def modelled(self, brutal: bool) -> tuple[int, ...]:
        """The results of a chart that are modelled, 1 to 6."""
        return tuple(number for number, result in enumerate(self.chart(brutal), start=1) if result.modelled)


BLANK = dict.fromkeys((*PLAIN, *WEAPON, "damage_dice", "damage"), 0) | {"size": "M", "behaviour": "melee"}


def kind_of_type(name: str, own: Mapping[str, Monster]) -> Kind:
    """A type of the game, or one of the designer's: what it says over what stands in the type that it is like."""
    return _kind_of(name, own) if own else _kind_of_game(name)


@cache
def _kind_of_game(name: str) -> Kind:
    """A type of the game as it is, made once."""
    return _kind_of(name, {})


def _kind_of(name: str, own: Mapping[str, Monster]) -> Kind:
    tables = list(reversed(line_of(name, said(own), data.types())))
    kind = Kind(_oldest(name, own), _oldest(name, own), dict(BLANK), {})
    for table in tables:
        kind = kind_with(kind, table)
    return replace(kind, name=tables[-1].get("name", name))


def _oldest(name: str, own: Mapping[str, Monster]) -> str:
    """The type of the game that a type comes from, or the designer's own that is like no other."""
    while name not in data.types():
        like: str | None = own[name].like
        if like is None:
            break
        name = like
    return name


def kind_with(kind: Kind, table: Mapping[str, Any]) -> Kind:
    """A kind with what the table of a type says over it."""
    figures, abilities = _apart(table, armed=kind.figures["range"] > 0), dict(table.get("abilities", kind.abilities))
    side = kind.side and kind.side.without(_said(figures, table))
    if "brutal_side" in table:
        side = read_change(table["brutal_side"])
    charts = kind.charts
    if "elite_chart" in table:
        charts = (_chart(table["elite_chart"]), _chart(table["elite_chart"]))
    if "brutal_chart" in table:
        charts = (charts[0], _chart(table["brutal_chart"]))
    any_elite = read_change(table["any_elite"]) if "any_elite" in table else kind.any_elite
    return replace(
        kind, figures=kind.figures | figures, abilities=abilities, side=side, charts=charts, any_elite=any_elite
    )


def _chart(texts: Iterable[str]) -> tuple[Change, ...]:
    return tuple(read_change(text) for text in texts)


def _said(figures: Mapping[str, Any], table: Mapping[str, Any]) -> frozenset[str]:
    """The figures and abilities that somebody has said: a printed Brutal side leaves them alone."""
    return frozenset(figures) | frozenset(EVERY_ABILITY if "abilities" in table else ())


def _apart(table: Mapping[str, Any], armed: bool) -> dict[str, Any]:
    """The figures that a table says: damage and weapon taken apart.

    Of a weapon that is there before (`armed`) a part may be said; otherwise it does 1 damage unless it is said.
    """
    apart = {key: table[key] for key in (*PLAIN, "size", "behaviour") if key in table}
    if "damage" in table:
        apart["damage_dice"], apart["damage"] = read_damage(table["damage"])
    if "weapon" in table:
        weapon = table["weapon"]
        apart |= {key: weapon[key] for key in ("range", "shots") if key in weapon}
        if "damage" in weapon or not armed:
            apart["shot_dice"], apart["shot_damage"] = read_damage(weapon.get("damage", 1))
    return apart


def changed_kind(base: Kind, line: Enemies) -> Kind:
    """A line that changes something of its type makes a kind of its own."""
    changes = line.changes
    figures = _apart(changes, armed=base.figures["range"] > 0)
    return replace(
        base,
        name=changes.get("name", base.name),
        figures=base.figures | figures,
        abilities=dict(changes.get("abilities", base.abilities)),
        changed=base.changed | _said(figures, changes),
        brutal=changes.get("brutal", base.brutal),
        elites=tuple(sorted(changes.get("elites", base.elites))),
    )


def brutal_side(kind: Kind) -> tuple[dict[str, Any], dict[str, Any]]:
    """BF-S1: figures and abilities of the Brutal side."""
    figures, abilities = dict(kind.figures), dict(kind.abilities)
    if kind.side is not None:
        kind.side.apply(figures, abilities, kept=kind.changed)
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


def figures_of(kind: Kind, brutal: bool, elites: tuple[int, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """BF-S1, BF-S5: figures and abilities in play; Elite results in ascending order, after the Brutal side."""
    figures, abilities = brutal_side(kind) if brutal else (dict(kind.figures), dict(kind.abilities))
    if elites and not brutal:
        kind.any_elite.apply(figures, abilities)
    for number in sorted(elites):
        kind.chart(brutal)[number - 1].apply(figures, abilities)
    return figures, abilities


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

    def __init__(
        self, kinds: list[Kind], number: Mapping[str, int], wanted: list[int], posse_level: int, extra_elite: int
    ) -> None:
        """`wanted` are the kinds that may appear; the kinds that they spawn are added. `number` knows types by name."""
        brutal_by_level, owed = level_bonus(posse_level)
        self.kinds = kinds
        self.owed = owed + extra_elite
        self.number = number
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

    def __eq__(self, other: object) -> bool:
        """Whether the same kinds may be met with the same sets of Elite results; their figures may differ."""
        if not isinstance(other, Bestiary):
            return NotImplemented
        same_sets = self.by_mask == other.by_mask and self.owed == other.owed and self.number == other.number
        return same_sets and all(self.brutal[kind] == other.brutal[kind] for kind in self.wanted)

    __hash__ = None  # type: ignore[assignment]

    def profiles_of(self, kind: int) -> list[int]:
        """The profiles that models of a kind may have."""
        return [row for row, (owner, *_) in enumerate(self.profiles) if owner == kind]

    def open_results(self, kind: int) -> tuple[int, ...]:
        """BF-S5: the results of the kind's chart that it may still roll."""
        given = self.kinds[kind].elites
        return tuple(n for n in self.kinds[kind].modelled(self.brutal[kind]) if n not in given)

    def result(self, kind: int, number: int) -> Change:
        """A result of the kind's chart, 1 to 6."""
        return self.kinds[kind].chart(self.brutal[kind])[number - 1]

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

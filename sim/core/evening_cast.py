"""The cast of an evening: heroes once, enemies of all scenes, and the columns that tell of every scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sim.core.evening_scenes import AnyScene, FightScene, Gained
from sim.core.outcomes import Ability, Cast, Unit, room_counts

PARTS, IN_PARTS = 1_000, ", in thousandths"  # shares are counted so: sums stay whole numbers
MISSING = "missing_"  # before the name of a hero: who is down or dead at the end of a fight that was come through
SCENES, TURNED_BACK = "scenes", "turned_back"  # columns of every evening


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the units and abilities of one fight stand in the tables of the evening."""

    units: tuple[int, ...]
    abilities: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Register:
    """Which rows of the evening's tables belong to whom."""

    units: dict[tuple[str, str], int]  # side and name -> row
    abilities: dict[tuple[int, str], int]  # row of the unit and name -> row
    enemies: tuple[str, ...]  # of all fights, as often as they occur

    def rows(self, cast: Cast, place: int) -> Rows:
        """Those of the fight at a place."""
        mine = [self.units[unit.side, _called(unit, place, self.enemies)] for unit in cast.units]
        deeds = [self.abilities[mine[ability.unit], ability.name] for ability in cast.abilities]
        return Rows(tuple(mine), tuple(deeds))


def scene_counts(number: int, names: Sequence[str]) -> dict[str, str]:
    """Columns for what can be asked of the party after a scene (counted from 0): name -> column."""
    return {name: f"room_{number + 1}_{name}" for name in names}


def drawn_count(number: int) -> str:
    """The column for evenings that came to the round cap in a scene, counted from 0."""
    return f"room_{number + 1}_drawn"


def united(
    scenes: Sequence[AnyScene], asked: Mapping[str, bool], highest: Mapping[int, Sequence[Gained]]
) -> tuple[Cast, Register]:
    """The cast of the evening: heroes once, enemies of all scenes; and whose rows are where.

    Args:
        asked: what is counted after every scene, and whether it is a share.
        highest: by place of a fight, the levels that heroes may have gained by XP.
    """
    fights = {place: scene for place, scene in enumerate(scenes) if isinstance(scene, FightScene)}
    casts = {place: scene.encounter.cast for place, scene in fights.items()}
    enemies = tuple(unit.name for cast in casts.values() for unit in cast.units if unit.side == "enemy")
    every = list(casts.items())
    every += [(place, fights[place].of(gained).encounter.cast) for place in fights for gained in highest.get(place, ())]
    units: dict[tuple[str, str], Unit] = {}
    for side in ("party", "enemy"):  # the party first, whoever joins it later
        for place, cast in every:
            for unit in cast.units:
                if unit.side == side:
                    key = (side, _called(unit, place, enemies))
                    units[key] = _joined(units.get(key), unit, key[1])
    order = {key: row for row, key in enumerate(units)}
    abilities: dict[tuple[int, str], Ability] = {}
    for place, cast in every:
        for ability in cast.abilities:
            unit = cast.units[ability.unit]
            row = order[unit.side, _called(unit, place, enemies)]
            abilities.setdefault((row, ability.name), Ability(row, ability.name, ability.common))
    cast = Cast(
        tuple(units.values()),
        tuple(abilities.values()),
        _counts(scenes, list(casts.values()), asked),
        tuple(dict.fromkeys(name for _, cast in every for name in cast.met)),
        tuple(scene.name for scene in scenes),
        tuple(scene.kind for scene in scenes),
    )
    return cast, Register(order, {deed: row for row, deed in enumerate(abilities)}, enemies)


def _called(unit: Unit, place: int, names: Sequence[str]) -> str:
    """Enemies of one name in several scenes are told apart by the scene."""
    return f"{unit.name} (scene {place + 1})" if unit.side == "enemy" and names.count(unit.name) > 1 else unit.name


def _joined(known: Unit | None, unit: Unit, name: str) -> Unit:
    """A unit that may have been there before: its hit points are unknown where a level changed them."""
    same = known is None or known.max_hp == unit.max_hp
    return Unit(name, unit.side, unit.kind, unit.max_hp if same else None)


def _counts(scenes: Sequence[AnyScene], casts: Sequence[Cast], asked: Mapping[str, bool]) -> dict[str, str]:
    counts: dict[str, str] = {}
    for cast in casts:
        counts |= cast.plain_counts
    counts |= {SCENES: "scenes that the party came to", TURNED_BACK: "evenings on which the party turned back"}
    for place, scene in enumerate(scenes):
        words = ("came to", "came through", "rounds of", "hit points left after")
        counts |= {name: f"{word} {scene.name}" for name, word in zip(room_counts(place), words, strict=True)}
        counts[drawn_count(place)] = f"came to the round cap in {scene.name}"
        for name, column in scene_counts(place, list(asked)).items():
            about = f"{name.removeprefix(MISSING)} is missing" if name.startswith(MISSING) else name
            counts[column] = f"{about} after {scene.name}{IN_PARTS if asked[name] else ''}"
    return counts

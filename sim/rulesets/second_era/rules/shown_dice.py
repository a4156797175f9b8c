"""Dice as they lie on the table, with what was to be expected of them: for whoever listens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from sim.core.lanes import Small, Tiny
from sim.core.telling import Roll as ShownRoll
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import DEFENSIVE
from sim.rulesets.second_era.rules.odds import chance_to_defeat, needed_to_defeat, sums
from sim.rulesets.second_era.rules.roll import Die, Roll
from sim.rulesets.second_era.state import State

FACE_WORDS = {  # what lies on the table; a face that is a number is its damage
    "T": "tenacity",
    "a": "2 for each shield",
    "b": "3 for each shield",
    "3f": "3 with fatigue",
    "o4": "4 with Bane",
    "o5": "5 with draining",
    "4x": "4 with backlash",
    "t2": "nothing",
    "h": "healing",
    "p": "a purge",
    "b2": "2 dice of healing",
    "b4": "4 dice of healing",
    "c1": "a cloak of 1",
    "c2": "a cloak of 2",
    "ci": "a cloak with fatigue",
}


def skill_dice(s: State, rolled: Sequence[Die], roll: Roll) -> list[ShownRoll]:
    """The dice of an engage, kind by kind; of those that strike a target also their damage and its mean.

    The chance that all of them together defeat the target, if there is one, stands with the last kind.
    """
    shown = []
    for code, alike in groupby(rolled, key=lambda die: die.code):
        faces = [int(die.face[0]) for die in alike]
        words = tuple(FACE_WORDS.get(face, face) for face in (data.skill_dice()[code].faces[one] for one in faces))
        purpose = f"with {data.CALLED[code]}"
        if roll.aimed[0] and code in data.STRIKING and roll.form != DEFENSIVE:
            values = data.VALUES[code]
            shown.append(_striking(words, [values[face] for face in faces], values, purpose))
        else:
            shown.append(ShownRoll(words, purpose=purpose))
    chance = chance_to_defeat(s, rolled, roll)
    if chance:
        shown[-1] = replace(shown[-1], needed=needed_to_defeat(s, rolled, roll), chance=min(chance, 1.0))
    return shown


def enemy_dice(
    s: State,
    faces: Sequence[Small | Tiny],
    again: Sequence[Tiny] | None = None,
    needed: int | None = None,
    measure: str = "damage",
) -> ShownRoll:
    """Enemy Combat dice as they fell first.

    Args:
        again: the faces of the rerolls of who rerolls every 0; None for who does not.
        needed: the sum that defeats the target, where the dice alone decide.
    """
    first = [int(face[0]) for face in faces]
    values = [int(face) for face in s.facts.faces]
    came = list(first)
    if again is not None:
        came += [int(face[0]) for face in again]
        values = [second for face in values for second in ([face] * 6 if face else values)]  # 36 ways, all alike
    shown = _striking(tuple(map(str, first)), came, values, "with Combat dice", measure)
    if needed is None:
        return shown
    chance = sum(chance for total, chance in sums([values] * len(first)).items() if total >= needed)
    if not chance:
        return shown
    return replace(shown, needed=f"{needed} to defeat", chance=min(chance, 1.0))


def reroll(again: Sequence[Tiny]) -> ShownRoll:
    """The dice that were rolled once more; what was to be expected of them is told with the first roll."""
    faces = [int(face[0]) for face in again]
    hits = tuple(face > 0 for face in faces)
    return ShownRoll(tuple(map(str, faces)), purpose="to better what showed 0", counted=hits)


def _striking(
    faces: tuple[str, ...], came: Sequence[int], values: Sequence[int], purpose: str, measure: str = "damage"
) -> ShownRoll:
    """Dice that count what they show; `values` are the ways in which one of them can come out, all equally likely."""
    return ShownRoll(
        faces,
        purpose=purpose,
        counted=tuple(value > 0 for value in came[: len(faces)]),
        came=float(sum(came)),
        expected=len(faces) * sum(values) / len(values),
        measure=measure,
    )

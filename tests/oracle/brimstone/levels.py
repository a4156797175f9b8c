"""Section 11.7: hero levels."""

from __future__ import annotations

from typing import Any

from .kit import GUNS, SKILLS
from .sheets import Sheet

# 11.7: cumulative gains of `level_model` = fixed.
LEVELS: dict[int, dict[str, int]] = {
    1: {},
    2: {"health": 2, "sanity": 2},
    3: {"health": 4, "sanity": 4, "max_grit": 1},
    4: {"health": 6, "sanity": 6, "max_grit": 1, "combat": 1, "shot_bonus": 1},
    5: {"health": 8, "sanity": 8, "max_grit": 1, "combat": 1, "shot_bonus": 1},
    6: {"health": 10, "sanity": 10, "max_grit": 2, "combat": 1, "shot_bonus": 1, "dmg_bonus": 1},
    7: {"health": 12, "sanity": 12, "max_grit": 2, "combat": 1, "shot_bonus": 1, "dmg_bonus": 1},
    8: {"health": 14, "sanity": 14, "max_grit": 2, "combat": 2, "shot_bonus": 2, "dmg_bonus": 1, "init": 1},
}
LEVEL_COST = {2: 500, 3: 1000, 4: 2000, 5: 3000, 6: 4500, 7: 6000, 8: 8000}


def main_to_hit(sheet: Sheet) -> str:
    """11.7: ranged if the class has a gun in its kit, else melee."""
    return "th_ranged" if sheet.class_guns else "th_melee"


def better(sheet: Sheet, figure: str) -> bool:
    """11.7: one better, not below 3+; False if nothing changed."""
    value = getattr(sheet, figure)
    if value <= 3:
        return False
    setattr(sheet, figure, value - 1)
    return True


def raise_fixed(sheet: Sheet) -> None:
    """11.7, `level_model` = fixed."""
    for figure, gain in LEVELS[sheet.level].items():
        setattr(sheet, figure, getattr(sheet, figure) + gain)
    if sheet.level >= 5:
        better(sheet, main_to_hit(sheet))
    if sheet.level >= 7:
        better(sheet, "defense")
    if sheet.level >= 8:
        better(sheet, "willpower")


def raise_by_chart(sheet: Sheet, luck: Any, known: int = 1) -> None:
    """11.7, `level_model` = chart: one roll of 2D6 for every level above the known one."""
    for level in range(known + 1, sheet.level + 1):
        for attempt in range(20):
            if chart_gain(sheet, luck, 100 * level, attempt):
                break


def chart_gain(sheet: Sheet, luck: Any, index: int, attempt: int) -> bool:
    """One row of the level chart; False if the roll has to be repeated."""
    me = sheet.number
    main = main_to_hit(sheet)
    other = "th_melee" if main == "th_ranged" else "th_ranged"
    roll = luck.die(6, "11.7", 0, me, index + 2 * attempt) + luck.die(6, "11.7", 0, me, index + 2 * attempt + 1)
    if roll == 2:
        return better(sheet, main) or better(sheet, other)
    if roll == 3:
        return better(sheet, "defense") or better(sheet, "willpower")
    if roll in (6, 7, 8):
        skill = SKILLS[luck.below(6, "11.7", 0, me, index + 92)]
        setattr(sheet, skill, max(getattr(sheet, skill), min(6, getattr(sheet, skill) + 1)))
        points = luck.die(6, "11.7", 0, me, index + 93)
        sheet.health += (points + 1) // 2
        sheet.sanity += points // 2
        return True
    if roll >= 11:
        guns = sheet.class_guns
        if guns and GUNS[guns[0]].shots + sheet.shot_bonus < 5:
            sheet.shot_bonus += 1
        elif not guns and sheet.combat < 5:
            sheet.combat += 1
        else:
            sheet.init += 1
        return True
    sheet.health += luck.die(3, "11.7", 0, me, index + 90)
    sheet.sanity += luck.die(3, "11.7", 0, me, index + 91)
    if roll in (4, 5):
        sheet.move_bonus += 1
    elif not sheet.ally:
        sheet.max_grit += 1
    return True

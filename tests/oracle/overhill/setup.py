"""Before round 1: who is there, engagement, trap."""

from __future__ import annotations

from tests.oracle.overhill.addresses import ENEMIES, TABLE, Luck
from tests.oracle.overhill.build import Prepared, Row, roll_dice, row_of
from tests.oracle.overhill.damage import lose_health
from tests.oracle.overhill.dice import roll_attribute
from tests.oracle.overhill.hero_moves import form_up
from tests.oracle.overhill.state import (
    Fight,
    Group,
    hero_number,
    living_groups,
    monster_number,
    no_kills,
    standing_heroes,
)


def set_up(prepared: Prepared, luck: Luck, trace: list[str] | None = None) -> Fight:
    """OU-S1 to OU-S3, OU-S6: build, numbers, scaling, formation."""
    fight = Fight(prepared, luck, trace)
    what = prepared.fixed
    if what is None:
        what = prepared.rows.get(roll_dice(prepared.roll, luck, "OU-11.7", TABLE), Row((), False))
    fight.trap = what.trap
    fight.surprise = what.surprise
    for sheet in what.groups:
        n = roll_dice(sheet.count, luck, "OU-S2", ENEMIES + sheet.index)
        if prepared.rules.scaling in ("number", "all"):
            n = n * (2 + prepared.scale) // 2
        fight.groups.append(Group(sheet, n))
    fight.kills_now = no_kills(fight)
    fight.kills_prev = no_kills(fight)
    form_up(fight)
    return fight


def engagement(fight: Fight) -> str:
    """OU-S7, and `prudent`: attack, talk or sneak."""
    chosen = fight.prepared.engage
    if chosen is not None:
        return chosen
    if fight.prepared.policy == "prudent" and monster_number(fight) > 2 * hero_number(fight):
        all_talk = all(group.sheet.talk is not None for group in living_groups(fight))
        return "talk" if all_talk else "sneak"
    return "attack"


def talk(fight: Fight) -> str:
    """OU-S8: the row of the reaction table."""
    modifiers = [group.sheet.talk for group in living_groups(fight)]
    if None in modifiers:
        return "hostile"
    dice = fight.luck.die(6, "OU-S8", 0, TABLE, 0) + fight.luck.die(6, "OU-S8", 0, TABLE, 1)
    return row_of(fight.prepared.reactions, dice + min(modifiers))


def sneak_past(fight: Fight) -> bool:
    """OU-S9: who must beat the highest alert value with the quick die."""
    alert = max(group.sheet.alert for group in living_groups(fight))
    check = fight.rules.stealth_check
    rolling = standing_heroes(fight)
    if check == "leader":
        rolling = [max(rolling, key=lambda hero: (hero.quick, -hero.index))]
    elif check == "weakest":
        rolling = [min(rolling, key=lambda hero: (hero.quick, hero.index))]
    passed = sum(1 for hero in rolling if roll_attribute(fight, hero, "quick", "OU-S9", hero.index) > alert)
    if check == "majority":
        return 2 * passed >= len(rolling)
    return passed == len(rolling)


def engage(fight: Fight) -> tuple[str, bool]:
    """OU-S7 to OU-S9: how it begins ("combat", "surprise" or "avoided"), and whether as friends."""
    how = engagement(fight)
    if how == "talk" and all(group.sheet.talk is not None for group in living_groups(fight)):
        row = fight.prepared.reactions[talk(fight)]
        if row.avoided:
            return "avoided", row.friendly
        return ("surprise" if row.surprise and fight.rules.talk_fail == "surprise" else "combat"), False
    if how == "sneak":
        if sneak_past(fight):
            return "avoided", False
        return ("surprise" if fight.rules.sneak_fail == "surprise" else "combat"), False
    return "combat", False


def spring_trap(fight: Fight) -> None:
    """OU-S11: a random front hero makes a quick check of difficulty 3 or loses 1d4."""
    front = [hero for hero in fight.heroes if hero.front and hero.health > 0]
    if not front:
        return
    hero = front[fight.luck.below(len(front), "OU-S11", 0, TABLE)]
    if roll_attribute(fight, hero, "quick", "OU-S11", hero.index) < fight.rules.check_target:
        lose_health(fight, hero, fight.luck.die(4, "OU-S11", 0, hero.index, 1))

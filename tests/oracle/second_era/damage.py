"""Damage, prevention, defeat and healing (sections 7.1 to 7.3, SE-A17, and the skills that act on damage)."""

from __future__ import annotations

from tests.oracle.second_era import data
from tests.oracle.second_era.state import Battle, Creature, Hero, Unit
from tests.oracle.second_era.track import enter, gain_tenacity, lose_status


def hit(
    battle: Battle, target: Unit, source: Unit | None, amount: int, true: bool = False, dodge: int = 0
) -> None:
    """One instance of damage, from a unit or (None) from a status, fatigue or Decay (SE-D1, SE-D11)."""
    if amount <= 0 or not target.in_play:
        return
    if isinstance(target, Hero):
        hit_hero(battle, target, source, amount, true)
    elif isinstance(target, Creature):
        hit_creature(battle, target, source, amount, true, dodge=dodge)


# ---------------------------------------------------------------------------------------------------------------------
# Enemies and companions
# ---------------------------------------------------------------------------------------------------------------------


def hit_creature(
    battle: Battle,
    target: Creature,
    source: Unit | None,
    amount: int,
    true: bool = False,
    ignored: int = 0,
    dodge: int = 0,
) -> int:
    """SE-D1 to SE-D5: one instance; true damage skips SE-D2 (SE-D3). Returns the part of the Dodge stock it used."""
    if amount <= 0 or not target.in_play:
        return 0
    note_dealt(battle, source, amount)
    left, dodged = amount, 0
    if not true:
        left, dodged = after_defense(battle, target, source, amount, ignored, dodge)
        target.prevented_defense += amount - left
    loss = capped_loss(battle, target, source, left)
    if loss >= target.hp and shaded(battle, target, source):
        loss = 0
    lose_hp(battle, target, source, loss)
    if source is not None:
        riposte(battle, target, source, loss)
    return dodged


def after_defense(
    battle: Battle, target: Creature, source: Unit | None, amount: int, ignored: int, dodge: int
) -> tuple[int, int]:
    """SE-D2: what defense, Iron Bark (SE-K14), Dodge (SE-K8) and Ethereal (SE-K13) leave, and the Dodge used."""
    defense = target.defense
    if target.skill("Iron Bark") and source is not None and not battle.adjacent(source, target):
        defense += 1
    left = max(0, amount - max(0, defense - ignored))
    dodged = min(left, dodge) if target.skill("Dodge") else 0
    left -= dodged
    if target.skill("Ethereal") and isinstance(source, Hero) and source.form != "magic":
        left = max(0, left - len(battle.heroes))
    return left, dodged


def capped_loss(battle: Battle, target: Creature, source: Unit | None, left: int) -> int:
    """SE-D4: Elusive (SE-K11), Stalwart (SE-K10), the hit points left, Divert (SE-K9); true damage too."""
    loss = left
    from_afar = source is not None and source is battle.acting and target.slot not in battle.adjacent_at_start
    if from_afar and target.skill("Elusive"):
        loss = 0
    if target.skill("Stalwart"):
        loss = min(loss, max(0, 1 - target.lost_this_turn))
    loss = min(loss, target.hp)
    if target.skill("Divert") and target.hp > 1 and loss == target.hp:
        loss = target.hp - 1
    return loss


def riposte(battle: Battle, target: Creature, source: Unit, loss: int) -> None:
    """SE-K12: the first damage of the turn from an adjacent opposing unit is answered at once."""
    back = target.skill("Riposte")
    if not back or target.riposte_used or not target.in_play or not source.in_play:
        return
    if source.is_enemy == target.is_enemy or not battle.adjacent(source, target):
        return
    if loss >= 1 or battle.switches["riposte_trigger"] == "dealt":
        target.riposte_used = True
        if battle.trace is not None:
            battle.tell(f"{target.name} ripostes {source.name} for {back}")
        hit(battle, source, target, back)


# ---------------------------------------------------------------------------------------------------------------------
# Adventurers
# ---------------------------------------------------------------------------------------------------------------------


def hit_hero(battle: Battle, target: Hero, source: Unit | None, amount: int, true: bool) -> None:
    """SE-D6, SE-D7: Guard, bonus HP, HP; the abilities of 11.6 and 11.7 in between."""
    note_dealt(battle, source, amount)
    from_enemy = source is not None and source.is_enemy
    left = amount
    if not true:
        if from_enemy:
            left = guard(battle, target, left)
            left = imperial(battle, target, left)
        absorbed = min(left, target.bonus_hp)
        target.bonus_hp -= absorbed
        target.prevented_bonus += absorbed
        left -= absorbed
        if from_enemy and argonian(battle, target, left):
            left = 0
    if left >= target.hp and shaded(battle, target, source):
        left = 0
    lose_hp(battle, target, source, min(left, target.hp))


def guard(battle: Battle, hero: Hero, left: int) -> int:
    """SE-A17: active dice are spent, the largest that is not wasted first."""
    if battle.switches["guard"] == "never":
        return left
    while left > 0:
        spot = guard_die(hero, left)
        if spot < 0:
            break
        die, x = hero.active.pop(spot)
        hero.prevented_guard += min(x, left)
        left = max(0, left - x)
        enter(battle, hero, die)
    return left


def guard_die(hero: Hero, left: int) -> int:
    """The place of the die that Guard spends: the largest X not above the damage, else the smallest; -1 if none."""
    places = [place for place, (die, _) in enumerate(hero.active) if die in data.PREVENTING]
    fitting = [place for place in places if hero.active[place][1] <= left]
    if fitting:
        return max(fitting, key=lambda place: (hero.active[place][1], -place))
    return min(places, key=lambda place: (hero.active[place][1], place), default=-1)


def guard_value(unit: Unit) -> int:
    """g of SE-E9: what the unit could prevent."""
    if isinstance(unit, Hero):
        return unit.bonus_hp + sum(x for die, x in unit.active if die in data.PREVENTING)
    return unit.defense if isinstance(unit, Creature) else 0


def racial(battle: Battle, hero: Hero, race: str) -> bool:
    """Whether a racial ability of 11.6 can still be used in this battle."""
    if race.lower().replace(" ", "_") in hero.banned:
        return False
    return battle.switches["racial_abilities"] == "on" and hero.plan.race == race and not hero.race_used


def imperial(battle: Battle, hero: Hero, left: int) -> int:
    """11.6, Imperial: the first instance with 1 to 3 left after Guard is prevented and becomes tenacity."""
    if 1 <= left <= 3 and racial(battle, hero, "Imperial"):
        hero.race_used = True
        gain_tenacity(hero, left)
        return 0
    return left


def argonian(battle: Battle, hero: Hero, left: int) -> bool:
    """11.6, Argonian: prevents an instance that would still cost 3 HP or the last one."""
    if (left >= 3 or left >= hero.hp) and racial(battle, hero, "Argonian"):
        hero.race_used = True
        return True
    return False


def shaded(battle: Battle, member: Unit, source: Unit | None) -> bool:
    """11.7, Summon Shade [1]: a Nightblade gives up its Stealth to prevent deadly damage."""
    if battle.switches["class_abilities"] == "off" or member.is_enemy:
        return False
    by_an_enemy = source is not None and source.is_enemy
    if not by_an_enemy and battle.switches["shade_answers"] == "enemies":
        return False
    if "summon_shade" in battle.switches["ban"]:
        return False
    for hero in battle.standing_heroes():
        ready = hero.plan.abilities == "Nightblade" and hero.tenacity >= 1 and not hero.shade_used
        if ready and hero.has("Stealth"):
            hero.tenacity -= 1
            hero.shade_used = True
            lose_status(battle, hero, "Stealth")
            return True
    return False


# ---------------------------------------------------------------------------------------------------------------------
# Hit points
# ---------------------------------------------------------------------------------------------------------------------


def note_dealt(battle: Battle, source: Unit | None, amount: int) -> None:
    """Damage counts as dealt before prevention; it ends the Stealth of an enemy or a companion (SE-F6)."""
    if source is None:
        return
    source.dealt += amount
    if isinstance(source, Creature):
        source.statuses.discard("Stealth")
        if battle.switches["blind_rule"] == "errata":
            source.statuses.discard("Blind")  # SE-F2


def lose_hp(battle: Battle, target: Unit, source: Unit | None, loss: int) -> None:
    """SE-D5, SE-D8: hit points go; at 0 the unit is defeated and leaves its hex."""
    if loss <= 0:
        return
    target.hp -= loss
    target.taken += loss
    battle.damage_taken = True
    if isinstance(target, Creature):
        target.lost_this_turn += loss
    pair = (data.TABLE if source is None else source.actor, target.actor)
    battle.harm[pair] = battle.harm.get(pair, 0) + loss
    if battle.trace is not None:
        battle.tell(f"{target.name} loses {loss} to {source.name if source else 'no unit'}, {target.hp} left")
    if target.hp == 0:
        if source is not None:
            source.kills += 1
        battle.place(target, -1)
        if isinstance(target, Hero):
            target.active.clear()  # SE-D9


def heal(unit: Unit, amount: int) -> int:
    """SE-D10: never above health, never the defeated. Returns what was healed."""
    if not unit.standing:
        return 0
    healed = min(amount, unit.health - unit.hp)
    unit.hp += healed
    unit.healed += healed
    return healed

"""An adventurer's engage: gather, roll, resolve, finish (sections 5.2 and 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.oracle.second_era import data
from tests.oracle.second_era.damage import heal, hit, hit_creature, racial
from tests.oracle.second_era.state import Battle, Creature, Hero
from tests.oracle.second_era.track import (
    enter,
    gain_fatigue,
    gain_status,
    gain_tenacity,
    lose_status,
    place_active,
)


def may_roll(hero: Hero) -> bool:
    """SE-F3: a Dazed unit that has moved this turn cannot roll."""
    return hero.standing and not (hero.moved and hero.has("Daze"))


def may_move(hero: Hero) -> bool:
    """SE-F3: a Dazed unit that has rolled this turn cannot move."""
    return hero.standing and not (hero.rolled and hero.has("Daze"))


def gather(hero: Hero, types: Sequence[str], form: str, deed: str = "") -> list[str]:
    """SE-A5: the available dice of these types that fit the form, up to S Stamina and M Magicka dice.

    `deed` is what they are gathered for, a word of the switch `ban`; none come together for what is banned.
    """
    if deed in hero.banned:
        return []
    room = {"S": hero.stamina, "M": hero.magicka}
    afraid = hero.has("Fear")  # only Combat dice are worth rolling (SE-F4)
    dice: list[str] = []
    for die in types:
        row = data.DICE[die]
        if form not in row.forms or (afraid and die != "combat"):
            continue
        count = min(hero.available.get(die, 0), room[row.stat])
        room[row.stat] -= count
        dice += [die] * count
    return dice


@dataclass
class Roll:
    """What one engage has brought about so far."""

    battle: Battle
    hero: Hero
    form: str
    target: Creature | None
    engage: int  # k of the draw points
    maimed: bool  # when the dice are rolled
    instances: list[tuple[bool, int]] = field(default_factory=list)  # (from a Combat die, damage), in resolve order
    ignored: int = 0
    blanks: int = 0  # dice without damage, for Dodge (SE-K8)
    exhausted: list[str] = field(default_factory=list)
    light: int = 0  # L from results
    stealth: bool = False
    bane: bool = False  # Onslaught
    hurt_friend: bool = False  # Force Shock 4x

    def damage(self, amount: int, combat: bool = False) -> None:
        self.instances.append((combat, amount))


def engage(battle: Battle, hero: Hero, form: str, target: Creature | None, dice: list[str]) -> None:
    """SE-A3 to SE-A9: one engage with the gathered dice, in any form, with one target or none (SE-A4)."""
    if hero.engages_this_turn:
        gain_fatigue(battle, hero, data.LIGHT, 2 if battle.switches["difficulty"] == "expert" else 1)
    roll = Roll(battle, hero, form, target, hero.engages_this_round, hero.has("Maim"))
    hero.engages_this_turn += 1
    hero.engages_this_round += 1
    hero.engages += 1
    hero.form = form
    hero.rolled = hero.rolled or bool(dice)
    for die in dice:
        hero.available[die] -= 1
    if target is not None:
        spend_cloaks(roll)
    faces = [roll_die(roll, place, die) for place, die in enumerate(dice)]
    if battle.trace is not None:
        shown = ", ".join(f"{die} {face}" for die, face in zip(dice, faces, strict=True))
        battle.tell(f"{hero.name} engages {target.name if target else 'nobody'} in {form} form: {shown}")
    resolve(roll, dice, faces)
    finish(roll)


def spend_cloaks(roll: Roll) -> None:
    """Active Shadow Cloak dice leave, earliest first, until the target's defense is covered."""
    hero, target = roll.hero, roll.target
    assert target is not None
    for die in [die for die in hero.active if die[0] == "shadow_cloak"]:
        if roll.ignored >= target.defense:
            break
        hero.active.remove(die)
        roll.exhausted.append("shadow_cloak")
        roll.ignored += die[1]


def roll_die(roll: Roll, place: int, die: str) -> str:
    """The face that the die at this place in gather order shows."""
    number = roll.battle.luck.die(6, "SE-A6", roll.battle.round, roll.hero.actor, 100 * roll.engage + place)
    return data.DICE[die].faces[number - 1]


def resolve(roll: Roll, dice: list[str], faces: list[str]) -> None:
    """SE-A6: in gather order, Heroic Slash last; the added die of a Nord before it."""
    late = []
    for place, (die, face) in enumerate(zip(dice, faces, strict=True)):
        if die == "heroic_slash":
            late.append(face)
        else:
            resolve_die(roll, place, die, face)
    nord(roll)
    for face in late:
        slash(roll, face)


def resolve_die(roll: Roll, place: int, die: str, face: str) -> None:
    """One die other than Heroic Slash (5.4)."""
    hero = roll.hero
    if face == "T" or (die != "combat" and hero.has("Fear")):
        if face == "T" and not (die != "combat" and hero.has("Fear")):
            gain_tenacity(hero, 1)  # SE-A7
        roll.blanks += 1
        roll.exhausted.append(die)
    elif die in ("combat", "shield_discipline"):
        strike_or_guard(roll, die, int(face))
    elif die == "shadow_cloak":
        cloak(roll, face)
    elif die == "purge":
        roll.blanks += 1
        place_active(roll.battle, hero, die, 0, roll.exhausted)
    elif die in data.HEALING:
        roll.blanks += 1
        roll.exhausted.append(die)
        pray(roll, place, die, face)
    elif roll.target is None:
        roll.exhausted.append(die)  # SE-A16
    else:
        strike(roll, die, face)


def strike_or_guard(roll: Roll, die: str, x: int) -> None:
    """Combat and Shield Discipline dice: damage, a slot, or both."""
    keeps = die == "shield_discipline" or roll.form == "defensive"
    if keeps:
        place_active(roll.battle, roll.hero, die, x, roll.exhausted)
    else:
        roll.exhausted.append(die)
    if roll.target is not None:
        roll.damage(x, combat=die == "combat")


def strike(roll: Roll, die: str, face: str) -> None:
    """Snipe, Force Shock, Wrecking Blow and Onslaught on a target."""
    if die == "onslaught" and face == "o5":
        roll.hero.drained += 1
    else:
        roll.exhausted.append(die)
    if die == "snipe":
        roll.ignored += 1
        roll.damage(int(face))
    elif die == "force_shock":
        shock(roll, face)
    elif die == "wrecking_blow":
        roll.damage(3 if face == "3f" else 2)
        roll.light += 2 if face == "3f" else 0
    else:
        roll.damage(5 if face == "o5" else 4)
        roll.bane = roll.bane or face == "o4"


def shock(roll: Roll, face: str) -> None:
    """Force Shock: 2; or 4 and 1 true damage to the adventurer with most HP; t2 is left unresolved."""
    if face == "2":
        roll.damage(2)
        return
    able = [hero for hero in roll.battle.heroes if hero.hp >= 2]
    if face == "t2" or not able:
        roll.blanks += 1
        return
    victim = max(able, key=lambda hero: (hero.hp, -hero.actor))
    roll.hurt_friend = True
    hit(roll.battle, victim, roll.hero, 1, true=True)
    roll.damage(4)


def pray(roll: Roll, place: int, die: str, face: str) -> None:
    """Hasty Prayer heals everybody 2; Breath of Life rolls enemy Combat dice for one adventurer in reach."""
    battle, hero = roll.battle, roll.hero
    if die == "hasty_prayer":
        for friend in battle.standing_heroes():
            heal(friend, 2)
        return
    ranges = battle.board.range[hero.hex]
    in_reach = [friend for friend in battle.standing_heroes() if ranges[friend.hex] <= hero.magicka]
    chosen = max(in_reach, key=lambda friend: (friend.health - friend.hp, -friend.actor))
    total = 0
    for i in range(2 if face == "b2" else 4):
        index = 1000 * roll.engage + 10 * place + i
        total += battle.prepared.enemy_faces[battle.luck.die(6, "SE-5.4", battle.round, hero.actor, index) - 1]
    heal(chosen, total)


def cloak(roll: Roll, face: str) -> None:
    """Shadow Cloak: Stealth, and a slot (c1, c2) or 1 L (ci)."""
    roll.blanks += 1
    roll.stealth = True
    if face == "ci":
        roll.light += 1
        roll.exhausted.append("shadow_cloak")
    else:
        place_active(roll.battle, roll.hero, "shadow_cloak", int(face[1]), roll.exhausted)


def slash(roll: Roll, face: str) -> None:
    """Heroic Slash: 2 per active Shield Discipline die (a), or 3 for each, which are exhausted (b)."""
    hero = roll.hero
    roll.exhausted.append("heroic_slash")
    afraid = hero.has("Fear")
    if face == "T" and not afraid:
        gain_tenacity(hero, 1)
    shields = sum(1 for die, _ in hero.active if die == "shield_discipline")
    if face == "T" or afraid or roll.target is None or not shields:
        roll.blanks += 1
        return
    if face == "b":
        hero.active = [die for die in hero.active if die[0] != "shield_discipline"]
        roll.exhausted += ["shield_discipline"] * shields
    roll.damage((2 if face == "a" else 3) * shields)


def nord(roll: Roll) -> None:
    """11.6, Nord: one enemy Combat die more in its first light, heavy or ranged engage with a target."""
    battle, hero = roll.battle, roll.hero
    if roll.target is None or roll.form not in ("light", "heavy", "ranged") or not racial(battle, hero, "Nord"):
        return
    hero.race_used = True
    x = battle.prepared.enemy_faces[battle.luck.die(6, "SE-11.6", battle.round, hero.actor) - 1]
    if x == 0:
        roll.blanks += 1
    else:
        roll.damage(x, combat=True)


# ---------------------------------------------------------------------------------------------------------------------
# The end of an engage
# ---------------------------------------------------------------------------------------------------------------------


def finish(roll: Roll) -> None:
    """SE-A9: dice to the track, fatigue, Stealth, damage, loss of Stealth, effects after the engage, reactions."""
    battle, hero = roll.battle, roll.hero
    for die in sorted(roll.exhausted, key=lambda die: hero.plan.rank[die]):
        enter(battle, hero, die)
    gain_fatigue(battle, hero, data.LIGHT, roll.light)
    if roll.stealth:
        gain_status(battle, hero, "Stealth", hero)
    kills = hero.kills
    dealt = deal_damage(roll) or roll.hurt_friend
    if dealt and hero.standing:
        lose_status(battle, hero, "Stealth")  # SE-F6
    if roll.bane:
        gain_status(battle, hero, "Bane", hero)
    if hero.kills > kills:
        sworn_oath(battle, hero)


def deal_damage(roll: Roll) -> bool:
    """SE-A8: one instance, or with `per_die` one for every damaging die. Says whether damage was dealt."""
    amounts = damage_by_die(roll)
    if roll.target is None or sum(amounts) == 0:
        return False
    if roll.battle.switches["damage_pooling"] == "engage":
        amounts = [sum(amounts)]
    dodge = roll.blanks
    for amount in amounts:
        if not roll.hero.standing:
            break
        dodge -= hit_creature(
            roll.battle, roll.target, roll.hero, amount, ignored=roll.ignored, dodge=dodge
        )
    return True


def damage_by_die(roll: Roll) -> list[int]:
    """SE-F5, SE-T7: under Maim the Combat dice deal half of their sum, in gather order until it is used up (I24)."""
    if not roll.maimed:
        return [amount for _, amount in roll.instances]
    left = sum(amount for combat, amount in roll.instances if combat) // 2
    amounts = []
    for combat, amount in roll.instances:
        dealt = min(amount, left) if combat else amount
        left -= dealt if combat else 0
        amounts.append(dealt)
    return amounts


def sworn_oath(battle: Battle, hero: Hero) -> None:
    """11.7, Knight: Sworn Oath [3], after defeating an enemy heal 4, if 2 or more are missing."""
    if battle.switches["class_abilities"] == "off" or hero.plan.abilities != "Knight" or "sworn_oath" in hero.banned:
        return
    if hero.standing and not hero.oath_used and hero.tenacity >= 3 and hero.health - hero.hp >= 2:
        hero.tenacity -= 3
        hero.oath_used = True
        heal(hero, 4)

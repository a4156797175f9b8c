"""Racial and class abilities of the Extended rules (11.6, 11.7), and the use of Purge (SE-A18).

What acts inside damage (Argonian, Imperial, Summon Shade) is in `damage.py`; Nord and Sworn Oath are in `engage.py`;
the Nightblade's innate move is in `track.py`; the second turn of an Orc is in `play.py`.
"""

from __future__ import annotations

from tests.oracle.second_era import data
from tests.oracle.second_era.damage import heal, hit, racial
from tests.oracle.second_era.engage import may_roll, sworn_oath
from tests.oracle.second_era.places import engageable, weakest
from tests.oracle.second_era.state import Battle, Creature, Hero, Unit
from tests.oracle.second_era.track import enter, gain_fatigue, gain_status, gain_tenacity, lose_status, recover


def has_class(battle: Battle, hero: Hero, name: str, ability: str) -> bool:
    """Whether it is of a class, with an ability of it that is not banned."""
    return battle.switches["class_abilities"] == "on" and hero.plan.abilities == name and ability not in hero.banned


def missing(unit: Unit) -> int:
    return unit.health - unit.hp


def strike_outside_engage(battle: Battle, hero: Hero, enemy: Creature, amount: int, true: bool = False) -> None:
    """An instance of its own; dealing damage ends the adventurer's Stealth (SE-F6)."""
    hit(battle, enemy, hero, amount, true)
    if amount > 0 and hero.standing:
        lose_status(battle, hero, "Stealth")


# ---------------------------------------------------------------------------------------------------------------------
# Start of the turn (SE-R8 step 2)
# ---------------------------------------------------------------------------------------------------------------------


def innates(battle: Battle, hero: Hero) -> None:
    """The class innates that trigger at the start of an adventurer's turn."""
    if has_class(battle, hero, "Archer", "first_shot") and hero.form == "ranged":
        enemies = engageable(battle, hero, "ranged", hero.hex)
        if enemies:
            strike_outside_engage(battle, hero, weakest(enemies), 2)
    elif has_class(battle, hero, "Sorcerer", "gather_power") and hero.form == "magic":
        gain_tenacity(hero, 1)
    elif has_class(battle, hero, "Healer", "mend"):
        near = [unit for unit in battle.party if unit is hero or battle.adjacent(unit, hero)]
        worst = max(near, key=lambda unit: (missing(unit), -unit.slot))
        if missing(worst) >= 2:
            gain_fatigue(battle, hero, data.LIGHT)
            heal(worst, 1)


# ---------------------------------------------------------------------------------------------------------------------
# Start of the actions
# ---------------------------------------------------------------------------------------------------------------------


def before_actions(battle: Battle, hero: Hero) -> None:
    """Racial, then class abilities that are used at the start of the actions."""
    if racial(battle, hero, "Dark Elf"):
        dark_elf(hero)
    elif racial(battle, hero, "High Elf"):
        high_elf(battle, hero)
    elif racial(battle, hero, "Redguard"):
        redguard(hero)
    if has_class(battle, hero, "Sorcerer", "power_surge"):
        power_surge(battle, hero)
    elif has_class(battle, hero, "Healer", "hope_infusion") and hero.tenacity >= 3:  # Hope Infusion [3]
        hero.tenacity -= 3
        min(battle.standing_heroes(), key=lambda friend: (friend.hp, friend.actor)).bonus_hp += 3


def dark_elf(hero: Hero) -> None:
    """The leftmost 4 skill dice come back, each replaced in place by L; with 3 or more in the track."""
    places = [place for place, die in enumerate(hero.track) if die in data.DICE]
    if len(places) < 3:
        return
    hero.race_used = True
    for place in places[:4]:
        die = hero.track[place]
        hero.available[die] = hero.available.get(die, 0) + 1
        hero.track[place] = data.LIGHT
        hero.light += 1


def high_elf(battle: Battle, hero: Hero) -> None:
    """An adventurer missing 3 or more is placed on the first free entrance hex and heals 3."""
    hurt = [friend for friend in battle.standing_heroes() if missing(friend) >= 3]
    entrance = battle.free_entrance()
    if not hurt or entrance < 0:
        return
    hero.race_used = True
    friend = min(hurt, key=lambda friend: (friend.hp, friend.actor))
    battle.place(friend, entrance)
    heal(friend, 3)


def redguard(hero: Hero) -> None:
    """Up to 3 fatigue or harmful status dice leave, leftmost first; 1 HP each, surplus as bonus HP."""
    places = [place for place, die in enumerate(hero.track) if die in data.FATIGUE or die in data.HARMFUL]
    if len(places) < 2:
        return
    hero.race_used = True
    removed = places[:3]
    hero.track = [die for place, die in enumerate(hero.track) if place not in removed]
    hero.bonus_hp += len(removed) - heal(hero, len(removed))


def power_surge(battle: Battle, hero: Hero) -> None:
    """Power Surge [1 + k]: without a Force Shock die at hand, its leftmost k dice come back."""
    count = min(hero.tenacity - 1, len(hero.track))
    if count >= 1 and not hero.available.get("force_shock", 0):
        hero.tenacity -= 1 + count
        recover(battle, hero, count)


# ---------------------------------------------------------------------------------------------------------------------
# End of the actions, enemy step, end of turn
# ---------------------------------------------------------------------------------------------------------------------


def after_actions(battle: Battle, hero: Hero) -> None:
    """Class abilities that are used at the end of the actions."""
    if not hero.standing:
        return
    if has_class(battle, hero, "Knight", "honor_duel") and hero.tenacity >= 1:
        honor_duel(battle, hero)
    elif has_class(battle, hero, "Archer", "lethal_arrow") and hero.form == "ranged":
        lethal_arrow(battle, hero)


def honor_duel(battle: Battle, hero: Hero) -> None:
    """Honor Duel [1]: exactly one enemy within 3 hexes takes 3 damage."""
    ranges = battle.board.range[hero.hex]
    near = [enemy for enemy in battle.enemies if enemy.hex >= 0 and ranges[enemy.hex] <= 3]
    if len(near) != 1:
        return
    hero.tenacity -= 1
    kills = hero.kills
    strike_outside_engage(battle, hero, near[0], 3)
    if hero.kills > kills:
        sworn_oath(battle, hero)


def lethal_arrow(battle: Battle, hero: Hero) -> None:
    """Lethal Arrow [3]: two enemy Combat dice of true damage on the weakest targetable enemy."""
    enemies = engageable(battle, hero, "ranged", hero.hex)
    if not enemies or hero.tenacity < 3 or not may_roll(hero):
        return
    hero.tenacity -= 3
    hero.rolled = True
    total = 0
    for i in range(2):
        index = 10 * (hero.turns_this_round - 1) + i
        total += battle.prepared.enemy_faces[battle.luck.die(6, "SE-11.7", battle.round, hero.actor, index) - 1]
    strike_outside_engage(battle, hero, weakest(enemies), total, true=True)


def wood_elves(battle: Battle) -> None:
    """Before the first enemy turn of round 1 every Wood Elf hides the two party members with the lowest HP."""
    for hero in battle.standing_heroes():
        if racial(battle, hero, "Wood Elf"):
            hero.race_used = True
            open_to_view = [unit for unit in battle.party if unit.in_play and not unit.has("Stealth")]
            for unit in sorted(open_to_view, key=lambda unit: (unit.hp, unit.slot))[:2]:
                gain_status(battle, unit, "Stealth", hero)


def use_purges(battle: Battle) -> None:
    """SE-A18: every active Purge die, owners in order, removes a harmful status or heals."""
    for owner in battle.heroes:
        for _ in range(sum(1 for die, _ in owner.active if die == "purge")):
            choice = purge_choice(battle)
            if choice is None:
                return
            friend, status = choice
            owner.active.remove(("purge", 0))
            enter(battle, owner, "purge")
            if status:
                lose_status(battle, friend, status)
            heal(friend, 1)


def purge_choice(battle: Battle) -> tuple[Hero, str] | None:
    """Whom Purge helps, and of which status ("" if it only heals)."""
    friends = battle.standing_heroes()
    for status in data.HARMFUL:
        holders = [friend for friend in friends if friend.has(status)]
        if holders:
            return max(holders, key=lambda friend: (missing(friend), -friend.actor)), status
    hurt = [friend for friend in friends if missing(friend) >= 2]
    if hurt:
        return max(hurt, key=lambda friend: (missing(friend), -friend.actor)), ""
    return None

"""One battle from the first round to its end (sections 4 and 8)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracle.second_era import data
from tests.oracle.second_era.abilities import after_actions, before_actions, innates, use_purges, wood_elves
from tests.oracle.second_era.build import Prepared
from tests.oracle.second_era.creatures import companion_turn, enemy_turn
from tests.oracle.second_era.damage import hit, racial
from tests.oracle.second_era.policies import act, recycle, recycles
from tests.oracle.second_era.state import Battle, Bearing, Creature, Hero, Luck, Result
from tests.oracle.second_era.track import gain_fatigue, lose_status, recover


def play(prepared: Prepared, luck: Luck, trace: list[str] | None = None) -> Result:
    """Play one battle. A trace collects what happened in words."""
    return result_of(*fight(prepared, luck, [], trace))


def fight(
    prepared: Prepared, luck: Luck, arriving: Sequence[Bearing], trace: list[str] | None = None
) -> tuple[Battle, str]:
    """One battle of a party that is fresh, or comes from another one (SE-V1): the table at its end, and the outcome."""
    battle = Battle(prepared, luck, trace)
    battle.arrive(arriving)
    outcome = play_round(battle)
    while not outcome:
        battle.round += 1
        outcome = play_round(battle)
    return battle, outcome


def play_round(battle: Battle) -> str:
    """SE-R1 to SE-R7. Returns the outcome, or "" if the battle goes on."""
    for hero in battle.heroes:
        hero.turns_this_round = hero.engages_this_round = 0
        hero.shade_used = False  # a new round is not the last turn of the one before
    fatigue(battle)
    if outcome := early_end(battle):
        return outcome
    for hero in battle.heroes:  # SE-R3
        if hero.standing:
            hero_turns(battle, hero)
            if outcome := early_end(battle):
                return outcome
    for companion in battle.companions:  # SE-R4
        if companion.standing:
            companion_turn(battle, companion)
            if outcome := early_end(battle):
                return outcome
    for enemy in enemy_order(battle):  # SE-R5
        if enemy.standing:
            enemy_turn(battle, enemy)
            use_purges(battle)
            if outcome := early_end(battle):
                return outcome
    return end_of_round(battle)


def fatigue(battle: Battle) -> None:
    """SE-R2: one O for everybody, then true damage for every O."""
    start = battle.switches["fatigue_from"]
    if start == "off" or battle.round < start:
        return
    for hero in battle.standing_heroes():
        gain_fatigue(battle, hero, data.OVER)
    for hero in battle.standing_heroes():
        hit(battle, hero, None, hero.track.count(data.OVER), true=True)


# ---------------------------------------------------------------------------------------------------------------------
# Turns
# ---------------------------------------------------------------------------------------------------------------------


def hero_turns(battle: Battle, hero: Hero) -> None:
    """The turn of an adventurer; an Orc may take a second one in round 2 (11.6)."""
    hero_turn(battle, hero)
    if battle.round != 2 or not hero.standing or early_end(battle):
        return
    if racial(battle, hero, "Orc") and battle.enemies_left():
        hero.race_used = True
        gain_fatigue(battle, hero, data.OVER)
        hero_turn(battle, hero)


def hero_turn(battle: Battle, hero: Hero) -> None:
    """SE-R8, then the use of Purge (SE-A18)."""
    battle.start_turn(hero)
    hero.rolled = False
    hero.engages_this_turn = 0
    hero.turns_this_round += 1
    if battle.trace is not None:
        battle.tell(f"{hero.name} acts: {hero.hp} HP, {hero.available}, active {hero.active}, track {hero.track}")
    if hero.has("Bane"):
        hit(battle, hero, None, 1, true=True)  # SE-F1
    if hero.standing:
        innates(battle, hero)
    if hero.standing:
        if recycles(hero):
            recycle(battle, hero)
        recover(battle, hero, hero.cooldown)  # SE-A10
        use_actions(battle, hero)
    if hero.standing:
        lose_status(battle, hero, "Daze")  # SE-R8 (6)
    use_purges(battle)


def use_actions(battle: Battle, hero: Hero) -> None:
    """SE-R8 (5), with the abilities before and after; none of these if no enemy is left."""
    enemies_left = bool(battle.enemies_left())
    if enemies_left:
        before_actions(battle, hero)
    act(battle, hero)
    if enemies_left:
        after_actions(battle, hero)


def enemy_order(battle: Battle) -> list[Creature]:
    """SE-E1, SE-E2: highest level first, within a level by lot or by what suits the party."""
    enemies = battle.enemies_left()
    if enemies and battle.round == 1:
        wood_elves(battle)
    if battle.best:
        return sorted(enemies, key=lambda enemy: (-enemy.rank, enemy.combat, enemy.hp, enemy.number))
    numbers = battle.luck.order([enemy.number for enemy in enemies], "SE-E2", battle.round, data.TABLE)
    return sorted((battle.enemies[j] for j in numbers), key=lambda enemy: -enemy.rank)


# ---------------------------------------------------------------------------------------------------------------------
# The end
# ---------------------------------------------------------------------------------------------------------------------


def objective_holds(battle: Battle) -> bool:
    """SE-X1."""
    if battle.prepared.objective == "eliminate":
        return not any(enemy.standing and enemy.objective for enemy in battle.enemies)
    return not battle.enemies_left()


def early_end(battle: Battle) -> str:
    """After the fatigue step and after every turn: a loss at once (SE-X4), a win with `end_check = immediate`."""
    if not battle.standing_heroes():
        return "loss"
    if battle.switches["end_check"] == "immediate" and objective_holds(battle):
        return "win"
    return ""


def end_of_round(battle: Battle) -> str:
    """SE-R6, SE-X2, SE-X3, SE-X5, SE-X6: win or loss, then retreat, then the cap (I28)."""
    if objective_holds(battle):
        return "win"
    if sum(hero.hp for hero in battle.heroes) < battle.prepared.retreat_below:
        return "retreat"
    if battle.round >= battle.switches["round_cap"]:
        return "draw"
    return ""


def result_of(battle: Battle, outcome: str) -> Result:
    """SE-X7, SE-X8: what is reported of a battle."""
    units, heroes = battle.units, battle.heroes
    defeated: dict[int | str, int] = {}
    for enemy in battle.enemies:
        if not enemy.standing:
            defeated[enemy.level] = defeated.get(enemy.level, 0) + 1
    return Result(
        outcome=outcome,
        rounds=battle.round,
        xp=battle.prepared.reward if outcome == "win" else 0,
        names=[unit.name for unit in units],
        hp=[unit.hp for unit in units],
        hex=[battle.board.spots[unit.hex] if unit.hex >= 0 else None for unit in units],
        dealt=[unit.dealt for unit in units],
        taken=[unit.taken for unit in units],
        kills=[unit.kills for unit in units],
        healed=[unit.healed for unit in units],
        prevented_defense=[unit.prevented_defense for unit in units],
        statuses=[unit.statuses_gained for unit in units],
        harm=battle.harm,
        prevented_guard=[hero.prevented_guard for hero in heroes],
        prevented_bonus=[hero.prevented_bonus for hero in heroes],
        light=[hero.light for hero in heroes],
        over=[hero.over for hero in heroes],
        drained=[hero.drained for hero in heroes],
        tenacity_gained=[hero.tenacity_gained for hero in heroes],
        engages=[hero.engages for hero in heroes],
        hexes=[hero.hexes for hero in heroes],
        adventurers_defeated=sum(not hero.standing for hero in heroes),
        companions_lost=sum(not companion.standing for companion in battle.companions),
        enemies_defeated=defeated,
    )

"""One run: setup, rounds, the end of an encounter, gauntlets and rewards (sections 3, 4 and 8)."""

from __future__ import annotations

from dataclasses import dataclass

from .enemies import enemy_turn
from .harm import return_to_life
from .policies import POLICIES, stunned_turn
from .prepare import Prepared
from .random_legal import random_legal
from .state import ENEMIES, TABLE, Counts, Deck, Enemy, Fight, Hero, Luck


@dataclass(slots=True)
class UnitResult:
    """What became of one unit; the counts are those of the README's section on counting."""

    name: str
    hp: int
    state: str  # heroes: alive, stunned, dead; enemies: standing, defeated, routed
    spot: tuple[int, int]
    stamina: int  # cards left; 0 for enemies
    counts: Counts


@dataclass(slots=True)
class Result:
    """What a run is counted by (P52-X6). Enemies are those of all encounters played, in order."""

    outcome: str  # win, loss, draw
    rounds: int  # begun, over all encounters
    encounters: int  # how many were played
    heroes: list[UnitResult]
    enemies: list[UnitResult]
    xp: int
    xp_dead: int
    drops: int
    routed: int
    stalemate: bool
    flips: int  # of deck_mode=iid
    shuffles: int


# ---------------------------------------------------------------------------------------------------------------------
# Setup
# ---------------------------------------------------------------------------------------------------------------------


def set_up(
    prepared: Prepared, luck: Luck, deck: Deck, stage: int, heroes: list[Hero], drawn: list[str], rounds: int,
    trace: list[str] | None,
) -> Fight:  # fmt: skip
    """P52-S2, P52-S5."""
    space = prepared.spaces[stage]
    board = space.board
    for hero in heroes:
        own = hero.sheet.spot if stage == 0 else None
        hero.enter_encounter(board.entrance if own is None else board.number[own])
    sheets = space.listed + [by_card[card] for by_card, card in zip(space.drawn, drawn, strict=True)]
    enemies = [Enemy(number, sheet, board.number[sheet.spot]) for number, sheet in enumerate(sheets)]
    fight = Fight(prepared, luck, deck, stage, board, heroes, enemies, rounds, trace)
    fight.order = order_of_play(fight)
    return fight


def order_of_play(fight: Fight) -> list[Hero | Enemy]:
    """P52-S5: initiative, then hit points, then heroes, then by lot."""
    units: list[Hero | Enemy] = [*fight.heroes, *fight.enemies]
    by_chance = fight.luck.order([unit.actor for unit in units], "P52-S5", fight.address, TABLE)
    rank = {actor: place for place, actor in enumerate(by_chance)}
    return sorted(
        units, key=lambda unit: (-unit.sheet.initiative, -unit.hp, unit.actor >= ENEMIES, rank[unit.actor])
    )


def dealt_enemies(prepared: Prepared, luck: Luck) -> list[list[str]]:
    """The cards of the enemy deck for every encounter of the run."""
    cards = prepared.deck_cards
    order = luck.order(range(len(cards)), "P52-S2", 0, TABLE) if cards else []
    dealt, used = [], 0
    for space in prepared.spaces:
        dealt.append([cards[number] for number in order[used : used + len(space.drawn)]])
        used += len(space.drawn)
    return dealt


# ---------------------------------------------------------------------------------------------------------------------
# Rounds and turns
# ---------------------------------------------------------------------------------------------------------------------


def fight_it_out(fight: Fight) -> None:
    """P52-S6, S7, E13, T1, T6: the start flip and rounds until the end or the cap."""
    order = fight.order
    if not fight.check_end():
        order = start_flip(fight)
    while not fight.outcome:
        if fight.round == fight.switches["round_cap"]:
            fight.outcome = "draw"
            return
        fight.round += 1
        play_turns(fight, order if fight.round == 1 else fight.order)


def start_flip(fight: Fight) -> list[Hero | Enemy]:
    """P52-S6, S7, E13: turns before round 1; returns the order of round 1."""
    eager = [unit for unit in fight.order if isinstance(unit, Enemy) and unit.sheet.extra_turn]
    if eager or any(enemy.sheet.no_start_flip for enemy in fight.enemies):
        if eager:
            play_turns(fight, eager)
        return fight.order
    mode = fight.switches["drop_mode"]
    value = 0 if mode == "off" else fight.flip()
    if value not in (1, 13):
        return fight.order
    favoured = [unit for unit in fight.order if isinstance(unit, Enemy) == (value == 1)]
    if mode == "free_pass":
        if fight.trace is not None:
            fight.tell("free pass for", "enemies" if value == 1 else "heroes")
        play_turns(fight, favoured)
        return fight.order
    return favoured + [unit for unit in fight.order if unit not in favoured]


def play_turns(fight: Fight, order: list[Hero | Enemy]) -> None:
    """P52-T1: a round or a free pass."""
    fight.pushes = 0
    for hero in fight.heroes:
        hero.k = hero.hits_this_round = 0
    for unit in order:
        if isinstance(unit, Hero):
            hero_turn(fight, unit)
        elif not unit.gone:
            enemy_turn(fight, unit)
        if fight.outcome:
            return


def hero_turn(fight: Fight, hero: Hero) -> None:
    """P52-T2, and the Phoenix Feather."""
    if hero.hp < 0:
        if hero.stock.get("phoenix_feather", 0) == 0:
            return
        hero.stock["phoenix_feather"] -= 1
        hero.counts.items_used += 1
        return_to_life(hero, 3 * hero.sheet.level)
    if hero.lost_turns > 0:
        hero.lost_turns -= 1
        hero.aim = hero.stance = 0
        hero.wade = None
        return
    if hero.sheet.policy == "random_legal":
        random_legal(fight, hero)
    elif hero.stunned:
        stunned_turn(fight, hero)
    else:
        POLICIES[hero.sheet.policy](fight, hero)


# ---------------------------------------------------------------------------------------------------------------------
# Rewards and gauntlets
# ---------------------------------------------------------------------------------------------------------------------


def reward(fight: Fight) -> None:
    """P52-X2 to X4, for one encounter."""
    for hero in fight.heroes:
        if fight.outcome != "loss":
            hero.counts.xp += hero.earned + (5 if fight.outcome == "win" and hero.hp >= 0 else 0)
        hero.counts.core_gain += sum(len(foes) >= 3 for foes in hero.foes_by_ability.values())
        hero.counts.core_gain += sum(successes >= 3 for successes in hero.parried.values())


def leave_space(fight: Fight) -> None:
    """P52-X5: a stamina card and perhaps a rest for every living hero."""
    switches = fight.switches
    for hero in fight.living():
        if len(hero.stamina) < switches["stamina_max"]:
            fight.deck.give(hero)
        if switches["space_recovery"] == "quarter":
            rest(hero, fight.flip())


def rest(hero: Hero, value: int) -> None:
    """P52-X5: heals (max_hp + F) // 4."""
    hero.hp = max(hero.hp, min(hero.max_hp, hero.hp + (hero.max_hp + value) // 4))


def play(prepared: Prepared, luck: Luck, trace: list[str] | None = None) -> Result:
    """One run of the scenario, from the shuffle to the end of its last encounter."""
    switches = prepared.switches
    deck = Deck(luck, switches)  # P52-S3
    heroes = [Hero(number, kit) for number, kit in enumerate(prepared.kits)]
    for hero in heroes:
        for _ in range(min(switches["stamina_start"], switches["stamina_max"])):
            deck.give(hero)  # P52-S4
    drawn = dealt_enemies(prepared, luck)
    fights: list[Fight] = []
    rounds = 0
    for stage in range(len(prepared.spaces)):
        if fights:
            leave_space(fights[-1])
        fight = set_up(prepared, luck, deck, stage, heroes, drawn[stage], rounds, trace)
        fights.append(fight)
        fight_it_out(fight)
        reward(fight)
        rounds += fight.round
        if fight.outcome != "win":
            break
    return result_of(fights, rounds)


def result_of(fights: list[Fight], rounds: int) -> Result:
    """P52-X6."""
    last = fights[-1]
    enemies = [enemy for fight in fights for enemy in fight.enemies]
    return Result(
        outcome=last.outcome,
        rounds=rounds,
        encounters=len(fights),
        heroes=[hero_result(last, hero) for hero in last.heroes],
        enemies=[enemy_result(fight, enemy) for fight in fights for enemy in fight.enemies],
        xp=sum(hero.counts.xp for hero in last.heroes if hero.hp >= 0),
        xp_dead=sum(hero.counts.xp for hero in last.heroes if hero.hp < 0),
        drops=sum(hero.counts.drops for hero in last.heroes),
        routed=sum(enemy.gone == "routed" for enemy in enemies),
        stalemate=last.outcome == "draw" and all(enemy.weak for enemy in last.standing()),
        flips=last.deck.flips,
        shuffles=last.deck.shuffles,
    )


def hero_result(fight: Fight, hero: Hero) -> UnitResult:
    state = "dead" if hero.hp < 0 else "stunned" if hero.hp == 0 else "alive"
    return UnitResult(hero.sheet.name, hero.hp, state, fight.board.spots[hero.spot], len(hero.stamina), hero.counts)


def enemy_result(fight: Fight, enemy: Enemy) -> UnitResult:
    return UnitResult(
        enemy.sheet.name, enemy.hp, enemy.gone or "standing", fight.board.spots[enemy.spot], 0, enemy.counts
    )

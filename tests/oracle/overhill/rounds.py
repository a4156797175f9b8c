"""The round: stances, hero phase, monster phase, round end."""

from __future__ import annotations

from tests.oracle.overhill.actions import ACTIONS
from tests.oracle.overhill.enemy_turns import monster_phase
from tests.oracle.overhill.hero_moves import step_up
from tests.oracle.overhill.player import ACTION_OF, STANCE_OF
from tests.oracle.overhill.state import Fight, monster_number, no_kills


def choose_stances(fight: Fight) -> None:
    """OU-R3: every front hero who can move gets a stance of the policy; all others are neutral."""
    stance_of = STANCE_OF[fight.prepared.policy]
    for hero in fight.heroes:
        hero.stance = "neutral"
    for hero in fight.heroes:
        if hero.front and hero.health > 0 and hero.paralysed == 0:
            hero.stance = stance_of(fight, hero)


def hero_phase(fight: Fight) -> None:
    """OU-R4, OU-R5: one action each in roster order; afterwards a lost phase brings paralysis nearer its end."""
    action_of = ACTION_OF[fight.prepared.policy]
    for hero in fight.heroes:
        hero.lost_phase = hero.health > 0 and hero.paralysed > 0
        if hero.health == 0 or hero.lost_phase or hero.rose_in == fight.round:
            continue
        kind, *target = action_of(fight, hero)
        ACTIONS[kind](fight, hero, *target)
        if fight.outcome:
            return
        if monster_number(fight) == 0:
            fight.outcome = "win"  # OU-Z1
            return
    for hero in fight.heroes:
        if hero.lost_phase and hero.paralysed > 0:
            hero.paralysed -= 1


def play_round(fight: Fight) -> None:
    """OU-R1 to OU-R7."""
    fight.round += 1
    for hero in fight.heroes:
        hero.accepted = False
    step_up(fight)
    choose_stances(fight)
    hero_phase(fight)
    if not fight.outcome:
        monster_phase(fight)
    if not fight.outcome:
        end_round(fight)


def end_round(fight: Fight) -> None:
    """OU-R7."""
    for group in fight.groups:
        group.bashed = 0
    fight.kills_prev = fight.kills_now
    fight.kills_now = no_kills(fight)
    if fight.round >= fight.rules.round_cap:
        fight.outcome = "draw"

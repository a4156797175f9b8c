"""Units that are pushed away from somebody (P52-C26)."""

from __future__ import annotations

from sim.core.board import Bits
from sim.core.board.sets import pick_cell
from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Mask, Small, Whole, columns, cut, keep, lookup
from sim.rulesets.p52.ground import set_of
from sim.rulesets.p52.rules.distances import steps_to_nearest
from sim.rulesets.p52.rules.traps import find_knife, spring_traps
from sim.rulesets.p52.state import NOWHERE, State


def push_spot(s: State, where: Small, away_from: Small, actor: int | Whole, at: Lanes, players_choose: bool) -> Whole:
    """P52-C26: (lanes,). The spot that a unit is pushed to, -1 if there is none; the push is counted."""
    ground = s.space.ground
    number = columns(s.pushed, at)
    s.pushed[at] = number + 1
    farther = lookup(ground.steps, where, away_from) + 1
    open_to = columns(ground.neighbours, where) & set_of(ground.no_nearer, away_from, farther)
    if players_choose and s.facts.is_on("party_choice", "best_for_party"):
        return best_for_party(s, open_to, at)
    lot = draw_lot(s.luck, "P52-C26", s.when(at), actor, number, at)
    return pick_cell(ground.board.bits, open_to, lot)


def best_for_party(s: State, open_to: Bits, at: Lanes) -> Whole:
    """P52-C26: the spot with most steps to the nearest hero, then the lowest number."""
    return pick(s.space.ground.board.bits.cells(open_to), by=(-steps_to_nearest(s, at),))


def push_hero(s: State, hero: int, away_from: Small, actor: Whole, at: Lanes) -> None:
    """P52-E12f, P52-C26: the hero is moved, meets a trap and finds its knife."""
    goal = push_spot(s, cut(s.spot[hero], at), away_from, actor, at, players_choose=False)
    at, goal = keep(at, goal >= 0), keep(goal, goal >= 0)
    if not len(at):
        return
    s.spot[hero][at] = goal
    s.wade[hero][at] = NOWHERE
    if s.tell:
        s.tell.event("P52-C26", "is_pushed", at, whom=hero, place=s.space.ground.board.names[int(goal[0])])
    spring_traps(s, hero, at)
    find_knife(s, hero, at)


def push_enemy(s: State, enemy: int, away_from: Small, actor: int, at: Lanes, players_choose: bool) -> Mask:
    """P52-C26: (lanes,). Moves the enemy where it can; says where it could."""
    goal = push_spot(s, cut(s.foe_spot[enemy], at), away_from, actor, at, players_choose)
    moved = goal >= 0
    going, goal = keep(at, moved), keep(goal, moved)
    s.foe_spot[enemy][going] = goal
    s.foe_wade[enemy][going] = NOWHERE
    if s.tell and len(going):
        place = s.space.ground.board.names[int(goal[0])]
        s.tell.event("P52-C26", "is_pushed", going, whom=s.unit_of(enemy, going), place=place)
    return moved

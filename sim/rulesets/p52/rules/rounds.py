"""Setup, rounds, turns, and the way from one encounter to the next (sections 3, 4 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.board import picture
from sim.core.choose import order_by
from sim.core.lanes import Lanes, anywhere, cut, keep, put
from sim.core.luck import ENEMIES, TABLE
from sim.core.outcomes import Outcome
from sim.rulesets.p52.rules.cards import ACE, KING, flip, give_card
from sim.rulesets.p52.rules.damage import check_end, clear_hero, return_to_life
from sim.rulesets.p52.rules.enemy_turns import enemy_turn
from sim.rulesets.p52.state import IN_HAND, NOWHERE, STANDING, State

if TYPE_CHECKING:
    from sim.rulesets.p52.player import Player


# Setup.


def enter_space(s: State, heroes: Player, at: Lanes, stage: int) -> None:
    """P52-S2, P52-S5, P52-S6: place everybody, fix the order of play, flip for a free pass."""
    s.space = space = s.facts.spaces[stage]
    there = anywhere(at, s.size)
    s.stage[there] = stage
    s.stage_round[there] = 0
    s.on[there] = True
    s.outcome[there] = Outcome.DRAW
    for hero in range(s.heroes):
        s.spot[hero][there] = space.start[hero]
        clear_hero(s, hero, at)
        s.aim_at[hero][there] = NOWHERE
        s.knife_at[hero][there] = IN_HAND
    dealt = sum(len(earlier.types) - earlier.listed for earlier in s.facts.spaces[:stage])
    for slot in range(space.slots):
        drawn = slot - space.listed
        s.kind[slot][there] = space.types[slot][0] if drawn < 0 else s.dealt[dealt + drawn].take(at)
        kind = s.kind[slot].take(at)
        s.foe_hp[slot][there] = np.array([facts.hp for facts in s.facts.types], dtype=np.int16).take(kind)
        s.foe_spot[slot][there] = space.spots[slot]
        s.gone[slot][there] = STANDING
        put(s.met, kind, at, True)
        for status in (s.frozen, s.burn, s.fled, s.falls):
            status[slot][there] = 0
        s.iced[slot][there] = False
        s.loaded[slot][there] = True
        s.last[slot][there] = NOWHERE
        s.foe_wade[slot][there] = NOWHERE
    s.gone[space.slots :, there] = STANDING + 1
    s.standing[there] = space.slots
    for record in (s.earned, s.foes_met, s.foes_by, s.saves):
        record[:, there] = 0
    order_of_play(s, at)
    check_end(s, at)
    start_flip(s, heroes, at[s.on.take(at)])


def order_of_play(s: State, at: Lanes) -> None:
    """P52-S5: initiative, then hit points, then heroes before enemies, then by lot."""
    slots = s.space.slots
    kind = cut(s.kind[:slots], at)
    initiative = np.concatenate(
        [
            np.broadcast_to([[kit.facts.initiative] for kit in s.facts.kits], (s.heroes, len(at))),
            np.array([facts.initiative for facts in s.facts.types], dtype=np.int64).take(kind),
        ]
    )
    hp = np.concatenate([cut(s.hp, at), cut(s.foe_hp[:slots], at)]).astype(np.int64)
    side = np.arange(s.heroes + slots)[:, None] >= s.heroes
    actors = [*range(s.heroes), *(ENEMIES + slot for slot in range(slots))]
    keys = np.stack([s.luck.bits("P52-S5", s.when(at), TABLE, actor, at) for actor in actors])
    lot = np.argsort(np.argsort(keys, axis=0, kind="stable"), axis=0, kind="stable")
    there = anywhere(at, s.size)
    s.order[: s.heroes + slots, there] = order_by((-initiative, -hp, side.astype(np.int8), lot))
    s.order[s.heroes + slots :, there] = s.heroes + slots


def start_flip(s: State, heroes: Player, at: Lanes) -> None:
    """P52-S6, P52-S7, P52-E13: an Ace favours the enemies, a King the heroes; Calico takes an extra turn instead."""
    s.favoured[at] = 0
    if not len(at):
        return
    cards = {s.facts.types[kinds[0]].card: slot for slot, kinds in enumerate(s.space.types)}
    if "apprentice" in cards or "calico" in cards:
        if "calico" in cards:
            wizards = [slot for slot, kinds in enumerate(s.space.types) if s.facts.types[kinds[0]].card == "calico"]
            play_turns(s, heroes, at, only=[s.heroes + slot for slot in wizards])
        return
    if s.facts.is_on("drop_mode", "off"):
        return
    value = flip(s, at)
    if s.tell:
        s.tell("P52-S6", "", "a card decides who starts", at, card=value)
    for chosen, units in (
        (value == ACE, range(s.heroes, s.heroes + s.space.slots)),
        (value == KING, range(s.heroes)),
    ):
        lanes = at[chosen]
        if not len(lanes):
            continue
        if s.facts.is_on("drop_mode", "free_pass"):
            if s.tell:
                s.tell("P52-S6", "", f"a free pass for the {'heroes' if 0 in units else 'enemies'}", lanes)
            play_turns(s, heroes, lanes, only=list(units))
        else:
            s.favoured[lanes] = 1 if units[0] == 0 else 2


# Rounds.


def play_round(s: State, heroes: Player) -> None:
    """P52-T1, P52-T6: one round of every encounter that goes on, then the way to the next one."""
    at = np.flatnonzero(s.live)
    s.stage_round[at] += 1
    for stage in range(len(s.facts.spaces)):
        mine = at if len(s.facts.spaces) == 1 else at[s.stage.take(at) == stage]
        if len(mine):
            s.space = s.facts.spaces[stage]
            play_turns(s, heroes, mine)
    tired = at[s.on.take(at) & (s.stage_round.take(at) >= s.facts.switches["round_cap"])]
    s.on[tired] = False
    s.outcome[tired] = Outcome.DRAW
    if s.tell:
        s.space = s.facts.spaces[int(s.stage[0])]
        s.tell.show(show_board(s))
    go_on(s, heroes, at)


def go_on(s: State, heroes: Player, at: Lanes) -> None:
    """P52-X5: rewards for encounters that are over; the winners go on to the next one, until it goes on or ends."""
    over = at[~s.on.take(at)]
    while len(over):
        reward(s, over)
        last = s.stage.take(over) == len(s.facts.spaces) - 1
        moving = over[~last & (s.outcome.take(over) == Outcome.WIN)]
        done = np.setdiff1d(over, moving, assume_unique=True)
        s.live[done] = False
        for stage in range(len(s.facts.spaces) - 1):
            mine = moving[s.stage.take(moving) == stage]
            if len(mine):
                leave_space(s, mine)
        stages = s.stage.take(moving) + 1
        for stage in np.unique(stages).tolist():
            enter_space(s, heroes, moving[stages == stage], stage)
        over = moving[~s.on.take(moving)]


def play_turns(s: State, heroes: Player, at: Lanes, only: list[int] | None = None) -> None:
    """P52-T1, P52-T4: every unit takes one turn in the order of play; k is 0 at the start."""
    there = anywhere(at, s.size)
    s.pushed[there] = 0
    s.received[:, there] = 0
    s.struck[:, there] = 0
    order = cut(s.order, at)
    if only is None and not s.facts.is_on("drop_mode", "off"):
        order = favoured_order(s, order, at)
    units = s.heroes + s.space.slots
    for place in range(units):
        row = order[place]
        first = int(row[0])
        alike = bool((row == first).all())  # the usual case: the same unit in all runs
        for unit in [first] if alike else np.unique(row).tolist():
            if unit >= units or (only is not None and unit not in only):
                continue
            mine = at if alike else keep(at, row == unit)
            mine = keep(mine, s.on.take(mine))
            if not len(mine):
                continue
            if unit < s.heroes:
                hero_turn(s, heroes, unit, mine)
            else:
                enemy_turn(s, unit - s.heroes, mine)


def favoured_order(s: State, order: np.ndarray, at: Lanes) -> np.ndarray:
    """P52-S6 `first_round`: in round 1 the favoured side goes first, each side in its own order."""
    special = (s.favoured.take(at) > 0) & (s.stage_round.take(at) == 1)
    if not special.any():
        return order
    order = order.copy()
    lanes = np.flatnonzero(special)
    part = order[:, lanes].astype(np.int64)
    theirs = part >= s.heroes
    late = np.where(s.favoured.take(at[lanes]) == 1, theirs, ~theirs | (part >= s.heroes + s.space.slots))
    place = np.argsort(late, axis=0, kind="stable")
    order[:, lanes] = np.take_along_axis(part, place, axis=0)
    return order


def hero_turn(s: State, heroes: Player, hero: int, at: Lanes) -> None:
    """P52-T2, P52-C22: the feather of the dead, lost turns, then one action."""
    dead = s.hp[hero].take(at) < 0
    if dead.any():
        if "phoenix_feather" in s.facts.stock_names:
            place = s.facts.stock_names.index("phoenix_feather")
            rising = at[dead & (s.stock[place, hero].take(at) > 0)]
            if len(rising):
                s.stock[place, hero][rising] -= 1
                s.count("items_used", rising)
                return_to_life(s, hero, rising, 3 * s.facts.kits[hero].facts.level)
        at = keep(at, s.hp[hero].take(at) >= 0)
    held = s.lost[hero].take(at) > 0
    if held.any():
        lanes = keep(at, held)
        s.lost[hero][lanes] -= 1
        s.aim[hero][lanes] = 0
        s.stance[hero][lanes] = 0
        s.wade[hero][lanes] = NOWHERE
        if s.tell:
            s.tell("P52-T2", hero, "is frozen", lanes)
        at = keep(at, ~held)
    if len(at):
        heroes.turn(s, hero, at)


# After an encounter.


def reward(s: State, at: Lanes) -> None:
    """P52-X2, P52-X3, P52-X4: XP of the heroes' deeds, 5 more for living winners; core gains; how the enemies ended."""
    outcome = s.outcome.take(at)
    granted = outcome != Outcome.LOSS
    won = outcome == Outcome.WIN
    for hero in range(s.heroes):
        deeds = s.earned[hero].take(at) + np.bitwise_count(s.foes_met[hero].take(at)).astype(np.int32)
        alive = s.hp[hero].take(at) >= 0
        s.xp[hero][at] += (deeds + 5 * (won & alive)) * granted
    gains = (np.bitwise_count(cut(s.foes_by, at)) >= 3).sum(axis=0) + (cut(s.saves, at) >= 3).sum(axis=0)
    s.count("core_gain", at, gains)
    weak = np.ones(len(at), dtype=bool)
    for slot in range(len(s.gone)):
        there = slot < np.array([space.slots for space in s.facts.spaces]).take(s.stage.take(at))
        lanes = at[there]
        kind = s.kind[slot].take(lanes)
        s.end_hp[kind, lanes] = s.foe_hp[slot].take(lanes)
        s.fallen[kind, lanes] = s.gone[slot].take(lanes) != STANDING
        left = s.gone[slot].take(lanes) == STANDING
        strong = 4 * s.foe_hp[slot].take(lanes) >= s.facts.type_max_hp.take(kind)
        weak[np.flatnonzero(there)[left & strong]] = False
    s.count("stalemate", at, weak & (outcome == Outcome.DRAW))


def leave_space(s: State, at: Lanes) -> None:
    """P52-X5: a stamina card and perhaps a rest for every living hero."""
    for hero in range(s.heroes):
        living = at[s.hp[hero].take(at) >= 0]
        room = living[s.cards[hero].take(living) < s.facts.switches["stamina_max"]]
        if len(room):
            give_card(s, hero, room)
        if s.facts.is_on("space_recovery", "quarter") and len(living):
            most = s.facts.kits[hero].facts.max_hp
            hp = s.hp[hero].take(living)
            s.hp[hero][living] = np.maximum(hp, np.minimum(most, hp + (most + flip(s, living)) // 4))
            if s.tell:
                s.tell("P52-X5", hero, "rests", living, hp=s.hp[hero].take(living))


def show_board(s: State) -> str:
    """The board of a batch of one, with heroes as letters and enemies as their cards."""
    marks: dict[int, str] = {}
    for hero in range(s.heroes):
        if s.hp[hero, 0] >= 0:
            spot = int(s.spot[hero, 0])
            marks[spot] = marks.get(spot, "") + s.facts.kits[hero].facts.name[0].upper()
    for slot in range(s.space.slots):
        if s.gone[slot, 0] == STANDING:
            spot = int(s.foe_spot[slot, 0])
            card = s.facts.types[int(s.kind[slot, 0])].card
            marks[spot] = marks.get(spot, "") + (card[0] + card.split()[1][0] if " " in card else card[:2])
    return picture(s.space.ground.board, marks, coordinates=True)

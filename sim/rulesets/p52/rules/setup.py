"""Everything before the first round of an encounter (P52-S2 to P52-S7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import lots, order_by
from sim.core.lanes import Lanes, anywhere, cut, keep, per_lane, put
from sim.core.luck import ENEMIES
from sim.core.outcomes import Outcome
from sim.core.telling import START
from sim.rulesets.p52 import faces
from sim.rulesets.p52.rules.cards import ACE, KING, flip, give_card
from sim.rulesets.p52.rules.damage import clear_hero
from sim.rulesets.p52.rules.ending import check_end
from sim.rulesets.p52.rules.hero_turns import TakeTurn
from sim.rulesets.p52.rules.turns import ENEMIES_FIRST, HEROES_FIRST, play_turns
from sim.rulesets.p52.state import IN_HAND, NOWHERE, STANDING, State


def deal_stamina(s: State) -> None:
    """P52-S4: every hero begins with some cards."""
    for hero in range(s.heroes):
        for _ in range(min(s.facts.switches["stamina_start"], s.facts.switches["stamina_max"])):
            give_card(s, hero, s.everyone)


def enter_space(s: State, take_turn: TakeTurn, at: Lanes, stage: int) -> None:
    """P52-S2, P52-S5, P52-S6: place everybody, fix the order of play, flip for a free pass."""
    everywhere = anywhere(at, s.size)
    s.stage_round[everywhere] = 0
    s.on[everywhere] = True
    s.outcome[everywhere] = Outcome.DRAW
    place_everybody(s, at, stage)
    for record in (s.earned, s.foes_met, s.foes_by, s.saves):
        record[:, everywhere] = 0
    order_of_play(s, at)
    if s.tell:
        if stage:
            s.tell.event("P52-X5", "enters", at, room=stage + 1, title=s.space.title)
        s.tell.event("P52-S2", START, at)
    check_end(s, at)
    start_flip(s, take_turn, keep(at, cut(s.on, at)))


def place_everybody(s: State, at: Lanes, stage: int) -> None:
    """P52-S2: heroes and enemies on the board of an encounter."""
    s.space = s.facts.spaces[stage]
    s.stage[anywhere(at, s.size)] = stage
    place_heroes(s, at)
    place_enemies(s, stage, at)


def place_heroes(s: State, at: Lanes) -> None:
    """P52-S2: on their own spots or at the entrance, without aim, stance and the like."""
    everywhere = anywhere(at, s.size)
    for hero in range(s.heroes):
        s.spot[hero][everywhere] = s.own(s.space.start[hero], at)
        clear_hero(s, hero, at)
        s.aim_at[hero][everywhere] = NOWHERE
        s.knife_at[hero][everywhere] = IN_HAND


def place_enemies(s: State, stage: int, at: Lanes) -> None:
    """P52-S2: on their spots, the listed ones first, then what the enemy deck deals."""
    space = s.space
    everywhere = anywhere(at, s.size)
    dealt = sum(len(earlier.types) - earlier.listed for earlier in s.facts.spaces[:stage])
    for slot in range(space.slots):
        drawn = slot - space.listed
        s.kind[slot][everywhere] = space.types[slot][0] if drawn < 0 else cut(s.dealt[dealt + drawn], at)
        kind = cut(s.kind[slot], at)
        s.foe_hp[slot][everywhere] = s.find(s.facts.type_hp, at, kind)
        s.foe_spot[slot][everywhere] = s.own(space.spots[slot], at)
        s.gone[slot][everywhere] = STANDING
        put(s.met, kind, at, True)
        for status in (s.frozen, s.burn, s.fled, s.falls):
            status[slot][everywhere] = 0
        s.iced[slot][everywhere] = False
        s.loaded[slot][everywhere] = True
        s.last[slot][everywhere] = NOWHERE
        s.foe_wade[slot][everywhere] = NOWHERE
    s.gone[space.slots :, everywhere] = STANDING + 1
    s.standing[everywhere] = space.slots


def order_of_play(s: State, at: Lanes) -> None:
    """P52-S5: initiative, then hit points, then heroes before enemies, then by lot."""
    slots = s.space.slots
    units = s.heroes + slots
    own = np.stack([per_lane(s.own(kit.facts.initiative, at), at) for kit in s.facts.kits])
    theirs = s.find(s.facts.type_initiative, at, s.foe_kinds(at))
    initiative = np.concatenate([own, theirs])
    hp = np.concatenate([cut(s.hp, at), cut(s.foe_hp[:slots], at)]).astype(np.int64)
    side = (np.arange(units)[:, None] >= s.heroes).astype(np.int8)
    known = (-initiative, -hp, side)
    everywhere = anywhere(at, s.size)
    s.order[units:, everywhere] = units
    if needs_no_lot(known):
        s.order[:units, everywhere] = order_by([key[:, :1] for key in known])
        return
    actors = [*range(s.heroes), *(ENEMIES + slot for slot in range(slots))]
    keys = lots(s.luck, "P52-S5", s.when(at), actors, at)
    lot = np.argsort(np.argsort(keys, axis=0, kind="stable"), axis=0, kind="stable")  # small numbers sort faster
    s.order[:units, everywhere] = order_by((*known, lot))


def needs_no_lot(keys: Sequence[NDArray[np.integer]]) -> bool:
    """Whether these keys, (units, lanes) or (units, 1), are alike in all lanes and tell every two units apart."""
    if not keys[0].shape[1] or not all((key == key[:, :1]).all() for key in keys):
        return False
    return len({tuple(key[unit, 0] for key in keys) for unit in range(len(keys[0]))}) == len(keys[0])


def start_flip(s: State, take_turn: TakeTurn, at: Lanes) -> None:
    """P52-S6, P52-S7, P52-E13: an Ace favours the enemies, a King the heroes; some take an extra turn instead."""
    s.favoured[at] = 0
    if not len(at):
        return
    traits = [s.facts.types[kinds[0]].traits for kinds in s.space.types]  # nobody of the enemy deck has such traits
    eager = [s.heroes + slot for slot, its in enumerate(traits) if "extra_turn" in its]
    if eager:
        if s.tell:
            s.tell.event("P52-E13", "extra_turn", at, who=s.unit_of(eager[0] - s.heroes, at))
        play_turns(s, take_turn, at, only=eager)
    if eager or any("no_start_flip" in its for its in traits):
        return
    if s.facts.is_on("drop_mode", "off"):
        return
    value = flip(s, at, "P52-S6")
    if s.tell:
        favours = "enemies" if value[0] == ACE else "heroes" if value[0] == KING else "nobody"
        pass_for = s.facts.is_on("drop_mode", "free_pass")
        rolls = [faces.flipped(s, purpose="for the start")]
        s.tell.event("P52-S6", "opens", at, rolls=rolls, favours=favours, free_pass=pass_for)
    favour(s, take_turn, ENEMIES_FIRST, keep(at, value == ACE))
    favour(s, take_turn, HEROES_FIRST, keep(at, value == KING))


def favour(s: State, take_turn: TakeTurn, side: int, at: Lanes) -> None:
    """P52-S6: a free pass for one side, or the first turns of round 1, by `drop_mode`."""
    if not len(at):
        return
    if not s.facts.is_on("drop_mode", "free_pass"):
        s.favoured[at] = side
        return
    units = range(s.heroes) if side == HEROES_FIRST else range(s.heroes, s.heroes + s.space.slots)
    play_turns(s, take_turn, at, only=list(units))

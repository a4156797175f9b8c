"""A hero's activation: Move roll, start effects, tokens, movement, action (BF-H1 to BF-H11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.lanes import Lanes, Small, Whole, anyone, columns, cut, each, keep, lookup, which
from sim.core.policy import truth
from sim.core.telling import dice
from sim.rulesets.brimstone.data import BLEEDING, ENSNARED, ENTANGLED, VENOM, WEBBED
from sim.rulesets.brimstone.look import health_shown, kind_name, model_key
from sim.rulesets.brimstone.player import Player
from sim.rulesets.brimstone.rules.credit import credit
from sim.rulesets.brimstone.rules.damage import check_ko, still_up
from sim.rulesets.brimstone.rules.free_attacks import use_free_items
from sim.rulesets.brimstone.rules.grit import gain_grit
from sim.rulesets.brimstone.rules.markers import status_markers
from sim.rulesets.brimstone.rules.places import adjacent_models
from sim.rulesets.brimstone.rules.saves import Source, corrupt, horror, plain_hits, take_batch
from sim.rulesets.brimstone.rules.skills import skill_dice, skill_shown
from sim.rulesets.brimstone.rules.tokens import use_tokens
from sim.rulesets.brimstone.state import State

FEARS = ("fear", "terror", "uterror")  # Fear, Terror, Unspeakable Terror
FIXED_MOVE = 4


def activate_hero(s: State, player: Player, hero: int, at: Lanes) -> None:
    """BF-H1: Move roll, start effects, tokens, movement, one action; a hero KO'd on the way stops."""
    s.acted[hero, at] = True
    s.ever_acted[hero, at] = True
    s.slip[at] = 0
    activated = at
    move_roll(s, hero, at)
    at = start_effects(s, hero, at)
    use_tokens(s, hero, at)
    at = player.begin(s, hero, at)
    if s.facts.plans[hero].items and s.facts.is_on("free_attack_time", "any_time"):
        use_free_items(s, player.scales, hero, at)
        at = still_up(s, hero, at)
    at = movement(s, player, hero, at)
    at = end_of_move(s, hero, at)
    if s.facts.plans[hero].items:
        use_free_items(s, player.scales, hero, at)
        at = still_up(s, hero, at)
    player.act_once(s, hero, at)
    if s.facts.markers:
        over = keep(activated, cut(s.live, activated))
        s.status[VENOM, hero, over] = 0
        s.status[ENTANGLED, hero, over] = 0


def move_roll(s: State, hero: int, at: Lanes) -> None:
    """BF-H2, BF-U3: D6 movement points; 1 Grit on a 1 (Wild Card: 1 or 2). Allies have a fixed Move."""
    facts = s.facts.plot.heroes[hero]
    bonus = cut(s.move_bonus[hero], at)
    if facts.ally:
        s.moves[hero, at] = s.own(facts.move, at) + bonus
        return
    die = s.luck.die(6, "BF-H2", s.round, hero, 0, at)
    rolled = [die]
    lucky = die <= (2 if "wild_card" in facts.talents else 1)
    if facts.upgrade == "fancy_footwork":
        second = s.luck.die(6, "BF-H2", s.round, hero, 1, at)
        rolled.append(second)
        lucky |= second == 1
        die = np.maximum(die, second)
    s.moves[hero, at] = (FIXED_MOVE if s.facts.is_on("hero_move", "fixed4") else die) + bonus
    if s.tell:
        shown = [dice(np.array(rolled), 6, purpose="movement")]
        s.tell.event("BF-H2", "rolls_for_movement", at, who=hero, rolls=shown, moves=s.moves[hero, at])
    gain_grit(s, hero, keep(at, lucky))


# Start of the activation.


def start_effects(s: State, hero: int, at: Lanes) -> Lanes:
    """BF-H3: status markers, then Horror Hits, then other enemy effects. Returns the lanes in which the hero stands."""
    if s.facts.markers:
        at = status_markers(s, hero, at)
    if s.facts.any_has.intersection(FEARS):
        feel_fear(s, hero, at)
        at = still_up(s, hero, at)
    if "drag" in s.facts.any_has:
        at = dragged(s, hero, at)
    return at


def feel_fear(s: State, hero: int, at: Lanes) -> None:
    """Fear, Terror, Unspeakable Terror: all Horror Hits of one activation are one batch."""
    if not len(at):
        return
    hits = horror_hits(s, hero, at)
    if not hits.any():
        return
    lane, slot = hits.T.nonzero()  # lane by lane, models in slot order
    times = hits[slot, lane]
    damage = np.ones(len(lane), dtype=np.int64)
    if "horror_bonus" in s.facts.any_has:
        damage += s.figure("horror_bonus", each(s.profile, slot, at[lane]))
    kinds = each(s.kind, slot, at[lane]).astype(np.int64)
    points, whose = np.repeat(damage, times), np.repeat(kinds, times)
    horror(s, hero, np.repeat(at[lane], times), points, Source("BF-H3", 0), whose)


def horror_hits(s: State, hero: int, at: Lanes) -> Small:
    """(slots, lanes). How many Horror Hits every model does: beside the hero, on its tile, on a touching one."""
    alive, profile = cut(s.alive, at), cut(s.profile, at)
    hits = np.zeros(alive.shape, dtype=np.int16)
    if not s.has_board:
        for name in FEARS:
            hits += s.figure(name, profile) * alive
        return hits
    spots, cell = cut(s.spot, at), cut(s.cell[hero], at)
    for name, reaches in zip(FEARS, (s.ground.adjacent, s.ground.same_tile, s.ground.near_tile), strict=True):
        if name in s.facts.any_has:
            hits += s.figure(name, profile) * (alive & lookup(reaches, spots, cell))
    return hits


def dragged(s: State, hero: int, at: Lanes) -> Lanes:
    """Elite Stranglers: next to one or more, Agility 5+ or D6 hits of damage 1. By kind number."""
    for kind in kinds_with(s, "drag"):
        seized = keep(at, beside_kind(s, hero, kind, at, "drag") > 0)
        if not len(seized):
            continue
        failed = keep(seized, skill_dice(s, s.agility, hero, seized, 5, "drag", 100 * kind) == 0)
        number = s.luck.die(6, "drag", s.round, hero, 100 * kind + 50, failed)
        credit(s, kind, "drag", seized, uses=1)
        if s.tell:
            shown = [skill_shown(s, "agility", hero, 5, "drag", 100 * kind)]
            told: dict[str, Any] = {"by": kind_name(s, kind), "free": not len(failed), "hits": number.sum()}
            s.tell.event("BF-H3", "is_dragged", seized, who=hero, rolls=shown, **told)
        take_batch(s, hero, plain_hits(np.repeat(failed, number), 1), Source("drag", kind, kind))
        at = still_up(s, hero, at)
    return at


def kinds_with(s: State, ability: str) -> list[int]:
    """The kinds that may have an ability, by number."""
    return [kind for kind in sorted(s.facts.kind_has) if s.kind_may(kind, ability)]


def beside_kind(s: State, hero: int, kind: int, at: Lanes, ability: str) -> Small:
    """(lanes,). How many models of a kind that has the ability are next to the hero."""
    near = adjacent_models(s, cut(s.cell[hero], at), at) & (cut(s.kind, at) == kind)
    near &= s.figure(ability, cut(s.profile, at)) > 0
    return near.sum(axis=0, dtype=np.int16)


# Movement.


def movement(s: State, player: Player, hero: int, at: Lanes) -> Lanes:
    """BF-H8 to BF-H10: Escape where needed, then the move. Returns the lanes in which the hero stands."""
    if not s.has_board or not len(at):
        return at
    if s.facts.markers:
        left = np.maximum(cut(s.moves[hero], at) - cut(s.status[WEBBED, hero], at), 0)
        held = (cut(s.status[ENSNARED, hero], at) > 0) | (cut(s.status[ENTANGLED, hero], at) > 0)
        s.moves[hero, at] = left * ~held
    at = escape(s, player, hero, at)
    player.go(s, hero, at)
    return at


def escape(s: State, player: Player, hero: int, at: Lanes) -> Lanes:
    """BF-H9: one D6 against the highest Escape number beside the hero, if the policy tries at all."""
    wish = s.facts.plans[hero].escape
    if wish.text == "false":
        return at
    near = adjacent_models(s, cut(s.cell[hero], at), at)
    pressed = which(anyone(near) & (cut(s.moves[hero], at) > 0))
    if not len(pressed):
        return at
    tries = keep(pressed, truth(wish, player, s, hero, at[pressed]))
    if not len(tries):
        return at
    trying = at[tries]
    highest = (columns(near, tries) * s.figure("escape", cut(s.profile, trying))).max(axis=0)
    die = s.luck.die(6, "BF-H9", s.round, hero, 0, trying)
    passed = die >= highest
    ignored = die if s.facts.is_on("escape_roll", "once_per_turn") else highest
    s.slip[keep(trying, passed)] = keep(ignored, passed)
    if s.tell:
        whom = [model_key(s, slot) for slot in which(near[:, 0]).tolist()]
        shown = [dice(die, 6, highest, purpose="escape", measure="escapes")]
        s.tell.event("BF-H9", "escapes", trying, who=hero, whom=whom, rolls=shown, passed=passed)
    if "cut" in s.facts.any_has:
        cut_down(s, hero, keep(trying, ~passed))
        at = still_up(s, hero, at)
    return at


def cut_down(s: State, hero: int, at: Lanes) -> None:
    """Cut: a hero who fails to escape takes 3 hits of damage 2 from every such kind beside it."""
    for kind in kinds_with(s, "cut"):
        standing = still_up(s, hero, at)
        struck = keep(standing, beside_kind(s, hero, kind, standing, "cut") > 0)
        credit(s, kind, "cut", struck, uses=1)
        if s.tell:
            s.tell.event("BF-H9", "is_cut_down", struck, who=hero, by=kind_name(s, kind))
        take_batch(s, hero, plain_hits(np.repeat(struck, 3), 2), Source("cut", kind, kind))


def end_of_move(s: State, hero: int, at: Lanes) -> Lanes:
    """BF-H11: Tail and Corruption of the models beside the hero, by kind. Returns where the hero stands."""
    if not s.facts.any_has & {"tail", "taint"}:
        return at
    for kind in sorted(s.facts.kind_has):
        if s.kind_may(kind, "tail"):
            near = beside_kind(s, hero, kind, at, "tail")
            lashed = keep(at, near > 0)
            if len(lashed):
                lash(s, hero, kind, lashed, keep(near, near > 0))
                at = still_up(s, hero, at)
        if s.kind_may(kind, "taint"):
            tainted = keep(at, beside_kind(s, hero, kind, at, "taint") > 0)
            corrupt(s, hero, tainted, Source("taint", kind))
    return at


def lash(s: State, hero: int, kind: int, at: Lanes, models: Small) -> None:
    """Tail: Agility test; failed: 1 Bleeding. Elite: one success per model, 1 marker per missing one, D3 each."""
    passed = skill_dice(s, s.agility, hero, at, s.of_kind("tail", kind, at), "Tail", 100 * kind)
    missing: Whole = (passed == 0).astype(np.int64)
    if s.kind_may(kind, "tail_each"):
        missing = np.where(s.kind_has("tail_each", kind, at), np.maximum(models - passed, 0), missing)
    markers = missing.copy()
    if s.kind_may(kind, "tail_d3"):
        rolls = s.kind_has("tail_d3", kind, at)
        for m in range(int(missing.max(initial=0))):
            die = s.luck.die(3, "Tail", s.round, hero, 100 * kind + 50 + m, at)
            markers += (die - 1) * (rolls & (missing > m))
    before = health_shown(s, hero) if s.tell else 0
    s.status[BLEEDING, hero, at] += markers.astype(np.int8)
    if s.tell:
        shown = [skill_shown(s, "agility", hero, s.of_kind("tail", kind, at), "Tail", 100 * kind)]
        told: dict[str, Any] = {"by": kind_name(s, kind), "markers": markers, "damage": before - health_shown(s, hero)}
        s.tell.event("BF-H11", "is_lashed", at, who=hero, rolls=shown, **told)
    check_ko(s, hero, at)

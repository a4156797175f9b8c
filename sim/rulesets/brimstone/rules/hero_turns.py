"""A hero's activation: Move roll, start effects, tokens, movement, action (5.1 to 5.3, 7.5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, columns, lookup
from sim.core.policy import truth
from sim.rulesets.brimstone.data import BLEEDING, BURNING, ENSNARED, ENTANGLED, POISON, STUNNED, VENOM, WEBBED
from sim.rulesets.brimstone.player import Player
from sim.rulesets.brimstone.rules.armor import take_wounds
from sim.rulesets.brimstone.rules.damage import check_ko, still_up
from sim.rulesets.brimstone.rules.grit import gain_grit, spend_grit
from sim.rulesets.brimstone.rules.hero_attacks import use_free_items
from sim.rulesets.brimstone.rules.places import adjacent_models
from sim.rulesets.brimstone.rules.saves import corrupt, horror, plain_hits, take_batch
from sim.rulesets.brimstone.rules.tokens import use_tokens
from sim.rulesets.brimstone.state import State


def activate_hero(s: State, player: Player, hero: int, at: Lanes) -> None:
    """BF-H1: Move roll, start effects, tokens, movement, one action; a hero KO'd on the way stops."""
    s.acted[hero, at] = True
    s.ever_acted[hero, at] = True
    s.slip[at] = 0
    everywhere = at
    move_roll(s, hero, at)
    at = start_effects(s, hero, at)
    use_tokens(s, hero, at)
    at = player.begin(s, hero, at)
    at = movement(s, player, hero, at)
    at = end_of_move(s, hero, at)
    if s.facts.plans[hero].items:
        use_free_items(s, player.scales, hero, at)
        at = still_up(s, hero, at)
    player.act_once(s, hero, at)
    if s.facts.markers:
        over = everywhere[s.live.take(everywhere)]
        s.status[VENOM, hero, over] = 0
        s.status[ENTANGLED, hero, over] = 0


def move_roll(s: State, hero: int, at: Lanes) -> None:
    """BF-H2, BF-U3: D6 movement points; 1 Grit on a 1 (Wild Card: 1 or 2). Allies have a fixed Move."""
    facts = s.facts.plot.heroes[hero]
    if facts.ally:
        s.moves[hero, at] = facts.move + s.move_bonus[hero].take(at)
        return
    die = s.luck.die(6, "BF-H2", s.round, hero, 0, at)
    lucky = die <= (2 if facts.hero_class == "bandido" else 1)
    if facts.upgrade == "fancy_footwork":
        second = s.luck.die(6, "BF-H2", s.round, hero, 1, at)
        lucky |= second == 1
        die = np.maximum(die, second)
    if s.facts.is_on("hero_move", "fixed4"):
        s.moves[hero, at] = 4 + s.move_bonus[hero].take(at)
    else:
        s.moves[hero, at] = die + s.move_bonus[hero].take(at)
    if s.tell and len(at):
        s.tell("BF-H2", hero, "rolls for movement", at, roll=die)
    gain_grit(s, hero, at[lucky])


# Start of the activation.


def start_effects(s: State, hero: int, at: Lanes) -> Lanes:
    """BF-H3: status markers, then Horror Hits, then other enemy effects. Returns the lanes in which the hero stands."""
    if s.facts.markers:
        at = status_markers(s, hero, at)
    if s.facts.any_has & {"fear", "terror", "uterror"}:
        feel_fear(s, hero, at)
        at = still_up(s, hero, at)
    if "drag" in s.facts.any_has:
        at = dragged(s, hero, at)
    return at


def skill_dice(s: State, skill: Tiny, hero: int, at: Lanes, number: Any, purpose: str, first: int) -> Whole:
    """(lanes,). BF-X2: how many of the skill's dice show the number or more."""
    dice = skill[hero].take(at)
    passed = np.zeros(len(at), dtype=np.int64)
    for i in range(int(dice.max(initial=0))):
        passed += (s.luck.die(6, purpose, s.round, hero, first + i, at) >= number) & (dice > i)
    return passed


def status_markers(s: State, hero: int, at: Lanes) -> Lanes:
    """7.5, I44: Bleeding (BF-P11), Burning, Ensnared, Poison, Stunned, Webbed. Returns where the hero stands."""
    mend(s, hero, at)
    burns = at[s.status[BURNING, hero].take(at) > 0]
    if len(burns):
        s.status[BURNING, hero, burns] -= 1
        take_wounds(s, hero, burns, 2, "Burning", 0)
        at = still_up(s, hero, at)
    held = at[s.status[ENSNARED, hero].take(at) > 0]
    if len(held):
        free = skill_dice(s, s.strength, hero, held, 5, "Ensnared", 0) > 0
        s.status[ENSNARED, hero, held[free]] = 0
    sick = at[s.status[POISON, hero].take(at) > 0]
    if len(sick):
        markers = s.status[POISON, hero].take(sick)
        wounds = np.zeros(len(sick), dtype=np.int64)
        cured = np.zeros(len(sick), dtype=np.int8)
        for i in range(int(markers.max())):
            die = s.luck.die(6, "Poison", s.round, hero, i, sick)
            wounds += (die <= 2) & (markers > i)
            cured += (die == 6) & (markers > i)
        s.status[POISON, hero, sick] -= cured
        take_wounds(s, hero, sick, wounds, "Poison", 0, armor=False)
        at = still_up(s, hero, at)
    stunned = at[s.status[STUNNED, hero].take(at) > 0]
    if len(stunned):
        s.status[STUNNED, hero, stunned] -= s.luck.die(6, "Stunned", s.round, hero, 0, stunned) >= 4
    webbed = at[s.status[WEBBED, hero].take(at) > 0]
    if len(webbed):
        passed = skill_dice(s, s.strength, hero, webbed, 5, "Webbed", 0)
        s.status[WEBBED, hero, webbed] -= np.minimum(passed, s.status[WEBBED, hero, webbed]).astype(np.int8)
    return at


def mend(s: State, hero: int, at: Lanes) -> None:
    """BF-P11, BF-H5: some policies remove a Bleeding marker while the hero holds all the Grit it can."""
    if s.facts.plans[hero].mend and s.facts.is_on("grit_use"):
        grit = s.grit[hero].take(at)
        spare = (grit > 0) & (grit == s.max_grit[hero].take(at)) & (s.status[BLEEDING, hero].take(at) > 0)
        spend_grit(s, hero, at[spare])
        s.status[BLEEDING, hero, at[spare]] -= 1


def feel_fear(s: State, hero: int, at: Lanes) -> None:
    """Fear, Terror, Unspeakable Terror: all Horror Hits of one activation are one batch."""
    if not len(at):
        return
    cell = s.cell[hero].take(at)
    alive = columns(s.alive, at)
    profile = columns(s.profile, at)
    hits = np.zeros(alive.shape, dtype=np.int16)
    if s.ground is None:
        for name in ("fear", "terror", "uterror"):
            hits += s.figure(name, profile) * alive
    else:
        spots = columns(s.spot, at)
        tables = {"fear": s.ground.adjacent, "terror": s.ground.same_tile, "uterror": s.ground.near_tile}
        for name, table in tables.items():
            if name in s.facts.any_has:
                hits += s.figure(name, profile) * (alive & lookup(table, spots, cell))
    if not hits.any():
        return
    flat = hits.T.reshape(-1)  # lane by lane, models in slot order
    owner = np.repeat(np.arange(len(flat)), flat)
    lane = at[owner // s.slots]
    damage = np.ones(len(lane), dtype=np.int64)
    if "horror_bonus" in s.facts.any_has:
        damage += s.figure("horror_bonus", profile).T.reshape(-1)[owner]
    horror(s, hero, lane, damage, "BF-H3", 0)


def dragged(s: State, hero: int, at: Lanes) -> Lanes:
    """Elite Stranglers: next to one or more, Agility 5+ or D6 hits of damage 1. By kind number."""
    for kind in kinds_with(s, "drag"):
        near = beside_kind(s, hero, kind, at, "drag") > 0
        some = at[near]
        if not len(some):
            continue
        failed = some[skill_dice(s, s.agility, hero, some, 5, "drag", 100 * kind) == 0]
        number = s.luck.die(6, "drag", s.round, hero, 100 * kind + 50, failed)
        take_batch(s, hero, plain_hits(np.repeat(failed, number), 1), "drag", kind, kind)
        at = still_up(s, hero, at)
    return at


def kinds_with(s: State, ability: str) -> list[int]:
    """The kinds that may have an ability, by number."""
    return [kind for kind in sorted(s.facts.kind_has) if ability in s.facts.kind_has[kind]]


def beside_kind(s: State, hero: int, kind: int, at: Lanes, ability: str) -> Small:
    """(lanes,). How many models of a kind that has the ability are next to the hero."""
    near = adjacent_models(s, s.cell[hero].take(at), at) & (columns(s.kind, at) == kind)
    near &= s.figure(ability, columns(s.profile, at)) > 0
    return near.sum(axis=0, dtype=np.int16)


# Movement.


def movement(s: State, player: Player, hero: int, at: Lanes) -> Lanes:
    """BF-H8 to BF-H10: Escape where needed, then the move. Returns the lanes in which the hero stands."""
    if s.ground is None or not len(at):
        return at
    if s.facts.markers:
        s.moves[hero, at] = np.maximum(s.moves[hero].take(at) - s.status[WEBBED, hero].take(at), 0)
        held = (s.status[ENSNARED, hero].take(at) > 0) | (s.status[ENTANGLED, hero].take(at) > 0)
        s.moves[hero, at[held]] = 0
    at = escape(s, player, hero, at)
    player.go(s, hero, at)
    return at


def escape(s: State, player: Player, hero: int, at: Lanes) -> Lanes:
    """BF-H9: one D6 against the highest Escape number beside the hero, if the policy tries at all."""
    wish = s.facts.plans[hero].escape
    if wish.text == "false":
        return at
    near = adjacent_models(s, s.cell[hero].take(at), at)
    pressed = near.any(axis=0) & (s.moves[hero].take(at) > 0)
    some = at[pressed]
    if not len(some):
        return at
    tries = truth(wish, player, s, hero, some)
    some, near = some[tries], near[:, pressed][:, tries]
    if not len(some):
        return at
    numbers = s.figure("escape", columns(s.profile, some))
    highest = np.where(near, numbers, 0).max(axis=0)
    die = s.luck.die(6, "BF-H9", s.round, hero, 0, some)
    passed = die >= highest
    ignored = die if s.facts.is_on("escape_roll", "once_per_turn") else highest
    s.slip[some[passed]] = ignored[passed]
    if s.tell:
        s.tell("BF-H9", hero, "tries to escape", some, roll=die, needed=highest)
    if "cut" in s.facts.any_has:
        failed = some[~passed]
        for kind in kinds_with(s, "cut"):
            cut_down = still_up(s, hero, failed)
            cut_down = cut_down[beside_kind(s, hero, kind, cut_down, "cut") > 0]
            take_batch(s, hero, plain_hits(np.repeat(cut_down, 3), 2), "cut", kind, kind)
        at = still_up(s, hero, at)
    return at


def end_of_move(s: State, hero: int, at: Lanes) -> Lanes:
    """BF-H11: Tail and Corruption of the models beside the hero, by kind. Returns where the hero stands."""
    if not s.facts.any_has & {"tail", "taint"}:
        return at
    for kind in sorted(s.facts.kind_has):
        if s.kind_may(kind, "tail"):
            near = beside_kind(s, hero, kind, at, "tail")
            some = at[near > 0]
            if len(some):
                lash(s, hero, kind, some, near[near > 0])
                at = still_up(s, hero, at)
        if s.kind_may(kind, "taint"):
            corrupt(s, hero, at[beside_kind(s, hero, kind, at, "taint") > 0], "taint", kind)
    return at


def lash(s: State, hero: int, kind: int, at: Lanes, models: Small) -> None:
    """Tail: Agility test; failed: 1 Bleeding. Elite: one success per model, 1 marker per missing one, D3 each."""
    number = s.of_kind("tail", kind, at)
    passed = skill_dice(s, s.agility, hero, at, number, "Tail", 100 * kind)
    missing: Any = (passed == 0).astype(np.int64)
    if s.kind_may(kind, "tail_each"):
        missing = np.where(s.of_kind("tail_each", kind, at) > 0, np.maximum(models - passed, 0), missing)
    markers = missing.copy()
    if s.kind_may(kind, "tail_d3"):
        rolls: Mask = np.broadcast_to(np.asarray(s.of_kind("tail_d3", kind, at)) > 0, len(at))
        for m in range(int(missing.max(initial=0))):
            die = s.luck.die(3, "Tail", s.round, hero, 100 * kind + 50 + m, at)
            markers += (die - 1) * (rolls & (missing > m))
    s.status[BLEEDING, hero, at] += markers.astype(np.int8)
    if s.tell and len(at):
        s.tell("BF-H11", hero, "is lashed by tails", at, bleeding=markers)
    check_ko(s, hero, at)

"""How Brimstone speaks the policy language: what lines can ask, what they can do, and doing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.core.choose import count, draw_lot, first, pick
from sim.core.lanes import Lanes, Mask, Whole, anyone, cut, each, keep, which
from sim.core.policy import Line, follow, option
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.data import DYNAMITE
from sim.rulesets.brimstone.look import model_key
from sim.rulesets.brimstone.rules import dynamite, hero_attacks, hero_moves
from sim.rulesets.brimstone.rules.damage import still_up
from sim.rulesets.brimstone.rules.help import help_hero, whom_to_help
from sim.rulesets.brimstone.rules.modes import has_targets
from sim.rulesets.brimstone.rules.places import adjacent_models, any_square, put_hero
from sim.rulesets.brimstone.rules.tokens import ON_ONESELF, treat, whom_to_treat
from sim.rulesets.brimstone.state import State
from sim.rulesets.brimstone.vocabulary import MOVES, VOCABULARY
from sim.rulesets.brimstone.worth import Scales


class Player:
    """The player of the policy language: carries out the lines of each hero's plan in many runs."""

    vocabulary = VOCABULARY

    def __init__(self, scales: Scales) -> None:
        self.scales = scales

    def begin(self, s: State, hero: int, at: Lanes) -> Lanes:
        """BF-H1, BF-H26: every `start` line that applies, in order. Returns the lanes in which the hero stands."""
        for line in s.facts.plans[hero].start:
            follow(self, (line,), s, hero, at)
            at = still_up(s, hero, at)
        return at

    def go(self, s: State, hero: int, at: Lanes) -> None:
        """BF-H1(3): the movement step."""
        follow(self, s.facts.plans[hero].move, s, hero, at)

    def act_once(self, s: State, hero: int, at: Lanes) -> None:
        """BF-H1(4): one action."""
        follow(self, s.facts.plans[hero].action, s, hero, at)

    # Asking.

    def ask(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """What a name is worth."""
        answers: dict[str, Callable[[], Any]] = {
            "round": lambda: s.round,
            "health": lambda: cut(s.health[actor], at),
            "health_left": lambda: s.health_left(actor, at),
            "sanity": lambda: cut(s.sanity[actor], at),
            "sanity_left": lambda: s.sanity_left(actor, at),
            "grit": lambda: cut(s.grit[actor], at),
            "max_grit": lambda: cut(s.max_grit[actor], at),
            "has_gun": lambda: bool(s.facts.plot.heroes[actor].guns),
            "can_attack": lambda: anyone(self.available(s, actor, at)),
            "adjacent": lambda: adjacent_models(s, cut(s.cell[actor], at), at).sum(axis=0),
            "slipped": lambda: cut(s.slip, at) > 0,
            "enemies": lambda: cut(s.alive, at).sum(axis=0),
            "heroes": lambda: cut(s.standing, at).sum(axis=0),
            "coin": lambda: s.luck.below(2, "random_legal/escape", s.round, actor, 0, at) == 1,
        }
        return answers[name]()

    def ask_target(self, s: State, actor: int, kind: str, name: str, at: Lanes) -> Any:
        """No verb of Brimstone has a target of its own: enemies are preferred by the plan's order."""
        raise KeyError(name)

    def available(self, s: State, hero: int, at: Lanes) -> Mask:
        """(modes, lanes). BF-P2: which modes are available on the hero's square."""
        cell = cut(s.cell[hero], at)
        modes = s.facts.plot.heroes[hero].modes
        rows = np.zeros((len(modes), len(at)), dtype=bool)
        for number, mode in enumerate(modes):
            rows[number] = has_targets(s, hero, mode, at, cell)
            rows[number] &= cut(s.dice[hero, number], at) > 0
        return rows

    # Choosing.

    def ever(self, s: State, actor: int, line: Line) -> bool:
        """Whether this hero could ever do this."""
        carries = s.facts.plot.heroes[actor].carries
        if line.do == "throw":
            return s.has_board and carries("dynamite")
        if line.do == "buy_move":
            return s.has_board and s.facts.is_on("grit_use")
        if line.do == "treat":
            token = line.options["token"]
            return carries(token) and (token != "tonic" or s.facts.is_on("grit_use"))
        if line.do in ON_ONESELF:
            return carries(line.do)
        return True

    def choose(self, s: State, actor: int, line: Line, at: Lanes) -> Whole:
        """(lanes,). The square of a move or a throw, the mode, the hero to help or to treat; -1 where none."""
        do = line.do
        if do == "stay":
            return cut(s.cell[actor], at).astype(np.int64)
        if do == "anywhere":
            return any_square(s, hero_moves.hero_reach(s, actor, at).all, "random_legal/square", actor, 0, at)
        if do == "best":
            clear, uncrowded = line.options.get("clear", False), line.options.get("uncrowded", False)
            return hero_moves.square_with_best_attack(s, self.scales, actor, at, clear, uncrowded)
        if do == "keep_away":
            return hero_moves.square_far_away(s, actor, at)
        if do == "approach":
            return hero_moves.square_toward_enemies(s, actor, at)
        if do == "attack":
            return self.choose_mode(s, actor, at)
        if do == "throw":
            crowd = int(option(line, "crowd", self, s, actor, at)) if "crowd" in line.options else 3
            distance = int(option(line, "distance", self, s, actor, at)) if "distance" in line.options else 2
            return dynamite.crowded_square(s, actor, at, crowd, distance)
        if do == "help":
            return whom_to_help(s, actor, at)
        if do == "treat":
            token = data.TOKENS.index(line.options["token"])
            return whom_to_treat(s, actor, token, line.options["share"], at)
        if do in ON_ONESELF:
            return np.where(ON_ONESELF[do][0](s, actor, at), actor, -1)
        return self.any_mode(s, actor, at)

    def choose_mode(self, s: State, hero: int, at: Lanes) -> Whole:
        """(lanes,). BF-P4; with a single available mode there is nothing to weigh."""
        rows = self.available(s, hero, at)
        chosen = first(rows)
        some = which(count(rows) > 1)
        if len(some):
            chosen[some] = hero_moves.best_mode(s, self.scales, hero, at[some], cut(s.cell[hero], at[some]))[0]
        return chosen

    def any_mode(self, s: State, hero: int, at: Lanes) -> Whole:
        """(lanes,). `random_legal`: one of the available modes by lot; after them a throw of Dynamite."""
        rows = self.available(s, hero, at)
        throw = np.zeros(len(at), dtype=bool)
        if s.has_board:
            some = which(cut(s.bag[DYNAMITE, hero], at) > 0)
            if len(some):
                throw[some] = anyone(dynamite.enemy_squares(s, hero, at[some]))
        lot = draw_lot(s.luck, "random_legal/mode", s.round, hero, 0, at)
        return pick(np.concatenate([rows, throw[None]]), lot=lot)

    # Doing.

    def act(self, s: State, actor: int, line: Line, at: Lanes, target: Whole) -> None:
        """BF-H1: do it."""
        do = line.do
        if do in MOVES:
            self.move(s, actor, at, target)
        elif do == "throw":
            dynamite.throw(s, actor, at, target)
        elif do == "help":
            help_hero(s, actor, at, target)
        elif do == "treat":
            treat(s, actor, data.TOKENS.index(line.options["token"]), at, target)
        elif do in ON_ONESELF:
            ON_ONESELF[do][1](s, actor, at)
        else:
            self.attack(s, actor, at, target)

    def move(self, s: State, hero: int, at: Lanes, cell: Whole) -> None:
        """BF-H8: go there."""
        going = cell != cut(s.cell[hero], at)
        at, cell = keep(at, going), keep(cell, going)
        if not len(at):
            return
        put_hero(s, hero, at, cell)
        if s.tell:
            beside = [model_key(s, slot) for slot in which(adjacent_models(s, cell, at)[:, 0]).tolist()]
            s.tell.event("BF-H8", "moves", at, who=hero, whom=beside, place=s.ground.name_of(int(cell[0])))

    def attack(self, s: State, hero: int, at: Lanes, mode: Whole) -> None:
        """BF-H12, BF-H13: one attack with the chosen mode; past the last mode it is a throw by lot."""
        modes = len(s.facts.plot.heroes[hero].modes)
        for number in which(np.bincount(mode) > 0).tolist():
            attacking = keep(at, mode == number)
            if number < modes:
                hero_attacks.strike(s, self.scales, hero, number, attacking)
            else:
                lot = draw_lot(s.luck, "random_legal/throw", s.round, hero, 0, attacking)
                slot = pick(dynamite.enemy_squares(s, hero, attacking), lot=lot)
                dynamite.throw(s, hero, attacking, each(s.spot, slot, attacking))

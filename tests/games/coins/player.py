"""Plays the party by its plan: what lines ask, and what they do."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.lanes import Lanes, Mask, Whole, cut
from sim.core.policy import Line, choose_target, follow
from tests.games.coins.plan import Plan
from tests.games.coins.rules.flips import flip
from tests.games.coins.rules.hero_turns import bluff, give
from tests.games.coins.state import State
from tests.games.coins.vocabulary import VOCABULARY


class Player:
    """The player of the policy language."""

    vocabulary = VOCABULARY

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def turn(self, s: State, hero: int, at: Lanes) -> None:
        """CD-F1: the first line that applies."""
        follow(self, self.plan.turn, s, hero, at)

    def ask(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """What a name of the vocabulary is worth."""
        return {"round": s.round, "coins": cut(s.coins[actor], at), "bluff": self.plan.bluff}[name]

    def ask_target(self, s: State, actor: int, kind: str, name: str, at: Lanes) -> Any:
        """(targets, lanes) or (targets, 1). What a name about a target is worth, for every friend or foe."""
        if name == "their_level":
            return s.facts.level
        return cut(self.candidates(s, kind), at)

    def ever(self, s: State, actor: int, line: Line) -> bool:
        """CD-F3, CD-F4: some heroes give alms, and some have a hat."""
        return {"give": s.facts.alms[actor] > 0, "bluff": s.facts.hat[actor]}.get(line.do, True)

    def choose(self, s: State, actor: int, line: Line, at: Lanes) -> Whole:
        """(lanes,). CD-F2 to CD-F4: whom to do it to, as a row of the cast; -1 where nobody is left."""
        verb = VOCABULARY.verbs[line.do]
        chosen = choose_target(self, line, verb, s, actor, at, self.open_to(s, actor, line, at))
        first = 0 if verb.target == "friend" else s.facts.heroes
        return np.where(chosen < 0, -1, chosen + first)

    def open_to(self, s: State, actor: int, line: Line, at: Lanes) -> Mask:
        """(targets, lanes). CD-F2 to CD-F4: who comes into question."""
        if line.do == "give":
            others = np.arange(s.facts.heroes)[:, None] != actor
            return others & (cut(self.candidates(s, "friend"), at) > 0)
        has_coins = cut(self.candidates(s, "foe"), at) > 0
        return has_coins & ~cut(s.bluffed[s.facts.heroes :], at) if line.do == "bluff" else has_coins

    def act(self, s: State, actor: int, line: Line, at: Lanes, target: Whole) -> None:
        """Do it."""
        {"flip": flip, "give": give, "bluff": bluff}[line.do](s, actor, target, at)

    def candidates(self, s: State, kind: str) -> Any:
        """(targets, runs). The coins of all friends, or of all foes."""
        return s.coins[: s.facts.heroes] if kind == "friend" else s.coins[s.facts.heroes :]

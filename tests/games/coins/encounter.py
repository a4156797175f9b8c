"""A duel ready to be played."""

from __future__ import annotations

from sim.core.batch import Carried
from sim.core.engine import Encounter
from sim.core.lanes import Lanes
from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.outcomes import Ending
from sim.core.telling import Recorder, Scene
from tests.games.coins.facts import Facts
from tests.games.coins.look import look
from tests.games.coins.plan import Plan
from tests.games.coins.player import Player
from tests.games.coins.rules.ending import count_up
from tests.games.coins.rules.rounds import play_round
from tests.games.coins.rules.setup import set_up
from tests.games.coins.state import State


class Duel(Encounter[State]):
    """A compiled duel. Playing never changes it; all that changes is in the State."""

    def __init__(self, facts: Facts, plan: Plan) -> None:
        self.facts, self.cast = facts, facts.cast
        self.player = Player(plan)

    def start(self, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
        """Everything before the first flip."""
        return set_up(self.facts, luck, tell)

    def play_round(self, s: State) -> None:
        """One round."""
        play_round(s, self.player)

    def look(self, s: State) -> Scene:
        """The table as it stands."""
        return look(s)

    def ending(self, s: State, at: Lanes, book: Ledger) -> Ending:
        """How these runs ended."""
        return count_up(s, at)

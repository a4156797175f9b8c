"""The end of a duel."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Wide, cut, which
from sim.core.luck import TABLE
from sim.core.outcomes import Ending, Outcome
from tests.games.coins.state import State


def end_round(s: State) -> None:
    """CD-E1: a side without coins has lost; a duel that lasts too long is a draw."""
    s.decide(which(s.live & ~s.foes_stand), Outcome.WIN)
    s.decide(which(s.live & ~s.party_stands), Outcome.LOSS)
    if s.round >= s.facts.round_cap:
        s.decide(which(s.live), Outcome.DRAW)


def prize(s: State, at: Lanes) -> Wide:
    """(lanes,). CD-E2: what the winners take home."""
    least, most = s.facts.prize
    won = s.outcome[at] == Outcome.WIN
    return ((least + s.luck.below(most - least + 1, "CD-E2", 0, TABLE, 0, at)) * won).astype(np.int32)


def count_up(s: State, at: Lanes) -> Ending:
    """What is counted per run."""
    return Ending(
        hp=cut(s.coins, at).astype(np.int32),
        present=cut(s.present, at),
        dead=cut(s.ruined, at),
        xp=prize(s, at),
        counts={"coins": s.taken[at]},
    )

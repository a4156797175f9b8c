"""Who did what to whom: damage, healing, kills and downs, by unit and by ability, run by run."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from sim.core.lanes import Lanes, Row, Small, Wide, add, each, put, still


@dataclass(slots=True)
class Ledger:
    """The accounts of a batch. Rows are the units (or abilities) of the encounter's cast; the last axis is the run."""

    damage_dealt: Wide  # (units, runs)
    damage_taken: Wide
    healing: Wide
    kills: Wide
    downs: Wide
    down_round: Small  # (units, runs) first round in which it went down; -1 if never
    uses: Wide  # (abilities, runs)
    hits: Wide
    damage: Wide

    @classmethod
    def blank(cls, units: int, abilities: int, runs: int, unopened: Collection[str] = ()) -> Ledger:
        """Accounts with nothing in them.

        Args:
            unopened: names of accounts that begin `still`, since a game fills them seldom, or only when a run is over.
        """

        def zeros(name: str, rows: int) -> Wide:
            if name in unopened:
                return still(np.zeros(rows, dtype=np.int32), runs)
            return np.zeros((rows, runs), dtype=np.int32)

        return cls(
            damage_dealt=zeros("damage_dealt", units),
            damage_taken=zeros("damage_taken", units),
            healing=zeros("healing", units),
            kills=zeros("kills", units),
            downs=zeros("downs", units),
            down_round=np.full((units, runs), -1, dtype=np.int16),
            uses=zeros("uses", abilities),
            hits=zeros("hits", abilities),
            damage=zeros("damage", abilities),
        )

    def fell(self, unit: Row, at: Lanes, round: int) -> None:
        """These units went down in these runs (one unit per lane)."""
        add(self.downs, unit, at, 1)
        first = each(self.down_round, unit, at)
        put(self.down_round, unit, at, np.where(first < 0, round, first))

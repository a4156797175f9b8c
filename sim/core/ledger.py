"""Who did what to whom: damage, healing, kills and downs, by unit and by ability, run by run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(slots=True)
class Ledger:
    """The accounts of a batch. Rows are the units (or abilities) of the encounter's cast; the last axis is the run."""

    damage_dealt: NDArray[np.int32]  # (units, runs)
    damage_taken: NDArray[np.int32]
    healing: NDArray[np.int32]
    kills: NDArray[np.int32]
    downs: NDArray[np.int32]
    down_round: NDArray[np.int16]  # (units, runs) first round in which it went down; -1 if never
    uses: NDArray[np.int32]  # (abilities, runs)
    hits: NDArray[np.int32]
    damage: NDArray[np.int32]

    @classmethod
    def blank(cls, units: int, abilities: int, runs: int) -> Ledger:
        """Accounts with nothing in them."""

        def zeros(rows: int) -> NDArray[np.int32]:
            return np.zeros((rows, runs), dtype=np.int32)

        return cls(
            damage_dealt=zeros(units),
            damage_taken=zeros(units),
            healing=zeros(units),
            kills=zeros(units),
            downs=zeros(units),
            down_round=np.full((units, runs), -1, dtype=np.int16),
            uses=zeros(abilities),
            hits=zeros(abilities),
            damage=zeros(abilities),
        )

    def fell(self, unit: int | NDArray[np.int64], at: NDArray[np.int64], round: int) -> None:
        """These units went down in these runs (one unit per lane)."""
        place = np.multiply(unit, self.downs.shape[1], dtype=np.int64) + at  # in the flat tables
        self.downs.reshape(-1)[place] += 1
        rounds = self.down_round.reshape(-1)
        first = (rounds.take(place) < 0).nonzero()[0]
        rounds[place[first]] = round

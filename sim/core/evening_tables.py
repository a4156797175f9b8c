"""The tables of a fight, laid out over all evenings of the batch, so that they can be added up row by row.

Runs of a fight are harvested as they end, some at a time and in no order. Put end to end and looked up once, they lie
as the evenings do: adding whole rows then costs a fraction of adding here and there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Mask, Whole
from sim.core.outcomes import Outcomes


class Fought:
    """A fight of some evenings of a batch."""

    def __init__(self, parts: Sequence[Outcomes], size: int) -> None:
        """The tables as they were harvested, their runs numbered by lane, and how many lanes there are."""
        self.parts = [part for part in parts if part.size]
        lanes: Whole = np.concatenate([np.zeros(0, dtype=np.int64), *(part.run for part in self.parts)])
        self.column = np.full(size, len(lanes), dtype=np.int64)  # (lanes,) behind the last one: not in this fight
        self.column[lanes] = np.arange(len(lanes))
        self.there: Mask = self.column < len(lanes)  # (lanes,)
        self.everywhere = len(lanes) == size

    def laid(self, name: str, absent: int = 0) -> NDArray[Any]:
        """(..., lanes). A table by its name, with this value for evenings that are not in the fight."""
        return self._over([getattr(part, name) for part in self.parts], absent)

    def counted(self, table: str, name: str) -> NDArray[Any]:
        """(lanes,). One of the `counts`, or of what was `met`."""
        return self._over([getattr(part, table)[name] for part in self.parts], 0)

    def _over(self, found: Sequence[NDArray[Any]], absent: int) -> NDArray[Any]:
        if self.everywhere:
            whole = found[0] if len(found) == 1 else np.concatenate(found, axis=-1)
        else:
            nobody = np.full((*found[0].shape[:-1], 1), absent, dtype=found[0].dtype)
            whole = np.concatenate([*found, nobody], axis=-1)
        return whole.take(self.column, axis=-1)

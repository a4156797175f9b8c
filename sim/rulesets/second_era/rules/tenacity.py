"""Tenacity: what adventurers gain by their dice and spend on the abilities of their class."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Row, Small, add, each
from sim.rulesets.second_era.data import MOST_TENACITY
from sim.rulesets.second_era.state import State


def strengthen(s: State, hero: Row, number: int | Small, at: Lanes) -> None:
    """SE-A7: gain tenacity, up to 10."""
    gain = np.minimum(number, MOST_TENACITY - each(s.tenacity, hero, at)).astype(np.int8)
    add(s.tenacity, hero, at, gain)
    add(s.tenacity_gained, hero, at, gain)

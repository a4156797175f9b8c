"""What is the same in all runs of an encounter: the part that every game's facts have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.outcomes import Cast


@dataclass(frozen=True, slots=True)
class EncounterFacts:
    """The rows of the tables, and the switches in force. Games add facts of their own."""

    cast: Cast
    switches: Mapping[str, Any]

    def is_on(self, switch: str, value: object = "on") -> bool:
        """Whether a switch has this value."""
        return bool(self.switches[switch] == value)

"""The best policy that `fairfight improve` has found for a fight, if an answer of it lies beside the result.

So that nobody balances a fight against a weak player without knowing it.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from sim.core.plain_text import cleaned
from sim.scenario.wording import readable

ANSWER = "study.json"  # what a study leaves in its folder
MOST_FOLDERS = 500  # that are looked into
LARGEST = 4 << 20  # bytes of an answer; a larger one is none of ours


@dataclass(frozen=True, slots=True)
class BestKnown:
    """What improve had to say about a fight."""

    policy: str  # that was to be improved
    gain: float  # more of the win rate
    low: float
    high: float
    found: date
    folder: str  # its name

    @property
    def sentence(self) -> str:
        """For people."""
        when = f"{self.found.day} {self.found:%B %Y}"
        if self.low <= 0:
            return f"fairfight improve has found nothing better than {readable(self.policy)} ({self.folder}, {when})."
        points = math.floor(100 * self.low + 1e-9)
        left = f"At least {points} points" if points >= 1 else "Some points"
        reach = f"{100 * self.low:.1f} to {100 * self.high:.1f}"
        better = f"fairfight improve has found a policy that wins {100 * self.gain:.1f} points more ({reach})"
        return f"{left} are left on the table by {readable(self.policy)}: {better}; see {self.folder}, {when}."


def best_known(digest: str, folder: Path) -> BestKnown | None:
    """The strongest answer about the fight with this digest among the folders beside this one, and in it."""
    found = []
    try:
        beside = sorted(folder.resolve().parent.iterdir())[:MOST_FOLDERS]
    except OSError:
        return None
    for place in beside:
        known = _read(place, digest)
        if known is not None:
            found.append(known)
    return max(found, key=lambda known: (known.low, known.found), default=None)


def _read(folder: Path, digest: str) -> BestKnown | None:
    """The answer in a folder, if it is one of improve about this fight; anything else is no business of ours."""
    file = folder / ANSWER
    try:
        if not file.is_file() or file.stat().st_size > LARGEST:
            return None
        facts: Any = json.loads(file.read_text(encoding="utf-8"))
        if facts["question"] != "improve" or facts["digest"] != digest:
            return None
        if facts["settings"].get("side", "party") != "party":
            return None  # what it found is no policy
        gain, low, high = (float(facts[key]) for key in ("gain", "gain_low", "gain_high"))
        if not all(map(math.isfinite, (gain, low, high))):
            return None
        changed = datetime.fromtimestamp(file.stat().st_mtime).date()
        return BestKnown(cleaned(str(facts["policy_before"])), gain, low, high, changed, cleaned(folder.name))
    except (OSError, ValueError, KeyError, TypeError):
        return None

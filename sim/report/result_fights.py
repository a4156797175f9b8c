"""The runs of a result that are worth looking at, to be watched in its report, and the table as the fight begins."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from sim.replays.page import fight_of, start_of, verdict
from sim.replays.replay import Telling, replay
from sim.replays.sentences import lower_first
from sim.report.result_tables import PICK_MEANINGS
from sim.results.result import Result
from sim.scenario.wording import upper_first

MOST_BYTES = 600_000  # of a report; fights that do not fit are left to `fairfight replay`

AROUND = 300  # bytes around a fight: its title, and what folds it


@dataclass(frozen=True, slots=True)
class FightToWatch:
    """One run, ready to be put into a page."""

    title: str
    run: int
    fight: Markup


def picked_tellings(result: Result) -> dict[str, Telling]:
    """What a run shows -> its story, the typical fight first; a run that shows several things is told once."""
    shows: dict[int, list[str]] = {}
    for name, meaning in PICK_MEANINGS.items():
        if name in result.picks:
            shows.setdefault(result.picks[name], []).append(meaning)
    seed = result.provenance.seed
    return {" and ".join(meanings): replay(result.scenario, run, seed) for run, meanings in shows.items()}


def fights_to_watch(tellings: dict[str, Telling], room: int) -> list[FightToWatch]:
    """As many of the fights as there is room for, in bytes; the others are left out."""
    found = []
    for shows, telling in tellings.items():
        fight = fight_of(telling)
        needed = len(fight.encode()) + AROUND
        if needed > room:
            continue
        room -= needed
        found.append(FightToWatch(upper_first(f"{shows}: {lower_first(verdict(telling))}"), telling.run, fight))
    return found


def start_picture(tellings: dict[str, Telling]) -> Markup:
    """The table at the start of the typical fight; empty where the game shows none."""
    for telling in tellings.values():
        return start_of(telling)
    return Markup("")

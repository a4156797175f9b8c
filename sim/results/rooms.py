"""How a gauntlet went, room by room."""

from __future__ import annotations

from dataclasses import dataclass

from sim.core.outcomes import Cast, room_counts
from sim.results.statistics import Estimate, mean, rate
from sim.results.summary import FIGHTS, Summary


@dataclass(frozen=True, slots=True)
class Room:
    """One room: how many came there, and how they fared."""

    name: str
    reached: Estimate  # share of encounters
    won: Estimate  # share of those who came there
    rounds: Estimate  # of those who came there
    hp: Estimate  # hit points left to the party when it was won, before any rest


def rooms_of(sums: Summary, cast: Cast) -> list[Room]:
    """Every room of a gauntlet; none for a fight in one place."""
    rows = {name: row for row, name in enumerate(cast.counts, start=1)}  # xp is the first row

    def both(name: str) -> tuple[int, int]:
        total, squares = (table[rows[name], list(FIGHTS)].sum() for table in (sums.counts.total, sums.counts.squares))
        return int(total), int(squares)

    found = []
    for number, title in enumerate(cast.rooms):
        reached, won, rounds, hp = (both(name) for name in room_counts(number))
        found.append(
            Room(
                title,
                reached=rate(reached[0], sums.encounters),
                won=rate(won[0], reached[0]),
                rounds=mean(reached[0], *rounds),
                hp=mean(won[0], *hp),
            )
        )
    return found

"""Who is attacked first, in losses and in wins.

Games do not count it, so runs are told again one by one (`sim.core.telling`): the first wins and the first other fights
by their number, so that nobody chooses among them. Each is played until both sides have been attacked. What an attack
is, a game says in its `telling.toml`: `attacked = "whom"`, or "who" where the sentence is about the victim.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.core.engine import play
from sim.core.lanes import Lanes
from sim.core.outcomes import Outcome
from sim.core.telling import Event, Fact, Recorder, Roll, Who
from sim.results.statistics import rate
from sim.runs.signals import stop_if_asked
from sim.scenario import Scenario
from sim.scenario.wording import readable
from sim.studies.answer import Column, StudyTable
from sim.studies.company import apart
from sim.studies.why_choices import Added

MOST_TOLD = 100  # wins, and as many other fights
STRETCH = 500  # runs among which they are looked for at a time
SIDES = ("party", "enemy")
ENEMIES_FIRST = "the enemies attack first"
NOT_TOLD = "Who is attacked first is not told: the game does not say which of its events are attacks."


@dataclass(slots=True)
class FirstAttacks:
    """In how many of the runs that were told each of it was so."""

    wins: int = 0  # runs told
    losses: int = 0
    in_wins: Counter[str] = field(default_factory=Counter)
    in_losses: Counter[str] = field(default_factory=Counter)


def attack_roles(fight: Scenario) -> dict[str, str]:
    """Of every kind of event that is an attack: who of it is attacked, "who" or "whom"."""
    return {kind: entry["attacked"] for kind, entry in fight.ruleset.sentences.items() if "attacked" in entry}


def first_attacks(fight: Scenario, seed: int, runs: int) -> FirstAttacks:
    """Who was attacked first in the first wins and in the first other fights among so many runs."""
    found = FirstAttacks()
    wins, losses = _first_of_either_kind(fight, seed, runs)
    for run in wins:
        found.in_wins.update(what_was_first(fight, seed, run))
    for run in losses:
        found.in_losses.update(what_was_first(fight, seed, run))
    found.wins, found.losses = len(wins), len(losses)
    return found


def _first_of_either_kind(fight: Scenario, seed: int, runs: int) -> tuple[list[int], list[int]]:
    """The numbers of the first wins and of the first fights that were not won."""
    wins: list[int] = []
    losses: list[int] = []
    for first in range(0, runs, STRETCH):
        numbers = np.arange(first, min(first + STRETCH, runs), dtype=np.int64)
        outcome = play(fight.encounter(), seed, numbers).outcome
        wins += numbers[outcome == Outcome.WIN].tolist()
        losses += numbers[np.isin(outcome, (Outcome.LOSS, Outcome.DRAW))].tolist()
        if min(len(wins), len(losses)) >= MOST_TOLD:
            break
    return wins[:MOST_TOLD], losses[:MOST_TOLD]


def what_was_first(fight: Scenario, seed: int, run: int) -> Iterator[str]:
    """Everything that was so in this run: who of either side was attacked first, and whether the enemies began."""
    stop_if_asked()
    listener, encounter = FirstBlows(roles=attack_roles(fight)), fight.encounter()
    with contextlib.suppress(HeardEnough):
        play(encounter, seed, np.array([run], dtype=np.int64), listener)
    known = {unit.name for unit in encounter.cast.units}
    for side, noun in zip(SIDES, ("hero", "enemy"), strict=True):
        for name in dict.fromkeys(kind_of(key, known) for key in listener.attacked.get(side, ())):
            yield f"{readable(name)} is the first {noun} to be attacked"
    if next(iter(listener.attacked), "") == "party":
        yield ENEMIES_FIRST


def kind_of(key: str, known: Iterable[str]) -> str:
    """The unit of the cast that a token belongs to: one model of several has a number behind its name."""
    return key if key in known else re.sub(r" \d+$", "", key)


class HeardEnough(Exception):  # noqa: N818  (no error: it ends the telling of a run)
    """Both sides have been attacked."""


@dataclass(slots=True)
class FirstBlows(Recorder):
    """Listens until both sides have been attacked."""

    roles: dict[str, str] = field(default_factory=dict)
    attacked: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by side, in the order of the attacks

    def event(
        self,
        rule: str,
        kind: str,
        at: Lanes | None = None,
        *,
        who: Who | None = None,
        whom: Who | Sequence[Who] | None = None,
        rolls: Iterable[Roll] = (),
        **facts: Fact,
    ) -> None:
        """Note whom an attack is the first on."""
        before = len(self.events)
        Recorder.event(self, rule, kind, at, who=who, whom=whom, rolls=rolls, **facts)
        if kind not in self.roles or len(self.events) == before:
            return
        for side, keys in attacked_by_side(self.events[-1], self.roles[kind]).items():
            self.attacked.setdefault(side, keys)
        if len(self.attacked) == len(SIDES):
            raise HeardEnough


def attacked_by_side(event: Event, role: str) -> dict[str, tuple[str, ...]]:
    """Who is attacked in an event, by side; a blow that lands on a friend is none."""
    sides = {token.key: token.side for token in event.after.tokens}
    keys, by = ((event.who,), None) if role == "who" else (event.whom, sides.get(event.who))
    struck = {side: tuple(key for key in keys if sides.get(key) == side) for side in SIDES if side != by}
    return {side: those for side, those in struck.items() if those}


# ------------------------------------------------------------------------------------------------- in words and tables


def who_is_attacked_first(fight: Scenario, seed: int, runs: int, confidence: float) -> Added:
    """The table of who is attacked first, the sentence on it, and the same for programs."""
    if not attack_roles(fight):
        return [], [NOT_TOLD], {"first_attacked": None}
    found = first_attacks(fight, seed, runs)
    rows = list(_rows(found, confidence))
    facts = [
        {"feature": row["feature"], "losses": row["losses"].value, "wins": row["wins"].value}
        | {"difference": row["difference"].value, "low": row["difference"].low, "high": row["difference"].high}
        for row in rows
    ]
    told = {"losses_told": found.losses, "wins_told": found.wins, "features": facts}
    what = "evening" if fight.is_adventure else "fight"
    return [_table(found, rows, what)], [_sentence(found, rows, what)], {"first_attacked": told}


def _rows(found: FirstAttacks, confidence: float) -> Iterator[dict[str, Any]]:
    """Everything that was first in some runs and not in others, what tells losses from wins best first."""
    rows: list[dict[str, Any]] = []
    for feature in sorted(found.in_wins | found.in_losses):
        lost, won = found.in_losses[feature], found.in_wins[feature]
        if lost == found.losses and won == found.wins:
            continue
        shares = {"losses": rate(lost, found.losses, confidence), "wins": rate(won, found.wins, confidence)}
        difference = apart(lost, found.losses, won, found.wins, confidence)
        rows.append({"feature": feature} | shares | {"difference": difference})
    yield from sorted(rows, key=lambda row: -abs(row["difference"].value))


def _sentence(found: FirstAttacks, rows: Sequence[dict[str, Any]], what: str) -> str:
    told = f"{found.losses} losses and {found.wins} wins told"
    if not rows:
        return f"Who is attacked first is the same in every {what} ({told})."
    clear = [row for row in rows if row["difference"].low > 0 or row["difference"].high < 0]
    if not clear:
        return f"Who is attacked first tells losses from wins by nothing that could be seen ({told})."
    row = clear[0]
    shares = f"{100 * row['losses'].value:.0f} % of losses, {100 * row['wins'].value:.0f} % of wins"
    return f"Of who is attacked first this goes most with the outcome: {row['feature']} ({shares}; {told})."


def _table(found: FirstAttacks, rows: list[dict[str, Any]], what: str) -> StudyTable:
    about = (
        f"From the first {found.losses} {what}s that were not won and the first {found.wins} wins, by their number, "
        "told up to the first attacks: company, not cause. One attack may be on several at once."
    )
    columns = (
        Column("feature", "what"),
        Column("losses", "in losses, %", "share"),
        Column("wins", "in wins, %", "share"),
        Column("difference", "apart", "points"),
    )
    return StudyTable("first_attacked", "Who is attacked first", about, columns, rows)

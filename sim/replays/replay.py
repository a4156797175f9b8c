"""One run, told move by move, by playing it again with somebody listening."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.board import Board
from sim.core.branch import Fork, play_fork
from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.core.telling import Event, Recorder, Token
from sim.errors import InputError, Problem, SimError
from sim.replays import text
from sim.replays.chances import AGAIN, Chance, chances_along
from sim.replays.fortune import Fortune, fortune_of
from sim.replays.page import in_a_notebook, page_of
from sim.replays.page_file import write_page
from sim.replays.sentences import Narrator, called
from sim.replays.turning_points import TurningPoint, turning_points
from sim.replays.what_if import fork_words, with_policy
from sim.runs.runner import run as play_runs
from sim.scenario import Scenario
from sim.scenario.changes import title_in_full

SCHEMA = 2
PICKS = ("median", "best", "worst", "closest", "loss", "draw")  # the runs that `Summary.picks` names


@dataclass(frozen=True, slots=True)
class Telling:
    """The story of one run."""

    scenario: str
    title: str
    ruleset: str
    preset: str
    policy: str
    switches: dict[str, Any]
    digest: str  # of the scenario: tells whether two tellings are of the same fight
    seed: int
    run: int
    outcome: str
    rounds: int
    events: tuple[Event, ...]
    words: tuple[str, ...]  # of every event, without a full stop; empty where nothing is said
    units: tuple[dict[str, Any], ...]  # name, side and hit points left
    chances: tuple[Chance, ...] = ()  # of the party, from the start of every round on; empty where nobody asked
    fight: Scenario | None = field(default=None, repr=False, compare=False)  # by which more can be found out
    fork: Fork | None = None  # where it leaves the run of this number; None for the run itself
    then_policy: str = ""  # by which the party plays from the fork on, if not by the fight's own

    @property
    def which(self) -> str:
        """The run in words: 'run 17 of seed 1', or one of its continuations."""
        itself = f"run {self.run} of seed {self.seed}"
        return itself if self.fork is None else f"{itself}, {fork_words(self.fork, self.then_policy, self.forks_at)}"

    @property
    def forks_at(self) -> str:
        """What it can be played on from with other luck: the start of a round, or of a scene of an evening."""
        return "scene" if self.fight is not None and self.fight.is_adventure else "round"

    def with_chances(self, again: int = AGAIN) -> Telling:
        """The same story with the party's chance from every round on, of so many continuations each."""
        if self.fight is None or (self.chances and self.chances[0].again == again):
            return self
        then = with_policy(self.fight, self.then_policy) if self.then_policy else None
        return changed(self, chances=chances_along(self.fight, self.run, self.seed, again, self.fork, then))

    @property
    def turning_points(self) -> list[TurningPoint]:
        """The rounds that decided it, the weightiest first; none as long as the chances are not known."""
        return turning_points(self.events, self.chances, self.outcome)

    @property
    def fortune(self) -> list[Fortune]:
        """What the rolls of each unit brought against what was to be expected."""
        return fortune_of(self.events)

    @property
    def names(self) -> dict[str, str]:
        """By key: everybody as spoken of in a sentence."""
        return {token.key: called(token) for event in self.events for token in event.after.tokens}

    @property
    def keys(self) -> list[str]:
        """The keys of everybody who was ever on the table, in the order in which they appeared."""
        return list(dict.fromkeys(token.key for event in self.events for token in event.after.tokens))

    @property
    def boards(self) -> list[Board]:
        """The boards of the fight, in the order in which they were entered."""
        return list({id(board): board for event in self.events if (board := event.after.board)}.values())

    def lines(self, *, rules: bool = False) -> Iterator[str]:
        """The story in plain words, a line an event; with `rules` each after the id of its rule."""
        return text.lines(self, rules=rules)

    def page(self, back: str = "", what_if: str = "") -> str:
        """The fight to watch: one self-contained HTML page, with the party's chance from every round on.

        Args:
            back: the address of a page that led to it.
            what_if: an address of the same server that plays the run on from a round.
        """
        return page_of(self if self.chances else self.with_chances(), back, what_if)

    def save(self, file: str | Path) -> Path:
        """Write the page to a file, and return where it is; a page that we made earlier is replaced."""
        return write_page(Path(file), self.page())

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        return in_a_notebook(self, self.page())

    def to_json(self) -> dict[str, Any]:
        """The same as plain data: of every event also what it changed on the table."""
        whole = {name: getattr(self, name) for name in FIGHT}
        boards = self.boards
        fork = {"fork": asdict(self.fork) | {"policy": self.then_policy or None}} if self.fork else {}
        return {
            "schema": SCHEMA,
            **whole,
            **fork,
            "boards": [board_as_data(board) for board in boards],
            "events": list(self._events_as_data(boards)),
            "units": list(self.units),
            "chances": [chance.to_json() for chance in self.chances] or None,
            "turning_points": [point.to_json() for point in self.turning_points] if self.chances else None,
            "luck": [one.to_json() for one in self.fortune],
        }

    def _events_as_data(self, boards: list[Board]) -> Iterator[dict[str, Any]]:
        known: dict[str, Token] = {}
        for event, words in zip(self.events, self.words, strict=True):
            now = {token.key: token for token in event.after.tokens}
            changed = [token for key, token in now.items() if known.get(key) != token]
            yield {
                "round": event.round,
                "turn": event.turn,
                "rule": event.rule,
                "kind": event.kind,
                "who": event.who,
                "whom": list(event.whom),
                "what": words,
                "facts": event.facts,
                "rolls": [asdict(roll) for roll in event.rolls],
                "board": next((n for n, board in enumerate(boards) if board is event.after.board), None),
                "after": [asdict(token) for token in changed],
                "gone": [key for key in known if key not in now],
                "notes": list(event.after.notes),
            }
            known = now


FIGHT = ("scenario", "title", "ruleset", "preset", "policy", "switches", "digest", "seed", "run", "outcome", "rounds")


def board_as_data(board: Board) -> dict[str, Any]:
    """A board as plain data: cells with their names, coordinates and features, and walls."""
    return {
        "kind": board.kind,
        "cells": [
            {
                "name": board.names[cell],
                "at": list(coord),
                "features": [name for name, has in board.features.items() if has[cell]],
                "tile": board.tiles[board.tile[cell]],
            }
            for cell, coord in enumerate(board.coords)
        ],
        "walls": sorted(list(wall) for wall in board.walls),
        "page_down": board.page_down,
    }


def replay(scenario: Scenario, run: int, seed: int, fork: Fork | None = None, then_policy: str = "") -> Telling:
    """Play run number `run` again, alone, and write down what happens.

    Args:
        fork: tell one of its continuations instead: the run up to a round, and other luck from there on.
        then_policy: by which the party plays from the fork on.
    """
    problems = []
    if not 0 <= run < 2**63:
        problems.append(Problem("run", f"expected the number of a run, from 0 to 2**63 - 1, found {run}"))
    if not 0 <= seed < 2**64:
        problems.append(Problem("seed", f"expected a whole number from 0 to 2**64 - 1, found {seed}"))
    if problems:
        raise InputError(problems)
    encounter = scenario.encounter()
    recorder = Recorder()
    if fork is None:
        outcomes = play(encounter, seed, np.array([run], dtype=np.int64), recorder)
    else:
        then = with_policy(scenario, then_policy).encounter() if then_policy else None
        outcomes = play_fork(encounter, seed, run, fork, recorder, then)
    units = [
        {"name": recorder.names[row], "side": unit.side, "hp": int(outcomes.hp[row, 0])}
        for row, unit in enumerate(encounter.cast.units)
        if outcomes.present[row, 0]
    ]
    narrator = Narrator(scenario.ruleset.sentences)
    return Telling(
        scenario.name,
        title_in_full(scenario),
        scenario.ruleset_name,
        scenario.preset,
        scenario.policy,
        scenario.settings,
        scenario.digest,
        seed,
        run,
        Outcome(outcomes.outcome[0]).name.lower(),
        int(outcomes.rounds[0]),
        tuple(recorder.events),
        tuple(narrator.say(event) for event in recorder.events),
        tuple(units),
        fight=scenario,
        fork=fork,
        then_policy=then_policy,
    )


def pick(scenario: Scenario, which: str, seed: int, runs: int) -> int:
    """The number of a run worth looking at among the first `runs`: one of PICKS."""
    if which not in PICKS:
        raise InputError(Problem("pick", f"expected one of {', '.join(PICKS)}, found {which!r}"))
    found = play_runs(scenario, runs=runs, seed=seed, jobs=1, keep="summary", progress=False).picks
    if which not in found:
        known = ", ".join(found) or "no fights at all"
        what = "win" if which == "closest" else which
        raise SimError(f"there is no {what} among {runs:,} runs of seed {seed} (there are: {known}); try more --runs")
    return found[which]

"""Races: what is clear is played no further, and what is said of it is seldom wrong, however often one looks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sim
from sim.core.outcomes import Outcome
from sim.results.sequences import share_of_look
from sim.results.statistics import holm, sign_test
from sim.results.summary import KINDS
from sim.studies.cards import Card, Score
from sim.studies.measures import MEANS, Marks, PairTally, Tally
from sim.studies.race import ALL_RUNS, Race, looks_to
from sim.studies.standing import CLEARLY_HIGH, CLEARLY_LOW, CLEARLY_SMALL, DECIDED, LEADERS, Ranking, clear_rates
from sim.studies.tenths import PARTS, Tenths

QUIET: dict[str, Any] = {"seed": 3, "jobs": 1, "progress": False}
NOTHING = (0,) * len(MEANS)


@dataclass
class Truth:
    """Variants of which everything is known: the chance to win what was lost, and to lose what was won."""

    gains: Sequence[float]
    losses: Sequence[float]
    luck: np.random.Generator
    stopped: None = None
    said: list[str] = field(default_factory=list)

    def play(self, cards: Sequence[Card], first: int, stop: int) -> list[Score]:
        """Runs of each, drawn at once."""
        return [self.score(card.fights[-1].number, stop - first) for card in cards]

    def score(self, number: int, runs: int) -> Score:
        """The sums of the baseline beside a variant."""
        gain, loss = self.gains[number], self.losses[number]
        gained, lost, same = self.luck.multinomial(runs, [gain, loss, 1 - gain - loss]).tolist()
        cells = np.zeros((KINDS, KINDS), dtype=np.int64)
        cells[Outcome.LOSS, Outcome.WIN], cells[Outcome.WIN, Outcome.LOSS] = gained, lost
        cells[Outcome.WIN, Outcome.WIN] = same
        joint = tuple(tuple(row) for row in cells.tolist())
        sums = (NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
        tally = Tally(tuple(int(cell) for cell in cells.sum(axis=0)), NOTHING, NOTHING)
        return Score((tally, tally), (PairTally(joint, runs, *sums, unlike=gained + lost),))

    def say(self, line: str) -> None:
        """What a terminal would show."""
        self.said.append(line)


def raced(truth: Truth, runs: int, confidence: float = 0.95) -> Race:
    """A race of all variants."""
    fights: list[Any] = [SimpleNamespace(number=number - 1) for number in range(len(truth.gains) + 1)]
    names = ["baseline", *(f"variant {number}" for number in range(len(truth.gains)))]
    pairs = [(0, at) for at in range(1, len(fights))]
    race = Race(names, fights, truth, pairs)  # type: ignore[arg-type]
    ranking = Ranking("win_rate", confidence, [range(1, len(fights))])
    race.run(looks_to(runs), ranking.settled, ranking.line)
    return race


def false_statements(race: Race, truth: Truth) -> list[str]:
    """What was said of the variants and is not so."""
    sizes = [abs(gain - loss) for gain, loss in zip(truth.gains, truth.losses, strict=True)]
    bar = sorted(sizes, reverse=True)[LEADERS - 1]
    pairs = [race.scores[pair] for pair in race.pairs]
    chances = [min(1.0, sign_test(pair.gained(), pair.lost()) / race.share_of(at + 1)) for at, pair in enumerate(pairs)]
    found = [f"{at} matters" for at, stands in enumerate(holm(chances)) if stands and sizes[at] == 0]
    for at, size in enumerate(sizes):
        if race.until[at + 1] == CLEARLY_SMALL and size >= bar:
            found.append(f"{at} is small")
        if race.until[at + 1] == DECIDED:
            value = abs(pairs[at].difference("win_rate").value)
            ahead = sum(abs(pair.difference("win_rate").value) > value for pair in pairs)
            if ahead != sum(other > size for other in sizes):
                found.append(f"{at} is at place {ahead + 1}")
    return found


EQUAL = ([0.02] * 30, [0.02] * 30)  # thirty variants with other luck and no effect at all
MIXED = (
    [0.09, 0.08, 0.07, 0.02, 0.05, 0.045, 0.04, 0.03] + [0.02] * 16 + [0.001] * 8,
    [0.01, 0.01, 0.02, 0.06, 0.01, 0.005, 0.005, 0.01] + [0.02] * 16 + [0.001] * 8,
)


def wrong_share(gains: Sequence[float], losses: Sequence[float], races: int, runs: int) -> float:
    """Of so many races the share in which anything false was said."""
    wrong = 0
    for seed in range(races):
        truth = Truth(gains, losses, np.random.default_rng([7, seed]))
        wrong += bool(false_statements(raced(truth, runs), truth))
    return wrong / races


@pytest.mark.parametrize("gains_and_losses", [EQUAL, MIXED], ids=["equal", "mixed"])
def test_hardly_any_race_says_something_false(gains_and_losses: tuple[list[float], list[float]]) -> None:
    races = 40

    wrong = wrong_share(*gains_and_losses, races, 5_000)

    assert wrong <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / races)


@pytest.mark.soak
@pytest.mark.parametrize("gains_and_losses", [EQUAL, MIXED], ids=["equal", "mixed"])
def test_at_most_one_race_in_twenty_says_something_false(gains_and_losses: tuple[list[float], list[float]]) -> None:
    races = 2_000

    wrong = wrong_share(*gains_and_losses, races, 20_000)

    assert wrong <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / races)


def test_the_runs_go_where_the_ranking_is_open() -> None:
    truth = Truth(*MIXED, np.random.default_rng(1))

    race = raced(truth, 20_000)

    runs = {at: race.scores[0, at].runs for _, at in race.pairs}
    assert set(runs.values()) <= set(looks_to(20_000))
    assert max(runs[at] for at in range(len(MIXED[0]) - 7, len(MIXED[0]) + 1)) == 1_024  # rare and small
    assert min(runs[at] for at in range(1, 6)) > 1_024
    assert sum(runs.values()) < 0.5 * 20_000 * len(runs)
    assert truth.said[0].startswith("After 1,024 runs: variant ")
    assert " of 32 are settled." in truth.said[0]


def test_a_variant_without_any_difference_is_told_with_the_runs_in_which_it_had_none() -> None:
    race = raced(Truth([0.0, 0.05], [0.0, 0.01], np.random.default_rng(1)), 5_000)

    assert race.until[1] == "no effect in 1,024 runs"


def test_the_looks_together_spend_the_chance_of_a_mistake_once() -> None:
    for looks in (1, 2, 3, 7):
        assert sum(share_of_look(look, looks) for look in range(1, looks + 1)) == pytest.approx(1)


@pytest.mark.parametrize(("gain", "until"), [(0.999, CLEARLY_HIGH), (0.5, ALL_RUNS), (0.002, CLEARLY_LOW)])
def test_a_fight_that_is_nearly_always_won_or_lost_is_known_after_fewer_runs(gain: float, until: str) -> None:
    wins = round(1_024 * gain)
    tally = Tally(tuple(wins if kind == Outcome.WIN else 1_024 - wins if kind == Outcome.LOSS else 0
                        for kind in range(KINDS)), NOTHING, NOTHING)
    pool = SimpleNamespace(play=lambda cards, first, stop: [Score((tally,), ()) for _ in cards], stopped=None)
    race = Race(["fight"], [SimpleNamespace()], pool, [])  # type: ignore[arg-type, list-item]

    race.run([1_024, 2_048], clear_rates("win_rate", 0.95, 2_048))

    assert race.until == {0: until}
    assert race.tallies[0].runs == (2_048 if until == ALL_RUNS else 1_024)


def test_tenths_of_stretches_add_up_to_those_of_the_whole() -> None:
    outcome = np.random.default_rng(1).choice([Outcome.WIN, Outcome.LOSS, Outcome.EMPTY], 200).astype(np.int64)
    values = np.zeros((len(MEANS), 200), dtype=np.int64)

    whole = Tenths.of(Marks(outcome, values), 0)
    parts = Tenths.of(Marks(outcome[:77], values[:, :77]), 0) + Tenths.of(Marks(outcome[77:], values[:, 77:]), 77)

    assert parts == whole
    assert whole.can_be_of(200)
    assert not whole.can_be_of(100)
    assert whole.wins[3] == np.count_nonzero(outcome[3::PARTS] == Outcome.WIN)


def test_which_runs_are_played_does_not_depend_on_how_they_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sim.sensitivity("overhill/gobbo-trio", only="gobbo", runs=2_500, **QUIET)
    monkeypatch.setattr("sim.studies.work.STRETCH", 300)

    pieces = sim.sensitivity("overhill/gobbo-trio", only="gobbo", runs=2_500, **QUIET | {"jobs": 2})

    assert pieces.tables == whole.tables
    assert pieces.effort.encounters == whole.effort.encounters
    assert {row["runs"] for name in ("moves", "dead") for row in whole.table(name).rows} == {1_024, 7_500}


def test_everything_gets_all_its_runs_if_asked() -> None:
    answer = sim.sensitivity("overhill/gobbo-trio", only="gobbo", runs=2_100, full=True, **QUIET)

    rows = answer.table("moves").rows
    assert {(row["runs"], row["until"]) for row in rows} == {(2_100, ALL_RUNS)}
    assert [row["runs"] for row in answer.table("dead").rows] == [2_100] * len(answer.facts["dead"])

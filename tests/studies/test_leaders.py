"""The order of the leaders of a race: what is sure of it, and what is said to be open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import sim
from sim.core.outcomes import Outcome
from sim.results.statistics import holm
from sim.scenario import load
from sim.studies.cards import Bundle, Card, CardPiece, Fight
from sim.studies.course import Moments
from sim.studies.leaders import FURTHER_RUNS, Order, about_order, chances_of_order, said_place
from sim.studies.measures import Marks, values_of
from sim.studies.standing import LEADERS, RARE, Size
from sim.studies.work import StudyStopped
from tests.studies.questions import FIGHT
from tests.studies.test_stopped import press_after  # noqa: F401

QUIET: dict[str, Any] = {"seed": 3, "jobs": 1, "progress": False}


def moments_of(chances: Sequence[float], runs: int, luck: np.random.Generator) -> Moments:
    """Wins of a fight and its variants with the same luck: a run is won where its luck is below the chance."""
    run = luck.random(runs)
    return Moments.of(np.stack([run < chance for chance in chances]).astype(np.int64))


def surely(chances: dict[tuple[int, int], float]) -> set[tuple[int, int]]:
    return {pair for pair, stands in zip(chances, holm(list(chances.values())), strict=True) if stands}


def test_leaders_that_move_the_measure_in_opposite_directions_are_compared_by_how_far_they_do() -> None:
    found = moments_of([0.5, 0.4, 0.55, 0.42], 4_000, np.random.default_rng(1))

    assert surely(chances_of_order(found, {7: -1.0, 8: 1.0, 9: -1.0})) == {(7, 8), (7, 9), (9, 8)}


def test_leaders_that_are_the_same_in_every_run_are_never_told_apart() -> None:
    found = moments_of([0.5, 0.4, 0.4, 0.45], 4_000, np.random.default_rng(1))

    assert {(1, 2), (2, 1)}.isdisjoint(chances_of_order(found, {1: -1.0, 2: -1.0, 3: -1.0}))


def test_hardly_any_run_that_differs_tells_nothing() -> None:
    run = np.zeros((3, 5_000), dtype=np.int64)
    run[1, :100] = 1
    run[2, : 100 + RARE - 1] = 1

    assert (2, 1) not in chances_of_order(Moments.of(run), {1: 1.0, 2: 1.0})


def test_equal_leaders_are_seldom_put_in_an_order() -> None:
    wrong = 0
    for seed in range(400):
        luck = np.random.default_rng([5, seed])
        runs = luck.random((7, 2_000)) < np.array([0.5] + [0.42] * 6)[:, None]
        wrong += bool(surely(chances_of_order(Moments.of(runs.astype(np.int64)), dict.fromkeys(range(1, 7), -1.0))))

    assert wrong <= 400 * 0.05 + 4 * (400 * 0.05 * 0.95) ** 0.5


def order(*sizes: tuple[float, float], small: Sequence[int] = (), farther: Sequence[tuple[int, int]] = ()) -> Order:
    """Variants 1, 2 ... in that order, by the least and the most that each moves the measure."""
    known = {at: Size(low, high, high) for at, (low, high) in enumerate(sizes, start=1)}
    return Order(list(known), known, frozenset(small), set(farther))


def test_places_are_as_sure_as_the_intervals_and_the_comparisons_are() -> None:
    found = order((9, 11), (5, 7), (5, 7), (4, 6), (1, 2), (0.5, 1.5), (0, 1), small=[7], farther=[(3, 4)])

    assert found.places() == {1: (1, 1), 2: (2, 4), 3: (2, 3), 4: (3, 4), 5: (5, 6), 6: (5, 6)}
    assert found.open_places() == [(2, 3)]
    assert found.other_candidates() == [6]


def test_nothing_known_leaves_all_places_open() -> None:
    found = order(*[(0, 5)] * 8)

    assert found.open_places() == [(1, LEADERS)]
    assert set(found.places().values()) == {(1, 8)}
    assert found.other_candidates() == [6, 7, 8]


def test_what_is_open_is_said_in_words() -> None:
    assert said_place((2, 9)) == "2 or later"
    assert about_order([], []) == []
    assert about_order([(1, 2), (4, 5)], ["a", "b", "c", "d"]) == [
        "Places 1 and 2 are closer than these runs can tell.",
        "Places 4 and 5 are closer than these runs can tell.",
        f"Among the first {LEADERS} may also be a, b, c and 1 more.",
    ]


def test_runs_in_which_somebody_had_nobody_to_fight_count_for_nobody() -> None:
    outcomes = [[Outcome.WIN, Outcome.LOSS, Outcome.WIN], [Outcome.WIN, Outcome.WIN, Outcome.EMPTY]]
    marks = [Marks(np.array(row, dtype=np.int64), np.arange(15).reshape(5, 3)) for row in outcomes]

    assert values_of(marks, "win_rate").tolist() == [[1, 0, 0], [1, 1, 0]]
    assert values_of(marks, "rounds").tolist() == [[0, 1, 0], [0, 1, 0]]


def test_sums_of_a_card_of_leaders_are_those_of_its_stretches() -> None:
    fights = tuple(Fight(load(FIGHT, values={"enemies.skeleton.count": count}), 3) for count in (3, 4, 5))
    card = Card(fights, ((0, 1), (0, 2)), moments="win_rate")

    (whole,) = Bundle((CardPiece(card, 0, 300),), 0, 300).play()
    parts = CardPiece(card, 0, 120).play() + CardPiece(card, 120, 180).play()

    assert parts == whole
    assert whole.can_be_of(card, 300)
    assert not whole.can_be_of(card, 299)
    assert not whole.can_be_of(Card(fights, card.pairs), 300)
    assert whole.moments is not None
    assert whole.moments.totals == tuple(tally.ended[Outcome.WIN] for tally in whole.fights)


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Races that look after 100 runs already."""
    monkeypatch.setattr("sim.studies.race.FIRST_LOOK", 100)


def test_leaders_get_further_runs_which_add_to_those_before(early: None) -> None:
    answer = sim.sensitivity(FIGHT, only="zombie", runs=400, **QUIET)

    leaders = [row for row in answer.table("moves").rows if row["until"] == FURTHER_RUNS]
    assert len(leaders) >= 2
    assert len({row["runs"] for row in leaders}) == 1
    runs, first = leaders[0]["runs"], leaders[0]
    assert 400 < runs <= 1_200
    alone = sim.compare(FIGHT, {"it": {first["path"]: first["to"]}}, runs=runs, seed=3, jobs=1, progress=False)
    assert alone.row("differences", variant="it")["win_rate"].value == first["difference"].value
    assert leaders[0]["place"]
    assert answer.facts["open_places"] or all(row["place"].isdigit() for row in leaders[:LEADERS])


def test_with_all_runs_for_everybody_nobody_gets_more(early: None) -> None:
    answer = sim.sensitivity(FIGHT, only="zombie", runs=400, full=True, **QUIET)

    assert {row["runs"] for row in answer.table("moves").rows} == {400}


def test_whoever_stops_the_further_runs_has_the_ranking(early: None, press_after: Any) -> None:  # noqa: F811
    whole = sim.sensitivity(FIGHT, only="zombie", runs=400, **QUIET)
    played = press_after(10_000)
    sim.sensitivity(FIGHT, only="zombie", runs=400, **QUIET)
    further = sum(piece.first >= 400 for piece in played)
    press_after(len(played) - further)  # when the race is over

    with pytest.raises(StudyStopped) as stopped:
        sim.sensitivity(FIGHT, only="zombie", runs=400, **QUIET)

    assert further > 0
    rows = stopped.value.answer.table("moves").rows
    assert len(rows) == len(whole.table("moves").rows)
    assert {row["runs"] for row in rows} <= {100, 400}

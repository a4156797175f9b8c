"""price: a list of prices, what a fight costs, and where adding up fails."""

from __future__ import annotations

import json
from itertools import islice

import numpy as np
import pytest

import sim
from sim.cli import main
from sim.studies import price
from sim.studies.line_ups import in_words, with_enemies
from sim.studies.price_draw import BLOCK, KEPT_BACK, Draw, line_ups
from sim.studies.price_fit import Fit, Part, best_list, columns, fit, with_one_more

QUIET = {"progress": False, "jobs": 1}


def made_up(prices: list[float], together: float = 0.0, runs: int = 4_000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Line-ups of fights that really are sums, but for what the first two are worth together."""
    luck = np.random.default_rng(3)
    counts = luck.integers(0, 7, size=(120, len(prices))).astype(float)
    logit = 4.0 - counts @ np.array(prices) - together * counts[:, 0] * counts[:, 1]
    encounters = np.full(len(counts), float(runs))
    return counts, luck.binomial(runs, 1 / (1 + np.exp(-logit))).astype(float), encounters


def test_prices_of_fights_that_are_sums_are_found() -> None:
    found = fit(*made_up([0.2, 0.5, 0.3]))

    assert found.values == pytest.approx([0.2, 0.5, 0.3], abs=0.02)
    assert found.lack < 1.5
    price = found.price(1, unit=0, points=10.0, confidence=0.95)
    assert price.low < 25 < price.high
    assert price.margin < 1.5
    budget = found.budget(0.5, unit=0, points=10.0, confidence=0.95)
    assert budget.low < 10 * 4.0 / 0.2 < budget.high


def test_the_intervals_of_prices_hold_as_often_as_they_say() -> None:
    luck = np.random.default_rng(8)
    counts = luck.integers(0, 6, size=(40, 2)).astype(float)
    share = 1 / (1 + np.exp(-(2.0 - counts @ np.array([0.3, 0.6]))))
    held = 0
    for _ in range(400):
        found = fit(counts, luck.binomial(200, share).astype(float), np.full(40, 200.0))
        price = found.price(1, unit=0, points=10.0, confidence=0.9)
        held += price.low <= 20 <= price.high

    assert 0.85 < held / 400 <= 0.97


def test_two_that_are_worth_more_together_are_found_and_others_are_not() -> None:
    counts, wins, encounters = made_up([0.2, 0.3, 0.3], together=0.05)
    plain = fit(counts, wins, encounters)

    more, chance = with_one_more(plain, counts, wins, encounters, (0, 1))
    _, other = with_one_more(more, counts, wins, encounters, (1, 2))
    listed = best_list(counts, wins, encounters, np.ones(3))

    assert more.worth((0, 1))[0].value == pytest.approx(0.05, abs=0.01)
    assert chance < 1e-6 < 0.001 < other
    assert listed.worth((0, 1))[0].value == pytest.approx(0.05, abs=0.01)
    assert small_extras(listed, besides=[(0, 1)])
    assert listed.lack < 1.5 < plain.lack


def small_extras(found: Fit, besides: list[Part]) -> bool:
    """Whether what else company costs is little, and may be nothing."""
    others = [found.worth(part) for part in found.parts if len(part) == 2 and part not in besides]
    return all(0 < worth.value < 0.02 and chance > 0.001 for worth, chance in others)


def test_a_list_of_fights_that_are_sums_has_small_extras_only() -> None:
    found = best_list(*made_up([0.2, 0.5, 0.3]), np.array([6.0, 3.0, 4.0]))

    assert small_extras(found, besides=[])
    price = found.price(1, unit=0, points=10.0, confidence=0.99)
    assert price.low < 25 < price.high


def test_the_intervals_hold_for_fights_that_are_no_sums() -> None:
    luck = np.random.default_rng(9)
    every = np.array([(one, two, three) for one in range(7) for two in range(7) for three in range(7)][1:], dtype=float)
    odd = luck.normal(0, 0.1 + 0.1 * every[:, 0], size=len(every))  # the more of the first kind, the odder
    chance = 1 / (1 + np.exp(-(4.0 - every @ np.array([0.3, 0.5, 0.4]) - 0.03 * every[:, 0] * every[:, 1] + odd)))
    told_apart = (chance > 0.02) & (chance < 0.98)
    every, chance, groups = every[told_apart], chance[told_apart], np.array([8.0, 5.0, 6.0])
    whole = best_list(every, 1e6 * chance, np.full(len(every), 1e6), groups, 1.0)
    true = whole.price(1, 0, 10.0, 0.95).value
    margins = {}
    for share in (0.25, 0.75):
        held, found = 0, []
        for _ in range(150):
            some = luck.permutation(len(every))[: int(share * len(every))]
            wins = luck.binomial(200, chance[some]).astype(float)
            price = best_list(every[some], wins, np.full(len(some), 200.0), groups, share).price(1, 0, 10.0, 0.95)
            held += price.low <= true <= price.high
            found.append(price.margin)
        margins[share] = float(np.median(found))

        assert held / 150 > 0.91

    assert margins[0.75] < margins[0.25] / 2.5  # three times as many alone would give 1.7: the rest is what is left


def test_a_crowd_that_costs_more_than_the_sum_is_priced_in_its_group() -> None:
    luck = np.random.default_rng(4)
    counts = luck.integers(0, 9, size=(150, 2)).astype(float)
    true = 5.0 - 0.3 * counts[:, 0] - 0.1 * counts[:, 1] - 0.06 * counts[:, 1] * (counts[:, 1] - 1) / 2
    wins = luck.binomial(2_000, 1 / (1 + np.exp(-true))).astype(float)

    found = best_list(counts, wins, np.full(150, 2_000.0), np.array([8.0, 6.0]))

    assert small_extras(found, besides=[(1, 1)])
    assert found.price(0, 0, 10.0, 0.95).value == 10.0
    each_of_six = 10 * (0.1 + 0.06 * 5 / 2) / 0.3
    price = found.price(1, 0, 10.0, 0.95)
    assert price.low < each_of_six < price.high
    assert found.extra((1, 1), 0, 10.0, 0.95).value == pytest.approx(2.0, abs=0.3)


@pytest.mark.parametrize("seed", range(4))
def test_one_more_enemy_never_makes_a_fight_easier_in_a_list(seed: int) -> None:
    luck = np.random.default_rng(seed)
    counts = luck.integers(0, 9, size=(120, 3)).astype(float)
    worth, odd = luck.uniform(0, 0.4, size=3), luck.normal(0, 0.05, size=(3, 3))  # some cost less together than apart
    logit = 4.0 - counts @ worth - ((counts @ odd) * counts).sum(axis=1)
    wins = luck.binomial(500, 1 / (1 + np.exp(-np.clip(logit, -6, 6)))).astype(float)

    found = best_list(counts, wins, np.full(120, 500.0), np.full(3, 5.0))

    assert all(value >= 0 for part, value in zip(found.parts, found.values, strict=True) if len(part) == 2)
    for kind in range(3):
        if found.head(kind) > 0 and found.extra((kind,), kind, 1.0, 0.95).value >= 0:
            one_more = counts + np.eye(3)[kind]
            assert (found.cost(one_more) >= found.cost(counts)).all()


def test_what_meets_in_a_line_up_is_counted_as_heads_and_twos() -> None:
    counts = np.array([[3.0, 2.0], [1.0, 0.0]])

    assert columns(counts, [(0,), (0, 0), (0, 1)]).tolist() == [[3, 3, 6], [1, 0, 0]]


def test_line_ups_are_all_different_and_near_an_even_fight() -> None:
    fresh = line_ups(np.random.default_rng(1), [8.0, 4.0, 20.0])
    some = [next(fresh) for _ in range(100)]

    assert len(set(some)) == 100
    loads = [one / 8 + two / 4 + three / 20 for one, two, three in some]
    assert 0.3 < min(loads) < max(loads) < 1.8


def test_line_ups_of_which_there_is_an_end_are_drawn_by_lot() -> None:
    in_turn = list(line_ups(np.random.default_rng(1), [4.0, 3.0]))
    draw, without_end = Draw.of(1, [4.0, 3.0]), Draw.of(1, [30.0, 30.0, 30.0])

    assert draw.there_is_an_end
    assert sorted(draw.kept_back + draw.left) == sorted(in_turn)
    assert draw.kept_back + draw.left != in_turn
    assert not without_end.there_is_an_end
    assert without_end.kept_back == list(islice(line_ups(np.random.default_rng(1), [30.0] * 3), KEPT_BACK))


def test_line_ups_that_tell_nothing_are_passed_over_and_each_is_played_once() -> None:
    draw = Draw.of(1, [12.0, 9.0])
    every = set(draw.left)
    first = draw.block(None)
    assert len(first) == BLOCK
    assert draw.of_all == BLOCK / (len(every) + len(draw.kept_back))

    knows = Fit(6.0, ((0,), (1,)), np.array([0.5, 2.0]), np.ones(2), np.eye(3), 9, 1.0, 100)
    rest = list(draw.left)
    played = list(first)
    while block := draw.block(knows):
        played += block

    assert len(set(played)) == len(played)
    assert set(played) < every
    assert {line_up for line_up in rest if abs(6 - line_up[0] / 2 - 2 * line_up[1]) < 4.59} == set(played[BLOCK:])
    assert draw.of_all == len(played) / (len(played) + len(draw.kept_back))
    assert all(abs(6 - one / 2 - 2 * two) < 4.6 for one, two in draw.unseen(knows))


def test_there_is_an_end_to_line_ups_of_one_or_two() -> None:
    assert len(list(line_ups(np.random.default_rng(1), [1.0, 1.0]))) < 12


@pytest.mark.parametrize(
    ("fight", "counts"),
    [
        ("overhill/playtest-1", {"skeleton": 2, "gobbo": 3}),
        ("p52/hall-scaling", {"K hearts": 1, "J clubs": 2}),
        ("brimstone/high_noon", {"undead_outlaws": 3}),
        ("second_era/se_patrol", {"draugr": 1, "scamp": 2}),
    ],
)
def test_a_line_up_is_a_fight_of_every_game(fight: str, counts: dict[str, int]) -> None:
    changed = with_enemies(sim.load(fight), counts)

    assert len(sim.run(changed, runs=20, **QUIET).runs) == 20
    assert sum(entry.get("count", 1) for entry in changed.data["enemies"]) == sum(counts.values())


def test_a_line_up_like_that_of_the_file_is_the_fight_of_the_file() -> None:
    fight = sim.load("overhill/playtest-1")

    assert with_enemies(fight, {"skeleton": 3, "zombie": 2}).digest == fight.digest


def test_a_line_up_in_words() -> None:
    assert in_words({"skeleton": 2, "bone_lord": 1, "rat": 0}) == "two skeletons and one bone lord"


def test_a_stronger_enemy_costs_more_and_one_more_is_never_cheaper() -> None:
    answer = sim.price("overhill/playtest-1", ["skeleton", "zombie"], runs=150, precision=30, **QUIET)

    prices = {one["unit"]: one for one in answer.on_top["prices"]}
    assert prices["skeleton"]["price"] == prices["skeleton"]["low"] == 10
    assert prices["zombie"]["low"] > 10
    budgets = [one["points"] for one in answer.on_top["budgets"]]
    assert budgets == sorted(budgets)
    assert 8 <= answer.on_top["check"]["encounters"] <= 32
    assert answer.on_top["check"]["mean_error_points"] < 15


def test_line_ups_that_find_no_room_are_left_out_and_counted() -> None:
    crowded = with_enemies(sim.load("second_era/se_patrol"), {"skeever": 4})
    with pytest.raises(sim.SimError, match="cannot be played"):
        with_enemies(crowded, {"skeever": 8})

    answer = sim.price(crowded, ["skeever", "draugr"], runs=60, precision=50, **QUIET)

    assert [one["unit"] for one in answer.on_top["prices"]] == ["skeever", "draugr"]
    (said,) = [line for line in answer.warnings if "no room for so many" in line]
    left_out, tried = (int(word) for word in said.split() if word.isdigit())
    assert 0 < left_out < tried


def test_scripts_find_prices_budgets_and_the_check_at_the_top(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["price", "overhill/playtest-1", "--units", "skeleton,zombie", "--scale", "zombie=20", "--runs", "60"]
    with pytest.raises(SystemExit) as left:
        main([*words, "--precision", "90", "--json"])

    found = json.loads(capsys.readouterr().out)
    assert left.value.code in (0, None)
    assert next(one for one in found["prices"] if one["unit"] == "zombie")["price"] == pytest.approx(20)
    assert {"verdict", "points", "low", "high"} == set(found["budgets"][0])
    assert {"mean_error_points", "encounters"} == set(found["check"])


@pytest.mark.parametrize(
    ("units", "more", "message"),
    [
        (["skeleton"], {}, "expected two kinds of enemies or more"),
        (["skeleton", "skelleton"], {}, "did you mean 'skeleton'"),
        (["skeleton", "zombie"], {"scale": {"ghoul": 5}}, "expected one of skeleton, zombie and what it costs"),
        (["skeleton", "zombie"], {"precision": 0}, "expected a number above 0"),
    ],
)
def test_what_cannot_be_priced_is_refused(units: list[str], more: dict, message: str) -> None:
    with pytest.raises(sim.SimError, match=message):
        sim.price("overhill/playtest-1", units, **more, **QUIET)


def test_a_list_can_be_made_for_another_party(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[sim.Scenario] = []

    def noted(_self: object, fight: sim.Scenario) -> None:
        asked.append(fight)
        raise sim.SimError("that was enough")

    monkeypatch.setattr(price._Asked, "list_of", noted)

    with pytest.raises(sim.SimError, match="enough"):
        sim.price("overhill/playtest-1", ["skeleton", "zombie"], party=["warrior", "warrior", "priest"], **QUIET)
    with pytest.raises(sim.SimError, match="party: this fight cannot be played with knight"):
        sim.price("overhill/playtest-1", ["skeleton", "zombie"], party=["knight"], **QUIET)

    assert [hero["class"] for hero in asked[0].data["heroes"]] == ["warrior", "warrior", "priest"]

"""What decides a fight: against answers that are known, and against Overhill's exact chain."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import sim
from sim.cli import main
from sim.core.branch import chances_of, play_fresh_from
from sim.core.engine import play
from sim.core.mixed_luck import EVERYTHING, NOTHING
from sim.core.outcomes import Outcome
from sim.errors import InputError
from sim.results.statistics import Estimate
from sim.runs import workers
from sim.scenario import from_dict
from sim.studies.answer import Answer
from sim.studies.cards import Bundle, Card, CardPiece, Fight
from sim.studies.company import cause_test, features_of
from sim.studies.feel import CurveTally, EndingTally
from sim.studies.measures import Tally
from sim.studies.shares import share, share_from
from sim.studies.why_choices import share_of_choices
from tests.games.registry import with_coin_duel
from tests.rulesets.overhill.exact_chain import solved
from tests.rulesets.overhill.exact_fights import KNOWN

with_coins = pytest.fixture(autouse=True)(with_coin_duel)

QUIET: dict[str, Any] = {"seed": 5, "jobs": 1, "progress": False}
SURE = 0.9999  # of one interval among many
COIN_FLIP = {
    "ruleset": "coins",
    "title": "One coin each",
    "policy": "first",
    "heroes": [{"class": "burgher", "coins": 1}],
    "enemies": [{"type": "pickpocket", "count": 1, "coins": 1}],
}  # the hero flips first, whoever first has heads wins: 2/3 for the hero


@pytest.fixture
def coin_flip() -> Answer:
    return asked_once()


@cache
def asked_once() -> Answer:
    return sim.why(COIN_FLIP, runs=20_000, curves=300, confidence=SURE, **QUIET)


def holds(estimate: Any, value: float) -> bool:
    assert isinstance(estimate, Estimate)
    return estimate.low - 1e-12 <= value <= estimate.high + 1e-12


# A duel whose answers can be worked out by hand. With H and F the rounds of the first heads of hero and foe, the hero
# wins if H <= F. E[won | H = h] = P(F >= h) = 2^(1-h), whose variance is 4/7 - 4/9; E[won | F = f] = 1 - 2^-f, whose
# variance is 10/21 - 4/9; that of the outcome is 2/9.


def test_dice_alone_and_in_all_are_those_worked_out_by_hand(coin_flip: Answer) -> None:
    ours, theirs = (coin_flip.row("chance", group=name) for name in ("heroes' coins", "foes' coins"))

    assert holds(ours["share"], 4 / 7)
    assert holds(theirs["share"], 1 / 7)
    assert holds(ours["total"], 6 / 7)
    assert holds(theirs["total"], 3 / 7)


def test_units_and_sides_are_those_worked_out_by_hand(coin_flip: Answer) -> None:
    for row in (coin_flip.row("units", side="party"), coin_flip.row("sides", side="the party")):
        assert holds(row["share"], 4 / 7)
        assert holds(row["total"], 6 / 7)
    for row in (coin_flip.row("units", side="enemy"), coin_flip.row("sides", side="the enemies")):
        assert holds(row["share"], 1 / 7)
        assert holds(row["total"], 3 / 7)


def test_the_resolution_curve_is_the_one_worked_out_by_hand(coin_flip: Answer) -> None:
    for row in coin_flip.table("resolution").rows:
        end = 0 if row["round"] == "the start" else int(str(row["round"]))
        assert holds(row["share"], 1 - 4.0**-end), end  # each round leaves a quarter open, and it is as open as ever


def test_draws_that_no_run_notices_are_named(coin_flip: Answer) -> None:
    sentence = next(line for line in coin_flip.verdicts if line.startswith("Never matters here"))

    assert sentence == "Never matters here: who turns up, bluffs, whom foes flip against and ruin and prize."
    assert coin_flip.row("chance", group="bluffs")["share"] == "never"


def test_every_share_in_a_sentence_says_which_share_it_is(coin_flip: Answer) -> None:
    (draws,) = (line for line in coin_flip.verdicts if line.startswith("What decides it: "))
    (luck,) = (line for line in coin_flip.verdicts if line.startswith("Whose luck: "))

    for line in (draws, luck):
        assert line.count("%") == 2 * len(re.findall(r"\(\d+ % alone, \d+ % in all\)", line)) > 0, line


def test_how_it_feels_is_what_was_worked_out_by_hand(coin_flip: Answer) -> None:
    # The chance is 2/3 at the start of every round, until one flip decides.
    feel = coin_flip.on_top["feel"]

    assert feel["lead_changes"]["low"] < 1 / 3 < feel["lead_changes"]["high"]
    assert feel["excitement"]["low"] < 4 / 9 + feel["excitement"]["bias"] < feel["excitement"]["high"]
    assert 0 < feel["excitement"]["bias"] < 0.05
    assert feel["comeback_rate"]["value"] < 0.05  # nobody ever stood below 1 in 3
    assert feel["tail"]["value"] == 0
    assert feel["closeness"]["value"] == 1  # the winner has its one coin


def test_few_continuations_make_drama_out_of_nothing_and_the_bias_says_so() -> None:
    fight = from_dict(COIN_FLIP).encounter()

    few, many = (CurveTally.of(chances_of(fight, 3, np.arange(400), again)) for again in (10, 160))

    assert few.estimate("excitement", 10).value > many.estimate("excitement", 160).value + 0.02
    shown = few.estimate("excitement", 10).value - many.estimate("excitement", 160).value
    told = few.bias("excitement", 10) - many.bias("excitement", 160)
    assert many.bias("excitement", 160) > 0
    assert 0.5 < told / shown < 2
    assert few.estimate("comeback_rate", 10).value > 0.05


def test_comebacks_and_the_tail_stay_within_what_a_share_can_be() -> None:
    # Twenty fights of three rounds: one comeback, and all but one round played when it was clear.
    sums = (0, 0, 1, 1, 0, 0, 59, 60, 175, 180, 177)
    tally = CurveTally(fights=20, over=0, continuations=9_600, whole=sums, halves=sums)

    comebacks, tail = tally.estimate("comeback_rate", 160), tally.estimate("tail", 160)

    assert 0 < comebacks.low < comebacks.value == 0.05 < comebacks.high < 0.3
    assert tail.value == pytest.approx(59 / 60)
    assert tail.low < tail.value < tail.high == 1


# Overhill's exact chain.

EXACT = ["X03", "X03a", "X03c", "X03e", "X04", "X05", "X05a", "X07", "X07c", "X08a", "X09", "X10"]


@pytest.mark.parametrize("name", EXACT)
def test_the_resolution_curve_meets_the_exact_chain(name: str) -> None:
    table = KNOWN[name].scenario
    exact = solved(table)
    win = sum(p * exact.win[state] for state, p in exact.beginning.items())
    encounter, runs = from_dict(table).encounter(), np.arange(20_000)
    own = play(encounter, 9, runs).outcome == Outcome.WIN

    for end, variance in enumerate(exact.variances(4)):
        again = play_fresh_from(encounter, 9, runs, end + 1).outcome == Outcome.WIN
        cells = tuple(int(np.count_nonzero((own == one) & (again == two))) for one, two in _PAIRS)
        assert holds(share_from(cells, SURE), variance / (win * (1 - win))), f"{name} after round {end}"


_PAIRS = ((True, True), (True, False), (False, True), (False, False))


# The measure itself.


def test_sharing_everything_is_1_and_sharing_nothing_is_0() -> None:
    fight = sim.load("overhill/playtest-1-ladder")
    own, same, other = (Fight(fight, 1, own=draws) for draws in (None, EVERYTHING, NOTHING))

    score = CardPiece(Card((own, same, other), ((0, 1), (0, 2))), 0, 5_000).play()

    assert score.pairs[0].unlike == 0
    assert share(score.pairs[0]).value == 1.0
    assert holds(share(score.pairs[1], SURE), 0.0)


@pytest.mark.parametrize("name", ["overhill/crypt-swarm", "p52/duel-exact", "brimstone/duel", "second_era/se_hound"])
def test_shares_of_one_kind_alone_never_add_up_to_more_than_1(name: str) -> None:
    answer = sim.why(name, runs=600, curves=0, **QUIET)

    for table in ("chance", "units", "sides"):
        alone = [row["share"] for row in answer.table(table).rows if isinstance(row["share"], Estimate)]
        margin = 2 * math.sqrt(sum(one.margin**2 for one in alone))
        assert sum(one.value for one in alone) <= 1 + margin, table
    decided = [row["share"] for row in answer.table("resolution").rows]
    assert isinstance(decided[-1], Estimate)
    assert decided[-1].value > 0.8


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5])
@pytest.mark.parametrize("true", [0.0, 0.05, 0.5, 0.95, 1.0])
def test_the_interval_covers_the_true_share(p: float, true: float) -> None:
    both = p * p + true * p * (1 - p)
    tables = np.random.default_rng(1).multinomial(2_000, [both, p - both, p - both, 1 - 2 * p + both], size=1_500)

    found = [share_from(tuple(int(count) for count in cells)) for cells in tables]

    covered = np.mean([one.low <= true <= one.high for one in found])
    assert covered > 0.95 - 4 * math.sqrt(0.95 * 0.05 / len(found)) - 0.01


def test_a_share_is_never_told_below_0_above_1_or_above_its_share_in_all() -> None:
    assert share_from((20, 30, 30, 20)).value == 0.0  # they end alike more seldom than by chance
    assert share_from((50, 0, 0, 50)).high == 1.0
    answer = sim.why("overhill/playtest-1-ladder", runs=300, curves=0, **QUIET)

    for entry in (*answer.on_top["chance"], *answer.on_top["units"], *answer.on_top["sides"]):
        assert 0 <= entry["low"] <= entry["share"] <= entry["high"] <= entry["total_high"] <= 1


def test_a_fight_that_always_ends_the_same_way_has_nothing_to_decide() -> None:
    safe = COIN_FLIP | {"enemies": [{"type": "pickpocket", "count": 1, "coins": 0}]}

    answer = sim.why(safe, runs=200, **QUIET)

    assert answer.verdicts == [
        "Chance decides nothing here: every fight ended the same way in 200 runs (the party wins 100 %)."
    ]
    assert answer.on_top["win_rate"] == 1.0
    assert math.isnan(answer.on_top["chance"][0]["share"])


def test_rare_losses_are_warned_of() -> None:
    answer = sim.why("overhill/playtest-1", runs=1_000, curves=0, **QUIET)

    assert any("fights were not won: the shares say what decides these few" in warning for warning in answer.warnings)
    assert "what follows is a first guess" in answer.verdicts[0]


# How it ends.


def test_the_winners_share_is_that_of_the_side_that_won() -> None:
    fight = sim.load("overhill/solo-four-skeletons").encounter()
    outcomes = play(fight, 2, np.arange(500))

    tally = EndingTally.of(outcomes, fight.cast)

    won = outcomes.outcome == Outcome.WIN
    health, skeletons = outcomes.hp[0, won] / fight.cast.units[0].max_hp, outcomes.hp[1, ~won] / 4
    assert tally.closeness().value == pytest.approx((health.sum() + skeletons.sum()) / 500, abs=1e-4)
    assert tally.downs == (int(won.sum()), int((~won).sum()))
    assert tally.mean_rounds == pytest.approx(outcomes.rounds.mean())
    assert tally.longest(1.0) == outcomes.rounds.max()


def test_what_losses_have_in_common_is_counted_as_a_plain_loop_counts_it() -> None:
    fight = sim.load("overhill/playtest-1-ladder").encounter()
    outcomes = play(fight, 2, np.arange(300))
    features = [feature.text for feature in features_of(fight.cast)]

    tally = EndingTally.of(outcomes, fight.cast)

    assert (tally.wins, tally.losses) == tuple(np.bincount(outcomes.outcome != Outcome.WIN))
    counted = dict.fromkeys(features, 0)
    for run in np.flatnonzero(outcomes.outcome != Outcome.WIN):
        falls = {unit.name: int(outcomes.down_round[row, run]) for row, unit in enumerate(fight.cast.units)}
        heroes = [name for name in ("warrior", "rogue", "priest", "magic_user") if falls[name] >= 0]
        earliest = min(falls[name] for name in heroes)
        for name in heroes:
            counted[f"{name.replace('_', ' ')} is the first hero to go down"] += falls[name] == earliest
        for round in (1, 2, 3):
            counted[f"a hero goes down by the end of round {round}"] += earliest <= round
        for row, ability in enumerate(fight.cast.abilities):
            if not ability.common and ability.unit < 4 and outcomes.uses[row, run] == 0:
                who = fight.cast.units[ability.unit].name.replace("_", " ")
                counted[f"{who} never uses {ability.name.replace('_', ' ')}"] += 1
    told = dict(zip(features, tally.in_losses, strict=True))
    assert {text: told[text] for text in told if "enemy" not in text} == {
        text: counted[text] for text in counted if "enemy" not in text
    }


def test_losses_are_set_beside_wins_and_a_cause_can_be_tested() -> None:
    answer = sim.why("second_era/se_hound", runs=600, curves=0, **QUIET)

    rows = answer.table("losses").rows
    assert rows
    assert all(row["difference"].low > 0 or row["difference"].high < 0 for row in rows)
    assert [abs(row["difference"].value) for row in rows] == sorted(
        (abs(row["difference"].value) for row in rows), reverse=True
    )
    assert cause_test(sim.load("overhill/playtest-1"), "dart") == (
        """fairfight compare overhill/playtest-1 --variant 'without dart: forbid=["dart"]'"""
    )
    assert cause_test(sim.load("overhill/playtest-1"), "accept_the_blade") == ""  # no action: it cannot be forbidden


# Choices and rules beside it.


def test_the_share_of_choices_is_that_of_the_variance_between_the_policies() -> None:
    always, never, evenly = (
        Tally((won, 1_000_000 - won, 0, 0, 0, 0), (0,) * 5, (0,) * 5) for won in (1_000_000, 0, 500_000)
    )

    assert share_of_choices([always, never]) == pytest.approx(1.0)
    assert share_of_choices([evenly, evenly]) == 0.0
    assert share_of_choices([always, evenly]) == pytest.approx((1 / 16) / (3 / 16), abs=1e-5)


def test_policies_and_switches_are_looked_at_as_well_if_asked() -> None:
    answer = sim.why("overhill/playtest-1-ladder", runs=150, curves=0, choices=True, switches=True, **QUIET)

    assert {row["policy"] for row in answer.table("choices").rows} == set(answer.scenario.ruleset.policies)
    assert 0 < answer.on_top["choices"]["share"] < 1
    slips = answer.table("dial").rows
    assert [row["slips"] for row in slips] == [0.0, 0.1, 0.2, 0.4, 1.0]
    assert slips[0]["win_rate"].value == answer.on_top["win_rate"]
    assert slips[-1]["win_rate"].value < slips[0]["win_rate"].value
    assert any(line.startswith("Choices: from ") for line in answer.verdicts)
    assert any(line.startswith("House rules that move it most: ") for line in answer.verdicts)
    assert answer.on_top["rules"][0] in {row["move"] for row in answer.table("moves").rows}
    assert "gobbo defense" in answer.on_top["idle_rules"]


# The question.


def test_the_same_runs_in_other_pieces_give_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sim.why("overhill/playtest-1-ladder", runs=240, curves=8, again=12, **QUIET)
    monkeypatch.setattr("sim.studies.work.STRETCH", 90)
    monkeypatch.setattr("sim.studies.cards.CURVES_TOGETHER", 5)

    pieces = sim.why("overhill/playtest-1-ladder", runs=240, curves=8, again=12, **QUIET)

    assert pieces.facts == whole.facts


def test_only_the_runs_along_which_the_chance_is_followed_come_in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: dict[bool, set[int]] = {True: set(), False: set()}
    played = workers.play_piece

    def watched(bundle: Bundle) -> Any:
        for piece in bundle.pieces:
            counts[piece.card.curves > 0].add(piece.count)
        return played(bundle)

    monkeypatch.setattr(workers, "play_piece", watched)
    sim.why(COIN_FLIP, runs=60, curves=25, again=4, choices=True, **QUIET)

    assert counts == {True: {10, 5}, False: {60}}


def test_a_precision_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.studies.why.RUNS", 800)  # where it begins

    answer = sim.why("overhill/playtest-1-ladder", precision=4.0, curves=0, **QUIET)

    shares = [*answer.on_top["resolution"], *answer.on_top["chance"]]
    assert answer.settings["runs"] > 800
    assert all(max(one["high"] - one["share"], one["share"] - one["low"]) <= 0.04 for one in shares)


def test_scripts_find_what_they_were_promised(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["why", "overhill/playtest-1-ladder", "--runs", "300", "--curves", "8", "--seed", "4", "--json"])

    found = json.loads(capsys.readouterr().out)
    assert not left.value.code
    assert 0 < found["win_rate"] < 1
    assert [set(entry) for entry in found["resolution"][:1]] == [{"round", "share", "low", "high"}]
    assert [entry["round"] for entry in found["resolution"]] == list(range(1, len(found["resolution"]) + 1))
    assert {"group", "share", "low", "high", "total", "total_low", "total_high"} <= set(found["chance"][0])
    assert {"unit", "side", "share", "low", "high"} <= set(found["units"][0])
    assert set(found["feel"]) == {"closeness", "comeback_rate", "tail", "excitement", "lead_changes"}
    assert all({"value", "low", "high"} <= set(entry) for entry in found["feel"].values())


def test_long_fights_are_looked_at_in_wider_and_wider_steps() -> None:
    from sim.studies.why import _rounds_to_look_at

    counts = [0] * 256
    counts[90] = 10
    steps = _rounds_to_look_at(EndingTally(tuple(counts), (10, 0), 10, 0, 0, 10, 0, (), ()))

    assert steps[0] == 0
    assert steps[-1] == 90
    assert len(steps) <= 30
    assert np.all(np.diff(steps) >= 1)


def test_what_cannot_be_asked_is_refused_all_at_once() -> None:
    with pytest.raises(InputError) as raised:
        sim.why("overhill/playtest-1", curves=-1, again=1)

    assert [problem.key for problem in raised.value.problems] == ["curves", "again"]

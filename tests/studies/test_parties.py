"""parties: every party, what each class adds, and who is more than the sum."""

from __future__ import annotations

import itertools
import json
from collections import Counter

import numpy as np
import pytest

import sim
from sim.cli import main
from sim.results.statistics import Estimate
from sim.studies.counters import Counter as Met
from sim.studies.counters import Counters
from sim.studies.measures import Tally
from sim.studies.rosters import MOST_PARTIES, choose_parties, in_words, with_party
from sim.studies.shapley import Rates

QUIET = {"progress": False, "jobs": 1}
WORTH = {"a": 0.3, "b": 0.1, "c": 0.05}


def rates(classes: str, size: int, worth) -> Rates:
    """Win rates by a formula, in three parts that do not scatter."""
    every = [
        party for few in range(1, size + 1) for party in itertools.combinations_with_replacement(classes, few)
    ]
    return Rates({party: np.full(3, worth(party)) for party in every}, list(classes), size)


def test_where_classes_add_up_each_adds_its_worth_and_no_two_are_more_together() -> None:
    found = rates("abc", 3, lambda party: sum(WORTH[name] for name in party))

    for name, worth in WORTH.items():
        assert found.added_by(name) == pytest.approx(worth)
    for one, other in itertools.combinations("abc", 2):
        assert found.together(one, other) == pytest.approx(0)


def test_two_who_need_each_other_are_more_together() -> None:
    found = rates("abc", 3, lambda party: 0.5 * ({"a", "b"} <= set(party)))

    assert found.together("a", "b")[0] > 0.1
    assert found.together("a", "c") == pytest.approx(found.together("b", "c"))
    assert found.added_by("c") == pytest.approx(0)


def test_what_a_class_adds_is_the_mean_over_sizes_and_parties() -> None:
    table = {("a",): 0.2, ("b",): 0.4, ("a", "a"): 0.5, ("a", "b"): 0.9, ("b", "b"): 0.6}
    found = rates("ab", 2, lambda party: table[party])

    assert found.added_by("a")[0] == pytest.approx((0.2 + ((0.5 - 0.2) + (0.9 - 0.4)) / 2) / 2)
    assert found.together("a", "b")[0] == pytest.approx(0.9 - 0.2 - 0.4 + 0)  # the smallest case, by the formula itself


def test_all_parties_are_played_where_they_are_few() -> None:
    chosen = choose_parties(["a", "b", "c"], 2, seed=1)

    assert len(chosen.full) == chosen.of_how_many == 6
    assert chosen.smaller == [("a",), ("b",), ("c",)]


def test_a_sample_of_many_parties_has_every_class_about_equally_often() -> None:
    classes = [f"class {number}" for number in range(12)]
    chosen = choose_parties(classes, 4, seed=1)

    assert chosen.of_how_many == 1_365
    assert len(chosen.full) < len(chosen.all) <= MOST_PARTIES + 4 * 12
    assert len(set(chosen.all)) == len(chosen.all)
    often = Counter(name for party in chosen.full for name in party)
    assert min(often.values()) > 0.7 * max(often.values())
    assert choose_parties(classes, 4, seed=1) == chosen


def test_a_party_in_words() -> None:
    assert in_words(("warrior", "warrior", "magic_user")) == "2 warriors, magic user"


@pytest.mark.parametrize(
    ("fight", "of", "size"),
    [
        ("overhill/crypt-swarm", ["warrior", "priest"], 2),
        ("p52/corridor-ambush", ["fighter", "wizard"], 2),
        ("brimstone/high_noon", ["gunslinger", "preacher"], 2),
        ("second_era/se_patrol", ["archer", "knight"], 2),
    ],
)
def test_every_game_plays_its_parties(fight: str, of: list[str], size: int) -> None:
    answer = sim.parties(fight, of=of, size=size, runs=60, **QUIET)

    assert [row["party"] for row in answer.table("parties").rows] == [
        in_words(tuple(entry["party"])) for entry in answer.on_top["parties"]
    ]
    assert len(answer.on_top["parties"]) == 3
    assert answer.settings["runs"] == 60


NAMES = ["overhill/playtest-1", "p52/corridor-ambush", "brimstone/high_noon", "second_era/se_dungeon"]


@pytest.mark.parametrize("name", NAMES)
def test_the_party_of_the_file_is_the_fight_of_the_file(name: str) -> None:
    fight = sim.load(name)

    assert with_party(fight, tuple(hero["class"] for hero in fight.data["heroes"])).digest == fight.digest


def test_scripts_find_parties_classes_and_pairs_at_the_top(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["parties", "overhill/crypt-swarm", "--size", "2", "--of", "warrior,priest", "--runs", "100", "--json"])

    found = json.loads(capsys.readouterr().out)
    assert left.value.code in (0, None)
    assert set(found["parties"][0]) == {"party", "win_rate", "low", "high", "runs"}
    assert {one["class"] for one in found["classes"]} == {"warrior", "priest"}
    assert set(found["pairs"][0]) >= {"pair", "more", "low", "high"}


def test_everything_wrong_is_said_at_once() -> None:
    with pytest.raises(sim.SimError) as wrong:
        sim.parties("overhill/crypt-swarm", of=["warior", "bard"], size=9, **QUIET)

    said = str(wrong.value)
    assert "unknown class 'warior'; did you mean 'warrior'?" in said
    assert "unknown class 'bard' (known: warrior, rogue, magic_user, priest)" in said
    assert "expected a party of 1 to 6 heroes, found 9" in said


def test_a_counter_is_what_party_and_fight_alone_do_not_say() -> None:
    found = sim.parties(
        "overhill/crypt-swarm",
        size=2,
        of=["warrior", "priest"],
        against=["overhill/gobbo-trio", "overhill/ghoul-pack"],
        runs=400,
        **QUIET,
    )

    counters = found.on_top["counters"]
    table = {(tuple(one["party"]), one["against"]): one for one in counters}
    parties, fights = ({key[place] for key in table} for place in (0, 1))
    assert len(table) == 3 * 3
    for key in parties:
        assert sum(table[key, fight]["more"] for fight in fights) == pytest.approx(0, abs=1e-12)
    own = {tuple(one["party"]): one["win_rate"] for one in found.on_top["parties"]}
    title = found.scenario.title
    assert {key: one["win_rate"] for (key, fight), one in table.items() if fight == title} == own
    for one in counters:
        mean_of_party = np.mean([table[tuple(one["party"]), fight]["win_rate"] for fight in fights])
        mean_of_fight = np.mean([table[key, one["against"]]["win_rate"] for key in parties])
        mean_of_all = np.mean([other["win_rate"] for other in counters])
        assert one["more"] == pytest.approx(one["win_rate"] - mean_of_party - mean_of_fight + mean_of_all, abs=1e-9)
        assert one["more_low"] <= one["more"] <= one["more_high"]
    assert len(found.table("counters").rows) == 3


@pytest.mark.parametrize(
    ("party", "more", "said"),
    [
        (("warrior", "warrior"), -0.05, "Two warriors are countered by The pack: -5.0 points"),
        (("warrior", "warrior", "magic_user"), 0.05, "Two warriors and one magic user counter The pack: +5.0 points"),
        (("warrior", "priest"), 0.05, "Warrior and priest counter The pack: +5.0 points"),
        (("priest",), 0.05, "Priest counters The pack: +5.0 points"),
        (("priest",), -0.05, "Priest is countered by The pack: -5.0 points"),
    ],
)
def test_a_sentence_about_a_counter_knows_one_hero_from_several(party: tuple[str, ...], more: float, said: str) -> None:
    found = Estimate(more, more - 0.01, more + 0.01, 100)
    matrix = Counters([party], ["The pack"], [[Met(party, "The pack", Tally((), (), ()), found, stands=True)]])

    (sentence,) = matrix.sentences(0.95)
    assert sentence.startswith(said)


def test_fights_of_another_game_or_of_one_title_are_refused() -> None:
    with pytest.raises(sim.SimError, match="is a fight of") as refused:
        sim.parties("overhill/crypt-swarm", against=["p52/duel", "overhill/crypt-swarm"], size=2, **QUIET)

    assert "two fights are called" in str(refused.value)

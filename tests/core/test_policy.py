"""The policy language: reading, and the first line that applies."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import sim
from sim.core import engine
from sim.core.luck import Luck
from sim.core.outcomes import Outcome
from sim.core.policy import (
    ALWAYS,
    Line,
    Verb,
    Vocabulary,
    choose_target,
    follow,
    inherit,
    option,
    problems_of_each,
    read_each,
    read_entry,
    read_lines,
    slips,
)
from sim.errors import ScenarioError

VOCABULARY = Vocabulary(
    names={"health": "of the unit", "brave": "never runs"},
    target_names={"foe": {"their_health": "health", "their_rank": "place in line"}},
    verbs={
        "hit": Verb("strike a foe", "foe", {"force": "formula", "how": "word"}, {"how": ("hard", "soft")}),
        "rest": Verb("do nothing"),
        "run": Verb("run away"),
        "shout": Verb("make a noise", None, {"what": "words"}, {"what": ("ho", "hey")}),
    },
)


class Crowd:
    """A player with three foes whose health differs from lane to lane."""

    vocabulary = VOCABULARY

    def __init__(self) -> None:
        self.health = np.array([1, 5, 9, 9])
        self.foes = np.array([[4, 4, 0, 2], [3, 4, 0, 1], [7, 4, 0, 1]])  # (foes, lanes); 0 is gone
        self.ranks = np.array([[0], [1], [2]])
        self.did: dict[int, tuple[str, int, int]] = {}

    def ask(self, s, actor, name, at):
        return {"health": self.health[at], "brave": False}[name]

    def ask_target(self, s, actor, kind, name, at):
        return {"their_health": self.foes[:, at], "their_rank": self.ranks}[name]

    def ever(self, s, actor, line):
        return True

    def choose(self, s, actor, line, at):
        verb = VOCABULARY.verbs[line.do]
        open_to = self.foes[:, at] > 0 if verb.target else np.ones((1, len(at)), dtype=bool)
        return choose_target(self, line, verb, s, actor, at, open_to)

    def act(self, s, actor, line, at, target):
        force = at * 0
        if line.options:
            force = np.broadcast_to(option(line, "force", self, s, actor, at, "foe", target), len(at))
        for lane, foe, strength in zip(at, target, force, strict=True):
            self.did[int(lane)] = (line.do, int(foe), int(strength))


def lines(*entries: dict) -> tuple[Line, ...]:
    compiled, problems = read_lines(list(entries), VOCABULARY, "test")
    assert not problems, problems
    return compiled


def play(*entries: dict) -> tuple[dict[int, tuple[str, int, int]], list[int]]:
    crowd = Crowd()
    left = follow(crowd, lines(*entries), None, 0, np.arange(4))
    return crowd.did, left.tolist()


def test_the_first_line_that_applies_decides_lane_by_lane():
    did, left = play({"when": "health <= 1", "do": "run"}, {"do": "hit"}, {"do": "rest"})

    assert [did[lane][0] for lane in range(4)] == ["run", "hit", "rest", "hit"]
    assert left == []


def test_a_condition_that_numbers_alone_deny_is_asked_nothing_more():
    class Curious(Crowd):
        def ask(self, s, actor, name, at):
            assert name == "brave"  # which is no for all lanes
            return super().ask(s, actor, name, at)

        def choose(self, s, actor, line, at):
            assert line.do == "rest"
            return super().choose(s, actor, line, at)

    player = Curious()

    left = follow(player, lines({"when": "brave and health > 3", "do": "run"}, {"do": "rest"}), None, 0, np.arange(4))

    assert not len(left)
    assert {what for what, *_ in player.did.values()} == {"rest"}


def test_lanes_without_a_line_are_left_over():
    did, left = play({"when": "health >= 9", "do": "hit"})

    assert sorted(did) == [3]
    assert left == [0, 1, 2]


def test_a_target_is_the_first_candidate_unless_ranked():
    did, _ = play({"do": "hit"})

    assert [did[lane][1] for lane in (0, 1, 3)] == [0, 0, 0]


def test_keys_rank_candidates_in_order_and_ties_go_to_the_first():
    did, _ = play({"do": "hit", "target": {"by": ["least their_health", "most their_rank"]}})

    assert [did[lane][1] for lane in (0, 1, 3)] == [1, 2, 2]


def test_where_says_who_comes_into_question():
    did, left = play({"do": "hit", "target": {"where": "their_health >= 4 and their_rank > 0"}})

    assert {lane: did[lane][1] for lane in did} == {0: 2, 1: 1}
    assert left == [2, 3]


@pytest.mark.parametrize("gone", [0.1, 0.5, 0.95])
@pytest.mark.parametrize(
    "target",
    [
        {"by": ["least their_health", "most their_rank"]},
        {"where": "their_health >= health", "by": ["most their_health", "least their_rank"]},
        {"by": ["most their_health"], "provided": "their_health > 2"},
    ],
)
def test_a_choice_is_the_same_in_company_and_alone(gone: float, target: dict):
    crowd, dice = Crowd(), np.random.default_rng(1)
    crowd.health = dice.integers(1, 5, 200)
    crowd.foes = dice.integers(1, 5, (6, 200)) * (dice.random((6, 200)) > gone)
    crowd.ranks = np.arange(6)[:, None]
    (line,) = lines({"do": "hit", "target": target})

    together = crowd.choose(None, 0, line, np.arange(200))

    assert together.tolist() == [int(crowd.choose(None, 0, line, np.array([lane]))[0]) for lane in range(200)]
    assert len(set(together.tolist())) > 2


def test_an_option_may_speak_of_the_chosen_target():
    did, _ = play({"do": "hit", "force": "2 * their_health + health", "target": {"by": ["most their_health"]}})

    assert [did[lane][2] for lane in (0, 1, 3)] == [15, 13, 13]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"do": "hti"}, "test[0].do: unknown verb 'hti'; did you mean 'hit'?"),
        ({"do": "hit", "when": "helth > 1"}, "helth"),
        ({"do": "hit", "wen": "health > 1"}, "test[0].wen: unknown key; did you mean 'when'?"),
        ({"do": "rest", "target": "first"}, "test[0].target: 'rest' has no target"),
        ({"do": "hit", "target": {"by": ["their_health"]}}, "expected 'least ...' or 'most ...'"),
        ({"do": "hit", "target": "weakest"}, "expected 'first', 'random' or a table"),
        ({"do": "hit", "target": {"by": "their_health"}}, "expected 'least ...' or 'most ...'"),
        ({"do": "hit", "target": {"ties": "rnadom"}}, "test[0].target.ties: expected 'first' or 'random'"),
        ({"do": ["hit"]}, "test[0].do: unknown verb"),
        ({"do": "hit", "how": "hrad"}, "unknown word 'hrad'; did you mean 'hard'?"),
        ({"when": "health > 1"}, "expected a line with `do`"),
    ],
)
def test_mistakes_are_named_with_place_and_remedy(entry: dict, message: str):
    _, problems = read_lines([entry], VOCABULARY, "test")

    assert len(problems) == 1
    assert message in str(problems[0])


def test_all_mistakes_are_reported_at_once():
    _, problems = read_lines([{"do": "hti"}, {"do": "hit", "when": "("}, {"do": "rest", "x": 1}], VOCABULARY, "test")

    assert len(problems) == 3


def test_a_policy_takes_what_it_does_not_say_from_the_one_it_is_like():
    full, problems = inherit({"a": {"x": 1, "y": 2}, "b": {"like": "a", "y": 3}, "c": {"like": "b"}})

    assert not problems
    assert full["c"] == {"x": 1, "y": 3}


POLICIES = {"calm": {"about": "calm"}, "wild": {"like": "calm", "abuot": "wild"}, "odd": {"like": "clam"}}


def read_about(name: str, key: str = "policy") -> str:
    entry, problems = read_entry(name, POLICIES, ("about",), key)
    if problems:
        raise ScenarioError(problems)
    return entry["about"]


def test_a_policy_that_nobody_knows_is_refused_where_it_is_named():
    with pytest.raises(ScenarioError, match=r"heroes\[1\].policy: unknown policy 'wlid'; did you mean 'wild'"):
        read_entry("wlid", POLICIES, ("about",), "heroes[1].policy")


def test_every_mistake_of_every_policy_is_told_once():
    found = [str(problem) for problem in problems_of_each(POLICIES, read_about)]

    assert found == [
        "policies.odd.like: unknown policy 'clam'; did you mean 'calm'?",
        "policies.wild.abuot: unknown key; did you mean 'about'?",
    ]


def test_every_hero_has_the_policy_of_its_own_or_the_partys():
    assert read_each([None, "b"], "a", lambda name, key: (name, key)) == [("a", "policy"), ("b", "heroes[1].policy")]

    with pytest.raises(ScenarioError) as caught:
        read_each(["x", None, "y"], "z", lambda name, key: read_entry(name, {}, (), key))
    assert [problem.key for problem in caught.value.problems] == ["heroes[0].policy", "policy", "heroes[2].policy"]


def test_likeness_in_a_circle_is_refused():
    _, problems = inherit({"a": {"like": "b"}, "b": {"like": "a"}})

    assert any("circle" in str(problem) for problem in problems)


def test_likeness_to_nobody_is_refused():
    _, problems = inherit({"cautious": {}, "b": {"like": "cautios"}})

    assert "did you mean 'cautious'" in str(problems[0])


@pytest.mark.parametrize("entry", ["hit", ["hit"], 3])
def test_a_policy_that_is_no_table_is_refused_with_its_place(entry: object):
    _, problems = inherit({"mine": entry})

    assert str(problems[0]).startswith("policies.mine: expected a table")


def test_likeness_is_a_name():
    _, problems = inherit({"mine": {"like": ["other"]}, "other": {}})

    assert str(problems[0]).startswith("policies.mine.like: unknown policy ['other']")


def test_one_key_to_rank_by_needs_no_list():
    did, _ = play({"do": "hit", "target": {"by": "most their_health"}})

    assert [did[lane][1] for lane in (0, 1, 3)] == [2, 0, 0]


def test_a_list_of_words_that_is_left_out_means_all_of_them():
    assert lines({"do": "shout"})[0].options == {"what": ("ho", "hey")}


def test_a_condition_may_be_a_plain_truth():
    did, _ = play({"when": False, "do": "hit"}, {"when": True, "do": "rest"})

    assert {verb for verb, _, _ in did.values()} == {"rest"}


def test_a_lot_decides_when_asked_for():
    class Lucky(Crowd):
        pass

    class S:
        round = 1

        class luck:  # noqa: N801
            @staticmethod
            def below(count, purpose, round, actor, index, at):
                return count - 1  # always the last

    crowd = Lucky()
    target = crowd.choose(S, 0, lines({"do": "hit", "target": "random"})[0], np.array([0, 1]))

    assert_array_equal(target, [2, 2])


# Careless heroes.

FIGHTS = {
    "overhill/playtest-1": "cautious",
    "p52/hall-scaling": "brawler",
    "brimstone/high_noon": "focus_fire",
    "second_era/se_patrol": "focus_fire",
}


@pytest.mark.parametrize(("fight", "policy"), FIGHTS.items())
def test_a_policy_that_never_slips_is_the_policy_itself(fight: str, policy: str) -> None:
    as_it_is, dialled = (
        engine.play(sim.load(fight, policy=name).encounter(), 5, np.arange(60)) for name in (policy, f"{policy}@0")
    )

    for field in dataclasses.fields(as_it_is):
        np.testing.assert_equal(getattr(as_it_is, field.name), getattr(dialled, field.name))


@pytest.mark.parametrize(("fight", "policy"), FIGHTS.items())
def test_asking_who_slips_takes_no_luck_from_anybody(fight: str, policy: str) -> None:
    as_it_is, dialled = (
        engine.play(sim.load(fight, policy=name).encounter(), 5, np.arange(60)) for name in (policy, f"{policy}@1e-6")
    )

    for field in ("outcome", "rounds", "hp", "damage_dealt", "down_round"):
        np.testing.assert_equal(getattr(as_it_is, field), getattr(dialled, field))


@pytest.mark.parametrize(("fight", "policy"), FIGHTS.items())
def test_who_slips_plays_worse(fight: str, policy: str) -> None:
    careful, careless = (
        engine.play(sim.load(fight, policy=f"{policy}@{dial}").encounter(), 5, np.arange(400)) for dial in (0, 1)
    )

    assert np.count_nonzero(careless.outcome == Outcome.WIN) < np.count_nonzero(careful.outcome == Outcome.WIN) - 20


def test_whoever_slips_at_a_small_chance_slips_at_a_larger_one() -> None:
    s = sim.load("overhill/playtest-1").encounter().start(Luck.of(1, np.arange(4_000)), None)
    some, more = slips(200_000, s, 0, s.everyone), slips(500_000, s, 0, s.everyone)

    assert abs(some.mean() - 0.2) < 0.03
    assert not (some & ~more).any()


@pytest.mark.parametrize("wrong", ["plain@", "plain@often", "plain@1.5", "plain@-0.1", "plain@nan"])
def test_a_dial_that_is_no_chance_is_refused(wrong: str) -> None:
    with pytest.raises(sim.SimError, match="expected a chance from 0 to 1 after 'plain@'"):
        sim.load("overhill/playtest-1", policy=wrong)


def test_a_hero_can_be_careless_alone() -> None:
    fight = sim.load("second_era/se_patrol", set={"heroes.archer.policy": "focus_fire@1"})

    assert fight.encounter().player.plans[0].action[0].slip == ALWAYS
    assert fight.encounter().player.plans[1].action[0].slip is None

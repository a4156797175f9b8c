"""Checks for whoever writes a ruleset: inherit `RulesetContract` in your tests, and every promise is tested.

    from sim.testing import RulesetContract

    class TestMyGame(RulesetContract):
        ruleset = RULESET

The tests play the ruleset's own scenarios, a few dozen runs each. `assert_rules_covered` checks the rulebook,
`assert_results_of_version` that the same seed goes on giving the same results.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import pickle
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sim.core.branch import branch, chances
from sim.core.chance import by_group
from sim.core.engine import Encounter, in_order, play, play_batches, play_with
from sim.core.luck import Luck, Words
from sim.core.mixed_luck import Part
from sim.core.outcomes import Cast, Outcome, Outcomes
from sim.core.rulebook import RULEBOOK, ids_in, read_rulebook
from sim.core.ruleset import Ruleset
from sim.core.telling import ROUND_ENDS, START, Event, Recorder
from sim.replays.sentences import Narrator
from sim.scenario import Scenario, from_dict, load, scenarios_of
from sim.scenario.types_alone import misfits_of_types

SEED = 2024
WIDE = 33_000  # more than 2**15
UNEVEN = (32, 96, 48)  # sizes of batches: large enough that some runs wait for others, and not all at the same round
ACCOUNTS = ("damage_dealt", "damage_taken", "healing", "kills", "downs")
SECOND_TELLINGS = ("exact", "exact.py")  # an exact solver tells the rules again; the engine must have them itself


class RulesetContract:
    """What every ruleset promises."""

    ruleset: ClassVar[Ruleset[Any]]
    runs: ClassVar[int] = 40  # of each scenario
    told: ClassVar[int] = 1  # runs of each scenario that are told move by move
    skip: ClassVar[frozenset[str]] = frozenset()  # scenarios too long for this
    without_max_hp: ClassVar[Mapping[str, str]] = {}  # side -> why its units have no `max_hp`, and are not checked
    untold_healing: ClassVar[Mapping[str, str]] = {}  # scenario -> what gives hit points back there and is no heal

    # Arranging.

    def scenarios(self) -> Iterator[Scenario]:
        """The ruleset's own scenarios."""
        for name in scenarios_of(self.ruleset):
            if name.rpartition("/")[2] not in self.skip:
                yield load(name)

    def encounters(self) -> Iterator[tuple[str, Encounter[Any]]]:
        """The same, compiled."""
        for scenario in self.scenarios():
            yield scenario.name, scenario.encounter()

    def batches(self) -> Iterator[tuple[str, Encounter[Any], Outcomes]]:
        """The same, with the first runs of each, played together once for all promises that look at them."""
        for scenario in self.scenarios():
            yield scenario.name, scenario.encounter(), _batch(scenario, self.runs)

    # Promises about runs.

    def test_run_k_alone_is_run_k_in_a_batch(self) -> None:
        for name, encounter, together in self.batches():
            for k in (0, 1, self.runs - 1):
                alone = play(encounter, SEED, np.array([k]))
                assert_same(alone, _some(together, np.array([k])), f"{name}, run {k}")

    def test_the_order_of_runs_does_not_matter(self) -> None:
        mixed = np.random.default_rng(1).permutation(self.runs)
        for name, encounter, ascending in self.batches():
            shuffled = play(encounter, SEED, mixed)

            assert_same(shuffled, _some(ascending, mixed), name)

    def test_nothing_leaks_from_one_batch_to_the_next(self) -> None:
        half = self.runs // 2
        for name, encounter, whole in self.batches():
            second = play(encounter, SEED, np.arange(half, self.runs))
            first = play(encounter, SEED, np.arange(half))

            assert_same(first, _some(whole, np.arange(half)), f"{name}, first half")
            assert_same(second, _some(whole, np.arange(half, self.runs)), f"{name}, second half")

    def test_batches_whose_last_runs_play_on_together_equal_one_batch(self) -> None:
        runs = sum(UNEVEN)
        for name, encounter in self.encounters():
            whole = play(encounter, SEED, np.arange(runs))

            batches = np.split(np.arange(runs), np.cumsum(UNEVEN)[:-1])
            joined = in_order(list(play_batches(encounter, SEED, batches)))

            assert_same(joined, whole, name)

    def test_a_wide_batch_equals_a_narrow_one(self) -> None:
        starter = f"{self.ruleset.name}/{self.ruleset.starter}"
        fight = next((one for one in self.scenarios() if one.name == starter), None) or load(starter)
        ends = np.r_[0 : self.runs, WIDE - self.runs : WIDE]
        narrow = play(fight.encounter(), SEED, ends)

        wide = play(fight.encounter(), SEED, np.arange(WIDE))  # small numbers times a wide batch must not wrap around

        assert_same(_some(wide, ends), narrow, starter)

    def test_another_seed_gives_other_luck(self) -> None:
        differs = False
        for _, encounter, one in self.batches():
            other = play(encounter, SEED + 1, np.arange(self.runs))
            differs |= bool((one.hp != other.hp).any())

        assert differs

    def test_a_run_that_goes_on_with_its_own_luck_is_the_run_itself(self) -> None:
        for name, encounter, whole in self.batches():
            for round in (1, 2, 4):
                there = np.flatnonzero(whole.rounds >= round)
                if len(there):
                    again = branch(encounter, SEED, there, round, 2, same_luck=True)

                    assert_same(again, _some(whole, np.repeat(there, 2)), f"{name}, from round {round}")

    def test_a_continuation_is_the_same_whatever_it_is_played_together_with(self) -> None:
        for name, encounter, whole in self.batches():
            there = np.flatnonzero(whole.rounds >= 2)
            if not len(there):
                continue
            together = branch(encounter, SEED, there, 2, 3)

            last = branch(encounter, SEED, there[-1:], 2, 2)

            theirs = (len(there) - 1) * 3 + np.arange(2)
            assert_same(last, _some(together, theirs), f"{name}, run {there[-1]} from round 2")
            curve = chances(encounter, SEED, int(there[-1]), 2)
            assert curve.wins[1] == np.count_nonzero(last.outcome == Outcome.WIN), name

    def test_a_listener_changes_nothing(self) -> None:
        for name, encounter in self.encounters():
            told = Recorder()

            heard = play(encounter, SEED, np.array([3]), told)

            assert_same(heard, play(encounter, SEED, np.array([3])), name)
            assert told.events, f"{name}: nothing was told"

    # Promises about what is told.

    def tellings(self) -> Iterator[tuple[str, Encounter[Any], list[Event], Outcomes]]:
        """A few runs of every scenario, told: name, encounter, events, how it ended. Nothing without sentences."""
        for scenario in self.scenarios() if self.ruleset.sentences else ():
            for k in range(self.told):
                yield f"{scenario.name}, run {k}", scenario.encounter(), *_telling(scenario, k)

    def test_every_event_has_a_sentence(self) -> None:
        for name, _, events, _ in self.tellings():
            narrator = Narrator(self.ruleset.sentences)
            for event in events:
                assert narrator.say(event) or event.kind in (START, ROUND_ENDS), f"{name}: {event.kind}"

    def test_every_sentence_can_be_said(self) -> None:
        code = "".join(path.read_text(encoding="utf-8") for path in sorted(self.ruleset.folder.rglob("*.py")))

        assert [kind for kind in self.ruleset.sentences if f'"{kind}"' not in code] == []

    def test_whoever_loses_or_regains_hit_points_is_named(self) -> None:
        for name, _, events, _ in self.tellings():
            before: dict[str, int] = {}
            for event in events:
                now = {token.key: token.hp for token in event.after.tokens}
                changed = {key for key, hp in now.items() if before.get(key, hp) != hp}
                strangers = changed - {event.who, *event.whom}
                if event.kind != START:
                    assert not strangers, f"{name}, round {event.round}, {event.rule} {event.kind}: {strangers}"
                before = now

    def test_the_last_scene_shows_how_it_ended(self) -> None:
        for name, encounter, events, outcomes in self.tellings():
            ended = {unit.name: int(outcomes.hp[row, 0]) for row, unit in enumerate(encounter.cast.units)}
            for token in events[-1].after.tokens:
                if token.key in ended:
                    left = token.hp if token.count is None else token.count
                    assert left == ended[token.key], f"{name}: {token.key}"

    def test_chances_of_rolls_are_chances(self) -> None:
        for name, _, events, _ in self.tellings():
            for roll in (roll for event in events for roll in event.rolls):
                assert roll.chance is None or 0 <= roll.chance <= 1, f"{name}: {roll}"
                assert len(roll.counted) in (0, len(roll.faces)), f"{name}: {roll}"

    # Promises about results.

    def test_every_encounter_ends(self) -> None:
        for name, _, outcomes in self.batches():
            assert set(np.unique(outcomes.outcome)) <= {int(outcome) for outcome in Outcome}, name
            assert (outcomes.rounds >= 0).all(), name

    def test_tables_have_a_row_for_every_unit_and_ability(self) -> None:
        for name, encounter, outcomes in self.batches():
            units, abilities = len(encounter.cast.units), len(encounter.cast.abilities)

            for field in ("hp", "present", "dead", "down_round", *ACCOUNTS):
                assert getattr(outcomes, field).shape == (units, self.runs), f"{name}: {field}"
            for field in ("uses", "hits", "damage"):
                assert getattr(outcomes, field).shape == (abilities, self.runs), f"{name}: {field}"
            assert set(outcomes.counts) == set(encounter.cast.counts), name
            assert list(outcomes.met) == list(encounter.cast.met), name

    def test_nothing_is_counted_below_zero(self) -> None:
        for name, _, outcomes in self.batches():
            for field in (*ACCOUNTS, "uses", "hits", "damage"):
                assert (getattr(outcomes, field) >= 0).all(), f"{name}: {field}"

    def test_hit_points_never_rise_without_a_heal(self) -> None:
        unknown: set[str] = set()
        for name, encounter, outcomes in self.batches():
            unknown |= {unit.side for unit in encounter.cast.units if unit.max_hp is None}
            untold = self.untold_healing.get(name.rpartition("/")[2])
            rises = bool(risen_without_heal(encounter.cast, outcomes).any())
            assert rises == (untold is not None), f"{name}: {untold or 'hit points rise, and no heal tells of it'}"
            assert not above_maximum(encounter.cast, outcomes).any(), f"{name}: more hit points than `max_hp`"

        assert unknown == set(self.without_max_hp), "units have no `max_hp`, or have one: `without_max_hp` says else"
        assert unknown < {"party", "enemy"}, "no unit has a `max_hp`: there is nothing to check"

    def test_results_pickle(self) -> None:
        for name, _, outcomes in self.batches():
            assert_same(pickle.loads(pickle.dumps(outcomes)), outcomes, name)

    # Promises about chance.

    def test_every_draw_belongs_to_one_group_of_chance(self) -> None:
        for scenario in self.scenarios():
            for policy in (scenario.policy, next(iter(self.ruleset.policies))):
                encounter = scenario.changed(policy=policy).encounter()
                groups = by_group(self.ruleset.chance_groups, encounter.actors())
                asked: set[tuple[str, int, int]] = set()
                runs = np.arange(min(self.runs, 10))

                play_with(encounter, runs, Overheard(Luck.of(SEED, runs).keys, asked))

                for address in asked:
                    found = [name for name, draws in groups.items() if draws.has(*address)]
                    assert len(found) == 1, f"{scenario.name}: {address} is in {found or 'no group of chance.toml'}"

    def test_every_draw_point_of_the_readme_is_in_a_group_of_chance(self) -> None:
        purposes = draw_points(self.ruleset.folder / "README.md")

        assert purposes, "no table under 'Draw points'"
        for purpose in purposes:
            part = [group.name for group in self.ruleset.chance_groups if Part(group.purposes).has(purpose, 0, 0)]
            assert part, f"{purpose} is in no group of chance.toml"

    # Promises about scenarios.

    def test_a_scenario_pickles_and_plays_the_same(self) -> None:
        for scenario in self.scenarios():
            copy = pickle.loads(pickle.dumps(scenario))

            here = play(scenario.encounter(), SEED, np.arange(4))
            there = play(copy.encounter(), SEED, np.arange(4))

            assert copy.digest == scenario.digest, scenario.name
            assert_same(there, here, scenario.name)

    def test_a_resolved_scenario_plays_the_same_fight(self) -> None:
        for scenario in self.scenarios():
            written_out = from_dict(scenario.resolved(), name=scenario.name)

            resolved = play(written_out.encounter(), SEED, np.arange(self.runs))

            assert_same(resolved, _batch(scenario, self.runs), scenario.name)

    def test_every_type_of_the_game_is_one_that_a_designer_could_have_written(self) -> None:
        for table, kind in self.ruleset.own_types().items():
            assert table in self.ruleset.scenario_model.model_fields, f"{table} is no key of a scenario"
            assert "like" in kind.model.model_fields, f"a {kind.what} cannot be like another"
            assert kind.built_in, f"there is no {kind.what} to begin with"

            assert misfits_of_types({table: dict(kind.built_in)}, self.ruleset) == []

    def test_every_policy_plays_every_scenario(self) -> None:
        for scenario in self.scenarios():
            for policy in self.ruleset.policies:
                outcomes = play(scenario.changed(policy=policy).encounter(), SEED, np.arange(4))

                assert outcomes.size == 4, f"{scenario.name} under {policy}"


@lru_cache(maxsize=64)
def _batch(scenario: Scenario, runs: int) -> Outcomes:
    """The first runs of a fight, played together."""
    return play(scenario.encounter(), SEED, np.arange(runs))


@lru_cache(maxsize=64)
def _telling(scenario: Scenario, run: int) -> tuple[list[Event], Outcomes]:
    """A run told: its events, and how it ended."""
    told = Recorder()
    outcomes = play(scenario.encounter(), SEED, np.array([run]), told)
    return told.events, outcomes


class Overheard(Luck):
    """Luck that remembers what it was asked for."""

    __slots__ = ("asked",)

    def __init__(self, keys: Words, asked: set[tuple[str, int, int]]) -> None:
        super().__init__(keys)
        self.asked = asked  # (purpose, round, actor)

    def only(self, keep: NDArray[np.bool_] | NDArray[np.int64]) -> Overheard:
        """The luck of some of the runs, heard by the same listener."""
        return Overheard(self.keys[keep], self.asked)

    def and_of(self, other: Luck) -> Overheard:
        """The luck of these runs and of others."""
        return Overheard(np.concatenate([self.keys, other.keys]), self.asked)

    def keys_for(self, purpose: str, round: Any, actor: Any, at: NDArray[np.int64] | slice | None = None) -> Words:
        """The run keys; remembers who asked."""
        places = np.stack(np.broadcast_arrays(np.atleast_1d(round), np.atleast_1d(actor)), axis=1)
        self.asked.update((purpose, int(when), int(who)) for when, who in np.unique(places, axis=0))
        return super().keys_for(purpose, round, actor, at)

    def bits(self, purpose: str, round: Any, actor: Any, index: Any = 0, at: NDArray[np.int64] | None = None) -> Words:
        """The same bits as ever; remembers who asked."""
        self.keys_for(purpose, round, actor, at)
        return super().bits(purpose, round, actor, index, at)


def draw_points(readme: Path) -> list[str]:
    """The purposes in the tables of a README's draw points: the first column, several of them between commas."""
    _, _, section = readme.read_text(encoding="utf-8").partition("\n## Draw points\n")
    section = section.partition("\n## ")[0]
    found: list[str] = []
    inside = False
    for line in section.splitlines():
        cell = line.removeprefix("|").partition("|")[0].strip() if line.startswith("|") else ""
        if not line.startswith("|"):
            inside = False
        elif cell == "purpose":
            inside = True
        elif inside and not cell.startswith("---"):
            found += [purpose.strip(" `") for purpose in cell.split(",")]
    return found


def risen_without_heal(cast: Cast, outcomes: Outcomes) -> NDArray[np.bool_]:
    """(runs,). Whether a unit, or a side, has more hit points left than damage and the heals of its side explain.

    Units without `max_hp` cannot be checked, but their heals count for the others.
    """
    rises = np.zeros(outcomes.size, dtype=bool)
    for side in ("party", "enemy"):
        rows = [row for row, unit in enumerate(cast.units) if unit.side == side]
        known = [row for row in rows if cast.units[row].max_hp is not None]
        there = outcomes.present[known]
        left = np.where(there, outcomes.hp[known], 0)
        unhurt = np.where(there, _maxima(cast, known) - outcomes.damage_taken[known], 0)
        healed = outcomes.healing[rows].sum(axis=0)
        rises |= (left > unhurt + healed).any(axis=0, where=left > 0)
        rises |= left.sum(axis=0) > unhurt.sum(axis=0) + healed
    return rises


def above_maximum(cast: Cast, outcomes: Outcomes) -> NDArray[np.bool_]:
    """(runs,). Whether a unit has more hit points left than its `max_hp`."""
    known = [row for row, unit in enumerate(cast.units) if unit.max_hp is not None]
    above = (outcomes.hp[known] > _maxima(cast, known)) & outcomes.present[known]
    return np.asarray(above.any(axis=0))


def _maxima(cast: Cast, rows: list[int]) -> NDArray[np.int64]:
    return np.array([[cast.units[row].max_hp] for row in rows], dtype=np.int64).reshape(-1, 1)  # (rows, 1)


def assert_same(one: Outcomes, other: Outcomes, what: str) -> None:
    """Two tables of outcomes are equal in every field."""
    for field in dataclasses.fields(Outcomes):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if isinstance(left, dict):
            assert left.keys() == right.keys(), f"{what}: {field.name}"
            for key in left:
                np.testing.assert_array_equal(left[key], right[key], err_msg=f"{what}: {field.name}.{key}")
        else:
            np.testing.assert_array_equal(left, right, err_msg=f"{what}: {field.name}")


def _some(outcomes: Outcomes, at: NDArray[np.int64]) -> Outcomes:
    """The tables of some of the runs."""

    def cut(value: Any) -> Any:
        if value is None:
            return None  # nobody kept account of it
        return {key: part[at] for key, part in value.items()} if isinstance(value, dict) else value[..., at]

    return Outcomes(**{field.name: cut(getattr(outcomes, field.name)) for field in dataclasses.fields(Outcomes)})


# The rulebook.


def assert_rules_covered(ruleset: Ruleset[Any], tests: Path) -> None:
    """Rulebook, engine and tests without a gap.

    Every id in a docstring of the engine and in a test, and no other ids there; every rule told in a sentence of its
    own and in full; every switch named by a rule, or listed as touching none.
    """
    gaps = rule_gaps(ruleset, tests)
    problems = [f"{_GAPS[kind]} {', '.join(found)}" for kind, found in gaps.items() if found]
    sentences = Counter(rule.sentence for rule in ruleset.rules.values())
    problems += [f"two rules have the same sentence: {sentence}" for sentence, often in sentences.items() if often > 1]
    for rule in ruleset.rules.values():
        if len(rule.sentence) <= 20:
            problems.append(f"{rule.id}: expected a whole sentence, found {rule.sentence!r}")
        if " ".join(rule.text.split()) == rule.sentence:
            problems.append(f"{rule.id}: expected the rule in full after its sentence")
    assert not problems, "\n".join(problems)


_GAPS = {
    "undocumented": "no docstring of the engine names",
    "untested": "no test is marked with",
    "unknown": "tests are marked with ids that the rulebook does not have:",
    "unwritten": "docstrings of the engine name ids that the rulebook does not have:",
    "unread": "the rulebook refers to ids that it does not have:",
    "ruleless": "no rule of the rulebook names these switches, nor are they listed as touching none:",
    "contradicted": "listed as touching no rule, but named by one or not a switch:",
}


def assert_results_of_version(
    ruleset: Ruleset[Any], fights: Iterable[tuple[str, str]], seed: int, runs: int, digests: Mapping[int, str]
) -> None:
    """The same seed gives the same results until the ruleset's version says otherwise.

    Args:
        fights: scenarios of the game and the policies under which they are played.
        digests: of their tables, by version of the ruleset.
    """
    found = digest_of_fights(ruleset, fights, seed, runs)
    assert digests.get(ruleset.version) == found, (
        f"{ruleset.name} version {ruleset.version} no longer gives the results it gave. If a rule changed on purpose, "
        "raise `version` in its __init__.py, write the change under *Rules* in CHANGELOG.md with the win rates before "
        f"and after, and add the digest {found} to the test (for the games of this house: `make accept`). If not, "
        "something broke."
    )


def digest_of_fights(ruleset: Ruleset[Any], fights: Iterable[tuple[str, str]], seed: int, runs: int) -> str:
    """The tables of fights under policies together, whatever the width of their numbers."""
    together = hashlib.blake2b(digest_size=16)
    for scenario, policy in fights:
        fight = load(f"{ruleset.name}/{scenario}", policy=policy)
        digest = hashlib.blake2b(digest_size=16)
        for name, table in tables_of(play(fight.encounter(), seed, np.arange(runs))):
            digest.update(f"{name} {table.shape}".encode())
            digest.update(np.ascontiguousarray(table, dtype="<i8").tobytes())
        together.update(digest.digest())
    return together.hexdigest()


def tables_of(outcomes: Outcomes) -> Iterator[tuple[str, NDArray[Any]]]:
    """Every table of the outcomes under its name; a table of the game's own is 'counts NAME'.

    What chance brought into a run, and what its luck was worth, is no outcome and left out.
    """
    for field in sorted(dataclasses.fields(Outcomes), key=lambda field: field.name):
        if field.name in ("met", "known_luck"):
            continue
        value = getattr(outcomes, field.name)
        for name, table in sorted(value.items()) if isinstance(value, dict) else [("", value)]:
            yield f"{field.name} {name}", table


def rule_gaps(ruleset: Ruleset[Any], tests_folder: Path) -> dict[str, list[str]]:
    """What is missing between the rulebook, the engine, its tests and its switches; empty lists if nothing is.

    - `undocumented`: ids that no docstring of a function, class or method of the engine names
    - `untested`: ids that no test under the folder names in `@pytest.mark.rule(...)`
    - `unknown`: ids that a test names and the rulebook does not have
    - `unwritten`: ids that a docstring names and the rulebook does not have
    - `unread`: ids that the rulebook's own texts refer to and that it does not have
    - `ruleless`: switches that no rule names in backticks and that are not listed as touching none
    - `contradicted`: switches listed as touching no rule that a rule names, or that there are not

    An id counts where it stands itself: "OU-G1 to OU-G5" names the first and the last of them only.
    """
    engine = [file for file in sorted(ruleset.folder.rglob("*.py")) if not _second_telling(file, ruleset.folder)]
    told = "\n".join(text for file in engine for text in docstrings(file))
    documented = _named_in(ruleset.rules, told)
    book = read_rulebook(ruleset.folder / RULEBOOK)
    prefixes = {rule.partition("-")[0] for rule in ruleset.rules}
    referred = ids_in("\n".join(rule.text for rule in book.rules.values()), prefixes)
    switches = ruleset.switchboard.switches
    named = {name for rule in book.rules.values() for name in rule.switches(switches)}
    tested = {rule for file in sorted(tests_folder.rglob("test_*.py")) for rule in marked_rules(file)}
    return {
        "undocumented": [rule for rule in ruleset.rules if rule not in documented],
        "untested": [rule for rule in ruleset.rules if rule not in tested],
        "unknown": sorted(tested - set(ruleset.rules)),
        "unwritten": sorted(ids_in(told, prefixes) - set(ruleset.rules)),
        "unread": sorted(referred - set(ruleset.rules)),
        "ruleless": [name for name in switches if name not in named and name not in book.without_rule],
        "contradicted": [name for name in book.without_rule if name in named or name not in switches],
    }


def docstrings(file: Path) -> Iterator[str]:
    """The docstrings of the functions, classes and methods of a source file; not that of the module."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield ast.get_docstring(node) or ""


def marked_rules(file: Path) -> Iterator[str]:
    """The ids in `@pytest.mark.rule(...)` on the tests and test classes of a source file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        is_test = (isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")) or (
            isinstance(node, ast.ClassDef) and node.name.startswith("Test")
        )
        if is_test:
            assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    yield from (str(ast.literal_eval(argument)) for argument in mark.args)


def _named_in(rules: Iterable[str], text: str) -> set[str]:
    return {rule for rule in rules if re.search(rf"(?<![\w-]){re.escape(rule)}(?!\w)", text)}


def _second_telling(file: Path, folder: Path) -> bool:
    return file.relative_to(folder).parts[0] in SECOND_TELLINGS

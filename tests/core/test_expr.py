"""Formulas: what they give, alone and on arrays, and what they refuse."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sim.core.expr import DEEPEST, LONGEST, parse
from sim.errors import FormulaError

NAMES = ("hp", "max_hp", "foes", "level")


def value_of(text: str, **values: object) -> object:
    return parse(text, values)(values)


# ---------------------------------------------------------------------------------------------------------------------
# What a formula gives
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9 - L + R", 8),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("-(L - 5)", 2),
        ("min(L, R, 7)", 2),
        ("max(L, R)", 3),
        ("abs(R - L)", 1),
        ("ratio(L, 4)", 0.75),
        ("ratio(L, 0)", 0.0),
        ("L if R > 5 else R", 2),
        ("1 <= R <= 3", True),
        ("1 <= L < 3", False),
        ("L == 3 and R != 3", True),
        ("L < R or not R", False),
        ("not L", False),
        ("L and R", True),
        ("(L > 1) + (R > 1)", 2),
        ("min(L > 1, 5)", 1),
        ("True", True),
        ("true and not false", True),
        ("1_000", 1000),
        ("L\n  + R", 5),
    ],
)
def test_numbers_alone_give_a_python_number(text: str, expected: object) -> None:
    result = value_of(text, L=3, R=2)

    assert result == expected
    assert type(result) is type(expected)


def test_an_array_gives_one_result_per_lane() -> None:
    hp = np.array([1, 5, 9], dtype=np.int16)

    damage = value_of("max(0, hp * 2 - L)", hp=hp, L=4)

    assert isinstance(damage, np.ndarray)
    assert damage.dtype == np.int64
    assert damage.tolist() == [0, 6, 14]


def test_small_kinds_of_number_do_not_wrap_around() -> None:
    hp = np.array([120, -120], dtype=np.int8)

    assert value_of("hp * 3", hp=hp).tolist() == [360, -360]  # type: ignore[attr-defined]
    assert value_of("hp if hp > 0 else 1000", hp=hp).tolist() == [120, 1000]  # type: ignore[attr-defined]
    assert value_of("-300 < hp <= 300", hp=hp).tolist() == [True, True]  # type: ignore[attr-defined]
    assert value_of("hp", hp=hp).dtype == np.int64  # type: ignore[attr-defined]


def test_a_condition_on_arrays_is_a_mask() -> None:
    hp, foes = np.array([1, 5, 9]), np.array([0, 2, 2])

    weak_and_beset = value_of("not hp > 5 and 1 <= foes <= 3", hp=hp, foes=foes)

    assert isinstance(weak_and_beset, np.ndarray)
    assert weak_and_beset.dtype == np.bool_
    assert weak_and_beset.tolist() == [False, True, False]


def test_masks_count_as_0_and_1_in_sums() -> None:
    guard, shield = np.array([True, True]), np.array([True, False])

    assert value_of("guard + shield", guard=guard, shield=shield).tolist() == [2, 1]  # type: ignore[attr-defined]
    assert value_of("-guard", guard=guard).tolist() == [-1, -1]  # type: ignore[attr-defined]
    assert value_of("guard - shield", guard=guard, shield=shield).tolist() == [0, 1]  # type: ignore[attr-defined]


def test_numpy_numbers_are_taken_as_python_numbers() -> None:
    result = value_of("hp + foes", hp=np.int16(5), foes=np.array(2))

    assert result == 7
    assert type(result) is int


def test_shapes_broadcast() -> None:
    hp = np.arange(6).reshape(3, 2)  # (units, runs)
    level = np.array([10, 20])  # (runs,)

    assert value_of("hp + level", hp=hp, level=level).tolist() == [[10, 21], [12, 23], [14, 25]]  # type: ignore[attr-defined]


def test_a_name_is_looked_up_once() -> None:
    asked: list[str] = []

    def lookup(name: str) -> int:
        asked.append(name)
        return 3

    result = parse("hp + hp * hp", NAMES)(lookup)

    assert result == 12
    assert asked == ["hp"]


def test_the_names_used_are_told() -> None:
    assert parse("max(hp, 3) if foes > 1 else 2", NAMES).names == {"hp", "foes"}


def test_lanes_that_divide_by_zero_give_zero() -> None:
    foes = np.array([0, 2, 0, 3])

    assert value_of("7 // foes", foes=foes).tolist() == [0, 3, 0, 2]  # type: ignore[attr-defined]
    assert value_of("7 % foes", foes=foes).tolist() == [0, 1, 0, 1]  # type: ignore[attr-defined]
    assert value_of("ratio(7, foes)", foes=foes).tolist() == [0.0, 3.5, 0.0, 7 / 3]  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["hp // foes", "hp % foes", "5 // (foes)"])
@pytest.mark.parametrize("hp", [6, np.array([6, 7])])
def test_dividing_by_the_number_zero_is_an_error_with_its_place(text: str, hp: object) -> None:
    formula = parse(text, NAMES, place="heroes[0].hp")

    with pytest.raises(FormulaError, match="divides by zero") as error:
        formula({"hp": hp, "foes": 0})

    assert error.value.problems[0].key == "heroes[0].hp"


@pytest.mark.parametrize(
    "text", ["foes > 0 and hp // foes > 2", "hp // foes if foes else 0", "hp > 3 and foes > 0 and hp // foes > 0"]
)
def test_a_guard_made_of_numbers_keeps_what_it_guards_from_being_computed(text: str) -> None:
    assert not value_of(text, hp=np.array([6, 7]), foes=0)


def test_numbers_beyond_an_array_are_an_error_and_not_a_wrong_result() -> None:
    formula = parse("hp + foes * foes * foes", NAMES, place="here")

    with pytest.raises(FormulaError, match="grow beyond"):
        formula({"hp": np.array([1, 2]), "foes": 10**9})


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("3 // 0", "divides by zero"),
        ("hp // 0", "divides by zero"),
        ("foes > 1 and hp % (2 - 2) > 0", "divides by zero"),
        ("max(hp, 7 // min(0, 3))", "divides by zero"),
        ("hp + 1000000000 * 1000000000 * 1000000000", "beyond what an array holds"),
    ],
)
def test_what_literals_alone_make_impossible_is_refused_before_anything_is_played(text: str, wrong: str) -> None:
    with pytest.raises(FormulaError, match=wrong) as error:
        parse(text, NAMES, place="heroes[0].hp")

    assert error.value.problems[0].key == "heroes[0].hp"
    assert text in error.value.problems[0].message


def test_a_part_that_is_never_reached_in_a_formula_of_literals_does_no_harm() -> None:
    assert value_of("1 > 2 and 3 // 0 > 1") is False
    assert value_of("4 if 1 < 2 else 3 // 0") == 4


def test_a_name_that_stands_for_no_number_is_a_programming_error() -> None:
    with pytest.raises(TypeError, match="'hp' stands for 'five'"):
        value_of("hp + 1", hp="five")


def test_equal_formulas_are_equal_hash_alike_and_survive_pickling() -> None:
    formula = parse("max(hp, foes) // 2", NAMES, place="a")

    copy = pickle.loads(pickle.dumps(formula))

    assert copy == formula == parse(" max(hp, foes) // 2 ", NAMES, place="a")
    assert hash(copy) == hash(formula)
    assert copy.names == formula.names
    assert copy({"hp": 7, "foes": 1}) == 3
    assert formula != parse("max(hp, foes) // 3", NAMES, place="a")


# ---------------------------------------------------------------------------------------------------------------------
# Against a plain loop: random formulas, built beside a Python function that computes the same for one lane
# ---------------------------------------------------------------------------------------------------------------------

Lane = dict[str, int]
Formula = tuple[str, Callable[[Lane], int]]


def _leaf() -> st.SearchStrategy[Formula]:
    number = st.integers(0, 12).map(lambda n: (str(n), lambda lane: n))
    name = st.sampled_from(NAMES).map(lambda name: (name, lambda lane: lane[name]))
    return number | name


def _floor(a: int, b: int) -> int:
    return a // b if b else 0


def _rest(a: int, b: int) -> int:
    return a % b if b else 0


_PAIRS: dict[str, Callable[[int, int], int]] = {
    "({} + {})": lambda a, b: a + b,
    "({} - {})": lambda a, b: a - b,
    "({} * {})": lambda a, b: a * b,
    "({} // {})": _floor,
    "({} % {})": _rest,
    "({} < {})": lambda a, b: a < b,
    "({} <= {})": lambda a, b: a <= b,
    "({} == {})": lambda a, b: a == b,
    "({} != {})": lambda a, b: a != b,
    "({} and {})": lambda a, b: bool(a) and bool(b),
    "({} or {})": lambda a, b: bool(a) or bool(b),
    "min({}, {})": min,
    "max({}, {})": max,
}


def _grown(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    def pair(sign: str, left: Formula, right: Formula) -> Formula:
        combine = _PAIRS[sign]
        return sign.format(left[0], right[0]), lambda lane: combine(left[1](lane), right[1](lane))

    def single(sign: str, part: Formula) -> Formula:
        change = {"(-{})": lambda a: -a, "(not {})": lambda a: not a, "abs({})": abs}[sign]
        return sign.format(part[0]), lambda lane: change(part[1](lane))

    def either(condition: Formula, left: Formula, right: Formula) -> Formula:
        text = f"({left[0]} if {condition[0]} else {right[0]})"
        return text, lambda lane: left[1](lane) if condition[1](lane) else right[1](lane)

    def between(low: Formula, middle: Formula, high: Formula) -> Formula:
        return f"({low[0]} <= {middle[0]} < {high[0]})", lambda lane: low[1](lane) <= middle[1](lane) < high[1](lane)

    return (
        st.builds(pair, st.sampled_from(sorted(_PAIRS)), inner, inner)
        | st.builds(single, st.sampled_from(["(-{})", "(not {})", "abs({})"]), inner)
        | st.builds(either, inner, inner, inner)
        | st.builds(between, inner, inner, inner)
    )


FORMULAS = st.recursive(_leaf(), _grown, max_leaves=8).filter(lambda formula: len(formula[0]) <= LONGEST)


@given(FORMULAS, st.lists(st.tuples(*[st.integers(-20, 20)] * len(NAMES)), min_size=1, max_size=6))
def test_arrays_agree_with_a_loop_over_lanes(formula: Formula, rows: list[tuple[int, ...]]) -> None:
    text, one_lane = formula
    values = dict(zip(NAMES, np.array(rows).T, strict=True))

    try:
        together = parse(text, NAMES)(values)
    except FormulaError as problem:
        assume("divides by zero" not in str(problem))  # a divisor made of literals alone is the number 0
        raise

    expected = [int(one_lane(dict(zip(NAMES, row, strict=True)))) for row in rows]
    assert np.broadcast_to(together, len(rows)).astype(np.int64).tolist() == expected


@given(FORMULAS, st.tuples(*[st.integers(-20, 20)] * len(NAMES)))
def test_one_number_agrees_with_a_lane_of_an_array(formula: Formula, row: tuple[int, ...]) -> None:
    values = dict(zip(NAMES, row, strict=True))

    try:
        compiled = parse(formula[0], NAMES)
        alone = compiled(values)
    except FormulaError as problem:
        assume("divides by zero" not in str(problem))
        raise

    assert isinstance(alone, int)
    assert alone == np.broadcast_to(compiled({name: np.array([v]) for name, v in values.items()}), 1)[0]


# ---------------------------------------------------------------------------------------------------------------------
# What a formula refuses
# ---------------------------------------------------------------------------------------------------------------------


def refusal(text: str) -> str:
    with pytest.raises(FormulaError) as error:
        parse(text, NAMES, place="heroes[0].hp")
    (problem,) = error.value.problems
    assert problem.key == "heroes[0].hp"
    return problem.message


@pytest.mark.parametrize(
    ("text", "wrong", "remedy", "column"),
    [
        ("9 - hp / 2", "'/' leaves the whole numbers", "use '//'", 7),
        ("(hp) / 2", "'/' leaves the whole numbers", "ratio(a, b)", 5),
        ("hp ** 2", "'**' is not allowed", "x * x", 3),
        ("hp & foes", "'&' is not allowed", "use 'and'", 3),
        ("hp ^ 2", "'^' is not allowed", "x * x", 3),
        ("hp << 2", "'<<' is not allowed", "'*'", 3),
        ("~hp", "'~' is not allowed", "use 'not'", 0),
        ("+hp", "plus sign", "leave it out", 0),
        ("hp.real", "a dot after a name", "plain names", 2),
        ("hp[0]", "square brackets", "plain names", 2),
        ("hp in (1, 2)", "'in' is not allowed", "1 <= x <= 3", 3),
        ("hp is 3", "'is' is not allowed", "'=='", 3),
        ("print(hp)", "unknown function 'print'", "functions: abs, max, min, ratio", 0),
        ("mni(hp, 3)", "unknown function 'mni'", "did you mean 'min'?", 0),
        ("hp(3)", "'hp' is a value", "write it alone", 2),
        ("hp.bit_length()", "not a function", "functions: abs", 0),
        ("min(hp)", "'min' has 1 of its values", "min(a, b)", 0),
        ("abs(hp, 1)", "'abs' has 2 of its values", "abs(a)", 0),
        ("ratio(hp)", "'ratio' has 1 of its values", "ratio(a, b)", 0),
        ("max(hp, **foes)", "plain values only", "alone", 10),
        ("max(*hp, 3)", "'*' needs a value on its left", "a * b", 4),
        ("max + 1", "'max' is a function", "max(...)", 0),
        ("1.5 * hp", "only whole numbers", "hp * 2 < max_hp", 0),
        ("2j", "only whole numbers", "", 0),
        ("hp + 'a'", "texts are not allowed", "without quotes", 5),
        ("f'{hp}'", "texts are not allowed", "", 0),
        ("None", "None is not allowed", "whole numbers and names", 0),
        ("...", "is not allowed", "whole numbers and names", 0),
        ("lambda: hp", "'lambda' is not allowed", "the value itself", 0),
        ("[x for x in hp]", "comprehensions", "the value itself", 0),
        ("(x for x in hp)", "comprehensions", "the value itself", 0),
        ("{x: 1 for x in hp}", "comprehensions", "the value itself", 0),
        ("[hp]", "lists", "numbers and names", 0),
        ("{hp}", "braces", "parentheses", 0),
        ("hp, foes", "a comma", "one formula", 0),
        ("(x := 3)", "':=' is not allowed", "where it is needed", 3),
        ("await hp", "this is not allowed", "", 0),
        ("hp = 3", "'=' does not compare", "'=='", 3),
        ("hp && foes", "'&&'", "'and'", 3),
        ("hp || foes", "'||'", "'or'", 3),
        ("!hp", "'!'", "'not'", 0),
        ("hp <> 3", "'<>'", "'!='", 3),
        ("hp => 3", "'=>'", "'>='", 3),
        ("hp ≤ 3", "sign is not known", "'<='", 3),
        ("hp − 3", "not a minus", "'-'", 3),
        ("hp # foes", "comments", "outside the quotes", 3),
        ("hq + 1", "unknown name 'hq'", "did you mean 'hp'?", 0),
        ("1 + qqqqq", "unknown name 'qqqqq'", "known: foes, hp, level, max_hp", 4),
        ("1000000001", "above 1,000,000,000", "smaller", 0),
        ("", "empty", "whole number", 0),
        ("   ", "empty", "whole number", 0),
        ("(hp", "parenthesis stands alone", "')'", 0),
        ("hp +", "breaks off", "missing", 4),
        ("hp if foes", "no 'else'", "x if condition else y", 0),
        ("hp foes", "cannot be read from here on", "names", 3),
        ("import os", "cannot be read from here on", "names", 0),
        ("hp; foes", "cannot be read from here on", "names", 2),
    ],
)
def test_what_is_wrong_is_shown_with_a_remedy_and_a_caret(text: str, wrong: str, remedy: str, column: int) -> None:
    says, shown, caret = refusal(text).split("\n")

    assert wrong in says
    assert remedy in says
    assert shown.strip() == text.strip()
    assert caret.index("^") - 4 == column


def test_the_caret_counts_letters_and_not_bytes() -> None:
    with pytest.raises(FormulaError) as error:
        parse("größe + x", ["größe"])

    assert error.value.problems[0].message.split("\n")[1:] == ["    größe + x", "            ^"]


def test_a_long_formula_is_shown_around_the_caret() -> None:
    shown, caret = refusal("max(" + "hp, " * 60 + "hq)").split("\n")[1:]

    assert len(shown) < 120
    assert shown[caret.index("^") :].startswith("hq")


def test_a_formula_has_a_longest_length() -> None:
    longest = "max(hp" + ", hp" * ((LONGEST - 7) // 4) + ")"

    assert parse(longest, NAMES).names == {"hp"}
    assert "more than 1,000" in refusal(longest + " + hp")


@pytest.mark.parametrize(
    "text",
    [
        "-" * DEEPEST + "1",
        "-" * 900 + "1",
        "not " * DEEPEST + "1",
        "1" + " + 1" * DEEPEST,
        "abs(" * DEEPEST + "1" + ")" * DEEPEST,
        "(" * 400 + "1" + ")" * 400,
    ],
)
def test_a_formula_has_a_deepest_nesting(text: str) -> None:
    assert f"more than {DEEPEST} deep" in refusal(text)


def test_just_below_the_deepest_nesting_is_fine() -> None:
    assert value_of("1" + " + 1" * (DEEPEST - 1)) == DEEPEST


@given(st.text(max_size=60))
def test_any_text_is_either_a_formula_or_a_formula_error(text: str) -> None:
    with contextlib.suppress(FormulaError):
        assert parse(text, NAMES).names <= set(NAMES)


def test_many_factors_are_refused_where_their_product_cannot_be_held() -> None:
    hp = np.array([1, 9_999])
    formula = parse("*".join(["hp"] * 40), ["hp"], place="heroes[0].when")

    with pytest.raises(FormulaError, match="beyond what an array holds"):
        formula({"hp": hp})

    assert value_of("hp * hp * hp * hp", hp=hp).tolist() == [1, 9_999**4]  # type: ignore[attr-defined]
    assert formula({"hp": 2}) == 2**40

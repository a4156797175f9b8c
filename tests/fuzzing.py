"""Scenario files, formulas and command lines that nobody would write, and what the command makes of them.

python -m tests.fuzzing 20000        so many cases of all kinds, and what became of them
"""

from __future__ import annotations

import copy
import io
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from sim.cli.commands import _status
from sim.core.expr import parse
from sim.errors import FormulaError
from sim.scenario import load, scenario_names
from sim.scenario.toml_writer import to_toml
from tests.command_fuzzing import command_lines
from tests.schema_fuzzing import ALL_GAMES

MOST_MEMORY = 1_000_000_000  # bytes that cases may add to what the process has held so far
CPU_SECONDS = 30.0  # that one case may take; a hundred times what the slowest takes on a laptop

ODD_NUMBERS = [0, -1, 1, 2, 3, 99, 10**6, 2**31, 2**63 - 1, -(2**63), 0.5, -0.0, 1e308, float("inf"), float("nan")]
ODD_TEXTS = [
    "", " ", "x", "plain", "1d6", "0d0", "99d99", "d", "-1", "L", "9 - L + R", "L // 0", "1 // (L - L)",
    "L * L * L * L",
    "999999999 * 999999999 * 999999999", "(" * 200, "not " * 300 + "L", "-" * 900 + "1", "max(" * 60 + "1",
    "__import__('os').system('true')", "().__class__.__mro__", "open('/etc/passwd')", "lambda: 0", "[x for x in x]",
    "1 if L else", "L.real", "L[0]", "9**9**9**9", "1 << 99999", "'a' * 99999999", "f'{L}'", "0x10", "1_0", "1e9",
    "１", "<script>alert(1)</script>", "\u202e\x07é", "../../etc/passwd", "/dev/zero", "nul\\u0000", "a\nb", "%s{0}",
    "$(true)",
]  # fmt: skip
ODD_VALUES: list[Any] = [
    *ODD_NUMBERS, *ODD_TEXTS, True, False, [], [1], [[]], {}, {"x": 1}, [{}], {"": {"": []}}, [[[[[[1]]]]]],
]  # fmt: skip
ODD_KEYS = ["", "level", "class", "type", "count", "a b", "x.y", "__class__", "policies", "switches", "when", "é", "0"]
NAMES = ("L", "R", "hp", "max_hp", "foes")


@cache
def originals() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Every built-in scenario: its text and its tables."""
    return tuple((path.read_text(encoding="utf-8"), load(name).data) for name, path in scenario_names().items())


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of everything in a table."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for step, below in steps for found in places(below, (*path, step)))]


@st.composite
def mangled_tables(draw: st.DrawFn) -> bytes:
    """A built-in scenario with a few values replaced, removed, renamed, added or repeated."""
    data = copy.deepcopy(draw(st.sampled_from(originals()))[1])
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 2, 3, 5]))):
        if not (choices := places(data)[1:]):
            break
        path = draw(st.sampled_from(choices))
        table: Any = data
        for step in path[:-1]:
            table = table[step]
        value = draw(st.sampled_from(ODD_VALUES) | st.integers() | st.text(max_size=20))
        if type(table[path[-1]]) is int and draw(st.booleans()):
            value = table[path[-1]] + draw(st.integers(-3, 3))  # a number that may well do
        match draw(st.sampled_from(["replace", "replace", "replace", "remove", "rename", "add", "repeat"])):
            case "replace":
                table[path[-1]] = copy.deepcopy(value)
            case "remove":
                del table[path[-1]]
            case "rename" if isinstance(table, dict):
                table[draw(st.sampled_from(ODD_KEYS))] = table.pop(path[-1])
            case "add" if isinstance(table, dict):
                table[draw(st.sampled_from(ODD_KEYS))] = copy.deepcopy(value)
            case "repeat" if isinstance(table, list):
                table.extend(copy.deepcopy(table[path[-1]]) for _ in range(draw(st.sampled_from([1, 3, 40]))))
    try:
        return to_toml(data).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError):  # what TOML cannot say
        return repr(data).encode("utf-8", "surrogatepass")


@st.composite
def mangled_bytes(draw: st.DrawFn) -> bytes:
    """The text of a built-in scenario with bytes cut, doubled, moved or put in."""
    content = bytearray(draw(st.sampled_from(originals()))[0].encode())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(content) - 1)))
        length = draw(st.integers(0, 60))
        match draw(st.sampled_from(["cut", "double", "put", "flip"])):
            case "cut":
                del content[at : at + length]
            case "double":
                content[at:at] = content[at : at + length] * draw(st.sampled_from([1, 2, 50]))
            case "put":
                content[at:at] = draw(st.binary(max_size=12) | st.sampled_from([text.encode() for text in ODD_TEXTS]))
            case "flip" if content:
                content[at] ^= draw(st.integers(1, 255))
    return bytes(content)


FILES = st.one_of(mangled_tables(), mangled_tables(), mangled_bytes(), mangled_bytes(), st.binary(max_size=300))

_TOKENS = [
    *NAMES, *ODD_TEXTS, "0", "1", "7", "+", "-", "*", "//", "%", "/", "**", "(", ")", ",", "<", "<=", "==", "!=",
    " and ", " or ", " not ", " if ", " else ", "min(", "max(", "abs(", "ratio(", "true", "false", "hp2", "é",
]  # fmt: skip


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "<", "<=", "==", "!=", " and ", " or "]), inner)
    return st.one_of(
        two.map("".join),
        inner.map("({})".format),
        inner.map("-{}".format),
        inner.map("not {}".format),
        st.tuples(st.sampled_from(["min", "max", "ratio"]), inner, inner).map(lambda part: "{}({}, {})".format(*part)),
        st.tuples(inner, inner, inner).map(lambda part: "{} if {} else {}".format(*part)),
    )


FORMULAS = st.one_of(
    st.recursive(st.sampled_from([*NAMES, "0", "1", "7", "1000000000", "true"]), _grown, max_leaves=25),
    st.lists(st.sampled_from(_TOKENS), max_size=30).map("".join),
    st.text(max_size=60),
)


class Hangs(AssertionError):  # noqa: N818 (reads as what it says)
    """A case took too long."""


@contextmanager
def limited(seconds: float = CPU_SECONDS) -> Iterator[None]:
    """Stop what takes more processor time than this."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Hangs(f"took more than {seconds:g} seconds of processor time")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def obey(words: list[str]) -> str:
    """'runs' or 'refused': what becomes of a command line; an AssertionError for anything else."""
    said, complained = io.StringIO(), io.StringIO()
    with limited(), redirect_stdout(said), redirect_stderr(complained):
        status = _status(words, debug=False)
    told = complained.getvalue()
    assert status in (0, 2), f"status {status}: {told}"
    assert "Traceback" not in told
    assert status == 0 or told.strip(), "refused without a word"
    return "runs" if status == 0 else "refused"


def play_file(content: bytes, folder: Path) -> str:
    """What becomes of a scenario file that is played."""
    file = folder / "fuzzed.toml"
    file.write_bytes(content)
    return obey(["run", str(file), "--runs", "6", "--jobs", "1", "--json"])


def check_file(content: bytes, folder: Path) -> str:
    """What becomes of a scenario file that is only checked."""
    file = folder / "fuzzed.toml"
    file.write_bytes(content)
    return obey(["check", str(file)])


def use_formula(text: str) -> str:
    """'runs' or 'refused': what becomes of a formula, with numbers and with arrays for its names."""
    lanes = np.array([0, 1, -3, 2**40], dtype=np.int64)  # (4,)
    with limited():
        try:
            formula = parse(text, NAMES, place="heroes[0].hp")
            for values in (dict.fromkeys(NAMES, 3), dict.fromkeys(NAMES, 0), dict.fromkeys(NAMES, lanes)):
                formula(values)
                str(formula)
        except FormulaError as refused:
            said = str(refused)
        else:
            return "runs"
    assert said.strip(), "refused without a word"
    return "refused"


def peak_memory() -> int:
    """The most memory that this process has held, in bytes."""
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


def many(cases: int, folder: Path, seed: int | None = None) -> dict[str, Counter[str]]:
    """Try so many cases of all kinds; what became of them. No more memory than MOST_MEMORY is taken."""
    kinds: dict[str, tuple[float, st.SearchStrategy[Any], Callable[[Any], str]]] = {
        "files that are played": (0.15, FILES, lambda content: play_file(content, folder)),
        "files by the schema that are played": (0.1, ALL_GAMES, lambda content: play_file(content, folder)),
        "files by the schema that are checked": (0.3, ALL_GAMES, lambda content: check_file(content, folder)),
        "formulas": (0.3, FORMULAS, use_formula),
        "command lines": (0.15, command_lines(), obey),
    }
    held = peak_memory()
    became = {}
    for kind, (share, strategy, use) in kinds.items():
        became[kind] = tried(strategy, use, round(share * cases), seed)
        more = peak_memory() - held
        assert more < MOST_MEMORY, f"{kind} took {more / 1e9:.1f} GB"
    return became


def tried(strategy: st.SearchStrategy[Any], use: Callable[[Any], str], cases: int, seed: int | None) -> Counter[str]:
    """What became of so many cases of one kind."""
    became: Counter[str] = Counter()

    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        derandomize=seed is None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def trial(case: Any) -> None:
        became[use(case)] += 1

    if seed is not None:
        seeded(seed)(trial)
    trial()
    return became


def main() -> None:
    """Try as many cases as the command line says and print what became of them."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = random.SystemRandom().randrange(2**32) if len(sys.argv) < 3 else int(sys.argv[2])
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        became = many(cases, Path(folder), seed)
    for kind, count in became.items():
        print(f"{kind}: {count.total():,} ({count['runs']:,} run, {count['refused']:,} refused)")
    print(f"seed {seed}, {time.process_time() - started:,.0f} s of processor time, process {os.getpid()}")


if __name__ == "__main__":
    main()

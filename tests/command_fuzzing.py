"""Command lines that nobody would type, of work that is small whatever they say."""

from __future__ import annotations

from hypothesis import strategies as st

FIGHTS = ["overhill/duel-skeleton", "p52/duel", "brimstone/boot_hill", "second_era/se_duel", "overhill/no", "", "\x1b"]
GAMES = ["overhill", "p52", "brimstone", "second_era", "chess", ""]
VALUES = [
    "0", "1", "-1", "0.5", "nan", "inf", "-inf", "1e400", "0.9999999999999999", "9" * 40, "x", "", " ", "é", "=",
    "level=2", "level=", "=2", "level=2=3", "level=1..3", "level=1..", "level=3..1/0", "win_rate=0.5", "win_rate=nan",
    "rounds=1",
    "switches.round_cap=3", "switches.round_cap=1000000000000", "heroes.0.name=\x1b[31m", "enemies.0.count=9",
    "a: level=2", "a: level=2; b", "policy=plain", "policy=nobody", "heroes[0", "heroes[99].level=1", "title='",
    "plain",
]  # fmt: skip
OPTIONS = ["--set", "--policy", "--preset", "--seed", "--json", "--verbose", "--no-such", "--help", "-", "--"]
SMALL = ["--runs", "4", "--jobs", "1"]  # what a command plays if nothing else is said
STUDY = ["--variant", "--knob", "--levels", "--measure", "--confidence", "--margin", "--iso", "--target", "--best"]
COMMANDS = {
    "run": (FIGHTS, SMALL, [*OPTIONS, "--precision"]),
    "replay": (FIGHTS, ["--runs", "4"], [*OPTIONS, "--pick", "--run"]),
    "show": (FIGHTS, [], [*OPTIONS, "--toml"]),
    "check": (FIGHTS, [], OPTIONS),
    "exact": (["overhill/duel-skeleton", "p52/duel", ""], [], OPTIONS),
    "list": (["scenarios", "switches", "policies", "rulesets", "x"], [], [*OPTIONS, "--ruleset"]),
    "rules": (GAMES, [], OPTIONS),
    "schema": (GAMES, [], OPTIONS),
    "compare": (FIGHTS, ["--variant", "level=2", *SMALL], [*OPTIONS, *STUDY]),
    "sweep": (FIGHTS, ["--knob", "level=1..2", *SMALL], [*OPTIONS, *STUDY]),
    "scale": (FIGHTS, ["--levels", "1..2", *SMALL], [*OPTIONS, *STUDY]),
    "ladder": (FIGHTS, SMALL, [*OPTIONS, "--without", "--confidence"]),
    "improve": (FIGHTS, ["--generations", "0", *SMALL], [*OPTIONS, "--budget", "--confidence"]),
    "parties": (FIGHTS, ["--size", "2", *SMALL], [*OPTIONS, "--of", "--confidence"]),
    "price": (FIGHTS, ["--units", "skeleton,zombie", *SMALL], [*OPTIONS, "--scale", "--levels", "--precision"]),
    "why": (FIGHTS, [*SMALL, "--curves", "1"], [*OPTIONS, "--again", "--confidence"]),
    "gate": (["nowhere.toml", "."], [], OPTIONS),
    "study": (["nowhere.toml", "."], [], OPTIONS),
    "diff": (["nowhere", "."], [], OPTIONS),
}


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A command with what it needs, and a few options and values that may or may not belong there."""
    name = draw(st.sampled_from([*COMMANDS, "nothing"]))
    subjects, needed, options = COMMANDS.get(name, (FIGHTS, [], OPTIONS))
    words = [name, draw(st.sampled_from(subjects))] if draw(st.integers(0, 9)) else [name]
    for _ in range(draw(st.integers(0, 3))):
        words.append(draw(st.sampled_from(options)))
        if draw(st.integers(0, 4)):
            words.append(draw(st.sampled_from(VALUES)))
    return [*words[:2], *needed, *words[2:]]

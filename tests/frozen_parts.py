"""What is frozen: every shipped fight under every policy and preset, replays, results, and studies of each kind.

A part is a scenario of a game, or a kind of study. Its entries are small: a digest, and beside it what a reader wants
to see move (wins, draws, rounds, a verdict). Everything is asked through the public face, and all imports of the house
are here at the top: whoever moves a module changes one line.
"""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import sim
from sim.core.engine import play
from sim.core.outcomes import Outcome, Outcomes
from sim.core.registry import ruleset, ruleset_names
from sim.errors import SimError
from sim.scenario import scenarios_of
from sim.testing import tables_of

SEED = 2024
RUNS = 256  # of each scenario, policy and preset
RESULT_RUNS = 512  # of each scenario, for its result.json
REPLAYS = range(4)
STUDIES = "studies"
STUDY_FILE = Path(__file__).parent / "frozen" / "study.toml"

Entry = dict[str, Any]  # "digest", and figures to read
Part = tuple[str, str]  # (game, scenario) or (STUDIES, kind)


def groups() -> list[str]:
    """The games that are shipped, and the studies; each has a file of its own."""
    house = Path(sim.__file__).parent
    return [name for name in ruleset_names() if house in ruleset(name).folder.parents] + [STUDIES]


def parts_of(group: str) -> list[Part]:
    """The scenarios of a game, or the kinds of studies."""
    names = STUDY_KINDS if group == STUDIES else (name.partition("/")[2] for name in scenarios_of(ruleset(group)))
    return [(group, name) for name in names]


def heading_of(group: str) -> dict[str, Any]:
    """What the digests of a file hang on."""
    if group == STUDIES:
        return {"seed": SEED}
    return {"seed": SEED, "runs": RUNS, "result_runs": RESULT_RUNS, "version": ruleset(group).version}


def entries_of(part: Part) -> dict[str, Entry]:
    """The entries of a part, played now."""
    group, name = part
    if group == STUDIES:
        return {about: _answer_entry(ask()) for about, ask in STUDY_KINDS[name].items()}
    return dict(_scenario_entries(f"{group}/{name}"))


# ---------------------------------------------------------------------------------------------------------- scenarios


def _scenario_entries(name: str) -> Iterator[tuple[str, Entry]]:
    scenario = sim.load(name)
    game = scenario.ruleset
    played: dict[str, Entry] = {}  # by the fight's own digest: without a preset it is mostly that of the default one
    for policy in game.policies:
        for preset in (None, *game.switchboard.presets):
            yield f"{policy}, {preset}" if preset else policy, _played_entry(name, policy, preset, played)
    for run in REPLAYS:
        told = sim.replay(scenario, run=run, seed=SEED)
        whole = {"text": list(told.lines()), "json": told.to_json()}
        yield f"replay {run}", {"digest": digest_of(whole), "outcome": told.outcome, "rounds": told.rounds}
    result = sim.run(scenario, runs=RESULT_RUNS, seed=SEED, jobs=1, keep="summary", progress=False)
    yield "result", {"digest": digest_of(_result_document(result)), "says": result.verdict}
    figures = {"resolved": scenario.resolved(), "as played": scenario.as_played(), "switches": scenario.settings}
    yield "figures", {"digest": digest_of(figures)}


def _played_entry(name: str, policy: str, preset: str | None, played: dict[str, Entry]) -> Entry:
    """The tables of one scenario under one policy and one preset, or why it cannot be played so."""
    try:
        scenario = sim.load(name, policy=policy, preset=preset)
        if scenario.digest not in played:
            outcomes = play(scenario.encounter(), SEED, np.arange(RUNS))
            fight = {"digest": digest_of_tables(outcomes), "fight": scenario.digest[:12]}
            played[scenario.digest] = fight | _headline(outcomes)
        return dict(played[scenario.digest])
    except SimError as refusal:
        message = _without_places(refusal)
        return {"digest": digest_of(message), "refused": message.splitlines()[0]}


def _without_places(refusal: SimError) -> str:
    """The message without the file and line it points to, which differ from machine to machine."""
    problems = getattr(refusal, "problems", ())
    return "\n".join(f"{problem.key}: {problem.message}" for problem in problems) or str(refusal)


def _headline(outcomes: Outcomes) -> Entry:
    """Wins and draws in percent of the encounters, and the mean of rounds."""
    encounters = outcomes.outcome != Outcome.EMPTY
    n = max(1, np.count_nonzero(encounters))
    share = {
        name: round(100 * float(np.count_nonzero(outcomes.outcome == ending) / n), 1)
        for name, ending in (("wins", Outcome.WIN), ("draws", Outcome.DRAW))
    }
    return share | {"rounds": round(float(outcomes.rounds[encounters].sum() / n), 2)}


def _result_document(result: Any) -> dict[str, Any]:
    """What `--json` and the manifest say, and every number of the summary; without clocks, memory and packages."""
    manifest = _without(
        result.manifest, "started", "elapsed_s", "peak_memory_bytes", "runs_per_s", "versions", "jobs", "command"
    )
    numbers = result.summary(everything=True).to_dict("records")
    return {"result": _without(result.to_dict(), "elapsed_s", "runs_per_s"), "manifest": manifest, "numbers": numbers}


# ------------------------------------------------------------------------------------------------------------ studies


def _diff() -> Any:
    """Two results of one fight, written and told apart."""
    with tempfile.TemporaryDirectory() as folder:
        results = [Path(folder) / "first", Path(folder) / "second"]
        for place, change in zip(results, ({}, {"enemies.skeleton.count": 4}), strict=True):
            result = sim.run("overhill/playtest-1", runs=2_000, seed=SEED, jobs=1, progress=False, set=change)
            place.mkdir()
            (place / "result.json").write_text(result.to_json(), encoding="utf-8")
            (place / "manifest.json").write_text(json.dumps(result.manifest), encoding="utf-8")
        return sim.diff(*results)


_QUIET: dict[str, Any] = {"seed": SEED, "jobs": 1, "progress": False}
_CLAIMS = [
    {"scenario": "overhill/duel-skeleton", "win_rate": [0.9, 1.0]},
    {"scenario": "p52/duel", "win_rate": [0.2, 0.3]},
    {"scenario": "brimstone/duel", "win_rate": [0.2, 1.0]},
    {"scenario": "second_era/se_duel", "rounds": [1.0, 6.0]},
]

# Each kind of study on quick fights, to a number of runs and to a decision or precision where it has both ways.
STUDY_KINDS: dict[str, dict[str, Callable[[], Any]]] = {
    "compare": {
        "overhill/playtest-1, decided": lambda: sim.compare(
            "overhill/playtest-1", {"more": {"enemies.skeleton.count": 4}, "cautious": {"policy": "cautious"}}, **_QUIET
        ),
        "overhill/playtest-1-ladder, to a precision": lambda: sim.compare(
            "overhill/playtest-1-ladder", {"more": {"enemies.skeleton.count": 4}}, precision=2.0, **_QUIET
        ),
        "second_era/se_duel, best of": lambda: sim.compare(
            "second_era/se_duel",
            {"level 3": {"level": 3}, "aggressive": {"policy": "aggressive"}},
            best="highest",
            max_runs=4_000,
            **_QUIET,
        ),
        "p52/duel, rounds": lambda: sim.compare(
            "p52/duel", {"level 2": {"level": 2}}, runs=1_000, measure="rounds", **_QUIET
        ),
    },
    "sweep": {
        "overhill/playtest-1, to a precision": lambda: sim.sweep(
            "overhill/playtest-1", {"enemies.skeleton.count": [3, 5, 7]}, precision=2.0, **_QUIET
        ),
        "brimstone/duel, two knobs": lambda: sim.sweep(
            "brimstone/duel", {"enemies.tentacles.count": [1, 2], "level": [1, 2]}, runs=500, **_QUIET
        ),
    },
    "scale": {
        "p52/archer-lane, two policies": lambda: sim.scale(
            "p52/archer-lane", [1, 3, 5], policies=["brawler", "sniper"], runs=500, **_QUIET
        ),
        "overhill/playtest-1-ladder, to a precision": lambda: sim.scale(
            "overhill/playtest-1-ladder", [1, 2, 3], precision=2.0, **_QUIET
        ),
    },
    "tune": {
        "overhill/playtest-1": lambda: sim.tune(
            "overhill/playtest-1", "enemies.skeleton.count", {"win_rate": 0.65}, precision=2.0, **_QUIET
        ),
        "overhill/playtest-1, two knobs": lambda: sim.tune(
            "overhill/playtest-1",
            {"enemies.skeleton.count": [1, 9], "enemies.skeleton.defence": [3, 6]},
            {"win_rate": 0.65},
            precision=3.0,
            **_QUIET,
        ),
    },
    "sensitivity": {
        "overhill/gobbo-trio": lambda: sim.sensitivity("overhill/gobbo-trio", runs=500, **_QUIET),
        "second_era/se_duel": lambda: sim.sensitivity("second_era/se_duel", runs=256, only="enemies", **_QUIET),
    },
    "ladder": {
        "brimstone/duel": lambda: sim.ladder("brimstone/duel", runs=256, **_QUIET),
        "overhill/playtest-1": lambda: sim.ladder("overhill/playtest-1", runs=500, **_QUIET),
    },
    "gate": {"all games": lambda: sim.gate(_CLAIMS, max_runs=20_000, **_QUIET)},
    "study": {"second_era/se_dungeon": lambda: sim.study(STUDY_FILE, **_QUIET)},
    "diff": {"overhill/playtest-1": _diff},
    "run": {
        "overhill/playtest-1-ladder, to a precision": lambda: sim.run(
            "overhill/playtest-1-ladder", precision=1.0, keep="summary", **_QUIET
        )
    },
    "exact": {
        f"overhill/{name}": lambda name=name: sim.exact(f"overhill/{name}")
        for name in ("duel-skeleton", "gobbo-trio", "solo-four-skeletons")
    },
}


def _answer_entry(answer: Any) -> Entry:
    """The entry of whatever a question yields: an Answer, a Difference, a Result, or exact chances."""
    if hasattr(answer, "manifest"):
        return {"digest": digest_of(_result_document(answer)), "says": answer.verdict}
    if not hasattr(answer, "to_dict"):
        chances = {name: getattr(answer, name) for name in ("win", "loss", "draw", "rounds", "states", "notes")}
        return {"digest": digest_of(chances), "says": f"wins {100 * float(answer.win):.3f} %"}
    # The files that a difference names, clocks, processes and packages are no part of what was found.
    document = _without(answer.to_dict(), "first", "second", "command", "versions")
    document["effort"] = _without(document.get("effort", {}), "seconds", "jobs")
    return {"digest": digest_of(document), "says": answer.verdicts[0]}


# ------------------------------------------------------------------------------------------------------------ digests


def _without(document: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in keys}


def digest_of_tables(outcomes: Outcomes) -> str:
    """Every table of the outcomes: its name, the type of its numbers, its shape and its bytes."""
    digest = hashlib.blake2b(digest_size=12)
    for name, table in tables_of(outcomes):
        little = np.ascontiguousarray(table, dtype=table.dtype.newbyteorder("<"))
        digest.update(f"{name} {little.dtype.str} {table.shape}".encode())
        digest.update(little.tobytes())
    return digest.hexdigest()


def digest_of(document: Any) -> str:
    """Of plain values as canonical JSON, numbers to ten digits: the last ones belong to the machine's libraries."""
    canonical = json.dumps(_plain(document), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.blake2b(canonical.encode(), digest_size=12).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, float):
        return f"{value:.10g}" if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, (bool, int)) else str(value)

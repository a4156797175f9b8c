"""Fairfight: how a fight will go, before anyone sits down at a table.

    import sim

    result = sim.run("overhill/playtest-1", runs=20_000, seed=7)
    result.summary(), result.runs, result.units, result.report("report.html")

    gate = sim.load("fights/gate.toml", set={"enemies.skeleton.count": 4})
    sim.run(gate, policy="cautious")
    sim.replay(gate, pick="worst")
    sim.exact("overhill/duel-skeleton").win

    sim.compare(gate, {"one more": {"enemies.skeleton.count": 5}}).print()
    sim.tune(gate, "enemies.skeleton.count", {"win_rate": 0.65}).print()

A scenario is given by name, by path, as a table (a dict like the file) or as a `Scenario`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sim.core.version import VERSION
from sim.errors import SimError

if TYPE_CHECKING:
    from sim.core.ruleset import ExactResult
    from sim.replays.replay import Telling
    from sim.results.result import Result
    from sim.scenario import Scenario

__version__ = VERSION

# Brought along on demand, so that `import sim` is quick: what needs pydantic and NumPy, and the designers' questions.
_ON_DEMAND = {
    "Scenario": "sim.scenario",
    "compare": "sim.studies.compare",
    "diff": "sim.studies.diff",
    "gate": "sim.studies.gate",
    "ladder": "sim.studies.ladder",
    "improve": "sim.studies.improve",
    "parties": "sim.studies.parties",
    "price": "sim.studies.price",
    "scale": "sim.studies.scale",
    "sensitivity": "sim.studies.sensitivity",
    "study": "sim.studies.study",
    "sweep": "sim.studies.sweep",
    "tune": "sim.studies.tune",
    "why": "sim.studies.why",
}

__all__ = ["SimError", "__version__", "exact", "load", "replay", "run", *_ON_DEMAND]

AnyScenario: TypeAlias = "str | Path | Mapping[str, Any] | Scenario"


def load(
    scenario: AnyScenario,
    *,
    set: Mapping[str, Any] | None = None,
    sets: Sequence[str] = (),
    preset: str | None = None,
    policy: str | None = None,
) -> Scenario:
    """A scenario with its values changed, checked; a ScenarioError lists every problem.

    Args:
        scenario: a name, a path, a table or a Scenario.
        set: values to change: {"enemies.skeleton.count": 4, "heroes.*.level": 3}.
        sets: the same as on the command line: ["enemies.skeleton.count=4"].
        preset: a named set of house rules.
        policy: how the party plays.
    """
    from sim.scenario import as_scenario

    return as_scenario(scenario, sets=sets, values=set, preset=preset, policy=policy)


def run(
    scenario: AnyScenario,
    *,
    runs: int | None = None,
    precision: float = 1.0,
    seed: int = 1,
    jobs: int | None = None,
    chunk: int | None = None,
    keep: Literal["auto", "summary", "runs"] = "auto",
    out: str | Path | None = None,
    resume: bool = False,
    fresh: bool = False,
    backend: Literal["local", "dask"] = "local",
    address: str | None = None,
    progress: bool | None = None,
    why: bool = True,
    set: Mapping[str, Any] | None = None,
    sets: Sequence[str] = (),
    preset: str | None = None,
    policy: str | None = None,
) -> Result:
    """Play a scenario many times: until the win rate is known to the precision, or exactly `runs` times.

    The scenario is changed by `set`, `sets`, `preset` and `policy` as in `load`; the other options are those of
    `sim.runs.runner.run`.
    """
    from sim.runs.runner import run as play

    fight = load(scenario, set=set, sets=sets, preset=preset, policy=policy)
    return play(
        fight,
        runs=runs,
        precision=precision,
        seed=seed,
        jobs=jobs,
        chunk=chunk,
        keep=keep,
        out=out,
        resume=resume,
        fresh=fresh,
        backend=backend,
        address=address,
        progress=progress,
        why=why,
    )


def replay(
    scenario: AnyScenario,
    *,
    run: int | None = None,
    pick: str = "median",
    seed: int = 1,
    runs: int = 2_000,
    set: Mapping[str, Any] | None = None,
    sets: Sequence[str] = (),
    preset: str | None = None,
    policy: str | None = None,
) -> Telling:
    """One run told move by move: number `run`, or one picked among the first `runs`.

    `pick` is median, best, worst, closest, loss or draw. The scenario is changed by `set`, `sets`, `preset` and
    `policy` as in `load`.
    """
    from sim.replays.replay import pick as pick_run
    from sim.replays.replay import replay as tell

    fight = load(scenario, set=set, sets=sets, preset=preset, policy=policy)
    return tell(fight, pick_run(fight, pick, seed, runs) if run is None else run, seed)


def exact(
    scenario: AnyScenario,
    *,
    set: Mapping[str, Any] | None = None,
    sets: Sequence[str] = (),
    preset: str | None = None,
    policy: str | None = None,
) -> ExactResult:
    """The exact chances of a small fight; NotSolvable with the reason where it is too large."""
    return load(scenario, set=set, sets=sets, preset=preset, policy=policy).exact()


def __getattr__(name: str) -> Any:
    if name in _ON_DEMAND:
        return getattr(import_module(_ON_DEMAND[name]), name)
    raise AttributeError(f"module 'sim' has no attribute '{name}'")

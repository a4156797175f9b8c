"""A run of a result that was written to a folder: whether it is there, and whether the fight is still the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.errors import InputError, Problem
from sim.results.verdict import counted
from sim.scenario import Scenario
from sim.storage.codec import parsed

RESULT = "result.json"
WHOLE = ("runs", "seed")
SHOWN = 8  # characters of a digest, by which people can tell two apart


@dataclass(frozen=True, slots=True)
class PlayedResult:
    """What a folder says about the runs in it."""

    folder: Path
    digest: str
    runs: int
    seed: int
    picks: dict[str, int]

    def check(self, scenario: Scenario, run: int | None, seed: int | None) -> None:
        """Refuse a fight that has changed since, a run that was not played, and another seed."""
        problems = []
        if scenario.digest != self.digest:
            problems.append(
                f"{scenario.name} has changed since this result was made (digest {self.digest[:SHOWN]} then, "
                f"{scenario.digest[:SHOWN]} now): give the same --set, --policy and --preset, or play it again"
            )
        if run is not None and run >= self.runs:
            last = self.runs - 1
            problems.append(f"expected a run from 0 to {last}, found {run}: {counted(self.runs, 'run')} were played")
        if seed is not None and seed != self.seed:
            problems.append(f"it was played with seed {self.seed}, found --seed {seed}")
        if problems:
            raise InputError([Problem("--of", problem, str(self.folder)) for problem in problems])

    def picked(self, which: str) -> int:
        """The run of a kind that the result names."""
        if which not in self.picks:
            known = ", ".join(self.picks) or "none"
            missing = f"there is no {which} in this result (there are: {known})"
            raise InputError(Problem("--pick", missing, str(self.folder)))
        return self.picks[which]


def read_result(folder: Path) -> PlayedResult:
    """What was played there; InputError if it is no result of a run."""
    try:
        said = parsed((folder / RESULT).read_bytes())
    except OSError as error:
        raise _no_result(folder, f"{RESULT}: {error.strerror or error}") from None
    except ValueError as error:
        raise _no_result(folder, f"{RESULT}: {error}") from None
    if not isinstance(said, dict) or not isinstance(said.get("digest"), str):
        raise _no_result(folder, f"{RESULT} does not name a fight")
    if not all(_is_count(said.get(name)) for name in WHOLE):
        raise _no_result(folder, f"{RESULT} does not say how many runs of which seed were played")
    listed = said.get("picks")
    picks: dict[str, Any] = listed if isinstance(listed, dict) else {}
    return PlayedResult(
        folder,
        said["digest"],
        said["runs"],
        said["seed"],
        {name: run for name, run in picks.items() if _is_count(run)},
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64


def _no_result(folder: Path, why: str) -> InputError:
    return InputError(Problem("--of", f"expected the folder of a run (`fairfight run --out`): {why}", str(folder)))

"""Everything that can go wrong in a way the user can mend.

    SimError                    shown without a traceback; exit status 2
    ├── InputError              a file, a name or an override that does not fit: all problems at once
    │   ├── ScenarioError       a scenario or study file, a policy, a switch, an override
    │   └── FormulaError        one formula or condition, with a caret under the place
    ├── NotSolvable             the exact solver cannot take this fight; says why
    └── Interrupted             stopped by the user or the system; says what is kept and how to go on
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

MOST_SHOWN = 200  # problems in the text of one error; more help nobody


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where, and what to do about it.

    >>> print(Problem("heroes[1].level", "expected a whole number from 1 to 20, found 'three'", "gate.toml", 8))
    gate.toml:8: heroes[1].level: expected a whole number from 1 to 20, found 'three'
    """

    key: str
    message: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = self.file or ""
        if self.file and self.line:
            place = f"{self.file}:{self.line}"
        return ": ".join(part for part in (place, self.key, self.message) if part)


class SimError(Exception):
    """Something the user can mend."""


class InputError(SimError):
    """Input that does not fit, with every problem that was found."""

    def __init__(self, problems: Problem | str | Sequence[Problem]) -> None:
        if isinstance(problems, str):
            problems = Problem("", problems)
        self.problems: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        lines = [str(problem) for problem in self.problems[:MOST_SHOWN]]
        if (more := len(self.problems) - MOST_SHOWN) > 0:
            lines.append(f"... and {more:,} more")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)  # so that a worker can send it home


class ScenarioError(InputError):
    """A scenario or study file, a policy, a switch or an override that does not fit."""


class FormulaError(InputError):
    """A formula or condition that cannot be used."""


class NotSolvable(SimError):  # noqa: N818 (reads as what it says: this fight is not solvable exactly)
    """The exact solver cannot take this fight."""


class Interrupted(SimError):  # noqa: N818
    """The work was stopped before its end; what is finished is kept."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """'; did you mean ...?' for the nearest known name, or nothing.

    >>> did_you_mean("skelton", ["zombie", "skeleton"])
    "; did you mean 'skeleton'?"
    """
    nearest = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean '{nearest[0]}'?" if nearest else ""

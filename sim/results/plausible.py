"""Whether sums and rows that were kept in a folder can be those of certain runs of a fight.

A digest says that a file is whole. Who has made it, it does not say: so what is taken from a folder is also held
against the runs that it is said to be of. `Likeness` is what one run of the fight yields: the pattern for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from sim.core.engine import Encounter, play
from sim.results.summary import KINDS, Endings, Summary
from sim.results.tables import RUNS_FILE, TABLES, arrow, unpacked

OVERHEAD = 1 << 20  # bytes that a table may take besides its values: names, words, padding
BYTES_A_VALUE = 16


@dataclass(frozen=True, slots=True)
class Likeness:
    """What the sums and tables of a fight look like."""

    summary: Summary
    tables: dict[str, Any]  # name of the file -> Arrow table

    @classmethod
    def of(cls, encounter: Encounter[Any], seed: int) -> Likeness:
        """By playing run 0."""
        outcomes = play(encounter, seed, np.zeros(1, dtype=np.int64))
        tables = {name: arrow(*columns(outcomes, encounter.cast)) for name, columns in TABLES.items()}
        return cls(Summary.of(outcomes, encounter.cast), tables)

    def check_sums(self, found: Any, runs: range) -> Summary:
        """The sums, if they can be those of these runs.

        Raises:
            ValueError: if they cannot.
        """
        if not _same_make(found, self.summary):
            raise ValueError("its sums are those of another fight")
        summary: Summary = found
        ends = summary.endings
        if len({len(getattr(ends, column.name)) for column in fields(ends)}) != 1 or len(ends.outcome) == 0:
            raise ValueError("its endings do not fit each other")
        if ends.outcome.min() < 0 or ends.outcome.max() >= KINDS or ends.count.min() < 1 or ends.rounds.min() < 0:
            raise ValueError("it has endings that do not exist")
        if not (summary.runs == int(ends.count.sum()) == int(summary.fallen.sum()) == len(runs)):
            raise ValueError(f"its sums are not those of {len(runs):,} runs")
        if ends.first.min() != runs.start or ends.first.max() >= runs.stop:
            raise ValueError("its sums are those of other runs")
        ended = np.bincount(ends.outcome, ends.count, KINDS)  # (outcomes,)
        for table in (summary.fallen, summary.present, summary.down, summary.dead, summary.used):
            if (table < 0).any() or (table > ended).any():
                raise ValueError("its sums do not fit each other")
        return summary

    def check_rows(self, name: str, content: bytes, runs: range) -> int:
        """How many rows of this table are packed there, if they can be those of these runs.

        Raises:
            ValueError: if they cannot.
        """
        import pyarrow as pa

        rows, like, seen = 0, self.tables[name], runs.start - 1
        values = len(runs) * len(self.summary.present) * len(like.column_names)
        try:
            for table in unpacked(content, most=OVERHEAD + BYTES_A_VALUE * values):
                if not table.schema.equals(like.schema):
                    raise ValueError(f"its rows of {name} have other columns")
                table.validate(full=True)
                for column in table.column_names:
                    if _words(table, column) - _words(like, column):
                        raise ValueError(f"its rows of {name} have other words in {column}")
                run = np.concatenate([[seen], table.column("run").to_numpy()])
                steps = np.diff(run)
                if (steps < 0).any() or (name == RUNS_FILE and (steps != 1).any()) or run[-1] >= runs.stop:
                    raise ValueError(f"its rows of {name} are those of other runs")
                rows, seen = rows + table.num_rows, run[-1]
        except (pa.ArrowException, OSError) as error:
            raise ValueError(f"its rows of {name} cannot be read") from error
        return rows


def _same_make(found: Any, like: Any, any_length: bool = False) -> bool:
    """Whether two things are made of the same parts; `any_length` lets the last axis of an array differ."""
    if type(found) is not type(like):
        return False
    if isinstance(like, np.ndarray):
        cut = -1 if any_length else None
        return (found.dtype, found.ndim, found.shape[:cut]) == (like.dtype, like.ndim, like.shape[:cut])
    if isinstance(like, tuple):
        return len(found) == len(like) and all(map(_same_make, found, like))
    if is_dataclass(like):
        free = isinstance(like, Endings)  # as many as occurred
        return all(
            _same_make(getattr(found, part.name), getattr(like, part.name), free or part.name == "fell")
            for part in fields(like)
        )
    return True


def _words(table: Any, column: str) -> set[str]:
    """The words that the codes of a column stand for."""
    import pyarrow as pa

    if not pa.types.is_dictionary(table.schema.field(column).type):
        return set()
    return {word for chunk in table.column(column).chunks for word in chunk.dictionary.to_pylist()}

"""The tables of single runs: one row per run, and one per run and unit; as columns, frames and Parquet files."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim.core.outcomes import Cast, Outcome, Outcomes
from sim.summary import party_hit_points

if TYPE_CHECKING:
    import pandas as pd

Columns = dict[str, NDArray[Any]]

ROWS_PER_GROUP = 262_144  # rows of a Parquet row group: the same whatever the chunks were, so that files are too
RUNS_FILE = "runs.parquet"
UNITS_FILE = "units.parquet"

_UNIT_NUMBERS = ("hp", "damage_dealt", "damage_taken", "healing", "kills", "downs", "down_round")


def run_columns(outcomes: Outcomes, cast: Cast) -> tuple[Columns, dict[str, list[str]]]:
    """One row per run: the columns, and the words that stand for the codes in some of them (-1 stands for nothing)."""
    party = cast.party
    went_down = outcomes.present[party] & (outcomes.down_round[party] >= 0)  # (heroes, runs)
    never = np.iinfo(np.int16).max
    down_round = np.where(went_down, outcomes.down_round[party], never)  # (heroes, runs)
    somebody = went_down.any(axis=0)
    first = np.argmin(down_round, axis=0) if party else np.zeros(outcomes.size, dtype=np.int64)  # a tie: roster order
    columns: Columns = {
        "run": outcomes.run,
        "outcome": outcomes.outcome,
        "rounds": outcomes.rounds,
        "party_hp": party_hit_points(outcomes, cast),
        "heroes_down": np.count_nonzero(went_down, axis=0).astype(np.int16),
        "heroes_dead": np.count_nonzero(outcomes.present[party] & outcomes.dead[party], axis=0).astype(np.int16),
        "enemies_killed": outcomes.kills[party].sum(axis=0, dtype=np.int32),
        "first_down": np.where(somebody, first, -1).astype(np.int16),
        "first_down_round": np.where(somebody, down_round.min(axis=0, initial=never), -1).astype(np.int16),
        "xp": outcomes.xp,
    }
    columns |= {name: outcomes.counts[name] for name in cast.counts}
    words = {
        "outcome": [outcome.name.lower() for outcome in Outcome],
        "first_down": [cast.units[row].name for row in party],
    }
    return columns, words


def unit_columns(outcomes: Outcomes, cast: Cast) -> tuple[Columns, dict[str, list[str]]]:
    """One row per run and unit that took part, the runs in order and the units of a run in the order of the cast."""
    run, unit = np.nonzero(outcomes.present.T)
    columns: Columns = {"run": outcomes.run[run], "unit": unit.astype(np.int16)}
    columns["side"] = np.array([unit.side != "party" for unit in cast.units], dtype=np.int8)[unit]
    columns |= {name: getattr(outcomes, name).T[run, unit] for name in _UNIT_NUMBERS}
    columns["dead"] = outcomes.dead.T[run, unit]
    return columns, {"unit": [unit.name for unit in cast.units], "side": ["party", "enemy"]}


def frame(columns: Columns, words: dict[str, list[str]]) -> pd.DataFrame:
    """A pandas frame; codes become words, missing ones NA."""
    import pandas as pd

    def worded(name: str, codes: NDArray[Any]) -> Any:
        known = words[name]
        if len(set(known)) < len(known):  # two units of one name: pandas allows no such category
            return pd.array([None if code < 0 else known[code] for code in codes.tolist()], dtype="str")
        return pd.Categorical.from_codes(codes, categories=pd.Index(known))

    return pd.DataFrame({name: worded(name, values) if name in words else values for name, values in columns.items()})


def joined(parts: list[Outcomes]) -> Outcomes:
    """The tables of several batches, one after the other."""

    def together(name: str) -> Any:
        values = [getattr(part, name) for part in parts]
        if isinstance(values[0], dict):
            return {key: np.concatenate([value[key] for value in values]) for key in values[0]}
        return np.concatenate(values, axis=-1)

    return parts[0] if len(parts) == 1 else Outcomes(**{field.name: together(field.name) for field in fields(Outcomes)})


class TableFiles:
    """Writes the tables of the runs to Parquet files as they come in.

    The files grow under a name ending in `.part` and get their own name when they are complete, so a file with its own
    name is always whole.
    """

    def __init__(self, folder: Path, cast: Cast) -> None:
        self.cast = cast
        self.runs = _Growing(folder / RUNS_FILE)
        self.units = _Growing(folder / UNITS_FILE)

    def add(self, outcomes: Outcomes) -> None:
        """The next runs."""
        self.runs.add(*run_columns(outcomes, self.cast))
        self.units.add(*unit_columns(outcomes, self.cast))

    def close(self) -> None:
        """Everything has come in: give the files their names."""
        self.runs.close()
        self.units.close()

    def abandon(self) -> None:
        """Something went wrong: leave no half-written file behind."""
        self.runs.abandon()
        self.units.abandon()


class _Growing:
    """One Parquet file in the making."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.part = path.with_name(path.name + ".part")
        self.writer: Any = None
        self.waiting: list[Any] = []  # tables that do not fill a row group yet
        self.rows = 0

    def add(self, columns: Columns, words: dict[str, list[str]]) -> None:
        import pyarrow as pa

        def column(name: str, values: NDArray[Any]) -> Any:
            if name not in words:
                return pa.array(values)
            codes = pa.array(values.astype(np.int32), mask=values < 0)
            return pa.DictionaryArray.from_arrays(codes, pa.array(words[name], type=pa.string()))

        table = pa.table({name: column(name, values) for name, values in columns.items()})
        self.waiting.append(table)
        self.rows += table.num_rows
        while self.rows >= ROWS_PER_GROUP:
            self._write(ROWS_PER_GROUP)

    def _write(self, rows: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        together = pa.concat_tables(self.waiting).combine_chunks()
        if self.writer is None:
            self.writer = pq.ParquetWriter(self.part, together.schema, compression="zstd")
        self.writer.write_table(together.slice(0, rows), row_group_size=ROWS_PER_GROUP)
        self.rows -= rows
        self.waiting = [together.slice(rows)] if self.rows else []

    def close(self) -> None:
        if self.waiting:
            self._write(self.rows)
        if self.writer is not None:
            self.writer.close()
            self.part.replace(self.path)

    def abandon(self) -> None:
        with suppress(OSError):  # a full disk cannot take the last bytes either
            if self.writer is not None:
                self.writer.close()
        self.part.unlink(missing_ok=True)

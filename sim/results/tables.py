"""The tables of single runs: one row per run, and one per run and unit; as columns, frames and Parquet files."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.outcomes import Cast, Outcome, Outcomes
from sim.results.summary import Summary, party_hit_points
from sim.storage.files import PART, begin_part, digest_of_file, move_whole

if TYPE_CHECKING:
    import pandas as pd

Columns: TypeAlias = dict[str, NDArray[Any]]
Words: TypeAlias = dict[str, list[str]]  # column -> the words that its codes stand for

ROWS_PER_GROUP = 262_144  # rows of a Parquet row group: the same whatever the chunks were, so that files are too
RUNS_FILE = "runs.parquet"
UNITS_FILE = "units.parquet"
SIZES = struct.Struct("<QQ")  # stands before every packed table: how many bytes it is unpacked, and packed

_UNIT_NUMBERS = ("hp", "damage_dealt", "damage_taken", "healing", "kills", "downs", "down_round")


def run_columns(outcomes: Outcomes, cast: Cast) -> tuple[Columns, Words]:
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
    return columns, run_words(cast)


def run_words(cast: Cast) -> Words:
    """What the codes of `run_columns` stand for."""
    return {
        "outcome": [outcome.name.lower() for outcome in Outcome],
        "first_down": [cast.units[row].name for row in cast.party],
    }


def unit_columns(outcomes: Outcomes, cast: Cast) -> tuple[Columns, Words]:
    """One row per run and unit that took part, the runs in order and the units of a run in the order of the cast."""
    run, unit = np.nonzero(outcomes.present.T)
    columns: Columns = {"run": outcomes.run[run], "unit": unit.astype(np.int16)}
    columns["side"] = np.array([unit.side != "party" for unit in cast.units], dtype=np.int8)[unit]
    columns |= {name: getattr(outcomes, name).T[run, unit] for name in _UNIT_NUMBERS}
    columns["dead"] = outcomes.dead.T[run, unit]
    return columns, unit_words(cast)


def unit_words(cast: Cast) -> Words:
    """What the codes of `unit_columns` stand for."""
    return {"unit": [unit.name for unit in cast.units], "side": ["party", "enemy"]}


# The tables by the names of their files.
TABLES: dict[str, Callable[[Outcomes, Cast], tuple[Columns, Words]]] = {
    RUNS_FILE: run_columns,
    UNITS_FILE: unit_columns,
}
WORDS: dict[str, Callable[[Cast], Words]] = {RUNS_FILE: run_words, UNITS_FILE: unit_words}


def frame(columns: Columns, words: Words) -> pd.DataFrame:
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
        if any(value is None for value in values):  # no account was kept of the luck
            return None
        return np.concatenate(values, axis=-1)

    return parts[0] if len(parts) == 1 else Outcomes(**{field.name: together(field.name) for field in fields(Outcomes)})


# ----------------------------------------------------------------------------------------------------------- as Arrow


def arrow(columns: Columns, words: Words) -> Any:
    """An Arrow table; codes become words, missing ones null."""
    import pyarrow as pa

    def column(name: str, values: NDArray[Any]) -> Any:
        if name not in words:
            return pa.array(values)
        known = list(dict.fromkeys(words[name]))  # two units of one name are one word
        code = np.array([known.index(word) for word in words[name]], dtype=np.int32)
        codes = pa.array(code[values] if len(code) else values.astype(np.int32), mask=values < 0)
        return pa.DictionaryArray.from_arrays(codes, pa.array(known, type=pa.string()))

    return pa.table({name: column(name, values) for name, values in columns.items()})


def packed(table: tuple[Columns, Words]) -> bytes:
    """A table as bytes that can be sent and kept; several in a row are their rows in a row."""
    import pyarrow as pa

    made, sink = arrow(*table), pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, made.schema) as stream:
        stream.write_table(made)
    whole = sink.getvalue()
    small: bytes = pa.compress(whole, codec="zstd", asbytes=True)
    return SIZES.pack(whole.size, len(small)) + small


def unpacked(content: bytes, most: int | None = None) -> Iterator[Any]:
    """The Arrow tables of `packed`. A few bytes may unpack to a great many: nothing above `most` is unpacked.

    Raises:
        ValueError: if there is more, or something else.
    """
    import pyarrow as pa

    start = 0
    while start < len(content):
        if len(content) < start + SIZES.size:
            raise ValueError("its rows are cut short")
        size, length = SIZES.unpack_from(content, start)
        if most is not None and size > most:
            raise ValueError(f"its rows unpack to {size:,} bytes, more than {most:,}")
        start += SIZES.size
        whole = pa.decompress(content[start : start + length], decompressed_size=size, codec="zstd")
        with pa.ipc.open_stream(whole) as stream:
            yield stream.read_all()
        start += length


def rows_of(summary: Summary) -> dict[str, int]:
    """How many rows the tables of the runs in these sums have."""
    return {RUNS_FILE: summary.runs, UNITS_FILE: int(summary.present.sum())}


def rows_in(path: Path) -> int:
    """How many rows a table file has; -1 if it is none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            return int(file.metadata.num_rows)
    except (OSError, pa.ArrowException):
        return -1


def read_back(path: Path, words: Words) -> Iterator[Any]:
    """The row groups of a table file as they were before they were written.

    Parquet keeps words and not codes, so the codes are looked up again: a file made from these is the same file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            for at, name in enumerate(table.column_names):
                if name in words:
                    column = table.column(name).combine_chunks()
                    if isinstance(column, pa.ChunkedArray):
                        column = column.chunk(0)
                    code = np.array([words[name].index(word) for word in column.dictionary.to_pylist()], dtype=np.int32)
                    missing = column.indices.is_null().to_numpy(zero_copy_only=False)
                    place = column.indices.fill_null(0).to_numpy()
                    codes = np.where(missing, -1, code[place] if len(code) else 0)
                    table = table.set_column(at, name, arrow({name: codes}, words).column(name))
            yield table


# ----------------------------------------------------------------------------------------------------------- as files


class TableFiles:
    """Writes the tables of the runs to Parquet files as they come in.

    The files grow under a name ending in `.part` and get their own name when they are complete, so a file with its own
    name is always whole.
    """

    def __init__(self, folder: Path, cast: Cast) -> None:
        self.cast = cast
        self.files = {name: _Growing(folder / name) for name in TABLES}

    def add(self, outcomes: Outcomes) -> None:
        """The next runs."""
        for name, file in self.files.items():
            file.add(arrow(*TABLES[name](outcomes, self.cast)))

    def add_packed(self, rows: dict[str, bytes]) -> None:
        """The next runs, as a worker has packed them."""
        for name, file in self.files.items():
            for table in unpacked(rows[name]):
                file.add(table)

    def add_earlier(self, folder: Path) -> None:
        """All the runs of the finished tables in a folder."""
        for name, file in self.files.items():
            for table in read_back(folder / name, WORDS[name](self.cast)):
                file.add(table)

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each table has so far."""
        return {name: file.added for name, file in self.files.items()}

    def seal(self) -> dict[str, str]:
        """Everything has come in: complete the files, and say what each one's digest is."""
        return {name: file.seal() for name, file in self.files.items()}

    def publish(self) -> None:
        """Give the sealed files their names."""
        for file in self.files.values():
            file.publish()

    def close(self) -> None:
        """Everything has come in: complete the files and give them their names."""
        self.seal()
        self.publish()

    def abandon(self) -> None:
        """Something went wrong: leave no half-written file behind."""
        for file in self.files.values():
            file.abandon()


def part_of(path: Path) -> Path:
    """The name under which a file grows."""
    return path.with_name(path.name + PART)


class _Growing:
    """One Parquet file in the making."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.part = part_of(path)
        self.file: IO[bytes] | None = None
        self.writer: Any = None
        self.waiting: list[Any] = []  # tables that do not fill a row group yet
        self.rows = 0  # of these
        self.added = 0  # of all

    def add(self, table: Any) -> None:
        self.waiting.append(table)
        self.rows += table.num_rows
        self.added += table.num_rows
        while self.rows >= ROWS_PER_GROUP:
            self._write(ROWS_PER_GROUP)

    def _write(self, rows: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        together = pa.concat_tables(self.waiting).combine_chunks()
        if self.writer is None:
            self.file = begin_part(self.part)
            self.writer = pq.ParquetWriter(self.file, together.schema, compression="zstd")
        self.writer.write_table(together.slice(0, rows), row_group_size=ROWS_PER_GROUP)
        self.rows -= rows
        self.waiting = [together.slice(rows)] if self.rows else []

    def seal(self) -> str:
        if self.waiting:
            self._write(self.rows)
        if self.file is None:
            raise ValueError(f"{self.path.name}: nothing was added, not even a table without rows")
        self.writer.close()
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        return digest_of_file(self.part)

    def publish(self) -> None:
        move_whole(self.part, self.path)

    def abandon(self) -> None:
        with suppress(OSError):  # a full disk cannot take the last bytes either
            if self.writer is not None:
                self.writer.close()
        if self.file is not None:
            with suppress(OSError):
                self.file.close()
            with suppress(OSError):
                self.part.unlink(missing_ok=True)

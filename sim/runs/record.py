"""What has been played so far: the sums always, the tables of the single runs where they are wanted, safe on disk.

With a folder every finished chunk is kept there before the next one is waited for. At the end the tables take their
places, one piece called `sums` takes the place of the chunks, and more runs can be added later. The order of these
steps is such that the folder can be gone on with wherever the process is killed:

    chunks on disk -> tables complete, under another name -> sums on disk, with the tables' digests
                   -> tables under their own names -> chunks deleted
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sim.core.known_luck import NO_WORTHS, Worths
from sim.core.outcomes import Cast, Outcomes
from sim.core.plain_text import cleaned
from sim.errors import InputError, Interrupted, Problem, SimError
from sim.results.adjusted import LuckSums
from sim.results.plausible import Likeness
from sim.results.summary import Endings, Summary, Sums
from sim.results.tables import TABLES, TableFiles, part_of, rows_in, rows_of
from sim.runs.chunks import Chunks
from sim.runs.goals import Goal
from sim.runs.means import Means
from sim.runs.pieces import Chunk, Played, RunsPiece, peak_memory
from sim.runs.signals import stop_if_asked
from sim.runs.workers import Workers
from sim.storage import Checkpoint, Kept, decoded, digest_of_file, encoded, identity_in
from sim.storage.codec import parsed
from sim.storage.files import move_whole
from sim.storage.ownership import MANIFEST, RUN_FILES
from sim.storage.work_folder import identity_of, take_folder, writing

if TYPE_CHECKING:
    from sim.scenario import Scenario

LOG = logging.getLogger("fairfight")

KEPT_BY_DEFAULT = 200_000  # runs whose tables stay in memory if nobody says otherwise
SOON_PLAYED = 1_000_000  # runs of a finished result that a new one may replace without --fresh
_CHUNK = re.compile(r"runs-(\d{15})-([1-9]\d*)")  # the piece of a chunk: first run, how many
SUMS = "sums"  # the piece that holds the sums of everything before the first chunk

Keep = Literal["auto", "summary", "runs"]


@dataclass(slots=True)
class Record:
    """What has been played so far, in memory and in the folder."""

    cast: Cast
    keep: Keep
    asked_runs: int | None
    folder: Path | None = None
    checkpoint: Checkpoint | None = None
    summary: Summary | None = None
    kept: list[Outcomes] | None = None
    files: TableFiles | None = None
    memory: dict[int, int] = field(default_factory=dict)  # process -> bytes
    resumed: int = 0  # runs that were there already
    chunks: dict[int, tuple[int, str]] = field(default_factory=dict)  # first run -> how many, name of the piece
    going_to: tuple[str, int] | None = None  # the goal, and how far it had said to go when somebody stopped it
    earlier: bool = False  # whether the folder holds tables of all the runs in the first sums
    likeness: Likeness | None = None  # what the folder is held against, if something is there
    torn: bool = False  # whether adding a stretch was broken off: the tables may hold a part of it

    def __post_init__(self) -> None:
        in_memory = self.keep == "runs" or (self.keep == "auto" and (self.asked_runs or 0) <= KEPT_BY_DEFAULT)
        self.kept = [] if in_memory and self.folder is None else None

    # ---------------------------------------------------------------------------------------------------- beginning

    @classmethod
    def of(cls, scenario: Scenario, seed: int, keep: Keep, runs: int | None, means: Means) -> Record:
        """A record of this scenario, in its folder if there is one."""
        cast = scenario.encounter().cast
        if means.out is None:
            return cls(cast, keep, runs)
        out, resume = Path(means.out), means.resume
        if resume and keep == "auto" and (identity_in(out) or {}).get("keeps") == "sums":
            keep = "summary"  # nobody asks for anything else than what is there
        identity = identity_of([scenario], seed) | {
            "ruleset_version": scenario.ruleset.version,
            "keeps": "sums" if keep == "summary" else "single runs",
        }
        fresh = means.fresh
        checkpoint = take_folder(out, RUN_FILES, identity, resume=resume, fresh=fresh, may_be_replaced=_soon_played)
        record = cls(cast, keep, runs, out, checkpoint)
        try:
            if resume:
                if checkpoint.names():
                    record.likeness = Likeness.of(scenario.encounter(), seed)
                record._pick_up()
            else:
                _say_what_is_replaced(out, scenario, seed)
        except BaseException:
            checkpoint.close()
            raise
        return record

    def _pick_up(self) -> None:
        """Begin with the runs that are there already."""
        assert self.checkpoint is not None
        assert self.folder is not None
        sums = self.checkpoint.made_of(SUMS, self._earlier_sums)
        if sums is not None:
            self.summary, self.going_to = sums
            self.resumed = self.done
            self.earlier = True
        for name in self.checkpoint.names():
            place = _CHUNK.fullmatch(name)
            if place is not None:
                self.chunks[int(place[1])] = int(place[2]), name
            elif name != SUMS:
                self.checkpoint.reject(name, "not a piece of a run")
        if isinstance(self.asked_runs, int) and self.done > self.asked_runs:
            more = f"{self.folder} holds {self.done:,} runs already, more than {self.asked_runs:,}"
            raise InputError(Problem("--runs", f"{more}; ask for {self.done} or more, or choose another folder"))

    def _earlier_sums(self, kept: Kept) -> tuple[Summary, tuple[str, int] | None]:
        """The sums of everything before the first chunk, and how far it was to go."""
        going_to = kept.facts["going_to"]
        if going_to is not None:
            goal, target = going_to
            if not isinstance(goal, str) or type(target) is not int:
                raise ValueError("it does not say how far it was to go")
            going_to = goal, target
        runs = range(kept.facts["summary"]["runs"])
        summary = self._sums_in(kept, runs)
        if reason := self._misfit(kept.facts["tables"], summary):
            raise ValueError(reason)
        return summary, going_to

    def _sums_in(self, kept: Kept, runs: range) -> Summary:
        assert self.likeness is not None
        return self.likeness.check_sums(decoded(kept.facts["summary"], (Summary, Endings, Sums, LuckSums)), runs)

    def _misfit(self, digests: dict[str, str], summary: Summary) -> str:
        """Why the tables in the folder are not those of these sums; empty if they are."""
        assert self.folder is not None
        if set(digests) != (set(TABLES) if self.wants_packed else set()):
            return "it names other tables than it should"
        if not all(_in_place(self.folder / name, digest) for name, digest in digests.items()):
            return "the tables beside it are missing or damaged"
        expected = rows_of(summary)
        for name in digests:
            if (rows := rows_in(self.folder / name)) != expected[name]:
                return f"{name} beside it has {rows:,} rows, and its sums say {expected[name]:,}"
        return ""

    # ----------------------------------------------------------------------------------------------------- going on

    @property
    def done(self) -> int:
        """How many runs have been played."""
        return 0 if self.summary is None else self.summary.runs

    @property
    def wants_tables(self) -> bool:
        """Whether the tables of the single runs are asked for, in memory."""
        return self.kept is not None

    @property
    def wants_packed(self) -> bool:
        """Whether the tables of the single runs are asked for, for the folder."""
        return self.folder is not None and self.keep != "summary"

    def next_target(self, goal: Goal) -> int | None:
        """How far to play before asking again; None when it is enough.

        A run to a precision may only ask at its looks. One that was stopped between two goes on to the second first.
        """
        if self.going_to is not None:
            of, target = self.going_to
            self.going_to = None
            if of == repr(goal) and target > self.done:
                return target
        return goal.next(self.summary)

    def play_to(
        self,
        target: int,
        scenario: Scenario,
        seed: int,
        workers: Workers,
        size: int | None = None,
        worths: Worths = NO_WORTHS,
    ) -> Generator[Summary]:
        """Add runs up to this number: those that are kept in the folder, and the others played in chunks of a size."""
        while self.done < target:
            stop_if_asked()
            if (kept := self._kept_chunk(target)) is not None:
                self.resumed += kept.count
                yield self.add(kept, new=False)
                continue
            stop = min([target, *(first for first in self.chunks if first > self.done)])
            runs = RunsPiece(scenario, seed, self.done, stop - self.done, self.wants_tables, self.wants_packed, worths)
            with closing(workers.play(Chunks(runs, size))) as stretch:
                for played in stretch:
                    yield self.add(played)

    def _kept_chunk(self, target: int) -> Played[Chunk] | None:
        """The chunk in the folder that comes next, if there is one that does not go beyond the target."""
        count, name = self.chunks.get(self.done, (0, ""))
        if not count or self.done + count > target:
            return None
        assert self.checkpoint is not None
        runs = range(self.done, self.done + count)
        chunk = self.checkpoint.made_of(name, lambda kept: self._chunk_in(kept, runs))
        if chunk is None:
            del self.chunks[self.done]
            return None
        return Played(self.done, count, chunk, 0.0, os.getpid(), 0)

    def _chunk_in(self, kept: Kept, runs: range) -> Chunk:
        """The chunk of these runs that is kept there."""
        summary = self._sums_in(kept, runs)
        assert self.likeness is not None
        expected = rows_of(summary) if self.wants_packed else {}
        if kept.blobs.keys() != expected.keys():
            raise ValueError("it has other tables than it should")
        rows = {table: self.likeness.check_rows(table, content, runs) for table, content in kept.blobs.items()}
        if rows != expected:
            raise ValueError("its rows are not those of its sums")
        return Chunk(summary, packed=kept.blobs)

    def add(self, played: Played[Chunk], new: bool = True) -> Summary:
        """The next stretch of runs; returns the sums so far."""
        chunk = played.found
        self.torn = True
        if self.checkpoint is not None:
            with self._writing():
                if new:
                    self._keep(played)
                if self.wants_packed:
                    self._growing_files().add_packed(chunk.packed)
        self.summary = chunk.summary if self.summary is None else self.summary + chunk.summary
        self.memory[played.process] = max(played.peak_memory, self.memory.get(played.process, 0))
        if self.keep == "auto" and self.done > KEPT_BY_DEFAULT:
            self.kept = None
        if self.kept is not None:
            self.kept += chunk.tables
        self.torn = False
        return self.summary

    def _keep(self, played: Played[Chunk]) -> None:
        assert self.checkpoint is not None
        name = f"runs-{played.first:015d}-{played.count}"
        self.checkpoint.put(name, {"summary": encoded(played.found.summary)}, played.found.packed)
        self.chunks[played.first] = played.count, name

    def _growing_files(self) -> TableFiles:
        """The table files, begun with the runs that are there already."""
        if self.files is None:
            assert self.folder is not None
            self.files = TableFiles(self.folder, self.cast)
            if self.earlier:
                self._add_earlier(self.files)
        return self.files

    def _add_earlier(self, files: TableFiles) -> None:
        """The runs of the tables in the folder. Their digests were right, but anybody can compute one."""
        assert self.folder is not None
        try:
            files.add_earlier(self.folder)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            where = f"{self.folder}: the tables are not those of this fight"
            raise SimError(f"{where}; leave out --resume and add --fresh to play all runs again") from error

    # --------------------------------------------------------------------------------------------------- the end

    def close(self, goal: Goal, target: int | None) -> None:
        """No more runs will come. If the goal is not met, `target` is how far it had said to go."""
        if self.checkpoint is not None and self.summary is not None and self.chunks:
            with self._writing():
                self._settle(goal, target)
        self.memory[os.getpid()] = peak_memory()

    def _settle(self, goal: Goal, target: int | None) -> None:
        assert self.checkpoint is not None
        assert self.folder is not None
        if self.files is None and self.wants_packed:
            return  # stopped before anything was added: the folder is as it was
        digests = {}
        if self.files is not None:
            assert self.summary is not None
            if self.files.rows != rows_of(self.summary):  # never: but a wrong table is worse than none
                raise SimError(f"{self.folder}: the tables do not fit the sums; --resume builds them again")
            digests = self.files.seal()
        facts = {
            "summary": encoded(self.summary),
            "tables": digests,
            "going_to": None if target is None else [repr(goal), target],
        }
        self.checkpoint.put(SUMS, facts)
        files, self.files = self.files, None  # from here on they are needed, whatever happens
        (self.folder / MANIFEST).unlink(missing_ok=True)  # what it says is over; the new one comes last
        if files is not None:
            files.publish()
        else:
            for name in TABLES:  # of an earlier result
                (self.folder / name).unlink(missing_ok=True)
        for first, (count, name) in list(self.chunks.items()):
            if first + count <= self.done:
                self.checkpoint.drop(name)

    def left_as_it_was(self) -> Interrupted:
        """What to say when somebody broke off the adding of a stretch: nothing is made of what was added so far."""
        if self.folder is None:
            return Interrupted("Stopped in the middle of adding up; nothing was kept.")
        kept = "the finished chunks are kept, and the same command with --resume goes on"
        return Interrupted(f"Stopped before the tables in {self.folder} were written; {kept}.")

    def abandon(self) -> None:
        """Something went wrong: leave no half-written file behind. The finished chunks stay."""
        if self.files is not None:
            self.files.abandon()

    def let_go(self) -> None:
        """Let others use the folder."""
        if self.checkpoint is not None:
            self.checkpoint.close()

    def _writing(self) -> AbstractContextManager[None]:
        return writing(self.folder, "write the tables", f"{self.done:,} finished runs" if self.done else "")

    def peak_memory(self) -> dict[str, int]:
        """The most memory that this process and the largest of the others have held, in bytes."""
        others = [size for process, size in self.memory.items() if process != os.getpid()]
        return {"main": self.memory[os.getpid()], "largest_worker": max(others, default=0)}


def _in_place(path: Path, digest: str) -> bool:
    """Whether a table is there, whole; one that was not given its name in time is given it now."""
    if not digest:  # of no file at all
        return False
    if digest_of_file(path) == digest:
        return True
    if digest_of_file(part_of(path)) == digest:
        move_whole(part_of(path), path)
        return True
    return False


def _soon_played(name: str, facts: Mapping[str, Any]) -> bool:
    """Whether a piece is a complete result that is soon played again: then a new one may take its place."""
    complete = name == SUMS and facts.get("going_to", ()) is None
    summary = facts.get("summary")
    runs = summary.get("runs") if isinstance(summary, dict) else None
    return complete and isinstance(runs, int) and runs <= SOON_PLAYED


def _manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of the result in a folder; None if there is none, or none that can be read."""
    try:
        said = parsed((folder / MANIFEST).read_bytes())
        return {"runs": int(said["runs"]), **{key: said[key] for key in ("scenario", "seed", "digest")}}
    except (OSError, ValueError, TypeError, KeyError, OverflowError):
        return None


def _say_what_is_replaced(folder: Path, scenario: Scenario, seed: int) -> None:
    """A word about a result of another fight, or with other luck, that gives way to this one."""
    if not (folder / MANIFEST).exists():
        return
    before = _manifest(folder)
    if before is None:
        LOG.warning("%s: a manifest that cannot be read will be replaced", folder)
    elif (before["digest"], before["seed"]) != (scenario.digest, seed):
        runs, name, luck = f"{before['runs']:,}", cleaned(str(before["scenario"])), cleaned(str(before["seed"]))
        LOG.warning("%s holds %s runs of %s, seed %s; they will be replaced", folder, runs, name, luck)

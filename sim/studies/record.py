"""Finished pieces of a study, safe in its folder: what was played once is not played again.

A piece is a stretch of runs of a card, kept under a name that says which: the card's digest (its fights, their luck and
who is set against whom), the first run and how many. The sums of any stretches add up to the sums of the whole, so a
study that goes on may take them as they are, whatever has cut them.

While a study goes on every piece is a file of its own. A finished one holds all of them in one file, `finished`, so
that the folder is small and a sharper question can still begin with them.
"""

from __future__ import annotations

import json
import logging
import re
import zlib
from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from sim.results.adjusted import LuckSums
from sim.storage import Checkpoint, Kept, decoded, encoded
from sim.storage.codec import parsed
from sim.storage.ownership import PIECE
from sim.storage.work_folder import STUDY_KEY, identity_of, take_folder, writing
from sim.studies.answer import STUDY_FILES
from sim.studies.cards import Card, CardPiece, Score, card_digest
from sim.studies.course import Moments
from sim.studies.feel import CurveTally, EndingTally
from sim.studies.measures import PairTally, Tally
from sim.studies.tenths import Tenths

if TYPE_CHECKING:
    from sim.scenario import Scenario

LOG = logging.getLogger("fairfight")

MOST_UNPACKED = 256 * 1024 * 1024  # bytes of all pieces of a finished study; thousands of millions of runs need less
FINISHED = "finished"  # the name of the piece that holds all pieces of a finished study
_NAME = re.compile(r"([0-9a-f]{32})-(\d{15})-([1-9]\d*)")  # of the others: card, first run, how many


class StudyRecord:
    """The finished pieces of one study, in `folder/checkpoint`. Made by `open`; one process at a time."""

    def __init__(self, folder: Path, checkpoint: Checkpoint) -> None:
        self.folder = folder
        self.checkpoint = checkpoint
        self.finished = False
        self.used: set[str] = set()  # names of the pieces that this study rests on
        self.gathered: dict[str, bytes] = {}  # name -> its line in the file of a study that was finished before
        self.starts: dict[str, list[int]] = {}  # card -> where its pieces begin, ascending
        self.counts: dict[tuple[str, int], list[int]] = {}  # card, first run -> how many runs, ascending
        self._look_around()

    @classmethod
    def open(
        cls, folder: Path, question: str, fights: Sequence[Scenario], seed: int, resume: bool, fresh: bool
    ) -> StudyRecord:
        """Take the folder for a study of these fights; another fight, seed or version in it is refused."""
        checkpoint = take_folder(
            folder,
            STUDY_FILES,
            {STUDY_KEY: question} | identity_of(fights, seed),
            resume=resume,
            fresh=fresh,
            may_be_replaced=lambda name, facts: name == FINISHED,
        )
        try:
            return cls(folder, checkpoint)
        except BaseException:
            checkpoint.close()
            raise

    def _look_around(self) -> None:
        """Which pieces are there already."""
        self.gathered = self.checkpoint.made_of(FINISHED, _gathered) or {}
        for name in {*self.checkpoint.names(), *self.gathered} - {FINISHED}:
            place = _NAME.fullmatch(name)
            if place is None:  # somebody else has put it there
                self.checkpoint.reject(name, "not a piece of a study")
                continue
            card, first, count = place[1], int(place[2]), int(place[3])
            counts = self.counts.setdefault((card, first), [])
            if not counts:
                insort(self.starts.setdefault(card, []), first)
            insort(counts, count)

    # ------------------------------------------------------------------------------------------------------- pieces

    def cut(self, card: Card, first: int, stop: int, stretch: int) -> Iterator[tuple[CardPiece, Score | None]]:
        """Runs `first` to `stop - 1` in pieces: those that are there with their score, the others to be played."""
        digest = card_digest(card)
        starts = self.starts.get(digest, [])
        while first < stop:
            count, score = self._next(card, first, stop - first)
            if score is None:
                later = bisect_right(starts, first)
                count = min(stretch, stop - first, *(start - first for start in starts[later : later + 1]))
            yield CardPiece(card, first, count), score
            first += count

    def _next(self, card: Card, first: int, most: int) -> tuple[int, Score | None]:
        """The longest piece that begins here and goes no further."""
        digest = card_digest(card)
        counts = self.counts.get((digest, first), [])
        for count in reversed([count for count in counts if count <= most]):
            name = _name(digest, first, count)
            score = self._score(name, card, count)
            if score is not None:
                self.used.add(name)
                return count, score
            counts.remove(count)
        return 0, None

    def _score(self, name: str, card: Card, runs: int) -> Score | None:
        """What is kept under a name of so many runs of a card; None if it is damaged."""
        if name not in self.gathered:
            return self.checkpoint.made_of(name, lambda piece: _score_in(piece.facts["score"], card, runs))
        try:
            return _score_in(parsed(self.gathered[name].partition(b" ")[2]), card, runs)
        except ValueError as reason:
            where = self.checkpoint.folder / f"{FINISHED}{PIECE}"
            LOG.warning("%s: %s: %s; its runs are played again", where, name, reason)
            del self.gathered[name]
            return None

    def keep(self, piece: CardPiece, score: Score) -> None:
        """A piece that has just been played. When this returns it is on the disk."""
        name = _name(card_digest(piece.card), piece.first, piece.count)
        with self._writing():
            self.checkpoint.put(name, {"score": encoded(score)})
        self.used.add(name)

    # ------------------------------------------------------------------------------------------------------ the end

    def finish(self) -> None:
        """The answer is written: one file takes the place of all pieces."""
        squeeze = zlib.compressobj()
        packed = b"".join([*(squeeze.compress(self._line(name)) for name in sorted(self.used)), squeeze.flush()])
        with self._writing():
            self.checkpoint.put(FINISHED, {"pieces": self.pieces}, {"pieces": packed})
            for name in self.checkpoint.names():
                if name != FINISHED:
                    self.checkpoint.drop(name)
        self.finished = True

    def _line(self, name: str) -> bytes:
        """A piece as a line of the file of the finished study; nothing if it was damaged since it was used."""
        if name in self.gathered:
            return self.gathered[name] + b"\n"
        piece = self.checkpoint.get(name)
        return b"" if piece is None else f"{name} {json.dumps(piece.facts['score'])}\n".encode()

    @property
    def pieces(self) -> int:
        """How many finished pieces the study has so far."""
        return len(self.used)

    def _writing(self) -> AbstractContextManager[None]:
        return writing(self.folder, "keep the study", f"{self.pieces:,} finished pieces" if self.used else "")

    def __enter__(self) -> StudyRecord:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.checkpoint.close()


def _gathered(finished: Kept) -> dict[str, bytes]:
    """The lines of the pieces of a finished study, by their names. A small file may not unpack to a huge one."""
    unpack = zlib.decompressobj()
    try:
        content = unpack.decompress(finished.blobs["pieces"], MOST_UNPACKED)
    except zlib.error as error:
        raise ValueError("its pieces cannot be unpacked") from error
    if unpack.unconsumed_tail or not unpack.eof:
        raise ValueError("its pieces are cut short, or unpack to more than a study has")
    found = {}
    for line in content.splitlines():
        name = line.partition(b" ")[0].decode("ascii", "replace")
        if not _NAME.fullmatch(name):
            raise ValueError("it holds something else than pieces of a study")
        found[name] = line
    return found


def _score_in(kept: Any, card: Card, runs: int) -> Score:
    """The score that was kept.

    Raises:
        ValueError: if it cannot be that of so many runs of the card.
    """
    score = decoded(kept, (Score, Tally, LuckSums, PairTally, EndingTally, CurveTally, Moments, Tenths))
    if not isinstance(score, Score) or not score.can_be_of(card, runs):
        raise ValueError(f"its sums are not those of {runs:,} runs of these fights")
    return score


def _name(digest: str, first: int, count: int) -> str:
    return f"{digest}-{first:015d}-{count}"

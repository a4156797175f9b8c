"""How a question is worked on: by how many processes, where, and in which folder. Nothing of it changes a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

from sim.errors import InputError, Interrupted
from sim.runs.cluster import cluster_for
from sim.runs.means import Backend, Means
from sim.runs.signals import StopAsked, heeding
from sim.runs.workers import Workers
from sim.studies.answer import Answer
from sim.studies.pool import STRETCH, Pool
from sim.studies.record import StudyRecord

if TYPE_CHECKING:
    from sim.scenario import Scenario


class Work(TypedDict, total=False):
    """What every question takes beside what is asked."""

    jobs: int | None  # processes; None starts others only when that pays, -1 takes one per core
    progress: bool | None  # show a progress bar; None shows one on a terminal
    out: str | Path | None  # a folder for tables, figures and report; what is finished is safe there at once
    resume: bool  # go on with what is in the folder
    fresh: bool  # throw away what an interrupted study has left in the folder
    backend: Backend  # "dask" plays on a cluster
    address: str | None  # of the cluster's scheduler; None starts a small cluster on this machine
    name: str  # of the study; the question if not given
    title: str  # for the report
    about: str  # the design question behind it, for the report
    command: str  # what the user typed, for the report


@contextmanager
def pool_for(
    question: str, fights: Sequence[Scenario], seed: int, work: Work, *, short_answers: bool = False
) -> Iterator[Pool]:
    """The pool of work for a question about these fights, with its folder and its cluster if there are any.

    Args:
        short_answers: whether the question has an answer when it is stopped on the way. With a folder nobody needs one:
            what is finished is kept there.
    """
    means = check_work(**work)
    with ExitStack() as held:
        wish = held.enter_context(heeding())
        record = None
        if means.out is not None:
            record = StudyRecord.open(Path(means.out), question, fights, seed, means.resume, means.fresh)
            held.enter_context(record)
        workers = Workers(means.jobs, held.enter_context(cluster_for(means, fights)))
        title = f"{question} {fights[0].name}" if len(fights) == 1 else question
        pool = Pool(title, workers, work.get("progress"), STRETCH, record)
        pool.short_answers = short_answers and record is None
        try:
            yield pool
        except KeyboardInterrupt as pressed:
            if record is None:
                raise
            raise StudyInterrupted(record) from pressed
    if wish.signal is not None:  # it was finished by then, but whoever asked wants to go no further
        if record is None:
            stop = pool.stopped or StopAsked(wish.signal)
            if pool.answer is None:
                raise stop
            raise StudyStopped(pool.answer, short=pool.stopped is not None) from stop
        raise StudyInterrupted(record) from StopAsked(wish.signal)


def delivered(answer: Answer, pool: Pool, work: Work) -> Answer:
    """The answer under its name, in its folder if there is one."""
    answer.name = work.get("name", answer.name)
    answer.title = work.get("title") or answer.title
    answer.command = work.get("command", answer.command)
    if about := work.get("about"):
        answer.settings["about"] = about
    if pool.stopped is not None:
        answer.settings["stopped"] = True
        answer.warnings.insert(0, f"Stopped on the way, after {pool.encounters:,} encounters; more were asked for.")
    pool.answer = answer
    if pool.record is not None:
        answer.write(pool.record.folder)
        pool.record.finish()
    return answer


class StudyInterrupted(Interrupted):
    """Stopped by the user; what was finished by then is in the folder."""

    def __init__(self, record: StudyRecord) -> None:
        kept = "before the first piece of work was finished; nothing was kept."
        if record.finished:
            kept = f"when all was done: the study is in {record.folder}."
        elif record.pieces:
            pieces = f"{record.pieces:,} finished pieces of work are kept in {record.folder}"
            kept = f"on the way: {pieces}, and the same command with --resume goes on."
        super().__init__(f"Stopped {kept}")


class StudyStopped(Interrupted):
    """Stopped by the user, without a folder; what was known by then is in `answer`."""

    def __init__(self, answer: Answer, short: bool) -> None:
        self.answer = answer
        when = "on the way; the answer is that of what was finished" if short else "when all was done"
        so_far = f" So far: {' '.join(answer.verdicts[:1])}" if short else ""
        super().__init__(f"Stopped {when}. Nothing was written to disk; --out would keep it.{so_far}")


def check_work(**work: Unpack[Work]) -> Means:
    """By what means it is worked on; what cannot be is refused, all of it at once."""
    if unknown := work.keys() - Work.__annotations__.keys():
        raise TypeError(f"unexpected keyword argument '{min(unknown)}'")
    given = cast("dict[str, Any]", work)
    means = Means(**{option.name: given[option.name] for option in fields(Means) if option.name in given})
    if problems := means.problems():
        raise InputError(problems)
    return means

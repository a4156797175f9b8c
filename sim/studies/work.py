"""How a question is worked on: by how many processes, where, and in which folder. Nothing of it changes a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

from sim.errors import InputError, Interrupted
from sim.runs.signals import StopAsked, heeding
from sim.runs.workers import crew_problems
from sim.studies.answer import Answer
from sim.studies.pool import STRETCH, Pool
from sim.studies.shelf import Shelf

if TYPE_CHECKING:
    from sim.scenario import Scenario


class Work(TypedDict, total=False):
    """What every question takes beside what is asked."""

    jobs: int | None  # processes; None starts others only when that pays, -1 takes one per core
    progress: bool | None  # show a progress bar; None shows one on a terminal
    out: str | Path | None  # a folder for tables, figures and report; what is finished is safe there at once
    resume: bool  # go on with what is in the folder
    fresh: bool  # throw away what an interrupted study has left in the folder
    backend: Literal["local", "dask"]  # "dask" plays on a cluster
    address: str | None  # of the cluster's scheduler; None starts a small cluster on this machine
    name: str  # of the study; the question if not given
    title: str  # for the report
    about: str  # the design question behind it, for the report
    command: str  # what the user typed, for the report


@contextmanager
def pool_for(question: str, fights: Sequence[Scenario], seed: int, work: Work) -> Iterator[Pool]:
    """The pool of work for a question about these fights, with its folder and its cluster if there are any."""
    check_work(**work)
    out = work.get("out")
    with ExitStack() as held:
        wish = held.enter_context(heeding())
        shelf, cluster = None, None
        if out is not None:
            resume, fresh = work.get("resume", False), work.get("fresh", False)
            shelf = held.enter_context(Shelf.open(Path(out), question, fights, seed, resume=resume, fresh=fresh))
        if work.get("backend", "local") == "dask":
            from sim.runs.cluster import Cluster

            cluster = held.enter_context(Cluster(work.get("address"), work.get("jobs")))
        title = f"{question} {fights[0].name}" if len(fights) == 1 else question
        pool = Pool(title, work.get("jobs"), work.get("progress"), STRETCH, shelf, cluster)
        try:
            yield pool
        except KeyboardInterrupt as pressed:
            if shelf is None:
                raise
            raise StudyInterrupted(shelf) from pressed
    if wish.signal is not None:  # it was finished by then, but whoever asked wants to go no further
        if shelf is None:
            raise StopAsked(wish.signal)
        raise StudyInterrupted(shelf) from StopAsked(wish.signal)


def delivered(answer: Answer, pool: Pool, work: Work) -> Answer:
    """The answer under its name, in its folder if there is one."""
    answer.name = work.get("name", answer.name)
    answer.title = work.get("title") or answer.title
    answer.command = work.get("command", answer.command)
    if about := work.get("about"):
        answer.settings["about"] = about
    if pool.shelf is not None:
        answer.write(pool.shelf.folder)
        pool.shelf.finish()
    return answer


class StudyInterrupted(Interrupted):
    """Stopped by the user; what was finished by then is in the folder."""

    def __init__(self, shelf: Shelf) -> None:
        kept = "before the first piece of work was finished; nothing was kept."
        if shelf.finished:
            kept = f"when all was done: the study is in {shelf.folder}."
        elif shelf.pieces:
            pieces = f"{shelf.pieces:,} finished pieces of work are kept in {shelf.folder}"
            kept = f"on the way: {pieces}, and the same command with --resume goes on."
        super().__init__(f"Stopped {kept}")


def check_work(**work: Unpack[Work]) -> None:
    """Refuse what cannot be worked on, all of it at once."""
    if unknown := work.keys() - Work.__annotations__.keys():
        raise TypeError(f"unexpected keyword argument '{min(unknown)}'")
    problems = crew_problems(
        work.get("jobs"),
        work.get("out"),
        work.get("resume", False),
        work.get("fresh", False),
        work.get("backend", "local"),
        work.get("address"),
    )
    if problems:
        raise InputError(problems)

"""A worker process: takes a task from standard input, does it, and says what came of it.

It is started by `sim.studio.crew` and ends when its standard input does, or when the studio is gone. What it is doing
can be broken off at any moment by a signal: nothing that a worker has under way is kept.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
from typing import IO, Any

from sim.errors import SimError
from sim.runs.orphans import begin_as_worker
from sim.studio.processes import started_by

LENGTH = struct.Struct(">Q")  # before every message: how long it is
BREAK_OFF = getattr(signal, "SIGUSR1", None)  # where there is no such signal a task is let run to its end
AGAIN = 0.02  # seconds after which a signal that was swallowed is tried again
MOST_MEMORY = 4 << 30  # bytes of a worker; a fight that needs more is refused, and the machine stays usable

DONE, FAILED, BROKEN_OFF = "done", "failed", "broken off"


class BrokenOff(BaseException):
    """Nobody wants the task any more."""


class _Doing:
    """Whether a task is under way that can be broken off. Signals belong to the process, so there is one of it."""

    task = False


def break_off(_number: int, _frame: object) -> None:
    """The handler. Where Python swallows the exception (while it tidies up an object), it is raised again soon."""
    if _Doing.task:
        signal.setitimer(signal.ITIMER_REAL, AGAIN)
        raise BrokenOff


def _without_words(swallowed: Any) -> None:
    """That a task was broken off is no news, wherever Python happened to be."""
    if swallowed.exc_type is not BrokenOff:
        sys.__unraisablehook__(swallowed)


def main() -> None:
    """Work until nobody is there to work for."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a print somewhere must not be taken for an answer
    begin_as_worker(started_by())
    if BREAK_OFF is not None:
        signal.signal(BREAK_OFF, break_off)
        signal.signal(signal.SIGALRM, break_off)
        sys.unraisablehook = _without_words
    _limit_memory()
    while (task := _received(sys.stdin.buffer)) is not None:
        message = pickle.dumps(_outcome(pickle.loads(task)))  # from our own studio, through a pipe of our own
        answers.write(LENGTH.pack(len(message)) + message)
        answers.flush()


def _outcome(task: Any) -> tuple[str, Any]:
    """What came of a task, and how."""
    try:
        try:
            _Doing.task = task.can_be_broken_off
            found = task.do()
        finally:
            _Doing.task = False
            if BREAK_OFF is not None:
                signal.setitimer(signal.ITIMER_REAL, 0)
    except BrokenOff:
        return BROKEN_OFF, None
    except SimError as error:
        return FAILED, str(error)
    except MemoryError:
        return FAILED, f"this needs more than {MOST_MEMORY >> 30} GB of memory, more than the studio gives to one fight"
    except Exception as error:
        return FAILED, f"a mistake of ours: {type(error).__name__}: {error}"
    return DONE, found


def _received(stream: IO[bytes]) -> bytes | None:
    """The next message; None if there will be none."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    length = LENGTH.unpack(head)[0]
    body = stream.read(length)
    return body if len(body) == length else None


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    if most == resource.RLIM_INFINITY or most > MOST_MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, most))


if __name__ == "__main__":
    main()

"""Ctrl-C and SIGTERM: a wish to stop, noted at once and acted on where nothing is half done.

A signal arrives at any moment, also in the middle of writing a file. An exception raised there would leave half a table
behind. So the handler only notes the wish and says so; whoever works asks between two pieces:

    with heeding() as wish:             # from here on a signal is a wish
        for piece in pieces:
            stop_if_asked()             # raises StopAsked, which is a KeyboardInterrupt
            with may_break_off():       # nothing to spoil in here: a second signal breaks it off
                played = play(piece)
            keep(played)
    wish.signal                         # what was asked for meanwhile, acted on or not

Only the main thread gets signals. In any other one all of this does nothing.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

STOPPING = "stopping after this piece ..."
BEYOND = 128  # what shells add to the number of a signal to tell it in an exit status
POLITE = (signal.SIGINT, signal.SIGTERM)


class StopAsked(KeyboardInterrupt):
    """The user or the system asks us to stop; raised only where nothing is half done."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@dataclass(slots=True)
class Wish:
    """Whether somebody wants the work to stop."""

    signal: int | None = None  # the first that came
    times: int = 0


@dataclass(slots=True)
class _Listening:
    """What the handler has to know. Handlers belong to the process, so there is one of it."""

    wish: Wish | None = None  # of the work that is under way
    breakable: bool = False  # whether what happens right now may be broken off
    waiting_in: str | None = None  # the file of the code in which we wait for others; to be woken there is harmless
    command: Wish | None = None  # of the whole command, if this process is one
    worked: bool = False  # whether the command has done its work: there is something to print, and to tidy up


_now = _Listening()


def _note(number: int, frame: FrameType | None) -> None:
    """The handler."""
    wish = _now.wish or _now.command
    if wish is None:
        return
    wish.signal, wish.times = wish.signal or number, wish.times + 1
    if _now.wish is None:
        if not _now.worked or wish.times > 1:
            _leave(number)
        return
    if wish.times == 1:
        _say(STOPPING)
    wakes = frame is not None and frame.f_code.co_filename == _now.waiting_in
    if wakes or (_now.breakable and wish.times > 1):
        raise StopAsked(number)


def _leave(number: int) -> None:
    """End at once: there is nothing to keep. An exception would have to find its way out of whatever is going on."""
    _say("stopped")
    os._exit(BEYOND + number)


def _say(what: str) -> None:
    """A word on standard error, from a handler: what was interrupted may be in the middle of printing itself."""
    with suppress(OSError, ValueError, RuntimeError, AttributeError):
        if sys.stderr.fileno() == 2:
            os.write(2, f"{what}\n".encode())
        else:
            print(what, file=sys.stderr)


# ------------------------------------------------------------------------------------------------------- those who work


@contextmanager
def heeding() -> Iterator[Wish]:
    """While this lasts, Ctrl-C is a wish; SIGTERM too in a command. A handler of somebody else is left alone."""
    if _now.wish is not None and _in_main_thread():
        yield _now.wish  # part of a larger piece of work
        return
    if not _in_main_thread() or (_now.command is None and signal.getsignal(signal.SIGINT) is not _BY_DEFAULT):
        yield Wish()
        return
    wish = _now.wish = Wish()
    if _now.command is None:
        signal.signal(signal.SIGINT, _note)
    try:
        yield wish
    finally:
        if _now.command is None:
            signal.signal(signal.SIGINT, _BY_DEFAULT)
        _now.wish, _now.worked = None, True


_BY_DEFAULT = signal.default_int_handler


def stop_if_asked() -> None:
    """To be called where nothing is half done."""
    if _now.wish is not None and _now.wish.signal is not None and _in_main_thread():
        raise StopAsked(_now.wish.signal)


@contextmanager
def may_break_off() -> Iterator[None]:
    """Something that takes long and leaves nothing behind: the second signal need not wait for it."""
    if not _in_main_thread():
        yield
        return
    _now.breakable = True
    try:
        yield
    finally:
        _now.breakable = False


@contextmanager
def waiting_in(file: str) -> Iterator[None]:
    """Waiting for others, in the code of this file: the first signal wakes us."""
    if not _in_main_thread():
        yield
        return
    _now.waiting_in = file
    try:
        yield
    finally:
        _now.waiting_in = None


@contextmanager
def children_shielded() -> Iterator[None]:
    """Processes and threads that start meanwhile get no polite signals; ours arrive when it is over.

    Ctrl-C goes to every process of the terminal, and one that is still starting would answer with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # every pool needs it, and when it starts it lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, POLITE)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_signals_to_the_main_process() -> None:
    """In a worker: Ctrl-C is no concern of ours, and SIGTERM ends us."""
    with suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, POLITE)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


# ---------------------------------------------------------------------------------------------------------- the command


@contextmanager
def answering(to_the_end: bool) -> Iterator[Wish]:
    """In a command every polite signal ends in the documented status, before the work, during it and after it.

    Before the work there is nothing to keep: it ends at once. After it the first signal lets it finish printing.

    Args:
        to_the_end: the process ends with the command, so the handlers stay. The last moments, in which Python puts back
            what the system does by default, are deaf: the status is decided by then.
    """
    wish = Wish()
    if not _in_main_thread():
        yield wish
        return
    listened_to = [number for number in POLITE if signal.getsignal(number) not in (signal.SIG_IGN, None)]
    _now.command, _now.worked = wish, False
    before = [signal.signal(number, _note) for number in listened_to]
    if to_the_end:
        atexit.register(_be_deaf, listened_to)  # the first that is registered is called last
    try:
        yield wish
    finally:
        if not to_the_end:
            for number, handler in zip(listened_to, before, strict=True):
                signal.signal(number, handler)
            _now.command = None


def _be_deaf(numbers: list[signal.Signals]) -> None:
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)

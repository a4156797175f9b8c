"""A folder that a run or a study takes for its work: refused, taken, written to with clear words when that fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.version import VERSION
from sim.errors import InputError, Problem, SimError
from sim.storage.checkpoint import Checkpoint, only_piece
from sim.storage.files import digest_of
from sim.storage.ownership import refuse_foreign

if TYPE_CHECKING:
    from sim.scenario import Scenario

STUDY_KEY = "study"  # in the identity of a study's folder, and of no other


def identity_of(fights: Sequence[Scenario], seed: int) -> dict[str, Any]:
    """Everything that decides the result of work on these fights, as far as all kinds of work have it in common."""

    def listed(values: Iterator[str]) -> str:
        return ", ".join(dict.fromkeys(values))

    digests = [fight.digest for fight in fights]
    return {
        "scenario": listed(fight.name for fight in fights),
        "digest": digests[0] if len(digests) == 1 else digest_of(json.dumps(digests).encode())[:32],
        "ruleset": listed(fight.ruleset.name for fight in fights),
        "ruleset_version": listed(str(fight.ruleset.version) for fight in fights),
        "seed": seed,
        "fairfight": VERSION,
    }


def take_folder(
    folder: Path,
    files: Collection[str],
    identity: Mapping[str, Any],
    *,
    resume: bool,
    fresh: bool,
    may_be_replaced: Callable[[str, Mapping[str, Any]], bool],
) -> Checkpoint:
    """Take a folder for a piece of work, unless it holds something else or cannot be written.

    Args:
        files: what may be written there, as paths within the folder.
        may_be_replaced: whether a folder that keeps just this piece (name, facts) holds nothing that could be lost.
    """
    try:
        refuse_foreign(folder, files, study=STUDY_KEY in identity)
        replaced = False
        if not resume and (only := only_piece(folder)) is not None:
            replaced = may_be_replaced(*only)
        return Checkpoint.open(folder, identity, resume=resume, fresh=fresh or replaced)
    except OSError as error:
        raise InputError(Problem("--out", f"cannot write to {folder}: {error.strerror or error}")) from error


@contextmanager
def writing(folder: Path | None, what: str, kept: str) -> Iterator[None]:
    """Says clearly that something cannot be written, and what of the work is kept; '' if nothing is."""
    try:
        yield
    except OSError as error:
        going_on = f"; {kept} are kept: mend it and add --resume to go on" if kept else ""
        raise SimError(f"{folder}: cannot {what}: {error.strerror or error}{going_on}") from error

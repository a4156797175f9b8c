"""Whose files are in a folder: only what we have made is replaced or deleted.

What is ours is told by what we leave behind: `manifest.json` of a run and `study.json` of a study list their files, and
`checkpoint/identity.json` says what is on its way. Whatever else stands where we would write belongs to somebody else,
and so does every link: a folder from somebody else may lead anywhere. Such a folder is refused before anything is
touched. Other files in it are no concern of ours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from sim.errors import InputError, Problem
from sim.storage.codec import parsed
from sim.storage.files import PART

FOLDER = "checkpoint"
IDENTITY = "identity.json"
LOCK = "lock"
PIECE = ".piece"
REJECTED = ".rejected"
MANIFEST = "manifest.json"
STUDY = "study.json"
FIGURES = "figures"

# Everything that a run writes. The manifest comes last: where it is, the rest is.
RUN_FILES = (
    *("runs.parquet", "units.parquet", "abilities.parquet", "summary.csv", "result.json", "index.html"),
    MANIFEST,
)
_MAGIC = b"fairfight piece "
_IN_CHECKPOINT = re.compile(rf"({IDENTITY}|[a-z0-9][a-z0-9-]{{0,99}}{PIECE})({REJECTED}|\.\d+{PART})?")


def refuse_foreign(folder: Path, places: Collection[str], *, study: bool) -> None:
    """Refuse a folder in which something that is not ours stands in one of these places.

    Args:
        places: the files that may be written or deleted, as paths within the folder.
        study: whether it is a study that takes the folder, and not a run.
    """
    found = [*_foreign_results(folder, places, study), *_foreign_checkpoint(folder)]
    if found:
        raise InputError([Problem("--out", problem) for problem in found])


def _foreign_results(folder: Path, places: Collection[str], study: bool) -> Iterator[str]:
    ours: set[str] | None = None
    closed = set()  # folders below it that cannot be looked into
    for below in sorted({(folder / place).parent for place in places} - {folder}):
        if below.is_symlink():
            yield _a_link(below)
            closed.add(below)
        elif below.exists() and not below.is_dir():
            yield _not_ours(below)
            closed.add(below)
    for name in [name for place in places for name in (place, place + PART)]:
        path = folder / name
        if path.parent in closed:
            continue
        if path.is_symlink():
            yield _a_link(path)
        elif path.exists():
            ours = _ours_in(folder, places, study) if ours is None else ours
            if path.is_dir() or name.removesuffix(PART) not in ours:
                yield _not_ours(path)


def _ours_in(folder: Path, places: Collection[str], study: bool) -> set[str]:
    """The files of our results in a folder."""
    found: set[str] = set()
    manifest, answer, identity = (_read(folder / name) for name in (MANIFEST, STUDY, f"{FOLDER}/{IDENTITY}"))
    if _made_by_us(manifest, "scenario", "digest", "runs"):
        found |= _listed(manifest) or set(RUN_FILES)
    if _made_by_us(answer, "question", "tables", "digest"):
        found |= _listed(answer) or set(_of_an_older_study(folder, answer))
    if isinstance(identity.get("format"), int) and ("study" in identity) == study:
        found |= set(places)  # they were nobody's when it began
    return found


def _made_by_us(document: dict[str, Any], *keys: str) -> bool:
    versions = document.get("versions")
    return isinstance(versions, dict) and "fairfight" in versions and all(key in document for key in keys)


def _listed(document: dict[str, Any]) -> set[str]:
    files = document.get("files")
    return {name for name in files if isinstance(name, str)} if isinstance(files, list) else set()


def _of_an_older_study(folder: Path, answer: dict[str, Any]) -> Iterable[str]:
    """The files of a study that does not list them: results of earlier versions."""
    yield from (STUDY, "index.html")
    for table in answer["tables"] if isinstance(answer["tables"], dict) else ():
        yield from (f"{table}.parquet", f"{table}.csv")
    for path in (folder / FIGURES).glob("*"):
        if path.suffix in (".svg", ".png"):
            yield f"{FIGURES}/{path.name}"


def _foreign_checkpoint(folder: Path) -> Iterator[str]:
    checkpoint = folder / FOLDER
    if checkpoint.is_symlink():
        yield _a_link(checkpoint)
        return
    if not checkpoint.is_dir():
        if checkpoint.exists():
            yield _not_ours(checkpoint)
        return
    begun = isinstance(_read(checkpoint / IDENTITY).get("format"), int)
    for path in sorted(checkpoint.iterdir()):
        if path.is_symlink():
            yield _a_link(path)
        elif not path.is_file() or not (_is_our_lock(path) if path.name == LOCK else _is_our_piece(path, begun)):
            yield _not_ours(path)


def _is_our_piece(path: Path, begun: bool) -> bool:
    """By its name where we have begun something; where it is not known whose the folder is, by what is in it too."""
    if not _IN_CHECKPOINT.fullmatch(path.name):
        return False
    if begun or path.name.endswith(PART):
        return True
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _is_our_lock(path: Path) -> bool:
    with path.open("rb") as file:
        said = file.read(4096).strip(b" \0")
    try:
        return not said or "beats" in parsed(said)
    except (ValueError, TypeError):
        return False


def _read(path: Path) -> dict[str, Any]:
    """What a JSON file says; nothing if it is none of ours."""
    if path.is_symlink() or path.parent.is_symlink():
        return {}
    try:
        said = parsed(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _not_ours(path: Path) -> str:
    return f"{path} is in the way and was not made by fairfight; move it, or choose another folder"


def _a_link(path: Path) -> str:
    return f"{path} is a link, and none is followed inside a result folder; remove it, or choose another folder"

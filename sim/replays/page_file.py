"""The page of a fight, written to a file: whole or not at all, and never over what is not ours."""

from __future__ import annotations

from pathlib import Path

from sim.errors import InputError, Problem, SimError
from sim.replays.page import GENERATOR
from sim.storage.files import write_whole

BEGINNING = 4_096  # characters of a page, among which its maker is named


def check_place(file: Path, maker: str = GENERATOR) -> None:
    """Refuse a place where no page can be written, or where something else stands than a page by this maker."""
    problem = ""
    if file.is_symlink():
        problem = f"{file} is a link, and none is followed; remove it, or choose another name"
    elif file.is_dir():
        problem = f"{file} is a folder; name a file in it, such as {file / 'fight.html'}"
    elif file.suffix.lower() not in (".html", ".htm"):
        problem = f"expected the name of a page, such as fight.html, found '{file}'"
    elif file.exists() and not _is_by(maker, file):
        problem = f"{file} is in the way and is no page made by '{maker.lower()}'; move it, or choose another name"
    if problem:
        raise InputError(Problem("--out", problem))


def write_page(file: Path, page: str, maker: str = GENERATOR) -> Path:
    """Write the page; one that was made earlier is replaced."""
    check_place(file, maker)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, page.encode())
    except OSError as error:
        raise SimError(f"{file}: cannot be written: {error.strerror or error}") from error
    return file


def _is_by(maker: str, file: Path) -> bool:
    try:
        with file.open(encoding="utf-8") as page:
            return f'content="{maker}"' in page.read(BEGINNING)
    except (OSError, ValueError):
        return False

"""A result written to a folder: tables, manifest and report."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from sim.errors import SimError
from sim.results import tables

if TYPE_CHECKING:
    from sim.results.result import Result


def write_result(result: Result, folder: Path) -> Path:
    """Everything into a folder; returns the path of the report.

    runs.parquet, units.parquet   the single runs, where the result has them
    abilities.parquet             uses, hits and damage by ability and outcome
    summary.csv                   every number with its interval
    result.json                   what `--json` prints
    manifest.json                 what is needed to play it again, and how it went
    index.html                    the report
    """
    from sim.report.html import result_page

    try:
        folder.mkdir(parents=True, exist_ok=True)
        if result.folder is None or result.folder.resolve() != folder.resolve():
            _write_runs(result, folder)
        part = folder / "abilities.parquet.part"
        result.abilities.to_parquet(part, index=False)
        part.replace(folder / "abilities.parquet")
        write_text(folder / "summary.csv", result.summary(everything=True).to_csv(index=False, lineterminator="\n"))
        write_text(folder / "result.json", result.to_json() + "\n")
        write_text(folder / "manifest.json", json.dumps(result.manifest, indent=2, ensure_ascii=False) + "\n")
        return write_text(folder / "index.html", result_page(result))
    except OSError as error:
        raise SimError(f"{folder}: cannot write the result: {error.strerror or error}") from error


def _write_runs(result: Result, folder: Path) -> None:
    """The single runs, if the result holds them; the tables of an earlier result do not stay beside this one."""
    for name in tables.TABLES:
        (folder / name).unlink(missing_ok=True)
        if result.folder is not None and (result.folder / name).exists():
            shutil.copyfile(result.folder / name, folder / name)
    if result.kept is None:
        return
    files = tables.TableFiles(folder, result.cast)
    for outcomes in result.kept:
        files.add(outcomes)
    files.close()


def write_text(path: Path, text: str) -> Path:
    """A whole file or none: written beside its place and moved there."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        raise SimError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path

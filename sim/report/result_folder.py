"""A result written to a folder: tables, manifest and report."""

from __future__ import annotations

import shutil
from pathlib import Path

from sim.errors import SimError
from sim.report.file_sets import as_parquet, write_text, write_together
from sim.report.result_page import result_page
from sim.report.spreadsheet import as_csv
from sim.results import tables
from sim.results.result import Result
from sim.results.tables import part_of
from sim.storage.files import begin_part
from sim.storage.json_text import json_text
from sim.storage.ownership import MANIFEST, RUN_FILES, refuse_foreign


def write_result(result: Result, folder: Path) -> Path:
    """Everything into a folder; returns the path of the report.

    runs.parquet, units.parquet   the single runs, where the result has them
    abilities.parquet             uses, hits and damage by ability and outcome
    summary.csv                   every number with its interval
    result.json                   what `--json` prints
    index.html                    the report
    manifest.json                 what is needed to play it again, how it went, and which files belong to it
    """
    here = result.folder is not None and result.folder.resolve() == folder.resolve()
    try:
        refuse_foreign(folder, RUN_FILES, study=False)
        folder.mkdir(parents=True, exist_ok=True)
        if not here:
            _write_runs(result, folder)
        there = [name for name in RUN_FILES if name not in tables.TABLES or (folder / name).exists()]
        files = {
            "abilities.parquet": as_parquet(result.abilities),
            "summary.csv": as_csv(result.summary(everything=True)),
            "result.json": (result.to_json() + "\n").encode(),
            "index.html": result_page(result).encode(),
            MANIFEST: (json_text(result.manifest | {"files": there}) + "\n").encode(),
        }
        write_together(folder, files)
        return folder / "index.html"
    except OSError as error:
        raise SimError(f"{folder}: cannot write the result: {error.strerror or error}") from error


def write_page(result: Result, file: Path) -> Path:
    """The report alone, as one HTML file; returns its path."""
    return write_text(file, result_page(result))


def _write_runs(result: Result, folder: Path) -> None:
    """The single runs, if the result holds them; the tables of an earlier result do not stay beside this one."""
    for name in tables.TABLES:
        (folder / name).unlink(missing_ok=True)
        if result.folder is not None and (result.folder / name).exists():
            with (result.folder / name).open("rb") as source, begin_part(part_of(folder / name)) as copy:
                shutil.copyfileobj(source, copy)
            part_of(folder / name).replace(folder / name)
    if result.kept is None:
        return
    files = tables.TableFiles(folder, result.cast)
    for outcomes in result.kept:
        files.add(outcomes)
    files.close()

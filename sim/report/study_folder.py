"""The answer of a study written to a folder: tables, figures, study.json and report."""

from __future__ import annotations

from pathlib import Path

from sim.errors import SimError
from sim.report.file_sets import as_parquet, write_together
from sim.report.spreadsheet import as_csv
from sim.report.study_figures import answer_drawings
from sim.report.study_page import answer_page
from sim.storage.ownership import FIGURES, STUDY, refuse_foreign
from sim.studies.answer import Answer


def alone(svg: str) -> str:
    """An SVG of a page as a file of its own."""
    names = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    opened = svg.replace("<svg", "<svg" + names, 1) if "xmlns=" not in svg[: svg.index(">")] else svg
    return f'<?xml version="1.0" encoding="utf-8"?>\n{opened}\n'


def write_answer(answer: Answer, folder: Path) -> Path:
    """Everything into a folder; returns the folder.

    NAME.parquet, NAME.csv   every table
    figures/NAME.svg, .png   every figure
    study.json               the answer with everything needed to ask again
    index.html               the report, self-contained
    """
    from pandas.api.types import is_object_dtype

    files: dict[str, bytes] = {}
    try:
        for table in answer.tables:
            frame = answer.frame(table.name)
            for column in [name for name in frame if is_object_dtype(frame[name])]:  # a knob may be number and text
                frame[column] = frame[column].map(lambda entry: entry if entry is None else str(entry))
            files[f"{table.name}.parquet"] = as_parquet(frame)
            files[f"{table.name}.csv"] = as_csv(frame)
        drawings = answer_drawings(answer)
        for drawing in drawings:
            files[f"{FIGURES}/{drawing.name}.svg"] = alone(drawing.svg).encode()
            files[f"{FIGURES}/{drawing.name}.png"] = drawing.png
        files["index.html"] = answer_page(answer, drawings).encode()
        files[STUDY] = (answer.to_json(files=[*files, STUDY]) + "\n").encode()
        refuse_foreign(folder, files, study=True)
        folder.mkdir(parents=True, exist_ok=True)
        write_together(folder, files)
    except OSError as error:
        raise SimError(f"{folder}: cannot write the study: {error.strerror or error}") from error
    return folder

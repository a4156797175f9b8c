"""The files of a report, whole or not at all."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sim.errors import SimError
from sim.results.tables import part_of
from sim.storage.files import begin_part

if TYPE_CHECKING:
    import pandas as pd


def write_together(folder: Path, files: Mapping[str, bytes]) -> None:
    """Whole files or none: all are written beside their places before the first one takes its own."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        with begin_part(part_of(path)) as file:
            file.write(content)
    for name in files:
        part_of(folder / name).replace(folder / name)


def as_parquet(frame: pd.DataFrame) -> bytes:
    """A frame as the content of a Parquet file."""
    written = io.BytesIO()
    frame.to_parquet(written, index=False)
    return written.getvalue()


def write_text(path: Path, text: str) -> Path:
    """A whole file or none: written beside its place and moved there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_together(path.parent, {path.name: text.encode()})
    except OSError as error:
        raise SimError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path

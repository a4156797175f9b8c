"""CSV that spreadsheets open as what it is: a text from a file is never taken for a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(frame: pd.DataFrame) -> bytes:
    """The frame as CSV. Texts that a spreadsheet would compute begin with an apostrophe; numbers stay numbers."""
    shown = frame.rename(columns=as_cell)
    for at, kind in enumerate(shown.dtypes):
        if kind.kind not in "biuf":
            shown.isetitem(at, shown.iloc[:, at].astype(object).map(as_cell).array)
    content: bytes = shown.to_csv(index=False, lineterminator="\n").encode()
    return content


def as_cell(entry: Any) -> Any:
    """An entry of a CSV file.

    >>> as_cell("=1+1"), as_cell("-3.5"), as_cell("-3 = dodge")
    ("'=1+1", '-3.5', "'-3 = dodge")
    """
    if not isinstance(entry, str) or not entry.startswith(_BEGINS_A_FORMULA) or _is_number(entry):
        return entry
    return f"'{entry}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()

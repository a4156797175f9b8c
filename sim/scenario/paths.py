"""Key paths: where a value stands in a scenario, as in `heroes[1].level`."""

from __future__ import annotations

import json
import re
from typing import TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STEP = re.compile(
    r"""
      (?P<dot>\.)?
      (?: \[ \s* (?P<index>\d+ | \*) \s* \]     # [0] or [*]
        | (?P<quoted>"(?:[^"\\]|\\.)*")         # "a name with spaces"
        | (?P<bare>[^.\[\]"]+)                  # level, skeleton, 0, *
      )
    """,
    re.VERBOSE,
)


def spell(path: KeyPath) -> str:
    """A key path as designers read it.

    >>> spell(("heroes", 1, "level"))
    'heroes[1].level'
    """
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            name = step if _BARE.fullmatch(step) else json.dumps(step, ensure_ascii=False)
            text += f".{name}" if text else name
    return text


def steps(text: str) -> list[str] | None:
    """The steps of a path as somebody wrote it, all as text; None where it is no path.

    An index may stand in brackets or between dots, and a name with spaces or dots in quotes.

    >>> steps("heroes[0].level"), steps('heroes.0.level'), steps('heroes."Old Ada".level')
    (['heroes', '0', 'level'], ['heroes', '0', 'level'], ['heroes', 'Old Ada', 'level'])
    """
    found: list[str] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None:
            return None
        bracketed = match["index"] is not None
        if bool(match["dot"]) == (not found or bracketed):
            return None  # a dot must stand before every key but the first, and before no bracket
        if bracketed:
            found.append(match["index"])
        elif match["quoted"]:
            try:
                found.append(json.loads(match["quoted"]))
            except ValueError:
                return None
        else:
            found.append(match["bare"].strip())
        at = match.end()
    return found if found and all(found) else None


def key_path(text: str) -> KeyPath:
    """The path that `spell` has written; anything else stays one key.

    >>> key_path("heroes[1].level")
    ('heroes', 1, 'level')
    """
    path: list[str | int] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None:
            return (text,)
        if match["index"] is not None and match["index"] != "*":
            path.append(int(match["index"]))
        elif match["quoted"]:
            path.append(json.loads(match["quoted"]))
        else:
            path.append(str(match["bare"] or match["index"]))
        at = match.end()
    return tuple(path)

"""The page that walks through Coin Duel is true: what it shows stands in the files, and it leaves no room out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.games.coins import RULESET

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/add-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("file", "block"), BLOCKS, ids=[f"{file.rpartition('/')[2]}" for file, _ in BLOCKS])
def test_a_block_of_the_page_stands_in_the_file_it_names(file: str, block: str) -> None:
    assert block in (ROOT / file).read_text(encoding="utf-8")


def test_every_block_names_its_file() -> None:
    assert len(BLOCKS) == len(re.findall(r"^```\w+", PAGE, re.MULTILINE)) > 10


def test_every_file_of_the_game_is_on_the_page() -> None:
    files = {path.name for path in RULESET.folder.iterdir() if path.suffix in (".py", ".toml", ".md")}

    assert {name for name in files if name not in PAGE} == set()

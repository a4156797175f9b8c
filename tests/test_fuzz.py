"""Whatever a file, a formula or a command line says: it runs or is refused with a word. `make soak` tries 20,000."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzzing import Hangs, limited, many


def test_some_hundred_odd_files_formulas_and_command_lines_run_or_are_refused(tmp_path: Path) -> None:
    became = many(300, tmp_path)

    assert all(count["runs"] and count["refused"] for count in became.values())  # neither all good nor all bad


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_many_odd_files_formulas_and_command_lines_run_or_are_refused(tmp_path: Path, part: int) -> None:
    became = many(5_000, tmp_path, seed=part)

    assert sum(count.total() for count in became.values()) >= 4_900  # the odd repetition is left out


def test_what_does_not_end_is_noticed() -> None:
    def endless() -> None:
        while True:
            pass

    with pytest.raises(Hangs), limited(0.05):
        endless()

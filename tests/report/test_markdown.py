"""Markdown: the verdict and the main table, and nothing of a name is read as markup."""

from __future__ import annotations

import re

import sim
from sim.report.markdown import as_text, table_markdown
from sim.report.result_tables import downs_table, outcomes_table
from sim.report.table import Column, Table, words
from sim.results.result import Result


def cells(line: str) -> list[str]:
    """The entries of a row; an escaped bar parts nothing."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_a_result_has_its_verdict_its_warnings_and_how_it_ends(plain_result: Result) -> None:
    lines = plain_result.to_markdown().splitlines()

    assert lines[0] == "### Two against two"
    assert lines[2] == f"**{as_text(plain_result.verdict)}**"
    assert [line for line in lines if line.startswith("- Warning: ")] == [
        f"- Warning: {as_text(caution.text)}" for caution in plain_result.warnings
    ]
    rows = [cells(line) for line in lines if line.startswith("|")]
    assert rows[2:] == [[cell.text for cell in row] for row in outcomes_table(plain_result).rows]


def test_a_study_has_its_verdicts_and_its_first_table() -> None:
    answer = sim.sweep("overhill/playtest-1", {"enemies.skeleton.count": [2, 3]}, runs=100, progress=False)

    text = answer.to_markdown()

    assert all(as_text(verdict) in text for verdict in answer.verdicts)
    rows = [cells(line) for line in text.splitlines() if line.startswith("|")]
    assert rows[0][:4] == ["number of skeletons", "runs", "played until", "win rate"]
    assert [row[:2] for row in rows[2:]] == [["2", "100"], ["3", "100"]]


def test_every_row_has_as_many_entries_as_there_are_columns(plain_result: Result) -> None:
    rows = [cells(line) for line in table_markdown(downs_table(plain_result)).splitlines() if line.startswith("|")]

    assert {len(row) for row in rows} == {len(downs_table(plain_result).columns)}
    assert "share of fights in %: wins" in rows[0]


def test_names_cannot_break_a_table_or_become_markup() -> None:
    table = Table("t", "Names", "", (Column("name", number=False), Column("other", number=False)))
    table.add(words("a | b\n<img src=x> [c](d) *e*"), words("f"))

    row = cells(table_markdown(table).splitlines()[-1])

    assert row == [r"a \| b \<img src=x\> \[c\](d) \*e\*", "f"]

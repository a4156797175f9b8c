"""A result or the answer of a study as Markdown, for a forum or a pull request: the verdict and the main table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sim.report.result_tables import outcomes_table
from sim.report.study_tables import study_table
from sim.report.table import Table
from sim.results.result import Result
from sim.scenario.changes import title_in_full
from sim.studies.answer import Answer

_MARKUP = re.compile(r"([\\`*_\[\]<>|~])")  # what Markdown would read as more than text


def result_markdown(result: Result) -> str:
    """How a fight goes: verdict, price, warnings, how it ends, and how to play it again."""
    sentences = [result.verdict, *filter(None, [result.price])]
    warnings = [caution.text for caution in result.warnings]
    return _document(title_in_full(result.scenario), sentences, warnings, outcomes_table(result), result.command)


def answer_markdown(answer: Answer) -> str:
    """What a study found: verdicts, warnings, its first table, and how to ask again."""
    main = next((table for table in answer.tables if table.rows and table.on_screen), None)
    table = None if main is None else study_table(main)
    title = answer.title or title_in_full(answer.scenario)
    code = "\n\n".join(filter(None, (answer.to_copy.rstrip("\n"), answer.command)))
    return _document(title, answer.verdicts, answer.warnings, table, code)


def table_markdown(table: Table) -> str:
    """A table with its title and what it says of itself; columns for wide screens are left out."""
    shown = [at for at, column in enumerate(table.columns) if not column.where_wide]
    columns = [table.columns[at] for at in shown]
    titles = [f"{column.group}: {column.title}" if column.group else column.title for column in columns]
    lines = [
        f"**{as_text(table.title)}** {as_text(table.about)}".strip(),
        "",
        _row([as_text(title) for title in titles]),
        _row(["---:" if column.number else ":---" for column in columns]),
    ]
    lines += [_row([as_text(row[at].text) for at in shown]) for row in table.rows]
    return "\n".join(lines)


def as_text(text: str) -> str:
    r"""A text that Markdown shows as it is, on one line.

    >>> as_text("a|b *c*\nd_e")
    'a\\|b \\*c\\* d\\_e'
    """
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _document(title: str, sentences: Sequence[str], warnings: Sequence[str], table: Table | None, code: str) -> str:
    parts = [f"### {as_text(title)}"]
    if sentences:
        parts.append(f"**{as_text(sentences[0])}**")
    parts += [as_text(sentence) for sentence in sentences[1:]]
    if warnings:
        parts.append("\n".join(f"- Warning: {as_text(warning)}" for warning in warnings))
    if table is not None:
        parts.append(table_markdown(table))
    if code:
        parts.append("\n".join(f"    {line}" for line in code.splitlines()))  # indented: code, whatever is in it
    return "\n\n".join(parts)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"

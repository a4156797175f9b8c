"""The page with the rules of a game: what is read from it, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.core.rulebook import parse_rulebook, read_rulebook
from sim.errors import InputError

PAGE = """# The rules of the fair

Words before the first chapter belong to no rule.

## Throwing

A chapter may begin with a few words.

### FA-T1 The ball

Every player throws one ball
at 2.5 paces. It counts if `threshold` = meet says so.

| hits | prize |
|---|---|
| 1 | a rose |

#### Example

A ball that falls short is a miss.

```
### this is no heading
```

### FA-T2b The wooden ball

With `wood` = yes the ball is of wood.

## The end

### FA-E1.1 Closing

The fair closes at `hour`.

## Switches without a rule

Words before the list.

- `music`: changes the mood
  and nothing else.
- `crowd`: nobody counts it.
"""


def problems(page: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_rulebook(page, "fair.md")
    return [str(problem) for problem in caught.value.problems]


def test_rules_are_read_in_the_order_of_the_page_with_title_and_chapter() -> None:
    book = parse_rulebook(PAGE)

    told = [(rule.id, rule.title, rule.chapter) for rule in book.rules.values()]
    assert told == [
        ("FA-T1", "The ball", "Throwing"),
        ("FA-T2b", "The wooden ball", "Throwing"),
        ("FA-E1.1", "Closing", "The end"),
    ]
    assert list(book.rules) == [rule.id for rule in book.rules.values()]
    assert {chapter: len(rules) for chapter, rules in book.chapters.items()} == {"Throwing": 2, "The end": 1}


def test_the_first_sentence_is_one_line_and_the_text_is_everything_below_the_heading() -> None:
    rule = parse_rulebook(PAGE).rules["FA-T1"]

    assert rule.sentence == "Every player throws one ball at 2.5 paces."
    assert rule.text.startswith("Every player throws one ball\nat 2.5 paces. It counts")
    assert "| 1 | a rose |" in rule.text
    assert "#### Example" in rule.text
    assert rule.text.endswith("### this is no heading\n```")


def test_switches_touch_the_rules_that_name_them_in_backticks() -> None:
    book = parse_rulebook(PAGE)
    known = ["hour", "threshold", "throws", "wood"]

    assert book.rules["FA-T1"].switches(known) == ["threshold"]
    assert book.rules["FA-T2b"].switches(known) == ["wood"]
    assert book.rules["FA-E1.1"].switches(known) == ["hour"]
    assert book.without_rule == {"music": "changes the mood and nothing else.", "crowd": "nobody counts it."}


def test_every_mistake_of_a_page_is_told_at_once_with_its_line() -> None:
    page = "### FA-1 Too early\n\nIt stands in no chapter.\n\n## Throwing\n\n### Melee\n\nNo id.\n\n"
    page += "### FA-2\n\nNo title.\n\n### FA-3 Three\n\nno full stop\n\n### FA-4 Four\n\nIt is good.\n\n"
    page += "### FA-4 Four\n\nAgain.\n\n### FA-5 Five\n"

    found = problems(page)

    assert found == [
        "fair.md:1: FA-1 stands in no chapter; expected a heading such as '## Attacks' before it",
        "fair.md:7: expected an id and a title, as in '### OU-A3 Melee attack', found '### Melee'",
        "fair.md:11: expected an id and a title, as in '### OU-A3 Melee attack', found '### FA-2'",
        "fair.md:15: FA-3 has no sentence; expected a text that begins with one, ended by a full stop",
        "fair.md:23: FA-4 is there twice",
        "fair.md:27: FA-5 has no sentence; expected a text that begins with one, ended by a full stop",
    ]


def test_a_heading_that_is_glued_to_its_signs_is_a_mistake() -> None:
    assert problems("## Throwing\n\n###FA-1 The ball\n\nIt flies.\n") == [
        "fair.md:3: expected an id and a title, as in '### OU-A3 Melee attack', found '###FA-1 The ball'"
    ]


def test_an_entry_of_a_switch_without_a_rule_must_give_the_reason() -> None:
    page = PAGE.replace("- `crowd`: nobody counts it.", "- crowd, nobody counts it.")

    assert problems(page) == [
        "fair.md:36: expected '- `switch`: why no rule names it', found '- crowd, nobody counts it.'"
    ]


def test_a_page_without_rules_or_without_a_file_is_refused(tmp_path: Path) -> None:
    assert problems("# Nothing\n") == ["fair.md:1: no rules; expected headings such as '### OU-A3 Melee attack'"]
    with pytest.raises(InputError, match=r"rulebook\.md: no such file"):
        read_rulebook(tmp_path / "rulebook.md")

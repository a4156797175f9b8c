"""The documents hold: every page can be reached, every link leads somewhere, every command and every fight is real."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from sim.cli.commands import fairfight
from sim.cli.study_options import read_variant
from sim.core.registry import ruleset_names
from sim.errors import InputError
from sim.scenario import load
from sim.scenario.catalogue import scenario_names
from sim.scenario.changes import value_now
from sim.studies.variants import variant

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
READ = [ROOT / "README.md", *PAGES]

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(fairfight [^`\n]+)`")
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|\.\.\.$")  # `fairfight show GAME` speaks of any game


def named(page: Path) -> str:
    """How a page is called in the name of a test."""
    return page.relative_to(ROOT).as_posix()


def links_of(page: Path) -> list[str]:
    """The relative links of a page, outside its code."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return [link for link in LINK.findall(text) if "://" not in link]


def heading_anchors(page: Path) -> set[str]:
    """What `#...` may name on a page, as GitHub makes it from the headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_reached_from_the_index() -> None:
    reached: set[Path] = set()
    waiting = [DOCS / "README.md"]

    while waiting:
        page = waiting.pop()
        reached.add(page)
        targets = [(page.parent / link.partition("#")[0]).resolve() for link in links_of(page) if link[0] != "#"]
        waiting += [target for target in targets if target in PAGES and target not in reached]

    assert reached >= set(PAGES)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_index_itself_lists_the_page(page: Path) -> None:
    listed = {(DOCS / link.partition("#")[0]).resolve() for link in links_of(DOCS / "README.md")}

    assert page in listed


@pytest.mark.parametrize("page", READ, ids=named)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    lost = []
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in heading_anchors(target)):
            lost.append(link)

    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_page_begins_with_its_title_and_the_same_navigation(page: Path) -> None:
    navigation = (DOCS / "README.md").read_text(encoding="utf-8").split("\n")[2]
    up = "../" * (len(page.relative_to(DOCS).parts) - 1)

    title, _, line = page.read_text(encoding="utf-8").split("\n")[:3]

    assert title.startswith("# ")
    assert line == navigation.replace("](", f"]({up}")


def commands_of(page: Path) -> Iterator[str]:
    """Every `fairfight ...` of a page: lines of code without the remark beside them, and code inside sentences."""
    text = page.read_text(encoding="utf-8")
    for line in text.split("\n"):
        if line.strip().startswith("fairfight "):
            yield re.split(r"\s{2,}| # ", line.strip())[0]
    yield from INLINE.findall(text)


def problem_of(command: str) -> str | None:
    """What is wrong with a command: its name, an option, a scenario, or a value that the scenario does not take."""
    words = shlex.split(command)[1:]
    try:
        with click.Context(fairfight, **fairfight.context_settings) as above:
            name, chosen, rest = fairfight.resolve_command(above, words)
            assert chosen is not None
            if not rest:
                return None  # a sentence about the command
            asked = chosen.make_context(name, rest, parent=above).params
    except click.exceptions.Exit:
        return None  # --help
    except click.ClickException as error:
        return error.format_message()
    scenario = str(asked.get("scenario") or "")
    if "/" not in scenario or scenario.endswith(".toml") or scenario.partition("/")[0] not in ruleset_names():
        return None
    if name == "show" and scenario not in scenario_names():
        return None  # a policy, preset or switch
    try:
        fight = load(scenario, sets=asked.get("sets", ()), preset=asked.get("preset"), policy=asked.get("policy"))
        for text in asked.get("variants", ()):
            variant(fight, read_variant(text, fight)[1])
        for text in asked.get("knobs", ()):
            path, _, values = text.partition("=")
            fight.changed(sets=[f"{path}={re.split(r'[.][.]|,', values)[0] or value_now(fight, path)}"])
        for name in asked.get("policies", ()):
            fight.changed(sets=[f"policy={name}"])
    except InputError as error:
        return str(error)
    return None


@pytest.mark.parametrize("page", READ, ids=named)
def test_every_command_of_a_page_can_be_typed(page: Path) -> None:
    commands = [command for command in commands_of(page) if not PLACEHOLDER.search(command)]

    wrong = {command: problem for command in commands if (problem := problem_of(command))}

    assert wrong == {}


def test_a_command_that_cannot_be_typed_is_noticed() -> None:
    assert problem_of("fairfight runn overhill/playtest-1")
    assert problem_of("fairfight run overhill/playtest-1 --sett level=1")
    assert problem_of("fairfight run overhill/playtest-9")
    assert problem_of("fairfight run overhill/playtest-1 --set enemies.skelton.count=1")
    assert problem_of("fairfight run overhill/playtest-1 --policy plian")
    assert problem_of("fairfight compare overhill/playtest-1 --variant 'one more: enemies.skeleton.cuont=4'")
    assert problem_of("fairfight tune overhill/playtest-1 --knob enemies.ghoul.count=1..3 --target win_rate=0.5")
    assert problem_of("fairfight tune overhill/playtest-1 --knob enemies.skeleton.count --target win_rate=0.5") is None
    assert problem_of("fairfight run overhill/playtest-1 --set enemies.skeleton.count=1 --runs 2k") is None


def fights_of(page: Path) -> Iterator[tuple[str, str]]:
    """Every TOML block that says which game it is, with the text between it and the next block."""
    text = page.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        language, content = block.groups()
        if language == "toml" and re.search(r"^ruleset = ", content, re.MULTILINE):
            yield content, text[block.end() :].partition("```")[0]


@pytest.mark.parametrize("page", [page for page in READ if any(fights_of(page))], ids=named)
def test_every_fight_of_a_page_is_in_order_or_has_the_mistakes_that_the_page_tells(page: Path, tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    for content, after in fights_of(page):
        file.write_text(content, encoding="utf-8")
        told = [line.strip() for line in after.split("\n") if re.match(r"    [\w-]+\.toml:\d+:", line)]
        told = told if after.strip().startswith("gives") else []

        try:
            load(file)
            found = []
        except InputError as error:
            found = [problem for problem in str(error).split("\n") if problem]

        assert [re.sub(r"^.*?\.toml:", "", line) for line in found] == [
            re.sub(r"^.*?\.toml:", "", line) for line in told
        ]

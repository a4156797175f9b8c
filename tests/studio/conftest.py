"""A studio in a process of its own, as somebody starts it, and a program that talks to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.processes import PATIENCE, started


@dataclass
class Running:
    """A studio that runs."""

    address: str  # as printed, with its token
    folder: Path
    process: Any

    @property
    def root(self) -> str:
        """Without path and token."""
        found = re.match(r"http://[^/]+", self.address)
        assert found
        return found[0]


@dataclass
class Visitor:
    """A program that has been let in."""

    client: httpx.Client
    running: Running

    def get(self, page: str, /, **query: Any) -> httpx.Response:
        """A page."""
        return self.client.get(page, params=query)

    def post(self, path: str, data: dict[str, Any]) -> httpx.Response:
        """A change, as a page of the studio sends it."""
        return self.client.post(path, data=data, headers={"origin": self.running.root})

    def news(self, page: str = "/watch", /, **query: Any) -> Iterator[dict[str, Any]]:
        """What a stream tells, to its end."""
        with self.client.stream("GET", page, params=query) as stream:
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    def rested(self, **query: Any) -> str:
        """What a fight looks like when it rests."""
        found = [one["html"] for one in self.news(**query) if one.get("resting")]
        assert found, "the fight never came to rest"
        return found[-1]


@pytest.fixture(scope="package")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A studio on an empty folder."""
    with studio_on(tmp_path_factory.mktemp("fights")) as begun:
        yield begun


@contextmanager
def studio_on(folder: Path, *words: str) -> Iterator[Running]:
    """A studio on a folder."""
    with started("-m", "sim", "studio", str(folder), "--no-open", *words) as process:
        assert process.stdout
        yield Running(printed(process.stdout.readline()), folder, process)


def printed(line: str) -> str:
    """The address in the line that a studio prints."""
    found = re.search(r"http://127\.0\.0\.1:\d+/\S*token=\S+", line)
    assert found, line
    return found[0]


@pytest.fixture(scope="package")
def visitor(running: Running) -> Iterator[Visitor]:
    """Somebody who has opened the printed address."""
    with httpx.Client(base_url=running.root, timeout=PATIENCE) as client:
        assert client.get(running.address, follow_redirects=True).status_code == 200
        yield Visitor(client, running)


def children_of(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found

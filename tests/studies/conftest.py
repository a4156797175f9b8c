"""Fights for studies: small, quick, and with something to decide."""

from __future__ import annotations

import pytest

import sim


@pytest.fixture(scope="session")
def ladder_fight() -> sim.Scenario:
    """Playtest 1 with levels: the party wins four of five."""
    return sim.load("overhill/playtest-1-ladder")


@pytest.fixture(scope="session")
def playtest() -> sim.Scenario:
    """Playtest 1: the party nearly always wins."""
    return sim.load("overhill/playtest-1")

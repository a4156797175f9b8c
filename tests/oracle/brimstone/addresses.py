"""Numbers that addresses of random numbers are made of (the README of the ruleset, "Numbers that addresses use")."""

from __future__ import annotations

KINDS = 2_000  # the actor number of what a whole group does
LINES = 3_000  # of the count of an enemy line
CARDS = 4_000  # of the counts of a threat card
EVENTS = 5_000  # of what an event does
NEWCOMERS = 20_000  # of the creation of a model, plus its creation number
MOST_MODELS = 40  # BF-G9
STRIDE = 4_096  # dice of one batch of hits on a hero

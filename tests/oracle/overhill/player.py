"""The players by name."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.overhill.actions import Action
from tests.oracle.overhill.expert import expert_action, expert_stance
from tests.oracle.overhill.policies import (
    aggressive_action,
    aggressive_stance,
    cautious_action,
    cautious_stance,
    plain_action,
    plain_stance,
)
from tests.oracle.overhill.random_player import random_action, random_stance
from tests.oracle.overhill.state import Fight, Hero

STANCE_OF: dict[str, Callable[[Fight, Hero], str]] = {
    "random_legal": random_stance,
    "plain": plain_stance,
    "aggressive": aggressive_stance,
    "cautious": cautious_stance,
    "focus_expert": expert_stance,
    "prudent": cautious_stance,
}
ACTION_OF: dict[str, Callable[[Fight, Hero], Action]] = {
    "random_legal": random_action,
    "plain": plain_action,
    "aggressive": aggressive_action,
    "cautious": cautious_action,
    "focus_expert": expert_action,
    "prudent": cautious_action,
}

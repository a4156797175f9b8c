"""The five steps of docs/studio.md with the keyboard alone: nothing is clicked, and no script moves the focus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.scenario import load
from tests.browsers import chromium, opened
from tests.studio.conftest import studio_on

pytestmark = [pytest.mark.browser, pytest.mark.soak]

MOST_STOPS = 60  # of the Tab key from one step to the next: whoever needs more has lost patience

FOCUSED = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    const middle = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 20));
    const label = element.labels && element.labels[0];
    return {
        name: (element.getAttribute("aria-label") || (label || element).textContent || "").trim(),
        html: element.outerHTML.slice(0, 160),
        outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
        seen: box.width > 1 && middle !== null && (element.contains(middle) || middle.contains(element)),
    };
}"""


class Hands:
    """Somebody with a keyboard. Whatever has the focus must be seen to have it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.stops = 0

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """A text, over what is there."""
        self.press("Control+A")
        self.page.keyboard.type(text)

    def focused(self) -> dict[str, Any]:
        """What has the focus."""
        found = self.page.evaluate(FOCUSED)
        assert found, "nothing has the focus"
        assert found["outlined"], f"the focus cannot be seen on {found['html']}"
        assert found["seen"], f"{found['html']} has the focus and is hidden"
        return found  # type: ignore[no-any-return]

    def tab_to(self, name: str, key: str = "Tab") -> None:
        """With the Tab key to what has this in its name."""
        passed = []
        for _ in range(MOST_STOPS):
            self.press(key)
            self.stops += 1
            passed.append(self.focused()["name"][:40])
            if name in self.focused()["name"]:
                return
        raise AssertionError(f"no {name} within {MOST_STOPS} stops, but {passed}")


def test_how_many_skeletons_make_playtest_1_fair_with_the_keyboard_alone(tmp_path: Path) -> None:
    with studio_on(tmp_path) as running, chromium() as browser, opened(browser, accept_downloads=True) as page:
        page.goto(running.address)
        hands = Hands(page)

        # 1: find the fight
        hands.tab_to("Search")
        hands.type("playtest 1 skeletons")
        page.wait_for_selector("#found:has-text('fight')")
        hands.tab_to("Playtest 1")
        hands.press("Enter")
        page.wait_for_selector('#news[data-state="resting"]')

        # 2: the curve around the number of skeletons
        hands.tab_to("The win rate around the number of skeletons")
        hands.press("Enter")
        page.wait_for_selector("#around:has-text('Each known')")

        # 3: set it
        hands.tab_to("Set to 7")
        hands.press("Enter")
        page.wait_for_selector(".changes:has-text('seven skeletons (was three)')")
        hands.press("Escape")
        assert page.locator("#around").is_hidden()
        assert "number of skeletons" in hands.focused()["name"]  # where it was before the curve
        hands.press("Control+z")
        page.wait_for_selector('#field-enemies-0--count[value="3"]')
        hands.press("Control+y")
        page.wait_for_selector('#field-enemies-0--count[value="7"]')
        page.wait_for_selector('#news[data-state="resting"]')

        # 4: see a lost fight
        hands.tab_to("to the result", "Shift+Tab")
        hands.press("Enter")
        hands.tab_to("a typical loss")
        hands.press("Enter")
        page.wait_for_selector("body.replay")
        told = page.locator(".now").inner_text()
        hands.press("ArrowRight")
        assert page.locator(".now").inner_text() != told
        hands.tab_to("Back to the fight")
        hands.press("Enter")
        page.wait_for_selector(".changes:has-text('seven skeletons (was three)')")

        # what was done before the look at the replay can still be undone
        hands.tab_to("Undo")
        hands.press("Space")
        page.wait_for_selector('#field-enemies-0--count[value="3"]')
        hands.tab_to("Redo")
        hands.press("Space")
        page.wait_for_selector('#field-enemies-0--count[value="7"]')

        # 5: hand the file to a colleague
        hands.tab_to("Save …")
        hands.press("Enter")
        hands.type("fair.toml")
        hands.press("Enter")
        page.wait_for_selector("#saved:has-text('Saved as fair.toml')")
        hands.tab_to("Download it")
        with page.expect_download() as handed:
            hands.press("Enter")
        handed.value.save_as(tmp_path / "colleague.toml")

        assert load(tmp_path / "colleague.toml").digest == load(tmp_path / "fair.toml").digest
        assert load(tmp_path / "fair.toml").data["enemies"][0]["count"] == 7
        assert hands.stops < 100

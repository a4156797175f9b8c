"""The pictures of docs/studio.md, taken of a real studio: `python -m tests.studio.pictures`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browsers import LIMIT, chromium
from tests.studio.conftest import studio_on

PICTURES = Path(__file__).parents[2] / "docs/pictures"


def main() -> None:
    """Take them."""
    with tempfile.TemporaryDirectory() as folder, studio_on(Path(folder)) as running, chromium() as browser:
        page = browser.new_page(viewport={"width": 1180, "height": 820})
        page.set_default_timeout(LIMIT)
        page.goto(running.address)
        page.goto(f"{running.root}/fight?fight=overhill/playtest-1&set=enemies[0].count%3D7")
        page.click("text=Keep as A")
        page.wait_for_selector("#kept")
        page.fill("#field-enemies-0--count", "6")
        page.press("#field-enemies-0--count", "Enter")
        page.wait_for_selector("#versus:has-text('Decided after')")
        page.wait_for_selector('#news[data-state="resting"]')
        page.mouse.move(0, 0)
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=PICTURES / "studio-fight.png")
        page.click('[data-around="enemies[0].count"]')
        page.wait_for_selector("#around:has-text('Each known')")
        page.screenshot(path=PICTURES / "studio-around.png")


if __name__ == "__main__":
    main()

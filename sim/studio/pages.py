"""Templates: every text is escaped by Jinja, and no page has a script but the studio's own file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.replays.page import source
from sim.report.page import TEMPLATES as REPORT_TEMPLATES
from sim.report.page import add_filters
from sim.report.svg import COLOURS
from sim.scenario.wording import readable

if TYPE_CHECKING:
    import jinja2

HERE = Path(__file__).parent
STATIC = HERE / "static"
STATIC_FILES = {
    "studio.css": "text/css",
    "studio.js": "text/javascript",
    "board.js": "text/javascript",
    "trail.js": "text/javascript",
    "viewer.css": "text/css",
    "icon.svg": "image/svg+xml",
}


def rendered(template: str, **values: Any) -> str:
    """A page, or a part of one."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([HERE / "templates", REPORT_TEMPLATES]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    add_filters(environment)
    environment.filters["readable"] = readable
    return environment


@cache
def static_file(name: str) -> bytes:
    """A file of the page: its style with the colours of the figures, its scripts, its icon."""
    if name == "viewer.css":  # boards look as in the viewer
        return source(name).encode()
    text = (STATIC / name).read_text(encoding="utf-8")
    light = "\n".join(f"  --{role}: {colour};" for role, colour in COLOURS.items())
    return text.replace("/* the colours of the figures */", light.strip()).encode()

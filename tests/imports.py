"""Every import of a package, at any depth: at the top of a module, inside a function, for the type checker, by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Import:
    """One import: which module brings which other along."""

    module: str
    target: str  # a module of the package, or the package of somebody else
    inside: bool  # inside a function
    typing: bool  # under `if TYPE_CHECKING`, so never when the program runs


def modules_of(package: Path) -> dict[str, Path]:
    """Every module of a package, by its dotted name."""
    found = {}
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imports_of(modules: Mapping[str, Path]) -> list[Import]:
    """Every import of these modules."""
    return [
        Import(name, target, inside, typing)
        for name, file in modules.items()
        for node, inside, typing in _statements(ast.parse(file.read_text(encoding="utf-8")), False, False)
        for target in _targets(node, name, modules)
    ]


def loads_by_name(modules: Mapping[str, Path]) -> set[str]:
    """The modules that import whatever a text says."""
    found = set()
    for name, file in modules.items():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            word = getattr(called, "id", getattr(called, "attr", ""))
            if word in ("import_module", "__import__", "exec", "run_module"):
                found.add(name)
    return found


def cycles_of(imports: list[Import]) -> list[frozenset[str]]:
    """Modules that bring one another along when the program runs: each set of them, the largest first."""
    below: dict[str, set[str]] = {}
    for one in imports:
        if not one.typing:
            below.setdefault(one.module, set()).add(one.target)
    reached = {module: _reached(module, below) for module in below}
    rings = {
        frozenset(other for other in reached[module] if module in reached.get(other, ()))
        for module in below
        if module in reached[module]
    }
    return sorted(rings, key=lambda ring: (-len(ring), sorted(ring)))


def _reached(module: str, below: Mapping[str, set[str]]) -> set[str]:
    """Everything that a module brings along, itself included if it comes round to it."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        new = below.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _statements(node: ast.AST, inside: bool, typing: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool, bool]]:
    """Every import statement below a node, with where it stands."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, inside, typing
        elif isinstance(child, ast.If) and ast.unparse(child.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            for part in child.body:
                yield from _statements(ast.Module([part], []), inside, True)
            for part in child.orelse:
                yield from _statements(ast.Module([part], []), inside, typing)
        else:
            function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            yield from _statements(child, inside or function, typing)


def _targets(node: ast.Import | ast.ImportFrom, module: str, modules: Mapping[str, Path]) -> Iterator[str]:
    """The modules that one statement brings along; those of other packages by the name of the package."""
    if isinstance(node, ast.Import):
        named = [alias.name for alias in node.names]
    else:
        source = node.module or ""
        if node.level:
            package = module if modules[module].name == "__init__.py" else module.rpartition(".")[0]
            around = package.split(".")[: len(package.split(".")) - node.level + 1]
            source = ".".join([*around, source] if source else around)
        named = [f"{source}.{alias.name}" if f"{source}.{alias.name}" in modules else source for alias in node.names]
    own = {name.partition(".")[0] for name in modules}
    for name in dict.fromkeys(named):
        yield name if name.partition(".")[0] in own else name.partition(".")[0]

"""What docstrings and comments set in backticks exists: a name that is gone would mislead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import bpe_gui

PACKAGE = Path(bpe_gui.__file__).parent

FOREIGN = {"typing", "CACHE_DIR", "bytes_to_unicode", "toPlainText", "est", "saveHereAction"}
"""Names of others that are explained, a token, and an object that is named by its action."""

_NAMED = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`")
_LONGEST_KEY = 60
"""Characters of a text that may be a name of something: a key, an option, an object of Qt."""


def names_in(tree: ast.AST) -> Iterator[str]:
    """Find all names that a module defines, imports or uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg | ast.keyword):
            yield node.arg or ""
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")
        elif isinstance(node, ast.Constant):
            text = node.value if isinstance(node.value, str) else ""
            yield from re.findall(r"\w+", text) if len(text) < _LONGEST_KEY else ()


def test_what_is_named_is_there() -> None:
    sources = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    known = FOREIGN.copy()
    for path, source in sources.items():
        known.update(path.relative_to(PACKAGE).with_suffix("").parts)
        known.update(names_in(ast.parse(source)))
    gone = {
        f"{path.relative_to(PACKAGE)}: {named}"
        for path, source in sources.items()
        for named in _NAMED.findall(source)
        if not known.issuperset(named.split("."))
    }
    assert gone == set()

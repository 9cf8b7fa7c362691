"""The sentences of a panel are in the module `wording` of its folder, where one looks for them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bpe_gui.ui import panels

FOLDERS = sorted(path.parent for path in Path(panels.__path__[0]).glob("*/panel.py"))
OTHERS = ("set_keywords", "ValueError")
"""What takes words that are no sentence, or that nobody sees in the window, as `keywords=` does."""
WORD = re.compile(r"(?<![\w&;:\-])(?:[a-z]{2,}|a)(?![\w:;\-=])", re.IGNORECASE)
ENOUGH = 4


def unseen(tree: ast.AST) -> Iterator[ast.AST]:
    """Return what people do not read in the window, and the parts of texts with values in them."""
    for node in ast.walk(tree):
        name = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant):
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield from node.values
        elif isinstance(node, ast.Assert) or (isinstance(name, ast.Name) and name.id in OTHERS):
            yield from ast.walk(node)
        elif isinstance(node, ast.keyword) and node.arg == "keywords":
            yield node.value


def text_of(node: ast.AST) -> str:
    """Return a text as it is written, with an ellipsis for each value in it."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    if not all(isinstance(part, ast.Constant | ast.FormattedValue) for part in parts):
        return ""
    written = (part.value if isinstance(part, ast.Constant) else "…" for part in parts)
    return "".join(str(part) for part in written)


def sentences(code: str) -> list[str]:
    """Return the texts of four words and more that people read."""
    tree = ast.parse(code)
    left_out = {id(node) for node in unseen(tree)}
    texts = (text_of(node) for node in ast.walk(tree) if id(node) not in left_out)
    return [text for text in texts if len(WORD.findall(text)) >= ENOUGH]


def test_a_sentence_is_found_and_a_docstring_is_none() -> None:
    code = '"""What is said of a pair."""\nset_keywords(x, "one two three four")\n'
    code += 'add_action(x, keywords="one two three four")\n'
    assert sentences(code) == []
    assert sentences(f"{code}x = f'the bars begin at {{y}}, not at 0'") == [
        "the bars begin at …, not at 0"
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_all_sentences_of_a_panel_are_in_one_module(folder: Path) -> None:
    elsewhere = {
        path.name: found
        for path in folder.glob("*.py")
        if path.name not in ("__init__.py", "wording.py")
        and (found := sentences(path.read_text(encoding="utf-8")))
    }
    assert elsewhere == {}

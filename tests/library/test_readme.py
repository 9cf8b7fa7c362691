"""The examples of the README run as they stand, and give what their comments say."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


def test_the_examples_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = README.read_text("utf-8").partition("\n## As a library\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```python\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 3
    (tmp_path / "novel.txt").write_text("It was the best of times, the worst of times.\n" * 50)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    compared = 0
    for line in "".join(blocks).splitlines():
        code, _, comment = line.partition("  # ")
        value = _run(code, names)
        try:
            expected = ast.literal_eval(comment)
        except (SyntaxError, ValueError):  # prose
            continue
        assert value == expected, line
        compared += 1
    assert compared >= 5


def _run(line: str, names: dict[str, object]) -> object:
    """Run a line; returns its value, if it is an expression."""
    try:
        expression = compile(line, str(README), "eval")
    except SyntaxError:
        exec(line, names)
        return None
    return eval(expression, names)

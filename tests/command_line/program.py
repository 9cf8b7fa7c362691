"""What the tests of the command line have in common."""

from __future__ import annotations

import re
from types import SimpleNamespace

SENTENCES = (
    "This is a test.\nThis test is a small test of the tests.\nIs this — naïve 漢字 — tested?\n"
)

TEXT = "This is naïve 漢字: isn't it?  12345\n\n\t👍🏽"


def assert_fails(result: SimpleNamespace, message: str) -> None:
    """Status 2, one line on standard error, nothing on standard output."""
    assert result.status == 2
    assert result.out == ""
    assert re.fullmatch(r"bpe-gui: error: [^\n]+\n", result.err)
    assert message in result.err

"""What is said of a token that the pointer is on."""

from __future__ import annotations

from tokenizers import AddedToken

from bpe_gui.encodings.differences.alignment import CachedEncoder
from bpe_gui.ui.lanes.selection import describe
from tests.encodings.differences.test_added_token_causes import adding


def test_tokens_that_are_found_before_all_merges_are_told_from_others() -> None:
    tokens = [AddedToken("ab"), AddedToken("<c>", special=True)]
    cut = CachedEncoder(adding(tokens, [])).encode("ab<c>a")
    said = [[line for line in describe(cut, token) if " token" in line] for token in range(3)]
    assert said == [["an added token, found before any merge"], ["a special token"], []]

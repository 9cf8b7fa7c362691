"""What is written with escapes is read back exactly, and nothing of it is invisible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.ui.laboratory.escapes import escaped, unescaped

texts = st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from(" \n\t\\␣un0e\u0301")))


@given(texts)
def test_what_is_written_is_read_back(text: str) -> None:
    written = escaped(text)
    assert unescaped(written) == text
    assert written.isprintable()
    assert " " not in written


@given(st.text(st.sampled_from("\\uUntrx0d8e␣ ")))
def test_whatever_is_typed_is_a_text_that_can_be_shown_again(written: str) -> None:
    assert unescaped(escaped(unescaped(written))) == unescaped(written)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"\n\t\r\\", "\n\t\r\\"),
        (r"\\n", r"\n"),
        (r"\u00e9\U0001f600", "é😀"),
        (r"\ud800 \U00110000 \u12", r"\ud800 \U00110000 \u12"),
        ("\\", "\\"),
    ],
)
def test_escapes(written: str, text: str) -> None:
    assert unescaped(written) == text

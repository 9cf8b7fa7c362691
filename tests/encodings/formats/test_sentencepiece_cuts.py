"""Cuts of a text for models of SentencePiece that replace characters, or squeeze spaces: its parts
have the library's tokens of the whole.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.encodings.base import continued
from bpe_gui.encodings.formats import sentencepiece_models
from bpe_gui.encodings.formats.sentencepiece_models import SentencePieceEncoding, charsmap_of
from bpe_gui.encodings.formats.sentencepiece_tables import blanks_and_letters, replacements
from bpe_gui.encodings.measuring import measure as measuring
from tests.encodings.formats.test_sentencepiece_export import placed, trained

RULES = ("nmt_nfkc", "nmt_nfkc_cf", "nfkc", "identity")
KINDS = list(product(RULES, [True, False], [True, False]))
"""The normalization, whether spaces are squeezed, and whether one is put before a text."""

HOSTILE = [
    *(" ", "  ", "   ", "\n", "\n\n", "\t", "\r\n", "\u3000", "\xa0", "\u200b", "▁", "▁▁"),
    *("\ufeff", "\u0301", "\u030a", "\u0323", "\u0338", "¨", "ﬁ", "½", "Ⅷ", "ＡＢＣ", "각", "ㅤ", "ﾠ"),
    *("ᄀ", "ᅡ", "ᆨ", "か\u3099", "ｶﾞ", "漢", "İ", "ß", "ﷺ", "é", "e\u0301", "👍🏽", "\x00", "\xad"),
    *("low", "the", "e ", "x\n", "low the", "e\u0301 ", "漢 ", "ﾠ ", "ㅤ ", "ᆨ ", "<sep>", "12", "."),
]


@cache
def saved(rule: str, squeezes: bool, before: bool) -> bytes:
    return trained(
        vocab_size=340, byte_fallback=True, user_defined_symbols=["<sep>"],
        normalization_rule_name=rule, remove_extra_whitespaces=squeezes, add_dummy_prefix=before,
    )  # fmt: skip


@cache
def model(rule: str, squeezes: bool, before: bool) -> SentencePieceEncoding:
    data = saved(rule, squeezes, before)
    return SentencePieceEncoding(data, sentencepiece_models.outline_of(data), rule, rule)


hostile = st.lists(st.sampled_from(HOSTILE), max_size=12).map("".join)


@settings(max_examples=5 * settings.default.max_examples)
@given(st.sampled_from(KINDS), hostile, hostile)
def test_no_token_changes_at_a_safe_cut(
    kind: tuple[str, bool, bool], text: str, rest: str
) -> None:
    encoding = model(*kind)
    data = (text + rest).encode()
    place = encoding.safe_cut(text.encode())
    parts = placed(encoding, data[:place].decode())
    parts += placed(continued(encoding) if place else encoding, data[place:].decode(), place)
    assert parts == placed(encoding, text + rest)


@pytest.mark.parametrize("kind", KINDS)
def test_places_are_found(kind: tuple[str, bool, bool]) -> None:
    encoding = model(*kind)
    assert encoding.safe_cut(b"low lower! 12 x") == 3
    newline_is_a_space = kind[0].startswith("nmt")
    assert encoding.safe_cut(b"low\nlower! 12 x") == (3 if newline_is_a_space else 0)


@pytest.mark.parametrize("rule", RULES[:3])
def test_what_a_table_replaces_is_what_the_library_replaces(rule: str) -> None:
    data = saved(rule, False, False)
    found = replacements(charsmap_of(data))
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert len(found) > 200_000
    for text, what in [*found.items()][::97]:
        spelled = library.normalize(f"x{text.decode()}x").replace("▁", " ")
        assert spelled == f"x{what.decode()}x".replace("▁", " ")


@pytest.mark.parametrize("damaged", [b"\x08", b"\x08\0\0\0", b"\4\0\0\0\0\1\0\0", bytes(4)])
def test_a_damaged_table_is_refused(damaged: bytes) -> None:
    with pytest.raises(ValueError, match="cut off"):
        blanks_and_letters(damaged)


def test_a_large_text_is_measured_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding = model("nmt_nfkc", True, True)
    monkeypatch.setattr(measuring, "PIECE", 100)
    monkeypatch.setattr(measuring, "MAX_WHOLE", 2000)
    path = tmp_path / "text.txt"
    text = "the  low \u3000 newest\n\n ＡＢＣ é e\u0301 ﬁne  " * 300
    path.write_text(text, "utf-8")
    ids, uses = measuring.measure(encoding, Corpus([path])).counts.histogram()
    whole = encoding.encode(text).ids.tolist()
    assert dict(zip(ids.tolist(), uses.tolist(), strict=True)) == {
        token: whole.count(token) for token in set(whole)
    }

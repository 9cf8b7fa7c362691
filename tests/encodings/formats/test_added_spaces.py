"""Added tokens whose names have the mark for spaces, as Gemma's: what they stand for."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding

ADDED = ["▁▁", "▁▁▁", "\n\n", "<b>"]


def gemma(*, unigram: bool = False, normalized: bool = False) -> Tokenizer:
    """A tokenizer with the steps of Gemma, which makes its added tokens by merges, too."""
    texts = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *"▁\nab", *ADDED, "▁a"]
    merges = [("\n", "\n"), ("▁", "▁"), ("▁▁", "▁"), ("▁", "a")]
    model: models.Model = models.BPE(
        vocab={text: token for token, text in enumerate(texts)},
        merges=merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True,
    )  # fmt: skip
    if unigram:
        scored = [(text, -1.0 - 0.5 * len(text)) for text in texts]
        model = models.Unigram(scored, 0, byte_fallback=True)
    made = Tokenizer(model)
    made.normalizer = normalizers.Replace(" ", "▁")
    made.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    made.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    made.add_tokens([AddedToken(text, normalized=normalized) for text in ADDED])
    return made


kinds = st.fixed_dictionaries({"unigram": st.booleans(), "normalized": st.booleans()})


@given(kinds, st.text(" \nab", max_size=12))
@example({"unigram": False, "normalized": False}, "a  a")
@example({"unigram": False, "normalized": True}, "a   a")
def test_their_bytes_spell_the_text(kind: dict[str, bool], text: str) -> None:
    library = gemma(**kind)
    encoding = HuggingFaceEncoding(library, "gemma.json")
    found = encoding.encode(text)
    assert found.ids.tolist() == library.encode(text).ids
    data = text.encode()
    assert b"".join(map(encoding.token_bytes, found.ids.tolist())) == data
    for token, start, end in zip(found.ids, found.starts, found.ends, strict=True):
        assert encoding.token_bytes(int(token)) == data[start:end]


def test_white_space_that_normalization_makes_a_space_of_is_none_that_is_added() -> None:
    """T5's steps strip the end of a text, but not a tab within it."""
    made = Tokenizer(models.Unigram([("<unk>", -9.0), ("▁", -1.0), ("a", -1.0), ("b", -1.0)], 0))
    made.normalizer = normalizers.Sequence([
        normalizers.Replace("\t", " "), normalizers.Strip(left=False, right=True),
    ])  # fmt: skip
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    found = HuggingFaceEncoding(made, "t5.json").encode("a\tb")
    places = zip(found.ids.tolist(), found.starts.tolist(), found.ends.tolist(), strict=True)
    assert list(places) == [(1, 0, 0), (2, 0, 1), (1, 1, 2), (3, 2, 3)]


@pytest.mark.parametrize("normalized", [False, True])
def test_only_what_is_found_before_all_else_is_added(*, normalized: bool) -> None:
    encoding = HuggingFaceEncoding(gemma(normalized=normalized), "gemma.json")
    spaces, lines, angled = encoding.encode("  \n\n<b>").ids.tolist()
    assert encoding.id_to_token(spaces) == "▁▁"
    # Merges make one of spaces where names are looked for in the text as it is.
    assert [encoding.is_added(token) for token in (spaces, lines, angled)] == [
        normalized, True, True
    ]  # fmt: skip
    assert encoding.token_to_id(b"  ") == spaces

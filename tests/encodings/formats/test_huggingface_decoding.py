"""Decoding of tokenizer.json gives what the library gives, whatever its model and decoder."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.measuring.measure import decoded

ENTRIES = [
    *("[UNK]", "a", "##a", "##", "é", "Ã", "©", "ÃĤ", "Ġ", "Ġa", "▁", "▁a", "a▁", "a</w>", "</w>"),
    *("naïve", "漢", "\ufffd", "\U0010ffc3", " ", " .", "n't", ".", "|", "<pad>", "Ġé▁"),
    *("<0xC3>", "<0xA9>", "<0xe2>", "<0x41>", "<0x+A>", "<0xF0>", "<0x9F>", "<0xA6>", "<0x9C>"),
]
ADDED = ["naïve tea", "é é", "▁<x>", "<0x80>"]
SPECIAL = ["<s>", "<ÃĤ>", "Ċ"]

STEPS = [
    decoders.ByteLevel(), decoders.ByteFallback(), decoders.Fuse(), decoders.WordPiece(),
    decoders.WordPiece(prefix="##", cleanup=False), decoders.BPEDecoder(), decoders.CTC(),
    decoders.Metaspace(), decoders.Metaspace(prepend_scheme="never", split=False),
    decoders.Strip(" ", 1, 0), decoders.Strip("a", 2, 0), decoders.Replace("▁", " "),
    decoders.Replace(Regex("a+"), "\ufffd"), decoders.Replace("<0xC3>", "<0xA9>"),
]
LLAMA = decoders.Sequence(
    [
        decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
        decoders.Strip(" ", 1, 0),
    ]
)
any_decoder = st.one_of(
    st.none(), st.sampled_from([*STEPS, LLAMA]),
    st.lists(st.sampled_from(STEPS), max_size=4).map(decoders.Sequence),
)
any_ids = st.lists(st.integers(0, len(ENTRIES) + len(ADDED) + len(SPECIAL) - 1), max_size=12)


def tokenizer(kind: str) -> Tokenizer:
    """A tokenizer of these entries."""
    vocabulary = {text: token for token, text in enumerate(ENTRIES)}
    made = {
        "BPE": lambda: models.BPE(vocab=vocabulary, merges=[("Ġ", "a")], unk_token="[UNK]"),
        "fallback": lambda: models.BPE(vocab=vocabulary, merges=[], byte_fallback=True),
        "WordPiece": lambda: models.WordPiece(vocabulary, unk_token="[UNK]"),
        "Unigram": lambda: models.Unigram([(text, -1.0) for text in ENTRIES], 0, True),
        "WordLevel": lambda: models.WordLevel(vocabulary, unk_token="[UNK]"),
    }[kind]()
    return Tokenizer(made)


KINDS = ["BPE", "fallback", "WordPiece", "Unigram", "WordLevel"]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=settings.default.max_examples // 3)
@given(
    decoder=any_decoder, ids=any_ids, cut=st.integers(0, 12), byte_level=st.booleans(),
    normalizer=st.sampled_from([None, normalizers.Lowercase(), normalizers.Prepend("▁")]),
)
def test_decoding_is_the_librarys(
    kind: str,
    decoder: decoders.Decoder | None,
    ids: list[int],
    cut: int,
    byte_level: bool,
    normalizer: normalizers.Normalizer | None,
) -> None:
    library = tokenizer(kind)
    if decoder is not None:
        library.decoder = decoder
    if byte_level:
        library.pre_tokenizer = pre_tokenizers.ByteLevel()
    if normalizer is not None:
        library.normalizer = normalizer
    library.add_tokens(ADDED)
    library.add_special_tokens(SPECIAL)
    encoding = HuggingFaceEncoding(Tokenizer.from_str(library.to_str()), "")
    text = library.decode(ids, skip_special_tokens=False)
    assert encoding.decode(ids) == text
    data = encoding.decode_bytes(ids)
    if "\ufffd" not in text:
        assert data.decode("utf-8") == text
    assert b"".join(decoded(encoding, [ids[:cut], ids[cut:]], "")) == data


def ids_of(encoding: HuggingFaceEncoding, *texts: str) -> list[int]:
    """The tokens that are written so."""
    written = {encoding.id_to_token(token): token for token in range(encoding.vocabulary_size)}
    return [written[text] for text in texts]


def test_bytes_that_are_no_characters_are_kept() -> None:
    library = tokenizer("fallback")
    library.decoder = LLAMA
    encoding = HuggingFaceEncoding(library, "")
    ids = ids_of(encoding, "▁a", "<0xC3>", "<0xA9>", "<0xe2>", "<0x41>", "▁", "<0xC3>", "<0xA9>")
    assert encoding.decode(ids) == "a\ufffd\ufffd\ufffd\ufffd é"
    assert encoding.decode_bytes(ids) == b"a\xc3\xa9\xe2A \xc3\xa9"
    # What looks like the bytes here is text.
    ids = ids_of(encoding, "\U0010ffc3", "\ufffd", "<0xC3>", "a")
    assert encoding.decode_bytes(ids) == "\U0010ffc3\ufffd\ufffda".encode()


def test_an_added_token_is_decoded_like_all_others() -> None:
    library = tokenizer("BPE")
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    library.add_tokens(["naïve", "日本"])
    encoding = HuggingFaceEncoding(library, "")
    ids = encoding.encode("naïve日本").ids.tolist()
    assert [encoding.token_bytes(token).decode() for token in ids] == ["naïve", "日本"]
    assert encoding.decode(ids) == "na\ufffdve日本"
    assert encoding.decode_bytes(ids) == b"na\xefve" + "日本".encode()

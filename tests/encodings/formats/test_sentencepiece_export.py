"""SentencePiece's byte-pair models as tokenizer.json: ids are those of sentencepiece."""

from __future__ import annotations

import io
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sentencepiece
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, normalizers

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.encodings.base import Encoding, ExportError, continued
from bpe_gui.encodings.convert import convert, written_otherwise
from bpe_gui.encodings.formats import sentencepiece_export, sentencepiece_models
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.sentencepiece_models import (
    PieceType,
    SentencePieceEncoding,
    from_pieces,
)
from bpe_gui.encodings.measuring import measure as measuring
from bpe_gui.encodings.parallel_texts import sample_texts
from bpe_gui.encodings.smaller import first_merges, used_tokens
from tests.encodings.formats.test_sentencepiece_models import WORDS
from tests.encodings.formats.test_sentencepiece_models import texts as other_texts
from tests.encodings.makers import HARD, file_of

SYMBOLS = ["<sep>", "<🦜>", "▁▁", "\n\n", "\n", "low", "(*)", "[a|b]"]
KINDS: dict[str, dict[str, Any]] = {
    "bytes": {"byte_fallback": True, "vocab_size": 330},
    "no bytes": {"vocab_size": 80},
    "no space before": {"add_dummy_prefix": False, "vocab_size": 80},
    "squeezed": {"remove_extra_whitespaces": True, "vocab_size": 80},
    "symbols": {"byte_fallback": True, "vocab_size": 340, "user_defined_symbols": SYMBOLS},
    "symbols, no space before": {
        "add_dummy_prefix": False, "vocab_size": 90, "user_defined_symbols": SYMBOLS
    },
    "symbols, squeezed": {
        "remove_extra_whitespaces": True, "vocab_size": 90,
        "user_defined_symbols": [each for each in SYMBOLS if "▁" not in each],
    },
    "characters": {"model_type": "char", "vocab_size": 50},
    "across spaces": {"split_by_whitespace": False, "vocab_size": 90},
}
texts = other_texts | st.lists(
    st.sampled_from([*WORDS, *SYMBOLS, " ", "  ", "▁", "<s>", "</s>", "<unk>", "<0x0A>", "\r\n"]),
    max_size=9,
).map("".join)


def trained(**options: Any) -> bytes:
    chance = random.Random(1)
    model = io.BytesIO()
    given = {
        "model_type": "bpe", "normalization_rule_name": "identity", "hard_vocab_limit": False,
        "remove_extra_whitespaces": False, "minloglevel": 3, "control_symbols": ["<ctl>"],
    }  # fmt: skip
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(" ".join(chance.choices(WORDS, k=6)) for _ in range(300)),
        model_writer=model, **{**given, **options},
    )  # fmt: skip
    return model.getvalue()


Pair = tuple[SentencePieceEncoding, sentencepiece.SentencePieceProcessor, Tokenizer]


@cache
def written(kind: str) -> Pair:
    data = trained(**KINDS[kind])
    outline = sentencepiece_models.outline_of(data)
    encoding = SentencePieceEncoding(data, outline, kind, kind)
    processor = sentencepiece.SentencePieceProcessor(model_proto=data)
    return encoding, processor, Tokenizer.from_str(sentencepiece_export.to_json(encoding))


@settings(max_examples=5 * settings.default.max_examples)
@example("symbols", "<sep> low<sep>▁▁ \n\n")
@example("squeezed", "  a   b  ▁")
@example("symbols, squeezed", "▁▁")
@given(st.sampled_from(list(KINDS)), texts)
def test_ids_are_those_of_sentencepiece(kind: str, text: str) -> None:
    encoding, processor, library = written(kind)
    found, expected = library.encode(text).ids, processor.encode(text)
    symbols = KINDS[kind].get("user_defined_symbols", ())
    if sentencepiece_export.note(encoding) and text in symbols:
        # As the note says.
        assert found == [processor.piece_to_id(text)]
        assert len(expected) == 2
    else:
        assert found == expected


def test_special_symbols_stay_special_and_others_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    options = {"user_defined_symbols": ["<mask>", "\n"], "add_dummy_prefix": False}
    path.write_bytes(trained(**options, byte_fallback=True, vocab_size=340))
    encoding = sentencepiece_models.read(path)
    written = HuggingFaceEncoding(Tokenizer.from_str(sentencepiece_export.to_json(encoding)), "x")
    found = {added.content: bool(added.special) for added in written.added_tokens.values()}
    assert found == {"<mask>": True, "\n": False}
    for as_text in (False, True):
        ids = encoding.encode("low\n<mask>", specials_as_text=as_text).ids.tolist()
        assert written.encode("low\n<mask>", specials_as_text=as_text).ids.tolist() == ids
        assert (encoding.pieces().index(("<mask>", PieceType.USER_DEFINED)) in ids) != as_text


Place = tuple[int, int, int]


def placed(encoding: Encoding, text: str, offset: int = 0) -> list[Place]:
    tokens = encoding.encode(text)
    starts, ends = tokens.starts + offset, tokens.ends + offset
    return list(zip(tokens.ids.tolist(), starts.tolist(), ends.tolist(), strict=True))


@settings(max_examples=5 * settings.default.max_examples)
@example("bytes", "low  lower", "est")
@given(st.sampled_from(list(KINDS)), texts, texts)
def test_no_token_changes_at_a_safe_cut(kind: str, text: str, rest: str) -> None:
    encoding, _, _ = written(kind)
    data = (text + rest).encode()
    place = encoding.safe_cut(text.encode())
    parts = placed(encoding, data[:place].decode())
    parts += placed(continued(encoding) if place else encoding, data[place:].decode(), place)
    assert parts == placed(encoding, text + rest)


@pytest.mark.parametrize("kind", list(KINDS))
def test_places_are_found_where_words_begin_with_spaces(kind: str) -> None:
    known = kind not in ("characters", "across spaces")
    assert written(kind)[0].safe_cut(b"low lower! 12 x") == (3 if known else 0)


def test_a_large_text_is_encoded_and_measured_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding, processor, _ = written("symbols")
    monkeypatch.setattr(measuring, "PIECE", 100)
    text = "".join(f"low  lower {word}\n\n<sep> newest" for word in WORDS) * 3
    blocks = [text[at : at + 40].encode() for at in range(0, len(text), 40)]
    parts = list(measuring.pieces(encoding, blocks, "it"))
    assert len(parts) > 5
    encoders = [encoding, *[continued(encoding)] * (len(parts) - 1)]
    found = [e.encode(part).ids.tolist() for e, part in zip(encoders, parts, strict=True)]
    assert [token for ids in found for token in ids] == processor.encode(text)
    path = tmp_path / "text.txt"
    path.write_text(f"{text}", "utf-8")
    other = tmp_path / "other.txt"
    other.write_text("low", "utf-8")
    for sources in ([path], [path, other], [other, path, other]):
        whole = [processor.encode(each.read_text("utf-8")) for each in sources]
        expected, counts = np.unique([t for ids in whole for t in ids], return_counts=True)
        ids, uses = measuring.measure(encoding, Corpus(sources)).counts.histogram()
        assert dict(zip(ids.tolist(), uses.tolist(), strict=True)) == dict(
            zip(expected.tolist(), counts.tolist(), strict=True)
        )


@pytest.mark.parametrize("kind", list(KINDS))
def test_ids_of_prose_and_of_hard_texts(kind: str) -> None:
    _, processor, library = written(kind)
    for text in (*HARD, *sample_texts()):
        assert library.encode(text).ids == processor.encode(text)


def test_ids_of_a_maker(tmp_path: Path) -> None:
    for name in ("tokenizer.model.v1", "mistral_instruct_tokenizer_240323.model.v3"):
        path = file_of("mistral_common", f"data/{name}")
        encoding = sentencepiece_models.read(path)
        convert(encoding, tmp_path / "tokenizer.json", HARD)
        assert bool(written_otherwise(encoding)) == name.endswith("v3")
        library = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
        processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
        for text in (*HARD, *sample_texts()):
            assert library.encode(text).ids == processor.encode(text)
            assert library.decode(processor.encode(text)) == processor.decode(
                processor.encode(text)
            )


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from(["bytes", "symbols", "squeezed", "across spaces"]), texts)
def test_a_model_is_made_smaller(
    tmp_path_factory: pytest.TempPathFactory, kind: str, text: str
) -> None:
    encoding, _, library = written(kind)
    text = f"a {text}".replace("\0", "").replace("\r", "")  # which no text file has or keeps
    path = tmp_path_factory.getbasetemp() / "used.txt"
    path.write_bytes(text.encode())
    cut = used_tokens(encoding, Corpus([path]))
    ids = dict(cut.ids.tolist())
    assert cut.encoding.encode(text).ids.tolist() == [ids[t] for t in library.encode(text).ids]
    assert len(cut.ids) < len(encoding.ids)
    first = first_merges(encoding, 0)
    assert first.merges == 0
    assert first.encoding.decode(first.encoding.encode("low").ids.tolist()).strip() == "low"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"normalization_rule_name": "nfkc"}, "replaces characters by a table"),
        ({"treat_whitespace_as_suffix": True}, "puts spaces behind words"),
        ({"user_defined_symbols": ["a b"]}, "the user-defined symbol 'a b', whose spaces"),
        ({"model_type": "unigram"}, "is not a byte-pair encoding but Unigram"),
    ],
)
def test_what_tokenizer_json_cannot_do_is_refused(
    options: dict[str, Any], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "any.model"
    path.write_bytes(trained(**{"vocab_size": 80, **options}))
    with pytest.raises(ExportError, match=why):
        convert(sentencepiece_models.read(path), tmp_path / "tokenizer.json", [])


def test_the_librarys_step_for_such_tables_is_not_sentencepieces() -> None:
    """`Precompiled` reads the same table, but looks up a grapheme by its beginning, and only short
    ones: it drops accents, and does not compose kana or jamo. Were it mended, models with a table
    could be converted.
    """
    model = trained(vocab_size=80, normalization_rule_name="nfkc", add_dummy_prefix=False)
    (table,) = (
        model[inner.start : inner.end]
        for field in sentencepiece_models.fields(model) if field.number == 3
        for inner in sentencepiece_models.fields(model, field.start, field.end)
        if inner.number == 2
    )  # fmt: skip
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    library = normalizers.Precompiled(table)
    for text in ("ﬁ\u0301", "e\u0301\u0302", "ｶﾞ", "\u1112\u1161\u11ab"):
        assert library.normalize_str(text) != processor.normalize(text)
    for text in ("ﬁ", "Ⅷ", "ＡＢＣ", "e\u0301"):
        assert library.normalize_str(text) == processor.normalize(text)


@given(st.sets(st.integers(2, 17), min_size=1, max_size=14), st.lists(st.integers(0, 70)))
def test_runs_of_spaces_with_one_score_are_merged_from_the_left(
    sizes: set[int], runs: list[int]
) -> None:
    """Llama 2 and Mistral have such pieces."""
    texts = ["▁a", *("▁" * size for size in sorted(sizes)), "▁", "a"]
    encoding = from_pieces(
        ["<unk>", *texts], [0.0, -1.0, *[-1e9] * len(sizes), -2.0, -3.0],
        [PieceType.UNKNOWN, *[PieceType.NORMAL] * len(texts)], name="any", path="any",
    )  # fmt: skip
    library = Tokenizer.from_str(sentencepiece_export.to_json(encoding))
    for text in ("a".join(" " * size for size in runs), *(" " * size for size in range(60))):
        assert library.encode(text).ids == encoding.encode(text).ids.tolist()


@pytest.mark.parametrize(
    ("pieces", "why"),
    [
        ({"ab": -1.0, "ba": -1.0, "a": -2.0, "b": -3.0}, "several pieces the same score"),
        ({"ab": -1.0, "a": -2.0}, "of 'b', which is no piece"),
        ({"ab": -1.0, "a": -2.0, "b": -3.0, "x": None}, "has unused pieces"),
    ],
)
def test_scores_that_are_no_order_are_refused(pieces: dict[str, float | None], why: str) -> None:
    kinds = [
        PieceType.UNUSED if score is None else PieceType.NORMAL for score in pieces.values()
    ]
    encoding = from_pieces(
        ["<unk>", *pieces], [0.0, *(score or -9.0 for score in pieces.values())],
        [PieceType.UNKNOWN, *kinds], name="any", path="any",
    )  # fmt: skip
    with pytest.raises(ExportError, match=why):
        sentencepiece_export.to_json(encoding)

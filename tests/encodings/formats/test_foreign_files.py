"""Files of BERT, CLIP, subword-nmt and fastBPE are read as their makers' libraries read them."""

from __future__ import annotations

import gzip
import io
import json
import sys
import unicodedata
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import sentencepiece
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer, Tokenizer, models

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokenizer as OurTokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings import save
from bpe_gui.encodings.base import Encoding, EncodingError, Model
from bpe_gui.encodings.convert import convert
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.split_patterns import NAMED_PATTERNS
from bpe_gui.encodings.going_on import recipe_going_on
from bpe_gui.encodings.import_history import history_with_ids
from bpe_gui.encodings.load import Format, encodings_among, open_encoding, recognise
from tests.encodings.makers import HARD, file_of, module_of, texts


def write(path: Path, lines: list[str], end: str = "\n") -> Path:
    path.write_bytes("".join(line + end for line in lines).encode("utf-8"))
    return path


def refused(path: Path) -> str:
    with pytest.raises(EncodingError) as caught:
        open_encoding(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- BERT ----------------------------------------------------------------------------------------

UNCASED = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
UNCASED += ["!", "é", "cafe", "the", "low"]
UNCASED += ["##er", "##s", "中", "un", "##low", "a", "##a", "1", "##2", "'", "s", "it", "naive"]
CASED = [*UNCASED, "The", "É", "café"]


@pytest.mark.parametrize(
    ("lines", "config", "guess", "options"),
    [
        (UNCASED, None, "an uncased vocabulary of BERT: 24 entries", {"lowercase": True}),
        (CASED, None, "a cased vocabulary of BERT: 27 entries", {"lowercase": False}),
        (CASED, {"do_lower_case": True}, "", {"lowercase": True}),
        (
            UNCASED,
            {"do_lower_case": True, "strip_accents": False},
            "",
            {"lowercase": True, "strip_accents": False},
        ),
        (
            CASED,
            {"do_lower_case": False, "tokenize_chinese_chars": False},
            "",
            {"lowercase": False, "handle_chinese_chars": False},
        ),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_bert_has_the_ids_of_the_library(
    tmp_path: Path,
    lines: list[str],
    config: dict[str, Any] | None,
    guess: str,
    options: dict[str, Any],
    end: str,
) -> None:
    path = write(tmp_path / "vocab.txt", lines, end)
    if config is not None:
        (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    assert recognise(path) is recognise(tmp_path) is Format.BERT
    encoding = open_encoding(path)
    assert isinstance(encoding, HuggingFaceEncoding)
    assert encoding.guess == (f"read as {guess}" if guess else "")
    assert encoding.model is Model.WORDPIECE
    library = BertWordPieceTokenizer(str(write(tmp_path / "plain.txt", lines)), **options)
    own = ["The café lowers 1222 CAFÉ's naïve cafe\u0301 unlow!", "中low中 [MASK] 日[SEP]"]
    for text in [*own, *HARD]:
        expected = library.encode(text, add_special_tokens=False).ids
        assert encoding.encode(text).ids.tolist() == expected
    assert encoding.is_unknown(encoding.encode("zzz").ids.tolist()[0])
    assert open_encoding(tmp_path).encode("low").ids.tolist() == [10]


def test_bert_without_unknown_words_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "vocab.txt", [*UNCASED[:2], "[UNK]", "[CLS]", "low"])
    assert recognise(path) is Format.BERT
    text = write(tmp_path / "text", ["[UNK] is a token", "[CLS]", "[PAD]"])
    assert recognise(text) is None
    path.write_bytes(path.read_bytes() + b"\xff\n")
    assert "is not UTF-8 text" in refused(path)


# -- CLIP ----------------------------------------------------------------------------------------

HEADER = '"bpe_simple_vocab_16e6.txt#version: 0.2'
CLIP = [HEADER, "l o", "lo w</w>", "Ã ©</w>", "lo w", "low e"]


def test_clip_packed_or_not(tmp_path: Path) -> None:
    path = write(tmp_path / "clip.txt", CLIP)
    packed = tmp_path / "clip.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert recognise(path) is recognise(packed) is Format.CLIP
    encoding = open_encoding(packed)
    assert encoding.vocabulary_size == 512 + 5 + 2
    assert encoding.encode(" LOW\n low\té ").ids.tolist() == [513, 513, 514]
    assert encoding.encode("<|startoftext|>l").ids.tolist() == [517, 256 + 75]
    assert encoding.decode([513, 514]) == "low é "
    assert encoding.token_bytes(513) == b"low"
    assert open_encoding(path).encode("low").ids.tolist() == [513]
    convert(encoding, tmp_path / "tokenizer.json", ["low é"])
    assert open_encoding(tmp_path / "tokenizer.json").encode("low é").ids.tolist() == [513, 514]


@pytest.mark.parametrize("line", ["low", "a b c", "日 本", "</w> </w>"])
def test_broken_lines_of_clip_are_named(tmp_path: Path, line: str) -> None:
    path = write(tmp_path / "clip.txt", [*CLIP[:3], line, *CLIP[3:]])
    assert "clip.txt, line 4: expected two tokens and a space" in refused(path)


@pytest.fixture(scope="module")
def clip() -> tuple[Encoding, Any, Any]:
    """The encoding, OpenCLIP's, and how OpenCLIP repairs a text before all else."""
    path = file_of("open_clip", "bpe_simple_vocab_16e6.txt.gz")
    pytest.importorskip("ftfy")  # which the package imports
    with pytest.MonkeyPatch.context() as patch:
        torch: Any = ModuleType("torch")  # only its types are named
        torch.LongTensor = torch.Tensor = object
        patch.setitem(sys.modules, "torch", torch)
        library = module_of("open_clip", "tokenizer")
    return open_encoding(path), library.SimpleTokenizer(str(path)), library.basic_clean


def test_hard_texts_have_the_ids_of_open_clip(clip: tuple[Encoding, Any, Any]) -> None:
    encoding, library, repair = clip
    assert encoding.vocabulary_size == library.vocab_size
    for text in HARD:
        ids = encoding.encode(repair(text), specials_as_text=True).ids.tolist()
        assert ids == library.encode(text)


@given(text=texts.filter(lambda text: "Σ" not in text and "İ" not in text))
def test_any_text_has_the_ids_of_open_clip(clip: tuple[Encoding, Any, Any], text: str) -> None:
    encoding, library, repair = clip
    repaired = repair(text)
    ids = encoding.encode(repaired, specials_as_text=True).ids.tolist()
    assert ids == library.encode(repaired)


def test_a_run_of_open_clip_has_its_ids(clip: tuple[Encoding, Any, Any]) -> None:
    encoding, library, repair = clip
    history, numbers = history_with_ids(encoding)
    assert len(history) == 48_894
    tokenizer, ids = OurTokenizer(history), np.array(numbers)
    for text in map(repair, HARD):
        found = tokenizer.encode_ids(text, specials_as_text=True)
        assert ids[found].tolist() == library.encode(text)


# -- subword-nmt and fastBPE ---------------------------------------------------------------------

JOINED = ["l o", "lo w</w>", "e r</w>", "lo w", "low er</w>", "n e", "lo w", "é t", "a b"]
SEPARATE = ["l o", "lo w", "r </w>", "e r</w>", "low er</w>", "low </w>", "é t"]


def codes(tmp_path: Path, kind: str) -> Path:
    lines = {
        "0.2": ["#version: 0.2", *JOINED],
        "0.1": SEPARATE,
        "#0.1": ["#version: 0.1", *SEPARATE],
        "fastBPE": [f"{line} {100 - number}" for number, line in enumerate(JOINED)],
    }
    return write(tmp_path / "codes", lines[kind])


@pytest.mark.parametrize("kind", ["0.2", "0.1", "#0.1", "fastBPE"])
def test_codes_are_recognised_and_encode(tmp_path: Path, kind: str) -> None:
    path = codes(tmp_path, kind)
    assert recognise(path) is Format.SUBWORD_CODES
    encoding = open_encoding(path)
    assert encoding.model is Model.BPE
    text = " low lower  new\nlowlow ét日ét "
    tokens = encoding.encode(text)
    data = text.encode()
    parts = [data[a:b].decode() for a, b in zip(tokens.starts, tokens.ends, strict=True) if a < b]
    assert parts == [
        *("low", "lower", "ne" if kind in ("0.2", "fastBPE") else "n"),
        *(("w",) if kind in ("0.2", "fastBPE") else ("e", "w")),
        *("low", "low", "ét", "日", *(("é", "t") if kind in ("0.2", "fastBPE") else ("ét",))),
    ]
    unknown = [token for token in tokens.ids.tolist() if encoding.is_unknown(token)]
    assert unknown
    assert encoding.decode(encoding.encode("low lower").ids.tolist()).strip() == "low lower"
    found, others = encodings_among([str(path)])
    assert (found, others) == ([str(path)], [])


@pytest.mark.parametrize("kind", ["0.2", "0.1", "fastBPE"])
@given(text=st.text("low ert\n\r\u3000éO日", max_size=20))
@example(text="wO")
@example(text="low日 Oe")
@example(text="low<unk> <unk>")
def test_codes_are_a_run(
    tmp_path_factory: pytest.TempPathFactory, kind: str, text: str
) -> None:
    """The end of a word is behind its last character, also behind an unknown one; the token for
    unknown characters is not looked for in a text.
    """
    encoding = open_encoding(codes(tmp_path_factory.getbasetemp(), kind))
    history, numbers = history_with_ids(encoding)
    ours, theirs = OurTokenizer(history, compiled=False).encode(text), encoding.encode(text)
    ids = np.append(numbers, NO_TOKEN)[ours.ids]
    assert ids.tolist() == theirs.ids.tolist()
    assert ours.starts.tolist() == theirs.starts.tolist()
    assert ours.ends.tolist() == theirs.ends.tolist()


@pytest.mark.parametrize("kind", ["0.2", "0.1", "fastBPE"])
def test_training_goes_on_from_codes(tmp_path: Path, kind: str) -> None:
    """The library reads what is written, and gives old text its old ids."""
    encoding = open_encoding(codes(tmp_path, kind))
    recipe = recipe_going_on(encoding).with_changes(vocabulary_size=None, merges=20)
    words = WordCounts.from_pairs([("tower", 5), ("wert", 3)], recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(1000)
    save.format_of("more.json").write(trainer.history, tmp_path / "more.json", None)
    more = open_encoding(tmp_path / "more.json")
    for text in ("low lower", "日low lo<unk> é"):
        assert more.encode(text).ids.tolist() == encoding.encode(text).ids.tolist()
    assert len(more.encode("tower").ids) < len(encoding.encode("tower").ids)


def test_merges_beside_a_vocabulary_stay_gpt2s(tmp_path: Path) -> None:
    write(tmp_path / "merges.txt", ["#version: 0.2", "l o", "lo w</w>"])
    assert recognise(tmp_path / "merges.txt") is Format.SUBWORD_CODES
    (tmp_path / "vocab.json").write_text('{"l": 0, "o": 1, "lo": 2}')
    assert recognise(tmp_path / "merges.txt") is Format.GPT2


@pytest.mark.parametrize("line", ["low", "a b c", "a b 5 6", "", "  "])
def test_broken_codes_are_named(tmp_path: Path, line: str) -> None:
    lines = ["#version: 0.2", *(f"x y{number}</w>" for number in range(20_000)), line, "a b"]
    path = write(tmp_path / "codes", lines)
    assert "codes, line 20,002: expected two tokens and a space" in refused(path)


def starts_of(segmented: list[str], text: str) -> list[int]:
    """Where the segments of words begin in a text, in characters."""
    starts, place = [], 0
    for segment in segmented:
        part = segment.removesuffix("@@")
        while not text.startswith(part, place) or text[place] in " \n":
            place += 1
        starts.append(place)
        place += len(part)
    return starts


words = st.text("lowernabé t \n日x", max_size=40) | texts.map(
    lambda text: text.replace("\r", " ").replace("@", "").replace("\ue000", "")
)


@pytest.fixture(scope="module", params=["0.2", "0.1"])
def subword(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Encoding, Any]:
    """An encoding, and subword-nmt's of the same codes, learned of a text by subword-nmt."""
    learn = module_of("subword_nmt", "learn_bpe")
    apply = module_of("subword_nmt", "apply_bpe")
    path = tmp_path_factory.mktemp("codes") / "codes"
    if request.param == "0.1":
        write(path, SEPARATE)
    else:
        written = io.StringIO()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stderr", io.StringIO())
            learn.learn_bpe(io.StringIO("\n".join(HARD * 3)), written, 200)
        path.write_text(written.getvalue(), encoding="utf-8")
    with path.open(encoding="utf-8") as file:
        library = apply.BPE(file)
    return open_encoding(path), library


@given(text=words)
@example(text="\n".join(HARD[1:3]))
def test_any_text_is_segmented_as_by_subword_nmt(subword: tuple[Encoding, Any], text: str) -> None:
    encoding, library = subword
    segmented = [part for line in text.split("\n") for part in library.segment(line).split(" ")]
    tokens = encoding.encode(text)
    visible = (tokens.ends > tokens.starts) | (tokens.ids == NO_TOKEN)
    expected = starts_of([part for part in segmented if part], text)
    assert np.unique(tokens.char_starts[visible]).tolist() == expected


# -- what a tokenizer_config.json beside them says -------------------------------------------------


def configure(folder: Path, **config: Any) -> None:
    (folder / "tokenizer_config.json").write_text(json.dumps(config))


def gpt2_pair(folder: Path, texts: list[str], merges: list[str]) -> Path:
    vocabulary = {text: token for token, text in enumerate(texts)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    write(folder / "merges.txt", ["#version: 0.2", *merges])
    return folder


def test_the_class_tells_qwen_from_gpt2(tmp_path: Path) -> None:
    gpt2_pair(tmp_path, [*sorted(BYTE_OF_CHARACTER), "12"], ["1 2"])
    assert open_encoding(tmp_path).encode("12").ids.tolist() == [256]
    added = {"300": {"content": "<|im_start|>"}, "301": {"content": "<tool>", "special": False}}
    configure(tmp_path, tokenizer_class="Qwen2TokenizerFast", added_tokens_decoder=added)
    encoding = open_encoding(tmp_path)
    assert len(encoding.encode("12")) == 2
    ids = encoding.encode("<tool><|im_start|>").ids.tolist()
    assert ids == [301, 300]
    assert [encoding.is_special(token) for token in ids] == [False, True]
    assert encoding.normalized("e\u0301") == "é"
    plain = tiktoken.Encoding(
        "qwen",
        pat_str=NAMED_PATTERNS["qwen"],
        mergeable_ranks={
            **{bytes([BYTE_OF_CHARACTER[c]]): n for n, c in enumerate(sorted(BYTE_OF_CHARACTER))},
            b"12": 256,
        },
        special_tokens={},
    )
    for text in HARD:
        ids = encoding.encode(text, specials_as_text=True).ids.tolist()
        assert ids == plain.encode(unicodedata.normalize("NFC", text), disallowed_special=())
    configure(tmp_path, added_tokens_decoder={"3": {"content": "<tool>"}})
    assert "gives '<tool>' the id 3, which the vocabulary gives to" in refused(tmp_path)


def test_clip_as_vocabulary_and_merges(tmp_path: Path) -> None:
    symbols = sorted(BYTE_OF_CHARACTER)
    ends = [symbol + "</w>" for symbol in symbols]
    merges = [line for line in CLIP[1:] if line != "low e"]
    made = [line.replace(" ", "") for line in merges]
    specials = ["<|startoftext|>", "<|endoftext|>"]
    gpt2_pair(tmp_path, [*symbols, *ends, *made, *specials], merges)
    same = open_encoding(write(tmp_path / "clip.txt", [HEADER, *merges]))
    encoding = open_encoding(tmp_path)
    for text in HARD:
        assert encoding.encode(text).ids.tolist() == same.encode(text).ids.tolist()
    special = [token for token in encoding.ids if encoding.is_special(token)]
    assert [encoding.id_to_token(token) for token in special] == specials
    gpt2_pair(tmp_path, ["l", "o", "w</w>", "lo", "low</w>"], ["l o", "lo w</w>"])
    assert "marks the ends of words and is not CLIP's" in refused(tmp_path)


def test_tokens_that_are_added_to_a_tokenizer_json(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    library = Tokenizer(models.BPE({"l": 0, "o": 1, "lo": 2}, [("l", "o")]))
    library.save(str(path))
    added = {
        "4": {"content": "<tool>", "special": False, "normalized": True},
        "3": {"content": "<end>"},
        "2": {"content": "lo"},
    }
    configure(tmp_path, added_tokens_decoder=added)
    for opened in (path, tmp_path):
        encoding = open_encoding(opened)
        assert encoding.encode("lo<tool><end>").ids.tolist() == [2, 4, 3]
        assert [encoding.is_special(token) for token in (2, 3, 4)] == [False, True, False]
    configure(tmp_path, added_tokens_decoder={"9": {"content": "<end>"}})
    assert open_encoding(path).vocabulary_size == 3, "it belongs to another file"


def test_tokens_that_are_added_behind_pieces(tmp_path: Path) -> None:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["low lower newest widest"] * 20), model_writer=model,
        vocab_size=40, hard_vocab_limit=False, minloglevel=3, model_type="bpe",
    )
    path = tmp_path / "tokenizer.model"
    path.write_bytes(model.getvalue())
    size = open_encoding(path).vocabulary_size
    added = {
        "1": {"content": "<s>"},
        str(size + 1): {"content": "<|im_end|>"},
        str(size): {"content": "<|im_start|>"},
    }
    configure(tmp_path, added_tokens_decoder=added)
    encoding = open_encoding(path)
    assert encoding.vocabulary_size == size + 2
    ids = encoding.encode("low<|im_end|><|im_start|>").ids.tolist()
    assert ids[-2:] == [size + 1, size]
    assert all(encoding.is_special(token) for token in ids[-2:])
    assert size not in encoding.encode("<|im_start|>", specials_as_text=True).ids
    configure(tmp_path, added_tokens_decoder={"900": {"content": "<x>"}})
    assert open_encoding(path).vocabulary_size == size, "it belongs to another file"

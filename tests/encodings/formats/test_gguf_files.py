"""The tokenizer in a GGUF file encodes as the one that it was made of."""

from __future__ import annotations

import gzip
import io
import json
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer

from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.encodings.base import Encoding, EncodingError, Model
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.tiktoken_ranks import TiktokenEncoding
from bpe_gui.encodings.load import Format, config_of, open_encoding, recognise
from tests.encodings.formats.test_foreign_files import CASED, UNCASED
from tests.encodings.makers import HARD, file_of, texts

GGML = "tokenizer.ggml"
SPM = "▁low lower ▁new est wide ▁the cat ’s é"


def value(content: Any, order: str = "<") -> bytes:
    """A value with its type, as GGUF writes it."""
    if isinstance(content, bool):
        return struct.pack(f"{order}I?", 7, content)
    if isinstance(content, int):
        return struct.pack(f"{order}Ii", 5, content)
    if isinstance(content, float):
        return struct.pack(f"{order}If", 6, content)
    if isinstance(content, str | bytes):
        data = content.encode() if isinstance(content, str) else content
        return struct.pack(f"{order}IQ", 8, len(data)) + data
    inner = [value(item, order) for item in content]
    kind = inner[0][:4] if inner else struct.pack(f"{order}I", 8)
    return struct.pack(f"{order}I", 9) + kind + struct.pack(f"{order}Q", len(inner)) + b"".join(
        item[4:] for item in inner
    )


def gguf(path: Path, values: dict[str, Any], order: str = "<", version: int = 3) -> Path:
    data = b"GGUF" + struct.pack(f"{order}IQQ", version, 1, len(values))
    for key, content in values.items():
        data += struct.pack(f"{order}Q", len(key)) + key.encode() + value(content, order)
    path.write_bytes(data + b"\xff" * 999)
    return path


def byte_level(**changes: Any) -> dict[str, Any]:
    """A small tokenizer of the kind gpt2."""
    merges = ["l o", "lo w", "Ġ low", "1 2", "12 3", "n e", "ne w"]
    tokens = [to_printable(bytes([byte])) for byte in range(256)]
    tokens += [merge.replace(" ", "") for merge in merges] + ["whole", "<|end|>", "<tool>"]
    types = [1] * (len(tokens) - 2) + [3, 4]
    values = {"model": "gpt2", "pre": "gpt-2", "tokens": tokens, "token_type": types}
    values["merges"] = merges
    return {
        "general.architecture": "llama",
        "llama.rope.freq_base": 0.5,
        "general.tags": ["a", "b"],
        **{f"{GGML}.{key}": content for key, content in (values | changes).items()},
    }


@pytest.mark.parametrize("order", ["<", ">"])
def test_byte_level_merges(tmp_path: Path, order: str) -> None:
    path = gguf(tmp_path / "any.name", byte_level(), order, 3 if order == ">" else 2)
    assert recognise(path) is Format.GGUF
    encoding = open_encoding(path)
    assert isinstance(encoding, HuggingFaceEncoding)
    assert (encoding.model, encoding.guess) == (Model.BPE, "")
    ids = encoding.encode("low low123<|end|><tool>whole").ids.tolist()
    assert ids == [257, 258, 260, 264, 265, *b"whole"]
    assert [encoding.is_special(token) for token in (264, 265)] == [True, False]
    assert encoding.decode(ids) == "low low123<|end|><tool>whole"


def test_the_name_of_the_split_counts(tmp_path: Path) -> None:
    found = {}
    for pre in ("gpt-2", "llama-bpe", "qwen2", "starcoder", "tekken", "deepseek-v3", "default"):
        encoding = open_encoding(gguf(tmp_path / "x", byte_level(pre=pre)))
        found[pre] = len(encoding.encode("123")), len(encoding.encode("whole"))
        for text in HARD:
            ids = encoding.encode(text, specials_as_text=True).ids.tolist()
            assert encoding.decode(ids) == text
    assert found == {
        "gpt-2": (1, 5),
        "llama-bpe": (1, 1),
        "qwen2": (3, 5),
        "starcoder": (3, 5),
        "tekken": (3, 1),
        "deepseek-v3": (1, 5),
        "default": (1, 5),
    }
    values = byte_level()
    del values[f"{GGML}.pre"]
    encoding = open_encoding(gguf(tmp_path / "x", values))
    assert isinstance(encoding, HuggingFaceEncoding)
    assert encoding.guess == "read with llama.cpp's default split, because the file names none"


def test_chat_templates(tmp_path: Path) -> None:
    templates = {
        "tokenizer.chat_template": "{{ usual }}",
        "tokenizer.chat_templates": ["tool"],
        "tokenizer.chat_template.tool": "{{ tool }}",
    }
    config = config_of(str(gguf(tmp_path / "x", byte_level() | templates)))
    assert config is not None
    assert config.chat_templates == {"default": "{{ usual }}", "tool": "{{ tool }}"}
    config = config_of(str(gguf(tmp_path / "x", byte_level())))
    assert config is not None
    assert config.chat_templates == {}


def test_a_chat_template_may_be_beside_the_file_and_names_its_tokens(tmp_path: Path) -> None:
    roles = {"bos_token_id": 0, "eos_token_id": 1, "padding_token_id": 10**6}
    values = byte_level(**roles)
    tokens = values[f"{GGML}.tokens"]
    config = config_of(
        str(gguf(tmp_path / "x", values | {"tokenizer.chat_template": "{{ bos_token }}"}))
    )
    assert config is not None
    assert [config.text_of(role) for role in ("bos_token", "eos_token")] == tokens[:2]
    assert config.text_of("pad_token") is None, "no token has this id"
    beside = {"chat_template": "{{ beside }}", "bos_token": {"content": "<beside>"}}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(beside))
    config = config_of(str(gguf(tmp_path / "x", values)))
    assert config is not None
    assert config.chat_templates == {"default": "{{ beside }}"}
    assert config.text_of("bos_token") == "<beside>"
    assert config.text_of("eos_token") == tokens[1]


@pytest.mark.parametrize(("lines", "lowercase"), [(UNCASED, True), (CASED, False)])
def test_bert(tmp_path: Path, lines: list[str], lowercase: bool) -> None:
    def written(token: str) -> str:
        if token.startswith("[") and token.endswith("]"):
            return token
        return token[2:] if token.startswith("##") else f"▁{token}"

    values = {f"{GGML}.model": "bert", f"{GGML}.tokens": [written(line) for line in lines]}
    encoding = open_encoding(gguf(tmp_path / "x", values))
    assert encoding.model is Model.WORDPIECE
    (tmp_path / "vocab.txt").write_text("".join(f"{line}\n" for line in lines))
    library = BertWordPieceTokenizer(str(tmp_path / "vocab.txt"), lowercase=lowercase)
    for text in [*HARD, "The café lowers 1222 CAFÉ's naïve unlow!", "中low中 [MASK]"]:
        expected = library.encode(text, add_special_tokens=False).ids
        assert encoding.encode(text).ids.tolist() == expected


def pieces(processor: Any) -> dict[str, Any]:
    """The tokenizer of a model of SentencePiece, as llama.cpp writes it."""
    ids = range(processor.get_piece_size())
    kinds = [
        2 if processor.is_unknown(token)
        else 3 if processor.is_control(token)
        else 6 if processor.is_byte(token)
        else 5 if processor.is_unused(token)
        else 1
        for token in ids
    ]
    return {
        f"{GGML}.tokens": [processor.id_to_piece(token) for token in ids],
        f"{GGML}.scores": [float(processor.get_score(token)) for token in ids],
        f"{GGML}.token_type": kinds,
    }


@pytest.mark.parametrize("kind", ["llama", "t5"])
def test_sentencepiece(tmp_path: Path, kind: str) -> None:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([SPM.replace("▁", " ") * 3] * 20), model_writer=model,
        vocab_size=300, hard_vocab_limit=False, minloglevel=3, byte_fallback=True,
        model_type="bpe" if kind == "llama" else "unigram", normalization_rule_name="identity",
        remove_extra_whitespaces=False,
    )
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    path = gguf(tmp_path / "x", {f"{GGML}.model": kind, **pieces(processor)})
    encoding = open_encoding(path)
    assert encoding.model is (Model.BPE if kind == "llama" else Model.UNIGRAM)
    for text in HARD:
        assert encoding.encode(text).ids.tolist() == processor.encode(text)
    bare = gguf(
        path, {f"{GGML}.model": kind, f"{GGML}.add_space_prefix": False, **pieces(processor)}
    )
    assert open_encoding(bare).encode("low").ids.tolist() != encoding.encode("low").ids.tolist()


# -- broken files --------------------------------------------------------------------------------


def refused(path: Path) -> str:
    with pytest.raises(EncodingError) as caught:
        open_encoding(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    return str(caught.value)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"model": "rwkv"}, "of the kind rwkv, and only those of gpt2, llama, t5, bert can"),
        ({"model": ""}, "of the kind no name"),
        ({"model": 5}, "tokenizer.ggml.model should hold text"),
        ({"model": b"\xff"}, "not UTF-8"),
        ({"pre": "any"}, "splits text in the way any, which is not known here; open the"),
        ({"tokens": []}, "has 0 tokens"),
        ({"tokens": "abc"}, "has no tokenizer.ggml.tokens, so it has no tokenizer"),
        ({"tokens": ["a", "a"]}, "has the token 'a' twice"),
        ({"merges": ["ab"]}, "merge 0, 'ab', is not a pair"),
        ({"merges": ["zz y"]}, "out of vocabulary"),
        ({"token_type": [1, 2]}, "token_type should be a list of 266 numbers"),
        ({"model": "llama"}, "has no tokenizer.ggml.scores"),
        ({"model": "llama", "scores": [0.0] * 266}, "sentencepiece library"),
        ({"model": "bert"}, "has no vocabulary of BERT"),
    ],
)
def test_values_that_are_no_tokenizer(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    assert why in refused(gguf(tmp_path / "x", byte_level(**changes)))


def test_a_model_without_a_tokenizer(tmp_path: Path) -> None:
    path = gguf(tmp_path / "x", {"general.architecture": "clip"})
    assert "a tokenizer of the kind no name" in refused(path)


def test_files_that_claim_too_much(tmp_path: Path) -> None:
    path = tmp_path / "x"
    huge = struct.pack("<Q", 2**63)
    key = struct.pack("<Q", 1) + b"k"
    beginning = b"GGUF" + struct.pack("<IQQ", 3, 0, 1)
    for data, why in [
        (b"GGUF", "it ends too early"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 1), "its version is 1"),
        (b"GGUF" + struct.pack("<IQ", 3, 0) + huge, "keys, and 100,000 are read at most"),
        (beginning + huge, "bytes of text in a row, and 65,535 are"),
        (beginning + key + struct.pack("<I", 8) + huge, "bytes of text in a row"),
        (beginning + key + struct.pack("<II", 9, 8) + huge, "entries in a list, and 16,000,000"),
        (beginning + key + struct.pack("<II", 9, 9), "it ends too early"),
        (beginning + key + struct.pack("<IIQ", 9, 9, 1), "a value of the unknown type 9"),
        (beginning + key + struct.pack("<I", 77), "a value of the unknown type 77"),
        (beginning + key + struct.pack("<IIQ", 9, 12, 10**7), "it ends too early"),
    ]:
        path.write_bytes(data)
        assert why in refused(path)


def test_a_compressed_file_is_to_be_unpacked(tmp_path: Path) -> None:
    whole = gguf(tmp_path / "whole.gguf", byte_level())
    packed = tmp_path / "packed.gguf.gz"
    packed.write_bytes(gzip.compress(whole.read_bytes()))
    assert recognise(packed) is Format.GGUF
    assert refused(packed).endswith("it is compressed; unpack it first")


def test_the_weights_are_not_read(tmp_path: Path) -> None:
    path = gguf(tmp_path / "x", byte_level())
    with path.open("r+b") as file:
        file.truncate(1 << 40)  # a sparse file
    assert len(open_encoding(path).encode("low")) == 1


@given(st.data())
def test_damaged_files_are_errors(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = gguf(tmp_path_factory.getbasetemp() / "damaged", byte_level())
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(4, len(content) - 1000))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(8, len(content)))])
    with suppress(EncodingError):
        open_encoding(path).encode("low 123")


# -- written by the makers -----------------------------------------------------------------------

Encode = Callable[[str], Sequence[int]]


def maker_of(kind: str) -> tuple[dict[str, Any], Encode]:
    """Values of a tokenizer that a package ships, and the ids of the library it belongs to."""
    if kind == "llama":
        path = file_of("mistral_common", "data/tokenizer.model.v1")
        processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
        return {f"{GGML}.model": kind, **pieces(processor)}, processor.encode
    path = file_of("llama_models", "llama3/tokenizer.model")
    ranks = open_encoding(path)
    assert isinstance(ranks, TiktokenEncoding)
    # Some of its ranks are reached only as whole words, so they have no merge.
    merges = [
        (found.left, found.right)
        for token in ranks.ids
        if (found := ranks.merge(token)) is not None
    ]
    tokens = [ranks.id_to_token(token) for token in ranks.ids]
    values = {
        "model": "gpt2",
        "pre": "llama-bpe",
        "tokens": tokens,
        "token_type": [3 if ranks.is_special(token) else 1 for token in ranks.ids],
        "merges": [f"{tokens[left]} {tokens[right]}" for left, right in merges],
    }
    return (
        {f"{GGML}.{key}": content for key, content in values.items()},
        lambda text: ranks.encode(text).ids.tolist(),
    )


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Encoding, Encode]:
    """The encoding in a file that the gguf library has written, and the maker's."""
    library = pytest.importorskip("gguf")
    values, encode = maker_of(request.param)
    path = tmp_path_factory.mktemp("gguf") / "x.gguf"
    writer = library.GGUFWriter(str(path), "llama")
    for key, content in values.items():
        (writer.add_array if isinstance(content, list) else writer.add_string)(key, content)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return open_encoding(path), encode


def test_hard_texts_have_the_makers_ids(both: tuple[Encoding, Encode]) -> None:
    encoding, encode = both
    for text in HARD:
        assert encoding.encode(text).ids.tolist() == list(encode(text))


@given(text=texts)
def test_any_text_has_the_makers_ids(both: tuple[Encoding, Encode], text: str) -> None:
    encoding, encode = both
    assert encoding.encode(text).ids.tolist() == list(encode(text))

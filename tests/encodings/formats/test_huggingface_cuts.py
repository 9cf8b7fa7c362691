"""Where texts may be cut for tokenizers of the library: the tokens are those of the whole."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.huggingface_export import (
    ENDS_OF_WORDS,
    ONIGURUMA_PATTERNS,
    WHITE_SPACE,
    marks_pattern,
    to_json,
)
from bpe_gui.encodings.formats.sentencepiece_models import fields
from bpe_gui.encodings.formats.split_patterns import CLIP_PATTERNS, CUT_BETWEEN_WORDS, DEEPSEEK
from bpe_gui.encodings.measuring import measure as measuring
from tests.bpe.test_pre_tokenize import TEXTS
from tests.bpe.test_trainer import trained

LLAMA = next(p for p in CUT_BETWEEN_WORDS if r"\p{N}{1,3}|" in p and r"|\s*[\r\n]+|" in p)


def charsmap(**options: str) -> bytes:
    """A normalization of SentencePiece, the usual if no other is named, as its models hold it."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["a b"]), model_writer=model, vocab_size=10,
        hard_vocab_limit=False, minloglevel=3, **options,
    )
    data = model.getvalue()
    [spec] = [field for field in fields(data) if field.number == 3]
    [found] = [field for field in fields(data, spec.start, spec.end) if field.number == 2]
    return data[found.start : found.end]


NORMALIZERS: dict[str, Any] = {
    "sentencepiece": normalizers.Precompiled(charsmap()),
    "nfc": normalizers.NFC(),
    "nfd": normalizers.NFD(),
    "nfkc": normalizers.NFKC(),
    "nfkd": normalizers.NFKD(),
    "lower": normalizers.Lowercase(),
    "accents": normalizers.StripAccents(),
    "bert": normalizers.BertNormalizer(),
    "nmt": normalizers.Nmt(),
    "spaces": normalizers.Replace(Regex(" {2,}"), " "),
    "one space": normalizers.Replace(Regex(r"\s+"), " "),
    "quotes": normalizers.Replace("''", '"'),
    "marks": normalizers.Replace(Regex(marks_pattern(("Mn",))), ""),
    "ends": normalizers.Replace(Regex(ENDS_OF_WORDS), "\ue000"),
    "x to space": normalizers.Replace("x", " "),
}


def split(pattern: str, behaviour: str = "isolated", *, invert: bool = False) -> Any:
    return pre_tokenizers.Split(Regex(pattern), behaviour, invert)


WORDS: dict[str, list[Any]] = {
    "gpt2": [pre_tokenizers.ByteLevel(add_prefix_space=False)],
    "roberta": [pre_tokenizers.ByteLevel(add_prefix_space=True)],
    "starcoder": [pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=False)],
    "llama": [split(LLAMA), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)],
    "cl100k": [split(ONIGURUMA_PATTERNS["cl100k"], "removed", invert=True)],
    "o200k": [split(ONIGURUMA_PATTERNS["o200k"])],
    "deepseek": [
        split(r"\p{N}{1,3}"),
        split("[一-龥぀-ゟ゠-ヿ]+"),
        split(DEEPSEEK.replace(r"\r\n", "\r\n")),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ],
    "lines": [split(ONIGURUMA_PATTERNS["lines"])],
    "white space": [split(f"[{WHITE_SPACE}]+", "removed")],
    "bert": [pre_tokenizers.BertPreTokenizer()],
    "whitespace": [pre_tokenizers.Whitespace()],
    "t5": [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()],
    "metaspace": [pre_tokenizers.Metaspace(prepend_scheme="first")],
    "always": [pre_tokenizers.Punctuation(), pre_tokenizers.Metaspace(prepend_scheme="always")],
    **{f"clip {n}": [split(p, "removed", invert=True)] for n, p in enumerate(CLIP_PATTERNS)},
    **{f"pattern {n}": [split(p)] for n, p in enumerate(sorted(CUT_BETWEEN_WORDS))},
}

ADDED: dict[str, AddedToken] = {
    "end": AddedToken("a b", normalized=False, special=True),
    "mask": AddedToken("<m>", lstrip=True, normalized=False),
    "right": AddedToken("ab", rstrip=True, normalized=False),
    "alone": AddedToken("ab", single_word=True, normalized=False),
    "newline": AddedToken("\n", normalized=False),
    "spaces": AddedToken("  ", normalized=True),
    "normal": AddedToken("AB", normalized=True),
    "two": AddedToken("b a", normalized=True),
}

texts = st.text(
    st.one_of(
        st.sampled_from(" \n ab AB' x12!<m>\t\u0301\u0378é漢\u0600\u0d4e\u2581\u200b\ue000\x1c"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=16,
) | TEXTS


def encodings(
    normalizer_names: list[str], words: str, added: list[str], text: str
) -> list[HuggingFaceEncoding]:
    """With whole words as tokens, which shows the words, and with characters."""
    found = []
    for model in (
        models.WordLevel({"?": 0}, unk_token="?"),
        models.BPE({c: i for i, c in enumerate(sorted(alphabet(text)))}, []),
    ):
        library = Tokenizer(model)
        if normalizer_names:
            steps = [NORMALIZERS[name] for name in normalizer_names]
            library.normalizer = normalizers.Sequence(steps)
        library.pre_tokenizer = pre_tokenizers.Sequence(WORDS[words])
        library.add_tokens([ADDED[name] for name in added])
        found.append(HuggingFaceEncoding(library, "x"))
    return found


def alphabet(text: str) -> set[str]:
    forms = [text, text.lower(), normalizers.NFKC().normalize_str(text)]
    forms += [normalizers.NFKD().normalize_str(form) for form in forms]
    return {*"".join(forms), *pre_tokenizers.ByteLevel.alphabet(), *' "\ue000\u2581'}


def cut(encoding: HuggingFaceEncoding, text: str, offset: int = 0) -> list[tuple[int, int, int]]:
    tokens = encoding.encode(text)
    starts, ends = tokens.starts + offset, tokens.ends + offset
    return list(zip(tokens.ids.tolist(), starts.tolist(), ends.tolist(), strict=True))


@pytest.mark.parametrize("words", WORDS)
@settings(max_examples=settings.default.max_examples // 3)
@given(
    text=texts,
    rest=texts,
    steps=st.lists(st.sampled_from([*NORMALIZERS]), max_size=2, unique=True),
    added=st.lists(st.sampled_from([*ADDED]), max_size=2, unique=True),
)
@example(text="a b ab  <m>", rest="", steps=[], added=["mask", "right"])
@example(text="a \x01 b", rest="", steps=["nmt", "spaces"], added=[])
@example(text="\x1fA ", rest="", steps=["sentencepiece"], added=[])
@example(text="\u0600 b", rest="", steps=["sentencepiece"], added=[])
@example(text="a x b", rest="", steps=["x to space", "spaces"], added=[])
@example(text="B Aaaaa", rest="", steps=["lower"], added=["two"])
@example(text="aé\n", rest="b", steps=["nfd"], added=[])
@example(text="A\u0300A ", rest="¸", steps=["nfkc", "nfd"], added=[])
def test_no_token_changes_at_a_safe_cut(
    words: str, text: str, rest: str, steps: list[str], added: list[str]
) -> None:
    for encoding in encodings(steps, words, added, text + rest):
        place = encoding.safe_cut(text.encode())
        whole = (text + rest).encode()
        left, right = whole[:place].decode(), whole[place:].decode()
        parts = cut(encoding, left) + cut(encoding, right, place)
        expected = cut(encoding, text + rest)
        composes_and_decomposes = {"nfc", "nfkc"} & {*steps} and {"nfd", "nfkd"} & {*steps}
        if "sentencepiece" in steps or composes_and_decomposes:
            # The library's offsets are wrong behind a first character that its table removes. A
            # text that is composed and decomposed is as before; only then its offsets are exact.
            parts, expected = ([each[0] for each in tokens] for tokens in (parts, expected))
        assert parts == expected


@pytest.mark.parametrize("words", WORDS)
def test_places_are_found(words: str) -> None:
    text = b"low lower\nlowest 12 x"
    for steps in ([], ["nfc"], ["nfc", "one space"], ["nfkc", "spaces"]):
        encoding, _ = encodings(steps, words, [], "")
        assert encoding.safe_cut(text) >= 3
    assert encoding.safe_cut("слово «слово слово".encode()) == 23
    assert encoding.safe_cut(b"lowerlowest") == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_places_are_found_in_files_of_ours(preset: str) -> None:
    history = trained([("low lower lowest", 2)], PRESETS[preset]).history
    encoding = HuggingFaceEncoding(Tokenizer.from_str(to_json(history)), preset)
    assert encoding.safe_cut(b"low lower lowest") == (0 if preset == "raw" else 9)


@pytest.mark.parametrize(
    "change",
    [
        {"normalizer": {"type": "Prepend", "prepend": "x"}},
        {"normalizer": {"type": "Strip", "strip_left": True, "strip_right": True}},
        {"normalizer": {"type": "Replace", "pattern": {"Regex": "b(?= )"}, "content": ""}},
        {"normalizer": {"type": "Replace", "pattern": {"String": "b "}, "content": "c "}},
        {"normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "_"}},
        {"pre_tokenizer": None},
        {"pre_tokenizer": {"type": "Metaspace", "replacement": "_", "prepend_scheme": "never",
                           "split": False}},
        {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": ".*"}, "behavior": "Isolated",
                           "invert": False}},
        {"pre_tokenizer": {"type": "Split", "pattern": {"String": " "},
                           "behavior": "MergedWithPrevious", "invert": False}},
    ],
)
def test_steps_that_look_further_have_no_such_place(change: dict[str, Any]) -> None:
    library = Tokenizer(models.BPE({c: i for i, c in enumerate("ab _")}, []))
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    state = json.loads(library.to_str())
    assert HuggingFaceEncoding(library, "x").safe_cut(b"ab ab") == 2
    changed = Tokenizer.from_str(json.dumps({**state, **change}))
    assert HuggingFaceEncoding(changed, "x").safe_cut(b"ab ab") == 0


def test_a_table_of_characters_that_replaces_spaces_has_no_such_place(tmp_path: Path) -> None:
    rules = tmp_path / "rules.tsv"
    rules.write_text("20\t5F\n")
    library = Tokenizer(models.BPE({c: i for i, c in enumerate("ab_")}, []))
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    library.normalizer = normalizers.Precompiled(charsmap(normalization_rule_tsv=str(rules)))
    assert HuggingFaceEncoding(library, "x").safe_cut(b"ab ab") == 0


# -- Texts that are not split ---------------------------------------------------------------------

REPLACE, PREPEND = normalizers.Replace(" ", "\u2581"), normalizers.Prepend("\u2581")
MARKING: dict[str, tuple[Any, Any]] = {
    "llama 2": (normalizers.Sequence([PREPEND, REPLACE]), None),
    "gemma": (REPLACE, None),
    "gemma 2": (REPLACE, pre_tokenizers.Split(" ", "merged_with_previous")),
    "converted": (
        normalizers.Sequence([normalizers.Replace(Regex(r"\A(?=[\s\S])"), "\u2581"), REPLACE]),
        None,
    ),
    "first": (None, pre_tokenizers.Metaspace(prepend_scheme="first", split=False)),
    "always": (None, pre_tokenizers.Metaspace(prepend_scheme="always", split=False)),
}
BYTE_TOKENS = [f"<0x{byte:02X}>" for byte in range(256)]
MERGED = ("▁a", "ab", "▁ab", "▁▁", "ba", "aba", "\n\n", "b.", ".a", "▁▁a", "▁b")


def marking(name: str, *, more: tuple[str, ...] = (), **options: Any) -> Tokenizer:
    """A tokenizer whose tokens are made of spaces and letters; other characters are bytes."""
    tokens = ["<unk>", "<s>", *BYTE_TOKENS, *"▁ab.\n", *MERGED, *more]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    pairs = [
        (token[:place], token[place:])
        for token in (*MERGED, *more)
        for place in range(1, len(token))
        if token[:place] in vocabulary and token[place:] in vocabulary
    ]
    model = models.BPE(vocabulary, pairs, unk_token="<unk>", byte_fallback=True, **options)
    library = Tokenizer(model)
    normalizer, pre_tokenizer = MARKING[name]
    if normalizer is not None:
        library.normalizer = normalizer
    if pre_tokenizer is not None:
        library.pre_tokenizer = pre_tokenizer
    library.add_special_tokens(["<unk>", AddedToken("<s>", normalized=False)])
    return library


marked_parts = st.sampled_from([*"aabb  .\né漢▁x", "<s>", " ab"])
marked_texts = st.lists(marked_parts, max_size=24).map("".join)


@pytest.mark.parametrize("name", MARKING)
@settings(max_examples=settings.default.max_examples // 3)
@given(text=marked_texts, rest=marked_texts, as_text=st.booleans())
@example(text="a ba", rest="<s>ab<s> a", as_text=False)
@example(text=" a  ab. a a", rest=" ", as_text=False)
def test_a_text_with_marks_for_spaces_is_cut_before_words(
    name: str, text: str, rest: str, as_text: bool
) -> None:
    library = marking(name)
    library.add_tokens([AddedToken(each, normalized=False) for each in ("\n\n", "  ", "▁▁")])
    no_token_changes(library, text, rest, as_text)


def unsplit(name: str) -> Tokenizer:
    """A tokenizer that splits nothing, and whose tokens cross spaces and some newlines."""
    across = ("a▁", "a▁b", ".\n", ".\nb", "▁\n")
    if name in MARKING:
        return marking(name, more=across)
    library = marking("gemma", more=across)
    library.normalizer = None
    if name != "bytes":
        return library
    more = "Ċ", "Ġ", "Ċb", "aĠ", "ĠĊ", "ĠĊb"
    tokens = [*dict.fromkeys((*pre_tokenizers.ByteLevel.alphabet(), *more))]
    merges = [("Ċ", "b"), ("a", "Ġ"), ("Ġ", "Ċ"), ("ĠĊ", "b")]
    library = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(use_regex=False)
    library.add_special_tokens([AddedToken("<s>", normalized=False)])
    return library


UNSPLIT = (*MARKING, "plain", "bytes")


@pytest.mark.parametrize("name", UNSPLIT)
@settings(max_examples=settings.default.max_examples // 3)
@given(text=marked_texts, rest=marked_texts, as_text=st.booleans())
@example(text="a b.\na", rest="b a<s> a", as_text=False)
@example(text=" \na", rest="<s>a", as_text=False)
def test_a_text_that_is_not_split_is_cut_behind_newlines(
    name: str, text: str, rest: str, as_text: bool
) -> None:
    no_token_changes(unsplit(name), text, rest, as_text)


@pytest.mark.parametrize("name", UNSPLIT)
def test_places_are_found_behind_newlines(name: str) -> None:
    encoding = HuggingFaceEncoding(unsplit(name), "x")
    assert encoding.safe_cut(b"b a.\nab\nb a") == 5
    assert encoding.safe_cut(b"b a.\n.\n\nba ") == 0
    for added in (AddedToken("\n"), AddedToken("ab"), AddedToken("<s>", rstrip=True)):
        library = unsplit(name)
        library.add_tokens([added])
        assert HuggingFaceEncoding(library, "x").safe_cut(b"b a.\nab") == 0


def test_letters_are_merged_across_a_newline_without_a_token() -> None:
    library = Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    assert HuggingFaceEncoding(library, "x").safe_cut(b"a\nb") == 0


def no_token_changes(library: Tokenizer, text: str, rest: str, as_text: bool) -> None:
    encoding = HuggingFaceEncoding(library, "x")
    data = (text + rest).encode()
    place = encoding.safe_cut(text.encode(), specials_as_text=as_text)
    if not place:
        return
    whole = encoding.encode(text + rest, specials_as_text=as_text)
    left = encoding.encode(data[:place].decode(), specials_as_text=as_text)
    right = encoding.continued.encode(data[place:].decode(), specials_as_text=as_text)
    assert [*left.ids, *right.ids] == whole.ids.tolist()
    assert [*left.starts, *(right.starts + place)] == whole.starts.tolist()
    assert [*left.ends, *(right.ends + place)] == whole.ends.tolist()
    characters = len(data[:place].decode())
    assert [*left.char_ends, *(right.char_ends + characters)] == whole.char_ends.tolist()


@pytest.mark.parametrize("name", MARKING)
def test_places_are_found_where_spaces_are_marks(name: str) -> None:
    encoding = HuggingFaceEncoding(marking(name), "x")
    assert encoding.safe_cut(b"ab ba. ab.  a 1 .") == 2
    assert encoding.safe_cut("é 漢 .".encode()) == 2
    assert encoding.safe_cut(b"ab. ab") == encoding.safe_cut(b"abab") == 0


@pytest.mark.parametrize("name", MARKING)
def test_where_marks_do_not_begin_words_there_is_no_such_place(name: str) -> None:
    text = b"ab ab"
    across = marking(name, more=("a▁", "a▁b"))
    assert HuggingFaceEncoding(across, "x").safe_cut(text) == 0
    assert HuggingFaceEncoding(marking(name, ignore_merges=True), "x").safe_cut(text) == 0
    for added in map(AddedToken, ("x y", "▁", "<▁>", "ab", "<b", "b>")):
        library = marking(name)
        library.add_tokens([added])
        assert HuggingFaceEncoding(library, "x").safe_cut(text) == 0


def test_a_large_text_is_measured_under_such_an_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "PIECE", 40)
    text = "ab ba. <s>a\n\n" * 40
    encoding = HuggingFaceEncoding(marking("llama 2"), "x")
    found = [*measuring.pieces(encoding, [line.encode() for line in text.splitlines(True)], "x")]
    assert len(found) > 5
    assert "".join(found) == text
    ids = encoding.encode(found[0]).ids.tolist()
    for rest in found[1:]:
        ids += encoding.continued.encode(rest).ids.tolist()
    assert ids == encoding.encode(text).ids.tolist()

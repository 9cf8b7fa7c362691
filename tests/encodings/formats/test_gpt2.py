"""vocab.json and merges.txt: what we write, the library reads and cuts texts the same way."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, pre_tokenizers

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS, Alphabet
from bpe_gui.encodings.base import EncodingError, ExportError
from bpe_gui.encodings.formats import gpt2
from bpe_gui.encodings.ours import TrainedEncoding
from tests.encodings.runs import byte_recipe, byte_runs, made_of, texts, train

SPECIALS = ("<|endoftext|>", "[a b]", "日本", "\n\n", "<a>", "<a>b")
VOCABULARY = {c: index for index, c in enumerate(CHARACTER_OF_BYTE)} | {"ab": 256, "Ġab": 257}
MERGES = "#version: 0.2\na b\nĠ ab\n"


def written(folder: Path, vocabulary: object = VOCABULARY, merges: str = MERGES) -> Path:
    text = vocabulary if isinstance(vocabulary, str) else json.dumps(vocabulary)
    (folder / "vocab.json").write_text(text, "utf-8")
    (folder / "merges.txt").write_bytes(merges.encode("utf-8", "surrogateescape"))
    return folder


@given(data=st.data())
def test_the_library_cuts_texts_as_we_do(data: st.DataObject) -> None:
    history = data.draw(byte_runs(("gpt2",), SPECIALS))
    position = data.draw(st.integers(0, len(history)))
    text = data.draw(texts) + "".join(data.draw(st.lists(st.sampled_from(SPECIALS), max_size=3)))
    with TemporaryDirectory() as folder:
        gpt2.write(history, folder, position)
        model = models.BPE.from_file(f"{folder}/vocab.json", f"{folder}/merges.txt")
        read = gpt2.read(folder)
    ours = TrainedEncoding(history, position).encode(text)
    library = LibraryTokenizer(model)
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.add_special_tokens(list(history.recipe.special_tokens))
    assert library.encode(text).ids == ours.ids.tolist()
    tokens = read.encode(text)
    for column in ("ids", "starts", "ends", "char_starts", "char_ends"):
        assert getattr(tokens, column).tolist() == getattr(ours, column).tolist()
    assert read.decode(tokens.ids.tolist()) == text
    assert read.vocabulary_size == history.vocabulary_size(position)


def test_the_files_have_our_tokens_and_merges(tmp_path: Path) -> None:
    history = train(byte_recipe("gpt2", ("<s>",)), ["ab ab\n\n"])
    gpt2.write(history, tmp_path / "my-vocab.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my-merges.txt", "my-vocab.json"]
    vocabulary = json.loads((tmp_path / "my-vocab.json").read_text())
    size = history.vocabulary_size(len(history))
    assert vocabulary == {history.id_to_token(token): token for token in range(size)}
    lines = (tmp_path / "my-merges.txt").read_text().splitlines()
    assert lines == ["#version: 0.2", "a b", "Ġ ab", "Ċ Ċ"]


def test_a_new_folder_is_made(tmp_path: Path) -> None:
    history = train(byte_recipe("gpt2"), ["ab ab"])
    gpt2.write(history, tmp_path / "new")
    assert gpt2.read(tmp_path / "new" / "merges.txt").encode("ab").ids.tolist() == [256]


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (PRESETS["raw"], "tokens made of bytes"),
        (byte_recipe("cl100k"), "split as GPT-2 does, and .* splits by 'cl100k'"),
        (byte_recipe("gpt2", normalizers=("nfd",)), "a normalizer"),
        (byte_recipe("gpt2").with_changes(alphabet=Alphabet.OBSERVED), "has only the 3 of"),
        (byte_recipe("gpt2", ("ab",)), "'ab' is both a special token"),
    ],
)
def test_recipes_that_the_files_cannot_hold_are_refused(
    recipe: object, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "vocab.json"
    path.write_text("what was there")
    with pytest.raises(ExportError, match=message):
        gpt2.write(train(recipe, ["ab ab ab"]), path)
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]


def version_run() -> History:
    """A run that merges `#version` with what follows it."""
    recipe = byte_recipe("gpt2")
    base = made_of(recipe, []).base
    ids = [base.texts.index(character) for character in "#version!"]
    merges, token = [], ids[0]
    for index, following in enumerate(ids[1:]):
        merges.append((token, following, 256 + index))
        token = 256 + index
    return made_of(recipe, merges)


def test_a_merge_that_would_be_taken_for_a_comment_is_refused(tmp_path: Path) -> None:
    history = version_run()
    gpt2.write(history, tmp_path, len(history) - 1)
    with pytest.raises(ExportError, match=r"'#version'.* skipped"):
        gpt2.write(history, tmp_path)


def test_tokens_that_are_written_alike_are_refused(tmp_path: Path) -> None:
    merges = [(65, 66, 256), (66, 67, 257), (256, 67, 258), (65, 257, 259)]
    history = made_of(byte_recipe("gpt2"), merges)
    with pytest.raises(ExportError, match="two tokens that are spelled alike"):
        gpt2.write(history, tmp_path)


def test_a_name_that_tells_nothing_is_refused(tmp_path: Path) -> None:
    history = train(byte_recipe("gpt2"), [])
    with pytest.raises(ExportError, match=r"does not end in vocab\.json or merges\.txt"):
        gpt2.write(history, tmp_path / "out.json")


# -- reading ---------------------------------------------------------------------------------


def test_what_no_merge_makes_is_special(tmp_path: Path) -> None:
    encoding = gpt2.read(written(tmp_path, VOCABULARY | {"<|endoftext|>": 300}))
    assert encoding.encode("ab<|endoftext|> ab").ids.tolist() == [256, 300, 257]
    none = gpt2.read(tmp_path, ())
    assert 300 not in none.encode("ab<|endoftext|> ab").ids.tolist()
    with pytest.raises(EncodingError, match="has no token '<s>'"):
        gpt2.read(tmp_path, ("<s>",))


def test_openais_own_names_and_windows_lines(tmp_path: Path) -> None:
    (tmp_path / "encoder.json").write_text(json.dumps(VOCABULARY))
    (tmp_path / "vocab.bpe").write_bytes(MERGES.strip().replace("\n", "\r\n").encode())
    for path in (tmp_path, tmp_path / "encoder.json", tmp_path / "vocab.bpe"):
        assert gpt2.read(path).encode("ab ab").ids.tolist() == [256, 257]
    assert gpt2.read(tmp_path).name == tmp_path.name


def test_a_folder_gets_the_common_names_whatever_is_there(tmp_path: Path) -> None:
    (tmp_path / "encoder.json").write_text("somebody else's")
    gpt2.write(train(byte_recipe("gpt2"), []), tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["encoder.json", "merges.txt", "vocab.json"]
    assert (tmp_path / "encoder.json").read_text() == "somebody else's"


def test_the_line_of_the_version_may_be_missing(tmp_path: Path) -> None:
    encoding = gpt2.read(written(tmp_path, merges="a b\nĠ ab"))
    assert encoding.encode("ab ab").ids.tolist() == [256, 257]


def test_an_empty_list_of_merges_is_one(tmp_path: Path) -> None:
    assert gpt2.read(written(tmp_path, merges="")).encode("é").ids.tolist() == [0xC3, 0xA9]


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        ("", r"vocab\.json is not a vocabulary"),
        ("[]", "JSON object"),
        ("{}", "has no tokens"),
        ('{"a": 0', "is not a vocabulary"),
        ('{"a": 0, "b": 1, "a": 2}', "has the key 'a' twice"),
        ('{"a": 0, "b": 0}', "gives the id 0 to both 'a' and 'b'"),
        ('{"a": -1}', "'a' the id '-1'"),
        ('{"a": 2147483648}', "'a' the id '2147483648'"),
        ('{"a": 1e3}', "the id '1000.0'"),
        ('{"a": NaN}', "the id 'NaN'"),
        ('{"a": true}', "the id 'true'"),
        ('{"a": "0"}', "the id '\"0\"'"),
        ('{"a": null}', "the id 'null'"),
        ('{"a": {"b": 1}}', "the id '{\"b\": 1}'"),
        ('{"a": {"b": 1, "b": 1}}', "has the key 'b' twice"),
        ('{"\\ud800": 0}', "not valid Unicode"),
        ('{"a": ' + "9" * 5000 + "}", "is not a vocabulary"),
        ("[" * 100_000, "nested too deeply|is not a vocabulary"),
        ('{"a":' * 100_000, "nested too deeply|is not a vocabulary"),
    ],
)
def test_vocabularies_without_sense_are_refused(
    vocabulary: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(EncodingError, match=message) as caught:
        gpt2.read(written(tmp_path, vocabulary))
    assert len(str(caught.value)) < 300 + len(str(tmp_path))


@pytest.mark.parametrize(
    ("merges", "message"),
    [
        ("#version: 0.2\na\n", "line 2: expected two tokens and a space, found 'a'"),
        ("a  b\n", "line 1: expected"),
        ("a b \n", "line 1: expected"),
        ("a b\n\nĠ ab\n", "line 2: expected"),
        ("a c\n", "line 1: the vocabulary has no token 'ac'"),
        ("a zz\n", "line 1: the vocabulary has no token 'zz'"),
        ("a b\nĠ ab\na b\n", "line 3 merges the same pair as line 1"),
        ("a b\n#version b\n", "line 2 begins with #version"),
        ("a b\n\udcff\udcfe c\n", r"merges\.txt is not a list of merges: it is not UTF-8"),
        ("a b\n" + "x" * 100_000, "line 2: expected"),
    ],
)
def test_merges_without_sense_are_refused(merges: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match=message) as caught:
        gpt2.read(written(tmp_path, merges=merges))
    assert len(str(caught.value)) < 300 + len(str(tmp_path))


def test_one_file_of_a_name_that_tells_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "numbers.json"
    path.write_text('{"a": 1}')
    with pytest.raises(EncodingError, match="a vocabulary and its merges are two files"):
        gpt2.read(path)


def test_one_of_the_files_may_not_be_missing(tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match=r"vocab\.json is missing; it belongs to merges"):
        gpt2.read(tmp_path)
    written(tmp_path)
    (tmp_path / "merges.txt").unlink()
    with pytest.raises(EncodingError, match=r"merges\.txt is missing; it belongs to vocab"):
        gpt2.read(tmp_path / "vocab.json")


def test_added_tokens_are_found_with_their_ids(tmp_path: Path) -> None:
    written(tmp_path, VOCABULARY | {"<|endoftext|>": 258})
    added = {"<|im_start|>": 300, "\n\n": 1000, "<|endoftext|>": 258, "ab": 256}
    (tmp_path / "added_tokens.json").write_text(json.dumps(added))
    encoding = gpt2.read(tmp_path)
    text = "ab<|im_start|> ab\n\n<|endoftext|>"
    tokens = encoding.encode(text)
    assert tokens.ids.tolist() == [256, 300, 257, 1000, 258]
    assert encoding.is_special(300)
    assert not encoding.is_special(256)
    assert encoding.decode(tokens.ids.tolist()) == text
    assert encoding.vocabulary_size == len(VOCABULARY) + 3
    as_text = encoding.encode(text, specials_as_text=True).ids.tolist()
    assert not {300, 1000, 258}.intersection(as_text)
    assert encoding.decode(as_text) == text


def test_added_tokens_have_the_name_of_their_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "my-vocab.json").write_text(json.dumps(VOCABULARY))
    (tmp_path / "my-merges.txt").write_text(MERGES)
    (tmp_path / "added_tokens.json").write_text('{"<a>": 300}')
    (tmp_path / "my-added_tokens.json").write_text('{"<b>": 301}')
    (tmp_path / "my-special_tokens_map.json").write_text('{"pad_token": "<b>"}')
    ids = gpt2.read(tmp_path / "my-vocab.json").encode("<a><b>").ids.tolist()
    assert 300 not in ids
    assert ids[-1] == 301


def test_a_map_of_special_tokens_says_which_are_special_and_what_space_they_take(
    tmp_path: Path,
) -> None:
    written(tmp_path)
    (tmp_path / "added_tokens.json").write_text('{"<mask>": 300, "<a>": 301}')
    (tmp_path / "special_tokens_map.json").write_text(
        json.dumps(
            {
                "mask_token": {"content": "<mask>", "lstrip": True, "normalized": False},
                "additional_special_tokens": ["ab", {"content": "<a>"}],
                "pad_token": None,
            }
        )
    )
    encoding = gpt2.read(tmp_path)
    tokens = encoding.encode("ab  <mask> ab <a>")
    assert tokens.ids.tolist() == [256, 300, VOCABULARY["Ġ"], 256, VOCABULARY["Ġ"], 301]
    assert (int(tokens.starts[1]), int(tokens.ends[1])) == (2, 10)
    assert encoding.is_special(256)


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ('{"<a>": 256}', "gives '<a>' the id 256, which the vocabulary gives to 'ab'"),
        ('{"ab": 300}', "gives the token 'ab' the id 300, and the vocabulary the id 256"),
        ('{"<a>": 300, "<b>": 300}', "gives the id 300 to both '<a>' and '<b>'"),
        ('{"<a>": "300"}', "'<a>' the id '\"300\"'"),
        ('{"<a>": -1}', "'<a>' the id '-1'"),
        ('{"<a>": {"id": 1}}', "the id '{\"id\": 1}'"),
        ('{"<a>": 300, "<a>": 300}', "has the key '<a>' twice"),
        ('{"": 300}', "an empty token"),
        ("[]", "JSON object"),
        ('{"<a>"', "is not a vocabulary"),
    ],
)
def test_added_tokens_without_sense_are_refused(tmp_path: Path, added: str, message: str) -> None:
    written(tmp_path)
    (tmp_path / "added_tokens.json").write_text(added)
    with pytest.raises(EncodingError, match=rf"added_tokens\.json.*{re.escape(message)}"):
        gpt2.read(tmp_path)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ('{"pad_token": "<pad>"}', "names '<pad>' as 'pad_token', which has no id; give it one in"),
        ('{"pad_token": 1}', "'pad_token' should be a token or a list of tokens"),
        ('{"pad_token": {"text": "ab"}}', "'pad_token' should be a token"),
        ('{"pad_token": {"content": "ab", "lstrip": 1}}', "'pad_token' should be a token"),
        ('{"additional_special_tokens": [["ab"]]}', "'additional_special_tokens' should be"),
        ('{"pad_token": "\\ud800"}', "names '\\ud800' as"),
        ("[]", "is not a map of special tokens: "),
        ("", "is not a map of special tokens"),
    ],
)
def test_maps_of_special_tokens_without_sense_are_refused(
    tmp_path: Path, named: str, message: str
) -> None:
    written(tmp_path)
    (tmp_path / "special_tokens_map.json").write_text(named)
    with pytest.raises(EncodingError, match=rf"special_tokens_map\.json.*{re.escape(message)}"):
        gpt2.read(tmp_path)


def test_nothing_added_is_nothing(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "added_tokens.json").write_text("{}")
    (tmp_path / "special_tokens_map.json").write_text("{}")
    assert gpt2.read(tmp_path).vocabulary_size == len(VOCABULARY)


def test_recognising_merges() -> None:
    vocabulary = json.dumps(VOCABULARY).encode()
    for merges in (MERGES, "a b", "Ġ t\r\nĠ a\r\n", "#version: 0.2"):
        assert gpt2.looks_like_merges(merges.encode())
    for data in (b"", b"minbpe v1\n\n0\n", "日 本\n".encode(), b"a b c\n", vocabulary):
        assert not gpt2.looks_like_merges(data)

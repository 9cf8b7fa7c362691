"""What a file holds is told by its content; encodings are opened by what names them."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import os
import shutil
import string
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.bpe.recipe_io import save
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings import download
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats import untrusted_files
from bpe_gui.encodings.load import Format, encodings_among, open_encoding, recognise
from bpe_gui.encodings.save import FORMATS, format_named
from tests.encodings.formats.test_tekken import tekken_of

TEXT = "low lower newest widest, said the 12 old women; low low"


HERE = [*(Format(known.name) for known in FORMATS), Format.SENTENCEPIECE, Format.TEKKEN]
"""The formats of the files here; the others have tests of their own."""


@pytest.fixture(scope="module")
def history() -> History:
    recipe = PRESETS["gpt2"].with_changes(vocabulary_size=290)
    trainer = Trainer(WordCounts.from_pairs([(TEXT, 3)], recipe), recipe, compiled=False)
    trainer.advance(1000)
    return trainer.history


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, history: History) -> dict[str, Path]:
    """A file, or folder, of each format, under names that say nothing."""
    folder = tmp_path_factory.mktemp("files")
    found = {}
    for known in FORMATS:
        path = folder / known.name
        known.write(history, path, None)
        found[known.name] = path
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([TEXT] * 20), model_writer=model, vocab_size=40,
        hard_vocab_limit=False, minloglevel=3,
    )
    found["tekken.json"] = tekken_of(folder / "tekken")
    found["sentencepiece"] = folder / "sentencepiece"
    found["sentencepiece"].write_bytes(model.getvalue())
    return found


@pytest.mark.parametrize("format_name", HERE)
def test_each_format_is_recognised_and_opened(
    files: dict[str, Path], history: History, format_name: Format
) -> None:
    path = files[format_name]
    assert recognise(path) is format_name
    if format_name is Format.TIKTOKEN:
        with pytest.raises(EncodingError, match="how text is split, and its 286 entries"):
            open_encoding(path)
        encoding = open_encoding(f"{path}@gpt2")
        by_regex = open_encoding(rf"{path}@'(?:[sdmt]|ll|ve|re)| ?\p{{L}}+|.")
        assert by_regex.decode(by_regex.encode(TEXT).ids.tolist()) == TEXT
    else:
        encoding = open_encoding(str(path))
        assert encoding.encode(TEXT).ids.tolist() == open_encoding(path).encode(TEXT).ids.tolist()
    assert encoding.name == path.name
    tokens = encoding.encode(TEXT)
    assert encoding.decode(tokens.ids.tolist()) == TEXT
    assert 0 < len(tokens) < len(TEXT)


@pytest.mark.parametrize("packed", [gzip, bz2, lzma])
@pytest.mark.parametrize("format_name", ["tokenizer.json", "minbpe", "sentencepiece", "tiktoken"])
def test_compressed_files_are_unpacked(
    files: dict[str, Path], tmp_path: Path, packed: Any, format_name: str
) -> None:
    source, path = files[format_name], tmp_path / "packed"
    data = packed.compress(source.read_bytes())
    path.write_bytes(data)
    assert recognise(path) is recognise(source)
    split = "@gpt2" if format_name == "tiktoken" else ""
    ids = open_encoding(f"{path}{split}").encode(TEXT).ids
    assert ids.tolist() == open_encoding(f"{source}{split}").encode(TEXT).ids.tolist()
    # What tells the format may be cut off as well.
    for size in (len(data) - 8, 30):
        path.write_bytes(data[:size])
        with pytest.raises(EncodingError, match=r"packed cannot be unpacked with"):
            open_encoding(f"{path}{split}")


@pytest.mark.parametrize("name", ["tokenizer_config.json", "special_tokens_map.json"])
def test_the_file_beside_a_tokenizer_says_which_one_to_open(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('{"bos_token": "<s>"}')
    with pytest.raises(EncodingError, match=r"open the tokenizer\.json or tokenizer\.model"):
        open_encoding(path)


def test_a_packed_file_is_not_unpacked_beyond_all_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(gzip.compress(b'{"version": "1.0", "model": {' + b" " * (9 << 20)))
    monkeypatch.setattr(untrusted_files, "MAX_BYTES", 8 << 20)
    with pytest.raises(EncodingError, match="bomb is larger than 8 MB"):
        open_encoding(path)


def test_what_is_an_encoding_among_many_files(files: dict[str, Path], tmp_path: Path) -> None:
    text, absent = tmp_path / "text", tmp_path / "absent"
    text.write_text(TEXT)
    pair = [files["gpt2"] / "vocab.json", files["gpt2"] / "merges.txt"]
    paths = [text, pair[1], files["minbpe"], absent, pair[0], files["tiktoken"]]
    found, others = encodings_among(map(str, paths))
    assert found == [str(pair[1]), str(files["minbpe"]), str(files["tiktoken"])]
    assert others == [str(text), str(absent)]
    copy = tmp_path / "copy"
    shutil.copytree(files["gpt2"], copy)
    found, _ = encodings_among([str(pair[0]), str(copy / "merges.txt")])
    assert len(found) == 2, "each of its own folder"
    assert encodings_among([]) == ([], [])


def test_the_files_of_a_folder(
    files: dict[str, Path], history: History, tmp_path: Path
) -> None:
    for name in ("vocab.json", "merges.txt"):
        assert recognise(files["gpt2"] / name) is Format.GPT2
        opened = open_encoding(files["gpt2"] / name)
        assert opened.vocabulary_size == history.vocabulary_size(len(history))
    with_json, with_model, empty = (tmp_path / name for name in ("json", "model", "empty"))
    for folder in (with_json, with_model, empty):
        folder.mkdir()
    shutil.copy(files["tokenizer.json"], with_json / "tokenizer.json")
    shutil.copy(files["sentencepiece"], with_model / "tokenizer.model")
    assert open_encoding(with_json).name == "json"
    assert open_encoding(with_model).name == "model"
    assert recognise(empty) is None
    with pytest.raises(EncodingError, match="is a folder without an encoding"):
        open_encoding(empty)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"low 5\nlower 2\nnewest 6\nwidest 3\n",
        b"word 5\nbird 2\n",
        b"low lower\nnewest widest\n",
        b"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
        b'{"text": "a corpus", "version": 1, "model": "x"}\n{"text": "b"}\n',
        b'{"model": "x", "text": "a corpus"}\n',
        b'{"low": 5, "lower": "2"}',
        b'{"low": 5}\n{"low": 6}\n',
        b'{"private": 1, "name": "settings", "width": 800}',
        b'{"type": "FeatureCollection", "features": [{"type": "Feature", "id": 1}]}',
        b'{"type": "Point", "coordinates": [8, 47]}',
        b"[1, 2]",
        b"{}",
        b"minbpe version 1 is a program\n",
        b"\x00\x01\x02\xff" * 30,
        "漢字かな\n".encode() * 9999,
        b"a,1\nb,2\n",
    ],
)
def test_texts_are_no_encodings(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)
    assert recognise(path) is None
    with pytest.raises(EncodingError, match=r"tokenizer\.json is not an encoding that can be read"):
        open_encoding(path)


@pytest.mark.parametrize("at", ["", "@gpt2"])
@pytest.mark.parametrize(
    "content", [None, '{"recipe": 1}', '{"name": "x", "recipe": 2}', '{"recipe": 1, "split": {"re']
)
def test_a_recipe_is_no_encoding_but_says_what_it_is(
    tmp_path: Path, content: str | None, at: str
) -> None:
    path = tmp_path / "mine.json"
    save(PRESETS["gpt2"], path)
    if content is not None:
        path.write_text(content)
    assert recognise(path) is None
    with pytest.raises(EncodingError, match=r"mine\.json is a recipe, not an encoding"):
        open_encoding(f"{path}{at}")


def test_a_vocabulary_may_hold_the_word_recipe(tmp_path: Path) -> None:
    path = tmp_path / "vocab.json"
    path.write_text('{"recipe": 1, "the": 0}')
    (tmp_path / "merges.txt").write_text("#version: 0.2\n")
    assert recognise(path) is Format.GPT2


@pytest.mark.parametrize("name", ["settings.json", "vocab.json"])
@pytest.mark.parametrize(
    "content",
    [
        {"a": 1},
        {"none": 0, "left": 1, "right": 2},
        {"width": 1280, "height": 720, "autosave": 300},
        {"items.one": 1, "items.few": 2, "items.many": 5, "Größe": 12},
        {letter: 100 * place for place, letter in enumerate(string.ascii_lowercase)},
        {f"word{number}": number for number in range(20_000)},
    ],
)
def test_whatever_maps_texts_to_numbers_is_no_vocabulary(
    tmp_path: Path, content: dict[str, int], name: str
) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(content, indent=2))
    assert recognise(path) is None
    assert encodings_among([str(path)]) == ([], [str(path)])
    with pytest.raises(EncodingError, match=rf"{name} is not .* but not all letters and digits"):
        open_encoding(path)


def test_a_vocabulary_alone_says_that_its_merges_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "vocab.json"
    texts = [*CHARACTER_OF_BYTE, "Ġt", "Ġthe"]
    path.write_text(json.dumps({text: token for token, text in enumerate(texts)}))
    assert recognise(path) is Format.GPT2
    with pytest.raises(EncodingError, match=r"merges\.txt is missing; it belongs to vocab\.json"):
        open_encoding(path)


@given(st.one_of(st.text(max_size=300).map(str.encode), st.binary(max_size=300)))
def test_whatever_a_file_holds_it_is_an_encoding_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(content)
    if recognise(path) is None:
        with pytest.raises(EncodingError):
            open_encoding(path)


def test_only_the_beginning_is_read(tmp_path: Path) -> None:
    path = tmp_path / "endless"
    with path.open("wb") as file:
        file.write(b"some text\n")
        file.truncate(1 << 40)  # a sparse file
    assert recognise(path) is None


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert recognise(path) is None
    with pytest.raises(EncodingError, match="is a pipe or a device"):
        open_encoding(path)


@pytest.mark.parametrize("keys", [["model", "version"], ["version", "model"]])
def test_the_order_of_keys_does_not_matter(tmp_path: Path, keys: list[str]) -> None:
    words = {f"w{number}": number for number in range(20_000)}
    state = json.loads(Tokenizer(models.WordLevel(words, unk_token="w0")).to_str())
    path = tmp_path / "file"
    path.write_text(json.dumps({key: state[key] for key in [*keys, *state]}))
    assert recognise(path) is Format.TOKENIZER_JSON
    assert open_encoding(path).vocabulary_size == 20_000


# A truncated file of minbpe may be one with fewer merges.
@pytest.mark.parametrize("format_name", [f for f in HERE if f is not Format.MINBPE])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_truncated_files_are_an_error(
    files: dict[str, Path], tmp_path: Path, format_name: Format, share: float
) -> None:
    source = files[format_name]
    source = source / "vocab.json" if source.is_dir() else source
    data = source.read_bytes()
    path = tmp_path / source.name
    path.write_bytes(data[: int(len(data) * share)])
    spec = f"{path}@gpt2" if format_name is Format.TIKTOKEN else path
    with pytest.raises((EncodingError, OSError), match=path.name):
        open_encoding(spec)


def test_names_with_an_at_sign(files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "me@home@work.tiktoken"
    shutil.copy(files["tiktoken"], path)
    with pytest.raises(EncodingError, match=r"me@home@work\.tiktoken"):
        open_encoding(str(path))
    assert open_encoding(f"{path}@gpt2").decode([40]) == open_encoding(f"{path}@o200k").decode([40])
    long = "|".join(f"{number}/" for number in range(1500)) + "|.|\\n"
    assert open_encoding(f"{path}@{long}").encode("a").ids.tolist() == [64]
    with pytest.raises(EncodingError, match="no split pattern named 'gpt17'"):
        open_encoding(f"{path}@gpt17")
    with pytest.raises(EncodingError, match="is not a rank file but minbpe"):
        open_encoding(f"{files['minbpe']}@gpt2")
    with pytest.raises(FileNotFoundError):
        open_encoding(f"{tmp_path}/missing@gpt2")
    with pytest.raises(FileNotFoundError):
        open_encoding(tmp_path / "missing")


def test_names_of_libraries(monkeypatch: pytest.MonkeyPatch, files: dict[str, Path]) -> None:
    asked = []

    def from_library(name: str, **options: object) -> str:
        asked.append((name, set(options)))
        return "an encoding"

    monkeypatch.setattr(download, "from_tiktoken", from_library)
    monkeypatch.setattr(download, "from_hub", from_library)
    assert open_encoding("tiktoken:gpt2", cancelled=lambda: False) == "an encoding"
    assert open_encoding("hub:owner/model", progress=lambda *told: None) == "an encoding"
    assert asked == [("gpt2", {"cancelled"}), ("owner/model", {"progress", "cancelled"})]


def test_ranks_with_any_ending_of_lines(tmp_path: Path) -> None:
    lines = [f"{base64.b64encode(bytes([byte])).decode()} {byte}" for byte in range(256)]
    for end in ("\n", "\r\n"):
        path = tmp_path / "ranks"
        path.write_bytes(end.join(lines).encode())
        assert recognise(path) is Format.TIKTOKEN
        assert open_encoding(f"{path}@gpt2").encode("ab").ids.tolist() == [97, 98]


def test_formats_are_called_alike() -> None:
    assert {known.name for known in FORMATS} < set(Format)
    assert format_named(Format.GPT2).name == "gpt2"


def test_what_a_library_quotes_of_a_file_is_cut_short(tmp_path: Path) -> None:
    library = Tokenizer(models.BPE({"a": 0}, []))
    state = json.loads(library.to_str())
    state["model"]["merges"] = [["x" * 100_000, "y"]]
    path = tmp_path / "long.json"
    path.write_text(json.dumps(state))
    with pytest.raises(EncodingError, match=r" \.\.\. .* out of vocabulary") as caught:
        open_encoding(path)
    assert len(str(caught.value)) < 1000

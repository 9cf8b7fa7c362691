"""Saving in any format, and the check afterwards."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.encodings import save
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.encodings.save import Agreement, Mismatch, format_named, format_of, verify
from tests.encodings.runs import byte_recipe, byte_runs, texts, train

TEXT = "low lower <s> lowest\n日本 é ab\x00" * 3


@pytest.fixture
def history() -> History:
    return train(byte_recipe("gpt2", ("<s>",)), ["low lower lowest ab ab 日本"])


def place_for(name: str, folder: Path) -> Path:
    return folder / {
        "tokenizer.json": "tokenizer.json",
        "tiktoken": "run.tiktoken",
        "gpt2": "vocab.json",
        "minbpe": "run.model",
    }[name]


NAMES = [known.name for known in save.FORMATS]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_saved_agrees(name: str, history: History, tmp_path: Path) -> None:
    path = place_for(name, tmp_path)
    for position in (0, 2, len(history)):
        format_of(path).write(history, path, position)
        found = verify(history, path, [TEXT, "", "x"], position)
        assert found == Agreement(len(TEXT) + 1, renumbered=name == "minbpe")
        assert found.agreed
        assert found.sentence.startswith("88 characters agreed")


def test_a_large_run_is_compared_by_its_first_merges_and_written_whole(tmp_path: Path) -> None:
    history = train(byte_recipe("none"), [joined().text], 1100)
    path = tmp_path / "tokenizer.json"
    agreement = save.save(history, path, format_named("tokenizer.json"), None)
    assert agreement == Agreement(len(joined().text), merges=1000)
    assert len(json.loads(path.read_text())["model"]["merges"]) == len(history) == 1100
    assert verify(history, path, [TEXT]).agreed


@settings(max_examples=settings.default.max_examples // 3)
@given(history=byte_runs(("gpt2",), ("<s>", "日本")), text=texts)
@pytest.mark.parametrize("name", NAMES)
def test_any_text_agrees(
    name: str, history: History, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = place_for(name, tmp_path_factory.mktemp("saved"))
    format_named(name).write(history, path, None)
    assert verify(history, path, [text]).agreed


@pytest.mark.parametrize("preset", PRESETS)
def test_tokenizer_json_agrees_where_characters_are_left_out(preset: str, tmp_path: Path) -> None:
    recipe = PRESETS[preset].with_changes(vocabulary_size=None, min_frequency=1)
    run = train(recipe, ["low lower lowest"])
    path = tmp_path / "tokenizer.json"
    format_of(path).write(run, path, None)
    assert verify(run, path, [TEXT]).agreed


@pytest.mark.parametrize("name", NAMES)
def test_the_first_difference_is_told(name: str, history: History, tmp_path: Path) -> None:
    path = place_for(name, tmp_path)
    format_of(path).write(history, path, len(history) - 1)
    last = history.token_bytes(history.vocabulary_size(len(history)) - 1).decode()
    found = verify(history, path, ["low", "low " + last, "never seen"])
    assert found.characters == 3
    assert not found.agreed
    assert found.mismatch is not None
    assert found.mismatch.text == "low " + last
    assert found.mismatch.ours != found.mismatch.theirs
    assert found.sentence.startswith(f"differs at character {found.mismatch.place + 1}: ")


def test_the_sentence_names_place_and_ids() -> None:
    assert Agreement(1).sentence == "1 character agreed"
    assert Agreement(1_234_567).sentence == "1,234,567 characters agreed"
    assert Agreement(5, finished=False).sentence == "5 characters agreed until it was stopped"
    assert Agreement(5, renumbered=True).sentence == (
        "5 characters agreed, with ids that the format numbers anew"
    )
    assert Agreement(5, merges=1000).sentence == "5 characters agreed with the first 1,000 merges"
    differs = Agreement(5, Mismatch("ab", 16, (1, 2), ()))
    assert differs.sentence == "differs at character 17: 1 2 here, no ids in the file"
    assert Agreement(0, problem="it could not be checked").sentence == "it could not be checked"


def test_a_text_of_which_the_file_has_more_or_fewer_tokens(
    history: History, tmp_path: Path
) -> None:
    path = tmp_path / "tokenizer.json"
    format_of(path).write(history, path, None)
    state = json.loads(path.read_text())
    state["pre_tokenizer"] = {"type": "Split", "pattern": {"String": "b"}, "behavior": "Removed",
                              "invert": False}
    path.write_text(json.dumps(state))
    found = verify(history, path, ["lowb"])
    assert found.mismatch is not None
    assert found.mismatch.place == 3
    assert len(found.mismatch.ours) == len(found.mismatch.theirs) + 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", ["gone", "spoilt"])
def test_a_file_that_does_not_load_is_a_problem(
    name: str, damage: str, history: History, tmp_path: Path
) -> None:
    path = place_for(name, tmp_path)
    format_of(path).write(history, path, None)
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:20])
    found = verify(history, path, [TEXT])
    assert not found.agreed
    assert found.sentence.startswith("it could not be ")


def test_the_check_can_be_stopped(history: History, tmp_path: Path) -> None:
    path = tmp_path / "x.tiktoken"
    format_of(path).write(history, path, None)
    given_out: list[str] = []

    def endless() -> Iterator[str]:
        while True:
            given_out.append("low")
            yield "low"

    found = verify(history, path, endless(), cancelled=lambda: len(given_out) > 100)
    assert found == Agreement(100 * len("low"), finished=False)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.json", "tokenizer.json"),
        ("tokenizer.json", "tokenizer.json"),
        ("vocab.json", "gpt2"),
        ("my-vocab.json", "gpt2"),
        ("merges.txt", "gpt2"),
        ("folder/", "gpt2"),
        ("a.tiktoken", "tiktoken"),
        ("a.model", "minbpe"),
    ],
)
def test_formats_by_the_names_of_files(name: str, expected: str) -> None:
    assert format_of(name).name == expected


def test_a_folder_is_gpt2s(tmp_path: Path) -> None:
    assert format_of(tmp_path).name == "gpt2"
    for name in ("a.json", "a.tiktoken", "vocab.json"):
        folder = tmp_path / name
        folder.mkdir()
        with pytest.raises(ExportError, match=f"{name} is a folder, .*; name a file in it, or end"):
            format_of(folder)
        assert format_of(f"{folder}/").name == "gpt2"


def test_names_that_tell_nothing() -> None:
    with pytest.raises(ExportError, match=r"x\.bin: the name does not say which format is meant"):
        format_of("x.bin")
    with pytest.raises(ExportError, match="there is no format 'sentencepiece'"):
        format_named("sentencepiece")


def test_random_bytes_are_never_a_crash(history: History, tmp_path: Path) -> None:
    @given(data=st.binary(max_size=60), name=st.sampled_from(NAMES))
    def check(data: bytes, name: str) -> None:
        path = place_for(name, tmp_path)
        (tmp_path / "merges.txt").write_text("#version: 0.2\n")
        path.write_bytes(data)
        assert not verify(history, path, ["low"]).agreed

    check()


# -- the slice of the corpus -----------------------------------------------------------------


def test_the_beginning_of_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("aé" * 10)
    (tmp_path / "b.txt").write_text("end")
    corpus = Corpus([tmp_path])
    assert "".join(save.slice_of(corpus)) == "aé" * 10 + "end"
    assert "".join(save.slice_of(corpus, 5)) == "aéa"


def test_the_words_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_text("word,count\nlow,5\nnewest,6\nwidest,3\n")
    assert list(save.slice_of(Corpus([path]), 2)) == ["low newest"]


def test_nothing_of_a_corpus_that_cannot_be_read_again(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    for source in (pipe, "-", tmp_path / "missing.txt"):
        assert list(save.slice_of(Corpus([source]))) == []

"""An encoding of another program opens in Explore, and is trained on."""

from __future__ import annotations

import csv
import io
import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QDialog,
    QMainWindow,
    QSpinBox,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, pre_tokenizers

from bpe_gui.encodings import load
from bpe_gui.encodings.base import GUESSED, Encoding
from bpe_gui.encodings.formats import rank_families
from bpe_gui.encodings.formats.rank_families import RankFamily
from bpe_gui.ui.compare.rank_file_dialog import RankFileDialog
from bpe_gui.ui.panels.curves.plot import CurvePlot
from bpe_gui.ui.timeline.timeline import Timeline
from tests.end_to_end.comparing import names, numbers, window
from tests.end_to_end.test_saving_tokenizer import save_as
from tests.end_to_end.window import (
    Start,
    answer_file_dialog,
    answered,
    bring_up,
    column,
    end,
    go_to,
    is_enabled,
    is_trained,
    messages,
    position,
    rows,
    said,
    set_number,
    timeline,
    write,
    written,
)
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn

__all__ = ["window"]

PAIRS = [("z", "z"), ("e", "s"), ("Ġ", "l"), ("es", "t"), ("Ġl", "o"), ("q", "u")]
FIRST_MADE = 300


@pytest.fixture
def encoding(tmp_path: Path) -> Path:
    """Bytes and six merges, of which two never occur in the five words; ids with a gap."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: token for token, letter in enumerate(letters)}
    vocabulary |= {"".join(pair): FIRST_MADE + n for n, pair in enumerate(PAIRS)}
    library = LibraryTokenizer(models.BPE(vocabulary, PAIRS))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    path = tmp_path / "other.json"
    library.save(str(path))
    return path


@pytest.fixture
def opened(start: Start, words: Path, encoding: Path, qtbot: QtBot) -> QMainWindow:
    """A window with that encoding as a run on the five words."""
    window = start("open", str(words), "--preset", "gpt2")
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    answer_file_dialog(qtbot, window, "openAction", encoding)
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == len(PAIRS))
    qtbot.waitUntil(lambda: position(window) == len(PAIRS))  # the cursor follows
    return window


def test_an_encoding_is_named_with_the_corpus_that_it_is_shown_on(
    start: Start, words: Path, encoding: Path, qtbot: QtBot
) -> None:
    versioned = encoding.rename(encoding.with_name("other.json.v1"))
    window = start("open", str(versioned), str(words))
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == len(PAIRS))
    assert child(window, QComboBox, "corpusBox").currentText() == words.name
    qtbot.waitUntil(lambda: last_rows(window).get("est", [""] * 4)[3] == "27")


def test_ranks_of_no_known_family_are_named_with_their_split(
    start: Start, words: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "own.tiktoken"
    tokens = [*(bytes([byte]) for byte in range(256)), b"lo", b"low"]
    path.write_text("".join(f"{b64encode(t).decode()} {rank}\n" for rank, t in enumerate(tokens)))
    window = start("open", str(words), f"{path}@gpt2")
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == 2)


def test_ranks_of_no_known_family_ask_for_their_split(
    start: Start, words: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.tiktoken"
    tokens = [*(bytes([byte]) for byte in range(256)), b"lo", b"low"]
    path.write_text("".join(f"{b64encode(t).decode()} {rank}\n" for rank, t in enumerate(tokens)))
    window = start("open", str(words))
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    monkeypatch.setattr(RankFileDialog, "exec", lambda _: QDialog.DialogCode.Rejected)
    answer_file_dialog(qtbot, window, "openAction", path)
    assert (position(window), messages(window)) == (0, []), "nothing was opened"

    def answer(dialog: RankFileDialog) -> QDialog.DialogCode:
        split = child(dialog, QComboBox, "rankFileSplit")
        split.setCurrentIndex(split.findText("gpt2"))
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(RankFileDialog, "exec", answer)
    answer_file_dialog(qtbot, window, "openAction", path)
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == 2)


def test_a_folder_with_an_encoding_is_opened_as_that(
    start: Start, words: Path, encoding: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes(encoding.read_bytes())
    (folder / "README.md").write_text("low lower")
    window = start("open", str(words), str(folder))
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == len(PAIRS))
    assert child(window, QComboBox, "corpusBox").currentText() == words.name
    told = "model holds an encoding, and was opened as one. To use its files as a corpus, open them"
    assert told in " ".join(messages(window))


@pytest.mark.parametrize("with_corpus", [True, False])
def test_several_encodings_are_lanes(
    start: Start, words: Path, encoding: Path, qtbot: QtBot, tmp_path: Path, with_corpus: bool
) -> None:
    ranks = tmp_path / "own.tiktoken"
    tokens = [*(bytes([byte]) for byte in range(256)), b"lo", b"low"]
    ranks.write_text("".join(f"{b64encode(t).decode()} {rank}\n" for rank, t in enumerate(tokens)))
    corpus = [str(words)] if with_corpus else []
    window = start("open", str(encoding), *corpus, f"{ranks}@gpt2", str(ranks))
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    shown = written(window, "corpusBox")
    assert shown == (words.name if with_corpus else "Four words")
    assert child(window, QWidget, "laneView").isVisible()
    qtbot.waitUntil(lambda: len(names(window)) == 3)
    qtbot.waitUntil(lambda: "does not say how text is split" in names(window)[2])
    assert names(window)[:2] == ["other.json", "own.tiktoken@gpt2"]
    qtbot.waitUntil(lambda: column(numbers(window), "vocabulary")[:2] == ["262", "258"])
    act(window, "trainAction")
    qtbot.waitUntil(lambda: is_trained(window) and end(window) > 0)
    qtbot.waitUntil(lambda: "the run at the cursor" in names(window))


def test_vocabularies_in_text_files_are_lanes_too(
    start: Start, encoding: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    rwkv, bert = tmp_path / "rwkv_vocab_v1.txt", tmp_path / "small-uncased-vocab.txt"
    rwkv.write_text("1 'l' 1\n2 'low' 3\n")
    bert.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\nlow\n##er\n")
    window = start("open", str(encoding), str(rwkv), str(bert))
    qtbot.waitUntil(lambda: names(window)[:3] == ["other.json", rwkv.name, bert.name])
    assert written(window, "corpusBox") == "Four words"
    qtbot.waitUntil(lambda: column(numbers(window), "vocabulary")[:3] == ["262", "2", "6"])


def test_characters_that_an_encoding_lacks_become_symbols_if_one_wants(
    start: Start, qtbot: QtBot, tmp_path: Path
) -> None:
    pieces = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "t", "o", "to", "tot", "toto"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    merges = [("t", "o"), ("to", "t"), ("tot", "o")]
    model = models.BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True)
    encoding, corpus = tmp_path / "bytes.json", tmp_path / "cats.txt"
    LibraryTokenizer(model).save(str(encoding))
    corpus.write_text("to 猫 to 猫 犬", "utf-8")
    window = start("open", str(corpus), str(encoding))
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == len(merges))
    told = "Characters without a token stay bytes, and no new merge joins these."
    assert told in " ".join(messages(window))
    qtbot.waitUntil(lambda: position(window) == len(merges))
    qtbot.waitUntil(lambda: "+" not in said(window, "pairChart"))
    act(window, "laboratoryAction")
    qtbot.waitUntil(lambda: window.findChild(QCheckBox, "newCharactersCheck") is not None)
    child(window, QToolButton, "symbolsSection").click()
    become_symbols = child(window, QCheckBox, "newCharactersCheck")
    assert (become_symbols.isVisible(), become_symbols.isChecked()) == (True, False)
    often = child(window, QSpinBox, "newCharactersBox")
    assert (often.isVisible(), often.isEnabled(), often.value()) == (True, False, 1)
    become_symbols.click()
    assert often.isEnabled()
    train = child(window, QAbstractButton, "trainRecipeButton")
    qtbot.waitUntil(train.isEnabled)
    train.click()
    qtbot.waitUntil(lambda: is_trained(window) and "3 new single" in said(window, "statusText"))
    often.setValue(2)
    assert become_symbols.isChecked()
    qtbot.waitUntil(train.isEnabled)
    train.click()
    qtbot.waitUntil(lambda: is_trained(window) and "2 new single" in said(window, "statusText"))
    often.setValue(1)
    often.setValue(2)
    become_symbols.click()
    become_symbols.click()
    assert (often.isEnabled(), often.value()) == (True, 2)


def opened_ranks(
    start: Start, words: Path, qtbot: QtBot, path: Path, tokens: list[bytes]
) -> QMainWindow:
    """Open ranks of these tokens, whose split is guessed, and wait for the run."""
    family = RankFamily("Somebody", "gpt2", len(tokens), {256: tokens[256]}, {})
    lines = (f"{b64encode(token).decode()} {rank}\n" for rank, token in enumerate(tokens))
    path.write_text("".join(lines))
    window = start("open", str(words), "--preset", "gpt2")
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_families, "FAMILIES", (family,))
        answer_file_dialog(qtbot, window, "openAction", path)
        recipe = child(window, QComboBox, "presetBox")
        qtbot.waitUntil(lambda: is_trained(window) and recipe.currentText().endswith(GUESSED))
    return window


def test_a_guess_about_its_file_is_said_by_the_recipe(
    start: Start, words: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    tokens = [*(bytes([byte]) for byte in range(256)), b"lo", b"low"]
    window = opened_ranks(start, words, qtbot, tmp_path / "ranks.tiktoken", tokens)
    recipe = child(window, QComboBox, "presetBox")
    assert recipe.currentText() == "ranks.tiktoken · guess"
    assert recipe.toolTip() == "Read as Somebody's ranks: 258 entries, guessed"
    assert not messages(window), "a message would stay until it is dismissed"


def test_a_token_that_no_merge_makes_is_a_word_from_the_start(
    start: Start, words: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    tokens = [*(bytes([byte]) for byte in range(256)), b"lo", b"wxyz"]
    window = opened_ranks(start, words, qtbot, tmp_path / "whole.tiktoken", tokens)
    note = (
        "No merge makes 1 token of whole.tiktoken: a word that is such a token as a whole is one "
        "token from the start."
    )
    assert note in " ".join(messages(window))
    go_to(qtbot, window, 0)
    child(window, QAbstractButton, "idsButton").click()
    write(qtbot, window, "sampleText", "wxyz")
    qtbot.waitUntil(lambda: written(window, "tokenIds").split() == ["257"])
    write(qtbot, window, "sampleText", "xwxyz")
    qtbot.waitUntil(lambda: written(window, "tokenIds").split() == ["120", *map(str, b"wxyz")])


def check_tokens_that_the_corpus_does_not_use_can_be_left_out(
    opened: QMainWindow, encoding: Path, words: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "used.json"
    trigger = child(opened, QAction, "saveUsedAction").trigger
    answered(qtbot, trigger, [save_as(qtbot, "Hugging Face", path)])
    said = "used.json is saved as Hugging Face tokenizer.json, with 260 tokens under new ids. "
    qtbot.waitUntil(lambda: said in " ".join(messages(opened)))
    whole, used = (LibraryTokenizer.from_file(str(each)) for each in (encoding, path))
    assert used.encode(words.read_text()).tokens == whole.encode(words.read_text()).tokens
    assert whole.get_vocab().keys() - used.get_vocab().keys() == {"zz", "qu"}
    assert sorted(used.get_vocab().values()) == [*range(260)]
    go_to(qtbot, opened, 2)
    answered(qtbot, trigger, [save_as(qtbot, "tiktoken", tmp_path / "used.tiktoken")])
    said = "used.tiktoken is saved as tiktoken ranks, with 257 tokens under new ids. "
    qtbot.waitUntil(lambda: said in " ".join(messages(opened)))
    assert not list(tmp_path.glob("*.csv"))


def check_old_and_new_ids_are_written_beside_what_is_left(
    opened: QMainWindow, encoding: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "used.json"

    def answer(dialog: QDialog) -> None:
        child(dialog, QCheckBox, "idTable").click()
        save_as(qtbot, "Hugging Face", path)(dialog)

    answered(qtbot, child(opened, QAction, "saveUsedAction").trigger, [answer])
    said = "Their ids are in used-ids.csv."
    qtbot.waitUntil(lambda: said in " ".join(messages(opened)))
    whole, used = (LibraryTokenizer.from_file(str(each)) for each in (encoding, path))
    heading, *lines = csv.reader(io.StringIO((tmp_path / "used-ids.csv").read_text("utf-8")))
    assert heading == ["old id", "new id", "token"]
    assert len(lines) == 260
    for old, new, _ in lines:
        assert whole.id_to_token(int(old)) == used.id_to_token(int(new))
    answered(qtbot, child(opened, QAction, "saveAction").trigger, [lacks_table])


def lacks_table(dialog: QDialog) -> None:
    """All tokens keep their ids, so there is no table to write."""
    assert not child(dialog, QCheckBox, "idTable").isVisible()
    dialog.reject()


def check_at_the_end_only_the_last_merge_can_be_explained(
    opened: QMainWindow, qtbot: QtBot
) -> None:
    next_one, last_one = (
        child(opened, QToolButton, name) for name in ("tellNextButton", "tellLastButton")
    )
    qtbot.waitUntil(lambda: "Last: merge 6" in said(opened, "whyText"))
    state = next_one.isChecked(), next_one.isEnabled(), last_one.isChecked()
    assert state == (False, False, True)
    go_to(qtbot, opened, 5)
    qtbot.waitUntil(lambda: "Next: merge 6" in said(opened, "whyText"))
    state = next_one.isChecked(), next_one.isEnabled(), last_one.isChecked()
    assert state == (True, True, False)


def test_a_run_that_was_trained_uses_all_its_tokens(
    start: Start, words: Path, qtbot: QtBot
) -> None:
    window = start("open", str(words), "--preset", "gpt2", "--start")
    qtbot.waitUntil(lambda: is_trained(window))
    assert is_enabled(window, "saveHereAction")
    assert not is_enabled(window, "saveUsedAction")


def last_rows(window: QMainWindow) -> dict[str, list[str]]:
    """The rows of the tokens that merges made, by token."""
    return {row[1]: row for row in rows(window, "vocabularyTable")[256:]}


def shown_tokens(window: QMainWindow) -> set[str]:
    return {row[1] for row in rows(window, "vocabularyTable")}


def check_its_merges_are_the_timeline_with_their_counts_in_the_corpus(
    opened: QMainWindow, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: len(last_rows(opened)) == len(PAIRS))
    found = last_rows(opened)
    assert [int(row[0]) for row in found.values()] == [*range(FIRST_MADE, FIRST_MADE + 6)]
    counts = {token: row[3] for token, row in found.items()}
    assert counts["zz"] == counts["qu"] == "0"
    assert counts["est"] == "27"
    go_to(qtbot, opened, 0)
    qtbot.waitUntil(lambda: "Merge 1 of other.json makes “zz”" in said(opened, "whyText"))
    card = said(opened, "whyText")
    assert "never neighbours in this corpus" in card
    # What is about the whole run comes last.
    assert card.index("tokens saved") < card.index("this corpus\nhad a more frequent pair at ")
    assert "does not have the pairs of 2 merges" in card
    qtbot.waitUntil(lambda: "source words\nnone" in said(opened, "whyText"))


def check_tokens_that_the_corpus_never_uses_are_filtered(opened: QMainWindow, qtbot: QtBot) -> None:
    act(opened, "filterAbsentAction")
    qtbot.waitUntil(lambda: {"zz", "qu", "es"} <= shown_tokens(opened))
    qtbot.waitUntil(lambda: "est" not in shown_tokens(opened))


def check_merges_that_the_corpus_would_have_chosen_otherwise_are_filtered(
    opened: QMainWindow, qtbot: QtBot
) -> None:
    """Pairs that never occur were merged while others did; “es” was among the most frequent."""
    act(opened, "filterOtherwiseAction")
    qtbot.waitUntil(lambda: {"zz", "qu"} <= shown_tokens(opened) <= {"zz", "qu", "␣l", "␣lo"})
    go_to(qtbot, opened, 0)
    qtbot.waitUntil(lambda: "Most frequent" in said(opened, "whyText"))


def test_the_name_of_a_file_is_whole_in_the_box_of_recipes(
    start: Start, words: Path, encoding: Path, qtbot: QtBot
) -> None:
    named = encoding.rename(encoding.with_name("english-and-hindi-6000.json"))
    window = start("open", str(words), "--preset", "gpt2")
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    answer_file_dialog(qtbot, window, "openAction", named)
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == len(PAIRS))
    box = child(window, QComboBox, "presetBox")
    assert box.currentText() == named.name
    qtbot.waitUntil(
        lambda: box.width() > box.fontMetrics().horizontalAdvance(box.currentText()) + 30
    )


def check_what_was_opened_is_not_said_to_be_trained(opened: QMainWindow) -> None:
    assert said(opened, "statusText").startswith("6 merges of other.json done on the corpus")


def test_the_window_says_what_it_reads_until_that_is_cancelled(
    start: Start, words: Path, encoding: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = start("open", str(words), "--preset", "gpt2")
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    go_on, whole, was_read = Event(), load.open_encoding, []

    def read(path: str, cancelled: Callable[[], bool], **_: object) -> Encoding:
        go_on.wait()
        was_read.append(cancelled())
        return whole(path, cancelled=cancelled)

    monkeypatch.setattr(load, "open_encoding", read)
    answer_file_dialog(qtbot, window, "openAction", encoding)
    qtbot.waitUntil(lambda: "Reading other.json" in said(window, "statusText"))
    act(window, "cancelAction")
    assert "Reading" not in said(window, "statusText")
    go_on.set()
    qtbot.waitUntil(lambda: was_read == [True])
    assert end(window) == 0


def test_raising_the_size_trains_on_with_new_ids_behind(
    opened: QMainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    assert written(opened, "vocabSizeBox").replace(",", "").startswith("max. 262")
    plot = plot_without_a_line(opened, qtbot)
    set_number(qtbot, opened, "vocabSizeBox", 264)
    act(opened, "trainAction")
    qtbot.waitUntil(lambda: is_trained(opened) and end(opened) == len(PAIRS) + 2)
    qtbot.waitUntil(lambda: len(last_rows(opened)) == len(PAIRS) + 2)
    assert said(opened, "statusText").startswith("Tokens in the corpus: ")
    assert "% fewer. Added 2 tokens, ids 306 to 307. Done" in said(opened, "statusText")
    timeline = child(opened, Timeline, "timeline")
    ends = timeline.tooltip_at(timeline.place_of(len(PAIRS)))
    assert "the first 6 merges are from other.json" in ends
    assert [int(row[0]) for row in last_rows(opened).values()] == [*range(300, 308)]
    path = tmp_path / "more.json"
    answer_file_dialog(qtbot, opened, "saveAction", path)
    qtbot.waitUntil(lambda: any("more.json is saved" in each for each in messages(opened)))
    state = json.loads(path.read_text("utf-8"))
    assert [tuple(pair) for pair in state["model"]["merges"][: len(PAIRS)]] == PAIRS
    assert max(state["model"]["vocab"].values()) == 307
    check_a_line_shows_where_training_went_on(plot, qtbot)


def plot_without_a_line(opened: QMainWindow, qtbot: QtBot) -> CurvePlot:
    """The first curve, brought into view before training goes on."""
    bring_up(opened, "curvesDock")
    qtbot.waitUntil(lambda: bool(opened.findChildren(CurvePlot)))
    plot = opened.findChildren(CurvePlot)[0]
    qtbot.waitUntil(lambda: "merge 6: " in plot.accessibleDescription())
    assert "line:" not in plot.accessibleDescription(), "all merges are from the encoding"
    return plot


def check_a_line_shows_where_training_went_on(plot: CurvePlot, qtbot: QtBot) -> None:
    told = "line: the last merge of other.json   merge 8: "
    qtbot.waitUntil(lambda: told in plot.accessibleDescription())
    lines = [item.getData()[0] for item in plot.canvas.getPlotItem().curves]
    assert any(x is not None and len(x) == 2 and np.allclose(x, len(PAIRS)) for x in lines)


def test_a_session_brings_it_back(
    opened: QMainWindow, start: Start, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "run.bpesession"
    go_to(qtbot, opened, 4)
    answer_file_dialog(qtbot, opened, "saveSessionAsAction", path)
    qtbot.waitUntil(path.exists)
    again = start("open", str(path))
    qtbot.waitUntil(lambda: end(again) == len(PAIRS) and position(again) == 4)
    set_number(qtbot, again, "vocabSizeBox", 263)
    act(again, "trainAction")
    qtbot.waitUntil(lambda: end(again) == len(PAIRS) + 1)
    qtbot.waitUntil(lambda: is_trained(again))


def test_another_corpus_counts_its_merges_anew(
    opened: QMainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    other = tmp_path / "other.txt"
    other.write_text("zz zz zz quest")
    answer_file_dialog(qtbot, opened, "openAction", other)
    qtbot.waitUntil(lambda: end(opened) == 0)
    act(opened, "trainAction")
    qtbot.waitUntil(lambda: is_trained(opened) and end(opened) == len(PAIRS))
    act(opened, "endAction")
    qtbot.waitUntil(lambda: last_rows(opened).get("zz", [""] * 4)[3] == "3")


def check_a_merge_of_the_encoding_is_not_decided_otherwise(
    opened: QMainWindow, qtbot: QtBot
) -> None:
    go_to(qtbot, opened, 2)
    act(opened, "forbidAction")
    qtbot.waitUntil(
        lambda: any("is one of those of other.json" in each for each in messages(opened))
    )
    assert end(opened) == len(PAIRS)


def test_a_lane_opens_in_explore(window: QMainWindow, encoding: Path, qtbot: QtBot) -> None:
    answer_file_dialog(qtbot, window, "addFileAction", encoding)
    qtbot.waitUntil(lambda: "other.json" in names(window)[-1])
    last = len(names(window)) - 1
    qtbot.waitUntil(lambda: bool(column(numbers(window), "tokens")[last:]))
    numbers(window).setCurrentIndex(numbers(window).model().index(last, 0))
    qtbot.waitUntil(lambda: is_enabled(window, "exploreLaneAction"))
    act(window, "exploreLaneAction")
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == len(PAIRS))
    qtbot.waitUntil(child(window, QWidget, "timeline").isVisible)


def test_a_lane_of_the_run_in_view_is_found_in_explore_as_it_is(
    window: QMainWindow, qtbot: QtBot
) -> None:
    act(window, "trainAction")
    qtbot.waitUntil(lambda: is_trained(window))
    act(window, "compareAction")
    recipe, merges = child(window, QComboBox, "presetBox").currentText(), end(window)
    qtbot.waitUntil(lambda: len(column(numbers(window), "tokens")) == 2)
    for row, wanted in ((0, merges), (1, merges // 10)):
        act(window, "compareAction")
        numbers(window).setCurrentIndex(numbers(window).model().index(row, 0))
        qtbot.waitUntil(lambda: is_enabled(window, "exploreLaneAction"))
        act(window, "exploreLaneAction")
        assert child(window, QWidget, "textDock").isVisible()
        qtbot.waitUntil(lambda: position(window) == wanted)  # noqa: B023 - called at once
        assert child(window, QComboBox, "presetBox").currentText() == recipe
        assert end(window) == merges


def test_what_is_no_run_says_so(window: QMainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "unigram.json"
    LibraryTokenizer(models.Unigram([("a", -1.0)], None, False)).save(str(path))
    merges = end(window)
    answer_file_dialog(qtbot, window, "openAction", path)
    qtbot.waitUntil(
        lambda: any("has no merges, because it is Unigram" in each for each in messages(window))
    )
    assert end(window) == merges


def check_its_merges_are_not_guessed(opened: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, opened, 1)
    act(opened, "guessAction")
    qtbot.waitUntil(lambda: "This merge is one of other.json" in said(opened, "guessBoard"))


def check_the_ids_of_a_text_are_those_of_the_library(
    opened: QMainWindow, encoding: Path, qtbot: QtBot
) -> None:
    write(qtbot, opened, "sampleText", "the lowest")
    child(opened, QAbstractButton, "idsButton").click()
    ids = LibraryTokenizer.from_file(str(encoding)).encode("the lowest").ids
    qtbot.waitUntil(lambda: written(opened, "tokenIds").split() == list(map(str, ids)))


def test_what_an_encoding_shows(opened: QMainWindow, in_turn: InTurn) -> None:
    in_turn(
        lambda: timeline(opened).setValue(len(PAIRS)),
        check_tokens_that_the_corpus_does_not_use_can_be_left_out,
        check_old_and_new_ids_are_written_beside_what_is_left,
        check_at_the_end_only_the_last_merge_can_be_explained,
        check_its_merges_are_the_timeline_with_their_counts_in_the_corpus,
        check_tokens_that_the_corpus_never_uses_are_filtered,
        check_merges_that_the_corpus_would_have_chosen_otherwise_are_filtered,
        check_what_was_opened_is_not_said_to_be_trained,
        check_a_merge_of_the_encoding_is_not_decided_otherwise,
        check_the_ids_of_a_text_are_those_of_the_library,
        check_its_merges_are_not_guessed,
    )

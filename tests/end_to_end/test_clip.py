"""CLIP's encoding opens in Explore, is trained on and read by its library."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui.encodings.formats import clip
from bpe_gui.encodings.import_history import history_with_ids
from tests.encodings.test_fallback_runs import with_first_merges
from tests.end_to_end.test_byte_fallback import ids, paste
from tests.end_to_end.window import (
    Start,
    answer_file_dialog,
    end,
    go_to,
    is_trained,
    messages,
    rows,
    set_number,
)
from tests.ui.driving import act

TEXT = "LOW\n\nlow  lowé <|endoftext|>é"


def test_clip_is_shown_trained_on_and_saved(
    start: Start, words: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "bpe_simple_vocab_16e6.txt"
    path.write_text('"bpe_simple_vocab\nl o\nlo w</w>\nÃ ©</w>\n', "utf-8")
    window = start("open", str(path), str(words))
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == 3)
    assert any("first repairs texts with ftfy" in each for each in messages(window))
    paste(qtbot, window, TEXT)
    encoding = clip.read(path)
    whole = LibraryTokenizer.from_str(encoding.to_json())
    _, numbers = history_with_ids(encoding)
    for position in (3, 2, 0, 3):
        go_to(qtbot, window, position)
        wanted = with_first_merges(whole, position).encode(TEXT).ids
        qtbot.waitUntil(lambda: ids(window) == wanted)  # noqa: B023
    assert len(numbers) == 512 + 3 + 2
    qtbot.waitUntil(lambda: "é</w>" in [row[1] for row in rows(window, "vocabularyTable")])
    set_number(qtbot, window, "vocabSizeBox", len(numbers) + 6)
    act(window, "trainAction")
    qtbot.waitUntil(lambda: is_trained(window) and end(window) > 3)
    saved = tmp_path / "more.json"
    answer_file_dialog(qtbot, window, "saveAction", saved)
    qtbot.waitUntil(lambda: any("more.json is saved" in each for each in messages(window)))
    more = LibraryTokenizer.from_file(str(saved))
    qtbot.waitUntil(lambda: ids(window) == more.encode(TEXT).ids)
    assert more.get_vocab().items() > whole.get_vocab().items()
    assert more.encode("low é").ids == whole.encode("low é").ids

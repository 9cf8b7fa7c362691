"""After a kill the next start has what was there, and what was chosen."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from bpe_gui.folders import user_folders
from bpe_gui.ui.session import autosave
from bpe_gui.ui.session.session_files import RecoveryFiles
from tests.ui.session.session_windows import Begun

CHECKOUT = Path(__file__).parents[3]


def child(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ui.session.killed_window", *arguments],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )


def test_after_a_kill_in_the_middle_of_a_training_the_next_start_has_it(tmp_path: Path) -> None:
    corpus = tmp_path / "words.txt"
    text = "".join(f"{a}{b}{c} " for a in "abcdefgh" for b in "ijklmnop" for c in "qrstuvwx")
    corpus.write_text(text * 3)
    with child("train", str(corpus)) as killed:
        assert killed.stdout is not None
        # Each line tells of a state that is on the disk; the training goes on meanwhile.
        told = [json.loads(killed.stdout.readline()) for _ in range(4)]
        # What another process works on is its own.
        other = RecoveryFiles(user_folders().data / "sessions")
        assert other.abandoned() == []
        other.close()
        os.kill(killed.pid, signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL
    with child("restart") as second:
        seen = json.loads(second.communicate(timeout=300)[0])
    assert second.returncode == 0
    last = told[-1]["merges"]
    assert last > told[0]["merges"] > 0
    assert re.match(r"Restore your work of .*words.txt with [\d,]+ merges: ", seen["offered"])
    assert seen["merges"] >= last
    assert seen["position"] == seen["merges"]
    assert seen["trained_on"] > seen["merges"]
    assert autosave.EVERY <= 5_000


def test_after_a_kill_the_next_start_has_what_was_chosen(
    tmp_path: Path, begun: Begun, qtbot: QtBot
) -> None:
    corpus = tmp_path / "words.txt"
    corpus.write_text("low lower newest widest")
    with child("choose", str(corpus)) as killed:
        assert killed.stdout is not None
        assert json.loads(killed.stdout.readline()) == "chosen"
        path = str(user_folders().config / "settings.ini")
        named = {"colours", "text-size", "token-palette", "layout", "recent-corpora"}
        ini = QSettings.Format.IniFormat
        qtbot.waitUntil(lambda: named <= set(QSettings(path, ini).allKeys()))
        os.kill(killed.pid, signal.SIGKILL)
    window = begun()
    assert (window.theme_choice.theme.name, window.text_sizing.scale) == ("light", 1.5)
    assert window.palette_choice.palette.name == "strong"
    assert window.explore.docks["treeDock"].isHidden()
    assert window.recent_corpora.entries == [[str(corpus)]]
    assert window.message_bar.text == ""
    window.text_sizing.set_scale(1.0)

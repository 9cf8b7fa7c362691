"""What the command line makes of a session that the window has saved."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PIL import Image
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import GPT2_MERGES, action, answered, csv_rows, named, write


def test_a_saved_session_is_rendered_by_the_command_line(
    qtbot: QtBot, gpt2_run: QMainWindow, tmp_path: Path
) -> None:
    write(qtbot, gpt2_run, "sampleText", "the <newest>")
    session = tmp_path / "talk.bpesession"
    answered(qtbot, action(gpt2_run, "saveSessionAction").trigger, [named(qtbot, session)])
    qtbot.waitUntil(session.exists)
    outputs = {
        "words.png": ["--panel", "words", "--size", "500x300"],
        "text.html": [],
        "merges.csv": [],
    }
    for name, options in outputs.items():
        command = [sys.executable, "-m", "bpe_gui", "render", str(session), *options]
        subprocess.run([*command, "-o", str(tmp_path / name)], check=True, timeout=300)
    with Image.open(tmp_path / "words.png") as image:
        assert image.size == (500, 300)
    assert "&lt;" in (tmp_path / "text.html").read_text()
    assert len(csv_rows(tmp_path / "merges.csv")) == 1 + GPT2_MERGES

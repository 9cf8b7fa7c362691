"""`bpe-gui open` in a process of its own, as a terminal starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from bpe_gui.folders import user_folders
from bpe_gui.sessions import load_session


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_closes_the_window_and_the_work_stays(tmp_path: Path) -> None:
    corpus = tmp_path / "words.txt"
    corpus.write_text("low lower newest widest " * 3)
    program = subprocess.Popen(
        [sys.executable, "-m", "bpe_gui", "open", str(corpus), "--start"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    kept = user_folders().data / "sessions"
    while not any(kept.glob("*.bpesession")) and program.poll() is None:
        Event().wait(0.01)
    program.send_signal(signal.SIGINT)
    _, complaints = program.communicate(timeout=300)
    assert program.returncode == 0
    assert "Error" not in complaints
    assert "Traceback" not in complaints
    [session] = kept.glob("*.bpesession")
    assert len(load_session(session).branches[0].history) > 0

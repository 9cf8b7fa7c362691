"""The real program in a real window on a virtual screen, from opening a file to closing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import pytest
from PySide6.QtGui import QImage

from bpe_gui.sessions.file import load_session
from bpe_gui.sessions.recognition import ENDING
from tests.ui.programs import CHECKOUT, told_by
from tests.ui.shell.real_window import TYPED
from tests.ui.stage.stages import CORPUS


@pytest.fixture
def display() -> Iterator[str]:
    """A virtual screen of its own."""
    with screen_of(1280, 800) as display:
        yield display


@contextmanager
def screen_of(width: int, height: int) -> Iterator[str]:
    """Start a virtual screen; yields the name of its display."""
    with server_of(width, height) as (display, _):
        yield display


@contextmanager
def server_of(width: int, height: int) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start a virtual screen; yields the name of its display, and its server."""
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no Xvfb to open a real window on")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [
            "Xvfb",
            "-displayfd",
            str(writing),
            "-screen",
            "0",
            f"{width}x{height}x24",
            "-nolisten",
            "tcp",
        ],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    yield f":{number}", server
    server.terminate()
    server.wait()


def test_open_train_type_and_look(display: str, tmp_path: Path) -> None:
    corpus = tmp_path / "story.txt"
    corpus.write_text("the cat sat on the mat and the hat\n" * 50, encoding="utf-8")
    picture = tmp_path / "screen.png"
    screen = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    seen = told_by("tests.ui.shell.real_window", corpus, picture, **screen)
    assert seen["platform"] == "xcb"
    assert seen["text"] == TYPED
    assert seen["status"].startswith("Done")
    # Desktops put pictures on these buttons; nothing else in the window has any.
    assert seen["buttons"] == {"OK": False, "Cancel": False}
    assert len(colours_of(picture, seen["view"]) & set(seen["tokens"])) == 3


def test_the_stage_has_the_screen_and_the_keyboard(display: str, tmp_path: Path) -> None:
    corpus = tmp_path / "words.csv"
    corpus.write_text(CORPUS, encoding="utf-8")
    seen = told_by("tests.ui.shell.real_stage", corpus, DISPLAY=display, QT_QPA_PLATFORM="xcb")
    assert seen["active"]
    assert seen["area"] == seen["screen"] == [0, 0, 1280, 800]
    assert seen["next"] == seen["position"] + 1
    assert seen["left"]
    assert seen["back"]
    assert seen["same"]


@pytest.mark.parametrize("size", [(1024, 700), (1920, 1080)])
def test_the_first_window_has_room_on_its_screen(size: tuple[int, int]) -> None:
    with screen_of(*size) as display:
        for _ in range(2):
            module = "tests.ui.shell.window_on_screen"
            seen = told_by(module, DISPLAY=display, QT_QPA_PLATFORM="xcb")
            x, y, width, height = seen["window"]
            assert seen["screen"] == [0, 0, *size]
            assert min(x, y) >= 0
            assert x + width <= size[0]
            assert y + height <= size[1]
            assert (width, height) == (1280, 800) or size[0] < 1280


def test_the_window_closes_and_keeps_its_work_when_the_screen_is_gone(tmp_path: Path) -> None:
    corpus = tmp_path / "story.txt"
    corpus.write_text("the cat sat on the mat and the hat\n" * 50, encoding="utf-8")
    begin = [sys.executable, "-m", "bpe_gui", "open", str(corpus), "--start", "--vocab-size", "270"]
    with server_of(1280, 800) as (display, server):
        own = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "XDG_DATA_HOME": str(tmp_path)}
        program = subprocess.Popen(
            begin, cwd=CHECKOUT, env={**os.environ, **own}, stderr=subprocess.PIPE, text=True
        )
        while not list(tmp_path.rglob("*" + ENDING)) and program.poll() is None:
            sleep(0.05)
        server.kill()
        _, told = program.communicate()
    assert told.startswith("The X11 connection broke")
    assert told.count("\n") == 1
    assert program.returncode == 1
    (kept,) = map(load_session, tmp_path.rglob("*" + ENDING))
    assert len(kept.branches[0].history)
    assert not list(tmp_path.rglob("*.lock"))


def colours_of(picture: Path, area: list[int]) -> set[str]:
    """The colours of a part of a picture, as #rrggbb."""
    left, top, width, height = area
    image = QImage(str(picture)).copy(left, top, width, height)
    assert not image.isNull()
    return {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(0, image.height(), 2)
    }

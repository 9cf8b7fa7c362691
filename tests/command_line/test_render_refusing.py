"""`bpe-gui render`: its arguments, and what it says where there is nothing to render."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from PySide6.QtWidgets import QApplication

from bpe_gui.arguments import CommandError, make_parser
from bpe_gui.render_request import ENDINGS, RenderError, RenderRequest, requests_of
from bpe_gui.ui.export import wait_until_idle as coming_to_rest
from bpe_gui.ui.export.picture import PictureError
from bpe_gui.ui.panels.pairs.panel import PairChart
from tests.command_line.program import assert_fails


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-o x.avi", "x.avi has an unsupported extension; use .png, .svg, "),
        ("-o x.png --fps 3", "--fps is for .gif, .webp and .mp4, and not for .png"),
        ("-o x.csv --theme dark", "--theme is for .png, .svg, .pdf, .html, .ansi, .txt, .gif"),
        ("-o x.html --player --panel why", "a page that plays has its own panels"),
        ("-o x.html --player --theme dark", "a page that plays is light or dark as its reader"),
        ("-o x.png --whole", "--whole is for .svg, and not for .png"),
        ("-o x.svg --whole --size 9x9", "a drawing of the whole text is as large as the text"),
        ("-o x.gif --caption x", "--caption is for .png, .svg and .pdf, and not for .gif"),
        ("-o x.svg --whole --caption x", "a drawing of the whole text has no caption"),
        ("-o x.csv --table 2", "--table is for the tables of a panel: add --panel"),
        ("-o x.svg --colours 256", "--colours is for .ansi and .txt, and not for .svg"),
        ("-o x.gif --player", "--player is for .html, and not for .gif"),
        ("-o x.html --from 3", "--from and --to are for a page that plays: add --player"),
        ("-o x.gif --position 3", "--position is for a single moment; give --from and --to"),
        ("-o x.html --player --position 3", "--position is for a single moment"),
        ("-o x.png --size 12", "'12' is no size; write it as 1280x720"),
        ("-o x.png --scale 5", "invalid choice: 5"),
        ("-o x.gif --fps 1/0", "'1/0' is not a number"),
        ("-o x.gif --frames many", "'many'"),
        ("-o x.png --panel why -o ./x.png", "x.png would be written twice; name each file once"),
        ("-o x.png -o y.svg --fps 3", "--fps is for .gif, .webp and .mp4, and not for .png and .s"),
    ],
)
def test_what_does_not_go_together(run, arguments: str, message: str) -> None:
    assert_fails(run("render", "none.bpesession", *arguments.split()), message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-o x.png --panel nope", "there is no panel 'nope'; there are pairs, why, text, "),
        ("-o x.png --panel why --panel text", ".png is for one panel; --panel window is"),
        ("-o x.png --position 16", "has 15 merges, so there is nothing at 16; choose a place"),
        ("-o x.gif --from 5 --to 2", "not from 5 to 2"),
        ("-o x.gif --panel lanes", "'lanes' is no panel that follows the merges; these do: "),
        ("-o x.gif --panel pairs --size 50x50", "these panels need"),
        ("-o x.png --panel pairs --size 50x50", "the panel pairs needs"),
        ("-o x.png --panel lanes --size 20x20", "the panel lanes needs"),
        ("-o x.png --panel window --size 17000x1000", "error: a picture of 17,000 by 1,000 pixels"),
        ("-o x.svg --panel window --size 17000x1000", "17,000 by 1,000"),
        ("-o x.png --panel lanes --size 99999x99999", "a picture of 99,999 by 99,999 pixels is"),
        ("-o x.png --panel pairs --size 5000x900 --scale 4", "20,000 by 3,600 pixels is too large"),
        ("-o x.gif --panel pairs --panel text --size 9000x900", "9,000 by 900 pixels cannot be"),
        ("-o x.webp --panel window --size 9000x900", "error: a picture of 9,000 by 900 pixels"),
        ("-o x.png --text-size 5", "text can be between 70% and 600% of its size"),
        ("-o x.gif --fps 100", "between 0.1 and 50"),
        ("-o x.svg --whole --panel why", "--whole is for the panel text; a picture can"),
        ("-o x.csv --panel words --table 2", "the panel words has 1 table, so there is none with"),
        ("-o x.csv --panel text", "the panel text has no table; pairs, words, "),
        ("-o x.md --panel words", ".md is for the merges, which are in no panel"),
        ("-o x.ansi --panel words", ".ansi is for the panel text; a picture can show any other"),
        ("-o no/where.png", "no does not exist"),
        ("-o slides/ --panel why --panel nope", "there is no panel 'nope'; there are pairs, why, "),
    ],
)
def test_what_the_session_does_not_have(
    run,
    session: Path,
    arguments: str,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    qapp: QApplication,
) -> None:
    monkeypatch.chdir(session.parent)
    assert_fails(run("render", session, *arguments.split()), message)
    assert [entry.name for entry in session.parent.iterdir()] == [session.name]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PictureError("A picture is too large."), "error: a picture is too large\n"),
        (MemoryError(), "error: there is not enough memory for this\n"),
    ],
)
def test_an_error_while_waiting_is_told_once(
    run,
    session: Path,
    tmp_path: Path,
    error: Exception,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    qapp: QApplication,
) -> None:
    monkeypatch.setattr(coming_to_rest, "is_idle", Mock(side_effect=error))
    output = tmp_path / "x.png"
    assert_fails(run("render", session, "--panel", "window", "-o", output), message)
    assert not output.exists()


def test_a_defect_while_waiting_ends_the_work(
    run, session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    hook = sys.excepthook
    monkeypatch.setattr(coming_to_rest, "is_idle", Mock(side_effect=ZeroDivisionError))
    with pytest.raises(ZeroDivisionError):
        run("render", session, "--panel", "window", "-o", tmp_path / "x.png")
    assert sys.excepthook == hook


def test_a_defect_while_drawing_ends_the_work(
    run, session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    monkeypatch.setattr(PairChart, "show_position", Mock(side_effect=ZeroDivisionError))
    for name in ("x.png", "x.gif"):
        with pytest.raises(ZeroDivisionError):
            run("render", session, "--panel", "pairs", "-o", tmp_path / name)
        assert not (tmp_path / name).exists()


def test_without_the_library_of_films_the_command_is_told_that_adds_it(
    run, session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    """The one of the README: the program is in no registry."""
    monkeypatch.setitem(sys.modules, "av", None)
    result = run("render", session, "-o", tmp_path / "x.mp4")
    assert_fails(result, "error: MP4 needs a library that is not installed")
    readme = Path(__file__, "../../../README.md").resolve().read_text(encoding="utf-8")
    assert "`pip install '.[mp4]'`" in readme
    assert "`pip install '.[sentencepiece]'`" in readme
    assert not (tmp_path / "x.mp4").exists()


def test_what_is_no_session(run, tmp_path: Path) -> None:
    path = tmp_path / "x.bpesession"
    assert_fails(run("render", path, "-o", tmp_path / "x.png"), "x.bpesession")
    path.write_text("no zip")
    assert_fails(run("render", path, "-o", tmp_path / "x.png"), "cannot be opened as a session")


@pytest.mark.parametrize("asked", ["x.png", "x.gif --to 1"])
def test_a_full_disk_is_told_in_one_sentence(session: Path, tmp_path: Path, asked: str) -> None:
    """No state of a window is kept that nobody sees, so nothing else is to be told."""
    folder = tmp_path / "out"
    folder.mkdir()
    command = [sys.executable, "-m", "bpe_gui", "render", str(session), "--panel", "pairs"]
    name, *stretch = asked.split()
    done = subprocess.run(
        [*command, "-o", str(folder / name), *stretch, "--scale", "2"],
        capture_output=True,
        text=True,
        timeout=300,
        # Byte code that is cut off would not be read again.
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert_fails(SimpleNamespace(status=done.returncode, out=done.stdout, err=done.stderr), "large")
    assert not any(folder.iterdir())


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_leaves_nothing(session: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    command = [sys.executable, "-m", "bpe_gui", "render", str(session), "--size", "2000x1600"]
    process = subprocess.Popen(
        [*command, "-o", str(folder / "run.gif"), "--scale", "4"],
        stderr=subprocess.PIPE,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    while not any(folder.iterdir()) and process.poll() is None:
        Event().wait(0.01)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=300)
    assert (process.returncode, error) == (130, b"")
    assert not any(folder.iterdir())


def test_no_column_is_cut_off_silently(run, session: Path, tmp_path: Path, qapp: object) -> None:
    asked = "render", session, "--panel", "metrics", "-o", tmp_path / "metrics.png"
    width = 120
    # In a wider picture letters are a little larger, so that more may be asked for.
    while (error := run(*asked, "--size", f"{width}x300").err) and width < 400:
        found = re.fullmatch(
            "bpe-gui: error: the last columns of the table would be cut off; make the picture at "
            r"least (\d+) pixels wider\n",
            error,
        )
        assert found is not None, error
        width += int(found[1])
    assert 120 < width < 400


def test_the_request_of_all_arguments() -> None:
    arguments = (
        "render s.bpesession -o a.GIF --panel pairs --panel text --from 1 --to 1,000 --merges 2 "
        "--frames 9 --speed 2.5 --hold 0 --once --no-caption --size 640x480 --scale 2 "
        "--text-size 120 --theme dark --palette strong"
    )
    parsed = make_parser().parse_args(arguments.split())
    [request] = requests_of(parsed)
    assert request == RenderRequest(
        "s.bpesession",
        "a.GIF",
        ("pairs", "text"),
        None,
        1,
        1000,
        2,
        9,
        request.frames_a_second,
        request.hold,
        False,
        False,
        (640, 480),
        2,
        120,
        True,
        "strong",
        False,
    )
    assert (request.frames_a_second, request.hold, request.ending) == (2.5, 0, ".gif")
    [least] = requests_of(make_parser().parse_args(["render", "s", "-o", "a.png"]))
    assert least == RenderRequest("s", "a.png")
    with pytest.raises(RenderError, match=re.escape(", ".join(ENDINGS[:-1]))):
        requests_of(make_parser().parse_args(["render", "s", "-o", "a"]))
    with pytest.raises(CommandError, match="-o"):
        make_parser().parse_args(["render", "s"])

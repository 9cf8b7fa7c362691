"""`bpe-gui render`: every format from a session, without a display, opened by its library."""

from __future__ import annotations

import csv
import io
import os
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote
from xml.etree import ElementTree

import av
import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from bpe_gui.arguments import CommandError, make_parser
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.visible import visible
from bpe_gui.bpe.words import WordCounts
from bpe_gui.exporting.ansi_text import nearest, without_codes
from bpe_gui.render_arguments import ENDINGS, RenderError, RenderRequest, request_of
from bpe_gui.sessions import (
    CorpusReference,
    KeptBranch,
    NamedLane,
    Session,
    read_session,
    write_session,
)
from bpe_gui.ui.exporting.schemes import both_schemes
from bpe_gui.ui.theme import DARK, LIGHT
from bpe_gui.ui.token_palettes import PATTERNS, QUIET, STRONG
from tests.command_line.program import assert_fails
from tests.ui.histories import FOUR_WORDS

TEXT = "low lower\nnewest <b>widest</b>"


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test finds or leaves anything of the user's."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "own" / name))


@pytest.fixture(scope="module")
def history() -> History:
    return trained()[1]


def trained() -> tuple[WordCounts, History]:
    recipe = preset("whitespace")
    words = WordCounts.from_pairs(list(FOUR_WORDS), recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(1000)
    return words, trainer.history


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """The four words, trained to the end, with the cursor at merge 7."""
    words, history = trained()
    path = tmp_path / "talk.bpesession"
    write_session(
        path,
        Session(
            corpus=CorpusReference("Four words", sample="four-words"),
            words=words,
            recipe=history.recipe,
            branches=(KeptBranch("Original", history),),
            position=7,
            text=TEXT,
        ),
    )
    return path


@pytest.fixture
def rendered(run, session: Path, tmp_path: Path, qapp: QApplication):
    """Render the session to a file of that ending; gives its path."""

    def render(ending: str, *arguments: object) -> Path:
        folder = tmp_path / "out"
        folder.mkdir(exist_ok=True)
        output = folder / f"out{ending}"
        output.unlink(missing_ok=True)
        before = set(tmp_path.rglob("*"))
        # The program renders once, in a process that has no style sheet yet.
        qapp.setStyleSheet("")
        result = run("render", session, "-o", output, *arguments)
        assert (result.status, result.out, result.err) == (0, "", "")
        assert set(tmp_path.rglob("*")) - before == {output}
        return output

    return render


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))


# -- pictures ------------------------------------------------------------------------------


def test_a_panel_as_png(rendered) -> None:
    sizes = ["--size", "500x400", "--scale", "3", "--theme", "light"]
    with Image.open(rendered(".png", "--panel", "pairs", *sizes)) as image:
        assert image.format == "PNG"
        assert image.size == (1500, 1200)
        pixels = np.asarray(image.convert("RGB"))
    assert tuple(pixels[-1, -1]) == rgb(LIGHT.panel)
    assert (pixels == rgb(LIGHT.accent)).all(axis=2).sum() > 1000  # the bar of the winner


def test_a_panel_behind_a_tab_is_as_large_as_the_one_in_front(rendered) -> None:
    def size(panel: str) -> tuple[int, int]:
        with Image.open(rendered(".png", "--panel", panel)) as image:
            return image.size

    front = size("words")
    for behind in ("derivation", "curves"):
        # The tabs below are a pixel higher or lower, by which of them is in front.
        assert size(behind) == pytest.approx(front, abs=2)


def test_the_position_and_the_text_size_change_the_picture(rendered) -> None:
    def picture(*arguments: object) -> str:
        output = rendered(".png", "--panel", "why", "--size", "500x400", *arguments)
        return sha256(output.read_bytes()).hexdigest()

    first = picture()
    assert picture("--position", 7) == first
    assert picture("--position", 3) != first
    assert picture("--text-size", 150) != first


def test_a_panel_as_svg_with_its_texts(rendered, history: History) -> None:
    drawing = rendered(".svg", "--panel", "words", "--size", "600x300", "--theme", "dark")
    tree = ElementTree.parse(drawing).getroot()
    assert (tree.get("width"), tree.get("height")) == ("600", "300")
    written = " ".join("".join(tree.itertext()).split())
    assert "at merge 7" in written
    assert DARK.panel in drawing.read_text()


def test_the_whole_window_and_a_panel_elsewhere(rendered) -> None:
    with Image.open(rendered(".png", "--size", "1024x700")) as image:
        assert image.size == (1024, 700)
    with Image.open(rendered(".png", "--panel", "lanes", "--size", "900x500")) as image:
        assert image.size == (900, 500)
        assert len(image.convert("RGB").getcolors(1 << 20)) > 100


def test_no_message_is_in_a_picture_of_the_window(rendered, session: Path) -> None:
    lane = NamedLane("model", "hub:no/such")
    write_session(session, replace(read_session(session), lanes=(lane,)))
    drawing = rendered(".svg", "--size", "1024x700")
    assert "Dismiss" not in "".join(ElementTree.parse(drawing).getroot().itertext())


def test_a_recipe_is_drawn_when_it_is_measured(rendered) -> None:
    drawing = rendered(".svg", "--panel", "recipe", "--size", "600x900")
    written = " ".join(" ".join(ElementTree.parse(drawing).getroot().itertext()).split())
    assert "Measuring" not in written
    assert "Estimate for Four words" in written.replace("\N{NO-BREAK SPACE}", " ")


# -- what moves ----------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".gif", ".webp"])
def test_an_animation(rendered, ending: str) -> None:
    stretch = ["--from", 2, "--to", 9, "--merges", 3, "--fps", "2.5", "--hold", 1]
    panels = ["--panel", "pairs", "--panel", "text", "--size", "900x500"]
    with Image.open(rendered(ending, *stretch, *panels, "--theme", "light")) as image:
        durations = []
        for number in range(image.n_frames):
            image.seek(number)
            image.load()
            durations.append(image.info["duration"])
            corner = image.convert("RGB").getpixel((899, 499))
            assert corner == rgb(LIGHT.window)
        assert image.size == (900, 500)
    assert durations == [400, 400, 400, 1400]


def test_a_film(rendered) -> None:
    film = rendered(".mp4", "--frames", 4, "--fps", 4, "--hold", 0, "--panel", "curves")
    with av.open(str(film)) as opened:
        stream = opened.streams.video[0]
        assert (stream.width, stream.height, stream.average_rate) == (1280, 720, 4)
        assert len(list(opened.decode(stream))) == 4


def test_a_page_that_plays(rendered) -> None:
    page = rendered(".html", "--player", "--from", 1, "--to", 5).read_text(encoding="utf-8")
    assert '"start":1,"stop":5' in page
    assert "<h1>Four words</h1>" in page
    assert "\\u003cb\\u003ewidest" in page


def test_what_plays_needs_no_qt(session: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from bpe_gui.cli import main; "
        f"status = main(['render', {str(session)!r}, '-o', {str(tmp_path / 'x.html')!r}, "
        "'--player']); sys.exit(status or ('PySide6' in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


# -- texts and tables ----------------------------------------------------------------------


def test_the_coloured_text(rendered, history: History) -> None:
    tokens = [
        visible(history.content(token)) if token >= 0 else ""
        for token in Tokenizer(history, 7).encode(TEXT).ids.tolist()
    ]
    assert "newest" not in tokens
    page = rendered(".html").read_text(encoding="utf-8")
    assert f"{len(tokens)} tokens." in page
    assert "Cut with 7 merges of the recipe whitespace." in page
    assert "<b>widest" not in page
    seen = without_codes(rendered(".ansi").read_text(encoding="utf-8"))
    assert seen == without_codes(rendered(".txt", "--panel", "text").read_text(encoding="utf-8"))
    assert "low</w>·lower</w>" in seen.replace("\n", "")
    later = rendered(".ansi", "--position", 15, "--theme", "light").read_text(encoding="utf-8")
    assert later.count("\x1b[0m") < rendered(".ansi").read_text(encoding="utf-8").count("\x1b[0m")


@pytest.mark.parametrize("ending", [".ansi", ".txt"])
def test_the_colours_of_a_terminal(rendered, ending: str) -> None:
    many = rendered(ending, "--theme", "light").read_text(encoding="utf-8")
    few = rendered(ending, "--theme", "light", "--colours", "256").read_text(encoding="utf-8")
    assert without_codes(many) == without_codes(few)
    assert "48;2;" in many and "48;5;" not in many  # noqa: PT018 - one thing
    for colour in {scheme.tokens[0] for scheme in both_schemes(QUIET) if not scheme.dark}:
        assert f"48;5;{nearest(colour)}" in few
    assert "48;2;" not in few
    strong = rendered(ending, "--colours", "256", "--palette", "strong", "--theme", "light")
    [light, _] = both_schemes(STRONG)
    assert f"48;5;{nearest(light.tokens[0])}" in strong.read_text(encoding="utf-8")


@pytest.fixture
def in_patterns(session: Path) -> None:
    """The session is one of a light window that tells tokens apart by patterns."""
    layout = {"theme": "light", "palette": "patterns"}
    write_session(session, replace(read_session(session), layout=layout))


@pytest.mark.usefixtures("in_patterns")
def test_tokens_are_told_apart_as_in_the_session(rendered) -> None:
    [light, dark] = both_schemes(PATTERNS)
    # Patterns are pictures within the style sheet, written as addresses.
    page = unquote(rendered(".html").read_text(encoding="utf-8"))
    assert light.ink in page
    assert dark.ink in page
    assert light.ink in unquote(rendered(".html", "--player").read_text(encoding="utf-8"))
    red, green, blue = rgb(light.tokens[0])
    background = f"48;2;{red};{green};{blue}"
    assert background in rendered(".ansi").read_text(encoding="utf-8")
    dark_text = rendered(".ansi", "--theme", "dark").read_text(encoding="utf-8")
    assert background not in dark_text
    picture = ["--panel", "text", "--size", "500x400"]
    drawing = rendered(".svg", *picture).read_text(encoding="utf-8")
    assert light.ink in drawing
    quiet = rendered(".svg", *picture, "--palette", "quiet").read_text(encoding="utf-8")
    assert light.ink not in quiet
    assert LIGHT.tokens[0] in quiet
    film = rendered(".gif", "--panel", "text", "--size", "500x400", "--from", 6, "--to", 7)
    with Image.open(film) as image:
        pixels = np.asarray(image.convert("RGB"))
    assert (pixels == rgb(light.ink)).all(axis=2).any()


def test_the_whole_text_as_a_drawing(rendered) -> None:
    drawing = rendered(".svg", "--whole", "--panel", "text", "--position", 15)
    seen = "".join(ElementTree.parse(drawing).getroot().itertext())
    assert "newest" in seen
    assert DARK.panel in drawing.read_text()
    assert LIGHT.panel in rendered(".svg", "--whole", "--theme", "light").read_text()


def test_the_second_table_of_a_panel(rendered) -> None:
    first, second = (
        rendered(".csv", "--panel", "branches", "--table", number).read_text(encoding="utf-8")
        for number in (1, 2)
    )
    assert first.startswith("branch,merges,")
    assert len(second.splitlines()) == 1 + 15


@pytest.mark.parametrize(
    ("panel", "reason"),
    [
        ("languages", "the text that is compared is not the story in twenty languages"),
        ("lockstep", "no recipes have been trained in lockstep"),
    ],
)
@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_panel_that_has_nothing_to_show_is_not_drawn(
    run, session: Path, tmp_path: Path, qapp: QApplication, panel: str, reason: str, ending: str
) -> None:
    output = tmp_path / f"x{ending}"
    result = run("render", session, "--panel", panel, "-o", output)
    assert_fails(result, f"the panel {panel} has nothing to show: {reason}")
    assert not output.exists()


def test_without_a_text_there_is_no_picture_of_it(
    run, session: Path, tmp_path: Path, qapp: QApplication
) -> None:
    write_session(session, replace(read_session(session), text=""))
    for ending in (".png", ".gif"):
        result = run("render", session, "--panel", "text", "-o", tmp_path / f"x{ending}")
        assert_fails(result, "the panel text has nothing to show: there is no text")
    for panel in ("lanes", "pipeline"):
        result = run("render", session, "--panel", panel, "-o", tmp_path / "x.png")
        assert_fails(result, f"the panel {panel} has nothing to show: there is no text")


def test_a_table_without_rows_is_not_written(
    run, session: Path, tmp_path: Path, qapp: QApplication
) -> None:
    output = tmp_path / "languages.csv"
    result = run("render", session, "--panel", "languages", "-o", output)
    assert_fails(result, "the table of the panel languages has no rows: the text that")
    assert not output.exists()


def test_the_merges(rendered, history: History) -> None:
    lines = list(csv.DictReader(io.StringIO(rendered(".csv").read_text(encoding="utf-8"))))
    assert [int(line["id"]) for line in lines] == history.new_id.tolist()
    assert [int(line["count"]) for line in lines] == history.count.tolist()
    # The session stands before its end: all are written unless a place is given.
    assert len(lines) == 15
    table = rendered(".md", "--position", 3).read_text(encoding="utf-8").splitlines()
    assert len(table) == 2 + 3
    assert table[2] == "| 1 | `e` | `s` | `es` | 9 | 11 |"


def test_the_table_of_a_panel(rendered, history: History) -> None:
    def table(*arguments: object) -> list[dict[str, str]]:
        written = rendered(".csv", *arguments).read_text(encoding="utf-8")
        return list(csv.DictReader(io.StringIO(written)))

    assert len(table("--panel", "vocabulary")) == history.vocabulary_size(7)
    assert len(table("--panel", "vocabulary", "--position", 15)) == history.vocabulary_size(15)
    pairs = table("--panel", "pairs", "--position", 0)
    assert [(row["left"], row["right"], row["count"]) for row in pairs][:2] == [
        ("e", "s", "9"),
        ("s", "t", "9"),
    ]
    assert {row["word"]: row["count"] for row in table("--panel", "words")} == {
        word: str(count) for word, count in FOUR_WORDS
    }


# -- what goes wrong -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-o x.avi", "the ending of x.avi stands for no format; end it with .png, .svg, "),
        ("-o x.png --fps 3", "--fps is for .gif, .webp and .mp4, and not for .png"),
        ("-o x.csv --theme dark", "--theme is for .png, .svg, .html, .ansi, .txt, .gif, .webp"),
        ("-o x.html --player --panel why", "a page that plays has panels of its own"),
        ("-o x.png --whole", "--whole is for .svg, and not for .png"),
        ("-o x.svg --whole --size 9x9", "a drawing of the whole text is as large as the text"),
        ("-o x.csv --table 2", "--table is for the tables of a panel: add --panel"),
        ("-o x.svg --colours 256", "--colours is for .ansi and .txt, and not for .svg"),
        ("-o x.gif --player", "--player is for .html, and not for .gif"),
        ("-o x.html --from 3", "--from and --to are for a page that plays: add --player"),
        ("-o x.gif --position 3", "--position is for what stands still; give --from and --to"),
        ("-o x.html --player --position 3", "--position is for what stands still"),
        ("-o x.png --size 12", "'12' is no size; write it as 1280x720"),
        ("-o x.png --scale 5", "invalid choice: 5"),
        ("-o x.gif --fps 1/0", "'1/0' is not a number"),
        ("-o x.gif --frames many", "'many' is not a whole number"),
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
        ("-o x.png --panel pairs --size 50x50", "these panels need"),
        ("-o x.png --panel lanes --size 20x20", "the panel lanes needs"),
        ("-o x.png --text-size 5", "text can be between 70% and 600% of its size"),
        ("-o x.gif --fps 100", "between 0.1 and 50 frames a second"),
        ("-o x.svg --whole --panel why", "--whole is for the panel text; a picture can"),
        ("-o x.csv --panel words --table 2", "the panel words has 1 table, so there is none with"),
        ("-o x.csv --panel text", "the panel text has no table; pairs, words, "),
        ("-o x.md --panel words", ".md is for the merges, which are in no panel"),
        ("-o x.ansi --panel words", ".ansi is for the panel text; a picture can show any other"),
        ("-o no/where.png", "no does not exist"),
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


def test_what_is_no_session(run, tmp_path: Path) -> None:
    path = tmp_path / "x.bpesession"
    assert_fails(run("render", path, "-o", tmp_path / "x.png"), "there is no file or folder")
    path.write_text("no zip")
    assert_fails(run("render", path, "-o", tmp_path / "x.png"), "cannot be opened as a session")


@pytest.mark.parametrize("ending", [".png", ".gif"])
def test_a_full_disk_is_told_in_one_sentence(session: Path, tmp_path: Path, ending: str) -> None:
    """No state of a window is kept that nobody sees, so nothing else is to be told."""
    folder = tmp_path / "out"
    folder.mkdir()
    command = [sys.executable, "-m", "bpe_gui", "render", str(session), "--panel", "pairs"]
    done = subprocess.run(
        [*command, "-o", str(folder / f"x{ending}"), "--scale", "2"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
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
    give_up = time.monotonic() + 60
    while not any(folder.iterdir()) and process.poll() is None and time.monotonic() < give_up:
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (130, b"")
    assert not any(folder.iterdir())


def test_the_request_of_all_arguments() -> None:
    arguments = (
        "render s.bpesession -o a.GIF --panel pairs --panel text --from 1 --to 1,000 --merges 2 "
        "--frames 9 --speed 2.5 --hold 0 --once --no-caption --size 640x480 --scale 2 "
        "--text-size 120 --theme dark --palette strong"
    )
    parsed = make_parser().parse_args(arguments.split())
    request = request_of(parsed)
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
    least = request_of(make_parser().parse_args(["render", "s", "-o", "a.png"]))
    assert least == RenderRequest("s", "a.png")
    with pytest.raises(RenderError, match=re.escape(", ".join(ENDINGS[:-1]))):
        request_of(SimpleNamespace(output="a"))  # type: ignore[arg-type]
    with pytest.raises(CommandError, match="-o"):
        make_parser().parse_args(["render", "s"])

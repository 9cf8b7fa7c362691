"""`bpe-gui render`: pictures and what moves, without a display, opened by their libraries."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import av
import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image, ImageSequence
from PySide6.QtWidgets import QApplication

from bpe_gui.bpe.history import History
from bpe_gui.sessions import NamedLane, load_session, save_session
from bpe_gui.ui.export.hidden_panels import AnimationChoice
from bpe_gui.ui.theme.theme import DARK, LIGHT
from tests.command_line.rendering import rgb

SVG = "{http://www.w3.org/2000/svg}"

# -- pictures ------------------------------------------------------------------------------


def test_a_panel_as_png(rendered) -> None:
    sizes = ["--size", "500x400", "--scale", "3", "--theme", "light"]
    with Image.open(rendered(".png", "--panel", "pairs", *sizes)) as image:
        assert image.format == "PNG"
        assert image.size == (1500, 1200)
        pixels = np.asarray(image.convert("RGB"))
    assert tuple(pixels[-1, -1]) == rgb(LIGHT.panel)
    assert (pixels == rgb(LIGHT.accent)).all(axis=2).sum() > 1000  # the bar of the winner


def test_a_drawing_has_one_ground(rendered_panels) -> None:
    # Edges between parts of it would be lines where a slide scales the drawing.
    panels, look = ("text", "timeline", "recipe"), ["--theme", "light", "--size", "900x600"]
    written = rendered_panels(panels, (".svg", ".png"), *look)
    for drawing, picture in zip(written[::2], written[1::2], strict=True):
        first = re.search("<path [^>]*fill=[^>]*>", drawing.read_text())
        assert first is not None
        assert 'd="M0 0H900V600H0V0Z"' in first[0]
        assert LIGHT.panel in first[0]
        with Image.open(picture) as image:
            colours = [image.convert("RGB").getpixel(at) for at in ((2, 598), (897, 598))]
        assert colours == [rgb(LIGHT.panel)] * 2, picture


def test_a_text_is_copied_from_a_drawing_as_it_is_read(rendered) -> None:
    drawing = rendered(".svg", "--panel", "text", "--position", 2, "--size", "900x500")
    texts = [each.text for each in ElementTree.parse(drawing).iter(f"{SVG}text")]
    # The marks of words' ends are in smaller letters, painted after all words.
    assert texts[:3] == ["low", "</w>", "lower"]


def test_a_caption_is_below_the_panel_and_within_the_size(rendered, rendered_panels) -> None:
    look = ["--theme", "light", "--size", "500x300"]
    with Image.open(rendered(".png", "--panel", "pairs", *look)) as image:
        plain = np.asarray(image.convert("RGB"))
    words = ["--caption", "The first pair that wins is merged, and all are counted again. " * 3]
    png, svg, pdf = rendered_panels(["pairs"], (".png", ".svg", ".pdf"), *look, *words)
    with Image.open(png) as image:
        assert image.size == (500, 300)
        pixels = np.asarray(image.convert("RGB"))
    ground = np.asarray(rgb(LIGHT.window))
    assert tuple(plain[-1, 0]) != tuple(ground)
    strip = 300 - int(np.flatnonzero((pixels[:, 0] != ground).any(axis=1))[-1]) - 1
    assert 40 < strip < 150
    written = (pixels[-strip:] == rgb(LIGHT.text)).all(axis=2)
    assert written.any()
    assert not written[:, -1].any(), "nothing is cut off at the right"
    drawing = ElementTree.parse(svg).getroot()
    assert (drawing.get("width"), drawing.get("height")) == ("500", "300")
    assert "counted again" in " ".join("".join(drawing.itertext()).split())
    assert pdf.read_bytes().startswith(b"%PDF")
    found = letters_of(pdf.read_bytes())
    assert "f" in found
    assert not {"ﬁ", "ﬂ", "ﬀ"} & found, "who searches for “first” finds no ligature"


def letters_of(pdf: bytes) -> set[str]:
    """Return what the signs of the fonts in a PDF stand for, as its tables of characters tell."""
    found = set()
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        table = stream
        with suppress(zlib.error):
            table = zlib.decompressobj().decompress(stream)
        if b"begincmap" in table:
            codes = re.findall(rb"<([0-9A-Fa-f]{4})>", table)
            found |= {chr(int(code, 16)) for code in codes}
    return found


def test_captions_of_all_panels_are_as_large(rendered_panels) -> None:
    look = ["--caption", "After some merges.", "--size", "480x400"]
    sizes = [
        one.get("font-size")
        # Lanes write larger than other panels.
        for drawing in rendered_panels(("words", "lanes"), [".svg"], *look)
        for one in ElementTree.parse(drawing).iter(f"{SVG}text")
        if one.text == "After some merges."
    ]
    assert sizes == [sizes[0]] * 2


def test_a_panel_behind_a_tab_is_as_large_as_the_one_in_front(rendered_panels) -> None:
    sizes = []
    for picture in rendered_panels(("words", "spacetime", "derivation", "curves"), [".png"]):
        with Image.open(picture) as image:
            sizes.append(image.size)
    for behind in sizes[1:]:
        # The tabs below are a pixel higher or lower, by which of them is in front.
        assert behind == pytest.approx(sizes[0], abs=2)


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
    save_session(session, replace(load_session(session), lanes=(lane,)))
    drawing = rendered(".svg", "--size", "1024x700")
    assert "Dismiss" not in "".join(ElementTree.parse(drawing).getroot().itertext())


def test_a_recipe_is_drawn_without_the_estimate_for_this_machine(rendered) -> None:
    drawing = rendered(".svg", "--panel", "recipe", "--size", "600x900")
    written = " ".join(" ".join(ElementTree.parse(drawing).getroot().itertext()).split())
    assert "Special tokens none" in written
    assert "Measuring" not in written
    assert "Estimate" not in written


# -- several files -------------------------------------------------------------------------


def test_a_folder_gets_a_picture_of_each_panel_as_it_is_alone(
    run, rendered, session: Path, tmp_path: Path
) -> None:
    panels, looks = ("curves", "words", "window", "lanes"), ["--theme", "light", "--position", 5]
    alone = {name: rendered(".png", "--panel", name, *looks).read_bytes() for name in panels}
    folder = tmp_path / "talk" / "slides"
    named = [argument for name in panels for argument in ("--panel", name)]
    result = run("render", session, *named, *looks, "-o", f"{folder}/")
    assert (result.status, result.out, result.err) == (0, "", "")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        f"{name}.png": picture for name, picture in alone.items()
    }


def test_each_file_shows_the_panels_that_are_named_before_it(
    run, session: Path, tmp_path: Path, qapp: QApplication
) -> None:
    files = [tmp_path / name for name in ("a.svg", "b.gif", "c.md", "d.csv")]
    picture, film, merges, table = files
    before = ["--panel", "words", "-o", picture, "--panel", "pairs", "--panel", "text", "-o", film]
    after = ["-o", merges, "-o", table, "--panel", "words"]
    result = run("render", session, *before, *after, "--size", "900x400", "--to", 2)
    assert (result.status, result.out, result.err) == (0, "", "")
    assert "</svg>" in picture.read_text()
    assert "at merge 7" in " ".join(picture.read_text().split())
    with Image.open(film) as image:
        assert (image.size, image.n_frames) == ((900, 400), 23)
    assert merges.read_text().startswith("| rank |")
    assert "newest" in table.read_text()


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


def test_an_animation_has_the_few_panels_that_the_dialog_offers_first(rendered) -> None:
    look = ["--from", 6, "--to", 7, "--fps", 10, "--no-motion", "--theme", "light"]

    def frames(*panels: str) -> list[bytes]:
        with Image.open(rendered(".webp", *panels, *look)) as image:
            return [each.convert("RGB").tobytes() for each in ImageSequence.Iterator(image)]

    first = frames()
    choice = AnimationChoice()
    assert len(first) == 2
    assert first == frames(*(word for name in choice.panels for word in ("--panel", name)))
    assert first != frames("--panel", "window")


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
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)

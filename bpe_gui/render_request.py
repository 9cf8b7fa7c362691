"""What `bpe-gui render` is asked for: a session, what of it is wanted, and where to."""

from __future__ import annotations

import argparse
import os
from fractions import Fraction
from pathlib import Path

from msgspec import Struct

MOVING = (".gif", ".webp", ".mp4")
PICTURES = (".png", ".svg", ".pdf")
TEXTS = (".html", ".ansi", ".txt")
TABLES = (".csv", ".md")
ENDINGS = (*PICTURES, *TEXTS, *TABLES, *MOVING)
"""The formats, by the ending of the file's name."""

_ONLY: dict[str, tuple[str, ...]] = {
    "start": (*MOVING, ".html"),
    "stop": (*MOVING, ".html"),
    "merges": MOVING,
    "frames": MOVING,
    "fps": MOVING,
    "hold": MOVING,
    "once": MOVING,
    "no_caption": MOVING,
    "no_motion": MOVING,
    "scale": (".png", *MOVING),
    "size": (*PICTURES, *MOVING),
    "text_size": (*PICTURES, *MOVING),
    "theme": (*PICTURES, *TEXTS, *MOVING),
    "palette": (*PICTURES, *TEXTS, *MOVING),
    "colours": (".ansi", ".txt"),
    "player": (".html",),
    "whole": (".svg",),
    "table": (".csv",),
    "caption": PICTURES,
}
"""The endings with which an option makes sense; others ignore it, if another file takes it."""
_NAMES = {"start": "from", "stop": "to"}


class RenderError(ValueError):
    """What is asked for cannot be rendered; the message is one sentence for the user."""


class RenderRequest(Struct, frozen=True):
    """What to render of a session, and where to.

    panels: names of panels; none for the one that suits the format.
    in_folder: whether the output is in a folder that is made if it is not there.
    with_caption: whether an animation has the timeline and its caption below.
    caption: a sentence below a picture.
    whole: the whole text as a drawing, not what is in sight of its panel.
    table: which of the tables of the panel, counted from 1.
    position: the position to show; None for that of the session. Merges are listed up to there;
        None for all of them.
    start, stop: the stretch that is animated or played; None for all of it.
    merges, frames: how far each frame goes on, and how many there are at most.
    frames_a_second: None for what begins slowly and gets ever faster.
    size: width and height in pixels of the window; scale: pixels for each of these.
    text_size: in percent of what it usually is. dark: None for the colours of the session.
    palette: how tokens are told apart, by the name of a palette; None for that of the session.
    true_colour: 24 bits for a colour of a terminal, else the nearest of its 256.
    """

    session: str
    output: str
    panels: tuple[str, ...] = ()
    position: int | None = None
    start: int | None = None
    stop: int | None = None
    merges: int = 1
    frames: int = 300
    frames_a_second: Fraction | None = None
    hold: Fraction = Fraction(2)
    loop: bool = True
    with_caption: bool = True
    size: tuple[int, int] | None = None
    scale: int = 1
    text_size: int | None = None
    dark: bool | None = None
    palette: str | None = None
    player: bool = False
    whole: bool = False
    true_colour: bool = True
    table: int = 1
    in_folder: bool = False
    motion: bool = True
    caption: str = ""

    @property
    def ending(self) -> str:
        """Return the format: one of `ENDINGS`."""
        return Path(self.output).suffix.lower()


def requests_of(parsed: argparse.Namespace) -> tuple[RenderRequest, ...]:
    """Read what the arguments ask for, for each file. Raises RenderError for what does not fit."""
    *before, (output, panels) = parsed.outputs
    files = [
        file
        for output, panels in (*before, (output, (*panels, *parsed.panel)))
        for file in _files(output, panels)
    ]
    for output, _, _ in files:
        if _ending(output) not in ENDINGS:
            raise RenderError(
                f"{output} has an unsupported extension; use {', '.join(ENDINGS[:-1])} or "
                f"{ENDINGS[-1]}"
            )
    _check(parsed, {_ending(output) for output, _, _ in files})
    names = [os.path.abspath(output) for output, _, _ in files]
    for name, (output, _, _) in zip(names, files, strict=True):
        if names.count(name) > 1:
            raise RenderError(f"{output} would be written twice; name each file once")
    return tuple(_request_of(parsed, *file) for file in files)


def _files(output: str, panels: tuple[str, ...]) -> list[tuple[str, tuple[str, ...], bool]]:
    """Return the files of an output, the panels of each, and whether they are in a folder.

    In a folder there is a picture of each panel, by default of the whole window.
    """
    if not (output.endswith(("/", os.sep)) or Path(output).is_dir()):
        return [(output, panels, False)]
    named = dict.fromkeys(panels or ("window",))
    return [(str(Path(output) / f"{panel}.png"), (panel,), True) for panel in named]


def _ending(output: str) -> str:
    return Path(output).suffix.lower()


def _request_of(
    parsed: argparse.Namespace, output: str, panels: tuple[str, ...], in_folder: bool
) -> RenderRequest:
    """Read what is asked for one file, without the options of others."""
    ending = _ending(output)
    options = vars(parsed) | {
        option: None for option, endings in _ONLY.items() if ending not in endings
    }
    moves = ending in MOVING or (ending == ".html" and parsed.player)
    _check_file(parsed, ending, panels)
    chosen = {
        name: options[name]
        for name in ("merges", "frames", "hold", "scale", "table")
        if options[name] is not None
    }
    if options["fps"] is not None:
        chosen["frames_a_second"] = options["fps"]
    return RenderRequest(
        parsed.session,
        output,
        panels,
        None if moves else parsed.position,
        options["start"],
        options["stop"],
        loop=not options["once"],
        with_caption=not options["no_caption"],
        caption=(options["caption"] or "").strip(),
        motion=not options["no_motion"],
        size=options["size"],
        text_size=options["text_size"],
        dark=None if options["theme"] is None else options["theme"] == "dark",
        palette=options["palette"],
        player=bool(options["player"]),
        whole=bool(options["whole"]),
        true_colour=options["colours"] != "256",
        in_folder=in_folder,
        **chosen,
    )


def _check(parsed: argparse.Namespace, endings: set[str]) -> None:
    """Raise RenderError for options that no file takes."""
    for option, fitting in _ONLY.items():
        if getattr(parsed, option) not in (None, False) and endings.isdisjoint(fitting):
            name = _NAMES.get(option, option.replace("_", "-"))
            raise RenderError(
                f"--{name} is for {_listed(fitting)}, and not for {_listed(tuple(sorted(endings)))}"
            )
    player = parsed.player
    if endings <= {".html"} and not player and (parsed.start, parsed.stop) != (None, None):
        raise RenderError("--from and --to are for a page that plays: add --player")
    if endings <= {*MOVING, *((".html",) if player else ())} and parsed.position is not None:
        raise RenderError("--position is for a single moment; give --from and --to")


def _check_file(parsed: argparse.Namespace, ending: str, panels: tuple[str, ...]) -> None:
    """Raise RenderError for what does not go together in one file."""
    player = parsed.player and ending == ".html"
    if player and panels:
        raise RenderError("a page that plays has its own panels; leave out --panel")
    if player and parsed.theme:
        raise RenderError(
            "a page that plays is light or dark as its reader likes; leave out --theme"
        )
    whole = parsed.whole and ending == ".svg"
    if whole and parsed.caption:
        raise RenderError("a drawing of the whole text has no caption; leave out --caption")
    if whole and (parsed.size, parsed.text_size) != (None, None):
        raise RenderError(
            "a drawing of the whole text is as large as the text; leave out --size and --text-size"
        )
    if parsed.table is not None and ending == ".csv" and not panels:
        raise RenderError("--table is for the tables of a panel: add --panel")


def _listed(endings: tuple[str, ...]) -> str:
    *others, last = endings
    return f"{', '.join(others)} and {last}" if others else last

"""What `bpe-gui render` understands: a session, what of it is wanted, and where to."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

MOVING = (".gif", ".webp", ".mp4")
PICTURES = (".png", ".svg")
TEXTS = (".html", ".ansi", ".txt")
TABLES = (".csv", ".md")
ENDINGS = (*PICTURES, *TEXTS, *TABLES, *MOVING)
"""The formats, by the ending of the file's name."""

_SIZE = re.compile(r"([0-9]{1,5})[x×]([0-9]{1,5})")
_ONLY: dict[str, tuple[str, ...]] = {
    "start": (*MOVING, ".html"),
    "stop": (*MOVING, ".html"),
    "merges": MOVING,
    "frames": MOVING,
    "fps": MOVING,
    "hold": MOVING,
    "once": MOVING,
    "no_caption": MOVING,
    "scale": (".png", *MOVING),
    "size": (*PICTURES, *MOVING),
    "text_size": (*PICTURES, *MOVING),
    "theme": (*PICTURES, *TEXTS, *MOVING),
    "palette": (*PICTURES, *TEXTS, *MOVING),
    "colours": (".ansi", ".txt"),
    "player": (".html",),
    "whole": (".svg",),
    "table": (".csv",),
}
"""The endings with which an option makes sense."""
_NAMES = {"start": "from", "stop": "to"}


class RenderError(ValueError):
    """What is asked for cannot be rendered; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """What to render of a session, and where to.

    panels: names of panels; none for the one that suits the format.
    whole: the whole text as a drawing, not what is in sight of its panel.
    table: which of the tables of the panel, counted from 1.
    position: the position to show; None for that of the session. Merges are listed up to there;
        None for all of them.
    start, stop: the stretch that is animated or played; None for all of it.
    merges, frames: how far each frame goes on, and how many there are at most.
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
    frames_a_second: Fraction = Fraction(5)
    hold: Fraction = Fraction(2)
    loop: bool = True
    caption: bool = True
    size: tuple[int, int] | None = None
    scale: int = 1
    text_size: int | None = None
    dark: bool | None = None
    palette: str | None = None
    player: bool = False
    whole: bool = False
    true_colour: bool = True
    table: int = 1

    @property
    def ending(self) -> str:
        """Return the format: one of `ENDINGS`."""
        return Path(self.output).suffix.lower()


def request_of(parsed: argparse.Namespace) -> RenderRequest:
    """Read what the arguments ask for. Raises RenderError for what does not go together."""
    _check(parsed)
    chosen = {
        name: getattr(parsed, name)
        for name in ("merges", "frames", "hold", "scale", "table")
        if getattr(parsed, name) is not None
    }
    if parsed.fps is not None:
        chosen["frames_a_second"] = parsed.fps
    return RenderRequest(
        parsed.session,
        parsed.output,
        tuple(parsed.panel),
        parsed.position,
        parsed.start,
        parsed.stop,
        loop=not parsed.once,
        caption=not parsed.no_caption,
        size=parsed.size,
        text_size=parsed.text_size,
        dark=None if parsed.theme is None else parsed.theme == "dark",
        palette=parsed.palette,
        player=parsed.player,
        whole=parsed.whole,
        true_colour=parsed.colours != "256",
        **chosen,
    )


def _check(parsed: argparse.Namespace) -> None:
    """Raise RenderError for what does not go together."""
    ending = Path(parsed.output).suffix.lower()
    if ending not in ENDINGS:
        raise RenderError(
            f"{parsed.output} has an unsupported extension; use {', '.join(ENDINGS[:-1])} or "
            f"{ENDINGS[-1]}"
        )
    for option, endings in _ONLY.items():
        if getattr(parsed, option) not in (None, False) and ending not in endings:
            name = _NAMES.get(option, option.replace("_", "-"))
            raise RenderError(f"--{name} is for {_listed(endings)}, and not for {ending}")
    player = parsed.player
    if ending == ".html" and not player and (parsed.start, parsed.stop) != (None, None):
        raise RenderError("--from and --to are for a page that plays: add --player")
    if player and parsed.panel:
        raise RenderError("a page that plays has its own panels; leave out --panel")
    if player and parsed.theme:
        raise RenderError(
            "a page that plays is light or dark as its reader likes; leave out --theme"
        )
    if parsed.whole and (parsed.size, parsed.text_size) != (None, None):
        raise RenderError(
            "a drawing of the whole text is as large as the text; leave out --size and --text-size"
        )
    if parsed.table is not None and not parsed.panel:
        raise RenderError("--table is for the tables of a panel: add --panel")
    if (ending in MOVING or player) and parsed.position is not None:
        raise RenderError("--position is for a single moment; give --from and --to")


def _listed(endings: tuple[str, ...]) -> str:
    *others, last = endings
    return f"{', '.join(others)} and {last}" if others else last


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write it as 1280x720")
    return int(match[1]), int(match[2])


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def whole_number(text: str) -> int:
    """Parse a whole number of an argument, which may have commas. Raises ArgumentTypeError."""
    try:
        return int(text.replace(",", ""))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def add_render(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("session", metavar="FILE", help="a session, saved by the window")
    parser.add_argument(
        "-o", dest="output", metavar="FILE", required=True,
        help="what to write: .png or .svg for a picture, .gif, .webp or .mp4 for an animation, "
        ".html, .ansi or .txt for the coloured text, .csv for a table of a --panel, .md or .csv "
        "for all merges of the run, or with --position those before it",
    )
    parser.add_argument(
        "--panel", action="append", default=[], metavar="NAME",
        help="the panel to show: pairs, why, text, words, curves, derivation, vocabulary, tree, "
        "lanes, ..., or window for all; given more than once, an animation has them side by side",
    )
    parser.add_argument(
        "--position", type=whole_number, metavar="N",
        help="the position, in merges (default: as saved; lists of merges have all of them)",
    )
    _add_frames(parser)
    _add_look(parser)
    parser.add_argument(
        "--whole", action="store_true", help="a .svg of the whole text, also the part out of view"
    )
    parser.add_argument(
        "--table", type=whole_number, metavar="N",
        help="which table of the panel, if it has several (default: 1)",
    )
    parser.add_argument(
        "--player", action="store_true", help="a .html that plays the run with a slider"
    )


def _add_frames(parser: argparse.ArgumentParser) -> None:
    """Add the options of which merges are animated, and how fast."""
    parser.add_argument("--from", dest="start", type=whole_number, metavar="A", help="first merge")
    parser.add_argument("--to", dest="stop", type=whole_number, metavar="B", help="last merge")
    parser.add_argument(
        "--merges", type=whole_number, metavar="N", help="N merges per frame"
    )
    parser.add_argument(
        "--frames", type=whole_number, metavar="N",
        help="at most N frames, with more merges per frame if needed (default: 300)",
    )
    parser.add_argument(
        "--fps", "--speed", type=_fraction, metavar="N", help="frames a second (default: 5)"
    )
    parser.add_argument(
        "--hold", type=_fraction, metavar="S",
        help="extra seconds to hold the last frame (default: 2)",
    )
    parser.add_argument("--once", action="store_true", help="do not loop")
    parser.add_argument(
        "--no-caption", action="store_true", help="leave out the timeline and the caption"
    )


def _add_look(parser: argparse.ArgumentParser) -> None:
    """Add the options of size and colours."""
    parser.add_argument(
        "--size", type=_size, metavar="WxH",
        help="the size of the window, before --scale",
    )
    parser.add_argument(
        "--scale", type=int, choices=(1, 2, 3, 4), help="pixels for each of the size (default: 1)"
    )
    parser.add_argument(
        "--text-size", type=whole_number, metavar="PERCENT", help="the size of the text"
    )
    parser.add_argument(
        "--theme", choices=("light", "dark"), help="the colours (default: those of the session)"
    )
    parser.add_argument(
        "--palette", choices=("quiet", "strong", "patterns"),
        help="the colours or patterns of tokens (default: as in the session)",
    )
    parser.add_argument(
        "--colours", choices=("24-bit", "256"),
        help="the colours of the terminal for .ansi or .txt (default: 24-bit)",
    )

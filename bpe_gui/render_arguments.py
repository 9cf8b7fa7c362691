"""The arguments of `bpe-gui render`: what is wanted of a session, and where to."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fractions import Fraction

PANELS = (
    "pairs", "why", "text", "words", "tree", "spacetime", "curves", "derivation", "vocabulary",
    "concordance", "branches", "timeline", "lanes", "numbers", "metrics", "bars",
    "languages", "merge-curves", "vocabularies", "recipe", "pipeline", "boundaries", "lockstep",
    "window",
)  # fmt: skip
"""The names of the panels; they are here so that help needs no Qt."""
FIRST_PANELS = "pairs", "text"
"""The panels that are animated if no others are chosen: few, so that they are legible."""
_SIZE = re.compile(r"([0-9]{1,5})[x×]([0-9]{1,5})")


class Output(argparse.Action):
    """Adds a file to write, with the panels that were named since the one before."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        namespace.outputs = [*(namespace.outputs or ()), (values, tuple(namespace.panel))]
        namespace.panel = []


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write it as 1280x720")
    return int(match[1]), int(match[2])


def _fraction(text: str) -> Fraction:
    from fractions import Fraction

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
        "-o", dest="outputs", action=Output, metavar="FILE", required=True,
        help="what to write: .png, .svg or .pdf for a picture, .gif, .webp or .mp4 for an "
        "animation, .html, .ansi or .txt for the coloured text, .csv for a table of a --panel, "
        ".md or .csv for all merges of the run, or with --position those before it; a folder with "
        "a slash at the end for a .png of each --panel; given more than once, each file shows the "
        "panels that are named before it",
    )
    parser.add_argument(
        "--panel", action="append", default=[], metavar="NAME",
        help=f"the panel to show: {', '.join(PANELS)} for all of the window, or its title in the "
        "window; given more than once, an animation has them side by side (default: "
        f"{' and '.join(FIRST_PANELS)} in an animation, else window)",
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
        "--fps", "--speed", type=_fraction, metavar="N",
        help="frames a second (default: slow at first, then ever faster)",
    )
    parser.add_argument(
        "--hold", type=_fraction, metavar="S",
        help="extra seconds to hold the last frame (default: 2)",
    )
    parser.add_argument("--once", action="store_true", help="do not loop")
    parser.add_argument(
        "--no-caption", action="store_true", help="leave out the timeline and the caption"
    )
    parser.add_argument(
        "--no-motion", action="store_true",
        help="show no merge under way, only the states before and after it",
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
        "--caption", metavar="TEXT",
        help="a sentence below a .png, .svg or .pdf, within its --size if that is given",
    )
    parser.add_argument(
        "--palette", choices=("quiet", "strong", "patterns"),
        help="the colours or patterns of tokens (default: as in the session)",
    )
    parser.add_argument(
        "--colours", choices=("24-bit", "256"),
        help="the colours of the terminal for .ansi or .txt (default: 24-bit)",
    )

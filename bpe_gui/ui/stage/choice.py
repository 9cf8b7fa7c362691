"""What the speaker has chosen for the stage, as it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

MOST = 4
"""Panels that are seen at once."""
SCHEMES = ("", "dark", "light")
"""The colours of the stage: those of the window, or the dark ones or the light ones."""


@dataclass(frozen=True)
class Choice:
    """Up to four panels by name, the first of which are seen, and in which colours.

    `layout` is how many of them are seen: with fewer chosen, those are. `screen` is the name of
    the one that the stage is to be on, empty for the one that the window is on.
    """

    panels: tuple[str, ...] = ("pairs", "text", "why", "vocabulary")
    layout: int = 2
    scheme: str = ""
    screen: str = ""

    @property
    def shown(self) -> tuple[str, ...]:
        """The panels that are seen, in the order of their places."""
        return self.panels[: self.layout]

    def toggled(self, name: str) -> Choice:
        """A panel put behind the others, or taken away; all are seen then.

        Where there are four the last makes way. The only one stays.
        """
        if name not in self.panels:
            panels = (*self.panels[: MOST - 1], name)
        elif len(self.panels) > 1:
            panels = tuple(other for other in self.panels if other != name)
        else:
            panels = self.panels
        return replace(self, panels=panels, layout=len(panels))

    def placed(self, name: str, place: int) -> Choice:
        """A panel put at a place counted from 0, or at the end if that comes before it.

        What stood there goes to where it came from, or makes way.
        """
        panels = list(self.panels)
        place = min(max(place, 0), len(panels), MOST - 1)
        if name in panels:
            place = min(place, len(panels) - 1)
            before = panels.index(name)
            panels[before], panels[place] = panels[place], panels[before]
        else:
            panels[place : place + 1] = [name]
        return replace(self, panels=tuple(panels), layout=max(self.layout, place + 1))

    def as_json(self) -> dict[str, Any]:
        """What JSON can hold; `from_json` reads it."""
        return {**asdict(self), "panels": list(self.panels)}


_RENAMED = {"token": "tree", "wall": "boundaries"}
"""What panels were called in settings of older versions."""


def from_json(kept: object, known: Sequence[str]) -> Choice:
    """A choice that was kept; what makes no sense in it is as at first.

    `known` are the panels that there are. A file of settings may have been written by another
    version, or by hand: nothing in it is worth an error.

    >>> from_json({"panels": ["why", "why", "moon"], "layout": 99}, ["pairs", "why"])
    Choice(panels=('why',), layout=2, scheme='', screen='')
    """
    first = Choice()
    found = kept if isinstance(kept, Mapping) else {}
    named, layout, scheme, screen = (
        found.get(key) for key in ("panels", "layout", "scheme", "screen")
    )
    strings = filter(lambda name: isinstance(name, str), named if isinstance(named, list) else ())
    names = dict.fromkeys(_RENAMED.get(name, name) for name in strings)
    panels = tuple(name for name in names if name in known)[:MOST]
    # JSON's true is a whole number in Python.
    if type(layout) is not int or not 1 <= layout <= MOST:
        layout = first.layout
    scheme = scheme if scheme in SCHEMES else first.scheme
    screen = screen if isinstance(screen, str) else first.screen
    return Choice(panels or first.panels, layout, scheme, screen)

"""What the speaker has chosen for the stage, as it is stored."""

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
    """Up to four panels by name, the first of which are shown, and in which colours.

    `layout` is how many are shown: if fewer are chosen, all are. `screen` is the name of the screen
    for the stage, empty for the one that the window is on.
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
        """Add a panel behind the others, or remove it; all are shown then.

        A fifth panel replaces the last. The only one stays.
        """
        if name not in self.panels:
            panels = (*self.panels[: MOST - 1], name)
        elif len(self.panels) > 1:
            panels = tuple(other for other in self.panels if other != name)
        else:
            panels = self.panels
        return replace(self, panels=panels, layout=len(panels))

    def placed(self, name: str, place: int) -> Choice:
        """Put a panel at a place counted from 0, or at the end if that is sooner.

        The panel that was there goes to the place of the other, or is removed.
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
        """Return what JSON can hold; `from_json` reads it."""
        return {**asdict(self), "panels": list(self.panels)}


_RENAMED = {"token": "tree", "wall": "boundaries"}
"""What panels were called in settings of older versions."""


def from_json(kept: object, known: Sequence[str]) -> Choice:
    """Read a stored choice; what does not fit is replaced by the default.

    `known` are the panels that there are. Settings may be from another version, or edited by hand:
    no error is raised.

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

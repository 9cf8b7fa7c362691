"""The fixtures of this folder."""

from __future__ import annotations

from tests.ui.tour.short_tour import own, short, window

__all__ = ["own", "short", "window"]

"""The fixtures of this folder."""

from __future__ import annotations

from tests.ui.help.searched_actions import search, window

__all__ = ["search", "window"]

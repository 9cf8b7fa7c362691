"""The fixtures of this folder."""

from __future__ import annotations

from tests.ui.stage.entered_stage import show, window

__all__ = ["show", "window"]

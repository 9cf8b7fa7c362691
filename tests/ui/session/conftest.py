"""The fixtures of this folder."""

from __future__ import annotations

from tests.ui.session.recorded_sessions import recorded, second
from tests.ui.session.session_windows import begun, kept

__all__ = ["begun", "kept", "recorded", "second"]

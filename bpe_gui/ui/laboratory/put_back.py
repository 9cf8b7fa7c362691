"""What was removed from a recipe, and the way to have it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.widgets.link_label import LinkLabel


@dataclass(frozen=True)
class _Removal:
    """What was removed, and the fields of the recipe before and after that, by their names."""

    what: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]


class PutBack(LinkLabel):
    """One line that offers to put back what was removed last, then what was before it.

    As soon as anything else is changed in the same fields, there is nothing to go back to.
    """

    wanted = Signal(object)
    """What is to be put back: a mapping from fields of the recipe to values."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self.setProperty("quiet", True)
        self._removals: list[_Removal] = []
        self.linkActivated.connect(self.put_back)
        self._tell()

    def offer(self, what: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Offer what is about to be removed: the draft will be what it is `after` that."""
        self._removals.append(_Removal(what, dict(before), dict(after)))
        self._tell()

    def follow(self, draft: RecipeDraft) -> None:
        """Forget what cannot be put back into a draft."""
        while self._removals and not _holds(draft, self._removals[-1].after):
            if _holds(draft, self._removals[-1].before):
                self._removals.pop()
            else:
                self._removals.clear()
        self._tell()

    @Slot()
    def put_back(self) -> None:
        """Ask for what was removed last, if it can be put back."""
        if self._removals:
            self.wanted.emit(self._removals[-1].before)

    def _tell(self) -> None:
        text = ""
        if self._removals:
            what = escape(self._removals[-1].what)
            text = f"{what} is removed. <a href='back'>Put it back</a> (Ctrl+Z)"
        self.setText(text)
        self.setVisible(bool(text))


def _holds(draft: RecipeDraft, fields: Mapping[str, Any]) -> bool:
    return all(draft.value(name) == value for name, value in fields.items())

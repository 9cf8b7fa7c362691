"""What stands below a control: what is wrong there, and the ways out as links."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.ui.laboratory.recipe_problems import Fix, Problem
from bpe_gui.ui.widgets.link_label import LinkLabel
from bpe_gui.ui.widgets.sentences import as_sentence


class ProblemNote(QWidget):
    """Shows the problems of a field; takes no room if there are none."""

    fixWanted = Signal(object)
    """The values of fields (a mapping) that the user has chosen as the way out."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._fixes: tuple[Fix, ...] = ()
        self._label = LinkLabel(name, self)
        self._label.setProperty("problem", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.addWidget(self._label)
        self._label.linkActivated.connect(self._on_link)
        self.hide()

    def text(self) -> str:
        """What is shown, with its markup; empty if nothing is."""
        return "" if self.isHidden() else self._label.text()

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Show other problems, or none."""
        self.show_sentences(
            [as_sentence(ValueError(problem.sentence)) for problem in found],
            tuple(fix for problem in found for fix in problem.fixes),
        )

    def show_sentences(self, sentences: Sequence[str], fixes: tuple[Fix, ...] = ()) -> None:
        """Show sentences, and links for the ways out."""
        self._fixes = fixes
        text = "<br>".join(escape(sentence) for sentence in sentences)
        if fixes:
            links = " · ".join(
                f'<a href="{number}">{escape(fix.label)}</a>' for number, fix in enumerate(fixes)
            )
            text += f"<br>Take {links}"
        if text != self._label.text():
            self._label.setText(text)
        self._label.setAccessibleName(" ".join(sentences))
        self.setVisible(bool(sentences))

    @Slot(str)
    def _on_link(self, link: str) -> None:
        self.fixWanted.emit(self._fixes[int(link)].changes)

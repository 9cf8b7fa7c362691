"""The text to begin with, which suits the corpus."""

from __future__ import annotations

from bpe_gui.ui.panels.text.panel import DEFAULT_TEXT, TextPanel

FOUR_WORDS_TEXT = "low lower newest widest"
"""The text to begin with beside the corpus of four words, which knows few other letters."""


def offer_text(panel: TextPanel, corpus: object) -> None:
    """Give a text that suits a corpus, unless the user has written one.

    `corpus` is what the box of corpora holds for it.
    """
    fitting = FOUR_WORDS_TEXT if corpus == "four-words" else DEFAULT_TEXT
    shown = panel.text()
    if shown != fitting and shown in (DEFAULT_TEXT, FOUR_WORDS_TEXT):
        panel.set_text(fitting)

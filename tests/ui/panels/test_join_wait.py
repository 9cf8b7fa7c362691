"""While the tokens of a merge under way are still two, no panel shows what comes after it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.ui.panels.concordance.panel import ConcordancePanel
from bpe_gui.ui.panels.curves.panel import CurvesPanel
from bpe_gui.ui.panels.derivation.panel import DerivationPanel
from bpe_gui.ui.panels.space_time.panel import SpaceTimePanel
from bpe_gui.ui.panels.token.panel import TokenPanel
from bpe_gui.ui.run.corpus_queries import CorpusQueries
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.widgets.motion import MergeMotion
from tests.ui.driving import child, picture, shown
from tests.ui.histories import four_words
from tests.ui.panels.parts import parts


@pytest.mark.parametrize("kind", [SpaceTimePanel, CurvesPanel, TokenPanel, DerivationPanel])
def test_a_panel_goes_on_when_the_tokens_join(
    qtbot: QtBot,
    kind: type[SpaceTimePanel | CurvesPanel | TokenPanel | DerivationPanel],
) -> None:
    motion, sample = MergeMotion(None), SampleText()
    sample.set("newest")
    panel = shown(qtbot, kind(parts(sample=sample, motion=motion)), 640, 400)
    panel.set_history(four_words())
    if isinstance(panel, DerivationPanel):
        panel.set_word("newest")
    pictures = []
    for position, share in ((1, 1.0), (2, 0.02), (2, 0.5)):
        motion.hold(share)
        motion.go_to(position, False)
        if share != 0.5:  # only the motion goes on
            panel.show_position(position, False)
        pictures.append(picture(panel))
    before, apart, joined = pictures
    assert apart == before
    assert joined != before


def test_the_concordance_goes_on_when_the_tokens_join(
    qtbot: QtBot, tmp_path: Path, teller: CorpusQueries
) -> None:
    path = tmp_path / "words.txt"
    path.write_text("newest widest")
    teller.corpus = Corpus([path])
    motion = MergeMotion(None)
    panel = shown(qtbot, ConcordancePanel(parts(teller, motion=motion)), 640, 300)
    panel.set_history(four_words())
    title = child(panel, QLabel, "placesTitle")
    motion.hold(0.02)
    motion.go_to(0, False)
    motion.go_to(1, False)
    panel.show_position(1, False)
    assert "es" not in title.text()
    motion.hold(0.5)
    assert "es" in title.text()
    panel.task.close()

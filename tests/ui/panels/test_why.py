"""The card that explains the merge at the cursor."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt, QUrl
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFrame, QTextBrowser
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.explain import Explanation, explain, sentence
from bpe_gui.analysis.merge_facts import merge_facts, merge_sentence
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.bpe.history import Decision, History, Intervention
from bpe_gui.bpe.recipe import Recipe, Ties, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.progress import times
from bpe_gui.ui.panels.why.panel import WhyPanel
from bpe_gui.ui.panels.why.wording import LABELS, WhyCard
from bpe_gui.ui.run.corpus_queries import CorpusQueries
from bpe_gui.ui.theme.text_size import set_text_scale
from bpe_gui.ui.theme.theme import LIGHT, palette, theme_of
from bpe_gui.ui.widgets.motion import MergeMotion
from bpe_gui.ui.widgets.presenting import present
from bpe_gui.ui.widgets.sentences import as_written
from tests import oracle
from tests.bpe.test_trainer import corpora, recipes
from tests.ui.driving import child, picture, pixels, shown
from tests.ui.panels.parts import parts
from tests.ui.panels.stories import four_words_run, many_ties_run, train_words

PAUSE = "Pause (Space) to see the source words and the pairs that change."
WHY_FEWER = ", so a model can read more text at once"
"""What the first merge adds to the tokens that it saves."""
_SPACES = str.maketrans({"\u00a0": " ", "\u2068": None, "\u2069": None})


@pytest.fixture
def panel(qtbot: QtBot, teller: CorpusQueries, motion: MergeMotion) -> WhyPanel:
    return shown(qtbot, WhyPanel(parts(teller, motion=motion)), 420, 360)


@pytest.fixture
def asked(teller: CorpusQueries, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The merges that are asked about, which nobody answers."""
    asked: list[int] = []
    monkeypatch.setattr(teller, "explain", asked.append)
    return asked


def browser_of(panel: WhyPanel) -> QTextBrowser:
    return child(panel, QTextBrowser, "whyText")


def written(panel: WhyPanel) -> str:
    """The card as a reader sees it, one line for each paragraph."""
    return as_written(re.sub(" +", " ", browser_of(panel).toPlainText().translate(_SPACES)))


def line(panel: WhyPanel, label: str) -> str:
    """What stands beside a label."""
    lines = written(panel).splitlines()
    return lines[lines.index(label) + 1].strip()


def shows_words(panel: WhyPanel) -> bool:
    text = written(panel)
    return "source words" in text and "looking through" not in text


def words_of(panel: WhyPanel) -> list[tuple[str, ...]]:
    """The rows of the source words: a word, how often it has the pair, a note."""
    lines = [line.strip() for line in written(panel).splitlines() if line.strip()]
    rows: list[list[str]] = []
    for text in lines[lines.index("source words") + 1 :]:
        if rows and (re.fullmatch(r"[\d,]+", text) or text.endswith(" in each")):
            rows[-1].append(text)
        elif text in LABELS:
            break
        else:
            rows.append([text])
    return [tuple(row) for row in rows]


def show(qtbot: QtBot, panel: WhyPanel, merge: int) -> None:
    """Show a merge by its number, counted from one: before it, it is the next."""
    panel.show_position(merge - 1, False)
    qtbot.waitUntil(lambda: shows_words(panel))


def load(panel: WhyPanel, teller: CorpusQueries, run: tuple[WordCounts, History]) -> History:
    teller.set_run(*run)
    panel.set_history(run[1])
    return run[1]


def test_the_four_words(qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries) -> None:
    load(panel, teller, four_words_run())
    show(qtbot, panel, 1)
    assert written(panel).splitlines()[:3] == [
        "Next: merge 1",
        "“e” and “s” are neighbours 9 times in the corpus, as often as 2 other pairs; the tie is "
        "broken by first occurrence, so they become “es”.",
        " e + s → es ",
    ]
    assert line(panel, "count") == "9 times"
    first = "first is e + s in newest , word 3 of the corpus"
    assert line(panel, "tie") == f"with s + t , t + </w> ; {first}"
    assert words_of(panel) == [("newest", "6"), ("widest", "3")]
    reduced = "s + t 9→0 w + e 8→2 d + e 3→0"
    assert line(panel, "pairs reduced") == f"{reduced} their e or s goes into es"
    assert line(panel, "new pairs") == "es + t 9 w + es 6 d + es 3"
    assert line(panel, "tokens saved") == f"9 of 95 in the corpus, 9.5%{WHY_FEWER}"
    assert "the end" not in written(panel)
    assert panel.accessibleDescription().startswith("Next: merge 1. “e” and “s” are neighbours")


def test_the_margin(qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries) -> None:
    load(panel, teller, four_words_run())
    show(qtbot, panel, 5)
    assert line(panel, "runner-up") == "n + e 6 times, 1 fewer"


def test_the_merge_to_come(qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries) -> None:
    load(panel, teller, four_words_run())
    show(qtbot, panel, 1)
    assert written(panel).startswith("Next: merge 1\n")
    assert line(panel, "tokens saved") == f"9 of 95 in the corpus, 9.5%{WHY_FEWER}"
    # It explains itself before anybody has trained.
    load(panel, teller, four_words_run(0))
    show(qtbot, panel, 1)
    assert written(panel).startswith("Next: merge 1\n“e” and “s” are neighbours 9 times in the")
    assert words_of(panel) == [("newest", "6"), ("widest", "3")]
    assert line(panel, "tokens saved") == f"9 of 95 in the corpus, 9.5%{WHY_FEWER}"


def test_the_first_merge_with_the_end_of_a_word_says_what_that_is_for(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    history = load(panel, teller, four_words_run())
    told = {}
    for step in range(len(history)):
        show(qtbot, panel, step + 1)
        if "word end" in written(panel):
            told[step] = line(panel, "word end")
    assert told == {
        2: "“est” ends a word here, so spaces can be put back; inside a word it is another token"
    }
    words, trainer = train_words([("low", 5), ("lower", 2)], preset("gpt2"))
    history = load(panel, teller, (words, trainer.history))
    show(qtbot, panel, len(history))
    assert "word end" not in written(panel)


def test_the_switch_covers_no_text_that_is_scrolled(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    panel.offer_switch(QAction("Last", panel))
    panel.resize(300, 6 * panel.fontMetrics().lineSpacing())
    load(panel, teller, four_words_run())
    show(qtbot, panel, 1)
    switch = child(panel, QFrame, "tellSwitch")
    bar = child(panel, QTextBrowser, "whyText").verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    before = switch.y()
    bar.setValue(bar.maximum())
    assert switch.y() == before - bar.maximum(), "it goes with the line beside it"


def test_what_stopped_the_run(qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries) -> None:
    history = load(panel, teller, four_words_run())
    show(qtbot, panel, len(history) - 1)
    assert "the end" not in written(panel)
    show(qtbot, panel, len(history))
    assert line(panel, "the end") == "With this merge the run ends: no pair is left to merge."
    panel.show_position(len(history), False)
    assert line(panel, "the end") == (
        "The run stopped here: no pair is left to merge. The corpus has fewer tokens now: 95 → 16. "
        "The price is a larger vocabulary: 11 → 26 entries, and every entry makes the "
        "model larger."
    )
    assert written(panel).index("the end") < written(panel).index("source words")
    panel.show_position(len(history) - 1, False)
    assert line(panel, "runner-up") == "none: it was the only pair left"
    panel.resize(500, 8 * panel.fontMetrics().lineSpacing())
    qtbot.waitUntil(lambda: "runner-up" not in written(panel))
    assert "are the only pair left" in written(panel)


def test_the_end_counts_the_merges_of_pairs_that_occurred_once(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    words, trainer = train_words([("ab", 2), ("cd", 1)], preset("whitespace"))
    history = load(panel, teller, (words, trainer.history))
    assert history.count.tolist() == [2, 2, 1, 1]
    show(qtbot, panel, 4)
    assert line(panel, "the end") == "With this merge the run ends: no pair is left to merge."
    assert line(panel, "rare pairs") == (
        "2 of the 4 merges joined a pair that occurs only once in the corpus. To stop before them, "
        "set “Minimum frequency” to 2 in the Laboratory, under “Stop”."
    )
    panel.show_position(len(history), False)
    assert written(panel).index("rare pairs") > written(panel).index("source words")
    recipe = preset("whitespace").with_changes(min_frequency=2)
    words, trainer = train_words([("ab", 2), ("cd", 1)], recipe)
    history = load(panel, teller, (words, trainer.history))
    assert history.count.tolist() == [2, 2], "as is said"
    show(qtbot, panel, 2)
    assert line(panel, "the end") == "With this merge the run ends: no pair is frequent enough."


def test_a_run_that_stops_later_is_not_said_to_go_on(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    recipe = preset("whitespace").with_changes(merges=2)
    words, trainer = train_words([("banana", 3)], recipe, merges=1)
    load(panel, teller, (words, trainer.history))
    show(qtbot, panel, 1)
    assert "the end" not in written(panel)
    trainer.advance(10)
    show(qtbot, panel, 1)
    assert "the end" not in written(panel)
    show(qtbot, panel, 2)
    assert line(panel, "the end") == "With this merge the run ends: number of merges reached."


def test_occurrences_within_a_word(qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries) -> None:
    words, trainer = train_words([("banana", 3), ("an", 1)], preset("whitespace"))
    load(panel, teller, (words, trainer.history))
    show(qtbot, panel, 1)
    assert words_of(panel) == [("banana", "6", "2 in each"), ("an", "1")]


def test_overlaps_save_less(qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries) -> None:
    words, trainer = train_words([("aaaa", 2)], preset("raw"))
    load(panel, teller, (words, trainer.history))
    show(qtbot, panel, 1)
    assert words_of(panel) == [("aaaa", "6", "3 in each")]
    saved = line(panel, "tokens saved")
    assert saved.startswith("4 of 8 in the corpus, 50.0%; where the pair overlaps itself")


def test_many_words_add_up(qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries) -> None:
    pairs = [(f"th{letter}", 40 - place) for place, letter in enumerate("abcdefgijklm")]
    words, trainer = train_words(pairs, preset("whitespace"))
    load(panel, teller, (words, trainer.history))
    show(qtbot, panel, 1)
    *named, others = words_of(panel)
    assert named[:2] == [("tha", "40"), ("thb", "39")]
    assert others == ("4 other words", "122")
    assert line(panel, "count") == "414 times"
    assert len(named) == 8
    # The bars compare words, and the sum of many has none.
    assert browser_of(panel).toHtml().count(f'bgcolor="{theme_of(panel).accent}"') == 8
    assert sum(int(count) for _, count in named) + 122 == sum(count for _, count in pairs) == 414


def test_runs_of_spaces_are_counted(qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries) -> None:
    words, trainer = train_words([(" " * 9 + "x", 7), ("  if", 2)], preset("raw"))
    load(panel, teller, (words, trainer.history))
    show(qtbot, panel, 1)
    assert words_of(panel) == [("␣×9x", "56", "8 in each"), ("␣␣if", "2")]
    show(qtbot, panel, 3)
    assert "so they become “␣×8”." in written(panel)


def test_a_long_word_leaves_room_for_its_bar(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    words, trainer = train_words([("ab" * 20, 1)], preset("whitespace"))
    load(panel, teller, (words, trainer.history))
    show(qtbot, panel, 1)
    assert words_of(panel) == [("ab" * 11 + "a…", "20")]


def test_a_text_that_is_not_split_is_no_source_word(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    words, trainer = train_words([("the boat leaves, then the others", 1)], preset("raw"))
    load(panel, teller, (words, trainer.history))
    panel.show_position(0, False)
    qtbot.waitUntil(lambda: "pairs reduced" in written(panel))
    assert line(panel, "count") == "4 times"
    assert "source words" not in written(panel)
    assert "the boat" not in written(panel)
    present(panel, True)
    panel.resize(800, 5 * panel.fontMetrics().lineSpacing())
    assert "the boat" not in written(panel)
    assert "count" not in written(panel), "the brief card"


def test_more_ties_than_the_history_ranks(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    words, history = many_ties_run()
    panel.set_history(history)
    panel.show_position(0, False)
    assert "as often as at least 19 other pairs; the tie is broken by " in written(panel)
    assert line(panel, "tie").startswith("with b + c , c + d ")
    assert line(panel, "tie").endswith(", and maybe more")
    teller.set_run(words, history)
    show(qtbot, panel, 1)
    # The first 25 letters have a right neighbour, and z has the end of the word.
    assert "as often as 25 other pairs; the tie is broken by first" in written(panel)
    tie = line(panel, "tie")
    assert tie.endswith(
        "m + n , and 13 more; first is a + b in abcdefghijklmnopqrstuvw… , word 1 of the corpus"
    )


@pytest.mark.parametrize(
    ("corpus", "preset_name", "told"),
    [
        (["hi", "low", "at", "so"], "whitespace",
         "with i + </w> , l + o , o + w , w + </w> (in low , word 2), "
         "a + t , t + </w> (in at , word 3), s + o , o + </w> (in so , word 4); "
         "first is h + i in hi , word 1 of the corpus"),
        (["h", "hi", "n", "no"], "gpt2",
         "with n + o (in no , word 4); first is h + i in hi , word 2 of the corpus"),
        (["ab", "cd"], "raw", "with c + d (in text 2); first is a + b in text 1"),
    ],
)  # fmt: skip
def test_where_tied_pairs_occur_first(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries, corpus: list[str], preset_name: str,
    told: str,
) -> None:  # fmt: skip
    words, trainer = train_words([(word, 2) for word in corpus], preset(preset_name))
    load(panel, teller, (words, trainer.history))
    show(qtbot, panel, 1)
    assert line(panel, "tie") == told


def test_in_a_low_panel_the_next_of_pairs_in_several_words_is_enough(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    pairs = [("hi", 2), ("no", 2), ("at", 2)]
    words, trainer = train_words(pairs, preset("gpt2"))
    load(panel, teller, (words, trainer.history))
    panel.offer_switch(QAction("Last", panel))
    panel.resize(500, 8 * panel.fontMetrics().lineSpacing())
    show(qtbot, panel, 1)
    told = (
        "Tie with n + o (in no , word 2), and 1 more; "
        "first is h + i in hi , word 1"
    )
    qtbot.waitUntil(lambda: told in written(panel))


def test_where_tied_pairs_occur_is_not_said_where_another_rule_decides(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    recipe = preset("whitespace").with_changes(ties=Ties.LOWEST_ID)
    words, trainer = train_words([("ba", 2), ("ab", 2)], recipe)
    load(panel, teller, (words, trainer.history))
    show(qtbot, panel, 1)
    assert line(panel, "tie").startswith("with ")
    assert "word" not in line(panel, "tie")


def test_the_history_speaks_at_once(panel: WhyPanel) -> None:
    panel.set_history(four_words_run()[1])
    panel.show_position(4, False)
    assert line(panel, "count") == "7 times"
    assert line(panel, "tokens saved") == "7 of 61 in the corpus, 11.5%"
    assert line(panel, "source words") == "looking through the words…"


def test_never_shows_the_words_of_another_merge(panel: WhyPanel) -> None:
    words, history = four_words_run()
    corpus = SegmentedCorpus(words, history)
    panel.set_history(history)
    panel.show_position(1, False)
    panel.set_explanation(explain(corpus, 0))
    assert not shows_words(panel)
    panel.set_explanation(explain(corpus, 1))
    assert shows_words(panel)
    panel.show_position(2, False)
    assert not shows_words(panel)
    assert line(panel, "source words") == "looking through the words…"
    # Of the same step in another run neither.
    words, trainer = train_words([("banana", 9)], preset("whitespace"))
    panel.set_explanation(explain(SegmentedCorpus(words, trainer.history), 2))
    assert not shows_words(panel)
    # Nor of one that differs in its alphabet only, and so in the ids of what it makes.
    third = explain(corpus, 2)
    panel.set_explanation(replace(third, new_id=third.new_id + len(history)))
    assert not shows_words(panel)


def test_asks_nothing_about_merges_that_are_passed_in_a_replay(
    panel: WhyPanel, asked: list[int]
) -> None:
    history = four_words_run()[1]
    panel.set_history(history)
    for position in range(1, 10):
        panel.show_position(position, True)
        assert written(panel).startswith(f"On the way: merge {position + 1}\n")
        assert "source words" not in written(panel).replace(PAUSE, "")
        assert written(panel).rstrip().endswith(PAUSE)
    assert asked == []
    for position in (2, 3, 4):
        panel.show_position(position, False)
        assert "source words" in written(panel)
        assert PAUSE not in written(panel)
    assert asked == [2, 3, 4]
    panel.set_history(history.until(8))
    panel.show_position(6, True)
    assert asked[3:] == [6], "more merges may come: a training is explained"


def test_a_merge_stays_until_it_has_been_seen(
    panel: WhyPanel, motion: MergeMotion, asked: list[int]
) -> None:
    panel.set_history(four_words_run()[1])
    motion.hold(0.5)
    motion.go_to(2, False)
    panel.show_position(2, False)
    for position in (3, 4):
        motion.go_to(position, False)
        panel.show_position(position, False)
        assert written(panel).startswith(f"Now: merge {position}\n"), "others animate it"
    motion.end()
    assert written(panel).startswith("Next: merge 5\n")
    motion.go_to(3, False)
    panel.show_position(3, False)
    assert written(panel).startswith("Next: merge 4\n"), "nothing is animated backwards"


def test_a_card_in_motion_says_so(panel: WhyPanel) -> None:
    panel.set_history(four_words_run()[1])
    assert written(panel).startswith("Next: merge 1\n")
    panel.show_position(2, True)
    assert written(panel).startswith("On the way: merge 3\n")
    assert panel.accessibleDescription().startswith("On the way: merge 3. ")
    panel.show_position(0, True)
    # Not "Next": another one may come next by now.
    assert written(panel).startswith("On the way: merge 1\n")
    panel.show_position(0, False)
    assert written(panel).startswith("Next: merge 1\n")


def test_asks_nothing_unseen(panel: WhyPanel, asked: list[int]) -> None:
    panel.hide()
    panel.set_history(four_words_run()[1])
    panel.show_position(2, False)
    assert asked == []
    panel.show()
    assert asked == [2]


def test_tokens_are_links(qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries) -> None:
    history = load(panel, teller, four_words_run())
    show(qtbot, panel, 1)
    browser = browser_of(panel)
    est = int(history.new_id[0])
    assert f'href="token:{est}"' in browser.toHtml()
    with qtbot.waitSignal(panel.tokenSelected) as selected:
        browser.anchorClicked.emit(QUrl(f"token:{est}"))
    assert selected.args == [est]
    # With the keyboard: Tab goes to the first link, Enter follows it.
    browser.setFocus()
    with qtbot.waitSignal(panel.tokenSelected) as selected:
        qtbot.keyClick(browser, Qt.Key.Key_Tab)
        qtbot.keyClick(browser, Qt.Key.Key_Return)
    assert history.id_to_token(selected.args[0]) == "e"


def test_a_token_that_is_not_yet_is_no_link(qtbot: QtBot, panel: WhyPanel) -> None:
    history = four_words_run(0)[1]
    panel.set_history(history)
    browser = browser_of(panel)
    links = {int(number) for number in re.findall(r'href="token:(\d+)"', browser.toHtml())}
    assert links
    assert max(links) < history.vocabulary_size(0)


def test_what_is_selected_stays_selected(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    load(panel, teller, four_words_run())
    show(qtbot, panel, 1)
    browser = browser_of(panel)
    browser.selectAll()
    panel.show_position(0, False)
    assert "newest" in browser.textCursor().selectedText()


def places_of_lines(browser: QTextBrowser) -> list[QRectF]:
    """Where the lines of a text without tables are, with the grounds of their letters."""
    document, places = browser.document(), []
    block = document.begin()
    while block.isValid():
        top = document.documentLayout().blockBoundingRect(block).topLeft()
        layout = block.layout()
        places += [
            layout.lineAt(line).naturalTextRect().translated(top)
            for line in range(layout.lineCount())
        ]
        block = block.next()
    return places


def test_an_audience_sees_whole_parts_of_a_card(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    run = four_words_run()
    teller.set_run(*run)
    present(panel, True)
    browser, shown_parts = browser_of(panel), []
    line = browser.fontMetrics().lineSpacing()
    panel.set_history(run[1])
    panel.show_position(0, False)
    for lines in (11, 8, 7):
        panel.resize(500, lines * line)
        qtbot.waitUntil(lambda: "= 9" in written(panel))
        assert browser.document().size().height() <= browser.viewport().height()
        places = places_of_lines(browser)
        sentence_lines = browser.document().begin().layout().lineCount()
        for above, below in pairwise(places[sentence_lines - 1 :]):
            assert above.bottom() <= below.top() + 0.5, "a ground would cover letters above it"
        shown_parts.append(written(panel).count("\n") + 1)
    assert shown_parts == sorted(shown_parts, reverse=True)
    assert shown_parts[-1] < shown_parts[0]


@pytest.mark.parametrize("width", range(300, 400, 20))
def test_an_audience_sees_the_whole_merge(panel: WhyPanel, width: int) -> None:
    present(panel, True)
    set_text_scale(panel, 2.4)
    browser, line = browser_of(panel), panel.fontMetrics().lineSpacing()
    panel.set_history(four_words_run()[1])
    panel.show_position(0, False)
    panel.resize(width, 8 * line)
    sentence = browser.document().begin()
    panel.resize(width, (sentence.layout().lineCount() + 1) * line + 12)
    merge = browser.document().begin().next()
    assert "es" in merge.text()
    assert merge.layout().lineCount() == 1, "its second line would be out of sight"


def test_says_why_it_knows_no_words(panel: WhyPanel) -> None:
    panel.set_history(four_words_run()[1])
    panel.show_position(0, False)
    panel.set_problem("There is not enough memory.")
    assert line(panel, "source words") == "There is not enough memory."
    assert line(panel, "count") == "9 times"


def test_a_forced_merge_is_said_to_be_chosen_at_once(panel: WhyPanel) -> None:
    words, history = four_words_run(0)
    top = history.top(0)
    chosen = Intervention(0, Decision.FORCE, int(top.left[5]), int(top.right[5]))
    trainer = Trainer(words, history.recipe, compiled=False, interventions=[chosen])
    trainer.advance(1)
    panel.set_history(trainer.history)
    panel.show_position(0, False)
    assert "and were chosen by hand over a pair that comes before them" in written(panel)


def test_nothing_to_explain(panel: WhyPanel) -> None:
    assert written(panel).startswith("Open a corpus to ")
    words, trainer = train_words([("a", 3)], preset("gpt2"))
    assert len(words) == 1
    panel.set_history(trainer.history)
    panel.show_position(0, False)
    assert written(panel) == "No pair is left: every word of the corpus is a single token."
    panel.set_history(None)
    assert written(panel).startswith("Open a corpus to ")


def test_follows_the_theme(panel: WhyPanel) -> None:
    panel.set_history(four_words_run()[1])
    panel.setPalette(palette(LIGHT))
    html = browser_of(panel).toHtml()
    assert any(colour in html for colour in LIGHT.token_fills.of_tokens)


def card_of(history: History, position: int, explanation: Explanation | None) -> str:
    facts = merge_facts(history, position - 1)
    assert facts is not None
    html = WhyCard(history, facts, explanation, LIGHT, 80).html()
    return re.sub("<[^>]*>| +", " ", html.replace("&nbsp;", " "))


@settings(max_examples=40)
@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_all_that_is_said_is_what_the_oracle_says(
    corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    words, trainer = train_words(corpus, recipe, merges=10_000)
    history = trainer.history
    if not len(history):
        return
    run = oracle.train(corpus, recipe)
    position = data.draw(st.integers(1, len(history)))
    facts = merge_facts(history, position - 1)
    assert facts is not None
    before, after = run.positions[position - 1], run.positions[position]
    left, right, count = before.pairs[0]
    assert (facts.left, facts.right, facts.count) == (left, right, count)
    assert facts.tokens == (before.tokens, after.tokens)
    assert (facts.stopped is not None) == (position == len(history))
    tied = [(a, b) for a, b, n in before.pairs[1:] if n == count]
    assert list(facts.tied) == tied[: len(facts.tied)]
    if facts.all_tied:
        assert list(facts.tied) == tied
    if len(before.pairs) > 1:
        assert facts.runner_up is not None
        assert facts.runner_up.amount == before.pairs[1][2]
    else:
        assert facts.runner_up is None
    explanation = explain(SegmentedCorpus(words, history, compiled=False), position - 1)
    assert facts.fits(explanation)
    if facts.all_tied:
        # What is said at once does not change when the words are known.
        assert merge_sentence(history, facts, None) == sentence(explanation, history)
    card = " ".join(card_of(history, position, explanation).split())
    assert f" count {times(count)} " in card
    others = explanation.shares[8:] if len(explanation.shares) > 9 else ()
    if others:
        rest = sum(share.total for share in others)
        assert f" {len(others):,} other words {rest:,} " in card


def test_what_is_copied_has_no_invisible_characters(panel: WhyPanel) -> None:
    panel.set_history(four_words_run()[1])
    panel.show_position(2, False)
    browser = browser_of(panel)
    browser.selectAll()
    browser.copy()
    copied = QApplication.clipboard().mimeData()
    assert "“est” and “</w>” are neighbours" in copied.text()
    assert "\N{WORD JOINER}" not in copied.text() + copied.html()


def letters_in(panel: WhyPanel) -> NDArray[np.bool_]:
    """The lines of pixels that have some of a letter or a bar."""
    seen = pixels(picture(browser_of(panel).viewport()))
    green = seen >> 8 & 0xFF
    return np.asarray((green < 140).any(axis=1))


def test_no_row_is_cut_off_at_the_lower_edge(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    """Nor in a table within a table, where Qt does not find all lines."""
    panel.setPalette(palette(LIGHT))
    load(panel, teller, four_words_run())
    lines = 11 * panel.fontMetrics().lineSpacing()
    panel.resize(330, lines)
    show(qtbot, panel, 1)
    whole = letters_in(panel)
    edges = np.flatnonzero(np.diff(whole)) + 1
    rows = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=False))
    assert len(rows) > 6
    for height in range(lines // 2, lines):
        panel.resize(330, height)
        seen = letters_in(panel)
        for first, last in rows:
            part = seen[first:last]
            assert (len(part) == last - first and part.all()) or not part.any(), height


def test_what_is_left_out_is_counted_in_one_line(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    words = [(f"{letter}ab", 1) for letter in "cdefghijklmn"]
    counts, trainer = train_words(words, preset("whitespace"))
    load(panel, teller, (counts, trainer.history))
    show(qtbot, panel, 1)
    found = re.search(r"…\s*\d+\s*more", browser_of(panel).document().toRawText())
    assert found is not None
    assert " " not in found[0], "it could be broken there, and its end be below the edge"


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (330, r"s \+ t 9→0 w \+ e 8→2 … 1 more"),
        (460, r"s \+ t 9→0 w \+ e 8→2 d \+ e 3→0"),
        (800, r"s \+ t 9→0 w \+ e 8→2 d \+ e 3→0 their e or s goes into es"),
    ],
)
def test_a_low_card_has_a_line_for_the_reduced_pairs_and_the_reason(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries, width: int, said: str
) -> None:
    load(panel, teller, four_words_run())
    panel.resize(width, 180)
    show(qtbot, panel, 1)
    assert re.fullmatch(said, line(panel, "pairs reduced"))


def test_at_the_end_the_merge_of_a_low_card_has_one_line(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    history = load(panel, teller, four_words_run())
    panel.tell_last(True)
    for width, said in ((330, False), (800, True)):
        panel.resize(width, 180)
        panel.show_position(len(history) - 1, False)
        qtbot.waitUntil(lambda: "The run stopped here" in written(panel))
        qtbot.waitUntil(lambda: shows_words(panel))
        assert ("2 tokens saved" in written(panel)) == said


def test_a_selected_pair_is_compared_with_the_one_that_is_merged(
    qtbot: QtBot, panel: WhyPanel, teller: CorpusQueries
) -> None:
    history = load(panel, teller, four_words_run())
    show(qtbot, panel, 1)
    ids = {history.token_bytes(token): token for token in range(history.vocabulary_size(15))}
    assert "selected pair" not in written(panel)
    panel.select_pair(ids[b"s"], ids[b"t"])
    tied = "s + t 9 times, as often as e + s but later by the rule for ties"
    assert line(panel, "selected pair") == tied
    panel.select_pair(ids[b"l"], ids[b"o"])
    assert line(panel, "selected pair") == "l + o 7 times, 2 fewer than e + s"
    show(qtbot, panel, 3)
    assert line(panel, "selected pair") == "l + o 7 times, 2 fewer than est + </w>"
    show(qtbot, panel, 4)
    assert "selected pair" not in written(panel), "it is the one that is merged"
    show(qtbot, panel, 6)
    assert line(panel, "selected pair") == "l + o not in the corpus at this merge"
    panel.select_token(ids[b"l"])
    assert "selected pair" not in written(panel)

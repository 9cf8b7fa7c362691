"""Figures: what they come to, against what is known of the four words and counted by hand."""

from __future__ import annotations

from functools import cache

import pytest

from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.tours.figures import FigureError, InView, fill_in, read_template

WORDS = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)]


@cache
def view(position: int = 0, recipe: str = "whitespace") -> InView:
    words = WordCounts.from_pairs(WORDS, preset(recipe))
    trainer = Trainer(words, preset(recipe), compiled=False)
    trainer.advance(1000)
    lanes = (
        TrainedEncoding(trainer.history, 0, name="none"),
        TrainedEncoding(trainer.history, name="all"),
    )
    return InView(trainer.history, position, words, lanes, "low lower")


@pytest.mark.parametrize(
    ("template", "position", "text"),
    [
        ("{merges} of {words}", 3, "3 of 4"),
        ("{symbols}, {vocabulary}", 3, "11, 14"),
        ("{corpus tokens}", 0, "95"),
        ("{corpus tokens at 1}", 0, "86"),
        ("{corpus bytes}", 0, "79"),
        ("{bytes per token}", 0, "0.83"),
        ('{count of word "newest"}', 0, "6"),
        ("{pairs}, {tied}", 0, "14, 3"),
        ("{next pair}, {next count}, {next token}", 0, "e + s, 9, es"),
        ("{last pair}, {last count}, {last token}", 2, "es + t, 9, est"),
        ("{pair number 2}, {count number 2}", 0, "s + t, 9"),
        ('{count of "w" + "e"}', 0, "8"),
        ('{count of "w" + "e"}', 1, "2"),
        ('{count of "w" + "e" at 1}', 0, "2"),
        ("{pair of merge 3}, {token of merge 3}, {count of merge 3}", 0, "est + </w>, est</w>, 9"),
        ('{id of "es"}', 1, "11"),
        ('{tokens in "lowest"}, {tokens in "lowest" at the end}', 0, "7, 2"),
        ('{cut of "lowest"}', 15, "low | est</w>"),
        ('{cut of "lox"}', 15, "lo | ? | </w>"),
        ('{ids of "low"}', 0, "4 6 10 0"),
        ('{bytes in "é€"}, {characters in "é€"}', 0, "5, 2"),
        ("{lane 2}, {tokens in lane 1}, {tokens in lane 2}", 0, "all, 10, 2"),
        ("{lane with fewest tokens}", 0, "all"),
        ('{cut of "low" in lane 1}', 0, "l | o | w | </w>"),
        ("{{merges}}", 0, "{merges}"),
    ],
)
def test_figures_are_those_of_the_run(template: str, position: int, text: str) -> None:
    assert fill_in(read_template(template), view(position)) == text


def test_the_story_is_counted_language_by_language() -> None:
    asked = view(0, "gpt2")
    size = {code: len(story.text.encode()) for code, story in languages().items()}
    of_hindi = fill_in(read_template("{tokens of hi in lane 1}"), asked).replace(",", "")
    assert int(of_hindi) == size["hi"], "without merges each byte is a token"
    cost = fill_in(read_template("{cost of hi in lane 1}"), asked)
    assert cost == f"{size['hi'] / size['en']:.2f}", "as precise as the table of languages"
    assert fill_in(read_template("{bytes of hi}"), asked) == f"{size['hi']:,}"


@pytest.mark.parametrize(
    "figure",
    [
        "last pair",
        'count of "e" + "w" at 15',
        'count of "ex" + "w"',
        'count of word "new"',
        "pair of merge 16",
        "pair of merge 0",
        'id of "xyz"',
        "merges at 16",
        "next pair at the end",
        "tied at the end",
        "tokens in lane 3",
        "pair number 15",
    ],
)
def test_what_the_run_does_not_have_is_told(figure: str) -> None:
    with pytest.raises(FigureError, match=r"has no value: .*\.$"):
        fill_in(read_template(f"{{{figure}}}"), view())

"""Texts of the guessing game: on the board, in tooltips and for screen readers.

Before the answer is given, no text depends on it or on a count.
"""

from __future__ import annotations

from bpe_gui.analysis.explain import TIE_BREAKERS
from bpe_gui.analysis.merge_facts import Contents, merge_facts, merge_sentence
from bpe_gui.analysis.next_merge import EMPTY_CORPUS, NO_PAIR, next_pair
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Ties
from bpe_gui.progress import times
from bpe_gui.ui.panels.guess.game import Question
from bpe_gui.ui.tokens.token_words import merge_name, pair_text

TITLE = "Guess the next merge"
QUESTION, SHORT_QUESTION = "Which pair is merged next?", "Which pair is next?"
MOVING = "The merges are playing. The next question comes when they pause."
HELD = "The tour shows this panel later."
REVEAL = "Reveal", "Show the answer (R)"
NEXT_QUESTION = "Next", "Go to the next merge (Enter)"
RESET = "Reset", "Clear the answers and the score"
"""What the buttons are called, and what they do."""
NEXT = "Enter goes on to the next question."

_SHORT_RULES = {
    Ties.FIRST_SEEN: "Tied: pair {} is first in the corpus",
    Ties.LOWEST_ID: "Tied: pair {} has the lowest ids",
}
_NOTHING_LOADED = "Open a corpus to guess its merges."
_BY_HAND = "This merge was chosen by hand, not by the rule: there is nothing to guess."
_OF_ENCODING = "This merge is one of {}, not of this corpus: there is nothing to guess."
_FROM_THE_START = "Press Home to guess from the first merge."
_ONE_PAIR = "Only one pair is left: there is nothing to guess."


def no_question(history: History | None, position: int) -> str:
    """Explain in one sentence why there is nothing to guess at a position."""
    if history is None:
        return _NOTHING_LOADED
    if history.tokens[position] == 0:
        return EMPTY_CORPUS
    if next_pair(history, position) is None:
        no_pair = not len(history.top(position))
        why = NO_PAIR if no_pair else f"The training has stopped: {history.stopped}."
        return f"{why} {_FROM_THE_START}" if position else why
    if len(history.top(position)) == 1:
        return _ONE_PAIR
    encoding = history.encoding_of(position)
    return _OF_ENCODING.format(encoding) if encoding else _BY_HAND


def hint(question: Question) -> str:
    return f"Press 1 to {len(question.candidates)}, or click. R reveals."


def verdict(question: Question, guessed: int | None) -> str:
    """Return whether the guess was right, and which pair it is, by its number.

    A guess that is tied with the merged pair is right; `reason` has the rule for ties.
    """
    number = question.answer + 1
    if guessed is None:
        return f"Answer: pair {number}"
    if guessed == question.answer:
        return f"Right, it is pair {number}"
    if question.is_right(guessed):
        return f"Right, tied with pair {number}"
    return f"No, it is pair {number}"


def reason(history: History, question: Question) -> str:
    """Explain in one sentence why the pair is merged: its count with the margin, or the rule.

    If the run has ended since the question was asked, say so.
    """
    facts = merge_facts(history, question.position)
    if facts is None or not facts.ahead:
        return no_question(history, question.position)
    rival = facts.runner_up
    if rival is None or (facts.tied and facts.all_tied):
        return merge_sentence(history, facts, None)
    contents = Contents(history, facts)
    left, right, new, rival_left, rival_right = (
        f"“{contents.shown(token)}”"
        for token in (facts.left, facts.right, facts.new_id, rival.left, rival.right)
    )
    against = f"{facts.count - rival.amount:,} more than {rival_left} and {rival_right}"
    if facts.tied:
        rule = TIE_BREAKERS[facts.ties]
        against = f"as often as at least {len(facts.tied)} other pairs; the tie is broken by {rule}"
    return (
        f"{left} and {right} are neighbours {times(facts.count)} in the corpus, {against}, "
        f"so they become {new}."
    )


def short_reason(history: History, question: Question) -> str:
    """As `reason`, in a few words beside the counts of all that were offered."""
    facts = merge_facts(history, question.position)
    if facts is None or not facts.ahead:
        return no_question(history, question.position)
    rival = facts.runner_up
    if rival is None:
        return merge_sentence(history, facts, None)
    if facts.tied:
        return _SHORT_RULES[facts.ties].format(question.answer + 1)
    return f"{facts.count - rival.amount:,} more than the runner-up"


def tooltip(history: History, question: Question, index: int, *, revealed: bool) -> str:
    """Return a candidate for hovering: the pair, and once the answer is given its count."""
    candidate = question.candidates[index]
    text = pair_text(history, candidate.left, candidate.right)
    return f"{text}: {times(candidate.count)}" if revealed else text


def spoken_question(history: History, question: Question, current: int | None) -> str:
    """Return the question and its candidates for a screen reader, the current one first."""
    named = [
        f"{index + 1}: {pair_text(history, candidate.left, candidate.right)}"
        for index, candidate in enumerate(question.candidates)
    ]
    chosen = "" if current is None else f"Pair {named[current]}. "
    asked = f"{QUESTION} It is {merge_name(question.position)}."
    return f"{chosen}{asked} {'; '.join(named)}. {hint(question)}"


def spoken_answer(history: History, question: Question, guessed: int | None, score: str) -> str:
    """Return the answer for a screen reader: the verdict, the reason, all counts and the score."""
    named = [
        f"{index + 1}: {tooltip(history, question, index, revealed=True)}"
        for index in range(len(question.candidates))
    ]
    told = [verdict(question, guessed), reason(history, question).rstrip("."), "; ".join(named)]
    return ". ".join([*told, *([score] if score else []), NEXT])

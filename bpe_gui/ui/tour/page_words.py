"""Fill in the figures of a page."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from bpe_gui.analysis.visible import visible_pair
from bpe_gui.tours.figures import FigureError, InView, fill_in
from bpe_gui.tours.tour import Page, PagePart, Template
from bpe_gui.ui.panels.guess.game import question_at

_TIE = "which the rule for ties chooses."


class Asked(Struct, frozen=True):
    """A question as it is put: its choices, and which of them is right, None if not yet known.

    tied: other choices that count as right, as only the rule for ties tells them apart.
    """

    text: str
    choices: tuple[str, ...]
    right: int | None = None
    tied: frozenset[int] = frozenset()


class PageWords(Struct, frozen=True):
    """A page in words; `problem` tells what of it cannot be said, `note` is for the speaker."""

    title: str
    before: tuple[str, ...] = ()
    question: Asked | None = None
    after: tuple[str, ...] = ()
    problem: str = ""
    note: str = ""


def words_before(page: Page, view: InView) -> PageWords:
    """Return what a page says first."""
    try:
        before = _paragraphs(page.before.paragraphs, view)
        note = _note(page.before, view)
        return PageWords(page.title, before, _asked(page, view), note=note)
    except FigureError as error:
        return PageWords(page.title, problem=str(error))


def words_after(page: Page, first: PageWords, view: InView) -> PageWords:
    """Return what a page says with its second part; `first` is what it said before."""
    try:
        after = _paragraphs(page.after.paragraphs, view) if page.after is not None else ()
        question = _answered(page, first.question, view)
        note = (_note(page.after, view) if page.after is not None else "") or first.note
    except FigureError as error:
        return replace(first, problem=str(error))
    return replace(first, question=question, after=after, note=note)


def _paragraphs(paragraphs: tuple[Template, ...], view: InView) -> tuple[str, ...]:
    return tuple(fill_in(paragraph, view) for paragraph in paragraphs)


def _note(part: PagePart, view: InView) -> str:
    return fill_in(part.note, view) if part.note is not None else ""


def _asked(page: Page, view: InView) -> Asked | None:
    question = page.question
    if question is None:
        return None
    text = fill_in(question.text, view)
    if question.choices is not None:
        return Asked(text, _paragraphs(question.choices, view))
    found = question_at(view.history, view.position)
    if found is None:
        raise FigureError("The page asks which pair comes next, but fewer than two are left.")
    history = view.history
    choices = tuple(
        visible_pair(history.token_bytes(pair.left), history.token_bytes(pair.right))
        for pair in found.candidates
    )
    tied = {index for index in range(len(choices)) if found.is_right(index)} - {found.answer}
    return Asked(text, choices, found.answer, frozenset(tied))


def _answered(page: Page, asked: Asked | None, view: InView) -> Asked | None:
    if asked is None or page.question is None or page.question.right is None:
        return asked
    right = fill_in(page.question.right, view)
    if right not in asked.choices:
        raise FigureError(f"The right answer, “{right}”, is not one of the choices.")
    return Asked(asked.text, asked.choices, asked.choices.index(right))


def verdict(asked: Asked, guessed: int | None) -> str:
    """Say whether a guess was right; without a guess, what would have been.

    >>> verdict(Asked("?", ("a", "b"), 1), 0)
    'Not a: it is b.'
    >>> verdict(Asked("?", ("a", "b"), 1, frozenset({0})), 0)
    'Right: a is as frequent as b, which the rule for ties chooses.'
    """
    if asked.right is None:
        return ""
    right = asked.choices[asked.right]
    if guessed is None:
        return f"Answer: {right}."
    if guessed == asked.right:
        return f"Right: {right}."
    if guessed in asked.tied:
        return f"Right: {asked.choices[guessed]} is as frequent as {right}, {_TIE}"
    return f"Not {asked.choices[guessed]}: it is {right}."

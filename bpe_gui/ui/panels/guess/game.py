"""The guessing game: which pair is merged next? Questions, answers and the score."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from bpe_gui.analysis.next_merge import next_pair
from bpe_gui.bpe.history import History

MOST_CANDIDATES = 4
"""How many pairs are offered at most."""

_FEWEST_CANDIDATES = 2

Given = tuple[int, tuple[int, int] | None]
"""A position, and the pair that was guessed there; None if it was revealed without a guess."""


class Candidate(Struct, frozen=True):
    """A pair that is offered. Its count is hidden until the answer is given."""

    left: int
    right: int
    count: int


class Question(Struct, frozen=True):
    """Which of the candidates is merged next at a position?

    `answer` is an index into them, the pair that is merged. Their order does not depend on it.
    """

    position: int
    candidates: tuple[Candidate, ...]
    answer: int

    def is_right(self, index: int) -> bool:
        """Return whether a guess counts as right: the pair that is merged, or one tied with it.

        Only the rule for ties tells tied pairs apart, and no audience can see that. If a pair was
        forced that is not the most frequent one, only that pair is right.
        """
        count = self.candidates[self.answer].count
        most = max(candidate.count for candidate in self.candidates)
        return index == self.answer or self.candidates[index].count == count == most

    def index_of(self, left: int, right: int) -> int | None:
        """Return the index of a pair among the candidates, None if it is not one of them."""
        for index, candidate in enumerate(self.candidates):
            if (candidate.left, candidate.right) == (left, right):
                return index
        return None


def question_at(history: History, position: int) -> Question | None:
    """Return the question at a position: the pair that is merged next, and its strongest rivals.

    Rivals with the same count are offered as well: the rule for ties explains the answer.
    None if fewer than two pairs are left, if there is no next merge, or if it was chosen by hand
    over a pair that the rule would have taken. The candidates are in the
    order of a checksum of their ids and the position, so it is the same in each replay and
    independent of counts and ranks. Raises IndexError outside 0..len(history).
    """
    top = history.top(position)
    winner = next_pair(history, position)
    if winner is None or len(top) < _FEWEST_CANDIDATES:
        return None
    ranked = [
        Candidate(*row)
        for row in zip(top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True)
    ]
    if (ranked[0].left, ranked[0].right) != winner:
        return None
    offered = sorted(
        ranked[:MOST_CANDIDATES], key=lambda candidate: _place(history, position, candidate)
    )
    return Question(position, tuple(offered), offered.index(ranked[0]))


def _place(history: History, position: int, candidate: Candidate) -> bytes:
    from hashlib import blake2b

    numbers = (history.corpus_bytes, position, candidate.left, candidate.right)
    return blake2b(repr(numbers).encode(), digest_size=8).digest()


class Score(Struct, frozen=True):
    """How many questions were asked and answered, and how many of the answers were right."""

    asked: int = 0
    right: int = 0

    def __str__(self) -> str:
        """In words; empty before the first answer."""
        return f"{self.right:,} of {self.asked:,} right" if self.asked else ""

    @property
    def short(self) -> str:
        """In numbers; empty before the first answer."""
        return f"{self.right:,} / {self.asked:,}" if self.asked else ""


class Guesses(Struct):
    """What was guessed and revealed in one run, by position."""

    score: Score = field(default_factory=Score)
    _guessed: dict[int, tuple[int, int] | None] = {}

    @property
    def any(self) -> bool:
        """Whether an answer was given at all."""
        return bool(self._guessed)

    @property
    def given(self) -> tuple[Given, ...]:
        """The positions of all answers in their order, and what was guessed there."""
        return tuple(self._guessed.items())

    def clear(self) -> None:
        self._guessed.clear()
        self.score = Score()

    def is_revealed(self, position: int) -> bool:
        """Return whether the answer at a position was given already."""
        return position in self._guessed

    def guessed(self, position: int) -> tuple[int, int] | None:
        """Return the pair that was guessed at a position, None without a guess."""
        return self._guessed.get(position)

    def reveal(self, position: int) -> None:
        """Give the answer without a guess: the score stays. Nothing if it was given before."""
        self._guessed.setdefault(position, None)

    def guess(self, question: Question, index: int) -> bool:
        """Take a guess, once for each position; whether it is right, see `Question.is_right`.

        Raises ValueError if the answer was given already.
        """
        if self.is_revealed(question.position):
            raise ValueError(f"the answer at position {question.position} was given already")
        chosen = question.candidates[index]
        self._guessed[question.position] = chosen.left, chosen.right
        right = question.is_right(index)
        self.score = Score(self.score.asked + 1, self.score.right + right)
        return right


def replayed(history: History, given: Iterable[Given]) -> Guesses:
    """Return the guesses with these answers; pairs that were never offered are left out."""
    guesses = Guesses()
    for position, pair in given:
        question = question_at(history, position) if position <= len(history) else None
        if question is None or guesses.is_revealed(position):
            continue
        if pair is None:
            guesses.reveal(position)
        elif (index := question.index_of(*pair)) is not None:
            guesses.guess(question, index)
    return guesses

"""The card that explains a merge: rich text, in which every token is a link to its id."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from bpe_gui.analysis.explain import Change, Explanation, Share, forbidden_pairs
from bpe_gui.analysis.merge_facts import Contents, MergeFacts, merge_sentence
from bpe_gui.analysis.next_merge import NOTHING_LOADED, emptiness
from bpe_gui.analysis.visible import visible_beginning
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Ties
from bpe_gui.progress import times
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.widgets.sentences import unbroken

MOST_WORDS = 8
MOST_PAIRS = 8
MOST_TIED = 12
"""How many are named; the others are counted."""

LABELS = (
    "count", "runner-up", "chosen", "tie", "forbidden", "source words", "pairs reduced",
    "new pairs", "tokens saved", "the end",
)  # fmt: skip
"""The labels of the lines of the card."""

_RULES = {
    Ties.FIRST_SEEN: "first in the corpus",
    Ties.LOWEST_ID: "lowest ids",
}
_SPACE = "&nbsp;"
_CLOSE = "line-height:90%"
_ISOLATED = "\u2068{}\u2069"
_NOTHING_LOADED = "Open a corpus to see why each pair is merged."


def why_empty(history: History | None) -> str:
    """Explain why there is no merge to explain."""
    message = emptiness(history, 0)
    return _NOTHING_LOADED if message == NOTHING_LOADED else message


class WhyCard:
    """One merge as rich text in the colours of a theme.

    `explanation` is None while the words are being searched; `problem` says why they cannot
    be. `label_width` is that of the widest of LABELS, in pixels. `moving` is True while the
    cursor passes the merge. `brief` is for a few lines: the sentence, the merge, the sum and the
    rivals are first.
    """

    def __init__(
        self,
        history: History,
        facts: MergeFacts,
        explanation: Explanation | None,
        theme: Theme,
        label_width: int,
        problem: str = "",
        *,
        moving: bool = False,
        brief: bool = False,
    ) -> None:
        self._history = history
        self._facts = facts
        self._explanation = explanation
        self._theme = theme
        self._label_width = label_width
        self._problem = problem
        self._brief = brief
        self._contents = Contents(history, facts)
        self.title = facts.title(moving=moving)
        self.sentence = merge_sentence(history, facts, explanation)

    def html(self) -> str:
        """Return the whole card."""
        muted = self._theme.muted
        against, forbidden, words = self._against(), self._forbidden(), self._words()
        rest = [*self._changes(), *self._saved(), *self._end()]
        if self._brief:
            lines = [
                ("", escape(unbroken(self.sentence))),
                (f"{self.title}:", self._merge()),
                # The sum is that of the sentence, and needs no label.
                *(("", text) for _, text in words),
                *against,
                *forbidden,
                *rest,
            ]
            return "".join(
                f'<p style="margin:0; {_CLOSE}">'
                f'<span style="color:{muted}">{label}</span> {text}</p>'
                for label, text in lines
            )
        counted = ("count", f"<b>{times(self._facts.count)}</b>")
        rows = [counted, *against, *forbidden, *words, *rest]
        return (
            f'<p style="color:{muted}; margin:0 0 2px 0">{self.title}</p>'
            f'<p style="margin:0 0 6px 0">{escape(unbroken(self.sentence))}</p>'
            f'<p style="font-size:large; margin:0">{self._merge()}</p>'
            f"{self._table(rows)}"
        )

    def _table(self, rows: Sequence[tuple[str, str]]) -> str:
        """Make a table of labelled lines."""
        lines = "".join(
            f'<tr><td width="{self._label_width}" style="color:{self._theme.muted}">{name}</td>'
            f"<td>{text}</td></tr>"
            for name, text in rows
        )
        return f'<table style="margin-top:2px" cellspacing="0" cellpadding="1">{lines}</table>'

    # -- parts --------------------------------------------------------------------------

    def _merge(self) -> str:
        facts = self._facts
        signs = (facts.left, "+"), (facts.right, "→"), (facts.new_id, "")
        return " ".join(
            f'{self._boxed(token, place)} <span style="color:{self._theme.muted}">{sign}</span>'
            for place, (token, sign) in enumerate(signs)
        )

    def _against(self) -> list[tuple[str, str]]:
        """Return the rivals of the pair: the runner-up or the tied pairs."""
        facts, rival = self._facts, self._facts.runner_up
        if rival is None:
            return [("runner-up", "none: it was the only pair left")]
        if rival.amount < facts.count:
            margin = facts.count - rival.amount
            return [("runner-up", f"{self._pair(rival)}, {times(rival.amount)}: {margin:,} fewer")]
        if rival.amount > facts.count:
            more = f"{self._pair(rival)}, {times(rival.amount)}"
            return [("chosen", f"by hand, though {more}, was more frequent")]
        explanation = self._explanation
        tied = facts.tied if explanation is None else explanation.tied
        named = [self._pair(Change(*pair, facts.count)) for pair in tied[:MOST_TIED]]
        known = facts.all_tied or explanation is not None
        if not known:
            named.append("… and maybe more")
        elif len(tied) > MOST_TIED:
            named.append(f"… and {len(tied) - MOST_TIED:,} more")
        text = f"with {', '.join(named)}."
        if facts.forced:
            return [("tie", f"{text} Chosen by hand, not by the rule.")]
        return [("tie", f"{text} Rule: {_RULES[facts.ties]}.")]

    def _forbidden(self) -> list[tuple[str, str]]:
        """Return the pairs that the user has forbidden."""
        out = forbidden_pairs(self._history, self._facts.step)
        named = [
            f"{self._pair(Change(*pair, 0))} from merge {step + 1:,} on"
            for pair, step in out.items()
        ]
        return [("forbidden", ", ".join(named))] if named else []

    def _words(self) -> list[tuple[str, str]]:
        """Return the words whose counts add up to that of the pair."""
        if self._explanation is not None:
            return [("source words", self._sum(self._explanation.shares, self._explanation.count))]
        waiting = escape(self._problem or "looking through the words…")
        return [("source words", f'<span style="color:{self._theme.muted}">{waiting}</span>')]

    def _changes(self) -> list[tuple[str, str]]:
        """Return the pairs that the merge reduced, and the new ones."""
        known = self._explanation
        lost, gained = (known.lost, known.gained) if known is not None else ((), ())
        reduced = [f"\N{MINUS SIGN}{-c.amount:,}{_SPACE}{self._pair(c)}" for c in lost[:MOST_PAIRS]]
        new = [f"{c.amount:,}{_SPACE}{self._pair(c)}" for c in gained[:MOST_PAIRS]]
        named = ("pairs reduced", reduced, lost), ("new pairs", new, gained)
        return [(label, _and_more(pairs, len(of))) for label, pairs, of in named if pairs]

    def _sum(self, shares: Sequence[Share], count: int) -> str:
        """Return the words as a sum that a reader can check."""
        # One word more is named where the alternative is "1 other word".
        named = shares if len(shares) <= MOST_WORDS + 1 else shares[:MOST_WORDS]
        terms = [_term(share) for share in named]
        others = shares[len(named) :]
        if others:
            rest = sum(share.total for share in others)
            terms.append(f"{rest:,} from {len(others):,} other words")
        return f"{' + '.join(terms)} = <b>{count:,}</b>"

    def _end(self) -> list[tuple[str, str]]:
        stopped = self._facts.stopped
        if stopped is None:
            return []
        return [("the end", f"The run stopped here: {escape(str(stopped))}.")]

    def _saved(self) -> list[tuple[str, str]]:
        facts = self._facts
        if facts.tokens is None:
            if self._explanation is None:
                return []
            saved, rest = self._explanation.saved, ""
        else:
            before, after = facts.tokens
            saved = before - after
            rest = f" of {before:,}, {_percent(saved / before)}"
        if saved < facts.count:
            rest += "; where the pair overlaps itself, only one of the two can be merged"
        return [("tokens saved", f"{saved:,}{rest}")]

    # -- tokens ---------------------------------------------------------------------------

    def _pair(self, pair: Change) -> str:
        return f"{self._link(pair.left)}{_SPACE}+{_SPACE}{self._link(pair.right)}"

    def _link(self, token: int) -> str:
        return self._anchor(token, f"color:{self._theme.accent}", self._shown(token))

    def _boxed(self, token: int, place: int) -> str:
        fill = self._theme.tokens[place % len(self._theme.tokens)]
        style = f"color:{self._theme.token_text}; background-color:{fill}"
        return self._anchor(token, style, f"{_SPACE}{self._shown(token)}{_SPACE}")

    def _anchor(self, token: int, style: str, text: str) -> str:
        if token == self._facts.new_id and not self._facts.done:
            return f'<span style="{style}">{text}</span>'
        return f'<a href="token:{token}" style="{style}; text-decoration:none">{text}</a>'

    def _shown(self, token: int) -> str:
        return _short(self._contents.token_bytes(token))


def _term(share: Share) -> str:
    occurrences = f" ×{share.occurrences:,}" if share.occurrences > 1 else ""
    return f"{_short(share.text)}{_SPACE}×{share.word_count:,}{occurrences}"


def _short(content: bytes) -> str:
    shown = visible_beginning(content)
    # Keeps what runs from right to left from changing places with its neighbours.
    return escape(shown if shown.isascii() else _ISOLATED.format(shown))


def _percent(part: float) -> str:
    return f"{part:.1%}" if part >= 0.001 else "less than 0.1%"


def _and_more(named: list[str], total: int) -> str:
    more = total - len(named)
    if not more:
        return ", ".join(named)
    return f"{', '.join(named)}, … and {more:,} more {'pair' if more == 1 else 'pairs'}"

"""The card that explains a merge: rich text, in which every token is a link to its id."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from bpe_gui.analysis.explain import (
    MOST_PLACED,
    Change,
    Explanation,
    Place,
    Share,
    forbidden_pairs,
)
from bpe_gui.analysis.merge_facts import Contents, MergeFacts, merge_sentence
from bpe_gui.analysis.next_merge import NOTHING_LOADED, emptiness
from bpe_gui.analysis.outcome import outcome
from bpe_gui.analysis.taken_over import chosen_otherwise, given_merges
from bpe_gui.analysis.visible import visible_quote
from bpe_gui.bpe.history import TOP, History, StopReason
from bpe_gui.bpe.recipe import END_OF_WORD, EndOfWord
from bpe_gui.progress import counted, times
from bpe_gui.ui.panels.why.ties import placed
from bpe_gui.ui.run.corpus_queries import TokenFrequencies
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.colours import TokenColouring, fill_of
from bpe_gui.ui.tokens.token_words import LONGEST_QUOTE, shortened
from bpe_gui.ui.widgets.sentences import unbroken

MOST_WORDS = 8
MOST_PAIRS = 8
MOST_TIED = MOST_PLACED
_MOST_TIED_COMPACT = 3
_LEAST_REASONED = 2
"""How many pairs a line names beside the reason why they are reduced, unless there are fewer."""
_MOST_WORDS_COMPACT = 3
MOST_OTHERWISE = 6
"""How many are named; the others are counted."""

NEXT = "Explain the next merge"
NEXT_TIP = "Explain the next merge, in the chart, the words and the reasons"
LABELS = (
    "count", "runner-up", "chosen", "most frequent", "tie", "forbidden", "source words",
    "pairs reduced", "new pairs", "tokens saved", "word end", "this corpus", "the end",
    "selected pair", "rare pairs",
)  # fmt: skip
"""The labels of the lines of the card."""
_REDUCED = "pairs reduced"
_REDUCED_TIP = "The merge used up a token that these pairs shared with the merged pair"

_SPACE = "&nbsp;"
_TO = "\N{WORD JOINER}\N{RIGHTWARDS ARROW}\N{WORD JOINER}"
_GAP = f"{_SPACE} "
"""Between two pairs, wide enough to be told from the space within one."""
MOST_BRIEF, _LEAST_BRIEF = 8, 2
"""The most parts of a brief card that may have to be left out, and the least that it has."""
_LONGEST_WORD = 24
"""Characters of a source word that are shown."""
BELOW_SENTENCE = 3
"""Pixels of plain text below a sentence with close lines, so that no ground covers its letters."""
BAR = 64
"""The length of the longest bar of a word, in pixels of plain text."""
_ISOLATED = "\u2068{}\u2069"
_MARK = escape(unbroken(END_OF_WORD))
_PASSING = "Pause (Space) to see the source words and the pairs that change."
"""What a card says that a replay passes too fast for more."""
_WHY_FEWER = ", so a model can read more text at once"
"""What the first merge is good for, and so every one."""
_WHY_WORD_END = " ends a word here, so spaces can be put back; inside a word it is another token"
_COST = ", and every entry makes the model larger."
"""Why entries of the vocabulary have a price."""
_NOTHING_LOADED = "Open a corpus to see why each pair is merged."


def why_empty(history: History | None) -> str:
    message = emptiness(history, 0)
    return _NOTHING_LOADED if message == NOTHING_LOADED else message


class WhyCard:
    """One merge as rich text in the colours of a theme.

    `explanation` is None while the words are being searched; `problem` says why they cannot
    be. `label_width` is that of the widest of LABELS, `bar_width` that of the longest bar, in
    pixels. `moving` is True while the cursor passes the merge, `last` where it is behind the
    merge, `now` while the merge is seen to happen. `brief` is for a few lines: the sentence, the
    merge, the sum and the rivals are first. Where there is a `corner` or little room, the changed
    pairs have one line each, of `line_width` pixels; `width_of` returns those of a line of HTML.
    `selected` is a pair that is compared with that of the merge.
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
        last: bool = False,
        now: bool = False,
        brief: bool = False,
        corner: int | None = None,
        frequencies: TokenFrequencies | None = None,
        bar_width: int = BAR,
        below_sentence: int = BELOW_SENTENCE,
        line_width: int = 0,
        width_of: Callable[[str], float] = len,
        selected: tuple[int, int] | None = None,
    ) -> None:
        self._history = history
        self._facts = facts
        self._explanation = explanation
        self._theme = theme
        self._label_width = label_width
        self._bar_width, self._below_sentence = bar_width, below_sentence
        self._line_width, self._width_of = line_width, width_of
        self._selected = selected
        self._problem = problem
        # A merge that the cursor passes is not looked for in the words.
        self._has_words = explanation is not None or bool(problem) or not moving
        self.is_brief = brief
        self._corner = corner
        self._contents = Contents(history, facts)
        self._colouring = TokenColouring(history, frequencies)
        self._is_done = not facts.ahead or (last and not now)
        self.title = facts.title(moving=moving, last=last, now=now)
        self.sentence = merge_sentence(history, facts, explanation)

    def html(self, most: int | None = None) -> str:
        """Write the card; a brief one with its first `most` parts, and not less than the merge.

        With only one, the merge has no title, so that it needs no second line.
        """
        muted = self._theme.muted
        against, forbidden = self._against(), self._forbidden()
        # What is about the whole run comes after what is about the merge, unless it is over.
        over = self._over()
        # Where there is little room the first line says how many tokens are saved, too.
        word_end, is_low = self._word_end(), self._corner is not None
        fewer_tokens = [] if is_low and (over or word_end) else self._saved()
        rest = [*word_end, *self._changes(), *fewer_tokens, *self._otherwise()]
        rest += self._end()[1 if over else 0 :]
        if not self._has_words and self._history.stopped is not None:
            rest.append(("", f'<span style="color:{muted}">{_PASSING}</span>'))
        if self.is_brief:
            lines = [
                ("" if most == 1 else f"{self.title}:", self._merge()),
                # The sum is that of the sentence, and needs no label.
                *[("", self._sum())] * (self._has_words and not self._is_of_whole_texts),
                *against,
                *forbidden,
                *rest,
            ]
            style = f"margin:0 0 {self._below_sentence}px 0; line-height:90%"
            # The sentence is one of the parts.
            last = None if most is None else max(most, _LEAST_BRIEF) - 1
            return f'<p style="{style}">{escape(unbroken(self.sentence))}</p>' + "".join(
                f'<p style="margin:0"><span style="color:{muted}">{label}</span> {text}</p>'
                for label, text in lines[:last]
            )
        sources = self._source_words()
        if self._corner is None:
            # The words are below the count that they add up to.
            sources = [("count", f"<b>{times(self._facts.count)}</b>"), *sources]
        title = f'<span style="color:{muted}">{self.title}</span>'
        sentence = f'<p style="margin:0 0 3px 0">{escape(unbroken(self.sentence))}'
        if self._corner is not None:
            # The rivals are behind the sentence, which says where there are none: what changes in
            # the corpus is in view then.
            for label, text in against if self._facts.runner_up is not None else ():
                sentence += f'{_GAP}<span style="color:{muted}">{label.capitalize()}</span> {text}'
            rows = [*self._other_pair(), *forbidden, *sources, *rest]
            merge = f"{title}{_GAP}{self._merge()}"
            fewer = f"{counted(saved, 'token')} saved" if (saved := self._saving()) else ""
            # Where there is little room its row would be below the edge. At the end of the run the
            # tokens of the whole corpus come next.
            if fewer and (not over or self._fits_beside_the_merge(fewer)):
                merge += f'{_GAP}<span style="color:{muted}">{_whole(fewer)}</span>'
            cells = f'<td>{merge}</td><td width="{self._corner}"></td>'
            begin = f'<table width="100%" cellspacing="0" cellpadding="0"><tr>{cells}</tr></table>'
            return f"{begin}{over}{sentence}</p>{self._table(rows)}"
        rows = [*self._other_pair(), *against, *forbidden, *sources, *rest]
        merge = f'<p style="font-size:large; margin:0">{self._merge()}</p>'
        begin = f'<p style="margin:0">{title}</p>{over}'
        return f"{begin}{sentence}</p>{merge}{self._table(rows)}"

    def _table(self, rows: Sequence[tuple[str, str]]) -> str:
        if not rows:
            return ""
        label = f'<td width="{self._label_width}" style="color:{self._theme.muted}"'
        tip = f' title="{_REDUCED_TIP}"'
        lines = "".join(
            f"<tr>{label}{tip * (name == _REDUCED)}>{name}</td>"
            f"<td>{text}</td></tr>"
            for name, text in rows
        )
        return f'<table cellspacing="0" cellpadding="0">{lines}</table>'

    # -- parts --------------------------------------------------------------------------

    def _merge(self) -> str:
        facts = self._facts
        signs = (facts.left, "+"), (facts.right, "→"), (facts.new_id, "")
        return " ".join(
            f'{self._boxed(token, place)} <span style="color:{self._theme.muted}">{sign}</span>'
            for place, (token, sign) in enumerate(signs)
        )

    def _fits_beside_the_merge(self, text: str) -> bool:
        """Tell whether the first line, up to its corner, has room for a text behind the merge."""
        line = f"{self.title}{_GAP}{self._merge()}{_GAP}{_whole(text)}"
        room = self._line_width + self._label_width - (self._corner or 0)
        return self._width_of(line) <= room

    def _against(self) -> list[tuple[str, str]]:
        """Return the rivals of the pair: the runner-up or the tied pairs."""
        facts, rival = self._facts, self._facts.runner_up
        if rival is None:
            return [("runner-up", "none: it was the only pair left")]
        if rival.amount < facts.count:
            margin = facts.count - rival.amount
            fewer = f"{times(rival.amount)}, {margin:,} fewer"
            return [("runner-up", f"{self._pair(rival)}{_GAP}{fewer}")]
        if facts.given and rival.amount > facts.count:
            return [("most frequent", f"{self._pair(rival)}{_GAP}{times(rival.amount)}")]
        if rival.amount > facts.count:
            more = f"{self._pair(rival)}{_GAP}was more frequent, {times(rival.amount)}"
            return [("chosen", f"by hand, though {more}")]
        explanation = self._explanation
        tied = facts.tied if explanation is None else explanation.tied
        places = explanation.first_places if explanation is not None else ()
        most = MOST_TIED
        if self._corner is not None:
            # Where each is in another word, the one that comes next is enough.
            most = _MOST_TIED_COMPACT if len({place.word for place in places[:2]}) < 2 else 1
        named = [self._pair(Change(*pair, facts.count)) for pair in tied[:most]]
        more = ""
        if not facts.all_tied and explanation is None:
            more = _whole(", and maybe more")
        elif len(tied) > most:
            more = _whole(f", and {len(tied) - most:,} more")
        # The sentence tells the rule.
        by_hand = "chosen by hand, not by the rule; " if facts.forced else ""
        if not places:
            return [("tie", f"{by_hand}with {', '.join(named)}{more}")]
        winner = self._pair(Change(facts.left, facts.right, facts.count))
        words = [place.word for place in places[: len(named) + 1]]
        shown = {place.word: self._place(place) for place in places[1:]}
        # The sentence above speaks of the corpus.
        first = self._place(places[0], of=" of the corpus" if self._corner is None else "")
        return [("tie", f"with {placed(named, words, shown)}{more}; first is {winner} in {first}")]

    def _other_pair(self) -> list[tuple[str, str]]:
        """Say why the selected pair is not the one that is merged."""
        facts, selected = self._facts, self._selected
        merged = facts.left, facts.right
        forbidden = forbidden_pairs(self._history, facts.step)
        if selected is None or selected == merged or selected in forbidden:
            return []
        top = self._history.top(facts.step)
        ranked = zip(top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True)
        counts = {(left, right): count for left, right, count in ranked}
        if (count := counts.get(selected)) is None:
            few = "not in the corpus at this merge"
            if len(top) == TOP:
                few = f"no more than {times(int(top.count[-1]))}"
            return [("selected pair", f"{self._pair(Change(*selected, 0))}{_GAP}{few}")]
        than = self._pair(Change(*merged, facts.count))
        compared = f"more often than {than}"
        if count == facts.count:
            compared = f"as often as {than}{_GAP}but later by the rule for ties"
        elif count < facts.count:
            compared = f"{facts.count - count:,} fewer than {than}"
        pair = self._pair(Change(*selected, count))
        return [("selected pair", f"{pair}{_GAP}{times(count)}, {compared}")]

    def _place(self, place: Place, of: str = "") -> str:
        """Say where a pair occurs first: the list of words may have the order of the corpus."""
        if self._history.recipe.split == "none":
            return f"text{_SPACE}{place.word + 1:,}"
        return f"{self._word(place.text)}, word{_SPACE}{place.word + 1:,}{of}"

    def _otherwise(self) -> list[tuple[str, str]]:
        if not self._facts.given:
            return []
        found = chosen_otherwise(self._history, MOST_OTHERWISE)
        if not found.differing:
            return [("this corpus", "would have chosen the same pairs")]
        muted = f'style="color:{self._theme.muted}"'
        named = _GAP.join(
            f"{self._pair(Change(left, right, count))}{_SPACE}"
            f"<span {muted}>at{_SPACE}merge{_SPACE}{step + 1:,}</span>"
            for step, left, right, count in found.first
        )
        of = "all" if found.differing == found.given else f"{found.differing:,} of the"
        lines = [f"had a more frequent pair at {of} {found.given:,} merges:", named]
        if found.absent:
            lines.append(f"does not have the pairs of {counted(found.absent, 'merge')}")
        return [("this corpus", "<br>".join(lines))]

    def _forbidden(self) -> list[tuple[str, str]]:
        out = forbidden_pairs(self._history, self._facts.step)
        named = [
            f"{self._pair(Change(*pair, 0))} from merge {step + 1:,} on"
            for pair, step in out.items()
        ]
        return [("forbidden", _GAP.join(named))] if named else []

    @property
    def _is_of_whole_texts(self) -> bool:
        """Whether the count comes from texts that are not split: their beginnings say nothing."""
        if self._explanation is None or self._history.recipe.split != "none":
            return False
        return any(len(share.text) > _LONGEST_WORD for share in self._explanation.shares)

    def _source_words(self) -> list[tuple[str, str]]:
        known = self._explanation
        if self._is_of_whole_texts or not self._has_words:
            return []
        if known is None:
            return [("source words", self._sum())]
        muted = f'style="color:{self._theme.muted}"'
        if not known.shares:
            return [("source words", f"<span {muted}>none</span>")]
        most = MOST_WORDS if self._corner is None else _MOST_WORDS_COMPACT
        named, others = _named(known.shares, most)
        greatest = max((share.total for share in named), default=1)
        rows = []
        for share in named:
            several = share.occurrences > 1 and share.word_count > 1
            note = f"{share.occurrences:,} in each" if several else ""
            bar = self._bar(share.total / greatest)
            rows.append((self._word(share.text), bar, share.total, note))
        if others:
            rest = sum(share.total for share in others)
            # The bars compare words, and this is a sum.
            rows.append((f"<span {muted}>{len(others):,} other words</span>", "", rest, ""))
        lines = "".join(
            f'<tr><td>{word}{_SPACE}</td><td valign="middle">{bar}</td>'
            f'<td align="right">{_SPACE}{total:,}</td><td {muted}>{_SPACE * 2}{note}</td></tr>'
            for word, bar, total, note in rows
        )
        return [("source words", f'<table cellspacing="0" cellpadding="0">{lines}</table>')]

    def _bar(self, share: float) -> str:
        width = self._bar_width
        length = max(1, round(share * width))
        cells = f'<td width="{length}" bgcolor="{self._theme.accent}"></td>'
        if length < width:
            cells += f'<td width="{width - length}"></td>'
        style = 'style="font-size:5px" cellspacing="0" cellpadding="0"'
        return f'<table {style} width="{width}"><tr>{cells}</tr></table>'

    def _sum(self) -> str:
        """Return the words as a sum in one line that a reader can check, or why there is none."""
        known, muted = self._explanation, f'style="color:{self._theme.muted}"'
        if known is None:
            waiting = escape(self._problem or "looking through the words…")
            return f"<span {muted}>{waiting}</span>"
        named, others = _named(known.shares, MOST_WORDS)
        terms = []
        for share in named:
            times_ = f" ×{share.occurrences:,}" if share.occurrences > 1 else ""
            terms.append(f"{self._word(share.text)}×{share.word_count:,}{times_}")
        if others:
            rest = sum(share.total for share in others)
            terms.append(f"{rest:,} from {len(others):,} other words")
        plus = f" <span {muted}>+</span> "
        return f"{plus.join(terms)} = <b>{known.count:,}</b>"

    def _changes(self) -> list[tuple[str, str]]:
        known = self._explanation
        if known is None:
            return []
        lost, gained = known.lost, known.gained
        if not lost and not gained:
            return [(_REDUCED, "none")]
        rows = []
        if lost:
            rows.append((_REDUCED, self._listed(lost, _from_to, self._why_reduced(lost))))
        if gained:
            rows.append(("new pairs", self._listed(gained, lambda new: f"{new.amount:,}")))
        return rows

    def _listed(
        self, changes: Sequence[Change], counts: Callable[[Change], str], reason: str = ""
    ) -> str:
        """List pairs with their counts, the reason behind them.

        In one line, there are fewer pairs; the reason is left out where it leaves room for one.
        """
        most = min(len(changes), MOST_PAIRS)
        if self._corner is not None or self.is_brief:
            most = self._most_in_line(changes, counts, reason)
            if reason and most < min(len(changes), _LEAST_REASONED):
                reason, most = "", self._most_in_line(changes, counts, "")
        listed = [self._counted(change, counts) for change in changes[:most]]
        return _GAP.join([*listed, *self._behind(len(changes) - most, reason)])

    def _most_in_line(
        self, changes: Sequence[Change], counts: Callable[[Change], str], reason: str
    ) -> int:
        """Return how many pairs a line has room for beside a reason; at least one."""
        most = min(len(changes), MOST_PAIRS)
        widths = [self._width_of(self._counted(change, counts)) for change in changes[:most]]
        gap = self._width_of(_GAP)
        while most > 1:
            behind = [self._width_of(one) for one in self._behind(len(changes) - most, reason)]
            parts = widths[:most] + behind
            if sum(parts) + gap * (len(parts) - 1) <= self._line_width:
                break
            most -= 1
        return most

    def _counted(self, change: Change, counts: Callable[[Change], str]) -> str:
        """Write a pair with its count, or how this changes."""
        return f"{self._pair(change)}{_SPACE}{counts(change)}"

    def _behind(self, more: int, reason: str) -> list[str]:
        """Write what is behind the pairs: how many more there are, and the reason."""
        behind = [_whole(_more(more))] if more else []
        if reason:
            muted = f'style="color:{self._theme.muted}"'
            behind.append(f"<span {muted}>{_whole(escape(reason))}</span>")
        return behind

    def _why_reduced(self, lost: Sequence[Change]) -> str:
        """Say which tokens of other pairs the merge uses up."""
        facts, names = self._facts, self._contents.shown
        parts = {token for change in lost for token in (change.left, change.right)}
        used = " or ".join(
            names(part) for part in dict.fromkeys((facts.left, facts.right)) if part in parts
        )
        return f"their {used} goes into {names(facts.new_id)}"

    def _end(self) -> list[tuple[str, str]]:
        """Tell how the run ended, and then what may be done about pairs that hardly occur."""
        stopped = self._facts.stopped
        if stopped is None:
            return []
        when = "The run stopped here" if self._is_done else "With this merge the run ends"
        told, counts = f"{when}: {escape(str(stopped))}.", self._history.count
        if self._is_done and not self.is_brief and not given_merges(self._history):
            told += f" {outcome(self._history)}{_COST}".replace(" → ", f"{_SPACE}→{_SPACE}")
        once = int(np.count_nonzero(counts == 1))
        if not once or stopped is not StopReason.NO_PAIR:
            return [("the end", told)]
        rare = (
            f"{once:,} of the {len(counts):,} merges joined a pair that occurs only once in the "
            "corpus. To stop before them, set “Minimum frequency” to 2 in the Laboratory, under "
            "“Stop”."
        )
        return [("the end", told), ("rare pairs", rare)]

    def _over(self) -> str:
        """Tell the end of a run that is over."""
        return self._table(self._end()[:1]) if self._is_done and not self.is_brief else ""

    def _saving(self) -> int | None:
        """Return by how many tokens the corpus gets shorter; None while the words are searched."""
        if self._facts.tokens is not None:
            before, after = self._facts.tokens
            return before - after
        return self._explanation.saved if self._explanation is not None else None

    def _saved(self) -> list[tuple[str, str]]:
        facts, saved = self._facts, self._saving()
        if saved is None:
            return []
        if not saved:
            return [("tokens saved", "none")]
        before = int(self._history.tokens[facts.step])
        share = saved / before
        # The sample text has fewer tokens, which Text counts.
        rest = f" of {before:,} in the corpus, "
        rest += f"{share:.1%}" if share >= 0.001 else "less than 0.1%"
        if saved < facts.count:
            rest += "; where the pair overlaps itself, only one of the two can be merged"
        elif facts.step == 0 and not self.is_brief:
            rest += _WHY_FEWER
        return [("tokens saved", f"{saved:,}{rest}")]

    def _word_end(self) -> list[tuple[str, str]]:
        """Say what the sign for the end of a word is for, where it is first merged."""
        facts, history = self._facts, self._history
        own = history.recipe.end_of_word is EndOfWord.OWN and not self.is_brief
        if not own or history.token_bytes(facts.right) != END_OF_WORD.encode():
            return []
        if facts.right in history.right[: facts.step]:
            return []
        ending = f"“{escape(self._contents.shown(facts.left))}”"
        return [("word end", f"{ending}{_WHY_WORD_END}")]

    # -- tokens ---------------------------------------------------------------------------

    def _pair(self, pair: Change) -> str:
        plus = f'<span style="color:{self._theme.muted}">{_SPACE}+{_SPACE}</span>'
        return f"{self._chip(pair.left)}{plus}{self._chip(pair.right)}"

    def _chip(self, token: int) -> str:
        style = f"color:{self._theme.text}; background-color:{self._theme.raised}"
        return self._anchor(token, style, f"{_SPACE}{self._shown(token)}{_SPACE}")

    def _word(self, content: bytes) -> str:
        style = f"color:{self._theme.text}; background-color:{self._theme.raised}"
        shown = _short(content, _LONGEST_WORD)
        return f'<span style="{style}">{_SPACE}{shown}{_SPACE}</span>'

    def _boxed(self, token: int, place: int) -> str:
        by = self._theme.colour_by
        # A token that is to be made has an id, but no merge yet, and is not in the corpus.
        is_known = by is ColourBy.TOKEN or self._facts.done or token != self._facts.new_id
        fill = fill_of(self._colouring if is_known else None, token, by, place)
        colour = self._theme.token_fills.all_colours[fill]
        style = f"color:{self._theme.token_text}; background-color:{colour}"
        return self._anchor(token, style, f"{_SPACE}{self._shown(token)}{_SPACE}")

    def _anchor(self, token: int, style: str, text: str) -> str:
        if token == self._facts.new_id and not self._facts.done:
            return f'<span style="{style}">{text}</span>'
        return f'<a href="token:{token}" style="{style}; text-decoration:none">{text}</a>'

    def _shown(self, token: int) -> str:
        shown = _short(self._contents.token_bytes(token))
        body, mark, tail = shown.rpartition(_MARK)
        is_end = mark and tail in ("", _ISOLATED[-1])
        return f"{body}<small>{mark}</small>{tail}" if is_end else shown


def _from_to(change: Change) -> str:
    """Say what a merge takes from a pair: "8→2", or "−6" where it is not counted before."""
    if change.before is None:
        return f"\N{MINUS SIGN}{-change.amount:,}"
    return f"{change.before:,}{_TO}{change.before + change.amount:,}"


def _named(shares: Sequence[Share], most: int) -> tuple[Sequence[Share], Sequence[Share]]:
    """Divide words into those that are named and those that are counted."""
    # One word more is named where the alternative is "1 other word".
    most = most + 1 if len(shares) <= most + 1 else most
    return shares[:most], shares[most:]


def _short(content: bytes, longest: int = LONGEST_QUOTE) -> str:
    shown = shortened(visible_quote(content), longest)
    # Keeps what runs from right to left from changing places with its neighbours.
    return escape(unbroken(shown if shown.isascii() else _ISOLATED.format(shown)))


def _more(left_out: int) -> str:
    """Say how many pairs are left out; empty if none is."""
    return f"… {left_out:,} more" if left_out else ""


def _whole(words: str) -> str:
    """Keep words in one line: the next may be below the edge."""
    return words.replace(" ", _SPACE)

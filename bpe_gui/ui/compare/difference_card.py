"""Explains a difference: what each encoding does there, and why."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.visible import isolated, visible_in_sentence
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.alignment import Alignment
from bpe_gui.encodings.causes import sentence
from bpe_gui.encodings.differences import Group, Reason, by_weight, lane_names
from bpe_gui.encodings.ours import vocabulary_ids
from bpe_gui.progress import listed
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.cutting import ExplainedDifference
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.text_lines import RichText

_MOST_REASONS = 12
_MOST_TOKENS = 12
_MOST_NAMES = 3
_EMPTY = "(nothing)"
"""Shown for a token without any text."""


class DifferenceCard(RichText):
    """Explains a difference in sentences with links to merges."""

    positionSelected = Signal(int)
    """The position after a merge of the run in view that the user wants to see."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("differenceCard")
        self.setAccessibleName("Why the encodings differ")
        self.setOpenLinks(False)
        self._shown: ExplainedDifference | None = None
        self._linked: frozenset[int] = frozenset()
        self._message = wording.NEXT_DIFFERENCE
        self._written = ""
        self.anchorClicked.connect(self._on_link)
        ThemeFollower(self, self._take_colours)

    def _take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self._write()

    def clear_difference(self, total: int | None) -> None:
        """Show no difference of `total`; None if nothing can be compared."""
        self._shown = None
        if total is None:
            self._message = wording.NOT_TWO
        else:
            self._message = wording.NEXT_DIFFERENCE if total else wording.NO_DIFFERENCE
        self._write()

    def show_difference(self, explained: ExplainedDifference, linked: Collection[int]) -> None:
        """Explain a difference, with links to the merges of lanes with these keys."""
        self._shown = explained
        self._linked = frozenset(linked)
        self._write()

    def _write(self) -> None:
        html = f'<p style="color:{self._theme.muted}">{escape(self._message)}</p>'
        if self._shown is not None:
            html = self._html(self._shown)
        # The layout takes long, and while a run is followed the text mostly stays the same.
        if html != self._written:
            self._written = html
            self.setHtml(html)

    def _html(self, shown: ExplainedDifference) -> str:
        """Write where it is, the reasons, and the tokens of each group of lanes."""
        alignment, number = shown.alignment, shown.number
        start, end = int(alignment.starts[number]), int(alignment.ends[number])
        text = _apart(visible_in_sentence(alignment.data[start:end]))
        before = len(alignment.data[:start].decode("utf-8", "ignore"))
        parts = [
            self._muted(
                f"Difference {number + 1:,} of {alignment.differences:,}, at character "
                f"{before + 1:,}: “{text}”"
            )
        ]
        reasons = by_weight(shown.groups)
        parts += [self._reason(shown, reason) for reason in reasons[:_MOST_REASONS]]
        if (more := len(reasons) - _MOST_REASONS) > 0:
            parts.append(self._muted(f"{more:,} more of less weight."))
        parts += [self._group(alignment, group, start, end) for group in shown.groups]
        if len(alignment.cuts) > 2:
            name = _apart(lane_names(alignment)[shown.reference])
            parts.append(self._muted(f"All are compared with {name}. {wording.CHOOSE_REFERENCE}"))
        return "".join(parts)

    def _muted(self, html: str) -> str:
        return _paragraph(html, f"color:{self._theme.muted}")

    def _reason(self, shown: ExplainedDifference, reason: Reason) -> str:
        """Write a reason, the other lanes for which it holds, and its links."""
        names = [isolated(name) for name in lane_names(shown.alignment)]
        said = escape(sentence(reason.causes[0], names))
        others = [escape(names[lane]) for lane in reason.lanes[1:]]
        if others:
            said += f" The same holds for {_summed_up(others, 'others')}."
        notes = " · ".join([escape(reason.causes[0].title), *self._links(shown, reason)])
        return _paragraph(f'{said} <span style="color:{self._theme.muted}">{notes}</span>')

    def _group(self, alignment: Alignment, group: Group, start: int, end: int) -> str:
        """Write the names of lanes that agree, and their tokens.

        If these lanes have different ids for the same tokens, the ids are beside the names.
        """
        numbered: dict[tuple[int, ...], list[str]] = {}
        names = lane_names(alignment)
        for lane in group.lanes:
            cut = alignment.cuts[lane]
            places = cut.within(start, end)[:_MOST_TOKENS]
            key = tuple(cut.tokens.ids[places].tolist())
            numbered.setdefault(key, []).append(_apart(names[lane]))
        several = len(numbered) > 1
        parts = []
        for ids, called in numbered.items():
            written = " ".join("–" if number == NO_TOKEN else str(number) for number in ids)
            small = f' <small style="color:{self._theme.muted}">{written}</small>'
            parts.append(f"<b>{_summed_up(called, 'lanes')}</b>{small if several else ''}")
        pieces = _written(alignment, group.lanes[0], start, end, with_ids=not several)
        return _paragraph(f"{', '.join(parts)}&nbsp; {pieces}")

    def _links(self, shown: ExplainedDifference, reason: Reason) -> list[str]:
        links = []
        for fact in (fact for cause in reason.causes for fact in cause.facts):
            key = shown.keys[fact.lane]
            if fact.rank is None or key not in self._linked:
                continue
            link = f'<a href="merge:{fact.rank + 1}">go to merge {fact.rank + 1:,}</a>'
            if link not in links:
                links.append(link)
        return links

    @Slot(QUrl)
    def _on_link(self, url: QUrl) -> None:
        self.positionSelected.emit(int(url.path()))


def _paragraph(html: str, style: str = "") -> str:
    """Make a paragraph from left to right, whatever text it begins with."""
    return f'<p dir="ltr" style="margin-top:0px; margin-bottom:5px; {style}">{html}</p>'


def _summed_up(names: list[str], what: str) -> str:
    """Join names for a sentence; of many only the first two, and their number.

    >>> _summed_up(["a", "b"], "lanes"), _summed_up(["a", "b", "c", "d"], "lanes")
    ('a and b', '4 lanes: a, b …')
    """
    if len(names) > _MOST_NAMES:
        return f"{len(names)} {what}: {names[0]}, {names[1]} …"
    return listed(names)


def _apart(text: str) -> str:
    """Escape a text, and isolate its direction from the sentence around it."""
    return escape(isolated(text))


def _written(alignment: Alignment, lane: int, start: int, end: int, *, with_ids: bool) -> str:
    """Write the first tokens of a lane between two borders."""
    cut = alignment.cuts[lane]
    places = cut.within(start, end).tolist()
    texts = []
    for place in places[:_MOST_TOKENS]:
        number, unknown = int(cut.tokens.ids[place]), bool(cut.unknown[place])
        if number == NO_TOKEN:
            data = alignment.data[int(cut.tokens.starts[place]) : int(cut.tokens.ends[place])]
        else:
            data = b"" if unknown else cut.encoding.token_bytes(number)
        # Unknown tokens and marks of the end of a word have no text.
        shown = visible_in_sentence(data) or (
            "" if number == NO_TOKEN else cut.encoding.id_to_token(number)
        )
        own_id = int(vocabulary_ids(cut.encoding, cut.tokens.ids[place : place + 1])[0])
        notes = [str(own_id)] * (with_ids and number != NO_TOKEN) + ["unknown"] * unknown
        small = f"&nbsp;<small>{' '.join(notes)}</small>" if notes else ""
        texts.append(f"{_apart(shown or _EMPTY)}{small}")
    more = f" … {len(places) - _MOST_TOKENS:,} more" if len(places) > _MOST_TOKENS else ""
    return " | ".join(texts) + more if texts else "no token"

"""Goes from one difference to the next, shows it, and explains what each encoding does there."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_gui.analysis.visible import isolated, visible_quote
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.differences.alignment import Alignment
from bpe_gui.encodings.differences.causes import sentence
from bpe_gui.encodings.differences.find_causes import Group, Reason, by_weight, lane_names
from bpe_gui.encodings.ours import vocabulary_ids
from bpe_gui.progress import listed
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.cutting import CutResult, ExplainedDifference
from bpe_gui.ui.lanes.view import LaneView
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.widgets.boxes import SteadyButton
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.sentences import unbroken
from bpe_gui.ui.widgets.text_lines import RichText
from bpe_gui.ui.widgets.veil import Veil

_MOST_REASONS = 12
_MOST_TOKENS = 12
_MOST_NAMES = 3
_EMPTY = "(nothing)"
"""Shown for a token without any text."""
_DIMMED_AFTER = 200
"""Milliseconds after which the explanation of another difference is dimmed."""
_USUAL = 99_999
"""How many differences there is always room to count: the bar does not move for fewer."""


class DifferenceCard(RichText):
    """Explains a difference in sentences with links to merges."""

    positionSelected = Signal(int)
    """The position after a merge of the run in view that the user wants to see."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("differenceCard")
        self.setAccessibleName("Why the encodings differ")
        self.setOpenLinks(False)
        self._shown: ExplainedDifference | None = None
        self._linked: frozenset[int] = frozenset()
        self._message = wording.next_difference(marks_ends=False)
        self._written = ""
        self.anchorClicked.connect(self._on_link)
        ThemeFollower(self, self._take_colours)

    def _take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self._write()

    @property
    def explains(self) -> bool:
        """Whether a difference is explained."""
        return self._shown is not None

    def clear_difference(self, total: int | None, *, marks_ends: bool = False) -> None:
        """Show no difference of `total`; None if nothing can be compared.

        marks_ends: whether a lane shows the ends of words.
        """
        self._shown = None
        if total is None:
            self._message = wording.NOT_TWO
        elif total:
            self._message = wording.next_difference(marks_ends=marks_ends)
        else:
            self._message = wording.NO_DIFFERENCE
        self._write()

    def await_difference(self) -> None:
        """Say that a difference is being explained, unless another one is shown."""
        self._message = wording.EXPLAINING
        self._write()

    def show_difference(self, explained: ExplainedDifference, linked: Collection[int]) -> None:
        """Explain a difference, with links to the merges of lanes with these keys."""
        self._shown = explained
        self._linked = frozenset(linked)
        self._write()

    def _write(self) -> None:
        html = f'<p style="color:{self._theme.muted}">{escape(unbroken(self._message))}</p>'
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
        text = _apart(visible_quote(alignment.data[start:end]))
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
        shown = visible_quote(data) or (
            "" if number == NO_TOKEN else cut.encoding.id_to_token(number)
        )
        own_id = int(vocabulary_ids(cut.encoding, cut.tokens.ids[place : place + 1])[0])
        notes = [str(own_id)] * (with_ids and number != NO_TOKEN) + ["unknown"] * unknown
        small = f"&nbsp;<small>{' '.join(notes)}</small>" if notes else ""
        texts.append(f"{_apart(shown or _EMPTY)}{small}")
    more = f" … {len(places) - _MOST_TOKENS:,} more" if len(places) > _MOST_TOKENS else ""
    return " | ".join(texts) + more if texts else "no token"


class Differences(QObject):
    """Frames a difference in the lanes, counts it in the bar and has it explained in the card."""

    def __init__(self, comparison: Comparison, lanes: LaneView, actions: Actions) -> None:
        super().__init__(comparison)
        self._comparison = comparison
        self._lanes = lanes
        self._actions = (actions.previous_difference, actions.next_difference)
        self.count = SteadyLabel()
        """The number of the difference among all."""
        self._most = _USUAL
        """How many differences there is room to count."""
        self.bar = self._make_bar()
        self.card = DifferenceCard()
        self._veil, self._lanes_veil = Veil(self.card.viewport()), Veil(lanes.viewport())
        self._slow = QTimer(self, singleShot=True, interval=_DIMMED_AFTER)
        self._slow.timeout.connect(self._on_slow)
        comparison.compared.connect(self._on_compared)
        comparison.referenceChanged.connect(self._explain)
        actions.next_difference.triggered.connect(self.next)
        actions.previous_difference.triggered.connect(self.previous)

    def _make_bar(self) -> QWidget:
        self.count.label.setObjectName("differenceCount")
        self.count.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        FontFollower(self.count, self._fit_count)
        bar = QWidget()
        icon = Qt.ToolButtonStyle.ToolButtonIconOnly
        previous, following = (SteadyButton(action, icon, bar) for action in self._actions)
        filled(QHBoxLayout(bar), previous, self.count, following, spacing=2)
        return bar

    def _fit_count(self) -> None:
        longest = wording.difference_place(self._most - 1, self._most)
        self.count.setFixedWidth(self.count.fontMetrics().horizontalAdvance(f" {longest} "))

    @Slot()
    def show_busy(self) -> None:
        """Say that a text is being compared, until the next result."""
        self.count.set_text(wording.COMPARING)
        self._veil.lay(True)
        self._lanes_veil.lay(True)

    @Slot()
    def _on_compared(self) -> None:
        self._lanes_veil.lay(False)

    @Slot()
    def next(self) -> None:
        """Go to the next difference; after the last, to the first."""
        self._go(1)

    @Slot()
    def previous(self) -> None:
        """Go to the previous difference; before the first, to the last."""
        self._go(-1)

    def show_result(self, result: CutResult) -> None:
        """Count the differences of a result, and explain the framed one again."""
        self._count(result)
        self._explain()

    def look_at(self, number: int) -> bool:
        """Show a difference by its number, from 0; return False if there is none."""
        result = self._comparison.result
        if result is None or not 0 <= number < len(result.differences):
            return False
        self._look_at(number, result)
        return True

    def look_at_byte(self, place: int) -> None:
        """Show the difference at a byte of the text, if there is one."""
        result = self._comparison.result
        if result is None or result.alignment is None:
            return
        number = result.alignment.difference_at(place)
        if number is not None and number != self._lanes.difference:
            self._look_at(number, result)

    def _go(self, step: int) -> None:
        result = self._comparison.result
        if result is None or not len(result.differences):
            return
        total, starts = len(result.differences), result.differences[:, 0]
        if self._lanes.difference >= 0:
            number = (self._lanes.difference + step) % total
        else:
            place = self._lanes.current_byte()
            number = int(starts.searchsorted(place, "left" if step > 0 else "right"))
            number = number % total if step > 0 else (number - 1) % total
        self._look_at(number, result)

    def _look_at(self, number: int, result: CutResult) -> None:
        self._lanes.show_difference(number)
        self._count(result)
        self._explain()

    @Slot()
    def _explain(self) -> None:
        if (number := self._lanes.difference) >= 0:
            self.card.await_difference()
            if self.card.explains and not self._slow.isActive():
                self._slow.start()
            self._comparison.explain(number, self._on_explained)

    def _count(self, result: CutResult) -> None:
        comparable = bool(result.text) and len(result.aligned) > 1
        total = len(result.differences) if comparable else None
        if (most := max(_USUAL, total or 0)) != self._most:
            self._most = most
            self._fit_count()
        self.count.set_text(wording.difference_place(self._lanes.difference, total))
        for action in self._actions:
            action.setEnabled(bool(total))
        if self._lanes.difference < 0:
            self._unveil()
            cuts = [lane.cut for lane in result.aligned if lane.cut is not None]
            marks_ends = any(cut.closes.any() for cut in cuts)
            self.card.clear_difference(total, marks_ends=marks_ends)

    @Slot()
    def _on_slow(self) -> None:
        self._veil.lay(True)

    def _unveil(self) -> None:
        self._slow.stop()
        self._veil.lay(False)

    def _on_explained(self, explained: ExplainedDifference | None) -> None:
        if explained is not None and explained.number == self._lanes.difference:
            self._unveil()
            self.card.show_difference(explained, self._comparison.keys_in_view())

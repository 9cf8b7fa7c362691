"""The selected tokens of a lane: how keys and the mouse move there, what is copied and said."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from PySide6.QtCore import Qt

from bpe_gui.analysis.visible import bytes_text, visible
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.base import marks_ends_of_words
from bpe_gui.encodings.differences.alignment import Cut
from bpe_gui.encodings.ours import vocabulary_ids
from bpe_gui.ui.lanes.layout import LanePlace, ScoreLayout
from bpe_gui.ui.tokens.picture import NOWHERE
from bpe_gui.ui.tokens.token_words import merge_name, quoted


class LaneSelection(Struct, frozen=True):
    """Tokens of one lane, from the anchor to the current one, `place`, in either direction."""

    place: LanePlace
    anchor: int

    @classmethod
    def of(cls, place: LanePlace) -> LaneSelection:
        return cls(place, place.token)

    def to(self, token: int) -> LaneSelection:
        return LaneSelection(LanePlace(self.place.lane, token), self.anchor)

    def __len__(self) -> int:
        return self.end - self.first

    def __contains__(self, place: object) -> bool:
        return (
            isinstance(place, LanePlace)
            and place.lane == self.place.lane
            and self.first <= place.token < self.end
        )

    @property
    def first(self) -> int:
        return min(self.anchor, self.place.token)

    @property
    def end(self) -> int:
        """The token after the last selected one."""
        return max(self.anchor, self.place.token) + 1


def stretch(selection: LaneSelection | None, lanes: Sequence[Cut]) -> tuple[Cut, int, int] | None:
    """Return what to copy: a lane, its first token, and the one after the last.

    That is the whole lane if one token is selected, and the whole first lane if none is; None
    without lanes.
    """
    if not lanes:
        return None
    if selection is None or len(selection) == 1:
        cut = lanes[selection.place.lane if selection is not None else 0]
        return cut, 0, len(cut.tokens)
    return lanes[selection.place.lane], selection.first, selection.end


def followed(
    selection: LaneSelection | None, before: Sequence[Cut], now: Sequence[Cut]
) -> LaneSelection | None:
    """Return the selection after lanes have moved, or tokenize the same text differently.

    It stays in a lane that is the same, and is the token at the same byte in a lane of the same
    name; None if the lane is gone.
    """
    if selection is None:
        return None
    old, token = before[selection.place.lane], selection.place.token
    names = [cut.encoding.name for cut in now]
    if old.encoding.name not in names:
        return None
    lane = names.index(old.encoding.name)
    new = now[lane]
    if new is old:
        return LaneSelection(LanePlace(lane, token), selection.anchor)
    found = int(np.searchsorted(new.tokens.starts, old.tokens.starts[token], "right")) - 1
    return LaneSelection.of(LanePlace(lane, found)) if found >= 0 else None


def beginning(layout: ScoreLayout, byte: int, wanted: int) -> LanePlace | None:
    """Return the token at a byte in a lane; if that has no tokens, in the first that has some."""
    lanes = [n for n, one in enumerate(layout.lanes) if len(one.coverage.tokens)]
    lane = wanted if wanted in lanes else next(iter(lanes), None)
    if lane is None:
        return None
    return LanePlace(lane, max(int(layout.lanes[lane].tokens_at(np.array([byte]))[0]), 0))


def destination(layout: ScoreLayout, place: LanePlace, key: Qt.Key) -> LanePlace:
    """Return where a key leads from a token: Left and Right along its lane, Home and End to its
    ends, Up and Down to the token at the same byte in the lane above or below."""
    if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
        return _beside(layout, place, -1 if key == Qt.Key.Key_Up else 1)
    last = len(layout.lanes[place.lane].cut.tokens) - 1
    token = {
        Qt.Key.Key_Left: max(place.token - 1, 0),
        Qt.Key.Key_Right: min(place.token + 1, last),
        Qt.Key.Key_Home: 0,
        Qt.Key.Key_End: last,
    }[key]
    return LanePlace(place.lane, token)


def _beside(layout: ScoreLayout, place: LanePlace, step: int) -> LanePlace:
    start = layout.lanes[place.lane].cut.tokens.starts[place.token : place.token + 1]
    lane = place.lane + step
    while 0 <= lane < len(layout.lanes):
        token = int(layout.lanes[lane].tokens_at(start)[0])
        if token >= 0 and layout.shows(int(start[0]), lane):
            return LanePlace(lane, token)
        lane += step
    return place


def nearest(layout: ScoreLayout, lane: int, x: float, y: float) -> int:
    """Return the token of a lane nearest to a place in its row; NOWHERE if there is none."""
    units = layout.units(layout.system_at(y))
    tokens = units.tokens_of(layout.lanes[lane])
    covered = np.flatnonzero(tokens != NOWHERE)
    if not len(covered):
        return NOWHERE
    beside = np.maximum(units.left[covered] - x, x - units.right[covered])
    return int(tokens[covered[np.argmin(beside)]])


def ids_of(cut: Cut, first: int, end: int) -> str:
    """Write the ids of some tokens, with spaces between."""
    return " ".join(map(str, vocabulary_ids(cut.encoding, cut.tokens.ids[first:end]).tolist()))


def tokens_of(cut: Cut, first: int, end: int) -> str:
    """Write the text of some tokens, one a line, with nothing hidden."""
    data = cut.text.encode("utf-8")
    starts, ends = cut.tokens.starts[first:end].tolist(), cut.tokens.ends[first:end].tolist()
    return "\n".join(visible(data[a:b]) for a, b in zip(starts, ends, strict=True))


def text_of(cut: Cut, first: int, end: int) -> str:
    """Return the text from the first to the last of some tokens, in whole characters."""
    tokens = cut.tokens
    if first >= end:
        return ""
    start, stop = tokens.char_starts[first:end].min(), tokens.char_ends[first:end].max()
    return cut.text[int(start) : int(stop)]


COPIED = (
    ("Copy ids", "copyLaneIdsAction", "Ctrl+C", ids_of),
    ("Copy tokens, one a line", "copyLaneTokensAction", "Ctrl+Shift+T", tokens_of),
    ("Copy text", "copyLaneTextAction", "Ctrl+Shift+C", text_of),
)
"""The text, object name and key of each action that copies, and what writes the tokens."""


def describe(cut: Cut, token: int) -> list[str]:
    """Describe a token in sentences: its id, its bytes, and how it was made."""
    encoding = cut.encoding
    number = int(cut.tokens.ids[token])
    data = cut.text.encode("utf-8")
    covered = data[int(cut.tokens.starts[token]) : int(cut.tokens.ends[token])]
    if number == NO_TOKEN:
        return [
            f"{quoted(covered)} has no token in {encoding.name}",
            bytes_text(covered),
        ]
    content = encoding.token_bytes(number)
    own_id = int(vocabulary_ids(encoding, cut.tokens.ids[token : token + 1])[0])
    lines = [f"{own_id}  {quoted(content)}", bytes_text(content)]
    fallback = cut.fallback_bytes(token)
    if fallback:
        lines.append(_fallback(cut, fallback, token))
    if cut.special[token]:
        lines.append("a special token")
    if cut.added[token]:
        lines.append("an added token, found before any merge")
    if cut.unknown[token]:
        lines.append(f"stands for {quoted(covered)}, which has no token")
    elif covered != content and not cut.special[token]:
        text = f"{quoted(covered)} in the text" if covered else "no text"
        lines.append(f"stands for {text}")
    if cut.closes[token]:
        lines.append("ends a word")
    elif marks_ends_of_words(encoding) and encoding.marked_token_bytes(number) != content:
        lines.append("continues a word")
    merge = encoding.merge(number)
    if merge is not None:
        parts = (encoding.token_bytes(part) for part in (merge.left, merge.right))
        lines.append(f"{merge_name(merge.rank)}: {' + '.join(map(quoted, parts))}")
    lines.append(f"in {encoding.name} ({encoding.model})")
    return lines


def _fallback(cut: Cut, character: range, token: int) -> str:
    text = quoted(cut.content(character.start, character.stop))
    name = cut.encoding.id_to_token(int(cut.tokens.ids[token]))
    which = f"byte {token - character.start + 1} of {len(character)}"
    return f"byte fallback {name}: {which} of {text}, which has no token"

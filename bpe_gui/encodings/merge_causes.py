"""The part that merges have in a difference between two byte-pair encodings, in words."""

from __future__ import annotations

from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.encodings.base import MarksEndsOfWords, Merge
from bpe_gui.encodings.cause import Cause, CauseKind, Side, quoted
from bpe_gui.encodings.merge_paths import (
    LedElsewhere,
    Missing,
    Node,
    Path,
    border_between,
    first_missing,
    led_elsewhere,
)
from bpe_gui.encodings.trained import TrainedEncoding


def by_merges(first: Side, second: Side) -> Cause:
    """Why two byte-pair encodings that read the same bytes in a word do not join the same."""
    has_unknown = first.those(first.cut.unknown) or second.those(second.cut.unknown)
    if has_unknown and (first.read is None or second.read is None):
        return _end_of_word(first, second)
    # What both tell to be unknown parts the tokens of both alike.
    paths = [Path(side.encoding, side.known_ids, marked=True) for side in (first, second)]
    if paths[0].read == paths[1].read:
        return _first_parting(first, second, *paths, marked=True)
    paths = [Path(side.encoding, side.known_ids, marked=False) for side in (first, second)]
    return _first_parting(first, second, *paths, marked=False)


def _first_parting(
    first: Side, second: Side, first_path: Path, second_path: Path, *, marked: bool
) -> Cause:
    """Explain the first border that one has and the other has not."""
    places = (border_between(first_path, second_path), border_between(second_path, first_path))
    found = [place for place in places if place is not None]
    if not found:
        return _not_known(first, second) if marked else _end_of_word(first, second)
    place = min(found)
    joined, other, path, other_path = (
        (first, second, first_path, second_path)
        if place == places[0]
        else (second, first, second_path, first_path)
    )
    goal = path.joined_at(place)
    assert goal is not None, "there is no border at the place"
    content = path.content(goal.token)
    known = other_path.find(content)
    if known is None:
        return _missing(joined, other, path, first_missing(goal, path, other_path))
    if not marked:
        return _end_of_word(first, second)
    led = led_elsewhere(Node(known, goal.start, goal.end), other_path)
    return _led(other, joined, other_path, led) if led is not None else _not_known(first, second)


def _missing(one: Side, other: Side, path: Path, missing: Missing) -> Cause:
    shown = quoted(path.content(missing.token))
    is_goal = missing.token == missing.goal
    way = "" if is_goal else f", on the way to {quoted(path.content(missing.goal))}"
    mine, theirs = one.encoding, other.encoding
    if missing.merge is None:
        sentence = f"{one.name} has a token {shown}; {other.name} has none."
    elif (
        isinstance(mine, TrainedEncoding)
        and isinstance(theirs, TrainedEncoding)
        and mine.history is theirs.history
    ):
        sentence = (
            f"The run at {_merges(mine.position)} has {shown} since merge "
            f"{missing.merge.rank + 1:,}{way}; at {theirs.position:,} it does not exist yet."
        )
    else:
        sentence = (
            f"{one.name} merged {_pair(path, missing.merge)} to {shown} at merge "
            f"{missing.merge.rank + 1:,}{way}; {other.name} has no {shown}."
        )
    facts = [one.fact(missing.token)] + [one.fact(missing.goal)] * (not is_goal)
    return one.cause(CauseKind.MERGE_MISSING, other, sentence, *facts)


def _led(one: Side, other: Side, path: Path, led: LedElsewhere) -> Cause:
    made, wanted, goal = (
        quoted(path.content(token)) for token in (led.made, led.wanted_token, led.goal)
    )
    return one.cause(
        CauseKind.MERGE_ORDER,
        other,
        f"{one.name} and {other.name} both know {goal}, but {one.name} merges "
        f"{_pair(path, led.done)} to {made} at merge {led.done.rank + 1:,}, before "
        f"{_pair(path, led.wanted)} to {wanted} at merge {led.wanted.rank + 1:,}, and so does not "
        f"come to {goal} here.",
        *(one.fact(token) for token in (led.made, led.wanted_token)),
    )


def _end_of_word(first: Side, second: Side) -> Cause:
    """One counts a marker at the end of a word in where the other does not, or tells of none."""
    counts = [marker_bytes(side) for side in (first, second)]
    if counts[0] == counts[1]:
        return _not_known(first, second)
    one, other = (first, second) if counts[0] > counts[1] else (second, first)
    tells = isinstance(other.encoding, MarksEndsOfWords)
    return one.cause(
        CauseKind.END_OF_WORD,
        other,
        f"{one.name} marks an end of a word in {quoted(one.text)}, and the marker takes part in "
        f"its merges; {other.name} {'has' if tells else 'tells of'} none there.",
        *(one.fact(token) for token in one.known_ids[-1:]),
    )


def _has_marker_alone(side: Side) -> bool:
    encoding = side.encoding
    return (
        isinstance(encoding, MarksEndsOfWords)
        and marker_bytes(side) > 0
        and encoding.find_marked(END_OF_WORD.encode()) is not None
    )


def marker_bytes(side: Side) -> int:
    """How much longer what was read is with the markers."""
    return len(Path(side.encoding, side.known_ids, marked=True).read) - len(side.content)


def _not_known(first: Side, second: Side) -> Cause:
    for one, other in ((first, second), (second, first)):
        if _has_marker_alone(one) and not _has_marker_alone(other):
            return one.cause(
                CauseKind.END_OF_WORD,
                other,
                f"{one.name} has the marker of a word's end as a symbol of its own in "
                f"{quoted(one.text)}, {other.name} joined to the last character.",
                *(one.fact(token) for token in one.known_ids[-1:]),
            )
    return first.cause(
        CauseKind.NOT_KNOWN,
        second,
        f"{first.name} and {second.name} treat {quoted(first.text)} differently; why cannot be "
        "told from what is known of them.",
        *(side.fact(token) for side in (first, second) for token in side.known_ids),
    )


def _pair(path: Path, merge: Merge) -> str:
    return f"{quoted(path.content(merge.left))} and {quoted(path.content(merge.right))}"


def _merges(count: int) -> str:
    return f"{count:,} merge" if count == 1 else f"{count:,} merges"

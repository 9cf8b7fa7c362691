"""Describes a token of a lane, for tooltips and screen readers."""

from __future__ import annotations

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.alignment import Cut
from bpe_gui.encodings.ours import vocabulary_ids
from bpe_gui.ui.tokens.token_words import hex_text, merge_name, quoted


def describe(cut: Cut, token: int) -> list[str]:
    """Describe a token in sentences: its id, its bytes, and how it was made."""
    encoding = cut.encoding
    number = int(cut.tokens.ids[token])
    data = cut.text.encode("utf-8")
    covered = data[int(cut.tokens.starts[token]) : int(cut.tokens.ends[token])]
    if number == NO_TOKEN:
        return [
            f"{quoted(covered)} has no token in {encoding.name}",
            hex_text(covered),
        ]
    content = encoding.token_bytes(number)
    own_id = int(vocabulary_ids(encoding, cut.tokens.ids[token : token + 1])[0])
    lines = [f"{own_id}  {quoted(content)}", hex_text(content)]
    fallback = cut.fallback_bytes(token)
    if fallback:
        lines.append(_fallback(cut, fallback, token))
    if cut.special[token]:
        lines.append("a special token")
    if cut.unknown[token]:
        lines.append(f"stands for {quoted(covered)}, which has no token")
    elif covered != content and not cut.special[token]:
        text = f"{quoted(covered)} in the text" if covered else "no text"
        lines.append(f"stands for {text}")
    if cut.closes[token]:
        lines.append("ends a word")
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

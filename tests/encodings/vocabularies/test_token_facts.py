"""The page of a token tells what the encoding and the text have."""

from __future__ import annotations

from collections import Counter

import pytest

from bpe_gui.analysis.derivation import merge_tree
from bpe_gui.analysis.token_life import token_life
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats import sentencepiece_models, tiktoken_ranks
from bpe_gui.encodings.formats.sentencepiece_models import PieceType
from bpe_gui.encodings.vocabularies.overlap import needed, overlap
from bpe_gui.encodings.vocabularies.token_facts import token_facts
from bpe_gui.encodings.vocabularies.vocabulary import vocabulary_of
from tests.encodings.vocabularies.test_vocabulary import ENCODINGS

TEXT = "the lowest low in the newest hat, the cat"


@pytest.mark.parametrize("name", ENCODINGS)
def test_facts_of_all_tokens_of_a_text(name: str) -> None:
    encoding, other = ENCODINGS[name](), ENCODINGS["gpt2"]()
    tokens = encoding.encode(TEXT, specials_as_text=True)
    ids = [token for token in tokens.ids.tolist() if token >= 0]
    order = sorted(Counter(ids).items(), key=lambda pair: (-pair[1], pair[0]))
    known = None
    for rank, (token, uses) in enumerate(order, 1):
        found = token_facts(encoding, token, [other], TEXT, known=known)
        known = found.found
        content = encoding.token_bytes(token)
        assert (found.token, found.content, found.uses, found.rank) == (token, content, uses, rank)
        assert found.used == len(order)
        near = [pair for pair in order[max(0, rank - 7) : rank + 6] if pair[0] != token]
        assert [(one.token, one.uses) for one in found.neighbours] == near
        assert found.others[0].token == (other.token_to_id(content) if content else None)
        if content and found.others[0].token is None:
            assert b"".join(found.others[0].parts) == content
        assert len(found.places) == uses
        if content and not encoding.normalized("low").startswith("▁"):
            data = TEXT.encode()
            for place in found.places:
                assert place.before + place.after in data.replace(content.strip(b" "), b"") or (
                    place.before in data
                )
        assert (found.tree is None) == (encoding.merge(token) is None)


def test_another_lane_writes_a_token_as_within_a_text() -> None:
    """A model of SentencePiece puts a space before a text, which a token within one has not."""
    letters = ["▁", "l", "o", "w", "▁l"]
    model = sentencepiece_models.from_pieces(
        ["<unk>", *letters], [0.0, -5.0, -5.0, -5.0, -5.0, -1.0],
        [PieceType.UNKNOWN, *[PieceType.NORMAL] * 5], name="model", path="model",
    )  # fmt: skip
    contents = [*(bytes([byte]) for byte in range(256)), b" low", b"ow", b"lo"]
    ranks = {content: rank for rank, content in enumerate(contents)}
    encoding = tiktoken_ranks.from_ranks(ranks, "gpt2", {}, name="ranks")
    for content, parts in ((b" low", (b" l", b"o", b"w")), (b"ow", (b"o", b"w"))):
        found = token_facts(encoding, ranks[content], [model])
        assert found.others[0].parts == parts
    found = needed(overlap(vocabulary_of(encoding), vocabulary_of(model)))
    written = {contents[row]: len(ids) for row, ids in zip(found.rows, found.parts, strict=True)}
    assert (written[b" low"], written[b"ow"]) == (3, 2)


def test_a_tree_of_a_run_is_that_of_its_history() -> None:
    encoding = ENCODINGS["gpt2"]()
    history = encoding.history
    for token in range(len(history.base), history.vocabulary_size(len(history))):
        found = token_facts(encoding, token)
        assert found.tree == merge_tree(history, token)
        assert found.life is not None
        assert found.life.counts.tolist() == token_life(history, token).counts.tolist()
        assert (found.uses, found.rank, found.places) == (0, None, ())


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(EncodingError):
        token_facts(ENCODINGS["gpt2"](), 10**6)

"""What an encoding costs by one's own numbers: a price, a context, the width of embeddings.

No price and no model is known here: tables of these age.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from bpe_gui.analysis.metric_columns import COLUMNS, Better, Column
from bpe_gui.analysis.metrics import Metrics

_MILLION = 1_000_000
_EMBEDDING = "embedding (M)"
MAX_PRICE, MAX_CONTEXT, MAX_WIDTH = 1e9, 1_000_000_000, 1_000_000
_PER_TOKEN = next(column for column in COLUMNS if column.title == "chars/token")
"""The column whose curve those here are multiples of."""


class OwnNumbers(Struct, frozen=True):
    """Hold what a user knows; None for what is not asked about.

    price: of a million tokens, in any currency. context: tokens that a model takes at once.
    width: numbers in the embedding of a token.
    """

    price: Annotated[float, Meta(gt=0, le=MAX_PRICE)] | None = None
    context: Annotated[int, Meta(gt=0, le=MAX_CONTEXT)] | None = None
    width: Annotated[int, Meta(gt=0, le=MAX_WIDTH)] | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return the columns of the numbers that are there.

        >>> [column.title for column in OwnNumbers(price=3, context=8192).columns]
        ['price/M chars', 'chars in context']
        """
        found = []
        if self.price is not None:
            found.append(_price(self.price))
        if self.context is not None:
            found.append(_context(self.context))
        if self.width is not None:
            found.append(_embedding(self.width))
        return tuple(found)

    def of_messages(self, tokens: float | None, vocabulary_size: int) -> dict[str, float | None]:
        """Return what messages cost, by titles.

        tokens: how many a message takes on average, with what a template adds; None if unknown.

        >>> OwnNumbers(price=3, context=8192).of_messages(16, 50257)
        {'price/M messages': 48, 'messages in context': 512.0}
        """
        found: dict[str, float | None] = {}
        if self.price is not None:
            found["price/M messages"] = None if tokens is None else self.price * tokens
        if self.context is not None:
            found["messages in context"] = self.context / tokens if tokens else None
        if self.width is not None:
            found[_EMBEDDING] = vocabulary_size * self.width / _MILLION
        return found


def _price(price: float) -> Column:
    def value(metrics: Metrics) -> float | None:
        per_token = metrics.characters_per_token
        return price / per_token if per_token else None

    meaning = f"Price of a million characters, if a million tokens cost {price:,g}"
    return _made("price/M chars", meaning, value, "{:,.2f}", Better.LESS)


def _context(context: int) -> Column:
    def value(metrics: Metrics) -> float | None:
        per_token = metrics.characters_per_token
        return None if per_token is None else context * per_token

    meaning = f"Characters of a text like this that fit {context:,} tokens"
    return _made("chars in context", meaning, value, "{:,.0f}", Better.MORE)


def _embedding(width: int) -> Column:
    def value(metrics: Metrics) -> float:
        return metrics.vocabulary_size * width / _MILLION

    meaning = f"Millions of parameters for an embedding of {width:,} numbers for each token"
    return _made(_EMBEDDING, meaning, value, "{:,.1f}", Better.NEITHER)


def _made(
    title: str,
    meaning: str,
    value: Callable[[Metrics], float | None],
    form: str,
    better: Better,
) -> Column:
    return replace(
        _PER_TOKEN, title=title, meaning=meaning, value=value, format=form, better=better
    )

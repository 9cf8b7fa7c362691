"""Sentences of errors that a user can correct, the same as on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bpe_gui.bpe.corpus import CorpusError, Remedy
from bpe_gui.files import sentence_of

_ARGUMENTS: dict[str, str] = {
    Remedy.NAME_ENCODING: "name the encoding it is written in with encoding=",
    Remedy.REPLACE: "have what cannot be read replaced with replace_errors=True",
    Remedy.NAME_FIELD: "name the field that holds the text with json_field=",
}
"""The arguments of `train` that help with a file that cannot be read."""


@contextmanager
def one_sentence() -> Iterator[None]:
    """Replace the message of an OSError or CorpusError by the sentence for users."""
    try:
        yield
    except OSError as error:
        raise type(error)(sentence_of(error)) from error
    except CorpusError as error:
        raise CorpusError(error.sentence(_ARGUMENTS)) from error

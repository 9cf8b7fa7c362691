"""What is said when the files of a corpus are not what they were."""

from __future__ import annotations

import os
from collections.abc import Sequence

from bpe_gui.bpe.corpus_changes import Changes
from bpe_gui.ui.settings.names import valid_text

_MOST_NAMES = 2


def changes_sentence(changes: Changes, *, can_train: bool) -> str:
    """Which files are known to be others, and what that means for a session.

    `can_train` is whether all that the corpus was made of can be read again.

    >>> changes_sentence(Changes(changed=("/texts/story.txt",)), can_train=True)
    'Since this corpus was read, story.txt has changed: what is shown is of the text as it was; \
train again for the text as it is.'
    """
    facts = [
        f"{_names(paths)} {one if len(paths) == 1 else several}"
        for paths, one, several in (
            (changes.changed, "has changed", "have changed"),
            (changes.missing, "is no longer there", "are no longer there"),
            (changes.new, "is new", "are new"),
        )
        if paths
    ]
    then = "train again for the text as it is"
    if not can_train:
        then = "it can be trained on with the words that the session holds"
    return (
        f"Since this corpus was read, {_listed(facts)}: what is shown is of the text as it was; "
        f"{then}."
    )


def _names(paths: Sequence[str]) -> str:
    """What some files are called; of many the first ones, and how many others there are."""
    names = [_name(path) for path in paths[:_MOST_NAMES]]
    more = len(paths) - len(names)
    return _listed(names + ([f"{more:,} more"] if more else []))


def _name(path: str) -> str:
    name = valid_text(os.path.basename(path))
    return "".join(character if character.isprintable() else "�" for character in name)


def _listed(parts: Sequence[str]) -> str:
    """Parts of a sentence one after another.

    >>> _listed(["a"]), _listed(["a", "b"]), _listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last

"""Which parts of two recipes differ: whether a recipe is still the preset that it began as."""

from __future__ import annotations

from dataclasses import fields

from bpe_gui.bpe.recipe import PRESETS, Recipe

_WORDS_ABOUT_IT = ("name", "description")
"""Fields that decide nothing of what is learnt."""


def changed_fields(recipe: Recipe, original: Recipe) -> tuple[str, ...]:
    """The fields in which a recipe is another than one that it is compared to, in their order.

    Name and description do not count.

    >>> gpt2 = PRESETS["gpt2"]
    >>> changed_fields(gpt2.with_changes(name="mine", split="none", merges=7), gpt2)
    ('split', 'merges')
    """
    return tuple(
        field.name
        for field in fields(Recipe)
        if field.name not in _WORDS_ABOUT_IT
        and getattr(recipe, field.name) != getattr(original, field.name)
    )


def same_preset(recipe: Recipe) -> str | None:
    """The name of the preset that a recipe is, whatever it is called; None if it is none.

    >>> same_preset(PRESETS["raw"].with_changes(name="mine")), same_preset(Recipe())
    ('raw', None)
    """
    same = (name for name, preset in PRESETS.items() if not changed_fields(recipe, preset))
    return next(same, None)

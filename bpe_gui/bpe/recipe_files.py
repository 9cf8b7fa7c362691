r"""Recipes as files that people can read: small JSON.

```json
{
  "recipe": 1,
  "name": "my words",
  "normalizers": ["nfc", {"replace": "\\s+", "by": " "}, {"prepend": " "}],
  "split": {"regex": " ?\\p{L}+|[\\s\\S]"},
  "symbols": "bytes",
  "vocabulary_size": 2000
}
```

`recipe` is the version of the format. Every other key is a field of `Recipe`; what is left out
is as in a `Recipe` of which nothing is said. What is not known is refused, not passed over: a
recipe that is misunderstood trains something else than was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bpe_gui.bpe.recipe import (
    REGEX,
    Alphabet,
    EndOfWord,
    Normalizer,
    Prepend,
    Recipe,
    RecipeError,
    Replace,
    Symbols,
    Ties,
    own_pattern,
)
from bpe_gui.bpe.recipe_error import PatternError, shown
from bpe_gui.files import write_atomically

VERSION = 1
"""The version of the format that is written, and the only one that is read."""

MAX_BYTES = 1 << 20
"""The largest file that is read as a recipe."""

_MOST_ITEMS = 1000
"""Normalizers or special tokens that a file may list."""

LONGEST_NAME = 100
"""Characters that the name of a recipe may have."""

_VERSION_KEY = "recipe"

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Control characters, ends of lines, and what turns the direction of all that comes after it."""

_UNUSABLE = " is not a recipe that can be used"

_CHOICES: Mapping[str, type[StrEnum]] = MappingProxyType(
    {"symbols": Symbols, "end_of_word": EndOfWord, "alphabet": Alphabet, "ties": Ties}
)
_NUMBERS = ("vocabulary_size", "merges", "min_frequency")
_KEYS = tuple(field.name for field in fields(Recipe))

_BEGINS_SO = re.compile(rf'\s*\{{\s*"{_VERSION_KEY}"\s*:')

_BEGINS = re.compile(rf'\s*\{{\s*"{_VERSION_KEY}"\s*:\s*[0-9]+\s*,\s*"(?:{"|".join(_KEYS)})"\s*:')
"""A longer file of ours, or one that is damaged further on."""


def save(recipe: Recipe, path: str | Path) -> None:
    """Write a recipe to a file, all of it or nothing. Raises OSError."""
    write_atomically(path, to_json(recipe))


def load(path: str | Path) -> Recipe:
    """Read a recipe from a file. Raises RecipeError, which names the file, and OSError."""
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        if len(data) > MAX_BYTES:
            raise RecipeError(f"it is larger than {MAX_BYTES >> 20} MB")
        return from_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        reason = f"it is not UTF-8 text, for the byte at offset {error.start} does not belong there"
    except PatternError as error:
        raise PatternError(f"{path}{_UNUSABLE}: {error}", error.position) from None
    except RecipeError as error:
        reason = str(error)
    raise RecipeError(f"{path}{_UNUSABLE}: {reason}")


def holds_recipe(path: str | Path) -> bool:
    """Whether a file looks like a recipe, by what it holds: a JSON object with a version.

    One that is damaged further on does too, for `load` says what is wrong with it. What
    cannot be read is none, nor is a pipe, which is not opened.
    """
    if not Path(path).is_file():
        return False
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError:
        return False
    return looks_like(data)


def looks_like(data: bytes) -> bool:
    """Whether a file that begins so holds a recipe, and not some other JSON.

    >>> looks_like(b'{"recipe": 1, "name": "mine", "spl'), looks_like(b'{"the": 0, "recipe": 1}')
    (True, False)
    """
    text = data.decode("utf-8-sig", "ignore")
    try:
        found = json.loads(text)
    except RecursionError:  # what no program writes: the first key is all that can be told
        return _BEGINS_SO.match(text) is not None
    except ValueError:
        return _BEGINS.match(text) is not None
    return isinstance(found, dict) and _VERSION_KEY in found and {*_KEYS, _VERSION_KEY} >= {*found}


def check_name(name: str) -> None:
    """Raise RecipeError for a name that no recipe can be kept under."""
    if not 0 < len(name) <= LONGEST_NAME:
        raise RecipeError(
            f"the name of a recipe must have 1 to {LONGEST_NAME} characters, not {len(name):,}"
        )
    if _UNSEEN.search(name):
        raise RecipeError(
            f"the name {shown(name)} has control characters or ends of lines; leave them out"
        )


def to_json(recipe: Recipe) -> str:
    """The text of a file: what is not said of a recipe by itself, in the order of its fields."""
    plain = Recipe()
    found: dict[str, object] = {_VERSION_KEY: VERSION, "name": recipe.name}
    for key in _KEYS:
        value = getattr(recipe, key)
        if key in ("normalizers", "split", "symbols") or value != getattr(plain, key):
            found[key] = _written(key, value)
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def from_json(text: str) -> Recipe:
    """The recipe in the text of a file. Raises RecipeError with one sentence."""
    found = _object(text)
    if _VERSION_KEY not in found:
        raise RecipeError(f"the key {_VERSION_KEY!r} with the version of the format is missing")
    version = found.pop(_VERSION_KEY)
    if type(version) is not int or version != VERSION:
        raise RecipeError(
            f"its version is {_shown(version)}, and this program reads version {VERSION}; use a "
            "newer program, or save the recipe anew"
        )
    return Recipe().with_changes(**fields_from_json(found))


def fields_to_json(values: Mapping[str, Any]) -> dict[str, object]:
    """Values of fields of a recipe as its file has them, ready for `json.dumps`.

    >>> fields_to_json({"split": "regex:a+", "merges": 3})
    {'split': {'regex': 'a+'}, 'merges': 3}
    """
    return {key: _written(key, value) for key, value in values.items()}


def fields_from_json(found: Mapping[str, Any]) -> dict[str, object]:
    """The inverse of `fields_to_json`.

    Each value has the right kind; whether a recipe may have it is for the recipe to say.
    Raises RecipeError, naming the key.
    """
    for key in found:
        if key not in _KEYS:
            raise RecipeError(f"the key {_shown(key)} is unknown; known are {', '.join(_KEYS)}")
    return {key: _read(key, value) for key, value in found.items()}


def _object(text: str) -> dict[str, Any]:
    """A JSON object in which no key stands twice, at any depth."""
    try:
        found = json.loads(text, object_pairs_hook=_unique)
    except RecipeError:
        raise
    except RecursionError:
        raise RecipeError("it is nested too deeply") from None
    except ValueError as error:
        reason = f"it is not JSON: {error}"
        if not isinstance(error, json.JSONDecodeError):  # Python's own bound
            reason = "it has a number of thousands of digits"
        raise RecipeError(reason) from None
    if not isinstance(found, dict):
        raise RecipeError("it does not hold a JSON object")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise RecipeError(f"the key {_shown(key)} is given twice; remove one")
        found[key] = value
    return found


def _written(key: str, value: Any) -> object:
    """The value of a field as JSON has it."""
    if key == "normalizers":
        return [_written_step(step) for step in value]
    if key == "split":
        pattern = own_pattern(value)
        return value if pattern is None else {"regex": pattern}
    return list(value) if isinstance(value, tuple) else value


def _written_step(step: Normalizer) -> object:
    if isinstance(step, Replace):
        return {"replace": step.pattern, "by": step.by}
    if isinstance(step, Prepend):
        return {"prepend": step.text}
    return step


def _read(key: str, value: Any) -> object:
    """The value of a field. Raises RecipeError, naming the key."""
    if key == "normalizers":
        return tuple(_read_step(step) for step in _list(key, value))
    if key == "split":
        return _read_split(value)
    if key in ("special_tokens", "reserved_tokens"):
        return tuple(_text(key, token) for token in _list(key, value))
    if key in _CHOICES:
        choices = list(_CHOICES[key])
        if value not in choices:
            raise RecipeError(
                f"the value of {key!r} must be one of {', '.join(choices)}, not {_shown(value)}"
            )
        return _CHOICES[key](value)
    if key in _NUMBERS:
        if value is None and key != "min_frequency":
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise RecipeError(f"the value of {key!r} must be a whole number, not {_shown(value)}")
        return value
    if key == "unknown_token" and value is None:
        return None
    text = _text(key, value)
    if key == "name":
        check_name(text)
    return text


def _read_step(step: Any) -> Normalizer:
    if isinstance(step, str):
        return step
    if isinstance(step, dict):
        if set(step) == {"replace", "by"}:
            return Replace(_text("replace", step["replace"]), _text("by", step["by"]))
        if set(step) == {"prepend"}:
            return Prepend(_text("prepend", step["prepend"]))
    raise RecipeError(
        'each of the \'normalizers\' must be a name, {"replace": REGEX, "by": TEXT} or '
        f'{{"prepend": TEXT}}, not {_shown(step)}'
    )


def _read_split(value: Any) -> str:
    if isinstance(value, str) and own_pattern(value) is None:
        return value
    if isinstance(value, dict) and set(value) == {"regex"}:
        return REGEX + _text("regex", value["regex"])
    raise RecipeError(
        f"the value of 'split' must be a name or {{\"regex\": REGEX}}, not {_shown(value)}"
    )


def _list(key: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise RecipeError(f"the value of {key!r} must be a list, not {_shown(value)}")
    if len(value) > _MOST_ITEMS:
        raise RecipeError(
            f"the value of {key!r} may list {_MOST_ITEMS:,} items, not {len(value):,}"
        )
    return value


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise RecipeError(f"the value of {key!r} must be text, not {_shown(value)}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise RecipeError(f"the value of {key!r}, {_shown(value)}, is not valid text") from None
    return value


def _shown(value: Any) -> str:
    """Something from a file as a sentence shows it: as JSON, cut short."""
    try:
        text = json.dumps(value)
    except RecursionError:
        text = "what is nested deeply"
    return text if len(text) <= 60 else text[:60] + "..."

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
from enum import EnumType
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta

from bpe_gui.bpe.errors import PatternError, shown
from bpe_gui.bpe.recipe import (
    MATCHES,
    REGEX,
    TOKEN_OPTIONS,
    Normalizer,
    Prepend,
    PrependOnce,
    Recipe,
    RecipeError,
    Replace,
    is_sequence,
    own_pattern,
    prefix_of,
    sequence_of,
    steps_of_split,
)
from bpe_gui.files import reading, write_atomically

VERSION = 1
"""The version of the format that is written, and the only one that is read."""

MAX_BYTES = 1 << 20
"""The largest file that is read as a recipe."""

MAX_NAME = 100
"""Characters that the name of a recipe may have."""

_VERSION_KEY = "recipe"

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, ends of lines, and what turns the direction of all that comes after it."""

_UNUSABLE = " is not a recipe that can be used"

_KEYS = tuple(name for name in Recipe.__struct_fields__ if name != "inherited")
"""The keys of a file. An inherited encoding has its own file, so it is not among them."""

class _OwnPattern(msgspec.Struct, forbid_unknown_fields=True):
    """A split by a pattern of one's own."""

    regex: str


class _Split(msgspec.Struct, forbid_unknown_fields=True):
    """A split that needs to be told more: a pattern of one's own, or several steps."""

    regex: str | None = None
    matches: str | None = None
    sequence: tuple[str | _OwnPattern, ...] | None = None

    def __post_init__(self) -> None:
        self.to_split()  # here msgspec tells where it is

    def to_split(self) -> str:
        match self.regex, self.matches, self.sequence:
            case str(pattern), None, None:
                return REGEX + pattern
            case None, str(pattern), None:
                return MATCHES + pattern
            case None, None, tuple(steps):
                return sequence_of(
                    REGEX + step.regex if isinstance(step, _OwnPattern) else _plain(step)
                    for step in steps
                )
        raise ValueError


def _plain(split: str) -> str:
    """Return a split that is a name, as text. Raises ValueError for one that says more."""
    if prefix_of(split) or is_sequence(split):
        raise ValueError
    return split


class _Step(msgspec.Struct, forbid_unknown_fields=True):
    """A normalization step that needs to be told more: what to replace, or what to prepend."""

    replace: str | None = None
    by: str | None = None
    prepend: str | None = None
    prepend_once: str | None = None

    def __post_init__(self) -> None:
        self.to_normalizer()  # here msgspec tells where it is

    def to_normalizer(self) -> Normalizer:
        """Return the step of a recipe. Raises ValueError unless it is exactly one of the three."""
        match self.replace, self.by, self.prepend, self.prepend_once:
            case str(pattern), str(by), None, None:
                return Replace(pattern, by)
            case None, None, str(text), None:
                return Prepend(text)
            case None, None, None, str(text):
                return PrependOnce(text)
        raise ValueError


_Texts = Annotated[tuple[str, ...], Meta(max_length=1000)]

_TYPES: Mapping[str, Any] = MappingProxyType(
    {
        **get_type_hints(Recipe),
        "normalizers": tuple[str | _Step, ...],
        "split": str | _Split,
        "special_tokens": _Texts,
        "reserved_tokens": _Texts,
        **dict.fromkeys(TOKEN_OPTIONS, _Texts),
    }
)
"""What JSON has for each field: what the recipe has, but for what it writes in another way."""

_SHAPES = MappingProxyType(
    {
        "normalizers": (
            'a list of names, {"replace": REGEX, "by": TEXT}, {"prepend": TEXT} or '
            '{"prepend_once": TEXT}'
        ),
        "split": 'a name, {"regex": REGEX}, {"matches": REGEX} or {"sequence": [SPLIT, ...]}',
    }
)

_BEGINS_SO = re.compile(rf'\s*\{{\s*"{_VERSION_KEY}"\s*:')

_BEGINS = re.compile(rf'\s*\{{\s*"{_VERSION_KEY}"\s*:\s*[0-9]+\s*,\s*"(?:{"|".join(_KEYS)})"\s*:')
"""A longer file of ours, or one that is damaged further on."""


def save(recipe: Recipe, path: str | Path) -> None:
    """Write a recipe to a file, all of it or nothing.

    Raises RecipeError for one that goes on from an encoding, whose merges no recipe holds, and
    OSError.
    """
    if recipe.inherited is not None:
        raise RecipeError(
            f"a recipe cannot hold the merges of {recipe.inherited.name}; save the session, or the "
            "tokenizer, from which another training can go on"
        )
    write_atomically(path, to_json(recipe))


def load(path: str | Path) -> Recipe:
    """Read a recipe from a file. Raises RecipeError, which names the file, and OSError."""
    with reading(path) as file:
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
    """Tell whether a file looks like a recipe, by what it holds: a JSON object with a version.

    One that is damaged further on does too, for `load` says what is wrong with it. What
    cannot be read is none, nor is a pipe, which is not opened.
    """
    if not Path(path).is_file():
        return False
    try:
        with reading(path) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError:
        return False
    return looks_like(data)


def looks_like(data: bytes) -> bool:
    """Tell whether a file that begins so holds a recipe, and not some other JSON.

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
    if not 0 < len(name) <= MAX_NAME:
        raise RecipeError(
            f"the name of a recipe must have 1 to {MAX_NAME} characters, not {len(name):,}"
        )
    if _UNSEEN.search(name):
        raise RecipeError(
            f"the name {shown(name)} has control characters or ends of lines; leave them out"
        )


def to_json(recipe: Recipe) -> str:
    """Write a recipe as the text of a file."""
    return json.dumps(to_object(recipe), ensure_ascii=False, indent=2) + "\n"


def to_object(recipe: Recipe) -> dict[str, object]:
    """Tell what a file says: all that is not so by itself, in the order of the fields."""
    plain = Recipe()
    told = {
        key: value
        for key in _KEYS
        if (value := getattr(recipe, key)) != getattr(plain, key)
        or key in ("name", "normalizers", "split", "symbols")
    }
    return {_VERSION_KEY: VERSION, **fields_to_json(told)}


def from_json(text: str) -> Recipe:
    """Parse the recipe in the text of a file. Raises RecipeError with one sentence."""
    try:
        found = msgspec.json.decode(text)
    except RecursionError:
        raise RecipeError("it is nested too deeply") from None
    except msgspec.DecodeError as error:
        raise RecipeError(f"it is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise RecipeError("it does not hold a JSON object")
    return from_object(found)


def from_object(values: Mapping[str, Any]) -> Recipe:
    """Parse the recipe in an object of JSON. Raises RecipeError with one sentence.

    >>> from_object({"recipe": 1, "split": {"regex": "a+"}}).split
    'regex:a+'
    """
    found = dict(values)
    if _VERSION_KEY not in found:
        raise RecipeError(f"the key {_VERSION_KEY!r} with the version of the format is missing")
    version = found.pop(_VERSION_KEY)
    if type(version) is not int or version != VERSION:
        raise RecipeError(
            f"its version is {version!r:.40}, and this program reads version {VERSION}; use a "
            "newer program, or save the recipe anew"
        )
    return Recipe().with_changes(**fields_from_json(found))


def fields_to_json(values: Mapping[str, Any]) -> dict[str, object]:
    """Write values of fields of a recipe as its file has them, ready for `json.dumps`.

    >>> fields_to_json({"split": "regex:a+", "merges": 3})
    {'split': {'regex': 'a+'}, 'merges': 3}
    """
    return {key: _written(key, value) for key, value in values.items()}


def fields_from_json(found: Mapping[str, Any]) -> dict[str, object]:
    """Invert `fields_to_json`.

    Each value has the right kind; whether a recipe may have it is for the recipe to say.
    Raises RecipeError, naming the key.
    """
    for key in found:
        if key not in _KEYS:
            raise RecipeError(f"the key {shown(key)} is unknown; known are {', '.join(_KEYS)}")
    return {key: _read(key, value) for key, value in found.items()}


def _read(key: str, value: Any) -> object:
    """Return the value of a field. Raises RecipeError, naming the key."""
    try:
        read = msgspec.convert(value, _TYPES[key])
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the latter: a lone surrogate
        raise RecipeError(_wrong(key, str(error))) from None
    if key == "name":
        check_name(read)
    if key == "normalizers":
        return tuple(step.to_normalizer() if isinstance(step, _Step) else step for step in read)
    if key == "split":
        try:
            return read.to_split() if isinstance(read, _Split) else _plain(read)
        except ValueError:
            raise RecipeError(_wrong(key, "")) from None
    return read


def _wrong(key: str, error: str) -> str:
    """Write a sentence for what msgspec says of a value, which ends with the path to it."""
    reason, _, path = error.partition(" - at `$")
    where = f"the value of '{key}{path.removesuffix('`')}'"
    if key in _SHAPES:
        return f"{where} is wrong: {key} must be {_SHAPES[key]}"
    if isinstance(_TYPES[key], EnumType):
        return f"{where} must be one of {', '.join(_TYPES[key])}"
    return f"{where} is wrong: {reason[0].lower()}{_TYPE_NAMES.sub(_in_words, reason[1:])}"


_TYPE_NAMES = re.compile("`([a-z | ]+)`")

_WORDS = MappingProxyType(
    {
        **{"int": "an integer", "float": "a number", "str": "a text", "bool": "true or false"},
        **{"array": "a list", "object": "an object"},
    }
)


def _in_words(types: re.Match[str]) -> str:
    """Name the types that msgspec writes as `int | null`."""
    return " or ".join(_WORDS.get(each, each) for each in types[1].split(" | "))


def _written(key: str, value: Any) -> object:
    """Return the value of a field as JSON has it."""
    if key == "normalizers":
        return [_written_step(step) for step in value]
    if key == "split" and is_sequence(value):
        return {"sequence": [_written(key, step) for step in steps_of_split(value)]}
    if key == "split" and (pattern := own_pattern(value)) is not None:
        return {prefix_of(value).removesuffix(":"): pattern}
    return list(value) if isinstance(value, tuple) else value


def _written_step(step: Normalizer) -> object:
    if isinstance(step, Replace):
        return {"replace": step.pattern, "by": step.by}
    if isinstance(step, PrependOnce):
        return {"prepend_once": step.text}
    if isinstance(step, Prepend):
        return {"prepend": step.text}
    return step

"""Recipes as files: what is saved is loaded, what is wrong is named."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.recipe import (
    PRESETS,
    EndOfWord,
    Prepend,
    PrependOnce,
    Recipe,
    RecipeError,
    Replace,
    Symbols,
    Ties,
)
from bpe_gui.bpe.recipe_io import from_json, holds_recipe, load, save, to_json
from bpe_gui.folders import resource
from tests.bpe.custom_recipes import custom_recipes

plain_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
recipe_names = names.filter(lambda name: not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029]", name))


@st.composite
def any_recipes(draw: st.DrawFn) -> Recipe:
    recipe = draw(st.sampled_from(list(PRESETS.values())) | custom_recipes())
    specials = draw(st.lists(names.map("日{}".format), unique=True, max_size=3))
    prepended = draw(st.sampled_from([Prepend, PrependOnce]))(draw(names))
    steps = (prepended, Replace(re.escape(draw(names)), draw(plain_texts)))
    return recipe.with_changes(
        name=draw(recipe_names),
        description=draw(plain_texts),
        normalizers=(*recipe.normalizers, *draw(st.sampled_from([(), steps]))),
        vocabulary_size=draw(st.none() | st.integers(1000, 10**9)),
        merges=draw(st.none() | st.integers(0, 10**9)),
        min_frequency=draw(st.integers(0, 5)),
        special_tokens=tuple(specials),
        reserved_tokens=tuple(specials[: draw(st.integers(0, 2))]),
        unknown_token=draw(st.sampled_from([None, *specials])),
        ties=draw(st.sampled_from(list(Ties))),
    )


def assert_same(found: Recipe, expected: Recipe) -> None:
    for name in Recipe.__struct_fields__:  # the description is not compared by `==`
        assert getattr(found, name) == getattr(expected, name)
        assert type(getattr(found, name)) is type(getattr(expected, name))


@given(any_recipes())
def test_what_is_written_is_read(recipe: Recipe) -> None:
    assert_same(from_json(to_json(recipe)), recipe)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_saved_and_loaded(name: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.json"
    save(PRESETS[name], path)
    assert_same(load(path), PRESETS[name])
    assert list(tmp_path.iterdir()) == [path]


def test_a_person_can_read_it() -> None:
    recipe = Recipe(
        name="mine",
        normalizers=("nfc", Replace(r"\s+", " "), Prepend("▁")),
        split=r"regex:\w+|[\s\S]",
        vocabulary_size=500,
    )
    assert to_json(recipe) == r"""{
  "recipe": 1,
  "name": "mine",
  "normalizers": [
    "nfc",
    {
      "replace": "\\s+",
      "by": " "
    },
    {
      "prepend": "▁"
    }
  ],
  "split": {
    "regex": "\\w+|[\\s\\S]"
  },
  "symbols": "bytes",
  "vocabulary_size": 500
}
"""


def test_what_is_left_out_is_as_in_a_plain_recipe() -> None:
    assert_same(from_json('{"recipe": 1}'), Recipe())
    found = from_json('{"recipe": 1, "symbols": "characters", "end_of_word": "joined"}')
    assert_same(found, Recipe(symbols=Symbols.CHARACTERS, end_of_word=EndOfWord.JOINED))


def test_the_example_of_the_help_is_a_recipe() -> None:
    page = resource("help", "recipe-file.md").read_text("utf-8")
    example = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert example is not None
    recipe = from_json(example[1])
    assert recipe.name == "words"
    assert recipe.normalizers[2:] == (Replace("[ \t]+".replace("\t", r"\t"), " "), Prepend(" "))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is not JSON"),
        ("[]", "does not hold a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "the key 'recipe' with the version of the format is missing"),
        ('{"recipe": 2}', "its version is 2, and this program reads version 1"),
        ('{"recipe": true}', "its version is True"),
        ('{"recipe": 1, "spilt": "gpt2"}', "the key 'spilt' is unknown; known are name,"),
        ('{"recipe": 1, "split": "words"}', "unknown pre-tokenization 'words'"),
        ('{"recipe": 1, "split": "regex:a"}', "split must be a name, {"),
        ('{"recipe": 1, "split": {"regexp": "a"}}', "split must be a name, {"),
        ('{"recipe": 1, "split": {"regex": 1}}', "the value of 'split.regex' is wrong"),
        ('{"recipe": 1, "split": {"regex": "a("}}', "missing ) at character 2"),
        (r'{"recipe": 1, "split": {"regex": "\\p{L}("}}', r"'\p{L}(' is not a regular expression"),
        ('{"recipe": 1, "name": ""}', "the name of a recipe must have 1 to 100 characters, not 0"),
        (json.dumps({"recipe": 1, "name": "a" * 101}), "1 to 100 characters, not 101"),
        (r'{"recipe": 1, "name": "a\nb"}', r"the name 'a\nb' has control characters"),
        (r'{"recipe": 1, "name": "a\u0000b"}', "has control characters or ends of lines"),
        (r'{"recipe": 1, "name": "a\u2028b"}', "has control characters or ends of lines"),
        (r'{"recipe": 1, "name": "a\u202eb"}', "has control characters or ends of lines"),
        ('{"recipe": 1, "normalizers": "nfc"}', "normalizers must be a list of names"),
        ('{"recipe": 1, "normalizers": ["nfx"]}', "unknown normalizer 'nfx'"),
        ('{"recipe": 1, "normalizers": [1]}', "the value of 'normalizers[0]' is wrong"),
        ('{"recipe": 1, "normalizers": [{"replace": "a"}]}', "'normalizers[0]' is wrong"),
        ('{"recipe": 1, "normalizers": [{"prepend": null}]}', "'normalizers[0]' is wrong"),
        ('{"recipe": 1, "normalizers": [{"prepend": ""}]}', "a step that prepends needs a text"),
        ('{"recipe": 1, "symbols": "letters"}', "'symbols' must be one of bytes, characters"),
        ('{"recipe": 1, "ties": ["first-seen"]}', "the value of 'ties' must be one of"),
        ('{"recipe": 1, "merges": "10"}', "'merges' is wrong: expected an integer or null"),
        ('{"recipe": 1, "merges": true}', "the value of 'merges' is wrong"),
        ('{"recipe": 1, "merges": 1.5}', "the value of 'merges' is wrong"),
        ('{"recipe": 1, "min_frequency": null}', "the value of 'min_frequency' is wrong"),
        ('{"recipe": 1, "merges": -1}', "the number of merges must be between 0 and"),
        ('{"recipe": 1, "name": "\\ud800"}', "it is not JSON"),
        ('{"recipe": 1, "special_tokens": ["a", 2]}', "'special_tokens[1]' is wrong: expected"),
        ('{"recipe": 1, "special_tokens": ["a", "a"]}', "the special token 'a' is given twice"),
        (
            '{"recipe": 1, "special_tokens": ["<s>", "Ġ"]}',
            "the special token 'Ġ' is how byte-level vocabularies write the byte 20, and would "
            "take its token; use a special token of ASCII characters only, such as <token>",
        ),
        ('{"recipe": 1, "special_tokens": ["Ġé"]}', "write the bytes 20 E9, and would take their"),
        (
            '{"recipe": 1, "symbols": "characters", "end_of_word": "own", "special_tokens": '
            '["b</w>"]}',
            "the special token 'b</w>' is written like the end of a word, which ends with the "
            "marker </w>; use another special token, such as <token>, or set the end-of-word "
            "marker to none",
        ),
        (json.dumps({"recipe": 1, "normalizers": ["nfc"] * 21}), "may have 20 normalizers, not 21"),
        (
            json.dumps({"recipe": 1, "normalizers": [{"prepend": "x" * 101}]}),
            "the text to prepend can have 100 characters, not 101",
        ),
        ('{"recipe": 1, "unknown_token": "u"}', "must be one of the special tokens"),
        ('{"recipe": 1, "reserved_tokens": ["u"]}', "must be one of the special tokens"),
        ('{"recipe": 1, "reserved_tokens": "u"}', "'reserved_tokens' is wrong: expected a list"),
        (
            '{"recipe": 1, "special_tokens": ["u"], "reserved_tokens": ["u", "u"]}',
            "the reserved token 'u' is given twice",
        ),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.json"
    path.write_text(text, "utf-8")
    with pytest.raises(RecipeError, match=re.escape(message)) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path} is not a recipe that can be used: ")
    assert "\n" not in str(caught.value)


def test_the_position_in_a_pattern_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "recipe.json"
    path.write_text('{"recipe": 1, "normalizers": [{"replace": "a(", "by": ""}]}', "utf-8")
    with pytest.raises(PatternError, match="the pattern to replace") as caught:
        load(path)
    assert caught.value.position == 1


def test_large_lists_files_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "recipe.json"
    for data, message in (
        (b" " * ((1 << 20) + 1), "it is larger than 1 MB"),
        (b'{"recipe": 1\xff}', "the byte at offset 12 does not belong there"),
        (json.dumps({"recipe": 1, "normalizers": ["nfc"] * 1001}).encode(), "20 normalizers, not"),
    ):
        path.write_bytes(data)
        with pytest.raises(RecipeError, match=message):
            load(path)


short = st.text(max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | short,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(short, parts, max_size=3),
    max_leaves=5,
)
KEYS = Recipe.__struct_fields__


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4))
def test_whatever_the_keys_hold_it_is_a_recipe_or_a_sentence(found: dict[str, object]) -> None:
    text = json.dumps({"recipe": 1, **found})
    with suppress(RecipeError):
        recipe = from_json(text)
        assert_same(from_json(to_json(recipe)), recipe)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"recipe": 1, "merges": ' + "9" * 5000 + "}", "it is not JSON: Integer value"),
        ('{"recipe": 1, "merges": ' + "9" * 4000 + "}", "000, not a number of 4000 digits"),
        ('{"recipe": 1, "normalizers": ["' + "x" * 900_000 + '"]}', "unknown normalizer 'xxxx"),
        ('{"recipe": 1, "split": "' + "x" * 900_000 + '"}', "unknown pre-tokenization 'xxxx"),
        (
            '{"recipe": 1, "special_tokens": ["' + '","'.join(2 * ["x" * 400_000]) + '"]}',
            "is given twice",
        ),
        ('{"recipe": 1, "merges": 1e999}', "it is not JSON"),
        ('{"recipe": 1, "merges": NaN}', "it is not JSON"),
        ('{"recipe": 1e0}', "its version is 1.0"),
        ('{"recipe": 1, "name": ' + "[" * 900 + "]" * 900 + "}", "'name' is wrong"),
        ('{"recipe": 1, "name": ' + '{"a":' * 50_000, "nested too deeply"),
        ('{"recipe": 1, "split": {"regex": "a{99999999}"}}', "99999999"),
        ('{"recipe": 1, "split": {"regex": "' + "(" * 9000 + '"}}', "nested too deeply"),
        ('{"recipe": 1, "special_tokens": [' + '"a",' * 1001 + '"b"]}', "length <= 1000"),
        ('{"recipe": 1, "name": "' + "x" * 900_000 + '"}', "must have 1 to 100 characters"),
        ('{"recipe": 1, "' + "x" * 900_000 + '": 1}', "is unknown; known are name"),
    ],
)
def test_what_is_hostile_gets_one_short_sentence(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "recipe.json"
    path.write_text(text)
    with pytest.raises(RecipeError, match=re.escape(message)) as caught:
        load(path)
    assert len(str(caught.value)) < 500


def test_only_the_beginning_of_a_huge_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "recipe.json"
    with path.open("wb") as file:
        file.write(b'{"recipe": 1, "name": "')
        file.truncate(1 << 40)  # a sparse file
    with pytest.raises(RecipeError, match="it is larger than 1 MB"):
        load(path)


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "recipe.json"
    path.write_text("what was there")
    with pytest.raises(UnicodeEncodeError):
        save(Recipe(name="\ud800"), path)
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("data", "holds"),
    [
        (to_json(Recipe()).encode(), True),
        (b'\xef\xbb\xbf{"name": "x", "recipe": 1}', True),
        (b'{"recipe": 2, "name": \xff', True),
        (b'{"model": {"type": "BPE"}}', False),
        (b'["recipe"]', False),
        (b"A recipe for soup", False),
        (b"", False),
        (b"\xff\xfe", False),
        (b'{"recipe"', False),
    ],
)
def test_a_recipe_is_known_by_what_it_holds(tmp_path: Path, data: bytes, holds: bool) -> None:
    path = tmp_path / "any.txt"
    path.write_bytes(data)
    assert holds_recipe(path) is holds


def test_what_cannot_be_read_is_no_recipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "missing", tmp_path / "pipe"):
        assert not holds_recipe(path)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ('{"recipe":' + "[" * 100_000, True),
        ('{"recipe": 1, "flour": ' + '{"a":' * 100_000, True),
        ("[" * 100_000, False),
        ('{"a": {"recipe":' + "[" * 100_000, False),
        ('{"recipe": "flour, eggs', False),
    ],
)
def test_what_is_nested_deeply_is_a_recipe_by_its_beginning(
    text: str, holds: bool, tmp_path: Path
) -> None:
    path = tmp_path / "deep.json"
    path.write_text(text)
    assert holds_recipe(path) is holds
    if holds:
        with pytest.raises(RecipeError, match=r"deep\.json is not a recipe .* nested too deeply"):
            load(path)

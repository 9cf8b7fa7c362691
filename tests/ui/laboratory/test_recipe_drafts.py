"""Drafts of recipes: what was changed, what is wrong with them, and the file that keeps them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bpe_gui.bpe.recipe import (
    PRESETS,
    Alphabet,
    EndOfWord,
    Prepend,
    Recipe,
    RecipeError,
    Replace,
    Symbols,
    Ties,
)
from bpe_gui.ui.laboratory.draft_files import (
    draft_from_object,
    draft_to_object,
    load_draft,
    save_draft,
)
from bpe_gui.ui.laboratory.drafts import PARTS, RecipeDraft
from bpe_gui.ui.laboratory.recipe_problems import problems
from tests.bpe.custom_recipes import OWN_SPLITS, steps
from tests.bpe.test_inherited import recipe_of_ab

BROKEN_STEPS = (Replace("(", ""), Replace("a", "b" * 101), Prepend("c" * 101))

values: dict[str, st.SearchStrategy[Any]] = {
    "name": st.sampled_from(["mine", "gpt2", "raw"]),
    "normalizers": st.lists(
        st.one_of(steps, st.sampled_from(BROKEN_STEPS)), max_size=3
    ).map(tuple),
    "split": st.sampled_from(["gpt2", "none", "regex:", "regex:a(", *OWN_SPLITS]),
    "symbols": st.sampled_from(list(Symbols)),
    "end_of_word": st.sampled_from(list(EndOfWord)),
    "alphabet": st.sampled_from(list(Alphabet)),
    "special_tokens": st.lists(
        st.sampled_from(["", "<unk>", "<s>", "é", "b</w>"]), max_size=3
    ).map(tuple),
    "reserved_tokens": st.lists(st.sampled_from(["<unk>", "<s>"]), max_size=2).map(tuple),
    "unknown_token": st.sampled_from([None, "<unk>", "<s>"]),
    "vocabulary_size": st.sampled_from([None, 1, 256, 257, 500]),
    "merges": st.sampled_from([None, 0, 10]),
    "min_frequency": st.sampled_from([0, 1, 5]),
    "ties": st.sampled_from(list(Ties)),
}
drafts = st.builds(
    lambda base, changes: RecipeDraft(base).with_changes(**changes),
    st.sampled_from(list(PRESETS.values())),
    st.fixed_dictionaries({}, optional=values),
)


@given(drafts)
def test_a_draft_without_problems_is_a_recipe_and_no_other_is(draft: RecipeDraft) -> None:
    found = problems(draft)
    wrong_name = any(problem.field == "name" for problem in found)
    try:
        recipe = draft.recipe()
    except RecipeError:
        assert found
        return
    assert not found or (wrong_name and len(found) == 1)
    for field in recipe.__struct_fields__:
        if field not in ("name", "description"):
            assert getattr(recipe, field) == draft.value(field)


@given(drafts)
def test_what_is_changed_can_be_taken_back_part_by_part(draft: RecipeDraft) -> None:
    for part, fields in PARTS.items():
        same = [draft.value(field) == getattr(draft.base, field) for field in fields]
        assert all(same) == (part not in draft.changed_parts)
    for part in draft.changed_parts:
        draft = draft.reset(part)
        assert part not in draft.changed_parts
    assert set(draft.changes) <= {"name"}
    assert draft.with_changes(name=draft.base.name).recipe() is draft.base


@given(drafts)
def test_a_draft_comes_back_from_json(draft: RecipeDraft) -> None:
    written = draft_to_object(draft)
    assert draft_from_object(written) == draft
    assert draft_from_object(json.loads(json.dumps(written))) == draft


def test_a_draft_that_goes_on_from_an_encoding_is_not_kept(tmp_path: Path) -> None:
    inherited = recipe_of_ab().inherited
    assert inherited is not None
    draft = RecipeDraft(recipe_of_ab()).with_changes(
        inherited=replace(inherited, keeps_fallback=True)
    )
    assert draft.changed_parts == ("alphabet",)
    assert draft_to_object(draft) is None
    save_draft(tmp_path / "draft.json", draft)
    assert load_draft(tmp_path / "draft.json") is None


@pytest.mark.parametrize("found", [None, {}, 1, {"base": {}, "changes": {}}, {"base": 1}])
def test_what_holds_no_draft_says_so(found: object) -> None:
    with pytest.raises(RecipeError):
        draft_from_object(found)


def test_the_draft_of_an_earlier_version_is_the_first_of_several(tmp_path: Path) -> None:
    path = tmp_path / "drafts.json"
    first, other = (
        draft_to_object(RecipeDraft(PRESETS[name]).with_changes(split="digits"))
        for name in ("gpt2", "raw")
    )
    path.write_text(json.dumps([{**(first or {}), "written": 1.7e9}, other]))
    assert load_draft(path) == RecipeDraft(PRESETS["gpt2"]).with_changes(split="digits")


def test_the_character_to_blame_is_told() -> None:
    draft = RecipeDraft(Recipe()).with_changes(
        split="regex:é|[a", normalizers=("nfc", Replace("b)", ""))
    )
    found = {problem.field: problem for problem in problems(draft)}
    assert found["split"].position == 3
    assert (found["normalizers"].step, found["normalizers"].position) == (1, 1)


def test_choices_that_exclude_each_other_name_a_way_out() -> None:
    draft = RecipeDraft(PRESETS["gpt2"]).with_changes(end_of_word=EndOfWord.OWN)
    (problem,) = problems(draft)
    assert problem.field == "end_of_word"
    assert problem.sentence.endswith("set it to none")


def test_a_preset_with_changes_gets_a_name_of_its_own_until_it_is_given_one() -> None:
    draft = RecipeDraft(PRESETS["gpt2"])
    assert draft.name == "gpt2"
    draft = draft.with_changes(ties=Ties.LOWEST_ID)
    assert draft.name == "my gpt2"
    assert draft.recipe().description == "From gpt2, with changes: ties"
    assert draft.with_changes(name="words").name == "words"
    assert [problem.field for problem in problems(draft.with_changes(name="raw"))] == ["name"]


def test_a_field_that_no_recipe_has_is_an_error() -> None:
    with pytest.raises(KeyError, match="colour"):
        RecipeDraft(Recipe()).with_changes(colour="red")


@pytest.mark.parametrize("name", ["a\tb", "a" * 101])
def test_a_name_that_cannot_be_kept_is_a_problem(name: str) -> None:
    (problem,) = problems(RecipeDraft(PRESETS["gpt2"]).with_changes(name=name))
    assert problem.field == "name"

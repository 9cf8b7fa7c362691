"""Recipes and drafts that are kept in a folder, and files there that are neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import PRESETS, Recipe, RecipeError
from bpe_gui.folders import user_folders
from bpe_gui.ui.laboratory.draft_files import load_draft, save_draft
from bpe_gui.ui.laboratory.drafts import RecipeDraft
from bpe_gui.ui.laboratory.recipe_files import RecipeShelf


def keep(shelf: RecipeShelf, recipe: Recipe) -> Path:
    shelf.folder.mkdir(parents=True, exist_ok=True)
    path = shelf.path_for(recipe.name)
    recipe_io.save(recipe, path)
    return path


def test_what_is_kept_is_offered_by_name(tmp_path: Path) -> None:
    shelf = RecipeShelf(tmp_path / "recipes")
    assert shelf.load()[0] == {}
    words, again = Recipe("words"), Recipe("words", split="digits")
    keep(shelf, words)
    keep(shelf, Recipe("a/b"))
    assert shelf.load()[0] == {"a/b": Recipe("a/b"), "words": words}
    assert keep(shelf, again) == tmp_path / "recipes" / "words.json"
    assert shelf.load()[0]["words"] == again
    assert shelf.load()[1] == []


@given(st.lists(st.text(min_size=1, max_size=200).filter(lambda n: n.isprintable()), unique=True))
def test_any_names_can_be_kept_side_by_side(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    shelf = RecipeShelf(tmp_path_factory.mktemp("shelf"))
    for name in names:
        path = keep(shelf, Recipe(name))
        assert path.parent == shelf.folder
        assert shelf.holds(path)
    assert set(shelf.load()[0]) == set(names)


def test_a_file_that_is_no_recipe_is_told_of_and_not_written_over(tmp_path: Path) -> None:
    shelf = RecipeShelf(tmp_path)
    (tmp_path / "words.json").write_text("{")
    (tmp_path / "folder.json").mkdir()
    path = keep(shelf, Recipe("words"))
    assert path.name == "words 2.json"
    recipes, problems = shelf.load()
    assert recipes == {"words": Recipe("words")}
    assert len(problems) == 2
    assert str(tmp_path / "folder.json") in problems[0]
    assert str(tmp_path / "words.json") in problems[1]


def test_of_two_recipes_of_one_name_the_second_is_told_of(tmp_path: Path) -> None:
    recipe_io.save(Recipe("x"), tmp_path / "a.json")
    recipe_io.save(Recipe("x", split="digits"), tmp_path / "b.json")
    recipes, problems = RecipeShelf(tmp_path).load()
    assert recipes == {"x": Recipe("x")}
    assert "b.json holds another recipe named 'x'" in problems[0]


def test_what_is_no_folder_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "recipes").write_text("")
    recipes, problems = RecipeShelf(tmp_path / "recipes").load()
    assert recipes == {}
    assert "cannot be read" in problems[0]


def test_a_draft_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "drafts.json"
    draft = RecipeDraft(PRESETS["raw"]).with_changes(split="regex:(")
    save_draft(path, draft)
    assert load_draft(path) == draft


@pytest.mark.parametrize("data", [b"{", b"\xff", b"[1]", b"{}", b"[" * 100_000, b"[{}]"])
def test_a_damaged_draft_is_renamed(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "drafts.json"
    path.write_bytes(data)
    with pytest.raises(RecipeError, match=r"drafts\.damaged\.json"):
        load_draft(path)
    assert (tmp_path / "drafts.damaged.json").read_bytes() == data
    assert not path.exists()


def test_the_data_folder_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert user_folders().data == tmp_path / "bpe-gui"

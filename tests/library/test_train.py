"""Training from Python: what a corpus may be, which recipe is meant, and what is told meanwhile."""

from __future__ import annotations

import errno
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui import load, train
from bpe_gui.arguments import make_parser
from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.recipe import PRESETS, Recipe, Ties, preset
from bpe_gui.commands.train import recipe_of
from bpe_gui.folders import resource
from bpe_gui.library import CorpusError, RecipeError, RecipeKeys
from tests import oracle

WORDS = ["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3
LONG = "the quick brown fox jumps over the lazy dog 0123456789 "


@settings(max_examples=settings.default.max_examples // 2)
@given(
    st.sampled_from([*PRESETS]),
    st.sampled_from(["first-seen", "lowest-id"]),
    st.lists(st.text("ab le\n'1é漢", max_size=20), min_size=1, max_size=6),
)
def test_texts_are_documents_and_the_merges_are_those_of_the_oracle(
    name: str, ties: Any, texts: list[str]
) -> None:
    texts = [*texts, "lele"]
    tokenizer = train(iter(texts), preset=name, merges=20, ties=ties)
    recipe = preset(name).with_changes(vocabulary_size=None, merges=20, ties=Ties(ties))
    run = oracle.train([(text, 1) for text in texts], recipe)
    spelled = run.vocabulary
    assert tokenizer.vocab == {text: token for token, text in enumerate(spelled)}
    assert tokenizer.merges == [(spelled[left], spelled[right]) for left, right, _ in run.merges]
    for merge, position in zip(tokenizer.history, run.positions, strict=False):
        pairs = [(spelled[left], spelled[right], n) for left, right, n in position.pairs[:20]]
        runners_up = [(pair.left, pair.right, pair.count) for pair in merge.runners_up]
        assert [(merge.left, merge.right, merge.count), *runners_up] == pairs
        assert merge.token == merge.left + merge.right


def test_a_str_is_a_path_and_paths_are_several(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    one, two = folder / "1.txt", folder / "2.txt"
    one.write_text("low lower")
    two.write_text("newest widest")
    expected = train(["low lower", "newest widest"], merges=9).merges
    for corpus in (str(folder), folder, [one, two], iter([one, two])):
        assert train(corpus, merges=9).merges == expected
    with pytest.raises(TypeError, match=r"1\.txt is the name of a file; give its path as Path"):
        train([str(one), str(two)], merges=9)
    with pytest.raises(TypeError, match=r"2\.txt is the name of a file; give its path as Path"):
        train(iter(["a", str(two)]), merges=9)


def test_a_str_may_be_a_url(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    for name, text in (("1.txt", "low lower"), ("2.txt", "newest widest")):
        (tmp_path / name).write_text(text)
    expected = train(["low lower", "newest widest"], merges=9).merges
    address = tmp_path.as_uri()
    for corpus in (address, f"{address}/*.txt"):
        assert train(corpus, merges=9).merges == expected
    assert train(f"{address}/1.txt", merges=9).merges == train(["low lower"], merges=9).merges
    with pytest.raises(FileNotFoundError) as caught:
        train(f"{address}/3.txt", merges=9)
    assert not hasattr(caught.value, "__notes__")
    with pytest.raises(TypeError, match=r"1\.txt is a URL; give it as a str, not in a list"):
        train([f"{address}/1.txt", f"{address}/2.txt"], merges=9)
    about = [f"{address}/1.txt", "is where it lies"]
    assert train(about, merges=9).merges


def test_a_minus_is_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").write_text("low low")
    assert train("-", preset="whitespace", merges=1).merges == [("l", "o")]


def test_long_and_many_texts_are_those_of_the_file(tmp_path: Path) -> None:
    """More than a block, by compiled kernels."""
    path = tmp_path / "lines.txt"
    lines = [f"{LONG}{number} " * (1 + number % 3) for number in range(8000)]
    path.write_text("\n".join([*lines, LONG * 30_000]))
    of_file = train(path, documents="line", merges=50)
    assert train([*lines, LONG * 30_000], merges=50).merges == of_file.merges


@pytest.mark.parametrize("corpus", [b"text", {"low": 5}, {"low"}, 5, None])
def test_what_is_no_corpus_is_refused(corpus: Any) -> None:
    with pytest.raises(TypeError, match=r"^a corpus is a path, several paths or several texts"):
        train(corpus)


@pytest.mark.parametrize("corpus", [[3], ["a", b"b"], ["a", Path("b")]])
def test_texts_are_nothing_but_str(corpus: Any) -> None:
    with pytest.raises(TypeError, match=r"^text \d is not a str but "):
        train(corpus)


@pytest.mark.parametrize("corpus", [[], [""], iter(["", ""])])
def test_without_any_text_there_is_nothing_to_train_on(corpus: Any) -> None:
    with pytest.raises(CorpusError, match="there is no text in the texts"):
        train(corpus)


def test_half_a_surrogate_pair_is_named_or_replaced() -> None:
    with pytest.raises(CorpusError, match="text 2"):
        train(["a", "b\ud83d"])
    assert "\ufffd" in train(["a", "b\ud83d"], preset="raw", replace_errors=True).vocab


def test_a_text_where_a_path_is_expected_is_told_how_to_be_trained_on() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        train("low lower newest")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, "low lower newest")
    assert caught.value.__notes__ == [
        "A str is a path; to train on a text itself, put it in a list."
    ]
    with pytest.raises(CorpusError, match="null byte"):
        train("low\0lower")


def test_files_that_are_missing_or_unreadable_are_oserrors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "no.txt"
    for ask in (lambda: train(path), lambda: train([path]), lambda: train(WORDS, recipe=path)):
        with pytest.raises(FileNotFoundError) as caught:
            ask()
        assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(path))
        assert not hasattr(caught.value, "__notes__")
    path.write_text("low")

    def denied(name: object, *arguments: object, **options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(name))

    monkeypatch.setattr("builtins.open", denied)
    with pytest.raises(PermissionError) as unreadable:
        train(path)
    assert unreadable.value.filename == str(path)


def test_what_the_callers_own_code_raises_comes_through() -> None:
    ours = HTTPError("http://x", 404, "Not Found", Message(), None)
    full = OSError(errno.ENOSPC, "No space left on device", "log.txt")

    def texts() -> Iterator[str]:
        yield "low lower"
        raise ours

    def progress(done: int, total: int | None, phase: str) -> None:
        raise full

    for error, ask in (
        (ours, lambda: train(texts())),
        (full, lambda: train(WORDS, progress=progress)),
    ):
        with pytest.raises(OSError) as caught:  # noqa: PT011 - it is the very same object
            ask()
        assert caught.value is error
    ours.close()
    assert (full.errno, full.filename) == (errno.ENOSPC, "log.txt")


def test_options_for_files_are_refused_with_texts(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="every text is a document"):
        train(["a b"], documents="line")
    with pytest.raises(CorpusError, match="empty"):
        train("")


# -- the recipe ----------------------------------------------------------------------------------


def test_keys_of_a_recipe_are_arguments(tmp_path: Path) -> None:
    keys: dict[str, Any] = {"split": {"regex": "[a-z]+|[^a-z]"}, "symbols": "characters"}
    own = recipe_io.from_object({"recipe": 1, **keys, "merges": 3})
    path = tmp_path / "own.json"
    recipe_io.save(own, path)
    expected = train(WORDS, recipe=own).merges
    for recipe in (path, str(path), {**keys, "merges": 3}, {"recipe": 1, **keys, "merges": 3}):
        assert train(WORDS, recipe=recipe).merges == expected
    assert train(WORDS, preset="raw", **keys, merges=3).merges == expected
    more = train(WORDS, recipe=path, vocab_size=np.int64(13), special_tokens=("<s>",))
    assert (len(more.vocab), more.vocab["<s>"], len(more.merges)) == (13, 0, 2)


def test_all_keys_of_a_recipe_are_listed() -> None:
    # What a run inherits from an encoding is chosen with the encoding, and in no recipe's file.
    keys = set(Recipe.__struct_fields__) - {"inherited"}
    assert keys == RecipeKeys.__annotations__.keys()
    page = Path(resource("help", "recipe-file.md")).read_text("utf-8")
    assert not {key for key in keys if f"`{key}`" not in page}


def test_a_split_of_ones_own_is_written_as_the_refusal_says() -> None:
    with pytest.raises(RecipeError, match=r'\{"matches": REGEX\} and \{"sequence": \[...\]\}$'):
        train(WORDS, split="words")
    with pytest.raises(RecipeError, match=r'must be a name, \{"regex": REGEX\}, \{"matches": '):
        train(WORDS, split=r"regex:\w+")


def test_a_size_is_the_key_of_the_recipe_and_its_other_name() -> None:
    sizes = [train(WORDS, **{key: 260}) for key in ("vocab_size", "vocabulary_size")]  # type: ignore[arg-type]
    assert [len(tokenizer.vocab) for tokenizer in sizes] == [260, 260]


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"vocab_size": 300, "vocabulary_size": 300}, "are the same; leave one of them out"),
        ({"preset": "raw", "recipe": {}}, "a preset and a recipe are given"),
        ({"size": 300}, "the key 'size' is unknown; known are name, "),
        ({"min_frequency": 2.5}, "min_frequency must be a whole number, not 2.5"),
        ({"vocab_size": "300"}, "vocab_size must be a whole number, not '300'"),
        ({"merges": True}, "merges must be a whole number, not True"),
        ({"special_tokens": {"<s>"}}, "must be a list"),
        ({"recipe": {"recipe": 2}}, "its version is 2"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_refused(keys: Any, sentence: str) -> None:
    with pytest.raises(RecipeError, match=sentence.replace("(", r"\(")):
        train(WORDS, **keys)


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["--preset", "other"], {"preset": "other"}),
        (["--preset", "gpt2", "--vocab-size", "9"], {"preset": "gpt2", "vocab_size": 9}),
        (["--preset", "raw", "--alphabet", "bytes"], {"preset": "raw", "alphabet": "bytes"}),
        (["--preset", "raw", "--special", ""], {"preset": "raw", "special_tokens": [""]}),
    ],
)
def test_the_sentences_are_those_of_the_command_line(arguments: list[str], keys: Any) -> None:
    with pytest.raises(RecipeError) as ours:
        train(WORDS, **keys)
    with pytest.raises(RecipeError) as theirs:
        recipe_of(make_parser().parse_args(["train", "x", *arguments]))
    assert str(ours.value) == str(theirs.value)


# -- what is told meanwhile ----------------------------------------------------------------------


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """A machine on which nothing has been compiled, and compiling is done at once."""
    ready: list[bool] = []
    monkeypatch.setattr(kernel_cache, "is_ready", lambda part: bool(ready))
    monkeypatch.setattr(kernel_cache, "mark_ready", lambda part: ready.append(True))
    monkeypatch.setattr("bpe_gui.bpe.warm_up.warm_up", lambda: None)
    return ready


@pytest.mark.parametrize("merges", [40, 100_000])
def test_progress_rises_to_the_total_of_each_phase(tmp_path: Path, merges: int) -> None:
    path = tmp_path / "long.txt"
    path.write_text("".join(f"{LONG}{number}" for number in range(9000)))
    told: list[tuple[int, int | None, str]] = []
    tokenizer = train(path, merges=merges, progress=lambda *row: told.append(row))
    phases = list(dict.fromkeys(phase for _, _, phase in told))
    assert phases == ["reading", "merging"]
    for phase, end in (("reading", path.stat().st_size), ("merging", len(tokenizer.history))):
        rows = [(done, total) for done, total, found in told if found == phase]
        assert [done for done, _ in rows] == sorted(done for done, _ in rows)
        assert (rows[0][0], rows[-1]) == (0, (end, end))


def test_compiling_is_told_or_logged(
    uncompiled: list[bool], caplog: pytest.LogCaptureFixture
) -> None:
    told: list[tuple[int, int | None, str]] = []
    text = LONG * 2000
    train([text], merges=5, progress=lambda *row: told.append(row))
    assert told[:2] == [(0, None, "compiling"), (1, 1, "compiling")]
    assert not caplog.records
    uncompiled.clear()
    with caplog.at_level(logging.WARNING):
        train([text], merges=5)
    assert [record.getMessage() for record in caplog.records] == [
        "compiling for this machine, which takes half a minute, once ..."
    ]


def test_small_texts_need_no_compiling(
    uncompiled: list[bool], caplog: pytest.LogCaptureFixture
) -> None:
    tokenizer = train([LONG * 100], merges=5)
    tokenizer.encode(LONG * 100)
    assert not uncompiled
    before = tokenizer.encode(LONG)
    for _ in range(20):
        tokenizer.encode(LONG * 100)
    assert uncompiled, "all in all it was worth it"
    assert tokenizer.encode(LONG) == before


def test_a_bar_shows_all_phases(capsys: pytest.CaptureFixture[str]) -> None:
    train([LONG], merges=5, progress=True)
    written = capsys.readouterr().err
    assert "reading: 100%" in written
    assert "merging: 100%" in written


def gives_up(phase: str, give_up: Callable[[], None]) -> Callable[[int, int | None, str], None]:
    def progress(done: int, total: int | None, found: str) -> None:
        if found == phase and done:
            give_up()

    return progress


@pytest.mark.parametrize("phase", ["reading", "merging"])
def test_an_interrupt_ends_the_training_and_its_threads(phase: str, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("".join(f"{LONG}{number}" for number in range(200_000)))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threads = set(threading.enumerate())
    calls = 0

    def interrupt() -> None:
        nonlocal calls
        calls += 1
        signal.raise_signal(signal.SIGINT)

    try:
        with pytest.raises(KeyboardInterrupt):
            train(path, merges=100_000, progress=gives_up(phase, interrupt))
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == 1
    assert set(threading.enumerate()) <= threads, "one of an earlier test may have ended"


def test_progress_is_refused_before_the_training_if_it_cannot_be_called(tmp_path: Path) -> None:
    for ask in (
        lambda: train(tmp_path / "none.txt", progress=5),  # type: ignore[arg-type]
        lambda: load(tmp_path / "none.json", progress="yes"),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match="progress is True, False or a function, not "):
            ask()


def test_what_progress_raises_comes_through() -> None:
    def give_up() -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        train(WORDS, merges=3, progress=gives_up("merging", give_up))

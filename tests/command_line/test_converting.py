"""The command line converts encodings from any format to any other."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models

from bpe_gui.encodings.load import open_encoding
from tests.command_line.program import TEXT, assert_fails
from tests.encodings.formats.test_sentencepiece_export import trained as trained_model

WAYS = {"a.json": "", "a.tiktoken": "@gpt2", "vocab.json": "", "a.model": ""}


@pytest.mark.parametrize("source", WAYS)
@pytest.mark.parametrize("target", WAYS)
def test_each_format_is_converted_to_each(
    run, trained, tmp_path: Path, source: str, target: str
) -> None:
    first = f"{trained('gpt2', source)}{WAYS[source]}"
    (tmp_path / "out").mkdir()
    output = tmp_path / "out" / target
    result = run("convert", first, "-o", output)
    assert (result.status, result.err) == (0, "")
    others = {"a.model": "bpe-gui's own reader", "a.tiktoken": "the tiktoken library"}
    reader = others.get(target, "the tokenizers library")
    assert re.search(rf", read back by {reader}, [0-9,]+ characters agreed", result.out)
    second = open_encoding(f"{output}{WAYS[target]}")
    tokens, expected = second.encode(TEXT), open_encoding(first).encode(TEXT)
    assert tokens.starts.tolist() == expected.starts.tolist()
    if target != "a.model":
        assert tokens.ids.tolist() == expected.ids.tolist()
        assert "numbers anew" not in result.out
    elif source != target:
        assert "anew" in result.out


def test_special_tokens_that_a_file_does_not_hold_are_named(run, corpus: Path) -> None:
    path = corpus.with_name("a.tiktoken")
    arguments = ("--preset", "gpt2", "--merges", 9, "--special", "<end>")
    result = run("train", corpus, *arguments, "-o", path)
    assert (result.status, result.out) == (0, "")
    assert result.err.startswith(f"{path} does not hold the special tokens; read it as ")
    words = shlex.split(result.err.partition("; read it as ")[2])
    assert words == [f"{path}@gpt2", "--special", "<end>=0"]
    assert run("encode", *words, stdin="<end>").out == "0\n"


@pytest.mark.parametrize("preset", ["gpt4", "o200k", "categories"])
@pytest.mark.parametrize("target", ["a.tiktoken", "a.model", "b.json"])
def test_splits_and_special_tokens_are_converted(
    run, trained, tmp_path: Path, preset: str, target: str
) -> None:
    first = trained(preset, "first.json", "--special", "<|end|>", "--special", "<a>")
    output = tmp_path / target
    result = run("convert", first, "-o", output)
    assert result.status == 0
    text = f"{TEXT}<|end|>{TEXT}"
    expected = open_encoding(first).encode(text, specials_as_text=target == "a.tiktoken")
    if target == "a.tiktoken":
        split = {"gpt4": "cl100k"}.get(preset, preset)
        assert open_encoding(f"{output}@{split}").encode(text).ids.tolist() == expected.ids.tolist()
        words = shlex.split(result.out.partition("; read it as ")[2])
        assert words == [f"{output}@{split}", "--special", "<|end|>=0", "--special", "<a>=1"]
        assert run("encode", *words, stdin=text).out == run("encode", first, stdin=text).out
    else:
        assert open_encoding(output).encode(text).starts.tolist() == expected.starts.tolist()


@pytest.mark.parametrize(
    ("preset", "target", "message"),
    [
        ("gpt4", "vocab.json", "first.json splits by 'cl100k'"),
        ("raw", "a.tiktoken", "first.json"),
        ("whitespace", "a.model", "first.json"),
        ("char-bpe", "vocab.json", "first.json"),
        ("gpt2", "a.txt", "a.txt"),
        ("gpt2", "missing/a.model", "does not exist"),
    ],
)
def test_what_cannot_be_converted_is_not_written(
    run, trained, corpus: Path, preset: str, target: str, message: str
) -> None:
    first = trained(preset, "first.json")
    output = corpus.parent / target
    assert_fails(run("convert", first, "-o", output), message)
    assert sorted(corpus.parent.iterdir()) == [corpus, first]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"normalizer": {"type": "NFC"}}, "normalizes text (NFC)"),
        ({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True,
                            "use_regex": True}}, "adds a space before a text or a word"),
        ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
             "use_regex": True}, {"type": "Whitespace"}]}},
         "does not write the words of a text as bytes"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, "are made of characters"),
        ({"pre_tokenizer": None}, "are made of characters"),
    ],
)
def test_steps_that_only_a_tokenizer_json_can_hold(
    run, trained, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    first = trained("gpt2", "first.json")
    first.write_text(json.dumps({**json.loads(first.read_text()), **change}))
    for name in ("x.tiktoken", "x.model", "vocab.json"):
        assert_fails(run("convert", first, "-o", tmp_path / name), message)
        assert not (tmp_path / name).exists()
    copy = tmp_path / "x.json"
    assert run("convert", first, "-o", copy).status == 0
    assert run("encode", copy, stdin=TEXT).out == run("encode", first, stdin=TEXT).out


def test_models_without_merges_are_only_copied(
    run, sentences_model: Path, tmp_path: Path
) -> None:
    library = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    path = tmp_path / "wordpiece.json"
    library.save(str(path))
    output = tmp_path / "x.model"
    assert_fails(run("convert", path, "-o", output), "is not a byte-pair encoding but WordPiece")
    assert not output.exists()
    assert run("convert", path, "-o", tmp_path / "copy.json").status == 0
    for name, why in (
        ("x.json", "is not a byte-pair encoding but Unigram"),
        ("x.tiktoken", "is not a byte-pair encoding but Unigram"),
    ):
        assert_fails(run("convert", sentences_model, "-o", tmp_path / name), why)
        assert not (tmp_path / name).exists()


TARGETS = ("x.json", "x.tiktoken", "x.model", "vocab.json")


@pytest.mark.parametrize("arguments", [(), ("--to", "tokenizer.json")])
def test_standard_output_gets_a_tokenizer_json(
    run, trained, tmp_path: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = trained("gpt2", "first.tiktoken")
    monkeypatch.chdir(tmp_path)
    result = run("convert", f"{first}@gpt2", "-o", "-", *arguments)
    assert (result.status, result.err) == (0, "")
    assert Tokenizer.from_str(result.out).encode(TEXT).ids
    assert list(tmp_path.iterdir()) == [tmp_path / "corpus.txt", first]
    failed = run("convert", f"{first}@gpt2", "-o", "-", "--to", "minbpe")
    assert_fails(failed, "only tokenizer.json can be standard output, not minbpe")


def test_a_split_is_told_as_a_shell_reads_it(run, trained, tmp_path: Path) -> None:
    first = trained("gpt2", "first.tiktoken")
    output = tmp_path / "x.tiktoken"
    said = run("convert", rf"{first}@'s|\w+|\W", "-o", output).out
    spec = shlex.split(said.partition("; read it as ")[2])[0]
    assert spec == rf"{output}@'s|\w+|\W"
    assert run("encode", spec, "--format", "tokens", stdin="it's").out == "i t ' s\n"


@pytest.mark.parametrize("target", TARGETS)
def test_words_that_no_merge_makes_are_not_lost(
    run, trained, tmp_path: Path, target: str
) -> None:
    first = trained("gpt2", "first.json")
    state = json.loads(first.read_text())
    state["model"]["ignore_merges"] = True
    first.write_text(json.dumps(state))
    output = tmp_path / "out" / target
    output.parent.mkdir()
    assert run("convert", first, "-o", output).status == 0  # what is merged is also found whole

    state["model"]["vocab"]["xyzzy"] = 5000
    first.write_text(json.dumps(state))
    assert run("encode", first, stdin="xyzzy").out == "5000\n"
    other = output.parent / "other" / target
    other.parent.mkdir()
    result = run("convert", first, "-o", other)
    if target == "x.json":
        assert run("encode", other, stdin="xyzzy").out == "5000\n"
        return
    message = "makes the word 'xyzzy' one token although its merges do not make it"
    assert_fails(result, message)
    assert list(other.parent.iterdir()) == []


def test_a_token_that_no_merge_makes_is_no_special_token(run, trained, tmp_path: Path) -> None:
    first = trained("gpt2", "first.json")
    state = json.loads(first.read_text())
    state["model"]["vocab"]["xyzzy"] = 5000
    first.write_text(json.dumps(state))
    failed = run("convert", first, "-o", tmp_path / "vocab.json")
    assert_fails(failed, "no merge of first.json makes its token 'xyzzy'")
    assert run("convert", first, "-o", tmp_path / "x.json").status == 0


@pytest.mark.parametrize("target", TARGETS)
def test_added_tokens_that_are_also_merged_are_refused(
    run, trained, tmp_path: Path, target: str
) -> None:
    first = trained("gpt2", "first.json")
    merged = "".join(json.loads(first.read_text())["model"]["merges"][0])
    library = Tokenizer.from_file(str(first))
    library.add_special_tokens([merged])
    library.save(str(first))
    output = tmp_path / target
    result = run("convert", first, "-o", output)
    if target == "x.json":
        assert run("encode", output, stdin=TEXT).out == run("encode", first, stdin=TEXT).out
        return
    assert_fails(result, "is both an added token of first.json and")
    assert not output.exists()


def test_a_token_that_two_merges_make(run, trained, tmp_path: Path) -> None:
    first = trained("gpt2", "first.json")
    state = json.loads(first.read_text())
    new = {"qw": 5000, "we": 5001, "qwe": 5002}
    state["model"]["vocab"].update(new)
    state["model"]["merges"] += [["q", "w"], ["w", "e"], ["qw", "e"], ["q", "we"]]
    first.write_text(json.dumps(state))
    output = tmp_path / "vocab.json"
    assert run("convert", first, "-o", output).status == 0
    assert run("encode", output, stdin="qwe we").out == run("encode", first, stdin="qwe we").out
    failed = run("convert", first, "-o", tmp_path / "x.tiktoken")
    assert_fails(failed, "the same token")


def test_merges_that_ranks_cannot_express_are_refused(run, trained, tmp_path: Path) -> None:
    first = trained("gpt2", "first.json")
    state = json.loads(first.read_text())
    # The merges are the other way round than the ids.
    state["model"]["merges"][0], state["model"]["merges"][1] = (
        state["model"]["merges"][1], state["model"]["merges"][0],
    )
    first.write_text(json.dumps(state))
    assert_fails(run("convert", first, "-o", tmp_path / "x.tiktoken"), "in the order of ids")
    assert run("convert", first, "-o", tmp_path / "x.model").status == 0


def test_a_smaller_encoding_and_its_table_of_ids(run, trained, tmp_path: Path) -> None:
    whole = trained("gpt2", "whole.json", "--special", "<end>")
    text = tmp_path / "text.txt"
    text.write_text(TEXT, "utf-8")
    output, table = tmp_path / "small.json", tmp_path / "ids.csv"
    result = run("convert", whole, "-o", output, "--used-in", text, "--map", table)
    assert (result.status, result.err) == (0, "")
    rows = list(csv.reader(table.read_text("utf-8").splitlines()))
    assert rows[0] == ["old id", "new id", "token"]
    ids = {int(old): int(new) for old, new, _ in rows[1:]}
    old, new = open_encoding(str(whole)), open_encoding(str(output))
    assert re.match(rf"{len(ids):,} of {len(old.ids):,} tokens left, [0-9,]+ merges", result.out)
    assert [ids[token] for token in old.encode(TEXT).ids.tolist()] == new.encode(TEXT).ids.tolist()
    assert len(new.ids) == len(ids) < len(old.ids)


def test_a_folder_that_is_called_like_a_file_is_not_filled_by_mistake(
    run, trained, corpus: Path
) -> None:
    first, folder = trained("gpt2", "first.json"), corpus.with_name("dir.json")
    folder.mkdir()
    train = ["train", corpus, "--preset", "gpt2"]
    for command in (["convert", first], train, [*train, "--to", "tokenizer.json"]):
        assert_fails(run(*command, "-o", folder), "dir.json is a folder")
    assert list(folder.iterdir()) == []
    assert run("convert", first, "-o", f"{folder}/").status == 0
    assert sorted(path.name for path in folder.iterdir()) == ["merges.txt", "vocab.json"]


@pytest.mark.parametrize("output", ["small.json", "small.tiktoken", "vocab.json", "-"])
def test_an_encoding_and_its_table_of_ids_are_both_written_or_neither(
    run, trained, tmp_path: Path, output: str
) -> None:
    whole = trained("gpt2", "whole.json")
    before = sorted(tmp_path.iterdir())
    path = output if output == "-" else tmp_path / output
    result = run("convert", whole, "-o", path, "--merges", 3, "--map", "/dev/full")
    assert_fails(result, "/dev/full: No space left on device")
    assert (result.out, sorted(tmp_path.iterdir())) == ("", before)


def test_the_table_of_ids_is_not_a_file_of_the_encoding(run, trained, tmp_path: Path) -> None:
    whole, folder = trained("gpt2", "whole.json"), tmp_path / "small"
    folder.mkdir()
    table = folder / "merges.txt"
    result = run("convert", whole, "-o", folder, "--merges", 3, "--map", table)
    assert_fails(result, "merges.txt is a file of the tokenizer; name another for the table")
    assert list(folder.iterdir()) == []


def test_the_table_of_ids_has_those_of_the_file(run, trained, tmp_path: Path) -> None:
    """minbpe's format numbers tokens anew."""
    whole, output = trained("gpt2", "whole.json", "--special", "<end>"), tmp_path / "small.model"
    table = tmp_path / "ids.csv"
    assert run("convert", whole, "-o", output, "--merges", 3, "--map", table).status == 0
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    ids = {row["token"]: int(row["new id"]) for row in rows}
    assert (ids["!"], ids["<end>"]) == (ord("!"), 259)
    old, new = open_encoding(str(whole)), open_encoding(str(output))
    mapped = {int(row["old id"]): int(row["new id"]) for row in rows}
    text = "!a<end>"
    assert [mapped[token] for token in old.encode(text).ids.tolist()] == new.encode(
        text
    ).ids.tolist()


@pytest.mark.parametrize("smaller", [[], ["--merges", "3"]])
def test_which_texts_a_file_encodes_differently_is_said_of_smaller_ones_too(
    run, tmp_path: Path, smaller: list[str]
) -> None:
    model = tmp_path / "symbols.model"
    model.write_bytes(trained_model(user_defined_symbols=["<x>"], vocab_size=80))
    result = run("convert", model, "-o", tmp_path / "x.json", *smaller)
    assert result.status == 0
    assert "; a text that is only a user-defined symbol, like '<x>', gets no space" in result.out


def test_the_first_merges_are_kept(run, trained, tmp_path: Path) -> None:
    whole = trained("gpt2", "whole.json")
    output = tmp_path / "first.tiktoken"
    result = run("convert", whole, "-o", output, "--merges", 3)
    assert "259 of " in result.out
    assert len(open_encoding(f"{output}@gpt2").ids) == 259
    same = ["--map", tmp_path / "b.json"]
    assert_fails(
        run("convert", whole, "-o", tmp_path / "b.json", "--merges", 2, *same),
        "--map and -o name the same file",
    )
    assert_fails(
        run("convert", whole, "-o", tmp_path / "b.json", "--merges", -2), "'-2' is negative"
    )
    assert_fails(
        run("convert", whole, "-o", tmp_path / "b.json", "--map", tmp_path / "ids.csv"),
        "--map needs --merges or --used-in",
    )
    assert_fails(run("convert", whole, "-o", output, "--merges", 9999), "merges, not 9,999")

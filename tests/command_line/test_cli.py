"""The command line: what it prints and writes, and how it fails."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tokenizers import Regex, pre_tokenizers
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui import cli
from bpe_gui.arguments import CommandError, OpenRequest, make_parser, parse_open
from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import PRESETS, Alphabet, Prepend, Recipe, RecipeError, Replace
from tests.command_line.program import SENTENCES, assert_fails

OWN = Recipe(
    name="words",
    normalizers=("nfc", "lowercase", Replace("[ \\t]+", " "), Prepend(" ")),
    split=r"regex: ?\p{L}+|\p{N}|[^\p{L}\p{N}]",
    alphabet=Alphabet.BYTES,
    vocabulary_size=280,
)

# -- train -----------------------------------------------------------------------------------


def test_a_recipe_of_ones_own(run, corpus: Path, tmp_path: Path) -> None:
    path, output = tmp_path / "words.json", tmp_path / "tokenizer.json"
    recipe_io.save(OWN, path)
    result = run("train", corpus, "--recipe", path, "--special", "<s>", "-o", output, "--quiet")
    assert (result.status, result.out, result.err) == (0, "", "")
    assert LibraryTokenizer.from_file(str(output)).get_vocab_size() == 280
    assert run("encode", output, corpus).status == 0
    summary = run("train", corpus, "--recipe", path, "--merges", 30)
    assert "recipe      words" in summary.out
    assert "30 merges" in summary.out
    assert_fails(
        run("train", corpus, "--recipe", path, "-o", tmp_path / "x.tiktoken"),
        "cannot hold a normalizer, and the recipe 'words' has nfc, lowercase, replace",
    )
    path.write_text('{"recipe": 1, "split": {"regex": "a("}}')
    assert_fails(run("train", corpus, "--recipe", path), "missing ) at character 2")


@pytest.mark.parametrize("preset", PRESETS)
def test_train_encode_decode(run, corpus: Path, tmp_path: Path, preset: str) -> None:
    output = tmp_path / "tokenizer.json"
    result = run("train", corpus, "--preset", preset, "--merges", 30, "-o", output)
    assert (result.status, result.out, result.err) == (0, "", "")
    assert sorted(tmp_path.iterdir()) == [corpus, output]

    library = LibraryTokenizer.from_file(str(output)).encode(SENTENCES)
    as_json = json.loads(run("encode", output, corpus, "--format", "json").out)
    assert as_json["ids"] == library.ids
    assert as_json["tokens"] == library.tokens
    # The library lets markers of words' ends have the character before.
    assert as_json["offsets"] == [
        [end, end] if token == "</w>" else [start, end]
        for token, (start, end) in zip(library.tokens, library.offsets, strict=True)
    ]

    ids = run("encode", output, corpus).out
    assert [int(word) for word in ids.split()] == library.ids
    decoded = run("decode", output, stdin=ids).out
    if PRESETS[preset].byte_level or preset == "raw":
        assert decoded == SENTENCES
    else:
        assert decoded.split()[0] == "This"


def test_the_published_merges_of_the_course(run, tmp_path: Path) -> None:
    course = (
        "This is the Hugging Face Course.\n"
        "This chapter is about tokenization.\n"
        "This section shows several tokenizer algorithms.\n"
        "Hopefully, you will be able to understand how they are trained and generate tokens.\n"
    )
    output = tmp_path / "course.json"
    result = run(
        "train", "-", "--preset", "gpt2", "--alphabet", "observed", "--documents", "line",
        "--special", "<|endoftext|>", "--vocab-size", "50", "--events", "-", "-o", output,
        stdin=course,
    )
    events = [json.loads(line) for line in result.out.splitlines()]
    assert len(events) == 19
    first = {
        "step": 1, "left": "Ġ", "right": "t", "token": "Ġt", "id": 31, "count": 7, "tokens": 180
    }
    assert set(events[0]) == set(first)
    assert {**events[0], "tokens": 180} == first
    assert [(e["left"], e["right"], e["count"]) for e in events[1:3]] == [
        ("i", "s", 5), ("e", "r", 5),
    ]
    assert (events[-1]["left"], events[-1]["right"], events[-1]["count"]) == ("Ġtoken", "i", 2)
    tokens = run("encode", output, "--format", "tokens", stdin="This is not a token.")
    assert tokens.out == "This Ġis Ġ n o t Ġa Ġtoken .\n"


def test_events_of_word_counts(run, tmp_path: Path) -> None:
    counts = tmp_path / "counts.csv"
    counts.write_text("word,count\nlow,5\nlower,2\nnewest,6\nwidest,3\n")
    events_file = tmp_path / "events.jsonl"
    result = run(
        "train", counts, "--preset", "whitespace", "--merges", 3, "--events", events_file
    )
    assert (result.status, result.out) == (0, "")
    events = [json.loads(line) for line in events_file.read_text("utf-8").splitlines()]
    assert [(e["left"], e["right"], e["count"]) for e in events] == [
        ("e", "s", 9), ("es", "t", 9), ("est", "</w>", 9),
    ]
    before = 5 * 4 + 2 * 6 + 6 * 7 + 3 * 7
    assert [e["tokens"] for e in events] == [before - 9, before - 18, before - 27]


def test_without_outputs_a_summary_is_printed(run, corpus: Path) -> None:
    result = run("train", corpus, "--preset", "raw", "--merges", 25)
    assert result.status == 0
    assert "corpus.txt" in result.out
    assert "number of merges reached" in result.out
    assert re.search(r"^ +1 +\d+  \S+ \+ \S+$", result.out, re.MULTILINE)
    assert "5 more; --events FILE writes them all" in result.out


def test_writing_the_tokenizer_to_standard_output(run, corpus: Path) -> None:
    result = run("train", corpus, "--preset", "gpt2", "--merges", 2, "-o", "-")
    assert json.loads(result.out)["model"]["type"] == "BPE"


def test_a_folder_may_have_a_dot_in_its_name(run, corpus: Path, tmp_path: Path) -> None:
    output = f"{tmp_path}/v1.0/"
    assert run("train", corpus, "--preset", "gpt2", "--merges", 2, "-o", output).status == 0
    assert sorted(os.listdir(output)) == ["merges.txt", "vocab.json"]


def test_options_may_stand_anywhere(run, corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.json"
    assert run("train", "--merges", 2, corpus, "--preset", "gpt2", corpus, "-o", output).status == 0
    after = run("encode", output, corpus, "--format", "tokens")
    between = run("encode", output, "--format", "tokens", corpus)
    assert (between.out, between.err) == (after.out, "")
    assert_fails(run("encode", output, "--format", "tokens", corpus, corpus), "unrecognized")


def test_a_number_of_merges_is_not_cut_short_by_the_presets_vocabulary(corpus: Path) -> None:
    from bpe_gui.commands.train import recipe_of

    arguments = ["train", str(corpus), "--preset", "gpt2", "--merges", "40000"]
    recipe = recipe_of(make_parser().parse_args(arguments))
    assert (recipe.merges, recipe.vocabulary_size) == (40000, None)
    both = recipe_of(make_parser().parse_args([*arguments, "--vocab-size", "300"]))
    assert (both.merges, both.vocabulary_size) == (40000, 300)


def test_special_tokens_follow_those_of_the_preset(corpus: Path) -> None:
    from bpe_gui.commands.train import recipe_of

    arguments = ["train", "x", "--preset", "char-bpe", "--special", "<s>", "--special", "<unk>"]
    assert recipe_of(make_parser().parse_args(arguments)).special_tokens == ("<unk>", "<s>")


def test_a_summary_counts_in_the_singular_and_small_sizes_in_bytes(run) -> None:
    result = run("train", "-", "--preset", "raw", "--merges", 1, stdin="aaa")
    assert re.search(r"^corpus +standard input, 3 bytes in words$", result.out, re.MULTILINE)
    assert "2 entries: 0 special, 1 single symbol, 1 merge\n" in result.out
    result = run("train", "-", "--preset", "raw", "--merges", 2, stdin="abc" * 4000)
    assert "12.0 kB in words" in result.out
    assert "3 single symbols, 2 merges\n" in result.out


# -- encoding --------------------------------------------------------------------------------


@pytest.mark.parametrize("mark_and_encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_no_text(run, tokenizer: Path, mark_and_encoding: str) -> None:
    text = "Is this naïve 漢字?"
    expected = run("encode", tokenizer, "--format", "json", stdin=text).out
    assert json.loads(expected)["offsets"][0][0] == 0
    marked = run("encode", tokenizer, "--format", "json", stdin=text.encode(mark_and_encoding))
    assert (marked.status, marked.out) == (0, expected)
    ids = " ".join(map(str, json.loads(expected)["ids"]))
    assert run("decode", tokenizer, stdin=ids.encode(mark_and_encoding)).out == text


def test_offsets_of_bad_bytes_count_the_mark(run, tokenizer: Path) -> None:
    bad = run("encode", tokenizer, stdin=b"\xef\xbb\xbfab\xff")
    assert_fails(bad, "standard input is not UTF-8 text: byte 0xff at offset 5")
    assert_fails(run("encode", tokenizer, stdin=b"\xff\xfea\0b"), "is not UTF-16-LE text")


@pytest.mark.parametrize("output_format", ["ids", "tokens", "json"])
def test_characters_without_a_token_are_warned_of(run, tmp_path: Path, output_format: str) -> None:
    output = tmp_path / "raw.json"
    run("train", "-", "--preset", "raw", "--merges", 1, "-o", output, stdin="abab")
    arguments = ["encode", output, "--format", output_format]
    known = run(*arguments, stdin="abab")
    assert (known.status, known.err) == (0, "")
    result = run(*arguments, stdin="aba日本 b\n")
    assert result.status == 0
    assert result.out.count("\n") == 1
    assert result.err == (
        "bpe-gui: warning: 4 characters are not in the vocabulary and were dropped, the first "
        '"日" at character 4\n'
    )
    one = run(*arguments, stdin="abab\n")
    assert one.err == (
        "bpe-gui: warning: 1 character is not in the vocabulary and was dropped, "
        '"↵" at character 5\n'
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_no_warning_of_what_is_dropped_by_design(
    run, corpus: Path, tmp_path: Path, preset: str
) -> None:
    output = tmp_path / "tokenizer.json"
    run("train", corpus, "--preset", preset, "--merges", 5, "-o", output)
    text = SENTENCES + ("test  \t\n test e\u0301t\u0301" if preset != "raw" else "")
    expected = run("encode", output, stdin=text).err
    lost = {"whitespace": "2 characters are", "raw": None, "lines": "1 character is"}.get(preset)
    assert expected.startswith(f"bpe-gui: warning: {lost}") if lost else expected == ""


# -- failures --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("train CORPUS", "--preset"),
        ("train CORPUS --recipe missing.json", "missing.json"),
        ("train CORPUS --recipe missing.json --preset raw", "not allowed with argument"),
        ("train CORPUS --preset gpt7", "unknown preset 'gpt7'"),
        ("train CORPUS --preset gpt2 --vocab-size many", "'many'"),
        ("train CORPUS --preset gpt2 --vocab-size 9", "256"),
        ("train CORPUS --preset raw --vocab-size 2", "use at least"),
        ("train CORPUS --preset gpt2 --merges -3", "must be between"),
        ("train CORPUS --preset raw --alphabet bytes", "use the observed alphabet"),
        ("train CORPUS --preset gpt2 --special a --special a", "given twice"),
        ("train CORPUS --preset gpt2 --ties random", "--ties"),
        ("train missing.txt --preset gpt2", "missing.txt"),
        ("train CORPUS --preset gpt2 --encoding klingon", "klingon"),
        ("train CORPUS --preset gpt2 -o missing/x.json", "does not exist"),
        ("train CORPUS --preset gpt2 --events .", "is a folder"),
        ("train CORPUS --preset gpt2 -o - --events -", "only one"),
        ("train CORPUS --preset gpt2 -o x.json --events x.json", "cannot be the same file"),
        ("train CORPUS --preset gpt2 -o x.txt", "x.txt"),
        ("train CORPUS --preset gpt2 -o x.json --to gpt7", "there is no format 'gpt7'"),
        ("train CORPUS --preset gpt2 --to minbpe", "name it with -o"),
        ("train CORPUS --preset gpt2 -o - --to minbpe", "only tokenizer.json can be standard"),
        ("train CORPUS --preset gpt2 -o . --to minbpe", "is a folder"),
        ("train CORPUS --preset raw -o x.tiktoken", "tiktoken"),
        ("train CORPUS --preset gpt4 -o vocab.json", "splits by 'cl100k'"),
        ("encode missing.json CORPUS", "missing.json"),
        ("encode CORPUS CORPUS", "corpus.txt is not an encoding"),
        ("encode CORPUS@gpt2 CORPUS", "base 64"),
        ("encode tiktoken:gpt7 CORPUS", "'gpt7'"),
        ("encode hub:a/b/c CORPUS", "'a/b/c' is not a name on the Hugging Face hub"),
        ("compare CORPUS", "corpus.txt is not an encoding"),
        ("compare", "TOKENIZER"),
        ("convert CORPUS -o x.json", "corpus.txt is not an encoding"),
        ("convert CORPUS", "-o"),
        ("decode . CORPUS", "folder"),
        ("open missing.txt", "missing.txt"),
        ("open --preset gpt7", "unknown preset"),
        ("open --preset gpt2 --vocab-size 7", "256"),
        ("paint", "paint"),
        ("--wrong", "--wrong"),
    ],
)
def test_bad_input(
    run, corpus: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, message: str
) -> None:
    monkeypatch.chdir(corpus.parent)
    assert_fails(run(*arguments.replace("CORPUS", corpus.name).split()), message)
    assert list(corpus.parent.iterdir()) == [corpus]


def test_a_corpus_that_does_not_decode(run, tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("na\xefve".encode("latin-1"))
    failed = run("train", path, "--preset", "gpt2", "-o", tmp_path / "x.json")
    assert_fails(failed, "at byte offset 2")
    assert "--encoding" in failed.err
    assert "--replace-errors" in failed.err
    assert "▸" not in failed.err
    assert list(tmp_path.iterdir()) == [path]
    assert run("train", path, "--preset", "raw", "--encoding", "latin-1").status == 0


def test_a_field_that_is_not_there_names_the_option(run, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"content": "a b"}\n')
    failed = run("train", path, "--preset", "gpt2")
    assert_fails(failed, "'content'")
    assert "--json-field" in failed.err
    assert run("train", path, "--preset", "raw", "--json-field", "content").status == 0


def test_a_format_that_cannot_hold_the_vocabulary_leaves_no_file(run, tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("</w>a </w>a")
    outputs = ["-o", tmp_path / "x.json", "--events", tmp_path / "x.jsonl"]
    assert_fails(run("train", path, "--preset", "whitespace", *outputs), "spelled alike")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_merges_that_cannot_be_written_leave_the_tokenizer(run, corpus: Path) -> None:
    path = corpus.with_name("x.json")
    train = "train", corpus, "--preset", "gpt2", "--merges", 5, "--events", "/dev/full"
    assert_fails(run(*train, "-o", path), f"No space left on device; only {path} is written")
    assert path.is_file()
    assert_fails(run(*train), "/dev/full: No space left on device\n")


@pytest.fixture
def tokenizer(run, corpus: Path) -> Path:
    path = corpus.with_name("tokenizer.json")
    run("train", corpus, "--preset", "gpt2", "--merges", 5, "-o", path)
    return path


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ("1 2 x", "should hold ids, but holds 'x'"),
        ("1 -2", "holds '-2'"),
        ("[1, 2", "neither a list of ids nor JSON"),
        ('{"ids": 3}', "JSON list"),
        ("[true]", "JSON list"),
        ("999", "has no token with the id 999"),
        ("[-1]", "has no token with the id -1"),
        (b"\xff", "offset 0"),
    ],
)
def test_ids_that_cannot_be_decoded(run, tokenizer: Path, ids: str | bytes, message: str) -> None:
    assert_fails(run("decode", tokenizer, stdin=ids), message)


@pytest.mark.parametrize("ids", ["72 105", "72,105\n", "[72, 105]", '{"ids": [72, 105]}', ""])
def test_the_ways_to_write_ids(run, tokenizer: Path, ids: str) -> None:
    encoded = json.loads(run("encode", tokenizer, "--format", "json", stdin="Hi").out)
    ids = ids.replace("72", str(encoded["ids"][0])).replace("105", str(encoded["ids"][1]))
    assert run("decode", tokenizer, stdin=ids).out == ("Hi" if ids else "")


def test_text_that_is_not_utf8(run, tokenizer: Path) -> None:
    assert_fails(run("encode", tokenizer, stdin=b"abc\xff"), "byte 0xff at offset 3")


def test_tokens_with_white_space_stay_in_one_line(run, tmp_path: Path) -> None:
    output = tmp_path / "raw.json"
    run("train", "-", "--preset", "raw", "--merges", 2, "-o", output, stdin="a\n b\na\n b")
    result = run("encode", output, "--format", "tokens", stdin="a\n b")
    assert result.out == "a\\n\\x20 b\n"


# -- the window ------------------------------------------------------------------------------


def test_what_to_open(corpus: Path) -> None:
    assert parse_open([]) == OpenRequest()
    arguments = ["open", str(corpus), "--preset", "raw", "--vocab-size", "1,000", "--start"]
    assert parse_open(arguments) == OpenRequest((str(corpus),), "raw", 1000, True)
    with pytest.raises(RecipeError):
        parse_open(["open", "--preset", "gpt7"])
    with pytest.raises(CommandError):
        parse_open(["encode", "x"])


def test_a_recipe_of_ones_own_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    recipe_io.save(OWN, path)
    assert parse_open(["open", "--recipe", str(path)]) == OpenRequest(recipe=OWN)
    with pytest.raises(RecipeError, match="use at least 256"):
        parse_open(["open", "--recipe", str(path), "--vocab-size", "7"])
    with pytest.raises(CommandError, match="not allowed with argument --preset"):
        parse_open(["open", "--preset", "raw", "--recipe", str(path)])


def test_without_a_display_the_window_says_so(run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert_fails(run(), "there is no display")


# -- as a program ----------------------------------------------------------------------------


def test_help_and_version_as_a_program() -> None:
    shown = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "bpe_gui", "--help"],
        capture_output=True, text=True, check=True,
    )
    assert "train a tokenizer" in shown.stdout
    imported = set(re.findall(r"\| +([\w.]+)$", shown.stderr, re.MULTILINE))
    assert "argparse" in imported
    assert imported.isdisjoint({"numpy", "numba", "PySide6", "tokenizers", "regex"})


def test_a_reader_that_goes_away_is_no_error(tokenizer: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "bpe_gui", "encode", str(tokenizer)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        program.stdin.write(b"Hello")
        program.stdin.close()
        assert program.stderr.read() == b""
    assert program.returncode == cli.BROKEN_PIPE


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_is_no_traceback(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = subprocess.Popen(
        [sys.executable, "-m", "bpe_gui", "train", str(pipe), "--preset", "gpt2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    with program, pipe.open("w"):  # opens as soon as the program reads
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=300)
    assert (program.returncode, out, err) == (cli.INTERRUPTED, b"", b"")


def test_what_a_library_prints_when_it_gives_up_is_not_shown(
    run, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, output = tmp_path / "empty.json", tmp_path / "tokenizer.json"
    path.write_text('{"recipe": 1, "normalizers": [{"prepend": ""}], "merges": 5}')
    refused = run("train", corpus, "--recipe", path, "-o", output)
    assert_fails(refused, "prepend")

    def panic(*_: object) -> None:
        pre_tokenizers.Split(Regex("(a+)+$"), "isolated").pre_tokenize_str("a" * 40 + "b")

    monkeypatch.setattr("bpe_gui.commands.train.train_corpus", panic)
    arguments = ("train", corpus, "--preset", "gpt2", "--merges", 5, "-o", output)
    assert_fails(run(*arguments), "a library gave up")
    assert not output.exists()

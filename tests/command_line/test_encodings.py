"""The command line with encodings of any format: encode, decode, compare and convert."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
from tokenizers import Tokenizer, models, pre_tokenizers

from bpe_gui import cli
from bpe_gui.commands import streams
from bpe_gui.encodings import parallel, pieces, saving
from bpe_gui.encodings.opening import open_encoding
from tests.command_line.program import SENTENCES, assert_fails
from tests.encodings.hub_server import Hub, serving

TEXT = "This is naïve 漢字: isn't it?  12345\n\n\t👍🏽"


@pytest.fixture
def trained(run, corpus: Path):
    """Train with a preset and write a file; returns its path."""

    def train(preset: str, name: str, *arguments: object) -> Path:
        path = corpus.with_name(name)
        result = run(
            "train", corpus, "--preset", preset, "--merges", 30, "-o", path, *arguments
        )
        assert (result.status, result.out, result.err) == (0, "", "")
        return path

    return train


@pytest.fixture
def sentences_model(tmp_path: Path) -> Path:
    chance = random.Random(1)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(" ".join(chance.sample(SENTENCES.split(), 5)) for _ in range(100)),
        model_writer=model, vocab_size=60, hard_vocab_limit=False, minloglevel=3,
    )
    path = tmp_path / "sp.model"
    path.write_bytes(model.getvalue())
    return path


# -- train, encode and decode ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.json", "a.tiktoken", "vocab.json", "a.model"])
def test_each_format_is_trained_encoded_and_decoded(run, trained, name: str) -> None:
    path = trained("gpt2", name)
    spec = f"{path}@gpt2" if name == "a.tiktoken" else path
    result = run("encode", spec, "--format", "json", stdin=TEXT)
    found = json.loads(result.out)
    assert found["ids"] == open_encoding(str(spec)).encode(TEXT).ids.tolist()
    assert run("decode", spec, stdin=result.out).out == TEXT


def test_a_format_is_named_by_to(run, trained, tmp_path: Path) -> None:
    path = trained("gpt4", "any.thing", "--to", "minbpe")
    assert path.read_text().startswith("minbpe v1\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    trained("gpt2", "folder")
    assert sorted(part.name for part in folder.iterdir()) == ["merges.txt", "vocab.json"]


def test_what_a_format_cannot_hold_is_known_before_the_training(
    run, corpus: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "not-even-there.txt"
    output = tmp_path / "x.tiktoken"
    failed = run("train", missing, "--preset", "char-bpe", "-o", output)
    assert_fails(failed, ".tiktoken can only hold tokens made of bytes")
    assert list(tmp_path.iterdir()) == [corpus]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a.json", ["unverified-a.json"]),
        ("a.tiktoken", ["unverified-a.tiktoken"]),
        ("vocab.json", ["unverified-merges.txt", "unverified-vocab.json"]),
        (".", ["unverified-merges.txt", "unverified-vocab.json"]),
        ("-", []),
    ],
)
def test_what_its_library_reads_otherwise_is_not_written(
    run, corpus: Path, name: str, kept: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(corpus.parent)
    before = {"a.json": "{}", "vocab.json": "{}", "merges.txt": "", "a.tiktoken": "x"}
    for file, content in before.items():
        Path(file).write_text(content)
    problem = saving.Agreement(7, saving.Mismatch("abc", 1, (1, 2), (1, 3)))
    monkeypatch.setattr(saving, "verify", lambda *arguments, **options: problem)
    result = run("train", corpus, "--preset", "gpt2", "--merges", 3, "-o", name, "--events", "e")
    assert (result.status, result.out) == (1, "")
    assert "differs at character 2: 1 2 here, 1 3 in the file" in result.err
    assert result.err.count("\n") == 1
    assert all(Path(file).read_text() == content for file, content in before.items())
    assert sorted(os.listdir()) == sorted([*before, "corpus.txt", *kept])
    for file in kept:
        assert f"unverified-{name.replace('.', 'vocab.json', name == '.')}" in result.err
        assert Path(file).stat().st_size > 0


def test_it_is_tried_before_it_is_put_in_its_place(
    run, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = corpus.with_name("a.json")
    verify = saving.verify

    there = []

    def while_trying(*arguments, **options):
        there.append(output.exists())
        return verify(*arguments, **options)

    monkeypatch.setattr(saving, "verify", while_trying)
    assert run("train", corpus, "--preset", "gpt2", "--merges", 3, "-o", output).status == 0
    assert there == [False]
    assert run("train", corpus, "--preset", "gpt2", "--merges", 3, "-o", "/dev/null").status == 0
    as_text = run("train", corpus, "--preset", "gpt2", "--merges", 3, "-o", "-").out
    assert as_text == output.read_text("utf-8")


def test_sentencepiece_models_encode_and_decode(run, sentences_model: Path) -> None:
    library = sentencepiece.SentencePieceProcessor(model_file=str(sentences_model))
    out = run("encode", sentences_model, stdin="This is a test.").out
    assert [int(word) for word in out.split()] == library.encode("This is a test.")
    assert run("decode", sentences_model, stdin=out).out == "This is a test."


def test_ranks_take_a_regex(run, trained) -> None:
    path = trained("gpt2", "a.tiktoken")
    found = run("encode", rf"{path}@\w+|\W", "--format", "tokens", stdin="This is").out
    assert found == "This Ġ is\n"
    assert_fails(run("encode", f"{path}@(", stdin="x"), "is not a regular expression")
    assert_fails(run("encode", path, stdin="x"), "does not say how text is split")


def test_special_tokens_of_ranks(run, trained, tmp_path: Path) -> None:
    ranks = f"{trained('gpt2', 'a.tiktoken')}@gpt2"
    text = "This<|end|><a=b> <|endoftext|>"
    specials = ["--special", "<|end|>=5000", "--special", "<a=b>=5002"]
    plain = run("encode", ranks, stdin=text).out.split()
    result = run("encode", ranks, *specials, stdin=text)
    ids = result.out.split()
    assert [ids.index("5000"), ids.index("5002")] == [1, 2]
    assert len(ids) < len(plain)
    assert run("decode", ranks, *specials, stdin=result.out).out == text
    assert_fails(run("decode", ranks, stdin="5000"), "has no token with the id 5000")
    known = run("encode", ranks, "--special", "p50k_edit", *specials, stdin=text).out.split()
    assert "50256" in known
    assert "5002" in known
    assert run("encode", ranks, "--special", "none", stdin=text).out.split() == plain

    tokens = [row["tokens"] for row in json.loads(
        run("compare", ranks, ranks.replace("@gpt2", "@none"), *specials, "--text", "-",
            "--format", "json", stdin="<|end|>").out
    )]
    assert tokens == [1, 1]
    output = tmp_path / "out.json"
    assert run("convert", ranks, *specials, "-o", output).status == 0
    assert run("encode", output, stdin=text).out == result.out


@pytest.mark.parametrize(
    ("special", "message"),
    [
        ("<x>", "--special takes a token, an equals sign and an id up to 2,147,483,647"),
        ("<x>=", "but not '<x>='"),
        ("<x>=-1", "but not '<x>=-1'"),
        ("<x>=2147483648", "but not '<x>=2147483648'"),
        ("=5000", "a special token cannot be empty"),
        ("<x>=3", "'<x>' has the id 3, which a.tiktoken has for"),
        ("<y>=5000", "has the id 5000, which a.tiktoken has for '<z>' already"),
        ("<z>=5001", "gives the token '<z>' two ids, 5000 and 5001"),
        ("<z=5001", "one special token begins with another"),
        ("\udcff=7000", "is not valid Unicode text"),
    ],
)
def test_special_tokens_that_make_no_sense(run, trained, special: str, message: str) -> None:
    ranks = f"{trained('gpt2', 'a.tiktoken')}@gpt2"
    failed = run("encode", ranks, "--special", "<z>=5000", "--special", special, stdin="x")
    assert_fails(failed, message)


def test_special_tokens_are_for_ranks(run, trained) -> None:
    path, ranks = trained("gpt2", "a.json"), trained("gpt2", "a.tiktoken")
    failed = run("compare", path, "tiktoken:no-such", "--special", "<z>=5000")
    assert_fails(failed, "no-such")
    assert_fails(run("encode", path, "--special", "<z>=5000"), "--special is for rank files, like")
    assert_fails(run("encode", ranks, "--special", "<z>=5000"), "does not say how text is split")
    missing = run("encode", "missing@gpt2", "--special", "<z>=5000")
    assert_fails(missing, "there is no file or folder missing")
    assert run("compare", path, f"{ranks}@gpt2", "--special", "<z>=5000").status == 0


def test_a_library_that_panics_is_one_line(
    run, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    library = Tokenizer(models.BPE(vocab={"a": 0}, merges=[]))
    library.pre_tokenizer = pre_tokenizers.ByteLevel()
    state = json.loads(library.to_str())
    state["pre_tokenizer"] = {
        "type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False,
    }
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(state))
    assert_fails(run("encode", path, stdin="a" * 40 + "b"), "hostile.json cannot cut this text")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"[{'9' * 5000}]", "has a number of thousands of digits, which is no id"),
        ("[" * 100_000, "is neither a list of ids nor JSON"),
        ("-1", "should hold ids, but holds '-1'"),
        ('{"ids": [1.0]}', "should hold a JSON list of ids"),
        ("4294967296", "has no token with the id 4294967296"),
    ],
)
def test_what_are_no_ids(run, trained, text: str, message: str) -> None:
    assert_fails(run("decode", trained("gpt2", "a.json"), stdin=text), message)


def test_a_text_without_end_is_refused(
    run, trained, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(streams, "_LONGEST", 1 << 20)
    monkeypatch.setattr(pieces, "LONGEST_HELD", 1 << 20)
    path = trained("gpt2", "a.json")
    failed = run("encode", path, "/dev/zero")
    assert_fails(failed, "/dev/zero has more than 1 MB without a place where a.json is known to")
    endless = tmp_path / "endless.txt"
    endless.touch()
    os.truncate(endless, 1 << 30)
    assert_fails(run("decode", path, endless), "endless.txt should hold ids, but holds '\\x00")
    failed = run("decode", path, stdin="[" + "1," * (1 << 20))
    assert_fails(failed, "standard input has more than 1 MB")


@pytest.mark.parametrize("separator", [" ", ",", ", ", "\n", " \u2003"])
@pytest.mark.parametrize("preset", ["gpt2", "whitespace", "char-bpe"])
def test_ids_are_decoded_as_they_come(
    run, trained, monkeypatch: pytest.MonkeyPatch, separator: str, preset: str
) -> None:
    path = trained(preset, "a.json")
    ids = run("encode", path, stdin=SENTENCES * 3).out.replace(" ", separator)
    whole = run("decode", path, stdin=ids)
    assert (whole.status, whole.err) == (0, "")
    for size in (1, 2, 5, 64):
        monkeypatch.setattr(streams, "_BLOCK", size)
        assert run("decode", path, stdin=ids).out == whole.out
    for wrong in ("1" * 11, "x", "-1", "\u0661"):
        failed = run("decode", path, stdin=wrong + separator + ids)
        assert_fails(failed, f"standard input should hold ids, but holds '{wrong[:1]}")


def test_ids_that_are_decoded_together_are_held_up_to_a_bound(
    run, trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "MOST_IDS_HELD", 10)
    bytes_apart, together = trained("gpt2", "a.json"), trained("whitespace", "b.json")
    assert run("decode", bytes_apart, stdin="5 " * 11).status == 0
    assert run("decode", together, stdin="5 " * 10).status == 0
    failed = run("decode", together, stdin="5 " * 11)
    assert_fails(failed, "has more than 10 ids, and b.json has to see all of them at once")
    for ids in (f"[{10**30}]", "[-1]", f"{2**31}"):
        assert_fails(run("decode", together, stdin=ids), "b.json has no token with the id")


@pytest.mark.parametrize("output_format", ["ids", "tokens", "json"])
@pytest.mark.parametrize("source", ["file", "standard input", "UTF-16"])
def test_a_long_text_is_encoded_piece_by_piece(
    run, trained, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, output_format: str, source: str
) -> None:
    path = trained("gpt2", "a.json")
    text = f"{SENTENCES}  <|end|>\n\n{TEXT}" * 40
    arguments = ("encode", path, "--format", output_format)
    whole = run(*arguments, stdin=text)
    monkeypatch.setattr(streams, "_BLOCK", 7)
    monkeypatch.setattr(pieces, "PIECE", 300)
    monkeypatch.setattr(pieces, "LONGEST_HELD", 1000)
    if source == "standard input":
        found = run(*arguments, stdin=text)
    else:
        file = tmp_path / "long.txt"
        file.write_text(text, encoding="utf-16" if source == "UTF-16" else "utf-8")
        found = run(*arguments, file)
    assert (found.status, found.err) == (0, "")
    assert found.out == whole.out
    if output_format == "json":
        tokens = open_encoding(path).encode(text)
        expected = json.loads(found.out)
        assert expected["ids"] == tokens.ids.tolist()
        offsets = np.column_stack((tokens.char_starts, tokens.char_ends))
        assert expected["offsets"] == offsets.tolist()


def test_what_is_no_text_is_told_wherever_it_stands(
    run, trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = trained("gpt2", "a.json")
    data = b"word " * 10 + "é".encode() + b"\xff word"
    for size in (1, 3, 51, 1000):
        monkeypatch.setattr(streams, "_BLOCK", size)
        failed = run("encode", path, stdin=data)
        assert_fails(failed, "standard input is not UTF-8 text: byte 0xff at offset 52")
        assert_fails(run("encode", path, stdin=data[:51]), "byte 0xc3 at offset 50")
    failed = run("encode", path, stdin=b"\xff\xfea\0\0")
    assert_fails(failed, "standard input is not UTF-16-LE text: byte 0x00 at offset 4")


def test_characters_that_are_left_out_are_counted_over_all_pieces(
    run, trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = trained("whitespace", "a.json")
    text = "This is a test " * 50 + "日本 " + "This is é test 日 " * 50
    monkeypatch.setattr(streams, "_BLOCK", 64)
    monkeypatch.setattr(pieces, "PIECE", 64)
    result = run("encode", path, stdin=text)
    assert result.status == 0
    assert result.err == (
        "bpe-gui: warning: 102 characters are not in the vocabulary and were left out, the first "
        '"日" at character 751\n'
    )


def test_encodings_are_files(run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, "/dev/zero", "/dev/null"):
        assert_fails(run("encode", path, stdin="x"), "is a pipe or a device")
    assert_fails(run("encode", "", stdin="x"), "no empty name")


@pytest.mark.parametrize(
    ("closed", "status", "err"),
    [
        ("<&-", 2, "bpe-gui: error: there is no standard input to read; name a file instead\n"),
        (">&-", 2, "bpe-gui: error: there is no standard output to write to\n"),
        ("2>&-", 0, ""),
        ("<&- >&- 2>&-", 2, ""),
    ],
)
def test_closed_streams(trained, closed: str, status: int, err: str) -> None:
    path = trained("gpt2", "a.json")
    command = f'exec "$0" -m bpe_gui encode "$1" {closed}'
    result = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable, str(path)],
        input="This", capture_output=True, text=True, check=False,
    )
    assert (result.returncode, result.stderr) == (status, err)
    assert (result.stdout != "") == (status == 0)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_a_library_at_work() -> None:
    code = (
        "from bpe_gui.commands.streams import ended_by_interrupts\n"
        "with ended_by_interrupts():\n"
        "    print('at work', flush=True)\n"
        "    sum(range(10**12))\n"  # which looks for no signals
    )
    program = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == b"at work\n"
            program.send_signal(signal.SIGINT)
            out, err = program.communicate(timeout=30)
        finally:
            program.kill()
    assert (program.returncode, out, err) == (-signal.SIGINT, b"", b"")


# -- compare ---------------------------------------------------------------------------------


def test_compare_on_the_story_as_a_table(run, trained, sentences_model: Path) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt4", "two.tiktoken")
    result = run("compare", one, f"{two}@gpt4", sentences_model)
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].split()[:2] == ["tokens", "chars/token"]
    names = [str(one), f"{two}@gpt4", str(sentences_model)]
    assert [line.split()[0] for line in lines[1:4]] == names
    english = next(line for line in lines if line.startswith("English"))
    tokens = len(open_encoding(one).encode(parallel.languages()["en"].text))
    assert english.split()[1:3] == [f"{tokens:,}", "1.00"]
    assert sum(line.startswith("Russian") for line in lines) == 1


def test_compare_as_json_and_csv(run, trained) -> None:
    path = trained("gpt2", "one.json")
    found = json.loads(run("compare", path, path, "--format", "json").out)
    assert [one["encoding"] for one in found] == [str(path), str(path)]
    story = parallel.joined().text
    assert found[0]["characters"] == len(story)
    assert found[0]["tokens"] == len(open_encoding(path).encode(story))
    languages = found[0]["languages"]
    assert list(languages) == list(parallel.languages())
    assert languages["en"]["parity"] == 1.0
    assert languages["ru"]["parity"] == languages["ru"]["tokens"] / languages["en"]["tokens"]

    rows = list(csv.DictReader(io.StringIO(run("compare", path, "--format", "csv").out)))
    assert [row["language"] for row in rows] == ["", *languages]
    assert float(rows[0]["bytes_per_token"]) == found[0]["bytes_per_token"]
    assert rows[0]["parity"] == ""
    assert int(rows[1]["tokens"]) == languages["en"]["tokens"]


@pytest.mark.parametrize("name", ["ru", "Russian", "RUSSIAN", "русский"])
def test_languages_are_held_against_any_of_them(run, trained, name: str) -> None:
    path = trained("gpt2", "one.json")
    arguments = ["compare", path, "--reference", name, "--format"]
    languages = json.loads(run(*arguments, "json").out)[0]["languages"]
    for numbers in languages.values():
        assert numbers["parity"] == numbers["tokens"] / languages["ru"]["tokens"]
    rows = csv.DictReader(io.StringIO(run(*arguments, "csv").out))
    parities = {row["language"]: row["parity"] for row in rows}
    assert parities["ru"] == "1.0"
    assert float(parities["en"]) == languages["en"]["parity"]
    table = run(*arguments, "table").out
    assert "how many for one of Russian:" in table
    assert re.search(r"^Russian +[0-9,]+  1\.00", table, re.MULTILINE)


def test_a_reference_that_is_no_language_of_the_story(run, trained, corpus: Path) -> None:
    path = trained("gpt2", "one.json")
    unknown = run("compare", path, "--reference", "Klingon")
    assert_fails(unknown, "the story is not written in 'Klingon'; its languages are en (English), ")
    with_text = run("compare", path, "--reference", "ru", "--text", corpus)
    assert_fails(with_text, "--reference is a language of the built-in story")


def test_compare_on_a_text(run, trained, corpus: Path) -> None:
    path = trained("whitespace", "one.json")
    from_file = run("compare", path, "--text", corpus, "--format", "json").out
    assert run("compare", path, "--text", "-", "--format", "json", stdin=SENTENCES).out == from_file
    found = json.loads(from_file)[0]
    assert found["characters"] == len(SENTENCES)
    assert found["languages"] == {}
    assert found["words"] + found["unspaced_words"] == len(SENTENCES.split())
    assert found["unknowns"] == 0
    result = run("compare", path, "--text", "-", "--format", "json", stdin="日本 a")
    unknown = json.loads(result.out)
    assert unknown[0]["unknowns"] == 2
    assert unknown[0]["decodes_back"] is False
    assert unknown[0]["loss"].startswith("lossy: 2 unknown characters")
    shown = run("compare", path, "--text", corpus).out
    assert len(shown.splitlines()) == 2


def test_compare_tells_what_does_not_come_back(run, trained) -> None:
    exact, lossy = trained("gpt2", "one.json"), trained("char-bpe", "two.json")
    found = json.loads(run("compare", exact, lossy, "--format", "json").out)
    assert (found[0]["decodes_back"], found[0]["loss"]) == (True, "")
    assert found[1]["decodes_back"] is False
    assert found[1]["languages"]["ja"]["loss"].startswith("lossy: ")
    lines = run("compare", exact, lossy).out.splitlines()
    assert lines[1].endswith("yes")
    assert "lossy: " in lines[2]
    japanese = next(line for line in lines if line.startswith("Japanese"))
    assert japanese.endswith("*")
    assert japanese.count("*") == 1


def test_columns_stand_below_each_other_also_after_wide_names(run, trained, corpus: Path) -> None:
    wide, narrow = trained("gpt2", "漢字.json"), trained("gpt2", "ab.json")
    lines = run("compare", wide, narrow, "--text", corpus).out.splitlines()
    assert len(lines[1]) + len("漢字") == len(lines[2])


def test_compare_on_a_folder_is_the_same(run, trained, corpus: Path, tmp_path: Path) -> None:
    path = trained("gpt2", "one.json")
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text(SENTENCES, encoding="utf-8")
    whole = json.loads(run("compare", path, "--text", corpus, "--format", "json").out)
    streamed = json.loads(run("compare", path, "--text", folder, "--format", "json").out)
    assert (whole[0].pop("decodes_back"), whole[0].pop("loss")) == (True, "")
    # What streams by is not there any more to be held against what comes back.
    assert (streamed[0].pop("decodes_back"), streamed[0].pop("loss")) == (None, None)
    assert streamed == whole


def test_compare_tells_which_files_of_a_folder_were_left_out(
    run, trained, corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "a.txt").write_text(SENTENCES, encoding="utf-8")
    (folder / "b.bin").write_bytes(b"no\0text")
    result = run("compare", trained("gpt2", "one.json"), "--text", folder, "--format", "json")
    assert "1 file is no text and was left out: b.bin." in result.err
    assert json.loads(result.out)[0]["bytes"] == len(SENTENCES.encode("utf-8"))


def test_compare_on_files_in_another_encoding(run, trained, tmp_path: Path) -> None:
    path = trained("gpt2", "one.json")
    (tmp_path / "old.txt").write_bytes("café".encode("latin-1"))
    text = ("compare", path, "--format", "json", "--text", tmp_path / "old.txt")
    assert json.loads(run(*text, "--encoding", "latin-1").out)[0]["characters"] == 4
    assert json.loads(run(*text, "--replace-errors").out)[0]["characters"] == 4


@pytest.mark.parametrize("name", ["a.json", "a.model", "vocab.json"])
def test_names_of_files_that_are_no_utf8(
    run, trained, corpus: Path, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / os.fsdecode(b"na\xffme")
    folder.mkdir()
    path = folder / name
    result = run("train", corpus, "--preset", "gpt2", "--merges", 3, "-o", path)
    assert result.status == 0
    assert run("encode", path, stdin="x").status == 0
    found = json.loads(run("compare", path, "--text", corpus, "--format", "json").out)
    assert found[0]["encoding"] == str(path)
    assert r"na\udcffme" in run("compare", path, "--text", corpus).out


def test_compare_on_what_is_not_there(run, trained, tmp_path: Path) -> None:
    path = trained("gpt2", "one.json")
    assert_fails(run("compare", path, "--text", tmp_path / "missing"), "missing")
    assert_fails(run("compare", path, "--text", "-", stdin=b"\xff"), "is not UTF-8 text")


# -- convert ---------------------------------------------------------------------------------

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
        assert "with ids that the format numbers anew" in result.out


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
        ("gpt4", "vocab.json", "stand for GPT-2's words, and first.json splits by 'cl100k'"),
        ("raw", "a.tiktoken", "the tokens of first.json are made of characters"),
        ("whitespace", "a.model", "the tokens of first.json are made of characters"),
        ("char-bpe", "vocab.json", "the tokens of first.json are made of characters"),
        ("gpt2", "a.txt", "does not say which format is meant"),
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
                            "use_regex": True}}, "puts a space before a text or a word"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, "does not write the words of a text as bytes"),
        ({"pre_tokenizer": None}, "does not write the words of a text as bytes"),
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
    assert_fails(run("convert", path, "-o", output), "is no byte-pair encoding but WordPiece")
    assert not output.exists()
    assert run("convert", path, "-o", tmp_path / "copy.json").status == 0
    failed = run("convert", sentences_model, "-o", tmp_path / "x.json")
    assert_fails(failed, "is a model of SentencePiece, which puts pieces together by scores")
    assert not (tmp_path / "x.json").exists()


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
    message = "takes the word 'xyzzy' for one token although its merges do not make it"
    assert_fails(result, message)
    assert list(other.parent.iterdir()) == []


def test_a_token_that_no_merge_makes_is_no_special_token(run, trained, tmp_path: Path) -> None:
    first = trained("gpt2", "first.json")
    state = json.loads(first.read_text())
    state["model"]["vocab"]["xyzzy"] = 5000
    first.write_text(json.dumps(state))
    failed = run("convert", first, "-o", tmp_path / "vocab.json")
    assert_fails(failed, "the token 'xyzzy' of first.json is made by no merge")
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
    assert_fails(failed, "two merges that make the same token")


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


# -- downloads -------------------------------------------------------------------------------


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_a_download_and_nothing_is_left(tmp_path: Path) -> None:
    environment = {
        "PATH": "/usr/bin:/bin", "HF_HOME": str(tmp_path / "home"), "NO_PROXY": "127.0.0.1",
    }
    library = Tokenizer(models.WordLevel({f"w{n}": n for n in range(20_000)}, unk_token="w0"))
    hub = Hub(files={"someone/words": library.to_str().encode()}, stalls=True)
    with serving(hub):
        program = subprocess.Popen(
            [sys.executable, "-m", "bpe_gui", "compare", "hub:someone/words"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**environment, "HF_ENDPOINT": hub.address}, cwd=Path(__file__).parents[2],
        )
        with program:
            assert hub.stalled.wait(60)
            program.send_signal(signal.SIGINT)
            out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err) == (cli.INTERRUPTED, b"", b"")


def test_what_the_hub_refuses_is_one_line(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Hub(refused={"someone/words": (401, "GatedRepo")})) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        result = run("encode", "hub:someone/words", stdin="x")
    assert_fails(result, "access to someone/words on the Hugging Face hub is restricted")


def test_standard_error_may_be_closed(trained) -> None:
    path = trained("gpt2", "one.json")
    program = subprocess.run(
        ["sh", "-c", f"echo This | {sys.executable} -m bpe_gui encode {path} --format tokens 2>&-"],
        stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[2],
    )
    assert program.stdout == "This Ċ\n".encode()

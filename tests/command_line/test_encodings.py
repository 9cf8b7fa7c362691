"""The command line with encodings of any format: train, encode, decode and download."""

from __future__ import annotations

import json
import os
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
from bpe_gui.encodings import save
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.measuring import measure
from tests.command_line.program import SENTENCES, TEXT, assert_fails
from tests.encodings.formats.test_rank_families import bytes_alone
from tests.encodings.hub_server import Hub, point_to, serving

# -- train, encode and decode ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.json", "a.tiktoken", "vocab.json", "a.model"])
def test_each_format_is_trained_encoded_and_decoded(run, trained, name: str) -> None:
    path = trained("gpt2", name)
    spec = f"{path}@gpt2" if name == "a.tiktoken" else path
    result = run("encode", spec, "--format", "json", stdin=TEXT)
    found = json.loads(result.out)
    assert found["ids"] == open_encoding(str(spec)).encode(TEXT).ids.tolist()
    assert run("decode", spec, stdin=result.out).out == TEXT


def test_the_split_of_known_ranks_is_guessed_and_that_is_said(run, tmp_path: Path) -> None:
    path = bytes_alone(tmp_path / "ranks", "whisper")
    guessed = run("encode", path, stdin="low 12<|endoftext|>")
    assert guessed.status == 0
    assert guessed.err == (
        f"{path}: read as Whisper's ranks: 50,257 entries, without the special tokens for "
        "languages, tasks and times, whose ids depend on the model; this is a guess, and another "
        "split may follow the name of the file after an @\n"
    )
    named = run("encode", f"{path}@whisper", stdin="low 12<|endoftext|>")
    assert (named.out, named.err) == (guessed.out, "")
    own = run("encode", path, "--special", "<|endoftext|>=60000", stdin="<|endoftext|>")
    assert own.out.strip() == "60000"
    assert "50,257 entries; this is a guess" in own.err


def test_what_the_library_of_clip_does_besides_is_said(run, tmp_path: Path) -> None:
    path = tmp_path / "bpe_simple_vocab_16e6.txt"
    path.write_text('"bpe_simple_vocab\nl o\nlo w</w>\n', "utf-8")
    assert run("encode", path, stdin="low").err == (
        f"{path}: CLIP's own library first repairs texts with ftfy and replaces HTML entities; "
        "that is left out here\n"
    )


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
    assert_fails(failed, ".tiktoken")
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
    problem = save.Agreement(7, save.Mismatch("abc", 1, (1, 2), (1, 3)))
    monkeypatch.setattr(save, "verify", lambda *arguments, **options: problem)
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
    verify = save.verify

    there = []

    def while_trying(*arguments, **options):
        there.append(output.exists())
        return verify(*arguments, **options)

    monkeypatch.setattr(save, "verify", while_trying)
    assert run("train", corpus, "--preset", "gpt2", "--merges", 3, "-o", output).status == 0
    assert there == [False]
    to_nowhere = ("-o", "/dev/null", "--to", "tokenizer.json")
    assert run("train", corpus, "--preset", "gpt2", "--merges", 3, *to_nowhere).status == 0
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
    assert_fails(run("encode", path, stdin="x"), "a.tiktoken")


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
    assert_fails(run("decode", ranks, stdin="5000"), "5000")
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
        ("<x>=3", "'<x>' has the id 3, which a.tiktoken"),
        ("<y>=5000", "'<y>' has the id 5000, which a.tiktoken"),
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
    assert_fails(run("encode", ranks, "--special", "<z>=5000"), "a.tiktoken")
    missing = run("encode", "missing@gpt2", "--special", "<z>=5000")
    assert_fails(missing, "missing")
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
    assert_fails(run("encode", path, stdin="a" * 40 + "b"), "hostile.json cannot encode this text")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"[{'9' * 5000}]", "has a number of thousands of digits, which is no id"),
        ("[" * 100_000, "JSON"),
        ("-1", "'-1'"),
        ('{"ids": [1.0]}', "should hold a JSON list of ids"),
        ("4294967296", "4294967296"),
    ],
)
def test_what_are_no_ids(run, trained, text: str, message: str) -> None:
    assert_fails(run("decode", trained("gpt2", "a.json"), stdin=text), message)


def test_a_text_without_end_is_refused(
    run, trained, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(streams, "MAX_HELD", 1 << 20)
    monkeypatch.setattr(measure, "MAX_WHOLE", 1 << 20)
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
        monkeypatch.setattr(streams, "BLOCK", size)
        assert run("decode", path, stdin=ids).out == whole.out
    for wrong in ("1" * 11, "x", "-1", "\u0661"):
        failed = run("decode", path, stdin=wrong + separator + ids)
        assert_fails(failed, f"standard input should hold ids, but holds '{wrong[:1]}")


def test_ids_that_are_decoded_together_are_held_up_to_a_bound(
    run, trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "MAX_IDS_HELD", 10)
    bytes_apart, together = trained("gpt2", "a.json"), trained("whitespace", "b.json")
    assert run("decode", bytes_apart, stdin="5 " * 11).status == 0
    assert run("decode", together, stdin="5 " * 10).status == 0
    failed = run("decode", together, stdin="5 " * 11)
    assert_fails(failed, "has more than 10 ids, and b.json has to see all of them at once")
    for ids in (f"[{10**30}]", "[-1]", f"{2**31}"):
        assert_fails(run("decode", together, stdin=ids), "b.json")


@pytest.mark.parametrize("output_format", ["ids", "tokens", "json"])
@pytest.mark.parametrize("source", ["file", "standard input", "UTF-16"])
def test_a_long_text_is_encoded_piece_by_piece(
    run, trained, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, output_format: str, source: str
) -> None:
    path = trained("gpt2", "a.json")
    text = f"{SENTENCES}  <|end|>\n\n{TEXT}" * 40
    arguments = ("encode", path, "--format", output_format)
    whole = run(*arguments, stdin=text)
    monkeypatch.setattr(streams, "BLOCK", 7)
    monkeypatch.setattr(measure, "PIECE", 300)
    monkeypatch.setattr(measure, "MAX_WHOLE", 1000)
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
        monkeypatch.setattr(streams, "BLOCK", size)
        failed = run("encode", path, stdin=data)
        assert_fails(failed, "byte 0xff at offset 52")
        assert_fails(run("encode", path, stdin=data[:51]), "byte 0xc3 at offset 50")
    failed = run("encode", path, stdin=b"\xff\xfea\0\0")
    assert_fails(failed, "standard input is not UTF-16-LE text: byte 0x00 at offset 4")


def test_characters_that_are_left_out_are_counted_over_all_pieces(
    run, trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = trained("whitespace", "a.json")
    text = "This is a test " * 50 + "日本 " + "This is é test 日 " * 50
    monkeypatch.setattr(streams, "BLOCK", 64)
    monkeypatch.setattr(measure, "PIECE", 64)
    result = run("encode", path, stdin=text)
    assert result.status == 0
    assert "102 characters" in result.err
    assert "character 751" in result.err


def test_encodings_are_files(run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, "/dev/zero", "/dev/null"):
        assert_fails(run("encode", path, stdin="x"), "is a pipe or a device")
    assert_fails(run("encode", "", stdin="x"), "is empty")


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
            assert hub.stalled.wait(300)
            program.send_signal(signal.SIGINT)
            out, err = program.communicate(timeout=300)
    assert (program.returncode, out, err) == (cli.INTERRUPTED, b"", b"")


def test_what_the_hub_refuses_is_one_line(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Hub(refused={"someone/words": (401, "GatedRepo")})) as hub:
        point_to(hub.address, tmp_path, monkeypatch)
        result = run("encode", "hub:someone/words", stdin="x")
    assert_fails(result, "someone/words")


def test_standard_error_may_be_closed(trained) -> None:
    path = trained("gpt2", "one.json")
    program = subprocess.run(
        ["sh", "-c", f"echo This | {sys.executable} -m bpe_gui encode {path} --format tokens 2>&-"],
        stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[2],
    )
    assert program.stdout == "This Ċ\n".encode()

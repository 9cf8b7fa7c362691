"""The command line against files and streams that are not what they should be."""

from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bpe_gui import cli
from bpe_gui.bpe.recipe import PRESETS, Alphabet
from bpe_gui.bpe.tokenizer import ByteTokens
from bpe_gui.commands import streams
from bpe_gui.encodings.formats import gpt2, huggingface_export, minbpe, tiktoken_ranks
from bpe_gui.encodings.measuring import measure
from bpe_gui.encodings.rebuilt import RebuiltEncoding
from tests.bpe.test_trainer import trained as trained_on
from tests.command_line.program import SENTENCES, assert_fails


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    recipe = PRESETS["gpt2"].with_changes(alphabet=Alphabet.BYTES, special_tokens=("<s>",))
    history = trained_on([(SENTENCES, 2)], recipe).history
    path = tmp_path / "x.json"
    huggingface_export.write(history, path)
    return path


# -- damaged files ---------------------------------------------------------------------------


@cache
def seeds() -> dict[str, bytes]:
    """A sound file of each format, by its name."""
    recipe = PRESETS["gpt2"].with_changes(alphabet=Alphabet.BYTES, special_tokens=("<s>",))
    history = trained_on([(SENTENCES, 2)], recipe).history
    characters = trained_on([(SENTENCES, 2)], PRESETS["char-bpe"]).history
    with TemporaryDirectory() as name:
        folder = Path(name)
        huggingface_export.write(history, folder / "a.json")
        huggingface_export.write(characters, folder / "b.json")
        tiktoken_ranks.write(history, folder / "a.tiktoken")
        minbpe.write(history, folder / "a.model")
        gpt2.write(history, folder)
        return {path.name: path.read_bytes() for path in folder.iterdir()}


ODD: list[Any] = [
    None, True, -1, 2**31, 2**64, 1.5, float("nan"), "", "\ud800", "x" * 5000, [], {}, [[]], [None],
    {"a": 1}, "(a+)+$", "[", "(?R)", "a{1000}{1000}{1000}", 4_999_999, "<s>",
]


JUNK = (
    *(b"9" * 30, b"-1", b"\n\n", b"\0", b"\xff\xff\xff\xff\x0f", b"1e999", b"[" * 3000),
    b" 5 5\n",
)


def with_one_value_changed(data: bytes, chance: random.Random) -> bytes:
    """A JSON file with something else, nothing, or the same twice in one place."""
    state = {"all": json.loads(data)}
    node, key = state, "all"
    while isinstance(node[key], dict | list) and node[key] and chance.random() < 0.8:
        node = node[key]
        key = chance.choice([*node] if isinstance(node, dict) else range(len(node)))
    how = chance.randrange(4)
    if how == 0 and node is not state:
        del node[key]
    elif how == 1 and isinstance(node, list):
        node.append(node[key])
    else:
        node[key] = chance.choice(ODD)
    return json.dumps(state["all"], ensure_ascii=False).encode("utf-8", "surrogatepass")


def with_bytes_changed(data: bytes, chance: random.Random) -> bytes:
    """A file that is cut short, or has bytes or lines less, more or twice."""
    place = chance.randrange(len(data) + 1)
    junk = chance.choice(JUNK)
    line = chance.choice(data.split(b"\n"))
    return chance.choice(
        [
            data[:place],
            data[:place] + junk + data[place:],
            data[:place] + data[place + 7 :],
            data + line + b"\n",
            line + b"\n" + data,
        ]
    )


@settings(max_examples=150)
@given(chance=st.randoms(use_true_random=False), data=st.data())
def test_damaged_files_are_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    files = seeds()
    for other, content in files.items():
        (folder / other).write_bytes(content)
    name = data.draw(st.sampled_from(sorted(files)))
    damage = with_bytes_changed
    if name.endswith(".json") and chance.random() < 0.7:
        damage = with_one_value_changed
    (folder / name).write_bytes(damage(files[name], chance))
    spec = str(folder / name) + ("@gpt2" if name.endswith("tiktoken") else "")
    (folder / "text").write_text(data.draw(st.sampled_from(["a<s> b é漢 12\n", "a" * 500, ""])))
    (folder / "ids").write_text(data.draw(st.sampled_from(["1 2 3", "[5000000]", "0,300"])))
    output = folder / "out" / data.draw(st.sampled_from(["o.json", "o.tiktoken", "o.model"]))
    output.parent.mkdir()
    arguments = data.draw(
        st.sampled_from(
            [
                ["encode", spec, folder / "text", "--format", "json"],
                ["decode", spec, folder / "ids"],
                ["compare", spec, "--text", folder / "text"],
                ["convert", spec, "-o", output],
            ]
        )
    )
    status, err = run_quietly([str(argument) for argument in arguments])
    assert status in (0, 2), err
    if status == 2:
        assert re.fullmatch(r"bpe-gui: error: [^\n]{5,1500}\n", err)
        assert list(output.parent.iterdir()) == []


def run_quietly(arguments: list[str]) -> tuple[int, str]:
    """The status of the program and what it said on standard error, without a fixture."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = cli.main(arguments)
    return status, err.getvalue()


# -- files and streams -----------------------------------------------------------------------


def program(command: str, *arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess:
    """Run a shell command in which `$0 -m bpe_gui` is the program."""
    return subprocess.run(
        ["/bin/bash", "-c", command, sys.executable, *map(str, arguments)],
        input=stdin, capture_output=True, check=False, cwd=Path(__file__).parents[2],
    )


@pytest.mark.parametrize(
    "command",
    [
        '"$0" -m bpe_gui encode "$1" "$2" > /dev/full',
        '"$0" -m bpe_gui encode "$1" "$2" --format json > /dev/full',
        '"$0" -m bpe_gui train "$2" --preset raw --merges 3 -o - > /dev/full',
        '"$0" -m bpe_gui compare "$1" --text "$2" > /dev/full',
    ],
)
def test_a_full_disk_behind_standard_output_is_named(
    tokenizer: Path, corpus: Path, command: str
) -> None:
    result = program(command, tokenizer, corpus)
    assert result.returncode == 2
    assert result.stderr == b"bpe-gui: error: standard output: No space left on device\n"


def test_full_disks_are_named(run, tokenizer: Path, corpus: Path) -> None:
    train = ("train", corpus, "--preset", "gpt2", "--merges", 3)
    for arguments in (
        (*train, "-o", "/dev/full", "--to", "tokenizer.json"),
        (*train, "--events", "/dev/full"),
        ("convert", tokenizer, "-o", "/dev/full", "--to", "tokenizer.json"),
    ):
        assert_fails(run(*arguments), "/dev/full: No space left on device")


def test_what_is_read_is_not_replaced(run, tokenizer: Path, corpus: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(corpus)
    train = ("train", corpus, "--preset", "gpt2", "--merges", 3)
    for arguments in (
        (*train, "--events", corpus),
        (*train, "--events", tmp_path / "." / corpus.name),
        (*train, "-o", link),
        ("convert", tokenizer, "-o", tokenizer),
        ("convert", tokenizer, "-o", tokenizer, "--to", "minbpe"),
    ):
        before = corpus.read_bytes(), tokenizer.read_bytes()
        assert_fails(run(*arguments), "would overwrite the input")
        assert (corpus.read_bytes(), tokenizer.read_bytes()) == before
    folder = tmp_path / "folder"
    assert run("convert", tokenizer, "-o", f"{folder}/").status == 0
    assert_fails(run("convert", folder, "-o", folder), "vocab.json")
    assert_fails(run("convert", folder, "-o", folder / "merges.txt"), "merges.txt")


@pytest.mark.parametrize(
    "arguments",
    [
        ("encode", "TOKENIZER", ""),
        ("decode", "TOKENIZER", ""),
        ("compare", "TOKENIZER", "--text", ""),
        ("convert", "TOKENIZER", "-o", ""),
        ("train", "", "--preset", "gpt2"),
        ("train", "TOKENIZER", "--preset", "gpt2", "-o", ""),
        ("train", "TOKENIZER", "--preset", "gpt2", "--events", ""),
        ("train", "TOKENIZER", "--recipe", ""),
        ("open", ""),
    ],
)
def test_empty_names_name_nothing(run, tokenizer: Path, arguments: tuple[str, ...]) -> None:
    filled = [tokenizer if word == "TOKENIZER" else word for word in arguments]
    assert_fails(run(*filled), "the name of a file is empty")


def test_a_folder_that_is_not_writable_is_named_as_it_was_asked_for(run, tokenizer: Path) -> None:
    assert_fails(run("convert", tokenizer, "-o", "/proc/x.json"), "/proc/x.json")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is there on Linux only")
@pytest.mark.parametrize(
    "arguments",
    [
        ("encode", "/proc/self/mem", "CORPUS"),
        ("encode", "TOKENIZER", "/proc/self/mem"),
        ("decode", "TOKENIZER", "/proc/self/mem"),
        ("compare", "/proc/self/mem@gpt2"),
        ("train", "CORPUS", "--recipe", "/proc/self/mem"),
        ("open", "x.tour"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    run, tokenizer: Path, corpus: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(corpus.parent)
    Path("x.tour").symlink_to("/proc/self/mem")
    files = {"TOKENIZER": tokenizer, "CORPUS": corpus}
    failed = run(*(files.get(word, word) for word in arguments))
    assert_fails(failed, f"{arguments[-1] if 'tour' in arguments[-1] else '/proc/self/mem'}: ")
    assert_fails(failed, "Input/output error")


def test_standard_input_that_cannot_be_read_is_named(tokenizer: Path, tmp_path: Path) -> None:
    result = program('"$0" -m bpe_gui encode "$1" - 0> "$2"', tokenizer, tmp_path / "written")
    assert result.stderr == b"bpe-gui: error: standard input: Bad file descriptor\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "CORPUS", "--preset", "gpt2", "--merges", "3", "-o", "loop.json"),
        ("train", "CORPUS", "--preset", "gpt2", "--events", "loop.json"),
        ("train", "CORPUS", "--preset", "gpt2", "--events", "e", "-o", "loop.json"),
        ("convert", "TOKENIZER", "-o", "loop.json"),
    ],
)
def test_a_link_to_itself_is_not_replaced(
    run, tokenizer: Path, corpus: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(corpus.parent)
    Path("loop.json").symlink_to("loop.json")
    files = {"TOKENIZER": tokenizer, "CORPUS": corpus}
    failed = run(*(files.get(word, word) for word in arguments))
    assert_fails(failed, "loop.json: Too many levels of symbolic links")
    assert os.readlink("loop.json") == "loop.json"


@pytest.mark.parametrize("name", ["novel", "o.txt"])
@pytest.mark.parametrize(
    "arguments", [("train", "CORPUS", "--preset", "gpt2"), ("convert", "TOKENIZER")]
)
def test_a_name_of_no_format_is_refused(
    run, tokenizer: Path, corpus: Path, arguments: tuple[str, ...], name: str
) -> None:
    files = {"TOKENIZER": tokenizer, "CORPUS": corpus}
    output = corpus.parent / name
    failed = run(*(files.get(word, word) for word in arguments), "-o", output)
    assert_fails(failed, name)
    assert not output.exists()
    by_name = ("-o", output, "--to", "tokenizer.json")
    assert run(*(files.get(word, word) for word in arguments), *by_name).status == 0
    assert output.exists()


def test_a_text_that_never_ends_is_given_up(run, tokenizer: Path) -> None:
    reason = "/dev/zero has more than 8 MB without a"
    assert_fails(run("encode", tokenizer, "/dev/zero"), reason)
    compared = run("compare", tokenizer, "--text", "/dev/zero")
    assert compared.status == 2
    assert reason in compared.out, "beside the other encodings"
    assert "could not be measured" in compared.err


def test_what_are_no_ids_is_shown_briefly(run, tokenizer: Path) -> None:
    failed = run("decode", tokenizer, "/dev/zero")
    assert_fails(failed, r"/dev/zero should hold ids, but holds '\x00\x00")
    assert len(failed.err) < 120


@pytest.mark.parametrize("size", [1, 3000])
def test_a_pipe_is_compared_by_all_encodings(
    run, tokenizer: Path, tmp_path: Path, size: int
) -> None:
    text = SENTENCES * size
    file = tmp_path / "long.txt"
    file.write_text(text, encoding="utf-8")
    columns = ("tokens", "characters", "bytes", "words", "renyi_efficiency", "vocabulary_used")
    arguments = ("compare", tokenizer, tokenizer, "--format", "json", "--text")
    expected = [
        [row[column] for column in columns] for row in json.loads(run(*arguments, file).out)
    ]
    from_stdin = run(*arguments, "-", stdin=text)
    pipe = program(
        'exec "$0" -m bpe_gui compare "$1" "$1" --format json --text <(cat "$2")', tokenizer, file
    )
    assert (from_stdin.err, pipe.stderr) == ("", b"")
    for out in (from_stdin.out, pipe.stdout):
        assert [[row[c] for c in columns] for row in json.loads(out)] == expected


def test_a_pipe_in_another_encoding_is_compared_by_all(run, tokenizer: Path) -> None:
    arguments = ("compare", tokenizer, tokenizer, "--format", "json", "--text", "-")
    result = run(*arguments, "--encoding", "latin-1", stdin="naïve".encode("latin-1"))
    assert [row["characters"] for row in json.loads(result.out)] == [5, 5]


def test_records_without_a_text_are_told_how_compare_reads_them(
    run, tokenizer: Path, tmp_path: Path
) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text('{"body": "x"}\n')
    assert_fails(
        run("compare", tokenizer, "--text", records), '"text"'
    )


def test_a_long_pipe_is_not_held(run, tokenizer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    encode_documents = RebuiltEncoding.encode_documents

    def noting(
        encoding: RebuiltEncoding,
        data: bytes,
        document_ends: NDArray[np.int64],
        *,
        continues: bool = False,
    ) -> tuple[NDArray[np.int64], ByteTokens] | None:
        sizes.append(len(data))
        return encode_documents(encoding, data, document_ends, continues=continues)

    monkeypatch.setattr(RebuiltEncoding, "encode_documents", noting)
    monkeypatch.setattr(measure, "PIECE", 1 << 14)
    monkeypatch.setattr(streams, "BLOCK", 1 << 14)
    result = run("compare", tokenizer, "--format", "json", "--text", "-", stdin="word " * 300_000)
    assert json.loads(result.out)[0]["characters"] == sum(sizes) == 1_500_000
    assert max(sizes) < 150_000

"""The command line trains on from an encoding."""

from __future__ import annotations

import csv
import io
import json
from base64 import b64encode
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import regex as re
import sentencepiece
from tokenizers import Tokenizer, models

from tests.command_line.program import TEXT, assert_fails


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.txt"
    path.write_text("tokenizers tokenize tokens; a tokenizer tokenizes " * 20, "utf-8")
    return path


def test_a_tokenizer_is_trained_on_with_its_ids(run, trained, other: Path, tmp_path: Path) -> None:
    old = trained("gpt2", "old.json", "--special", "<end>")
    size = Tokenizer.from_file(str(old)).get_vocab_size()
    more = tmp_path / "more.json"
    result = run("train", other, "--from", old, "--vocab-size", size + 8, "-o", more)
    assert (result.status, result.err) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in result.out.splitlines())
    assert lines["from"] == f"old.json, {size:,} tokens"
    assert lines["added"] == (
        f"8 tokens, ids {size:,} to {size + 7:,}"
    )
    assert lines["ended"] == "vocabulary size reached"
    libraries = [Tokenizer.from_file(str(path)) for path in (old, more)]
    tokens = [len(library.encode(other.read_text()).ids) for library in libraries]
    assert lines["tokens"].startswith(f"{tokens[0]:,} before, {tokens[1]:,} after: ")
    vocabularies = [library.get_vocab() for library in libraries]
    assert vocabularies[0].items() <= vocabularies[1].items()
    assert libraries[1].encode(TEXT).ids == [
        int(token) for token in run("encode", more, stdin=TEXT).out.split()
    ]


def _most_frequent(corpus: Path) -> dict[str, object]:
    """The most frequent pair of bytes in the words of a corpus, counted once more."""
    words = Counter(re.findall(r" ?\p{L}+| ?[^\s\p{L}]+|\s+(?!\S)|\s+", corpus.read_text()))
    pairs: Counter[tuple[str, str]] = Counter()
    for word, count in words.items():
        for pair in pairwise(word):
            pairs[pair] += count
    (left, right), count = pairs.most_common(1)[0]
    return {"left": left.replace(" ", "Ġ"), "right": right.replace(" ", "Ġ"), "count": count}


def test_without_a_file_the_new_merges_are_listed(
    run, trained, other: Path, tmp_path: Path
) -> None:
    old = trained("gpt2", "old.json")
    result = run("train", other, "--from", old, "--merges", 2)
    assert "added       2 tokens" in result.out
    assert len([line for line in result.out.splitlines() if " + " in line]) == 2
    events = run("train", other, "--from", old, "--merges", 2, "--events", "-").out.splitlines()
    last = json.loads(events[-1])
    assert last["id"] == Tokenizer.from_file(str(old)).get_vocab_size() + 1
    instead = [event["instead"] for event in map(json.loads, events) if "instead" in event]
    assert instead, "the other corpus would have merged other pairs"
    assert "instead" not in last, "chosen by this corpus"
    for event in filter(lambda event: "instead" in event, map(json.loads, events)):
        assert event["instead"]["count"] > event["count"]
    assert instead[0] == _most_frequent(other)
    table = tmp_path / "merges.csv"
    out = run("train", other, "--from", old, "--merges", 2, "--events", table).out
    given = len(events) - 2
    assert f"otherwise   {len(instead)} of {given} merges: the corpus had a more" in out
    with table.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["step"] for row in rows] == [str(step + 1) for step in range(len(events))]
    found = [row for row in rows if row["instead left"]]
    assert [(row["instead left"], int(row["instead count"])) for row in found] == [
        (event["left"], event["count"]) for event in instead
    ]
    assert [row["token"] for row in rows] == [json.loads(event)["token"] for event in events]


def test_tokens_that_no_merge_makes_are_told(run, other: Path, tmp_path: Path) -> None:
    tokens = [*(bytes([byte]) for byte in range(256)), b"to", b"tokenizes"]
    ranks = tmp_path / "old.tiktoken"
    lines = (f"{b64encode(token).decode()} {rank}\n" for rank, token in enumerate(tokens))
    ranks.write_text("".join(lines))
    more = tmp_path / "more.json"
    result = run("train", other, "--from", f"{ranks}@gpt2", "--merges", 3, "-o", more)
    assert (result.status, result.err) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in result.out.splitlines())
    assert lines["note"] == (
        "No merge makes 1 token of old.tiktoken: a word that is such a token as a whole is one "
        "token from the start."
    )
    library = Tokenizer.from_file(str(more))
    assert library.encode("tokenizes").ids == [257]
    tokens_after = len(library.encode(other.read_text()).ids)
    assert f" {tokens_after:,} after" in lines["tokens"]


def test_characters_become_bytes_or_tokens_as_one_asks(run, tmp_path: Path) -> None:
    pieces = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "t", "o", "to"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    model = models.BPE(vocabulary, [("t", "o")], unk_token="<unk>", byte_fallback=True)
    old, more, corpus = (tmp_path / name for name in ("old.json", "more.json", "cats.txt"))
    Tokenizer(model).save(str(old))
    corpus.write_text("to 猫 to 猫 totoß", "utf-8")
    size = len(pieces)
    for arguments, added, ids in (
        ((), "1 token, ids 260 to 260", [259, 33, 232, 141, 172]),
        (
            ("--alphabet", "observed", "--min-frequency", 2),
            "4 tokens, of which 2 new single symbols, ids 260 to 263",
            [263],
        ),
    ):
        count = size + (4 if arguments else 1)
        result = run("train", corpus, "--from", old, "--vocab-size", count, "-o", more, *arguments)
        assert (result.status, result.err) == (0, "")
        assert f"added       {added}" in result.out
        assert Tokenizer.from_file(str(more)).encode("to 猫").ids == ids


@pytest.mark.parametrize(("preset", "notes"), [("raw", 1), ("gpt2", 0)])
def test_an_encoding_that_does_not_split_text_is_told_of(
    run, trained, other: Path, preset: str, notes: int
) -> None:
    old = trained(preset, "old.json")
    out = run("train", other, "--from", old, "--merges", 3).out
    told = "note        The encoding does not split text into words: new merges go across spaces"
    assert out.count(told) == out.count("note  ") == notes


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "--from needs --vocab-size or --merges"),
        (("--vocab-size", 257), "tokens already; ask for more"),
        (("--merges", 1, "--special", "<x>"), "--special cannot be given with --from"),
        (("--merges", 1, "--alphabet", "bytes"), "--alphabet cannot be given with --from"),
        (("--merges", 1, "-o", "x.tiktoken"), "keeps its ids only as tokenizer.json"),
    ],
)
def test_what_makes_no_sense_is_said(
    run, trained, other: Path, monkeypatch, tmp_path: Path, arguments: tuple[object, ...], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    old = trained("gpt2", "old.json")
    assert_fails(run("train", other, "--from", old, *arguments), why)


def test_other_models_cannot_be_trained_on(run, other: Path, tmp_path: Path) -> None:
    path = tmp_path / "unigram.json"
    Tokenizer(models.Unigram([("a", -1.0)], None, False)).save(str(path))
    result = run("train", other, "--from", path, "--merges", 1)
    assert_fails(result, "has no merges, because it is Unigram")
    assert "only a byte-pair encoding can be replayed and trained on" in result.err


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_models_of_sentencepiece_say_what_can_be_done_instead(
    run, other: Path, tmp_path: Path, model_type: str
) -> None:
    model, path = io.BytesIO(), tmp_path / "sp.model"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["low lower lowest newest"] * 20),
        model_writer=model, model_type=model_type, vocab_size=30, hard_vocab_limit=False,
        minloglevel=3,
    )  # fmt: skip
    path.write_bytes(model.getvalue())
    result = run("train", other, "--from", path, "--merges", 1)
    said = {"bpe": "a preset trains a new encoding", "unigram": "because it is Unigram; only a"}
    assert_fails(result, said[model_type])
    assert "tokenizer.json" not in result.err


def test_the_input_is_not_written_over(run, trained, other: Path) -> None:
    old = trained("gpt2", "old.json")
    assert_fails(run("train", other, "--from", old, "--merges", 1, "-o", old), "old.json")

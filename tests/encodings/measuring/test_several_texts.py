"""Several texts, each measured by itself: the numbers of each alone, intervals by resampling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.grouped_counts import BYTES, RESAMPLINGS, TOKENS, WORD_COUNT, estimate
from bpe_gui.bpe.corpus import Corpus, CorpusError
from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.measuring.measure import measure
from bpe_gui.encodings.measuring.own_texts import OwnTexts
from bpe_gui.encodings.measuring.probes import probes, with_typing_errors
from bpe_gui.encodings.measuring.several_texts import (
    Text,
    measure_text,
    measure_texts,
    read_parallel,
    read_texts,
    story,
    text_of,
)
from bpe_gui.encodings.measuring.text_numbers import TextMeasure, TextNumbers
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import languages
from tests.bpe.test_trainer import trained


@pytest.fixture(scope="module")
def encoding() -> TrainedEncoding:
    learned = [("low lower lowest é ab ab 字\n\n the harbour the island", 4)]
    return TrainedEncoding(trained(learned, preset("gpt2").with_changes(merges=30)).history)


def _lines(text: Text) -> list[bytes]:
    """The groups of a text."""
    ends = text.group_ends.tolist()
    return [text.data[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@given(st.text(st.sampled_from("ab é\n\t字 low"), min_size=1, max_size=60).filter(str.strip))
def test_numbers_are_those_of_the_text_alone(encoding, tmp_path_factory, written: str) -> None:
    path = tmp_path_factory.mktemp("t") / "a.txt"
    path.write_bytes(written.encode())
    [text] = read_texts([str(path)]).texts
    counts = measure_text(encoding, text).counts
    alone = measure(encoding, Corpus([path])).metrics
    assert counts.metrics(encoding.vocabulary_size) == alone
    tokens, size, words, whole, of_words = counts.groups.sum(axis=0).tolist()
    assert (tokens, size, words) == (alone.tokens, alone.bytes, alone.words)
    assert (whole, of_words) == (alone.whole_words, alone.word_tokens)
    assert b"".join(_lines(text)) == text.data
    assert text.units == len([line for line in written.split("\n") if line.strip()])
    # Words are counted where they are, tokens where they begin.
    found = [len(line.decode().split()) for line in _lines(text)]
    unspaced = [sum("字" in word for word in line.decode().split()) for line in _lines(text)]
    assert counts.groups[:, WORD_COUNT].tolist() == [
        n - u for n, u in zip(found, unspaced, strict=True)
    ]
    starts = encoding.encode(written).starts.tolist()
    ends = text.group_ends.tolist()
    pairs = list(zip([0, *ends], ends, strict=False))
    expected = [sum(start <= at < end for at in starts) for start, end in pairs]
    assert counts.groups[:, TOKENS].tolist() == expected


def test_intervals_are_those_of_drawing_groups_anew() -> None:
    chance = np.random.default_rng(5)
    above, below = chance.integers(1, 50, 40), chance.integers(1, 9, 40)
    found = estimate(above, below)
    drawn = chance.integers(0, 40, (20_000, 40))
    ratios = above[drawn].sum(axis=1) / below[drawn].sum(axis=1)
    low, high = np.quantile(ratios, [0.025, 0.975])
    width = high - low
    assert found.value == above.sum() / below.sum()
    assert abs(found.low - low) < width / 8
    assert abs(found.high - high) < width / 8
    assert estimate(above, below) == found
    assert RESAMPLINGS == 1000


def test_documents_are_resampled_if_there_are_many(tmp_path: Path) -> None:
    for number in range(25):
        (tmp_path / f"{number:02}.txt").write_text("one line\nanother line\n")
    (tmp_path / "few.jsonl").write_text('{"text": "a b\\nc"}\n{"text": "d"}\n')
    many = read_texts([str(tmp_path), str(tmp_path / "few.jsonl")]).texts
    assert [text.resampled for text in many] == ["27 documents", "3 lines, not resampled"]


def test_each_entry_of_a_single_folder_is_a_text(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text("x = 1\n")
    (tmp_path / "chat.txt").write_text("hello\n")
    assert read_texts([str(tmp_path)]).names == ["chat", "code"]
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0")
    passed = read_texts([str(tmp_path)])
    assert passed.names == ["chat", "code"]
    assert passed.title.endswith(", 1 without text")
    with pytest.raises(CorpusError, match="NUL bytes"):
        read_texts([str(tmp_path / "picture.png")])
    two = read_texts([str(tmp_path / "chat.txt"), str(tmp_path / "code")])
    assert (two.names, two.title) == (["chat", "code"], "2 texts")


def test_a_long_text_is_resampled_in_groups_of_lines() -> None:
    text = text_of("long", "x y\n" * 1001)
    assert text.resampled == "1,001 lines in 334 groups"
    assert len(set(map(len, _lines(text)[:-1]))) == 1


def test_parallel_corpora_are_read_line_by_line(tmp_path: Path, encoding) -> None:
    folder = tmp_path / "flores"
    folder.mkdir()
    rows = {"en": ["a b", "", "c"], "de": ["aa bb", "x", "cc"]}
    for name, lines in rows.items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n" * (name == "en"))
    table = tmp_path / "t.tsv"
    cells = "\n".join("\t".join(pair) for pair in zip(*rows.values(), strict=True))
    table.write_text(f"en\tde\n{cells}\n")
    of_folder, of_table = read_parallel(str(folder)), read_parallel(str(table))
    assert of_folder.names == of_table.names == ["en", "de"], "others are compared with English"
    assert [one.data for one in of_folder.texts] == [one.data for one in of_table.texts]
    for texts in (of_folder, of_table):
        assert texts.parallel
        for text in texts.texts:
            assert [line.decode().rstrip("\n") for line in _lines(text)] == rows[text.name]


@pytest.mark.parametrize("name", ["t.tsv", "t.tab", "T.TAB"])
def test_tables_are_translations_by_their_ending(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("en\tde\na b\taa bb\n")
    texts = OwnTexts((str(path),))()
    assert texts.names == ["en", "de"]
    assert texts.parallel


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("en\ten\na\tb\n", "line 1: the first line names each language once"),
        ("en\tde\na\n", "line 2: it has 1 column, the first line has 2; add or remove tabs"),
        ("en\tde\n", "has no lines below the names"),
        ("en\na\n", "has one language; a parallel corpus has two or more"),
    ],
)
def test_tables_that_are_not_parallel(tmp_path: Path, written: str, said: str) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(written)
    with pytest.raises(CorpusError, match=said):
        read_parallel(str(path))


def test_folders_with_missing_lines(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1\n")
    (tmp_path / "b.txt").write_text("1\n2\n")
    said = "a has 1 line, b has 2; give all the same number of lines"
    with pytest.raises(CorpusError, match=said):
        read_parallel(str(tmp_path))


def test_parity_is_that_of_languages_alone(encoding) -> None:
    texts = story()
    counts = measure_texts([encoding], texts.texts)
    numbers = TextNumbers(texts, ("one",), tuple(map(tuple, counts)), reference=1)
    for row, language in enumerate(languages().values()):
        tokens = len(encoding.encode(language.text))
        german = len(encoding.encode(languages()["de"].text))
        found = numbers.estimate(TextMeasure.PARITY, row, 0)
        assert found.value == tokens / german
        assert found.low <= found.value <= found.high
    assert numbers.estimate(TextMeasure.PARITY, 1, 0) == (1.0, 1.0, 1.0)
    assert TextMeasure.RELATIVE not in numbers.measures


def test_scripts_without_spaces_have_no_numbers_of_words(encoding) -> None:
    texts = story()
    numbers = TextNumbers(
        texts, ("one",), tuple(map(tuple, measure_texts([encoding], texts.texts)))
    )
    without = [
        name
        for row, name in enumerate(texts.names)
        if numbers.value(TextMeasure.WHOLE_WORDS, row, 0) is None
    ]
    assert {"Chinese", "Japanese", "Thai"} <= set(without)
    assert not {"English", "Korean", "Hindi"} & set(without)
    for name in without:
        row = texts.names.index(name)
        assert numbers.value(TextMeasure.TOKENS_PER_WORD, row, 0) is None
        assert numbers.value(TextMeasure.BYTES_PER_TOKEN, row, 0) is not None


def test_variants_of_probes_have_the_lines_of_their_original() -> None:
    found = {text.name: text for text in probes().texts}
    varied = [text for text in found.values() if text.original]
    assert [text.name for text in varied] == [
        "capitals", "small letters", "typing errors", "missing accents",
    ]
    for text in varied:
        assert len(text.group_ends) == len(found[text.original].group_ends)
        assert text.data != found[text.original].data
    assert found["numbers"].data.split() == [str(n).encode() for n in range(10_000)]
    assert all(text.meaning for text in found.values())


def test_typing_errors_change_few_words_and_always_the_same() -> None:
    prose = " ".join(["harbour", "a", "the", "island"] * 200)
    once, twice = with_typing_errors(prose), with_typing_errors(prose)
    assert once == twice
    changed = [a for a, b in zip(prose.split(), once.split(), strict=True) if a != b]
    assert set(changed) == {"harbour", "island"}
    assert 20 < len(changed) < 100


def test_lines_for_a_file_have_all_numbers(encoding) -> None:
    texts = read_texts([str(Path(__file__))])
    numbers = TextNumbers(texts, ("one",), ((measure_text(encoding, texts.texts[0]),),))
    heading, [name, lane, tokens, size, *rest] = list(numbers.lines())
    assert len(heading) == len(rest) + 4
    assert (name, lane, size) == ("test_several_texts", "one", Path(__file__).stat().st_size)
    assert dict(zip(heading, [name, lane, tokens, size, *rest], strict=True))[
        "bytes/token"
    ] == pytest.approx(size / tokens)
    assert numbers.counts[0][0].counts.groups[:, BYTES].sum() == size


def test_a_text_is_lossless_if_all_of_it_was_decoded(tmp_path: Path) -> None:
    """A loss in a later document counts, and a long text is not said to be decoded."""
    recipe = preset("gpt2").with_changes(merges=3, normalizers=("lowercase",))
    small = TrainedEncoding(trained([("low lower", 4)], recipe).history)
    (tmp_path / "a.jsonl").write_text('{"text": "low"}\n{"text": "lower"}\n')
    (tmp_path / "b.jsonl").write_text('{"text": "low"}\n{"text": "Lower"}\n')
    (tmp_path / "c.txt").write_text("low lower\n" * 20_000)
    texts = read_texts([str(tmp_path / name) for name in ("a.jsonl", "b.jsonl", "c.txt")])
    counts = [tuple(row) for row in measure_texts([small], texts.texts)]
    heading, *lines = TextNumbers(texts, ("small",), tuple(counts)).lines()
    said = [line[heading.index("lossless")] for line in lines]
    assert said == ["yes", "no", "not checked"]

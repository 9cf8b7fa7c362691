"""The command line compares encodings of any format on a text."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.commands import differences
from bpe_gui.commands.streams import write
from bpe_gui.encodings import parallel_texts
from bpe_gui.encodings.differences import cause_sums
from bpe_gui.encodings.differences.causes import BY_WEIGHT
from bpe_gui.encodings.differences.explained import ExplainedDifferences, LaneCause
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.measuring import measure
from bpe_gui.progress import counted, in_some, more, more_and_fewer
from tests.command_line.program import SENTENCES, assert_fails


def test_compare_on_the_story_as_a_table(run, trained, sentences_model: Path) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt4", "two.tiktoken")
    result = run("compare", one, f"{two}@gpt4", sentences_model)
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].split()[:2] == ["tokens", "chars/token"]
    assert [line.split()[0] for line in lines[1:4]] == ["one.json", "two.tiktoken@gpt4", "sp.model"]
    assert lines[-2:] == [f"two.tiktoken@gpt4 = {two}@gpt4", f"sp.model = {sentences_model}"]
    english = next(line for line in lines if line.startswith("English"))
    tokens = len(open_encoding(one).encode(parallel_texts.languages()["en"].text))
    assert english.split()[1:3] == [f"{tokens:,}", "1.00"]
    assert sum(line.startswith("Russian") for line in lines) == 1


def test_compare_as_json_and_csv(run, trained) -> None:
    path = trained("gpt2", "one.json")
    found = json.loads(run("compare", path, path, "--format", "json").out)
    assert [one["encoding"] for one in found] == [str(path), str(path)]
    story = parallel_texts.joined().text
    assert found[0]["characters"] == len(story)
    assert found[0]["tokens"] == len(open_encoding(path).encode(story))
    languages = found[0]["languages"]
    assert list(languages) == list(parallel_texts.languages())
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
    assert "their ratio to Russian:" in table
    assert re.search(r"^Russian +[0-9,]+  1\.00", table, re.MULTILINE)


def test_a_reference_that_is_no_language_of_the_story(run, trained, corpus: Path) -> None:
    path = trained("gpt2", "one.json")
    unknown = run("compare", path, "--reference", "Klingon")
    assert_fails(unknown, "the story is not written in 'Klingon'; its languages are en (English), ")
    with_text = run("compare", path, "--reference", "ru", "--text", corpus)
    assert_fails(with_text, "--reference is a language of the built-in story")


def test_own_numbers_are_columns(run, trained, corpus: Path) -> None:
    path = trained("gpt2", "one.json")
    own = ["--price", "2.5", "--context", "8192", "--width", "768"]
    arguments = ["compare", path, "--text", corpus, *own]
    [found] = json.loads(run(*arguments, "--format", "json").out)
    per_token = found["characters_per_token"]
    assert found["price/M chars"] == 2.5 / per_token
    assert found["chars in context"] == 8192 * per_token
    assert found["embedding (M)"] == found["vocabulary_size"] * 768 / 1e6
    table = run(*arguments).out
    headings = [line.split("  ") for line in table.splitlines()]
    told = [name.strip() for line in headings for name in line if name]
    own_columns = ["price/M chars", "chars in context", "embedding (M)", "lossless"]
    assert [name for name in told if name in own_columns] == own_columns
    report = corpus.with_name("r.md")
    assert run(*arguments, "--report", report).status == 0
    rows = [line.split(" | ")[0] for line in report.read_text().splitlines()]
    at = rows.index("| price/M chars")
    assert rows[at + 1 : at + 3] == ["| chars in context", "| embedding (M)"]
    assert_fails(run("compare", path, "--price", "free"), "'free' is not a number above 0")


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
    shown = run("compare", path, "--text", corpus).out.splitlines()
    assert shown[-2].startswith("~ the text has fewer tokens than the vocabulary")


def test_compare_tells_what_does_not_come_back(run, trained) -> None:
    exact, lossy = trained("gpt2", "one.json"), trained("char-bpe", "two.json")
    found = json.loads(run("compare", exact, lossy, "--format", "json").out)
    assert (found[0]["decodes_back"], found[0]["loss"]) == (True, "")
    assert found[1]["decodes_back"] is False
    assert found[1]["languages"]["ja"]["loss"].startswith("lossy: ")
    lines = run("compare", exact, lossy).out.splitlines()
    described = [line for line in lines if line.endswith(("yes", "lossy"))]
    assert [line.split()[0] for line in described] == ["one.json", "two.json"]
    assert [line.split()[-1] for line in described] == ["yes", "lossy"]
    assert any(line.startswith("two.json is lossy: ") for line in lines)
    japanese = next(line for line in lines if line.startswith("Japanese"))
    assert japanese.endswith("*")
    assert japanese.count("*") == 1


@pytest.mark.parametrize("width", [None, 40, 80, 300])
def test_tables_are_as_wide_as_the_terminal(
    run, trained, monkeypatch: pytest.MonkeyPatch, width: int | None
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if width is not None:
        monkeypatch.setenv("COLUMNS", str(width))
    encodings = [trained("gpt2", f"{number}.json") for number in range(6)]
    lines = run("compare", *encodings, "--price", 2).out.splitlines()
    rows = [line for line in lines if line.startswith("5.json  ")]
    russian = [line for line in lines if line.startswith("Russian")]
    assert max(map(len, [*rows, *russian])) <= (width or 100)
    assert (len(rows) == 1) == (width == 300)
    assert sum(len(line.split()) - 1 for line in rows) == 11
    assert sum(len(line.split()) - 1 for line in russian) == 12


def test_columns_stand_below_each_other_also_after_wide_names(run, trained, corpus: Path) -> None:
    wide, narrow = trained("gpt2", "漢字.json"), trained("gpt2", "ab.json")
    lines = run("compare", wide, narrow, "--text", corpus).out.splitlines()
    assert len(lines[1]) + len("漢字") == len(lines[2])


def test_compare_on_a_folder_or_url_is_the_same(run, trained, corpus: Path, tmp_path: Path) -> None:
    path = trained("gpt2", "one.json")
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text(SENTENCES, encoding="utf-8")
    whole = json.loads(run("compare", path, "--text", corpus, "--format", "json").out)
    assert (whole[0].pop("decodes_back"), whole[0].pop("loss")) == (True, "")
    for text in (folder, (folder / "a.txt").as_uri()):
        streamed = json.loads(run("compare", path, "--text", text, "--format", "json").out)
        # What streams by is not there any more to be held against what comes back.
        assert (streamed[0].pop("decodes_back"), streamed[0].pop("loss")) == (None, None)
        assert streamed == whole


def test_a_text_of_some_hundred_kilobytes_is_decoded_too(run, trained) -> None:
    path = trained("gpt2", "one.json")
    out = run("compare", path, "--text", "-", "--format", "json", stdin="low lower " * 30_000).out
    assert json.loads(out)[0]["decodes_back"] is True


def test_compare_tells_which_files_of_a_folder_were_left_out(
    run, trained, corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "a.txt").write_text(SENTENCES, encoding="utf-8")
    (folder / "b.bin").write_bytes(b"no\0text")
    result = run("compare", trained("gpt2", "one.json"), "--text", folder, "--format", "json")
    assert "1 file is not text and was skipped: b.bin." in result.err
    assert json.loads(result.out)[0]["bytes"] == len(SENTENCES.encode("utf-8"))


def test_an_encoding_that_cannot_be_measured_does_not_stop_the_others(
    run, trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "PIECE", 1 << 10)
    monkeypatch.setattr(measure, "MAX_WHOLE", 1 << 12)
    text = "test " * 210_000
    path, whole = trained("gpt4", "one.json"), trained("raw", "whole.json")
    arguments = ["compare", path, whole, path, "--text", "-"]
    alone = run("compare", path, "--text", "-", "--format", "json", stdin=text)
    [numbers] = json.loads(alone.out)
    result = run(*arguments, "--format", "json", stdin=text)
    one, failed, again = json.loads(result.out)
    assert result.status == 2
    assert result.err.splitlines()[-1].endswith("could not be measured; the output says why")
    assert one == again == numbers
    assert failed["tokens"] is None
    assert "standard input has more than" in failed["problem"]
    written = run(*arguments, "--format", "csv", stdin=text).out
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [row["problem"] for row in rows] == ["", failed["problem"], ""]
    assert [row["tokens"] for row in rows] == [str(one["tokens"]), "", str(one["tokens"])]
    table = run(*arguments, stdin=text).out
    assert re.search(r"^whole.json .*–  not measured$", table, re.MULTILINE)
    assert f"whole.json: {failed['problem']}" in table


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


def test_differences_are_listed_with_their_causes(run, trained, tmp_path: Path) -> None:
    one, two = trained("gpt2", "one.json"), trained("whitespace", "two.json")
    text = tmp_path / "text.txt"
    text.write_text("a ß\n")
    arguments = ["compare", one, two, two, "--text", text, "--differences"]
    found = json.loads(run(*arguments, "--format", "json").out)
    assert {row["encoding"] for row in found} == {str(two)}
    assert ("ß", 3, "unknown") in [(r["text"], r["character"], r["cause"]) for r in found]
    weights = [kind.title for kind in BY_WEIGHT]
    order = [(row["difference"], weights.index(row["cause"])) for row in found]
    assert order == sorted(order), "the most important cause is first"
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").out)))
    assert [row["sentence"] for row in rows] == [row["sentence"] for row in found]
    assert str(tmp_path) not in "".join(row["sentence"] for row in found)


def test_the_table_of_differences_is_as_long_as_a_screen(run, trained, tmp_path: Path) -> None:
    one, two = trained("gpt2", "one.json"), tmp_path / "other" / "one.json"
    two.parent.mkdir()
    two.write_bytes(trained("raw", "two.json").read_bytes())
    text = tmp_path / "text.txt"
    words = [f"{chr(0x3B1 + n)}test{chr(0x3B1 + n)} " * (30 - n) for n in range(25)]
    text.write_text("".join(words))
    arguments = ["compare", one, two, "--text", text, "--differences"]
    result = run(*arguments)
    assert (result.status, result.err) == (0, "")
    found = re.findall(r"([+−]\d+) tokens? +“", result.out)
    costs = [int(cost.replace("−", "-")) for cost in found]
    assert len(costs) == 20
    assert costs == sorted(costs, key=abs, reverse=True)
    [more] = re.findall(r"\.\.\. and (\d+) more kinds", result.out)
    assert int(more) > 0
    assert "--differences FILE.csv lists every difference" in result.out
    assert f"other/one.json = {two}" in result.out
    found = json.loads(run(*arguments, "--format", "json").out)
    sums = re.findall(r"^other/one.json, .*: ([\d,]+) difference", result.out, re.MULTILINE)
    assert sum(int(n.replace(",", "")) for n in sums) == len({row["difference"] for row in found})


def test_the_table_says_that_only_the_costliest_differences_are_explained(
    run, trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = trained("gpt2", "one.json"), trained("raw", "two.json")
    text = tmp_path / "text.txt"
    text.write_text("the lowest low, lower than 1234 and the newest\n" * 2)
    arguments = ["compare", one, two, "--text", text, "--differences"]
    said = "Only the causes of the 2 kinds of differences with most tokens are found."
    assert said not in run(*arguments).out
    monkeypatch.setattr(cause_sums, "_MOST_EXPLAINED", 2)
    limited = run(*arguments).out
    assert said in limited
    assert "two.json, not explained: " in limited


def test_rows_that_are_counted_add_up_to_the_sums_of_the_table(
    run, trained, tmp_path: Path
) -> None:
    one, two = trained("gpt2", "one.json"), trained("whitespace", "two.json")
    text = tmp_path / "text.txt"
    text.write_text("the lowest low, lower than 1234 ß and the newest\n" * 2)
    arguments = ["compare", one, two, "--text", text, "--differences"]
    every = json.loads(run(*arguments, "--format", "json").out)
    places = {row["difference"] for row in every}
    assert len(every) > len(places), "some have several causes"
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").out)))
    assert [row["counted"] == "yes" for row in rows] == [row["counted"] for row in every]
    those = [row for row in every if row["counted"]]
    assert sorted(row["difference"] for row in those) == sorted(places)
    printed = run(*arguments).out
    for cause in {row["cause"] for row in those}:
        costs = [row["more_tokens"] for row in those if row["cause"] == cause]
        added, saved = (sum(cost * sign for cost in costs if cost * sign > 0) for sign in (1, -1))
        tokens = more_and_fewer(added, saved, "token")
        some = in_some(len(costs) - costs.count(0), len(costs))
        sums = f"{counted(len(costs), 'difference')}, {tokens}{some}"
        assert f"two.json, {cause}: {sums}\n" in printed


def test_causes_of_differences_are_as_wide_as_the_terminal(
    run, trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = trained("gpt2", "one.json"), trained("whitespace", "two.json")
    text = tmp_path / "text.txt"
    text.write_text("the lowest and the newest\n")
    arguments = ["compare", one, two, "--text", text, "--differences"]
    said = {row["sentence"] for row in json.loads(run(*arguments, "--format", "json").out)}
    for width in (40, 1000):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = run(*arguments).out.splitlines()
        causes = [line for line in lines if line.startswith("    ") and "tokens  “" not in line]
        assert max(map(len, causes)) <= width
        unbroken = " ".join(line.strip() for line in causes)
        assert any(f": {sentence}" in unbroken for sentence in said)


def test_rows_of_differences_are_written_while_others_are_found(
    run, trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = trained("gpt2", "one.json"), trained("raw", "two.json")
    text, output = tmp_path / "text.txt", tmp_path / "differences.csv"
    text.write_text("the lowest low in the newest hat\n" * 300)
    found: list[int] = []
    causes = ExplainedDifferences.causes

    def counted(self: ExplainedDifferences, difference: int) -> tuple[LaneCause, ...]:
        found.append(difference)
        return causes(self, difference)

    written: list[int] = []

    def noted(path: str, parts: Iterable[str]) -> None:
        for part in parts:
            written.append(len(found))
            write(path, part)

    monkeypatch.setattr(ExplainedDifferences, "causes", counted)
    monkeypatch.setattr(differences, "write", noted)
    assert run("compare", one, two, "--text", text, "--differences", output).status == 0
    assert 0 < written[0] < len(found) == written[-1]
    assert output.exists()


def test_differences_are_written_to_a_file_with_the_tokens_of_both(
    run, trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    one, two = trained("gpt2", "one.json"), trained("whitespace", "two.json")
    text, out = tmp_path / "text.txt", tmp_path / "out.csv"
    text.write_text("a ß\n")
    arguments = ["compare", one, two, "--text", text, "--differences"]
    result = run(*arguments, out)
    assert (result.status, result.out, result.err) == (0, "", "")
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    row = next(row for row in rows if row["cause"] == "unknown")
    data = text.read_bytes()
    assert data[int(row["start"]) : int(row["end"])].decode() == row["text"]
    assert row["ids"] == "'- 1", "ß has no token, the end of its word has; and it is no formula"
    assert row["tokens"] == "ß </w>"
    sizes = [len(row[name].split()) for name in ("ids", "tokens", "first_ids", "first_tokens")]
    assert sizes[0] == sizes[1]
    assert sizes[2] == sizes[3]
    assert int(row["more_tokens"]) == sizes[0] - sizes[2]
    printed = run(*arguments).out.splitlines()
    cost = more(int(row["more_tokens"]), "token")
    assert f"two.json, unknown: 1 difference, {cost}" in printed
    assert f"    unknown: {row['sentence']}" in printed
    assert_fails(run("compare", "--differences", one, two), "behind the tokenizers")
    nowhere = tmp_path / "none" / "out.csv"
    assert_fails(run(*arguments, nowhere), "none does not exist")
    copied = tmp_path / "copied.csv"
    copied.write_text("a ß")
    overwriting = ["compare", one, two, "--text", copied, "--differences", copied]
    assert_fails(run(*overwriting), "copied.csv would overwrite the input")


def test_a_difference_within_a_character_is_named_by_its_bytes(
    run, trained, tmp_path: Path
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("한 x")
    path = trained("gpt2", "one.json")
    file = tmp_path / "pair.json"
    state = json.loads(path.read_text())
    left, right = to_printable(b"\xed"), to_printable(b"\x95")
    state["model"]["vocab"][left + right] = len(state["model"]["vocab"])
    state["model"]["merges"].append([left, right])
    file.write_text(json.dumps(state))
    arguments = ["compare", path, file, "--text", text, "--differences"]
    (found,) = json.loads(run(*arguments, "--format", "json").out)
    assert (found["text"], found["start"], found["end"]) == ("0xED 0x95", 0, 2)
    out = run(*arguments).out
    assert " token  “0xED 0x95”\n" in out
    assert "--differences FILE.csv lists every difference, with all its causes." in out


def test_encodings_without_a_difference(run, trained) -> None:
    path = trained("gpt2", "one.json")
    assert run("compare", path, path, "--differences").out == "no difference\n"
    assert_fails(run("compare", path, "--differences"), "name another")
    options = ("--differences", "--reference", "ru")
    assert_fails(run("compare", path, path, *options), "leave them out")

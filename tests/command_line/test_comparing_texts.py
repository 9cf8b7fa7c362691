"""The command line compares encodings on several texts, each by itself, with intervals."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from bpe_gui.encodings.chat import EXAMPLE
from bpe_gui.encodings.load import open_encoding
from bpe_gui.exporting.report import contents
from tests.command_line.program import assert_fails


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two languages, seven lines each."""
    made = tmp_path / "languages"
    made.mkdir()
    for name, word in (("en", "test"), ("de", "Versuch")):
        (made / f"{name}.txt").write_text("".join(f"{word} {n}\n" for n in range(7)))
    return made


def test_texts_are_rows_with_the_numbers_of_each_alone(run, trained, folder: Path) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt4", "two.json")
    found = json.loads(run("compare", one, two, "--texts", folder, "--format", "json").out)
    assert [(row["text"], row["encoding"]) for row in found] == [
        (text, str(path)) for text in ("de", "en") for path in (one, two)
    ]
    for row in found:
        text = (folder / f"{row['text']}.txt").read_text()
        assert row["tokens"] == len(open_encoding(row["encoding"]).encode(text))
        assert row["bytes/token"] == len(text) / row["tokens"]
        assert row["resampled"] == "7 lines"
        assert row["bytes/token, low"] <= row["bytes/token"] <= row["bytes/token, high"]
    table = run("compare", one, two, "--texts", folder)
    assert (table.status, table.err) == (0, "")
    assert "(2) two.json\n" in table.out
    assert f"two.json = {two}\n" in table.out
    assert "95% of 1,000 numbers" in table.out


def test_parallel_texts_are_compared_with_one_of_them(run, trained, folder: Path) -> None:
    path = trained("gpt2", "one.json")
    arguments = ["compare", path, "--parallel", folder, "--reference", "EN", "--format", "csv"]
    rows = list(csv.DictReader(io.StringIO(run(*arguments).out)))
    by_name = {row["text"]: row for row in rows}
    parity = float(by_name["de"]["tokens, relative to a text"])
    assert parity == int(by_name["de"]["tokens"]) / int(by_name["en"]["tokens"])
    assert by_name["en"]["tokens, relative to a text"] == "1.0"
    table = run(*["compare", path, path, "--parallel", folder, "--reference", "EN"]).out
    assert "\ntokens, relative to en:\n" in table
    assert "\ntokens, relative to (1):\n" in table


def test_intervals_are_explained_only_where_there_are_some(run, trained, folder: Path) -> None:
    path = trained("gpt2", "one.json")
    for text in folder.iterdir():
        text.write_text("too short to be\nresampled\n")
    table = run("compare", path, "--texts", folder)
    assert (table.status, table.err) == (0, "")
    assert "95% of 1,000 numbers" not in table.out


@pytest.mark.parametrize("is_short", [False, True])
def test_encodings_are_compared_with_one_of_them(
    run, trained, folder: Path, is_short: bool
) -> None:
    """It is named as in the arguments, or as in the output."""
    one, two = trained("gpt2", "one.json"), trained("raw", "two.json")
    named = two.name if is_short else two
    arguments = ["compare", one, two, "--texts", folder, "--baseline", named, "--format", "json"]
    for row in json.loads(run(*arguments).out):
        relative = row["tokens, relative to an encoding"]
        text = (folder / f"{row['text']}.txt").read_text()
        assert relative == row["tokens"] / len(open_encoding(two).encode(text))


def test_own_numbers_of_each_text(run, trained, folder: Path) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt4", "two.json")
    own = ["--price", 2.5, "--context", 8192, "--width", 768]
    arguments = ["compare", one, two, "--texts", folder, "--probes", *own]
    found = json.loads(run(*arguments, "--format", "json").out)
    sizes = {str(path): open_encoding(path).vocabulary_size for path in (one, two)}
    for row in (row for row in found if row["text"] in ("de", "en")):
        per_token = len((folder / f"{row['text']}.txt").read_text()) / row["tokens"]
        assert row["price/M chars"] == 2.5 / per_token
        assert row["chars in context"] == 8192 * per_token
        assert row["embedding (M)"] == sizes[row["encoding"]] * 768 / 1e6
    assert run(*arguments, "--format", "csv").out.count("chars in context,embedding (M)") == 2
    table = run(*arguments).out
    [row] = [row for row in found if (row["text"], row["encoding"]) == ("de", str(two))]
    assert table.count("\nprice/M chars:\n") == 2
    prices = table.partition("\nprice/M chars:\n")[2]
    assert re.search(rf"^de .* {row['price/M chars']:.2f} *$", prices, re.MULTILINE)
    assert f"(2) two.json; embedding (M): {row['embedding (M)']:,.1f}\n" in table


def test_probes(run, trained) -> None:
    path = trained("gpt2", "one.json")
    found = json.loads(run("compare", path, "--probes", "--format", "json").out)
    names = [row["text"] for row in found]
    assert {"numbers", "white space", "code", "URLs", "emoji", "typing errors"} <= set(names)
    numbers = found[names.index("numbers")]
    assert numbers["words"] == 10_000
    assert numbers["bytes/token, low"] is None


def test_reports(run, trained, folder: Path, corpus: Path) -> None:
    one, two = trained("gpt2", "one.json"), trained("whitespace", "two.json")
    page, text = corpus.with_name("r.html"), corpus.with_name("r.MD")
    result = run("compare", one, two, "--report", page)
    assert (result.status, result.out, result.err) == (0, "", "")
    assert ">The built-in story</h2>" in page.read_text()
    arguments = ["--texts", folder, "--text", corpus, "--report", text]
    assert run("compare", one, two, *arguments).status == 0
    assert "## Languages" in text.read_text()
    assert re.search(r"^On corpus.txt, ", text.read_text(), re.MULTILINE)
    assert str(corpus.parent) not in page.read_text() + text.read_text()
    assert "Probes" not in text.read_text()
    for option in ("--text", "--texts"):
        assert run("compare", one, two, option, folder, "--report", text).status == 0
        assert re.search(r"^On \d texts, ", text.read_text(), re.MULTILINE)
    assert_fails(run("compare", one, "--report", "r.pdf"), "ends neither with .html nor with .md")
    nowhere = corpus.with_name("none") / "r.html"
    said = f"the folder {nowhere.parent} does not exist; create it or name another"
    assert_fails(run("compare", one, "--report", nowhere), said)


def test_a_report_has_the_beginning_of_long_texts(
    run, trained, folder: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "MAX_TEXT", 20)
    text = corpus.with_name("r.md")
    one = trained("gpt2", "one.json")
    assert run("compare", one, "--texts", folder, "--report", text).status == 0
    assert re.search(r"^On the beginning of \d texts, \d+ characters\.$", text.read_text(), re.M)


def test_chat_templates(run, trained, corpus: Path) -> None:
    pytest.importorskip("jinja2")
    folder = corpus.with_name("model")
    folder.mkdir()
    path, other = folder / "tokenizer.json", trained("gpt4", "two.json")
    path.write_bytes(trained("gpt2", "one.json").read_bytes())
    template = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": template}))
    talk = corpus.with_name("talk.json")
    talk.write_text(json.dumps([{"role": "user", "content": "a test"}]))
    arguments = ["compare", path, other, "--chat", talk]
    found, none = json.loads(run(*arguments, "--format", "json").out)
    encoding = open_encoding(path)
    assert found["content"] == len(encoding.encode("a test"))
    assert found["content"] + found["added"] == len(encoding.encode("[user]a test"))
    assert found["file_adds"] == 0
    assert (none["added"], none["problem"]) == (None, "no chat template was found")
    assert none["content"] == len(open_encoding(other).encode("a test"))
    lines = run(*arguments, "--format", "csv").out.splitlines()
    assert lines[2].startswith(f"{other},{none['content']},,,,")
    own = ("--price", 3, "--context", 100, "--width", 8)
    with_own, without = json.loads(run(*arguments, *own, "--format", "json").out)
    tokens = len(encoding.encode("[user]a test"))
    assert with_own["price/M messages"] == 3 * tokens
    assert with_own["messages in context"] == 100 / tokens
    assert with_own["embedding (M)"] == encoding.vocabulary_size * 8 / 1e6
    assert without["price/M messages"] is without["messages in context"] is None
    assert "price/M messages,messages in context" in run(*arguments, *own, "--format", "csv").out
    written = run(*arguments, *own).out
    assert "messages in context" in written
    assert f"{3 * tokens:,.2f}" in written
    table = run("compare", path, other, "--chat").out
    assert "added to each message:" in table
    alone = open_encoding(other)
    tokens = sum(len(alone.encode(message.content)) for message in EXAMPLE)
    assert re.search(rf"^two.json +{tokens} +– +–", table, re.MULTILINE)
    assert "two.json: no chat template was found" in table
    assert_fails(run("compare", path, "--chat", "--text", corpus), "--chat does not go with")
    assert run("compare", path, "--chat", "--format", "csv").out.startswith("encoding,content,")
    path = corpus.with_name("r.md")
    assert run(*arguments, "--report", path).status == 0
    written = path.read_text()
    assert "## talk.json, 1 message\n" in written
    added = len(encoding.encode("[user]a test")) - len(encoding.encode("a test"))
    assert re.search(rf"^\| 1 user, with template \| \+{added} \|$", written, re.MULTILINE)
    conversation = written.partition("## Talk.json, 1 message")[2].partition("\n## ")[0]
    assert "–" not in conversation, "what has no template is not there"
    assert "not resampled" not in conversation
    assert "two.json: no chat template was found" in written
    assert "## The built-in story" in written


def test_what_makes_no_sense(run, trained, folder: Path, corpus: Path) -> None:
    path = trained("gpt2", "one.json")
    compare = ["compare", path]
    assert_fails(run(*compare, "--probes", "--text", corpus), "nor the first three with --text")
    assert_fails(run(*compare, "--probes", "--reference", "en"), "--reference is a language of")
    assert_fails(run(*compare, "--parallel", folder, "--reference", "fr"), "there is no text fr")
    assert_fails(run(*compare, "--probes", "--baseline", "x"), "--baseline 'x' is none of")
    assert_fails(run(*compare, "--baseline", path), "--baseline goes with --texts")
    assert_fails(run(*compare, "--parallel", corpus), "has one language")
    said = "--width is made of the numbers of a whole text, and --differences are of places in it"
    assert_fails(run(*compare, "--differences", "--width", 8), said)
    for option in ("--width", "--context"):
        assert_fails(run(*compare, option, -3), "'-3' is not above 0; name 1 or more")
    empty = folder / "empty.txt"
    empty.write_text(" \n")
    assert_fails(run(*compare, "--texts", empty), "has no text; name another file")

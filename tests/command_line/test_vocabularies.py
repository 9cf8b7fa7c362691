"""The command line describes vocabularies of any format, and compares them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from bpe_gui.encodings.load import open_encoding
from bpe_gui.progress import counted, times
from tests.command_line.program import SENTENCES, assert_fails


def test_vocabularies_as_a_table(run, trained, sentences_model: Path, corpus: Path) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt4", "two.tiktoken")
    result = run("vocabulary", one, f"{two}@gpt4", sentences_model, "--text", corpus)
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == f"#1 {one}: 286 tokens"
    assert "kinds: word " in lines[1]
    jaccard = [line for line in lines if line.startswith("  Jaccard 0.")]
    assert len(jaccard) == 3
    assert "never used" in result.out[result.out.index("  suspicious:") :].partition("\n#")[0]
    assert sum(line.startswith("  to cover #2, #1 needs") for line in lines) == 1


def test_overlap_is_a_table_by_script_and_length(run, trained) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt4", "two.json", "--merges", 40)
    lines = run("vocabulary", one, two).out.splitlines()
    [there, _] = json.loads(run("vocabulary", one, two, "--format", "json").out)["overlaps"]
    found: dict[str, dict[str, list[str]]] = {"script": {}, "bytes": {}}
    for line in lines[lines.index("#1 and #2, by the bytes of the tokens:") :]:
        name, *numbers = line.strip().replace("no letters", "none").replace(" to ", "-").split()
        if name in found:
            rows = found[name]
        elif line.startswith("    ") and len(numbers) == 4:
            rows[name] = [number.replace(",", "") for number in numbers]
    for name, counts in there["by_script"].items():
        assert found["script"][name][:3] == list(map(str, counts))
    assert found["bytes"]["1"] == ["256", "0", "0", "1.000"]
    sums = [sum(int(row[at]) for row in found["bytes"].values()) for at in range(3)]
    longer = next(line.split() for line in lines if "17 or more" in line)
    assert [a + int(b) for a, b in zip(sums, longer[3:6], strict=True)] == [
        len(there[name]) for name in ("shared", "only_one", "only_other")
    ]


def test_lines_are_as_long_as_the_terminal(
    run, trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = trained("gpt2", "one.json")
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("vocabulary", path, path).out.splitlines()
    assert max(len(line) for line in lines if path.name not in line) <= 60


def test_json_has_the_ids_of_shared_tokens(run, trained) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt4", "two.tiktoken")
    out = run("vocabulary", one, f"{two}@gpt4", "--format", "json").out
    assert len(out.splitlines()) == 1 + 2 + 1 + 2 + 1, "a line for each vocabulary and each pair"
    found = json.loads(out)
    assert [each["tokens"] for each in found["vocabularies"]] == [286, 286]
    first, second = open_encoding(one), open_encoding(f"{two}@gpt4")
    there, back = found["overlaps"]
    assert there["jaccard"] == back["jaccard"]
    assert len(there["shared"]) > 256
    for mine, theirs in there["shared"]:
        assert first.token_bytes(mine) == second.token_bytes(theirs)
    only = {first.token_bytes(token) for token in there["only_one"]}
    assert only == {first.token_bytes(t) for t in first.ids} - {
        second.token_bytes(t) for t in second.ids
    }
    for need in there["needed"]["tokens"]:
        assert second.decode_bytes(need["now"]) == first.token_bytes(need["id"])
    assert there["needed"]["max_merges"] >= len(there["only_one"]), "an upper bound says so"


def test_what_three_share_is_one_table(run, trained) -> None:
    files = [trained(preset, f"{preset}.json") for preset in ("gpt2", "gpt4", "o200k")]
    out = run("vocabulary", *files).out
    tokens = []
    for file in files:
        encoding = open_encoding(file)
        tokens.append({encoding.token_bytes(token) for token in encoding.ids})
    lines = out.splitlines()
    at = lines.index(f"All 3 share {len(set.intersection(*tokens)):,} tokens, by their bytes:")
    assert [line.split() for line in lines[at + 1 : at + 5]] == [
        ["Jaccard", "#1", "#2", "#3"],
        *([f"#{n}", *(f"{len(one & other) / len(one | other):.3f}" for other in tokens)]
          for n, one in enumerate(tokens, 1)),
    ]  # fmt: skip
    assert "All " not in run("vocabulary", *files[:2]).out


def test_what_is_needed_is_counted_in_the_text(run, trained, corpus: Path) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt4", "two.json")
    first, second = open_encoding(one), open_encoding(two)
    alone = {first.token_bytes(t) for t in first.ids} - {second.token_bytes(t) for t in second.ids}
    used = [c for t in first.encode(SENTENCES).ids.tolist() if (c := first.token_bytes(t)) in alone]
    written = sum(len(second.encode(content.decode()).ids) for content in used)
    out = " ".join(run("vocabulary", one, two, "--text", corpus).out.split())
    said = f"#1 has them {times(len(used))} in the text, and #2 writes {counted(written, 'token')}"
    assert used
    assert f"; {said} for these, each alone" in out


def test_what_is_needed_may_not_be_in_the_text(run, trained, corpus: Path) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt2", "two.json", "--merges", 10)
    corpus.write_text("qqq")
    out = " ".join(run("vocabulary", one, two, "--text", corpus).out.split())
    assert "merges; #1 has none of them in the text" in out


def test_csv_has_a_row_for_each_token(run, trained) -> None:
    one, two = trained("gpt2", "one.json"), trained("gpt4", "two.tiktoken")
    result = run("vocabulary", one, f"{two}@gpt4", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert len(rows) == 2 * 286
    encoding, against = open_encoding(one), open_encoding(f"{two}@gpt4")
    for row in rows[:286]:
        assert bytes.fromhex(row["bytes"]) == encoding.token_bytes(int(row["id"]))
        other = against.token_to_id(bytes.fromhex(row["bytes"]))
        assert row[f"id in {two}@gpt4"] == ("" if other is None else str(other))


def test_suspicious_tokens_have_reasons(run, trained) -> None:
    path = trained("gpt2", "one.json")
    rows = json.loads(run("vocabulary", path, "--suspicious", "--format", "json").out)
    assert not [row for row in rows if row["length"] == 1]
    table = run("vocabulary", path, "--suspicious").out.splitlines()
    suspects = len({row["id"] for row in rows})
    assert table[0] == (
        f"{path}: {suspects:,} suspicious token{'s' * (suspects != 1)}; "
        "not counted: 13 bytes that UTF-8 never has"
    )
    assert table[1] == "  unreachable: 0"
    reasons = [row["why"] for row in rows if row["suspicious"] == "incomplete UTF-8"]
    assert len(reasons) > 1
    assert len({*reasons}) == 1
    (headline,) = (line for line in table if line.startswith("  incomplete UTF-8"))
    assert headline == f"  incomplete UTF-8: {len(reasons):,}. {reasons[0]}:"
    assert sum(reasons[0] in line for line in table) == 1
    lines = list(
        csv.DictReader(
            io.StringIO(run("vocabulary", path, "--suspicious", "--format", "csv").out)
        )
    )
    assert [line["why"] for line in lines] == [row["why"] for row in rows]


def test_markers_of_words_are_written(run, tmp_path: Path) -> None:
    """Else tokens of the same text look alike, and one becomes what looks like itself."""
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "low", "##low"]))
    rows = list(csv.DictReader(io.StringIO(run("vocabulary", path, "--format", "csv").out)))
    assert [row["token"] for row in rows[5:]] == ["low", "##low"]
    assert [row["bytes"] for row in rows[5:]] == [b"low".hex()] * 2
    assert "longest, with their bytes: low (3)  ##low (3)" in run("vocabulary", path).out
    twins = tmp_path / "tokenizer.json"
    twins.write_text(json.dumps({
        "model": {"type": "BPE", "vocab": {"!": 0, "!</w>": 1}, "merges": [],
                  "end_of_word_suffix": "</w>"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
    }))  # fmt: skip
    said = "    0 !: Its own text becomes “!</w>”: another token has the same bytes"
    assert said in run("vocabulary", twins, "--suspicious").out.splitlines()


def test_a_text_counts_uses(run, trained, corpus: Path) -> None:
    path = trained("gpt2", "one.json")
    result = run("vocabulary", path, "--text", corpus, "--format", "csv")
    uses = {int(row["id"]): int(row["uses"]) for row in csv.DictReader(io.StringIO(result.out))}
    ids = open_encoding(path).encode(SENTENCES).ids.tolist()
    assert sum(uses.values()) == len(ids)
    assert all(uses[token] == ids.count(token) for token in uses)
    found = run("vocabulary", path, "--suspicious", "--text", corpus, "--format", "json").out
    rows = [row for row in json.loads(found) if row["suspicious"] == "never used"]
    headline = run("vocabulary", path, "--suspicious", "--text", corpus).out.splitlines()[0]
    assert headline.endswith(f", {len(rows):,} never used in {corpus}")
    never = {row["id"]: row["why"] for row in rows}
    assert never.keys() == {token for token, number in uses.items() if not number}
    assert set(never.values()) == {f"It is never used in {corpus}"}


def test_what_is_no_file_of_text_is_refused(run, trained) -> None:
    path = trained("gpt2", "one.json")
    assert_fails(run("vocabulary", path, "--text", "-"), "--text is read once for each tokenizer")
    assert_fails(run("vocabulary", path, "--text", path.parent), "is a folder; name a file for")
    empty = path.with_name("empty.txt")
    empty.touch()
    wanted = "vocabulary", path, "--suspicious", "--text", empty
    assert_fails(run(*wanted), f"empty.txt has no token of {path}; name another file")

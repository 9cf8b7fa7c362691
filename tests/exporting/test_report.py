"""The report on encodings: one file that a browser shows without anything else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from bpe_gui.analysis.metric_columns import COLUMNS
from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.measuring.probes import probes
from bpe_gui.encodings.measuring.several_texts import measure_texts, story
from bpe_gui.encodings.measuring.text_numbers import TextMeasure, TextNumbers
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.encodings.vocabularies.overlap import jaccard_matrix, overlap
from bpe_gui.encodings.vocabularies.vocabulary import vocabulary_of
from bpe_gui.exporting.report import contents
from bpe_gui.exporting.report.contents import Report, beginning, make_report
from bpe_gui.exporting.report.markdown import markdown_report
from bpe_gui.exporting.report.page import html_report
from tests.bpe.test_trainer import trained
from tests.browser import MISSING, PROGRAM, browser

HOSTILE = "a|<b>&\n*x*.json"


@pytest.fixture(scope="module")
def report() -> Report:
    learned = [(joined().text, 1)]
    run = TrainedEncoding(trained(learned, preset("gpt2").with_changes(merges=200)).history)
    raw = TrainedEncoding(trained([("the cat sat", 1)], preset("raw")).history)
    encodings, names = [run, run.at(100), raw], ["run.json", HOSTILE, "raw"]
    numbers = []
    for texts in (story(), probes()):
        counts = tuple(map(tuple, measure_texts(encodings, texts.texts)))
        numbers.append(TextNumbers(texts, tuple(names), counts))
    return make_report(names, encodings, joined().text, "the built-in story", numbers)


class _Tables(HTMLParser):
    """Collects the cells of all tables, and checks that elements are nested."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag, attrs) -> None:
        self.scripts += tag == "script"
        if tag in ("meta", "wbr", "br"):
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


def test_the_page_has_all_numbers(report: Report) -> None:
    page = "".join(html_report(report))
    found = _Tables()
    found.feed(page)
    assert (found.open, found.scripts) == ([], 0)
    assert "http" not in page.replace("http-equiv", "")
    [english] = [row for row in found.rows if row[0] == "English"][:1]
    numbers = report.numbers[0]
    for column in range(3):
        value = numbers.estimate(TextMeasure.BYTES_PER_TOKEN, 0, column)
        assert english[column + 1].startswith(TextMeasure.BYTES_PER_TOKEN.written(value.value))
        assert TextMeasure.BYTES_PER_TOKEN.interval(value) in english[column + 1]
    assert len(english) == 4  # what is resampled is said once where it is the same of all texts
    assert "<p>Resampled of each text: 10 sentences.</p>" in page
    assert any(row[0] == HOSTILE for row in found.rows)
    assert any(row[0].startswith("typing errorsThe same story") for row in found.rows)


def test_each_part_of_the_page_is_in_its_contents(report: Report) -> None:
    page = "".join(html_report(report))
    parts = re.findall('<h2 id="(.*?)">(.*?)</h2>', page)
    links = re.findall('<a href="#(.*?)">(.*?)</a>', page)
    assert links == parts
    titles = [title for _, title in parts]
    assert titles[0] == "Encodings"
    assert titles[-1] == "Suspicious tokens"
    assert {"The built-in story", "Probes", "Overlap of the vocabularies"} < {*titles}


def test_each_number_of_an_encoding_has_its_meaning(report: Report) -> None:
    found = _Tables()
    found.feed("".join(html_report(report)))
    names, *numbers = found.rows[: len(COLUMNS) + 3]
    assert names == ["", *report.names]
    for column, row in zip(COLUMNS, numbers[1:], strict=False):
        assert row[0].startswith(column.title)
        assert row[0].removeprefix(column.title) in column.meaning
        assert row[1:] == [column.cell(one.metrics) for one in report.encodings]
    written = "".join(markdown_report(report))
    for row in numbers:
        assert f"| {row[1]} | {row[2]} | {row[3]} |" in written.replace("&#126;", "~")


def test_differences_by_cause_add_up_to_all_differences(report: Report) -> None:
    first, *others = report.encodings
    for other, sums in zip(others, report.causes, strict=True):
        more = sum(one.more_tokens - one.fewer_tokens for one in sums)
        assert more == other.metrics.tokens - first.metrics.tokens
        assert all(one.examples and one.places for one in sums)
    assert "missing merge" in [one.title for one in report.causes[0]]


def test_each_cause_has_its_costliest_example_and_a_sentence(report: Report) -> None:
    learned = [("low lower lowest newest", 1)]
    run = TrainedEncoding(trained(learned, preset("gpt2").with_changes(merges=9)).history)
    text = "low low low lower slow"
    found = make_report(["a", "b"], [run, run.at(0)], text, "a text", [])
    [[cause]] = found.causes
    assert cause.title == "missing merge"
    assert [text.strip() for text, _ in cause.examples] == [b"low"]
    assert all(said for sums in report.causes for one in sums for _, said in one.examples)


def test_tokens_that_the_text_does_not_use_are_suspicious() -> None:
    learned = [("low lower lowest newest", 1)]
    history = trained(learned, preset("whitespace").with_changes(merges=9)).history
    run = TrainedEncoding(history)
    long = make_report(["a"], [run], "low " * 50, "a text", [])
    [unused] = [one for one in long.suspicious[0] if one.reason == "never used"]
    assert 0 < unused.count < run.vocabulary_size
    short = make_report(["a"], [run], "low", "a text", [])
    assert "never used" not in [one.reason for one in short.suspicious[0]]


def test_the_overlap_of_vocabularies(report: Report) -> None:
    by_names = {(one.one, one.other): one for one in report.overlaps}
    assert len(by_names) == 6
    one, other = by_names["run.json", HOSTILE], by_names[HOSTILE, "run.json"]
    assert (one.shares.both, one.shares.only_one) == (356, 100)
    assert one.merges == 100, "one for each: a run makes each of two others"
    assert (other.shares.only_one, other.merges, other.examples) == (0, 0, ())
    assert one.examples
    for written in ("".join(html_report(report)), "".join(markdown_report(report))):
        assert "Overlap of the vocabularies" in written
        assert "merges for B to cover A, at most" in written
        assert f"{one.shares.jaccard:.3f}" in written


def test_the_overlap_is_weighted_by_use() -> None:
    learned = trained([(joined().text, 1)], preset("gpt2").with_changes(merges=200))
    run, text = TrainedEncoding(learned.history), "low lower lowest newest"
    share = (run.encode(text).ids < run.at(20).vocabulary_size).mean()
    assert 0 < share < 1
    found = make_report(["a", "b"], [run, run.at(20)], text, "a text", [])
    assert [one.used for one in found.overlaps] == [share, 1]
    for written in ("".join(html_report(found)), "".join(markdown_report(found))):
        assert f"{share:.1%}" in written
        assert "100.0%" in written


def test_the_overlap_of_many_vocabularies_is_a_matrix(report: Report) -> None:
    run = TrainedEncoding(
        trained([(joined().text, 1)], preset("gpt2").with_changes(merges=200)).history
    )
    raw = TrainedEncoding(trained([("the cat sat", 1)], preset("raw")).history)
    encodings, names = [run, run.at(100), raw, run.at(50)], ["a", "b", "c", "d"]
    found = make_report(names, encodings, "the cat sat", "a text", [])
    vocabularies = list(map(vocabulary_of, encodings))
    jaccard = jaccard_matrix(vocabularies)
    page = _Tables()
    page.feed("".join(html_report(found)))
    written = "".join(markdown_report(found))
    for number, name in enumerate(names):
        shares = [f"{share:.3f}" for share in jaccard[number]]
        shares[number] = "–"
        assert [name, *shares] in page.rows
        assert f"| {name} | {' | '.join(shares)} |" in written
        lacking = [
            f"{overlap(vocabularies[number], other).shares.only_one:,}" for other in vocabularies
        ]
        lacking[number] = "–"
        row = [name, f"{len(vocabularies[number].ordinary):,}", *lacking]
        assert row in page.rows
        assert f"| {' | '.join(row)} |" in written
    # What a vocabulary needs to cover another is said of the first and each other one.
    assert len(found.overlaps) == 6
    assert {"a"} == {one.one for one in found.overlaps if one.other != "a"}


def test_long_names_are_elided_above_columns_and_told_apart(report: Report) -> None:
    names = [f"acme-multilingual-web-mixture-{size}k-sentencepiece.json" for size in (16, 32)]
    learned = [("low lower lowest newest", 1)]
    run = TrainedEncoding(trained(learned, preset("gpt2").with_changes(merges=9)).history)
    page = "".join(html_report(make_report(names, [run, run.at(3)], "low", "a text", [])))
    found = _Tables()
    found.feed(page)
    heads = found.rows[0][1:]
    assert ["16" in heads[0], "32" in heads[1]] == [True, True]
    text = re.sub("<[^>]*>", "", page)
    for head, name in zip(heads, names, strict=True):
        assert len(head) <= 30
        assert f"{head} = {name}" in text


def test_an_encoding_that_fails_is_a_row_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    learned = [("low lower lowest newest", 1)]
    run = TrainedEncoding(trained(learned, preset("gpt2").with_changes(merges=9)).history)
    broken = run.at(3)

    def fail(*arguments: object, **options: object) -> None:
        raise EncodingError("it is too long")

    encodings, names = [broken, run, run.at(1)], ["broken", "a", "b"]
    with monkeypatch.context() as patch:
        patch.setattr(broken, "encode_documents", fail)
        counts = tuple(map(tuple, measure_texts(encodings, story().texts)))
    monkeypatch.setattr(broken, "encode", fail)
    numbers = TextNumbers(story(), tuple(names), counts)
    found = make_report(names, encodings, "low lower", "a text", [numbers])
    assert found.failed == ["broken"]
    for written in ("".join(html_report(found)), "".join(markdown_report(found))):
        assert "it is too long" in written
        assert "broken: it is too long" in written
        assert "Differences from a<" in written or "Differences from a\n" in written


def test_what_was_guessed_is_said_below_the_encodings(report: Report) -> None:
    known, *others = report.encodings
    guessed = replace(report, encodings=(replace(known, remark="read as ranks, guessed"), *others))
    for write in (html_report, markdown_report):
        assert "run.json: read as ranks, guessed." in "".join(write(guessed))
        alike = [replace(one, remark="read as ranks, guessed") for one in report.encodings]
        written = "".join(write(replace(report, encodings=tuple(alike))))
        assert written.count("read as ranks, guessed") == 1
        assert "and raw: read as ranks, guessed." in written
        assert "guessed" not in "".join(write(report))


def test_markdown_has_as_many_cells_in_each_row(report: Report) -> None:
    written = "".join(markdown_report(report))
    tables = re.findall(r"(?:^\|.*\|\n)+", written, re.MULTILINE)
    assert len(tables) > 8
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
    assert HOSTILE not in written
    assert "\n## Probes\n" in written


def test_long_texts_are_cut_at_the_end_of_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "MAX_TEXT", 10)
    assert beginning("short") == "short"
    assert beginning("a line\nanother") == "a line\n"
    assert beginning("字" * 9) == "字" * 3


@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_a_browser_shows_it_in_both_schemes(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("".join(html_report(report)), encoding="utf-8")
    with browser(tmp_path / "profile") as shown:
        for dark in (False, True):
            shown.open(path, dark=dark)
            assert (shown.requests, shown.errors) == ([path.as_uri()], [])
            assert shown.evaluate(_WORST_CONTRAST) >= 4.5
            for width in (360, 1024, 1920):
                shown.resize(width, 800)
                assert shown.evaluate("document.documentElement.scrollWidth") <= width
                assert shown.evaluate(_CUT_SENTENCES) == 0


@pytest.fixture(scope="module")
def many() -> Report:
    """A report on 24 encodings."""
    run = TrainedEncoding(
        trained([(joined().text, 1)], preset("gpt2").with_changes(merges=120)).history
    )
    encodings = [run.at(5 * number) for number in range(24)]
    names = tuple(f"maker{number}/tokenizer.json" for number in range(24))
    counts = tuple(map(tuple, measure_texts(encodings, story().texts)))
    numbers = [TextNumbers(story(), names, counts)]
    return make_report(names, encodings, "the cat sat", "a text", numbers)


def test_tables_of_many_encodings_are_divided_and_repeat_the_first_column(many: Report) -> None:
    found = _Tables()
    found.feed("".join(html_report(many)))
    for first in ("", "text"):
        names = [name for row in found.rows if row[0] == first for name in row[1:]]
        assert names[:24] == [*many.names]
    meaning = "How many tokens the text has"
    tokens = [row for row in found.rows if row[0].removesuffix(meaning) == "tokens"]
    sizes = [f"{one.metrics.tokens:,}" for one in many.encodings]
    assert [row[1:] for row in tokens] == [sizes[:12], sizes[12:]]
    assert [row[0].endswith(meaning) for row in tokens] == [True, False]


@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_many_encodings_scroll_within_the_page_and_fit_on_paper(
    many: Report, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    path.write_text("".join(html_report(many)), encoding="utf-8")
    with browser(tmp_path / "profile") as shown:
        shown.open(path)
        shown.resize(1100, 800)
        assert shown.evaluate("document.documentElement.scrollWidth") <= 1100
        assert shown.evaluate(_WIDEST_TABLE) > 1100, "there is something to scroll"
        shown.call("Emulation.setEmulatedMedia", media="print")
        shown.resize(1047, 718)  # an A4 page across, with Chromium's margins
        assert shown.evaluate(_WIDEST_TABLE) <= 1047
        assert shown.evaluate(_HIGHEST_MEANING) <= 60, "four lines"


def test_a_report_on_many_encodings_is_printed_across(report: Report, many: Report) -> None:
    across = "@page{size:landscape}"
    assert across in "".join(html_report(many))
    assert across not in "".join(html_report(report))


_HIGHEST_MEANING = (
    "Math.max(...[...document.querySelectorAll('.n tbody th small')].map(one => one.offsetHeight))"
)


_WIDEST_TABLE = "Math.max(...[...document.querySelectorAll('table')].map(one => one.offsetWidth))"

_CUT_SENTENCES = """
[...document.querySelectorAll('table.t')].filter(
  table => table.parentElement.scrollWidth > table.parentElement.clientWidth).length
"""

_WORST_CONTRAST = """
(() => {
  const parts = text => text.match(/[0-9.]+/g).map(Number);
  const light = rgb => rgb.slice(0, 3).map(v => v / 255)
    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const page = parts(getComputedStyle(document.body).backgroundColor);
  let worst = 21;
  for (const element of document.querySelectorAll('h1,h2,h3,p,th,td,small,b')) {
    let behind = page;
    const cell = element.closest('td');
    if (cell) {
      const [r, g, b, a = 1] = parts(getComputedStyle(cell).backgroundColor);
      behind = [r, g, b].map((v, i) => v * a + page[i] * (1 - a));
    }
    const [x, y] = [light(parts(getComputedStyle(element).color)), light(behind)]
      .sort((a, b) => b - a);
    worst = Math.min(worst, (x + .05) / (y + .05));
  }
  return worst;
})()
"""

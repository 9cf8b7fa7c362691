"""Reading and writing tours: what they say, and where what is wrong stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.app import create
from bpe_gui.arguments import CommandError, parse_open
from bpe_gui.folders import resource
from bpe_gui.tours.directives import DIRECTIVES, WITH_PARTS, parts_of, read_spot
from bpe_gui.tours.figures import FIGURES
from bpe_gui.tours.files import load, own_tour, short_tour
from bpe_gui.tours.parse import MAX_CHARACTERS, out_of_view, parse, parse_with_lines
from bpe_gui.tours.tour import (
    THE_END,
    At,
    Figure,
    Scene,
    Spot,
    Template,
    Tour,
    TourErrors,
    estimated_minutes,
    moments,
)
from tests.tours.writing import write
from tests.tours.written import PAGE, PLACES, documented, scraps, tours


def mistakes(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(TourErrors) as raised:
        parse(text, PLACES)
    return [(error.line, error.column, error.reason) for error in raised.value.errors]


@given(tours)
def test_what_is_written_reads_back_the_same(tour: Tour) -> None:
    text = write(tour)
    assert parse(text, PLACES) == tour
    # Of what is written, only lines that point at something can be told to be out of view.
    lines = text.split("\n")
    for error in out_of_view(*parse_with_lines(text, PLACES), PLACES):
        name = lines[error.line - 1].split(":")[0]
        assert name in ("spotlight", "cover", "choices", "word", "difference")


def test_places_of_older_tours_are_still_found() -> None:
    assert read_spot("wall", PLACES) == Spot("boundaries")
    assert read_spot("numbers whole words", PLACES) == Spot("numbers", part="single-token words")
    assert read_spot("numbers used", PLACES) == Spot("numbers", part="vocabulary used")


@given(st.one_of(st.text(), scraps))
def test_any_text_is_a_tour_or_says_where_it_is_none(text: str) -> None:
    try:
        tour = parse(text, PLACES)
    except TourErrors as errors:
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        for error in errors.errors:
            assert 1 <= error.line <= len(lines)
            assert 1 <= error.column <= len(lines[error.line - 1]) + 2
            assert error.reason
    else:
        assert parse(write(tour), PLACES) == tour
        assert len(moments(tour)) >= len(tour.pages)


@given(st.binary(max_size=200))
def test_any_file_is_a_tour_or_says_where_it_is_none(data: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.open", lambda *_: _Opened(data))
        with pytest.raises(TourErrors):
            load("x.tour", PLACES)


class _Opened:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def __enter__(self) -> _Opened:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def read(self, size: int) -> bytes:
        return self._data[:size]


def test_a_page_has_settings_sentences_a_question_and_what_comes_then() -> None:
    tour = parse(
        PAGE
        + "These are {words}\ncounts: all of them.\n\n"
        + "go to: 1,000\nspotlight: pairs 1-3\nspotlight: why\ntext: one\ntext:\ntext:   two\n"
        + "predict: Which?\nchoices: the next pair\nthen:\nplay to: the end\nSo it is.\n",
        PLACES,
    )
    (page,) = tour.pages
    before, after = page.before.settings, page.after
    assert before["go_to"] == At(1000)
    assert before["spotlight"] == (Spot("pairs", 1, 3), Spot("why"))
    assert before["text"] == "one\n\n  two"
    assert page.before.paragraphs[0] == Template(
        ("Words. These are ", Figure("words"), " counts: all of them.")
    )
    assert page.question is not None
    assert page.question.choices is None
    assert after is not None
    assert after.settings["go_to"] == At(THE_END, plays=True)


@pytest.mark.parametrize(
    ("added", "line", "column", "told"),
    [
        ("spotlight: paris\n", 9, 12, "write pairs"),
        ("spotlight: why 3\n", 9, 16, "only pairs have"),
        ("spotlight: pairs 3-1\n", 9, 20, "after the first"),
        ("spotlight: pairs 0\n", 9, 18, "from 1 to"),
        ("spotlight: pairs e + s\n", 9, 18, "no row; write a number"),
        ("spotlight: languages xx\n", 9, 22, "“languages” has no “xx”; write en, de"),
        ("spotlight: languages 3\n", 9, 22, "“languages” has no “3”"),
        ("spotlight: numbers unknwon\n", 9, 20, "write unknown"),
        ("spotlight: curves bits/token\n", 9, 19, "write bytes/token"),
        ("spotlight: what if 2\n", 9, 20, "only pairs have, and parts only curves"),
        ("cover: the last merge\n", 9, 8, "write the next merge or the effect of the next merge"),
        ("\nAs {cost of xx in lane 1}.\n", 10, 13, "not told in “xx”; it is in en, de"),
        ("corpus: war\n", 9, 9, "write four-words"),
        ("corpus: ../secret.txt\n", 9, 9, "in the folder of the tour"),
        ("corpus: /etc/passwd\n", 9, 9, "in the folder of the tour"),
        ("preset: gtp2\n", 9, 9, "write gpt2"),
        ("vocabulary: many\n", 9, 13, "no number"),
        ("vocabulary: 0\n", 9, 13, "from 1 to"),
        ("go to: 9999999999\n", 9, 8, "from 0 to"),
        ("go to: 1\nplay to: 2\n", 10, 1, "set already"),
        ("lane: gpt2 on war\n", 9, 15, "no corpus"),
        ("lane: the gun\n", 9, 7, "write the run"),
        ("workspace: home\n", 9, 12, "write explore, compare or laboratory"),
        ("spotlite: pairs\n", 9, 1, "write spotlight"),
        ("\nremark: this is\n", 10, 1, "\\ before it"),
        ("\nThere are {word}.\n", 10, 12, "perhaps “words”?"),
        ("\nThere are {words.\n", 10, 11, "has no }"),
        ("predict: Which?\n", 9, 1, "2 to 4 choices"),
        ("choice: 1\n", 6, 4, "no question"),
        ("predict: Q?\nchoice: a\nchoice: b\nright: c\n", 9, 1, "none of the choices"),
        ("predict: Q?\nchoice: a\nchoice: b\n", 9, 1, "which choice is right"),
        ("then: go\n", 9, 7, "must be alone"),
        ("then:\n", 6, 4, "nothing comes after"),
        ("then:\nSo.\nthen:\n", 11, 1, "reveals once"),
        ("title: another\n", 9, 1, "one title"),
        ("## \n", 9, 4, "a title is missing"),
        ("# Empty\n", 9, 3, "has no page"),
        ("\0\n", 9, 1, "U+0000"),
    ],
)
def test_a_mistake_has_its_place(added: str, line: int, column: int, told: str) -> None:
    found = mistakes(PAGE.rstrip("\n") + "\n" + added)
    assert any((place, at) == (line, column) and told in reason for place, at, reason in found), (
        found
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "this is not a tour"),
        ("bpe-gui tour 2\n", "only version 1 is known"),
        ("bpe-gui tour 1\n", "no chapter"),
        ("bpe-gui tour 1\n# A\n## B\nWords.\n", "no title"),
        ("bpe-gui tour 1\ntitle: T\nWords.\n", "belongs to no page"),
        ("bpe-gui tour 1\ntitle: T\n## B\nWords.\n", "belongs to a chapter"),
        ("bpe-gui tour 1\ntitle: T\n# A\n## B\n", "says nothing"),
        ("bpe-gui tour 1\n" + "x" * MAX_CHARACTERS, "make it shorter"),
    ],
)
def test_what_is_no_tour_says_what_is_missing(text: str, told: str) -> None:
    assert any(told in reason for _, _, reason in mistakes(text))


def test_a_part_of_a_place_is_named_as_it_stands_there() -> None:
    lines = (
        "languages hi", "numbers Rényi", "numbers rényi", "numbers single-token words",
        "curves zipf",
    )  # fmt: skip
    tour = parse(PAGE + "".join(f"spotlight: {line}\n" for line in (*lines, "what if")), PLACES)
    assert tour.pages[0].before.settings["spotlight"] == (
        Spot("languages", part="hi"),
        Spot("numbers", part="Rényi"),
        Spot("numbers", part="Rényi"),
        Spot("numbers", part="single-token words"),
        Spot("curves", part="counts"),
        Spot("what if"),
    )


def test_what_is_covered_is_uncovered_when_the_page_reveals_it() -> None:
    ask = "predict: Which?\nchoices: the next pair\nthen:\nSo.\n"
    asking = f"cover: the next merge\n\n## Asked\n\nWords.\n\n{ask}\n## Then\n\nMore.\n"
    tour = parse(PAGE + asking, PLACES)
    assert [(stop.covers, stop.asks) for stop in moments(tour)] == [
        (True, False), (True, True), (False, False), (False, False),
    ]  # fmt: skip
    tour = parse(PAGE + "cover: the next merge\nthen:\nSo.\n", PLACES)
    assert [stop.covers for stop in moments(tour)] == [True, False]


def test_all_mistakes_are_told_at_once() -> None:
    found = mistakes(PAGE + "preset: x\ncorpus: y\nspotlight: z\n")
    assert [line for line, _, _ in found] == [9, 10, 11]


ASKED = "predict: Q?\nchoice: a\nchoice: b\nright: a\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (PAGE.replace("Words.", "Words {word}."), [8]),
        (PAGE.replace("Words.", "remark: words"), [8]),
        (PAGE.replace("Words.", "Words\0."), [8]),
        (PAGE.replace("# A chapter", "# A\0chapter"), [4]),
        (PAGE.replace("title:", "titel:"), [2]),
        (PAGE.replace("title: A tour", "title:"), [2]),
        (PAGE.replace("title: A tour\n", "") + "title: A tour\n", [8]),
        (PAGE.replace("## A page\n", ""), [7]),
        (PAGE.replace("## A page\n", "corpus: four-words\n") + "More.\n", [6]),
        (PAGE + "predict: {\nchoice: a\nchoice: b\nright: a\n", [9]),
        (PAGE + "predict: Q?\nchoice: a\nchoise: b\nright: a\n", [11]),
        (PAGE + "predict: Q?\nchoice: {\nchoice: b\nright: b\n", [10]),
        (PAGE + "predict: Q?\nchoice: a\nchoice: b\nright: {\n", [12]),
        (PAGE + "predict: Q?\nchoice: a\nchoice: b\nright:\n", [12]),
        (PAGE + "predict: Q?\nchoices: a, b\nright: a\n", [10]),
        (PAGE + ASKED + "then:\ngo to: minus\n", [14]),
        (PAGE + "then:\ngo to: minus\n", [10]),
        (PAGE + "go to: 1\nthn:\ngo to: 2\n", [10]),
        (PAGE + "then:\n" + ASKED, [10]),
        (PAGE + ASKED + ASKED, [13]),
        (PAGE + "spotlight: why\n" * 30, [17]),
        (PAGE + ("x" * 1999 + "\n") * 5, [9]),
    ],
)
def test_no_mistake_is_told_that_only_follows_from_another(text: str, lines: list[int]) -> None:
    found = mistakes(text)
    assert [line for line, _, _ in found] == lines, found


def test_each_mistake_is_a_line_in_the_order_of_the_lines() -> None:
    text = (
        PAGE.replace("Words.", "corpus: nowhere\nspotlight: pear\ngo to: minus\n\n{next pear}.")
        + "\npredict: Which?\nchoice: a\n\n## Another\n\nMore.\npreset: x\nright: b\n"
    )
    with pytest.raises(TourErrors) as raised:
        parse(text, PLACES)
    told = str(raised.value).split("\n")
    assert told == [str(error) for error in raised.value.errors]
    places = [(error.line, error.column) for error in raised.value.errors]
    assert places == sorted(places)
    assert [line for line, _ in places] == [8, 9, 10, 12, 14, 14, 17, 20]
    assert "perhaps “next pair”?" in told[3]
    assert "2 to 4 choices" in "".join(told[4:6])
    assert "which choice is right" in "".join(told[4:6])


def test_what_is_not_read_after_very_many_mistakes_is_told() -> None:
    found = mistakes(PAGE + "\nabc: d\n" * 500)
    assert len(found) == 101
    assert "the rest is not read" in found[-1][2]


def test_a_line_that_is_wrong_twice_is_told_twice() -> None:
    for name in sorted({*DIRECTIVES} - {"text", "word"}):  # which take anything
        found = mistakes(PAGE + f"{name}: {{\n" * 2)
        assert [line for line, _, _ in found] == [9, 10], name


def test_what_would_take_long_is_refused_soon() -> None:
    assert len(mistakes(PAGE + "\nabc: d\n" * 10_000)) == 101
    assert "says at most" in mistakes(PAGE + "x" * 3000 + "\n")[0][2]
    for line, most in (("spotlight: why", 8), ("lane: gpt2", 8), ("text: a", 200)):
        assert parse(PAGE + f"{line}\n" * most, PLACES)
        found = mistakes(PAGE + f"{line}\n" * (most + 1))
        assert found[0][0] == 9 + most
        assert f"at most {most} lines" in found[0][2]


def test_corpora_lie_beside_the_tour(tmp_path: Path) -> None:
    tour = tmp_path / "t" / "my.tour"
    tour.parent.mkdir()
    tour.write_text(PAGE + "corpus: mine.txt\n")
    with pytest.raises(TourErrors, match=r"line 9, column 9: there is no file mine\.txt"):
        load(tour, PLACES)
    (tmp_path / "secret.txt").write_text("secret")
    (tour.parent / "mine.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(TourErrors, match="no file"):
        load(tour, PLACES)
    (tour.parent / "mine.txt").unlink()
    (tour.parent / "mine.txt").write_text("words")
    assert moments(load(tour, PLACES))[0].scene.corpus == "mine.txt"


@pytest.mark.parametrize(
    ("added", "line", "told"),
    [
        ("spotlight: lanes\n", 9, "“lanes” can be seen only in compare"),
        ("\nthen:\nworkspace: compare\nspotlight: why\n", 12, "only in explore"),
        ("workspace: compare\nspotlight: languages hi\n", 10, "compare on: the story"),
        ("workspace: compare\npredict: Q?\nchoices: the next pair\n", 11, "only in explore"),
        ("workspace: laboratory\ncover: the next merge\n", 10, "only in explore"),
        ("workspace: laboratory\n\n## Next\n\nMore.\nword: low\n", 14, "only in explore"),
        ("difference: 1\n", 9, "only in compare"),
    ],
)
def test_what_is_out_of_view_on_its_page_is_told(
    tmp_path: Path, added: str, line: int, told: str
) -> None:
    tour = tmp_path / "my.tour"
    tour.write_text(PAGE.rstrip("\n") + "\n" + added)
    with pytest.raises(TourErrors) as raised:
        load(tour, PLACES)
    (error,) = raised.value.errors
    assert (error.line, error.column) == (line, 1)
    assert told in error.reason


def test_what_is_a_sentence_points_to_nothing() -> None:
    """Only a colon with a space behind it, or nothing, makes a line that asks for something."""
    sentences = "spotlight:nothing\nword:for word\n\nThe choices:these.\n"
    tour, lines = parse_with_lines(PAGE + "workspace: compare\n" + sentences, PLACES)
    assert [line.name for line in lines] == ["workspace"]
    assert not out_of_view(tour, lines, PLACES)
    assert "spotlight:nothing word:for word" in str(tour.pages[0].before.paragraphs[1])


def test_the_command_line_takes_a_tour_and_tells_what_is_wrong_with_it(tmp_path: Path) -> None:
    tour = tmp_path / "my.tour"
    tour.write_text(PAGE)
    assert parse_open(["open", str(tour)]).tour == str(tour)
    with pytest.raises(CommandError, match="name it alone"):
        parse_open(["open", str(tour), "--preset", "gpt2"])
    tour.write_text(PAGE + "preset: gtp2\n")
    with pytest.raises(CommandError, match="line 9, column 9"):
        create(["open", str(tour)])
    with pytest.raises(FileNotFoundError):
        parse_open(["open", str(tmp_path / "none.tour")])


def test_a_page_holds_what_the_pages_before_it_in_its_chapter_ask_for() -> None:
    tour = parse(
        PAGE
        + "preset: gpt2\ngo to: 5\nspotlight: why\n\n## Next\n\nMore.\n\n## Third\n"
        + "ties: lowest-id\n\nMore.\n\n# Another\n\n## First\n\nAnew.\n",
        PLACES,
    )
    first, second, third, fourth = (moment.scene for moment in moments(tour))
    assert (first.preset, first.merges, first.spotlight) == ("gpt2", 5, (Spot("why"),))
    assert (second.preset, second.merges, second.spotlight) == ("gpt2", 5, ())
    assert third.merges == 0, "another rule begins before the first merge"
    assert fourth == Scene()


def test_what_is_revealed_goes_on_from_what_was_shown() -> None:
    tour = parse(PAGE + "play to: 3\nspotlight: why\nthen:\ntext: other\n", PLACES)
    shown, revealed = (moment.scene for moment in moments(tour))
    assert revealed.spotlight == shown.spotlight
    assert revealed.go_to == At(3), "nobody walks twice"
    assert revealed.with_settings({}) == revealed


def test_the_format_is_documented_whole() -> None:
    page = resource("tours", "FORMAT.md").read_text("utf-8")
    for name in (*DIRECTIVES, *FIGURES, *PLACES):
        assert f"| `{name}` |" in page, name
    for place in WITH_PARTS:
        for part in parts_of(place):
            assert f"`{part}`" in page, part
    assert [name for name, _ in documented()] == list(DIRECTIVES)
    for _, example in documented():
        assert parse(PAGE + example + "\n", PLACES)
    texts = [text.lstrip() for text in page.split("```")[1::2]]
    assert [parse(text, PLACES).title for text in texts] == ["Two letters", "Who pays"]
    assert not any(out_of_view(*parse_with_lines(text, PLACES), PLACES) for text in texts)


def test_the_own_tour_is_one_as_the_issue_asks() -> None:
    tour = load(own_tour(), PLACES)
    assert len(tour.chapters) == 9
    assert all(3 <= len(chapter.pages) <= 7 for chapter in tour.chapters)
    assert all(page.question or page.after for page in tour.pages[:2][1:])
    asking = [c for c in tour.chapters if any(page.question for page in c.pages)]
    assert len(asking) == len(tour.chapters), "each chapter lets the audience predict"
    assert all(page.before.settings["spotlight"] for page in tour.pages), "each points to something"
    assert parse(write(tour), PLACES) == tour


@pytest.mark.parametrize("path", [own_tour(), short_tour()])
def test_each_part_of_the_own_tours_is_two_or_three_sentences(path: Path) -> None:
    for page in load(path, PLACES).pages:
        for part in filter(None, (page.before, page.after)):
            said = re.sub(r"{[^}]*}|“[^”]*”", "x", " ".join(map(str, part.paragraphs)))
            assert len(re.findall(r"[.!?](?= |$)", said)) <= 3, page.title
            # With a question below it, it is to be seen at once on the stage.
            asks = page.question is not None and part is page.before
            assert len(said) <= (230 if asks else 300), (page.title, len(said))


def test_the_short_tour_asks_on_its_pages_alone() -> None:
    questions = [page.question for page in load(short_tour(), PLACES).pages if page.question]
    assert questions
    assert all(question.choices for question in questions), "none is also in the panel of guesses"


def test_the_short_tour_takes_ten_minutes() -> None:
    minutes = [
        estimated_minutes(load(path, PLACES).chapters) for path in (short_tour(), own_tour())
    ]
    assert minutes[0] <= 10
    assert minutes[1] > 3 * minutes[0]


@pytest.mark.parametrize("path", [own_tour(), short_tour()])
def test_no_page_of_the_own_tours_shows_a_merge_that_is_asked_for_later(path: Path) -> None:
    shown: set[object] = set()
    for stop in moments(load(path, PLACES)):
        scene = stop.scene
        merge = (scene.corpus, scene.preset, scene.vocabulary, scene.ties, scene.go_to.merges)
        if stop.covers:
            assert merge not in shown, stop
        else:
            shown.add(merge)


def test_a_note_goes_with_its_part_of_the_page() -> None:
    tour = parse(
        PAGE + "note: Ask first,\nnote: wait for {pairs} hands.\nMore.\n\nthen:\nnote: b\n\nC.",
        PLACES,
    )
    (page,) = tour.pages
    assert page.after is not None
    assert str(page.before.note) == "Ask first, wait for {pairs} hands."
    assert [str(one) for one in page.before.paragraphs] == ["Words.", "More."]
    assert str(page.after.note) == "b"
    assert mistakes(f"{PAGE}note:") == [(9, 7, "a value is missing after the colon")]
    assert mistakes(PAGE + "note: a\n" * 10) == [
        (line, 1, "a part of a page has at most 8 lines “note”") for line in (17, 18)
    ]


def test_the_programs_own_tours_have_notes() -> None:
    for path in (own_tour(), short_tour()):
        pages = load(path, PLACES).pages
        noted = [page for page in pages if page.before.note or (page.after and page.after.note)]
        assert len(noted) > len(pages) / 2

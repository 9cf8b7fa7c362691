"""Decoding piece by piece gives what decoding the whole file gives."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from bpe_gui.bpe import text_files
from bpe_gui.bpe.corpus import Corpus, CorpusError, CorpusOptions
from bpe_gui.bpe.text_files import FileEncoding, find_encoding, is_binary, without_surrogates

from .corpus_reading import decoded

BLOCK_SIZES = st.integers(1, 7)
TEXTS = st.text(
    st.sampled_from("az \n\0éñЖя中日語あア각👍\U0010ffff\ufeff\ufffd")
    | st.characters(codec="utf-8")
)
ENCODINGS = (
    *("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-7", "ascii", "latin-1", "cp1252"),
    *("koi8-r", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "iso2022_jp"),
)
MARKED = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


@given(TEXTS, BLOCK_SIZES)
def test_utf8_goes_through_unchanged(text: str, block_size: int) -> None:
    data = text.removeprefix("\ufeff").encode()
    assert decoded(data, CorpusOptions(), block_size) == data.removeprefix(codecs.BOM_UTF8)


@given(st.sampled_from(ENCODINGS), TEXTS, BLOCK_SIZES)
def test_named_encodings(encoding: str, text: str, block_size: int) -> None:
    data = text.encode(encoding, "ignore")
    # Some are not read back as they were written: utf-7, and what escapes with U+001B.
    assume("\x1b" not in text or encoding != "iso2022_jp")
    expected = data.decode(encoding).removeprefix("\ufeff" if encoding in MARKED else "")
    assert decoded(data, CorpusOptions(encoding=encoding), block_size) == expected.encode()


@given(st.sampled_from(list(MARKED)), st.booleans(), TEXTS, BLOCK_SIZES)
def test_a_byte_order_mark_is_found_and_dropped_once(
    encoding: str, named: bool, text: str, block_size: int
) -> None:
    data = MARKED[encoding] + text.encode(encoding)
    # U+0000 after the mark of UTF-16 is the mark of UTF-32.
    assume(named or encoding != "utf-16-le" or not text.startswith("\0"))
    options = CorpusOptions(encoding=encoding if named else None)
    assert decoded(data, options, block_size) == text.encode()


@pytest.mark.parametrize("name", ["utf-16", "UTF_16", "u16", "utf-32"])
def test_encodings_that_need_a_mark(name: str) -> None:
    options = CorpusOptions(encoding=name)
    assert decoded("naïve".encode(name), options, 3) == "naïve".encode()
    assert decoded(b"", options, 3) == b""
    with pytest.raises(CorpusError, match=r"data cannot be read as utf-\d\d: .*byte-order mark;"):
        decoded("naïve".encode(codecs.lookup(name).name + "-le"), options, 8)


def test_marks_in_the_middle_stay() -> None:
    for data in (b"a\xef\xbb\xbfb", codecs.BOM_UTF8 * 2, "\ufeff\ufeff".encode("utf-16-le")):
        name = find_encoding(data, None).name
        expected = data.decode(name).removeprefix("\ufeff")
        assert decoded(data, CorpusOptions(), 2) == expected.encode()
        assert "\ufeff" in expected


def test_names_with_a_mark_in_them() -> None:
    assert find_encoding(codecs.BOM_UTF8 + b"a", "utf-8-sig") == FileEncoding("utf-8", 3)
    assert find_encoding(b"a", "utf-8-sig") == FileEncoding("utf-8", 0)
    assert find_encoding(codecs.BOM_UTF16_BE, "utf-16") == FileEncoding("utf-16-be", 2)
    assert find_encoding(codecs.BOM_UTF16_BE, "utf-16-le") == FileEncoding("utf-16-le", 0)
    assert find_encoding(codecs.BOM_UTF32_LE, "utf-16") == FileEncoding("utf-16-le", 2)
    assert find_encoding(codecs.BOM_UTF8, "latin-1") == FileEncoding("iso8859-1", 0)


BROKEN = (
    st.lists(
        st.sampled_from(
            [b"a", b"\n", b"\xc3\xa9", b"\xe4\xb8\xad", b"\xf0\x9f\x91\x8d", b"\xe4\xb8"]
        )
        | st.binary(min_size=1, max_size=3)
    )
    .map(b"".join)
    .filter(lambda data: not data.startswith(b"\x1f\x8b\x08"))
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-32-be", "shift_jis", "gb18030"])
@settings(max_examples=settings.default.max_examples // 3)
@given(data=BROKEN, block_size=BLOCK_SIZES)
@example(data=b"ab\xed\xa0\x80", block_size=4)
@example(data=b"abc\xf0\x9f\x91", block_size=4)
def test_broken_bytes_are_found_where_whole_decoding_finds_them(
    encoding: str, data: bytes, block_size: int
) -> None:
    options = CorpusOptions(encoding=encoding)
    skipped = find_encoding(data, encoding).mark_size
    try:
        expected = data[skipped:].decode(encoding)
    except UnicodeDecodeError as error:
        offset = skipped + error.start
        with pytest.raises(CorpusError, match=rf"^data cannot .* at byte offset {offset};"):
            decoded(data, options, block_size)
    else:
        assert decoded(data, options, block_size) == expected.encode()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp1252"])
@given(data=BROKEN, block_size=BLOCK_SIZES)
def test_broken_bytes_are_replaced_as_in_whole_decoding(
    encoding: str, data: bytes, block_size: int
) -> None:
    options = CorpusOptions(encoding=encoding, replace_errors=True)
    skipped = find_encoding(data, encoding).mark_size
    expected = data[skipped:].decode(encoding, "replace")
    assert decoded(data, options, block_size) == expected.encode()


@given(BROKEN, BLOCK_SIZES)
def test_multibyte_encodings_replace_too(data: bytes, block_size: int) -> None:
    """Where the broken characters begin and end is for the codec to say."""
    options = CorpusOptions(encoding="shift_jis", replace_errors=True)
    try:
        expected = data.decode("shift_jis")
    except UnicodeDecodeError:
        assert "\ufffd".encode() in decoded(data, options, block_size)
    else:
        assert decoded(data, options, block_size) == expected.encode()


def test_the_message_says_what_is_wrong_and_what_to_do() -> None:
    with pytest.raises(CorpusError) as error:
        decoded("caf\u00e9 ".encode("latin-1"), CorpusOptions(), 100)
    first, *others, last = error.value.encodings
    assert first == "windows-1252"
    assert str(error.value) == (
        "data cannot be read as utf-8: there is no character for 0xE9 at byte offset 3; "
        f"name the encoding it is written in (probably {', '.join([first, *others])} or {last}), "
        "or have what cannot be read replaced"
    )
    with pytest.raises(CorpusError, match="it ends in the middle of a character, at byte offset 5"):
        decoded(codecs.BOM_UTF8 + b"ab\xe4\xb8", CorpusOptions(), 2)
    with pytest.raises(CorpusError, match="at byte offset 4"):
        decoded(codecs.BOM_UTF16_LE + b"a\0b", CorpusOptions(), 2)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("windows-1252", "L’été dernier, le garçon a mangé des crêpes à la forêt. "),
        ("windows-1251", "Москва — столица России, здесь живут миллионы людей. "),
        ("koi8-r", "Москва - столица России, здесь живут миллионы людей. "),
        ("cp932", "東京は日本の首都です。毎日たくさんの人が電車で仕事に行きます。"),
        ("cp949", "서울은 대한민국의 수도입니다. 매일 많은 사람들이 출근합니다. "),
        ("gb18030", "北京是中华人民共和国的首都。每天有很多人坐地铁去上班。"),
        ("big5", "臺北是臺灣的首都。每天有很多人搭捷運去上班。"),
        ("windows-1253", "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας. "),
    ],
)
@pytest.mark.parametrize("before", ["", "plain text " * 40_000])
def test_the_encoding_of_a_text_is_the_most_likely(
    encoding: str, text: str, before: str, tmp_path: Path
) -> None:
    """Also where it is first needed far into the file."""
    path = tmp_path / "text.txt"
    path.write_bytes((before + text * 4).encode(encoding))
    corpus = Corpus([path])
    with pytest.raises(CorpusError) as error:
        list(corpus.blocks())
    assert corpus.likely_encodings == error.value.encodings
    assert error.value.encodings[0] == encoding
    read = Corpus([path], CorpusOptions(encoding=encoding))
    assert b"".join(block.text for block in read.blocks()).decode() == before + text * 4
    assert (read.likely_encodings, len(read.other_encodings)) == ((), 1)


def test_nothing_is_guessed_of_what_is_no_text_or_utf8_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "data"
    for data in (bytes(range(256)) * 40, "日本語のテキスト".encode()[:-1]):
        path.write_bytes(data)
        with pytest.raises(CorpusError) as error:
            list(Corpus([path]).blocks())
        assert error.value.encodings == ()


def test_utf16_without_a_mark_is_guessed(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes("Text without a mark. ".encode("utf-16-le") * 20)
    with pytest.raises(CorpusError, match=r"written in \(probably utf-16-le"):
        list(Corpus([path]).blocks())


@pytest.mark.parametrize("name", ["utf-7", "unicode_escape"])
def test_codecs_that_spell_half_a_surrogate_pair(name: str) -> None:
    data = {"utf-7": b"a+2D0-b", "unicode_escape": b"a\\ud83db"}[name]
    assert data.decode(name) == "a\ud83db"
    with pytest.raises(CorpusError, match="half a surrogate pair before byte offset"):
        decoded(data, CorpusOptions(encoding=name), 100)
    options = CorpusOptions(encoding=name, replace_errors=True)
    assert decoded(data, options, 100) == "a\ufffdb".encode()


def test_without_surrogates() -> None:
    assert without_surrogates("a\ud83d") == "a\ufffd"
    assert without_surrogates("\ude00\ud83db") == "\ufffd\ufffdb"
    assert without_surrogates("a👍") == "a👍"


@pytest.mark.parametrize("name", ["no-such", "", "a\0b", "../utf_8"])
def test_unknown_encodings(name: str) -> None:
    with pytest.raises(CorpusError, match=re.escape(f"unknown encoding {name!r}; known ones are")):
        CorpusOptions(encoding=name)


@pytest.mark.parametrize("name", ["hex", "rot13", "base64", "zlib", "undefined"])
def test_encodings_that_hold_no_text(name: str) -> None:
    with pytest.raises(CorpusError, match=f"{name!r} is not an encoding of text"):
        CorpusOptions(encoding=name)


def test_binary_files_are_known_by_a_nul_near_the_start() -> None:
    def binary(head: bytes, named: str | None = None) -> bool:
        return is_binary(head, find_encoding(head, named))

    assert binary(b"GIF89a\0")
    assert binary(b"x" * 8191 + b"\0")
    assert not binary(b"x" * 8192 + b"\0")
    assert not binary(b"")
    assert not binary("text".encode("utf-16"))
    assert not binary("text".encode("utf-16-le"), "utf-16-le")
    assert binary("text".encode("utf-16-le"))
    assert binary(b"text\0", "latin-1")


@given(TEXTS, st.integers(1, 7), st.sampled_from(["utf-16-le", "shift_jis", "utf-7"]))
def test_other_encodings_are_decoded_in_parts(text: str, part: int, encoding: str) -> None:
    data = text.encode(encoding, "ignore")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "PART", part)
        in_parts = decoded(data, CorpusOptions(encoding=encoding), 20)
        with pytest.raises(CorpusError, match=rf"at byte offset {len(data)};"):
            decoded(data + b"\x81", CorpusOptions(encoding=encoding), 20)
    assert in_parts == decoded(data, CorpusOptions(encoding=encoding), 1 << 18)

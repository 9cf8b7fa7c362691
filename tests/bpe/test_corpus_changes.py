"""What has become of the files of a corpus since its words were counted."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.bpe.corpus import Corpus, CorpusOptions, sample
from bpe_gui.bpe.corpus_changes import Changes, changes_since
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.text_files import FileStamp, FileStamps, Place
from bpe_gui.bpe.words import count_corpus

from .corpus_reading import write


def nothing() -> None:
    """Nobody gives up."""


def counted(corpus: Corpus) -> FileStamps:
    """What the files of a corpus were when its words were counted."""
    files = count_corpus(corpus, preset("whitespace"), compiled=False).files
    assert files is not None
    return files


def later(path: Path, seconds: int = 5) -> None:
    """Have a file changed at another time than it was."""
    moment = path.stat().st_mtime_ns + seconds * 10**9
    os.utime(path, ns=(moment, moment))


def since(files: FileStamps, corpus: Corpus) -> Changes:
    return changes_since(files, corpus, nothing)


def test_what_a_file_was_is_taken_down_as_it_is_read(tmp_path: Path) -> None:
    data = b"low lower\n" * 200_000
    path = write(tmp_path / "story.txt", data)
    packed = write(tmp_path / "packed.txt.gz", gzip.compress(data) + gzip.compress(b"more"))
    corpus = Corpus([path, packed])
    stamps: list[FileStamp] = []
    for _ in corpus.blocks(note=stamps.append):
        pass
    assert [stamp.path for stamp in stamps] == [str(path), str(packed)]
    for stamp, file in zip(stamps, (path, packed), strict=True):
        status = file.stat()
        assert (stamp.size, stamp.modified) == (status.st_size, status.st_mtime_ns)
    assert not since(FileStamps.of(stamps), corpus)


def test_tables_records_and_paths_that_are_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    odd = os.fsdecode(b"od\xff\n.jsonl")
    write(Path(odd), b'{"text": "a b"}\n\n')
    write(Path("words.csv"), b"word,count\nlow,5\n")
    for name in (odd, "words.csv"):
        corpus = Corpus([name], CorpusOptions("line"))
        files = counted(corpus)
        assert [stamp.path for stamp in files] == [str(tmp_path / name)]
        assert not since(files, corpus)
        write(Path(name), Path(name).read_bytes() + b"\n")
        assert since(files, corpus) == Changes(changed=(str(tmp_path / name),))


def test_samples_and_pipes_are_no_files_that_could_change(tmp_path: Path) -> None:
    assert count_corpus(sample("four-words"), preset("whitespace")).files is None
    reading, writing = os.pipe()
    os.write(writing, b"low lower")
    os.close(writing)
    assert list(counted(Corpus([f"/dev/fd/{reading}"]))) == []
    os.close(reading)


def test_a_file_of_another_size_or_time_has_changed(tmp_path: Path) -> None:
    path = write(tmp_path / "story.txt", b"low lower")
    corpus = Corpus([path])
    files = counted(corpus)
    moment = path.stat().st_mtime_ns
    later(path)
    assert since(files, corpus) == Changes(changed=(str(path),))
    path.write_bytes(b"low lower ")
    os.utime(path, ns=(moment, moment))
    assert since(files, corpus) == Changes(changed=(str(path),))


def test_what_is_no_file_any_more_is_missing(tmp_path: Path) -> None:
    path = write(tmp_path / "story.txt", b"low lower")
    corpus = Corpus([path])
    files = counted(corpus)
    path.unlink()
    assert since(files, corpus) == Changes(missing=(str(path),))
    os.mkfifo(path)
    assert since(files, corpus) == Changes(missing=(str(path),))
    path.unlink()
    path.mkdir()
    assert since(files, corpus) == Changes(missing=(str(path),))
    shutil.rmtree(tmp_path)
    assert since(files, corpus) == Changes(missing=(str(path),))
    tmp_path.write_text("no folder")
    assert since(files, corpus) == Changes(missing=(str(path),))


def test_hostile_paths_are_only_looked_at(tmp_path: Path) -> None:
    """What is no regular file is not opened, and what cannot be looked at is not known."""
    os.mkfifo(tmp_path / "pipe")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    names = [str(tmp_path / "pipe"), "/dev/zero", str(loop), "/" + "x" * 5_000, "/proc/self/mem"]
    files = FileStamps.of(FileStamp(name, 0, 0) for name in names)
    found = since(files, Corpus(names))
    assert set(found.missing) <= {names[0], names[1]}
    assert not found.new


def test_new_texts_in_folders_are_told_and_other_files_are_not(tmp_path: Path) -> None:
    write(tmp_path / "texts" / "a.txt", b"low")
    write(tmp_path / "texts" / "picture", b"\0\1\2")
    corpus = Corpus([tmp_path / "texts"])
    files = counted(corpus)
    assert not since(files, corpus)
    write(tmp_path / "texts" / ".hidden", b"low")
    write(tmp_path / "texts" / "other picture", b"\0\1\2")
    assert not since(files, corpus)
    new = write(tmp_path / "texts" / "deep" / "b.txt", b"low")
    assert since(files, corpus) == Changes(new=(str(new),))
    write(tmp_path / "texts" / "torn.gz", gzip.compress(b"low")[:5])
    assert since(files, corpus) == Changes(new=(str(new),))


def test_a_pipe_beside_a_folder_is_not_new(tmp_path: Path) -> None:
    write(tmp_path / "texts" / "a.txt", b"low")
    reading, writing = os.pipe()
    os.write(writing, b"low lower")
    os.close(writing)
    corpus = Corpus([tmp_path / "texts", f"/dev/fd/{reading}"])
    files = counted(corpus)
    assert [os.path.basename(stamp.path) for stamp in files] == ["a.txt"]
    assert not since(files, corpus)
    os.close(reading)


def test_it_can_be_given_up(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", b"low")
    corpus = Corpus([path])
    files = counted(corpus)

    def check() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        changes_since(files, corpus, check)


def test_files_that_are_known_are_not_opened_to_find_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        write(tmp_path / f"{number}.txt", b"low")
    corpus = Corpus([tmp_path])
    files = counted(corpus)
    opened: list[Place] = []
    monkeypatch.setattr("bpe_gui.bpe.corpus.open_file", opened.append)
    assert not since(files, corpus)
    assert opened == []


contents = st.text("ab\n", min_size=1, max_size=3).map(str.encode)
names = st.sampled_from(["a.txt", "b.txt", "deep/c.txt", "deep/d.txt", "e"])
folders = st.dictionaries(names, contents)


@given(before=folders.filter(bool), after=folders, touched=st.sets(names))
@settings(max_examples=settings.default.max_examples // 2)
def test_what_is_told_is_what_differs(
    tmp_path_factory: pytest.TempPathFactory,
    before: dict[str, bytes],
    after: dict[str, bytes],
    touched: set[str],
) -> None:
    """What was written anew counts as changed, be it with the same content."""
    folder = tmp_path_factory.mktemp("texts")
    for name, data in before.items():
        write(folder / name, data)
    corpus = Corpus([folder])
    files = counted(corpus)
    for name in {*before, *after}:
        path = folder / name
        if name not in after:
            path.unlink()
        elif name not in before:
            write(path, after[name])
        elif name in touched or after[name] != before[name]:
            moment = path.stat().st_mtime_ns
            write(path, after[name])
            os.utime(path, ns=(moment, moment + 1))

    def those(wanted: set[str]) -> set[str]:
        return {str(folder / name) for name in wanted}

    found = since(files, corpus)
    both = before.keys() & after.keys()
    anew = {name for name in both if name in touched or before[name] != after[name]}
    assert set(found.changed) == those(anew)
    assert set(found.missing) == those(before.keys() - after.keys())
    assert set(found.new) == those(after.keys() - before.keys())
    assert bool(found) == (before != after or bool(anew))

"""The menu of encodings that can be added to those that are compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu, QWidget

from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.short_names import short_name
from bpe_gui.progress import counted
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.loading import Loader
from bpe_gui.ui.compare.rank_file_dialog import ask_beside
from bpe_gui.ui.run.context import RunContext

_STEPS, _THERE = "steps", "there"

_BETWEEN = re.compile(r"[;\s]+|,(?=[;\s]|$)")
_NUMBER = re.compile(r"0|[1-9]\d{0,11}", re.ASCII)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[,_]\d{3}){1,3}", re.ASCII)
_LOOKS_GROUPED = re.compile(r"(?<!\d)\d{1,3},\d{3}(?!\d)", re.ASCII)
_EXAMPLE = "write 500; 2,000; 10,000, for example"
_FILES = (
    "Tokenizers (*.json *.model *.model.v* *.tiktoken *.txt *.bpe *.codes *.gguf *.gz *.bz2 *.xz "
    "*.zst);;All files (*)"
)
"""The endings of files that may hold an encoding; the content tells what they hold."""


class AddMenu(QMenu):
    """Adds lanes, and asks which encoding where there is a choice."""

    opened = Signal(list)
    """A list of the path of a file or folder whose encoding was added."""

    def __init__(
        self, comparison: Comparison, loader: Loader, run: RunContext, parent: QWidget
    ) -> None:
        super().__init__("&Add an encoding", parent)
        self.setObjectName("addEncodingMenu")
        self._comparison, self._loader, self._messages = comparison, loader, run.message_bar
        self._runs = run.branches
        self.following = self._item(
            "The run at the &cursor", "addFollowingAction", comparison.add_following
        )
        self.behind = self._item(
            "The run at a &tenth of its merges", "addBehindAction", comparison.add_behind
        )
        self.here = self._item("The run at this &step", "addHereAction")
        self.steps = self._item("The run at several &steps…", "addStepsAction", self._on_steps)
        self.branches = self.addMenu("A &branch")
        self.branches.setObjectName("addBranchMenu")
        self.branches.triggered.connect(self._on_branch)
        self._runs.changed.connect(self._list_branches)
        self._list_branches()
        self.addSeparator()
        self.file = self._item("A &file…", "addFileAction", self._on_file)
        self._item("A fol&der with vocab.json and merges.txt…", "addFolderAction", self._on_folder)
        self._after_files = self.addSeparator()
        self.named = self.addMenu("By &name, from tiktoken")
        self.named.setObjectName("addNamedMenu")
        self.named.triggered.connect(self._on_named)
        self.hub = self._item("From the Hugging Face &hub…", "addHubAction", self._on_hub)
        self.aboutToShow.connect(self._prepare)
        loader.remarked.connect(self._on_remark)

    @Slot(str)
    def _on_remark(self, said: str) -> None:
        """Announce a remark beside those on other encodings."""
        self._messages.tell_success(said, said)

    def offer_recent(self, menu: QMenu) -> None:
        """Offer the files that were added last."""
        self.insertMenu(self._after_files, menu)

    @Slot(list)
    def add_paths(self, paths: list[str]) -> None:
        """Add the encodings in files or folders."""
        for path in paths:
            self.add_path(path)

    def add_path(self, path: str | Path) -> None:
        """Add the encoding in a file or folder, and ask how to split if it is a rank file.

        The command line names the split behind the file; only a window that is there asks for it.
        """
        # The libraries of all formats are loaded when they are needed, not with the window.
        from bpe_gui.encodings.load import Format, recognise

        path, window = Path(path), self.parentWidget()
        try:
            found = recognise(path)
        except OSError:
            found = None  # the lane shows the error, and can be retried
        if found is not Format.TIKTOKEN or window is None or not window.isVisible():
            self._load(str(path), short_name(path))
        elif (beside := ask_beside(path, window)) is not None:
            split, special_tokens = beside
            self._load(f"{path}@{split}", short_name(path), special_tokens)
        else:
            return
        if found is not None:
            self.opened.emit([path])

    def _load(
        self, spec: str, name: str, special_tokens: Mapping[str, int] | str | None = None
    ) -> None:
        """Load an encoding into a new lane, unless there is one; a file that has changed has two.

        A lane that failed is tried again, and one that is hidden is shown.
        """
        there = self._loader.lane_of(spec, special_tokens)
        if there is None:
            self._messages.tell_problem(_THERE, "")
            self._loader.load(spec, name, special_tokens)
            return
        if there.failed:
            self._messages.tell_problem(_THERE, "")
            self._loader.retry(there)
            return
        if there.hidden:
            self._comparison.hide_or_show(there.key)
        self._messages.tell_success(_THERE, f"“{there.name}” is one of the lanes already.")

    def _item(self, text: str, name: str, slot: Callable[[], object] | None = None) -> QAction:
        action = self.addAction(text)
        action.setObjectName(name)
        if slot is not None:
            action.triggered.connect(slot)
        return action

    @Slot()
    def _prepare(self) -> None:
        run = self._comparison.history is not None
        for action in (self.here, self.steps):
            action.setEnabled(run)
        there = {lane.part for lane in self._comparison.lanes if lane.follows}
        self.following.setEnabled(1 not in there)
        self.behind.setEnabled(not there - {1})
        if not self.named.isEmpty():
            return
        # The library is loaded when it is needed, not with the window.
        from bpe_gui.encodings.download import tiktoken_names

        for name in tiktoken_names():
            action = self.named.addAction(name)
            action.setObjectName(f"add_{name}")
            action.setData(name)

    @Slot()
    def _on_steps(self) -> None:
        history = self._comparison.history
        if history is None:
            return
        end = len(history)
        written, accepted = QInputDialog.getText(
            self.parentWidget(),
            "The run at several steps",
            f"Numbers of merges, up to {end:,}, with commas and spaces between them:",
            text=steps_to_begin_with(end),
        )
        if not accepted:
            return
        try:
            steps = steps_written(written, len(history))
        except StepsError as error:
            self._messages.tell_problem(_STEPS, str(error))
            return
        self._messages.tell_problem(_STEPS, "")
        self._comparison.at_positions(steps)

    @Slot()
    def _list_branches(self) -> None:
        """Offer the branches that there are; they may go while the menu is open."""
        self.branches.clear()
        # By their numbers: a menu that has been closed would keep the words of their corpus.
        for number, branch in enumerate(self._runs.all):
            self.branches.addAction(branch.name).setData(number)
        self.branches.setEnabled(not self.branches.isEmpty())

    @Slot(QAction)
    def _on_branch(self, action: QAction) -> None:
        branch = self._runs.all[action.data()]
        self._comparison.add(TrainedEncoding(branch.history, name=branch.name))

    @Slot()
    def _on_file(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(
            self.parentWidget(), "Add encodings from files", filter=_FILES
        )
        # The libraries of all formats are loaded when they are needed, not with the window.
        from bpe_gui.encodings.load import encodings_among

        encodings, others = encodings_among(names)
        self.add_paths([*encodings, *others])

    @Slot()
    def _on_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(
            self.parentWidget(), "Add an encoding from a folder"
        )
        if name:
            self.add_path(name)

    @Slot(QAction)
    def _on_named(self, action: QAction) -> None:
        name = action.data()
        self._load(f"tiktoken:{name}", name)

    @Slot()
    def _on_hub(self) -> None:
        name, accepted = QInputDialog.getText(
            self.parentWidget(),
            "From the Hugging Face hub",
            "The name of a model with a tokenizer.json, such as openai-community/gpt2:",
        )
        name = name.strip()
        if accepted and name:
            self._load(f"hub:{name}", name)


class StepsError(ValueError):
    """The typed text has no numbers of merges of the run; one sentence for the user."""


def steps_written(written: str, end: int) -> list[int]:
    """Parse numbers of merges, in their order, without repetitions.

    They are separated by semicolons, spaces or commas. A comma between digits, three of them
    after it, groups thousands; raises StepsError if that is ambiguous, and for numbers beyond
    `end`, the merges of the run.

    >>> steps_written("500, 2,000, 10,000", 20_000), steps_written("500 2000; 2,000", 20_000)
    ([500, 2000, 10000], [500, 2000])
    """
    words = [word.strip(",") for word in _BETWEEN.split(written)]
    steps = list(dict.fromkeys(step for word in words if word for step in _steps(word)))
    if not steps:
        raise StepsError(f"There is no number of merges; {_EXAMPLE}.")
    beyond = next((step for step in steps if step > end), None)
    if beyond is not None:
        merges = counted(end, "merge")
        raise StepsError(f"The run ends at {merges}, so it has no step {beyond:,}.")
    return steps


def steps_to_begin_with(end: int) -> str:
    """Suggest three numbers of merges for a run of a length.

    >>> steps_to_begin_with(10_000), steps_to_begin_with(44), steps_to_begin_with(1)
    ('500, 2,000, 10,000', '2, 8, 44', '0, 1')
    """
    return ", ".join(f"{step:,}" for step in dict.fromkeys((end // 20, end // 5, end)))


def _steps(word: str) -> list[int]:
    """Parse a word without spaces: one number, or several with commas between them."""
    if _GROUPED.fullmatch(word):
        return [int(word.replace(",", "").replace("_", ""))]
    if _LOOKS_GROUPED.search(word):
        raise StepsError(f"“{word}” can be read in two ways; {_EXAMPLE}.")
    parts = [part for part in word.split(",") if part]
    wrong = next((part for part in parts if not _NUMBER.fullmatch(part)), None)
    if wrong is not None:
        raise StepsError(f"“{wrong}” is no number of merges; {_EXAMPLE}.")
    return [int(part) for part in parts]

"""The runs that made way for others, any of which can be shown again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.progress import counted
from bpe_gui.ui.run.branches import Branches, BranchesSnapshot
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.widgets.boxes import leave_field

MOST = 9
"""How many runs are kept: each is chosen by a digit. A session has room for as many."""
_SHOW, _NAME, _REMOVE = "run", "nameRun", "removeRun"
"""What can be done with a run; object names of actions begin with it."""


class PastRuns(QObject):
    """Keeps what has made way, newest first, as the menu of an action.

    What is in view when a past run is shown again takes its place in the list. A run keeps the
    name that the user has given it. As many runs are kept as are chosen by a digit; the oldest
    makes room for the next, and of those that the user cares for only when there are no others.
    """

    kept = Signal(object, list)
    """A run has made way for another: its BranchesSnapshot; and the titles of those in the list
    before that have made room for it."""
    removed = Signal()
    """The user has removed a run."""

    def __init__(
        self,
        branches: Branches,
        controls: Controls,
        sample_text: SampleText,
        action: QAction,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._branches = branches
        self._controls = controls
        self._sample_text = sample_text
        self._action = action
        self._runs: list[BranchesSnapshot] = []
        self._names: WeakKeyDictionary[History, str] = WeakKeyDictionary()
        self._keeps = True
        self._is_marked: Callable[[BranchesSnapshot], bool] = lambda run: False
        self.menu = QMenu(parent)
        self.menu.setObjectName("runsMenu")
        self.menu.triggered.connect(self._on_chosen)
        self._naming = QMenu("&Name a run", self.menu)
        self._removing = QMenu("&Remove a run", self.menu)
        action.setMenu(self.menu)
        self._fill()

    def set_keeping(self, keeps: bool) -> None:
        """Set whether runs that make way are kept; at first they are."""
        self._keeps = keeps

    def set_marking(self, is_marked: Callable[[BranchesSnapshot], bool]) -> None:
        """Set what tells whether the user has marked a run elsewhere as one that he cares for."""
        self._is_marked = is_marked

    def keep(self, run: BranchesSnapshot) -> None:
        """Keep a run that makes way, unless none of its branches has a merge."""
        if not self._keeps or not any(len(branch.history) for branch in run.all):
            return
        self.kept.emit(run, self._put_first([run]))

    @property
    def named(self) -> list[tuple[str, BranchesSnapshot]]:
        """The runs, newest first, with the names that the user has given them; empty for none."""
        return [(self._names.get(run.all[0].history, ""), run) for run in self._runs]

    def add(self, named: Sequence[tuple[str, BranchesSnapshot]]) -> None:
        """Add runs with their names, as if they had made way just now."""
        for name, run in named:
            if name:
                self._names[run.all[0].history] = name
        self._put_first([run for _, run in named])

    def _put_first(self, runs: Sequence[BranchesSnapshot]) -> list[str]:
        """Put runs before all others, with the names of those that are the same, which go.

        Returns the titles of those that make room.
        """
        for run in runs:
            for old in [old for old in self._runs if _are_same(old, run)]:
                self._runs.remove(old)
                if name := self._names.get(old.all[0].history):
                    self._names.setdefault(run.all[0].history, name)
        self._runs, gone = [*runs, *self._runs], []
        while len(self._runs) > MOST:
            others = (run for run in reversed(self._runs[1:]) if not self._is_cared_for(run))
            oldest = next(others, self._runs[-1])
            self._runs.remove(oldest)
            gone.append(self._title(oldest))
        self._fill()
        return gone

    def _is_cared_for(self, run: BranchesSnapshot) -> bool:
        return bool(self._names.get(run.all[0].history)) or self._is_marked(run)

    @Slot(QAction)
    def _on_chosen(self, action: QAction) -> None:
        what, place = action.data()
        if what == _NAME:
            self._name(self._runs[place])
        elif what == _REMOVE:
            del self._runs[place]
            self._fill()
            self.removed.emit()
        else:
            self._show(self._runs.pop(place))

    def _name(self, run: BranchesSnapshot) -> None:
        """Ask for the name of a run; an empty one is that which it had at first."""
        name, accepted = QInputDialog.getText(
            self.menu.parentWidget(), "Name a run", f"Name of “{title(run)}”:",
            text=self._title(run),
        )  # fmt: skip
        if accepted:
            self._names[run.all[0].history] = name.strip()
            self._fill()

    def _title(self, run: BranchesSnapshot) -> str:
        return self._names.get(run.all[0].history) or title(run)

    def _show(self, run: BranchesSnapshot) -> None:
        corpus = run.corpus
        assert corpus is not None, "a run that has made way has a corpus"
        choice = corpus.sample if corpus.sample is not None else corpus.sources
        in_view = self._branches.snapshot()
        self._controls.choose(corpus, choice, run.all[0].history.recipe)
        self._sample_text.suit(choice)
        self._branches.restore(run)
        self._fill()
        self.keep(in_view)
        # Now that what is chosen is in view, nobody begins anew for it.
        self._controls.changed.emit()
        parent = self.menu.parentWidget()
        assert parent is not None, "it was made with one"
        leave_field(parent.window())

    def _fill(self) -> None:
        menus = ((self.menu, _SHOW), (self._naming, _NAME), (self._removing, _REMOVE))
        for menu, what in menus:
            for action in menu.actions():
                # One of them may be what was chosen, and is not done with that yet.
                menu.removeAction(action)
                if action.menu() is None:
                    action.setObjectName("")
                    action.deleteLater()
            self._list(menu, what)
        if self._runs:
            separator = QAction(self.menu)
            separator.setSeparator(True)
            self.menu.addAction(separator)
            self.menu.addMenu(self._naming)
            self.menu.addMenu(self._removing)
        self._action.setEnabled(bool(self._runs))

    def _list(self, menu: QMenu, what: str) -> None:
        for number, run in enumerate(self._runs, 1):
            # The menu would hold an action for good that it makes itself.
            action = QAction(f"&{number} {self._title(run).replace('&', '&&')}", menu)
            menu.addAction(action)
            action.setObjectName(f"{what}{number}Action")
            action.setData((what, number - 1))


def _are_same(one: BranchesSnapshot, other: BranchesSnapshot) -> bool:
    """Tell whether two runs have the same merges, as those of a session that is opened twice."""
    return title(one) == title(other) and all(
        branch.history.equals(own.history) for branch, own in zip(one.all, other.all, strict=True)
    )


def title(run: BranchesSnapshot) -> str:
    """Write what a run was trained on, and how far: "gpt2 on story.txt, 300 merges"."""
    first = run.all[0].history
    corpus = run.corpus.name if run.corpus is not None else ""
    merges = counted(max(len(branch.history) for branch in run.all), "merge")
    others = f", {counted(len(run.all), 'branch', 'branches')}" if len(run.all) > 1 else ""
    return f"{first.recipe.name} on {corpus}, {merges}{others}"

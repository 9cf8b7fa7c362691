"""The top of the recipe editor: what the recipe began as, its name, and what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
)

from bpe_gui.bpe.recipe import PRESETS, Recipe
from bpe_gui.bpe.recipe_io import MAX_NAME
from bpe_gui.ui.laboratory.form_widgets import ProblemNote
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.laboratory.recipe_problems import Problem
from bpe_gui.ui.widgets.boxes import ComboBox
from bpe_gui.ui.widgets.labels import LinkLabel

_ALL = "all"


class EditorHeader(QWidget):
    """Lets the user start from another recipe, name this one, and take changes back."""

    def __init__(self, files: RecipeFiles) -> None:
        super().__init__()
        self._files = files
        self._drafts = files.drafts
        self._entries: list[Recipe | RecipeDraft] = []
        self.base_box = ComboBox()
        self.base_box.setObjectName("recipeBaseBox")
        self.base_box.setAccessibleName("Start from")
        self.base_box.setToolTip("Start from another recipe; what you have written is kept")
        self.delete_button = QToolButton()
        self.delete_button.setObjectName("recipeDeleteButton")
        self.delete_button.setText("✕")
        self.delete_button.setAccessibleName("Delete a recipe")
        self.delete_button.setToolTip(
            "Delete one of your recipes, or one left unsaved; in the list at the left the "
            "key Delete does it"
        )
        self.delete_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.delete_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._delete_menu = QMenu(self)
        self._delete_menu.setObjectName("recipeDeleteMenu")
        self.delete_button.setMenu(self._delete_menu)
        self.name_edit = QLineEdit()
        self.name_edit.setObjectName("recipeNameEdit")
        self.name_edit.setAccessibleName("Name")
        self.name_edit.setMaxLength(MAX_NAME)
        self.name_note = ProblemNote("recipeNameProblem")
        self.status = LinkLabel("recipeStatus", self)
        self.status.setProperty("quiet", True)
        self._lay_out()
        self.base_box.activated.connect(self._on_base)
        self.base_box.view().installEventFilter(self)
        self._delete_menu.triggered.connect(self._on_delete)
        self.name_edit.textEdited.connect(self._on_name)
        self.name_edit.editingFinished.connect(self._show_name)
        self.status.linkActivated.connect(self._on_link)
        self._drafts.changed.connect(self._show_draft)
        self._drafts.asideChanged.connect(self._offer)
        files.keptChanged.connect(self._offer)
        self._offer()
        self._show_draft()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 2, 8, 4)
        grid.setVerticalSpacing(6)
        base, name = QLabel("&Start from"), QLabel("&Name")
        base.setBuddy(self.base_box)
        name.setBuddy(self.name_edit)
        grid.addWidget(base, 0, 0)
        grid.addWidget(self.base_box, 0, 1)
        grid.addWidget(self.delete_button, 0, 2)
        grid.addWidget(name, 1, 0)
        grid.addWidget(self.name_edit, 1, 1, 1, 2)
        grid.addWidget(self.name_note, 2, 0, 1, 3)
        grid.addWidget(self.status, 3, 0, 1, 3)
        grid.setColumnStretch(1, 1)

    @Slot()
    def _offer(self) -> None:
        """Offer saved recipes and unsaved drafts, after the presets."""
        kept, aside = tuple(self._files.own_recipes()), self._drafts.aside
        model = QStandardItemModel(self.base_box)
        self._delete_menu.clear()
        self._entries = []
        headed = (("Presets", PRESETS.values()), ("My recipes", kept), ("Unsaved", aside))
        for heading, entries in headed:
            if entries:
                item = QStandardItem(heading)
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                model.appendRow(item)
            for entry in entries:
                name = entry.title if isinstance(entry, RecipeDraft) else entry.name
                item = QStandardItem(name)
                item.setToolTip(_tip(entry))
                item.setData(len(self._entries), Qt.ItemDataRole.UserRole)
                model.appendRow(item)
                if entries is not headed[0][1]:
                    action = self._delete_menu.addAction(f"Delete {name}…")
                    action.setData(len(self._entries))
                self._entries.append(entry)
        self.delete_button.setEnabled(bool(kept or aside))
        self.base_box.setModel(model)
        self._point()

    @Slot()
    def _show_draft(self) -> None:
        draft = self._drafts.current
        self._point()
        # While it is empty somebody writes another.
        if self.name_edit.text() or not self.name_edit.hasFocus():
            self._show_name()
        self.status.setText(_status(draft))
        self.status.setVisible(bool(self.status.text()))

    def show_problems(self, found: Sequence[Problem]) -> None:
        """Say what is wrong with the name, or nothing."""
        self.name_note.show_problems([problem for problem in found if problem.field == "name"])

    def _point(self) -> None:
        """Have the box show what the draft began as, be it offered or not."""
        self.base_box.setCurrentIndex(-1)
        base = self._drafts.current.base
        self.base_box.setPlaceholderText(base.name)
        if base in self._entries:
            self.base_box.setCurrentIndex(self.base_box.findData(self._entries.index(base)))

    @Slot()
    def _show_name(self) -> None:
        """Show the name that the recipe has; without one of its own it has one all the same."""
        if self.name_edit.text() != self._drafts.current.name:
            self.name_edit.setText(self._drafts.current.name)

    @Slot(str)
    def _on_name(self, name: str) -> None:
        self._drafts.change({"name": name or self._drafts.current.base.name})

    @Slot(int)
    def _on_base(self, index: int) -> None:
        entry = self._entries[self.base_box.itemData(index)]
        self._drafts.go_on_with(RecipeDraft(entry) if isinstance(entry, Recipe) else entry)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Delete what is marked in the open list by the key Delete."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            entry = self.base_box.view().currentIndex().data(Qt.ItemDataRole.UserRole)
            if event.key() == Qt.Key.Key_Delete and entry is not None:
                self.base_box.hidePopup()
                self._want_deleted(entry)
                return True
        return super().eventFilter(watched, event)

    @Slot(QAction)
    def _on_delete(self, action: QAction) -> None:
        self._want_deleted(action.data())

    def _want_deleted(self, place: int) -> None:
        if place >= len(PRESETS):
            self._files.delete(self._entries[place])

    @Slot(str)
    def _on_link(self, link: str) -> None:
        draft = self._drafts.current
        for part in draft.changed_parts if link == _ALL else (link,):
            draft = draft.reset(part)
        self._drafts.replace(draft)


def _tip(entry: Recipe | RecipeDraft) -> str:
    if isinstance(entry, Recipe):
        return entry.description
    return f"{entry.base.name}, with unsaved changes: {entry.changed}"


def _status(draft: RecipeDraft) -> str:
    """What was changed, each with a link that takes it back."""
    name = escape(draft.base.name)
    parts = draft.changed_parts
    if not parts:
        description = escape(draft.base.description)
        return description if draft.name == draft.base.name else f"{name} under another name"
    links = [f"{part} (<a href='{part}'>reset</a>)" for part in parts]
    told = f"No longer {name}: {', '.join(links)} changed."
    if len(parts) > 1:
        told += f" <a href='{_ALL}'>Reset all</a>"
    return told

"""The menu of the corpus, and what fills the others: every action is in one, with its key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace
from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QInputDialog, QMenu, QMenuBar, QWidget

from bpe_gui.bpe.recipe import Ties
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.controls import Controls

_ENCODINGS = (
    *("utf-8", "utf-16", "utf-16-le", "utf-16-be"),
    *("iso-8859-1", "windows-1252", "koi8-r", "shift_jis", "gb18030"),
)


class CorpusMenu(QMenu):
    """The menu of choices about the corpus that seldom change."""

    def __init__(self, controls: Controls, parent: QWidget | None = None) -> None:
        super().__init__("&Corpus", parent)
        self._controls = controls
        self.lines = self._checkable("Each &line is a document", "linesAction")
        self.replace_errors = self._checkable(
            "&Replace bytes that do not decode", "replaceErrorsAction"
        )
        self._encoding_menu, self.encodings = self._choices("&Encoding")
        self._add_encoding("UTF-8, or by its mark", None)
        for encoding in _ENCODINGS:
            self._add_encoding(encoding, encoding)
        self.json_field = self.addAction("Field or col&umn…")
        self.json_field.setObjectName("jsonFieldAction")
        ties, self.ties = self._choices("&Ties")
        for rule in Ties:
            self._add_choice(ties, self.ties, str(rule), rule)
        self.lines.triggered.connect(self._on_option)
        self.replace_errors.triggered.connect(self._on_option)
        self.encodings.triggered.connect(self._on_option)
        self.json_field.triggered.connect(self._on_json_field)
        self.ties.triggered.connect(self._on_ties)
        controls.changed.connect(self._show_choices)
        self._show_choices()

    def _checkable(self, text: str, name: str) -> QAction:
        action = self.addAction(text)
        action.setObjectName(name)
        action.setCheckable(True)
        return action

    def _choices(self, title: str) -> tuple[QMenu, QActionGroup]:
        return self.addMenu(title), QActionGroup(self)

    def _add_encoding(self, text: str, encoding: str | None) -> None:
        self._add_choice(self._encoding_menu, self.encodings, text, encoding)

    def _add_choice(self, menu: QMenu, group: QActionGroup, text: str, chosen: str | None) -> None:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setData(chosen)
        group.addAction(action)

    @Slot()
    def _on_option(self) -> None:
        documents: Literal["file", "line"] = "line" if self.lines.isChecked() else "file"
        self._controls.set_options(
            replace(
                self._controls.options,
                documents=documents,
                replace_errors=self.replace_errors.isChecked(),
                encoding=self.encodings.checkedAction().data(),
            )
        )

    @Slot()
    def _on_json_field(self) -> None:
        field, accepted = QInputDialog.getText(
            self,
            "Field or column",
            "The field of JSON Lines, or column of Parquet and Arrow files, that holds the text:",
            text=self._controls.options.json_field,
        )
        if accepted and field:
            self._controls.set_options(replace(self._controls.options, json_field=field))

    @Slot()
    def _on_ties(self) -> None:
        self._controls.set_ties(Ties(self.ties.checkedAction().data()))

    @Slot()
    def _show_choices(self) -> None:
        options = self._controls.options
        if options.encoding not in (action.data() for action in self.encodings.actions()):
            self._add_encoding(options.encoding or "", options.encoding)
        self.lines.setChecked(options.documents == "line")
        self.replace_errors.setChecked(options.replace_errors)
        for group, chosen in (
            (self.encodings, options.encoding), (self.ties, self._controls.ties)
        ):
            for action in group.actions():
                action.setChecked(action.data() == chosen)


def fill_menus(
    bar: QMenuBar, context: Context, corpus_menu: QMenu, corpora: QMenu, sessions: QMenu
) -> None:
    """Fill a menu bar; `corpora` and `sessions` open recent files."""
    actions = context.actions
    # One table, in the order of the menus: it is read from top to bottom.
    _fill(
        bar.addMenu("&File"),
        [actions.open, actions.open_folder, corpora.menuAction()],
        [actions.open_session, sessions.menuAction()],
        [actions.save_session, actions.save_session_as],
        [actions.save, actions.save_here, actions.save_used],
        [actions.export, actions.export_animation],
        [actions.quit],
    )
    bar.addMenu(corpus_menu)
    _fill(
        bar.addMenu("&Training"),
        [actions.train, actions.replay],
        [actions.pause, actions.cancel],
        [actions.runs],
    )
    _fill(
        bar.addMenu("C&ursor"),
        [actions.play, actions.watch, actions.live],
        [actions.step, actions.step_back, actions.home, actions.end, actions.go_to],
        [actions.tell_last],
        [actions.faster, actions.slower],
        [actions.bookmark, actions.next_bookmark, actions.previous_bookmark, actions.loop],
        [actions.logarithmic, *context.timeline.zooming],
    )
    _fill(
        bar.addMenu("&What if"),
        [actions.forbid, actions.force],
        [actions.next_branch],
        [actions.guess],
    )
    _fill(
        bar.addMenu("C&ompare"),
        [actions.add_encoding, actions.try_again],
        [actions.next_difference, actions.previous_difference],
        [actions.measure, actions.measure_folder, actions.save_report],
        [actions.lanes_alone, actions.numbers_alone],
    )
    _fill(bar.addMenu("&Recipe"), [actions.save_recipe, actions.load_recipe])
    _fill_view(bar.addMenu("&View"), context)
    _fill(
        bar.addMenu("&Help"),
        [actions.help, actions.help_keys],
        [actions.search_actions, actions.menu_here],
        [actions.tour, actions.short_tour, actions.open_tour],
        [actions.next_page, actions.previous_page, actions.next_chapter,
         actions.previous_chapter, actions.leave_tour],
    )


def _fill_view(view: QMenu, context: Context) -> None:
    """Fill the view menu; what is chosen once and stays is in menus within it."""
    actions = context.actions
    docks = [dock.toggleViewAction() for dock in context.explore.docks.values()]
    _fill(
        view,
        [actions.explore, actions.compare, actions.laboratory],
        [actions.places],
        [actions.present, actions.choose_panels],
    )
    view.addSeparator()
    _fill(view.addMenu("Panel&s"), docks, [actions.reset_layout])
    larger, smaller, plain = actions.larger_text, actions.smaller_text, actions.plain_text
    _fill(view.addMenu("Te&xt size"), [larger, smaller, plain])
    _fill(view.addMenu("C&olours"), context.theme_choice.actions)
    _fill(
        view.addMenu("&Tokens"),
        context.colouring_choice.actions,
        context.palette_choice.actions,
        [actions.next_colouring, actions.next_palette],
    )
    view.addAction(actions.animate)
    view.addSeparator()
    _fill(
        view,
        [actions.accept, actions.dismiss],
        [actions.reset_settings, actions.undo_reset],
    )


def _fill(menu: QMenu, *groups: Sequence[QAction]) -> None:
    for number, group in enumerate(groups):
        if number:
            menu.addSeparator()
        menu.addActions(list(group))

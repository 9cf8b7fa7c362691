"""Fill the menus of the window: every action is in one of them, with its key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar

from bpe_gui.ui.actions.actions import Actions


def fill_menus(
    bar: QMenuBar,
    actions: Actions,
    corpus_menu: QMenu,
    docks: Sequence[QAction],
    themes: QActionGroup,
    of_tokens: tuple[Sequence[QAction], Sequence[QAction]],
    corpora: QMenu,
    sessions: QMenu,
    zooming: Sequence[QAction],
) -> None:
    """Fill a menu bar; `docks` show and hide the panels, `themes` choose the colours.

    `of_tokens` choose the fills of tokens and what these depend on, `corpora` and `sessions`
    open recent files, `zooming` are for the timeline.
    """
    # One table, in the order of the menus: it is read from top to bottom.
    _fill(
        bar.addMenu("&File"),
        [actions.open, actions.open_folder, corpora.menuAction()],
        [actions.open_session, sessions.menuAction()],
        [actions.save_session, actions.save_session_as],
        [actions.save, actions.save_here],
        [actions.export, actions.export_animation],
        [actions.quit],
    )
    bar.addMenu(corpus_menu)
    _fill(bar.addMenu("&Training"), [actions.train, actions.pause, actions.cancel], [actions.runs])
    _fill(
        bar.addMenu("C&ursor"),
        [actions.play, actions.watch, actions.live],
        [actions.step, actions.step_back, actions.home, actions.end, actions.go_to],
        [actions.tell_last],
        [actions.faster, actions.slower],
        [actions.bookmark, actions.next_bookmark, actions.previous_bookmark, actions.loop],
        [actions.logarithmic, *zooming],
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
    _fill(
        bar.addMenu("&Recipe"),
        [actions.train_recipe],
        [actions.save_recipe, actions.load_recipe],
    )
    _fill_view(bar.addMenu("&View"), actions, docks, themes, of_tokens)
    _fill(
        bar.addMenu("&Help"),
        [actions.help, actions.help_keys],
        [actions.search_actions, actions.menu_here],
        [actions.tour, actions.short_tour, actions.open_tour],
        [actions.next_page, actions.previous_page, actions.next_chapter,
         actions.previous_chapter, actions.leave_tour],
    )


def _fill_view(
    view: QMenu,
    actions: Actions,
    docks: Sequence[QAction],
    themes: QActionGroup,
    of_tokens: tuple[Sequence[QAction], Sequence[QAction]],
) -> None:
    """Fill the view menu; what is chosen once and stays is in menus within it."""
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
    _fill(view.addMenu("C&olours"), themes.actions())
    palettes, colourings = of_tokens
    _fill(
        view.addMenu("&Tokens"),
        colourings,
        palettes,
        [actions.next_colouring, actions.next_palette],
    )
    view.addAction(actions.animate)
    view.addSeparator()
    _fill(
        view,
        [actions.take_up, actions.dismiss],
        [actions.forget_choices, actions.recall_choices],
    )


def _fill(menu: QMenu, *groups: Sequence[QAction]) -> None:
    """Put groups of actions into a menu, with lines between them."""
    for number, group in enumerate(groups):
        if number:
            menu.addSeparator()
        menu.addActions(list(group))

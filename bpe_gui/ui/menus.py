"""The menus of the window: every action stands in one of them, with its key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar

from bpe_gui.ui.actions import Actions


def fill_menus(
    bar: QMenuBar,
    actions: Actions,
    corpus_menu: QMenu,
    docks: Sequence[QAction],
    themes: QActionGroup,
    palettes: Sequence[QAction],
) -> None:
    """Fill a menu bar; `docks` show and hide the panels, `themes` gets an action for each.

    `palettes` tell how tokens are told apart.
    """
    _fill(
        bar.addMenu("&File"),
        [actions.open, actions.open_folder],
        [actions.save, actions.save_here],
        [actions.export_animation],
        [actions.quit],
    )
    bar.addMenu(corpus_menu)
    _fill(bar.addMenu("&Training"), [actions.train, actions.pause, actions.cancel])
    _fill(
        bar.addMenu("C&ursor"),
        [actions.play, actions.step, actions.step_back, actions.home, actions.end, actions.live],
        [actions.faster, actions.slower],
        [actions.bookmark, actions.next_bookmark, actions.previous_bookmark],
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
        [actions.measure, actions.measure_folder],
        [actions.lanes_alone, actions.numbers_alone],
    )
    _fill(
        bar.addMenu("&Recipe"),
        [actions.train_recipe],
        [actions.save_recipe, actions.load_recipe],
    )
    for text, name, tip in (
        ("&Dark", "dark", "Light writing on dark panels"),
        ("&Light", "light", "Dark writing on light panels"),
    ):
        action = themes.addAction(text)
        action.setObjectName(f"{name}Action")
        action.setToolTip(tip)
        action.setStatusTip(tip)
        action.setData(name)
        action.setCheckable(True)
    view = bar.addMenu("&View")
    _fill(
        view,
        [actions.explore, actions.compare, actions.laboratory],
        [actions.present, actions.choose_panels],
        [*docks, actions.reset_layout],
        [actions.animate],
        themes.actions(),
    )
    _fill(view.addMenu("&Tokens"), palettes, [actions.next_palette])
    _fill(
        bar.addMenu("&Help"),
        [actions.help, actions.help_keys],
        [actions.search_actions],
        [actions.tour, actions.open_tour],
        [actions.next_page, actions.previous_page, actions.leave_tour],
    )


def _fill(menu: QMenu, *groups: Sequence[QAction]) -> None:
    """Put groups of actions into a menu, with lines between them."""
    for number, group in enumerate(groups):
        if number:
            menu.addSeparator()
        menu.addActions(list(group))

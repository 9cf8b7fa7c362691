"""Controls that go on in a second line."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_gui.ui.widgets.layouts import FlowLayout

SPACING = 6
sizes = st.lists(st.tuples(st.integers(5, 120), st.integers(5, 40), st.booleans()), min_size=1)


def row_of(described: list[tuple[int, int, bool]]) -> tuple[QWidget, list[QWidget]]:
    """A row of widgets, each with a width, a height, and whether it may expand."""
    around = QWidget()
    row = FlowLayout(around, SPACING)
    made = []
    for width, height, expands in described:
        widget = QWidget()
        widget.setMinimumSize(width, height)
        if expands:
            policy = QSizePolicy.Policy.Expanding
            widget.setSizePolicy(policy, QSizePolicy.Policy.Fixed)
        row.addWidget(widget)
        made.append(widget)
    return around, made


@given(sizes, st.integers(120, 700))
def test_all_are_in_sight_in_the_order_of_reading(
    qapp: object, described: list[tuple[int, int, bool]], width: int
) -> None:
    around, made = row_of(described)
    row = around.layout()
    height = row.heightForWidth(width)
    area = QRect(0, 0, width, height)
    row.setGeometry(area)
    for widget, (least, _, _) in zip(made, described, strict=True):
        assert area.contains(widget.geometry())
        assert widget.width() >= least
    for before, after in pairwise(made):
        one, other = before.geometry(), after.geometry()
        assert not one.intersects(other)
        same_line = other.top() < one.bottom()
        assert other.left() > one.right() if same_line else other.top() > one.top()
    assert max(widget.geometry().bottom() for widget in made) <= height


def test_one_that_may_expand_has_the_rest_of_its_line(qapp: object) -> None:
    around, (box, button) = row_of([(60, 20, True), (40, 20, False)])
    around.layout().setGeometry(QRect(0, 0, 200, 20))
    assert box.width() == 200 - 40 - SPACING
    assert button.geometry().right() == 199
    assert around.layout().heightForWidth(80) == 40 + SPACING


def test_what_is_hidden_takes_no_room(qapp: object) -> None:
    around, (first, second) = row_of([(60, 20, False), (60, 20, False)])
    first.hide()
    around.layout().setGeometry(QRect(0, 0, 100, 20))
    assert second.x() == 0
    assert around.layout().heightForWidth(70) == 20

"""What is declared of a panel, or of a part of a workspace, before there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from operator import attrgetter
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol, cast

from msgspec import Struct
from msgspec.structs import force_setattr
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.run.corpus_queries import CorpusQueries, TokenFrequencies
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.widgets.motion import MergeMotion
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

Lines = Iterable[Sequence[object]]
"""A table for a file: headings and rows."""
Tables = Mapping[str, Callable[[Any], Lines | None]]
"""Titles of tables for people, and what takes the lines of each as they are now, all of them.

They are taken on the window's thread in no time, and may be read on another. None if there is
nothing yet.
"""


class Panel(Protocol):
    """What the window needs of every panel.

    Where a panel has them, the window follows three signals: `tokenSelected` (a token that all
    panels are to show), `positionSelected` (where the cursor is to go) and `placesWanted` (show
    where the selected token occurs). It calls `set_word`, where there is one, with the word that
    is clicked in the text.
    """

    def set_history(self, history: History | None) -> None: ...
    def show_position(self, position: int, moving: bool) -> None: ...
    def select_token(self, token: int) -> None: ...
    def visibleRegion(self) -> QRegion: ...
    def isVisible(self) -> bool: ...
    def window(self) -> QWidget: ...


class RefreshInterval(NamedTuple):
    """The seconds that a panel waits while the cursor follows a training.

    first: after the run was loaded, or after the panel was last drawn at rest.
    between: between two of its frames.
    """

    first: float
    between: float


class PanelParts(Struct, frozen=True):
    """What panels are made with: the parent, the text, the queries about the corpus, how often
    each token occurs in it, and the motion of a merge."""

    parent: QWidget | None
    sample_text: SampleText
    queries: CorpusQueries
    frequencies: TokenFrequencies
    motion: MergeMotion


MakePanel = Callable[[PanelParts], Any]
"""Makes a panel."""


def loader(module: str, panel: str) -> Callable[[], MakePanel]:
    """Return what loads a module, and gives the panel of that name in it."""
    return lambda: cast(MakePanel, getattr(import_module(module), panel))


class PanelSpec(Struct, frozen=True):
    """A panel: how it is made, its place, and what others call it.

    name: for the command line, exports and the stage.
    title: for people.
    load: loads the panel's modules, and gives what makes it, connected with what answers its
        questions.
    area: the column from the left and the row from the top where it is at first;
        panels of one area are tabs, the first of the registry in front.
    refresh: how often it is drawn while the cursor follows a training.
    keywords: words that others may call it by.
    help_page: the page of the help that is about it; by default of its name.
    dock: the object name of its dock; by default begins with its name.
    tour_places: what tours call it and its parts, with the object names of these; empty for
        the panel itself. By default tours call it by its title, in lower case.
    emptiness: why a panel of a run has nothing to show, as the end of a sentence; empty if it
        has something.
    choices: the object names of what is chosen in it, which sessions keep.
    tables: what is written of a panel as CSV.
    tells_next: whether it names merges behind the cursor: it is covered while the next one
        is guessed.
    explains: whether it explains one merge: the next one, or the last one if that is chosen.
    follows: whether it shows another picture at each position: animations are made of it.
    """

    name: str
    title: str
    load: Callable[[], MakePanel]
    area: tuple[int, int]
    refresh: RefreshInterval
    keywords: str
    help_page: str = ""
    dock: str = ""
    tour_places: Mapping[str, str] = MappingProxyType({})
    choices: tuple[str, ...] = ()
    emptiness: Callable[[Any], str] = lambda panel: ""
    tables: Tables = MappingProxyType({})
    tells_next: bool = False
    explains: bool = False
    follows: bool = True
    workspace: ClassVar = WorkspaceId.EXPLORE

    def __post_init__(self) -> None:
        for attribute, default in (
            ("help_page", self.name),
            ("dock", f"{self.name}Dock"),
            ("tour_places", MappingProxyType({self.title.lower(): ""})),
        ):
            if not getattr(self, attribute):
                force_setattr(self, attribute, default)

    @property
    def widget(self) -> str:
        """The object name of what one goes to."""
        return self.dock

    @property
    def stage(self) -> str:
        """What the stage calls it."""
        return self.name


class PartSpec(Struct, frozen=True):
    """A part of Compare or of the laboratory, or a bar, and what others call it.

    name, title, help_page, keywords, tour_places, tables, tells_next: as of a `PanelSpec`; the
        tables are taken from the view. Without a page of the help, nobody goes to it by name.
    workspace: where it is; None if in all of them.
    widget: its object name.
    attribute: the widget as an attribute of the view of its workspace, with dots.
    stage: the name of the part that it is seen in on the stage, which may be its own; empty if
        it cannot be there.
    exported: whether it can be exported.
    shows_run: whether it has to do with the run in view.
    emptiness: why it has nothing to show in a view, as the end of a sentence; empty if it has.
    at_rest: whether nothing is under way in a view that it waits for; by default in all of it.
    """

    name: str
    title: str
    workspace: WorkspaceId | None
    widget: str
    attribute: str = ""
    help_page: str = ""
    keywords: str = ""
    tour_places: Mapping[str, str] = MappingProxyType({})
    stage: str = ""
    exported: bool = True
    shows_run: bool = True
    emptiness: Callable[[Any], str] = lambda view: ""
    tables: Tables = MappingProxyType({})
    at_rest: Callable[[Any], bool] = attrgetter("at_rest")
    tells_next: bool = False

    def find(self, view: object) -> QWidget:
        """Return the widget in the view of its workspace."""
        return cast(QWidget, attrgetter(self.attribute)(view))

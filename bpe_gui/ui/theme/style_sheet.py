"""The style sheet, in Qt's dialect of CSS.

`@name` stands for a colour of the theme, `icon(name)` for a file under resources/icons, where
`icon(check)` is the one that is seen on the accent; `bpe_gui.ui.theme.theme` fills them in.
`sp` are pixels where text is plain, and more or fewer of them where it is larger or smaller. One
radius (6 px), one border, one accent.

Windows have their colour from the palette: a background for them here would become that of all
that they hold, also where it is drawn on another.
"""

from __future__ import annotations

STYLE_SHEET = """
QMainWindow::separator { background: @window; width: 6px; height: 6px; }
QMainWindow::separator:hover { background: @border; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: @border; }
QSplitter::handle:vertical { height: 6px; }
QSplitter::handle:horizontal { width: 6px; }

QToolBar { background: @window; border: none; padding: 0; spacing: 6px; }
QToolBar::separator { background: @border; width: 1px; margin: 6px 6px; }
QToolButton {
    background: transparent; color: @text;
    border: 1px solid transparent; border-radius: 6px; padding: 5px 10px;
}
QToolButton:hover { background: @raised; }
QToolButton:pressed { background: @border; }
QToolButton:checked { background: @raised; border-color: @border; color: @accent; }
QToolButton:disabled { color: @muted; background: transparent; }
QToolButton:focus { border-color: @accent; }
QToolButton::menu-indicator { image: none; }
QToolButton[sectionTitle="true"] { padding: 4px 6px; font-weight: bold; }
QToolButton[sectionTitle="true"]:checked {
    background: transparent; color: @text; border-color: transparent;
}
QToolButton[sectionTitle="true"]:hover { background: @raised; }
QToolButton[sectionTitle="true"]:focus { border-color: @accent; }
QToolButton#qt_menubar_ext_button, QToolButton#qt_toolbar_ext_button {
    padding: 0; qproperty-icon: icon(arrow-down);
}
QToolButton[small="true"] { padding: 2px 4px; }
QWidget#playerBar QToolButton[toolButtonStyle="ToolButtonIconOnly"] { padding: 5px 6px; }
QStatusBar QToolButton { padding: 1px 10px; }

QPushButton {
    background: @raised; color: @text;
    border: 1px solid @border; border-radius: 6px; padding: 5px 14px;
    outline: none;
}
QPushButton:hover { border-color: @muted; }
QPushButton:pressed { background: @border; }
QPushButton:disabled { color: @muted; border-color: @grid; }
QPushButton:focus { border-color: @accent; }
QPushButton:default { background: @accent; color: @on_accent; border-color: @accent; }
QPushButton:default:disabled { background: @raised; color: @muted; border-color: @grid; }
QPushButton:default:focus { border: 2px solid @on_accent; padding: 4px 13px; }
QDialog#actionSearch { border: 1px solid @muted; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }

/* The dialog that Qt draws itself where no desktop has one. Its buttons are squares of a fixed
   size, and its columns as wide as their text. */
QFileDialog {
    min-width: 760px; min-height: 460px;
    backward-icon: icon(step-back); forward-icon: icon(step);
    filedialog-parent-directory-icon: icon(folder-up);
    filedialog-new-directory-icon: icon(folder-new);
    filedialog-listview-icon: icon(view-list);
    filedialog-detailedview-icon: icon(view-details);
}
QFileDialog QToolButton { padding: 4px; }

QDockWidget > QWidget, QDockWidget QWidget#roomInside > QWidget { background: @panel; }
QDockWidget > QLabel#dockTitle {
    background: @window; color: @muted; padding: 8px 10px 6px 11px; border: none;
}

QMenuBar { background: @window; color: @text; }
QMenuBar::item { background: transparent; padding: 5px 7px; border-radius: 6px; }
QMenuBar::item:selected { background: @raised; }
QMenu { background: @panel; color: @text; border: 1px solid @border; padding: 5px; }
QMenu::item { padding: 6px 26px 6px 22px; border-radius: 4px; }
QMenu::item:selected { background: @raised; color: @text; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { background: @grid; height: 1px; margin: 5px 8px; }
QMenu::right-arrow { image: icon(arrow-right); width: 12sp; height: 12sp; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {
    background: @panel; color: @text;
    selection-background-color: @selection; selection-color: @token_text;
    border: 1px solid @border; border-radius: 6px; padding: 4px 8px; min-height: 18sp;
}
QLineEdit { placeholder-text-color: @muted; }
QPlainTextEdit, QTextEdit { placeholder-text-color: @muted; }
QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover, QComboBox:hover { border-color: @muted; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QComboBox:on {
    border-color: @accent;
}
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
    color: @muted; background: @window; border-color: @grid;
}
QComboBox { padding-right: 24sp; }
QComboBox::drop-down { border: none; width: 24sp; }
QComboBox::down-arrow { image: icon(arrow-down); width: 12sp; height: 12sp; }
QComboBox QAbstractItemView {
    background: @panel; color: @text; border: 1px solid @border; padding: 4px; outline: none;
    selection-background-color: @raised; selection-color: @text;
}
QSpinBox, QDoubleSpinBox {
    /* Qt gives the number no room on its left, so it stands on the right. */
    padding: 2px 22sp 2px 6px; qproperty-alignment: "AlignRight|AlignVCenter";
}
QSpinBox::up-button, QDoubleSpinBox::up-button,
QSpinBox::down-button, QDoubleSpinBox::down-button {
    background: transparent; border: none; width: 20sp; subcontrol-origin: border;
}
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {
    image: icon(arrow-up); width: 10sp; height: 10sp;
}
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {
    image: icon(arrow-down); width: 10sp; height: 10sp;
}

QPlainTextEdit, QTextEdit, QTextBrowser {
    background: @panel; color: @text; border: 1px solid @border; border-radius: 6px; padding: 4px;
    selection-background-color: @selection; selection-color: @token_text;
}
QPlainTextEdit:focus, QTextEdit:focus, QTextBrowser:focus { border-color: @accent; }
/* A panel is a frame already. */
QTextBrowser#whyText { border: none; border-radius: 0; padding: 0; }

QTableView, QTreeView, QListView {
    background: @panel; alternate-background-color: @window; color: @text;
    border: 1px solid transparent; gridline-color: @grid; outline: none;
    selection-background-color: @selection; selection-color: @token_text;
}
QTableView:focus, QTreeView:focus, QListView:focus { border-color: @accent; }
QTableView::item, QTreeView::item, QListView::item { padding: 2px 6px; border: none; }
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected {
    background: @selection; color: @token_text;
}
QFileDialog QTreeView::item { padding: 2px 0; }
QTableView::indicator {
    width: 14sp; height: 14sp; background: @panel; border: 1px solid @muted; border-radius: 4px;
}
QTableView::indicator:checked { background: @accent; border-color: @accent; image: icon(check); }
QHeaderView { background: @panel; border: none; }
QHeaderView::section {
    background: @panel; color: @muted; border: none; border-bottom: 1px solid @border;
    padding: 5px 6px; font-weight: normal;
}
QHeaderView::section:hover { color: @text; }
QHeaderView::down-arrow { image: icon(arrow-down); width: 10sp; height: 10sp; }
QHeaderView::up-arrow { image: icon(arrow-up); width: 10sp; height: 10sp; }
QTableCornerButton::section { background: @panel; border: none; }

QScrollBar:vertical { background: transparent; width: 12px; margin: 0; border: none; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; border: none; }
QScrollBar::handle { background: @border; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; background: none; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }

QTabWidget::pane { border: none; background: @panel; }
QTabBar { background: transparent; }
QTabBar::tab {
    background: transparent; color: @muted; border: none;
    border-bottom: 2px solid transparent; padding: 6px 12px; margin-right: 2px;
}
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:focus { color: @accent; }

QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 6px 8px; }
QStatusBar { background: @window; color: @muted; border: none; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @muted; padding: 2px 6px; }
QProgressBar {
    background: @raised; color: @text; border: none; border-radius: 3px;
    min-height: 6sp; max-height: 6sp; text-align: center;
}
QProgressBar::chunk { background: @accent; border-radius: 3px; }

QCheckBox, QRadioButton { color: @text; spacing: 8px; }
QCheckBox:disabled, QRadioButton:disabled { color: @muted; }
QCheckBox::indicator, QRadioButton::indicator {
    width: 14sp; height: 14sp; background: @panel; border: 1px solid @muted; border-radius: 4px;
}
QRadioButton::indicator { border-radius: 8sp; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: icon(check); }
QRadioButton::indicator:checked { background: @accent; border-color: @accent; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: @border; }

QSlider::groove:horizontal { background: @border; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: @accent; height: 4px; border-radius: 2px; }
QSlider::handle:horizontal {
    background: @accent; width: 14sp; height: 14sp; margin: -5sp 0; border-radius: 7sp;
}
QSlider::handle:horizontal:focus { border: 2px solid @text; width: 10sp; height: 10sp; }
QGroupBox { color: @muted; border: none; margin-top: 20px; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; padding: 2px 0; }
QLabel[quiet="true"] { color: @muted; }

QPushButton[stagePanel="true"] { text-align: left; }
QPushButton[stagePanel="true"]:checked { color: @accent; }
QPushButton[choice="true"] { text-align: left; padding: 4px 12px; }
QPushButton[choice="true"]:disabled { color: @muted; background: @panel; }
QPushButton[right="true"]:disabled { color: @text; border-color: @accent; font-weight: bold; }
QFrame#message {
    background: @raised; border: 1px solid @error; border-radius: 6px; margin: 2px 8px 4px 8px;
}
QLabel#messageSign, QLabel#waitingSign {
    background: @error; color: @window; font-weight: bold; border-radius: 9sp;
    min-width: 18sp; max-width: 18sp; min-height: 18sp; max-height: 18sp;
}
QFrame#message[success="true"] { border-color: @accent; }
QLabel#messageSign[success="true"] { background: @accent; color: @on_accent; }
QLabel[changed="true"] { color: @accent; }
QLabel[problem="true"] { color: @error; }
QFrame#normalizerRow { border: 1px solid @grid; border-radius: 6px; }
QFrame#normalizerRow:focus { border-color: @accent; }
QScrollArea#recipeScroll, QWidget#recipeSections { background: @window; }
QScrollArea#recipeOutlook, QWidget#recipeOutlookContent { background: @window; }
"""

"""The window: Qt and pyqtgraph over the history of a training run."""

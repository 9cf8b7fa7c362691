"""A program that gets the kernels ready as a window does, and tells what happened."""

from __future__ import annotations

import json

from numba.core import event
from PySide6.QtCore import QCoreApplication, QTimer

from bpe_gui.bpe.kernels.jit import compiled_by_default
from bpe_gui.ui.run.compiler import Compiler


def main() -> None:
    application = QCoreApplication([])
    sentences: list[str] = []
    with event.install_recorder("numba:compile") as compiled:
        compiler = Compiler()
        compiler.changed.connect(application.quit)
        compiler.failed.connect(sentences.append)
        before = compiled_by_default()
        QTimer.singleShot(0, compiler.start)
        application.exec()
        ready = compiler.ready
        compiler.close()
    told = {
        "ready before": before,
        "ready": ready,
        "compiled here": len(compiled.buffer),
        "failed": sentences,
        "compiled by default in the end": compiled_by_default(),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()

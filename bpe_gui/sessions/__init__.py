"""Sessions: everything that a window shows, in a file that opens again without training.

`resources/session-format.md` describes the file.
"""

from bpe_gui.sessions.file import load_session as load_session
from bpe_gui.sessions.file import save_session as save_session
from bpe_gui.sessions.session import CorpusReference as CorpusReference
from bpe_gui.sessions.session import FollowingLane as FollowingLane
from bpe_gui.sessions.session import LaneReference as LaneReference
from bpe_gui.sessions.session import NamedLane as NamedLane
from bpe_gui.sessions.session import RunLane as RunLane
from bpe_gui.sessions.session import SavedBranch as SavedBranch
from bpe_gui.sessions.session import Session as Session
from bpe_gui.sessions.session import SessionError as SessionError

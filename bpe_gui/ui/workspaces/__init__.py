"""What all parts of the window share: the frames, the workspaces, the docks."""

"""The loops that run compiled and without the GIL. See `kernel` for how and why."""

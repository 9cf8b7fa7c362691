"""The loops that run compiled and without the GIL. See `jit` for how and why."""

"""The window itself: where all parts are made and put together."""

"""The parts of tests/check."""

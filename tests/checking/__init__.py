# SPDX-License-Identifier: MIT
"""The parts of tests/check."""

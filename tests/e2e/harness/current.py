# SPDX-License-Identifier: MIT
"""What the current test has under way: all modules look here, the runner and cluster() change it."""

jobs = []  # started by it
cluster = None  # in use by it
brought_up = False  # by this script, not by one before

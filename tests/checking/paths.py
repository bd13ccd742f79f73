# SPDX-License-Identifier: MIT
"""Where the check finds things, and where it writes."""
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILD = os.path.join(ROOT, "build")
REPORTS = os.path.join(BUILD, "check")
FOLDERS = {"ci": os.path.join(BUILD, "release")}  # of presets whose build is not in the folder of their name


def folder_of(preset):
    return FOLDERS.get(preset, os.path.join(BUILD, preset))

"""What `launch help json` says of the JSON that commands print, to compare it with that."""
import os
import re

from harness import *


def documented(name):
    """The keys of the table that has this mark, in the topic's page."""
    with open(os.path.join(SOURCE_DIR, "cmd/guide/topics/json.md")) as file:
        text = file.read()
    table = text.split(f"<!-- json: {name} -->\n")[1].split("\n\n")[0]
    return set(re.findall(r"(?m)^\| `(\w+)` \|", table))


def told(page):
    """Every word of code in the page."""
    with open(os.path.join(SOURCE_DIR, f"cmd/guide/topics/{page}.md")) as file:
        return set(re.findall(r"`(\w+)`", file.read()))


def expect_version(made):
    if made["version"] != 1 or list(made)[0] != "version":
        fail(f"the version is {made.get('version')}, the first key {list(made)[0]}")


def same_keys(name, objects, but=(), may=()):
    """All that are documented, `but` for those that this run has no reason to have, and no others."""
    keys = {key for each in objects for key in each}
    if keys - set(may) != documented(name) - set(but) or not keys <= documented(name):
        fail(f"{name}: printed but not documented {keys - documented(name)}, documented but not printed {documented(name) - keys}")

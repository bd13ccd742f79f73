# SPDX-License-Identifier: MIT
"""What the guide's pages say of the JSON that commands print, to compare it with that."""
import glob
import json
import os
import re

from harness import *


def documented(name):
    """The keys of the table that has this mark, in whichever page."""
    tables = []
    for path in glob.glob(os.path.join(SOURCE_DIR, "cmd/guide/*/*.md")):
        with open(path) as file:
            tables += [text.split("\n\n")[0] for text in file.read().split(f"<!-- json: {name} -->\n")[1:]]
    if len(tables) != 1:
        fail(f"{len(tables)} pages have a table of {name}")
    return set(re.findall(r"(?m)^\| `(\w+)` \|", tables[0]))


def told(page):
    """Every word of code in the page."""
    with open(os.path.join(SOURCE_DIR, f"cmd/guide/topics/{page}.md")) as file:
        return set(re.findall(r"`(\w+)`", file.read()))


def expect_schema(name, made):
    """Fails if this output does not conform to cmd/render/schemas/NAME.json, which allows no other keys."""
    try:
        import jsonschema
    except ImportError:
        raise Skip("jsonschema is missing (package python3-jsonschema)")
    with open(os.path.join(SOURCE_DIR, f"cmd/render/schemas/{name}.json")) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    wrong = [f"{error.json_path}: {error.message}" for error in jsonschema.Draft202012Validator(schema).iter_errors(made)]
    if wrong or list(made)[0] != "version":
        fail(f"not as the schema {name} has it, or `version` is not the first key: {wrong}")


def same_keys(name, objects, but=(), may=()):
    """All that are documented, `but` for those that this run has no reason to have, and no others."""
    keys = {key for each in objects for key in each}
    if keys - set(may) != documented(name) - set(but) or not keys <= documented(name):
        fail(f"{name}: printed but not documented {keys - documented(name)}, documented but not printed {documented(name) - keys}")

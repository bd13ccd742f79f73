#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source file names its licence in its first line, that of LICENSE: `// SPDX-License-Identifier: MIT` in C and C++,
`#` in scripts and CMake, there below a line that has to be the first one. `--write` adds the lines that are missing."""
import os
import sys

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOP = (".ci", "cmd", "completions", "core", "modex", "tests", "topologies", "transports")
NOT_OURS = ("tests/fuzz/corpus", "tests/golden")
NAMES = {"MIT License": "MIT", "Apache License": "Apache-2.0"}
SLASHES = (".c", ".h", ".cpp", ".hpp")
HASHES = (".py", ".sh", ".cmake", ".bash", ".zsh", ".fish")
FIRST = ("#!", "#compdef", "#autoload")  # a kernel or a shell reads such a line, and only as the first one


def licence():
    with open(os.path.join(ROOT, "LICENSE"), encoding="utf-8") as file:
        return NAMES[file.readline().strip()]


def comment_of(path, text):
    """The sign that begins a comment; None for files that are no source."""
    if path.endswith(SLASHES):
        return "//"
    if path.endswith(HASHES) or os.path.basename(path) == "CMakeLists.txt" or text.startswith("#!"):
        return "#"
    return None


def with_licence(path, text, name):
    """The text with the line at its place; the same text if it is there, or if the file is no source."""
    comment = comment_of(path, text)
    if comment is None:
        return text
    line = f"{comment} SPDX-License-Identifier: {name}\n"
    first, rest = text.split("\n", 1) if comment == "#" and text.startswith(FIRST) and "\n" in text else (None, text)
    if rest.startswith(line):
        return text
    return line + rest if first is None else f"{first}\n{line}{rest}"


def sources():
    for top in TOP:
        for base, folders, names in os.walk(os.path.join(ROOT, top)):
            folders[:] = [name for name in folders if name != "__pycache__" and os.path.relpath(os.path.join(base, name), ROOT) not in NOT_OURS]
            yield from (os.path.relpath(os.path.join(base, name), ROOT) for name in sorted(names))
    yield "CMakeLists.txt"


def self_test():
    line = " SPDX-License-Identifier: MIT\n"
    rows = [("a.cpp", "int a;\n", "//" + line + "int a;\n"), ("a.hpp", "//" + line, "//" + line), ("CMakeLists.txt", "x()\n", "#" + line + "x()\n"),
            ("a", "#!/bin/sh\nx\n", "#!/bin/sh\n#" + line + "x\n"), ("a.zsh", "#compdef a\n", "#compdef a\n#" + line), ("a.md", "x\n", "x\n"),
            ("a.py", "#!/usr/bin/python3\n#" + line, "#!/usr/bin/python3\n#" + line), ("a.c", "// SPDX-License-Identifier: X\n", "//" + line + "// SPDX-License-Identifier: X\n")]
    for path, text, expected in rows:
        assert with_licence(path, text, "MIT") == expected, path
        assert with_licence(path, expected, "MIT") == expected, path


def main(words):
    self_test()
    name, missing, files = licence(), [], 0
    for path in sources():
        whole = os.path.join(ROOT, path)
        with open(whole, encoding="utf-8", errors="surrogateescape", newline="") as file:
            text = file.read()
        files += comment_of(path, text) is not None
        changed = with_licence(path, text, name)
        if changed == text:
            continue
        missing.append(path)
        if words == ["--write"]:
            with open(whole, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(changed)
    for path in missing if words != ["--write"] else ():
        print(f"{path}: the first line does not name the licence (tests/lint/{os.path.basename(__file__)} --write adds it)")
    print(f"{files} files, {len(missing)} {'mended' if words == ['--write'] else 'faults'}")
    return 1 if missing and words != ["--write"] or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts sentences that need a second reading, by patterns that are typical of them, in comments, string literals and Markdown.
Each room may have as many as `words_counts` says; a new room, and what users read (help pages, option texts, README.md), none.
String literals of C++ and C outside tests are a room of their own, "messages", which may have none, with more patterns.
`--show ROOM` lists them, `--lower` writes lower counts where a room has become better."""
import collections
import io
import os
import re
import sys
import tokenize

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COUNTS = os.path.join(ROOT, "tests/lint/words_counts")
TOP = ("cmd", "core", "modex", "transports", "topologies", "tests", "completions", ".github")
ALWAYS_ZERO = re.compile(r"README\.md$|^(?:core|modex)/\w+\.md$|cmd/guide/.*\.md$|cmd/options/(?:rows|texts)/")
NOT_READ = re.compile(r"^tests/(fuzz/corpus|lint/test_words\.py|golden/)")

START = r"(?:^|(?<=[.!?:]\s)|(?<=[.!?]\s\s))"  # of a sentence
PATTERNS = {
    "begins with a pronoun that stands for nothing": START + r"(?:Who|Whom|Whose|That of|Those)\b(?![^.!?]*\?)",
    "begins with Of": START + r"Of\b(?! course)",
    "begins with What, or The same, instead of a noun": START + r"(?:What|The same)\b(?![^.!?]*\?)",
    "whom": r"\b[Ww]hom\b",
    "none such": r"\bnone such\b",
    "there is none": r"\b[Tt]here (?:is|are|was|were) none\b",
    "as ever": r"\bas ever\b",
    "but for": r"\bbut for\b",
    "no use for": r"\b(?:has|have|had) no use for\b",
    "an inversion": r"\b(?:[Ss]o|[Nn]or) (?:is|are|was|were|does|do|did|has|have|had|can|may|must) (?:it|they|he|the|that|this|those|a|an|more|one)\b",
    "told": r"\b(?:is|are|was|were|be|been) told\b",
    "have had": r"\b(?:has|have) had\b",
    "said to": r"\bhad said\b|\bnobody (?:has|had|said)\b",
}
MESSAGE_PATTERNS = {
    "begins with It": r"^[Ii]t [a-z]",
    "is no, instead of is not a": r"(?<![Tt]here )\bis no (?!longer\b|more\b)[a-z]",
    "nobody": r"\bnobody\b",
    "what is there": r"\bwhat (?:is there|it|came|arrived)\b(?![^.;:]*\?)",
    "to be had": r"\b(?:to|cannot) be had\b",
    "will not do": r"\bwill not do\b",
    "as, instead of because": r", as (?:it|they|there|this|that|launch|others|ranks|hosts)\b",
    "greet": r"\bgreet(?:s|ed|ing)?\b",
    "an old phrase": r"\b(?:for ever|takes them away|must work without a question|somebody else|hung up)\b",
}
KNOWN = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}
OF_MESSAGES = {**KNOWN, **{name: re.compile(pattern) for name, pattern in MESSAGE_PATTERNS.items()}}
LICENCE = re.compile(r"^(?://|#) SPDX-License-Identifier: .*\n", re.M)
LITERAL = re.compile(r'R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|//[/!]?<? ?([^\n]*)|/\*(.*?)\*/|\'(?:[^\'\\\n]|\\.)+\'', re.S)


def texts_of_cpp(text):
    """Comments and literals, with the line and whether it is a literal. Lines of one comment, and literals of one value, are one text."""
    line, end, joined, kind, first = 1, 0, [], None, 1
    for found in LITERAL.finditer(text):
        between = text[end:found.start()]
        now = "comment" if found[4] is not None else "literal" if found[3] is not None else None
        line += between.count("\n")
        goes_on = now and now == kind and not between.strip() and (now == "literal" or between.count("\n") <= 1)
        if not goes_on and joined:
            yield first, ("" if kind == "literal" else " ").join(joined), kind == "literal"
            joined = []
        if now:
            if not joined:
                first = line
            joined.append(found[4] if now == "comment" else found[3])
        elif found[2] or found[5]:
            yield line, found[2] or found[5], bool(found[2])
        kind, end = now, found.end()
        line += found[0].count("\n")
    if joined:
        yield first, ("" if kind == "literal" else " ").join(joined), kind == "literal"


def texts_of_python(text):
    comment = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comment.append((token.start[0], token.string.lstrip("# ")))
        elif token.type == tokenize.STRING:
            yield token.start[0], " ".join(token.string.strip("rbfuRBFU").strip("\"'").split())
        if comment and token.type not in (tokenize.COMMENT, tokenize.NL):
            yield comment[0][0], " ".join(words for _, words in comment)
            comment = []


def texts_of_markdown(text):
    """Paragraphs, items and cells, without code, comments and headings."""
    text = re.sub(r"^```.*?^```|<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text, flags=re.S | re.M)
    paragraph = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        words = line.strip()
        begins = words.startswith(("- ", "* ", "| ", "#", "**")) or not words
        if begins and paragraph:
            yield paragraph[0][0], " ".join(words for _, words in paragraph)
            paragraph = []
        if words.startswith("|"):
            yield from ((number, cell.strip()) for cell in words.split("|") if cell.strip())
        elif words and not words.startswith("#"):
            paragraph.append((number, words.lstrip("-* ")))


def texts_of_script(text):
    lines = [(number, line.lstrip("# ")) for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("#")]
    joined = []
    for number, words in [*lines, (0, "")]:
        if joined and number != joined[-1][0] + 1:
            yield joined[0][0], " ".join(each for _, each in joined)
            joined = []
        joined.append((number, words))


def reader_of(path, text):
    name = os.path.basename(path)
    if name.endswith((".cpp", ".hpp", ".c", ".h", ".hpp.in")):
        return texts_of_cpp
    if name.endswith(".py") or re.match(r"#!.*python", text):
        return texts_of_python
    if name.endswith(".md"):
        return texts_of_markdown
    if name.endswith((".cmake", ".sh", ".bash", ".zsh", ".fish", ".yml")) or name == "CMakeLists.txt" or text.startswith("#!"):
        return texts_of_script
    return None


def riddles_in(path, text):
    """Room, line, pattern and words of each."""
    reader = reader_of(path, text)
    text = LICENCE.sub("\n", text, count=1)
    for line, words, *is_literal in reader(text) if reader else ():
        room = room_of(path, any(is_literal))
        for name, pattern in (OF_MESSAGES if room == MESSAGES else KNOWN).items():
            yield from ((room, line, name, words[max(0, found.start() - 20):found.end() + 40]) for found in pattern.finditer(words))


MESSAGES = "messages"


def room_of(path, is_literal=False):
    """The first two folders of a path; what has to have none at all, and messages, are by themselves."""
    if ALWAYS_ZERO.search(path):
        return "what users read"
    if is_literal and not path.startswith("tests/"):
        return MESSAGES
    return "/".join(path.split("/")[:-1][:2]) or "."


def sources():
    for top in TOP:
        for base, folders, names in os.walk(os.path.join(ROOT, top)):
            folders[:] = [name for name in folders if name != "__pycache__"]
            yield from (os.path.relpath(os.path.join(base, name), ROOT) for name in names)
    yield from ("README.md", "CMakeLists.txt")


def riddles():
    """Of each room: path, line, pattern and words."""
    found = collections.defaultdict(list)
    for path in sorted(sources()):
        if NOT_READ.match(path):
            continue
        with open(os.path.join(ROOT, path), "rb") as file:
            text = file.read().decode("utf-8", "replace")
        for room, *riddle in riddles_in(path, text):
            found[room].append((path, *riddle))
    return found


def read_counts():
    with open(COUNTS, encoding="utf-8") as file:
        return {room: int(count) for room, count in (line.rsplit(" ", 1) for line in file.read().splitlines())}


def write_counts(counts):
    with open(COUNTS, "w", encoding="utf-8") as file:
        file.write("".join(f"{room} {count}\n" for room, count in sorted(counts.items()) if count))


def judge(found, allowed):
    """What has grown, and what has shrunk."""
    rooms = sorted({*found, *allowed})
    grown = [room for room in rooms if len(found.get(room, ())) > allowed.get(room, 0)]
    shrunk = [room for room in rooms if len(found.get(room, ())) < allowed.get(room, 0)]
    return grown, shrunk


def self_test():
    def names(path, text):
        return [(line, name) for _, line, name, _ in riddles_in(path, text)]

    def rooms(path, text):
        return [(room, name) for room, _, name, _ in riddles_in(path, text)]

    pronoun, whom = "begins with a pronoun that stands for nothing", "whom"
    assert names("a.cpp", "int a;\n/// Who is lost is\n/// given up.\n") == [(2, pronoun)]
    assert names("a.cpp", "// It waits. Those of\n// others do too.\n") == [(1, pronoun)]
    assert names("a.cpp", "// SPDX-License-Identifier: MIT\n// Who is lost\n") == [(2, pronoun)]
    assert names("a.cpp", 'f("to " \n  "whom", "x");  // y\n') == [(1, whom)]
    assert names("a.cpp", 'g();\nf("a // Whose\\"", \'"\');\n// one\n\n// Of two, one\n') == [(5, "begins with Of")]
    assert not names("a.cpp", "int whom;  // a rank that Whose\nOf f();\n")
    assert names("a.py", '# Of all,\n# but for\nx = "whom"\n') == [(1, "begins with Of"), (1, "but for"), (3, whom)]
    assert names("a.md", "# Who\n\ntext\nas\never\n\n```\nwhom\n```\n- Who is it?\n- Who calls, waits.\n") == [(3, "as ever"), (11, pronoun)]
    assert names("a.md", "| a | Those of b |\n") == [(1, pronoun)]
    assert names("a.sh", "#!/bin/sh\nwhom\n# nor is it\n") == [(3, "an inversion")]
    assert rooms("core/a/a.cpp", '// whom\nf("whom");\n') == [("core/a", whom), ("messages", whom)]
    assert rooms("cmd/a/a.cpp", 'f("it is no host");\n') == [("messages", "begins with It"), ("messages", "is no, instead of is not a")]
    assert rooms("cmd/options/rows/a.cpp", 'f("whom");\n') == [("what users read", whom)]
    assert not rooms("tests/a.cpp", 'f("it is no host");\n') and not rooms("core/a.cpp", "// it is no host\n")
    for name, words in (("begins with It", "it ended"), ("is no, instead of is not a", "x is no number"), ("nobody", "and nobody called"),
                        ("what is there", "what it says cannot be read"), ("to be had", "no TLS to be had"),
                        ("will not do", "the old one will not do"), ("as, instead of because", "not used, as others may read it"),
                        ("greet", "no greeting within 1 s"), ("an old phrase", "may wait for ever")):
        assert rooms("core/a.c", f'f("{words}");\n') == [("messages", name)], words
    for words in ("the host ended", "x is no longer there", "does it wait for what it prints?", "there is no session named x"):
        assert not rooms("core/a.c", f'f("{words}");\n'), words
    assert judge({"a": [1, 2], "b": [1]}, {"a": 1, "c": 3}) == (["a", "b"], ["c"])
    assert room_of("README.md") == room_of("cmd/guide/topics/x.md") == room_of("core/README.md") == "what users read"
    assert (room_of("core/tree/a/b.cpp"), room_of("cmd/run.cpp"), room_of("CMakeLists.txt")) == ("core/tree", "cmd", ".")


def main(words):
    self_test()
    found, allowed = riddles(), read_counts()
    if words[:1] == ["--show"]:
        for room in words[1:] or sorted(found):
            for path, line, name, text in found.get(room, ()):
                print(f"{path}:{line}: {name}: {text}")
        return 0
    grown, shrunk = judge(found, allowed)
    if words[:1] == ["--lower"]:
        write_counts({room: min(count, len(found.get(room, ()))) for room, count in allowed.items()})
    for room in grown:
        print(f"{room}: {len(found[room])} sentences need a second reading, {allowed.get(room, 0)} are allowed: write them anew "
              f"(tests/lint/test_words.py --show '{room}' lists them)")
    if shrunk and not words:
        print(f"fewer than allowed in {', '.join(shrunk)}: tests/lint/test_words.py --lower writes that down")
    print(f"{sum(map(len, found.values()))} sentences in {len(found)} rooms")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

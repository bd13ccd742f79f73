#!/usr/bin/env python3
"""No two files of core give a private thing the same name: builds for sanitizers compile several of them together, and which
ones changes with every new file. And no two files anywhere define a type of the same name for all: the executable would have
one of their destructors for both."""
import collections
import os
import re
import sys

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRIVATE = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.M | re.S)
# In the project's format a definition begins its line, and what belongs to it does not.
TYPE = re.compile(r"^(?:struct|class|enum(?: class)?) (\w+)", re.M)
PUBLIC_TYPE = re.compile(r"^(?:struct|class|enum(?: class)?) (\w+)(?: final)?(?: ?: [^;{]*)? \{", re.M)
ALIAS = re.compile(r"^(using \w+) = ([^;]*);", re.M)
CONSTANT = re.compile(r"^(?:const|constexpr|constinit|static)\b[^(\n]*?\b(\w+)(?:\[\w*\])*(?: =|\{|;)", re.M)
ROOMS = ("core", "modex", "transports", "topologies", "cmd")
FUNCTION = re.compile(r"^(?!struct|class|enum|using|template|return)[\w:<>,&*\[\]][\w:<>,&*\[\] ]*[ &*](\w+)\(([^{;]*?)\)(?: \{|;)", re.M)


def private_names(text):
    """What may stand once only: a name, and for a function the types that it takes."""
    for body in PRIVATE.findall(text):
        yield from TYPE.findall(body)
        yield from (name for name in CONSTANT.findall(body))
        for name, parameters in FUNCTION.findall(body):
            types = [re.sub(r"\s+", " ", re.sub(r"(?<=[ &*])\w+\s*(?:=.*)?$", "", each)).strip() for each in parameters.split(",")]
            yield f"{name}({', '.join(types)})"


def aliases(text):
    """Those may stand twice, if they say the same."""
    for body in PRIVATE.findall(text):
        yield from ALIAS.findall(body)


def faults_in(files):
    """files: path -> text."""
    places, meanings = collections.defaultdict(set), collections.defaultdict(set)
    for path, text in files.items():
        for name in private_names(text):
            places[name].add(path)
        for name, meaning in aliases(text):
            meanings[name].add(meaning)
            places[name].add(path)
    return [f"{name} is in {' and in '.join(sorted(paths))}" for name, paths in sorted(places.items())
            if len(paths) > 1 and (name not in meanings or len(meanings[name]) > 1)]


def public_faults_in(files):
    """The same of types that all files see."""
    places = collections.defaultdict(set)
    for path, text in files.items():
        for name in PUBLIC_TYPE.findall(PRIVATE.sub("", text)):
            places[name].add(path)
    return [f"{name} is defined in {' and in '.join(sorted(paths))}" for name, paths in sorted(places.items()) if len(paths) > 1]


def files_below(room, *endings):
    for base, _, names in os.walk(os.path.join(ROOT, room)):
        for name in names:
            if name.endswith(endings):
                path = os.path.join(base, name)
                with open(path) as file:
                    yield os.path.relpath(path, ROOT), file.read()


def check_itself():
    def of(*lines):
        return "namespace {\n" + "\n".join(lines) + "\n}  // namespace\n"

    same = [of("struct A {", "};"), of("constexpr int b = 1;"), of("int f(int x) {", "    return g(x);", "}"),
            of("std::string f(const A& a,", "              int b) {", "}"), of("using A = int;")]
    for text in same:
        other = text.replace("int x", "int y").replace("A& a,", "A& c,").replace("= 1", "= 2").replace("= int", "= long")
        assert len(faults_in({"1": text, "2": other})) == 1, text
    assert not faults_in({"1": of("int f(int x) {", "}"), "2": of("int f(long x) {", "    int b = f(1);", "}")})
    assert not faults_in({"1": of("using A = int;"), "2": of("using A = int;")})
    assert not faults_in({"1": "struct A {\n};\n", "2": of("struct A {", "};")})
    assert public_faults_in({"1": "struct A {\n};\n", "2": "class A : public B {\n};\n"})
    assert not public_faults_in({"1": "struct A {\n};\n", "2": "struct A;\n" + of("struct A {", "};")})


def main():
    check_itself()
    files = dict(files_below("core", ".cpp"))
    everywhere = dict(file for room in ROOMS for file in files_below(room, ".hpp", ".cpp"))
    faults = faults_in(files) + public_faults_in(everywhere)
    for fault in faults:
        print(fault)
    print(f"{len(everywhere)} files, {len(faults)} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())

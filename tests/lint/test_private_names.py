#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two files of a room must not use the same private name, and a private name must not hide one that another file of the room uses,
because builds for sanitizers compile several files together, and others with every new file. Two files must not define a public type
of the same name anywhere, because the executable would have one of their destructors for both."""
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
DECLARATION = re.compile(r"^(?!struct|class|enum|using|template|return|namespace|#)[\w:<>,&*][\w:<>,&*\[\] ]*[ &*](\w+)\(", re.M)
ROOMS = ("core", "modex", "transports", "topologies", "cmd")
FUNCTION = re.compile(r"^(?!struct|class|enum|using|template|return)[\w:<>,&*\[\]][\w:<>,&*\[\] ]*[ &*](\w+)\(([^{;]*?)\)(?: \{|;)", re.M)


def private_names(text):
    """Yields the names that may occur only once; for a function, the name with its parameter types."""
    for body in PRIVATE.findall(text):
        yield from TYPE.findall(body)
        yield from (name for name in CONSTANT.findall(body))
        for name, parameters in FUNCTION.findall(body):
            types = [re.sub(r"\s+", " ", re.sub(r"(?<=[ &*])\w+\s*(?:=.*)?$", "", each)).strip() for each in parameters.split(",")]
            yield f"{name}({', '.join(types)})"


def aliases(text):
    """Yields the names that may occur twice if both have the same meaning."""
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


def hiding_faults_in(files, public):
    """Private names that are public ones as well, of which another file makes use, which then finds the private one."""
    bodies = {path: " ".join(PRIVATE.findall(text)) for path, text in files.items()}
    owners = collections.defaultdict(set)
    for path, text in files.items():
        for name in private_names(text):
            owners[name.partition("(")[0]].add(path)
    for name in sorted(public & set(owners)):
        use = re.compile(rf"(?<![\w.:>]){name}\b(?=[({{<])")
        users = sorted(path for path, body in bodies.items() if path not in owners[name] and use.search(body))
        if users:
            yield f"{name} of {', '.join(sorted(owners[name]))} hides another one from {', '.join(users)}"


def names_for_all(text):
    """Returns the functions and types of a header."""
    return {*DECLARATION.findall(text), *PUBLIC_TYPE.findall(text)}


def public_faults_in(files):
    """Returns the public types that several files define."""
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


    hider, user = of("int f(A a) {", "}"), of("int g() {", "    return f(1);", "}")
    assert names_for_all("int f(int x);\nstruct A {\n") == {"f", "A"}
    assert list(hiding_faults_in({"1": hider, "2": user}, {"f"}))
    assert not list(hiding_faults_in({"1": hider, "2": user}, {"g"}))
    assert not list(hiding_faults_in({"1": hider + user}, {"f"}))


def main():
    check_itself()
    faults = [fault for room in ROOMS for fault in faults_in(dict(files_below(room, ".cpp")))]
    everywhere = dict(file for room in ROOMS for file in files_below(room, ".hpp", ".cpp"))
    public = set().union(*(names_for_all(text) for path, text in everywhere.items() if path.endswith(".hpp")))
    for room in ROOMS:
        faults += hiding_faults_in(dict(files_below(room, ".cpp")), public)
    faults += public_faults_in(everywhere)
    for fault in faults:
        print(fault)
    print(f"{len(everywhere)} files, {len(faults)} faults")
    return 1 if faults or not everywhere else 0


if __name__ == "__main__":
    sys.exit(main())

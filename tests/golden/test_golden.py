#!/usr/bin/env python3
"""What launch says, compared with the files of this folder; `tests/run --rewrite golden` makes the files say what launch says.

  command_line/*.txt   transcripts (transcript.py): commands, run by sh in an empty folder, and what they print
  help/, man/          launch help NAME and launch help --man NAME, each page a file
  unit/                texts of unit tests, which compare and rewrite these themselves (tests/unit/golden.hpp)

  tests/golden/test_golden.py [PART]   only files with this part in their name
"""
import concurrent.futures
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import transcript

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LAUNCH = os.environ.get("LAUNCH") or os.path.join(ROOT, "launch")
GOLDEN = os.path.join(ROOT, "tests/golden")
REWRITE = "LAUNCH_REWRITE_GOLDEN"  # the switch; unit tests read it, too
LONGEST = 60  # s that a command may take


class Machine:
    """A folder in which commands run, with nothing of the real machine in their environment, and texts without what differs between machines."""

    def __init__(self, folder):
        self.folder, self.here = folder, os.path.join(folder, "here")
        os.makedirs(self.here)
        os.makedirs(os.path.join(folder, "bin"))
        os.symlink(LAUNCH, os.path.join(folder, "bin/launch"))
        kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        self.environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": self.here, "XDG_RUNTIME_DIR": self.here, "TMPDIR": self.here,
                            "LANG": "C.UTF-8", "FOO": "foo", **kept}

    def plain(self, text):
        text = text.decode(errors="backslashreplace").replace(self.here, "/HERE").replace(os.path.realpath(LAUNCH), "/BIN/launch")
        text = re.sub(r'(?m)^(\.TH "\S+" \d )"[\d-]+" "launch [^"]*"', r'\1"DATE" "launch VERSION"', text)
        text = re.sub(r"\bbuild [0-9a-f]{40}\b", "build BUILD", text)
        return re.sub(r"(?m)^launch \d+\.\d+\.\S+", "launch VERSION", text)

    def run(self, words):
        done = subprocess.run(words, cwd=self.here, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=LONGEST)
        return self.plain(done.stdout), self.plain(done.stderr), done.returncode


def replay(text, run):
    """The transcript as `run` would have it now."""
    steps, prose = transcript.parse(text)
    for step in steps:
        step.given = transcript.given(*run(["sh", "-c", step.input]))
    return transcript.render(steps, prose)


def page(run, words):
    out, err, code = run(["launch", "help", *words])
    return out if not err and not code else "".join(line + "\n" for line in transcript.given(out, err, code))


def pages():
    """What `launch help` has a page for, by the sources of its guide: (file, words)."""
    guide = os.path.join(ROOT, "cmd/guide")
    commands, topics = (sorted(os.path.basename(path)[:-3] for path in glob.glob(f"{guide}/{kind}/*.md")) for kind in ("commands", "topics"))
    yield "help/screen.txt", []
    for name in ["launch", *commands, *topics]:
        yield f"help/{name}.txt", [name]
    yield "man/launch.1", ["--man", "launch"]
    yield from ((f"man/launch-{name}.1", ["--man", name]) for name in commands)
    yield from ((f"man/launch-{name}.7", ["--man", name]) for name in topics)


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def settle(path, text, rewrite, name):
    """Whether the golden file of this path says so; what is wrong, in words."""
    golden = read(path)
    if golden == text:
        return None
    if rewrite:
        write(path, text)
        return None
    if golden is None:
        return f"{name}: there is no such file"
    return "".join(difflib.unified_diff(golden.splitlines(True), text.splitlines(True), name, "launch now"))


def settle_unused(path, name, rewrite):
    if rewrite:
        os.remove(path)
        return None
    return f"{name}: nothing is compared with this file"


def there_are(golden, folder):
    return {os.path.relpath(os.path.join(base, name), golden)
            for base, _, names in os.walk(os.path.join(golden, folder)) for name in names}


def compare(golden, wanted, run_in, rewrite=False, part=""):
    """What is wrong. `wanted` maps the files of pages to words of launch help; run_in(name) makes the place where the commands of a file run."""
    scripts = sorted(there_are(golden, "command_line"))
    unused = (there_are(golden, "help") | there_are(golden, "man")) - set(wanted)

    def one(name):
        path = os.path.join(golden, name)
        if name in unused:
            return settle_unused(path, name, rewrite)
        with run_in() as run:
            try:
                text = page(run, wanted[name]) if name in wanted else replay(read(path), run)
            except transcript.Malformed as fault:
                return f"{name}: {fault}"
        return settle(path, text, rewrite, name)

    names = [name for name in [*scripts, *wanted, *sorted(unused)] if part in name]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(one, names) if fault]
    return faults, len(names)


class Place:
    """A machine of one file's own."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="launch-golden-")
        return Machine(self.folder).run

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


def self_test():
    """It finds what it is for: a changed word, a missing file, a file that nothing is compared with, a line that belongs to no command."""
    good = "Words.\n$ launch a\n| one\n|\n| two\n! err\nexit 2\n\nMore.\n$ cat <<'e'\n> x\n> e\n| one\n|\n| two\n! err\nexit 2\n"

    class Fake:
        def __enter__(self):
            return lambda words: ("one\n\ntwo\n", "err\n", 2)

        def __exit__(self, *_):
            pass

    with tempfile.TemporaryDirectory(prefix="launch-golden-") as folder:
        wanted = {"help/a.txt": ["a"]}

        def faults(**settings):
            return compare(folder, wanted, Fake, **settings)[0]

        paths = [os.path.join(folder, name) for name in ("command_line/a.txt", "help/a.txt", "man/b.7")]
        write(paths[0], good)
        assert faults() == ["help/a.txt: there is no such file"], faults()
        assert not faults(rewrite=True) and not faults(), faults()
        write(paths[0], good.replace("two", "too"))
        changed, = faults()
        assert "-| too\n+| two\n" in changed, changed
        assert not faults(rewrite=True) and read(paths[0]) == good, read(paths[0])
        write(paths[1], "one\n")
        assert len(faults()) == 1 and not faults(part="command_line"), faults()
        write(paths[2], "")
        assert len(faults()) == 2, faults()
        assert not faults(rewrite=True) and not os.path.exists(paths[2]) and not faults(), faults()
        write(paths[0], "| one\n" + good)
        assert faults() == ["command_line/a.txt: line 1: no input before it: | one"], faults()


def main(words):
    self_test()
    rewrite, part = bool(os.environ.get(REWRITE)), "".join(words)
    faults, count = compare(GOLDEN, dict(pages()), Place, rewrite, part)
    if not count:
        faults = [f"no golden file has {part} in its name"]
    for fault in faults:
        print(fault.rstrip("\n"))
    print(f"{count} golden files{' rewritten' if rewrite else ''}" if not faults else
          "launch says something else than the golden files: look at the difference, then `tests/run --rewrite golden`")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

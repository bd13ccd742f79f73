#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`launch help`: its pages in a terminal and as manual pages, and every example that they give."""
import glob
import os
import re
import subprocess

from harness import *
from programs import need
from readme import Readme, like_checkout, run_example, write_programs

GUIDE = os.path.join(SOURCE_DIR, "cmd/guide")
PAGES = [Readme(os.path.relpath(path, SOURCE_DIR))
         for path in sorted(glob.glob(f"{GUIDE}/topics/*.md") + glob.glob(f"{GUIDE}/commands/*.md")) + [f"{GUIDE}/screen.md", f"{GUIDE}/launch.md"]]
TOPICS = [os.path.basename(page.path)[:-3] for page in PAGES if "/topics/" in page.path]
COMMANDS = [os.path.basename(page.path)[:-3] for page in PAGES if "/commands/" in page.path]
KINDS = {"run", "cluster", "mpi", "python"}


def topic(name):
    return next(page for page in PAGES if page.path.endswith(f"topics/{name}.md"))


@test
def help_has_three_names():
    screen = expect(launch("help"), err="").out
    for words in (["--help"], ["-h"], ["-n", "2", "--help"]):
        expect(launch(*words), out=screen, err="")
    expect(launch("version"), out=expect(launch("--version"), err="").out, err="")
    expect(launch("version", "now"), code=2, err_lines=1, err_contains="version takes no arguments")


@test
def every_topic_fits_the_screen():
    assert len(TOPICS) > 10, TOPICS
    for name in TOPICS:
        lines = expect(launch("help", name), err="").lines
        wide = [line for line in lines if len(line) > 80]
        if wide or lines[0] != re.sub("^# ", "", topic(name).text.splitlines()[0]):
            fail(f"{name}: {wide or lines[0]}")


@test
def headings_are_bold_on_a_terminal_only():
    words = [LAUNCH, "help", "trees"]
    expect(Job(words, pty=True).wait(), out_contains=["\033[1mlaunch-trees: ", "\033[1mOptions\033[0m"])
    for plain in (Job(words, pty=True, env={"NO_COLOR": "1"}).wait(), run(words)):
        if b"\033" in expect(plain).out:
            fail(str(plain))


@test
def a_command_and_an_option_have_help_of_their_own():
    assert "config" in COMMANDS, COMMANDS
    for name in COMMANDS:
        page = expect(launch("help", name), err="").out
        for word in ("--help", "-h"):
            expect(launch(name, word), out=page, err="")
    for words in (["completion", "bash", "--help"], ["version", "--help", "x"], ["run", "-n", "2", "--help"], ["config", "-k", "x", "-h"],
                  ["run", "job.toml", "--help"], ["help", "trees", "--help"]):
        expect(launch(*words), out=expect(launch("help", words[0])).out, err="")
    expect(launch("run", "-n", "1", "sh", "-c", "echo $0", "--help"), out="--help\n", err="")
    expect(launch("help", "-n"), err="", out_contains=["  -n, -np, --ranks N\n", "ranks = 4\n"])
    expect(launch("help", "--topology"), err="", out_contains=["kary:K  ", "chain"])


@test
def only_the_first_word_is_a_command():
    with scratch() as folder:
        for name in ("help", "version"):
            program = os.path.join(folder, name)
            with open(program, "w") as file:
                file.write('#!/bin/sh\necho "$0 runs"\n')
            os.chmod(program, 0o755)
            for words in ([f"./{name}"], ["-n", "1", name], ["--", name], ["run", name]):
                result = run([LAUNCH, *words], cwd=folder, env={"PATH": folder + ":" + os.environ["PATH"]})
                if not result.lines or not all(line.endswith(f"{name} runs") for line in result.lines):
                    fail(str(result))


def manual_pages(folder):
    """All of them, as files."""
    for name in ["launch", *COMMANDS, *TOPICS]:
        path = os.path.join(folder, "launch.1" if name == "launch" else f"launch-{name}.{1 if name in COMMANDS else 7}")
        with open(path, "wb") as file:
            file.write(expect(launch("help", "--man", name), err="").out)
        yield name, path


@test(tier="gate")
def manual_pages_have_no_fault():
    groff, mandoc, man = need("groff", "groff-base"), need("mandoc", "mandoc"), need("man", "man-db")
    with scratch() as folder:
        for name, path in manual_pages(folder):
            drawn = expect(run([groff, "-man", "-Tutf8", "-ww", "-rLL=80n", path]), err="")
            lines = re.sub("\033\\[[0-9;]*m|.\b", "", drawn.text).splitlines()
            wide = [line for line in lines if len(line) > 80]
            if not lines or wide:
                fail(f"{name}: {wide or 'nothing is drawn'}")
            expect(run([mandoc, "-T", "lint", "-W", "style", path]), out="", err="")
            shown = expect(run([man, "-l", path], env={"MANWIDTH": "80", "MANPAGER": "cat"}), err="")
            if "NAME\n" not in re.sub(r"\033\[[0-9]*m", "", shown.text):
                fail(str(shown))
        # That they can find one.
        with open(path, "a") as file:
            file.write(".NONE\n\\[nosuch]\n")
        if not run([groff, "-man", "-Tutf8", "-ww", path]).err or not run([mandoc, "-T", "lint", "-W", "warning", path]).out:
            fail("a fault that is there is not found")


@test
def options_can_be_copied_out_of_a_manual_page():
    with scratch() as folder:
        pages = dict(manual_pages(folder))
        text = expect(run([need("groff", "groff-base"), "-man", "-Tutf8", "-P-c", pages["trees"]])).text
        plain = re.sub(".\b", "", text)
        for word in ("--topology flat", "-hosts 'n[1-64]'", "kary:K"):
            if word not in plain:
                fail(f"{word} is not in\n{plain}")


@test(tier="gate")
def every_example_is_run_or_says_why_not():
    blocks = 0
    for page in PAGES:
        for kind in page.kinds():
            blocks += 1
            if kind not in KINDS and not re.match(r"not run: \w+ ", kind or ""):
                fail(f"{page.path}: a block of commands is marked {kind!r}")
    assert blocks > 25, blocks


def run_examples(kind, hosts=()):
    """Where their hosts are these."""
    commands = [command for page in PAGES for command in page.commands(kind)]
    assert len(commands) > 20, commands
    with scratch() as folder:
        write_programs(folder)
        shown = {name: text for page in PAGES for name, text in page.files().items()}
        for name, text in {**shown, "hosts": "\n".join(hosts) + "\n"}.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        for command in commands:
            run_example(re.sub(r"\bnode(?=[\[\d])", hosts[0].rstrip("0123456789"), command) if hosts else command, folder)


@test
def the_examples_on_this_machine():
    run_examples("run")


@needs_cluster(16, timeout=180)
def the_examples_on_hosts(cluster):
    run_examples("cluster", cluster.hosts[:16])


@test
def the_examples_with_mpi():
    if subprocess.run(["/usr/bin/python3", "-c", "import mpi4py"], stderr=subprocess.DEVNULL).returncode != 0:
        raise Skip("no mpi4py here")
    with scratch() as folder:
        gathered, traced = topic("mpi").commands("mpi")
        expect(run_example(gathered, folder), out_lines=["[0, 1, 2, 3]"] * 4)
        expect(run_example(traced, folder), err_contains=["pmi: rank 0 -> ", "pmi: rank 1 -> ", "finalize"])


@test
def the_example_in_python():
    with scratch() as folder:
        like_checkout(folder)
        script = topic("mpi").files()["hello.py"]
        with open(os.path.join(folder, "hello.py"), "w") as file:
            file.write(script)
        if len(script.splitlines()) > 12:
            fail("these are more than a dozen lines")
        command, = topic("mpi").commands("python")
        result = run_example(command, folder)
        ranks = sorted(re.findall(r"^rank (\d) of 4, next is process \d+$", result.text, re.M))
        if ranks != ["0", "1", "2", "3"]:
            fail(str(result))


@test(tier="gate")
def options_in_the_pages_are_those_of_launch():
    """All that they name there are, but for those of other programs and of other launchers."""
    lines = [*launch("help", "options").lines, *launch("help", "session").lines]
    shown = {word for line in lines if re.match(r"  --?\w", line)
             for word in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", line.split("   ")[0])}
    usages = [line for line in launch("help", "session").lines if line.startswith("    launch session ")]
    shown |= {word for line in usages for word in re.findall(r"\[(--[a-z-]+)|\| (--[a-z-]+)", line) for word in word if word}
    for page in PAGES:
        if page.path.endswith("coming-from.md"):
            continue
        named = {re.sub("^--no-", "--", word) for word in re.findall(r"`(--?[A-Za-z][\w-]*)", page.text)}
        if named - shown:
            fail(f"{page.path}: not in the help: {sorted(named - shown)}")


if __name__ == "__main__":
    main()

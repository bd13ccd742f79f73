#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command of the README does what it says. The two set-up commands are run by whoever runs these tests; here it
is checked that .ci/run runs the second, and that both name presets that exist."""
import json
import os
import re
import shutil

from harness import *
from harness import promises
from programs import need
from readme import Readme, in_folder

README = Readme("README.md")
SSH = Readme("cmd/guide/topics/ssh.md")
EXIT_CODES = Readme("cmd/guide/topics/exit-codes.md")


@test(tier="gate")
def the_two_set_up_commands_are_two():
    install, = README.lines("command: install")
    check, = README.lines("command: test")
    with open(os.path.join(SOURCE_DIR, "CMakePresets.json")) as file:
        presets = {preset["name"] for preset in json.load(file)["configurePresets"]}
    for line in (install, check):
        for preset in re.findall(r"--preset (\S+)", line):
            if preset not in presets:
                fail(f"no preset {preset}")
    if "./launch -n 4 hostname" not in install or not check.endswith("&& tests/check"):
        fail("the commands do not end with what they promise")


def ci_run(folder, command):
    """.ci/run in a checkout whose README names this command for the tests; called from elsewhere, as a machine may."""
    os.makedirs(os.path.join(folder, ".ci"), exist_ok=True)
    shutil.copy(os.path.join(SOURCE_DIR, ".ci/run"), os.path.join(folder, ".ci"))
    with open(os.path.join(folder, "README.md"), "w") as file:
        file.write(README.text.replace(README.block("command: test"), command))
    return run([os.path.join(folder, ".ci/run")], cwd="/")


@test(tier="gate")
def what_ci_runs_is_the_test_command_of_the_readme():
    with scratch() as folder:
        expect(ci_run(folder, 'echo "in $PWD, apt-get is $DEBIAN_FRONTEND"\n'), err="",
               out=f"in {os.path.realpath(folder)}, apt-get is noninteractive\n")
        rows = [("exit 42\n", 42), ("false && true\n", 1), ("false | true\n", 1), ("false; true\n", 1), ("test -n \"$NONE_SUCH\"; true\n", 1),
                ("true && ctest-that-is-missing --preset ci\n", 127)]
        for command, code in rows:
            print("   ", command.strip())
            expect(ci_run(folder, command), code=code)
        # A README without one is no success.
        expect(ci_run(folder, ""), code=1, err="no test command in README.md\n")


@test(tier="gate")
def the_examples_on_this_machine():
    with scratch() as folder:
        for line in README.lines("examples: run"):
            expect(in_folder(line, folder), err="")
        result = in_folder(README.lines("examples: run")[0], folder)
        expect(result, out_lines=[os.uname().nodename] * 4)
        with open(os.path.join(folder, "tree.svg")) as drawn, open(os.path.join(SOURCE_DIR, ".github/tree.svg")) as shown:
            if drawn.read() != shown.read():
                fail("the README shows another tree than launch draws")


@needs_cluster(16, tier="gate")
def the_examples_on_hosts(cluster):
    prefix = cluster.hosts[0].rstrip("0123456789")
    with scratch() as folder:
        with open(os.path.join(folder, "hosts"), "w") as file:
            file.write("\n".join(cluster.hosts[:16]) + "\n")
        for line in README.lines("examples: cluster"):
            expect(in_folder(line.replace("node[", prefix + "["), folder), err="")


@test(tier="gate")
def what_is_promised_in_numbers_is_what_tests_measure():
    promises.check()


def version(text):
    return tuple(int(part) for part in text.split("."))


@test(tier="gate")
def the_executable_needs_no_other_library_than_the_c_library_and_of_it_no_newer_than_is_promised():
    libraries = re.findall(r"\(NEEDED\).*\[(.*)\]", run([need("readelf", "binutils"), "-dW", LAUNCH]).text)
    foreign = [name for name in libraries if not re.match(r"(libc|libm|libdl|libpthread|libresolv|librt|ld-linux.*)\.so\.", name)]
    if not libraries or foreign:
        fail(f"needs {foreign or 'nothing at all'}: {libraries}")
    needed = {version(found) for found in re.findall(r"Name: GLIBC_([\d.]+)", run(["readelf", "-VW", LAUNCH]).text)}
    promised, = (version(found) for found in re.findall(r"not\s+older\s+than\s+glibc\s+(\d+\.\d+)", SSH.text))
    # Built where the C library is newer than that of Debian 12, it may need one as new: so the guide says.
    here = version(os.confstr("CS_GNU_LIBC_VERSION").split()[1])
    limit = promised if here <= (2, 36) else here
    if not needed or max(needed) > limit:
        fail(f"needs glibc {max(needed, default=None)}, not {limit}")
    if here == (2, 36) and max(needed) != promised:
        fail(f"would do with glibc {max(needed)}, and the guide asks for {promised}")


def codes_of(page):
    """Those of its table."""
    table = page.text[page.text.index("| code | meaning |"):].split("\n\n")[0]
    return {int(code) for row in re.findall(r"^\| ([\d, ]+)(?: \+ n)? \|", table, re.M) for code in re.findall(r"\d+", row)}


@test(tier="gate")
def exit_codes_in_tables_are_those_of_the_header():
    with open(os.path.join(SOURCE_DIR, "cmd/exit_code.hpp")) as file:
        header = {int(code) for code in re.findall(r"constexpr int \w+ = (\d+);", file.read())}
    for page in (README, EXIT_CODES):
        if codes_of(page) != header:
            fail(f"header {sorted(header)}, {page.path} {sorted(codes_of(page))}")


@test(tier="gate")
def options_in_the_readme_are_those_of_launch():
    """All that it names there are; in the table for users of other launchers, those of the last column."""
    shown = {word for line in launch("help", "options").lines if re.match(r"  --?\w", line)
             for word in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", line.split("   ")[0])}
    ours = "\n".join(line.rsplit("|", 2)[-2] if line.count("|") == 7 else line for line in README.text.splitlines())
    named = set(re.findall(r"`(--?[A-Za-z][\w-]*)", ours))
    if named - shown or len(named) < 10:
        fail(f"not in the help: {sorted(named - shown)} of {sorted(named)}")


@test(tier="gate")
def pages_that_the_readme_names_are_there():
    links = re.findall(r"\]\(([^)#]+)", README.text)
    missing = [link for link in links if not os.path.exists(os.path.join(SOURCE_DIR, link))]
    if missing or len(links) < 20:
        fail(f"{missing} of {links}")
    topics = {os.path.basename(link)[:-3] for link in links if "/topics/" in link}
    told = {name[:-3] for name in os.listdir(os.path.join(SOURCE_DIR, "cmd/guide/topics"))} - {"topics"}
    if topics != told:
        fail(f"topics {sorted(told)}, in the README {sorted(topics)}")


if __name__ == "__main__":
    main()

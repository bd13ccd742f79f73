#!/usr/bin/env python3
"""Every command of the README does what it says. The two set-up commands are run by whoever runs these tests; here it
is checked that .ci/run runs the second, and that both name presets that exist."""
import json
import os
import re
import shutil
import subprocess

from harness import *
from harness import promises
from programs import need
from readme import Readme, in_folder, like_checkout

README = Readme("README.md")


@test
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


@test
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


@test
def the_examples_on_this_machine():
    with scratch() as folder:
        for line in README.lines("examples: run"):
            expect(in_folder(line, folder), err="")
        result = in_folder(README.lines("examples: run")[0], folder)
        expect(result, out_lines=[os.uname().nodename] * 4)


@test
def the_examples_with_mpi():
    if subprocess.run(["/usr/bin/python3", "-c", "import mpi4py"], stderr=subprocess.DEVNULL).returncode != 0:
        raise Skip("no mpi4py here")
    with scratch() as folder:
        gathered, traced = README.lines("examples: mpi")
        expect(in_folder(gathered, folder), out_lines=["[0, 1, 2, 3]"] * 4)
        expect(in_folder(traced, folder), err_contains=["pmi: rank 0 -> ", "pmi: rank 1 -> ", "finalize"])


@test
def the_example_in_python():
    with scratch() as folder:
        like_checkout(folder)
        script = README.block("file: hello.py")
        with open(os.path.join(folder, "hello.py"), "w") as file:
            file.write(script)
        if len(script.splitlines()) > 10:
            fail("these are more than ten lines")
        command, = README.lines("examples: python")
        result = expect(in_folder(command, folder), err="")
        ranks = sorted(re.findall(r"^rank (\d) of 4, next is process \d+$", result.text, re.M))
        if ranks != ["0", "1", "2", "3"]:
            fail(str(result))


@needs_cluster(16)
def the_examples_on_hosts(cluster):
    prefix = cluster.hosts[0].rstrip("0123456789")
    with scratch() as folder:
        with open(os.path.join(folder, "hosts"), "w") as file:
            file.write("\n".join(cluster.hosts[:16]) + "\n")
        for line in README.lines("examples: cluster"):
            allowed = None if "keep-going" in line or "--stats" in line else ""
            expect(in_folder(line.replace("node[", prefix + "["), folder), err=allowed)


@test
def what_the_readme_promises_is_what_tests_measure():
    promises.check()


def version(text):
    return tuple(int(part) for part in text.split("."))


@test
def the_executable_needs_no_other_library_than_the_c_library_and_of_it_no_newer_than_the_readme_says():
    libraries = re.findall(r"\(NEEDED\).*\[(.*)\]", run([need("readelf", "binutils"), "-dW", LAUNCH]).text)
    foreign = [name for name in libraries if not re.match(r"(libc|libm|libdl|libpthread|libresolv|librt|ld-linux.*)\.so\.", name)]
    if not libraries or foreign:
        fail(f"needs {foreign or 'nothing at all'}: {libraries}")
    needed = {version(found) for found in re.findall(r"Name: GLIBC_([\d.]+)", run(["readelf", "-VW", LAUNCH]).text)}
    promised, = (version(found) for found in re.findall(r"not older than glibc\s+([\d.]+)", README.text))
    # Built where the C library is newer than that of Debian 12, it may need one as new: so the README says.
    here = version(os.confstr("CS_GNU_LIBC_VERSION").split()[1])
    limit = promised if here <= (2, 36) else here
    if not needed or max(needed) > limit:
        fail(f"needs glibc {max(needed, default=None)}, not {limit}")
    if here == (2, 36) and max(needed) != promised:
        fail(f"would do with glibc {max(needed)}, and the README asks for {promised}")


@test
def exit_codes_in_the_readme_are_those_of_the_header():
    with open(os.path.join(SOURCE_DIR, "cmd/exit_code.hpp")) as file:
        header = {int(code) for code in re.findall(r"constexpr int \w+ = (\d+);", file.read())}
    table = README.text[README.text.index("| code | meaning |"):README.text.index("**Trees.**")]
    listed = {int(code) for row in re.findall(r"^\| ([\d, ]+)(?: \+ n)? \|", table, re.M) for code in re.findall(r"\d+", row)}
    if header != listed:
        fail(f"header {sorted(header)}, README {sorted(listed)}")


@test
def options_in_the_readme_are_those_of_the_help():
    """All that it names there are, and the conventional ones are in the help as they stand in the README."""
    shown = {word for line in launch("--help").lines if re.match(r"  --?\w", line)
             for word in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", line[:60].split("   ")[0])}
    foreign = {"--mca", "-bind-to", "-launcher"}
    named = set(re.findall(r"`(--?[A-Za-z][\w-]*)", README.text)) - foreign
    unknown = sorted(name for name in named if name not in shown)
    if unknown or not foreign <= set(re.findall(r"`(--?[A-Za-z][\w-]*)", README.text)):
        fail(f"not in the help: {unknown}")
    for name in foreign:
        expect(launch(name, "x", "true"), code=2, err_contains=[f"unknown option {name}: "])


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `cmake --install` and `cpack` make of a build: where things are, what programs can be built with them, and that the
packages do on a system that has nothing else."""
import glob
import os
import re

from clean_system import clean_system, inside
from harness import *
from programs import need
from readme import Readme, in_folder, like_checkout

BUILD = os.path.dirname(HELPERS)
CLIENT = os.path.join(SOURCE_DIR, "modex/client")
# Those that programs have linked from the beginning: their version stays.
FIRST_FUNCTIONS = {f"launch_modex_{name}" for name in "abort fence finalize get init put rank size strerror".split()}


def read(path):
    with open(path) as file:
        return file.read()


def done(*argv, **options):
    """A step that must go well."""
    return expect(run(argv, timeout=60, **options))


def install(folder, *words):
    prefix = os.path.join(folder, "prefix")
    done("cmake", "--install", BUILD, "--prefix", prefix, *words)
    return prefix


def found(root):
    return sorted(os.path.relpath(os.path.join(above, name), root) for above, _, names in os.walk(root) for name in names)


def library_dir(prefix):
    """`lib`, or with the architecture below it."""
    path, = glob.glob(f"{prefix}/lib*/**/liblaunch_modex.so", recursive=True)
    return os.path.dirname(path)


def names_in(folder, pattern):
    return [os.path.basename(path) for path in glob.glob(os.path.join(folder, pattern))]


@test(tier="gate")
def everything_is_where_it_is_looked_for():
    with scratch() as folder:
        prefix = install(folder)
        lib = os.path.relpath(library_dir(prefix), prefix)
        completions = ["share/bash-completion/completions/launch", "share/zsh/site-functions/_launch",
                       "share/fish/vendor_completions.d/launch.fish"]
        topics = [name[:-len(".md")] for name in names_in(os.path.join(SOURCE_DIR, "cmd/guide/topics"), "*.md")]
        commands = [name[:-len(".md")] for name in names_in(os.path.join(SOURCE_DIR, "cmd/guide/commands"), "*.md")]
        manuals = ["share/man/man1/launch.1", *(f"share/man/man1/launch-{command}.1" for command in commands),
                   *(f"share/man/man7/launch-{topic}.7" for topic in topics)]
        schemas = [f"share/launch/schemas/{name}" for name in names_in(os.path.join(SOURCE_DIR, "cmd/render/schemas"), "*.json")]
        config = [f"{lib}/cmake/launch-client/launch-client-config{part}.cmake" for part in ("", "-version")]
        one_build = [path for path in found(prefix) if re.search(r"launch-client-config-(?!version)\w+\.cmake$", path)]
        expected = ["bin/launch", "include/launch_modex.h", f"{lib}/liblaunch_modex.a", f"{lib}/liblaunch_modex.so",
                    f"{lib}/liblaunch_modex.so.1", f"{lib}/pkgconfig/launch-client.pc", *config, *one_build, *completions, *manuals, *schemas]
        if found(prefix) != sorted(expected) or len(one_build) != 1:
            fail(f"installed: {found(prefix)}\nexpected: {sorted(expected)}")
        expect(run([f"{prefix}/bin/launch", "-n", "2", "echo", "up"]), out="up\nup\n", err="")


@test(timeout=90)
def the_readme_installs_what_runs():
    need("dpkg-shlibdeps", "dpkg-dev")
    with scratch() as folder:
        like_checkout(folder)
        for line in Readme("README.md").lines("examples: install"):
            expect(in_folder(line, folder, env={"HOME": folder}, timeout=60))
        expect(run([f"{folder}/.local/bin/launch", "-n", "2", "echo", "up"]), out="up\nup\n", err="")
        if len(names_in(f"{folder}/build/packages", "*.deb")) != 3:
            fail(f"packages: {os.listdir(f'{folder}/build/packages')}")


@test
def mpiexec_and_mpirun_are_launch_where_they_are_wanted():
    with scratch() as folder:
        tree = os.path.join(folder, "build")
        done("cmake", "-S", SOURCE_DIR, "-B", tree, "-DLAUNCH_INSTALL_MPIEXEC=ON")
        prefix = os.path.join(folder, "prefix")
        done("cmake", "--install", tree, "--prefix", prefix, "--component", "mpiexec")
        install(folder, "--component", "launch")
        for name in ("mpiexec", "mpirun"):
            if os.readlink(f"{prefix}/bin/{name}") != "launch":
                fail(f"{name} is no link to launch beside it")
            expect(run([f"{prefix}/bin/{name}", "-n", "2", "echo", "up"]), out="up\nup\n", err="")


@test
def the_library_offers_what_its_header_declares_and_nothing_else():
    with scratch() as folder:
        library = f"{library_dir(install(folder))}/liblaunch_modex.so.1"
        declared = sorted(re.findall(r"LAUNCH_MODEX_API [^;]*?\b(launch_modex_\w+)\(", read(f"{CLIENT}/launch_modex.h")))
        shown = done(need("nm", "binutils"), "-D", "--defined-only", library).lines
        offered = sorted(line.split()[-1] for line in shown if " A " not in line)
        if offered != [f"{name}@@LAUNCH_MODEX_{1 if name in FIRST_FUNCTIONS else 2}" for name in declared] or len(declared) != 20:
            fail(f"offered: {offered}\ndeclared: {declared}")
        dynamic = done("readelf", "-dW", library).text
        if re.findall(r"\(SONAME\).*\[(.*)\]", dynamic) != ["liblaunch_modex.so.1"]:
            fail(dynamic)
        # It needs no other library than the C library.
        if re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic) != ["libc.so.6"]:
            fail(dynamic)


def closes_a_ring(program, **env):
    expect(launch("-n", "4", program, env=env), out="ring of 4 ranks closed, token 4\n", err="")


@test
def a_program_is_built_with_it_by_pkg_config():
    need("pkg-config", "pkg-config")
    with scratch() as folder:
        prefix = install(folder)
        moved = os.path.join(folder, "moved")  # nothing in it knows where it was installed
        os.rename(prefix, moved)
        lib = library_dir(moved)
        like_checkout(folder)
        build, = Readme("modex/client/README.md").lines("examples: installed")
        expect(in_folder(build, folder, env={"PKG_CONFIG_PATH": f"{lib}/pkgconfig"}), out="", err="")
        closes_a_ring(f"{folder}/ring", LD_LIBRARY_PATH=lib)


PROJECT = """
cmake_minimum_required(VERSION 3.21)
project(ring C)
find_package(launch-client 0.1 REQUIRED)
foreach(kind client client_static)
  add_executable(ring_${kind} %s/ring_example.c)
  target_link_libraries(ring_${kind} PRIVATE launch::${kind})
endforeach()
"""


@test
def a_program_is_built_with_it_by_cmake():
    with scratch() as folder:
        prefix = install(folder)
        with open(os.path.join(folder, "CMakeLists.txt"), "w") as file:
            file.write(PROJECT % CLIENT)
        tree = os.path.join(folder, "build")
        done("cmake", "-S", folder, "-B", tree, f"-DCMAKE_PREFIX_PATH={prefix}")
        done("cmake", "--build", tree)
        for kind in ("client", "client_static"):
            closes_a_ring(f"{tree}/ring_{kind}")


def packages(folder):
    """Those of this build, by name."""
    need("dpkg-shlibdeps", "dpkg-dev")
    done("cpack", "--config", f"{BUILD}/CPackConfig.cmake", "-B", folder)
    return {os.path.basename(path).split("_")[0]: path for path in glob.glob(f"{folder}/*.deb")}


@test(timeout=120)
def lintian_finds_no_error_in_the_packages():
    need("lintian", "lintian")
    with scratch() as folder:
        made = packages(folder)
        if sorted(made) != ["launch", "liblaunch-modex-dev", "liblaunch-modex1"]:
            fail(f"made: {sorted(made)}")
        judged = run(["lintian", "--allow-root", "--fail-on", "error", *made.values()], timeout=100, env={"TMPDIR": folder})
        print(judged.text)
        expect(judged)
        changelog = read(os.path.join(SOURCE_DIR, "cmd/install/changelog")).split("\n")[0]
        version = done("dpkg-deb", "-f", made["launch"], "Version").text.strip()
        if not changelog.startswith(f"launch ({version}) "):
            fail(f"the packages are of {version}, and the changelog begins with {changelog}")


@test(timeout=120)
def the_packages_do_on_a_system_that_has_nothing_else():
    with scratch() as folder:
        made = packages(os.path.join(folder, "packages"))
        root = os.path.join(folder, "root")
        clean_system(root)
        if os.path.exists(f"{root}/usr/bin/python3") or os.path.exists(f"{root}/usr/bin/gcc"):
            fail("that is no clean system")
        for path in made.values():
            os.link(path, f"{root}/{os.path.basename(path)}")
        expect(inside(root, "dpkg -i /*.deb", timeout=60), err="")
        expect(inside(root, "launch -n 4 hostname"), out_lines=[os.uname().nodename] * 4, err="")
        expect(inside(root, "launch --transport local -hosts 'n[1-8]' -k 2 echo up"), out="up\n" * 8, err="")
        # What dpkg has to say of them: installed, and their files as they were packed.
        names = " ".join(sorted(made))
        expect(inside(root, f"dpkg-query -W -f '${{Package}} ${{Status}}\\n' {names}"),
               out_lines=[f"{name} install ok installed" for name in sorted(made)], err="")
        expect(inside(root, f"dpkg -V {names}"), out="", err="")
        expect(inside(root, "ldconfig -p | grep -c 'liblaunch_modex.so.1 '"), out="1\n")
        expect(inside(root, f"dpkg -P {names}", timeout=60), err="")
        left = [path for path in found(root) if "launch" in path and not path.endswith(".deb")]
        if left:
            fail(f"left behind: {left}")


if __name__ == "__main__":
    main()

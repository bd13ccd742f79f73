#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Job files, configuration, the environment's options and subcommands, as a user meets them."""
import json
import os
import re

from harness import *
from this_machine import PLAY

JOB = """
hosts = "n[1-4]"
transport = "local"
degree = 2
label = true

[[program]]
command = "sh -c 'echo $LAUNCH_RANK of $LAUNCH_SIZE $COLOUR'"
ranks = 2
env.COLOUR = "blue sky"

[[program]]
command = ["echo", "worker"]
ranks = 1
"""
SAYS = ["[0] 0 of 3 blue sky", "[1] 1 of 3 blue sky", "[2] worker"]


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    return path


@test(tier="gate")
def a_job_file_runs_in_each_way_to_name_it():
    with scratch() as folder:
        job = write(folder, "job.toml", JOB)
        for words in ([job], ["run", "--job", job], ["--job", job], ["run", job]):
            expect(launch(*words), out_lines=SAYS, err="")
        expect(launch("job.toml", cwd=folder), out_lines=SAYS, err="")
        for words in ([job], ["--job", job]):
            expect(launch(*words, "-n", "1", "echo", "x", ":", "-n", "1", "echo", "y"), out_lines=["[0] x", "[1] y"], err="")
        expect(launch("--job", job, job), code=2, out="", err_lines=1, err_contains=job)


@test(tier="gate")
def the_command_line_wins_over_the_file():
    with scratch() as folder:
        job = write(folder, "job.toml", JOB)
        expect(launch(job, "--no-label"), out_lines=[line[4:] for line in SAYS], err="")
        expect(launch("--job", job, "-n", "1", "echo", "own"), out_lines=["[0] own"], err="")
        expect(launch(job, "-wdir", "/", "--quiet", "--no-label", "-n", "1"), out_lines=["0 of 2 blue sky", "worker"])


@test
def of_a_variable_the_strongest_place_counts_whatever_the_option():
    with scratch() as folder:
        job = write(folder, "job.toml", '[env]\nA = "all"\nOMPI_MCA_btl = "all"\n[[program]]\ncommand = \'sh -c "echo $A $B $OMPI_MCA_btl"\'\n'
                                        'ranks = 1\nenv.B = "own"\n')
        expect(launch(job), out="all own all\n", err="")
        expect(launch(job, "-x", "B=line", "-genv", "A", "line"), out="line line all\n", err="")
        expect(launch(job, "-genv", "B", "line"), out="all line all\n", err="")
        expect(launch(job, "--mca", "btl", "line"), out="all own line\n", err_lines=1, err_contains="OMPI_MCA_btl=line")
        write(folder, "launch/config.toml", 'export = ["A=user", "C=user"]\n')
        show = ["-n", "1", "sh", "-c", "echo $A $C"]
        config = {"XDG_CONFIG_HOME": folder}
        expect(launch("-x", "Z=1", *show, env=config), out="user user\n", err="")
        expect(launch("-genv", "A", "line", *show, env=config), out="line user\n", err="")
        expect(launch(*show, env={**config, "LAUNCH_OPT_ENV": "A=env"}), out="env user\n", err="")


@test
def hosts_of_the_line_are_not_mixed_with_those_of_weaker_places():
    words = [*PLAY, "-hosts", "a:2,b:2", "-n", "1", "echo", "x", ":", "-n", "3", "echo", "y"]
    plain = launch("--dry-run", *words)
    expect(plain, err="", out_contains="(ranks 0-1)")
    expect(launch("--dry-run", *words, env={"LAUNCH_OPT_HOSTS": "c,d"}), err="", out=plain.text)
    with scratch() as folder:
        job = write(folder, "job.toml", 'hosts = "c,d"\ncommand = "true"\n')
        expect(launch("--dry-run", "--job", job, *words), err="", out=plain.text)
        write(folder, "launch/config.toml", 'hosts = "c:2,d:2"\n')
        config = {"XDG_CONFIG_HOME": folder}
        two = [*PLAY, "-n", "1", "echo", "x", ":", "-n", "3", "echo", "y"]
        made = launch("--dry-run", "--format", "toml", *two, env=config)
        again = launch("--dry-run", write(folder, "made.toml", made.text), env=config)
        expect(again, err="", out=launch("--dry-run", *two, env=config).text)


@test
def paths_in_a_file_are_beside_it():
    with scratch() as folder:
        write(folder, "sub/hosts", "n1\nn2\n")
        program = write(folder, "sub/say", "#!/bin/sh\npwd\n")
        os.chmod(program, 0o755)
        os.mkdir(os.path.join(folder, "sub/run"))
        job = write(folder, "sub/job.toml", 'hostfile = "hosts"\ntransport = "local"\ncommand = "./say"\nwdir = "run"\n')
        where = os.path.realpath(os.path.join(folder, "sub/run"))
        expect(launch(job), out_lines=[where] * 2, err="")
        expect(launch("sub/job.toml", cwd=folder), out_lines=[where] * 2, err="")


@test
def a_word_that_ends_as_a_job_file_and_is_not_there_is_told_as_one():
    with scratch() as folder:
        expect(launch("jbo.toml", cwd=folder), code=2, out="", err_lines=1, err_contains="jbo.toml")
        expect(launch("-n", "1", "--", "jbo.toml", cwd=folder), code=127, err_contains="jbo.toml")
        program = write(folder, "in-path.toml", "#!/bin/sh\necho ran\n")
        os.chmod(program, 0o755)
        expect(launch("-n", "1", "in-path.toml", env={"PATH": f"{folder}:{os.environ['PATH']}"}), out="ran\n", err="")


@test
def a_job_file_that_launch_executes_runs_as_a_program():
    with scratch() as folder:
        job = write(folder, "job.toml", "#!/usr/bin/env launch\nranks = 2\ncommand = 'echo ran'\n")
        os.chmod(job, 0o755)
        os.symlink(LAUNCH, os.path.join(folder, "launch"))
        path = {"PATH": f"{folder}:{os.environ['PATH']}"}
        expect(run([job], env=path), out="ran\nran\n", err="")
        expect(run([job, "-n", "1"], env=path), out="ran\n", err="")
        expect(launch(job, env=path), out="ran\nran\n", err="")


@test(tier="gate")
def a_dry_run_writes_a_file_that_gives_the_same_job():
    with scratch() as folder:
        hosts = write(folder, "hosts", "a slots=2\nb\n")
        for words, stdin in (([*PLAY, "-f", "hosts", "-n", "3", "-k", "2", "-l", "-x", "COLOUR=blue", "sh", "-c", "echo $COLOUR; pwd"], None),
                             ([*PLAY, "-f", "-", "-n", "3", "-map-by", "node", "hostname"], b"a:2,b\n"),
                             (["-n", "1", "echo", "a b", ":", "-n", "2", "-env", "A", "x=y", "printenv", "A"], None)):
            plain = launch("--dry-run", "--format", "json", *words, cwd=folder, **({"stdin": stdin} if stdin else {}))
            made = launch("--dry-run", "--format", "toml", *words, cwd=folder, **({"stdin": stdin} if stdin else {}))
            expect(made, err="")
            job = write(folder, "elsewhere/job.toml", made.text)
            again = launch("--dry-run", "--format", "json", job, cwd=folder)
            if again.text != plain.text or not plain.text:
                fail(f"{plain}\n{made}\n{again}")
            expect(launch("--dry-run", "--format", "toml", job, cwd=folder), out=made.text)
        os.unlink(hosts)


@test
def what_a_written_file_does_not_set_comes_from_where_it_is_run():
    with scratch() as folder:
        here, there = (os.path.join(os.path.realpath(folder), name) for name in ("here", "there"))
        os.mkdir(here), os.mkdir(there)
        show = ["-n", "1", "-x", "COLOUR", "sh", "-c", "echo $COLOUR; pwd -P"]
        for words, where in (([], there), (["-wdir", "."], here)):
            made = launch("--dry-run", "--format", "toml", *words, *show, cwd=here, env={"COLOUR": "red"})
            job = write(folder, "job.toml", made.text)
            expect(launch(job, cwd=there, env={"COLOUR": "blue"}), out_lines=["blue", where], err="")


@test
def hosts_from_standard_input_leave_nothing_for_ranks_in_a_file_either():
    toml = ["--dry-run", "--format", "toml"]
    expect(launch(*toml, *PLAY, "-f", "-", "cat", stdin=b"a\nb:2\n"), err="", out_contains=['hosts = ["a", "b:2"]\n', 'stdin = "none"\n'])
    for words in (["-hosts", "a,b", "-f", "-", "cat"], ["--stdin", "0", "-f", "-", "cat"]):
        plain = launch("--dry-run", *words, stdin=b"a\n")
        expect(plain, code=2, out="")
        expect(launch(*toml, *words, stdin=b"a\n"), code=2, out="", err=plain.err_text)


@test
def what_toml_cannot_hold_is_told():
    expect(run([LAUNCH, "--dry-run", "--format", "toml", "echo", os.fsdecode(b"caf\xe9")]), code=2, out="", err_lines=1)


@test
def a_value_is_told_with_where_it_stands():
    with scratch() as folder:
        for key, value, told in (("exclude", "b[", "{job}:3:11: exclude = b[: "), ("stage", "/no/such", "stage ({job}:3:"),
                                 ("export", "no-such!", "export ({job}:3:")):
            job = write(folder, "job.toml", f'hosts = "a"\ntransport = "local"\n{key} = "{value}"\ncommand = "true"\n')
            expect(launch(job), code=2, out="", err_contains=told.format(job=job))
    expect(launch("true", env={"LAUNCH_OPT_HOSTS": "a["}), code=2, out="", err_contains="LAUNCH_OPT_HOSTS: ")


@test
def configuration_comes_from_the_users_file_and_the_environment():
    with scratch() as folder:
        write(folder, "launch/config.toml", "label = true\ndegree = 3\n")
        config = {"XDG_CONFIG_HOME": folder}
        expect(launch("-n", "1", "echo", "x", env=config), out="[0] x\n", err="")
        expect(launch("-n", "1", "echo", "x", env={**config, "LAUNCH_OPT_LABEL": "false"}), out="x\n", err="")
        shown = launch("config", "--format", "json", env={**config, "LAUNCH_OPT_TIMEOUT": "10", "LAUNCH_OPT_LIVENESS": None})
        values = {row["key"]: row for row in json.loads(shown.text)["settings"]}
        for key, value in (("label", {"value": True, "layer": "user file", "file": f"{folder}/launch/config.toml", "line": 1}),
                           ("timeout", {"value": "10s", "layer": "environment"}),
                           ("liveness", {"value": "4s", "layer": "built-in"})):
            if values[key] != {"key": key, **value}:
                fail(f"{key}: {values[key]}, not {value}")
        expect(launch("config", env=config), err="", out_contains=[f"degree = 3                              # {folder}/launch/config.toml:2\n"])
        write(folder, "launch/config.toml", 'degree = 3\n[[program]]\ncommand = "true"\n')
        expect(launch("-n", "1", "true", env=config), code=2, err_contains="programs are for job files")


@test(tier="clock")
def options_show_what_they_lead_to():
    with scratch() as folder:
        env = {"XDG_CONFIG_HOME": folder}

        def shown(*words):
            lines = [line.split("  # ") for line in expect(launch("config", *words, env=env, cwd=folder), err="").lines]
            return {setting.strip(): place for setting, place in lines}

        for setting, place in (('ranks = 4', "-n"), ('hostfile = "hosts"', "-f"), ("topology = (auto; kary where degree is set)", "built-in"),
                               ('stdin = "all"', "--stdin")):
            if shown("-n", "4", "-f", "hosts", "--stdin=all").get(setting) != place:
                fail(f"{setting}: {shown('-n', '4')}")
        if "ranks = (one for each slot)" not in shown() or "(not set)" in str(shown()) or "()" in str(shown()):
            fail(str(shown()))
        write(folder, "job.toml", 'label = true\ncommand = "true"\n')
        if shown("job.toml", "--timeout", "1m")["label = true"] != "job.toml:1":
            fail(str(shown("job.toml")))
        for words, wrong in ((["--timout"], "unknown option --timout; did you mean --timeout? (see launch help config)"),
                             (["x"], "only options and a job file may stand here, not x (see launch help config)"),
                             (["-n", "2", ":"], "only options and a job file may stand here, not : (see launch help config)"),
                             (["zzz.toml"], "there is no job file zzz.toml (see launch help job-files)"),
                             (["-n"], "-n needs a value: N (see launch help config)"),
                             (["--dry-run"], "the option --dry-run does not go with this command (see launch help config)"),
                             (["-genvall", "-genvnone"], "-genvall and -genvnone exclude one another (see launch help config)"),
                             (["-x", "=1"], "-x =1: the name is empty (see launch help config)"),
                             (["--hosts", "n["], 'read the host list: "n[": a bracket is not closed'),
                             (["--hosts", "a", "-f", "b"], "--hosts and -f both name hosts, give one of them (see launch help config)"),
                             (["--exclude", "n["], 'read the host list: "n[": a bracket is not closed'),
                             (["--routing", "flat", "--links", "ssh"],
                              "--routing flat needs direct links: not with --links ssh (see launch help config)"),
                             (["--init", "nonsense"], "--init stands alone, it does not go with nonsense (see launch help config)"),
                             (["-n", "3", "--init"], "--init stands alone, it does not go with -n (see launch help config)"),
                             (["--dry-run", "--init"], "the option --dry-run does not go with this command (see launch help config)"),
                             (["--schema", "-n", "3"], "--schema stands alone, it does not go with -n (see launch help config)"),
                             (["--version"], "the option --version does not go with this command (see launch help config)"),
                             (["--format", "xml"], "--format xml: not one of text and json (see launch help config)")):
            expect(launch("config", *words), code=2, out="", err=f"launch: {wrong}\n")
        expect(launch("config", "-f", "no-such-file"), err="", out_contains='hostfile = "no-such-file"')  # of a job: no file is read


@test
def a_configuration_that_may_not_be_read_is_left_out():
    with scratch() as folder:
        path = write(folder, "launch/config.toml", "label = true\n")
        os.chmod(path, 0)
        as_nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
        nobody = [*as_nobody, "env", f"XDG_CONFIG_HOME={folder}"]
        note = f"launch: note: read {path}: Permission denied; its settings are left out"
        expect(run([*nobody, LAUNCH, "-n", "1", "echo", "x"], cwd="/"), out="x\n", err_lines=[note])
        expect(run([*nobody, LAUNCH, "config"], cwd="/"), out_contains="label = false ", err_lines=[note])
        expect(run([*nobody, LAUNCH, "-q", "-n", "1", "echo", "x"], cwd="/"), out="x\n", err="")
        expect(run([*nobody, LAUNCH, "--job", path], cwd="/"), code=2, out="", err_contains=f"read {path}: Permission denied")


@test
def the_sites_file_comes_before_the_users():
    with scratch() as folder:
        site = write(folder, "etc/launch/config.toml", "label = true\ndegree = 3\n")
        write(folder, "launch/config.toml", "degree = 4\n")
        with_site = ["unshare", "-m", "sh", "-c", 'mount -t overlay overlay -o "lowerdir=$0:/etc" /etc && exec "$@"', f"{folder}/etc"]
        if run([*with_site, "true"]).code:
            raise Skip("/etc cannot be replaced here for one command")
        env = {**os.environ, "XDG_CONFIG_HOME": folder}
        expect(run([*with_site, LAUNCH, "-n", "1", "echo", "x"], env=env), out="[0] x\n", err="")
        expect(run([*with_site, LAUNCH, "--no-label", "-n", "1", "echo", "x"], env=env), out="x\n", err="")
        expect(run([*with_site, LAUNCH, "config"], env=env), err="", out_contains=[
            re.compile("^label = true .*/etc/launch/config.toml:1$", re.M),
            re.compile(f"^degree = 4 .*{re.escape(folder)}/launch/config.toml:1$", re.M)])
        write(folder, "etc/launch/config.toml", "lable = true\n")
        expect(run([*with_site, LAUNCH, "-n", "1", "true"], env=env), code=2, out="", err_contains="/etc/launch/config.toml:1:1: ")
        os.unlink(site)
        expect(run([*with_site, LAUNCH, "-n", "1", "echo", "x"], env=env), out="x\n", err="")


@test
def the_commented_file_says_nothing_until_a_line_is_taken_in():
    with scratch() as folder:
        made = launch("config", "--init")
        expect(made, err="", out_contains=["\n# label = false\n", '\n# liveness = "4s"\n'])
        write(folder, "launch/config.toml", made.text.replace("# label = false", "label = true"))
        expect(launch("-n", "1", "echo", "x", env={"XDG_CONFIG_HOME": folder}), out="[0] x\n", err="")


@test
def the_example_that_ships_runs():
    expect(launch(os.path.join(SOURCE_DIR, "cmd/jobfile/example.toml")), out_contains="rank 0 of 4", err="")


@test
def options_of_other_launchers_are_understood():
    with scratch() as folder:
        lines = write(folder, "lines", "# two programs\n-n 2 sh -c 'echo $LAUNCH_RANK a b'\n\n-n 1 echo \"c  d\"\n")
        for words in (["-configfile", lines], [f"-configfile={lines}"]):
            expect(launch(*words), out_lines=["0 a b", "1 a b", "c  d"], err="")
        write(folder, "lines", "-n 1 \\\n echo a : b\n-n 1 echo c\n")
        expect(launch("-configfile", lines), out_lines=["a : b", "c"], err="")
        expect(launch("-configfile", os.path.join(folder, "none")), code=2, out="", err_contains="No such file")
        write(folder, "lines", "-n 1 echo 'a\n")
        expect(launch("-configfile", lines), code=2, out="", err_contains=f"{lines}:1: a quote is not closed")
    expect(launch("-n", "1", "echo", "-configfile", "x"), out="-configfile x\n", err="")
    expect(launch("--mca", "btl", "self,vader", "-n", "1", "printenv", "OMPI_MCA_btl"), out="self,vader\n",
           err_lines=1, err_contains="OMPI_MCA_btl=self,vader")
    for name in ("-print-rank-map", "--display-map"):
        expect(launch(*PLAY, name, "-hosts", "a:2,b", "echo", "x"), out="x\n" * 3, err_contains=["a (ranks 0-1)", "b (rank 2)"])


@test
def subcommands_are_the_first_word_alone():
    with scratch() as folder:
        program = write(folder, "simulate", "#!/bin/sh\necho ran $0\n")
        os.chmod(program, 0o755)
        path = {"PATH": f"{folder}:{os.environ['PATH']}"}
        expect(launch("simulate", env=path), code=2, out="", err_lines=1, err_contains="simulate")
        for words in (["./simulate"], ["-n", "1", "simulate"], ["--", "simulate"], ["run", "-n", "1", "simulate"]):
            expect(launch(*(["-n", "1"] if words == ["./simulate"] else []), *words, cwd=folder, env=path), out_contains="simulate\n", err="")
        os.symlink(LAUNCH, os.path.join(folder, "mpiexec"))
        expect(run([os.path.join(folder, "mpiexec"), "simulate"], env=path), out_contains=f"ran {program}\n")
        expect(launch("version"), out=launch("--version").text)
        expect(launch("help"), out=launch("--help").text)


if __name__ == "__main__":
    main()

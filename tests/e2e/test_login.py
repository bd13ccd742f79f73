#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How a login is made, or is refused: the user's ssh config, keys and agent, known_hosts, and login shells of every kind."""
import contextlib
import os
import re
import shutil

from harness import *

TRANSPORTS = ["ssh", "openssh"]


@contextlib.contextmanager
def in_ssh_folder(cluster, host=None, **files):
    """These files in ~/.ssh there, or of the head: what they hold, or None where they are not to be. Undone after."""
    folder = os.path.join(cluster.home_of(host) if host else cluster.home, ".ssh")
    saved = {}
    for name, text in files.items():
        path = os.path.join(folder, name)
        saved[path] = None
        with contextlib.suppress(FileNotFoundError), open(path) as file:
            saved[path] = file.read()
        put(path, text)
    try:
        yield folder
    finally:
        for path, text in saved.items():
            put(path, text)


def put(path, text):
    """Keys may be read by nobody else."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    if text is not None:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(text)


def new_key(folder, name, *words):
    """Of the head, as ~/.ssh/NAME; its public half."""
    path = os.path.join(folder, name)
    for old in (path, path + ".pub"):
        put(old, None)
    expect(run(["ssh-keygen", "-q", "-N", "", "-t", "ed25519", "-C", name, *words, "-f", path]))
    with open(path + ".pub") as file:
        return file.read()


def lock(folder, name, *words):
    expect(run(["ssh-keygen", "-q", "-p", "-P", "", "-N", "a passphrase", *words, "-f", os.path.join(folder, name)]))


def with_agent(path):
    """Words before a command of the head, which has no agent of its own accord."""
    return ["env", f"SSH_AUTH_SOCK={path}"] if path else []


@contextlib.contextmanager
def agent(cluster, *names):
    """One that has these of the head's keys, added before they are locked."""
    path = os.path.join(cluster.home, ".ssh/agent")
    job = Job(["ssh-agent", "-D", "-a", path])
    try:
        eventually(lambda: os.path.exists(path), 5, "the agent")
        for name in names:
            expect(run([*with_agent(path), "ssh-add", "-q", os.path.join(cluster.home, ".ssh", name)]))
        yield path
    finally:
        job.kill()
        job.wait()
        put(path, None)


@contextlib.contextmanager
def own_keys(cluster, host):
    """The head's usual key is away, and what is in ~/.ssh below `with` is gone after. Gives the folder and a function by
    which a host takes keys."""
    there = os.path.join(cluster.home_of(host), ".ssh/authorized_keys")
    with in_ssh_folder(cluster, host, authorized_keys=""), in_ssh_folder(cluster, id_ed25519=None, **{"id_ed25519.pub": None}) as folder:
        before = set(os.listdir(folder))
        try:
            yield folder, lambda *keys: put(there, "".join(keys))
        finally:
            for name in set(os.listdir(folder)) - before:
                os.unlink(os.path.join(folder, name))


FORMATS = {"PEM": ["-t", "rsa", "-b", "2048", "-m", "PEM"], "PKCS8": ["-t", "rsa", "-b", "2048", "-m", "PKCS8"],
           "OpenSSH": ["-t", "ed25519"]}
USUAL = "IdentityFile ~/.ssh/locked\nIdentityFile ~/.ssh/right\nLogLevel ERROR\n"
READ_ALL = ["sh", "-c", "echo ready; cat"]


@needs_cluster(4, timeout=120)
def an_encrypted_key_is_never_asked_for(cluster):
    """Neither at the terminal, nor on the job's standard input: the next key will do."""
    host = cluster.hosts[1]
    with own_keys(cluster, host) as (folder, authorize), in_ssh_folder(cluster, config=USUAL):
        authorize(new_key(folder, "right"))
        for form, words in FORMATS.items():
            new_key(folder, "locked", *words)
            lock(folder, "locked", *words[4:])
            for transport in TRANSPORTS:
                print("   ", form, transport)
                words_of_job = ["--transport", transport, "-hosts", host, *READ_ALL]
                expect(launch(*words_of_job, stdin="one\ntwo\n"), out_lines=["ready", "one", "two"], err="")
                job = Job([LAUNCH, *words_of_job], pty=True)
                job.until("ready")
                job.write("from the terminal\n\x04")
                expect(job.wait(10), out_contains="from the terminal")
                if re.search("(?i)pass", job.result().text):
                    fail(job.result().text)


@needs_cluster(4, timeout=120)
def a_refused_login_names_the_user_and_the_keys(cluster):
    host = cluster.hosts[1]
    start = f"launch: {host}: authenticate: permission denied for "
    none = "; the server accepts publickey ("
    rows = [
        # the keys that are there, those of the agent (none: no agent), the config, the words
        ([], None, "", f"root; there is no key to try, and no ssh agent answers{none}ssh-copy-id HOST, or load your key with ssh-add)"),
        ([], [], "User me\n", f"me; there is no key to try, and the agent has none{none}ssh-copy-id HOST, or load your key with ssh-add)"),
        (["id_rsa"], None, "", f"root; tried ~/.ssh/id_rsa{none}ssh-copy-id HOST, or load your key with ssh-add)"),
        (["id_ed25519 locked"], None, "",
         f"root; ~/.ssh/id_ed25519 is encrypted, and no agent has the key{none}eval $(ssh-agent); ssh-add ~/.ssh/id_ed25519)"),
        (["id_ed25519 locked", "id_rsa"], ["other"], "",
         f"root; tried the agent's other and ~/.ssh/id_rsa; ~/.ssh/id_ed25519 is encrypted, and no agent has the key{none}"
         "ssh-add ~/.ssh/id_ed25519, or ssh-copy-id HOST)"),
        (["id_ed25519 locked"], ["id_ed25519", "other"], "IdentitiesOnly yes\n",
         f"root; tried the agent's id_ed25519{none}ssh-copy-id HOST, or load your key with ssh-add)"),
        (["mine locked", "id_rsa"], ["other", "mine"], "IdentityFile ~/.ssh/mine\n",
         f"root; tried the agent's mine and the agent's other{none}ssh-copy-id HOST, or load your key with ssh-add)"),
    ]
    for keys, of_agent, config, words in rows:
        with own_keys(cluster, host) as (folder, _), in_ssh_folder(cluster, config=config + "LogLevel ERROR\n"), \
                contextlib.ExitStack() as stack:
            names = [entry.split()[0] for entry in keys]
            for name in {*names, *(of_agent or [])}:
                new_key(folder, name)
            path = None if of_agent is None else stack.enter_context(agent(cluster, *of_agent))
            for entry in keys:
                if entry.endswith(" locked"):
                    lock(folder, entry.split()[0])
            for transport in TRANSPORTS:
                result = run([*with_agent(path), LAUNCH, "--transport", transport, "-hosts", host, "true"])
                print("   ", transport, result.err_text.strip())
                expect(result, code=69, err_lines=[start + words])


@needs_cluster(4, timeout=120)
def a_proxy_that_fails_is_blamed_instead_of_the_host(cluster):
    jump, host = cluster.hosts[:2]
    rows = [
        ("ProxyJump nojump", "resolve: the jump host nojump: "),
        (f"ProxyJump {jump}:2299", f"connect: the jump host {jump}: connection to port 2299 refused"),
        (f"ProxyJump nobody@{jump}", f"authenticate: the jump host {jump}: permission denied for nobody; "),
        (f"ProxyJump {jump}", f"connect: the jump host {jump} does not forward connections: administratively prohibited"),
        ("ProxyCommand nosuchcommand %h %p", "connect: the connection through its ProxyCommand ended: "),
        ("ProxyCommand /etc/passwd", "connect: the connection through its ProxyCommand ended: "),
    ]
    cluster.sshd(jump, "AllowTcpForwarding no")
    try:
        for proxy, words in rows:
            with in_ssh_folder(cluster, config=f"Host {host}\n  {proxy}\n"):
                expect(launch("-hosts", host, "true"), code=69, err_lines=1, err_contains=f"launch: {host}: {words}")
    finally:
        cluster.sshd(jump)


@needs_cluster(4, timeout=120)
def a_relay_is_named_with_the_hosts_that_it_cannot_start(cluster):
    """It lacks the keys of the head, or does not know a name that is in the ssh config of the head alone."""
    first = cluster.hosts[0]
    with in_ssh_folder(cluster, first, id_ed25519=None, **{"id_ed25519.pub": None}):
        for transport in TRANSPORTS:
            expect(launch("--transport", transport, "-hosts", cluster.fold(4), "-k", "1", "true"), code=69, err_lines=1,
                   err_contains=[f"launch: {cluster.fold(3, 1)}, from {first}: authenticate: ", "root", "publickey", "--forward-agent", "--topology flat"])
            expect(launch("--transport", transport, "-hosts", cluster.fold(4), "--topology", "flat", "true"), err="")
    with in_ssh_folder(cluster, config=f"Host only-here\n  HostName {cluster.hosts[1]}\n"):
        for transport in TRANSPORTS:
            words = ["--transport", transport, "-hosts", f"{first},only-here"]
            expect(launch(*words, "-k", "1", "true"), code=69, err_lines=1,
                   err_contains=[f"launch: only-here, from {first}: resolve: ", "--topology flat"])
            expect(launch(*words, "--topology", "flat", "true"), err="")


@needs_cluster(4, tier="gate")
def hosts_that_refuse_the_same_keys_are_one_line(cluster):
    hosts = cluster.hosts[:3]
    with own_keys(cluster, hosts[0]), own_keys(cluster, hosts[1]), own_keys(cluster, hosts[2]) as (folder, _):
        new_key(folder, "id_ed25519")
        for transport in TRANSPORTS:
            expect(launch("--transport", transport, "-hosts", cluster.fold(3), "-k", "4", "true"), code=69, err_lines=1,
                   err_contains=f"launch: {cluster.fold(3)}: authenticate: permission denied for root; tried ~/.ssh/id_ed25519;")


@needs_cluster(4, timeout=90, tier="gate")
def keys_are_tried_in_opensshs_order(cluster):
    """A server that takes few tries tells the order: only the first two keys are seen."""
    host = cluster.hosts[1]
    cluster.sshd(host, "MaxAuthTries 2")
    names = ["wrong1", "wrong2", "wrong3", "right"]
    files = "".join(f"IdentityFile ~/.ssh/{name}\n" for name in names)
    rows = [
        # what the agent has, the config, whether it works
        (["right"], files, True),                                              # before all files
        (names, "IdentityFile ~/.ssh/right\n", True),                          # what the config names comes first
        (names, "IdentityFile ~/.ssh/right.pub\nIdentitiesOnly yes\n", True),  # also by its public half
        (["wrong1", "wrong2", "wrong3"], "IdentityFile ~/.ssh/right\nIdentitiesOnly yes\n", True),  # nothing but this
        (["wrong1", "wrong2", "wrong3"], "IdentityFile ~/.ssh/right\n", False),
        (names, "", False),
    ]
    try:
        for of_agent, config, works in rows:
            with own_keys(cluster, host) as (folder, authorize), in_ssh_folder(cluster, config=config + "LogLevel ERROR\n"):
                keys = [new_key(folder, name) for name in names]
                authorize(keys[-1])
                with agent(cluster, *of_agent) as path:
                    for transport in TRANSPORTS:
                        result = run([*with_agent(path), LAUNCH, "--transport", transport, "-hosts", host, "hostname"])
                        print("   ", transport, result.text.strip(), result.err_text.strip())
                        if works:
                            expect(result, out_lines=[host], err="")
                        else:
                            expect(result, code=69, err_lines=1, err_contains=[
                                f"launch: {host}: authenticate: too many keys were tried for root: the agent's wrong1, the agent's wrong2, ",
                                "IdentitiesOnly"])
    finally:
        cluster.sshd(host)


@needs_cluster(4, timeout=90)
def an_encrypted_key_that_the_agent_has_opens_hosts(cluster):
    """In every format, with and without IdentitiesOnly; and nobody is asked whether a key may go to the agent."""
    host = cluster.hosts[1]
    for form, words in FORMATS.items():
        for config in ("", "IdentitiesOnly yes\n", "AddKeysToAgent ask\nIdentityFile ~/.ssh/second\n"):
            with own_keys(cluster, host) as (folder, authorize):
                with in_ssh_folder(cluster, config="IdentityFile ~/.ssh/mine\n" + config + "LogLevel ERROR\n"):
                    mine, second = new_key(folder, "mine", *words), new_key(folder, "second")
                    ask = "second" in config
                    authorize(second if ask else mine)
                    with agent(cluster, *([] if ask else ["mine"])) as path:
                        lock(folder, "mine", *words[4:])
                        for transport in TRANSPORTS:
                            job = Job([*with_agent(path), LAUNCH, "--transport", transport, "-hosts", host, "hostname"], pty=True)
                            result = expect(job.wait(15), out_contains=host)
                            if "gent" in result.text:
                                fail(result.text)


@needs_cluster(4, timeout=90, tier="clock")
def an_agent_that_hangs_costs_no_more_than_the_start(cluster):
    host = cluster.hosts[1]
    path = os.path.join(cluster.home, ".ssh/agent")
    script = f"import socket, time; s = socket.socket(socket.AF_UNIX); s.bind({path!r}); s.listen(); print('ready', flush=True); time.sleep(60)"
    job = Job(["python3", "-c", script])
    job.until("ready")
    try:
        for transport in TRANSPORTS:
            result = run([*with_agent(path), LAUNCH, "--transport", transport, "--start-timeout", "3", "-hosts", host, "true"])
            print("   ", transport, result.err_text.strip())
            if transport == "ssh":  # which asks it for two seconds, then goes on with the keys in files
                expect(result, err="", within=6)
            else:
                expect(result, code=69, err_lines=1, within=6, err_contains=[f"launch: {host}: ", "no answer within 3 s"])
    finally:
        job.kill()
        job.wait()
        put(path, None)


@needs_cluster(4)
def another_ssh_config_is_used(cluster):
    """By its name as given, also relative; "none" is no file at all."""
    host = cluster.hosts[1]
    with scratch() as folder:
        with open(os.path.join(folder, "config"), "w") as file:
            file.write(f"Host elsewhere\n  HostName {host}\n")
        for transport in TRANSPORTS:
            for name in (os.path.join(folder, "config"), "config"):
                words = ["--transport", transport, "--ssh-config", name, "-hosts", "elsewhere"]
                expect(launch(*words, "hostname", cwd=folder), out_lines=[host], err="")
            expect(launch("--transport", transport, "--ssh-config", "none", "-hosts", host, "hostname"), out_lines=[host])


@needs_cluster(4)
def an_ssh_config_that_cannot_be_read_starts_nothing(cluster):
    with scratch() as folder:
        os.symlink("nowhere", os.path.join(folder, "dangling"))
        for name, why in (("missing", "No such file or directory"), ("dangling", "No such file or directory"),
                          (folder, "a folder, not a file"), ("a b", "No such file or directory")):
            for more in (["-hosts", cluster.hosts[0]], ["--transport", "openssh", "-hosts", cluster.hosts[0]],
                         ["--dry-run", "-hosts", cluster.hosts[0]]):
                shown = f'"{name}"' if " " in name else name
                expect(launch("--ssh-config", name, *more, "hostname", cwd=folder), code=2, out="", err_lines=[
                    f"launch: --ssh-config {shown}: {why} (see launch --help)"])


@needs_cluster(4)
def a_relay_without_that_ssh_config_uses_its_own_users(cluster):
    """The head's file is nowhere else, and makes this name of the first host."""
    first, second = cluster.hosts[:2]
    with in_ssh_folder(cluster, only_here=f"Host alias\n  HostName {first}\n"):
        with in_ssh_folder(cluster, first, config=f"Host other\n  HostName {second}\nHost *\n  LogLevel ERROR\n"):
            for transport in TRANSPORTS:
                words = ["--transport", transport, "--ssh-config", "/root/.ssh/only_here", "-k", "1"]
                command = f'cd / && exec "{LAUNCH}" {" ".join(words)} -hosts alias,other hostname'
                expect(run(["sh", "-c", command]), out_lines=[first, second], err="")


def text_of(path):
    with open(path) as file:
        return file.read()


def mode_of(path):
    return oct(os.stat(path).st_mode & 0o7777)


ACCEPT = ["--accept-new-host-keys"]
# After what a test says itself; this machine's own config may say otherwise.
UNHASHED = "HashKnownHosts no\nGlobalKnownHostsFile none\nLogLevel ERROR\n"


@needs_cluster(4, timeout=120)
def accepted_keys_are_recorded_as_ssh_does(cluster):
    """Compared with what ssh itself makes of the same file, by the same config and umask."""
    host, strange = cluster.hosts[1:3]
    cluster.sshd(strange, "Port 2222")
    other = "other ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    rows = [
        # the file before (None: no file), the config, the host, the umask
        (None, "", host, "022"),
        (None, "", host, "077"),
        (None, "", host, "000"),
        (other + "\n", "", host, "022"),
        (other, "", host, "022"),  # without its last line's end, which older versions of ssh do not add
        (other + "\n", "Port 2222\n", strange, "022"),
        (other + "\n", "HostKeyAlias Alias\nPort 2222\n", strange, "022"),
        (other + "\n", "HashKnownHosts yes\n", host, "022"),
        (other + "\n", "UserKnownHostsFile ~/.ssh/mine ~/.ssh/known_hosts\n", host, "022"),
        (other + "\n", "StrictHostKeyChecking accept-new\n", host, "022"),
        (other + "\n", "StrictHostKeyChecking no\n", host, "022"),
        (other + "\n", "UserKnownHostsFile /dev/null\n", host, "022"),
    ]
    try:
        for before, config, name, umask in rows:
            print("   ", repr(before)[-8:], repr(config), name, umask)
            own = "StrictHostKeyChecking" not in config
            with in_ssh_folder(cluster, config=config + UNHASHED, mine=None) as folder:
                def made_by(known, *words):
                    """Text and mode of the two files."""
                    with in_ssh_folder(cluster, known_hosts=known, mine=None):
                        run_there = ["sh", "-c", f'umask {umask}; exec "$@"', "sh", *words]
                        expect(run(run_there), out_lines=[name], err="")
                        if "/dev/null" not in config:
                            bare = [word for word in run_there if word not in ACCEPT and not word.startswith("-oStrict")]
                            expect(run(bare), out_lines=[name], err="")
                        paths = [os.path.join(folder, known) for known in ("known_hosts", "mine")]
                        return [(text_of(path), mode_of(path)) for path in paths if os.path.exists(path)]

                ended = before and before.rstrip("\n") + "\n"
                expected = made_by(ended, "ssh", *(["-oStrictHostKeyChecking=accept-new"] if own else []), name, "hostname")
                for transport in TRANSPORTS:
                    made = made_by(before, LAUNCH, "--transport", transport, *(ACCEPT if own else []), "-hosts", name, "hostname")
                    if "Hash" in config:
                        made, expected = ([(re.sub(r"\|1\|\S{28}\|\S{28} ", "hidden ", text), mode) for text, mode in each]
                                          for each in (made, expected))
                        if "hidden" not in made[0][0]:
                            fail(str(made))
                    if made != expected:
                        fail(f"{transport}: {made}\nssh: {expected}")
    finally:
        cluster.sshd(strange)


@needs_cluster(4)
def the_folder_of_known_hosts_is_made_as_ssh_does(cluster):
    host = cluster.hosts[1]
    folder, away = os.path.join(cluster.home, ".ssh"), os.path.join(cluster.home, "away")
    words = ["/root/away/config", "-hosts", host, "hostname"]
    os.rename(folder, away)
    put(os.path.join(away, "config"), "IdentityFile /root/away/id_ed25519\nGlobalKnownHostsFile none\nLogLevel ERROR\n")
    try:
        for transport in TRANSPORTS:
            expect(launch("--transport", transport, *ACCEPT, "--ssh-config", *words), out_lines=[host], err="")
            made = [mode_of(folder), sorted(os.listdir(folder)), text_of(os.path.join(folder, "known_hosts")).split()[0]]
            if made != ["0o700", ["known_hosts"], host]:
                fail(str(made))
            shutil.rmtree(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(away, folder)
        cluster.reset()


@needs_cluster(20, timeout=120)
def many_at_once_leave_a_whole_known_hosts(cluster):
    """Both transports, several launches, many hosts of each: no line is torn, or there twice."""
    hosts = cluster.hosts[:20]
    for config in ("", "HashKnownHosts yes\n"):
        with in_ssh_folder(cluster, known_hosts=None, config=config + UNHASHED) as folder:
            jobs = [Job([LAUNCH, "--transport", transport, *ACCEPT, "-k", "64", "-hosts", cluster.fold(20), "true"])
                    for transport in TRANSPORTS * 2]
            for job in jobs:
                expect(job.wait(60), err="")
            path = os.path.join(folder, "known_hosts")
            lines = text_of(path).splitlines()
            name = r"\|1\|\S{28}\|\S{28}" if config else r"\S+"
            if len(lines) != 20 or not all(re.fullmatch(name + " ssh-ed25519 AAAA[A-Za-z0-9+/]+", line) for line in lines):
                fail("\n".join(lines))
            for host in hosts:
                expect(run(["ssh-keygen", "-f", path, "-F", host]), out_contains="ssh-ed25519")


@needs_cluster(4)
def each_node_records_in_the_home_of_its_own_host(cluster):
    first, second = cluster.hosts[:2]
    for transport in TRANSPORTS:
        with in_ssh_folder(cluster, known_hosts=None) as mine, in_ssh_folder(cluster, first, known_hosts=None) as its:
            expect(launch("--transport", transport, *ACCEPT, "-k", "1", "-hosts", f"{first},{second}", "hostname"),
                   out_lines=[first, second], err="")
            for folder, host in ((mine, first), (its, second)):
                names = [line.split()[0] for line in text_of(os.path.join(folder, "known_hosts")).splitlines()]
                if len(names) != 1 or names[0] != host and not names[0].startswith("|1|"):
                    fail(f"{transport} {folder}: {names}")


@needs_cluster(4)
def a_key_that_cannot_be_recorded_is_accepted_all_the_same(cluster):
    host = cluster.hosts[1]
    config = "UserKnownHostsFile /proc/no/such/file\nGlobalKnownHostsFile none\nLogLevel ERROR\n"
    with in_ssh_folder(cluster, config=config):
        for transport in TRANSPORTS:
            expect(launch("--transport", transport, *ACCEPT, "-hosts", host, "hostname"), out_lines=[host], err="")
        expect(launch("-v", *ACCEPT, "-hosts", host, "hostname"), out_lines=[host], err_contains=[
            f"launch: {host}: accepted its unknown host key SHA256:",
            "but could not record it: /proc/no/such/file: No such file or directory"])
        expect(launch("-v", "--transport", "openssh", *ACCEPT, "-hosts", host, "hostname"), out_lines=[host], err_contains=[
            f"launch: {host}: accepted its unknown host key, "
            "but could not record it: /proc/no/such/file: No such file or directory"])


@needs_cluster(4, tier="gate")
def a_changed_key_is_never_accepted(cluster):
    host = cluster.hosts[1]
    path = os.path.join(cluster.home, ".ssh/known_hosts")
    before = text_of(path)
    cluster.rekey(host)
    try:
        for transport in TRANSPORTS:
            expect(launch("--transport", transport, *ACCEPT, "-hosts", host, "hostname"), code=69, err_lines=1,
                   err_contains=[f"launch: {host}: verify the host key: its host key has CHANGED"])
            if text_of(path) != before:
                fail(text_of(path))
    finally:
        cluster.reset()


def says_that_the_shell_ends(cluster, hosts, folded, how):
    end = "; no rank was started" if "," in hosts else ""  # said where others could have been
    for transport in TRANSPORTS:
        for push in ("auto", "always"):
            result = launch("--transport", transport, "--push", push, "-hosts", hosts, "-k", "4", "hostname")
            print("   ", transport, push, result.err_text.strip())
            expect(result, code=69, err_lines=1, err_contains=[f"launch: {folded}: start launch there: ", f"exit code {how} (", "nologin", "ssh HOST true", end])
        result = launch("--transport", transport, "--push", "never", "-hosts", hosts, "-k", "4", "hostname")
        expect(result, code=69, err_lines=1, err_contains=[f"launch: {folded}: start launch there: ", f"exit code {how} (", f"ssh HOST {LAUNCH} --version", end])


@needs_cluster(4, timeout=120)
def a_login_shell_that_exits_is_told_as_such(cluster):
    host, other = cluster.hosts[2:4]
    for shell, how in (("/bin/false", "1"), ("/usr/sbin/nologin", '1; it printed "This account is currently not available."')):
        with shell_of_root(cluster, host, shell), shell_of_root(cluster, other, shell):
            says_that_the_shell_ends(cluster, f"{cluster.hosts[0]},{host},{other}", cluster.fold(2, 2), how)
    for does, how in (("exit 0", "0"), ("echo Away until Monday; echo no disk >&2; exit 3", '3: no disk; it printed "Away until Monday"')):
        with login_shell(cluster, host, does):
            says_that_the_shell_ends(cluster, host, host, how)
    with login_shell(cluster, host, "exit 255"):  # ssh's own word for a failure of its own
        expect(launch("--transport", "openssh", "-hosts", host, "hostname"), code=69, err_lines=1,
               err_contains=[f"launch: {host}: start: ssh ", "exit code 255", "ssh HOST true"])


# Debian's csh is installed as bsd-csh.
SHELLS = ["dash", "bash", "zsh", "bsd-csh", "tcsh", "fish"]
# What means something to one of them; csh cannot have a line break in a word.
STRANGE = "it's $HOME `a` !1 {b,c} *[d]? ~ \\ \"e\" %=;&|<>#()^"


PHASES = tuple(f"launch: {phase}: " for phase in ("hosts", "tree", "up", "end"))  # what -v tells of a job that goes well


@needs_cluster(4, timeout=180)
def every_login_shell_starts_launch(cluster):
    """Where it is, where it is at a strange path, and where it is not."""
    for shell in SHELLS:
        if not shutil.which(shell):
            raise Skip(f"{shell} is not installed")
    host = cluster.hosts[1]
    here, there = (os.path.join(home, STRANGE) for home in (cluster.home, cluster.home_of(host)))
    os.mkdir(here)
    shutil.copy(LAUNCH, os.path.join(here, "launch"))
    path = os.path.join("/root", STRANGE, "launch")
    try:
        for shell in SHELLS:
            with shell_of_root(cluster, host, shutil.which(shell)):
                for transport in TRANSPORTS:
                    print("   ", shell, transport)

                    def answers(program, push, sent):
                        result = run([program, "-v", "--transport", transport, "--push", push, "-hosts", host, "sh", "-c", 'echo "$0"', STRANGE])
                        expect(result, out_lines=[STRANGE])
                        told = [line for line in result.err_lines if not line.startswith(PHASES)]
                        if len(told) != sent or sent and "launch was sent" not in told[0]:
                            fail(str(result))

                    for push, sent in (("auto", False), ("never", False), ("always", True)):
                        answers(LAUNCH, push, sent)
                    answers(path, "auto", True)
                    os.mkdir(there)
                    shutil.copy(LAUNCH, os.path.join(there, "launch"))
                    answers(path, "auto", False)
                    answers(path, "never", False)
                    shutil.rmtree(there)
    finally:
        shutil.rmtree(here)
        shutil.rmtree(there, ignore_errors=True)


if __name__ == "__main__":
    main()

"""What the end-to-end scripts share: running the real executable, judging it, and proving that it left nothing.

    from harness import *

    @test
    def hosts_answer_with_their_names():
        expect(launch("-n", "2", "true"))

    @needs_cluster(4)
    def ranks_run_on_four_hosts(cluster):
        expect(launch("-hosts", cluster.fold(4), "hostname"), out_lines=sorted(cluster.hosts[:4]))

    main()

A test fails on an exception. After each one the harness looks for processes, files and cgroups that it left, here and
on every host. Environment, set by ctest: LAUNCH (the executable), HELPERS (helper programs), SOURCE_DIR (checkout).
"""

import contextlib
import ctypes
import difflib
import errno
import fcntl
import functools
import inspect
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import traceback

SOURCE_DIR = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LAUNCH = os.environ.get("LAUNCH") or os.path.join(SOURCE_DIR, "launch")
HELPERS = os.environ.get("HELPERS") or os.path.join(SOURCE_DIR, "build/dev/tests")
CLUSTER = os.path.join(SOURCE_DIR, "tests/cluster/cluster")
# In the environment of all that a test starts: tells ours from what others run on this machine.
MARK = f"LAUNCH_TEST_ID={os.getpid()}"
os.environ["LAUNCH_TEST_ID"] = str(os.getpid())
# Orphans become our children, so that whatever a test started on this machine is found, marked or not.
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER

__all__ = ["test", "needs_cluster", "main", "run", "launch", "Job", "expect", "fail", "Failed", "Skip", "cluster", "eventually",
           "helper", "scratch", "LAUNCH", "HELPERS", "SOURCE_DIR", "leftovers", "proc", "descendants_of",
           "launch_pids", "login_shell", "write_other_build", "sshd_sessions", "running_job", "wait_ready", "of_the_job", "nothing_left"]


class Failed(AssertionError):
    pass


class Skip(Exception):
    pass


class TimedOut(Failed):
    pass


def fail(message):
    raise Failed(message)


def helper(name):
    return os.path.join(HELPERS, name)


@contextlib.contextmanager
def scratch():
    """A directory for the test's own files, seen by the hosts too (it is below the build or the checkout)."""
    base = HELPERS if os.path.isdir(HELPERS) else SOURCE_DIR
    path = tempfile.mkdtemp(prefix="e2e-", dir=base)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


# --- running


class Result:
    def __init__(self, argv, code, out, err, wall, cpu=None):
        self.argv, self.code, self.out, self.err, self.wall, self.cpu = argv, code, out, err, wall, cpu

    @property
    def text(self):
        return self.out.decode(errors="replace")

    @property
    def err_text(self):
        return self.err.decode(errors="replace")

    @property
    def lines(self):
        return self.text.splitlines()

    @property
    def err_lines(self):
        return self.err_text.splitlines()

    def __str__(self):
        parts = [f"$ {' '.join(map(str, self.argv))}", f"code {self.code}, {self.wall:.2f} s"]
        for name, text in (("stdout", self.text), ("stderr", self.err_text)):
            if text:
                parts.append(f"--- {name}\n{text if len(text) < 4000 else text[:2000] + ' [...] ' + text[-2000:]}")
        return "\n".join(parts)


jobs = []  # started by the current test
active = None  # the cluster in use


class Job:
    """A program in the background. Reading is incremental: out and err hold what came so far.

    pty=True: its streams are a terminal (its controlling one), as a user has; then all output is in out. `fresh` bytes
    are those that no until() has consumed.
    """

    def __init__(self, argv, stdin=None, env=None, cwd=None, on_head=None, host=None, pty=False, stdout=None,
                 new_session=True):
        self.argv = [str(word) for word in argv]
        self.out, self.err, self.seen = bytearray(), bytearray(), 0
        self.code = None
        on_head = bool(active) if on_head is None else on_head
        command = self.argv
        if host:
            command = [CLUSTER, "exec", host, *command]
        elif on_head:
            command = [CLUSTER, "run", *command]
        environment = {**os.environ, **{key: str(value) for key, value in (env or {}).items() if value is not None}}
        for key, value in (env or {}).items():
            if value is None:
                environment.pop(key, None)
        self.terminal = None
        self.begin = time.monotonic()
        if pty:
            self.terminal, slave = open_terminal()
            self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=cwd,
                                            start_new_session=True, preexec_fn=take_terminal)
            os.close(slave)
            self.streams = {self.terminal: self.out}
        else:
            source = subprocess.PIPE if stdin is None or isinstance(stdin, (bytes, str)) else stdin
            self.process = subprocess.Popen(command, stdin=source, stdout=stdout or subprocess.PIPE,
                                            stderr=subprocess.PIPE, env=environment, cwd=cwd, bufsize=0,
                                            start_new_session=new_session)
            self.streams = {self.process.stderr.fileno(): self.err}
            if self.process.stdout:
                self.streams[self.process.stdout.fileno()] = self.out
        for stream in self.streams:
            os.set_blocking(stream, False)
        jobs.append(self)
        self.pending = b""
        if isinstance(stdin, (bytes, str)):
            self.pending = stdin.encode() if isinstance(stdin, str) else stdin
            os.set_blocking(self.process.stdin.fileno(), False)
            if not self.pending:
                self.close_stdin()
        self.whole_stdin = isinstance(stdin, (bytes, str))

    @property
    def pid(self):
        return self.process.pid

    @property
    def running(self):
        return self.process.poll() is None

    def signal(self, number):
        self.process.send_signal(number)

    def signal_group(self, number):
        os.killpg(self.process.pid, number)

    def kill(self):
        self.signal(signal.SIGKILL)

    def write(self, data):
        data = data.encode() if isinstance(data, str) else data
        if self.terminal is not None:
            os.write(self.terminal, data)
        else:
            self.process.stdin.write(data)

    def close_stdin(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def close_stdout(self):
        """The reader goes away."""
        self.streams.pop(self.process.stdout.fileno(), None)
        self.process.stdout.close()

    def pump(self, seconds):
        """Moves what can be moved; False once all streams ended."""
        writer = [self.process.stdin] if self.pending else []
        if not self.streams and not writer:
            return False
        readable, writable, _ = select.select(list(self.streams), writer, [], max(seconds, 0))
        for stream in readable:
            try:
                data = os.read(stream, 1 << 20)
            except OSError as error:
                if error.errno == errno.EAGAIN:
                    continue
                data = b""  # EIO: the terminal's other side is gone
            if data:
                self.streams[stream] += data
            else:
                del self.streams[stream]
        if writable:
            try:
                self.pending = self.pending[os.write(self.process.stdin.fileno(), self.pending[:1 << 20]):]
            except BrokenPipeError:
                self.pending = b""
            if not self.pending and self.whole_stdin:
                self.close_stdin()
        return True

    def until(self, pattern, timeout=20, stream="out"):
        """Reads until the pattern appears in what was not consumed yet; returns the match."""
        pattern = pattern.encode() if isinstance(pattern, str) else pattern
        deadline = time.monotonic() + timeout
        while True:
            data = self.out if stream == "out" else self.err
            found = re.search(pattern, data[self.seen:] if stream == "out" else data)
            if found:
                if stream == "out":
                    self.seen += found.end()
                return found
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimedOut(f"no {pattern!r} on {stream} within {timeout} s\n{self.result()}\n{processes()}")
            if not self.pump(min(left, 0.2)):
                fail(f"{stream} ended without {pattern!r}\n{self.result()}")

    def result(self):
        return Result(self.argv, self.process.poll(), bytes(self.out), bytes(self.err), time.monotonic() - self.begin)

    def wait(self, timeout=30):
        """Until all streams ended and the program too."""
        if self.process.stdin and not self.pending and not self.whole_stdin and not self.process.stdin.closed:
            self.close_stdin()
        deadline = time.monotonic() + timeout
        while self.pump(min(0.5, deadline - time.monotonic())):
            if time.monotonic() > deadline:
                raise TimedOut(f"still running, or a stream still open, after {timeout} s\n{self.result()}\n{processes()}")
        try:
            self.process.wait(max(deadline - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired:
            raise TimedOut(f"still running after {timeout} s\n{self.result()}\n{processes()}") from None
        return self.result()

    def discard(self):
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()
        if self.terminal is not None:
            os.close(self.terminal)
            self.terminal = None


def open_terminal():
    master, slave = pty.openpty()
    settings = termios.tcgetattr(slave)
    settings[1] &= ~termios.OPOST  # bytes as written: no \r before \n
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    return master, slave


def take_terminal():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def run(argv, stdin=b"", timeout=30, cwd=None, env=None, on_head=None, host=None, **more):
    """Runs to the end. on_head: with the cluster's private home (default: whenever the test has a cluster);
    host: on that host."""
    return Job(argv, stdin=stdin, cwd=cwd, env=env, on_head=on_head, host=host, **more).wait(timeout)


def launch(*words, **options):
    return run([LAUNCH, *words], **options)


def eventually(condition, seconds=10, what="the condition"):
    """Polls; returns the first true value."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise TimedOut(f"{what} did not come true within {seconds} s\n{processes()}")
        time.sleep(0.02)


# --- judging


def expect(result, code=0, out=None, out_lines=None, out_contains=(), err=None, err_lines=None, err_contains=(),
           err_lacks=(), within=None, any_order=True):
    """Compares what is given; all that differs is in one message. code=None: any. out_lines and err_lines ignore the
    order unless any_order=False; err_lines also takes a number."""
    wrong = []

    def same(name, got, wanted):
        if got != wanted:
            diff = difflib.unified_diff([repr(line) for line in wanted], [repr(line) for line in got], "expected", name,
                                        lineterm="", n=2)
            wrong.append("\n".join(list(diff)[:60]))

    def split(text):
        return (text.decode(errors="backslashreplace") if isinstance(text, bytes) else text).splitlines(keepends=True)

    def contains(name, text, wanted):
        for part in [wanted] if isinstance(wanted, str) or hasattr(wanted, "search") else wanted:
            found = part.search(text) if hasattr(part, "search") else part in text
            if not found:
                wrong.append(f"{name} lacks {part!r}")

    def ordered(lines):
        return sorted(lines) if any_order else list(lines)

    if code is not None and result.code not in (code if isinstance(code, (tuple, list, set)) else (code,)):
        wrong.append(f"code is {result.code}, expected {code}")
    for name, got, wanted in (("stdout", result.out, out), ("stderr", result.err, err)):
        if wanted is not None and got != (wanted.encode() if isinstance(wanted, str) else wanted):
            same(name, split(got), split(wanted))
    if out_lines is not None:
        same("stdout", ordered(result.lines), ordered(out_lines))
    if isinstance(err_lines, int):
        if len(result.err_lines) != err_lines:
            wrong.append(f"stderr has {len(result.err_lines)} lines, expected {err_lines}")
    elif err_lines is not None:
        same("stderr", ordered(result.err_lines), ordered(err_lines))
    contains("stdout", result.text, out_contains)
    contains("stderr", result.err_text, err_contains)
    for part in [err_lacks] if isinstance(err_lacks, str) else err_lacks:
        if part in result.err_text:
            wrong.append(f"stderr has {part!r}")
    if within is not None and result.wall > within:
        wrong.append(f"took {result.wall:.2f} s, expected at most {within}")
    if wrong:
        fail("\n".join(wrong) + f"\n{result}")
    return result


# --- the cluster


class Cluster:
    def __init__(self, count):
        done = subprocess.run([CLUSTER, "up", str(count), "--at-least"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode == 77:
            raise Skip(done.stderr.strip())
        if done.returncode:
            fail(f"cluster up: {done.stderr}")
        self.size = count
        self.hosts = self.command("hosts").split()
        self.home = self.command("home").strip()  # the head's: edit .ssh/config, .ssh/known_hosts there
        self.hostfile = self.home[:-len("home")] + "hostfile"
        self.inits = {}
        for host in self.hosts:
            with open(f"{self.home[:-len('home')]}hosts/{host}/pid") as file:
                self.inits[host] = int(file.read())

    @staticmethod
    def command(*words):
        done = subprocess.run([CLUSTER, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            fail(f"cluster {' '.join(words)}: {done.stderr}")
        return done.stdout

    def fold(self, count=None, first=0):
        """The folded names of so many hosts, like node[001-016]."""
        chosen = self.hosts[first:first + (count or self.size)]
        prefix = chosen[0].rstrip("0123456789")
        return f"{prefix}[{chosen[0][len(prefix):]}-{chosen[-1][len(prefix):]}]" if len(chosen) > 1 else chosen[0]

    def home_of(self, host):
        return self.command("home", host).strip()

    def exec(self, host, *words, **options):
        return run(words, host=host, **options)

    def kill(self, host, unplug=False):
        self.command("kill", host, *(["--unplug"] if unplug else []))

    def cut(self, host, unreachable=False):
        self.command("cut", host, *(["--unreachable"] if unreachable else []))

    def heal(self, host):
        self.command("heal", host)

    def sshd(self, host, *options):
        self.command("sshd", host, *options)

    def rekey(self, host):
        self.command("rekey", host)

    def pids(self, *hosts):
        """[(host, pid, command)]: what runs there beyond init and the listening sshd."""
        return [tuple(line.split(" ", 2)) for line in self.command("pids", *hosts).splitlines()]

    def reset(self):
        """All hosts back in their first state: alive, plugged in, usual keys, sshd and .ssh."""
        self.__init__(self.size)


@contextlib.contextmanager
def login_shell(cluster, host, does):
    """What each login there does first."""
    profile = os.path.join(cluster.home_of(host), ".bashrc")
    with open(profile, "w") as file:
        file.write(does + "\n")
    try:
        yield
    finally:
        os.unlink(profile)


def write_other_build(path):
    """An executable that is launch in all but its build id."""
    with open(LAUNCH, "rb") as mine, open(path, "wb") as file:
        data = bytearray(mine.read())
        at = data.find(b"GNU\0", data.find(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0")) + 4
        data[at] ^= 0xff  # the id's first byte
        file.write(data)
    os.chmod(path, 0o755)


# --- a job on it that something happens to


def launch_pids(cluster, host):
    return [int(pid) for name, pid, command in cluster.pids(host) if "--relay" in command]


def sshd_sessions(cluster, host):
    return [int(pid) for name, pid, command in cluster.pids(host) if command.startswith("sshd:")]


def running_job(cluster, hosts, degree, transport="ssh"):
    """Ranks that leave a daemon behind, the hardest to find."""
    program = ["sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000"]
    job = Job([LAUNCH, "--transport", transport, "-hosts", hosts, "-k", str(degree), *program])
    return job


def wait_ready(job, count):
    for _ in range(count):
        job.until("ready")


def of_the_job(cluster, hosts):
    """What runs there, but for sshd's own sessions: they may wait for a client that was cut off."""
    return [entry for entry in cluster.pids(*hosts) if not entry[2].startswith("sshd")]


def nothing_left(cluster, hosts, seconds=5):
    eventually(lambda: not of_the_job(cluster, hosts), seconds, "the hosts to be clean: " + str(of_the_job(cluster, hosts)[:5]))


started_it = False


@contextlib.contextmanager
def cluster(count):
    """At least so many hosts; it stays up for the next script unless LAUNCH_CLUSTER_KEEP=0 and we brought it up."""
    global active, started_it
    before = subprocess.run([CLUSTER, "hosts"], stdout=subprocess.PIPE, text=True).stdout
    outer, active = active, Cluster(count)
    started_it = started_it or not before
    try:
        yield active
    finally:
        active = outer


# --- what is left behind


def proc(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def identity(path):
    try:
        status = os.stat(path)
        return status.st_dev, status.st_ino
    except OSError:
        return None


class Snapshot:
    """What exists before a test, so that only what it added counts."""

    def __init__(self):
        self.processes = {(pid, start_time(pid)) for pid in all_pids()}
        self.files = set(files())
        self.cgroups = set(cgroups())


def all_pids():
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]


def start_time(pid):
    stat = proc(pid, "stat")
    return stat.rsplit(")", 1)[1].split()[19] if stat else ""


def files():
    """In this machine's and the hosts' directories for temporary files. Here only names with `launch` in them count:
    others work here too."""
    for folder in ("/tmp", "/dev/shm"):
        for name in os.listdir(folder):
            if "launch" in name:
                yield f"{folder}/{name}"
        for host, init in (active.inits if active else {}).items():
            with contextlib.suppress(OSError):
                for name in os.listdir(f"/proc/{init}/root{folder}"):
                    yield f"{host}:{folder}/{name}"


def cgroups():
    """Empty ones that launch made here or on the hosts. Others work here too, theirs are in use; and where a process is
    left in one, that is what counts."""
    spaces = ["self", *(active.inits.values() if active else ())]
    names = set()
    for pid in spaces:
        with contextlib.suppress(OSError):
            names.add(f"launch-{os.stat(f'/proc/{pid}/ns/pid').st_ino}-")
    for folder, _, files_in_it in os.walk("/sys/fs/cgroup"):
        if os.path.basename(folder).startswith(tuple(names)) and "cgroup.events" in files_in_it:
            with contextlib.suppress(OSError), open(f"{folder}/cgroup.events") as file:
                if "populated 0" in file.read():
                    yield folder


def stray(before):
    """[(pid, where)] of processes that the test left."""
    here = os.readlink("/proc/self/ns/pid")
    spaces = {}
    for host, init in (active.inits if active else {}).items():
        with contextlib.suppress(OSError):
            spaces[os.readlink(f"/proc/{init}/ns/pid")] = host
    on_hosts = {int(pid) for _, pid, _ in active.pids()} if active else set()
    executable = identity(LAUNCH)
    found = []
    reap_orphans()
    descendants = descendants_of(os.getpid())
    for pid in all_pids():
        if pid == os.getpid() or (pid, start_time(pid)) in before.processes:
            continue
        try:
            space = os.readlink(f"/proc/{pid}/ns/pid")
        except OSError:
            continue
        if space in spaces:
            if pid in on_hosts:
                found.append((pid, spaces[space]))
        elif space == here:
            words = proc(pid, "environ").split("\0")
            ours = MARK in words
            others = not ours and any(word.startswith("LAUNCH_TEST_ID=") for word in words)
            job = any(word.startswith("LAUNCH_JOB_ID=") for word in words)
            ran_launch = executable and identity(f"/proc/{pid}/exe") == executable
            if pid in descendants or not others and (ours or job or ran_launch):
                found.append((pid, "this machine"))
    return found


def parent_of(pid):
    stat = proc(pid, "stat")
    return int(stat.rsplit(")", 1)[1].split()[1]) if stat else 0


def descendants_of(ancestor):
    parents = {pid: parent_of(pid) for pid in all_pids()}
    found, more = set(), {ancestor}
    while more:
        more = {pid for pid, parent in parents.items() if parent in more} - found
        found |= more
    return found


def reap_orphans():
    """Zombies that became ours; what Popen waits for is left to it."""
    known = {job.pid for job in jobs}
    for pid in all_pids():
        if pid not in known and parent_of(pid) == os.getpid():
            with contextlib.suppress(OSError):
                os.waitpid(pid, os.WNOHANG)


def leftovers(before, grace=5.0):
    """Waits for the rest to end; says what is still there, and ends it."""
    deadline = time.monotonic() + grace
    while True:
        strays = stray(before)
        paths = [f"file {path}" for path in sorted(set(files()) - before.files)]
        groups = [f"cgroup {path}" for path in sorted(set(cgroups()) - before.cgroups)]
        if not (strays or paths or groups):
            return []
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    lines = [f"process {pid} on {where}: {describe(pid)}" for pid, where in strays] + paths + groups
    for pid, _ in strays:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    for path in set(files()) - before.files:
        host, _, inside = path.rpartition(":")
        path = f"/proc/{active.inits[host]}/root{inside}" if host else path
        with contextlib.suppress(OSError):
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    return lines


def describe(pid):
    return proc(pid, "cmdline").replace("\0", " ").strip() or proc(pid, "comm").strip() or "?"


def hosts_inits():
    """Ours if this process brought the hosts up: no part of any job."""
    return {child for init in (active.inits.values() if active else ()) for child in {init} | descendants_of(init)}


def processes():
    """The processes that a hang may concern, with what each waits for in the kernel."""
    table = subprocess.run(["ps", "-eo", "pid,ppid,pgid,sid,stat,wchan:24,etimes,args", "--forest"],
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    pids = [int(line.split()[0]) for line in table[1:]]
    mine = {os.getpid()} | {pid for pid in descendants_of(os.getpid()) if pid not in hosts_inits()}
    if active:
        mine |= {int(pid) for _, pid, _ in active.pids()}
    mine |= {pid for pid in pids if MARK in proc(pid, "environ").split("\0")}
    lines = ["--- processes", table[0]] + [line[:200] for line in table[1:] if int(line.split()[0]) in mine][:80]
    for pid in sorted(mine - {os.getpid()})[:40]:
        stack = proc(pid, "stack").strip()
        if stack:
            frames = " < ".join(line.split()[-1].split("+")[0] for line in stack.splitlines()[:6])
            lines.append(f"{pid} in the kernel: {frames}")
    return "\n".join(lines)


# --- the runner

tests = []


def test(function=None, *, timeout=60, hosts=0, grace=5.0):
    """Marks a test; timeout bounds it, grace is how long after it processes may take to end."""
    if function is None:
        return functools.partial(test, timeout=timeout, hosts=hosts, grace=grace)
    tests.append((function, timeout, hosts, grace))
    return function


def needs_cluster(hosts, timeout=60, grace=5.0):
    """Marks a test that runs with at least so many hosts; it is given the cluster if it takes an argument."""
    return functools.partial(test, timeout=timeout, hosts=hosts, grace=grace)


def watchdog(*_):
    raise TimedOut(f"the test hangs\n{processes()}")


def run_one(function, timeout, hosts, grace):
    """None, or why it failed. Skip passes through."""
    reasons = []
    with contextlib.ExitStack() as stack:
        fleet = stack.enter_context(cluster(hosts)) if hosts else None
        before = Snapshot()
        signal.signal(signal.SIGALRM, watchdog)
        signal.setitimer(signal.ITIMER_REAL, timeout)
        try:
            function(*([fleet] if fleet and inspect.signature(function).parameters else []))
        except Skip:
            raise
        except Failed as error:
            where = traceback.extract_tb(error.__traceback__)
            frame = next((f for f in reversed(where) if f.filename != __file__), where[-1])
            reasons.append(f"{os.path.basename(frame.filename)}:{frame.lineno}: {frame.line}\n{error}")
        except Exception:
            reasons.append(traceback.format_exc())
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            unfinished = [job for job in jobs if job.running]
            if unfinished and not reasons:
                reasons.append("still running at the end of the test: " + "; ".join(" ".join(j.argv) for j in unfinished))
            for job in jobs:
                job.discard()
            jobs.clear()
            left = leftovers(before, grace)
            if left:
                reasons.append("left behind:\n  " + "\n  ".join(left[:40]))
    return "\n".join(reasons) or None


def main():
    """Runs the module's tests, or those whose names contain an argument; exits 0, 1, or 77 if nothing failed but some
    could not run."""
    chosen = [entry for entry in tests
              if len(sys.argv) < 2 or any(part in entry[0].__name__ for part in sys.argv[1:])]
    failed, skipped = [], []
    for function, timeout, hosts, grace in chosen:
        begin = time.monotonic()
        try:
            reason = run_one(function, timeout, hosts, grace)
        except Skip as why:
            skipped.append(str(why))
            print(f"skip  {function.__name__}: {why}", flush=True)
            continue
        print(f"{'FAIL' if reason else 'ok  '}  {function.__name__} ({time.monotonic() - begin:.2f} s)", flush=True)
        if reason:
            failed.append(function.__name__)
            print("      " + reason.replace("\n", "\n      "), flush=True)
    if started_it and os.environ.get("LAUNCH_CLUSTER_KEEP") == "0":
        subprocess.run([CLUSTER, "down"], check=True)
    print(f"{len(chosen) - len(failed) - len(skipped)} passed, {len(failed)} failed, {len(skipped)} skipped")
    if failed:
        print("failed: " + " ".join(failed))
        sys.exit(1)
    if skipped or not chosen:
        print(f"SKIP: {skipped[0] if skipped else 'no test of that name'}")
        sys.exit(77)
    sys.exit(0)

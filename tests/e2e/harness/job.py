# SPDX-License-Identifier: MIT
"""Running things: to the end, or in the background."""
import contextlib
import errno
import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time

from harness import current, in_session
from harness.basics import CLUSTER, LAUNCH, TimedOut, fail
from harness.pace import allowed
from harness.processes import processes


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
        on_head = bool(current.cluster) if on_head is None else on_head
        prefix = [CLUSTER, "exec", host] if host else [CLUSTER, "run"] if on_head else []
        environment = {**os.environ, **{key: str(value) for key, value in (env or {}).items() if value is not None}}
        for key, value in (env or {}).items():
            if value is None:
                environment.pop(key, None)
        words, self.stop_session = in_session.begin(self.argv, prefix, environment, cwd)
        command = [*prefix, *words]
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
        current.jobs.append(self)
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
        timeout = allowed(timeout)
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
                raise TimedOut(f"no {pattern!r} on {stream} within {timeout:.1f} s\n{self.result()}\n{processes()}")
            if not self.pump(min(left, 0.2)):
                fail(f"{stream} ended without {pattern!r}\n{self.result()}")

    def result(self):
        return Result(self.argv, self.process.poll(), bytes(self.out), bytes(self.err), time.monotonic() - self.begin)

    def wait(self, timeout=30):
        """Until all streams ended and the program too."""
        if self.process.stdin and not self.pending and not self.whole_stdin and not self.process.stdin.closed:
            self.close_stdin()
        timeout = allowed(timeout)
        deadline = time.monotonic() + timeout
        while self.pump(min(0.5, deadline - time.monotonic())):
            if time.monotonic() > deadline:
                raise TimedOut(f"still running, or a stream still open, after {timeout:.1f} s\n{self.result()}\n{processes()}")
        try:
            self.process.wait(max(deadline - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired:
            raise TimedOut(f"still running after {timeout:.1f} s\n{self.result()}\n{processes()}") from None
        self.close_streams()
        self.end_session()
        return self.result()

    def end_session(self):
        if self.stop_session:
            self.stop_session()
        self.stop_session = None

    def close_streams(self):
        """A run of many jobs may not keep those of all: select() takes no more than 1,024."""
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()

    def discard(self):
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
            self.process.wait()
        self.close_streams()
        self.end_session()
        with contextlib.suppress(ValueError):
            current.jobs.remove(self)  # a long run has many
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
    seconds = allowed(seconds)
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise TimedOut(f"{what} did not come true within {seconds:.1f} s\n{processes()}")
        time.sleep(0.02)

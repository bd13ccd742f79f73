# SPDX-License-Identifier: MIT
"""What the end-to-end scripts share: running the real executable, judging it, and proving that it left nothing.

    from harness import *

    @test
    def hosts_answer_with_their_names():
        expect(launch("-n", "2", "true"))

    @needs_cluster(4)
    def ranks_run_on_four_hosts(cluster):
        expect(launch("-hosts", cluster.fold(4), "hostname"), out_lines=sorted(cluster.hosts[:4]))

    main()

A test fails on an exception. After each one the harness looks for what it left, processes and all that outlives one, here
and on every host; `here` is a place of the script's own (own_place.py). Environment, set by ctest and tests/run: LAUNCH (the
executable), HELPERS (helper programs), SOURCE_DIR (checkout).
"""

from harness.basics import HELPERS, LAUNCH, SOURCE_DIR, Failed, Skip, fail, helper, scratch
from harness.hosts import cluster
from harness.job import Job, eventually, launch, run
from harness.judge import expect
from harness.leftovers import leftovers
from harness.on_hosts import (head_worker, kill_relay, kill_sessions, launch_pids, login_shell, nothing_left, of_the_job, port_taken, running_job,
                              said_beside_stats, shell_of_root, sshd_sessions, stand_still, stats_of, stopped, wait_ready, write_other_build)
from harness.own_place import place
from harness.pace import allowed, sanitized
from harness.processes import descendants_of, peak_kib, private_kib, proc
from harness.runner import main, needs_cluster, test

__all__ = ["test", "needs_cluster", "main", "run", "launch", "Job", "expect", "fail", "Failed", "Skip", "cluster", "eventually",
           "helper", "scratch", "LAUNCH", "HELPERS", "SOURCE_DIR", "leftovers", "proc", "descendants_of", "kill_relay", "kill_sessions", "launch_pids",
           "sshd_sessions", "stopped", "running_job", "wait_ready", "of_the_job", "nothing_left", "port_taken", "stats_of",
           "said_beside_stats", "login_shell", "shell_of_root", "write_other_build", "place",
           "allowed", "sanitized", "peak_kib", "private_kib", "head_worker", "stand_still"]

place.enter()

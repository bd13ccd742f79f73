#!/usr/bin/env python3
"""Builds a sanitizer preset and runs with it what it can judge: unit tests (the fuzzers' corpus is among them) and end-to-end
scripts.

    tests/sanitizers.py asan-ubsan|tsan
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# A hundred thousand nodes run the same code as ten do, for minutes here.
WITHOUT_SCALE = "*-ExchangeScale.*"
# ThreadSanitizer makes fork(2) of vfork(2): what a child tells through shared memory is lost there, so no test of
# programs that cannot be executed is among the end-to-end ones for it.
END_TO_END = {
    "asan-ubsan": {"test_local.py": [], "test_streams.py": [], "test_signals.py": [], "test_remains.py": [],
                   "test_ssh.py": ["every_host", "bytes", "much_output", "kill_of_any", "cut_link"],
                   "test_errors.py": ["refused_key", "changed_key", "all_bad", "look_up"], "test_pmix_service.py": [],
                   "test_pmi.py": ["every_card_of", "rubbish"], "test_routing.py": ["few_links", "lost", "peers_cannot"]},
    "tsan": {"test_local.py": ["first_line", "topology"], "test_streams.py": ["bytes_come", "input_goes", "slow_reader"],
             "test_signals.py": ["interrupt"], "test_ssh.py": ["every_host", "bytes"],
             "test_errors.py": ["refused_port", "all_bad", "look_up"]},
}


def main(preset):
    os.chdir(ROOT)
    build = os.path.join(ROOT, "build", preset)
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:verify_asan_link_order=0", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
           "LAUNCH": os.path.join(build, "launch"),
           "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1:suppressions=" + os.path.join(ROOT, "tests/tsan.supp"),
           "HELPERS": os.path.join(build, "tests"), "SOURCE_DIR": ROOT}

    def build_quietly(*command):
        # Its hundreds of lines would hide what a reader of a failure looks for.
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{done.stdout}\n{' '.join(command)}: exit code {done.returncode}")

    def judge(command, code):
        if code == 77:
            print("  (skipped where it said so)")
        elif code != 0:
            sys.exit(f"{' '.join(command)}: exit code {code}")

    def run(*command):
        print("+", " ".join(command), flush=True)
        judge(command, subprocess.run(command, env=env).returncode)

    def run_together(commands):
        """As many at a time as there are processors. `commands`: (words, what they need in the environment)."""

        def one(command):
            words, more = command
            return subprocess.run(words, env={**env, **more}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for (words, more), done in zip(commands, pool.map(one, commands)):
                print("+", *(f"{name}={value}" for name, value in more.items()), *words, flush=True)
                print(done.stdout, end="", flush=True)
                judge(words, done.returncode)

    build_quietly("cmake", "--preset", preset)
    build_quietly("cmake", "--build", "--preset", preset)
    unit = [os.path.join(build, "tests/unit_tests"), "--gtest_brief=1", "--gtest_filter=" + WITHOUT_SCALE]
    # More parts than processors, as a few tests take most of the time.
    parts = 4 * os.cpu_count()
    run_together([(unit, {"GTEST_TOTAL_SHARDS": str(parts), "GTEST_SHARD_INDEX": str(part)}) for part in range(parts)])
    for script, names in END_TO_END[preset].items():
        run("/usr/bin/python3", os.path.join(ROOT, "tests/e2e", script), *names)


if __name__ == "__main__":
    main(sys.argv[1])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Folders are layers: each includes only those that its README allows."""
import os
import re
import sys

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
ROOMS = ["cmd", "core", "transports", "topologies", "modex"]
MAY_INCLUDE = {
    "core": {"core"},
    "transports": {"core", "transports"},
    "topologies": {"core", "topologies"},
    "modex": {"core", "modex"},
    "cmd": set(ROOMS),
}
# Third-party headers, and the rooms (or files) that may use them.
OWNERS = {
    r"CLI/": lambda path: path == "cmd/read_command.cpp",
    r"toml\+\+/": lambda path: path.startswith("cmd/"),
    r"libssh/": lambda path: path.startswith("transports/ssh/"),
    r"xxhash": lambda path: path == "core/stage/checksum.cpp",
    r"openssl/": lambda path: path.startswith("transports/direct/"),
    r"pmix": lambda path: path.startswith("modex/pmix/server/"),
    r"hwloc": lambda path: path.startswith("topologies/machine/"),
    r"asio": lambda path: path in ("core/async/asio.hpp", "core/async/asio_implementation.cpp"),
}
# Parsers, codecs, placement and plan are sans I/O: no Asio, not even through another header.
SANS_IO = ["core/wire", "core/hosts", "core/job", "core/bind", "core/base", "topologies",
           "core/io/line_assembler.hpp", "core/io/line_label.hpp", "core/head/output_gather.hpp",
           "core/head/job_record.hpp", "core/head/report.hpp",
           "core/head/signals.hpp", "core/link/ack_desk.hpp", "core/wire/contact.hpp", "core/link/neighbour_channel.hpp",
           "core/link/broadcast_log.hpp", "core/link/report_filter.hpp", "core/link/report_log.hpp", "core/tree/block.hpp",
           "core/tree/child_state.hpp", "core/tree/contact_gather.hpp", "core/tree/generations.hpp", "core/tree/parent_state.hpp",
           "core/tree/route_table.hpp", "core/tree/spread.hpp", "core/tree/subtree_map.hpp", "core/stage/segments.hpp", "core/stage/flow.hpp",
           "core/stage/checksum.hpp", "core/debug/debug_console.hpp", "core/debug/debug_words.hpp", "core/fetch/records.hpp", "core/push/opening.hpp", "core/push/bootstrap.hpp", "core/push/cksum.hpp",
           "core/push/push_error.hpp", "modex/front", "modex/pmi", "modex/pmi1", "modex/pmi2",
           "modex/server/desk.hpp", "modex/server/holdings.hpp", "modex/server/pmix_clients.hpp"]
# The places that read the clock, wait for a time or draw, as far as the names of functions show it. A simulation plays the clock, timers
# and random numbers, and does the same every time; the other places are of threads and processes that it does not have.
PLAYED = {
    r"\bsteady_clock\b": {"core/base/clock.hpp"},
    r"\bsystem_clock\b": {"core/base/unix_time.hpp"},
    r"\bclock_gettime\b": {"core/base/boot_clock.hpp"},
    r"(?<!co_await )\b(this_thread::)?sleep_(for|until)\((?!any_io_executor)|\b(u|nano|clock_nano)?sleep\(": {"core/base/clock.cpp"},
    # With a limit: 0 does not wait, and -1 waits for no time.
    r"\bp?poll\((?!\))(?![^;]*,\s*(0|-1)\))": {"core/debug/debugged_rank.cpp", "core/io/stdin_reader.cpp",
                                            "core/process/command_output.cpp", "core/relay/call_back.cpp", "transports/ssh/agent.cpp",
                                            "cmd/doctor/ask_within.cpp", "cmd/session/attach.cpp", "cmd/session/session_command.cpp"},
    r"\bwait_(for|until)\(\w*(?<!C)lock,": {"core/async/detached_pool.cpp", "core/async/worker_pool.cpp", "core/io/blocking_writer.cpp"},
    r"\b(p?select|epoll_p?wait|sigtimedwait|\w+_timed(wait|lock)|alarm|setitimer|timerfd_create|timer_create)\(": set(),
    r"\bSO_(RCV|SND)TIMEO\b": {"core/io/local_socket.cpp"},
    r"\bstd::time\b(?!_)|\btime\((nullptr|NULL|0|&)|\bgettimeofday\b": set(),
    r"\b(steady|system|high_resolution|deadline)_timer\b": {"core/async/asio.hpp", "core/async/timer.hpp"},
    r"\b(random_device|mt19937|default_random_engine)\b|\bs?rand\(|\brandom\(\)|\bsrandom\(": set(),
    r"\bgetrandom\(": {"core/base/random.cpp"},
    # Their order is the memory allocator's.
    r"\b(multi)?(set|map)<(const )?\w+\*|\b(multi)?(set|map)<std::(shared|unique|weak)_ptr": set(),
}
# For each of them, in order: what it finds, and what it does not.
SEEN_AS_PLAYED = [
    (["std::chrono::steady_clock::now()"], ["steady_clock_name"]),
    (["system_clock::to_time_t(t)"], []),
    (["clock_gettime(CLOCK_BOOTTIME, &now)"], []),
    (["std::this_thread::sleep_for(1s)", "sleep(1)", "usleep(5)", "nanosleep(&t, nullptr)", "clock_nanosleep(CLOCK_MONOTONIC, 0, &t, 0)"],
     ["co_await sleep_for(executor, limit)", "awaitable<void> sleep_for(any_io_executor executor)", "asleep(1)"]),
    (["poll(&fd, 1, 100)", "::poll(&fd, 1, left())", "ppoll(&fd, 1, &limit, nullptr)", "poll(fds, 2,\n     limit_ms)"],
     ["poll(&fd, 1, 0) == 1;", "::poll(both.data(), both.size(), -1);", "io.poll()", "poll_one()"]),
    (["changed.wait_for(lock, linger, is_over)", "ready_.wait_until(its_lock, deadline)"], ["changed_.wait_until(deadline)", "changed_.wait_until(Clock::now() + limit)"]),
    (["select(1, &set, nullptr, nullptr, &limit)", "epoll_wait(fd, events, 1, 5)", "pthread_cond_timedwait(&c, &m, &t)", "sem_timedwait(&s, &t)",
      "alarm(2)"], ["SYS_epoll_wait,", "selected(1)"]),
    (["setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t)"], []),
    (["std::time(nullptr)", "time(nullptr)", "time(&now)", "gettimeofday(&now, nullptr)"], ["std::time_t t", "Value time() {", "run_time(0)"]),
    (["asio::steady_timer timer", "system_timer t"], []),
    (["std::random_device", "std::mt19937 random", "rand()", "random() % 6", "srandom(1)"], ["SeededRandom random(seed)", "operand(1)"]),
    (["getrandom(buffer, size, 0)"], []),
    (["std::set<Child*> all", "std::map<std::shared_ptr<Cable>, int> by"], ["std::set<NodeIndex> all"]),
]
# A unit test waits for an event. Where only time makes one, the test has simulated time.
WAITS = {
    r"\bthis_thread::sleep_(for|until)\b|\b(u|nano|clock_nano)?sleep\(|\bp?poll\((nullptr|NULL|0)": set(),
    r"\b(steady|system|high_resolution|deadline)_timer\b": set(),
    r"\bio_?\.run_(one_)?(for|until)\(": {"tests/unit/core/harness/run_until.hpp"},
    r"\bwait_(for|until)\(\w*(?<!C)lock,": set(),
    r"\b(p?select|epoll_p?wait|sigtimedwait|\w+_timed(wait|lock)|alarm|setitimer|timerfd_create|timer_create)\(": set(),
}
# For each of them, in order: what it finds, and what it does not.
SEEN_AS_WAITS = [
    (["usleep(1000);", "sleep(60)", "::sleep(1)", "std::this_thread::sleep_for(milliseconds{1})", "using std::this_thread::sleep_for;",
      "nanosleep(&t, nullptr)", "poll(nullptr, 0, 100)"],
     ["poll(&ended, 1, 60'000)", "co_await sleep_for(executor, milliseconds{5})", "run.run(sleep_for(executor, limit))", "is_asleep({})", '"sleep 30 & wait"', "std::this_thread::yield()"]),
    (["asio::steady_timer timer(io, milliseconds{100})"], ["Timer timer(executor, limit)", "steady_clock::now()"]),
    (["io.run_for(20ms)", "io_.run_one_for(left)", "world.io.run_until(time)"],
     ["run_until(io, done)", "simulation.run_for(time)", "io.run()", "io.poll()"]),
    (["changed_.wait_for(lock, limit)"], ["changed_.wait(lock, is_over)", "event.wait_until(deadline)"]),
    (["select(1, &set, nullptr, nullptr, &limit)", "alarm(2)", "sigtimedwait(&set, &info, &limit)"], ["selected(1)", "sigwaitinfo(&set, &info)"]),
]
# A folder of core must not include these, even without a cycle: a job uses the tree, and the tree knows no job.
MUST_NOT_INCLUDE = {
    "core/link": ("core/modex_server.hpp",),
    "core/tree": ("core/modex_server.hpp",),
    "core/relay": ("core/head/",),
    "core/head": ("core/relay/",),
}
TOP_LEVEL = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "cmd", "core",
             "transports", "topologies", "modex", "completions", "tests"}


def sources(folder):
    for base, _, files in os.walk(os.path.join(ROOT, folder)):
        for name in sorted(files):
            if name.endswith((".hpp", ".cpp", ".h", ".c")):
                yield os.path.relpath(os.path.join(base, name), ROOT)


def includes(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', file.read(), re.M)


EMBEDDED = "embedded"  # headers that cmd/embed.cmake makes of texts, in the build folder


def check_rooms(faults):
    for room in ROOMS:
        for path in sources(room):
            for kind, header in includes(path):
                first = header.split("/")[0]
                if first in ROOMS and first not in MAY_INCLUDE[room]:
                    faults.append(f"{path} includes {header}: {room} may not know {first}")
                if kind == '"' and first not in ROOMS and first != EMBEDDED:
                    faults.append(f'{path} includes "{header}": name it from the top level')
                for pattern, allowed in OWNERS.items():
                    if kind == "<" and re.match(pattern, header) and not allowed(path):
                        faults.append(f"{path} includes <{header}>, which is not its business")


def folder_of(path):
    """The folder of a room that a file is in, whose own folders are parts of it; nothing for a file of the room itself."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else None


def folders_of(room):
    """For each what it includes of the others, by one of its files."""
    graph = {}
    for path in sources(room):
        folder = folder_of(path)
        for kind, header in includes(path):
            other = folder_of(header)
            if kind == '"' and header.startswith(room + "/") and folder and other and other != folder:
                graph.setdefault(folder, {}).setdefault(other, f"{path} includes {header}")
    return graph


def way_back(graph, folder, to, seen):
    """The includes by which `to` is reached from the folder."""
    if folder in seen:
        return None
    seen.add(folder)
    for other, include in sorted(graph.get(folder, {}).items()):
        if other == to:
            return [include]
        way = way_back(graph, other, to, seen)
        if way:
            return [include] + way
    return None


def check_layers_of_rooms(faults):
    for folder, forbidden in MUST_NOT_INCLUDE.items():
        if not list(sources(folder)):
            faults.append(f"{folder} has rules, and is not there")
        for path in sources(folder):
            for kind, header in includes(path):
                if kind == '"' and header.startswith(forbidden):
                    faults.append(f"{path} includes {header}: {folder} may not know it")
    for room in ROOMS:
        graph = folders_of(room)
        for folder in sorted(graph):
            cycle = way_back(graph, folder, folder, set())
            if cycle:
                faults.append(f"{folder} is in a cycle of folders: {'; '.join(cycle)}")


def reaches_asio(path, seen):
    if path in seen or not os.path.exists(os.path.join(ROOT, path)):
        return None
    seen.add(path)
    for kind, header in includes(path):
        if kind == "<" and header.startswith("asio"):
            return [path]
        if kind == '"':
            way = reaches_asio(header, seen)
            if way:
                return [path] + way
    return None


def check_sans_io(faults):
    for place in SANS_IO:
        paths = [place, place[:-3] + "cpp"] if place.endswith(".hpp") else list(sources(place))
        if not paths or not os.path.exists(os.path.join(ROOT, paths[0])):
            faults.append(f"{place} is said to be sans I/O, and is not there")
        for path in paths:
            way = reaches_asio(path, set())
            if way:
                faults.append("sans-I/O code reaches Asio: " + " -> ".join(way))


# A completion token, not the word: jobs may be detached, coroutines may not.
STARTS_DETACHED = re.compile(r"asio::detached\b|asio/detached\.hpp|,\s*detached\s*\)")


def check_tree(faults):
    for name in os.listdir(ROOT):
        if not name.startswith(".") and name not in TOP_LEVEL | {"launch", "build"}:
            faults.append(f"at the top level: {name}")
    for room in ROOMS:
        for path in sources(room):
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                text = file.read()
            if path.endswith(".hpp") and "using namespace" in text:
                faults.append(f"{path}: using namespace in a header")
            if STARTS_DETACHED.search(text):
                faults.append(f"{path}: a detached coroutine")
            if path != "cmd/main.cpp" and re.search(r"(?<![_\w])exit\(", text):
                faults.append(f"{path}: calls exit; only cmd/main.cpp ends the process")


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def check_patterns(folder, patterns, instead, faults):
    for path in sources(folder):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = without_comments(file.read())
        for pattern, allowed in patterns.items():
            found = re.search(pattern, text)
            if found and path not in allowed:
                faults.append(f"{path}: {found.group()}; {instead}")


def check_samples(patterns, samples):
    assert len(samples) == len(patterns)
    for (pattern, allowed), (found, not_found) in zip(patterns.items(), samples):
        assert all(os.path.exists(os.path.join(ROOT, path)) for path in allowed), "a place that is gone"
        for text in found:
            assert re.search(pattern, text), (pattern, text)
        for text in not_found:
            assert not re.search(pattern, text), (pattern, text)


def self_test():
    """The checks find what they are for."""
    way = reaches_asio("core/async/event.hpp", set())
    assert way and way[-1] == "core/async/asio.hpp", way
    assert list(sources("core")), "no sources found"
    for text in ("#include <asio/detached.hpp>", "co_spawn(io, work(), asio::detached);", "co_spawn(io, work(), detached);"):
        assert STARTS_DETACHED.search(text), text
    assert not STARTS_DETACHED.search("Is the job detached, or not?")
    circle = {"a": {"b": "a to b"}, "b": {"c": "b to c"}, "c": {"b": "c to b"}}
    assert way_back(circle, "b", "b", set()) == ["b to c", "c to b"] and way_back(circle, "a", "a", set()) is None
    assert len(folders_of("core")) > 5, "no includes found"
    assert "steady_clock" not in without_comments("int a;  // not steady_clock")
    assert list(sources("tests/unit")), "no tests found"
    check_samples(PLAYED, SEEN_AS_PLAYED)
    check_samples(WAITS, SEEN_AS_WAITS)


def main():
    faults = []
    self_test()
    check_rooms(faults)
    check_layers_of_rooms(faults)
    check_sans_io(faults)
    check_tree(faults)
    for room in ROOMS:
        check_patterns(room, PLAYED, "wait by Clock, Timer and Clock::pause, tell the time by unix_time.hpp, draw by core/base/random, order by values", faults)
    check_patterns("tests/unit", WAITS, "wait for an event (comes_true.hpp, run_until.hpp), or in simulated time", faults)
    for fault in faults:
        print(fault)
    print("%d faults" % len(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

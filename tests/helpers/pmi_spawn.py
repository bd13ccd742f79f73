#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pmi_spawn.py [--pmi2] [OPTIONS] COUNT [INFO_KEY=VALUE]... [+ COUNT [INFO_KEY=VALUE]...]...

What MPICH says to its launcher for MPI_Comm_spawn_multiple, and what the new processes say: rank 0 spawns this program
once for each part, and prints what it was told. Each new process prints what it is, and its neighbour's card.

    --pmi2        by PMI-2 instead of PMI-1
    --all         every rank spawns, not rank 0 alone
    --again N     N times, one after another
    --then WHAT   new processes: "exit R C": rank R exits with C after its barrier; "sleep": all wait for a signal,
                  "sleep S" no longer than S seconds; "spawn": their rank 0 spawns one process more; "host": they tell where they are; "universe": how many
                  there may be, by what they are told
    --program P   this one instead
"""
import os
import socket
import sys
import time


class Pmi1:
    def __init__(self, sock):
        self.file = sock.makefile("rw", newline="\n")
        self.ask("cmd=init pmi_version=1 pmi_subversion=1")
        self.job = self.ask("cmd=get_my_kvsname")["kvsname"]
        self.spawned = os.environ.get("PMI_SPAWNED") == "1"
        self.universe = int(self.ask("cmd=get_universe_size")["size"])
        self.appnum = int(self.ask("cmd=get_appnum")["appnum"])

    def ask(self, line):
        self.file.write(line + "\n")
        self.file.flush()
        answer = self.file.readline().rstrip("\n")
        return {"text": answer, **dict(word.partition("=")[::2] for word in answer.split(" "))}

    def put(self, key, value):
        return self.ask(f"cmd=put kvsname={self.job} key={key} value={value}")

    def get(self, key):
        return self.ask(f"cmd=get kvsname={self.job} key={key}").get("value")

    def fence(self):
        self.ask("cmd=barrier_in")

    def finalize(self):
        self.ask("cmd=finalize")

    def spawn(self, programs, cards):
        lines = []
        for number, (argv, count, info) in enumerate(programs, 1):
            lines += ["mcmd=spawn", f"nprocs={count}", f"execname={argv[0]}", f"totspawns={len(programs)}", f"spawnssofar={number}"]
            lines += [f"arg{i}={word}" for i, word in enumerate(argv[1:], 1)] + [f"argcnt={len(argv) - 1}"]
            lines += [f"preput_num={len(cards)}"]
            for i, (key, value) in enumerate(cards):
                lines += [f"preput_key_{i}={key}", f"preput_val_{i}={value}"]
            lines += [f"info_num={len(info)}"]
            for i, (key, value) in enumerate(info):
                lines += [f"info_key_{i}={key}", f"info_val_{i}={value}"]
            lines += ["endcmd"]
        return self.ask("\n".join(lines))


class Pmi2:
    def __init__(self, sock):
        self.sock = sock
        sock.sendall(b"cmd=init pmi_version=2 pmi_subversion=0\n")
        while sock.recv(1) != b"\n":
            pass
        mine = self.ask("fullinit", pmijobid="", pmirank=os.environ["PMI_RANK"], threaded="FALSE")
        self.spawned = "spawner-jobid" in mine
        self.appnum = int(mine["appnum"])
        self.job = self.ask("job-getid")["jobid"]
        self.universe = int(self.ask("info-getjobattr", key="universeSize")["value"])

    def ask(self, command, fields=(), **more):
        fields = [*fields, *more.items()]
        body = f"cmd={command};" + "".join(f"{key}={str(value).replace(';', ';;')};" for key, value in fields)
        self.sock.sendall(f"{len(body):6}{body}".encode())
        answer = self.take(int(self.take(6)))
        pairs = answer.decode().rstrip(";").replace(";;", "\0").split(";")
        return {"text": answer.decode(), **{pair.partition("=")[0]: pair.partition("=")[2].replace("\0", ";") for pair in pairs}}

    def take(self, count):
        data = b""
        while len(data) < count:
            more = self.sock.recv(count - len(data))
            if not more:
                sys.exit("the launcher closed the connection")
            data += more
        return data

    def put(self, key, value):
        return self.ask("kvs-put", key=key, value=value)

    def get(self, key):
        return self.ask("kvs-get", jobid=self.job, srcid=-1, key=key).get("value")

    def fence(self):
        self.ask("kvs-fence")

    def finalize(self):
        self.ask("finalize")

    def spawn(self, programs, cards):
        fields = [("ncmds", len(programs)), ("preputcount", len(cards))]
        for i, (key, value) in enumerate(cards):
            fields += [(f"ppkey{i}", key), (f"ppval{i}", value)]
        for argv, count, info in programs:
            fields += [("subcmd", argv[0]), ("maxprocs", count), ("argc", len(argv) - 1)]
            fields += [(f"argv{i}", word) for i, word in enumerate(argv[1:])]
            fields += [("infokeycount", len(info))]
            for i, (key, value) in enumerate(info):
                fields += [(f"infokey{i}", key), (f"infoval{i}", value)]
        return self.ask("spawn", fields)


def options(words):
    """The words before the first number, and the parts from there on."""
    wanted = {"pmi2": False, "all": False, "again": 1, "then": "", "program": ""}
    while words and words[0].startswith("--"):
        name = words.pop(0)[2:]
        wanted[name] = True if isinstance(wanted[name], bool) else type(wanted[name])(words.pop(0))
    parts = [[]]
    for word in words:
        parts.append([]) if word == "+" else parts[-1].append(word)
    return wanted, [(int(part[0]), [tuple(word.split("=", 1)) for word in part[1:]]) for part in parts if part]


def say(*words):
    print(*words, flush=True)


def spawn(pmi, wanted, parts, then):
    mine = [sys.executable, os.path.abspath(__file__)] + (["--pmi2"] if wanted["pmi2"] else []) + ["--then", then]
    program = [wanted["program"]] if wanted["program"] else mine
    answer = pmi.spawn([([*program], count, info) for count, info in parts], [("PARENT_ROOT_PORT_NAME", "tag#0$here$")])
    fields = {key: value for key, value in answer.items() if key in ("rc", "errcodes", "msg", "errmsg")}
    job = answer.get("jobid", "").rpartition(".")[2]
    say("spawned", job, *(f"{key}={value}" for key, value in sorted(fields.items())))


def be_spawned(pmi, wanted, rank, size):
    number = pmi.job.rpartition(".")[2]
    pmi.put(f"P{rank}-businesscard", f"card_of_{rank}")
    pmi.fence()
    card = pmi.get(f"P{(rank + 1) % size}-businesscard")
    port = pmi.get("PARENT_ROOT_PORT_NAME")
    then = wanted["then"].split()
    where = [os.environ["LAUNCH_HOST"], os.getcwd(), os.environ.get("A", "")] if then == ["host"] else []
    room = [f"universe={pmi.universe}"] if then == ["universe"] else []
    say(f"process {rank} of {size} of spawn {number}, program {pmi.appnum}:", card, port, *where, *room)
    if then[:1] == ["sleep"]:
        time.sleep(float(then[1]) if then[1:] else 60)
    if then == ["spawn"] and rank == 0:
        spawn(pmi, wanted, [(1, [])], "")
    if then[:1] == ["exit"] and rank == int(then[1]):
        sys.exit(int(then[2]))


def main():
    wanted, parts = options(sys.argv[1:])
    sock = socket.socket(fileno=int(os.environ["PMI_FD"]))
    pmi = (Pmi2 if wanted["pmi2"] else Pmi1)(sock)
    rank, size = int(os.environ["PMI_RANK"]), int(os.environ["PMI_SIZE"])
    if pmi.spawned:
        be_spawned(pmi, wanted, rank, size)
    elif wanted["all"] or rank == 0:
        for _ in range(wanted["again"]):
            spawn(pmi, wanted, parts, wanted["then"])
    pmi.finalize()


main()

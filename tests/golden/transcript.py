"""Transcripts: inputs, and what each of them gives.

    A line that begins like this one, or is empty, is prose.
    $ launch -n x app
    ! launch: -n x: not a whole number from 1 to 2147483647 (see launch --help)
    exit 2

`$ ` begins an input, `> ` goes on with it. After it come the lines of standard output (`| `), those of standard error (`! `) and the exit
code, unless it is 0. To rewrite a transcript keeps prose and inputs and replaces the rest.
"""
import dataclasses
import re

GIVEN = re.compile(r"[|!]( |$)|exit -?\d+$|\\ no newline")


class Malformed(Exception):
    pass


@dataclasses.dataclass
class Step:
    prose: list  # lines before the input
    input: str
    given: list  # lines after it, as they stand in the file


def parse(text):
    """The steps, and the prose after the last one."""
    steps, prose = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$ "):
            steps.append(Step(prose, line[2:], []))
            prose = []
        elif steps and not prose and not steps[-1].given and (line.startswith("> ") or line == ">"):
            steps[-1].input += "\n" + line[2:]
        elif GIVEN.match(line):
            if not steps or prose:
                raise Malformed(f"line {number}: no input before it: {line}")
            steps[-1].given.append(line)
        else:
            prose.append(line)
    return steps, prose


def lines_of(mark, text):
    if not text:
        return []
    lines = [f"{mark} {line}".rstrip(" ") if not line else f"{mark} {line}" for line in text.removesuffix("\n").split("\n")]
    return lines if text.endswith("\n") else [*lines, "\\ no newline"]


def given(out, err, code):
    return lines_of("|", out) + lines_of("!", err) + ([f"exit {code}"] if code else [])


def render(steps, prose):
    lines = []
    for step in steps:
        first, *others = step.input.split("\n")
        lines += [*step.prose, f"$ {first}", *(f"> {line}".rstrip(" ") for line in others), *step.given]
    return "".join(line + "\n" for line in lines + prose)

# SPDX-License-Identifier: MIT
"""What came of a program, against what was to come."""
import difflib
import re

from harness import pace
from harness.basics import fail
from harness.pace import allowed
from harness.promises import SILENT_START

# How long a start takes is the machine's affair: that it is told of belongs to no result that took so long. test_progress.py asks
# for the note.
SLOW_START = re.compile(rb"launch: note: (starting|staging): .*, after \d+ s.*\n")


def expect(result, code=0, out=None, out_lines=None, out_contains=(), err=None, err_lines=None, err_contains=(),
           err_lacks=(), within=None, any_order=True):
    """Compares what is given; all that differs is in one message. code=None: any. out_lines and err_lines ignore the
    order unless any_order=False; err_lines also takes a number."""
    wrong = []
    if within is not None and pace.patient:
        wrong.append("the test bounds the time, which only one of the tier `clock` may")
    told = SLOW_START.sub(b"", result.err) if result.err and result.wall >= SILENT_START.value else result.err or b""
    told_lines = told.decode(errors="backslashreplace").splitlines()

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
    for name, got, wanted in (("stdout", result.out, out), ("stderr", told, err)):
        if wanted is not None and got != (wanted.encode() if isinstance(wanted, str) else wanted):
            same(name, split(got), split(wanted))
    if out_lines is not None:
        same("stdout", ordered(result.lines), ordered(out_lines))
    if isinstance(err_lines, int):
        if len(told_lines) != err_lines:
            wrong.append(f"stderr has {len(told_lines)} lines, expected {err_lines}")
    elif err_lines is not None:
        same("stderr", ordered(told_lines), ordered(err_lines))
    contains("stdout", result.text, out_contains)
    contains("stderr", result.err_text, err_contains)
    for part in [err_lacks] if isinstance(err_lacks, str) else err_lacks:
        if part in result.err_text:
            wrong.append(f"stderr has {part!r}")
    if within is not None and result.wall > allowed(within):
        wrong.append(f"took {result.wall:.2f} s, expected at most {allowed(within)}")
    if wrong:
        fail("\n".join(wrong) + f"\n{result}")
    return result

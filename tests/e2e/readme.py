"""The blocks of a README that its test finds by a comment before them, and runs as they stand there."""
import os
import re

from harness import HELPERS, LAUNCH, SOURCE_DIR, fail, run


class Readme:
    def __init__(self, path):
        self.path = path
        with open(os.path.join(SOURCE_DIR, path)) as file:
            self.text = file.read()

    def block(self, kind):
        """All of that kind, one after the other."""
        found = re.findall(rf"<!-- {kind} -->\n```\w+\n(.*?)```", self.text, re.S)
        if not found:
            fail(f"no block {kind!r} in {self.path}")
        return "".join(found)

    def lines(self, kind):
        return self.block(kind).strip().splitlines()


def in_folder(line, folder, **options):
    """Runs an example with ./launch meaning the executable under test."""
    print("   ", line)
    return run(["bash", "-c", line.replace("./launch ", LAUNCH + " ")], cwd=folder, **options)


def like_checkout(folder):
    """What the commands of READMEs see: the checkout, with this build as the released one."""
    os.symlink(os.path.join(SOURCE_DIR, "modex"), os.path.join(folder, "modex"))
    os.mkdir(os.path.join(folder, "build"))
    os.symlink(os.path.dirname(HELPERS), os.path.join(folder, "build/release"))

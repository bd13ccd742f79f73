#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What launch makes of ssh configs is what ssh makes of them: random ones, compared with `ssh -G`. The seed is printed;
SSH_CONFIG_SEED=N draws the same again, SSH_CONFIG_SECONDS=N for longer."""
import os
import pwd
import random
import re
import shutil
import subprocess
import time

from harness import *

ME = pwd.getpwuid(os.getuid())
HOSTS = ["n1", "n2", "Node3", "login.site.example", "10.0.0.7"]
NAMES = [*HOSTS, "real.example", "other"]
USERS = ["joe", "ann", ME.pw_name]
PATTERNS = [*NAMES, "*", "n?", "n*", "N*", "*.example", "10.*", "n[12]", "real*"]
FILES = ["~/.ssh/a", "%d/.ssh/b", "/keys/%h", "/keys/%r-%p", "/keys/%n.%u", "/keys/100%%", '"/keys/a b"', "/keys/%i",
         "~root/key", "${LAUNCH_TEST_KEYS}/%n"]
KNOWN = ["~/.ssh/k1", "/known/%h", "/known/%n", "none", '"/known/a b"']
VALUES = {
    "HostName": ["real.example", "%h.example", "Real.Example", "10.0.0.9"],
    "User": USERS,
    "Port": ["22", "2222", "1"],
    "AddressFamily": ["any", "inet", "inet6"],
    "IdentityFile": [*FILES, "none", "None"],
    "IdentitiesOnly": ["yes", "no"],
    "IdentityAgent": ["none", "SSH_AUTH_SOCK", "~/agent", "/run/%u/agent"],
    "UserKnownHostsFile": [*KNOWN, "~/.ssh/k1 ~/.ssh/k2", "/known/%r /known/%p"],
    "GlobalKnownHostsFile": ["/known/all", "/known/x /known/y"],
    "HostKeyAlias": ["alias", "Alias"],
    "StrictHostKeyChecking": ["yes", "no", "ask", "accept-new", "off"],
    "HashKnownHosts": ["yes", "no"],
    "KexAlgorithms": ["curve25519-sha256", "ecdh-sha2-nistp256,ecdh-sha2-nistp384"],
    "Ciphers": ["aes128-ctr", "aes256-ctr,aes128-ctr"],
    "MACs": ["hmac-sha2-256"],
    "PubkeyAuthentication": ["yes", "no"],
    "GSSAPIAuthentication": ["yes", "no"],
    "Compression": ["yes", "no"],
    "RequiredRSASize": ["2048", "3072"],
    # What is left to ssh, or not.
    "ProxyJump": ["none", "gate"],
    "ProxyCommand": ["none", "nc %h %p"],
    "CertificateFile": ["/keys/cert.pub"],
    "VerifyHostKeyDNS": ["yes", "no", "false"],
    "BindAddress": ["127.0.0.1"],
    "PreferredAuthentications": ["publickey,password", "password"],
    # What is ignored.
    "SendEnv": ["LANG LC_*"],
    "ServerAliveInterval": ["5"],
    "LogLevel": ["ERROR"],
}
RARE = ["ProxyJump", "ProxyCommand", "CertificateFile", "VerifyHostKeyDNS", "BindAddress", "PreferredAuthentications"]
COMMON = [keyword for keyword in VALUES if keyword not in RARE]


class Drawer:
    """Draws a config, which may include others."""

    def __init__(self, dice, folder):
        self.dice, self.folder, self.count = dice, folder, 0

    def file(self, depth=0):
        self.count += 1
        path = os.path.join(self.folder, f"config{self.count}")
        text = "".join(self.line(depth) for _ in range(self.dice.randint(1, 14)))
        with open(path, "w") as file:
            file.write(text if self.dice.random() < 0.9 else text.rstrip("\n"))
        return path

    def line(self, depth):
        kind = self.dice.random()
        if kind < 0.2:
            return self.written("Host", self.patterns())
        if kind < 0.3:
            return self.written("Match", self.criteria())
        if kind < 0.36 and depth < 3:
            path = self.file(depth + 1)
            return self.written("Include", self.dice.choice([path, path, path[:-1] + "?", "/no/such/file"]))
        if kind < 0.4:
            return self.dice.choice(["\n", "# Port 99\n", "   \n", "\t# a comment\n"])
        keyword = self.dice.choice(RARE if self.dice.random() < 0.08 else COMMON)
        return self.written(keyword, self.dice.choice(VALUES[keyword]))

    def written(self, keyword, value):
        between = self.dice.choice([" ", " ", "  ", "\t", "=", " = "])
        # (A proxy is the rest of the line, with its quotes.)
        if " " not in value and '"' not in value and not keyword.startswith("Proxy") and self.dice.random() < 0.1:
            value = f'"{value}"'
        keyword = self.dice.choice([keyword, keyword, keyword.lower(), keyword.upper()])
        return self.dice.choice(["", "", "  ", "\t"]) + keyword + between + value + self.dice.choice(["", "", " ", "\t"]) + "\n"

    def patterns(self):
        return " ".join(self.dice.choice(["", "", "", "!"]) + self.dice.choice(PATTERNS) for _ in range(self.dice.randint(1, 3)))

    def criteria(self):
        if self.dice.random() < 0.25:
            return self.dice.choice(["all", "all", "final all", "canonical all", "!canonical"])
        found = [self.dice.choice(["final", "canonical"])] if self.dice.random() < 0.2 else []
        for _ in range(self.dice.randint(1, 2)):
            what = self.dice.choice(["host", "originalhost", "user", "localuser"])
            names = PATTERNS if "host" in what else [*USERS, "j*", "*"]
            value = ",".join(self.dice.choice(["", "", "", "!"]) + self.dice.choice(names) for _ in range(self.dice.randint(1, 2)))
            found.append(self.dice.choice(["", "", "!"]) + what + self.dice.choice([" ", " ", "="]) + value)
        return " ".join(found)


def in_words(text):
    """The lines of `ssh -G`, or of the helper: {keyword: [values]}."""
    words = {}
    for line in text.splitlines():
        keyword, _, value = line.partition(" ")
        words.setdefault(keyword, []).append(value)
    return words


def expand(path, ssh, host):
    """ssh -G leaves tokens in some of the names."""
    tokens = {"d": ME.pw_dir, "h": ssh["hostname"][0], "n": host, "p": ssh["port"][0], "r": ssh["user"][0], "u": ME.pw_name,
              "i": str(ME.pw_uid), "%": "%"}
    path = re.sub("^~(root)?/", lambda match: (pwd.getpwnam(match[1]) if match[1] else ME).pw_dir + "/", path)
    path = path.replace("${LAUNCH_TEST_KEYS}", "/my/keys")
    return re.sub("%(.)", lambda match: tokens[match[1]], path)


def from_ssh(ssh, host):
    """The same in the helper's words."""
    def one(keyword, otherwise=""):
        return ssh.get(keyword, [otherwise])[0]

    def paths(keyword):
        return [expand(path, ssh, host) for path in ssh.get(keyword, []) if path.lower() != "none"]

    def yes(keyword):
        return ["yes" if one(keyword) in ("yes", "true") else "no"]

    def known(keyword):
        # A name with a blank is printed without its quotes. No name has a percent sign of its own: some of the tokens
        # are replaced already.
        return [expand(path.replace("\0", " "), ssh, host) for path in one(keyword).replace("a b", "a\0b").split() if path != "none"]

    users, agent = known("userknownhostsfile"), one("identityagent")
    files = paths("identityfile")
    if "~/.ssh/id_xmss" in ssh.get("identityfile", []):  # its defaults; launch's are fewer, the cheap ones first
        files = [f"{ME.pw_dir}/.ssh/{name}" for name in ("id_ed25519", "id_ecdsa", "id_rsa")]
    return {
        "hostname": [one("hostname").lower()], "user": [one("user")], "port": [one("port")],
        "hostkeyalias": [one("hostkeyalias").lower()], "addressfamily": [one("addressfamily")],
        "identityfile": files, "identitiesonly": yes("identitiesonly"),
        "identityagent": ["/the/agent" if agent in ("", "SSH_AUTH_SOCK") else "" if agent == "none" else expand(agent, ssh, host)],
        "knownhostsfile": users + known("globalknownhostsfile"), "newkeysfile": users[:1] or [""],
        "hashknownhosts": yes("hashknownhosts"),
        "stricthostkeychecking": [{"true": "strict", "ask": "strict", "false": "no"}.get(one("stricthostkeychecking"), one("stricthostkeychecking"))],
        "pubkeyauthentication": yes("pubkeyauthentication"), "gssapiauthentication": yes("gssapiauthentication"),
        "compression": yes("compression"),
        "requiredrsasize": [one("requiredrsasize")],
        **{keyword: [one(keyword)] for keyword in ("kexalgorithms", "ciphers", "macs")},
    }


def left_to_ssh(ssh):
    return bool(
        ssh.get("proxyjump", ["none"]) != ["none"] or ssh.get("proxycommand", ["none"]) != ["none"] or "certificatefile" in ssh
        or ssh.get("verifyhostkeydns", ["false"]) != ["false"] or "bindaddress" in ssh
        or ssh.get("preferredauthentications", ["publickey"])[0] == "password")


def differences(ssh, ours, host):
    theirs = from_ssh(ssh, host)
    found = []
    if bool(ours.pop("needs_openssh")[0]) != left_to_ssh(ssh):
        found.append("left to ssh: " + ("it should be" if left_to_ssh(ssh) else "it need not be"))
    # Where nothing was said each has defaults of its own.
    for keyword, unsaid in (("kexalgorithms", ""), ("ciphers", ""), ("macs", ""), ("requiredrsasize", "0")):
        if ours[keyword] == [unsaid] and (keyword != "requiredrsasize" and "," in theirs[keyword][0] or theirs[keyword] == ["1024"]):
            theirs[keyword] = [unsaid]
    for keyword, values in theirs.items():
        if ours.get(keyword, []) != values:
            found.append(f"{keyword}: {ours.get(keyword)}, ssh: {values}")
    return found


@test(tier="clock")
def random_configs_mean_what_they_mean_to_ssh():
    if not shutil.which("ssh"):
        raise Skip("ssh is not installed")
    seed = int(os.environ.get("SSH_CONFIG_SEED") or random.SystemRandom().randrange(1 << 32))
    seconds = float(os.environ.get("SSH_CONFIG_SECONDS") or 8)
    print(f"    SSH_CONFIG_SEED={seed}")
    dice = random.Random(seed)
    compared = 0
    deadline = time.monotonic() + seconds
    with subprocess.Popen([helper("ssh_config_view")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "SSH_AUTH_SOCK": "/the/agent", "LAUNCH_TEST_KEYS": "/my/keys"}) as view:
        while time.monotonic() < deadline:
            with scratch() as folder:
                path = Drawer(dice, folder).file()
                host, user, port = dice.choice(HOSTS), dice.choice(["-", "-", "kim"]), dice.choice(["-", "-", "24"])
                words = ["ssh", "-G", "-F", path, *(["-l", user] if user != "-" else []), *(["-p", port] if port != "-" else []), host]
                done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
                if done.returncode:
                    continue  # what ssh refuses, it says
                view.stdin.write(f"{path}\t{host}\t{user}\t{port}\n")
                view.stdin.flush()
                ours = "".join(iter(view.stdout.readline, ".\n"))
                found = differences(in_words(done.stdout), in_words(ours), host)
                if found:
                    files = sorted(os.listdir(folder))
                    texts = [f"--- {name}\n" + open(os.path.join(folder, name)).read() for name in files]
                    fail(f"SSH_CONFIG_SEED={seed}: {' '.join(words)}\n" + "\n".join(found) + "\n" + "\n".join(texts))
                compared += 1
        view.stdin.close()
    print(f"    {compared} compared")
    if compared < 20:
        fail(f"only {compared} compared")


if __name__ == "__main__":
    main()

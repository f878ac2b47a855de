"""``bigtpuprofile ...`` and ``python -m bigtpuprofile ...``: the program."""

import sys

from ._binary import become


def main():
    # The name that the program was started under selects its defaults.
    become(sys.argv[0], sys.argv[1:])


if __name__ == "__main__":
    become("bigtpuprofile", sys.argv[1:])

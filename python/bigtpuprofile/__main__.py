"""``bigtpuprofile ...`` and ``python -m bigtpuprofile ...``: the program."""

import sys

from ._binary import replace_process


def main():
    # The name that the program was started under selects its defaults.
    return replace_process(sys.argv[0], sys.argv[1:])


if __name__ == "__main__":
    sys.exit(replace_process("bigtpuprofile", sys.argv[1:]))

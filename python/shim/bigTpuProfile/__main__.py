"""``python -m bigTpuProfile ...`` and the command ``bigTpuProfile ...``, with the defaults of 0.3.7."""

import sys

from bigtpuprofile._binary import replace_process


def main():
    return replace_process("bigTpuProfile", sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

"""``python -m bigTpuProfile ...`` and the command ``bigTpuProfile ...``, with the defaults of 0.3.7."""

import sys

from bigtpuprofile._binary import become


def main():
    become("bigTpuProfile", sys.argv[1:])


if __name__ == "__main__":
    main()

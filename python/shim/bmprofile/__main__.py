"""``python -m bmprofile --mode time DUMP OUT``: the page, and ``profile_data.js`` as PPL reads it."""

import sys

from bigtpuprofile._binary import become


def main():
    become("bmprofile", sys.argv[1:])


if __name__ == "__main__":
    main()

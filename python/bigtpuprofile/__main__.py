"""``python -m bigtpuprofile ...`` is ``bigtpuprofile ...``."""

import sys

from ._binary import replace_process

if __name__ == "__main__":
    sys.exit(replace_process("bigtpuprofile", sys.argv[1:]))

"""The commands ``tpu_profile`` and ``tpu_profile.py`` of tpu-mlir."""

import sys

from bigtpuprofile._binary import become


def main():
    become("tpu_profile", sys.argv[1:])

"""``bigTpuProfile.main``: the command line as a function."""

import subprocess
import sys

from bigtpuprofile.compat import ProfileParser

__all__ = ["ProfileParser", "main"]


def main():
    """Runs the command line of ``sys.argv`` and returns; raises ``SystemExit`` where it fails, as the original does."""
    sys.stdout.flush()
    code = subprocess.run([sys.executable, "-m", "bigTpuProfile", *sys.argv[1:]], check=False).returncode
    if code:
        sys.exit(code)


if __name__ == "__main__":
    main()

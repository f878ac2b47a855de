"""The program under test: that of this Python, else one that cargo built."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

# Its modules and its time are those of `.ci/torch`.
if not os.environ.get("BIGTPU_EXPORTS"):
    collect_ignore = ["test_exports.py"]


def pytest_configure():
    try:
        import bigtpuprofile  # noqa: F401
    except ImportError:
        built = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "debug"
        # The sources beside the extension module that cargo built: cargo build -p bigtpu-python -p bigtpuprofile.
        package = Path(tempfile.mkdtemp(prefix="bigtpuprofile-"))
        atexit.register(shutil.rmtree, package, ignore_errors=True)
        shutil.copytree(ROOT / "python" / "bigtpuprofile", package / "bigtpuprofile")
        shutil.copy(built / "lib_native.so", package / "bigtpuprofile" / "_native.abi3.so")
        sources = [str(package), str(ROOT / "python" / "shim")]
        sys.path[:0] = sources
        os.environ["PYTHONPATH"] = os.pathsep.join(sources)
        os.environ.setdefault("BIGTPUPROFILE", str(built / "bigtpuprofile"))


@pytest.fixture(scope="session")
def fixtures():
    return ROOT / "fixtures"


def pytest_sessionfinish(session):
    """Where everything is there that tests need, one that is skipped is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("BIGTPU_NO_SKIPS") and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED

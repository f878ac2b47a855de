"""The program under test: that of this Python, else one that cargo built."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))


def pytest_configure():
    try:
        import bigtpuprofile  # noqa: F401
    except ImportError:
        sources = [str(ROOT / "python"), str(ROOT / "python" / "shim")]
        sys.path[:0] = sources
        os.environ["PYTHONPATH"] = os.pathsep.join(sources)
        built = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "debug" / "bigtpuprofile"
        os.environ.setdefault("BIGTPUPROFILE", str(built))


@pytest.fixture(scope="session")
def fixtures():
    return ROOT / "fixtures"

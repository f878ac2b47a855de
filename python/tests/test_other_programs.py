"""Scripts of tpu-mlir and PPL: each call as they write it, and what they read."""

import subprocess
import sys

import pytest


def called(*command, cwd=None):
    return subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)


def test_ppl_calls_the_module_bmprofile_and_reads_its_lines(fixtures, tmp_path):
    # parse_bm1684x_pcie of PPL: lines by what they hold, items by their places.
    dump = fixtures / "real" / "bmprofile_data-1_bm1684x"
    done = called(sys.executable, "-m", "bmprofile", "--mode", "time", dump, "pro_out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    transfers, computations = [], []
    for line in (tmp_path / "pro_out" / "profile_data.js").read_text().splitlines():
        items = line[line.find("[") + 1 : line.find("]")].split(",")
        if line.find("gdma_id=") > 0 and line.find("speed") > 0:
            speed = items[10]
            rate, size = float(speed[speed.find("=") + 1 : speed.find("G")]), int(items[8].strip(" '").removeprefix("size="))
            transfers.append((float(items[1]), float(items[2]), rate, size))
        if line.find("bd_id=") > 0 and line.find("cycle") > 0:
            computations.append((float(items[1]), float(items[2])))
    assert len(transfers) == 163 and len(computations) == 90
    # The runtime copies inputs before the first command: these times are below 0.
    assert all(end >= start and speed >= 0 for start, end, speed, _ in transfers)
    # The data that PPL counts, speed times time, is that of the transfers (in GB/s and us, rounded).
    assert all(speed * (end - start) * 1000 == pytest.approx(size, rel=1e-3, abs=1) for start, end, speed, size in transfers)
    assert sum(size for *_, size in transfers) > 4e6


def test_the_command_tpu_profile_takes_names_of_the_compilers(fixtures, tmp_path):
    script = "from bigTpuProfile._tpu_profile import main; main()"
    dump = fixtures / "real" / "bmprofile_data-1_bm1688"
    done = called(sys.executable, "-c", script, dump, tmp_path / "out", "--arch", "A2", "--format", "layer")
    assert done.returncode == 0, done.stderr
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert files == {"layer.csv", "instruction.csv", "summary.csv", "mac_util.csv"}

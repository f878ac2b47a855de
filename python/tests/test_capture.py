"""``record``: a part of a program is captured. A module stands in for PyTorch with torch-tpu's operators, which write dumps as
the runtime does; the last tests register them with PyTorch itself."""

import os
import re
import shutil
import subprocess
import sys
import types
import urllib.request
from pathlib import Path

import pytest

import bigtpuprofile

SIZE = "--launches 2 -q".split()


class Runtime:
    """torch-tpu's two operators: a dump is written at *disable*."""

    def __init__(self, device=0):
        self.device, self.calls, self.asked, self.is_silent = device, 0, None, False

    def enable_profile(self, records, mode):
        assert self.asked is None, "enabled twice"
        self.asked = (records, mode)

    def disable_profile(self):
        records, mode = self.asked
        self.asked = None
        if self.is_silent:
            return
        dump = f"cdm_profile_data_dev{self.device}-{self.calls}"
        self.calls += 1
        # As the runtime does.
        shutil.rmtree(dump, ignore_errors=True)
        subprocess.run([bigtpuprofile.binary(), "synth", dump, "--writer", "tpudnn", "--mode", str(mode), *SIZE], check=True)

    def register(self, torch):
        """Makes them operators of PyTorch, as torch-tpu does. What is returned must be held."""
        library = torch.library.Library("my_ops", "DEF")
        library.define("enable_profile(int records, int mode) -> ()")
        library.define("disable_profile() -> ()")
        library.impl("enable_profile", self.enable_profile, "CompositeExplicitAutograd")
        library.impl("disable_profile", self.disable_profile, "CompositeExplicitAutograd")
        return library


@pytest.fixture
def runtime(monkeypatch, tmp_path):
    runtime = Runtime()
    torch = types.ModuleType("torch")
    torch.ops = types.SimpleNamespace(my_ops=runtime)
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BMLIB_ENABLE_ALL_PROFILE", raising=False)
    return runtime


def test_a_part_is_captured_and_read(runtime):
    asked = []
    with bigtpuprofile.record(mode=2, records=4096) as run:
        asked.append(runtime.asked)
    assert asked == [(4096, 2)]
    assert run.dumps == [Path.cwd() / "cdm_profile_data_dev0-0"]
    assert run.profile.report.dump.chip == "AKS"
    assert run.profile.kernels
    assert run._repr_html_() == run.profile._repr_html_()


def test_only_dumps_of_this_part_are_taken(runtime):
    with bigtpuprofile.record() as first:
        pass
    with bigtpuprofile.record() as second:
        pass
    assert [dump.name for dump in first.dumps + second.dumps] == ["cdm_profile_data_dev0-0", "cdm_profile_data_dev0-1"]
    runtime.calls = 0
    with bigtpuprofile.record() as again:
        pass
    assert [dump.name for dump in again.dumps] == ["cdm_profile_data_dev0-0"]


def test_a_runtime_that_writes_nothing_is_an_error(runtime):
    runtime.is_silent = True
    with pytest.raises(bigtpuprofile.ProfileError, match="wrote no dump; set BMLIB_ENABLE_ALL_PROFILE=1"):
        with bigtpuprofile.record():
            pass


def test_an_error_of_the_part_stays_itself(runtime):
    with pytest.raises(KeyError, match="own"):
        with bigtpuprofile.record():
            raise KeyError("own")
    assert runtime.asked is None, "the capture is switched off"


def test_steps_of_a_loop_are_captured(runtime):
    captured = []

    @bigtpuprofile.record(steps=range(5, 7))
    def step(number):
        captured.append((number, runtime.asked is not None))
        return number

    assert [step(number) for number in range(9)] == list(range(9))
    assert [number for number, is_on in captured if is_on] == [5, 6]
    assert step.recording.profile.report.dump.events > 0


def test_wrong_arguments_are_named():
    for arguments, text in [({"mode": 3}, "mode"), ({"records": 0}, "records"), ({"steps": [1, 3]}, "follow one another")]:
        with pytest.raises(ValueError, match=text):
            bigtpuprofile.record(**arguments)


def test_pytorch_registers_the_operators(monkeypatch, tmp_path):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    monkeypatch.chdir(tmp_path)
    library = Runtime().register(torch)
    assert library
    with bigtpuprofile.record(mode=1, host=True) as run:
        torch.nn.functional.relu(torch.zeros(4))
    assert run.profile.report.dump.events > 0
    trace = tmp_path / "run.pftrace"
    run.profile.trace(trace)
    assert b"aten::relu" in trace.read_bytes()


RANK = """
import os, sys, time, torch, bigtpuprofile
from test_capture import Runtime

rank, said = int(sys.argv[1]), []
say = lambda what: print(what, time.monotonic(), flush=True)

class Logged(Runtime):
    def enable_profile(self, records, mode):
        say("enabled")
        super().enable_profile(records, mode)

    def disable_profile(self):
        say("disabled")
        super().disable_profile()

library = Logged(rank).register(torch)
torch.distributed.init_process_group("gloo", init_method=sys.argv[2], rank=rank, world_size=2)

@bigtpuprofile.record(steps=range(1, 3))
def step(number):
    time.sleep(0.2 * rank)
    say(f"end{number}")

for number in range(4):
    say(f"begin{number}")
    step(number)
print("dumps", len(step.recording.dumps), flush=True)
torch.distributed.destroy_process_group()
"""


def test_all_ranks_capture_the_same_steps(tmp_path):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    if not torch.distributed.is_available():
        pytest.skip("this PyTorch has no torch.distributed")
    script = tmp_path / "rank.py"
    script.write_text(RANK)
    paths = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "BMLIB_ENABLE_ALL_PROFILE": "1"}
    store = f"file://{tmp_path}/store"
    ranks = [
        subprocess.Popen([sys.executable, script, str(rank), store], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
        for rank in (0, 1)
    ]
    moments = [dict(line.split() for line in rank.communicate(timeout=300)[0].splitlines()) for rank in ranks]
    assert [rank.returncode for rank in ranks] == [0, 0]
    moments = [{what: float(value) for what, value in rank.items()} for rank in moments]
    last = lambda what: max(rank[what] for rank in moments)
    first = lambda what: min(rank[what] for rank in moments)
    assert last("begin1") <= first("enabled") and last("end0") <= first("enabled")
    assert last("end2") <= first("disabled")
    assert [rank["dumps"] for rank in moments] == [2, 2], "each rank sees the dumps of both devices"


def test_a_newcomers_line_shows_the_page(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not installed")
    # Stands in for the package whose import registers the operators.
    (tmp_path / "torch_tpu.py").write_text("import torch\nfrom test_capture import Runtime\nlibrary = Runtime().register(torch)\n")
    (tmp_path / "train.py").write_text(
        """
import os, torch, torch_tpu
assert os.environ["BMLIB_ENABLE_ALL_PROFILE"] == "1"
torch.ops.my_ops.enable_profile(40960, int(os.environ["PROFILE_BOOK_KEEPING"]))
weight = torch.zeros(4, 4, requires_grad=True)
(torch.ones(2, 4) @ weight).sum().backward()
torch.ops.my_ops.disable_profile()
"""
    )
    paths = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    command = [bigtpuprofile.binary(), "record", "--open", "--no_browser", "--", sys.executable, "train.py"]
    process = subprocess.Popen(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, text=True)
    said = []
    for line in process.stdout:
        said.append(line)
        if address := re.search(r"http://127\.0\.0\.1:\S+", line):
            with urllib.request.urlopen(address.group()) as answer:
                assert answer.read() == (tmp_path / "profile_out" / "PerfWeb" / "result.html").read_bytes()
            break
    else:
        pytest.fail("".join(said))
    assert process.wait(60) == 0
    assert any(line.startswith("Verdict") for line in said)

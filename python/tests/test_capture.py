"""``record``: a part of a program is captured. A module stands in for PyTorch with torch-tpu's operators, which write dumps as
the runtime does; the last test registers them with PyTorch itself."""

import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

import bigtpuprofile

SIZE = "--launches 2 -q".split()


class Runtime:
    """torch-tpu's two operators: a dump is written at *disable*."""

    def __init__(self):
        self.calls, self.asked, self.is_silent = 0, None, False

    def enable_profile(self, records, mode):
        assert self.asked is None, "enabled twice"
        self.asked = (records, mode)

    def disable_profile(self):
        records, mode = self.asked
        self.asked = None
        if self.is_silent:
            return
        dump = f"cdm_profile_data_dev0-{self.calls}"
        self.calls += 1
        # As the runtime does.
        shutil.rmtree(dump, ignore_errors=True)
        subprocess.run([bigtpuprofile.binary(), "synth", dump, "--writer", "tpudnn", "--mode", str(mode), *SIZE], check=True)


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
    runtime = Runtime()
    library = torch.library.Library("my_ops", "DEF")
    library.define("enable_profile(int records, int mode) -> ()")
    library.define("disable_profile() -> ()")
    library.impl("enable_profile", runtime.enable_profile, "CompositeExplicitAutograd")
    library.impl("disable_profile", runtime.disable_profile, "CompositeExplicitAutograd")
    with bigtpuprofile.record(mode=1, host=True) as run:
        torch.nn.functional.relu(torch.zeros(4))
    assert run.profile.report.dump.events > 0
    trace = tmp_path / "run.pftrace"
    run.profile.trace(trace)
    assert b"aten::relu" in trace.read_bytes()

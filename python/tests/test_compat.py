"""The events of ``bigtpuprofile.compat`` are those of bigTpuProfile 0.3.7, on every fixture that it can read."""

import copy
import json
import pickle
from pathlib import Path

import pytest
from bigtpuprofile import ProfileError
from bigtpuprofile.compat import BMProfileParserPerfAI, ProfileParser
from events_digest import digest

# 0.3.7 is wrong there, and bigtpuprofile is not: docs/format.md, section 9.
CORRECTED = {"beyond-label-on-bound-record", "beyond-static-sdma-on-core-1"}
EXPECTED = json.loads((Path(__file__).parent / "data" / "events_0_3_7.json").read_text())


def test_there_are_many_fixtures():
    assert len(EXPECTED) >= 36


@pytest.mark.parametrize("name", sorted(set(EXPECTED) - CORRECTED))
def test_events_are_those_of_the_reference(name, fixtures):
    result = ProfileParser().parse(fixtures / name / "dump")
    assert digest(result) == EXPECTED[name]


def test_an_event_has_info_extra_and_meta(fixtures):
    dump = str(fixtures / "aksv-mode2-cdma" / "dump")
    parser = BMProfileParserPerfAI()
    result = parser.parse(dump)
    assert (result.input_dir, result.tiu_freq) == (dump, None)
    info, extra, meta = result.bd_events[0][0]
    assert (info["Function Name"], info["Start Time(ns)"], info["uArch Rate"]) == ("arith.cast", 2382, "50.0%")
    assert (extra["des_tsk_typ"], extra["des_res0_addr"]) == (3, 4639168)
    assert meta["Core Id"] == 0 and meta["kernel_func"] == "rmsnorm_forward_multi_core"
    info, extra, meta = result.cdma_events[2][0]
    assert (extra, meta["Port"], info["Engine Id"]) == (None, 2, 4)
    # Older scripts read the parser itself.
    assert parser.gdma_events == result.gdma_events


def test_lists_of_events_are_lists_in_every_use(fixtures):
    def fresh():
        return ProfileParser().parse(fixtures / "aksv-mode2-trace" / "dump").bd_events[0]

    plain = list(fresh())
    assert len(plain) > 2 and type(plain) is list
    uses = [
        lambda x: x[:],
        lambda x: x + [],
        lambda x: [] + x,
        lambda x: list(reversed(x))[::-1],
        lambda x: [*x],
        lambda x: x.copy(),
        lambda x: pickle.loads(pickle.dumps(x)),
        lambda x: copy.deepcopy(x),
        lambda x: [x[i] for i in range(len(x))],
        lambda x: sorted(x, key=lambda event: event[0]["Start Time(ns)"]),
        lambda x: [tuple(event) for event in json.loads(json.dumps(x))],
    ]
    for use in uses:
        assert use(fresh()) == plain
    assert fresh() == plain and plain == fresh() and fresh() == fresh() and plain[1] in fresh()
    assert isinstance(fresh(), list) and bool(fresh()) and fresh().index(plain[2]) == 2
    changed = fresh()
    changed.append(plain[0])
    assert len(changed) == len(plain) + 1 and changed[-1] == plain[0]


def test_the_clock_of_the_tiu_can_be_given(fixtures):
    dump = fixtures / "aksv-mode1" / "dump"
    plain, slow = (ProfileParser().parse(dump, mhz) for mhz in (None, 500))
    last = [result.bd_events[0][-1][0]["End Time(ns)"] for result in (plain, slow)]
    assert slow.tiu_freq == 500 and last[1] > last[0]


def test_a_folder_that_is_no_dump_is_an_error(tmp_path):
    with pytest.raises(ProfileError, match="global.profile"):
        ProfileParser().parse(tmp_path)

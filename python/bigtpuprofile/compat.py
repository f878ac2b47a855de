"""The parser of bigTpuProfile 0.3.7 on top of bigtpuprofile: the same classes, the same events.

>>> from bigtpuprofile.compat import BMProfileParserPerfAI
>>> result = BMProfileParserPerfAI().parse("cdm_profile_data_dev0-0")    # doctest: +SKIP
>>> info, extra, meta = result.bd_events[0][0]                           # doctest: +SKIP
"""

import json
import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, List, Optional

from ._binary import run
from ._record import Record

__all__ = ["BMProfileParserPerfAI", "ProfileParser", "ProfileResult"]


@dataclass
class ProfileResult:
    """The events of a dump: by core, those of the CDMA by port; each is a tuple ``(info, extra, meta)`` of dicts."""

    bd_events: List[list] = field(default_factory=list)
    gdma_events: List[list] = field(default_factory=list)
    sdma_events: List[list] = field(default_factory=list)
    cdma_events: List[list] = field(default_factory=list)
    num_cores: int = 0
    input_dir: str = ""
    tiu_freq: Optional[int] = None
    tail_offset_ns: Optional[int] = None
    archlib: Any = None


class ProfileParser:
    """Parses a dump directory: ``ProfileParser().parse(DUMP)``.

    The result's attributes are also those of the parser, as in versions before 0.3.5.
    """

    def parse(self, in_dir, tiu_freq=None):
        options = [] if tiu_freq is None else ["--tiu_freq", str(tiu_freq)]
        with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as folder:
            out = Path(folder, "out")
            run(["--emit", "text,report", "--quiet", *options], in_dir, out)
            texts = _texts(out)
            report = json.loads((out / "report.json").read_text(encoding="utf-8"), object_hook=Record)
        facts = report.dump
        files = _core_files(in_dir)
        dma = texts.get("tdma", {})
        sdma = _of_engine(dma, 3)
        result = ProfileResult(
            bd_events=_by_number(texts.get("tiu", {}), files),
            gdma_events=_by_number(_of_engine(dma, 1), files),
            # Of a static model, 0.3.7 lists only the cores whose SDMA ran, without gaps.
            sdma_events=[sdma[core] for core in sorted(sdma) if sdma[core]]
            if facts.is_static
            else _by_number(sdma, files),
            cdma_events=_by_number(texts.get("cdma", {}), _PORTS.get(facts.chip, 0) if facts.ports else 0),
            num_cores=facts.cores,
            input_dir=os.fspath(in_dir),
            tiu_freq=tiu_freq,
            tail_offset_ns=_tail_offset(in_dir),
            archlib=Record(facts),
        )
        vars(self).update(vars(result))
        return result


BMProfileParserPerfAI = ProfileParser

# CDMA ports of a chip: 0.3.7 has a list for each of them when any took part.
_PORTS = {"AKS": 11, "AKSV": 10}
_FILE = re.compile(r"(tiu|tdma|cdma)RegInfo_(\d+)\.txt")
# Values that stay texts, whatever they look like.
_NAMES = frozenset(
    ["Function Name", "Function Type", "Direction", "from_addr", "to_addr", "Data Type", "mode", "kernel_func"]
)


def _texts(folder):
    """The events of the register texts: by file's kind, then by core or port."""
    found = {}
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _FILE.fullmatch(path.name)
        if match:
            kind, number = match[1], int(match[2])
            found.setdefault(kind, {})[number] = _events(path, kind, number)
    return found


def _events(path, kind, number):
    """The events of a text: info up to ``Global Idx``, then meta, then extra under the name of its type."""
    events = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line == "__CHIP_ARCH_ARGS__":
                part = {}
            elif line.startswith("__"):
                part, meta = {}, {}
                event = [part, None, meta]
                events.append(event)
                if kind == "cdma":
                    meta["Port"] = number
            elif not line.startswith("\t"):
                part = event[1] = {}
            else:
                key, _, value = line[1:].partition(": ")
                if key == "Global Idx":
                    part = meta
                part[key] = _value(key, value)
    return [tuple(event) for event in events]


def _value(key, text):
    if key in _NAMES:
        return text
    if text == "None":
        return None
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text


def _of_engine(texts, engine):
    return {
        number: [event for event in events if event[0]["Engine Id"] == engine]
        for number, events in texts.items()
    }


def _by_number(events, count):
    count = max([count, *(number + 1 for number in events)])
    return [events.get(number, []) for number in range(count)]


def _core_files(folder):
    names = os.listdir(folder)
    return sum(re.fullmatch(r"cdmlib.*_\d+\.profile", name) is not None for name in names)


def _tail_offset(folder):
    """``tail_offset_ns`` of ``global.profile``."""
    text = Path(folder, "global.profile").read_text(encoding="utf-8", errors="replace")
    found = re.findall(r"^\s*tail_offset_ns\s*=\s*(-?\d+)\s*$", text, flags=re.MULTILINE)
    return int(found[-1]) if found else None

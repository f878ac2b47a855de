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
from functools import partial
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
    """Parses a dump directory: ``ProfileParser().parse(DUMP)``. The events of a core or port are made when they are used.

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
        sdma = _events("tdma", dma, 3)
        result = ProfileResult(
            bd_events=_by_number(_events("tiu", texts.get("tiu", {})), files),
            gdma_events=_by_number(_events("tdma", dma, 1), files),
            # Of a static model, 0.3.7 lists only the cores whose SDMA ran, without gaps.
            sdma_events=[sdma[core] for core in sorted(sdma) if sdma[core]]
            if facts.is_static
            else _by_number(sdma, files),
            cdma_events=_by_number(
                _events("cdma", texts.get("cdma", {})), _PORTS.get(facts.chip, 0) if facts.ports else 0
            ),
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


class _Events(list):
    """A list of events whose text is read when the list is used first; its length is known before."""

    __slots__ = ("_count", "_read")

    def __init__(self, count, read):
        super().__init__()
        self._count, self._read = count, read

    def _fill(self):
        if self._read is not None:
            read, self._read = self._read, None
            super().extend(read())

    def __len__(self):
        return self._count if self._read is not None else super().__len__()

    def __radd__(self, other):
        return other + list(self)

    def __reduce_ex__(self, protocol):
        self._fill()
        return list, (list(self),)


def _filled(name):
    own = getattr(list, name)

    def method(self, *arguments, **named):
        self._fill()
        for argument in arguments:
            if isinstance(argument, _Events):
                argument._fill()
        return own(self, *arguments, **named)

    method.__name__ = name
    return method


for _name in (
    "__add__ __contains__ __delitem__ __eq__ __ge__ __getitem__ __gt__ __iadd__ __imul__ __iter__ __le__ __lt__ __mul__ "
    "__ne__ __repr__ __reversed__ __rmul__ __setitem__ append clear copy count extend index insert pop remove reverse sort"
).split():
    setattr(_Events, _name, _filled(_name))
_Events.__hash__ = None


class _Pairs(dict):
    """Lines as pairs of key and value. Most lines of a text occur many times."""

    def __missing__(self, line):
        key, _, value = line[1:].partition(": ")
        pair = (key, _value(key, value))
        if len(self) < _MOST_PAIRS:
            self[line] = pair
        return pair


_MOST_PAIRS = 1 << 18
_TAGS = {"tiu": b"__TIU_REG_INFO__\n", "tdma": b"__TDMA_REG_INFO__\n", "cdma": b"__CDMA_REG_INFO__\n"}
_SECTION = re.compile(r"\n[^\t\n][^\n]*:\n")


def _texts(folder):
    """The register texts: by file's kind, then by core or port."""
    found = {}
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _FILE.fullmatch(path.name)
        if match:
            found.setdefault(match[1], {})[int(match[2])] = path.read_bytes()
    return found


def _events(kind, texts, engine=None):
    """The lists of a kind's events by core or port; of one engine, where a text holds two."""
    lists = {}
    for number, text in texts.items():
        mark = _TAGS[kind] if engine is None else b"\tEngine Id: %d\n" % engine
        lists[number] = _Events(text.count(mark), partial(_read, kind, number, text, mark))
    return lists


def _read(kind, number, text, mark):
    """The events of a text that hold a mark: info up to ``Global Idx``, then meta, then extra under the name of its type."""
    pairs, events = _Pairs(), []
    pair = pairs.__getitem__
    tag = _TAGS[kind]
    for record in text.split(tag)[1:]:
        if mark is not tag and mark not in record:
            continue
        info, _, rest = record.decode("utf-8").partition("\n\tGlobal Idx: ")
        section = _SECTION.search(rest)
        meta = dict(Port=number) if kind == "cdma" else {}
        own = "\tGlobal Idx: " + (rest[: section.start()] if section else rest.rstrip("\n"))
        meta.update(map(pair, own.split("\n")))
        extra = None
        if section:
            lines = rest[section.end() :].rstrip("\n")
            extra = dict(map(pair, lines.split("\n"))) if lines else {}
        events.append((dict(map(pair, info.split("\n"))), extra, meta))
    return events


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

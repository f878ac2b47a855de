"""The parser of bigTpuProfile 0.3.7 on top of bigtpuprofile: the same classes, the same events.

>>> from bigtpuprofile.compat import BMProfileParserPerfAI
>>> result = BMProfileParserPerfAI().parse("cdm_profile_data_dev0-0")    # doctest: +SKIP
>>> info, extra, meta = result.bd_events[0][0]                           # doctest: +SKIP
"""

import gc
import os
import re
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, List, Optional

from ._binary import opened
from ._native import Commands
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
        commands = opened(Commands, options, in_dir)
        facts = Record(commands.facts())
        lists = {"tiu": {}, "gdma": {}, "sdma": {}, "cdma": {}}
        for engine, index, count in commands.engines():
            lists[engine][index] = _Events(count, partial(commands.events, engine, index))
        files, sdma = _core_files(in_dir), lists["sdma"]
        result = ProfileResult(
            bd_events=_by_number(lists["tiu"], files),
            gdma_events=_by_number(lists["gdma"], files),
            # Of a static model, 0.3.7 lists only the cores whose SDMA ran, without gaps.
            sdma_events=[sdma[core] for core in sorted(sdma)] if facts.is_static else _by_number(sdma, files),
            cdma_events=_by_number(lists["cdma"], _PORTS.get(facts.chip, 0) if facts.ports else 0),
            num_cores=facts.cores,
            input_dir=os.fspath(in_dir),
            tiu_freq=tiu_freq,
            tail_offset_ns=_tail_offset(in_dir),
            archlib=facts,
        )
        vars(self).update(vars(result))
        return result


BMProfileParserPerfAI = ProfileParser

# CDMA ports of a chip: 0.3.7 has a list for each of them when any took part.
_PORTS = {"AKS": 11, "AKSV": 10}


class _Events(list):
    """A list of events that are made when the list is used first; its length is known before."""

    __slots__ = ("_count", "_read")

    def __init__(self, count, read):
        super().__init__()
        self._count, self._read = count, read

    def _fill(self):
        if self._read is not None:
            read, self._read = self._read, None
            # Garbage is not looked for among objects that all stay: that would take half of the time.
            collects = gc.isenabled()
            gc.disable()
            try:
                super().extend(read())
            finally:
                if collects:
                    gc.enable()

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

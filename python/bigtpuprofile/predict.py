"""Predictions from Python: pipelines as graphs, schedules side by side, models on other machines.

>>> from bigtpuprofile import predict
>>> quick = predict.schedule("zbv", stages=8, microbatches=10, fwd=1315, bwd=2733, wgt=2650)
>>> slow = predict.schedule("zbv", stages=8, microbatches=10, fwd=2743, bwd=4563, wgt=4324)
>>> first = quick.filter(lambda event: event.stage < 4)
>>> second = slow.filter(lambda event: event.stage >= 4)
>>> run = first.merge(second, predict.boundary(quick, 4)).simulate()
>>> run.makespan < slow.simulate().makespan, len(run.events)
(True, 480)

All of it is computed by the program: a graph is its file (``pipeline --graph``), a result its ``--json``.
"""

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._binary import run
from ._profile import PathLike
from ._record import Record, Table, parsed

__all__ = ["Edge", "Event", "Graph", "Pipeline", "Policy", "boundary", "compare", "estimate", "schedule", "search"]

#: Version of a graph's file.
_VERSION = 1


class Event(NamedTuple):
    """A forward pass (``F``), a backward pass (``B``) or a gradient of weights (``W``) of a microbatch on a chunk of a stage."""

    type: str
    stage: int
    microbatch: int
    chunk: int = 0


class Policy(NamedTuple):
    """How a stage without a fixed order chooses: backwards before forwards before gradients of weights, with at most
    ``max_activations`` chunks of activations."""

    max_activations: int
    chunks: int = 1


class Edge(NamedTuple):
    """``target`` needs the result of ``source``, which takes ``lag`` until it is there."""

    source: Event
    target: Event
    lag: int = 0


#: What is taken for an edge.
EdgeLike = Union[Edge, Tuple[Event, Event], Tuple[Event, Event, int]]


class Graph:
    """Events with their durations, and edges between them.

    Times are whole numbers in any unit. The order in which events and edges are added counts: of events that become ready
    at the same time on a stage, the one that was added first runs first. A stage with a :class:`Policy` chooses by it.
    """

    def __init__(
        self,
        durations: Optional[Dict[Event, int]] = None,
        edges: Iterable[EdgeLike] = (),
        policies: Optional[Dict[int, Policy]] = None,
    ):
        self._policies: Dict[int, Policy] = {stage: Policy(*policy) for stage, policy in (policies or {}).items()}
        self._durations: Dict[Event, int] = {Event(*event): time for event, time in (durations or {}).items()}
        self._edges: List[Edge] = [Edge(*edge) for edge in edges]

    @property
    def durations(self) -> Dict[Event, int]:
        """The duration of each event: a copy."""
        return dict(self._durations)

    @property
    def edges(self) -> List[Edge]:
        """The edges: a copy."""
        return list(self._edges)

    @property
    def policies(self) -> Dict[int, Policy]:
        """The policy of each stage that has one: a copy."""
        return dict(self._policies)

    def __len__(self) -> int:
        return len(self._durations)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._durations)

    def __contains__(self, event: object) -> bool:
        return event in self._durations

    def __getitem__(self, event: Event) -> int:
        return self._durations[event]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        own, others = (
            (list(graph._durations.items()), graph._edges, graph._policies) for graph in (self, other)
        )
        return own == others

    def __repr__(self) -> str:
        return f"<Graph: {len(self)} events, {len(self._edges)} edges>"

    def add(self, event: Event, duration: int) -> "Graph":
        """Adds an event; an event that is there gets the new duration. Returns the graph."""
        self._durations[Event(*event)] = duration
        return self

    def connect(self, source: Event, target: Event, lag: int = 0) -> "Graph":
        """Adds an edge: ``target`` needs ``source``. Returns the graph."""
        self._edges.append(Edge(Event(*source), Event(*target), lag))
        return self

    def filter(self, keep: Callable[[Event], bool]) -> "Graph":
        """The events that ``keep`` accepts, the edges between them, and the policies of their stages."""
        kept = {event: time for event, time in self._durations.items() if keep(event)}
        stages = {event.stage for event in kept}
        policies = {stage: policy for stage, policy in self._policies.items() if stage in stages}
        edges = (edge for edge in self._edges if edge.source in kept and edge.target in kept)
        return Graph(kept, edges, policies)

    def scaled(self, factor: Union[float, Callable[[Event], float]]) -> "Graph":
        """The same graph with durations times a factor, or a factor for each event; rounded."""
        of = factor if callable(factor) else lambda _: factor
        durations = {event: round(time * of(event)) for event, time in self._durations.items()}
        return Graph(durations, self._edges, self._policies)

    def merge(self, other: "Graph", edges: Iterable[EdgeLike] = ()) -> "Graph":
        """Both graphs in one, with edges between them. Raises :class:`ValueError` for an event that is in both, or is missing."""
        twice = next((event for event in other if event in self), None)
        if twice is not None:
            raise ValueError(f"{twice} is in both graphs; filter one of them before merging")
        for stage, policy in other._policies.items():
            if self._policies.get(stage, policy) != policy:
                raise ValueError(f"stage {stage} has a policy in both graphs, and they differ; filter one of them before merging")
        policies = {**self._policies, **other._policies}
        merged = Graph({**self._durations, **other._durations}, [*self._edges, *other._edges], policies)
        for edge in edges:
            edge = Edge(*edge)
            for event in edge[:2]:
                if event not in merged:
                    raise ValueError(f"an edge names {event}, which neither graph has")
            merged._edges.append(edge)
        return merged

    def to_dict(self) -> Dict[str, Any]:
        """The content of the graph's file. Raises :class:`ValueError` for an edge of an event that is missing."""
        number = {event: at for at, event in enumerate(self._durations)}
        edges = []
        for edge in self._edges:
            missing = next((event for event in edge[:2] if event not in number), None)
            if missing is not None:
                raise ValueError(f"an edge names {missing}, which the graph does not have")
            row = [number[edge.source], number[edge.target]]
            edges.append([*row, edge.lag] if edge.lag else row)
        events = [{**event._asdict(), "duration": time} for event, time in self._durations.items()]
        content = {"schema_version": _VERSION, "events": events, "edges": edges}
        if self._policies:
            content["policies"] = [{"stage": stage, **policy._asdict()} for stage, policy in sorted(self._policies.items())]
        return content

    @classmethod
    def from_dict(cls, content: Dict[str, Any]) -> "Graph":
        """A graph from the content of its file."""
        if content.get("schema_version") != _VERSION:
            raise ValueError(f"a graph of version {content.get('schema_version')}; this package reads version {_VERSION}")
        names = [Event(one["type"], one["stage"], one["microbatch"], one.get("chunk", 0)) for one in content["events"]]
        durations = {event: one["duration"] for event, one in zip(names, content["events"])}
        edges = (Edge(names[row[0]], names[row[1]], *row[2:]) for row in content["edges"])
        policies = {one["stage"]: Policy(one["max_activations"], one["chunks"]) for one in content.get("policies", ())}
        return cls(durations, edges, policies)

    def save(self, path: PathLike) -> None:
        """Writes the graph's file, which ``bigtpuprofile pipeline --graph`` simulates."""
        Path(path).write_text(json.dumps(self.to_dict()), encoding="utf-8")

    @classmethod
    def load(cls, path: PathLike) -> "Graph":
        """Reads a file that :meth:`save` or ``bigtpuprofile pipeline --save-graph`` wrote."""
        return cls.from_dict(json.loads(Path(path).read_text(encoding="utf-8")))

    def simulate(self, *, compat: Optional[str] = None) -> "Pipeline":
        """Runs the graph: an event starts when all that it needs has ended and its stage is free.

        ``compat="perflow"``: by the queue of PerFlow-AI, for comparing with its figures.
        """
        with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as folder:
            path = os.path.join(folder, "graph.json")
            self.save(path)
            text = run(["pipeline", "--graph", path, "--json", *_options({"compat": compat})])
        return Pipeline(json.loads(text), self, compat)


class Pipeline(Record):
    """A simulated graph: ``makespan``, ``bubble_ratio``, ``stage_busy``, ``peak_activations``, ``events``, ``critical_path``.

    ``events`` and ``critical_path`` are tables. The fields are those of ``pipeline --json``.
    """

    def __init__(self, report: Dict[str, Any], graph: Graph, compat: Optional[str]):
        super().__init__({**report, "events": Table(report["events"]), "critical_path": Table(report["critical_path"])})
        # Not fields of the report.
        object.__setattr__(self, "_graph", graph)
        object.__setattr__(self, "_compat", compat)

    def write(self, folder: PathLike) -> Path:
        """Writes ``pipeline.svg``, ``pipeline.html`` and ``pipeline.pftrace`` into a directory."""
        with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as place:
            path = os.path.join(place, "graph.json")
            self._graph.save(path)
            run(["pipeline", "--graph", path, "--out", os.fspath(folder), *_options({"compat": self._compat})])
        return Path(folder)

    def svg(self, path: PathLike) -> Path:
        """Writes the picture of the schedule."""
        with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as place:
            shutil.copyfile(self.write(os.path.join(place, "out")) / "pipeline.svg", path)
        return Path(path)

    def __repr__(self) -> str:
        return f"<Pipeline: makespan {self.makespan}, bubble {self.bubble_ratio:.1%}>"


def schedule(
    name: str, *, stages: int, microbatches: int, fwd: int, bwd: int, wgt: int = 0, **options: Any
) -> Graph:
    """The graph of a schedule: gpipe, 1f1b, 1f1b-eager, interleaved, zb, zb-h1, zb-h2 or zbv.

    Further options are those of ``bigtpuprofile pipeline``, with ``_`` for ``-``: ``chunks``, ``comm``, ``cost_per``,
    ``compat="perflow"`` (its graphs, edge by edge), ``stage=["4-7=2743,4563,4324"]`` (costs of some stages).
    """
    sizes = {"stages": stages, "microbatches": microbatches, "fwd": fwd, "bwd": bwd, "wgt": wgt}
    with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as folder:
        path = os.path.join(folder, "graph.json")
        run(["pipeline", "--schedule", name, "--save-graph", path, *_options({**sizes, **options})])
        return Graph.load(path)


def boundary(graph: Graph, stage: int, lag: Optional[int] = None) -> List[Edge]:
    """The edges of a graph over the boundary before a stage, which merging two halves needs: forward and backward passes of
    each microbatch and chunk, and where chunks are handed from the last stage to the first. Odd chunks go the other way where
    the graph has the shape of a V. ``lag`` is the time over the boundary, by default that of the graph."""
    crossing = [edge for edge in graph.edges if (edge.source.stage < stage) != (edge.target.stage < stage)]
    own = {(edge.source, edge.target): edge.lag for edge in crossing}
    turned = any(
        edge.source.stage > edge.target.stage and edge.source.chunk == edge.target.chunk
        for edge in graph.edges
        if edge.source.type == edge.target.type == "F"
    )
    trains = any(event.type == "B" for event in graph)
    before = [event for event in graph if event.type == "F" and event.stage == stage - 1]
    edges: List[Edge] = []

    def add(source: Event, target: Event) -> None:
        edges.append(Edge(source, target, own.pop((source, target), 0) if lag is None else lag))

    for event in sorted(before, key=lambda event: (event.chunk, event.microbatch)):
        near, far = event, event._replace(stage=stage)
        if turned and event.chunk % 2:
            near, far = far, near
        add(near, far)
        if trains:
            add(far._replace(type="B"), near._replace(type="B"))
    known = {(edge.source, edge.target) for edge in edges}
    edges.extend(edge for edge in crossing if (edge.source, edge.target) not in known)
    return edges


def compare(schedules: Union[str, Iterable[str]] = "all", **options: Any) -> Table:
    """Schedules side by side, the shortest first: a row for each, without its events.

    Options are those of ``bigtpuprofile pipeline``: ``stages=4, microbatches=8, fwd=1315, bwd=2733, wgt=2650, comm=100``, or
    ``costs="costs.json"``, ``sweep=["microbatches=4,8,16"]``.
    """
    names = schedules if isinstance(schedules, str) else ",".join(schedules)
    found = _json(["pipeline", "--schedule", names, *_options(options)])
    reports = found if isinstance(found, list) else [found]
    return Table({name: value for name, value in report.items() if name not in ("events", "critical_path")} for report in reports)


def estimate(
    model: Optional[PathLike] = None, *, on: Union[str, Iterable[str], None] = None, **options: Any
) -> Table:
    """A model on one or several machines: a row for each, as ``bigtpuprofile estimate --json`` prints them.

    ``hf="config.json"`` instead of ``model`` is a language model; then there is a row for each machine and setting, with
    ``first_token_ns``, ``token_ns``, ``memory`` and so on: ``tensor_parallel=[1, 2, 4], batch=8, context=2048``.
    Without ``on``, the mapping of an operator list counts, or ``map=["lm_head:PIM-AI-4chip"]``.
    """
    if (model is None) == ("hf" not in options):
        raise ValueError("give either a model or hf")
    files = [] if model is None else [model]
    machines = None if on is None else _list(on)
    return Table(_json(["estimate", *_options({"on": machines, **options})], *files))


def search(graph: PathLike, **options: Any) -> Record:
    """The fastest way to split a model over devices, as ``bigtpuprofile search --json`` prints it.

    Options are those of the command: ``machine="1x4", on="aks", link_gbps=50, memory=16_000_000_000``.
    """
    return _json(["search", *_options(options)], graph)


def _json(words: List[str], *files: PathLike) -> Any:
    return parsed(run([*words, "--json"], *files))


def _list(value: Union[str, Iterable[str]]) -> str:
    return value if isinstance(value, str) else ",".join(map(str, value))


#: Options that are given once for each of their values.
_REPEATED = ("stage", "sweep", "map", "dim", "input_shape", "input_value")


def _options(options: Dict[str, Any]) -> List[str]:
    """``link_gbps=50, training=True`` as arguments of the program."""
    words: List[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif name in _REPEATED and not isinstance(value, str):
            words.extend(f"{option}={one}" for one in value)
        elif isinstance(value, (list, tuple)):
            words.append(f"{option}={_list(value)}")
        else:
            words.append(f"{option}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words

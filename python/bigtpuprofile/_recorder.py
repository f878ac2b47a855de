"""A recorder for PyTorch: the operators of a model as it runs, with shapes and measured times.

>>> import bigtpuprofile
>>> with bigtpuprofile.record_model(model) as r:    # doctest: +SKIP
...     model(x)
>>> r.estimate(on="h100-sxm,aks")                   # doctest: +SKIP

The package does not need PyTorch; a model to record has it.
"""

import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

from . import predict
from ._profile import PathLike
from ._record import Record, Table

__all__ = ["Operator", "Recording", "record_model"]

Shape = Tuple[int, ...]

#: Functions that are recorded, by the name that the program knows.
_FUNCTIONS = {
    "matmul": "matmul",
    "__matmul__": "matmul",
    "__rmatmul__": "matmul",
    "bmm": "bmm",
    "softmax": "softmax",
    "scaled_dot_product_attention": "scaled_dot_product_attention",
}


class Operator(NamedTuple):
    """An executed layer or function."""

    #: Class of the layer, or name of the function.
    name: str
    #: What the model calls it: the layer's attribute, the variable of a function's result.
    context: str
    #: The layer's place in the model, such as ``model.layers.0.self_attn.q_proj``; empty for a function.
    path: str
    #: ``sum`` (summarization: the first pass) or ``gen`` (generation: all later ones).
    phase: str
    input: Shape
    #: As ``[in, out]`` for a linear layer, whole for a convolution; the second factor of a product.
    weights: Shape
    output: Shape
    #: Type of the elements.
    data_type: str
    #: Measured time on the processor, in ns.
    measured_ns: int
    #: Of a convolution, height and width.
    stride: Optional[Tuple[int, int]] = None
    padding: Optional[Tuple[int, int]] = None
    groups: int = 1


class Recording:
    """What a model executed. ``with record_model(model) as r`` fills it."""

    def __init__(self, model: Any, last_layer: Optional[str], mapping: Optional[Dict[str, str]]):
        self._model = model
        self._last_layer = last_layer
        self._mapping = dict(mapping or {})
        self._operators: List[Operator] = []
        self._handles: List[Any] = []
        self._mode: Any = None
        self._started: Dict[int, List[Tuple[Shape, int]]] = {}
        self._passes = 0
        # Functions that a recorded layer calls belong to the layer.
        self._inside = 0

    @property
    def operators(self) -> List[Operator]:
        """The executed operators, in their order: a copy."""
        return list(self._operators)

    @property
    def passes(self) -> int:
        """How often the last layer ran."""
        return self._passes

    @property
    def last_layer(self) -> Optional[str]:
        """The layer whose execution ends a pass: as given, else the last linear layer that ran."""
        if self._last_layer is not None:
            return self._last_layer
        linear = [one.context for one in self._operators if _is_linear(one.name)]
        return linear[-1] if linear else None

    def map(self, layers: Union[str, Iterable[str]], machine: str) -> "Recording":
        """Maps layers, by what the model calls them or by their class, to a machine: ``r.map("lm_head", "PIM-AI-4chip,t")``."""
        for layer in [layers] if isinstance(layers, str) else layers:
            known = {one.context for one in self._operators} | {one.name for one in self._operators}
            if self._operators and layer not in known:
                raise ValueError(f"no layer or function {layer!r} ran; those that did are {', '.join(sorted(known))}")
            self._mapping[layer] = machine
        return self

    def to_dict(self, *, upmem: bool = False) -> Dict[str, Any]:
        """The operator list that ``bigtpuprofile estimate`` reads. ``upmem``: as UPMEM's framework records it, for ``--compat
        upmem``: its names of classes, its shapes of weights, no types."""
        ops = []
        for number, one in enumerate(self._phased()):
            op: Dict[str, Any] = {"id": number, "name": one.name, "context": one.context, "phase": one.phase}
            weights = _upmem_weights(one) if upmem else one.weights
            op.update(input=list(one.input), weights=list(weights), output=list(one.output))
            if one.stride is not None:
                op.update(stride=list(one.stride), padding=list(one.padding or (0, 0)), groups=one.groups)
            if upmem:
                op["name"] = f"UPM_{one.name}" if one.path else one.name
            else:
                op.update(data_type=one.data_type, path=one.path, measured_ns=one.measured_ns)
            ops.append(op)
        content: Dict[str, Any] = {"schema_version": 1, "ops": ops, "mapping": self._mapping}
        start = {"batch_size": self._batch()}
        if self.last_layer is not None:
            start["last_layer"] = self.last_layer
        content["start"] = start
        return content

    def write(self, path: PathLike, *, upmem: bool = False) -> Path:
        """Writes the operator list."""
        Path(path).write_text(json.dumps(self.to_dict(upmem=upmem)), encoding="utf-8")
        return Path(path)

    def estimate(self, on: Union[str, Iterable[str], None] = None, **options: Any) -> List[Record]:
        """The recorded model on machines, as :func:`bigtpuprofile.predict.estimate` gives it; without ``on`` as it is mapped.
        With ``compat="upmem"`` by the formulas of UPMEM's framework."""
        with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as folder:
            path = self.write(os.path.join(folder, "ops.json"), upmem=options.get("compat") == "upmem")
            return predict.estimate(path, on=on, **options)

    def compare(self, on: Union[str, Iterable[str]], **options: Any) -> Table:
        """Each operator with its measured time and its predicted time on each machine, in ns."""
        estimates = self.estimate(on, **options)
        rows = []
        for number, one in enumerate(self._phased()):
            row = {"name": one.name, "context": one.context, "phase": one.phase, "input": list(one.input)}
            row.update(weights=list(one.weights), output=list(one.output), measured_ns=one.measured_ns)
            for estimate in estimates:
                row[estimate.target] = estimate.ops[number].time_ns
            rows.append(row)
        return Table(rows)

    def __enter__(self) -> "Recording":
        try:
            from torch.overrides import TorchFunctionMode
        except ImportError as error:
            raise ImportError("PyTorch is not installed; install torch to record one of its models") from error
        for path, module in self._model.named_modules():
            # A layer without layers inside; the model itself where it is one.
            if next(module.children(), None) is None:
                self._handles.append(module.register_forward_pre_hook(self._begins, with_kwargs=True))
                hook = self._ended(path, module)
                self._handles.append(module.register_forward_hook(hook, with_kwargs=True))
        recording = self

        class Functions(TorchFunctionMode):
            def __torch_function__(self, function, types, args=(), kwargs=None):
                kwargs = kwargs or {}
                name = _FUNCTIONS.get(getattr(function, "__name__", ""))
                if name is None or recording._inside:
                    return function(*args, **kwargs)
                # What a function calls is a part of it.
                recording._inside += 1
                begin = time.perf_counter_ns()
                try:
                    result = function(*args, **kwargs)
                finally:
                    recording._inside -= 1
                spent = time.perf_counter_ns() - begin
                recording._add_function(name, args, kwargs, result, spent, _assigned(sys._getframe(1)))
                return result

        self._mode = Functions()
        self._mode.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._mode.__exit__(kind, error, trace)
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        self._started.clear()
        self._inside = 0

    def __repr__(self) -> str:
        return f"<Recording: {len(self._operators)} operators, {self._passes} passes>"

    def _begins(self, module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        tensor = _first_tensor((*args, *kwargs.values()))
        self._inside += 1
        self._started.setdefault(id(module), []).append((_shape(tensor), time.perf_counter_ns()))

    def _ended(self, path: str, module: Any) -> Any:
        context = _context(path) or type(module).__name__

        def ended(module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any], result: Any) -> None:
            end = time.perf_counter_ns()
            self._inside -= 1
            shape, begin = self._started[id(module)].pop()
            tensor = _first_tensor(result if isinstance(result, (tuple, list)) else (result,))
            name = type(module).__name__
            if tensor is None or name in ("Dropout", "Identity"):
                return
            # A rotary embedding gives angles; its work is on what it is given.
            output = shape if "Rotary" in name else _shape(tensor)
            settings = _settings(module)
            self._add(Operator(name, context, path, "", shape, _weights(module), output, _type(tensor), end - begin, **settings))

        return ended

    def _add_function(
        self, name: str, args: Tuple[Any, ...], kwargs: Dict[str, Any], result: Any, spent: int, context: Optional[str]
    ) -> None:
        tensors = [one for one in (*args, *kwargs.values()) if hasattr(one, "shape")]
        if name == "scaled_dot_product_attention":
            # The key, as a cache shows in its rows; the query's rows are those of the output.
            query, key = tensors[0], tensors[1]
            shapes = _shape(key), _shape(query)
        elif name == "softmax":
            shapes = _shape(tensors[0]), ()
        else:
            shapes = _shape(tensors[0]), _shape(tensors[1])
        self._add(Operator(name, context or name, "", "", *shapes, _shape(result), _type(result), spent))

    def _add(self, operator: Operator) -> None:
        self._operators.append(operator)
        self._passes = sum(1 for one in self._operators if one.context == self.last_layer)

    def _phased(self) -> List[Operator]:
        """The operators with their phases: the first pass is summarization."""
        phased, phase = [], "sum"
        last = self.last_layer
        for one in self._operators:
            phased.append(one._replace(phase=phase))
            if one.context == last:
                phase = "gen"
        return phased

    def _batch(self) -> int:
        first = next((one for one in self._operators if one.input), None)
        return first.input[0] if first and len(first.input) > 1 else 1


def record_model(
    model: Any, *, last_layer: Optional[str] = None, mapping: Optional[Dict[str, str]] = None
) -> Recording:
    """Records what a PyTorch model executes: ``with record_model(model) as r: model(x)``.

    Layers without layers inside are recorded, and the functions ``matmul``, ``bmm``, ``softmax`` and
    ``scaled_dot_product_attention`` between them, with the time that each took on the processor. ``last_layer`` is the layer
    whose execution ends a pass: the first pass is the summarization, later ones are generation.
    """
    return Recording(model, last_layer, mapping)


def _is_linear(name: str) -> bool:
    return "Linear" in name or name == "Conv1D"


def _context(path: str) -> str:
    """The last part of a path that is no number, with the numbers behind it."""
    parts = path.split(".")
    at = len(parts) - 1
    while at > 0 and parts[at].isdigit():
        at -= 1
    return ".".join(parts[at:])


def _first_tensor(values: Iterable[Any]) -> Any:
    return next((value for value in values if hasattr(value, "shape") and hasattr(value, "dtype")), None)


def _shape(tensor: Any) -> Shape:
    return tuple(int(size) for size in tensor.shape) if tensor is not None else ()


def _type(tensor: Any) -> str:
    return str(tensor.dtype).rsplit(".", 1)[-1] if tensor is not None else "float32"


def _weights(module: Any) -> Shape:
    weight = getattr(module, "weight", None)
    shape = _shape(weight) if hasattr(weight, "shape") else ()
    # PyTorch has linear weights as [out, in]; GPT-2's Conv1D has them as [in, out].
    return shape[::-1] if len(shape) == 2 and type(module).__name__ != "Conv1D" and "Linear" in type(module).__name__ else shape


def _settings(module: Any) -> Dict[str, Any]:
    stride, padding = getattr(module, "stride", None), getattr(module, "padding", None)
    if not isinstance(stride, tuple) or len(stride) != 2 or not isinstance(padding, tuple):
        return {}
    return {"stride": stride, "padding": padding, "groups": getattr(module, "groups", 1)}


def _upmem_weights(one: Operator) -> Shape:
    """Weights as UPMEM's framework records them."""
    if not one.path:
        return one.weights or one.input
    if "RMSNorm" in one.name and one.weights:
        return (one.weights[-1], one.weights[-1])
    if "Conv2d" in one.name:
        return one.weights[-2:]
    if _is_linear(one.name):
        return one.weights
    return (1, 1)


def _assigned(frame: Any) -> Optional[str]:
    """The variable that the line of a call outside of PyTorch assigns, or ``return``."""
    import linecache

    while frame is not None and os.sep + "torch" + os.sep in frame.f_code.co_filename:
        frame = frame.f_back
    if frame is None:
        return None
    text = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    found = re.match(r"\s*(?:(return)\b|([A-Za-z_]\w*)\s*(?:,\s*\w+\s*)*(?::[^=]+)?=[^=])", text)
    return (found.group(1) or found.group(2)) if found else None

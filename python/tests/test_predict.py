"""``bigtpuprofile.predict``: graphs, schedules, models on other machines."""

import doctest
import json
import subprocess

import bigtpuprofile
import pytest
from bigtpuprofile import predict
from bigtpuprofile.predict import Edge, Event, Graph

SIZES = {"stages": 4, "microbatches": 8, "fwd": 1315, "bwd": 2733, "wgt": 2650}
QUICK, SLOW = (1315, 2733, 2650), (2743, 4563, 4324)


def v_shaped(cost, **options):
    fwd, bwd, wgt = cost
    sizes = {"stages": 8, "microbatches": 10, "chunks": 2, "fwd": fwd, "bwd": bwd, "wgt": wgt}
    return predict.schedule("zbv", **sizes, **options)


def test_the_pipeline_over_two_kinds_of_devices_takes_the_published_time(tmp_path):
    quick, slow = v_shaped(QUICK, compat="perflow"), v_shaped(SLOW, compat="perflow")
    first = quick.filter(lambda event: event.stage < 4)
    second = slow.filter(lambda event: event.stage >= 4)
    graph = first.merge(second, predict.boundary(quick, 4))
    run = graph.simulate(compat="perflow")
    assert run.makespan == 283887
    assert (run.schedule, run.stages, run.microbatches, run.chunks) == ("graph", 8, 10, 2)
    assert len(run.events) == len(graph) == 8 * 10 * 2 * 3
    assert run.svg(tmp_path / "pipeline.svg").read_text(encoding="utf-8").startswith("<svg")
    # By the rule that fills each stage as soon as it can.
    assert graph.simulate().makespan < 1.1 * run.makespan


@pytest.mark.parametrize("name", ["gpipe", "1f1b", "1f1b-eager", "interleaved", "zb", "zb-h1", "zb-h2", "zbv"])
def test_the_graph_of_a_schedule_takes_its_time(name):
    graph = predict.schedule(name, **SIZES, comm=100)
    run = graph.simulate()
    (row,) = predict.compare(name, **SIZES, comm=100)
    assert (run.makespan, run.peak_activations) == (row.makespan, row.peak_activations)
    path = run.critical_path
    assert sum(step.end - step.start + step.wait for step in path) == run.makespan


@pytest.mark.parametrize("name", ["gpipe", "1f1b", "1f1b-eager", "interleaved", "zb", "zb-h1", "zb-h2", "zbv"])
@pytest.mark.parametrize("stages,microbatches", [(2, 4), (4, 8), (8, 16)])
def test_merged_halves_take_the_time_of_the_whole(name, stages, microbatches):
    def graph(cost):
        fwd, bwd, wgt = cost
        return predict.schedule(name, stages=stages, microbatches=microbatches, fwd=fwd, bwd=bwd, wgt=wgt, comm=100)

    half = stages // 2
    quick, slow = graph(QUICK), graph(SLOW)
    first = quick.filter(lambda event: event.stage < half)
    second = slow.filter(lambda event: event.stage >= half)
    run = first.merge(second, predict.boundary(quick, half)).simulate()
    costs = [f"0-{half - 1}={','.join(map(str, QUICK))}", f"{half}-{stages - 1}={','.join(map(str, SLOW))}"]
    (whole,) = predict.compare(name, stages=stages, microbatches=microbatches, stage=costs, comm=100)
    assert run.makespan == whole.makespan
    policies = first.policies
    assert set(policies) == (set(range(half)) if name in ("zb", "zbv") else set())
    assert Graph.from_dict(first.to_dict()) == first


def test_the_first_example_of_the_module_runs():
    found = doctest.testmod(predict)
    assert (found.failed, found.attempted) == (0, 7)


def test_graphs_are_built_by_hand():
    forward = [Event("F", stage, 0) for stage in range(3)]
    graph = Graph({event: 10 for event in forward})
    graph.connect(forward[0], forward[1]).connect(forward[1], forward[2], lag=5)
    assert graph.simulate().makespan == 35
    assert graph.scaled(2).simulate().makespan == 65
    assert graph.scaled(lambda event: 3 if event.stage == 1 else 1).simulate().makespan == 55
    # A stage does one thing at a time; what was added first goes first.
    other = Event("F", 0, 1)
    run = graph.add(other, 7).simulate()
    assert {event.start for event in run.events if event.stage == 0} == {0, 10}
    assert graph[other] == 7 and other in graph and len(graph) == 4
    inner = graph.filter(lambda event: event.stage > 0)
    assert (inner.edges, len(inner)) == ([Edge(forward[1], forward[2], 5)], 2)
    assert run.events.columns == ["type", "stage", "microbatch", "chunk", "start", "end"]


def test_graphs_are_files_of_the_program(tmp_path):
    graph = predict.schedule("1f1b", **SIZES, comm=50)
    path = tmp_path / "graph.json"
    graph.save(path)
    assert Graph.load(path) == graph
    command = [bigtpuprofile.binary(), "pipeline", "--graph", str(path), "--json"]
    printed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert printed["makespan"] == graph.simulate().makespan
    other = Graph.from_dict(graph.to_dict())
    assert other == graph and other != other.scaled(2) and repr(other) == f"<Graph: {len(graph)} events, {len(graph.edges)} edges>"


def test_what_can_not_be_is_said(tmp_path):
    one, two = Event("F", 0, 0), Event("F", 1, 0)
    graph = Graph({one: 1, two: 1})
    with pytest.raises(ValueError, match="is in both graphs"):
        graph.merge(Graph({two: 3}))
    with pytest.raises(ValueError, match="which neither graph has"):
        graph.merge(Graph(), [(one, Event("F", 9, 0))])
    with pytest.raises(ValueError, match="which the graph does not have"):
        Graph({one: 1}, [(one, two)]).simulate()
    with pytest.raises(bigtpuprofile.ProfileError, match="waits for itself"):
        graph.connect(one, two).connect(two, one).simulate()
    with pytest.raises(bigtpuprofile.ProfileError, match="is not a schedule"):
        predict.schedule("nothing", **SIZES)
    with pytest.raises(bigtpuprofile.ProfileError, match="link-occupancy"):
        predict.schedule("1f1b", **SIZES, comm=1, link_occupancy=True)
    with pytest.raises(ValueError, match="version 9"):
        Graph.from_dict({"schema_version": 9})
    with pytest.raises(ValueError, match="either a model or hf"):
        predict.estimate(on="aks")


def test_schedules_are_side_by_side():
    table = predict.compare(**SIZES)
    assert {row.schedule for row in table} >= {"gpipe", "1f1b", "zbv"}
    assert [row.makespan for row in table] == sorted(row.makespan for row in table)
    sweep = predict.compare(["1f1b"], sweep=["microbatches=8,16"], **{**SIZES, "microbatches": None})
    assert {row.microbatches for row in sweep} == {8, 16}


def test_models_on_other_machines(tmp_path):
    config = tmp_path / "config.json"
    sizes = {"hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100}
    config.write_text(json.dumps({"model_type": "llama", "torch_dtype": "float16", **sizes}), encoding="utf-8")
    found = predict.estimate(hf=config, on=["h100-sxm", "aks"], tensor_parallel=[1, 2], link_gbps=50)
    assert [(one.target, one.setting.devices) for one in found] == [("H100-SXM", 1), ("H100-SXM", 2), ("AKS", 1), ("AKS", 2)]
    assert found[0].memory.weight_bytes == 2 * found[0].parameters
    model = tmp_path / "ops.json"
    op = {"name": "Linear", "context": "fc", "input": [4, 64], "weights": [64, 32], "output": [4, 32]}
    model.write_text(json.dumps({"ops": [op]}), encoding="utf-8")
    (one,) = predict.estimate(model, on="aks", dtype="int8")
    assert one.ops.columns[0] == "id" and one.total.sum_operations == 2 * 4 * 64 * 32


def test_a_plan_is_searched(tmp_path):
    graph = tmp_path / "mlp.ff"
    graph.write_text("x; ; a,; INPUT\na; x,; o,; LINEAR; 64; 10; 1\no; a,; ; OUTPUT\n", encoding="utf-8")
    found = predict.search(graph, input_shape=["8,64"], machine="1x2", on="h100-sxm", budget=10)
    assert found.best_ms <= found.one_device_ms

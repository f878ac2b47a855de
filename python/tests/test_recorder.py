"""``bigtpuprofile.record_model``: what a PyTorch model executes. Skipped where PyTorch is not installed."""

import json

import bigtpuprofile
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
functional = torch.nn.functional


class Perceptron(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear1 = torch.nn.Linear(256, 1024)
        self.linear2 = torch.nn.Linear(1024, 256)
        self.lm_head = torch.nn.Linear(256, 512)

    def forward(self, x):
        return self.lm_head(self.linear2(self.linear1(x)))


class Functions(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = torch.nn.Embedding(50, 32)
        self.ln = torch.nn.LayerNorm(32)
        self.conv = torch.nn.Conv2d(1, 4, (3, 5), stride=(2, 1), padding=(1, 2))
        self.lm_head = torch.nn.Linear(32, 50)

    def forward(self, tokens):
        x = self.ln(self.emb(tokens))
        self.conv(x.unsqueeze(1))
        p = functional.softmax(x, dim=-1)
        attn_weights = torch.matmul(p, x.transpose(1, 2))
        o = attn_weights @ x
        heads = x.unsqueeze(1).expand(-1, 2, -1, -1)
        a = functional.scaled_dot_product_attention(heads, heads, heads)
        return self.lm_head(o + a.mean(1))


def test_layers_and_functions_are_recorded_with_their_shapes():
    model = Functions()
    with torch.no_grad(), bigtpuprofile.record_model(model) as r:
        model(torch.zeros(2, 6, dtype=torch.long))
        model(torch.zeros(2, 1, dtype=torch.long))
    assert (r.passes, r.last_layer) == (2, "lm_head")
    shown = [(one["name"], one["context"], one["phase"], one["input"], one["output"]) for one in r.to_dict()["ops"]]
    assert shown[:8] == [
        ("Embedding", "emb", "sum", [2, 6], [2, 6, 32]),
        ("LayerNorm", "ln", "sum", [2, 6, 32], [2, 6, 32]),
        ("Conv2d", "conv", "sum", [2, 1, 6, 32], [2, 4, 3, 32]),
        ("softmax", "p", "sum", [2, 6, 32], [2, 6, 32]),
        ("matmul", "attn_weights", "sum", [2, 6, 32], [2, 6, 6]),
        ("matmul", "o", "sum", [2, 6, 6], [2, 6, 32]),
        ("scaled_dot_product_attention", "a", "sum", [2, 2, 6, 32], [2, 2, 6, 32]),
        ("Linear", "lm_head", "sum", [2, 6, 32], [2, 6, 50]),
    ]
    assert [phase for _, _, phase, _, _ in shown] == ["sum"] * 8 + ["gen"] * 8
    conv = r.operators[2]
    assert (conv.weights, conv.stride, conv.padding) == ((4, 1, 3, 5), (2, 1), (1, 2))
    assert all(one.measured_ns > 0 for one in r.operators)
    # Nothing is recorded behind the block.
    count = len(r.operators)
    model(torch.zeros(2, 6, dtype=torch.long))
    assert len(r.operators) == count


def test_a_recorded_model_takes_the_published_time(tmp_path):
    """The MLP of UPMEM's framework: 256-1024-256-512, bf16, input [4, 128, 256], every layer sent to the device."""
    model = Perceptron()
    with torch.no_grad(), bigtpuprofile.record_model(model, last_layer="lm_head") as r:
        model(torch.zeros(4, 128, 256))
    published = {"H100": 50964.571, "V100": 59937.353, "A17Pro": 139961.284, "PIM-AI-4chip": 213997.978}
    for machine, ns in published.items():
        r.map(["linear1", "linear2", "lm_head"], f"{machine},t")
        (found,) = r.estimate(compat="upmem")
        assert found.total.time_ns == pytest.approx(ns, rel=1e-7)
    written = json.loads(r.write(tmp_path / "ops.json", upmem=True).read_text(encoding="utf-8"))
    assert [one["name"] for one in written["ops"]] == ["UPM_Linear"] * 3
    with pytest.raises(ValueError, match="no layer or function 'linaer1' ran"):
        r.map("linaer1", "H100")


def test_measured_times_stand_beside_predicted_ones():
    model = Perceptron()
    with torch.no_grad(), bigtpuprofile.record_model(model) as r:
        model(torch.zeros(1, 256))
    table = r.compare(["h100-sxm", "aks"])
    assert [row["context"] for row in table] == ["linear1", "linear2", "lm_head"]
    assert table.columns[-3:] == ["measured_ns", "H100-SXM", "AKS"]
    assert all(row["measured_ns"] > 0 and row["AKS"] > 0 for row in table)

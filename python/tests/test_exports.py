"""ONNX files as PyTorch's exporter writes them are read, and their products take the operations that PyTorch counts.

32 models of torchvision and transformers without their weights. That takes half an hour and 2 GB, so that it runs only where
``BIGTPU_EXPORTS`` is set (`.ci/torch` sets it): ``all``, or names of models.
"""

import json
import os
import subprocess

import pytest
import torch
import torchvision
import transformers
from bigtpuprofile import binary
from torch.utils.flop_counter import FlopCounterMode

WANTED = os.environ["BIGTPU_EXPORTS"]

#: Of the products alone: other functions' operations are counted by no published number.
PRODUCTS = {"Linear", "Gemm", "MatMul", "Conv", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose", "Attention"}

VISION = (
    "resnet18 resnet50 alexnet vgg11 squeezenet1_1 densenet121 googlenet shufflenet_v2_x1_0 mobilenet_v2 mobilenet_v3_large "
    "mnasnet1_0 efficientnet_b0 regnet_y_400mf convnext_tiny vit_b_16 swin_t"
).split()

WIDE = {"hidden_size": 512, "intermediate_size": 1024, "num_attention_heads": 8, "num_hidden_layers": 2}
GROUPED = {**WIDE, "num_key_value_heads": 2}

#: Classes of transformers and what differs from their usual configuration: most have two layers, which take less time.
LANGUAGE = {
    "bert": ("BertModel", "BertConfig", {}),
    "distilbert": ("DistilBertModel", "DistilBertConfig", {}),
    "roberta": ("RobertaModel", "RobertaConfig", {}),
    "clip_text": ("CLIPTextModel", "CLIPTextConfig", {}),
    "gpt2": ("GPT2LMHeadModel", "GPT2Config", {"n_layer": 2}),
    "opt": ("OPTForCausalLM", "OPTConfig", {"num_hidden_layers": 2}),
    "bigcode": ("GPTBigCodeForCausalLM", "GPTBigCodeConfig", {"n_layer": 2}),
    "falcon": ("FalconForCausalLM", "FalconConfig", {"hidden_size": 512, "num_attention_heads": 8, "num_hidden_layers": 2}),
    "llama": ("LlamaForCausalLM", "LlamaConfig", GROUPED),
    "qwen2": ("Qwen2ForCausalLM", "Qwen2Config", GROUPED),
    "phi3": ("Phi3ForCausalLM", "Phi3Config", {**WIDE, "num_key_value_heads": 8, "pad_token_id": 0}),
    "glm4": ("Glm4ForCausalLM", "Glm4Config", {**GROUPED, "head_dim": 64, "pad_token_id": 0}),
    "gemma2": ("Gemma2ForCausalLM", "Gemma2Config", {**GROUPED, "head_dim": 64, "vocab_size": 32000}),
    # The exporter has no rule for a grouped product.
    "mixtral": (
        "MixtralForCausalLM",
        "MixtralConfig",
        {**GROUPED, "num_local_experts": 4, "experts_implementation": "batched_mm"},
    ),
    "mt5": ("MT5ForConditionalGeneration", "MT5Config", {"num_layers": 2, "num_decoder_layers": 2}),
    "whisper": ("WhisperModel", "WhisperConfig", {"encoder_layers": 2, "decoder_layers": 2}),
}


class Scores(torch.nn.Module):
    """A model with a decoder behind an encoder: its scores alone, since its cache is no tensor."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, decoder_input_ids):
        return self.model(input_ids=input_ids, decoder_input_ids=decoder_input_ids, use_cache=False).logits


def vision(name):
    model = getattr(torchvision.models, name)(weights=None)
    return model, {"x": torch.zeros(1, 3, 224, 224)}


def language(name):
    model, config, options = LANGUAGE[name]
    made = getattr(transformers, model)(getattr(transformers, config)(**options))
    made.config.use_cache = False
    tokens = torch.zeros(1, 64, dtype=torch.long)
    if name == "whisper":
        return made, {"input_features": torch.zeros(1, 80, 3000), "decoder_input_ids": tokens[:, :8]}
    if name == "mt5":
        return Scores(made), {"input_ids": tokens, "decoder_input_ids": tokens[:, :8]}
    return made, {"input_ids": tokens}


def products(path):
    """Operations of the products of an ONNX file."""
    done = subprocess.run([binary(), "estimate", path, "--on", "h100-sxm", "--json"], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)
    return sum(op["operations"] for op in found["ops"] if op["name"] in PRODUCTS)


def counted(model, inputs):
    """Operations of the products as PyTorch counts them: two for each product and sum."""
    with FlopCounterMode(display=False) as counter:
        model(**inputs)
    return counter.get_total_flops()


@pytest.mark.parametrize("name", [name for name in [*VISION, *LANGUAGE] if WANTED == "all" or name in WANTED.split(",")])
def test_an_export_takes_the_operations_that_are_counted(name, tmp_path):
    model, inputs = vision(name) if name in VISION else language(name)
    model.eval()
    path = tmp_path / f"{name}.onnx"
    with torch.no_grad():
        expected = counted(model, inputs)
        torch.onnx.export(model, (), path, kwargs=inputs, dynamo=True, external_data=True, verbose=False)
    assert products(path) == pytest.approx(expected, rel=0.02)
    if name in VISION:
        # Published with the weights, in 10^9 products and sums; rounded to three digits.
        (weights,) = [own for own in torchvision.models.get_model_weights(name) if own.name == "IMAGENET1K_V1"]
        assert products(path) == pytest.approx(2e9 * weights.meta["_ops"], rel=0.02)

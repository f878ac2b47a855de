//! The words that names of kernels are made of: of two names that differ by a bit, the one with more letters of them is right.

/// Operators, parts of models and what is done to tensors, in the spelling of kernels' names, with the letters of projections (`matmul_o`),
/// chips and dimensions (`c2c`, `conv2d`); sorted.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "abs", "accumulate", "activation", "adam", "add", "affine", "align", "all", "alltoall", "and",
    "any", "api", "arange", "arg", "argmax", "argmin", "argsort", "atan", "attention", "attn",
    "avg", "avgpool", "backward", "batch", "batchnorm", "bcast", "bias", "bilinear", "binary",
    "block", "bmm", "bnorm", "bool", "broadcast", "c", "cache", "calc", "cast", "cat", "causal",
    "ceil", "channel", "chunk", "clamp", "clip", "compare", "compute", "concat", "const",
    "constant", "context", "conv", "convert", "convolution", "copy", "core", "cos", "cosh", "count",
    "crop", "cross", "cumsum", "d", "data", "decode", "decoder", "deconv", "deformable", "depth",
    "depthwise", "dequant", "dequantize", "detect", "detection", "device", "diag", "dim", "dist",
    "div", "divide", "dma", "dot", "down", "dropout", "dtype", "dynamic", "elementwise", "elt",
    "eltwise", "elu", "embed", "embedding", "encode", "encoder", "entropy", "eps", "equal", "erf",
    "exp", "expand", "expert", "experts", "fast", "fc", "ffn", "fill", "filter", "flash", "flatten",
    "flip", "float", "floor", "forward", "fully", "func", "function", "fused", "fusion", "gate",
    "gather", "gelu", "gemm", "global", "grad", "greater", "grid", "group", "groupnorm", "gru",
    "half", "hard", "hardsigmoid", "hardswish", "head", "hidden", "hot", "image", "index", "init",
    "inner", "input", "instance", "int", "interleave", "interp", "inv", "inverse", "iou", "is", "k",
    "kernel", "key", "kv", "layer", "layernorm", "leaky", "len", "length", "less", "like", "linear",
    "load", "local", "log", "logical", "logits", "logsoftmax", "lookup", "loop", "lora", "loss",
    "lower", "lstm", "lut", "mask", "masked", "mat", "matmul", "matrix", "max", "maxpool", "mean",
    "mem", "memcpy", "memory", "memset", "merge", "min", "mish", "mla", "mlp", "mm", "mod", "moe",
    "mul", "multi", "multicore", "multiply", "nchw", "nearest", "neg", "new", "nhwc", "nms",
    "nonzero", "norm", "normalize", "not", "o", "one", "onehot", "op", "optimizer", "or", "order",
    "out", "outer", "output", "pad", "padding", "paged", "parallel", "patch", "permute", "pixel",
    "pool", "pooling", "post", "pow", "pre", "prefill", "prelu", "prob", "probs", "process", "prod",
    "proj", "projection", "psroi", "q", "qk", "qkv", "quant", "quantize", "query", "rand", "random",
    "range", "read", "real", "reciprocal", "recv", "reduce", "reflect", "relu", "remainder",
    "reorder", "repeat", "requant", "reset", "reshape", "resize", "reverse", "rms", "rmsnorm",
    "rnn", "roi", "roll", "rope", "rotary", "round", "row", "rsqrt", "run", "sample", "scale",
    "scan", "scatter", "score", "sdpa", "search", "select", "self", "selu", "send", "sequence",
    "set", "shape", "shift", "shuffle", "sigmoid", "sign", "silu", "sin", "single", "sinh", "size",
    "slice", "soft", "softmax", "softplus", "softsign", "sort", "space", "sparse", "split", "sqrt",
    "square", "squeeze", "stack", "state", "step", "store", "stride", "sub", "sum", "swap",
    "swiglu", "swish", "sync", "table", "tan", "tanh", "tensor", "test", "tile", "to", "token",
    "tokens", "top", "topk", "tpu", "train", "transform", "transpose", "tril", "triu", "trunc",
    "type", "unary", "unpack", "unpool", "unsqueeze", "up", "update", "upper", "upsample", "v",
    "value", "var", "vector", "view", "warp", "weight", "where", "width", "window", "winograd",
    "with", "write", "xor", "yolo", "zero", "zeros",
];

/// How many of a name's letters are those of known words. Words are separated by anything but letters, and by a capital letter behind a
/// small one.
pub(crate) fn letters_of_known_words(name: &str) -> usize {
    let mut known = 0;
    let mut word = String::new();
    let mut was_small = false;
    for letter in name.chars().chain([' ']) {
        let is_letter = letter.is_ascii_alphabetic();
        if !is_letter || (letter.is_ascii_uppercase() && was_small) {
            known += if WORDS.binary_search(&word.as_str()).is_ok() { word.len() } else { 0 };
            word.clear();
        }
        if is_letter {
            word.push(letter.to_ascii_lowercase());
        }
        was_small = letter.is_ascii_lowercase();
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_found() {
        assert!(WORDS.is_sorted());
        assert_eq!(letters_of_known_words("tpu_kernel_api_rmsNorm2d_Add"), 23);
        assert_eq!(letters_of_known_words("siluWmul"), 4);
        assert_eq!(letters_of_known_words("siluWxul"), 4);
        assert_eq!(letters_of_known_words("matMul"), letters_of_known_words("matmul"));
        assert_eq!(letters_of_known_words(""), 0);
    }
}

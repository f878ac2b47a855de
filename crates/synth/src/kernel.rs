//! The kernels that a dump is made of: a decoder layer and a bit of vision, as tile loops.

use bigtpu_chip::{Engine, Memory};

/// A kernel: what one tile does. Every launch repeats its tile.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// Name, as FUNC gives it.
    pub(crate) name: &'static str,
    /// Steps of a tile in dispatch order.
    pub(crate) tile: &'static [Step],
}

/// A command of a tile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// Engine.
    pub(crate) engine: Engine,
    /// Hardware codes: type and sub-type.
    pub(crate) code: (u8, u8),
    /// Name of the generator's variant on chips whose RVT nodes carry generator indices.
    pub(crate) generator: &'static str,
    /// Code of the data type.
    pub(crate) data_type: u8,
    /// Shape of the result.
    pub(crate) shape: Shape,
    /// Buffers that must be full.
    pub(crate) reads: &'static [u8],
    /// Buffer that is filled.
    pub(crate) writes: Option<u8>,
    /// Source and destination of a transfer.
    pub(crate) sides: (Memory, Memory),
}

/// Sizes of a result, and the inner size of a product or a window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) n: u16,
    pub(crate) c: u16,
    pub(crate) h: u16,
    pub(crate) w: u16,
    /// Inner size of a product, input channels of a convolution.
    pub(crate) k: u16,
    /// Side of a window.
    pub(crate) window: u16,
}

impl Shape {
    /// Elements of the result.
    pub(crate) fn volume(self) -> u64 {
        [self.n, self.c, self.h, self.w].into_iter().map(u64::from).product()
    }
}

/// A copy of a model's input or output by the runtime.
pub(crate) const RUNTIME_COPY: Step =
    Step { sides: (Memory::Ddr, Memory::Ddr), writes: None, ..load(0, plane(64, 1, 512), 1) };

/// Double-buffered operands in local memory, and one buffer of shared memory that [`SHARED`] names.
pub(crate) const BUFFERS: usize = 8;
const SHARED: u8 = 7;

const INT8: u8 = 0;
const FP16: u8 = 1;
const FP32: u8 = 2;

const fn plane(c: u16, h: u16, w: u16) -> Shape {
    Shape { n: 1, c, h, w, k: 1, window: 1 }
}

const fn load(buffer: u8, shape: Shape, data_type: u8) -> Step {
    Step {
        engine: Engine::Gdma,
        code: (0, 0),
        generator: "rvt_dma_ld",
        data_type,
        shape,
        reads: &[],
        writes: Some(buffer),
        sides: (Memory::Ddr, Memory::Lmem),
    }
}

const fn store(reads: &'static [u8], shape: Shape, data_type: u8) -> Step {
    Step {
        generator: "rvt_dma_st",
        reads,
        writes: None,
        sides: (Memory::Lmem, Memory::Ddr),
        ..load(0, shape, data_type)
    }
}

const fn compute(
    code: (u8, u8),
    generator: &'static str,
    shape: Shape,
    reads: &'static [u8],
    writes: u8,
) -> Step {
    Step {
        engine: Engine::Tiu,
        code,
        generator,
        data_type: FP16,
        shape,
        reads,
        writes: Some(writes),
        sides: (Memory::Lmem, Memory::Lmem),
    }
}

const fn typed(data_type: u8, step: Step) -> Step {
    Step { data_type, ..step }
}

const fn product(variant: u8, m: u16, k: u16, n: u16, reads: &'static [u8], writes: u8) -> Step {
    let shape = Shape { n: 1, c: m, h: 1, w: n, k, window: 1 };
    let generator = if variant == 5 { "rvt_fmm2_nt" } else { "rvt_fmm2_nn" };
    compute((2, variant), generator, shape, reads, writes)
}

/// The product of a synthetic cluster's kernels.
pub(crate) const PRODUCT: Step = product(4, 256, 256, 256, &[0, 1], 2);

const fn copy(from: Memory, to: Memory, reads: &'static [u8], writes: Option<u8>) -> Step {
    Step {
        engine: Engine::Sdma,
        generator: "rvt_dma_cp",
        sides: (from, to),
        reads,
        writes,
        ..load(0, plane(64, 1, 512), FP16)
    }
}

const fn link(code: (u8, u8), reads: &'static [u8], writes: Option<u8>) -> Step {
    Step {
        engine: Engine::Cdma,
        code,
        generator: "",
        sides: (Memory::L2m, Memory::L2m),
        reads,
        writes,
        ..load(0, plane(64, 1, 512), FP16)
    }
}

/// A load of constants of 256 bytes.
pub(crate) const CONSTANTS: Step = Step { writes: None, ..load(0, plane(64, 1, 2), FP16) };

/// Where the weights are that all cores load: no kernel has this buffer in DDR.
pub(crate) const WEIGHTS_OF_ALL: u8 = 6;

/// A load of weights that all cores load; nothing waits for it.
pub(crate) fn weights_of_all(shape: Shape, memory: Memory) -> Step {
    Step { sides: (memory, Memory::Lmem), writes: None, ..load(0, shape, FP16) }
}

/// A depthwise convolution, the same work as a convolution of all channels, and the convolution of 1x1 that mixes the channels then.
pub(crate) const DEPTHWISE: Step =
    typed(INT8, compute((1, 0), "rvt_depthwise", FILTERED, &[0, 1], 3));
pub(crate) const DENSE: Step = typed(INT8, compute((0, 0), "rvt_conv", FILTERED, &[0, 1], 3));
pub(crate) const MIXING: Step =
    typed(INT8, compute((0, 0), "rvt_conv", Shape { window: 1, ..FILTERED }, &[3, 1], 2));

/// What the convolution of `conv_relu` gives.
const FILTERED: Shape = Shape { n: 1, c: 64, h: 14, w: 14, k: 64, window: 3 };

/// What a tile stores and loads again of a buffer: the store, and the load.
pub(crate) fn spill(buffer: &'static [u8], shape: Shape) -> Option<[Step; 2]> {
    let own = *buffer.first()?;
    Some([store(buffer, shape, FP16), load(own, shape, FP16)])
}

/// The buffer that products read their weights from.
pub(crate) const WEIGHTS: u8 = 1;

impl Step {
    /// Whether it loads data into local memory.
    pub(crate) fn is_load(&self) -> bool {
        self.engine == Engine::Gdma && self.sides.1 == Memory::Lmem
    }

    /// Whether it is a convolution of all channels.
    pub(crate) fn is_convolution(&self) -> bool {
        self.engine == Engine::Tiu && self.code == (0, 0)
    }

    /// Whether it stores a result from local memory.
    pub(crate) fn is_store(&self) -> bool {
        self.engine == Engine::Gdma && self.sides.0 == Memory::Lmem
    }

    /// Whether it is an arithmetic command, element by element.
    pub(crate) fn is_elementwise(&self) -> bool {
        self.engine == Engine::Tiu && self.code.0 == 3
    }
}

const ROW: Shape = plane(64, 1, 512);

const NARROW_PRODUCT: &[Step] = &[
    load(0, plane(64, 1, 256), FP16),
    load(1, plane(256, 1, 256), FP16),
    product(4, 64, 256, 256, &[0, 1], 2),
    store(&[2], plane(64, 1, 256), FP16),
];

/// Weights stay for three products: computing takes as long as loading.
const WIDE_PRODUCT: &[Step] = &[
    load(0, plane(128, 1, 128), FP16),
    load(1, plane(128, 1, 512), FP16),
    product(4, 96, 128, 512, &[0, 1], 2),
    product(4, 128, 128, 512, &[0, 1], 3),
    product(4, 128, 128, 500, &[0, 1], 4),
    compute((3, 2), "rvt_fadd", plane(96, 1, 512), &[2, 3, 4], 5),
    store(&[5], plane(96, 1, 512), FP16),
];

const NORM: &[Step] = &[
    load(0, ROW, FP16),
    compute((3, 0), "rvt_fmul", ROW, &[0], 1),
    compute((1, 1), "rvt_pool_favg", plane(64, 1, 8), &[1], 3),
    typed(FP32, compute((9, 17), "rvt_sfu_rsqrt", plane(64, 1, 8), &[3], 4)),
    compute((3, 0), "rvt_fmul", ROW, &[0, 4], 2),
    store(&[2], ROW, FP16),
];

/// The kernels in the order of their launches.
pub(crate) const KERNELS: &[Kernel] = &[
    Kernel { name: "rms_norm", tile: NORM },
    Kernel { name: "matmul_qkv", tile: NARROW_PRODUCT },
    Kernel {
        name: "rope",
        tile: &[
            load(0, plane(64, 1, 128), FP16),
            load(1, plane(64, 1, 128), FP32),
            typed(FP32, compute((3, 0), "rvt_fmul", plane(64, 1, 128), &[0, 1], 2)),
            typed(FP32, compute((3, 3), "rvt_fsub", plane(64, 1, 128), &[2, 1], 3)),
            store(&[3], plane(64, 1, 128), FP16),
        ],
    },
    Kernel {
        name: "flash_attention",
        tile: &[
            load(0, plane(64, 1, 128), FP16),
            load(1, plane(128, 1, 128), FP16),
            product(5, 64, 128, 120, &[0, 1], 2),
            compute((3, 4), "rvt_fmax", plane(64, 1, 120), &[2], 3),
            compute((9, 12), "rvt_sfu_exp", plane(64, 1, 120), &[2, 3], 4),
            product(4, 64, 128, 128, &[4, 1], 5),
            store(&[5], plane(64, 1, 128), FP16),
        ],
    },
    Kernel { name: "matmul_o", tile: NARROW_PRODUCT },
    Kernel {
        name: "all_reduce",
        tile: &[
            copy(Memory::Ddr, Memory::L2m, &[], Some(SHARED)),
            link((7, 4), &[SHARED], None),
            link((0, 0), &[SHARED], None),
            link((4, 0), &[], Some(6)),
            link((7, 6), &[6], None),
            load(0, ROW, FP16),
            compute((3, 2), "rvt_fadd", ROW, &[0], 2),
            store(&[2], ROW, FP16),
            copy(Memory::L2m, Memory::Ddr, &[SHARED], None),
        ],
    },
    Kernel { name: "add_rms_norm", tile: NORM },
    Kernel { name: "matmul_gate_up", tile: WIDE_PRODUCT },
    Kernel {
        name: "silu_mul",
        tile: &[
            load(0, plane(64, 1, 512), FP16),
            load(1, plane(64, 1, 512), FP16),
            compute((9, 12), "rvt_sfu_exp", ROW, &[0], 2),
            compute((3, 12), "rvt_fdiv", ROW, &[0, 2], 3),
            compute((3, 0), "rvt_fmul", ROW, &[3, 1], 4),
            store(&[4], ROW, FP16),
        ],
    },
    Kernel { name: "matmul_down", tile: WIDE_PRODUCT },
    Kernel {
        name: "conv_relu",
        tile: &[
            load(0, plane(64, 16, 16), INT8),
            load(1, plane(64, 9, 64), INT8),
            typed(INT8, compute((0, 0), "rvt_conv", FILTERED, &[0, 1], 2)),
            typed(INT8, compute((4, 1), "rvt_rq1", plane(64, 14, 14), &[2], 3)),
            typed(INT8, compute((1, 4), "rvt_pool_max", plane(64, 7, 7), &[3], 4)),
            store(&[4], plane(64, 7, 7), INT8),
        ],
    },
];

/// The kernel of a launch.
pub(crate) fn of_launch(launch: u64) -> usize {
    (launch % KERNELS.len() as u64) as usize
}

/// A system command of an engine: send 3 and wait 4 of the DMA engines, 8 and 9 of the TIU.
pub(crate) const fn system(engine: Engine, code: (u8, u8), generator: &'static str) -> Step {
    Step {
        engine,
        code,
        generator,
        data_type: INT8,
        shape: plane(0, 0, 0),
        reads: &[],
        writes: None,
        sides: (Memory::Ddr, Memory::Ddr),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_within_bounds_and_filled_before_they_are_read() {
        for kernel in KERNELS {
            let mut filled = vec![6]; // A link's receive fills it.
            for step in kernel.tile {
                for buffer in step.reads {
                    assert!(filled.contains(buffer), "{}: buffer {buffer}", kernel.name);
                }
                filled.extend(step.writes);
            }
            assert!(filled.iter().all(|&buffer| usize::from(buffer) < BUFFERS));
        }
    }
}

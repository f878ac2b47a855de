//! Names of arguments: each has a fixed interning id within every sequence.

macro_rules! args {
    ($($arg:ident = $name:literal),* $(,)?) => {
        /// An argument of a device slice.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Arg { $($arg),* }

        impl Arg {
            /// Every name, in the order of the ids.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}

args! {
    BatchLaunch = "Batch Launch",
    Kernel = "Kernel Function",
    FunctionType = "Function Type",
    FunctionName = "Function Name",
    Mode = "Mode",
    CmdId = "Cmd Id",
    GlobalIdx = "Global Idx",
    Slack = "slack(ns)",
    UarchRate = "uArch Rate",
    UarchRateNumber = "uArch Rate(%)",
    DesCmdShort = "des_cmd_short",
    DesCmdIdDep = "des_cmd_id_dep",
    DataType = "Data Type",
    DdrBandwidth = "DDR Bandwidth(GB/s)",
    L2Bandwidth = "L2M Bandwidth(GB/s)",
    Direction = "Direction",
    CmdIdDep = "cmd_id_dep",
    DataSize = "DMA data size(B)",
    SrcInfo = "src_info",
    DstInfo = "dst_info",
    SrcAddr = "src_start_addr",
    SrcN = "src_nsize", SrcC = "src_csize", SrcH = "src_hsize", SrcW = "src_wsize",
    SrcNStride = "src_nstride", SrcCStride = "src_cstride", SrcHStride = "src_hstride",
    SrcWStride = "src_wstride",
    DstAddr = "dst_start_addr",
    DstN = "dst_nsize", DstC = "dst_csize", DstH = "dst_hsize", DstW = "dst_wsize",
    DstNStride = "dst_nstride", DstCStride = "dst_cstride", DstHStride = "dst_hstride",
    DstWStride = "dst_wstride",
    FuncScopeId = "Func Scope Id",
    LayerId = "Layer Id",
    LayerName = "Layer Name",
    Block = "Block",
    Step = "Step",
    Inputs = "Inputs",
    Outputs = "Outputs",
    WaitsFor = "waits for",
    ReleasedBy = "released by",
    StartTime = "Start Time(ns)",
    Duration = "Duration(ns)",
    Engine = "Engine",
    Event = "Event",
    Expected = "expected(ns)",
    ExpectedMark = "expected by rule",
}

impl Arg {
    /// The name's interning id.
    pub(crate) fn iid(self) -> u64 {
        self as u64 + 1
    }
}

/// First interning id of names that are no [`Arg`].
pub(crate) const FIRST_FREE_NAME: u64 = Arg::NAMES.len() as u64 + 1;

//! The fields that a query may name, besides register fields. `docs/query.md` lists them; a test compares.

use crate::units::ValueKind;

macro_rules! fields {
    ($($(#[$doc:meta])* $field:ident: $name:literal $(, $also:literal)*; $kind:ident;)*) => {
        /// A value of a command, of a gap, or a test of several values.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum QueryField {
            $($(#[$doc])* $field,)*
        }

        impl QueryField {
            /// All fields.
            pub const ALL: &[Self] = &[$(Self::$field),*];

            /// Its names: the first is its own, the others are those of `events.parquet` and of earlier versions.
            #[must_use]
            pub fn names(self) -> &'static [&'static str] {
                match self {
                    $(Self::$field => &[$name $(, $also)*],)*
                }
            }

            /// What its values are.
            #[must_use]
            pub fn kind(self) -> ValueKind {
                match self {
                    $(Self::$field => ValueKind::$kind,)*
                }
            }
        }
    };
}

fields! {
    /// TIU, GDMA, SDMA, CDMA.
    Engine: "engine"; Text;
    /// Core, or port of CDMA.
    Core: "core"; Count;
    /// `Global Idx`.
    Index: "idx", "event"; Count;
    /// `Cmd Id`.
    CommandId: "id", "cmd_id"; Count;
    /// `Function Name`.
    Name: "name", "function_name"; Text;
    /// `Function Type`.
    Type: "type", "function_type"; Text;
    /// work, wait, send, system.
    Role: "role", "activity"; Text;
    /// Since the first event.
    Start: "start"; Ns;
    /// Since the first event.
    End: "end"; Ns;
    /// Duration.
    Duration: "dur", "duration", "duration_ns"; Ns;
    /// `Asic Cycle`.
    Cycles: "cycles"; Cycles;
    /// Name of the kernel.
    Kernel: "kernel"; Text;
    /// Label of the layer.
    Layer: "layer"; Text;
    /// Id of the layer.
    LayerId: "layerId", "layer_id"; Count;
    /// Part of the model that the layer belongs to.
    Block: "block"; Text;
    /// Number of the step in which it starts.
    Step: "step"; Count;
    /// Scope of the launch.
    Scope: "scope"; Count;
    /// Batch of the launch.
    Batch: "batch"; Count;
    /// Mode of the launch.
    Mode: "mode"; Text;
    /// Bytes moved.
    Bytes: "bytes"; Bytes;
    /// Bytes over duration.
    Bandwidth: "gbps"; Gbps;
    /// DDR bandwidth.
    DdrBandwidth: "ddr"; Gbps;
    /// L2M bandwidth.
    L2Bandwidth: "l2"; Gbps;
    /// Such as `DDR->LMEM`.
    Direction: "dir", "direction"; Text;
    /// Source address.
    Source: "src"; Address;
    /// Destination address.
    Destination: "dst"; Address;
    /// Source or destination.
    Address: "addr"; Address;
    /// Data type.
    DataType: "dtype", "data_type"; Text;
    /// uArch rate.
    UarchRate: "rate", "uarch_rate"; Percent;
    /// Requested operations.
    Operations: "alg", "ops"; Count;
    /// Operations after padding.
    PaddedOperations: "uarch", "uarch_ops"; Count;
    /// Stall cycles of a DMA engine.
    Stall: "stall", "stall_cycles"; Cycles;
    /// Cycles of the TIU lost to bank conflicts.
    Conflict: "conflict", "bank_conflicts"; Cycles;
    /// Time that the bits explain.
    Expected: "expected", "expected_ns"; Ns;
    /// Duration over the time that the bits explain.
    TimesExpected: "times"; Times;
    /// Duration over the time that the bits explain, as a least value: `slower:1.3` is at least 1.3.
    Slower: "slower"; Times;
    /// How well the expected time is known.
    Rule: "rule", "expected_mark"; Text;
    /// How well command and times are known.
    Quality: "quality"; Text;
    /// Time by which the command could have ended later.
    Slack: "slack", "slack_ns"; Ns;
    /// 1: on the critical path.
    Critical: "critical", "on_critical_path"; Count;
    /// Time in which a port waits for its peer.
    Waiting: "waiting"; Ns;
    /// Time of a port's transfer.
    Moving: "moving"; Ns;
    /// Time of a port's completion.
    Completion: "completion"; Ns;
    /// Packets that the link sent again.
    Retries: "retries"; Count;
    /// Cause of a gap.
    Gap: "gap"; Text;
    /// Time that a gap costs the run.
    Saved: "saved"; Ns;
    /// Engine and core of the command that ended a gap.
    EndedBy: "endedBy", "ended_by"; Text;
}

impl QueryField {
    /// Its own name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names().first().copied().unwrap_or_default()
    }

    /// The field of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let wanted = plain_name(name);
        let is_it = |field: &Self| field.names().iter().any(|name| plain_name(name) == wanted);
        Self::ALL.iter().copied().find(is_it)
    }

    /// Whether it is one value of a command, and not a test of several.
    #[must_use]
    pub fn is_value(self) -> bool {
        !matches!(self, Self::Address | Self::Slower | Self::Gap)
    }

    /// Whether it is known only where the run was analyzed.
    #[must_use]
    pub fn needs_analysis(self) -> bool {
        matches!(self, Self::Slack | Self::Critical | Self::Step)
    }
}

/// Names are the same with blanks or `_`, and with capital or small letters.
#[must_use]
pub fn plain_name(name: &str) -> String {
    name.to_lowercase().replace(' ', "_")
}

//! Times of the states, each by its name.

use serde::Serialize;

macro_rules! states {
    ($($(#[doc = $doc:literal])+ $name:ident),* $(,)?) => {
        /// ns by state.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
        pub struct States { $($(#[doc = $doc])+ pub $name: u64),* }

        impl States {
            /// Names of the states, in order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];


            /// From the numbers of the states, in order.
            #[must_use]
            pub fn from_numbers(ns: &[u64]) -> Self {
                let mut ns = ns.iter().copied();
                Self { $($name: ns.next().unwrap_or(0)),* }
            }
        }
    };
}

states! {
    /// A TIU works.
    compute_ns,
    /// GDMA or SDMA moves data, no TIU works.
    memory_ns,
    /// A port moves data, nothing above.
    link_ns,
    /// A receive waits for its sender.
    wait_late_sender_ns,
    /// A send waits for its receiver.
    wait_late_receiver_ns,
    /// An operation waits for its last rank.
    wait_collective_ns,
    /// A port is active without moving data.
    link_overhead_ns,
    /// Local sends and waits.
    sync_ns,
    /// Between launches.
    launch_ns,
    /// In a launch, and nothing happens.
    idle_ns,
    /// Before the first or after the last record.
    not_captured_ns,
    /// Known gaps of records.
    lost_ns,
}

//! What the trace's time 0 is on the wall clock, so that viewers can show other traces beside it.
//!
//! Viewers take clocks of one name in two traces for the same clock. Each of our traces counts from a 0 of its own, so each has
//! a clock of its own: its id is a hash of the time at 0. A snapshot ties it to the wall clock, which is the same in all traces.

use bigtpu_host_trace::HostTrace;
use bigtpu_perfetto_protos::clock_snapshot::Clock;
use bigtpu_perfetto_protos::{BuiltinClock, ClockSnapshot, trace_packet};

use crate::tracks::packet;

/// Times from this one on are taken for times since 1970: 2001-09-09. Others are of clocks that start with the machine.
pub(crate) const FIRST_DATE_NS: i64 = 1_000_000_000_000_000_000;

/// Ids from here on are of clocks that a trace defines itself.
const FIRST_OWN: u64 = 128;

/// The clock of a trace whose time 0 is known on the wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TraceClock {
    /// ns since 1970 at the trace's 0.
    at_zero: u64,
}

impl TraceClock {
    /// Makes the clock of a trace whose 0 is the host's `zero_ns`; `None` where the host does not say what its times
    /// count from.
    pub(crate) fn from_host(host: &HostTrace, zero_ns: i64) -> Option<Self> {
        let at_zero = host.base_time_ns?.checked_add(zero_ns)?;
        (at_zero >= FIRST_DATE_NS).then_some(Self { at_zero: at_zero.cast_unsigned() })
    }

    /// ns since 1970 at the trace's 0.
    pub(crate) fn at_zero(self) -> u64 {
        self.at_zero
    }

    /// Its id.
    pub(crate) fn id(self) -> u32 {
        let mixed = self.at_zero.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34;
        // 30 bits and the first id: always within 32 bits, and positive as the enumeration of clocks is.
        u32::try_from(FIRST_OWN + mixed).unwrap_or_default()
    }

    /// The packet that ties it to the wall clock.
    pub(crate) fn snapshot(self) -> Vec<u8> {
        let reading = |id: u32, ns: u64| Clock {
            clock_id: Some(id),
            timestamp: Some(ns),
            ..Clock::default()
        };
        let mut out = Vec::new();
        let snapshot = ClockSnapshot {
            clocks: vec![
                reading(self.id(), 0),
                reading(BuiltinClock::Realtime as u32, self.at_zero),
            ],
            primary_trace_clock: i32::try_from(self.id()).ok(),
        };
        packet(&mut out, trace_packet::Data::ClockSnapshot(snapshot));
        out
    }
}

//! Planted faults as the command line writes them.

use bigtpu_messages::error_message;
use std::str::FromStr;

use bigtpu_chip::{Engine, Memory};

use crate::Plant;

/// Why a text is no plant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", error_message!("error-no-plant", value = format_args!("{:?}", .0)))]
pub struct NoPlant(String);

impl FromStr for Plant {
    type Err = NoPlant;

    fn from_str(text: &str) -> Result<Self, NoPlant> {
        parse(text).ok_or_else(|| NoPlant(text.to_owned()))
    }
}

const MAX_FACTOR: f64 = 1000.0;
const MAX_IDLE_US: u64 = 1_000_000;
const MAX_COUNT: u32 = 10_000;

fn parse(text: &str) -> Option<Plant> {
    match text {
        "stages" => return Some(Plant::Stages),
        "depthwise" => return Some(Plant::Depthwise),
        "dense-depthwise" => return Some(Plant::DenseDepthwise),
        _ => {}
    }
    let (what, rest) = text.split_once('=')?;
    let factor =
        |text: &str| text.parse().ok().filter(|factor| *factor > 0.0 && *factor <= MAX_FACTOR);
    match what {
        "imbalance" => {
            let (core, times) = rest.split_once(':')?;
            Some(Plant::Imbalance { core: core.parse().ok()?, factor: factor(times)? })
        }
        "bubble" => {
            let (core, rest) = rest.split_once(':')?;
            let (engine, us) = rest.split_once(':')?;
            let engine = match engine.to_ascii_lowercase().as_str() {
                "tiu" => Engine::Tiu,
                "gdma" => Engine::Gdma,
                _ => return None,
            };
            let us = us.parse().ok().filter(|us| *us <= MAX_IDLE_US)?;
            Some(Plant::Bubble { core: core.parse().ok()?, engine, us })
        }
        "straggler" => Some(Plant::Straggler { factor: factor(rest)? }),
        "slow-port" => {
            let (port, times) = rest.split_once(':')?;
            Some(Plant::SlowPort { port: port.parse().ok()?, factor: factor(times)? })
        }
        "slow-kernel" => {
            let (name, times) = rest.rsplit_once(':')?;
            Some(Plant::SlowKernel { name: name.to_owned(), factor: factor(times)? })
        }
        "launch-gap" => {
            let us = rest.parse().ok().filter(|us| *us <= MAX_IDLE_US)?;
            Some(Plant::LaunchGap { us })
        }
        "serialized" => {
            let percent = rest.parse().ok().filter(|percent| (1..=100).contains(percent))?;
            Some(Plant::Serialized { percent })
        }
        "small-transfers" => Some(Plant::SmallTransfers { count: count(rest)? }),
        "unaligned" => {
            let channels = rest.parse().ok().filter(|channels| *channels > 0)?;
            Some(Plant::Unaligned { channels })
        }
        "bank-conflicts" => Some(Plant::BankConflicts { cycles: count(rest)? }),
        "spill" => {
            let bytes = rest.parse().ok().filter(|bytes| Plant::can_spill(*bytes))?;
            Some(Plant::Spill { bytes })
        }
        "shared-loads" => {
            let (bytes, memory) = match rest.split_once(':') {
                Some((bytes, place)) => (bytes, memory(place)?),
                None => (rest, Memory::Ddr),
            };
            let bytes = bytes.parse().ok().filter(|bytes| Plant::can_share(*bytes))?;
            Some(Plant::SharedLoads { bytes, memory })
        }
        "idle-cores" => Some(Plant::IdleCores { count: count(rest)? }),
        "weights" => Some(Plant::Weights { memory: memory(rest)? }),
        _ => None,
    }
}

/// A memory that several cores load from.
fn memory(text: &str) -> Option<Memory> {
    match text.to_ascii_lowercase().as_str() {
        "ddr" => Some(Memory::Ddr),
        "l2m" => Some(Memory::L2m),
        _ => None,
    }
}

fn count(text: &str) -> Option<u32> {
    text.parse().ok().filter(|count| (1..=MAX_COUNT).contains(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read() {
        let read = |text: &str| text.parse::<Plant>().unwrap();
        assert_eq!(read("imbalance=2:1.5"), Plant::Imbalance { core: 2, factor: 1.5 });
        assert_eq!(read("bubble=0:TIU:80"), Plant::Bubble { core: 0, engine: Engine::Tiu, us: 80 });
        assert_eq!(read("straggler=1.5"), Plant::Straggler { factor: 1.5 });
        assert_eq!(read("stages"), Plant::Stages);
        assert_eq!(read("slow-port=2:12"), Plant::SlowPort { port: 2, factor: 12.0 });
        assert_eq!(read("launch-gap=30"), Plant::LaunchGap { us: 30 });
        assert_eq!(read("serialized=80"), Plant::Serialized { percent: 80 });
        assert_eq!(read("spill=65536"), Plant::Spill { bytes: 65536 });
        let shared = |bytes, memory| Plant::SharedLoads { bytes, memory };
        assert_eq!(read("shared-loads=4096"), shared(4096, Memory::Ddr));
        assert_eq!(read("shared-loads=131072:l2m"), shared(131_072, Memory::L2m));
        assert_eq!(read("idle-cores=2"), Plant::IdleCores { count: 2 });
        assert_eq!(read("dense-depthwise"), Plant::DenseDepthwise);
        assert_eq!(read("weights=L2M"), Plant::Weights { memory: Memory::L2m });
        let slow = Plant::SlowKernel { name: "a:b".into(), factor: 3.0 };
        assert_eq!(read("slow-kernel=a:b:3"), slow);
        for bad in [
            "",
            "imbalance=2",
            "imbalance=2:0",
            "imbalance=2:inf",
            "bubble=0:hau:3",
            "straggler=0",
            "stages=2",
            "slow-port=2",
            "x=1:2",
            "weights=",
            "unaligned=0",
            "spill=100",
            "shared-loads=131200",
            "shared-loads=4096:lmem",
            "idle-cores=0",
            "serialized=101",
        ] {
            let error = bad.parse::<Plant>().unwrap_err().to_string();
            assert!(error.contains("slow-kernel=NAME:FACTOR"), "{error}");
        }
    }
}

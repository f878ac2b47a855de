//! Faults that an analysis should find: each is planted with exact numbers, so that a test can expect them.

use std::str::FromStr;

use bigtpu_chip::Engine;

/// A planted fault. Times are exact to one cycle of the engine's clock.
#[derive(Debug, Clone, PartialEq)]
pub enum Plant {
    /// `imbalance=CORE:FACTOR`: every command of this core's tiles takes `factor` times as long as it does
    /// without the plant. System commands keep their times but for the waits: the other cores wait at the end
    /// of each launch.
    Imbalance {
        /// The slow core.
        core: u32,
        /// What its times are multiplied by.
        factor: f64,
    },
    /// `bubble=CORE:ENGINE:US`: in launch number `launches / 2` (counted from 0), tile `repeat / 2`, the first
    /// command of the engine starts this many us later than it could; the rest of the launch waits for it.
    Bubble {
        /// The core.
        core: u32,
        /// TIU or GDMA.
        engine: Engine,
        /// How long the engine is idle, in us.
        us: u64,
    },
    /// `slow-kernel=NAME:FACTOR`: every command of this kernel's tiles takes `factor` times as long, on every
    /// core. System commands keep their times.
    SlowKernel {
        /// Name of the kernel.
        name: String,
        /// What its times are multiplied by.
        factor: f64,
    },
    /// `launch-gap=US`: launch number `launches / 2` (counted from 0) begins this many us later, on every core.
    LaunchGap {
        /// How much longer the chip is idle before it, in us.
        us: u64,
    },
}

/// Why a text is no plant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a fault; write imbalance=CORE:FACTOR, bubble=CORE:ENGINE:US with the engine tiu or gdma, \
     slow-kernel=NAME:FACTOR, or launch-gap=US; factors are above 0 and at most 1000, us at most 1000000"
)]
pub struct NoPlant(String);

impl FromStr for Plant {
    type Err = NoPlant;

    fn from_str(text: &str) -> Result<Self, NoPlant> {
        parse(text).ok_or_else(|| NoPlant(text.to_owned()))
    }
}

const MAX_FACTOR: f64 = 1000.0;
const MAX_IDLE_US: u64 = 1_000_000;

fn parse(text: &str) -> Option<Plant> {
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
        "slow-kernel" => {
            let (name, times) = rest.rsplit_once(':')?;
            Some(Plant::SlowKernel { name: name.to_owned(), factor: factor(times)? })
        }
        "launch-gap" => {
            let us = rest.parse().ok().filter(|us| *us <= MAX_IDLE_US)?;
            Some(Plant::LaunchGap { us })
        }
        _ => None,
    }
}

impl Plant {
    /// What the times of a kernel's commands on a core are multiplied by.
    pub(crate) fn factor(plants: &[Self], kernel: &str, on: u32) -> f64 {
        let factor = |plant: &Self| match plant {
            Self::Imbalance { core, factor } if *core == on => *factor,
            Self::SlowKernel { name, factor } if name == kernel => *factor,
            _ => 1.0,
        };
        plants.iter().map(factor).product()
    }

    /// How much later the launch in the middle begins, in ps.
    pub(crate) fn launch_gap(plants: &[Self]) -> u64 {
        let gap = |plant: &Self| match plant {
            Self::LaunchGap { us } => us * 1_000_000,
            _ => 0,
        };
        plants.iter().map(gap).sum()
    }

    /// The bubbles of a core, in ps.
    pub(crate) fn bubbles(plants: &[Self], on: u32) -> Vec<(Engine, u64)> {
        let bubble = |plant: &Self| match plant {
            Self::Bubble { core, engine, us } if *core == on => Some((*engine, us * 1_000_000)),
            _ => None,
        };
        plants.iter().filter_map(bubble).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read() {
        let read = |text: &str| text.parse::<Plant>().unwrap();
        assert_eq!(read("imbalance=2:1.5"), Plant::Imbalance { core: 2, factor: 1.5 });
        assert_eq!(read("bubble=0:TIU:80"), Plant::Bubble { core: 0, engine: Engine::Tiu, us: 80 });
        assert_eq!(read("launch-gap=30"), Plant::LaunchGap { us: 30 });
        let slow = Plant::SlowKernel { name: "a:b".into(), factor: 3.0 };
        assert_eq!(read("slow-kernel=a:b:3"), slow);
        for bad in
            ["", "imbalance=2", "imbalance=2:0", "imbalance=2:inf", "bubble=0:hau:3", "x=1:2"]
        {
            let error = bad.parse::<Plant>().unwrap_err().to_string();
            assert!(error.contains("slow-kernel=NAME:FACTOR"), "{error}");
        }
    }

    #[test]
    fn factors_multiply() {
        let plants =
            ["imbalance=1:2", "slow-kernel=rope:3"].map(|text| text.parse::<Plant>().unwrap());
        assert_eq!(Plant::factor(&plants, "rope", 1), 6.0);
        assert_eq!(Plant::factor(&plants, "rope", 0), 3.0);
        assert_eq!(Plant::factor(&plants, "other", 0), 1.0);
    }
}

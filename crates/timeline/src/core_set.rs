//! Which cores are shown.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use bigtpu_messages::error_message;

/// Cores by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CoreSet {
    /// The first cores: so many.
    First(u32),
    /// Ranges, as they were written.
    Ranges(Vec<RangeInclusive<u32>>),
}

impl CoreSet {
    /// Whether a core is one of them.
    #[must_use]
    pub fn contains(&self, core: u32) -> bool {
        match self {
            Self::First(count) => core < *count,
            Self::Ranges(ranges) => ranges.iter().any(|range| range.contains(&core)),
        }
    }

    /// The greatest number that was asked for by name; `None` for the first cores, which may be fewer.
    pub(crate) fn greatest_named(&self) -> Option<u32> {
        match self {
            Self::First(_) => None,
            Self::Ranges(ranges) => ranges.iter().map(|range| *range.end()).max(),
        }
    }
}

impl fmt::Display for CoreSet {
    /// The option that asks for them: `--num_core 2`, `--cores 0,2-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First(count) => write!(f, "--num_core {count}"),
            Self::Ranges(ranges) => {
                f.write_str("--cores ")?;
                for (place, range) in ranges.iter().enumerate() {
                    let comma = if place > 0 { "," } else { "" };
                    match (range.start(), range.end()) {
                        (start, end) if start == end => write!(f, "{comma}{start}")?,
                        (start, end) => write!(f, "{comma}{start}-{end}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

/// A text that names no cores.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", error_message!("error-timeline-no-cores", given = format_args!("{:?}", .0)))]
pub struct NoCores(String);

impl FromStr for CoreSet {
    type Err = NoCores;

    /// Numbers and ranges with commas between them: `0,2-3`.
    fn from_str(text: &str) -> Result<Self, NoCores> {
        let range = |part: &str| {
            let part = part.trim();
            let number = |text: &str| text.trim().parse::<u32>().map_err(|_| NoCores(part.into()));
            let (start, end) = part.split_once('-').unwrap_or((part, part));
            let (start, end) = (number(start)?, number(end)?);
            if start > end { Err(NoCores(part.into())) } else { Ok(start..=end) }
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Self::Ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_read_and_written() {
        let set: CoreSet = "0, 2-3,7".parse().unwrap();
        let inside: Vec<u32> = (0..9).filter(|core| set.contains(*core)).collect();
        assert_eq!((inside, set.to_string()), (vec![0, 2, 3, 7], "--cores 0,2-3,7".into()));
        assert_eq!((set.greatest_named(), CoreSet::First(2).greatest_named()), (Some(7), None));
        assert!(CoreSet::First(2).contains(1) && !CoreSet::First(2).contains(2));
        for wrong in ["", "a", "1,", "3-2", "-1", "1-2-3", "4294967296"] {
            assert!(wrong.parse::<CoreSet>().is_err(), "{wrong}");
        }
    }
}

//! Changes that the joint replay predicts, as `--scale` names them.

use bigtpu_messages::{Message, error_message};
use std::str::FromStr;

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// As it was given.
    pub text: String,
    /// What it means.
    pub what: ScaledPart,
}

/// What is changed.
#[derive(Debug, Clone, PartialEq)]
pub enum ScaledPart {
    /// All links are this many times as fast.
    Links(f64),
    /// A link is, by its ranks.
    Link(u32, u32, f64),
    /// A rank's own work takes this many times as long.
    Rank(u32, f64),
    /// Every rank's own time between operations is the median of all.
    NoSkew,
    /// Latencies of links are multiplied by this.
    Latency(f64),
    /// TIUs are this many times as fast.
    Tiu(f64),
    /// Memory is this many times as fast, where its time is not hidden by TIUs.
    Ddr(f64),
    /// Launches of a kernel take this many times as long; `*` in its name stands for any letters.
    Kernel(String, f64),
}

impl FromStr for Scale {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let parse = || {
            let (name, value) = text.split_once('=')?;
            let factor: f64 = value.parse().ok().filter(|f: &f64| *f >= 0.0 && f.is_finite())?;
            Some(match name.split_once(':') {
                None if name == "link" && factor > 0.0 => ScaledPart::Links(factor),
                None if name == "skew" && factor == 0.0 => ScaledPart::NoSkew,
                None if name == "latency" => ScaledPart::Latency(factor),
                None if name == "tiu" && factor > 0.0 => ScaledPart::Tiu(factor),
                None if name == "ddr" && factor > 0.0 => ScaledPart::Ddr(factor),
                Some(("kernel", kernel)) if !kernel.is_empty() => {
                    ScaledPart::Kernel(kernel.to_owned(), factor)
                }
                Some(("rank", rank)) => ScaledPart::Rank(rank.parse().ok()?, factor),
                Some(("link", ends)) if factor > 0.0 => {
                    let (from, to) = ends.split_once('>')?;
                    ScaledPart::Link(from.parse().ok()?, to.parse().ok()?, factor)
                }
                _ => return None,
            })
        };
        let what = parse().ok_or_else(|| error_message!("problem-scale", text))?;
        Ok(Self { text: text.to_owned(), what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_and_others_refused() {
        let what = |text: &str| text.parse::<Scale>().map(|scale| scale.what);
        assert_eq!(what("link:0>1=2"), Ok(ScaledPart::Link(0, 1, 2.0)));
        assert_eq!(what("rank:3=0.5"), Ok(ScaledPart::Rank(3, 0.5)));
        assert_eq!(what("skew=0"), Ok(ScaledPart::NoSkew));
        assert_eq!(what("kernel:mat*=0.5"), Ok(ScaledPart::Kernel("mat*".to_owned(), 0.5)));
        let error = what("gdma=2").unwrap_err().text(bigtpu_messages::Language::English);
        assert!(error.contains("whatif"), "{error}");
    }
}

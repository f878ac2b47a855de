//! What ran, whatever it is called and however long it took.

use std::collections::BTreeMap;

/// Two runs are of the same program if so much of their commands and bytes, or launches, is in both. Some may be lost, and some depends
/// on data.
const SAME: f64 = 0.8;
/// Programs that have less than this in common are not two versions of one.
pub(crate) const LEAST_ALIKE: f64 = 0.2;

/// What ran: the chip, and what each part did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunProgram {
    /// Chip.
    pub chip: String,
    /// Commands and bytes of each kernel or layer on each engine; or launches, and 0 for the bytes.
    pub parts: BTreeMap<String, [f64; 2]>,
}

impl RunProgram {
    /// The part of both that is in both: 1 for equal programs, 0 on another chip.
    #[must_use]
    pub fn overlap(&self, other: &Self) -> f64 {
        if self.chip != other.chip {
            return 0.0;
        }
        let names = self.parts.keys().chain(other.parts.keys());
        let (mut common, mut all) = ([0.0; 2], [0.0; 2]);
        let mut names: Vec<&String> = names.collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let of = |program: &Self| program.parts.get(name).copied().unwrap_or_default();
            let (own, others) = (of(self), of(other));
            for ((common, all), (a, b)) in
                common.iter_mut().zip(&mut all).zip(own.into_iter().zip(others))
            {
                *common += a.min(b);
                *all += a.max(b);
            }
        }
        let share = |common: f64, all: f64| if all > 0.0 { common / all } else { 1.0 };
        let [commands, bytes] = common;
        let [all_commands, all_bytes] = all;
        share(commands, all_commands).min(share(bytes, all_bytes))
    }

    /// Both are runs of one program.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.overlap(other) >= SAME
    }

    /// The number of each program among those that differ, in the order in which they appear.
    pub(crate) fn classes(programs: &[&Self]) -> Vec<usize> {
        let mut first: Vec<&Self> = Vec::new();
        let mut classes = Vec::new();
        for program in programs {
            let known = first.iter().position(|one| one.is_same(program));
            classes.push(known.unwrap_or(first.len()));
            if known.is_none() {
                first.push(program);
            }
        }
        classes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_apart_by_what_they_do() {
        let of = |chip: &str, parts: &[(&str, [f64; 2])]| RunProgram {
            chip: chip.into(),
            parts: parts.iter().map(|(name, did)| ((*name).to_owned(), *did)).collect(),
        };
        let resnet = of("AKS", &[("conv TIU", [100.0, 0.0]), ("conv GDMA", [50.0, 1e6])]);
        let lost = of("AKS", &[("conv TIU", [95.0, 0.0]), ("conv GDMA", [48.0, 0.95e6])]);
        let large = of("AKS", &[("conv TIU", [100.0, 0.0]), ("conv GDMA", [50.0, 8e6])]);
        let bert = of("AKS", &[("matmul TIU", [100.0, 0.0])]);
        assert!(resnet.is_same(&lost) && !resnet.is_same(&large) && !resnet.is_same(&bert));
        assert!(!resnet.is_same(&RunProgram { chip: "AKSV".into(), ..resnet.clone() }));
        assert_eq!(RunProgram::classes(&[&resnet, &bert, &lost, &large, &bert]), [0, 1, 0, 2, 1]);
    }
}

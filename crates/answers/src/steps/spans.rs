//! Where the steps of a run are. What each took is told by [`super::Steps`].

use std::collections::HashMap;
use std::ops::Range;

use bigtpu_measure::{DumpModel, KernelSlice};
use regex_lite::Regex;

use super::StepSource;
use super::repetition::{Repetition, occurrences};

/// When the steps of a run begin and end, and how they were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepSpans {
    /// How they were found.
    pub(crate) source: StepSource,
    /// Kernel of the first step's first launch: index into [`DumpModel::kernels`].
    pub(crate) first_kernel: Option<u32>,
    /// In order; at least one.
    pub(crate) parts: Vec<Part>,
}

/// A step: its times in ns, and what makes it one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) start_ns: i64,
    pub(crate) end_ns: i64,
    pub(crate) launches: u64,
    pub(crate) is_regular: bool,
}

impl StepSpans {
    /// Steps in their order; `None` without any.
    pub(crate) fn new(
        source: StepSource,
        first_kernel: Option<u32>,
        parts: Vec<Part>,
    ) -> Option<Self> {
        (!parts.is_empty()).then_some(Self { source, first_kernel, parts })
    }

    /// When the steps begin and end, in ns.
    pub fn bounds(&self) -> impl Iterator<Item = (i64, i64)> {
        self.parts.iter().map(|part| (part.start_ns, part.end_ns))
    }

    /// The number of the step that a command belongs to which starts at a time (ns): the last one that starts there or before. `None` before the first
    /// one, and from the end of the last one on.
    #[must_use]
    pub fn number_at(&self, start_ns: i64) -> Option<u64> {
        self.index_at(start_ns).map(|index| index as u64)
    }

    /// As [`StepSpans::number_at`], with the ns in which the step's commands start. Commands come in the order of their starts: whoever
    /// looks for the step of each asks again only where the last span ends.
    #[must_use]
    pub fn span_at(&self, start_ns: i64) -> Option<(Range<i64>, u64)> {
        let index = self.index_at(start_ns)?;
        let (step, last) = (self.parts.get(index)?, self.parts.last()?);
        let end_ns = self.parts.get(index + 1).map_or(last.end_ns, |next| next.start_ns);
        Some((step.start_ns..end_ns, index as u64))
    }

    /// The greatest number of a step.
    #[must_use]
    pub fn greatest_number(&self) -> u64 {
        self.parts.len().saturating_sub(1) as u64
    }

    /// Its index.
    pub(super) fn index_at(&self, start_ns: i64) -> Option<usize> {
        self.parts.last().filter(|last| start_ns < last.end_ns)?;
        self.parts.partition_point(|step| step.start_ns <= start_ns).checked_sub(1)
    }

    /// Finds the steps by repetition of the kernel sequence; `None` where none repeats.
    #[must_use]
    pub fn repeated(model: &DumpModel<'_>) -> Option<Self> {
        let cores = Cores::with(model, |slices| slices.len())?;
        let found = Repetition::find(&cores.kernels)?;
        let parts = occurrences(&cores.kernels, found);
        let kernel = cores.kernels.get(found.first).copied();
        let parts = cores.parts(model, parts);
        Self::new(StepSource::Repetition, kernel, parts)
    }

    /// Each launch of a kernel whose name matches begins a step; `None` where no name does.
    #[must_use]
    pub fn at_kernels(model: &DumpModel<'_>, pattern: &Regex) -> Option<Self> {
        let is_first: Vec<bool> = model.kernels.iter().map(|k| pattern.is_match(k)).collect();
        let begins = |kernel: u32| is_first.get(kernel as usize).is_some_and(|is| *is);
        let begun = |slices: &[KernelSlice]| slices.iter().filter(|s| begins(s.kernel)).count();
        let cores = Cores::with(model, begun)?;
        let kernels = &cores.kernels;
        let mut at: Vec<usize> =
            (0..kernels.len()).filter(|&i| kernels.get(i).is_some_and(|k| begins(*k))).collect();
        let first = kernels.get(*at.first()?).copied();
        at.push(kernels.len());
        let launches = |from: usize, to: usize| kernels.get(from..to).unwrap_or_default();
        let pairs = || at.iter().zip(at.iter().skip(1));
        // A step is regular if another one has the same launches.
        let mut counts: HashMap<&[u32], usize> = HashMap::new();
        for (from, to) in pairs() {
            *counts.entry(launches(*from, *to)).or_default() += 1;
        }
        let is_usual = |of: &[u32]| counts.get(of).is_some_and(|count| *count > 1);
        let parts = pairs().map(|(from, to)| (*from, to - from, is_usual(launches(*from, *to))));
        let parts = cores.parts(model, parts.collect());
        Self::new(StepSource::Kernel, first, parts)
    }
}

/// The cores whose launches make the steps: they all run the same sequence.
struct Cores<'a> {
    kernels: Vec<u32>,
    cores: Vec<&'a [KernelSlice]>,
}

impl<'a> Cores<'a> {
    /// The first core with the greatest `rank`, and those that run the same kernels in the same order.
    fn with(model: &DumpModel<'a>, rank: impl Fn(&[KernelSlice]) -> usize) -> Option<Self> {
        let all = || model.core_launches.iter().map(Vec::as_slice);
        let best = all().rev().max_by_key(|slices| rank(slices)).filter(|s| rank(s) > 0)?;
        let kernels = best.iter().map(|slice| slice.kernel);
        let is_same = |slices: &&[KernelSlice]| slices.iter().map(|s| s.kernel).eq(kernels.clone());
        Some(Self { cores: all().filter(is_same).collect(), kernels: kernels.collect() })
    }

    /// The parts (first launch, launches, regular) as times: a step begins when its first launch does on any core,
    /// and ends where the next begins.
    fn parts(&self, model: &DumpModel<'_>, parts: Vec<(usize, usize, bool)>) -> Vec<Part> {
        let start = |at: usize| self.cores.iter().filter_map(|c| c.get(at)).map(|s| s.start).min();
        let all = model.core_launches.iter().flatten();
        let run_end = all.map(|slice| slice.end).max().unwrap_or_default();
        let parts = parts.into_iter().filter_map(|(at, launches, is_regular)| {
            let start_ns = start(at)?;
            let end_ns = start(at + launches).unwrap_or(run_end).max(start_ns);
            Some(Part {
                start_ns,
                end_ns,
                launches: launches as u64,
                is_regular,
                ..Part::default()
            })
        });
        parts.collect()
    }
}

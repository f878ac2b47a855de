//! A simulation beside the records of the dump that its commands come from.

use bigtpu_timeline::Profile;
use foldhash::{HashMap, HashMapExt};

use crate::program::ENGINES;
use crate::simulation::Simulation;

/// Times of a core, in ns: from the first start to the last end of the commands that have records.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoreTimes {
    /// Core.
    pub core: u32,
    /// Predicted.
    pub predicted_ns: f64,
    /// Measured; `None` without records.
    pub measured_ns: Option<f64>,
}

/// How well predicted durations meet measured ones.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Accuracy {
    /// Commands with both.
    pub commands: u64,
    /// Equal to the cycle.
    pub exact: u64,
    /// Median of the errors, of the measured duration.
    pub median: f64,
    /// Nine of ten are smaller.
    pub p90: f64,
    /// Error of the sum of the durations, as a share of the measured sum.
    pub of_sum: f64,
}

/// A command with both times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Core.
    pub core: u32,
    /// Index of the engine: TIU, GDMA, SDMA.
    pub engine: usize,
    /// Index among the simulated commands.
    pub simulated: usize,
    /// Index among the measured events.
    pub measured: usize,
}

/// A simulation beside records.
#[derive(Debug)]
pub struct RecordComparison {
    /// The commands with both times.
    pub pairs: Vec<Pair>,
    /// ns from the first start to the last end of all cores.
    pub predicted_ns: f64,
    /// ns from the first start to the last end in the records of these commands; `None` without records.
    pub measured_ns: Option<f64>,
    /// Times of each core, from its own first start.
    pub cores: Vec<CoreTimes>,
    /// Accuracy of TIU commands.
    pub tiu: Accuracy,
    /// Accuracy of transfers.
    pub dma: Accuracy,
}

impl RecordComparison {
    /// Compares a simulation with the profile from whose dump the program is.
    #[must_use]
    pub fn compare(simulation: &Simulation<'_>, profile: &Profile<'_>) -> Self {
        let mut all = Self {
            pairs: Vec::new(),
            predicted_ns: 0.0,
            measured_ns: None,
            cores: Vec::new(),
            tiu: Accuracy::default(),
            dma: Accuracy::default(),
        };
        let (mut tiu, mut dma) = (Errors::default(), Errors::default());
        let (mut whole, mut whole_measured) = (Span::default(), Span::default());
        for (index, core) in simulation.program.cores.iter().enumerate() {
            let (mut predicted, mut measured) = (Span::default(), Span::default());
            for place in 0..ENGINES.len() {
                let track = profile.cores.get(index).and_then(|core| core.tracks.get(place));
                let (Some(track), Some(queue)) = (track, core.queues.get(place)) else { continue };
                let mut seen: HashMap<u64, u32> = HashMap::new();
                let mut records: HashMap<(u64, u32), usize> = HashMap::new();
                for event in 0..track.events.len() {
                    let Some(offset) = track.events.bits(event) else { continue };
                    let launch = seen.entry(offset).or_default();
                    records.insert((offset, *launch), event);
                    *launch += 1;
                }
                for (simulated, queued) in queue.iter().enumerate() {
                    let Some(&event) = records.get(&(queued.offset, queued.launch)) else {
                        continue;
                    };
                    let pair =
                        Pair { core: index as u32, engine: place, simulated, measured: event };
                    let times =
                        simulation.times.get(index).and_then(|c| c.get(place)?.get(simulated));
                    let Some(&(start, end)) = times else { continue };
                    let (from, to) = (track.events.start.get(event), track.events.end.get(event));
                    let (Some(&from), Some(&to)) = (from, to) else { continue };
                    all.pairs.push(pair);
                    // As an analysis of the simulated and of the measured run counts their times.
                    let recorded = simulation.recorded(place, (start, end));
                    predicted.add(recorded);
                    whole.add(recorded);
                    measured.add((from, to));
                    whole_measured.add((from, to));
                    let mhz = profile.clocks.mhz(track.engine_id.engine);
                    let cycles = track.events.cycles(event).unwrap_or(0) as f64;
                    let own = (end - start) as f64 * mhz / 1e6;
                    let cost = simulation.cost_of(index, place, simulated);
                    if place == 0 {
                        tiu.add(own, cycles);
                    } else if cost.is_some_and(|cost| cost.transfer.is_some()) {
                        dma.add(own, cycles);
                    }
                }
            }
            if let (Some(predicted_ns), measured_ns) = (predicted.length(), measured.length()) {
                all.cores.push(CoreTimes { core: index as u32, predicted_ns, measured_ns });
            }
        }
        let unmeasured = || Self::unmeasured(simulation).predicted_ns;
        (all.predicted_ns, all.measured_ns) =
            (whole.length().unwrap_or_else(unmeasured), whole_measured.length());
        (all.tiu, all.dma) = (tiu.accuracy(), dma.accuracy());
        all
    }
}

impl RecordComparison {
    /// Predicted times of a program without records.
    #[must_use]
    pub fn unmeasured(simulation: &Simulation<'_>) -> Self {
        let mut whole = Span::default();
        let mut cores = Vec::new();
        for (core, engines) in (0..).zip(&simulation.times) {
            let mut own = Span::default();
            for (engine, times) in engines.iter().enumerate() {
                for time in times {
                    let recorded = simulation.recorded(engine, *time);
                    own.add(recorded);
                    whole.add(recorded);
                }
            }
            let times = |predicted_ns| CoreTimes { core, predicted_ns, measured_ns: None };
            cores.extend(own.length().map(times));
        }
        Self {
            pairs: Vec::new(),
            predicted_ns: whole.length().unwrap_or(0.0),
            measured_ns: None,
            cores,
            tiu: Accuracy::default(),
            dma: Accuracy::default(),
        }
    }
}

/// From the first start to the last end, in ns.
#[derive(Default)]
struct Span(Option<(i64, i64)>);

impl Span {
    fn add(&mut self, (start, end): (i64, i64)) {
        let (first, last) = self.0.unwrap_or((start, end));
        self.0 = Some((first.min(start), last.max(end)));
    }

    fn length(&self) -> Option<f64> {
        self.0.map(|(first, last)| (last - first) as f64)
    }
}

/// Errors of durations.
#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<f64>,
    exact: u64,
    predicted: f64,
    measured: f64,
}

impl Errors {
    pub(crate) fn add(&mut self, predicted: f64, measured: f64) {
        // Half a thousandth of a cycle is what whole ps leave.
        self.exact += u64::from((predicted - measured).abs() < 0.01);
        self.errors.push((predicted - measured).abs() / measured.max(1.0));
        self.predicted += predicted;
        self.measured += measured;
    }

    pub(crate) fn accuracy(mut self) -> Accuracy {
        self.errors.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (self.errors.len() as f64 * share) as usize;
            self.errors.get(place).or(self.errors.last()).copied().unwrap_or(0.0)
        };
        Accuracy {
            commands: self.errors.len() as u64,
            exact: self.exact,
            median: at(0.5),
            p90: at(0.9),
            of_sum: if self.measured > 0.0 { self.predicted / self.measured - 1.0 } else { 0.0 },
        }
    }
}

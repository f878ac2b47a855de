//! The rows of the table: what commands of the same kernel or layer, engine and memory took.

use bigtpu_chip::{Direction, Engine};
use bigtpu_command_cost::Mark;
use bigtpu_measure::{CommandKind, DumpModel};
use foldhash::HashMap;

use super::{SlowCause, Slower};

/// A row loses at least this share of the wall time.
const LEAST_SHARE: f64 = 0.001;
/// Rows.
const MOST: usize = 50;

/// A layer's number and label.
pub(super) type Layer<'a> = Option<(u64, &'a str)>;

/// What rows are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key<'a> {
    layer: Layer<'a>,
    kernel: Option<u32>,
    engine: Engine,
    sides: Option<[u8; 2]>,
}

/// What the commands of a row took.
#[derive(Debug)]
pub(super) struct Sum {
    pub(super) commands: u64,
    pub(super) slower: u64,
    /// ns of the slower ones.
    pub(super) measured: f64,
    /// ns that their bits explain.
    pub(super) expected: f64,
    /// ns by [`SlowCause`].
    pub(super) lost: [f64; SlowCause::ALL.len()],
    /// The worst of their rules.
    pub(super) mark: Mark,
    direction: Option<Direction>,
}

/// The row that a kind's commands were in last: mostly it is the one of the next, too.
#[derive(Clone, Copy)]
struct LastRow<'a> {
    kernel: Option<u32>,
    layer: Layer<'a>,
    number: usize,
}

/// The rows of all tracks.
#[derive(Default)]
pub(super) struct Rows<'a> {
    numbers: HashMap<Key<'a>, usize>,
    sums: Vec<Sum>,
    /// Row of the last command of each kind, by number of the kind.
    last: Vec<Option<LastRow<'a>>>,
}

impl<'a> Rows<'a> {
    /// The row of a command of the kind with this number.
    #[inline]
    pub(super) fn row(
        &mut self,
        (number, kind): (usize, &CommandKind),
        kernel: Option<u32>,
        layer: Layer<'a>,
    ) -> &mut Sum {
        let number = match self.last.get(number) {
            Some(Some(last)) if last.kernel == kernel && last.layer == layer => last.number,
            _ => self.find((number, kind), kernel, layer),
        };
        &mut self.sums[number]
    }

    #[cold]
    fn find(
        &mut self,
        (of_kind, kind): (usize, &CommandKind),
        kernel: Option<u32>,
        layer: Layer<'a>,
    ) -> usize {
        let direction = kind.direction();
        let sides = direction.map(|d| [d.from as u8, d.to as u8]);
        let key = Key { layer, kernel, engine: kind.engine, sides };
        let number = *self.numbers.entry(key).or_insert_with(|| {
            self.sums.push(Sum::new(direction));
            self.sums.len() - 1
        });
        if self.last.len() <= of_kind {
            self.last.resize(of_kind + 1, None);
        }
        self.last[of_kind] = Some(LastRow { kernel, layer, number });
        number
    }

    /// The rows that lose a part of the wall time, those that lose most first.
    pub(super) fn slower(self, model: &DumpModel<'_>, wall_ns: i64) -> Vec<Slower> {
        let least = (wall_ns as f64 * LEAST_SHARE).max(1.0);
        let sums = &self.sums;
        let slow = self.numbers.into_iter().filter_map(|(key, number)| {
            let sum = sums.get(number)?;
            (sum.measured - sum.expected >= least).then_some((key, sum))
        });
        let mut slow: Vec<(Key<'a>, &Sum)> = slow.collect();
        slow.sort_unstable_by_key(|(key, _)| *key);
        let mut rows: Vec<Slower> =
            slow.into_iter().map(|(key, sum)| sum.row(key, model)).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.lost_ns));
        rows.truncate(MOST);
        rows
    }
}

impl Sum {
    fn new(direction: Option<Direction>) -> Self {
        Self {
            commands: 0,
            slower: 0,
            measured: 0.0,
            expected: 0.0,
            lost: [0.0; SlowCause::ALL.len()],
            mark: Mark::Exact,
            direction,
        }
    }

    fn row(&self, key: Key<'_>, model: &DumpModel<'_>) -> Slower {
        let kernel = || key.kernel.map_or("", |kernel| model.kernel_name(kernel));
        // What is slow loses more than 0.
        let lost = SlowCause::ALL.into_iter().zip(self.lost).filter(|(_, ns)| *ns > 0.0);
        let most = lost.max_by(|a, b| a.1.total_cmp(&b.1));
        let (measured_ns, expected_ns) = (self.measured as i64, self.expected.round() as i64);
        Slower {
            name: key.layer.map_or_else(kernel, |(_, label)| label).to_owned(),
            layer_id: key.layer.map(|(id, _)| id),
            engine: key.engine.name().to_owned(),
            memory: self.direction.map_or(String::new(), |d| d.text().to_owned()),
            commands: self.commands,
            slower: self.slower,
            measured_ns,
            expected_ns,
            lost_ns: measured_ns - expected_ns,
            cause: most.map_or(SlowCause::Unknown, |(cause, _)| cause),
            mark: self.mark.name().to_owned(),
        }
    }
}

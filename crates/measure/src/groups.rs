//! Commands grouped by anything that is known of them: how many, how long, how much work.

mod ranks;

use bigtpu_chip::Engine;
use foldhash::HashMap;
use serde::{Deserialize, Serialize};

use crate::cells::{Cells, TotalsCell};
use crate::distribution::Distribution;
use crate::margins::{Side, Sum};
use crate::model::DumpModel;
use crate::{quotient, ratio, round4};
use ranks::Seen;

/// What commands may be grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// Kernel function.
    Kernel,
    /// Function type and function name, such as `sMM2 mm2.nn`.
    Opcode,
    /// Data type.
    DataType,
    /// Shape.
    Shape,
    /// Direction of a transfer.
    Direction,
    /// Batch.
    Batch,
    /// Mode: RVT, TDI or DES.
    Mode,
    /// Engine.
    Engine,
    /// Core; `port n` for CDMA.
    Core,
}

impl Key {
    /// All keys.
    pub const ALL: [Self; 9] = [
        Self::Kernel,
        Self::Opcode,
        Self::DataType,
        Self::Shape,
        Self::Direction,
        Self::Batch,
        Self::Mode,
        Self::Engine,
        Self::Core,
    ];

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Opcode => "opcode",
            Self::DataType => "data_type",
            Self::Shape => "shape",
            Self::Direction => "direction",
            Self::Batch => "batch",
            Self::Mode => "mode",
            Self::Engine => "engine",
            Self::Core => "core",
        }
    }

    /// What decides its value.
    fn side(self) -> Side {
        match self {
            Self::Opcode | Self::DataType | Self::Shape | Self::Direction | Self::Engine => {
                Side::Kind
            }
            Self::Kernel | Self::Batch | Self::Mode => Side::Tag,
            Self::Core => Side::Track,
        }
    }

    /// A cell's value.
    fn value<'a>(self, model: &DumpModel<'a>, cell: &TotalsCell<'a>) -> Value<'a> {
        let TotalsCell { engine_id: place, kind, tag, .. } = cell;
        match self {
            Self::Kernel => Value::Text(tag.kernel.map_or("", |k| model.kernel_name(k))),
            Self::Opcode => Value::Texts(kind.function_type, &kind.function_name),
            Self::DataType => Value::Text(&kind.data_type),
            Self::Shape => Value::Text(&kind.shape),
            Self::Direction => Value::Text(kind.direction().map_or("", |d| d.text())),
            Self::Batch => tag.batch.map_or(Value::Text(""), Value::Number),
            Self::Mode => Value::Text(tag.mode.map_or("", |m| m.name())),
            Self::Engine => Value::Text(kind.engine.name()),
            Self::Core if place.engine == Engine::Cdma => Value::Port(place.index),
            Self::Core => Value::Number(place.index),
        }
    }
}

/// What commands of a group have in common by one key; an empty text where it is not known or the commands have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Value<'a> {
    Text(&'a str),
    /// Two texts with a space between.
    Texts(&'a str, &'a str),
    Number(u32),
    Port(u32),
}

impl Value<'_> {
    /// As printed.
    fn text(self) -> String {
        match self {
            Self::Text(text) => text.to_owned(),
            Self::Texts(first, second) => format!("{first} {second}"),
            Self::Number(number) => number.to_string(),
            Self::Port(port) => format!("port {port}"),
        }
    }
}

/// Commands that are alike. System commands are in none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlikeCommands {
    /// What they have in common, in the order of the keys that were asked for; empty where not known.
    pub values: Vec<String>,
    /// Commands.
    pub count: u64,
    /// Sum of their durations in ns.
    pub total_ns: i64,
    /// Distribution of their durations.
    #[serde(flatten)]
    pub durations: Distribution,
    /// Their time over that of all commands.
    pub share: f64,
    /// ns by engine: TIU, GDMA, SDMA, CDMA; they sum to the total.
    pub engine_ns: [i64; 4],
    /// Requested operations, of the commands whose full bits are known.
    pub ops: u64,
    /// Operations after padding.
    pub uarch_ops: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Bytes over the time of the DMA engines, in GB/s.
    pub gbps: f64,
    /// Operations over the time of the TIU, in tera-operations a second.
    pub tops: f64,
    /// Requested operations / operations after padding.
    pub uarch_rate: f64,
}

/// Groups all commands but system commands by `keys`: those that took longest first. `cells` are those of the model.
pub fn groups_of<'a>(model: &DumpModel<'a>, cells: &Cells<'a>, keys: &[Key]) -> Vec<AlikeCommands> {
    let mut numbers: HashMap<Vec<Value<'_>>, u32> = HashMap::default();
    let mut sums: Vec<Sum> = Vec::new();
    let mut values = Vec::with_capacity(keys.len());
    // Adds commands to their group, and returns its number.
    let mut add = |cell: &TotalsCell<'a>, own: &Sum| {
        values.clear();
        values.extend(keys.iter().map(|key| key.value(model, cell)));
        let number = numbers.get(values.as_slice()).copied().unwrap_or_else(|| {
            sums.push(Sum::default());
            numbers.insert(values.clone(), sums.len() as u32 - 1);
            sums.len() as u32 - 1
        });
        sums.get_mut(number as usize).into_iter().for_each(|sum| sum.add(own));
        number
    };
    let side = keys.first().map(|key| key.side());
    let (margins, side) = (cells.margins(), side.filter(|s| keys.iter().all(|k| k.side() == *s)));
    let seen = match side {
        Some(side) => {
            let of_parts: Vec<u32> =
                margins.parts(side).map(|(cell, sum)| add(cell, sum)).collect();
            let mut seen: Vec<Seen> = sums.iter().map(Seen::new).collect();
            ranks::add_blocks(&mut seen, cells, side, &of_parts);
            seen
        }
        None => {
            let of_cells: Vec<u32> =
                cells.iter().map(|cell| add(cell, &Sum::from_cell(cell))).collect();
            let mut seen: Vec<Seen> = sums.iter().map(Seen::new).collect();
            cells.for_each_duration(|ns, cell| {
                ranks::add(&mut seen, of_cells.get(cell as usize), ns);
            });
            seen
        }
    };
    let distributions: Vec<Distribution> =
        sums.iter().zip(&seen).map(|(sum, seen)| seen.distribution(sum)).collect();
    let mut groups: Vec<AlikeCommands> = numbers
        .into_iter()
        .filter_map(|(values, number)| {
            let (sum, durations) =
                (sums.get(number as usize)?, distributions.get(number as usize)?);
            Some(AlikeCommands::new(values.into_iter().map(Value::text).collect(), sum, *durations))
        })
        .collect();
    let all: i64 = groups.iter().map(|group| group.total_ns).sum();
    for group in &mut groups {
        group.share = ratio(group.total_ns, all);
    }
    groups.sort_by(|a, b| (b.total_ns, &a.values).cmp(&(a.total_ns, &b.values)));
    groups
}

impl AlikeCommands {
    /// Its share waits for the others.
    fn new(values: Vec<String>, sum: &Sum, durations: Distribution) -> Self {
        let &Sum { count, engine_ns, ops, uarch_ops, bytes } = sum;
        let total_ns = sum.total_ns();
        let [tiu, dma @ ..] = engine_ns;
        Self {
            values,
            count: count as u64,
            total_ns,
            durations,
            share: 0.0,
            engine_ns,
            ops: whole(ops),
            uarch_ops: whole(uarch_ops),
            bytes,
            gbps: gbps(bytes, dma.iter().sum()),
            tops: tops(ops, tiu),
            uarch_rate: round4(quotient(ops, uarch_ops)),
        }
    }
}

/// A count as 64 bits hold it; what is below 0 (a kernel with a size of 0) counts as 0.
pub fn whole(n: i128) -> u64 {
    u64::try_from(n.max(0)).unwrap_or(u64::MAX)
}

/// Bytes over ns, in GB/s; 0 where no time passed.
#[must_use]
pub fn gbps(bytes: u64, ns: i64) -> f64 {
    round4(quotient(bytes.into(), ns.into()))
}

/// Operations over ns, in tera-operations a second; 0 where no time passed.
pub fn tops(ops: i128, ns: i64) -> f64 {
    round4(quotient(ops, i128::from(ns) * 1000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::percentile::nearest_rank;
    use crate::planted::Planted;

    fn groups(model: &DumpModel<'_>, keys: &[Key]) -> Vec<AlikeCommands> {
        groups_of(model, &Cells::collect(model), keys)
    }

    fn planted() -> Planted {
        let mut planted = Planted::default();
        planted.kernel(0, "matmul", 0, 100);
        planted.compute(0, (0, 40), (80_000, 100_000, 30));
        planted.compute(0, (50, 110), (20_000, 100_000, 30));
        planted.load(0, 0, 10, 200);
        planted.wait(0, Engine::Gdma, 10, 50);
        planted.kernel(1, "add", 0, 100);
        planted.load(1, 0, 30, 600);
        planted
    }

    #[test]
    fn groups_add_up() {
        let planted = planted();
        let model = planted.model();
        let kernels = groups(&model, &[Key::Kernel]);
        let [matmul, add] = &kernels[..] else { panic!("{kernels:?}") };
        assert_eq!(matmul.values, ["matmul"]);
        assert_eq!(
            (matmul.count, matmul.total_ns, matmul.durations.max_ns, matmul.durations.p50_ns),
            (3, 110, 60, 40)
        );
        assert_eq!((matmul.engine_ns, matmul.bytes, matmul.gbps), ([100, 10, 0, 0], 200, 20.0));
        assert_eq!((matmul.ops, matmul.tops, matmul.uarch_rate), (100_000, 1.0, 0.5));
        assert_eq!((add.count, add.share, add.tops), (1, 0.2143, 0.0));
        assert_eq!(
            (
                matmul.durations.p95_ns,
                add.durations.p50_ns,
                add.durations.p95_ns,
                add.durations.max_ns
            ),
            (60, 30, 30, 30)
        );
    }

    #[test]
    fn durations_of_seconds_are_exact() {
        let mut planted = Planted::default();
        for (start, end) in [(0, 10_000_000_000), (20_000_000_000, 25_000_000_000), (0, 3)] {
            planted.work(0, Engine::Tiu, start, end);
        }
        let found = groups(&planted.model(), &[Key::Engine]);
        let durations = found[0].durations;
        assert_eq!((durations.p50_ns, durations.max_ns), (5_000_000_000, 10_000_000_000));
    }

    /// Many blocks of durations, some of which hold a percentile, and some that are too long for a block.
    #[test]
    fn percentiles_of_many_durations_are_those_of_the_sorted_ones() {
        let mut planted = Planted::default();
        let mut by_engine: [Vec<i64>; 2] = Default::default();
        let mut start = 0;
        for i in 0..3000 {
            let ns = if i % 500 == 7 { 5_000_000_000 + i } else { (i * 7919) % 1009 };
            let is_tiu = i % 3 == 0;
            let engine = if is_tiu { Engine::Tiu } else { Engine::Gdma };
            planted.work((i % 2) as u32, engine, start, start + ns);
            by_engine[usize::from(is_tiu)].push(ns);
            start += ns + 1;
        }
        let model = planted.model();
        let found = groups(&model, &[Key::Engine]);
        assert_eq!(found.len(), 2);
        for group in &found {
            let durations = &mut by_engine[usize::from(group.values == ["TIU"])];
            durations.sort_unstable();
            let at = |percent| durations[nearest_rank(durations.len(), percent)];
            let Distribution { p50_ns, p95_ns, max_ns, .. } = group.durations;
            assert_eq!((p50_ns, p95_ns, max_ns), (at(50), at(95), at(100)));
            // The same counted one by one.
            let by_core = groups(&model, &[Key::Engine, Key::Core]);
            let of_engine = by_core.iter().filter(|own| own.values[0] == group.values[0]);
            assert_eq!(of_engine.map(|own| own.count).sum::<u64>(), group.count);
        }
    }

    #[test]
    fn every_key_splits_the_same_commands() {
        let planted = planted();
        let model = planted.model();
        for key in Key::ALL {
            let found = groups(&model, &[key]);
            assert_eq!(found.iter().map(|g| g.count).sum::<u64>(), 4, "{}", key.name());
            assert_eq!(found.iter().map(|g| g.total_ns).sum::<i64>(), 140, "{}", key.name());
        }
        let both = groups(&model, &[Key::Engine, Key::Core]);
        let values: Vec<_> = both.iter().map(|g| g.values.join(" ")).collect();
        assert_eq!(values, ["TIU 0", "GDMA 1", "GDMA 0"]);
    }
}

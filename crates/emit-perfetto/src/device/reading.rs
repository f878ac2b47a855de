//! The numbers of an engine's slices, block by block: each column is read in a loop of its own.

mod texts;

use std::ops::Range;
use std::sync::Arc;

use bigtpu_chip::Engine;
use bigtpu_measure::{AddressReader, Addresses, ByteCounts, Shown, TrackCommands};
use bigtpu_replay::EngineCauses;
use bigtpu_timeline::{EngineEvents, Qualities};

use super::Units;
use super::kinds::Shows;
use super::rate::RateOfSlices;
use super::rows::Rows;
use super::shape::{Shape, Shapes, number};
use super::tags::{OfTag, TagTexts};
use crate::block::Block;
use crate::detail::TraceDetail;
use crate::numbers::ROWS;
use crate::sequence::Sequence;
use crate::slice_texts::{Key, Texts};
use crate::spread::{NARROW_BITS, spread_narrow};
use crate::widths::{AllWidths, OF_ADDRESSES, OF_COUNTS, OF_SIZES};

/// Reads the numbers of an engine's slices.
pub(super) struct Reading<'p, 'd> {
    commands: TrackCommands<'p, 'd>,
    /// Added to times, in ns.
    offset: i64,
    causes: Option<EngineCauses<'p>>,
    pub(super) units: Units<'p>,
    is_full: bool,
    /// What slices show, by kind of their command.
    pub(super) shows: Arc<[Shows]>,
    pub(super) counts: Arc<[ByteCounts]>,
    tag_texts: Arc<TagTexts>,
    widths: Arc<AllWidths>,
    addresses: AddressReader<'p, 'd>,
    texts: Texts,
    /// Where the engine's rate comes with its slices.
    rate: Option<RateOfSlices>,
    /// The commands of which it is told how well they are known.
    pub(super) doubts: Qualities,
    /// The shapes of the block that was read last.
    pub(super) shapes: Shapes,
    /// Whether the engine's rate is 0 at the end of each slice.
    pub(super) idle_behind: [bool; ROWS],
    /// The layer that was looked at last, and the interning id of its name.
    layer: Option<(usize, u64)>,
    /// The engine that released a command last.
    released_by: Option<&'p EngineEvents<'d>>,
    /// Texts that slices of the block need and that were not asked for of late: the slice, the number, and what the text is;
    /// `None`: the name of a layer.
    missing: Vec<(usize, usize, Option<Key>)>,
    /// Transfers of the block with so many bytes that four don't hold their number: the slice, and the number.
    great: Vec<(usize, u64)>,
    /// Numbers of the block that are being read.
    values: [u64; ROWS],
}

/// What the slices of an engine are read from.
pub(super) struct ReadingOf<'p, 'd> {
    pub(super) commands: TrackCommands<'p, 'd>,
    pub(super) offset: i64,
    pub(super) causes: Option<EngineCauses<'p>>,
    pub(super) units: Units<'p>,
    pub(super) detail: TraceDetail,
    pub(super) rate: Option<RateOfSlices>,
    pub(super) shows: Arc<[Shows]>,
    pub(super) counts: Arc<[ByteCounts]>,
    pub(super) tag_texts: Arc<TagTexts>,
    pub(super) widths: Arc<AllWidths>,
}

impl<'p, 'd> Reading<'p, 'd> {
    pub(super) fn new(of: ReadingOf<'p, 'd>) -> Self {
        let ReadingOf { commands, offset, causes, units, detail, rate, .. } = of;
        Self {
            commands,
            offset,
            causes,
            units,
            is_full: detail.is_full(),
            shows: of.shows,
            counts: of.counts,
            tag_texts: of.tag_texts,
            widths: of.widths,
            addresses: AddressReader::new(commands.profile, commands.track),
            texts: Texts::new(commands.track.engine_id),
            rate,
            doubts: commands.track.events.doubts(),
            shapes: Shapes::new(),
            idle_behind: [false; ROWS],
            layer: None,
            released_by: None,
            missing: Vec::new(),
            great: Vec::new(),
            values: [0; ROWS],
        }
    }

    /// Reads the numbers of the slices of the first of these rows; how many they are is the block's. Texts that are new are
    /// interned.
    pub(super) fn read(&mut self, sequence: &mut Sequence, rows: impl Rows, block: &mut Block) {
        let events = &self.commands.track.events;
        let (starts, ends) = (&mut Vec::new(), &mut Vec::new());
        let (starts, ends) = (rows.column(&events.start, starts), rows.column(&events.end, ends));
        let kinds = &mut Vec::new();
        let kinds = rows.column(&self.commands.columns.columns.kind, kinds);
        block.start(kinds.len());
        self.shapes.start(kinds);
        self.read_tags(sequence, rows, block);
        self.read_layers(sequence, rows, block);
        block.set_times(sequence, [starts, ends], self.offset);
        // From here on it is known how many slices there are.
        block.note_fresh(0, sequence);
        self.read_released_by(rows, block);
        self.read_dependences(rows, block);
        self.read_missing(sequence, rows, block);
        self.read_ids(rows, block);
        self.read_steps(starts, block);
        self.read_slack(rows, block);
        self.read_transfers(rows, block);
        self.read_rate((starts, ends), rows, block);
        // How well a command is known, where that is told, and times of ports are in no template: few commands have them.
        if !self.doubts.is_empty() {
            for row in 0..block.rows {
                if self.doubts.get(rows.event(row)).is_some() {
                    self.shapes.set_apart(row);
                }
            }
        }
        if let Some(port) = self.commands.port {
            for row in 0..block.rows {
                if port.of_event(rows.event(row)).is_some() {
                    self.shapes.set_apart(row);
                }
            }
        }
        self.shapes.put_keys(block.keys.get_mut(..block.rows).unwrap_or_default());
    }

    /// A block ends before a tag whose texts are new, so that these are interned when all before it is written.
    fn read_tags(&mut self, sequence: &mut Sequence, rows: impl Rows, block: &mut Block) {
        let tags = &mut Vec::new();
        let tags = rows.column(&self.commands.track.events.tag, tags);
        let tags = tags.get(..block.rows.min(tags.len())).unwrap_or_default();
        block.rows = tags.len();
        let Self { commands, shapes, tag_texts, is_full, .. } = self;
        let Block { numbers, .. } = block;
        let mut row = 0;
        for run in tags.chunk_by(|one, other| one == other) {
            let until = row + run.len();
            let tag = run.first().and_then(|tag| commands.profile.tags.get(*tag as usize));
            let tag = tag.copied().unwrap_or_default();
            let OfTag { kernel, mode, batch } = tag_texts.of_tag(tag);
            for id in [kernel, mode].into_iter().flatten() {
                if row == 0 {
                    sequence.use_value(id.into());
                } else if !sequence.knows_value(id.into()) {
                    block.rows = row;
                    break;
                }
            }
            if block.rows == row {
                break;
            }
            let mut shape = Shape::default();
            let mut fill = |number: usize, value: u32| {
                shape.add(number);
                let words = numbers.column(number).get_mut(row..until).unwrap_or_default();
                words.fill(spread_narrow(value));
            };
            if let Some(kernel) = kernel {
                fill(number::KERNEL, kernel);
            }
            if *is_full {
                if let Some(mode) = mode {
                    fill(number::MODE, mode);
                }
                match batch {
                    Some(batch) if batch >> NARROW_BITS == 0 => {
                        fill(number::BATCH, batch);
                        // It fits one.
                        shape.set_class(number::BATCH, &OF_COUNTS, batch.into());
                    }
                    Some(batch) => {
                        for row in row..until {
                            shapes.set(numbers, (number::BATCH, row), &OF_COUNTS, batch.into());
                        }
                    }
                    None => {}
                }
            }
            let of_run = shapes.all.get_mut(row..until).unwrap_or_default();
            of_run.iter_mut().for_each(|of_row| of_row.join(shape));
            row = until;
        }
    }

    fn read_ids(&mut self, rows: impl Rows, block: &mut Block) {
        let Self { commands, shapes, widths, values, .. } = self;
        let (track, numbers) = (commands.track, &mut block.numbers);
        let first_id = u64::from(track.engine_id.engine != Engine::Cdma);
        let values = values.get_mut(..block.rows).unwrap_or_default();
        match rows.first() {
            Some(first) => {
                track.events.id.read_bits(first, values);
                values.iter_mut().for_each(|id| *id = id.wrapping_add(first_id));
            }
            None => {
                for (row, id) in values.iter_mut().enumerate() {
                    *id = track.command_id(rows.event(row)).unwrap_or(0) as u64;
                }
            }
        }
        shapes.set_all(numbers, number::ID, &widths[number::ID], values);
        if widths[number::INDEX].are_wide() {
            values.iter_mut().enumerate().for_each(|(row, index)| *index = rows.event(row) as u64);
            shapes.set_all(numbers, number::INDEX, &widths[number::INDEX], values);
        } else {
            let indices = numbers.column(number::INDEX).iter_mut().take(block.rows).enumerate();
            indices.for_each(|(row, index)| *index = rows.event(row) as u32);
        }
        numbers.spread(number::ID, block.rows);
        numbers.spread(number::INDEX, block.rows);
    }

    /// Numbers of the steps in which slices begin.
    fn read_steps(&mut self, starts: &[i64], block: &mut Block) {
        let Self { units, shapes, widths, .. } = self;
        // A command's step is the one it starts in.
        let Units { steps: Some(steps), finds_steps: false, .. } = units else { return };
        block.numbers.column(number::STEP).fill(0);
        let mut known = None;
        for (row, start_ns) in starts.iter().enumerate().take(block.rows) {
            let holds = |(span, _): &(Range<i64>, u64)| span.contains(start_ns);
            known = known.filter(holds).or_else(|| steps.span_at(*start_ns));
            if let Some((_, step)) = &known {
                let number = (number::STEP, row);
                shapes.set(&mut block.numbers, number, &widths[number::STEP], *step);
            }
        }
        block.numbers.spread(number::STEP, block.rows);
    }

    fn read_slack(&mut self, rows: impl Rows, block: &mut Block) {
        let Self { causes: Some(causes), shapes, values, .. } = self else { return };
        let values = values.get_mut(..block.rows).unwrap_or_default();
        match rows.first() {
            Some(first) => causes.read_slack_ns(first, values),
            None => {
                for (row, slack) in values.iter_mut().enumerate() {
                    *slack = causes.slack_ns(rows.event(row)).unwrap_or(0) as u64;
                }
            }
        }
        let numbers = &mut block.numbers;
        shapes.set_all(numbers, number::SLACK, &OF_SIZES, values);
        shapes.finish(numbers, (number::SLACK, block.rows), &OF_SIZES, true);
    }

    fn read_transfers(&mut self, rows: impl Rows, block: &mut Block) {
        if self.commands.track.engine_id.engine == Engine::Tiu {
            return;
        }
        let Self { commands, shows, counts, shapes, addresses, great, .. } = self;
        let has_addresses = self.is_full;
        let wide = [number::DDR, number::L2, number::SOURCE, number::DESTINATION];
        let columns = block.numbers.columns(wide, [number::BYTES]);
        let Some(([ddr, l2, sources, destinations], [bytes])) = columns else { return };
        ddr.fill(0);
        bytes.fill(0);
        let mut set = |row: usize, event: usize, kind: u32, shown: Shown| {
            let row = row % ROWS;
            ddr[row] = shown.ddr_gbps.to_bits();
            l2[row] = shown.l2_gbps.to_bits();
            bytes[row] = shown.bytes as u32;
            if shown.bytes >> NARROW_BITS != 0 {
                great.push((row, shown.bytes));
            }
            if has_addresses {
                let shows = shows.get(kind as usize);
                let Addresses { source, destination } = match shows {
                    Some(shows) if shows.addresses => addresses.get(event),
                    _ => Addresses { source: 0, destination: 0 },
                };
                sources[row] = source;
                destinations[row] = destination;
                let shape = &mut shapes.all[row];
                let fits = shape.set_class(number::SOURCE, &OF_ADDRESSES, source)
                    & shape.set_class(number::DESTINATION, &OF_ADDRESSES, destination);
                if !fits {
                    shapes.set_apart(row);
                }
            }
        };
        match rows.first() {
            Some(first) => {
                let events = first..first + block.rows;
                commands.each_transfer(events, counts, |event, kind, shown| {
                    set(event - first, event, kind, shown);
                });
            }
            None => {
                for row in 0..block.rows {
                    let event = rows.event(row);
                    commands.each_transfer(event..event + 1, counts, |event, kind, shown| {
                        set(row, event, kind, shown);
                    });
                }
            }
        }
        let numbers = &mut block.numbers;
        for (row, bytes) in great.drain(..) {
            shapes.set(numbers, (number::BYTES, row), &OF_SIZES, bytes);
        }
        shapes.finish(numbers, (number::BYTES, block.rows), &OF_SIZES, false);
        if has_addresses {
            numbers.spread_wide(number::SOURCE, block.rows);
            numbers.spread_wide(number::DESTINATION, block.rows);
        }
    }

    /// The engine's rate, where it is written: of the TIU by kind, and of others their bandwidth from or to DDR.
    fn read_rate(&mut self, (starts, ends): (&[i64], &[i64]), rows: impl Rows, block: &mut Block) {
        let Some(rate) = &mut self.rate else { return };
        let count = block.rows;
        let values = block.numbers.wide_column(number::DDR);
        if self.commands.track.engine_id.engine == Engine::Tiu {
            for (value, kind) in values.iter_mut().zip(self.shapes.kinds()).take(count) {
                let shows = self.shows.get(*kind as usize);
                *value = shows.map_or(0, |shows| shows.rate.to_bits());
            }
        }
        let all = self.commands.track.events.start.get(rows.event(1)..).unwrap_or_default();
        let (starts, ends, values) = (starts.get(..count), ends.get(..count), values.get(..count));
        let (Some(starts), Some(ends), Some(values)) = (starts, ends, values) else { return };
        // Behind the last one nothing begins.
        let mut last = [i64::MIN; ROWS];
        let nexts = all.get(..count).unwrap_or_else(|| {
            last.iter_mut().zip(all).for_each(|(to, next)| *to = *next);
            &last
        });
        let times = starts.iter().zip(ends).zip(nexts).zip(values);
        let shown = self.shapes.all.iter_mut().zip(&mut self.idle_behind);
        for ((((start, end), next), value), (shape, idle)) in times.zip(shown) {
            let (begins, ends) = rate.changes(*value, *start, *end, *next);
            shape.add_if(number::RATE, begins);
            *idle = ends;
        }
    }
}

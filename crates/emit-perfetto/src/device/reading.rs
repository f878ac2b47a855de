//! The numbers of an engine's slices, block by block: each column is read in a loop of its own.

mod texts;

use std::sync::Arc;

use bigtpu_chip::Engine;
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{AddressReader, Addresses, Counts, Shown, TrackCommands};
use bigtpu_replay::EngineCauses;
use bigtpu_timeline::Track;

use super::kinds::Shows;
use super::rate::RateOfSlices;
use super::rows::Rows;
use super::shape::{Shape, Shapes, number};
use super::tags::{OfTag, TagTexts};
use crate::block::Block;
use crate::detail::TraceDetail;
use crate::numbers::{OF_ADDRESSES, OF_COUNTS, OF_SIZES, ROWS};
use crate::sequence::Sequence;
use crate::slice_texts::{Key, Texts};

/// Reads the numbers of an engine's slices.
pub(super) struct Reading<'p, 'd> {
    commands: TrackCommands<'p, 'd>,
    /// Added to times, in ns.
    offset: i64,
    causes: Option<EngineCauses<'p>>,
    layers: Option<&'p Layers>,
    is_full: bool,
    /// By kind.
    shows: Arc<[Shows]>,
    counts: Arc<[Counts]>,
    tag_texts: Arc<TagTexts>,
    addresses: AddressReader<'p, 'd>,
    texts: Texts,
    /// Where the engine's rate comes with its slices.
    rate: Option<RateOfSlices>,
    /// The shapes of the block that was read last.
    pub(super) shapes: Shapes,
    /// Of each slice: at its end the engine's rate is 0.
    pub(super) idle_behind: [bool; ROWS],
    /// The layer that was looked at last, and the interning id of its name.
    layer: Option<(usize, u64)>,
    /// The engine that released a command last.
    released_by: Option<&'p Track<'d>>,
    /// Texts that slices of the block need and that were not asked for of late: the slice, the number, and what the text is;
    /// `None`: the name of a layer.
    missing: Vec<(usize, usize, Option<Key>)>,
}

/// What the slices of an engine are read from.
pub(super) struct ReadingOf<'p, 'd> {
    pub(super) commands: TrackCommands<'p, 'd>,
    pub(super) offset: i64,
    pub(super) causes: Option<EngineCauses<'p>>,
    pub(super) layers: Option<&'p Layers>,
    pub(super) detail: TraceDetail,
    pub(super) rate: Option<RateOfSlices>,
    pub(super) shows: Arc<[Shows]>,
    pub(super) counts: Arc<[Counts]>,
    pub(super) tag_texts: Arc<TagTexts>,
}

impl<'p, 'd> Reading<'p, 'd> {
    pub(super) fn new(of: ReadingOf<'p, 'd>) -> Self {
        let ReadingOf { commands, offset, causes, layers, detail, rate, .. } = of;
        Self {
            commands,
            offset,
            causes,
            layers,
            is_full: detail.is_full(),
            shows: of.shows,
            counts: of.counts,
            tag_texts: of.tag_texts,
            addresses: AddressReader::new(commands.profile, commands.track),
            texts: Texts::new(commands.track.engine_id),
            rate,
            shapes: Shapes::new(),
            idle_behind: [false; ROWS],
            layer: None,
            released_by: None,
            missing: Vec::new(),
        }
    }

    /// Reads the numbers of the slices of the first of these rows; how many they are is the block's. Texts that are new are
    /// interned.
    pub(super) fn read(&mut self, sequence: &mut Sequence, rows: impl Rows, block: &mut Block) {
        let events = &self.commands.track.events;
        let (starts, ends) = (&mut [0; ROWS], &mut [0; ROWS]);
        let (starts, ends) = (rows.column(&events.start, starts), rows.column(&events.end, ends));
        block.start(sequence, (starts, ends), self.offset);
        let kinds = &mut [0; ROWS];
        let kinds = rows.column(&self.commands.columns.columns.kind, kinds);
        block.rows = block.rows.min(kinds.len());
        self.shapes.start(kinds);
        self.read_tags(sequence, rows, block);
        self.read_layers(rows, block);
        // From here on it is known how many slices there are.
        block.note_fresh(0, sequence);
        self.read_released_by(rows, block);
        self.read_dependences(rows, block);
        self.read_missing(sequence, rows, block);
        block.spread_times();
        self.read_ids(rows, block);
        self.read_slack(rows, block);
        self.read_transfers(rows, block);
        self.read_rate((starts, ends), rows, block);
        // Times of ports are in no template: few commands are of ports.
        if let Some(port) = self.commands.port {
            for row in 0..block.rows {
                if port.of_event(rows.event(row)).is_some() {
                    self.shapes.set_apart(row);
                }
            }
        }
        self.shapes.put_keys(&mut block.keys);
    }

    /// A block ends before a tag whose texts are new, so that these are interned when all before it is written.
    fn read_tags(&mut self, sequence: &mut Sequence, rows: impl Rows, block: &mut Block) {
        let tags = &mut [0; ROWS];
        let tags = rows.column(&self.commands.track.events.tag, tags);
        let tags = tags.get(..block.rows.min(tags.len())).unwrap_or_default();
        block.rows = tags.len();
        let mut row = 0;
        for run in tags.chunk_by(|one, other| one == other) {
            let until = row + run.len();
            let tag = run.first().and_then(|tag| self.commands.profile.tags.get(*tag as usize));
            let tag = tag.copied().unwrap_or_default();
            let OfTag { kernel, mode, batch } = self.tag_texts.of_tag(tag);
            for id in [kernel, mode].into_iter().flatten() {
                if row == 0 {
                    sequence.use_value(id);
                } else if !sequence.knows_value(id) {
                    block.rows = row;
                    return;
                }
            }
            let mut shape = Shape::default();
            if let Some(kernel) = kernel {
                shape.add(number::KERNEL);
                block.numbers.fill(number::KERNEL, row..until, kernel);
            }
            if self.is_full {
                if let Some(mode) = mode {
                    shape.add(number::MODE);
                    block.numbers.fill(number::MODE, row..until, mode);
                }
                if let Some(batch) = batch {
                    shape.add(number::BATCH);
                    shape.set_class(number::BATCH, &OF_COUNTS, batch);
                    block.numbers.fill(number::BATCH, row..until, batch);
                }
            }
            let shapes = self.shapes.all.get_mut(row..until).unwrap_or_default();
            shapes.iter_mut().for_each(|of_row| of_row.join(shape));
            row = until;
        }
    }

    fn read_ids(&mut self, rows: impl Rows, block: &mut Block) {
        let track = self.commands.track;
        let first_id = u64::from(track.engine_id.engine != Engine::Cdma);
        let ids = block.numbers.column(number::ID).get_mut(..block.rows).unwrap_or_default();
        match rows.first() {
            Some(first) => {
                track.events.id.read_bits(first, ids);
                ids.iter_mut().for_each(|id| *id = id.wrapping_add(first_id));
            }
            None => {
                for (row, id) in ids.iter_mut().enumerate() {
                    *id = track.command_id(rows.event(row)).unwrap_or(0) as u64;
                }
            }
        }
        let indices = block.numbers.column(number::INDEX);
        for (row, index) in indices.iter_mut().take(block.rows).enumerate() {
            *index = rows.event(row) as u64;
        }
        block.numbers.spread(number::ID, block.rows);
        block.numbers.spread(number::INDEX, block.rows);
    }

    fn read_slack(&mut self, rows: impl Rows, block: &mut Block) {
        let Some(causes) = self.causes else { return };
        let slack = block.numbers.column(number::SLACK).get_mut(..block.rows).unwrap_or_default();
        match rows.first() {
            Some(first) => causes.read_slack_ns(first, slack),
            None => {
                for (row, slack) in slack.iter_mut().enumerate() {
                    *slack = causes.slack_ns(rows.event(row)).unwrap_or(0) as u64;
                }
            }
        }
        self.shapes.add_all(number::SLACK, &OF_SIZES, slack);
        block.numbers.spread(number::SLACK, block.rows);
    }

    fn read_transfers(&mut self, rows: impl Rows, block: &mut Block) {
        if self.commands.track.engine_id.engine == Engine::Tiu {
            return;
        }
        let Self { commands, shows, counts, shapes, addresses, .. } = self;
        let has_addresses = self.is_full;
        let varints = [number::BYTES, number::SOURCE, number::DESTINATION];
        let columns = block.numbers.columns([number::DDR, number::L2], varints);
        let Some(([ddr, l2], [bytes, sources, destinations])) = columns else { return };
        ddr.fill(0);
        let mut set = |row: usize, event: usize, shown: Shown| {
            let row = row % ROWS;
            ddr[row] = shown.ddr_gbps.to_bits();
            l2[row] = shown.l2_gbps.to_bits();
            bytes[row] = shown.bytes;
            let shape = &mut shapes.all[row];
            let mut fits = shape.set_class(number::BYTES, &OF_SIZES, shown.bytes);
            if has_addresses {
                let shows = shows.get(shape.kind() as usize);
                let Addresses { source, destination } = match shows {
                    Some(shows) if shows.addresses => addresses.get(event),
                    _ => Addresses { source: 0, destination: 0 },
                };
                sources[row] = source;
                destinations[row] = destination;
                fits &= shape.set_class(number::SOURCE, &OF_ADDRESSES, source);
                fits &= shape.set_class(number::DESTINATION, &OF_ADDRESSES, destination);
            }
            if !fits {
                shapes.set_apart(row);
            }
        };
        match rows.first() {
            Some(first) => {
                commands.each_transfer(first..first + block.rows, counts, |event, shown| {
                    set(event - first, event, shown);
                });
            }
            None => {
                for row in 0..block.rows {
                    let event = rows.event(row);
                    commands.each_transfer(event..event + 1, counts, |event, shown| {
                        set(row, event, shown);
                    });
                }
            }
        }
        block.numbers.spread(number::BYTES, block.rows);
        if has_addresses {
            block.numbers.spread(number::SOURCE, block.rows);
            block.numbers.spread(number::DESTINATION, block.rows);
        }
    }

    /// The engine's rate, where it is written.
    fn read_rate(&mut self, (starts, ends): (&[i64], &[i64]), rows: impl Rows, block: &mut Block) {
        let Some(rate) = &mut self.rate else { return };
        let values = &mut [0.0; ROWS];
        if self.commands.track.engine_id.engine == Engine::Tiu {
            for (value, shape) in values.iter_mut().zip(&self.shapes.all).take(block.rows) {
                let shows = self.shows.get(shape.kind() as usize);
                *value = shows.map_or(0.0, |shows| shows.rate);
            }
        } else {
            let bits = block.numbers.eight_bytes(number::DDR);
            values.iter_mut().zip(bits).for_each(|(value, bits)| *value = f64::from_bits(*bits));
        }
        let bits = block.numbers.eight_bytes(number::RATE);
        bits.iter_mut().zip(&*values).for_each(|(bits, value)| *bits = value.to_bits());
        // Behind the last one nothing begins.
        let nexts = &mut [i64::MIN; ROWS];
        let all = self.commands.track.events.start.get(rows.event(1)..).unwrap_or_default();
        nexts.iter_mut().zip(all).for_each(|(next, start)| *next = *start);
        let times = starts.iter().zip(ends).zip(nexts).zip(values).take(block.rows);
        let shown = self.shapes.all.iter_mut().zip(&mut self.idle_behind);
        for ((shape, idle), (((start, end), next), value)) in shown.zip(times) {
            let (begins, ends) = rate.changes(*value, *start, *end, *next);
            shape.add_if(number::RATE, begins);
            *idle = ends;
        }
    }
}

//! Pairing of records with commands inside aligned sections (section 6).

use std::ops::Range;

use bigtpu_chip::{Chip, Engine, OpCode};
use bigtpu_format::{KvHeader, Word};

use crate::align::align;
use crate::binding::Binding;
use crate::bound::Bound;
use crate::ledger::Notes;
use crate::nodes::{Node, NodeKind};
use crate::sections::{self, Section};
use crate::streams::Cache;
use crate::wide_events::WideEvents;

/// What pairing knows next to the records and commands.
pub(crate) struct Context<'a, 'd> {
    pub(crate) chip: &'a Chip,
    pub(crate) engine: Engine,
    /// The dispatched streams, and where it is noted what is wrong with them; `None` in static runs, whose dispatched streams
    /// are never looked up, and where there are none.
    pub(crate) streams: Option<(&'a mut Cache<'d>, &'a mut Notes)>,
}

/// The columns that say what records are bound to, all as long as each other.
pub(crate) struct BoundColumns<'a> {
    binding: &'a mut [Binding],
    word: &'a mut [Word],
    bits: &'a mut [u64],
    code: &'a mut [OpCode],
    tag: &'a mut [u32],
}

impl BoundColumns<'_> {
    /// Binds a command to a record, or only a tag.
    #[inline]
    pub(crate) fn bind(&mut self, i: usize, bound: Option<Bound>, tag: u32) {
        if let Some(bound) = bound {
            self.binding[i] = bound.binding;
            self.word[i] = bound.word;
            self.bits[i] = bound.bits;
            self.code[i] = bound.code;
        }
        self.tag[i] = tag;
    }
}

impl WideEvents {
    pub(crate) fn bind(&mut self, i: usize, bound: Bound, tag: u32) {
        self.bound_columns().bind(i, Some(bound), tag);
    }

    pub(crate) fn bound_columns(&mut self) -> BoundColumns<'_> {
        let n = self.binding.len();
        BoundColumns {
            binding: &mut self.binding[..n],
            word: &mut self.word[..n],
            bits: &mut self.bits[..n],
            code: &mut self.code[..n],
            tag: &mut self.tag[..n],
        }
    }
}

/// Places of the records of a range that no command is bound to.
pub(crate) fn unbound(events: &WideEvents, range: Range<usize>) -> Vec<usize> {
    let bindings = events.binding.get(range.clone()).unwrap_or_default();
    let mut unbound = Vec::with_capacity(bindings.len());
    unbound.extend(range.zip(bindings).filter(|(_, b)| !b.is_bound()).map(|(i, _)| i));
    unbound
}

pub(crate) fn spans(sections: &[Section]) -> Vec<u64> {
    sections.iter().map(|s| s.span).collect()
}

/// The sections of free records and of commands.
pub(crate) struct Sections {
    pub(crate) records: Vec<Section>,
    pub(crate) commands: Vec<Section>,
}

impl Sections {
    pub(crate) fn divide(ids: &[i64], free: &[usize], nodes: &[Node]) -> Self {
        let records = sections::by_id(free, |i| ids[*i]);
        Self { records, commands: sections::of_nodes(nodes) }
    }
}

/// Pairs free records with dispatched commands; see [`matches`].
pub(crate) fn pair_nodes(
    context: &mut Context<'_, '_>,
    events: &mut WideEvents,
    free: &[usize],
    nodes: &[Node],
    sections: &Sections,
) {
    let ids = std::mem::take(&mut events.id);
    let mut columns = events.bound_columns();
    matches(context, &ids, (free, nodes, sections), |i, bound, tag| columns.bind(i, bound, tag));
    events.id = ids;
}

/// The command at a place of a section, and its tag; `None` for the command where only the tag is known.
pub(crate) fn command_at(
    context: &mut Context<'_, '_>,
    nodes: &[Node],
    section: Section,
    at: u64,
) -> (Option<Bound>, u32) {
    let commands = nodes.get(section.first..section.first + section.len).unwrap_or_default();
    let Some(head) = commands.first() else { return (None, 0) };
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    match head.kind {
        NodeKind::Stream { key, count } => {
            let (chip, engine) = (context.chip, context.engine);
            let header = KvHeader { key, count };
            let stream = context
                .streams
                .as_mut()
                .and_then(|(cache, notes)| cache.get(chip, engine, header, notes));
            let descriptor = stream.and_then(|stream| stream.get(at));
            (descriptor.map(|d| Bound::of_descriptor(*d)), head.tag)
        }
        NodeKind::Command(_) => match commands.get(at) {
            Some(node) => (node.kind.bound(), node.tag),
            None => (None, head.tag),
        },
    }
}

/// Finds the command of each free record. Record `k` of a section takes the command at its id's
/// distance from the section's first; one past the section's end keeps only its tags.
///
/// `bind(record, command, tag)`: the command is `None` for a record that only gets a tag.
pub(crate) fn matches(
    context: &mut Context<'_, '_>,
    ids: &[i64],
    (free, nodes, sections): (&[usize], &[Node], &Sections),
    mut bind: impl FnMut(usize, Option<Bound>, u32),
) {
    if nodes.is_empty() || free.is_empty() {
        return;
    }
    let Sections { records: record_sections, commands: node_sections } = sections;
    for (r, c) in align(&spans(record_sections), &spans(node_sections)) {
        let (section, commands) = (record_sections[r], node_sections[c]);
        let records = &free[section.first..section.first + section.len];
        let commands = &nodes[commands.first..commands.first + commands.len];
        let first_id = ids[records[0]];
        let head = commands[0];
        let stream = match head.kind {
            NodeKind::Stream { key, count } => {
                let header = KvHeader { key, count };
                let (chip, engine) = (context.chip, context.engine);
                let Some((cache, notes)) = &mut context.streams else {
                    // The first record stays as it is, the others belong to the node.
                    records[1..].iter().for_each(|&i| bind(i, None, head.tag));
                    continue;
                };
                Some(cache.get(chip, engine, header, notes))
            }
            _ => None,
        };
        match stream {
            Some(None) => records.iter().for_each(|&i| bind(i, None, head.tag)),
            Some(Some(stream)) => {
                for &i in records {
                    let k = ids[i].abs_diff(first_id) as usize;
                    bind(i, stream.get(k).map(|&d| Bound::of_descriptor(d)), head.tag);
                }
            }
            // Without a gap in the ids, record by record.
            None if section.span == section.len as u64 => {
                let (paired, rest) = records.split_at(records.len().min(commands.len()));
                for (&i, node) in paired.iter().zip(commands) {
                    bind(i, node.kind.bound(), node.tag);
                }
                rest.iter().for_each(|&i| bind(i, None, head.tag));
            }
            None => {
                for &i in records {
                    let k = ids[i].abs_diff(first_id) as usize;
                    match commands.get(k) {
                        Some(node) => bind(i, node.kind.bound(), node.tag),
                        None => bind(i, None, head.tag),
                    }
                }
            }
        }
    }
}

//! Kernel launches with missing commands: their records were lost, or can't be distinguished from those of other launches.

use bigtpu_messages::{Message, message};

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use crate::align::align;
use crate::by_ids::align_from_start;
use crate::core_engines::CORE_ENGINES;
use crate::nodes::{Node, NodeKind};
use crate::pair::spans;
use crate::sections::Section;
use crate::tags::Tag;
use crate::wide_events::WideEvents;

/// Tags of commands whose records may be those of another launch. Sections pair by their lengths alone, so where
/// records were lost, several choices may be equally good (see [`crate::align`]). `records`: sections of those that pair;
/// `commands`: sections of the nodes.
pub(crate) fn doubtful_tags(
    records: &[Section],
    commands: &[Section],
    nodes: &[Node],
) -> HashSet<u32> {
    let (records, spans_of_commands) = (spans(records), spans(commands));
    if records == spans_of_commands {
        return HashSet::new();
    }
    let from_start = align_from_start(&records, &spans_of_commands);
    let pairs = align(&records, &spans_of_commands);
    let is_sure = |&&(r, c): &&(usize, usize)| {
        // No section was lost as a whole, and the pair is of the same place.
        let in_place = records.len() == commands.len() && r == c;
        in_place || from_start.contains(&(r, c))
    };
    let sure: HashSet<usize> = pairs.iter().filter(is_sure).map(|&(_, c)| c).collect();
    let paired: HashSet<usize> = pairs.iter().map(|&(_, c)| c).collect();
    let tags_of = |section: &Section| {
        nodes.iter().skip(section.first).take(section.len).map(|node| node.tag).collect::<Vec<_>>()
    };
    let doubtful =
        commands.iter().enumerate().filter(|(c, _)| paired.contains(c) && !sure.contains(c));
    doubtful.flat_map(|(_, section)| tags_of(section)).collect()
}

/// Tags whose commands outnumber their events.
pub(crate) fn missing_tags(nodes: &[Node], events: &WideEvents) -> HashSet<u32> {
    let mut missing: HashMap<u32, i64> = HashMap::new();
    for node in nodes {
        let commands = match node.kind {
            NodeKind::Stream { count, .. } => i64::from(count),
            _ => 1,
        };
        *missing.entry(node.tag).or_default() += commands;
    }
    for tag in &events.tag {
        *missing.entry(*tag).or_default() -= 1;
    }
    missing.into_iter().filter(|(_, commands)| *commands > 0).map(|(tag, _)| tag).collect()
}

/// Which launches of a core lack commands, by engine.
#[derive(Debug, Default)]
pub(crate) struct Incomplete {
    /// Tags by engine: TIU, GDMA, SDMA.
    tags: [HashSet<u32>; 3],
}

impl Incomplete {
    pub(crate) fn add(&mut self, engine: usize, tags: HashSet<u32>) {
        if let Some(of_engine) = self.tags.get_mut(engine) {
            of_engine.extend(tags);
        }
    }

    /// For each of the core's tags, whether its launch lacks commands.
    pub(crate) fn by_tag(&self, tags: &[Tag]) -> Vec<bool> {
        let scopes: HashSet<u32> =
            self.tags.iter().flat_map(|of_engine| launches_of(of_engine, tags)).collect();
        let lacks = |(number, tag): (usize, &Tag)| match tag.scope {
            Some(scope) => scopes.contains(&scope),
            None => self.tags.iter().any(|of_engine| of_engine.contains(&(number as u32))),
        };
        tags.iter().enumerate().map(lacks).collect()
    }

    /// How many launches of the core lack commands; `None` where none does.
    pub(crate) fn message(&self, tags: &[Tag]) -> Option<Message> {
        let by_engine = self.tags.iter().map(|of_engine| launches_of(of_engine, tags));
        let by_engine: Vec<HashSet<u32>> = by_engine.collect();
        let lacking: HashSet<u32> = by_engine.iter().flatten().copied().collect();
        if lacking.is_empty() {
            return None;
        }
        let all: HashSet<u32> =
            tags.iter().filter(|tag| tag.kernel.is_some()).filter_map(|tag| tag.scope).collect();
        let engines =
            CORE_ENGINES.iter().zip(&by_engine).filter(|(_, of_engine)| !of_engine.is_empty());
        let engines: Vec<String> = engines
            .map(|(engine, of_engine)| format!("{} {}", engine.name(), of_engine.len()))
            .collect();
        Some(message!(
            "note-incomplete-launches",
            lacking = lacking.len(),
            launches = all.len(),
            engines = engines.join(", "),
        ))
    }
}

/// The launches of a kernel that some tags belong to.
fn launches_of(of_engine: &HashSet<u32>, tags: &[Tag]) -> HashSet<u32> {
    let known = of_engine.iter().filter_map(|tag| tags.get(*tag as usize));
    known.filter(|tag| tag.kernel.is_some()).filter_map(|tag| tag.scope).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binding::Binding;
    use crate::bound::Bound;
    use crate::sections;
    use bigtpu_format::Word;

    /// Launches of three commands each, whose tags are 1, 2, ...
    fn nodes(launches: u32) -> Vec<Node> {
        let command = NodeKind::Command(Bound::of_word(Binding::Word, Word(0)));
        (0..launches * 3).map(|i| Node { kind: command, id: i % 3, tag: 1 + i / 3 }).collect()
    }

    fn of_ids(ids: &[i64], nodes: &[Node]) -> HashSet<u32> {
        let (records, commands) = (sections::by_id(ids, |id| *id), sections::of_nodes(nodes));
        doubtful_tags(&records, &commands, nodes)
    }

    fn doubtful(ids: &[i64], launches: u32) -> Vec<u32> {
        let mut found: Vec<u32> = of_ids(ids, &nodes(launches)).into_iter().collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn records_that_fit_are_not_doubtful() {
        assert!(doubtful(&[0, 1, 2, 0, 1, 2], 2).is_empty());
        // A record inside a section: the section still has its length.
        assert!(doubtful(&[0, 2, 0, 1, 2], 2).is_empty());
    }

    /// The last of three sections lost its end: the other two pair with the launches after their own.
    #[test]
    fn displaced_pairs_are_doubtful() {
        assert_eq!(doubtful(&[0, 1, 2, 0, 1, 2, 0, 1], 3), [2, 3]);
    }

    #[test]
    fn a_lost_section_leaves_no_pair_sure() {
        assert_eq!(doubtful(&[0, 1, 2, 0, 1, 2], 3), [2, 3]);
    }
}

//! The blocks of a static model: a tree by the names of its layers, with what the layers of each did.
//!
//! [`Layers::blocks`](bigtpu_measure::layers::Layers::blocks) names the block of a layer. Names are paths: `/model/layers.3` is in
//! `/model/layers`, that is in `/model`. A block with one block and no layer of its own says nothing, so it is left out.

use std::collections::BTreeMap;

use bigtpu_measure::layers::LayerRuns;
use bigtpu_measure::{Spans, ratio};
use serde::{Deserialize, Serialize};

use crate::units::{LayerRow, UnitWork};

/// A block of a static model, over all runs of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlockRow {
    /// Its name; empty of the first, which is the whole model.
    pub name: String,
    /// Index of the block that it is in; none of the first.
    pub parent: Option<usize>,
    /// How deep it is: 0 of the whole model.
    pub level: u32,
    /// Layers in it, those of the blocks in it included.
    pub layers: u64,
    /// What they did together; the total is the time in which any of them ran: layers overlap.
    #[serde(flatten)]
    pub work: UnitWork,
}

/// A run of a block on a core: from the first command of its layers to the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRun {
    /// Index in the list of blocks.
    pub block: usize,
    /// ns.
    pub start_ns: i64,
    /// ns.
    pub end_ns: i64,
}

/// A line of the tree of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeLine {
    /// Index of a block in the list of blocks.
    Block(usize),
    /// Index of a layer in the list of layers.
    Layer(usize),
}

/// A block that is being made.
#[derive(Default)]
struct Node<'a> {
    name: &'a str,
    /// Indices of its own layers, and of the blocks in it, both in the order of the model.
    layers: Vec<usize>,
    blocks: Vec<usize>,
}

impl BlockRow {
    /// The blocks of a model, each before those in it; the first is the whole model. None without layers. `runs`: of the layers on each
    /// core.
    pub(crate) fn all(rows: &[LayerRow], runs: &[LayerRuns], wall_ns: i64) -> Vec<Self> {
        if rows.is_empty() {
            return Vec::new();
        }
        let mut nodes = vec![Node::default()];
        let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, row) in rows.iter().enumerate() {
            let mut at = 0;
            for name in branches(row.block.as_deref().unwrap_or_default()) {
                let next = *by_name.entry(name).or_insert(nodes.len());
                if next == nodes.len() {
                    nodes.push(Node { name, ..Node::default() });
                    if let Some(parent) = nodes.get_mut(at) {
                        parent.blocks.push(next);
                    }
                }
                at = next;
            }
            if let Some(node) = nodes.get_mut(at) {
                node.layers.push(index);
            }
        }
        let mut runs_of: BTreeMap<u64, Vec<(i64, i64)>> = BTreeMap::new();
        for slice in runs.iter().flat_map(|runs| &runs.slices) {
            runs_of.entry(slice.layer as u64 + 1).or_default().push((slice.start, slice.end));
        }
        let mut tree = Tree { nodes: &nodes, rows, runs_of, wall_ns, blocks: Vec::new() };
        tree.put_block(0, None);
        tree.blocks
    }

    /// The runs on a core of all blocks but the whole model, by start, each before those in it. The n-th runs of the layers in a block
    /// are its n-th run.
    #[must_use]
    pub fn runs(blocks: &[Self], layers: &[LayerRow], runs: &LayerRuns) -> Vec<BlockRun> {
        let by_name: BTreeMap<&str, usize> =
            blocks.iter().enumerate().map(|(index, block)| (block.name.as_str(), index)).collect();
        let block_of = |layer: &LayerRow| {
            let name = layer.block.as_deref()?;
            Some((layer.id, by_name.get(name).copied()?))
        };
        let of_layer: BTreeMap<u64, usize> = layers.iter().filter_map(block_of).collect();
        let mut seen: BTreeMap<usize, u64> = BTreeMap::new();
        let mut found: BTreeMap<(usize, u64), (i64, i64)> = BTreeMap::new();
        for slice in &runs.slices {
            let number = seen.entry(slice.layer).or_default();
            let mut at = of_layer.get(&(slice.layer as u64 + 1)).copied();
            while let Some(block) = at {
                at = blocks.get(block).and_then(|block| block.parent);
                // The whole model is the run itself.
                if at.is_some() {
                    let span = found.entry((block, *number)).or_insert((slice.start, slice.end));
                    *span = (span.0.min(slice.start), span.1.max(slice.end));
                }
            }
            *number += 1;
        }
        let mut all: Vec<BlockRun> = found
            .into_iter()
            .map(|((block, _), (start_ns, end_ns))| BlockRun { block, start_ns, end_ns })
            .collect();
        all.sort_by_key(|run| (run.start_ns, std::cmp::Reverse(run.end_ns), run.block));
        all
    }

    /// The tree, each line before those in it, with its depth: blocks and layers in the order of the model.
    #[must_use]
    pub fn tree(blocks: &[Self], layers: &[LayerRow]) -> Vec<(u32, TreeLine)> {
        let by_name: BTreeMap<&str, usize> =
            blocks.iter().enumerate().map(|(index, block)| (block.name.as_str(), index)).collect();
        // By block what is in it; a block is where its first layer is.
        let mut within: Vec<Vec<TreeLine>> = vec![Vec::new(); blocks.len()];
        let mut is_placed = vec![false; blocks.len()];
        for (index, layer) in layers.iter().enumerate() {
            let name = layer.block.as_deref().unwrap_or_default();
            let mut line = TreeLine::Layer(index);
            let mut at = Some(by_name.get(name).copied().unwrap_or(0));
            while let Some(block) = at {
                if let Some(within) = within.get_mut(block) {
                    within.push(line);
                }
                if is_placed.get(block).copied().unwrap_or(true) {
                    break;
                }
                is_placed.iter_mut().skip(block).take(1).for_each(|placed| *placed = true);
                line = TreeLine::Block(block);
                at = blocks.get(block).and_then(|block| block.parent);
            }
        }
        let mut lines = Vec::with_capacity(blocks.len() + layers.len());
        let mut open = vec![(0, TreeLine::Block(0))];
        while let Some((level, line)) = open.pop().filter(|_| !blocks.is_empty()) {
            lines.push((level, line));
            if let TreeLine::Block(block) = line {
                let own = within.get(block).into_iter().flatten().rev();
                open.extend(own.map(|line| (level + 1, *line)));
            }
        }
        lines
    }
}

/// Most blocks around a block: names are texts from outside, and each level is a call.
const MOST_LEVELS: usize = 32;

/// A block of blocks is a branch of its own: `/model`, `/model/layers` and `/model/layers.3` of the last.
fn branches(block: &str) -> impl Iterator<Item = &str> {
    let marks = block.char_indices().skip(1).filter(|(_, c)| matches!(c, '.' | '/'));
    let ends =
        marks.map(|(at, _)| at).take(MOST_LEVELS).chain((!block.is_empty()).then_some(block.len()));
    ends.filter_map(|end| block.get(..end))
}

/// The tree that is being made.
struct Tree<'a> {
    nodes: &'a [Node<'a>],
    rows: &'a [LayerRow],
    /// Runs of each layer, start and end in ns, by the layer's id.
    runs_of: BTreeMap<u64, Vec<(i64, i64)>>,
    wall_ns: i64,
    blocks: Vec<BlockRow>,
}

impl Tree<'_> {
    /// Appends a block and those in it; returns its layers.
    fn put_block(&mut self, at: usize, parent: Option<usize>) -> Vec<usize> {
        let Some(mut node) = self.nodes.get(at) else { return Vec::new() };
        while let ([], [only], Some(_)) = (&*node.layers, &*node.blocks, parent) {
            let Some(next) = self.nodes.get(*only) else { break };
            node = next;
        }
        let index = self.blocks.len();
        let level = parent.and_then(|parent| self.blocks.get(parent));
        let level = level.map_or(0, |parent| parent.level + 1);
        let (name, work) = (node.name.to_owned(), UnitWork::default());
        self.blocks.push(BlockRow { name, parent, level, layers: 0, work });
        let mut layers = node.layers.clone();
        for block in &node.blocks {
            layers.extend(self.put_block(*block, Some(index)));
        }
        let rows = || layers.iter().filter_map(|layer| self.rows.get(*layer));
        let mut work = UnitWork::sum(rows().map(|row| &row.work), self.wall_ns);
        let runs = rows().filter_map(|row| self.runs_of.get(&row.id)).flatten().copied();
        work.total_ns = Spans::union(runs).total();
        work.wall_share = ratio(work.total_ns, self.wall_ns);
        if let Some(block) = self.blocks.get_mut(index) {
            (block.layers, block.work) = (layers.len() as u64, work);
        }
        layers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bigtpu_measure::layers::LayerSlice;

    /// A run of each layer, on one core.
    fn runs(rows: &[LayerRow]) -> [LayerRuns; 1] {
        let slice = |row: &LayerRow| LayerSlice {
            layer: row.id as usize - 1,
            start: row.work.start_ns,
            end: row.work.end_ns,
            events: row.work.events,
        };
        [LayerRuns { slices: rows.iter().map(slice).collect(), of_event: Vec::new() }]
    }

    fn layers(blocks: &[&str]) -> Vec<LayerRow> {
        let layer = |(id, block): (u64, &&str)| {
            let (start_ns, end_ns) = (id as i64 * 10, id as i64 * 10 + 15);
            let work =
                UnitWork { events: id, start_ns, end_ns, total_ns: 15, ..UnitWork::default() };
            LayerRow::testing(id, (!block.is_empty()).then_some(block), work)
        };
        (1..).zip(blocks).map(layer).collect()
    }

    #[test]
    fn blocks_are_a_tree_and_each_is_the_sum_of_what_is_in_it() {
        let rows = layers(&["", "/m/l.1", "/m/l.1", "/m/l.2", "/m/norm", "x.y.3", "/m/l.1"]);
        let blocks = BlockRow::all(&rows, &runs(&rows), 100);
        let seen: Vec<_> =
            blocks.iter().map(|b| (&*b.name, b.parent, b.level, b.layers, b.work.events)).collect();
        // `x` and `x.y` hold one block and nothing else.
        let expected = [
            ("", None, 0, 7, 28),
            ("/m", Some(0), 1, 5, 21),
            ("/m/l", Some(1), 2, 4, 16),
            ("/m/l.1", Some(2), 3, 3, 12),
            ("/m/l.2", Some(2), 3, 1, 4),
            ("/m/norm", Some(1), 2, 1, 5),
            ("x.y.3", Some(0), 1, 1, 6),
        ];
        assert_eq!(seen, expected);
        assert_eq!((blocks[3].work.start_ns, blocks[3].work.end_ns), (20, 85));
        // Each layer overlaps the next by 5 ns: of the third block two of three, from 20 to 45.
        assert_eq!((blocks[3].work.total_ns, blocks[0].work.wall_share), (40, 0.75));

        let runs = BlockRow::runs(&blocks, &rows, &runs(&rows)[0]);
        let seen: Vec<_> = runs.iter().map(|run| (run.block, run.start_ns, run.end_ns)).collect();
        let expected =
            [(1, 20, 85), (2, 20, 85), (3, 20, 85), (4, 40, 55), (5, 50, 65), (6, 60, 75)];
        assert_eq!(seen, expected);

        use TreeLine::{Block, Layer};
        let tree = BlockRow::tree(&blocks, &rows);
        let expected = [
            (0, Block(0)),
            (1, Layer(0)),
            (1, Block(1)),
            (2, Block(2)),
            (3, Block(3)),
            (4, Layer(1)),
            (4, Layer(2)),
            (4, Layer(6)),
            (3, Block(4)),
            (4, Layer(3)),
            (2, Block(5)),
            (3, Layer(4)),
            (1, Block(6)),
            (2, Layer(5)),
        ];
        assert_eq!(tree, expected);
    }

    #[test]
    fn deep_names_are_no_deep_tree() {
        let deep = ["a.".repeat(5000), "a.".repeat(5001)].map(|name| format!("{name}1"));
        let rows = layers(&[&deep[0], &deep[1]]);
        let blocks = BlockRow::all(&rows, &runs(&rows), 100);
        let levels: Vec<(u32, u64)> = blocks.iter().map(|b| (b.level, b.layers)).collect();
        assert_eq!(levels, [(0, 2), (1, 2), (2, 1), (2, 1)]);
    }

    #[test]
    fn a_model_without_blocks_is_one_block() {
        let rows = layers(&["", ""]);
        let blocks = BlockRow::all(&rows, &runs(&rows), 100);
        assert_eq!((blocks.len(), blocks[0].layers), (1, 2));
        assert_eq!(BlockRow::tree(&blocks, &rows).len(), 3);
        assert!(BlockRow::all(&[], &[], 100).is_empty() && BlockRow::tree(&[], &[]).is_empty());
    }
}

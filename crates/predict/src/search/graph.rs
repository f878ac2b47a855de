//! Operator graphs: what is computed, and in how many ways each operator can be split.

/// Shape of a tensor, outermost dimension (the batch) first.
pub type OperatorShape = Vec<u64>;

/// An operator.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOperator {
    /// Number by which strategies name it.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its kind as the source writes it, in lower case: `conv2d`, `linear`.
    pub kind: String,
    /// What it reads.
    pub inputs: Vec<Input>,
    /// What it writes.
    pub outputs: Vec<OperatorShape>,
    /// Operators of one group share their weights; `None`: its weights are not synchronised.
    pub weights: Option<Weights>,
    /// Ways to split it; never empty.
    pub options: Vec<OperatorSplit>,
}

/// Weights of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// The group that shares them.
    pub group: i64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// A split of the output's channels splits them, too.
    pub by_channel: bool,
    /// The 2018 simulator favours parts of a group on one worker for this kind.
    pub favours_reuse: bool,
}

/// A tensor that an operator reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Position of the operator that makes it in [`SearchGraph::ops`], and the number of its output; `None`: from outside.
    pub from: Option<(usize, usize)>,
    /// Its shape.
    pub shape: OperatorShape,
    /// A part of the output needs the same part of this input in every dimension; otherwise in the batch only.
    pub elementwise: bool,
}

/// A way to split an operator.
#[derive(Debug, Clone, PartialEq)]
pub struct OperatorSplit {
    /// Parts along each dimension of the output, the batch first; missing ones are 1.
    pub dims: Vec<u32>,
    /// Time of one part in ps.
    pub ps: u64,
    /// The time was estimated and not measured.
    pub estimated: bool,
}

impl OperatorSplit {
    /// Number of parts.
    #[must_use]
    pub fn parts(&self) -> u32 {
        self.dims.iter().product()
    }

    /// Index of a part along each dimension; the last dimension runs fastest.
    #[must_use]
    pub fn index(&self, part: u32) -> Vec<u32> {
        let mut rest = part;
        let mut index: Vec<u32> = self
            .dims
            .iter()
            .rev()
            .map(|&count| {
                let at = rest % count.max(1);
                rest /= count.max(1);
                at
            })
            .collect();
        index.reverse();
        index
    }
}

/// Operators in topological order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchGraph {
    /// The operators; an input comes from an earlier one.
    pub ops: Vec<SearchOperator>,
    /// Bits of a tensor's element.
    pub element_bits: u64,
}

impl SearchGraph {
    /// Parts that an operator has at most.
    #[must_use]
    pub fn most_parts(&self) -> u32 {
        let splits = self.ops.iter().flat_map(|op| &op.options);
        splits.map(OperatorSplit::parts).max().unwrap_or(1)
    }

    /// Position of an operator by number or name.
    #[must_use]
    pub fn find(&self, id: Option<i64>, name: Option<&str>) -> Option<usize> {
        self.ops.iter().position(|op| match (id, name) {
            (Some(id), _) => op.id == id,
            (None, Some(name)) => op.name == name,
            (None, None) => false,
        })
    }
}

/// How one operator is split and where its parts run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Config {
    /// Position in [`SearchOperator::options`].
    pub option: usize,
    /// The device of each part.
    pub devices: Vec<u32>,
}

/// A configuration for every operator.
pub type Strategy = Vec<Config>;

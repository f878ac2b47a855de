//! Which parts of a producer and a consumer share data, and how much.

use crate::search::graph::{OperatorSplit, SearchGraph};

/// Data that goes from a part of the producer to a part of the consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share {
    /// Part of the producer.
    pub(crate) from: u32,
    /// Part of the consumer.
    pub(crate) to: u32,
    /// Bytes.
    pub(crate) bytes: u64,
}

/// An edge of the operator graph.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    /// Position of the producer.
    pub(crate) from: usize,
    /// Position of the consumer.
    pub(crate) to: usize,
    /// Shares by the producer's option, then the consumer's.
    shares: Vec<Shares>,
    consumer_options: usize,
}

/// The shares of a pair of options, by either end.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Shares {
    /// Ordered by consumer's part, then producer's.
    by_consumer: Vec<Share>,
    /// Ordered by producer's part, then consumer's.
    by_producer: Vec<Share>,
    /// Where the shares of each consumer's part begin, and the end.
    consumer_first: Vec<u32>,
    producer_first: Vec<u32>,
}

impl Shares {
    fn new(by_consumer: Vec<Share>) -> Self {
        let mut by_producer = by_consumer.clone();
        by_producer.sort_by_key(|share| (share.from, share.to));
        let first = |shares: &[Share], part: fn(&Share) -> u32| {
            let parts = shares.iter().map(part).max().map_or(0, |last| last + 1);
            (0..=parts).map(|p| shares.partition_point(|share| part(share) < p) as u32).collect()
        };
        let consumer_first = first(&by_consumer, |share| share.to);
        let producer_first = first(&by_producer, |share| share.from);
        Self { by_consumer, by_producer, consumer_first, producer_first }
    }

    /// All shares, ordered by consumer's part, then producer's.
    pub(crate) fn all(&self) -> &[Share] {
        &self.by_consumer
    }

    /// The shares of a part of the consumer.
    pub(crate) fn of_consumer(&self, part: u32) -> &[Share] {
        range(&self.by_consumer, &self.consumer_first, part)
    }

    /// The shares of a part of the producer.
    pub(crate) fn of_producer(&self, part: u32) -> &[Share] {
        range(&self.by_producer, &self.producer_first, part)
    }
}

fn range<'a>(shares: &'a [Share], first: &[u32], part: u32) -> &'a [Share] {
    let part = part as usize;
    match (first.get(part), first.get(part + 1)) {
        (Some(&from), Some(&to)) => shares.get(from as usize..to as usize).unwrap_or_default(),
        _ => &[],
    }
}

impl Edge {
    /// The shares of a pair of options.
    pub(crate) fn shares(&self, producer_option: usize, consumer_option: usize) -> &Shares {
        &self.shares[producer_option * self.consumer_options + consumer_option]
    }
}

/// All edges, ordered by consumer and then by its inputs.
pub(crate) fn edges(graph: &SearchGraph) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (to, op) in graph.ops.iter().enumerate() {
        for input in &op.inputs {
            let Some((from, _)) = input.from else { continue };
            let Some(producer) = graph.ops.get(from) else { continue };
            let mut shares = Vec::with_capacity(producer.options.len() * op.options.len());
            for a in &producer.options {
                for b in &op.options {
                    let shares_of_pair =
                        shared_parts(a, b, input.elementwise, &input.shape, graph.element_bits);
                    shares.push(Shares::new(shares_of_pair));
                }
            }
            edges.push(Edge { from, to, shares, consumer_options: op.options.len() });
        }
    }
    edges
}

/// What every pair of parts shares of a tensor.
fn shared_parts(
    producer: &OperatorSplit,
    consumer: &OperatorSplit,
    elementwise: bool,
    shape: &[u64],
    element_bits: u64,
) -> Vec<Share> {
    let mut shares = Vec::new();
    for to in 0..consumer.parts() {
        let wanted = consumer.index(to);
        for from in 0..producer.parts() {
            let made = producer.index(from);
            let elements = shape.iter().enumerate().map(|(dim, &length)| {
                let range = |split: &OperatorSplit, index: &[u32], follows: bool| {
                    let count = u64::from(split.dims.get(dim).copied().unwrap_or(1).max(1));
                    let at = u64::from(index.get(dim).copied().unwrap_or(0));
                    if follows {
                        (at * length / count, (at + 1) * length / count)
                    } else {
                        (0, length)
                    }
                };
                let (a, b) = range(producer, &made, true);
                let (c, d) = range(consumer, &wanted, elementwise || dim == 0);
                b.min(d).saturating_sub(a.max(c))
            });
            let bytes = elements.product::<u64>().saturating_mul(element_bits).div_ceil(8);
            if bytes > 0 {
                shares.push(Share { from, to, bytes });
            }
        }
    }
    shares
}

//! What an operation is: by the name of its kernel, else by its pattern.

use std::collections::{BTreeMap, BTreeSet};

/// Kind of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Broadcast,
    Scatter,
    Reduce,
    Gather,
    Barrier,
    P2p,
    /// Each sends to the next of a ring: all_reduce or all_gather.
    Ring,
    Unknown,
}

/// Words of names, the longer ones before those that they contain.
const NAMES: [(&str, Kind); 16] = [
    ("allreduce", Kind::AllReduce),
    ("allgather", Kind::AllGather),
    ("reducescatter", Kind::ReduceScatter),
    ("alltoall", Kind::AllToAll),
    ("broadcast", Kind::Broadcast),
    ("scatter", Kind::Scatter),
    ("gather", Kind::Gather),
    ("reduce", Kind::Reduce),
    ("barrier", Kind::Barrier),
    ("p2p", Kind::P2p),
    ("c2csend", Kind::P2p),
    ("c2crecv", Kind::P2p),
    ("scclsend", Kind::P2p),
    ("scclrecv", Kind::P2p),
    ("c10dsend", Kind::P2p),
    ("c10drecv", Kind::P2p),
];

/// Words without which a name says nothing: kernels of models are called reduce and gather too.
const FAMILIES: [&str; 4] = ["c2c", "sccl", "c10d", "cdma"];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AllReduce => "all_reduce",
            Self::AllGather => "all_gather",
            Self::ReduceScatter => "reduce_scatter",
            Self::AllToAll => "alltoall",
            Self::Broadcast => "broadcast",
            Self::Scatter => "scatter",
            Self::Reduce => "reduce",
            Self::Gather => "gather",
            Self::Barrier => "barrier",
            Self::P2p => "p2p",
            Self::Ring => "ring",
            Self::Unknown => "unknown",
        }
    }

    /// Of a kernel's name, compared without case, underscores and prefixes.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let plain: String =
            name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        let (word, kind) = NAMES.iter().find(|(word, _)| plain.contains(word))?;
        let is_whole = word.starts_with("all") || *word == "reducescatter";
        let has_family = FAMILIES.iter().any(|family| plain.contains(family));
        (is_whole || has_family || *word == plain).then_some(*kind)
    }

    /// Whether no rank can be done before all have begun.
    pub(crate) fn is_all_to_all(self) -> bool {
        matches!(
            self,
            Self::AllReduce
                | Self::AllGather
                | Self::AllToAll
                | Self::Barrier
                | Self::ReduceScatter
                | Self::Ring
        )
    }
}

/// What moved from one rank to another in an operation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Flow {
    pub(crate) commands: u64,
    pub(crate) bytes: u64,
}

/// What the bits of a link's pairs say, in order: whether what arrives is combined with what is there.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reduces {
    /// Pairs that combine, before the first that does not.
    pub(crate) combine: u64,
    /// Pairs that do not.
    pub(crate) plain: u64,
    /// A pair combines behind one that does not.
    pub(crate) is_mixed: bool,
}

/// Whether the commands of an operation combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// Nothing says it.
    Unknown,
    /// All do.
    All,
    /// None does.
    None,
    /// On each link the first half does.
    FirstHalf,
    /// Some do.
    Some,
}

impl Reduction {
    /// Of the links of an operation.
    pub(crate) fn of<'r>(links: impl Iterator<Item = &'r Reduces> + Clone) -> Self {
        let known = links.clone().any(|r| r.combine + r.plain > 0);
        let all = |of: fn(&Reduces) -> bool| links.clone().all(of);
        match known {
            false => Self::Unknown,
            _ if all(|r| r.plain == 0 && !r.is_mixed) => Self::All,
            _ if all(|r| r.combine == 0 && !r.is_mixed) => Self::None,
            _ if all(|r| r.combine == r.plain && !r.is_mixed) => Self::FirstHalf,
            _ => Self::Some,
        }
    }
}

/// The kind that a pattern shows, and the rank at its root.
pub(crate) fn by_pattern(
    flows: &BTreeMap<(usize, usize), Flow>,
    reduction: Reduction,
) -> (Kind, Option<usize>) {
    let ranks: BTreeSet<usize> = flows.keys().flat_map(|&(a, b)| [a, b]).collect();
    let n = ranks.len();
    let out = |rank: usize| flows.keys().filter(move |(a, _)| *a == rank).count();
    let into = |rank: usize| flows.keys().filter(move |(_, b)| *b == rank).count();
    if n == 2 && flows.len() == 1 {
        return (Kind::P2p, flows.keys().next().map(|(a, _)| *a));
    }
    let is_ring =
        ranks.iter().all(|&rank| out(rank) == 1 && into(rank) == 1) && is_one_cycle(flows);
    if is_ring {
        let equal = |of: fn(&Flow) -> u64| {
            let mut all = flows.values().map(of);
            let first = all.next();
            all.all(|x| Some(x) == first)
        };
        let commands = flows.values().next().map_or(0, |f| f.commands);
        let steps = n as u64 - 1;
        if !equal(|f| f.commands) || !equal(|f| f.bytes) || !commands.is_multiple_of(steps) {
            return (Kind::Unknown, None);
        }
        return match reduction {
            Reduction::All => (Kind::ReduceScatter, None),
            Reduction::FirstHalf if commands.is_multiple_of(2 * steps) => (Kind::AllReduce, None),
            Reduction::None => (Kind::AllGather, None),
            _ => (Kind::Ring, None),
        };
    }
    if n >= 3 && flows.len() == n * (n - 1) {
        return (Kind::AllToAll, None);
    }
    let roots: Vec<usize> = ranks.iter().copied().filter(|&rank| into(rank) == 0).collect();
    let leaves: Vec<usize> = ranks.iter().copied().filter(|&rank| out(rank) == 0).collect();
    let is_equal = flows.values().all(|f| Some(f.bytes) == flows.values().next().map(|f| f.bytes));
    let is_tree = flows.len() == n - 1;
    match (roots.as_slice(), leaves.as_slice()) {
        ([root], [_]) if is_tree && ranks.iter().all(|&r| into(r) <= 1 && out(r) <= 1) => {
            // A chain: towards its end bytes stay or fall where the root gives, grow where it takes.
            let first = flows.iter().find(|((a, _), _)| a == root).map_or(0, |(_, f)| f.bytes);
            let falls = flows.values().all(|f| f.bytes <= first);
            match (is_equal, falls, reduction) {
                (true, _, Reduction::All) => (Kind::Reduce, leaves.first().copied()),
                (true, _, Reduction::Some | Reduction::FirstHalf) => (Kind::Unknown, None),
                (true, ..) => (Kind::Broadcast, Some(*root)),
                (false, true, _) => (Kind::Scatter, Some(*root)),
                _ => (Kind::Gather, leaves.first().copied()),
            }
        }
        ([root], _) if is_tree && ranks.iter().all(|&r| into(r) <= 1) => {
            (if is_equal { Kind::Broadcast } else { Kind::Scatter }, Some(*root))
        }
        (_, [leaf]) if is_tree && ranks.iter().all(|&r| out(r) <= 1) => {
            (if is_equal { Kind::Reduce } else { Kind::Gather }, Some(*leaf))
        }
        _ => (Kind::Unknown, None),
    }
}

fn is_one_cycle(flows: &BTreeMap<(usize, usize), Flow>) -> bool {
    let next: BTreeMap<usize, usize> = flows.keys().copied().collect();
    let Some(&first) = next.keys().next() else { return false };
    let mut at = first;
    for step in 1..=next.len() {
        let Some(&to) = next.get(&at) else { return false };
        at = to;
        if at == first {
            return step == next.len();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_prefix_and_case() {
        for (name, kind) in [
            ("tpudnnC2CAllReduce", Some(Kind::AllReduce)),
            ("c10d::allreduce_", Some(Kind::AllReduce)),
            ("sg_api_c2c_all_gather_t", Some(Kind::AllGather)),
            ("scclReduce", Some(Kind::Reduce)),
            ("sg_api_c2c_descriptor", None),
            ("reduce_sum_multi_core", None),
            ("scatter_elements", None),
        ] {
            assert_eq!(Kind::of_name(name), kind, "{name}");
        }
    }

    #[test]
    fn patterns_say_what_is_certain() {
        let flow = Flow { commands: 6, bytes: 600 };
        let of = |pairs: &[(usize, usize)]| pairs.iter().map(|&pair| (pair, flow)).collect();
        let ring: BTreeMap<_, _> = of(&[(0, 1), (1, 2), (2, 3), (3, 0)]);
        assert_eq!(by_pattern(&ring, Reduction::Unknown).0, Kind::Ring);
        assert_eq!(by_pattern(&ring, Reduction::FirstHalf).0, Kind::AllReduce);
        assert_eq!(by_pattern(&of(&[(0, 1)]), Reduction::Unknown).0, Kind::P2p);
        assert_eq!(
            by_pattern(&of(&[(0, 1), (1, 2)]), Reduction::Unknown),
            (Kind::Broadcast, Some(0))
        );
        let all: Vec<_> =
            (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
        assert_eq!(by_pattern(&of(&all), Reduction::Unknown).0, Kind::AllToAll);
        assert_eq!(
            by_pattern(&of(&[(0, 1), (1, 0), (2, 3), (3, 2)]), Reduction::Unknown).0,
            Kind::Unknown
        );
    }
}

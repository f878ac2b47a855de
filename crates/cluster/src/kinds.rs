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

    /// Kind in a kernel's name, compared without case, underscores and prefixes; `None` for a name without a known
    /// word.
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
    /// Whether what arrives is combined.
    pub(crate) reduces: Reduces,
}

/// What the bits of the pairs of one rank with another say, in order: whether what arrives is combined with what is there.
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

impl Reduces {
    /// Adds what the bits of the next pair say: 1 it does not combine, 2 it does, else unknown.
    pub(crate) fn add(&mut self, bits: u8) {
        match bits {
            1 => self.plain += 1,
            2 if self.plain > 0 => self.is_mixed = true,
            2 => self.combine += 1,
            _ => {}
        }
    }

    /// Adds what a parallel link says.
    pub(crate) fn merge(&mut self, other: Self) {
        self.combine += other.combine;
        self.plain += other.plain;
        self.is_mixed |= other.is_mixed;
    }
}

impl Reduction {
    /// What the flows of an operation have in common.
    pub(crate) fn of_flows<'f>(flows: impl Iterator<Item = &'f Flow> + Clone) -> Self {
        let reduces = flows.map(|flow| &flow.reduces);
        let known = reduces.clone().any(|r| r.combine + r.plain > 0);
        let all = |of: fn(&Reduces) -> bool| reduces.clone().all(of);
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
    if is_all_reduce_on_two_planes(flows) {
        return (Kind::AllReduce, None);
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

/// Whether two rings of the same number of ranks combine and pass on, and each rank exchanges what it combined with its peer
/// in the other ring. Rings and exchanges differ by the number of their commands, so that two rings of two are found, too.
fn is_all_reduce_on_two_planes(flows: &BTreeMap<(usize, usize), Flow>) -> bool {
    let Some(exchanged) = flows.values().map(|flow| flow.commands).min() else { return false };
    let (peers, of_rings): (BTreeMap<_, _>, BTreeMap<_, _>) =
        flows.iter().map(|(&pair, &flow)| (pair, flow)).partition(|(_, f)| f.commands == exchanged);
    let peer_of: BTreeMap<usize, usize> = peers.keys().copied().collect();
    let is_exchange = peers.len() == peer_of.len()
        && peers.keys().all(|&(a, b)| peers.contains_key(&(b, a)))
        && Reduction::of_flows(peers.values()) == Reduction::All;
    let Some(&(first, _)) = of_rings.keys().next() else { return false };
    let mut ring = BTreeSet::from([first]);
    while let Some(&(_, next)) =
        of_rings.keys().find(|(a, b)| ring.contains(a) && !ring.contains(b))
    {
        ring.insert(next);
    }
    let other: BTreeSet<usize> =
        ring.iter().filter_map(|rank| peer_of.get(rank).copied()).collect();
    let steps = 2 * (ring.len() as u64 - 1);
    let is_combining = Reduction::of_flows(of_rings.values()) == Reduction::FirstHalf
        && of_rings.values().all(|flow| flow.commands == exchanged * steps);
    let (second, of_rings): (BTreeMap<_, _>, BTreeMap<_, _>) =
        of_rings.into_iter().partition(|((a, _), _)| other.contains(a));
    let is_ring = |flows: &BTreeMap<(usize, usize), Flow>, ranks: &BTreeSet<usize>| {
        flows.len() == ranks.len()
            && flows.keys().all(|(a, b)| ranks.contains(a) && ranks.contains(b))
            && is_one_cycle(flows)
    };
    is_exchange
        && is_combining
        && ring.is_disjoint(&other)
        && peer_of.len() == ring.len() + other.len()
        && is_ring(&of_rings, &ring)
        && is_ring(&second, &other)
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
        let flow = Flow { commands: 6, bytes: 600, ..Flow::default() };
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

    #[test]
    fn rings_that_exchange_what_they_combined_are_one_all_reduce() {
        let bits = |combine, plain| Flow {
            commands: combine + plain,
            bytes: 100 * (combine + plain),
            reduces: Reduces { combine, plain, is_mixed: false },
        };
        for m in [2, 3, 5] {
            let chunks = 2;
            let half = chunks * (m as u64 - 1);
            let of_ranks = |of: &dyn Fn(usize) -> Vec<((usize, usize), Flow)>| {
                (0..2 * m).flat_map(of).collect::<BTreeMap<_, _>>()
            };
            let planes = |peers: Flow| {
                of_ranks(&|rank| {
                    let plane = ((rank, (rank / m) * m + (rank % m + 1) % m), bits(half, half));
                    vec![plane, ((rank, (rank + m) % (2 * m)), peers)]
                })
            };
            let kind = |flows| by_pattern(&flows, Reduction::Some).0;
            assert_eq!(kind(planes(bits(chunks, 0))), Kind::AllReduce, "{m}");
            // Peers that do not combine, or exchange as much as the rings, are something else.
            assert_eq!(kind(planes(bits(0, chunks))), Kind::Unknown, "{m}");
            assert_eq!(kind(planes(bits(2 * half, 0))), Kind::Unknown, "{m}");
        }
    }
}

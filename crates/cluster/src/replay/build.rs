//! The replay of measured commands, and the check that it gives the measured times.

use std::collections::BTreeMap;

use super::causes::local_causes;
use super::{Changes, Lag, Node, PORT_LAG_NS, Replay, Transfer};
use crate::clocks::Clocks;
use crate::pairing::{Link, ThreadId};
use crate::rank::Rank;
use crate::states::Partners;
use crate::work::Work;

impl Replay {
    /// The replay of the ranks of an island; `Err` names the first command that it does not reproduce.
    pub(crate) fn of(
        ranks: &[Rank],
        links: &[Link],
        clocks: &Clocks,
        partners: &Partners,
        island: usize,
    ) -> Result<Self, String> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut index: BTreeMap<(ThreadId, u32), usize> = BTreeMap::new();
        let mut replay = Self {
            nodes: Vec::new(),
            transfers: Vec::new(),
            order: Vec::new(),
            begin: BTreeMap::new(),
            tail: BTreeMap::new(),
            last: BTreeMap::new(),
            medians: BTreeMap::new(),
            link_ranks: links.iter().map(|l| (l.from.rank, l.to.rank)).collect(),
            measured: 0.0,
        };
        let in_island = |rank: usize| clocks.ranks.get(rank).is_some_and(|c| c.island == island);
        let mut steps: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        for (rank, of) in ranks.iter().enumerate().filter(|(rank, _)| in_island(*rank)) {
            let Some(clock) = clocks.ranks.get(rank) else { continue };
            let first = nodes.len();
            for (thread, commands) in of.part.threads.iter().enumerate() {
                for (at, command) in commands.commands.iter().enumerate() {
                    index.insert((ThreadId { rank, thread }, at as u32), nodes.len());
                    nodes.push(Node {
                        rank,
                        command: *command,
                        receives: commands.receives,
                        start: clock.reference(command.start as f64),
                        end: clock.reference(command.end as f64),
                        after: Vec::new(),
                        first: None,
                        partner: None,
                        link: usize::MAX,
                    });
                }
            }
            let work = Work::of(&of.part);
            let begin = clock.reference(of.part.window.0 as f64);
            replay.begin.insert(rank, begin);
            let speed = 1.0 + clock.drift_ppm * 1e-6;
            local_causes(&mut nodes[first..], first, &of.part, &work, speed, begin);
            let end = clock.reference(of.part.window.1 as f64);
            let last = nodes[first..].iter().enumerate().max_by(|a, b| a.1.end.total_cmp(&b.1.end));
            let (last_end, last_own) =
                last.map_or((begin, of.part.window.0), |(_, node)| (node.end, node.command.end));
            let busy = work.between(last_own, of.part.window.1) as f64 * speed;
            let all = (end - last_end).max(0.0);
            replay.tail.insert(rank, Lag { all, work: busy.min(all), step: 0 });
            replay.last.insert(rank, (first..nodes.len()).collect());
            replay.measured = replay.measured.max(end);
            let mut step = 0;
            for node in &mut nodes[first..] {
                let lag = node.after.first_mut().map(|(_, lag)| lag).or(node.first.as_mut());
                if let Some(lag) = lag.filter(|lag| lag.all > PORT_LAG_NS) {
                    step += 1;
                    lag.step = step;
                    steps.entry(step).or_default().push((rank, lag.all));
                }
            }
        }
        for (step, lags) in steps {
            let mut all: Vec<f64> = lags.iter().map(|(_, ns)| *ns).collect();
            all.sort_by(f64::total_cmp);
            if let Some(median) = all.get(all.len() / 2) {
                replay.medians.insert(step, *median);
            }
        }
        for (thread, all) in partners {
            for (at, partner) in all.iter().enumerate() {
                let Some((link, other)) = partner else { continue };
                let Some(of) = links.get(*link) else { continue };
                let own = index.get(&(*thread, at as u32));
                let other = index.get(&(if of.from == *thread { of.to } else { of.from }, *other));
                if let (Some(&own), Some(&other)) = (own, other) {
                    (nodes[own].partner, nodes[own].link) = (Some(other), *link);
                }
            }
        }
        replay.nodes = nodes;
        replay.measure_transfers(links, clocks);
        replay.order();
        replay.check()?;
        Ok(replay)
    }

    /// The lags of each send.
    fn measure_transfers(&mut self, links: &[Link], clocks: &Clocks) {
        let moment = |node: &Node, t: i64| {
            clocks.ranks.get(node.rank).map_or(0.0, |clock| clock.reference(t as f64))
        };
        self.transfers = vec![Transfer::default(); self.nodes.len()];
        let mut least: Vec<(f64, f64)> = vec![(f64::INFINITY, f64::INFINITY); links.len()];
        let has_moments = |link: usize| links.get(link).is_some_and(|l| l.has_moments);
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, n)| !n.receives) {
            let Some(receive) = node.partner.and_then(|p| self.nodes.get(p)) else { continue };
            let known = has_moments(node.link);
            // Where only ends are known, the data move until the receive ends.
            let first = if known {
                moment(node, node.command.first)
            } else {
                node.start.max(receive.start)
            };
            let last = if known { moment(node, node.command.last) } else { receive.end.max(first) };
            let transfer = Transfer {
                start_up: first - node.start,
                credit: first - receive.start,
                moving: (last - first).max(0.0),
                completion: node.end - last,
                arrival: receive.end - last,
                is_known: true,
            };
            if let Some(least) = least.get_mut(node.link) {
                *least = (least.0.min(transfer.start_up), least.1.min(transfer.credit));
            }
            if let Some(place) = self.transfers.get_mut(at) {
                *place = transfer;
            }
        }
        for (at, node) in self.nodes.iter().enumerate() {
            let Some(transfer) = self.transfers.get_mut(at).filter(|t| t.is_known) else {
                continue;
            };
            let Some(&(start_up, credit)) = least.get(node.link) else { continue };
            let Some(receive) = node.partner.and_then(|p| self.nodes.get(p)) else { continue };
            // The later of the two bound: the other one's lag is the link's smallest.
            if node.start + start_up >= receive.start + credit {
                transfer.credit = credit;
            } else {
                transfer.start_up = start_up;
            }
        }
    }

    /// Orders starts and data by measured time: what something waits for comes before it.
    fn order(&mut self) {
        let mut order: Vec<(f64, u8, usize, bool)> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            order.push((node.start, 1, at, false));
            let partner = node.partner.and_then(|p| self.nodes.get(p));
            match partner {
                Some(receive) if !node.receives => {
                    order.push((node.start.max(receive.start), 2, at, true));
                }
                None => order.push((node.start, 2, at, true)),
                Some(_) => {}
            }
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        self.order = order.into_iter().map(|(_, _, at, is_data)| (at, is_data)).collect();
    }

    fn check(&self) -> Result<(), String> {
        let (starts, ends) = self.times(&Changes::default());
        for (at, node) in self.nodes.iter().enumerate() {
            let off = |a: f64, b: f64| (a - b).abs() > 0.5;
            let (Some(start), Some(end)) = (starts.get(at), ends.get(at)) else { continue };
            if off(*start, node.start) || off(*end, node.end) {
                return Err(format!(
                    "the joint replay does not reproduce a command of rank index {} at {:.0} ns: no prediction",
                    node.rank, node.start
                ));
            }
        }
        Ok(())
    }
}

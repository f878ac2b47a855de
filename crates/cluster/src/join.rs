//! The join: from the parts of all ranks to the report.

use bigtpu_chip::Chip;
use bigtpu_messages::{Language, error_message};

use crate::clocks::Method;
use crate::found::{Found, stretches};
use crate::gains::{Gains, gains};
use crate::join_options::JoinOptions;
use crate::ledger::ledger;
use crate::link_rows::{ambiguous, cycles, links};
use crate::numbers::thousandth;
use crate::operations::operations;
use crate::pairing::ThreadId;
use crate::partners::Partners;
use crate::phases::rates;
use crate::rank::Rank;
use crate::report::{ClockRow, Cluster, End, IslandRow, RankRow, SCHEMA_VERSION, StateRow};
use crate::settle::settle;
use crate::speeds::speeds;
use crate::stages::stages;
use crate::state_times::States;
use crate::states::{RankStates, StateFinder, states};
use crate::steps::steps;
use crate::views::Joined;
use crate::{groups, rows, verdict};

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// One device is no cluster.
    #[error("{}", error_message!("error-cluster-join-too-few", value = .0))]
    TooFew(usize),
    /// States that do not add up: an error of the program.
    #[error("{}", error_message!("error-cluster-join-sum", value = .0))]
    Sum(u32),
}

/// Joins the parts of all ranks. The order of `ranks` and the number of threads change nothing.
///
/// # Errors
/// When there are fewer than two ranks.
pub fn join(mut ranks: Vec<Rank>, options: &JoinOptions) -> Result<Joined, JoinError> {
    if ranks.len() < 2 {
        return Err(JoinError::TooFew(ranks.len()));
    }
    ranks.sort_by(|a, b| (a.number, &a.part.identity).cmp(&(b.number, &b.part.identity)));
    let thread = |end: &End, receives: bool| {
        let rank = ranks.iter().position(|rank| rank.number == end.rank)?;
        let threads = &ranks.get(rank)?.part.threads;
        let thread = threads.iter().position(|t| t.port == end.port && t.receives == receives)?;
        Some(ThreadId { rank, thread })
    };
    let given: Vec<(ThreadId, ThreadId)> = options
        .given
        .iter()
        .filter_map(|(from, to)| Some((thread(from, false)?, thread(to, true)?)))
        .collect();
    let (pairing, clocks) = settle(&ranks, &given, options.host_sync_ns);
    let speeds = speeds(&ranks, &pairing.links, &clocks);
    let operations = operations(&ranks, &pairing.links, &clocks, &speeds);
    let mut found = Found {
        partners: Partners::collect(&ranks, &pairing.links),
        rates: rates(&ranks, &pairing.links, &clocks),
        stretches: stretches(&operations, pairing.links.len()),
        operations,
        speeds,
        ranks,
        pairing,
        clocks,
        ..Found::default()
    };
    found.states = states(&StateFinder::new(found.phases(), &found.operations));
    for (rank, states) in found.ranks.iter().zip(&found.states) {
        if states.ns.iter().sum::<u64>() != states.window {
            return Err(JoinError::Sum(rank.number));
        }
    }
    let mut gains = gains(&found, &options.scales);
    let path = std::mem::take(&mut gains.path);
    let cluster = report(&found, gains, options);
    Ok(Joined { cluster, path, found })
}

fn report(found: &Found, gains: Gains, options: &JoinOptions) -> Cluster {
    let groups = groups::groups(found, &options.groups);
    let operations = rows::operations(found, &groups);
    let states = state_rows(found);
    let mut cluster = Cluster {
        schema_version: SCHEMA_VERSION,
        version: options.version.clone(),
        ranks: ranks(found, options),
        clocks: clock_rows(found),
        cycles: cycles(found),
        islands: islands(found),
        links: links(found),
        ambiguous: ambiguous(found),
        one_sided: rows::one_sided(found),
        operation_groups: rows::operation_groups(found),
        operations,
        stages: stages(found, &groups, &states),
        groups,
        states,
        stragglers: gains.stragglers,
        steps: steps(found),
        critical_path: gains.critical_path,
        whatif: gains.whatif,
        ledger: ledger(found, options),
        ..Cluster::default()
    };
    cluster.ledger.notes.extend(gains.notes);
    cluster.advice = verdict::advice(&cluster, gains.hiding);
    let said = verdict::verdict(&cluster);
    cluster.verdict = said.iter().map(|sentence| sentence.text(Language::English)).collect();
    cluster.verdict_messages = said;
    cluster
}

fn ranks(found: &Found, options: &JoinOptions) -> Vec<RankRow> {
    let of = |rank: &Rank| {
        let identity = &rank.part.identity;
        let has_moments = rank.part.threads.iter().all(|t| t.has_moments);
        RankRow {
            rank: rank.number,
            host: identity.host.clone(),
            chip: Chip::title_of(&identity.chip),
            device: identity.device,
            call: identity.call,
            dump: identity.dump.clone(),
            missing: false,
            events: rank.part.events,
            commands: rank.part.command_count() as u64,
            lost_records: rank.part.lost_records,
            has_loss: rank.part.has_loss,
            times: if has_moments { "data times" } else { "ends only" },
        }
    };
    let mut rows: Vec<RankRow> = found.ranks.iter().map(of).collect();
    rows.extend(options.missing.iter().map(|&rank| RankRow {
        rank,
        host: String::new(),
        chip: String::new(),
        device: 0,
        call: 0,
        dump: String::new(),
        missing: true,
        events: 0,
        commands: 0,
        lost_records: 0,
        has_loss: false,
        times: "",
    }));
    rows.sort_by_key(|row| row.rank);
    rows
}

fn clock_rows(found: &Found) -> Vec<ClockRow> {
    let finite = |ns: f64| ns.is_finite().then(|| thousandth(ns));
    let row = |(rank, clock): (&Rank, &crate::clocks::RankClock)| ClockRow {
        rank: rank.number,
        island: clock.island,
        offset_ns: thousandth(clock.offset),
        drift_ppm: (clock.drift_ppm * 1e6).round() / 1e6,
        bound_low_ns: finite(clock.low),
        bound_high_ns: finite(clock.high),
        sigma_ns: finite(clock.sigma),
        method: clock.method.name(),
        links: clock.links,
        orders: clock.facts,
        violations_before: if clock.method == Method::Reference { 0 } else { clock.before },
        violations_after: if clock.method == Method::Reference { 0 } else { clock.after },
    };
    found.ranks.iter().zip(&found.clocks.ranks).map(row).collect()
}

fn islands(found: &Found) -> Vec<IslandRow> {
    let of = |(island, reference): (usize, &usize)| IslandRow {
        island,
        reference: found.number(*reference),
        ranks: found.clocks.members(island).map(|rank| found.number(rank)).collect(),
    };
    found.clocks.reference.iter().enumerate().map(of).collect()
}

fn state_rows(found: &Found) -> Vec<StateRow> {
    let row = |(rank, states): (&Rank, &RankStates)| StateRow {
        rank: rank.number,
        window_ns: states.window,
        states: States::from_numbers(&states.ns),
        hidden_ns: states.hidden,
        exposed_ns: states.ns.iter().skip(2).take(5).sum(),
    };
    found.ranks.iter().zip(&found.states).map(row).collect()
}

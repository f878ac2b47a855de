//! One clock for the devices of a call, where their links prove it.

use bigtpu_messages::{Arg, Message, message};
use std::collections::BTreeMap;

use bigtpu_cluster::report::StateRow;
use bigtpu_cluster::{DumpPart, Identity, JoinOptions, Joined, Rank, RankView, States, join};
use bigtpu_emit_cluster::{PAGE_FILE, RankPage, write_page};
use bigtpu_emit_web::PAGE_FILE as OWN_PAGE;
use bigtpu_output::{Json, OutDir, OutputError, Written, href_and_back};
use bigtpu_timeline::Dump;

use super::find::Named;
use crate::choice::Choice;
use crate::outputs::CLUSTER_REPORT;
use crate::settings::Session;
use crate::views;

/// Devices of one call on the clocks that their links prove.
pub(super) struct Proved {
    /// Numbers of the dumps, in the order of the join's ranks.
    numbers: Vec<usize>,
    pub(super) joined: Joined,
}

impl Proved {
    /// Joins the dumps of a slot; `None` where no link joins any.
    pub(super) fn from_links(
        slot: &[usize],
        dumps: &[Named],
        opened: &[Dump],
        session: &Session,
    ) -> Option<Self> {
        let has_ports = |number: &&usize| opened.get(**number).is_some_and(|d| !d.ports.is_empty());
        if slot.iter().filter(has_ports).count() < 2 {
            return None;
        }
        let rank = |&number: &usize| {
            let (named, dump) = (dumps.get(number)?, opened.get(number)?);
            let identity = Identity {
                host: "host0".to_owned(),
                device: named.name.device?,
                call: named.name.call.unwrap_or(0),
                dump: named.shown.clone(),
                chip: dump.chip.name.to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            };
            let part = DumpPart::of_dump(identity, dump, &session.settings().reading);
            Some((number, Rank { number: named.name.device?, part }))
        };
        let mut ranks: Vec<(usize, Rank)> = slot.iter().filter_map(rank).collect();
        ranks.sort_by_key(|(_, rank)| rank.number);
        let (numbers, ranks): (Vec<usize>, Vec<Rank>) = ranks.into_iter().unzip();
        let options = JoinOptions {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            are_devices: true,
            ..JoinOptions::default()
        };
        let joined = join(ranks, &options).ok()?;
        (!joined.cluster.links.is_empty()).then_some(Self { numbers, joined })
    }

    /// The call that the dumps are of.
    pub(super) fn call(&self) -> u32 {
        self.joined.ranks().next().map_or(0, |rank| rank.rank.part.identity.call)
    }

    /// ns from the start of the first device of its island to the time 0 of each dump, by the dump's number.
    pub(super) fn starts(&self) -> BTreeMap<usize, i64> {
        let clocks = || self.joined.ranks().map(|rank| rank.clock);
        let first = |island: usize| {
            let own = clocks().filter(|clock| clock.island == island);
            own.map(|clock| clock.offset_ns).fold(f64::INFINITY, f64::min)
        };
        let starts = clocks().map(|c| (c.offset_ns - first(c.island)).round() as i64);
        self.numbers.iter().copied().zip(starts).collect()
    }

    /// ns in which each dump's ports only waited for other devices, by the dump's number.
    pub(super) fn waits(&self) -> BTreeMap<usize, i64> {
        let wait = |row: &StateRow| {
            let States { wait_late_sender_ns, wait_late_receiver_ns, wait_collective_ns, .. } =
                row.states;
            let ns = wait_late_sender_ns + wait_late_receiver_ns + wait_collective_ns;
            i64::try_from(ns).unwrap_or(i64::MAX)
        };
        self.numbers.iter().copied().zip(self.joined.cluster.states.iter().map(wait)).collect()
    }

    /// How well the dumps lie, in words.
    pub(super) fn note(&self) -> Message {
        let cluster = &self.joined.cluster;
        let sigma = cluster.clocks.iter().filter_map(|c| c.sigma_ns).fold(0.0, f64::max);
        let drift = self.joined.ranks().map(|rank| {
            let (start, end) = rank.rank.part.window;
            (end - start) as f64 * rank.clock.drift_ppm.abs() * 1e-6
        });
        let drift = drift.fold(0.0, f64::max);
        let note = message!(
            "dumps-line-links",
            links = cluster.links.len(),
            sigma = Arg::Value(sigma, 0),
            drift = Arg::Value(drift, 0),
            page = PAGE_FILE
        );
        match cluster.islands.len() {
            1 => note,
            islands => message!("dumps-line-islands", note = note, islands = islands),
        }
    }

    /// Writes the page of all devices, and the report. `own`: the page's path below the directory of all results.
    pub(super) fn write(
        &self,
        dumps: &[Named],
        choice: &Choice,
        own: &str,
        out: &OutDir,
    ) -> Result<Vec<Written>, OutputError> {
        let has_pages = choice.writes(views::PAGE);
        let page = |(number, rank): (&usize, RankView<'_>)| {
            let directory = &dumps.get(*number)?.name.directory;
            let name = format!("{directory}/{OWN_PAGE}");
            let href = href_and_back(own, &name);
            Some(RankPage { rank: rank.rank.number, href, name })
        };
        let pages = self.numbers.iter().zip(self.joined.ranks()).filter(|_| has_pages);
        let pages: Vec<RankPage> = pages.filter_map(page).collect();
        let mut written = Vec::new();
        if has_pages {
            written.push(write_page(&self.joined, &pages, out)?);
        }
        if choice.writes(views::REPORT) {
            let text =
                serde_json::to_string_pretty(&self.joined.cluster).unwrap_or_default() + "\n";
            written.push(out.write(CLUSTER_REPORT, &Json::in_file(&text))?);
        }
        Ok(written)
    }
}

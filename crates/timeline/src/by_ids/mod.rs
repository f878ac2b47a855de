//! The second pass of pairing (section 6): where sections of equal lengths do not explain all records and commands, the
//! ids of the records say which command each of them is.
//!
//! A lost, changed or misplaced record changes the length of its section, so that the first pass leaves the whole section
//! without commands, or gives it those of another launch. Between the sections that certainly pair, records are laid
//! over commands by the cheapest path of ids (see [`path`]).

pub(crate) mod path;
mod stretches;
mod told;

use foldhash::{HashMap, HashSet, HashSetExt};

use crate::binding::Binding;
use crate::bound::Bound;
use crate::nodes::Node;
use crate::pair::{Context, Sections, command_at};
use crate::quality::{Quality, mark};
use crate::wide_events::WideEvents;
use path::{Found, IdRun, Rules, cheapest};
pub(crate) use stretches::{Stretch, align_from_start, stretches};
pub(crate) use told::{Break, Gap, tell};

/// Fewer records say too little to tell damage from another order.
pub(crate) const FEWEST_RECORDS: usize = 23;
/// Damage is rare: where more than one of so many records is at odds with the commands, they are not of one run.
pub(crate) const RECORDS_PER_BREAK: usize = 16;

/// More than one of so many commands without a record are what a full ring leaves.
const COMMANDS_PER_LOST: u64 = 4;

/// First start and last end of what other engines did in a launch, by scope.
pub(crate) type Windows = HashMap<u32, (i64, i64)>;

/// Records and commands of an engine that the first pass did not explain wholly.
pub(crate) struct Unsettled {
    /// Places of the records that the first pass was given.
    pub(crate) free: Vec<usize>,
    pub(crate) sections: Sections,
    /// What these records were before the first pass.
    pub(crate) before: Vec<Binding>,
    /// Where the first pass left records or commands over.
    pub(crate) stretches: Vec<Stretch>,
}

/// What the second pass found.
#[derive(Default)]
pub(crate) struct Settled {
    /// Tags of commands whose records may be those of another launch.
    pub(crate) doubtful: HashSet<u32>,
    /// Where records and commands are at odds.
    pub(crate) breaks: Vec<Break>,
}

/// Pairs what the first pass left over. `None` where the records are at odds with the commands in too many places: then
/// all stays as the first pass has it.
pub(crate) fn settle(
    context: &mut Context<'_, '_>,
    events: &mut WideEvents,
    nodes: &[Node],
    unsettled: &Unsettled,
    (windows, scope_of): (&Windows, &dyn Fn(u32) -> Option<u32>),
) -> Option<Settled> {
    let Unsettled { free, sections, before, stretches } = unsettled;
    if free.len() < FEWEST_RECORDS {
        return None;
    }
    let ids: Vec<i64> = free.iter().map(|&i| events.id[i]).collect();
    let mut settled = Settled::default();
    let mut paths = Vec::new();
    for stretch in stretches {
        let first = sections.records.get(stretch.records.start).map_or(ids.len(), |s| s.first);
        let end = sections.records.get(stretch.records.end).map_or(ids.len(), |s| s.first);
        let commands = &sections.commands[stretch.commands.clone()];
        let runs: Vec<IdRun> = commands
            .iter()
            .map(|s| IdRun { first: nodes[s.first].id.into(), span: s.span })
            .collect();
        let window = |run: usize| {
            let tag = nodes[commands[run].first].tag;
            windows.get(&scope_of(tag)?).copied()
        };
        let hints = stretches::hints(&sections.records[stretch.records.clone()], commands.len());
        let doubt = |record: usize, run: usize| {
            let Some((start, end)) = window(run) else { return 0 };
            let at = events.start[free[first + record]];
            let away = (start - at).max(at - end).max(0);
            match away {
                0 => 0,
                n if n <= end - start => 1,
                _ => 3,
            }
        };
        let found =
            cheapest(&ids[first..end], &runs, Rules::DISPATCHED, |record| hints[record], doubt);
        let is_known = |run: usize| window(run).is_some();
        settled.add(&found, &runs, first, (commands, nodes), is_known);
        paths.push((stretch, first, found));
    }
    let is_extra = |at: &&Break| matches!(at.gap, Gap::Extra(_));
    let lost = |at: &Break| if let Gap::Lost(n) = at.gap { n } else { 0 };
    let lost: u64 = settled.breaks.iter().map(lost).sum();
    let commands: u64 = sections.commands.iter().map(|section| section.span).sum();
    // Records that no command explains are no damage, and where a large part is lost, a ring was full.
    let is_damage = settled.breaks.iter().filter(is_extra).count() < settled.breaks.len();
    let is_rare = settled.breaks.len() * RECORDS_PER_BREAK <= free.len();
    if !is_damage || !is_rare || lost * COMMANDS_PER_LOST > commands {
        return None;
    }
    let touched: HashSet<(usize, usize)> = settled.touched(&paths);
    for (number, (stretch, first, found)) in paths.iter().enumerate() {
        for (k, found) in found.iter().enumerate() {
            let i = free[first + k];
            let now = found.map(|Found { run, at, .. }| {
                let section = sections.commands[stretch.commands.start + run];
                command_at(context, nodes, section, at)
            });
            match now {
                Some((bound, tag)) => {
                    let bound = bound.unwrap_or(Bound::none(before[first + k]));
                    events.bind(i, bound, tag);
                }
                None => events.bind(i, Bound::none(before[first + k]), 0),
            }
            let Some(Found { run, by_id, .. }) = found else { continue };
            if !by_id || touched.contains(&(number, *run)) {
                mark(&mut events.marks, events.record[i], Quality::Repaired);
            }
        }
    }
    settled.breaks.iter_mut().for_each(|b| b.places(free));
    Some(settled)
}

impl Settled {
    /// Adds what a path says. `first`: the number of its first record; `is_known`: whether other engines say when a run
    /// was.
    fn add(
        &mut self,
        found: &[Option<Found>],
        runs: &[IdRun],
        first: usize,
        (commands, nodes): (&[crate::sections::Section], &[Node]),
        is_known: impl Fn(usize) -> bool,
    ) {
        let tag = |run: usize| commands.get(run).map_or(0, |s| nodes[s.first].tag);
        let (mut run, mut next) = (0, 0);
        let mut was_dropped = false;
        for (k, step) in found.iter().enumerate() {
            let record = first + k;
            let Some(step) = step else {
                let launch = tag(run.min(runs.len().saturating_sub(1)));
                if next > 0 && runs.get(run).is_some_and(|run| next >= run.span) {
                    // One of its commands is missing, and which one is not known.
                    self.doubtful.insert(launch);
                }
                match self.breaks.last_mut() {
                    Some(Break { gap: Gap::Extra(n), .. }) if was_dropped => *n += 1,
                    _ => self.breaks.push(Break { record, tag: launch, gap: Gap::Extra(1) }),
                }
                was_dropped = true;
                continue;
            };
            was_dropped = false;
            self.gap(runs, (run, next), (step.run, step.at), record, &tag, &is_known);
            if step.is_break {
                self.breaks.push(Break { record, tag: tag(step.run), gap: Gap::WrongId });
            }
            (run, next) = (step.run, step.at + 1);
        }
        let end = first + found.len();
        self.gap(runs, (run, next), (runs.len(), 0), end, &tag, &is_known);
    }

    /// Notes the commands from one place to another, which have no record.
    fn gap(
        &mut self,
        runs: &[IdRun],
        (run, next): (usize, u64),
        (to_run, to): (usize, u64),
        record: usize,
        tag: &impl Fn(usize) -> u32,
        is_known: &impl Fn(usize) -> bool,
    ) {
        let span = |run: usize| runs.get(run).map_or(0, |run| run.span);
        if run == to_run {
            if to > next {
                let gap = Gap::Lost(to - next);
                self.breaks.push(Break { record, tag: tag(run), gap });
            }
            return;
        }
        let rest = span(run).saturating_sub(next);
        let whole = if next == 0 { run } else { run + 1 };
        let between: u64 = (run + 1..to_run).map(span).sum();
        let lost = rest + between + to;
        if lost > 0 {
            let launch = if rest > 0 { run } else { (run + 1).min(to_run) };
            let launch = launch.min(runs.len().saturating_sub(1));
            self.breaks.push(Break { record, tag: tag(launch), gap: Gap::Lost(lost) });
        }
        // Of equal runs in a row any may be the one without a record, unless other engines say when each was.
        for gone in whole..to_run {
            let is_equal = |other: &usize| span(*other) == span(gone) && !is_known(*other);
            let behind = (to_run..runs.len()).take_while(is_equal);
            let before = (0..whole).rev().take_while(is_equal);
            self.doubtful.extend(behind.chain(before).map(tag));
        }
    }

    /// The runs whose records are not all there, as (number of the path, run).
    fn touched(&self, paths: &[(&Stretch, usize, Vec<Option<Found>>)]) -> HashSet<(usize, usize)> {
        let mut touched = HashSet::new();
        for (number, (_, first, found)) in paths.iter().enumerate() {
            let records = *first..=*first + found.len();
            for at in self.breaks.iter().filter(|b| records.contains(&b.record)) {
                let near = |k: usize| found.get(k).copied().flatten().map(|f| (number, f.run));
                let k = at.record - first;
                touched.extend(near(k));
                touched.extend(k.checked_sub(1).and_then(near));
            }
        }
        touched
    }
}

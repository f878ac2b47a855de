//! The cheapest way to lay records over commands by their ids.
//!
//! Ids of an engine restart with each section, so an id alone names no command; the order of records and commands does.
//! A path goes through the records in their order and gives each a command behind that of the record before, or none:
//!
//! ```text
//!   records    0  1  3  4 │ 0  1  66 3        a record lost, an id changed by a bit
//!   commands   0  1  2  3  4 │ 0  1  2  3
//! ```
//!
//! All paths that may become the cheapest are followed at once, at most [`MOST_PATHS`] of them, so that the work is
//! linear in the records. (L. R. Rabiner's account of A. J. Viterbi's algorithm, with a beam.)

/// Commands whose ids grow one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IdRun {
    /// Id of the first.
    pub(crate) first: i64,
    /// Number of commands.
    pub(crate) span: u64,
}

/// A record's place among the commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    /// Index of the run.
    pub(crate) run: usize,
    /// Place in the run.
    pub(crate) at: u64,
    /// The record's id says so; else the records around it do.
    pub(crate) by_id: bool,
    /// From here on ids are apart from those of the commands.
    pub(crate) is_break: bool,
}

/// What differs between dispatched commands and those of a static model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// Cost of a record before the first command or behind the last one: the runtime's own records stand around a static model.
    /// `None`: it is that of any record without a command.
    outside: Option<u32>,
}

impl Rules {
    /// Rules for commands that a processor dispatched.
    pub(crate) const DISPATCHED: Self = Self { outside: None };
    /// Rules for a static model's commands.
    pub(crate) const COMPILED: Self = Self { outside: Some(2) };
}

/// A record without a command.
const COST_OF_DROP: u32 = 8;
/// A record whose id is not that of its command.
const COST_OF_WRONG_ID: u32 = 7;
/// Each further record whose id is as far from its command's: a counter's restart is missing among the commands.
const COST_OF_FURTHER: u32 = 1;
/// Commands without a record: for a gap, and for each command in it, as far as they are few.
const COST_OF_GAP: u32 = 6;
const MOST_COST_OF_COMMANDS: u32 = 24;
/// Paths that are followed at once.
const MOST_PATHS: usize = 20;
/// A path that costs so much more than the cheapest is given up.
const MOST_BEHIND: u32 = 96;
/// Runs ahead that a record may begin.
const RUNS_AHEAD: usize = 4;
/// After so many records the oldest steps are decided, which bounds the memory.
const DECIDE_EVERY: usize = 1024;
/// So many of the last steps stay open then.
const OPEN_STEPS: usize = 256;

#[derive(Debug, Clone, Copy)]
struct Path {
    run: usize,
    /// Place in the run behind the last command that was passed.
    next: u64,
    /// How far the ids of its last records are apart from those of their commands: an id is wrong, or a counter's
    /// restart is missing.
    apart: i64,
    /// All commands are behind it: further records have none.
    is_over: bool,
    cost: u32,
    /// Its last step.
    step: u32,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    before: u32,
    found: Option<Found>,
}

const NO_STEP: u32 = u32::MAX;

/// For each record, its command. `hint`: a run in which a record may be as well as in those ahead; `doubt`: what speaks
/// against a record in a run, 0 to 3.
pub(crate) fn cheapest(
    ids: &[i64],
    runs: &[IdRun],
    rules: Rules,
    hint: impl Fn(usize) -> usize,
    doubt: impl Fn(usize, usize) -> u32,
) -> Vec<Option<Found>> {
    let mut search = Search { runs, steps: Vec::new(), decided: Vec::with_capacity(ids.len()) };
    let mut paths =
        vec![Path { run: 0, next: 0, apart: 0, is_over: false, cost: 0, step: NO_STEP }];
    let starts = starts_of(runs);
    let end = starts.last().copied().unwrap_or(0);
    // Commands behind the last one of a path.
    let rest = |path: &Path| {
        let at = starts.get(path.run).map_or(end, |start| start + path.next);
        cost_of_gap(end.saturating_sub(at))
    };
    for (record, &id) in ids.iter().enumerate() {
        let mut further = Vec::with_capacity(paths.len() * 4);
        for path in &paths {
            let is_begun = path.run > 0 || path.next > 0;
            if let (Some(outside), true) = (rules.outside, is_begun) {
                let cost = path.cost + outside + if path.is_over { 0 } else { rest(path) };
                further.push((Path { is_over: true, cost, ..*path }, None));
            }
            if path.is_over {
                continue;
            }
            let mut go = |found: Option<Found>, run, next, apart, cost| {
                let (cost, step) = (path.cost + cost, path.step);
                further.push((Path { run, next, apart, is_over: false, cost, step }, found));
            };
            // What belongs to no command is between runs rather than within one.
            let is_between =
                path.next == 0 || runs.get(path.run).is_none_or(|r| path.next >= r.span);
            let usual = COST_OF_DROP - u32::from(is_between);
            let cost = if is_begun { usual } else { rules.outside.unwrap_or(usual) };
            go(None, path.run, path.next, path.apart, cost);
            let ahead = path.run..runs.len().min(path.run + 1 + RUNS_AHEAD);
            let hinted = hint(record);
            let hinted = (hinted >= ahead.end && hinted < runs.len()).then_some(hinted);
            let mut has_exact = false;
            for run in ahead.chain(hinted) {
                let Ok(at) = u64::try_from(id - runs[run].first) else { continue };
                let is_behind = run == path.run && at < path.next;
                if at >= runs[run].span || is_behind {
                    continue;
                }
                let gap = starts[run] + at - (starts[path.run] + path.next);
                has_exact |= gap == 0;
                let entry = if run == path.run && path.next > 0 { 0 } else { doubt(record, run) };
                let found = Found { run, at, by_id: true, is_break: false };
                go(Some(found), run, at + 1, 0, cost_of_gap(gap) + entry);
            }
            if let (true, Some(run)) = (path.apart != 0, runs.get(path.run))
                && let Ok(at) = u64::try_from(id - run.first - path.apart)
                && (path.next..run.span).contains(&at)
            {
                has_exact |= at == path.next;
                let found = Found { run: path.run, at, by_id: false, is_break: false };
                let cost = cost_of_gap(at - path.next) + COST_OF_FURTHER;
                go(Some(found), path.run, at + 1, path.apart, cost);
            }
            if !has_exact {
                let mut place = (path.run, path.next);
                if runs.get(place.0).is_some_and(|run| place.1 >= run.span) {
                    place = (place.0 + 1, 0);
                }
                if let Some(run) = runs.get(place.0) {
                    let apart = id - run.first - place.1 as i64;
                    let entry = if place.1 > 0 { 0 } else { doubt(record, place.0) };
                    let found = Found { run: place.0, at: place.1, by_id: false, is_break: true };
                    go(Some(found), place.0, place.1 + 1, apart, COST_OF_WRONG_ID + entry);
                }
            }
        }
        paths = search.keep(further);
        if search.steps.len() > DECIDE_EVERY * MOST_PATHS {
            search.decide(&mut paths);
        }
    }
    // What is left behind the last record is a gap as well.
    let total = |path: &Path| path.cost + if path.is_over { 0 } else { rest(path) };
    let best = paths.iter().min_by_key(|path| total(path)).map_or(NO_STEP, |path| path.step);
    search.finish(best)
}

/// Commands before each run, and of all.
fn starts_of(runs: &[IdRun]) -> Vec<u64> {
    let mut sum = 0;
    let mut starts = vec![0];
    starts.extend(runs.iter().map(|run| {
        sum += run.span;
        sum
    }));
    starts
}

fn cost_of_gap(commands: u64) -> u32 {
    match commands {
        0 => 0,
        n => COST_OF_GAP + u32::try_from(n).unwrap_or(u32::MAX).min(MOST_COST_OF_COMMANDS),
    }
}

struct Search<'a> {
    runs: &'a [IdRun],
    steps: Vec<Step>,
    decided: Vec<Option<Found>>,
}

impl Search<'_> {
    /// Keeps the cheapest path to each place, as far as they are cheap, and notes their steps.
    fn keep(&mut self, mut further: Vec<(Path, Option<Found>)>) -> Vec<Path> {
        further.sort_by_key(|(path, _)| path.cost);
        let least = further.first().map_or(0, |(path, _)| path.cost);
        let mut kept: Vec<Path> = Vec::with_capacity(MOST_PATHS);
        for (path, found) in further {
            if kept.len() == MOST_PATHS || path.cost > least + MOST_BEHIND {
                break;
            }
            let place = (self.normal(&path), path.apart, path.is_over);
            if kept.iter().any(|o| (self.normal(o), o.apart, o.is_over) == place) {
                continue;
            }
            let step = self.steps.len() as u32;
            self.steps.push(Step { before: path.step, found });
            kept.push(Path { step, ..path });
        }
        kept.iter_mut().for_each(|path| path.cost -= least);
        kept
    }

    /// The end of a run is the start of the next one.
    fn normal(&self, path: &Path) -> (usize, u64) {
        match self.runs.get(path.run) {
            Some(run) if path.next >= run.span => (path.run + 1, 0),
            _ => (path.run, path.next),
        }
    }

    fn steps_back(&self, mut step: u32) -> Vec<u32> {
        let mut steps = Vec::new();
        while let Some(known) = self.steps.get(step as usize) {
            steps.push(step);
            step = known.before;
        }
        steps
    }

    /// Decides all but the last steps of the cheapest path, and gives up the paths that decided otherwise.
    fn decide(&mut self, paths: &mut Vec<Path>) {
        let Some(best) = paths.first() else { return };
        let steps = self.steps_back(best.step);
        let open = steps.len().min(OPEN_STEPS);
        let Some(&root) = steps.get(open) else { return };
        self.decided.extend(steps[open..].iter().rev().map(|&s| self.steps[s as usize].found));
        let mut kept: Vec<Step> = Vec::new();
        let mut renamed = vec![NO_STEP; self.steps.len()];
        paths.retain_mut(|path| {
            let own = self.steps_back(path.step);
            let Some(at) = own.iter().position(|&s| s == root) else { return false };
            for &step in own[..at].iter().rev() {
                if renamed[step as usize] == NO_STEP {
                    let Step { before, found } = self.steps[step as usize];
                    let before = if before == root { NO_STEP } else { renamed[before as usize] };
                    renamed[step as usize] = kept.len() as u32;
                    kept.push(Step { before, found });
                }
            }
            path.step = own.first().map_or(NO_STEP, |&s| renamed[s as usize]);
            true
        });
        self.steps = kept;
    }

    fn finish(mut self, best: u32) -> Vec<Option<Found>> {
        let steps = self.steps_back(best);
        self.decided.extend(steps.iter().rev().map(|&s| self.steps[s as usize].found));
        self.decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(spans: &[u64]) -> Vec<IdRun> {
        spans.iter().map(|&span| IdRun { first: 0, span }).collect()
    }

    fn places(ids: &[i64], spans: &[u64]) -> Vec<Option<(usize, u64)>> {
        let found = cheapest(ids, &runs(spans), Rules::DISPATCHED, |_| usize::MAX, |_, _| 0);
        found.into_iter().map(|f| f.map(|f| (f.run, f.at))).collect()
    }

    /// All ids of runs.
    fn ids(spans: &[u64]) -> Vec<i64> {
        spans.iter().flat_map(|&span| 0..span as i64).collect()
    }

    fn whole(spans: &[u64]) -> Vec<Option<(usize, u64)>> {
        let runs = spans.iter().enumerate();
        runs.flat_map(|(run, &span)| (0..span).map(move |at| Some((run, at)))).collect()
    }

    const SPANS: [u64; 6] = [17, 9, 17, 16, 9, 17];

    #[test]
    fn whole_records_are_laid_over_whole_commands() {
        assert_eq!(places(&ids(&SPANS), &SPANS), whole(&SPANS));
    }

    /// Wherever one record or ten in a row are lost, all others keep their commands.
    #[test]
    fn lost_records_cost_only_themselves() {
        for n in [1, 2, 10] {
            for at in 0..=ids(&SPANS).len() - n {
                let (mut ids, mut expected) = (ids(&SPANS), whole(&SPANS));
                ids.drain(at..at + n);
                expected.drain(at..at + n);
                let found = places(&ids, &SPANS);
                let wrong = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
                // Of equal runs any may have lost all of its records.
                assert!(wrong == 0 || n == 10 && wrong <= 9, "{n} at {at}: {wrong}");
            }
        }
    }

    /// What looks like a counter that began late explains two lost records no better than two gaps do, wherever other engines say
    /// that the record is of its launch.
    #[test]
    fn the_first_record_and_one_behind_it_cost_only_themselves() {
        let doubt = |_, _| 3;
        for at in 1..17 {
            let (mut ids, mut expected) = (ids(&SPANS), whole(&SPANS));
            for lost in [26 + at, 26] {
                ids.remove(lost);
                expected.remove(lost);
            }
            let found = cheapest(&ids, &runs(&SPANS), Rules::DISPATCHED, |_| usize::MAX, doubt);
            let places: Vec<_> = found.iter().map(|f| f.map(|f| (f.run, f.at))).collect();
            assert_eq!(places, expected, "the first, and the one {at} behind it");
        }
    }

    #[test]
    fn a_changed_id_costs_nothing() {
        for at in 0..ids(&SPANS).len() {
            for bit in [0, 1, 2, 4, 7, 15] {
                let mut ids = ids(&SPANS);
                ids[at] ^= 1 << bit;
                let (found, expected) = (places(&ids, &SPANS), whole(&SPANS));
                let wrong = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
                assert!(wrong <= 2, "bit {bit} at {at}: {wrong}");
            }
        }
    }

    /// Two runs whose border is not known: the counter's restart is missing among the commands.
    #[test]
    fn a_missing_restart_costs_one_break() {
        let found = cheapest(
            &ids(&[17, 9, 12, 16]),
            &runs(&[17, 21, 16]),
            Rules::DISPATCHED,
            |_| 9,
            |_, _| 0,
        );
        let places: Vec<_> = found.iter().map(|f| f.map(|f| (f.run, f.at))).collect();
        assert_eq!(places, whole(&[17, 21, 16]));
        assert_eq!(found.iter().flatten().filter(|f| f.is_break).count(), 1);
    }

    #[test]
    fn records_that_no_command_explains_have_none() {
        let mut ids = ids(&SPANS);
        ids.splice(26..26, [500, 501]);
        let mut expected = whole(&SPANS);
        expected.splice(26..26, [None, None]);
        assert_eq!(places(&ids, &SPANS), expected);
    }

    /// Around a static model stand the runtime's own records, whose ids begin anew: they take none of its commands, wherever ten of
    /// its records are lost behind the first ones.
    #[test]
    fn records_around_a_model_take_none_of_its_commands() {
        for at in 3..=81 - 10 {
            let mut ids: Vec<i64> = vec![0, 1];
            ids.extend((0..81).filter(|id| !(at..at + 10).contains(id)));
            ids.extend([0, 1, 0, 1]);
            let found = cheapest(&ids, &runs(&[81]), Rules::COMPILED, |_| usize::MAX, |_, _| 0);
            let model = ids.len() - 4;
            for (k, found) in found.iter().enumerate() {
                let expected = (2..model).contains(&k).then(|| ids[k] as u64);
                assert_eq!(found.map(|found| found.at), expected, "record {k}, lost from {at}");
            }
        }
    }

    #[test]
    fn long_lists_are_decided_on_the_way() {
        let spans: Vec<u64> = (0..3000).map(|i| 7 + i % 5).collect();
        let (mut ids, mut expected) = (ids(&spans), whole(&spans));
        for at in [25_000, 20_011, 9000, 40] {
            ids.remove(at);
            expected.remove(at);
        }
        assert_eq!(places(&ids, &spans), expected);
    }
}

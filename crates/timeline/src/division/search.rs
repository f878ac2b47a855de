//! The search for divisions: launch by launch, which of them are a static model's.
//!
//! A launch takes either the next groups of the model or the next sections of dispatched commands, the same on all engines. So
//! a state is how many groups each engine has used:
//!
//! ```text
//!   launches            1      2      3
//!   groups used    0 ──── 1 ──── 2 ──── 2      the third is a kernel's
//!                  └───── 0 ──── 1 ──── 2      the first is
//! ```

use std::ops::Range;

use foldhash::{HashMap, HashMapExt, HashSet};

/// What an engine of a core has, as numbers of ids that sections span.
#[derive(Debug, Clone, Default)]
pub(super) struct EngineLists {
    /// Sections of records.
    pub(super) records: Vec<u64>,
    /// Sections of records that begin behind the first command of what they are of, by their number.
    pub(super) beheaded: HashSet<usize>,
    /// Groups of all launches of the model.
    pub(super) groups: Vec<u64>,
    /// Sections of dispatched commands, and the kernel's launch that each is of.
    pub(super) commands: Vec<(u64, Option<u32>)>,
}

/// The sections of records of a launch, by engine.
pub(super) type LaunchSections = [Range<usize>; 3];

/// What a section of records is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The group with this number, over all launches of the model.
    Group(usize),
    /// The section of dispatched commands with this number.
    Commands(usize),
}

impl Owner {
    /// The one `n` behind it.
    pub(super) fn owner_after(self, n: usize) -> Self {
        match self {
            Self::Group(at) => Self::Group(at + n),
            Self::Commands(at) => Self::Commands(at + n),
        }
    }
}

/// What each engine has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Used {
    groups: [usize; 3],
    commands: [usize; 3],
}

/// Whose a launch is, and on which engine its sections do not fit, if damage is allowed for: it may have a section more or less than
/// there were, or two more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Take {
    is_model: bool,
    odd: Option<(usize, isize)>,
}

impl Take {
    fn all(allows_damage: bool) -> Vec<Self> {
        let mut all = Vec::new();
        for is_model in [true, false] {
            all.push(Self { is_model, odd: None });
            let odd = (0..3).flat_map(|engine| [0, -1, 1, -2].map(|more| (engine, more)));
            let odd = odd.map(|odd| Self { is_model, odd: Some(odd) });
            all.extend(odd.filter(|_| allows_damage));
        }
        all
    }

    fn is_odd(self, engine: usize) -> bool {
        self.odd.is_some_and(|(odd, _)| odd == engine)
    }

    /// How many groups or sections of commands an engine uses. `sections`: of its records.
    fn count(self, engine: usize, sections: usize) -> Option<usize> {
        match self.odd.filter(|_| self.is_odd(engine)) {
            Some((_, more)) => sections.checked_add_signed(more),
            None => Some(sections),
        }
    }
}

/// Whose launch it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    take: Take,
    /// What was used before.
    before: Used,
    /// No other choice fits as well.
    pub(super) is_sure: bool,
}

impl Choice {
    /// What the first section of an engine in the launch is of, and how many groups or sections of commands the launch uses. `sections`: of
    /// the engine's records in it.
    pub(super) fn owners(&self, engine: usize, sections: usize) -> (Owner, usize) {
        let count = self.take.count(engine, sections).unwrap_or(0);
        (owner(self.take, &self.before, engine, 0), count)
    }

    /// Whether the sections of an engine in the launch do not fit.
    pub(super) fn is_odd(&self, engine: usize) -> bool {
        self.take.is_odd(engine)
    }
}

/// `section`: its number in the launch.
fn owner(take: Take, before: &Used, engine: usize, section: usize) -> Owner {
    match take.is_model {
        true => Owner::Group(before.groups[engine]).owner_after(section),
        false => Owner::Commands(before.commands[engine]).owner_after(section),
    }
}

/// A launch with sections that do not fit speaks against a division as so many records do that are at odds with their commands.
const COST_OF_ODD: u32 = 64;
/// The next one, if the same damage explains it: records lost in a row over the end of a launch are missing in the next one as well.
const COST_OF_SAME_DAMAGE: u32 = 8;

/// What speaks against a choice: records at odds with their commands; then changes between model and kernels, which only decide
/// which of equal choices is shown.
type Cost = (u32, u32);

/// What was used, whether the last launch was the model's, and the engine of which it lacks records that no launch before it explains.
type State = (Used, bool, Option<usize>);

/// A choice on the way from one state to another, by their places in their layers.
struct Step {
    from: u32,
    to: u32,
    take: Take,
    cost: Cost,
}

/// States at one launch, and the least cost of the way to each.
#[derive(Default)]
struct Layer {
    states: Vec<State>,
    costs: Vec<Cost>,
}

/// So many states at one launch are followed.
const MOST_STATES: usize = 64;

/// Whose each launch is; `None` where no division fits. `allows_damage`: some sections need not fit; `contradictions`: how many records
/// of an engine's section are at odds with what the section may be of.
pub(super) fn divide(
    lists: &[EngineLists; 3],
    launches: &[LaunchSections],
    allows_damage: bool,
    mut contradictions: impl FnMut(usize, usize, Owner) -> u32,
) -> Option<Divided> {
    let takes = Take::all(allows_damage);
    let mut layers =
        vec![Layer { states: vec![(Used::default(), true, None)], costs: vec![(0, 0)] }];
    let mut steps: Vec<Vec<Step>> = Vec::new();
    let mut is_open = false;
    for launch in launches {
        let (mut next, mut of_launch) = (Layer::default(), Vec::new());
        let mut places: HashMap<State, u32> = HashMap::new();
        let layer = layers.last()?;
        for ((from, &(used, was_model, cut)), before) in (0..).zip(&layer.states).zip(&layer.costs)
        {
            for &take in &takes {
                let Some(after) = used_behind(lists, launch, used, take) else { continue };
                let fitting = (0..3).filter(|engine| !take.is_odd(*engine));
                let sections = fitting
                    .flat_map(|engine| launch[engine].clone().zip(0..).map(move |at| (engine, at)));
                let against = sections.map(|(engine, (section, nth))| {
                    contradictions(engine, section, owner(take, &used, engine, nth))
                });
                let (damage, cut) = cost_of_damage(lists, launch, take, cut);
                let cost = (against.sum::<u32>() + damage, u32::from(take.is_model != was_model));
                let state = (after, take.is_model, cut);
                let to = *places.entry(state).or_insert_with(|| next.add(state));
                let known = &mut next.costs[to as usize];
                *known = add(*before, cost).min(*known);
                of_launch.push(Step { from, to, take, cost });
            }
        }
        is_open |= next.keep_cheapest(&mut of_launch);
        layers.push(next);
        steps.push(of_launch);
    }
    let is_end = |(used, ..): &State| {
        lists.iter().enumerate().all(|(engine, list)| {
            used.groups[engine] == list.groups.len() && used.commands[engine] == list.commands.len()
        })
    };
    let mut found = choices(&layers, &steps, is_end)?;
    found.choices.iter_mut().for_each(|choice| choice.is_sure &= !is_open);
    Some(found)
}

/// Whose each launch is.
pub(super) struct Divided {
    pub(super) choices: Vec<Choice>,
    /// Records at odds with their commands, and what damaged launches cost.
    pub(super) against: u32,
}

/// What it costs that sections of a launch do not fit, and the engine of which they lack records that the launch before does not explain.
/// `cut`: that engine of the launch before.
fn cost_of_damage(
    lists: &[EngineLists; 3],
    launch: &LaunchSections,
    take: Take,
    cut: Option<usize>,
) -> (u32, Option<usize>) {
    match take.odd {
        None => (0, None),
        Some((engine, _)) => {
            let is_beheaded = lists[engine].beheaded.contains(&launch[engine].start);
            match cut == Some(engine) && is_beheaded {
                true => (COST_OF_SAME_DAMAGE, None),
                false => (COST_OF_ODD, Some(engine)),
            }
        }
    }
}

fn add(a: Cost, b: Cost) -> Cost {
    (a.0.saturating_add(b.0), a.1.saturating_add(b.1))
}

/// Whether records contradict another division about as little as the best one: a few may be at odds with their commands by damage.
fn is_as_good(other: u32, best: u32) -> bool {
    other <= best + best / 4
}

impl Layer {
    fn add(&mut self, state: State) -> u32 {
        self.states.push(state);
        self.costs.push((u32::MAX, u32::MAX));
        self.states.len() as u32 - 1
    }

    /// Gives up the dearest states where there are too many, and the steps to them. Returns whether some are given up that are as
    /// good as the best one.
    fn keep_cheapest(&mut self, steps: &mut Vec<Step>) -> bool {
        if self.states.len() <= MOST_STATES {
            return false;
        }
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        order.sort_by_key(|at| self.costs[*at]);
        let (best, first_gone) = (self.costs[order[0]].0, self.costs[order[MOST_STATES]].0);
        order.truncate(MOST_STATES);
        let places: HashMap<u32, u32> = order.iter().map(|at| *at as u32).zip(0..).collect();
        steps.retain_mut(|step| match places.get(&step.to) {
            Some(to) => {
                step.to = *to;
                true
            }
            None => false,
        });
        self.states = order.iter().map(|at| self.states[*at]).collect();
        self.costs = order.iter().map(|at| self.costs[*at]).collect();
        is_as_good(first_gone, best)
    }
}

/// What is used behind a launch; `None` where it does not fit.
fn used_behind(
    lists: &[EngineLists; 3],
    launch: &LaunchSections,
    used: Used,
    take: Take,
) -> Option<Used> {
    let mut after = used;
    // Of the engines' kernels, those of one launch.
    let mut scopes: Option<Vec<Option<u32>>> = None;
    for (engine, list) in lists.iter().enumerate() {
        let spans = list.records.get(launch[engine].clone())?;
        let count = take.count(engine, spans.len())?;
        let is_odd = take.is_odd(engine);
        if is_odd && count == 0 && spans.is_empty() {
            return None;
        }
        if take.is_model {
            let first = used.groups[engine];
            let own = list.groups.get(first..first + count)?;
            if !is_odd && own != spans {
                return None;
            }
            after.groups[engine] += count;
            continue;
        }
        let first = used.commands[engine];
        let own = list.commands.get(first..first + count)?;
        if !is_odd && !own.iter().zip(spans).all(|((commands, _), span)| commands == span) {
            return None;
        }
        after.commands[engine] += count;
        let of_engine: Vec<Option<u32>> = own.iter().map(|(_, scope)| *scope).collect();
        match &scopes {
            _ if of_engine.is_empty() => {}
            Some(others) if !others.iter().any(|scope| of_engine.contains(scope)) => return None,
            _ => scopes = Some(of_engine),
        }
    }
    Some(after)
}

/// The cheapest way through the layers, and whether another is as good at each of its steps.
fn choices(
    layers: &[Layer],
    steps: &[Vec<Step>],
    is_end: impl Fn(&State) -> bool,
) -> Option<Divided> {
    let mut to_end: Vec<Vec<Option<Cost>>> =
        layers.iter().map(|layer| vec![None; layer.states.len()]).collect();
    let ends = layers.last()?.states.iter().map(|state| is_end(state).then_some((0, 0)));
    *to_end.last_mut()? = ends.collect();
    for (at, of_launch) in steps.iter().enumerate().rev() {
        for step in of_launch {
            let Some(rest) = to_end[at + 1][step.to as usize] else { continue };
            let cost = add(step.cost, rest);
            let known = &mut to_end[at][step.from as usize];
            *known = Some(known.map_or(cost, |known: Cost| known.min(cost)));
        }
    }
    let best = to_end[0][0]?;
    let (mut at_best, mut found) = (0, Vec::new());
    for (at, of_launch) in steps.iter().enumerate() {
        let rest = |step: &Step| to_end[at + 1][step.to as usize];
        let next = of_launch
            .iter()
            .filter(|step| step.from == at_best)
            .filter_map(|step| Some((add(step.cost, rest(step)?), step)))
            .min_by_key(|(cost, step)| (*cost, !step.take.is_model))?
            .1;
        let choice = |step: &Step| (layers[at].states[step.from as usize].0, step.take);
        let (before, take) = choice(next);
        let others = of_launch.iter().filter(|step| choice(step) != (before, take));
        let whole = |step: &Step| {
            let cost = layers[at].costs[step.from as usize];
            Some(add(add(cost, step.cost), rest(step)?).0)
        };
        let is_sure = !others.filter_map(whole).any(|other| is_as_good(other, best.0));
        found.push(Choice { take, before, is_sure });
        at_best = next.to;
    }
    Some(Divided { choices: found, against: best.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(records: &[u64], groups: &[u64], commands: &[u64]) -> EngineLists {
        EngineLists {
            records: records.to_vec(),
            beheaded: HashSet::default(),
            groups: groups.to_vec(),
            commands: commands.iter().zip(0..).map(|(span, scope)| (*span, Some(scope))).collect(),
        }
    }

    /// Launches of one section of each engine that has any.
    fn divided(lists: &[EngineLists; 3]) -> Option<Vec<(bool, bool)>> {
        let n = lists[0].records.len();
        let launch = |at: usize| {
            [0, 1, 2].map(|e| at.min(lists[e].records.len())..(at + 1).min(lists[e].records.len()))
        };
        let launches: Vec<LaunchSections> = (0..n).map(launch).collect();
        let divided = divide(lists, &launches, false, |_, _, _| 0)?;
        Some(divided.choices.iter().map(|choice| (choice.take.is_model, choice.is_sure)).collect())
    }

    /// The second launch, by the TIU alone, may be the kernel as well as the third.
    #[test]
    fn another_engine_decides_what_lengths_leave_open() {
        let tiu = lists(&[4, 7, 7], &[4, 7], &[7]);
        let alone = [tiu.clone(), EngineLists::default(), EngineLists::default()];
        assert_eq!(divided(&alone), Some(vec![(true, true), (true, false), (false, false)]));
        let both = [tiu, lists(&[3, 3, 5], &[3, 3], &[5]), EngineLists::default()];
        assert_eq!(divided(&both), Some(vec![(true, true), (true, true), (false, true)]));
    }

    /// One group and one kernel of the same length, in turn: only counters tell them apart.
    #[test]
    fn long_runs_of_equal_lengths_are_decided_by_counters_or_left_open() {
        let tiu = lists(&[4; 2000], &[4; 1000], &[4; 1000]);
        let alone = [tiu, EngineLists::default(), EngineLists::default()];
        let found = divided(&alone).unwrap();
        assert!(found.iter().all(|(_, is_sure)| !is_sure));
        let launches: Vec<LaunchSections> = (0..2000).map(|at| [at..at + 1, 0..0, 0..0]).collect();
        let in_turn = |_, section: usize, owner| {
            u32::from(matches!(owner, Owner::Group(_)) != section.is_multiple_of(2))
        };
        let found = divide(&alone, &launches, false, in_turn).unwrap();
        let expected = (0..2000_usize).map(|at| (at.is_multiple_of(2), true));
        assert!(
            found.choices.iter().map(|choice| (choice.take.is_model, choice.is_sure)).eq(expected)
        );
    }

    #[test]
    fn sections_that_no_division_explains_have_none() {
        let tiu = lists(&[4, 7, 8], &[4, 7], &[7]);
        assert_eq!(divided(&[tiu, EngineLists::default(), EngineLists::default()]), None);
    }
}

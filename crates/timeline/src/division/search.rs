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

use foldhash::{HashMap, HashMapExt};

/// What an engine of a core has, as numbers of ids that sections span.
#[derive(Debug, Clone, Default)]
pub(super) struct EngineLists {
    /// Sections of records.
    pub(super) records: Vec<u64>,
    /// Groups of all launches of the model: with all commands, and without those at the ends that may have no record.
    pub(super) groups: Vec<[u64; 2]>,
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

/// Whose launch it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) is_model: bool,
    /// Groups that each engine has used before.
    pub(super) groups: [usize; 3],
    /// No other choice fits as well.
    pub(super) is_sure: bool,
}

impl Choice {
    /// What the section with a number is of. `launch`: the sections of the launch.
    pub(super) fn owner(&self, engine: usize, launch: &LaunchSections, section: usize) -> Owner {
        owner(self.is_model, self.groups[engine], launch[engine].start, section)
    }
}

/// `groups`, `sections`: how many groups and sections of the engine are before the launch.
fn owner(is_model: bool, groups: usize, sections: usize, section: usize) -> Owner {
    match is_model {
        true => Owner::Group(groups + section - sections),
        false => Owner::Commands(section - groups),
    }
}

/// What speaks against a choice: records at odds with their commands; then changes between model and kernels, which only decide
/// which of equal choices is shown.
type Cost = (u32, u32);

/// Groups that each engine has used, and whether the last launch was the model's.
type State = ([usize; 3], bool);

/// A choice on the way from one state to another, by their places in their layers.
struct Step {
    from: u32,
    to: u32,
    is_model: bool,
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

/// Whose each launch is; `None` where no division fits. `contradictions`: how many records of an engine's section are at odds with
/// what the section may be of.
pub(super) fn divide(
    lists: &[EngineLists; 3],
    launches: &[LaunchSections],
    mut contradictions: impl FnMut(usize, usize, Owner) -> u32,
) -> Option<Vec<Choice>> {
    let mut layers = vec![Layer { states: vec![([0; 3], true)], costs: vec![(0, 0)] }];
    let mut steps: Vec<Vec<Step>> = Vec::new();
    let mut is_open = false;
    for launch in launches {
        let (mut next, mut of_launch) = (Layer::default(), Vec::new());
        let mut places: HashMap<State, u32> = HashMap::new();
        let layer = layers.last()?;
        for ((from, &(groups, was_model)), before) in (0..).zip(&layer.states).zip(&layer.costs) {
            for is_model in [true, false] {
                let Some(after) = used(lists, launch, groups, is_model) else { continue };
                let sections = (0..3).flat_map(|engine| {
                    launch[engine].clone().map(move |section| (engine, section))
                });
                let against = sections.map(|(engine, section)| {
                    let owner = owner(is_model, groups[engine], launch[engine].start, section);
                    contradictions(engine, section, owner)
                });
                let cost = (against.sum(), u32::from(is_model != was_model));
                let state = (after, is_model);
                let to = *places.entry(state).or_insert_with(|| next.add(state));
                let known = &mut next.costs[to as usize];
                *known = add(*before, cost).min(*known);
                of_launch.push(Step { from, to, is_model, cost });
            }
        }
        is_open |= next.keep_cheapest(&mut of_launch);
        layers.push(next);
        steps.push(of_launch);
    }
    let all = |engine: usize| lists[engine].groups.len();
    let is_end = |state: &State| (0..3).all(|engine| state.0[engine] == all(engine));
    let mut found = choices(&layers, &steps, is_end)?;
    found.iter_mut().for_each(|choice| choice.is_sure &= !is_open);
    Some(found)
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

/// The groups that each engine has used behind a launch; `None` where the launch does not fit.
fn used(
    lists: &[EngineLists; 3],
    launch: &LaunchSections,
    groups: [usize; 3],
    is_model: bool,
) -> Option<[usize; 3]> {
    let mut after = groups;
    // Of the engines' kernels, those of one launch.
    let mut scopes: Option<Vec<Option<u32>>> = None;
    for (engine, list) in lists.iter().enumerate() {
        let sections = launch[engine].clone();
        let spans = list.records.get(sections.clone())?;
        if is_model {
            let own = list.groups.get(groups[engine]..groups[engine] + spans.len())?;
            if !own.iter().zip(spans).all(|(group, span)| group.contains(span)) {
                return None;
            }
            after[engine] += spans.len();
            continue;
        }
        let first = sections.start - groups[engine];
        let own = list.commands.get(first..first + spans.len())?;
        if !own.iter().zip(spans).all(|((commands, _), span)| commands == span) {
            return None;
        }
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
) -> Option<Vec<Choice>> {
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
            .min_by_key(|(cost, step)| (*cost, !step.is_model))?
            .1;
        let choice = |step: &Step| (layers[at].states[step.from as usize].0, step.is_model);
        let own = choice(next);
        let others = of_launch.iter().filter(|step| choice(step) != own);
        let whole = |step: &Step| {
            let before = layers[at].costs[step.from as usize];
            Some(add(add(before, step.cost), rest(step)?).0)
        };
        let is_sure = !others.filter_map(whole).any(|other| is_as_good(other, best.0));
        found.push(Choice { is_model: own.1, groups: own.0, is_sure });
        at_best = next.to;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(records: &[u64], groups: &[u64], commands: &[u64]) -> EngineLists {
        EngineLists {
            records: records.to_vec(),
            groups: groups.iter().map(|span| [*span; 2]).collect(),
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
        let choices = divide(lists, &launches, |_, _, _| 0)?;
        Some(choices.iter().map(|choice| (choice.is_model, choice.is_sure)).collect())
    }

    /// By the TIU alone the second launch may be the kernel as well as the third.
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
        let found = divide(&alone, &launches, in_turn).unwrap();
        let expected = (0..2000_usize).map(|at| (at.is_multiple_of(2), true));
        assert!(found.iter().map(|choice| (choice.is_model, choice.is_sure)).eq(expected));
    }

    #[test]
    fn sections_that_no_division_explains_have_none() {
        let tiu = lists(&[4, 7, 8], &[4, 7], &[7]);
        assert_eq!(divided(&[tiu, EngineLists::default(), EngineLists::default()]), None);
    }
}

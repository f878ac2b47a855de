//! How well rules meet the samples.

use std::collections::BTreeMap;

use bigtpu_chip::{Checked, Engine, Grade};
use bigtpu_command_cost::{CostModel, Mark, data_type};

use super::CommandSample;
use crate::costs::CostTable;

/// Least number of different commands that make a rule exact.
const FEW_COMMANDS: usize = 2;
/// A rule with a greater median error is not fitted.
const FITTED: f64 = 0.05;

/// An operation: type, sub-type, code of the data type.
type Operation = (u8, u8, u8);

/// Grades the operations that the samples have. Returns the names of those with a better and a worse grade.
pub(super) fn grade(
    model: &mut CostModel,
    samples: &[CommandSample<'_>],
) -> (Vec<&'static str>, Vec<&'static str>) {
    let mut seen: BTreeMap<Operation, (&'static str, Vec<f64>, Vec<u32>)> = BTreeMap::new();
    let mut costs = CostTable::new(model);
    for sample in samples.iter().filter(|sample| sample.engine == Engine::Tiu) {
        let number = costs.number(Engine::Tiu, Some(&sample.command));
        let Some(cost) = costs.get(number) else { continue };
        // A lower bound is no rule, however near it is.
        if cost.mark == Mark::NotValidated {
            continue;
        }
        let error = (cost.total() as f64 / 1000.0 - sample.cycles).abs() / sample.cycles;
        let command = &sample.command;
        let operation = (command.op.task(), command.variant, data_type(command));
        let op = model.chip.ops(Engine::Tiu).ops().get(usize::from(command.code.op));
        let name = op.and_then(|op| op.variant_name(command.variant)).unwrap_or("unknown");
        let entry = seen.entry(operation).or_insert((name, Vec::new(), Vec::new()));
        entry.1.push(error);
        if !entry.2.contains(&number) && entry.2.len() < FEW_COMMANDS {
            entry.2.push(number);
        }
    }
    drop(costs);
    let (mut upgraded, mut downgraded) = (Vec::new(), Vec::new());
    for ((task, variant, data_type), (name, mut errors, distinct)) in seen {
        errors.sort_by(f64::total_cmp);
        let is_exact = errors.last().is_some_and(|error| *error < 1e-9);
        let median = errors.get(errors.len() / 2).copied().unwrap_or(1.0);
        let new = match (is_exact, distinct.len() >= FEW_COMMANDS, median <= FITTED) {
            (true, true, _) => Some(Grade::Exact),
            (.., true) => Some(Grade::Fitted),
            _ => None,
        };
        let is_own = |checked: &Checked| {
            checked.task == task
                && checked.variant == variant
                && checked.data_type.is_none_or(|code| code == data_type)
        };
        let rank = |grade: Option<Grade>| match grade {
            Some(Grade::Exact) => 2,
            Some(Grade::Fitted) => 1,
            None => 0,
        };
        let old = model.checked.iter().find(|checked| is_own(checked)).map(|checked| checked.grade);
        // One exact command does not contradict what more of them showed before.
        let new = if is_exact && old == Some(Grade::Exact) { old } else { new };
        match rank(new).cmp(&rank(old)) {
            std::cmp::Ordering::Less => downgraded.push(name),
            std::cmp::Ordering::Equal => continue,
            std::cmp::Ordering::Greater => upgraded.push(name),
        }
        model.checked.retain(|checked| !is_own(checked));
        let data_type = Some(data_type);
        model.checked.extend(new.map(|grade| Checked { task, variant, data_type, grade }));
    }
    (upgraded, downgraded)
}

//! Durations and lags of a changed run.

use bigtpu_measure::layers::LayerLabel;
use bigtpu_sim::Time;

use crate::change::{MOST_FACTOR, Resource, ResourceChange, name_matches};
use crate::dependence::{DependenceKind, Node};
use crate::graph::Scale;
use crate::hand_over::HAND_OVER_NS;
use crate::input::{Bound, Class, Task};
use crate::pauses::LONGEST_PAUSE_NS;
use crate::predictor::TaskLayers;

/// What durations and lags depend on.
pub(crate) struct Model {
    pub(crate) classes: Vec<Class>,
    /// Class of each task; a number that no class has for what is no event.
    pub(crate) class: Vec<u32>,
}

/// What the times of a class are multiplied by.
#[derive(Clone, Copy)]
struct Factors {
    fixed: f64,
    bandwidth: f64,
}

/// Whose time is taken away altogether.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hidden {
    Nothing,
    /// Transfers take no time.
    Transfers,
    /// All work takes no time.
    Work,
}

/// What a prediction does not know, and assumes: other values give its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unknown {
    /// What idle time that no dependence explains is multiplied by.
    pub(crate) idle: f64,
    /// What the part of a transfer's time that depends on a bandwidth is multiplied by; its latency is the rest.
    pub(crate) bandwidth: f64,
}

impl Unknown {
    /// Idle time stays, and the fit of the transfers is right.
    pub(crate) const AS_PREDICTED: Self = Self { idle: 1.0, bandwidth: 1.0 };
}

/// Durations and lags of a changed run.
pub(crate) struct Changed<'m> {
    model: &'m Model,
    /// ns of each task's duration that depend on a bandwidth.
    bandwidth_ns: &'m [u32],
    factors: Vec<Factors>,
    launch: f64,
    sync: f64,
    unknown: Unknown,
    /// Layer of each task, and what the work of each layer is multiplied by; nothing if no layer changes.
    layers: Option<(&'m [u32], Vec<f64>)>,
    /// What the duration of each task is multiplied by; empty if no single command changes.
    of_task: &'m [f32],
}

impl<'m> Changed<'m> {
    pub(crate) fn new(
        model: &'m Model,
        bandwidth_ns: &'m [u32],
        kernels: &[String],
        changes: &[ResourceChange],
        hidden: Hidden,
    ) -> Self {
        let factors = model.classes.iter().map(|c| factors(*c, kernels, changes, hidden));
        let product = |resource: Resource| -> f64 {
            changes
                .iter()
                .filter(|c| c.resource == resource)
                .map(ResourceChange::time_factor)
                .product()
        };
        Self {
            model,
            bandwidth_ns,
            factors: factors.collect(),
            launch: product(Resource::Launch),
            sync: product(Resource::Sync),
            unknown: Unknown::AS_PREDICTED,
            layers: None,
            of_task: &[],
        }
    }

    /// Adds the layers that change.
    pub(crate) fn with_layers(self, layers: &'m TaskLayers, changes: &[ResourceChange]) -> Self {
        let factor = |layer: &LayerLabel| -> f64 {
            let of_layer = changes.iter().filter(|change| match &change.resource {
                Resource::Layer(pattern) => layer.matches(|name| name_matches(pattern, name)),
                _ => false,
            });
            of_layer.map(ResourceChange::time_factor).product()
        };
        let factors: Vec<f64> = layers.names.iter().map(factor).collect();
        let is_any = factors.iter().any(|factor| *factor != 1.0);
        Self { layers: is_any.then_some((&*layers.of_task, factors)), ..self }
    }

    /// Changes all work without a kernel's name as if it were work of the kernels that change; `None` where all work
    /// has a name, or no kernel changes.
    pub(crate) fn with_unnamed(mut self, changes: &[ResourceChange]) -> Option<Self> {
        let of_kernels = changes.iter().filter(|c| matches!(c.resource, Resource::Kernel(_)));
        let time: f64 = of_kernels.map(ResourceChange::time_factor).product();
        let mut is_any = false;
        for (class, factors) in self.model.classes.iter().zip(&mut self.factors) {
            let is_work = matches!(class.task, Task::Compute | Task::Transfer(_));
            if is_work && class.kernel.is_none() && time != 1.0 {
                is_any = true;
                factors.fixed = (factors.fixed * time).min(MOST_FACTOR);
                factors.bandwidth = (factors.bandwidth * time).min(MOST_FACTOR);
            }
        }
        is_any.then_some(self)
    }

    /// Adds commands that change by themselves.
    pub(crate) fn with_commands(self, of_task: &'m [f32]) -> Self {
        Self { of_task, ..self }
    }

    /// What the work of a task is multiplied by because of its layer.
    fn layer_factor(&self, task: Node, class: &Class) -> f64 {
        let Some((of_task, factors)) = &self.layers else { return 1.0 };
        let is_work = matches!(class.task, Task::Compute | Task::Transfer(_));
        let layer = of_task.get(task as usize).filter(|_| is_work);
        layer.and_then(|layer| factors.get(*layer as usize)).copied().unwrap_or(1.0)
    }

    /// Makes another assumption about what is not known.
    pub(crate) fn with_unknown(self, unknown: Unknown) -> Self {
        Self { unknown, ..self }
    }
}

fn factors(
    class: Class,
    kernels: &[String],
    changes: &[ResourceChange],
    hidden: Hidden,
) -> Factors {
    let kernel = class.kernel.and_then(|k| kernels.get(k as usize)).map_or("", String::as_str);
    let is_work = matches!(class.task, Task::Compute | Task::Transfer(_));
    let mut factors = Factors { fixed: 1.0, bandwidth: 1.0 };
    for change in changes {
        let time = change.time_factor();
        let (all, bandwidth) = match &change.resource {
            Resource::Engine(engine) => (is_work && class.engine == *engine, false),
            Resource::TiuClock => {
                let is_tiu = class.engine == bigtpu_chip::Engine::Tiu;
                (is_tiu && class.task != Task::Wait, false)
            }
            Resource::Ddr => (false, class.task == Task::Transfer(Bound::Ddr)),
            Resource::L2m => (false, class.task == Task::Transfer(Bound::L2m)),
            Resource::Link => (false, class.task == Task::Transfer(Bound::Link)),
            Resource::Core(core) => {
                let is_core = class.engine != bigtpu_chip::Engine::Cdma && class.index == *core;
                (is_work && is_core, false)
            }
            Resource::Kernel(_) => (is_work && change.matches(kernel), false),
            Resource::Launch | Resource::Sync | Resource::Layer(_) => (false, false),
        };
        if all {
            factors.fixed *= time;
        }
        if all || bandwidth {
            factors.bandwidth *= time;
        }
    }
    let gone = match hidden {
        Hidden::Nothing => false,
        Hidden::Transfers => matches!(class.task, Task::Transfer(_)),
        Hidden::Work => is_work,
    };
    // Several changes of the same work: their product stays within the range of one.
    let (fixed, bandwidth) = (factors.fixed.min(MOST_FACTOR), factors.bandwidth.min(MOST_FACTOR));
    if gone { Factors { fixed: 0.0, bandwidth: 0.0 } } else { Factors { fixed, bandwidth } }
}

fn scaled(time: Time, factor: f64) -> Time {
    if factor == 1.0 { time } else { rounded(time as f64 * factor) }
}

/// The nearest whole number, halves away from 0, as [`f64::round`], which is a call on most machines.
#[inline]
pub(crate) fn rounded(time: f64) -> Time {
    let whole = time as Time;
    let rest = time - whole as f64;
    whole.saturating_add(Time::from(rest >= 0.5) - Time::from(rest <= -0.5))
}

impl Scale for Changed<'_> {
    #[inline]
    fn duration(&self, task: Node, time: Time) -> Time {
        let own = self.of_task.get(task as usize).copied().unwrap_or(1.0);
        let time = scaled(time, own.into());
        let Some(&class) = self.model.class.get(task as usize) else { return time };
        let Some(factors) = self.factors.get(class as usize) else { return time };
        let time = match self.model.classes.get(class as usize) {
            Some(class) if self.layers.is_some() => scaled(time, self.layer_factor(task, class)),
            _ => time,
        };
        if factors.fixed == 1.0 && factors.bandwidth == 1.0 {
            return time;
        }
        let bandwidth = self.bandwidth_ns.get(task as usize).copied().unwrap_or(0);
        let moving = scaled(bandwidth.into(), self.unknown.bandwidth).min(time);
        let parts = (time - moving) as f64 * factors.fixed + moving as f64 * factors.bandwidth;
        // Rounded: no part is below 0, and the cast cuts.
        (parts + 0.5) as Time
    }

    #[inline]
    fn lag(&self, kind: DependenceKind, time: Time) -> Time {
        let idle = self.unknown.idle;
        if self.launch == 1.0 && self.sync == 1.0 && idle == 1.0 {
            return time;
        }
        if kind.is_launch() {
            scaled(time, self.launch)
        } else if kind.is_sync() {
            // A hand-over that takes longer than any does was a wait for something else, all of it.
            let idle_of_all = if time > HAND_OVER_NS { idle } else { 1.0 };
            let (hand_over, rest) = divide(kind, time);
            scaled(scaled(hand_over, self.sync), idle_of_all) + scaled(rest, idle)
        } else if is_idle(kind) && time > LONGEST_PAUSE_NS {
            scaled(time, idle)
        } else {
            time
        }
    }
}

/// Whether a lag of this kind is idle time of an unknown cause, where it is longer than a pause.
fn is_idle(kind: DependenceKind) -> bool {
    matches!(kind, DependenceKind::EngineOrder | DependenceKind::Origin)
}

/// A synchronisation's lag as the hand-over itself and what no dependence explains.
pub(crate) fn divide(kind: DependenceKind, lag: Time) -> (Time, Time) {
    let most = if kind.ends_wait() { Time::MAX } else { HAND_OVER_NS };
    (lag.min(most), (lag - most).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_as_by_the_library() {
        let half = [0.0, 0.5, 1.5, 2.5, 0.499_999_999_999_999_94, 1e15 + 0.5, 4.5e15, 9e18, 1e300];
        let near = (1..2000).map(|n| f64::from(n) * 0.37);
        let all = half.into_iter().chain(near).flat_map(|time| [time, -time]);
        for time in all.chain([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]) {
            assert_eq!(rounded(time), time.round() as Time, "{time}");
        }
    }
}

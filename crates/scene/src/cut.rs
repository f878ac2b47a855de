//! A part of a scene: what runs in some stretches of time.

use bigtpu_chip::Engine;
use bigtpu_timeline::{EngineEvents, Profile};

use crate::model::{Commands, Content, Group, Owner, Role, Scene, Slice, Slices, Track};

/// Stretches of a profile's time, in ns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// In order, apart from each other, none of them empty.
    spans: Vec<(i64, i64)>,
}

impl Cut {
    /// Makes a cut of stretches from a start to an end, in any order; `None` where they hold no time.
    #[must_use]
    pub fn new(mut spans: Vec<(i64, i64)>) -> Option<Self> {
        spans.retain(|(start, end)| start < end);
        spans.sort_unstable();
        let mut apart: Vec<(i64, i64)> = Vec::new();
        for (start, end) in spans {
            match apart.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => apart.push((start, end)),
            }
        }
        (!apart.is_empty()).then_some(Self { spans: apart })
    }

    /// What is in both; `None` where that is no time.
    #[must_use]
    pub fn and(&self, other: &Self) -> Option<Self> {
        let of = |&(start, end): &(i64, i64)| {
            other.spans.iter().map(move |&(from, to)| (start.max(from), end.min(to)))
        };
        Self::new(self.spans.iter().flat_map(of).collect())
    }

    /// From the first start to the last end.
    #[must_use]
    pub fn whole(&self) -> (i64, i64) {
        let first = self.spans.first().map_or(0, |span| span.0);
        (first, self.spans.last().map_or(0, |span| span.1))
    }

    /// How many stretches there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.spans.len()
    }

    /// Whether what runs from `start` to `end` runs in a stretch; what takes no time has to be before its end.
    #[must_use]
    pub fn holds(&self, start: i64, end: i64) -> bool {
        let next = self.spans.partition_point(|span| span.1 <= start);
        self.spans.get(next).is_some_and(|span| span.0 < end || span.0 <= start)
    }

    /// The parts of slices that are in the stretches.
    #[must_use]
    pub fn clipped(&self, slices: &[Slice]) -> Vec<Slice> {
        let mut clipped = Vec::new();
        for slice in slices {
            let first = self.spans.partition_point(|span| span.1 <= slice.start);
            let spans = self.spans.iter().skip(first).take_while(|span| span.0 < slice.end);
            clipped.extend(spans.map(|&(from, to)| Slice {
                start: slice.start.max(from),
                end: slice.end.min(to),
                ..slice.clone()
            }));
        }
        clipped
    }

    /// The steps of a curve in the stretches: where one starts, the value that holds there; where it ends, `rest`.
    pub fn steps<T: Copy>(
        &self,
        steps: impl Iterator<Item = (i64, T)>,
        rest: T,
    ) -> impl Iterator<Item = (i64, T)> {
        let mut steps = steps.peekable();
        let mut value = rest;
        self.spans.iter().flat_map(move |&(from, to)| {
            while let Some((_, next)) = steps.next_if(|step| step.0 <= from) {
                value = next;
            }
            let mut inside = vec![(from, value)];
            while let Some(step) = steps.next_if(|step| step.0 < to) {
                value = step.1;
                inside.push(step);
            }
            inside.push((to, rest));
            inside
        })
    }
}

impl Scene {
    /// What runs in the stretches: commands, kernels and layers that touch them, whole; of all else the parts in them.
    /// `profile` is the one that the scene was made of.
    #[must_use]
    pub fn part(&self, profile: &Profile<'_>, cut: &Cut) -> Self {
        let of_group = |group: &Group| {
            let tracks = group.tracks.iter().map(|track| Track {
                role: track.role.clone(),
                content: part_of(&track.content, commands_of(profile, group, track), track, cut),
            });
            Group { owner: group.owner.clone(), tracks: tracks.collect() }
        };
        Self { groups: self.groups.iter().map(of_group).collect(), flows: Vec::new() }
    }
}

fn part_of(
    content: &Content,
    commands: Option<&EngineEvents<'_>>,
    track: &Track,
    cut: &Cut,
) -> Content {
    match content {
        Content::Commands(rows) => match commands.map(|commands| &commands.events) {
            Some(events) => Content::Commands(rows.kept(events.len(), |row| {
                let time = events.start.get(row).zip(events.end.get(row));
                time.is_some_and(|(&start, &end)| cut.holds(start, end))
            })),
            None => content.clone(),
        },
        Content::Slices(slices) => {
            let is_whole = matches!(track.role, Role::Kernels | Role::Layers);
            let all = slices.all();
            Content::Slices(Slices::new(match is_whole {
                true => all.iter().filter(|s| cut.holds(s.start, s.end)).cloned().collect(),
                false => cut.clipped(all),
            }))
        }
        Content::Samples { unit, samples } => {
            let samples = samples.iter().filter(|sample| cut.holds(sample.time, sample.time));
            Content::Samples { unit: unit.clone(), samples: samples.copied().collect() }
        }
        Content::CriticalPath | Content::Rate | Content::Bandwidth => content.clone(),
    }
}

/// The profile's track whose commands a track of a scene shows.
fn commands_of<'p, 'd>(
    profile: &'p Profile<'d>,
    group: &Group,
    track: &Track,
) -> Option<&'p EngineEvents<'d>> {
    match (&group.owner, &track.role) {
        (Owner::Core(number), Role::Engine(engine)) if *engine != Engine::Cdma => {
            let core = profile.cores.get(*number as usize)?;
            core.tracks.iter().find(|track| track.engine_id.engine == *engine)
        }
        (Owner::Port(number), _) => {
            profile.ports.iter().find(|port| port.engine_id.index == *number)
        }
        _ => None,
    }
}

impl Commands {
    /// Commands among `all` rows that are to stay, each in its lane.
    fn kept(&self, all: usize, stays: impl Fn(usize) -> bool) -> Self {
        let kept = |lane: Option<&[u32]>| -> Vec<u32> {
            match lane {
                Some(rows) => rows.iter().copied().filter(|row| stays(*row as usize)).collect(),
                None => (0..all as u32).filter(|row| stays(*row as usize)).collect(),
            }
        };
        Self::in_lanes(self.lanes().map(kept).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Detail;

    #[test]
    fn stretches_are_joined_and_crossed() {
        assert_eq!(Cut::new(vec![(5, 5), (9, 2)]), None);
        let cut = Cut::new(vec![(50, 60), (10, 20), (15, 30)]).unwrap();
        assert_eq!((cut.whole(), cut.count()), ((10, 60), 2));
        let held = [(0, 10), (0, 11), (29, 40), (30, 50), (10, 10), (30, 30), (59, 99), (60, 99)];
        let held = held.map(|(start, end)| cut.holds(start, end));
        assert_eq!(held, [false, true, true, false, true, false, true, false]);
        let both = cut.and(&Cut::new(vec![(25, 55)]).unwrap()).unwrap();
        assert_eq!(both.spans, [(25, 30), (50, 55)]);
        assert_eq!(cut.and(&Cut::new(vec![(30, 50)]).unwrap()), None);
    }

    #[test]
    fn slices_are_clipped_and_curves_begin_with_their_value() {
        let cut = Cut::new(vec![(10, 20), (30, 40)]).unwrap();
        let detail = Detail::Other { category: "", args: Vec::new() };
        let slice = Slice { start: 5, end: 35, name: "step".into(), detail };
        let clipped: Vec<_> = cut.clipped(&[slice]).iter().map(|s| (s.start, s.end)).collect();
        assert_eq!(clipped, [(10, 20), (30, 35)]);
        let curve = [(0, 1), (12, 2), (25, 3), (30, 4), (50, 5)];
        let steps: Vec<_> = cut.steps(curve.into_iter(), 0).collect();
        assert_eq!(steps, [(10, 1), (12, 2), (20, 0), (30, 4), (40, 0)]);
    }
}

//! What ran, in one row: what a viewer shows of a core or a device while its tracks are folded.

use bigtpu_measure::layers::Layers;
use bigtpu_scene::{Content, Cut, Detail, Group, Owner, Role, Slice, Slices};
use bigtpu_timeline::{EngineEvents, Profile};

/// Category of slices that sum up others.
const CATEGORY: &str = "overview";

/// Pauses up to this share of a run do not part what is busy.
const SHORT_PAUSE: i64 = 200;

/// What all cores of a device ran: kernels, else layers by their titles, else whether any engine was busy. Of slices at the
/// same time the first one is shown until its end.
pub(crate) fn of_device(
    profile: &Profile<'_>,
    groups: &[Group],
    layers: Option<&Layers>,
    cut: Option<&Cut>,
) -> Slices {
    let title = |slice: &Slice| match slice.detail {
        Detail::Layer(number) => {
            layers?.layers.get(number).map(|layer| layer.label(number as u64 + 1).to_string())
        }
        _ => None,
    };
    let name = |slice: &Slice| title(slice).unwrap_or_else(|| slice.name.clone());
    let roles = [Role::Kernels, Role::Layers];
    let slices = roles.into_iter().map(|role| of_role(groups, &role, name));
    let known = slices.into_iter().find(|slices| !slices.is_empty());
    Slices::new(known.unwrap_or_else(|| {
        let busy = busy(profile, &mut profile.tracks());
        cut.map_or_else(|| busy.clone(), |cut| cut.clipped(&busy))
    }))
}

/// When any engine was busy, apart from short pauses.
pub(crate) fn busy<'p, 'd: 'p>(
    profile: &Profile<'_>,
    tracks: &mut dyn Iterator<Item = &'p EngineEvents<'d>>,
) -> Vec<Slice> {
    let mut spans: Vec<(i64, i64)> = tracks
        .flat_map(|track| track.events.start.iter().copied().zip(track.events.end.iter().copied()))
        .collect();
    spans.sort_unstable();
    let pause = profile.latest_end / SHORT_PAUSE;
    let mut slices: Vec<Slice> = Vec::new();
    for (start, end) in spans {
        match slices.last_mut() {
            Some(last) if start <= last.end.saturating_add(pause) => last.end = last.end.max(end),
            _ => slices.push(overview(start, end, "busy".to_owned())),
        }
    }
    slices
}

fn of_role(groups: &[Group], role: &Role, name: impl Fn(&Slice) -> String) -> Vec<Slice> {
    let of_cores = groups.iter().filter(|group| matches!(group.owner, Owner::Core(_)));
    let tracks = of_cores.flat_map(|group| &group.tracks).filter(|track| track.role == *role);
    let mut all: Vec<&Slice> = tracks
        .filter_map(|track| match &track.content {
            Content::Slices(slices) => Some(slices.all()),
            _ => None,
        })
        .flatten()
        .collect();
    all.sort_by_key(|slice| (slice.start, std::cmp::Reverse(slice.end)));
    let mut shown: Vec<Slice> = Vec::new();
    for slice in all {
        let until = shown.last().map_or(i64::MIN, |last| last.end);
        if slice.end <= until {
            continue;
        }
        let name = name(slice);
        match shown.last_mut() {
            Some(last) if last.name == name && slice.start < until => last.end = slice.end,
            _ => shown.push(overview(slice.start.max(until), slice.end, name)),
        }
    }
    shown
}

fn overview(start: i64, end: i64, name: String) -> Slice {
    let detail = Detail::Other { category: CATEGORY, args: Vec::new() };
    Slice { start, end, name, detail }
}

//! What the TIU and the DMA engines of a core did in the same launch: the evidence for the places of their counters.

use std::collections::BTreeMap;

use crate::clock_turns::Span;
use crate::monitor::Clean;
use crate::sections;
use crate::tags::Tag;
use crate::wide_events::WideEvents;

/// Pairs of the TIU's and the DMA engines' times: by kernel launch; else by sections of ids, where both have as many;
/// else of the whole run.
pub(crate) fn launch_spans(monitors: &[Clean<'_>; 3], tags: &[Tag]) -> Vec<(Span, Span)> {
    let [tiu, gdma, sdma] = monitors.each_ref().map(|clean| &clean.events);
    let [of_tiu, of_dma] = [vec![tiu], vec![gdma, sdma]].map(|engines| by_scope(&engines, tags));
    let both: Vec<(Span, Span)> =
        of_tiu.iter().filter_map(|(scope, tiu)| Some((*tiu, *of_dma.get(scope)?))).collect();
    if !both.is_empty() {
        return both;
    }
    let [of_tiu, of_gdma] = [tiu, gdma].map(by_section);
    if !of_tiu.is_empty() && of_tiu.len() == of_gdma.len() {
        return of_tiu.into_iter().zip(of_gdma).collect();
    }
    let dma = whole(gdma).into_iter().chain(whole(sdma)).reduce(join);
    whole(tiu).zip(dma).into_iter().collect()
}

fn join(a: Span, b: Span) -> Span {
    (a.0.min(b.0), a.1.max(b.1))
}

fn whole(events: &WideEvents) -> Option<Span> {
    events.start.iter().copied().zip(events.end.iter().copied()).reduce(join)
}

fn by_scope(engines: &[&WideEvents], tags: &[Tag]) -> BTreeMap<u32, Span> {
    let mut spans: BTreeMap<u32, Span> = BTreeMap::new();
    for events in engines {
        for ((&start, &end), &tag) in events.start.iter().zip(&events.end).zip(&events.tag) {
            if let Some(scope) = tags.get(tag as usize).and_then(|tag| tag.scope) {
                let span = spans.entry(scope).or_insert((start, end));
                *span = join(*span, (start, end));
            }
        }
    }
    spans
}

/// The times of the sections of ids; of a static model only of those that have commands, since the runtime's copies are
/// on one engine only.
fn by_section(events: &WideEvents) -> Vec<Span> {
    let has_bound = events.binding.iter().any(|b| b.is_bound());
    let used: Vec<usize> =
        (0..events.len()).filter(|&i| !has_bound || events.binding[i].is_bound()).collect();
    let sections = sections::by_id(&used, |i| events.id[*i]);
    let of =
        |places: &[usize]| places.iter().map(|&i| (events.start[i], events.end[i])).reduce(join);
    sections.iter().filter_map(|s| of(used.get(s.first..s.first + s.len)?)).collect()
}

//! Puts the page's data together: tracks side by side, then their names, texts and chunks in their places.

use bigtpu_answers::MOST_REPLAYED;
use bigtpu_emit::EmitterInput;
use bigtpu_host_trace::{HostAlign, HostTrace};
use bigtpu_measure::layers::Layers;
use bigtpu_replay::EventCauses;
use bigtpu_timeline::{EngineId, Profile};
use foldhash::HashMap;
use rayon::prelude::*;

use crate::WebPage;
use crate::causes::{cause_columns, path_columns};
use crate::chunk::Chunk;
use crate::engine::{Context, Peaks, engine_track};
use crate::fields::fields;
use crate::flows::flow_columns;
use crate::gap_track::{GapContext, gap_track};
use crate::head::{Answers, ChipHead, ClocksHead, DeviceHead, Head, Notice, SpanHead};
use crate::host::host_tracks;
use crate::jobs::{Job, jobs};
use crate::lmem::local_memory;
use crate::names::AllNames;
use crate::notices::{FACTS_LIMIT, FIELDS_LIMIT, dropped};
use crate::page_tags::Tags;
use crate::scene_track::unit_track;
use crate::span::Span;
use crate::strings::Strings;
use crate::summary::{self, TypeTotals};
use crate::track::Built;
use crate::units;
use crate::what_if::what_if;

/// What besides the profile the page shows.
pub(crate) struct Sources<'a> {
    /// Name of the dump.
    pub(crate) source: &'a str,
    pub(crate) host: Option<&'a HostTrace>,
    pub(crate) align: HostAlign,
    pub(crate) layers: Option<&'a Layers>,
}

impl<'a> Sources<'a> {
    pub(crate) fn new(page: &'a WebPage) -> Self {
        let WebPage { source, host, align, layers, is_flat: _, opens_in: _ } = page;
        Self { source, host: host.as_deref(), align: *align, layers: layers.as_deref() }
    }
}

/// The page's data.
pub(crate) fn head<'a>(input: &EmitterInput<'a, '_>, sources: &Sources<'_>) -> Head<'a> {
    let profile = input.profile;
    let mut notices = Vec::new();
    let span = Span::new(profile, sources, &mut notices);
    let events = profile.event_count();
    for (key, limit) in [("fields-dropped", FIELDS_LIMIT), ("facts-dropped", FACTS_LIMIT)] {
        if events > limit {
            notices.push(dropped(key, events, limit));
        }
    }
    let mut tags = Tags::find(profile);
    let offset = span.device - span.start;
    let context = Context {
        profile,
        peaks: Peaks::new(&input.analysis.report(input.profile).roofline.hardware),
        layers: sources.layers,
        offset,
        tag_bases: &tags.bases,
        with_facts: events <= FACTS_LIMIT,
    };
    let jobs = jobs(profile, &input.analysis.table, input.scene.scene());
    let task = input.progress.task("page", events as u64);
    let built: Vec<(Built, Option<EngineId>)> = jobs
        .par_iter()
        .map(|job| match job {
            Job::Units { slices, kind, core, port } => {
                let mut built = unit_track(slices, sources.layers, offset, *kind, *core);
                built.head.port = *port;
                (built, None)
            }
            Job::Engine(commands, lanes) => {
                let mut built = engine_track(&context, *commands, lanes);
                if events <= FIELDS_LIMIT {
                    built.head.fields = Some(fields(*commands));
                }
                task.advance(commands.len() as u64);
                (built, Some(commands.track.engine_id))
            }
        })
        .collect();
    let mut page = Assembly::default();
    for (built, place) in built {
        page.add(built, place, &mut tags);
    }
    let host = sources.host.map(|h| host_tracks(h, span.start, &mut page.strings));
    for built in host.into_iter().flatten() {
        page.add(built, None, &mut tags);
    }
    let gaps = GapContext { profile, layers: sources.layers, offset };
    for of_engine in &input.analysis.gaps(input.profile).engines {
        let own = page.number_of(of_engine.engine_id);
        let built = own.and_then(|own| gap_track(&gaps, of_engine, own, |id| page.number_of(id)));
        built.into_iter().for_each(|built| page.add(built, None, &mut tags));
    }
    page.finish(input, sources, &span, tags, notices)
}

/// The page while tracks are added.
#[derive(Default)]
struct Assembly {
    strings: Strings,
    names: AllNames,
    tracks: Vec<crate::head::TrackHead>,
    types: Vec<Vec<TypeTotals>>,
    places: HashMap<EngineId, usize>,
}

impl Assembly {
    fn add(&mut self, built: Built, place: Option<EngineId>, tags: &mut Tags) {
        let Built { mut head, names, totals, own_tags } = built;
        head.names = self.names.add(&names, &mut self.strings);
        if let Some(own) = own_tags {
            head.tag_base = tags.tags.len() as u32;
            tags.tags.extend(own);
        }
        if let Some(place) = place {
            self.places.insert(place, self.tracks.len());
        }
        let strings = &mut self.strings;
        let types = totals.types.iter().map(|(kind, count, ns)| TypeTotals {
            kind: strings.index(kind),
            count: *count,
            ns: *ns,
        });
        self.types.push(types.collect());
        self.tracks.push(head);
    }

    /// What the commands of each engine's track waited for, by the track's number.
    fn causes(&self, causes: &EventCauses) -> Vec<(usize, Chunk)> {
        let of_track = |(place, &number): (&EngineId, &usize)| {
            let of_engine = causes.of_engine(*place)?;
            let columns = cause_columns(of_engine, number, |place| self.number_of(place));
            Some((number, Chunk::pack(columns)))
        };
        self.places.par_iter().filter_map(of_track).collect()
    }

    /// The number of an engine's track.
    fn number_of(&self, place: EngineId) -> Option<usize> {
        self.places.get(&place).copied()
    }

    fn finish<'a>(
        mut self,
        input: &EmitterInput<'a, '_>,
        sources: &Sources<'_>,
        span: &Span,
        tags: Tags,
        mut notices: Vec<Notice>,
    ) -> Head<'a> {
        let (profile, analysis) = (input.profile, input.analysis);
        let first = profile.tracks().filter_map(|t| t.events.start.iter().min()).min();
        let last = profile.tracks().filter_map(|t| t.events.end.iter().max()).max();
        let on_page = |ns: Option<&i64>| ns.map_or(0, |ns| ns + span.device - span.start);
        let start = on_page(first);
        let number_of = |place| self.number_of(place);
        let path = || {
            let path = analysis.critical_path(profile)?;
            Some(Chunk::pack(path_columns(path.segments(), start, number_of)))
        };
        let known = analysis.event_causes(profile);
        let flows =
            || Chunk::pack(flow_columns(profile, analysis.flows(profile), known, number_of));
        let causes = || match profile.event_count() {
            ..=FACTS_LIMIT => known.map_or_else(Vec::new, |known| self.causes(known)),
            _ => Vec::new(),
        };
        let lmem = || local_memory(profile, &analysis.table, number_of, &mut notices);
        let top_kernels = || summary::kernels(profile, analysis);
        let offset = span.device - span.start;
        let graph = || what_if(input, sources.layers, offset, number_of);
        // Most of them use one thread.
        let ((path, (flows, what_if)), (causes, (lmem, top_kernels))) = rayon::join(
            || rayon::join(path, || rayon::join(flows, graph)),
            || rayon::join(causes, || rayon::join(lmem, top_kernels)),
        );
        for (number, chunk) in causes {
            if let Some(head) = self.tracks.get_mut(number) {
                head.causes = Some(chunk);
            }
        }
        let tags = tags.chunk();
        let kernels = profile.kernels.iter().map(|k| self.strings.index(k)).collect();
        let layers =
            sources.layers.map(|l| units::layers(l, analysis.report(profile), &mut self.strings));
        let layers = layers.unwrap_or_default();
        let mut head = Head {
            version: 1,
            tool: concat!("bigtpuprofile ", env!("CARGO_PKG_VERSION")).into(),
            source: sources.source.into(),
            chip: chip(profile, Peaks::new(&analysis.report(profile).roofline.hardware)),
            clocks: ClocksHead { tiu_mhz: profile.clocks.tiu_mhz, dma_mhz: profile.clocks.dma_mhz },
            is_static: profile.is_static,
            span: SpanHead { start: span.start.to_string(), length: span.length },
            device: DeviceHead {
                start,
                end: on_page(last),
                zero: span.device.saturating_sub(span.start),
            },
            total_ns: analysis.summary(profile).total_ns.unwrap_or(0),
            events: profile.event_count(),
            strings: Vec::new(),
            names: self.names.names,
            kernels,
            tags,
            layers,
            tracks: self.tracks,
            cores: summary::cores(analysis.summary(profile)),
            overall: summary::overall(analysis.summary(profile)),
            ports: summary::ports(analysis.summary(profile)),
            types: self.types,
            top_kernels,
            kernel_columns: units::heads(&units::kernel_columns()),
            blocks: units::blocks(analysis.report(profile), &mut self.strings),
            layer_columns: units::heads(units::layer_columns(analysis.report(profile))),
            steps: units::steps(analysis.report(profile), &mut self.strings),
            step_columns: units::heads(units::step_columns(analysis.report(profile))),
            table: summary::table(analysis.summary(profile)),
            flows,
            path,
            what_if,
            what_if_limit: MOST_REPLAYED,
            ledger: summary::ledger(profile),
            lmem,
            answers: Answers::new(analysis.report(profile)),
            notices,
        };
        for chunk in head.chunks() {
            chunk.place(&mut self.strings);
        }
        head.strings = self.strings.texts;
        head
    }
}

fn chip(profile: &Profile<'_>, peaks: Peaks) -> ChipHead {
    let chip = profile.chip;
    ChipHead {
        name: chip.title(),
        facts: chip.arch.iter().map(|e| (e.key, profile.clocks.described(e))).collect(),
        cores: chip.core_num,
        ddr_gbps: peaks.ddr,
        l2_gbps: peaks.l2m,
        link_gbps: peaks.link,
    }
}

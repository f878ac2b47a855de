//! An engine's track: every command with what it is, when it ran and what it did.

use bigtpu_chip::Engine;
use bigtpu_machine::Hardware;
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{CommandKind, TrackCommand, TrackCommands, TransferKind, percent_number};
use bigtpu_output::lanes::Lanes;
use bigtpu_timeline::{Profile, Tag};
use foldhash::HashMap;

use crate::column::Column;
use crate::head::TrackKind;
use crate::mip::Rates;
use crate::names::SliceWay;
use crate::track::{Body, Built, Totals};

/// Peaks in GB/s that the bandwidths of a track are drawn under, where they are known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peaks {
    /// Peak of one core alone, whatever it does: no bandwidth of a core is above it, however many others run at that
    /// moment.
    pub(crate) ddr: Option<f64>,
    pub(crate) l2m: Option<f64>,
    /// Peak of a port's link.
    pub(crate) link: Option<f64>,
}

impl Peaks {
    pub(crate) fn new(hardware: &Hardware) -> Self {
        Self {
            ddr: hardware.ddr_gbps_both_ways(1),
            l2m: hardware.l2m_gbps,
            link: hardware.link_gbps,
        }
    }
}

/// What an engine's track is made of.
pub(crate) struct Context<'a, 'd> {
    pub(crate) profile: &'a Profile<'d>,
    pub(crate) layers: Option<&'a Layers>,
    pub(crate) peaks: Peaks,
    /// Added to device times it makes ns since the page's start.
    pub(crate) offset: i64,
    /// First of the page's tags of each core.
    pub(crate) tag_bases: &'a [u32],
    pub(crate) with_facts: bool,
}

/// Facts of a TIU's commands.
struct TiuFacts([Column; 9]);

/// Facts of a DMA's commands.
struct DmaFacts([Column; 11], Vec<Column>);

/// Builds an engine's track.
pub(crate) fn engine_track(
    context: &Context<'_, '_>,
    commands: TrackCommands<'_, '_>,
    lanes: &Lanes,
) -> Built {
    let Context { profile, layers, offset, .. } = *context;
    let track = commands.track;
    let (place, events) = (track.engine_id, &track.events);
    let is_port = place.engine == Engine::Cdma;
    let mut body = Body::default();
    let mut kinds: HashMap<Option<u32>, OfKind> = HashMap::default();
    let mut by_name: Vec<(u64, i64)> = Vec::new();
    let mut tags = Tags::default();
    let mut facts = if place.engine == Engine::Tiu {
        Facts::Tiu(Box::new(TiuFacts::new()))
    } else {
        Facts::Dma(Box::new(DmaFacts::new(is_port)))
    };
    let first_tag = profile.cores.get(place.index as usize).map_or(0, |core| core.tags.start);
    let mut layer = layers.filter(|_| !is_port).map(|_| Column::differences("layer"));
    let mut quality = (!events.doubts().is_empty()).then(|| Column::text("quality"));
    for command in commands.iter() {
        let (start, end, i) = (command.start(), command.end(), command.index);
        let dur = (end - start).max(0);
        let of_kind = kinds
            .entry(command.kind_number())
            .or_insert_with(|| facts.of_kind(context, command.kind, &mut body));
        let (name, rates) = (of_kind.name, facts.push(context, &command, of_kind));
        if by_name.len() <= name as usize {
            by_name.resize(name as usize + 1, (0, 0));
        }
        if let Some((count, ns)) = by_name.get_mut(name as usize) {
            *count += 1;
            *ns += dur;
        }
        let tag = if is_port {
            tags.index(profile.tag(track, i))
        } else {
            events.tag.get(i).map_or(0, |tag| tag - first_tag)
        };
        body.push(start + offset, dur, name, tag);
        body.slices.rates.push(rates);
        if let (Some(column), Some(layers)) = (&mut layer, layers) {
            column.push(layers.index_of_event(track, i).map_or(-1, |at| at as i64));
        }
        if let Some(column) = &mut quality {
            column.push_own(command.quality().name());
        }
    }
    let mut totals = Totals::default();
    for ((count, ns), name) in by_name.into_iter().zip(0..) {
        totals.add(body.names.kind(name), count, ns);
    }
    body.place(lanes);
    let mut columns = if context.with_facts { facts.into_columns() } else { Vec::new() };
    columns.extend(layer);
    columns.extend(quality);
    if is_port && context.with_facts {
        columns.extend(port_columns(commands));
    }
    let mut built = body.build(kind(place.engine), i64::from(place.index), columns);
    built.totals = totals;
    if is_port {
        built.own_tags = Some(tags.tags);
    } else {
        built.head.tag_base = context.tag_bases.get(place.index as usize).copied().unwrap_or(0);
    }
    built
}

/// What the time of a port's commands is made of, and how often its link repeated packets. All -1: no data command; times of
/// -1: only its ends are known. No columns where no command of the port moved data.
fn port_columns(commands: TrackCommands<'_, '_>) -> Vec<Column> {
    if commands.port.is_none_or(|port| port.commands.is_empty()) {
        return Vec::new();
    }
    let mut columns = ["waiting", "moving", "completion", "retries"].map(Column::signed);
    for command in commands.iter() {
        let (own, times) = command.port().unzip();
        let times =
            times.flatten().map_or([-1; 3], |t| [t.waiting_ns, t.transfer_ns, t.completion_ns]);
        let retries = own.map_or(-1, |own| own.replays.into());
        for (column, value) in columns.iter_mut().zip(times.into_iter().chain([retries])) {
            column.push(value);
        }
    }
    columns.into()
}

/// The kind of an engine's track.
pub(crate) fn kind(engine: Engine) -> TrackKind {
    match engine {
        Engine::Tiu => TrackKind::Tiu,
        Engine::Gdma => TrackKind::Gdma,
        Engine::Sdma => TrackKind::Sdma,
        Engine::Cdma => TrackKind::Cdma,
    }
}

/// Tags of a port: its commands come from several cores.
#[derive(Default)]
struct Tags {
    index: HashMap<Tag, u32>,
    tags: Vec<Tag>,
}

impl Tags {
    fn index(&mut self, tag: Tag) -> u32 {
        *self.index.entry(tag).or_insert_with(|| {
            self.tags.push(tag);
            (self.tags.len() - 1) as u32
        })
    }
}

enum Facts {
    Tiu(Box<TiuFacts>),
    Dma(Box<DmaFacts>),
}

/// What commands of a kind have in common: it is found once.
struct OfKind {
    /// Number of the name.
    name: u32,
    /// TIU work: share of the operations that are not padding, in percent.
    uarch_percent: f64,
    /// Numbers of the texts of data type and, of DMA, of direction.
    direction: u32,
    data_type: u32,
    /// ns that the bits explain, -1 if that is not known, and the number of the text of how well.
    expected_ns: i64,
    rule: u32,
}

impl OfKind {
    /// ns of a command beyond what its bits explain; 0 where they explain nothing.
    fn lost(&self, command: &TrackCommand<'_, '_>) -> i64 {
        match self.expected_ns {
            ..0 => 0,
            expected => (command.end() - command.start() - expected).max(0),
        }
    }
}

impl Facts {
    fn of_kind(
        &mut self,
        context: &Context<'_, '_>,
        kind: &CommandKind,
        body: &mut Body,
    ) -> OfKind {
        let is_work = kind.activity.is_work();
        let way = kind.direction().filter(|_| is_work).and_then(SliceWay::from_direction);
        let (kind_name, activity) = (kind.function_type, kind.activity);
        let name = body.names.index_going(kind_name, &kind.function_name, activity, way);
        let uarch_percent = match self {
            Self::Tiu(_) if is_work => percent_number(kind.uarch_rate(context.profile.chip.family)),
            _ => 0.0,
        };
        let mhz = context.profile.clocks.mhz(kind.engine);
        let expected_ns = kind.expected_ns(mhz).map_or(-1, |ns| ns.round() as i64);
        let mark = kind.expected.as_ref().map_or("", |cost| cost.mark.name());
        let rule = match self {
            Self::Tiu(facts) => facts.0.last_mut(),
            Self::Dma(facts) => facts.0.last_mut(),
        };
        let rule = rule.map_or(0, |rule| rule.text_number(mark));
        let (direction, data_type) = match self {
            Self::Dma(facts) => kind.transfer.as_ref().map_or((0, 0), |kind| facts.texts(kind)),
            Self::Tiu(facts) => (0, facts.data_type(kind)),
        };
        OfKind { name, uarch_percent, direction, data_type, expected_ns, rule }
    }

    /// Adds a command's facts. Returns what the levels of detail show.
    fn push(
        &mut self,
        context: &Context<'_, '_>,
        command: &TrackCommand<'_, '_>,
        of_kind: &OfKind,
    ) -> Rates {
        match self {
            Self::Tiu(facts) => facts.push(command, of_kind),
            Self::Dma(facts) if command.kind.transfer.is_some() => {
                facts.push(context, command, of_kind)
            }
            Self::Dma(_) => Rates::default(),
        }
    }

    fn into_columns(self) -> Vec<Column> {
        match self {
            Self::Tiu(facts) => facts.0.into(),
            Self::Dma(facts) => facts.0.into_iter().chain(facts.1).collect(),
        }
    }
}

impl TiuFacts {
    fn new() -> Self {
        Self([
            Column::differences("id"),
            Column::plain("cycles"),
            Column::plain("rate").scaled(1000),
            Column::signed("alg"),
            Column::signed("uarch"),
            Column::plain("conflict"),
            Column::text("dtype"),
            Column::signed("expected"),
            Column::text("rule"),
        ])
    }

    /// Number of the text of a kind's data type.
    fn data_type(&mut self, kind: &CommandKind) -> u32 {
        let [.., dtype, _, _] = &mut self.0;
        dtype.text_number(&kind.data_type)
    }

    fn push(&mut self, command: &TrackCommand<'_, '_>, of_kind: &OfKind) -> Rates {
        let [id, cycles, rate, alg, uarch, conflict, dtype, expected, rule] = &mut self.0;
        let kind = command.kind;
        dtype.push(of_kind.data_type.into());
        id.push(command.id());
        cycles.push(command.cycles());
        rate.push((of_kind.uarch_percent * 10.0).round() as i64);
        if kind.counts_operations() {
            alg.push_wide(kind.cost.alg_ops);
            uarch.push_wide(kind.cost.uarch_ops);
        } else {
            alg.push(-1);
            uarch.push(-1);
        }
        conflict.push_wide(command.stall_cycles());
        expected.push(of_kind.expected_ns);
        rule.push(of_kind.rule.into());
        let lost = of_kind.lost(command);
        Rates { high: (of_kind.uarch_percent / 100.0) as f32, ddr: 0, l2: 0, lost }
    }
}

impl DmaFacts {
    fn new(is_port: bool) -> Self {
        Self(
            [
                Column::differences("id"),
                Column::plain("cycles"),
                Column::plain("bytes"),
                Column::plain("ddr"),
                Column::plain("l2"),
                Column::plain("stall"),
                Column::text("dir"),
                Column::text("dtype"),
                Column::differences("src"),
                Column::signed("expected"),
                Column::text("rule"),
            ],
            [Column::differences("dst")]
                .into_iter()
                .chain(is_port.then(|| Column::signed("owner")))
                .collect(),
        )
    }

    /// Numbers of the texts of a kind's direction and data type.
    fn texts(&mut self, kind: &TransferKind) -> (u32, u32) {
        let [.., dir, dtype, _, _, _] = &mut self.0;
        (dir.text_number(kind.direction.text()), dtype.text_number(kind.data_type))
    }

    fn push(
        &mut self,
        context: &Context<'_, '_>,
        command: &TrackCommand<'_, '_>,
        of_kind: &OfKind,
    ) -> Rates {
        let [id, cycles, bytes, ddr, l2, stall, dir, dtype, src, expected, rule] = &mut self.0;
        let transfer = command.transfer();
        let is_work = command.kind.activity.is_work();
        id.push(command.id());
        cycles.push(command.cycles());
        bytes.push_wide(transfer.traffic.bytes);
        let counts = |bytes: Option<u64>| bytes.filter(|_| is_work).unwrap_or(0);
        let moved = (counts(transfer.ddr_bytes), counts(transfer.l2_bytes));
        ddr.push_wide(moved.0);
        l2.push_wide(moved.1);
        stall.push_wide(transfer.traffic.stall_cycles);
        dir.push(of_kind.direction.into());
        dtype.push(of_kind.data_type.into());
        expected.push(of_kind.expected_ns);
        rule.push(of_kind.rule.into());
        let address = |known: Option<u64>| known.map_or(-1, |at| i64::try_from(at).unwrap_or(-1));
        let [source, destination] = command.known_addresses().map(address);
        src.push(source);
        let [dst, port @ ..] = self.1.as_mut_slice() else { return Rates::default() };
        dst.push(destination);
        if let [owner] = port {
            let of = command.all.track.owner.get(command.index).copied().flatten();
            owner.push(of.map_or(-1, |o| i64::from(o.core)));
        }
        let ns = (command.end() - command.start()).max(1) as f64;
        let share = |bytes: u64, peak: Option<f64>| {
            peak.map_or(0.0, |peak| (bytes as f64 / ns / peak).min(1.0))
        };
        let peaks = context.peaks;
        // A port moves data over its own link: a core's ceilings say nothing of it.
        let high = match command.all.track.engine_id.engine {
            Engine::Cdma => share(moved.0.max(moved.1), peaks.link),
            _ => share(moved.0, peaks.ddr).max(share(moved.1, peaks.l2m)),
        };
        Rates { high: high as f32, ddr: moved.0, l2: moved.1, lost: of_kind.lost(command) }
    }
}

//! The workbook: which sheets there are, who writes them, and the file.

use std::io::Write;
use std::path::Path;

use bigtpu_answers::{Analysis, Report};
use bigtpu_compat::{DmaTotals, Edition, EngineSummary, TiuTotals};
use bigtpu_emit::{EmitterInput, without_text};
use bigtpu_replay::{CriticalPath, Segment};
use bigtpu_timeline::{EngineEvents, Profile};
use rayon::prelude::*;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook};

use crate::chart_values;
use crate::columns::{Columns, Keys};
use crate::engine_sheet::SheetXml;
use crate::frame::Frame;
use crate::package::{PackedParts, PartWriter, Skeleton};
use crate::part::{EngineBook, Part, Totals, parts};
use crate::sheet::{Cut, Result, Sheet, WrittenSheet};
use crate::styles::Styles;
use crate::summary_sheet::Contents;
use crate::{
    advice_sheet, charts_sheet, engine_sheet, gaps_sheet, kernels_sheet, layer_sheet, model_sheet,
    path_sheet, quality_sheet, roofline_sheet, start_sheet, steps_sheet, summary_sheet, time_sheet,
    tree_sheet,
};
use bigtpu_compat::{LayerTotals, layer_totals};
use bigtpu_measure::CommandTable;
use bigtpu_measure::layers::{Layers, layer_place};

/// Sheets that belong to no engine, after the summary.
const OTHERS: [(&str, &str); 8] = [
    (charts_sheet::NAME, "How busy the engines were, and which kernels took longest"),
    (
        kernels_sheet::NAME,
        "Every kernel function, or layer of a static model: times, engines, bytes",
    ),
    (
        roofline_sheet::NAME,
        "Each kernel or layer compared with the peak of a core, and what limits it",
    ),
    (time_sheet::NAME, "Where the wall time went, of the chip, of each core and engine"),
    (path_sheet::NAME, "What the run waited for: the pieces that its wall time consists of"),
    (advice_sheet::NAME, "What to do, with the evidence"),
    (gaps_sheet::NAME, "When and how long engines were idle, and why"),
    (quality_sheet::NAME, "Records read, matched, corrected and lost; warnings"),
];

/// The sheet after these, where layers are known.
const TREE: (&str, &str) =
    (tree_sheet::NAME, "The model, its blocks, layers and commands as rows that fold, with sums");

/// The sheet after these, where the run has steps.
const STEPS: (&str, &str) =
    (steps_sheet::NAME, "Iterations: time, phases and work of each, and outliers");

/// The summary, as the front sheet names it.
const SUMMARY: (&str, &str) =
    (summary_sheet::NAME, "Totals by core, then overall; what the columns mean; CDMA ports");

/// Sheets before the summary, where layers are known.
const LAYER_SHEETS: [(&str, &str); 2] = [
    (model_sheet::NAME, "The model's layers by kind, and possible gains"),
    (layer_sheet::NAME, "Every layer: tensors, operations, time"),
];

/// Speed before size: a book is read far less often than it is written over.
const COMPRESSION: u8 = 2;

/// Everything that the sheets show.
#[derive(Debug)]
pub(crate) struct Book<'p, 'd> {
    profile: &'p Profile<'d>,
    /// Whose names columns have.
    pub(crate) edition: Edition,
    /// Engines that have events, in the order of their sheets.
    pub(crate) engines: Vec<EngineBook<'p, 'd>>,
    summary: EngineSummary,
    report: &'p Report,
    path: Option<&'p CriticalPath>,
    table: &'p CommandTable,
    /// The model's layers and what the TIU did for each.
    pub(crate) layers: Option<(&'p Layers, Vec<LayerTotals>)>,
}

impl<'p, 'd> Book<'p, 'd> {
    /// Adds everything up; `None` without any event.
    pub(crate) fn new(
        profile: &'p Profile<'d>,
        analysis: &'p Analysis,
        layers: Option<&'p Layers>,
    ) -> Option<Self> {
        if profile.event_count() == 0 {
            return None;
        }
        let table = &analysis.table;
        let chip = profile.chip;
        let dma_totals = |track: &EngineEvents<'_>| {
            table.track(track).map_or_else(DmaTotals::default, |t| DmaTotals::add_up(chip, &t))
        };
        let (tiu, dma): (Vec<TiuTotals>, Vec<[DmaTotals; 2]>) = profile
            .cores
            .par_iter()
            .map(|core| {
                let [tiu, gdma, sdma] = &core.tracks;
                let tiu = table
                    .track(tiu)
                    .map_or_else(TiuTotals::default, |t| TiuTotals::add_up(chip, &t));
                (tiu, [dma_totals(gdma), dma_totals(sdma)])
            })
            .unzip();
        let ports: Vec<DmaTotals> = profile.ports.par_iter().map(dma_totals).collect();
        let summary = EngineSummary::new(profile, &tiu, &dma, &ports);
        let mut engines: Vec<(&EngineEvents<'d>, Vec<&EngineEvents<'d>>, Totals)> = Vec::new();
        for ((core, tiu), [gdma, sdma]) in profile.cores.iter().zip(tiu).zip(dma) {
            let [tiu_track, gdma_track, sdma_track] = &core.tracks;
            // GDMA and SDMA share a register text, and so their columns.
            let dma_tracks = || vec![gdma_track, sdma_track];
            engines.push((tiu_track, vec![tiu_track], Totals::Tiu(tiu)));
            engines.push((gdma_track, dma_tracks(), Totals::Dma(gdma)));
            engines.push((sdma_track, dma_tracks(), Totals::Dma(sdma)));
        }
        for (port, _) in &summary.ports {
            let found = profile.ports.iter().zip(&ports).find(|(t, _)| t.engine_id.index == *port);
            if let Some((track, totals)) = found {
                engines.push((track, vec![track], Totals::Dma(*totals)));
            }
        }
        engines.retain(|(track, ..)| !track.events.is_empty());
        let engines = engines
            .into_par_iter()
            .filter_map(|(track, same_text, totals)| {
                let mut keys = Keys::default();
                let same_text = same_text.into_iter().filter_map(|t| table.commands(profile, t));
                same_text.for_each(|commands| keys.add_track(commands));
                let mut columns = Columns::choose(track.engine_id.engine, &keys);
                let commands = table.commands(profile, track)?;
                if commands.port.is_some_and(|port| !port.commands.is_empty()) {
                    columns.add_port();
                }
                Some(EngineBook { commands, totals, columns })
            })
            .collect();
        let layers = layers.map(|layers| (layers, layer_totals(profile, table, layers)));
        let report = analysis.report(profile);
        let path = analysis.critical_path(profile);
        let edition = Edition::default();
        Some(Self { profile, edition, engines, summary, report, path, table, layers })
    }

    /// Writes the workbook. Sheets that are large go through nameless temporary files in `dir`; without one all is in memory.
    ///
    /// # Errors
    /// What the library says, or the system. The library panics where a temporary file can't be written.
    pub(crate) fn write(
        &self,
        input: &EmitterInput<'_, '_>,
        dir: Option<&Path>,
        most_rows: u32,
        out: impl Write,
    ) -> Result {
        let parts: Vec<Part<'_, 'p, 'd>> =
            self.engines.iter().flat_map(|engine| parts(engine, most_rows)).collect();
        let styles = Styles::default();
        let mut book = self.layout(dir, &styles, &parts)?;
        let fixed = book.worksheets().len() - parts.len();
        let mut sheets: Vec<Sheet<'_>> =
            book.worksheets_mut().iter_mut().map(|inner| Sheet::new(inner, &styles)).collect();
        let (of_run, engines) = sheets.split_at_mut(fixed);
        for (sheet, part) in engines.iter_mut().zip(&parts) {
            engine_sheet::write_frame(sheet, self.profile, part, self.edition)?;
        }
        self.sheets_of_run(of_run, &parts)?;
        let written: Vec<WrittenSheet> = sheets.into_iter().map(Sheet::end).collect();
        let mut bytes = Vec::new();
        without_text(|| book.save_to_writer(&mut bytes))?;
        drop(book);
        let mut skeleton = Skeleton::new(bytes)?;
        let frames = written.iter().enumerate().map(|(number, sheet)| {
            let name = Skeleton::sheet(number);
            Ok(SheetXml { xml: skeleton.text(&name)?, name, cells: &sheet.cells })
        });
        let mut of_run: Vec<SheetXml<'_>> = frames.collect::<Result<_>>()?;
        let engines = of_run.split_off(fixed);
        let task = input.progress.task("workbook", self.profile.event_count() as u64);
        let given = (self.layers.as_ref().map(|(layers, _)| *layers), &styles.number_marks());
        let packed = engines.into_par_iter().zip(&parts).try_fold(
            || PartWriter::new(dir),
            |mut out, (sheet, part)| {
                engine_sheet::pack(sheet, given, part, &mut out, &*task)?;
                Ok(out)
            },
        );
        let packed = packed.map(|out: Result<PartWriter<'_>>| out?.end());
        let mut packed: Vec<PackedParts> = packed.collect::<Result<_>>()?;
        let mut others = PartWriter::new(dir);
        for SheetXml { name, xml, cells } in of_run {
            let frame = Frame::parse(&xml)?;
            others.start(&name)?;
            others.put(&frame.head(cells, None))?;
            others.put(&cells.rows_xml())?;
            others.put(&frame.tail(cells))?;
        }
        for name in skeleton.charts() {
            let cells = |name: &str| written.iter().find(|sheet| sheet.name == name);
            let xml = skeleton.text(&name)?;
            let xml = chart_values::filled(&xml, |sheet| cells(sheet).map(|sheet| &sheet.charted));
            others.start(&name)?;
            others.put(xml.as_bytes())?;
        }
        packed.push(others.end()?);
        skeleton.write(packed, out)
    }

    /// A workbook with empty sheets.
    fn layout(
        &self,
        dir: Option<&Path>,
        styles: &Styles,
        parts: &[Part<'_, 'p, 'd>],
    ) -> Result<Workbook> {
        let mut book = Workbook::new();
        if let Some(dir) = dir {
            book.set_tempdir(dir)?;
        }
        book.set_properties(&properties()?);
        book.set_zip_compression_level(COMPRESSION);
        styles.register(&mut book);
        let of_layers = self.layers.is_some().then_some(LAYER_SHEETS.map(|(name, _)| name));
        let others = OTHERS.map(|(name, _)| name);
        let of_layers = of_layers.into_iter().flatten();
        let of_run = [start_sheet::NAME]
            .into_iter()
            .chain(of_layers)
            .chain([summary_sheet::NAME])
            .chain(others)
            .chain(self.tree().map(|_| TREE.0))
            .chain(self.report.iterations().map(|_| STEPS.0));
        // The library starts a thread for each sheet that it keeps in memory: where there are files, none is.
        let mut add = |name: &str| {
            let sheet = match dir {
                Some(_) => book.add_worksheet_with_constant_memory()?,
                None => book.add_worksheet(),
            };
            sheet.set_name(name).map(drop)
        };
        of_run.clone().try_for_each(&mut add)?;
        parts.iter().try_for_each(|part| add(&part.name))?;
        for sheet in book.worksheets_mut().iter_mut().take(of_run.count()) {
            sheet.set_landscape().set_print_fit_to_pages(1, 0);
        }
        Ok(book)
    }

    /// Writes all sheets but those of engines.
    fn sheets_of_run(&self, sheets: &mut [Sheet<'_>], parts: &[Part<'_, 'p, 'd>]) -> Result {
        let Some((start, mut sheets)) = sheets.split_first_mut() else { return Ok(()) };
        let mut cuts: Vec<Cut> = Vec::new();
        if self.report.iterations().is_some() {
            let Some((last, rest)) = sheets.split_last_mut() else { return Ok(()) };
            steps_sheet::write(last, self.report)?;
            cuts.append(&mut last.cuts);
            sheets = rest;
        }
        if let Some(contents) = self.tree() {
            let Some((last, rest)) = sheets.split_last_mut() else { return Ok(()) };
            tree_sheet::write(last, &contents)?;
            cuts.append(&mut last.cuts);
            sheets = rest;
        }
        let (of_layers, others) =
            sheets.split_at_mut(sheets.len().saturating_sub(1 + OTHERS.len()));
        let [summary, charts, kernels, roofline, time, path, advice, gaps, quality] = others else {
            return Ok(());
        };
        if let ([model, layers], Some((all, totals))) = (of_layers, &self.layers) {
            let (profile, summary) = (self.profile, &self.summary);
            let contents = model_sheet::Contents { profile, summary, layers: all, totals };
            model_sheet::write(model, &contents)?;
            layer_sheet::write(layers, profile, all, totals)?;
            cuts.extend(model.cuts.drain(..).chain(layers.cuts.drain(..)));
        }
        let of_layers = self.layers.as_ref().map(|_| LAYER_SHEETS).into_iter().flatten();
        let steps = self.report.iterations().map(|_| STEPS);
        let names: Vec<(&str, &str)> =
            of_layers.chain(OTHERS).chain(self.tree().map(|_| TREE)).chain(steps).collect();
        let contents =
            Contents { profile: self.profile, summary: &self.summary, parts, others: &names };
        let linked: Vec<(&str, &str)> = std::iter::once(SUMMARY).chain(names.clone()).collect();
        start_sheet::write(start, self.profile, self.report, &linked, parts)?;
        summary_sheet::write(summary, &contents)?;
        charts_sheet::write(charts, &self.summary, self.report.kernels.len())?;
        kernels_sheet::write(kernels, self.report)?;
        roofline_sheet::write(roofline, &self.report.roofline)?;
        time_sheet::write(time, self.report)?;
        let place_of = |segment: &Segment| self.place_of(segment);
        path_sheet::write(path, &self.report.critical_path, self.path, place_of)?;
        advice_sheet::write(advice, self.report)?;
        gaps_sheet::write(gaps, &self.report.gaps, self.report.intervals.overall.wall_ns)?;
        for sheet in [start, kernels, roofline, path, advice, gaps] {
            cuts.append(&mut sheet.cuts);
        }
        quality_sheet::write(quality, self.profile, &cuts)
    }
}

impl Book<'_, '_> {
    /// What the tree of the model shows; `None` where no layer has commands.
    fn tree(&self) -> Option<tree_sheet::Contents<'_, '_>> {
        let Self { profile, table, report, path, .. } = *self;
        let (layers, _) = self.layers.as_ref().filter(|_| !report.layers.is_empty())?;
        Some(tree_sheet::Contents { profile, table, report, layers, path })
    }

    /// The kernel, or layer of a static model, of a segment of the critical path.
    fn place_of(&self, segment: &Segment) -> String {
        let kernel = segment.kernel.and_then(|kernel| self.profile.kernels.get(kernel as usize));
        if let Some(kernel) = kernel.filter(|kernel| !kernel.is_empty()) {
            return kernel.clone();
        }
        let track = self.profile.tracks().find(|track| track.engine_id == segment.engine_id);
        let layer = self.layers.as_ref().zip(track);
        let layer = layer.and_then(|((layers, _), track)| layers.of_event(track, segment.event));
        layer.map_or_else(String::new, |(id, layer)| {
            layer_place(id as u64, layer.label(id as u64).as_str())
        })
    }
}

/// Properties that are equal in every book, so that a dump always gives the same bytes.
fn properties() -> Result<DocProperties> {
    let created = ExcelDateTime::from_ymd(2020, 1, 1)?;
    Ok(DocProperties::new().set_creation_datetime(&created).set_title("TPU profile"))
}

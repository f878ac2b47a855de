//! The columns of the tables of kernel functions, steps, layers, blocks and operations: all are units of work.

use std::collections::BTreeMap;

use crate::report::{Kernel, Report};
use crate::roofline::Roofline;
use crate::steps::Step;
use crate::tables::{Better, Bilingual, Datum, TableColumn, Unit};
use crate::units::{BlockRow, LayerRow, UnitWork};
use bigtpu_measure::{gbps, quotient, round4};

/// What a unit of work is.
#[derive(Debug, Clone, Copy)]
pub enum UnitKind<'r> {
    /// A kernel function, all its launches together.
    Kernel(&'r Kernel),
    /// An iteration.
    Step(&'r Step),
    /// A layer of a static model.
    Layer(&'r LayerRow),
    /// A block of a static model.
    Block(&'r BlockRow),
    /// An operation of a static model, all its layers together; or all layers.
    Operation,
    /// A command of a layer.
    Command,
}

/// A unit of work: what its commands did, and how near it is to the roofs of a core.
#[derive(Debug, Clone, Copy)]
pub struct WorkUnit<'r> {
    /// What it is.
    pub kind: UnitKind<'r>,
    /// Its name; empty of the block that is the whole model, and of a step that the host does not name.
    pub name: &'r str,
    /// What its commands did. Of a kernel function the start of its first launch, the time of its launches, and no end.
    pub work: UnitWork,
    /// Layers in it; none of a kernel function, a step or a command.
    pub layers: Option<u64>,
    /// Its roofline; none of steps, blocks and operations.
    pub roofline: Option<&'r Roofline>,
}

impl<'r> WorkUnit<'r> {
    /// All kernel functions of a report, those that took longest first.
    pub fn kernels(report: &'r Report) -> impl ExactSizeIterator<Item = Self> {
        let mut path_ns: BTreeMap<&str, i64> = BTreeMap::new();
        for piece in &report.critical_path.pieces {
            *path_ns.entry(&piece.kernel).or_default() += piece.ns;
        }
        let both = report.kernels.iter().zip(&report.roofline.kernels);
        let knows_path = !report.critical_path.pieces.is_empty();
        both.map(move |(kernel, roofline)| {
            let path_ns = knows_path.then(|| path_ns.get(&*kernel.kernel).copied().unwrap_or(0));
            Self::kernel(kernel, roofline, path_ns)
        })
    }

    fn kernel(kernel: &'r Kernel, roofline: &'r Roofline, path_ns: Option<i64>) -> Self {
        let [tiu, gdma, sdma, _] = kernel.busy_ns;
        let work = UnitWork {
            events: kernel.events,
            commands: kernel.commands,
            start_ns: kernel.first_start_ns,
            total_ns: kernel.total_ns,
            path_ns,
            busy_ns: [tiu, gdma, sdma],
            ops: kernel.ops,
            uarch_ops: kernel.uarch_ops,
            uarch_rate: (kernel.uarch_ops > 0).then_some(kernel.uarch_rate),
            ddr_bytes: kernel.ddr_bytes,
            other_bytes: kernel.other_bytes,
            ..UnitWork::default()
        };
        let (kind, name) = (UnitKind::Kernel(kernel), &*kernel.kernel);
        let roofline = Some(roofline);
        Self { kind, name, work, layers: None, roofline }
    }

    /// All steps of a report, in their order.
    pub fn steps(report: &'r Report) -> impl ExactSizeIterator<Item = Self> {
        Self::of_steps(report.iterations().map_or(&[], |steps| &steps.steps))
    }

    /// Steps, in their order.
    pub fn of_steps(steps: &'r [Step]) -> impl ExactSizeIterator<Item = Self> {
        steps.iter().map(move |step| Self {
            kind: UnitKind::Step(step),
            name: &step.name,
            work: step.work,
            layers: None,
            roofline: None,
        })
    }

    /// All layers of a report, in the model's order.
    pub fn layers(report: &'r Report) -> impl ExactSizeIterator<Item = Self> {
        let both = report.layers.iter().zip(&report.roofline.layers);
        both.map(move |(layer, roofline)| Self {
            kind: UnitKind::Layer(layer),
            name: &roofline.kernel,
            work: layer.work,
            layers: Some(1),
            roofline: Some(roofline),
        })
    }

    /// All blocks of a report, each before those in it.
    pub fn blocks(report: &'r Report) -> impl ExactSizeIterator<Item = Self> {
        Self::of_blocks(&report.blocks)
    }

    /// Blocks, each before those in it.
    pub fn of_blocks(blocks: &'r [BlockRow]) -> impl ExactSizeIterator<Item = Self> {
        blocks.iter().map(move |block| Self {
            kind: UnitKind::Block(block),
            name: &block.name,
            work: block.work,
            layers: Some(block.layers),
            roofline: None,
        })
    }

    /// The operations of a static model, those whose TIU commands took longest first; below them all together, as `Overall`.
    #[must_use]
    pub fn operations(report: &'r Report) -> Vec<Self> {
        let wall_ns = report.intervals.overall.wall_ns;
        let mut by_operation: BTreeMap<&str, Vec<&UnitWork>> = BTreeMap::new();
        for layer in &report.layers {
            by_operation.entry(&layer.operation).or_default().push(&layer.work);
        }
        let of = |name: &'r str, works: Vec<&UnitWork>| Self {
            kind: UnitKind::Operation,
            name,
            layers: Some(works.len() as u64),
            work: UnitWork::sum(works, wall_ns),
            roofline: None,
        };
        let mut all: Vec<Self> =
            by_operation.into_iter().map(|(name, works)| of(name, works)).collect();
        all.sort_by_key(|unit| (-unit.work.busy_ns[0], -unit.work.dma_ns()));
        all.push(of("Overall", report.layers.iter().map(|layer| &layer.work).collect()));
        all
    }

    fn as_kernel(&self) -> Option<&'r Kernel> {
        if let UnitKind::Kernel(kernel) = self.kind { Some(kernel) } else { None }
    }

    fn as_layer(&self) -> Option<&'r LayerRow> {
        if let UnitKind::Layer(layer) = self.kind { Some(layer) } else { None }
    }

    fn as_step(&self) -> Option<&'r Step> {
        if let UnitKind::Step(step) = self.kind { Some(step) } else { None }
    }

    /// Launches on all cores; of a step those of the core whose launches make the steps.
    fn launches(&self) -> Option<u64> {
        let of_step = self.as_step().map(|step| step.launches);
        self.as_kernel().map(|kernel| kernel.launches).or(of_step)
    }

    /// Its number where it has no name.
    fn step(&self) -> Option<Datum<'r>> {
        let step = self.as_step()?;
        Some(if step.name.is_empty() { step.number.into() } else { self.name.into() })
    }

    /// What is not known of kernel functions.
    fn of_others<T>(&self, value: T) -> Option<T> {
        self.as_kernel().is_none().then_some(value)
    }

    fn busy(&self, ns: i64) -> Datum<'static> {
        quotient(ns.into(), self.work.total_ns.into()).into()
    }

    /// ns of the commands of the CDMA; layers have none.
    fn cdma_ns(&self) -> i64 {
        self.as_kernel().map_or(0, |kernel| kernel.busy_ns[3])
    }
}

/// A column of the tables of units of work.
pub type UnitColumn = TableColumn<for<'r> fn(&WorkUnit<'r>) -> Datum<'r>>;

macro_rules! columns {
    ($($id:ident: $unit:ident, $better:ident, [$title:literal, $chinese:literal], $short:literal,
       [$definition:literal, $in_chinese:literal], |$row:ident| $value:expr;)*) => {
        /// All columns, in order.
        pub const UNIT_COLUMNS: &[UnitColumn] = &[$(TableColumn {
            id: stringify!($id),
            title: Bilingual($title, $chinese),
            short: $short,
            unit: Unit::$unit,
            better: Better::$better,
            definition: Bilingual($definition, $in_chinese),
            value: |$row| $value.into(),
        }),*];
    };
}

columns! {
    kernel: Text, Neither, ["Kernel", "核函数"], "Kernel",
        ["Name of the kernel function.", "核函数的名称。"], |row| row.as_kernel().map(|_| row.name);
    launches: Count, Neither, ["Count", "次数"], "Count",
        ["Launches on all cores; each core's launch counts. Of a step those of one core.", "所有核上的启动次数；每个核的启动各计一次。步：一个核的启动次数。"], |row| row.launches();
    cores: Count, Neither, ["Cores", "核数"], "Cores",
        ["Cores that ran it.", "运行过它的核数。"], |row| row.as_kernel().map(|kernel| kernel.cores);
    first_start_ns: Moment, Neither, ["First Start", "首次启动"], "First Start",
        ["Start of its first launch, from the start of the run.", "其首次启动的时刻，从运行开始计。"], |row| row.as_kernel().map(|kernel| kernel.first_start_ns);
    total_ns: Duration, Lower, ["Total", "总计"], "Total",
        ["Time of all launches, summed over all cores; of a layer from its first to its last command, summed over its runs; of a step to the start of the next one; of a block the time in which any of its layers ran, of an operation the sum of its layers, which may overlap.", "所有启动的时间，各核相加；层：从其首条指令到末条指令，各次执行相加；步：到下一步开始为止；模块：其任一层执行的时间；运算：其各层之和，层之间可能重叠。"], |row| row.work.total_ns;
    mean_ns: Duration, Lower, ["Mean", "平均"], "Mean",
        ["Mean time of a launch, without the incomplete ones.", "单次启动的平均时间，不含不完整的启动。"], |row| row.as_kernel().map(|kernel| kernel.durations.mean_ns);
    p50_ns: Duration, Lower, ["p50", "p50"], "p50",
        ["50 % of the launches took at most this time (nearest rank), without the incomplete ones.", "50 % 的启动不超过此时间（最近秩），不含不完整的启动。"], |row| row.as_kernel().map(|kernel| kernel.durations.p50_ns);
    p95_ns: Duration, Lower, ["p95", "p95"], "p95",
        ["95 % of the launches took at most this time (nearest rank), without the incomplete ones.", "95 % 的启动不超过此时间（最近秩），不含不完整的启动。"], |row| row.as_kernel().map(|kernel| kernel.durations.p95_ns);
    max_ns: Duration, Lower, ["Max", "最大"], "Max",
        ["Time of the longest launch, without the incomplete ones.", "最长一次启动的时间，不含不完整的启动。"], |row| row.as_kernel().map(|kernel| kernel.durations.max_ns);
    share: Share, Neither, ["Share", "占比"], "Share",
        ["Its total / the totals of all kernels.", "其总计时间 ÷ 所有核函数的总计时间。"], |row| row.as_kernel().map(|kernel| kernel.share);
    tiu_busy: Share, Higher, ["TIU Busy", "TIU 忙碌"], "TIU",
        ["Time of the TIU's commands / total, without system commands; commands that overlap count each.", "TIU 指令的时间 ÷ 总计，不含系统指令；重叠的指令各计一次。"], |row| row.busy(row.work.busy_ns[0]);
    gdma_busy: Share, Neither, ["GDMA Busy", "GDMA 忙碌"], "GDMA",
        ["Time of the GDMA's commands / total, without system commands.", "GDMA 指令的时间 ÷ 总计，不含系统指令。"], |row| row.busy(row.work.busy_ns[1]);
    sdma_busy: Share, Neither, ["SDMA Busy", "SDMA 忙碌"], "SDMA",
        ["Time of the SDMA's commands / total, without system commands.", "SDMA 指令的时间 ÷ 总计，不含系统指令。"], |row| row.busy(row.work.busy_ns[2]);
    cdma_busy: Share, Neither, ["CDMA Busy", "CDMA 忙碌"], "CDMA",
        ["Time of the CDMA's commands / total, without system commands.", "CDMA 指令的时间 ÷ 总计，不含系统指令。"], |row| row.busy(row.cdma_ns());
    events: Count, Neither, ["Events", "事件"], "Events",
        ["Its commands, system commands included.", "其指令数，含系统指令。"], |row| row.work.events;
    commands: Count, Neither, ["Commands", "指令"], "Commands",
        ["Its commands, without system commands.", "其指令数，不含系统指令。"], |row| row.work.commands;
    ddr_bytes: Bytes, Lower, ["DDR Bytes", "DDR 字节"], "DDR",
        ["Bytes moved from or to DDR, as the records count them.", "与 DDR 之间搬运的字节，按记录所计。"], |row| row.work.ddr_bytes;
    other_bytes: Bytes, Neither, ["Other Bytes", "其他字节"], "Other",
        ["Bytes moved otherwise.", "其他搬运的字节。"], |row| row.work.other_bytes;
    gbps: Gbps, Higher, ["Bandwidth", "带宽"], "GB/s",
        ["All bytes moved / total.", "全部搬运字节 ÷ 总计时间。"], |row| match row.kind { UnitKind::Kernel(kernel) => kernel.gbps, _ => round4(gbps(row.work.bytes(), row.work.total_ns)) };
    tops: Tops, Higher, ["TOPS", "TOPS"], "TOPS",
        ["Requested operations / total, in tera-operations a second; not known where the bits of no computing command are.", "请求的运算量 ÷ 总计时间，单位为每秒万亿次；计算指令的完整位都未知时未知。"], |row| row.roofline.and_then(|of| of.tops);
    uarch_rate: Share, Higher, ["uArch Rate", "uArch 利用率"], "uArch",
        ["Requested operations / operations after padding; not known without operations.", "请求的运算量 ÷ 补齐后的运算量；没有运算量时未知。"], |row| row.work.uarch_rate;
    bound: Text, Neither, ["Bound", "受限于"], "Bound",
        ["What holds it back: see Roofline.", "受何限制：见 Roofline。"], |row| row.roofline.map(|of| of.bound);
    roof: Share, Higher, ["Of the Roof", "达到上限"], "Roof",
        ["Ideal time at the nearest known roof / total.", "最近的已知上限下的理想时间 ÷ 总计时间。"], |row| row.roofline.and_then(|of| of.roof);
    incomplete_launches: Count, Lower, ["Incomplete Launches", "不完整的启动"], "Incomplete",
        ["Launches that lack commands because records were lost.", "因记录丢失而缺少指令的启动次数。"], |row| row.as_kernel().map(|kernel| kernel.incomplete_launches);
    step: Text, Neither, ["Step", "步"], "Step",
        ["Name of the step by the host's marker, or its number from 0.", "主机标记给出的步名，或从 0 开始的编号。"], |row| row.step();
    compute_only_ns: Duration, Neither, ["Compute Only", "仅计算"], "ComputeOnly",
        ["Time of a step in which a TIU computed and nothing was transferred. The five phases sum to its time.", "步中有 TIU 计算而没有搬运的时间。五个阶段之和为该步的时间。"], |row| row.as_step().map(|step| step.compute_only_ns);
    overlapped_ns: Duration, Higher, ["Overlapped", "重叠"], "Overlapped",
        ["Time of a step in which a TIU computed while data was transferred.", "步中计算与搬运同时进行的时间。"], |row| row.as_step().map(|step| step.overlapped_ns);
    transfer_only_ns: Duration, Lower, ["Transfer Only", "仅搬运"], "TransferOnly",
        ["Time of a step in which data was transferred and no TIU computed.", "步中有搬运而没有 TIU 计算的时间。"], |row| row.as_step().map(|step| step.transfer_only_ns);
    sync_ns: Duration, Lower, ["Sync", "同步"], "Sync",
        ["Time in which only system commands ran.", "只有系统指令运行的时间。"], |row| row.as_step().map(|step| step.sync_ns);
    idle_ns: Duration, Lower, ["Idle", "空闲"], "Idle",
        ["Time in which nothing ran.", "没有任何指令运行的时间。"], |row| row.as_step().map(|step| step.idle_ns);
    layer: Text, Neither, ["Layer", "层"], "Name",
        ["Name of the layer: the model's name of its first result with the operation, or operation and number.", "层的名称：模型中其首个结果的名称与运算，或运算与编号。"], |row| row.as_layer().map(|_| row.name);
    layer_id: Count, Neither, ["Layer Id", "层编号"], "Layer",
        ["Its number in the model, from 1.", "它在模型中的编号，从 1 开始。"], |row| row.as_layer().map(|layer| layer.id);
    operation: Text, Neither, ["Operation", "运算"], "Operation",
        ["The operation, such as `Conv2D`.", "运算，例如 `Conv2D`。"], |row| match row.kind { UnitKind::Layer(layer) => Some(layer.operation.as_str()), UnitKind::Operation => Some(row.name), _ => None };
    block: Text, Neither, ["Block", "模块"], "Block",
        ["The part of the model that a layer belongs to by its name, or by the names of its weights.", "按层名或其权重名所属的模型部分。"], |row| match row.kind { UnitKind::Layer(layer) => layer.block.as_deref(), UnitKind::Block(_) => Some(row.name), _ => None };
    layers: Count, Neither, ["Layers", "层数"], "Layers",
        ["Layers of a block or an operation.", "模块或运算所含的层数。"], |row| row.layers;
    core: Count, Neither, ["Core", "核"], "Core",
        ["The core whose commands a layer has.", "层的指令所在的核。"], |row| row.as_layer().map(|layer| layer.core);
    runs: Count, Neither, ["Runs", "执行次数"], "Runs",
        ["How often a layer ran.", "层的执行次数。"], |row| row.as_layer().map(|layer| layer.runs);
    start_ns: Moment, Neither, ["Start", "开始"], "Start",
        ["Start of its first command, of a step of its first launch, from the start of the run.", "其首条指令（步：首次启动）开始的时刻，从运行开始计。"], |row| row.work.start_ns;
    end_ns: Moment, Neither, ["End", "结束"], "End",
        ["End of its last command, of a step the start of the next one, from the start of the run.", "其末条指令结束（步：下一步开始）的时刻，从运行开始计。"], |row| row.of_others(row.work.end_ns);
    wall_share: Share, Neither, ["Of the wall time", "占总时间"], "OfWall",
        ["Its total / the wall time.", "其总计时间 ÷ 总时间。"], |row| row.of_others(row.work.wall_share);
    path_ns: Duration, Lower, ["On the path", "在关键路径上"], "Path",
        ["Time of the critical path in it; not known where the run can't be replayed.", "关键路径在其中的时间；无法重放时未知。"], |row| row.work.path_ns;
    tiu_ns: Duration, Neither, ["TIU Busy", "TIU 忙碌"], "TIU",
        ["Time of the TIU's commands, without system commands.", "TIU 指令的时间，不含系统指令。"], |row| row.work.busy_ns[0];
    gdma_ns: Duration, Neither, ["GDMA Busy", "GDMA 忙碌"], "GDMA",
        ["Time of the GDMA's commands, without system commands.", "GDMA 指令的时间，不含系统指令。"], |row| row.work.busy_ns[1];
    sdma_ns: Duration, Neither, ["SDMA Busy", "SDMA 忙碌"], "SDMA",
        ["Time of the SDMA's commands, without system commands.", "SDMA 指令的时间，不含系统指令。"], |row| row.work.busy_ns[2];
    dma_ns: Duration, Neither, ["DMA Busy", "DMA 忙碌"], "DMA",
        ["Time of the commands of GDMA and SDMA together, without system commands.", "GDMA 与 SDMA 指令的时间之和，不含系统指令。"], |row| row.work.dma_ns();
    dma_busy: Share, Neither, ["DMA Busy", "DMA 忙碌"], "DMA",
        ["Time of the commands of GDMA and SDMA / total.", "GDMA 与 SDMA 指令的时间 ÷ 总计。"], |row| row.busy(row.work.dma_ns());
    ops: Count, Neither, ["Alg Ops", "算法运算量"], "Ops",
        ["Requested operations, of the commands whose full bits are known.", "请求的运算量，只计完整位已知的指令。"], |row| row.work.ops;
    tiu_cycles: Count, Lower, ["TIU Cycles", "TIU 周期"], "Cycles",
        ["Cycles that its TIU commands took.", "其 TIU 指令所用的周期。"], |row| row.of_others(row.work.tiu_cycles);
    ideal_cycles: Count, Neither, ["Ideal Cycles", "理想周期"], "Ideal",
        ["Cycles that its TIU commands would take at the peak, of those of which that is known: those with full bits; none of BM1684X.", "其 TIU 指令在峰值下所需的周期，只计已知的指令：完整位已知的指令；BM1684X 均未知。"], |row| row.work.ideal_cycles;
    mac_utilization: Share, Higher, ["MAC Utilization", "MAC 利用率"], "MAC",
        ["Ideal cycles / cycles that these commands took.", "理想周期 ÷ 这些指令所用的周期。"], |row| row.work.mac_utilization;
    bytes: Bytes, Neither, ["Bytes", "字节"], "Bytes",
        ["All bytes moved.", "全部搬运字节。"], |row| row.work.bytes();
    ddr_gbps: Gbps, Higher, ["DDR Bandwidth", "DDR 带宽"], "DDR",
        ["Bytes from and to DDR / time of the commands of GDMA and SDMA.", "与 DDR 之间搬运的字节 ÷ GDMA 与 SDMA 指令的时间。"], |row| (row.work.dma_ns() > 0).then(|| round4(gbps(row.work.ddr_bytes, row.work.dma_ns())));
    ddr_intensity: Number, Neither, ["Ops/Byte", "运算/字节"], "Ops/B",
        ["Requested operations for each byte of DDR traffic; low values are limited by memory.", "每字节 DDR 流量的请求运算量；值低则受内存限制。"], |row| row.roofline.and_then(|of| of.ddr_intensity);
    expected_ns: Duration, Neither, ["Expected", "预期"], "Expected",
        ["What the bits of its commands explain, of those whose bits explain any.", "其指令的位所解释的时间，只计可解释的指令。"], |row| row.work.expected_ns;
    explained_ns: Duration, Lower, ["Measured of these", "这些指令实测"], "Measured",
        ["Time that these commands took.", "这些指令实测所用的时间。"], |row| (row.work.explained_ns > 0).then_some(row.work.explained_ns);
}

/// Ids of the columns with which the large tables of kernels begin: the workbook's and the page's.
pub const KERNEL_COLUMNS: [&str; 19] = [
    "kernel",
    "launches",
    "cores",
    "first_start_ns",
    "total_ns",
    "mean_ns",
    "p50_ns",
    "p95_ns",
    "max_ns",
    "share",
    "tiu_busy",
    "gdma_busy",
    "sdma_busy",
    "cdma_busy",
    "events",
    "commands",
    "ddr_bytes",
    "other_bytes",
    "gbps",
];

/// Ids of the columns of a step's phases.
pub const PHASE_COLUMNS: [&str; 5] =
    ["compute_only_ns", "overlapped_ns", "transfer_only_ns", "sync_ns", "idle_ns"];

/// The columns of these ids, in their order. Ids are those of [`UNIT_COLUMNS`]; others are left out.
#[must_use]
pub fn unit_columns(ids: &[&str]) -> Vec<&'static UnitColumn> {
    ids.iter().filter_map(|id| UNIT_COLUMNS.iter().find(|column| column.id == *id)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;
    use crate::roofline::Bound;

    /// The list of the columns in a document: between the line that names this test and the end of the table.
    fn listed(language: usize) -> String {
        let heads = [
            ["id", "title", "unit", "better", "definition"],
            ["id", "标题", "单位", "更好", "定义"],
        ];
        let units = |unit: Unit| match unit {
            Unit::Text => "-",
            Unit::Count => ["number", "个数"][language],
            Unit::Duration | Unit::Moment => "ns",
            Unit::Share => ["share", "比例"][language],
            Unit::Bytes => "B",
            Unit::Gbps => "GB/s",
            Unit::Tops => "TOPS",
            Unit::Number => ["number", "数"][language],
        };
        let better = |better: Better| match better {
            Better::Lower => ["lower", "低"][language],
            Better::Higher => ["higher", "高"][language],
            Better::Neither => "-",
        };
        let choose = |Bilingual(english, chinese)| [english, chinese][language];
        let mut text = format!("| {} |\n|---|---|---|---|---|\n", heads[language].join(" | "));
        for column in UNIT_COLUMNS {
            let TableColumn { id, title, unit, definition, .. } = column;
            let cells = [choose(*title), units(*unit), better(column.better), choose(*definition)];
            writeln!(text, "| `{id}` | {} |", cells.join(" | ")).unwrap();
        }
        text
    }

    #[test]
    fn the_documents_list_the_columns() {
        const BEGIN: &str =
            "<!-- BLESS=1 cargo test -p bigtpu-answers -- the_documents_list_the_columns -->\n\n";
        for (language, name) in ["analysis.md", "analysis.zh-CN.md"].into_iter().enumerate() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
            let document = std::fs::read_to_string(&path).unwrap();
            let (before, rest) = document.split_once(BEGIN).unwrap();
            let (own, after) = rest.split_once("\n\n").unwrap();
            let expected = listed(language);
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&path, format!("{before}{BEGIN}{expected}\n{after}")).unwrap();
            } else {
                assert_eq!(format!("{own}\n"), expected, "{name}: BLESS=1 writes it anew");
            }
        }
    }

    #[test]
    fn ids_are_unique_and_values_are_those_of_the_report() {
        let ids: BTreeSet<&str> = UNIT_COLUMNS.iter().map(|column| column.id).collect();
        assert_eq!(ids.len(), UNIT_COLUMNS.len());
        assert_eq!(unit_columns(&["share", "none", "kernel"]).len(), 2);
        let mut planted = bigtpu_measure::planted::Planted::default();
        planted.kernel(0, "k", 0, 100).compute(0, (0, 50), (10, 40, 5));
        planted.load(0, 60, 100, 400);
        let model = planted.model();
        let hardware = crate::advice::testing::hardware();
        let findings = crate::findings::Findings::of_planted(&model, hardware);
        let kernel = Kernel::all(&findings).remove(0);
        let json = serde_json::to_value(&kernel).unwrap();
        let row = WorkUnit::kernel(&kernel, &findings.kernel_rooflines[0], Some(70));
        let mut seen = 0;
        for column in UNIT_COLUMNS {
            // Of the properties of the report these are the values; others are of the roofline or of one engine.
            let Some(property) = json.get(column.id).filter(|_| column.id != "tops") else {
                continue;
            };
            let value = serde_json::to_value((column.value)(&row)).unwrap();
            let is_same = value == *property || value.as_f64() == property.as_f64();
            assert!(is_same, "{}: {value} {property}", column.id);
            seen += 1;
        }
        assert!(seen >= 15, "{seen}");
        let value = |id: &str| (unit_columns(&[id])[0].value)(&row);
        assert_eq!((value("tiu_busy"), value("gdma_busy")), (0.5.into(), 0.4.into()));
        assert_eq!((value("bound"), value("roof")), (Bound::Serialized.into(), 0.4.into()));
        assert_eq!((value("path_ns"), value("tiu_ns")), (70_i64.into(), 50_i64.into()));
        // What only layers have.
        assert_eq!((value("layer"), value("wall_share")), (Datum::Unknown(()), Datum::Unknown(())));
    }
}

//! The columns of the table of kernels.

use crate::report::{Kernel, Report};
use crate::roofline::Roofline;
use crate::tables::{Better, Bilingual, Datum, TableColumn, Unit};
use bigtpu_measure::quotient;

/// A kernel function and how near it is to the roofs of a core.
#[derive(Debug, Clone, Copy)]
pub struct KernelRow<'r> {
    /// Its totals.
    pub kernel: &'r Kernel,
    /// Its roofline.
    pub roofline: &'r Roofline,
}

impl<'r> KernelRow<'r> {
    /// All kernels of a report, those that took longest first.
    pub fn all(report: &'r Report) -> impl ExactSizeIterator<Item = Self> {
        let both = report.kernels.iter().zip(&report.roofline.kernels);
        both.map(|(kernel, roofline)| Self { kernel, roofline })
    }

    fn busy(&self, engine: usize) -> Datum<'static> {
        let ns = self.kernel.busy_ns.get(engine).copied().unwrap_or(0);
        quotient(ns.into(), self.kernel.total_ns.into()).into()
    }
}

/// A column of the table of kernels.
pub type KernelColumn = TableColumn<for<'r> fn(&KernelRow<'r>) -> Datum<'r>>;

macro_rules! columns {
    ($($id:ident: $unit:ident, $better:ident, [$title:literal, $chinese:literal], $short:literal,
       [$definition:literal, $in_chinese:literal], |$row:ident| $value:expr;)*) => {
        /// All columns, in order.
        pub const KERNEL_COLUMNS: &[KernelColumn] = &[$(TableColumn {
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
        ["Name of the kernel function.", "核函数的名称。"], |row| row.kernel.kernel.as_str();
    launches: Count, Neither, ["Count", "次数"], "Count",
        ["Launches on all cores; each core's launch counts.", "所有核上的启动次数；每个核的启动各计一次。"], |row| row.kernel.launches;
    cores: Count, Neither, ["Cores", "核数"], "Cores",
        ["Cores that ran it.", "运行过它的核数。"], |row| row.kernel.cores;
    first_start_ns: Moment, Neither, ["First Start", "首次启动"], "First Start",
        ["Start of its first launch, from the start of the run.", "其首次启动的时刻，从运行开始计。"], |row| row.kernel.first_start_ns;
    total_ns: Duration, Lower, ["Total", "总计"], "Total",
        ["Time of all launches, summed over all cores.", "所有启动的时间，各核相加。"], |row| row.kernel.total_ns;
    mean_ns: Duration, Lower, ["Mean", "平均"], "Mean",
        ["Mean time of a launch, without the incomplete ones.", "单次启动的平均时间，不含不完整的启动。"], |row| row.kernel.durations.mean_ns;
    p50_ns: Duration, Lower, ["p50", "p50"], "p50",
        ["50 % of the launches took at most this time (nearest rank), without the incomplete ones.", "50 % 的启动不超过此时间（最近秩），不含不完整的启动。"], |row| row.kernel.durations.p50_ns;
    p95_ns: Duration, Lower, ["p95", "p95"], "p95",
        ["95 % of the launches took at most this time (nearest rank), without the incomplete ones.", "95 % 的启动不超过此时间（最近秩），不含不完整的启动。"], |row| row.kernel.durations.p95_ns;
    max_ns: Duration, Lower, ["Max", "最大"], "Max",
        ["Time of the longest launch, without the incomplete ones.", "最长一次启动的时间，不含不完整的启动。"], |row| row.kernel.durations.max_ns;
    share: Share, Neither, ["Share", "占比"], "Share",
        ["Its total / the totals of all kernels.", "其总计时间 ÷ 所有核函数的总计时间。"], |row| row.kernel.share;
    tiu_busy: Share, Higher, ["TIU Busy", "TIU 忙碌"], "TIU",
        ["Time of the TIU's commands / total, without system commands; commands that overlap count each.", "TIU 指令的时间 ÷ 总计，不含系统指令；重叠的指令各计一次。"], |row| row.busy(0);
    gdma_busy: Share, Neither, ["GDMA Busy", "GDMA 忙碌"], "GDMA",
        ["The same of the GDMA.", "GDMA 的同样比例。"], |row| row.busy(1);
    sdma_busy: Share, Neither, ["SDMA Busy", "SDMA 忙碌"], "SDMA",
        ["The same of the SDMA.", "SDMA 的同样比例。"], |row| row.busy(2);
    cdma_busy: Share, Neither, ["CDMA Busy", "CDMA 忙碌"], "CDMA",
        ["The same of the CDMA.", "CDMA 的同样比例。"], |row| row.busy(3);
    events: Count, Neither, ["Events", "事件"], "Events",
        ["Its commands, system commands included.", "其指令数，含系统指令。"], |row| row.kernel.events;
    commands: Count, Neither, ["Commands", "指令"], "Commands",
        ["Its commands, without system commands.", "其指令数，不含系统指令。"], |row| row.kernel.commands;
    ddr_bytes: Bytes, Lower, ["DDR Bytes", "DDR 字节"], "DDR",
        ["Bytes moved from or to DDR, as the records count them.", "与 DDR 之间搬运的字节，按记录所计。"], |row| row.kernel.ddr_bytes;
    other_bytes: Bytes, Neither, ["Other Bytes", "其他字节"], "Other",
        ["Bytes moved otherwise.", "其他搬运的字节。"], |row| row.kernel.other_bytes;
    gbps: Gbps, Higher, ["Bandwidth", "带宽"], "GB/s",
        ["All bytes moved / total.", "全部搬运字节 ÷ 总计时间。"], |row| row.kernel.gbps;
    tops: Tops, Higher, ["TOPS", "TOPS"], "TOPS",
        ["Requested operations / total, in tera-operations a second; not known where the bits of no computing command are.", "请求的运算量 ÷ 总计时间，单位为每秒万亿次；计算指令的完整位都未知时未知。"], |row| row.roofline.tops;
    uarch_rate: Share, Higher, ["uArch Rate", "uArch 占比"], "uArch",
        ["Requested operations / operations after padding; not known without operations.", "请求的运算量 ÷ 填充后的运算量；没有运算量时未知。"], |row| (row.kernel.uarch_ops > 0).then_some(row.kernel.uarch_rate);
    bound: Text, Neither, ["Bound", "受限于"], "Bound",
        ["What holds it back: see Roofline.", "受何限制：见 Roofline。"], |row| row.roofline.bound.name();
    roof: Share, Higher, ["Of the Roof", "达到上限"], "Roof",
        ["Ideal time at the nearest known roof / total.", "最近的已知上限下的理想时间 ÷ 总计时间。"], |row| row.roofline.roof;
    incomplete_launches: Count, Lower, ["Incomplete Launches", "不完整的启动"], "Incomplete",
        ["Launches that lack commands because records were lost.", "因记录丢失而缺少指令的启动次数。"], |row| row.kernel.incomplete_launches;
}

/// The columns of these ids, in their order. Ids are those of [`KERNEL_COLUMNS`]; others are left out.
pub fn kernel_columns(ids: &[&str]) -> Vec<&'static KernelColumn> {
    ids.iter().filter_map(|id| KERNEL_COLUMNS.iter().find(|column| column.id == *id)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;

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
        };
        let better = |better: Better| match better {
            Better::Lower => ["lower", "低"][language],
            Better::Higher => ["higher", "高"][language],
            Better::Neither => "-",
        };
        let choose = |Bilingual(english, chinese)| [english, chinese][language];
        let mut text = format!("| {} |\n|---|---|---|---|---|\n", heads[language].join(" | "));
        for column in KERNEL_COLUMNS {
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
        let ids: BTreeSet<&str> = KERNEL_COLUMNS.iter().map(|column| column.id).collect();
        assert_eq!(ids.len(), KERNEL_COLUMNS.len());
        assert_eq!(kernel_columns(&["share", "none", "kernel"]).len(), 2);
        let mut planted = bigtpu_measure::planted::Planted::default();
        planted.kernel(0, "k", 0, 100).compute(0, (0, 50), (10, 40, 5));
        planted.load(0, 60, 100, 400);
        let model = planted.model();
        let hardware = crate::advice::testing::hardware();
        let findings = crate::findings::Findings::of_planted(&model, hardware);
        let kernel = Kernel::all(&findings).remove(0);
        let json = serde_json::to_value(&kernel).unwrap();
        let row = KernelRow { kernel: &kernel, roofline: &findings.kernel_rooflines[0] };
        let mut seen = 0;
        for column in KERNEL_COLUMNS {
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
        let value = |id: &str| (kernel_columns(&[id])[0].value)(&row);
        assert_eq!((value("tiu_busy"), value("gdma_busy")), (0.5.into(), 0.4.into()));
        assert_eq!((value("bound"), value("roof")), ("serialized".into(), 0.4.into()));
    }
}

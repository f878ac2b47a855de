//! docs/proof/measured.md and its picture.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bigtpu_predict::estimate::expected::{
    Coefficients, Measured, Name, PARAMETERS, Residuals, StudyRow, Width,
};

use crate::{Network, distances, median, share_near};

const HEAD: &str = "# Expected times held to public measurements

<!-- Written by the test `the_page_shows_what_was_found` (crates/predict/tests/measured) with BLESS=1. -->

`estimate` prints two times. The **lower bound** is the greater of operations of convolutions and products / peak, and (weights + inputs +
outputs) / bandwidth of main memory: no measurement is faster. The **expected time** follows what compilers do, at the pace that measured models
had; its **range** holds the middle four fifths of measured / expected time of networks whose family was left out of the fit.

The measurements are public tables (sophgo/sophon-demo, sophgo/LLM-TPU, sophgo/model-zoo): numbers, names and architectures without weights, in
`fixtures/measured`. Of 626 rows that were found, 151 are of networks whose architecture the tables do not give (other heads, other classes, pre- or
postprocessing in the model), and 24 have a doubt (an early compiler, cores not given, far from other rows of the network): 451 are left. `mixed` rows are int8 with a quantization table: some layers run in fp16 or fp32, and which is
not public; they are in all numbers here.

![measured and expected times of all rows, each predicted without its family](../images/measured.svg)

";

const MODEL: &str = "## How the expected time is made

```text
time      = sqrt(computing^2 + transfers^2) + commands + start
computing = sum of cycles x factor of term and type / clock x factor of small units / speed-up of cores
transfers = sum of bytes x factor of term / bandwidth x factor of all transfers
```

- **Fusing**: constants, bias, batch normalization, ReLU and clip are part of the operator before them. SiLU, GELU, Mish, hard swish, softmax and normalizations
  are one operator, however many the file writes them with. Concat, split and reshape are nearly free.
- **Cycles** follow the rules of [simulate](../prediction/simulate.md): channels are padded to lanes, input channels and positions to the matrix unit. Functions and
  the exponentials of a softmax are computed in fp32 (in int8 functions are looked up in a table), sums in fp32. No product or convolution takes less than these cycles.
- **Bytes**: weights, inputs and outputs (in fp32), and the part of the activations that does not stay in local memory: q / (1 + q) with
  q = (bytes of an item / half of the local memory)^0.8. In fp32 the scores of attention go through main memory between its operators.
- **Cores**: two cores are as fast as one times the speed-up in the table; more cores double it again and again (not measured).
- **Chips that were not measured** take the numbers of chips with units of 64 lanes or of fewer ones. Machines that are no chips of this tool have no expected time of
  this kind: each operator takes what its roof allows, and there is no range.

The fit minimizes squared logarithms of expected / measured time (linear beyond 15 %); each number is held near a guess that was made before, within the
spread given here. Test: `the_table_is_what_the_rows_give`.

";

const TAIL: &str = "## Your own measurements

<!-- setup: cp \"$REPOSITORY/crates/model/tests/onnx/resnet18_without_weights.onnx\" model.onnx; row='{\"chip\": \"BM1684X\", \"cores\": 1, \"model_file\": \"model.onnx\", \"dtype\": \"fp16\", \"ms\": '; echo \"[$row 30}, $row 31}, $row 32}]\" > rows.json -->
```sh
bigtpuprofile estimate model.onnx --on bm1684x --dtype fp16 --calibrate rows.json
```

`rows.json` is a list like `fixtures/measured/networks.json`: `chip`, `cores`, `model_file` (beside the list), `dtype`, `ms` of an execution, and if needed
`batch`, `family`, `mixed`, `distrust`. The numbers of the table are fitted again, held near the values here within three times their spread; the range is that of
your rows, each predicted without its family. At least three rows are needed.

## Where it fails

- **int8 with a quantization table** (YOLOv12, RetinaFace, YOLOX): measured times are up to MOST_OF_MIXED times the expected ones, because which layers run in fp16 or fp32 is not public.
- **3-D convolutions** (C3D) in int8: measured times are about twice the expected ones on BM1688.
- **Transformers**: BERT without its own rows is expected too slow (ViT, SAM, SegFormer and WeNet alone make the times of products), ViT too fast. Few families of them were measured, so their
  ranges are those of all networks to a large part.
- **Two cores** at batch 1: compilers divide some networks badly (C3D and OpenPose in fp32 gain nothing, YOLOv8s in int8 gets slower).
- Rows say neither clock nor SDK: repeated measurements of one network differ by 8 % in the median and by 57 % in one of ten.
- Other chips than BM1684X, BM1688 and CV186X: no number was measured. Energy: nothing was measured.
";

fn line(name: &str, errors: &[f64]) -> String {
    let distances = distances(errors);
    let mut sorted = errors.to_vec();
    sorted.sort_by(f64::total_cmp);
    format!(
        "| {name} | {} | {:.1} | {:.0} | {:.2} |\n",
        errors.len(),
        median(distances.clone()) * 100.0,
        share_near(&distances) * 100.0,
        sorted[sorted.len() / 2].exp()
    )
}

fn width(width: Width) -> &'static str {
    match width {
        Width::Bits32 => "fp32",
        Width::Bits16 => "fp16, bf16",
        Width::Bits8 => "int8",
    }
}

/// What was found, in a page.
pub(crate) fn page(
    networks: &[Network],
    errors: &[f64],
    held: f64,
    table: &[Residuals],
    moved: (usize, f64),
    languages: &str,
) -> String {
    let mut text = String::from(HEAD);
    let head = "| | rows | median error (%) | within 25 % (%) | expected / measured, median |\n|---|--:|--:|--:|--:|\n";
    text.push_str("## What was found\n\n");
    text.push_str(head);
    text.push_str(&line("all rows", errors));
    let plain: Vec<f64> =
        networks.iter().zip(errors).filter(|(n, _)| !n.row.mixed).map(|(_, e)| *e).collect();
    text.push_str(&line("without mixed rows", &plain));
    writeln!(
        text,
        "\nThe ranges that the other families make hold {:.0} % of the measured times. No measured time is below its bound. Bytes of main memory are within a factor of 1.6 of the published ones for {:.0} % of {} rows.\n",
        held * 100.0,
        moved.1 * 100.0,
        moved.0
    )
    .unwrap();
    text.push_str("## By chip, type and kind of network\n\n| chip | type | mostly | rows | families | median error (%) | range: measured / expected |\n|---|---|---|--:|--:|--:|---|\n");
    for group in table {
        let error =
            group.median_error.map_or("-".to_owned(), |error| format!("{:.1}", error * 100.0));
        let rows =
            if group.chip == Measured::Other { "-".to_owned() } else { group.rows.to_string() };
        let [low, high] = group.range;
        writeln!(
            text,
            "| {} | {} | {} | {rows} | {} | {error} | {low:.2} to {high:.2} |",
            group.chip.name(),
            width(group.width),
            group.mostly.name(),
            group.families
        )
        .unwrap();
    }
    text.push_str("\nA group of few families takes its range from all rows in part. `other chips`: each kind of chip predicted from the other kind.\n\n## By family\n\n");
    text.push_str(head);
    let mut families: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (network, error) in networks.iter().zip(errors) {
        families.entry(&network.row.family).or_default().push(*error);
    }
    for (family, errors) in &families {
        text.push_str(&line(family, errors));
    }
    text.push_str("\n## Language models\n\n");
    text.push_str(languages);
    text.push('\n');
    text.push_str(MODEL);
    text.push_str(&coefficients());
    let of_mixed = networks.iter().zip(errors).filter(|(network, _)| network.row.mixed);
    let most = of_mixed.map(|(_, error)| (-error).exp()).fold(0.0, f64::max);
    text.push_str(&TAIL.replace("MOST_OF_MIXED", &format!("{most:.1}")));
    text
}

fn coefficients() -> String {
    let mut text = String::from(
        "| number | type | guess | spread | fitted | where the guess is from |\n|---|---|--:|--:|--:|---|\n",
    );
    for (parameter, value) in PARAMETERS.iter().zip(Coefficients::fitted().values) {
        let (name, of) = match parameter.name {
            Name::Factor(term, of) => (format!("{term:?}"), of),
            Name::Command => ("ns of a command".to_owned(), None),
            Name::Start => ("ns of an execution".to_owned(), None),
            Name::Transfers => ("all transfers".to_owned(), None),
            Name::SmallUnits(of) => ("small units".to_owned(), Some(of)),
            Name::SmallUnitsTransfers => ("small units, transfers".to_owned(), None),
            Name::TwoCores(of) => ("speed-up of two cores".to_owned(), Some(of)),
        };
        writeln!(
            text,
            "| {name} | {} | {} | {} | {value} | {} |",
            of.map_or("all", width),
            parameter.guess,
            parameter.spread,
            parameter.source
        )
        .unwrap();
    }
    text.push('\n');
    text
}

/// Measured against expected time, in ms on logarithmic axes, one point a row.
pub(crate) fn picture(rows: &[StudyRow], errors: &[f64]) -> String {
    const SIZE: f64 = 560.0;
    const EDGE: f64 = 60.0;
    // From 0.1 ms to 10 s.
    let place = |ms: f64| EDGE + (ms.log10() + 1.0) / 5.0 * (SIZE - 2.0 * EDGE);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIZE} {SIZE}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>Measured and expected times of {} rows</title>\n<rect width=\"{SIZE}\" height=\"{SIZE}\" fill=\"#fff\"/>\n",
        rows.len()
    );
    for power in -1..=4 {
        let at = place(10_f64.powi(power));
        let label =
            if power < 0 { "0.1".to_owned() } else { format!("{}", 10_i64.pow(power as u32)) };
        let (low, high) = (EDGE, SIZE - EDGE);
        writeln!(
            text,
            "<path d=\"M{at:.1} {low}V{high}M{low} {:.1}H{high}\" stroke=\"#ddd\"/>",
            SIZE - at
        )
        .unwrap();
        writeln!(text, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", SIZE - EDGE + 18.0, EDGE - 6.0, SIZE - at + 4.0).unwrap();
    }
    for (factor, dash) in
        [(1.0, ""), (1.25, " stroke-dasharray=\"4 4\""), (0.75, " stroke-dasharray=\"4 4\"")]
    {
        let (from, to) = (0.14, 7000.0);
        writeln!(
            text,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#888\"{dash}/>",
            place(from),
            SIZE - place(from * factor),
            place(to),
            SIZE - place(to * factor)
        )
        .unwrap();
    }
    let colours = ["#397af2", "#e2a336", "#298940"];
    for (row, error) in rows.iter().zip(errors) {
        let measured = row.sample.ns / 1e6;
        let colour = match Width::from_type(row.sample.data_type) {
            Width::Bits32 => colours[0],
            Width::Bits16 => colours[1],
            Width::Bits8 => colours[2],
        };
        writeln!(
            text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"{colour}\" fill-opacity=\".7\"/>",
            place(measured),
            SIZE - place(measured * error.exp())
        )
        .unwrap();
    }
    for (number, name) in ["fp32", "fp16, bf16", "int8"].iter().enumerate() {
        let y = EDGE + 16.0 + 18.0 * number as f64;
        writeln!(text, "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{}\"/><text x=\"{}\" y=\"{y}\">{name}</text>", EDGE + 14.0, y - 4.0, colours[number], EDGE + 24.0).unwrap();
    }
    let middle = SIZE / 2.0;
    writeln!(text, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">measured (ms)</text><text x=\"{middle}\" y=\"{}\" transform=\"rotate(-90 {middle} {middle})\" text-anchor=\"middle\">expected (ms), without the family; dashed: 25 %</text>\n</svg>", SIZE - 16.0, 18.0).unwrap();
    text
}

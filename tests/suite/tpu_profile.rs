//! The program under the names `tpu_profile` and `bmprofile`: the regression steps of tpu-mlir on real dumps, and what PPL
//! reads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::run::{Said, analyzed, finish, say};

fn real(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "fixtures", "real", name].iter().collect()
}

/// Runs the program under another name.
fn called(name: &str, args: &[&str]) -> Said {
    let bin = tempfile::tempdir().unwrap();
    let link = bin.path().join(name);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_bigtpuprofile"), &link).unwrap();
    finish(Command::new(link).args(args).env("LC_ALL", "C"))
}

#[track_caller]
fn writes(args: &[&str], out: &Path, files: &[&str]) {
    let said = called("tpu_profile.py", args);
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    for file in files {
        let length = out.join(file).metadata().map(|found| found.len());
        assert!(length.is_ok_and(|length| length > 0), "{args:?}: no {file}");
    }
}

/// A table by its header's names.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let cells = |line: &str| -> Vec<String> {
        let mut quoted = false;
        let parts = line.split(|c| {
            quoted ^= c == '"';
            c == ',' && !quoted
        });
        parts.map(|cell| cell.trim_matches('"').to_owned()).collect()
    };
    let mut lines = text.lines().map(cells);
    let header = lines.next().unwrap();
    lines.map(|line| header.iter().cloned().zip(line).collect()).collect()
}

/// As `regression/script_test` of tpu-mlir calls it, and the files that it checks.
#[test]
fn the_regression_steps_of_tpu_mlir_are_ok_with_all_real_dumps() {
    let dir = tempfile::tempdir().unwrap();
    let out = |name: &str| dir.path().join(name);
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let tables = ["layer.csv", "instruction.csv", "summary.csv", "mac_util.csv"];
    let page = ["result.html", "profile_data.js"];
    let workbook = ["PerfWeb/result.html", "PerfWeb/profile_data.js", "PerfDoc/PerfAI_output.xlsx"];
    // The dump of two cores has no step of its own there: it takes those of its chip.
    for (name, arch, views) in [
        ("bmprofile_data-1_bm1684x", "bm1684x", &page[..]),
        ("bmprofile_data-1_bm1688", "bm1688", &workbook),
        ("bmprofile_data_bm1688_2core", "bm1688", &workbook),
    ] {
        let (dump, out) = (text(&real(name)), out(name));
        writes(&["--arch", arch, "--format", "layer", &dump, &text(&out)], &out, &tables);
        writes(&["--arch", arch, "--format", "html", &dump, &text(&out)], &out, views);
        assert!(
            tables.iter().all(|file| out.join(file).is_file()),
            "{name}: the page replaced them"
        );
    }
    for (name, arch) in [
        ("cdm_profile_data_dev0_bm1690", "BM1690"),
        ("bmprofile_data-1_cv184x", "cv184x"),
        ("bmprofile_data-1_cv184x", "MARS3"),
    ] {
        let (dump, out) = (text(&real(name)), out(&format!("{name}-{arch}")));
        writes(&[&dump, &text(&out), "--mode", "time", "--arch", arch], &out, &workbook);
    }
}

#[test]
fn names_of_chips_are_those_of_the_compilers() {
    let dir = tempfile::tempdir().unwrap();
    let dump = real("bmprofile_data-1_bm1688");
    for arch in ["A2", "a2", "tpul_6_0", "CV186X"] {
        let out = dir.path().join(arch);
        let args =
            [dump.to_str().unwrap(), out.to_str().unwrap(), "--arch", arch, "--format", "layer"];
        let said = called("tpu_profile", &[&args[..], &["--debug"]].concat());
        assert_eq!(said.code, Some(0), "{arch}: {}", said.stderr);
        assert!(!said.stderr.contains("names the chip"), "{}", said.stderr);
    }
    for arch in ["tpub_7_1", "TPUB_7_1_E", "tpu_6_0", "BM1684XE", "mars3"] {
        let said = say(&["info", dump.to_str().unwrap(), "--arch", arch]);
        assert_eq!(said.code, Some(0), "{arch}: {}", said.stderr);
    }
}

/// The tables of layers under both names say the same.
#[test]
fn the_tables_of_layers_are_our_own_in_other_columns() {
    for name in ["bmprofile_data-1_bm1684x", "bmprofile_data-1_bm1688"] {
        let dir = tempfile::tempdir().unwrap();
        let (dump, out) = (real(name), dir.path().join("out"));
        let said = called(
            "tpu_profile",
            &["--format", "layer", dump.to_str().unwrap(), out.to_str().unwrap()],
        );
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let theirs = |file: &str| rows(&std::fs::read_to_string(out.join(file)).unwrap());
        let own = analyzed(&dump, &["--emit", "layers"]);
        let us = |row: &BTreeMap<String, String>, column: &str| -> i64 {
            (row[column].parse::<f64>().unwrap() * 1000.0).round() as i64
        };
        let pairs = |(theirs, own): (&BTreeMap<String, String>, &BTreeMap<String, String>)| {
            assert_eq!(us(theirs, "tiuTime(us)").to_string(), own["tiu_ns"]);
            assert_eq!(
                (&theirs["AlgOps"], &theirs["tiuCycles"]),
                (&own["ops"], &own["tiu_cycles"])
            );
        };
        let (layers, own_layers) = (theirs("layer.csv"), rows(&own.text("layers.csv")));
        assert_eq!(layers.len(), own_layers.len());
        for pair in layers.iter().zip(&own_layers) {
            pairs(pair);
            assert_eq!(us(pair.0, "totalTime(us)").to_string(), pair.1["total_ns"]);
            assert_eq!(
                (&pair.0["Name"], &pair.0["LayerID"]),
                (&pair.1["layer"], &pair.1["layer_id"])
            );
        }
        let (operations, own_operations) =
            (theirs("summary.csv"), rows(&own.text("operations.csv")));
        assert_eq!(operations.len(), own_operations.len());
        operations.iter().zip(&own_operations).for_each(pairs);
        let instructions = theirs("instruction.csv");
        assert_eq!(instructions.len(), rows(&own.text("instructions.csv")).len());
        let cases = theirs("mac_util.csv");
        let whole = own_operations.last().unwrap();
        let known = !whole["mac_utilization"].is_empty();
        assert_eq!(cases.iter().all(|case| !case["macUtil(%)"].is_empty()), known, "{name}");
        assert_eq!(cases.len() > 2, known);
    }
}

/// The columns of tpu-mlir's profiler, in its order; ours are behind them.
#[test]
fn tables_begin_with_the_columns_of_tpu_mlir() {
    let dir = tempfile::tempdir().unwrap();
    let (dump, out) = (real("bmprofile_data-1_bm1684x"), dir.path().join("out"));
    let args = ["--format", "layer", dump.to_str().unwrap(), out.to_str().unwrap()];
    assert_eq!(called("tpu_profile", &args).code, Some(0));
    let expected = [
        (
            "layer.csv",
            "LayerID,Type,TPU/CPU,DataType,Function,in,ic,ih,iw,on,oc,oh,ow,kh,kw,KStrideH,KStrideW,Padding,Other info,\
             inputBytes,outputBytes,weightBytes,s2lBytes,l2sBytes,s2sBytes,gdmaCycles,gdmaTime(us),gdmaTimeRatio,\
             gdmaPTheoTime(us),ddrRate,LoadAvgBandwidth(GiB/s),StoreAvgBandwidth(GiB/s),AlgOps,uArchOps,uArchCModelCycles,\
             uArchCModelCycleRatio,tiuCycles,tiuTime(us),tiuTimeRatio,tiuPTheoTime(us),uArchRate,totalTime(us),PeakTops,\
             ActualTops,Parallelism,Concurrency,",
        ),
        (
            "instruction.csv",
            "EngineId,Inst Function,DMA data size(B),Direction,Opd0 Dtype,Res Dtype,Layer ID,Alg cycle,1684x Cycle,StartCycle,\
             EndCycle,Inst ID,Dep ID,pmu_info,Alg Ops,uArch Ops,uArch Rate,des_res0_n,des_res0_c,des_res0_h,des_res0_w,\
             des_opd0_n,des_opd0_c,des_opd0_h,des_opd0_w,des_opd1_n,des_opd1_c,des_opd1_h,des_opd1_w,des_res0_n_str,\
             des_res0_c_str,des_opd0_n_str,des_opd0_c_str,des_opd1_n_str,des_opd1_c_str,des_opd2_n_str,des_opd2_c_str,\
             des_res0_addr,des_opd0_addr,des_opd1_addr,des_opd2_addr,des_res0_h_str,des_res0_w_str,des_opd0_h_str,\
             des_opd0_w_str,des_opd1_h_str,des_opd1_w_str,des_opd2_h_str,des_opd2_w_str,des_res1_addr,des_opd3_addr,\
             des_res_op_x_str,des_res_op_y_str,des_opd0_prec,des_res0_prec,",
        ),
        (
            "summary.csv",
            "Function,weightBytes,s2lBytes,l2sBytes,s2sBytes,gdmaCycles,gdmaTime(us),gdmaTimeRatio,gdmaPTheoTime(us),ddrRate,\
             AlgOps,AlgOpsRatio,uArchOps,uArchOpsRatio,tiuCycles,tiuTime(us),tiuTimeRatio,tiuPTheoTime(us),uArchRate,PeakTops,\
             DataTypes,LayerTypes,totalTime(us),Parallelism,Concurrency,1684x FPS or Token/s,",
        ),
        (
            "mac_util.csv",
            "Case,ReducedTime(us),CurrentTotalTime(us),Concurrency(%),macUtil(%),Remark\n",
        ),
    ];
    for (file, head) in expected {
        let text = std::fs::read_to_string(out.join(file)).unwrap();
        assert!(text.starts_with(head), "{file}: {}", text.lines().next().unwrap());
        let columns = text.lines().next().unwrap().split(',').count();
        assert!(rows(&text).iter().all(|row| row.len() == columns), "{file}: a name occurs twice");
    }
}

/// The blocks of a register text, in their order: values by name.
fn register_text(text: &str, begin: &str) -> Vec<BTreeMap<String, String>> {
    let blocks = text.split(begin).skip(1);
    let fields = |block: &str| -> BTreeMap<String, String> {
        let pairs = block.lines().filter_map(|line| line.trim().split_once(": "));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    blocks.map(fields).collect()
}

/// The fields of registers are those of the register texts, and layers have what their commands and the compiler's log say.
#[test]
fn tables_have_the_registers_of_commands_and_the_tensors_of_layers() {
    let dir = tempfile::tempdir().unwrap();
    let (dump, out) = (real("bmprofile_data-1_bm1684x"), dir.path().join("out"));
    let args = ["--format", "layer", dump.to_str().unwrap(), out.to_str().unwrap()];
    assert_eq!(called("tpu_profile", &args).code, Some(0));
    let theirs = |file: &str| rows(&std::fs::read_to_string(out.join(file)).unwrap());
    let own = analyzed(&dump, &["--emit", "text"]);
    let instructions = theirs("instruction.csv");
    let of = |engine: &str| -> Vec<_> {
        instructions.iter().filter(|row| row["EngineId"] == engine).collect()
    };
    let computations = register_text(&own.text("tiuRegInfo_0.txt"), "__TIU_REG_INFO__");
    assert_eq!(of("0").len(), computations.len());
    let mut compared = 0;
    for (row, fields) in of("0").into_iter().zip(&computations) {
        assert_eq!(row["Inst ID"], format!("TIU-{}", fields["Cmd Id"]));
        assert_eq!(row["Dep ID"], format!("GDMA-{}", fields["des_cmd_id_dep"]));
        for (name, value) in row.iter().filter(|(name, _)| name.starts_with("des_")) {
            assert_eq!(value, fields.get(name).map_or("", String::as_str), "{name}: {row:?}");
            compared += usize::from(!value.is_empty());
        }
    }
    let transfers = register_text(&own.text("tdmaRegInfo_0.txt"), "__TDMA_REG_INFO__");
    let full: Vec<_> = of("2").into_iter().filter(|row| !row["des_opd0_addr"].is_empty()).collect();
    let described: Vec<_> =
        transfers.iter().filter(|fields| fields.contains_key("src_start_addr_l32")).collect();
    assert_eq!((full.len(), full.len() > 100), (described.len(), true));
    for (row, fields) in full.into_iter().zip(described) {
        let number = |name: &str| fields[name].parse::<u64>().unwrap();
        let address = number("src_start_addr_l32") + (number("src_start_addr_h8") << 32);
        assert_eq!(row["des_opd0_addr"], address.to_string());
        assert_eq!(row["des_opd0_h_str"], fields["src_hstride"]);
        assert_eq!(row["des_res0_c"], fields["dst_csize"]);
        compared += 3;
    }
    assert!(compared > 2000, "{compared}");
    let layers = theirs("layer.csv");
    let convolution = layers.iter().find(|row| row["LayerID"] == "5").unwrap();
    let shown = |names: &[&str]| names.iter().map(|name| &*convolution[*name]).collect::<Vec<_>>();
    assert_eq!(shown(&["Type", "TPU/CPU", "Function"]), ["local", "TPU", "Conv2D"]);
    assert_eq!(
        shown(&["in", "ic", "ih", "iw", "oc", "oh", "ow"]),
        ["1", "3", "128", "128", "24", "64", "64"]
    );
    assert_eq!(shown(&["kh", "kw", "KStrideH", "KStrideW"]), ["5", "5", "2", "2"]);
    // 5 x 5 x 3 weights of 24 channels as the compiler lays them out, and 24 biases.
    let bytes: u64 = convolution["weightBytes"].parse().unwrap();
    assert!((24 * 75 * 2..10_000).contains(&bytes), "{bytes}");
    let weights = |row: &BTreeMap<String, String>| row["weightBytes"].parse::<u64>().unwrap();
    let summary = theirs("summary.csv");
    let whole = summary.iter().find(|row| row["Function"] == "Overall").unwrap();
    assert_eq!(weights(whole), layers.iter().map(weights).sum::<u64>());
    assert_eq!(convolution["inputBytes"], (3 * 128 * 128 * 2).to_string());
    assert_eq!(convolution["outputBytes"], (24 * 64 * 64 * 2).to_string());
}

/// How PPL reads the lines of `profile_data.js`: transfers and computations, start and end in us.
type Lines = (Vec<(f64, f64, f64)>, Vec<(f64, f64)>);

fn read_by_ppl(text: &str) -> Lines {
    let items = |line: &str| -> Vec<String> {
        let inside = &line[line.find('[').unwrap() + 1..line.find(']').unwrap()];
        inside.split(',').map(str::to_owned).collect()
    };
    let time = |item: &str| item.trim().parse::<f64>().unwrap();
    let (mut transfers, mut computations) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let has = |part: &str| line.find(part).is_some_and(|at| at > 0);
        if has("gdma_id=") && has("speed") {
            let items = items(line);
            let speed = &items[10];
            let speed = &speed[speed.find('=').unwrap() + 1..speed.find('G').unwrap()];
            transfers.push((time(&items[1]), time(&items[2]), speed.parse().unwrap()));
        }
        if has("bd_id=") && has("cycle") {
            let items = items(line);
            computations.push((time(&items[1]), time(&items[2])));
        }
    }
    (transfers, computations)
}

#[test]
fn ppl_reads_times_and_speeds_of_all_commands() {
    let dir = tempfile::tempdir().unwrap();
    let (dump, out) = (real("bmprofile_data-1_bm1684x"), dir.path().join("pro_out"));
    let args = ["--mode", "time", dump.to_str().unwrap(), out.to_str().unwrap()];
    let said = called("bmprofile", &args);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let text = std::fs::read_to_string(out.join("profile_data.js")).unwrap();
    let (transfers, computations) = read_by_ppl(&text);
    let own = analyzed(&dump, &["--emit", "csv"]);
    let events = rows(&own.text("events.csv"));
    let of = |engine: &str| -> Vec<&BTreeMap<String, String>> {
        let is_own = |row: &&BTreeMap<String, String>| row["engine"] == engine;
        events.iter().filter(is_own).collect()
    };
    let ns = |us: f64| ((us * 1000.0).round() as i64).to_string();
    let moved: Vec<_> = of("GDMA").into_iter().filter(|row| row["activity"] == "work").collect();
    assert_eq!((transfers.len(), computations.len()), (moved.len(), of("TIU").len()));
    for ((start, end, speed), row) in transfers.into_iter().zip(moved) {
        assert_eq!((ns(start), ns(end)), (row["start_ns"].clone(), row["end_ns"].clone()));
        let gbps: f64 = row["gbps"].parse().unwrap();
        assert!((speed - gbps).abs() < 1e-3, "{speed} {gbps}");
    }
    for ((start, end), row) in computations.into_iter().zip(of("TIU")) {
        assert_eq!((ns(start), ns(end)), (row["start_ns"].clone(), row["end_ns"].clone()));
    }
}

#[test]
fn under_our_own_name_a_sentence_names_our_option() {
    for (args, words) in [
        (&["dump", "out", "--mode", "time"][..], "leave it out"),
        (&["dump", "out", "--format=layer"], "--emit layers"),
        (&["--debug", "dump", "out"], "--verbose"),
    ] {
        let said = say(args);
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.stderr.contains(words) && said.stderr.contains("tpu_profile"), "{said:?}");
    }
    // Options of commands that have the same name are theirs.
    assert_eq!(say(&["synth", "--mode", "7", "x"]).code, Some(2));
    assert!(!say(&["synth", "--mode", "7", "x"]).stderr.contains("tpu_profile"));
    let said = called("tpu_profile", &["dump", "out", "--mode", "sim"]);
    assert_eq!(said.code, Some(2), "{said:?}");
}

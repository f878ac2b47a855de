//! `bigtpuprofile pipeline`.

mod graph_file;
mod plan_file;
mod ranges;
mod stages;
mod sweep;
mod torch_trace;

use anyhow::{Result, anyhow, bail};
use bigtpu_emit_predict::pipeline::{Labels, Titled, comparison};
use bigtpu_output::{Untrusted, Written, put, text};
use bigtpu_predict::pipeline::{Memory, Plan, Report, Rules, Schedule, Transfers, Work};
use bigtpu_session::output_directory;

use crate::args::pipeline::{Args, CompatName};
use crate::console::{ignore_broken_pipe, render};
use crate::exit::Sentences;
use crate::standard;
use crate::written::written_lines;

/// Simulates, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let args = match &args.plan {
        Some(path) => args.clone().over(plan_file::read(path)?),
        None => args.clone(),
    };
    if let Some(path) = &args.graph {
        return graph_file::run(path, &args);
    }
    if args.torch.is_some() {
        return torch_trace::run(&args);
    }
    let schedules = schedules(&args.schedule)?;
    let mut shown = Vec::new();
    let mut refused = Vec::new();
    let mut labels = Labels::default();
    for args in sweep::variants(&args)? {
        let built = stages::build(&args)?;
        for &schedule in &schedules {
            let chunks = chunks(&args, schedule, schedules.len());
            let (costs, names) = match built.stage_costs(&args, schedule, chunks) {
                Ok(found) => found,
                Err(error) => {
                    let several = schedules.len() > 1;
                    refused.push(if several { anyhow!("{schedule}: {error}") } else { error });
                    continue;
                }
            };
            let stages = names.into_iter().map(Untrusted::from).collect();
            labels = Labels { unit: built.unit(&args).into(), stages, ..Labels::default() };
            let plan = Plan {
                chunks,
                costs,
                transfers: Transfers {
                    comm: args.comm.unwrap_or(0),
                    links_are_busy: args.link_occupancy,
                },
                backward_alone: args.bwd_without_wgt,
                work: if built.is_forward_only(&args) { Work::Inference } else { Work::Training },
                rules: rules(&args),
                max_activations: args.max_activations,
                ..Plan::uniform(
                    schedule,
                    0,
                    built.microbatches,
                    bigtpu_predict::pipeline::Cost::default(),
                )
            };
            if let Some(path) = &args.save_graph {
                graph_file::save(path, &plan, &args)?;
            }
            match Report::of(&plan, memory(&args, schedule)) {
                Ok(report) => shown.push(Titled { title: schedule.to_string().into(), report }),
                Err(error) => refused.push(error.into()),
            }
        }
    }
    finish(&args, shown, &refused, &labels, schedules.len() > 1 || !args.sweep.is_empty())
}

/// Shows and writes what was simulated; what could not be is reported, and is an error where nothing is left.
fn finish(
    args: &Args,
    mut shown: Vec<Titled>,
    refused: &[anyhow::Error],
    labels: &Labels,
    several: bool,
) -> Result<()> {
    if shown.is_empty() {
        let mut sentences: Vec<String> = refused.iter().map(ToString::to_string).collect();
        sentences.dedup();
        return Err(Sentences(sentences).into());
    }
    for error in refused {
        standard::note(&text!("left out: {}", format!("{error:#}")));
    }
    shown.sort_by(|a, b| {
        let share = |t: &Titled| u128::from(t.report.makespan);
        let (a_each, b_each) =
            (u128::from(a.report.microbatches), u128::from(b.report.microbatches));
        (share(a) * b_each).cmp(&(share(b) * a_each))
    });
    let written = match &args.out {
        Some(dir) => {
            let out = output_directory(dir)?;
            let written = bigtpu_emit_predict::pipeline::write(&shown, labels, &out)?;
            out.publish()?;
            written
        }
        None => Vec::new(),
    };
    ignore_broken_pipe(show(args, &shown, labels, several, &written))
}

fn show(
    args: &Args,
    shown: &[Titled],
    labels: &Labels,
    several: bool,
    written: &[Written],
) -> Result<()> {
    if args.json {
        let reports: Vec<&Report> = shown.iter().map(|titled| &titled.report).collect();
        let json = match reports.as_slice() {
            [only] if !several => serde_json::to_string(only)?,
            all => serde_json::to_string(all)?,
        };
        return Ok(standard::json(&(json + "\n"))?);
    }
    let mut out = standard::out();
    put!(out, "{}\n", render(&comparison(shown, labels)))?;
    for titled in shown.iter().filter(|titled| titled.report.violations > 0) {
        let (title, count) = (&titled.title, titled.report.violations);
        put!(
            out,
            "{}: {} events start before their input is ready, because the graphs of PerFlow-AI lack some dependences\n",
            title,
            count
        )?;
    }
    for line in written_lines(written, true) {
        put!(out, "written: {}\n", line)?;
    }
    Ok(())
}

/// The schedules that the names represent, each once.
fn schedules(names: &[String]) -> Result<Vec<Schedule>> {
    let mut schedules = Vec::new();
    for name in names {
        if name == "all" {
            schedules.extend(Schedule::ALL);
        } else {
            schedules.push(name.parse()?);
        }
    }
    let mut seen = Vec::new();
    schedules.retain(|schedule| {
        let is_new = !seen.contains(schedule);
        seen.push(*schedule);
        is_new
    });
    if schedules.is_empty() {
        bail!("no schedule is named; give one with --schedule, such as 1f1b, or all");
    }
    Ok(schedules)
}

/// Chunks of a stage; of several schedules those that can't be divided have one.
fn chunks(args: &Args, schedule: Schedule, schedules: usize) -> Option<u32> {
    let divides = schedule.takes_chunks();
    args.chunks.map(|chunks| if divides || schedules == 1 { chunks } else { 1 })
}

fn rules(args: &Args) -> Rules {
    match args.compat {
        Some(CompatName::Perflow) => Rules::Perflow,
        None => Rules::Full,
    }
}

fn memory(args: &Args, schedule: Schedule) -> Option<Memory> {
    if args.compat.is_some() {
        return None;
    }
    let split = schedule.splits_backward();
    args.mem_fwd.map(|fwd| Memory::complete(fwd, args.mem_bwd, args.mem_wgt, split))
}

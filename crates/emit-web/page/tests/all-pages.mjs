// All kinds of page that the program writes, of small runs: for tests of what they share.
import { join } from "node:path";
import { ROOT, run, scratch } from "./support.mjs";

const REAL = join(ROOT, "fixtures/real/cdm_profile_data_dev0_bm1690");

/** Two runs of kernels: `run`, and `slow`, whose kernel rope takes three times as long. */
export function twoRuns() {
  const dir = scratch();
  run("synth", join(dir, "run"), "--cores", "2", "--launches", "6", "-q");
  run("synth", join(dir, "slow"), "--cores", "2", "--launches", "6", "--plant", "slow-kernel=rope:3", "-q");
  return dir;
}

/** Pages with tabs, of two runs each. */
export function pagesOfTwoRuns(dir) {
  const out = (...names) => join(dir, ...names);
  run("diff", out("run"), out("slow"), "-o", out("diff"), "-q");
  run("whatif", out("run"), "--scale", "tiu=2", "-o", out("whatif"));
  run("simulate", REAL, out("simulate"));
  return ["diff/diff.html", "whatif/whatif.html", "simulate/simulate.html"].map((name) => out(name));
}

/** Pages without tabs. */
export function plainPages(dir) {
  const out = (...names) => join(dir, ...names);
  run("synth", out("chips"), "--cluster", "4", "--operations", "4", "--plant", "late-rank=3:1.3", "-q");
  run(out("chips/host0"), out("devices"), "--disable_doc", "--quiet");
  run("batch", join(ROOT, "fixtures/real"), out("batch"), "--quiet");
  run("estimate", REAL, "--on", "aks,bm1688", "-o", out("estimate"));
  run("estimate", "--hf", join(ROOT, "crates/model/tests/llm/llama-7b.json"), "--on", "h100-sxm", "--batch", "8", "--context", "2048", "--tensor-parallel", "1,2", "-o", out("llm"));
  run("pipeline", "--schedule", "gpipe,1f1b", "--stages", "4", "--microbatches", "8", "--fwd", "1", "--bwd", "2", "-o", out("pipeline"));
  run("costs", out("run"), "-o", out("costs.json"));
  run("search", out("costs.json"), "--machine", "1x4", "--link-gbps", "50", "--link-latency", "1500", "--handed-bytes", "65536", "--ignore-memory", "-o", out("search"));
  for (const [dump, label] of [["run", "a"], ["slow", "b"]]) run("diff", "--history", out("history"), out(dump), "--label", label, "-q");
  const names = ["devices/devices.html", "devices/cluster.html", "batch/index.html", "estimate/estimate.html", "llm/llm.html", "pipeline/pipeline.html", "search/pipeline.html", "history/history.html"];
  return names.map((name) => out(name));
}

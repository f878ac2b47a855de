// The grammar of queries: the cases that every implementation is tested with, and the document that describes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { ROOT, scratch } from "./support.mjs";

const { query, problems, Page, Rows, COLUMNS, SPECIAL, unitsOf, i18n } = await loaded();
const cases = JSON.parse(readFileSync(`${ROOT}/fixtures/query/cases.json`, "utf8"));

/** The modules of the page, where there is none. */
async function loaded() {
  const address = { href: "file:///page.html", hash: "" };
  const stands = { location: address, window: globalThis, addEventListener() {}, document: { documentElement: { dataset: {} } }, navigator: { language: "en" }, history: { replaceState() {}, pushState() {} } };
  for (const [key, value] of Object.entries(stands)) Object.defineProperty(globalThis, key, { value, configurable: true, writable: true });
  const contents = `
    export * as query from "./src/query/query";
    export * as problems from "./src/query/problems";
    export { Page } from "./src/data/page";
    export { Rows } from "./src/query/rows";
    export { COLUMNS } from "./src/query/columns";
    export { SPECIAL } from "./src/query/fields";
    export { unitsOf } from "./src/query/units";
    export * as i18n from "./src/ui/i18n";`;
  const outfile = join(scratch(), "query.mjs");
  await build({ stdin: { contents, resolveDir: ".", loader: "ts" }, bundle: true, format: "esm", outfile });
  return import(outfile);
}

/** A page of the cases' commands, and for each command its track and row. */
function world() {
  const strings = [];
  const string = (text) => (strings.includes(text) ? strings.indexOf(text) : strings.push(text) - 1);
  const kernels = [...new Set(cases.commands.map(({ kernel }) => kernel))];
  const names = [...new Map(cases.commands.map((c) => [`${c.type} ${c.name}`, { type: string(c.type), name: string(c.name), role: c.role }])).entries()];
  const engines = [...new Set(cases.commands.map(({ engine, core }) => `${engine} ${core}`))];
  const columns = (commands, key) => Float64Array.from(commands, key);
  const tracks = engines.map((engine) => {
    const commands = cases.commands.filter((c) => `${c.engine} ${c.core}` === engine);
    const own = (key, absent) => columns(commands, (c) => c[key] ?? absent);
    const text = (key) => columns(commands, (c) => string(c[key] ?? ""));
    const isTiu = engine.startsWith("TIU");
    const facts = {
      tag: columns(commands, (c) => kernels.indexOf(c.kernel)), layer: own("layer", -1), id: own("id"), cycles: own("cycles"), expected: own("expected", -1),
      ...(isTiu ? { rate: own("rate", 0), conflict: own("conflict", 0) } : { bytes: own("bytes", 0), ddr: own("ddr", 0), l2: own("l2", 0), stall: own("stall", 0), src: own("src", -1), dst: own("dst", -1), dir: text("dir"), dtype: text("dtype") }),
    };
    const registers = [...new Set(commands.flatMap((c) => Object.keys(c.registers ?? {})))];
    return { engine, commands, registers, facts, times: { start: own("start"), dur: own("dur"), name: columns(commands, (c) => names.findIndex(([key]) => key === `${c.type} ${c.name}`)), lane: null } };
  });
  const layers = cases.layers.map((l) => ({ id: l.id, label: string(l.title), name: string(l.operation), block: string(l.block) }));
  const kernelTexts = kernels.map(string);
  const head = {
    strings, names: names.map(([, name]) => name), kernels: kernelTexts, layers, notices: [],
    clocks: cases.clocks, device: { zero: 0 },
    answers: { steps: { steps: cases.steps.map(({ number, start, end }) => ({ number, start_ns: start, end_ns: end })) } },
    tracks: tracks.map(({ engine, registers }) => ({ kind: engine.split(" ")[0].toLowerCase(), core: Number(engine.split(" ")[1]), facts: null, fields: { layouts: [{ chunk: { columns: registers.map((key) => ({ key })) } }] } })),
  };
  const page = new Page(head);
  page.tagColumn = () => Float64Array.from(kernels, (_, tag) => tag);
  page.tracks.forEach((track, at) => {
    const { commands, facts, times } = tracks[at];
    track.loadTimes = async () => times;
    track.facts = async () => facts;
    track.causes = async () => null;
    track.register = async (name) => {
      const of = (c) => c.registers?.[name];
      return { values: columns(commands, (c) => (typeof of(c) === "string" ? string(of(c)) : of(c) ?? NaN)), isText: Uint8Array.from(commands, (c) => (typeof of(c) === "string" ? 1 : 0)) };
    };
  });
  const order = tracks.flatMap(({ commands }) => commands.map((command) => cases.commands.indexOf(command)));
  return { page, order };
}

test("a query finds what the shared cases say", async () => {
  const { page, order } = world();
  const rows = await Rows.load(page, page.tracks);
  for (const { query: text, hits, problem, nearest } of cases.cases) {
    const { terms, problems: found } = query.readQuery(page, text);
    if (problem) {
      assert.equal(found[0]?.kind, problem, text);
      if (nearest) assert.deepEqual(found[0].nearest, nearest, text);
      continue;
    }
    assert.deepEqual(found, [], text);
    await query.prepare(rows, terms);
    const matching = [];
    page.tracks.forEach((_, at) => {
      const matchers = terms.map((term) => term.on(rows, at));
      for (let row = 0; row < rows.times[at].start.length; row++) if (matchers.every((matches) => matches(row))) matching.push(order[rows.first[at] + row]);
    });
    assert.deepEqual(matching.sort((a, b) => a - b), hits, text);
  }
});

test("what is wrong is told in one sentence with what to write, in both languages", () => {
  const { page } = world();
  const told = (text) => query.readQuery(page, text).problems.map(problems.sentenceOf)[0];
  i18n.choose("en");
  assert.equal(told("strid_enable=1"), 'strid_enable=1: no command has a field "strid_enable". Did you mean stride_enable?');
  assert.equal(told("bytes>many"), 'bytes>many: "many" is no amount for bytes; write for example 1MiB. Units: B, KiB, MiB, GiB, kB, MB, GB.');
  assert.equal(told("bytes>"), "bytes>: a value is missing; write for example bytes>1MiB.");
  assert.equal(told("name>conv"), "name>conv: name is a text; use : for a part of it, = or != for all of it, not >.");
  i18n.choose("zh");
  for (const { query: text } of cases.cases.filter(({ problem }) => problem)) assert.match(told(text), /[\u4e00-\u9fff]/, text);
});

test("the documents list each field with its other names and its units", () => {
  for (const file of ["query.md", "query.zh-CN.md"]) {
    const lines = readFileSync(`${ROOT}/docs/${file}`, "utf8").split(/^## (?:Fields|字段)$/m)[1].split("\n").filter((line) => /^\| `/.test(line));
    const rows = lines.map((line) => line.split("|").map((cell) => cell.trim()));
    const listed = new Map(rows.flatMap((cells) => [...cells[1].matchAll(/`([^`]+)`/g)].map(([, name]) => [name, cells])));
    const fields = [...COLUMNS.map(({ key, also = [], kind }) => ({ names: [key, ...also], kind })), ...SPECIAL.map(({ name, kind }) => ({ names: [name], kind }))];
    for (const { names, kind } of fields) {
      for (const name of names) {
        const cells = listed.get(name);
        assert.ok(cells, `${file} has no row for ${name}`);
        assert.equal(cells, listed.get(names[0]), `${file}: ${name} is ${names[0]}`);
        for (const unit of unitsOf(kind).split(", ").filter(Boolean)) assert.ok(cells[2].includes(unit), `${file}: ${name} in ${unit}`);
      }
    }
    const known = new Set(fields.flatMap(({ names }) => names));
    for (const name of listed.keys()) assert.ok(known.has(name), `${file}: there is no field ${name}`);
  }
});

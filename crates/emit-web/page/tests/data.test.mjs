// What the page holds of each command is what the register texts say of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fixture, launch, open, registerTexts, render } from "./support.mjs";

const CASES = [
  "aks-mode2-sync", "aks-mode2-every-command", "aks-mode0-cdma", "aks-layers", "aksv-mode2-cdma", "aksv-rvt", "bm1688-mode1",
  "bm1688-mode2-every-command", "cv84x6-mode2-every-command", "cv84x6-rvt", "cv84x6-bmodel", "aks-section-ties",
];
/** Keys of the texts that the page has under other names or not as fields. */
const ELSEWHERE = new Set(["Engine Id"]);
const ENGINES = { tiu: 0, gdma: 1, sdma: 3 };

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** Everything that the page knows of a track, as the register texts name it. */
async function commands(page) {
  return page.evaluate(async () => {
    const data = window.bigtpuPage;
    const found = [];
    // The texts have 1 where operations are not known.
    const known = (operations) => (operations < 0 ? 1 : operations);
    const first = Number(data.head.span.start);
    for (const track of data.tracks.filter((t) => t.isEngine)) {
      const { start, dur, name } = await track.loadTimes();
      const facts = await track.facts();
      const rows = [];
      for (let i = 0; i < start.length; i++) {
        const tag = data.tag(facts.tag[i]);
        const row = {
          "Global Idx": i, "Function Name": data.nameText(name[i]), "Function Type": data.typeText(name[i]),
          "Start Time(ns)": start[i] + first, "End Time(ns)": start[i] + first + dur[i], "Cmd Id": facts.id[i], "Asic Cycle": facts.cycles[i],
        };
        if (facts.bytes) {
          Object.assign(row, { "DMA data size(B)": facts.bytes[i], "Stall Cycle": facts.stall[i], Direction: data.text(facts.dir[i]), "Data Type": data.text(facts.dtype[i]) });
          if (data.name(name[i]).role === "work") {
            row["DDR Bandwidth(GB/s)"] = facts.ddr[i] / Math.max(dur[i], 1);
            row["L2M Bandwidth(GB/s)"] = facts.l2[i] / Math.max(dur[i], 1);
          }
        } else Object.assign(row, { "Alg Ops": known(facts.alg[i]), "uArch Ops": known(facts.uarch[i]) });
        if (facts.rate && data.name(name[i]).role === "work") row["uArch Rate"] = `${(facts.rate[i] * 100).toFixed(1)}%`;
        if (tag.kernel >= 0) row.kernel_func = data.kernelOfTag(facts.tag[i]);
        if (tag.scope >= 0) row.func_scope_id = tag.scope;
        if (tag.batch >= 0) row.batch_launch = tag.batch;
        if (data.text(tag.mode)) row.mode = data.text(tag.mode);
        for (const { key, value } of await track.fields(i)) row[key] = value;
        rows.push(row);
      }
      found.push({ kind: track.kind, core: track.head.core, rows });
    }
    return found;
  });
}

function same(key, shown, text) {
  if (typeof shown === "string") return shown.trim() === text.trim();
  const digits = key.endsWith("(GB/s)") ? 5e-5 + 1e-12 * shown : 0;
  return Math.abs(shown - Number(text)) <= digits;
}

for (const name of CASES) {
  test(`every command of ${name}`, async () => {
    const { out, file } = render(fixture(name));
    const { page, errors } = await open(browser, file);
    const texts = { tiu: registerTexts(out, "tiuRegInfo_"), dma: registerTexts(out, "tdmaRegInfo_"), cdma: registerTexts(out, "cdmaRegInfo_") };
    let compared = 0;
    for (const { kind, core, rows } of await commands(page)) {
      const file = kind === "tiu" || kind === "cdma" ? texts[kind] : texts.dma;
      const records = file.get(core).filter((r) => !(kind in ENGINES) || Number(r["Engine Id"]) === ENGINES[kind]);
      assert.equal(rows.length, records.length, `${kind} ${core}`);
      records.forEach((record, i) => {
        for (const [key, value] of Object.entries(rows[i])) {
          if (!(key in record)) continue;
          assert.ok(same(key, value, record[key]), `${kind} ${core} row ${i} ${key}: ${value}, not ${record[key]}`);
          compared++;
        }
        const missing = Object.keys(record).filter((key) => !(key in rows[i]) && !ELSEWHERE.has(key) && key !== "Core Id");
        const shown = rows[i]["Function Type"];
        const ofSystem = missing.filter((key) => !/Bandwidth|uArch Rate|Bank Conflict Cycle/.test(key));
        assert.deepEqual(ofSystem, [], `${kind} ${core} row ${i} (${shown}) lacks fields`);
      });
    }
    assert.ok(compared > 100, `only ${compared} values compared`);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

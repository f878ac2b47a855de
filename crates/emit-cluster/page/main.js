// The page from top to bottom.
import { choiceButtons } from '../../emit-web/page/src/ui/choices';
import { choose, current } from '../../emit-web/page/src/ui/i18n';
import { flush } from '../../emit-web/page/src/ui/state';
import { apply } from '../../emit-web/page/src/ui/theme';
import { upLink } from '../../emit-web/page/src/ui/up';
import { bytes, count, el, gbps, or, rankName, redraw, section, share, since, table, time } from './base.js';
import { C, DATA } from './data.js';
import { NARROW, openOperation, openRank, panel, show } from './details.js';
import { Heat } from './heat.js';
import { matrix } from './matrix.js';
import { phrase, say } from './words.js';

export let heat;

/** Bytes of an element: base64, deflated. */
async function inflated(id) {
  const text = document.getElementById(id).textContent;
  const stream = new Blob([decoded(text)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Bytes of a base64 text. */
function decoded(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

function stragglers() {
  if (!C.operations.length) return el('p', {}, 'No operation was found: who waits for whom is not known.');
  if (!C.stragglers.length) return el('p', {}, 'No rank holds the others up.');
  return table(C.stragglers, [
    { title: 'Rank', value: s => s.rank, text: s => rankName(s.rank) },
    { title: 'Gain', number: true, value: s => s.gain_ns, text: s => (s.gain_ns > 0 || s.inherited_from ? time(s.gain_ns) : '?'), hint: 'what the run gains with the rank’s own time at the median of the ranks, by the joint replay' },
    { title: 'Late in', number: true, value: s => s.late, hint: 'operations in which it was the last' },
    { title: 'Others waited', ns: s => s.waited_ns },
    { title: 'Because of', value: s => s.inherited_from ?? '', text: s => s.inherited_from ? phrase(`link ${s.inherited_from}`, `链路 ${s.inherited_from}`) : s.cause ? s.cause.what : 'own time' },
  ], { by: 1, most: 12, click: s => openRank(s.rank) });
}

function operations() {
  const groups = table(C.operation_groups, [
    { title: 'Kind', value: g => g.kind },
    { title: 'Ranks', number: true, value: g => g.ranks },
    { title: 'Bytes on links', number: true, value: g => g.wire_bytes, text: g => or(g.wire_bytes, bytes) },
    { title: 'Count', number: true, value: g => g.count },
    { title: 'Transfer p50', ns: g => g.transfer_p50_ns, hint: 'last end - last arrival' },
    { title: 'p95', ns: g => g.transfer_p95_ns },
    { title: 'Skew p50', ns: g => g.skew_p50_ns, hint: 'last arrival - first arrival' },
    { title: 'p95', ns: g => g.skew_p95_ns },
    { title: 'Bus GB/s', number: true, value: g => g.bus_gbps, text: g => gbps(g.bus_gbps), hint: 'as nccl-tests define it' },
    { title: 'Most often late', value: g => g.late_ranks[0]?.[1] ?? 0, text: g => g.late_ranks.length ? `r${g.late_ranks[0][0]}: ${g.late_ranks[0][1]}` : '' },
  ], { most: 12 });
  const all = table(C.operations.map((o, number) => ({ o, number })), [
    { title: 'No.', number: true, value: x => x.number },
    { title: 'Kind', value: x => x.o.kind },
    { title: 'Group', value: x => x.o.group ?? '' },
    { title: 'Start', ns: x => since(x.o.island, x.o.start_ns), hint: 'since the first record of the island' },
    { title: 'Skew', ns: x => x.o.skew_ns },
    { title: 'Transfer', ns: x => x.o.transfer_ns },
    { title: 'Bus GB/s', number: true, value: x => x.o.bus_gbps, text: x => gbps(x.o.bus_gbps) },
    { title: 'Late rank', number: true, value: x => x.o.late_rank, text: x => 'r' + x.o.late_rank },
    { title: 'Slow link', value: x => x.o.slow_link ? 1 : 0, text: x => x.o.slow_link ? `r${x.o.slow_link.from} > r${x.o.slow_link.to}` : '' },
  ], { most: 25, click: x => openOperation(x.number) });
  const rest = DATA.left_out ? el('p', {}, phrase(`${DATA.left_out} more operations are in cluster.json and operations.parquet.`, `另有 ${DATA.left_out} 个操作在 cluster.json 和 operations.parquet 中。`)) : null;
  return [groups, el('h3', {}, 'Each operation'), all, rest];
}

const wide = width => phrase(`${width} wide`, `宽 ${width}`);

function clocks() {
  return table(C.clocks, [
    { title: 'Rank', value: c => c.rank, text: c => rankName(c.rank) },
    { title: 'Island', number: true, value: c => c.island },
    { title: 'Method', value: c => c.method },
    { title: 'Offset', ns: c => c.offset_ns },
    { title: 'Drift ppm', number: true, value: c => c.drift_ppm, text: c => c.drift_ppm.toFixed(3) },
    { title: 'Standard error', ns: c => c.sigma_ns },
    { title: 'Bounds', number: true, value: c => c.bound_high_ns - c.bound_low_ns, text: c => c.bound_low_ns === null || c.bound_high_ns === null ? 'open' : c.method === 'reference' ? '–' : wide(time(c.bound_high_ns - c.bound_low_ns)), hint: 'the truth lies inside, by orders that no valid clock violates' },
    { title: 'Orders', number: true, value: c => c.orders },
    { title: 'violated before', number: true, value: c => c.violations_before, hint: 'when all dumps begin together' },
    { title: 'after', number: true, value: c => c.violations_after, hint: 'with the clocks found' },
  ], { most: 16, click: c => openRank(c.rank) });
}

function path() {
  if (!C.critical_path) return null;
  return section('path', 'Critical path', 'The chain of work and transfers that decides the end; its pieces add up to the run.',
    table(C.critical_path.pieces, [
      { title: 'Where', value: p => p.to === null ? rankName(p.rank) : phrase(`link r${p.rank} > r${p.to}`, `链路 r${p.rank} > r${p.to}`) },
      { title: 'Kernel', value: p => p.kernel ?? (p.to === null ? 'between launches' : ''), hint: 'of own time: what ran on the rank' },
      { title: 'Time', ns: p => p.ns },
      { title: 'Share', number: true, value: p => p.ns, text: p => share(p.ns / C.critical_path.total_ns) },
    ], { by: 2, most: 10, click: p => p.to === null && openRank(p.rank) }));
}

function predictions() {
  if (!C.whatif.length) return null;
  return section('whatif', 'With a change', 'Predictions of the joint replay, which gives the measured times when nothing is changed.',
    table(C.whatif, [
      { title: 'Change', value: w => w.scale },
      { title: 'Run', ns: w => w.predicted_ns },
      { title: 'Gain', ns: w => w.gain_ns },
    ], { by: 2, most: 10 }));
}

/** The stages of pipelines; null without any. */
function stages() {
  if (!C.stages.length) return null;
  return section('stages', 'Stages of pipelines', 'Data go from stage 0 on first. The bubble is the time in which a stage only waits for another.',
    table(C.stages, [
      { title: 'Pipeline', number: true, value: s => s.pipeline },
      { title: 'Stage', number: true, value: s => s.stage },
      { title: 'Rank', value: s => s.rank, text: s => rankName(s.rank) },
      { title: 'Bubble', ns: s => s.bubble_ns },
      { title: 'Share', number: true, value: s => s.bubble_share, text: s => share(s.bubble_share) },
    ], { most: 16, click: s => openRank(s.rank) }));
}

function notes() {
  const open = a => {
    const why = say(a.why), direction = say(a.direction);
    if (a.stated) return phrase(`rank ${a.rank} port ${a.port}: ${why}`, `rank ${a.rank} 端口 ${a.port}：${why}`);
    return phrase(`rank ${a.rank} port ${a.port} ${direction}: ${a.commands} commands without partner: ${why}`, `rank ${a.rank} 端口 ${a.port} ${direction}：${a.commands} 条指令没有对端：${why}`);
  };
  const texts = [...C.ledger.notes, ...C.ambiguous.slice(0, 50).map(open)];
  return texts.length ? section('notes', 'What is missing or doubtful', null, el('ul', {}, texts.map(t => el('li', {}, t)))) : null;
}

/** What is asked of the reader first: a few pieces of advice, the others behind a word. */
function advice() {
  const gain = a => (a.id === 'exposed-communication' ? phrase(`(gain at most ${time(a.gain_ns)})`, `（收益至多 ${time(a.gain_ns)}）`) : phrase(`(gain ${time(a.gain_ns)})`, `（收益 ${time(a.gain_ns)}）`));
  const line = a => el('li', {}, el('b', {}, a.id), ' ', a.text, a.gain_ns ? [' ', gain(a)] : '');
  const list = of => el('ul', { class: 'advice' }, of.map(line));
  if (!C.advice.length) return null;
  // One of each rule: 64 pipelines can say the same.
  const first = C.advice.filter((a, at) => C.advice.findIndex(other => other.id === a.id) === at).slice(0, 4);
  const rest = C.advice.filter(a => !first.includes(a));
  return [list(first), rest.length ? el('details', {}, el('summary', {}, phrase(`${rest.length} more`, `另外 ${rest.length} 条`)), list(rest)) : null];
}

function header() {
  const hosts = new Set(C.ranks.filter(r => !r.missing).map(r => r.host)), missing = C.ranks.filter(r => r.missing).length;
  const chips = [...new Set(C.ranks.filter(r => !r.missing).map(r => r.chip))].join(' / ');
  const reload = () => { flush(); location.reload(); };
  const tools = el('div', { class: 'tools' }, choiceButtons({ language: reload, theme: redraw }));
  return el('header', {}, el('div', { class: 'bar-of-page' }, upLink() || null, tools),
    el('h1', {}, C.verdict[0] ?? ''),
    C.verdict.slice(1).map(t => el('p', { class: 'verdict' }, t)),
    el('p', { class: 'muted' }, phrase(
      `${count(C.ranks.length, 'rank')} of ${chips} on ${count(hosts.size, 'host')}, ${count(C.islands.length, 'island')}; ${missing} missing; ` +
        `${C.ledger.paired} commands of ports are paired, ${C.ledger.unpaired} are not; ${C.ledger.violations} of ${C.ledger.orders} orders violated.`,
      `${hosts.size} 台主机上的 ${C.ranks.length} 个 ${chips} 的 rank，${C.islands.length} 个孤岛；缺失 ${missing} 个；端口指令中 ${C.ledger.paired} 条已配对，${C.ledger.unpaired} 条未配对；` +
        `${C.ledger.orders} 个次序中违反 ${C.ledger.violations} 个。`),
    ' ', 'The clock method is not yet verified on hardware: no public dump of two connected devices exists.'),
    advice());
}

/** The sections below the heat table. */
const SECTIONS = [
  () => section('stragglers', 'Who holds the others up', 'By what the run would gain if the rank’s own time were the median of the ranks.', stragglers()),
  () => section('links', 'Links', 'Senders down, receivers across; colour: share of the fastest link of this run; a black mark: packets were sent again.', matrix()),
  () => section('operations', 'Operations', 'Communications of one kind and size; then each.', operations()),
  stages, path, predictions,
  () => section('clocks', 'Clocks', 'Offset and drift against the reference of the island; bounds hold by facts alone, the standard error is of the estimate.', clocks()),
  notes,
];

/** Once the frame before is on the screen. */
const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));

/** The answer and the heat table come first; each section below it is made when the one before is on the screen. */
async function start() {
  choose(current());
  apply();
  document.title = phrase(document.title, `${C.ranks.filter(r => !r.missing).length} 个 TPU 作为一次运行`);
  heat = new Heat();
  const content = el('div', { class: 'content' },
    section('heat-section', 'Ranks over time', 'Each row is a rank on the common clock; islands have clocks of their own. Drag, or the wheel with Shift, zooms; a click opens the rank. The violet bars above are operations.', heat.node()));
  document.getElementById('app').append(header(), el('main', {}, content, panel));
  show('Details', el('p', {}, 'Click a rank, a link or an operation.'));
  if (NARROW.matches) panel.classList.remove('open');
  heat.fill(await inflated('heat'));
  const worst = C.stragglers.find(s => s.gain_ns > 0) ?? C.stragglers[0];
  if (worst && !NARROW.matches) openRank(worst.rank);
  for (const part of SECTIONS) {
    await painted();
    content.append(...[part()].filter(node => node !== null));
  }
  document.documentElement.dataset.ready = '';
}

start();

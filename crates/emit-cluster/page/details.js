// The panel at the side: a rank, a link with its pairs, an operation.
import { pageLink } from '../../emit-web/page/src/ui/choices';
import { bytes, clockRow, colorOf, el, gbps, linkName, or, rankName, rankRow, share, since, stack, stateName, stateRow, table, time } from './base.js';
import { C, DATA } from './data.js';
import { heat } from './main.js';
import { phrase, say } from './words.js';

export const panel = el('aside', { class: 'panel', 'aria-live': 'polite' });
export let selectedOperation = -1;

/** Where the panel is a sheet at the foot of the window: it is there only when something is open. */
export const NARROW = matchMedia('(max-width:1100px)');

export function show(title, ...content) {
  const close = el('button', { class: 'close', onclick: () => panel.classList.remove('open') }, 'close');
  panel.replaceChildren(close, el('h2', {}, title), ...content.filter(x => x !== null));
  panel.classList.add('open');
  panel.scrollTop = 0;
}

/** Names and values. */
function facts(pairs) {
  return el('dl', {}, pairs.filter(([, value]) => value !== null && value !== undefined).map(([name, value, hint]) =>
    [el('dt', hint ? { title: hint } : {}, name), el('dd', {}, value)]));
}

function bar(parts, total) {
  const shown = parts.map(([name, ns, color]) => ({ share: ns / total, color, title: `${name}: ${time(ns)}, ${share(ns / total)}` }));
  return stack(shown, parts.map(([name]) => name).join(', '));
}

export function openRank(rank, ns) {
  heat.selected = rank;
  const place = heat.rowOf(rank);
  if (place >= 0) heat.reveal(place);
  heat.draw();
  const row = rankRow.get(rank), clock = clockRow.get(rank), states = stateRow.get(rank);
  if (!states) return show(rankName(rank), el('p', {}, 'This rank has no dump.'));
  const parts = DATA.states.map(s => [stateName(s), states[s + '_ns'], colorOf(s)]);
  const straggler = C.stragglers.find(s => s.rank === rank);
  const page = DATA.pages.find(p => p.rank === rank);
  const of = C.operations.map((o, number) => ({ o, number, member: o.ranks.find(m => m.rank === rank) })).filter(x => x.member);
  const near = ns === undefined ? -1 : of.findIndex(x => x.member.arrival_ns !== null && x.member.arrival_ns <= ns && ns <= x.member.end_ns);
  show(rankName(rank),
    facts([
      ['Dump', row.dump],
      ['Own page', page ? pageLink(page.href, {}, page.name) : null],
      ['Events, commands of ports', `${row.events}, ${row.commands}`],
      ['Times of data', row.times],
      ['Lost records', row.lost_records || null],
      ['Incomplete', row.has_loss && !row.lost_records ? 'data of its dump is missing' : null],
      ['Clock', phrase(`${clock.method}: offset ${time(clock.offset_ns)}, drift ${clock.drift_ppm.toFixed(2)} ppm`, `${say(clock.method)}：偏移 ${time(clock.offset_ns)}，漂移 ${clock.drift_ppm.toFixed(2)} ppm`)],
      ['Standard error', or(clock.sigma_ns, time)],
      ['Bounds of the offset', `${or(clock.bound_low_ns, time)} … ${or(clock.bound_high_ns, time)}`, 'from orders that no valid clock violates'],
      ['Gain with the median own time', straggler && straggler.gain_ns > 0 ? time(straggler.gain_ns) : null],
      ['Late because of link', straggler?.inherited_from ?? null],
      ['Late in', straggler ? phrase(`${straggler.late} operations; others waited ${time(straggler.waited_ns)}`, `${straggler.late} 个操作；其他 rank 等待了 ${time(straggler.waited_ns)}`) : null],
    ]),
    bar(parts, states.window_ns),
    table(parts.filter(p => p[1] > 0).map(([name, ns]) => ({ name, ns })), [
      { title: 'State', value: p => p.name },
      { title: 'Time', ns: p => p.ns },
      { title: 'Share', number: true, value: p => p.ns, text: p => share(p.ns / states.window_ns) },
    ], { by: 1 }),
    el('h3', {}, 'Links'),
    table(C.links.map((l, number) => ({ ...l, number })).filter(l => l.from.rank === rank || l.to.rank === rank), [
      { title: 'Link', value: linkName },
      { title: 'GB/s', number: true, value: l => l.gbps, text: l => gbps(l.gbps) },
      { title: 'Retries', number: true, value: l => l.replays },
    ], { click: l => openLink(l.number), most: 12 }),
    of.length ? el('h3', {}, near >= 0 ? 'Operations; the first is the one at this moment' : 'Operations, the longest waits first') : null,
    of.length ? table(near >= 0 ? [of[near], ...of.filter((_, i) => i !== near)] : of, [
      { title: 'Operation', value: x => x.number, text: x => `${x.number} ${x.o.kind}` },
      { title: 'Wait', ns: x => x.member.wait_ns },
      { title: 'Late rank', number: true, value: x => x.o.late_rank, text: x => 'r' + x.o.late_rank },
    ], { by: near >= 0 ? -1 : 1, most: 12, click: x => openOperation(x.number) }) : null);
}

const perCommand = (all, each) => phrase(`${all}, ${each} a command`, `${all}，每条指令 ${each}`);

export function openLink(number) {
  const l = C.links[number];
  const cycle = C.cycles.find(c => c.from.rank === l.from.rank && c.from.port === l.from.port && c.to.rank === l.to.rank && c.to.port === l.to.port);
  const estimated = rankRow.get(l.from.rank)?.times === 'ends only' || rankRow.get(l.to.rank)?.times === 'ends only';
  show(linkName(l),
    facts([
      ['From, to', `${rankName(l.from.rank)}, ${rankName(l.to.rank)}`],
      ['Known by', l.how === 'given' ? 'the given topology, and the data agree' : 'its data'],
      ['Commands', phrase(`${l.commands}; ${l.unpaired_edges} without partner at the ends, ${l.unpaired_inside} inside`, `${l.commands}；两端有 ${l.unpaired_edges} 条没有对端，中间有 ${l.unpaired_inside} 条`)],
      ['Bytes', perCommand(bytes(l.bytes), bytes(Math.round(l.bytes / Math.max(1, l.commands))))],
      ['Rate', l.gbps === null ? 'not known: records have no moments of data' : phrase(`${gbps(l.gbps)} GB/s, ${share(l.share_of_best)} of the best`, `${gbps(l.gbps)} GB/s，是最快的 ${share(l.share_of_best)}`)],
      ['Retries', String(l.replays), 'packets that the link sent again'],
      ['Residual', `p50 ${time(l.residual_p50_ns)}, p95 ${time(l.residual_p95_ns)}`, 'what a straight line does not explain of receive minus send'],
      ['Not explained by the clocks', cycle ? time(cycle.closure_ns) : null],
    ]),
    el('h3', {}, 'Slowest pairs'),
    estimated ? el('p', { class: 'muted' }, 'Ends only: transfers are estimated from the bytes and the median rate.') : null,
    pairsOf(l, DATA.pairs[number]));
}

/** The slowest pairs of a link; what all have alike is no column. */
function pairsOf(l, pairs) {
  const island = clockRow.get(l.from.rank)?.island, phase = (at, title, hint) => ({ title, hint, ns: p => p[at] });
  const differ = at => pairs.some(p => p[at] !== pairs[0][at]);
  return table(pairs, [
    { title: 'At', ns: p => since(island, p[0]), hint: 'start of the send, since the first record of the island' },
    phase(1, 'Late receiver', 'the send waits for its receiver'),
    phase(2, 'Start-up'), phase(3, 'Transfer'), phase(4, 'Completion'),
    phase(5, 'Late sender', 'the receive waits for its sender'),
    ...(differ(6) ? [{ title: 'Bytes', number: true, value: p => p[6], text: p => bytes(p[6]) }] : []),
    ...(differ(7) ? [{ title: 'Retries', number: true, value: p => p[7] }] : []),
  ], { click: p => p[8] >= 0 && openOperation(p[8]) });
}

export function openOperation(number) {
  const o = C.operations[number];
  if (!o) return;
  selectedOperation = number;
  heat.draw();
  const span = o.end_ns - o.start_ns || 1;
  show(phrase(`Operation ${number}: ${o.kind}`, `操作 ${number}：${o.kind}`),
    facts([
      ['Kind known by', o.source],
      ['Group', o.group],
      ['Bytes on links', or(o.wire_bytes, bytes)],
      ['Skew', time(o.skew_ns), 'last arrival - first arrival'],
      ['Transfer', time(o.transfer_ns), 'last end - last arrival'],
      ['Bus bandwidth', or(o.bus_gbps, x => x.toFixed(2) + ' GB/s'), 'as nccl-tests define it'],
      ['Late rank', rankName(o.late_rank)],
      ['Late because', o.late_because.length ? o.late_because.map(c => `${say(c.what)} ${time(c.ns)}`).join(', ') : null, 'own time since the operation before, against the median rank'],
      ['Slow link', o.slow_link ? `r${o.slow_link.from} > r${o.slow_link.to}` : null],
    ]),
    o.ranks.length ? table(o.ranks, [
      { title: 'Rank', value: m => m.rank, text: m => 'r' + m.rank },
      { title: 'Arrival', ns: m => (m.arrival_ns === null ? null : m.arrival_ns - o.start_ns) },
      { title: 'Wait', ns: m => m.wait_ns },
      { title: 'Share that is waiting', number: true, value: m => m.wait_ns, text: m => or(m.wait_ns, ns => share(ns / span)) },
    ], { by: 1, most: 64, click: m => openRank(m.rank, m.arrival_ns ?? undefined) }) : el('p', {}, 'The ranks of this operation are in cluster.json and operations.parquet.'));
}

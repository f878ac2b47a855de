// What all parts of the page use: elements, numbers and tables, which are those of the page of a run, with this page's texts.
import { h } from '../../emit-web/page/src/ui/dom';
import { css } from '../../emit-web/page/src/ui/css';
import { stack, swatch } from '../../emit-web/page/src/ui/bars';
import { mark } from '../../emit-web/page/src/ui/mark';
import { bytes, duration, percent, twoOrOne } from '../../emit-web/page/src/ui/format';
import { table as sortable } from '../../emit-web/page/src/ui/table';
import { apply } from '../../emit-web/page/src/ui/theme';
import DEFINITIONS from './definitions.json';
import { C, DATA } from './data.js';
import { STATE_WORDS, isChinese, phrase, say } from './words.js';

export { bytes, css, stack, swatch };

/** A state's colour; page.css has them for both themes. */
export const colorOf = state => `var(--${state})`;
/** Canvases have the colours of when they were drawn: what draws them again. */
export const REDRAWN = [];
export const redraw = () => REDRAWN.forEach(draw => draw());
// Paper is light.
for (const [event, paper] of [['beforeprint', true], ['afterprint', false]]) {
  addEventListener(event, () => {
    apply(paper ? 'light' : undefined);
    redraw();
  });
}
export const MEANING = {
  compute: 'a TIU works', memory: 'GDMA or SDMA moves data, no TIU works',
  link: 'a port moves data that no computation hides', wait_late_sender: 'a receive waits for its sender',
  wait_late_receiver: 'a send waits for its receiver',
  wait_collective: 'an operation waits for its last rank', link_overhead: 'a port is active without moving data',
  sync: 'local sends and waits', launch: 'between launches', idle: 'in a launch, and nothing happens',
  not_captured: 'before the first or after the last record', lost: 'known gaps of records',
};

export const time = duration;
export const count = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
export const share = percent;
export const or = (x, text) => (x === null || x === undefined ? '–' : text(x));
export const gbps = x => or(x, twoOrOne);
export const stateName = name => (isChinese() ? STATE_WORDS[name] : name.replaceAll('_', ' '));

/** An element; texts are always texts, and those of the page in the reader's language. */
export function el(tag, attributes, ...children) {
  const said = Object.entries(attributes ?? {}).map(([key, value]) => [key, key === 'title' || key === 'aria-label' ? say(value) : value]);
  return h(tag, Object.fromEntries(said), ...children.flat(Infinity).map(child => (typeof child === 'string' ? say(child) : child)));
}

/** A section with a heading, the mark of its definition where the docs have one, and what its numbers mean. */
export function section(id, title, meaning, ...content) {
  const definition = DEFINITIONS.find(one => one.at === id);
  return el('section', { id, class: 'panel' }, el('h2', {}, title, definition ? [' ', mark(definition)] : null), meaning ? el('p', { class: 'muted' }, meaning) : null, ...content);
}

/**
 * A table that sorts by a click on a heading.
 * columns: {title, value(row), text(row)?, number?, hint?}, of times {title, ns(row), hint?}; click(row) opens a row.
 */
export function table(rows, columns, { by = -1, down = true, most = 100, click } = {}) {
  const all = columns.map((column, at) => {
    const num = column.number || !!column.ns, value = column.ns ?? column.value;
    return {
      key: String(at), title: say(column.title), hint: column.hint && say(column.hint), num, time: column.ns,
      value: row => value(row) ?? (num ? -Infinity : ''),
      cell: row => say(String((column.text ? column.text(row) : value(row)) ?? '–')),
    };
  });
  return sortable({ label: all.map(column => column.title).join(', '), columns: all, rows, most, open: click, sort: by < 0 ? undefined : { key: String(by), down } });
}

export const rankRow = new Map(C.ranks.map(r => [r.rank, r]));
export const clockRow = new Map(C.clocks.map(r => [r.rank, r]));
export const stateRow = new Map(C.states.map(r => [r.rank, r]));
/** `r3 (hostA dev7)`. */
export function rankName(rank) {
  const r = rankRow.get(rank);
  return r && !r.missing ? `r${rank} (${r.host} dev${r.device})` : `r${rank}`;
}
/** By island: ns of the reference at its first record, where the heat table begins. */
const ORIGINS = DATA.heat.windows.map(w => w[0]);
/** A moment of an island's clock in ns, from its first record. */
export const since = (island, ns) => ns - (ORIGINS[island] ?? 0);
export const linkName = l => phrase(`r${l.from.rank} port ${l.from.port} > r${l.to.rank} port ${l.to.port}`, `r${l.from.rank} 端口 ${l.from.port} > r${l.to.rank} 端口 ${l.to.port}`);

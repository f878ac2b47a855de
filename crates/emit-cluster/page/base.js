// What all parts of the page use: the data, units, elements, sortable tables.

const DATA = JSON.parse(document.getElementById('data').textContent);
const C = DATA.cluster;

/** A state's colour; page.css has them for both themes. */
const colorOf = state => `var(--${state})`;
/** Canvases have the colours of when they were drawn: what draws them again, for paper, which is light. */
const REDRAWN = [];
let isOnPaper = false;
for (const [event, paper] of [['beforeprint', true], ['afterprint', false]]) {
  addEventListener(event, () => {
    isOnPaper = paper;
    REDRAWN.forEach(draw => draw());
  });
}
/** The value of a custom property of the style sheet in the theme in use, for canvases. */
function css(name) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const [, light, dark] = /^light-dark\(([^,]+),(.+)\)$/.exec(value) ?? [];
  return light && dark ? (DARK && !isOnPaper ? dark : light).trim() : value;
}
const MEANING = {
  compute: 'a TIU works', memory: 'GDMA or SDMA moves data, no TIU works',
  link: 'a port moves data that no computation hides', wait_late_sender: 'a receive waits for its sender',
  wait_late_receiver: 'a send waits for its receiver',
  wait_collective: 'an operation waits for its last rank', link_overhead: 'a port is active without moving data',
  sync: 'local sends and waits', launch: 'between launches', idle: 'in a launch, and nothing happens',
  not_captured: 'before the first or after the last record', lost: 'known gaps of records',
};

/** A time in the unit that shows it best. */
function time(ns) {
  const a = Math.abs(ns);
  if (a >= 1e9) return (ns / 1e9).toFixed(3) + ' s';
  if (a >= 1e6) return (ns / 1e6).toFixed(3) + ' ms';
  if (a >= 1e3) return (ns / 1e3).toFixed(2) + ' µs';
  return ns.toFixed(a < 10 && ns % 1 ? 1 : 0) + ' ns';
}
function bytes(n) {
  for (const [unit, size] of [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]]) {
    if (n >= size) return (n / size).toFixed(2) + ' ' + unit;
  }
  return n + ' B';
}
const count = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
const share = x => (100 * x).toFixed(1) + '%';
const or = (x, text) => (x === null || x === undefined ? '–' : text(x));
const gbps = x => or(x, v => v.toFixed(2));
const stateName = name => (CHINESE ? STATE_WORDS[name] : name.replaceAll('_', ' '));

/** An element; texts are always texts, and those of the page in the reader's language. */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'style') node.style.cssText = value;
    else node.setAttribute(key, key === 'title' || key === 'aria-label' ? say(value) : value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) node.append(typeof child === 'string' ? say(child) : child);
  return node;
}

/** A section with a heading and what its numbers mean. */
function section(id, title, meaning, ...content) {
  return el('section', { id }, el('h2', {}, title), meaning ? el('p', { class: 'meaning' }, meaning) : null, ...content);
}

/**
 * A table that sorts by a click on a heading.
 * columns: {title, value(row), text(row)?, number?, hint?}; click(row) opens a row.
 */
function table(rows, columns, options = {}) {
  let by = options.by ?? -1, down = options.down ?? true, shown = options.most ?? 100;
  const body = el('tbody'), head = el('tr'), more = el('p', { class: 'more' });
  const fill = () => {
    const sorted = rows.slice();
    if (by >= 0) {
      const of = columns[by].value;
      sorted.sort((a, b) => {
        const x = of(a), y = of(b);
        const order = x === y ? 0 : x === null || x === undefined ? -1 : y === null || y === undefined ? 1 : x < y ? -1 : 1;
        return down ? -order : order;
      });
    }
    body.replaceChildren(...sorted.slice(0, shown).map(row => {
      const cells = columns.map(c => el('td', c.number ? { class: 'num' } : {}, String(c.text ? c.text(row) : c.value(row) ?? '–')));
      const line = el('tr', {}, ...cells);
      if (options.click) {
        line.className = 'opens';
        line.tabIndex = 0;
        line.addEventListener('click', () => options.click(row));
        line.addEventListener('keydown', e => {
          if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); options.click(row); }
        });
      }
      return line;
    }));
    more.replaceChildren();
    if (rows.length > shown) {
      more.append(phrase(`${shown} of ${rows.length} `, `${rows.length} 中的 ${shown} `), el('button', { onclick: () => { shown *= 10; fill(); } }, 'more'));
    }
    [...head.children].forEach((cell, at) => cell.setAttribute('aria-sort', at === by ? (down ? 'descending' : 'ascending') : 'none'));
  };
  columns.forEach((column, at) => {
    const sort = () => { down = by === at ? !down : !!column.number; by = at; fill(); };
    head.append(el('th', { class: column.number ? 'num' : '', title: column.hint ?? '', scope: 'col' },
      el('button', { onclick: sort }, column.title)));
  });
  fill();
  return el('div', { class: 'table wide' }, el('table', {}, el('thead', {}, head), body), more);
}

const rankRow = new Map(C.ranks.map(r => [r.rank, r]));
const clockRow = new Map(C.clocks.map(r => [r.rank, r]));
const stateRow = new Map(C.states.map(r => [r.rank, r]));
/** `r3 (hostA dev7)`. */
function rankName(rank) {
  const r = rankRow.get(rank);
  return r && !r.missing ? `r${rank} (${r.host} dev${r.device})` : `r${rank}`;
}
/** By island: ns of the reference at its first record, where the heat table begins. */
const ORIGINS = DATA.heat.windows.map(w => w[0]);
/** A moment of an island's clock, from its first record. */
const since = (island, ns) => time(ns - (ORIGINS[island] ?? 0));
const linkName = l => phrase(`r${l.from.rank} port ${l.from.port} > r${l.to.rank} port ${l.to.port}`, `r${l.from.rank} 端口 ${l.from.port} > r${l.to.rank} 端口 ${l.to.port}`);

(() => {
'use strict';
// The page's Chinese, by its English. Texts with values have both languages where they are made; sentences of the report come with their
// Chinese. Names of kernels, files and columns stay.

const WORDS = {
  'Stages of pipelines': '流水线的各阶段', 'Pipeline': '流水线', 'Stage': '阶段', 'Bubble': '空泡',
  'Data go from stage 0 on first. The bubble is the time in which a stage only waits for another.': '数据先从阶段 0 开始传递。空泡是一个阶段只等待其他阶段的时间。',
  'Rank': 'Rank', 'send': '发送', 'receive': '接收', 'Gain': '收益', 'Late in': '迟到次数', 'Others waited': '其他 rank 的等待', 'Because of': '原因', 'own time': '自身时间',
  'Kind': '种类', 'Ranks': 'Rank 数', 'Bytes on links': '链路上的字节', 'Count': '次数', 'Transfer p50': '传输 p50', 'p95': 'p95', 'Skew p50': '偏差 p50',
  'Bus GB/s': '总线 GB/s', 'Most often late': '最常迟到', 'No.': '编号', 'Group': '组', 'Start': '开始', 'Skew': '偏差', 'Transfer': '传输',
  'Late rank': '迟到的 rank', 'Slow link': '慢链路', 'Island': '孤岛', 'Method': '方法', 'Offset': '偏移', 'Drift ppm': '漂移 ppm',
  'Standard error': '标准误差', 'Bounds': '界', 'Orders': '次序', 'violated before': '之前违反', 'after': '之后违反', 'open': '无界',
  'Where': '位置', 'Kernel': '核函数', 'Time': '时间', 'Share': '占比', 'between launches': '两次启动之间', 'Change': '改变', 'Run': '运行时间',
  'Link': '链路', 'GB/s': 'GB/s', 'of the best': '与最快之比', 'Bytes': '字节', 'Commands': '指令', 'Retries': '重传', 'State': '状态',
  'Operation': '操作', 'Wait': '等待', 'Arrival': '到达', 'Share that is waiting': '等待占比', 'At': '时刻', 'Late receiver': '接收方迟到',
  'Start-up': '启动', 'Completion': '完成', 'Late sender': '发送方迟到', 'Dump': '转储', 'Own page': '自己的页面',
  'Events, commands of ports': '事件、端口指令', 'Times of data': '数据时刻', 'Lost records': '丢失的记录', 'Incomplete': '不完整', 'data of its dump is missing': '其转储缺少数据', 'Clock': '时钟',
  'Bounds of the offset': '偏移的界', 'Gain with the median own time': '自身时间取中位数时的收益', 'Late because of link': '因链路而迟到',
  'From, to': '从、到', 'Known by': '依据', 'Rate': '速率', 'Residual': '残差', 'Not explained by the clocks': '时钟不能解释的部分',
  'Kind known by': '种类的依据', 'Bus bandwidth': '总线带宽', 'Late because': '迟到的原因',
  'the given topology, and the data agree': '给定的拓扑，与数据一致', 'its data': '数据',
  'not known: records have no moments of data': '未知：记录中没有数据时刻', 'data times': '有数据时刻', 'ends only': '只有结束时刻',
  'Details': '详情', 'Click a rank, a link or an operation.': '点击一个 rank、一条链路或一个操作。', 'This rank has no dump.': '此 rank 没有转储。',
  'Links': '链路', 'Slowest pairs': '最慢的收发对', 'Operations': '操作', 'Clocks': '时钟', 'Critical path': '关键路径', 'With a change': '假设的改变',
  'Operations; the first is the one at this moment': '操作；第一个是此刻的操作', 'Operations, the longest waits first': '操作，等待最长的在前',
  'Ends only: transfers are estimated from the bytes and the median rate.': '只有结束时刻：传输时间由字节数和中位速率估计。',
  'The ranks of this operation are in cluster.json and operations.parquet.': '此操作的各 rank 见 cluster.json 和 operations.parquet。',
  'Each operation': '每个操作', 'No rank holds the others up.': '没有 rank 拖慢其他 rank。',
  'Ranks over time': '各 rank 随时间的状态', 'Who holds the others up': '谁拖慢了其他 rank', 'What is missing or doubtful': '缺失或存疑之处',
  'Each row is a rank on the common clock; islands have clocks of their own. Drag, or the wheel with Shift, zooms; a click opens the rank. The violet bars above are operations.':
    '每行是公共时钟上的一个 rank；孤岛有各自的时钟。拖动，或按住 Shift 滚动滚轮可缩放；点击打开该 rank。上方的紫色条是操作。',
  'By what the run would gain if the rank’s own time were the median of the ranks.': '按该 rank 的自身时间取各 rank 的中位数时整个运行的收益排列。',
  'Senders down, receivers across; colour: share of the fastest link of this run; a black mark: packets were sent again.':
    '纵向为发送方，横向为接收方；颜色：与本次运行中最快链路之比；黑色标记：有数据包重传。',
  'Communications of one kind and size; then each.': '先是同一种类和大小的通信，再逐个列出。',
  'The chain of work and transfers that decides the end; its pieces add up to the run.': '决定结束时刻的工作与传输之链；各段之和等于整个运行。',
  'Predictions of the joint replay, which gives the measured times when nothing is changed.': '联合重放的预测；不作改变时它给出实测时间。',
  'Offset and drift against the reference of the island; bounds hold by facts alone, the standard error is of the estimate.':
    '相对于孤岛参考时钟的偏移与漂移；界只由事实得出，标准误差属于估计值。',
  'what the run gains with the rank’s own time at the median of the ranks, by the joint replay': '由联合重放得出：该 rank 的自身时间取各 rank 的中位数时整个运行的收益',
  'operations in which it was the last': '它最后到达的操作数', 'last end - last arrival': '最后结束 - 最后到达', 'last arrival - first arrival': '最后到达 - 最先到达',
  'as nccl-tests define it': '按 nccl-tests 的定义', 'the truth lies inside, by orders that no valid clock violates': '真值在其中：由任何有效时钟都不会违反的次序得出',
  'from orders that no valid clock violates': '由任何有效时钟都不会违反的次序得出', 'when all dumps begin together': '假设所有转储同时开始时',
  'with the clocks found': '用求得的时钟时', 'of own time: what ran on the rank': '自身时间内该 rank 上运行的核函数',
  'bytes over the time in which data moved': '字节数除以数据移动的时间', 'share of the fastest link of this run, not of a ceiling': '与本次运行中最快链路之比，不是与上限之比',
  'packets that the link sent again': '链路重传的数据包', 'what a straight line does not explain of receive minus send': '接收减发送中直线不能解释的部分',
  'start of the send, since the first record of the island': '发送的开始时刻，自孤岛的第一条记录起',
  'since the first record of the island': '自孤岛的第一条记录起', 'the send waits for its receiver': '发送等待接收方', 'the receive waits for its sender': '接收等待发送方',
  'own time since the operation before, against the median rank': '自上一个操作以来的自身时间，与中位 rank 相比',
  'reference': '参考', 'bounds only': '只有界', 'host clocks': '主机时钟', 'no link': '没有链路', 'ports not placed': '端口不在设备时钟上', 'launch gaps': '启动间隔', 'kernel': '核函数', 'host': '主机', 'reduce bits': '归约位', 'pattern': '模式',
  'pipeline stages': '流水线阶段', 'parallel groups': '并行组',
  'a TIU works': 'TIU 在工作', 'GDMA or SDMA moves data, no TIU works': 'GDMA 或 SDMA 在搬运数据，没有 TIU 工作',
  'a port moves data that no computation hides': '端口在传输数据，没有被计算掩盖', 'a receive waits for its sender': '接收等待发送方',
  'a send waits for its receiver': '发送等待接收方', 'an operation waits for its last rank': '操作等待最后一个 rank',
  'a port is active without moving data': '端口活动但没有传输数据', 'local sends and waits': '本地的发送与等待',
  'in a launch, and nothing happens': '在一次启动之内，但什么也没有发生', 'before the first or after the last record': '在第一条记录之前或最后一条记录之后',
  'known gaps of records': '已知的记录缺口', 'order by rank': '按 rank 排列', 'by exposed communication': '按暴露的通信', 'zoom in': '放大', 'zoom out': '缩小', 'all': '全部', 'more': '更多', 'higher rows': '行高些', 'lower rows': '行低些', 'close': '关闭', 'Light or dark theme': '浅色或深色',
  'States of the ranks over time; arrows up and down choose a rank, Enter opens it': '各 rank 随时间的状态；上下方向键选择 rank，回车键打开', 'Links between ranks': 'rank 之间的链路',
  'The clock method is not yet verified on hardware: no public dump of two connected devices exists.': '时钟方法尚未在硬件上验证：没有两台相连设备的公开转储。',
  };
const STATE_WORDS = {
  compute: '计算', memory: '存储', link: '链路', wait_late_sender: '等待发送方', wait_late_receiver: '等待接收方', wait_collective: '等待集合操作',
  link_overhead: '链路开销', sync: '同步', launch: '启动之间', idle: '空闲', not_captured: '未采集', lost: '丢失',
};
/** What the address asks for: `#lang=zh&theme=dark&up=PAGE`. */
const ASKED = new URLSearchParams(location.hash.slice(1));
/** The page that led here, which has this page's address from it; nothing else than a page next to this one or above. */
const UP = (up => (/^(\.\.\/)*([\w%-][\w.%-]*\/)*[\w%-][\w.%-]*\.html$/.test(up) ? up : null))(ASKED.get('up') ?? '');
/** `lang`, else the browser's language. */
const CHINESE = (ASKED.get('lang') ?? navigator.language).toLowerCase().startsWith('zh');
/** `theme`, else the system's. */
const DARK = ['light', 'dark'].includes(ASKED.get('theme')) ? ASKED.get('theme') === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
/** The language and the theme of now or of `change`, as the part of an address behind `#`. */
const choice = change => String(new URLSearchParams({ lang: CHINESE ? 'zh' : 'en', theme: DARK ? 'dark' : 'light', ...change }));
/** A text of the page or a sentence of the report in the reader's language; a name stays. */
const say = english => (CHINESE && ((Object.hasOwn(WORDS, english) && WORDS[english]) || (Object.hasOwn(DATA.chinese, english) && DATA.chinese[english]))) || english;
/** A text with values, in the reader's language. */
const phrase = (english, chinese) => (CHINESE ? chinese : english);
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
// Shares of the states of each rank in equal stretches of time, at several widths: what the heat table draws.

class Levels {
  /** shares: by rank, stretch and state a byte. */
  constructor(shares, ranks, bins, states) {
    Object.assign(this, { ranks, bins, states, made: [{ bins, shares }], sums: new Float64Array(states) });
  }

  /** Level `at`; each has half the stretches of the one before, and is made when it is first asked for. */
  level(at) {
    while (this.made.length <= at && this.made.at(-1).bins > 256) {
      const fine = this.made.at(-1), s = this.states, half = fine.bins / 2, coarse = new Uint8Array(this.ranks * half * s);
      for (let stretch = 0, to = 0; stretch < this.ranks * half; stretch++) {
        for (let k = 0, from = 2 * stretch * s; k < s; k++, from++) coarse[to++] = (fine.shares[from] + fine.shares[from + s] + 1) >> 1;
      }
      this.made.push({ bins: half, shares: coarse });
    }
    return this.made[Math.min(at, this.made.length - 1)];
  }

  /** The level for stretches that are this part of the whole wide. */
  fitting(width) {
    return this.level(Math.max(0, Math.floor(Math.log2(width * this.bins))));
  }

  /** Sums of the states of a rank between two places of the whole, 0 to 1, at a level; the last one is of all states. Good until the next call. */
  between(level, rank, from, to) {
    const s = this.states, sums = this.sums, shares = level.shares;
    const first = Math.floor(from * level.bins), last = Math.min(level.bins, Math.max(first + 1, Math.ceil(to * level.bins)));
    sums.fill(0);
    for (let at = (rank * level.bins + first) * s, end = (rank * level.bins + last) * s; at < end; at += s) {
      for (let k = 0; k < s; k++) sums[k] += shares[at + k];
    }
    return sums;
  }
}
// The heat table: ranks by time, coloured by state. Only the rows in sight are drawn.

const ROW_HEIGHTS = [1, 2, 4, 8, 14, 22];
/** px; of the part in sight, and of a name. */
const SIGHT = 600, NAME = 14;
/** Where a pixel of a thin row looks into the shares: each state shows as often as it is there. */
const DITHER = [0.125, 0.625, 0.375, 0.875, 0.25, 0.75];

class Heat {
  constructor() {
    const { bins, ranks, islands, windows } = DATA.heat;
    Object.assign(this, { bins, ranks, islands, windows, n: ranks.length, states: DATA.states, levels: null });
    this.from = 0; this.to = 1; this.order = [...this.ranks.keys()]; this.selected = null; this.pointed = null;
    this.rowHeight = Math.max(2, Math.min(22, Math.floor(560 / this.n)));
    this.canvas = el('canvas', { class: 'heat', tabindex: 0, role: 'img', 'aria-label': 'States of the ranks over time; arrows up and down choose a rank, Enter opens it' });
    this.axis = el('canvas', { class: 'axis', height: 40 });
    this.tip = el('div', { class: 'tip', 'aria-live': 'polite' });
    this.inSight = el('span', { class: 'meaning' });
    this.spacer = el('div', {}, this.canvas);
    this.scroll = el('div', { class: 'scroll' }, this.spacer);
    listen(this);
    REDRAWN.push(() => {
      this.colors = null;
      this.draw();
    });
  }

  node() {
    const button = (label, act) => el('button', { onclick: act }, label);
    const by = (label, order) => button(label, () => { this.order = order(); this.draw(); });
    const index = [...this.ranks.keys()];
    const exposed = at => -(stateRow.get(this.ranks[at])?.exposed_ns ?? 0);
    const tools = el('p', { class: 'tools' },
      by('order by rank', () => index.slice()),
      by('by exposed communication', () => index.slice().sort((a, b) => exposed(a) - exposed(b) || a - b)),
      button('zoom in', () => this.zoom(0.5, 0.5)),
      button('zoom out', () => this.zoom(0.5, 2)),
      button('all', () => { this.from = 0; this.to = 1; this.draw(); }),
      button('higher rows', () => this.rows(1)),
      button('lower rows', () => this.rows(-1)), this.inSight);
    const legend = el('p', { class: 'legend' }, this.states.filter(s => C.states.some(r => r[s + '_ns'] > 0)).map(s =>
      el('span', { title: MEANING[s] }, el('i', { style: `background:${colorOf(s)}` }), stateName(s))));
    return el('div', { class: 'heatbox' }, tools, legend, this.tip, this.axis, this.scroll);
  }

  /** Takes the shares of the states, and draws. */
  fill(shares) {
    this.levels = new Levels(shares, this.n, this.bins, this.states.length);
    this.draw();
  }

  /** ns of the reference of a rank's island at a place of the view, 0 to 1. */
  moment(at, x) {
    const [start, end] = this.windows[this.islands[at]];
    return start + (end - start) * (this.from + (this.to - this.from) * x);
  }

  zoom(x, factor) {
    const middle = this.from + (this.to - this.from) * x;
    const least = 8 / this.bins;
    const width = Math.min(1, Math.max(least, (this.to - this.from) * factor));
    this.from = Math.max(0, Math.min(1 - width, middle - width * x));
    this.to = this.from + width;
    this.draw();
  }

  pan(part) {
    const width = this.to - this.from;
    this.from = Math.max(0, Math.min(1 - width, this.from + part * width));
    this.to = this.from + width;
    this.draw();
  }

  /** Higher or lower rows; the selected rank, else the middle of the part in sight, stays there. */
  rows(change) {
    const now = this.rowHeight, steps = ROW_HEIGHTS;
    const next = change > 0 ? steps.find(h => h > now) ?? now : steps.findLast(h => h < now) ?? now;
    const selected = this.rowOf(this.selected), sight = this.scroll.clientHeight;
    const row = selected >= 0 ? selected : (this.scroll.scrollTop + sight / 2) / now;
    this.rowHeight = next;
    this.draw();
    this.scroll.scrollTop = (row + 0.5) * next - sight / 2;
  }

  rowOf(rank) {
    return rank === null ? -1 : this.order.findIndex(i => this.ranks[i] === rank);
  }

  /** Brings a row into sight. */
  reveal(row) {
    const top = row * this.rowHeight, sight = this.scroll.clientHeight;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top + this.rowHeight > this.scroll.scrollTop + sight) this.scroll.scrollTop = top + this.rowHeight - sight;
  }

  /** Sums of the states of a rank at a place of the view, 0 to 1. */
  sums(rank, x) {
    const width = (this.to - this.from) / (this.canvas.width - this.gutter), from = this.from + x * (this.to - this.from);
    return this.levels.between(this.levels.fitting(width), rank, from, from + width);
  }

  /** Draws once, before the next frame. */
  soon() {
    if (!this.waiting) requestAnimationFrame(() => { this.waiting = false; this.draw(); });
    this.waiting = true;
  }

  draw() {
    if (!this.levels) return;
    const h = this.rowHeight, width = Math.max(320, this.scroll.clientWidth || 900), all = this.n * h;
    this.scroll.style.height = `${Math.min(SIGHT, all) + 2}px`;
    this.spacer.style.height = `${all}px`;
    const height = Math.min(SIGHT, all), context = this.canvas.getContext('2d');
    this.canvas.width = width;
    this.canvas.height = height;
    context.font = '11px system-ui';
    this.gutter = Math.ceil(Math.max(...this.ranks.map(rank => String(rank).length)) * 7 + 16);
    const first = Math.floor(this.scroll.scrollTop / h), last = Math.min(this.n, Math.ceil((this.scroll.scrollTop + height) / h));
    this.top = this.scroll.scrollTop;
    this.inSight.textContent = all > SIGHT ? phrase(`rows ${first + 1} to ${last} of ${this.n}: scroll for the others`, `${this.n} 行中的第 ${first + 1} 至 ${last} 行：滚动查看其余`) : '';
    const wide = width - this.gutter, image = context.createImageData(wide, height);
    for (let row = first; row < last; row++) this.drawRow(image, row * h - Math.round(this.top), this.order[row]);
    context.putImageData(image, this.gutter, 0);
    this.drawNames(context, first, last, width);
    this.drawAxis(width);
  }

  /** A row of the image: in high rows the states fill each column from top to bottom, thin ones are dithered. */
  drawRow(image, top, rank) {
    const { width, height } = image, pixels = new Uint32Array(image.data.buffer), h = this.rowHeight, states = this.states.length;
    const step = (this.to - this.from) / width, level = this.levels.fitting(step), isThin = h < 6, filled = isThin ? h : h - 1;
    const colors = this.pixels();
    for (let x = 0; x < width; x++) {
      const from = this.from + x * step, sums = this.levels.between(level, rank, from, from + step);
      let sum = 0;
      for (let k = 0; k < states; k++) sum += sums[k];
      const unit = (sum || 1) / filled;
      for (let y = 0, state = 0, until = sums[0]; y < filled; y++) {
        const place = y + (isThin ? DITHER[(x + 2 * rank) % DITHER.length] : 0.5);
        while (place * unit > until && state < states - 1) until += sums[++state];
        if (top + y >= 0 && top + y < height) pixels[(top + y) * width + x] = colors[state];
      }
    }
  }

  /** The states' colours as pixels. */
  pixels() {
    const bytes = () => this.states.map(s => [1, 3, 5].map(i => parseInt(css(`--${s}`).slice(i, i + 2), 16)));
    return this.colors ??= new Uint32Array(new Uint8Array(bytes().flatMap(c => [...c, 255])).buffer);
  }

  /** Names beside the rows: of every n-th where rows are thin, and always of the selected rank and the one pointed at. */
  drawNames(context, first, last, width) {
    const h = this.rowHeight;
    let each = 1;
    while (each * h < NAME) each *= 2;
    const baseline = row => row * h - this.top + (h >= NAME ? h / 2 + 4 : 10);
    context.fillStyle = css('--text');
    for (let row = Math.ceil(first / each) * each; row < last; row += each) {
      context.fillText(`r${this.ranks[this.order[row]]}`, 2, Math.min(baseline(row), this.canvas.height - 2));
      if (each > 1) context.fillRect(this.gutter - 4, row * h - this.top, 4, 1);
    }
    for (const [rank, color] of [[this.pointed, css('--accent')], [this.selected, css('--bad')]]) {
      const row = this.rowOf(rank), y = row * h - this.top;
      if (row < first || row >= last) continue;
      context.strokeStyle = color;
      context.lineWidth = 1.5;
      context.strokeRect(this.gutter + 0.5, y - 0.5, width - this.gutter - 1, h + 1);
      const at = Math.max(0, Math.min(this.canvas.height - NAME, y + h / 2 - NAME / 2));
      context.fillStyle = color;
      context.fillRect(0, at, this.gutter - 2, NAME);
      context.fillStyle = css('--panel');
      context.fillText(`r${rank}`, 2, at + 11);
    }
  }

  /** Times, and the operations of the first island above the ranks. */
  drawAxis(width) {
    this.axis.width = width;
    const wide = width - this.gutter;
    const context = this.axis.getContext('2d');
    const [start, end] = [this.moment(0, 0), this.moment(0, 1)], origin = this.windows[this.islands[0]]?.[0] ?? 0;
    context.font = '11px system-ui';
    context.translate(this.gutter, 0);
    const island = this.islands[0];
    C.operations.forEach((o, number) => {
      if (o.island !== island || o.end_ns < start || o.start_ns > end) return;
      const x = Math.max(0, (o.start_ns - start) / (end - start) * wide), w = (o.end_ns - start) / (end - start) * wide - x;
      context.fillStyle = css(number === selectedOperation ? '--bad' : '--cdma');
      context.fillRect(x, 22, Math.max(1, w - 0.5), 14);
      if (w > 60) { context.fillStyle = css('--panel'); context.fillText(o.kind, x + 3, 33, w - 4); }
    });
    context.fillStyle = css('--text');
    const unit = 10 ** Math.floor(Math.log10((end - start) / 4)), step = [1, 2, 5, 10].map(f => f * unit).find(s => (end - start) / s <= wide / 90) ?? unit * 20;
    for (let t = Math.ceil((start - origin) / step) * step; t + origin < end; t += step) {
      const x = (t + origin - start) / (end - start) * wide;
      context.fillRect(x, 14, 1, 6);
      // A name that would be cut at the end is left out.
      if (x + 3 + context.measureText(time(t)).width <= wide) context.fillText(time(t), x + 3, 12);
    }
  }
}
// What pointer and keys do in the heat table: wheel or drag zooms, a click or Enter opens a rank.

/** Place of the view, rank's row and moment under the pointer. */
function under(heat, event) {
  const box = heat.canvas.getBoundingClientRect();
  const x = Math.max(0, Math.min(1, (event.clientX - box.left - heat.gutter) / (box.width - heat.gutter)));
  const row = Math.max(0, Math.min(heat.n - 1, Math.floor((event.clientY - box.top + heat.top) / heat.rowHeight)));
  return { x, row, rank: heat.order[row], ns: heat.moment(heat.order[row], x) };
}

/** Says what a rank does at a moment. */
function tell(heat, { rank, x, ns }) {
  const sums = heat.sums(rank, x), all = sums.reduce((a, b) => a + b, 0) || 1;
  const most = [...sums.keys()].filter(k => sums[k] > 0.01 * all).sort((a, b) => sums[b] - sums[a]).slice(0, 4);
  heat.tip.textContent = `${rankName(heat.ranks[rank])} · ${since(heat.islands[rank], ns)}: ` +
    most.map(k => `${stateName(heat.states[k])} ${share(sums[k] / all)}`).join(', ');
}

/** Points at a rank. */
function point(heat, rank) {
  if (heat.pointed === rank) return;
  heat.pointed = rank;
  heat.soon();
}

function listen(heat) {
  let down = null;
  const { canvas } = heat;
  heat.scroll.addEventListener('scroll', () => heat.soon());
  canvas.addEventListener('wheel', e => {
    if (e.shiftKey || e.ctrlKey || e.metaKey) { e.preventDefault(); heat.zoom(under(heat, e).x, (e.deltaY || e.deltaX) > 0 ? 1.3 : 1 / 1.3); }
  }, { passive: false });
  canvas.addEventListener('pointerdown', e => {
    down = heat.levels && under(heat, e);
    // A drag may end outside of the table.
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointerup', e => {
    const was = down;
    down = null;
    if (!was) return;
    const up = under(heat, e);
    if (Math.abs(up.x - was.x) < 0.01) return openRank(heat.ranks[up.rank], up.ns);
    const [a, b] = [Math.min(up.x, was.x), Math.max(up.x, was.x)], width = heat.to - heat.from;
    const least = 8 / heat.bins;
    [heat.from, heat.to] = [heat.from + a * width, heat.from + Math.max(b * width, a * width + least)];
    heat.draw();
  });
  canvas.addEventListener('pointermove', e => {
    if (!heat.levels) return;
    const at = under(heat, e);
    tell(heat, at);
    point(heat, heat.ranks[at.rank]);
  });
  canvas.addEventListener('pointerleave', () => { heat.tip.textContent = ''; point(heat, null); });
  const step = change => {
    // Without a rank that is chosen the first step down is to the first row.
    const row = heat.rowOf(heat.pointed ?? heat.selected);
    const next = Math.max(0, Math.min(heat.n - 1, row + change)), rank = heat.order[next];
    heat.reveal(next);
    point(heat, heat.ranks[rank]);
    tell(heat, { rank, x: 0.5, ns: heat.moment(rank, 0.5) });
  };
  canvas.addEventListener('keydown', e => {
    const act = {
      '+': () => heat.zoom(0.5, 0.5), '-': () => heat.zoom(0.5, 2), ArrowLeft: () => heat.pan(-0.2), ArrowRight: () => heat.pan(0.2),
      ArrowUp: () => step(-1), ArrowDown: () => step(1), PageUp: () => step(-16), PageDown: () => step(16),
      Home: () => step(-heat.n), End: () => step(heat.n), Enter: () => heat.pointed !== null && openRank(heat.pointed),
    }[e.key];
    if (act && heat.levels) { e.preventDefault(); act(); }
  });
  heat.axis.addEventListener('click', e => {
    const box = heat.axis.getBoundingClientRect(), ns = heat.moment(0, (e.clientX - box.left - heat.gutter) / (box.width - heat.gutter));
    const number = C.operations.findIndex(o => o.island === heat.islands[0] && o.start_ns <= ns && ns <= o.end_ns);
    if (number >= 0) openOperation(number);
  });
  addEventListener('resize', () => heat.draw());
}
// The link matrix: senders down, receivers across, coloured by the share of the fastest link.

/** Colour of a share of the fastest link: red is slow, green is fast. */
function rateColor(value) {
  if (value === null) return '#9aa7b0';
  const x = Math.max(0, Math.min(1, (value - 0.4) / 0.6));
  return `hsl(${Math.round(x * 130)} 62% ${Math.round(46 - 8 * x)}%)`;
}

/** A link with its rate, bytes and retries. */
const tellLink = l => `${linkName(l)}: ` + phrase(`${gbps(l.gbps)} GB/s, ${bytes(l.bytes)}, ${l.replays} retries`, `${gbps(l.gbps)} GB/s，${bytes(l.bytes)}，${l.replays} 次重传`);

function matrix() {
  const ranks = C.ranks.map(r => r.rank), n = ranks.length, at = new Map(ranks.map((r, i) => [r, i]));
  const room = Math.min(560, Math.max(220, n * 24)), cell = Math.max(0.5, room / n), margin = 34;
  const size = Math.ceil(cell * n);
  const canvas = el('canvas', { width: size + margin, height: size + margin, class: 'matrix', role: 'img', 'aria-label': 'Links between ranks' });
  const of = new Map(), dot = Math.max(2, cell - 1);
  C.links.forEach((l, number) => {
    const key = at.get(l.from.rank) * n + at.get(l.to.rank);
    of.set(key, [...(of.get(key) ?? []), number]);
  });
  const context = canvas.getContext('2d');
  const draw = () => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.font = '11px system-ui';
    context.fillStyle = 'rgba(128,128,128,.12)';
    context.fillRect(margin, margin, size, size);
    context.fillStyle = css('--text');
    // Names do not run into each other: down they need their height, across the width of the longest.
    const width = Math.max(...ranks.map(rank => context.measureText('r' + rank).width));
    const each = room => 2 ** Math.max(0, Math.ceil(Math.log2(room / cell)));
    const down = each(cell < 14 ? 20 : 14), across = Math.max(down, each(width + 6));
    for (let i = 0; i < n; i += down) context.fillText('r' + ranks[i], 2, margin + i * cell + Math.min(cell, 14) / 2 + 3);
    for (let i = 0; i < n && margin + i * cell + width <= size + margin; i += across) context.fillText('r' + ranks[i], margin + i * cell, margin - 6);
    for (const [key, numbers] of of) {
      const y = margin + Math.floor(key / n) * cell, x = margin + (key % n) * cell;
      const worst = Math.min(...numbers.map(i => C.links[i].share_of_best ?? Infinity));
      context.fillStyle = rateColor(Number.isFinite(worst) ? worst : null);
      context.fillRect(x, y, dot, dot);
      if (numbers.some(i => C.links[i].replays > 0)) {
        context.fillStyle = '#000';
        context.fillRect(x + dot / 4, y + dot / 4, Math.max(1, dot / 2), Math.max(1, dot / 2));
      }
    }
  };
  draw();
  REDRAWN.push(draw);
  const tip = el('div', { class: 'tip', hidden: '' });
  const found = e => {
    const box = canvas.getBoundingClientRect(), column = Math.floor((e.clientX - box.left - margin) / cell), row = Math.floor((e.clientY - box.top - margin) / cell);
    // Cells of many ranks are small: the nearest link within a few pixels counts.
    const reach = Math.max(0, Math.ceil(3 / cell) - 1);
    for (let d = 0; d <= reach; d++) for (let r = row - d; r <= row + d; r++) for (let c = column - d; c <= column + d; c++) {
      const numbers = c >= 0 && c < n && r >= 0 && r < n ? of.get(r * n + c) : undefined;
      if (numbers) return numbers;
    }
    return null;
  };
  canvas.addEventListener('pointermove', e => {
    const numbers = found(e);
    tip.hidden = !numbers;
    if (numbers) tip.textContent = numbers.map(i => tellLink(C.links[i])).join('; ');
  });
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  canvas.addEventListener('click', e => { const numbers = found(e); if (numbers) openLink(numbers[0]); });
  const rows = C.links.map((l, number) => ({ ...l, number }));
  const list = table(rows, [
    { title: 'Link', value: l => l.from.rank * 1e5 + l.to.rank, text: linkName },
    { title: 'GB/s', number: true, value: l => l.gbps, text: l => gbps(l.gbps), hint: 'bytes over the time in which data moved' },
    { title: 'of the best', number: true, value: l => l.share_of_best, text: l => or(l.share_of_best, share), hint: 'share of the fastest link of this run, not of a ceiling' },
    { title: 'Bytes', number: true, value: l => l.bytes, text: l => bytes(l.bytes) },
    { title: 'Commands', number: true, value: l => l.commands },
    { title: 'Retries', number: true, value: l => l.replays, hint: 'packets that the link sent again' },
  ], { by: 1, down: false, most: 15, click: l => openLink(l.number) });
  return el('div', { class: 'two' }, el('div', {}, canvas, tip), list);
}
// The panel at the side: a rank, a link with its pairs, an operation.

const panel = el('aside', { 'aria-live': 'polite' });
let selectedOperation = -1;

/** Where the panel is a sheet at the foot of the window: it is there only when something is open. */
const NARROW = matchMedia('(max-width:1100px)');

function show(title, ...content) {
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
  return el('div', { class: 'bar' }, parts.filter(p => p[1] > 0).map(([name, ns, color]) =>
    el('i', { style: `width:${100 * ns / total}%;background:${color}`, title: `${name}: ${time(ns)}, ${share(ns / total)}` })));
}

function openRank(rank, ns) {
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
      ['Own page', page ? el('a', { href: `${page.href}&${choice()}` }, page.name) : null],
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
      { title: 'Time', number: true, value: p => p.ns, text: p => time(p.ns) },
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
      { title: 'Wait', number: true, value: x => x.member.wait_ns, text: x => or(x.member.wait_ns, time) },
      { title: 'Late rank', number: true, value: x => x.o.late_rank, text: x => 'r' + x.o.late_rank },
    ], { by: near >= 0 ? -1 : 1, most: 12, click: x => openOperation(x.number) }) : null);
}

const perCommand = (all, each) => phrase(`${all}, ${each} a command`, `${all}，每条指令 ${each}`);

function openLink(number) {
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
    estimated ? el('p', { class: 'meaning' }, 'Ends only: transfers are estimated from the bytes and the median rate.') : null,
    pairsOf(l, DATA.pairs[number]));
}

/** The slowest pairs of a link; what all have alike is no column. */
function pairsOf(l, pairs) {
  const island = clockRow.get(l.from.rank)?.island, phase = (at, title, hint) => ({ title, hint, number: true, value: p => p[at], text: p => time(p[at]) });
  const differ = at => pairs.some(p => p[at] !== pairs[0][at]);
  return table(pairs, [
    { title: 'At', number: true, value: p => p[0], text: p => since(island, p[0]), hint: 'start of the send, since the first record of the island' },
    phase(1, 'Late receiver', 'the send waits for its receiver'),
    phase(2, 'Start-up'), phase(3, 'Transfer'), phase(4, 'Completion'),
    phase(5, 'Late sender', 'the receive waits for its sender'),
    ...(differ(6) ? [{ title: 'Bytes', number: true, value: p => p[6], text: p => bytes(p[6]) }] : []),
    ...(differ(7) ? [{ title: 'Retries', number: true, value: p => p[7] }] : []),
  ], { click: p => p[8] >= 0 && openOperation(p[8]) });
}

function openOperation(number) {
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
      { title: 'Arrival', number: true, value: m => m.arrival_ns, text: m => or(m.arrival_ns, ns => '+' + time(ns - o.start_ns)) },
      { title: 'Wait', number: true, value: m => m.wait_ns, text: m => or(m.wait_ns, time) },
      { title: 'Share that is waiting', number: true, value: m => m.wait_ns, text: m => or(m.wait_ns, ns => share(ns / span)) },
    ], { by: 1, most: 64, click: m => openRank(m.rank, m.arrival_ns ?? undefined) }) : el('p', {}, 'The ranks of this operation are in cluster.json and operations.parquet.'));
}
// The page from top to bottom.

let heat;

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
  if (!C.stragglers.length) return el('p', {}, 'No rank holds the others up.');
  return table(C.stragglers, [
    { title: 'Rank', value: s => s.rank, text: s => rankName(s.rank) },
    { title: 'Gain', number: true, value: s => s.gain_ns, text: s => (s.gain_ns > 0 || s.inherited_from ? time(s.gain_ns) : '?'), hint: 'what the run gains with the rank’s own time at the median of the ranks, by the joint replay' },
    { title: 'Late in', number: true, value: s => s.late, hint: 'operations in which it was the last' },
    { title: 'Others waited', number: true, value: s => s.waited_ns, text: s => time(s.waited_ns) },
    { title: 'Because of', value: s => s.inherited_from ?? '', text: s => s.inherited_from ? phrase(`link ${s.inherited_from}`, `链路 ${s.inherited_from}`) : s.cause ? s.cause.what : 'own time' },
  ], { by: 1, most: 12, click: s => openRank(s.rank) });
}

function operations() {
  const groups = table(C.operation_groups, [
    { title: 'Kind', value: g => g.kind },
    { title: 'Ranks', number: true, value: g => g.ranks },
    { title: 'Bytes on links', number: true, value: g => g.wire_bytes, text: g => or(g.wire_bytes, bytes) },
    { title: 'Count', number: true, value: g => g.count },
    { title: 'Transfer p50', number: true, value: g => g.transfer_p50_ns, text: g => time(g.transfer_p50_ns), hint: 'last end - last arrival' },
    { title: 'p95', number: true, value: g => g.transfer_p95_ns, text: g => time(g.transfer_p95_ns) },
    { title: 'Skew p50', number: true, value: g => g.skew_p50_ns, text: g => time(g.skew_p50_ns), hint: 'last arrival - first arrival' },
    { title: 'p95', number: true, value: g => g.skew_p95_ns, text: g => time(g.skew_p95_ns) },
    { title: 'Bus GB/s', number: true, value: g => g.bus_gbps, text: g => gbps(g.bus_gbps), hint: 'as nccl-tests define it' },
    { title: 'Most often late', value: g => g.late_ranks[0]?.[1] ?? 0, text: g => g.late_ranks.length ? `r${g.late_ranks[0][0]}: ${g.late_ranks[0][1]}` : '' },
  ], { most: 12 });
  const all = table(C.operations.map((o, number) => ({ o, number })), [
    { title: 'No.', number: true, value: x => x.number },
    { title: 'Kind', value: x => x.o.kind },
    { title: 'Group', value: x => x.o.group ?? '' },
    { title: 'Start', number: true, value: x => x.o.start_ns, text: x => since(x.o.island, x.o.start_ns), hint: 'since the first record of the island' },
    { title: 'Skew', number: true, value: x => x.o.skew_ns, text: x => time(x.o.skew_ns) },
    { title: 'Transfer', number: true, value: x => x.o.transfer_ns, text: x => time(x.o.transfer_ns) },
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
    { title: 'Offset', number: true, value: c => c.offset_ns, text: c => time(c.offset_ns) },
    { title: 'Drift ppm', number: true, value: c => c.drift_ppm, text: c => c.drift_ppm.toFixed(3) },
    { title: 'Standard error', number: true, value: c => c.sigma_ns, text: c => or(c.sigma_ns, time) },
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
      { title: 'Time', number: true, value: p => p.ns, text: p => time(p.ns) },
      { title: 'Share', number: true, value: p => p.ns, text: p => share(p.ns / C.critical_path.total_ns) },
    ], { by: 2, most: 10, click: p => p.to === null && openRank(p.rank) }));
}

function predictions() {
  if (!C.whatif.length) return null;
  return section('whatif', 'With a change', 'Predictions of the joint replay, which gives the measured times when nothing is changed.',
    table(C.whatif, [
      { title: 'Change', value: w => w.scale },
      { title: 'Run', number: true, value: w => w.predicted_ns, text: w => time(w.predicted_ns) },
      { title: 'Gain', number: true, value: w => w.gain_ns, text: w => time(w.gain_ns) },
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
      { title: 'Bubble', number: true, value: s => s.bubble_ns, text: s => time(s.bubble_ns) },
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
  const first = C.advice.slice(0, 4), rest = C.advice.slice(4);
  return [list(first), rest.length ? el('details', {}, el('summary', {}, phrase(`${rest.length} more`, `另外 ${rest.length} 条`)), list(rest)) : null];
}

function header() {
  const hosts = new Set(C.ranks.filter(r => !r.missing).map(r => r.host)), missing = C.ranks.filter(r => r.missing).length;
  const other = (change, label, attributes) => el('a', { ...attributes, href: `#${choice({ ...(UP && { up: UP }), ...change })}`, class: 'quiet', onclick: () => setTimeout(() => location.reload()) }, label);
  const tools = el('span', { class: 'choices' }, other({ lang: CHINESE ? 'en' : 'zh' }, CHINESE ? 'English' : '中文'),
    other({ theme: DARK ? 'light' : 'dark' }, '◐', { title: 'Light or dark theme', 'aria-label': 'Light or dark theme' }));
  return el('header', {}, tools, UP ? el('a', { href: UP, class: 'up' }, `← ${UP.split('/').at(-1)}`) : null,
    el('h1', {}, C.verdict[0] ?? ''),
    C.verdict.slice(1).map(t => el('p', { class: 'verdict' }, t)),
    el('p', { class: 'meaning' }, phrase(
      `${count(C.ranks.length, 'rank')} on ${count(hosts.size, 'host')}, ${count(C.islands.length, 'island')}; ${missing} missing; ` +
        `${C.ledger.paired} commands of ports are paired, ${C.ledger.unpaired} are not; ${C.ledger.violations} of ${C.ledger.orders} orders violated.`,
      `${hosts.size} 台主机上的 ${C.ranks.length} 个 rank，${C.islands.length} 个孤岛；缺失 ${missing} 个；端口指令中 ${C.ledger.paired} 条已配对，${C.ledger.unpaired} 条未配对；` +
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
  Object.assign(document.documentElement, { lang: CHINESE ? 'zh-CN' : 'en' }).dataset.theme = DARK ? 'dark' : 'light';
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
})();

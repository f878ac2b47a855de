// The link matrix: senders down, receivers across, coloured by the share of the fastest link.
import { REDRAWN, bytes, css, el, gbps, linkName, or, share, table } from './base.js';
import { C } from './data.js';
import { openLink } from './details.js';
import { phrase } from './words.js';

/** Colour of a share of the fastest link: red is slow, green is fast. */
function rateColor(value) {
  if (value === null) return '#9aa7b0';
  const x = Math.max(0, Math.min(1, (value - 0.4) / 0.6));
  return `hsl(${Math.round(x * 130)} 62% ${Math.round(46 - 8 * x)}%)`;
}

/** A link with its rate, bytes and retries. */
const tellLink = l => `${linkName(l)}: ` + phrase(`${gbps(l.gbps)} GB/s, ${bytes(l.bytes)}, ${l.replays} retries`, `${gbps(l.gbps)} GB/s，${bytes(l.bytes)}，${l.replays} 次重传`);

export function matrix() {
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

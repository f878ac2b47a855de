// What pointer and keys do in the heat table: wheel or drag zooms, a click or Enter opens a rank.
import { openOperation, openRank } from './details.js';
import { rankName, share, since, stateName, time } from './base.js';
import { C } from './data.js';

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
  heat.tip.textContent = `${rankName(heat.ranks[rank])} · ${time(since(heat.islands[rank], ns))}: ` +
    most.map(k => `${stateName(heat.states[k])} ${share(sums[k] / all)}`).join(', ');
}

/** Points at a rank. */
function point(heat, rank) {
  if (heat.pointed === rank) return;
  heat.pointed = rank;
  heat.soon();
}

export function listen(heat) {
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

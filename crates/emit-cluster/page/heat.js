// The heat table: ranks by time, coloured by state. Wheel or drag zooms, a click opens a rank.

class Heat {
  constructor(shares) {
    const { bins, ranks, islands, windows } = DATA.heat;
    Object.assign(this, { bins, ranks, islands, windows, n: ranks.length, states: DATA.states });
    this.levels = [{ bins, shares }];
    // Each level has half the stretches of the one before.
    const s = this.states.length;
    while (this.levels.at(-1).bins > 256) {
      const fine = this.levels.at(-1), half = fine.bins / 2, coarse = new Uint8Array(this.n * half * s);
      for (let r = 0; r < this.n; r++) for (let b = 0; b < half; b++) for (let k = 0; k < s; k++) {
        const at = (r * fine.bins + 2 * b) * s + k;
        coarse[(r * half + b) * s + k] = (fine.shares[at] + fine.shares[at + s] + 1) >> 1;
      }
      this.levels.push({ bins: half, shares: coarse });
    }
    this.from = 0; this.to = 1; this.order = [...this.ranks.keys()]; this.selected = null;
    this.rowHeight = Math.max(2, Math.min(22, Math.floor(560 / this.n)));
    this.canvas = el('canvas', { class: 'heat', tabindex: 0, role: 'img', 'aria-label': 'States of the ranks over time' });
    this.axis = el('canvas', { class: 'axis', height: 40 });
    this.tip = el('div', { class: 'tip', hidden: '' });
    this.colors = this.states.map(name => {
      const c = COLORS[name];
      return [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16));
    });
    this.listen();
  }

  node() {
    const by = (label, order) => el('button', { onclick: () => { this.order = order(); this.draw(); } }, label);
    const index = [...this.ranks.keys()];
    const exposed = at => -(stateRow.get(this.ranks[at])?.exposed_ns ?? 0);
    const tools = el('p', { class: 'tools' },
      by('order by rank', () => index.slice()),
      by('by exposed communication', () => index.slice().sort((a, b) => exposed(a) - exposed(b) || a - b)),
      el('button', { onclick: () => this.zoom(0.5, 0.5) }, 'zoom in'),
      el('button', { onclick: () => this.zoom(0.5, 2) }, 'zoom out'),
      el('button', { onclick: () => { this.from = 0; this.to = 1; this.draw(); } }, 'all'));
    const legend = el('p', { class: 'legend' }, this.states.filter(s => C.states.some(r => r[s + '_ns'] > 0)).map(s =>
      el('span', { title: MEANING[s] }, el('i', { style: `background:${COLORS[s]}` }), stateName(s))));
    this.scroll = el('div', { class: 'scroll' }, this.canvas);
    return el('div', { class: 'heatbox' }, tools, legend, this.axis, this.scroll, this.tip);
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

  /** Shares of the states of a rank between two places of the whole, 0 to 1. */
  shares(rank, from, to) {
    const width = (to - from) * this.bins;
    const level = this.levels[Math.max(0, Math.min(this.levels.length - 1, Math.floor(Math.log2(width))))];
    const s = this.states.length, sums = new Float64Array(s);
    const first = Math.floor(from * level.bins), last = Math.min(level.bins, Math.max(first + 1, Math.ceil(to * level.bins)));
    for (let b = first; b < last; b++) {
      const at = (rank * level.bins + b) * s;
      for (let k = 0; k < s; k++) sums[k] += level.shares[at + k];
    }
    const all = sums.reduce((a, b) => a + b, 0) || 1;
    return sums.map(x => x / all);
  }

  draw() {
    const width = Math.max(320, this.scroll.clientWidth || 900), h = this.rowHeight;
    this.canvas.width = width;
    this.canvas.height = this.n * h;
    const context = this.canvas.getContext('2d'), image = context.createImageData(width, this.n * h);
    const step = (this.to - this.from) / width;
    for (let row = 0; row < this.n; row++) {
      const rank = this.order[row], gap = h > 5 ? 1 : 0;
      for (let x = 0; x < width; x++) {
        const from = this.from + x * step;
        const shares = this.shares(rank, from, from + step);
        // The states of a stretch fill the row from top to bottom.
        let state = 0, filled = shares[0] * (h - gap);
        for (let y = 0; y < h - gap; y++) {
          while (y + 0.5 > filled && state < shares.length - 1) filled += shares[++state] * (h - gap);
          const [r, g, b] = this.colors[state], at = ((row * h + y) * width + x) * 4;
          image.data[at] = r; image.data[at + 1] = g; image.data[at + 2] = b; image.data[at + 3] = 255;
        }
      }
    }
    context.putImageData(image, 0, 0);
    const at = this.order.findIndex(i => this.ranks[i] === this.selected);
    context.strokeStyle = '#000';
    context.lineWidth = 2;
    if (at >= 0) context.strokeRect(1, at * h, width - 2, h);
    context.fillStyle = '#000';
    context.font = '11px system-ui';
    if (h >= 13) this.order.forEach((i, row) => {
      const name = `r${this.ranks[i]}`;
      context.fillStyle = 'rgba(255,255,255,.75)';
      context.fillRect(0, row * h, context.measureText(name).width + 6, h - 1);
      context.fillStyle = '#000';
      context.fillText(name, 3, row * h + h / 2 + 4);
    });
    this.drawAxis(width);
  }

  /** Times, and the operations of the first island above the ranks. */
  drawAxis(width) {
    this.axis.width = width;
    const context = this.axis.getContext('2d'), ink = getComputedStyle(document.body).color;
    const [start, end] = [this.moment(0, 0), this.moment(0, 1)], origin = this.windows[this.islands[0]]?.[0] ?? 0;
    context.font = '11px system-ui';
    const island = this.islands[0];
    C.operations.forEach((o, number) => {
      if (o.island !== island || o.end_ns < start || o.start_ns > end) return;
      const x = (o.start_ns - start) / (end - start) * width, w = (o.end_ns - o.start_ns) / (end - start) * width;
      context.fillStyle = number === selectedOperation ? '#d93025' : '#8e3bb0';
      context.fillRect(x, 22, Math.max(1, w - 0.5), 14);
      if (w > 60) { context.fillStyle = '#fff'; context.fillText(o.kind, x + 3, 33, w - 4); }
    });
    context.fillStyle = ink;
    const unit = 10 ** Math.floor(Math.log10((end - start) / 4)), step = [1, 2, 5, 10].map(f => f * unit).find(s => (end - start) / s <= 9) ?? unit * 10;
    for (let t = Math.ceil((start - origin) / step) * step; t + origin < end; t += step) {
      const x = (t + origin - start) / (end - start) * width;
      context.fillRect(x, 14, 1, 6);
      context.fillText(time(t), x + 3, 14);
    }
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width, row = Math.floor((event.clientY - box.top) / box.height * this.n);
    const rank = this.order[Math.max(0, Math.min(this.n - 1, row))];
    return { x, rank, ns: this.moment(rank, x) };
  }

  listen() {
    let down = null;
    this.canvas.addEventListener('wheel', e => {
      if (e.shiftKey || e.ctrlKey || e.metaKey) { e.preventDefault(); this.zoom(this.at(e).x, e.deltaY > 0 ? 1.3 : 1 / 1.3); }
    }, { passive: false });
    this.canvas.addEventListener('pointerdown', e => { down = this.at(e); });
    this.canvas.addEventListener('pointerup', e => {
      const up = this.at(e), was = down;
      down = null;
      if (!was) return;
      if (Math.abs(up.x - was.x) < 0.01) return openRank(this.ranks[up.rank], up.ns);
      const [a, b] = [Math.min(up.x, was.x), Math.max(up.x, was.x)], width = this.to - this.from;
      const least = 8 / this.bins;
      [this.from, this.to] = [this.from + a * width, this.from + Math.max(b * width, a * width + least)];
      this.draw();
    });
    this.canvas.addEventListener('pointermove', e => {
      const { x, rank, ns } = this.at(e), step = (this.to - this.from) / this.canvas.width;
      const shares = this.shares(rank, this.from + x * (this.to - this.from), this.from + x * (this.to - this.from) + step);
      const most = [...shares.keys()].filter(k => shares[k] > 0.01).sort((a, b) => shares[b] - shares[a]).slice(0, 4);
      const origin = this.windows[this.islands[rank]][0];
      this.tip.textContent = `${rankName(this.ranks[rank])} at ${time(ns - origin)}: ` +
        most.map(k => `${stateName(this.states[k])} ${share(shares[k])}`).join(', ');
      this.tip.hidden = false;
    });
    this.canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    this.canvas.addEventListener('keydown', e => {
      const act = { '+': () => this.zoom(0.5, 0.5), '-': () => this.zoom(0.5, 2), ArrowLeft: () => this.pan(-0.2), ArrowRight: () => this.pan(0.2) }[e.key];
      if (act) { e.preventDefault(); act(); }
    });
    this.axis.addEventListener('click', e => {
      const box = this.axis.getBoundingClientRect(), ns = this.moment(0, (e.clientX - box.left) / box.width);
      const number = C.operations.findIndex(o => o.island === this.islands[0] && o.start_ns <= ns && ns <= o.end_ns);
      if (number >= 0) openOperation(number);
    });
    addEventListener('resize', () => this.draw());
  }
}

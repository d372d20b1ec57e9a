// A view of a text of any length: only visible rows are in the document.
import { h, fill } from './dom.js';
import { commentLines, folds, pieces } from './highlight.js';

const ROW = 20;
/** Rows drawn above and below the visible part. */
const MARGIN = 20;
/** Rows that are drawn and removed together. */
const BLOCK = 10;
/** Characters in a row; longer lines continue in the next row, so that no row is slow to draw. */
const ROW_LETTERS = 2000;

export class TextView {
  /** `onLine(line)` is called when a line is selected; lines count from 1. */
  constructor({ label, onLine, onFold } = {}) {
    this.onLine = onLine;
    this.onFold = onFold;
    this.lines = [''];
    this.marks = new Map();
    this.spans = new Map();
    this.folded = new Set();
    this.found = undefined;
    this.rows = h('div', { class: 'rows' });
    this.blocks = new Map();
    this.space = h('div', { class: 'space' }, this.rows);
    this.element = h('div', { class: 'text', tabindex: 0, role: 'region', 'aria-label': label ?? 'Text' }, this.space);
    this.element.addEventListener('scroll', () => this.schedule(true));
    this.element.addEventListener('keydown', (event) => this.onKey(event));
    this.resize = new ResizeObserver(() => this.schedule(true));
    this.resize.observe(this.element);
    this.setText('', 'text');
  }

  /** Shows another text. Removes all marks and keeps the scroll position if possible. */
  setText(text, language) {
    this.language = language;
    this.lines = text.split('\n');
    if (this.lines.length > 1 && this.lines.at(-1) === '') this.lines.pop();
    this.comments = language === 'c' ? commentLines(this.lines) : undefined;
    this.ranges = folds(language, this.lines);
    this.folded.clear();
    this.marks = new Map();
    this.spans = new Map();
    this.layout();
  }

  /** Marks lines: `line -> { class, sign, extra, note, title }`. */
  setMarks(marks) {
    this.marks = marks;
    this.schedule();
  }

  /** Marks parts of lines: `line -> [{ from, to, class, title }]`, columns from 0. */
  setSpans(spans) {
    this.spans = spans;
    this.schedule();
  }

  /** A string to mark wherever it occurs. */
  setFound(text) {
    this.found = text || undefined;
    this.schedule();
  }

  layout() {
    const line = [];
    const from = [];
    for (let index = 0; index < this.lines.length; index += 1) {
      const length = this.lines[index].length;
      for (let at = 0; at === 0 || at < length; at += ROW_LETTERS) {
        line.push(index);
        from.push(at);
      }
      if (this.folded.has(index)) index = this.ranges.get(index);
    }
    this.rowLine = line;
    this.rowFrom = from;
    const longest = this.lines.reduce((most, text) => Math.max(most, text.length), 0);
    this.digits = String(this.lines.length).length;
    this.space.style.height = `${line.length * ROW}px`;
    this.space.style.width = `${Math.min(longest, ROW_LETTERS) * 7.6 + 120}px`;
    this.schedule();
  }

  /** Schedules a redraw. `isMoved`: only the scroll position has changed, so rows that are still visible are kept. */
  schedule(isMoved = false) {
    this.isStale ||= !isMoved;
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  /** Draws the blocks near the visible part. A block never moves, so scrolling paints only new blocks. */
  draw() {
    const rows = this.rowLine.length;
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW) - MARGIN);
    const last = Math.min(rows, Math.ceil((this.element.scrollTop + this.element.clientHeight) / ROW) + MARGIN);
    const [from, to] = [Math.floor(first / BLOCK), Math.ceil(last / BLOCK)];
    for (const [number, block] of this.blocks) {
      if (!this.isStale && from <= number && number < to) continue;
      block.remove();
      this.blocks.delete(number);
    }
    this.isStale = false;
    let next = this.rows.firstChild;
    for (let number = from; number < to; number += 1) {
      const known = this.blocks.get(number);
      if (known) next = known.nextSibling;
      else {
        const block = this.block(number * BLOCK, Math.min(rows, (number + 1) * BLOCK));
        this.blocks.set(number, block);
        this.rows.insertBefore(block, next);
      }
    }
  }

  block(from, to) {
    const made = [];
    for (let row = from; row < to; row += 1) made.push(this.row(this.rowLine[row], this.rowFrom[row]));
    return h('div', { class: 'block', style: { top: `${from * ROW}px` } }, made);
  }

  row(index, from) {
    const mark = this.marks.get(index + 1);
    const isFirst = from === 0;
    const canFold = isFirst && this.ranges.has(index);
    const fold = canFold && h('span', { class: 'fold', title: this.folded.has(index) ? 'Unfold' : 'Fold', onclick: (event) => { event.stopPropagation(); this.toggle(index); } }, this.folded.has(index) ? '▸' : '▾');
    const gutter = h('span', { class: 'gutter', onclick: () => this.choose(index + 1) },
      mark?.extra && isFirst && h('span', { class: 'extra' }, mark.extra),
      h('span', { class: 'sign', title: mark?.title }, (isFirst && mark?.sign) || ''),
      h('span', {}, (isFirst ? String(index + 1) : '').padStart(this.digits)),
      fold || h('span', { class: 'fold' }));
    const code = h('span', { class: 'code' }, this.pieces(index, from));
    if (this.folded.has(index)) code.append(h('span', { class: 'note' }, `… ${this.ranges.get(index) - index} lines`));
    if (mark?.note && isFirst) code.append(h('span', { class: 'note', title: mark.noteTitle ?? mark.note }, mark.note));
    return h('div', { class: ['row-line', mark?.class, this.cursor === index + 1 && 'cursor'], 'data-line': index + 1, title: mark?.title, onclick: () => this.choose(index + 1) }, gutter, code);
  }

  pieces(index, from) {
    const text = this.lines[index].slice(from, from + ROW_LETTERS);
    // Cuts the line wherever a mark starts or ends; a piece gets the classes of all marks that cover it.
    const kinds = pieces(this.language, text, this.comments?.[index] === 1).map(([start, end, kind]) => ({ start, end, class: `t-${kind}` }));
    for (const span of this.spans.get(index + 1) ?? []) kinds.push({ start: span.from - from, end: span.to - from, class: span.class, title: span.title });
    if (this.found) {
      for (let at = text.indexOf(this.found); at >= 0; at = text.indexOf(this.found, at + this.found.length)) kinds.push({ start: at, end: at + this.found.length, class: 't-find' });
    }
    const cuts = [...new Set([0, text.length, ...kinds.flatMap((kind) => [kind.start, kind.end])])].filter((cut) => cut >= 0 && cut <= text.length).sort((a, b) => a - b);
    return cuts.slice(0, -1).map((start, number) => {
      const end = cuts[number + 1];
      const over = kinds.filter((kind) => kind.start <= start && kind.end >= end);
      const part = text.slice(start, end);
      if (over.length === 0) return part;
      return h('span', { class: over.map((kind) => kind.class).join(' '), title: over.map((kind) => kind.title).filter(Boolean).join('\n') || undefined }, part);
    });
  }

  toggle(index) {
    if (!this.folded.delete(index)) this.folded.add(index);
    this.layout();
  }

  foldAll() {
    const all = this.folded.size === 0;
    this.folded = new Set(all ? [...this.ranges.keys()] : []);
    this.layout();
  }

  choose(line) {
    this.cursor = line;
    this.schedule();
    this.onLine?.(line);
  }

  /** Scrolls to a line and marks it. Does not call `onLine`. */
  goTo(line) {
    this.cursor = line;
    for (const first of [...this.folded]) if (first + 1 < line && this.ranges.get(first) + 1 >= line) this.folded.delete(first);
    this.layout();
    const row = this.rowLine.findIndex((index) => index >= line - 1);
    const top = Math.max(0, row) * ROW;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop + ROW || top > scrollTop + clientHeight - 2 * ROW) this.element.scrollTop = Math.max(0, top - clientHeight / 3);
    this.schedule();
  }

  onKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const line = Math.min(this.lines.length, Math.max(1, (this.cursor ?? 0) + step));
      this.goTo(line);
      this.onLine?.(line);
    } else if (event.key === 'Home' && event.ctrlKey) this.goTo(1);
    else if (event.key === 'End' && event.ctrlKey) this.goTo(this.lines.length);
    else if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && this.cursor && this.ranges.has(this.cursor - 1)) {
      const isFolded = this.folded.has(this.cursor - 1);
      if (isFolded === (event.key === 'ArrowRight')) this.toggle(this.cursor - 1);
    } else return;
    event.preventDefault();
  }

  /** The next line that contains a text, after the current one. */
  find(text, step = 1) {
    this.setFound(text);
    if (!text) return 0;
    const from = (this.cursor ?? 0) - 1;
    const n = this.lines.length;
    for (let count = 1; count <= n; count += 1) {
      const index = (((from + step * count) % n) + n) % n;
      if (this.lines[index].includes(text)) {
        this.goTo(index + 1);
        return index + 1;
      }
    }
    return 0;
  }
}

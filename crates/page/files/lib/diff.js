// Differences of two texts, by lines, and a view of them.
import { h } from './dom.js';
import { pieces } from './highlight.js';

/** Maximum number of edits to search for; beyond that, the rest is shown as replaced. */
const MOST_EDITS = 2000;

/** Lines as `{ kind: ' ' | '-' | '+', text, before, after }`, with their numbers from 1. Myers' algorithm. */
export function diffLines(before, after) {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const kinds = middle(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const found = [];
  let [i, j] = [0, 0];
  const push = (kind) => {
    const text = kind === '+' ? b[j] : a[i];
    found.push({ kind, text, before: kind === '+' ? undefined : i + 1, after: kind === '-' ? undefined : j + 1 });
    if (kind !== '+') i += 1;
    if (kind !== '-') j += 1;
  };
  for (let count = 0; count < start; count += 1) push(' ');
  kinds.forEach(push);
  for (let count = 0; count < end; count += 1) push(' ');
  return found;
}

function middle(a, b) {
  const n = a.length;
  const m = b.length;
  const most = Math.min(n + m, MOST_EDITS);
  let reach = new Map([[1, 0]]);
  const trail = [];
  for (let d = 0; d <= most; d += 1) {
    trail.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1)) ? reach.get(k + 1) : reach.get(k - 1) + 1;
      while (x < n && x - k < m && a[x] === b[x - k]) x += 1;
      reach.set(k, x);
      if (x >= n && x - k >= m) return backwards(trail, n, m);
    }
  }
  return [...a.map(() => '-'), ...b.map(() => '+')];
}

function backwards(trail, n, m) {
  const kinds = [];
  let [x, y] = [n, m];
  for (let d = trail.length - 1; d >= 0; d -= 1) {
    const reach = trail[d];
    const k = x - y;
    const from = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1)) ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : reach.get(from);
    const fromY = d === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      kinds.push(' ');
      x -= 1;
      y -= 1;
    }
    if (d > 0) kinds.push(x > fromX ? '-' : '+');
    [x, y] = [fromX, fromY];
  }
  return kinds.reverse();
}

/** Lines longer than this are not shown in full. */
const LONG = 1000;
/** Characters of a long line that are shown before and after the difference. */
const AROUND = 40;

/** A view of differences: changed lines with a few around them. */
export function diffView(before, after, { language = 'text', around = 3, label = 'Changes' } = {}) {
  // A newline at the end does not count as a line.
  const lines = markParts(diffLines(before.replace(/\n$/, ''), after.replace(/\n$/, '')));
  const near = new Set();
  lines.forEach((line, at) => {
    if (line.kind !== ' ') for (let index = at - around; index <= at + around; index += 1) near.add(index);
  });
  const rows = [];
  let skipped = 0;
  const flush = () => {
    if (skipped > 0) rows.push(h('div', { class: 'diff-skip' }, `${skipped} unchanged ${skipped === 1 ? 'line' : 'lines'}`));
    skipped = 0;
  };
  lines.forEach((line, at) => {
    if (!near.has(at)) {
      skipped += 1;
      return;
    }
    flush();
    rows.push(row(line, language));
  });
  flush();
  const removed = lines.filter((line) => line.kind === '-').length;
  const added = lines.filter((line) => line.kind === '+').length;
  return h('div', { class: 'diff', role: 'region', tabindex: 0, 'aria-label': `${label}: ${removed} lines removed, ${added} added` }, rows);
}

/** What differs between a removed line and its replacement: `[start, end]` in each. */
function changedParts(before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [[start, before.length - end], [start, after.length - end]];
}

/** Marks the parts of lines that differ, if as many lines were added as were removed. */
function markParts(lines) {
  for (let at = 0; at < lines.length;) {
    let removed = 0;
    while (lines[at + removed]?.kind === '-') removed += 1;
    let added = 0;
    while (lines[at + removed + added]?.kind === '+') added += 1;
    for (let index = 0; removed === added && index < removed; index += 1) {
      const [before, after] = [lines[at + index], lines[at + removed + index]];
      [before.part, after.part] = changedParts(before.text, after.text);
    }
    at += Math.max(1, removed + added);
  }
  return lines;
}

/** A piece of a line as text or, if it is highlighted or differs, as an element. */
function piece(text, from, to, name, [start, end]) {
  if (from === to) return [];
  const cuts = [from, ...[start, end].filter((at) => from < at && at < to), to];
  return cuts.slice(1).map((until, index) => {
    const part = text.slice(cuts[index], until);
    const isChanged = start <= cuts[index] && until <= end;
    return name || isChanged ? h('span', { class: [name && `t-${name}`, isChanged && 'diff-part'] }, part) : part;
  });
}

/** The part of a line that is shown: all of it or, if it is long, the difference with a little text around it. */
function shortened({ text, part = [0, 0] }) {
  if (text.length <= LONG) return { text, part };
  const from = part[0] > 2 * AROUND ? part[0] - AROUND : 0;
  const to = Math.min(text.length, Math.max(part[1] + AROUND, from + LONG / 2), from + LONG);
  const before = from > 0 ? `… ${from} characters … ` : '';
  const after = to < text.length ? ` … ${text.length - to} characters …` : '';
  return { text: before + text.slice(from, to) + after, part: part.map((at) => Math.min(at, to) - from + before.length) };
}

function row(line, language) {
  const kind = { '+': 'diff-add', '-': 'diff-del', ' ': '' }[line.kind];
  const { text, part } = shortened(line);
  const parts = [];
  let from = 0;
  for (const [start, end, name] of pieces(language, text, false)) {
    parts.push(piece(text, from, start, undefined, part), piece(text, start, end, name, part));
    from = end;
  }
  parts.push(piece(text, from, text.length, undefined, part));
  return h('div', { class: ['row-line', kind] }, h('span', { class: 'gutter' }, h('span', { class: 'line-no' }, line.before ?? ''), h('span', { class: 'line-no' }, line.after ?? ''), h('span', { class: 'sign' }, line.kind)), h('span', { class: 'code' }, parts));
}

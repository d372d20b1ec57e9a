// Both runs over the source: an arrow at the current line, values at their lines, and a table of all variables.
import { h, fill, baseName } from '../lib/dom.js';
import { TextView } from '../lib/text.js';
import { split } from '../lib/panes.js';

const RUNS = ['failing', 'passing'];

export class RunPair {
  constructor({ onStep }) {
    this.onStep = onStep;
    this.texts = Object.fromEntries(RUNS.map((run) => [run, new TextView({ label: `Source with the ${run} run`, onLine: (line) => this.stepToLine(line) })]));
    this.slider = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Position in the trace', oninput: () => this.setStep(Number(this.slider.value)) });
    this.position = h('strong', { role: 'status', class: 'position' });
    this.what = h('span', { class: 'mono soft grow cut' });
    const button = (text, label, call) => h('button', { class: 'small', 'aria-label': label, title: label, onclick: call }, text);
    this.controls = h('div', { class: 'pane-bar', hidden: true }, button('|◀', 'First state', () => this.setStep(0)), button('◀', 'Step backwards', () => this.move(-1)), button('▶', 'Step forwards', () => this.move(1)), button('▶|', 'Last state', () => this.setStep(this.trace.length - 1)), this.slider, this.position, this.what);
    this.ssa = h('input', { type: 'checkbox', onchange: () => this.draw() });
    this.unexecuted = h('input', { type: 'checkbox', onchange: () => this.setReport(this.report) });
    this.options = h('span', { class: 'row', hidden: true }, h('label', { class: 'check' }, this.ssa, 'SSA names'), h('label', { class: 'check' }, this.unexecuted, 'Code that neither run executes'));
    this.only = h('input', { type: 'checkbox', onchange: () => this.drawWatch() });
    this.rows = h('tbody');
    const head = h('tr', {}, ['Variable', 'Fails', 'Passes', 'Hexadecimal', 'Bits'].map((title) => h('th', { scope: 'col' }, title)));
    this.watch = h('div', { class: 'stack' }, h('label', { class: 'check' }, this.only, 'Only values that differ'), h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Watch table' }, h('table', { class: 'watch' }, h('thead', {}, head), this.rows)));
    const pane = (run, title, kind) => h('div', { class: 'run-pane' }, h('div', { class: 'pane-bar' }, h('span', { class: ['badge', kind] }, title), this[`${run}Inputs`] = h('span', { class: 'mono soft' })), this.texts[run].element);
    this.panes = [pane('failing', '✗ failing run', 'bad'), pane('passing', '✓ passing run', 'good')];
    this.element = h('div', { class: 'views' }, this.texts.failing.element);
    this.trace = [];
    this.other = undefined;
    this.slice = [];
    this.step = 0;
    this.onKey = (event) => {
      if (event.target.matches?.('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'n') this.move(1);
      else if (event.key === 'p') this.move(-1);
    };
    document.addEventListener('keydown', this.onKey);
  }

  leave() {
    document.removeEventListener('keydown', this.onKey);
  }

  setSource(text, file) {
    this.file = file;
    for (const run of RUNS) this.texts[run].setText(text, 'c');
  }

  /** Shows the traces of an explanation, at a step. */
  setReport(report, step) {
    if (report !== this.report) this.other = undefined;
    this.report = report;
    const all = withEnd(report, this.other);
    this.trace = this.unexecuted.checked ? all : all.filter((entry) => entry.is_executed_failing || entry.is_executed_passing);
    if (this.controls.hidden) this.arrange();
    this.slider.max = this.trace.length - 1;
    for (const run of RUNS) this[`${run}Inputs`].textContent = (run === 'passing' && this.other ? this.other : report)[run].inputs.filter((input) => input.is_read).map((input) => `${input.name}=${input.value}`).join(' ');
    this.setStep(step ?? this.trace.length - 1, true);
  }

  /** Shows another passing run instead of the closest one, or the closest one again. */
  setOther(other) {
    if (this.other === other) return;
    this.other = other;
    this.setReport(this.report, this.step);
  }

  /** With two runs, each has a pane. Before that, the source is shown once. */
  arrange() {
    this.controls.hidden = false;
    this.options.hidden = false;
    this.panes[0].append(this.texts.failing.element);
    fill(this.element, this.controls, split(...this.panes, { share: 50, name: 'runs' }));
  }

  /** Marks the lines of the explanation. */
  setSlice(deltas) {
    this.slice = deltas;
    this.draw();
  }

  /** Whether a place is in the shown file and not in a header. */
  isHere({ file }) {
    return !file || file === this.file || baseName(file) === baseName(this.file ?? '');
  }

  goTo(line) {
    for (const run of RUNS) this.texts[run].goTo(line);
  }

  move(by) {
    this.setStep(this.step + by);
  }

  setStep(step, isQuiet) {
    this.step = Math.min(this.trace.length - 1, Math.max(0, step));
    this.slider.value = this.step;
    this.position.textContent = `${this.step + 1} of ${this.trace.length}`;
    if (!isQuiet) this.onStep(this.step);
    this.draw(true);
  }

  /** The next step at a line, after a click on it. */
  stepToLine(line) {
    const at = (from) => this.trace.findIndex((entry, index) => index >= from && entry.place.line === line && this.isHere(entry.place));
    const next = at(this.step + 1);
    const found = next >= 0 ? next : at(0);
    if (found >= 0) this.setStep(found);
  }

  name(entry) {
    if (entry.kind === 'property') return entry.what;
    const what = entry.kind === 'guard' ? `(${entry.what})` : entry.what;
    return this.ssa.checked ? `${what}#${entry.version}` : what;
  }

  draw(isMoved) {
    if (!this.report) return;
    const now = this.trace[this.step];
    this.what.textContent = now ? `${now.place.function}: ${this.name(now)} · ${this.report.property.kind}` : '';
    for (const run of RUNS) this.drawRun(run, isMoved);
    this.drawWatch();
  }

  drawRun(run, isMoved) {
    const marks = new Map();
    for (const delta of this.slice) if (delta.place.line && this.isHere(delta.place)) marks.set(delta.place.line, { class: 'warm', title: 'part of the explanation' });
    const { place } = this.report.property;
    if (this.isHere(place)) marks.set(place.line, { class: 'hot', sign: '✗', title: 'the violated property' });
    let current;
    for (const entry of this.trace.slice(0, this.step + 1)) {
      const { line } = entry.place;
      if (!line || !entry[`is_executed_${run}`] || !this.isHere(entry.place)) continue;
      const value = entry.kind === 'guard' ? (entry[run] === '0' ? 'FALSE' : 'TRUE') : entry[run];
      const isOther = entry.failing !== entry.passing;
      const note = entry.kind === 'property' ? value : `${this.name(entry)} = ${value}${isOther ? ' ≠' : ''}`;
      // A line may have many values: the latest is shown, the tooltip lists all.
      const earlier = marks.get(line)?.noteTitle;
      marks.set(line, { ...(marks.get(line) ?? {}), note, noteTitle: earlier ? `${earlier}\n${note}` : note });
      current = line;
    }
    if (current) marks.set(current, { ...marks.get(current), sign: '➤' });
    const view = this.texts[run];
    view.setMarks(marks);
    if (isMoved && current) view.goTo(current);
  }

  drawWatch() {
    if (!this.report) return;
    const values = new Map();
    for (const entry of this.trace.slice(0, this.step + 1)) {
      if (entry.kind === 'property') continue;
      const key = `${entry.place.function}::${this.name(entry)}`;
      const known = values.get(key) ?? {};
      values.set(key, { kind: entry.kind, failing: entry.is_executed_failing ? entry.failing : known.failing, passing: entry.is_executed_passing ? entry.passing : known.passing, isNew: entry === this.trace[this.step] });
    }
    const rows = [...values].filter(([, value]) => !this.only.checked || value.failing !== value.passing);
    fill(this.rows, rows.map(([name, value]) => watchRow(name, value)));
  }
}

/** The traces of both runs with the property where the failing run ends. Another passing run has its own values. */
function withEnd({ trace, property, notes }, other) {
  const all = other ? trace.map((entry, index) => ({ ...entry, passing: other.trace[index].value, is_executed_passing: other.trace[index].is_executed })) : [...trace];
  const end = { kind: 'property', place: property.place, what: property.text, failing: 'violated', passing: 'holds', is_executed_failing: true, is_executed_passing: !notes?.includes('no-run-reaches') };
  all.splice(all.findLastIndex((entry) => entry.is_executed_failing) + 1, 0, end);
  return all;
}

function watchRow(name, { kind, failing, passing, isNew }) {
  const isTruth = kind === 'guard';
  const show = (value) => (value === undefined ? '–' : isTruth ? (value === '0' ? 'FALSE' : 'TRUE') : value);
  const unused = Math.min(...[failing, passing].filter((value) => value !== undefined).map(zeroBytes));
  const both = (make) => (failing === passing ? make(failing) : [make(failing), h('br'), make(passing)]);
  return h('tr', { class: [isNew && 'chosen', failing !== passing && 'differs'] }, h('td', { class: 'mono' }, name, failing !== passing && h('span', { class: 'warn', title: 'differs' }, ' ≠')), h('td', { class: 'mono number' }, show(failing)), h('td', { class: 'mono number' }, show(passing)), h('td', { class: 'mono' }, both((value) => hex(value))), h('td', { class: 'mono bits', title: [...new Set([failing, passing])].map((value) => bits(value, 0)).join('\n') }, both((value) => bits(value, unused))));
}

/** Two's complement in 32 bits, or 64 if necessary. */
function unsigned(value) {
  try {
    const number = BigInt(value);
    const width = number >= -(1n << 31n) && number < 1n << 32n ? 32 : 64;
    return { number: BigInt.asUintN(width, number), width };
  } catch {
    return undefined;
  }
}

const hex = (value) => {
  const made = unsigned(value ?? '');
  return value === undefined || value === '' || !made ? '' : `0x${made.number.toString(16)}`;
};

/** Number of leading zero bytes to hide. At least two bytes are shown. */
function zeroBytes(value) {
  const made = unsigned(value);
  return made ? Math.min(made.width / 8 - 2, Math.floor((made.width - made.number.toString(2).length) / 8)) : 0;
}

/** Bits grouped in bytes, without some leading bytes. */
const bits = (value, without) => {
  const made = unsigned(value ?? '');
  if (value === undefined || value === '' || !made) return '';
  return made.number.toString(2).padStart(made.width, '0').slice(8 * without).replace(/(.{8})(?=.)/g, '$1 ');
};

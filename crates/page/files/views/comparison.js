// Strategies side by side: the comparison of the thesis as a table and a chart.
import { h, fill, number, count, baseName } from '../lib/dom.js';
import { report } from '../lib/api.js';
import { CommandLine } from '../lib/job.js';
import { LineChart, swatch } from '../lib/charts.js';
import { fitting } from './reduce_form.js';

const nameOf = ({ strategy, simplify }) => `${strategy}${simplify ? ' + simplify' : ''}`;

/** The comparison so far, assembled from single runs. */
function soFar(runs) {
  const files = [...new Map(runs.map(({ file }) => [file.path, file])).values()];
  const rows = new Map();
  for (const { file, strategy, simplify, outcome } of runs) {
    const row = rows.get(nameOf({ strategy, simplify })) ?? { strategy, simplify, results: [] };
    row.results[files.findIndex(({ path }) => path === file.path)] = outcome;
    rows.set(nameOf(row), row);
  }
  return { unit: runs[0].unit, files, rows: [...rows.values()] };
}

/** The start of a logarithmic axis. */
const FIRST = { asks: 1, seconds: 0.001 };

/** The points of a strategy, from the file before to the end of the search. */
function curve(file, result, x, least) {
  const points = [[0, file.bytes], ...result.steps.map((step) => [step[x], step.bytes]), [result[x], result.bytes]].map(([at, bytes]) => [Math.max(least, at), bytes]);
  // If two steps have the same x, the later one counts.
  return points.filter(([at], index) => points[index + 1]?.[0] !== at);
}

/** The result of a comparison: both curves of every strategy, and a table that is their legend. */
export class Curves {
  constructor() {
    this.runs = new LineChart({ label: 'Size against test runs', xLabel: 'test runs', yLabel: 'bytes', legend: false });
    this.time = new LineChart({ label: 'Size against time', xLabel: 'seconds', yLabel: 'bytes', legend: false });
    this.title = h('h2', { class: 'grow' }, 'Comparison');
    this.file = h('select', { 'aria-label': 'File', hidden: true, onchange: () => this.draw() });
    this.scale = h('input', { type: 'checkbox', onchange: () => this.draw() });
    this.state = h('p', { class: 'soft', role: 'status' });
    this.table = h('div', {});
    this.hidden = new Set();
    this.element = h('div', { class: 'curves scroll', tabindex: 0, role: 'region', 'aria-label': 'Comparison of strategies' },
      h('div', { class: 'row' }, this.title, this.file, h('label', { class: 'check' }, this.scale, 'Logarithmic')),
      this.state, h('div', { class: 'charts large' }, this.runs.element, this.time.element), this.table);
  }

  update({ lines, progress }, isLive) {
    const runs = lines.filter((line) => line.type === 'compared');
    const whole = lines.findLast((line) => line.type === 'document')?.content;
    this.comparison = whole ?? (runs.length > 0 ? soFar(runs) : undefined);
    const now = progress && ` Now ${progress.pass}: ${number(progress.bytes)} bytes after ${count(progress.asks, 'test run')}.`;
    this.state.textContent = isLive ? `${count(runs.length, 'run has', 'runs have')} ended.${now || ''}` : '';
    for (const failed of whole?.failed ?? []) this.state.textContent += `${failed.path}: ${failed.message} `;
    if (this.comparison) this.draw();
  }

  draw() {
    const { files, unit } = this.comparison;
    if (this.file.options.length !== files.length) fill(this.file, files.map((file, index) => h('option', { value: index }, baseName(file.path))));
    this.file.hidden = files.length < 2;
    const file = files[Number(this.file.value || 0)];
    this.title.textContent = `${baseName(file.path)}: ${number(file.size)} ${unit}, ${number(file.bytes)} bytes`;
    // Colours stay with their strategies, whatever the order of the table is.
    const rows = this.comparison.rows.map((row, at) => ({ name: nameOf(row), at, result: row.results[Number(this.file.value || 0)] })).filter(({ result }) => result);
    const series = (x) => rows.filter(({ name }) => !this.hidden.has(name)).map(({ name, at, result }) => ({ name, at, points: curve(file, result, x, this.scale.checked ? FIRST[x] : 0) }));
    this.runs.setSeries(series('asks'), { isLogarithmic: this.scale.checked });
    this.time.setSeries(series('seconds'), { isLogarithmic: this.scale.checked });
    this.drawTable(rows, file, unit);
  }

  drawTable(rows, file, unit) {
    const most = Math.max(...rows.map(({ result }) => result.asks), 1);
    const meter = (max, value, label) => h('td', {}, h('meter', { min: 0, max, value, 'aria-label': label }));
    const figure = (text) => h('td', { class: 'number' }, text);
    const toggle = ({ name, at }) => h('label', { class: 'check' }, h('input', { type: 'checkbox', ...(this.hidden.has(name) ? {} : { checked: true }), onchange: (event) => { if (event.target.checked) this.hidden.delete(name); else this.hidden.add(name); this.draw(); } }), swatch(at), h('strong', {}, name));
    const line = (row) => h('tr', { onmouseenter: () => this.focus(row.name), onmouseleave: () => this.focus() }, h('td', {}, toggle(row)),
      figure(number(row.result.size)), meter(file.size, row.result.size, `${row.result.size} ${unit}`), figure(number(row.result.bytes)),
      figure(number(row.result.asks)), meter(most, row.result.asks, `${row.result.asks} test runs`), figure(`${row.result.seconds.toFixed(1)} s`),
      figure(row.result.percent_per_ask?.toFixed(2) ?? '–'), h('td', {}, row.result.ended ? 'yes' : 'stopped by a limit'));
    const sorted = [...rows].sort((a, b) => a.result.size - b.result.size || a.result.bytes - b.result.bytes || a.result.asks - b.result.asks);
    const heads = [['Strategy'], [`${unit} left`, 2], ['Bytes', 1], ['Test runs', 2], ['Time', 1], ['Percent per run', 1], ['Ended']];
    fill(this.table, h('table', { class: 'compared' }, h('thead', {}, h('tr', {}, heads.map(([title, columns]) => h('th', { scope: 'col', class: columns ? 'number' : '' }, title)).flatMap((cell, index) => (heads[index][1] === 2 ? [cell, h('td', {})] : [cell])))), h('tbody', {}, sorted.map(line))),
      h('p', { class: 'faint' }, 'Every strategy starts from the same file, with one run at a time. A run whose answer is known from another strategy counts too, with its time.'));
  }

  focus(name) {
    this.runs.focus(name);
    this.time.focus(name);
  }
}

/** The form: which strategies to compare. */
export class Comparison {
  constructor(onStart) {
    this.curves = new Curves();
    this.boxes = h('div', { class: 'strategies', role: 'group', 'aria-label': 'Strategies to compare' });
    this.maxRuns = h('input', { type: 'number', min: 1, placeholder: 'no limit' });
    this.command = new CommandLine();
    this.button = h('button', { class: 'primary' }, 'Compare');
    this.button.addEventListener('click', () => onStart(this.value()));
    this.fields = h('fieldset', { class: 'stack', disabled: report !== undefined }, h('legend', { class: 'visually-hidden' }, 'What is compared'), this.boxes, h('label', { class: 'field narrow' }, 'Test runs for each', this.maxRuns));
    this.element = h('div', { class: 'stack' }, h('p', { class: 'soft live-only' }, 'Runs several strategies on the open file, each from the start, and writes nothing. The program is the one chosen under “Run”.'), this.fields, h('h3', {}, 'The same in the terminal'), this.command.element, h('div', { class: 'row live-only' }, this.button));
    this.element.addEventListener('change', () => this.command.changed(this.value()));
  }

  setFile(file, language, form) {
    this.file = file;
    this.form = form;
    this.button.disabled = !file;
    const some = new Set(this.chosen ?? ['auto', 'ddmin', 'hdd', 'bfs']);
    fill(this.boxes, fitting(language).map(([name, title]) => h('label', { class: 'strategy', title }, h('input', { type: 'checkbox', value: name, ...(some.has(name) ? { checked: true } : {}) }), h('strong', {}, name))));
    this.command.update(this.value());
  }

  /** Fills in the form. */
  set(form, typed = '') {
    this.command.typed(typed);
    this.chosen = form.strategies?.length > 0 ? form.strategies : undefined;
    for (const input of this.boxes.querySelectorAll('input')) input.checked = !this.chosen || this.chosen.includes(input.value);
    this.maxRuns.value = form.max_runs ?? '';
    this.command.update(this.value());
  }

  value() {
    const strategies = [...this.boxes.querySelectorAll('input:checked')].map((input) => input.value);
    const value = { kind: 'compare', file: this.file ?? '', program: this.form?.().program ?? '', strategies };
    if (this.maxRuns.value !== '') value.max_runs = Number(this.maxRuns.value);
    return value;
  }

  /** Locks the form while a job runs. */
  setBusy(isBusy) {
    this.fields.disabled = isBusy || report !== undefined;
    this.button.disabled = isBusy || !this.file;
  }
}

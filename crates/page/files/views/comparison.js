// Strategies side by side: the comparison of the thesis as a table and a picture.
import { h, fill, number } from '../lib/dom.js';
import { CommandLine } from '../lib/job.js';
import { fitting } from './reduce_form.js';

export class Comparison {
  constructor(onStart) {
    this.onStart = onStart;
    this.boxes = h('div', { class: 'strategies', role: 'group', 'aria-label': 'Strategies to compare' });
    this.maxRuns = h('input', { type: 'number', min: 1, placeholder: 'no limit' });
    this.command = new CommandLine();
    this.button = h('button', { class: 'primary', onclick: () => this.onStart(this.value()) }, 'Compare');
    this.result = h('div', {});
    this.element = h('div', { class: 'stack' }, h('p', { class: 'soft' }, 'Runs several strategies on the open file and writes nothing. The program is the one chosen under “Run”.'), this.boxes, h('label', { class: 'field narrow' }, 'Test runs for each', this.maxRuns), this.command.element, h('div', { class: 'row' }, this.button), this.result);
    this.element.addEventListener('change', () => this.command.update(this.value()));
  }

  setFile(file, language, form) {
    this.file = file;
    this.form = form;
    const some = new Set(['auto', 'ddmin', 'hdd', 'bfs']);
    fill(this.boxes, fitting(language).map(([name, title]) => h('label', { class: 'strategy', title }, h('input', { type: 'checkbox', value: name, ...(some.has(name) ? { checked: true } : {}) }), h('strong', {}, name))));
    this.command.update(this.value());
  }

  value() {
    const strategies = [...this.boxes.querySelectorAll('input:checked')].map((input) => input.value);
    const value = { kind: 'compare', file: this.file ?? '', program: this.form().program, strategies };
    if (this.maxRuns.value !== '') value.max_runs = Number(this.maxRuns.value);
    return value;
  }

  setResult(lines, isLive) {
    const report = lines.findLast((line) => line.type === 'document')?.content;
    if (!report) {
      fill(this.result, isLive && h('p', { class: 'soft', role: 'status' }, 'Comparing…'));
      return;
    }
    const rows = report.rows.map((row) => ({ ...row, result: row.results[0] }));
    const most = Math.max(...rows.map(({ result }) => result.asks), 1);
    const size = report.files[0].size;
    const line = (row) => h('tr', {}, h('td', {}, `${row.strategy}${row.simplify ? ' + simplify' : ''}`),
      h('td', { class: 'number' }, number(row.result.size)), h('td', {}, h('meter', { min: 0, max: size, value: row.result.size, 'aria-label': `${row.result.size} ${report.unit}` })),
      h('td', { class: 'number' }, number(row.result.asks)), h('td', {}, h('meter', { min: 0, max: most, value: row.result.asks, 'aria-label': `${row.result.asks} test runs` })),
      h('td', { class: 'number' }, row.result.percent_per_ask?.toFixed(2) ?? '–'), h('td', {}, row.result.ended ? 'yes' : 'stopped by a limit'));
    fill(this.result, h('h2', {}, `From ${number(size)} ${report.unit}`), h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Strategy'), h('th', { scope: 'col', class: 'number' }, `${report.unit} left`), h('th', { scope: 'col' }, 'Left'), h('th', { scope: 'col', class: 'number' }, 'Test runs'), h('th', { scope: 'col' }, 'Runs'), h('th', { scope: 'col', class: 'number' }, 'Percent per run'), h('th', { scope: 'col' }, 'Ended'))), h('tbody', {}, rows.map(line))));
  }
}

// Covering: the source coloured by what is reached, the goals, the tests, and the path of one test.
import { h, fill, count } from '../lib/dom.js';
import { attempt, get, readFile } from '../lib/api.js';
import { acceptDrops, fileBar } from '../lib/files.js';
import { TextView } from '../lib/text.js';
import { GraphView } from '../lib/graph.js';
import { split, tabs } from '../lib/panes.js';
import { CommandLine, JobBar, failureOf, getJob, isLive, startJob, watchJob } from '../lib/job.js';
import { addCommands } from '../lib/palette.js';
import { go, remember } from '../main.js';
import { TestTable } from './cover_tests.js';

const CRITERIA = [['mcdc', 'MC/DC'], ['condition-decision', 'Condition/decision'], ['condition', 'Condition'], ['decision', 'Decision'], ['statement', 'Statement'], ['path', 'Path']];
const READINGS = [['unique-cause', 'Unique cause (clang)'], ['masking', 'Masking (gcc)'], ['strict', 'Strict']];
const STATES = { covered: ['good', '✓'], infeasible: ['', '∅'], 'infeasible-if': ['', '∅'], undefined: ['warn', '?'], 'beyond-bound': ['warn', '…'], open: ['bad', '✗'], 'left-out': ['bad', '✗'] };

class CoverView {
  constructor(main, params) {
    this.main = main;
    this.params = params;
    this.leave = [];
    this.text = new TextView({ label: 'Source', onLine: (line) => this.flow?.goToLine(line) });
    this.flow = new GraphView({ label: 'Control flow of the function', fileName: params.function ?? 'flow', onNode: (node) => node.line && this.text.goTo(node.line) });
    this.bar = new JobBar();
    this.tests = new TestTable({ onPick: (marks) => this.showPath(marks), form: () => this.value(), onAskRest: (tests) => this.start({ ...this.value(), tests }) });
  }

  async show() {
    const openFile = (file) => go('/cover', { file });
    acceptDrops(this.main, openFile);
    this.notice = h('div', {});
    this.headline = h('div', { class: 'headline' });
    this.goals = h('div', { class: 'stack' });
    this.why = h('div', { class: 'stack' });
    this.makeForm();
    this.flowButton = h('button', { class: 'small', 'aria-pressed': false, onclick: () => this.toggleFlow() }, 'Control flow');
    this.tabs = tabs([
      { id: 'tests', title: 'Tests', panel: this.tests.element },
      { id: 'goals', title: 'Goals', panel: this.goals },
      { id: 'why', title: 'Proof', panel: this.why },
      { id: 'run', title: 'Run', panel: this.form },
    ], { label: 'Cover', first: this.params.tab ?? (this.params.job || this.params.start ? 'tests' : 'run'), onChange: (tab) => remember({ tab }) });
    this.views = h('div', { class: 'views' }, this.text.element);
    const side = h('div', { class: 'side' }, h('div', { class: 'side-head' }, h('h1', {}, 'Cover'), this.bar.element), this.headline, this.notice, this.tabs);
    fill(this.main, fileBar('cover', this.params.file, openFile, h('span', { class: 'right' }), legend(), this.flowButton), split(this.views, side, { share: 48, name: 'cover' }));
    this.leave.push(addCommands(() => [{ title: 'Cover: find tests', run: () => this.start(this.value()) }, { title: 'Show the control flow', run: () => this.toggleFlow() }]));
    if (!this.params.file) fill(this.views, h('div', { class: 'empty grow' }, 'Open, drop or paste a C file.'));
    else await this.openFile();
    if (this.params.job) await this.openJob(this.params.job);
    else if (this.params.start && this.params.file) await this.start(this.value());
    return () => this.leave.forEach((call) => call());
  }

  makeForm() {
    const select = (list, value) => h('select', {}, list.map(([name, title]) => h('option', { value: name, ...(name === value ? { selected: true } : {}) }, title)));
    this.function = h('select', {});
    this.criterion = select(CRITERIA, this.params.criterion ?? 'mcdc');
    this.mcdc = select(READINGS, this.params.mcdc ?? 'unique-cause');
    this.globals = h('input', { type: 'checkbox' });
    this.unwind = h('input', { type: 'number', min: 1, placeholder: 'as needed' });
    this.maxTime = h('input', { type: 'number', min: 1, placeholder: 'no limit' });
    this.command = new CommandLine();
    const field = (title, input) => h('label', { class: 'field' }, title, input);
    this.startButton = h('button', { class: 'primary', type: 'submit' }, 'Find the fewest tests');
    this.form = h('form', { class: 'stack', onsubmit: (event) => { event.preventDefault(); this.start(this.value()); } },
      h('div', { class: 'grid2' }, field('Function', this.function), field('Criterion', this.criterion), field('Reading of MC/DC', this.mcdc), field('Rounds of each loop', this.unwind), field('Seconds in all', this.maxTime), h('label', { class: 'check' }, this.globals, 'Global variables are inputs')),
      h('h3', {}, 'The same in the terminal'), this.command.element, h('div', { class: 'row' }, this.startButton));
    this.form.addEventListener('change', () => this.command.update(this.value()));
  }

  value() {
    const value = { kind: 'cover', file: this.params.file ?? '', function: this.function.value, criterion: this.criterion.value === 'mcdc' ? '' : this.criterion.value, mcdc: this.mcdc.value === 'unique-cause' ? '' : this.mcdc.value, globals: this.globals.checked };
    if (this.unwind.value) value.unwind = Number(this.unwind.value);
    if (this.maxTime.value) value.max_time = Number(this.maxTime.value);
    return value;
  }

  async openFile() {
    const text = await attempt(readFile(this.params.file));
    if (text === undefined) return;
    this.source = text;
    this.text.setText(text, 'c');
    const found = (await attempt(get('/api/functions', { path: this.params.file }))) ?? [];
    const names = found.map(({ name }) => name);
    if (this.params.function && !names.includes(this.params.function)) names.unshift(this.params.function);
    fill(this.function, names.map((name) => h('option', { value: name }, name)));
    this.function.value = this.params.function ?? names.at(-1) ?? '';
    this.function.addEventListener('change', () => { this.drawn = undefined; this.drawFlow(); });
    this.command.update(this.value());
    this.drawFlow();
  }

  toggleFlow() {
    const on = this.flowButton.getAttribute('aria-pressed') !== 'true';
    this.flowButton.setAttribute('aria-pressed', on);
    fill(this.views, on ? split(this.text.element, this.flow.element, { direction: 'column', share: 50, name: 'cover-views' }) : this.text.element);
    this.text.schedule();
    if (on) this.drawFlow();
  }

  async drawFlow() {
    if (this.flowButton.getAttribute('aria-pressed') !== 'true' || this.drawn === this.function.value) return;
    this.drawn = this.function.value;
    const graph = await attempt(get('/api/flow', { path: this.params.file, function: this.function.value }));
    if (!graph) return;
    await this.flow.setGraph(graph);
    this.markFlow();
  }

  async start(form) {
    const job = await startJob(form);
    if (!job) return;
    remember({ job: job.id, start: undefined, function: form.function });
    this.params.job = job.id;
    this.report = undefined;
    this.tabs.show('tests');
    await this.openJob(job.id);
  }

  async openJob(id) {
    const job = await attempt(getJob(id));
    if (!job) return;
    this.stopWatching?.();
    if (job.form.function) this.function.value = job.form.function;
    this.criterion.value = job.form.criterion || 'mcdc';
    this.mcdc.value = job.form.mcdc || 'unique-cause';
    this.globals.checked = job.form.globals;
    this.command.update(this.value());
    this.stopWatching = watchJob(id, (state) => { if (this.params.job === id) this.update(state); });
    this.leave.push(() => this.stopWatching());
  }

  update({ summary, lines }) {
    this.bar.set(summary);
    this.startButton.disabled = isLive(summary.phase);
    fill(this.notice, failureOf(lines));
    const report = lines.findLast((line) => line.type === 'document')?.content;
    if (!report) {
      fill(this.headline, isLive(summary.phase) && h('p', { class: 'soft', role: 'status' }, 'Looking for tests…'));
      return;
    }
    if (this.report) return;
    this.report = report;
    this.colour(report);
    this.showHeadline(report);
    this.showGoals(report);
    this.showProof(report);
    this.tests.setReport(report, this.source);
  }

  showHeadline(report) {
    const { goals, covered, infeasible } = report.summary;
    const rest = goals - covered - infeasible;
    fill(this.headline, h('p', {}, h('strong', {}, `${count(report.tests.length, 'test covers', 'tests cover')} ${covered} of ${goals} goals`), infeasible > 0 && `; ${infeasible} ${infeasible === 1 ? 'is' : 'are'} infeasible (proved)`, rest > 0 && `; ${rest} left`, '. ',
      report.is_minimal ? h('span', { class: 'badge good' }, '✓ minimum, proved') : h('span', { class: 'badge warn' }, `at least ${report.lower_bound} needed`), ' ',
      report.native === 'confirmed' && h('span', { class: 'badge good' }, '✓ compiled and run')),
    h('meter', { min: 0, max: goals, value: covered, 'aria-label': `${covered} of ${goals} goals covered` }));
  }

  /** Colours decisions and conditions where they are written. */
  colour(report) {
    const places = new Map();
    for (const goal of report.goals.filter((other) => other.kind !== 'decision' || !report.goals.some((inner) => inner.kind === 'condition' && inner.line === other.line && inner.column !== other.column))) {
      const key = `${goal.line}:${goal.column}:${goal.text}`;
      places.set(key, [...(places.get(key) ?? []), goal]);
    }
    const spans = new Map();
    const marks = new Map();
    for (const goals of places.values()) {
      const [{ line, column, text }] = goals;
      const n = goals.filter((goal) => goal.state === 'covered').length;
      const state = n === goals.length ? 'covered' : n > 0 ? 'partial' : 'missed';
      const title = goals.map((goal) => `${goal.wanted}: ${goal.state}${goal.tests.length ? ` by test ${goal.tests.join(', ')}` : ''}`).join('\n');
      const source = this.text.lines[line - 1] ?? '';
      const length = source.startsWith(text, column - 1) ? text.length : Math.max(1, source.length - column + 1);
      spans.set(line, [...(spans.get(line) ?? []), { from: column - 1, to: column - 1 + length, class: `t-${state}`, title }]);
      const worst = marks.get(line)?.worst;
      const rank = { missed: 2, partial: 1, covered: 0 }[state];
      if (worst === undefined || rank > worst) marks.set(line, { worst: rank, sign: ['✓', '◐', '✗'][rank], title });
    }
    this.base = { spans, marks };
    this.text.setSpans(spans);
    this.text.setMarks(marks);
    this.text.goTo(report.line);
  }

  showGoals(report) {
    const filter = h('select', { 'aria-label': 'Which goals' }, [['', 'All goals'], ['covered', 'Covered'], ['infeasible', 'Infeasible'], ['other', 'Not covered']].map(([value, title]) => h('option', { value }, title)));
    const body = h('tbody');
    const draw = () => fill(body, report.goals.filter((goal) => !filter.value || goal.state === filter.value || (filter.value === 'other' && !['covered', 'infeasible'].includes(goal.state))).map((goal) => this.goalRow(goal)));
    filter.addEventListener('change', draw);
    draw();
    fill(this.goals, h('div', { class: 'row' }, filter), h('table', {}, h('thead', {}, h('tr', {}, ['Line', 'Decision or condition', 'Wanted', 'State', 'Tests'].map((title) => h('th', { scope: 'col' }, title)))), body));
  }

  goalRow(goal) {
    const [kind, sign] = STATES[goal.state] ?? ['', ''];
    return h('tr', { class: 'clickable', onclick: () => this.text.goTo(goal.line) }, h('td', {}, h('button', { class: 'small quiet', onclick: () => this.text.goTo(goal.line) }, goal.line)), h('td', { class: 'mono' }, goal.text), h('td', {}, goal.wanted),
      h('td', {}, h('span', { class: ['badge', kind] }, `${sign} ${goal.state}`), goal.reason && h('p', { class: 'soft' }, goal.reason)), h('td', {}, goal.kind === 'mcdc' && goal.tests.length === 2 ? `pair ${goal.tests.join(' and ')}` : goal.tests.join(', ')));
  }

  showProof(report) {
    const missing = report.goals.filter((goal) => goal.state !== 'covered');
    fill(this.why,
      report.clique?.length > 0 && [h('h2', {}, `Why at least ${report.lower_bound} tests`), h('p', { class: 'soft' }, 'No input meets two of these goals, so each needs a test of its own.'), h('ol', {}, report.clique.map((goal) => h('li', {}, goal.text)))],
      !report.clique?.length && h('p', {}, report.is_minimal ? 'Fewer tests are impossible: proved by the solver.' : 'The minimum is not proved.'),
      missing.length > 0 && [h('h2', {}, 'What no test reaches'), h('ul', { class: 'plain' }, missing.map((goal) => h('li', {}, h('strong', {}, `Line ${goal.line}: `), h('code', {}, goal.text), ` ${goal.wanted}: ${goal.state}`, goal.reason && h('p', { class: 'soft' }, goal.reason))))]);
  }

  /** The path of a test: lines that it executes, and outcomes on the way. */
  showPath(path) {
    this.path = path;
    if (!path) {
      this.text.setMarks(this.base?.marks ?? new Map());
      this.text.setSpans(this.base?.spans ?? new Map());
      this.markFlow();
      return;
    }
    const marks = new Map();
    const end = this.report?.tests.length ? Math.max(...this.report.goals.map((goal) => goal.line), ...path.lines) : 0;
    for (let line = this.report?.line ?? 1; line <= end; line += 1) marks.set(line, { class: path.lines.includes(line) ? 'ok' : 'dim', sign: path.lines.includes(line) ? '▸' : '' });
    for (const [line, outcomes] of path.outcomes) marks.set(line, { ...(marks.get(line) ?? {}), class: 'ok', sign: '▸', note: outcomes.join('  ') });
    this.text.setSpans(new Map());
    this.text.setMarks(marks);
    this.markFlow();
  }

  markFlow() {
    if (!this.flow.graph) return;
    const lines = new Set(this.path?.lines);
    // A condition is on the path if it was evaluated; others on its line may have been skipped.
    const isTaken = (node) => (node.edges.length > 1 && this.path.outcomes.has(node.line) ? this.path.outcomes.get(node.line).some((text) => text.startsWith(`${node.label} is `)) : lines.has(node.line));
    for (const element of this.flow.layer.querySelectorAll('.node')) {
      const node = this.flow.graph.nodes[Number(element.dataset.index)];
      const taken = this.path && isTaken(node);
      element.classList.toggle('taken', Boolean(taken));
      element.classList.toggle('untaken', Boolean(this.path) && !taken);
    }
  }
}

function legend() {
  return h('span', { class: 'row legend' }, h('span', { class: 't-covered' }, '✓ covered'), h('span', { class: 't-partial' }, '◐ in part'), h('span', { class: 't-missed' }, '✗ not covered'));
}

export const show = (main, params) => new CoverView(main, params).show();

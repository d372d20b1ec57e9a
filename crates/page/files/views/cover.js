// The cover view: the source coloured by coverage, the goals, the tests, and the path of one test.
import { h, fill, count } from '../lib/dom.js';
import { attempt, get, report } from '../lib/api.js';
import { CView } from '../lib/c_view.js';
import { acceptDrops, fileBar, nothingOpen } from '../lib/files.js';
import { TextView } from '../lib/text.js';
import { GraphView } from '../lib/graph.js';
import { split, tabs } from '../lib/panes.js';
import { addCommands } from '../lib/palette.js';
import { go, remember } from '../main.js';
import { TestTable } from './cover_tests.js';

const CRITERIA = [['mcdc', 'MC/DC'], ['condition-decision', 'Condition/decision'], ['condition', 'Condition'], ['decision', 'Decision'], ['statement', 'Statement'], ['path', 'Path']];
const READINGS = [['unique-cause', 'Unique cause (clang)'], ['masking', 'Masking (gcc)'], ['strict', 'Strict']];
const STATES = { covered: ['good', '✓'], infeasible: ['', '∅'], 'infeasible-if': ['', '∅'], undefined: ['warn', '?'], 'beyond-bound': ['warn', '…'], open: ['bad', '✗'], 'left-out': ['bad', '✗'] };

/** Labels of goals that are neither covered nor infeasible. */
const REST = { infeasible_if: 'infeasible under assumptions', undefined: 'reached only with undefined behaviour', beyond_bound: 'beyond the bounds', left_out: 'omitted because of the limit on tests', open: 'undecided' };

class CoverView extends CView {
  constructor(main, params) {
    super(main, params);
    this.text = new TextView({ label: 'Source', onLine: (line) => this.flow?.goToLine(line) });
    this.flow = new GraphView({ label: 'Control flow of the function', fileName: params.function ?? 'flow', onNode: (node) => node.line && this.text.goTo(node.line) });
    this.tests = new TestTable({ onPick: (path) => this.showPath(path), onChoose: (test) => remember({ test }), form: () => this.value(), onAskRest: (tests) => this.start({ ...this.value(), tests }) });
  }

  async show() {
    const openFile = (file) => go('/cover', { file });
    acceptDrops(this.main, openFile);
    const nothing = () => h('p', { class: 'empty' }, 'No tests yet. Choose a function under “Run” and start.');
    this.goals = h('div', { class: 'stack' }, nothing());
    this.why = h('div', { class: 'stack' }, nothing());
    fill(this.tests.table, nothing());
    this.mutants = h('div', { class: 'stack' }, h('p', { class: 'empty' }, 'Mutants are tried only if they are selected under “Run” (', h('code', {}, 'nub cover --mutants'), ').'));
    this.makeFields();
    this.flowButton = h('button', { class: 'small', 'aria-pressed': false, onclick: () => this.toggleFlow() }, 'Control flow');
    this.tabs = tabs([
      { id: 'tests', title: 'Tests', panel: this.tests.element },
      { id: 'goals', title: 'Goals', panel: this.goals },
      { id: 'why', title: 'Proof', panel: this.why },
      { id: 'mutants', title: 'Mutants', panel: this.mutants },
      { id: 'run', title: 'Run', panel: this.form },
    ], { label: 'Cover', first: this.params.tab ?? (this.params.job || this.params.start ? 'tests' : 'run'), onChange: (tab) => remember({ tab }) });
    this.views = h('div', { class: 'views' }, this.text.element);
    fill(this.main, fileBar('cover', this.params.file, openFile, h('span', { class: 'right' }), legend(), this.flowButton), split(this.views, this.side('Cover'), { share: 48, name: 'cover' }));
    this.leave.push(addCommands(() => [{ title: 'Show the control flow', run: () => this.toggleFlow() }, ...(report ? [] : [{ title: 'Cover: find tests', run: () => this.start(this.value()) }])]));
    if (!this.params.file) fill(this.views, nothingOpen('cover', openFile, 'A C file with a function that needs tests.'));
    else await this.openFile();
    if (this.params.flow && this.params.file) this.toggleFlow();
    if (this.params.job) await this.openJob(this.params.job);
    else if (this.params.start && this.params.file) await this.start(this.value());
    return () => this.leave.forEach((call) => call());
  }

  makeFields() {
    const select = (list, value) => h('select', {}, list.map(([name, title]) => h('option', { value: name, ...(name === value ? { selected: true } : {}) }, title)));
    this.criterion = select(CRITERIA, this.params.criterion ?? 'mcdc');
    this.mcdc = select(READINGS, this.params.mcdc ?? 'unique-cause');
    this.globals = h('input', { type: 'checkbox' });
    this.boundaries = h('input', { type: 'checkbox' });
    this.tryMutants = h('input', { type: 'checkbox' });
    this.calls = h('input', { type: 'number', min: 1, max: 16, placeholder: '1' });
    this.unwind = h('input', { type: 'number', min: 1, placeholder: 'as needed' });
    this.maxTime = h('input', { type: 'number', min: 1, placeholder: 'no limit' });
    this.makeForm([['Function', this.function], ['Criterion', this.criterion], ['Variant of MC/DC', this.mcdc], ['Iterations of each loop', this.unwind], ['Consecutive calls', this.calls], ['Total time limit (s)', this.maxTime], ['Boundaries of comparisons', this.boundaries], ['Global variables are inputs', this.globals], ['Mutants: which faults do the tests detect?', this.tryMutants]], 'Find the fewest tests', () => this.start(this.value()));
  }

  value() {
    const value = { kind: 'cover', file: this.params.file ?? '', function: this.function.value, criterion: this.criterion.value === 'mcdc' ? '' : this.criterion.value, mcdc: this.mcdc.value === 'unique-cause' ? '' : this.mcdc.value, boundaries: this.boundaries.checked, mutants: this.tryMutants.checked, globals: this.globals.checked };
    if (this.calls.value) value.calls = Number(this.calls.value);
    if (this.unwind.value) value.unwind = Number(this.unwind.value);
    if (this.maxTime.value) value.max_time = Number(this.maxTime.value);
    return value;
  }

  setForm(form) {
    this.criterion.value = form.criterion || 'mcdc';
    this.mcdc.value = form.mcdc || 'unique-cause';
    this.boundaries.checked = form.boundaries;
    this.tryMutants.checked = form.mutants;
    this.globals.checked = form.globals;
    this.calls.value = form.calls ?? '';
    this.unwind.value = form.unwind ?? '';
    this.maxTime.value = form.max_time ?? '';
  }

  async openFile() {
    const text = await this.openSource((names) => names.at(-1));
    if (text === undefined) return;
    this.text.setText(text, 'c');
    this.function.addEventListener('change', () => { this.drawn = undefined; this.drawFlow(); });
    this.drawFlow();
  }

  toggleFlow() {
    const on = this.flowButton.getAttribute('aria-pressed') !== 'true';
    this.flowButton.setAttribute('aria-pressed', on);
    remember({ flow: on ? '1' : undefined });
    fill(this.views, on ? split(this.text.element, this.flow.element, { direction: 'column', share: 50, name: 'cover-views' }) : this.text.element);
    this.text.schedule();
    if (on) this.drawFlow();
  }

  async drawFlow() {
    if (this.flowButton.getAttribute('aria-pressed') !== 'true' || this.drawn === this.function.value) return;
    this.drawn = this.function.value;
    const outline = await attempt(get('/api/flow', { path: this.params.file, function: this.function.value }));
    if (!outline) return;
    await this.flow.setGraph(flowGraph(outline));
    this.markFlow();
  }

  goTo(line) {
    this.text.goTo(line);
  }

  start(form) {
    this.params.test = undefined;
    return this.begin(form, { function: form.function, test: undefined }, 'tests');
  }

  update(state) {
    const found = this.take(state, 'Looking for tests…');
    if (!found) return;
    this.colour(found);
    this.showHeadline(found);
    this.showGoals(found);
    this.showProof(found);
    this.showMutants(found);
    this.tests.setReport(found);
    const test = Number(this.params.test);
    this.params.test = undefined;
    if (found.tests.some(({ number }) => number === test)) this.tests.pick(test);
  }

  showHeadline(found) {
    const { goals, covered, infeasible } = found.summary;
    const n = found.tests.length - (found.mutation?.more_tests ?? 0);
    const rest = Object.entries(REST).filter(([state]) => found.summary[state] > 0).map(([state, words]) => `; ${found.summary[state]} ${words}`);
    fill(this.headline, h('p', {}, h('strong', {}, `${count(n, 'test covers', 'tests cover')} ${covered} of ${goals} goals`), infeasible > 0 && `; ${infeasible} ${infeasible === 1 ? 'is' : 'are'} infeasible (proved)`, rest, '. ',
      found.is_minimal ? h('span', { class: 'badge good' }, found.summary.open > 0 ? '✓ minimum for the decided goals, proved' : '✓ minimum, proved') : h('span', { class: 'badge warn' }, `at least ${found.lower_bound} needed`), ' ',
      found.native === 'confirmed' && h('span', { class: 'badge good' }, '✓ compiled and run')),
    h('meter', { min: 0, max: goals, value: covered, 'aria-label': `${covered} of ${goals} goals covered` }));
  }

  /** Colours decisions and conditions in the source. */
  colour(found) {
    const places = new Map();
    for (const goal of found.goals.filter((other) => other.kind !== 'decision' || !found.goals.some((inner) => inner.kind === 'condition' && inner.line === other.line && inner.column !== other.column))) {
      const key = `${goal.line}:${goal.column}:${goal.text}`;
      places.set(key, [...(places.get(key) ?? []), goal]);
    }
    const spans = new Map();
    const marks = new Map();
    for (const goals of places.values()) {
      const [{ line, column, text }] = goals;
      const n = goals.filter((goal) => goal.state === 'covered').length;
      const isProved = (goal) => goal.state === 'covered' || goal.state === 'infeasible';
      const state = n === goals.length ? 'covered' : goals.every(isProved) ? 'proved' : n > 0 ? 'partial' : 'missed';
      const title = goals.map((goal) => `${goal.wanted}: ${goal.state}${goal.tests.length ? ` by test ${goal.tests.join(', ')}` : ''}`).join('\n');
      const source = this.text.lines[line - 1] ?? '';
      const length = source.startsWith(text, column - 1) ? text.length : Math.max(1, source.length - column + 1);
      spans.set(line, [...(spans.get(line) ?? []), { from: column - 1, to: column - 1 + length, class: `t-${state}`, title }]);
      const worst = marks.get(line)?.worst;
      const rank = { missed: 3, partial: 2, proved: 1, covered: 0 }[state];
      if (worst === undefined || rank > worst) marks.set(line, { worst: rank, sign: ['✓', '∅', '◐', '✗'][rank], title });
    }
    this.base = { spans, marks };
    this.text.setSpans(spans);
    this.text.setMarks(marks);
    this.text.goTo(found.line);
  }

  showGoals(found) {
    const filter = h('select', { 'aria-label': 'Which goals' }, [['', 'All goals'], ['covered', 'Covered'], ['infeasible', 'Infeasible'], ['other', 'Not covered']].map(([value, title]) => h('option', { value }, title)));
    const body = h('tbody');
    const draw = () => fill(body, found.goals.filter((goal) => !filter.value || goal.state === filter.value || (filter.value === 'other' && !['covered', 'infeasible'].includes(goal.state))).map((goal) => this.goalRow(goal)));
    filter.addEventListener('change', draw);
    draw();
    fill(this.goals, h('div', { class: 'row' }, filter), h('table', {}, h('thead', {}, h('tr', {}, ['Line', 'Decision or condition', 'Wanted', 'State', 'Tests'].map((title) => h('th', { scope: 'col' }, title)))), body));
  }

  goalRow(goal) {
    const [kind, sign] = STATES[goal.state] ?? ['', ''];
    return h('tr', { class: 'clickable', onclick: () => this.text.goTo(goal.line) }, h('td', {}, h('button', { class: 'small quiet', onclick: () => this.text.goTo(goal.line) }, goal.line)), h('td', { class: 'mono' }, goal.text), h('td', {}, goal.wanted),
      h('td', {}, h('span', { class: ['badge', kind] }, `${sign} ${goal.state}`), goal.reason && h('p', { class: 'soft' }, goal.reason), premises(goal)), h('td', {}, goal.kind === 'mcdc' && goal.tests.length === 2 ? `pair ${goal.tests.join(' and ')}` : goal.tests.join(', ')));
  }

  showProof(found) {
    const missing = found.goals.filter((goal) => goal.state !== 'covered');
    fill(this.why,
      found.weights && [h('h2', {}, `Why at least ${found.lower_bound} tests`), h('p', { class: 'soft' }, `The weights of these requirements add up to ${found.weights.needs.reduce((sum, need) => sum + need.weight, 0)}, and one input meets at most ${found.weights.most} of that.`), h('ul', {}, found.weights.needs.map((need) => h('li', {}, `${need.weight}: ${need.text}`)))],
      !found.weights && found.clique?.length > 0 && [h('h2', {}, `Why at least ${found.lower_bound} tests`), h('p', { class: 'soft' }, 'No input reaches two of these goals, so each needs a test of its own.'), h('ol', {}, found.clique.map((goal) => h('li', {}, goal.text)))],
      !found.weights && !found.clique?.length && h('p', {}, found.is_minimal ? 'Fewer tests are impossible: proved by the solver.' : 'The minimum is not proved.'),
      missing.length > 0 && [h('h2', {}, 'What no test reaches'), h('ul', { class: 'plain' }, missing.map((goal) => h('li', {}, h('strong', {}, `Line ${goal.line}: `), h('code', {}, goal.text), ` ${goal.wanted}: ${goal.state}`, goal.reason && h('p', { class: 'soft' }, goal.reason), premises(goal))))],
      found.undefined_behaviour?.length > 0 && [h('h2', {}, 'Undefined behaviour and other checks'), h('table', {}, h('thead', {}, h('tr', {}, ['Line', 'Rule', 'State', 'Inputs'].map((title) => h('th', { scope: 'col' }, title)))), h('tbody', {}, found.undefined_behaviour.map((place) => h('tr', {}, h('td', {}, place.line), h('td', {}, place.rule), h('td', {}, place.state, premises(place)), h('td', { class: 'mono' }, (place.inputs ?? []).map((input) => `${input.name}=${input.value}`).join(' '))))))]);
  }

  showMutants({ mutation }) {
    if (!mutation) return;
    const row = (mutant) => h('tr', { class: 'clickable', onclick: () => this.text.goTo(mutant.line) }, h('td', {}, mutant.line), h('td', { class: 'mono' }, mutant.now === '' ? `${mutant.was} dropped` : `${mutant.was} → ${mutant.now}`), h('td', {}, h('span', { class: ['badge', mutant.state === 'killed' ? 'good' : 'warn'] }, mutant.state)), h('td', {}, mutant.reason ?? (mutant.tests ?? []).join(', ')));
    fill(this.mutants, h('p', {}, h('strong', {}, `${mutation.killed} of ${mutation.differ} mutants that behave differently are killed`), mutation.more_tests > 0 && `; ${count(mutation.more_tests, 'more test kills', 'more tests kill')} the rest`, mutation.equivalent > 0 && `; ${mutation.equivalent} are equivalent (proved)`, '.'),
      h('table', { class: 'mutants' }, h('thead', {}, h('tr', {}, ['Line', 'Change', 'State', 'Tests or reason'].map((title) => h('th', { scope: 'col' }, title)))), h('tbody', {}, mutation.mutants.map(row))));
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
    const spans = new Map();
    for (const [line, outcomes] of path.outcomes) {
      // In source order, so that the note can be short; skipped conditions have no outcome.
      const places = [...new Map((this.report?.goals ?? []).filter((goal) => goal.line === line).map((goal) => [goal.column, goal])).values()].filter(({ text }) => outcomes.has(text)).sort((a, b) => a.column - b.column);
      const order = [...new Set([...places.map(({ text }) => text), ...outcomes.keys()])];
      marks.set(line, { ...(marks.get(line) ?? {}), class: 'ok', sign: '▸', note: order.map((text) => inShort(outcomes.get(text))).join(' · '), noteTitle: order.map((text) => `${text}: ${inShort(outcomes.get(text))}`).join('\n') });
      spans.set(line, places.filter(({ text, column }) => this.text.lines[line - 1]?.startsWith(text, column - 1)).map(({ text, column }) => ({ from: column - 1, to: column - 1 + text.length, class: outcomeClass(outcomes.get(text)), title: `${text}: ${inShort(outcomes.get(text))}` })));
    }
    this.text.setSpans(spans);
    this.text.setMarks(marks);
    this.markFlow();
  }

  markFlow() {
    if (!this.flow.graph) return;
    const lines = new Set(this.path?.lines);
    // A condition is on the path if it was evaluated; others on its line may have been skipped.
    const isTaken = (node) => (node.edges.length > 1 && this.path.outcomes.has(node.line) ? this.path.outcomes.get(node.line).has(node.label) : lines.has(node.line));
    for (const element of this.flow.layer.querySelectorAll('.node')) {
      const node = this.flow.graph.nodes[Number(element.dataset.index)];
      const taken = this.path && isTaken(node);
      element.classList.toggle('taken', Boolean(taken));
      element.classList.toggle('untaken', Boolean(this.path) && !taken);
    }
  }
}

/** Outcomes of a condition: `true`, `true × 5, false`. */
function inShort(outcomes) {
  const runs = [];
  for (const outcome of outcomes) {
    if (runs.at(-1)?.outcome === outcome) runs.at(-1).n += 1;
    else runs.push({ outcome, n: 1 });
  }
  const shown = runs.slice(0, 4).map(({ outcome, n }) => (n > 1 ? `${outcome} × ${n}` : outcome));
  return [...shown, ...(runs.length > shown.length ? ['…'] : [])].join(', ');
}

const outcomeClass = (outcomes) => (new Set(outcomes).size > 1 ? 't-both' : outcomes[0] === 'true' ? 't-true' : 't-false');

/** The assumptions of a claim. */
const premises = ({ premises: list }) => list?.length > 0 && h('ul', { class: 'soft premises' }, list.map((premise) => h('li', {}, `if ${premise.text}`, premise.lifted_by && ` (lifted by ${premise.lifted_by})`)));

/** Blocks as nodes. Edges of the other graphs go from users to operands; these follow the control flow. */
function flowGraph({ blocks }) {
  const kind = (block, index) => (index === 0 ? 'root' : ['input', 'operator'][block.edges.length] ?? 'constant');
  return { nodes: blocks.map((block, index) => ({ id: String(index), label: block.text, sort: '', kind: kind(block, index), line: block.lines.at(-1) ?? 0, edges: block.edges.map((edge) => ({ to: Math.min(edge.to, blocks.length - 1), flag: edge.when })) })) };
}

function legend() {
  return h('span', { class: 'row legend' }, h('span', { class: 't-covered' }, '✓ covered'), h('span', { class: 't-proved', title: 'One outcome is infeasible (proved); all others are covered' }, '∅ infeasible'), h('span', { class: 't-partial' }, '◐ in part'), h('span', { class: 't-missed' }, '✗ not covered'));
}

export const show = (main, params) => new CoverView(main, params).show();

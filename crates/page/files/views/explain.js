// The explain view: the likely fault with its fix, and both runs side by side, step by step.
import { h, fill, baseName, count, download } from '../lib/dom.js';
import { attempt, paste, report } from '../lib/api.js';
import { CView } from '../lib/c_view.js';
import { acceptDrops, fileBar, nothingOpen } from '../lib/files.js';
import { diffView } from '../lib/diff.js';
import { split, tabs } from '../lib/panes.js';
import { addCommands } from '../lib/palette.js';
import { go, remember } from '../main.js';
import { RunPair } from './explain_runs.js';

const ANSWERS = {
  'no-violation': (report) => `No property can fail: ${count(report.n_properties, 'property', 'properties')} checked, with up to ${count(report.unwind, 'iteration')} of each loop${report.is_complete ? '; no run is longer' : ''}.`,
  'no-passing-run': (report) => `“${report.property?.text}” fails in every run: there is no passing run to compare with.`,
};

/** What weakens an explanation. */
const NOTES = {
  'no-run-reaches': 'No passing run reaches the violated property: the run shown avoids it.',
  'no-run-keeps-expected': 'No passing run keeps the expected value: the run shown changes what is expected.',
  'no-run-keeps-antecedent': 'No passing run keeps the antecedent of the property: the run shown makes it false.',
  poor: 'The changes that suffice are inputs alone, so this explains little.',
  'nothing-of-program': 'No difference in the program itself is needed to pass, so there is no slice to show.',
  'trust-given-up': 'Without the specification code the runs do not differ, so its values are counted here.',
  'more-slices': 'There are more slices than requested.',
  'more-runs': 'There are more closest runs than requested.',
  'more-rounds': 'The passing run needs more loop iterations than the given bound.',
  'bound-reached': 'A closer run with more loop iterations is not excluded.',
  'slices-stopped': 'The time limit was reached before it was decided which differences are needed.',
};

class ExplainView extends CView {
  constructor(main, params) {
    super(main, params);
    this.assumptions = params.assume ? JSON.parse(params.assume) : [];
    this.runs = new RunPair({ onStep: (step) => remember({ step }) });
  }

  async show() {
    const openFile = (file) => go('/explain', { file });
    acceptDrops(this.main, openFile);
    this.property = h('input', { type: 'text', placeholder: 'any' });
    this.unwind = h('input', { type: 'number', min: 1, placeholder: '8' });
    this.closest = h('input', { type: 'number', min: 1, placeholder: '1' });
    this.makeForm([['Function where runs start', this.function], ['Only this property', this.property], ['Iterations of each loop', this.unwind], ['Closest runs to find', this.closest]], 'Explain', () => this.start());
    const panels = Object.fromEntries(['fault', 'changes', 'errors', 'output'].map((name) => [name, h('div', { class: 'stack' }, h('p', { class: 'empty' }, 'No explanation yet. Choose a function under “Run” and start.'))]));
    this.panels = panels;
    this.assumePanel = h('div', { class: 'stack' });
    this.tabs = tabs([
      { id: 'fault', title: 'Fault', panel: panels.fault },
      { id: 'watch', title: 'Watch', panel: this.runs.watch },
      { id: 'changes', title: 'Changes', panel: panels.changes },
      { id: 'assume', title: 'Assume', panel: this.assumePanel },
      { id: 'errors', title: 'Errors', panel: panels.errors },
      { id: 'output', title: 'Output', panel: panels.output },
      { id: 'run', title: 'Run', panel: this.form },
    ], { label: 'Explain', first: this.params.tab ?? (this.params.job || this.params.start ? 'fault' : 'run'), onChange: (tab) => remember({ tab }) });
    fill(this.main, fileBar('explain', this.params.file, openFile, h('span', { class: 'right' }), this.runs.options), split(this.params.file ? this.runs.element : nothingOpen('explain', openFile, 'A C file with an assertion that fails.'), this.side('Explain'), { share: 58, name: 'explain' }));
    this.leave.push(addCommands(() => [{ title: 'Step forwards', hint: 'n', run: () => this.runs.move(1) }, { title: 'Step backwards', hint: 'p', run: () => this.runs.move(-1) }, ...(report ? [] : [{ title: 'Explain: start', run: () => this.start() }])]));
    this.showAssumptions();
    this.showCopy();
    if (this.params.file) await this.openFile();
    if (this.params.job) await this.openJob(this.params.job);
    else if (this.params.start && this.params.file) await this.start();
    return () => { this.leave.forEach((call) => call()); this.runs.leave(); };
  }

  value() {
    const value = { kind: 'explain', file: this.params.file ?? '', function: this.function.value, property: this.property.value, assume: this.assumptions };
    if (this.unwind.value) value.unwind = Number(this.unwind.value);
    if (this.closest.value) value.closest = Number(this.closest.value);
    return value;
  }

  setForm(form) {
    this.property.value = form.property ?? '';
    this.unwind.value = form.unwind ?? '';
    this.closest.value = form.closest ?? '';
    this.assumptions = form.assume ?? [];
    this.showAssumptions();
  }

  async openFile() {
    const text = await this.openSource((names) => (names.includes('main') ? 'main' : names.at(-1)));
    if (text !== undefined) this.runs.setSource(text, this.params.file);
  }

  goTo(line) {
    this.runs.goTo(line);
  }

  start() {
    this.params.step = undefined;
    this.params.run = undefined;
    return this.begin(this.value(), { step: undefined, run: undefined, function: this.function.value, assume: this.assumptions.length ? JSON.stringify(this.assumptions) : undefined }, 'fault');
  }

  update(state) {
    const found = this.take(state, 'Looking for a failing run and the closest passing one…');
    this.showOutput(state.lines, this.report);
    if (!found) return;
    if (found.answer !== 'explained') {
      const good = found.answer === 'no-violation';
      fill(this.headline, h('p', { role: 'status' }, h('span', { class: ['badge', good ? 'good' : 'bad'] }, good ? '✓ nothing fails' : '✗ always fails'), ' ', ANSWERS[found.answer]?.(found) ?? found.answer));
      for (const name of ['changes', 'errors']) fill(this.panels[name], h('p', { class: 'empty' }, good ? 'Nothing fails, so there is nothing to compare.' : 'There are no two runs to compare.'));
      if (found.ranking) this.showFault(found);
      else fill(this.panels.fault, h('p', { class: 'empty' }, good ? 'There is no fault to show: every property holds in every run that was checked.' : 'There are no two runs to compare.'));
      return;
    }
    this.runs.setReport(found, this.params.step === undefined ? undefined : Number(this.params.step));
    this.showHeadline(found);
    this.showFault(found);
    this.showChanges(found);
    this.showErrors(found);
  }

  showHeadline(found) {
    const inputs = (run) => h('code', {}, run.inputs.filter((input) => input.is_read).map((input) => `${input.name}=${input.value}`).join(' ') || 'no input');
    const best = found.ranking?.lines[0];
    fill(this.headline,
      h('p', {}, h('span', { class: 'badge bad' }, '✗ fails'), ' ', h('strong', {}, found.property.text), ` (line ${found.property.place.line})`),
      best && h('p', {}, 'Likely fault: ', h('button', { class: 'small', onclick: () => this.runs.goTo(best.line) }, `line ${best.line}`), ' ', h('code', { title: best.text }, inShort(best.text)), best.edit && [' → replace ', h('code', {}, best.edit.old), ' by ', h('code', {}, best.edit.new)]),
      h('p', { class: 'soft' }, 'Fails with ', inputs(found.failing), '; passes with ', inputs(found.passing), '.'));
  }

  showFault(found) {
    const lines = found.ranking?.lines ?? [];
    const card = (line) => h('div', { class: 'card fault' },
      h('div', { class: 'row' }, h('span', { class: 'badge' }, `#${line.rank}`), h('button', { class: 'small', onclick: () => this.runs.goTo(line.line) }, `line ${line.line}`), h('code', { class: 'grow cut', title: line.text }, line.text), line.proof?.kind === 'edited' && line.proof.is_complete && h('span', { class: 'badge good' }, '✓ fixes every failing run')),
      [line.edit, ...(line.alternatives ?? [])].filter(Boolean).slice(0, 3).map((edit) => this.fix(edit)));
    fill(this.panels.fault, lines.length === 0 ? h('p', { class: 'empty' }, 'No change of a single line fixes the program. See “Changes” for how the runs differ.') : lines.map(card));
  }

  /** A fix as a difference, with a button that tries it on a copy. */
  fix(edit) {
    if (!edit.place?.column) return undefined;
    const fixed = applied(this.source, edit);
    const check = async () => {
      const saved = await attempt(paste(baseName(this.params.file).replace(/\.c$/, '.fixed.c'), fixed));
      if (saved) go('/explain', { file: saved.path, function: this.function.value, original: this.params.original ?? this.params.file, start: '1' });
    };
    return h('div', { class: 'stack fix' }, diffView(this.source, fixed, { language: 'c', around: 1, label: 'Fix' }),
      h('div', { class: 'row' }, h('span', { class: 'soft' }, `Changes ${Math.round(100 * edit.damage)} % of passing runs`), edit.is_proved && h('span', { class: 'badge good' }, 'proved'), h('span', { class: 'right' }), h('button', { class: 'small live-only', onclick: check }, 'Apply to a copy and check again')));
  }

  /** Shows where a copy with a fix came from, and lets the user keep it. */
  showCopy() {
    const { original, file } = this.params;
    if (!original || report) return;
    this.copied = h('div', { class: 'message row', role: 'status' }, h('span', { class: 'grow' }, 'A copy of ', h('code', {}, baseName(original)), ' with the fix; your file is unchanged.'),
      h('button', { class: 'small', onclick: async () => download(baseName(file), this.source ?? '') }, 'Download'), h('button', { class: 'small', onclick: () => go('/explain', { file: original, function: this.function.value }) }, 'Back to the original'));
    this.headline.before(h('div', {}, this.copied));
  }

  showChanges(found) {
    const choices = [{ title: 'Closest run', deltas: found.deltas, slices: found.slices, distance: found.distance.upper }, ...found.others.map((other, index) => ({ title: `Another closest run ${index + 2}`, deltas: other.deltas, slices: other.slices, distance: other.distance, other }))];
    const run = h('select', { 'aria-label': 'Which passing run' }, choices.map((choice, index) => h('option', { value: index }, choice.title)));
    const slice = h('select', { 'aria-label': 'Which slice' });
    const body = h('tbody');
    const text = h('pre', { class: 'mono' });
    const draw = () => {
      const choice = choices[run.value];
      const enough = new Set(choice.slices[slice.value] ?? []);
      fill(body, choice.deltas.map((delta, index) => h('tr', { class: ['clickable', enough.has(index) && 'chosen'], onclick: () => delta.place.line && this.runs.goTo(delta.place.line) }, h('td', {}, enough.has(index) ? '★' : ''), h('td', {}, delta.place.line ?? 'where paths meet'), h('td', {}, delta.place.function), h('td', { class: 'mono' }, delta.what), h('td', { class: 'mono' }, shown(delta, delta.before)), h('td', { class: 'mono' }, shown(delta, delta.after)))));
      this.runs.setOther(choice.other);
      this.runs.setSlice(choice.deltas.filter((_, index) => enough.has(index)));
      text.textContent = asText(choice, enough);
    };
    const fillSlices = () => {
      fill(slice, choices[run.value].slices.map((list, index) => h('option', { value: index }, `Slice ${index + 1}: ${count(list.length, 'change')}`)));
      draw();
    };
    run.addEventListener('change', () => {
      remember({ run: run.value === '0' ? undefined : run.value });
      fillSlices();
    });
    if (choices[this.params.run]) run.value = this.params.run;
    slice.addEventListener('change', draw);
    fillSlices();
    const { lower, upper } = found.distance;
    fill(this.panels.changes, h('p', {}, `Distance: ${upper} of ${found.n_values} values${lower === upper ? ' (minimal' : ` (at least ${lower}`}${found.checked === 'checked' ? '; proof checked)' : ')'}. Changes with ★ suffice.`), h('div', { class: 'row' }, run, slice, h('button', { class: 'small', onclick: () => download('explanation.txt', text.textContent) }, 'Save')), h('table', {}, h('thead', {}, h('tr', {}, ['', 'Line', 'Function', 'Value', 'Fails', 'Passes'].map((title) => h('th', { scope: 'col' }, title)))), body), h('details', {}, h('summary', {}, 'As text'), text));
  }

  showErrors(found) {
    fill(this.panels.errors, h('table', {}, h('thead', {}, h('tr', {}, ['Kind', 'Property', 'Text', 'Line'].map((title) => h('th', { scope: 'col' }, title)))), h('tbody', {}, h('tr', { class: 'clickable', onclick: () => this.runs.goTo(found.property.place.line) }, h('td', {}, h('span', { class: 'badge bad' }, found.property.kind)), h('td', { class: 'mono' }, found.property.id), h('td', {}, found.property.text), h('td', {}, found.property.place.line)))));
  }

  showOutput(lines, found) {
    const said = lines.filter((line) => line.message).map((line) => line.message);
    const facts = found ? [`answer: ${found.answer}`, found.compiled && `compiled program: ${found.compiled.state}`, found.distance && `a failing run exists: the negated property is satisfiable; distance ${found.distance.lower}..${found.distance.upper}, ${found.checked}`, found.trusted?.length && `trusted: ${found.trusted.join(', ')}`, ...(found.notes ?? []).map((note) => `note: ${NOTES[note] ?? note}`), found.ranking && `repair: ${found.ranking.effort.n_questions} solver calls, ${found.ranking.effort.n_runs} runs`].filter(Boolean) : [];
    fill(this.panels.output, h('pre', { class: 'console', role: 'log', tabindex: 0, 'aria-label': 'Output' }, [...said, ...facts].join('\n')), found && h('button', { class: 'start', onclick: () => download('explanation.json', JSON.stringify(found, null, 2), 'application/json') }, 'Save the explanation as JSON'));
  }

  /** The form that adds an assumption and explains again. */
  showAssumptions() {
    const text = h('input', { type: 'text', placeholder: 'hours < 10', 'aria-label': 'C expression that both runs satisfy' });
    const line = h('input', { type: 'number', min: 1, 'aria-label': 'Before which line', placeholder: 'line' });
    const add = (event) => {
      event.preventDefault();
      if (!text.value || !line.value) return;
      this.assumptions = [...this.assumptions, `${text.value} @ ${line.value}`];
      this.showAssumptions();
      this.start();
    };
    const item = (assumption, index) => h('li', { class: 'row' }, h('code', { class: 'grow' }, assumption), h('button', { class: 'small live-only', 'aria-label': `Remove ${assumption}`, onclick: () => { this.assumptions = this.assumptions.filter((_, at) => at !== index); this.showAssumptions(); } }, 'Remove'));
    fill(this.assumePanel, report && this.assumptions.length === 0 && h('p', { class: 'empty' }, 'Nothing is assumed.'), h('p', { class: 'soft live-only' }, 'Is the passing run not the one you had in mind? Enter what both runs must satisfy, and explain again.'), h('ul', { class: 'plain' }, this.assumptions.map(item)), h('form', { class: 'row live-only', onsubmit: add }, h('label', { class: 'field grow' }, 'C expression', text), h('label', { class: 'field narrow' }, 'Before line', line), h('button', { class: 'primary', type: 'submit' }, 'Add and explain again')));
  }
}

/** The beginning of a long line. */
const inShort = (text) => (text.length > 64 ? `${text.slice(0, 63)}…` : text);

/** Values of guards are truth values. */
function shown(delta, value) {
  return delta.kind === 'guard' ? (value === '0' ? 'FALSE' : 'TRUE') : value;
}

function asText(choice, enough) {
  const line = (delta) => `${delta.kind === 'guard' ? 'Guard' : 'Value'} changed: ${delta.what} from ${shown(delta, delta.before)} to ${shown(delta, delta.after)}\n  line ${delta.place.line ?? '-'} function ${delta.place.function}`;
  return `Deltas after minimization:\n${choice.deltas.filter((_, index) => enough.has(index)).map(line).join('\n')}\n`;
}

/** A text with an edit. Columns are counted from 1. */
function applied(source, edit) {
  const lines = source.split('\n');
  const { line, column, end_line: endLine, end_column: endColumn } = edit.place;
  const text = lines[line - 1].slice(0, column - 1) + edit.new + lines[endLine - 1].slice(endColumn - 1);
  return [...lines.slice(0, line - 1), ...text.split('\n'), ...lines.slice(endLine)].join('\n');
}

export const show = (main, params) => new ExplainView(main, params).show();

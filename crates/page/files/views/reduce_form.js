// The form: the program, what counts as the failure, the strategy.
import { h, fill, debounce } from '../lib/dom.js';
import { attempt, getSession, post, report } from '../lib/api.js';
import { CommandLine } from '../lib/job.js';
import { keep, kept } from '../lib/storage.js';

export const STRATEGIES = [
  ['auto', 'Recommended: all passes, large steps first'],
  ['ddsmt', 'As ddSMT 1: scopes, commands, terms', 'smt2'],
  ['sound', 'Only rules that preserve the meaning', 'smt2'],
  ['ddmin', 'Delta debugging on nodes, lines or clauses'],
  ['hdd', 'ddmin on one level after another', 'graph'],
  ['hdd+', 'hdd, then bfs until nothing changes', 'graph'],
  ['hdd*', 'hdd until nothing changes', 'graph'],
  ['bfs', 'Every node once, breadth first from the roots', 'graph'],
  ['lw', 'Removes whole layers', 'graph'],
  ['changeref', 'Redirects edges to deeper nodes, one by one', 'graph'],
  ['changeref+', 'Redirects edges to deeper nodes, by binary search', 'graph'],
  ['deltabtor', 'As deltabtor: removes partitions and halves them', 'graph'],
];

/** Strategies for a language. */
export const fitting = (language) => STRATEGIES.filter(([, , needs]) => !needs || needs === language || (needs === 'graph' && ['btor', 'smt2'].includes(language)));

const NUMBERS = [
  ['timeout', 'Time limit per run (s)', 'from the first run'],
  ['memory', 'Memory limit per run (MB)', 'no limit'],
  ['max_time', 'Total time limit (s)', 'no limit'],
  ['max_runs', 'Maximum number of test runs', 'no limit'],
  ['jobs', 'Parallel runs', 'all cores'],
  ['seed', 'Seed', '0'],
];

/** Solvers that are registered only because they are installed, not because the user named them. */
const FOUND = new Set(['z3', 'cvc5', 'bitwuzla', 'boolector', 'yices-smt2', 'example-crash', 'example-defective']);

/** The initial program: from the address, the last one used, or one that the user registered. */
function usualProgram(programs, wanted) {
  const last = kept('nub-program');
  if (programs.includes(wanted)) return wanted;
  return programs.includes(last) ? last : programs.find((name) => !FOUND.has(name)) ?? '';
}

export class ReduceForm {
  constructor(params, { onStart, onChange }) {
    const programs = getSession().programs.map(({ name }) => name);
    const option = (name) => h('option', { value: name }, name);
    this.onChange = onChange;
    this.program = h('select', { name: 'program', required: true }, h('option', { value: '' }, 'Choose a program…'), programs.map(option));
    this.program.value = usualProgram(programs, params.program);
    this.cross = h('select', { name: 'cross_check' }, h('option', { value: '' }, 'none'), programs.map(option));
    this.texts = Object.fromEntries(['match_err', 'match_out'].map((name) => [name, h('input', { type: 'text', name })]));
    this.checks = Object.fromEntries(['ignore_output', 'hang', 'simplify'].map((name) => [name, h('input', { type: 'checkbox', name })]));
    this.numbers = Object.fromEntries(NUMBERS.map(([name, , hint]) => [name, h('input', { type: 'number', min: 0, step: 'any', name, placeholder: hint })]));
    this.strategies = h('div', { class: 'strategies', role: 'radiogroup', 'aria-label': 'Strategy' });
    this.strategy = params.strategy ?? 'auto';
    this.command = new CommandLine();
    this.startButton = h('button', { class: 'primary', type: 'submit' }, 'Start reduction');
    this.checkButton = h('button', { type: 'button', title: 'Runs the program a few times: does it fail, and in the same way each time?', onclick: () => this.examine() }, 'Check the program first');
    this.diagnosis = h('pre', { class: 'log', role: 'log', 'aria-label': 'Diagnosis', tabindex: 0, hidden: true });
    const field = (title, input) => h('label', { class: 'field' }, title, input);
    const check = (name, title) => h('label', { class: 'check' }, this.checks[name], title);
    this.fields = h('fieldset', { class: 'stack', disabled: report !== undefined }, h('legend', { class: 'visually-hidden' }, 'How to reduce'),
      field('Program that fails', this.program),
      h('div', {}, h('h3', {}, 'Strategy'), this.strategies),
      h('details', {}, h('summary', {}, 'What counts as the failure'), h('div', { class: 'grid2' }, field('Standard error contains', this.texts.match_err), field('Standard output contains', this.texts.match_out), field('Second program, whose behaviour must not change', this.cross), h('div', { class: 'stack' }, check('ignore_output', 'Only the exit status counts'), check('hang', 'The failure is that it does not end')))),
      h('details', {}, h('summary', {}, 'Limits and more'), h('div', { class: 'grid2' }, NUMBERS.map(([name, title]) => field(title, this.numbers[name])), check('simplify', 'Simplify after every change'))));
    const start = () => {
      if (this.startButton.disabled) return;
      keep('nub-program', this.program.value);
      onStart(this.value());
    };
    this.element = h('form', { class: 'stack', onsubmit: (event) => { event.preventDefault(); start(); } }, this.fields, h('h3', {}, 'The same in the terminal'), this.command.element, h('div', { class: 'row actions live-only' }, this.startButton, this.checkButton), this.diagnosis);
    const changed = debounce(150, () => { this.command.isTyped = false; this.update(); });
    this.element.addEventListener('input', changed);
    this.element.addEventListener('change', changed);
    this.setFile(undefined, 'text');
  }

  setFile(file, language) {
    this.file = file;
    this.setBusy(false);
    const radio = ([name, title]) => h('label', { class: 'strategy', title }, h('input', { type: 'radio', name: 'strategy', value: name, ...(name === this.strategy ? { checked: true } : {}), onchange: () => { this.strategy = name; } }), h('span', {}, h('strong', {}, name), h('span', { class: 'soft' }, title)));
    fill(this.strategies, fitting(language).map(radio));
    this.update();
  }

  value() {
    const value = { kind: 'reduce', file: this.file ?? '', program: this.program.value, strategy: this.strategy === 'auto' ? '' : this.strategy, cross_check: this.cross.value };
    for (const [name, input] of Object.entries(this.texts)) value[name] = input.value;
    for (const [name, input] of Object.entries(this.checks)) value[name] = input.checked;
    for (const [name, input] of Object.entries(this.numbers)) if (input.value !== '') value[name] = Number(input.value);
    return value;
  }

  /** Shows the form of a job. */
  set(form, typed = '') {
    this.command.typed(typed);
    if (form.program) this.program.value = form.program;
    if (form.program && this.program.value !== form.program) {
      // A job of the command line: its command is shown, and cannot be sent.
      this.program.append(h('option', { value: form.program, disabled: true }, form.program));
      this.program.value = form.program;
    }
    this.strategy = form.strategy || 'auto';
    for (const input of this.strategies.querySelectorAll('input')) input.checked = input.value === this.strategy;
    this.cross.value = form.cross_check ?? '';
    for (const [name, input] of Object.entries(this.texts)) input.value = form[name] ?? '';
    for (const [name, input] of Object.entries(this.checks)) input.checked = Boolean(form[name]);
    for (const [name, input] of Object.entries(this.numbers)) input.value = form[name] ?? '';
    this.update();
  }

  update() {
    if (!this.file) return;
    if (this.program.value) this.command.update(this.value());
    else this.command.ask('choose a program first');
    this.onChange({ program: this.program.value, strategy: this.strategy === 'auto' ? undefined : this.strategy });
  }

  /** Checks the program on the file, as `nub doctor` does. */
  async examine() {
    this.checkButton.disabled = true;
    const found = await attempt(post('/api/doctor', this.value()));
    this.checkButton.disabled = false;
    if (!found) return;
    this.diagnosis.hidden = false;
    this.diagnosis.textContent = found.text;
    this.diagnosis.classList.toggle('bad', !found.is_fine);
    this.diagnosis.scrollIntoView({ block: 'center' });
  }

  /** Locks the form while a job runs. */
  setBusy(isBusy) {
    this.fields.disabled = isBusy || report !== undefined;
    this.startButton.disabled = isBusy || !this.file;
    this.checkButton.disabled = !this.file;
  }
}

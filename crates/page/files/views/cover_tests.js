// The tests of a function: as values and as strings, with their paths; edited ones are measured immediately.
import { h, fill, debounce, download } from '../lib/dom.js';
import { get, post, report as saved } from '../lib/api.js';

/** Waits for the report of a job that is not shown. */
async function probe(form) {
  const job = await post('/api/jobs', { ...form, is_probe: true });
  for (let wait = 30; ; wait = Math.min(500, wait * 1.5)) {
    await new Promise((resolve) => { setTimeout(resolve, wait); });
    const { phase } = await get(`/api/jobs/${job.id}`);
    if (['running', 'paused', 'stopping'].includes(phase)) continue;
    const lines = await get(`/api/jobs/${job.id}/lines`);
    const report = lines.find((line) => line.type === 'document')?.content;
    if (!report) throw new Error(lines.find((line) => line.message)?.message ?? 'The test could not be measured.');
    return report;
  }
}

/** An array of characters as a string: `"abc"`. */
function asText(inputs) {
  const arrays = new Map();
  for (const input of inputs.filter(({ type }) => /char/.test(type))) {
    const [, name] = input.name.match(/^\*?([A-Za-z_]\w*)/) ?? [];
    if (name && /[[*]/.test(input.name)) arrays.set(name, [...(arrays.get(name) ?? []), Number(input.value)]);
  }
  return [...arrays].map(([name, codes]) => {
    const end = codes.indexOf(0);
    const shown = codes.slice(0, end < 0 ? codes.length : end).map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : `\\x${(code & 255).toString(16).padStart(2, '0')}`)).join('');
    return `${name} = "${shown}"`;
  });
}

/** The path of a replayed test: the lines that it executes, and for each line the outcomes of its conditions, in order. */
function pathOf(test) {
  if (!test?.path?.length) return undefined;
  const outcomes = new Map();
  for (const { line, condition, outcome } of test.path) {
    if (!condition) continue;
    if (!outcomes.has(line)) outcomes.set(line, new Map());
    const found = outcomes.get(line);
    found.set(condition, [...(found.get(condition) ?? []), String(outcome)]);
  }
  return { lines: [...new Set(test.path.map(({ line }) => line))], outcomes };
}

/** Calls of stubs, as text. */
const callsOf = (test) => (test.calls ?? []).map((call) => `${call.function}(${call.arguments.map((argument) => argument.value).join(', ')})`).join(', ');

export class TestTable {
  /** `onPick(path)` is called with a path to show, `onChoose(number)` with the selected test. */
  constructor({ onPick, onChoose, form, onAskRest }) {
    this.onPick = onPick;
    this.onChoose = onChoose;
    this.form = form;
    this.onAskRest = onAskRest;
    this.table = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Tests' });
    this.own = h('div', { class: 'stack' });
    this.element = h('div', { class: 'stack' }, this.table, this.own);
  }

  setReport(report) {
    this.report = report;
    this.names = [...new Set(report.tests.flatMap((test) => test.inputs.map(({ name }) => name)))];
    const hasText = report.tests.some((test) => asText(test.inputs).length > 0);
    const hasCalls = report.tests.some((test) => test.calls?.length > 0);
    const row = (test) => h('tr', { class: 'clickable', 'data-test': test.number, onclick: () => this.pick(test.number) },
      h('td', {}, h('button', { class: 'small', 'aria-label': `Show the path of test ${test.number}`, onclick: (event) => { event.stopPropagation(); this.pick(test.number); } }, test.number)),
      this.names.map((name) => h('td', { class: 'number mono' }, test.inputs.find((input) => input.name === name)?.value ?? '')),
      hasText && h('td', {}, asText(test.inputs).join(', ')),
      hasCalls && h('td', { class: 'mono' }, callsOf(test)),
      h('td', { class: 'mono observed' }, test.observed_end === 'returned' ? `returns ${test.observed_result || 'nothing'}` : test.observed_end), h('td', { class: 'number' }, test.goals.length));
    const head = ['Test', ...this.names, ...(hasText ? ['As text'] : []), ...(hasCalls ? ['Calls of stubs'] : []), 'Observed', 'Goals'];
    fill(this.table, report.tests.length === 0 ? h('p', { class: 'empty' }, 'No test is needed.') : h('table', { class: 'tests' }, h('thead', {}, h('tr', {}, head.map((name, index) => h('th', { scope: 'col', class: (index > 0 && index <= this.names.length) || name === 'Goals' ? 'number' : '' }, name)))), h('tbody', {}, report.tests.map(row))));
    this.makeOwn(report);
  }

  /** A test of the user's own, measured while it is typed. */
  makeOwn(report) {
    const first = report.tests[0]?.inputs ?? [];
    this.inputs = this.names.map((name) => [name, h('input', { type: 'text', inputmode: 'numeric', value: first.find((input) => input.name === name)?.value ?? '0', 'aria-label': `Value of ${name}` })]);
    this.result = h('p', { class: 'soft', role: 'status' }, 'Edit a value, and see what the test covers.');
    const measure = debounce(250, () => this.measure());
    this.inputs.forEach(([, input]) => input.addEventListener('input', measure));
    const rest = h('button', { class: 'live-only', onclick: () => this.onAskRest(this.given()) }, 'Keep this test and find the rest');
    const save = h('button', { onclick: () => download(`${report.function}.csv`, this.csv()) }, 'Save tests as CSV');
    fill(this.own, this.names.length > 0 && [h('div', {}, h('h2', { class: 'live-only' }, 'Your own test'), this.result), h('div', { class: 'grid3 live-only' }, this.inputs.map(([name, input]) => h('label', { class: 'field' }, name, input))), h('div', { class: 'row' }, rest, save)]);
    if (saved) this.result.textContent = 'Choose a test to see its path.';
  }

  csv() {
    const line = (test) => this.names.map((name) => test.inputs.find((input) => input.name === name)?.value ?? '').join(',');
    return `${this.names.join(',')}\n${this.report.tests.map(line).join('\n')}\n`;
  }

  given() {
    return { tests: [{ inputs: this.inputs.map(([name, input]) => ({ name, value: input.value })) }] };
  }

  async pick(number) {
    const same = this.picked === number;
    this.picked = same ? undefined : number;
    this.onChoose(this.picked);
    for (const row of this.table.querySelectorAll('tr[data-test]')) row.classList.toggle('chosen', Number(row.dataset.test) === this.picked);
    if (same) {
      this.onPick(undefined);
      return;
    }
    const test = this.report.tests.find((other) => other.number === number);
    this.inputs.forEach(([name, input]) => { input.value = test.inputs.find((other) => other.name === name)?.value ?? '0'; });
    const path = pathOf(test);
    if (!path && !saved) {
      await this.measure();
      return;
    }
    this.result.textContent = path ? `Test ${number} covers ${test.goals.length} of ${this.report.goals.length} goals, alone or together with another test.` : 'This test was not replayed, so its path is unknown.';
    this.onPick(path);
  }

  /** Measures which goals the values in the form reach. */
  async measure() {
    const ticket = (this.ticket = (this.ticket ?? 0) + 1);
    this.result.textContent = 'Measuring…';
    const form = { ...this.form(), tests: this.given(), max_tests: 0 };
    try {
      const { goals, tests } = await probe(form);
      if (ticket !== this.ticket) return;
      this.result.textContent = `This test covers ${goals.filter((goal) => goal.state === 'covered').length} of ${goals.length} goals by itself.`;
      this.onPick(pathOf(tests[0]));
    } catch (error) {
      if (ticket === this.ticket) this.result.textContent = error.message;
    }
  }
}

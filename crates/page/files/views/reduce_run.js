// A running reduction: curves, what each pass removed, and the accepted steps.
import { h, fill, number, count, baseName } from '../lib/dom.js';
import { attempt, get, getText, readFile, report } from '../lib/api.js';
import { LineChart } from '../lib/charts.js';
import { diffView } from '../lib/diff.js';

const REASONS = { fixpoint: 'nothing smaller found', 'max-asks': 'limit of test runs', 'max-time': 'time limit', interrupted: 'stopped', store: 'a file could not be written', environment: 'the command could not be run' };

/** Whether the original run looks like an answer and not like a failure (solvers exit with 0, 10 or 20), and the user has not said that this is intended. */
const isDoubtful = (start, form) => /^exit (0|10|20)\b/.test(start.failure ?? '') && !report && !['match_out', 'match_err', 'cross_check', 'hang'].some((name) => form[name]);

/** The points of a run: [x, bytes]. */
function curve(lines, x) {
  const start = lines.find((line) => line.type === 'start');
  const accepted = lines.filter((line) => line.type === 'accepted');
  const end = lines.findLast((line) => line.type === 'end');
  const points = [...(start ? [[0, start.bytes]] : []), ...accepted.map((line) => [line[x], line.bytes])];
  if (end && points.length > 0) points.push([end[x], points.at(-1)[1]]);
  // If two steps have the same x, the later one counts.
  return points.filter(([at], index) => points[index + 1]?.[0] !== at);
}

/** A percentage; a small one is not shown as zero. */
const percent = (share) => (share > 0 && share < 0.0005 ? '< 0.1 %' : `${(100 * share).toFixed(1)} %`);

/** Bytes of the result. The comment at its top, which says how to reproduce the failure, was added at the end. */
export function withoutHeader(lines, end) {
  const last = lines.findLast((line) => line.type === 'accepted');
  return end.header && last ? last.bytes : end.after.bytes;
}

export class Progress {
  constructor() {
    this.time = new LineChart({ label: 'Size against time', xLabel: 'seconds', yLabel: 'bytes' });
    this.runs = new LineChart({ label: 'Size against test runs', xLabel: 'test runs', yLabel: 'bytes' });
    this.facts = h('dl', { class: 'facts' });
    this.others = h('div', { class: 'row overlay' });
    this.passes = h('div', {});
    this.empty = h('p', { class: 'empty' }, 'No reduction yet. Choose a program under “Run” and start.');
    this.charts = h('div', { class: 'charts' }, this.time.element, this.runs.element);
    this.doubt = h('div', {});
    this.body = h('div', { class: 'stack', hidden: true }, this.doubt, this.facts, this.charts, this.others, this.passes);
    this.element = h('div', {}, this.empty, this.body);
    this.overlaid = new Map();
  }

  async begin(job) {
    this.job = job;
    this.empty.hidden = true;
    this.body.hidden = false;
    this.lines = [];
    this.drawn = undefined;
    const jobs = (await attempt(get('/api/jobs'))) ?? [];
    const others = jobs.filter((other) => other.kind === 'reduce' && other.id !== job.id && other.headline).slice(0, 8);
    const box = (other) => h('label', { class: 'check', title: other.headline }, h('input', { type: 'checkbox', onchange: (event) => this.overlay(other, event.target.checked) }), `${other.id.split('-')[0]} ${baseName(other.file)}`);
    fill(this.others, others.length > 0 && [h('span', { class: 'soft' }, 'Overlay other runs:'), others.map(box)]);
  }

  async overlay(job, isOn) {
    if (isOn) {
      const full = await get(`/api/jobs/${job.id}`);
      this.overlaid.set(job.id, { name: `${job.id.split('-')[0]} ${full.form.strategy || 'auto'}`, lines: await get(`/api/jobs/${job.id}/lines`) });
    } else this.overlaid.delete(job.id);
    this.draw();
  }

  update(lines, summary) {
    // Between two accepted steps there is nothing to draw.
    const known = `${lines.length} ${summary.phase}`;
    if (known === this.drawn) return;
    this.drawn = known;
    this.lines = lines;
    this.summary = summary;
    // A job that was refused has no curve.
    const isRefused = summary.phase === 'failed' && !lines.some((line) => line.type === 'start');
    const isBegun = lines.some((line) => line.type === 'start');
    this.body.hidden = !isBegun;
    this.empty.hidden = isBegun;
    if (!isBegun) {
      this.empty.textContent = isRefused ? 'The reduction did not start.' : 'Running the program on the original file: does it fail, and how?';
      return;
    }
    this.draw();
    this.drawFacts();
    this.drawPasses();
  }

  draw() {
    const runs = [{ name: `${this.job.id.split('-')[0]} ${this.job.form.strategy || 'auto'}`, lines: this.lines }, ...this.overlaid.values()];
    this.time.setSeries(runs.map(({ name, lines }) => ({ name, points: curve(lines, 'seconds') })));
    this.runs.setSeries(runs.map(({ name, lines }) => ({ name, points: curve(lines, 'asks') })));
  }

  drawFacts() {
    const start = this.lines.find((line) => line.type === 'start');
    const last = this.lines.findLast((line) => line.type === 'accepted');
    const end = this.lines.findLast((line) => line.type === 'end');
    const bytes = end ? withoutHeader(this.lines, end) : last?.bytes ?? start?.bytes;
    fill(this.doubt, start && isDoubtful(start, this.job.form) && h('div', { class: 'message warning', role: 'status' }, h('strong', {}, 'The program does not crash on this file. '), `It ends with ${start.failure.split(',')[0]}, and the reduction preserves its output. If you mean something else, choose another program under “Run”, or specify there what counts as the failure.`));
    const fact = (name, value, kind) => h('div', { class: kind }, h('dt', {}, name), h('dd', {}, value));
    fill(this.facts,
      fact('Size', start ? `${number(start.bytes)} → ${number(bytes)} bytes` : '–'),
      fact('Left', start ? percent(bytes / start.bytes) : '–'),
      fact('Test runs', number(end?.asks ?? last?.asks ?? 0)),
      fact('Accepted steps', number(end?.accepted ?? last?.accepted ?? 0)),
      fact('Time', `${(end?.seconds ?? last?.seconds ?? 0).toFixed(1)} s`),
      fact(end ? 'Ended' : 'Pass', end ? REASONS[end.reason] ?? end.reason : last?.pass ?? '–'),
      end?.header && fact('With the comment at the top', `${number(end.after.bytes)} bytes`),
      end && fact('Confirmed', `${end.confirmed.fails} of ${end.confirmed.runs} runs fail`),
      start && fact('Failure', start.failure, 'wide'));
  }

  drawPasses() {
    const end = this.lines.findLast((line) => line.type === 'end');
    const passes = end?.passes ?? this.soFar();
    if (passes.length === 0) return;
    const most = Math.max(...passes.map((pass) => pass.bytes), 1);
    const row = (pass) => h('tr', {}, h('td', {}, pass.name), h('td', {}, h('meter', { min: 0, max: most, value: pass.bytes, 'aria-label': `${pass.bytes} bytes removed by ${pass.name}` })), h('td', { class: 'number' }, number(pass.bytes)), h('td', { class: 'number' }, number(pass.accepted)), h('td', { class: 'number' }, pass.asks === undefined ? '–' : number(pass.asks)));
    fill(this.passes, h('h2', {}, 'What each pass removed'), h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Pass'), h('th', { scope: 'col' }, 'Share'), ['Bytes removed', 'Accepted', 'Test runs'].map((text) => h('th', { scope: 'col', class: 'number' }, text)))), h('tbody', {}, passes.filter((pass) => pass.bytes > 0 || pass.accepted > 0).map(row))));
  }

  /** What is known before the end: bytes of each accepted step. */
  soFar() {
    const found = new Map();
    let before = this.lines.find((line) => line.type === 'start')?.bytes;
    for (const line of this.lines.filter(({ type }) => type === 'accepted')) {
      const pass = found.get(line.pass) ?? { name: line.pass, bytes: 0, accepted: 0 };
      found.set(line.pass, { ...pass, bytes: pass.bytes + before - line.bytes, accepted: pass.accepted + 1 });
      before = line.bytes;
    }
    return [...found.values()].sort((a, b) => b.bytes - a.bytes);
  }
}

/** The text after a step of a report, stored as groups of lines: copied from the previous text, or new. */
function patched(before, runs) {
  const lines = before.split('\n');
  return runs.flatMap((run) => run.lines ?? lines.slice(run.from, run.from + run.n)).join('\n');
}

/** The accepted steps: a slider, and what each changed. */
export class Steps {
  /** `onText(text, step)` is called with the file after the selected step. */
  constructor(language, onText, onStep) {
    this.onStep = onStep;
    this.language = language;
    this.onText = onText;
    this.slider = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Accepted step', oninput: () => this.choose(Number(this.slider.value)) });
    this.title = h('h2', { role: 'status' }, '');
    this.changes = h('div', { class: 'step-diff' });
    const step = (by, text) => h('button', { class: 'small', 'aria-label': text, onclick: () => this.choose(Number(this.slider.value) + by) }, by < 0 ? '◀' : '▶');
    this.empty = h('p', { class: 'empty' }, 'No accepted step yet.');
    this.body = h('div', { class: 'stack', hidden: true }, h('div', { class: 'row' }, step(-1, 'Previous step'), this.slider, step(1, 'Next step')), this.title, this.changes);
    this.element = h('div', {}, this.empty, this.body);
    this.texts = new Map();
    this.accepted = [];
  }

  /** `step`: the one to show first, from 1. */
  begin(job, step) {
    this.job = job;
    this.texts.clear();
    this.patches = undefined;
    this.accepted = [];
    this.at = undefined;
    this.wanted = step === undefined ? undefined : Number(step) - 1;
  }

  /** Adds new steps; returns whether there are any. */
  update(accepted) {
    const isAtEnd = this.at === undefined || this.at >= this.accepted.length - 1;
    const grew = accepted.length !== this.accepted.length;
    this.accepted = accepted;
    this.slider.max = Math.max(0, accepted.length - 1);
    this.empty.hidden = accepted.length > 0;
    this.body.hidden = accepted.length === 0;
    if (grew && isAtEnd) this.at = accepted.length - 1;
    if (grew && this.wanted < accepted.length) {
      this.at = this.wanted;
      this.wanted = undefined;
    }
    if (grew) this.refresh();
    return grew;
  }

  refresh() {
    if (this.accepted.length > 0 && this.element.offsetParent) this.show(this.at ?? 0);
  }

  /** The file after a step; the original is step -1. */
  text(step) {
    if (!this.texts.has(step)) {
      const read = step < 0 ? readFile(this.job.form.file) : report ? this.recorded(step) : getText(`/api/jobs/${this.job.id}/steps/${step}`);
      this.texts.set(step, read.catch((error) => { this.texts.delete(step); throw error; }));
    }
    return this.texts.get(step);
  }

  /** The same in a report, where a step that is too long may be missing. */
  async recorded(step) {
    this.patches ??= await get(`/api/jobs/${this.job.id}/steps`);
    if (!this.patches[step]) throw new Error('The text of this step is not in the report.');
    // Starts from the nearest earlier text that is known and applies the later steps that have one.
    const wanted = [step];
    let known = step - 1;
    for (; known >= 0 && !(this.patches[known] && this.texts.has(known)); known -= 1) if (this.patches[known]) wanted.push(known);
    return wanted.reverse().reduce((text, at) => patched(text, this.patches[at]), await this.text(known));
  }

  /** Stores the selected step in the address, so that a reload shows it again. */
  choose(step) {
    this.show(step);
    this.onStep(this.at + 1);
  }

  async show(step) {
    const at = Math.min(this.accepted.length - 1, Math.max(0, step));
    this.at = at;
    this.slider.value = at;
    const line = this.accepted[at];
    this.title.textContent = `Step ${at + 1} of ${this.accepted.length}: ${line.pass}, ${number(line.bytes)} bytes after ${count(line.asks, 'test run')}`;
    const both = await attempt(Promise.all([this.text(at - 1), this.text(at)]));
    if (!both || this.at !== at) return;
    fill(this.changes, diffView(both[0], both[1], { language: this.language(), label: `Step ${at + 1}` }));
    this.onText(both[1], at);
  }
}

// What the views of C files share: a file, one of its functions, a form, and the job that is shown.
import { h, fill } from './dom.js';
import { attempt, get, readFile, report } from './api.js';
import { CommandLine, JobBar, failureOf, getJob, isLive, refusalOf, startJob, watchJob } from './job.js';
import { remember } from '../main.js';

export class CView {
  constructor(main, params) {
    this.main = main;
    this.params = params;
    this.leave = [];
    this.bar = new JobBar();
    this.headline = h('div', { class: 'headline' });
    this.notice = h('div', {});
    this.function = h('select', {});
    this.command = new CommandLine();
  }

  /** The pane on the right: the result, and tabs. */
  side(title) {
    return h('div', { class: 'side' }, h('div', { class: 'side-head' }, h('h1', {}, title), this.bar.element), this.headline, this.notice, this.tabs);
  }

  /** A form with the command line that does the same; in a report it only shows the options. */
  makeForm(fields, startTitle, start) {
    this.startButton = h('button', { class: 'primary', type: 'submit', disabled: !this.params.file }, startTitle);
    const grid = h('fieldset', { class: 'grid2', disabled: report !== undefined }, h('legend', { class: 'visually-hidden' }, 'Options'), fields.map(([name, input]) => (input.type === 'checkbox' ? h('label', { class: 'check' }, input, name) : h('label', { class: 'field' }, name, input))));
    this.form = h('form', { class: 'stack', onsubmit: (event) => { event.preventDefault(); start(); } }, grid, h('h3', {}, 'The same in the terminal'), this.command.element, h('div', { class: 'row actions live-only' }, this.startButton));
    this.form.addEventListener('change', () => this.command.changed(this.value()));
  }

  /** Reads the file and the names of its functions. Returns its text. */
  async openSource(usual) {
    const refused = (error) => { fill(this.notice, refusalOf(error)); };
    const text = await readFile(this.params.file).catch(refused);
    if (text === undefined) return undefined;
    this.source = text;
    const found = (await get('/api/functions', { path: this.params.file }).catch(refused)) ?? [];
    const names = found.map(({ name }) => name);
    if (this.params.function && !names.includes(this.params.function)) names.unshift(this.params.function);
    fill(this.function, names.map((name) => h('option', { value: name }, name)));
    this.function.value = this.params.function ?? usual(names) ?? '';
    this.command.update(this.value());
    return text;
  }

  /** Starts a job and shows it. */
  async begin(form, params, tab) {
    const job = await startJob(form);
    if (!job) return;
    this.bar.clear();
    remember({ job: job.id, start: undefined, ...params });
    this.params.job = job.id;
    this.report = undefined;
    this.tabs.show(tab);
    await this.openJob(job.id);
  }

  /** Shows and follows a job. `setForm(form)` fills in its form. */
  async openJob(id) {
    const job = await attempt(getJob(id));
    if (!job) return;
    this.stopWatching?.();
    if (job.form.function) this.function.value = job.form.function;
    this.setForm(job.form);
    this.command.typed(job.folder ? job.command : '');
    this.command.update(this.value());
    this.stopWatching = watchJob(id, (state) => { if (this.params.job === id) this.update(state); });
    this.leave.push(() => this.stopWatching());
  }

  /** Handles what all jobs have in common. Returns the report when it first becomes available. */
  take({ summary, lines }, waiting) {
    this.bar.set(summary);
    this.startButton.disabled = isLive(summary.phase);
    fill(this.notice, failureOf(lines, (line) => this.goTo(line)));
    const found = lines.findLast((line) => line.type === 'document')?.content;
    if (!found) fill(this.headline, isLive(summary.phase) && h('p', { class: 'soft', role: 'status' }, waiting));
    if (!found || this.report) return undefined;
    this.report = found;
    return found;
  }
}

// The reduce view: the open file as text and graph, next to the form and the progress.
import { h, fill, number, count, download, baseName, bytes, throttle } from '../lib/dom.js';
import { attempt, get, readFile, report, saveFile } from '../lib/api.js';
import { acceptDrops, fileBar, nothingOpen } from '../lib/files.js';
import { languageOf } from '../lib/highlight.js';
import { TextView } from '../lib/text.js';
import { GraphView } from '../lib/graph.js';
import { split, tabs } from '../lib/panes.js';
import { JobBar, failureOf, getJob, isLive, refusalOf, startJob, watchJob } from '../lib/job.js';
import { addCommands } from '../lib/palette.js';
import { go, remember } from '../main.js';
import { ReduceForm } from './reduce_form.js';
import { Progress, Steps, withoutHeader } from './reduce_run.js';
import { Console } from './console.js';
import { Generator } from './generator.js';
import { Comparison } from './comparison.js';

/** Minimum time between two updates of the text while a job runs. */
const FOLLOW_MS = 400;

class ReduceView {
  constructor(main, params) {
    this.params = params;
    this.main = main;
    this.text = new TextView({ label: 'The file as text', onLine: (line) => this.graph.goToLine(line) });
    this.graph = new GraphView({ label: 'The file as graph', fileName: baseName(params.file ?? 'graph'), onNode: (node) => this.text.goTo(node.line) });
    this.bar = new JobBar();
    this.form = new ReduceForm(params, { onStart: (form) => this.start(form), onChange: (fields) => remember(fields) });
    this.progress = new Progress();
    this.steps = new Steps(() => this.language, (text, step) => this.showText(text, step), (step) => remember({ step }));
    // A report has no controls that start something.
    this.comparison = new Comparison((form) => this.start(form));
    this.tools = report ? [] : this.makeTools();
    this.leave = [];
    this.follow = throttle(FOLLOW_MS, (n) => this.showStep(n));
  }

  makeTools() {
    this.console = new Console();
    this.generator = new Generator((file) => go('/reduce', { file }));
    return [
      { id: 'compare', title: 'Compare', panel: this.comparison.element },
      { id: 'console', title: 'Console', panel: this.console.element },
      { id: 'generate', title: 'Generate', panel: this.generator.element },
    ];
  }

  async show() {
    const openFile = (file) => go('/reduce', { file, program: this.form.value().program });
    acceptDrops(this.main, openFile);
    this.notice = h('div', {});
    this.size = h('span', { class: 'soft', role: 'status' });
    const toggle = (name, title) => h('button', { class: 'small', 'aria-pressed': this.isShown(name), onclick: () => this.togglePane(name) }, title);
    this.toggles = { curves: toggle('curves', 'Curves'), text: toggle('text', 'Text'), graph: toggle('graph', 'Graph') };
    const job = this.params.job ? await attempt(getJob(this.params.job)) : undefined;
    this.setComparison(job);
    const find = h('input', { type: 'search', placeholder: 'Find in text', 'aria-label': 'Find in text', size: 14, onkeydown: (event) => event.key === 'Enter' && this.text.find(find.value, event.shiftKey ? -1 : 1) });
    const bar = fileBar('reduce', this.params.file, openFile,
      h('button', { class: 'small live-only', disabled: !this.params.file, onclick: () => this.save() }, 'Save as…'), this.size, h('span', { class: 'right' }), find, h('button', { class: 'small', onclick: () => this.text.foldAll() }, 'Fold'), Object.values(this.toggles));
    this.views = h('div', { class: 'views' });
    const run = [
      { id: 'run', title: 'Run', panel: this.form.element },
      { id: 'progress', title: 'Progress', panel: this.progress.element },
      { id: 'steps', title: 'Steps', panel: this.steps.element, onShow: () => this.steps.refresh() },
    ];
    const compared = { id: 'compare', title: 'Compare', panel: this.comparison.element };
    this.tabs = tabs(report && this.isComparison ? [compared] : [...run, ...this.tools], { label: 'Reduce', first: this.params.tab, onChange: (tab) => remember({ tab }) });
    const side = h('div', { class: 'side' }, h('div', { class: 'side-head' }, h('h1', {}, 'Reduce'), this.bar.element), this.notice, this.tabs);
    fill(this.main, bar, split(this.views, side, { share: 55, name: 'reduce' }));
    this.arrange();
    this.leave.push(addCommands(() => this.commands()));
    if (this.params.file) await this.openFile(this.params.file);
    else fill(this.views, nothingOpen('reduce', openFile, 'A file that makes a program fail: SMT-LIB, BTOR, BTOR2, DIMACS or any text.', h('button', { onclick: () => this.tabs.show('generate', true) }, 'Generate one…')));
    if (this.params.job) await this.openJob(this.params.job);
    else if (this.params.replay && this.file && !report) {
      remember({ replay: undefined });
      this.console.run();
    } else if (this.params.start && this.params.file) {
      remember({ start: undefined });
      await this.start(this.form.value());
    }
    return () => this.leave.forEach((call) => call());
  }

  commands() {
    const views = [
      { title: 'View text', run: () => this.togglePane('text') },
      { title: 'View graph', run: () => this.togglePane('graph') },
      ...(this.isComparison ? [{ title: 'View curves', run: () => this.togglePane('curves') }] : []),
    ];
    return report ? views : [
      ...views,
      { title: 'Compare strategies', run: () => { this.tabs.show('compare', true); this.start(this.comparison.value()); } },
      { title: 'Reduce: start', run: () => this.start(this.form.value()) },
      { title: 'Reduce: stop', run: () => this.bar.stop.click() },
      { title: 'Reduce: pause', run: () => this.bar.pause.click() },
      { title: 'Run the program on the open file', run: () => { this.tabs.show('console', true); this.console.run(); } },
    ];
  }

  /** A comparison shows its curves instead of the file. */
  setComparison(job) {
    this.isComparison = job?.kind === 'compare';
    this.toggles.curves.hidden = !this.isComparison;
  }

  shown() {
    const shown = new Set((this.params.panes ?? (this.isComparison ? 'curves' : 'text')).split(' '));
    if (!this.isComparison && shown.delete('curves') && shown.size === 0) shown.add('text');
    return shown;
  }

  isShown(name) {
    return this.shown().has(name);
  }

  togglePane(name) {
    const shown = this.shown();
    if (!shown.delete(name)) shown.add(name);
    if (shown.size === 0) shown.add(name === 'text' ? 'graph' : 'text');
    this.params.panes = [...shown].sort().join(' ');
    remember({ panes: this.params.panes });
    this.arrange();
  }

  arrange() {
    for (const [name, button] of Object.entries(this.toggles)) button.setAttribute('aria-pressed', this.isShown(name));
    const panes = Object.entries({ curves: this.comparison.curves.element, text: this.text.element, graph: this.graph.element }).filter(([name]) => this.isShown(name)).map(([, pane]) => pane);
    const below = (rest) => (rest.length === 1 ? rest[0] : split(rest[0], below(rest.slice(1)), { direction: 'column', share: 100 / rest.length, name: `reduce-views-${rest.length}` }));
    fill(this.views, below(panes));
    if (this.isShown('graph')) this.drawGraph();
    this.text.schedule();
  }

  async openFile(file) {
    const text = await readFile(file).catch((error) => { fill(this.notice, refusalOf(error)); });
    if (text === undefined) return;
    this.file = file;
    this.params.file = file;
    this.setText(text);
    const name = this.main.querySelector('.file-bar strong');
    if (name) fill(name, baseName(file));
    this.form.setFile(file, this.language);
    this.comparison.setFile(file, this.language, () => this.form.value());
    this.console?.setFile(file, () => this.form.value().program);
    this.arrange();
  }

  setText(text) {
    this.content = text;
    this.language = languageOf(this.params.file ?? '', text);
    this.text.setText(text, this.language);
    this.size.textContent = `${bytes(new Blob([text]).size)}, ${count(this.text.lines.length, 'line')}`;
  }

  async drawGraph() {
    if (!this.file || this.drawn === this.file) return;
    this.drawn = this.file;
    const graph = await attempt(get('/api/graph', { path: this.file }));
    if (graph) await this.graph.setGraph(graph);
    else this.drawn = undefined;
  }

  async save() {
    const name = prompt('Save the text as (a path below one of the folders of the workbench):', this.file ?? '');
    if (name && (await attempt(saveFile(name, this.content)))) go('/reduce', { file: name });
  }

  async start(form) {
    const job = await startJob({ ...form, file: this.file });
    if (!job) return;
    this.bar.clear();
    remember({ job: job.id, start: undefined, step: undefined });
    this.params.job = job.id;
    this.params.step = undefined;
    await this.openJob(job.id);
  }

  async openJob(id) {
    const job = await attempt(getJob(id));
    if (!job) return;
    this.stopWatching?.();
    this.setComparison(job);
    if (this.isComparison) this.comparison.set(job.form, job.folder ? job.command : '');
    this.arrange();
    this.tabs.show(this.isComparison ? 'compare' : this.params.tab && this.params.tab !== 'run' ? this.params.tab : 'progress');
    if (job.kind === 'reduce') this.form.set(job.form, job.folder ? job.command : '');
    this.progress.begin(job);
    this.steps.begin(job, this.params.step);
    this.wasLive = undefined;
    this.stopWatching = watchJob(id, (state) => { if (this.params.job === id) this.update(job, state); });
    this.leave.push(() => this.stopWatching());
  }

  update(job, { summary, lines, progress }) {
    this.bar.set(summary);
    const live = isLive(summary.phase);
    this.form.setBusy(live);
    const failure = failureOf(lines, (line) => this.text.goTo(line));
    // The message of `finish` stays, whatever else is reported about the job.
    if (live || failure) fill(this.notice, failure);
    this.comparison.setBusy(live);
    if (this.isComparison) {
      this.comparison.curves.update({ lines, progress }, live);
      return;
    }
    const accepted = lines.filter((line) => line.type === 'accepted');
    this.progress.update(lines, summary);
    const isNews = this.steps.update(accepted);
    if (live && isNews) this.follow(accepted.length - 1);
    if (!live && this.wasLive !== false) this.finish(job, lines);
    this.wasLive = live;
  }

  /** The view follows the reduction. */
  async showStep(step) {
    if (this.wasLive === false || !this.params.job) return;
    const text = await attempt(this.steps.text(step));
    if (text === undefined || this.wasLive === false) return;
    this.showText(text, step);
  }

  showText(text, step) {
    this.setText(text);
    this.size.textContent += `, step ${step + 1}`;
  }

  /** The result becomes the open file, so that another strategy can continue with it. */
  async finish(job, lines) {
    const end = lines.findLast((line) => line.type === 'end');
    if (!end?.reduced) return;
    const { result } = await getJob(job.id);
    if (!result) return;
    await this.openFile(result);
    remember({ file: result });
    fill(this.notice, h('div', { class: 'message row', role: 'status' },
      h('span', { class: 'grow' }, h('strong', {}, `${number(end.before.bytes)} → ${number(withoutHeader(lines, end))} bytes`), ` in ${count(end.asks, 'test run')}. `, h('span', { class: 'live-only' }, 'The result is the open file: start again to continue with it.')),
      h('button', { class: 'small', onclick: async () => download(baseName(result), await readFile(result)) }, 'Download'),
      report ? this.sideButton(job.form.file, result) : h('button', { class: 'small', onclick: () => go('/reduce', { file: job.form.file, program: job.form.program }) }, 'Back to the original')));
  }

  /** In a report: switches between the original and the result. */
  sideButton(original, result) {
    const button = h('button', { class: 'small', onclick: async () => {
      const isResult = this.file === result;
      await this.openFile(isResult ? original : result);
      button.textContent = isResult ? 'Show the result' : 'Show the original';
    } }, 'Show the original');
    return button;
  }
}

export const show = (main, params) => new ReduceView(main, params).show();

// A job in a view: its events as they arrive, its state, and the buttons that stop and pause it.
import { h, fill, copy, download } from './dom.js';
import { attempt, follow, get, getText, post } from './api.js';

const PHASES = {
  running: ['Running', 'live'], paused: ['Paused', 'warn'], stopping: ['Stopping…', 'warn'], done: ['Done', 'good'],
  stopped: ['Stopped', 'warn'], failed: ['Failed', 'bad'], interrupted: ['Interrupted', 'warn'],
};

export const isLive = (phase) => ['running', 'paused', 'stopping'].includes(phase);

export function phaseBadge(phase) {
  const [text, kind] = PHASES[phase] ?? [phase, ''];
  return h('span', { class: ['badge', kind], 'data-phase': phase }, text);
}

/** Buttons and state of a running job. */
export class JobBar {
  constructor() {
    this.state = h('span', { class: 'row', role: 'status' });
    const act = (action) => () => attempt(post(`/api/jobs/${this.id}/${action}`));
    this.pause = h('button', { class: 'small', onclick: act('pause') }, 'Pause');
    this.resume = h('button', { class: 'small', onclick: act('resume') }, 'Resume');
    this.stop = h('button', { class: 'small danger', onclick: act('stop') }, 'Stop');
    this.goOn = h('button', { class: 'small', onclick: act('continue') }, 'Continue');
    this.save = h('button', { class: 'small', title: 'A page that needs no server, as --html writes it', onclick: () => this.savePage() }, 'Save as one file');
    this.element = h('span', { class: 'row job-bar live-only', hidden: true }, this.state, this.pause, this.resume, this.stop, this.goOn, this.save);
  }

  async savePage() {
    this.save.disabled = true;
    const text = await attempt(getText(`/api/jobs/${this.id}/page`));
    this.save.disabled = false;
    if (text !== undefined) download(`${this.id}.html`, text, 'text/html');
  }

  /** Another job will be shown: clears the state of the previous one. */
  clear() {
    this.element.hidden = true;
  }

  set(summary) {
    this.id = summary.id;
    this.save.hidden = isLive(summary.phase) || summary.phase === 'failed';
    this.element.hidden = false;
    fill(this.state, phaseBadge(summary.phase));
    this.pause.hidden = summary.phase !== 'running';
    this.resume.hidden = summary.phase !== 'paused';
    this.stop.hidden = !['running', 'paused'].includes(summary.phase);
    this.goOn.hidden = !(['interrupted', 'stopped'].includes(summary.phase) && ['reduce', 'fuzz'].includes(summary.kind) && !summary.folder);
  }
}

/** Milliseconds between two redraws of a running job: each takes processor time from the job. */
const DRAW_MS = 100;

/** Follows a job. `onChange({ summary, lines, progress })` is called with everything known: with a short delay, and immediately when the job starts or ends. */
export function watchJob(id, onChange) {
  const state = { summary: undefined, lines: [], progress: undefined };
  let timer;
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    if (state.summary) onChange({ ...state });
  };
  const soon = () => { timer ??= setTimeout(tell, DRAW_MS); };
  const leave = follow({
    job: id,
    onProgress: (progress) => {
      state.progress = progress;
      soon();
    },
    onLines: (fresh) => {
      state.lines.push(...fresh);
      soon();
    },
    onJob: (summary) => {
      const isNews = state.summary?.phase !== summary.phase;
      state.summary = summary;
      if (isNews) tell();
      else soon();
    },
  });
  return () => {
    clearTimeout(timer);
    leave();
  };
}

/** The command line that is equivalent to a form, for copying. */
export class CommandLine {
  constructor() {
    this.code = h('code', {}, '# open a file first');
    this.element = h('div', { class: 'command', role: 'group', 'aria-label': 'Equivalent command line' }, this.code, h('button', { class: 'small quiet', onclick: () => copy(this.code.textContent) }, 'Copy'));
  }

  /** Shows the command line of a job that was started in the terminal, until the form is changed. */
  typed(line) {
    this.isTyped = line !== '';
    if (this.isTyped) this.code.textContent = line;
  }

  /** Shows what is missing. */
  ask(text) {
    this.asked = (this.asked ?? 0) + 1;
    this.code.textContent = `# ${text}`;
  }

  /** The form was changed. */
  changed(form) {
    this.isTyped = false;
    return this.update(form);
  }

  async update(form) {
    if (this.isTyped) return;
    // Answers may arrive out of order; only the one to the last request counts.
    const ticket = (this.asked = (this.asked ?? 0) + 1);
    const line = await post('/api/command', form).then((made) => made.line, (error) => `# ${error.message.split('\n')[0]}`);
    if (ticket === this.asked && !this.isTyped) this.code.textContent = line;
  }
}

export const startJob = (form) => attempt(post('/api/jobs', form));
export const getJob = (id) => get(`/api/jobs/${id}`);

/** An error message. `goTo(line)` shows the place, if there is one. */
export function failureOf(lines, goTo) {
  const event = lines.findLast((line) => line.type === 'refused' || line.type === 'error');
  const place = event?.place?.line;
  return event && h('div', { class: 'message error', role: 'alert' }, place && goTo && [h('button', { class: 'small', onclick: () => goTo(place) }, `line ${place}`), ' '], h('strong', {}, event.message), event.hint && h('p', {}, `Hint: ${event.hint}`));
}

/** The same for a refused request: the first line is the message, the second one a hint. */
export function refusalOf(error) {
  const [message, hint] = error.message.split('\n');
  return h('div', { class: 'message error', role: 'alert' }, h('strong', {}, message), hint && h('p', {}, `Hint: ${hint}`));
}

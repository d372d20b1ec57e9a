// Requests to the server. A request that changes something sends the second token, which only this page can read. A report is
// this page in one file: it has no server but contains the answers to its view's requests.
import { toast } from './dom.js';

let session;

/** The content of a report: `view`, `title`, `params`, `answers`. Undefined if there is a server. */
export const report = JSON.parse(document.getElementById('report')?.textContent ?? 'null') ?? undefined;

/** The server's first answer: programs, folders, examples. */
export const getSession = () => session;

export class Refused extends Error {
  constructor(status, message, hint) {
    super(hint ? `${message}\n${hint}` : message);
    this.status = status;
  }
}

async function answer(response) {
  if (response.ok) return response;
  if (response.status === 401) showClosed();
  let body = {};
  try { body = await response.json(); } catch { /* not ours */ }
  throw new Refused(response.status, body.error ?? `The server answered ${response.status}.`, body.hint);
}

function showClosed() {
  document.body.classList.add('closed');
  if (document.querySelector('.closed-note')) return;
  const note = document.createElement('div');
  note.className = 'closed-note message warning';
  note.setAttribute('role', 'alert');
  note.textContent = 'The workbench was restarted. Open the new address that it printed in the terminal; your jobs are kept.';
  document.querySelector('main').prepend(note);
}

export async function open() {
  session = await get('/api/session');
  return session;
}

const query = (params) => new URLSearchParams(Object.entries(params ?? {}).filter(([, value]) => value !== undefined));
const address = (path, params) => (params ? `${path}?${query(params)}` : path);

/** A report's answer to a request, found by path and values of the parameters. */
function recorded(path, params) {
  const found = report.answers[[path, ...Object.values(params ?? {})].join('\n')];
  if (found === undefined) throw new Refused(404, 'This is not part of the report.', '`nub workbench` shows it live.');
  return structuredClone(found);
}

export const get = async (path, params) => (report ? recorded(path, params) : (await answer(await fetch(address(path, params)))).json());
export const getText = async (path, params) => (report ? recorded(path, params) : (await answer(await fetch(address(path, params)))).text());

export async function post(path, body = {}) {
  if (report) return recorded(path);
  const headers = { 'content-type': 'application/json', 'x-nub-token': session.token };
  return (await answer(await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }))).json();
}

export const readFile = (path) => getText('/api/file', { path });
export const saveFile = (path, text) => post('/api/file', { path, text });
export const paste = (name, text) => post('/api/paste', { name, text });

/** Awaits a promise and shows its error. */
export async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    toast(error.message, 'error');
    return undefined;
  }
}

/**
 * Follows the list of jobs, and one job if it is given. A hidden page is not connected, since a browser opens few
 * connections to one host. Returns a function that ends it.
 */
export function follow({ job, onLines, onJob, onJobs, onProgress }) {
  if (report) return replay(job, { onLines, onJob });
  let source;
  let from = 0;
  let timer;
  const connect = () => {
    close();
    if (document.hidden) return;
    source = new EventSource(address('/api/events', { job, from: job ? from : undefined }));
    source.addEventListener('lines', (event) => {
      const data = JSON.parse(event.data);
      // After a reconnection, known events may be repeated.
      const fresh = data.lines.slice(Math.max(0, from - data.from));
      from = Math.max(from, data.from + data.lines.length);
      if (fresh.length > 0) onLines?.(fresh);
    });
    source.addEventListener('progress', (event) => onProgress?.(JSON.parse(event.data)));
    source.addEventListener('job', (event) => onJob?.(JSON.parse(event.data)));
    source.addEventListener('jobs', () => onJobs?.());
    source.onerror = () => {
      close();
      timer = setTimeout(() => fetch('/api/session').then((response) => (response.status === 401 ? showClosed() : connect()), connect), 1500);
    };
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const onVisibility = () => (document.hidden ? close() : connect());
  document.addEventListener('visibilitychange', onVisibility);
  connect();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}

/** A job of a report: all events are available immediately. */
function replay(job, { onLines, onJob }) {
  let isOver = false;
  queueMicrotask(() => {
    if (isOver) return;
    onLines?.(recorded(`/api/jobs/${job}/lines`));
    onJob?.(recorded(`/api/jobs/${job}`));
  });
  return () => { isOver = true; };
}

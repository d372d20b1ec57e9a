// The shell of the page: the bar at the top, the address, the palette.
import { h, fill, toast, copy, baseName } from './lib/dom.js';
import { attempt, get, open, post, report } from './lib/api.js';
import { addCommands, openPalette } from './lib/palette.js';
import { chooseFile } from './lib/files.js';
import { keep, kept } from './lib/storage.js';

const VIEWS = [
  { path: '/', title: 'Home', load: () => import('./views/home.js') },
  { path: '/reduce', title: 'Reduce', load: () => import('./views/reduce.js') },
  { path: '/fuzz', title: 'Fuzz', load: () => import('./views/fuzz.js') },
  { path: '/cover', title: 'Cover', load: () => import('./views/cover.js') },
  { path: '/explain', title: 'Explain', load: () => import('./views/explain.js') },
];

const main = document.querySelector('main');
let leave = () => {};
let shows = 0;

/** The address of a view. */
export function address(path, params = {}) {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== undefined && value !== ''));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** What is shown: the view and its parameters. A report shows one view; the rest of its state is after the `#`. */
function place() {
  if (!report) return { path: location.pathname, params: Object.fromEntries(new URLSearchParams(location.search)) };
  return { path: `/${report.view}`, params: { ...report.params, ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) } };
}

/** Shows another view. */
export function go(path, params = {}) {
  history.pushState(null, '', address(path, params));
  return show();
}

/** Updates the address, so that a reload shows the same. */
export function remember(params) {
  const { path, params: now } = place();
  if (!report) history.replaceState(null, '', address(path, { ...now, ...params }));
  else history.replaceState(null, '', `#${address('', { ...now, ...params }).slice(1)}`);
}

async function show() {
  const ticket = (shows += 1);
  const { path: wanted, params } = place();
  const view = VIEWS.find(({ path }) => path === wanted) ?? VIEWS[0];
  const module = await view.load();
  if (ticket !== shows) return;
  leave();
  leave = () => {};
  document.title = report?.title ?? `${view.title}${params.file ? ` · ${baseName(params.file)}` : ''} · nub workbench`;
  for (const link of document.querySelectorAll('.nav a[data-view]')) {
    if (link.dataset.view === view.path) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  main.className = view.path === '/' ? '' : 'fill';
  fill(main);
  leave = (await attempt(module.show(main, params))) ?? (() => {});
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  keep('nub-theme', theme);
}

function toggleTheme() {
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  show();
}

async function newLink() {
  const made = await attempt(post('/api/link'));
  if (!made) return;
  await copy(made.line);
  toast(`Open this address in the other browser; it is valid once:\n${made.line}`);
}

function shell() {
  const link = (view) => h('a', { href: view.path, 'data-view': view.path }, view.title);
  const icon = h('img', { src: document.querySelector('link[rel=icon]').href, alt: '' });
  const brand = report ? h('span', { class: 'brand' }, icon, report.title) : h('a', { href: '/', class: 'brand', 'aria-label': 'nub workbench, home' }, icon, 'nub');
  fill(document.querySelector('.nav'), brand, !report && VIEWS.map(link));
  fill(document.querySelector('.top-right'), h('button', { class: 'quiet', onclick: openPalette }, 'Commands ', h('kbd', {}, 'Ctrl K')), h('button', { class: 'quiet', title: 'Light or dark', 'aria-label': 'Switch between light and dark', onclick: toggleTheme }, '◐'));
  document.addEventListener('click', (event) => {
    const target = event.target.closest?.('a[href^="/"]');
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    history.pushState(null, '', target.getAttribute('href'));
    show();
  });
  window.addEventListener('popstate', show);
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openPalette();
    }
    if (!report && event.altKey && /^[1-5]$/.test(event.key)) go(VIEWS[Number(event.key) - 1].path);
  });
}

function commands(session) {
  addCommands(() => [{ title: 'Switch between light and dark', run: toggleTheme }]);
  if (report) return;
  addCommands(async () => (await get('/api/jobs')).slice(0, 100).map((job) => ({ title: `Job ${job.id}: ${job.headline || job.phase}`, hint: baseName(job.file), run: () => go(viewOf(job.kind), { file: job.file, job: job.id }) })));
  addCommands(() => [
    ...VIEWS.map((view, index) => ({ title: `Go to ${view.title}`, hint: `Alt ${index + 1}`, run: () => go(view.path) })),
    ...['reduce', 'cover', 'explain'].map((view) => ({ title: `Open a file to ${view}…`, run: () => chooseFile(view, (file) => go(`/${view}`, { file })) })),
    ...session.examples.map((example) => ({ title: `Example: ${example.title}`, hint: example.view, run: () => openExample(example.name) })),
    { title: 'Create an address for another browser', run: newLink },
  ]);
}

/** The view that shows jobs of a kind. */
export const viewOf = (kind) => (kind === 'compare' ? '/reduce' : `/${kind}`);

/** Opens an example, and starts it. */
export async function openExample(name) {
  const made = await attempt(post('/api/example', { name }));
  if (made) go(`/${made.view}`, { file: made.file, ...made.fields, start: '1' });
}

document.body.classList.toggle('report', report !== undefined);
setTheme(kept('nub-theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
const session = await attempt(open());
if (session) {
  shell();
  commands(session);
  show();
} else fill(main, h('p', { class: 'loading' }, 'The workbench does not answer. Is `nub workbench` still running?'));

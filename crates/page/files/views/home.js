// The first view: examples, recent jobs, files and settings.
import { h, fill, ago, baseName } from '../lib/dom.js';
import { attempt, follow, get, getSession, post } from '../lib/api.js';
import { acceptDrops, chooseFile, pasteText } from '../lib/files.js';
import { phaseBadge } from '../lib/job.js';
import { address, go, openExample, viewOf } from '../main.js';

/** Number of jobs in the list until all are requested. */
const FEW = 12;

const WAYS = {
  reduce: ['Reduce', 'Shrink a file on which a solver fails, down to the relevant part.'],
  fuzz: ['Fuzz', 'Find bugs in solvers with generated formulas.'],
  cover: ['Cover', 'Find the fewest tests for a C function.'],
  explain: ['Explain', 'See why an assertion in a C program fails.'],
};

export async function show(main) {
  const { programs, examples, files, version } = getSession();
  const list = h('tbody');
  const more = h('button', { class: 'small quiet', hidden: true, onclick: () => { limit = Infinity; load(); } });
  let limit = FEW;
  // Rows are rebuilt only if their content changes: there may be a thousand, of which one changes.
  const rows = new Map();
  const rowOf = (job) => {
    const says = JSON.stringify([job, ago(job.started)]);
    if (rows.get(job.id)?.says !== says) rows.set(job.id, { says, row: jobRow(job) });
    return rows.get(job.id).row;
  };
  const load = async () => {
    const jobs = await attempt(get('/api/jobs'));
    if (!jobs) return;
    fill(list, jobs.slice(0, limit).map(rowOf));
    if (jobs.length === 0) fill(list, h('tr', {}, h('td', { colspan: 5, class: 'empty' }, 'No jobs yet. An example is a good start.')));
    more.hidden = jobs.length <= limit;
    more.textContent = `Show all ${jobs.length} jobs`;
  };
  const openFor = (view) => (file) => go(`/${view}`, { file });
  const ways = Object.entries(WAYS).map(([view, [title, text]]) => h('div', { class: 'card way' }, h('h2', {}, h('a', { href: `/${view}` }, title)), h('p', { class: 'soft' }, text),
    view === 'fuzz' ? h('div', { class: 'row' }, h('a', { class: 'button small', href: '/fuzz' }, 'Choose solvers…')) : h('div', { class: 'row' }, h('button', { class: 'small', 'aria-label': `${title}: open a file`, onclick: () => chooseFile(view, openFor(view)) }, 'Open…'), h('button', { class: 'small', 'aria-label': `${title}: paste a file`, onclick: () => pasteText(view, openFor(view)) }, 'Paste…'))));
  const samples = examples.map((example) => h('button', { class: 'card sample', onclick: () => openExample(example.name) }, h('span', { class: 'badge' }, WAYS[example.view][0]), h('strong', {}, example.title), h('span', { class: 'soft' }, example.about)));
  const given = files.map((file) => h('li', {}, h('span', { class: 'mono grow' }, file), fitting(file).map((view) => h('a', { class: 'button small', href: address(`/${view}`, { file }) }, WAYS[view][0]))));
  const settings = h('div', { class: 'card scroll', tabindex: 0, role: 'region', 'aria-label': 'Settings' });
  const health = h('div', { class: 'stack' });
  const registered = programs.map((program) => h('tr', {}, h('td', {}, program.name), h('td', { class: 'mono' }, program.command)));
  fill(main, h('div', { class: 'home' },
    h('div', {}, h('h1', {}, 'What would you like to see?'), h('p', { class: 'soft' }, 'Open or paste a file, drop one anywhere on this page, or take an example.')),
    h('div', { class: 'ways' }, ways),
    given.length > 0 && [h('h2', {}, 'Your files'), h('ul', { class: 'given card' }, given)],
    h('h2', {}, 'Examples ', h('span', { class: 'faint' }, 'one click each')),
    h('div', { class: 'samples' }, samples),
    h('h2', {}, 'Recent jobs'),
    h('div', { class: 'card scroll', tabindex: 0, role: 'region', 'aria-label': 'Recent jobs' }, h('table', { class: 'jobs' }, h('thead', {}, h('tr', {}, ['Job', 'File', 'Result', 'State', 'Started'].map((text) => h('th', { scope: 'col' }, text)))), list), more),
    h('h2', {}, 'Doctor ', h('span', { class: 'faint' }, 'which solvers are installed')),
    health,
    h('h2', {}, 'Settings ', h('span', { class: 'faint' }, 'nub.toml')),
    settings,
    h('h2', {}, 'Programs'),
    h('div', { class: 'card scroll', tabindex: 0, role: 'region', 'aria-label': 'Programs' }, h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Name'), h('th', { scope: 'col' }, 'Command'))), h('tbody', {}, registered))),
    h('p', { class: 'faint' }, 'Programs are registered in the terminal, never by a page: ', h('code', {}, "nub workbench --program NAME='COMMAND'"), ', or under ', h('code', {}, '[programs]'), ' in ', h('code', {}, 'nub.toml'), `. nub ${version}.`)));
  acceptDrops(main, (file) => go(`/${fitting(file)[0] ?? 'reduce'}`, { file }));
  showDoctor(health);
  showSettings(settings);
  await load();
  return follow({ onJobs: load });
}

/** Versions are found by running the programs, so only on request. */
function showDoctor(box) {
  const output = h('pre', { class: 'log', role: 'log', 'aria-label': 'Doctor', tabindex: 0, hidden: true });
  const button = h('button', { onclick: async () => {
    button.disabled = true;
    const found = await attempt(post('/api/installed'));
    button.disabled = false;
    if (!found) return;
    output.hidden = false;
    output.textContent = found.text;
  } }, 'Look for solvers');
  fill(box, h('div', { class: 'row' }, button, h('span', { class: 'soft' }, 'To try one program on one file, open the file in Reduce and press “Check the program first”.')), output);
}

async function showSettings(box) {
  const found = await attempt(get('/api/settings'));
  if (!found) return;
  const head = (...titles) => h('thead', {}, h('tr', {}, titles.map((title) => h('th', { scope: 'col' }, title))));
  if (found.settings.length > 0) fill(box, h('table', {}, head('Key', 'Value', 'Set in'), h('tbody', {}, found.settings.map((setting) => h('tr', {}, h('td', { class: 'mono' }, setting.key), h('td', { class: 'mono' }, setting.value), h('td', { class: 'mono soft' }, `${setting.file}:${setting.line}`))))));
  else fill(box, h('p', { class: 'note-line soft' }, 'There is no ', h('code', {}, 'nub.toml'), ' here, above, or in your configuration folder.'), h('details', { class: 'note-line' }, h('summary', {}, `Available keys: ${found.keys.length}`), h('table', {}, head('Key', 'What it is'), h('tbody', {}, found.keys.map((key) => h('tr', {}, h('td', { class: 'mono' }, key.name), h('td', {}, key.about)))))));
}

const fitting = (file) => (/\.[ch]$/.test(file) ? ['cover', 'explain'] : ['reduce']);

function jobRow(job) {
  const href = address(viewOf(job.kind), { file: job.file, job: job.id });
  return h('tr', { class: 'clickable', onclick: () => go(viewOf(job.kind), { file: job.file, job: job.id }) },
    h('td', {}, h('a', { href, title: job.folder ? 'run by the command line' : undefined }, job.folder ?? job.id)), h('td', { class: 'mono cut', title: job.file }, baseName(job.file)), h('td', { class: 'cut', title: job.headline }, job.headline), h('td', {}, phaseBadge(job.phase)), h('td', { class: 'soft' }, ago(job.started)));
}

// Choosing a file: from the folders of the workbench, dropped, or pasted.
import { h, s, fill, bytes, baseName, toast } from './dom.js';
import { attempt, get, getSession, paste, report } from './api.js';

const CASES = { reduce: /\.(smt2?|btor2?|cnf|wcnf|qdimacs|dimacs|sy|txt)$/, cover: /\.[ch]$/, explain: /\.[ch]$/ };

const ICONS = { folder: 'M1.5 3.5h5l1.5 2h6.5v8h-13z', file: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3' };

/** Drawn as SVG, since not every system has an icon font. */
const icon = (isFolder) => s('svg', { class: 'icon', viewBox: '0 0 16 16', role: 'img', 'aria-label': isFolder ? 'Folder' : 'File' }, s('path', { d: ICONS[isFolder ? 'folder' : 'file'] }));

/** Lets the user choose a file below the folders. Calls `onFile(path)`. */
export function chooseFile(view, onFile) {
  const dialog = h('dialog', { class: 'files', 'aria-label': 'Open a file' });
  const crumbs = h('nav', { class: 'crumbs row', 'aria-label': 'Folder' });
  const list = h('ul', { class: 'file-list' });
  const filter = h('input', { type: 'search', placeholder: 'Part of a name', 'aria-label': 'Filter files', autofocus: true });
  const body = h('div', { class: 'body' }, h('div', { class: 'row' }, crumbs, h('span', { class: 'right' }), filter), list, h('p', { class: 'faint' }, 'These are the folders that ', h('code', {}, 'nub workbench'), ' was started with. Drop other files onto the page, or paste them.'));
  dialog.append(h('div', { class: 'head' }, h('h2', { class: 'grow' }, 'Open a file'), h('button', { class: 'quiet', onclick: () => dialog.close(), 'aria-label': 'Close' }, '✕')), body);
  const enter = async (path) => {
    const listing = await attempt(get('/api/folder', { path }));
    if (!listing) return;
    const parts = path === '' ? [] : path.split('/');
    const crumb = (text, to) => h('button', { class: 'small quiet', onclick: () => enter(to) }, text);
    fill(crumbs, crumb('Folders', ''), parts.map((part, index) => ['/', crumb(part, parts.slice(0, index + 1).join('/'))]));
    const name = (entry) => (path === '' ? entry.name : `${path}/${entry.name}`);
    const fits = (entry) => entry.is_folder || !CASES[view] || CASES[view].test(entry.name);
    const choose = (entry) => {
      if (entry.is_folder) enter(name(entry));
      else {
        dialog.close();
        onFile(name(entry));
      }
    };
    const wanted = () => listing.entries.filter((entry) => entry.name.toLowerCase().includes(filter.value.toLowerCase()));
    const row = (entry) => h('li', {}, h('button', { class: ['quiet', !fits(entry) && 'unfit'], onclick: () => choose(entry) }, icon(entry.is_folder), h('span', { class: 'grow cut', title: entry.name }, entry.name), !entry.is_folder && h('span', { class: 'faint' }, bytes(entry.bytes))));
    const draw = () => {
      fill(list, wanted().map(row));
      if (list.children.length === 0) fill(list, h('li', { class: 'empty' }, listing.entries.length === 0 ? 'This folder is empty.' : 'No file name contains this text.'));
      if (!listing.is_complete) list.append(h('li', { class: 'faint' }, 'There are more files than can be listed.'));
    };
    filter.value = '';
    filter.oninput = draw;
    filter.onkeydown = (event) => {
      if (event.key !== 'Enter' || wanted().length === 0) return;
      event.preventDefault();
      choose(wanted().find((entry) => fits(entry)) ?? wanted()[0]);
    };
    draw();
  };
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  enter(getSession().roots.length === 1 ? getSession().roots[0] : getSession().roots[0] ?? '');
}

/** Lets the user paste a text. Calls `onFile(path)`. */
export function pasteText(view, onFile) {
  const names = { reduce: 'pasted.smt2', cover: 'pasted.c', explain: 'pasted.c' };
  const name = h('input', { type: 'text', value: names[view] ?? 'pasted.txt' });
  const text = h('textarea', { rows: 16, cols: 80, placeholder: 'Paste the file here', 'aria-label': 'Text of the file' });
  const dialog = h('dialog', { 'aria-label': 'Paste a file' });
  const save = async () => {
    const saved = await attempt(paste(name.value, text.value));
    if (!saved) return;
    dialog.close();
    onFile(saved.path);
  };
  dialog.append(h('div', { class: 'head' }, h('h2', { class: 'grow' }, 'Paste a file'), h('button', { class: 'quiet', onclick: () => dialog.close(), 'aria-label': 'Close' }, '✕')),
    h('div', { class: 'body stack' }, h('label', { class: 'field' }, 'Name', name), text, h('div', { class: 'row' }, h('span', { class: 'right' }), h('button', { class: 'primary', onclick: save }, 'Open'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  text.focus();
}

/** Opens files dropped onto an element. */
export function acceptDrops(element, onFile) {
  if (report) return;
  const stop = (event) => {
    event.preventDefault();
    element.classList.toggle('dropping', event.type === 'dragover');
  };
  element.addEventListener('dragover', stop);
  element.addEventListener('dragleave', stop);
  element.addEventListener('drop', async (event) => {
    stop(event);
    const file = event.dataTransfer.files[0];
    if (!file) return;
    if (file.size > 16e6) {
      toast('Files above 16 MB cannot be dropped. Put the file into a folder of the workbench.', 'error');
      return;
    }
    const saved = await attempt(paste(file.name, await file.text()));
    if (saved) onFile(saved.path);
  });
}

/** What is shown before a file is open. `more`: further buttons. */
export function nothingOpen(view, onFile, text, ...more) {
  return h('div', { class: 'empty grow nothing-open' }, h('p', {}, text), h('div', { class: 'row' }, h('button', { onclick: () => chooseFile(view, onFile) }, 'Open a file…'), h('button', { onclick: () => pasteText(view, onFile) }, 'Paste a text…'), more), h('p', { class: 'faint' }, 'or drop a file here'));
}

/** The bar that says which file is open, and opens others. */
export function fileBar(view, path, onFile, ...more) {
  return h('div', { class: 'file-bar' },
    path ? h('strong', { class: 'mono', title: path }, baseName(path)) : h('span', { class: 'faint' }, 'No file'),
    h('button', { class: 'small live-only', onclick: () => chooseFile(view, onFile) }, 'Open…'),
    h('button', { class: 'small live-only', onclick: () => pasteText(view, onFile) }, 'Paste…'), more);
}

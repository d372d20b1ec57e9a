// The command palette: every command by name.
import { h, fill } from './dom.js';

let sources = [];

/** Adds commands: a function that lists `{ title, hint, run }`. Returns a function that removes them. */
export function addCommands(source) {
  sources = [source, ...sources];
  return () => { sources = sources.filter((other) => other !== source); };
}

/** Number of characters skipped to find the letters of `wanted` in order: less is better; -1 if they do not all occur. */
function rank(title, wanted) {
  const text = title.toLowerCase();
  let at = -1;
  let gaps = 0;
  for (const letter of wanted.toLowerCase()) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return -1;
    gaps += next - at - 1;
    at = next;
  }
  return gaps;
}

/** Opens the palette. */
export async function openPalette() {
  if (document.querySelector('dialog.palette')) return;
  const commands = (await Promise.all(sources.map((source) => source()))).flat();
  const list = h('ul', { role: 'listbox', id: 'palette-list', 'aria-label': 'Commands' });
  const input = h('input', { type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-list', 'aria-label': 'Command', placeholder: 'Type a command, a file or a job…', autocomplete: 'off' });
  const dialog = h('dialog', { class: 'palette', 'aria-label': 'Command palette' }, input, list);
  let shown = [];
  let chosen = 0;
  const run = (index) => {
    dialog.close();
    shown[index]?.run();
  };
  const draw = () => {
    const ranked = commands.map((command) => ({ command, rank: rank(command.title, input.value) })).filter((item) => item.rank >= 0);
    if (input.value) ranked.sort((a, b) => a.rank - b.rank);
    shown = ranked.slice(0, 50).map((item) => item.command);
    chosen = Math.min(chosen, Math.max(0, shown.length - 1));
    fill(list, shown.map((command, index) => h('li', { role: 'option', id: `palette-${index}`, 'aria-selected': index === chosen, onclick: () => run(index) }, h('span', { class: 'grow' }, command.title), command.hint && h('span', { class: 'faint' }, command.hint))));
    if (shown.length === 0) list.append(h('li', { class: 'faint', role: 'option', 'aria-disabled': 'true' }, 'No match.'));
    input.setAttribute('aria-activedescendant', `palette-${chosen}`);
    list.children[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  input.addEventListener('input', () => { chosen = 0; draw(); });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      chosen = (chosen + (event.key === 'ArrowDown' ? 1 : -1) + shown.length) % Math.max(1, shown.length);
      draw();
      event.preventDefault();
    } else if (event.key === 'Enter') {
      run(chosen);
      event.preventDefault();
    }
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  draw();
  input.focus();
}

// Elements. Text is never parsed as markup, so the content of files cannot inject elements.

/** Makes an element. `props`: attributes; `on…` are listeners; `class` may be a list; `true` is an empty attribute. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  setProps(element, props);
  element.append(...flat(children));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an SVG element. */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setProps(element, props);
  element.append(...flat(children));
  return element;
}

function setProps(element, props) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (name === 'class') element.setAttribute('class', Array.isArray(value) ? value.filter(Boolean).join(' ') : value);
    else if (name === 'value') element.value = value;
    else if (name === 'style') for (const [key, text] of Object.entries(value)) setStyle(element, key, text);
    else element.setAttribute(name, value === true ? '' : value);
  }
}

/** Custom CSS properties cannot be set as JavaScript properties. */
function setStyle(element, key, text) {
  if (key.startsWith('--')) element.style.setProperty(key, text);
  else element.style[key] = text;
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);
}

/** Replaces what is in an element. */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

/** A message that disappears by itself. Errors stay longer. */
export function toast(text, kind = '') {
  const element = h('div', { class: ['toast', kind], role: kind === 'error' ? 'alert' : undefined }, text);
  document.getElementById('toasts').append(element);
  setTimeout(() => element.remove(), kind === 'error' ? 12000 : 4000);
}

/** Copies a text, and shows a confirmation. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied.');
  } catch {
    toast('The browser does not allow copying here. Select the text and copy it yourself.', 'error');
  }
}

/** Offers a text as a file. */
export function download(name, text, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Numbers in groups of digits: 12 345. */
export const number = (value) => (value === undefined || value === null ? '–' : Number(value).toLocaleString('en').replaceAll(',', '\u202f'));

/** `1 test`, `2 tests`. */
export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

/** A size in bytes, kB or MB. */
export function bytes(n) {
  if (n < 1000) return `${n} B`;
  return n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

/** How long ago, roughly. */
export function ago(seconds) {
  const past = Math.max(0, Date.now() / 1000 - seconds);
  if (past < 60) return 'just now';
  if (past < 3600) return `${Math.floor(past / 60)} min ago`;
  return past < 86400 ? `${Math.floor(past / 3600)} h ago` : new Date(seconds * 1000).toLocaleDateString();
}

/** The last part of a name. */
export const baseName = (path) => path.split('/').pop();

/** Debounces a function. */
export function debounce(wait, call) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...args), wait);
  };
}

/** Throttles a function: calls it with the latest arguments, at most once per interval. */
export function throttle(wait, call) {
  let timer;
  let newest;
  return (...args) => {
    newest = args;
    timer ??= setTimeout(() => { timer = undefined; call(...newest); }, wait);
  };
}

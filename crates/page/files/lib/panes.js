// Panes that share a space, and tabs.
import { h, fill } from './dom.js';
import { keep, kept } from './storage.js';

/** Two panes with a bar between them that the pointer and the arrow keys move. `share`: size of the first, in percent. */
export function split(first, second, { direction = 'row', share = 50, name } = {}) {
  const key = name && `nub-split-${name}`;
  let percent = Number(key && kept(key)) || share;
  const bar = h('div', { class: 'split-bar', role: 'separator', tabindex: 0, 'aria-orientation': direction === 'row' ? 'vertical' : 'horizontal', 'aria-label': 'Resize panes', 'aria-valuemin': 10, 'aria-valuemax': 90 });
  const box = h('div', { class: ['split', direction === 'row' ? 'across' : 'down'] }, h('div', { class: 'split-pane' }, first), bar, h('div', { class: 'split-pane' }, second));
  const apply = () => {
    percent = Math.min(90, Math.max(10, percent));
    box.style.setProperty('--share', `${percent}%`);
    bar.setAttribute('aria-valuenow', Math.round(percent));
    if (key) keep(key, percent);
  };
  bar.addEventListener('pointerdown', (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  bar.addEventListener('pointermove', (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const area = box.getBoundingClientRect();
    percent = direction === 'row' ? ((event.clientX - area.left) / area.width) * 100 : ((event.clientY - area.top) / area.height) * 100;
    apply();
  });
  bar.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -3, ArrowUp: -3, ArrowRight: 3, ArrowDown: 3 }[event.key];
    if (!by) return;
    percent += by;
    apply();
    event.preventDefault();
  });
  apply();
  return box;
}

let ids = 0;

/** Tabs: `[{ id, title, panel, flush, onShow }]`. Returns the element, with `show(id)` and `setTitle(id, text)`. */
export function tabs(list, { label, onChange, first } = {}) {
  const prefix = `tabs${(ids += 1)}`;
  const buttons = list.map((tab) => h('button', { role: 'tab', id: `${prefix}-${tab.id}`, 'aria-controls': `${prefix}-${tab.id}-panel`, 'data-tab': tab.id, onclick: () => element.show(tab.id, true) }, tab.title));
  const panels = list.map((tab) => h('div', { role: 'tabpanel', id: `${prefix}-${tab.id}-panel`, 'aria-labelledby': `${prefix}-${tab.id}`, class: ['tab-panel', tab.flush ? 'flush' : 'pad'], tabindex: tab.flush ? undefined : 0, hidden: true }, tab.panel));
  const strip = h('div', { class: 'tabs', role: 'tablist', 'aria-label': label }, buttons);
  const element = h('div', { class: 'tab-box' }, strip, panels);
  element.show = (id, isChosen) => {
    const at = Math.max(0, list.findIndex((tab) => tab.id === id));
    list.forEach((tab, index) => {
      buttons[index].setAttribute('aria-selected', index === at);
      buttons[index].tabIndex = index === at ? 0 : -1;
      panels[index].hidden = index !== at;
    });
    element.current = list[at].id;
    list[at].onShow?.();
    if (isChosen) onChange?.(list[at].id);
  };
  element.setTitle = (id, ...title) => fill(buttons[list.findIndex((tab) => tab.id === id)], title);
  strip.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const at = (buttons.indexOf(document.activeElement) + by + list.length) % list.length;
    buttons[at].focus();
    element.show(list[at].id, true);
  });
  element.show(first ?? list[0].id);
  return element;
}

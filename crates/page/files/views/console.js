// A registered program on the open file, and what it prints.
import { h, fill } from '../lib/dom.js';
import { attempt, getSession, post } from '../lib/api.js';

export class Console {
  constructor() {
    this.select = h('select', { 'aria-label': 'Program' }, getSession().programs.map(({ name }) => h('option', { value: name }, name)));
    this.button = h('button', { class: 'primary', onclick: () => this.run() }, 'Run on the open file');
    this.output = h('div', { class: 'console', role: 'log', 'aria-label': 'Console', tabindex: 0 });
    this.element = h('div', { class: 'stack' }, h('div', { class: 'row' }, this.select, this.button, h('button', { class: 'quiet', onclick: () => fill(this.output) }, 'Clear')), this.output);
  }

  setFile(file, program) {
    this.file = file;
    if (program()) this.select.value = program();
  }

  /** Adds a line that is not output of a program. */
  say(text, kind = 'note') {
    this.output.append(h('pre', { class: kind }, text));
    this.output.scrollTop = this.output.scrollHeight;
  }

  async run() {
    if (!this.file) return;
    this.button.disabled = true;
    const shown = await attempt(post('/api/console', { program: this.select.value, path: this.file }));
    this.button.disabled = false;
    if (!shown) return;
    this.say(`$ ${shown.command}`, 'prompt');
    if (shown.stdout) this.say(shown.stdout, 'out');
    if (shown.stderr) this.say(shown.stderr, 'err');
    if (shown.is_cut) this.say('(more output was dropped)');
    this.say(`${shown.end}, ${shown.seconds.toFixed(2)} s`, shown.end === 'exit status 0' ? 'note' : 'note bad');
  }
}

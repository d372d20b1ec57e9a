// Generates a random formula and opens it.
import { h, debounce } from '../lib/dom.js';
import { attempt, post } from '../lib/api.js';
import { CommandLine } from '../lib/job.js';

const NUMBERS = [
  ['seed', 'Seed', 1], ['nodes', 'Nodes', 30], ['depth', 'Depth', ''], ['vars', 'Variables', ''], ['arrays', 'Arrays', ''], ['writes', 'Array writes', ''],
  ['minwidth', 'Smallest width', ''], ['maxwidth', 'Largest width', 8], ['arrmaxwidth', 'Largest width of arrays', ''], ['dag', 'Sharing, percent', ''], ['clauses', 'Clauses per variable', ''],
];
const CHECKS = [['noarrays', 'No arrays'], ['cnf', 'CNF layer on top'], ['cnfonly', 'Only clauses'], ['all', 'All operators at least once'], ['oldformat', 'Old BTOR format']];

export class Generator {
  constructor(onFile) {
    this.to = h('select', { 'aria-label': 'Format' }, [['smt2', 'SMT-LIB'], ['btor', 'BTOR'], ['btor2', 'BTOR2'], ['cnf', 'DIMACS']].map(([value, title]) => h('option', { value }, title)));
    this.numbers = NUMBERS.map(([name, title, value]) => [name, title, h('input', { type: 'number', min: 0, name, value, placeholder: 'default' })]);
    this.checks = CHECKS.map(([name, title]) => [name, title, h('input', { type: 'checkbox', name })]);
    this.command = new CommandLine();
    const make = async (event) => {
      event.preventDefault();
      const made = await attempt(post('/api/generate', this.value()));
      if (made) onFile(made.path);
    };
    this.element = h('form', { class: 'stack', onsubmit: make }, h('p', { class: 'soft' }, 'A new random formula. The same seed and settings give the same file.'),
      h('div', { class: 'grid3' }, h('label', { class: 'field' }, 'Format', this.to), this.numbers.map(([, title, input]) => h('label', { class: 'field' }, title, input))),
      h('div', { class: 'row' }, this.checks.map(([, title, input]) => h('label', { class: 'check' }, input, title))),
      this.command.element, h('div', { class: 'row' }, h('button', { class: 'primary', type: 'submit' }, 'Generate'), h('button', { type: 'button', onclick: (event) => { this.numbers[0][2].value = Number(this.numbers[0][2].value || 0) + 1; make(event); } }, 'Next seed')));
    this.element.addEventListener('input', debounce(150, () => this.update()));
    this.update();
  }

  value() {
    const value = { kind: 'generate', to: this.to.value };
    for (const [name, , input] of this.numbers) if (input.value !== '') value[name] = Number(input.value);
    for (const [name, , input] of this.checks) value[name] = input.checked;
    return value;
  }

  update() {
    this.command.update(this.value());
  }
}

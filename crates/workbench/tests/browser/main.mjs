// All tests, one after the other; a failure ends the run and says which step it was.
import fs from 'node:fs';
import { steps } from './kit.mjs';

const TESTS = ['reduce', 'cover', 'explain', 'fuzz', 'reports', 'found', 'shell', 'large', 'access'];
const wanted = process.argv.slice(2);
for (const name of TESTS.filter((test) => wanted.length === 0 || wanted.includes(test))) {
  console.log(`-- ${name}`);
  try {
    await (await import(`./${name}.mjs`)).default();
  } catch (error) {
    // The stack still has the original message; `error.message` also names the step.
    console.log(`FAILED ${error.message}\n${error.stack}`);
    process.exit(1);
  }
}
// Every feature of docs/workbench.md has its step.
if (wanted.length === 0) {
  const table = fs.readFileSync(new URL('../../../../docs/workbench.md', import.meta.url), 'utf8');
  const rows = [...table.matchAll(/^\| ([RE]\d+) \| .* \| `\w+`: (.*) \|$/gm)];
  const missing = rows.filter(([, id, name]) => !name.split(' ').includes(id) || !steps.has(name)).map(([row]) => row);
  if (rows.length !== 41 || missing.length > 0) {
    console.log(`FAILED docs/workbench.md lists ${rows.length} features; without a step: ${missing.join('; ')}`);
    process.exit(1);
  }
}
console.log(`browser: ok, ${steps.size} steps`);
process.exit(0);

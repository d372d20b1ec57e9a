// All tests, one after the other; a failure ends the run and says which step it was.
import { nPassed } from './kit.mjs';

const TESTS = ['reduce', 'cover', 'explain', 'fuzz', 'shell', 'large', 'access'];
const wanted = process.argv.slice(2);
for (const name of TESTS.filter((test) => wanted.length === 0 || wanted.includes(test))) {
  console.log(`-- ${name}`);
  try {
    await (await import(`./${name}.mjs`)).default();
  } catch (error) {
    console.log(`FAILED ${error.stack}`);
    process.exit(1);
  }
}
console.log(`browser: ok, ${nPassed()} steps`);
process.exit(0);

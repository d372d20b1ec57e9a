// Jobs of the command line: found below the folder, listed, opened, and never run.
import { execFileSync } from 'node:child_process';
import { Bench, assert, browser, enter, fs, path, step, textOf, until } from './kit.mjs';

const CRASH = '#!/bin/sh\nif grep -q bvurem "$1"; then echo "solver.c:3: Assertion failed." >&2; kill -ABRT $$; fi\necho unknown\n';

export default async function found() {
  const example = (name) => fs.readFileSync(path.join(process.env.NUB_EXAMPLES, name), 'utf8');
  const bench = new Bench({ 'bug.smt2': example('crash/bug.smt2'), 'solver.sh': example('crash/solver.sh'), 'crash.sh': CRASH, 'shipping.c': example('cover/shipping.c'), 'parking.c': example('explain/parking.c') });
  const nub = (...words) => execFileSync(process.env.NUB, words, { cwd: bench.folder, stdio: 'ignore' });
  const status = (...words) => { try { nub(...words); } catch (error) { if (error.status !== 1) throw error; } };
  fs.mkdirSync(path.join(bench.folder, 'done'));
  nub('reduce', 'bug.smt2', '--history', '--', 'sh', path.join(bench.folder, 'solver.sh'));
  nub('cover', 'shipping.c', '--folder', 'done/covered');
  status('explain', 'parking.c', '-f', 'check', '--folder', 'done/explained');
  status('fuzz', '-s', 'crash=./crash.sh', '--generate', 'smt2:bv', '--max-groups', '1', '--campaign', 'campaign', '-q');
  await bench.start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  const home = async () => {
    await page.goto(`http://127.0.0.1:${bench.port}/`);
    await page.locator('.jobs a').first().waitFor();
  };
  const open = async (name) => {
    await home();
    await page.locator('.jobs a', { hasText: name }).click();
  };
  await step('finished jobs of the command line are on Home', async () => {
    for (const name of ['bug.reduced.smt2.nub', 'done/covered', 'done/explained', 'campaign']) await until(name, async () => (await page.locator('.jobs a', { hasText: name }).count()) === 1);
    await textOf(page, '.jobs', '7 tests cover 30 of 32 goals');
  });
  await step('a reduction, with its curves, steps and the command that was typed', async () => {
    await open('bug.reduced.smt2.nub');
    await textOf(page, '.facts', '→');
    await page.locator('[data-tab=steps]').click();
    await page.locator('.diff .diff-del').first().waitFor();
    await page.locator('[data-tab=run]').click();
    await textOf(page, '.command code', 'nub reduce bug.smt2 --history -- sh');
  });
  await step('a coverage report with its tests', async () => {
    await open('done/covered');
    await textOf(page, '.headline', '7 tests cover 30 of 32 goals');
    await page.getByLabel('Show the path of test 2').click();
    await page.locator('.text .ok[data-line="8"]').waitFor();
  });
  await step('an explanation with both runs', async () => {
    await open('done/explained');
    await textOf(page, '.headline', 'a longer stay does not cost less');
    await textOf(page, '.position', '25 of 25');
  });
  await step('a campaign with its bugs', async () => {
    await open('campaign');
    await textOf(page, '.split table', 'Assertion');
    assert.equal(await page.getByRole('button', { name: 'Continue' }).isVisible(), false);
  });
  await step('what is written into such a folder is never run', async () => {
    const proof = path.join(bench.folder, 'proof');
    const record = { kind: 'reduce', input: 'bug.smt2', command: ['touch', proof], working_folder: bench.folder, command_line: `touch ${proof}` };
    fs.mkdirSync(path.join(bench.folder, 'evil'));
    fs.writeFileSync(path.join(bench.folder, 'evil', 'job.json'), JSON.stringify(record));
    fs.writeFileSync(path.join(bench.folder, 'evil', 'events.jsonl'), '{"version":1,"type":"start","bytes":1}\n');
    fs.mkdirSync(path.join(bench.folder, 'link'));
    fs.writeFileSync(path.join(bench.folder, 'link', 'job.json'), JSON.stringify(record));
    fs.symlinkSync('/etc/passwd', path.join(bench.folder, 'link', 'events.jsonl'));
    await until('it is listed', async () => { await home(); return (await page.locator('.jobs a', { hasText: 'evil' }).count()) === 1; });
    const answers = await page.evaluate(async () => {
      const { token } = await (await fetch('/api/session')).json();
      const jobs = (await (await fetch('/api/jobs')).json()).filter((job) => /evil|link/.test(job.folder));
      const ask = (id, action) => fetch(`/api/jobs/${id}/${action}`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-nub-token': token }, body: '{}' });
      const found = [];
      for (const job of jobs) for (const action of ['continue', 'resume', 'pause', 'stop']) found.push((await ask(job.id, action)).status);
      const lines = await Promise.all(jobs.map(async (job) => (await fetch(`/api/jobs/${job.id}/lines`)).text()));
      return { found, lines };
    });
    assert.deepEqual(new Set(answers.found), new Set([409]));
    assert.ok(!answers.lines.join().includes('root:'));
    assert.ok(!fs.existsSync(proof));
  });
  await chrome.close();
  await bench.stop();
}

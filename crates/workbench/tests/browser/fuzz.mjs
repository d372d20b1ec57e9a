// A campaign: R25 to R29 of the Debugger's window, live.
import { Bench, assert, browser, done, enter, path, savedAlone, step, textOf, until } from './kit.mjs';

const CRASH = `#!/bin/sh
if grep -q bvurem "$1"; then echo "solver.c:3: Assertion 'ok' failed." >&2; kill -ABRT $$; fi
if grep -q bvudiv "$1"; then kill -SEGV $$; fi
echo unknown
`;

export default async function fuzz() {
  const bench = await new Bench({ 'crash.sh': CRASH }, { crash: './crash.sh' }).start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  await step('R25 R26 generates, runs, takes the next seed; assertions and segmentation faults are failures', async () => {
    await page.getByRole('link', { name: 'Fuzz', exact: true }).first().click();
    await page.locator('input[type=checkbox][value=crash]').check();
    await page.getByLabel('What to generate').fill('smt2:bv');
    await page.getByLabel('Nodes of each input').fill('20');
    await textOf(page, '.command code', '--generate');
    await page.getByRole('button', { name: 'Start campaign' }).click();
    await textOf(page, '.split table', 'Assertion');
  });
  await step('R27 the seed of a failure', () => textOf(page, '.said', 'seed'));
  await step('R29 failures are reduced without a further click', async () => {
    await until('a small file', async () => /\d → \d/.test(await page.locator('.split table').first().textContent()));
  });
  await step('a reload in the middle changes nothing', async () => {
    await page.reload();
    await textOf(page, '.split table', 'Assertion');
    await page.locator('.job-bar [data-phase=running]').waitFor();
  });
  await step('R28 the campaign is stopped by a button', async () => {
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.job-bar [data-phase=stopped]').waitFor();
    await textOf(page, '[role=tabpanel]:not([hidden])', 'Which solvers disagree');
  });
  await step('operators by solver: what has been tried, and what was decided', async () => {
    await page.locator('[data-tab=operators]').click();
    const cells = page.locator('.heat-map tbody tr', { hasText: 'bvurem' }).locator('.heat-cell');
    assert.ok((await cells.count()) >= 1);
    // The solver of this test never decides, and the built-in one does.
    assert.match(await cells.first().textContent(), /^\d+ \/ [1-9]\d*$/);
    assert.ok((await page.locator('.heat-cell:not(.undecided)').count()) > 0);
    // The more inputs, the darker.
    const colours = await page.locator('.heat-cell').evaluateAll((found) => found.map((cell) => ({ given: Number(cell.textContent.split('/')[1] ?? 0), colour: getComputedStyle(cell).backgroundColor })));
    const [least, most] = [Math.min, Math.max].map((pick) => colours.find(({ given }) => given === pick(...colours.map((cell) => cell.given))));
    assert.notEqual(least.colour, most.colour);
    await page.locator('[data-tab=campaign]').click();
  });
  await step('a report for an issue tracker: the command, the small file, who said what', async () => {
    await page.getByText('Report for an issue tracker').click();
    const text = await textOf(page, '.issue', '## To reproduce');
    assert.match(text, /crash\.sh.*\(assert.*crash: /s);
  });
  await step('saved as one file, which opens without the server', async () => {
    const alone = await savedAlone(chrome, page, bench.folder);
    await textOf(alone, '.split table', 'Assertion');
    await textOf(alone, '[role=tabpanel]:not([hidden])', 'Which solvers disagree');
    await alone.close();
  });
  await step('and goes on', async () => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.job-bar [data-phase=running]').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.job-bar [data-phase=stopped]').waitFor();
  });
  await step('a bug opens as text and graph, to be replayed', async () => {
    await page.getByRole('button', { name: 'Graph and replay' }).click();
    await page.locator('.graph .node').first().waitFor();
    // The click has run the solver on the small file as well.
    await until('the failure again', async () => /Assertion|SIGSEGV|signal 11/.test(await page.locator('.console').textContent()));
  });
  await step('the built-in example finds the planted defect', async () => {
    await page.goto(`http://127.0.0.1:${bench.port}/`);
    await page.locator('.sample', { hasText: 'Find a solver' }).click();
    await done(page);
    await textOf(page, '.split table', 'unsat');
    assert.ok((await page.locator('.hot-cell').count()) >= 2);
  });
  await chrome.close();
  await bench.stop();
}

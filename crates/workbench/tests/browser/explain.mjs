// The eleven features of explain's window (E1 to E11).
import { Bench, assert, browser, done, enter, fs, path, savedAlone, step, textOf, until } from './kit.mjs';

export default async function explain() {
  const source = fs.readFileSync(path.join(process.env.NUB_EXAMPLES, 'explain/parking.c'), 'utf8');
  const bench = await new Bench({ 'parking.c': source, 'other.c': source.replaceAll('1500', '1400') }).start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  const name = encodeURIComponent(path.basename(bench.folder));
  await step('the example explains itself with one click', async () => {
    await page.locator('.sample', { hasText: 'Why does this assertion fail?' }).click();
    await done(page);
    await textOf(page, '.headline', 'a longer stay does not cost less');
  });
  await step('E2 source with line numbers, and an arrow at the present state', async () => {
    await until('an arrow in both runs', async () => (await page.locator('.text .sign', { hasText: '➤' }).count()) === 2);
    await textOf(page, '.text [data-line="13"] .gutter', '13');
    // The last state is the property itself: both runs reach it, and only one of them satisfies it.
    await textOf(page, '.run-pane:has(.bad) [data-line="23"]', 'violated');
    await textOf(page, '.run-pane:has(.good) [data-line="23"]', 'holds');
    await textOf(page, '.run-pane:has(.bad) [data-line="23"] .sign', '➤');
  });
  await step('E3 the violated line, and the lines of the explanation', async () => {
    assert.equal(await page.locator('.text .hot[data-line="23"]').count(), 2);
    assert.ok((await page.locator('.text .warm').count()) >= 2);
  });
  await step('E4 tabs: sources, traces, errors, output', async () => {
    for (const tab of ['fault', 'watch', 'changes', 'assume', 'errors', 'output']) {
      await page.locator(`[data-tab=${tab}]`).click();
      await page.locator(`[data-tab=${tab}][aria-selected=true]`).waitFor();
    }
  });
  await step('E5 errors by kind', async () => {
    await page.locator('[data-tab=errors]').click();
    await textOf(page, '[role=tabpanel]:not([hidden])', 'assertion');
    await textOf(page, '[role=tabpanel]:not([hidden])', 'check.assertion.1');
  });
  await step('E6 the log of the solver, and deltas as text', async () => {
    await page.locator('[data-tab=output]').click();
    await textOf(page, '[role=tabpanel]:not([hidden]) .console', 'satisfiable');
    await page.locator('[data-tab=changes]').click();
    await page.getByText('As text').click();
    await textOf(page, '[role=tabpanel]:not([hidden]) pre', 'Deltas after minimization');
  });
  await step('E7 a watch table: all variables with function, decimal, hexadecimal, bits, TRUE and FALSE', async () => {
    await page.locator('[data-tab=watch]').click();
    const row = page.locator('.watch tr', { hasText: 'check::now' });
    assert.match(await row.textContent(), /1400.*1000.*0x578.*0x3e8.*00000101 01111000/s);
    await textOf(page, '.watch', 'TRUE');
  });
  await step('E8 position, and steps forwards and backwards through the whole trace', async () => {
    await textOf(page, '.position', '25 of 25');
    await page.getByLabel('Step backwards').click();
    await textOf(page, '.position', '24 of 25');
    await page.getByLabel('First state').click();
    await textOf(page, '.position', '1 of 25');
    for (let state = 2; state <= 25; state += 1) {
      await page.keyboard.press('n');
      await textOf(page, '.position', `${state} of 25`);
    }
    await page.keyboard.press('p');
    await textOf(page, '.position', '24 of 25');
  });
  await step('a reload shows the same state', async () => {
    await page.reload();
    await textOf(page, '.position', '24 of 25');
  });
  await step('E9 explanations are saved, and opened again', async () => {
    await page.locator('[data-tab=output]').click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the explanation as JSON' }).click()]);
    assert.equal(JSON.parse(fs.readFileSync(await file.path(), 'utf8')).answer, 'explained');
    await page.goto(`http://127.0.0.1:${bench.port}/`);
    await page.locator('.jobs a', { hasText: 'explain' }).first().click();
    await textOf(page, '.position', 'of 25');
  });
  await step('saved as one file, which opens without the server', async () => {
    const alone = await savedAlone(chrome, page, bench.folder);
    await textOf(alone, '.headline', 'a longer stay does not cost less');
    await textOf(alone, '.position', 'of 25');
    await alone.close();
  });
  await step('E10 SSA names are hidden, and shown on request', async () => {
    await page.locator('[data-tab=watch]').click();
    assert.ok(!(await page.locator('.watch').textContent()).includes('#'));
    await page.getByLabel('SSA names').check();
    await textOf(page, '.watch', 'total#');
    await page.getByLabel('SSA names').uncheck();
  });
  await step('the fix is a difference, and is checked on a copy', async () => {
    await page.locator('[data-tab=fault]').click();
    await textOf(page, '.fix .diff-add', 'total = 1500');
    await page.getByRole('button', { name: 'Apply to a copy and check again' }).first().click();
    await until('the copy', async () => page.url().includes('fixed'));
    await done(page);
    await textOf(page, '.headline', 'nothing fails');
  });
  await step('a copy shows its source once, can be kept, and leads back', async () => {
    assert.equal(await page.locator('.text').count(), 1);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
    assert.match(fs.readFileSync(await saved.path(), 'utf8'), /total = 1500/);
    await page.getByRole('button', { name: 'Back to the original' }).click();
    await textOf(page, '.file-bar strong', 'parking.c');
    await textOf(page, '.text', 'total = 1000');
  });
  await step('E11 look, add an assumption, explain again', async () => {
    await page.goto(`http://127.0.0.1:${bench.port}/explain?file=${name}/parking.c&function=check`);
    await page.locator('[data-tab=assume]').click();
    await page.getByLabel('C expression that both runs satisfy').fill('is_night');
    await page.getByLabel('Before which line').fill('20');
    await page.getByRole('button', { name: 'Add and explain again' }).click();
    await done(page);
    await textOf(page, '.headline', 'is_night=1');
  });
  await step('another closest run has inputs and values of its own, also after a reload', async () => {
    await page.goto(`http://127.0.0.1:${bench.port}/explain?file=${name}/parking.c&function=check&tab=run`);
    await page.getByLabel('Closest runs to find').fill('3');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await done(page);
    await textOf(page, '.run-pane:has(.good) .pane-bar', 'hours=8');
    await page.locator('[data-tab=changes]').click();
    await page.getByLabel('Which passing run').selectOption('1');
    await textOf(page, '.run-pane:has(.good) .pane-bar', 'hours=4');
    await textOf(page, '.run-pane:has(.good) [data-line="21"]', 'now = 800');
    await page.reload();
    await textOf(page, '.run-pane:has(.good) .pane-bar', 'hours=4');
    await textOf(page, '.run-pane:has(.bad) [data-line="21"]', 'now = 1400');
    await page.getByLabel('Which passing run').selectOption('0');
    await textOf(page, '.run-pane:has(.good) .pane-bar', 'hours=8');
  });
  await step('E1 several sources and explanations in tabs of the browser', async () => {
    const other = await chrome.page();
    await other.goto(`http://127.0.0.1:${bench.port}/explain?file=${name}/other.c&function=check&start=1`);
    await done(other);
    await textOf(page, '.file-bar', 'parking.c');
    await textOf(other, '.file-bar', 'other.c');
    await other.close();
  });
  await chrome.close();
  await bench.stop();
}

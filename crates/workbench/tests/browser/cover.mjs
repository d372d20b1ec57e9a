// Covering a function: colours, goals, tests, paths, and tests of one's own.
import { Bench, assert, browser, done, enter, fs, path, savedAlone, step, textOf, until } from './kit.mjs';

export default async function cover() {
  const source = fs.readFileSync(path.join(process.env.NUB_EXAMPLES, 'cover/shipping.c'), 'utf8');
  const text = 'int vowels(const char *s) {\n  int n = 0;\n  while (*s) {\n    if (*s == \'a\' || *s == \'e\')\n      n++;\n    s++;\n  }\n  return n;\n}\n';
  const bench = await new Bench({ 'shipping.c': source, 'text.c': text }).start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  await step('the example finds its tests with one click', async () => {
    await page.locator('.sample', { hasText: 'Which tests' }).click();
    await done(page);
    await textOf(page, '.headline', '7 tests cover 30 of 32 goals');
    await textOf(page, '.headline', 'minimum, proved');
  });
  await step('decisions and conditions are coloured by outcome', async () => {
    await until('line 3 is covered', async () => (await page.locator('.text [data-line="3"] .t-covered').count()) >= 2);
    assert.ok((await page.locator('.text [data-line="7"] .t-proved').count()) >= 1, 'what is proved to be infeasible is not missing');
    assert.equal(await page.locator('.text .t-partial, .text .t-missed').count(), 0);
  });
  await step('goals with their pairs, infeasible ones with the reason', async () => {
    await page.locator('[data-tab=goals]').click();
    await textOf(page, '[role=tabpanel]:not([hidden])', 'pair 4 and 1');
    await page.getByLabel('Which goals').selectOption('infeasible');
    await until('two rows', async () => (await page.locator('[role=tabpanel]:not([hidden]) tbody tr').count()) === 2);
    await textOf(page, '[role=tabpanel]:not([hidden])', 'line 3');
  });
  await step('the proof', async () => {
    await page.locator('[data-tab=why]').click();
    await textOf(page, '[role=tabpanel]:not([hidden])', 'Why at least 7 tests');
    assert.equal(await page.locator('[role=tabpanel]:not([hidden]) ol li').count(), 7);
  });
  await step('a test has a path through the source', async () => {
    await page.locator('[data-tab=tests]').click();
    await page.getByLabel('Show the path of test 2').click();
    await textOf(page, '[role=tabpanel]:not([hidden])', 'Test 2 covers');
    await page.locator('.text .ok[data-line="8"]').waitFor();
    await page.locator('.text .dim[data-line="4"]').waitFor();
    await textOf(page, '.text [data-line="5"] .note', 'true · false');
    assert.equal(await page.locator('.text [data-line="5"] .t-true').textContent(), 'is_express');
    assert.equal(await page.locator('.text [data-line="5"] .t-false').count(), 2, 'a comparison and its number');
  });
  await step('and through the control flow', async () => {
    await page.getByRole('button', { name: 'Control flow' }).click();
    await page.locator('.graph .node.taken').first().waitFor();
    assert.ok((await page.locator('.graph .node.untaken').count()) > 0);
  });
  await step('a reload shows the same test, with its path and the control flow', async () => {
    await page.reload();
    await page.locator('.tests tr.chosen[data-test="2"]').waitFor();
    await page.locator('.text .ok[data-line="8"]').waitFor();
    await page.locator('.graph .node.taken').first().waitFor();
  });
  await step('an edited test is measured at once', async () => {
    await page.getByLabel('Value of is_express').fill('1');
    await page.getByLabel('Value of grams').fill('5');
    await page.locator('.text .ok[data-line="6"]').waitFor();
  });
  // The job before this one is done as well.
  const doneAfter = async (name) => {
    const job = () => new URL(page.url()).searchParams.get('job');
    const first = job();
    await page.getByRole('button', { name }).click();
    await until('another job', async () => job() !== first);
    await done(page);
  };
  await step('a test of one\'s own, and the rest', async () => {
    await doneAfter('Keep this test and find the rest');
    await until('the kept test is among them', async () => (await page.locator('.tests tbody tr').allTextContents()).some((row) => /^\d51?0?1/.test(row)));
  });
  await step('saved as one file, which opens without the server', async () => {
    const alone = await savedAlone(chrome, page, bench.folder);
    await textOf(alone, '.headline', 'of 32 goals');
    await alone.getByRole('button', { name: 'Control flow' }).click();
    await alone.locator('.graph .node').first().waitFor();
    await alone.close();
  });
  await step('boundaries, mutants and calls in a row by form', async () => {
    await page.locator('[data-tab=run]').click();
    await page.getByLabel('Boundaries of comparisons').check();
    await page.getByLabel('Mutants: which faults').check();
    await page.getByLabel('Consecutive calls').fill('2');
    await page.getByLabel('Consecutive calls').press('Tab');
    await textOf(page, '.command', '--boundaries --calls 2 --mutants');
    await page.getByLabel('Consecutive calls').fill('');
    await page.getByLabel('Consecutive calls').press('Tab');
    await doneAfter('Find the fewest tests');
    await textOf(page, '.headline', 'tests cover');
    await page.locator('[data-tab=mutants]').click();
    await textOf(page, '[role=tabpanel]:not([hidden])', 'mutants that behave differently are killed');
    await page.locator('[data-tab=goals]').click();
    await textOf(page, '[role=tabpanel]:not([hidden])', 'just above');
  });
  await step('tests as strings', async () => {
    await page.goto(`http://127.0.0.1:${bench.port}/cover?file=${encodeURIComponent(path.basename(bench.folder))}/text.c&start=1`);
    await done(page);
    await textOf(page, '.tests', 's = "');
  });
  await step('a reload shows the same', async () => {
    await page.reload();
    await textOf(page, '.tests', 's = "');
  });
  await chrome.close();
  await bench.stop();
}

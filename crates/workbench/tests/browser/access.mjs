// Checks every view for serious accessibility defects, in light and dark; takes pictures on request.
import { Bench, assert, axeSource, browser, done, enter, fs, path, step, until } from './kit.mjs';

const VIEWS = [
  ['home', async () => {}],
  ['reduce', async (page) => { await page.locator('.sample', { hasText: 'crashes' }).click(); await done(page); await page.getByRole('button', { name: 'Graph', exact: true }).click(); await page.locator('.graph .node').first().waitFor(); }],
  ['compare', async (page, folder) => { await page.goto(`${new URL(page.url()).origin}/reduce?file=${encodeURIComponent(folder)}/bug.smt2&program=example-crash&tab=compare`); await page.locator('.text .row-line').first().waitFor(); await page.getByRole('button', { name: 'Compare', exact: true }).click(); await done(page); await page.locator('.compared tbody tr').nth(6).waitFor(); }],
  ['cover', async (page) => { await page.locator('.sample', { hasText: 'Which tests' }).click(); await done(page); await page.getByLabel('Show the path of test 2').click(); await page.getByText('Test 2 covers').waitFor(); await page.getByRole('button', { name: 'Control flow' }).click(); await page.locator('.graph .node').first().waitFor(); }],
  ['explain', async (page) => { await page.locator('.sample', { hasText: 'assertion fail' }).click(); await done(page); await page.locator('.fix').first().waitFor(); }],
  ['explain-watch', async (page) => { await page.locator('.sample', { hasText: 'assertion fail' }).click(); await done(page); await page.locator('[data-tab=watch]').click(); await page.locator('.watch tbody tr').first().waitFor(); }],
  ['fuzz', async (page) => { await page.locator('.sample', { hasText: 'Find a solver' }).click(); await done(page); await page.locator('.said').waitFor(); }],
];

export default async function access() {
  for (const dark of [false, true]) {
    const bench = await new Bench({ 'bug.smt2': fs.readFileSync(path.join(process.env.NUB_EXAMPLES, 'crash/bug.smt2'), 'utf8') }).start();
    const chrome = await browser({ dark });
    const page = await chrome.page();
    await enter(bench, page);
    for (const [name, prepare] of VIEWS) {
      await step(`${name}, ${dark ? 'dark' : 'light'}: no serious defect`, async () => {
        await page.goto(`http://127.0.0.1:${bench.port}/`);
        await page.locator('.sample').first().waitFor();
        await prepare(page, path.basename(bench.folder));
        await page.waitForTimeout(300);
        if (process.env.NUB_SHOTS) await page.screenshot({ path: path.join(process.env.NUB_SHOTS, `${name}-${dark ? 'dark' : 'light'}.png`) });
        await page.evaluate(axeSource);
        const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.html} ${node.any[0]?.message ?? ''}`).join(' | ')}`), []);
      });
    }
    await chrome.close();
    await bench.stop();
  }
  await step('every size from 1280 × 800 to 4K has its content on the page', async () => {
    const bench = await new Bench().start();
    const chrome = await browser({ width: 3840, height: 2160 });
    const page = await chrome.page();
    await enter(bench, page);
    await VIEWS[1][1](page);
    for (const [width, height] of [[1280, 800], [1920, 1080], [3840, 2160]]) {
      await page.setViewportSize({ width, height });
      await until('nothing sticks out', () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    }
    await chrome.close();
    await bench.stop();
  });
}

// The thirty features of the Boolector Debugger's window (R1 to R30), and reducing as a whole.
import { Bench, assert, browser, done, enter, fs, path, savedAlone, step, textOf, until } from './kit.mjs';

const SOLVER = `#!/bin/sh
if grep -Eq 'urem' "$1"; then echo "solver: core.c:12: Assertion 'x' failed." >&2; kill -ABRT $$; fi
echo unknown
`;
// Slow enough that the reduction still runs while the test reads the page, even on a busy machine.
const SLOW = `#!/bin/sh
sleep 1
if grep -Eq 'urem' "$1"; then echo "assertion failed" >&2; exit 3; fi
echo unknown
`;
const BUG = `1 var 8 x
2 var 8 y
3 add 8 1 2
4 mul 8 3 -1
5 urem 8 4 2
6 xor 8 5 3
7 constd 8 3
8 ult 1 6 7
9 eq 1 3 4
10 and 1 8 -9
11 root 1 10
`;

export default async function reduce() {
  const bench = await new Bench({ 'bug.btor': BUG, 'solver.sh': SOLVER, 'slow.sh': SLOW }, { crash: './solver.sh', slow: './slow.sh' }).start();
  const chrome = await browser();
  const page = await chrome.page();
  await step('R1 starts by one command, one window', () => enter(bench, page));
  await step('R2 opens a BTOR file from a folder', async () => {
    await page.getByLabel('Reduce: open a file').click();
    await page.locator('.file-list button', { hasText: 'bug.btor' }).click();
    await page.locator('.file-bar strong', { hasText: 'bug.btor' }).waitFor();
  });
  await step('R4 shows the file as text, with highlighting', async () => {
    await textOf(page, '.text [data-line="5"]', 'urem 8 4 2');
    assert.ok((await page.locator('.text .t-op').count()) > 5);
  });
  await step('R5 R6 shows the file as graph; text and graph can be switched on and off', async () => {
    await page.getByRole('button', { name: 'Graph', exact: true }).click();
    await page.locator('.graph .node[data-id="5"]').waitFor();
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.locator('.text').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.locator('.text').waitFor();
  });
  await step('R7 the graph of the whole DAG, with widths and complements, as SVG and DOT', async () => {
    assert.equal(await page.locator('.graph .node').count(), 11);
    assert.equal(await page.locator('.graph .negated').count(), 2);
    await textOf(page, '.graph .node[data-id="5"]', 'urem : 8');
    const [dot] = await Promise.all([page.waitForEvent('download'), page.getByLabel('Save as DOT').click()]);
    const text = fs.readFileSync(await dot.path(), 'utf8');
    assert.match(text, /digraph/);
    assert.equal(text.match(/style=dashed/g).length, 2);
    const [svg] = await Promise.all([page.waitForEvent('download'), page.getByLabel('Save as SVG').click()]);
    assert.match(fs.readFileSync(await svg.path(), 'utf8'), /urem : 8/);
  });
  await step('a node and its line find each other; nodes are found by id', async () => {
    await page.locator('.graph .node[data-id="4"]').dispatchEvent('click');
    await page.locator('.text .cursor[data-line="4"]').waitFor();
    await page.getByLabel('Find a node by id').fill('6');
    await page.getByLabel('Find a node by id').press('Enter');
    await page.locator('.graph .node.chosen[data-id="6"]').waitFor();
    await page.locator('.text .cursor[data-line="6"]').waitFor();
    await page.locator('.text [data-line="8"] .code').click();
    await page.locator('.graph .node.chosen[data-id="8"]').waitFor();
  });
  await step('zoom and pan by keyboard', async () => {
    const place = () => page.locator('.graph > g').getAttribute('transform');
    const before = await place();
    await page.locator('.graph').focus();
    await page.keyboard.press('+');
    const zoomed = await place();
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(before, zoomed);
    assert.notEqual(zoomed, await place());
  });
  await step('R8 R9 R23 programs, limits and simplification by form, with the command line to copy', async () => {
    await page.locator('[data-tab=run]').click();
    await page.getByLabel('Program that fails').selectOption('crash');
    await page.getByText('Limits and more').click();
    await page.getByLabel('Time limit per run (s)').fill('7');
    await page.getByLabel('Simplify after every change').check();
    await textOf(page, '[role=tabpanel]:not([hidden]) .command code', '--simplify --timeout 7');
    await page.getByLabel('Simplify after every change').uncheck();
  });
  await step('R15 R16 calls the program on the open file, and shows its output', async () => {
    await page.locator('[data-tab=console]').click();
    await page.getByRole('button', { name: 'Run on the open file' }).click();
    await textOf(page, '.console', "Assertion 'x' failed");
    await textOf(page, '.console', 'killed by signal 6');
  });
  await step('R17 R18 one radio button per algorithm; starts', async () => {
    await page.locator('[data-tab=run]').click();
    for (const name of ['auto', 'ddmin', 'hdd', 'hdd+', 'hdd*', 'bfs', 'lw', 'changeref', 'changeref+', 'deltabtor']) assert.equal(await page.locator(`input[type=radio][value="${name}"]`).count(), 1, name);
    await page.locator('input[type=radio][value=bfs]').check();
    await page.getByRole('button', { name: 'Start reduction' }).click();
    await done(page);
  });
  await step('what came of it stays when the connection is made again', async () => {
    await textOf(page, '.side .message', ' bytes');
    await page.locator('.job-bar [data-phase=done]').evaluate((badge) => { badge.dataset.old = '1'; });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.locator('.job-bar [data-phase=done]:not([data-old])').waitFor();
    assert.match(await page.locator('.side .message').textContent({ timeout: 1000 }), / bytes/);
  });
  await step('R21 the result is the open file, and another algorithm continues with it', async () => {
    await page.locator('.file-bar strong', { hasText: 'result.btor' }).waitFor();
    await textOf(page, '.text', 'urem');
    await page.locator('[data-tab=run]').click();
    await page.locator('input[type=radio][value=auto]').check();
    const first = new URL(page.url()).searchParams.get('job');
    await page.getByRole('button', { name: 'Start reduction' }).click();
    await until('another job', async () => new URL(page.url()).searchParams.get('job') !== first);
    await done(page);
  });
  await step('curves against time and runs, overlaid; what each pass removed', async () => {
    await page.locator('[data-tab=progress]').click();
    assert.equal(await page.locator('.chart canvas').count(), 2);
    await page.locator('.overlay input').first().check();
    await until('two lines in the legend', async () => (await page.locator('.u-legend .u-series').count()) >= 6);
    await page.getByText('What each pass removed').waitFor();
  });
  await step('a slider through the accepted steps, with differences', async () => {
    await page.goBack();
    await page.goto(`http://127.0.0.1:${bench.port}/`);
    await page.locator('.jobs a').last().click();
    await done(page);
    await page.locator('[data-tab=steps]').click();
    await page.getByLabel('Accepted step').fill('0');
    await textOf(page, '[role=tabpanel]:not([hidden]) h2', 'Step 1 of');
    await page.locator('.diff .diff-del').first().waitFor();
  });
  await step('a reload shows the same step', async () => {
    await page.reload();
    await textOf(page, '[role=tabpanel]:not([hidden]) h2', 'Step 1 of');
    await page.locator('.diff .diff-del').first().waitFor();
  });
  await step('of a long line the difference is seen', async () => {
    const { text, gaps } = await page.evaluate(async () => {
      const { diffView } = await import('/assets/lib/diff.js');
      const view = diffView(`${'a'.repeat(5000)}bc${'d'.repeat(5000)}\n`, `${'a'.repeat(5000)}b${'d'.repeat(5000)}`);
      return { text: view.querySelector('.diff-del .diff-part').textContent, gaps: view.querySelectorAll('.diff-del').length };
    });
    assert.deepEqual([text, gaps], ['c', 1]);
  });
  await step('saved as one file, which opens without the server', async () => {
    const alone = await savedAlone(chrome, page, bench.folder);
    await textOf(alone, '.file-bar strong', 'result.btor');
    await alone.locator('[data-tab=steps]').click();
    await alone.getByLabel('Accepted step').fill('0');
    await alone.locator('.diff .diff-del').first().waitFor();
    await alone.close();
  });
  await step('R19 R20 R22 stop at any moment; the form waits; the view follows', async () => {
    await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(path.basename(bench.folder))}/bug.btor&program=slow`);
    await page.locator('[data-tab=run]').click();
    await page.getByRole('button', { name: 'Start reduction' }).click();
    await page.locator('.job-bar [data-phase=running]').waitFor();
    await page.locator('[data-tab=run]').click();
    await until('the form is disabled', () => page.getByLabel('Program that fails').isDisabled());
    await textOf(page, '.file-bar', ', step');
    assert.equal(await page.locator('.job-bar [data-phase]').getAttribute('data-phase'), 'running', 'steps are seen while it works');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.job-bar [data-phase=paused]').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.job-bar [data-phase=stopped]').waitFor();
    await page.locator('.file-bar strong', { hasText: 'result.btor' }).waitFor();
  });
  await step('R3 saves the open file', async () => {
    const name = `${path.basename(bench.folder)}/saved.btor`;
    page.once('dialog', (dialog) => dialog.accept(name));
    await page.getByRole('button', { name: 'Save as…' }).click();
    await page.locator('.file-bar strong', { hasText: 'saved.btor' }).waitFor();
    assert.match(fs.readFileSync(path.join(bench.folder, 'saved.btor'), 'utf8'), /urem/);
  });
  await step('R11 R12 R14 R24 generator settings, first seed and format; the result appears at once', async () => {
    await page.locator('[data-tab=generate]').click();
    await page.getByLabel('Format', { exact: true }).selectOption('btor');
    await page.getByLabel('Seed', { exact: true }).last().fill('5');
    await page.getByLabel('Old BTOR format').check();
    await textOf(page, '[role=tabpanel]:not([hidden]) .command code', '--seed 5');
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await until('a generated file', async () => /generated/.test(decodeURIComponent(page.url())));
    await textOf(page, '.text', 'root');
  });
  await step('R10 no layout program is needed', async () => {
    await page.getByRole('button', { name: 'Graph', exact: true }).click();
    await page.locator('.graph .node').first().waitFor();
  });
  await step('R30 everything is also a command line', async () => {
    await page.locator('[data-tab=run]').click();
    await textOf(page, '[role=tabpanel]:not([hidden]) .command code', 'nub reduce');
  });
  await step('strategies side by side', async () => {
    await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(path.basename(bench.folder))}/bug.btor&program=crash`);
    await page.locator('[data-tab=compare]').click();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await done(page);
    await until('four rows', async () => (await page.locator('.compared tbody tr').count()) >= 4);
  });
  const drawn = () => page.locator('.curves .chart p').allTextContents();
  await step('their curves are overlaid: size against test runs and against time, each with a line in the table', async () => {
    assert.equal(await page.locator('.curves .chart canvas').count(), 2);
    const names = await page.locator('.compared strong').allTextContents();
    assert.ok(names.includes('auto') && names.includes('hdd + simplify'), names.join());
    for (const said of await drawn()) for (const name of names) assert.match(said, new RegExp(`${name.replaceAll('+', '\\+')}: from [1-9]`));
    await page.locator('.compared tr', { hasText: 'ddmin + simplify' }).getByRole('checkbox').uncheck();
    for (const said of await drawn()) assert.ok(!said.includes('ddmin + simplify') && said.includes('auto'));
    await page.getByLabel('Logarithmic').check();
    assert.equal(await page.locator('.curves .chart canvas').count(), 2);
  });
  await step('a comparison has an address, and its file is one click away', async () => {
    await page.reload();
    await until('the table again', async () => (await page.locator('.compared tbody tr').count()) >= 4);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await textOf(page, '.text', 'root');
    await page.getByRole('button', { name: 'Curves', exact: true }).click();
    assert.equal(await page.locator('.curves').count(), 0);
    await page.getByRole('button', { name: 'Curves', exact: true }).click();
  });
  await step('a comparison saved as one file opens without the server', async () => {
    const alone = await savedAlone(chrome, page, bench.folder);
    await until('the table', async () => (await alone.locator('.compared tbody tr').count()) >= 4);
    assert.deepEqual(await alone.locator('[role=tab]').allTextContents(), ['Compare']);
    await textOf(alone, '.command code', '--compare-strategies');
    await alone.close();
  });
  await step('terms of all commands are drawn; a file without any says so', async () => {
    for (const [name, text, node] of [['asked.smt2', '(declare-const p Bool)\n(check-sat-assuming (p (not p)))\n', '.graph .root'], ['none.smt2', '(set-logic ALL)\n', undefined]]) {
      fs.writeFileSync(path.join(bench.folder, name), text);
      await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(path.basename(bench.folder))}/${name}&panes=graph`);
      if (node) await textOf(page, node, 'check-sat-assuming');
      else await textOf(page, '.graph-pane', 'no terms to draw');
    }
  });
  await chrome.close();
  await bench.stop();
}

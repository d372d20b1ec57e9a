// Reports: the views of the workbench in one file each, opened without a server and without a network.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { assert, axeSource, browser, fs, path, step, temporary, textOf, until } from './kit.mjs';

/** Runs nub in a folder; exit statuses up to 1 are answers. */
function nub(folder, ...words) {
  try {
    return execFileSync(process.env.NUB, words, { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    if (error.status === 1) return error.stdout;
    throw error;
  }
}

/** A name and a comment that would end a script, if they could. */
const HOSTILE = "a<!--b'&\".c";
const SUBJECT = "r<img src=x>'&\".smt2";
const ATTACK = '/* </script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"> \u2028 */\n';

export default async function reports() {
  const folder = temporary();
  const source = (name) => fs.readFileSync(path.join(process.env.NUB_EXAMPLES, name), 'utf8');
  fs.writeFileSync(path.join(folder, HOSTILE), ATTACK + source('cover/shipping.c'));
  fs.writeFileSync(path.join(folder, 'parking.c'), ATTACK + source('explain/parking.c'));
  fs.writeFileSync(path.join(folder, 'always.c'), 'void __CPROVER_assert(int, const char *);\nvoid f(void) { int x = 3; __CPROVER_assert(x == 4, "</script><b>four"); }\n');
  fs.writeFileSync(path.join(folder, 'crash.sh'), '#!/bin/sh\nif grep -q bvurem "$1"; then echo "x.c:3: Assertion \'</script>\' failed." >&2; kill -ABRT $$; fi\necho unknown\n', { mode: 0o755 });
  const chrome = await browser();
  const asked = [];
  chrome.context.on('request', (request) => asked.push(request.url()));
  const page = await chrome.page();
  const open = async (name) => {
    await page.goto(pathToFileURL(path.join(folder, name)).href);
    await page.locator('.tabs').waitFor();
  };
  const panel = '[role=tabpanel]:not([hidden])';

  await step('cover --html is the view of the workbench: headline, colours, goals, proof', async () => {
    nub(folder, 'cover', HOSTILE, '-f', 'shipping', '--html', 'cover.html');
    await open('cover.html');
    await textOf(page, '.headline', '7 tests cover 30 of 32 goals');
    await until('line 4 is covered', async () => (await page.locator('.text [data-line="4"] .t-covered').count()) >= 2);
    await textOf(page, '.file-bar', HOSTILE);
    await textOf(page, '.text [data-line="1"]', '</script>');
    await page.locator('[data-tab=goals]').click();
    await textOf(page, panel, 'pair 4 and 1');
    await page.locator('[data-tab=why]').click();
    await textOf(page, panel, 'Why at least 7 tests');
  });
  await step('the path of a test, through the source and the control flow, without a server', async () => {
    await page.locator('[data-tab=tests]').click();
    await page.getByLabel('Show the path of test 2').click();
    await page.locator('.text .ok[data-line="9"]').waitFor();
    await page.locator('.text .dim[data-line="5"]').waitFor();
    await page.getByRole('button', { name: 'Control flow' }).click();
    await page.locator('.graph .node.taken').first().waitFor();
  });
  await step('it has no button that starts something, and shows the command that was typed', async () => {
    for (const name of ['Open…', 'Paste…', 'Find the fewest tests', 'Keep this test and find the rest']) assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    await page.locator('[data-tab=run]').click();
    await textOf(page, '.command code', 'nub cover ');
    assert.ok(await page.getByLabel('Criterion').isDisabled());
  });
  await step('a reload shows the same tab', async () => {
    await page.reload();
    await page.locator('[data-tab=run][aria-selected=true]').waitFor();
  });
  await step('a report in light and dark', async () => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const first = await theme();
    await page.getByLabel('Switch between light and dark').click();
    assert.notEqual(await theme(), first);
  });
  await step('calls of stubs and mutants are in it', async () => {
    fs.writeFileSync(path.join(folder, 'stub.c'), 'void on(int led); void off(int led);\nvoid f(int mode) { if (mode > 3) { on(mode); off(1); } else off(2); }\n');
    nub(folder, 'cover', 'stub.c', '--no-native', '--html', 'stub.html');
    await open('stub.html');
    await textOf(page, '.tests', 'Calls of stubs');
    await textOf(page, '.tests', 'off(2)');
    fs.writeFileSync(path.join(folder, 'mutants.c'), 'int f(int a, int b) { if (a > 3 && b) return 1; return a; }\n');
    nub(folder, 'cover', 'mutants.c', '--no-native', '--mutants', '--html', 'mutants.html');
    await open('mutants.html');
    await page.locator('[data-tab=mutants]').click();
    await textOf(page, '.mutants', 'killed');
  });
  await step('explain --html: fault and fix, both runs step by step, all values', async () => {
    nub(folder, 'explain', 'parking.c', '-f', 'check', '--html', 'explain.html');
    await open('explain.html');
    await textOf(page, '.headline', 'a longer stay does not cost less');
    await textOf(page, '.fix .diff-add', 'total = 1500');
    assert.equal(await page.getByRole('button', { name: 'Apply to a copy and check again' }).count(), 0);
    await textOf(page, '.position', '25 of 25');
    await page.keyboard.press('p');
    await textOf(page, '.position', '24 of 25');
    await page.reload();
    await textOf(page, '.position', '24 of 25');
    await page.locator('[data-tab=watch]').click();
    await textOf(page, '.watch', 'check::now');
    await page.locator('[data-tab=changes]').click();
    await textOf(page, panel, 'Distance');
  });
  await step('a failure without a passing run has its likely fault', async () => {
    nub(folder, 'explain', 'always.c', '--no-native', '--html', 'always.html');
    await open('always.html');
    await textOf(page, '.headline', '</script><b>four');
    await textOf(page, panel, '4');
    await page.locator('.fault').first().waitFor();
  });
  await step('the page of a campaign', async () => {
    nub(folder, 'fuzz', '-s', 'crash=./crash.sh', '--generate', 'smt2:bv', '--max-groups', '1', '--campaign', 'c', '-q');
    await open('c/index.html');
    await textOf(page, '.split table', "Assertion '</script>' failed");
    await textOf(page, '.said', 'seed');
    await textOf(page, '.facts', 'Inputs');
  });
  await step('reduce --html: curves, what each pass removed, the slider with differences, text and graph', async () => {
    fs.writeFileSync(path.join(folder, SUBJECT), `; ${ATTACK.replaceAll('\n', '')}\n(set-logic QF_BV)\n(declare-const |</script><b>| (_ BitVec 8))\n(declare-const y (_ BitVec 8))\n(assert (= (bvadd y #x01) (bvmul y y)))\n(assert (= (bvurem |</script><b>| y) (bvadd y #x02)))\n(assert (bvult y #x07))\n(check-sat)\n`);
    nub(folder, 'reduce', SUBJECT, '-o', 'small.smt2', '--keep', 'script', '--html', 'reduce.html', '-q', '--', './crash.sh');
    assert.ok(!fs.existsSync(path.join(folder, 'small.smt2.nub')), 'the run folder is removed as without --html');
    await open('reduce.html');
    await textOf(page, '.file-bar strong', 'small.smt2');
    await textOf(page, '.side .message', 'bytes');
    assert.equal(await page.locator('.chart canvas').count(), 2);
    await textOf(page, '.facts', "Assertion '</script>' failed");
    await textOf(page, panel, 'What each pass removed');
    await page.locator('[data-tab=steps]').click();
    const title = await textOf(page, `${panel} h2`, 'Step ');
    const last = Number(title.match(/of (\d+)/)[1]);
    assert.ok(last > 1, title);
    await page.getByLabel('Accepted step').fill('0');
    await textOf(page, `${panel} h2`, 'Step 1 of');
    await page.locator('.diff .diff-del').first().waitFor();
    for (let at = 0; at < last; at += 1) {
      await page.getByLabel('Accepted step').fill(String(at));
      await textOf(page, `${panel} h2`, `Step ${at + 1} of ${last}`);
      const bytes = Number((await textOf(page, `${panel} h2`, ' bytes')).match(/([\d\u202f]+) bytes/)[1].replace('\u202f', ''));
      await until(`the text of step ${at + 1} has ${bytes} bytes`, async () => (await page.locator('.file-bar [role=status]').textContent()).startsWith(`${bytes} B,`));
    }
    await page.getByRole('button', { name: 'Show the original' }).click();
    await textOf(page, '.text [data-line="1"]', '</script>');
    await textOf(page, '.file-bar strong', SUBJECT);
    await page.getByRole('button', { name: 'Show the result' }).click();
    await textOf(page, '.file-bar strong', 'small.smt2');
    await page.getByRole('button', { name: 'Graph', exact: true }).click();
    await textOf(page, '.graph', '|</script><b>|');
    for (const name of ['Open…', 'Paste…', 'Save as…', 'Start reduction', 'Check the program first', 'Save as one file']) assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    assert.deepEqual(await page.locator('[role=tab]').allTextContents(), ['Run', 'Progress', 'Steps']);
    await page.locator('[data-tab=run]').click();
    await textOf(page, '.command code', 'nub reduce ');
  });
  await step('reduce --compare-strategies --html: the curves of several files, of which one is shown', async () => {
    fs.writeFileSync(path.join(folder, 'second.smt2'), '(declare-const y (_ BitVec 8))\n(assert (= (bvurem y y) y))\n(assert (= y y))\n');
    nub(folder, 'reduce', SUBJECT, 'second.smt2', '--compare-strategies=hdd,ddmin,auto', '--html', 'compare.html', '-q', '--', './crash.sh');
    await open('compare.html');
    await until('the table', async () => (await page.locator('.compared tbody tr').count()) === 5);
    assert.equal(await page.locator('.curves .chart canvas').count(), 2);
    await textOf(page, '.curves h2', SUBJECT);
    await page.getByLabel('File', { exact: true }).selectOption('1');
    await textOf(page, '.curves h2', 'second.smt2');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await textOf(page, '.text', '</script>');
    assert.deepEqual(await page.locator('[role=tab]').allTextContents(), ['Compare']);
  });
  await step('no serious defect of accessibility', async () => {
    for (const name of ['cover.html', 'explain.html', 'reduce.html', 'compare.html', 'c/index.html']) {
      await open(name);
      // The policy of a report allows no foreign script, so the checker is injected through the debugger.
      await page.evaluate(axeSource);
      const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(serious.map(({ id, nodes }) => `${name} ${id}: ${nodes[0].html}`), []);
    }
  });
  await step('no script of the content ran, and nothing was loaded from a network', async () => {
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(asked.filter((url) => !/^(file|data|blob):/.test(url)), []);
    assert.deepEqual([...new Set(asked.filter((url) => url.startsWith('file:')).map((url) => path.basename(new URL(url).pathname)))].sort(), ['always.html', 'compare.html', 'cover.html', 'explain.html', 'index.html', 'mutants.html', 'reduce.html', 'stub.html']);
  });
  await chrome.close();
  fs.rmSync(folder, { recursive: true, force: true });
}

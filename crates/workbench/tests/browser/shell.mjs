// The shell: palette, keyboard, theme, drops, two tabs, a server that is killed, a thousand jobs; R13 settings.
import { Bench, assert, browser, done, enter, fs, path, step, textOf, until } from './kit.mjs';

const SLOW = '#!/bin/sh\nsleep 0.2\nif grep -q bvmul "$1"; then exit 3; fi\n';

export default async function shell() {
  const bug = fs.readFileSync(path.join(process.env.NUB_EXAMPLES, 'crash/bug.smt2'), 'utf8');
  const toml = '[limits]\nmax-time = "10m"\n\n[programs]\nfrom-file = "sh ./slow.sh"\n';
  const bench = await new Bench({ 'bug.smt2': bug, 'slow.sh': SLOW, 'nub.toml': toml }, { slow: './slow.sh' }).start();
  const chrome = await browser();
  const page = await chrome.page();
  const home = () => page.goto(`http://127.0.0.1:${bench.port}/`);
  await enter(bench, page);
  await step('the address is clean after the first visit, and its token is used up', async () => {
    assert.equal(new URL(page.url()).search, '');
    const stranger = await browser();
    const other = await stranger.page();
    const answer = await other.goto(bench.link);
    assert.equal(answer.status(), 401);
    await textOf(other, 'h1', 'no session');
    await stranger.close();
  });
  await step('R13 settings of a readable file in the current folder, with their lines; its programs are registered', async () => {
    const settings = page.getByRole('region', { name: 'Settings' });
    await until('the settings', async () => /limits\.max-time.*10m.*nub\.toml:2/.test(await settings.textContent()));
    await textOf(page, '.home', '/slow.sh');
    assert.match(await page.getByRole('region', { name: 'Programs' }).textContent(), /from-filesh/);
  });
  await step('the doctor lists solvers, and examines a program', async () => {
    await page.getByRole('button', { name: 'Look for solvers' }).click();
    await until('an answer', async () => (await page.getByLabel('Doctor').textContent()).length > 10);
    await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(path.basename(bench.folder))}/bug.smt2&program=slow`);
    await page.getByRole('button', { name: 'Check the program first' }).click();
    await until('a diagnosis', async () => (await page.getByLabel('Diagnosis').textContent()).includes('fails'));
    await home();
    await page.locator('.sample').first().waitFor();
  });
  await step('the command palette, by keyboard alone', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go to cover');
    await page.keyboard.press('Enter');
    await textOf(page, '.side h1', 'Cover');
    await page.keyboard.press('Alt+1');
    await page.locator('.sample').first().waitFor();
  });
  await step('light and dark', async () => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const before = await theme();
    await page.getByLabel('Switch between light and dark').click();
    assert.notEqual(before, await theme());
    await page.reload();
    assert.notEqual(before, await theme());
  });
  await step('a dropped file opens', async () => {
    await home();
    await page.locator('.sample').first().waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['(assert true)'], 'dropped.smt2'));
      document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await textOf(page, '.text', '(assert true)');
  });
  await step('a view without a file says what to do; files are found by a part of their names', async () => {
    for (const view of ['cover', 'explain', 'reduce']) {
      await page.goto(`http://127.0.0.1:${bench.port}/${view}`);
      await page.getByRole('button', { name: 'Open a file…' }).waitFor();
    }
    await page.getByRole('button', { name: 'Open a file…' }).click();
    await until('the files', async () => (await page.locator('.file-list li').count()) > 1);
    await page.getByLabel('Filter files').fill('.SMT2');
    await until('one of them', async () => (await page.locator('.file-list li').allTextContents()).every((text) => text.includes('bug.smt2')));
    await page.getByLabel('Filter files').press('Enter');
    await textOf(page, '.file-bar strong', 'bug.smt2');
  });
  await step('a pasted file opens', async () => {
    await page.getByRole('button', { name: 'Paste…' }).click();
    await page.getByLabel('Text of the file').fill('1 var 1 x\n2 root 1 1\n');
    await page.getByLabel('Name', { exact: true }).fill('mine.btor');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await textOf(page, '.text', '2 root 1 1');
  });
  await step('a program that does not fail is doubted, and no program is taken for granted', async () => {
    fs.writeFileSync(path.join(bench.folder, 'fine.smt2'), '(check-sat)\n(exit)\n; bvadd\n');
    await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(path.basename(bench.folder))}/fine.smt2&program=example-crash`);
    await page.getByRole('button', { name: 'Start reduction' }).click();
    await textOf(page, '.message.warning', 'does not crash');
    await done(page);
    await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(path.basename(bench.folder))}/bug.smt2`);
    assert.equal(await page.getByLabel('Program that fails').inputValue(), 'example-crash', 'the last one that was used');
    await page.getByLabel('Program that fails').selectOption('');
    await textOf(page, '.command code', 'choose a program first');
    await page.getByRole('button', { name: 'Start reduction' }).click();
    assert.equal(new URL(page.url()).searchParams.get('job'), null);
  });
  await step('two tabs follow one job; stopped in one, it is stopped in the other', async () => {
    await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(path.basename(bench.folder))}/bug.smt2&program=slow`);
    await page.locator('[data-tab=run]').click();
    await page.getByRole('button', { name: 'Start reduction' }).click();
    await page.locator('.job-bar [data-phase=running]').waitFor();
    const other = await chrome.page();
    await other.goto(page.url());
    await other.locator('.job-bar [data-phase=running]').waitFor();
    await other.getByRole('button', { name: 'Stop' }).click();
    await other.locator('.job-bar [data-phase=stopped]').waitFor();
    await page.bringToFront();
    await page.locator('.job-bar [data-phase=stopped]').waitFor();
    await other.close();
  });
  await step('a job survives the end of the server, and continues', async () => {
    await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(path.basename(bench.folder))}/bug.smt2&program=slow`);
    await page.locator('[data-tab=run]').click();
    await page.getByRole('button', { name: 'Start reduction' }).click();
    await page.locator('.job-bar [data-phase=running]').waitFor();
    await until('an accepted step', async () => /Accepted steps[1-9]/.test(await page.locator('.facts').textContent()));
    await bench.kill();
    await bench.start();
    await textOf(page, 'main', 'was restarted');
    await page.goto(bench.link);
    await page.locator('.jobs a').first().click();
    await page.locator('.job-bar [data-phase=interrupted]').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await done(page);
    await textOf(page, '.text', 'bvmul');
  });
  await step('a thousand jobs in the list', async () => {
    const jobs = path.join(bench.state, 'jobs');
    const some = fs.readdirSync(jobs)[0];
    const form = fs.readFileSync(path.join(jobs, some, 'form.json'));
    for (let number = 100; number < 1100; number += 1) {
      const folder = path.join(jobs, `${String(number).padStart(6, '0')}-reduce`);
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, 'form.json'), form);
    }
    await bench.kill();
    await bench.start();
    await page.goto(bench.link);
    await page.getByRole('button', { name: /Show all \d+ jobs/ }).click();
    await until('all rows', async () => (await page.locator('.jobs tbody tr').count()) >= 1000);
  });
  await chrome.close();
  await bench.stop();
}

// Large files: opened and scrolled to the end; the document never contains more than the visible part.
import { Bench, assert, browser, enter, path, step, textOf, until } from './kit.mjs';

export const bigSmt = () => {
  const lines = ['(set-logic QF_BV)'];
  for (let size = 0; size < 5e6;) {
    const line = `(assert (= (bvadd #x0000${(lines.length % 65536).toString(16).padStart(4, '0')} #x00000001) #x00000002)) ; line ${lines.length}`;
    lines.push(line);
    size += line.length + 1;
  }
  return `${lines.join('\n')}\n(check-sat) ; the end\n`;
};
export const bigBtor = () => {
  const lines = ['1 var 8 x'];
  for (let id = 2; id < 5000; id += 1) lines.push(`${id} add 8 ${id - 1} ${Math.max(1, Math.floor(id / 2))}`);
  return `${lines.join('\n')}\n5000 redor 1 4999\n5001 root 1 5000\n`;
};
export const bigC = () => `int f(int x) {\n${Array.from({ length: 9996 }, (_, line) => `  x = x + ${line}; /* ${line} */`).join('\n')}\n  return x;\n}\n`;

export default async function large() {
  const bench = await new Bench({ 'large.smt2': bigSmt(), 'large.btor': bigBtor(), 'large.c': bigC(), 'long.smt2': `(assert ${'(and true '.repeat(3e5)}true${')'.repeat(3e5)})` }).start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  const folder = encodeURIComponent(path.basename(bench.folder));
  const visit = (view, file) => page.goto(`http://127.0.0.1:${bench.port}/${view}?file=${folder}/${file}`);
  const toEnd = (text) => page.locator('.text').first().evaluate((element) => { element.scrollTop = element.scrollHeight; }).then(() => textOf(page, '.text', text));
  const isSmall = async () => assert.ok((await page.locator('.text .row-line').count()) < 400, 'only what is seen is in the document');
  await step('5 MB of SMT-LIB', async () => {
    await visit('reduce', 'large.smt2');
    await textOf(page, '.text', 'set-logic');
    await toEnd('; the end');
    await isSmall();
  });
  await step('one line of 6 MB', async () => {
    await visit('reduce', 'long.smt2');
    await textOf(page, '.text', 'assert');
    await toEnd('))))');
    await isSmall();
  });
  await step('10,000 lines of C', async () => {
    await visit('cover', 'large.c');
    await textOf(page, '.text', 'int f');
    await toEnd('return x');
    await isSmall();
  });
  await step('5,000 nodes: the neighbourhood of a node, found by id', async () => {
    await visit('reduce', 'large.btor');
    await page.getByRole('button', { name: 'Graph', exact: true }).click();
    await page.locator('.graph .node').first().waitFor();
    await page.getByLabel('Find a node by id').fill('2500');
    await page.getByLabel('Find a node by id').press('Enter');
    await page.locator('.graph .node.chosen[data-id="2500"]').waitFor();
    assert.ok((await page.locator('.graph .node').count()) <= 200);
    await textOf(page, '.graph-pane', 'of 5\u202f001 nodes');
    await until('the line', async () => (await page.locator('.text .cursor[data-line="2500"]').count()) === 1);
  });
  await chrome.close();
  await bench.stop();
}

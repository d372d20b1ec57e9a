// A workbench of its own for each test, a browser, and steps with names.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.NUB_MODULES}/`);
const { chromium } = require('playwright-core');
export const axeSource = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** No step depends on the clock; this only ends a run that hangs. */
const PATIENCE = 1000 * Number(process.env.NUB_PATIENCE ?? 600);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export const temporary = () => fs.mkdtempSync(path.join(os.tmpdir(), 'nub-browser-'));

/** A server, and the folder that it serves. */
export class Bench {
  constructor(files = {}, programs = {}) {
    this.folder = temporary();
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(this.folder, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
    this.programs = programs;
    this.state = path.join(this.folder, '.state');
  }

  /** Starts the server and waits until it has printed its address. */
  async start() {
    const args = ['workbench', this.folder, '--state', this.state, '--port', String(this.port ?? 0)];
    for (const [name, command] of Object.entries(this.programs)) args.push('--program', `${name}=${command}`);
    this.process = spawn(process.env.NUB, args, { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] });
    this.exited = new Promise((resolve) => { this.process.on('exit', resolve); });
    let out = '';
    this.link = await new Promise((resolve, reject) => {
      this.process.stdout.on('data', (data) => {
        out += data;
        const found = out.match(/http:\/\/\S+token=\w+/);
        if (found) resolve(found[0]);
      });
      this.process.on('exit', () => reject(new Error(`the server ended: ${out}`)));
    });
    this.port = Number(new URL(this.link).port);
    return this;
  }

  /** Ends it without a warning, as a power cut would. */
  async kill() {
    this.process.kill('SIGKILL');
    await this.exited;
  }

  async stop() {
    this.process.kill('SIGTERM');
    await this.exited;
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A browser with an empty profile. */
export async function browser({ dark = false, width = 1280, height = 800 } = {}) {
  const profile = temporary();
  const context = await chromium.launchPersistentContext(profile, { executablePath: process.env.NUB_CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS, viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', acceptDownloads: true });
  context.setDefaultTimeout(PATIENCE);
  context.setDefaultNavigationTimeout(PATIENCE);
  const faults = [];
  if (process.env.NUB_PAGE) await context.route('**/assets/**', (route) => route.fulfill({ path: path.join(process.env.NUB_PAGE, new URL(route.request().url()).pathname.slice('/assets/'.length)) }));
  context.on('weberror', (error) => faults.push(error.error().stack));
  context.on('console', (message) => { if (message.type() === 'error' && !/status of 4\d\d|ERR_CONNECTION|ERR_INCOMPLETE/.test(message.text())) faults.push(message.text()); });
  return {
    context,
    faults,
    page: async () => context.newPage(),
    close: async () => {
      await context.close();
      fs.rmSync(profile, { recursive: true, force: true });
      assert.deepEqual(faults, [], 'the page had errors');
    },
  };
}

/** Names of the steps that were taken. */
export const steps = new Set();

/** A step with the names of the features that it shows. */
export async function step(name, call) {
  try {
    await call();
    steps.add(name);
    console.log(`ok   ${name}`);
  } catch (error) {
    error.message = `${name}: ${error.message}`;
    throw error;
  }
}

/** Waits until something holds. */
export async function until(what, holds) {
  const from = Date.now();
  for (;;) {
    if (await holds()) return;
    if (Date.now() - from > PATIENCE) throw new Error(`never: ${what}`);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}

/** The job in the view has ended by itself. */
export const done = (page) => page.locator('.job-bar [data-phase=done]').waitFor();

/** The text of an element, once it contains something. */
export async function textOf(page, selector, part) {
  const element = page.locator(selector).first();
  await until(`${selector} contains ${part}`, async () => ((await element.textContent().catch(() => '')) ?? '').includes(part));
  return element.textContent();
}

/** Opens the page of a bench. */
export async function enter(bench, page) {
  await page.goto(bench.link);
  await page.locator('.sample').first().waitFor();
}

/** Saves the job in the view as one file, and opens it without the server. */
export async function savedAlone(chrome, page, folder) {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as one file' }).click()]);
  assert.match(saved.suggestedFilename(), /\.html$/);
  const file = path.join(folder, saved.suggestedFilename());
  await saved.saveAs(file);
  const alone = await chrome.page();
  await alone.goto(pathToFileURL(file).href);
  await alone.locator('.tabs').waitFor();
  return alone;
}

export { assert, fs, path };

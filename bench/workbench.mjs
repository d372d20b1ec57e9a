// What the workbench costs, measured in Chromium. Started by workbench.py; prints one JSON object.
import { execFileSync } from 'node:child_process';
import { Bench, browser, enter, fs, path, until } from '../crates/workbench/tests/browser/kit.mjs';
import { bigBtor, bigC, bigSmt } from '../crates/workbench/tests/browser/large.mjs';

const SCROLLED_FRAMES = 200;
const LAG_SAMPLES = 20;
const N_JOBS = 1000;
const REDUCTIONS = 5;
/** Iterations of a shell loop that the solver runs before it answers: about 30 ms. */
const SOLVER_STEPS = 30000;
const campaignSeconds = Number(process.env.NUB_CAMPAIGN_SECONDS ?? 120);
const wanted = (process.env.NUB_MEASURE ?? 'weight files jobs lag reduce campaign').split(' ');
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const figures = {};

/** Processor time of a page's main thread, in seconds: waiting for a busy machine does not count. */
async function taskTime(session) {
  return (await workTimes(session)).all;
}

/** The same by what it was spent on. The rest of `all` is paint, compositing, input and the browser's own business. */
async function workTimes(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name) => metrics.find((metric) => metric.name === name).value;
  return { all: value('TaskDuration'), script: value('ScriptDuration'), style: value('RecalcStyleDuration'), layout: value('LayoutDuration') };
}

async function measured(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}

async function weight() {
  const bench = await new Bench().start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  const paints = [];
  for (let visit = 0; visit < 5; visit += 1) {
    await page.goto(`http://127.0.0.1:${bench.port}/`);
    await page.locator('.sample').first().waitFor();
    paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
  }
  figures.firstPaintMs = median(paints);
  figures.homeBytes = await page.evaluate(() => performance.getEntriesByType('resource').reduce((sum, entry) => sum + entry.decodedBodySize, 0));
  await chrome.close();
  await bench.stop();
}

/** Time from the start of a visit until a row of the file is drawn; then frames while it scrolls. */
async function large(page, address, marker) {
  const session = await measured(page);
  const before = Date.now();
  await page.goto(address);
  const openMs = await page.evaluate((text) => new Promise((resolve) => {
    const look = () => (document.querySelector('.text .rows')?.textContent.includes(text) ? resolve(performance.now()) : requestAnimationFrame(look));
    look();
  }), marker);
  const wallMs = Date.now() - before;
  const scrolled = await frames(page, session, "const text = document.querySelector('.text'); return () => { text.scrollTop += 200; };");
  return { openMs: Math.round(openMs), wallMs, ...scrolled };
}

/** Processor time of the longest single task of the page's main thread while something is done, in ms: a frame is one task. */
async function longestTask(page, call) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => { session.once('Tracing.tracingComplete', resolve); });
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', '__metadata'], excludedCategories: ['*'] }, transferMode: 'ReportEvents' });
  const result = await call();
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const threads = new Set(events.filter((event) => event.name === 'thread_name' && event.args.name === 'CrRendererMain').map((event) => `${event.pid} ${event.tid}`));
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && event.tdur !== undefined && threads.has(`${event.pid} ${event.tid}`));
  return { ...result, longestMs: Math.max(...tasks.map((event) => event.tdur)) / 1000 };
}

/** Work of a frame while something moves: the mean of many, then the longest one of as many again. */
async function frames(page, session, make) {
  const mean = await moved(page, session, make);
  return { ...mean, ...(await longestTask(page, async () => ({ again: (await moved(page, session, make)).frameMs }))) };
}

/** `make` is the body of a function that returns what is done in each frame. */
async function moved(page, session, make) {
  const before = await workTimes(session);
  const gaps = await page.evaluate(({ count, body }) => new Promise((resolve) => {
    const move = new Function(body)();
    const found = [];
    let last = performance.now();
    const frame = (now) => {
      found.push(now - last);
      last = now;
      move(found.length);
      if (found.length < count) requestAnimationFrame(frame);
      else resolve(found.slice(1));
    };
    requestAnimationFrame(frame);
  }), { count: SCROLLED_FRAMES, body: make });
  const after = await workTimes(session);
  const perFrame = (name) => (1000 * (after[name] - before[name])) / SCROLLED_FRAMES;
  return { cpuPerFrameMs: perFrame('all'), partsMs: ['script', 'style', 'layout'].map(perFrame), frameMs: median(gaps), slowFrames: gaps.filter((gap) => gap > 34).length, longestGapMs: Math.max(...gaps) };
}

async function files() {
  const bench = await new Bench({ 'large.smt2': bigSmt(), 'large.btor': bigBtor(), 'large.c': bigC() }).start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  const address = (view, file) => `http://127.0.0.1:${bench.port}/${view}?file=${encodeURIComponent(path.basename(bench.folder))}/${file}`;
  figures.files = {
    'SMT-LIB, 5 MB': await large(page, address('reduce', 'large.smt2'), 'set-logic'),
    'BTOR, 5,000 nodes': await large(page, address('reduce', 'large.btor'), '1 var 8 x'),
    'C, 10,000 lines': await large(page, address('cover', 'large.c'), 'int f'),
  };
  await page.goto(address('reduce', 'large.btor'));
  await page.locator('.text .row-line').first().waitFor();
  const before = Date.now();
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  await page.locator('.graph .node').first().waitFor();
  figures.graphMs = Date.now() - before;
  const session = await measured(page);
  const dragged = "const graph = document.querySelector('.graph'); const at = (type, by) => graph.dispatchEvent(new PointerEvent(type, { clientX: 300 + (by % 100), clientY: 600 + (by % 70), buttons: 1 })); at('pointerdown', 0); return (frame) => at('pointermove', frame);";
  figures.graphFrames = await frames(page, session, dragged);
  await chrome.close();
  await bench.stop();
}

async function jobs() {
  const bench = new Bench();
  for (let job = 1; job <= N_JOBS; job += 1) {
    const folder = path.join(bench.state, 'jobs', `${String(job).padStart(6, '0')}-explain`);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'form.json'), JSON.stringify({ kind: 'explain', file: `x/${job}.c` }));
    fs.writeFileSync(path.join(folder, 'events.jsonl'), '{"version":1,"type":"document","of":"explain","content":{"answer":"no-violation"}}\n');
  }
  const begun = Date.now();
  await bench.start();
  figures.startWithJobsMs = Date.now() - begun;
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  const session = await measured(page);
  figures.jobsAnswerMs = await page.evaluate(async () => {
    const before = performance.now();
    await (await fetch('/api/jobs')).json();
    return performance.now() - before;
  });
  const busy = await taskTime(session);
  await page.getByRole('button', { name: 'Show all' }).click();
  await until('all rows', async () => (await page.locator('.jobs tbody tr').count()) === N_JOBS);
  figures.allJobsCpuMs = 1000 * ((await taskTime(session)) - busy);
  await chrome.close();
  await bench.stop();
}

const SLOW = '#!/bin/sh\nsleep 0.05\nif grep -q bvurem "$1"; then echo "Assertion failed" >&2; kill -ABRT $$; fi\necho unknown\n';

/** From a change of a running job (pause, resume) to the event in the page, with the request that makes it. */
async function lag() {
  const bench = await new Bench({ 'bug.smt2': `${'(declare-const x Int)\n(assert (> x 0))\n'.repeat(200)}(assert (= (bvurem #x1 #x1) #x1))\n`, 'slow.sh': SLOW }, { slow: './slow.sh' }).start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(path.basename(bench.folder))}/bug.smt2&program=slow&start=1`);
  await page.locator('.job-bar [data-phase=running]').waitFor();
  const times = await page.evaluate(async (samples) => {
    const id = new URLSearchParams(location.search).get('job');
    const { token } = await (await fetch('/api/session')).json();
    const source = new EventSource(`/api/events?job=${id}`);
    let seen = () => {};
    source.addEventListener('job', (event) => seen(JSON.parse(event.data).phase));
    const found = [];
    for (let sample = 0; sample < samples; sample += 1) {
      const action = sample % 2 === 0 ? 'pause' : 'resume';
      const phase = sample % 2 === 0 ? 'paused' : 'running';
      const before = performance.now();
      await new Promise((resolve) => {
        seen = (now) => { if (now === phase) resolve(); };
        fetch(`/api/jobs/${id}/${action}`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-nub-token': token }, body: '{}' });
      });
      found.push(performance.now() - before);
    }
    source.close();
    return found;
  }, LAG_SAMPLES);
  figures.lagMs = { median: median(times), most: Math.max(...times) };
  await chrome.close();
  await bench.stop();
}

/** Processor time from a line of /proc/PID/stat, in seconds: of children that have ended, and of these and the process together. */
function cpuOf(line) {
  const [user, system, childUser, childSystem] = line.slice(line.lastIndexOf(')')).split(' ').slice(12, 16).map(Number);
  return { children: (childUser + childSystem) / 100, all: (user + system + childUser + childSystem) / 100 };
}

/** Processor time of a command line and all that it starts, and what it prints. */
function spentBy(folder, ...words) {
  const script = '"$@" 2> /dev/null; read -r line < /proc/$$/stat; echo "$line"';
  const out = execFileSync('bash', ['-c', script, 'bash', process.env.NUB, ...words], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
  return { cpu: cpuOf(out.at(-1)).children, lines: out.slice(0, -1) };
}

/** A reduction that a user starts on the page, which shows it as it goes. */
async function reduceUnder(bench, page, file) {
  const spent = () => cpuOf(fs.readFileSync(`/proc/${bench.process.pid}/stat`, 'utf8')).all;
  await page.goto(`http://127.0.0.1:${bench.port}/reduce?file=${encodeURIComponent(file)}&program=crash&tab=run`);
  await page.locator('.text .row-line').first().waitFor();
  await page.getByText('Limits and more').click();
  await page.getByLabel('Parallel runs').fill('1');
  const before = spent();
  await page.getByRole('button', { name: 'Start reduction' }).click();
  await page.locator('.job-bar [data-phase=done]').waitFor();
  const cpu = spent() - before;
  const id = new URL(page.url()).searchParams.get('job');
  const lines = await page.evaluate(async (name) => (await fetch(`/api/jobs/${name}/lines`)).json(), id);
  const { asks, seconds } = lines.findLast((line) => line.type === 'end');
  return { asks, seconds, cpu };
}

/** The same reduction by the command line and under the page, in turns. One worker: the same runs in both. */
async function reduce() {
  const example = fs.readFileSync(path.join(process.env.NUB_EXAMPLES, 'crash/bug.smt2'), 'utf8');
  const solver = fs.readFileSync(path.join(process.env.NUB_EXAMPLES, 'crash/solver.sh'), 'utf8');
  // A solver that works for a while, as real ones do: the browser draws on the same cores.
  const works = `i=0; while [ $i -lt ${SOLVER_STEPS} ]; do i=$((i+1)); done\n${solver}`;
  const bench = await new Bench({ 'bug.smt2': example, 'solver.sh': works }, { crash: 'sh ./solver.sh' }).start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  const [alone, under] = [[], []];
  for (let run = 0; run < REDUCTIONS; run += 1) {
    const { cpu, lines } = spentBy(bench.folder, 'reduce', 'bug.smt2', '-j', '1', '--json', '--history', '-o', `out${run}.smt2`, '--', 'sh', './solver.sh');
    const { asks, seconds } = JSON.parse(lines.findLast((line) => line.includes('"type":"end"')));
    alone.push({ asks, seconds, cpu });
    under.push(await reduceUnder(bench, page, `${path.basename(bench.folder)}/bug.smt2`));
  }
  const both = [alone, under];
  const of = (name) => both.map((runs) => median(runs.map((run) => run[name])));
  figures.reduce = { asks: both.map((runs) => [...new Set(runs.map((run) => run.asks))]), cpu: of('cpu'), seconds: of('seconds') };
  await chrome.close();
  await bench.stop();
}

async function campaign() {
  const bench = await new Bench({ 'crash.sh': '#!/bin/sh\nif grep -q bvurem "$1"; then echo "Assertion failed" >&2; kill -ABRT $$; fi\necho unknown\n' }, { crash: './crash.sh' }).start();
  const chrome = await browser();
  const page = await chrome.page();
  await enter(bench, page);
  await page.goto(`http://127.0.0.1:${bench.port}/fuzz?solvers=crash&generate=smt2:bv&nodes=20&start=1`);
  await page.locator('.job-bar [data-phase=running]').waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const samples = [];
  for (let at = 0; at <= campaignSeconds; at += 10) {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const value = (name) => metrics.find((metric) => metric.name === name).value;
    const inputs = Number((await page.locator('.facts dd').first().textContent()).replace(/\D/g, ''));
    samples.push({ at, heap: value('JSHeapUsedSize'), nodes: value('Nodes'), inputs });
    await page.waitForTimeout(10_000);
  }
  figures.campaign = samples;
  await chrome.close();
  await bench.stop();
}

for (const [name, call] of Object.entries({ weight, files, jobs, lag, reduce, campaign })) if (wanted.includes(name)) await call();
console.log(JSON.stringify(figures));
process.exit(0);

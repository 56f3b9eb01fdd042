import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/src/running-sandbox.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import type { Child } from '../support/child.ts';
import { CounterWatch, type Samples } from '../support/counter-watch.ts';
import { startExporter } from '../support/exporter-command.ts';
import { urlOf } from '../support/served-url.ts';

const token = 'sandbox-token-1234567890';
const reloadSuccessful = 'uptime_exporter_config_last_reload_successful';

async function aSandbox(seed: number): Promise<RunningSandbox> {
  const sandbox = await startSandbox({
    seed,
    checks: 5,
    shortLimit: 100_000,
    longLimit: 18_000_000,
    clock: systemClock,
    limitsClock: systemClock,
    token,
    host: '127.0.0.1',
    port: 0,
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** An exporter with a configuration file that can be changed. */
class Reloaded {
  readonly folder: string;
  readonly #child: Child;

  private constructor(folder: string, child: Child) {
    this.folder = folder;
    this.#child = child;
  }

  static async start(accounts: readonly string[], files: Record<string, string> = {}) {
    const folder = await temporaryFolder();
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const file = join(folder, 'uptime.yaml');
    await writeFile(file, configuration(accounts));
    const child = startExporter([
      `--config.file=${file}`,
      '--web.listen-address=127.0.0.1:0',
      `--storage.path=${join(folder, 'data')}`,
    ]);
    await child.until(/msg="serving metrics"/);
    return new Reloaded(folder, child);
  }

  get url(): string {
    return urlOf([this.#child.output()]);
  }

  get log(): string {
    return this.#child.output();
  }

  until(pattern: RegExp) {
    return this.#child.until(pattern);
  }

  hangUp(): void {
    this.#child.process.kill('SIGHUP');
  }

  async configure(text: string): Promise<void> {
    await writeFile(join(this.folder, 'uptime.yaml'), text);
  }

  async reload() {
    const { statusCode, body } = await request(`${this.url}/-/reload`, { method: 'POST' });
    return { statusCode, text: await body.text() };
  }

  async get(path: string) {
    const { statusCode, headers, body } = await request(`${this.url}${path}`);
    return { statusCode, headers, text: await body.text() };
  }

  /** The page, once it meets the condition. */
  async page(condition: (page: string) => boolean): Promise<string> {
    for (;;) {
      const { text } = await this.get('/metrics');
      if (condition(text)) return text;
      await pause(100);
    }
  }
}

function configuration(accounts: readonly string[]): string {
  return `accounts:\n${accounts.join('')}`;
}

function account(name: string, sandbox: RunningSandbox, more = `    token: ${token}\n`): string {
  return `  - name: ${name}\n    base_url: ${sandbox.url}\n${more}`;
}

const isUp = (name: string) => (page: string) => page.includes(`uptime_up{account="${name}"} 1\n`);
/**
 * Excludes series that a refresh may remove meanwhile: the cause of an outage is a label that
 * becomes known later.
 */
const seriesOf = (samples: Samples, name: string) =>
  [...samples.keys()].filter(
    (sample) =>
      sample.includes(`{account="${name}"`) && !/^uptime_(?:exporter|recent_outage)_/.test(sample),
  );

test('accounts come, change and go under load: no scrape fails, and the others go on untouched', async () => {
  const [first, second] = [await aSandbox(1), await aSandbox(2)];
  const exporter = await Reloaded.start([account('first', first)]);
  await exporter.page(isUp('first'));
  const watch = new CounterWatch();
  const untouched = seriesOf(watch.scraped((await exporter.get('/metrics')).text), 'first');
  const statuses = new Set<number>();
  const missing = new Set<string>();
  let loaded = true;
  const load = Array.from({ length: 2 }, async () => {
    while (loaded) {
      const { statusCode, text } = await exporter.get('/metrics');
      statuses.add(statusCode);
      const samples = watch.scraped(text);
      for (const sample of untouched) if (!samples.has(sample)) missing.add(sample);
      await pause(20);
    }
  });

  await exporter.configure(configuration([account('first', first), account('second', second)]));
  expect(await exporter.reload()).toEqual({ statusCode: 200, text: 'reloaded\n' });
  const beforeChange = await exporter.page(isUp('second'));
  const listed = second.journal.countOfOperation('list_checks');

  const changed = account(
    'second',
    second,
    `    token: ${token}\n    datasets:\n      checks:\n        floor: 5m\n`,
  );
  await exporter.configure(configuration([changed, account('first', first)]));
  expect((await exporter.reload()).statusCode).toBe(200);
  const { text: afterChange } = await exporter.get('/metrics');
  expect(seriesOf(watch.scraped(afterChange), 'second')).toEqual(
    expect.arrayContaining(
      // What a list had beside the checks that are monitored is known with the next one.
      seriesOf(watch.scraped(beforeChange), 'second').filter(
        (series) => !series.startsWith('uptime_listed_checks'),
      ),
    ),
  );
  expect(second.journal.countOfOperation('list_checks')).toBe(listed);

  await exporter.configure('accounts: 7\n');
  expect((await exporter.reload()).statusCode).toBe(500);

  await exporter.configure(configuration([account('first', first)]));
  expect((await exporter.reload()).statusCode).toBe(200);
  const { text: afterRemoval } = await exporter.get('/metrics');
  const left = afterRemoval.split('\n').filter((line) => line.includes('account="second"'));
  const isOver = /^uptime_(?:check|transaction)_outage_open\{.*\} 0$/;
  expect(left.filter((line) => !isOver.test(line))).toEqual([
    'uptime_exporter_account_removed{account="second"} 1',
  ]);
  loaded = false;
  await Promise.all(load);

  expect([...statuses]).toEqual([200]);
  expect(watch.scrapes).toBeGreaterThan(10);
  expect(watch.backsteps).toEqual([]);
  expect([...missing]).toEqual([]);
  expect(
    exporter.log.match(/first refresh succeeded.*account=first.*dataset=checks/g),
  ).toHaveLength(1);
  expect(first.journal.countOfOperation('list_checks')).toBe(1);
});

test('a bad file changes nothing and is told of everywhere, until it is mended', async () => {
  const sandbox = await aSandbox(1);
  const exporter = await Reloaded.start([account('shop', sandbox)]);
  await exporter.page(isUp('shop'));
  const file = join(exporter.folder, 'uptime.yaml');
  const failure = `${file}:4:5: accounts[0].tokem is not known; did you mean token?`;

  await exporter.configure(
    configuration([account('shop', sandbox, `    tokem: ${token}\n    token: ${token}\n`)]),
  );
  const { statusCode, text } = await exporter.reload();

  expect({ statusCode, text }).toEqual({
    statusCode: 500,
    text: expect.stringContaining(
      `Configuration reload failed; keeping the current one:\n${file}:4:5: `,
    ),
  });
  expect(text).not.toContain(token);
  const { text: page } = await exporter.get('/metrics');
  expect(page).toContain(`${reloadSuccessful} 0\n`);
  expect(isUp('shop')(page)).toBe(true);
  expect(exporter.log).toMatch(/level=error msg="configuration reload failed/);
  expect((await exporter.get('/')).text).toContain('uptime.yaml:4:5');
  const json = JSON.parse((await exporter.get('/status.json')).text);
  expect(json.configuration.failure).toContain(`${file}:4:5`);
  expect(failure).toContain('tokem');

  await exporter.configure(configuration([account('shop', sandbox)]));
  exporter.hangUp();
  await exporter.until(/msg="configuration reloaded"/);
  await exporter.page((current) => current.includes(`${reloadSuccessful} 1\n`));
  expect((await exporter.get('/')).text).not.toContain('uptime.yaml:4:5');
});

test('a token that was rotated in its file is used at once, and neither is shown', async () => {
  const sandbox = await aSandbox(1);
  const wrong = 'a-token-that-was-revoked-0987654321';
  const accounts = [account('shop', sandbox, '    token_file: token\n')];
  const exporter = await Reloaded.start(accounts, { token: wrong });
  await exporter.page(() => sandbox.journal.countOfStatus(401) > 0);

  await writeFile(join(exporter.folder, 'token'), `${token}\n`);
  exporter.hangUp();
  await exporter.page(isUp('shop'));

  for (const path of ['/', '/config', '/metrics', '/status.json']) {
    const { text } = await exporter.get(path);
    expect(text).not.toContain(token);
    expect(text).not.toContain(wrong);
  }
  expect(exporter.log).not.toContain(token);
  expect(exporter.log).not.toContain(wrong);
});

test('other promoted labels are on every series after a reload', async () => {
  const sandbox = await aSandbox(1);
  const exporter = await Reloaded.start([account('shop', sandbox)]);
  await exporter.page(isUp('shop'));

  await exporter.configure(
    `labels:\n  promote:\n    - from: hostname\n${configuration([account('shop', sandbox)])}`,
  );
  await exporter.reload();

  const { text } = await exporter.get('/metrics');
  const up = text.split('\n').filter((line) => line.startsWith('uptime_check_up{'));
  expect(up).toHaveLength(5);
  for (const line of up) expect(line).toMatch(/,hostname="[^"]+"\} /);
});

test('what is served stays as it was, and the log shows what takes a restart', async () => {
  const sandbox = await aSandbox(1);
  const exporter = await Reloaded.start([account('shop', sandbox)]);
  const before = exporter.url;

  await exporter.configure(
    `web:\n  telemetry_path: /other\nlog:\n  level: debug\n${configuration([account('shop', sandbox)])}`,
  );
  await exporter.reload();

  expect((await exporter.get('/metrics')).statusCode).toBe(200);
  expect(exporter.url).toBe(before);
  expect(exporter.log).toMatch(/changed settings need a restart.*web\.telemetry_path.*log\.level/);
  expect((await exporter.get('/config')).text).toContain('telemetry_path: /metrics\n');
});

test('a reload is asked for with POST', async () => {
  const exporter = await Reloaded.start([account('shop', await aSandbox(1))]);

  const { statusCode, headers, text } = await exporter.get('/-/reload');

  expect({ statusCode, allow: headers.allow, text }).toEqual({
    statusCode: 405,
    allow: 'POST',
    text: 'Method not allowed: use POST.\n',
  });
});

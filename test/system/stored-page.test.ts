import { access, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Exporter } from '../../src/app/exporter.ts';
import { PageFile } from '../../src/app/page-file.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/running-sandbox.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { startExporter } from '../support/exporter-command.ts';
import {
  createSandboxExporter,
  sandboxAccount,
  sandboxToken,
  startVirtualSandbox,
} from '../support/sandbox-exporter.ts';
import { urlOf } from '../support/served-url.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** What a page says of the accounts: all but the exporter's own metrics. */
function ofAccounts(page: string): string {
  const own = /^(?:# (?:HELP|TYPE|UNIT) )?(?:uptime_exporter_|process_|nodejs_)/;
  return page
    .split('\n')
    .filter((line) => line !== '' && !own.test(line))
    .join('\n');
}

async function textOf(url: string): Promise<string> {
  const { body, statusCode } = await request(url);
  expect(statusCode).toBe(200);
  return body.text();
}

interface StartOptions {
  readonly configuration?: string;
  /** The state is read when it resolves. */
  readonly loading?: Promise<void>;
}

/** An exporter in virtual time, with a store on the disk. */
class DiskExporter {
  readonly clock: VirtualClock;
  readonly log: string[] = [];
  readonly folder: string;
  readonly #sandbox: RunningSandbox;
  #exporter: Exporter | undefined;
  #starting: Promise<unknown> = Promise.resolve();

  private constructor(clock: VirtualClock, folder: string, sandbox: RunningSandbox) {
    this.clock = clock;
    this.folder = folder;
    this.#sandbox = sandbox;
  }

  static async create(): Promise<DiskExporter> {
    const clock = new VirtualClock();
    const sandbox = await startVirtualSandbox(clock, { checks: 6, transactions: 1 });
    const created = new DiskExporter(clock, await temporaryFolder(), sandbox);
    onTestFinished(async () => {
      await created.stop();
      await sandbox.close();
    });
    return created;
  }

  get pagePath(): string {
    return join(this.folder, 'uptime.page');
  }

  async openStore(): Promise<Store> {
    return (await openSqliteStore({ path: this.folder, now: () => this.clock.now() })).store;
  }

  /** Starts it; `answered` is called when it listens, which may be before it has started. */
  async start({ configuration = 'labels: {}', loading }: StartOptions = {}): Promise<string> {
    this.log.length = 0;
    const write = (line: string) => this.log.push(line);
    const store = await this.openStore();
    const held: Store = {
      load: async (account) => {
        await loading;
        return store.load(account);
      },
      commit: (changes) => store.commit(changes),
      fingerprint: async () => (await store.fingerprint?.()) ?? '',
      close: () => store.close(),
    };
    this.#exporter = createSandboxExporter({
      accounts: [sandboxAccount(this.#sandbox)],
      store: held,
      pageFile: new PageFile(this.folder),
      configuration: {
        read: () => {
          throw new Error('not read again');
        },
        apply: () => [],
        shown: () => configuration,
      },
      clock: this.clock,
      write,
    });
    const starting = this.#exporter.start();
    this.#starting = starting;
    return starting;
  }

  async stop(): Promise<void> {
    const exporter = this.#exporter;
    this.#exporter = undefined;
    // As the command does: it stops when it has started.
    await this.#starting;
    await exporter?.stop();
  }

  /** Where it listens, as soon as it does. */
  async url(): Promise<string> {
    await expect.poll(() => this.log.join(''), { timeout: 10_000 }).toContain('serving metrics');
    return urlOf(this.log);
  }

  /** Starts it, lets it read the lists and stops it; what it showed last. */
  async live(): Promise<string> {
    const url = await this.start();
    await expect
      .poll(() => this.log.join(''), { timeout: 10_000 })
      .toMatch(/first refresh succeeded.*dataset=transactions/);
    let page = '';
    await expect
      .poll(
        async () => {
          const before = page;
          page = ofAccounts(await textOf(`${url}/metrics`));
          return page === before && page.includes('uptime_transaction');
        },
        { timeout: 10_000 },
      )
      .toBe(true);
    await this.stop();
    return page;
  }

  get notUsed(): string | undefined {
    return this.log.find((line) => line.includes('stored page'));
  }
}

/** A state that is read when `load` is called, with the end of the test at the latest. */
function holdLoading(): { readonly loading: Promise<void>; readonly load: () => void } {
  let load: () => void = () => undefined;
  const loading = new Promise<void>((resolve) => {
    load = resolve;
  });
  onTestFinished(() => load());
  return { loading, load: () => load() };
}

describe('after a graceful stop', () => {
  test('the former page is served before the state is read, byte for byte, and is gone from the disk', async () => {
    const exporter = await DiskExporter.create();
    const before = await exporter.live();
    expect((await stat(exporter.pagePath)).mode & 0o777).toBe(0o600);
    const { loading, load } = holdLoading();

    const started = exporter.start({ loading });
    const url = await exporter.url();
    const page = await textOf(`${url}/metrics`);
    const oneAccount = await textOf(`${url}/metrics?account=shop`);
    const ready = await request(`${url}/-/ready`);
    let status: string | undefined;
    const asked = textOf(`${url}/status.json`).then((text) => {
      status = text;
    });
    await textOf(`${url}/-/healthy`);

    expect(ofAccounts(page)).toBe(before);
    expect(page).toContain('uptime_exporter_build_info');
    expect(oneAccount.trim()).toBe(before);
    expect(ready.statusCode).toBe(200);
    expect(status).toBeUndefined();
    await expect(access(exporter.pagePath)).rejects.toThrow('ENOENT');

    load();
    await started;
    await asked;
    expect(JSON.parse(status ?? '').accounts).toHaveLength(1);
    expect(ofAccounts(await textOf(`${url}/metrics`))).toBe(before);
    expect(exporter.notUsed).toBeUndefined();
  });

  test('a page whose time passes before the state is read is not served any more', async () => {
    const exporter = await DiskExporter.create();
    await exporter.live();
    const { loading, load } = holdLoading();
    const started = exporter.start({ loading });
    const url = await exporter.url();
    await textOf(`${url}/metrics`);

    await exporter.clock.advance(3_600_000);
    let page: string | undefined;
    const scraped = textOf(`${url}/metrics`).then((text) => {
      page = text;
    });
    await textOf(`${url}/-/healthy`);
    expect((await request(`${url}/-/ready`)).statusCode).toBe(503);
    expect(page).toBeUndefined();

    load();
    await started;
    await scraped;
    expect(page).not.toMatch(/^uptime_check_status\{/m);
    expect(page).toMatch(/^uptime_check_state_seconds_total\{/m);
  });

  test.each([
    [-1, /level=info.*stored page not used.*reason="its time is over"/],
    [0, undefined],
    [58, undefined],
    [60, /level=info.*stored page not used.*reason="its time is over"/],
  ])(
    '%d seconds later it is used as long as nothing on it changes with the time',
    async (seconds, line) => {
      const exporter = await DiskExporter.create();
      await exporter.live();
      if (seconds < 0) exporter.clock.stepWall(1000 * seconds);
      else await exporter.clock.advance(1000 * seconds);

      await exporter.start();

      if (line === undefined) expect(exporter.notUsed).toBeUndefined();
      else expect(exporter.notUsed).toMatch(line);
    },
  );

  test('it is not used under another configuration', async () => {
    const exporter = await DiskExporter.create();
    await exporter.live();

    await exporter.start({ configuration: 'labels: {tags: [team]}' });

    expect(exporter.notUsed).toMatch(/level=info.*reason="of another configuration"/);
  });

  test('it is not used with a backup of the store', async () => {
    const exporter = await DiskExporter.create();
    await exporter.live();
    const backup = await readFile(join(exporter.folder, 'uptime.db'));
    await exporter.start();
    await expect
      .poll(
        async () => {
          await exporter.clock.advance(10_000);
          return exporter.log.join('');
        },
        { timeout: 10_000 },
      )
      .toMatch(/first refresh succeeded.*dataset=checks/);
    await exporter.stop();
    await writeFile(join(exporter.folder, 'uptime.db'), backup);

    await exporter.start();

    expect(exporter.notUsed).toMatch(/level=info.*reason="of another store"/);
  });

  test('it is not used when another program has written to the store since', async () => {
    const exporter = await DiskExporter.create();
    await exporter.live();
    const store = await exporter.openStore();
    await store.commit({ account: 'shop', documents: new Map([['another', 1]]) });
    await store.close();

    await exporter.start();

    expect(exporter.notUsed).toMatch(/level=info.*reason="of another store"/);
  });

  test.each([
    [
      'changed',
      (bytes: Buffer) =>
        bytes.fill(bytes[bytes.length >> 1] ? 0 : 1, bytes.length >> 1, (bytes.length >> 1) + 1),
    ],
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['empty', () => Buffer.alloc(0)],
  ])('a file that was %s is ignored, and the log says so', async (_what, damage) => {
    const exporter = await DiskExporter.create();
    const before = await exporter.live();
    await writeFile(exporter.pagePath, damage(await readFile(exporter.pagePath)));

    const url = await exporter.start();

    expect(exporter.notUsed).toMatch(/level=warn.*stored page cannot be used/);
    expect(ofAccounts(await textOf(`${url}/metrics`))).toBe(before);
    await expect(access(exporter.pagePath)).rejects.toThrow('ENOENT');
  });

  test('a page that cannot be stored, or removed, fails neither the stop nor the start', async () => {
    const exporter = await DiskExporter.create();
    await exporter.live();
    await rm(exporter.pagePath);
    await exporter.start();
    // A folder in its place can be neither written nor removed as a file.
    await mkdir(join(exporter.pagePath, 'x'), { recursive: true });

    await exporter.stop();
    expect(exporter.log.join('')).toMatch(
      /level=warn.*page not stored; the next start renders it anew/,
    );
    await exporter.start();
    expect(exporter.notUsed).toMatch(/level=warn.*stored page cannot be used/);
  });
});

test('the command shows the same counters at once after a stop, and nothing of that page after a kill', async () => {
  const folder = await temporaryFolder();
  const sandbox = await startSandbox({
    ...{ clock: systemClock, limitsClock: systemClock, host: '127.0.0.1', port: 0 },
    ...{ checks: 6, shortLimit: 100_000, longLimit: 18_000_000, token: sandboxToken },
  });
  onTestFinished(() => sandbox.close());
  const start = async () => {
    const child = startExporter([`--storage.path=${folder}`, '--web.listen-address=127.0.0.1:0'], {
      UPTIME_API_BASE_URL: sandbox.url,
      UPTIME_API_TOKEN: sandboxToken,
    });
    await child.until(/serving metrics/);
    return { child, url: urlOf([child.output()]) };
  };
  const countersOf = (page: string) => page.match(/^uptime_check_\w+_total\{.*$/gm) ?? [];
  const first = await start();
  await first.child.until(/first refresh succeeded.*dataset=checks/);
  await expect
    .poll(async () => countersOf(await textOf(`${first.url}/metrics`)).length, { timeout: 10_000 })
    .toBeGreaterThan(6);
  first.child.process.kill('SIGTERM');
  expect(await first.child.ended).toBe(0);
  const stored = await readFile(join(folder, 'uptime.page'));

  const second = await start();
  const shown = countersOf(await textOf(`${second.url}/metrics`));
  expect(second.child.output()).not.toContain('stored page');
  await expect(access(join(folder, 'uptime.page'))).rejects.toThrow('ENOENT');
  await expect
    .poll(async () => textOf(`${second.url}/metrics`), { timeout: 10_000 })
    .toMatch(/^uptime_exporter_store_writes_total ([2-9]|\d\d)/m);
  second.child.process.kill('SIGKILL');
  await second.child.ended;

  // Even if a power failure brought the file back: what was stored since is not on it.
  await writeFile(join(folder, 'uptime.page'), stored);
  const third = await start();
  expect(third.child.output()).toMatch(/stored page not used.*of another store/);
  const again = countersOf(await textOf(`${third.url}/metrics`));
  expect(shown.length).toBeGreaterThan(6);
  expect(again.length).toBeGreaterThanOrEqual(shown.length);
});

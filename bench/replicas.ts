import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/lib/clock.ts';
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts';
import type { Store, StoredItem } from '../src/store/store.ts';
import { Measured } from './process/measured.ts';
import type { ReplayCounts, ReplayOrder } from './process/replay-service.ts';
import { scrape } from './process/scrape.ts';
import { freePort, imageEnvironment, mainPath } from './process/serve.ts';

/**
 * What replicas over PostgreSQL cost: commits, the CPU of one exporter compared with SQLite, and
 * the time that three replicas need to spread 40 accounts of 500 checks. The database is on this
 * machine, its settings are the defaults. Prints Markdown.
 *
 *   npm run bench:replicas -- [--sections=commits,cpu,spread] [--minutes=3]
 */
const { values } = parseArgs({
  options: {
    sections: { type: 'string', default: 'commits,cpu,spread' },
    minutes: { type: 'string', default: '3' },
  },
});
const minutes = Number(values.minutes);
const accounts = 40;
const checksOfAccount = 500;
const ttlSeconds = 30;
const scrapeSeconds = 15;

interface LocalPostgres {
  startPostgres(): Promise<{ readonly url: string; stop(): Promise<void> }>;
}
const script = join(import.meta.dirname, '../../scripts/local-postgres.mjs');
const { startPostgres }: LocalPostgres = await import(pathToFileURL(script).href);

const [cpu] = cpus();
print(`${cpus().length} × ${cpu?.model.trim()}, Node.js ${process.version}, ${today()}\n`);
const sections = { commits, cpu: comparedCpu, spread };
for (const [name, measure] of Object.entries(sections)) {
  if (!values.sections.split(',').includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'bench-replicas-'));
  const database = await startPostgres();
  try {
    await measure(folder, database.url);
    print(`\nLoad of the machine: ${loadavg().map((load) => load.toFixed(1))}\n`);
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The time of a whole commit, its encoding included. */
async function commits(folder: string, url: string): Promise<void> {
  const checks = 25_000;
  const service = await startService(checks);
  // An exporter makes the records.
  const path = join(folder, 'data');
  const exporter = await serve(folder, service, { count: 1, storage: [`--storage.path=${path}`] });
  while ((await service.counts('all')).lists < 2) await setTimeout(500);
  await exporter.measured.quiet();
  await exporter.measured.end();
  await service.measured.end();
  const { store: sqlite } = await openSqliteStore({ path, now: Date.now });
  const { items } = await sqlite.load('account-0');
  const { store: postgres, database } = await openPostgresStore({
    url,
    clock: systemClock,
    owner: 'the bench',
    leaseTtlSeconds: 300,
  });
  await postgres.load('account-0');
  await postgres.commit({ account: 'account-0', items });
  print('| Commit | PostgreSQL | SQLite |\n| --- | --- | --- |\n');
  for (const [count, runs] of [
    [checks, 25],
    [1, 200],
  ] as const) {
    const some = new Map([...items.check].slice(0, count));
    const [first, second] = [
      await commitTimes(postgres, some, runs),
      await commitTimes(sqlite, some, runs),
    ];
    print(`| ${count} checks | ${first} | ${second} |\n`);
  }
  await postgres.close();
  await database.close();
  await sqlite.close();
}

/**
 * The median time, the least, and the CPU of this process, which depends less on a busy machine.
 */
async function commitTimes(
  store: Store,
  items: ReadonlyMap<number, StoredItem>,
  runs: number,
): Promise<string> {
  const times: number[] = [];
  let cpuMicroseconds = 0;
  for (let run = 0; run < runs; run++) {
    const changed = [...items].map(([id, item]) => [id, changedItem(item, run)] as const);
    const before = process.cpuUsage();
    const begin = performance.now();
    await store.commit({ account: 'account-0', items: { check: new Map(changed) } });
    times.push(performance.now() - begin);
    const { user, system } = process.cpuUsage(before);
    cpuMicroseconds += user + system;
  }
  const sorted = times.toSorted((a, b) => a - b).map((time) => time.toFixed(1));
  const cpuMilliseconds = (cpuMicroseconds / runs / 1000).toFixed(1);
  return `${sorted[Math.floor(sorted.length / 2)]} ms (least ${sorted[0]} ms, CPU ${cpuMilliseconds} ms)`;
}

/** Another time, which no record has. */
function changedItem(item: StoredItem, run: number): StoredItem {
  return { ...item, countFromSeconds: 1_700_000_000 + run };
}

/** Two exporters with the same accounts at the same time, so that the machine is equally busy. */
async function comparedCpu(folder: string, url: string): Promise<void> {
  const stores = {
    PostgreSQL: [`--storage.url=${url}`],
    SQLite: [`--storage.path=${join(folder, 'data')}`],
  };
  const running = await Promise.all(
    Object.entries(stores).map(async ([name, storage]) => {
      const service = await startService(checksOfAccount);
      await service.counts('all');
      const exporter = await serve(folder, service, { count: accounts, storage });
      return { name, service, exporter };
    }),
  );
  await setTimeout(60_000);
  const before = await Promise.all(running.map(({ exporter }) => exporter.measured.usage()));
  await scrapeFor(
    running.map(({ exporter }) => exporter),
    minutes * 60,
  );
  print(`| ${accounts} × ${checksOfAccount} checks | CPU a minute | Resident | Lists a minute |\n`);
  print('| --- | --- | --- | --- |\n');
  for (const [at, { name, service, exporter }] of running.entries()) {
    const usage = await exporter.measured.usage();
    const cpuMilliseconds = usage.cpuMilliseconds - (before[at]?.cpuMilliseconds ?? 0);
    const { lists } = await service.counts('all');
    print(
      `| ${name} | ${Math.round(cpuMilliseconds / minutes)} ms | ${Math.round(usage.residentMegabytes)} MB | ` +
        `${Math.round(lists / (minutes + 1))} |\n`,
    );
    await exporter.measured.end();
    await service.measured.end();
  }
}

/** Three replicas: the first spread, one killed, and started again. */
async function spread(folder: string, url: string): Promise<void> {
  const service = await startService(checksOfAccount);
  await service.counts('all');
  const storage = [`--storage.url=${url}`, `--storage.lease-ttl=${ttlSeconds}s`];
  const start = () => serve(folder, service, { count: accounts, storage });
  const begin = performance.now();
  const replicas = [await start(), await start(), await start()];
  print(`Time to live of a lease: ${ttlSeconds} s\n\n`);
  print('| Step | Time | Requests meanwhile |\n| --- | --- | --- |\n');
  let [last, requests] = [begin, 0];
  const step = async (what: string, most: number): Promise<void> => {
    await until(async () => {
      const counts = await heldBy(replicas);
      return Math.max(...counts) <= most && sum(counts) === accounts;
    });
    const { lists, others } = await service.counts('all');
    const seconds = ((performance.now() - last) / 1000).toFixed(1);
    print(`| ${what} | ${seconds} s | ${lists + others - requests} |\n`);
    [last, requests] = [performance.now(), lists + others];
  };
  const share = Math.ceil(accounts / replicas.length);
  await step('three start: every account has an owner', accounts);
  await step(`each has at most ${share} accounts`, share);
  const before = await Promise.all(replicas.map(({ measured }) => measured.usage()));
  await scrapeFor(replicas, minutes * 60);
  const { lists, others } = await service.counts('all');
  const usual = Math.round((lists + others - requests) / minutes);
  const after = await Promise.all(replicas.map(({ measured }) => measured.usage()));
  const counts = await heldBy(replicas);
  [last, requests] = [performance.now(), lists + others];
  await replicas[1]?.measured.end('SIGKILL');
  await step('one is killed: every account has an owner again', accounts);
  replicas[1] = await start();
  last = performance.now();
  await step(`it starts again: each has at most ${share} accounts`, share);
  await replicas[2]?.measured.end('SIGTERM');
  await step('one ends: every account has an owner', accounts);
  print(`\nRequests a minute while nothing moves: ${usual}\n\n`);
  print('| Replica | Accounts | CPU a minute | Resident |\n| --- | --- | --- | --- |\n');
  for (const [at, usage] of after.entries()) {
    const used = usage.cpuMilliseconds - (before[at]?.cpuMilliseconds ?? 0);
    print(
      `| ${at + 1} | ${counts[at]} | ${Math.round(used / minutes)} ms | ${Math.round(usage.residentMegabytes)} MB |\n`,
    );
  }
  for (const { measured } of replicas) await measured.end();
  await service.measured.end();
}

async function startService(checks: number) {
  const replay = join(import.meta.dirname, 'process/replay-service.js');
  const measured = new Measured({ script: replay, arguments: [String(checks)] });
  const { port } = await measured.ready();
  const counts = (difference: ReplayOrder['difference']) =>
    measured.tell<ReplayCounts>({ difference, limit: 11_600 } satisfies ReplayOrder);
  return { measured, port, counts };
}

interface Served {
  readonly measured: Measured;
  readonly port: number;
}

async function serve(
  folder: string,
  service: { readonly port: number },
  { count, storage }: { readonly count: number; readonly storage: readonly string[] },
): Promise<Served> {
  const config = join(folder, `uptime-${service.port}.yaml`);
  const list = Array.from({ length: count }, (_, index) => ({
    name: `account-${index}`,
    base_url: `http://127.0.0.1:${service.port}/${index}`,
    token: 'token-of-the-bench',
  }));
  writeFileSync(config, JSON.stringify({ accounts: list }));
  const port = await freePort();
  const listen = `--web.listen-address=127.0.0.1:${port}`;
  const args = ['serve', `--config.file=${config}`, ...storage, listen, '--log.level=error'];
  return {
    measured: new Measured({ script: mainPath, arguments: args, env: imageEnvironment }),
    port,
  };
}

/** The number of accounts that each replica owns; 0 if it does not respond. */
function heldBy(replicas: readonly Served[]): Promise<number[]> {
  return Promise.all(
    replicas.map(async ({ port }) => {
      let text = '';
      const read = (chunk: Buffer) => (text += chunk.toString());
      await scrape(port, 'identity', read, '?dataset=exporter').catch(() => undefined);
      return text.match(/^uptime_exporter_lease_held\{.*\} 1$/gm)?.length ?? 0;
    }),
  );
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    if (await isReached()) return;
    await setTimeout(200);
  }
  throw new Error('it takes more than ten minutes');
}

async function scrapeFor(exporters: readonly Served[], seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += scrapeSeconds) {
    await setTimeout(scrapeSeconds * 1000);
    await Promise.all(exporters.map(({ port }) => scrape(port, 'gzip').catch(() => undefined)));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function print(text: string): void {
  process.stdout.write(text);
}

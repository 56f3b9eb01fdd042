import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { Samples } from '../../support/counter-watch.ts';
import { freePort } from '../../support/free-port.ts';
import { accountToken, concurrency, type SandboxAccount, startAccount } from './accounts.ts';
import { Link } from './link.ts';
import { PostgresPair } from './postgres-pair.ts';
import { type LogLine, ReplicaProcess } from './replica.ts';
import { ScrapeUnion } from './scrape-union.ts';

const root = join(import.meta.dirname, '..', '..', '..');
export const builtExporter = join(root, 'dist', 'main.js');
const scrapeMilliseconds = 150;
/** As a Prometheus gives up a scrape. */
const scrapeTimeoutMilliseconds = 1_500;
/** An exporter that ends may have to wait for a database that is away. */
const endMilliseconds = 40_000;
/** A busy machine answers as late as ever, while the time of the exporters runs faster. */
const patience = { connect: '1m', headers: '2m', body: '2m', total: '2m' };

interface LabOptions {
  readonly main?: string;
  readonly replicas?: number;
  readonly accounts?: number;
  /** How much faster than ours the time of the exporters and of the service runs. */
  readonly speed?: number;
  /** The time to live of a lease, in seconds of our time. */
  readonly ttlSeconds?: number;
  readonly seed?: number;
  /** The exporters are told that the standby is synchronous. */
  readonly isStandbyPromised?: boolean;
}

/** A replica and its ways to everything else. */
export interface LabReplica {
  readonly process: ReplicaProcess;
  readonly database: Link;
  /** The latest page, and when its scrape began. */
  latest: { readonly at: number; readonly samples: Samples } | undefined;
}

/**
 * A time during which an account was not served by any replica. Milliseconds since the start of the
 * lab.
 */
interface Gap {
  readonly account: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Exporters that share accounts over two database servers, each behind links that can fail, and all
 * who watch them.
 */
export class Lab {
  readonly startedAt = performance.now();
  readonly speed: number;
  readonly ttlMilliseconds: number;
  readonly marginMilliseconds: number;
  readonly pair: PostgresPair;
  readonly union = new ScrapeUnion();
  readonly events: string[] = [];
  readonly gaps: Gap[] = [];
  /** Problems that were seen while the lab ran. */
  readonly problems: string[] = [];
  /** How often totals could begin again. */
  resets = 0;
  takes = 0;
  replicas: LabReplica[] = [];
  accounts: SandboxAccount[] = [];
  readonly #options: LabOptions;
  readonly #folder: string;
  readonly #served = new Map<string, number>();
  readonly #scraping = new AbortController();
  #scrapers: Promise<void>[] = [];
  #late: ReadonlySet<LabReplica> = new Set();

  private constructor(options: LabOptions, pair: PostgresPair, folder: string) {
    this.#options = options;
    this.speed = options.speed ?? 10;
    this.ttlMilliseconds = (options.ttlSeconds ?? 6) * 1_000;
    this.marginMilliseconds = this.ttlMilliseconds / 6;
    this.pair = pair;
    this.#folder = folder;
  }

  /** Resolves when the exporters run, not when they have accounts. */
  static async start(options: LabOptions = {}): Promise<Lab> {
    const pair = await PostgresPair.start();
    const lab = new Lab(options, pair, await mkdtemp(join(tmpdir(), 'uptime-lab-')));
    try {
      await lab.#begin();
    } catch (error) {
      await lab.stop();
      throw error;
    }
    return lab;
  }

  /** Milliseconds since the start. */
  get now(): number {
    return performance.now() - this.startedAt;
  }

  /** Seconds since the start, of a monotonic time of the tests. */
  timeOf(at: number): string {
    return ((at - this.startedAt) / 1000).toFixed(2).padStart(7);
  }

  note(event: string): void {
    const line = `${this.timeOf(performance.now())} ${event}`;
    this.events.push(line);
    if (process.env.VERBOSE !== undefined) process.stderr.write(`${line}\n`);
  }

  replica(name: string): LabReplica {
    const found = this.replicas.find(({ process }) => process.name === name);
    if (found === undefined) throw new Error(`there is no replica ${name}`);
    return found;
  }

  account(name: string): SandboxAccount {
    const found = this.accounts.find((account) => account.name === name);
    if (found === undefined) throw new Error(`there is no account ${name}`);
    return found;
  }

  /** The replicas whose latest page serves the account. */
  serversOf(account: string): LabReplica[] {
    return this.replicas.filter(({ latest }) => serves(latest?.samples, account));
  }

  /** The replica that serves the account alone; waits for it. */
  async holderOf(account: string, timeoutMilliseconds = 120_000): Promise<LabReplica> {
    const [holder] = await this.until(
      `a holder of ${account}`,
      () => this.serversOf(account).filter(({ process }) => process.isRunning),
      (servers) => servers.length === 1,
      timeoutMilliseconds,
    );
    if (holder === undefined) throw new Error('impossible');
    return holder;
  }

  async until<T>(
    what: string,
    look: () => T,
    isRight: (seen: T) => boolean,
    timeoutMilliseconds = 120_000,
  ): Promise<T> {
    const deadline = performance.now() + timeoutMilliseconds;
    for (;;) {
      const seen = look();
      if (isRight(seen)) return seen;
      if (performance.now() > deadline) {
        throw new Error(`waited ${timeoutMilliseconds / 1000} s for ${what}; ${this.evidence()}`);
      }
      await delay(50);
    }
  }

  /** Puts a dump over the database: totals may begin again at 0. */
  async restore(dump: () => Promise<void>): Promise<void> {
    this.allowReset();
    await dump();
  }

  /** From now on totals may begin again at 0, once. */
  allowReset(): void {
    const at = performance.now();
    this.resets += 1;
    // A counter counts seconds, and everything else more slowly.
    this.union.allowReset(at, (end) => ((end - at) / 1000) * this.speed + 60);
  }

  /** The standby is promoted while the former primary runs; some replicas hear of it later. */
  async failOverLate(late: ReadonlySet<LabReplica>, meanwhile: () => Promise<void>): Promise<void> {
    this.#late = late;
    await this.pair.failOver(async () => {
      await meanwhile();
      this.#late = new Set();
      for (const { database } of late) database.leadTo(this.pair.port);
    });
  }

  /** Ends a replica in good order. */
  async terminate(replica: LabReplica): Promise<void> {
    const { process } = replica;
    if (!process.isRunning) return;
    const isStarting = replica.latest === undefined;
    const ended = process.terminate();
    const how = await Promise.race([ended, delay(endMilliseconds, 'nothing', { ref: false })]);
    // While it loads its modules, the signal ends it at once.
    if (how === 0 || (isStarting && how === 'SIGTERM')) return;
    this.problems.push(
      `${this.timeOf(performance.now())}: ${process.name} ended with ${how} when it was asked to`,
    );
    await process.kill();
  }

  /** Everything works again. */
  async heal(): Promise<void> {
    this.pair.resumeStandby();
    for (const { process, database } of this.replicas) {
      database.heal();
      for (const { links } of this.accounts) links.get(process.name)?.heal({ isLost: true });
      process.resume();
      await process.setRight();
      process.start();
    }
    this.note('all is healed');
  }

  /** The last events and lines, for a person. */
  evidence(lines = 60): string {
    const logs = this.replicas.map(
      ({ process }) =>
        `--- ${process.name}\n${process.lines
          .slice(-lines)
          .map(({ at, text }) => `${this.timeOf(at)} ${text}`)
          .join('\n')}`,
    );
    return `events:\n${this.events.join('\n')}\n${logs.join('\n')}`;
  }

  async stop(): Promise<void> {
    this.#scraping.abort();
    await Promise.all(this.#scrapers);
    await Promise.all(this.replicas.map(({ process }) => process.end()));
    await Promise.all(this.replicas.map(({ database }) => database.close()));
    await Promise.all(this.accounts.map((account) => account.close()));
    await this.pair.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Ends the scrapers, so that their findings are complete. */
  async stopScraping(): Promise<void> {
    this.#scraping.abort();
    await Promise.all(this.#scrapers);
  }

  async #begin(): Promise<void> {
    const { pair, speed } = this;
    const { main = builtExporter, replicas = 3, accounts = 4, seed = 1 } = this.#options;
    const { isStandbyPromised = true } = this.#options;
    const since = Date.now();
    const names = Array.from({ length: replicas }, (_, place) => `r${place + 1}`);
    for (let place = 0; place < accounts; place++) {
      const name = `account${place + 1}`;
      const isTight = place === 0 && accounts > 1;
      this.accounts.push(await startAccount(name, names, { speed, seed: seed + place, isTight }));
    }
    for (const name of names) {
      const database = await Link.to(pair.port);
      const process = new ReplicaProcess(
        {
          name,
          main,
          speed,
          since,
          port: await freePort(),
          flags: [
            `--config.file=${await this.configure(name)}`,
            `--storage.url=${pair.urlAt(database.port)}`,
            '--log.level=debug',
            `--storage.lease-ttl=${Math.round((this.ttlMilliseconds * speed) / 1000)}s`,
            ...(isStandbyPromised ? ['--storage.synchronous-standby'] : []),
          ],
        },
        (line) => this.#read(name, line),
      );
      this.replicas.push({ process, database, latest: undefined });
    }
    pair.onFailover(() => {
      for (const replica of this.replicas) {
        if (!this.#late.has(replica)) replica.database.leadTo(pair.port);
      }
    });
    for (const replica of this.replicas) {
      replica.process.start();
      this.#scrapers.push(this.#scrape(replica));
    }
  }

  /** The configuration of a replica without some of the accounts. */
  async configure(replica: string, without: readonly SandboxAccount[] = []): Promise<string> {
    const configured = this.accounts.filter((account) => !without.includes(account));
    const accounts = configured.map(({ name, links }) => ({
      name,
      token: accountToken,
      concurrency,
      timeouts: patience,
      base_url: `http://127.0.0.1:${links.get(replica)?.port}`,
    }));
    const file = join(this.#folder, `${replica}.yaml`);
    await writeFile(file, JSON.stringify({ accounts }));
    return file;
  }

  async #scrape(replica: LabReplica): Promise<void> {
    const { signal } = this.#scraping;
    const { name, url } = replica.process;
    while (!signal.aborted) {
      await delay(scrapeMilliseconds, undefined, { signal }).catch(() => {});
      const begin = performance.now();
      try {
        const timeout = AbortSignal.timeout(scrapeTimeoutMilliseconds);
        const { body } = await request(`${url}/metrics`, {
          signal: AbortSignal.any([signal, timeout]),
        });
        const page = await body.text();
        const end = performance.now();
        const samples = this.union.add({ replica: name, begin, end, page });
        replica.latest = { at: begin, samples };
        this.#see(samples, end);
      } catch {
        // It is down, stopped or slow.
        replica.latest = undefined;
      }
    }
  }

  #see(samples: Samples, at: number): void {
    for (const { name } of this.accounts) {
      if (!serves(samples, name)) continue;
      const before = this.#served.get(name);
      if (before !== undefined && at - before > 2_000) {
        this.gaps.push({
          account: name,
          from: before - this.startedAt,
          to: at - this.startedAt,
        });
      }
      this.#served.set(name, at);
    }
  }

  #read(replica: string, { text }: LogLine): void {
    const [, what, account] =
      /msg="account (taken|released|lost)".* account=(\S+)/.exec(text) ?? [];
    if (what === undefined || account === undefined) return;
    this.note(`${replica}: ${account} ${what}`);
    if (what === 'taken') this.takes += 1;
  }
}

/** Whether a page has the families of an account. */
export function serves(samples: Samples | undefined, account: string): boolean {
  return samples?.has(`uptime_up{account="${account}"}`) === true;
}

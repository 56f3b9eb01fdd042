import type { SandboxCheck } from '../../sandbox/src/account/checks.ts';
import { changedTransaction } from '../../sandbox/src/account/transactions.ts';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import { testingOf } from '../../sandbox/src/simulation/monitored-check.ts';
import type { Wire } from '../../sandbox/src/wire.ts';
import type { ReadRequest } from '../../src/api/reader.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import type { ApiVersion } from '../../src/domain/version.ts';
import type { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { codeOf } from '../../src/lib/error-text.ts';
import { present } from '../../src/lib/present.ts';
import { hashUnit } from '../../src/lib/random.ts';
import type { DatasetChoices } from '../../src/schedule/demand.ts';
import type { SloPolicy } from '../../src/slo/groups.ts';
import type { MemoryRows } from '../../src/store/memory-store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import type { ZoneSince } from './month-calendar.ts';
import { World } from './world.ts';

const minute = 60;
const hour = 60 * minute;
const day = 86_400;
/** A state is known from so long before first sight, less what passes meanwhile. */
export const readBack = 34 * day;
/** The last hours of a check that leaves may not have been counted. */
export const mayNotBeCounted = 2 * hour;
/** What was counted of an item that left is kept for so long. */
const totalsKept = 7 * day;

/** One event of a life; `at` and `minutes` are minutes, `check` is a place in the list of checks. */
export type LifeEvent =
  | {
      readonly kind: 'down' | 'unknown' | 'up';
      at: number;
      check: number;
      minutes: number;
      /** `check` is a place in the list of transactions. */
      readonly isOfTransaction?: boolean | undefined;
    }
  | { readonly kind: 'pause' | 'faster' | 'slower'; at: number; check: number; minutes: number }
  | { readonly kind: 'remove' | 'return'; at: number; check: number }
  | { readonly kind: 'rename'; at: number; check: number; readonly name?: string | undefined }
  | { readonly kind: 'tag'; at: number; check: number; readonly tag: string }
  /** The configuration excludes a check for a while, after a reload or a restart. */
  | { readonly kind: 'exclude'; at: number; check: number; minutes: number; restarts: boolean }
  | { readonly kind: 'create'; at: number }
  /** The check is tested at another interval from now on. */
  | { readonly kind: 'resolution'; at: number; check: number; readonly to: number }
  /** A transaction runs at another interval, or is switched on or off. */
  | { readonly kind: 'interval'; at: number; transaction: number; readonly to: TransactionInterval }
  | { readonly kind: 'switch'; at: number; transaction: number }
  /** Created at `at`; begins later and lasts for some time. */
  | { readonly kind: 'maintenance'; at: number; check: number; begins: number; minutes: number }
  /** The latest window lasts for this long, or is removed. */
  | { readonly kind: 'edit'; at: number; minutes: number }
  | { readonly kind: 'cancel'; at: number }
  | {
      readonly kind: 'fault';
      at: number;
      minutes: number;
      readonly fault: FaultName;
      readonly operation?: string | undefined;
    }
  | { readonly kind: 'full' | 'away' | 'crash'; at: number; minutes: number }
  /** The process is killed during the commit with this number, before or after it is durable. */
  | {
      readonly kind: 'doom';
      at: number;
      minutes: number;
      commits: number;
      /** `late`: after the disk has held it up, so that it is not durable. */
      durable: boolean | 'late';
    }
  | { readonly kind: 'reload' | 'drought'; at: number }
  /** The data on the disk are copied; later the exporter is away, and gets the last copy. */
  | { readonly kind: 'copy'; at: number }
  | { readonly kind: 'restore'; at: number; minutes: number }
  /** A reload changes the time zone in which months begin. */
  | { readonly kind: 'zone'; at: number; readonly zone: string }
  /** The clock of the machine, or of the service, steps. */
  | { readonly kind: 'step' | 'service-step'; at: number; readonly seconds: number };

export type TransactionInterval = 5 | 10 | 20 | 60 | 720 | 1440;

export interface Script {
  readonly seed?: number;
  readonly checks?: number;
  /** By default none. */
  readonly transactions?: number;
  /** The seed decides what else happens to checks, and their maintenance; by default nothing does. */
  readonly isNatural?: boolean;
  /** Of the API; by default 3.1. */
  readonly version?: ApiVersion;
  /** Minutes; by default until 20 minutes after the last event. */
  readonly minutes?: number;
  readonly wire?: Partial<Wire>;
  /** Requests in an hour and in 30 days. */
  readonly limits?: readonly [short: number, long: number];
  /** The time at which the life begins; UNIX seconds. */
  readonly begin?: number;
  /** In which months begin and end; by default UTC. */
  readonly zone?: string;
  /** The age of the checks in days; by default 40. */
  readonly age?: number;
  /** A second account has the same token. */
  readonly hasTwin?: boolean;
  readonly datasets?: DatasetChoices;
  /** The families of `/metrics`; by default all. */
  readonly served?: ServedFamilies;
  readonly slo?: SloPolicy;
  /** Everything that happens is noted. */
  readonly notesEvents?: boolean;
  readonly events: readonly LifeEvent[];
}

/** An outage, or a time of unknown results. */
export const down = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'down',
  at,
  check,
  minutes,
});
export const unknown = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'unknown',
  at,
  check,
  minutes,
});
export const pause = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'pause',
  at,
  check,
  minutes,
});
/** The check is tested every minute, or every 15 minutes, for a while. */
export const faster = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'faster',
  at,
  check,
  minutes,
});
export const slower = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'slower',
  at,
  check,
  minutes,
});
export const rename = (check: number, at: number, name?: string): LifeEvent => ({
  kind: 'rename',
  at,
  check,
  name,
});
export const tag = (check: number, at: number, name: string): LifeEvent => ({
  kind: 'tag',
  at,
  check,
  tag: name,
});
export const exclude = (
  check: number,
  at: number,
  minutes: number,
  restarts = false,
): LifeEvent => ({ kind: 'exclude', at, check, minutes, restarts });
export const create = (at: number): LifeEvent => ({ kind: 'create', at });
/** A deleted check is listed again. */
export const comeBack = (check: number, at: number): LifeEvent => ({ kind: 'return', at, check });
export const copy = (at: number): LifeEvent => ({ kind: 'copy', at });
export const restore = (at: number, minutes: number): LifeEvent => ({
  kind: 'restore',
  at,
  minutes,
});
export const zone = (at: number, name: string): LifeEvent => ({ kind: 'zone', at, zone: name });
export const serviceStep = (at: number, seconds: number): LifeEvent => ({
  kind: 'service-step',
  at,
  seconds,
});
export const remove = (check: number, at: number): LifeEvent => ({ kind: 'remove', at, check });
export const maintenance = (
  check: number,
  at: number,
  begins: number,
  minutes: number,
): LifeEvent => ({ kind: 'maintenance', at, check, begins, minutes });
export const edit = (at: number, minutes: number): LifeEvent => ({ kind: 'edit', at, minutes });
export const cancel = (at: number): LifeEvent => ({ kind: 'cancel', at });
export const fault = (
  name: FaultName,
  at: number,
  minutes: number,
  operation?: string,
): LifeEvent => ({ kind: 'fault', at, minutes, fault: name, operation });
export const full = (at: number, minutes: number): LifeEvent => ({ kind: 'full', at, minutes });
export const away = (at: number, minutes: number): LifeEvent => ({ kind: 'away', at, minutes });
/** Kills the process during a commit that a slow disk has held up. */
export const heldUp = (at: number, commits: number, minutes: number): LifeEvent => ({
  kind: 'doom',
  at,
  commits,
  durable: 'late',
  minutes,
});
export const crash = (at: number, minutes: number): LifeEvent => ({ kind: 'crash', at, minutes });
export const doom = (
  at: number,
  commits: number,
  durable: boolean,
  minutes: number,
): LifeEvent => ({ kind: 'doom', at, commits, durable, minutes });
export const reload = (at: number): LifeEvent => ({ kind: 'reload', at });
export const drought = (at: number): LifeEvent => ({ kind: 'drought', at });
export const step = (at: number, seconds: number): LifeEvent => ({ kind: 'step', at, seconds });

/** The result of a played script. */
export interface Played<W extends Watcher = Watcher> {
  readonly watcher: W;
  /** Each promise that was broken, with the time. */
  readonly broken: readonly string[];
  readonly requests: number;
  /** Everything that happened, if the script asks for it. */
  readonly events: readonly string[];
}

/** No script damages a stored item. */
const lostRecord = /"stored record lost.* kind=(?:check|transaction) /;

/** Not a whole second, because clocks of machines have none. */
const startFraction = 437;
/** How long a slow disk holds up the last commit of a process. */
const heldUpSeconds = 10 * minute;
const usualBegin = Date.UTC(2026, 0, 5, 12) / 1000;
const resolutions = [1, 1, 5, 1, 15];

/** Sees everything that happens in a life, and notes each promise that is broken. */
export interface Watcher {
  readonly broken: readonly string[];
  /** Enough promises are broken. */
  readonly isOver: boolean;
  /** The exporter wants to send a request. */
  asked(request: ReadRequest): void;
  /** The exporter has read a response. */
  read(request: ReadRequest, body: unknown): void;
  /** The process has ended: its last lists may be lost. */
  ended(): void;
  /** The maintenance of the account is about to change; a window may be deleted. */
  maintenanceChanges(deletedWindow: number | undefined): void;
  /** The exporter has logged a line. */
  logged?(line: string): void;
  /** The data on the disk are those of an earlier time, in UNIX seconds. */
  restored?(at: number): void;
  /** The exporter runs. Called after each event, and every few minutes. */
  check(): Promise<void>;
  /** When nothing is owed any more. */
  checkAtEnd(): Promise<void>;
}

/** Plays a script. */
export async function play<W extends Watcher>(
  script: Script,
  watcherOf: (life: Life) => W,
): Promise<Played<W>> {
  const life = new Life(script);
  const checker = watcherOf(life);
  life.watchedBy(checker);
  await life.start();
  for (const event of script.events) life.plan(event);
  const end = life.begin + life.minutes * minute;
  for (let draws = 0; life.now < end && !checker.isOver; draws++) {
    const pace = 60 + Math.floor(hashUnit(life.seed, 5, draws) * 600);
    await life.pass(Math.min(end, life.nextAction ?? end, life.now + pace) - life.now);
    await life.act();
    if (life.world.running) await checker.check();
  }
  if (!checker.isOver) {
    await life.settle();
    await checker.checkAtEnd();
  }
  await life.end();
  const { sandbox, events } = life.world;
  const broken = [...checker.broken, ...life.lost];
  return { watcher: checker, broken, requests: sandbox.journal.total, events: events?.lines ?? [] };
}

interface UnwatchedTime {
  /** Absent for all checks. */
  readonly id?: number;
  readonly from: number;
  to: number;
}

interface Action {
  readonly at: number;
  readonly act: () => Promise<void>;
}

/** The world of a script, and what has been done to it. */
export class Life {
  readonly world: World;
  readonly seed: number;
  readonly minutes: number;
  readonly script: Script;
  /** UNIX seconds. */
  readonly begin: number;
  /** The last change of the maintenance windows, in UNIX seconds. */
  maintenanceChangedAt = Number.NEGATIVE_INFINITY;
  /** Also of checks that were created later, or deleted. */
  readonly ids: number[];
  /** Time of which the exporter may lack the states of a check, or of all. */
  readonly unwatched: UnwatchedTime[] = [];
  readonly zones: ZoneSince[];
  /** The exporter's log lines about stored items that it could not read. */
  readonly lost: string[] = [];
  #checker: Watcher | undefined;
  /** Commits until the process is killed. */
  #doom = Number.POSITIVE_INFINITY;
  #durable: boolean | 'late' = false;
  #awayMinutes = 0;
  /** A slow disk holds up a commit. */
  #isHeldUp = false;
  /** The exporter is down, and starts again later. */
  #isAway = false;
  #awaySince = 0;
  readonly #returned: UnwatchedTime[] = [];
  readonly #included: UnwatchedTime[] = [];
  /** What will be done, in order. */
  #actions: readonly Action[] = [];
  /** UNIX seconds. */
  #spentUntil = 0;
  #renames = 0;
  #concurrency: number | undefined;
  readonly #excluded = new Set<number>();
  readonly #deleted = new Map<number, SandboxCheck>();
  #copy: { readonly at: number; readonly rows: MemoryRows } | undefined;

  constructor(script: Script) {
    const { seed = 1, checks = 5, wire = {}, limits = [400, 72_000], events } = script;
    const { begin = usualBegin, zone: timeZone, datasets, slo, served, notesEvents } = script;
    this.script = script;
    this.zones = [{ since: 0, zone: timeZone ?? 'UTC' }];
    this.seed = seed;
    const ends = events.map((event) => event.at + ('minutes' in event ? event.minutes : 0));
    this.minutes = script.minutes ?? Math.max(0, ...ends) + 20;
    this.world = World.inMemory({
      seed,
      checks,
      transactions: script.transactions ?? 0,
      wire,
      onLog: (line) => {
        if (lostRecord.test(line)) this.lost.push(line);
        this.#checker?.logged?.(line);
      },
      startMilliseconds: 1000 * begin + startFraction,
      ...present({ timeZone, datasets, slo, served, notesEvents }),
      shortLimit: limits[0],
      longLimit: limits[1],
      moments: {
        before: async () => {
          if (!this.#isDoomed() || this.#durable === true) return 'go on';
          if (this.#durable === 'late') await this.#holdUp();
          return 'crash';
        },
        after: async () => (this.#doom <= 0 && this.#durable === true ? 'crash' : 'go on'),
      },
      onRequest: (request) => this.#checker?.asked(request),
      onRead: (request, body) => this.#checker?.read(request, body),
    });
    this.begin = this.world.now;
    this.ids = this.world.sandbox.world.checks.map(({ id }) => id);
    this.#plant();
  }

  watchedBy(checker: Watcher): void {
    this.#checker = checker;
  }

  isExcluded(id: number): boolean {
    return this.#excluded.has(id);
  }

  /** UNIX seconds of a clock that is right. */
  get now(): number {
    return this.begin + Math.floor((this.world.clock.monotonic() + startFraction) / 1000);
  }

  async start(): Promise<void> {
    await this.world.start(...this.#accounts());
  }

  #accounts(): readonly [Partial<AccountSettings>, ...Partial<AccountSettings>[]] {
    const excluded = new Set(this.#excluded);
    const account: Partial<AccountSettings> = {
      ...accountsByVersion[this.script.version ?? '3.1'],
      ...present({ concurrency: this.#concurrency }),
      ...(excluded.size > 0 && { filter: ({ id }) => !excluded.has(id) }),
    };
    return this.script.hasTwin ? [account, { ...account, name: 'twin' }] : [account];
  }

  plan(event: LifeEvent): void {
    for (const action of this.#actionsOf(event)) this.#later(action);
  }

  #later(action: Action): void {
    this.#actions = [...this.#actions, action].sort((a, b) => a.at - b.at);
  }

  /** UNIX seconds; undefined if there is none. */
  get nextAction(): number | undefined {
    return this.#actions[0]?.at;
  }

  /** Does what is due. */
  async act(): Promise<void> {
    for (;;) {
      const [next, ...rest] = this.#actions;
      if (next === undefined || next.at > this.now) return;
      this.#actions = rest;
      await next.act();
    }
  }

  /** Advances. A process that was killed meanwhile starts again some minutes later. */
  async pass(seconds: number): Promise<void> {
    await this.world.pass(Math.max(1, seconds));
    if (this.world.running || this.#isAway) return;
    this.#doom = Number.POSITIVE_INFINITY;
    await this.#down(() => this.world.crash(), this.#awayMinutes);
  }

  /** All faults end; then all that is owed is read. */
  async settle(): Promise<void> {
    this.world.sandbox.faults.clear();
    this.world.disk.failWith(undefined);
    this.#doom = Number.POSITIVE_INFINITY;
    this.#actions = [];
    this.#isAway = false;
    if (!this.world.running) await this.start();
    const spentSeconds = Math.max(0, this.#spentUntil - this.world.now);
    await this.world.pass(spentSeconds + 40 * minute);
    if (this.world.running) return;
    // A commit was held up when the faults ended, and its process was killed after it.
    await this.world.crash();
    await this.start();
    await this.world.pass(40 * minute);
  }

  #actionsOf(event: LifeEvent): Action[] {
    const { sandbox, disk, machineClock, serviceClock } = this.world;
    const at = this.begin + Math.round(event.at * minute);
    const later = 'minutes' in event ? at + Math.round(event.minutes * minute) : at;
    const act = (run: () => unknown, when = at): Action => ({
      at: when,
      act: async () => {
        await run();
      },
    });
    const id = 'check' in event ? this.#idOf(event.check) : 0;
    const change = (body: object) =>
      sandbox.world.check(id) === undefined
        ? undefined
        : this.#change('PUT', `/checks/${id}`, body);
    switch (event.kind) {
      case 'down':
      case 'unknown':
      case 'up':
        return [];
      case 'resolution':
        return [act(() => change({ resolution: event.to }))];
      case 'interval':
        return [act(() => this.#changeTransaction(event.transaction, { interval: event.to }))];
      case 'switch':
        return [act(() => this.#changeTransaction(event.transaction, {}))];
      case 'pause':
        return [act(() => change({ paused: true })), act(() => change({ paused: false }), later)];
      case 'faster':
      case 'slower': {
        const usual = sandbox.world.check(id)?.resolutionMinutes ?? 1;
        const resolution = event.kind === 'faster' ? 1 : 15;
        return [act(() => change({ resolution })), act(() => change({ resolution: usual }), later)];
      }
      case 'rename':
        return [act(() => change({ name: event.name ?? `Renamed ${++this.#renames}` }))];
      case 'tag':
        return [act(() => change({ tags: event.tag }))];
      case 'remove':
        return [act(() => this.#remove(id))];
      case 'return':
        return [act(() => this.#return(id))];
      case 'create':
        return [act(() => this.#create())];
      case 'exclude':
        return [
          act(() => this.#exclude(id, true, event.restarts)),
          act(() => this.#exclude(id, false, event.restarts), later),
        ];
      case 'copy':
        return [
          act(() => {
            this.#copy = { at: this.world.now, rows: this.world.copy() };
          }),
        ];
      case 'restore':
        return [act(() => this.#restore(event.minutes))];
      case 'zone':
        return [
          act(async () => {
            this.world.timeZone = event.zone;
            // Months begin by the clock of the service.
            this.zones.push({ since: this.world.now, zone: event.zone });
            await this.world.reload(...this.#accounts());
          }),
        ];
      case 'maintenance':
        // By the clock of the service, which may have been set.
        return [
          act(() => this.#maintain(id, this.world.now + event.begins * minute, event.minutes)),
        ];
      case 'edit':
        return [act(() => this.#edit(event.minutes))];
      case 'cancel':
        return [act(() => this.#edit(undefined))];
      case 'fault': {
        let injected = 0;
        const { fault: kind, operation } = event;
        const order = { kind, ...(operation !== undefined && { operation }) };
        // What cannot be read for a day is not watched, until it is read after all.
        const refused = { from: at - 2 * hour, to: later + 2 * hour };
        const isLong = kind === 'unauthorized' && event.minutes * minute >= day;
        return [
          act(() => {
            injected = sandbox.faults.inject(order);
            if (isLong) this.unwatched.push(refused);
          }),
          act(() => sandbox.faults.clear(injected), later),
          act(
            () => {
              refused.to = refused.from;
            },
            later + 2 * hour,
          ),
        ];
      }
      case 'full':
        return [
          act(() => disk.failWith(new StoreError('full', 'no space is left on the device'))),
          act(() => disk.failWith(undefined), later),
        ];
      case 'away':
        return [act(() => this.#down(() => this.world.stop(), event.minutes))];
      case 'crash':
        return [act(() => this.#down(() => this.world.crash(), event.minutes))];
      case 'doom':
        return [
          act(() => {
            this.#doom = event.commits;
            this.#durable = event.durable;
            this.#awayMinutes = event.minutes;
          }),
        ];
      case 'reload':
        return [
          act(async () => {
            this.#concurrency = 1 + ((this.#concurrency ?? 0) % 3);
            await this.world.reload(...this.#accounts());
          }),
        ];
      case 'drought':
        return [act(() => this.#spend())];
      case 'step':
        return [act(() => machineClock.stepWall(event.seconds * 1000))];
      case 'service-step':
        return [act(() => serviceClock.stepWall(event.seconds * 1000))];
    }
  }

  /** A user changes something, unless the wire, the limits or a fault refuse it. */
  async #change(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    try {
      return await this.world.change(method, path, body);
    } catch (error) {
      const isReset = codeOf(error) === 'ECONNRESET';
      if (!isReset && !/: (?:401|403|429|5\d\d) /.test(`${error}`)) throw error;
      return undefined;
    }
  }

  /** Another client spends what is left of the short window. */
  #spend(): void {
    const { limits } = this.world.sandbox;
    const { remaining, resetSeconds } = limits.reading('short');
    limits.otherClientSpends(remaining);
    this.#spentUntil = this.world.now + resetSeconds;
  }

  /** Other data arrive and are shown meanwhile, but only durable data. */
  async #holdUp(): Promise<void> {
    this.#isHeldUp = true;
    await this.world.clock.sleep(heldUpSeconds * 1000);
    this.#isHeldUp = false;
    if (this.world.running) await this.world.page();
  }

  #isDoomed(): boolean {
    this.#doom -= 1;
    return this.#doom <= 0;
  }

  async #down(end: () => Promise<void>, minutes: number): Promise<void> {
    await this.end(end);
    if (this.#isAway) return;
    this.#checker?.ended();
    this.#isAway = true;
    this.#awaySince = this.world.now;
    const at = this.now + Math.max(1, Math.round(minutes * minute));
    this.#later({ at, act: () => this.#comeBack() });
  }

  /** The process ends when the disk lets it, and no later commit is held up as well. */
  async end(end = () => this.world.stop()): Promise<void> {
    const ended = end();
    // The disk may hold up a commit that the end itself has begun.
    await this.world.pass(0);
    if (this.#isHeldUp) {
      this.#doom = Number.POSITIVE_INFINITY;
      await this.world.pass(heldUpSeconds);
    }
    await ended;
  }

  async #comeBack(): Promise<void> {
    if (!this.#isAway) return;
    this.#isAway = false;
    for (const one of this.#returned.splice(0)) one.to = this.now + hour;
    for (const one of this.#included.splice(0)) {
      // It may be a new one.
      if (this.now - one.from > totalsKept) one.to = Math.max(one.to, this.now - readBack);
    }
    await this.start();
    await this.world.page();
    await this.world.pass(3);
  }

  async #exclude(id: number, isExcluded: boolean, restarts: boolean): Promise<void> {
    if (isExcluded) {
      this.#excluded.add(id);
      this.#isUnwatched(id);
    } else {
      this.#excluded.delete(id);
      const open = this.unwatched.findLast((one) => one.id === id);
      if (open !== undefined) open.to = this.now;
      if (open !== undefined && this.#isAway) this.#included.push(open);
    }
    if (!this.world.running) return;
    if (restarts) await this.#down(() => this.world.stop(), 1);
    else await this.world.reload(...this.#accounts());
  }

  async #restore(minutes: number): Promise<void> {
    const last = this.#copy;
    if (last === undefined) return;
    await this.#down(async () => {
      await this.world.stop();
      this.world.disk.failWith(undefined);
      this.world.restore(last.rows);
      this.#checker?.restored?.(last.at);
    }, minutes);
    this.unwatched.push({ from: last.at - 2 * hour, to: this.now + minutes * minute + hour });
  }

  async #create(): Promise<void> {
    const body = { name: `Created ${this.ids.length}`, host: 'new.example.com', type: 'http' };
    const text = await this.#change('POST', '/checks', { ...body, resolution: 1 });
    if (text === undefined) return;
    const { check } = JSON.parse(text) as { readonly check: { readonly id: number | string } };
    const id = Number(check.id);
    this.ids.push(id);
    const { world } = this.world.sandbox;
    world.plant({ checkId: id, status: 'up', from: this.now, to: this.now + 10 * day });
  }

  async #remove(id: number): Promise<void> {
    const check = this.world.sandbox.world.check(id);
    if (check === undefined) return;
    await this.#change('DELETE', `/checks/${id}`);
    // A fault of the response alone does not keep it.
    if (this.world.sandbox.world.check(id) !== undefined) return;
    this.#deleted.set(id, check);
    this.#isUnwatched(id);
  }

  /** Nothing is read of a check any more, also of the last time in which nothing could be read. */
  #isUnwatched(id: number): void {
    let from = (this.#isAway ? this.#awaySince : this.world.now) - mayNotBeCounted;
    const blind = this.script.events
      .filter((event) => ['away', 'service-step'].includes(event.kind) || isOfLists(event))
      .map((event) => this.#rangeOf(event))
      .filter((one) => one.from <= this.world.now)
      .sort((a, b) => b.to - a.to);
    for (const one of blind) if (one.to > from) from = Math.min(from, one.from - mayNotBeCounted);
    this.unwatched.push({ id, from, to: Number.POSITIVE_INFINITY });
  }

  /** The end of the faults of this moment, or this moment. */
  get #refusedUntil(): number {
    const now = this.world.now;
    const ends = this.script.events
      .filter(isOfLists)
      .map((event) => this.#rangeOf(event))
      .flatMap(({ from, to }) => (from <= now && now < to ? to : []));
    return Math.max(this.now, ...ends);
  }

  /** When an event happens, by the present clock of the service. */
  #rangeOf(event: LifeEvent): { readonly from: number; readonly to: number } {
    const from = this.begin + this.world.now - this.now + Math.round(event.at * minute);
    if (event.kind === 'service-step') return { from: from - event.seconds, to: from };
    return { from, to: from + ('minutes' in event ? Math.round(event.minutes * minute) : 0) };
  }

  /** A deleted check is listed again, as after a permission was withdrawn and granted. */
  #return(id: number): void {
    const check = this.#deleted.get(id);
    if (check === undefined) return;
    this.#deleted.delete(id);
    this.world.sandbox.world.registry.put(check);
    const open = this.unwatched.findLast((one) => one.id === id);
    // An exporter that is away, or refused, sees it again after that.
    if (open !== undefined && this.#isAway) this.#returned.push(open);
    else if (open !== undefined) open.to = this.#refusedUntil + hour;
  }

  /** Without another interval it is switched on or off. */
  #changeTransaction(place: number, change: { readonly interval?: TransactionInterval }): void {
    const { transactions } = this.world.sandbox.world;
    const transaction = transactions.all[place % transactions.all.length];
    if (transaction === undefined) return;
    const isSwitched = change.interval === undefined;
    const changed = isSwitched ? { active: !transaction.settings.active } : change;
    transactions.put(changedTransaction(transaction, changed, this.world.now));
  }

  #plant(): void {
    if (!this.script.isNatural) this.#plantUp();
    const { world } = this.world.sandbox;
    for (const event of this.script.events) {
      if (event.kind !== 'down' && event.kind !== 'unknown' && event.kind !== 'up') continue;
      const { all } = world.transactions;
      const transaction = event.isOfTransaction ? all[event.check % all.length] : undefined;
      const checkId = transaction?.id ?? this.#idOf(event.check);
      const from = this.begin + Math.round(event.at * minute);
      const to = from + Math.max(1, Math.round(event.minutes * minute));
      world.plant({ checkId, status: event.kind, from, to });
    }
  }

  /** Only planted events happen, and each check is tested at an odd second. */
  #plantUp(): void {
    const { world } = this.world.sandbox;
    for (const { id } of world.maintenance.windows.all) world.maintenance.remove(id);
    const created = this.begin - (this.script.age ?? 40) * day;
    const until = this.begin + this.minutes * minute + 10 * day;
    for (const [place, check] of world.checks.entries()) {
      const minutes = resolutions[place % resolutions.length] ?? 1;
      const resolutionSeconds = minutes * minute;
      const pausedAt = this.#pausedAtFirstSight(check.id);
      const run = {
        from: created,
        resolutionSeconds,
        phaseSeconds: (7 + 13 * place) % 60,
        ...testingOf(world.wire),
        ...(pausedAt !== undefined && { to: pausedAt }),
      };
      world.registry.put({ ...check, created, resolutionMinutes: minutes, runs: [run] });
      world.plant({ checkId: check.id, status: 'up', from: created, to: until });
    }
  }

  /** When a check was paused that is paused at the beginning of the life. */
  #pausedAtFirstSight(id: number): number | undefined {
    const pauses = this.script.events.flatMap((event) =>
      event.kind === 'pause' && event.at < 0 && this.#idOf(event.check) === id ? event.at : [],
    );
    return pauses[0] === undefined ? undefined : this.begin + Math.round(pauses[0] * minute);
  }

  #idOf(place: number): number {
    return this.ids[place % this.ids.length] ?? 0;
  }

  #maintain(id: number, from: number, minutes: number): void {
    const to = from + minutes * minute;
    this.#changeMaintenance(undefined, () =>
      planMaintenance(this.world.sandbox.world, { from, to, uptimeids: [id] }),
    );
  }

  #edit(minutes: number | undefined): void {
    const { maintenance: schedule } = this.world.sandbox.world;
    const last = schedule.windows.all.at(-1);
    if (last === undefined) return;
    const deleted = minutes === undefined ? last.id : undefined;
    this.#changeMaintenance(deleted, () => {
      if (minutes === undefined) return schedule.remove(last.id);
      const to = Math.max(last.from + minute, last.from + minutes * minute);
      return schedule.replace({ ...last, to, effectiveto: to }, this.world.now);
    });
  }

  #changeMaintenance(deletedWindow: number | undefined, change: () => unknown): void {
    this.#checker?.maintenanceChanges(deletedWindow);
    change();
    this.maintenanceChangedAt = this.world.now;
  }
}

/** Whether it is a fault of the lists, or of the outage reports that they ask for. */
function isOfLists(event: LifeEvent): boolean {
  if (event.kind !== 'fault') return false;
  return [undefined, 'list_checks', 'list_outages'].includes(event.operation);
}
